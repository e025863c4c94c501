//! Quick fixes: where a diagnostic says what was probably meant, a click writes it.

use crate::analysis::Known;
use crate::diagnostics;
use burnside_lang::diagnostic::{Diagnostic, Span};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Uri, WorkspaceEdit};
use std::collections::HashMap;

/// The quick fixes for what is wrong in a range.
pub(crate) fn actions(known: &Known, uri: &Uri, range: Range) -> Vec<CodeActionOrCommand> {
    let asked = known.positions.span(&known.text, range);
    let touches = |span: Span| span.start <= asked.end && asked.start <= span.end;
    let here = known.diagnostics.iter().filter(|diagnostic| touches(diagnostic.primary.span));
    here.filter_map(|diagnostic| action(known, uri, diagnostic)).collect()
}

fn action(known: &Known, uri: &Uri, diagnostic: &Diagnostic) -> Option<CodeActionOrCommand> {
    let meant = meant(diagnostic)?;
    let edit = TextEdit::new(known.range(diagnostic.primary.span), meant.to_string());
    // The protocol's own type wants this map; addresses never change.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(uri.clone(), vec![edit])]);
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: format!("Replace with `{meant}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostics::shown(known, uri, diagnostic)]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(true),
        ..CodeAction::default()
    }))
}

/// What to write in the place of what is wrong: "did you mean `x`?", and the signs of mathematics.
fn meant(diagnostic: &Diagnostic) -> Option<&str> {
    let help = diagnostic.help.as_deref()?;
    let rest = match diagnostic.code.to_string().as_str() {
        "unexpected-character" => help.strip_prefix("write `")?.strip_suffix('`'),
        _ => help.strip_prefix("did you mean `")?.strip_suffix("`?"),
    };
    rest.filter(|meant| !meant.is_empty() && !meant.contains('`'))
}
