//! What the parser makes of each construct, as S-expressions; and the documentation, whose examples must all
//! parse.

use crate::syntax_support;

use burnside_lang::syntax::{Mode, parse_expression, sexpr_expr};
use syntax_support::{formatted, plain, tree};

/// The file `source` has the tree `expected`, up to white space at the ends.
fn file(source: &str, expected: &str) {
    assert_eq!(tree(source).trim(), expected.trim(), "{source}");
    formatted(source);
}

fn expression(source: &str, mode: Mode) -> String {
    let parsed = parse_expression(source, mode);
    assert!(parsed.diagnostics.is_empty(), "{source}\n{}", plain(source, &parsed.diagnostics));
    sexpr_expr(&parsed.expr)
}

/// Each expression has the tree next to it.
fn expressions(mode: Mode, pairs: &[(&str, &str)]) {
    for (source, expected) in pairs {
        assert_eq!(expression(source, mode), *expected, "{source}");
    }
}

#[test]
fn constants_and_types() {
    file("const N = 4;", "(const N 4)");
    file("const LIMIT: 1..100 = 2 * N + 1;", "(const LIMIT (.. 1 100) (+ (* 2 N) 1))");
    file("const BIG = 1_000_000;", "(const BIG 1000000)");
    file("type T = 0..N-1;", "(type T (.. 0 (- N 1)))");
    file("type T = -1..(1);", "(type T (.. (- 1) (paren 1)))");
    file("type T = min(a, b)..max(a, b);", "(type T (.. (call min a b) (call max a b)))");
    file("symmetric S[3]; ring R[N + 1];", "(symmetric S 3)\n(ring R (+ N 1))");
    file("enum E { a, b, }", "(enum E a b)");
    file("symmetry { }", "(symmetry)");
    file(
        "symmetry { Node (1 4)(2, -3,); Corner (a b c d), Side (north south); }",
        "(symmetry\n  (generator (Node (1 4) (2 -3)))\n  (generator (Corner (a b c d)) (Side (north south))))",
    );
    file("record R { x, y: T, z: U? }", "(record R (x T) (y T) (z (? U)))");
}

#[test]
fn variables() {
    file("var x: bool;", "(var x bool)");
    file("var x: array[I, J] of T = any;", "(var x (array I J T) any)");
    file("var x: T = any in {1, 2};", "(var x T (any (set 1 2)))");
    file("var x: set of T?;", "(var x (set (? T)))");
    file("var x: queue[5] of bag[2 * N] of int = {};", "(var x (queue 5 (bag (* 2 N) int)) (set))");
    file("var x: 0..3? = none;", "(var x (? (.. 0 3)) none)");
}

#[test]
fn functions() {
    file("fn f(): int = 1;", "(fn f (params) int 1)");
    file("fn f(a, b: T, c: U): 0..4 { a }", "(fn f (params (a T) (b T) (c U)) (.. 0 4) a)");
    file(
        "fn f(a: T): T { let b = a; let c: T = b; c + b }",
        "(fn f (params (a T)) T (let b a (let c T b (+ c b))))",
    );
}

#[test]
fn processes() {
    file("process P { }", "(process P)");
    file("fair process P { } strong fair process Q { }", "(fair process P)\n(strong fair process Q)");
    file("process P[i: I, j: 0..3] { }", "(process P (index (i I) (j (.. 0 3))))");
    file("process P[_] { }", "(process P (index _))");
    file(
        "process P[c] { var x: bool; locations a, b; at a, b { rule r { } fair rule s { } } }",
        "
(process P (index c)
  (var x bool)
  (locations a b)
  (at a b
    (rule r)
    (fair rule s)))",
    );
}

#[test]
fn rules() {
    let rule = |source: &str, expected: &str| {
        file(&format!("process P {{ {source} }}"), &format!("(process P\n  {expected})"));
    };
    rule("rule r { }", "(rule r)");
    rule("rule r() { }", "(rule r)");
    rule(
        "rule r(a, b: T, m in net) at l, k when a != b { }",
        "(rule r (params (: a b T) (in m net)) (at l k) (when (!= a b)))",
    );
    rule("rule r when x in {a, b} { }", "(rule r (when (in x (set a b))))");
    rule("rule r when x == {} { }", "(rule r (when (== x (set))))");
    rule("rule r when {a} subset s { }", "(rule r (when (subset (set a) s)))");
    rule("rule r when forall q: T { q } { }", "(rule r (when (forall (: q T) q)))");
    rule("rule r when x! { }", "(rule r (when (unwrap x)))");
    rule("strong fair rule r { x = 1; }", "(strong fair rule r\n    (= x 1))");
}

