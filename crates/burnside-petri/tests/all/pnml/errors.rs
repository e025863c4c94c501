//! Wrong documents and wrong graphs, with what is said about them.

use burnside_petri::read_pnml;

use crate::pnml::support::{black, coloured, document, messages};

const ENDS: &str = r#"<place id="s"/><place id="u"/><transition id="t"/><transition id="v"/>"#;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(messages(text), expected);
}

#[track_caller]
fn check_page(page: &str, expected: &[&str]) {
    check(&black(&format!("{ENDS}{page}")), expected);
}

#[test]
fn not_xml() {
    check("", &["the text is empty"]);
    check(" \n", &["the text is empty"]);
    check("{ \"net\": 1 }", &["not well-formed XML: unknown token"]);
    check("<pnml>", &["not well-formed XML: the root node was opened but never closed"]);
    check("<pnml></net>", &["not well-formed XML: expected 'pnml' tag, not 'net'"]);
    check("<pnml a=\"1\" a=\"2\"/>", &["not well-formed XML: attribute 'a' is already defined"]);
    check("<pnml>&bomb;</pnml>", &["not well-formed XML: unknown entity reference 'bomb'"]);
}

/// Names are copied many times, so they have a greatest length; other texts may be as long as they like.
#[test]
fn names_without_measure() {
    let (most, more) = ("n".repeat(1 << 16), "n".repeat((1 << 16) + 1));
    let page = |id: &str, name: &str, marking: &str| {
        black(&format!(
            "<place id=\"{id}\"><name><text>{name}</text></name>
                <initialMarking><text>{marking}</text></initialMarking></place><transition id=\"t\"/>"
        ))
    };
    let zeros = format!("{}1", "0".repeat(1 << 17));
    assert!(read_pnml(&page(&most, &most, &zeros)).is_ok());
    check(&page(&more, "n", "1"), &["a name has more than 65536 bytes"]);
    check(&page("p", &more, "1"), &["a name has more than 65536 bytes"]);
    let errors = read_pnml(&page("p", &more, "1")).unwrap_err();
    assert_eq!(errors[0].span.len(), 1);
}

#[test]
fn errors_of_xml_are_where_they_are() {
    let text = "<pnml>\n <ö/></net>";
    let errors = read_pnml(text).unwrap_err();
    assert_eq!(errors[0].span, 13..13, "{errors:?}");
    let cut = "<pnml>\n <net";
    assert_eq!(read_pnml(cut).unwrap_err()[0].span, 12..12);
}

#[test]
fn document_types_are_refused() {
    let message = ["a document type declaration is not allowed"];
    check("<!DOCTYPE pnml><pnml/>", &message);
    check("<!DOCTYPE pnml SYSTEM \"http://example.org/x.dtd\"><pnml/>", &message);
    check("<!DOCTYPE pnml [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><pnml>&f;</pnml>", &message);
    let bomb = "<!DOCTYPE p [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><p>&c;</p>";
    check(bomb, &message);
    assert_eq!(read_pnml("<?xml version=\"1.0\"?>\n<!DOCTYPE p><p/>").unwrap_err()[0].span, 22..31);
}

#[test]
fn namespaces() {
    check("<pnml/>", &["`<pnml>` is in no namespace, which is not that of PNML"]);
    check(
        "<pnml xmlns=\"http://www.informatik.hu-berlin.de/top/pnml\"><net/></pnml>",
        &[
            "`<pnml>` is in the namespace `http://www.informatik.hu-berlin.de/top/pnml`, which is not that of PNML",
        ],
    );
    check_page(
        "<x:inhibitor xmlns:x=\"urn:x\"/>",
        &["`<inhibitor>` is in the namespace `urn:x`, which is not that of PNML"],
    );
}

