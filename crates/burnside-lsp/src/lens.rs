//! What stands beside properties: a lens that checks them, and the verdict of the last check.
//!
//! A verdict is shown as long as the text is the one that was checked, letter by letter. Beside it stands
//! what the model expects, if that is something else; before a check, what it expects alone.

use crate::analysis::Known;
use crate::check::{COMMAND, Found, Verdicts};
use crate::outline::property_name;
use burnside_lang::diagnostic::Span;
use burnside_lang::expect::{Configuration, Expected};
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

/// What the model expects of a property when it is checked here, with the constants as they are: in the
/// `check` block that is about this, or else where the property is declared.
fn expected(known: &Known, property: &str) -> Option<Expected> {
    let model = known.model.as_ref()?;
    let value = |name: &str| model.constants.iter().find(|it| it.name == name).map(|it| it.value);
    let is_this = |it: &&Configuration| {
        let options = it.fair.unwrap_or(true) && !it.maximal.unwrap_or(false) && it.max_states.is_none();
        options && it.settings.iter().all(|(name, set)| value(name) == Some(*set))
    };
    let mut here = model.expectations.configurations.iter().filter(is_this);
    // Of two blocks, `N` left as it is and set to that, one may be silent.
    let said = here.find(|it| it.verdicts.iter().any(|(name, _)| name == property));
    model.expectations.stated(said, property)
}

/// What was found, and what was expected if it is something else.
fn shown(known: &Known, property: &str, found: &Found) -> String {
    match expected(known, property).filter(|expected| expected.name() != found.verdict) {
        Some(expected) => format!("{}, expected {expected}", found.verdict),
        None => found.verdict.clone(),
    }
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
    let all = lens(Span::new(0, 0), top(known, verdicts), None);
    let each = properties.iter().map(|(name, at, _)| {
        let title = match verdicts.and_then(|verdicts| verdicts.get(name)) {
            Some(found) => format!("{}; check again", shown(known, name, found)),
            None => String::from("check"),
        };
        lens(*at, title, Some(name))
    });
    std::iter::once(all).chain(each).collect()
}

/// The lens for everything, with the verdicts of what has no text of its own.
fn top(known: &Known, verdicts: Option<&Verdicts>) -> String {
    let shown = ["faults", "deadlock"].iter().filter_map(|name| {
        let found = verdicts?.get(*name)?;
        Some(format!("{name}: {}", shown(known, name, found)))
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::from("check all") } else { format!("check all ({})", shown.join(", ")) }
}

/// The verdicts behind the properties in a range, found or expected.
pub(crate) fn hints(known: &Known, verdicts: Option<&Verdicts>, range: Range) -> Vec<InlayHint> {
    let asked = known.positions.span(&known.text, range);
    let hint = |span: Span, label: String, tooltip: String| InlayHint {
        position: known.range(span).end,
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    let properties = properties(known).into_iter();
    let inside = properties.filter(|(_, _, whole)| asked.start <= whole.end && whole.end <= asked.end);
    let hints = inside.filter_map(|(name, _, whole)| {
        if let Some(found) = verdicts.and_then(|verdicts| verdicts.get(&name)) {
            return Some(hint(whole, shown(known, &name, found), found.told.clone()));
        }
        let expected = expected(known, &name)?;
        let told = format!("the model expects of `{name}`: {expected}; it was not checked yet");
        Some(hint(whole, format!("expected {expected}"), told))
    });
    hints.collect()
}
