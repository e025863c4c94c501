//! What a model says should come out of checking it: the verdicts of its properties, and configurations with
//! figures. Data only; [`check`](crate::check) makes it, and whoever tests models reads it.
//!
//! A property without an expectation is expected to hold, in a model that expects anything at all.

use crate::diagnostic::Span;
use crate::hir::ConstantValue;
use std::fmt;

/// A verdict that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It is true.
    Holds,
    /// It is false.
    Violated,
    /// Nobody knows: a limit, or a symmetry that cannot be verified.
    Unknown,
}

impl Expected {
    /// All of them.
    pub const ALL: [Expected; 3] = [Expected::Holds, Expected::Violated, Expected::Unknown];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Unknown => "unknown",
        }
    }

    /// The verdict that is written so.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == word)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a model expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// Verdicts that properties expect in every configuration that says nothing else, in the order of the
    /// text.
    pub properties: Vec<(String, Expected)>,
    /// The `check` blocks in the order of the text.
    pub configurations: Vec<Configuration>,
}

impl Expectations {
    /// Whether the model expects nothing.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty() && self.configurations.is_empty()
    }

    /// What is to be tested: the configurations, or the model as it is if only properties expect something.
    pub fn tests(&self) -> Vec<Configuration> {
        match self.configurations.is_empty() && !self.properties.is_empty() {
            true => vec![Configuration::default()],
            false => self.configurations.clone(),
        }
    }

    /// What is said about a property in a configuration: there, or else where it is declared.
    pub fn stated(&self, configuration: Option<&Configuration>, property: &str) -> Option<Expected> {
        let here = configuration.into_iter().flat_map(|configuration| &configuration.verdicts);
        let mut all = here.chain(&self.properties);
        all.find(|(name, _)| name == property).map(|(_, verdict)| *verdict)
    }
}

/// A `check` block: constants, options, and what should come out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    /// Where it stands.
    pub span: Span,
    /// Constants that it sets.
    pub settings: Vec<(String, ConstantValue)>,
    /// `fairness`, if it says so: whether the fairness of the model is assumed.
    pub fair: Option<bool>,
    /// `deadlock_paths`, if it says so: whether paths end in deadlocks.
    pub maximal: Option<bool>,
    /// `max_states`: when to give up.
    pub max_states: Option<u64>,
    /// `states`: how many can be reached, whatever the symmetry.
    pub states: Option<u64>,
    /// `transitions`: the steps between them, whatever the symmetry.
    pub transitions: Option<u64>,
    /// `orbits`: states up to symmetry.
    pub orbits: Option<u64>,
    /// Verdicts of properties, of `faults` and of `deadlock`.
    pub verdicts: Vec<(String, Expected)>,
}

impl Configuration {
    /// The constants as `NAME=VALUE`, in order.
    pub fn set(&self) -> Vec<(String, String)> {
        self.settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
    }

    /// What it sets. Two configurations with the same conditions, in any order, are about the same check.
    pub fn conditions(&self) -> Vec<String> {
        let settings = self.settings.iter().map(|(name, value)| format!("{name} = {value}"));
        let mut all: Vec<String> = settings.collect();
        all.extend(self.fair.filter(|fair| !fair).map(|_| "fairness = none".to_string()));
        all.extend(self.maximal.filter(|maximal| *maximal).map(|_| "deadlock_paths = maximal".to_string()));
        all.extend(self.max_states.map(|states| format!("max_states = {states}")));
        all
    }

    /// What it says, as it is written: what is set, then what is expected.
    pub fn entries(&self) -> Vec<String> {
        let set = self.settings.iter().map(|(name, value)| format!("{name} = {value}"));
        let verdicts = self.verdicts.iter().map(|(name, verdict)| format!("{name} = {verdict}"));
        let word = |key: &str, chosen: Option<&str>| chosen.map(|chosen| format!("{key} = {chosen}"));
        let number = |key: &str, number: Option<u64>| number.map(|number| format!("{key} = {number}"));
        let options = [
            word("fairness", self.fair.map(|fair| if fair { "model" } else { "none" })),
            word("deadlock_paths", self.maximal.map(|maximal| if maximal { "maximal" } else { "stutter" })),
            number("max_states", self.max_states),
            number("states", self.states),
            number("transitions", self.transitions),
            number("orbits", self.orbits),
        ];
        set.chain(options.into_iter().flatten()).chain(verdicts).collect()
    }
}
