//! What the checker says: tiny models, grouped by topic in `check_cases`, with everything it reports as a
//! snapshot.

use crate::check_support;

use burnside_lang::check::check_property;
use burnside_lang::diagnostic::Code;
use burnside_lang::syntax::ast::{Expr, ExprKind, Name, Property};
use burnside_lang::syntax::{Mode, parse_expression};
use check_support::{checked, checked_with, show};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Appended to a case, so that it has a variable and a rule.
const TICK: &str = "\nvar tick_: bool;\nprocess Tick_ { rule tick_ { tick_ = !tick_; } }\n";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn report(file: &str) -> String {
    let text = std::fs::read_to_string(folder("tests/check_cases").join(file)).unwrap();
    let mut out = String::new();
    for case in text.split("//---\n") {
        let mut source = case.to_string();
        if file != "empty.orb" {
            source.push_str(TICK);
        }
        let _ = writeln!(out, "{}", case.lines().next().unwrap_or(""));
        let _ = writeln!(out, "{}", show(&source, &checked(&source).diagnostics));
    }
    out
}

macro_rules! snapshots {
    ($($name:ident)*) => {
        const FILES: &[&str] = &[$(concat!(stringify!($name), ".orb")),*];
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(stringify!($name), report(concat!(stringify!($name), ".orb")));
            }
        )*
    };
}

snapshots! { names constants types expressions rules properties expectations warnings symmetry empty }

/// Codes that no text of a case can cause, with the test that does.
const ELSEWHERE: &[&str] = &[
    "bad-path-formula",          // trees_that_the_parser_does_not_make
    "ctl-operator-in-ltl",       // trees_that_the_parser_does_not_make
    "ltl-operator-in-ctl",       // trees_that_the_parser_does_not_make
    "temporal-outside-property", // trees_that_the_parser_does_not_make
    "calls-too-deep",            // chains_that_are_too_deep
    "fair-set",                  // structure::one_message_for_each_wrong_set
    "unset-constant",            // structure::one_message_for_what_else_is_wrong
    "missing-case",              // matches::one_message_each
    "not-a-statement",           // procedures::one_message_each
    "too-deep",                  // long_cycles
    "type-too-deep",             // chains_that_are_too_deep
    "type-too-large",            // chains_that_are_too_deep
    "unreachable-case",          // matches::one_message_each
];

#[test]
fn every_code_has_a_case() {
    let mut known = BTreeSet::new();
    for entry in std::fs::read_dir(folder("src/check")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let used = |code: &&Code| text.contains(&format!("Code::{code:?}"));
        known.extend(Code::ALL.iter().filter(used).map(|code| code.name()));
    }
    assert!(known.len() > 50);
    let said: String = FILES.iter().map(|file| report(file)).collect();
    let missing: Vec<_> = known
        .iter()
        .filter(|code| !said.contains(&format!("[{code}]")) && !ELSEWHERE.contains(code))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// Each link is allowed; together they are too many for a walk. What depends on the one that is refused is
/// not reported again.
#[test]
fn chains_that_are_too_deep() {
    let chain = |link: &dyn Fn(usize) -> String| (0..1000).map(link).collect::<String>();
    let calls = chain(&|i| format!("fn f{i}(): int = f{}() + 1;\n", i + 1)) + "fn f1000(): int = 0;\n";
    let types = chain(&|i| format!("type T{i} = array[0..0] of T{};\n", i + 1)) + "record T1000 {}\n";
    let parts = (0..60).map(|i| format!("record R{i} {{ a, b: R{} }}\n", i + 1)).collect::<String>();
    let parts = parts + "record R60 {}\n";
    for (text, code) in [(calls, "calls-too-deep"), (types, "type-too-deep"), (parts, "type-too-large")] {
        let found = checked(&(text + TICK)).diagnostics;
        let errors: Vec<_> = found.iter().filter(|it| it.is_error()).collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].code, code);
    }
}

