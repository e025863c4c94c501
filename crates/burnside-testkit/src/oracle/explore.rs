//! All reachable states, and what is true of them.

use super::ctl::{AllPaths, Branching};
use super::ltl::{self, Linear, MAX_UNITS, Runs, Step, Units};
use super::path::OnStates;
use super::rule::{Ended, Instance};
use super::sequence::Rest;
use super::value::Value;
use super::{Eval, Oracle, State, World};
use crate::graph::{Graph, Node, StepLabel};
use burnside_lang::hir::{Expr, Fairness, ProcessId, Property, PropertyKind, Rule, RuleId, Sequence};
use burnside_ts::Strength;
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
    /// It would take too long to find out.
    Unaffordable,
}

/// What is known about a property.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The name of the property.
    pub name: String,
    /// With the fairness of the model.
    pub finding: Finding,
    /// Without any fairness. Different for `ltl` and `ctl` only.
    pub without_fairness: Finding,
    /// If strong fairness were weak. Different for `ltl` and `ctl` only.
    pub with_weak_fairness: Finding,
    /// If paths end in deadlocks: with the fairness of the model, and without any. Different for `ctl` only.
    pub maximal: [Finding; 2],
    /// For `ltl`: the formula written out, if that could be done.
    pub(super) linear: Option<Linear>,
    /// For `ctl`: where the formula and its parts are true, if that could be found out.
    pub(super) branching: Option<Branching>,
    /// For what is about states and finite runs: what is true in each state.
    pub(super) on_states: Option<OnStates>,
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
    /// The properties of the model.
    pub properties: Vec<Judgement>,
    /// How many fairness units are ever enabled.
    pub units: usize,
    /// How many states the largest strongly connected component has.
    pub largest_component: usize,
    /// All runs, unless there are too many units.
    pub(super) runs: Option<Runs>,
    /// All paths, likewise.
    pub(super) paths: Option<AllPaths>,
    /// Which states are deadlocks.
    pub(super) dead: Vec<bool>,
    /// The number of each state, by its text.
    pub(super) numbers: HashMap<String, usize>,
    /// The steps from each state, with the units that each executes.
    pub(super) steps: Vec<Vec<LabelledStep>>,
}

/// What is fair: a member of a process, an instance of a rule, or a set of rules for some values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Unit {
    Process(ProcessId, Vec<Value>),
    Rule(RuleId, Vec<Value>),
    Set(usize, Vec<Value>),
}

/// The name of a step, the state it leads to, and the units that it executes.
pub(super) type LabelledStep = (StepLabel, usize, Vec<usize>);

/// States in the order of their distance.
#[derive(Default)]
pub(super) struct Reached {
    known: HashMap<State, usize>,
    pub states: Vec<State>,
    texts: Vec<String>,
    pub distance: Vec<usize>,
    initial: Vec<usize>,
    next: Vec<BTreeSet<usize>>,
    /// The steps from each state, with the units that each executes.
    steps: Vec<Vec<LabelledStep>>,
    units: HashMap<Unit, usize>,
    /// How fair each unit is.
    fairness: Vec<Fairness>,
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

    /// The number of a unit that a step executes which changes something, or does not.
    fn unit(&mut self, unit: Unit, fairness: Option<Fairness>, changes: bool) -> Option<usize> {
        let fairness = fairness.filter(|fairness| changes || !fairness.changing)?;
        let new = self.units.len();
        let number = *self.units.entry(unit).or_insert(new);
        if number == new {
            self.fairness.push(fairness);
        }
        Some(number)
    }

