//! What comes of loading: a model, or why there is none.
//!
//! Entry point: [`Loaded::new`], from what a front end [found](Found). Invariant: there is a model exactly if
//! nothing is wrong, and otherwise at least one [`Problem`].

use crate::model::Model;
use crate::read::ReadError;
use crate::source::LoadOptions;
use burnside_lang::check::SettingError;
use burnside_lang::diagnostic::{Code, Diagnostic};
use burnside_lang::import::bundle::shown;
use burnside_lang::lines::Lines;
use std::fmt;
use std::path::Path;

/// The outcome of loading: a model exactly if nothing is wrong; warnings in any case.
///
/// ```
/// use burnside::{LoadOptions, Model};
///
/// let text = "var x: bool; var unused: bool; process P { rule r { x = !x; } }";
/// let loaded = Model::load(text, &LoadOptions::new());
/// assert_eq!(loaded.diagnostics[0].code, "unused-variable");
/// let model = loaded.into_model()?;
/// # Ok::<(), burnside::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model, or all that is wrong.
    pub model: Result<Model, LoadError>,
    /// Errors and warnings about the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with the constants that were set from outside.
    pub setting_errors: Vec<SettingError>,
    /// Errors and warnings about external properties: for each of them, with places in its text. Nothing if
    /// the model is wrong.
    pub external: Vec<Vec<Diagnostic>>,
}

impl Loaded {
    /// The model; warnings are dropped.
    ///
    /// ```
    /// use burnside::{LoadOptions, Model};
    ///
    /// fn load(text: &str) -> Result<Model, Box<dyn std::error::Error>> {
    ///     Ok(Model::load(text, &LoadOptions::new()).into_model()?)
    /// }
    /// assert!(load("var x: bool; process P { rule r { x = !x; } }").is_ok());
    /// assert!(load("var").is_err());
    /// ```
    pub fn into_model(self) -> Result<Model, LoadError> {
        self.model
    }

    /// Makes problems of what a front end found wrong; `origin` is the file of the text.
    pub(crate) fn new(origin: Option<&Path>, text: &str, options: &LoadOptions, found: Found) -> Self {
        let Found { model, diagnostics, setting_errors, external } = found;
        let wrong = || {
            let origin = origin.map(|path| path.display().to_string());
            let mut problems = errors(origin.as_deref(), text, &diagnostics);
            problems.extend(setting_errors.iter().map(Problem::of_setting));
            for (given, diagnostics) in options.external.iter().zip(&external) {
                problems.extend(errors(Some(&given.origin), &given.text, diagnostics));
            }
            LoadError { problems }
        };
        let model = model.ok_or_else(wrong);
        Self { model, diagnostics, setting_errors, external }
    }

    /// A model about which there is nothing to say.
    pub(crate) fn built(model: Model) -> Self {
        let (diagnostics, setting_errors, external) = Default::default();
        Self { model: Ok(model), diagnostics, setting_errors, external }
    }

    /// There is not even a text.
    pub(crate) fn unreadable(path: &Path, error: &ReadError) -> Self {
        let mut problem = Problem::new(Code::Unreadable, error.to_string());
        problem.origin = Some(path.display().to_string());
        Self::refused(problem)
    }

    /// Nothing was looked at, for this reason.
    pub(crate) fn refused(problem: Problem) -> Self {
        let (diagnostics, setting_errors, external) = Default::default();
        let model = Err(LoadError { problems: vec![problem] });
        Self { model, diagnostics, setting_errors, external }
    }
}

/// What a front end makes of a text.
#[derive(Default)]
pub(crate) struct Found {
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
    pub setting_errors: Vec<SettingError>,
    pub external: Vec<Vec<Diagnostic>>,
}

/// Why there is no model: everything that is wrong, one line each.
///
/// ```
/// use burnside::{LoadOptions, Model};
///
/// let text = "process P { rule r { x = !x; } }\nvar x: bol;";
/// let error = Model::load(text, &LoadOptions::new()).into_model().unwrap_err();
/// assert_eq!(error.problems[0].place, Some((2, 8)));
/// assert_eq!(error.to_string(), "2:8: unknown type `bol` (did you mean `bool`?)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// What is wrong: first with the model, then with what was given beside it. At least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// One thing that is wrong, with its place in words that people use. [`Loaded::diagnostics`] has the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the text comes from: a file, or what was given beside the model. None: the text of the model.
    pub origin: Option<String>,
    /// The line and the column in characters, both from 1, if it is about a place in a text.
    pub place: Option<(u32, u32)>,
    /// What it is about, with a stable name, for example `unknown-name`.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { origin: None, place: None, code, message: message.into(), help: None }
    }

    fn of_setting(error: &SettingError) -> Self {
        Self { help: error.help.clone(), ..Self::new(Code::Setting, error.message.clone()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.origin {
            write!(f, "{origin}:")?;
        }
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        let space = if self.origin.is_some() || self.place.is_some() { " " } else { "" };
        write!(f, "{space}{}", self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// The errors of some diagnostics about a text.
fn errors(origin: Option<&str>, text: &str, diagnostics: &[Diagnostic]) -> Vec<Problem> {
    let wrong = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let lines = Lines::new(text);
    let problem = |it: &Diagnostic| {
        let at = it.primary.span.start;
        let (line, column) = lines.position(at);
        let origin = match (origin, lines.file(at)) {
            (Some(model), Some(name)) => Some(shown(model, name)),
            (model, name) => model.or(name).map(str::to_string),
        };
        Problem {
            origin,
            place: Some((line as u32, column as u32)),
            code: it.code,
            message: it.message.clone(),
            help: it.help.clone(),
        }
    };
    wrong.map(problem).collect()
}
