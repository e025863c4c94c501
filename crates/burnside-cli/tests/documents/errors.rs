//! The pages of errors and warnings are true: about every wrong example exactly the page's code is said (or
//! the codes that stand behind `orb wrong`, where one mistake has several), about every right one nothing.

use crate::page::{Block, blocks};
use crate::root;
use burnside::builder::{SystemBuilder, set};
use burnside::diagnostics::{Code, Severity};
use burnside::{CheckError, ExternalKind, ExternalProperty, Kind, LoadOptions, Model, Options, Source};
use burnside_lang::syntax::lexer::lex;
use std::collections::BTreeSet;
use std::path::Path;

/// Something that is wrong, and what is said about it.
type Cause = fn() -> BTreeSet<Code>;

/// Codes whose wrong example is too long for a page, or needs the library, with what causes them.
const MADE: &[(Code, Cause)] = &[
    (Code::CallsTooDeep, || {
        chain(|i| format!("fn f{i}(): int = f{}() + 1;\n", i + 1), "fn f1000(): int = 0;")
    }),
    (Code::FileTooLarge, huge),
    (Code::NameTooLong, || codes(&format!("var {}: bool;", "x".repeat(1025)))),
    (Code::NestingTooDeep, || codes(&format!("invariant p = {};", "(".repeat(300)))),
    (Code::NoConstants, || found(Source::Net("".into()), LoadOptions::new().set("N", 3))),
    (Code::NoNames, || found(built(), with(Kind::Ltl, "G F true"))),
    (Code::NotANet, || found(Source::from(RIGHT), with(Kind::Bound, "x"))),
    (Code::StringTooLong, || codes(&format!("init {{ assert true, \"{}\"; }}", "x".repeat(65_537)))),
    (Code::TooDeep, || {
        let circle: String = (0..100).map(|i| format!("const a{i} = a{};\n", (i + 1) % 100)).collect();
        codes(&format!("{circle}{RIGHT}"))
    }),
    (Code::TooManyErrors, || codes(&"var x: ;\n".repeat(60))),
    (Code::TooManyNames, || {
        codes(&format!("process P {{ rule r({}: bool) {{}} }}", vec!["_"; 300].join(", ")))
    }),
    (Code::TypeTooDeep, || {
        chain(|i| format!("type T{i} = array[0..0] of T{};\n", i + 1), "type T1000 = bool;")
    }),
    (Code::TypeTooLarge, || {
        let records: String = (0..60).map(|i| format!("record R{i} {{ a, b: R{} }}\n", i + 1)).collect();
        codes(&format!("{records}record R60 {{}}\n{RIGHT}"))
    }),
    (Code::UnknownGlobal, || {
        let net = std::fs::read_to_string(root().join("examples/heljanko_mutex.pnml")).expect("an example");
        found(Source::Net(net.into()), with(ExternalKind::Global, "Safe"))
    }),
    (Code::Unreadable, || found(Path::new("none.orb"), LoadOptions::new())),
];

const RIGHT: &str = "var x: bool; process P { rule r { x = !x; } }";

/// A thousand declarations, each of which needs the next.
fn chain(link: fn(usize) -> String, last: &str) -> BTreeSet<Code> {
    codes(&format!("{}{last}\n{RIGHT}", (0..1000).map(link).collect::<String>()))
}

/// A text of 4 GB. Nobody has written to its memory, so it takes none but that of one page.
fn huge() -> BTreeSet<Code> {
    let text = String::from_utf8(vec![0; 1 << 32]).expect("zeros are ASCII");
    lex(&text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn with(kind: impl Into<ExternalKind>, text: &str) -> LoadOptions {
    LoadOptions::new().external(&[ExternalProperty {
        kind: kind.into(),
        origin: "test".into(),
        text: text.into(),
    }])
}

/// A system without any text.
fn built() -> Source<'static> {
    let mut builder = SystemBuilder::new();
    let (truth, process) = (builder.truth(), builder.process("P", &[]));
    let x = builder.var("x", truth, false);
    builder.rule(process, "on").then(set(x, true));
    builder.build().expect("it is a system").into()
}

/// The codes of all that is wrong.
fn found<'t>(source: impl Into<Source<'t>>, options: LoadOptions) -> BTreeSet<Code> {
    let wrong = Model::load(source, &options).model.expect_err("it is wrong");
    wrong.problems.iter().map(|problem| problem.code).collect()
}

