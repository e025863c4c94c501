//! The generators of `symmetry` blocks as permutations.
//!
//! The types they move become sorts, though nothing is allowed to permute them yet: that is for whoever finds
//! out whether the generators are symmetries. By then the text is lowered, so the values mean what they did.

use crate::hir::Model;
use burnside_ts::{Permutation, SortGroup, System, Type};

/// Makes sorts of the types that generators move.
pub(super) fn promote(model: &Model, system: &mut System) {
    for part in model.generators.iter().flat_map(|generator| &generator.parts) {
        if !matches!(system.types.get(part.ty), Type::Sort(_)) {
            system.types.promote(part.ty, &part.name);
            let properties = system.properties.iter_mut().flat_map(|property| {
                let named = property.named.as_mut().map(|named| &mut named.symmetry);
                named.into_iter().chain([&mut property.symmetry])
            });
            for symmetry in properties.chain([&mut system.symmetry]) {
                symmetry.sorts.push(SortGroup::Fixed);
            }
        }
    }
}

/// The generators of a model, in the order of the text, as permutations of its system.
pub fn permutations(model: &Model, system: &System) -> Vec<Permutation> {
    let permutation = |generator: &crate::hir::Generator| {
        let mut permutation = Permutation::identity(&system.types);
        for part in &generator.parts {
            let Type::Sort(sort) = *system.types.get(part.ty) else { unreachable!("it was made one") };
            permutation.images[sort.index()].clone_from(&part.images);
        }
        permutation
    };
    model.generators.iter().map(permutation).collect()
}
