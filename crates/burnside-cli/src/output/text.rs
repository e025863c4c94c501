//! Reports for people.

use crate::exit::Exit;
use crate::input::Input;
use crate::output::marks::{HOLDS, VIOLATED};
use crate::output::trace::TracePrinter;
use crate::output::tree::TreePrinter;
use crate::output::view::View;
use crate::output::{Paint, actors, fairness, fault, pad, pad_left, plural, separated, width_of};
use burnside::{Answer, AutomatonSymmetry, Choice, Kind, Model, Report, Verdict};
use burnside_lang::expect::Expected;
use burnside_report::names::Names;
use burnside_report::reason::{first_run, reason};
use burnside_report::verdict::{self, quoted};
use burnside_report::{culprit, figures, group};
use burnside_trace::{End, Evidence, Reason, TreeOptions, explain};
use burnside_ts::Symmetry;
use std::io::{self, Write};

/// A verdict, how it is called for one property and for several, and how it is coloured.
type Word = (&'static str, &'static str, fn(Paint, &str) -> String);

const INDENT: &str = "      ";

/// How a report is printed.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// What was checked.
    pub input: &'a Input,
    /// How to colour.
    pub paint: Paint,
    /// How much of the states of runs.
    pub view: &'a View,
    /// Whether to show the runs that reach goals and bounds, and why branching-time properties hold.
    pub witness: bool,
    /// What paths are, for branching-time properties.
    pub paths: TreeOptions,
}

/// The parts of a property's line, one per column.
struct Row<'r> {
    result: &'r Answer,
    figures: Option<[String; 4]>,
    /// Which symmetries are left, if the property breaks some.
    group: Option<String>,
    /// What the model says the verdict should be.
    expected: Option<Expected>,
    /// Of a branching-time property: a state, and why it is true or false there.
    reason: Option<(&'r [u64], Reason<'r, 'r>)>,
}

/// How wide the columns are.
struct Widths {
    name: usize,
    kind: usize,
    verdict: usize,
    figures: [usize; 4],
}

