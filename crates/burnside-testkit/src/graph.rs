//! State graphs as text, so that two meanings of a model can be compared whole: every state, every labelled
//! step, every fault.
//!
//! Entry points: [`interpreted`] for the graph that the interpreter gives, [`difference`] for what two graphs
//! disagree about.

use crate::oracle::Faults;
use burnside_ts::{Fault, FaultKind, Interpreter, Label, Leaf, Machine, Outcome, System};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

/// A state graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The texts of the initial states.
    pub initial: BTreeSet<String>,
    /// How the initialisation can fault.
    pub initial_faults: Vec<Faults>,
    /// All reachable states by their texts.
    pub nodes: BTreeMap<String, Node>,
}

/// What can happen in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Steps with the texts of the states they lead to, sorted; one for each combination of choices.
    pub steps: Vec<(StepLabel, String)>,
    /// Steps that fault.
    pub faults: Vec<(StepLabel, Faults)>,
}

/// The name of a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepLabel {
    /// The process, with its indices, and the rule.
    pub rule: String,
    /// The arguments; `None` if the step faults before all are known.
    pub args: Option<String>,
}

impl StepLabel {
    /// Whether it can be the same step.
    pub(crate) fn fits(&self, other: &StepLabel) -> bool {
        self.rule == other.rule && (self.args.is_none() || other.args.is_none() || self.args == other.args)
    }
}

impl Graph {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// How many steps there are; steps that fault do not count.
    pub fn transitions(&self) -> usize {
        self.nodes.values().map(|node| node.steps.len()).sum()
    }
}

/// The text of a fault.
pub fn fault_text(kind: FaultKind, line: usize, column: usize, text: &str) -> String {
    format!("{kind:?} at {line}:{column} in `{text}`")
}

/// The text of a state from the names and texts of its parts.
pub fn state_text<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let parts = parts.into_iter().map(|(name, value)| format!("{name} = {}", sort_bags(value)));
    parts.collect::<Vec<_>>().join("; ")
}

/// The elements of a bag have no order that both sides know: sort their texts.
pub fn sort_bags(text: &str) -> String {
    let Some(start) = text.rfind("{|") else { return text.replace("⦃", "{|").replace("⦄", "|}") };
    let Some(length) = text[start..].find("|}") else { return text.to_string() };
    let inside = &text[start + 2..start + length];
    let mut parts = split_top(inside);
    parts.sort_unstable();
    // Done with the innermost bag: other brackets mark it until all are done.
    let marked = format!("{}⦃{}⦄{}", &text[..start], parts.join(", "), &text[start + length + 2..]);
    sort_bags(&marked)
}

/// Splits at the commas outside all brackets.
fn split_top(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '⦃' => depth += 1,
            ')' | ']' | '}' | '⦄' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

/// The graph that the interpreter gives; `None` if it has more states or steps than allowed.
pub fn interpreted(system: &System, limit: usize) -> Option<Graph> {
    let mut machine = Interpreter::new(system);
    let mut explorer = Explorer { system, leaves: system.leaves(), known: HashMap::new(), queue: Vec::new() };
    let mut graph = Graph::default();
    let mut starts = Vec::new();
    machine.initial(&mut |outcome| {
        match outcome {
            Outcome::State(state) => starts.push(explorer.meet(state)),
            Outcome::Fault(fault) => graph.initial_faults.push(explorer.fault(fault)),
        }
        if starts.len() > 20 * limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    graph.initial = starts.iter().map(|&i| explorer.queue[i].1.clone()).collect();
    let (mut next, mut transitions) = (0, 0);
    while next < explorer.queue.len() {
        if next >= limit || transitions > 20 * limit || starts.len() > 20 * limit {
            return None;
        }
        let (state, text) = explorer.queue[next].clone();
        let mut node = Node::default();
        machine.successors(&state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            let name = label_of(system, label);
            match outcome {
                Outcome::State(target) => {
                    let target = explorer.meet(target);
                    node.steps.push((name, explorer.queue[target].1.clone()));
                }
                Outcome::Fault(fault) => node.faults.push((name, explorer.fault(fault))),
            }
            ControlFlow::Continue(())
        });
        node.steps.sort();
        transitions += node.steps.len();
        let old = graph.nodes.insert(text, node);
        assert!(old.is_none(), "two states with one text: {}", explorer.queue[next].1);
        next += 1;
    }
    Some(graph)
}

struct Explorer<'s> {
    system: &'s System,
    leaves: Vec<Leaf>,
    known: HashMap<Box<[u64]>, usize>,
    queue: Vec<(Box<[u64]>, String)>,
}

impl Explorer<'_> {
    fn meet(&mut self, state: &[u64]) -> usize {
        if let Some(&i) = self.known.get(state) {
            return i;
        }
        let text = text_of(self.system, &self.leaves, state);
        self.known.insert(state.into(), self.queue.len());
        self.queue.push((state.into(), text));
        self.queue.len() - 1
    }

    fn fault(&self, fault: Fault) -> Faults {
        let site = self.system.site(fault.site);
        Faults::from([fault_text(fault.kind, site.line as usize, site.column as usize, &site.text)])
    }
}

