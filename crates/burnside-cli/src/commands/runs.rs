//! `burnside simulate --runs`: many random runs, what goes wrong in one of them, and how often each rule was
//! taken.
//!
//! Entry point: [`run`]. The runs are those of the walker that hunts use. They end at the first violation,
//! which is replayed and shown as `burnside check` shows it. Nothing is said of what no run has met.

use crate::args::{ReportFormat, SimulateArgs};
use crate::commands::simulate::Simulation;
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::output::Console;
use burnside_explicit::{NextStep, RandomWalker};
use burnside_limits::{current, poll};
use burnside_report::json;
use burnside_report::numbers::plural;
use burnside_trace::{Claim, End, Evidence, replay, step_to};
use burnside_ts::{Kind, Property, Question, System, Undefined, visible};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Steps of each run if nothing else is said.
const DEFAULT_STEPS: u64 = 1000;

/// What many runs have shown.
struct Coverage<'s> {
    runs: u64,
    steps: u64,
    /// By rule, how often it was taken.
    taken: Vec<u64>,
    violation: Option<(Property, Evidence)>,
    /// Where the time goes.
    time: Duration,
    system: &'s System,
}

/// Runs the command.
pub fn run(
    args: &SimulateArgs,
    runs: u64,
    seed: u64,
    walk: &mut Simulation<'_>,
    console: &Console,
    header: &str,
) -> Outcome {
    let steps = args.steps.unwrap_or(DEFAULT_STEPS);
    let (input, started) = (walk.input, Instant::now());
    let system = &input.model.system;
    let mut walker = RandomWalker::new(system, current().unwrap_or_default(), seed);
    let mut all = Coverage {
        runs: 0,
        steps: 0,
        taken: vec![0; system.rules.len()],
        violation: None,
        time: Duration::ZERO,
        system,
    };
    if let Some(fault) = walker.initial_fault() {
        let evidence = Evidence { states: Vec::new(), steps: Vec::new(), end: End::Fault(None, fault) };
        all.violation = Some((system.built_in(Question::Fault), evidence));
    } else if walker.start().is_none() {
        return Err(input::no_initial_state(input, walk.machine.excluding()));
    }
    while all.runs < runs && all.violation.is_none() {
        all.runs += 1;
        all.violation = all.one(&mut walker, walk, steps);
    }
    all.time = started.elapsed();
    if let Some((property, evidence)) = &all.violation {
        let replayed = replay(system, evidence, Claim::of(&property.question));
        replayed.map_err(|mismatch| Failure::Internal(mismatch.to_string()))?;
    }
    let mut out = console.report();
    match args.format {
        ReportFormat::Json => writeln!(out, "{:#}", all.document(walk, seed)?)?,
        ReportFormat::Text => {
            writeln!(out, "{header}\n")?;
            all.print(&mut out)?;
        }
    }
    let exit = match &all.violation {
        None => Exit::Good,
        Some((_, Evidence { end: End::Fault(_, fault), .. })) if input.model.net_limit(fault).is_some() => {
            Exit::Unknown
        }
        Some(_) => Exit::Violated,
    };
    if let (Some((property, evidence)), ReportFormat::Text) = (&all.violation, args.format) {
        writeln!(out)?;
        walk.printer(&mut out).run(&walk.decoder, evidence)?;
        match (&evidence.end, evidence.states.last()) {
            (End::Fault(_, fault), _) => _ = walk.fault(&mut out, *fault)?,
            (_, Some(last)) if property.question.kind() == Kind::Invariant => {
                writeln!(out, "\n{}", walk.violation(last).unwrap_or_default())?;
            }
            (_, last) => _ = walk.deadlock(&mut out, last.map_or(&[][..], |last| last))?,
        }
    }
    out.flush()?;
    Ok(exit)
}

