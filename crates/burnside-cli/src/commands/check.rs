//! `burnside check`: check the properties of a model.

use crate::args::{CheckArgs, CheckFormat, Examination, ProgressArgs};
use crate::commands::{every, external, kept, member, unless_closed, watch};
use crate::crash;
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::input::{self, Input, Source};
use crate::nearest::nearest;
use crate::output::advice::advice;
use crate::output::progress::ProgressDisplay;
use crate::output::view::View;
use crate::output::{Console, Paint, contest, coverage, text};
use crate::supervisor::Supervisor;
use burnside::nets::NetOptions;
use burnside::{
    CheckError, Checkpoints, Cluster, Coverage, DeadlockPaths, DiagramOptions, ExternalKind,
    ExternalProperty, Fairness, Kind, Limits, LoadOptions, Model, Options, Report, Shortcuts, Stop,
};
use burnside_explorer::html;
use burnside_limits::{Interrupt, Threads, current};
use burnside_report::decode::TraceDecoder;
use burnside_report::json::StateSpace;
use burnside_report::outcome::CheckReport;
use burnside_report::{figures, json, junit, markdown, page, sarif};
use burnside_trace::TreeOptions;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(args: &CheckArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    if !args.watch {
        return once(args, console, supervisor);
    }
    let files = || {
        let beside = args.external.formulas.iter().chain(&args.external.never);
        let imported = input::imported(&args.model.model);
        std::iter::once(&args.model.model).chain(beside).cloned().chain(imported).collect()
    };
    watch::run(files, console, supervisor, || once(args, console, supervisor))
}

fn once(args: &CheckArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("the model was read");
    if let Some(constant) = &args.for_every {
        return every::run(args, constant, console, supervisor);
    }
    let external = external::external(&args.external, &args.model.model, &args.hints)?;
    let source = input::read(&args.model.model)?;
    external::nets_only(&args.external, &source)?;
    answer(args, Texts { source: source.with_imports(), external }, None, console, supervisor)
}

/// What is checked: the texts that were read.
pub struct Texts {
    /// The model, with all that it imports.
    pub source: Source,
    /// What was given beside it.
    pub external: Vec<ExternalProperty>,
}

/// Checks what was read. If it was kept, the check goes on where it was.
pub fn answer(
    args: &CheckArgs,
    texts: Texts,
    kept: Option<Checkpoints>,
    console: &Console,
    supervisor: &Supervisor,
) -> Outcome {
    supervisor.phase("the model was loaded");
    let (given, external) = (texts.source.clone(), &texts.external);
    let mut input = input::load_source(given, &load_options(args, external))?;
    if !args.quiet {
        input::warn(&input, console);
    }
    let view = View::new(&args.view, &input.model)?;
    let paths = paths(args, &input);
    let options = Options { properties: wanted(args, &input.model), ..options(args, paths, supervisor) };
    let trace = args.trace.as_deref().map(|path| TraceFile::open(path, args)).transpose()?;
    let cluster = member::join(args, &input, external, &options, supervisor)?;
    let kept = kept::begin(args, kept, &texts, &input, &options)?;
    if let Some(kept) = &kept {
        supervisor.keep(kept);
    }
    let options = Options { checkpoints: kept.clone(), ..options };
    supervisor.phase("the model was checked");
    let progress = match args.quiet {
        true => args.progress.unless_asked_for(),
        false => args.progress,
    };
    let mut report = search(&input, &options, progress, cluster.as_ref())?;
    kept.iter().for_each(|kept| kept::end(kept, &report, args.quiet, console));
    // The runs are about places with the room that they needed.
    input.model = report.model.clone();
    let asked = args.external.globals.contains(&Examination::StateSpace);
    let state_space = asked.then(|| burnside::state_space(&input.model, &options));
    let coverage = args.coverage.then(|| {
        supervisor.phase("all states were visited for `--coverage`");
        burnside::coverage(&input.model, &options)
    });
    let details = Details { view: &view, state_space: state_space.as_ref(), coverage: coverage.as_ref() };
    supervisor.phase("the report was written");
    let wanted = trace.is_some();
    // A part of a document would be none, so it is written when it is whole.
    let whole = |report: &Report, omitted: Option<&str>| {
        let traces = || json::traces(&input, &TraceDecoder::new(&input.model), report, paths).text();
        let text = render(args, console, &input, report, paths, details, omitted)?;
        Ok::<_, Failure>((wanted.then(traces).transpose()?, text))
    };
    let (traces, text) = match supervisor.closing(|| whole(&report, None)) {
        Ok(both) => both?,
        Err(stop) => {
            let reason = supervisor.explain(&stop);
            console.note(&format!("the runs are left out: {reason}"));
            report.results.iter_mut().for_each(|result| (result.evidence, result.tree) = (None, None));
            // The file for the runs is written too: what was in it is about another check.
            Interrupt::new().enter(|| whole(&report, Some(&reason)))?
        }
    };
    supervisor.writing();
    if let (Some(mut file), Some(traces)) = (trace, traces) {
        file.write(&traces)?;
    }
    let mut out = console.stdout();
    unless_closed(out.write_all(&text).and_then(|()| out.flush()))?;
    if let Some(advice) = advice(&input, &report).filter(|_| args.format == CheckFormat::Text && !args.quiet)
    {
        console.note(&advice);
    }
    Ok(match (text::exit(&report), state_space) {
        (Exit::Good, Some(Err(_))) => Exit::Unknown,
        (exit, _) => exit,
    })
}