impl Widths {
    fn of(rows: &[Row<'_>]) -> Self {
        let widest = |text: &dyn Fn(&Row<'_>) -> usize| rows.iter().map(text).max().unwrap_or(0);
        let figure =
            |i: usize| widest(&|row| row.figures.as_ref().map_or(0, |figures| width_of(&figures[i])));
        Self {
            name: widest(&|row| width_of(&row.name())),
            kind: widest(&|row| width_of(row.kind())),
            verdict: widest(&|row| width_of(verdict::word(&row.result.verdict))),
            figures: std::array::from_fn(figure),
        }
    }
}

/// The model and its constants in one line.
pub fn header(path: &str, model: &Model, paint: Paint) -> String {
    let constants = model
        .hir()
        .into_iter()
        .flat_map(|hir| &hir.constants)
        .map(|it| format!("{} = {}", it.name, it.value));
    let constants = constants.collect::<Vec<_>>().join(", ");
    let rest = if constants.is_empty() { String::new() } else { format!("  {}", paint.dim(&constants)) };
    format!("{}{rest}", paint.strong(path))
}

impl Printer<'_> {
    /// Prints the whole report.
    pub fn report(&self, out: &mut dyn Write, report: &Report) -> io::Result<()> {
        let rows: Vec<Row<'_>> =
            report.results.iter().map(|result| self.row(result, &report.group)).collect();
        writeln!(out, "{}\n", header(&self.input.source.path, &self.input.model, self.paint))?;
        let mut gap = true;
        let widths = Widths::of(&rows);
        for row in &rows {
            writeln!(out, "{}", self.line(row, &widths))?;
            gap = !self.details(out, row)?;
        }
        if gap {
            writeln!(out)?;
        }
        if let Some(reason) = &report.chosen {
            writeln!(out, "{}", self.paint.dim(&format!("checked with decision diagrams: {reason}")))?;
        }
        writeln!(out, "{}", self.summary(report))
    }

    /// What is shown beneath the line of a property, as lines that begin at the left.
    pub fn shown(&self, result: &Answer) -> io::Result<String> {
        let mut out = Vec::new();
        self.details(&mut out, &self.row(result, &result.group))?;
        let text = String::from_utf8_lossy(&out);
        let lines = text.trim_end().lines().map(|line| line.strip_prefix(INDENT).unwrap_or(line));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn row<'r>(&'r self, result: &'r Answer, group: &Symmetry) -> Row<'r> {
        let reason = reason(&self.input.model, result, self.paths);
        let group = (result.group != *group).then(|| self.group(result, group));
        let expected = self.input.expected(&result.property, self.paths);
        Row { result, figures: figures::of(result), group, expected, reason }
    }

    /// How many symmetries a property leaves, and of which types.
    fn group(&self, result: &Answer, all: &Symmetry) -> String {
        let system = &self.input.model.system;
        let order = |group: &Symmetry| separated(&group::order(system, group));
        let moved = group::moved(system, &result.group).join(", ");
        let of = if moved.is_empty() { moved } else { format!(" (of {moved})") };
        self.paint.dim(&format!("{} of {} symmetries{of}", order(&result.group), order(all)))
    }

    /// Mark, name, kind, verdict, figures and a note.
    fn line(&self, row: &Row<'_>, widths: &Widths) -> String {
        let (mark, verdict) = self.verdict(&row.result.verdict, widths.verdict);
        let name = self.paint.strong(&pad(&row.name(), widths.name));
        let kind = self.paint.dim(&pad(row.kind(), widths.kind));
        let figures = row.figures.iter().flatten().zip(widths.figures);
        let figures = figures.map(|(figure, width)| pad_left(figure, width));
        let figures = figures.filter(|figure| !figure.is_empty()).collect::<Vec<_>>().join("  ");
        let tail = [self.paint.dim(&figures), row.note(self.paint)];
        let tail: Vec<_> = tail.into_iter().filter(|part| !part.is_empty()).collect();
        format!("  {mark} {name}  {kind}  {verdict}  {}", tail.join("  ")).trim_end().to_string()
    }

    fn verdict(&self, verdict: &Verdict, width: usize) -> (String, String) {
        let word = pad(verdict::word(verdict), width);
        match verdict {
            Verdict::Holds => (self.paint.good(&self.paint.mark(HOLDS)), self.paint.good(&word)),
            Verdict::Violated => (self.paint.bad(&self.paint.mark(VIOLATED)), self.paint.bad(&word)),
            Verdict::Unknown(_) => (self.paint.open("?"), self.paint.open(&word)),
        }
    }

    /// What is shown beneath a property's line. Tells whether it ends in an empty line.
    fn details(&self, out: &mut dyn Write, row: &Row<'_>) -> io::Result<bool> {
        let result = row.result;
        if let Some((state, reason)) = &row.reason {
            let is_shown = result.verdict == Verdict::Violated || self.witness && first_run(reason).is_some();
            if is_shown {
                self.tree(out, result, state, reason)?;
            }
            return Ok(is_shown);
        }
        match (&result.verdict, &result.evidence) {
            (Verdict::Holds, Some(evidence)) if self.witness => self.run(out, result, evidence)?,
            (Verdict::Violated, Some(evidence)) => self.run(out, result, evidence)?,
            (Verdict::Violated, None) if result.kind == Kind::Reachable => {
                writeln!(
                    out,
                    "{INDENT}{}: {}",
                    self.paint.bad("true in no reachable state"),
                    quoted(&result.text)
                )?;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn run(&self, out: &mut dyn Write, result: &Answer, evidence: &Evidence) -> io::Result<()> {
        let (paint, view) = (self.paint, self.view);
        let decoder = view.decoder(&self.input.model);
        TracePrinter { paint, indent: INDENT, view, out: &mut *out }.run(&decoder, evidence)?;
        if !evidence.states.is_empty() {
            writeln!(out)?;
        }
        self.fairness(out, evidence)?;
        for line in actors::lines(&self.input.model.system, evidence) {
            writeln!(out, "{INDENT}{line}")?;
        }
        for line in self.ending(result, evidence).lines() {
            writeln!(out, "{INDENT}{line}")?;
        }
        writeln!(out)
    }

    /// Why a branching-time formula is true or false.
    fn tree(
        &self,
        out: &mut dyn Write,
        result: &Answer,
        state: &[u64],
        reason: &Reason<'_, '_>,
    ) -> io::Result<()> {
        let model = &self.input.model;
        let (decoder, names) = (self.view.decoder(model), Names::of(model, &result.property));
        let (paint, view, fair) = (self.paint, self.view, self.paths.fair);
        let printer = TreePrinter { paint, view, decoder: &decoder, names: &names, fair };
        for line in printer.lines(reason, state) {
            writeln!(out, "{}", format!("{INDENT}{line}").trim_end())?;
        }
        writeln!(out)
    }

    /// Why an infinite run is fair.
    fn fairness(&self, out: &mut dyn Write, evidence: &Evidence) -> io::Result<()> {
        let system = &self.input.model.system;
        let lines = fairness::lines(system, &explain(system, evidence), self.paint);
        let decoded = fairness::explanation(&lines, evidence, self.paint);
        for line in &decoded {
            writeln!(out, "{INDENT}{line}")?;
        }
        if decoded.is_empty() { Ok(()) } else { writeln!(out) }
    }

    /// What is special about the end of a run.
    fn ending(&self, result: &Answer, evidence: &Evidence) -> String {
        let show = |paint: String, text: &str| format!("{paint}: {}", quoted(text));
        match (&evidence.end, result.kind) {
            (End::Fault(step, fault), _) => {
                let prefix = if step.is_none() { "the initialisation faults:\n" } else { "" };
                format!("{prefix}{}", self.fault(*fault))
            }
            (End::Undefined(fault), _) => {
                format!("evaluating `{}` here faults:\n{}", result.property, self.fault(*fault))
            }
            (End::State, Kind::Deadlock) => {
                format!("{}: no rule is enabled here", self.paint.bad("deadlock"))
            }
            (End::State, Kind::Reachable) => show(self.paint.good("true here"), &result.text),
            (End::State, Kind::Bound) => {
                let value = result.value.map_or_else(String::new, |value| value.to_string());
                show(self.paint.good(&format!("{value} here")), &result.text)
            }
            (End::State, Kind::Never) => show(self.paint.bad("matched here"), &result.text),
            (End::State, _) => show(self.paint.bad("false here"), &result.text),
            (End::Loop(_) | End::Stutter, Kind::Automaton) => {
                show(self.paint.bad("this run is accepted"), &result.text)
            }
            (End::Loop(_) | End::Stutter, _) => {
                let whom = culprit::name(&self.input.model, &result.property, evidence);
                let whom = whom.map_or_else(String::new, |whom| format!(", {whom}"));
                show(format!("{}{whom}", self.paint.bad("false of this run")), &result.text)
            }
        }
    }

    fn fault(&self, fault: burnside_ts::Fault) -> String {
        let room = self.paint.width.map(|width| width.saturating_sub(INDENT.len()));
        fault::render(self.input, fault, Paint { width: room, ..self.paint })
    }

    fn summary(&self, report: &Report) -> String {
        let count =
            |wanted: &str| report.results.iter().filter(|r| verdict::word(&r.verdict) == wanted).count();
        let words: [Word; 3] = [
            ("violated", "violated", Paint::bad),
            ("unknown", "unknown", Paint::open),
            ("holds", "hold", Paint::good),
        ];
        let verdicts = words.into_iter().filter_map(|(one, many, color)| match count(one) {
            0 => None,
            1 => Some(color(self.paint, &format!("1 {one}"))),
            n => Some(color(self.paint, &format!("{n} {many}"))),
        });
        let verdicts: Vec<_> = verdicts.collect();
        let figures = figures::of_report(report);
        format!("{}  {}", verdicts.join(", "), self.paint.dim(&format!("({figures})")))
    }
}

impl Row<'_> {
    /// The name; of a bound, with its value.
    fn name(&self) -> String {
        let name = &self.result.property;
        self.result.value.map_or_else(|| name.clone(), |value| format!("{name} = {value}"))
    }

    /// The kind, unless the name says it already.
    fn kind(&self) -> &'static str {
        match self.result.kind {
            Kind::Faults | Kind::Deadlock => "",
            kind => kind.name(),
        }
    }

    fn note(&self, paint: Paint) -> String {
        let note = self.verdict_note(paint);
        let product = self.result.stats.product.map(|product| {
            let states = plural(product.states, "state", "states");
            paint.dim(&match self.result.automaton_symmetry {
                None | Some(AutomatonSymmetry::None) => format!("{states} in the product"),
                Some(kind) => format!("{states} in the product, {kind} symmetries of the automaton"),
            })
        });
        let weighed = self.result.weighed.as_ref().map(|weighed| paint.open(&weighed.to_string()));
        let hunt = self.result.stats.hunt.map(|hunt| paint.dim(&hunt.to_string()));
        let reduced = self.result.partial_order.map(|reduced| paint.dim(&reduced.to_string()));
        let parts = product.into_iter().chain(hunt).chain(self.group.clone()).chain(weighed).chain(reduced);
        let parts = parts.chain((!note.is_empty()).then_some(note)).chain(self.expectation(paint));
        parts.collect::<Vec<_>>().join("  ")
    }

    /// Whether the verdict is what the model says it should be, where it says something.
    fn expectation(&self, paint: Paint) -> Option<String> {
        let expected = self.expected?.name();
        Some(match expected == verdict::word(&self.result.verdict) {
            true => paint.dim("(expected)"),
            false => paint.bad(&format!("(not expected: it should be `{expected}`)")),
        })
    }

    fn verdict_note(&self, paint: Paint) -> String {
        let run = self.reason.as_ref().and_then(|(_, reason)| first_run(reason));
        let run = run.as_deref().or(self.result.evidence.as_ref());
        let color = match self.result.verdict {
            Verdict::Unknown(_) => Paint::open,
            Verdict::Violated => Paint::bad,
            Verdict::Holds if run.is_none() => Paint::open,
            Verdict::Holds => Paint::dim,
        };
        color(paint, &verdict::note(self.result, run))
    }
}

/// The exit code of a report.
pub fn exit(report: &Report) -> Exit {
    let any = |wanted: fn(&Verdict) -> bool| report.results.iter().any(|result| wanted(&result.verdict));
    match (any(|v| *v == Verdict::Violated), any(|v| matches!(v, Verdict::Unknown(_)))) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Good,
    }
}
