//! Tuples of points under a group: `g·(x, y, …) = (g(x), g(y), …)`.
//!
//! [`Group::minimal_tuple`] gives the least image of a tuple, [`Group::tuple_orbits`] one tuple for each
//! orbit, with its stabiliser. Both take the entries one after the other: the first moves to the least point
//! of its orbit, the others follow, and the next is moved by what fixes the first. One stabiliser for each
//! entry; near-linear in the degree for full groups, rings and their products.

use crate::{Group, Natural, Perm, Point};

/// An orbit of tuples.
#[derive(Clone, Debug)]
pub struct TupleOrbit {
    /// Its least tuple.
    pub tuple: Vec<Point>,
    /// The elements that fix every entry of that.
    pub stabiliser: Group,
    /// How many tuples it has.
    pub size: Natural,
}

impl Group {
    /// The least point of each orbit, ascending.
    pub fn orbit_representatives(&self) -> Vec<Point> {
        self.orbits().representatives().collect()
    }

    /// The least image of the tuple, and an element that leads to it.
    pub fn minimal_tuple(&self, tuple: &[Point]) -> (Vec<Point>, Perm) {
        let mut by = Perm::identity(self.degree());
        let mut least = Vec::with_capacity(tuple.len());
        let mut left = self.clone();
        for &x in tuple {
            let x = by.image(x);
            let to = left.orbits().representative(x);
            by.premultiply(&left.carry(x, to).expect("the points are in one orbit"));
            least.push(to);
            if least.len() < tuple.len() {
                left = left.stabiliser(to);
            }
        }
        (least, by)
    }

    /// All orbits of tuples with so many entries, in ascending order of their least tuples. Entries may be
    /// equal.
    pub fn tuple_orbits(&self, entries: usize) -> Vec<TupleOrbit> {
        let mut orbits =
            vec![TupleOrbit { tuple: Vec::new(), stabiliser: self.clone(), size: Natural::one() }];
        for _ in 0..entries {
            orbits = orbits.iter().flat_map(TupleOrbit::extended).collect();
        }
        orbits
    }
}

impl TupleOrbit {
    /// The orbits of the tuples with one entry more.
    fn extended(&self) -> Vec<TupleOrbit> {
        let with = |class: Vec<Point>| {
            let mut size = self.size.clone();
            size.mul_small(class.len() as u64);
            let tuple = self.tuple.iter().copied().chain([class[0]]).collect();
            TupleOrbit { tuple, stabiliser: self.stabiliser.stabiliser(class[0]), size }
        };
        self.stabiliser.orbits().classes().into_iter().map(with).collect()
    }
}
