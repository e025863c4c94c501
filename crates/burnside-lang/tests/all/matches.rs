//! `match`: what is said about it, that the cases are what they stand for, and where their names stand.

use burnside_lang::check::{Role, check, check_with_index, dump};
use burnside_lang::syntax::{format, parse};

const MODEL: &str =
    "enum E { a, b, c } symmetric S[3]; var e: E; var o: S?; var t: bool; var x: 0..9; process P { rule r { ";

/// Errors and warnings about a body, one in a line.
fn found(body: &str) -> Vec<String> {
    let source = format!("{MODEL}{body} }} }}");
    let parsed = parse(&source);
    let checked = check(&parsed.file, &[]);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let all =
        all.filter(|d| d.code != "unused-variable" && d.code != "unused-type" && d.code != "never-written");
    all.map(|d| format!("{}: {} [{}]", d.code, d.message, d.help.as_deref().unwrap_or_default())).collect()
}

#[test]
fn one_message_each() {
    let cases = [
        (
            "match e { a => {} }",
            "missing-case: the cases `b` and `c` are missing [add them, or `_ => …` for all the rest]",
        ),
        (
            "match o { some(s) => { o = s; } }",
            "missing-case: the case `none` is missing [add them, or `_ => …` for all the rest]",
        ),
        ("x = match t { true => 1, };", "missing-case: the case `false` is missing"),
        ("match e {}", "missing-case: the cases `a`, `b` and `c` are missing"),
        ("match e { a | b => {} c => {} _ => {} }", "unreachable-case: this case never happens [remove it]"),
        ("match e { _ => {} a => {} }", "unreachable-case: this case never happens [remove it]"),
        ("match e { a | a => {} _ => {} }", "unreachable-case"),
        (
            "match e { d => {} _ => {} }",
            "unknown-name: an `E` has no case `d` [its cases are `a`, `b` and `c`; `_` stands for the rest]",
        ),
        ("match e { F.a => {} _ => {} }", "unknown-name: an `E` has no case `F.a`"),
        ("match e { a(y) => {} _ => {} }", "wrong-argument-count: `a` holds nothing [write `a => …`]"),
        ("match e { none => {} _ => {} }", "type-mismatch: this is no case of an `E`"),
        (
            "match o { some() => {} _ => {} }",
            "wrong-argument-count: `some` has one name for the value in its parentheses",
        ),
        ("match o { some(x: s) => {} _ => {} }", "wrong-argument-count"),
        ("match o { some(s) => {} _ => {} }", "unused-name: the name `s` is never used"),
        ("match x { _ => {} }", "type-mismatch: an `int` has no cases"),
        ("match e { a, b => {} _ => {} }", "wrong-operator: expected `=>` or `|`, found `,`"),
        ("match e { a -> {} _ => {} }", "wrong-operator: expected `=>`, found `->` [did you mean `=>`?]"),
        ("match e { a => {} else => {} }", "unexpected-token: expected a case, found `else`"),
        ("match e { a => x = 1; _ => {} }", "unexpected-token: expected `{`, found the name `x`"),
        ("x = match e { a => 1 b => 2, _ => 3 };", "unexpected-token: expected `,` or `}`"),
        ("x = match e { a => 1, _ => true };", "type-mismatch: expected an `int`, found a `bool`"),
        ("x = match nothing { a => 1, _ => 2 };", "unknown-name"),
        ("switch e { case a: x = 1; }", "not-a-statement: there is no `switch` [write `match"),
        ("match e { a => { x = 1; } b => {", "unclosed-delimiter"),
    ];
    for (body, wanted) in cases {
        let found = found(body);
        assert!(found.first().is_some_and(|first| first.starts_with(wanted)), "{body}: {found:#?}");
        let one = found.len() == 1 || body.ends_with("=> {");
        assert!(one, "{body}: {found:#?}");
    }
}

/// The cases of many constants are found without deep trees, and each is the right one.
#[test]
fn many_cases() {
    let names: Vec<String> = (0..700).map(|i| format!("c{i}")).collect();
    let arms: Vec<String> = names.iter().enumerate().map(|(i, name)| format!("{name} => {i},")).collect();
    let source = format!(
        "enum E {{ {} }} var e: E; var x: 0..999; process P {{ rule r {{ x = match e {{ {} }}; e = any; }} }} invariant p = x < 700;",
        names.join(", "),
        arms.join(" ")
    );
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty());
    assert!(check(&parsed.file, &[]).model.is_some());
}

#[test]
fn a_match_is_the_comparisons_it_stands_for() {
    let of = |body: &str| {
        let source = format!("{MODEL}{body} }} }} invariant p = x < 9 && !t && o == none;");
        let parsed = parse(&source);
        let model = check(&parsed.file, &[]).model.unwrap_or_else(|| panic!("{source}: {:?}", found(body)));
        dump(&model)
    };
    let matched = of("let s = o; match s { none => { x = 1; } some(c) => { o = c; } }");
    let compared = of("let s = o; if s == none { x = 1; } else { let c = s!; o = c; }");
    assert_eq!(matched, compared);
    let matched = of("let s = e; x = match s { a | c => 1, _ => 2 };");
    let compared = of("let s = e; x = if s == a || s == c { 1 } else { 2 };");
    assert_eq!(matched, compared);
}

#[test]
fn names_are_known_to_editors() {
    let source = "enum E { a, b }\nvar e: E;\nvar o: E?;\nprocess P { rule r { match o { some(y) => { e = y; } none => {} } match e { E.a => { o = none; } b => {} } } }\n";
    let parsed = parse(source);
    let (_, index) = check_with_index(&parsed.file, &[]);
    let at = |text: &str| source.find(text).unwrap() as u32;
    let symbol = |place: u32| index.at(place).map(|it| it.symbol);
    assert_eq!(symbol(at("y) =>")), symbol(at("y; }")));
    assert_eq!(index.at(at("y) =>")).map(|it| it.role), Some(Role::Declared));
    assert_eq!(symbol(at("a, b")), symbol(at("a => {")));
    assert_eq!(symbol(at("E { a")), symbol(at("E.a")));
    assert_eq!(symbol(at("b }")), symbol(at("b => {")));
}

#[test]
fn the_layout_stays() {
    let source = "\
enum E { a, b, c }
var e: E;
fn f(x: E): int = match x { a => 1, b | c => { let y = 2; y } };
fn g(x: E): int = match x {
    a => 1, // one

    // the rest
    _ => 2,
};
process P {
    rule r {
        match e { a => { e = b; } _ => { e = a; } }
        match e {
            a => {}
            E.b | c => { e = any; }
        }
    }
}
";
    assert_eq!(format(source).unwrap(), source);
    let odd = "enum E { a, b }\nvar e: E;\nfn f(x: E): int = match x { a => { 1 }, b => 2, };\nprocess P {\n    rule r { match e { a => { e = b; }, b => { e = a; }, }; }\n}\n";
    let laid_out = format(odd).unwrap();
    assert_eq!(
        laid_out,
        "enum E { a, b }\nvar e: E;\nfn f(x: E): int = match x { a => { 1 } b => 2 };\nprocess P {\n    rule r { match e { a => { e = b; } b => { e = a; } } }\n}\n"
    );
    assert_eq!(format(&laid_out).unwrap(), laid_out);
}
