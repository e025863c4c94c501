//! Systems whose motions move rules: each rule is an element of a sort, as in a net whose automorphisms permute transitions.
//!
//! Every verdict, with weak and strong fairness of rules and of processes, is the same with and without symmetry. A lasso that a check
//! gives has been replayed, its fairness included.

mod ring;

use burnside::explicit::Canoniser;
use burnside::explicit::automorphism::{Verdict as Proof, verify};
use burnside::ts::{Action, Claim, Formula, Property, RuleId, Strength, UnitId, Units};
use burnside::{Method, Options, Report, Symmetry, Verdict, check};
use ring::{Fairness, Kind, Ring, atom, finally, globally, model, not};

fn rings() -> Vec<Ring> {
    let ring =
        |places, tokens, kinds: &[Kind], mirrored| Ring { places, tokens, kinds: kinds.to_vec(), mirrored };
    let (forth, both) = ([Kind::Forth], [Kind::Forth, Kind::Back]);
    vec![
        ring(3, 1, &forth, false),
        ring(4, 1, &forth, false),
        ring(4, 2, &forth, false),
        ring(5, 2, &[Kind::Forth, Kind::Stay], false),
        ring(3, 1, &both, true),
        ring(4, 2, &both, true),
        ring(4, 1, &[Kind::Back, Kind::Stay, Kind::Forth], true),
        ring(6, 3, &[Kind::Forth, Kind::Forth, Kind::Back, Kind::Back], true),
    ]
}

fn fairnesses() -> Vec<Fairness> {
    let mut all = vec![None];
    for of_rules in [true, false] {
        all.extend([Some((of_rules, Strength::Weak)), Some((of_rules, Strength::Strong))]);
    }
    all
}

/// Formulas that the whole group keeps, and some that only the reflection keeps, or nothing, or a subgroup that has none of the
/// generators of the whole.
fn properties(ring: &Ring) -> Vec<Property> {
    let whole = ring.system(None, Vec::new()).symmetry.generators;
    let mirror = if ring.mirrored { vec![ring.mirror()] } else { Vec::new() };
    let crowded = || atom(ring.crowded(), "crowded");
    let marked = |place| atom(ring.marked(place), "marked");
    let both = |a, b| Formula::And(Box::new([a, b]));
    let table: Vec<(&str, Formula, _)> = vec![
        ("often crowded", globally(finally(crowded())), &whole),
        ("often calm", globally(finally(not(crowded()))), &whole),
        ("some time crowded", finally(crowded()), &whole),
        ("in the end calm", finally(globally(not(crowded()))), &whole),
        ("changing", both(globally(finally(crowded())), globally(finally(not(crowded())))), &whole),
        ("zero often", globally(finally(marked(0))), &mirror),
        ("zero often empty", globally(finally(not(marked(0)))), &mirror),
        ("zero again", globally(Formula::Implies(Box::new([marked(0), finally(not(marked(0)))]))), &mirror),
    ];
    let mut properties: Vec<Property> = (table.into_iter())
        .map(|(name, formula, kept)| ring.property(name, Claim::Ltl(formula), kept.clone()))
        .collect();
    let one = both(globally(finally(marked(1))), not(finally(globally(marked(0)))));
    properties.push(ring.property("one then not zero", Claim::Ltl(one), Vec::new()));
    if ring.mirrored {
        let turn = ring.turn();
        let about_one = turn.after(&ring.mirror()).after(&turn.inverse());
        assert!(!whole.contains(&about_one));
        let often = globally(finally(marked(1)));
        properties.push(ring.property("one often", Claim::Ltl(often), vec![about_one.clone()]));
        let one = Claim::Invariant(ring.marked(1).negate());
        properties.push(ring.property("one never", one, vec![about_one]));
    }
    if ring.places.is_multiple_of(2) {
        let twice = ring.turn().after(&ring.turn());
        let even = (0..ring.places / 2).map(|i| atom(ring.marked(2 * i), "marked"));
        let even = even.reduce(|a, b| Formula::Or(Box::new([a, b]))).unwrap();
        let claim = Claim::Ltl(globally(finally(not(even))));
        properties.push(ring.property("all odd often", claim, vec![twice]));
    }
    properties.push(ring.property("never crowded", Claim::Invariant(ring.crowded().negate()), whole.clone()));
    properties.push(ring.property("can be crowded", Claim::Reachable(ring.crowded()), whole));
    properties
}

fn run(ring: &Ring, fairness: Fairness, symmetry: Symmetry, method: Method) -> Report {
    let model = model(ring.system(fairness, properties(ring)));
    check(&model, &Options { symmetry, method, ..Options::default() }, &mut ()).unwrap()
}

