//! Texts that ask for too much.

use burnside_petri::{Guard, Term, VariableId};

use crate::pnml::support::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(messages(text), [expected]);
}

#[test]
fn deep_nesting() {
    let deep = |levels: usize, open: &str, close: &str, inside: &str| {
        open.repeat(levels) + inside + &close.repeat(levels)
    };
    let message = "elements are nested deeper than 1024 levels";
    check(&black(&deep(100_000, "<page>", "</page>", "")), message);
    let term = deep(100_000, "<not><subterm>", "</subterm></not>", "<booleanconstant value=\"true\"/>");
    check(&guarded(&term), message);
    check(&"<a>".repeat(100_000), "not well-formed XML: the root node was opened but never closed");
    let tool = deep(100_000, "<a>", "</a>", "");
    net(&black(&format!("<toolspecific tool=\"x\" version=\"1\">{tool}</toolspecific>")));
}

#[test]
fn as_deep_as_allowed() {
    let nested = |levels: usize| {
        let open =
            "<or><subterm><booleanconstant value=\"false\"/></subterm><subterm><not><subterm>".repeat(levels);
        let close = "</subterm></not></subterm></or>".repeat(levels);
        guarded(&format!(
            "{open}<equality><subterm>{0}</subterm><subterm>{0}</subterm></equality>{close}",
            var("x")
        ))
    };
    net(&nested(250));
    check(&nested(255), "elements are nested deeper than 1024 levels");
    let pages: String = (0..1000).map(|id| format!("<page id=\"p{id}\">")).collect();
    net(&black(&(pages + &"</page>".repeat(1000))));
}

#[test]
fn every_kind_of_term_as_deep_as_allowed() {
    let deep = |name: &str, inside: &str| {
        let (open, close) = (format!("<{name}><subterm>"), format!("</subterm></{name}>"));
        open.repeat(500) + inside + &close.repeat(500)
    };
    let taken = |sort: &str, term: &str| transition(&taking(sort, term)).inputs.swap_remove(0).inscription;
    let x = VariableId(0);
    assert_eq!(taken("C", &deep("successor", &var("x"))), [(1, vec![Term::Variable(x, 500)])]);
    assert_eq!(taken("C", &deep("predecessor", &con("c1"))), [(1, vec![Term::Constant(1)])]);
    assert_eq!(taken("C", &deep("tuple", &var("x"))), [(1, vec![Term::Variable(x, 0)])]);
    assert_eq!(taken("C", &deep("add", &var("x"))), [(1, vec![Term::Variable(x, 0)])]);
    assert_eq!(taken("C", &deep("numberof", &var("x"))), [(1, vec![Term::Variable(x, 0)])]);
    assert_eq!(transition(&guarded(&deep("not", "<booleanconstant value=\"true\"/>"))).guard, Guard::True);
    let product = "<productsort>".repeat(1000) + "<dot/>" + &"</productsort>".repeat(1000);
    net(&coloured(&format!("<namedsort id=\"S\" name=\"S\">{product}</namedsort>"), ""));
}

#[test]
fn many_namespaces_and_attributes() {
    let attributes: String = (0..5000).map(|id| format!(" a{id}=\"\"")).collect();
    let message = "there are more than 4096 attributes, or signs of equality, in a row";
    check(&black(&format!("<place id=\"s\"{attributes}/>")), message);
    let prefixes: String = (0..100).map(|id| format!(" xmlns:p{id}=\"urn:{id}\"")).collect();
    check(&black(&format!("<place id=\"s\"{prefixes}/>")), "`xmlns:` occurs more than 64 times");
}

#[test]
fn many_elements() {
    let range = |end: &str| {
        format!("<namedsort id=\"S\" name=\"S\"><finiteintrange start=\"1\" end=\"{end}\"/></namedsort>")
    };
    check(
        &coloured(&range("9223372036854775807"), ""),
        "namedsort `S`: the classes have more than 1048576 elements",
    );
    let least = range("9223372036854775807").replace("\"1\"", "\"-9223372036854775808\"");
    check(&coloured(&least, ""), "namedsort `S`: the classes have more than 1048576 elements");
    let twice = range("600000") + &range("600000").replace("\"S\"", "\"T\"");
    check(&coloured(&twice, ""), "namedsort `T`: the classes have more than 1048576 elements");
}

