//! Short texts that mean much work: each is done in passing, or refused with a reason. What is not would
//! never end here.

use super::*;
use std::fmt::Write as _;

/// A counter to three, with what is given before and after it.
fn counter(before: &str, after: &str) -> String {
    format!(
        "{before}var x: 0..3 = 0;\nprocess P {{ rule step when x < 3 {{ x = x + 1; }} rule stay when x == 3 {{}} }}\n{after}"
    )
}

/// Functions `f0` to `f40`, each made of the next, and the last.
fn tower(signature: &str, body: impl Fn(&str) -> String, last: &str) -> String {
    let mut text = String::new();
    for i in 0..40 {
        writeln!(text, "fn f{i}{signature} = {};", body(&format!("f{}", i + 1))).expect("to a string");
    }
    writeln!(text, "fn f40{signature} = {last};").expect("to a string");
    text
}

/// All properties of a text have the verdict with both engines.
#[track_caller]
fn everywhere(text: &str, verdict: &str) -> Vec<Value> {
    let code = if verdict == "violated" { 1 } else { 0 };
    let each = |engine: &str| {
        let document = check_text(text, &["--engine", engine, "--no-deadlock"]).code(code).json();
        assert_eq!(result(&document, "it")["verdict"], verdict, "{engine}: {text}");
        document
    };
    ["explicit", "symbolic"].into_iter().map(each).collect()
}

/// Each function calls the next several times: 2^40 calls if every one is evaluated. In conditions, guards,
/// bodies and formulas.
#[test]
fn functions_that_call_each_other_twice() {
    let sum = tower("(): int", |next| format!("({next}() + {next}()) / 2"), "x");
    everywhere(&counter(&sum, "invariant it = f0() == x;\n"), "holds");
    everywhere(&counter(&sum, "ltl it = F G f0() == 3;\n"), "holds");
    everywhere(&counter(&sum, "ctl it = AG EF f0() == 3;\n"), "holds");
    let same = tower(
        "(y: 0..3): 0..3",
        |next| format!("if {next}(y) > 0 {{ {next}(y) }} else {{ {next}(y) }}"),
        "y",
    );
    everywhere(&counter(&same, "invariant it = f0(x) == x;\n"), "holds");
    let other = tower("(y: int): int", |next| format!("max({next}(y + 1), {next}(y))"), "y + x");
    everywhere(&counter(&other, "invariant it = f0(1) == 41 + x;\n"), "holds");
    let lazy = tower("(): bool", |next| format!("(x < 4 && {next}()) || {next}()"), "x > 3");
    everywhere(&counter(&lazy, "invariant it = !f0();\n"), "holds");
    let quantified = tower("(): bool", |next| format!("exists y: bool {{ {next}() && (y || !y) }}"), "x > 2");
    everywhere(&counter(&quantified, "invariant it = !f0();\n"), "violated");
    let wide = tower("(): set of bool", |next| format!("{next}() | {next}()"), "{x > 1}");
    everywhere(&counter(&wide, "invariant it = f0() == {x > 1};\n"), "holds");
    let argument = tower("(s: set of bool): set of bool", |next| format!("{next}(s) & {next}(s)"), "s");
    everywhere(&counter(&argument, "invariant it = f0({x > 1}) == {x > 1};\n"), "holds");
}

/// What is kept of a call is forgotten when the state changes, also in the middle of a body.
#[test]
fn calls_see_the_state_as_it_is() {
    let sum = tower("(): int", |next| format!("({next}() + {next}()) / 2"), "x");
    let text = format!(
        "{sum}var x: 0..3 = 0; var y: 0..3 = 0; var z: 0..3 = 0;
process P {{ rule step when f0() < 3 {{ y = f0(); x = x + 1; z = f0(); }} rule stay when x == 3 {{}} }}
invariant it = z == x && (x == 0 || y == x - 1);\n"
    );
    everywhere(&text, "holds");
}

