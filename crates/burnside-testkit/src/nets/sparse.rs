//! Random nets in which transitions have few arcs, so that much of them can be taken together or left out.

use crate::generate::Rng;
use burnside_petri::{Arc, Atom, Formula, Net, NetQuestion, Place, PlaceId, Transition};
use burnside_ts::Path;

use super::{random_linear, random_query};

/// A place/transition net.
pub fn sparse_net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let places = 3 + rng.below(5);
    let place = |number: usize, rng: &mut Rng| {
        let id = format!("p{number}");
        let tokens = [0, 0, 0, 1, 1, 2][rng.below(6)];
        Place { name: id.clone(), id, domain: Vec::new(), initial: vec![tokens] }
    };
    let mut net = Net { name: format!("sparse{seed}"), ..Net::default() };
    net.places = (0..places).map(|number| place(number, &mut rng)).collect();
    let extended = rng.below(3) == 0;
    for number in 0..3 + rng.below(5) {
        let id = format!("t{number}");
        let mut it = Transition { name: id.clone(), id, ..Transition::default() };
        let takes = [0, 1, 1, 1, 1, 1, 1, 2, 2, 1][rng.below(10)];
        let gives = [0, 1, 1, 1, 1, 1, 1, 2, 0, 1][rng.below(10)];
        it.inputs = arcs(takes, places, &mut rng);
        it.outputs = arcs(gives, places, &mut rng);
        if extended {
            match rng.below(6) {
                0 => it.reads = arcs(1, places, &mut rng),
                1 => it.inhibitors = arcs(1, places, &mut rng),
                2 => it.resets = vec![PlaceId(rng.below(places) as u32)],
                _ => {}
            }
        }
        net.transitions.push(it);
    }
    net
}

/// So many arcs, or fewer, to different places.
fn arcs(count: usize, places: usize, rng: &mut Rng) -> Vec<Arc> {
    let mut found: Vec<Arc> = Vec::new();
    for _ in 0..count {
        let place = PlaceId(rng.below(places) as u32);
        let weight = [1, 1, 1, 1, 1, 1, 2][rng.below(7)];
        if found.iter().all(|arc| arc.place != place) {
            found.push(Arc { place, inscription: vec![(weight, Vec::new())] });
        }
    }
    found.sort_by_key(|arc| arc.place);
    found
}

/// Questions about a net, of all kinds, few of them about next markings.
pub fn sparse_questions(seed: u64, net: &Net) -> Vec<NetQuestion> {
    let mut rng = Rng::new(seed ^ 0x5aa7);
    let dead = Formula::Atom(Atom::Deadlock);
    let mut asked =
        vec![NetQuestion::Reachable(dead.clone()), NetQuestion::Invariant(Formula::Not(Box::new(dead)))];
    for _ in 0..6 {
        let mut query = random_query(&mut rng, net);
        if let NetQuestion::Ctl(formula) = &mut query
            && rng.below(6) > 0
        {
            later(formula);
        }
        asked.push(query);
    }
    asked.extend((0..4).map(|_| random_linear(&mut rng, net)));
    asked
}

/// Says "some time" where it said "next".
fn later(formula: &mut Formula) {
    if let Formula::Next(path, inner) = formula {
        let inner = std::mem::replace(&mut **inner, Formula::Atom(Atom::Constant(true)));
        *formula = match path {
            Some(Path::All) => Formula::Finally(*path, Box::new(inner)),
            _ => Formula::Globally(*path, Box::new(inner)),
        };
    }
    match formula {
        Formula::Atom(_) => {}
        Formula::Not(inner)
        | Formula::Next(_, inner)
        | Formula::Finally(_, inner)
        | Formula::Globally(_, inner) => later(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter_mut().for_each(later),
        Formula::Implies(sides) | Formula::Iff(sides) => sides.iter_mut().for_each(later),
        Formula::Until(_, sides)
        | Formula::Release(_, sides)
        | Formula::WeakUntil(_, sides)
        | Formula::StrongRelease(_, sides) => sides.iter_mut().for_each(later),
    }
}
