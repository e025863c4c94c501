//! The example net, read and run by brute force: as many states and firings as its text and the other form of
//! the system say.

use std::collections::BTreeSet;

use burnside_petri::{Arc, Guard, Net, PlaceId, Term};

use crate::pnml::support::net;

type Marking = Vec<Vec<i64>>;

/// How many tokens of a colour an arc moves under a binding.
fn weight(net: &Net, arc: &Arc, binding: &[u32], colour: usize) -> i64 {
    let domain = &net.place(arc.place).domain;
    let colour = net.colour(domain, colour);
    let matches = |pattern: &[Term]| {
        pattern.iter().zip(&colour).zip(domain).all(|((term, element), class)| match *term {
            Term::All => true,
            Term::Constant(constant) => constant == *element,
            Term::Variable(id, steps) => {
                let size = net.class(*class).elements.len() as i64;
                (i64::from(binding[id.index()]) + steps).rem_euclid(size) == i64::from(*element)
            }
        })
    };
    arc.inscription
        .iter()
        .filter(|(_, pattern)| matches(pattern))
        .map(|(weight, _)| weight)
        .sum::<i64>()
        .max(0)
}

/// Adds what arcs say, so many times.
fn moved(net: &Net, marking: &mut Marking, arcs: &[Arc], binding: &[u32], times: i64) {
    for arc in arcs {
        let tokens = &mut marking[arc.place.index()];
        for (colour, tokens) in tokens.iter_mut().enumerate() {
            *tokens += times * weight(net, arc, binding, colour);
        }
    }
}

/// The markings after each firing: once for each transition and binding.
fn firings(net: &Net, marking: &Marking) -> Vec<Marking> {
    let mut found = Vec::new();
    for transition in &net.transitions {
        assert_eq!(transition.guard, Guard::True);
        let sizes = transition.variables.iter().map(|id| net.class(net.variable(*id).class).elements.len());
        for number in 0..sizes.clone().product() {
            let (mut binding, mut rest): (Vec<u32>, usize) = (vec![0; net.variables.len()], number);
            for (id, size) in transition.variables.iter().zip(sizes.clone()) {
                (binding[id.index()], rest) = ((rest % size) as u32, rest / size);
            }
            let mut next = marking.clone();
            moved(net, &mut next, &transition.inputs, &binding, -1);
            if next.iter().flatten().all(|tokens| *tokens >= 0) {
                moved(net, &mut next, &transition.outputs, &binding, 1);
                found.push(next);
            }
        }
    }
    found
}

#[test]
fn heljanko_mutex() {
    let net = net(include_str!("../../../../../examples/heljanko_mutex.pnml"));
    assert_eq!((net.places.len(), net.transitions.len(), net.classes.len()), (5, 6, 1));
    let initial: Marking =
        net.places.iter().map(|place| place.initial.iter().map(|tokens| *tokens as i64).collect()).collect();
    let (mut seen, mut waiting, mut count) = (BTreeSet::from([initial.clone()]), vec![initial], 0);
    while let Some(marking) = waiting.pop() {
        let critical = PlaceId(2).index();
        assert!(marking[critical].iter().sum::<i64>() <= 1, "exclusion");
        for next in firings(&net, &marking) {
            count += 1;
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    assert_eq!((seen.len(), count), (9, 16));
}
