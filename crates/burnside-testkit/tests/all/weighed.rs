//! `--symmetry auto` that weighs early, on random models: verdicts, lengths of evidence and numbers of states
//! are those of all other ways, whatever part of the group is given up.

use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::compare::{Compared, Way, compare_in};
use burnside_testkit::fuzz::agree;
use burnside_testkit::generate::Flavor;

/// Larger models are left out.
const LIMIT: usize = 250;

/// Of runs and trees.
fn temporal(usual: std::ops::Range<u64>, flavor: Flavor) {
    let tally = agree(seeds(usual), flavor, LIMIT, Way::weighed_temporal);
    assert!(!are_all() || tally.agreed > 60, "only {}", tally.agreed);
    assert!(!are_all() || tally.weighed[0] > 20, "only {:?}", tally.weighed);
}

#[test]
fn giving_up_changes_no_run() {
    temporal(0..150, Flavor::Liveness);
}

#[test]
fn giving_up_changes_no_run_with_indices_inside() {
    temporal(0..150, Flavor::Indexed);
}

#[test]
fn giving_up_changes_no_tree() {
    temporal(0..150, Flavor::Branching);
}

#[test]
fn giving_up_changes_nothing() {
    let tally = agree(seeds(0..250), Flavor::Symmetric, LIMIT, Way::weighed);
    assert!(!are_all() || tally.agreed > 100, "only {}", tally.agreed);
}

/// Some of a list, by the digits of a number.
fn some(number: u64, of: &[&'static str]) -> String {
    of.iter().enumerate().filter(|(i, _)| number >> i & 1 == 1).map(|(_, text)| *text).collect()
}

/// Three or four members that refer to one another: every state is a graph, and most take more work to bring
/// into order than there is.
fn graphs(seed: u64) -> String {
    let number = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let rules = some(
        number >> 40 | 1,
        &[
            "rule turn(b: Node) when to[a] == a || to[b] == b { to[a] = b; } ",
            "rule back when to[a] != a { to[a] = a; } ",
            "rule skip when to[to[a]] != a { to[a] = to[to[a]]; } ",
            "rule give(b: Node) when to[b] == a && b != a { to[b] = b; to[a] = b; } ",
        ],
    );
    let properties = some(
        number >> 50 | 1 << (seed % 3) | 8 << (seed % 3),
        &[
            "ltl alone = forall a: Node { G F (to[a] == a) };\n",
            "ltl free = G F (exists a: Node { to[a] == a });\n",
            "ltl two = forall a: Node { G (to[a] != a -> F (exists b: Node { to[b] == a && b != a })) };\n",
            "ctl home = AG EF (forall a: Node { to[a] == a });\n",
            "ctl each = forall a: Node { EF (to[a] != a && to[to[a]] == a) };\n",
            "ctl kept = AG (exists a: Node { EG (to[a] == a) });\n",
        ],
    );
    let (fair, size) = (["fair ", ""][(seed % 2) as usize], 3 + seed / 4 % 2);
    let start = ["init { for a: Node { to[a] = a; } }\n", ""][(seed / 2 % 2) as usize];
    format!(
        "symmetric Node[{size}];\nvar to: array[Node] of Node = any;\n{start}\
         {fair}process Node[a] {{ {rules}}}\ndeadlock allowed;\n{properties}"
    )
}

#[test]
fn hard_states_change_no_run_and_no_tree() {
    let (mut agreed, mut weighed) = (0, [0; 2]);
    for seed in seeds(0..60) {
        let text = graphs(seed);
        match compare_in(&text, &[], 300, &Way::weighed_temporal(seed)) {
            Ok(Compared::Agree(agreement)) => {
                agreed += 1;
                (0..2).for_each(|i| weighed[i] += agreement.weighed[i]);
            }
            Ok(Compared::TooLarge) => {}
            Err(problem) => panic!("seed {seed}: {problem}\n{text}"),
        }
    }
    assert!(!are_all() || agreed > 50 && weighed[1] > 100, "{agreed} {weighed:?}");
}
