//! Named ranges and enums that are symmetric though nobody said so, and those that are not, with the reasons.

use burnside_lang::check::check;
use burnside_lang::hir::Model;
use burnside_lang::symmetry::{Reason, analyse};
use burnside_lang::syntax::parse;
use burnside_ts::SortGroup;

const TICK: &str = "process Tick { rule tick { } }\n";

fn model(text: &str) -> Model {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
    let checked = check(&parsed.file, &[]);
    let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    checked.model.unwrap()
}

fn sort_group(sort_group: &SortGroup) -> String {
    match sort_group {
        SortGroup::Full(blocks) if blocks.len() == 1 => format!("{:?}", blocks[0]),
        other => format!("{other:?}"),
    }
}

/// One line for each candidate: what is free, or why nothing is; then one for each property.
fn told(text: &str) -> Vec<String> {
    let model = model(text);
    let analysis = analyse(&model);
    let mut lines = Vec::new();
    for &sort in &analysis.inferred {
        let name = &analysis.types.sort(sort).name;
        lines.push(format!("{name}: {}", sort_group(&analysis.model.sorts[sort.index()])));
    }
    for rejected in &analysis.rejected {
        let reasons: Vec<String> = rejected
            .breaks
            .iter()
            .map(|(span, reason)| format!("{reason:?} in `{}`", span.text(text)))
            .collect();
        lines.push(format!("{} is not: {}", rejected.name, reasons.join("; ")));
    }
    for (property, (symmetry, _)) in model.properties.iter().zip(&analysis.properties) {
        for &sort in &analysis.inferred {
            let it = analysis.types.sort(sort);
            let met = symmetry.sorts[sort.index()].meet(&analysis.model.sorts[sort.index()], it.size);
            lines.push(format!("{} leaves {}: {}", property.name, it.name, sort_group(&met)));
        }
    }
    lines
}

fn tells(text: &str, expected: &[&str]) {
    assert_eq!(told(&format!("{TICK}{text}")), expected, "{text}");
}

#[test]
fn enums_with_constants_that_nobody_names() {
    tells("enum E { a, b, c } var x: E = any;", &["E: [0, 1, 2]"]);
    tells("enum E { a, b, c } var x: E = any; init { assume x != b; }", &["E: [0, 2]"]);
    tells("enum E { a, b, c, d } var x: E? = c;", &["E: [0, 1, 3]"]);
    tells("enum E { a, b } process P[e: E] { var x: bool; rule r { x = true; } }", &["E: [0, 1]"]);
    tells("enum E { a, b, c } var s: set of E; var q: queue[2] of E; var g: bag[2] of E;", &["E: [0, 1, 2]"]);
    tells("enum E { a, b } var x: E = any; init { assume x == a; }", &["E is not: Named(0) in `a`"]);
}

#[test]
fn enums_that_are_ordered_or_numbered() {
    tells(
        "enum E { a, b, c } var x: E = any; var y: E = any; init { assume x < y; }",
        &["E is not: Ordered in `x < y`"],
    );
    tells(
        "enum E { a, b, c } var x: E = any; var n: 0..2; init { n = ord(x); }",
        &["E is not: Numbered in `ord(x)`"],
    );
    tells("enum E { a, b, c } var n: array[E] of 0..2 = [0, 1, 2];", &["E is not: Listed in `[0, 1, 2]`"]);
}

#[test]
fn a_default_is_a_name() {
    tells("enum E { a, b, c } var x: E;", &["E: [1, 2]"]);
    tells("enum E { a, b } var x: E;", &["E is not: Default(0) in `x`"]);
    tells("enum E { a, b, c } record R { n: bool, e: E } var x: array[bool] of R;", &["E: [1, 2]"]);
    tells("enum E { a, b, c } record R { n: -1..1, e: E } var x: R;", &["E: [1, 2]"]);
    tells("enum E { a, b, c } record R { n: -1..1, e: E } var x: array[bool] of R;", &["E: [1, 2]"]);
    tells(
        "enum E { a, b, c } record R { e: E } var x: R?; var y: set of R; var z: bag[1] of R;",
        &["E: [0, 1, 2]"],
    );
    tells("enum E { a, b, c } process P[i: 0..1] { var x: E; rule r { } }", &["E: [1, 2]"]);
    tells("enum E { a, b, c } var y: bool; process P { rule r { var x: E; x = any; } }", &["E: [1, 2]"]);
    tells(
        "enum E { a, b, c } var y: bool; process P { rule r { var x: array[E] of E; x = any; } }",
        &["E: [1, 2]"],
    );
    tells("type A = 0..3; var x: A;", &["A: [1, 2, 3]"]);
    tells("type A = 5..8; var x: A;", &["A: [1, 2, 3]"]);
    tells("type A = -2..2; var x: A;", &["A: [0, 1, 3, 4]"]);
    tells("type A = -2..2; record R { b: bool, a: A } var x: array[bool, bool] of R;", &["A: [0, 1, 3, 4]"]);
    tells(
        "process P { locations here, there, nowhere, never_; rule r at here { goto there; } }",
        &["P.location: [2, 3]"],
    );
}

