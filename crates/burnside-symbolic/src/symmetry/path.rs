//! Runs through layers of states: each layer was found by one image, from states of the layers before.

use super::on_the_fly::Moves;
use crate::store::{Out, Set};

/// A run from an initial state to one of the goal, as valuations; the goal meets the initial states or some
/// layer.
pub(super) fn run_to(moves: &Moves<'_>, layers: &[Set], goal: &Set) -> Out<Vec<Vec<bool>>> {
    let start = moves.initial.and(goal)?;
    let (mut here, mut level) = match start.pick() {
        Some(state) => return Ok(vec![state]),
        None => first_in(layers, goal)?.expect("some layer meets the goal"),
    };
    let mut run = vec![here.clone()];
    loop {
        let before = (moves.preimage)(&moves.point(&here)?)?;
        if let Some(state) = before.and(&moves.initial)?.pick() {
            run.push(state);
            break;
        }
        (here, level) = first_in(&layers[..level], &before)?.expect("a layer starts from those before it");
        run.push(here.clone());
    }
    run.reverse();
    Ok(run)
}

/// Some state of a set in the first layer that has one.
fn first_in(layers: &[Set], states: &Set) -> Out<Option<(Vec<bool>, usize)>> {
    for (level, layer) in layers.iter().enumerate() {
        if let Some(state) = layer.and(states)?.pick() {
            return Ok(Some((state, level)));
        }
    }
    Ok(None)
}
