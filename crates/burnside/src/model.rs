//! A model, loaded: its checked form and its transition system, with the properties from outside it.

use crate::external::{ExternalProperty, Texts};
use crate::generators;
use crate::net::NetModel;
use burnside_lang::check::SettingError;
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::hir;
use burnside_ts::{Permutation, System};

/// A model that can be checked.
#[derive(Clone, Debug)]
pub struct Model {
    /// What it was made from.
    pub front: Front,
    /// What it means. Sites whose `origin` is not 0 are in external properties, numbered from 1.
    pub system: System,
    /// What came from outside the model, each with the name of the property or hint that it became.
    pub external: Vec<(String, ExternalProperty)>,
    /// Generators that are said to be symmetries and are none, or nobody knows. Only the symbolic engine uses
    /// them: what it finds with them is real, but it proves nothing.
    pub claimed: Vec<Permutation>,
}

/// What a transition system was made from.
#[derive(Clone, Debug)]
pub enum Front {
    /// A checked model in our own language.
    Orb(Box<hir::Model>),
    /// A Petri net.
    Net(Box<NetModel>),
}

/// The outcome of loading: a model exactly if nothing is wrong; warnings in any case.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The model.
    pub model: Option<Model>,
    /// Errors and warnings about the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with the constants that were set from outside.
    pub setting_errors: Vec<SettingError>,
    /// Errors and warnings about external properties: for each of them, with places in its text. Nothing if
    /// the model is wrong.
    pub external: Vec<Vec<Diagnostic>>,
}

impl Model {
    /// The checked model, if it was written in our own language.
    pub fn hir(&self) -> Option<&hir::Model> {
        match &self.front {
            Front::Orb(hir) => Some(hir),
            Front::Net(_) => None,
        }
    }

    /// The net, if it is one.
    pub fn net(&self) -> Option<&NetModel> {
        match &self.front {
            Front::Orb(_) => None,
            Front::Net(net) => Some(net),
        }
    }

    /// Loads a model from its text. The settings replace constants: names and texts of values.
    pub fn load(source: &str, settings: &[(String, String)]) -> Loaded {
        Self::load_with(source, settings, &[])
    }

    /// Loads a model and properties from outside, in which its names are known.
    pub fn load_with(source: &str, settings: &[(String, String)], external: &[ExternalProperty]) -> Loaded {
        Self::load_keeping(source, settings, external, false)
    }

    /// The same. If generators of `symmetry` blocks that are wrong, or could not be proved, are to be kept
    /// they are only warned of: see [`Model::claimed`].
    pub fn load_keeping(
        source: &str,
        settings: &[(String, String)],
        external: &[ExternalProperty],
        keep_generators: bool,
    ) -> Loaded {
        let parsed = burnside_lang::syntax::parse(source);
        let mut diagnostics = parsed.diagnostics;
        let checked = burnside_lang::check::check(&parsed.file, settings);
        diagnostics.extend(checked.diagnostics);
        let wrong = diagnostics.iter().any(Diagnostic::is_error) || !checked.setting_errors.is_empty();
        let mut loaded =
            Loaded { model: None, diagnostics, setting_errors: checked.setting_errors, external: Vec::new() };
        let Some(mut hir) = checked.model.filter(|_| !wrong) else { return loaded };
        let (mut texts, mut named) = (Texts::new(source), Vec::new());
        for (index, external) in external.iter().enumerate() {
            let (name, diagnostics) = texts.add(&mut hir, index, external);
            named.push((name, external.clone()));
            loaded.external.push(diagnostics);
        }
        if loaded.external.iter().flatten().any(Diagnostic::is_error) {
            return loaded;
        }
        texts.drop_unused(&mut loaded.diagnostics);
        let mut system = burnside_lang::lower::lower(&hir, &texts.all);
        texts.settle(external, &mut system.sites);
        let (diagnostics, claimed) = generators::adopt(&hir, &mut system, keep_generators);
        loaded.diagnostics.extend(diagnostics);
        system.meet_properties();
        if !loaded.diagnostics.iter().any(Diagnostic::is_error) {
            loaded.model = Some(Model { front: Front::Orb(Box::new(hir)), system, external: named, claimed });
        }
        loaded
    }
}
