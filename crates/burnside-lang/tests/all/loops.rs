//! Which loops keep the symmetry of their values: each rule of `symmetry/order.rs` with what it allows and
//! what is just outside of it. That the rules are right is tested by running loops, in the testkit.

use burnside_lang::check::check;
use burnside_lang::hir::Model;
use burnside_lang::symmetry::{Reason, analyse};
use burnside_lang::syntax::parse;

const DECLARATIONS: &str = "symmetric S[3]; symmetric T[2]; enum H { home, away } type U = H | S | T;
    enum M { one(p: S), two(q: S, r: S), end } enum L { only(w: S), end2 }
    record P { x: S, y: S } record R { a: array[S] of bool, b: array[S] of bool, n: 0..9, m: 0..9 }
    var x: S = any; var f: array[S] of bool; var g: array[S] of 0..3; var h: array[S, S] of bool;
    var w: array[S] of -3..3; var n: array[0..3] of 0..3; var to: array[S] of S = any; var u: array[U] of bool;
    var p: array[P] of bool; var ls: array[L] of bool; var os: array[S?] of bool; var o: array[S] of 0..3?;
    var r: R; var s: set of S; var ss: array[S] of set of S; var b: bag[3] of S; var bu: bag[2] of U;
    var q: queue[3] of S; var k: 0..9; var k2: 0..9; var z: -9..9; var d: bool; var last: S?;
    var ro: R?; process F[i: S] { var mine: bool; var num: 0..3; } var uu: U;
    fn some(): bool = exists j: S { f[j] };
    fn some2(): bool = some() || d;
    fn id(a: bool): bool = a;
    fn as_s(a: U): S? = match a { S(c) => c, _ => none };
    fn as_s2(a: U): S? = as_s(a);
    fn either(a: S): S? = if d { a } else { last };
    proc flip_s(a: U) { f[as_s(a)!] = !f[as_s(a)!]; }
    proc flip(a: S) { f[a] = !f[a]; }
    proc flip_u(a: U) { u[a] = !u[a]; match a { S(c) => { f[c] = !f[c]; } _ => {} } }
    proc more(inout a: 0..3, inout t: 0..9) { if a < 3 { a = a + 1; t = t + 1; } }
    proc put(inout a: 0..3, v: 0..3) { a = v; }
    process P1 { rule tick { d = !d; } ";

fn model(text: &str) -> Model {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
    let checked = check(&parsed.file, &[]);
    let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    checked.model.unwrap()
}

fn is_free(body: &str) -> bool {
    let text = format!("{DECLARATIONS} rule r {{ {body} }} }}");
    analyse(&model(&text)).breaks.iter().all(|found| found.reason != Reason::Loop)
}

fn all(free: bool, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(is_free(body), free, "{body}");
    }
}

#[test]
fn cells_of_their_own() {
    all(
        true,
        &[
            "for i: S { f[i] = !f[i]; }",
            "for i: S { f[i] = f[i] && to[i] == x; g[i] = 3 - g[i]; }",
            "for i: S { h[x, i] = !h[x, i]; }",
            "for i: S { h[i, to[i]] = true; h[i, i] = !h[i, x]; }",
            "for i: S, j: S { h[i, j] = !h[i, j]; }",
            "for i: S { r.a[i] = !r.b[i]; r.b[i] = r.a[i]; }",
            "for i: S { F[i].mine = !F[i].mine; }",
            "for i: S { o[i] = none; o[i] = 2; }",
            "for i: S { if o[i] != none { o[i]! = 3 - o[i]!; } }",
            "for i: S { ss[i].add(x); ss[i].remove(i); ss[i].clear(); }",
            "for i: S { f[i] = any; }",
            "for i in s { f[i] = !f[i]; }",
            "for i in b { g[i] = 3 - g[i]; }",
            "for i: S where g[i] > 1 { g[i] = 0; f[i] = g[i] == 0; }",
        ],
    );
    all(
        false,
        &[
            "for i: S { f[i] = f[x]; }",
            "for i: S { f[i] = exists j: S { f[j] }; }",
            "for i: S { f[i] = some(); }",
            "for i: S { f[i] = some2(); }",
            "for i: S { f[i] = id(f[to[i]]); }",
            "for i: S { f[i] = !f[i]; f[to[i]] = true; }",
            "for i: S { h[i, x] = true; h[x, i] = false; }",
            "for i: S, j: S { g[i] = if i == j { 1 } else { 2 }; }",
            "for i: S { r.a[i] = r.b[x]; r.b[i] = r.a[i]; }",
            "for i: S { r.a[i] = true; r.b[i] = false; r = r; }",
            "for i: S { F[i].mine = !F[x].mine; }",
            "for i: S where g[x] > 1 { g[i] = 0; }",
            "for i: S, j in s where f[x] { f[i] = !f[i]; s.remove(j); }",
            "for i: S { f[i] = f != [_j: S => true]; }",
            "for i: S { if o[x] != none { o[i]! = 3 - o[i]!; } }",
        ],
    );
}

