//! Single states, by the interpreter: what a state's steps are, and whether the moved state's steps are the
//! moved steps.
//!
//! Entry points: [`Sampler::difference`] for one state, [`everywhere`] for all states of the right types if
//! there are few, [`along_runs`] for some states that can be reached, [`initial`] for the initial states.

use super::Refutation;
use burnside_ts::{
    Action, AnyMachine, Domain, Label, Outcome, Permutation, Place, Root, RuleId, Stmt, System, Target, Type,
    TypeId, Types, Walk, bits,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A system with more states of the right types than this is not tried on all of them.
const ALL_STATES: u64 = 1 << 18;
/// More initial states than this are not listed.
const INITIAL_STATES: usize = 1 << 16;
/// A state with more steps than this is not looked at.
const STEPS: usize = 1 << 14;
/// Random runs, and the length of each.
const RUNS: u64 = 24;
const LENGTH: u64 = 40;

/// A step: its rule, its arguments and where it leads, nowhere if it faults.
pub(super) type SampledStep = (u32, Vec<u64>, Option<Vec<u64>>);

/// Compares the steps of states with those of the moved states.
pub(super) struct Sampler<'a, 's> {
    action: &'a Action<'s>,
    permutation: &'a Permutation,
    machine: AnyMachine<'s>,
}

impl<'a, 's> Sampler<'a, 's> {
    pub fn new(action: &'a Action<'s>, permutation: &'a Permutation) -> Self {
        Self { action, permutation, machine: action.system().machine() }
    }

    /// How the steps of a state and of the moved state differ, if they do; `None` if there are too many.
    pub fn difference(&mut self, state: &[u64]) -> Option<Option<Refutation>> {
        self.difference_in(state, |_| true)
    }

    /// The same, of some rules only, which the permutation does not move.
    pub fn difference_in(
        &mut self,
        state: &[u64],
        wanted: impl Fn(RuleId) -> bool,
    ) -> Option<Option<Refutation>> {
        let image = moved(self.action, self.permutation, state);
        let (mut steps, mut there) = (self.steps(state)?, self.steps(&image)?);
        steps.retain(|step| wanted(RuleId(step.0)));
        there.retain(|step| wanted(RuleId(step.0)));
        let here: BTreeMap<SampledStep, SampledStep> =
            steps.into_iter().map(|step| (self.moved(&step), step)).collect();
        if let Some((image_step, step)) = here.iter().find(|(step, _)| !there.contains(step)) {
            return Some(Some(self.describe((state, step), (&image, image_step))));
        }
        let back = self.permutation.inverse();
        let Some(missing) = there.into_iter().find(|step| !here.contains_key(step)) else {
            return Some(None);
        };
        let own =
            Sampler { action: self.action, permutation: &back, machine: self.action.system().machine() };
        let original = own.moved(&missing);
        Some(Some(self.describe((&image, &missing), (state, &original))))
    }

    /// The steps of a state, unless there are too many. A fault before all arguments are known has only those
    /// that are.
    pub fn steps(&mut self, state: &[u64]) -> Option<Vec<SampledStep>> {
        let system = self.action.system();
        let mut steps = Vec::new();
        self.machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            let mut args = label.args.to_vec();
            let target = match outcome {
                Outcome::State(target) => Some(target.to_vec()),
                Outcome::Fault(_) => {
                    args.truncate(known_arguments(system, label.rule));
                    None
                }
            };
            steps.push((label.rule.0, args, target));
            if steps.len() <= STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        Some(steps).filter(|steps| steps.len() <= STEPS)
    }

    fn moved(&self, (rule, args, target): &SampledStep) -> SampledStep {
        let id = RuleId(*rule);
        let mut whole = args.clone();
        whole.resize(self.action.system().rule(id).args.len(), 0);
        let mut image = vec![0; whole.len()];
        let id = self.action.label(self.permutation, id, &whole, &mut image);
        image.truncate(args.len());
        (id.0, image, target.as_ref().map(|target| moved(self.action, self.permutation, target)))
    }

    fn describe(
        &self,
        (state, step): (&[u64], &SampledStep),
        (image, moved): (&[u64], &SampledStep),
    ) -> Refutation {
        let system = self.action.system();
        let (one, two) = (show_label(system, step), show_label(system, moved));
        let (here, there) = (show(system, state), show(system, image));
        let (does, does_not) = match (&step.2, &moved.2) {
            (Some(target), Some(expected)) => (
                format!("gives {}", show_changes(system, state, target)),
                format!("does not give {}", show_changes(system, image, expected)),
            ),
            _ => ("faults".to_string(), "does not fault".to_string()),
        };
        let example = format!("where {here}, `{one}` {does}; but where {there}, `{two}` {does_not}");
        Refutation { rule: Some(RuleId(step.0)), example }
    }
}

/// How many words of the arguments are before the first that comes from a collection.
pub(super) fn known_arguments(system: &System, rule: RuleId) -> usize {
    let rule = system.rule(rule);
    let from = |param: &burnside_ts::Param| match param.binder.target {
        Target::Scalar(slot) => slot.index(),
        Target::Wide(bit) => bit as usize / 64,
    };
    let first = rule.params.iter().find(|param| matches!(param.binder.domain, Domain::Collection(_)));
    first.map_or(rule.args.len(), |param| from(param) - rule.args.start)
}

/// The moved state.
pub(super) fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

fn show_label(system: &System, (rule, args, _): &SampledStep) -> String {
    let mut whole = args.clone();
    whole.resize(system.rule(RuleId(*rule)).args.len(), 0);
    system.show_label(Label { rule: RuleId(*rule), args: &whole })
}

/// A state; of a large one, what is not at its least value.
fn show(system: &System, state: &[u64]) -> String {
    let leaves = system.leaves();
    let least = system.show_state(&leaves, &vec![0; state.len()]);
    let texts = system.show_state(&leaves, state);
    match texts.iter().zip(&least).filter(|(text, least)| text != least).count() {
        _ if leaves.len() <= 4 => show_some(system, state, |_| true),
        0 => "everything has its least value".to_string(),
        count if count == leaves.len() => show_some(system, state, |_| true),
        _ => format!("{} (and the rest is least)", show_some(system, state, |i| texts[i] != least[i])),
    }
}

/// What is different in a state from what it was before.
fn show_changes(system: &System, before: &[u64], state: &[u64]) -> String {
    let leaves = system.leaves();
    let old = system.show_state(&leaves, before);
    let new = system.show_state(&leaves, state);
    match old == new {
        true => "the same state".to_string(),
        false => show_some(system, state, |i| old[i] != new[i]),
    }
}

fn show_some(system: &System, state: &[u64], wanted: impl Fn(usize) -> bool) -> String {
    let leaves = system.leaves();
    let texts = system.show_state(&leaves, state);
    let parts = leaves.iter().zip(texts).enumerate().filter(|&(i, _)| wanted(i));
    let all: Vec<String> = parts.map(|(_, (leaf, text))| format!("{} = {text}", leaf.name)).collect();
    let shown = all.len().min(12);
    let rest = if all.len() > shown { ", …" } else { "" };
    format!("{}{rest}", all[..shown].join(", "))
}

/// Whether initial states are moved to initial states: `None` if there are too many, else an example of one
/// that is not.
pub(super) fn initial(action: &Action<'_>, permutation: &Permutation) -> Option<Option<String>> {
    let system = action.system();
    let mut all = std::collections::BTreeSet::new();
    let mut visited = 0;
    let walk = system.machine().initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            all.insert(state.to_vec());
        }
        visited += 1;
        if visited > INITIAL_STATES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if walk != Walk::Complete {
        return None;
    }
    let strange = all.iter().find(|state| !all.contains(&moved(action, permutation, state)));
    Some(strange.map(|state| {
        let image = moved(action, permutation, state);
        format!(
            "the state with {} is initial, the one with {} is not",
            show(system, state),
            show(system, &image)
        )
    }))
}

