//! Fully symmetric sorts: those that meet no other are sorted, the others are labelled together.
//!
//! Entry point: [`FullSorts::arrange`].

use super::keys::{Keys, SortedBlock};
use super::labelling::CanonicalLabelling;
use super::layout::Layout;
use burnside_perm::Natural;
use burnside_ts::{Action, Permutation, SortGroup, SortId, Symmetry, System};

/// Brings the members of fully symmetric sorts into order.
#[derive(Debug)]
pub(super) struct FullSorts {
    sorted: Vec<SortedBlock>,
    labelling: Option<CanonicalLabelling>,
    /// The permutation to the order that was found last.
    pub order: Permutation,
    /// Whether it may move something.
    moves: bool,
    /// Whether all orders so far are canonical.
    pub exact: bool,
}

impl FullSorts {
    pub fn new(system: &System, symmetry: &Symmetry) -> FullSorts {
        let layout = Layout::new(system, symmetry);
        let mut sorted = Vec::new();
        for (i, sort_group) in symmetry.sorts.iter().enumerate() {
            let sort = SortId(i as u32);
            if let SortGroup::Full(blocks) = sort_group
                && !layout.joint.contains(&sort)
            {
                let size = system.types.sort(sort).size;
                let block =
                    |block: &Vec<u32>| SortedBlock::new(Keys::new(&layout, sort, size, block.clone()));
                sorted.extend(blocks.iter().map(block));
            }
        }
        let labelling = CanonicalLabelling::new(system, symmetry, &layout);
        let order = Permutation::identity(&system.types);
        FullSorts { sorted, labelling, order, moves: false, exact: true }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty() && self.labelling.is_none()
    }

    /// Whether no sort meets another.
    pub fn is_sorted_only(&self) -> bool {
        self.labelling.is_none()
    }

    /// Finds the permutation to the canonical order of the members of a state (with spare words); if
    /// so much work is not enough, to some order. False if it is the identity.
    pub fn arrange(&mut self, action: &Action<'_>, state: &[u64], most_work: u64) -> bool {
        if std::mem::take(&mut self.moves) {
            let images = self.order.images.iter_mut();
            images.for_each(|images| images.iter_mut().zip(0..).for_each(|(image, at)| *image = at));
        }
        for block in &mut self.sorted {
            self.moves |= block.sort_into(state, &mut self.order.images[block.keys.sort.index()]);
        }
        if let Some(labelling) = &mut self.labelling {
            self.moves |= labelling.canonise(action, state, &mut self.order, most_work);
            self.exact &= labelling.complete;
        }
        self.moves
    }

    /// How many permutations leave a state as it is.
    pub fn stabiliser(&mut self, action: &Action<'_>, state: &[u64]) -> Natural {
        let mut order = Natural::one();
        for block in &mut self.sorted {
            block.classes(state, |class| order = &order * &Natural::factorial(class.len() as u64));
        }
        match &mut self.labelling {
            Some(labelling) => &order * &labelling.stabiliser(action, state),
            None => order,
        }
    }

    /// The parts of the group that can be done without: sorts that are permuted together, for each how many
    /// images a state has under it.
    pub fn images(&mut self, action: &Action<'_>, state: &[u64]) -> Vec<(Vec<SortId>, f64)> {
        let bits = |block: &Keys| Natural::factorial_bits(block.members.len() as u64);
        let mut parts: Vec<(Vec<SortId>, f64)> = Vec::new();
        for block in &mut self.sorted {
            let mut images = bits(&block.keys);
            block.classes(state, |class| images -= Natural::factorial_bits(class.len() as u64));
            let sort = block.keys.sort;
            match parts.iter_mut().find(|(sorts, _)| *sorts == [sort]) {
                Some(part) => part.1 += images,
                None => parts.push((vec![sort], images)),
            }
        }
        if let Some(labelling) = &mut self.labelling {
            parts.push((labelling.sorts(), labelling.image_bits(action, state)));
        }
        parts.iter_mut().for_each(|part| part.1 = part.1.exp2());
        parts
    }

    /// The same for the state that was arranged last, if it is no long number.
    pub fn known_stabiliser(&self) -> Option<u128> {
        let sorted = self.sorted.iter().try_fold(1, |order, block| block.known_stabiliser(order))?;
        self.labelling.as_ref().map_or(Some(sorted), |labelling| labelling.known_stabiliser(sorted))
    }

    /// Gives the classes of two or more members that can be swapped without changing a state, ascending.
    pub fn twins(&mut self, action: &Action<'_>, state: &[u64], mut each: impl FnMut(SortId, &[u32])) {
        for block in &mut self.sorted {
            let sort = block.keys.sort;
            block.classes(state, |class| each(sort, class));
        }
        if let Some(labelling) = &mut self.labelling {
            labelling.twins(action, state, each);
        }
    }
}
