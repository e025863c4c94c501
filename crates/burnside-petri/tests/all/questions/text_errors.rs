//! What is said about texts that are wrong, and where.

use crate::questions::support::net;
use burnside_petri::{Error, parse_query};
use burnside_ts::Kind::{self, Bound, Ctl, Invariant, Ltl, Reachable};

fn errors(kind: Kind, text: &str) -> Vec<Error> {
    parse_query(text, kind, "name", &net()).expect_err(text)
}

/// The only error: what it points at, what it says, its help.
fn check(kind: Kind, text: &str, part: &str, message: &str, help: &str) {
    let errors = errors(kind, text);
    let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
    assert_eq!(&text[error.span.clone()], part, "{text}");
    assert_eq!(error.message, message);
    assert_eq!(error.help.as_deref().unwrap_or_default(), help, "{text}");
}

#[test]
fn names() {
    check(Invariant, "fist >= 1", "fist", "there is no place `fist`", "did you mean `first`?");
    check(Invariant, "\"y y\" >= 1", "\"y y\"", "there is no place `y y`", "");
    let help = "write the id of the one that is meant";
    check(Invariant, "twin >= 1", "twin", "`twin` is the name of several places", help);
    check(Invariant, "fireable(t4)", "t4", "there is no transition `t4`", "did you mean `t1`?");
    let help = "it is a transition: write `fireable(t1)`";
    check(Invariant, "t1 && true", "t1", "there is no place `t1`", help);
    let all = errors(Invariant, "a1 >= 1 && b1 + c1 == 2 || fireable(d1)");
    let messages: Vec<&str> = all.iter().map(|error| &*error.message).collect();
    let missing = ["place `a1`", "place `b1`", "place `c1`", "transition `d1`"];
    assert_eq!(messages, missing.map(|missing| format!("there is no {missing}")));
}

#[test]
fn kinds_of_values() {
    let message = "`p` is a number of tokens, not a condition";
    check(Invariant, "p && true", "p", message, "write `p >= 1`");
    check(Ltl, "G p", "p", message, "write `p >= 1`");
    check(Reachable, "p + 1", "p + 1", "`p + 1` is a number, not a condition", "write `p + 1 >= 1`");
    check(Invariant, "(p >= 1) + 2 == 3", "(p >= 1)", "`(p >= 1)` is a condition, not a number", "");
    check(Bound, "true", "true", "`true` is a condition, not a number", "");
    let all = errors(Invariant, "!p == 1");
    assert_eq!(all[0].message, message);
    assert_eq!(all[1].message, "`!p` is a condition, not a number");
}

#[test]
fn colours() {
    check(Bound, "p[1]", "p[1]", "the tokens of this place have no colours", "");
    check(Bound, "c[red]", "c[red]", "the colours of this place have 2 components, not 1", "");
    check(Bound, "c[red, 2]", "2", "the class `Number` has no element `2`", "");
    check(Bound, "d[-2]", "-2", "the class `Number` has no element `-2`", "");
    check(Bound, "d[]", "]", "expected an element of a class, found `]`", "");
    check(Bound, "y[1]", "y", "there is no place `y`", "");
}

#[test]
fn operators_of_other_questions() {
    check(Invariant, "X true", "X", "`X` is a path operator: an invariant has none", "");
    check(Reachable, "EF true", "EF", "`EF` is a path operator: a reachable condition has none", "");
    let help = "for the place of this name write `\"G\"`";
    check(Invariant, "G >= 1", "G", "`G` is a path operator: an invariant has none", help);
    check(Ltl, "AG true", "AG", "`AG` is an operator of `ctl`, not of `ltl`", "");
    check(Ltl, "A[true U true]", "A", "`A` is an operator of `ctl`, not of `ltl`", "");
    check(Ctl, "F true", "F", "`F` needs a path quantifier in `ctl`", "write `AF` or `EF`");
    check(Ctl, "<> true", "<>", "`<>` needs a path quantifier in `ctl`", "write `AF` or `EF`");
    check(Ctl, "[] true", "[", "`[]` needs a path quantifier in `ctl`", "write `AG` or `EG`");
    let message = "expected an operator or the end, found `U`";
    check(Ctl, "true U true", "U", message, "write `A[p U q]` or `E[p U q]`");
    check(Ctl, "A[true N true]", "N", "expected `U`, `R`, `W` or `M`, found `N`", "");
    let help = "write `E[p U q]`, or `EG p`, `EF p`, `EX p` in one word";
    check(Ctl, "E (true U true)", "(", "expected `[`, found `(`", help);
}

