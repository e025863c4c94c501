//! Names from files cannot break or forge a line of any output.

use crate::{model_file, run};

/// What must not be in any output as it is. A line break is in some names as well.
const HIDDEN: &str = "\u{7f}\u{80}\u{85}\u{9b}\u{9f}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}";

fn evil(name: &str) -> String {
    format!("{name}&#10;  ✓ forged&#9;{HIDDEN}")
}

fn net() -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><name><text>{}</text></name><page id=\"page\">\
         <place id=\"{}\"><initialMarking><text>1</text></initialMarking></place>\
         <place id=\"q\"><name><text>{}</text></name></place><place id=\"r\"/>\
         <transition id=\"{}\"/>\
         <arc id=\"a\" source=\"{}\" target=\"{}\"/><arc id=\"b\" source=\"{}\" target=\"q\"/></page></net></pnml>",
        evil("net"),
        evil("p"),
        evil("q"),
        evil("t"),
        evil("p"),
        evil("t"),
        evil("t")
    )
}

fn coloured() -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\
         <declaration><structure><declarations><namedsort id=\"C\" name=\"{}\"><finiteenumeration><feconstant id=\"a\" name=\"{}\"/><feconstant id=\"b\" name=\"{}\"/></finiteenumeration></namedsort>\
         <variabledecl id=\"x\" name=\"{}\"><usersort declaration=\"C\"/></variabledecl></declarations></structure></declaration><page id=\"page\">\
         <place id=\"p\"><type><structure><usersort declaration=\"C\"/></structure></type><hlinitialMarking><structure><all><usersort declaration=\"C\"/></all></structure></hlinitialMarking></place>\
         <transition id=\"t\"/><arc id=\"i\" source=\"p\" target=\"t\"><hlinscription><structure><variable refvariable=\"x\"/></structure></hlinscription></arc></page></net></pnml>",
        evil("Class"),
        evil("red"),
        evil("blue"),
        evil("x")
    )
}

#[track_caller]
fn clean(text: &str, what: &str) {
    let hidden: Vec<char> =
        text.chars().filter(|c| HIDDEN.contains(*c) || (c.is_control() && *c != '\n')).collect();
    assert!(hidden.is_empty(), "{what}: {hidden:?}\n{text}");
    assert!(!text.lines().any(|line| line.starts_with("  ✓ forged")), "{what}\n{text}");
}

#[test]
fn every_command_shows_names_as_escapes() {
    for (name, text) in [("plain", net()), ("coloured", coloured())] {
        let path = model_file(&format!("names_{name}.pnml"), &text);
        for args in [
            &["check"][..],
            &["check", "--witness", "--reachable", "deadlock", "--ctl", "EF deadlock"],
            &["check", "--ltl", "F false"],
            &["check", "--format", "json"],
            &["check", "--format", "contest", "--global", "StateSpace"],
            &["graph"],
            &["graph", "--format", "json"],
            &["simulate", "--seed", "1"],
            &["symmetry"],
        ] {
            let ran = run(&[&args[..1], &[path.as_str()], &args[1..]].concat());
            assert!(matches!(ran.code, 0 | 1), "{args:?}: {}", ran.err);
            clean(&ran.out, &format!("{args:?}"));
            clean(&ran.err, &format!("{args:?}"));
        }
        assert!(run(&["graph", &path]).out.contains("\\\\u{202e}"));
        run(&["graph", &path, "--format", "json"]).json();
    }
}

#[test]
fn properties_and_complaints() {
    let path = model_file("names_asked.pnml", &net());
    let property =
        |id: &str, formula: &str| format!("<property><id>{id}</id><formula>{formula}</formula></property>");
    let count = format!(
        "<all-paths><globally><integer-le><tokens-count><place>{}</place></tokens-count><integer-constant>1</integer-constant></integer-le></globally></all-paths>",
        evil("p")
    );
    let good = format!("<property-set>{}</property-set>", property(&evil("name"), &count));
    let good = model_file("names_good.xml", &good);
    for format in ["text", "json", "contest"] {
        let ran = run(&["check", &path, "--properties", &good, "--format", format]).code(0);
        clean(&ran.out, format);
        assert!(ran.out.contains("forged") && ran.out.contains("u{202e}"), "{}", ran.out);
    }
    let bad =
        format!("<property-set>{}</property-set>", property("x", &count.replace(&evil("p"), &evil("none"))));
    let bad = model_file("names_bad.xml", &bad);
    let ran = run(&["check", &path, "--properties", &bad]).code(2);
    clean(&ran.err, "a place that is not there");
    let ran = run(&["check", &path, "--properties", &bad, "--format", "json"]).code(2);
    clean(&ran.out, "the same as JSON");
    let wrong = model_file("names_wrong.pnml", &net().replace("target=\"q\"", "target=\"none\""));
    clean(&run(&["check", &wrong]).code(2).err, "an arc to nowhere");
    // What is shown can be asked for.
    let shown = "\"p\\u{a}  ✓ forged\\u{9}".to_string()
        + &HIDDEN.chars().map(|c| c.escape_unicode().to_string()).collect::<String>()
        + "\" <= 1";
    clean(&run(&["check", &path, "--invariant", &shown]).code(0).out, "by its escapes");
}

#[test]
fn an_empty_set_of_properties_is_an_error() {
    let empty = model_file("names_empty.xml", "<property-set/>");
    let ran = run(&["check", "examples/heljanko_mutex.pnml", "--properties", &empty]).code(2);
    assert!(ran.err.contains("this `property-set` holds no property"), "{}", ran.err);
    assert!(ran.out.is_empty(), "{}", ran.out);
}
