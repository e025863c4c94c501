//! Canonical states: one representative for each orbit, with the permutation that leads to it.
//!
//! Entry point: [`Canoniser`]. By kind of sort:
//! - a sort whose members (within each block that may be permuted) are told apart by bits of their own (every
//!   cell has at most one moved index or holds one moved value under none) is *sorted* by those bits
//!   (`keys`): n log n;
//! - sorts that meet in a cell (two-index arrays, values of one sort stored at another) make a state a
//!   graph, which is brought into order by its canonical labelling (`labelling`): exact, exponential only
//!   where the state is a hard graph;
//! - rings are turned, outermost, to the least word of what is said of each member (`rings`): linear, and
//!   several turns are tried only where other sorts decide between them; by shifts where words are small
//!   (`dial`);
//! - what is given by generators: reflections of rings with these; all elements if they are few, outermost;
//!   members that move in columns are sorted (`diagonal`), those that meet in cells are labelled (`members`);
//!   else [`generated`].
//!
//! With `exact` off one member of each target cell is tried: several representatives of an orbit may remain,
//! and so they may if it [weighs](Canoniser::weighing) and a state was too hard. In all modes the result is
//! the state moved by a member of the group, so states of different orbits never become equal.

mod diagonal;
mod dial;
mod enumerated;
mod full;
mod generated;
mod hyperedges;
mod keys;
mod labelling;
mod layout;
mod listing;
mod loose;
mod members;
mod places;
mod rings;

use burnside_engine::Weighing;
use burnside_limits::poll;
use burnside_perm::Natural;
use burnside_ts::{Action, Classes, Permutation, SortGroup, SortId, Symmetry, System, bits};
use enumerated::EnumeratedGroup;
use full::FullSorts;
use generated::{Generated, Strategy};
use rings::{RingGroup, Rings};
use std::cmp::Ordering;
use std::sync::Arc;

/// If trying all turns of rings whose letters do not tell all would move more elements and words than this,
/// these are not turned: then representatives are not exact.
const MOST_ENUMERATED: u64 = 1 << 25;

/// Rings with more members than this are not turned: a look at all of them for each step would cost more than
/// it saves. Then representatives are not exact either.
const MOST_TURNED: u32 = 1 << 13;

/// The sizes of orbits with more bits than this are not computed.
const MOST_BITS: f64 = (1 << 18) as f64;

/// A part of the group with fewer images of a state than this, on average, is given up if that is weighed: to
/// bring states into order costs about as much as to make them.
const FEWEST_IMAGES: f64 = 1.5;

/// Of so many classes that were given out it is known whether they are still held.
const MOST_HELD: usize = 7;

/// Looks at an image of a state: its number, itself, and the permutation that came last.
type Show<'k> = &'k mut dyn FnMut(usize, &[u64], &Permutation);

/// Finds the representative of a state's orbit.
#[derive(Debug)]
pub struct Canoniser<'s> {
    action: Action<'s>,
    symmetry: Symmetry,
    full: FullSorts,
    /// All rings, those that are not turned too.
    rings: Vec<RingGroup>,
    enumerated: EnumeratedGroup,
    generated: Option<Generated>,
    /// How many permutations there are, once it was needed.
    known_order: Option<Natural>,
    exact: bool,
    /// How much work a labelling may take.
    most_work: u64,
    weighing: Option<Weighing>,
    identity: Permutation,
    words: usize,
    /// The state at hand, the state moved, moved once more, and the first of those that were tried.
    state: Box<[u64]>,
    moved: Box<[u64]>,
    again: Box<[u64]>,
    first: Box<[u64]>,
    /// The element at hand of those that are tried.
    element: Permutation,
    /// The permutation to the representative, and how the full sorts are ordered before it is made.
    best: Permutation,
    best_order: Permutation,
    /// How many of the elements that are tried lead to the same state as the best, for the last state.
    ties: u128,
    /// By rule, whether it need not be looked at in the state at hand.
    covered: Vec<bool>,
    /// Classes that were given out: those that nobody has any more are used again.
    classes: Vec<Arc<Classes>>,
}

