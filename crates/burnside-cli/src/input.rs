//! Reading models: files or standard input, texts or not, good or bad.

use crate::args::ModelArgs;
use crate::exit::{Failure, visible};
use crate::recorded::Stream;
use crate::{crash, output};
use burnside::files::{MAX_SIZE, ReadError, open, read_file, read_text, with_imports};
use burnside::{LoadOptions, Model};
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_lang::import::bundle::parts;
pub use burnside_report::input::{BadModel, Input, Source};
use burnside_ts::SiteId;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Prints the warnings.
pub fn warn(input: &Input, console: &output::Console) {
    console.warnings(&input.source, &input.warnings);
    input.external_warnings.iter().for_each(|(source, warnings)| console.warnings(source, warnings));
}

/// Why there is nothing to check: the assumptions at these places exclude all initial states.
pub fn no_initial_state(input: &Input, excluding: BTreeSet<SiteId>) -> Failure {
    let span = |site: SiteId| input.span_of(input.model.system.site(site)).unwrap_or_default();
    let mut spans: Vec<Span> = excluding.into_iter().map(span).collect();
    let last = spans.pop().unwrap_or_default();
    let label = if spans.is_empty() { "this is never true" } else { "this is never true of what is left" };
    let error = Diagnostic::error(Code::NoInitialState, last, "the model has no initial state").label(label);
    let error = spans.into_iter().fold(error, |error, span| error.note(span, "this excludes others"));
    let help = "every combination of initial values is excluded: assume less, or let more variables start with `any`";
    Failure::Model(vec![BadModel {
        source: input.source.clone(),
        diagnostics: vec![error.help(help)],
        setting_errors: Vec::new(),
    }])
}

/// Gives the places of a net a lot of room: for what does not search.
pub fn widen(input: &mut Input) -> Result<(), Failure> {
    input.model.widen().map_err(|stop| Failure::bad(stop.to_string()))
}

/// A path as it is shown.
pub fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// Whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads and loads a model. The places of a net get a lot of room.
pub fn load(args: &ModelArgs) -> Result<Input, Failure> {
    let mut input = load_source(read(&args.model)?, &LoadOptions::new().settings(&args.settings))?;
    widen(&mut input)?;
    Ok(input)
}

/// Loads a model that has been read, with properties from outside.
pub fn load_source(source: Source, options: &LoadOptions) -> Result<Input, Failure> {
    let LoadOptions { settings, external, .. } = options;
    let source = source.with_imports();
    crash::remember(&source, settings, external);
    if source.is_net() && !settings.is_empty() {
        return Err(Failure::bad_with_help(
            "a Petri net has no constants that could be set",
            "leave out `--set`",
        ));
    }
    let loaded = Model::load(source.of_model(), options);
    let about_external = external.iter().map(Source::of).zip(loaded.external);
    let about_external: Vec<(Source, Vec<Diagnostic>)> = about_external.collect();
    if let Ok(model) = loaded.model {
        let set = settings.iter().map(|(name, _)| name.clone()).collect();
        let (warnings, external_warnings) = (loaded.diagnostics, about_external);
        return Ok(Input { source, model, warnings, external_warnings, set });
    }
    let wrong = |diagnostics: &[Diagnostic]| diagnostics.iter().any(Diagnostic::is_error);
    let is_model_wrong = wrong(&loaded.diagnostics) || !loaded.setting_errors.is_empty();
    let mut bad = Vec::new();
    if is_model_wrong {
        let (diagnostics, setting_errors) = (loaded.diagnostics, loaded.setting_errors);
        bad.push(BadModel { source, diagnostics, setting_errors });
    }
    let about_external = about_external.into_iter().filter(|(_, diagnostics)| wrong(diagnostics));
    bad.extend(about_external.map(|(source, diagnostics)| BadModel {
        source,
        diagnostics,
        setting_errors: Vec::new(),
    }));
    Err(Failure::Model(bad))
}

