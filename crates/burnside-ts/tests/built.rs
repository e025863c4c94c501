//! Systems made by the builder: what they do, what is refused, and what symmetry is left.

use burnside_ts::builder::{
    Act, Name, Operators, Pattern, SystemBuilder, Term, Variable, any, assert, assume, branch, count, each,
    exists, finally, first, forall, globally, greatest, insert, none, on_all_paths, pop, push, put, set, sum,
};
use burnside_ts::{
    FaultKind, Goal, Interpreter, Label, Machine, Outcome, Question, SortGroup, Strength, System, TypeId,
    Undefined, Walk,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

type State = Vec<u64>;

/// Each client is idle, trying or critical, and a bit says whether somebody is critical.
fn mutex(clients: u32) -> System {
    let mut b = SystemBuilder::new();
    let client = b.symmetric("Client", clients);
    let phase = b.enumeration("Phase", &["idle", "trying", "critical"]);
    let phases = b.array(client, phase);
    let busy = b.var("busy", b.truth(), false);
    let pc = b.var("pc", phases, "idle");
    let c = b.name("c", client);
    let worker = b.process("Worker", &[c]);
    b.rule(worker, "try").when(pc.at(c).eq("idle")).then(set(pc.at(c), "trying"));
    let enter = b.rule(worker, "enter").when(pc.at(c).eq("trying")).when(busy.not());
    enter.then(set(pc.at(c), "critical")).then(set(busy, true));
    let exit = b.rule(worker, "exit").when(pc.at(c).eq("critical"));
    exit.then(set(pc.at(c), "idle")).then(set(busy, false));
    b.invariant("exclusion", count([c], pc.at(c).eq("critical")).le(1));
    b.build().unwrap()
}

/// Counts up to 3, and faults one step later.
fn counter() -> System {
    let mut b = SystemBuilder::new();
    let range = b.range(0, 3);
    let n = b.var("n", range, 0);
    let process = b.process("P", &[]);
    b.rule(process, "up").then(set(n, n.add(1)));
    b.invariant("small", n.lt(3));
    b.build().unwrap()
}

fn initial(system: &System) -> Vec<State> {
    let mut found = BTreeSet::new();
    Interpreter::new(system).initial(&mut |outcome| {
        let Outcome::State(state) = outcome else { panic!("the initialisation faults") };
        found.insert(state.to_vec());
        ControlFlow::Continue(())
    });
    found.into_iter().collect()
}

/// Labels and the states they lead to, or the fault.
fn steps(system: &System, state: &[u64]) -> Vec<(String, Result<State, FaultKind>)> {
    let mut found = Vec::new();
    Interpreter::new(system).successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let outcome = match outcome {
            Outcome::State(state) => Ok(state.to_vec()),
            Outcome::Fault(fault) => Err(fault.kind),
        };
        found.push((system.show_label(label), outcome));
        ControlFlow::Continue(())
    });
    found
}

