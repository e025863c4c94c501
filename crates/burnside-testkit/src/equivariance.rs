//! Whether a system really has the symmetry that is claimed for it, checked step by step on reachable states.
//!
//! Entry point: [`check`]. For each generator of the group: moving an initial state gives an initial state;
//! the steps of a moved state are the moved steps of the state, labels and faults included; and a property's
//! conditions are as true in a moved state as in the state, for the generators that the property claims.
//! Shares with the reduced search nothing but the action itself.

use burnside_ts::{
    Action, Interpreter, Label, Machine, Outcome, Permutation, Question, RuleId, System, bits,
};
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

type State = Box<[u64]>;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Generators of the group of the model.
    pub generators: usize,
    /// States whose steps were compared.
    pub states: usize,
    /// Steps of them.
    pub steps: usize,
}

/// What can happen in a state.
#[derive(Debug, Default, PartialEq, Eq)]
struct Steps {
    /// Labels and the states they lead to.
    to: BTreeSet<(RuleId, State, State)>,
    /// Rules with an instance that faults.
    faults: BTreeSet<RuleId>,
}

/// Checks the symmetry of a system and of its properties on its first `limit` states.
pub fn check(system: &System, limit: usize) -> Result<Tally, String> {
    let checker = Checker { system, action: Action::new(system) };
    let permutations = system.symmetry.neighbours(&system.types);
    let mut tally = Tally { generators: permutations.len(), ..Tally::default() };
    let mut machine = Interpreter::new(system);
    let (mut queue, mut initial_fault) = (Vec::new(), false);
    let mut known: HashSet<State> = HashSet::new();
    machine.initial(&mut |outcome| {
        match outcome {
            Outcome::State(state) if known.insert(state.into()) => queue.push(State::from(state)),
            Outcome::State(_) => {}
            Outcome::Fault(_) => initial_fault = true,
        }
        if known.len() > 20 * limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if known.len() > 20 * limit {
        return Ok(tally);
    }
    for (state, permutation) in pairs(&queue, &permutations) {
        if !known.contains(&checker.moved(permutation, state)) {
            return Err(format!("{} is not initial, moved by {permutation:?}", checker.show(state)));
        }
    }
    let mut next = 0;
    while next < queue.len().min(limit) {
        let state = queue[next].clone();
        next += 1;
        let steps = checker.steps(&mut machine, &state);
        tally.states += 1;
        tally.steps += steps.to.len();
        for permutation in &permutations {
            let expected = checker.moved_steps(permutation, &steps);
            let found = checker.steps(&mut machine, &checker.moved(permutation, &state));
            checker.compare(&state, permutation, &expected, &found)?;
        }
        checker.properties(&mut machine, &state)?;
        queue.extend(steps.to.into_iter().map(|(_, _, to)| to).filter(|to| known.insert(to.clone())));
    }
    Ok(tally)
}

fn pairs<'a>(
    states: &'a [State],
    permutations: &'a [Permutation],
) -> impl Iterator<Item = (&'a State, &'a Permutation)> {
    states.iter().flat_map(move |state| permutations.iter().map(move |permutation| (state, permutation)))
}

struct Checker<'s> {
    system: &'s System,
    action: Action<'s>,
}

impl<'s> Checker<'s> {
    fn moved(&self, permutation: &Permutation, state: &[u64]) -> State {
        let from = [state, &[0; bits::SPARE]].concat();
        let mut to = vec![0; from.len()];
        self.action.state(permutation, &from, &mut to);
        to.truncate(state.len());
        to.into()
    }

    fn steps(&self, machine: &mut Interpreter<'s>, state: &[u64]) -> Steps {
        let mut steps = Steps::default();
        machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            match outcome {
                Outcome::State(to) => drop(steps.to.insert((label.rule, label.args.into(), to.into()))),
                Outcome::Fault(_) => drop(steps.faults.insert(label.rule)),
            }
            ControlFlow::Continue(())
        });
        steps
    }

    fn moved_steps(&self, permutation: &Permutation, steps: &Steps) -> Steps {
        let step = |(rule, args, to): &(RuleId, State, State)| {
            let mut moved = vec![0; args.len()];
            let rule = self.action.label(permutation, *rule, args, &mut moved);
            (rule, moved.into(), self.moved(permutation, to))
        };
        let faults = steps.faults.iter().map(|&rule| self.action.rule(permutation, rule)).collect();
        Steps { to: steps.to.iter().map(step).collect(), faults }
    }

    fn compare(
        &self,
        state: &[u64],
        permutation: &Permutation,
        expected: &Steps,
        found: &Steps,
    ) -> Result<(), String> {
        if expected == found {
            return Ok(());
        }
        let show = |(rule, args, to): &(RuleId, State, State)| {
            format!("{} to {}", self.system.show_label(Label { rule: *rule, args }), self.show(to))
        };
        let missing: Vec<String> = expected.to.difference(&found.to).map(show).collect();
        let more: Vec<String> = found.to.difference(&expected.to).map(show).collect();
        Err(format!(
            "steps do not move with {permutation:?}\n  from {}\n  missing {missing:#?}\n  more {more:#?}\n  faults {:?} and {:?}",
            self.show(state),
            expected.faults,
            found.faults,
        ))
    }

    fn properties(&self, machine: &mut Interpreter<'s>, state: &[u64]) -> Result<(), String> {
        for property in &self.system.properties {
            let mut conditions = Vec::new();
            match &property.question {
                Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => {
                    conditions.push(it)
                }
                Question::Sequence(sequence) => conditions.extend(sequence.conditions()),
                Question::Automaton(_, atoms) => conditions.extend(atoms),
                _ => {}
            }
            for permutation in property.symmetry.neighbours(&self.system.types) {
                let moved = self.moved(&permutation, state);
                for &condition in &conditions {
                    let (here, there) = (machine.value(condition, state), machine.value(condition, &moved));
                    if here.ok() != there.ok() {
                        let (name, state) = (&property.name, self.show(state));
                        return Err(format!(
                            "{name} is {here:?} in {state}, and {there:?} moved by {permutation:?}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    fn show(&self, state: &[u64]) -> String {
        let leaves = self.system.leaves();
        let texts = self.system.show_state(&leaves, state);
        let parts = leaves.iter().zip(texts).map(|(leaf, text)| format!("{} = {text}", leaf.name));
        parts.collect::<Vec<_>>().join("; ")
    }
}
