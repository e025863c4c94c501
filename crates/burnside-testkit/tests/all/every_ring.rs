//! Rings of every size, against brute force: what windows prove is violated at no size.

use burnside::every::{EveryOptions, EveryReport, Finding, Unproved, for_every, fragment};
use burnside::{LoadOptions, Model, Options, Symmetry, Verdict};
use burnside_testkit::cases::seeds;
use burnside_testkit::generate::ring_family_model;
use std::path::Path;

fn judged(text: &str) -> EveryReport {
    for_every(text, &EveryOptions::default(), &mut ()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is violated at a size, without symmetry; nothing if there are too many states.
fn violated(text: &str, size: u32) -> Option<Vec<String>> {
    let model = Model::load(text, &LoadOptions::new().set("N", size)).into_model().ok()?;
    let limits = burnside::Limits::of_states(30_000);
    let options = Options { limits, symmetry: Symmetry::None, ..Options::default() };
    let report = burnside::check(&model, &options, &mut ()).ok()?;
    let violated = report.results.iter().filter(|it| it.verdict == Verdict::Violated);
    Some(violated.map(|it| it.property.clone()).collect())
}

/// Random rings: what is proved is violated at no size, and what is violated is so at no smaller size.
#[test]
fn random_rings_are_judged_rightly() {
    let (mut proved, mut checked, mut unknown) = (0, 0, 0);
    for seed in seeds(0..40) {
        let text = ring_family_model(seed);
        let report = judged(&text);
        assert!(report.refusals.is_empty() && report.is_ring, "{:?}\n{text}", report.refusals);
        for size in 1..=7 {
            let Some(violated) = violated(&text, size) else { break };
            for answer in &report.answers {
                let is_violated = violated.contains(&answer.property);
                let name = &answer.property;
                match answer.finding {
                    Finding::Holds { .. } => {
                        checked += 1;
                        assert!(
                            !is_violated,
                            "seed {seed}: `{name}` is proved and violated at {size}:\n{text}"
                        );
                    }
                    Finding::Violated { size: least } => {
                        assert!(!is_violated || size >= least, "seed {seed}: `{name}` at {size}\n{text}");
                        assert!(is_violated || size != least, "seed {seed}: `{name}` at {size}\n{text}");
                    }
                    Finding::Unknown { up_to, .. } => {
                        assert!(!is_violated || size > up_to, "seed {seed}: `{name}` at {size}\n{text}");
                    }
                }
            }
        }
        let count =
            |wanted: fn(&Finding) -> bool| report.answers.iter().filter(|it| wanted(&it.finding)).count();
        proved += count(|it| matches!(it, Finding::Holds { .. }));
        unknown += count(|it| matches!(it, Finding::Unknown { .. }));
    }
    eprintln!("{proved} properties proved, {unknown} unknown, {checked} checks of those that are proved");
    assert!(proved > 40 || std::env::var("BURNSIDE_CASE").is_ok(), "{proved} proved");
}

#[test]
fn philosophers_eat_alone() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/philosophers.orb");
    let report = judged(&std::fs::read_to_string(path).expect("the example is there"));
    assert!(report.refusals.is_empty() && report.is_ring);
    let alone = &report.answer("alone").expect("it is there").finding;
    assert!(matches!(alone, Finding::Holds { k: 1, .. }), "{alone:?}");
    assert!(matches!(report.answer("faults").expect("it is there").finding, Finding::Holds { .. }));
}

/// A token goes around: that there are not two of them needs more than windows, that two are never side by
/// side does not, if they start alone.
#[test]
fn windows_know_neighbours_only() {
    let text = "const N = 3; ring R[N];
        process R[r] { var x: 0..1; rule up when x[prev(r)] == 0 && x[next(r)] == 0 && x == 0 { x = 1; }
            rule down when x == 1 { x = 0; } }
        deadlock allowed;
        invariant apart = forall r: R { x[r] == 1 -> x[next(r)] == 0 };
        invariant few = forall r: R { x[r] == 1 -> x[r + 2] == 0 };";
    let report = judged(text);
    // A circle of one is its own neighbour.
    let size = |name: &str| match report.answer(name).expect("it is there").finding {
        Finding::Violated { size } => size,
        _ => 0,
    };
    assert_eq!((size("apart"), size("few")), (1, 1));
    let text = text.replace("x[r] == 1 -> x", "x[r] == 1 && r != next(r) -> x");
    let report = judged(&text);
    assert!(matches!(report.answer("apart").unwrap().finding, Finding::Holds { k: 2, .. }), "{report:?}");
    assert!(matches!(report.answer("few").unwrap().finding, Finding::Violated { size: 2 }));
}

/// What is outside is refused at its place.
#[test]
fn what_looks_further_is_refused() {
    let head = "const N = 3; ring R[N]; var g: bool; var n: 0..9; var y: array[R] of bool;";
    let refused: &[(&str, &str)] = &[
        ("process R[r] { rule a when forall q: R { y[q] } { g = true; } }", "forall q: R { y[q] }"),
        ("process R[r] { rule a { for q: R { y[q] = g; } } }", "for q: R { y[q] = g; }"),
        ("process R[r] { rule a { g = y[R#0]; } }", "R#0"),
        ("process R[r] { rule a { n = ord(r); } }", "r"),
        ("process R[r] { rule a(q: R) { y[q] = g; } }", "rule a(q: R) { y[q] = g; }"),
        ("process R[r] { rule a { y[r + n] = g; } }", "r + n"),
        ("process R[r] { rule a { n = N; } }", "N"),
        ("var spot: R = any; process R[r] { rule a { spot = next(spot); } }", "spot"),
        ("var s: set of R; process R[r] { rule a { s.add(r); } }", "s"),
        ("process R[r] { var z: bool = y[next(r)]; rule a { z = g; } }", "z"),
        ("process R[r] { rule a { n = count q: R { y[q] }; } }", "count q: R { y[q] }"),
        ("process R[r] { rule a when r < next(r) { g = true; } }", "r"),
        ("process R[r] { rule a { g = true; } } init { y = [q: R => true]; }", "y = [q: R => true];"),
        ("process R[r] { rule a { let q: R = any; y[q] = g; } }", "let q: R = any;"),
    ];
    for (body, place) in refused {
        let text = format!("{head}\n{body}\ndeadlock allowed;\ninvariant i = !g || n < 9;\n");
        let report = judged(&text);
        let places: Vec<&str> = report.refusals.iter().map(|it| it.span.text(&text)).collect();
        assert!(places.contains(place), "{body}: {places:?}");
        assert!(report.refusals.iter().all(|it| it.help.is_some()), "{body}: {:?}", report.refusals);
        assert!(!report.answers.iter().any(|it| matches!(it.finding, Finding::Holds { .. })), "{body}");
        assert!(fragment(&text, &[]).iter().any(|(name, it)| name == "N" && !it.is_empty()), "{body}");
    }
    let text = format!(
        "{head} process R[r] {{ rule a {{ y[r] = !y[r]; }} }}
         invariant i = exists r: R {{ y[r] }} || !g; ltl l = forall r: R {{ G F (y[r] || !y[r]) }};"
    );
    let report = judged(&text);
    for name in ["i", "l"] {
        let finding = &report.answer(name).expect("it is there").finding;
        assert!(
            matches!(finding, Finding::Unknown { up_to: 4.., reason: Unproved::Refused(_) }),
            "{finding:?}"
        );
    }
}
