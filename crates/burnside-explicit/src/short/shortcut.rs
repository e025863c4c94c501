//! Lassos that are shorter as runs of states than as walks through the product: the automaton may need
//! several rounds of a loop of states, or notice some steps late what is so from the start.
//!
//! Entry points: [`cut`], which cuts a run where it comes to a state for the second time, and [`tried`],
//! which tries the shortest lassos of the system one after the other. Each candidate is judged as a whole,
//! by a replay, so only short runs are tried, and not too often.

use super::Work;
use super::states::{OriginalGraph, StateNumber};
use burnside_trace::{End, Evidence, Step};

/// Longer runs are left as they are.
const LONGEST: usize = 200;
/// So many cuts are tried.
const MOST_TRIES: usize = 400;

/// A shorter run of the same states that is right, if there is one.
pub(super) fn cut(run: &Evidence, is_right: &dyn Fn(&Evidence) -> bool) -> Option<Evidence> {
    let mut best: Option<Evidence> = None;
    let mut tries = 0;
    loop {
        let known = best.as_ref().unwrap_or(run);
        if known.steps.len() > LONGEST {
            return best;
        }
        let mut candidates = cuts(known);
        candidates.sort_by_key(|run| run.steps.len());
        candidates.truncate(MOST_TRIES - tries);
        let found = candidates.into_iter().find(|candidate| {
            tries += 1;
            is_right(candidate)
        });
        match found {
            Some(shorter) => best = Some(shorter),
            None => return best,
        }
    }
}

/// The shortest lasso of the system that is right, if there is one with less than half of so many steps
/// among the first that there are.
pub(super) fn tried(
    graph: &mut OriginalGraph<'_>,
    initial: &[StateNumber],
    known: usize,
    is_right: &dyn Fn(&Evidence) -> bool,
) -> Option<Evidence> {
    let mut trial = Trial { graph, is_right, tries: 0, work: Work::new(MOST_MOVES) };
    for length in (0..).take_while(|length| 2 * length < known) {
        for &state in initial {
            match trial.from(&mut vec![state], &mut Vec::new(), length) {
                Tried::Found(run) => return Some(run),
                Tried::Nothing => {}
                Tried::TooMuch => return None,
            }
        }
    }
    None
}

/// So many moves are looked at.
const MOST_MOVES: u64 = 50_000;

struct Trial<'t, 's> {
    graph: &'t mut OriginalGraph<'s>,
    is_right: &'t dyn Fn(&Evidence) -> bool,
    tries: usize,
    work: Work,
}

enum Tried {
    Found(Evidence),
    Nothing,
    TooMuch,
}

impl Trial<'_, '_> {
    /// Tries all lassos that go on with so many steps.
    fn from(&mut self, states: &mut Vec<StateNumber>, steps: &mut Vec<Step>, left: usize) -> Tried {
        let here = states[states.len() - 1];
        let Some(moves) = self.graph.moves(here, &mut self.work) else { return Tried::TooMuch };
        if left == 0 {
            return if moves.is_dead { self.judge(states, steps, End::Stutter) } else { Tried::Nothing };
        }
        for &(target, label) in &moves.edges {
            if !self.work.spend(1) {
                return Tried::TooMuch;
            }
            steps.push(self.graph.instance(label).step.clone());
            let seen = states.iter().position(|state| *state == target);
            let found = match (left, seen) {
                (1, Some(start)) => self.judge(states, steps, End::Loop(start)),
                _ => {
                    states.push(target);
                    let found = self.from(states, steps, left - 1);
                    states.pop();
                    found
                }
            };
            steps.pop();
            if !matches!(found, Tried::Nothing) {
                return found;
            }
        }
        Tried::Nothing
    }

    fn judge(&mut self, states: &[StateNumber], steps: &[Step], end: End) -> Tried {
        self.tries += 1;
        if self.tries > MOST_TRIES {
            return Tried::TooMuch;
        }
        let states = states.iter().map(|&state| (**self.graph.state(state)).into()).collect();
        let run = Evidence { states, steps: steps.to_vec(), end };
        if (self.is_right)(&run) { Tried::Found(run) } else { Tried::Nothing }
    }
}

/// The runs that leave out what lies between two visits of one state, or go around from the second to the
/// first.
fn cuts(run: &Evidence) -> Vec<Evidence> {
    let End::Loop(start) = run.end else { return Vec::new() };
    let length = run.steps.len();
    let state = |i: usize| &run.states[if i == length { start } else { i }];
    let mut found = Vec::new();
    for i in 0..length {
        for j in i + 1..=length {
            if state(i) != state(j) || (i, j) == (start, length) {
                continue;
            }
            let end = End::Loop(i);
            found.push(Evidence { states: run.states[..j].to_vec(), steps: run.steps[..j].to_vec(), end });
            // Where the loop begins must not be cut out.
            if j <= start || start <= i && j < length {
                let start = if j <= start { start - (j - i) } else { start };
                let states = [&run.states[..i], &run.states[j..]].concat();
                let steps = [&run.steps[..i], &run.steps[j..]].concat();
                found.push(Evidence { states, steps, end: End::Loop(start) });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_trace::Step;
    use burnside_ts::RuleId;

    fn run(states: &[u64], start: usize) -> Evidence {
        let step = |i: usize| Step { rule: RuleId(i as u32), args: Box::from([]) };
        Evidence {
            states: states.iter().map(|&state| Box::from([state])).collect(),
            steps: (0..states.len()).map(step).collect(),
            end: End::Loop(start),
        }
    }

    fn told(run: &Evidence) -> (Vec<u64>, usize) {
        (run.states.iter().map(|state| state[0]).collect(), run.loop_start().unwrap())
    }

    #[test]
    fn cuts_are_found_and_judged() {
        let walk = run(&[0, 1, 0, 1, 2, 3, 2, 4], 4);
        let any = cut(&walk, &|_| true).unwrap();
        assert_eq!(told(&any), (vec![0, 1], 0));
        let with_four = |run: &Evidence| told(run).0[run.loop_start().unwrap()..].contains(&4);
        assert_eq!(told(&cut(&walk, &with_four).unwrap()), (vec![0, 1, 2, 4], 2));
        assert_eq!(cut(&walk, &|_| false), None);
        assert_eq!(cut(&run(&[0, 1, 2], 1), &|_| true), None);
    }

    #[test]
    fn a_loop_is_not_walked_twice() {
        let twice = run(&[0, 1, 2, 1, 2], 1);
        assert_eq!(told(&cut(&twice, &|_| true).unwrap()), (vec![0, 1, 2], 1));
    }
}
