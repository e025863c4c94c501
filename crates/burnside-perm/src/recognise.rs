//! From generators to the cheapest form of the group they generate.
//!
//! Entry point: [`group`]. Generators that move different points are taken apart (the group is then a direct
//! product, and each factor forgets the points it does not move); what is left is looked at for being a Young
//! subgroup or a group of a ring, in near-linear time; only then a stabiliser chain is built, with a known
//! order where all points are tuples of members ([`MemberAction`]). The order in which forms are tried is no
//! more than a matter of cost: every form is exact.

use crate::chain::Chain;
use crate::group::Shape;
use crate::ring::Ring;
use crate::{Group, MemberAction, Natural, Partition, Perm, Point, Young};
use std::sync::Arc;

/// The group that the permutations of `0..degree` generate; `order` is its order, where that is known.
pub(crate) fn group(degree: usize, generators: &[Perm], order: Option<&Natural>) -> Group {
    let blocks = blocks(degree, generators);
    let order = order.filter(|_| blocks.len() == 1);
    let factor = |(block, local): (Vec<Point>, Vec<Perm>)| {
        let group = simple(block.len(), &local).unwrap_or_else(|| chained(block.len(), &local, order));
        (block, group)
    };
    Group::on_blocks(degree, blocks.into_iter().map(factor))
}

/// The same, if no stabiliser chain is needed.
pub(crate) fn simple_group(degree: usize, generators: &[Perm]) -> Option<Group> {
    let factor = |(block, local): (Vec<Point>, Vec<Perm>)| Some((simple(block.len(), &local)?, block));
    let factors: Vec<(Group, Vec<Point>)> =
        blocks(degree, generators).into_iter().map(factor).collect::<Option<_>>()?;
    Some(Group::on_blocks(degree, factors.into_iter().map(|(group, block)| (block, group))))
}

/// The same for strong generators ([`Chain::strong`]). Those of a factor are strong for it.
pub(crate) fn strong_group(degree: usize, generators: &[Perm]) -> Group {
    let factor = |(block, local): (Vec<Point>, Vec<Perm>)| {
        let chain = |local: &[Perm]| Shape::Chain(Arc::new(Chain::strong(block.len(), local)));
        let group = simple(block.len(), &local).unwrap_or_else(|| Group::new(block.len(), chain(&local)));
        (block, group)
    };
    Group::on_blocks(degree, blocks(degree, generators).into_iter().map(factor))
}

/// Sets of points that generators move independently, each with its generators as permutations of its points.
fn blocks(degree: usize, generators: &[Perm]) -> Vec<(Vec<Point>, Vec<Perm>)> {
    let generators: Vec<&Perm> = generators.iter().filter(|g| !g.is_identity()).collect();
    let classes: Vec<Vec<Point>> = supports(degree, &generators).classes();
    let blocks: Vec<Vec<Point>> = classes.into_iter().filter(|class| class.len() > 1).collect();
    let mut home = vec![u32::MAX; degree];
    for (number, block) in (0..).zip(&blocks) {
        block.iter().for_each(|&x| home[x as usize] = number);
    }
    let mut movers: Vec<Vec<&Perm>> = vec![Vec::new(); blocks.len()];
    for generator in generators {
        let first = generator.least_moved_from(0).expect("not the identity");
        movers[home[first as usize] as usize].push(generator);
    }
    blocks
        .into_iter()
        .zip(movers)
        .map(|(block, movers)| {
            let local = localised(&movers, &block);
            (block, local)
        })
        .collect()
}

/// Points are together when a chain of generators links them, each moving two of them.
fn supports(degree: usize, generators: &[&Perm]) -> Partition {
    let mut supports = Partition::discrete(degree);
    for generator in generators {
        let first = generator.least_moved_from(0);
        generator.moved().for_each(|x| {
            supports.join(first.unwrap_or(x), x);
        });
    }
    supports
}

/// The generators that move the block, as permutations of its points.
fn localised(generators: &[&Perm], block: &[Point]) -> Vec<Perm> {
    let local = |x: Point| block.binary_search(&x).expect("the block is closed") as Point;
    let inside = |g: &&Perm| Perm::trusted(block.len(), |i| local(g.image(block[i as usize])));
    generators.iter().map(inside).collect()
}

fn simple(degree: usize, generators: &[Perm]) -> Option<Group> {
    if let Some(young) = young_by_transpositions(degree, generators) {
        return Some(Group::new(degree, Shape::Young(young)));
    }
    Ring::generated(degree, generators).map(|ring| Group::new(degree, Shape::Ring(ring)))
}

fn chained(degree: usize, generators: &[Perm], order: Option<&Natural>) -> Group {
    let order = order.cloned().or_else(|| Some(MemberAction::find(degree, generators)?.order()));
    let chain = Chain::new(degree, generators, order.as_ref());
    let young = Young::new(&Partition::orbits(degree, generators));
    let shape =
        if young.order() == *chain.order() { Shape::Young(young) } else { Shape::Chain(Arc::new(chain)) };
    Group::new(degree, shape)
}

/// The Young subgroup of the orbits, if the transpositions among the generators show that it is the group.
///
/// The group holds all images of those transpositions, hence all permutations of each class of points that
/// these link.
fn young_by_transpositions(degree: usize, generators: &[Perm]) -> Option<Young> {
    let mut linked = Partition::discrete(degree);
    let mut pending: Vec<[Point; 2]> = generators.iter().filter_map(exchanged).collect();
    pending.iter().for_each(|&[a, b]| {
        linked.join(a, b);
    });
    while let Some([a, b]) = pending.pop() {
        for generator in generators {
            let image = [generator.image(a), generator.image(b)];
            if linked.join(image[0], image[1]) {
                pending.push(image);
            }
        }
    }
    let orbits = Partition::orbits(degree, generators);
    (linked.len() == orbits.len()).then(|| Young::new(&linked))
}

/// The two points that a transposition exchanges.
fn exchanged(perm: &Perm) -> Option<[Point; 2]> {
    let mut moved = perm.moved();
    let pair = [moved.next()?, moved.next()?];
    moved.next().is_none().then_some(pair)
}
