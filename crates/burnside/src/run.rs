//! Evidence for Rust programs: runs with names and values instead of packed words.
//!
//! Entry point: [`Report::run`]. Everything is decoded when it is asked for.

use crate::report::Report;
use burnside_engine::Answer;
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Leaf, System, Value, bits};
use std::collections::HashMap;
use std::fmt;

/// A run that shows an answer: states with steps between them.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Value};
///
/// let text = "
///     var x: 0..3;
///     process P { rule up(by: 1..2) when x + by <= 3 { x = x + by; } }
///     deadlock allowed;
///     invariant small = x < 3;
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// let run = report.run(report.answer("small").unwrap()).unwrap();
/// assert_eq!(run.states().len(), 3);
/// assert_eq!(run.state(2).get("x"), Some(Value::Int(3)));
/// let step = run.step(1);
/// assert_eq!((step.process().as_str(), step.rule()), ("P", "up"));
/// assert_eq!(step.argument("by"), Some(Value::Int(2)));
/// assert_eq!(step.changes(), [("x".to_string(), Value::Int(1), Value::Int(3))]);
/// assert!(run.loop_start().is_none());
///
/// let lines = "0  x = 0\n1  P.up(by=1): x = 1\n2  P.up(by=2): x = 3";
/// assert_eq!(run.to_string(), lines);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Run<'m> {
    system: &'m System,
    evidence: &'m Evidence,
    leaves: Vec<Leaf>,
    by_name: HashMap<String, usize>,
}

/// A state of a run.
///
/// ```
/// use burnside::{LoadOptions, Model, Options, Value};
///
/// let text = "
///     symmetric C[2];
///     process C[c] { var on: bool; rule flip { on = !on; } }
///     reachable all = forall c: C { on[c] };
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let report = burnside::check(&model, &Options::default(), &mut ())?;
/// let run = report.run(report.answer("all").unwrap()).unwrap();
/// let last = run.states().last().unwrap();
/// assert_eq!(last.get("on[1]"), Some(Value::Bool(true)));
/// assert!(last.cells().all(|(_, value)| value.as_bool() == Some(true)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StateView<'r> {
    run: &'r Run<'r>,
    pub(crate) words: &'r [u64],
}

/// A step of a run: see [`Run`] for an example.
#[derive(Clone, Copy, Debug)]
pub struct StepView<'r> {
    run: &'r Run<'r>,
    step: &'r Step,
    /// Its number, unless it leads nowhere.
    at: Option<usize>,
}

impl Report {
    /// The run that shows an answer, if a single run does. A tree for a branching-time property has runs of
    /// its own: see [`Answer::tree`].
    ///
    /// ```
    /// use burnside::{LoadOptions, Model, Options, Value};
    ///
    /// let text = "
    ///     var x: bool;
    ///     process P { rule on { x = true; } }
    ///     invariant off = !x;
    /// ";
    /// let model = Model::load(text, &LoadOptions::new()).into_model()?;
    /// let report = burnside::check(&model, &Options::default(), &mut ())?;
    /// let run = report.run(report.answer("off").unwrap()).expect("a violation is shown by a run");
    /// assert_eq!(run.state(1).get("x"), Some(Value::Bool(true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<'r>(&'r self, answer: &'r Answer) -> Option<Run<'r>> {
        Some(Run::new(&self.model.system, answer.evidence.as_ref()?))
    }
}

impl<'m> Run<'m> {
    /// A run of a system.
    pub fn new(system: &'m System, evidence: &'m Evidence) -> Self {
        let leaves = system.leaves();
        let by_name = leaves.iter().enumerate().map(|(i, leaf)| (leaf.name.clone(), i)).collect();
        Self { system, evidence, leaves, by_name }
    }

