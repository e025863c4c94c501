//! What a model says about itself as a whole: rules that are fair together, constraints, priorities, constants
//! without a value.

use burnside_lang::check::{Role, check, check_with_index, dump, settings_of_blocks};
use burnside_lang::lower::lower;
use burnside_lang::symmetry;
use burnside_lang::syntax::{format, parse};

const MODEL: &str = "\
symmetric C[3];
enum M { ping, pong }
var x: 0..9;
var owner: C?;
process S {
    rule send(c: C, m: M) when x < 9 { x = x + 1; owner = c; }
    rule drop_(c: C) when x > 0 { x = x - 1; }
}
process C[c] { rule own { owner = c; } rule look(d: C) when c != d { owner = d; } }
";

/// Errors, one in a line.
fn found(more: &str) -> Vec<String> {
    let source = format!("{MODEL}{more}");
    let parsed = parse(&source);
    let checked = check(&parsed.file, &[]);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let text = |d: &burnside_lang::diagnostic::Diagnostic| d.primary.span.text(&source).to_string();
    all.filter(|d| d.is_error()).map(|d| format!("{} `{}`: {}", d.code, text(d), d.message)).collect()
}

#[test]
fn one_message_for_each_wrong_set() {
    let cases = [
        ("fair { S.send, S.send }", "fair-set `S.send`: this set has the same rule twice"),
        ("fair { S, S.drop_ }", "fair-set `S.drop_`: this set has the same rule twice"),
        ("fair { }", "fair-set `fair { }`: this set has no rules"),
        (
            "fair s(c: C) { send(c, _), drop_ }",
            "fair-set `drop_`: `drop_` does not say which `c` it belongs to",
        ),
        ("fair s(c: C) { C[c].look(c) }", "fair-set `c`: `c` is given twice"),
        (
            "fair s(m: M) { send(m, _) }",
            "type-mismatch `m`: `m` is of the type `M`, and here one of `C` is expected",
        ),
        ("fair s(c: C) { send(c) }", "wrong-argument-count `send(c)`: 2 expected here, 1 given"),
        ("fair { send(C#0, _) }", "fair-set `C#0`: this is neither a parameter of the set nor `_`"),
        ("fair { x + 1 }", "fair-set `x + 1`: this is not a rule"),
        ("fair { sent }", "unknown-rule `sent`: unknown rule `sent`"),
        ("fair S { send }", "duplicate-name `S`: `S` is declared twice"),
        ("fair a { send } fair a { drop_ }", "duplicate-name `a`: `a` is declared twice"),
        (
            "fair { send } strong fair { send }",
            "duplicate-name `strong fair { send }`: `{S.send}` is declared twice",
        ),
        ("fair (c: C) { send(c, _) }", "unexpected-token `(`: a set of rules with parameters has a name"),
        ("process T { rule r { x = 1; } fair { send } }", "unknown-rule `send`: `T` has no rule `send`"),
        ("process T { rule r { x = 1; } fair { S.send } }", "fair-set `S.send`: this is not a rule"),
        ("process T { rule r { x = 1; } fair r { r } }", "duplicate-name `r`: `r` is declared twice"),
    ];
    for (more, wanted) in cases {
        let found = found(more);
        let wrong = wanted.is_empty() && found.len() != 1 || !wanted.is_empty() && found != [wanted];
        assert!(!wrong, "{more}\n{found:#?}");
    }
}

#[test]
fn one_message_for_what_else_is_wrong() {
    let cases = [
        ("constraint x;", "type-mismatch `x`: expected a `bool`, found an `int`"),
        (
            "process T { rule r priority x { x = 1; } }",
            "not-constant `x`: `x` is a variable, and this must be a constant",
        ),
        (
            "process T { rule r priority true { x = 1; } }",
            "type-mismatch `true`: expected an `int`, found a `bool`",
        ),
        ("const N: 1..8; process T { rule r priority N { x = N; } }", "unset-constant `N`: `N` has no value"),
        ("const N; const K = N + 1; process T { rule r { x = K; } }", "unset-constant `N`: `N` has no value"),
    ];
    for (more, wanted) in cases {
        let found = found(more);
        let wrong = wanted.is_empty() && found.len() != 1 || !wanted.is_empty() && found != [wanted];
        assert!(!wrong, "{more}\n{found:#?}");
    }
}