#[test]
fn many_components() {
    let mut sorts =
        String::from("<namedsort id=\"S0\" name=\"S0\"><finiteintrange start=\"1\" end=\"1\"/></namedsort>");
    for level in 1..40 {
        let part = format!("<usersort declaration=\"S{}\"/>", level - 1);
        sorts += &format!(
            "<namedsort id=\"S{level}\" name=\"S{level}\"><productsort>{part}{part}</productsort></namedsort>"
        );
    }
    check(&coloured(&sorts, ""), "namedsort `S7`: a product has more than 64 components");
}

#[test]
fn long_chains() {
    let mut sorts = String::new();
    for level in 0..100_000 {
        sorts += &format!(
            "<namedsort id=\"S{level}\" name=\"S{level}\"><usersort declaration=\"S{}\"/></namedsort>",
            level + 1
        );
    }
    let found = messages(&coloured(&sorts, ""));
    assert_eq!(found[0], "namedsort `S65` is defined through too many others");
    let mut page = String::from("<place id=\"s\"/><referencePlace id=\"r0\" ref=\"s\"/>");
    for step in 1..=64 {
        page += &format!("<referencePlace id=\"r{step}\" ref=\"r{}\"/>", step - 1);
    }
    check(&black(&page), "the references from referencePlace `r64` do not end within 64 steps");
}

#[test]
fn many_colours() {
    let sorts = "<namedsort id=\"S\" name=\"S\"><finiteintrange start=\"1\" end=\"2049\"/></namedsort>\
        <namedsort id=\"T\" name=\"T\"><productsort><usersort declaration=\"S\"/><usersort declaration=\"S\"/></productsort></namedsort>";
    check(&coloured(sorts, &place("s", "T", "")), "place `s` has more than 4194304 colours: not supported");
    let sorts = sorts.replace("2049", "2048");
    let page: String = (0..5).map(|id| place(&format!("s{id}"), "T", "")).collect();
    check(&coloured(&sorts, &page), "the places have more than 16777216 colours together: not supported");
}

#[test]
fn much_work() {
    let sorts = "<namedsort id=\"S\" name=\"S\"><finiteintrange start=\"1\" end=\"1048576\"/></namedsort>";
    let every = all("S");
    let sum = op("add", &vec![every.as_str(); 65]);
    check(&coloured(sorts, &place("s", "S", &sum)), "place `s`: the initial markings are too large");
}

/// A place with so many tokens and a transition that gives it more.
fn tokens(initial: &str, weights: &[&str]) -> String {
    let arcs = weights.iter().enumerate().map(|(i, weight)| {
        format!("<arc id=\"a{i}\" source=\"t\" target=\"p\"><inscription><text>{weight}</text></inscription></arc>")
    });
    black(&format!(
        "<place id=\"p\"><name><text>Pool</text></name><initialMarking><text>{initial}</text></initialMarking></place><transition id=\"t\"/>{}",
        arcs.collect::<String>()
    ))
}

#[test]
fn more_tokens_than_a_place_holds() {
    let (most, more) = ("2305843009213693951", "2305843009213693952");
    net(&tokens(most, &[most]));
    for many in [more, "9223372036854775807", "18446744073709551615"] {
        check(&tokens(many, &["1"]), "place `p`: a number of tokens is too large");
    }
    check(&tokens("0", &[more]), "arc `a0`: it moves more tokens than place `Pool` can hold");
    check(&tokens("0", &[most, "1"]), "arc `a1`: it moves more tokens than place `Pool` can hold");
    let number = |value: &str| format!("<numberconstant value=\"{value}\"><positive/></numberconstant>");
    let times = |count: &str, term: &str| op("numberof", &[&number(count), term]);
    let all = "<all><usersort declaration=\"C\"/></all>";
    let place = |marking: &str| {
        coloured(
            DECLARATIONS,
            &format!(
                "<place id=\"p\"><type><structure><usersort declaration=\"C\"/></structure></type>\
                 <hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>"
            ),
        )
    };
    // Four colours: all tokens together count.
    net(&place(&times("576460752303423487", all)));
    check(&place(&times("576460752303423488", all)), "place `p`: a number of tokens is too large");
}
