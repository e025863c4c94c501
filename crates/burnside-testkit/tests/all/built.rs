//! The symmetry that the builder finds is one: step by step, for systems that use sorts in many ways.

use burnside_testkit::equivariance;
use burnside_ts::builder::{
    Act, Name, Operators, Pattern, SystemBuilder, Term, Variable, any, assert, branch, count, each, exists,
    first, forall, insert, none, push, set,
};
use burnside_ts::{SortGroup, System};

/// Clients around seats: arrays, an optional, a set, a queue, a bag and an element of a ring.
#[derive(Clone, Copy)]
struct World {
    flags: Variable,
    friend: Variable,
    seen: Variable,
    line: Variable,
    pairs: Variable,
    seat: Variable,
    taken: Variable,
    c: Name,
    d: Name,
    s: Name,
}

fn world(b: &mut SystemBuilder) -> World {
    let client = b.symmetric("Client", 3);
    let seats = b.ring("Seat", 3);
    let flags = b.array(client, b.truth());
    let maybe = b.optional(client);
    let friends = b.array(client, maybe);
    let (seen, line) = (b.set(client), b.queue(2, client));
    let pair = b.record("Pair", &[("who", client), ("where", seats)]);
    let pairs = b.bag(1, pair);
    let by_seat = b.array(seats, maybe);
    World {
        flags: b.var("flags", flags, false),
        friend: b.var("friend", friends, none()),
        seen: b.var("seen", seen, first()),
        line: b.var("line", line, first()),
        pairs: b.var("pairs", pairs, first()),
        seat: b.var("seat", seats, any()),
        taken: b.var("taken", by_seat, none()),
        c: b.name("c", client),
        d: b.name("d", client),
        s: b.name("s", seats),
    }
}

/// A system with one more act than the others, and one more invariant.
fn system(act: impl Fn(World) -> Option<Act>, condition: impl Fn(World) -> Term) -> System {
    let mut b = SystemBuilder::new();
    b.allow_deadlock();
    let w = world(&mut b);
    let World { flags, friend, seen, line, seat, taken, c, d, s, .. } = w;
    let client = b.process("Client", &[c]);
    let meet = b.rule(client, "meet").with(d).when(c.ne(d)).when(friend.at(c).eq(none()));
    meet.then(set(friend.at(c), d)).then(insert(seen, d)).then(set(flags.at(d), friend.at(d).eq(c)));
    b.rule(client, "queue").when(line.size().lt(2)).then(push(line, c));
    let sit = b.rule(client, "sit").with(s).when(taken.at(s).eq(none())).when(seat.eq(s.turned(1)));
    sit.then(set(taken.at(s), c)).then(set(seat, s));
    let other = b.process("Other", &[]);
    let rule = b.rule(other, "more");
    if let Some(act) = act(w) {
        rule.then(act);
    }
    b.invariant("asked", condition(w));
    b.invariant("shared", forall([c, d], friend.at(c).eq(d).implies(seen.contains(d))));
    b.never("twice", Pattern::Repeat(Box::new(Pattern::State(exists([s], taken.at(s).ne(none())))), 2, None));
    b.build().unwrap()
}

/// Checks the symmetry, and tells what is left for both sorts, of the system and of the first property.
fn left(act: impl Fn(World) -> Option<Act>, condition: impl Fn(World) -> Term) -> [(usize, bool); 2] {
    let system = system(act, condition);
    equivariance::check(&system, 300).unwrap();
    [&system.symmetry, &system.properties[0].symmetry].map(|symmetry| {
        let free = match &symmetry.sorts[0] {
            SortGroup::Full(blocks) => blocks[0].len(),
            _ => 0,
        };
        (free, symmetry.sorts[1] == SortGroup::Rotations)
    })
}

const WHOLE: (usize, bool) = (3, true);

#[test]
fn conditions() {
    let of = |condition: fn(World) -> Term| left(|_| None, condition)[1];
    assert_eq!(of(|w| count([w.c], w.flags.at(w.c)).le(1)), WHOLE);
    assert_eq!(of(|w| exists([w.c], w.line.count_of(w.c).eq(2))), WHOLE);
    assert_eq!(of(|w| exists([w.s], w.seat.eq(w.s.turned(2)).and(w.taken.at(w.s).eq(none())))), WHOLE);
    assert_eq!(of(|w| w.line.size().eq(0).or(w.seen.contains(w.line.front()))), WHOLE);
    assert_eq!(of(|w| w.flags.at(1)), (2, true));
    assert_eq!(of(|w| w.taken.at(0).eq(none())), (3, false));
    assert_eq!(of(|w| forall([w.c, w.d], w.c.lt(w.d).implies(w.friend.at(w.d).ne(w.c)))), (0, true));
    assert_eq!(of(|w| exists([w.c], w.friend.at(w.c).eq(w.c.turned(1)))), (0, true));
}

#[test]
fn acts() {
    let of = |act: fn(World) -> Act| left(|w| Some(act(w)), |_| true.into())[0];
    assert_eq!(of(|w| set(w.seat, any())), WHOLE);
    assert_eq!(of(|w| set(w.friend, none())), WHOLE);
    assert_eq!(of(|w| set(w.flags, true)), WHOLE);
    assert_eq!(of(|w| each(w.c, [set(w.flags.at(w.c), any())])), WHOLE);
    assert_eq!(of(|w| each(w.c, [branch(w.flags.at(w.c), [set(w.friend.at(w.c), w.c)], [])])), WHOLE);
    assert_eq!(of(|w| assert(w.friend.at(w.line.front()).value().ne(w.line.front()))), WHOLE);
    assert_eq!(of(|w| set(w.friend, 2)), (2, true));
    assert_eq!(of(|w| set(w.seat, first())), (3, false));
    // The last one stays, and the first ones find room: the order matters.
    assert_eq!(of(|w| each(w.s, [set(w.seat, w.s)])), (3, false));
    assert_eq!(of(|w| each(w.c, [branch(w.line.size().lt(2), [push(w.line, w.c)], [])])), (0, true));
}

#[test]
fn records() {
    let mut b = SystemBuilder::new();
    let World { pairs, c, s, flags, .. } = world(&mut b);
    let (client, seats) = (b.process("Client", &[c]), b.process("Seats", &[s]));
    b.rule(client, "flag").then(set(flags.at(c), flags.at(c).not()));
    b.rule(seats, "nothing").when(pairs.size().eq(1));
    let pair = b.record("Pair", &[("who", b.truth())]);
    let p = b.var("p", pair, any());
    b.rule(seats, "who").then(set(p.field("who"), p.field("who").not()));
    let system = b.build().unwrap();
    let tally = equivariance::check(&system, 300).unwrap();
    assert_eq!((tally.generators, tally.states), (3, 48));
}
