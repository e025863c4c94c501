//! `burnside check`: check the properties of a model.

use crate::args::{
    Approximate, AutomatonSymmetry, CheckArgs, CheckFormat, CtlAlgorithm, DeadlockPaths, Engine, FairTo,
    Fairness, GlobalProperty, InvarianceGroup, Method, NetFairness, SymbolicMethod, Symmetry,
};
use crate::commands::{explain, unless_closed};
use crate::exit::{Failure, Outcome, visible};
use crate::input::{self, Input, Source};
use crate::output::contest::StateSpace;
use crate::output::document::Part;
use crate::output::progress::ProgressLine;
use crate::output::story::Teller;
use crate::output::{Console, contest, json, text};
use crate::{crash, interrupt, memory};
use burnside::petri::Global;
use burnside::trace::TreeOptions;
use burnside::ts::Strength;
use burnside::{
    CheckError, DiagramOptions, Given, GivenKind, Limits, Model, NetOptions, Observer, Options, Report,
};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &CheckArgs, console: &Console) -> Outcome {
    let outcome = checked(args, console);
    match outcome {
        Err(failure) if args.format == CheckFormat::Json && !matches!(failure, Failure::Output(_)) => {
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
    let source = input::read(&args.model.model)?;
    if !source.is_net() {
        nets_only(args)?;
    }
    let mut input =
        input::load_source(source, &args.model.settings, &given, &net_options(args), args.keep_generators)?;
    if !args.quiet {
        input.warn(console);
    }
    let paths = paths(args, &input);
    let options = Options { properties: wanted(args, &input.model), ..options(args, paths) };
    interrupt::raise_on_interrupt(&options.interrupt);
    let trace = args.trace.as_deref().map(|path| TraceFile::open(path, args)).transpose()?;
    let report = search(&mut input, &options, !args.quiet && !args.no_progress)?;
    if let Some(mut trace) = trace {
        trace.write(json::traces(&input, &Teller::new(&input.model), &report, paths))?;
    }
    let asked = args.globals.contains(&GlobalProperty::StateSpace);
    let state_space = asked.then(|| burnside::state_space(&input.model, &options));
    unless_closed(show(args, console, &input, &report, paths, state_space.as_ref()))?;
    Ok(text::exit(&report))
}

/// The properties and hints from outside the model.
fn given(args: &CheckArgs) -> Result<Vec<Given>, Failure> {
    let paths = args.never.iter().map(PathBuf::as_path).chain([args.model.model.as_path()]);
    if paths.filter(|path| input::is_stdin(path)).count() > 1 {
        return Err(Failure::bad("only one of model and automata can be standard input"));
    }
    let globals: Vec<String> = args.globals.iter().flat_map(|global| names(*global)).collect();
    let typed = [
        (GivenKind::Invariant, &args.invariants),
        (GivenKind::Reachable, &args.reachable),
        (GivenKind::Ltl, &args.ltl),
        (GivenKind::Ctl, &args.ctl),
        (GivenKind::Bound, &args.bounds),
        (GivenKind::Global, &globals),
        (GivenKind::Hint, &args.hints),
    ];
    let typed = typed.into_iter().flat_map(|(kind, texts)| {
        let origin = format!("<command line: --{}>", kind.name());
        texts.iter().map(move |text| Ok(Given { kind, origin: origin.clone(), text: text.clone() }))
    });
    let formulas = args.formulas.iter().map(|path| {
        let Source { path: origin, text } = input::read_formulas(path)?;
        Ok(Given { kind: GivenKind::Contest, origin, text })
    });
    let automata = args.never.iter().map(|path| {
        let Source { path: origin, text } = input::read_automaton(path)?;
        Ok(Given { kind: GivenKind::Automaton, origin, text })
    });
    typed.chain(formulas).chain(automata).collect()
}

/// What a general property is made of.
fn names(global: GlobalProperty) -> Vec<String> {
    let one = |which: Global| vec![which.name().to_string()];
    match global {
        GlobalProperty::ReachabilityDeadlock => one(Global::ReachabilityDeadlock),
        GlobalProperty::OneSafe => one(Global::OneSafe),
        GlobalProperty::QuasiLiveness => one(Global::QuasiLiveness),
        GlobalProperty::Liveness => one(Global::Liveness),
        GlobalProperty::StableMarking => one(Global::StableMarking),
        GlobalProperty::StateSpace => {
            [Global::MaxTokenInPlace, Global::MaxTokenPerMarking].into_iter().flat_map(one).collect()
        }
    }
}

/// Options that only nets know.
fn nets_only(args: &CheckArgs) -> Result<(), Failure> {
    let used = [
        ("--bound", !args.bounds.is_empty()),
        ("--properties", !args.formulas.is_empty()),
        ("--global", !args.globals.is_empty()),
        ("--fair", args.fair.is_some()),
    ];
    match used.into_iter().find(|(_, used)| *used) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::bad_with_help(
            format!("`{option}` is for Petri nets, and this is not one"),
            "a Petri net is a file in PNML, usually named `*.pnml`",
        )),
    }
}

fn net_options(args: &CheckArgs) -> NetOptions {
    let fairness = args.fair.map(|kind| burnside::petri::NetFairness {
        strength: match kind {
            NetFairness::Weak => Strength::Weak,
            NetFairness::Strong => Strength::Strong,
        },
        by_binding: args.fair_to == FairTo::Binding,
    });
    NetOptions { fairness, unreduced: args.symmetry == Symmetry::None }
}

