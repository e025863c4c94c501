//! `burnside check --for-every`: what holds however many members a family has; and `burnside verify`.

use crate::args::{CheckArgs, CheckFormat, Export, VerifyArgs};
use crate::commands::{check, unless_closed};
use crate::crash;
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::input::{self, Source};
use crate::output::diagnostics;
use crate::output::marks::{HOLDS, MORE, VIOLATED};
use crate::output::progress::ProgressDisplay;
use crate::output::view::View;
use crate::output::{Console, Paint, pad, plural, separated, text, width_of};
use crate::supervisor::Supervisor;
use burnside::every::{
    EveryAnswer, EveryCertificate, EveryError, EveryOptions, EveryReport, Finding, NotProved, Refusal,
    Unproved, for_every, verify,
};
use burnside::{Kind, LoadOptions, Options};
use burnside_report::decode::TraceDecoder;
use burnside_report::every::{document, instances, state_lines, verdict};
use burnside_report::input::Input;
use burnside_trace::TreeOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

const INDENT: &str = "      ";

/// Runs `check` with `--for-every`.
pub fn run(args: &CheckArgs, constant: &str, console: &Console, supervisor: &Supervisor) -> Outcome {
    if !matches!(args.format, CheckFormat::Text | CheckFormat::Json) {
        let message = "with `--for-every` the result is printed as text or JSON";
        return Err(Failure::bad_with_help(message, "use `--format text` or `--format json`"));
    }
    let source = input::read(&args.model.model)?.with_imports();
    let constant = (!constant.is_empty()).then(|| constant.to_string());
    let options = options(&source, &args.model.settings, constant, check::plain_options(args, supervisor))?;
    let (trust, explain, tla) = (args.trust, args.explain, args.export == Some(Export::Tla));
    let options = EveryOptions { trust, explain, tla, ..options };
    supervisor.phase("the model was checked");
    let progress = if args.quiet { args.progress.unless_asked_for() } else { args.progress };
    let mut display = ProgressDisplay::new(progress, &options.check.limits);
    let report = for_every(&source.text, &options, &mut display);
    drop(display);
    let report = report.map_err(|error| failure(&source, &args.model.settings, error))?;
    supervisor.phase("the report was written");
    if let Some(path) = &args.certificate {
        write_certificate(path, &args.model.model, &report)?;
    }
    let text = match supervisor.closing(|| render(args, console, &source, &report)) {
        Ok(text) => text?,
        Err(stop) => return Err(Failure::Stopped(stop)),
    };
    supervisor.writing();
    let mut out = console.stdout();
    unless_closed(out.write_all(&text).and_then(|()| out.flush()))?;
    Ok(exit(&report))
}

/// Runs `verify`.
pub fn check_certificate(args: &VerifyArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    if input::is_stdin(&args.model.model) && input::is_stdin(&args.file) {
        return Err(Failure::bad("only one of model and certificate can be standard input"));
    }
    let source = input::read(&args.model.model)?.with_imports();
    let given = input::read_certificate(&args.file)?;
    let certificate = EveryCertificate::read(&given.text)
        .map_err(|damage| Failure::bad(format!("`{}` is damaged: {damage}", given.path)))?;
    let check = Options { limits: supervisor.limits(), ..Options::default() };
    let constant = Some(certificate.constant.clone());
    let options = options(&source, &args.model.settings, constant, check)?;
    supervisor.phase("the certificate was checked");
    let started = Instant::now();
    let mut display = ProgressDisplay::new(args.progress, &options.check.limits);
    let checked = verify(&source.text, &options, &certificate, &mut display);
    drop(display);
    let checked = checked.map_err(|error| failure(&source, &args.model.settings, error))?;
    let mut out = console.report();
    let paint = console.out;
    let exit = match checked {
        Ok(verified) => {
            let properties = match verified.properties.len() {
                0 => String::from("nothing"),
                _ => verified.properties.join(", "),
            };
            let states = plural(verified.states, "state", "states");
            writeln!(
                out,
                "{} the certificate proves, for every {}: {properties}",
                paint.good(&paint.mark(HOLDS)),
                certificate.constant
            )?;
            let seconds = started.elapsed().as_secs_f64();
            let cost = format!("({states} of sizes up to B = {}, {seconds:.2} s)", verified.largest);
            writeln!(out, "{}", paint.dim(&cost))?;
            Exit::Good
        }
        Err(why) => {
            let why = match why {
                NotProved::Rejected(rejection) => rejection.to_string(),
                NotProved::Refused(refusal) => place(&source, &refusal),
            };
            writeln!(out, "{} the certificate proves nothing: {why}", paint.bad(&paint.mark(VIOLATED)))?;
            Exit::Violated
        }
    };
    out.flush()?;
    Ok(exit)
}

/// What is needed of a source and the options of a command.
fn options(
    source: &Source,
    settings: &[(String, String)],
    constant: Option<String>,
    check: Options,
) -> Result<EveryOptions, Failure> {
    if source.is_net() {
        return Err(Failure::bad("a Petri net has no families of any size"));
    }
    if source.is_murphi() {
        let message = "a Murphi model is not judged for every size as it stands";
        let help = "translate it with `burnside translate`, and check what comes out";
        return Err(Failure::bad_with_help(message, help));
    }
    crash::remember(source, settings, &[]);
    Ok(EveryOptions { constant, settings: settings.to_vec(), check, ..EveryOptions::default() })
}

