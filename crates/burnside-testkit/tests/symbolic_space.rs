//! Models as sets and relations: the reachable states and the states that fault or end are those of the interpreter.

use burnside::Model;
use burnside_explicit::{Answer, Budget, Question, search};
use burnside_symbolic::Space;
use burnside_testkit::generate::{Flavor, generate};

/// Compares the sets of a model with a search; none if it is too large.
fn compare(text: &str) -> Option<Result<(), String>> {
    let model = Model::load(text, &[]).model?;
    let system = &model.system;
    let budget = Budget { states: Some(2000), ..Budget::default() };
    let outcome = search(
        system,
        &[Question::Fault, Question::Deadlock, Question::Maximum(&burnside_ts::Expr::Const(0))],
        None,
        &budget,
        &mut |_| {},
    );
    if outcome.full.is_some() {
        return None;
    }
    let yes = |answer: &Answer| matches!(answer, Answer::Yes(_));
    let nodes = burnside_symbolic::Budget { nodes: 1 << 20, reorder: false, interrupt: Default::default() };
    let space = Space::new(system, &nodes).ok()?;
    let reached = space.reachable(&mut |_| {}).ok()?;
    let found =
        (reached.count(&space).to_u64(), space.faults(&reached).unwrap(), space.deadlocks(&reached).unwrap());
    let expected = (Some(outcome.stats.states), yes(&outcome.answers[0]), yes(&outcome.answers[1]));
    Some(if found == expected { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}\n{text}")) })
}

#[test]
fn random_models() {
    let mut compared = 0;
    for flavor in [Flavor::Any, Flavor::Symmetric, Flavor::Liveness] {
        for seed in 0..300 {
            let text = generate(seed, flavor).text;
            let started = std::time::Instant::now();
            let result = compare(&text);
            if started.elapsed().as_secs_f64() > 1.0 { eprintln!("{flavor:?} {seed} {:?}", started.elapsed()); }
            let Some(result) = result else { continue };
            compared += 1;
            if let Err(problem) = result {
                panic!("{flavor:?} {seed}: {problem}");
            }
        }
    }
    assert!(compared > 800, "{compared}");
}
