//! Formulas from the literature, and families of formulas.
#![allow(dead_code)]

/// The specification patterns of Dwyer, Avrunin and Corbett (FMSP 1998), each in the scopes globally, before
/// R, after Q, between Q and R, after Q until R.
pub const PATTERNS: [(&str, [&str; 5]); 11] = [
    (
        "absence",
        [
            "[](!p)",
            "<>r -> (!p U r)",
            "[](q -> [](!p))",
            "[]((q & !r & <>r) -> (!p U r))",
            "[](q & !r -> (!p W r))",
        ],
    ),
    (
        "existence",
        [
            "<>p",
            "!r W (p & !r)",
            "[](!q) | <>(q & <>p)",
            "[](q & !r -> (!r W (p & !r)))",
            "[](q & !r -> (!r U (p & !r)))",
        ],
    ),
    (
        "bounded existence",
        [
            "!p W (p W (!p W (p W []!p)))",
            "<>r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
            "<>q -> (!q U (q & (!p W (p W (!p W (p W []!p))))))",
            "[]((q & <>r) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r))))))))))",
            "[](q -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p W r) | []p)))))))))",
        ],
    ),
    (
        "universality",
        ["[]p", "<>r -> (p U r)", "[](q -> []p)", "[]((q & !r & <>r) -> (p U r))", "[](q & !r -> (p W r))"],
    ),
    (
        "precedence",
        [
            "!p W s",
            "<>r -> (!p U (s | r))",
            "[]!q | <>(q & (!p W s))",
            "[]((q & !r & <>r) -> (!p U (s | r)))",
            "[](q & !r -> (!p W (s | r)))",
        ],
    ),
    (
        "response",
        [
            "[](p -> <>s)",
            "<>r -> (p -> (!r U (s & !r))) U r",
            "[](q -> [](p -> <>s))",
            "[]((q & !r & <>r) -> ((p -> (!r U (s & !r))) U r))",
            "[](q & !r -> ((p -> (!r U (s & !r))) W r))",
        ],
    ),
    (
        "precedence chain, two causes",
        [
            "<>p -> (!p U (s & !p & X(!p U t)))",
            "<>r -> (!p U (r | (s & !p & X(!p U t))))",
            "([]!q) | (!q U (q & <>p -> (!p U (s & !p & X(!p U t)))))",
            "[]((q & <>r) -> (!p U (r | (s & !p & X(!p U t)))))",
            "[](q -> (<>p -> (!p U (r | (s & !p & X(!p U t))))))",
        ],
    ),
    (
        "precedence chain, two effects",
        [
            "(<>(s & X<>t)) -> ((!s) U p)",
            "<>r -> ((!(s & (!r) & X(!r U (t & !r)))) U (r | p))",
            "([]!q) | ((!q) U (q & ((<>(s & X<>t)) -> ((!s) U p))))",
            "[]((q & <>r) -> ((!(s & (!r) & X(!r U (t & !r)))) U (r | p)))",
            "[](q -> (!(s & (!r) & X(!r U (t & !r))) U (r | p) | [](!(s & X<>t))))",
        ],
    ),
    (
        "response chain, two stimuli",
        [
            "[](s & X<>t -> X(<>(t & <>p)))",
            "<>r -> (s & X(!r U t) -> X(!r U (t & <>p))) U r",
            "[](q -> [](s & X<>t -> X(!t U (t & <>p))))",
            "[]((q & <>r) -> (s & X(!r U t) -> X(!r U (t & <>p))) U r)",
            "[](q -> (s & X(!r U t) -> X(!r U (t & <>p))) U (r | [](s & X(!r U t) -> X(!r U (t & <>p)))))",
        ],
    ),
    (
        "response chain, two responses",
        [
            "[](p -> <>(s & X<>t))",
            "<>r -> (p -> (!r U (s & !r & X(!r U t)))) U r",
            "[](q -> [](p -> (s & X<>t)))",
            "[]((q & <>r) -> (p -> (!r U (s & !r & X(!r U t)))) U r)",
            "[](q -> (p -> (!r U (s & !r & X(!r U t)))) U (r | [](p -> (s & X<>t))))",
        ],
    ),
    (
        "constrained response chain",
        [
            "[](p -> <>(s & !z & X(!z U t)))",
            "<>r -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r",
            "[](q -> [](p -> (s & !z & X(!z U t))))",
            "[]((q & <>r) -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r)",
            "[](q -> (p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U (r | [](p -> (s & !z & X(!z U t)))))",
        ],
    ),
];

fn all(count: usize, of: impl Fn(usize) -> String, between: &str) -> String {
    (0..count).map(of).collect::<Vec<_>>().join(between)
}

type Family = fn(usize) -> String;

/// Families of formulas by size.
pub const FAMILIES: [(&str, Family); 8] = [
    ("response under fairness", |n| format!("({}) -> G(p -> F q)", all(n, |i| format!("GF a{i}"), " && "))),
    ("strong fairness", |n| all(n, |i| format!("(GF a{i} -> GF b{i})"), " && ")),
    ("response under strong fairness", |n| {
        format!("({}) -> G(p -> F q)", all(n, |i| format!("(GF a{i} -> GF b{i})"), " && "))
    }),
    ("responses", |n| all(n, |i| format!("G(p{i} -> F q{i})"), " && ")),
    ("weak fairness", |n| format!("({}) -> F g", all(n, |i| format!("(FG a{i} -> GF b{i})"), " && "))),
    ("some infinitely often", |n| all(n, |i| format!("GF a{i}"), " || ")),
    ("untils to the left", |n| (1..=n).fold("a0".into(), |left, i| format!("({left}) U a{i}"))),
    ("all in any order", |n| all(n, |i| format!("F a{i}"), " && ")),
];