fn load_options(args: &CheckArgs, external: &[ExternalProperty]) -> LoadOptions {
    let fairness = external::net_fairness(args.external.fair, args.external.fair_to);
    let net = NetOptions {
        fairness,
        unreduced: args.symmetry == burnside::Symmetry::None,
        ..NetOptions::default()
    };
    let keep_generators = args.keep_generators;
    let options = LoadOptions { net, keep_generators, coverage: args.coverage, ..LoadOptions::new() };
    options.settings(&args.model.settings).external(external)
}

/// The properties to check by name; none: all. What was given on the command line is checked in any case, but
/// for files of formulas, from which
/// `--property` picks; and if something was typed as a formula or condition, without `--property` nothing of
/// the model besides.
///
/// All properties of a net are from outside; if there are none, deadlocks are looked for.
fn wanted(args: &CheckArgs, model: &Model) -> Vec<String> {
    let external = || {
        let files_and_hints = [ExternalKind::Hint, ExternalKind::Contest];
        model.external.iter().filter(move |(_, it)| !files_and_hints.contains(&it.kind))
    };
    let is_net = model.net().is_some();
    let all_else = is_net || external().all(|(_, it)| it.kind == Kind::Automaton.into());
    if !args.properties.is_empty() || !all_else {
        let named = args.properties.iter().map(|name| if is_net { visible(name) } else { name.clone() });
        return named.chain(external().map(|(name, _)| name.clone())).collect();
    }
    let nothing = is_net && model.system.properties.is_empty();
    nothing.then(|| "deadlock".to_string()).into_iter().collect()
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
        if args.external.never.iter().any(|automaton| is(automaton)) {
            return Err(Failure::bad(format!("the trace file `{shown}` is an automaton that is to be read")));
        }
        match File::options().write(true).create(true).truncate(false).open(path) {
            Ok(file) => Ok(Self { file, shown }),
            Err(error) => Err(Failure::bad(format!("cannot write the trace file `{shown}`: {error}"))),
        }
    }

    fn write(&mut self, document: &[u8]) -> Result<(), Failure> {
        // Pipes and devices have no length; there is nothing to cut off then.
        let _ = self.file.set_len(0);
        self.file
            .write_all(document)
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

/// The options of a check of the properties that are asked for by name.
pub fn plain_options(args: &CheckArgs, supervisor: &Supervisor) -> Options {
    let paths = TreeOptions { fair: true, maximal: false, explore: 0 };
    Options { properties: args.properties.clone(), ..options(args, paths, supervisor) }
}

fn options(args: &CheckArgs, paths: TreeOptions, supervisor: &Supervisor) -> Options {
    Options {
        ignore_deadlock: args.no_deadlock,
        engine: args.engine,
        machine: args.machine,
        diagrams: diagrams(args),
        search: args.search,
        // The figures of the state space are those of a whole search.
        shortcuts: match args.external.globals.contains(&Examination::StateSpace) {
            true => Shortcuts::None,
            false => args.shortcuts,
        },
        seed: args.seed,
        symmetry: args.symmetry,
        partial_order: args.partial_order,
        method: args.method,
        automaton_symmetry: args.automaton_symmetry,
        keep_quantifiers: args.keep_quantifiers,
        ctl: args.ctl_algorithm,
        deadlock_paths: if paths.maximal { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter },
        fairness: args.fairness,
        limits: Limits {
            states: args.max_states,
            nodes: Some(args.max_nodes),
            property_time: args.property_timeout,
            threads: args.threads.map_or_else(Threads::all, Threads::of),
            compress: args.compress,
            ..supervisor.limits()
        },
        ..Options::default()
    }
}

fn diagrams(args: &CheckArgs) -> DiagramOptions {
    DiagramOptions {
        check: args.check_generators,
        reorder: !args.no_reorder,
        method: args.symbolic_method,
        part: args.approximate,
        forget: args.forget,
        rounds: args.sigma_rounds,
        seldom: args.sigma_seldom,
        invariance: args.invariance_group,
    }
}

fn search(
    input: &Input,
    options: &Options,
    progress: ProgressArgs,
    cluster: Option<&Cluster>,
) -> Result<Report, Failure> {
    let mut display = ProgressDisplay::new(progress, &options.limits);
    options.checkpoints.iter().for_each(|kept| display.tell_of(kept));
    let result = match cluster {
        Some(cluster) => burnside::check_on(cluster, &input.model, options, &mut display),
        None => burnside::check(&input.model, options, &mut display),
    };
    drop(display);
    result.map_err(|error| match error {
        CheckError::NoInitialState(excluding) => input::no_initial_state(input, excluding),
        CheckError::UnknownProperty(name, known) => unknown_property(&name, &known),
        CheckError::Stopped(stop) => Failure::Stopped(stop),
        CheckError::Internal { property, message } => {
            crash::report(Some(&property), &message);
            Failure::Internal(message)
        }
    })
}

/// There is no such property.
pub fn unknown_property(name: &str, known: &[String]) -> Failure {
    let message = format!("the model has no property `{}`", visible(name));
    let all: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    let all = format!("its properties are {}", all.join(", "));
    match nearest(name, known) {
        Some(near) => Failure::bad_with_help(message, format!("did you mean `{near}`? {all}")),
        None => Failure::bad_with_help(message, all),
    }
}

/// What a report tells besides verdicts, and how.
#[derive(Clone, Copy)]
struct Details<'t> {
    view: &'t View,
    state_space: Option<&'t StateSpace>,
    coverage: Option<&'t Result<Coverage, Stop>>,
}

