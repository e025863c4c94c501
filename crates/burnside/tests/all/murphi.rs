//! Murphi models: known counts, meaning point by point, places in the Murphi text.

use burnside::{Answer, Kind, LoadOptions, Model, Options, Report, Source, Symmetry, Verdict, check};

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
const MCS: &str = include_str!("../../../../tests/models/murphi/mcs.m");
const LIST: &str = include_str!("../../../../tests/models/murphi/list6.m");
const FUNCTIONS: &str = include_str!("../../../../tests/models/murphi/functions.m");

#[test]
fn counts_are_those_of_murphi() {
    assert_eq!(states(GERMAN, &LoadOptions::new()), (58_104, 5_235));
    assert_eq!(states(PETERSON, &LoadOptions::new()), (882, 172));
    assert_eq!(states(PETERSON, &LoadOptions::new().set("N", 4)), (22_281, 1_132));
    assert_eq!(states(MCS, &LoadOptions::new()), (7_597, 1_285));
    assert_eq!(states(LIST, &LoadOptions::new()), (8_893, 1_489));
}

#[test]
fn what_is_converted_means_the_same() {
    for (name, text) in [
        ("german", GERMAN),
        ("peterson", PETERSON),
        ("mcs", MCS),
        ("list6", LIST),
        ("network", NETWORK),
        ("functions", FUNCTIONS),
    ] {
        let converted = burnside_murphi::convert(text, &[]);
        assert!(converted.diagnostics.is_empty(), "{name}");
        for symmetry in [Symmetry::None, Symmetry::Exact] {
            let options = Options { symmetry, ..Options::default() };
            let model = Model::load(converted.text.as_str(), &LoadOptions::new()).into_model();
            let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
            let (one, other) =
                (checked(text, &LoadOptions::new(), symmetry), check(&model, &options, &mut ()).unwrap());
            assert_eq!(one.stats.states, other.stats.states, "{name}");
            let verdicts = |report: &Report| {
                report.results.iter().map(|it| matches!(it.verdict, Verdict::Holds)).collect::<Vec<_>>()
            };
            assert_eq!(verdicts(&one), verdicts(&other), "{name}");
        }
    }
}

#[test]
fn what_put_says_is_told() {
    let text = "type P: scalarset(2); K: enum { one, two }; R: record a: 0..1; end;\n\
                var x: 0..3; last: P; k: K; r: R; b: boolean;\n\
                procedure say(v: 0..3); begin put \"now \"; put v; put \".\\n\"; end;\n\
                function quiet(): boolean; begin put \"not heard\"; return x < 3; end;\n\
                startstate begin put \"not heard\"; x := 0; k := one; b := true; end;\n\
                ruleset p: P do rule \"up\" quiet() ==>\n\
                put \"last \"; put last; put b; put r; last := p; x := x + 1; say(x);\n\
                if x = 2 then k := two; else put k; end; put x + 1; end; end;\n\
                invariant \"small\" x < 2;";
    for symmetry in [Symmetry::None, Symmetry::Exact] {
        let report = checked(text, &LoadOptions::new(), symmetry);
        let model = load(text, &LoadOptions::new());
        let small = report.results.iter().find(|answer| answer.property == "small").unwrap();
        let run = small.evidence.as_ref().expect("it is violated");
        let said = |i: usize| {
            let label = run.steps[i].label();
            model.put_output().unwrap().said(&model.system, &run.states[i], label, &run.states[i + 1])
        };
        assert_eq!(said(0).as_deref(), Some("last undefinedtruenow 1.\none2"));
        assert_eq!(said(1).as_deref(), Some("last P#0truenow 2.\n3"));
        // Of a step that does not lead there nothing is known.
        let label = run.steps[0].label();
        assert_eq!(
            model.put_output().unwrap().said(&model.system, &run.states[0], label, &run.states[2]),
            None
        );
    }
    assert!(load(PETERSON, &LoadOptions::new()).put_output().is_none());
}

#[test]
fn larger_counts_are_those_of_murphi() {
    let set = |name: &str, value: i64| LoadOptions::new().set(name, value);
    assert_eq!(states(GERMAN, &set("NODE_NUM", 4)), (1_105_434, 28_088));
    assert_eq!(states(PETERSON, &set("N", 5)), (628_868, 6_770));
    assert_eq!(states(MCS, &set("N", 4)), (554_221, 23_636));
    assert_eq!(states(LIST, &set("Cells", 4)), (560_185, 23_410));
}

