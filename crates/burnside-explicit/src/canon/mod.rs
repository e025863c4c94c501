//! Canonical states: one representative for each orbit, with the permutation that leads to it.
//!
//! Entry point: [`Canoniser`]. By kind of sort:
//! - a sort whose members (within each block that may be permuted) are told apart by bits of their own (every
//!   cell has at most one moved index or holds one moved value under none) is *sorted* by those bits
//!   (`keys`): n log n;
//! - sorts that meet in a cell (two-index arrays, values of one sort stored at another) make a state a
//!   hypergraph, whose canonical labelling is found by individualisation and refinement (`hypergraph`,
//!   `labelling`): exact, exponential only where the state is a hard graph;
//! - rings are turned, outermost, to the least word of what is said of each member (`rings`): linear, and
//!   several turns are tried only where other sorts decide between them;
//! - what is given by generators: reflections of rings with these; all elements if they are few, outermost;
//!   else [`generated`].
//!
//! With `exact` off one member of each target cell is tried: several representatives of an orbit may remain.
//! In both modes the result is the state moved by a member of the group, so states of different orbits never
//! become equal.

mod diagonal;
mod enumerated;
mod generated;
mod hypergraph;
mod keys;
mod labelling;
mod listing;
mod loose;
mod rings;

use burnside_limits::poll;
use burnside_perm::Natural;
use burnside_ts::{Action, Classes, Permutation, SortGroup, SortId, Symmetry, System, bits};
use enumerated::EnumeratedGroup;
use generated::{Generated, Strategy};
use hypergraph::Hypergraph;
use keys::Keys;
use labelling::CanonicalLabelling;
use rings::{RingGroup, Rings};
use std::sync::Arc;

/// If trying all turns of rings whose letters do not tell all would move more elements and words than this,
/// these are not turned: then representatives are not exact.
const MOST_ENUMERATED: u64 = 1 << 25;

/// The sizes of orbits with more bits than this are not computed.
const MOST_BITS: f64 = (1 << 18) as f64;

/// Looks at an image of a state: its number, itself, and the permutation that came last, if there may be one.
type Show<'k> = &'k mut dyn FnMut(usize, &[u64], Option<Permutation>);

/// Finds the representative of a state's orbit.
#[derive(Debug)]
pub struct Canoniser<'s> {
    action: Action<'s>,
    symmetry: Symmetry,
    keys: Vec<Keys>,
    labelling: Option<CanonicalLabelling>,
    /// All rings, those that are not turned too.
    rings: Vec<RingGroup>,
    enumerated: EnumeratedGroup,
    generated: Option<Generated>,
    /// How many permutations there are, once it was needed.
    known_order: Option<Natural>,
    exact: bool,
    identity: Permutation,
    words: usize,
    buffers: [Box<[u64]>; 4],
}

