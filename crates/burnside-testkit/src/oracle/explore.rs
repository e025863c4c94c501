//! All reachable states, and what is true of them.

use super::rule::Ended;
use super::sequence::Rest;
use super::{Eval, Oracle, State, World};
use crate::graph::{Graph, Node};
use burnside_lang::hir::{Claim, Expr, Sequence};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// There are more states or steps than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// What is known about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is true. A shortest run that shows it has so many steps, if a run can show it.
    Holds(Option<usize>),
    /// It is false, likewise.
    Violated(Option<usize>),
    /// Evaluating the claim faults in a state that is so many steps away, and nothing decides it.
    Undefined(usize),
    /// There is no initial state.
    NoStates,
    /// Not a claim about states.
    Temporal,
}

/// Everything about a model.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The whole graph.
    pub graph: Graph,
    /// The greatest distance of a state from an initial one.
    pub depth: usize,
    /// Whether no step faults.
    pub faults: Finding,
    /// Whether the initialisation faults.
    pub initial_fault: bool,
    /// Whether every state has a step.
    pub deadlock: Finding,
    /// The properties of the model by name.
    pub properties: Vec<(String, Finding)>,
}

/// States in the order of their distance.
#[derive(Default)]
struct Reached {
    known: HashMap<State, usize>,
    states: Vec<State>,
    texts: Vec<String>,
    distance: Vec<usize>,
    initial: Vec<usize>,
    next: Vec<BTreeSet<usize>>,
}

impl Reached {
    fn meet(&mut self, oracle: &Oracle<'_>, state: State, distance: usize) -> usize {
        if let Some(&i) = self.known.get(&state) {
            return i;
        }
        self.known.insert(state.clone(), self.states.len());
        self.texts.push(oracle.show_state(&state));
        self.states.push(state);
        self.distance.push(distance);
        self.states.len() - 1
    }
}

impl Oracle<'_> {
    /// Explores everything, up to so many states.
    pub fn explore(&self, limit: usize) -> Result<Exploration, TooLarge> {
        let mut reached = Reached::default();
        let mut graph = Graph::default();
        for end in self.initial() {
            match end {
                Ended::State(state) => {
                    let i = reached.meet(self, state, 0);
                    reached.initial.push(i);
                }
                Ended::Fault(faults) => graph.initial_faults.push(faults),
            }
        }
        let mut transitions = 0;
        let (mut fault, mut dead) = (None, None);
        while reached.next.len() < reached.states.len() {
            let i = reached.next.len();
            if i >= limit || transitions > 20 * limit {
                return Err(TooLarge);
            }
            let node = self.expand(&mut reached, i);
            transitions += node.steps.len();
            let distance = reached.distance[i];
            if !node.faults.is_empty() {
                fault.get_or_insert(distance);
            }
            if node.faults.is_empty() && node.steps.is_empty() {
                dead.get_or_insert(distance);
            }
            graph.nodes.insert(reached.texts[i].clone(), node);
        }
        graph.initial = reached.initial.iter().map(|&i| reached.texts[i].clone()).collect();
        let initial_fault = !graph.initial_faults.is_empty();
        let fault = if initial_fault { Some(0) } else { fault };
        let found = |distance: Option<usize>| match distance {
            Some(distance) => Finding::Violated(Some(distance)),
            None if reached.states.is_empty() => Finding::NoStates,
            None => Finding::Holds(None),
        };
        let (faults, deadlock) = (found(fault), found(dead));
        let properties =
            self.model.properties.iter().map(|p| (p.name.clone(), self.judge(&reached, &p.claim)));
        let properties = properties.collect();
        let depth = reached.distance.iter().copied().max().unwrap_or(0);
        Ok(Exploration { graph, depth, faults, initial_fault, deadlock, properties })
    }

    fn expand(&self, reached: &mut Reached, i: usize) -> Node {
        let (state, distance) = (reached.states[i].clone(), reached.distance[i] + 1);
        let (mut node, mut next) = (Node::default(), BTreeSet::new());
        for rule in &self.model.rules {
            for instance in self.instances(&state, rule, &Default::default()) {
                let label = std::cell::LazyCell::new(|| self.show_step(rule, &instance.args));
                for end in self.fire(&state, rule, &instance) {
                    match end {
                        Ended::State(target) => {
                            let target = reached.meet(self, target, distance);
                            node.steps.push((label.clone(), reached.texts[target].clone()));
                            next.insert(target);
                        }
                        Ended::Fault(faults) => node.faults.push((label.clone(), faults)),
                    }
                }
            }
        }
        reached.next.push(next);
        node.steps.sort();
        node
    }

    fn judge(&self, reached: &Reached, claim: &Claim) -> Finding {
        if reached.states.is_empty() && !matches!(claim, Claim::Ltl(_) | Claim::Ctl(_)) {
            return Finding::NoStates;
        }
        match claim {
            Claim::Invariant(condition) => {
                let bad = |value: &Eval<bool>| *value != Ok(true);
                match self.first(reached, condition, bad) {
                    Some(distance) => Finding::Violated(Some(distance)),
                    None => Finding::Holds(None),
                }
            }
            Claim::Reachable(condition) => {
                let (good, undefined) = (
                    self.first(reached, condition, |value| *value == Ok(true)),
                    self.first(reached, condition, |value| value.is_err()),
                );
                match (good, undefined) {
                    (Some(distance), _) => Finding::Holds(Some(distance)),
                    (None, Some(distance)) => Finding::Undefined(distance),
                    (None, None) => Finding::Violated(None),
                }
            }
            Claim::Never(sequence) => self.never(reached, sequence),
            Claim::Ltl(_) | Claim::Ctl(_) => Finding::Temporal,
        }
    }

    fn holds(&self, state: &State, condition: &Expr) -> Eval<bool> {
        self.truth(&mut World { state: state.clone(), locals: Vec::new() }, condition)
    }

    /// The distance of the nearest state in which the condition is as wanted.
    fn first(
        &self,
        reached: &Reached,
        condition: &Expr,
        wanted: impl Fn(&Eval<bool>) -> bool,
    ) -> Option<usize> {
        let i = reached.states.iter().position(|state| wanted(&self.holds(state, condition)))?;
        Some(reached.distance[i])
    }

    /// Follows all runs, each state with all that is left of matches that began somewhere before.
    fn never(&self, reached: &Reached, sequence: &Sequence) -> Finding {
        let mut conditions = Vec::new();
        let whole = Rest::new(sequence, &mut conditions);
        if whole.is_complete() {
            return Finding::Violated(Some(0));
        }
        let mut seen = BTreeSet::new();
        let mut queue: VecDeque<(usize, BTreeSet<Rest>, usize)> =
            reached.initial.iter().map(|&i| (i, BTreeSet::new(), 0)).collect();
        while let Some((i, before, distance)) = queue.pop_front() {
            let mut after = BTreeSet::new();
            for rest in before.iter().chain([&whole]) {
                match rest.after(&mut |c| self.holds(&reached.states[i], conditions[c])) {
                    Ok(left) => after.extend(left.into_iter().map(Rest::tidy)),
                    Err(_) => return Finding::Violated(Some(distance)),
                }
            }
            if after.iter().any(Rest::is_complete) {
                return Finding::Violated(Some(distance));
            }
            if seen.insert((i, after.clone())) {
                queue.extend(reached.next[i].iter().map(|&next| (next, after.clone(), distance + 1)));
            }
        }
        Finding::Holds(None)
    }
}