#[test]
fn names_for_the_index() {
    all(
        true,
        &[
            "for i: S { let j = i; f[j] = !f[j]; f[i] = !f[j]; }",
            "for i: S { flip(i); }",
            "for i: S { more(g[i], k); }",
            "for i: S { put(g[i], 3 - g[i]); }",
            "for i: S { u[i] = !u[i]; }",
            "for i: S { flip_u(i); }",
            "for v: U { flip_u(v); }",
            "for v in bu { flip_u(v); }",
            "for v: U { match v { S(c) => { f[c] = !f[c]; } T(t) => { u[t] = !u[t]; u[v] = !u[v]; } H(_) => {} } }",
            "for v: U { if v is S { match v { S(c) => { let e = c; f[e] = !f[c]; } _ => {} } } }",
            "for i: S { let v: U = i; match v { S(c) => { f[c] = !f[i]; } _ => {} } }",
            "for i: S { p[P(i, x)] = !p[P(i, to[i])]; }",
            "for i: S { let e = P(i, to[i]); f[e.x] = !f[e.x]; }",
            "for i: S { p[P(i, i)] = !p[P(x, i)]; p[P(x, i)] = true; }",
            "for i: S { os[i] = !os[i]; }",
            "for i: S? { os[i] = !os[i]; }",
            "for v: L { match v { only(c) => { f[c] = !f[c]; } end2 => { d = true; } } }",
            "for i: S { ls[only(i)] = !ls[only(i)]; }",
        ],
    );
    all(
        false,
        &[
            "for i: S { var j: S = i; if f[i] { j = x; } f[j] = !f[j]; }",
            "for i: S { let j = to[i]; f[j] = !f[j]; }",
            "for i: S { flip(to[i]); }",
            "for i: S { more(g[to[i]], k); }",
            "for i: S { put(g[to[i]], g[i]); }",
            "for i: S { u[i] = u[home]; }",
            "for i: S { p[P(i, x)] = !p[P(x, i)]; }",
            "for i: S { p[P(i, x)] = true; p[P(x, i)] = false; }",
            "for i: S { let e = P(i, to[i]); g[e.y] = g[e.y] / 2 + (if f[i] { 1 } else { 0 }); }",
            "for i: S { var e: P = P(i, x); e.x = to[i]; g[e.x] = g[e.x] / 2 + (if f[i] { 1 } else { 0 }); }",
            "for i: S { match uu { S(c) => { g[c] = g[c] / 2 + (if f[i] { 1 } else { 0 }); } _ => {} } }",
            "for i: S { f[i] = !f[i]; flip(x); }",
            // What `one` and `two` hold first is in one field, and several values of `two` have it.
            "for v: M { match v { one(a) => { f[a] = !f[a]; } two(a, _) => { f[a] = f[a] && d; } end => {} } }",
            "for v: M { match v { two(_, e) => { f[e] = !f[e]; } _ => {} } }",
            "for v: U { match v { S(c) => { f[c] = f[x]; } _ => {} } }",
            "for v: U { match v { H(e) => { n[if e == home { 1 } else { 2 }] = n[0]; } _ => {} } }",
        ],
    );
}

#[test]
fn the_same_constant_everywhere() {
    all(
        true,
        &[
            "for i: S { d = true; }",
            "for i in b { if f[i] { last = none; k = 4; } }",
            "for i: S { n[g[i]] = 1; n[0] = 1; }",
            "for i: S { g[to[i]] = 0; }",
        ],
    );
    all(
        false,
        &[
            "for i: S { d = f[i]; }",
            "for i: S { f[i] = n[k % 4] == 0; k = 1; }",
            "for i: S { d = !d; }",
            "for i: S { if f[i] { k = 1; } else { k = 2; } }",
            "for i: S { if f[i] { last = none; } else { last = x; } }",
            "for i: S { n[n[0]] = 1; }",
            "for i: S { n[g[i]] = 1; n[0] = 2; }",
            "for i: S { if k == 0 { k = 1; f[i] = true; } }",
            "for i: S { o[to[i]]! = 1; }",
            "for i: S { last = i; }",
            "for i: S { last = any; }",
            "for i: S where last == none { last = i; }",
        ],
    );
}

#[test]
fn adding_and_removing() {
    all(
        true,
        &[
            "for i: S where f[i] { s.add(to[i]); }",
            "for i: S { s = s | {i, to[i]}; s.add(x); }",
            "for i: S { s.remove(i); s = s \\ {to[i]}; }",
            "for i in b { ss[to[i]].add(i); }",
            "for i: S where f[i] { b.add(i); }",
            "for i in s { b.remove(i); }",
            "for i in s { s.remove(i); }",
        ],
    );
    all(
        false,
        &[
            "for i: S { s.add(i); s.remove(to[i]); }",
            "for i: S { s = s | {i}; s = s \\ {to[i]}; }",
            "for i: S { s = s & {i}; }",
            "for i: S { s = {i} | s; }",
            "for i: S { s = ss[i] | {i}; }",
            "for i: S { s = ss[i] \\ {i}; }",
            "for i: S { s.clear(); s.add(i); }",
            "for i: S { s.add(if s.empty() { i } else { x }); }",
            "for i: S where s.empty() { s.add(i); }",
            "for i: S { if !b.full() { b.add(i); } }",
            "for i: S { ss[to[i]] = ss[i] | {i}; }",
            "for i: S { q.push(i); }",
            "for i: S { q.clear(); q.push(x); }",
            "for i: S { if !q.empty() { q.pop(); } }",
        ],
    );
}

