//! Warns when a declared type has lost all of its symmetry: its author expects fewer states than there will
//! be. Entry point: [`warnings`].

use super::Analysis;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::Model;
use burnside_ts::{Sort, SortGroup, SortId, SortKind};

/// For each declared `symmetric` or `ring` type none of whose elements can be exchanged, the first place that
/// tells them apart. A `symmetry` block speaks for itself.
pub fn warnings(model: &Model, analysis: &Analysis) -> Vec<Diagnostic> {
    let declared = |id: &SortId| !analysis.inferred.contains(id);
    let claimed = |sort: &Sort| {
        model.generators.iter().flat_map(|given| &given.parts).any(|part| part.name == sort.name)
    };
    let lost = |(id, sort): &(SortId, &Sort)| {
        sort.size > 1
            && analysis.model.sorts.get(id.index()) == Some(&SortGroup::Fixed)
            && declared(id)
            && !claimed(sort)
    };
    analysis.types.sorts().filter(lost).filter_map(|(id, sort)| warning(analysis, id, sort)).collect()
}

fn warning(analysis: &Analysis, id: SortId, sort: &Sort) -> Option<Diagnostic> {
    let breaks = analysis.breaks.iter().filter(|found| found.sort == id);
    // One that is enough by itself, if there is one.
    let first = breaks.min_by_key(|found| (found.reason.element().is_some(), found.span.start))?;
    let word = match sort.kind {
        SortKind::Symmetric => "symmetric",
        SortKind::Ring => "ring",
    };
    let message = format!("`{}` is declared `{word}`, but its elements are not interchangeable", sort.name);
    let diagnostic = Diagnostic::warning(Code::BrokenSymmetry, first.span, message);
    let help = "`burnside symmetry` lists all such places";
    Some(diagnostic.label(format!("this {}", first.reason.describe())).help(help))
}