#[test]
fn ranges_with_symmetric_uses() {
    tells("type A = 0..3; var x: A = any; var y: A = any; init { assume x != y; }", &["A: [0, 1, 2, 3]"]);
    tells(
        "type A = 1..3; var owner: A?; var waiting: set of A; var f: array[A] of bool;
         process P[i: A] {
             rule ask when owner != i && !(i in waiting) { waiting.add(i); f[i] = true; }
             rule give(j in waiting) when owner == none { owner = j; waiting.remove(j); }
             rule free_ when owner == i { owner = none; let me = i; f[me] = f[owner_or(i)]; }
         }
         fn owner_or(i: A): A = if owner == none { i } else { owner! };
         invariant one = forall a, b: A { f[a] && f[b] -> a == b || owner in {a, b} };",
        &["A: [0, 1, 2]", "one leaves A: [0, 1, 2]"],
    );
    tells(
        "type A = 0..2; record M { from: A, to: A } var net: bag[3] of M; var log: queue[2] of A;
         process P[i: A] {
             rule send(j: A) when i != j && !net.full() { net.add(M(i, j)); }
             rule take(m in net) when m.to == i && !log.full() { net.remove(m); log.push(m.from); }
             rule pop when !log.empty() && log.front() == i { log.pop(); }
         }",
        &["A: [0, 1, 2]"],
    );
    tells(
        "type A = 0..2; var x: A = any; process P { rule r { let y = any in {a: A where a != x}; x = y; } }",
        &["A: [0, 1, 2]"],
    );
    tells(
        "type A = 0..2; var c: 0..3; process P { rule r { c = count a: A { a == a }; } }",
        &["A: [0, 1, 2]"],
    );
}

#[test]
fn literals_name_elements() {
    tells("type A = 0..3; var x: A = 2;", &["A: [0, 1, 3]"]);
    tells("type A = 5..8; var x: A = 7; init { assume x != 5; }", &["A: [1, 3]"]);
    tells("const K = 6; type A = 5..8; var x: array[A] of bool; init { x[K] = true; }", &["A: [0, 2, 3]"]);
    tells("type A = 0..3; var x: A = any; init { let k = 1; assume x == k; }", &["A: [0, 2, 3]"]);
    tells("type A = 0..3; var x: A? = 1;", &["A: [0, 2, 3]"]);
    tells("type A = 0..3; var x: set of A = {1, 3};", &["A: [0, 2]"]);
    tells("type A = 0..3; var x: A = any; init { if x in {1, 2} { x = 2; } }", &["A: [0, 3]"]);
    tells("type A = 0..3; var x: A = any; init { x = if x == 1 { x } else { 0 }; }", &["A: [2, 3]"]);
    tells("type A = 0..3; process P[i: A] { var b: bool; rule r { P[2].b = true; } }", &["A: [0, 1, 3]"]);
    tells("type A = 0..3; fn f(a: A): bool = a == a; var b: bool; init { b = f(3); }", &["A: [0, 1, 2]"]);
}

