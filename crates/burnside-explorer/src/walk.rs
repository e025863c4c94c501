//! Walks: the state at the end of a path, and the steps that lead on from it, by the model's machine.
//!
//! Entry point: [`Explorer::walk`]. A path is a list of numbers, which initial state and then which step in
//! the machine's order, so that a link reproduces it and nothing has to be kept; a few recent paths are, so
//! that going on from one of them takes one step.

use crate::explorer::{Explorer, lock};
use crate::response::Refusal;
use burnside_report::decode::TraceDecoder;
use burnside_report::{fault, json};
use burnside_trace::Step;
use burnside_ts::{Fault, Label, Machine, Outcome, Question};
use serde_json::{Map, Value, json};
use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;
use std::time::Instant;

/// So many steps, or initial states, are told at once,
const PAGE: usize = 200;
/// so many steps are counted,
const MOST_COUNTED: usize = 1_000_000;
/// and so many initial states.
const MOST_STARTS: usize = 100_000;
/// So many paths are kept.
const KEPT: usize = 64;
/// So many steps of a path are told.
const TRAIL: usize = 200;
/// The longest path.
const LONGEST: usize = 50_000;

/// A packed state.
type State = Box<[u64]>;

/// Recent paths, the latest last.
pub(crate) type Walks = VecDeque<(Vec<usize>, Place)>;

/// The end of a path.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    state: State,
    /// The state before.
    before: Option<State>,
    /// The last steps.
    trail: VecDeque<Step>,
}

impl Explorer {
    /// What is at the end of a path; without one, where paths can begin.
    pub(crate) fn walk(&self, path: Option<&str>, from: usize) -> Result<Value, Refusal> {
        match path.filter(|path| !path.is_empty()) {
            None => self.within(|| self.starts(from)),
            Some(path) => {
                let path = numbers(path)?;
                self.within(|| self.place(&path).map(|place| self.tell(&path, &place, from)))?
            }
        }
    }

    fn starts(&self, from: usize) -> Value {
        let decoder = TraceDecoder::new(&self.input.model);
        let mut states = Vec::new();
        let found = self.initial(self.hurry(), |index, state| {
            if index >= from && index - from < PAGE {
                states.push(json!({"index": index, "state": cells(&decoder, state)}));
            }
            ControlFlow::Continue(())
        });
        json!({
            "initial": states, "initial_total": found.count, "initial_more": found.is_cut,
            "fault": found.fault.map(|fault| self.describe(fault)),
        })
    }

    /// When counting ends, so that there is an answer in any case.
    fn hurry(&self) -> Option<Instant> {
        Instant::now().checked_add(self.bounds.time / 4)
    }

