//! The checker is total: no text makes it panic, and a text with a syntax error gives no model.

use crate::syntax_fuzz::config;
use burnside_lang::check::{check, dump};
use burnside_lang::syntax::{MAX_DEPTH, parse};
use proptest::prelude::*;
use std::path::Path;

const WORDS: &[&str] = &[
    "const",
    "type",
    "symmetric",
    "ring",
    "enum",
    "record",
    "var",
    "process",
    "fair",
    "strong",
    "rule",
    "at",
    "when",
    "init",
    "proc",
    "inout",
    "fn",
    "let",
    "if",
    "else",
    "for",
    "in",
    "where",
    "any",
    "assert",
    "assume",
    "goto",
    "locations",
    "forall",
    "exists",
    "count",
    "sum",
    "min",
    "max",
    "true",
    "false",
    "none",
    "bool",
    "int",
    "array",
    "set",
    "queue",
    "bag",
    "of",
    "invariant",
    "reachable",
    "deadlock",
    "free",
    "allowed",
    "ltl",
    "ctl",
    "never",
    "hint",
    "check",
    "expect",
    "holds",
    "violated",
    "unknown",
    "states",
    "fairness",
    "max_states",
    "enabled",
    "subset",
    "N",
    "S",
    "R",
    "E",
    "P",
    "Q",
    "x",
    "y",
    "c",
    "i",
    "red",
    "green",
    "phase",
    "f",
    "g",
    "_",
    "pc",
    "A",
    "wait",
    "0",
    "1",
    "7",
    "..",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "=",
    "==",
    "!=",
    "<",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "->",
    "<->",
    "!",
    "?",
    "@",
    "#",
    ".",
    "|",
    "\\",
    "&",
    "=>",
    "G",
    "F",
    "X",
    "U",
    "AG",
    "EF",
    "E[",
    "size",
    "push",
    "add",
    "ord",
    "next",
    "abs",
];

/// What may stand in a `check` block, in right and in wrong combinations.
const KEYS: &[&str] = &[
    "N",
    "B",
    "K",
    "p",
    "deadlock",
    "faults",
    "states",
    "transitions",
    "orbits",
    "max_states",
    "fairness",
    "deadlock_paths",
    "x",
    "nothing",
];
const VALUES: &[&str] = &[
    "0", "1", "7", "-1", "true", "false", "holds", "violated", "unknown", "none", "model", "maximal", "odd",
];

const PRELUDE: &str = "const N = 2; symmetric S[N]; ring R[3]; enum E { red, green } record M { a: S, b: 0..3? }
var x: array[S] of 0..7; var y: M?; var q: queue[2] of M; var s: set of S; fn f(a: int): int = a + N;
process P[c: S] { var phase: E; locations here, wait; rule go(i: R) at here { goto wait; } rule back at wait { phase = red; goto here; } }
process Q { var z: bag[2] of E; rule work when z.size() < 2 { z.add(green); } }
";