/// The properties to check by name; none: all. What was typed as a formula or condition is checked in any case, and without `--property` nothing of
/// the model besides.
///
/// All properties of a net are from outside; if there are none, deadlocks are looked for.
fn wanted(args: &CheckArgs, model: &Model) -> Vec<String> {
    if model.net().is_some() {
        let nothing =
            args.properties.is_empty() && model.system.properties.is_empty() && model.automata.is_empty();
        return if nothing { vec!["deadlock".to_string()] } else { args.properties.clone() };
    }
    let is_typed = |given: &Given| given.kind != GivenKind::Automaton;
    let properties = || model.given.iter().filter(|(_, given)| given.kind != GivenKind::Hint);
    let mut wanted = args.properties.clone();
    if properties().any(|(_, given)| is_typed(given)) {
        let given = properties().filter(|(_, given)| is_typed(given) || args.properties.is_empty());
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
fn paths(args: &CheckArgs, input: &Input) -> TreeOptions {
    let usual = if input.source.is_net() { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter };
    TreeOptions {
        fair: args.fairness == Fairness::Model,
        maximal: args.deadlock_paths.unwrap_or(usual) == DeadlockPaths::Maximal,
        explore: 0,
    }
}

fn options(args: &CheckArgs, paths: TreeOptions) -> Options {
    Options {
        ignore_deadlock: args.no_deadlock,
        engine: match args.engine {
            Engine::Auto => burnside::Engine::Auto,
            Engine::Explicit => burnside::Engine::Explicit,
            Engine::Symbolic => burnside::Engine::Symbolic,
        },
        diagrams: diagrams(args),
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
        automaton_symmetry: match args.automaton_symmetry {
            AutomatonSymmetry::Exact => burnside::AutomatonSymmetry::Exact,
            AutomatonSymmetry::Local => burnside::AutomatonSymmetry::Local,
            AutomatonSymmetry::None => burnside::AutomatonSymmetry::None,
        },
        keep_quantifiers: args.keep_quantifiers,
        ctl: match args.ctl_algorithm {
            CtlAlgorithm::New => burnside::CtlAlgorithm::New,
            CtlAlgorithm::Emc => burnside::CtlAlgorithm::Emc,
            CtlAlgorithm::Almc => burnside::CtlAlgorithm::Almc,
            CtlAlgorithm::Naive => burnside::CtlAlgorithm::Naive,
        },
        deadlock_paths: match paths.maximal {
            false => burnside::DeadlockPaths::Stutter,
            true => burnside::DeadlockPaths::Maximal,
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

fn diagrams(args: &CheckArgs) -> DiagramOptions {
    // A frontier of so many nodes is still easy to go on from.
    const NODES: usize = 5_000;
    let usual = match args.symbolic_method {
        SymbolicMethod::LiveRep => Approximate::Widen,
        _ => Approximate::None,
    };
    DiagramOptions {
        check: args.check_generators,
        nodes: args.max_nodes,
        reorder: !args.no_reorder,
        method: match args.symbolic_method {
            SymbolicMethod::Classic => burnside::SymbolicMethod::Classic,
            SymbolicMethod::Symmetry => burnside::SymbolicMethod::Symmetry,
            SymbolicMethod::Hints => burnside::SymbolicMethod::Hints,
            SymbolicMethod::LiveRep => burnside::SymbolicMethod::LiveRep,
            SymbolicMethod::Representatives => burnside::SymbolicMethod::Representatives,
            SymbolicMethod::Orbit => burnside::SymbolicMethod::Orbit,
        },
        approximation: match args.approximate.unwrap_or(usual) {
            Approximate::None => burnside::Approximation::None,
            Approximate::Density => burnside::Approximation::Density { nodes: NODES },
            Approximate::Random => burnside::Approximation::Random { seed: 1, nodes: NODES },
            Approximate::Slice => burnside::Approximation::Slice { moving: 2 },
            Approximate::Least => burnside::Approximation::Least,
            Approximate::Widen => burnside::Approximation::Widen,
        },
        forget: args.forget,
        rounds: args.sigma_rounds,
        seldom: args.sigma_seldom,
        invariance: match args.invariance_group {
            InvarianceGroup::Generators => burnside::Invariance::Generators,
            InvarianceGroup::Stabiliser => burnside::Invariance::Stabiliser,
        },
    }
}

fn search(input: &mut Input, options: &Options, with_progress: bool) -> Result<Report, Failure> {
    let mut line = if with_progress { ProgressLine::on_terminal() } else { None };
    let mut silent = ();
    let observer: &mut dyn Observer = match &mut line {
        Some(line) => line,
        None => &mut silent,
    };
    let result = burnside::check_growing(&mut input.model, options, observer);
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

fn show(
    args: &CheckArgs,
    console: &Console,
    input: &Input,
    report: &Report,
    paths: TreeOptions,
    state_space: Option<&StateSpace>,
) -> std::io::Result<()> {
    match args.format {
        CheckFormat::Json => {
            print_json(console, json::report(input, &Teller::new(&input.model), report, paths, state_space))
        }
        CheckFormat::Contest => {
            let mut out = console.stdout();
            contest::report(&mut out, report, state_space)?;
            out.flush()
        }
        CheckFormat::Text if args.quiet => Ok(()),
        CheckFormat::Text => {
            let mut out = console.stdout();
            text::Printer { input, paint: console.out, witness: args.witness, paths }
                .report(&mut out, report)?;
            if let Some(counts) = state_space {
                writeln!(out, "{}", text::state_space(counts))?;
            }
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
