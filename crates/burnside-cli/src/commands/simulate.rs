//! `burnside simulate`: a walk through a model. It stops at what is wrong: a violated invariant, a fault, a
//! deadlock.

use crate::args::SimulateArgs;
use crate::commands::{interactive, runs};
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::input::{self, Input};
use crate::output::trace::{Columns, TracePrinter};
use crate::output::view::View;
use crate::output::{Console, Paint, fault, text};
use crate::run::{Move, State, moves, own};
use burnside_limits::Random;
use burnside_report::decode::{Change, DecodedStep, TraceDecoder};
use burnside_ts::{AnyMachine, Fault, Question, Undefined};
use std::io::Write;
use std::ops::ControlFlow;

/// Steps taken if nothing else is said.
const DEFAULT_STEPS: u64 = 20;
/// So many steps share their columns; then they are printed.
const CHUNK: usize = 500;

/// A model being walked through.
pub struct Simulation<'a> {
    /// The model.
    pub input: &'a Input,
    /// Its interpreter.
    pub machine: AnyMachine<'a>,
    /// How to tell its states.
    pub decoder: TraceDecoder<'a>,
    /// How to colour.
    pub paint: Paint,
    /// How much of states is shown.
    pub view: View,
}

/// Runs the command.
pub fn run(args: &SimulateArgs, console: &Console) -> Outcome {
    if args.interactive && input::is_stdin(&args.model.model) {
        let help = "give the model as a file; standard input is for the choices";
        return Err(Failure::bad_with_help(
            "an interactive walk cannot read the model from standard input",
            help,
        ));
    }
    let input = input::load_and_warn(&args.model, console)?;
    let system = &input.model.system;
    let view = View::new(&args.view, &input.model)?;
    let (machine, decoder) = (system.machine(), view.decoder(&input.model));
    let mut walker = Simulation { input: &input, machine, decoder, paint: console.out, view };
    let mut out = console.report();
    let header = text::header(&input.source.path, &input.model, console.out);
    let exit = if args.interactive {
        writeln!(out, "{header}")?;
        interactive::walk(&mut walker, args.steps, &mut out)?
    } else {
        let seed = args.seed.unwrap_or_else(Random::fresh_seed);
        let header = format!("{header}  {}", walker.paint.dim(&format!("--seed {seed}")));
        if let Some(runs) = args.runs {
            return runs::run(args, runs, seed, &mut walker, console, &header);
        }
        writeln!(out, "{header}\n")?;
        walker.random(args.steps.unwrap_or(DEFAULT_STEPS), &mut Random::new(seed), &mut out)?
    };
    out.flush()?;
    Ok(exit)
}

