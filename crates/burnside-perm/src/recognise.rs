//! From generators to the cheapest form of the group they generate.
//!
//! Entry point: [`group`]. Generators that move different points are taken apart (the group is then a direct
//! product, and each factor forgets the points it does not move); what is left is looked at for being a Young
//! subgroup or a group of a ring, in near-linear time; only then a stabiliser chain is built, with a known
//! order where exchanges of members prove one ([`coxeter`]). The order in which forms are tried is no more
//! than a matter of cost: every form is exact.

use crate::chain::Chain;
use crate::coxeter;
use crate::group::Shape;
use crate::ring::Ring;
use crate::{Group, Natural, Partition, Perm, Point, Young};
use std::sync::Arc;

/// The group that the permutations of `0..degree` generate; `order` is its order, where that is known.
pub(crate) fn group(degree: usize, generators: &[Perm], order: Option<&Natural>) -> Group {
    let generators: Vec<&Perm> = generators.iter().filter(|g| !g.is_identity()).collect();
    let classes: Vec<Vec<Point>> = supports(degree, &generators).classes();
    let blocks: Vec<Vec<Point>> = classes.into_iter().filter(|class| class.len() > 1).collect();
    if let [block] = &blocks[..] {
        let local = localised(&generators, block);
        return Group::on_blocks(degree, [(block.clone(), connected(block.len(), &local, order))]);
    }
    let factor = |block: Vec<Point>| {
        let local = localised(&generators, &block);
        let group = connected(block.len(), &local, None);
        (block, group)
    };
    Group::on_blocks(degree, blocks.into_iter().map(factor))
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
    let inside =
        generators.iter().filter(|g| g.least_moved_from(0).is_some_and(|x| block.binary_search(&x).is_ok()));
    inside.map(|g| Perm::trusted(block.len(), |i| local(g.image(block[i as usize])))).collect()
}

fn connected(degree: usize, generators: &[Perm], order: Option<&Natural>) -> Group {
    if let Some(young) = young_by_transpositions(degree, generators) {
        return Group::new(degree, Shape::Young(young));
    }
    if let Some(ring) = Ring::generated(degree, generators) {
        return Group::new(degree, Shape::Ring(ring));
    }
    let order = order.cloned().or_else(|| coxeter::order(degree, generators));
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
