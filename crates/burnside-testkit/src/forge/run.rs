//! Altered runs: single states and steps changed, parts left out or repeated, other ends, other real runs.

use crate::generate::Rng;
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Interpreter, Label, Machine, Outcome, RuleId, System};
use std::ops::ControlFlow;

/// So many real runs are there to borrow from.
const RUNS: usize = 16;
/// They have so many states at most.
const LONGEST: usize = 10;

/// What a forger has at hand: real runs, with their states and steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Material {
    pub runs: Vec<Evidence>,
    pub states: Vec<Box<[u64]>>,
    steps: Vec<Step>,
}

impl Material {
    /// Walks through a system at random.
    pub fn collect(system: &System, rng: &mut Rng) -> Self {
        let mut material = Self::default();
        let mut machine = Interpreter::new(system);
        let mut initial = Vec::new();
        machine.initial(&mut |outcome| {
            if let Outcome::State(state) = outcome {
                initial.push(Box::<[u64]>::from(state));
            }
            if initial.len() < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if initial.is_empty() {
            initial.push(vec![0; system.words()].into());
        }
        for _ in 0..RUNS {
            let first = rng.pick(&initial).clone();
            let run = walk(&mut machine, rng, first);
            material.states.extend(run.states.iter().cloned());
            material.steps.extend(run.steps.iter().cloned());
            material.runs.push(run);
        }
        if material.steps.is_empty() {
            material.steps.push(Step { rule: RuleId(0), args: Box::new([]) });
        }
        material
    }
}

/// A real run: to a state that was there before, to a deadlock, or just so far.
fn walk(machine: &mut Interpreter<'_>, rng: &mut Rng, first: Box<[u64]>) -> Evidence {
    let mut run = Evidence { states: vec![first], steps: Vec::new(), end: End::State };
    while run.states.len() < LONGEST {
        let from = run.states[run.states.len() - 1].clone();
        let (mut moves, mut faults) = (Vec::new(), false);
        machine.successors(&from, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            match outcome {
                Outcome::State(state) => moves.push((Step::from(label), Box::<[u64]>::from(state))),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        if moves.is_empty() {
            run.end = if faults { End::State } else { End::Stutter };
            return run;
        }
        let (step, state) = moves.swap_remove(rng.below(moves.len()));
        run.steps.push(step);
        if let Some(back) = run.states.iter().position(|known| *known == state)
            && rng.chance(60)
        {
            run.end = End::Loop(back);
            return run;
        }
        run.states.push(state);
    }
    run
}

/// Alters a run a little, or altogether.
pub(super) fn alter(rng: &mut Rng, material: &Material, run: &mut Evidence) {
    let length = run.states.len();
    if length == 0 {
        *run = rng.pick(&material.runs).clone();
        return;
    }
    let at = rng.below(length);
    match rng.below(13) {
        0 => {
            let words = run.states[at].len();
            if words > 0 {
                run.states[at][rng.below(words)] ^= 1 << rng.below(64);
            }
        }
        1 => run.states[at] = rng.pick(&material.states).clone(),
        2 => run.states.swap(at, rng.below(length)),
        3 => {
            run.states.remove(at);
            if at < run.steps.len() && rng.chance(70) {
                run.steps.remove(at);
            }
        }
        4 => {
            run.states.insert(at, run.states[at].clone());
            if at < run.steps.len() && rng.chance(70) {
                run.steps.insert(at, run.steps[at].clone());
            }
        }
        5 if at < run.steps.len() => run.steps[at] = rng.pick(&material.steps).clone(),
        6 if at < run.steps.len() => alter_step(rng, &mut run.steps[at]),
        7 if at < run.steps.len() => drop(run.steps.remove(at)),
        8 => run.end = End::Loop(rng.below(length + 1)),
        9 => run.end = if rng.chance(50) { End::State } else { End::Stutter },
        10 => {
            run.states.truncate(at + 1);
            run.steps.truncate(at + rng.below(2));
        }
        11 => unroll(run),
        _ => *run = rng.pick(&material.runs).clone(),
    }
}

fn alter_step(rng: &mut Rng, step: &mut Step) {
    match step.args.len() {
        0 => step.rule = RuleId(rng.below(4) as u32),
        words => {
            let at = rng.below(words);
            step.args[at] = step.args[at].wrapping_add(1 + rng.below(3) as u64);
        }
    }
}

/// Goes around once before the loop begins: the same run.
fn unroll(run: &mut Evidence) {
    if let End::Loop(start) = run.end
        && start < run.states.len()
        && run.steps.len() == run.states.len()
        && run.states.len() < 4 * LONGEST
    {
        let length = run.states.len();
        run.states.extend_from_within(start..);
        run.steps.extend_from_within(start..);
        run.end = End::Loop(length);
    }
}
