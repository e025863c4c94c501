//! From a name to where it is declared, and to all places where it is used.

use crate::analysis::Known;
use crate::documents::beside;
use crate::positions::Positions;
use burnside_lang::check::{Occurrence, Role};
use burnside_lang::diagnostic::Span;
use burnside_lang::import::bundle::{parts, resolve};
use burnside_lang::syntax::ast::ItemKind;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Range, Uri};

/// Where the name at a place is declared.
pub(crate) fn definition(known: &Known, uri: &Uri, position: Position) -> Option<Location> {
    if let Some(file) = imported_file(known, position) {
        let start = Position::new(0, 0);
        return Some(Location::new(beside(uri, &file)?, Range::new(start, start)));
    }
    let (_, definition) = known.name_at(position)?;
    if known.is_imported(definition.span) {
        return elsewhere(known, uri, definition.span);
    }
    Some(Location::new(uri.clone(), known.range(definition.span)))
}

/// A place in a file that is imported.
pub(crate) fn elsewhere(known: &Known, uri: &Uri, span: Span) -> Option<Location> {
    let part = parts(&known.all).into_iter().rev().find(|part| part.start <= span.start as usize)?;
    let text = &known.all[part.start..part.end];
    let here = |at: u32| at - part.start as u32;
    let range = Positions::new(text).range(text, Span::new(here(span.start), here(span.end)));
    Some(Location::new(beside(uri, part.name)?, range))
}

/// The file that is named at a place: the path of an import, or what it is called.
fn imported_file(known: &Known, position: Position) -> Option<String> {
    let at = known.offset(position);
    let touches = |span: Span| span.start <= at && at <= span.end;
    let token = known.lexed.tokens.iter().find(|token| token.kind.is_name() && touches(token.span));
    let word = token.map_or("", |token| token.span.text(&known.text));
    let is_bound = known.index.at(at).is_some();
    known.file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Import { path, alias } => {
            let alias = alias.as_ref().map(|alias| alias.text.as_str());
            let stem = path.text.rsplit('/').next().map(|file| file.trim_end_matches(".orb"));
            let named = !is_bound && !word.is_empty() && alias.or(stem) == Some(word);
            (touches(path.span) || named).then(|| resolve("", &path.text))
        }
        _ => None,
    })
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
