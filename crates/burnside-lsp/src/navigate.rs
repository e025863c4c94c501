//! From a name to where it is declared, and to all places where it is used.

use crate::analysis::Known;
use burnside_lang::check::{Occurrence, Role};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};

/// Where the name at a place is declared.
pub(crate) fn definition(known: &Known, uri: &Uri, position: Position) -> Option<Location> {
    let (_, definition) = known.name_at(position)?;
    Some(Location::new(uri.clone(), known.range(definition.span)))
}

/// All places of the name at a place.
pub(crate) fn references(
    known: &Known,
    uri: &Uri,
    position: Position,
    declared: bool,
) -> Option<Vec<Location>> {
    let places = occurrences(known, position)?.into_iter();
    let places = places.filter(|it| declared || it.role != Role::Declared);
    Some(places.map(|it| Location::new(uri.clone(), known.range(it.span))).collect())
}

/// The same, for the editor to mark them.
pub(crate) fn highlights(known: &Known, position: Position) -> Option<Vec<DocumentHighlight>> {
    let shown = |it: Occurrence| DocumentHighlight {
        range: known.range(it.span),
        kind: Some(match it.role {
            Role::Declared | Role::Written => DocumentHighlightKind::WRITE,
            Role::Used => DocumentHighlightKind::READ,
        }),
    };
    Some(occurrences(known, position)?.into_iter().map(shown).collect())
}

/// The places of the name, each once. A family and the type of its index have one name: the places of both
/// are its places, as they are for [`rename`](crate::rename).
fn occurrences(known: &Known, position: Position) -> Option<Vec<Occurrence>> {
    let found = known.index.at(known.offset(position))?;
    let bound = known.index.bound_to(found.symbol).into_iter();
    let mut all: Vec<Occurrence> = bound.flat_map(|symbol| known.index.occurrences_of(symbol)).collect();
    // What a place declares is told rather than what it uses.
    all.sort_by_key(|it| (it.span, it.role != Role::Declared));
    all.dedup_by_key(|it| it.span);
    Some(all)
}
