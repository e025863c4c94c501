//! What is told about: a model with its text and the warnings about it.

use burnside::diagnostics::{Diagnostic, SettingError};
use burnside::{ExternalProperty, Model};
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
}

impl Input {
    /// The text that a site is in: the model or something that was given beside it.
    pub fn source_of(&self, site: &Site) -> Source {
        match self.external_of(site) {
            Some(external) => Source::of(external),
            None => self.source.clone(),
        }
    }

    /// What was given beside the model and a site is in, if it is not in the model.
    fn external_of(&self, site: &Site) -> Option<&ExternalProperty> {
        let index = (site.origin as usize).checked_sub(1)?;
        self.model.external.get(index).map(|(_, external)| external)
    }
}

impl Source {
    /// What a model is loaded from.
    pub fn of_model(&self) -> burnside::Source<'_> {
        burnside::Source::named(&self.path, self.text.as_str())
    }

    /// Whether it is a Petri net in PNML.
    pub fn is_net(&self) -> bool {
        self.of_model().is_net()
    }

    /// The text of something given beside a model.
    pub fn of(external: &ExternalProperty) -> Self {
        Self { path: external.origin.clone(), text: external.text.clone().into() }
    }
}