#[test]
fn statements() {
    let body = |source: &str, expected: &str| {
        file(&format!("init {{ {source} }}"), &format!("(init\n  {expected})"));
    };
    body("x = 1;", "(= x 1)");
    body("a[1].b! = any;", "(= (unwrap (. (index a 1) b)) any)");
    body("x = any in s \\ t;", "(= x (any (\\ s t)))");
    body(
        "let x = 1; let y: T = any; var z: T = 2; var w: T;",
        "(let x 1)\n  (let y T any)\n  (var z T 2)\n  (var w T)",
    );
    body(
        "if a { } else if b { x = 1; }",
        "(if a\n    (then)\n    (else\n      (if b\n        (then\n          (= x 1)))))",
    );
    body("if x == {} { } else { }", "(if (== x (set))\n    (then)\n    (else))");
    body("for i: 1..3 where i != 2 { }", "(for (: i (.. 1 3)) (where (!= i 2)))");
    body("for a, b: T, m in s { x = a; }", "(for (: a b T) (in m s)\n    (= x a))");
    body(
        "assert x; assert x, \"a \\ message\"; assume y;",
        "(assert x)\n  (assert x \"a \\\\ message\")\n  (assume y)",
    );
    body("goto l;", "(goto l)");
    body("q.push(1, 2); a[i].clear();", "(call q push 1 2)\n  (call (index a i) clear)");
}

#[test]
fn precedence() {
    expressions(
        Mode::Plain,
        &[
            ("a <-> b <-> c", "(<-> (<-> a b) c)"),
            ("a -> b -> c <-> d", "(<-> (-> a (-> b c)) d)"),
            ("a || b && c -> d", "(-> (|| a (&& b c)) d)"),
            ("a && b == c + d * -e", "(&& a (== b (+ c (* d (- e)))))"),
            ("a - b - c", "(- (- a b) c)"),
            ("a | b \\ c & d", "(\\ (| a b) (& c d))"),
            ("a / b % c", "(% (/ a b) c)"),
            ("!a == b", "(== (! a) b)"),
            ("!!a && - -b", "(&& (! (! a)) (- (- b)))"),
            ("x in s && y subset t", "(&& (in x s) (subset y t))"),
            ("a! != b!", "(!= (unwrap a) (unwrap b))"),
            ("a!! == -b!.c", "(== (unwrap (unwrap a)) (- (. (unwrap b) c)))"),
            ("a<-b", "(< a (- b))"),
            ("(a -> b) -> c", "(-> (paren (-> a b)) c)"),
        ],
    );
}

#[test]
fn operands() {
    expressions(
        Mode::Plain,
        &[
            ("true", "true"),
            ("none == x", "(== none x)"),
            ("Client#0 != Client#(i + 1)", "(!= (# Client 0) (# Client (+ i 1)))"),
            ("@l && P@l && P[i, j]@l", "(&& (&& (@ l) (@ P l)) (@ (index P i j) l))"),
            ("net[n].queue_[0].kind", "(. (index (. (index net n) queue_) 0) kind)"),
            ("b.count(x) + q.front().y", "(+ (method b count x) (. (method q front) y))"),
            ("f() + min(a, b) + sum(c)", "(+ (+ (call f) (call min a b)) (call sum c))"),
            ("Msg(kind: get, to: n,)", "(record Msg (kind get) (to n))"),
            ("Msg(get, n)", "(call Msg get n)"),
            ("if a { b } else if c { d } else { let e = f; e }", "(if a b (if c d (let e f e)))"),
            (
                "enabled(r) && enabled(r(a, b)) && enabled(P[i].r(a))",
                "(&& (&& (enabled r) (enabled (call r a b))) (enabled (method (index P i) r a)))",
            ),
            ("enabled(P[i]) || enabled(P.r)", "(|| (enabled (index P i)) (enabled (. P r)))"),
            ("[]", "(array)"),
            ("[a, b, c,]", "(array a b c)"),
            ("[a in s, b in s]", "(array (in a s) (in b s))"),
            ("[i: T => e]", "(arrayof (: i T) e)"),
            ("[i, j: 0..N-1, m in s => i + j]", "(arrayof (: i j (.. 0 (- N 1))) (in m s) (+ i j))"),
            ("[[i: T => i], a]", "(array (arrayof (: i T) i) a)"),
            ("{}", "(set)"),
            ("{a, b + c}", "(set a (+ b c))"),
            ("{a in s}", "(set (in a s))"),
            ("{i: 0..3 where i != 2}", "(setof (: i (.. 0 3)) (!= i 2))"),
            ("{i in s | t where i in u}", "(setof (in i (| s t)) (in i u))"),
        ],
    );
}

