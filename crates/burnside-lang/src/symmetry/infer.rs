//! Ranges and enums that nobody declared symmetric, and that are.
//!
//! Entry point: [`infer`]. Named ranges and enums are candidates. All of them are taken for sorts at first
//! and go through the same discipline as declared ones, together with the [uses](super::flow) that only they
//! can have; those of which at least two elements stay interchangeable in the model are promoted. What a
//! property does to them only matters for that property.

use super::{Break, Finder, Reason};
use crate::diagnostic::Span;
use crate::hir::Model;
use burnside_ts::{SortGroup, SortId, Type, TypeId, Types};
use std::collections::BTreeMap;

/// More values than anyone would call interchangeable; their texts are kept.
const MAX_SIZE: u64 = 1 << 13;

/// A range or an enum that is not symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The type.
    pub ty: TypeId,
    /// Its name.
    pub name: String,
    /// What tells its elements apart. If these are only names and defaults, then too few elements are left.
    pub breaks: Vec<(Span, Reason)>,
}

/// The outcome: types in which the symmetric ones are sorts.
pub(super) struct Inferred {
    pub types: Types,
    /// The sorts that were ranges and enums.
    pub sorts: BTreeMap<TypeId, SortId>,
    pub rejected: Vec<Rejected>,
}

/// Finds the ranges and enums that are symmetric. `check` finds what breaks the sorts of some types.
pub(super) fn infer(model: &Model, check: impl Fn(&Inferred) -> Finder) -> Inferred {
    let candidates: Vec<(TypeId, String)> = model
        .types
        .iter()
        .filter(|&(ty, _)| model.types.size(ty).is_some_and(|size| (2..=MAX_SIZE).contains(&size)))
        .filter_map(|(ty, _)| Some((ty, candidate(&model.types, ty)?)))
        .collect();
    let promoted = |wanted: &dyn Fn(TypeId) -> bool| {
        let mut types = model.types.clone();
        let wanted = candidates.iter().filter(|(ty, _)| wanted(*ty));
        let sorts = wanted.map(|(ty, name)| (*ty, types.promote(*ty, name))).collect();
        Inferred { types, sorts, rejected: Vec::new() }
    };
    let trial = promoted(&|_| true);
    let (symmetry, breaks) = check(&trial).finish(&trial.types);
    let is_free = |ty| symmetry.sorts[trial.sorts[&ty].index()] != SortGroup::Fixed;
    let rejected = candidates.iter().filter(|(ty, _)| !is_free(*ty)).map(|(ty, name)| {
        let mine = |found: &&Break| found.sort == trial.sorts[ty];
        let breaks = breaks.iter().filter(mine).map(|found| (found.span, found.reason)).collect();
        Rejected { ty: *ty, name: name.clone(), breaks }
    });
    let rejected = rejected.collect();
    Inferred { rejected, ..promoted(&is_free) }
}

/// The name of a type that may turn out to be symmetric.
fn candidate(types: &Types, ty: TypeId) -> Option<String> {
    match *types.get(ty) {
        Type::Enum(id) => Some(types.enumeration(id).name.clone()),
        _ => types.range_name(ty).map(str::to_string),
    }
}
