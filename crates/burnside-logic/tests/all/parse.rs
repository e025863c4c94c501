//! Formulas are read as they are meant, and wrong ones are told where they are wrong.

use crate::common;

use burnside_logic::{ParseError, parse, show};
use common::Random;

/// A formula is read, shown, and read again.
#[track_caller]
fn check(text: &str, shown: &str) {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(show(&parsed.formula, &parsed.names), shown);
    assert_eq!(parse(shown).unwrap(), parsed);
}

#[test]
fn operators_and_their_other_names() {
    check("G(p -> F q)", "G (p -> F q)");
    check("[](p => <>q)", "G (p -> F q)");
    check("□(p → ◇q)", "G (p -> F q)");
    check("GFa & FG!b", "G F a && F G !b");
    check("a U b R c", "a U (b R c)");
    check("a V b W c M d", "a R (b W (c M d))");
    check("!a U b & c | d -> e <-> f", "!a U b && c || d -> e <-> f");
    check("a -> b -> c", "a -> (b -> c)");
    check("(a -> b) -> c", "(a -> b) -> c");
    check("a <-> b <=> c", "(a <-> b) <-> c");
    check("a && b /\\ c ∧ d", "a && b && c && d");
    check("(a && b) && c", "(a && b) && c");
    check("a \\/ b ∨ c || d", "a || b || c || d");
    check("~a ^ ¬b xor c", "!(!(!a <-> !b) <-> c)");
    check("()a ∧ ○b ∧ X c", "X a && X b && X c");
    check("XX a", "X X a");
    check("true U 1 && false || 0", "true U true && false || false");
    check("⊤ ⇒ ⊥ ⇔ x'", "true -> false <-> x'");
    check("\"x > 1\" U \"say \\\"hi\\\" \\\\\" && \"Foo\"", "\"x > 1\" U \"say \\\"hi\\\" \\\\\" && \"Foo\"");
    check("\"a\" && \"true\" && a.b_1", "a && \"true\" && a.b_1");
    check("\"\"", "\"\"");
}

#[track_caller]
fn fails(text: &str, at: &str, message: &str) {
    let ParseError { span, message: found, help } = parse(text).unwrap_err();
    assert_eq!((&text[span], found.as_str()), (at, message));
    assert!(help.is_some());
}

#[test]
fn errors_have_a_place() {
    fails("", "", "the formula ends too early");
    fails("a &&", "", "the formula ends too early");
    fails("a b", "b", "the formula could end here, but more follows");
    fails("a && -> b", "->", "expected a proposition, `!`, `X`, `F`, `G` or `(`");
    fails("(a && b", "", "expected `)` or an operator");
    fails("(a b)", "b", "expected `)` or an operator");
    fails("a)", ")", "this `)` closes nothing");
    fails("a $ b", "$", "`$` means nothing in a formula");
    fails("a = b", "=", "`=` means nothing in a formula");
    fails("\"abc", "\"abc", "this quoted proposition has no end");
    fails("é ∧ ≠", "≠", "`≠` means nothing in a formula");
}

#[test]
fn nesting_has_a_limit() {
    let deep = |count: usize, open: &str, close: &str| open.repeat(count) + "a" + &close.repeat(count);
    assert!(parse(&deep(150, "(", ")")).is_ok());
    assert!(parse(&deep(300, "X", "")).is_ok());
    let chains =
        [("(", ")"), ("X", ""), ("a -> ", ""), ("", " <-> a"), ("a U ", ""), ("", " ^ a"), ("!(a && ", ")")];
    for (open, close) in chains {
        let error = parse(&deep(100_000, open, close)).unwrap_err();
        assert_eq!(error.message, "formulas can be nested 400 deep at most");
    }
    let wide = vec!["a"; 20_000].join(" && ");
    assert_eq!(parse(&wide).unwrap().formula.children().len(), 20_000);
}

#[test]
fn any_text_is_read_or_refused() {
    let mut random = Random(77);
    let pieces = [
        "a", "b", "U", "(", ")", "!", "G", "F", "X", "&&", "->", "<->", "\"", "\\", " ", "é", "1", "[]", "<",
        "∧", "^",
    ];
    for _ in 0..20_000 {
        let text: String = (0..random.below(14)).map(|_| pieces[random.below(pieces.len())]).collect();
        match parse(&text) {
            Ok(parsed) => assert_eq!(parse(&show(&parsed.formula, &parsed.names)).unwrap(), parsed, "{text}"),
            Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
        }
    }
}

#[test]
fn what_is_shown_is_read_back() {
    let mut random = Random(99);
    for _ in 0..5_000 {
        let formula = random.formula(10, 3);
        let names: Vec<String> = ["a", "b b", "G"].map(String::from).into();
        let parsed = parse(&show(&formula, &names)).unwrap();
        assert_eq!(show(&parsed.formula, &parsed.names), show(&formula, &names));
    }
}