#[test]
fn sets_are_resolved() {
    let more = "fair a(k: C) { send(k, _), drop_(k), C[k].own, C[_].look(k) }\nstrong fair changing { C }\n";
    let parsed = parse(&format!("{MODEL}{more}"));
    let checked = check(&parsed.file, &[]);
    let text = dump(&checked.model.expect("it is right"));
    let sets: Vec<&str> = text.lines().filter(|line| line.contains("set ")).collect();
    assert_eq!(
        sets,
        [
            "fair set a: S.send[0], S.drop_[0], C.own[0], C.look[1]",
            "strong fair changing set {C.own, C.look}: C.own[], C.look[]",
        ]
    );
}

#[test]
fn laid_out() {
    let cases = [
        ("fair{a,b}", "fair { a, b }"),
        (
            "strong   fair changing s( k:T ){P[k].a( _,k ) , Q}",
            "strong fair changing s(k: T) { P[k].a(_, k), Q }",
        ),
        ("fair changing(k:T){a(k)}", "fair changing(k: T) { a(k) }"),
        ("constraint   x<3&&y ;", "constraint x < 3 && y;"),
        ("const N:1..8 ;", "const N: 1..8;"),
        ("const N ;", "const N;"),
        (
            "process P{fair changing rule r(a:T)priority -1 at l when x{}fair{r}}",
            "process P {\n    fair changing rule r(a: T) priority -1 at l when x {}\n    fair { r }\n}",
        ),
    ];
    for (source, wanted) in cases {
        let laid_out = format(source).expect("it is right");
        assert_eq!(laid_out.trim(), wanted);
        assert_eq!(format(&laid_out).as_ref(), Ok(&laid_out));
    }
}

#[test]
fn words_are_names_elsewhere() {
    let source = "var priority: 0..3; var changing: bool; var constraint: 0..3;\n\
        process P { rule changing when priority < 3 { priority = priority + 1; constraint = 1; changing = !changing; } fair changing { changing } }\n\
        constraint constraint < 3;\n";
    let parsed = parse(source);
    let checked = check(&parsed.file, &[]);
    assert_eq!((parsed.diagnostics, checked.diagnostics), (vec![], vec![]));
    assert!(checked.model.is_some());
}

#[test]
fn a_constraint_is_a_part_of_the_model_for_symmetry() {
    let broken = |more: &str| {
        let parsed = parse(&format!("{MODEL}{more}"));
        let model = check(&parsed.file, &[]).model.expect("it is right");
        let analysis = symmetry::analyse(&model);
        let text = format!("{MODEL}{more}");
        analysis.breaks.iter().map(|found| found.span.text(&text).to_string()).collect::<Vec<_>>()
    };
    assert!(broken("constraint owner != none -> x < 4;").is_empty());
    assert_eq!(broken("constraint owner != C#1;"), ["C#1"]);
    assert!(broken("fair s(c: C) { send(c, _) }").is_empty());
}

#[test]
fn guards_ask_for_the_constraint_and_enabled_does_not() {
    let text = format!("{MODEL}constraint x < 4; invariant i = enabled(send);");
    let model = check(&parse(&text).file, &[]).model.expect("it is right");
    let system = lower(&model, &text);
    let constraint = system.constraint.expect("it has one");
    assert_eq!(constraint.text, "x < 4");
    assert!(system.rules.iter().all(|rule| rule.guard[0].condition == constraint.condition));
    assert!(!format!("{:?}", system.properties[0].question).contains(&format!("{:?}", constraint.condition)));
}

#[test]
fn blocks_give_values_to_constants_without() {
    let settings = |text: &str| settings_of_blocks(&parse(text).file);
    let one = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(
        settings("const N; const B: bool; const K = 1; check { K = 3; N = -2; } check { N = 4; B = true; }"),
        [one("N", "-2"), one("B", "true")]
    );
    assert_eq!(settings("const N; const K = 1; check { K = 3; }"), []);
}

#[test]
fn names_of_sets_are_found() {
    let source = format!("{MODEL}fair s(k: C) {{ send(k, _), C[k] }}");
    let (_, index) = check_with_index(&parse(&source).file, &[]);
    let at = |text: &str| {
        let start = source.rfind(text).expect("it is there") as u32;
        let found = index.at(start).expect("a name");
        (index.definition(found.symbol).expect("declared").name.clone(), found.role)
    };
    assert_eq!(at("send(k"), ("send".to_string(), Role::Used));
    assert_eq!(at("k]"), ("k".to_string(), Role::Used));
    assert_eq!(at("k: C"), ("k".to_string(), Role::Declared));
    assert_eq!(at("C[k]"), ("C".to_string(), Role::Used));
}
