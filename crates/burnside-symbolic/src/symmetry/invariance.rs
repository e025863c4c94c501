//! Which generators leave a formula alone.
//!
//! [`keeping`] is the rule of the paper: of the generators that are there, those that map every atom to
//! itself. [`stabiliser`] finds more: it asks of any two members of a block whether they may be swapped,
//! neighbours or not, so an atom that names one member costs that member only.

use super::generator::Generator;
use crate::space::Space;
use crate::store::{Out, Set};
use burnside_ts::{Permutation, SortGroup, Symmetry};

/// The generators that map every atom to itself.
pub fn keeping<'g>(generators: &'g [Generator], atoms: &[Set]) -> Out<Vec<&'g Generator>> {
    let mut kept = Vec::new();
    for generator in generators {
        if keeps_all(generator, atoms)? {
            kept.push(generator);
        }
    }
    Ok(kept)
}

/// What is left of a group if every atom must be mapped to itself. It is the stabiliser of the atoms if the
/// group is a product of all permutations of some blocks, and part of it otherwise.
pub fn stabiliser(space: &Space<'_>, symmetry: &Symmetry, atoms: &[Set]) -> Out<Symmetry> {
    let mut sorts = Vec::new();
    for (sort, sort_group) in symmetry.sorts.iter().enumerate() {
        sorts.push(match sort_group {
            SortGroup::Full(blocks) => {
                let mut classes = Vec::new();
                for block in blocks {
                    classes.extend(alike(space, sort, block, atoms)?);
                }
                SortGroup::blocks(classes)
            }
            SortGroup::Rotations => {
                let mut turn = Permutation::identity(&space.system.types);
                turn.images[sort].rotate_left(1);
                if may_move(space, turn, atoms)? { SortGroup::Rotations } else { SortGroup::Fixed }
            }
            SortGroup::Fixed => SortGroup::Fixed,
        });
    }
    let mut kept = Vec::new();
    for permutation in &symmetry.generators {
        if may_move(space, permutation.written(&space.system.types), atoms)? {
            kept.push(permutation.clone());
        }
    }
    Ok(Symmetry { sorts, generators: kept, base: Vec::new() })
}

/// The members of a block in classes of those that may be swapped. That is an equivalence, so each is
/// compared with one of a class only.
fn alike(space: &Space<'_>, sort: usize, block: &[u32], atoms: &[Set]) -> Out<Vec<Vec<u32>>> {
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for &element in block {
        let mut home = None;
        for (i, class) in classes.iter().enumerate() {
            let mut permutation = Permutation::identity(&space.system.types);
            permutation.images[sort].swap(class[0] as usize, element as usize);
            if may_move(space, permutation, atoms)? {
                home = Some(i);
                break;
            }
        }
        match home {
            Some(i) => classes[i].push(element),
            None => classes.push(vec![element]),
        }
    }
    Ok(classes)
}

/// Whether a permutation maps every atom to itself; no if it takes too many nodes to find out.
fn may_move(space: &Space<'_>, permutation: Permutation, atoms: &[Set]) -> Out<bool> {
    match Generator::new(space, permutation).and_then(|generator| keeps_all(&generator, atoms)) {
        Err(stop) if stop.is_room() => {
            space.store.collect();
            Ok(false)
        }
        known => known,
    }
}

fn keeps_all(generator: &Generator, atoms: &[Set]) -> Out<bool> {
    for atom in atoms {
        if !generator.keeps(atom)? {
            return Ok(false);
        }
    }
    Ok(true)
}
