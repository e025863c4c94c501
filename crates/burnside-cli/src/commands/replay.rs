//! `burnside replay`: a second opinion on recorded runs, by the interpreter alone.
//!
//! A run in a file is texts. It is walked with the interpreter: among the real initial states and steps those are
//! looked for that read like the recorded ones. Two different values never read alike, so what is found is what was meant. Whether the
//! run shows what it claims is then checked by the same replay that every check ends with.

use crate::args::ReplayArgs;
use crate::claim::claimed;
use crate::commands::unless_closed;
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::output::story::{Teller, Told};
use crate::output::{Console, fault, json, plural};
use crate::recorded::{self, Recorded, RecordedFault, Trace};
use crate::run::{Move, State, moves, own};
use burnside::trace::{Claimed, End, Evidence, Regular, Step, explain, faults, replay};
use burnside::ts::{
    Fault, Goal, Label, Machine, Outcome as Ended, System, TypeId, Types, Undefined, bits::SPARE, show_value,
    unrank,
};
use burnside::{Model, NetOptions};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

/// Types with at most so many values are read by trying all.
const FEW: u64 = 4096;

/// Runs the command.
pub fn run(args: &ReplayArgs, console: &Console) -> Outcome {
    if input::is_stdin(&args.model.model) && input::is_stdin(&args.file) {
        return Err(Failure::bad("only one of model and file can be standard input"));
    }
    let file = input::read(&args.file)?;
    let recorded::File { traces, settings, given, net } = recorded::read(&file, &args.model.settings)?;
    let net = NetOptions { unreduced: true, ..net };
    let mut input = input::load_source(input::read(&args.model.model)?, &settings, &given, &net, true)?;
    input.widen()?;
    let walker = Walker::new(&input.model);
    let mut out = console.stdout();
    let mut exit = Exit::Good;
    for trace in &traces {
        let (property, checked) = match trace {
            Trace::Run { property, kind, value, run } => {
                (property, walker.check(property, kind, *value, run).map(|()| run.shown_length()))
            }
            Trace::Tree(tree) => {
                let runs = plural(tree.runs(), "run", "runs");
                let tell = |complete| match complete {
                    true => runs,
                    false => format!(
                        "{runs}; what it says about all runs from a state, or leaves out, was not checked"
                    ),
                };
                (&tree.property, walker.check_tree(tree).map(tell))
            }
        };
        let line = match checked {
            Ok(what) => format!("{} {property}: replays ({what})", console.out.good("✓")),
            Err(why) => {
                exit = Exit::Violated;
                format!("{} {property}: {why}", console.out.bad("✗"))
            }
        };
        unless_closed(writeln!(out, "{line}"))?;
    }
    if traces.is_empty() {
        unless_closed(writeln!(out, "the file holds no runs"))?;
    }
    unless_closed(out.flush())?;
    Ok(exit)
}

/// Finds recorded runs in a system.
pub struct Walker<'s> {
    /// The model.
    pub model: &'s Model,
    teller: Teller<'s>,
    /// The numbers of values by their texts, for types with few.
    numbers: HashMap<TypeId, HashMap<String, u64>>,
}

impl<'s> Walker<'s> {
    /// For a model.
    pub fn new(model: &'s Model) -> Self {
        let teller = Teller::new(model);
        let types = &teller.system.types;
        let mut numbers = HashMap::new();
        for ty in teller.leaves.iter().map(|leaf| leaf.ty) {
            if let Some(size) = types.size(ty).filter(|&size| size <= FEW) {
                numbers.entry(ty).or_insert_with(|| (0..size).map(|it| (text(types, ty, it), it)).collect());
            }
        }
        Self { teller, model, numbers }
    }

