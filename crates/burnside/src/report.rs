//! What a check gives back. Data only.

use crate::model::Model;
use burnside_engine::{Answer, Verdict};
use burnside_limits::Stats;
use burnside_perm::Natural;
use burnside_petri::SmallerNet;
use burnside_ts::Symmetry as Group;
use std::collections::BTreeMap;
use std::time::Duration;

/// The result of a check: see [`check`](crate::check()).
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Verdict};
///
/// let text = "
///     var x: 0..2;
///     process P { rule up when x < 2 { x = x + 1; } }
///     deadlock allowed;
///     reachable top = x == 2;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// for answer in &report.results {
///     assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
/// }
/// assert_eq!(report.stats.states, 3);
/// assert!(report.all_hold() && !report.is_limited());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    /// `faults`, then `deadlock` if checked, then the properties in the order of the model, then those given
    /// beside it.
    pub results: Vec<Answer>,
    /// The permutations that could be used: those of the system that the options allow.
    pub group: Group,
    /// Figures of the main search.
    pub stats: Stats,
    /// How many original states there are, if the main search saw all orbits and could count them.
    pub unreduced: Option<Natural>,
    /// How long everything took.
    pub time: Duration,
    /// Why the engine was chosen, if that was left open and it is not the usual one.
    pub chosen: Option<String>,
    /// The smaller nets that were asked instead of the net itself, by property: figures of those answers are
    /// about them, runs are of the net itself.
    pub smaller: BTreeMap<String, SmallerNet>,
    /// The model that the evidence is about: the one that was checked, but the places of a net have the room
    /// that they needed.
    pub model: Model,
}

impl Report {
    /// The answer for the property with this name.
    pub fn answer(&self, property: &str) -> Option<&Answer> {
        self.results.iter().find(|answer| answer.property == property)
    }

    /// Whether every property holds.
    pub fn all_hold(&self) -> bool {
        self.results.iter().all(|answer| answer.verdict == Verdict::Holds)
    }

    /// Whether something is unknown that more time or room could have told.
    pub fn is_limited(&self) -> bool {
        self.results.iter().any(|result| matches!(&result.verdict, Verdict::Unknown(stop) if stop.is_limit()))
    }
}
