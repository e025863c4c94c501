//! Random models with fixed seeds: they load, keep their meaning when laid out anew, and every way of running
//! them agrees.
//!
//! More seeds, without end, are for `cargo xtask fuzz`.

use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, agree};
use burnside_testkit::generate::{Flavor, generate};

/// Larger models are left out.
const LIMIT: usize = 250;

/// What the models must have between them.
const CONSTRUCTS: [&str; 157] = [
    "abs",
    "add",
    "and",
    "any",
    "any_in",
    "array.literal",
    "array.of",
    "assert",
    "assign.array",
    "assign.bag",
    "assign.option",
    "assign.queue",
    "assign.record",
    "assign.scalar",
    "assign.set",
    "assign.union",
    "assume",
    "at.block",
    "at.own",
    "at.process",
    "bag.add",
    "bag.count",
    "bag.joined",
    "bag.remove",
    "binder.bag",
    "binder.collection",
    "binder.queue",
    "binder.type",
    "call",
    "choose.in",
    "choose.of",
    "clear",
    "compare.int",
    "compare.order",
    "const.bool",
    "const.int",
    "copy.bag",
    "copy.queue",
    "count",
    "ctl",
    "div",
    "empty",
    "enabled",
    "enabled.in_guard",
    "enum.constant",
    "enum.qualified",
    "equal.array",
    "equal.bag",
    "equal.option",
    "equal.queue",
    "equal.record",
    "equal.set",
    "equal.sort",
    "equal.union",
    "exists",
    "expr.if",
    "expr.let",
    "expr.match",
    "extreme.collection",
    "extremum",
    "fair",
    "fn.scalar",
    "fn.wide",
    "for.bag",
    "for.collection",
    "for.queue",
    "for.type",
    "for.where",
    "forall",
    "full",
    "goto",
    "iff",
    "implies",
    "in",
    "in.listed",
    "init",
    "invariant",
    "is",
    "local.fill",
    "local.let",
    "local.var",
    "locations",
    "ltl",
    "ltl.step",
    "majority",
    "match.alternatives",
    "match.bool",
    "match.enum",
    "match.option",
    "match.rest",
    "match.types",
    "match.union",
    "max",
    "min",
    "mul",
    "neg",
    "never",
    "none",
    "not",
    "not_in",
    "or",
    "ord",
    "place.field",
    "place.index",
    "place.queue",
    "place.unwrap",
    "pop",
    "process.family",
    "process.single",
    "process.two_indices",
    "push",
    "queue.insert",
    "queue.joined",
    "queue.remove",
    "queue.slice",
    "queue.take",
    "reachable",
    "record.named",
    "record.ordered",
    "rem",
    "ring.next",
    "ring.prev",
    "ring.rotate",
    "rule.at",
    "set.add",
    "set.all",
    "set.difference",
    "set.filter",
    "set.intersection",
    "set.literal",
    "set.map",
    "set.of",
    "set.remove",
    "set.union",
    "shadowing",
    "size",
    "sort.computed",
    "sort.literal",
    "stmt.if",
    "stmt.match",
    "strong",
    "sub",
    "subset",
    "sum",
    "type.enum_with_values",
    "type.ring",
    "type.symmetric",
    "type.union",
    "union.part",
    "union.value",
    "var.any",
    "var.fill",
    "var.member.qualified",
    "var.member.short",
    "var.own",
    "var.single.qualified",
    "where",
];

fn run(seeds: impl IntoIterator<Item = u64>, flavor: Flavor) -> Tally {
    agree(seeds, flavor, LIMIT, Way::each_symmetry)
}

/// The models are worth running: few are skipped, most do something, some fault, some end.
fn worthwhile(tally: &Tally) {
    let all = tally.agreed + tally.skipped;
    assert!(tally.skipped * 10 < all, "too many are skipped: {tally:?}");
    assert!(tally.trivial * 3 < all, "too many are trivial: {tally:?}");
    assert!(tally.faulting * 20 > all && tally.faulting * 2 < all, "too few or too many fault: {tally:?}");
    assert!(tally.deadlocking * 40 > all, "too few end: {tally:?}");
}

#[test]
fn any_models_agree() {
    let tally = run(seeds(0..500), Flavor::Any);
    if !are_all() {
        return;
    }
    worthwhile(&tally);
    let missing: Vec<_> =
        CONSTRUCTS.iter().filter(|construct| !tally.used.contains_key(*construct)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn symmetric_models_agree() {
    let tally = run(seeds(0..2000), Flavor::Symmetric);
    if are_all() {
        worthwhile(&tally);
    }
    let breaking = ["sort.literal", "sort.computed"];
    assert!(
        breaking.iter().all(|construct| !tally.used.contains_key(construct)),
        "breaks symmetry: {tally:?}"
    );
}

/// Other seeds, from outside: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    for flavor in [Flavor::Any, Flavor::Symmetric] {
        run(seeds.clone(), flavor);
    }
}

#[test]
fn the_same_seed_gives_the_same_text() {
    for seed in 0..50 {
        for flavor in [Flavor::Any, Flavor::Symmetric] {
            assert_eq!(generate(seed, flavor).text, generate(seed, flavor).text);
        }
    }
}
