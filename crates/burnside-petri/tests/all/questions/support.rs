//! A net with all kinds of names, and short ways to write formulas.

use burnside_petri::{
    Atom, Class, ClassId, Formula, Net, Order, Place, PlaceId, Sum, Tokens, Transition, TransitionId,
};
use burnside_ts::Compare;

/// Places: 0 `p`, 1 `q`, 2 `x-1.a`, 3 `G`, 4 `c` over `Colour` × `Number`, 5 `d` over
/// `Number`. Transitions: 0 `t1`, 1 `t2`, 2 `t 3`.
pub fn net() -> Net {
    let colour = class("Colour", Order::Enumeration, &["red", "dark green", "U"]);
    let number = class("Number", Order::Range(-1), &["-1", "0", "1"]);
    let places = vec![
        place("p", "first", &[], &[1]),
        place("q", "p", &[], &[0]),
        place("x-1.a", "twin", &[], &[3]),
        place("G", "twin", &[], &[0]),
        place("c", "c", &[ClassId(0), ClassId(1)], &[1, 0, 0, 0, 2, 0, 0, 0, 0]),
        place("d", "d", &[ClassId(1)], &[0, 1, 1]),
    ];
    let transitions = [("t1", "go"), ("t2", "t2"), ("t 3", "A")];
    let transition =
        |(id, name): (&str, &str)| Transition { id: id.into(), name: name.into(), ..Transition::default() };
    Net {
        name: "small".into(),
        coloured: true,
        classes: vec![colour, number],
        places,
        transitions: transitions.into_iter().map(transition).collect(),
        ..Net::default()
    }
}

fn class(name: &str, order: Order, elements: &[&str]) -> Class {
    Class { name: name.into(), order, elements: elements.iter().map(|&element| element.into()).collect() }
}

fn place(id: &str, name: &str, domain: &[ClassId], initial: &[u64]) -> Place {
    Place { id: id.into(), name: name.into(), domain: domain.into(), initial: initial.into() }
}

pub fn tokens(place: u32) -> Sum {
    Sum { constant: 0, tokens: vec![(1, all(place))] }
}

pub fn all(place: u32) -> Tokens {
    Tokens { place: PlaceId(place), colour: None }
}

pub fn coloured(place: u32, colour: &[u32]) -> Tokens {
    Tokens { place: PlaceId(place), colour: Some(colour.into()) }
}

pub fn constant(constant: i64) -> Sum {
    Sum { constant, tokens: Vec::new() }
}

pub fn compare(op: Compare, left: Sum, right: Sum) -> Formula {
    Formula::Atom(Atom::Compare(op, left, right))
}

/// At least one token in a place.
pub fn marked(place: u32) -> Formula {
    compare(Compare::Le, constant(1), tokens(place))
}

pub fn fireable(transitions: &[u32]) -> Formula {
    Formula::Atom(Atom::Fireable(transitions.iter().map(|&id| TransitionId(id)).collect()))
}

pub fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

pub fn pair(left: Formula, right: Formula) -> Box<[Formula; 2]> {
    Box::new([left, right])
}
