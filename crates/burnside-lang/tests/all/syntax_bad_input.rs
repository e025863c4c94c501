//! Texts that are meant to break the parser: very long, very deep, cut off, not text at all. All of them must
//! come back quickly, with few messages, and with trees that a recursive walk survives on a small stack.

use crate::syntax_support;

use burnside_lang::syntax::{MAX_DEPTH, Parsed, format, parse, sexpr};
use std::time::{Duration, Instant};
use syntax_support::errors;

const MANY: usize = 100_000;

/// Parses, and walks the tree in all ways there are; on the stack that threads have by default.
fn survive(source: &str) -> Parsed {
    let start = Instant::now();
    let parsed = parse(source);
    let _ = sexpr(&parsed.file);
    assert_eq!(parsed.file.clone(), parsed.file);
    let _ = format!("{:?}", parsed.file);
    let _ = format(source);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    parsed
}

/// The codes of the errors of a source.
fn codes(source: &str) -> Vec<&'static str> {
    survive(source).diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect()
}

/// The codes of the errors of a very long source, which is only parsed.
fn quick_codes(source: &str) -> Vec<&'static str> {
    parse(source).diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect()
}

/// `open` many times, `middle`, `close` many times: one error, about the depth.
fn too_deep(head: &str, open: &str, middle: &str, close: &str) {
    let source = format!("{head}{}{middle}{}", open.repeat(MANY), close.repeat(MANY));
    assert_eq!(codes(&source), ["nesting-too-deep"], "{head}{open}{middle}{close}");
}

#[test]
fn deep_expressions() {
    let head = "invariant p = ";
    too_deep(head, "(", "a", ")");
    too_deep(head, "[", "a", "]");
    too_deep(head, "{", "a", "}");
    too_deep(head, "!", "a", "");
    too_deep(head, "-", "a", "");
    too_deep(head, "f(", "a", ")");
    too_deep(head, "a[", "a", "]");
    too_deep(head, "a -> ", "a", "");
    too_deep(head, "if a { ", "a", " } else { a }");
    too_deep(head, "if a { a } else ", "{ a }", "");
    too_deep(head, "forall i: T { ", "a", " }");
    too_deep(head, "forall i: 0..", "a", " { a }");
    too_deep(head, "", "a", "!");
    too_deep(head, "", "a", ".f");
    too_deep(head, "", "a", "[0]");
    too_deep(head, "((a) + !-[{a: 0..", "a", "");
    too_deep("invariant p = forall a: T { ", "let x = 1; ", "a };", "");
}

#[test]
fn deep_formulas() {
    too_deep("ltl p = ", "G ", "a;", "");
    too_deep("ltl p = ", "[]", "a;", "");
    too_deep("ltl p = ", "<>", "a;", "");
    too_deep("ltl p = ", "a U ", "a;", "");
    too_deep("ctl p = ", "AG ", "a;", "");
    too_deep("ctl p = ", "A[a U ", "a", "]");
    too_deep("never n { ", "{ ", "a", " }");
    too_deep("never n { a", "[*]", "", "");
}

#[test]
fn deep_statements_and_types() {
    too_deep("init { ", "if a { ", "", "");
    too_deep("init { ", "for i: T { ", "", "");
    too_deep("init { if a { } ", "else if a { } ", "", "}");
    too_deep("init ", "{", "", "}");
    too_deep("var x: ", "set of ", "", "");
    too_deep("var x: ", "array[", "", "");
}

#[test]
fn the_depth_is_that_of_the_tree() {
    let link = format!("({{}}{})", " + a".repeat(50));
    let mut source = String::from("a");
    for _ in 0..10 {
        source = link.replace("{}", &source);
    }
    assert_eq!(codes(&format!("invariant p = {source};")), ["nesting-too-deep"]);
    let most = MAX_DEPTH as usize - 1;
    let mixed: String = [" + a", " * (a)", " - a", " && a"].into_iter().cycle().take(400).collect();
    assert_eq!(codes(&format!("invariant p = a{mixed};")), [""; 0]);
    assert_eq!(codes(&format!("invariant p = {}a{};", "(".repeat(most), ")".repeat(most))), [""; 0]);
    assert_eq!(codes(&format!("invariant p = a{};", " -> a".repeat(most + 1))), ["nesting-too-deep"]);
}