    /// Visits the different initial states with their numbers, until some time.
    fn initial(
        &self,
        end: Option<Instant>,
        mut visit: impl FnMut(usize, &[u64]) -> ControlFlow<()>,
    ) -> Starts {
        let mut found = Starts::default();
        let mut seen: HashSet<State> = HashSet::new();
        self.input.model.system.machine().initial(&mut |outcome| {
            match outcome {
                Outcome::Fault(fault) => _ = found.fault.get_or_insert(fault),
                Outcome::State(state) if seen.contains(state) => {}
                Outcome::State(state) => {
                    visit(found.count, state)?;
                    found.count += 1;
                    seen.insert(state.into());
                }
            }
            found.is_cut = found.count >= MOST_STARTS || is_late(end, found.count);
            if found.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// The end of a path, from the longest part of it that is known.
    fn place(&self, path: &[usize]) -> Result<Place, Refusal> {
        let known = lock(&self.walks)
            .iter()
            .filter(|(known, _)| path.starts_with(known))
            .max_by_key(|(known, _)| known.len())
            .cloned();
        let (taken, mut place) = match known {
            Some((known, place)) => (known.len(), place),
            None => (1, self.first(path[0])?),
        };
        let mut machine = self.input.model.system.machine();
        for (i, &number) in path.iter().enumerate().skip(taken) {
            let (step, state) = self
                .step(&mut *machine, &place.state, number)
                .map_err(|why| Refusal::new(404, format!("step {i} of the path does not exist: {why}")))?;
            place.before = Some(std::mem::replace(&mut place.state, state));
            if place.trail.len() == TRAIL {
                place.trail.pop_front();
            }
            place.trail.push_back(step);
        }
        let mut walks = lock(&self.walks);
        walks.retain(|(known, _)| known != path);
        if walks.len() == KEPT {
            walks.pop_front();
        }
        walks.push_back((path.to_vec(), place.clone()));
        Ok(place)
    }

    fn first(&self, number: usize) -> Result<Place, Refusal> {
        let mut first = None;
        let found = self.initial(None, |index, state| match index == number {
            true => {
                first = Some(Place { state: state.into(), before: None, trail: VecDeque::new() });
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        });
        first.ok_or_else(|| {
            let all = match found.count {
                0 => String::from("the model has none"),
                1 => String::from("there is only 0"),
                count => format!("there are {count}, numbered from 0"),
            };
            Refusal::new(404, format!("there is no initial state {number}: {all}"))
        })
    }

    /// The step of a state with a number, or why there is none.
    fn step(
        &self,
        machine: &mut dyn Machine<'_>,
        state: &[u64],
        number: usize,
    ) -> Result<(Step, State), String> {
        let (mut count, mut found) = (0, None);
        machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if count == number {
                found = Some(match outcome {
                    Outcome::State(state) => Ok((Step::from(label), state.into())),
                    Outcome::Fault(fault) => Err(format!("it faults: {}", self.describe(fault))),
                });
                return ControlFlow::Break(());
            }
            count += 1;
            ControlFlow::Continue(())
        });
        found.unwrap_or_else(|| Err(format!("the state has {count} steps, numbered from 0")))
    }

    fn tell(&self, path: &[usize], place: &Place, from: usize) -> Value {
        let decoder = TraceDecoder::new(&self.input.model);
        let mut machine = self.input.model.system.machine();
        let (mut enabled, mut total, mut is_cut, end) = (Vec::new(), 0, false, self.hurry());
        machine.successors(&place.state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if total >= from && enabled.len() < PAGE {
                enabled.push(self.enabled(&decoder, &place.state, total, label, outcome));
            }
            total += 1;
            is_cut = total >= MOST_COUNTED || enabled.len() == PAGE && is_late(end, total);
            if is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let changes =
            place.before.as_ref().map_or_else(Vec::new, |before| decoder.changes(before, &place.state));
        let trail: Vec<Value> = place.trail.iter().map(|step| json::step(&decoder.step(step))).collect();
        let outside = total == 0 && machine.is_outside(&place.state) == Ok(true);
        let count = || self.initial(self.hurry(), |_, _| ControlFlow::Continue(())).count;
        let initial_total = *self.initial_total.get_or_init(count);
        json!({
            "path": path,
            "state": cells(&decoder, &place.state),
            "step": trail.last(),
            "changes": changes.into_iter().map(|change| change.cell).collect::<Vec<_>>(),
            "trail": trail,
            "enabled": enabled,
            "enabled_total": total,
            "enabled_more": is_cut,
            "initial_total": initial_total,
            "deadlock": total == 0 && !outside,
            "outside": outside,
            "truths": self.truths(&mut *machine, &place.state),
        })
    }

    /// A step that can be taken, or at least looked at.
    fn enabled(
        &self,
        decoder: &TraceDecoder<'_>,
        state: &[u64],
        index: usize,
        label: Label<'_>,
        outcome: Outcome<'_>,
    ) -> Value {
        let mut document = json::step(&decoder.step(&Step::from(label)));
        let (changes, fault) = match outcome {
            Outcome::State(after) => (decoder.changes(state, after), None),
            Outcome::Fault(fault) => (Vec::new(), Some(self.describe(fault))),
        };
        let changes: Map<String, Value> =
            changes.into_iter().map(|change| (change.cell, json!(change.after))).collect();
        document["index"] = json!(index);
        document["changes"] = json!(changes);
        document["fault"] = json!(fault);
        document
    }

    /// The conditions that are asked about, in a state.
    fn truths<'s>(&'s self, machine: &mut dyn Machine<'s>, state: &[u64]) -> Value {
        let truths =
            self.input.model.system.properties.iter().filter_map(|property| match &property.question {
                Question::Invariant(condition) | Question::Reachable(condition) => {
                    Some((property.name.clone(), json!(machine.holds(condition, state).ok())))
                }
                _ => None,
            });
        json::object(truths)
    }

    /// A fault in words. A net has none of its own.
    fn describe(&self, fault: Fault) -> String {
        match self.input.model.net_limit(&fault) {
            Some(stop) => stop.to_string(),
            None => fault::describe(&self.input.model.system, fault),
        }
    }
}

/// Whether it is late, which is not looked at each time.
fn is_late(end: Option<Instant>, count: usize) -> bool {
    count.is_multiple_of(1024) && end.is_some_and(|end| Instant::now() > end)
}

/// What there is to say about the initial states.
#[derive(Default)]
struct Starts {
    count: usize,
    /// Whether there are more.
    is_cut: bool,
    fault: Option<Fault>,
}

/// A path, from its text: `0.3.1`.
fn numbers(path: &str) -> Result<Vec<usize>, Refusal> {
    let bad = || Refusal::new(400, "`path` is a list of numbers with dots between them");
    let number = |text: &str| {
        let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).ok_or_else(bad)
    };
    let path: Vec<usize> = path.split('.').map(number).collect::<Result<_, _>>()?;
    match path.len() > LONGEST {
        true => Err(Refusal::new(400, "the path is too long")),
        false => Ok(path),
    }
}

/// A state as an object.
fn cells(decoder: &TraceDecoder<'_>, state: &[u64]) -> Value {
    json::cells_part(decoder, state).value()
}
