//! What models never do: the same with every symmetry reduction and without, and rules that never fire are
//! those that the oracle never fires.

use burnside::{Coverage, Gap, GapKind, LoadOptions, Model, Options, Symmetry, coverage};
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::oracle::Oracle;
use std::collections::{BTreeMap, BTreeSet};

/// Larger models are left out.
const LIMIT: usize = 300;

fn load(text: &str) -> Model {
    let options = LoadOptions { coverage: true, ..LoadOptions::new() };
    Model::load(text, &options).into_model().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn covered(model: &Model, symmetry: Symmetry) -> Coverage {
    coverage(model, &Options { symmetry, ..Options::default() }).unwrap()
}

/// The gaps without symmetry, after those with it were found to be the same.
fn compared(model: &Model, context: &str) -> (Coverage, bool) {
    let plain = covered(model, Symmetry::None);
    let mut reduced = false;
    for symmetry in [Symmetry::Auto, Symmetry::Fast, Symmetry::Exact] {
        let other = covered(model, symmetry);
        reduced |= other.visited < plain.visited;
        assert_eq!(other.gaps, plain.gaps, "{symmetry:?}\n{context}");
    }
    (plain, reduced)
}

#[test]
fn random_models_are_covered_alike() {
    let (mut reduced, mut kinds) = (0, BTreeMap::<String, u64>::new());
    for seed in seeds(0..400) {
        let flavor = [Flavor::Symmetric, Flavor::Liveness, Flavor::Any, Flavor::Indexed][seed as usize % 4];
        let text = generate(seed, flavor).text;
        let model = load(&text);
        let Ok(exploration) = Oracle::new(model.hir().unwrap(), &text).explore(LIMIT) else { continue };
        let (plain, is_reduced) = compared(&model, &text);
        reduced += u64::from(is_reduced);
        plain.gaps.iter().for_each(|gap| *kinds.entry(gap.kind.to_string()).or_default() += 1);
        let steps = exploration.graph.nodes.values().flat_map(|node| &node.steps);
        let fired: BTreeSet<String> = steps.map(|(label, _)| without_indices(&label.rule)).collect();
        let never = plain.gaps.iter().filter(|gap| gap.kind == GapKind::Rule);
        let never: BTreeSet<String> = never.filter_map(|gap| gap.rule.clone()).collect();
        let rules = model.system.rules.iter();
        let all = rules.map(|rule| format!("{}.{}", model.system.process(rule.process).name, rule.name));
        let expected: BTreeSet<String> = all.filter(|rule| !fired.contains(rule)).collect();
        assert_eq!(never, expected, "seed {seed}\n{text}");
    }
    println!("{reduced} reduced, {kinds:?}");
    if are_all() {
        assert!(reduced >= 100, "{reduced}");
        assert!(kinds.len() == 6 && kinds.values().all(|count| *count >= 5), "{kinds:?}");
    }
}

/// `P[0].r` without the index.
fn without_indices(rule: &str) -> String {
    match (rule.find('['), rule.rfind("].")) {
        (Some(start), Some(end)) => format!("{}{}", &rule[..start], &rule[end + 1..]),
        _ => rule.to_string(),
    }
}

#[test]
fn examples_are_covered_alike() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for path in files(folder, "orb") {
        let text = std::fs::read_to_string(&path).unwrap();
        let model = load(&text);
        let limits = burnside::Limits { states: Some(3_000), ..burnside::Limits::default() };
        // Without symmetry they must not be too many.
        if coverage(&model, &Options { limits, symmetry: Symmetry::None, ..Options::default() }).is_ok() {
            compared(&model, &path.display().to_string());
        }
    }
}

#[test]
fn the_order_of_members_does_not_matter() {
    // A quantifier that stops at the first member that decides does not look at those behind it. Which these
    // are differs between the states of an orbit: of one of the two, `b` or `a`, the representative would
    // never see that it is true.
    let text = "
        symmetric P[2];
        var a: array[P] of bool;
        var b: array[P] of bool;
        var done: bool;
        process P[p: P] {
            rule pick(q: P) when !done && q != p { a[p] = true; b[q] = true; done = true; }
            rule stay when done { done = true; }
            rule lost when done && a[p] && b[p] { done = false; }
        }
        invariant x = exists q: P { (b[q] -> done) && a[q] };
        invariant y = exists q: P { (a[q] -> done) && b[q] };
        invariant z = forall q: P { a[q] && b[q] -> done };
    ";
    let (plain, reduced) = compared(&load(text), text);
    assert!(reduced);
    let told = |gap: &Gap| (gap.kind, gap.site.as_ref().unwrap().text.clone());
    let expected = [(GapKind::Rule, "P.lost".to_string()), (GapKind::Premise, "a[q] && b[q]".to_string())];
    assert_eq!(plain.gaps.iter().map(told).collect::<Vec<_>>(), expected);
}
