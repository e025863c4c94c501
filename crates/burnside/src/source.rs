//! Where a model comes from, and what else is to be known about it. Data only.

use crate::external::{ExternalKind, ExternalProperty};
use burnside_petri::{NetFairness, NetOptions};
use burnside_ts::System;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Where a model comes from. Texts, paths and systems become one by themselves: see
/// [`Model::load`](crate::Model::load).
///
/// ```
/// use burnside::Source;
///
/// assert!(matches!(Source::from("var x: bool;"), Source::Orb(_)));
/// assert!(matches!(Source::from("<pnml/>"), Source::Net(_)));
/// assert!(matches!(Source::named("net.pnml", ""), Source::Net(_)));
/// assert!(matches!(Source::from(std::path::Path::new("mutex.orb")), Source::File(_)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source<'t> {
    /// A text in our own language.
    Orb(Cow<'t, str>),
    /// A Petri net in PNML.
    Net(Cow<'t, str>),
    /// A Murphi model.
    Murphi(Cow<'t, str>),
    /// A file with one of these: its name and its text say which, as for [`Source::named`].
    File(PathBuf),
    /// A system, from a [`SystemBuilder`](crate::builder::SystemBuilder) or a front end of your own.
    System(Box<System>),
}

impl<'t> Source<'t> {
    /// A text from a place of this name: a net if the name ends with `.pnml` or the text is XML, a
    /// Murphi model if it ends with `.m`, else in our own language.
    pub fn named(name: &str, text: impl Into<Cow<'t, str>>) -> Self {
        let text = text.into();
        let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        match name {
            _ if name.ends_with(".pnml") || is_xml => Source::Net(text),
            _ if name.ends_with(".m") => Source::Murphi(text),
            _ => Source::Orb(text),
        }
    }

    /// Whether it is known to be a Petri net. What a file holds is not known before it is read.
    pub fn is_net(&self) -> bool {
        matches!(self, Source::Net(_))
    }
}

impl<'t> From<&'t str> for Source<'t> {
    fn from(text: &'t str) -> Self {
        Self::named("", text)
    }
}

impl<'t> From<&'t String> for Source<'t> {
    fn from(text: &'t String) -> Self {
        Self::named("", text.as_str())
    }
}

impl From<String> for Source<'_> {
    fn from(text: String) -> Self {
        Self::named("", text)
    }
}

impl From<&Path> for Source<'_> {
    fn from(path: &Path) -> Self {
        Source::File(path.to_path_buf())
    }
}

impl From<PathBuf> for Source<'_> {
    fn from(path: PathBuf) -> Self {
        Source::File(path)
    }
}

impl From<System> for Source<'_> {
    fn from(system: System) -> Self {
        Source::System(Box::new(system))
    }
}

/// What else is to be known to load a model.
///
/// ```
/// use burnside::{Kind, LoadOptions, Model};
///
/// let text = "
///     const N = 3;
///     var x: 0..N;
///     process P { rule up when x < N { x = x + 1; } }
///     deadlock allowed;
/// ";
/// let options = LoadOptions::new().set("N", 5).property(Kind::Invariant, "x < 5");
/// let model = Model::load(text, &options).into_model()?;
/// assert_eq!(model.properties().collect::<Vec<_>>(), ["invariant-1"]);
/// # Ok::<(), burnside::LoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Constants that are replaced: names and values as written.
    pub settings: Vec<(String, String)>,
    /// Properties and hints from outside, in which the names of the model are known.
    pub external: Vec<ExternalProperty>,
    /// What else is to be known about a net.
    pub net: NetOptions,
    /// Whether generators of `symmetry` blocks that are wrong, or could not be proved, are kept and only
    /// warned of: see [`Model::claimed`](crate::Model::claimed).
    pub keep_generators: bool,
    /// Whether conditions are to be watched: see [`coverage`](crate::coverage()).
    pub coverage: bool,
}

impl LoadOptions {
    /// Nothing set, nothing added.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces a constant.
    #[must_use]
    pub fn set(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.settings.push((name.into(), value.to_string()));
        self
    }

    /// Replaces constants, each a name and a value as written.
    #[must_use]
    pub fn settings(mut self, settings: &[(String, String)]) -> Self {
        self.settings.extend_from_slice(settings);
        self
    }

    /// Adds a property, or a hint, as a text. Its name in the report is its kind with a number:
    /// [`Model::properties`](crate::Model::properties) tells.
    #[must_use]
    pub fn property(mut self, kind: impl Into<ExternalKind>, text: impl Into<String>) -> Self {
        self.external.push(ExternalProperty::new(kind, text));
        self
    }

    /// Adds properties and hints that say where they come from.
    #[must_use]
    pub fn external(mut self, external: &[ExternalProperty]) -> Self {
        self.external.extend_from_slice(external);
        self
    }

    /// Says how fairly the transitions of a net fire.
    #[must_use]
    pub fn fair(mut self, fairness: NetFairness) -> Self {
        self.net.fairness = Some(fairness);
        self
    }

    /// Does not look for symmetries of a net.
    #[must_use]
    pub fn unreduced(mut self) -> Self {
        self.net.unreduced = true;
        self
    }

    /// Says what else is to be known about a net.
    #[must_use]
    pub fn net(mut self, net: NetOptions) -> Self {
        self.net = net;
        self
    }

    /// Keeps generators of `symmetry` blocks that are wrong or could not be proved.
    #[must_use]
    pub fn keep_generators(mut self) -> Self {
        self.keep_generators = true;
        self
    }
}
