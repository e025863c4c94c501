//! Queue statements, and expressions with queues and sets: what is said about them, what they stand for,
//! and their layout.

use crate::check_support::mistakes;
use burnside_lang::check::check;
use burnside_lang::symmetry::analyse;
use burnside_lang::syntax::{format, parse};

const TYPES: &str = "symmetric S[3]; var q: queue[3] of S; var r: queue[2] of S; var n: queue[3] of 0..3; var b: bag[2] of S; var c: bag[3] of S; var s: set of S; var x: S?; var k: 0..3; ";

/// Errors about a body, one in a line.
fn found(body: &str) -> Vec<String> {
    let source = format!("{TYPES} process P {{ rule r_(e: S) {{ {body} }} }}");
    mistakes(&source)
}

#[test]
fn one_message_each() {
    let cases = [
        ("q.insert(0);", "wrong-argument-count: `insert` takes 2 arguments, and 1 is given"),
        ("q.remove();", "wrong-argument-count: `remove` takes 1 argument, and 0 are given"),
        ("q.remove(e);", "type-mismatch: expected an `int`, found a `S`"),
        ("q.insert(0, 1);", "type-mismatch: expected a `S`, found an `int`"),
        ("s.insert(0, e);", "unknown-method: a `set of S` has no statement `.insert(…)`"),
        ("s.remove(0);", "type-mismatch: expected a `S`, found an `int`"),
        ("e.remove(0);", "not-assignable: `e` is a parameter and cannot be assigned to"),
        ("nothing.remove(0);", "unknown-name: unknown name `nothing`"),
        ("let y = s.pop(); x = y;", "unknown-method: a `set of S` has no method `pop` that gives a value"),
        ("k = q.pop();", "type-mismatch: expected a `0..3`, found a `S`"),
        (
            "x = if q.pop() == e { e } else { none };",
            "unknown-method: a `queue[3] of S` has no method `pop` that gives a value",
        ),
        ("q = q + n;", "type-mismatch"),
        ("q = q + b;", "type-mismatch"),
        ("q = q - r;", "type-mismatch"),
        ("q = q[0..e];", "type-mismatch: expected an `int`, found a `S`"),
        ("q = s[0..1];", "not-indexable: `[a..b]` is a part of a queue, and this is a `set of S`"),
        ("q = q[0..];", "unexpected-token: expected an expression, found `]`"),
    ];
    for (body, wanted) in cases {
        let found = found(body);
        assert!(found.len() == 1 && found[0].starts_with(wanted), "{body}: {found:#?}");
    }
}

#[test]
fn all_of_these_are_right() {
    for body in [
        "q = q + r;",
        "r = q[0..1] + r[0..0] + [];",
        "let t: queue[9] of S = q + q + q; q = t[2..4];",
        "c = b + b; c = c + {};",
        "assert q == r + r; assert (q + r).size() == 3 && e in q + r;",
        "for y in q + r { s.add(y); }",
        "q.insert(q.size(), e); q.remove(q.size() - 1); let y = q.pop(); x = q.pop(); x = y;",
        "let z: S? = q.pop(); x = z;",
    ] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

/// Loops whose iterations commute keep the symmetry, others do not.
#[test]
fn loops_and_symmetry() {
    let types = "symmetric S[3]; var to: array[S] of S = any; var size: array[S] of 0..3; var off: array[S] of -1..1; var n: 0..9; var hits: array[S] of 0..9; var s: set of S; var sets: array[S] of set of S; var f: array[S] of bool; var q: queue[3] of S; var last: S?; ";
    let broken = |body: &str| {
        let source = format!("{types} process P {{ rule r {{ {body} }} }}");
        let parsed = parse(&source);
        let checked = check(&parsed.file, &[]);
        let model = checked.model.unwrap_or_else(|| panic!("{body}: {:?}", checked.diagnostics));
        !analyse(&model).breaks.is_empty()
    };
    for free in [
        "for i: S { n = n + size[i]; }",
        "for i: S { n = n - size[i]; }",
        "for i: S { n = n + (if f[i] { 2 } else { size[i] }); }",
        "for i: S { hits[to[i]] = hits[to[i]] + 1; }",
        "for i: S { hits[to[i]] = hits[to[i]] + size[i]; }",
        "for i: S { s = s | {to[i]}; }",
        "for i: S { s = s \\ {to[i]}; }",
        "for i: S { sets[to[i]].add(i); }",
        "for i: S { f[to[i]] = true; }",
        "for i: S where f[i] { match last { some(l) => { hits[l] = hits[l] + 1; } none => {} } }",
        "for i in q { last = i; q.push(i); }",
    ] {
        assert!(!broken(free), "{free}");
    }
    for bound in [
        "for i: S { n = n + off[i]; }",
        "for i: S { n = n + size[i]; n = n - 1; }",
        "for i: S { n = n + size[i]; if n > 3 { f[i] = true; } }",
        "for i: S { hits[to[i]] = hits[to[i]] + 1; to[i] = i; last = to[to[i]]; }",
        "for i: S { hits[to[i]] = hits[i] + 1; }",
        "for i: S { hits[to[i]] = n; n = n + 1; }",
        "for i: S { f[to[i]] = f[i]; }",
        "for i: S { s = s | {to[i]}; s = s \\ {i}; }",
        "for i: S { s = {to[i]} | s; }",
        "for i: S { f[to[i]] = true; f[i] = false; }",
        "for i: S { last = i; }",
        "for i in s { q.push(i); }",
        "for i: S { q.remove(0); }",
    ] {
        assert!(broken(bound), "{bound}");
    }
}

#[test]
fn the_layout_stays() {
    let source = "\
var q: queue[3] of bool;
process P {
    rule r {
        q.insert(0, true);
        let x = q.pop();
        q = q[0..q.size() - 1] + q[1..2];
        q.remove(if x { 0 } else { 1 });
    }
}
";
    assert_eq!(format(source).unwrap(), source);
}

#[test]
fn sets_of_values() {
    let right = [
        "s = {y: y in s};",
        "s = {e: y in q where y == e};",
        "s = S.all \\ {q[i]: i: 0..2 where i < q.size()}; assert e not in s || e not in q;",
        "assert {k + i: i: 0..2} == {0, 1, 2}; x = none;",
        "s = {(y): y: S};",
    ];
    // A name alone before the colon is a binder.
    assert!(found(right[0])[0].starts_with("unexpected-token"));
    for body in &right[2..] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
    let wrong = [
        ("s = {b: y in q};", "unexpected-token"),
        ("s = {y.to: y in q};", "unknown-field"),
        ("s = k.all;", "unknown-field"),
        ("s = Nothing.all;", "unknown-name"),
        ("assert e not q;", "unexpected-token"),
        ("assert not e in q;", "wrong-operator"),
    ];
    for (body, wanted) in wrong {
        let found = found(body);
        assert!(found.first().is_some_and(|first| first.starts_with(wanted)), "{body}: {found:#?}");
    }
    let source = "\
symmetric S[3];
var s: set of S;
fn f(x: S): S = x;
process P {
    rule r(c: S) when c not in s { s = {f(x): x in s where x != c} | S.all; }
}
";
    assert_eq!(format(source).unwrap(), source);
}
