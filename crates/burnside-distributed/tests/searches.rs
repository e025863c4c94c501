//! Searches by workers against the search of one thread, on a system that is large enough for parcels, and
//! what happens when somebody fails.

use burnside_distributed::{Cluster, Fingerprint};
use burnside_explicit::{Finding, OrbitSetting, SearchResult, StateSearch, search};
use burnside_limits::{Interrupt, Limits, Stop};
use burnside_ts::builder::{Operators, SystemBuilder, set};
use burnside_ts::{Question, Symmetry, System};
use std::sync::Arc;

/// Four counters that go up and down, up to 9.
fn counters() -> Arc<System> {
    let mut b = SystemBuilder::new();
    let digit = b.range(0, 9);
    let all = ["w", "x", "y", "z"].map(|name| b.var(name, digit, 0));
    let p = b.process("P", &[]);
    for (number, x) in all.into_iter().enumerate() {
        b.rule(p, &format!("up{number}")).when(x.lt(9)).then(set(x, x.add(1)));
        b.rule(p, &format!("down{number}")).when(x.ge(1)).then(set(x, x.sub(1)));
    }
    let [w, x, y, z] = all;
    for most in [5, 11, 17, 23, 29] {
        b.invariant(&format!("sum{most}"), w.add(x).add(y).add(z).le(most));
    }
    b.reachable("corner", w.ge(9).and(x.ge(9)));
    b.invariant("true", w.ge(0));
    Arc::new(b.build().expect("it is right"))
}

fn questions(system: &System) -> Vec<&Question> {
    let fixed: [&Question; 2] = [&Question::Fault, &Question::Deadlock];
    system.properties.iter().map(|property| &property.question).chain(fixed).collect()
}

fn by_workers(cluster: &Cluster, system: &Arc<System>, limits: &Limits) -> SearchResult {
    let symmetry = Symmetry::trivial(&system.types);
    let setting = OrbitSetting { symmetry: &symmetry, exact: true, weighing: None };
    cluster.on(Arc::clone(system)).search(&questions(system), &setting, limits, &mut ())
}

/// What must be the same: kinds of findings, lengths of runs, figures.
fn told(result: &SearchResult) -> String {
    let tell = |finding: &Finding| match finding {
        Finding::Yes(witness) => format!("{} states", witness.evidence.states.len()),
        other => format!("{other:?}"),
    };
    let findings: Vec<String> = result.findings.iter().map(tell).collect();
    let stats = (result.stats.states, result.stats.transitions, result.stats.depth);
    format!("{findings:?} {stats:?} {:?} {:?}", result.unreduced, result.stop)
}

#[test]
fn workers_find_what_one_thread_finds() {
    let (system, limits) = (counters(), Limits::default());
    let alone = search(&system, &questions(&system), None, &limits, &mut ());
    assert_eq!((alone.stats.states, alone.stats.transitions), (10_000, 72_000));
    let mut runs = Vec::new();
    for count in [1, 2, 3, 8] {
        let cluster = Cluster::of_threads(count, &Interrupt::new()).expect("workers");
        for _ in 0..2 {
            let result = by_workers(&cluster, &system, &limits);
            assert_eq!(told(&alone), told(&result), "{count} workers");
            let run = |finding: &Finding| match finding {
                Finding::Yes(witness) => Some(witness.evidence.states.clone()),
                _ => None,
            };
            runs.push(result.findings.iter().filter_map(run).collect::<Vec<_>>());
        }
    }
    assert!(runs.iter().all(|run| *run == runs[0]), "runs depend on the workers");
}

#[test]
fn limits_end_all_workers() {
    let system = counters();
    let cluster = Cluster::of_threads(3, &Interrupt::new()).expect("workers");
    let states = Limits::of_states(2_000);
    let result = by_workers(&cluster, &system, &states);
    assert_eq!(result.stop, Some(Stop::States(2_000)));
    let memory = Limits { memory: Some(1 << 16), ..Limits::default() };
    assert_eq!(by_workers(&cluster, &system, &memory).stop, Some(Stop::Memory(1 << 16)));
    for looks in [0, 1, 7, 100, 3_000] {
        let limits = Limits::default();
        limits.interrupt.raise_after(looks, Stop::Memory(7));
        assert_eq!(by_workers(&cluster, &system, &limits).stop, Some(Stop::Memory(7)), "{looks}");
    }
    // The workers are as good as new.
    assert_eq!(by_workers(&cluster, &system, &Limits::default()).stats.states, 10_000);
}

#[test]
fn agreements_are_told_to_all() {
    let cluster = Cluster::of_threads(3, &Interrupt::new()).expect("workers");
    assert_eq!(cluster.agree("yes", None), Ok(vec!["yes".to_string(); 3]));
    assert_ne!(Fingerprint::of(&["yes"]), Fingerprint::of(&["no"]));
}
