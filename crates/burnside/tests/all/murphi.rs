//! Murphi models: known counts, meaning point by point, places in the Murphi text.

use burnside::{Answer, ExternalKind, LoadOptions, Model, Options, Report, Source, Symmetry, Verdict, check};

fn load(text: &str, options: &LoadOptions) -> Model {
    let loaded = Model::load(Source::named("model.m", text), options);
    loaded.into_model().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn checked(text: &str, options: &LoadOptions, symmetry: Symmetry) -> Report {
    let options = (load(text, options), Options { symmetry, ..Options::default() });
    check(&options.0, &options.1, &mut ()).expect("it can be checked")
}

fn states(text: &str, options: &LoadOptions) -> (u64, u64) {
    let count = |symmetry| checked(text, options, symmetry).stats.states;
    (count(Symmetry::None), count(Symmetry::Exact))
}

fn wrong(text: &str) -> String {
    Model::load(Source::named("model.m", text), &LoadOptions::new()).into_model().unwrap_err().to_string()
}

/// What is violated in a model, without and with symmetry.
fn violated(text: &str) -> Vec<String> {
    let names = |symmetry| {
        let is_bad = |answer: &&Answer| !matches!(answer.verdict, Verdict::Holds);
        let report = checked(text, &LoadOptions::new(), symmetry);
        report.results.iter().filter(is_bad).map(|answer| answer.property.clone()).collect::<Vec<String>>()
    };
    assert_eq!(names(Symmetry::None), names(Symmetry::Exact), "{text}");
    names(Symmetry::None)
}

const GERMAN: &str = include_str!("../../../../tests/models/murphi/german.m");
const PETERSON: &str = include_str!("../../../../tests/models/murphi/peterson.m");
const NETWORK: &str = include_str!("../../../../tests/models/murphi/network.m");
const FUNCTIONS: &str = include_str!("../../../../tests/models/murphi/functions.m");

#[test]
fn counts_are_those_of_murphi() {
    assert_eq!(states(GERMAN, &LoadOptions::new()), (58_104, 5_235));
    assert_eq!(states(PETERSON, &LoadOptions::new()), (882, 172));
    assert_eq!(states(PETERSON, &LoadOptions::new().set("N", 4)), (22_281, 1_132));
}

#[test]
fn unions_and_multisets_are_understood() {
    assert_eq!(states(NETWORK, &LoadOptions::new()), (222, 114));
    assert_eq!(violated(NETWORK), [""; 0]);
    let asked = LoadOptions::new().property(ExternalKind::Ltl, "G (owner != home -> F owner = home)");
    let report = checked(NETWORK, &asked, Symmetry::Exact);
    assert!(report.results.iter().all(|answer| matches!(answer.verdict, Verdict::Holds)));
}

#[test]
fn functions_compute_and_change() {
    // A value is read that is undefined: where, is said in the Murphi text.
    assert_eq!(violated(FUNCTIONS), ["faults"]);
    let report = checked(FUNCTIONS, &LoadOptions::new(), Symmetry::None);
    assert_eq!(report.stats.states, 52);
    let model = load(FUNCTIONS, &LoadOptions::new());
    assert!(
        model.system.sites.iter().any(|site| site.text == "last" && (site.line, site.column) == (11, 64))
    );
}

/// A model with one rule that is always enabled.
fn rule(declared: &str, start: &str, body: &str) -> String {
    format!("{declared} startstate begin {start} end; rule \"r\" true ==> begin {body} end;")
}

#[test]
fn division_is_towards_zero_and_bits_are_those_of_two_complement() {
    for (expression, value) in [
        ("-7 / 2", -3),
        ("-7 % 4", -3),
        ("7 / -2", -3),
        ("7 % -4", 3),
        ("6 & 3 ^ 1", 3),
        ("1 | 3 ^ 1", 3),
        ("1 << 2 + 1", 8),
        ("~5", -6),
        ("-6 & 7", 2),
        ("-6 ^ 3", -7),
        ("17 >> 2", 4),
        ("-5 >> 1", -3),
    ] {
        // Once as a constant, once computed while the model runs.
        let computed = expression.replace('7', "seven").replace('6', "six");
        for expression in [expression, &computed] {
            let declared = "var seven: -9..9; six: -9..9; x: -20..20;";
            let text = rule(
                declared,
                "seven := 7; six := 6; x := 0;",
                &format!("x := {expression}; assert x = {value};"),
            );
            let text = text.replace("1seven", "17");
            assert_eq!(violated(&text), [""; 0], "{expression}");
        }
    }
}

#[test]
fn what_is_undefined_is_part_of_the_state_and_must_not_be_read() {
    let text = |body: &str| rule("var x: 0..1; y: 0..1;", "x := 0;", body);
    assert_eq!(violated(&text("x := y;")), ["faults"]);
    assert_eq!(violated(&text("if isundefined(y) then y := x; end; x := y;")), [""; 0]);
    assert_eq!(
        states(&text("if isundefined(y) then y := x; else undefine y; end;"), &LoadOptions::new()),
        (2, 2)
    );
    // A copy of a record takes along what is undefined in it.
    let records = rule(
        "type R: record a: 0..1; b: 0..1; end; var r, s: R;",
        "r.a := 0; s := r; r.b := 1;",
        "assert isundefined(s.b) & !isundefined(r.b);",
    );
    assert_eq!(violated(&records), [""; 0]);
}

#[test]
fn loops_switches_and_aliases_do_what_they_say() {
    let text = |body: &str| {
        rule("var x: 0..9; a: array[0..3] of 0..9;", "x := 0; for i: 0..3 do a[i] := i; end;", body)
    };
    for body in [
        "x := 0; for i := 3 to 0 by -2 do x := x + i; end; assert x = 4;",
        "x := 2; for i := x to 3 do x := 0; end; assert x = 0;",
        "x := 5; while x > 1 do x := x - 1; end; assert x = 1;",
        "x := 1; alias y: a[x] do x := 2; y := 7; end; assert a[1] = 7 & a[2] = 2; a[1] := 1;",
        "switch x case 0, 1: x := 2; case 2: x := 3; else x := 0; endswitch;",
        "x := x = 0 ? 1 : 0;",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
    assert_eq!(violated(&text("while x < 9 do x := 0; end;")), ["faults"]);
}

#[test]
fn an_order_of_a_scalarset_breaks_it_with_its_place() {
    let text = "type P: scalarset(3); var last: P; n: 0..1;\nstartstate n := 0; end;\nrule \"find\" n < 1 ==> begin for p: P do last := p; end; n := 1; end;\nrule \"back\" n = 1 ==> n := 0; end;";
    let loaded = Model::load(Source::named("model.m", text), &LoadOptions::new());
    let [warning] = loaded.diagnostics.as_slice() else { panic!("{:?}", loaded.diagnostics) };
    assert_eq!(warning.primary.span.text(text), "for p: P do last := p; end");
}

#[test]
fn many_mistakes_are_told_at_once() {
    let text = "var x: 0..3; y: Nothing;\nstartstate x := true; end;\nrule \"r\" z ==> x := ; end;\nrule \"s\" x = 1 ==> x : 2; end;";
    let said = wrong(text);
    assert_eq!(said.lines().count(), 2, "what cannot be read comes first:\n{said}");
    let text = "var x: 0..3; y: Nothing;\nstartstate x := true; end;\nrule \"r\" z ==> x := w; end;";
    let lines: Vec<String> =
        wrong(text).lines().map(|line| line.split(": ").next().unwrap().to_string()).collect();
    assert_eq!(lines, ["1:17", "2:17", "3:10", "3:21"]);
}

#[test]
fn comments_make_rules_fair() {
    let text = |comment: &str| {
        format!(
            "var x: 0..1;\nstartstate x := 0; end;\n{comment}\nrule \"up\" x = 0 ==> x := 1; end;\nrule \"stay\" true ==> end;"
        )
    };
    let asked = LoadOptions::new().property(ExternalKind::Ltl, "F x = 1");
    let holds = |text: &str| {
        matches!(checked(text, &asked, Symmetry::None).results.last().unwrap().verdict, Verdict::Holds)
    };
    assert!(
        !holds(&text(""))
            && holds(&text("-- burnside: fair rule \"up\""))
            && holds(&text("-- burnside: fair rules"))
    );
    assert!(wrong(&text("-- burnside: fair rule \"down\"")).contains("there is no rule"));
    assert!(wrong(&text("-- burnside: be nice")).contains("does not understand"));
}
