//! The formatter: its layout, and that it keeps the meaning and the comments.

use crate::syntax_support;

use burnside_lang::syntax::format;
use syntax_support::formatted;

/// Formats `source`, which must give `expected`; both without the indentation of the test.
fn check(source: &str, expected: &str) {
    assert_eq!(formatted(source).trim_end(), expected.trim());
}

#[test]
fn nothing_stays_nothing() {
    check("", "");
    check("  \n\n ", "");
    check("// only\n", "// only");
    check("\u{feff}const A = 1;", "const A = 1;");
}

#[test]
fn errors_are_passed_on() {
    let errors = format("const A = ;").unwrap_err();
    assert_eq!(errors[0].code, "unexpected-token");
}

#[test]
fn names_from_other_files_stay_together() {
    check("import   \"a/b.orb\"  as l ;import\"c.orb\" ;", "import \"a/b.orb\" as l;\nimport \"c.orb\";");
    check(
        "var x:array[ l.I ]of l . T;type U=l.A|l.B|C;",
        "var x: array[l.I] of l.T;\ntype U = l.A | l.B | C;",
    );
    check("const A=l.R( a:l.S # 1,b:l.f( 2 ) );", "const A = l.R(a: l.S#1, b: l.f(2));");
    check(
        "fn f(m:l.M):int=match m{l.E.a(c)=>1,l.b|d=>2};",
        "fn f(m: l.M): int = match m { l.E.a(c) => 1, l.b | d => 2 };",
    );
    check("check{l.N=3;}", "check { l.N = 3; }");
}

#[test]
fn choices_are_laid_out_like_quantifiers() {
    check("invariant p=(choose  c:C where c!=d)==d;", "invariant p = (choose c: C where c != d) == d;");
    check("invariant p=x==choose m  in q;", "invariant p = x == choose m in q;");
}

#[test]
fn spacing_is_normal() {
    check("const   A=1+2*-3;const B:0..N-1=A;", "const A = 1 + 2 * -3;\nconst B: 0..N-1 = A;");
    check("var x:array[0..3,E]of queue [4] of T ?;", "var x: array[0..3, E] of queue[4] of T?;");
    check("invariant p=!a&&(b||c)->x!.f[ 1 , 2 ]@L;", "invariant p = !a && (b || c) -> x!.f[1, 2]@L;");
    check("invariant p=Client # 0!=Client#( i+1 );", "invariant p = Client#0 != Client#(i + 1);");
    check("ltl p=[]<>a&&G(F b)U!c;", "ltl p = [] <> a && G (F b) U !c;");
    check("ctl p=A [a U b]&&EX(c);", "ctl p = A[a U b] && EX (c);");
    check("hint h=a&&hint==hint;hint hint=b;", "hint h = a && hint == hint;\nhint hint = b;");
    check(
        "invariant p=a expect   holds;deadlock free expect violated ;",
        "invariant p = a expect holds;\ndeadlock free expect violated;",
    );
    check("never n{a}expect violated;never m{b}", "never n { a } expect violated;\nnever m { b }");
    check("check{N=2;L=- 3;states=30;p=violated;}", "check { N = 2; L = -3; states = 30; p = violated; }");
    check(
        "check{}check {\nN=2; // two\n\n\n states=3;}",
        "check {}\ncheck {\n    N = 2; // two\n\n    states = 3;\n}",
    );
    let long = "a".repeat(90);
    check(
        &format!("invariant p = {long} expect holds;"),
        &format!("invariant p = {long}\n    expect holds;"),
    );
    check("init{x={ };y={ a,b };z=[ ];}", "init { x = {}; y = {a, b}; z = []; }");
    check("never n{a;b [ * ];{c;d;}[*2..4]|{e}}", "never n { a; b[*]; { c; d }[*2..4] | { e } }");
}

#[test]
fn generators() {
    check("symmetry{Node(1   4) (2,3 , );}", "symmetry { Node (1 4)(2, 3); }");
    check(
        "symmetry{ // all\nA(a b),B (0 -1 1);\n\n// another\nA (c d);// last\n}",
        "
symmetry { // all
    A (a b), B (0 -1 1);

    // another
    A (c d); // last
}",
    );
    let many: Vec<String> = (0..60).map(|i| i.to_string()).collect();
    let long = formatted(&format!("symmetry {{ Node ({}); }}", many.join(" ")));
    assert!(long.lines().count() > 3 && long.lines().all(|line| line.len() <= 100), "{long}");
}

