//! Whether a model treats all members alike: what it does in a permuted state must be what it does in the
//! state, permuted.
//!
//! Entry points: [`initial`], which looks at all initial states, and [`EquivarianceCheck`], which looks at
//! some of the states that a search comes by, with random permutations. A proof is not possible for closures;
//! what is found ends the check as `unknown`, and says what the model does differently.

use crate::lower::Initial;
use crate::machine::Stepper;
use crate::model::RustModel;
use burnside_limits::{Stop, give_up};
use burnside_ts::{
    Action, Foreign, Label, Outcome, Permutation, RuleId, SortGroup, SortId, StepFilter, System, bits,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The first so many states and conditions are looked at, and after that one of so many.
const ALL: u64 = 256;
const SELDOM: u64 = 32;

/// With so many permutations each of the first so many, since a small model has no more.
const CAREFULLY: (u64, u64) = (6, 64);

/// A permuted state, without spare words.
fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let from = [state, &[0; bits::SPARE]].concat();
    let mut to = vec![0; from.len()];
    action.state(permutation, &from, &mut to);
    to.truncate(state.len());
    to
}

/// Says which initial state is missing, if a permutation of one is none.
pub(crate) fn initial(system: &System, states: &[Initial]) -> Result<(), String> {
    let action = Action::new(system);
    let known: HashSet<&[u64]> = states.iter().flatten().map(|state| &**state).collect();
    for permutation in system.symmetry.neighbours(&system.types) {
        for state in states.iter().flatten() {
            let image = moved(&action, &permutation, state);
            if !known.contains(&*image) {
                let cells = |state: &[u64]| system.show_state(&system.leaves(), state).join(", ");
                return Err(format!(
                    "the initial states are not symmetric: there is ({}), but not ({})",
                    cells(state),
                    cells(&image)
                ));
            }
        }
    }
    Ok(())
}

/// A step as data: rule, arguments, and the state that it leads to; none if it faults.
type Step = (RuleId, Vec<u64>, Option<Vec<u64>>);

/// Looks at some states.
pub(crate) struct EquivarianceCheck<'s> {
    system: &'s System,
    action: Action<'s>,
    /// How many states were come by, and how many of each condition.
    states: u64,
    conditions: Vec<u64>,
    random: u64,
}

/// Counts, and says with how many permutations it is time to look.
fn looks(seen: &mut u64) -> u64 {
    *seen += 1;
    match *seen {
        seen if seen <= CAREFULLY.1 => CAREFULLY.0,
        seen if seen <= ALL || seen.is_multiple_of(SELDOM) => 1,
        _ => 0,
    }
}

impl<'s> EquivarianceCheck<'s> {
    pub fn new(system: &'s System) -> Self {
        let (states, conditions) = (0, Vec::new());
        Self { system, action: Action::new(system), states, conditions, random: 0x9e37_79b9_7f4a_7c15 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as usize % bound.max(1)
    }

    /// Some permutation that the system is said to allow, and if there are others not the identity.
    fn permutation(&mut self) -> Permutation {
        const TRIES: u32 = 16;
        let mut drawn = self.draw();
        for _ in 0..TRIES {
            if !drawn.is_identity() {
                break;
            }
            drawn = self.draw();
        }
        drawn
    }

    fn draw(&mut self) -> Permutation {
        let system = self.system;
        let mut permutation = Permutation::identity(&system.types);
        for (sort, group) in system.symmetry.sorts.iter().enumerate() {
            match group {
                SortGroup::Full(blocks) => {
                    for block in blocks {
                        for i in (1..block.len()).rev() {
                            let j = self.below(i + 1);
                            permutation.images[sort].swap(block[i] as usize, block[j] as usize);
                        }
                    }
                }
                SortGroup::Rotations => {
                    let by = self.below(permutation.images[sort].len());
                    permutation.images[sort].rotate_left(by);
                }
                SortGroup::Fixed => {}
            }
        }
        permutation
    }

    /// Compares the steps of a state with those of permuted ones, if it is time to.
    pub fn steps<M: RustModel>(&mut self, stepper: &mut Stepper<'_, M>, state: &[u64]) {
        for _ in 0..looks(&mut self.states) {
            self.permuted_steps(stepper, state);
        }
    }

    fn permuted_steps<M: RustModel>(&mut self, stepper: &mut Stepper<'_, M>, state: &[u64]) {
        let permutation = self.permutation();
        if permutation.is_identity() {
            return;
        }
        let mut here = self.list(stepper, state);
        for (rule, args, target) in
            here.iter_mut().filter(|(_, args, target)| target.is_some() || !args.is_empty())
        {
            let before = args.clone();
            *rule = self.action.label(&permutation, *rule, &before, args);
            *target = target.take().map(|state| moved(&self.action, &permutation, &state));
        }
        let mut there = self.list(stepper, &moved(&self.action, &permutation, state));
        here.sort();
        there.sort();
        if here != there {
            let other = |step: &&Step| !there.contains(step);
            let one = here.iter().find(other).or_else(|| there.iter().find(|step| !here.contains(step)));
            let rule = one.map_or(RuleId(0), |step| step.0);
            self.refute(&format!("`{}`", self.system.show_rule(rule)), state);
        }
    }

    fn list<M: RustModel>(&self, stepper: &mut Stepper<'_, M>, state: &[u64]) -> Vec<Step> {
        let mut steps = Vec::new();
        let blamed = stepper.blamed();
        stepper.walk(self.system, state, StepFilter::All, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            let step = match outcome {
                Outcome::State(state) => (label.rule, label.args.to_vec(), Some(state.to_vec())),
                // It has no arguments that would move.
                Outcome::Fault(fault) if fault.site == blamed => (label.rule, Vec::new(), None),
                Outcome::Fault(_) => (label.rule, label.args.to_vec(), None),
            };
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    /// Compares a condition in a state with it in permuted ones, if it is time to. Each is counted by itself:
    /// with one count for all, the same few would be looked at again and again.
    pub fn condition(&mut self, code: &dyn Foreign, asked: (u32, &[SortId], &[i64]), state: &[u64]) {
        let i = asked.0 as usize;
        if self.conditions.len() <= i {
            self.conditions.resize(i + 1, 0);
        }
        for _ in 0..looks(&mut self.conditions[i]) {
            self.permuted_condition(code, asked, state);
        }
    }

    fn permuted_condition(
        &mut self,
        code: &dyn Foreign,
        (condition, sorts, args): (u32, &[SortId], &[i64]),
        state: &[u64],
    ) {
        let permutation = self.permutation();
        let image_of = |(&sort, &arg): (&SortId, &i64)| i64::from(permutation.image(sort, arg as u32));
        let images: Vec<i64> = sorts.iter().zip(args).map(image_of).collect();
        let spare = |state: &[u64]| [state, &[0; bits::SPARE]].concat();
        let image = moved(&self.action, &permutation, state);
        if code.value(condition, args, &spare(state)) != code.value(condition, &images, &spare(&image)) {
            self.refute("a condition of a property", state);
        }
    }

    #[cold]
    fn refute(&self, what: &str, state: &[u64]) -> ! {
        let system = self.system;
        let cells: Vec<String> = system
            .leaves()
            .iter()
            .zip(system.show_state(&system.leaves(), state))
            .map(|(leaf, value)| format!("{} = {value}", leaf.name))
            .collect();
        give_up(Stop::Unverified(format!(
            "the model does not treat all members alike: {what} does something else if members are \
             exchanged in the state {}",
            cells.join(", ")
        )))
    }
}