impl<'s> Canoniser<'s> {
    /// For a system and a group under which it is symmetric.
    pub fn new(system: &'s System, symmetry: &Symmetry, exact: bool) -> Self {
        let (rings, rest) = RingGroup::recognise(&system.types, symmetry);
        let words = system.words();
        let identity = Permutation::identity(&system.types);
        let (turned, tried) = turned(system, symmetry, &rings);
        let generated = Generated::new(system, rest.as_ref().unwrap_or(symmetry), tried);
        let listed = match &generated {
            Some(Generated { strategy: Strategy::Listed(elements), .. }) => elements.clone(),
            _ => Vec::new(),
        };
        let feasible = turned.as_ref().map_or(0, Rings::len) == rings.len();
        let buffer = || vec![0; words + bits::SPARE].into_boxed_slice();
        Self {
            action: Action::new(system),
            symmetry: symmetry.clone(),
            full: FullSorts::new(system, symmetry),
            rings,
            enumerated: EnumeratedGroup::new(turned, listed),
            exact: exact && feasible && generated.as_ref().is_none_or(Generated::is_exact),
            generated,
            most_work: if exact { u64::MAX } else { 0 },
            weighing: None,
            known_order: None,
            element: identity.clone(),
            best: identity.clone(),
            best_order: identity.clone(),
            ties: 1,
            identity,
            words,
            state: buffer(),
            moved: buffer(),
            again: buffer(),
            first: buffer(),
            covered: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// The same, but states that are too hard to bring into order need not be, and what of the group does not
    /// pay is found out: see [`Canoniser::profitable`].
    pub fn weighing(mut self, weighing: Weighing) -> Self {
        self.most_work = self.most_work.min(weighing.work);
        self.weighing = Some(weighing);
        self
    }

    /// The same, for another thread.
    pub(crate) fn another(&self) -> Self {
        let another = Self::new(self.action.system(), &self.symmetry, self.most_work > 0);
        match self.weighing {
            Some(weighing) => another.weighing(weighing),
            None => another,
        }
    }

    /// After how many orbits it is to be asked what pays, if at all.
    pub(crate) fn weighed_at(&self) -> Option<u32> {
        self.weighing.map(|weighing| weighing.orbits)
    }

    /// The part of the group that is worth its while, if it is not all of it, from some representatives: each
    /// part must make so many states of each of them, on average. Sorts that are tracked always pay: a state
    /// with one of n members comes n times without them, and with them once for each class that can be told
    /// apart, or its orbit has more states.
    pub fn profitable<'r>(
        &mut self,
        representatives: impl Iterator<Item = &'r [u64]>,
        tracked: &[SortId],
    ) -> Option<Symmetry> {
        if self.weighing.is_none() || !self.full.exact {
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
        sums.retain(|(sorts, _)| !sorts.iter().any(|sort| tracked.contains(sort)));
        let poor = sums.iter().filter(|(_, sum)| *sum < FEWEST_IMAGES * count);
        let poor: Vec<SortId> = poor.flat_map(|(sorts, _)| sorts).copied().collect();
        let mut symmetry = self.symmetry.clone();
        poor.iter().for_each(|sort| symmetry.sorts[sort.index()] = SortGroup::Fixed);
        (!poor.is_empty()).then_some(symmetry)
    }

    /// Goes on as if a state had been too hard to bring into order.
    pub(crate) fn give_up_exactness(&mut self) {
        self.full.exact = false;
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
        for sort_group in &self.symmetry.sorts {
            if let SortGroup::Full(blocks) = sort_group {
                let factorials = blocks.iter().map(|block| Natural::factorial(block.len() as u64));
                order = factorials.fold(order, |order, factorial| &order * &factorial);
            }
        }
        self.rings.iter().for_each(|ring| order.mul_small(ring.order()));
        match &self.generated {
            Some(generated) => &order * &generated.order,
            None => order,
        }
    }

    /// About how many bits the number of permutations has.
    pub fn order_bits(&self) -> f64 {
        let of_sort = |sort_group: &SortGroup| match sort_group {
            SortGroup::Full(blocks) => {
                blocks.iter().map(|block| Natural::factorial_bits(block.len() as u64)).sum()
            }
            SortGroup::Rotations | SortGroup::Fixed => 0.0,
        };
        let rings: f64 = self.rings.iter().map(|ring| (ring.order() as f64).log2()).sum();
        let generated = self.generated.as_ref().map_or(0, |generated| generated.order.bits());
        self.symmetry.sorts.iter().map(of_sort).sum::<f64>() + rings + generated as f64
    }

    /// How many states the orbit of a representative has; none if representatives are not exact, or if the
    /// number is too long to be computed.
    pub fn orbit(&mut self, representative: &[u64]) -> Option<Natural> {
        if !self.is_exact() {
            return None;
        }
        if self.generated.is_none() && self.full.is_sorted_only() && self.enumerated.is_trivial() {
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
    pub fn known_stabiliser(&self) -> Option<u128> {
        if !self.is_exact() {
            return None;
        }
        // What is listed was tried with the turns of rings.
        let generated = match &self.generated {
            Some(generated) if !generated.is_listed() => generated.known_stabiliser()?,
            _ => 1,
        };
        let mut weights = self.enumerated.rings().into_iter().flat_map(Rings::weights);
        let order = self.full.known_stabiliser()?.checked_mul(self.ties)?.checked_mul(generated)?;
        weights.try_fold(order, |order, weight| order.checked_mul(weight.into()))
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
        if generated.sorts() {
            let mut padded = [&*out, &[0; bits::SPARE]].concat().into_boxed_slice();
            let sorted = generated.sort(&self.identity, &mut padded, self.most_work);
            self.full.exact &= generated.is_complete();
            if let Some(sorted) = sorted {
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
        if self.enumerated.is_trivial() {
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
        if self.full.is_empty()
            && self.generated.is_none()
            && let Some(rings) = self.enumerated.rings_alone()
        {
            self.moved.copy_from_slice(&self.state);
            if rings.turn(&self.state, &mut self.moved, &mut self.best) {
                out.copy_from_slice(&self.moved[..self.words]);
                self.ties = 1;
                return;
            }
        }
        let (mut least, mut ties) = (None, 0);
        let mut best_order = std::mem::replace(&mut self.best_order, Permutation { images: Vec::new() });
        let each = self.images(&mut |i, image, order| {
            let compared = least.map_or(Ordering::Less, |_| image.cmp(out));
            ties += u128::from(compared == Ordering::Equal);
            if compared == Ordering::Less {
                out.copy_from_slice(image);
                best_order.clone_from(order);
                (least, ties) = (Some(i), 1);
            }
        });
        self.best_order = best_order;
        self.ties = ties * each as u128;
        self.enumerated.write(least.expect("there is at least one image"), &mut self.element);
        self.best.set_product(&self.best_order, &self.element);
    }

    /// Shows the images of the state at hand under what is to be tried, with the sorts that are left in
    /// order, each with its number and with what brought these into order. How often each of them stands for
    /// an element, as those that come again are not all made.
    fn images(&mut self, show: Show<'_>) -> usize {
        self.enumerated.find(&self.state);
        let (count, cycle) = (self.enumerated.count(), self.enumerated.is_cycle());
        let mut made = 0;
        while made < count {
            poll();
            self.enumerated.write(made, &mut self.element);
            self.action.state(&self.element, &self.state, &mut self.moved);
            if self.full.arrange(&self.action, &self.moved, self.most_work) {
                self.action.state(&self.full.order, &self.moved, &mut self.again);
                std::mem::swap(&mut self.moved, &mut self.again);
            }
            let image = &self.moved[..self.words];
            if cycle && count > 1 {
                match made {
                    0 => self.first[..self.words].copy_from_slice(image),
                    _ if self.first[..self.words] == *image => break,
                    _ => {}
                }
            }
            show(made, image, &self.full.order);
            made += 1;
        }
        count / made
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
        let each = self.images(&mut |_, image, _| fixing += usize::from(*image == *representative));
        let mut order = Natural::from((fixing * each).max(1));
        let weights = self.enumerated.rings().into_iter().flat_map(Rings::weights);
        weights.for_each(|weight| order.mul_small(weight.into()));
        let Self { state, .. } = self;
        if let Some(generated) = &mut self.generated {
            order = &order * &generated.stabiliser(state);
            match &mut generated.strategy {
                Strategy::Word(word) => order = &order * &word.stabiliser(state),
                Strategy::Tried(listing) => order = &order * &listing.stabiliser(state),
                Strategy::Listed(_) | Strategy::LocalSearch(_) => {}
            }
        }
        order = &order * &self.full.stabiliser(&self.action, state);
        order
    }

    /// Whether there may be members that can be swapped without changing some state: not in rings.
    pub(crate) fn swaps(&self) -> bool {
        !self.full.is_empty()
    }

    /// By rule, whether a rule before it leads from the state to the same orbits; none if that is not known.
    pub fn covered(&mut self, state: &[u64]) -> Option<&[bool]> {
        let rules = self.action.system().rule_sort?;
        let generated = self.generated.as_mut().filter(|generated| generated.covers(rules))?;
        self.state[..self.words].copy_from_slice(state);
        generated.covered(rules, &self.state, &mut self.covered);
        Some(&self.covered)
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
}

/// The rings that are turned, and how many turns are tried at most. Complete ones cost no more than a look at
/// the state. With one other, turns that lead to a state that was seen need not all be tried; with several
/// their product counts.
fn turned(system: &System, symmetry: &Symmetry, rings: &[RingGroup]) -> (Option<Rings>, usize) {
    let rings: Vec<RingGroup> = rings.iter().filter(|ring| ring.size <= MOST_TURNED).copied().collect();
    let planned = Rings::plan(system, symmetry, &rings);
    let open: Vec<RingGroup> = planned.iter().flat_map(Rings::incomplete).collect();
    let tried = open.iter().map(|ring| ring.order() as usize).fold(1, usize::saturating_mul);
    let each = rings.iter().map(|ring| u64::from(ring.size)).sum::<u64>() + system.words() as u64;
    if open.len() <= 1 || (tried as u64).saturating_mul(each) <= MOST_ENUMERATED {
        return (planned, tried);
    }
    let complete: Vec<RingGroup> = rings.iter().filter(|ring| !open.contains(ring)).copied().collect();
    (Rings::plan(system, symmetry, &complete), 1)
}