    /// Its system.
    pub fn system(&self) -> &'s System {
        self.teller.system
    }

    /// Checks a run that is said to show a property of a kind.
    pub fn check(
        &self,
        property: &str,
        kind: &str,
        value: Option<i64>,
        run: &Recorded<'_>,
    ) -> Result<(), String> {
        // Where the run ends in a fault there is no value, and none is looked at.
        let value = value.or(run.fault.as_ref().map(|_| 0));
        let claimed = claimed(self.model, kind, property, run.is_fair(), value)
            .ok_or_else(|| format!("the model has no {kind} property of this name that a run can show"))?;
        let evidence = self.find(run, None, Some(claimed))?;
        replay(self.system(), &evidence, claimed).map_err(|mismatch| mismatch.to_string())?;
        self.check_fairness(run, &evidence)
    }

    /// The fairness units are treated as it is said.
    fn check_fairness(&self, run: &Recorded<'_>, evidence: &Evidence) -> Result<(), String> {
        let Some(said) = &run.fairness else { return Ok(()) };
        let units = explain(self.system(), evidence);
        match units.iter().map(json::unit_fairness).eq(said.iter().cloned()) {
            true => Ok(()),
            false => Err("the recorded fairness is not that of the run".into()),
        }
    }

    /// The run that reads as recorded, from this state or from an initial one. Only what is claimed of a run can fault at its end.
    pub fn find(
        &self,
        run: &Recorded<'_>,
        start: Option<&State>,
        claimed: Option<Claimed<'s>>,
    ) -> Result<Evidence, String> {
        let mut machine = Machine::new(self.system());
        let mut evidence = Evidence { states: Vec::new(), steps: Vec::new(), end: End::State };
        let mut before = Map::new();
        if !run.states.is_empty() {
            before = run.state(0)?;
            evidence.states.push(match start {
                None => self.initial(&mut machine, &before)?,
                Some(state) => self.same_state(state, &before)?,
            });
        }
        for (i, told) in run.steps.iter().enumerate() {
            let (Some(last), Some(next)) = (evidence.states.last(), run.after(i)) else {
                return Err("the numbers of states and steps do not fit".into());
            };
            let after = run.state(next)?;
            let (step, state) = self
                .step(&mut machine, last, told, &after)
                .map_err(|why| format!("step {}: {why}", i + 1))?;
            if !run.changes_fit(i, &before, &after) {
                return Err(format!("step {}: the recorded changes are not those between its states", i + 1));
            }
            evidence.steps.push(step);
            evidence.states.push(state);
            before = after;
        }
        match run.start {
            Some(start) if run.stutter && start + 1 == run.states.len() => evidence.end = End::Stutter,
            // The last step leads to the start again: what it leads to is not one more state.
            Some(start)
                if !run.stutter && start < run.states.len() && run.steps.len() == run.states.len() =>
            {
                evidence.states.pop();
                evidence.end = End::Loop(start);
            }
            Some(_) => return Err("`loop_start` does not fit the numbers of states and steps".into()),
            None => {}
        }
        if run.states.len() > evidence.states.len() {
            return Err("there are more states than steps lead to".into());
        }
        match (&run.fault, claimed) {
            (None, _) => {}
            (Some(fault), Some(claimed)) => {
                evidence.end = self.end(&mut machine, &evidence, fault, claimed)?;
            }
            (Some(_), None) => return Err("a run in a tree ends in a fault".into()),
        }
        if start.is_some() {
            self.check_fairness(run, &evidence)?;
        }
        Ok(evidence)
    }

    fn same_state(&self, state: &State, wanted: &Map<String, Value>) -> Result<State, String> {
        self.fits(wanted)?;
        match self.reads(state, wanted) {
            true => Ok(state.clone()),
            false => Err("a run does not start in the state that it is about".into()),
        }
    }

    /// The initial state that reads as recorded.
    pub fn initial(&self, machine: &mut Machine<'_>, wanted: &Map<String, Value>) -> Result<State, String> {
        self.fits(wanted)?;
        let mut found = None;
        machine.initial_to(&self.goal(wanted), |outcome| match own(outcome) {
            Ok(state) if self.reads(&state, wanted) => {
                found = Some(state);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        found.ok_or_else(|| "the first state is not an initial state of the model".into())
    }

    fn step(
        &self,
        machine: &mut Machine<'_>,
        from: &[u64],
        told: &Told,
        wanted: &Map<String, Value>,
    ) -> Result<(Step, State), String> {
        self.fits(wanted)?;
        let mut found = None;
        let is_told =
            |step: &Step| self.system().rule(step.rule).name == told.rule && self.teller.step(step) == *told;
        machine.successors_to(from, &self.goal(wanted), &mut |label: Label<'_>, outcome: Ended<'_>| {
            let step = Step::from(label);
            match own(outcome) {
                Ok(state) if is_told(&step) && self.reads(&state, wanted) => {
                    found = Some((step, state));
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        });
        if let Some(found) = found {
            return Ok(found);
        }
        let mut enabled = false;
        machine.instances(from, &mut |label: Label<'_>, _: Ended<'_>| {
            enabled |= is_told(&label.into());
            ControlFlow::Continue(())
        });
        match enabled {
            true => Err(format!("`{}` does not lead to the next state", name(told))),
            false => Err(format!("`{}` is not enabled", name(told))),
        }
    }

    /// What is easily read of a recorded state.
    fn goal(&self, wanted: &Map<String, Value>) -> Goal {
        let types = &self.system().types;
        let words = self.system().words();
        let (mut state, mut part) = (vec![0; words + SPARE], vec![0; words + SPARE]);
        for leaf in &self.teller.leaves {
            let read = wanted.get(&leaf.name).and_then(Value::as_str);
            let number = read.and_then(|text| self.numbers.get(&leaf.ty)?.get(text));
            if let Some(&number) = number {
                unrank(types, leaf.ty, &mut state, leaf.offset, number);
                (leaf.offset..leaf.offset + types.width(leaf.ty)).for_each(|bit| {
                    part[bit as usize / 64] |= 1 << (bit % 64);
                });
            }
        }
        Goal::part(&state[..words], &part[..words])
    }

    /// The possible steps of a name.
    fn named(&self, machine: &mut Machine<'_>, from: &[u64], told: &Told) -> Result<Vec<Move>, String> {
        let mut all = moves(machine, from).0;
        let rule = |step: &Step| &self.system().rule(step.rule).name;
        all.retain(|found| *rule(&found.step) == told.rule && self.teller.step(&found.step) == *told);
        if all.is_empty() { Err(format!("`{}` is not enabled", name(told))) } else { Ok(all) }
    }

    /// Whether the cells are those of the model.
    fn fits(&self, wanted: &Map<String, Value>) -> Result<(), String> {
        let known = &self.teller.leaves;
        if let Some(leaf) = known.iter().find(|leaf| !wanted.contains_key(&leaf.name)) {
            return Err(format!("a recorded state does not say what `{}` is", leaf.name));
        }
        if wanted.len() == known.len() {
            return Ok(());
        }
        let foreign = wanted.keys().find(|name| known.iter().all(|leaf| leaf.name != **name));
        Err(format!("the model has no `{}`", foreign.map_or("", String::as_str)))
    }

    fn reads(&self, state: &[u64], wanted: &Map<String, Value>) -> bool {
        self.teller
            .cells(state)
            .into_iter()
            .all(|(name, value)| wanted.get(name).and_then(Value::as_str) == Some(&value))
    }

    /// The end of a run that ends in a fault.
    fn end(
        &self,
        machine: &mut Machine<'s>,
        evidence: &Evidence,
        recorded: &RecordedFault,
        claimed: Claimed<'s>,
    ) -> Result<End, String> {
        let same = |fault: &Fault| self.same(*fault, recorded);
        let missing = || format!("the fault `{}` does not happen", recorded.message);
        match (recorded.during.as_str(), &recorded.step, evidence.states.last()) {
            ("step", Some(told), Some(last)) => {
                let mut named = self.named(machine, last, told)?.into_iter();
                let found =
                    named.find_map(|found| found.after.err().filter(same).map(|fault| (found.step, fault)));
                found.map(|(step, fault)| End::Fault(Some(step), fault)).ok_or_else(missing)
            }
            ("initialisation", None, None) => {
                let fault = initial_fault(machine, &same).ok_or_else(missing)?;
                Ok(End::Fault(None, fault))
            }
            ("property", None, Some(_)) => {
                let fault = undefined(machine, evidence, claimed, &same).ok_or_else(missing)?;
                Ok(End::Undefined(fault))
            }
            _ => Err("the recorded fault does not fit the run".into()),
        }
    }

    fn same(&self, fault: Fault, recorded: &RecordedFault) -> bool {
        let site = self.system().site(fault.site);
        let place = (u64::from(site.line), u64::from(site.column));
        let origin = self.teller.origin(site).map(str::to_string);
        (origin, place) == (recorded.origin.clone(), (recorded.line, recorded.column))
            && fault::describe(self.system(), fault) == recorded.message
    }
}

/// The text of the value of a type with a number.
fn text(types: &Types, ty: TypeId, number: u64) -> String {
    let mut words = vec![0; types.width(ty) as usize / 64 + 1 + SPARE];
    unrank(types, ty, &mut words, 0, number);
    show_value(types, ty, &words, 0)
}

fn initial_fault(machine: &mut Machine<'_>, same: &dyn Fn(&Fault) -> bool) -> Option<Fault> {
    let mut found = None;
    machine.initial(|outcome| {
        found = own(outcome).err().filter(same);
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// The fault of evaluating what is claimed at the end of a run, if it is the same.
fn undefined<'s>(
    machine: &mut Machine<'s>,
    evidence: &Evidence,
    claimed: Claimed<'s>,
    same: &dyn Fn(&Fault) -> bool,
) -> Option<Fault> {
    let last = evidence.states.last()?;
    let result = match claimed {
        Claimed::Violates(condition) | Claimed::Reaches(condition) => {
            machine.holds(condition, last).map(drop)
        }
        Claimed::Attains(expr, _) => machine.value(expr, last).map(drop),
        Claimed::Matches(sequence) => {
            let regular = Regular::new(sequence)?;
            let mut before = vec![0; regular.words()];
            let mut after = before.clone();
            evidence.states.iter().try_for_each(|state| {
                regular.advance(machine, &before, state, &mut after)?;
                before.copy_from_slice(&after);
                Ok(())
            })
        }
        Claimed::Fails { formula, .. } => {
            let mut found = None;
            faults(machine.system(), last, formula, &mut |fault| {
                found = Some(fault).filter(same);
                found.is_none()
            });
            return found;
        }
        Claimed::Accepted { atoms, .. } => {
            let faults = atoms.iter().map(|atom| match machine.holds(atom, last) {
                Err(Undefined::Fault(fault)) => Some(fault),
                _ => None,
            });
            return faults.flatten().find(same);
        }
        Claimed::Deadlock | Claimed::Faults => return None,
    };
    match result {
        Err(Undefined::Fault(fault)) => Some(fault).filter(same),
        _ => None,
    }
}

fn name(told: &Told) -> String {
    let (process, call) = told.parts();
    if call.is_empty() { process } else { format!("{process}.{call}") }
}
