//! σ_Step: all states that are symmetric to some of a set, by images under the generators until nothing is
//! new.
//!
//! Entry points: [`sigma_step`] for states; [`close`] for whatever generators act on. It may stop early; what
//! it has then is a part of the orbits, which only costs reduction.
//!
//! A generator is tried again only after one that does not commute with it has made the set larger. What is
//! closed already therefore costs one image for each generator.

use super::generator::Generator;
use crate::space::Space;
use crate::store::{Out, Set, Store};
use burnside_ts::Permutation;

/// What closing a set may cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Rounds through all generators; none for as many as it takes.
    pub rounds: Option<u32>,
    /// Nodes of the set; none for as many as there are.
    pub nodes: Option<usize>,
}

/// A set with states that are symmetric to its own.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The states.
    pub states: Set,
    /// Whether these are all: every generator maps the set to itself.
    pub complete: bool,
}

/// The states of a set and those that generators move them to, as far as the effort goes.
pub fn sigma_step(
    space: &Space<'_>,
    states: &Set,
    generators: &[&Generator],
    effort: &Effort,
) -> Out<Closure> {
    let mut states = states.clone();
    let image = |generator: &Generator, set: &Set| generator.image(set);
    match close(&space.store, generators, &mut states, image, effort) {
        Ok(complete) => Ok(Closure { states, complete }),
        Err(stop) if stop.is_room() => {
            space.store.collect();
            Ok(Closure { states, complete: false })
        }
        Err(stop) => Err(stop),
    }
}

/// Adds to a set what generators move its members to, as far as the effort goes; whether that is all. The set
/// is good at every moment, also if there is an error.
pub(super) fn close(
    store: &Store,
    generators: &[&Generator],
    set: &mut Set,
    image: impl Fn(&Generator, &Set) -> Out<Set>,
    effort: &Effort,
) -> Out<bool> {
    let mut open = Open::new(generators);
    // With few images to make, each generator gets its turn.
    let mut images = effort.rounds.map(|rounds| rounds as usize * generators.len());
    while let Some(at) = if images.is_some() { open.in_turn() } else { open.first() } {
        store.poll()?;
        match &mut images {
            Some(0) => return Ok(false),
            Some(left) => *left -= 1,
            None => {}
        }
        let moved = image(generators[at], set)?;
        if moved == *set {
            open.closed(at);
            continue;
        }
        let wider = set.or(&moved)?;
        if effort.nodes.is_some_and(|most| wider.size() > most) {
            return Ok(false);
        }
        *set = wider;
        open.grown(at);
    }
    Ok(true)
}

/// Which generators may still move members of a set out of it.
struct Open<'g> {
    permutations: Vec<&'g Permutation>,
    open: Vec<bool>,
    turn: usize,
}

impl<'g> Open<'g> {
    fn new(generators: &[&'g Generator]) -> Self {
        let permutations: Vec<&Permutation> = generators.iter().map(|it| it.permutation()).collect();
        Self { open: vec![true; permutations.len()], permutations, turn: 0 }
    }

    fn first(&self) -> Option<usize> {
        self.open.iter().position(|&open| open)
    }

    fn in_turn(&mut self) -> Option<usize> {
        let len = self.open.len();
        let at = (self.turn..self.turn + len).map(|at| at % len).find(|&at| self.open[at])?;
        self.turn = at + 1;
        Some(at)
    }

    fn closed(&mut self, at: usize) {
        self.open[at] = false;
    }

    /// The set now has its image under a generator, too. One under which it was closed and that commutes with
    /// this one maps the old part to itself and the new part too.
    fn grown(&mut self, at: usize) {
        let by = self.permutations[at];
        for (open, other) in self.open.iter_mut().zip(&self.permutations) {
            *open |= !by.commutes(other);
        }
        self.open[at] = !by.after(by).is_identity();
    }
}
