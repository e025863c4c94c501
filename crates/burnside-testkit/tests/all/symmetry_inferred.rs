//! Inferred symmetry is real: reduced and unreduced checks agree, orbits count right, and every step moves
//! with the group.

use burnside::{CheckError, Model, Options, Report, Symmetry, Verdict};
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::{equivariance, expect};
use std::path::Path;

fn check(model: &Model, symmetry: Symmetry) -> Result<Report, String> {
    let options = Options { symmetry, ..Options::default() };
    burnside::check(model, &options, &mut ()).map_err(|error| format!("{symmetry:?}: {error:?}"))
}

fn verdicts(report: &Report) -> Vec<(&str, &Verdict)> {
    report.results.iter().map(|result| (result.property.as_str(), &result.verdict)).collect()
}

/// Compares a model with itself; the answer is its states, unreduced and reduced.
fn agree(text: &str, settings: &[(String, String)], limit: usize) -> Result<Option<(u64, u64)>, String> {
    let model = load(text, settings)?;
    equivariance::check(&model.system, limit)?;
    let limits = burnside::Limits { states: Some(20_000), ..Default::default() };
    let options = Options { symmetry: Symmetry::None, limits, ..Options::default() };
    let plain = match burnside::check(&model, &options, &mut ()) {
        // With symmetry this is said too, of the same assumptions.
        Err(error @ CheckError::NoInitialState(_)) => {
            let reduced = burnside::check(&model, &Options::default(), &mut ());
            return if reduced.err() == Some(error) { Ok(None) } else { Err("there is a state".to_string()) };
        }
        checked => checked.map_err(|error| format!("{error:?}"))?,
    };
    if plain.results.iter().any(|r| matches!(&r.verdict, Verdict::Unknown(stop) if stop.is_limit())) {
        return Ok(None);
    }
    let mut reduced = 0;
    for symmetry in [Symmetry::Exact, Symmetry::Fast, Symmetry::Auto] {
        let report = check(&model, symmetry)?;
        if verdicts(&report) != verdicts(&plain) {
            return Err(format!("{symmetry:?}: {:?}\nbut {:?}", verdicts(&report), verdicts(&plain)));
        }
        // Both know the number of states only if they saw all; a violation may end either search before.
        if let (Some(found), Some(expected)) = (&report.unreduced, &plain.unreduced)
            && found != expected
        {
            return Err(format!("{symmetry:?}: orbits of {found} states, not {expected}"));
        }
        reduced = report.stats.states;
    }
    Ok(Some((plain.stats.states, reduced)))
}

/// States without and with inferred symmetry.
fn counts(text: &str, unreduced: u64, reduced: u64) {
    match agree(text, &[], 5000) {
        Ok(found) => assert_eq!(found, Some((unreduced, reduced)), "{text}"),
        Err(problem) => panic!("{text}\n{problem}"),
    }
}

const LOCK: &str = "
    enum Phase { idle, waiting, using }
    process P[i: Pid] {
        var phase: Phase;
        var partner: Pid?;
        rule ask(j: Pid) when phase == idle && i != j { phase = waiting; partner = j; }
        rule enter when phase == waiting && forall k: Pid { phase[k] != using } { phase = using; }
        rule leave when phase == using { phase = idle; partner = none; }
    }
    invariant mutex = forall a, b: Pid { phase[a] == using && phase[b] == using -> a == b };
    reachable crossed = exists a, b: Pid { a != b && partner[a] == b && partner[b] == a };";

#[test]
fn ranges_enums_and_sorts_give_the_same_orbits() {
    let declared = |head: &str| format!("{head}{LOCK}");
    let model = load(&declared("symmetric Pid[3];"), &[]).unwrap();
    let expected = check(&model, Symmetry::Auto).unwrap();
    let unreduced = check(&model, Symmetry::None).unwrap().stats.states;
    for head in ["type Pid = 0..2;", "type Pid = 1..3;", "type Pid = -7..-5;", "enum Pid { one, two, three }"]
    {
        counts(&declared(head), unreduced, expected.stats.states);
        let model = load(&declared(head), &[]).unwrap();
        assert_eq!(check(&model, Symmetry::Exact).unwrap().stats.states, unreduced, "{head}");
    }
}

#[test]
fn named_elements_and_defaults_stay() {
    counts("enum E { a, b, c } var x: E; process P { rule r(e: E) { x = e; } }", 3, 2);
    counts("type A = 4..7; var x: A; process P { rule r(a: A) { x = a; } }", 4, 2);
    counts("type A = 4..7; var x: A = 6; process P { rule r(a: A) when a != x { x = a; } }", 4, 2);
    counts("type A = -1..1; var x: A; process P { rule r(a: A) { x = a; } }", 3, 2);
    counts("type A = 4..7; var x: A = any; process P { rule r(a: A) { x = a; } }", 4, 1);
    counts(
        "type A = 1..4; record R { a: A, o: A? } var x: R = R(2, none);
         process P { rule r(a: A) when x.o == none { x.o = a; } rule t when x.o != none { x.a = x.o!; x.o = none; } }",
        20,
        7,
    );
}

