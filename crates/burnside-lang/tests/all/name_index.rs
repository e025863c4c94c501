//! Where names are declared and used.

use burnside_lang::check::{NameIndex, Occurrence, Role, Symbol, check_with_index, entry_keys, entry_words};
use burnside_lang::syntax::lexer::lex;
use burnside_lang::syntax::parse;
use burnside_lang::syntax::token::TokenKind;
use std::collections::BTreeSet;

/// Words that mean something without a declaration: built-in functions, methods, operators of formulas.
const BUILT_IN: &[&str] = &[
    "abs", "max", "min", "next", "ord", "prev", "size", "empty", "majority", "full", "front", "back",
    "count", "push", "pop", "add", "remove", "clear", "X", "F", "G", "U", "R", "W", "M", "A", "E", "AX",
    "EX", "AF", "EF", "AG", "EG", "free", "allowed", "hint", "sum", "_",
];

fn index(text: &str) -> NameIndex {
    check_with_index(&parse(text).file, &[]).1
}

/// The text with each name of something marked: `«x»` where it is declared, `<x>` where it is written, `[x]`
/// where it is used.
fn marked(text: &str, index: &NameIndex, symbol: Symbol) -> String {
    let mut shown = text.to_string();
    let places: Vec<Occurrence> = index.occurrences_of(symbol).collect();
    for Occurrence { span, role, .. } in places.into_iter().rev() {
        let (open, close) = match role {
            Role::Declared => ("«", "»"),
            Role::Written => ("<", ">"),
            Role::Used => ("[", "]"),
        };
        shown.insert_str(span.end as usize, close);
        shown.insert_str(span.start as usize, open);
    }
    shown
}

/// The lines in which the name at `|` occurs.
fn places(text: &str) -> String {
    let at = text.find('|').expect("a place") as u32;
    let text = text.replacen('|', "", 1);
    let index = index(&text);
    let symbol = index.at(at).unwrap_or_else(|| panic!("nothing at {at} of {text}")).symbol;
    marked(&text, &index, symbol)
}

fn signature(text: &str) -> String {
    let at = text.find('|').expect("a place") as u32;
    let text = text.replacen('|', "", 1);
    let index = index(&text);
    let definition = index.definition(index.at(at).expect("a name").symbol).expect("a definition");
    format!("{}: {}", definition.signature, definition.about)
}

#[test]
fn locals_hide_what_is_outside() {
    let text = "var x: 0..3;
process P { rule r(x|: 0..3) when x > 0 { let y = x; } }
invariant i = x == 0;";
    let expected = "var x: 0..3;
process P { rule r(«x»: 0..3) when [x] > 0 { let y = [x]; } }
invariant i = x == 0;";
    assert_eq!(places(text), expected);
    let text = text.replacen('|', "", 1).replacen("var x", "var x|", 1);
    let expected = "var «x»: 0..3;
process P { rule r(x: 0..3) when x > 0 { let y = x; } }
invariant i = [x] == 0;";
    assert_eq!(places(&text), expected);
}

#[test]
fn variables_of_processes_are_found_in_all_their_forms() {
    let text = "symmetric C[2]; enum Phase { idle, busy }
process C[c] {
    var phase|: Phase;
    rule r(d: C) when phase == idle && phase[d] == busy { C[d].phase = idle; phase = busy; }
}
invariant i = forall c: C { phase[c] == idle || C[c].phase == busy };";
    let expected = "symmetric C[2]; enum Phase { idle, busy }
process C[c] {
    var «phase»: Phase;
    rule r(d: C) when [phase] == idle && [phase][d] == busy { C[d].<phase> = idle; <phase> = busy; }
}
invariant i = forall c: C { [phase][c] == idle || C[c].[phase] == busy };";
    assert_eq!(places(text), expected);
}

#[test]
fn constants_of_several_enums_are_told_apart() {
    let text = "enum A { on, off| } enum B { off, dim }
var a: A; var b: B;
process P { rule r when a == off && b == off && b == B.off { a = A.off; b = off; } }";
    let expected = "enum A { on, «off» } enum B { off, dim }
var a: A; var b: B;
process P { rule r when a == [off] && b == off && b == B.off { a = A.[off]; b = off; } }";
    assert_eq!(places(text), expected);
}

#[test]
fn locations_rules_and_fields_are_found() {
    let text = "record R { size: 0..3, on: bool }
var r: R;
process P {
    locations home|, away;
    rule go at home { goto away; }
    rule back when @away { r.on = true; r = R(size: 1, on: r.on); goto home; }
}
invariant i = P@home || enabled(go) || P.pc == home;";
    let expected = "record R { size: 0..3, on: bool }
var r: R;
process P {
    locations «home», away;
    rule go at [home] { goto away; }
    rule back when @away { r.on = true; r = R(size: 1, on: r.on); goto [home]; }
}
invariant i = P@[home] || enabled(go) || P.pc == [home];";
    assert_eq!(places(text), expected);
    let plain = text.replacen('|', "", 1);
    let fields = places(&plain.replacen("on: bool", "on|: bool", 1));
    assert!(fields.contains("«on»: bool") && fields.contains("r.[on] = true; r = R(size: 1, [on]: r.[on])"));
    let rules = places(&plain.replacen("rule go", "rule go|", 1));
    assert!(rules.contains("rule «go»") && rules.contains("enabled([go])"));
}

