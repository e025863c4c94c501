//! `burnside check`: check the properties of a model.

use crate::args::{CheckArgs, CtlAlgorithm, DeadlockPaths, Fairness, Method, ReportFormat, Symmetry};
use crate::commands::{explain, unless_closed};
use crate::exit::{Failure, Outcome, visible};
use crate::input::{self, Input, Source};
use crate::output::document::Part;
use crate::output::progress::ProgressLine;
use crate::output::story::Teller;
use crate::output::{Console, json, text};
use crate::{crash, interrupt, memory};
use burnside::trace::TreeOptions;
use burnside::{CheckError, Given, GivenKind, Limits, Model, Observer, Options, Report};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &CheckArgs, console: &Console) -> Outcome {
    let outcome = checked(args, console);
    match outcome {
        Err(failure) if args.format == ReportFormat::Json && !matches!(failure, Failure::Output(_)) => {
            let exit = explain(&failure, console);
            let path = visible(&args.model.model.display().to_string());
            unless_closed(print_json(console, json::failure(&path, &failure).into()))?;
            Ok(exit)
        }
        other => other,
    }
}

fn checked(args: &CheckArgs, console: &Console) -> Outcome {
    let given = given(args)?;
    let input = input::load_source(input::read(&args.model.model)?, &args.model.settings, &given)?;
    if !args.quiet {
        input.warn(console);
    }
    let options = Options { properties: wanted(args, &input.model), ..options(args) };
    interrupt::raise_on_interrupt(&options.interrupt);
    let trace = args.trace.as_deref().map(|path| TraceFile::open(path, args)).transpose()?;
    let report = search(&input, &options, !args.quiet && !args.no_progress)?;
    if let Some(mut trace) = trace {
        trace.write(json::traces(&input, &Teller::new(&input.model), &report, paths(args)))?;
    }
    unless_closed(show(args, console, &input, &report))?;
    Ok(text::exit(&report))
}

/// The properties from outside the model.
fn given(args: &CheckArgs) -> Result<Vec<Given>, Failure> {
    let paths = args.never.iter().map(PathBuf::as_path).chain([args.model.model.as_path()]);
    if paths.filter(|path| input::is_stdin(path)).count() > 1 {
        return Err(Failure::bad("only one of model and automata can be standard input"));
    }
    let typed =
        [(GivenKind::Invariant, &args.invariants), (GivenKind::Ltl, &args.ltl), (GivenKind::Ctl, &args.ctl)];
    let typed = typed.into_iter().flat_map(|(kind, texts)| {
        let origin = format!("<command line: --{}>", kind.name());
        texts.iter().map(move |text| Ok(Given { kind, origin: origin.clone(), text: text.clone() }))
    });
    let automata = args.never.iter().map(|path| {
        let Source { path: origin, text } = input::read_automaton(path)?;
        Ok(Given { kind: GivenKind::Automaton, origin, text })
    });
    typed.chain(automata).collect()
}

/// The properties to check by name; none: all. What was typed as a formula or condition is checked in any case, and without `--property` nothing of
/// the model besides.
fn wanted(args: &CheckArgs, model: &Model) -> Vec<String> {
    let is_typed = |given: &Given| given.kind != GivenKind::Automaton;
    let mut wanted = args.properties.clone();
    if model.given.iter().any(|(_, given)| is_typed(given)) {
        let given = model.given.iter().filter(|(_, given)| is_typed(given) || args.properties.is_empty());
        wanted.extend(given.map(|(name, _)| name.clone()));
    }
    wanted
}

/// The file for the runs. It is opened before the search, which may take long, and changed after it.
struct TraceFile {
    file: File,
    shown: String,
}

impl TraceFile {
    fn open(path: &Path, args: &CheckArgs) -> Result<Self, Failure> {
        let shown = visible(&path.display().to_string());
        let is = |other: &Path| match (path.canonicalize(), other.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        };
        if is(&args.model.model) {
            return Err(Failure::bad(format!("the trace file `{shown}` is the model itself")));
        }
        if args.never.iter().any(|automaton| is(automaton)) {
            return Err(Failure::bad(format!("the trace file `{shown}` is an automaton that is to be read")));
        }
        match File::options().write(true).create(true).truncate(false).open(path) {
            Ok(file) => Ok(Self { file, shown }),
            Err(error) => Err(Failure::bad(format!("cannot write the trace file `{shown}`: {error}"))),
        }
    }

