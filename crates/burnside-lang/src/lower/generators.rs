//! The generators of `symmetry` blocks as motions.
//!
//! The types they move become sorts, though nothing is allowed to permute them yet: that is for whoever finds out whether the
//! generators are symmetries. By then the text is lowered, so the values mean what they did.

use crate::hir::Model;
use burnside_ts::{Freedom, Motion, System, Type};

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
                symmetry.sorts.push(Freedom::Fixed);
            }
        }
    }
}

/// The generators of a model, in the order of the text, as motions of its system.
pub fn motions(model: &Model, system: &System) -> Vec<Motion> {
    let motion = |generator: &crate::hir::Generator| {
        let mut motion = Motion::identity(&system.types);
        for part in &generator.parts {
            let Type::Sort(sort) = *system.types.get(part.ty) else { unreachable!("it was made one") };
            motion.images[sort.index()].clone_from(&part.images);
        }
        motion
    };
    model.generators.iter().map(motion).collect()
}
