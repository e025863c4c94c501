//! Loading a Murphi model.
//!
//! Entry point: [`load`]. What Murphi means is known to `burnside-murphi`, which translates it into our own
//! language; here the translation is checked and lowered, and everything in it is moved to its place in the
//! Murphi text.

use crate::external::Texts;
use crate::loaded::Found;
use crate::model::{Front, Model};
use crate::put::PutOutput;
use crate::source::LoadOptions;
use burnside_lang::check::SettingError;
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::hir::{self, Fairness, Initial, Process, ProcessId};
use burnside_murphi::{Translation, translate};
use burnside_ts::System;
use std::sync::Arc;

/// Loads a model from its text.
pub(crate) fn load(source: &str, options: &LoadOptions) -> Found {
    let translation = translate(source, &options.settings);
    let unknown = translation.unknown_settings.iter().map(|name| SettingError {
        name: name.clone(),
        message: format!("there is no constant `{name}`"),
        help: None,
    });
    let mut found = Found {
        diagnostics: translation.diagnostics.clone(),
        setting_errors: unknown.collect(),
        ..Found::default()
    };
    if !found.diagnostics.is_empty() || !found.setting_errors.is_empty() {
        return found;
    }
    let Some(mut hir) = checked(&translation, &mut found.diagnostics) else { return found };
    if let Some(given) = options.net.fairness {
        let fairness = Fairness { strength: given.strength, changing: false };
        hir.rules.iter_mut().for_each(|rule| rule.fairness = Some(fairness));
    }
    let (mut texts, mut named) = (Texts::of_murphi(source, &translation), Vec::new());
    for (index, external) in options.external.iter().enumerate() {
        let (name, diagnostics) = texts.add(&mut hir, index, external);
        named.push((name, external.clone()));
        found.external.push(diagnostics);
    }
    if found.external.iter().flatten().any(Diagnostic::is_error) {
        return found;
    }
    rename(&mut hir, &translation);
    let analysis = burnside_lang::symmetry::analyse(&hir);
    found.diagnostics.extend(burnside_lang::symmetry::warnings(&hir, &analysis));
    let mut system = burnside_lang::lower::lower(&hir, &texts.all);
    texts.settle(&options.external, &mut system.sites);
    system.meet_properties();
    let put_output = put_output(source, options, &system).map(Arc::new);
    let (front, system) = (Front::Murphi(Arc::new(hir), put_output), Arc::new(system));
    found.model =
        Some(Model { front, system, files: Vec::new(), external: named, claimed: Vec::new(), probed: None });
    found
}

/// What tells what `put` says, if something is said.
fn put_output(source: &str, options: &LoadOptions, model: &System) -> Option<PutOutput> {
    let translation = burnside_murphi::telling(source, &options.settings)?;
    let mut hir = checked(&translation, &mut Vec::new())?;
    rename(&mut hir, &translation);
    let system = burnside_lang::lower::lower(&hir, source);
    let names = |system: &System| system.vars.iter().map(|var| var.name.clone()).collect::<Vec<_>>();
    // Without the same variables in front a state would be taken for another one.
    names(&system).starts_with(&names(model)).then(|| PutOutput {
        vars: model.vars.len(),
        system,
        puts: translation.puts,
    })
}

/// The translation, checked, with the places and names of the Murphi text.
fn checked(translation: &Translation, diagnostics: &mut Vec<Diagnostic>) -> Option<hir::Model> {
    let parsed = burnside_lang::syntax::parse(&translation.text);
    let checked = burnside_lang::check::check(&parsed.file, &[]);
    let origin = |span| translation.origins.origin(span);
    let mut wrong: Vec<Diagnostic> =
        parsed.diagnostics.into_iter().chain(checked.diagnostics).filter(Diagnostic::is_error).collect();
    wrong.iter_mut().flat_map(Diagnostic::notes_mut).for_each(|note| note.span = origin(note.span));
    diagnostics.extend(wrong);
    let mut hir = checked.model.filter(|_| diagnostics.is_empty())?;
    hir.map_spans(&origin);
    for var in hir.vars.iter_mut().filter(|var| translation.overwritten.contains(&var.name)) {
        var.initial = Initial::Zero;
    }
    // Murphi has no processes: every rule is alone in one that is called like it.
    let common = hir.processes.remove(0);
    for (number, (rule, name)) in hir.rules.iter_mut().zip(&translation.rules).enumerate() {
        rule.name.clear();
        rule.process = ProcessId(number as u32);
        hir.processes.push(Process { name: name.clone(), span: rule.span, ..common.clone() });
    }
    for (property, name) in hir.properties.iter_mut().zip(&translation.properties) {
        property.name.clone_from(name);
    }
    Some(hir)
}

/// Gives back the names that the translation could not keep. Formulas know the others, so they come before.
fn rename(hir: &mut hir::Model, translation: &Translation) {
    let other = |name: &str| translation.renamed.get(name).cloned();
    hir.types.rename(&other);
    let vars = hir.vars.iter_mut().map(|var| &mut var.name);
    let constants = hir.constants.iter_mut().map(|constant| &mut constant.name);
    for name in vars.chain(constants).chain(hir.locals.iter_mut().map(|local| &mut local.name)) {
        if let Some(other) = other(name) {
            *name = other;
        }
    }
}
