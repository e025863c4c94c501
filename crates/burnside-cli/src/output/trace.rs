//! Runs for people: one line per step, in columns, with only what changed. Of long runs the beginning and the
//! end are shown.

use crate::output::marks::{BECOMES, LEFT, MORE};
use crate::output::view::View;
use crate::output::{Paint, pad, pad_left, state, thousands, width_of};
use burnside_report::decode::{Change, DecodedStep, TraceDecoder};
use burnside_trace::{End, Evidence};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

/// Columns do not get wider than this; what is longer sticks out.
const WIDEST: usize = 44;
/// How many lines of a state are shown.
const MAX_STATE_LINES: usize = 200;
/// Longer parts of a run, the steps before a loop or those in it, are shortened,
const MAX_STEPS: usize = 200;
/// to so many steps at either end.
const EDGE: usize = 20;
/// A value with more columns than this does not stand twice in a line: its name as an argument does.
const SHORT: usize = 10;
/// So much room has what a cell changes to; if a terminal has less, changes stand below their step.
const ROOM: usize = 16;
/// After more steps than this before a loop, nobody knows the state any more: it is shown.
const REMEMBERED: usize = 20;

/// How wide the columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The number of the step.
    pub number: usize,
    /// The process.
    pub process: usize,
    /// The rule with its arguments; 0 if no rule has a name.
    pub call: usize,
    /// The names of changed cells.
    pub cell: usize,
}

impl Columns {
    /// Columns into which these steps fit.
    pub fn fitting<'a>(steps: impl IntoIterator<Item = (usize, &'a DecodedStep, &'a [Change])>) -> Self {
        let mut columns = Self::default();
        for (number, decoded, changes) in steps {
            columns.number = columns.number.max(number.to_string().len());
            let (process, call) = decoded.parts();
            columns.process = columns.process.max(width_of(&process).min(WIDEST));
            columns.call = columns.call.max(width_of(&call).min(WIDEST));
            let cells = changes.iter().map(|change| width_of(&change.cell).min(WIDEST));
            columns.cell = columns.cell.max(cells.max().unwrap_or(0));
        }
        columns
    }

    /// Up to where the changes begin.
    fn before_changes(&self) -> usize {
        self.number + 2 + self.process + 2 + if self.call > 0 { self.call + 2 } else { 0 }
    }
}

/// What is said about the first state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Whether it is an initial state. If not, the reader knows where the run begins.
    pub initial: bool,
    /// Whether to show its cells.
    pub cells: bool,
}

/// What else there is to say about the states of a run, by position: lines.
pub type Notes = BTreeMap<usize, Vec<String>>;

/// Prints runs, indented.
pub struct TracePrinter<'a> {
    /// How to colour.
    pub paint: Paint,
    /// Before each line.
    pub indent: &'static str,
    /// How much of states.
    pub view: &'a View,
    /// Where to.
    pub out: &'a mut dyn Write,
}

