//! Altered trees: parts exchanged, left out or moved, and the runs in them altered.

use super::run::{self, Material};
use crate::generate::Rng;
use burnside_trace::Tree;

/// Alters a tree, somewhere.
pub(super) fn alter(rng: &mut Rng, material: &Material, tree: &mut Tree) {
    let deeper = rng.chance(65);
    match tree {
        Tree::Both(trees) if deeper => {
            let side = rng.below(2);
            alter(rng, material, &mut trees[side]);
        }
        Tree::Side(_, inner) | Tree::Value(_, inner) if deeper => alter(rng, material, inner),
        Tree::Run(_, marks) if deeper && !marks.is_empty() => {
            let at = rng.below(marks.len());
            alter(rng, material, &mut marks[at].1);
        }
        _ => alter_here(rng, material, tree),
    }
}

fn alter_here(rng: &mut Rng, material: &Material, tree: &mut Tree) {
    let other = [Tree::Condition, Tree::Everywhere, Tree::Omitted];
    match tree {
        _ if rng.chance(15) => *tree = rng.pick(&other).clone(),
        Tree::Both(trees) if rng.chance(50) => trees.swap(0, 1),
        Tree::Both(trees) => {
            let side = rng.below(2);
            *tree = Tree::Side(side, Box::new(trees[side].clone()));
        }
        Tree::Side(side, inner) => match rng.below(3) {
            0 => *side = 1 - (*side).min(1),
            1 => *tree = Tree::Both(Box::new([(**inner).clone(), (**inner).clone()])),
            _ => *tree = (**inner).clone(),
        },
        Tree::Value(number, _) => *number = number.wrapping_add(rng.between(-1, 2) as u64),
        Tree::Run(evidence, marks) => {
            if marks.is_empty() || rng.chance(50) {
                return run::alter(rng, material, evidence);
            }
            let (at, to) = (rng.below(marks.len()), rng.below(marks.len()));
            match rng.below(5) {
                0 => drop(marks.remove(at)),
                1 => marks[at].0 = rng.below(evidence.states.len().max(1)),
                2 => marks.insert(at, marks[at].clone()),
                3 => marks.swap(at, to),
                _ => marks[to].1 = marks[at].1.clone(),
            }
        }
        Tree::Condition | Tree::Everywhere | Tree::Omitted => *tree = rng.pick(&other).clone(),
    }
}