fn failure(source: &Source, settings: &[(String, String)], error: EveryError) -> Failure {
    match error {
        // What is wrong with a text is shown as always.
        EveryError::Load(error) => {
            let options = LoadOptions::new().settings(settings);
            match input::load_source(source.clone(), &options) {
                Err(failure) => failure,
                Ok(_) => Failure::bad(format!("the model cannot be loaded at another size: {error}")),
            }
        }
        EveryError::Constant(message, help) => Failure::bad_with_help(message, help),
        EveryError::UnknownProperty(name, known) => check::unknown_property(&name, &known),
        EveryError::Check(_, burnside::CheckError::Internal { property, message }) => {
            crash::report(Some(&property), &message);
            Failure::Internal(message)
        }
        EveryError::NoInitialState => {
            let help = "assume less, or let more variables start with `any`";
            Failure::bad_with_help(error.to_string(), help)
        }
        EveryError::Check(size, error) => Failure::bad(format!("the instance of size {size}: {error}")),
        EveryError::Stopped(stop) => Failure::Stopped(stop),
        EveryError::Internal(message) => {
            crash::report(None, &message);
            Failure::Internal(message)
        }
    }
}

fn write_certificate(path: &Path, model: &Path, report: &EveryReport) -> Result<(), Failure> {
    let shown = visible(&path.display().to_string());
    if let (Ok(one), Ok(other)) = (path.canonicalize(), model.canonicalize())
        && one == other
    {
        return Err(Failure::bad(format!("the certificate `{shown}` is the model itself")));
    }
    let text = report.certificate.to_string();
    std::fs::write(path, text)
        .map_err(|error| Failure::bad(format!("cannot write the certificate `{shown}`: {error}")))
}

fn render(args: &CheckArgs, console: &Console, source: &Source, report: &EveryReport) -> io::Result<Vec<u8>> {
    let violated = instances(source, report);
    let mut out = Vec::new();
    if args.format == CheckFormat::Json {
        let decoders: Vec<TraceDecoder<'_>> =
            violated.iter().map(|(_, input)| TraceDecoder::new(&input.model).typed()).collect();
        return document(source, report, &violated, &decoders).text();
    }
    if let Some(module) = &report.tla {
        return Ok(module.clone().into_bytes());
    }
    if !args.quiet {
        let mut page = console.page(&mut out);
        EveryPage { source, report, violated: &violated, paint: console.out }.write(&mut page)?;
        page.flush()?;
    }
    Ok(out)
}

struct EveryPage<'a> {
    source: &'a Source,
    report: &'a EveryReport,
    violated: &'a [(u32, Input)],
    paint: Paint,
}