fn verdicts(report: &Report) -> Vec<(&str, &Verdict)> {
    report.results.iter().map(|result| (result.property.as_str(), &result.verdict)).collect()
}

#[test]
fn verdicts_are_those_without_symmetry() {
    let (mut holds, mut violated, mut reduced) = (0, 0, 0);
    for ring in rings() {
        for fairness in fairnesses() {
            let plain = run(&ring, fairness, Symmetry::None, Method::OnTheFly);
            for symmetry in [Symmetry::Auto, Symmetry::Fast] {
                for method in [Method::OnTheFly, Method::TwoPhase] {
                    let report = run(&ring, fairness, symmetry, method);
                    assert_eq!(verdicts(&report), verdicts(&plain), "{ring:?} {fairness:?} {symmetry:?}");
                    if symmetry == Symmetry::Auto {
                        assert_eq!(report.unreduced, plain.unreduced, "{ring:?}");
                    }
                    reduced += plain.stats.states - report.stats.states;
                }
            }
            holds += plain.results.iter().filter(|it| it.verdict == Verdict::Holds).count();
            violated += plain.results.iter().filter(|it| it.verdict == Verdict::Violated).count();
        }
    }
    assert!(holds > 100 && violated > 100, "{holds} hold, {violated} do not");
    assert!(reduced > 0);
}

/// One token that goes around: a fair run is one that never stops, and it visits every place.
#[test]
fn fairness_of_each_rule_counts() {
    let ring = Ring { places: 4, tokens: 1, kinds: vec![Kind::Forth, Kind::Stay], mirrored: false };
    let verdict = |fairness, symmetry| {
        let report = run(&ring, fairness, symmetry, Method::OnTheFly);
        assert_eq!(report.stats.states, if symmetry == Symmetry::None { 4 } else { 1 });
        let named =
            |name: &str| report.results.iter().find(|it| it.property == name).unwrap().verdict.clone();
        [named("zero often"), named("zero often empty")]
    };
    for symmetry in [Symmetry::None, Symmetry::Auto, Symmetry::Fast] {
        // Without fairness the token may stay where it is.
        assert_eq!(verdict(None, symmetry), [Verdict::Violated, Verdict::Violated]);
        for of_rules in [true, false] {
            for strength in [Strength::Weak, Strength::Strong] {
                let fairness = Some((of_rules, strength));
                assert_eq!(verdict(fairness, symmetry), [Verdict::Holds, Verdict::Holds], "{fairness:?}");
            }
        }
    }
}

#[test]
fn motions_move_rules_and_units_alike() {
    for ring in rings() {
        for fairness in fairnesses() {
            let system = ring.system(fairness, Vec::new());
            let (action, units) = (Action::new(&system), Units::new(&system));
            for motion in &system.symmetry.generators {
                for rule in 0..system.rules.len() as u32 {
                    let image = action.label(motion, RuleId(rule), &[], &mut []);
                    assert_eq!(image, RuleId(motion.images[1][rule as usize]));
                }
                for unit in 0..system.units() {
                    let image = motion.images[1][unit as usize];
                    assert_eq!(units.moved(&action, motion, UnitId(unit)), UnitId(image));
                }
            }
        }
    }
}

#[test]
fn the_symmetry_is_proved_state_by_state() {
    for ring in rings() {
        let system = ring.system(None, Vec::new());
        for verdict in verify(&system, &system.symmetry.generators) {
            assert_eq!(verdict, Proof::Proved { broken: Vec::new() }, "{ring:?}");
        }
        // Places that turn while the rules stay are no symmetry.
        let mut wrong = ring.turn();
        wrong.images[1] = (0..system.rules.len() as u32).collect();
        assert!(matches!(verify(&system, &[wrong])[0], Proof::Refuted(_)), "{ring:?}");
    }
}

#[test]
fn rules_are_never_alike() {
    let ring = Ring { places: 4, tokens: 2, kinds: vec![Kind::Forth, Kind::Forth], mirrored: false };
    let mut system = ring.system(None, Vec::new());
    // Two transitions that do the same may be swapped, with nothing else.
    system.symmetry.generators.clear();
    system.symmetry.sorts[1] = burnside::ts::Freedom::full(vec![0, 4]);
    let mut canoniser = Canoniser::new(&system, &system.symmetry, true);
    let classes = canoniser.classes(&[0b0011]);
    assert_eq!(classes.leads(burnside::ts::SortId(1)).len(), 8);
}
