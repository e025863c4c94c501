//! Every operator of the text, its precedence, and what it is shown as.

use crate::questions::support::*;
use burnside_petri::{Atom, Formula, NetQuestion, Sum, parse_query};
use burnside_ts::Kind::{self, Bound, Ctl, Invariant, Ltl, Reachable};
use burnside_ts::{Compare, Path};

fn parse(text: &str, kind: Kind) -> (NetQuestion, String) {
    let query = parse_query(text, kind, "name", &net()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    assert_eq!(query.name, "name");
    let again = parse_query(&query.text, kind, "name", &net()).expect("what is shown can be read");
    assert_eq!(again, query, "{text}");
    (query.asked, query.text)
}

/// The formula in a text, which is shown as `shown`.
fn check(kind: Kind, text: &str, formula: Formula, shown: &str) {
    let (asked, written) = parse(text, kind);
    let expected = match kind {
        Invariant => NetQuestion::Invariant(formula),
        Reachable => NetQuestion::Reachable(formula),
        Ltl => NetQuestion::Ltl(formula),
        Ctl => NetQuestion::Ctl(formula),
        _ => unreachable!("no formula"),
    };
    assert_eq!(asked, expected, "{text}");
    assert_eq!(written, shown);
}

/// Texts that are the same formula, the first as it is shown.
fn same(kind: Kind, texts: &[&str]) {
    for text in texts {
        assert_eq!(parse(text, kind).1, texts[0], "{text}");
    }
}

#[test]
fn comparisons() {
    let sides = || (tokens(0), constant(2));
    let cases = [
        ("p == 2", Compare::Eq, false, "p == 2"),
        ("p = 2", Compare::Eq, false, "p == 2"),
        ("p != 2", Compare::Ne, false, "p != 2"),
        ("p < 2", Compare::Lt, false, "p < 2"),
        ("p <= 2", Compare::Le, false, "p <= 2"),
        ("p > 2", Compare::Lt, true, "2 < p"),
        ("p >= 2", Compare::Le, true, "2 <= p"),
    ];
    for (text, op, swapped, shown) in cases {
        let (left, right) = if swapped { (sides().1, sides().0) } else { sides() };
        check(Invariant, text, compare(op, left.clone(), right.clone()), shown);
        check(Reachable, text, compare(op, left, right), shown);
    }
}

#[test]
fn atoms() {
    check(Invariant, "true", Formula::Atom(Atom::Constant(true)), "true");
    check(Invariant, "false", Formula::Atom(Atom::Constant(false)), "false");
    check(Invariant, "deadlock", Formula::Atom(Atom::Deadlock), "deadlock");
    check(Invariant, "fireable(t2, t1)", fireable(&[1, 0]), "fireable(t2, t1)");
    check(Invariant, "enabled(\"t 3\")", fireable(&[2]), "fireable(\"t 3\")");
    check(Invariant, "fireable(go, A)", fireable(&[0, 2]), "fireable(t1, \"t 3\")");
}

#[test]
fn names() {
    // An id comes before a name: `p` is the name of place 1 and the id of place 0.
    check(Invariant, "p >= 1", marked(0), "1 <= p");
    check(Invariant, "first >= 1", marked(0), "1 <= p");
    check(Invariant, "\"x-1.a\" >= 1", marked(2), "1 <= \"x-1.a\"");
    check(Invariant, "\"G\" >= 1", marked(3), "1 <= \"G\"");
    check(Invariant, "\"p\">=1", marked(0), "1 <= p");
}

#[test]
fn sums() {
    let sum = |text: &str, sum: Sum, shown: &str| {
        let (asked, written) = parse(text, Bound);
        assert_eq!(asked, NetQuestion::Bound(vec![sum]), "{text}");
        assert_eq!(written, shown);
    };
    let of = |constant, tokens: &[(i64, u32)]| Sum {
        constant,
        tokens: tokens.iter().map(|&(factor, place)| (factor, all(place))).collect(),
    };
    sum("p", of(0, &[(1, 0)]), "p");
    sum("7", of(7, &[]), "7");
    sum("-p + 2 * q - 3", of(-3, &[(-1, 0), (2, 1)]), "-p + 2 * q - 3");
    sum("p - (q - 1)", of(1, &[(1, 0), (-1, 1)]), "p - q + 1");
    sum("(p + q) * -2", of(0, &[(-2, 0), (-2, 1)]), "-2 * p - 2 * q");
    sum("2 * 3 * p", of(0, &[(6, 0)]), "6 * p");
    sum("0 * p + p + p", of(0, &[(0, 0), (1, 0), (1, 0)]), "0 * p + p + p");
    sum("-9223372036854775808", of(i64::MIN, &[]), "-9223372036854775808");
    sum("9223372036854775808 - 1", of(i64::MAX, &[]), "9223372036854775807");
    sum("-9223372036854775808 * q", of(0, &[(i64::MIN, 1)]), "-9223372036854775808 * q");
}

#[test]
fn colours() {
    let one = |place, colour: &[u32]| Sum { constant: 0, tokens: vec![(1, coloured(place, colour))] };
    let (asked, text) = parse("c[red, 1], c[\"dark green\", -1], c[U,0], d[ -1 ]", Bound);
    assert_eq!(
        asked,
        NetQuestion::Bound(vec![one(4, &[0, 2]), one(4, &[1, 0]), one(4, &[2, 1]), one(5, &[0])])
    );
    assert_eq!(text, "c[red, 1], c[\"dark green\", -1], c[\"U\", 0], d[-1]");
}

#[test]
fn connectives() {
    let [p, q, x] = [0, 1, 2].map(marked);
    let text = |text: &str| text.replace('P', "1 <= p").replace('Q', "1 <= q").replace('Y', "1 <= \"x-1.a\"");
    let case = |written: &str, formula: Formula| {
        check(Invariant, &text(written), formula, &text(written));
    };
    let (p, q, x) = (|| p.clone(), || q.clone(), || x.clone());
    case("!(P)", not(p()));
    case("!!deadlock", not(not(Formula::Atom(Atom::Deadlock))));
    case("P && Q && Y", Formula::And(vec![p(), q(), x()]));
    case("(P && Q) && Y", Formula::And(vec![Formula::And(vec![p(), q()]), x()]));
    case("P && (Q && Y)", Formula::And(vec![p(), Formula::And(vec![q(), x()])]));
    case("P || Q && Y", Formula::Or(vec![p(), Formula::And(vec![q(), x()])]));
    case("(P || Q) && Y", Formula::And(vec![Formula::Or(vec![p(), q()]), x()]));
    case("P -> Q -> Y", Formula::Implies(pair(p(), Formula::Implies(pair(q(), x())))));
    case("(P -> Q) -> Y", Formula::Implies(pair(Formula::Implies(pair(p(), q())), x())));
    case("P <-> Q <-> Y", Formula::Iff(pair(Formula::Iff(pair(p(), q())), x())));
    case("P <-> (Q <-> Y)", Formula::Iff(pair(p(), Formula::Iff(pair(q(), x())))));
    case("P -> Q <-> Y", Formula::Iff(pair(Formula::Implies(pair(p(), q())), x())));
    case("P || Q -> Y", Formula::Implies(pair(Formula::Or(vec![p(), q()]), x())));
}

#[test]
fn linear_time() {
    let (p, q) = (|| marked(0), || marked(1));
    let one = Box::new;
    check(Ltl, "X p >= 1", Formula::Next(None, one(p())), "X 1 <= p");
    check(Ltl, "F p >= 1", Formula::Finally(None, one(p())), "F 1 <= p");
    check(Ltl, "<>(p >= 1)", Formula::Finally(None, one(p())), "F 1 <= p");
    check(Ltl, "G p >= 1", Formula::Globally(None, one(p())), "G 1 <= p");
    check(Ltl, "[] p >= 1", Formula::Globally(None, one(p())), "G 1 <= p");
    check(Ltl, "p >= 1 U q >= 1", Formula::Until(None, pair(p(), q())), "1 <= p U 1 <= q");
    check(Ltl, "p >= 1 R q >= 1", Formula::Release(None, pair(p(), q())), "1 <= p R 1 <= q");
    check(Ltl, "p >= 1 W q >= 1", Formula::WeakUntil(None, pair(p(), q())), "1 <= p W 1 <= q");
    check(Ltl, "p >= 1 M q >= 1", Formula::StrongRelease(None, pair(p(), q())), "1 <= p M 1 <= q");
    same(Ltl, &["G F fireable(t1)", "[]<>enabled(t1)", "G (F (fireable(go)))"]);
    same(Ltl, &["true U false R true", "true U (false R true)"]);
    same(Ltl, &["(true U false) R true"]);
    same(Ltl, &["G true U F false", "(G true) U (F false)"]);
    same(Ltl, &["G (true U false)"]);
    same(Ltl, &["G true && F false", "(G true) && (F false)"]);
    same(Ltl, &["true U false && true", "(true U false) && true"]);
    same(Ltl, &["!true U false", "(!true) U false"]);
    same(Ltl, &["!G 1 <= p", "!(G p >= 1)"]);
}

#[test]
fn branching_time() {
    let one = Box::new;
    for (letter, path) in [("A", Path::All), ("E", Path::Some)] {
        let some = Some(path);
        let (p, q) = (|| marked(0), || marked(1));
        let case = |text: &str, formula: Formula| {
            let text = text.replace('Q', letter);
            check(Ctl, &text, formula, &text);
        };
        case("QX 1 <= p", Formula::Next(some, one(p())));
        case("QF 1 <= p", Formula::Finally(some, one(p())));
        case("QG 1 <= p", Formula::Globally(some, one(p())));
        case("Q[1 <= p U 1 <= q]", Formula::Until(some, pair(p(), q())));
        case("Q[1 <= p R 1 <= q]", Formula::Release(some, pair(p(), q())));
        case("Q[1 <= p W 1 <= q]", Formula::WeakUntil(some, pair(p(), q())));
    }
    same(Ctl, &["AG EF deadlock", "AG (EF (deadlock))"]);
    same(Ctl, &["A[true -> false U E[true U false] && true]"]);
    same(Ctl, &["!E[true U false] || AX true"]);
}
