//! Enums whose constants hold values, unions of types, and `is`: what is said about them, their layout, and
//! where their names stand.

use crate::check_support::mistakes;
use burnside_lang::check::{Role, check, check_with_index};
use burnside_lang::symmetry::analyse;
use burnside_lang::syntax::{format, parse};

const TYPES: &str = "symmetric S[3]; symmetric H[2]; enum M { request(from: S), pair(a: S, b: bool), ack } type N = H | S; var m: M = ack; var n: N? = none; var x: S? = none; ";

/// Errors, one in a line.
fn found(text: &str) -> Vec<String> {
    let source = format!("{TYPES}{text}");
    mistakes(&source)
}

#[test]
fn one_message_each() {
    let cases = [
        ("m = request;", "missing-field: `request` holds values, and none are given"),
        ("m = request();", "wrong-argument-count: `request` takes 1 argument, and 0 are given"),
        ("m = pair(a: S#0);", "missing-field: this `pair` is without its `b`"),
        ("m = pair(a: S#0, c: true);", "unknown-field: `pair` has no field `c`"),
        ("m = pair(a: S#0, a: S#1, b: true);", "duplicate-name: `a` is declared twice"),
        ("m = pair(true, true);", "type-mismatch: expected a `S`, found a `bool`"),
        ("m = M.nothing(x!);", "unknown-name: `M` has no constant `nothing`"),
        (
            "m = M(x!);",
            "unknown-function: unknown function or record `M` [name the case, for example `request`]",
        ),
        ("m = M.ack; x = m.from;", "unknown-field: what a `M` holds depends on the case"),
        (
            "match m { request(y, z) => { x = y; x = z; } _ => {} }",
            "wrong-argument-count: `request` takes 1 argument, and 2 are given",
        ),
        ("match m { pair(c: y) => { x = y; } _ => {} }", "unknown-field: `pair` has no field `c`"),
        (
            "match m { pair(a: y, z) => { x = y; assert z; } _ => {} }",
            "type-mismatch: name all fields, or none",
        ),
        ("match m { pair(a: y, a: z) => { x = y; x = z; } _ => {} }", "duplicate-name"),
        ("match m { request(y) => { x = y; } ack => {} }", "missing-case: the case `pair` is missing"),
        (
            "match n { some(k) => { match k { S(s) => { x = s; } } } none => {} }",
            "missing-case: the case `H` is missing",
        ),
        ("if m is request(S#0) { x = none; }", "type-mismatch: expected a case after `is`"),
        ("if m is nothing { x = none; }", "unknown-name: a `M` has no case `nothing`"),
        ("if x is S { x = none; }", "type-mismatch: this is no case of a `S?`"),
        ("n = true;", "type-mismatch: expected a `N?`, found a `bool`"),
        ("x = n!;", "type-mismatch: expected a `S?`, found a `N`"),
        ("assert n! == m;", "type-mismatch: a `N` cannot be compared with a `M`"),
    ];
    for (body, wanted) in cases {
        let found = found(&format!("process P {{ rule r {{ {body} }} }}"));
        assert!(found.len() == 1 && found[0].starts_with(wanted), "{body}: {found:#?}");
    }
    let declarations = [
        ("enum A { a(x: B), b } enum B { c(x: A), d }", "recursive-type: the type `B` contains itself"),
        ("enum A { a(x: int), b } var v: A = b; process P { rule r { v = a(1); } }", "unbounded-type"),
        (
            "enum A { a(x: bool, x: bool), b } var v: A = b; process P { rule r { v = a(true, true); } }",
            "duplicate-name",
        ),
        ("enum A { a(x: bool), a } var v: A;", "duplicate-name: `a` is declared twice"),
        ("enum A { a(), b } var v: A;", "unexpected-token: `a` holds nothing [remove the parentheses]"),
        ("type A = S | S; var v: A? = none;", "duplicate-name: `S` is declared twice"),
        ("type A = S | bool;", "unexpected-token"),
        ("type A = S | 3; var v: A? = none;", "unexpected-token: expected the name of a type"),
        ("type A = S | Nothing; var v: A? = none;", "unknown-type: unknown type `Nothing`"),
        ("var v: S | H;", "needs-type: a union of types needs a name"),
        ("fn request(): bool = true;", "duplicate-name: `request` is declared twice"),
    ];
    for (text, wanted) in declarations {
        let found = found(&format!("{text} process Q {{ rule r {{ m = ack; }} }}"));
        assert!(found.first().is_some_and(|first| first.starts_with(wanted)), "{text}: {found:#?}");
        assert!(found.len() == 1, "{text}: {found:#?}");
    }
}

