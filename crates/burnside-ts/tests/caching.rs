//! The interpreter with a memory, against the plain one, in all states of small systems that have what a
//! memory could get wrong: branches that write or not, indices that are read from the state, guards that
//! fault behind others, loops, choices, sets, and parameters that range over collections. Whole languages are
//! compared by `tests/all/caching.rs` of the testkit.

use burnside_limits::Interrupt;
use burnside_ts::builder::{
    Operators, SystemBuilder, any, branch, count, each, exists, forall, insert, pop, push, set,
};
use burnside_ts::{CachingInterpreter, Fault, Interpreter, Label, Machine, Outcome, RuleId, System, Walk};
use std::ops::ControlFlow;

type Step = (RuleId, Vec<u64>, Result<Vec<u64>, Fault>);

fn steps(machine: &mut dyn Machine<'_>, state: &[u64]) -> Vec<Step> {
    let mut found = Vec::new();
    let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let outcome = match outcome {
            Outcome::State(state) => Ok(state.to_vec()),
            Outcome::Fault(fault) => Err(fault),
        };
        found.push((label.rule, label.args.to_vec(), outcome));
        ControlFlow::Continue(())
    });
    assert_eq!(walk, Walk::Complete);
    found
}

/// Compares in all initial states, which are all states there are, forwards and backwards: how many steps
/// there were.
fn compare(system: &System) -> usize {
    let (mut plain, mut states) = (Interpreter::new(system), Vec::new());
    plain.initial(&mut |outcome| {
        let Outcome::State(state) = outcome else { panic!("the initialisation does not fault") };
        states.push(state.to_vec());
        ControlFlow::Continue(())
    });
    let mut compared = 0;
    for backwards in [false, true] {
        let mut caching = CachingInterpreter::after(system, Interrupt::default(), 0);
        for _ in 0..2 {
            for state in &states {
                let expected = steps(&mut plain, state);
                assert_eq!(steps(&mut caching, state), expected, "in {state:?}, backwards: {backwards}");
                compared += expected.len();
            }
        }
        states.reverse();
    }
    compared
}

#[test]
fn branches_and_indices() {
    let mut b = SystemBuilder::new();
    let (index, value) = (b.range(0, 3), b.range(0, 3));
    let cells = b.array(index, value);
    let (n, x, y) = (b.var("n", index, any()), b.var("x", value, any()), b.var("y", b.truth(), any()));
    let a = b.var("a", cells, any());
    let process = b.process("P", &[]);
    b.rule(process, "perhaps").then(branch(y, [set(a.at(0), x)], [set(n, 1)]));
    b.rule(process, "somewhere").when(y).then(set(a.at(n), x));
    b.rule(process, "read").when(y.not()).then(set(x, a.at(n)));
    b.rule(process, "twice").then(set(n, 2)).then(set(a.at(n), x)).then(set(x, a.at(0)));
    b.rule(process, "up").then(set(x, x.add(1))).then(set(a.at(1), x));
    b.rule(process, "behind").when(n.lt(3)).when(a.at(n.add(1)).eq(x)).then(set(y, true));
    b.rule(process, "faults").when(a.at(n.add(1)).eq(x)).when(y).then(set(y, false));
    assert!(compare(&b.build().unwrap()) > 10_000);
}

#[test]
fn parameters_loops_and_choices() {
    let mut b = SystemBuilder::new();
    let member = b.symmetric("M", 3);
    let value = b.range(0, 2);
    let (values, members) = (b.array(member, value), b.set(member));
    let (v, s) = (b.var("v", values, any()), b.var("s", members, any()));
    let m = b.var("m", member, any());
    let (p, q, r) = (b.name("p", member), b.name("q", member), b.name("r", member));
    let process = b.process("P", &[p]);
    b.rule(process, "copy").with(q).when(q.eq(p).not()).when(v.at(q).lt(2)).then(set(v.at(p), v.at(q)));
    b.rule(process, "add").when(s.contains(m).not()).then(insert(s, m));
    b.rule(process, "choose").when(s.contains(p)).then(set(v.at(p), any()));
    b.rule(process, "join").when(forall([r], v.at(r).le(v.at(p)))).then(insert(s, p));
    b.rule(process, "all").when(exists([r], s.contains(r))).then(each(r, [set(v.at(r), v.at(p))]));
    b.rule(process, "many").when(count([r], v.at(r).eq(v.at(p))).lt(3)).then(set(v.at(p), 0));
    assert!(compare(&b.build().unwrap()) > 10_000);
}

#[test]
fn queues() {
    let mut b = SystemBuilder::new();
    let value = b.range(0, 3);
    let queue = b.queue(2, value);
    let (q, x, y) = (b.var("q", queue, any()), b.var("x", value, any()), b.var("y", value, any()));
    let process = b.process("P", &[]);
    b.rule(process, "push").then(push(q, x));
    b.rule(process, "pop").then(pop(q)).then(set(y, x));
    b.rule(process, "both").when(x.lt(y)).then(pop(q)).then(push(q, y)).then(set(x, 0));
    assert!(compare(&b.build().unwrap()) > 1_000);
}

/// Small guards are in tables, also if they fault: then what is left of them must have its say.
#[test]
fn guards_that_fault() {
    let mut b = SystemBuilder::new();
    let index = b.range(0, 3);
    let flags = b.array(index, b.truth());
    let (n, y, f) = (b.var("n", index, any()), b.var("y", b.truth(), any()), b.var("f", flags, any()));
    let p = b.name("p", index);
    let process = b.process("P", &[p]);
    b.rule(process, "first").when(f.at(n.add(1))).when(y).then(set(y, false));
    b.rule(process, "second").when(y).when(f.at(n.add(p))).then(set(y, false));
    b.rule(process, "either").when(n.eq(p).or(f.at(p))).then(set(f.at(p), y));
    assert!(compare(&b.build().unwrap()) > 1_000);
}