impl<'s> Coverage<'s> {
    /// One run, and what is wrong with it.
    fn one(
        &mut self,
        walker: &mut RandomWalker<'s>,
        walk: &mut Simulation<'_>,
        steps: u64,
    ) -> Option<(Property, Evidence)> {
        let mut path: Vec<Box<[u64]>> = vec![walker.start()?.into()];
        let system = self.system;
        for step in 0.. {
            poll();
            let state = path.last()?.clone();
            if let Some((property, end)) = wrong(walk, &state) {
                return Some((property.clone(), evidence(system, path, end)));
            }
            if step == steps {
                return None;
            }
            match walker.next(&state) {
                NextStep::Rule(rule, target) => {
                    self.taken[rule.index()] += 1;
                    self.steps += 1;
                    path.push(walker.target(target).into());
                }
                NextStep::Fault(step, fault) => {
                    let end = End::Fault(Some(step), fault);
                    return Some((system.built_in(Question::Fault), evidence(system, path, end)));
                }
                NextStep::Deadlock if system.deadlock_free => {
                    let end = evidence(system, path, End::State);
                    return Some((system.built_in(Question::Deadlock), end));
                }
                // An interrupt ends the command with the next run.
                NextStep::Deadlock | NextStep::Outside | NextStep::Interrupted => return None,
            }
        }
        None
    }

    /// The rules with their processes and how often they were taken.
    fn rules(&self) -> impl Iterator<Item = (String, u64)> {
        self.system.rules.iter().zip(&self.taken).map(|(rule, &taken)| {
            let process = &self.system.processes[rule.process.index()].name;
            let name = [process.as_str(), rule.name.as_str()].join(" ");
            (visible(name.trim()), taken)
        })
    }

    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let (runs, steps) = (plural(self.runs, "run", "runs"), plural(self.steps, "step", "steps"));
        let seconds = self.time.as_secs_f64();
        writeln!(out, "{runs}, {steps}, {seconds:.2} s\n")?;
        let width = self.rules().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let digits = self.taken.iter().max().map_or(1, |most| most.to_string().len());
        for (name, taken) in self.rules() {
            let never = if taken == 0 { "  never taken" } else { "" };
            writeln!(out, "  {name:width$}  {taken:>digits$}{never}")?;
        }
        Ok(())
    }

    fn document(&self, walk: &Simulation<'_>, seed: u64) -> std::io::Result<Value> {
        let mut document = json::head(&walk.input.source.path);
        document.insert("constants".into(), json::constants(&walk.input.model));
        document.insert("seed".into(), json!(seed));
        document.insert("runs".into(), json!(self.runs));
        document.insert("steps".into(), json!(self.steps));
        document.insert("seconds".into(), json!(self.time.as_secs_f64()));
        let rules = self.rules().map(|(rule, taken)| json!({"rule": rule, "taken": taken}));
        document.insert("rules".into(), rules.collect());
        let violation = match &self.violation {
            None => Value::Null,
            Some((property, evidence)) => {
                let run: Value = serde_json::from_slice(&json::evidence(&walk.decoder, evidence).text()?)?;
                let kind = property.question.kind().to_string();
                json!({"property": property.name, "kind": kind, "run": self.runs, "evidence": run})
            }
        };
        document.insert("violation".into(), violation);
        Ok(Value::Object(document))
    }
}

/// The first invariant that is not true in a state, and how a run to it ends.
fn wrong<'i>(walk: &mut Simulation<'i>, state: &[u64]) -> Option<(&'i Property, End)> {
    let properties = &walk.input.model.system.properties;
    properties.iter().find_map(|property| {
        let Question::Invariant(condition) = &property.question else { return None };
        match walk.machine.holds(condition, state) {
            Ok(true) | Err(Undefined::Interrupted) => None,
            Ok(false) => Some((property, End::State)),
            Err(Undefined::Fault(fault)) => Some((property, End::Undefined(fault))),
        }
    })
}

/// A run with its steps, which are found again.
fn evidence(system: &System, states: Vec<Box<[u64]>>, end: End) -> Evidence {
    let mut machine = system.machine();
    let step = |pair: &[Box<[u64]>]| step_to(&mut *machine, &pair[0], |state| *state == *pair[1]);
    let steps = states.windows(2).filter_map(step).map(|(step, _)| step).collect();
    Evidence { states, steps, end }
}