#[test]
fn short_bodies_stay_on_their_line() {
    check(
        "process P { rule a when x { y = 1; z = 2; } rule b {\n x = 1; } rule c { } }",
        "
process P {
    rule a when x { y = 1; z = 2; }
    rule b {
        x = 1;
    }
    rule c {}
}",
    );
}

#[test]
fn long_rules_break() {
    check(
        "process P { fair rule long_name(c: Client, d: 0..N-1, m in net) at here, there when phase[c] == requested && owner == none { x = 1; } }",
        "
process P {
    fair rule long_name(c: Client, d: 0..N-1, m in net)
        at here, there
        when phase[c] == requested && owner == none
    {
        x = 1;
    }
}",
    );
    check(
        "process P { rule a { first_variable = 1; second_variable = 2; third_variable = 3; fourth_variable = 4; fifth = 5; } }",
        "
process P {
    rule a {
        first_variable = 1;
        second_variable = 2;
        third_variable = 3;
        fourth_variable = 4;
        fifth = 5;
    }
}",
    );
}

#[test]
fn long_chains_break_before_the_operators() {
    check(
        "invariant p = first_condition_holds && second_condition_holds && third_condition_holds || fourth_condition_holds;",
        "
invariant p =
    first_condition_holds && second_condition_holds && third_condition_holds
    || fourth_condition_holds;",
    );
    check(
        "init { assert first_condition_holds && second_condition_holds && third_condition_holds && fourth_condition; }",
        "
init {
    assert first_condition_holds
        && second_condition_holds
        && third_condition_holds
        && fourth_condition;
}",
    );
}

#[test]
fn long_properties_break_inside_their_brackets() {
    check(
        "invariant p = forall a, b: Client { phase[a] == using && phase[b] == using && lock == busy -> a == b };
ctl q = AG (first_condition_holds_here && second_condition_holds_here -> AF (third_condition_holds));",
        "
invariant p = forall a, b: Client {
    phase[a] == using && phase[b] == using && lock == busy -> a == b
};
ctl q = AG (
    first_condition_holds_here && second_condition_holds_here -> AF (third_condition_holds)
);",
    );
}

#[test]
fn long_lists_break() {
    let numbers = (0..60).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    insta::assert_snapshot!(formatted(&format!("const A = [{numbers}];")), @r"
    const A = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
        50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    ];
    ");
    check("enum E {\na, b }\nenum F { a, b, }", "enum E {\n    a, b,\n}\nenum F { a, b }");
    check(
        "fn a_long_function_name(first_parameter: int, second_parameter: 0..100, third_parameter, fourth: bool): int = 1;",
        "
fn a_long_function_name(
    first_parameter: int,
    second_parameter: 0..100,
    third_parameter,
    fourth: bool,
): int = 1;",
    );
}

#[test]
fn functions_keep_their_form() {
    check(
        "fn f(a: int): int { a }\nfn g(a: int): int = if a > 0 { a } else if a < 0 { -a } else { 0 };
fn h(a: int): int { let b = a; let c: 0..3 = b; b + c }\nfn k(): int {\n1 }",
        "
fn f(a: int): int { a }
fn g(a: int): int = if a > 0 { a } else if a < 0 { -a } else { 0 };
fn h(a: int): int { let b = a; let c: 0..3 = b; b + c }
fn k(): int {
    1
}",
    );
}

#[test]
fn statements_keep_their_lines() {
    check(
        "init { if a { x = 1; } else if b { y = any in s; } else { z = any; } for i: 1..3 where i != 2 { q.push(i); }\n}",
        "
init {
    if a { x = 1; } else if b { y = any in s; } else { z = any; }
    for i: 1..3 where i != 2 { q.push(i); }
}",
    );
    check(
        "init { if a {\n x = 1; } else { y = 2; } }",
        "
init {
    if a {
        x = 1;
    } else {
        y = 2;
    }
}",
    );
}

