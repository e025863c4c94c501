//! Reading models: files or standard input, texts or not, good or bad.

use crate::args::ModelArgs;
use crate::exit::{Failure, visible};
use crate::{crash, output};
use burnside::Model;
use burnside::lang::check::SettingError;
use burnside::lang::diagnostic::Diagnostic;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The greatest size of a model's text.
const MAX_SIZE: u64 = 256 << 20;

/// A text and what it is called.
#[derive(Clone, Debug)]
pub struct Source {
    /// As typed.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A model that has no meaning.
#[derive(Debug)]
pub struct BadModel {
    /// Where it comes from.
    pub source: Source,
    /// Errors and warnings about the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with the constants that were set.
    pub setting_errors: Vec<SettingError>,
}

/// A model that can be used.
#[derive(Debug)]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// The model.
    pub model: Model,
    /// Warnings about the text.
    pub warnings: Vec<Diagnostic>,
}

/// Whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads and loads a model.
pub fn load(args: &ModelArgs) -> Result<Input, Failure> {
    load_source(read(&args.model)?, &args.settings)
}

/// Loads a model that has been read.
pub fn load_source(source: Source, settings: &[(String, String)]) -> Result<Input, Failure> {
    crash::remember(&source, settings);
    let loaded = Model::load(&source.text, settings);
    match loaded.model {
        Some(model) => Ok(Input { source, model, warnings: loaded.diagnostics }),
        None => Err(Failure::Model(Box::new(BadModel {
            source,
            diagnostics: loaded.diagnostics,
            setting_errors: loaded.setting_errors,
        }))),
    }
}

/// Reads and loads a model, and prints the warnings about it.
pub fn load_and_warn(args: &ModelArgs, console: &output::Console) -> Result<Input, Failure> {
    let input = load(args)?;
    console.warnings(&input.source, &input.warnings);
    Ok(input)
}

/// Reads a text. What is not a text is a failure with a reason.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let shown = visible(&path.display().to_string());
    let bytes = if is_stdin(path) { limited(io::stdin().lock()) } else { open(path).and_then(limited) };
    let bytes = bytes.map_err(|error| unreadable(path, &shown, &error))?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(Failure::bad(format!(
            "`{shown}` is too large for a model: more than {} MiB",
            MAX_SIZE >> 20
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        not_text(&shown, &format!("byte {} (0x{:02x}) is not UTF-8", at + 1, error.as_bytes()[at]))
    })?;
    if let Some(at) = text.find('\0') {
        return Err(not_text(&shown, &format!("byte {} is zero", at + 1)));
    }
    let path = if is_stdin(path) { "<stdin>".to_string() } else { shown };
    Ok(Source { path, text })
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    }
}

fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn not_text(shown: &str, why: &str) -> Failure {
    Failure::bad_with_help(
        format!("`{shown}` is not a text file: {why}"),
        "a model is a text in UTF-8, usually named `*.orb`",
    )
}

fn unreadable(path: &Path, shown: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::IsADirectory => Failure::bad_with_help(
            format!("`{shown}` is a directory, not a model"),
            "give the path of a file",
        ),
        io::ErrorKind::NotFound => missing(path, shown),
        _ => Failure::bad(format!("cannot read `{shown}`: {error}")),
    }
}

/// There is no such file, but perhaps one that only lacks its ending.
fn missing(path: &Path, shown: &str) -> Failure {
    let message = format!("there is no file `{shown}`");
    let longer = path.with_extension("orb");
    match longer != path && longer.is_file() {
        true => {
            Failure::bad_with_help(message, format!("there is `{}`", visible(&longer.display().to_string())))
        }
        false => Failure::bad(message),
    }
}