#[test]
fn sums() {
    all(
        true,
        &[
            "for i: S { k = k + 1; }",
            "for i: S { k = k + g[i]; k = k + k2; }",
            "for i: S { k = k - g[i]; k = k - 1; }",
            "for i: S { if f[i] { z = z + 1; } else { z = z - -1; } }",
            "for i: S { z = z - 2; z = z + -1; }",
            "for i: S { n[g[i]] = n[g[i]] + 1; }",
            "for i in b { k = k + ss[i].size(); k = k + (count j: S { h[i, j] }); }",
            "for i: S { k = k + (if f[i] { g[i] } else { 0 }); }",
            "for i: S { let v: 0..3 = g[i]; k = k + v; }",
            "for i: S { r.n = r.n + g[i]; r.n = r.n + 1; }",
            "for i: S { k = k + r.m; }",
            "var t: 0..9 = 0; for i: S { t = t + g[i]; } k = t;",
            "for i: S { var t: 0..9 = 0; t = g[i]; t = t * 2; k = k + t; }",
        ],
    );
    all(
        false,
        &[
            "for i: S { if f[i] { k = k + 1; } else { k = k - 1; } }",
            "for i: S { z = z + w[i]; }",
            "for i: S { z = z - w[i]; }",
            "for i: S { if f[i] { z = z - 1; } else { z = z - -1; } }",
            "for i: S { k = k + (if f[i] { 1 } else { -1 }); }",
            "for i: S { k = k + (if f[i] { -1 } else { 1 }); }",
            "for i: S { z = z + (if f[i] { w[i] } else { 1 }); }",
            "for i: S { k = k2 + 1; k2 = k; }",
            "for i: S { k = g[i] + 1; }",
            "for i: S { if f[i] { k = k2 + 1; } k2 = k2 + 1; }",
            "for i: S { F[to[i]].num = F[i].num + 1; }",
            "var a: 0..9 = 0; var c: 0..9 = 0; for i: S { if f[i] { a = c + 1; } c = c + 1; } k = a;",
            "for i: S { k = 1 + k; }",
            "for i: S { k = k + k; }",
            "for i: S { k = k * 2; k = k + 1; }",
            "for i: S { g[i] = g[to[i]] + 1; }",
            "for i: S { g[to[i]] = g[i] + 1; }",
            "for i: S { n[0] = n[1] + 1; n[1] = n[0] + 1; }",
            "for i: S { n[n[g[i]]] = n[n[g[i]]] + 1; }",
            "for i: S { r.n = r.m + 1; r.m = r.n + 1; }",
            "for i: S { k = k + 1; f[i] = k == 2; }",
            "for i: S { if k < 2 { k = k + 1; } }",
            "for i: S { k = k + 1; k = 3; }",
            "var t: S? = none; for i: S { t = i; } last = t;",
            "for i: S { let v: -3..3 = w[i]; z = z + v; }",
        ],
    );
}

#[test]
fn loops_in_loops() {
    all(
        true,
        &[
            "for i: S { for j: S { h[i, j] = true; } }",
            "for i: S { for j in ss[i] { h[i, j] = !h[i, j]; } }",
            "for i in q { for j: S { h[i, j] = true; } last = i; }",
        ],
    );
    all(
        false,
        &[
            "for i: S { for j: S { f[j] = !f[j]; f[i] = true; } }",
            "for i: S { for j: S { last = j; } }",
            "for i: S { for j in q { last = j; } last = i; }",
            "for i: S { for j in s { s.remove(i); f[j] = true; } }",
        ],
    );
}

#[test]
fn what_a_function_finds_in_a_union() {
    all(
        true,
        &[
            "for i: S { f[as_s(i)!] = !f[as_s(i)!]; }",
            "for i: S { f[as_s2(i)!] = !f[as_s2(i)!]; }",
            "for i: S { flip_s(i); }",
            "for i: U { if i is S { flip_s(i); } }",
            "for i: S { f[(match last { none => none, some(_) => as_s(i) })!] = !f[i]; }",
            "for i: S { f[(if d { none } else { as_s(i) })!] = !f[i]; }",
        ],
    );
    all(
        false,
        &[
            // `none` is an index, too.
            "for i: U { os[as_s(i)] = !os[as_s(i)]; }",
            "for i: S { f[either(i)!] = !f[either(i)!]; }",
            "for i: S { f[as_s(to[i])!] = !f[as_s(to[i])!]; }",
            "for i: S { f[(if d { as_s(i) } else { last })!] = !f[i]; }",
        ],
    );
}