/// Texts that parse without an error most of the time: declarations around random expressions.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "N",
        "true",
        "none",
        "red",
        "{}",
        "[]",
        "x",
        "y",
        "q",
        "s",
        "_",
        "c",
        "phase",
        "S#0",
        "S#9",
        "R#(N)",
        "z",
        "P",
        "i",
        "9223372036854775807",
        "pc",
        "here",
    ]);
    leaf.prop_map(String::from).prop_recursive(5, 40, 3, |inner| {
        let op = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "->", "<->", "in", "subset", "|",
            "&", "\\",
        ]);
        let call = prop::sample::select(vec!["f", "abs", "ord", "next", "prev", "M", "E", "P", "g"]);
        let method = prop::sample::select(vec![
            "size", "front", "back", "count", "full", "empty", "majority", "push", "a",
        ]);
        let field = prop::sample::select(vec!["a", "b", "red", "phase", "z", "pc", "nothing"]);
        let quantifier = prop::sample::select(vec!["forall", "exists", "count", "sum", "min", "max"]);
        let domain =
            prop::sample::select(vec!["i: S", "i: 0..3", "i: E", "i in s", "i in q", "i: M", "i, j: R"]);
        prop_oneof![
            (inner.clone(), op, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (call, inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            (inner.clone(), method, inner.clone(), any::<bool>()).prop_map(|(a, m, b, arg)| if arg {
                format!("{a}.{m}({b})")
            } else {
                format!("{a}.{m}()")
            }),
            (inner.clone(), field).prop_map(|(a, f)| format!("{a}.{f}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("(if {a} {{ {b} }} else {{ {c} }})")),
            (
                inner.clone(),
                inner.clone(),
                inner.clone(),
                prop::sample::select(vec!["_", "red", "none", "true | false", "some(w)", "E.red"])
            )
                .prop_map(|(a, b, c, case)| format!(
                    "(match ({a}) {{ {case} => {b}, some(v) => {{ {c} }} _ => {c} }})"
                )),
            (quantifier, domain.clone(), inner.clone()).prop_map(|(q, d, a)| format!("({q} {d} {{ {a} }})")),
            (domain.clone(), inner.clone()).prop_map(|(d, a)| format!("[{d} => {a}]")),
            (domain, inner.clone()).prop_map(|(d, a)| format!("{{{d} where {a}}}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{a}, {b}}}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}]")),
            inner.clone().prop_map(|a| format!("{a}!")),
            inner.clone().prop_map(|a| format!("!{a}")),
            inner.clone().prop_map(|a| format!("S#({a})")),
            inner.clone().prop_map(|a| format!("P[{a}]@wait")),
            inner.prop_map(|a| format!("enabled({a})")),
        ]
    })
}

fn run(source: &str) {
    let parsed = parse(source);
    let checked = check(&parsed.file, &[("N".into(), "3".into())]);
    let wrong = checked.diagnostics.iter().any(|d| d.is_error()) || !checked.setting_errors.is_empty();
    if parsed.diagnostics.is_empty() {
        assert_eq!(checked.model.is_none(), wrong, "{source}");
    }
    let starts: Vec<u32> = checked.diagnostics.iter().map(|d| d.primary.span.start).collect();
    assert!(starts.is_sorted(), "not in the order of the text: {source}");
    let again = check(&parsed.file, &[("N".into(), "3".into())]);
    assert_eq!(checked.diagnostics, again.diagnostics);
    if let Some(model) = checked.model {
        assert!(!dump(&model).is_empty());
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn survives_any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        run(&words.join(" "));
        run(&format!("{PRELUDE}{}", words.join(" ")));
    }

    #[test]
    fn survives_any_expression(a in expression(), b in expression()) {
        for source in [
            format!("{PRELUDE} invariant p = {a}; ltl t = G ({b}); ctl u = AG {a};"),
            format!("{PRELUDE} process T {{ rule r when {a} {{ x[S#0] = {b}; let v = {b}; var w: M? = {a}; }} }}"),
            format!("{PRELUDE} var t: array[S, E] of 0..3? = {a}; fn h(c: S): set of S = {b};"),
            format!("{PRELUDE} const K = {a}; type T = 0..{b}; var t: T;"),
        ] {
            run(&source);
        }
    }

    #[test]
    fn survives_any_check_block(entries in prop::collection::vec((prop::sample::select(KEYS), prop::sample::select(VALUES)), 0..6)) {
        let entries: String = entries.iter().map(|(key, value)| format!("{key} = {value}; ")).collect();
        run(&format!("{PRELUDE} const B = true; const K: 0..4 = 1; invariant p = B || K == N expect holds; check {{ {entries}}} check {{ {entries} N = 1; }}"));
    }

    #[test]
    fn survives_examples_with_words_changed(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
                                            word in prop::sample::select(WORDS)) {
        let examples = examples();
        let source = &examples[which.index(examples.len())];
        let starts: Vec<usize> = source.char_indices().filter(|(_, c)| *c == ' ').map(|(i, _)| i + 1).collect();
        let start = starts[at.index(starts.len())];
        let end = source[start..].find([' ', '\n']).map_or(source.len(), |n| start + n);
        run(&format!("{}{word}{}", &source[..start], &source[end..]));
    }
}

fn examples() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "orb"));
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn survives_deep_text() {
    let depth = MAX_DEPTH as usize;
    for n in [depth / 2, depth - 5, depth + 5] {
        let tick = "var t: bool; process P { rule r { t = !t; } }";
        run(&format!("{tick} invariant p = {}true{};", "(".repeat(n), ")".repeat(n)));
        run(&format!("{tick} invariant p = {}true;", "!".repeat(n)));
        run(&format!("{tick} invariant p = true{};", " && t".repeat(n)));
        run(&format!("{tick} const A = 1{};", " + 1".repeat(n)));
        run(&format!("{tick} invariant p = {}t{};", "forall a: bool { ".repeat(n), " }".repeat(n)));
        run(&format!("{tick} ltl p = {}t;", "X ".repeat(n)));
        run(&format!(
            "{tick} process Q {{ rule r {{ {} t = true; {} }} }}",
            "if t { ".repeat(n),
            "}".repeat(n)
        ));
        run(&format!("{tick} var u: {}bool;", "array[bool] of ".repeat(n)));
    }
}