#[test]
fn a_family_and_the_type_of_its_index_are_bound_to_each_other() {
    let text = "symmetric C[2]; process C[c] { rule r {} } process D[c: C] { rule r {} }";
    let index = index(text);
    let ty = index.at(10).unwrap().symbol;
    assert_eq!(ty, Symbol::Type(0));
    let process = index.at(text.find("process C").unwrap() as u32 + 8).unwrap().symbol;
    assert_eq!(index.bound_to(ty), [ty, process]);
    assert_eq!(index.bound_to(process), [process, ty]);
    let other = index.at(text.find("process D").unwrap() as u32 + 8).unwrap().symbol;
    assert_eq!(index.bound_to(other), [other]);
}

#[test]
fn signatures_tell_types_and_values() {
    let text = "const N = 2 + 1; symmetric C[N]; type T = 0..N; enum E { a, b } record R { x: T, e: E? }
        var q: queue[N] of R; fn f(x: T, c: C): bool = x > 0 && q.empty();
        fair process C[c] { var own: set of C; strong fair rule r(d: C) when f(1, d) { let y = q.size(); own = {}; } }
        ltl p = forall c: C { G f(0, c) };";
    for (name, expected) in [
        ("const N", "const N = 3: a constant"),
        ("symmetric C", "symmetric C[3]: a symmetric type"),
        ("type T", "type T = 0..3: a type"),
        ("enum E", "enum E { a, b }: an enum"),
        ("record R", "record R { x: T, e: E? }: a record"),
        ("{ a", "E.a: a constant of `E`, number 0"),
        ("{ x", "x: T: a field of `R`"),
        ("var q", "var q: queue[3] of R: a variable"),
        ("fn f", "fn f(x: T, c: C): bool: a function"),
        ("fair process C", "fair process C[c: C]: a family of processes"),
        ("var own", "var own: set of C: a variable of the process `C`"),
        ("fair rule r", "strong fair rule r(d: C): a rule of the process `C`"),
        ("(1, d", "d: C: a parameter"),
        ("let y", "y: int: a name made by `let`"),
        ("ltl p", "ltl p: a property"),
    ] {
        assert!(text.contains(name), "{name}");
        assert_eq!(signature(&text.replacen(name, &format!("{name}|"), 1)), expected);
    }
}

#[test]
fn texts_with_errors_keep_the_names_elsewhere() {
    let text = "var x|: 0..3; var y: Nothing;
process P { rule a when x > { x = ; } rule b when x == 1 { x = y + unknown; } }
invariant = ; invariant i = x";
    let expected = "var «x»: 0..3; var y: Nothing;
process P { rule a when [x] > { <x> = ; } rule b when [x] == 1 { <x> = y + unknown; } }
invariant = ; invariant i = [x]";
    assert_eq!(places(text), expected);
}

/// Every name of every example is known, and has the text of its declaration.
#[test]
fn all_names_of_the_examples_are_known() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folders = ["examples", "tests/models"].map(|folder| format!("{root}/{folder}"));
    // What `expect` and `check` blocks say about every model.
    let of_blocks: BTreeSet<&str> = entry_keys().flat_map(entry_words).chain(entry_keys()).collect();
    let mut names = 0;
    for folder in folders {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|it| it != "orb") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let parsed = parse(&text);
            let (checked, index) = check_with_index(&parsed.file, &[]);
            if checked.model.is_none() || !parsed.diagnostics.is_empty() {
                continue;
            }
            for token in lex(&text).tokens.iter().filter(|token| token.kind == TokenKind::Ident) {
                let word = token.span.text(&text);
                let found = index.at(token.span.start).filter(|it| it.span == token.span);
                let Some(found) = found else {
                    let known = BUILT_IN.contains(&word)
                        || of_blocks.contains(word)
                        || ["_", "some", "is", "insert", "not", "all", "changing", "priority", "choose"]
                            .contains(&word);
                    assert!(known, "{}: {word} at {:?}", path.display(), token.span);
                    continue;
                };
                names += 1;
                let definition = index.definition(found.symbol);
                assert_eq!(definition.map(|it| it.name.as_str()), Some(word), "{}", path.display());
            }
        }
    }
    assert!(names > 4_000, "only {names} names");
}

/// Taking notes changes nothing about the model.
#[test]
fn the_model_is_the_same_with_an_index() {
    let text = "const N = 2; symmetric C[N]; process C[c] { var x: C?; rule r(d: C) { x = d; } }";
    let parsed = parse(text);
    let plain = burnside_lang::check::check(&parsed.file, &[]);
    let (with, _) = check_with_index(&parsed.file, &[]);
    let dump = |checked: burnside_lang::check::Checked| burnside_lang::check::dump(&checked.model.unwrap());
    assert_eq!(dump(plain), dump(with));
}
