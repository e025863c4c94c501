//! Random models as text: they type-check, are small, and use every construct of the language now and then.
//!
//! Entry points: [`generate`], and [`ltl`] and [`ctl`] for temporal formulas. The same seed gives the same
//! text.
//!
//! Types come first, then variables with at most a few thousand values in all; expressions are made for a
//! wanted type from the names in scope. What may fault is guarded most of the time. In [`Flavor::Symmetric`]
//! nothing names, numbers or orders the elements of symmetric types and rings, and loops over them do the
//! same whatever the order.

mod branching;
mod cases;
mod compound;
mod expect;
mod expr;
mod family;
mod formula;
mod indexed;
mod live;
mod liveness;
mod logic;
mod model;
mod nested;
mod number;
mod property;
mod response;
mod rich;
mod ring;
mod rng;
mod scope;
mod stmt;
mod structure;
mod types;

pub use family::family_model;
pub use formula::{ctl, ltl};
pub use live::live_family_model;
pub use rich::rich_family_model;
pub use ring::ring_family_model;
pub use rng::Rng;

use std::collections::BTreeMap;

/// What kind of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// Everything the language has.
    Any,
    /// With symmetric types or rings, used in ways that keep their symmetry.
    Symmetric,
    /// Small protocols of alike members, with fairness and linear-time properties.
    Liveness,
    /// The same with branching-time properties.
    Branching,
    /// As `Liveness`, with indices inside temporal operators.
    Indexed,
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// How often each construct was asked for. Not all of them made it into the text.
    pub used: BTreeMap<&'static str, u32>,
}

/// The model of a seed.
pub fn generate(seed: u64, flavor: Flavor) -> Generated {
    if matches!(flavor, Flavor::Liveness | Flavor::Branching | Flavor::Indexed) {
        let mut liveness = liveness::Liveness::new(seed, flavor);
        let text = liveness.model();
        let text = structure::structure(&text, seed, true, &mut liveness.used);
        let text = expect::expectations(&text, seed);
        return Generated { text, used: liveness.used };
    }
    let mut generator = scope::Generator::new(seed, flavor);
    let text = generator.model();
    let text = structure::structure(&text, seed, false, &mut generator.used);
    let text = expect::expectations(&text, seed);
    Generated { text, used: generator.used }
}
