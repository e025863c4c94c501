//! Canonical states: one representative for each orbit, with the motion that leads to it.
//!
//! Entry point: [`Canoniser`]. By kind of sort:
//! - a sort whose members (within each block that may be permuted) are told apart by bits of their own (every cell has at most one moved index or holds one moved
//!   value under none) is *sorted* by those bits (`keys`): n log n;
//! - sorts that meet in a cell (two-index arrays, values of one sort stored at another) are *refined* by colours and the ties
//!   searched (`facts`, `ties`): exact, exponential only where the state is a hard graph;
//! - rings try their rotations, outermost;
//! - what is given by generators: all elements if they are few, like rotations; else [`generated`].
//!
//! With `exact` off the ties are broken by position: several representatives of an orbit may remain. In both modes the
//! result is the state moved by a member of the group, so states of different orbits never become equal.

mod facts;
mod generated;
mod keys;
mod listing;
mod parallel;
mod ties;

use burnside_perm::Natural;
use burnside_ts::{Action, Classes, Freedom, Motion, SortId, Symmetry, System, bits};
use facts::Facts;
use generated::{Generated, Way};
use keys::Keys;
use std::sync::Arc;
use ties::Ties;

/// Finds the representative of a state's orbit.
#[derive(Debug)]
pub struct Canoniser<'s> {
    action: Action<'s>,
    symmetry: Symmetry,
    keys: Vec<Keys>,
    ties: Option<Ties>,
    /// All products of rotations of the rings and of elements of a small group given by generators, the identity first; may be empty.
    rotations: Vec<Motion>,
    generated: Option<Generated>,
    exact: bool,
    identity: Motion,
    words: usize,
    buffers: [Box<[u64]>; 3],
}

impl<'s> Canoniser<'s> {
    /// For a system and a group under which it is symmetric.
    pub fn new(system: &'s System, symmetry: &Symmetry, exact: bool) -> Self {
        let (keys, joint) = keys::plan(system, symmetry);
        let rings: Vec<SortId> = sorts_with(symmetry, |freedom| *freedom == Freedom::Rotations).collect();
        let full = |sort: &SortId| matches!(symmetry.sorts[sort.index()], Freedom::Full(_));
        let joint: Vec<SortId> = joint.into_iter().filter(full).collect();
        let ties = (!joint.is_empty()).then(|| Ties::new(Facts::new(system, symmetry, joint)));
        let mut rotations = rotations(system, &rings);
        let generated = Generated::new(system, symmetry, rotations.len());
        if let Some(Generated { way: Way::Listed(elements), .. }) = &generated
            && !elements.is_empty()
        {
            let turned =
                |element: &Motion| rotations.iter().map(|turn| turn.after(element)).collect::<Vec<_>>();
            rotations = match rotations.is_empty() {
                true => elements.clone(),
                false => elements.iter().flat_map(turned).collect(),
            };
        }
        let words = system.words();
        let buffer = || vec![0; words + bits::SPARE].into_boxed_slice();
        Self {
            action: Action::new(system),
            symmetry: symmetry.clone(),
            keys,
            ties,
            rotations,
            exact: exact && generated.as_ref().is_none_or(Generated::is_exact),
            generated,
            identity: Motion::identity(&system.types),
            words,
            buffers: [buffer(), buffer(), buffer()],
        }
    }

    /// The group.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// Whether there is exactly one representative of each orbit.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// How many motions the group has.
    pub fn order(&self) -> Natural {
        let mut order = Natural::one();
        for (sort, freedom) in self.symmetry.sorts.iter().enumerate() {
            match freedom {
                Freedom::Full(blocks) => {
                    let factorials = blocks.iter().map(|block| Natural::factorial(block.len() as u64));
                    order = factorials.fold(order, |order, factorial| &order * &factorial);
                }
                Freedom::Rotations => order.mul_small(self.identity.images[sort].len() as u64),
                Freedom::Fixed => {}
            }
        }
        match &self.generated {
            Some(generated) => &order * &generated.order,
            None => order,
        }
    }

    /// Writes the representative to `out` and gives the motion from the state to it. Neither slice has spare words.
    pub fn canonise(&mut self, state: &[u64], out: &mut [u64]) -> Motion {
        let mut motion = self.least_turn(state, out);
        let Some(mut generated) = self.generated.take() else { return motion };
        if !generated.parallel.is_empty() || matches!(generated.way, Way::Tried(_)) {
            let mut padded = std::mem::take(&mut self.buffers[0]);
            padded[..self.words].copy_from_slice(out);
            if let Some(sorted) = generated.sort(&self.identity, &mut padded) {
                out.copy_from_slice(&padded[..self.words]);
                motion = sorted.after(&motion);
            }
            self.buffers[0] = padded;
        }
        match &generated.way {
            Way::Listed(_) | Way::Tried(_) => {}
            Way::Word(word) => {
                let padded = [&*out, &[0; bits::SPARE]].concat();
                let least = word.least(&self.identity, &padded);
                self.apply(&least, out);
                motion = least.after(&motion);
            }
            Way::Downhill(steps) => {
                let mut lower = vec![0; out.len()];
                while let Some(step) = steps.iter().find_map(|step| {
                    let moved = self.moved(step, out);
                    let turn = self.least_turn(&moved, &mut lower);
                    (*lower < *out).then(|| turn.after(step))
                }) {
                    out.copy_from_slice(&lower);
                    motion = step.after(&motion);
                }
            }
        }
        self.generated = Some(generated);
        motion
    }

