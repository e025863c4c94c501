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
const CACHE: &str = include_str!("../../../../tests/models/murphi/cache3.m");
const FUNCTIONS: &str = include_str!("../../../../tests/models/murphi/functions.m");

#[test]
fn counts_are_those_of_murphi() {
    assert_eq!(states(GERMAN, &LoadOptions::new()), (58_104, 5_235));
    assert_eq!(states(PETERSON, &LoadOptions::new()), (882, 172));
    assert_eq!(states(PETERSON, &LoadOptions::new().set("N", 4)), (22_281, 1_132));
    assert_eq!(states(MCS, &LoadOptions::new()), (7_597, 1_285));
    assert_eq!(states(LIST, &LoadOptions::new()), (8_893, 1_489));
    assert_eq!(states(CACHE, &LoadOptions::new()), (2_018, 505));
}

#[test]
fn what_is_converted_means_the_same() {
    for (name, text) in [
        ("german", GERMAN),
        ("peterson", PETERSON),
        ("mcs", MCS),
        ("list6", LIST),
        ("cache3", CACHE),
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
    assert_eq!(states(CACHE, &set("ProcCount", 3)), (67_418, 5_629));
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
fn what_may_be_undefined_is_passed_as_another_range_or_a_union() {
    let ranges = "type A: 0..1; B: 0..3; var x: A; y: B; z: 0..1; w: 0..2;
        procedure f(v: B); begin if isundefined(v) then undefine w; else w := (v > 2 ? 2 : v); end; end;
        procedure g(v: 0..2); begin if isundefined(v) then undefine z; else z := v % 2; end; end;
        startstate begin end;
        rule \"a\" true ==> f(x); end; rule \"b\" true ==> f(w); end; rule \"c\" true ==> g(y); end;
        rule \"d\" true ==> g(x); y := 1; end; rule \"e\" true ==> x := 1; f(z); end;
        rule \"h\" true ==> undefine x; end;";
    assert_eq!(violated(ranges), [""; 0]);
    assert_eq!(states(ranges, &LoadOptions::new()), (12, 12), "as Rumur counts them");
    let text = |body: &str| {
        let declared = "type P: scalarset(2); H: scalarset(1); N: union { H, P }; var p, q: P; n: N; a: array[0..1] of P;
            procedure f(v: N); begin if isundefined(v) then undefine n; elsif ismember(v, P) then q := v; end; end;
            procedure g(v: P); begin if isundefined(v) then undefine q; else q := v; end; end;";
        format!("{declared} startstate begin p := undefined; end;\n{body}")
    };
    for body in [
        "ruleset i: P do rule \"a\" true ==> f(p); f(a[1]); a[1] := i; f(a[1]); p := q; n := p; end; end;",
        "ruleset i: P do rule \"a\" true ==> g(n); n := i; g(n); p := n; undefine n; p := n; end; end;",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
    assert_eq!(violated(&text("ruleset i: H do rule \"a\" true ==> n := i; g(n); end; end;")), ["faults"]);
}

#[test]
fn a_variable_of_the_same_range_stands_for_one_by_reference() {
    let text = "type Low: 0..3; B: 0..3; var x: Low; y: B; z: 0..3; a: array[B] of Low;
        procedure inc(var v: B); begin v := (v + 1) % 4; end;
        startstate x := 0; y := 0; z := 0; clear a; end;
        rule \"a\" true ==> inc(x); a[x] := y; end; rule \"b\" true ==> inc(y); inc(a[y]); end;
        rule \"c\" true ==> inc(z); undefine x; inc(y); x := y; end;";
    assert_eq!(violated(text), [""; 0]);
    let other = text.replace("Low: 0..3", "Low: 0..2");
    assert!(wrong(&other).contains("expected `B`, found `Low`"), "{}", wrong(&other));
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
    // One mistake is told once, and what comes behind it is read.
    let text = "var x: 0..; y: 0..3; z: 0..; w: 0..1;\nstartstate y := 0; w := 0; end;\n\
                ruleset i: 0..1 do ruleset j, k: 0..1 do rule \"s\" true ==> y := 1; w := 1; end; rule \"t\" x ==> end; end; end;\n\
                rule \"u\" y = ==> w := 0; y := 2; end;\ninvariant y = ;";
    let lines: Vec<String> =
        wrong(text).lines().map(|line| line.split(": ").next().unwrap().to_string()).collect();
    assert_eq!(lines, ["1:11", "1:28", "3:29", "4:14", "5:15"]);
    // In formulas `A` is an operator of ours, so the translation calls it otherwise.
    let text = "type A: enum { x }; P: scalarset(2); var a: A; p: P;\nstartstate a := p; end;";
    assert_eq!(wrong(text), "2:17: expected `A`, found `P`");
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

#[test]
fn parts_of_the_translation_have_their_places() {
    let text = "var x: 0..3;\nstartstate x := 0; end;\nrule \"up\" x + 1 < 3 ==> x := (x + 1) % 3; end;";
    let translation = burnside_murphi::translate(text, &[]);
    let part = |part: &str| {
        let at = translation.text.find(part).expect("it is there") as u32;
        let span = burnside_lang::diagnostic::Span::new(at, at + part.len() as u32);
        translation.origins.origin(span).text(text)
    };
    for (here, there) in [
        ("x + 1 < 3", "x + 1 < 3"),
        ("x + 1", "x + 1"),
        ("(x + 1) % 3", "(x + 1) % 3"),
        ("x = (x + 1) % 3;", "x := (x + 1) % 3"),
        ("var x", ""),
    ] {
        assert_eq!(part(here), there, "{here}");
    }
}

#[test]
fn functions_call_themselves() {
    let text = |function: &str, body: &str| rule(&format!("var x: 0..40; {function}"), "x := 0;", body);
    let down =
        "function down(n: 0..40): 0..40; begin if n = 0 then return 0; end; return down(n - 1) + 1; end;";
    assert_eq!(violated(&text(down, "assert down(12) = 12 & down(x) = x; x := (x + 1) % 10;")), [""; 0]);
    // So deep is too deep, and is told.
    assert_eq!(violated(&text(down, "x := down(40);")), ["faults"]);
    let sink = "procedure sink(var n: 0..40); begin if n > 0 then n := n - 1; sink(n); end; end;";
    assert_eq!(violated(&text(sink, "x := 9; sink(x); assert x = 0;")), [""; 0]);
    let count = "function count(n: 0..40): 0..40; begin if n = 0 then return 0; end; x := (x + 1) % 40; return count(n - 1) + 1; end;";
    assert_eq!(violated(&text(count, "x := 0; if count(3) = 3 then assert x = 3; end;")), [""; 0]);
}

#[test]
fn assumptions_in_functions_end_the_rule() {
    let text = |body: &str| {
        format!(
            "var x: 0..9; procedure few(n: 0..9); begin if n > 3 then assume n < 5; end; x := n; end;\n\
             function low(): 0..9; begin assume x < 4; return x; end;\n\
             startstate x := 0; few(0); end; startstate few(7); error \"not reached\"; end;\n\
             rule \"r\" true ==> {body} end; invariant \"small\" x < 5;"
        )
    };
    assert_eq!(violated(&text("few((x + 1) % 10);")), [""; 0]);
    assert_eq!(violated(&text("x := (x + 1) % 10;")), ["small"]);
    assert_eq!(violated(&text("few(9); error \"not reached\";")), [""; 0]);
    assert_eq!(violated(&text("for i: 0..9 do few(i); assert i < 5; end;")), [""; 0]);
    assert_eq!(violated(&text("x := (x + 1) % 5; x := 9 / (4 - low()) % 5;")), [""; 0]);
    for (found, told) in [("x", vec![]), ("9", vec!["faults"])] {
        let body = format!("if low() = {found} then few(6); end; error \"here\";");
        assert_eq!(violated(&text(&body)), told, "{body}");
    }
    assert!(wrong(&text("while low() < 3 do x := 3; end;")).contains("with `assume`"));
    assert!(wrong(&text("if x = 0 & low() = x then x := 3; end;")).contains("with `assume`"));
}

#[test]
fn what_is_covered_on_the_way_is_reachable() {
    let text = |body: &str| {
        format!(
            "var x: 0..9; procedure seen(n: 0..9); begin cover n = 4; end;\n\
             startstate x := 0; end; rule \"r\" true ==> {body} x := 0; end; liveness \"l\" x = 0;"
        )
    };
    let unreached = |body: &str| violated(&text(body));
    assert_eq!(unreached("x := 4; seen(x);"), [""; 0]);
    assert_eq!(unreached("x := 3; seen(x); cover \"three\" x = 3;"), ["reachable 1"]);
    assert_eq!(unreached("x := 4; seen(x); x := 3; cover x = 2 \"two\";"), ["two"]);
}

#[test]
fn steps_may_be_computed_and_quantifiers_go_down() {
    let text = |body: &str| rule("var x: 0..9; s: -3..3;", "x := 0; s := 1;", body);
    for body in [
        "x := 0; for i := 0 to 3 by s do x := x + i; end; assert s = 1 & x = 6 | s = 2 & x = 2; s := 3 - s;",
        "s := -2; x := 0; for i := 3 to 0 by s do x := x + i; end; assert x = 4;",
        "assert forall i := 5 to 1 by -2 do i % 2 = 1 end & exists i := 5 to 1 by -2 do i = 1 end;",
        "assert !exists i := 5 to 1 by -2 do i = 2 | i = 0 end;",
        "for i := 5 to 1 do error \"never\"; end; for i := 0 to x - 1 do error \"never\"; end;",
    ] {
        assert_eq!(violated(&text(body)), [""; 0], "{body}");
    }
    for body in ["s := 0; for i := 0 to 3 by s do end;", "s := -1; for i := 0 to 3 by s do end;"] {
        assert_eq!(violated(&text(body)), ["faults"], "{body}");
    }
    let down = "var x: 0..9; startstate x := 0; end;\n\
                ruleset i := 5 to 1 by -2 do rule \"r\" true ==> x := i; end; end; invariant \"odd\" x % 2 = 1 | x = 0;";
    assert_eq!((violated(down), states(down, &LoadOptions::new())), (Vec::new(), (4, 4)));
}

#[test]
fn operators_bind_as_in_rumur() {
    let text = |claim: &str| {
        format!("var x: 0..9; startstate x := 0; end; rule \"r\" true ==> end; invariant \"i\" {claim};")
    };
    for claim in [
        "!(false && true | true)",
        "!(false && true || false)",
        "true || false && false",
        "1 + 1 << 1 = 4 & !x = 1",
    ] {
        assert_eq!(violated(&text(claim)), [""; 0], "{claim}");
    }
    assert_eq!(violated(&text("false && true | true")), ["i"]);
}

#[test]
fn side_effects_of_branches_and_quantifiers_happen_in_order() {
    let up = "var x: 0..9; function up(): 0..9; begin x := (x + 1) % 10; return x; end;";
    for body in [
        "x := 0; if exists i: 2..5 do up() = i - 2 end then x := 9; end; assert x = 4;",
        "x := 0; if forall i: 1..5 do up() = i end then assert x = 5; else error \"no\"; end;",
        "x := 0; if forall i: 1..5 do up() < 3 end then error \"no\"; end; assert x = 3;",
        "x := 0; x := (x = 0 ? up() + 1 : up()); assert x = 2;",
    ] {
        assert_eq!(violated(&rule(up, "x := 0;", body)), [""; 0], "{body}");
    }
}

#[test]
fn what_only_cmurphi_reads_copies_what_is_undefined() {
    let text = |more: &str, body: &str| {
        rule(&format!("{more} var x: 0..1; y: 0..1;"), "x := 0;", &format!("{body} x := 0;"))
    };
    let union = "type P: scalarset(2); K: enum { far }; U: union { P, K };";
    assert_eq!(violated(&text("", "x := y;")), ["faults"]);
    assert_eq!(violated(&text(union, "x := y; assert isundefined(x);")), [""; 0]);
    assert_eq!(violated(&text(union, "x := y + 0;")), ["faults"]);
    assert_eq!(violated(&text("", "x := y; y := undefined;")), [""; 0]);
    // A constant of this name is one.
    assert_eq!(
        violated(&text("type K: enum { undefined }; var k: K;", "k := undefined; x := y;")),
        ["faults"]
    );
}

#[test]
fn what_rumur_reads_is_read() {
    for text in [
        "const a, b: 1 type s, t: 0..3; var x: s y: t; startstate x := a; y := b end; rule x < 3 ==> x := x + 1 end; rule “back” x = 3 ⇒ x ≔ 0; end;",
        "var x: 0..3; function f(a: 0..3 b: 0..3): 0..3 return a endprocedure procedure p(var a: 0..3;) a := 0; endfunction startstate p(x); end; rule true ==> x := f((x + 1) % 4, 1,); end;",
        "var x: 0..3; startstate x := 0; end; rule \"two\nlines\" true ==> alias y, z: x do y := (z + 1) % 4; end; end; invariant ∀ i: 0..3 do ∃ j: 0..3 do i = j end end;",
    ] {
        assert_eq!(violated(text), [""; 0], "{text}");
    }
    for (text, said) in [
        ("var x: real(4, 2); startstate end; rule true ==> end;", "real numbers are not supported"),
        ("var x: 0..3; startstate x := 0.5; end; rule true ==> end;", "real numbers are not supported"),
        ("var x: 0..3; startstate x := \"a; end;", "this text has no end"),
    ] {
        assert!(wrong(text).contains(said), "{text}");
    }
}
