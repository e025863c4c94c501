//! Models written in Rust: the front end for people who have code and no `.orb` file.
//!
//! Entry points: [`RustModel`], the trait that a model implements, and [`lower()`], which makes a
//! [`System`](burnside_ts::System) of it. A state is any type that derives [`Data`]; the bits that it takes
//! are laid out as those of every other system, so that engines store, move and show states without knowing
//! where they come from. Steps and conditions are run by a machine of their own (`machine`), which unpacks a
//! state, calls the model and packs the result.
//!
//! Symmetry is declared by types: what is indexed by a symmetric type is an [`Array`] over it, and what
//! refers to one of its members is a [`Member`], which can be compared, stored and used as an index, and
//! nothing else. A model can still do things that depend on the order of members, so the initial states are
//! checked, and steps and conditions are compared with those of permuted states along the way: one that does
//! not fit ends the check as `unknown`.

mod action;
mod collection;
mod data;
mod equivariance;
mod formula;
mod lower;
mod machine;
mod member;
mod model;
mod scalar;

pub use action::{Action, Parameter, RuleSpec};
pub use burnside_ts::SortKind;
pub use collection::{Bag, Queue};
pub use data::{Data, Fields, Layout, Reader, Schema, Writer};
pub use formula::{
    Formula, all_finally, all_globally, all_next, all_until, atom, exists, finally, forall, globally, next,
    release, some_finally, some_globally, some_next, some_until, until, weak_until,
};
pub use lower::{Decoder, Lowered, RustError, lower};
pub use member::{Array, Key, Member, RingSort, Set, Sort};
pub use model::{Fairness, Property, RustModel, Sorts};
pub use scalar::Int;
#[doc(hidden)]
pub use {action::argument, scalar::bits_for_size, scalar::write_none, scalar::write_some};

/// What the derives write code against.
#[doc(hidden)]
pub mod ts {
    pub use burnside_ts::{FaultKind, TypeError, TypeId};
}
