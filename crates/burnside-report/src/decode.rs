//! A run, told: states and steps as texts, ready for people and for documents.

use crate::difference::Difference;
use burnside::{ExternalProperty, Model, PutOutput};
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Fault, Leaf, Site, System, Type, Value, bits, show_value};

/// A step as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodedStep {
    /// Who, such as `Client[2]`.
    pub process: String,
    /// The rule.
    pub rule: String,
    /// Names and values.
    pub arguments: Vec<(String, String)>,
}

/// A cell that a step changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub cell: String,
    /// The old value.
    pub before: String,
    /// The new value.
    pub after: String,
    /// What came and what left, if it is a collection.
    pub difference: Option<Difference>,
}

/// The fault that a run ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedFault {
    /// What.
    pub fault: Fault,
    /// The step that fails.
    pub step: Option<DecodedStep>,
    /// When: in a `step`, in the `initialisation` or when the `property` is evaluated.
    pub during: &'static str,
}

/// Tells runs of one system.
#[derive(Clone, Debug)]
pub struct TraceDecoder<'s> {
    /// The system.
    pub system: &'s System,
    /// The cells of its states.
    pub leaves: Vec<Leaf>,
    /// Whether documents have values for scripts beside the texts.
    pub typed: bool,
    /// What was given beside the model.
    external: &'s [(String, ExternalProperty)],
    put_output: Option<&'s PutOutput>,
    /// The files that the model imports.
    files: &'s [String],
}

impl<'s> TraceDecoder<'s> {
    /// For the system of a model.
    pub fn new(model: &'s Model) -> Self {
        let system = &model.system;
        Self {
            system,
            leaves: system.leaves(),
            typed: false,
            external: &model.external,
            put_output: model.put_output(),
            files: &model.files,
        }
    }

    /// The same, for documents that have values for scripts beside the texts.
    pub fn typed(self) -> Self {
        Self { typed: true, ..self }
    }

    /// What a site is in, if not in the file of the model itself.
    pub fn origin(&self, site: &Site) -> Option<&'s str> {
        let index = (site.origin as usize).checked_sub(1)?;
        match self.external.get(index) {
            Some((_, external)) => Some(external.origin.as_str()),
            None => self.files.get(index - self.external.len()).map(String::as_str),
        }
    }

    /// The values of all cells.
    pub fn state(&self, state: &[u64]) -> Vec<String> {
        self.system.show_state(&self.leaves, state)
    }

    /// The cells with their values.
    pub fn cells(&self, state: &[u64]) -> Vec<(&str, String)> {
        self.leaves.iter().map(|leaf| leaf.name.as_str()).zip(self.state(state)).collect()
    }

    /// A step.
    pub fn step(&self, step: &Step) -> DecodedStep {
        let label = step.label();
        DecodedStep {
            process: self.system.show_process(label),
            rule: self.system.rule(step.rule).name.clone(),
            arguments: self.system.show_arguments(label),
        }
    }

    /// What is different in the second state.
    pub fn changes(&self, before: &[u64], after: &[u64]) -> Vec<Change> {
        let types = &self.system.types;
        let (before, after) = (spare(before), spare(after));
        let show = |leaf: &Leaf| Change {
            cell: leaf.name.clone(),
            before: show_value(types, leaf.ty, &before, leaf.offset),
            after: show_value(types, leaf.ty, &after, leaf.offset),
            difference: self.difference(leaf, &before, &after),
        };
        self.changed(&before, &after).map(|i| show(&self.leaves[i])).collect()
    }

    fn difference(&self, leaf: &Leaf, before: &[u64], after: &[u64]) -> Option<Difference> {
        let types = &self.system.types;
        if !matches!(types.get(leaf.ty), Type::Set(_) | Type::Queue { .. } | Type::Bag { .. }) {
            return None;
        }
        let [before, after] = [before, after].map(|words| Value::read(types, leaf.ty, words, leaf.offset));
        Difference::between(&before, &after)
    }

    /// The numbers of the cells that are different in the second state. Both have spare words.
    pub fn changed(&self, before: &[u64], after: &[u64]) -> impl Iterator<Item = usize> {
        // Most cells stay as they are: only of the others texts are made. Equal values are equal bits.
        let differs = |leaf: &Leaf| {
            bits::chunks(self.system.types.width(leaf.ty)).any(|(at, width)| {
                let at = leaf.offset + at;
                bits::read(before, at, width) != bits::read(after, at, width)
            })
        };
        (0..self.leaves.len()).filter(move |&i| differs(&self.leaves[i]))
    }

    /// A step of a run with what it changes.
    pub fn step_of(&self, evidence: &Evidence, i: usize) -> (DecodedStep, Vec<Change>) {
        let states = &evidence.states;
        let after = states.get(i + 1).or_else(|| states.get(evidence.loop_start()?));
        let changes = after.map_or_else(Vec::new, |after| self.changes(&states[i], after));
        (self.step(&evidence.steps[i]), changes)
    }

    /// What a step of a run says on the way.
    pub fn said_on(&self, evidence: &Evidence, i: usize) -> Vec<String> {
        let states = &evidence.states;
        let after = states.get(i + 1).or_else(|| states.get(evidence.loop_start()?));
        after.map_or_else(Vec::new, |after| self.said(&states[i], &evidence.steps[i], after))
    }

    /// What a step says on the way from one state to another, line by line: in Murphi, by `put`.
    pub fn said(&self, before: &[u64], step: &Step, after: &[u64]) -> Vec<String> {
        let said = self.put_output.and_then(|output| output.said(self.system, before, step.label(), after));
        said.iter().flat_map(|said| said.lines()).map(|line| format!("says: {}", line.trim_end())).collect()
    }

    /// The steps of a run with what they change.
    pub fn steps(&self, evidence: &Evidence) -> impl Iterator<Item = (DecodedStep, Vec<Change>)> {
        (0..evidence.steps.len()).map(|i| self.step_of(evidence, i))
    }

    /// The fault at the end, if there is one.
    pub fn fault(&self, evidence: &Evidence) -> Option<DecodedFault> {
        match &evidence.end {
            End::State | End::Loop(_) | End::Stutter => None,
            End::Fault(Some(step), fault) => {
                Some(DecodedFault { fault: *fault, step: Some(self.step(step)), during: "step" })
            }
            End::Fault(None, fault) => {
                Some(DecodedFault { fault: *fault, step: None, during: "initialisation" })
            }
            End::Undefined(fault) => Some(DecodedFault { fault: *fault, step: None, during: "property" }),
        }
    }
}

/// A state with spare words.
pub fn spare(state: &[u64]) -> Vec<u64> {
    [state, &[0; bits::SPARE]].concat()
}

impl DecodedStep {
    /// Who, and what: `Client[2]` and `grant(c = Client#2)`. A rule without a name is told with its process,
    /// and then there is no more to say.
    pub fn parts(&self) -> (String, String) {
        let arguments: Vec<_> =
            self.arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let arguments = match arguments.is_empty() {
            true => String::new(),
            false => format!("({})", arguments.join(", ")),
        };
        match self.rule.is_empty() {
            true => (format!("{}{arguments}", self.process), String::new()),
            false => (self.process.clone(), format!("{}{arguments}", self.rule)),
        }
    }
}