impl TracePrinter<'_> {
    /// The whole run, up to but excluding the faulting step, if there is one.
    pub fn run(&mut self, decoder: &TraceDecoder<'_>, evidence: &Evidence) -> io::Result<()> {
        self.run_with(decoder, evidence, First { initial: true, cells: true }, &Notes::new())
    }

    /// The same with more to say about some of the states.
    pub fn run_with(
        &mut self,
        decoder: &TraceDecoder<'_>,
        evidence: &Evidence,
        about: First,
        notes: &Notes,
    ) -> io::Result<()> {
        let Some(first) = evidence.states.first() else { return Ok(()) };
        let length = evidence.steps.len();
        let split = match evidence.end {
            End::Loop(start) => start,
            _ => length,
        };
        let (stem, cycle) = (shortened(0..split), shortened(split..length));
        let decoded = |part: &[Range<usize>; 2]| {
            let steps = part.iter().cloned().flatten().map(|i| (i + 1, decoder.step_of(evidence, i)));
            steps.collect::<Vec<_>>()
        };
        let (stem, cycle) = (decoded(&stem), decoded(&cycle));
        let fault = decoder.fault(evidence).and_then(|fault| fault.step);
        let tried = fault.iter().map(|decoded| (length + 1, decoded, &[][..]));
        let shown = stem
            .iter()
            .chain(&cycle)
            .map(|(number, (decoded, changes))| (*number, decoded, changes.as_slice()));
        let columns = Columns::fitting(shown.chain(tried));
        self.first(decoder, first, columns, about)?;
        self.notes(columns, notes, 0..1)?;
        let told = (decoder, evidence);
        self.steps(columns, told, &stem, notes)?;
        if let End::Loop(start) = evidence.end {
            writeln!(self.out, "{}{}", self.indent, self.paint.strong("loop:"))?;
            if start > REMEMBERED {
                self.state(decoder, &evidence.states[start], columns.number + 2)?;
            }
            self.steps(columns, told, &cycle, notes)?;
        }
        match (&fault, &evidence.end) {
            (Some(decoded), _) => self.faulting(columns, length + 1, decoded),
            (None, End::Loop(start)) => {
                let back = match start {
                    0 if about.initial => "back to the initial state".to_string(),
                    0 => "back to where this run begins".to_string(),
                    start => format!("back to the state after step {start}"),
                };
                self.remark(columns, &back)
            }
            (None, End::Stutter) => {
                self.remark(columns, "no rule is enabled any more: the run stays here for ever")
            }
            (None, _) => Ok(()),
        }
    }

    /// Steps with their numbers; says so where some were left out.
    fn steps(
        &mut self,
        columns: Columns,
        (decoder, evidence): (&TraceDecoder<'_>, &Evidence),
        steps: &[(usize, (DecodedStep, Vec<Change>))],
        notes: &Notes,
    ) -> io::Result<()> {
        let mut expected = steps.first().map_or(0, |(number, _)| *number);
        for (number, (decoded, changes)) in steps {
            if *number != expected {
                let hidden = format!(
                    "{} {} more steps; `--trace FILE` records all",
                    self.paint.mark(MORE),
                    thousands((number - expected) as u64)
                );
                self.remark(columns, &hidden)?;
                for (position, _) in notes.range(expected..*number) {
                    self.remark(columns, &format!("after step {position}:"))?;
                    self.notes(columns, notes, *position..position + 1)?;
                }
            }
            let after = evidence.states.get(*number).or_else(|| evidence.states.get(evidence.loop_start()?));
            match after.filter(|_| self.view.full) {
                Some(after) => self.whole_step(columns, *number, decoded, (decoder, after))?,
                None => self.step(columns, *number, decoded, changes)?,
            }
            for line in decoder.said_on(evidence, number - 1) {
                self.remark(columns, &line)?;
            }
            self.notes(columns, notes, *number..number + 1)?;
            expected = number + 1;
        }
        Ok(())
    }

    /// What else there is to say about some states.
    fn notes(&mut self, columns: Columns, notes: &Notes, positions: Range<usize>) -> io::Result<()> {
        for line in notes.range(positions).flat_map(|(_, lines)| lines) {
            writeln!(self.out, "{}{}  {line}", self.indent, " ".repeat(columns.number))?;
        }
        Ok(())
    }

    /// A line without a number.
    pub fn remark(&mut self, columns: Columns, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}{}  {}", self.indent, " ".repeat(columns.number), self.paint.dim(text))
    }

    /// A state as the start of a run.
    pub fn initial(&mut self, decoder: &TraceDecoder<'_>, state: &[u64], columns: Columns) -> io::Result<()> {
        self.first(decoder, state, columns, First { initial: true, cells: true })
    }

    fn first(
        &mut self,
        decoder: &TraceDecoder<'_>,
        state: &[u64],
        columns: Columns,
        about: First,
    ) -> io::Result<()> {
        let number = self.paint.dim(&pad_left("0", columns.number));
        let name = if about.initial { "initial state" } else { "from here" };
        writeln!(self.out, "{}{number}  {}", self.indent, self.paint.dim(name))?;
        if about.cells { self.state(decoder, state, columns.number + 2) } else { Ok(()) }
    }

    /// All cells of a state.
    pub fn state(&mut self, decoder: &TraceDecoder<'_>, state: &[u64], shift: usize) -> io::Result<()> {
        let lines = state::compact(decoder.cells(state));
        let width = lines.iter().map(|(name, _)| width_of(name).min(WIDEST)).max().unwrap_or(0);
        let (indent, shift) = (self.indent, " ".repeat(shift + 2));
        for (name, value) in lines.iter().take(MAX_STATE_LINES) {
            writeln!(self.out, "{indent}{shift}{} = {}", pad(name, width), self.paint.value(value))?;
        }
        if lines.len() > MAX_STATE_LINES {
            writeln!(
                self.out,
                "{indent}{shift}{} and {} more",
                self.paint.mark(MORE),
                lines.len() - MAX_STATE_LINES
            )?;
        }
        Ok(())
    }

    /// One step.
    pub fn step(
        &mut self,
        columns: Columns,
        number: usize,
        decoded: &DecodedStep,
        changes: &[Change],
    ) -> io::Result<()> {
        if changes.is_empty() {
            self.head(columns, number, decoded)?;
            let nothing = if self.view.is_partial() { "changes nothing of this" } else { "changes nothing" };
            return writeln!(self.out, "{}", self.paint.dim(nothing));
        }
        let narrow = self.is_narrow(columns);
        let shift = if narrow { columns.number + 4 } else { columns.before_changes() };
        // A call that sticks out leaves no room beside it.
        let beside = !narrow && width_of(&decoded.parts().1) <= columns.call;
        match beside {
            true => self.head(columns, number, decoded)?,
            false => self.head_alone(columns, number, decoded)?,
        }
        for (i, change) in changes.iter().enumerate() {
            if i > 0 || !beside {
                write!(self.out, "{}{}", self.indent, " ".repeat(shift))?;
            }
            self.change(columns, change, decoded)?;
        }
        Ok(())
    }

    /// Whether the terminal has no room for changes behind their steps.
    fn is_narrow(&self, columns: Columns) -> bool {
        let wanted = self.indent.len() + columns.before_changes() + columns.cell + 2 + ROOM;
        self.paint.width.is_some_and(|width| width < wanted)
    }

    /// One step, with the whole state after it.
    pub fn whole_step(
        &mut self,
        columns: Columns,
        number: usize,
        decoded: &DecodedStep,
        (decoder, after): (&TraceDecoder<'_>, &[u64]),
    ) -> io::Result<()> {
        self.head_alone(columns, number, decoded)?;
        self.state(decoder, after, columns.number + 2)
    }

    /// A step with nothing behind it in its line.
    fn head_alone(&mut self, columns: Columns, number: usize, decoded: &DecodedStep) -> io::Result<()> {
        let mut head = Vec::new();
        let (paint, indent, view) = (self.paint, self.indent, self.view);
        TracePrinter { paint, indent, view, out: &mut head }.head(columns, number, decoded)?;
        writeln!(self.out, "{}", String::from_utf8_lossy(&head).trim_end())
    }

    /// A step that faults.
    pub fn faulting(&mut self, columns: Columns, number: usize, decoded: &DecodedStep) -> io::Result<()> {
        self.head(columns, number, decoded)?;
        writeln!(self.out, "{}", self.paint.bad("faults"))
    }

    fn head(&mut self, columns: Columns, number: usize, decoded: &DecodedStep) -> io::Result<()> {
        let number = self.paint.dim(&pad_left(&number.to_string(), columns.number));
        let (process, call) = decoded.parts();
        let process = self.paint.actor(&pad(&process, columns.process));
        write!(self.out, "{}{number}  {process}  ", self.indent)?;
        if columns.call > 0 {
            write!(self.out, "{}  ", self.paint.strong(&pad(&call, columns.call)))?;
        }
        Ok(())
    }

    fn change(&mut self, columns: Columns, change: &Change, decoded: &DecodedStep) -> io::Result<()> {
        let short = |value: &str| argument_for(decoded, value).to_string();
        let name = pad(&format!("{}:", change.cell), columns.cell + 1);
        let Some(difference) = &change.difference else {
            let becomes = self.paint.mark(BECOMES);
            return writeln!(
                self.out,
                "{name} {} {becomes} {}",
                short(&change.before),
                self.paint.value(&short(&change.after))
            );
        };
        let left =
            difference.removed.iter().map(|value| format!("{} {}", self.paint.mark(LEFT), short(value)));
        let came = difference.added.iter().map(|value| format!("+ {}", self.paint.value(&short(value))));
        writeln!(self.out, "{name} {}", left.chain(came).collect::<Vec<_>>().join(", "))
    }
}