#[test]
fn quantifiers() {
    expressions(
        Mode::Plain,
        &[
            ("forall i: 0..N-1 { i > 0 }", "(forall (: i (.. 0 (- N 1))) (> i 0))"),
            ("exists a, b: T, m in s where a != b { e }", "(exists (: a b T) (in m s) (where (!= a b)) e)"),
            ("count c: T { p } == 2", "(== (count (: c T) p) 2)"),
            (
                "sum c in s { c } + min c: T { c } + max c: T { c }",
                "(+ (+ (sum (in c s) c) (min (: c T) c)) (max (: c T) c))",
            ),
            ("forall x: T { {x} == s }", "(forall (: x T) (== (set x) s))"),
            ("forall x: T { let y = x; y == x }", "(forall (: x T) (let y x (== y x)))"),
        ],
    );
}

#[test]
fn words_that_may_be_names() {
    expressions(
        Mode::Plain,
        &[
            ("count + min - max * sum", "(- (+ count min) (* max sum))"),
            ("lock == free || lock == allowed", "(|| (== lock free) (== lock allowed))"),
            ("count in s", "(in count s)"),
            ("x.min", "(. x min)"),
            ("G && X == U", "(&& G (== X U))"),
        ],
    );
    file("enum Lock { free, allowed, count }", "(enum Lock free allowed count)");
    expressions(Mode::Ltl, &[("count U min", "(U count min)"), ("c == Color.R", "(== c (. Color R))")]);
}

#[test]
fn linear_formulas() {
    expressions(
        Mode::Ltl,
        &[
            ("G (p == a -> F p == b)", "(G (paren (-> (== p a) (F (== p b)))))"),
            ("G p -> q", "(-> (G p) q)"),
            ("F p U q", "(U (F p) q)"),
            ("p U q U r", "(U p (U q r))"),
            ("p U q && r W s", "(&& (U p q) (W r s))"),
            ("p R q M r", "(R p (M q r))"),
            ("! G ! F X p", "(! (G (! (F (X p)))))"),
            ("!F p == q", "(! (F (== p q)))"),
            ("[]p", "(G p)"),
            ("[]<>p && <>[]q", "(&& (G (F p)) (F (G q)))"),
            ("[] a[0] == [1][0]", "(G (== (index a 0) (index (array 1) 0)))"),
            ("a[0] -> []b[1]", "(-> (index a 0) (G (index b 1)))"),
            ("forall c: T { G p[c] }", "(forall (: c T) (G (index p c)))"),
            ("forall c: A { F enabled(X) }", "(forall (: c A) (F (enabled X)))"),
            ("a + 1 == b U !c", "(U (== (+ a 1) b) (! c))"),
        ],
    );
}

#[test]
fn branching_formulas() {
    expressions(
        Mode::Ctl,
        &[
            ("AG EF (p)", "(AG (EF (paren p)))"),
            ("AX p == q && EX r", "(&& (AX (== p q)) (EX r))"),
            ("A[p U q]", "(A (U p q))"),
            ("E[p && q R r -> s]", "(E (R (&& p q) (-> r s)))"),
            ("E[p M A[q M r]]", "(E (M p (A (M q r))))"),
            ("!A[AF p W EG q]", "(! (A (W (AF p) (EG q))))"),
            ("AG (forall c: T { EF p[c] })", "(AG (paren (forall (: c T) (EF (index p c)))))"),
        ],
    );
}

