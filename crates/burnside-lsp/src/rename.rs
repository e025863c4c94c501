//! Renaming, which changes nothing but the name.
//!
//! Entry points: [`prepare`] and [`rename`]. The new text is checked before anybody sees it: if a name in it
//! stood for something else than before, or if it had an error that the old one did not have, the new name
//! is refused. So nothing needs to be known here about scopes and clashes.

use crate::analysis::Known;
use burnside_lang::check::{Definition, Occurrence, Role, Symbol};
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_lang::syntax::lexer::lex;
use lsp_types::{Position, TextEdit};

/// The place of the name that can be changed, or why there is none.
pub(crate) fn prepare(known: &Known, position: Position) -> Result<(Span, String), String> {
    let (occurrence, definition) = renamable(known, position)?;
    Ok((occurrence.span, definition.name.clone()))
}

fn renamable(known: &Known, position: Position) -> Result<(Occurrence, &Definition), String> {
    let nothing = "there is no name of the model here";
    let (occurrence, definition) = known.name_at(position).ok_or(nothing)?;
    let mut places = known.index.occurrences_of(occurrence.symbol);
    if known.is_imported(definition.span) {
        return Err(format!("`{}` is declared in another file: rename it there", definition.name));
    }
    if !places.any(|it| it.role == Role::Declared) {
        return Err(format!("`{}` is declared by the language", definition.name));
    }
    Ok((occurrence, definition))
}

/// The edits that give what has its name at a place another name, or why that cannot be.
pub(crate) fn rename(known: &Known, position: Position, new: &str) -> Result<Vec<TextEdit>, String> {
    let (occurrence, definition) = renamable(known, position)?;
    is_name(new)?;
    if new == definition.name {
        return Ok(Vec::new());
    }
    let spans = places(known, occurrence.symbol);
    let renamed = replaced(&known.text, &spans, new);
    compare(known, &Known::new(renamed, known.imported()), &spans, new)?;
    Ok(spans.into_iter().map(|span| TextEdit::new(known.range(span), new.to_string())).collect())
}

/// Whether a text is a name.
fn is_name(new: &str) -> Result<(), String> {
    let lexed = lex(new);
    match lexed.tokens[..] {
        [token, _] if token.span.text(new) == new && lexed.diagnostics.is_empty() => match token.kind {
            _ if new == "_" => Err(String::from("`_` cannot be declared")),
            kind if kind.is_name() => Ok(()),
            kind if kind.is_keyword() => Err(format!("`{new}` is a word of the language")),
            _ => Err(format!("`{new}` is not a name")),
        },
        _ => Err(format!("`{new}` is not a name")),
    }
}

/// All places whose text changes, in the order of the text.
fn places(known: &Known, symbol: Symbol) -> Vec<Span> {
    let bound = known.index.bound_to(symbol);
    let mut spans: Vec<Span> =
        bound.into_iter().flat_map(|symbol| known.index.occurrences_of(symbol)).map(|it| it.span).collect();
    spans.sort();
    spans.dedup();
    spans
}

fn replaced(text: &str, spans: &[Span], new: &str) -> String {
    let mut renamed = String::with_capacity(text.len() + spans.len() * new.len());
    let mut from = 0;
    for span in spans {
        renamed.push_str(&text[from..span.start as usize]);
        renamed.push_str(new);
        from = span.end as usize;
    }
    renamed.push_str(&text[from..]);
    renamed
}

/// Refuses a text in which something means something else.
fn compare(old: &Known, renamed: &Known, spans: &[Span], new: &str) -> Result<(), String> {
    let errors = |known: &Known| known.diagnostics.iter().filter(|it| it.is_error()).cloned().collect();
    let (before, after): (Vec<Diagnostic>, Vec<Diagnostic>) = (errors(old), errors(renamed));
    if after.len() > before.len() {
        let fresh = after
            .iter()
            .find(|it| before.iter().all(|known| known.code != it.code || known.message != it.message));
        let reason = fresh.map_or("it would be an error", |it| it.message.as_str());
        return Err(format!("cannot rename to `{new}`: {reason}"));
    }
    let moved = |at: u32| {
        let before = spans.partition_point(|span| span.end <= at);
        let shift: i64 = spans[..before].iter().map(|span| new.len() as i64 - span.len() as i64).sum();
        (i64::from(at) + shift) as u32
    };
    let (was, is) = (old.index.occurrences(), renamed.index.occurrences());
    let same = was.len() == is.len()
        && was.iter().zip(is).all(|(a, b)| moved(a.span.start) == b.span.start && a.symbol == b.symbol);
    match same {
        true => Ok(()),
        false => Err(format!("cannot rename to `{new}`: some name would stand for something else")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(text: &str, new: &str) -> Result<String, String> {
        let at = text.find('|').expect("a place") as u32;
        let known = Known::new(text.replacen('|', "", 1), "");
        let position = known.positions.position(&known.text, at);
        rename(&known, position, new)?;
        let symbol = known.index.at(at).expect("a name").symbol;
        Ok(replaced(&known.text, &places(&known, symbol), new))
    }

    #[test]
    fn all_places_change_and_no_others() {
        let text =
            "var x: 0..3; process P { rule r(x|: 0..3) when x > 0 { let y = x; } } invariant i = x == 0;";
        let expected =
            "var x: 0..3; process P { rule r(to: 0..3) when to > 0 { let y = to; } } invariant i = x == 0;";
        assert_eq!(renamed(text, "to").as_deref(), Ok(expected));
        let text = "symmetric C|[2]; process C[c] { var x: C?; rule r { x = C#0; } } invariant i = C[C#0].x != none;";
        let expected =
            "symmetric D[2]; process D[c] { var x: D?; rule r { x = D#0; } } invariant i = D[D#0].x != none;";
        assert_eq!(renamed(text, "D").as_deref(), Ok(expected));
    }

    #[test]
    fn what_would_mean_something_else_is_refused() {
        let base = "var x|: 0..3; var z: 0..3; enum E { on } fn f(a: int): bool = a > x;
            process P { rule r(y: 0..3) when x == y { z = x; } } invariant i = forall q: 0..3 { q >= x - x };";
        for (new, why) in [
            ("if", "a word of the language"),
            ("1x", "not a name"),
            ("a b", "not a name"),
            ("", "not a name"),
            ("ü", "not a name"),
            ("_", "cannot be declared"),
            ("z", "declared twice"),
            ("on", "declared twice"),
            ("f", "declared twice"),
            ("abs", "built-in function"),
            // A parameter, a quantified name and a parameter of a function would catch it.
            ("y", "something else"),
            ("q", "something else"),
            ("a", "something else"),
        ] {
            let refused = renamed(base, new).expect_err(new);
            assert!(refused.contains(why), "{new}: {refused}");
        }
        assert!(renamed(base, "count").is_ok(), "a word that is only special in its place");
        assert!(renamed(base, "P").is_err() && renamed(base, "r").is_ok());
    }

    #[test]
    fn what_the_language_declares_keeps_its_name() {
        let text = "process P { locations a, b; rule r when pc| == a { goto b; } }";
        assert!(renamed(text, "q").expect_err("built in").contains("by the language"));
    }
}
