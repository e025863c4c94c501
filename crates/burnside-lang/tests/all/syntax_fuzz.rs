//! Random texts: the parser and the formatter never panic, and whatever parses can be formatted without harm.

use crate::syntax_support;

use burnside_lang::syntax::token::TEXTS;
use burnside_lang::syntax::{Mode, format, parse, parse_expression};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use syntax_support::formatted;

/// Parses in all ways; formats what has no errors, and checks the result.
fn check(source: &str) {
    for mode in [Mode::Plain, Mode::Ltl, Mode::Ctl] {
        let _ = parse_expression(source, mode);
    }
    let parsed = parse(source);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end as usize <= source.len(), "{diagnostic:?}");
        assert!(source.is_char_boundary(span.start as usize) && source.is_char_boundary(span.end as usize));
    }
    if parsed.diagnostics.is_empty() {
        formatted(source);
    } else {
        assert!(format(source).is_err());
    }
}

const EXTRA: &[&str] = &[
    "holds",
    "a",
    "b",
    "x",
    "T",
    "P",
    "_",
    "0",
    "1",
    "42",
    "\"s\"",
    "// c\n",
    "/* c */",
    "\n",
    "\n\n",
    "X",
    "F",
    "G",
    "U",
    "R",
    "W",
    "M",
    "A",
    "E",
    "AG",
    "EF",
    "and",
    "not",
    "§",
    "'",
    "\"",
    "/*",
    "é",
    "99999999999999999999",
    "[*]",
    "[+]",
    "[*2..3]",
];

fn word() -> impl Strategy<Value = &'static str> {
    prop_oneof![proptest::sample::select(TEXTS), proptest::sample::select(EXTRA)]
}

/// Pieces of valid text, by what they are. `{e}`, `{s}`, `{t}`, `{m}`, `{f}`, `{q}` are filled in.
const ITEMS: &[&str] = &[
    "const A = {e};",
    "const A: {t} = {e};",
    "type T = {t};",
    "symmetric S[{e}];",
    "ring S[{e}];",
    "enum E { a, b }",
    "enum E { a, b, }",
    "record R { x, y: {t}, z: {t} }",
    "var x: {t};",
    "var x: {t} = {e};",
    "var x: {t} = any in {e};",
    "fn f(a: {t}, b: {t}): {t} = {e};",
    "fn f(): {t} { let x = {e}; {e} }",
    "init { {s} {s} }",
    "init {\n{s} }",
    "process P { {m} {m} {m} }",
    "fair process P[i: {t}, j] { {m} }",
    "invariant p = {e};",
    "reachable p = {e};",
    "ltl p = {f};",
    "ctl p = {c};",
    "never n { {q}; {q} }",
    "never n { {q} }",
    "deadlock free;",
    "deadlock allowed;",
    "deadlock free expect violated;",
    "ltl p = {f} expect holds;",
    "invariant p = {e}\n  expect unknown;",
    "never n { {q} } expect violated;",
    "const N: 1..8;",
    "const N;",
    "constraint {e};",
    "fair { P.a, Q[_, k].b({e}) }",
    "strong fair changing s(k, l: {t}) { {e} }",
    "check { }",
    "check { N = 2; states = 30; p = violated; }",
    "check {\nN = -1; // c\n b = true; fairness = none; deadlock = holds; }",
];
const MEMBERS: &[&str] = &[
    "var x: {t} = any;",
    "locations a, b;",
    "at a, b { rule r { {s} } fair rule q {} }",
    "rule r { {s} {s} }",
    "strong fair rule r(a, b: {t}, m in ({e}),) at a when ({e}) {\n{s} }",
    "rule r when ({e}) { {s} }",
    "rule r(a: {t}) priority ({e}) at a when ({e}) { {s} }",
    "fair changing rule r priority -1 { {s} }",
    "fair { a, b(_, {e}) }",
    "strong fair s(k: {t}) { {e}, {e}, }",
];
const STATEMENTS: &[&str] = &[
    "x = {e};",
    "x[{e}].f! = any;",
    "x = any in {e};",
    "let y = {e};",
    "let y: {t} = any;",
    "var z: {t} = {e};",
    "if ({e}) { {s} }",
    "if ({e}) { {s} } else { }",
    "if ({e}) { {s} } else if ({e}) { {s} } else {\n{s} }",
    "for i: {t} where {e} { {s} }",
    "for a in ({e}), b: {t} { {s} {s} }",
    "assert {e}, \"m\";",
    "assert {e};",
    "assume {e};",
    "goto l;",
    "q.push({e}, {e});",
];
const TYPES: &[&str] = &[
    "bool",
    "int",
    "0..({e})",
    "T",
    "T?",
    "array[{t}, {t}] of {t}",
    "set of {t}",
    "queue[{e}] of {t}",
    "bag[3] of {t}",
];
const EXPRESSIONS: &[&str] = &[
    "a",
    "1",
    "true",
    "none",
    "({e})",
    "{e} && {e}",
    "{e} || {e}",
    "{e} -> {e}",
    "(({e}) == ({e}))",
    "{e} + {e}",
    "{e} * {e}",
    "!{e}",
    "-{e}",
    "x[{e}, {e}]",
    "x.f",
    "x!",
    "S#(({e}))",
    "S#0",
    "P[{e}]@l",
    "@l",
    "f({e}, {e})",
    "min({e}, {e})",
    "Rec(x: {e}, y: {e})",
    "x.m({e})",
    "if ({e}) { {e} } else { {e} }",
    "if ({e}) { let y: {t} = {e}; {e} } else if ({e}) { a } else { b }",
    "forall a, b: {t}, m in x where {e} { {e} }",
    "count i: {t} { {e} }",
    "[{e}, {e},]",
    "[i: {t} => {e}]",
    "{}",
    "{{e}, {e}}",
    "{i: {t} where {e}}",
    "{i in x where {e}}",
    "enabled(P[{e}].r({e}))",
    "a /* c */",
    "a // c\n",
    "\n// c\n\n a",
    "(({e}) in ({e}) | ({e}))",
    "a_rather_long_name_that_pushes_lines_over_the_edge",
];
const FORMULAS: &[&str] = &[
    "{e}",
    "G {f}",
    "F {f}",
    "X {f}",
    "[] {f}",
    "<> {f}",
    "({f} U {f})",
    "({f}) W ({f})",
    "!{f}",
    "({f}) && {f}",
    "({f} -> {f})",
    "forall i: {t} { {f} }",
];
const BRANCHING: &[&str] = &[
    "{e}",
    "AG {c}",
    "EF {c}",
    "A[{c} U {c}]",
    "E[{c} R {c}]",
    "!{c}",
    "({c}) && {c}",
    "({c} -> {c})",
    "forall i: {t} { {c} }",
];
const SEQUENCES: &[&str] =
    &["a", "({e})", "({e})[*]", "(a)[+]", "{ {q}; {q} }[*2..3]", "{ {q} } | { {q}; }", "({e})[*3]"];

