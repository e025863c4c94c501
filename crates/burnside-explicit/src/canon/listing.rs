//! A small group whose elements are all tried, cell by cell: most of them lose against the best at one of the
//! first cells.
//!
//! Entry point: [`Listing::new`]. Needs states that are words: each cell that the group moves has just one
//! moved index and holds nothing that moves. The representative is the word that is least in the order of the
//! points.

use burnside_limits::Pace;
use burnside_perm::{Natural, Perm, Point};
use burnside_ts::{Permutation, bits};

/// The elements of a group.
#[derive(Debug)]
pub(super) struct Listing {
    /// For each point that has cells: first bits and widths, 64 bits in all at most.
    cells: Vec<Vec<(u32, u32)>>,
    /// For each element, for each such point, which of them comes to its place; the identity first.
    sources: Vec<Box<[u32]>>,
    permutations: Vec<Permutation>,
    /// What the cells hold.
    letters: Vec<u64>,
}

impl Listing {
    /// Lists some elements, the identity first. None if a point has too many bits.
    pub fn new(
        degree: usize,
        elements: &[Perm],
        cells: &dyn Fn(Point) -> Vec<(u32, u32)>,
        permutation: &dyn Fn(&Perm) -> Permutation,
    ) -> Option<Self> {
        let is_moved = |point: &Point| elements.iter().any(|element| element.image(*point) != *point);
        let points = (0..degree as Point).filter(|point| is_moved(point) && !cells(*point).is_empty());
        let points: Vec<Point> = points.collect();
        let cells: Vec<Vec<(u32, u32)>> = points.iter().map(|&point| cells(point)).collect();
        if cells.iter().any(|cells| cells.iter().map(|cell| cell.1).sum::<u32>() > 64) {
            return None;
        }
        let mut at = vec![u32::MAX; degree];
        (0..).zip(&points).for_each(|(i, &point)| at[point as usize] = i);
        let sources = |element: &Perm| {
            let mut sources = vec![0; points.len()].into_boxed_slice();
            for (i, &point) in (0..).zip(&points) {
                // Points with cells stay among themselves.
                sources[at[element.image(point) as usize] as usize] = i;
            }
            sources
        };
        Some(Self {
            sources: elements.iter().map(sources).collect(),
            permutations: elements.iter().map(permutation).collect(),
            letters: Vec::with_capacity(points.len()),
            cells,
        })
    }

    /// Makes a state least, in place; the permutation that does it, if anything moves.
    pub fn canonise(&mut self, state: &mut [u64]) -> Option<Permutation> {
        self.read(state);
        let mut best = 0;
        let mut pace = Pace::every(4096);
        for element in 1..self.sources.len() {
            pace.poll();
            if self.word(element).lt(self.word(best)) {
                best = element;
            }
        }
        if best == 0 {
            return None;
        }
        for (cells, letter) in self.cells.iter().zip(self.word(best)) {
            let mut rest = letter;
            for &(offset, width) in cells {
                bits::write(state, offset, width, rest & mask(width));
                rest = rest.checked_shr(width).unwrap_or(0);
            }
        }
        Some(self.permutations[best].clone())
    }

    /// How many elements leave a state as it is.
    pub fn stabiliser(&mut self, state: &[u64]) -> Natural {
        self.read(state);
        let same =
            (0..self.sources.len()).filter(|&element| self.word(element).eq(self.letters.iter().copied()));
        Natural::from(same.count())
    }

    /// What an element makes of the letters.
    fn word(&self, element: usize) -> impl Iterator<Item = u64> {
        self.sources[element].iter().map(|&source| self.letters[source as usize])
    }

    fn read(&mut self, state: &[u64]) {
        let letter = |cells: &Vec<(u32, u32)>| {
            let mut at = 0;
            cells.iter().fold(0, |letter, &(offset, width)| {
                let letter = letter | bits::read(state, offset, width) << at;
                at += width;
                letter
            })
        };
        self.letters.clear();
        self.letters.extend(self.cells.iter().map(letter));
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
