//! Petri nets: the second front end. PNML and formulas in, a transition system out.
//!
//! A net is read from PNML ([`read_pnml`]) into a [`Net`]: data, with colours already numbered and every
//! inscription in one normal form. Formulas come from the contest's XML
//! ([`read_properties`]) or from text ([`parse_query`]) as [`Query`]s. [`lower()`] makes a transition system
//! of both, after the symmetries were found (`classes` for coloured nets, `automorphism` for place/transition
//! nets) and the places were given bounds (`bounds`). A [`NetModel`] holds all of it and gives places more
//! room when they need it; [`Questions`] is what is asked. A [`Structure`] answers some questions without a
//! search, and makes nets smaller for others ([`Reduced`]).

mod atoms;
mod automorphism;
mod bounds;
mod classes;
mod contest;
mod error;
mod globals;
mod lower;
mod names;
mod net;
mod number;
mod pnml;
mod query;
mod questions;
mod reduce;
mod room;
mod structure;
mod text;

pub use automorphism::{automorphisms, stabiliser};
pub use bounds::structural_bounds;
pub use classes::{ClassGroup, colour_stabiliser, colour_symmetry};
pub use contest::read_properties;
pub use error::Error;
pub use globals::{Global, global};
pub use lower::{NetFairness, NetSymmetry, Plan, Watched, lower, overfull};
pub use net::{
    Arc, Class, ClassId, Comparison, Guard, Inscription, MOST_TOKENS, Net, Operand, Order, Partition,
    PartitionId, Place, PlaceId, Term, Transition, TransitionId, Variable, VariableId,
};
pub use pnml::read_pnml;
pub use query::{Atom, Formula, NetQuestion, Query, Sum, Tokens};
pub use questions::Questions;
pub use reduce::{Keep, Premise, Reduced, Reductions, Rule, Rules, SmallerNet};
pub use room::{NetModel, NetOptions};
pub use structure::{Fired, Found, Ground, Structure};
pub use text::{MAX_DEPTH, parse_query, show};
