//! Loops whose result does not depend on the order of their values keep the symmetry, and only those: pairs
//! of statements from a pool, in loops of several kinds, from all states that they can see.
//!
//! What the language takes for free is compared with what happens: the steps of a state that is moved are the
//! moved steps of the state. Most pairs depend on the order, so a mistake in the rules is seen.

use burnside_testkit::cases::{are_all, parts};
use burnside_testkit::compare::load;
use burnside_testkit::equivariance;
use burnside_ts::System;
use std::collections::BTreeSet;

/// Variables with their types and what gives them all their values.
const VARS: [(&str, &str, &str); 17] = [
    ("f", "array[S] of bool", "f = any;"),
    ("u", "array[U] of bool", "u = any;"),
    ("to", "array[S] of S = any", ""),
    ("g", "array[S] of 0..2", "g = any;"),
    ("w", "array[S] of -1..1", "w = any;"),
    ("n", "array[0..2] of 0..2", "n = any;"),
    ("h", "array[S, S] of bool", "h = any;"),
    ("p", "array[P] of bool", "p = any;"),
    ("s", "set of S", "s = any;"),
    ("o", "array[S] of 0..1?", "o = any;"),
    ("k", "0..3", "k = any;"),
    ("z", "-2..2", "z = any;"),
    ("d", "bool", "d = any;"),
    ("last", "S?", "last = any;"),
    ("b", "bag[2] of S", "let x: S = any; let y: S = any; b.add(x); b.add(y);"),
    ("c", "bag[3] of S", ""),
    ("q", "queue[2] of S", ""),
];

const REST: &str = "symmetric S[2]; enum H { home, away } type U = H | S; record P { x: S, y: S }
enum M { one(a: S), two(b: S, c: bool), end }
proc flip(a: S) { f[a] = !f[a]; }
proc more(inout a: 0..2) { if a < 2 { a = a + 1; } }
proc look(v: U) { match v { S(a) => { f[a] = !f[a]; } H(e) => { assert e == home; } } }
fn some_f(): bool = exists j: S { f[j] };
fn keep(a: S): S = if some_f() { a } else { to[a] };
fn part(v: U): S? = match v { S(a) => a, _ => none };
fn either(a: S): S? = if d { a } else { last };
";

/// What is done with `i`.
const POOL: [&str; 74] = [
    "f[i] = !f[i];",
    "f[i] = true;",
    "f[i] = false;",
    "f[i] = any;",
    "f[to[i]] = true;",
    "f[to[i]] = false;",
    "f[to[i]] = !f[i];",
    "f[i] = some_f();",
    "flip(i);",
    "flip(to[i]);",
    "look(i);",
    "assert f[i];",
    "let j = i; f[j] = !f[j];",
    "f[part(i)!] = !f[part(i)!];",
    "f[part(to[i])!] = !f[i];",
    "f[(if d { none } else { part(i) })!] = !f[i];",
    "f[either(i)!] = !f[i];",
    "var j: S = i; j = to[i]; f[j] = true; f[i] = false;",
    "var j: bool = f[i]; j = !j; f[i] = j;",
    "if f[i] { d = true; }",
    "d = !d;",
    "d = f[i];",
    "if !d { d = true; f[i] = true; }",
    "s.add(i);",
    "s.remove(i);",
    "s = s | {to[i]};",
    "s = {i} | s;",
    "s = s \\ {to[i]};",
    "s = s & {i};",
    "s.clear();",
    "if i in s { f[i] = true; }",
    "if s.empty() { s.add(i); }",
    "s.add(if s.empty() { i } else { to[i] });",
    "c.add(to[i]);",
    "c.remove(i);",
    "k = k + 1;",
    "k = k + g[i];",
    "k = k - g[i];",
    "k = g[i] + 1;",
    "k = k + s.size();",
    "k = k / 2;",
    "z = z + w[i];",
    "z = z - 1;",
    "z = z - -1;",
    "z = z + (if f[i] { 1 } else { 0 });",
    "z = z + (if f[i] { 1 } else { -1 });",
    "more(g[i]);",
    "more(g[to[i]]);",
    "g[i] = g[to[i]];",
    "g[to[i]] = g[to[i]] + 1;",
    "g[i] = g[to[i]] + 1;",
    "n[g[i]] = n[g[i]] + 1;",
    "n[n[g[i]]] = 1;",
    "n[g[i]] = 0;",
    "last = i;",
    "last = none;",
    "if last == none { last = i; }",
    "h[i, to[i]] = true;",
    "h[to[i], i] = false;",
    "p[P(i, to[i])] = true;",
    "p[P(to[i], i)] = false;",
    "u[i] = !u[i];",
    "u[i] = u[home];",
    "if f[i] { u[home] = true; }",
    "to[i] = keep(i);",
    "to[i] = any;",
    "to[to[i]] = i;",
    "last = any;",
    "q.push(i);",
    "if !q.full() { q.push(to[i]); }",
    "if !q.empty() { q.pop(); }",
    "o[i] = none;",
    "if o[i] != none { o[i]! = 1 - o[i]!; }",
    "o[to[i]]! = 0;",
];

