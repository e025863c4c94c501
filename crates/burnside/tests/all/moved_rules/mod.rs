//! Systems whose permutations move rules: each rule is an element of a sort, as in a net whose automorphisms
//! permute transitions.
//!
//! Every verdict, with weak and strong fairness of rules and of processes, is the same with and without
//! symmetry. A lasso that a check gives has been replayed, its fairness included.

mod ring;

use burnside::{Method, Options, Report, Symmetry, Verdict, check};
use burnside_explicit::Canoniser;
use burnside_symbolic::symmetry::proof::{GeneratorStatus, verify};
use burnside_ts::builder::{Operators, SystemBuilder, Term, finally, globally};
use burnside_ts::{Action, Permutation, RuleId, Strength, UnitId, Units};
use ring::{Fairness, Kind, Ring, Tokens, model};

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

/// Formulas that the whole group keeps, and some that only the reflection keeps, or nothing, or a subgroup
/// that has none of the generators of the whole.
fn properties(ring: &Ring, b: &mut SystemBuilder, tokens: Tokens) -> Vec<Vec<Permutation>> {
    let whole = ring.generators();
    let mirror = if ring.mirrored { vec![ring.mirror()] } else { Vec::new() };
    let (crowded, marked) = (|| tokens.crowded(), |place| tokens.at(place));
    let often = |condition| globally(finally(condition));
    let table: Vec<(&str, Term, _)> = vec![
        ("often crowded", often(crowded()), &whole),
        ("often calm", often(crowded().not()), &whole),
        ("some time crowded", finally(crowded()), &whole),
        ("in the end calm", finally(globally(crowded().not())), &whole),
        ("changing", often(crowded()).and(often(crowded().not())), &whole),
        ("zero often", often(marked(0)), &mirror),
        ("zero often empty", often(marked(0).not()), &mirror),
        ("zero again", globally(marked(0).implies(finally(marked(0).not()))), &mirror),
    ];
    let mut kept = Vec::new();
    for (name, formula, permutations) in table {
        b.linear(name, formula);
        kept.push(permutations.clone());
    }
    b.linear("one then not zero", often(marked(1)).and(finally(globally(marked(0))).not()));
    kept.push(Vec::new());
    if ring.mirrored {
        let turn = ring.turn();
        let about_one = turn.after(&ring.mirror()).after(&turn.inverse());
        assert!(!whole.contains(&about_one));
        b.linear("one often", often(marked(1)));
        b.invariant("one never", marked(1).not());
        kept.extend([vec![about_one.clone()], vec![about_one]]);
    }
    if ring.places.is_multiple_of(2) {
        let even = (0..ring.places / 2).map(|i| marked(2 * i)).reduce(Operators::or).unwrap();
        b.linear("all odd often", often(even.not()));
        kept.push(vec![ring.turn().after(&ring.turn())]);
    }
    b.invariant("never crowded", crowded().not());
    b.reachable("can be crowded", crowded());
    kept.extend([whole.clone(), whole]);
    kept
}

fn run(ring: &Ring, fairness: Fairness, symmetry: Symmetry, method: Method) -> Report {
    let model = model(ring.asked(fairness, |b, tokens| properties(ring, b, tokens)));
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
fn permutations_move_rules_and_units_alike() {
    for ring in rings() {
        for fairness in fairnesses() {
            let system = ring.system(fairness);
            let (action, units) = (Action::new(&system), Units::new(&system));
            for generator in &system.symmetry.generators {
                let permutation = &generator.written(&system.types);
                for rule in 0..system.rules.len() as u32 {
                    let image = action.label(permutation, RuleId(rule), &[], &mut []);
                    assert_eq!(image, RuleId(permutation.images[1][rule as usize]));
                }
                for unit in 0..system.units() {
                    let image = permutation.images[1][unit as usize];
                    assert_eq!(units.moved(&action, permutation, UnitId(unit)), UnitId(image));
                }
            }
        }
    }
}

#[test]
fn the_symmetry_is_proved_state_by_state() {
    for ring in rings() {
        let system = ring.system(None);
        let generators = system.symmetry.generators.iter().map(|it| it.written(&system.types));
        for verdict in verify(&system, &generators.collect::<Vec<_>>()) {
            assert_eq!(verdict, GeneratorStatus::Proved { broken: Vec::new() }, "{ring:?}");
        }
        // Places that turn while the rules stay are no symmetry.
        let mut wrong = ring.turn();
        wrong.images[1] = (0..system.rules.len() as u32).collect();
        assert!(matches!(verify(&system, &[wrong])[0], GeneratorStatus::Refuted(_)), "{ring:?}");
    }
}

#[test]
fn rules_are_never_alike() {
    let ring = Ring { places: 4, tokens: 2, kinds: vec![Kind::Forth, Kind::Forth], mirrored: false };
    let mut system = ring.system(None);
    // Two transitions that do the same may be swapped, with nothing else.
    system.symmetry.generators.clear();
    system.symmetry.sorts[1] = burnside_ts::SortGroup::full(vec![0, 4]);
    let mut canoniser = Canoniser::new(&system, &system.symmetry, true);
    let classes = canoniser.classes(&[0b0011]);
    assert_eq!(classes.leads(burnside_ts::SortId(1)).len(), 8);
}
