//! The contest's formulas: every element, and which kind of question a formula becomes.

use crate::questions::support::*;
use burnside_petri::{Atom, Formula, NetQuestion, Query, Sum, parse_query, read_properties};
use burnside_ts::{Compare, Path};

pub fn file(properties: &[(&str, &str)]) -> String {
    let property = |(id, formula): &(&str, &str)| {
        format!(
            "<property><id>{id}</id><description>d</description>\n<formula>{formula}</formula></property>\n"
        )
    };
    let body: String = properties.iter().map(property).collect();
    format!("<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n{body}</property-set>\n")
}

fn read(id: &str, formula: &str) -> Query {
    let text = file(&[(id, formula)]);
    let mut queries = read_properties(&text, &net()).unwrap_or_else(|errors| panic!("{formula}: {errors:?}"));
    assert_eq!(queries.len(), 1);
    let query = queries.remove(0);
    assert_eq!(query.name, id);
    assert_eq!(parse_query(&query.text, query.asked.kind(), id, &net()).as_ref(), Ok(&query));
    query
}

fn check(formula: &str, asked: NetQuestion, text: &str) {
    let query = read("x", formula);
    assert_eq!(query.asked, asked, "{formula}");
    assert_eq!(query.text, text);
}

/// A condition is asked for in the initial marking.
fn condition(formula: &str, expected: Formula, text: &str) {
    check(formula, NetQuestion::Ctl(expected), text);
}

const P: &str = "<tokens-count><place>p</place></tokens-count>";
const DEAD: &str = "<is-deadlock/>";

fn constant_of(number: &str) -> String {
    format!("<integer-constant>{number}</integer-constant>")
}

#[test]
fn comparisons() {
    let cases = [
        ("le", Compare::Le, false),
        ("lt", Compare::Lt, false),
        ("eq", Compare::Eq, false),
        ("ne", Compare::Ne, false),
        ("ge", Compare::Le, true),
        ("gt", Compare::Lt, true),
    ];
    for (name, op, swapped) in cases {
        let formula = format!("<integer-{name}>{P}{}</integer-{name}>", constant_of("2"));
        let sides = if swapped { (constant(2), tokens(0)) } else { (tokens(0), constant(2)) };
        assert_eq!(read("x", &formula).asked, NetQuestion::Ctl(compare(op, sides.0, sides.1)));
    }
}

#[test]
fn sums() {
    let number = |number: &str, expected: Sum, text: &str| {
        let formula = format!("<integer-le>{number}{}</integer-le>", constant_of("-3"));
        condition(&formula, compare(Compare::Le, expected, constant(-3)), &format!("{text} <= -3"));
    };
    let of = |constant, tokens: &[(i64, u32)]| Sum {
        constant,
        tokens: tokens.iter().map(|&(factor, place)| (factor, all(place))).collect(),
    };
    let two = "<tokens-count><place> x-1.a </place><!-- and --><place>q</place></tokens-count>";
    number(two, of(0, &[(1, 2), (1, 1)]), "\"x-1.a\" + q");
    number(
        &format!("<integer-sum>{P}{two}{P}</integer-sum>"),
        of(0, &[(1, 0), (1, 2), (1, 1), (1, 0)]),
        "p + \"x-1.a\" + q + p",
    );
    number(
        &format!("<integer-difference>{P}{two}</integer-difference>"),
        of(0, &[(1, 0), (-1, 2), (-1, 1)]),
        "p - \"x-1.a\" - q",
    );
    let three = constant_of("3");
    number(&format!("<integer-product>{P}{three}{three}</integer-product>"), of(0, &[(9, 0)]), "9 * p");
    number(
        &format!("<integer-difference>{three}{}</integer-difference>", constant_of("5")),
        of(-2, &[]),
        "-2",
    );
    number(&constant_of("9223372036854775807"), of(i64::MAX, &[]), "9223372036854775807");
}

#[test]
fn atoms() {
    condition(DEAD, Formula::Atom(Atom::Deadlock), "deadlock");
    condition("<deadlock/>", Formula::Atom(Atom::Deadlock), "deadlock");
    condition("<true/>", Formula::Atom(Atom::Constant(true)), "true");
    condition("<false/>", Formula::Atom(Atom::Constant(false)), "false");
    let two = "<is-fireable><transition>t2</transition><transition>go</transition></is-fireable>";
    condition(two, fireable(&[1, 0]), "fireable(t2, t1)");
}

#[test]
fn connectives() {
    let (t, f) = (|| Formula::Atom(Atom::Constant(true)), || Formula::Atom(Atom::Constant(false)));
    let on = |name: &str| format!("<{name}><true/><false/></{name}>");
    condition("<negation><true/></negation>", not(t()), "!true");
    condition(&on("conjunction"), Formula::And(vec![t(), f()]), "true && false");
    condition(&on("disjunction"), Formula::Or(vec![t(), f()]), "true || false");
    condition(&on("implication"), Formula::Implies(pair(t(), f())), "true -> false");
    condition(&on("equivalence"), Formula::Iff(pair(t(), f())), "true <-> false");
    condition(&on("exclusive-disjunction"), not(Formula::Iff(pair(t(), f()))), "!(true <-> false)");
    condition(
        "<conjunction><true/><false/><true/></conjunction>",
        Formula::And(vec![t(), f(), t()]),
        "true && false && true",
    );
    condition("<disjunction><false/></disjunction>", f(), "false");
    condition(
        "<conjunction><conjunction><true/><false/></conjunction><true/></conjunction>",
        Formula::And(vec![Formula::And(vec![t(), f()]), t()]),
        "(true && false) && true",
    );
}