/// The deepest text of a kind that is accepted makes a tree that all walks survive, the formatter included.
#[test]
fn the_deepest_trees_survive() {
    for (head, open, middle, close) in [
        ("invariant p = ", "(", "a", ")"),
        ("invariant p = ", "f(a, ", "a", ")"),
        ("invariant p = ", "[i: T => ", "a", "]"),
        ("invariant p = ", "{i: T where ", "a", "}"),
        ("invariant p = ", "if a { ", "a", " } else { a }"),
        ("invariant p = ", "if a { a } else ", "{ a }", ""),
        ("invariant p = ", "forall i: T where ", "a", " { a }"),
        ("invariant p = ", "!", "a", ""),
        ("invariant p = ", "a -> ", "a", ""),
        ("invariant p = ", "", "a", ".f(1)"),
        ("ltl p = ", "G ", "a", ""),
        ("ctl p = ", "A[a U ", "a", "]"),
        ("never n { ", "{ a; ", "a", " }"),
        ("init { ", "if a { x = 1; ", "x = 1;", " } else { x = 1; }"),
        ("init { ", "if a { } else ", "{ }", ""),
        ("init { ", "for i: T { ", "", " }"),
    ] {
        let text = |n: usize| {
            let end = if head.ends_with("{ ") { " }" } else { ";" };
            format!("{head}{}{middle}{}{end}", open.repeat(n), close.repeat(n))
        };
        let deepest = (1..=MAX_DEPTH as usize).rev().find(|&n| parse(&text(n)).diagnostics.is_empty());
        let deepest = deepest.unwrap_or_else(|| panic!("{}\n{}", text(1), errors(&text(1))));
        assert!(deepest >= 60, "{head}{open}: {deepest}");
        survive(&text(deepest));
        assert!(format(&text(deepest)).is_ok());
    }
}

#[test]
fn long_lists_are_fine() {
    assert_eq!(codes(&format!("const A = [{}];", "1, ".repeat(10_000))), [""; 0]);
    assert_eq!(codes(&format!("const A = f({});", "a, ".repeat(10_000))), [""; 0]);
    assert_eq!(codes(&"const A = 1;\n".repeat(5_000)), [""; 0]);
    assert_eq!(codes(&format!("init {{ {} }}", "x = 1; ".repeat(10_000))), [""; 0]);
    assert_eq!(codes(&format!("enum E {{ {} }}", "a, ".repeat(10_000))), [""; 0]);
    assert_eq!(codes(&format!("never n {{ {{a}}{} }}", " | {a}".repeat(10_000))), [""; 0]);
}

/// However long a chain is, it is not deep; what is inside its operands counts as before.
#[test]
fn long_chains_are_fine() {
    for op in ["+", "-", "*", "&&", "||", "|", "\\", "&", "%"] {
        let source = format!("invariant p = a{};", format!(" {op} a").repeat(20_000));
        survive(&source);
        assert_eq!(codes(&source), [""; 0]);
        let pretty = format(&source).unwrap();
        assert_eq!(format(&pretty).unwrap(), pretty);
        assert_eq!(codes(&format!("invariant p = a{};", " + (a".repeat(300))), ["nesting-too-deep"]);
    }
    for most in [63, 64, 65, 66, 200] {
        let operands: Vec<String> = (0..=most).map(|i| format!("a{i}")).collect();
        let mut tree = operands[0].clone();
        operands[1..].iter().for_each(|operand| tree = format!("(- {tree} {operand})"));
        let found = sexpr(&parse(&format!("invariant p = {};", operands.join(" - "))).file);
        assert!(found.contains(&tree), "{found}");
    }
    let inside = format!("f({})", vec!["a"; 190].join(" || "));
    assert_eq!(codes(&format!("invariant p = {};", vec![inside; 300].join(" && "))), [""; 0]);
}

#[test]
fn many_copies_of_a_type_are_refused() {
    let source = format!("record R {{ {}z: {} }}", "a, ".repeat(400_000), "T".repeat(1_000));
    assert_eq!(codes(&source), ["type-too-large"]);
}

/// Whoever walks through the values of names and indices needs a level for each.
#[test]
fn many_names_at_once_are_refused() {
    let names = |count: usize| vec!["a"; count].join(", ");
    let texts = |names: &str| {
        [
            format!("invariant i = forall {names}: bool {{ true }};"),
            format!("init {{ for {names}: bool {{ }} }}"),
            format!("init {{ x = [{names}: bool => true]; }}"),
            format!("process P {{ rule r({names}: bool) {{ }} }}"),
            format!("process P[{names}] {{ }}"),
            format!("fn f({names}: bool): bool = true;"),
            format!("var x: array[{names}] of bool;"),
        ]
    };
    for text in texts(&names(100)) {
        assert_eq!(quick_codes(&text), [""; 0], "{text}");
    }
    for text in texts(&names(100_000)) {
        assert_eq!(quick_codes(&text), ["too-many-names"], "{:.80}", text);
    }
    let nested = |each: usize| {
        format!(
            "invariant i = {}true{};",
            format!("forall {}: bool {{", names(each)).repeat(3),
            "}".repeat(3)
        )
    };
    assert_eq!(quick_codes(&nested(60)), [""; 0]);
    assert_eq!(quick_codes(&nested(70)), ["nesting-too-deep"]);
}

