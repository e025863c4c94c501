//! Stubborn sets: in each state, some of the enabled rule instances that are enough.
//!
//! Entry point: [`Stubborn`]. What instances have to do with each other is found once (`dependency`,
//! `guard`); in each state a set is closed under it (`closure`). Who expands states keeps two things: a
//! state in which a step faults is expanded fully, and nothing is postponed for ever (the proviso: see
//! `search/reduced.rs` for states, [`Quotient::reduce`](crate::quotient::Quotient) for runs). Why that is
//! right, with symmetry too, is in `docs/src/internals/partial-order.md`.

mod closure;
mod dependency;
mod guard;
mod steps;

pub(crate) use closure::{Preserved, Stubborn};