#[test]
fn all_files_are_listed() {
    let mut found: Vec<String> = std::fs::read_dir(folder("tests/check_cases"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut listed: Vec<&str> = FILES.to_vec();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn settings() {
    let source = "const N = 2; const LIMIT: 1..9 = N + 1; const LOSSY = false; var x: 0..LIMIT;
        process P { rule r when LOSSY || x < N { x = x + 1; } }";
    let cases: &[&[(&str, &str)]] = &[
        &[],
        &[("N", "4")],
        &[("N", "1"), ("N", "5")],
        &[("LOSSY", "true")],
        &[("LIMIT", "1_0")],
        &[("LIMIT", "7"), ("N", "100")],
        &[("N", "100")],
        &[("n", "3")],
        &[("SIZE", "3")],
        &[("N", "many")],
        &[("N", "99999999999999999999")],
        &[("N", "true")],
        &[("LOSSY", "1")],
    ];
    let mut out = String::new();
    for case in cases {
        let result = checked_with(source, case);
        let _ = writeln!(out, "{case:?}");
        for error in &result.setting_errors {
            let help = error.help.as_deref().unwrap_or("-");
            let _ = writeln!(out, "  {}: {} ({help})", error.name, error.message);
        }
        out.push_str(&show(source, &result.diagnostics));
        assert_eq!(result.model.is_some(), result.setting_errors.is_empty() && result.diagnostics.is_empty());
        if let Some(model) = result.model {
            let values: Vec<String> = model
                .constants
                .iter()
                .map(|constant| format!("{} = {:?}", constant.name, constant.value))
                .collect();
            let _ = writeln!(out, "  {}", values.join(", "));
        }
    }
    insta::assert_snapshot!("settings", out);
}

#[test]
fn properties_of_the_command_line() {
    let source = "symmetric S[2]; enum E { red, green } var x: 0..3;
        fn big(n: int): bool = n > 2;
        process P[i: S] { var e: E; rule r when big(x) { e = green; x = 0; } rule s when e == red { x = x + 1; } }
        invariant old = x < 4;";
    let mut model = checked(source).model.unwrap();
    let mut out = String::new();
    let texts = [
        (Mode::Ltl, "forall i: S { G (e[i] == red -> F big(x)) }"),
        (Mode::Ctl, "AG EF (x == 0 && enabled(P[S#0].r))"),
        (Mode::Ltl, "G nothing"),
        (Mode::Ltl, "G (x + 9 == 1)"),
        (Mode::Ltl, "forall i: S { F x == 1 }"),
    ];
    for (index, (mode, text)) in texts.into_iter().enumerate() {
        let parsed = parse_expression(text, mode);
        assert!(parsed.diagnostics.is_empty());
        let name = Name { text: format!("given{index}"), span: parsed.expr.span };
        let body = parsed.expr;
        let span = body.span;
        let ltl = mode == Mode::Ltl;
        let property = if ltl { Property::Ltl { name, body } } else { Property::Ctl { name, body } };
        let said = check_property(&mut model, &property, span);
        let _ = writeln!(out, "{text}\n{}", show(text, &said));
    }
    let parsed = parse_expression("G x == 1", Mode::Ltl);
    let span = parsed.expr.span;
    let property = Property::Ltl { name: Name { text: "old".into(), span }, body: parsed.expr };
    let _ = writeln!(out, "taken name\n{}", show("G x == 1", &check_property(&mut model, &property, span)));
    let names: Vec<&str> = model.properties.iter().map(|property| property.name.as_str()).collect();
    let _ = writeln!(out, "{names:?}");
    insta::assert_snapshot!("properties_of_the_command_line", out);
}

#[test]
fn trees_that_the_parser_does_not_make() {
    let mut model = checked("var x: bool; process P { rule r { x = !x; } }").model.unwrap();
    let mut out = String::new();
    let mut say = |kind: &str, text: &str, mode: Mode, change: fn(Expr) -> Expr| {
        let parsed = parse_expression(text, mode);
        assert!(parsed.diagnostics.is_empty());
        let span = parsed.expr.span;
        let (name, body) = (Name { text: kind.into(), span }, change(parsed.expr));
        let property = match kind {
            "ltl" => Property::Ltl { name, body },
            "ctl" => Property::Ctl { name, body },
            _ => Property::Invariant { name, body },
        };
        let said = check_property(&mut model, &property, span);
        assert!(said.iter().any(|d| d.is_error()));
        let _ = writeln!(out, "{kind} {text}\n{}", show(text, &said));
    };
    let path =
        |body: Expr| Expr { span: body.span, kind: ExprKind::Path { exists: true, body: Box::new(body) } };
    say("invariant", "G x && F x", Mode::Ltl, |e| e);
    say("invariant", "x U x", Mode::Ltl, |e| e);
    say("invariant", "E[x U x]", Mode::Ctl, |e| e);
    say("ltl", "AG EF x", Mode::Ctl, |e| e);
    say("ltl", "A[x U x]", Mode::Ctl, |e| e);
    say("ctl", "F G x", Mode::Ltl, |e| e);
    say("ctl", "x U x", Mode::Ltl, |e| e);
    say("ctl", "x", Mode::Ctl, path);
    insta::assert_snapshot!("trees_that_the_parser_does_not_make", out);
}

#[test]
fn long_cycles() {
    let chain: String = (0..100).map(|i| format!("const a{i} = a{};", (i + 1) % 100)).collect();
    let source = format!("{chain} {TICK}");
    let codes: Vec<&str> = checked(&source).diagnostics.iter().map(|d| d.code.name()).collect();
    assert_eq!(codes, ["too-deep"]);
}
