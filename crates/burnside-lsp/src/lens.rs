//! What stands beside properties: a lens that checks them, and the verdict of the last check.
//!
//! A verdict is shown as long as the text is the one that was checked, letter by letter.

use crate::analysis::Known;
use crate::check::{COMMAND, Found, Verdicts};
use crate::outline::property_name;
use burnside_lang::diagnostic::Span;
use burnside_lang::syntax::ast::{ItemKind, Property};
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};
use serde_json::json;

/// The properties of a text: names, places of the names, places of the whole.
fn properties(known: &Known) -> Vec<(String, Span, Span)> {
    let properties = known.file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Property(Property::Deadlock { allowed }) => {
            (!allowed).then(|| (String::from("deadlock"), item.span, item.span))
        }
        ItemKind::Property(property) => {
            let name = property_name(property)?;
            (!name.text.is_empty()).then(|| (name.text.clone(), name.span, item.span))
        }
        _ => None,
    });
    properties.collect()
}

/// The lenses of a text.
pub(crate) fn lenses(known: &Known, uri: &Uri, verdicts: Option<&Verdicts>) -> Vec<CodeLens> {
    let properties = properties(known);
    if known.file.items.is_empty() {
        return Vec::new();
    }
    let lens = |span: Span, title: String, property: Option<&str>| CodeLens {
        range: known.range(span),
        command: Some(Command {
            title,
            command: COMMAND.to_string(),
            arguments: Some(vec![json!({"uri": uri.as_str(), "property": property})]),
        }),
        data: None,
    };
    let all = lens(Span::new(0, 0), top(verdicts), None);
    let each = properties.iter().map(|(name, at, _)| {
        let title = match verdicts.and_then(|verdicts| verdicts.get(name)) {
            Some(found) => format!("{} — check again", found.verdict),
            None => String::from("check"),
        };
        lens(*at, title, Some(name))
    });
    std::iter::once(all).chain(each).collect()
}

/// The lens for everything, with the verdicts of what has no text of its own.
fn top(verdicts: Option<&Verdicts>) -> String {
    let shown = ["faults", "deadlock"].iter().filter_map(|name| {
        let found = verdicts?.get(*name)?;
        Some(format!("{name}: {}", found.verdict))
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::from("check all") } else { format!("check all ({})", shown.join(", ")) }
}

/// The verdicts behind the properties in a range.
pub(crate) fn hints(known: &Known, verdicts: Option<&Verdicts>, range: Range) -> Vec<InlayHint> {
    let asked = known.positions.span(&known.text, range);
    let hint = |span: Span, found: &Found| InlayHint {
        position: known.range(span).end,
        label: InlayHintLabel::String(found.verdict.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(found.told.clone())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    let properties = properties(known).into_iter();
    let inside = properties.filter(|(_, _, whole)| asked.start <= whole.end && whole.end <= asked.end);
    inside.filter_map(|(name, _, whole)| Some(hint(whole, verdicts?.get(&name)?))).collect()
}