    /// All runs; `None` if there are too many units. A state in which not even a fault is possible has a
    /// loop.
    fn runs(&self, dead: &[bool]) -> Option<Runs> {
        if self.fairness.len() > MAX_UNITS {
            return None;
        }
        let set = |units: &[usize]| units.iter().fold(0, |set, unit| set | (1 as Units) << unit);
        let mut steps: Vec<Vec<Step>> = Vec::new();
        for (state, from) in self.steps.iter().enumerate() {
            let mut from: Vec<Step> =
                from.iter().map(|(_, to, units)| Step { to: *to, units: set(units) }).collect();
            if dead[state] {
                from.push(Step { to: state, units: 0 });
            }
            from.sort();
            from.dedup();
            steps.push(from);
        }
        let of = |strength: Strength| {
            let units = (0..self.fairness.len()).filter(|&unit| self.fairness[unit].strength == strength);
            set(&units.collect::<Vec<_>>())
        };
        let (weak, strong) = (of(Strength::Weak), of(Strength::Strong));
        Some(Runs { initial: self.initial.clone(), steps, weak, strong })
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
        let (mut fault, mut dead, mut all_dead) = (None, None, Vec::new());
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
            let outside = self.is_outside(&reached.states[i]);
            all_dead.push(node.faults.is_empty() && node.steps.is_empty() && !outside);
            if all_dead[i] {
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
        let runs = reached.runs(&all_dead);
        let paths = runs.as_ref().map(|runs| AllPaths::new(runs, &all_dead));
        let judged = |property| self.judgement(&reached, runs.as_ref(), paths.as_ref(), property);
        let properties = self.model.properties.iter().map(judged).collect();
        let depth = reached.distance.iter().copied().max().unwrap_or(0);
        Ok(Exploration {
            graph,
            depth,
            faults,
            initial_fault,
            deadlock,
            properties,
            units: reached.fairness.len(),
            largest_component: runs.as_ref().map_or(0, ltl::largest_component),
            runs,
            paths,
            dead: all_dead,
            numbers: reached.texts.into_iter().zip(0..).collect(),
            steps: reached.steps,
        })
    }

    /// What is true of a property.
    fn judgement(
        &self,
        reached: &Reached,
        runs: Option<&Runs>,
        paths: Option<&AllPaths>,
        property: &Property,
    ) -> Judgement {
        let (mut linear, mut branching, mut maximal) = (None, None, None);
        let findings = match &property.kind {
            _ if reached.states.is_empty() => [Finding::NoStates; 3],
            PropertyKind::Ltl(formula) => {
                let (findings, formula) = self.ltl(reached, runs, formula);
                linear = formula;
                findings
            }
            PropertyKind::Ctl(formula) => {
                let judged = self.ctl(reached, paths, formula);
                (branching, maximal) = (judged.branching, Some(judged.maximal));
                judged.findings
            }
            kind => [self.judge(reached, kind); 3],
        };
        let [finding, without_fairness, with_weak_fairness] = findings;
        let (name, maximal) = (property.name.clone(), maximal.unwrap_or([finding, without_fairness]));
        let on_states = self.on_states(reached, &property.kind);
        Judgement {
            name,
            finding,
            without_fairness,
            with_weak_fairness,
            maximal,
            linear,
            branching,
            on_states,
        }
    }

    /// The fairness units that a step of an instance executes: its member of the process, itself, and the
    /// sets that it is in.
    fn executes(
        &self,
        reached: &mut Reached,
        id: usize,
        rule: &Rule,
        instance: &Instance,
        changes: bool,
    ) -> Vec<usize> {
        let process = &self.model.processes[rule.process.index()];
        let args: Vec<Value> = instance.args.iter().map(|(_, value)| value.clone()).collect();
        let member = args[..process.indices.len()].to_vec();
        let mut units = vec![
            reached.unit(Unit::Process(rule.process, member), process.fairness, changes),
            reached.unit(Unit::Rule(RuleId(id as u32), args.clone()), rule.fairness, changes),
        ];
        for (number, set) in self.model.fair_sets.iter().enumerate() {
            for member in set.members.iter().filter(|member| member.rule.index() == id) {
                let values = member.params.iter().map(|&i| args[i].clone()).collect();
                units.push(reached.unit(Unit::Set(number, values), Some(set.fairness), changes));
            }
        }
        units.into_iter().flatten().collect()
    }

    fn expand(&self, reached: &mut Reached, i: usize) -> Node {
        let (state, distance) = (reached.states[i].clone(), reached.distance[i] + 1);
        let (mut node, mut next, mut steps) = (Node::default(), BTreeSet::new(), Vec::new());
        for (id, rule) in self.model.rules.iter().enumerate() {
            for instance in self.tried(&state, rule) {
                let label = std::cell::LazyCell::new(|| self.show_step(rule, &instance.args));
                for end in self.fire(&state, rule, &instance) {
                    match end {
                        Ended::State(target) => {
                            let changes = target != state;
                            let target = reached.meet(self, target, distance);
                            node.steps.push((label.clone(), reached.texts[target].clone()));
                            next.insert(target);
                            let units = self.executes(reached, id, rule, &instance, changes);
                            steps.push((label.clone(), target, units));
                        }
                        Ended::Fault(faults) => node.faults.push((label.clone(), faults)),
                    }
                }
            }
        }
        reached.next.push(next);
        reached.steps.push(steps);
        node.steps.sort();
        node
    }

    /// The truth of what a claim says about states.
    fn on_states(&self, reached: &Reached, kind: &PropertyKind) -> Option<OnStates> {
        let values = |condition: &Expr| -> Vec<Option<bool>> {
            reached.states.iter().map(|state| self.holds(state, condition).ok()).collect()
        };
        match kind {
            PropertyKind::Invariant(condition) => Some(OnStates::Condition(values(condition), false)),
            PropertyKind::Reachable(condition) => Some(OnStates::Condition(values(condition), true)),
            PropertyKind::Never(sequence) => {
                let mut conditions = Vec::new();
                let whole = Rest::new(sequence, &mut conditions);
                Some(OnStates::Sequence(whole, conditions.into_iter().map(values).collect()))
            }
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) => None,
        }
    }

    /// A claim about states or finite runs.
    fn judge(&self, reached: &Reached, kind: &PropertyKind) -> Finding {
        match kind {
            PropertyKind::Invariant(condition) => {
                let bad = |value: &Eval<bool>| *value != Ok(true);
                match self.first(reached, condition, bad) {
                    Some(distance) => Finding::Violated(Some(distance)),
                    None => Finding::Holds(None),
                }
            }
            PropertyKind::Reachable(condition) => {
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
            PropertyKind::Never(sequence) => self.never(reached, sequence),
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) => panic!("temporal claims are judged elsewhere"),
        }
    }

    fn holds(&self, state: &State, condition: &Expr) -> Eval<bool> {
        self.truth(&mut World::of(state.clone()), condition)
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