    fn write(&mut self, document: Part<'_>) -> Result<(), Failure> {
        // Pipes and devices have no length; there is nothing to cut off then.
        let _ = self.file.set_len(0);
        let mut out = BufWriter::with_capacity(1 << 16, &self.file);
        let written = document.write(&mut out).and_then(|()| out.flush());
        written
            .map_err(|error| Failure::bad(format!("cannot write the trace file `{}`: {error}", self.shown)))
    }
}

/// What paths are, for branching-time properties.
fn paths(args: &CheckArgs) -> TreeOptions {
    TreeOptions {
        fair: args.fairness == Fairness::Model,
        maximal: args.deadlock_paths == DeadlockPaths::Maximal,
        explore: 0,
    }
}

fn options(args: &CheckArgs) -> Options {
    Options {
        ignore_deadlock: args.no_deadlock,
        symmetry: match args.symmetry {
            Symmetry::Auto => burnside::Symmetry::Auto,
            Symmetry::Exact => burnside::Symmetry::Exact,
            Symmetry::Fast => burnside::Symmetry::Fast,
            Symmetry::None => burnside::Symmetry::None,
        },
        method: match args.method {
            Method::OnTheFly => burnside::Method::OnTheFly,
            Method::TwoPhase => burnside::Method::TwoPhase,
        },
        ctl: match args.ctl_algorithm {
            CtlAlgorithm::New => burnside::CtlAlgorithm::New,
            CtlAlgorithm::Emc => burnside::CtlAlgorithm::Emc,
            CtlAlgorithm::Almc => burnside::CtlAlgorithm::Almc,
            CtlAlgorithm::Naive => burnside::CtlAlgorithm::Naive,
        },
        deadlock_paths: match args.deadlock_paths {
            DeadlockPaths::Stutter => burnside::DeadlockPaths::Stutter,
            DeadlockPaths::Maximal => burnside::DeadlockPaths::Maximal,
        },
        fairness: match args.fairness {
            Fairness::Model => burnside::Fairness::Model,
            Fairness::None => burnside::Fairness::None,
        },
        limits: Limits {
            states: args.max_states,
            memory: args.max_memory.or_else(memory::default_limit),
            time: args.timeout,
        },
        ..Options::default()
    }
}

fn search(input: &Input, options: &Options, with_progress: bool) -> Result<Report, Failure> {
    let mut line = if with_progress { ProgressLine::on_terminal() } else { None };
    let mut silent = ();
    let observer: &mut dyn Observer = match &mut line {
        Some(line) => line,
        None => &mut silent,
    };
    let result = burnside::check(&input.model, options, observer);
    drop(line);
    result.map_err(|error| match error {
        CheckError::UnknownProperty(name, known) => unknown_property(&name, &known),
        CheckError::Internal { property, message } => {
            crash::report(Some(&property), &message);
            Failure::Internal(message)
        }
    })
}

fn unknown_property(name: &str, known: &[String]) -> Failure {
    let message = format!("the model has no property `{}`", visible(name));
    let all: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    let all = format!("its properties are {}", all.join(", "));
    match nearest(name, known) {
        Some(near) => Failure::bad_with_help(message, format!("did you mean `{near}`? {all}")),
        None => Failure::bad_with_help(message, all),
    }
}

fn show(args: &CheckArgs, console: &Console, input: &Input, report: &Report) -> std::io::Result<()> {
    match args.format {
        ReportFormat::Json => {
            print_json(console, json::report(input, &Teller::new(&input.model), report, paths(args)))
        }
        ReportFormat::Text if args.quiet => Ok(()),
        ReportFormat::Text => {
            let mut out = console.stdout();
            text::Printer { input, paint: console.out, witness: args.witness, paths: paths(args) }
                .report(&mut out, report)?;
            out.flush()
        }
    }
}

fn print_json(console: &Console, document: Part<'_>) -> std::io::Result<()> {
    let mut out = console.stdout();
    document.write(&mut out)?;
    out.flush()
}

/// The name nearest to one that does not exist, if it is near.
fn nearest<'n>(name: &str, known: &'n [String]) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).max(1);
    let near = known.iter().map(|other| (distance(name, other), other.as_str()));
    near.filter(|&(distance, _)| distance <= limit).min().map(|(_, other)| other)
}

/// How many letters must be changed, added or dropped.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["mutex", "access", "faults"].map(String::from);
        assert_eq!(nearest("mutx", &known), Some("mutex"));
        assert_eq!(nearest("acess", &known), Some("access"));
        assert_eq!(nearest("zebra", &known), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
