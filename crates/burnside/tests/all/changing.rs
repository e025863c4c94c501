//! Properties about steps under fairness for which only steps count that change something: `fair changing
//! rule r when g { x = e; }` is a fair rule where `e` is not `x`, beside one that is not fair where it is.

use burnside::{Engine, LoadOptions, Method, Model, Options, Symmetry, Verdict, check};

/// Guards, what is done, and when that changes something.
const NUMBERS: [(&str, &str, &str); 6] = [
    ("true", "t = (t + 1) % 3;", "true"),
    ("true", "t = if t == 2 { 2 } else { t + 1 };", "t != 2"),
    ("t != 1", "t = 0;", "t != 0"),
    ("o == none", "t = 2;", "t != 2"),
    ("t > 0", "t = t - t % 2;", "t % 2 != 0"),
    ("t < 2", "t = if t == 1 { 2 } else { t };", "t == 1"),
];
/// The last of them comes with a rule that leads to and fro between where it changes something and where not:
/// there it matters for strong fairness what counts.
const LAST: usize = NUMBERS.len() - 1;
const OWNERS: [(&str, &str, &str); 4] = [
    ("t != 0", "o = c;", "o != c"),
    ("o == c", "o = none;", "true"),
    ("o == none || o == c", "o = if t == 0 { o } else { c };", "t != 0 && o != c"),
    ("true", "o = c;", "o != c"),
];
const FORMULAS: [&str; 13] = [
    "G F t' != t",
    "F G t' == t",
    "G (t' == t -> F t' != t)",
    "G (t' >= t)",
    "G F o' != o",
    "F G o' == o",
    "F t' < t",
    "forall c: C { G F (o == c && o' != c) }",
    "exists c: C { F G (o' == c && t' == t) }",
    "forall c: C { G (o == c -> F o' != o) }",
    "forall c: C { F (o != c && o' == c) -> G F (o != o') }",
    "G (o' == o || t' == t)",
    "G F t' != t -> F t' == 2",
];

/// What is true of each formula; panics where that is not known.
fn verdicts(text: &str, options: &Options) -> Vec<bool> {
    let model =
        Model::load(text, &LoadOptions::new()).model.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let report = check(&model, options, &mut ()).unwrap();
    let verdict = |i: usize| match &report.answer(&format!("p{i}")).expect("it is answered").verdict {
        Verdict::Holds => true,
        Verdict::Violated => false,
        other => panic!("{}: {other:?}\n{text}", FORMULAS[i]),
    };
    (0..FORMULAS.len()).map(verdict).collect()
}

#[test]
fn what_is_remembered_is_no_change() {
    let properties = FORMULAS.iter().enumerate().map(|(i, formula)| format!("ltl p{i} = {formula};\n"));
    let properties: String = properties.collect();
    let plain = Options { symmetry: Symmetry::None, ..Options::default() };
    let ways = [
        plain.clone(),
        Options::default(),
        Options { symmetry: Symmetry::Exact, ..Options::default() },
        Options { method: Method::TwoPhase, ..Options::default() },
        Options { engine: Engine::Symbolic, ..Options::default() },
    ];
    let (mut hold, mut fail, mut by_change) = (0, 0, 0);
    for (i, (guard, does, changes)) in NUMBERS.iter().enumerate() {
        for (j, (of, takes, moves)) in OWNERS.iter().enumerate() {
            let fair = if (i + j) % 2 == 0 && i != LAST { "fair" } else { "strong fair" };
            let rest = match i % 2 == 0 {
                true => "rule idle { t = t; }",
                false if i == LAST => "rule flip when t < 2 { t = 1 - t; }",
                false => "rule back when t == 2 { t = 0; o = none; }",
            };
            let model = |rules: &str| {
                let head = "symmetric C[2]; var t: 0..2; var o: C?; deadlock allowed;";
                format!("{head}\nprocess P {{ {rules} {rest} }}\n{properties}")
            };
            let together = |fair: &str| {
                let first = format!("{fair} rule r when {guard} {{ {does} }}");
                model(&format!("{first} {fair} rule w(c: C) when {of} {{ {takes} }}"))
            };
            let apart = model(&format!(
                "{fair} rule r when ({guard}) && ({changes}) {{ {does} }} rule r2 when ({guard}) && !({changes}) {{ {does} }}
                {fair} rule w(c: C) when ({of}) && ({moves}) {{ {takes} }} rule w2(c: C) when ({of}) && !({moves}) {{ {takes} }}"
            ));
            let expected = verdicts(&apart, &plain);
            let text = together(&format!("{fair} changing"));
            for (number, options) in ways.iter().enumerate() {
                assert_eq!(verdicts(&text, options), expected, "way {number}\n{text}");
            }
            hold += expected.iter().filter(|holds| **holds).count();
            fail += expected.iter().filter(|holds| !**holds).count();
            let without = verdicts(&together(fair), &plain);
            by_change += expected.iter().zip(without).filter(|(a, b)| **a != *b).count();
        }
    }
    assert!(
        hold > 40 && fail > 40 && by_change >= OWNERS.len(),
        "{hold} hold, {fail} fail, {by_change} by change"
    );
}