    /// The least of what the turns of a state come to, without generators that are not listed.
    fn least_turn(&mut self, state: &[u64], out: &mut [u64]) -> Motion {
        let mut moved = std::mem::take(&mut self.buffers[0]);
        let mut best: Option<Motion> = None;
        for i in 0..self.rotations.len().max(1) {
            let rotation = self.rotate(i, state, &mut moved);
            let straight = self.straighten(&mut moved);
            if best.is_none() || moved[..self.words] < *out {
                out.copy_from_slice(&moved[..self.words]);
                best = Some(straight.after(&rotation));
            }
        }
        self.buffers[0] = moved;
        best.expect("there is at least the identity")
    }

    /// A state, moved. Neither has spare words.
    pub(crate) fn moved(&self, motion: &Motion, state: &[u64]) -> Vec<u64> {
        let padded = [state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        self.action.state(motion, &padded, &mut moved);
        moved.truncate(state.len());
        moved
    }

    fn apply(&self, motion: &Motion, state: &mut [u64]) {
        state.copy_from_slice(&self.moved(motion, state));
    }

    /// How many motions leave a representative as it is. Exact if the canoniser is.
    pub fn stabiliser(&mut self, representative: &[u64]) -> Natural {
        let mut moved = std::mem::take(&mut self.buffers[0]);
        let mut turns = 0;
        for i in 0..self.rotations.len().max(1) {
            self.rotate(i, representative, &mut moved);
            self.straighten(&mut moved);
            turns += u64::from(moved[..self.words] == *representative);
        }
        moved[..self.words].copy_from_slice(representative);
        let mut order = Natural::from(turns.max(1));
        if let Some(generated) = &mut self.generated {
            for factor in &mut generated.parallel {
                order = &order * &factor.stabiliser(&moved);
            }
            match &mut generated.way {
                Way::Word(word) => order = &order * &word.stabiliser(&moved),
                Way::Tried(listing) => order = &order * &listing.stabiliser(&moved),
                Way::Listed(_) | Way::Downhill(_) => {}
            }
        }
        for keys in &mut self.keys {
            for size in keys.class_sizes(&moved) {
                order = &order * &Natural::factorial(size);
            }
        }
        if let Some(ties) = &mut self.ties {
            order = &order * &ties.stabiliser(&self.action, &moved);
        }
        self.buffers[0] = moved;
        order
    }

    /// Which members can be swapped without changing the state.
    pub fn classes(&mut self, state: &[u64]) -> Arc<Classes> {
        let mut padded = std::mem::take(&mut self.buffers[0]);
        padded[..self.words].copy_from_slice(state);
        let mut classes = Classes::discrete(&self.action.system().types);
        for keys in &mut self.keys {
            let sort = keys.sort;
            let found = keys.classes(&padded);
            classes.partition(sort, found.iter().map(Vec::as_slice));
        }
        if let Some(ties) = &mut self.ties {
            for (sort, class) in ties.twins(&self.action, &padded) {
                classes.join(sort, &class);
            }
        }
        if let Some(rules) = self.action.system().rule_sort {
            // A swap of two rules leaves the state alone but not what its steps are called.
            classes.isolate_all(rules);
        }
        self.buffers[0] = padded;
        Arc::new(classes)
    }

    fn rotate(&self, i: usize, state: &[u64], moved: &mut [u64]) -> Motion {
        match self.rotations.get(i) {
            None => {
                moved[..self.words].copy_from_slice(state);
                self.identity.clone()
            }
            Some(rotation) => {
                let padded = [state, &[0; bits::SPARE]].concat();
                self.action.state(rotation, &padded, moved);
                rotation.clone()
            }
        }
    }

    /// Moves the fully symmetric sorts of a state in place to their canonical order.
    fn straighten(&mut self, state: &mut Box<[u64]>) -> Motion {
        let mut motion = self.identity.clone();
        let mut changed = false;
        for keys in &mut self.keys {
            changed |= keys.sort_into(state, &mut motion.images[keys.sort.index()]);
        }
        if changed {
            self.act(&motion, state);
        }
        if let Some(ties) = &mut self.ties {
            let joint = ties.canonise(&self.action, state, &self.identity, self.exact);
            if !joint.is_identity() {
                self.act(&joint, state);
                motion = joint.after(&motion);
            }
        }
        motion
    }

    fn act(&mut self, motion: &Motion, state: &mut Box<[u64]>) {
        self.action.state(motion, state, &mut self.buffers[1]);
        std::mem::swap(state, &mut self.buffers[1]);
    }
}

fn sorts_with(symmetry: &Symmetry, wanted: impl Fn(&Freedom) -> bool) -> impl Iterator<Item = SortId> {
    (0..symmetry.sorts.len()).filter(move |&i| wanted(&symmetry.sorts[i])).map(|i| SortId(i as u32))
}

fn rotations(system: &System, rings: &[SortId]) -> Vec<Motion> {
    let mut all = Vec::new();
    for &ring in rings {
        let size = system.types.sort(ring).size;
        if all.is_empty() {
            all.push(Motion::identity(&system.types));
        }
        all = (0..size)
            .flat_map(|by| {
                all.iter().map(move |motion| {
                    let mut motion = motion.clone();
                    motion.images[ring.index()] = (0..size).map(|i| (i + by) % size).collect();
                    motion
                })
            })
            .collect();
    }
    all
}