/// Both parts of a union keep their symmetry, and so do types whose values are held, until one is named.
#[test]
fn symmetries_stay() {
    let left = |body: &str| {
        let source = format!("{TYPES} process P {{ rule r(s: S, h: H) {{ {body} }} }}");
        let parsed = parse(&source);
        let checked = check(&parsed.file, &[]);
        let model = checked.model.unwrap_or_else(|| panic!("{body}: {:?}", checked.diagnostics));
        format!("{:?}", analyse(&model).model.sorts)
    };
    let all = left("x = none;");
    assert_eq!(left("m = request(s); n = s; if n == h { n = h; }"), all);
    assert_eq!(left("for k: N { if k == h { x = none; } }"), all);
    assert_eq!(left("match m { request(from: f) => { x = f; } pair(a, _) => { n = a; } _ => {} }"), all);
    assert_ne!(left("m = request(S#0); n = h;"), all);
    assert_ne!(left("for k: N { n = k; } assert s != x;"), all);
}

/// The cases of a union are not interchangeable, whatever is done with them.
#[test]
fn cases_are_not_found_to_be_alike() {
    let source = "enum E { a(x: bool), b(x: bool) } var e: E = any; process P { rule r { e = any; } }";
    let parsed = parse(source);
    let model = check(&parsed.file, &[]).model.unwrap();
    assert!(analyse(&model).inferred.is_empty());
}

#[test]
fn names_are_known_to_editors() {
    let source = "symmetric S[2];\nenum M { request(from: S), ack }\nvar m: M = ack;\nvar x: S?;\nprocess P { rule r(s: S) { m = request(from: s); match m { request(from: y) => { x = y; } M.ack => {} } assert m is request; } }\n";
    let parsed = parse(source);
    let (_, index) = check_with_index(&parsed.file, &[]);
    let at = |text: &str| source.find(text).unwrap() as u32;
    let symbol = |place: u32| index.at(place).map(|it| it.symbol);
    assert_eq!(index.at(at("request(from: S)")).map(|it| it.role), Some(Role::Declared));
    for used in ["request(from: s)", "request(from: y)", "request; }"] {
        assert_eq!(symbol(at("request(from: S)")), symbol(at(used)), "{used}");
    }
    for used in ["from: s", "from: y"] {
        assert_eq!(symbol(at("from: S")), symbol(at(used)), "{used}");
    }
    assert_eq!(symbol(at("ack }\n")), symbol(at("ack => {")));
    assert_eq!(symbol(at("M {")), symbol(at("M.ack")));
    let signature = |text: &str| index.definition(symbol(at(text)).unwrap()).unwrap().signature.clone();
    assert_eq!(signature("M {"), "enum M { request(from: S), ack }");
    assert_eq!(signature("request(from: S)"), "request(from: S)");
}

#[test]
fn the_layout_stays() {
    let source = "\
symmetric Home[2];
symmetric Client[2];
type Node = Home | Client;
enum Msg { request(from, to: Client), grant(value: 0..3), ack }
enum Long {
    first(a: Client, b: Home), // one
    second(c: Node?),
    third,
}
var m: Msg = ack;
var n: Node? = none;
process P {
    rule r(c: Client) when m is ack && !(n is none) {
        m = request(from: c, to: c);
        match n! {
            Home(_) => {}
            Client(d) => { m = Msg.request(c, d); }
        }
    }
}
";
    assert_eq!(format(source).unwrap(), source);
    let odd = "type Node=Home|Client;\nenum M{a(x:bool,),b,}\n";
    let laid_out = format(odd).unwrap();
    assert_eq!(laid_out, "type Node = Home | Client;\nenum M { a(x: bool), b }\n");
}