#[test]
fn nets_and_types() {
    let one = "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"/>";
    let pnml = |content: &str| {
        format!("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">{content}</pnml>")
    };
    check(&pnml(""), &["the document has no net"]);
    check(
        &pnml(&(one.to_string() + &one.replace("\"n\"", "\"m\""))),
        &["the document has several nets: net `n`, net `m`"],
    );
    check(&pnml("<page id=\"p\"/>"), &["`<pnml>`: `<page>` is not understood here"]);
    check(
        &pnml(one).replace("pnml>", "petri>").replace("<pnml ", "<petri "),
        &["the document is not `<pnml>` but `<petri>`"],
    );
    check(
        &one.replace("<net ", "<net xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\" "),
        &["the document is not `<pnml>` but `<net>`"],
    );
    check(&pnml("<net id=\"n\"/>"), &["net `n` has no attribute `type`"]);
    check(&pnml(&one.replace("id=\"n\"", "")), &["`<net>` has no attribute `id`"]);
    check(
        &pnml(&one.replace("ptnet", "stochasticnet")),
        &["nets of the type `http://www.pnml.org/version-2009/grammar/stochasticnet` are not supported"],
    );
    check(&pnml("<net id=\"n\" type=\"P/T net\"/>"), &["nets of the type `P/T net` are not supported"]);
}

#[test]
fn ids() {
    check_page("<place/>", &["`<place>` has no attribute `id`"]);
    check_page("<arc source=\"s\" target=\"t\"/>", &["`<arc>` has no attribute `id`"]);
    check_page("<place id=\"s\"/>", &["the id `s` is used twice: by `<place>` and by `<place>`"]);
    check_page(
        "<arc id=\"t\" source=\"s\" target=\"t\"/>",
        &["the id `t` is used twice: by `<transition>` and by `<arc>`"],
    );
    check_page("<page id=\"g\"/>", &["the id `g` is used twice: by `<page>` and by `<page>`"]);
}

#[test]
fn ends_of_arcs() {
    check_page("<arc id=\"a\" target=\"t\"/>", &["arc `a` has no attribute `source`"]);
    check_page("<arc id=\"a\" source=\"s\"/>", &["arc `a` has no attribute `target`"]);
    check_page(
        "<arc id=\"a\" source=\"s\" target=\"w\"/>",
        &["arc `a`: its target `w` is no place and no transition"],
    );
    check_page(
        "<arc id=\"a\" source=\"a\" target=\"t\"/>",
        &["arc `a`: its source `a` is no place and no transition"],
    );
    check_page("<arc id=\"a\" source=\"s\" target=\"u\"/>", &["arc `a` connects two places"]);
    check_page("<arc id=\"a\" source=\"t\" target=\"v\"/>", &["arc `a` connects two transitions"]);
}

#[test]
fn spans_are_those_of_what_is_wrong() {
    let text = black(&format!("{ENDS}<arc id=\"a\" source=\"s\" target=\"w\"/>"));
    let span = read_pnml(&text).unwrap_err()[0].span.clone();
    assert_eq!(&text[span], "target=\"w\"");
    let text = black("<place id=\"s\"><capacity><text>1</text></capacity></place>");
    let span = read_pnml(&text).unwrap_err()[0].span.clone();
    assert_eq!(&text[span], "<capacity><text>1</text></capacity>");
}

#[test]
fn many_errors_at_once() {
    check_page(
        "<arc id=\"a\" source=\"s\" target=\"u\"/><arc id=\"b\" source=\"s\" target=\"nowhere\"/><arc id=\"c\" source=\"s\" target=\"t\" weight=\"2\"/>",
        &[
            "arc `a` connects two places",
            "arc `b`: its target `nowhere` is no place and no transition",
            "arc `c`: the attribute `weight` is not understood",
        ],
    );
}

#[test]
fn references() {
    check_page("<referencePlace id=\"r\"/>", &["referencePlace `r` has no attribute `ref`"]);
    check_page(
        "<referencePlace id=\"r\" ref=\"w\"/>",
        &["referencePlace `r` refers to `w`, which does not exist"],
    );
    check_page(
        "<referencePlace id=\"r\" ref=\"t\"/>",
        &["referencePlace `r` refers to `t`, which is of the kind `<transition>`"],
    );
    check_page(
        "<referenceTransition id=\"r\" ref=\"s\"/>",
        &["referenceTransition `r` refers to `s`, which is of the kind `<place>`"],
    );
    check_page(
        "<referencePlace id=\"r\" ref=\"r\"/>",
        &["the references from referencePlace `r` do not end within 64 steps"],
    );
    check_page(
        "<referencePlace id=\"r\" ref=\"s\"><initialMarking><text>1</text></initialMarking></referencePlace>",
        &["referencePlace `r`: `<initialMarking>` is not understood here"],
    );
}

#[test]
fn labels() {
    let place = |label: &str| black(&format!("<place id=\"s\">{label}</place>"));
    check(&place("<capacity><text>3</text></capacity>"), &["place `s` has a capacity"]);
    check(
        &place("<initialMarking><value>3</value></initialMarking>"),
        &["place `s`: `<initialMarking>`: `<value>` is not understood here"],
    );
    check(&place("<initialMarking>3</initialMarking>"), &["place `s`: `<initialMarking>` is empty"]);
    check(
        &place(
            "<initialMarking><text>3</text></initialMarking><initialMarking><text>3</text></initialMarking>",
        ),
        &["place `s` has `<initialMarking>` twice"],
    );
    check(
        &place("<initialMarking><text>3</text><text>4</text></initialMarking>"),
        &["place `s`: `<initialMarking>` has more than one element"],
    );
    check(&place("<hlinitialMarking/>"), &["place `s`: `<hlinitialMarking>` is not understood here"]);
    check(
        &black("<place id=\"s\" initialMarking=\"2\"/>"),
        &["place `s`: the attribute `initialMarking` is not understood"],
    );
    check(
        &black("<transition id=\"t\"><rate><text>1</text></rate></transition>"),
        &["transition `t`: `<rate>` is not understood here"],
    );
    check(
        &black("<transition id=\"t\"><condition/></transition>"),
        &["transition `t`: `<condition>` is not understood here"],
    );
    check(&black("<priority/>"), &["page `g`: `<priority>` is not understood here"]);
    check(&document("ptnet", "<declaration/>"), &["net `n`: `<declaration>` is not understood here"]);
    check(
        &coloured("", "<place id=\"s\"><initialMarking><text>1</text></initialMarking></place>"),
        &["place `s`: `<initialMarking>` is not understood here"],
    );
}

#[test]
fn numbers() {
    let marked = |text: &str| {
        black(&format!("<place id=\"s\"><initialMarking><text>{text}</text></initialMarking></place>"))
    };
    let wrong = |what: &str| format!("place `s`: `<initialMarking>` must be a number, but {what}");
    check(&marked("-1"), &[&wrong("`-1` is negative")]);
    check(&marked("1.5"), &[&wrong("`1.5` is none")]);
    check(&marked("+1"), &[&wrong("`+1` is none")]);
    check(&marked(""), &[&wrong("`` is none")]);
    check(&marked("-ö"), &[&wrong("`-ö` is none")]);
    check(&marked("18446744073709551616"), &[&wrong("`18446744073709551616` is too large")]);
    let weight = |number: &str| {
        format!(
            "<arc id=\"a\" source=\"s\" target=\"t\"><inscription><text>{number}</text></inscription></arc>"
        )
    };
    check_page(&weight("x"), &["arc `a`: `<inscription>` must be a number, but `x` is none"]);
    let moves = |arc: &str| format!("arc `{arc}`: it moves more tokens than place `s` can hold");
    check_page(&weight("9223372036854775808"), &[&moves("a")]);
    let twice = |text: String| text.clone() + &text.replace("\"a\"", "\"b\"");
    check_page(&twice(weight("2305843009213693951")), &[&moves("b")]);
    check_page(&twice(weight("9223372036854775807")), &[&moves("a"), &moves("b")]);
}

#[test]
fn kinds_of_arcs() {
    let arc = |label: &str| format!("<arc id=\"a\" source=\"s\" target=\"t\">{label}</arc>");
    check_page(&arc("<type value=\"cancel\"/>"), &["arc `a`: arcs of the kind `cancel` are not understood"]);
    check_page(
        "<arc id=\"a\" source=\"s\" target=\"t\" type=\"timed\"/>",
        &["arc `a`: arcs of the kind `timed` are not understood"],
    );
    check_page(
        &arc("<type value=\"test\"/><arctype><text>reset</text></arctype>"),
        &["arc `a`: it is of two kinds"],
    );
    check_page(
        "<arc id=\"a\" source=\"t\" target=\"s\"><type value=\"inhibitor\"/></arc>",
        &["arc `a` does not lead from a place to a transition"],
    );
    check_page(
        &arc("<type value=\"inhibitor\"/><inscription><text>0</text></inscription>"),
        &["arc `a` is an inhibitor arc of weight 0"],
    );
    check_page(
        &arc("<type value=\"reset\"/><inscription><text>2</text></inscription>"),
        &["arc `a` is a reset arc with an inscription"],
    );
}
