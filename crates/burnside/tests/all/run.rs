//! Runs as Rust programs see them: names and values.

use burnside::{LoadOptions, Model, Options, Report, Value, check};

fn report(text: &str) -> Report {
    let loaded = Model::load(text, &LoadOptions::new());
    let model = loaded.model.unwrap_or_else(|error| panic!("{error}"));
    check(&model, &Options::default(), &mut ()).unwrap()
}

#[test]
fn a_loop_changes_cells_also_where_it_closes() {
    let text = "symmetric C[3]; enum Phase { idle, busy } record Job { by: C?, size: 0..4 }
        var job: Job; var all: set of C; var log: queue[2] of Phase;
        fair process C[c] { var phase: Phase = idle;
            rule turn(size: 1..4) when size == 2 {
                phase = if phase == idle { busy } else { idle }; job.by = c; job.size = size; all.add(c);
                if log.size() < 2 { log.push(phase); } } }
        ltl often = forall c: C { F G phase[c] == idle };";
    let report = report(text);
    let run = report.run(report.answer("often").unwrap()).unwrap();
    let start = run.loop_start().expect("it is infinite");
    assert_eq!(run.states().len(), run.steps().len());
    let last = run.steps().last().unwrap();
    assert!(last.process().starts_with("C["), "{}", last.process());
    assert_eq!((last.rule(), last.arguments()), ("turn", vec![("size".to_string(), Value::Int(2))]));
    let state = |at: usize| run.state(if at == run.states().len() { start } else { at });
    for (at, step) in run.steps().enumerate() {
        for (cell, before, after) in step.changes() {
            assert_ne!(before, after);
            assert_eq!(run.state(at).get(&cell), Some(before));
            assert_eq!(state(at + 1).get(&cell), Some(after));
        }
    }
    let first = run.state(0);
    assert_eq!((first.get("job.by"), first.get("phase[1]")), (Some(Value::None), idle()));
    assert_eq!((first.get("all"), first.get("nothing")), (Some(Value::Set(Vec::new())), None));
    let (cells, members) = (state(1).cells().count(), state(1).get("all").unwrap());
    assert_eq!((cells, members.elements().len()), (7, 1));
    assert!(matches!(&members.elements()[0], Value::Element(sort, _) if sort == "C"));
    assert_eq!(state(1).get("log").unwrap().to_string(), "[busy]");
}

fn idle() -> Option<Value> {
    Some(Value::Constant("idle".to_string()))
}

#[test]
fn a_fault_has_its_step_and_place() {
    let report = report("var x: 0..2; process P { rule up(by: 1..2) { x = x + by; } }");
    let run = report.run(report.answer("faults").unwrap()).unwrap();
    let step = run.faulting_step().expect("a step faults");
    assert_eq!((step.rule(), step.changes()), ("up", Vec::new()));
    assert_eq!(run.fault(), Some(("x + by", 1)));
    assert!(run.loop_start().is_none());
}