#[test]
fn properties() {
    file("invariant p = a;", "(invariant p a)");
    file("reachable p = a;", "(reachable p a)");
    file("deadlock free; deadlock allowed;", "(deadlock free)\n(deadlock allowed)");
    file("ltl p = G a;\nvar G: bool;", "(ltl p (G a))\n(var G bool)");
    file("never n { a }", "(never n a)");
    file("never n { a; b; }", "(never n (then a b))");
    file(
        "never n { a[*]; b[+]; c[*3]; d[*2..4] }",
        "(never n (then (repeat 0 * a) (repeat 1 * b) (repeat 3 3 c) (repeat 2 4 d)))",
    );
    file(
        "never n { { a; b }[*] | { c }; d[0] == 1[+] }",
        "(never n (then (or (repeat 0 * (group (then a b))) (group c)) (repeat 1 * (== (index d 0) 1))))",
    );
    file("never n { a[*][*2] }", "(never n (repeat 2 2 (repeat 0 * a)))");
}

#[test]
fn spans_cover_what_they_should() {
    let source = "  const A = 1 + f(2)!;  ";
    let parsed = burnside_lang::syntax::parse(source);
    let item = &parsed.file.items[0];
    assert_eq!(item.span.text(source), "const A = 1 + f(2)!;");
    let burnside_lang::syntax::ast::ItemKind::Const { value: Some(value), .. } = &item.kind else { panic!() };
    assert_eq!(value.span.text(source), "1 + f(2)!");
}

/// The examples in the documentation, one string per block.
fn documented() -> Vec<String> {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src");
    let mut blocks = Vec::new();
    for entry in std::fs::read_dir(docs).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        blocks.extend(
            text.split("```orb\n").skip(1).filter_map(|rest| rest.split("```").next()).map(String::from),
        );
    }
    blocks
}

#[test]
fn the_documentation_parses_and_formats() {
    let blocks = documented();
    assert!(blocks.len() >= 7, "the examples of the language reference were not found");
    for block in blocks {
        formatted(&block);
    }
}

#[test]
fn the_examples_parse_and_format() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for entry in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "orb") {
            formatted(&std::fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
}

#[test]
fn hints() {
    file("hint h = x > 1 && y;", "(hint h (&& (> x 1) y))");
    file("hint a = x; invariant a = x; hint b = y;", "(hint a x)\n(invariant a x)\n(hint b y)");
    file("hint hint = hint;", "(hint hint hint)");
}

#[test]
fn hint_is_also_a_name() {
    file("var hint: bool; type T = hint..hint;", "(var hint bool)\n(type T (.. hint hint))");
    file("enum E { hint, other }", "(enum E hint other)");
    file(
        "process hint[hint] { var hint: T; rule hint(hint: T) when hint { hint = hint + 1; hint[hint] = hint.hint; } }",
        "(process hint (index hint)\n  (var hint T)\n  (rule hint (params (: hint T)) (when hint)\n    (= hint (+ hint 1))\n    (= (index hint hint) (. hint hint))))",
    );
    file("ltl hint = hint U hint;", "(ltl hint (U hint hint))");
}

#[test]
fn expectations() {
    file("invariant p = x expect holds;", "(expect holds (invariant p x))");
    file("ltl p = G x expect violated;", "(expect violated (ltl p (G x)))");
    file("ctl p = AG x\nexpect unknown;", "(expect unknown (ctl p (AG x)))");
    file("never p { x; y } expect violated;", "(expect violated (never p (then x y)))");
    file("never p { x } never q { y }", "(never p x)\n(never q y)");
    file("deadlock free expect violated;", "(expect violated (deadlock free))");
    file(
        "check { N = 2; B = true; L = -3; states = 30; }",
        "(check (= N 2) (= B true) (= L -3) (= states 30))",
    );
    file("check { deadlock = holds; fairness = none; }", "(check (= deadlock holds) (= fairness none))");
    file("check {} check { } check { check = check; }", "(check)\n(check)\n(check (= check check))");
}

#[test]
fn expect_and_check_are_also_names() {
    file(
        "var check: bool; const expect = 1; type T = check..expect;",
        "(var check bool)\n(const expect 1)\n(type T (.. check expect))",
    );
    file(
        "process check[expect] { rule check when check {\nif check { check = expect; }\ncheck[expect] = check.expect; } }",
        "(process check (index expect)\n  (rule check (when check)\n    (if check\n      (then\n        (= check expect)))\n    (= (index check expect) (. check expect))))",
    );
    file("invariant expect = expect expect holds;", "(expect holds (invariant expect expect))");
    file("ltl check = check U expect;", "(ltl check (U check expect))");
    file("enum E { holds, violated, unknown, states }", "(enum E holds violated unknown states)");
}
