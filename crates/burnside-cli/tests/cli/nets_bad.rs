//! Nets and formulas that are wrong: a message with the place, and exit code 2. Nothing is fetched, and
//! nothing is expanded.

use super::*;

const PNML: &str = "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">";
const ENDS: &str = "<place id=\"s\"/><place id=\"u\"/><transition id=\"t\"/>";

/// A net whose page starts in line 4.
fn black(page: &str) -> String {
    format!(
        "{PNML}\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n<page id=\"g\">\n\
         {page}\n</page></net></pnml>\n"
    )
}

/// A coloured net whose declarations start in line 4 and whose page starts in line 7.
fn coloured(declarations: &str, page: &str) -> String {
    format!(
        "{PNML}\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n\
         <declaration><structure><declarations>\n{declarations}\n</declarations></structure></declaration>\n\
         <page id=\"g\">\n{page}\n</page></net></pnml>\n"
    )
}

/// A place of a sort.
fn place(sort: &str) -> String {
    format!("<place id=\"s\"><type><structure><usersort declaration=\"{sort}\"/></structure></type></place>")
}

/// A net with an arc under a place of the cyclic class `C`.
fn with_term(term: &str) -> String {
    let class = "<namedsort id=\"C\" name=\"C\"><finiteenumeration><feconstant id=\"c\" name=\"c\"/></finiteenumeration></namedsort>";
    let arc = format!(
        "<transition id=\"t\"/>\n<arc id=\"a\" source=\"s\" target=\"t\"><hlinscription><structure>{term}</structure></hlinscription></arc>"
    );
    coloured(class, &format!("{}{arc}", place("C")))
}

/// Checks a text: the message and the line that it names.
#[track_caller]
fn refused(name: &str, text: &str, line: u32, message: &str) {
    let path = model_file(&format!("bad_{name}.pnml"), text);
    let ran = run(&["check", &path]).code(2);
    assert!(ran.err.contains(message), "{name}: {}", ran.err);
    assert!(ran.err.contains(&format!("{path}:{line}:")), "{name}: {}", ran.err);
    assert_eq!(ran.out, "", "{name}");
}

#[test]
fn documents() {
    let cut = black(&format!("{ENDS}<arc id=\"a\""));
    let cut = &cut[..cut.find("<arc").expect("it is there") + 6];
    let wrong = PNML.replace("version-2009", "version-1999");
    let cases: [(&str, &str, u32, &str); 9] = [
        ("empty", "", 1, "the text is empty"),
        ("truncated", cut, 4, "not well-formed XML"),
        ("no_xml", "<pnml\n {", 2, "not well-formed XML"),
        ("no_namespace", "<pnml/>", 1, "is in no namespace"),
        ("namespace", &format!("\n{wrong}</pnml>"), 2, "which is not that of PNML"),
        ("no_net", &format!("{PNML}</pnml>"), 1, "the document has no net"),
        (
            "type",
            &black(ENDS).replace("ptnet", "stochasticnet"),
            2,
            "nets of the type `http://www.pnml.org/version-2009/grammar/stochasticnet` are not supported",
        ),
        ("entity", &black("&strange;"), 4, "unknown entity reference 'strange'"),
        (
            "root",
            "<petri xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"/>",
            1,
            "not `<pnml>` but `<petri>`",
        ),
    ];
    for (name, text, line, message) in cases {
        refused(name, text, line, message);
    }
}

#[test]
fn nothing_is_expanded_or_fetched() {
    let levels: String =
        (1..30).map(|i| format!("<!ENTITY e{i} \"&e{0};&e{0};&e{0};&e{0};\">", i - 1)).collect();
    let bomb = format!("<!DOCTYPE p [<!ENTITY e0 \"ha\">{levels}]>\n{}", black("&e29;"));
    refused("bomb", &bomb, 1, "a document type declaration is not allowed");
    let secret = model_file("secret.txt", "hidden words");
    let external = format!("<!DOCTYPE p [<!ENTITY x SYSTEM \"file://{secret}\">]>\n{}", black("&x;"));
    refused("external", &external, 1, "a document type declaration is not allowed");
    let ran = run_with(&["check", "-"], &external).code(2);
    assert!(!ran.err.contains("hidden words"), "{}", ran.err);
    let remote = format!("\n<!DOCTYPE p SYSTEM \"http://localhost:9/p.dtd\">{}", black(ENDS));
    refused("remote", &remote, 2, "a document type declaration is not allowed");
}

#[test]
fn graphs() {
    let cases: [(&str, &str, &str); 9] = [
        (
            "dangling",
            "<arc id=\"a\" source=\"s\" target=\"w\"/>",
            "arc `a`: its target `w` is no place and no transition",
        ),
        ("places", "<arc id=\"a\" source=\"s\" target=\"u\"/>", "arc `a` connects two places"),
        ("no_source", "<arc id=\"a\" target=\"t\"/>", "arc `a` has no attribute `source`"),
        ("twice", "<place id=\"s\"/>", "the id `s` is used twice"),
        ("no_id", "<place/>", "`<place>` has no attribute `id`"),
        ("reference", "<referencePlace id=\"r\" ref=\"w\"/>", "refers to `w`, which does not exist"),
        (
            "capacity",
            "<place id=\"v\"><capacity><text>1</text></capacity></place>",
            "place `v` has a capacity",
        ),
        (
            "kind",
            "<arc id=\"a\" source=\"s\" target=\"t\"><type value=\"magnetic\"/></arc>",
            "arcs of the kind `magnetic` are not understood",
        ),
        ("number", "<place id=\"v\"><initialMarking><text>many</text></initialMarking></place>", "place `v`"),
    ];
    for (name, element, message) in cases {
        refused(name, &black(&format!("{ENDS}\n{element}")), 5, message);
    }
}

