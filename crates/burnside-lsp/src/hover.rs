//! What the name under the cursor is: its type or value, and for symmetric types the group.

use crate::analysis::Known;
use crate::symmetry;
use burnside_lang::check::{Definition, Symbol, SymbolKind};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Uri};

/// What is to be said about the name at a place.
pub(crate) fn hover(known: &Known, uri: &Uri, position: Position) -> Option<Hover> {
    let (occurrence, definition) = known.name_at(position)?;
    let mut value = format!("```orb\n{}\n```\n{}", definition.signature, definition.about);
    for part in [declared(known, definition), parts(known, uri, definition)].into_iter().flatten() {
        value.push_str("\n\n");
        value.push_str(&part);
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(known.range(occurrence.span)) })
}

/// The declaration of the type that the value has, if that says more than its name.
fn declared(known: &Known, definition: &Definition) -> Option<String> {
    let ty = known.index.definition(definition.of?)?;
    if definition.kind == SymbolKind::EnumConstant {
        return None;
    }
    let symmetry = match ty.kind {
        SymbolKind::Sort => symmetry::in_short(known, &ty.name).map(|left| format!(": {left}")),
        _ => None,
    };
    Some(format!("`{}`{}", ty.signature, symmetry.unwrap_or_default()))
}

/// What is known about the symmetry of a type, also if it is the index of the family at hand.
fn parts(known: &Known, uri: &Uri, definition: &Definition) -> Option<String> {
    let mut bound = known.index.bound_to(definition.symbol).into_iter();
    let ty = bound.find(|symbol| matches!(symbol, Symbol::Type(_)))?;
    symmetry::group(known, uri, &known.index.definition(ty)?.name)
}