#[test]
fn long_lines() {
    let length = 10_000_000;
    assert_eq!(quick_codes(&"a".repeat(length)), ["name-too-long", "unexpected-token"]);
    assert_eq!(quick_codes(&"1".repeat(length)).len(), 2);
    assert_eq!(quick_codes(&"§".repeat(length / 2)), ["unexpected-character"]);
    assert_eq!(quick_codes(&" ".repeat(length)), [""; 0]);
    assert_eq!(quick_codes(&format!("//{}", "x".repeat(length))), [""; 0]);
    assert_eq!(quick_codes(&"/*".repeat(length / 2)), ["unterminated-comment"]);
    assert_eq!(quick_codes(&format!("init {{ assert a, \"{}", "x".repeat(length)))[0], "unterminated-string");
    assert_eq!(quick_codes(&"(".repeat(length)), ["unexpected-token"]);
}

#[test]
fn not_text() {
    assert_eq!(errors(""), "");
    let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let text = String::from_utf8_lossy(&bytes);
    assert!(codes(&text).len() <= 51);
    assert!(codes("\0\u{1}\u{2}").len() == 1);
    assert_eq!(codes("\u{feff}"), [""; 0]);
    assert_eq!(codes("var x: bool;\r\nvar y: bool;\r\n"), [""; 0]);
}

#[test]
fn unfinished_everything() {
    let source = "const A: 0..3 = f(1)[2]; enum E { a, b } record R { x: T? } fn f(a: T): U { let b = 1; if a { b } else { c } }
process P[i: I] { var x: bag[2] of T = any; locations l; at l { rule r(a: T, m in s) when forall q: T where q { a } { goto l; } } }
init { if a { x = any in s; } else { q.push(R(x: 1)); } for i: T { assert a, \"b\"; } } /* c */
ltl p = [] a U <> b; ctl q = A[a U b]; never n { {a}[*2..3] | {b}; c }";
    for end in 0..source.len() {
        let parsed = survive(&source[..end]);
        assert!(parsed.diagnostics.len() <= 2, "{}\n{}", &source[..end], errors(&source[..end]));
    }
    for start in 0..source.len() {
        survive(&source[start..]);
    }
}

#[test]
fn too_many_errors() {
    let found = codes(&"const A = ;\n".repeat(1_000));
    assert_eq!(found.len(), 51);
    assert_eq!(found[50], "too-many-errors");
    assert_eq!(codes(&"const A = ;\n".repeat(50)).len(), 50);
    for junk in ["rule a { } ", "process P { ", "§ a ", ")]} ", "= ", "at l { ", "fair "] {
        assert!(codes(&junk.repeat(MANY)).len() <= 51, "{junk}");
    }
}

/// As many errors out as in: one per line that starts with `!`.
#[test]
fn errors_are_independent() {
    let lines = [
        "const A = 1;",
        "!const B = ;",
        "!var x bool;",
        "var y: T;",
        "!type T 3;",
        "!enum E { a b }",
        "!record R { x T }",
        "process P {",
        "  var z: bool;",
        "!  rule a when x = 1 { y = 2; }",
        "!  rule b { y 2; z = 3; }",
        "!  rule c { z = (1; }",
        "  rule d { z = 1; }",
        "!  rule { z = 1; }",
        "!  rule e when { z = 1; }",
        "!  locations 1;",
        "!  at { rule f { } }",
        "}",
        "!init { if { x = 1; } }",
        "!init { for i { x = 1; } }",
        "!invariant p = a b;",
        "!ltl q = G;",
        "!ctl r = A G a;",
        "!never s { a[*2..1] }",
        "!fn f(a): int = 1;",
        "fn g(): int = 1;",
        "!const C = [1, 2;",
        "!const D = 1 +;",
        "deadlock free;",
    ];
    let source: String = lines.iter().map(|line| line.trim_start_matches('!').to_owned() + "\n").collect();
    let expected: Vec<usize> = (1..=lines.len()).filter(|n| lines[n - 1].starts_with('!')).collect();
    let found: Vec<usize> =
        errors(&source).lines().map(|line| line.split(':').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(found, expected, "{}", errors(&source));
}
