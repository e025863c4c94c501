//! Errors and warnings for the editor.

use crate::analysis::Known;
use crate::navigate::elsewhere;
use burnside_lang::diagnostic::{Diagnostic, Severity, Span};
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Uri,
};

/// The name under which diagnostics appear.
pub(crate) const SOURCE: &str = "burnside";

/// Everything that is to be said about a text, in its order.
pub(crate) fn all(known: &Known, uri: &Uri) -> Vec<lsp_types::Diagnostic> {
    known.diagnostics.iter().map(|diagnostic| shown(known, uri, diagnostic)).collect()
}

/// One diagnostic.
pub(crate) fn shown(known: &Known, uri: &Uri, diagnostic: &Diagnostic) -> lsp_types::Diagnostic {
    let location = |span: Span| match known.is_imported(span) {
        true => elsewhere(known, uri, span),
        false => Some(Location::new(uri.clone(), known.range(span))),
    };
    let related = |(span, text): (Span, &str)| {
        let message = if text.is_empty() { String::from("see here") } else { text.to_string() };
        Some(DiagnosticRelatedInformation { location: location(span)?, message })
    };
    let primary = diagnostic.primary.span;
    // What is wrong in a file that is imported is told where it is imported.
    let imported = known.is_imported(primary);
    let notes = diagnostic.secondary.iter().map(|note| (note.span, note.text.as_str()));
    let notes = imported.then_some((primary, "here")).into_iter().chain(notes);
    let related: Vec<_> = notes.filter_map(related).collect();
    let range = known.range(primary);
    let unused = diagnostic.code.name().starts_with("unused");
    lsp_types::Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(diagnostic.code.to_string())),
        source: Some(SOURCE.to_string()),
        message: message(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..lsp_types::Diagnostic::default()
    }
}

/// The sentence, what is said right at the place, and what to do.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    if !diagnostic.primary.text.is_empty() {
        message.push_str(&format!("\n{}", diagnostic.primary.text));
    }
    if let Some(help) = &diagnostic.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    message
}
