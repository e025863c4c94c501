//! `burnside simulate --interactive`: a walk by choice. Reads one line per choice, from a person or from a
//! pipe.

use crate::commands::simulate::Simulation;
use crate::exit::{Exit, Failure, visible};
use crate::input;
use crate::output::marks::MORE;
use crate::output::trace::Columns;
use crate::run::{Move, State, moves, own};
use burnside_ts::Fault;
use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;

/// How many choices are listed.
const MAX_CHOICES: usize = 200;

const HELP: &str = "  NUMBER  take this step
  u       undo the last step
  s       show the whole state
  q       quit
  ?       this list";

/// What was typed.
enum Choice {
    Number(usize),
    Undo,
    Quit,
}

/// Walks until there is nothing to choose or enough.
pub fn walk(walker: &mut Simulation<'_>, limit: Option<u64>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Some(mut path) = start(walker, out)? else { return Ok(Exit::Good) };
    loop {
        let state = path.last().expect("undo keeps the first state").clone();
        if let Some(text) = walker.violation(&state) {
            writeln!(out, "\n{text}")?;
        }
        if limit.is_some_and(|limit| path.len() as u64 > limit) {
            return Ok(Exit::Good);
        }
        let moves = moves(&mut *walker.machine, &state).0;
        list(walker, &state, &moves, out)?;
        match ask(walker, Some(&state), moves.len(), out)? {
            Choice::Quit => return Ok(Exit::Good),
            Choice::Undo if path.len() == 1 => writeln!(out, "this is the start")?,
            Choice::Undo => drop(path.pop()),
            Choice::Number(number) => match take(walker, &state, &moves[number], path.len(), out)? {
                Some(next) => path.push(next),
                None => writeln!(out, "the step leads nowhere; choose another one")?,
            },
        }
    }
}

/// Chooses the initial state, if there are several.
fn start(walker: &mut Simulation<'_>, out: &mut dyn Write) -> Result<Option<Vec<State>>, Failure> {
    let (states, fault) = initial_states(walker);
    if let Some(fault) = fault {
        walker.fault(out, fault)?;
    } else if states.is_empty() {
        return Err(input::no_initial_state(walker.input, walker.machine.excluding()));
    }
    let chosen = match states.len() {
        0 => None,
        1 => Some(0),
        count => {
            writeln!(out, "\nThere are {count} initial states.")?;
            for (i, state) in states.iter().enumerate() {
                writeln!(out, "  {})", i + 1)?;
                walker.printer(out).state(&walker.decoder, state, 2)?;
            }
            loop {
                match ask(walker, None, count, out)? {
                    Choice::Number(number) => break Some(number),
                    Choice::Quit => break None,
                    Choice::Undo => writeln!(out, "this is the start")?,
                }
            }
        }
    };
    let Some(state) = chosen.map(|number| states[number].clone()) else { return Ok(None) };
    writeln!(out)?;
    walker.printer(out).initial(&walker.decoder, &state, Columns { number: 1, ..Columns::default() })?;
    Ok(Some(vec![state]))
}

/// The different initial states, but not too many of them.
fn initial_states(walker: &mut Simulation<'_>) -> (Vec<State>, Option<Fault>) {
    let (mut states, mut fault): (Vec<State>, _) = (Vec::new(), None);
    walker.machine.initial(&mut |outcome| {
        match own(outcome) {
            Ok(state) if states.contains(&state) => {}
            Ok(state) => states.push(state),
            Err(found) => fault = Some(found),
        }
        if states.len() < MAX_CHOICES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (states, fault)
}

fn list(walker: &mut Simulation<'_>, state: &[u64], moves: &[Move], out: &mut dyn Write) -> io::Result<()> {
    if moves.is_empty() {
        walker.deadlock(out, state)?;
        return Ok(());
    }
    let decoded = moves.iter().take(MAX_CHOICES).map(|one| {
        let changes = one.after.as_ref().map(|after| walker.decoder.changes(state, after));
        (walker.decoder.step(&one.step), changes.ok())
    });
    let decoded: Vec<_> = decoded.collect();
    let numbered = decoded
        .iter()
        .enumerate()
        .map(|(i, (decoded, changes))| (i + 1, decoded, changes.as_deref().unwrap_or(&[])));
    let columns = Columns::fitting(numbered);
    writeln!(out)?;
    for (i, (decoded, changes)) in decoded.iter().enumerate() {
        match changes {
            Some(changes) => walker.printer(out).step(columns, i + 1, decoded, changes)?,
            None => walker.printer(out).faulting(columns, i + 1, decoded)?,
        }
    }
    if moves.len() > MAX_CHOICES {
        let (more, rest) = (walker.paint.mark(MORE), moves.len() - MAX_CHOICES);
        writeln!(out, "  {more} and {rest} more, with the numbers that follow")?;
    }
    Ok(())
}

/// Asks until the answer makes sense. The end of the input means to quit.
fn ask(
    walker: &Simulation<'_>,
    state: Option<&[u64]>,
    count: usize,
    out: &mut dyn Write,
) -> Result<Choice, Failure> {
    loop {
        let numbers = if count == 0 { String::new() } else { format!("1-{count}, ") };
        write!(out, "{}", walker.paint.strong(&format!("\n[{numbers}u, s, q, ?] ")))?;
        out.flush()?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        if !io::stdin().is_terminal() {
            // A terminal shows what is typed; a transcript should too.
            writeln!(out, "{}", visible(line.trim()))?;
        }
        match (read, line.trim()) {
            (Ok(0), _) => return Ok(Choice::Quit),
            (Err(error), _) if error.kind() != io::ErrorKind::InvalidData => {
                return Err(Failure::bad(format!("cannot read standard input: {error}")));
            }
            (_, "q") => return Ok(Choice::Quit),
            (_, "u") => return Ok(Choice::Undo),
            (_, "s") if state.is_some() => {
                walker.printer(out).state(&walker.decoder, state.unwrap_or(&[]), 0)?
            }
            (_, "?") => writeln!(out, "{HELP}")?,
            (_, text) => match text.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => return Ok(Choice::Number(number - 1)),
                _ => writeln!(out, "this is not a choice (`?` lists them)")?,
            },
        }
    }
}

/// Shows the chosen step and gives the state after it, if there is one.
fn take(
    walker: &Simulation<'_>,
    state: &[u64],
    taken: &Move,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<Option<State>> {
    let decoded = walker.decoder.step(&taken.step);
    let changes = match &taken.after {
        Ok(after) => walker.decoder.changes(state, after),
        Err(fault) => {
            walker.fault(out, *fault)?;
            return Ok(None);
        }
    };
    writeln!(out)?;
    let columns = Columns::fitting([(number, &decoded, changes.as_slice())]);
    walker.printer(out).step(columns, number, &decoded, &changes)?;
    Ok(taken.after.as_ref().ok().cloned())
}
