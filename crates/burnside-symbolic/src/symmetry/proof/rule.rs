//! Whether initial states are moved to initial states, and the steps of a rule to steps.
//!
//! Entry points: [`initial`] and [`rule`]. What is wrong on all states at once is shown on a single state by
//! the interpreter before it counts; what the interpreter does not confirm, or what takes too many nodes, is
//! left open.

use super::Refutation;
use super::sample::{self, Sampler};
use super::stage::{OutcomeTable, Stage};
use crate::store::{Out, Set};
use burnside_limits::poll;
use burnside_ts::{Action, Permutation, RuleId};
use foldhash::HashMap;
use std::collections::hash_map::Entry;

/// What is known about a generator.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    Holds,
    Open(Unknowns),
    Refuted(Refutation),
}

/// What could not be settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknowns {
    pub initial: bool,
    pub rules: Vec<RuleId>,
}

impl Proof {
    /// Notes that nothing is known about a rule.
    fn leave_open(&mut self, rule: RuleId) {
        if let Proof::Holds = self {
            *self = Proof::Open(Unknowns::default());
        }
        if let Proof::Open(unknowns) = self {
            unknowns.rules.push(rule);
        }
    }
}

/// None if there was no room. Other limits end all of the work.
pub(super) fn within_room<T>(result: Out<T>) -> Option<T> {
    if result.as_ref().is_err_and(|stop| !stop.is_room()) {
        poll();
    }
    result.ok()
}

/// Whether initial states are moved to initial states.
pub(super) fn initial(action: &Action<'_>, permutation: &Permutation) -> Proof {
    match sample::initial(action, permutation) {
        Some(None) => return Proof::Holds,
        Some(Some(example)) => return Proof::Refuted(Refutation { rule: None, example }),
        None => {}
    }
    let difference = || {
        let stage = Stage::new(action.system(), None)?;
        let initial = stage.initial()?;
        stage.moved(action, permutation)?.instance(&initial, Some(&initial))
    };
    match within_room(difference()) {
        Some(None) => Proof::Holds,
        _ => Proof::Open(Unknowns { initial: true, rules: Vec::new() }),
    }
}

/// Looks at one rule for several generators, except those that are refuted already.
pub(super) fn rule(action: &Action<'_>, id: RuleId, permutations: &[Permutation], proofs: &mut [Proof]) {
    let stage = within_room(Stage::new(action.system(), Some(id)));
    let own = stage.as_ref().and_then(|stage| Some((id, within_room(stage.outcomes(id))?)));
    let ran = own.is_some();
    let mut outcomes: HashMap<RuleId, OutcomeTable> = own.into_iter().collect();
    for (permutation, proof) in permutations.iter().zip(proofs) {
        if matches!(proof, Proof::Refuted(_)) {
            continue;
        }
        let wrong = stage.as_ref().filter(|_| ran).and_then(|stage| {
            stage.store.collect();
            within_room(difference(stage, action, (id, permutation), &mut outcomes))
        });
        let Some(wrong) = wrong else {
            proof.leave_open(id);
            continue;
        };
        let Some(wrong) = wrong else { continue };
        let state = stage.as_ref().and_then(|stage| example(stage, action, permutation, &wrong));
        match state.and_then(|state| confirmed(action, id, permutation, &state)) {
            Some(refutation) => *proof = Proof::Refuted(refutation),
            None => proof.leave_open(id),
        }
    }
}

/// Where a generator moves a step of a rule to what is no step.
fn difference<'s>(
    stage: &Stage<'s>,
    action: &Action<'s>,
    (id, permutation): (RuleId, &Permutation),
    outcomes: &mut HashMap<RuleId, OutcomeTable>,
) -> Out<Option<Set>> {
    let image = action.rule(permutation, id);
    if let Entry::Vacant(entry) = outcomes.entry(image) {
        entry.insert(stage.outcomes(image)?);
    }
    let (here, there) = (&outcomes[&id], &outcomes[&image]);
    let moved = stage.moved(action, permutation)?;
    match moved.fault_difference(id, here, there)? {
        Some(wrong) => Ok(Some(wrong)),
        None => moved.difference(here, there),
    }
}

/// A state of a set, if possible one whose moved state has the least values.
fn example<'s>(
    stage: &Stage<'s>,
    action: &Action<'s>,
    permutation: &Permutation,
    states: &Set,
) -> Option<Vec<u64>> {
    let back = permutation.inverse();
    let images = || stage.moved(action, &back)?.pulled_back(states)?.and(&stage.proper);
    match within_room(images()).and_then(|images| stage.pick(&images)) {
        Some(image) => Some(sample::moved(action, &back, &image)),
        None => stage.pick(states).map(Vec::from),
    }
}

/// A difference that the interpreter sees.
fn confirmed(
    action: &Action<'_>,
    id: RuleId,
    permutation: &Permutation,
    state: &[u64],
) -> Option<Refutation> {
    let mut sampler = Sampler::new(action, permutation);
    match action.rule(permutation, id) == id {
        true => sampler.difference_in(state, |rule| rule == id).flatten(),
        false => sampler.difference(state).flatten(),
    }
}