impl EveryPage<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let EveryReport { constant, family, .. } = self.report;
        let about = self.paint.dim(&format!("every {constant}, the size of {family}"));
        writeln!(out, "{}  {about}\n", self.paint.strong(&self.source.path))?;
        let answers = &self.report.answers;
        let name = answers.iter().map(|it| width_of(&it.property)).max().unwrap_or(0);
        let kind = answers.iter().map(|it| width_of(kind(it))).max().unwrap_or(0);
        for answer in answers {
            let (mark, words) = self.verdict(answer);
            let name = self.paint.strong(&pad(&answer.property, name));
            let kind = self.paint.dim(&pad(self::kind(answer), kind));
            writeln!(out, "{}", format!("  {mark} {name}  {kind}  {words}").trim_end())?;
            self.details(out, answer)?;
        }
        self.refusals(out)?;
        self.explained(out)?;
        if !self.report.skipped.is_empty() {
            let skipped = self.report.skipped.join(", ");
            let note = format!(
                "not judged for every {constant}, for they are neither invariants, `never` nor `ltl`: {skipped}"
            );
            writeln!(out, "\n{}", self.paint.dim(&note))?;
        }
        writeln!(out, "\n{}", self.summary())
    }

    fn verdict(&self, answer: &EveryAnswer) -> (String, String) {
        let (paint, constant) = (self.paint, &self.report.constant);
        match &answer.finding {
            Finding::Holds { k, contexts, views, followed } => {
                let (member, members, view, views_) = match self.report.is_ring {
                    false => ("member", "members", "view", "views"),
                    true => ("neighbour", "neighbours", "window", "windows"),
                };
                let members = plural(u64::from(*k), member, members);
                let views = plural(*views, view, views_);
                let counted = match contexts.is_empty() {
                    true => String::new(),
                    false => format!(", counting {}", contexts.join(" and ")),
                };
                let followed = match followed {
                    Some(nodes) => format!("{} of one followed, ", plural(*nodes, "situation", "situations")),
                    None => String::new(),
                };
                let how = paint.dim(&format!("{followed}{views} of {members}{counted}"));
                let words = paint.good(&format!("holds for every {constant}"));
                (paint.good(&paint.mark(HOLDS)), format!("{words}  {how}"))
            }
            Finding::Violated { size } => {
                let words = paint.bad(&format!("violated for {constant} = {size}"));
                (paint.bad(&paint.mark(VIOLATED)), format!("{words}  {}", paint.dim("the least")))
            }
            Finding::Unknown { up_to, .. } => {
                let known = match up_to {
                    0 => String::new(),
                    _ => format!("  {}", paint.dim(&format!("holds up to {constant} = {up_to}"))),
                };
                let words = paint.open(&format!("unknown for every {constant}"));
                (paint.open("?"), format!("{words}{known}"))
            }
        }
    }

    fn details(&self, out: &mut dyn Write, answer: &EveryAnswer) -> io::Result<()> {
        match &answer.finding {
            Finding::Holds { .. } => Ok(()),
            Finding::Violated { size } => self.run(out, answer, *size),
            // What is wrong with the whole model is said once, below.
            Finding::Unknown { reason: Unproved::Refused(_), .. } if !self.report.refusals.is_empty() => {
                Ok(())
            }
            Finding::Unknown { reason, .. } => {
                let lines = match reason {
                    Unproved::Refused(refusal) => vec![place(self.source, refusal)],
                    Unproved::Stopped(why) => vec![why.clone()],
                    Unproved::Spurious(spurious) => {
                        let members = plural(u64::from(spurious.k), "member", "members");
                        let head = format!("views of {members} allow this, which need not be reachable:");
                        let cells = state_lines(spurious).into_iter().map(|line| format!("  {line}"));
                        std::iter::once(head).chain(cells).collect()
                    }
                };
                lines.iter().try_for_each(|line| writeln!(out, "{INDENT}{line}"))
            }
        }
    }

    /// The run that shows a violation.
    fn run(&self, out: &mut dyn Write, answer: &EveryAnswer, size: u32) -> io::Result<()> {
        let mut all = self.violated.iter().zip(&self.report.violations);
        let found = all.find(|((it, _), (_, of))| *it == size && of.answer(&answer.property).is_some());
        let Some(((_, input), (_, report))) = found else { return Ok(()) };
        let Some(result) = report.answer(&answer.property) else { return Ok(()) };
        let paths = TreeOptions { fair: true, maximal: false, explore: 0 };
        let printer = text::Printer { input, paint: self.paint, view: View::CHANGES, witness: false, paths };
        for line in printer.shown(result)?.lines() {
            writeln!(out, "{}", format!("{INDENT}{line}").trim_end())?;
        }
        writeln!(out)
    }

    /// What is in the way of any proof.
    fn refusals(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.report.refusals.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nnothing can be proved for every {}, because of this:", self.report.constant)?;
        self.report.refusals.iter().try_for_each(|it| writeln!(out, "  {}", place(self.source, it)))
    }

    /// What the proofs say.
    fn explained(&self, out: &mut dyn Write) -> io::Result<()> {
        for (proof, explained) in self.report.certificate.proofs.iter().zip(&self.report.explained) {
            writeln!(out, "\nin every reachable state, for {}:", proof.properties.join(", "))?;
            explained.clauses.iter().try_for_each(|clause| writeln!(out, "  {clause}"))?;
            let views = plural(proof.views.len() as u64, "view", "views");
            let note = match explained.exact {
                true => format!("this is all that the {views} say"),
                false => format!("the {views} say more: see `--certificate` and `--export`"),
            };
            writeln!(out, "  {}", self.paint.dim(&note))?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        let count = |word: &str| self.report.answers.iter().filter(|it| verdict(&it.finding) == word).count();
        let parts = [("violated", "violated"), ("unknown", "unknown"), ("holds", "hold")];
        let parts = parts.into_iter().filter_map(|(one, many)| match count(one) {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        });
        let parts = parts.collect::<Vec<_>>().join(", ");
        let checked = match &self.report.verified {
            Some(it) => {
                let states = separated(&it.states.to_string());
                format!("proofs checked on {states} states of sizes up to {}, ", it.largest)
            }
            None if count("holds") > 0 => String::from("proofs not checked, "),
            None => String::new(),
        };
        let time = format!("{:.2} s", self.report.time.as_secs_f64());
        format!("{parts}  {}", self.paint.dim(&format!("({checked}{time})")))
    }
}

/// The kind, unless the name says it already.
fn kind(answer: &EveryAnswer) -> &'static str {
    match answer.kind {
        Kind::Faults => "",
        kind => burnside::Choice::name(kind),
    }
}

/// A place in the text, and why it is in the way.
fn place(source: &Source, refusal: &Refusal) -> String {
    let at = diagnostics::place(source, refusal.span.start);
    let text = refusal.span.text(&source.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match text.char_indices().nth(60) {
        Some((at, _)) => format!("{} {MORE}", &text[..at]),
        None => text,
    };
    let help = refusal.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
    format!("{at} `{text}`: {}{help}", refusal.message)
}

fn exit(report: &EveryReport) -> Exit {
    let any = |word: &str| report.answers.iter().any(|answer| verdict(&answer.finding) == word);
    match (any("violated"), any("unknown")) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Good,
    }
}