/// Looks at all states of the right types: `None` if there are too many, else a difference if there is one.
pub(super) fn everywhere(action: &Action<'_>, permutation: &Permutation) -> Option<Option<Refutation>> {
    let system = action.system();
    let states = each_state_count(system)?;
    let per_state = |rule: &burnside_ts::Rule| {
        rule.params.iter().map(|param| count(&system.types, param.binder.ty)).fold(1u64, u64::saturating_mul)
    };
    let instances: u64 = system.rules.iter().map(per_state).fold(0, u64::saturating_add);
    if states.saturating_mul(instances) > ALL_STATES * 8 {
        return None;
    }
    let mut sampler = Sampler::new(action, permutation);
    let mut found = Some(None);
    each_state(system, &mut |state| {
        found = sampler.difference(state);
        if found == Some(None) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found
}

/// How many states of the right types there are, unless there are too many.
pub(super) fn each_state_count(system: &System) -> Option<u64> {
    let states = system.vars.iter().map(|var| count(&system.types, var.ty)).fold(1, u64::saturating_mul);
    (states <= ALL_STATES).then_some(states)
}

/// Visits all states of the right types.
pub(super) fn each_state(system: &System, visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>) {
    let choose = |var: &burnside_ts::Var| {
        let (width, bias) = (system.types.width(var.ty), system.types.bias(var.ty));
        Stmt::Choose(
            Place { root: Root::State, offset: var.offset, indices: Box::new([]), width, bias },
            var.ty,
        )
    };
    let any = System { init: system.vars.iter().map(choose).collect(), ..system.clone() };
    any.machine().initial(&mut |outcome| match outcome {
        Outcome::State(state) => visit(state),
        Outcome::Fault(_) => ControlFlow::Continue(()),
    });
}

/// How many values a type has (of bags, not less than there are).
fn count(types: &Types, ty: TypeId) -> u64 {
    if let Some(size) = types.size(ty) {
        return size;
    }
    let power = |base: u64, times: u64| (0..times).fold(1u64, |n, _| n.saturating_mul(base));
    match *types.get(ty) {
        Type::Option(inner) => count(types, inner).saturating_add(1),
        Type::Record(id) => {
            types.record(id).fields.iter().fold(1, |n, field| n.saturating_mul(count(types, field.ty)))
        }
        Type::Array { index, element } => power(count(types, element), count(types, index).min(64)),
        Type::Queue { capacity, element } | Type::Bag { capacity, element } => (0..=u64::from(capacity))
            .map(|length| power(count(types, element), length))
            .fold(0, u64::saturating_add),
        _ => u64::MAX,
    }
}

/// Looks at states along some random runs.
pub(super) fn along_runs(action: &Action<'_>, permutation: &Permutation) -> Option<Refutation> {
    let system = action.system();
    let mut starts = Vec::new();
    system.machine().initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            starts.push(state.to_vec());
        }
        if starts.len() < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut sampler = Sampler::new(action, permutation);
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % below.max(1)
    };
    for run in 0..RUNS {
        let mut state = starts.get(run as usize % starts.len().max(1)).cloned()?;
        for _ in 0..LENGTH {
            if let Some(refutation) = sampler.difference(&state).flatten() {
                return Some(refutation);
            }
            let steps = sampler.steps(&state).unwrap_or_default();
            let mut next: Vec<Vec<u64>> = steps.into_iter().filter_map(|(_, _, target)| target).collect();
            if next.is_empty() {
                break;
            }
            state = next.swap_remove(random(next.len()));
        }
    }
    None
}
