//! Runs for people: one line per step, in columns, with only what changed.

use crate::output::story::{Change, Teller, Told};
use crate::output::{Paint, pad, pad_left, state, width_of};
use burnside::trace::Evidence;
use std::io::{self, Write};

/// Columns do not get wider than this; what is longer sticks out.
const WIDEST: usize = 44;
/// How many lines of a state are shown.
const MAX_STATE_LINES: usize = 200;

/// How wide the columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The number of the step.
    pub number: usize,
    /// The process.
    pub process: usize,
    /// The rule with its arguments.
    pub call: usize,
    /// The names of changed cells.
    pub cell: usize,
}

impl Columns {
    /// Columns into which these steps fit.
    pub fn fitting<'a>(steps: impl IntoIterator<Item = (usize, &'a Told, &'a [Change])>) -> Self {
        let mut columns = Self::default();
        for (number, told, changes) in steps {
            columns.number = columns.number.max(number.to_string().len());
            columns.process = columns.process.max(width_of(&told.process).min(WIDEST));
            columns.call = columns.call.max(width_of(&told.call()).min(WIDEST));
            let cells = changes.iter().map(|change| width_of(&change.cell).min(WIDEST));
            columns.cell = columns.cell.max(cells.max().unwrap_or(0));
        }
        columns
    }

    /// Up to where the changes begin.
    fn before_changes(&self) -> usize {
        self.number + 2 + self.process + 2 + self.call + 2
    }
}

/// Prints runs, indented.
pub struct TracePrinter<'a> {
    /// How to colour.
    pub paint: Paint,
    /// Before each line.
    pub indent: &'static str,
    /// Where to.
    pub out: &'a mut dyn Write,
}

impl TracePrinter<'_> {
    /// The whole run, up to but excluding the faulting step, if there is one.
    pub fn run(&mut self, teller: &Teller<'_>, evidence: &Evidence) -> io::Result<()> {
        let Some(first) = evidence.states.first() else { return Ok(()) };
        let steps = teller.steps(evidence);
        let fault = teller.fault(evidence).and_then(|fault| fault.step);
        let tried = fault.iter().map(|told| (steps.len() + 1, told, &[][..]));
        let numbered = steps.iter().enumerate().map(|(i, (told, changes))| (i + 1, told, changes.as_slice()));
        let columns = Columns::fitting(numbered.clone().chain(tried));
        self.initial(teller, first, columns)?;
        for (number, told, changes) in numbered {
            self.step(columns, number, told, changes)?;
        }
        match &fault {
            Some(told) => self.faulting(columns, steps.len() + 1, told),
            None => Ok(()),
        }
    }

    /// A state as the start of a run.
    pub fn initial(&mut self, teller: &Teller<'_>, state: &[u64], columns: Columns) -> io::Result<()> {
        let indent = self.indent;
        let number = self.paint.dim(&pad_left("0", columns.number));
        writeln!(self.out, "{indent}{number}  {}", self.paint.dim("initial state"))?;
        self.state(teller, state, columns.number + 2)
    }

    /// All cells of a state.
    pub fn state(&mut self, teller: &Teller<'_>, state: &[u64], shift: usize) -> io::Result<()> {
        let lines = state::compact(teller.cells(state));
        let width = lines.iter().map(|(name, _)| width_of(name).min(WIDEST)).max().unwrap_or(0);
        let (indent, shift) = (self.indent, " ".repeat(shift + 2));
        for (name, value) in lines.iter().take(MAX_STATE_LINES) {
            writeln!(self.out, "{indent}{shift}{} = {}", pad(name, width), self.paint.value(value))?;
        }
        if lines.len() > MAX_STATE_LINES {
            writeln!(self.out, "{indent}{shift}… and {} more", lines.len() - MAX_STATE_LINES)?;
        }
        Ok(())
    }

    /// One step.
    pub fn step(
        &mut self,
        columns: Columns,
        number: usize,
        told: &Told,
        changes: &[Change],
    ) -> io::Result<()> {
        self.head(columns, number, told)?;
        if changes.is_empty() {
            return writeln!(self.out, "{}", self.paint.dim("changes nothing"));
        }
        let shift = " ".repeat(columns.before_changes());
        for (i, change) in changes.iter().enumerate() {
            if i > 0 {
                write!(self.out, "{}{shift}", self.indent)?;
            }
            self.change(columns, change)?;
        }
        Ok(())
    }

    /// A step that faults.
    pub fn faulting(&mut self, columns: Columns, number: usize, told: &Told) -> io::Result<()> {
        self.head(columns, number, told)?;
        writeln!(self.out, "{}", self.paint.bad("faults"))
    }

    fn head(&mut self, columns: Columns, number: usize, told: &Told) -> io::Result<()> {
        let number = self.paint.dim(&pad_left(&number.to_string(), columns.number));
        let process = self.paint.actor(&pad(&told.process, columns.process));
        let call = self.paint.strong(&pad(&told.call(), columns.call));
        write!(self.out, "{}{number}  {process}  {call}  ", self.indent)
    }

    fn change(&mut self, columns: Columns, change: &Change) -> io::Result<()> {
        let name = pad(&format!("{}:", change.cell), columns.cell + 1);
        writeln!(self.out, "{name} {} → {}", change.before, self.paint.value(&change.after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(process: &str, rule: &str, arguments: &[(&str, &str)]) -> Told {
        let arguments = arguments.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        Told { process: process.into(), rule: rule.into(), arguments }
    }

    fn change(cell: &str, before: &str, after: &str) -> Change {
        Change { cell: cell.into(), before: before.into(), after: after.into() }
    }

    #[test]
    fn steps_are_in_columns() {
        let steps = [
            (1, told("Client[2]", "request", &[]), vec![change("phase[2]", "idle", "requested")]),
            (
                2,
                told("Server", "grant", &[("c", "Client#2")]),
                vec![change("lock", "free", "busy"), change("phase[2]", "requested", "granted")],
            ),
            (3, told("Server", "rest", &[]), vec![]),
        ];
        let columns = Columns::fitting(steps.iter().map(|(n, told, changes)| (*n, told, changes.as_slice())));
        let mut out = Vec::new();
        let mut printer = TracePrinter { paint: Paint { colored: false }, indent: "  ", out: &mut out };
        for (number, told, changes) in &steps {
            printer.step(columns, *number, told, changes).unwrap();
        }
        let expected = "
  1  Client[2]  request              phase[2]: idle → requested
  2  Server     grant(c = Client#2)  lock:     free → busy
                                     phase[2]: requested → granted
  3  Server     rest                 changes nothing
";
        assert_eq!(String::from_utf8(out).unwrap(), expected[1..]);
    }
}
