//! Loading a model in our own language.
//!
//! Entry point: [`load`]. What comes from outside is put behind the text (see `external`), generators of
//! `symmetry` blocks are proved (see `generators`).

use crate::external::Texts;
use crate::generators;
use crate::loaded::Found;
use crate::model::{Front, Model};
use crate::probed::Probed;
use crate::source::LoadOptions;
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_lang::hir;
use burnside_lang::import::bundle::parts;
use burnside_lang::lines::Lines;
use burnside_ts::Site;
use std::sync::Arc;

/// Loads a model from its text.
pub(crate) fn load(source: &str, options: &LoadOptions) -> Found {
    let LoadOptions { settings, external, keep_generators, coverage, .. } = options;
    let linked = burnside_lang::import::parse(source);
    let mut diagnostics = linked.diagnostics;
    let checked = burnside_lang::check::check(&linked.file, settings);
    diagnostics.extend(checked.diagnostics);
    let wrong = diagnostics.iter().any(Diagnostic::is_error) || !checked.setting_errors.is_empty();
    let mut found =
        Found { model: None, diagnostics, setting_errors: checked.setting_errors, external: Vec::new() };
    let Some(mut hir) = checked.model.filter(|_| !wrong) else { return found };
    let (mut texts, mut named) = (Texts::linked(source, linked.table), Vec::new());
    for (index, external) in external.iter().enumerate() {
        let (name, diagnostics) = texts.add(&mut hir, index, external);
        named.push((name, external.clone()));
        found.external.push(diagnostics);
    }
    if found.external.iter().flatten().any(Diagnostic::is_error) {
        return found;
    }
    texts.drop_unused(&mut found.diagnostics);
    let analysis = burnside_lang::symmetry::analyse(&hir);
    found.diagnostics.extend(burnside_lang::symmetry::warnings(&hir, &analysis));
    let mut system = burnside_lang::lower::lower(&hir, &texts.all);
    texts.settle(external, &mut system.sites);
    let probed = coverage.then(|| {
        let (mut system, probes) = burnside_lang::lower::lower_probed(&hir, &texts.all);
        texts.settle(external, &mut system.sites);
        Arc::new(Probed { rules: places(&hir, source), system, probes })
    });
    let (diagnostics, claimed) = generators::adopt(&hir, &mut system, *keep_generators);
    found.diagnostics.extend(diagnostics);
    system.meet_properties();
    if !found.diagnostics.iter().any(Diagnostic::is_error) {
        let files = parts(source).iter().skip(1).map(|part| part.name.to_string()).collect();
        let (front, system) = (Front::Orb(Arc::new(hir)), Arc::new(system));
        found.model = Some(Model { front, system, files, external: named, claimed, probed });
    }
    found
}

/// Where the rules stand.
fn places(hir: &hir::Model, source: &str) -> Vec<(Span, Site)> {
    let lines = Lines::new(source);
    let place = |rule: &hir::Rule| {
        let (line, column) = lines.position(rule.span.start);
        let process = &hir.processes[rule.process.index()].name;
        let text = format!("{process}.{}", rule.name);
        let (line, column) = (line as u32, column as u32);
        let origin = lines.part(rule.span.start) as u32;
        (rule.span, Site { text, origin, line, column, message: None })
    };
    hir.rules.iter().map(place).collect()
}
