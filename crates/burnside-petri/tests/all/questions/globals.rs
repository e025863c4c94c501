//! The questions that every net has.

use crate::questions::support::*;
use burnside_petri::{Atom, Formula, Global, Net, NetQuestion, Sum, global};
use burnside_ts::{Compare, Path};

fn asked(which: Global) -> NetQuestion {
    global(&net(), which).asked
}

fn ef(formula: Formula) -> Formula {
    Formula::Finally(Some(Path::Some), Box::new(formula))
}

fn ag(formula: Formula) -> Formula {
    Formula::Globally(Some(Path::All), Box::new(formula))
}

#[test]
fn names() {
    let names = Global::ALL.map(|which| global(&net(), which).name);
    let expected = [
        "ReachabilityDeadlock",
        "OneSafe",
        "QuasiLiveness",
        "Liveness",
        "StableMarking",
        "MAX_TOKEN_IN_PLACE",
        "MAX_TOKEN_PER_MARKING",
    ];
    assert_eq!(names, expected);
    assert_eq!(Global::ALL.map(Global::name), expected);
}

#[test]
fn verdicts() {
    assert_eq!(asked(Global::ReachabilityDeadlock), NetQuestion::Reachable(Formula::Atom(Atom::Deadlock)));
    let safe = |place| compare(Compare::Le, tokens(place), constant(1));
    assert_eq!(asked(Global::OneSafe), NetQuestion::Invariant(Formula::And((0..6).map(safe).collect())));
    let possible = || (0..3).map(|transition| ef(fireable(&[transition])));
    assert_eq!(asked(Global::QuasiLiveness), NetQuestion::Ctl(Formula::And(possible().collect())));
    assert_eq!(asked(Global::Liveness), NetQuestion::Ctl(Formula::And(possible().map(ag).collect())));
    let stable = |(place, count)| ag(compare(Compare::Eq, tokens(place), constant(count)));
    let at_first = [(0, 1), (1, 0), (2, 3), (3, 0), (4, 3), (5, 2)];
    assert_eq!(
        asked(Global::StableMarking),
        NetQuestion::Ctl(Formula::Or(at_first.into_iter().map(stable).collect()))
    );
}

#[test]
fn greatest_numbers() {
    let NetQuestion::Bound(sums) = asked(Global::MaxTokenInPlace) else { panic!("a bound") };
    let one = |tokens| Sum { constant: 0, tokens: vec![(1, tokens)] };
    let mut expected: Vec<Sum> = (0..4).map(tokens).collect();
    expected.extend((0..3).flat_map(|colour| (0..3).map(move |number| one(coloured(4, &[colour, number])))));
    expected.extend((0..3).map(|number| one(coloured(5, &[number]))));
    assert_eq!(sums, expected);
    let every = Sum { constant: 0, tokens: (0..6).map(|place| (1, all(place))).collect() };
    assert_eq!(asked(Global::MaxTokenPerMarking), NetQuestion::Bound(vec![every]));
}

#[test]
fn a_net_without_anything() {
    let asked = |which| global(&Net::default(), which).asked;
    let constant_of = |value| Formula::Atom(Atom::Constant(value));
    assert_eq!(asked(Global::OneSafe), NetQuestion::Invariant(constant_of(true)));
    assert_eq!(asked(Global::Liveness), NetQuestion::Ctl(constant_of(true)));
    assert_eq!(asked(Global::QuasiLiveness), NetQuestion::Ctl(constant_of(true)));
    assert_eq!(asked(Global::StableMarking), NetQuestion::Ctl(constant_of(false)));
    assert_eq!(asked(Global::MaxTokenInPlace), NetQuestion::Bound(vec![constant(0)]));
    assert_eq!(asked(Global::MaxTokenPerMarking), NetQuestion::Bound(vec![constant(0)]));
}