#[test]
fn bounds() {
    let one = "<place-bound><place>p</place></place-bound>";
    check(one, NetQuestion::Bound(vec![tokens(0)]), "p");
    check("<place-bound/>", NetQuestion::Bound(vec![Sum::default()]), "0");
    let two = "<place-bound><place>c</place><place>p</place></place-bound>";
    let sum = Sum { constant: 0, tokens: vec![(1, all(4)), (1, all(0))] };
    check(two, NetQuestion::Bound(vec![sum]), "c + p");
}

#[test]
fn conditions_on_reachable_markings() {
    let dead = || Formula::Atom(Atom::Deadlock);
    let ef = format!("<exists-path><finally>{DEAD}</finally></exists-path>");
    let ag = format!("<all-paths><globally><negation>{DEAD}</negation></globally></all-paths>");
    for id in ["x", "n-ReachabilityCardinality-2025-00", "n-CTLFireability-01", "n-LTLFireability-01"] {
        assert_eq!(read(id, &ef).asked, NetQuestion::Reachable(dead()));
        assert_eq!(read(id, &ag).asked, NetQuestion::Invariant(not(dead())));
    }
    check(&format!("<invariant>{DEAD}</invariant>"), NetQuestion::Invariant(dead()), "deadlock");
    check(&format!("<possibility>{DEAD}</possibility>"), NetQuestion::Reachable(dead()), "deadlock");
    check(
        &format!("<impossibility>{DEAD}</impossibility>"),
        NetQuestion::Invariant(not(dead())),
        "!deadlock",
    );
}

#[test]
fn branching_time() {
    let t = || Formula::Atom(Atom::Constant(true));
    for (quantifier, path, letter) in [("all-paths", Path::All, "A"), ("exists-path", Path::Some, "E")] {
        let quantified =
            |inner: &str| format!("<conjunction><{quantifier}>{inner}</{quantifier}><true/></conjunction>");
        let case = |inner: &str, formula: Formula, text: &str| {
            condition(
                &quantified(inner),
                Formula::And(vec![formula, t()]),
                &format!("{letter}{text} && true"),
            );
        };
        let some = Some(path);
        case("<next><true/></next>", Formula::Next(some, Box::new(t())), "X true");
        case("<finally><true/></finally>", Formula::Finally(some, Box::new(t())), "F true");
        case("<globally><true/></globally>", Formula::Globally(some, Box::new(t())), "G true");
        let until =
            |rest: &str| format!("<until><before><true/></before><reach><true/></reach>{rest}</until>");
        case(&until(""), Formula::Until(some, pair(t(), t())), "[true U true]");
        case(&until("<strength>strong</strength>"), Formula::Until(some, pair(t(), t())), "[true U true]");
        case(&until("<strength>weak</strength>"), Formula::WeakUntil(some, pair(t(), t())), "[true W true]");
    }
}

/// Which logic a formula belongs to, as its text.
#[test]
fn logics() {
    let ltl = |id: &str, formula: &str, text: &str| {
        let query = read(id, formula);
        assert!(matches!(query.asked, NetQuestion::Ltl(_)), "{id} {formula}");
        assert_eq!(query.text, text);
    };
    let ctl = |id: &str, formula: &str, text: &str| {
        let query = read(id, formula);
        assert!(matches!(query.asked, NetQuestion::Ctl(_)), "{id} {formula}");
        assert_eq!(query.text, text);
    };
    let both = "<all-paths><finally><true/></finally></all-paths>";
    ctl("x", both, "AF true");
    ctl("n-CTLFireability-2025-03", both, "AF true");
    ctl("LTL", both, "AF true");
    ltl("n-LTLCardinality-03", both, "F true");
    // The category comes after the model's name.
    ltl("n-CTL-LTLCardinality-03", both, "F true");
    ctl("n-LTL-CTLCardinality-03", both, "AF true");
    ltl("x", "<all-paths><finally><globally><true/></globally></finally></all-paths>", "F G true");
    ltl("x", "<all-paths><negation><next><true/></next></negation></all-paths>", "!X true");
    ltl("x", "<all-paths><true/></all-paths>", "true");
    ltl(
        "x",
        "<all-paths><globally><until><before><true/></before><reach><next><false/></next></reach></until></globally></all-paths>",
        "G (true U X false)",
    );
    ctl(
        "x",
        "<all-paths><globally><exists-path><finally><true/></finally></exists-path></globally></all-paths>",
        "AG EF true",
    );
    ctl("x", "<negation><all-paths><globally><true/></globally></all-paths></negation>", "!AG true");
}

#[test]
fn a_file() {
    let text = file(&[("a", "<true/>"), ("b", "<false/>")]);
    let names: Vec<String> =
        read_properties(&text, &net()).expect("fine").into_iter().map(|query| query.name).collect();
    assert_eq!(names, ["a", "b"]);
    let bare = "<property-set><property><id> a </id><formula><true/></formula></property></property-set>";
    assert_eq!(read_properties(bare, &net()).expect("no namespace")[0].name, "a");
    for empty in ["<property-set/>", "<property-set>\n  <!-- <property/> -->\n</property-set>"] {
        let errors = read_properties(empty, &net()).expect_err("nothing is asked");
        assert_eq!(errors.len(), 1);
        assert_eq!(
            (errors[0].message.as_str(), errors[0].span.clone()),
            ("this `property-set` holds no property", 0..empty.len())
        );
    }
}