/// Fills in the holes of a template, with fewer choices the deeper it gets.
fn fill(template: &str, depth: usize, random: &mut impl FnMut(usize) -> usize) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let hole = rest.get(at + 1..at + 3).filter(|hole| hole.ends_with('}'));
        let choices = match hole.map(|hole| &hole[..1]) {
            Some("e") => EXPRESSIONS,
            Some("s") => STATEMENTS,
            Some("t") => TYPES,
            Some("m") => MEMBERS,
            Some("f") => FORMULAS,
            Some("c") => BRANCHING,
            Some("q") => SEQUENCES,
            _ => {
                out.push('{');
                rest = &rest[at + 1..];
                continue;
            }
        };
        let count = if depth == 0 { 1 } else { choices.len() };
        out.push_str(&fill(choices[random(count)], depth.saturating_sub(1), random));
        rest = &rest[at + 3..];
    }
    out + rest
}

/// A text that is valid by construction, from a list of numbers.
fn model(numbers: &[u16]) -> String {
    let mut next = numbers.iter().cycle();
    let mut random = move |count: usize| *next.next().unwrap_or(&0) as usize % count;
    (0..1 + numbers.len() / 20).map(|_| fill(ITEMS[random(ITEMS.len())], 4, &mut random) + " ").collect()
}

/// Changes a text: leaves out, doubles or replaces some of its characters' ranges.
fn mutate(source: &str, changes: &[(u16, u8, &str)]) -> String {
    let mut chars: Vec<char> = source.chars().collect();
    for (place, length, word) in changes {
        let at = *place as usize % (chars.len() + 1);
        let end = (at + *length as usize % 4).min(chars.len());
        chars.splice(at..end, word.chars());
    }
    chars.into_iter().collect()
}

/// The same cases on every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for others.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_tokens(words in proptest::collection::vec(word(), 0..80), glue in any::<bool>()) {
        check(&words.join(if glue { "" } else { " " }));
    }

    #[test]
    fn valid_models(numbers in proptest::collection::vec(any::<u16>(), 1..120)) {
        let source = model(&numbers);
        let parsed = parse(&source);
        prop_assert!(parsed.diagnostics.is_empty(), "{source}\n{:?}", parsed.diagnostics);
        formatted(&source);
    }

    #[test]
    fn mutated_models(
        numbers in proptest::collection::vec(any::<u16>(), 1..60),
        changes in proptest::collection::vec((any::<u16>(), any::<u8>(), word()), 1..4),
    ) {
        check(&mutate(&model(&numbers), &changes));
    }
}
