//! What people write who come from other languages, or from other places of this one: one message each.

use crate::check_support::mistakes;

const HEAD: &str = "var x: 0..3; enum E { a, b } var e: E; symmetric S[3]; type U = E | S; var u: U; var f: array[S] of bool; ";

#[test]
fn one_message_each() {
    let rule = |body: &str| format!("process P {{ rule r {{ {body} }} }}");
    let after = |text: &str| format!("{text} process P {{ rule r {{ x = 1; }} }}");
    let cases = [
        (after("fn g(): bool { x = 1; true }"), "not-assignable"),
        (after("fn g(): bool { f[S#0] = true; true }"), "not-assignable"),
        (
            after("fn g(inout n: 0..3): bool = n == 0;"),
            "unexpected-token: a function has no `inout` parameters [functions are pure",
        ),
        (
            after("type B = union { bool, 0..3 };"),
            "unexpected-token: there is no type `union` [types are put",
        ),
        (
            after("union B { c, d }"),
            "unexpected-token: expected a declaration, found the keyword `union` [types",
        ),
        (after("invariant i = G x == 1;"), "temporal-outside-property"),
        (after("invariant i = x == 1 || F G x == 1;"), "temporal-outside-property"),
        (after("invariant i = AG forall s: S { f[s] };"), "temporal-outside-property"),
        (
            after("constraint G (x == 1);"),
            "unknown-function: unknown function or record `G` [temporal operators",
        ),
        ("process P { rule r when F x == 1 { x = 1; } }".into(), "temporal-outside-property"),
        (
            rule("match x { 0 => { x = 1; } 1 => { x = 2; } _ => { x = 0; } }"),
            "unexpected-token: a number is no case",
        ),
        (rule("match e { -1 => { x = 1; } _ => {} }"), "unexpected-token: a number is no case"),
        (rule("x = match x { 0 => 1, _ => 2 };"), "unexpected-token: a number is no case"),
        (rule("match x { _ => { x = 0; } }"), "type-mismatch: an `int` has no cases"),
        (rule("f = false;"), "type-mismatch: expected an `array[S] of bool`, found a `bool` [`[i: T => …]`"),
        (
            "process lib.S[s] { rule r { f[s] = true; } }".into(),
            "unexpected-token: a process has a name of its own, without a dot [for a family over a type of another file: `process S[i: lib.S] { … }`]",
        ),
    ];
    for (text, wanted) in cases {
        let found: Vec<String> = mistakes(&format!("{HEAD}{text}"));
        let first = if wanted.contains("a number is no case") {
            found.iter().all(|it| it.starts_with(wanted))
        } else {
            found.len() == 1
        };
        assert!(first && found.first().is_some_and(|it| it.starts_with(wanted)), "{text}: {found:#?}");
    }
}

#[test]
fn names_like_operators_stay_names() {
    for text in [
        "var G: bool; invariant i = G is true;",
        "var F: set of S; invariant i = x not in {1} || S.all == F;",
        "var X: E; invariant i = X is a;",
        "fn G(b: bool): bool = b; invariant i = G(x == 1);",
    ] {
        let found = mistakes(&format!("{HEAD}{text} process P {{ rule r {{ x = 1; }} }}"));
        assert!(found.is_empty(), "{text}: {found:#?}");
    }
}
