//! Which permutations of the colours leave a coloured net as it is.
//!
//! Entry points: [`colour_symmetry`], and [`colour_stabiliser`] for what also leaves a question as it is.
//! Nothing that was declared counts, only what is used. A permutation of one class moves all components of
//! that class at once and leaves the other classes alone; it is a symmetry when the initial markings are kept
//! ([`relation`]), every guard is true of a binding exactly when it is true of the moved binding ([`guard`]),
//! and the inscriptions give the moved tokens for the moved binding ([`inscription`]). Each of these judges
//! exchanges of two elements, which make blocks of exchangeable elements, and the rotation by one. As every
//! class may be moved alone, the whole symmetry is the product over the classes. All that is claimed is a
//! symmetry; symmetries that move several classes together, or rotate by some steps only, are not found.

mod guard;
mod inscription;
mod relation;
#[cfg(test)]
mod tests;

use crate::atoms::{Dependency, watched};
use crate::net::{ClassId, Net, PlaceId};
use crate::query::Query;
use relation::Relation;
use std::collections::BTreeMap;

/// Guards with more bindings than this are taken apart, and constants that stand with more colours than this
/// each count alone.
const TABLE: usize = 1 << 14;

/// How the elements of a class may be permuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassGroup {
    /// Arbitrarily inside each block. The blocks are ascending lists of at least two elements, ordered by
    /// their first ones; there is at least one.
    Blocks(Vec<Vec<u32>>),
    /// By rotations of the whole class, which has at least three elements.
    Rotations,
    /// Not at all.
    Fixed,
}

/// How the elements of each class may be permuted, independently of the other classes, without changing the
/// net.
pub fn colour_symmetry(net: &Net) -> Vec<ClassGroup> {
    symmetry(net, TABLE)
}

fn symmetry(net: &Net, table: usize) -> Vec<ClassGroup> {
    let sort_groups = net.classes.iter().map(|class| SortGroup::full(class.elements.len())).collect();
    let mut judge = Judge { net, table, sort_groups };
    for place in &net.places {
        judge.relation(&Relation::dense(&place.domain, &place.initial));
    }
    for transition in &net.transitions {
        judge.guard(&transition.guard);
        let arcs = [&transition.inputs, &transition.outputs, &transition.reads, &transition.inhibitors];
        for arc in arcs.into_iter().flatten() {
            judge.inscription(&net.place(arc.place).domain, &arc.inscription);
        }
    }
    judge.sort_groups.iter().map(SortGroup::result).collect()
}

/// What is left of the freedoms of the classes when every atom of the questions is to stay as it is.
pub fn colour_stabiliser<'q>(
    net: &Net,
    sort_groups: &[ClassGroup],
    queries: impl IntoIterator<Item = &'q Query>,
) -> Vec<ClassGroup> {
    let sizes = net.classes.iter().map(|class| class.elements.len());
    let given = sizes.zip(sort_groups).map(|(size, sort_group)| SortGroup::given(size, sort_group));
    let mut judge = Judge { net, table: TABLE, sort_groups: given.collect() };
    for atom in queries.into_iter().flat_map(watched) {
        if let Dependency::Tokens(terms) = atom {
            let mut named: BTreeMap<PlaceId, Vec<(Vec<u32>, i128)>> = BTreeMap::new();
            for (factor, tokens) in terms {
                if let Some(colour) = &tokens.colour {
                    named.entry(tokens.place).or_default().push((colour.clone(), factor));
                }
            }
            named.into_iter().for_each(|(place, colours)| judge.sum(&net.place(place).domain, colours));
        }
    }
    judge.sort_groups.iter().map(SortGroup::result).collect()
}

/// What is still allowed for one class.
struct SortGroup {
    /// Elements with equal labels may be exchanged, if any may.
    labels: Vec<u32>,
    exchange: bool,
    rotate: bool,
}

impl SortGroup {
    fn full(size: usize) -> SortGroup {
        SortGroup { labels: vec![0; size], exchange: true, rotate: true }
    }

    fn given(size: usize, sort_group: &ClassGroup) -> SortGroup {
        let mut labels: Vec<u32> = (0..size as u32).collect();
        let (mut exchange, mut rotate) = (false, false);
        match sort_group {
            ClassGroup::Fixed => {}
            ClassGroup::Rotations => rotate = true,
            ClassGroup::Blocks(blocks) => {
                blocks.iter().flatten().zip(heads(blocks)).for_each(|(&x, head)| labels[x as usize] = head);
                exchange = true;
                rotate = labels.iter().all(|&label| label == 0);
            }
        }
        SortGroup { labels, exchange, rotate }
    }

    fn result(&self) -> ClassGroup {
        let mut blocks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (x, &label) in self.labels.iter().enumerate() {
            blocks.entry(label).or_default().push(x as u32);
        }
        let mut blocks: Vec<Vec<u32>> = blocks.into_values().filter(|block| block.len() > 1).collect();
        blocks.sort();
        match self {
            _ if self.exchange && !blocks.is_empty() => ClassGroup::Blocks(blocks),
            _ if self.rotate && self.labels.len() > 2 => ClassGroup::Rotations,
            _ => ClassGroup::Fixed,
        }
    }
}

/// For each element of the blocks the first of its block.
fn heads(blocks: &[Vec<u32>]) -> impl Iterator<Item = u32> + '_ {
    blocks.iter().flat_map(|block| block.iter().map(|_| block[0]))
}

/// The net, and what is still allowed.
struct Judge<'n> {
    net: &'n Net,
    table: usize,
    sort_groups: Vec<SortGroup>,
}

impl Judge<'_> {
    fn size(&self, class: ClassId) -> usize {
        self.net.class(class).elements.len()
    }

    /// Nothing of the class may move.
    fn fix(&mut self, class: ClassId) {
        let sort_group = &mut self.sort_groups[class.index()];
        (sort_group.exchange, sort_group.rotate) = (false, false);
    }

    /// Steps from element to element are taken: only rotations keep them. Two elements that are exchanged are
    /// rotated.
    fn ring(&mut self, class: ClassId) {
        self.sort_groups[class.index()].exchange &= self.size(class) <= 2;
    }

    /// Each element has its own key.
    fn keys(&mut self, class: ClassId, keys: &[u64]) {
        self.relation(&Relation::dense(&[class], keys));
    }

    /// A sum of factors of colours, which must stay as it is.
    fn sum(&mut self, domain: &[ClassId], colours: Vec<(Vec<u32>, i128)>) {
        if self.net.colours(domain).is_none() {
            domain.iter().for_each(|&class| self.fix(class));
            return;
        }
        let numbered = colours.into_iter().map(|(colour, factor)| (self.net.number(domain, &colour), factor));
        self.relation(&Relation::sparse(domain, numbered.collect()));
    }
}