impl Simulation<'_> {
    fn random(&mut self, steps: u64, random: &mut Random, out: &mut dyn Write) -> Result<Exit, Failure> {
        let mut state = match self.random_start(random) {
            None => return Err(input::no_initial_state(self.input, self.machine.excluding())),
            Some(Err(fault)) => return Ok(self.fault(out, fault)?),
            Some(Ok(state)) => state,
        };
        let mut lines = StepTable { steps: Vec::new(), digits: steps.to_string().len() };
        let columns = Columns { number: lines.digits, ..Columns::default() };
        self.printer(out).initial(&self.decoder, &state, columns)?;
        for number in 1..=steps {
            if let Some(exit) = self.wrong(out, &mut lines, &state)? {
                return Ok(exit);
            }
            let mut moves = moves(&mut *self.machine, &state).0;
            if moves.is_empty() {
                lines.print(self, out)?;
                return Ok(self.deadlock(out, &state)?);
            }
            let taken = moves.swap_remove(random.below(moves.len()));
            match self.take(&mut lines, &state, number, taken) {
                Ok(next) => state = next,
                Err(fault) => {
                    lines.print(self, out)?;
                    return Ok(self.fault(out, fault)?);
                }
            }
            if lines.steps.len() == CHUNK {
                lines.print(self, out)?;
            }
        }
        let exit = self.wrong(out, &mut lines, &state)?;
        lines.print(self, out)?;
        Ok(exit.unwrap_or(Exit::Good))
    }

    /// Any initial state, each result of the initialisation equally likely, without keeping them all.
    fn random_start(&mut self, random: &mut Random) -> Option<Result<State, Fault>> {
        let (mut chosen, mut count) = (None, 0);
        self.machine.initial(&mut |outcome| {
            count += 1;
            if random.below(count) == 0 {
                chosen = Some(own(outcome));
            }
            ControlFlow::Continue(())
        });
        chosen
    }

    /// Adds a step to the lines to be printed.
    fn take(&self, lines: &mut StepTable, state: &[u64], number: u64, taken: Move) -> Result<State, Fault> {
        let decoded = self.decoder.step(&taken.step);
        let changes = taken.after.as_ref().ok().map(|after| self.decoder.changes(state, after));
        let said = taken.after.as_ref().ok().map(|after| self.decoder.said(state, &taken.step, after));
        let (after, said) =
            (taken.after.as_ref().ok().filter(|_| self.view.full).cloned(), said.unwrap_or_default());
        lines.steps.push(TakenStep { number: number as usize, decoded, changes, after, said });
        taken.after
    }

    /// If an invariant is violated here, prints everything and says which.
    fn wrong(
        &mut self,
        out: &mut dyn Write,
        lines: &mut StepTable,
        state: &[u64],
    ) -> Result<Option<Exit>, Failure> {
        let Some(text) = self.violation(state) else { return Ok(None) };
        lines.print(self, out)?;
        writeln!(out, "\n{text}")?;
        Ok(Some(Exit::Violated))
    }

    /// The first invariant that is not true in a state, as a text.
    pub fn violation(&mut self, state: &[u64]) -> Option<String> {
        for property in &self.input.model.system.properties {
            let Question::Invariant(condition) = &property.question else { continue };
            let name = &property.name;
            let flat = visible(&property.text.split_whitespace().collect::<Vec<_>>().join(" "));
            match self.machine.holds(condition, state) {
                Ok(true) | Err(Undefined::Interrupted) => {}
                Ok(false) => {
                    return Some(format!(
                        "{}: {flat}",
                        self.paint.bad(&format!("invariant `{name}` is false here"))
                    ));
                }
                Err(Undefined::Fault(fault)) => {
                    let head = self.paint.bad(&format!("invariant `{name}` faults here"));
                    return Some(format!("{head}:\n{}", self.show_fault(fault)));
                }
            }
        }
        None
    }

    /// Says that nothing can happen any more.
    pub fn deadlock(&mut self, out: &mut dyn Write, state: &[u64]) -> std::io::Result<Exit> {
        if self.machine.is_outside(state) == Ok(true) {
            return self.end(out, "the end: this state is outside of the constraint", Exit::Good);
        }
        match self.input.model.system.deadlock_free {
            true => self.end(
                out,
                &format!("{}: no rule is enabled here", self.paint.bad("deadlock")),
                Exit::Violated,
            ),
            false => self.end(out, "the end: no rule is enabled here", Exit::Good),
        }
    }

    /// Shows a fault. A net has none of its own: there a walk ends where we cannot follow.
    pub fn fault(&self, out: &mut dyn Write, fault: Fault) -> std::io::Result<Exit> {
        match self.input.model.net_limit(&fault) {
            Some(limit) => self.end(out, &format!("the walk cannot go on: {limit}"), Exit::Unknown),
            None => self.end(out, &self.show_fault(fault), Exit::Violated),
        }
    }

    fn show_fault(&self, fault: Fault) -> String {
        fault::render(self.input, fault, self.paint)
    }

    fn end(&self, out: &mut dyn Write, text: &str, exit: Exit) -> std::io::Result<Exit> {
        writeln!(out, "\n{text}")?;
        Ok(exit)
    }

    /// Prints steps and states.
    pub fn printer<'o>(&'o self, out: &'o mut dyn Write) -> TracePrinter<'o> {
        TracePrinter { paint: self.paint, indent: "  ", view: &self.view, out }
    }
}

/// Steps that wait to be printed in common columns.
struct StepTable {
    /// How wide the numbers are.
    digits: usize,
    steps: Vec<TakenStep>,
}

struct TakenStep {
    number: usize,
    decoded: DecodedStep,
    /// None if it faults.
    changes: Option<Vec<Change>>,
    /// The state after it, if that is shown.
    after: Option<State>,
    /// What it says on the way.
    said: Vec<String>,
}

impl StepTable {
    fn print(&mut self, walker: &Simulation<'_>, out: &mut dyn Write) -> std::io::Result<()> {
        let steps = std::mem::take(&mut self.steps);
        let shown =
            steps.iter().map(|it| (it.number, &it.decoded, it.changes.as_deref().unwrap_or_default()));
        let columns = Columns { number: self.digits, ..Columns::fitting(shown) };
        let mut printer = walker.printer(out);
        for TakenStep { number, decoded, changes, after, said } in &steps {
            match (after, changes) {
                (Some(after), _) => {
                    printer.whole_step(columns, *number, decoded, (&walker.decoder, after))?;
                }
                (None, Some(changes)) => printer.step(columns, *number, decoded, changes)?,
                (None, None) => printer.faulting(columns, *number, decoded)?,
            }
            for line in said {
                printer.remark(columns, line)?;
            }
        }
        out.flush()
    }
}