#[test]
fn operators_of_other_languages() {
    let cases = [("&", "&&"), ("and", "&&"), ("/\\", "&&"), ("|", "||"), ("or", "||"), ("\\/", "||")];
    let more = [("=>", "->"), ("==>", "->"), ("implies", "->"), ("<=>", "<->"), ("iff", "<->"), ("<>", "!=")];
    for (wrong, right) in cases.into_iter().chain(more) {
        let message = format!("expected an operator or the end, found `{wrong}`");
        check(Invariant, &format!("true {wrong} true"), wrong, &message, &format!("did you mean `{right}`?"));
    }
    for wrong in ["not", "~"] {
        let message = format!("expected a condition or a number, found `{wrong}`");
        check(Invariant, &format!("{wrong} true"), wrong, &message, "did you mean `!`?");
    }
}

#[test]
fn syntax() {
    let operand = "expected a condition or a number, found";
    check(Invariant, "", "", &format!("{operand} the end of the text"), "");
    check(Invariant, "p >= 1 &&", "", &format!("{operand} the end of the text"), "");
    check(Invariant, "(true", "", "expected `)`, found the end of the text", "");
    check(Invariant, "true)", ")", "expected an operator or the end, found `)`", "");
    check(Invariant, "p 1", "1", "expected an operator or the end, found `1`", "");
    check(Invariant, "fireable()", ")", "expected the name of a transition, found `)`", "");
    check(Bound, "p,", "", &format!("{operand} the end of the text"), "");
    check(Bound, "p >= 1", ">=", "expected an operator or the end, found `>=`", "");
    let help = "join two comparisons with `&&`";
    check(Invariant, "1 <= p <= 2", "<=", "comparisons cannot be chained", help);
    let help = "if it is a name, write `\"1a\"`";
    check(Invariant, "1a >= 1", "1a", "`1a` is neither a number nor a name", help);
    let help = "names with such characters are written in double quotes";
    check(Invariant, "pé >= 1", "é", "`é` cannot be here", help);
    check(Invariant, "\"p >= 1", "\"p >= 1", "this name has no closing quote", "");
}

#[test]
fn numbers() {
    let range = "a number is out of range";
    let great = "170141183460469231731687303715884105728";
    check(Bound, great, great, range, "");
    check(Bound, "9223372036854775808", "9223372036854775808", range, "");
    check(Invariant, "p < 2 * 9223372036854775807", "p < 2 * 9223372036854775807", range, "");
    let product = "170141183460469231731687303715884105727 * 2";
    check(Bound, product, product, range, "");
    let help = "one of the factors must be a number such as `2`";
    check(Bound, "1 + p * q", "p * q", "numbers of tokens cannot be multiplied with each other", help);
}

#[test]
fn deep_texts_are_refused() {
    let deep = |start: &str, inner: &str, end: &str| {
        let text = [&start.repeat(100_000), inner, &end.repeat(100_000)].concat();
        let errors = errors(Ltl, &text);
        assert_eq!(errors.len(), 1, "{start}");
        assert_eq!(errors[0].message, "this is nested too deep", "{start}");
    };
    deep("(", "true", ")");
    deep("!", "true", "");
    deep("G ", "true", "");
    deep("true -> ", "true", "");
    deep("true U ", "true", "");
    deep("", "true", " <-> true");
    deep("-", "1", "");
    deep("!(", "true", ")");
}

#[test]
fn depth_that_is_still_read() {
    let read = |text: &str| parse_query(text, Ltl, "name", &net()).map(|query| query.text);
    let nots = |count: usize| "!".repeat(count) + "true";
    assert_eq!(read(&nots(199)).as_deref(), Ok(&*nots(199)));
    assert!(read(&nots(200)).is_err());
    let ifs = |count: usize| "true".to_owned() + &" <-> true".repeat(count);
    assert!(read(&ifs(199)).is_ok());
    assert!(read(&ifs(200)).is_err());
    // A chain is one level, however long.
    let chain = "true".to_owned() + &" && true".repeat(100_000);
    assert_eq!(read(&chain).as_deref(), Ok(&*chain));
    let sum = "p".to_owned() + &" + p".repeat(100_000) + " < 1";
    assert_eq!(read(&sum).as_deref(), Ok(&*sum));
}
