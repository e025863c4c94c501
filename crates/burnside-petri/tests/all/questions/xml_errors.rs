//! What is said about files that are wrong, and where.

use crate::questions::support::net;
use crate::questions::xml::file;
use burnside_petri::{Error, MAX_DEPTH, read_properties};

fn only(text: &str) -> Error {
    let mut errors = read_properties(text, &net()).expect_err(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

/// The only error in a formula: what it points at and what it says.
fn check(id: &str, formula: &str, part: &str, message: &str, help: &str) {
    let text = file(&[(id, formula)]);
    let error = only(&text);
    assert_eq!(&text[error.span.clone()], part);
    assert_eq!(error.message, message);
    assert_eq!(error.help.as_deref().unwrap_or_default(), help);
}

const STAR: &str = "formulas of CTL* that are neither of CTL nor of LTL are not supported";

#[test]
fn elements() {
    check("x", "<is-live/>", "<is-live/>", "unknown element `is-live` in a formula", "");
    let strange = "<is-fireable><place>p</place></is-fireable>";
    check("x", strange, "<place>p</place>", "unknown element `place` in `is-fireable`", "");
    let strange = "<place-bound><transition>p</transition></place-bound>";
    let part = "<transition>p</transition>";
    check("x", strange, part, "unknown element `transition` in `place-bound`", "");
    let strange = "<integer-le><true/><integer-constant>1</integer-constant></integer-le>";
    check("x", strange, "<true/>", "`true` is no number", "");
    let strange = "<all-paths><until><before><true/></before><after/></until></all-paths>";
    check("x", strange, "<after/>", "unknown element `after` in `until`", "");
    let strange = "<all-paths><next><steps>2</steps><true/></next></all-paths>";
    check("x", strange, "<steps>2</steps>", "`steps` in `next` is not supported", "");
    let strange = "<all-paths><until><before><true/></before><reach><true/></reach><strength>odd</strength></until></all-paths>";
    check("x", strange, "<strength>odd</strength>", "`odd` is no strength", "there are `strong` and `weak`");
}

#[test]
fn names() {
    let place = "<place-bound><place>fist</place></place-bound>";
    check("x", place, "<place>fist</place>", "there is no place `fist`", "did you mean `first`?");
    let several = "<place-bound><place>twin</place></place-bound>";
    let help = "write the id of the one that is meant";
    check("x", several, "<place>twin</place>", "`twin` is the name of several places", help);
    let transition = "<is-fireable><transition>zzz</transition></is-fireable>";
    check("x", transition, "<transition>zzz</transition>", "there is no transition `zzz`", "");
    check("x", "<place-bound><place/></place-bound>", "<place/>", "this `place` is empty", "");
}

#[test]
fn counts() {
    let count = |formula: &str, message: &str| check("x", formula, formula, message, "");
    count("<negation/>", "`negation` needs 1 element inside, and has 0");
    count("<negation><true/><true/></negation>", "`negation` needs 1 element inside, and has 2");
    count("<conjunction/>", "`conjunction` needs at least 1 element inside, and has 0");
    count("<implication><true/></implication>", "`implication` needs 2 elements inside, and has 1");
    count("<integer-le/>", "`integer-le` needs 2 elements inside, and has 0");
    count("<is-fireable/>", "`is-fireable` needs at least 1 element inside, and has 0");
    count("<exists-path/>", "`exists-path` needs 1 element inside, and has 0");
    let until = "<until><reach><true/></reach></until>";
    check("x", &format!("<all-paths>{until}</all-paths>"), until, "this `until` has no `before`", "");
    let twice =
        "<all-paths><until><reach><true/></reach><before><true/></before><reach/></until></all-paths>";
    check("x", twice, "<reach/>", "this `until` has several `reach`", "");
}

#[test]
fn numbers() {
    let compare =
        |number: &str| format!("<integer-le>{number}<integer-constant>1</integer-constant></integer-le>");
    let constant = |number: &str| format!("<integer-constant>{number}</integer-constant>");
    let great = constant("9223372036854775808");
    check("x", &compare(&great), &great, "a number in `integer-constant` is out of range", "");
    let vast = constant(&"9".repeat(50));
    check("x", &compare(&vast), &vast, "a number in `integer-constant` is out of range", "");
    for text in ["one", "+1", "1.5", "-"] {
        let wrong = constant(text);
        check("x", &compare(&wrong), &wrong, &format!("`{text}` is no number"), "");
    }
    let p = "<tokens-count><place>p</place></tokens-count>";
    let product = format!("<integer-product>{p}{p}</integer-product>");
    let message = "numbers of tokens cannot be multiplied with each other";
    check("x", &compare(&product), &product, message, "");
}

#[test]
fn neither_logic() {
    let next = "<next><true/></next>";
    let mixed = format!("<exists-path><globally>{next}</globally></exists-path>");
    check("x", &mixed, next, "`next` is not directly under `all-paths` or `exists-path`", STAR);
    let bare = "<negation><finally><true/></finally></negation>";
    let message = "`finally` is not directly under `all-paths` or `exists-path`";
    check("x", bare, "<finally><true/></finally>", message, STAR);
    let idle = "<exists-path><true/></exists-path>";
    check("x", idle, "<true/>", "`true` is directly under `exists-path` and is no path operator", STAR);
    let inner = "<exists-path><next><true/></next></exists-path>";
    let linear = format!("<all-paths><globally>{inner}</globally></all-paths>");
    check("n-LTLCardinality-00", &linear, inner, "`exists-path` is inside a formula of linear time", STAR);
    let message = "a formula of linear time starts with `all-paths`, not with `exists-path`";
    check("n-LTLCardinality-00", inner, inner, message, STAR);
    let message = "a formula of linear time starts with `all-paths`, not with `negation`";
    check("n-LTLCardinality-00", bare, bare, message, STAR);
    let branching = format!("<all-paths><globally>{next}</globally></all-paths>");
    check(
        "n-CTLCardinality-00",
        &branching,
        next,
        "`next` is not directly under `all-paths` or `exists-path`",
        STAR,
    );
    let old = format!("<invariant>{next}</invariant>");
    check("x", &old, next, "`next` is not allowed in a condition on markings", "");
}

#[test]
fn files() {
    let case = |text: &str, part: &str, message: &str| {
        let error = only(text);
        assert_eq!((&text[error.span.clone()], &*error.message), (part, message));
    };
    case("<pnml/>", "<pnml", "expected `property-set` of http://mcc.lip6.fr/, found `pnml`");
    let foreign = "<property-set xmlns=\"urn:x\"/>";
    case(foreign, "<property-set", "expected `property-set` of http://mcc.lip6.fr/, found `property-set`");
    let set = |inner: &str| format!("<property-set>{inner}</property-set>");
    case(&set("<formula/>"), "<formula/>", "unknown element `formula` in `property-set`");
    case(&set("<property><what/></property>"), "<what/>", "unknown element `what` in `property`");
    let nameless = "<property><formula><true/></formula></property>";
    case(&set(nameless), nameless, "this `property` has no `id`");
    let empty = "<property><id> </id><formula><true/></formula></property>";
    case(&set(empty), "<id> </id>", "this `id` is empty");
    let long =
        format!("<property><id>{}</id><formula><true/></formula></property>", "i".repeat((1 << 16) + 1));
    case(&set(&long), "<id", "this `id` has more than 65536 bytes");
    let nothing = "<property><id>a</id></property>";
    case(&set(nothing), nothing, "this `property` has no `formula`");
    let good = "<property><id>a</id><formula><true/></formula></property>";
    case(&set(&[good, good].concat()), good, "there are several properties `a`");
    let tags = "<property><id>a</id><tags><is-ltl>true</is-ltl></tags><formula><true/></formula></property>";
    assert!(read_properties(&set(tags), &net()).is_ok());
}

#[test]
fn malformed_files() {
    let error = only("<property-set>\n<é></property-set>");
    assert!(error.message.starts_with("this is not well-formed XML: "), "{}", error.message);
    assert_eq!(error.span.start, "<property-set>\n<é>".len());
    assert!(only("").message.starts_with("this is not well-formed XML: "));
    let entity = "<!DOCTYPE a [<!ENTITY b \"c\">]><property-set>&b;</property-set>";
    let error = only(entity);
    assert_eq!((error.span, &*error.message), (0..9, "document types are not read"));
    let error = only("<property-set>&b;</property-set>");
    assert!(error.message.starts_with("this is not well-formed XML: "), "{}", error.message);
}

#[test]
fn every_property_is_reported() {
    let text = file(&[("a", "<what/>"), ("b", "<true/>"), ("c", "<negation/>")]);
    let errors = read_properties(&text, &net()).expect_err("two are wrong");
    let messages: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
    assert_eq!(
        messages,
        ["unknown element `what` in a formula", "`negation` needs 1 element inside, and has 0"]
    );
    let ids: Vec<String> = (0..300).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &str)> = ids.iter().map(|id| (&**id, "<what/>")).collect();
    assert_eq!(read_properties(&file(&many), &net()).expect_err("all are wrong").len(), 100);
}

#[test]
fn deep_files_are_refused() {
    let nested = |name: &str, inner: &str, count: usize| {
        [&format!("<{name}>").repeat(count), inner, &format!("</{name}>").repeat(count)].concat()
    };
    let read = |formula: &str| read_properties(&file(&[("x", formula)]), &net());
    let limit = MAX_DEPTH as usize;
    assert!(read(&nested("negation", "<true/>", limit - 1)).is_ok());
    for (name, count) in [("negation", limit), ("negation", 100_000), ("conjunction", 100_000)] {
        let errors = read(&nested(name, "<true/>", count)).expect_err("deep");
        assert!(errors[0].message.ends_with("is nested more than 200 levels deep"), "{}", errors[0].message);
    }
    let sum = nested("integer-sum", "<integer-constant>1</integer-constant>", 100_000);
    let errors = read(&format!("<integer-le>{sum}{sum}</integer-le>")).expect_err("deep");
    assert_eq!(errors[0].message, "`integer-sum` is nested more than 200 levels deep");
    let linear = nested("finally", "<true/>", 100_000);
    assert!(read(&format!("<all-paths>{linear}</all-paths>")).is_err());
    // As text, what is just not too deep must still be readable: conjunctions need parentheses.
    let mut deep = "<true/>".to_owned();
    for _ in 0..limit - 1 {
        deep = format!("<conjunction><true/>{deep}</conjunction>");
    }
    let query = read(&deep).expect("not too deep").remove(0);
    let again = burnside_petri::parse_query(&query.text, burnside_ts::Kind::Ctl, "x", &net());
    assert_eq!(again, Ok(query));
}
