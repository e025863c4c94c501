//! Proofs are believed only if they are right: changed ones are refused. (Answers are compared with brute
//! force in `burnside-testkit`.)

use super::flat::Flat;
use super::goal::{AtMost, Goal};
use super::proof::{Certificate, Proof, verify};
use super::refute::Equation;
use super::tableau::Work;
use crate::read_pnml;

/// Two processes take turns: `a` and `b` are never both marked, `c` is a trap beside them.
const TURNS: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
    <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
    <place id="free"><initialMarking><text>1</text></initialMarking></place>
    <place id="a"/><place id="b"/>
    <place id="c"><initialMarking><text>1</text></initialMarking></place><place id="d"/>
    <transition id="ta"/><transition id="tb"/><transition id="ra"/><transition id="more"/>
    <arc id="1" source="free" target="ta"/><arc id="2" source="ta" target="a"/>
    <arc id="3" source="free" target="tb"/><arc id="4" source="tb" target="b"/>
    <arc id="5" source="a" target="ra"/><arc id="6" source="ra" target="free"/>
    <arc id="7" source="c" target="more"/><arc id="8" source="more" target="d"/>
    <arc id="9" source="more" target="c"><inscription><text>2</text></inscription></arc>
    <arc id="10" source="c" target="ta"/><arc id="11" source="ta" target="c"/>
    </page></net></pnml>"#;

fn turns() -> Flat {
    Flat::of(&read_pnml(TURNS).unwrap()).unwrap()
}

fn least(cells: &[u32], number: i64) -> Goal {
    let weights = cells.iter().map(|&cell| (cell, -1)).collect();
    Goal::AtMost(AtMost { weights, most: -number })
}

fn empty(cell: u32) -> Goal {
    Goal::AtMost(AtMost { weights: vec![(cell, 1)], most: 0 })
}

fn refuted(goal: &Goal) -> Option<Proof> {
    let flat = turns();
    Equation::of(&flat)?.refute(&flat, goal, &mut Work(1 << 20))
}

#[test]
fn what_cannot_be_has_a_proof() {
    let both = Goal::All(vec![least(&[1], 1), least(&[2], 1)]);
    let twice = Goal::Any(vec![least(&[1], 2), both.clone()]);
    let within = Goal::Any(vec![Goal::Any(vec![least(&[1], 2), least(&[2], 2)]), both.clone()]);
    for goal in [both, twice, within, least(&[0, 1, 2], 2), Goal::All(vec![empty(0), empty(1), empty(2)])] {
        let proof = refuted(&goal).unwrap_or_else(|| panic!("{goal:?}"));
        assert!(verify(&turns(), &goal, &proof));
        for wrong in changed(&proof) {
            // A changed proof may still be one; but never of what can be.
            assert!(!verify(&turns(), &least(&[1], 1), &wrong), "{wrong:?}");
        }
    }
}

#[test]
fn what_can_be_has_none() {
    for goal in [least(&[1], 1), least(&[2], 1), least(&[4], 1000), Goal::constant(true)] {
        assert_eq!(refuted(&goal), None, "{goal:?}");
    }
}

#[test]
fn weights_that_prove_nothing_are_refused() {
    let flat = turns();
    let goal = Goal::All(vec![least(&[1], 1), least(&[2], 1)]);
    // Firing keeps free + a + b at 1, and both of a and b would be 2 of it.
    let right = Certificate {
        rising: vec![(0, -1), (1, -1), (2, -1)],
        assumed: vec![(0, 1), (1, 1)],
        traps: Vec::new(),
    };
    let is_proof = |certificate: Certificate| verify(&flat, &goal, &Proof::Weights(certificate));
    assert!(is_proof(right.clone()));
    let with = |change: &dyn Fn(&mut Certificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        is_proof(wrong)
    };
    assert!(!with(&|it| it.rising[0].1 = 0), "a firing makes the sum less");
    assert!(!with(&|it| it.rising[1].1 = 0), "the sum is more than what is assumed");
    assert!(!with(&|it| it.assumed[0].1 = 0), "one assumption is not enough");
    assert!(!with(&|it| it.assumed[0].1 = -1), "a weight is negative");
    assert!(!with(&|it| it.assumed[0].0 = 7), "there is no such assumption");
    assert!(!with(&|it| it.rising.push((99, 0))), "there is no such cell");
    assert!(!with(&|it| it.assumed[0].1 = i128::MAX), "a number does not fit");
    assert!(!with(&|it| it.traps.push((vec![1], 1))), "the trap is empty at first");
    assert!(!with(&|it| it.traps.push((vec![0], 1))), "it is no trap");
}

#[test]
fn a_marked_trap_proves_that_it_is_never_empty() {
    let flat = turns();
    let goal = empty(3);
    let by_trap = Certificate { rising: Vec::new(), assumed: vec![(0, 1)], traps: vec![(vec![3], 1)] };
    assert!(verify(&flat, &goal, &Proof::Weights(by_trap.clone())));
    let unmarked = Certificate { traps: vec![(vec![4], 1)], ..by_trap };
    assert!(!verify(&flat, &empty(4), &Proof::Weights(unmarked)));
    assert!(refuted(&goal).is_some());
}

#[test]
fn every_case_of_a_split_needs_its_proof() {
    let flat = turns();
    let goal = Goal::Any(vec![least(&[0, 1, 2], 2), least(&[1], 2)]);
    let Some(Proof::Split(at, proofs)) = refuted(&goal) else { panic!("two cases") };
    assert!(verify(&flat, &goal, &Proof::Split(at, proofs.clone())));
    assert!(!verify(&flat, &goal, &Proof::Split(at, proofs[..1].to_vec())));
    assert!(!verify(&flat, &goal, &Proof::Split(at + 1, proofs.clone())));
    let possible = Goal::Any(vec![least(&[0, 1, 2], 2), least(&[1], 1)]);
    assert!(!verify(&flat, &possible, &Proof::Split(at, proofs)));
}

/// The proof with one number changed, in all ways by one.
fn changed(proof: &Proof) -> Vec<Proof> {
    match proof {
        Proof::Split(at, proofs) => {
            let cases = proofs.iter().enumerate().flat_map(|(case, inner)| {
                changed(inner).into_iter().map(move |wrong| {
                    let mut all = proofs.clone();
                    all[case] = wrong;
                    Proof::Split(*at, all)
                })
            });
            cases.collect()
        }
        Proof::Weights(certificate) => {
            let mut found = Vec::new();
            for by in [-1, 1] {
                for i in 0..certificate.rising.len() {
                    let mut wrong = certificate.clone();
                    wrong.rising[i].1 += by;
                    found.push(Proof::Weights(wrong));
                }
                for i in 0..certificate.assumed.len() {
                    let mut wrong = certificate.clone();
                    wrong.assumed[i].1 += by;
                    found.push(Proof::Weights(wrong));
                }
            }
            found
        }
    }
}
