//! Errors and warnings for the editor.

use crate::analysis::Known;
use burnside_lang::diagnostic::{Diagnostic, Note, Severity};
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
    let related = |note: &Note| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), known.range(note.span)),
        message: if note.text.is_empty() { String::from("see here") } else { note.text.clone() },
    };
    let related: Vec<_> = diagnostic.secondary.iter().map(related).collect();
    let code = diagnostic.code.to_string();
    let unused = code.starts_with("unused");
    lsp_types::Diagnostic {
        range: known.range(diagnostic.primary.span),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(code)),
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
