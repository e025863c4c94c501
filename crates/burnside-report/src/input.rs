//! What is told about: a model with its text and the warnings about it.

use crate::fault::locate;
use burnside::diagnostics::{Diagnostic, SettingError};
use burnside::{ExternalProperty, Model};
use burnside_lang::diagnostic::Span;
use burnside_lang::expect::{Configuration, Expected};
use burnside_lang::import::bundle::{parts, shown};
use burnside_lang::lines::Lines;
use burnside_trace::TreeOptions;
use burnside_ts::Site;
use std::sync::Arc;

/// A text and what it is called.
#[derive(Clone, Debug)]
pub struct Source {
    /// As typed.
    pub path: String,
    /// The text: shared, for it may be large.
    pub text: Arc<String>,
}

/// A model, or a property from outside, that has no meaning.
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
    /// Warnings about what was given beside the model: for each of them, with its text.
    pub external_warnings: Vec<(Source, Vec<Diagnostic>)>,
    /// The constants that were set from outside.
    pub set: Vec<String>,
}

impl Input {
    /// What the model says the verdict of a property should be: in the `check` block with these constants,
    /// fairness and paths, or else where the property is declared.
    pub fn expected(&self, property: &str, paths: TreeOptions) -> Option<Expected> {
        let hir = self.model.hir()?;
        let value = |name: &str| hir.constants.iter().find(|it| it.name == name).map(|it| it.value);
        let is_this = |it: &&Configuration| {
            let said = |name: &String| it.settings.iter().any(|(known, _)| known == name);
            it.settings.iter().all(|(name, set)| value(name) == Some(*set))
                && self.set.iter().all(said)
                && it.fair.unwrap_or(true) == paths.fair
                && it.maximal.unwrap_or(false) == paths.maximal
        };
        let configuration = hir.expectations.configurations.iter().find(is_this);
        hir.expectations.stated(configuration, property)
    }

    /// The text that a site is in: the model or something that was given beside it.
    pub fn source_of(&self, site: &Site) -> Source {
        match self.external_of(site) {
            Some(external) => Source::of(external),
            None => self.source.part(self.part_of(site)),
        }
    }

    /// The number of the file of the model that a site is in; 0 is the model itself.
    fn part_of(&self, site: &Site) -> usize {
        (site.origin as usize).saturating_sub(self.model.external.len())
    }

    /// The place of a site in the text of the model with all that it imports, if it is there.
    pub fn span_of(&self, site: &Site) -> Option<Span> {
        let part = parts(&self.source.text).get(self.part_of(site)).copied()?;
        let range = locate(&self.source.text[part.start..part.end], site)?;
        Some(Span::new((part.start + range.start) as u32, (part.start + range.end) as u32))
    }

    /// What was given beside the model and a site is in, if it is not in the model.
    fn external_of(&self, site: &Site) -> Option<&ExternalProperty> {
        let index = (site.origin as usize).checked_sub(1)?;
        self.model.external.get(index).map(|(_, external)| external)
    }
}

impl Source {
    /// The same with the files that it imports behind it.
    pub fn with_imports(self) -> Self {
        match self.of_model() {
            burnside::Source::Orb(text) if self.path != "<stdin>" => {
                match burnside::files::with_imports(self.path.as_ref(), &text) {
                    Some(all) => Self { path: self.path.clone(), text: all.into() },
                    None => self,
                }
            }
            _ => self,
        }
    }

    /// One of its files, by its number; 0 is the model itself.
    pub fn part(&self, number: usize) -> Self {
        match parts(&self.text).as_slice() {
            [_] => self.clone(),
            parts => {
                let part = parts.get(number).unwrap_or(&parts[0]);
                let text = self.text[part.start..part.end].to_string();
                Self { path: shown(&self.path, part.name), text: text.into() }
            }
        }
    }

    /// The file of it that a place is in.
    pub fn path_at(&self, lines: &Lines<'_>, at: u32) -> String {
        lines.file(at).map_or_else(|| self.path.clone(), |name| shown(&self.path, name))
    }

    /// What a model is loaded from.
    pub fn of_model(&self) -> burnside::Source<'_> {
        burnside::Source::named(&self.path, self.text.as_str())
    }

    /// Whether it is a Petri net in PNML.
    pub fn is_net(&self) -> bool {
        self.of_model().is_net()
    }

    /// Whether it is a Murphi model.
    pub fn is_murphi(&self) -> bool {
        matches!(self.of_model(), burnside::Source::Murphi(_))
    }

    /// The text of something given beside a model.
    pub fn of(external: &ExternalProperty) -> Self {
        Self { path: external.origin.clone(), text: external.text.clone().into() }
    }
}