#[test]
fn colours() {
    let undeclared = coloured("", &place("Colour"));
    refused("sort", &undeclared, 7, "`Colour`");
    let class = "<namedsort id=\"C\" name=\"C\">\n<usersort declaration=\"C\"/></namedsort>";
    let path = model_file("bad_cyclic_sort.pnml", &coloured(class, &place("C")));
    assert!(run(&["check", &path]).code(2).err.contains("namedsort `C`"));
    refused("variable", &with_term("<variable refvariable=\"x\"/>"), 8, "`x`");
    refused("constant", &with_term("<useroperator declaration=\"d\"/>"), 8, "`d`");
    let successor = "<successor><subterm><useroperator declaration=\"c\"/></subterm></successor>";
    refused("successor", &with_term(successor), 8, "`<successor>` of an element of `C` is not defined");
    refused("operator", &with_term("<fold/>"), 8, "`<fold>`");
    refused("no_term", &with_term(""), 8, "arc `a`");
    let huge = "<namedsort id=\"S\" name=\"S\"><finiteintrange start=\"1\" end=\"99999999999\"/></namedsort>";
    refused("huge", &coloured(huge, ""), 4, "more than 1048576 elements");
}

#[test]
fn several_errors_at_once() {
    let page = format!(
        "{ENDS}\n<arc id=\"a\" source=\"s\" target=\"u\"/>\n<arc id=\"b\" source=\"s\" target=\"nowhere\"/>"
    );
    let path = model_file("bad_many.pnml", &black(&page));
    let ran = run(&["check", &path, "--format", "json"]).code(2);
    let document = ran.json();
    let diagnostics = document["error"]["diagnostics"].as_array().expect("there are some");
    let lines: Vec<_> = diagnostics.iter().map(|one| one["place"]["line"].clone()).collect();
    assert_eq!(lines, [5, 6]);
    for command in ["graph", "simulate", "symmetry"] {
        assert!(run(&[command, &path]).code(2).err.contains("connects two places"), "{command}");
    }
}

/// Checks a file of formulas about Heljanko's mutex whose formula stands in line 3.
#[track_caller]
fn wrong_formula(name: &str, formula: &str, message: &str) {
    let text = format!(
        "<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property><id>one</id><formula>\n{formula}\n</formula></property>\n</property-set>\n"
    );
    let path = model_file(&format!("bad_{name}.xml"), &text);
    let ran = run(&["check", "examples/heljanko_mutex.pnml", "--properties", &path]).code(2);
    assert!(ran.err.contains(message), "{name}: {}", ran.err);
    assert!(ran.err.contains(&format!("{path}:3:")), "{name}: {}", ran.err);
}

#[test]
fn formulas() {
    wrong_formula("live", "<is-live/>", "unknown element `is-live` in a formula");
    wrong_formula(
        "steps",
        "<all-paths><next><steps>2</steps><true/></next></all-paths>",
        "`steps` in `next`",
    );
    wrong_formula("count", "<negation/>", "`negation` needs 1 element inside, and has 0");
    wrong_formula(
        "transition",
        "<exists-path><finally><is-fireable><transition>entr</transition></is-fireable></finally></exists-path>",
        "there is no transition `entr`",
    );
    wrong_formula("place", "<place-bound><place>critcal</place></place-bound>", "did you mean `critical`?");
    let star = "<all-paths><globally><finally><exists-path><next><true/></next></exists-path></finally></globally></all-paths>";
    wrong_formula("star", star, "formulas of CTL* that are neither of CTL nor of LTL are not supported");
}

#[test]
fn files_without_formulas() {
    let mutex = "examples/heljanko_mutex.pnml";
    let cases = [
        ("", "not well-formed"),
        ("<property-set", "not well-formed"),
        ("<!DOCTYPE p [<!ENTITY a \"b\">]><property-set/>", "document type"),
        ("<other/>", "other"),
    ];
    for (number, (text, message)) in cases.into_iter().enumerate() {
        let path = model_file(&format!("no_formulas_{number}.xml"), text);
        let ran = run(&["check", mutex, "--properties", &path]).code(2);
        assert!(ran.err.contains(message) && ran.err.contains(&format!("{path}:1:")), "{text}: {}", ran.err);
    }
    let ran = run(&["check", mutex, "--properties", "no/such/file.xml"]).code(2);
    assert!(ran.err.contains("no/such/file.xml"), "{}", ran.err);
}

#[test]
fn formulas_as_text() {
    let cases = [
        ("--invariant", "critcal == 0", "1:1", "did you mean `critical`?"),
        ("--ltl", "G F", "1:4", "found the end of the text"),
        ("--ctl", "F critical > 0", "1:1", ""),
        ("--reachable", "fireable(entr)", "1:10", "there is no transition `entr`"),
        ("--bound", "critical > 0", "1:10", ""),
        ("--invariant", "critical[2] == 0", "1:10", "`2`"),
    ];
    for (option, text, place, message) in cases {
        let ran = run(&["check", "examples/heljanko_mutex.pnml", option, text]).code(2);
        assert!(ran.err.contains(&format!("<command line: {option}>:{place}")), "{text}: {}", ran.err);
        assert!(ran.err.contains(message), "{text}: {}", ran.err);
    }
}