#[test]
fn unions_and_multisets_are_understood() {
    assert_eq!(states(NETWORK, &LoadOptions::new()), (222, 114));
    assert_eq!(violated(NETWORK), [""; 0]);
    let asked = LoadOptions::new().property(Kind::Ltl, "G (owner != home -> F owner = home)");
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
fn arguments_by_value_may_be_undefined() {
    let text = |body: &str| {
        let looks = "function known(v: 0..1): boolean; begin return !isundefined(v); end;\n\
                     function next(v: 0..1): 0..1; begin return 1 - v; end;";
        rule(&format!("var x: 0..1; y: 0..1; {looks}"), "x := 0;", body)
    };
    for body in [
        "assert !known(y) & known(x);",
        "y := next(x); assert known(y); y := undefined;",
        "y := x; undefine y; assert isundefined(y) & !known(undefined);",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
    assert_eq!(violated(&text("x := next(y);")), ["faults"]);
}

#[test]
fn a_union_stands_for_its_part_if_it_is_one() {
    let text = |body: &str| {
        let declared = "type P: scalarset(2); K: enum { far }; U: union { P, K }; var u, w: U; p: P; n: array[P] of 0..1;\
                        procedure hit(v: U); begin n[v] := 1; end;";
        format!(
            "{declared} startstate for i: P do n[i] := 0; end; u := far; end;\n\
             ruleset i: P do rule \"a\" u = far ==> u := i; n[i] := 1; end; end;\n\
             rule \"b\" u != far ==> {body} end; rule \"c\" true ==> end;"
        )
    };
    for body in [
        "n[u] := 0;",
        "p := u; n[p] := 0;",
        "hit(u);",
        "switch u case far: error \"far\"; else n[u] := 0; end;",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
    assert_eq!(violated(&text("w := far; n[w] := 0;")), ["faults"]);
    assert_eq!(violated(&text("w := far; p := w;")), ["faults"]);
}

#[test]
fn only_the_most_urgent_rules_are_taken() {
    let text = |first: &str, second: &str| {
        format!(
            "type P: scalarset(2); var x: 0..3; on: array[P] of boolean;\n\
             startstate x := 0; for p: P do on[p] := false; end; end;\n\
             ruleset p: P do rule {first} \"on\" !on[p] ==> on[p] := true; end; end;\n\
             rule {second} \"up\" x < 3 ==> x := x + 1; end;\n\
             rule 9 \"again\" x = 3 ==> x := 0; for p: P do on[p] := false; end; end;"
        )
    };
    let counts = |first, second| states(&text(first, second), &LoadOptions::new());
    assert_eq!(counts("", ""), (16, 12), "as they come");
    assert_eq!(counts("1", "2"), (7, 6), "first both, then up");
    assert_eq!(counts("2", "1"), (7, 6), "first up, then both");
    assert_eq!(counts("", "5"), (7, 6), "0 where there is none");
}

#[test]
fn assumptions_leave_states_out() {
    let text = |more: &str| {
        format!(
            "var x: 0..5; startstate x := 0; end;\n\
             rule \"up\" x < 5 ==> x := x + 1; {more} end; rule \"back\" x > 0 ==> x := 0; end;\n\
             invariant \"less\" x < 3;"
        )
    };
    assert_eq!(violated(&text("")), ["less"]);
    assert_eq!(violated(&text("assume x < 3;")), [""; 0]);
    assert_eq!(violated(&text("if x = 3 then assume false; error \"here\"; end;")), [""; 0]);
    assert_eq!(violated(&(text("") + "assume \"small\" x < 3;")), [""; 0]);
    assert_eq!(violated(&(text("") + "assume x < 4;")), ["less"]);
    assert_eq!(violated(&(text("assume x < 3;") + "cover \"three\" x = 3;")), ["three"]);
    assert_eq!(violated(&(text("assume x < 4;") + "cover \"three\" x = 3;")), ["less"]);
}

#[test]
fn rules_return_and_quantifiers_come_in_lists() {
    let text = |body: &str| rule("var x: 0..9;", "x := 0;", body);
    for body in [
        "if x = 9 then return; end; x := x + 1;",
        "for i: 0..2; j: 0..2 do if i = 2 & j = 1 then return; end; x := i; end; error \"no\";",
        "assert forall i: 0..2; j: 0..2 do i + j < 5 end & exists i: 0..2; j: 0..2 : i + j = 4 end;",
        "while x > 0 : x := x - 1; endwhile;",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
}

#[test]
fn an_alias_of_a_part_at_a_constant_keeps_its_other_indices() {
    let text = "type P: scalarset(2); var a: array[P] of array[0..1] of 0..3;\n\
                startstate clear a; end;\n\
                ruleset p: P do alias first: a[p][0] do rule \"r\" first < 3 ==> first := first + 1; end;\n\
                rule \"s\" first = 3 ==> alias it: a[p][1] do it := 1 - it % 2; first := 0; end; end; end; end;";
    assert_eq!(violated(text), [""; 0]);
    assert_eq!(states(text, &LoadOptions::new()), (64, 36));
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
    let asked = LoadOptions::new().property(Kind::Ltl, "F x = 1");
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
