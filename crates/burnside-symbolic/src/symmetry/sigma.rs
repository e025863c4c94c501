//! σ_Step: all states that are symmetric to some of a set, by images under the generators until nothing is new.
//!
//! Entry point: [`sigma_step`]. It may stop early; what it has then is a part of the orbits, which only costs reduction.

use super::generator::Generator;
use crate::space::Space;
use crate::store::{Out, Set, Stop};

/// What closing a set may cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Rounds through all generators; none for as many as it takes.
    pub rounds: Option<u32>,
    /// Nodes of the set; none for as many as there are.
    pub nodes: Option<usize>,
}

/// A set with states that are symmetric to its own.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The states.
    pub states: Set,
    /// Whether these are all: every generator maps the set to itself.
    pub complete: bool,
    /// Rounds through all generators.
    pub rounds: u32,
}

/// The states of a set and those that generators move them to, as far as the effort goes.
pub fn sigma_step(
    space: &Space<'_>,
    states: &Set,
    generators: &[&Generator],
    effort: &Effort,
) -> Out<Closure> {
    let mut closure = Closure { states: states.clone(), complete: generators.is_empty(), rounds: 0 };
    while !closure.complete && effort.rounds.is_none_or(|most| closure.rounds < most) {
        match round(space, &mut closure, generators, effort) {
            Ok(true) => {}
            Ok(false) => break,
            Err(Stop::Nodes) => {
                space.store.collect();
                break;
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(closure)
}

/// One round; whether there may be another. The set is good at every moment.
fn round(space: &Space<'_>, closure: &mut Closure, generators: &[&Generator], effort: &Effort) -> Out<bool> {
    let before = closure.states.clone();
    for generator in generators {
        space.store.poll()?;
        let wider = closure.states.or(&generator.image(&closure.states)?)?;
        if effort.nodes.is_some_and(|most| wider.size() > most) {
            return Ok(false);
        }
        closure.states = wider;
    }
    closure.rounds += 1;
    closure.complete = closure.states == before;
    Ok(true)
}
