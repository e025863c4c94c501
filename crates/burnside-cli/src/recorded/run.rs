//! A recorded run: its parts as they come in the file, walked in the model while its states are read.
//!
//! Entry points: [`RunParts::member`] for each key, [`RunParts::finish`] for the run. A finite run is
//! replayed and forgotten; an infinite one, and one in a tree, is kept as [`Evidence`]. Where the keys come
//! in another order than `check` writes them, the states are put aside until all is known that they need.

use crate::exit::Failure;
use crate::output::plural;
use crate::recorded::steps::{Steps, read_step};
use crate::recorded::walker::{RecordedState, Walker};
use crate::recorded::{Raw, Stream, has_keys};
use burnside_report::decode::DecodedStep;
use burnside_report::fault;
use burnside_report::json;
use burnside_trace::{Claim, End, Evidence, Replay, explain};
use burnside_ts::Fault;
use serde_json::Value;

/// What a run should be.
#[derive(Clone, Copy)]
pub struct Expected<'w, 's> {
    /// Finds it.
    pub walker: &'w Walker<'s>,
    /// Where it starts; in an initial state if nothing is said.
    pub start: Option<&'w [u64]>,
    /// What it is said to show. Nothing by itself if it is in a tree.
    pub claimed: Option<Claim<'s>>,
}

/// A run that was found in the model.
pub struct Run<'s> {
    /// It, at its last state.
    pub path: Replay<'s>,
    /// All of it, if it was kept.
    pub kept: Option<Evidence>,
    /// Its end.
    pub end: End,
    steps: usize,
}

impl Run<'_> {
    /// Its length, in words.
    pub fn shown_length(&self) -> String {
        let tried = usize::from(matches!(self.end, End::Fault(Some(_), _)));
        let steps = plural((self.steps + tried) as u64, "step", "steps");
        match self.end {
            End::Loop(0) => format!("{steps}, for ever"),
            End::Loop(start) => format!("{steps}, those after step {start} for ever"),
            End::Stutter => format!("{steps}, then nothing for ever"),
            End::State | End::Fault(..) | End::Undefined(_) => steps,
        }
    }
}

/// The parts of a run that have been read.
#[derive(Default)]
pub struct RunParts<'s> {
    kind: Option<Value>,
    loop_start: Option<Value>,
    validated: Option<Value>,
    stutter: Option<Value>,
    fairness: Option<Value>,
    steps: Option<Steps>,
    walk: Option<Walk<'s>>,
    states: Option<Raw>,
    fault: Option<Value>,
}

/// A run up to some state.
struct Walk<'s> {
    path: Replay<'s>,
    kept: Option<Evidence>,
    steps: Steps,
    wanted: RecordedState,
    states: usize,
    /// Why it is not a run of the model.
    problem: Option<String>,
}