/// Where it is done: the loop with `…` for the statements.
const LOOPS: [&str; 8] = [
    "for i: S { … }",
    "for i in b { … }",
    "for i: S where f[i] { … }",
    "for v: U { match v { S(i) => { … } H(_) => {} } }",
    "for v: U { look(v); match v { S(i) => { … } H(_) => {} } }",
    "for v: M { match v { one(i) => { … } two(i, _) => { … } end => {} } }",
    "for x: S, i in b where x != i { … }",
    "for x: S { for i in {x} { … } }",
];

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect()
}

/// A model whose only step is the loop.
fn model(frame: &str, body: &str) -> String {
    let text = frame.replace('…', body);
    let said = words(&text);
    let by_call: [(&str, &[&str]); 3] =
        [("f", &["flip", "look", "some_f", "keep"]), ("d", &["either"]), ("last", &["either"])];
    let needed = |name: &str| {
        let called =
            by_call.iter().any(|(var, calls)| *var == name && calls.iter().any(|it| said.contains(it)));
        said.contains(name) || called
    };
    let mut vars = String::from("var turn: bool; ");
    let mut init = String::new();
    for (name, ty, any) in VARS {
        if needed(name) {
            init += any;
            init += " ";
        }
        if needed(name) || ["f", "to", "d", "last"].contains(&name) {
            vars += &format!("var {name}: {ty}; ");
        }
    }
    format!(
        "{REST}{vars}\ninit {{ {init}}}\nprocess P1 {{ rule r when !turn {{ turn = true; {text} }} }}\ndeadlock allowed;\n"
    )
}

/// Whether the elements of the type that the loops go through are interchangeable.
fn moves_members(system: &System) -> bool {
    let sort = system.types.sorts().find(|(_, sort)| sort.name == "S").expect("it is declared").0;
    system.symmetry.moves(sort)
}

#[test]
fn free_loops_move_with_the_group() {
    // All pairs that share a variable, each in one kind of loop, and every statement in all of them.
    let mut cases: Vec<String> = Vec::new();
    let said: Vec<BTreeSet<&str>> = POOL.iter().map(|text| words(text)).collect();
    let names: BTreeSet<&str> = VARS.iter().map(|var| var.0).filter(|name| *name != "to").collect();
    for (i, first) in POOL.iter().enumerate() {
        cases.extend(LOOPS.iter().map(|frame| model(frame, first)));
        for (j, second) in POOL.iter().enumerate() {
            let common = said[i].intersection(&said[j]).any(|word| names.contains(word));
            if i != j && common {
                let both = format!("if true {{ {first} }} {second}");
                cases.push(model(LOOPS[(i * 7 + j * 3) % LOOPS.len()], &both));
            }
        }
    }
    let (mut free, mut all) = (0, 0);
    for case in parts(cases.len()) {
        let text = &cases[case];
        let model = load(text, &[]).unwrap_or_else(|error| panic!("case {case}: {error}\n{text}"));
        equivariance::check(&model.system, 4_000).unwrap_or_else(|e| panic!("case {case}: {e}\n{text}"));
        all += 1;
        // The constants of an enum may be interchangeable as well, whatever the loop does.
        free += u64::from(moves_members(&model.system));
    }
    println!("{free} of {all} loops keep the symmetry");
    if are_all() {
        assert!(free * 5 > all && free * 2 < all, "{free} of {all}");
    }
}
