//! Canonical states: one representative for each orbit, with the permutation that leads to it.
//!
//! Entry point: [`Canoniser`]. By kind of sort:
//! - a sort whose members (within each block that may be permuted) are told apart by bits of their own (every
//!   cell has at most one moved index or holds one moved value under none) is *sorted* by those bits
//!   (`keys`): n log n;
//! - sorts that meet in a cell (two-index arrays, values of one sort stored at another) make a state a
//!   graph, which is brought into order by its canonical labelling (`labelling`): exact, exponential only
//!   where the state is a hard graph;
//! - rings try their rotations, outermost;
//! - what is given by generators: all elements if they are few, like rotations; else [`generated`].
//!
//! With `exact` off one member of each target cell is tried: several representatives of an orbit may remain,
//! and so they may if it [weighs](Canoniser::weighing) and a state was too hard. In all modes the result is the state moved by a member of the group, so states of different orbits never
//! become equal.

mod diagonal;
mod enumerated;
mod full;
mod generated;
mod hyperedges;
mod keys;
mod labelling;
mod layout;
mod listing;

use burnside_limits::poll;
use burnside_perm::Natural;
use burnside_ts::{Action, Classes, Permutation, SortGroup, SortId, Symmetry, System, bits};
use enumerated::EnumeratedGroup;
use full::FullSorts;
use generated::{Generated, Strategy};
use std::sync::Arc;

/// If trying all enumerated elements on a state would move more elements and words than this, none is tried:
/// then representatives are not exact.
const MOST_ENUMERATED: u64 = 1 << 25;

/// The sizes of orbits with more bits than this are not computed.
const MOST_BITS: f64 = (1 << 18) as f64;

/// If weighed, one state may take so much work: ends of edges that are looked at, some 10 ns each.
const MOST_WORK: u64 = 1 << 22;

/// A part of the group with fewer images of a state than this, on average, is given up if that is weighed: to
/// bring states into order costs about as much as to make them.
const FEWEST_IMAGES: f64 = 1.5;

/// Of so many classes that were given out it is known whether they are still held.
const MOST_HELD: usize = 3;

/// Finds the representative of a state's orbit.
#[derive(Debug)]
pub struct Canoniser<'s> {
    action: Action<'s>,
    symmetry: Symmetry,
    full: FullSorts,
    enumerated: EnumeratedGroup,
    generated: Option<Generated>,
    /// How many permutations there are, once it was needed.
    known_order: Option<Natural>,
    exact: bool,
    /// How much work a labelling may take.
    most_work: u64,
    weighs: bool,
    identity: Permutation,
    words: usize,
    /// The state at hand, the state moved, and moved once more.
    state: Box<[u64]>,
    moved: Box<[u64]>,
    again: Box<[u64]>,
    /// The permutation to the representative.
    best: Permutation,
    /// Classes that were given out: those that nobody has any more are used again.
    classes: Vec<Arc<Classes>>,
}

impl<'s> Canoniser<'s> {
    /// For a system and a group under which it is symmetric.
    pub fn new(system: &'s System, symmetry: &Symmetry, exact: bool) -> Self {
        let rings: Vec<SortId> =
            sorts_with(symmetry, |sort_group| *sort_group == SortGroup::Rotations).collect();
        let words = system.words();
        let identity = Permutation::identity(&system.types);
        let mut enumerated = EnumeratedGroup::new(identity.clone(), &rings);
        let feasible = enumerated.cost(words) <= MOST_ENUMERATED;
        if !feasible {
            enumerated = EnumeratedGroup::new(identity.clone(), &[]);
        }
        let generated = Generated::new(system, symmetry, enumerated.count());
        if let Some(Generated { strategy: Strategy::Listed(elements), .. }) = &generated {
            enumerated.with(elements.clone());
        }
        let buffer = || vec![0; words + bits::SPARE].into_boxed_slice();
        Self {
            action: Action::new(system),
            symmetry: symmetry.clone(),
            full: FullSorts::new(system, symmetry),
            enumerated,
            exact: exact && feasible && generated.as_ref().is_none_or(Generated::is_exact),
            generated,
            most_work: if exact { u64::MAX } else { 0 },
            weighs: false,
            known_order: None,
            best: identity.clone(),
            identity,
            words,
            state: buffer(),
            moved: buffer(),
            again: buffer(),
            classes: Vec::new(),
        }
    }

