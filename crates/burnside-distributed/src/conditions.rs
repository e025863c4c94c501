//! What every pair of a fair accepting component has somewhere in it, as bits.
//!
//! Entry point: [`Conditions`]. There is a bit for each acceptance mark, one for each class of fairness
//! units, and one more for each class of strongly fair ones. A class is closed under all annotations of
//! the product and all symmetries of its pairs, so it does not matter in whose names a unit is told. A
//! component that treats all units fairly executes a unit of each class somewhere or disables one
//! somewhere; and where a strongly fair unit is enabled, one of its class is executed somewhere.

use burnside_explicit::RunExpander;
use burnside_perm::Partition;

/// The bits, and what labels and pairs say of them.
#[derive(Debug)]
pub(crate) struct Conditions {
    /// Words of a set of bits.
    pub words: usize,
    /// By label of an edge: what it fulfils.
    labels: Vec<u64>,
    /// By set of enabled units: what a pair fulfils by itself, and what it needs.
    own: Vec<u64>,
    needs: Vec<u64>,
}

/// The number of each bit.
struct Layout {
    marks: Vec<u32>,
    /// By unit: the number of its class, and of that among the strong ones if it is one.
    classes: Vec<(usize, Option<usize>)>,
    words: usize,
}

impl Layout {
    /// `alike` has the least unit of each unit's class.
    fn new(marks: u64, strong: &[bool], alike: &[u32]) -> Self {
        let marks: Vec<u32> = (0..u64::BITS).filter(|mark| marks >> mark & 1 == 1).collect();
        let leads = || (0..).zip(alike).filter(|(unit, lead)| unit == *lead).map(|(unit, _)| unit);
        // A class that is not strong as a whole is not taken for one.
        let weak = |lead: &u32| alike.iter().zip(strong).any(|(its, strong)| its == lead && !strong);
        let first = marks.len();
        let all: Vec<u32> = leads().collect();
        let only_strong: Vec<u32> = leads().filter(|lead| !weak(lead)).collect();
        let place = |leads: &[u32], lead: &u32| leads.binary_search(lead).ok();
        let class = |lead: &u32| {
            let number = first + place(&all, lead).expect("each class has a least unit");
            (number, place(&only_strong, lead).map(|at| first + all.len() + at))
        };
        let classes = alike.iter().map(class).collect();
        let bits: usize = first + all.len() + only_strong.len();
        Self { marks, classes, words: bits.div_ceil(64) }
    }

    fn set(&self, bits: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut words = vec![0; self.words];
        bits.for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
        words
    }

    fn label(&self, marks: u64, executed: &[u32]) -> Vec<u64> {
        let marks = self.marks.iter().enumerate().filter(|(_, mark)| marks >> **mark & 1 == 1);
        let classes = executed.iter().map(|&unit| self.classes[unit as usize]);
        let units = classes.flat_map(|(class, strong)| [Some(class), strong]).flatten();
        self.set(marks.map(|(bit, _)| bit).chain(units))
    }

    /// What a pair in which some units are enabled fulfils.
    fn own(&self, enabled: &[u32]) -> Vec<u64> {
        let disabled = (0..).zip(&self.classes).filter(|(unit, _)| enabled.binary_search(unit).is_err());
        self.set(disabled.map(|(_, &(class, _))| class))
    }

    /// What it needs.
    fn needs(&self, enabled: &[u32]) -> Vec<u64> {
        let strong = enabled.iter().filter_map(|&unit| self.classes[unit as usize].1);
        let classes = self.classes.iter().map(|&(class, _)| class);
        self.set((0..self.marks.len()).chain(classes).chain(strong))
    }
}

impl Conditions {
    /// What a worker has met, with the classes that all workers together have found.
    pub fn new(expander: &RunExpander<'_>, alike: &[u32]) -> Self {
        let layout = Layout::new(expander.marks(), &expander.strong(), alike);
        Self {
            words: layout.words,
            labels: expander.labels().flat_map(|(marks, executed)| layout.label(marks, executed)).collect(),
            own: expander.enabled().flat_map(|enabled| layout.own(enabled)).collect(),
            needs: expander.enabled().flat_map(|enabled| layout.needs(enabled)).collect(),
        }
    }

    /// One word of bits for each label, and for each pair.
    #[cfg(test)]
    pub fn given(labels: Vec<u64>, own: Vec<u64>, needs: Vec<u64>) -> Self {
        Self { words: 1, labels, own, needs }
    }

    /// What an edge with a label fulfils.
    pub fn of_label(&self, label: u32) -> &[u64] {
        part(&self.labels, label, self.words)
    }

    /// What a pair fulfils by itself.
    pub fn own(&self, enabled: u32) -> &[u64] {
        part(&self.own, enabled, self.words)
    }

    /// What a pair needs.
    pub fn needs(&self, enabled: u32) -> &[u64] {
        part(&self.needs, enabled, self.words)
    }
}

fn part(all: &[u64], number: u32, words: usize) -> &[u64] {
    &all[number as usize * words..][..words]
}

/// The classes that come of those that each of some workers knows.
pub(crate) fn together<'n>(known: impl Iterator<Item = &'n [u64]>) -> Vec<u32> {
    let mut all: Option<Partition> = None;
    for leads in known {
        let partition = all.get_or_insert_with(|| Partition::discrete(leads.len()));
        (0..).zip(leads).for_each(|(unit, &lead)| _ = partition.join(unit, lead as u32));
    }
    let units = |all: &Partition| (0..all.degree() as u32).map(|unit| all.representative(unit)).collect();
    all.as_ref().map_or_else(Vec::new, units)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two marks and five units: 0 and 2 alike and weak, 1 strong, 3 and 4 alike and strong.
    #[test]
    fn bits_say_what_units_do() {
        let alike = together([&[0, 1, 0, 3, 4][..], &[0, 1, 2, 3, 3][..]].into_iter());
        assert_eq!(alike, [0, 1, 0, 3, 3]);
        let layout = Layout::new(0b101, &[false, true, false, true, true], &alike);
        // Bits: marks 0 and 2, classes of 0, 1 and 3, strong classes of 1 and 3.
        assert_eq!(layout.label(0b100, &[]), [0b10]);
        assert_eq!(layout.label(0b001, &[2]), [0b101]);
        assert_eq!(layout.label(0, &[4]), [0b101_0000 | 0b1_0000 | 0b100_0000]);
        assert_eq!(layout.label(0, &[1]), [0b10_1000]);
        // One of two that are alike is disabled.
        assert_eq!(layout.own(&[0, 1, 3, 4]), [0b100]);
        assert_eq!(layout.own(&[0, 1, 2, 3, 4]), [0]);
        assert_eq!(layout.needs(&[0]), [0b1_1111]);
        assert_eq!(layout.needs(&[1, 4]), [0b111_1111]);
        // A class with a weak unit in it is not a strong one.
        let mixed = Layout::new(0, &[false, true], &[0, 0]);
        assert_eq!((mixed.needs(&[1]), mixed.label(0, &[1])), (vec![1], vec![1]));
    }
}