/// The text of the report; `omitted` says why there are no runs in it.
fn render(
    args: &CheckArgs,
    console: &Console,
    input: &Input,
    report: &Report,
    paths: TreeOptions,
    details: Details<'_>,
    omitted: Option<&str>,
) -> std::io::Result<Vec<u8>> {
    let Details { view, state_space, coverage } = details;
    let mut out = Vec::new();
    match args.format {
        CheckFormat::Json => {
            let decoder = TraceDecoder::new(&input.model).typed();
            return json::report(input, &decoder, report, paths, (state_space, coverage), omitted).text();
        }
        CheckFormat::Html => {
            let limits = Limits { interrupt: current().unwrap_or_default(), ..Limits::default() };
            let data = page::data(input, report, paths, &limits, omitted);
            return Ok(html::report_page(&data).into_bytes());
        }
        CheckFormat::Junit | CheckFormat::Sarif | CheckFormat::Markdown => {
            let plain = text::Printer { input, paint: Paint::PLAIN, view, witness: args.witness, paths };
            let shown = report.results.iter().map(|result| plain.shown(result));
            let shown = shown.collect::<std::io::Result<Vec<_>>>()?;
            let details = CheckReport { input, report, paths, state_space, omitted, shown };
            return match args.format {
                CheckFormat::Junit => {
                    Ok(junit::document("burnside", &[junit::report(&details)]).into_bytes())
                }
                CheckFormat::Sarif => sarif::report(&details),
                _ => Ok(markdown::report(&details).into_bytes()),
            };
        }
        CheckFormat::Contest => contest::report(&mut out, report, state_space)?,
        CheckFormat::Text if args.quiet => {}
        CheckFormat::Text => {
            let mut page = console.page(&mut out);
            text::Printer { input, paint: console.out, view, witness: args.witness, paths }
                .report(&mut page, report)?;
            if let Some(counts) = state_space {
                writeln!(page, "{}", figures::state_space(counts))?;
            }
            if let Some(coverage) = coverage {
                coverage::print(&mut page, coverage, &input.model, console.out)?;
            }
            page.flush()?;
        }
    }
    Ok(out)
}