/// The text of a packed state.
pub fn text_of(system: &System, leaves: &[Leaf], state: &[u64]) -> String {
    let texts = system.show_state(leaves, state);
    let names = leaves.iter().map(|leaf| leaf.name.as_str());
    state_text(names.zip(texts.iter().map(String::as_str)))
}

/// The name of a step.
pub fn label_of(system: &System, label: Label<'_>) -> StepLabel {
    let rule = format!("{}.{}", system.show_process(label), system.rule(label.rule).name);
    let args = system.show_arguments(label);
    let args = args.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    StepLabel { rule, args: Some(state_text(args)) }
}

/// What two graphs disagree about: the expected one, whose faults are sets of those that may be named, and
/// the other one.
pub fn difference(expected: &Graph, got: &Graph) -> Option<String> {
    let differ = |what: &str, expected: &dyn std::fmt::Debug, got: &dyn std::fmt::Debug| {
        Some(format!("{what}\n  expected {expected:?}\n  got      {got:?}"))
    };
    if expected.initial != got.initial {
        return differ("initial states", &expected.initial, &got.initial);
    }
    if !same_faults(&expected.initial_faults, &got.initial_faults) {
        return differ("faults of the initialisation", &expected.initial_faults, &got.initial_faults);
    }
    // States in the one but not in the other come from steps that differ: look at those first.
    for (text, node) in &expected.nodes {
        let Some(other) = got.nodes.get(text) else { continue };
        if node.steps != other.steps {
            let (mine, theirs): (Vec<_>, Vec<_>) = (
                node.steps.iter().filter(|step| !other.steps.contains(step)).collect(),
                other.steps.iter().filter(|step| !node.steps.contains(step)).collect(),
            );
            let counts = format!("{} and {} steps", node.steps.len(), other.steps.len());
            return differ(&format!("steps from [{text}] ({counts})"), &mine, &theirs);
        }
        if !same_steps(&node.faults, &other.faults) {
            return differ(&format!("faults in [{text}]"), &node.faults, &other.faults);
        }
    }
    if expected.states() != got.states() {
        return differ("number of states", &expected.states(), &got.states());
    }
    None
}

fn same_faults(expected: &[Faults], got: &[Faults]) -> bool {
    let meet = |a: &Faults, b: &Faults| !a.is_disjoint(b);
    expected.iter().all(|a| got.iter().any(|b| meet(a, b)))
        && got.iter().all(|b| expected.iter().any(|a| meet(a, b)))
}

fn same_steps(expected: &[(StepLabel, Faults)], got: &[(StepLabel, Faults)]) -> bool {
    let meet = |a: &(StepLabel, Faults), b: &(StepLabel, Faults)| a.0.fits(&b.0) && !a.1.is_disjoint(&b.1);
    expected.iter().all(|a| got.iter().any(|b| meet(a, b)))
        && got.iter().all(|b| expected.iter().any(|a| meet(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_are_sorted_inside_out() {
        assert_eq!(
            sort_bags("{|b, a(x: 2, y: {|3, 1|}), a(x: 1, y: {||})|}"),
            "{|a(x: 1, y: {||}), a(x: 2, y: {|1, 3|}), b|}"
        );
        assert_eq!(sort_bags("[{2, 1}, {||}]"), "[{2, 1}, {||}]");
    }
}