/// The trees that come of long chains are not deep, wherever they stand.
#[test]
fn survives_many_operands() {
    let head = "type T = 0..9; ring R[3]; var t: bool; var s: set of T; var n: T; var r: R = any;
        process P { rule r { t = !t; } }";
    let many = |op: &str, operand: &str| vec![operand; 2_000].join(op);
    for text in [
        format!("invariant p = {};", many(" && ", "t")),
        format!("invariant p = {};", many(" || ", "!t")),
        format!("invariant p = {};", many(" <-> ", "t")),
        format!("ltl p = {};", many(" || ", "(t' == t)")),
        format!("const A = {}; invariant p = t || A == 2000;", many(" + ", "1")),
        format!("invariant p = {} < 50000;", many(" + ", "n")),
        format!("invariant p = {} < 50000;", many(" - ", "n")),
        format!("invariant p = {} < 50000;", many(" * ", "n")),
        format!("invariant p = r == r{};", " + 1".repeat(2_000)),
        format!("invariant p = s == {};", many(" | ", "{n}")),
        format!("invariant p = s == {};", many(" \\ ", "s")),
        format!("invariant p = s == {};", many(" & ", "s")),
        format!("ltl p = {};", many(" && ", "(G F t)")),
        format!("ctl p = {};", many(" || ", "(AG EF t)")),
        format!("process Q {{ rule r when {} {{ t = true; }} }}", many(" && ", "t")),
        format!("fn f(): int = {}; invariant p = f() >= 0;", many(" + ", "n")),
    ] {
        let source = format!("{head} {text}");
        let checked = check(&parse(&source).file, &[]);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", &text[..60]);
        let system = burnside_lang::lower::lower(&checked.model.unwrap(), &source);
        assert!(!system.rules.is_empty());
    }
}

#[test]
fn survives_long_chains() {
    let tick = "var t: bool; process P { rule r { t = !t; } }";
    let constants: String = (0..5000).map(|i| format!("const a{i} = a{} + 1;\n", i + 1)).collect();
    run(&format!("{tick} {constants} const a5000 = 0; invariant p = a0 == 5000;"));
    run(&format!("{tick} {constants} const a5000 = a0;"));
    let types: String = (0..5000).map(|i| format!("type T{i} = T{};\n", i + 1)).collect();
    run(&format!("{tick} {types} type T5000 = bool; var u: T0;"));
    run(&format!("{tick} {types} type T5000 = T0;"));
    let functions: String = (0..5000).map(|i| format!("fn f{i}(x: int): int = f{}(x);\n", i + 1)).collect();
    run(&format!("{tick} {functions} fn f5000(x: int): int = x; invariant p = f0(1) == 1;"));
    run(&format!("{tick} {functions} fn f5000(x: int): int = f0(x);"));
    let (open, close) = ("(".repeat(150), ")".repeat(150));
    let deep: String = (0..100).map(|i| format!("const a{i} = {open}a{}{close};\n", (i + 1) % 100)).collect();
    run(&format!("{tick} {deep}"));
    let deep: String =
        (0..100).map(|i| format!("fn f{i}(): int = {open}f{}(){close};\n", (i + 1) % 100)).collect();
    run(&format!("{tick} {deep}"));
    let queues = "queue[1] of ".repeat(150);
    let deep: String = (0..100).map(|i| format!("type T{i} = {queues}T{};\n", (i + 1) % 100)).collect();
    run(&format!("{tick} {deep}"));
}
