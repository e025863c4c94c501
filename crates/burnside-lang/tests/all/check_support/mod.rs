//! Shared by the tests of the checker: parse, check, and show what was said as plain text.

#![allow(dead_code, missing_docs)]

use burnside_lang::check::{Checked, check};
use burnside_lang::diagnostic::{Diagnostic, Severity, Span};
use burnside_lang::syntax::parse;
use std::fmt::Write;

/// Checks a text that must parse.
pub fn checked(source: &str) -> Checked {
    checked_with(source, &[])
}

/// Checks a text that must parse, with settings.
pub fn checked_with(source: &str, settings: &[(&str, &str)]) -> Checked {
    let parsed = parse(source);
    assert!(
        parsed.diagnostics.is_empty(),
        "does not parse:\n{}\n{source}",
        show(source, &parsed.diagnostics)
    );
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    check(&parsed.file, &settings)
}

/// The mistakes in a text that need not parse, one in a line: code, message and help.
pub fn mistakes(source: &str) -> Vec<String> {
    let parsed = parse(source);
    let checked = check(&parsed.file, &[]);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics).filter(|d| d.is_error());
    all.map(|d| format!("{}: {} [{}]", d.code, d.message, d.help.as_deref().unwrap_or_default())).collect()
}

/// Diagnostics as text: `error[code] line:column "text": message`, then notes and help.
pub fn show(source: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let at = place(source, diagnostic.primary.span);
        let _ = writeln!(out, "{severity}[{}] {at}: {}", diagnostic.code, diagnostic.message);
        if !diagnostic.primary.text.is_empty() {
            let _ = writeln!(out, "  here: {}", diagnostic.primary.text);
        }
        for note in &diagnostic.secondary {
            let _ = writeln!(out, "  note {}: {}", place(source, note.span), note.text);
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

fn place(source: &str, span: Span) -> String {
    let before = &source[..span.start as usize];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    let text = span.text(source).split('\n').next().unwrap_or("");
    format!("{line}:{column} `{text}`")
}

/// The errors only.
pub fn errors(checked: &Checked) -> Vec<Diagnostic> {
    checked.diagnostics.iter().filter(|d| d.is_error()).cloned().collect()
}