#[test]
fn ranges_that_are_computed_with() {
    let declarations = "type A = 0..3; var x: A = any; var y: A = any; var n: 0..9; var q: queue[4] of bool;";
    let broken = |statement: &str, expected: &str| {
        tells(&format!("{declarations} init {{ {statement} }}"), &[&format!("A is not: {expected}")]);
    };
    broken("assume x < y;", "Ordered in `x`; Ordered in `y`");
    broken("assume x >= 1;", "Ordered in `x`");
    broken("n = x + 1;", "Computed in `x`");
    broken("n = -x * 2;", "Computed in `x`");
    broken("n = max(x, 3);", "Computed in `x`");
    broken("n = abs(x);", "Computed in `x`");
    broken("n = x;", "Mixed in `x`");
    broken("assume n == x;", "Mixed in `n == x`");
    broken("x = n;", "Mixed in `n`");
    broken("x = any in {n, 1};", "Mixed in `n`; Named(1) in `1`");
    broken("let s: set of 0..3 = {1}; x = any in s;", "Mixed in `x = any in s;`");
    broken("assume q[x];", "Computed in `x`");
    broken("assume x == 7;", "Mixed in `7`");
    broken("n = sum a: A { a };", "Computed in `a`");
    broken("n = min a: A where a != x { a };", "Computed in `a`");
    broken("let z = x; let w = z; n = w + 1;", "Computed in `w`");
    broken("let z = if x == y { x } else { n }; assume z == x;", "Mixed in `z == x`");
    broken("let z: int = x; n = z;", "Mixed in `z`");
    broken("let z: 0..3 = x; n = z;", "Mixed in `x`");
    broken("n = n + (count a: A { a < x });", "Ordered in `a`; Ordered in `x`");
    broken("let s = {x, n}; assume y in s;", "Mixed in `x`; Mixed in `y`");
    broken("for z in {x, n} { x = z; }", "Mixed in `x`; Mixed in `z`");
}

#[test]
fn functions_and_ranges() {
    tells(
        "type A = 0..3; var x: A = any; fn f(a: int): int = a; var n: 0..3; init { n = f(x); }",
        &["A is not: Mixed in `x`"],
    );
    tells(
        "type A = 0..3; var x: A = any; fn f(a: A): int = a; var n: 0..3; init { n = f(x); }",
        &["A is not: Mixed in `a`"],
    );
    tells(
        "type A = 0..3; var n: 0..3; fn f(a: int): A = a; var x: A = any; init { x = f(n); }",
        &["A is not: Mixed in `a`"],
    );
}

#[test]
fn each_name_is_a_type_of_its_own() {
    tells(
        "type A = 0..2; type B = 0..2; var x: A = any; var y: B = any; var n: 0..1;
         init { assume x < 2; n = x; assume y != 1; }",
        &["B: [0, 2]", "A is not: Ordered in `x`; Mixed in `x`"],
    );
    tells(
        "type A = 0..2; type B = 0..2; var x: A = any; var y: B = any; init { assume x == y; }",
        &["A is not: Mixed in `x == y`", "B is not: Mixed in `x == y`"],
    );
    tells("type A = 0..2; type B = A; var x: A = any; var y: B = any; init { y = x; }", &["A: [0, 1, 2]"]);
    tells(
        "type A = 0..2; var x: 0..2; var y: A = any; init { x = 1; assume x < 2; assume y == y; }",
        &["A: [0, 1, 2]"],
    );
    // Literals and comprehensions take the type of their members.
    tells(
        "type A = 0..2; var x: A = any; var s: set of A; var f: array[bool] of A = [b: bool => x];
         process P { rule r { let t = {x, f[true]}; s = s | t; if t == s { s = {x}; } let g = [b: bool => x]; f = g; } }",
        &["A: [0, 1, 2]"],
    );
}

#[test]
fn loops_and_lists() {
    tells(
        "type A = 0..2; var f: array[A] of bool; var last: A?;
         process P { rule all { for a: A { f[a] = true; } } }",
        &["A: [0, 1, 2]"],
    );
    tells(
        "type A = 0..2; var last: A?; process P { rule all { for a: A { last = a; } } }",
        &["A is not: Loop in `for a: A { last = a; }`"],
    );
    tells(
        "type A = 0..2; var f: array[A] of bool = [true, true, false];",
        &["A is not: Listed in `[true, true, false]`"],
    );
}

#[test]
fn a_property_only_breaks_itself() {
    tells(
        "type A = 0..3; enum E { a, b, c } var x: A = any; var y: A = any; var e: E = any;
         invariant order = x < y || e == a;
         invariant name = x == 2 -> y != 3;
         reachable same = x == y;",
        &[
            "E: [0, 1, 2]",
            "A: [0, 1, 2, 3]",
            "order leaves E: [1, 2]",
            "order leaves A: Fixed",
            "name leaves E: [0, 1, 2]",
            "name leaves A: [0, 1]",
            "same leaves E: [0, 1, 2]",
            "same leaves A: [0, 1, 2, 3]",
        ],
    );
}

