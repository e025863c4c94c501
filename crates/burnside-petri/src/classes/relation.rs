//! Which permutations of a class keep numbers that are given to the colours of a domain.
//!
//! Entry point: [`Judge::relation`]. The numbers are tokens of a marking, weights of an inscription, factors
//! of a sum, or the truth of a guard. Elements are exchangeable when exchanging them in all components of
//! their class changes no number. That is an equivalence, so each element is compared with one of each block
//! only, and only where a sum over its colours agrees that cannot change with an exchange. Only colours with
//! a number other than 0 are looked at. After very many comparisons the rest is called different.

use super::Judge;
use crate::net::ClassId;
use burnside_limits::poll;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many colours are compared for one class.
const PATIENCE: usize = 1 << 26;

/// Numbers of colours.
pub(super) struct Relation {
    domain: Vec<ClassId>,
    /// The colours whose number is not 0, ascending.
    support: Vec<(usize, i128)>,
}

impl Relation {
    /// With the number of each colour.
    pub(super) fn dense(domain: &[ClassId], numbers: &[u64]) -> Relation {
        let uniform = numbers.windows(2).all(|pair| pair[0] == pair[1]);
        let mut support = Vec::new();
        if !uniform {
            let all = numbers.iter().enumerate().map(|(colour, &number)| (colour, i128::from(number)));
            support.extend(all.filter(|entry| entry.1 != 0));
        }
        Relation { domain: domain.to_vec(), support }
    }

    /// With the number of some colours, which are added up; the others have 0.
    pub(super) fn sparse(domain: &[ClassId], numbers: Vec<(usize, i128)>) -> Relation {
        let mut sums: BTreeMap<usize, i128> = BTreeMap::new();
        numbers.into_iter().for_each(|(colour, number)| *sums.entry(colour).or_default() += number);
        let support = sums.into_iter().filter(|entry| entry.1 != 0).collect();
        Relation { domain: domain.to_vec(), support }
    }

    fn number(&self, colour: usize) -> i128 {
        self.support.binary_search_by_key(&colour, |entry| entry.0).map_or(0, |at| self.support[at].1)
    }
}

impl Judge<'_> {
    /// The numbers must stay as they are.
    pub(super) fn relation(&mut self, relation: &Relation) {
        let mut classes = relation.domain.clone();
        classes.sort_unstable();
        classes.dedup();
        for class in classes.into_iter().filter(|_| !relation.support.is_empty()) {
            let view = View::new(self, relation, class);
            let sort_group = &self.sort_groups[class.index()];
            let rotate = sort_group.rotate && view.rotates();
            let labels = sort_group.exchange.then(|| view.blocks(&sort_group.labels));
            let sort_group = &mut self.sort_groups[class.index()];
            sort_group.rotate = rotate;
            sort_group.labels = labels.unwrap_or_else(|| std::mem::take(&mut sort_group.labels));
        }
    }
}

/// A relation as one class sees it.
struct View<'r> {
    relation: &'r Relation,
    size: usize,
    /// By how much the number of a colour grows with each component of the class.
    strides: Vec<usize>,
}

impl<'r> View<'r> {
    fn new(judge: &Judge<'_>, relation: &'r Relation, class: ClassId) -> Self {
        let mut strides = Vec::new();
        let mut stride = 1;
        for &component in relation.domain.iter().rev() {
            if component == class {
                strides.push(stride);
            }
            stride *= judge.size(component);
        }
        View { relation, size: judge.size(class), strides }
    }

    fn element(&self, colour: usize, stride: usize) -> usize {
        colour / stride % self.size
    }

    /// The colour with the elements of the class moved.
    fn moved(&self, colour: usize, permutation: impl Fn(usize) -> usize) -> usize {
        poll();
        self.strides.iter().fold(colour, |moved, &stride| {
            let element = self.element(colour, stride);
            moved - element * stride + permutation(element) * stride
        })
    }

    fn rotates(&self) -> bool {
        let next = |element| (element + 1) % self.size;
        let kept =
            |&(colour, number): &(usize, i128)| self.relation.number(self.moved(colour, next)) == number;
        self.relation.support.iter().all(kept)
    }

    /// Splits the blocks of equal labels into blocks of exchangeable elements.
    fn blocks(&self, labels: &[u32]) -> Vec<u32> {
        let (entries, hashes) = (self.entries(), self.hashes());
        let mut patience = PATIENCE;
        let mut heads: HashMap<(u32, u64), Vec<usize>> = HashMap::new();
        let mut blocks = Vec::with_capacity(labels.len());
        for (x, &label) in labels.iter().enumerate() {
            let alike = heads.entry((label, hashes[x])).or_default();
            let head = alike.iter().find(|&&head| self.exchangeable([x, head], &entries, &mut patience));
            let block = head.copied().unwrap_or(x);
            if block == x {
                alike.push(x);
            }
            blocks.push(block as u32);
        }
        blocks
    }

    /// For each element the entries of the support it occurs in.
    fn entries(&self) -> Vec<Vec<u32>> {
        let mut entries: Vec<Vec<u32>> = vec![Vec::new(); self.size];
        for (at, &(colour, _)) in self.relation.support.iter().enumerate() {
            for &stride in &self.strides {
                let list = &mut entries[self.element(colour, stride)];
                if list.last() != Some(&(at as u32)) {
                    list.push(at as u32);
                }
            }
        }
        entries
    }

    /// For each element a number that is equal for exchangeable elements: it is made of where the element
    /// occurs in a colour, what that has in other classes, and the colour's number, but not of the other
    /// elements of the class there.
    fn hashes(&self) -> Vec<u64> {
        let mut hashes = vec![0u64; self.size];
        for &(colour, number) in &self.relation.support {
            let rest = self.moved(colour, |_| 0);
            let elements: Vec<usize> =
                self.strides.iter().map(|&stride| self.element(colour, stride)).collect();
            for &element in &elements {
                let here: Vec<bool> = elements.iter().map(|&other| other == element).collect();
                let mut hasher = DefaultHasher::new();
                (rest, number, here).hash(&mut hasher);
                hashes[element] = hashes[element].wrapping_add(hasher.finish());
            }
        }
        hashes
    }

    /// Whether exchanging two elements changes nothing.
    fn exchangeable(&self, [a, b]: [usize; 2], entries: &[Vec<u32>], patience: &mut usize) -> bool {
        let swap = |element| match element {
            _ if element == a => b,
            _ if element == b => a,
            _ => element,
        };
        entries[a].iter().chain(&entries[b]).all(|&at| {
            let (colour, number) = self.relation.support[at as usize];
            *patience = patience.saturating_sub(1);
            *patience > 0 && self.relation.number(self.moved(colour, swap)) == number
        })
    }
}
