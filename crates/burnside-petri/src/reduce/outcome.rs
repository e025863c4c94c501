//! When nets are made smaller, and what is told of it. Data only.

use super::{Reduced, Rule};
use burnside_limits::choices;
use std::fmt;

choices! {
    /// When a question about a net is asked of a smaller one.
    pub enum Reductions {
        #[default]
        None = "none": "Never: the net is searched as it is",
        Auto = "auto": "When a search has looked at many states without an answer",
        First = "first": "Before anything is searched",
    }
}

/// What a net became for a question, without colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallerNet {
    /// How many places it had, and has.
    pub places: [usize; 2],
    /// How many transitions it had, and has.
    pub transitions: [usize; 2],
    /// The rules that found something, and how often.
    pub rules: Vec<(Rule, u32)>,
}

impl Reduced {
    /// What is told of it.
    pub fn size(&self) -> SmallerNet {
        let (places, transitions) = (self.places, self.transitions);
        SmallerNet { places, transitions, rules: self.applied.clone() }
    }
}

impl fmt::Display for SmallerNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [places, transitions] = [self.places, self.transitions];
        let rules: Vec<String> =
            self.rules.iter().map(|(rule, count)| format!("{} {count}", rule.name())).collect();
        let rules = rules.join(", ");
        write!(
            f,
            "{} of {} places, {} of {} transitions",
            places[1], places[0], transitions[1], transitions[0]
        )?;
        write!(f, " ({rules})")
    }
}