/// What is said about a model when it is loaded and, if that goes well, when its search begins.
fn codes(text: &str) -> BTreeSet<Code> {
    let loaded = Model::load(text, &LoadOptions::new());
    let mut found: BTreeSet<Code> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    if let Ok(model) = &loaded.model {
        let mut options = Options::default();
        options.limits.states = Some(100);
        if let Err(CheckError::NoInitialState(_)) = burnside::check(model, &options, &mut ()) {
            found.insert(Code::NoInitialState);
        }
    }
    found
}

/// Whether the block shows the code: a model that is wrong in this way, or a message of the program.
fn shows(code: Code, block: &Block<'_>) -> bool {
    let said = format!("[{code}]: ");
    match block.words.as_slice() {
        ["orb", "wrong"] => true,
        ["orb", "wrong", codes @ ..] => codes.contains(&code.name()),
        ["console"] => block.body.contains(&said) && block.body.contains("$ echo $?\n2"),
        _ => false,
    }
}

fn problems_of(code: Code) -> Vec<String> {
    let page = code.page();
    let mut problems = Vec::new();
    let severity = match code.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let head = format!("# {code}\n\n*{severity}*: {}.\n", code.title());
    if !page.starts_with(&head) {
        problems.push(format!("does not begin with\n{head}"));
    }
    let (mut wrong, mut right) = (false, false);
    for block in blocks(page) {
        let is_run = !matches!(block.directive, Some(("not run" | "file", _)));
        let expected = match block.words.as_slice() {
            ["orb", "wrong"] => Some([code].into()),
            ["orb", "wrong", codes @ ..] => Some(codes.iter().filter_map(|name| Code::named(name)).collect()),
            ["orb"] if is_run => Some(BTreeSet::new()),
            _ => None,
        };
        let found = expected.as_ref().map(|_| codes(block.body));
        if found != expected {
            problems.push(format!("line {}: {found:?} instead of {expected:?}", block.line));
        }
        wrong |= shows(code, &block);
        right |= is_run && matches!(block.words[..], ["orb"] | ["orb", "declarations"] | ["sh"]);
    }
    let is_listed = MADE.iter().any(|(it, _)| *it == code);
    if wrong == is_listed {
        problems.push("has a wrong example and is listed as one without, or the other way round".into());
    }
    if !right && code != Code::NoNames {
        problems.push("has no right example".into());
    }
    problems
}

#[test]
fn every_code_has_a_true_page() {
    let problems: Vec<String> = Code::ALL
        .iter()
        .flat_map(|&code| problems_of(code).into_iter().map(move |problem| format!("{code}: {problem}")))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn codes_without_an_example_that_is_run_are_real() {
    for (code, cause) in MADE {
        let found = cause();
        assert!(found.contains(code), "{code}: {found:?}");
    }
}

/// Mended texts are as good as the pages say, so a wrong one must be seen to be wrong.
#[test]
fn mistakes_in_pages_would_be_seen() {
    assert_eq!(codes("var x: bol; process P { rule r {} }"), [Code::UnknownType].into());
    let both = "var x: bol; process P { rule r { y = 1; } }";
    assert_eq!(codes(both), [Code::UnknownName, Code::UnknownType].into());
    assert_eq!(codes("var x: bool; process P { rule r { x = !x; } }"), BTreeSet::new());
    let console = "```console\n$ burnside check x\nerror[hoa]: no\n$ echo $?\n2\n```\n";
    let found = blocks(console);
    assert!(shows(Code::Hoa, &found[0]) && !shows(Code::Pnml, &found[0]));
}

/// The list of all codes and the summary of the book have all pages, and no others.
#[test]
fn all_pages_are_listed() {
    let read = |path: &str| std::fs::read_to_string(root().join("docs/src").join(path)).expect("a page");
    let (list, summary) = (read("errors/README.md"), read("SUMMARY.md"));
    let rows: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            let severity = if code.severity() == Severity::Error { "error" } else { "warning" };
            format!("| [`{code}`]({code}.md) | {severity} | {} |", code.title())
        })
        .collect();
    let listed: Vec<&str> = list.lines().filter(|line| line.starts_with("| [")).collect();
    assert_eq!(listed, rows, "docs/src/errors/README.md is not the table of burnside-lang/src/code.rs");
    let lines: Vec<String> = Code::ALL.iter().map(|code| format!("  - [{code}](errors/{code}.md)")).collect();
    let listed: Vec<&str> =
        summary.lines().filter(|line| line.starts_with("  - [") && line.contains("](errors/")).collect();
    assert_eq!(listed, lines, "docs/src/SUMMARY.md does not list the pages of errors");
    let files = std::fs::read_dir(root().join("docs/src/errors")).expect("the pages");
    assert_eq!(files.count(), Code::ALL.len() + 1, "docs/src/errors has pages of codes that do not exist");
}
