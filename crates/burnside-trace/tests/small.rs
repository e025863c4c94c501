//! Replay on systems small enough to write their runs down: what is right is accepted, and whatever is
//! changed is found.

use burnside_trace::{
    Claim, End, Evidence, Mismatch, Step, Tree, TreeOptions, explain, greatest, holds_initially, replay,
    replay_tree, step_between,
};
use burnside_ts::builder::{
    Operators, Pattern, SystemBuilder, finally, forall, globally, on_all_paths, on_some_path, set,
};
use burnside_ts::{Fault, FaultKind, Interpreter, Question, RuleId, SiteId, Strength, System};

/// Counts up to 3, and faults one step later.
fn counter() -> System {
    let mut b = SystemBuilder::new();
    let range = b.range(0, 3);
    let n = b.var("n", range, 0);
    let process = b.process("P", &[]);
    b.rule(process, "up").then(set(n, n.add(1)));
    b.invariant("small", n.lt(3));
    b.reachable("two", n.eq(2));
    b.bound("most", n);
    let state = |number: i64| Pattern::State(n.eq(number));
    b.never("one two", Pattern::Then(vec![state(1), state(2)]));
    b.build().unwrap()
}

/// Two switches that are flipped for ever, each by a fair process.
fn toggler() -> System {
    let mut b = SystemBuilder::new();
    let switch = b.symmetric("Switch", 2);
    let flags = b.array(switch, b.truth());
    let on = b.var("on", flags, false);
    let s = b.name("s", switch);
    let flipper = b.process("Flipper", &[s]);
    b.fair(flipper, Strength::Weak);
    b.rule(flipper, "flip").then(set(on.at(s), on.at(s).not()));
    b.linear("each", forall([s], globally(finally(on.at(s)))));
    b.linear("first on", globally(finally(on.at(0))));
    b.branching("all on", on_some_path(finally(forall([s], on.at(s)))));
    b.branching("stays off", on_all_paths(globally(on.at(0).not())));
    b.build().unwrap()
}

fn up() -> Step {
    Step { rule: RuleId(0), args: Box::new([]) }
}

fn flip(switch: u64) -> Step {
    Step { rule: RuleId(0), args: Box::new([switch]) }
}

fn run(states: &[u64], steps: &[Step], end: End) -> Evidence {
    Evidence { states: states.iter().map(|&it| Box::from([it])).collect(), steps: steps.to_vec(), end }
}

fn question<'s>(system: &'s System, name: &str) -> &'s Question {
    &system.properties.iter().find(|property| property.name == name).unwrap().question
}

#[test]
fn finite_runs_show_states() {
    let system = counter();
    let good = run(&[0, 1, 2, 3], &[up(), up(), up()], End::State);
    let claim = |name| Claim::of(question(&system, name));
    assert_eq!(replay(&system, &good, claim("small")), Ok(()));
    assert_eq!(replay(&system, &good, claim("two")), Err(Mismatch::NotShown));
    let changed = |change: fn(&mut Evidence)| {
        let mut evidence = good.clone();
        change(&mut evidence);
        replay(&system, &evidence, claim("small"))
    };
    assert_eq!(changed(|it| drop(it.states.pop())), Err(Mismatch::Malformed));
    assert_eq!(changed(|it| it.states[0] = Box::from([1])), Err(Mismatch::NotInitial));
    assert_eq!(changed(|it| it.states[2] = Box::from([1])), Err(Mismatch::NoSuchStep(1)));
    assert_eq!(changed(|it| it.states[3] = Box::from([2])), Err(Mismatch::NoSuchStep(2)));
    assert!(changed(|it| it.steps[1].rule = RuleId(1)).is_err());
    // That the only step faults does not make it a deadlock.
    assert_eq!(changed(|it| it.end = End::Stutter), Err(Mismatch::NotDead));
    let shorter = run(&[0, 1, 2], &[up(), up()], End::State);
    assert_eq!(replay(&system, &shorter, claim("small")), Err(Mismatch::NotShown));
    assert_eq!(replay(&system, &shorter, claim("two")), Ok(()));
    assert_eq!(replay(&system, &shorter, claim("one two")), Ok(()));
    assert_eq!(replay(&system, &good, claim("one two")), Err(Mismatch::NotShown));
}

