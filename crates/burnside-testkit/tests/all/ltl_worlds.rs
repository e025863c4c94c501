//! Small linear-time formulas, all of them: quantified names that are used and that are not, over types of
//! one value and of two, above and below every operator. The library says in every way what the oracle says.

use burnside::{AutomatonSymmetry, Method, Symmetry};
use burnside_testkit::cases::parts;
use burnside_testkit::compare::{Compared, Way, compare_in};

/// What a name is quantified over, in a model with a variable `x` of that type.
const TYPES: [&str; 9] = [
    "type T = bool;",
    "type T = 0..1;",
    "type T = 3..3;",
    "enum T { one }",
    "enum T { one, two }",
    "symmetric T[1];",
    "symmetric T[2];",
    "ring T[1];",
    "ring T[2];",
];

/// What is put around a formula.
const AROUND: [&str; 14] = [
    "forall v: T { _ }",
    "exists v: T { _ }",
    "!(_)",
    "X (_)",
    "F (_)",
    "G (_)",
    "(_) && p",
    "(_) || p",
    "(_) -> p",
    "(_) <-> p",
    "(_) U p",
    "p R (_)",
    "(_) W p",
    "p M (_)",
];

/// All formulas in which these are put around `true`, `false`, a condition, and one with a name that is
/// bound.
fn formulas(depth: usize) -> Vec<String> {
    let mut found = vec!["true".to_string(), "false".to_string(), "p".to_string(), "x == v".to_string()];
    for _ in 0..depth {
        let around = |inner: &String| AROUND.map(|shape| shape.replace('_', inner));
        found = found.iter().flat_map(around).collect();
    }
    found.retain(|formula| formula.contains("v:") && is_closed(formula));
    found
}

/// Whether a name is bound wherever it is used: there is one use at most, and it is innermost.
fn is_closed(formula: &str) -> bool {
    !formula.contains("x == v") || formula.contains("v: T {")
}

fn model(declared: &str, formulas: &[String]) -> String {
    let turn = if declared.starts_with("ring") { "next(x)" } else { "t" };
    let properties = formulas.iter().enumerate().map(|(i, formula)| format!("ltl f{i} = {formula};\n"));
    let properties: String = properties.collect();
    format!(
        "{declared}\nvar x: T = any;\nvar p: bool;\n\
         process P {{ rule flip {{ p = !p; }} fair rule go(t: T) when p {{ x = {turn}; }} }}\n{properties}"
    )
}

/// The usual way, and then all others of linear time that differ in symmetry, method and quantifiers.
fn ways() -> Vec<Way> {
    let mut ways = vec![Way::default()];
    for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
        for method in [Method::OnTheFly, Method::TwoPhase] {
            for automaton in [AutomatonSymmetry::Local, AutomatonSymmetry::Exact, AutomatonSymmetry::None] {
                for keep_quantifiers in [false, true] {
                    ways.push(Way { symmetry, method, automaton, keep_quantifiers, ..Way::default() });
                }
            }
        }
    }
    ways
}

fn agree(declared: &str, formulas: &[String], ways: &[Way]) {
    let chunks: Vec<&[String]> = formulas.chunks(64).collect();
    for i in parts(chunks.len()) {
        let text = model(declared, chunks[i]);
        match compare_in(&text, &[], 100, ways) {
            Ok(Compared::Agree(_)) => {}
            Ok(Compared::TooLarge) => panic!("too large:\n{text}"),
            Err(problem) => panic!("{problem}\n{text}"),
        }
    }
}

#[test]
fn shallow_formulas_in_every_way() {
    let mut all = formulas(1);
    all.extend(formulas(2));
    let ways: Vec<Way> = ways().into_iter().chain(Way::symbolic(0)).collect();
    TYPES.iter().for_each(|declared| agree(declared, &all, &ways));
}

/// Each type gets a part of them, and each part some of the ways.
#[test]
fn deeper_formulas() {
    let (all, ways) = (formulas(3), ways());
    for (i, declared) in TYPES.iter().enumerate() {
        let some: Vec<String> = all.iter().skip(i).step_by(TYPES.len()).cloned().collect();
        let usual = [Way::default()];
        let others = ways.iter().skip(1 + i).step_by(TYPES.len());
        let ways: Vec<Way> = usual.into_iter().chain(others.copied()).collect();
        agree(declared, &some, &ways);
    }
}

/// Nothing is left of the formula, of the automaton and of the symmetry.
#[test]
fn a_quantifier_above_nothing() {
    let text = "var x: bool; process P { rule flip { x = !x; } }
        ltl holds = exists b: bool { G true };
        ltl fails = forall b: bool { F false };";
    assert!(matches!(compare_in(text, &[], 10, &ways()), Ok(Compared::Agree(_))));
}