#[test]
fn collections_of_ranges() {
    counts(
        "type A = 3..6; var s: set of A; process P { rule r(a: A) { s.add(a); } rule d(a in s) { s.remove(a); } }",
        16,
        5,
    );
    counts(
        "type A = 3..5; var q: queue[2] of A; process P {
             rule r(a: A) when !q.full() { q.push(a); } rule d when !q.empty() { q.pop(); } }",
        13,
        4,
    );
    counts(
        "type A = 3..5; var q: bag[2] of A; process P {
             rule r(a: A) when !q.full() { q.add(a); } rule d(a in q) when q.count(a) == 2 { q.remove(a); } }
         deadlock allowed;",
        10,
        4,
    );
    counts(
        "type A = 3..5; var s: set of A; var o: A?; process P {
             rule r { let a: A = any; o = a; s = {b: A where b != a}; } rule d { o = any in s; s = {o!}; } }",
        7,
        3,
    );
    counts(
        "type A = 2..4; var f: array[A, A] of bool; process P[i: A] {
             rule r(j: A) when i != j { f[i, j] = true; } rule d { for j: A { f[i, j] = false; } } }",
        64,
        16,
    );
}

#[test]
fn faults_before_all_parameters_are_known() {
    // The parameter that is not yet bound shows as zero, which is no value of the range.
    for head in ["type A = 2..4;", "symmetric A[3];", "enum A { a, b, c }"] {
        let text = format!(
            "{head} record R {{ s: set of A }} var x: array[A] of R?; var on: A?;
             process P[i: A] {{
                 rule turn when on == none {{ on = i; }}
                 rule go(j in x[i]!.s) when on == i {{ on = j; }}
                 rule fill when on != i {{ x[i] = R({{}}); }}
             }}"
        );
        match agree(&text, &[], 5000) {
            Ok(found) => assert!(found.is_some()),
            Err(problem) => panic!("{text}\n{problem}"),
        }
    }
}

#[test]
fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut run = 0;
    for path in files(folder, "orb") {
        let text = std::fs::read_to_string(&path).unwrap();
        for check in expect::read(&text).checks {
            if check.states.is_none_or(|states| states <= 2000) {
                run += 1;
                if let Err(problem) = agree(&text, &check.settings, 200) {
                    panic!("{} {:?}: {problem}", path.display(), check.settings);
                }
            }
        }
    }
    assert!(!are_all() || run > 10, "only {run}");
}

/// Random models; their symmetric types are made enums or ranges, so that everything about them has to be
/// inferred.
#[test]
fn random_models() {
    let (mut run, mut inferred, mut reduced, mut unloadable) = (0, 0, 0, 0);
    for seed in seeds(0..20) {
        for flavor in [Flavor::Any, Flavor::Symmetric] {
            let original = generate(seed, flavor).text;
            for disguise in [Disguise::None, Disguise::Enum, Disguise::Range(0), Disguise::Range(3)] {
                let text = disguise.apply(&original);
                let Ok(model) = load(&text, &[]) else {
                    assert!(disguise != Disguise::None, "{text}");
                    unloadable += 1;
                    continue;
                };
                match agree(&text, &[], 60) {
                    Ok(Some((all, some))) => {
                        run += 1;
                        inferred += u32::from(model.system.types.sorts().any(|(_, sort)| sort.inferred));
                        reduced += u32::from(some < all);
                    }
                    Ok(None) => {}
                    Err(problem) => panic!("seed {seed} {flavor:?} {disguise:?}\n{text}\n{problem}"),
                }
            }
        }
    }
    println!("{run} models, {inferred} with inferred sorts, {reduced} reduced, {unloadable} do not load");
    assert!(!are_all() || run > 100 && inferred > 50 && reduced > 20, "{run} {inferred} {reduced}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disguise {
    None,
    Enum,
    /// With this least value.
    Range(i64),
}

impl Disguise {
    fn apply(self, text: &str) -> String {
        let mut text = text.to_string();
        if self == Disguise::None {
            return text;
        }
        let declared: Vec<(String, u32)> = text
            .lines()
            .filter_map(|line| {
                let (name, size) = line.strip_prefix("symmetric ")?.strip_suffix("];")?.split_once('[')?;
                Some((name.to_string(), size.parse().ok()?))
            })
            .collect();
        for (name, size) in declared {
            let element = |i: u32| match self {
                Disguise::Range(low) => (low + i64::from(i)).to_string(),
                _ => format!("{name}_{i}"),
            };
            let declaration = match self {
                Disguise::Range(low) => format!("type {name} = {low}..{};", low + i64::from(size) - 1),
                _ => format!("enum {name} {{ {} }}", (0..size).map(element).collect::<Vec<_>>().join(", ")),
            };
            text = text.replace(&format!("symmetric {name}[{size}];"), &declaration);
            for i in (0..size).rev() {
                text = text.replace(&format!("{name}#{i}"), &element(i));
            }
        }
        text
    }
}