#[test]
fn blank_lines_are_kept_but_not_piled_up() {
    check(
        "\n\nconst A = 1;\n\n\n\nconst B = 2;\nprocess P {\n\n  var x: bool;\n\n\n  var y: bool;\n\n}\n\n\n",
        "const A = 1;\n\nconst B = 2;\nprocess P {\n    var x: bool;\n\n    var y: bool;\n}",
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "//! head\n\n// above\nconst A = 1; // beside\n/* block */ const B = 2; /* after */\n// below\n\n\n// end",
        "
//! head

// above
const A = 1; // beside
/* block */
const B = 2; /* after */
// below

// end",
    );
    check(
        "process P { // open\n// first\nrule a { } // beside\n\n// last\n}",
        "
process P { // open
    // first
    rule a {} // beside

    // last
}",
    );
    check(
        "enum E { a, // one\n b // two\n}\nenum F { /* none */ }\ninit {\n// nothing\n}",
        "
enum E {
    a, // one
    b, // two
}
enum F { /* none */ }
init {
    // nothing
}",
    );
}

#[test]
fn comments_inside_expressions_break_them() {
    check(
        "invariant p = a // why a\n && b\n // why c\n && c;",
        "
invariant p =
    a // why a
    && b
    // why c
    && c;",
    );
    check("const A = // why\n 4;", "const A = // why\n    4;");
    check("const A = f(/* x */ 1, 2 /* y */);", "const A = f(/* x */ 1, 2 /* y */);");
}

/// Comments between any two tokens of these survive.
#[test]
fn comments_survive_everywhere() {
    let source = "const A: 0..N-1 = [i: T => f(i, 2)][0]; enum E { a, b, } record R { x, y: T?, }
process P[i: I, j] { var x: set of T = any; locations l, m; at l, m { rule a { goto l; } }
strong fair rule r(a, b: T, c in s,) at l when x == {} { if a { b = any in s; } else if c { } else { x.y!.z(1,); } for i: T where e { assert x, \"s\"; } } }
fn f(a, b: int): int { let x: T = 1; if a { x } else { Msg(k: 1, l: {i in s where i}) } }
ltl p = forall a: T, b in s where a { [] a -> <> (a U b) }; ctl q = A[a U b]; never n { {a; b;}[*2..4] | {c}; d[+] }
deadlock free; symmetric S[3]; type T = bag[3] of E; invariant v = S#0 == S#(1) && enabled(P[1].r(2)) && @l && -1 == -x;";
    let ends: Vec<usize> = burnside_lang::syntax::lexer::lex(source)
        .tokens
        .iter()
        .map(|token| token.span.end as usize)
        .collect();
    for comment in ["// c\n", "/* c */", "\n// c\n", "\n/* c\n c */\n\n", " /* c */ // d\n\n\n // e\n", "\n"]
    {
        for &end in &ends {
            formatted(&format!("{}{comment}{}", &source[..end], &source[end..]));
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let pieces: Vec<&str> = starts.zip(&ends).map(|(start, &end)| &source[start..end]).collect();
        formatted(&pieces.join(comment));
    }
}

/// The same at every width: names of growing length push every construct over the edge.
#[test]
fn every_width_is_stable() {
    let source = "const A: 0..N-1 = [i: T => f(i, NAME)][0]; enum E { a, NAME, b } record R { x: NAME, y: T? }
process P[i: I, j: NAME] { locations l, NAME; at l, m { rule a { goto l; } }
rule r(a: NAME, b: T) at l when x == {} && NAME { if a == NAME { b = any in s; } else if c { } else { x.y!.z(NAME, 1); } for i: T where NAME { assert NAME && y, \"s\"; } } }
fn f(a: int, b: NAME): int { let x: T = NAME; if a { NAME } else { Msg(k: 1, l: {i in s where NAME}) } }
ltl p = forall a: T, b in NAME where a { [] a -> <> (NAME U b) && c }; ctl q = A[a U NAME];
never n { {a; NAME}[*2..4] | {c}; d[+] } invariant v = S#(NAME) == NAME + 1 || enabled(P[1].r(NAME)) -> -NAME == -x;";
    for length in 1..110 {
        formatted(&source.replace("NAME", &"n".repeat(length)));
    }
}

#[test]
fn needless_semicolons_go() {
    let source = "enum E { a };  // one\nrecord R { x: bool };\nprocess P {\n    at l { rule a {}; };\n    rule b { if x { y = 1; }; for i: T { y = 1; }; };\n};\ninit {};\nvar x: E;\n";
    let wanted = "enum E { a }  // one\nrecord R { x: bool }\nprocess P {\n    at l { rule a {} }\n    rule b { if x { y = 1; } for i: T { y = 1; } }\n}\ninit {}\nvar x: E;\n";
    assert_eq!(format(source).unwrap(), format(wanted).unwrap());
    assert!(!format(source).unwrap().contains("};"));
}
