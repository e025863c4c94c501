//! A coloured net without its colours: a place for each colour of a place, a transition for each binding that
//! a guard allows.

use super::oracle::bound_weights;
use burnside_petri::{Arc, Net, Place, PlaceId, Transition};

/// The place/transition net.
pub fn unfold(net: &Net) -> Net {
    let mut flat = Net { name: net.name.clone(), ..Net::default() };
    let mut first = Vec::new();
    for place in &net.places {
        first.push(flat.places.len() as u32);
        for (number, &count) in place.initial.iter().enumerate() {
            let id = format!("{}_{number}", place.id);
            flat.places.push(Place { name: id.clone(), id, domain: Vec::new(), initial: vec![count] });
        }
    }
    for transition in &net.transitions {
        for (number, arcs) in bound_weights(net, transition).into_iter().enumerate() {
            let id = format!("{}_{number}", transition.id);
            let [inputs, outputs, reads, inhibitors] = arcs.map(|arcs| {
                let arc = |(place, colour, weight): (PlaceId, usize, u128)| Arc {
                    place: PlaceId(first[place.index()] + colour as u32),
                    inscription: vec![(weight as i64, Vec::new())],
                };
                arcs.into_iter().map(arc).collect()
            });
            let resets = transition.resets.iter().flat_map(|place| {
                let count = net.places[place.index()].initial.len() as u32;
                (0..count).map(|colour| PlaceId(first[place.index()] + colour))
            });
            let (name, resets) = (id.clone(), resets.collect());
            flat.transitions.push(Transition {
                id,
                name,
                inputs,
                outputs,
                reads,
                inhibitors,
                resets,
                ..Transition::default()
            });
        }
    }
    flat
}