impl<'s> Canoniser<'s> {
    /// For a system and a group under which it is symmetric.
    pub fn new(system: &'s System, symmetry: &Symmetry, exact: bool) -> Self {
        let (rings, rest) = RingGroup::recognise(&system.types, symmetry);
        // The rings are turned first: for the sorts that come then, they stand still.
        let (keys, joint) = keys::plan(system, &still(symmetry));
        let full = |sort: &SortId| matches!(symmetry.sorts[sort.index()], SortGroup::Full(_));
        let joint: Vec<SortId> = joint.into_iter().filter(full).collect();
        let labelling =
            (!joint.is_empty()).then(|| CanonicalLabelling::new(Hypergraph::new(system, symmetry, joint)));
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
            keys,
            labelling,
            rings,
            enumerated: EnumeratedGroup::new(turned, listed),
            exact: exact && feasible && generated.as_ref().is_none_or(Generated::is_exact),
            generated,
            known_order: None,
            identity,
            words,
            buffers: [buffer(), buffer(), buffer(), buffer()],
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
        if !self.exact {
            return None;
        }
        if self.generated.is_none() && self.labelling.is_none() && self.enumerated.is_trivial() {
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

    /// The same where members of blocks are told apart by keys and by nothing else: without the order of the
    /// group, which is large.
    fn words_of_keys(&mut self, representative: &[u64]) -> Option<Natural> {
        let mut padded = std::mem::take(&mut self.buffers[0]);
        padded[..self.words].copy_from_slice(representative);
        let alike: Vec<u64> = self.keys.iter_mut().flat_map(|keys| keys.class_sizes(&padded)).collect();
        self.buffers[0] = padded;
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
    pub fn canonise(&mut self, state: &[u64], out: &mut [u64]) -> Permutation {
        poll();
        let mut permutation = self.least_image(state, out);
        let Some(mut generated) = self.generated.take() else { return permutation };
        if !generated.diagonal.is_empty() || matches!(generated.strategy, Strategy::Tried(_)) {
            let mut padded = std::mem::take(&mut self.buffers[0]);
            padded[..self.words].copy_from_slice(out);
            if let Some(sorted) = generated.sort(&self.identity, &mut padded) {
                out.copy_from_slice(&padded[..self.words]);
                permutation = sorted.after(&permutation);
            }
            self.buffers[0] = padded;
        }
        match &generated.strategy {
            Strategy::Listed(_) | Strategy::Tried(_) => {}
            Strategy::Word(word) => {
                let padded = [&*out, &[0; bits::SPARE]].concat();
                let least = word.least(&self.identity, &padded);
                self.apply(&least, out);
                permutation = least.after(&permutation);
            }
            Strategy::LocalSearch(steps) => {
                let mut lower = vec![0; out.len()];
                while let Some(step) = steps.iter().find_map(|step| {
                    let moved = self.moved(step, out);
                    let element = self.least_image(&moved, &mut lower);
                    (*lower < *out).then(|| element.after(step))
                }) {
                    out.copy_from_slice(&lower);
                    permutation = step.after(&permutation);
                }
            }
        }
        self.generated = Some(generated);
        permutation
    }

    /// The least image under the enumerated elements, without generators that are not listed.
    fn least_image(&mut self, state: &[u64], out: &mut [u64]) -> Permutation {
        poll();
        let mut padded = std::mem::take(&mut self.buffers[2]);
        padded[..self.words].copy_from_slice(state);
        let mut best: Option<(usize, Option<Permutation>)> = None;
        self.images(&padded, &mut |i, image, straight| {
            if best.is_none() || image[..] < *out {
                out.copy_from_slice(image);
                best = Some((i, straight));
            }
        });
        self.buffers[2] = padded;
        let (i, straight) = best.expect("there is at least one image");
        let mut element = self.identity.clone();
        self.enumerated.write(i, &mut element);
        match straight {
            Some(straight) => straight.after(&element),
            None => element,
        }
    }

    /// Shows the images of a state (with spare words) under what is to be tried, with the sorts that are left
    /// in order. How often each of them stands for an element, as those that come again are not all made.
    fn images(&mut self, state: &[u64], show: Show<'_>) -> usize {
        let mut moved = std::mem::take(&mut self.buffers[0]);
        let mut first = std::mem::take(&mut self.buffers[3]);
        self.enumerated.find(&self.action.system().types, state);
        let (count, cycle) = (self.enumerated.count(), self.enumerated.is_cycle());
        let mut element = self.identity.clone();
        let mut made = 0;
        while made < count {
            poll();
            self.enumerated.write(made, &mut element);
            match element.is_identity() {
                true => moved[..self.words].copy_from_slice(&state[..self.words]),
                false => self.action.state(&element, state, &mut moved),
            }
            let straight = self.straighten(&mut moved);
            if cycle && count > 1 {
                match made {
                    0 => first[..self.words].copy_from_slice(&moved[..self.words]),
                    _ if first[..self.words] == moved[..self.words] => break,
                    _ => {}
                }
            }
            show(made, &moved[..self.words], straight);
            made += 1;
        }
        self.buffers[0] = moved;
        self.buffers[3] = first;
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

    fn apply(&self, permutation: &Permutation, state: &mut [u64]) {
        state.copy_from_slice(&self.moved(permutation, state));
    }

    /// How many permutations leave a representative as it is. Exact if the canoniser is.
    pub fn stabiliser(&mut self, representative: &[u64]) -> Natural {
        let mut fixing = 0;
        let padded = [representative, &[0; bits::SPARE]].concat();
        let each = self.images(&padded, &mut |_, image, _| fixing += usize::from(*image == *representative));
        let mut order = Natural::from((fixing * each).max(1));
        if let Some(rings) = self.enumerated.rings() {
            order = &order * &rings.weight();
        }
        let mut moved = std::mem::take(&mut self.buffers[0]);
        moved[..self.words].copy_from_slice(representative);
        if let Some(generated) = &mut self.generated {
            for factor in &mut generated.diagonal {
                order = &order * &factor.stabiliser(&moved);
            }
            match &mut generated.strategy {
                Strategy::Word(word) => order = &order * &word.stabiliser(&moved),
                Strategy::Tried(listing) => order = &order * &listing.stabiliser(&moved),
                Strategy::Listed(_) | Strategy::LocalSearch(_) => {}
            }
        }
        for keys in &mut self.keys {
            for size in keys.class_sizes(&moved) {
                order = &order * &Natural::factorial(size);
            }
        }
        if let Some(labelling) = &mut self.labelling {
            order = &order * &labelling.stabiliser(&self.action, &moved);
        }
        self.buffers[0] = moved;
        order
    }

    /// Whether there may be members that can be swapped without changing some state: not in rings.
    pub(crate) fn swaps(&self) -> bool {
        !self.keys.is_empty() || self.labelling.is_some()
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
        if let Some(labelling) = &mut self.labelling {
            for (sort, class) in labelling.twins(&self.action, &padded) {
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

    /// Moves the fully symmetric sorts of a state in place to their canonical order. The permutation, if
    /// there may be one.
    fn straighten(&mut self, state: &mut Box<[u64]>) -> Option<Permutation> {
        if self.keys.is_empty() && self.labelling.is_none() {
            return None;
        }
        let mut permutation = self.identity.clone();
        let mut changed = false;
        for keys in &mut self.keys {
            changed |= keys.sort_into(state, &mut permutation.images[keys.sort.index()]);
        }
        if changed {
            self.act(&permutation, state);
        }
        if let Some(labelling) = &mut self.labelling {
            let joint = labelling.canonise(&self.action, state, &self.identity, self.exact);
            if !joint.is_identity() {
                self.act(&joint, state);
                permutation = joint.after(&permutation);
            }
        }
        Some(permutation)
    }

    fn act(&mut self, permutation: &Permutation, state: &mut Box<[u64]>) {
        self.action.state(permutation, state, &mut self.buffers[1]);
        std::mem::swap(state, &mut self.buffers[1]);
    }
}

/// What the sorts allow, without the rotations of rings.
fn still(symmetry: &Symmetry) -> Symmetry {
    let sort_group = |sort_group: &SortGroup| match sort_group {
        SortGroup::Rotations => SortGroup::Fixed,
        SortGroup::Full(_) | SortGroup::Fixed => sort_group.clone(),
    };
    Symmetry::product(symmetry.sorts.iter().map(sort_group).collect())
}

/// The rings that are turned, and how many turns are tried at most. Complete ones cost no more than a look at
/// the state. With one other, turns that lead to a state that was seen need not all be tried; with several
/// their product counts.
fn turned(system: &System, symmetry: &Symmetry, rings: &[RingGroup]) -> (Option<Rings>, usize) {
    let planned = Rings::plan(system, symmetry, rings);
    let open: Vec<RingGroup> = planned.iter().flat_map(Rings::incomplete).collect();
    let tried = open.iter().map(|ring| ring.order() as usize).fold(1, usize::saturating_mul);
    let each = rings.iter().map(|ring| u64::from(ring.size)).sum::<u64>() + system.words() as u64;
    if open.len() <= 1 || (tried as u64).saturating_mul(each) <= MOST_ENUMERATED {
        return (planned, tried);
    }
    let complete: Vec<RingGroup> = rings.iter().filter(|ring| !open.contains(ring)).copied().collect();
    (Rings::plan(system, symmetry, &complete), 1)
}