#[test]
fn a_hint_breaks_nothing() {
    let declarations = "symmetric S[3]; ring R[4]; type A = 0..3; enum E { a, b, c }
         var s: S = any; var r: R = any; var x: A = any; var y: A = any; var e: E = any;
         process Turn { rule turn { r = next(r); } }
         invariant same = x == y && next(r) == r;";
    let hints = "hint order = x < y + 1 || e == a;
         hint name = s == S#1 && ord(s) < 2;
         hint turned = r == R#0 && next(r) < R#2;";
    let found = |text: &str| {
        let analysis = analyse(&model(&format!("{TICK}{text}")));
        let properties: Vec<_> = analysis.properties.into_iter().map(|(symmetry, _)| symmetry).collect();
        (properties, analysis.inferred, analysis.model, analysis.breaks)
    };
    let (with, without) = (found(&format!("{declarations}{hints}")), found(declarations));
    assert_eq!(with, without);
    assert_eq!(with.1.len(), 2);
    assert!(with.2.sorts.iter().all(|sort_group| *sort_group != SortGroup::Fixed));
}

#[test]
fn anonymous_and_huge_ranges_are_not_asked() {
    tells("var x: 0..3 = any;", &[]);
    tells("type A = 0..1_000_000; var x: A? = none;", &[]);
    tells("type A = 3..3; enum E { only } var x: A; var e: E;", &[]);
}

#[test]
fn loops_see_what_their_filters_and_collections_read() {
    let symmetric = |body: &str| {
        let text = format!(
            "{TICK}symmetric S[3]; var done: bool; var f: array[S] of bool; var s: set of S; process P {{ rule r {{ {body} }} }}"
        );
        analyse(&model(&text)).breaks.iter().all(|found| found.reason != Reason::Loop)
    };
    assert!(symmetric("for i: S where f[i] { f[i] = false; done = true; }"));
    assert!(!symmetric("for i: S where !done { f[i] = true; done = true; }"));
    assert!(!symmetric("for i: S, j in s where i != j { s.remove(i); f[i] = true; }"));
    assert!(symmetric("for i in s { s.remove(i); }"));
}

#[test]
fn loops_over_queues_have_an_order_and_those_over_bags_have_none() {
    let symmetric = |body: &str| {
        let text = format!(
            "{TICK}symmetric S[3]; record M {{ to: S, n: 0..3 }} var q: queue[3] of S; var m: queue[3] of M; var b: bag[3] of S; var c: bag[3] of M;
             var d: bag[3] of 0..3; var last: S?; var n: array[S] of 0..3; var k: 0..3; process P {{ rule r {{ {body} }} }}"
        );
        analyse(&model(&text)).breaks.iter().all(|found| found.reason != Reason::Loop)
    };
    for free in [
        "for x in q { last = x; }",
        "for x in m { last = x.to; q.push(x.to); }",
        "for x in b { n[x] = n[x] + 1; }",
        "for x in c { k = k + 1; b.add(x.to); }",
        "for x in d { k = x; }",
        "for x in q, y in q where x != y { last = y; }",
    ] {
        assert!(symmetric(free), "{free}");
    }
    for ordered in [
        "for x in b { last = x; }",
        "for x in b { q.push(x); }",
        "for x in c { k = x.n; }",
        "for x in q, y in b { last = y; }",
        "for y in b, x in q { last = x; q.push(y); }",
        "for x: S { for y in q { last = x; } }",
    ] {
        assert!(!symmetric(ordered), "{ordered}");
    }
}

#[test]
fn a_ring_without_neighbours_has_all_permutations() {
    let sort_group = |body: &str| {
        let text = format!(
            "{TICK}ring R[4]; var here: R = any; var f: array[R] of bool; process P {{ rule r(x: R) {{ {body} }} }}"
        );
        analyse(&model(&text)).model.sorts[0].clone()
    };
    assert_eq!(sort_group("f[x] = here != x; here = x;"), SortGroup::full(vec![0, 1, 2, 3]));
    for body in ["here = next(x);", "here = x - 1;", "f[prev(x)] = true;"] {
        assert_eq!(sort_group(body), SortGroup::Rotations, "{body}");
    }
}