/// All reachable states and how many steps lead from them.
fn explore(system: &System) -> (BTreeSet<State>, usize) {
    let mut queue = initial(system);
    let mut known: BTreeSet<State> = queue.iter().cloned().collect();
    let mut count = 0;
    while let Some(state) = queue.pop() {
        for (_, outcome) in steps(system, &state) {
            count += 1;
            let next = outcome.expect("no step faults");
            if known.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    (known, count)
}

#[test]
fn a_mutex_has_the_states_and_steps_that_it_should() {
    // The busy bit clear and all idle or trying, or one critical: 2^n + n * 2^(n - 1). As in
    // examples/mutex.orb.
    for (clients, expected) in [(2, (8, 14)), (3, (20, 48))] {
        let system = mutex(clients);
        let (states, count) = explore(&system);
        assert_eq!((states.len(), count), expected);
        let Question::Invariant(exclusion) = &system.properties[0].question else { panic!() };
        let mut machine = Interpreter::new(&system);
        assert!(states.iter().all(|state| machine.holds(exclusion, state) == Ok(true)));
    }
    let system = mutex(2);
    let labels: Vec<String> = steps(&system, &initial(&system)[0]).into_iter().map(|step| step.0).collect();
    assert_eq!(labels, ["Worker[0].try", "Worker[1].try"]);
    assert_eq!(system.properties[0].text, "count c: Client { pc[c] == critical } <= 1");
}

#[test]
fn a_counter_faults_behind_its_end() {
    let system = counter();
    assert_eq!(initial(&system), [[0]]);
    assert_eq!(steps(&system, &[2]), [("P.up".to_string(), Ok(vec![3]))]);
    let fault = FaultKind::OutOfRange { value: 4, lo: 0, hi: 3 };
    assert_eq!(steps(&system, &[3]), [("P.up".to_string(), Err(fault))]);
    assert_eq!(system.sites[0].text, "n + 1");
}

#[test]
fn conditions_without_a_value() {
    let mut b = SystemBuilder::new();
    let range = b.range(0, 3);
    let cells = b.array(range, range);
    let (n, a) = (b.var("n", range, 0), b.var("a", cells, 2));
    b.invariant("index", a.at(n.add(2)).eq(2));
    b.invariant("division", n.div(n).eq(1));
    let system = b.build().unwrap();
    let condition = |i: usize| match &system.properties[i].question {
        Question::Invariant(condition) => condition,
        _ => panic!("an invariant"),
    };
    let state = initial(&system)[0].clone();
    let mut machine = Interpreter::new(&system);
    assert_eq!(machine.holds(condition(0), &state), Ok(true));
    let outside = FaultKind::IndexOutOfRange { index: 4, lo: 0, hi: 3 };
    let far: State = vec![state[0] | 2];
    assert!(matches!(machine.holds(condition(0), &far), Err(Undefined::Fault(it)) if it.kind == outside));
    let zero = FaultKind::DivisionByZero;
    assert!(matches!(machine.holds(condition(1), &state), Err(Undefined::Fault(it)) if it.kind == zero));
}

/// Forty cells get any value at once.
fn shuffle() -> System {
    let mut b = SystemBuilder::new();
    let (index, value) = (b.range(0, 39), b.range(0, 7));
    let cells = b.array(index, value);
    let a = b.var("a", cells, 0);
    let i = b.name("i", index);
    let process = b.process("P", &[]);
    b.rule(process, "shuffle").then(each(i, [set(a.at(i), any())]));
    b.build().unwrap()
}

#[test]
fn goals_are_found_among_very_many_outcomes() {
    let system = shuffle();
    let state = initial(&system)[0].clone();
    let goal: State = vec![0x0123_4567_89ab_cdef, 0x00fe_dcba_9876_5432];
    let (mut found, mut machine) = (Vec::new(), Interpreter::new(&system));
    let mut sink = |_: Label<'_>, outcome: Outcome<'_>| {
        let Outcome::State(state) = outcome else { panic!("the step faults") };
        found.push(state.to_vec());
        ControlFlow::Continue(())
    };
    assert_eq!(machine.successors_to(&state, &Goal::state(&goal), &mut sink), Walk::Complete);
    assert_eq!(found, [goal]);
}

#[test]
fn goals_of_a_mutex_are_its_steps() {
    let system = mutex(3);
    for state in &explore(&system).0 {
        let all: Vec<State> = steps(&system, state).into_iter().map(|step| step.1.unwrap()).collect();
        for goal in &all {
            let mut found = Vec::new();
            let mut sink = |_: Label<'_>, outcome: Outcome<'_>| {
                found.extend(match outcome {
                    Outcome::State(state) => Some(state.to_vec()),
                    Outcome::Fault(_) => None,
                });
                ControlFlow::Continue(())
            };
            Interpreter::new(&system).successors_to(state, &Goal::state(goal), &mut sink);
            assert_eq!(found, all.iter().filter(|it| *it == goal).cloned().collect::<Vec<_>>());
        }
    }
}

#[test]
fn collections_records_and_optionals() {
    let mut b = SystemBuilder::new();
    let client = b.symmetric("Client", 2);
    let small = b.range(-1, 2);
    let pair = b.record("Pair", &[("who", client), ("what", small)]);
    let (set_of, queue, bag) = (b.set(pair), b.queue(2, client), b.bag(2, small));
    let (maybe, maybe_pair) = (b.optional(client), b.optional(pair));
    let (s, q, g) = (b.var("s", set_of, first()), b.var("q", queue, first()), b.var("g", bag, first()));
    let (m, w) = (b.var("m", maybe, none()), b.var("w", maybe_pair, none()));
    let p = b.name("p", pair);
    let process = b.process("P", &[]);
    let rule = b.rule(process, "go").with(p).when(s.size().eq(0).and(m.eq(none())).and(w.eq(none())));
    rule.then(insert(s, p)).then(push(q, p.field("who"))).then(put(g, p.field("what")));
    rule.then(set(m, q.front())).then(set(w, p));
    rule.then(assert(m.value().eq(p.field("who")))).then(assert(g.count_of(p.field("what")).eq(1)));
    rule.then(assert(s.contains(p).and(w.ne(none()))));
    b.rule(process, "pop").then(pop(q));
    b.rule(process, "get").when(s.size().eq(0)).then(set(m, m.value()));
    let system = b.build().unwrap();
    assert_eq!(system.symmetry.sorts, [SortGroup::full(vec![0, 1])]);
    let start = initial(&system)[0].clone();
    let after = steps(&system, &start);
    let faults: Vec<FaultKind> = after.iter().filter_map(|step| step.1.clone().err()).collect();
    assert_eq!((after.len(), faults), (10, vec![FaultKind::Empty, FaultKind::NoValue]));
    let leaves = system.leaves();
    let texts = system.show_state(&leaves, after[2].1.as_ref().unwrap());
    assert_eq!(after[2].0, "P.go(p=Pair(who: Client#0, what: 1))");
    assert_eq!(texts[0], "{Pair(who: Client#0, what: 1)}");
}

/// Makes a term over clients.
type Make = dyn Fn(&mut SystemBuilder, TypeId) -> Term;

/// What building says is wrong.
fn refused(build: impl FnOnce(&mut SystemBuilder, TypeId)) -> String {
    let mut b = SystemBuilder::new();
    let client = b.symmetric("Client", 3);
    build(&mut b, client);
    b.build().unwrap_err().to_string()
}

#[test]
fn wrong_terms_are_errors() {
    let invariant = |make: &Make| {
        refused(|b, client| {
            let term = make(b, client);
            b.invariant("p", term);
        })
    };
    let cases: [(&str, &Make); 11] = [
        ("`Phase` has no constant `lost`", &|b, _| {
            let phase = b.enumeration("Phase", &["idle"]);
            b.var("pc", phase, "idle").eq("lost")
        }),
        ("the index 4 is outside 0..3", &|b, _| {
            let range = b.range(0, 3);
            let cells = b.array(range, range);
            b.var("a", cells, 0).at(4).eq(1)
        }),
        ("`Client` has no element 3", &|b, client| b.var("c", client, any()).eq(3)),
        ("`c` is Client, not bool", &|b, client| b.var("c", client, any()).not()),
        ("`c` is not an integer", &|b, client| b.var("c", client, any()).add(1).eq(2)),
        ("`d` is not bound here", &|b, client| {
            let d = b.name("d", client);
            b.var("c", client, any()).eq(d)
        }),
        ("`d` is bound twice", &|b, client| {
            let d = b.name("d", client);
            exists([d], forall([d], d.eq(d)))
        }),
        ("`n` is not an array", &|b, _| {
            let range = b.range(0, 3);
            b.var("n", range, 0).at(1).eq(1)
        }),
        ("`r` has no field `y`", &|b, client| {
            let record = b.record("R", &[("x", client)]);
            b.var("r", record, any()).field("y").eq(1)
        }),
        ("`x` is not clear here: its type is not known", &|_, _| Term::from("x").eq("y")),
        ("`F b` is not a condition on a state", &|b, _| finally(b.var("b", b.truth(), true))),
    ];
    for (expected, make) in cases {
        assert_eq!(invariant(make), format!("property `p`: {expected}"));
    }
}

#[test]
fn wrong_declarations_are_errors() {
    let of_start = |b: &mut SystemBuilder, _| {
        let range = b.range(0, 3);
        b.var("n", range, 7);
    };
    assert_eq!(refused(of_start), "variable `n`: 7 is outside 0..3");
    let empty = |b: &mut SystemBuilder, _| {
        b.range(3, 0);
    };
    assert_eq!(refused(empty), "3..0: the type has no value");
    let assumed = |b: &mut SystemBuilder, _| {
        let process = b.process("P", &[]);
        b.rule(process, "r").then(assume(true));
    };
    assert_eq!(refused(assumed), "rule `r`: only the initialisation can assume something");
    let pathless = |b: &mut SystemBuilder, _| b.branching("p", globally(true));
    assert_eq!(refused(pathless), "property `p`: `G true` is not on all paths, nor on some path");
    let of_run = |b: &mut SystemBuilder, _| b.linear("p", on_all_paths(globally(true)));
    assert_eq!(refused(of_run), "property `p`: `AG true` is not about a single run");
    let stranger = |b: &mut SystemBuilder, client: TypeId| {
        let mut other = SystemBuilder::new();
        let name = (0..9).map(|_| other.name("x", client)).last().unwrap();
        b.process("P", &[name]);
    };
    assert_eq!(refused(stranger), "process `P`: no such name");
}

/// What is left of the symmetry of three clients if a rule does something.
fn left(act: impl Fn(&mut SystemBuilder, TypeId) -> Act) -> SortGroup {
    let mut b = SystemBuilder::new();
    let client = b.symmetric("Client", 3);
    let act = act(&mut b, client);
    let process = b.process("P", &[]);
    b.rule(process, "r").then(act);
    b.build().unwrap().symmetry.sorts[0].clone()
}

#[test]
fn what_keeps_symmetry() {
    let all = SortGroup::full(vec![0, 1, 2]);
    let flags = |b: &mut SystemBuilder, client| {
        let ty = b.array(client, b.truth());
        (b.var("a", ty, false), b.var("b", ty, any()), b.name("c", client), b.name("d", client))
    };
    let loops = |make: &dyn Fn([Variable; 2], [Name; 2]) -> _| {
        left(|b, client| {
            let (x, y, c, d) = flags(b, client);
            make([x, y], [c, d])
        })
    };
    assert_eq!(loops(&|[a, b], [c, _]| each(c, [set(a.at(c), b.at(c))])), all);
    assert_eq!(loops(&|[a, b], [c, d]| each(c, [set(a.at(c), exists([d], b.at(d)))])), all);
    assert_eq!(loops(&|[a, _], [c, _]| each(c, [branch(a.at(c), [set(a.at(c), any())], [])])), all);
    assert_eq!(loops(&|[a, _], [c, d]| each(c, [set(a.at(c), exists([d], a.at(d)))])), SortGroup::Fixed);
    assert_eq!(loops(&|[a, b], [c, _]| each(c, [set(a.at(0), b.at(c))])), SortGroup::Fixed);
    let element = |make: &dyn Fn(Variable) -> _| left(|b, client| make(b.var("x", client, any())));
    assert_eq!(element(&|x| set(x, any())), all);
    assert_eq!(element(&|x| set(x, 1)), SortGroup::full(vec![0, 2]));
    assert_eq!(element(&|x| set(x, first())), SortGroup::full(vec![1, 2]));
    assert_eq!(element(&|x| assert(x.lt(2))), SortGroup::Fixed);
    assert_eq!(element(&|x| set(x, x.turned(1))), SortGroup::Fixed);
}

#[test]
fn rings_keep_turns() {
    let mut b = SystemBuilder::new();
    let seat = b.ring("Seat", 4);
    let flags = b.array(seat, b.truth());
    let (x, a) = (b.var("x", seat, any()), b.var("a", flags, false));
    let s = b.name("s", seat);
    let process = b.process("P", &[s]);
    b.rule(process, "go").when(x.eq(s)).then(set(x, s.turned(1))).then(set(a.at(s.turned(-1)), true));
    b.invariant("somewhere", exists([s], x.eq(s)));
    b.invariant("not first", x.ne(0));
    b.never("back", Pattern::Then(vec![Pattern::State(a.at(0)), Pattern::State(a.at(0).not())]));
    b.bound("set", sum([s], a.at(s).choose(1, 0)).max(greatest([s], a.at(s).choose(1, 0))));
    b.fair(process, Strength::Weak);
    let system = b.build().unwrap();
    assert_eq!(system.symmetry.sorts, [SortGroup::Rotations]);
    let kept: Vec<bool> = system.properties.iter().map(|property| !property.symmetry.is_trivial()).collect();
    assert_eq!(kept, [true, false, false, true]);
    assert_eq!((system.units(), initial(&system).len()), (4, 4));
}
