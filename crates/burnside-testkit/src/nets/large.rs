//! Random nets with more tokens than is good for 64 bits, and questions about them.
//!
//! Entry points: [`large_net`] and [`large_query`]. A net in which all numbers of a place are multiplied by
//! the same factor does what it did before; so small nets become nets that are just as finite, with numbers
//! of tokens around the greatest that can be held. In some of them one weight is then changed a little.

use super::random::random_net;
use crate::generate::Rng;
use burnside_petri::{Arc, Atom, Formula, MOST_TOKENS, Net, NetQuestion, PlaceId, Sum, Tokens};
use burnside_ts::{Compare, Path};

/// A net. With `coloured`, places have colours.
pub fn large_net(seed: u64, coloured: bool) -> Net {
    let mut net = random_net(seed, coloured);
    let mut rng = Rng::new(seed ^ 0x1a49e);
    let factors = [
        (3, 1),
        (1, 1 << 57),
        (2, 1 << 58),
        (4, 1 << 59),
        (4, MOST_TOKENS / 5),
        (4, MOST_TOKENS / 4),
        (4, MOST_TOKENS / 3),
        (3, MOST_TOKENS / 2),
        (1, MOST_TOKENS),
        (1, 1 << 62),
    ];
    let odds = factors.map(|(odds, _)| odds);
    let scales: Vec<u64> = net.places.iter().map(|_| factors[rng.weighted(&odds)].1).collect();
    for (place, &scale) in net.places.iter_mut().zip(&scales) {
        place.initial.iter_mut().for_each(|tokens| *tokens = tokens.saturating_mul(scale));
    }
    for arc in arcs(&mut net) {
        let scale = scales[arc.place.index()] as i64;
        arc.inscription.iter_mut().for_each(|(weight, _)| *weight = weight.saturating_mul(scale));
    }
    if rng.chance(30) {
        let change = rng.between(-1, 1);
        let mut all: Vec<&mut Arc> = arcs(&mut net).collect();
        let chosen = rng.below(all.len().max(1));
        if let Some((weight, _)) = all.get_mut(chosen).and_then(|arc| arc.inscription.first_mut())
            && *weight > 1
        {
            *weight = weight.saturating_add(change);
        }
    }
    net
}

fn arcs(net: &mut Net) -> impl Iterator<Item = &mut Arc> {
    net.transitions.iter_mut().flat_map(|it| {
        it.inputs.iter_mut().chain(&mut it.outputs).chain(&mut it.reads).chain(&mut it.inhibitors)
    })
}

/// A question with great numbers.
pub fn large_query(rng: &mut Rng, net: &Net) -> NetQuestion {
    let atom = |rng: &mut Rng| {
        let op = *rng.pick(&[Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le]);
        let constants =
            [0, 1, 1 << 60, MOST_TOKENS as i64, 1 << 61, 1 << 62, i64::MAX - 1, i64::MAX, i64::MIN, -1];
        let constant = Sum { constant: *rng.pick(&constants), tokens: Vec::new() };
        Formula::Atom(Atom::Compare(op, sum(rng, net), constant))
    };
    match rng.below(5) {
        0 => NetQuestion::Bound(vec![sum(rng, net)]),
        1 => NetQuestion::Invariant(atom(rng)),
        2 => NetQuestion::Reachable(atom(rng)),
        3 => NetQuestion::Ctl(Formula::Finally(Some(Path::Some), Box::new(atom(rng)))),
        _ => {
            let inner = Formula::Finally(Some(Path::Some), Box::new(atom(rng)));
            NetQuestion::Ctl(Formula::Globally(Some(Path::All), Box::new(inner)))
        }
    }
}

fn sum(rng: &mut Rng, net: &Net) -> Sum {
    let count = 1 + rng.below(3);
    let tokens = (0..count).map(|_| {
        let place = PlaceId(rng.below(net.places.len()) as u32);
        (*rng.pick(&[1, 1, 1, 2, 3, 5, -1, i64::MAX]), Tokens { place, colour: None })
    });
    Sum { constant: 0, tokens: tokens.collect() }
}
