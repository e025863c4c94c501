//! Models written in Rust against their twins in `.orb`: counts, verdicts and evidence in every mode.

#[allow(dead_code)]
#[path = "../../examples/lock.rs"]
mod lock;
#[allow(dead_code)]
#[path = "../../examples/register.rs"]
mod register;
#[allow(dead_code)]
#[path = "../../examples/two_phase_commit.rs"]
mod two_phase_commit;

use burnside::rust::{RustModel, lower};
use burnside::{
    CtlAlgorithm, Engine, Fairness, LoadOptions, Method, Model, Options, Report, Stop, Symmetry, Verdict,
};
use std::path::Path;

fn twin(name: &str, settings: &[(&str, String)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.orb"));
    let options =
        settings.iter().fold(LoadOptions::new(), |options, (name, value)| options.set(*name, value));
    Model::load(path, &options).into_model().expect("the example is a model")
}

fn in_rust<M: RustModel>(model: M) -> Model {
    let lowered = lower(model).expect("the example is a model");
    Model::load(&lowered, &LoadOptions::new()).into_model().expect("it has been lowered")
}

fn modes() -> Vec<Options> {
    let mut modes = Vec::new();
    for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
        for fairness in [Fairness::Model, Fairness::None] {
            for method in [Method::OnTheFly, Method::TwoPhase] {
                modes.push(Options { symmetry, fairness, method, ..Options::default() });
            }
        }
    }
    modes.extend([CtlAlgorithm::Emc, CtlAlgorithm::Naive].map(|ctl| Options { ctl, ..Options::default() }));
    modes
}

/// What two checks of one system must agree on.
fn facts(report: &Report) -> Vec<(String, Verdict, Option<usize>)> {
    let fact = |answer: &burnside::Answer| {
        let length = answer.evidence.as_ref().filter(|run| run.loop_start().is_none());
        let is_shortest = !matches!(answer.kind, burnside::Kind::Ctl);
        let length = length.filter(|_| is_shortest).map(|run| run.steps.len());
        (answer.property.clone(), answer.verdict.clone(), length)
    };
    report.results.iter().map(fact).collect()
}

fn compare<M: RustModel>(model: M, name: &str, settings: &[(&str, String)]) {
    compare_in(modes(), model, name, settings);
}

fn compare_in<M: RustModel>(modes: Vec<Options>, model: M, name: &str, settings: &[(&str, String)]) {
    let (rust, orb) = (in_rust(model), twin(name, settings));
    for options in modes {
        let mode = (name, settings, options.symmetry, options.fairness, options.method);
        let [mine, its] =
            [&rust, &orb].map(|model| burnside::check(model, &options, &mut ()).expect("a report"));
        assert_eq!(facts(&mine), facts(&its), "{mode:?}");
        assert_eq!(mine.stats.states, its.stats.states, "{mode:?}");
        assert_eq!(mine.stats.transitions, its.stats.transitions, "{mode:?}");
        assert_eq!(mine.unreduced, its.unreduced, "{mode:?}");
        for (mine, its) in mine.results.iter().zip(&its.results) {
            assert_eq!(mine.group.is_trivial(), its.group.is_trivial(), "{mode:?} {}", mine.property);
            // How much is looked at before a violation is found depends on the order of steps.
            if mine.verdict == Verdict::Holds {
                assert_eq!(mine.stats.states, its.stats.states, "{mode:?} {}", mine.property);
                assert_eq!(mine.stats.product, its.stats.product, "{mode:?} {}", mine.property);
            }
        }
    }
}

#[test]
fn lock() {
    for clients in [1, 2, 3, 5] {
        compare(lock::Lock { clients }, "resource", &[("N", clients.to_string())]);
    }
}

#[test]
fn two_phase_commit() {
    for (participants, recovers) in [(1, true), (2, true), (2, false), (3, false), (3, true)] {
        let settings = [("N", participants.to_string()), ("RECOVERS", recovers.to_string())];
        let model = two_phase_commit::TwoPhaseCommit { participants, recovers };
        // The last has 13,106 states.
        let modes = if participants < 3 || !recovers { modes() } else { vec![Options::default()] };
        compare_in(modes, model, "two_phase_commit", &settings);
    }
}

#[test]
fn register() {
    for (replicas, quorum) in [(1, 1), (2, 2), (3, 2), (3, 1)] {
        let settings = [("N", replicas.to_string()), ("QUORUM", quorum.to_string())];
        compare(register::Register { replicas, quorum }, "register", &settings);
    }
}

/// What the programs do beside comparing.
#[test]
fn the_examples_report() {
    lock::shared::check(lock::Lock { clients: 3 }).expect("a report");
    register::shared::check(register::Register { replicas: 3, quorum: 1 }).expect("a report");
}

#[test]
fn diagrams_need_code() {
    let model = in_rust(lock::Lock { clients: 2 });
    let options = Options { engine: Engine::Symbolic, ..Options::default() };
    let report = burnside::check(&model, &options, &mut ()).expect("a report");
    let is_refused = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Stop::Inconclusive(_)));
    assert!(report.results.iter().all(|answer| is_refused(&answer.verdict)));
}