    /// The same, but states that are too hard to bring into order need not be, and what of the group does not
    /// pay is found out: see [`Canoniser::profitable`].
    pub fn weighing(mut self) -> Self {
        self.most_work = self.most_work.min(MOST_WORK);
        self.weighs = true;
        self
    }

    /// The part of the group that is worth its while, if it is not all of it, from some representatives: each
    /// part must make so many states of each of them, on average.
    pub fn profitable<'r>(&mut self, representatives: impl Iterator<Item = &'r [u64]>) -> Option<Symmetry> {
        if !self.weighs || !self.full.exact {
            return None;
        }
        let (mut sums, mut count) = (Vec::<(Vec<SortId>, f64)>::new(), 0.0);
        for representative in representatives {
            self.state[..self.words].copy_from_slice(representative);
            let images = self.full.images(&self.action, &self.state);
            match sums.is_empty() {
                true => sums = images,
                false => sums.iter_mut().zip(images).for_each(|(sum, (_, images))| sum.1 += images),
            }
            count += 1.0;
        }
        let poor = sums.iter().filter(|(_, sum)| *sum < FEWEST_IMAGES * count);
        let poor: Vec<SortId> = poor.flat_map(|(sorts, _)| sorts).copied().collect();
        let mut symmetry = self.symmetry.clone();
        poor.iter().for_each(|sort| symmetry.sorts[sort.index()] = SortGroup::Fixed);
        (!poor.is_empty()).then_some(symmetry)
    }

    /// If a state was too hard to bring into order: how much work was spent on it.
    pub fn too_hard(&self) -> Option<u64> {
        (self.exact && !self.full.exact).then_some(self.most_work)
    }

    /// The group.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// Whether there is exactly one representative of each orbit.
    pub fn is_exact(&self) -> bool {
        self.exact && self.full.exact
    }

    /// How many permutations the group has.
    pub fn order(&self) -> Natural {
        let mut order = Natural::one();
        for (sort, sort_group) in self.symmetry.sorts.iter().enumerate() {
            match sort_group {
                SortGroup::Full(blocks) => {
                    let factorials = blocks.iter().map(|block| Natural::factorial(block.len() as u64));
                    order = factorials.fold(order, |order, factorial| &order * &factorial);
                }
                SortGroup::Rotations => order.mul_small(self.identity.images[sort].len() as u64),
                SortGroup::Fixed => {}
            }
        }
        match &self.generated {
            Some(generated) => &order * &generated.order,
            None => order,
        }
    }

    /// About how many bits the number of permutations has.
    pub fn order_bits(&self) -> f64 {
        let of_sort = |(sort, sort_group): (usize, &SortGroup)| match sort_group {
            SortGroup::Full(blocks) => {
                blocks.iter().map(|block| Natural::factorial_bits(block.len() as u64)).sum()
            }
            SortGroup::Rotations => (self.identity.images[sort].len() as f64).log2(),
            SortGroup::Fixed => 0.0,
        };
        let generated = self.generated.as_ref().map_or(0, |generated| generated.order.bits());
        self.symmetry.sorts.iter().enumerate().map(of_sort).sum::<f64>() + generated as f64
    }

    /// How many states the orbit of a representative has; none if representatives are not exact, or if the
    /// number is too long to be computed.
    pub fn orbit(&mut self, representative: &[u64]) -> Option<Natural> {
        if !self.is_exact() {
            return None;
        }
        if self.generated.is_none() && self.full.is_sorted_only() && self.enumerated.count() == 1 {
            return self.words_of_keys(representative);
        }
        if self.order_bits() > MOST_BITS {
            return None;
        }
        if self.known_order.is_none() {
            self.known_order = Some(self.order());
        }
        let stabiliser = self.stabiliser(representative);
        self.known_order.as_ref().map(|order| order.exact_div(&stabiliser))
    }

    /// How many permutations leave the state as it is that was brought into order last, if that is known
    /// without more work and is no long number.
    pub(crate) fn known_stabiliser(&self) -> Option<u128> {
        let simple = self.generated.is_none() && self.enumerated.count() == 1;
        if simple && self.is_exact() { self.full.known_stabiliser() } else { None }
    }

    /// The same where members of blocks are told apart by keys and by nothing else: without the order of the
    /// group, which is large.
    fn words_of_keys(&mut self, representative: &[u64]) -> Option<Natural> {
        self.state[..self.words].copy_from_slice(representative);
        let mut alike = Vec::new();
        self.full.twins(&self.action, &self.state, |_, class| alike.push(class.len() as u64));
        let blocks = self.symmetry.sorts.iter().flat_map(|sort_group| match sort_group {
            SortGroup::Full(blocks) => &blocks[..],
            SortGroup::Rotations | SortGroup::Fixed => &[],
        });
        let blocks: Vec<u64> = blocks.map(|block| block.len() as u64).collect();
        let bits = |sizes: &[u64]| sizes.iter().map(|&size| Natural::factorial_bits(size)).sum::<f64>();
        (bits(&blocks) - bits(&alike) <= MOST_BITS).then(|| Natural::factorial_ratio(&blocks, &alike))
    }

    /// Writes the representative to `out` and gives the permutation from the state to it. Neither slice has
    /// spare words.
    pub fn canonise(&mut self, state: &[u64], out: &mut [u64]) -> &Permutation {
        poll();
        self.least_image(state, out);
        if self.generated.is_some() {
            self.apply_generated(out);
        }
        &self.best
    }

    /// Goes on with the generators that are not listed, from the least image in `out`.
    fn apply_generated(&mut self, out: &mut [u64]) {
        let Some(mut generated) = self.generated.take() else { return };
        if !generated.diagonal.is_empty() || matches!(generated.strategy, Strategy::Tried(_)) {
            let mut padded = [&*out, &[0; bits::SPARE]].concat().into_boxed_slice();
            if let Some(sorted) = generated.sort(&self.identity, &mut padded) {
                out.copy_from_slice(&padded[..self.words]);
                self.best = sorted.after(&self.best);
            }
        }
        match &generated.strategy {
            Strategy::Listed(_) | Strategy::Tried(_) => {}
            Strategy::Word(word) => {
                let padded = [&*out, &[0; bits::SPARE]].concat();
                let least = word.least(&self.identity, &padded);
                out.copy_from_slice(&self.moved(&least, out));
                self.best = least.after(&self.best);
            }
            Strategy::LocalSearch(steps) => {
                let mut permutation = self.best.clone();
                let mut lower = vec![0; out.len()];
                while let Some(step) = steps.iter().find_map(|step| {
                    let moved = self.moved(step, out);
                    self.least_image(&moved, &mut lower);
                    (*lower < *out).then(|| self.best.after(step))
                }) {
                    out.copy_from_slice(&lower);
                    permutation = step.after(&permutation);
                }
                self.best = permutation;
            }
        }
        self.generated = Some(generated);
    }

    /// The least image under the enumerated elements, without generators that are not listed. The permutation
    /// to it is the best one then.
    fn least_image(&mut self, state: &[u64], out: &mut [u64]) {
        self.state[..self.words].copy_from_slice(state);
        if self.enumerated.count() == 1 {
            let changed = self.full.arrange(&self.action, &self.state, self.most_work);
            self.best.clone_from(&self.full.order);
            if changed {
                self.action.state(&self.best, &self.state, &mut self.moved);
                out.copy_from_slice(&self.moved[..self.words]);
            } else {
                out.copy_from_slice(state);
            }
            return;
        }
        let mut element = self.enumerated.permutation(0);
        let mut least = None;
        for i in 0..self.enumerated.count() {
            poll();
            self.move_by(i, &mut element);
            self.straighten_moved();
            if least.is_none() || self.moved[..self.words] < *out {
                out.copy_from_slice(&self.moved[..self.words]);
                self.best.clone_from(&self.full.order);
                least = Some(i);
            }
        }
        let element = self.enumerated.permutation(least.expect("there is at least the identity"));
        self.best = self.best.after(&element);
    }

    /// A state, moved. Neither has spare words.
    pub(crate) fn moved(&self, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
        let padded = [state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        self.action.state(permutation, &padded, &mut moved);
        moved.truncate(state.len());
        moved
    }

    /// How many permutations leave a representative as it is. Exact if the canoniser is.
    pub fn stabiliser(&mut self, representative: &[u64]) -> Natural {
        self.state[..self.words].copy_from_slice(representative);
        let mut fixing = 0;
        let mut element = self.enumerated.permutation(0);
        for i in 0..self.enumerated.count() {
            self.move_by(i, &mut element);
            self.straighten_moved();
            fixing += u64::from(self.moved[..self.words] == *representative);
        }
        let Self { state, .. } = self;
        let mut order = Natural::from(fixing.max(1));
        if let Some(generated) = &mut self.generated {
            for factor in &mut generated.diagonal {
                order = &order * &factor.stabiliser(state);
            }
            match &mut generated.strategy {
                Strategy::Word(word) => order = &order * &word.stabiliser(state),
                Strategy::Tried(listing) => order = &order * &listing.stabiliser(state),
                Strategy::Listed(_) | Strategy::LocalSearch(_) => {}
            }
        }
        order = &order * &self.full.stabiliser(&self.action, state);
        order
    }

    /// Which members can be swapped without changing the state.
    pub fn classes(&mut self, state: &[u64]) -> Arc<Classes> {
        self.state[..self.words].copy_from_slice(state);
        let at = self.classes.iter_mut().position(|classes| Arc::get_mut(classes).is_some());
        let at = at.unwrap_or_else(|| {
            // Few are held at a time; whoever keeps them for long keeps them for itself.
            self.classes.truncate(MOST_HELD);
            self.classes.push(Arc::new(Classes::discrete(&self.action.system().types)));
            self.classes.len() - 1
        });
        let classes = Arc::get_mut(&mut self.classes[at]).expect("nobody else has it");
        classes.reset();
        self.full.twins(&self.action, &self.state, |sort, class| classes.link(sort, class));
        classes.settle();
        if let Some(rules) = self.action.system().rule_sort {
            // A swap of two rules leaves the state alone but not what its steps are called.
            classes.isolate_all(rules);
        }
        self.classes[at].clone()
    }

    /// Moves the state at hand by the element with a number. To be done for one number after the other, with
    /// the same permutation.
    fn move_by(&mut self, i: usize, element: &mut Permutation) {
        if i == 0 {
            self.moved.copy_from_slice(&self.state);
        } else {
            self.enumerated.advance(i, element);
            self.action.state(element, &self.state, &mut self.moved);
        }
    }

    /// Brings the fully symmetric sorts of the moved state into their canonical order.
    fn straighten_moved(&mut self) {
        if self.full.arrange(&self.action, &self.moved, self.most_work) {
            self.action.state(&self.full.order, &self.moved, &mut self.again);
            std::mem::swap(&mut self.moved, &mut self.again);
        }
    }
}

fn sorts_with(symmetry: &Symmetry, wanted: impl Fn(&SortGroup) -> bool) -> impl Iterator<Item = SortId> {
    (0..symmetry.sorts.len()).filter(move |&i| wanted(&symmetry.sorts[i])).map(|i| SortId(i as u32))
}
