//! `--symmetry auto` gives up what does not pay, and says so.

use burnside::{LoadOptions, Model, Options, Report, Symmetry, Verdict, Weighed, check};

fn checked(text: &str, symmetry: Symmetry) -> Report {
    let model = Model::load(text, &LoadOptions::new()).into_model().unwrap();
    check(&model, &Options { symmetry, ..Options::default() }, &mut ()).unwrap()
}

/// A counter beside members that never differ: every state is its own orbit.
const IDLE: &str = "
    symmetric Idle[3];
    var x: array[Idle] of bool;
    var n: 0..9999;
    process P { rule up when n < 9999 { n = n + 1; for i: Idle { x[i] = !x[i]; } } }
    deadlock allowed;
    invariant alike = forall i, j: Idle { x[i] == x[j] };
    reachable end = n == 9999;
";

#[test]
fn a_type_whose_members_never_differ_is_given_up() {
    let report = checked(IDLE, Symmetry::Auto);
    for answer in &report.results {
        assert_eq!(answer.verdict, Verdict::Holds);
        let expected = Weighed::NotWorthwhile { orbits: 4097, sorts: vec!["Idle".to_string()] };
        assert_eq!(answer.weighed, Some(expected));
        assert_eq!((answer.symmetry, answer.stats.states), (Symmetry::None, 10_000));
    }
    assert_eq!(report.answer("end").unwrap().evidence.as_ref().unwrap().steps.len(), 9_999);
    let report = checked(IDLE, Symmetry::Exact);
    assert!(report.results.iter().all(|answer| answer.weighed.is_none()));
    assert_eq!(report.stats.states, 10_000);
}

/// Of two types the one that pays is kept.
#[test]
fn the_part_that_pays_is_kept() {
    let text = "
        symmetric Idle[3]; symmetric Busy[4];
        var x: array[Idle] of bool;
        var y: array[Busy] of 0..3;
        var n: 0..299;
        process P { rule up when n < 299 { n = n + 1; for i: Idle { x[i] = !x[i]; } } }
        process Busy[b] { rule go { y[b] = (y[b] + 1) % 4; } }
        deadlock allowed;
        invariant alike = forall i, j: Idle { x[i] == x[j] };
    ";
    let report = checked(text, Symmetry::Auto);
    let answer = report.answer("alike").unwrap();
    assert_eq!((&answer.verdict, answer.symmetry), (&Verdict::Holds, Symmetry::Exact));
    // Multisets of four numbers below four: 35.
    assert_eq!(answer.stats.states, 35 * 300);
    assert_eq!(answer.unreduced.as_ref().unwrap().to_string(), (256 * 300).to_string());
    let Some(Weighed::NotWorthwhile { sorts, .. }) = &answer.weighed else { panic!("{:?}", answer.weighed) };
    assert_eq!(*sorts, ["Idle"]);
}

/// Where there are few states nothing is weighed, and where it pays nothing is said.
#[test]
fn what_pays_is_not_mentioned() {
    let text = "
        symmetric Client[6];
        var x: array[Client] of 0..7;
        process Client[c] { rule go { x[c] = (x[c] + 1) % 8; } }
        invariant small = forall c: Client { x[c] < 8 };
    ";
    let report = checked(text, Symmetry::Auto);
    assert!(report.results.iter().all(|answer| answer.weighed.is_none()));
    assert_eq!(report.stats.states, 1716);
}
