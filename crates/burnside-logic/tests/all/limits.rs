//! Large and deep formulas are translated fast or refused with a reason.

use crate::common;

use burnside_limits::{Interrupt, Stop, catch};
use std::time::{Duration, Instant};

use burnside_logic::{AutomatonLimits, Ltl, parse, translate};
use common::atom;

fn sizes(text: &str) -> Result<(usize, usize), Stop> {
    let parsed = parse(text).unwrap();
    let automaton = translate(&parsed.formula, parsed.names.len() as u32, &AutomatonLimits::default())?;
    Ok((automaton.len(), automaton.edge_count()))
}

fn too_large<T>(why: &str) -> Result<T, Stop> {
    Err(Stop::too_large(why))
}

fn many(count: usize, text: &str, between: &str) -> String {
    (0..count).map(|i| text.replace('#', &i.to_string())).collect::<Vec<_>>().join(between)
}

fn within<T>(seconds: u64, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < Duration::from_secs(seconds), "it took {:?}", start.elapsed());
    result
}

#[test]
fn disjunctions_are_linear() {
    assert_eq!(within(5, || sizes(&many(50, "F(p# && G !q#)", " || "))), Ok((51, 101)));
    assert_eq!(within(5, || sizes(&many(50, "!G(p# -> F q#)", " || "))), Ok((51, 101)));
    assert_eq!(within(5, || sizes(&format!("!({})", many(50, "G(p# -> F q#)", " && ")))), Ok((51, 101)));
    let (states, _) = within(5, || sizes(&many(70, "(GF a# && F b#)", " || "))).unwrap();
    assert_eq!(states, 71);
}

#[test]
fn conjunctions_of_responses_grow_as_they_must() {
    assert_eq!(sizes(&many(4, "G(p# -> F q#)", " && ")).unwrap().0, 16);
    assert_eq!(within(20, || sizes(&many(6, "G(p# -> F q#)", " && "))).unwrap().0, 64);
    let refused = within(30, || sizes(&many(10, "G(p# -> F q#)", " && ")));
    // Any automaton has 1024 states or more, and each of its labels is one of millions of cubes.
    let reason = refused.unwrap_err().to_string();
    assert!(reason.contains("edges of the automaton") || reason.ends_with("edges"), "{reason}");
}

#[test]
fn fairness_needs_no_states() {
    assert_eq!(within(20, || sizes(&format!("{} && G(p -> F q)", many(6, "GF a#", " && ")))).unwrap().0, 2);
    assert_eq!(within(5, || sizes(&many(60, "FG a#", " && "))).unwrap().0, 2);
    assert_eq!(within(5, || sizes(&many(60, "GF a#", " || "))).unwrap().0, 1);
}

/// An edge for each goal and one more, not one for each set of goals.
#[test]
fn goals_share_a_state() {
    for goals in 1..=64 {
        let expected = Ok((1, goals + 1));
        assert_eq!(within(5, || sizes(&many(goals, "GF a#", " && "))), expected);
        assert_eq!(within(5, || sizes(&format!("!({})", many(goals, "FG a#", " || ")))), expected);
    }
    assert_eq!(within(5, || sizes(&format!("{} && FG b", many(20, "GF a#", " && ")))), Ok((2, 23)));
}

#[test]
fn sets_are_limited() {
    let text = many(70, "GF a#", " && ");
    let parsed = parse(&text).unwrap();
    assert_eq!(
        within(5, || sizes(&text)),
        too_large("the automaton has 70 acceptance sets; there can be 64 at most")
    );
    let limits = AutomatonLimits { states: 10, edges: usize::MAX };
    assert_eq!(translate(&Ltl::True, 0, &limits).unwrap().len(), 1);
    let limits = AutomatonLimits { states: 3, ..AutomatonLimits::default() };
    let untils = parse("F a && F b && F c").unwrap();
    assert_eq!(translate(&untils.formula, 3, &limits), too_large("the automaton has more than 3 states"));
    let interrupt = Interrupt::new();
    interrupt.raise(Stop::Interrupted);
    let stopped = catch(|| interrupt.enter(|| translate(&parsed.formula, 70, &AutomatonLimits::default())));
    assert_eq!(stopped, Err(Stop::Interrupted));
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let builders: [fn(Ltl) -> Ltl; 5] = [
        |inside| Ltl::Next(Box::new(inside)),
        |inside| Ltl::Not(Box::new(inside)),
        |inside| Ltl::Globally(Box::new(Ltl::Finally(Box::new(inside)))),
        |inside| Ltl::Until(Box::new([atom(0), inside])),
        |inside| Ltl::And(vec![atom(0), Ltl::Or(vec![atom(1), Ltl::Next(Box::new(inside))])]),
    ];
    for (index, builder) in builders.into_iter().enumerate() {
        let formula = (0..1_500).fold(atom(1), |inside, _| builder(inside));
        let limits = AutomatonLimits { states: 2_000, edges: 10_000 };
        let result = within(20, || translate(&formula, 2, &limits));
        assert!(result.is_ok() || index > 2, "{result:?}");
    }
}