#[test]
fn bounds_have_their_value() {
    let system = counter();
    let Question::Bound(most) = question(&system, "most") else { panic!("a bound") };
    let good = run(&[0, 1, 2, 3], &[up(), up(), up()], End::State);
    let claim = |value| Claim { value, ..Claim::of(question(&system, "most")) };
    assert_eq!(replay(&system, &good, claim(Some(3))), Ok(()));
    assert_eq!(replay(&system, &good, claim(Some(2))), Err(Mismatch::NotShown));
    // A step faults, so what was seen need not be all.
    assert_eq!(greatest(&system, most, 10), None);
}

#[test]
fn runs_that_end_in_a_fault() {
    let system = counter();
    let fault = Fault { kind: FaultKind::OutOfRange { value: 4, lo: 0, hi: 3 }, site: SiteId(0) };
    let ending = |fault| run(&[0, 1, 2, 3], &[up(), up(), up()], End::Fault(Some(up()), fault));
    let claim = Claim::of(&Question::Fault);
    assert_eq!(replay(&system, &ending(fault), claim), Ok(()));
    let other = Fault { kind: FaultKind::Overflow, ..fault };
    assert_eq!(replay(&system, &ending(other), claim), Err(Mismatch::NoSuchFault));
    let early = Evidence { end: End::Fault(Some(up()), fault), ..run(&[0, 1], &[up()], End::State) };
    assert_eq!(replay(&system, &early, claim), Err(Mismatch::NoSuchFault));
    let quiet = run(&[0, 1, 2, 3], &[up(), up(), up()], End::State);
    assert_eq!(replay(&system, &quiet, claim), Err(Mismatch::NotShown));
}

#[test]
fn loops_are_closed_and_fair() {
    let system = toggler();
    let claim = |name, fair| Claim { fair, ..Claim::of(question(&system, name)) };
    // Only the second switch is flipped.
    let lazy = run(&[0, 2], &[flip(1), flip(1)], End::Loop(0));
    assert_eq!(replay(&system, &lazy, claim("each", false)), Ok(()));
    assert_eq!(replay(&system, &lazy, claim("each", true)), Err(Mismatch::Unfair("Flipper[0]".into())));
    assert_eq!(explain(&system, &lazy).len(), 2);
    // Both are, and each is on again and again.
    let busy = run(&[0, 1, 3, 2], &[flip(0), flip(1), flip(0), flip(1)], End::Loop(0));
    assert_eq!(replay(&system, &busy, claim("each", true)), Err(Mismatch::NotFalse));
    let open = run(&[0, 2], &[flip(1), flip(0)], End::Loop(0));
    assert_eq!(replay(&system, &open, claim("first on", false)), Err(Mismatch::LoopOpen));
    let still = run(&[0], &[], End::Stutter);
    assert_eq!(replay(&system, &still, claim("first on", false)), Err(Mismatch::NotDead));
}

#[test]
fn trees_show_branching_formulas() {
    let system = toggler();
    let formula = |name| match question(&system, name) {
        Question::Branching(formula) => formula,
        _ => panic!("a branching formula"),
    };
    let judged = |name, truth, tree: &Tree| {
        let shown = replay_tree(&system, formula(name), truth, &[0], tree, TreeOptions::default());
        shown.map(|shown| shown.complete)
    };
    let both = run(&[0, 1, 3], &[flip(0), flip(1)], End::State);
    let tree = |run: &Evidence, at| Tree::Run(Box::new(run.clone()), vec![(at, Tree::Condition)]);
    assert_eq!(judged("all on", true, &tree(&both, 2)), Ok(true));
    assert!(judged("all on", false, &tree(&both, 2)).is_err());
    assert!(judged("all on", true, &tree(&both, 1)).is_err());
    let wrong = run(&[0, 1, 2], &[flip(0), flip(1)], End::State);
    assert!(judged("all on", true, &tree(&wrong, 2)).is_err());
    let once = run(&[0, 1], &[flip(0)], End::State);
    assert_eq!(judged("stays off", false, &tree(&once, 1)), Ok(true));
    let holds = |name| holds_initially(&system, formula(name), false, 10);
    assert_eq!(["all on", "stays off"].map(holds), [Some(true), Some(false)]);
}

#[test]
fn steps_are_found_again() {
    let system = toggler();
    let mut machine = Interpreter::new(&system);
    assert_eq!(step_between(&mut machine, &[1], &[3], |_| true), Some(flip(1)));
    assert_eq!(step_between(&mut machine, &[0], &[3], |_| true), None);
    assert_eq!(step_between(&mut machine, &[1], &[3], |label| label.args == [0]), None);
}
