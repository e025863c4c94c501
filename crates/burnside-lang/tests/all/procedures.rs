//! Procedures: what is said about them, that a call is what its statements are, and where their names stand.

use burnside_lang::check::{Role, check, check_with_index, dump};
use burnside_lang::syntax::{format, parse};

/// Errors and warnings, one in a line.
fn found(source: &str) -> Vec<String> {
    let parsed = parse(source);
    let checked = check(&parsed.file, &[]);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    all.map(|d| format!("{}: {} [{}]", d.code, d.message, d.help.as_deref().unwrap_or_default())).collect()
}

#[test]
fn one_message_each() {
    let cases = [
        (
            "fn bump() { x = x + 1; } process P { rule r { bump(); } }",
            "unexpected-token: the function `bump` has no type of its result [functions are pure: they give a value (`fn bump(…): T = …;`) and change nothing; statements with a name are a procedure: `proc bump(…) { … }`]",
        ),
        (
            "proc f() { x = 1; f(); } process P { rule r { f(); } }",
            "recursive-function: the procedure `f` calls itself []",
        ),
        (
            "proc f(a: 0..3) { x = a; } process P { rule r { f(); } }",
            "wrong-argument-count: `f` takes 1 argument, and 0 are given []",
        ),
        (
            "proc f(a: bool) { x = if a { 1 } else { 2 }; } process P { rule r { f(x); } }",
            "type-mismatch: expected a `bool`, found an `int` []",
        ),
        (
            "proc f(): int { x = 1; } process P { rule r { f(); } }",
            "unexpected-token: expected `{`, found `:` [a procedure has no value: give it an `inout` parameter for one, or make it an `fn`]",
        ),
        (
            "proc push_() { x = 1; } process P { rule r { push(x); push_(); } }",
            "unknown-function: unknown procedure `push` [did you mean `push_`?]",
        ),
        (
            "process P { rule r { push(x); x = 1; } }",
            "unknown-function: unknown procedure `push` [methods are called with a dot: `q.push(…)`]",
        ),
        (
            "fn f(): int = x; process P { rule r { f(); x = 1; } }",
            "not-a-statement: this is an expression, not a statement [functions have no effect: use their value; statements with a name are a `proc`]",
        ),
        (
            "proc f() { x = 1; } process P { rule r { x = 2; } }",
            "unused-function: the procedure `f` is never used [remove it]",
        ),
        ("proc f() { x = 7; } process P { rule r { x = 2; } }", "out-of-range-constant"),
        (
            "proc f() { goto a; } process P { locations a, b; rule r { x = 2; f(); goto b; } }",
            "goto-outside-process",
        ),
        (
            "proc f(a: 0..3) { x = 1; } process P { rule r { f(1); f(2); } }",
            "unused-name: the parameter `a` is never used [write `_` for a name that does not matter]",
        ),
    ];
    for (text, wanted) in cases {
        let source = format!("var x: 0..3; {text} invariant p = x < 4 && x != 9;");
        let found = found(&source);
        let ours: Vec<&String> = found.iter().filter(|line| !line.starts_with("trivial")).collect();
        assert!(ours.len() == 1 && ours[0].starts_with(wanted), "{text}\n{found:#?}");
    }
}

/// A call comes to the same as its statements, written where it stands.
#[test]
fn calls_are_their_statements() {
    let with = |procs: &str, body: &str| {
        let source = format!(
            "type I = 0..2; var a: array[I] of 0..3; var i: I; var s: set of I; {procs}
            process P {{ rule r {{ {body} }} }}"
        );
        let checked = check(&parse(&source).file, &[]);
        let model = checked.model.unwrap_or_else(|| panic!("{body}\n{:?}", checked.diagnostics));
        let text = dump(&model);
        text[text.find("rule").unwrap()..].to_string()
    };
    for (procs, call, statements) in [
        ("proc f() { a[0] = 1; i = 2; }", "f(); f();", "a[0] = 1; i = 2; a[0] = 1; i = 2;"),
        ("proc f(inout c: 0..3) { c = c + 1; }", "f(a[1]);", "a[1] = a[1] + 1;"),
        ("proc f(inout t: set of I) { t.add(1); }", "f(s);", "s.add(1);"),
        (
            "proc f(inout t: set of I) { g(t); } proc g(inout u: set of I) { u.clear(); }",
            "f(s);",
            "s.clear();",
        ),
        ("proc f(inout c: 0..3) { c = 1; }", "for j: I { f(a[j]); }", "for j: I { a[j] = 1; }"),
    ] {
        assert_eq!(with(procs, call), with("", statements), "{call}");
    }
}

#[test]
fn names_are_noted_once() {
    let source = "var x: 0..3; proc f(a: 0..3) { let b = a; x = b; } process P { rule r { f(1); f(2); } }";
    let (checked, index) = check_with_index(&parse(source).file, &[]);
    assert!(checked.model.is_some());
    let named = |name: &str| {
        let all = index.occurrences().iter().filter(|it| it.span.text(source) == name);
        all.map(|it| it.role).collect::<Vec<_>>()
    };
    assert_eq!(named("f"), [Role::Declared, Role::Used, Role::Used]);
    assert_eq!(named("a"), [Role::Declared, Role::Used]);
    assert_eq!(named("b"), [Role::Declared, Role::Used]);
}

/// Calls of calls of calls: many statements are an error, not an endless check.
#[test]
fn too_many_statements() {
    let mut source = String::from("var x: 0..3; proc f0() { x = 1; }");
    for i in 1..40 {
        source.push_str(&format!("proc f{i}() {{ f{0}(); f{0}(); }}", i - 1));
    }
    source.push_str("process P { rule r { f39(); } } invariant p = x != 9;");
    assert!(found(&source).iter().any(|line| line.starts_with("calls-too-deep")));
}

#[test]
fn layout() {
    let source = "proc  f ( a:T,inout b , c:U ,) {x=1;g(a,b);}\nproc g(){}\n";
    let wanted = "proc f(a: T, inout b, c: U) { x = 1; g(a, b); }\nproc g() {}\n";
    assert_eq!(format(source).unwrap(), wanted);
    assert_eq!(format(wanted).unwrap(), wanted);
}
