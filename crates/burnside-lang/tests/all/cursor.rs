//! What is expected at a place of a text.

use burnside_lang::diagnostic::Span;
use burnside_lang::syntax::cursor::{Awaited, Cursor, cursor};
use burnside_lang::syntax::lexer::lex;

/// What is expected at `|`.
fn at(text: &str) -> (Cursor, String) {
    let at = text.find('|').expect("a place");
    let text = text.replacen('|', "", 1);
    (cursor(&text, &lex(&text), at as u32), text)
}

#[test]
fn every_place_has_its_kind() {
    use Awaited::*;
    let cases = [
        ("|", Item),
        ("var x: bool;\n|", Item),
        ("inv|", Item),
        ("const |", NewName),
        ("type T = |", Type),
        ("var x: |", Type),
        ("var x: array[|] of bool;", Type),
        ("var x: set |", Words(&["of"])),
        ("var x: set of |", Type),
        ("var x: 0..| ", Value),
        ("enum E { a, | }", NewName),
        ("record R { | }", NewName),
        ("record R { x: | }", Type),
        ("fn f(x: |", Type),
        ("fn f(x: T): |", Type),
        ("fn f(x: T): bool = |", Value),
        ("fn f(x: T): bool { let y = x; | }", Value),
        ("fair |", Words(&["process", "rule", "changing"])),
        ("deadlock |", Words(&["free", "allowed"])),
        ("deadlock free expect |", Words(&["holds", "violated", "unknown"])),
        ("invariant i = x == y expect |;", Words(&["holds", "violated", "unknown"])),
        ("invariant i = expect |", Operator),
        ("check { | }", Key),
        ("check { N = 2; deadlock = holds; |", Key),
        ("check { N = | }", Entry(Span::new(8, 9))),
        ("check { N | }", Nothing),
        ("check { N = 2; } |", Item),
        ("process P { | }", Member),
        ("process P { va|", Member),
        ("process P { rule r { x = 1; } |", Member),
        ("process P { rule r(a: |", Type),
        ("process P { rule r(a: T) |", Operator),
        ("process P { rule r(a: T) when | { }", Value),
        ("process P { rule r when x |", Operator),
        ("process P { rule r when x == | {", Value),
        ("process P { rule r when forall c: T { | } {", Value),
        ("process P { rule r when forall c: T { x } { | }", Statement),
        ("process P { rule r when x in {a, b} { | }", Statement),
        ("process P { rule r { if x { | } }", Statement),
        ("process P { rule r { if x { } else { | } }", Statement),
        ("process P { rule r { y = if x { | } else { z }; }", Value),
        ("process P { rule r { x = | } }", Value),
        ("process P { rule r { x = 1; | } }", Statement),
        ("process P { rule r { x.| } }", Behind(22)),
        ("process P { rule r at |", Location),
        ("process P { rule r at a, |", Location),
        ("process P { locations a, |", NewName),
        ("process P { rule r { goto | } }", Location),
        ("process P { at a { | } }", Member),
        ("invariant i = |", Value),
        ("invariant i = f(|", Value),
        ("invariant i = R(x: |", Value),
        ("invariant i = forall |", NewName),
        ("invariant i = forall c: |", Type),
        ("invariant i = forall c: C { | }", Value),
        ("invariant i = enabled(|)", Rule),
        ("symmetry { | }", Type),
        ("never n { x; | }", Value),
        ("// com|ment", Nothing),
        ("/* com|ment */ var x: bool;", Nothing),
        ("assert x, \"te|xt\"", Nothing),
        ("var x: 0..1|2;", Nothing),
        // Something is not closed.
        ("process P { rule r { x = (1 \n rule s when | { }", Value),
        ("process P { rule r { if x { \n invariant i = |", Value),
        ("} } |", Item),
        ("invariant i = (x \n process P { | }", Member),
    ];
    for (text, expected) in cases {
        assert_eq!(at(text).0.awaited, expected, "{text}");
    }
    let (found, text) = at("invariant i = Client[next(c)]@|");
    assert_eq!((found.awaited, found.owner.map(|owner| owner.text(&text))), (Location, Some("Client")));
    assert_eq!(at("invariant i = @|").0.owner, None);
}

#[test]
fn names_are_known_to_the_end_of_their_scope() {
    let cases = [
        ("process P[i: T] { rule r(a: T) when | {} }", "T a T"),
        ("process P[i: T] { rule r(a: T) { for c: C { | } } }", "T a T c C"),
        ("process P { rule r { let y = 1; var z: T = 2; | } }", "y z"),
        ("process P { rule r { let y = 1; } rule s { | } }", ""),
        ("invariant i = forall a: A { x } && (exists b: B where | { y })", "b B"),
        ("invariant i = forall a: A { exists b: B { | } }", "a A b B"),
        ("fn f(a: A): bool = |", "a A"),
    ];
    for (text, expected) in cases {
        let (found, text) = at(text);
        let names: Vec<&str> = found.binders.iter().map(|span| span.text(&text)).collect();
        for name in expected.split_whitespace() {
            assert!(names.contains(&name), "{text}: {names:?}");
        }
        if expected.is_empty() {
            assert!(!names.contains(&"y"), "{text}: {names:?}");
        }
    }
    let (found, text) = at("invariant i = forall a: A { x } && |");
    assert!(found.binders.iter().all(|span| span.text(&text) != "a"));
}

#[test]
fn the_process_around_is_known() {
    let (found, text) = at("process P { rule a {} } process Q[i: T] { rule b { | } }");
    assert_eq!(found.process.map(|span| span.text(&text)), Some("Q"));
    assert!(at("process P { rule a {} } invariant i = |").0.process.is_none());
}

#[test]
fn the_first_word_of_a_statement() {
    for (text, first) in [
        ("process P { rule r { q.| } }", true),
        ("process P { rule r { x = 1; P[i].q.| } }", true),
        ("process P { rule r { x = q.| } }", false),
        ("process P { rule r when q.| { } }", false),
    ] {
        assert_eq!(at(text).0.first, first, "{text}");
    }
}

/// Any text at any place has an answer.
#[test]
fn nothing_panics() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/resource.orb")).unwrap();
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)).step_by(7) {
        for text in [&text[..cut], &text[cut..]] {
            let lexed = lex(text);
            for at in [0, cut as u32 / 2, text.len() as u32, text.len() as u32 + 9] {
                cursor(text, &lexed, at);
            }
        }
    }
}