impl<'s> RunParts<'s> {
    /// What kind of evidence it is, if that is known.
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_ref()?.as_str()
    }

    /// Whether these are just the parts that a tree has too.
    pub fn is_of_tree(&self) -> bool {
        let Self { kind: _, loop_start, validated, stutter, fairness, steps, walk, states, fault } = self;
        (loop_start, validated) == (&Some(Value::Null), &Some(Value::Bool(true)))
            && stutter.is_none()
            && fairness.is_none()
            && steps.is_none()
            && walk.is_none()
            && states.is_none()
            && fault.is_none()
    }

    /// Reads the value of a key. Tells whether it is one of a run.
    pub fn member(
        &mut self,
        stream: &mut Stream<'_>,
        key: &str,
        expected: Expected<'_, 's>,
    ) -> Result<bool, Failure> {
        let slot = match key {
            "kind" => &mut self.kind,
            "loop_start" => &mut self.loop_start,
            "validated" => &mut self.validated,
            "stutter" => &mut self.stutter,
            "fairness" => &mut self.fairness,
            "fault" => &mut self.fault,
            "steps" => {
                let known = self.walk.is_some();
                let steps = Steps::read(stream, expected.walker)?;
                return if known { Err(stream.twice(key)) } else { stream.keep(&mut self.steps, key, steps) }
                    .map(|()| true);
            }
            "states" if self.walk.is_some() || self.states.is_some() => return Err(stream.twice(key)),
            "states" if self.is_ready() => return self.walk(stream, expected).map(|()| true),
            "states" => {
                self.states = Some(stream.raw()?);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let value = stream.value()?;
        stream.keep(slot, key, value)?;
        Ok(true)
    }

    /// Whether all is known that the states need.
    fn is_ready(&self) -> bool {
        self.kind.is_some() && self.steps.is_some()
    }

    /// Walks along the states. This is the one loop over them.
    fn walk(&mut self, stream: &mut Stream<'_>, expected: Expected<'_, 's>) -> Result<(), Failure> {
        let keep = self.kind() == Some("lasso") || expected.start.is_some();
        let nothing = Evidence { states: Vec::new(), steps: Vec::new(), end: End::State };
        let mut walk = Walk {
            path: Replay::new(expected.walker.system(), expected.claimed),
            kept: keep.then_some(nothing),
            steps: self.steps.take().unwrap_or_default(),
            wanted: expected.walker.wanted(),
            states: 0,
            problem: None,
        };
        stream.list(|stream, _| {
            if walk.problem.is_some() {
                return stream.skip();
            }
            expected.walker.read(stream, &mut walk.wanted)?;
            walk.problem = walk.state(expected).err();
            Ok(())
        })?;
        self.walk = Some(walk);
        Ok(())
    }

    /// The run, or why it is none. What does not look like a run at all is a failure.
    pub fn finish(
        mut self,
        stream: &Stream<'_>,
        expected: Expected<'_, 's>,
    ) -> Result<Result<Run<'s>, String>, Failure> {
        let incomplete = |what: &str| Err(stream.wrong(format!("a run is incomplete: {what}")));
        if let Some(states) = self.states.take() {
            if !self.is_ready() {
                return incomplete("`kind`, `steps` and `states` are needed");
            }
            self.walk(&mut stream.again(&states), expected)?;
        }
        let is_lasso = match self.kind() {
            Some("lasso") => true,
            Some("path") => false,
            _ => return incomplete("its `kind` is neither `path` nor `lasso`"),
        };
        let start = match (self.loop_start, is_lasso) {
            (Some(Value::Null), false) => None,
            (Some(Value::Number(start)), true) => {
                start.as_u64().and_then(|start| usize::try_from(start).ok())
            }
            _ => return incomplete("its `loop_start` does not fit its `kind`"),
        };
        if self.validated != Some(Value::Bool(true)) {
            return incomplete("it is not said that it was `validated`");
        }
        let stutter = match (&self.stutter, is_lasso) {
            (Some(Value::Bool(stutter)), true) => *stutter,
            (None, false) => false,
            _ => return incomplete("`stutter` is for a lasso, and needed there"),
        };
        if matches!(self.fairness, Some(Value::Array(_))) != is_lasso || self.fairness.is_some() != is_lasso {
            return incomplete("`fairness` is for a lasso, and needed there");
        }
        let fault = match self.fault {
            None => return incomplete("`fault` is needed"),
            Some(Value::Null) => None,
            Some(_) if is_lasso => return incomplete("a lasso has no fault"),
            Some(value) => Some(RecordedFault::read(stream, &value, expected.walker)?),
        };
        let Some(walk) = self.walk else { return incomplete("`states` are needed") };
        let closed = walk.close(expected, start.filter(|_| is_lasso), stutter, fault);
        let said = self.fairness.as_ref().and_then(Value::as_array);
        Ok(closed.and_then(|run| {
            let Some(said) = said else { return Ok(run) };
            let units = run.kept.iter().flat_map(|run| explain(expected.walker.system(), run));
            match units.map(|unit| json::unit_fairness(&unit)).eq(said.iter().cloned()) {
                true => Ok(run),
                false => Err("the recorded fairness is not that of the run".into()),
            }
        }))
    }
}

impl<'s> Walk<'s> {
    /// One more state: it has been read.
    fn state(&mut self, Expected { walker, start, .. }: Expected<'_, 's>) -> Result<(), String> {
        let Self { path, kept, steps, wanted, states, .. } = self;
        match (*states, start) {
            (0, None) => walker.start(path, wanted)?,
            (0, Some(state)) => {
                walker.fits(wanted)?;
                if !walker.reads(state, wanted) {
                    return Err("a run does not start in the state that it is about".into());
                }
                path.start_anywhere(state);
            }
            (i, _) => {
                let Some(number) = steps.number(i - 1) else {
                    return Err("there are more states than steps lead to".into());
                };
                let before = path.last().unwrap_or_default().to_vec();
                let (decoded, known) = &mut steps.different[number];
                walker.step(path, decoded, known, wanted).map_err(|why| format!("step {i}: {why}"))?;
                if let (Some(kept), Some(step)) = (kept.as_mut(), known) {
                    kept.steps.push(step.clone());
                }
                if !steps.changes_fit(walker, &before, path.last().unwrap_or_default()) {
                    return Err(format!("step {i}: the recorded changes are not those between its states"));
                }
            }
        }
        if let (Some(kept), Some(last)) = (kept, path.last()) {
            kept.states.push(last.into());
        }
        *states += 1;
        Ok(())
    }

