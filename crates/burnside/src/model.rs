//! A model, loaded: its text, its checked form and its transition system.

use crate::generators;
use burnside_lang::check::SettingError;
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::hir;
use burnside_ts::System;

/// A model that can be checked.
#[derive(Clone, Debug)]
pub struct Model {
    /// The checked model.
    pub hir: hir::Model,
    /// What it means.
    pub system: System,
}

/// The outcome of loading: a model exactly if nothing is wrong; warnings in any case.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Option<Model>,
    /// Errors and warnings about the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with the constants that were set from outside.
    pub setting_errors: Vec<SettingError>,
}

impl Model {
    /// Loads a model from its text. The settings replace constants: names and texts of values.
    pub fn load(source: &str, settings: &[(String, String)]) -> Loaded {
        let parsed = burnside_lang::syntax::parse(source);
        let mut diagnostics = parsed.diagnostics;
        let checked = burnside_lang::check::check(&parsed.file, settings);
        diagnostics.extend(checked.diagnostics);
        let wrong = diagnostics.iter().any(Diagnostic::is_error) || !checked.setting_errors.is_empty();
        let model = checked.model.filter(|_| !wrong).map(|hir| {
            let mut system = burnside_lang::lower::lower(&hir, source);
            diagnostics.extend(generators::adopt(&hir, &mut system));
            Model { hir, system }
        });
        let model = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        Loaded { model, diagnostics, setting_errors: checked.setting_errors }
    }
}