    /// All states, the initial one first.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateView<'_>> {
        self.evidence.states.iter().map(|words| StateView { run: self, words })
    }

    /// All steps: step `i` leads from state `i` to the next one, the last step of a loop back to its start.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = StepView<'_>> {
        (0..self.evidence.steps.len()).map(|at| self.step(at))
    }

    /// A state.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn state(&self, at: usize) -> StateView<'_> {
        StateView { run: self, words: &self.evidence.states[at] }
    }

    /// A step.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn step(&self, at: usize) -> StepView<'_> {
        StepView { run: self, step: &self.evidence.steps[at], at: Some(at) }
    }

    /// The state to which an infinite run returns after its last; none if the run is finite.
    pub fn loop_start(&self) -> Option<usize> {
        self.evidence.loop_start()
    }

    /// The step in the last state that faults, if the run ends so.
    pub fn faulting_step(&self) -> Option<StepView<'_>> {
        match &self.evidence.end {
            End::Fault(Some(step), _) => Some(StepView { run: self, step, at: None }),
            _ => None,
        }
    }

    /// What went wrong at the end, if the run ends so: the text of the expression or statement, and its line.
    pub fn fault(&self) -> Option<(&'m str, u32)> {
        match self.evidence.end {
            End::Fault(_, fault) | End::Undefined(fault) => {
                let site = self.system.site(fault.site);
                Some((site.text.as_str(), site.line))
            }
            End::State | End::Loop(_) | End::Stutter => None,
        }
    }

    /// The same as a sentence: what went wrong, in what.
    pub fn fault_message(&self) -> Option<String> {
        match self.evidence.end {
            End::Fault(_, fault) | End::Undefined(fault) => Some(fault.describe(self.system)),
            End::State | End::Loop(_) | End::Stutter => None,
        }
    }

    fn read(&self, leaf: &Leaf, words: &[u64]) -> Value {
        Value::read(&self.system.types, leaf.ty, &spare(words), leaf.offset)
    }
}

/// The first state, and the steps with what they change.
impl fmt::Display for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = self.states().next() {
            let cells: Vec<String> = first.cells().map(|(cell, value)| format!("{cell} = {value}")).collect();
            write!(f, "0  {}", cells.join(", "))?;
        }
        for (at, step) in self.steps().enumerate() {
            write!(f, "\n{}  {step}", at + 1)?;
            let changes = step.changes().into_iter().map(|(cell, _, value)| format!("{cell} = {value}"));
            let changes: Vec<String> = changes.collect();
            if !changes.is_empty() {
                write!(f, ": {}", changes.join(", "))?;
            }
        }
        match self.evidence.end {
            End::State => {}
            End::Loop(start) => write!(f, "\nand so on for ever, from {start}")?,
            End::Stutter => write!(f, "\nand nothing can happen any more")?,
            End::Fault(..) | End::Undefined(_) => {
                if let Some(step) = self.faulting_step() {
                    write!(f, "\n{step}")?;
                }
                write!(f, "\n{}", self.fault_message().unwrap_or_default())?;
            }
        }
        Ok(())
    }
}

impl StateView<'_> {
    /// The value of a cell, such as `lock` or `phase[2]`; none if there is no such cell.
    pub fn get(&self, cell: &str) -> Option<Value> {
        let leaf = &self.run.leaves[*self.run.by_name.get(cell)?];
        Some(self.run.read(leaf, self.words))
    }

    /// All cells with their values, in the order of the model.
    pub fn cells(&self) -> impl Iterator<Item = (&str, Value)> {
        self.run.leaves.iter().map(|leaf| (leaf.name.as_str(), self.run.read(leaf, self.words)))
    }
}

/// Who did what, such as `Client[2].send(to=1)`.
impl fmt::Display for StepView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.run.system.show_label(self.step.label()))
    }
}

impl StepView<'_> {
    /// Who, such as `Client[2]`.
    pub fn process(&self) -> String {
        self.run.system.show_process(self.step.label())
    }

    /// The name of the rule; empty if it is called like its process.
    pub fn rule(&self) -> &str {
        &self.run.system.rule(self.step.rule).name
    }

    /// The arguments of the rule, without the indices of the process.
    pub fn arguments(&self) -> Vec<(String, Value)> {
        self.run.system.arguments(self.step.label())
    }

    /// An argument of the rule.
    pub fn argument(&self, name: &str) -> Option<Value> {
        self.arguments().into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The cells that the step changes, with their values before and after it. A step that faults changes
    /// nothing.
    pub fn changes(&self) -> Vec<(String, Value, Value)> {
        let states = &self.run.evidence.states;
        let Some(at) = self.at else { return Vec::new() };
        let Some(after) = states.get(at + 1).or_else(|| states.get(self.run.loop_start()?)) else {
            return Vec::new();
        };
        let change = |leaf: &Leaf| {
            let (before, after) = (self.run.read(leaf, &states[at]), self.run.read(leaf, after));
            (before != after).then(|| (leaf.name.clone(), before, after))
        };
        self.run.leaves.iter().filter_map(change).collect()
    }
}

fn spare(words: &[u64]) -> Vec<u64> {
    [words, &[0; bits::SPARE]].concat()
}