    /// All states have been read: what comes after the last of them.
    fn close(
        mut self,
        expected: Expected<'_, 's>,
        start: Option<usize>,
        stutter: bool,
        fault: Option<RecordedFault>,
    ) -> Result<Run<'s>, String> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let (states, steps) = (self.states, self.steps.len());
        let end = match start {
            Some(start) if stutter && start + 1 == states && steps == start => End::Stutter,
            Some(start) if !stutter && start < states && steps == states => self.back(expected, start)?,
            Some(_) => {
                return Err("`loop_start` does not fit, or the numbers of states and steps do not fit".into());
            }
            None if steps + 1 != states.max(1) => {
                return Err("the numbers of states and steps do not fit".into());
            }
            None => match (&fault, expected.claimed) {
                (None, _) => End::State,
                (Some(fault), Some(claimed)) => fault.end(&mut self.path, expected.walker, claimed)?,
                (Some(_), None) => return Err("a run in a tree ends in a fault".into()),
            },
        };
        if let Some(kept) = &mut self.kept {
            kept.end = end.clone();
        }
        Ok(Run { path: self.path, kept: self.kept, end, steps })
    }

    /// The last step leads to the start of the loop again.
    fn back(&mut self, Expected { walker, .. }: Expected<'_, 's>, start: usize) -> Result<End, String> {
        let Self { path, kept, steps, states, .. } = self;
        let (Some(kept), Some(number)) = (kept, steps.number(*states - 1)) else {
            return Err("there is no loop".into());
        };
        let (before, after) = (path.last().unwrap_or_default().to_vec(), kept.states[start].clone());
        let step = walker.step_back(path, &steps.different[number].0, &after);
        kept.steps.push(step.map_err(|why| format!("step {states}: {why}"))?);
        match steps.changes_fit(walker, &before, &after) {
            true => Ok(End::Loop(start)),
            false => Err(format!("step {states}: the recorded changes are not those between its states")),
        }
    }
}

/// A fault as recorded.
struct RecordedFault {
    message: String,
    expression: String,
    /// Which text what faults is in, if not in the model.
    origin: Option<String>,
    line: u64,
    column: u64,
    /// When: in a `step`, in the `initialisation` or when the `property` is evaluated.
    during: String,
    /// The step that faults.
    step: Option<DecodedStep>,
}

impl RecordedFault {
    fn read(stream: &Stream<'_>, value: &Value, walker: &Walker<'_>) -> Result<Self, Failure> {
        let step = match &value["step"] {
            Value::Null => None,
            step => {
                let raw = step.to_string().into_bytes();
                Some(read_step(&mut stream.again(&raw), walker, false)?.0)
            }
        };
        let keys = ["message", "expression", "origin", "line", "column", "during", "step"];
        let fault = has_keys(value, &keys).then(|| {
            let text = |key: &str| value[key].as_str().map(str::to_string);
            let origin = text("origin");
            if origin.is_none() && !value["origin"].is_null() {
                return None;
            }
            Some(Self {
                message: text("message")?,
                expression: text("expression")?,
                origin,
                line: value["line"].as_u64()?,
                column: value["column"].as_u64()?,
                during: text("during")?,
                step,
            })
        });
        fault.flatten().ok_or_else(|| stream.wrong("a fault is incomplete"))
    }

    /// The end of a run that ends in this fault.
    fn end<'s>(&self, path: &mut Replay<'s>, walker: &Walker<'s>, claimed: Claim<'s>) -> Result<End, String> {
        let same = |fault: &Fault| self.is(*fault, walker);
        let missing = || format!("the fault `{}` does not happen", self.message);
        let last = path.last().map(<[u64]>::to_vec);
        match (self.during.as_str(), &self.step, last) {
            ("step", Some(decoded), Some(last)) => {
                let mut named = walker.named(path.machine(), &last, decoded)?.into_iter();
                let found =
                    named.find_map(|found| found.after.err().filter(same).map(|fault| (found.step, fault)));
                found.map(|(step, fault)| End::Fault(Some(step), fault)).ok_or_else(missing)
            }
            ("initialisation", None, None) => {
                let mut found = None;
                path.machine().initial(&mut |outcome| {
                    found = crate::run::own(outcome).err().filter(same);
                    match found {
                        Some(_) => std::ops::ControlFlow::Break(()),
                        None => std::ops::ControlFlow::Continue(()),
                    }
                });
                found.map(|fault| End::Fault(None, fault)).ok_or_else(missing)
            }
            ("property", None, Some(_)) => {
                path.undefined(claimed, &same).map(End::Undefined).ok_or_else(missing)
            }
            _ => Err("the recorded fault does not fit the run".into()),
        }
    }

    fn is(&self, fault: Fault, walker: &Walker<'_>) -> bool {
        let site = walker.system().site(fault.site);
        let place = (u64::from(site.line), u64::from(site.column));
        walker.decoder.origin(site) == self.origin.as_deref()
            && place == (self.line, self.column)
            && site.text == self.expression
            && fault::describe(walker.system(), fault) == self.message
    }
}