/// A value, or the name of the argument that stands in the same line with this value, if it is long.
fn argument_for<'t>(decoded: &'t DecodedStep, value: &'t str) -> &'t str {
    let same = decoded.arguments.iter().find(|(_, argument)| argument == value);
    same.filter(|(name, _)| width_of(value) > SHORT && name.len() < value.len())
        .map_or(value, |(name, _)| name)
}

/// The beginning and the end of a long part of a run.
fn shortened(part: Range<usize>) -> [Range<usize>; 2] {
    match part.len() > MAX_STEPS {
        true => [part.start..part.start + EDGE, part.end - EDGE..part.end],
        false => [part.clone(), part.end..part.end],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_report::difference::Difference;

    fn decoded(process: &str, rule: &str, arguments: &[(&str, &str)]) -> DecodedStep {
        let arguments = arguments.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        DecodedStep { process: process.into(), rule: rule.into(), arguments }
    }

    fn change(cell: &str, before: &str, after: &str) -> Change {
        Change { cell: cell.into(), before: before.into(), after: after.into(), difference: None }
    }

    #[test]
    fn steps_are_in_columns() {
        let steps = [
            (1, decoded("Client[2]", "request", &[]), vec![change("phase[2]", "idle", "requested")]),
            (
                2,
                decoded("Server", "grant", &[("c", "Client#2")]),
                vec![change("lock", "free", "busy"), change("phase[2]", "requested", "granted")],
            ),
            (3, decoded("Server", "rest", &[]), vec![]),
        ];
        let columns =
            Columns::fitting(steps.iter().map(|(n, decoded, changes)| (*n, decoded, changes.as_slice())));
        let mut out = Vec::new();
        let mut printer =
            TracePrinter { paint: Paint::PLAIN, indent: "  ", view: View::CHANGES, out: &mut out };
        for (number, decoded, changes) in &steps {
            printer.step(columns, *number, decoded, changes).unwrap();
        }
        let expected = "
  1  Client[2]  request              phase[2]: idle → requested
  2  Server     grant(c = Client#2)  lock:     free → busy
                                     phase[2]: requested → granted
  3  Server     rest                 changes nothing
";
        assert_eq!(String::from_utf8(out).unwrap(), expected[1..]);
    }

    #[test]
    fn a_long_argument_stands_in_a_line_once() {
        let message = "Msg(kind: grant, to: Client#2)";
        let difference = Some(Difference { removed: vec![message.into()], added: vec![] });
        let net = Change { difference, ..change("net", "…", "…") };
        let changes = [net, change("last", "none", message), change("count", "2", "1")];
        let step = decoded("Net", "deliver", &[("m", message), ("n", "1")]);
        let columns = Columns::fitting([(1, &step, &changes[..])]);
        let mut out = Vec::new();
        let mut printer =
            TracePrinter { paint: Paint::PLAIN, indent: "", view: View::CHANGES, out: &mut out };
        printer.step(columns, 1, &step, &changes).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches(message).count(), 1, "{text}");
        for part in ["net:   − m\n", "last:  none → m\n", "count: 2 → 1\n"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn changes_stand_below_where_there_is_no_room() {
        let long = "m".repeat(WIDEST);
        let steps = [
            (
                1,
                decoded("Net", "deliver", &[("m", &long)]),
                vec![change("x", "1", "2"), change("yy", "3", "4")],
            ),
            (2, decoded("Net", "rest", &[]), vec![change("x", "2", "1")]),
        ];
        let columns =
            Columns::fitting(steps.iter().map(|(n, decoded, changes)| (*n, decoded, changes.as_slice())));
        let told = |width: Option<usize>| {
            let (mut out, paint) = (Vec::new(), Paint { width, ..Paint::PLAIN });
            let mut printer = TracePrinter { paint, indent: "", view: View::CHANGES, out: &mut out };
            for (number, decoded, changes) in &steps {
                printer.step(columns, *number, decoded, changes).unwrap();
            }
            String::from_utf8(out).unwrap()
        };
        let call = format!("1  Net  deliver(m = {long})");
        let gap = " ".repeat(columns.before_changes());
        let rest = format!("2  Net  rest{}x:  2 → 1\n", " ".repeat(WIDEST + 2 - 4));
        assert_eq!(told(None), format!("{call}\n{gap}x:  1 → 2\n{gap}yy: 3 → 4\n{rest}"));
        let narrow = format!("{call}\n     x:  1 → 2\n     yy: 3 → 4\n2  Net  rest\n     x:  2 → 1\n");
        assert_eq!(told(Some(60)), narrow);
    }

    #[test]
    fn rules_without_names_need_no_column() {
        let steps = [
            (1, decoded("t1", "", &[("x", "a")]), vec![change("p1", "1", "0"), change("p2", "0", "1")]),
            (2, decoded("long", "", &[]), vec![]),
        ];
        let columns =
            Columns::fitting(steps.iter().map(|(n, decoded, changes)| (*n, decoded, changes.as_slice())));
        let mut out = Vec::new();
        let mut printer =
            TracePrinter { paint: Paint::PLAIN, indent: "  ", view: View::CHANGES, out: &mut out };
        for (number, decoded, changes) in &steps {
            printer.step(columns, *number, decoded, changes).unwrap();
        }
        let expected = "
  1  t1(x = a)  p1: 1 → 0
                p2: 0 → 1
  2  long       changes nothing
";
        assert_eq!(String::from_utf8(out).unwrap(), expected[1..]);
    }
}
