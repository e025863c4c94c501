//! Young subgroups: all permutations that keep every cell of a partition to itself.
//!
//! [`Young`] covers the full symmetric group (one cell), the trivial group (no cell) and all stabilisers of
//! points, sets and words in them, at any degree: it keeps the cells of two or more points and nothing else,
//! O(n). The order is a product of factorials, the least image of a word is had by sorting each cell, O(n log
//! n), and the stabiliser of a word splits each cell by the letters. Cells are ascending and ordered by their
//! least points; a point in no cell is fixed.

use crate::{Natural, Partition, Perm, Point};

const FIXED: u32 = u32::MAX;

/// A product of full symmetric groups on disjoint cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Young {
    cells: Vec<Vec<Point>>,
    home: Vec<u32>,
}

impl Young {
    /// The group of all permutations that keep every class of the partition.
    pub fn new(partition: &Partition) -> Young {
        Young::from_sorted(partition.degree(), partition.classes())
    }

    /// The group that keeps every one of the disjoint cells and fixes all other points.
    ///
    /// # Panics
    /// When a point is out of range or in two cells.
    pub fn from_cells(degree: usize, mut cells: Vec<Vec<Point>>) -> Young {
        let mut seen = vec![false; degree];
        for &x in cells.iter().flatten() {
            assert!(!std::mem::replace(&mut seen[x as usize], true), "the point {x} is in two cells");
        }
        cells.iter_mut().for_each(|cell| cell.sort_unstable());
        Young::from_sorted(degree, cells)
    }

    fn from_sorted(degree: usize, mut cells: Vec<Vec<Point>>) -> Young {
        cells.retain(|cell| cell.len() > 1);
        cells.sort_unstable_by_key(|cell| cell[0]);
        let mut home = vec![FIXED; degree];
        for (at, cell) in cells.iter().enumerate() {
            cell.iter().for_each(|&x| home[x as usize] = at as u32);
        }
        Young { cells, home }
    }

    /// All permutations.
    pub fn full(degree: usize) -> Young {
        Young::from_sorted(degree, vec![(0..degree as Point).collect()])
    }

    /// Only the identity.
    pub fn trivial(degree: usize) -> Young {
        Young::from_sorted(degree, Vec::new())
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.home.len()
    }

    /// The cells of at least two points.
    pub fn cells(&self) -> &[Vec<Point>] {
        &self.cells
    }

    /// Whether these are all permutations.
    pub fn is_full(&self) -> bool {
        self.degree() < 2 || self.cells.first().is_some_and(|cell| cell.len() == self.degree())
    }

    /// The number of elements.
    pub fn order(&self) -> Natural {
        self.cells.iter().map(|cell| Natural::factorial(cell.len() as u64)).product()
    }

    /// The orbits: the cells, and the other points each alone.
    pub fn orbits(&self) -> Partition {
        let mut orbits = Partition::discrete(self.degree());
        for cell in &self.cells {
            cell[1..].iter().for_each(|&x| {
                orbits.join(cell[0], x);
            });
        }
        orbits
    }

    /// Whether two points are in one cell.
    #[inline]
    pub fn same(&self, x: Point, y: Point) -> bool {
        x == y || (self.home[x as usize] == self.home[y as usize] && self.home[x as usize] != FIXED)
    }

    /// The cell of a point that is not fixed.
    pub fn cell_of(&self, x: Point) -> Option<&[Point]> {
        self.cells.get(self.home[x as usize] as usize).map(Vec::as_slice)
    }

    /// Whether the permutation keeps every cell.
    pub fn contains(&self, perm: &Perm) -> bool {
        perm.degree() == self.degree() && (0..self.degree() as Point).all(|x| self.same(x, perm.image(x)))
    }

    /// Generators: a transposition and a cycle for each cell.
    pub fn generators(&self) -> Vec<Perm> {
        let mut generators = Vec::new();
        for cell in &self.cells {
            generators.push(Perm::transposition(self.degree(), cell[0], cell[1]));
            if cell.len() > 2 {
                generators.push(Perm::cycle(self.degree(), cell).expect("a cell repeats no point"));
            }
        }
        generators
    }

    /// The elements that fix the word: each cell is split by its letters.
    pub fn fixing<T: Ord>(&self, word: &[T]) -> Young {
        let mut cells = Vec::new();
        for cell in &self.cells {
            let sorted = sorted_by_letter(cell, word);
            let same = |a: &Point, b: &Point| word[*a as usize] == word[*b as usize];
            cells.extend(sorted.chunk_by(same).map(<[Point]>::to_vec));
        }
        Young::from_sorted(self.degree(), cells)
    }

    /// The number of images of the word.
    pub fn orbit_size<T: Ord>(&self, word: &[T]) -> Natural {
        let images_in = |cell: &Vec<Point>| {
            let sorted = sorted_by_letter(cell, word);
            let runs = sorted.chunk_by(|a, b| word[*a as usize] == word[*b as usize]);
            Natural::multinomial(&runs.map(|run| run.len() as u64).collect::<Vec<_>>())
        };
        self.cells.iter().map(images_in).product()
    }

    /// An element `g` for which `g·word` is least. Equal letters keep their order.
    pub fn minimiser<T: Ord>(&self, word: &[T]) -> Perm {
        let mut images: Vec<Point> = (0..self.degree() as Point).collect();
        for cell in &self.cells {
            let sorted = sorted_by_letter(cell, word);
            sorted.iter().zip(cell).for_each(|(&from, &to)| images[from as usize] = to);
        }
        Perm::trusted(images.len(), |x| images[x as usize])
    }
}

fn sorted_by_letter<T: Ord>(cell: &[Point], word: &[T]) -> Vec<Point> {
    let mut sorted = cell.to_vec();
    sorted.sort_by_key(|&x| &word[x as usize]);
    sorted
}