/// A fault in a function that is called many times is found where it is.
#[test]
fn faults_inside_functions_that_call_each_other() {
    let faulty =
        tower("(): bool", |next| format!("exists y: bool {{ {next}() && (y || !y) }}"), "1 / (x - 2) > 3");
    let text = counter(&faulty, "invariant it = !f0();\n");
    for engine in ["explicit", "symbolic"] {
        let ran = run_with(&["check", "-", "--engine", engine], &text).code(1);
        assert!(ran.out.contains("division by zero") && ran.out.contains(":41:18"), "{}", ran.out);
    }
}

/// What is too deep for walks is refused, whatever makes it so.
#[test]
fn depth_is_limited() {
    let many = 20_000;
    let list = |item: &dyn Fn(usize) -> String| (0..many).map(item).collect::<Vec<_>>().join(", ");
    let chain = |item: &dyn Fn(usize) -> String| (0..many).map(item).collect::<String>();
    let bound = list(&|i| format!("y{i}: 0..0"));
    let nested = format!("{}x <= 3{}", "forall a, b, c, d, e: bool { ".repeat(50), " }".repeat(50));
    let texts = [
        (
            counter(
                &(chain(&|i| format!("fn f{i}(): int = f{}();\n", i + 1))
                    + &format!("fn f{many}(): int = x;\n")),
                "invariant it = f0() < 4;\n",
            ),
            "levels deep",
        ),
        (
            counter(
                &format!(
                    "{}type T{many} = 0..3;\nvar y: T0;\n",
                    chain(&|i| format!("record T{i} {{ a: T{} }}\n", i + 1))
                ),
                "",
            ),
            "inside each other",
        ),
        (
            counter(
                &format!(
                    "{}type T{many} = 0..0;\nvar y: T0;\n",
                    chain(&|i| format!("type T{i} = array[0..0] of T{};\n", i + 1))
                ),
                "",
            ),
            "inside each other",
        ),
        (counter("", &format!("invariant it = forall {bound} {{ x <= 3 }};\n")), "names are bound"),
        (counter("", &format!("invariant it = {nested};\n")), "200 levels deep"),
        (counter(&format!("fn f({bound}): int = 1;\n"), "invariant it = x <= 3;\n"), "parameters"),
        (
            counter(
                &format!("var a: array[{}] of bool;\n", list(&|_| "0..0".into())),
                "invariant it = x <= 3;\n",
            ),
            "indices",
        ),
        (format!("var x: bool; process P[{bound}] {{ rule r {{ x = !x; }} }}\n"), "indices"),
        (format!("var x: bool; process P {{ rule r({bound}) {{ x = !x; }} }}\n"), "names are bound"),
        (format!("var x: bool; process P {{ rule r {{ for {bound} {{ x = !x; }} }} }}\n"), "names are bound"),
    ];
    for (i, (text, message)) in texts.into_iter().enumerate() {
        let path = model_file(&format!("deep{i}.orb"), &text);
        let ran = run(&["check", &path]).code(2);
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
    }
}

/// As deep as functions may be, with a quantifier on each level, both engines have enough stack.
#[test]
fn what_is_allowed_is_not_too_deep() {
    let mut text = String::new();
    for i in 0..120 {
        writeln!(text, "fn f{i}(): bool = forall y: bool {{ f{}() || y && !y }};", i + 1)
            .expect("to a string");
    }
    everywhere(&counter(&format!("{text}fn f120(): bool = x <= 3;\n"), "invariant it = f0();\n"), "holds");
}

/// Values of no width can still have too many parts.
#[test]
fn parts_without_bits_count() {
    let records: String = (0..40).map(|i| format!("record R{i} {{ a, b: R{} }}\n", i + 1)).collect();
    let texts = [
        counter(&format!("{records}type R40 = 0..0;\nvar r: R0;\n"), ""),
        counter("var a: array[0..1048575] of array[0..1048575] of 0..0;\n", ""),
        "process P[i: 0..1048575, j: 0..1048575] { var a: 0..0; rule r { a = 0; } }\n".to_string(),
    ];
    for (i, text) in texts.into_iter().enumerate() {
        let ran = run(&["check", &model_file(&format!("parts{i}.orb"), &text)]).code(2);
        assert!(ran.err.contains("parts"), "{}", ran.err);
    }
}