/// Reads and loads a model, and prints the warnings about it.
pub fn load_and_warn(args: &ModelArgs, console: &output::Console) -> Result<Input, Failure> {
    let input = load(args)?;
    warn(&input, console);
    Ok(input)
}

/// What a text should be.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// A noun.
    what: &'static str,
    /// How its files are usually named.
    ending: &'static str,
}

/// Reads the text of a model. What is not a text is a failure with a reason.
pub fn read(path: &Path) -> Result<Source, Failure> {
    read_as(path, Wanted { what: "a model", ending: "orb" })
}

/// Models that are larger are not looked through for imports again and again.
const MAX_WATCHED: u64 = 1 << 20;

/// The files that a model imports, those that are not there included; none if it cannot be read.
pub fn imported(path: &Path) -> Vec<PathBuf> {
    let is_small = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MAX_WATCHED);
    let text = is_small.then(|| read_file(path).ok()).flatten();
    let all = text.and_then(|text| with_imports(path, &text)).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    parts(&all).iter().skip(1).map(|part| folder.join(part.name)).collect()
}

/// Reads formulas about a net.
pub fn read_formulas(path: &Path) -> Result<Source, Failure> {
    read_as(path, Wanted { what: "a set of formulas", ending: "xml" })
}

/// Reads the text of an automaton.
pub fn read_automaton(path: &Path) -> Result<Source, Failure> {
    read_as(path, Wanted { what: "an automaton", ending: "hoa" })
}

/// Reads the text of a certificate.
pub fn read_certificate(path: &Path) -> Result<Source, Failure> {
    read_as(path, Wanted { what: "a certificate", ending: "cert" })
}

/// Opens a trace file, of any size.
pub fn trace_file(path: &Path) -> Result<Stream<'static>, Failure> {
    let shown = shown(path);
    if is_stdin(path) {
        return Ok(Stream::new("<stdin>", io::stdin().lock()));
    }
    let wanted = Wanted { what: "a trace file", ending: "json" };
    match open(path) {
        Ok(file) => Ok(Stream::new(&shown, file)),
        Err(error) => Err(unreadable(path, &shown, &error.into(), wanted)),
    }
}

fn read_as(path: &Path, wanted: Wanted) -> Result<Source, Failure> {
    let shown = shown(path);
    let text = if is_stdin(path) { read_text(io::stdin().lock()) } else { read_file(path) };
    let text = text.map_err(|error| unreadable(path, &shown, &error, wanted))?;
    let path = if is_stdin(path) { "<stdin>".to_string() } else { shown };
    Ok(Source { path, text: text.into() })
}

fn unreadable(path: &Path, shown: &str, error: &ReadError, wanted: Wanted) -> Failure {
    let Wanted { what, ending } = wanted;
    match error {
        ReadError::Missing => missing(path, shown, ending),
        ReadError::Directory => {
            Failure::bad_with_help(format!("`{shown}` is a directory, not {what}"), "give the path of a file")
        }
        ReadError::TooLarge => {
            Failure::bad(format!("`{shown}` is too large for {what}: more than {} MiB", MAX_SIZE >> 20))
        }
        ReadError::NotText(why) => Failure::bad_with_help(
            format!("`{shown}` is not a text file: {why}"),
            format!("{what} is a text in UTF-8, usually named `*.{ending}`"),
        ),
        ReadError::Io(error) => Failure::bad(format!("cannot read `{shown}`: {error}")),
    }
}

/// There is no such file, but perhaps one that only lacks its ending.
fn missing(path: &Path, shown: &str, ending: &str) -> Failure {
    let message = format!("there is no file `{shown}`");
    let longer = path.with_extension(ending);
    match longer != path && longer.is_file() {
        true => Failure::bad_with_help(message, format!("there is `{}`", self::shown(&longer))),
        false => Failure::bad(message),
    }
}
