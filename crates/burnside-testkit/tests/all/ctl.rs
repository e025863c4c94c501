//! Random models with branching-time properties under fairness, with fixed seeds: by every algorithm, with
//! symmetry and without, with paths that stay in deadlocks and with paths that end there, the library says
//! what the oracle says, and the trees that it shows are right.
//!
//! More seeds, without end, are for `cargo xtask fuzz ctl`.

use burnside::{Options, Verdict};
use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::compare::{Way, load};
use burnside_testkit::fuzz::{Tally, agree};
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::graph;
use burnside_testkit::oracle::{Oracle, Setting, Texts};
use burnside_trace::{End, Evidence, Tree};
use std::ops::Range;

/// Larger models are left out.
const LIMIT: usize = 120;

fn run(seeds: impl IntoIterator<Item = u64>, ways: fn(u64) -> Vec<Way>) -> Tally {
    let tally = agree(seeds, Flavor::Branching, LIMIT, ways);
    println!("{}", tally.branching);
    tally
}

/// The models agree, and are worth it: verdicts differ, fairness matters, there is symmetry, there are cycles
/// and deadlocks, and trees of runs.
fn worthwhile(usual: Range<u64>) {
    let tally = run(seeds(usual), Way::some_branching);
    if !are_all() {
        return;
    }
    let (all, branching) = (tally.agreed + tally.skipped, &tally.branching);
    assert!(tally.skipped * 20 < all, "too many are skipped: {tally:?}");
    assert!(branching.reduced * 2 > branching.models, "too few are symmetric: {branching}");
    assert!(branching.cyclic * 3 > branching.models * 2, "too few go around: {branching}");
    assert!(branching.dead * 10 > branching.models, "too few end: {branching}");
    assert!(branching.fairness_matters * 6 > branching.models, "fairness matters too rarely: {branching}");
    let properties = branching.properties;
    assert!(
        branching.holding * 10 > properties * 3 && branching.holding * 10 < properties * 7,
        "{branching}"
    );
    assert!(branching.by_strong_fairness * 150 > properties, "too few need strong fairness: {branching}");
    assert!(branching.by_deadlock * 400 > properties, "deadlocks matter too rarely: {branching}");
    assert!(branching.properties_reduced * 2 > properties, "too few are judged on orbits: {branching}");
    assert!(branching.unaffordable * 50 < properties, "too many are not judged: {branching}");
    assert!(branching.unanswered * 200 < properties, "too many are not answered: {branching}");
    assert!(branching.undefined > 0 && branching.undefined * 20 < properties, "{branching}");
    assert!(branching.looked.runs > branching.trees / 2, "too few runs: {branching}");
    assert!(branching.looked.loops > branching.trees / 10, "too few loops: {branching}");
    assert!(branching.looked.depth > 2, "trees are flat: {branching}");
    let constructs = [
        "fairness.mixed",
        "fairness.none",
        "fairness.strong",
        "fairness.weak",
        "liveness.assert",
        "liveness.collection",
        "liveness.generators",
        "liveness.idle",
        "constraint",
        "fairness.changing",
        "rule.priority",
        "set.inside",
        "set.outside",
        "set.parameter",
        "liveness.named",
        "liveness.parameter",
        "liveness.range",
        "liveness.ring",
        "liveness.single",
        "liveness.symmetric",
        "liveness.two_sorts",
        "ctl.exists",
        "ctl.exists_two",
        "ctl.forall",
        "ctl.forall_exists",
        "ctl.forall_two",
        "ctl.inner",
        "ctl.joined_fronts",
        "ctl.no_front",
        "ctl.random",
        "ctl.release",
        "ctl.strong_release",
        "ctl.until",
        "ctl.weak_until",
        "formula.enabled",
        "formula.may_fault",
    ];
    let missing: Vec<_> =
        constructs.iter().filter(|construct| !tally.used.contains_key(*construct)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn models_agree_1() {
    worthwhile(0..1000);
}

#[test]
fn models_agree_2() {
    worthwhile(1000..2000);
}

#[test]
fn models_agree_3() {
    worthwhile(2000..3000);
}

#[test]
fn models_agree_4() {
    worthwhile(3000..4000);
}

#[test]
fn models_agree_5() {
    worthwhile(4000..5000);
}

/// Other seeds, from outside, in every way: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz ctl` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    run(seeds, |_| Way::all());
}

#[test]
fn the_same_seed_gives_the_same_text() {
    for seed in 0..50 {
        assert_eq!(generate(seed, Flavor::Branching).text, generate(seed, Flavor::Branching).text);
    }
}

/// Trees with one thing changed. Those that only leave something out may still be right.
fn changed(tree: &Tree) -> Vec<Tree> {
    let again =
        |trees: Vec<Tree>, wrap: &dyn Fn(Tree) -> Tree| trees.into_iter().map(wrap).collect::<Vec<_>>();
    let mut found = match tree {
        Tree::Condition | Tree::Everywhere | Tree::Omitted => Vec::new(),
        Tree::Side(i, inner) => {
            let mut found = again(changed(inner), &|tree| Tree::Side(*i, Box::new(tree)));
            found.push(Tree::Side(1 - i, inner.clone()));
            found
        }
        Tree::Value(value, inner) => {
            let mut found = again(changed(inner), &|tree| Tree::Value(*value, Box::new(tree)));
            found.push(Tree::Value(value + 99, inner.clone()));
            found
        }
        Tree::Both(trees) => {
            let [a, b] = &**trees;
            let mut found = again(changed(a), &|tree| Tree::Both(Box::new([tree, b.clone()])));
            found.extend(again(changed(b), &|tree| Tree::Both(Box::new([a.clone(), tree]))));
            found
        }
        Tree::Run(run, marks) => {
            let mut found = Vec::new();
            for (i, (_, tree)) in marks.iter().enumerate() {
                for tree in changed(tree) {
                    let mut marks = marks.clone();
                    marks[i].1 = tree;
                    found.push(Tree::Run(run.clone(), marks));
                }
            }
            let mut with = |change: &dyn Fn(&mut Evidence)| {
                let mut run = run.clone();
                change(&mut run);
                found.push(Tree::Run(run, marks.clone()));
            };
            with(&|run| drop(run.steps.pop()));
            with(&|run| drop(run.states.remove(0)));
            with(&|run| run.end = End::Loop(run.states.len()));
            if let [first, .., last] = &run.steps[..]
                && first != last
            {
                with(&|run| run.steps.reverse());
            }
            found
        }
    };
    found.push(match tree {
        Tree::Everywhere => Tree::Condition,
        _ => Tree::Everywhere,
    });
    found
}

/// The check of trees is worth something: the opposite verdict is not shown by a tree, and most changes are
/// seen.
#[test]
fn changed_trees_are_refused() {
    let (mut refused, mut all) = (0, 0);
    for seed in seeds(0..60) {
        let text = generate(seed, Flavor::Branching).text;
        let model = load(&text, &[]).unwrap();
        let Ok(exploration) = Oracle::new(model.hir().expect("it is no net"), &text).explore(LIMIT) else {
            continue;
        };
        let report = burnside::check(&model, &Options::default(), &mut ()).unwrap();
        let leaves = model.system.leaves();
        let texts = Texts {
            state: &|state| graph::text_of(&model.system, &leaves, state),
            step: &|step| graph::label_of(&model.system, step.label()),
        };
        for result in &report.results {
            let Some((state, tree)) = &result.tree else { continue };
            let holds = result.verdict == Verdict::Holds;
            let setting = Setting { fair: true, maximal: false };
            let check = |holds: bool, tree: &Tree| {
                exploration.check_tree(&result.property, holds, (state, tree), setting, &texts)
            };
            check(holds, tree).unwrap();
            assert!(check(!holds, tree).is_err(), "seed {seed}, {}", result.property);
            let changed = changed(tree);
            all += changed.len();
            refused += changed.iter().filter(|tree| check(holds, tree).is_err()).count();
        }
    }
    println!("{refused} of {all} changed trees are refused");
    assert!(
        !are_all() || all > 500 && refused * 20 > all * 19,
        "{refused} of {all} changed trees are refused"
    );
}