/// Many declarations of a kind take time in proportion to their number.
#[test]
fn many_declarations() {
    let many = 20_000;
    let list = |item: &dyn Fn(usize) -> String| (0..many).map(item).collect::<Vec<_>>();
    let rules =
        list(&|i| format!("rule r{i} at l{i} when x == 3 {{ goto l{}; }}\n", (i + 1) % many)).concat();
    let texts = [
        counter(
            &list(&|i| format!("const C{i} = C{};\n", i + 1)).concat(),
            &format!("const C{many} = 3;\ninvariant it = x <= C0;\n"),
        ),
        counter(&list(&|i| format!("var v{i}: bool;\n")).concat(), "invariant it = x <= 3;\n"),
        counter(
            &format!("enum E {{ {} }}\n", list(&|i| format!("e{i}")).join(", ")),
            "invariant it = x <= 3 || e5 == e6;\n",
        ),
        counter(
            &format!("record R {{ {} }}\nvar r: R;\n", list(&|i| format!("a{i}: bool")).join(", ")),
            "invariant it = x <= 3 || r.a7;\n",
        ),
        counter(
            "",
            &format!("{}invariant it = x <= 3;\n", list(&|i| format!("invariant i{i} = x <= 3;\n")).concat()),
        ),
        counter(
            &format!("process Q {{\nlocations {};\n{rules}}}\n", list(&|i| format!("l{i}")).join(", ")),
            "invariant it = x <= 3;\n",
        ),
    ];
    for (i, text) in texts.into_iter().enumerate() {
        let document = check_text(&text, &["--max-states", "50", "--no-deadlock"]).json();
        let verdict = result(&document, "it")["verdict"].as_str().expect("a text");
        assert!(["holds", "unknown"].contains(&verdict), "{i}");
    }
    let rules = list(&|i| format!("rule r{i} when x == {} {{}}\n", i % 4)).concat();
    let text = format!("var x: 0..3 = 0;\nprocess Q {{ {rules} }}\ninvariant it = enabled(Q);\n");
    assert_eq!(result(&check_text(&text, &[]).code(0).json(), "it")["verdict"], "holds");
}

/// Types with a million elements need no table of their permutations, nor the digits of its factorial.
#[test]
fn large_types() {
    for kind in ["symmetric", "ring"] {
        let text = format!(
            "{kind} S[1000000];\nvar o: S? = none;\nprocess P {{ rule take(i: S) when o == none {{ o = i; }} rule drop when o != none {{ o = none; }} }}\ninvariant it = o == none || o != none;\n"
        );
        let document = check_text(&text, &[]).code(0).json();
        let stats = &document["stats"];
        assert_eq!((&stats["states"], &stats["states_unreduced"]), (&2.into(), &"1000001".into()));
        let named = format!("{text}invariant named = o != S#7;\n");
        let ran = run_with(&["check", "-"], &named).code(1);
        assert!(ran.out.contains("10^5565"), "{}", ran.out);
    }
    let turned = |size: u32| {
        format!(
            "ring R[{size}];\nvar o: R? = none;\nprocess P {{ rule take(i: R) when o == none {{ o = i; }} rule go when o != none {{ o = next(o!); }} }}\ninvariant it = o == none || o != none;\n"
        )
    };
    let document = check_text(&turned(1000), &[]).code(0).json();
    assert_eq!(document["stats"]["states"], 2);
    // Too many rotations to be tried on each state: none is, which costs reduction and nothing else.
    let document = check_text(&turned(1_000_000), &["--max-states", "10"]).code(3).json();
    assert_eq!(document["stats"]["states"], 10);
}
