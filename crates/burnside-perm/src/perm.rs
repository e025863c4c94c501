//! Permutations of `0..n`.
//!
//! [`Perm`] is 24 bytes: up to 16 points are kept inline, a byte each, the identity of more points is only
//! its degree, and everything else is a boxed array of images, or a list of moved points where the maker says
//! that they are few ([`Perm::sparse`]). The product is read from right to left,
//! `(g·h)(x) = g(h(x))`, and a word moves with its cells: `(g·w)[g(i)] = w[i]`. Products and inverses cost
//! O(n) and allocate only when the result has more than 16 points and no buffer is given
//! ([`Perm::compose_into`], [`Perm::inverse_into`]; [`Perm::premultiply`] works in place). Two permutations
//! are equal when they have the same degree and the same images, however they are kept.

use crate::{Natural, images};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Mul;
use std::sync::Arc;

/// A point: one of `0..n`.
pub type Point = u32;

const INLINE: usize = 16;

/// A permutation of `0..n`.
#[derive(Clone)]
pub struct Perm(Repr);

#[derive(Clone)]
enum Repr {
    /// At most 16 points; the places above the degree map to themselves.
    Inline { degree: u8, images: [u8; INLINE] },
    /// More than 16 points, none moved.
    Identity(u32),
    /// More than 16 points.
    Boxed(Box<[Point]>),
    /// More than 16 points, of which few are moved: these, ascending, with their images.
    Sparse(u32, Arc<[(Point, Point)]>),
}

const STILL: [u8; INLINE] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The images do not form a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAPermutation {
    /// This image is not below the number of points.
    OutOfRange(Point),
    /// Two points have this image.
    Repeated(Point),
}

impl fmt::Display for NotAPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAPermutation::OutOfRange(point) => write!(f, "the image {point} is out of range"),
            NotAPermutation::Repeated(point) => write!(f, "two points have the image {point}"),
        }
    }
}

impl std::error::Error for NotAPermutation {}

impl Perm {
    /// The identity on `0..degree`.
    pub fn identity(degree: usize) -> Perm {
        if degree <= INLINE {
            return Perm(Repr::Inline { degree: degree as u8, images: STILL });
        }
        Perm(Repr::Identity(u32::try_from(degree).expect("points are 32-bit numbers")))
    }

    /// The permutation that maps `x` to `images[x]`, if that is one.
    pub fn from_images(images: &[Point]) -> Result<Perm, NotAPermutation> {
        let mut seen = vec![false; images.len()];
        for &image in images {
            let place = seen.get_mut(image as usize).ok_or(NotAPermutation::OutOfRange(image))?;
            if std::mem::replace(place, true) {
                return Err(NotAPermutation::Repeated(image));
            }
        }
        Ok(Perm::trusted(images.len(), |x| images[x as usize]))
    }

    /// The permutation that maps `x` to `image(x)`, which the caller knows to be one.
    pub(crate) fn trusted(degree: usize, image: impl Fn(Point) -> Point) -> Perm {
        if degree <= INLINE {
            let mut images = STILL;
            (0..degree).for_each(|x| images[x] = image(x as Point) as u8);
            return Perm(Repr::Inline { degree: degree as u8, images });
        }
        let moved = (0..degree as Point).any(|x| image(x) != x);
        if moved {
            Perm(Repr::Boxed((0..degree as Point).map(image).collect()))
        } else {
            Perm::identity(degree)
        }
    }

    /// The permutation that takes the first of each pair to the second and no other point anywhere, kept as a
    /// list: for many permutations of many points that move few of them. To ask for an image takes a search
    /// then, and products are lists only where both factors are.
    ///
    /// # Panics
    /// When that is no permutation of the points below the degree.
    pub fn sparse(degree: usize, mut moved: Vec<(Point, Point)>) -> Perm {
        moved.retain(|(from, to)| from != to);
        moved.sort_unstable();
        let mut images: Vec<Point> = moved.iter().map(|pair| pair.1).collect();
        images.sort_unstable();
        let is_permutation = moved.iter().map(|pair| pair.0).eq(images.iter().copied())
            && images.windows(2).all(|pair| pair[0] < pair[1])
            && images.last().is_none_or(|&last| (last as usize) < degree);
        assert!(is_permutation, "the images of moved points are the moved points");
        Perm::sorted(degree, moved)
    }

    /// The same for moved points that are ascending.
    fn sorted(degree: usize, moved: Vec<(Point, Point)>) -> Perm {
        let identity = Perm::identity(degree);
        match identity.0 {
            Repr::Inline { degree, mut images } => {
                moved.iter().for_each(|&(from, to)| images[from as usize] = to as u8);
                Perm(Repr::Inline { degree, images })
            }
            Repr::Identity(degree) if !moved.is_empty() => Perm(Repr::Sparse(degree, moved.into())),
            _ => identity,
        }
    }

    /// The same permutation, with an image for each point if it was a list of moved ones.
    pub fn dense(&self) -> Perm {
        match &self.0 {
            Repr::Sparse(..) => Perm(Repr::Boxed(self.written())),
            _ => self.clone(),
        }
    }

    fn written(&self) -> Box<[Point]> {
        let mut images: Box<[Point]> = (0..self.degree() as Point).collect();
        self.pairs().for_each(|(from, to)| images[from as usize] = to);
        images
    }

    /// The exchange of `a` and `b`; the identity when they are equal.
    pub fn transposition(degree: usize, a: Point, b: Point) -> Perm {
        assert!(a.max(b) < degree as Point, "the points of a transposition must be below the degree");
        Perm::trusted(degree, |x| {
            if x == a {
                b
            } else if x == b {
                a
            } else {
                x
            }
        })
    }

    /// `x ↦ x + by` modulo `degree`.
    pub fn rotation(degree: usize, by: usize) -> Perm {
        Perm::trusted(degree, |x| ((x as usize + by % degree) % degree) as Point)
    }

    /// `x ↦ sum − x` modulo `degree`.
    pub fn reflection(degree: usize, sum: usize) -> Perm {
        Perm::trusted(degree, |x| ((sum % degree + degree - x as usize) % degree) as Point)
    }

    /// The number of points, moved or not.
    #[inline]
    pub fn degree(&self) -> usize {
        match &self.0 {
            Repr::Inline { degree, .. } => usize::from(*degree),
            Repr::Identity(degree) => *degree as usize,
            Repr::Boxed(images) => images.len(),
            Repr::Sparse(degree, _) => *degree as usize,
        }
    }

    /// Where `x`, which must be below the degree, goes.
    #[inline]
    pub fn image(&self, x: Point) -> Point {
        debug_assert!((x as usize) < self.degree(), "{x} is not a point of 0..{}", self.degree());
        match &self.0 {
            Repr::Inline { images, .. } => Point::from(images[x as usize % INLINE]),
            Repr::Identity(_) => x,
            Repr::Boxed(images) => images[x as usize],
            Repr::Sparse(_, moved) => {
                moved.binary_search_by_key(&x, |pair| pair.0).map_or(x, |at| moved[at].1)
            }
        }
    }

    /// The images of `0`, `1`, ….
    pub fn images(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.degree() as Point).map(|x| self.image(x))
    }

    /// The point that goes to `y`, in O(n).
    pub fn preimage(&self, y: Point) -> Point {
        (0..self.degree() as Point).find(|&x| self.image(x) == y).expect("a point of this degree")
    }

    /// The least moved point that is not below `from`.
    #[inline]
    pub fn least_moved_from(&self, from: Point) -> Option<Point> {
        match &self.0 {
            Repr::Identity(_) => None,
            Repr::Sparse(_, moved) => {
                moved.get(moved.partition_point(|pair| pair.0 < from)).map(|pair| pair.0)
            }
            _ => (from..self.degree() as Point).find(|&x| self.image(x) != x),
        }
    }

    /// The points that are moved, in ascending order.
    pub fn moved(&self) -> impl Iterator<Item = Point> + '_ {
        self.pairs().map(|pair| pair.0)
    }

    /// The same, with their images.
    pub fn pairs(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let (listed, rest) = match &self.0 {
            Repr::Sparse(_, moved) => (&moved[..], 0),
            Repr::Identity(_) => (&[][..], 0),
            _ => (&[][..], self.degree() as Point),
        };
        let others = (0..rest).map(|x| (x, self.image(x))).filter(|(x, y)| x != y);
        listed.iter().copied().chain(others)
    }

    /// Whether no point is moved.
    #[inline]
    pub fn is_identity(&self) -> bool {
        match &self.0 {
            Repr::Inline { images, .. } => *images == STILL,
            _ => self.least_moved_from(0).is_none(),
        }
    }

    /// `self·other`: first `other`, then `self`.
    #[inline]
    pub fn compose(&self, other: &Perm) -> Perm {
        assert_eq!(self.degree(), other.degree(), "permutations of different degrees do not compose");
        match (&self.0, &other.0) {
            (Repr::Inline { images: a, degree }, Repr::Inline { images: b, .. }) => {
                Perm(Repr::Inline { degree: *degree, images: compose_inline(a, b) })
            }
            (Repr::Identity(_), _) => other.clone(),
            (_, Repr::Identity(_)) => self.clone(),
            (Repr::Boxed(a), Repr::Boxed(b)) => Perm(Repr::Boxed(images::compose(a, b).into())),
            (Repr::Sparse(..), Repr::Sparse(..)) => {
                let mut points: Vec<Point> = self.moved().chain(other.moved()).collect();
                points.sort_unstable();
                points.dedup();
                let moved = points.into_iter().map(|x| (x, self.image(other.image(x))));
                Perm::sorted(self.degree(), moved.filter(|(x, y)| x != y).collect())
            }
            (Repr::Sparse(..), Repr::Boxed(b)) => {
                Perm(Repr::Boxed(images::compose(&self.written(), b).into()))
            }
            (Repr::Boxed(a), Repr::Sparse(_, moved)) => {
                let mut images = a.clone();
                moved.iter().for_each(|&(from, to)| images[from as usize] = a[to as usize]);
                Perm(Repr::Boxed(images))
            }
            _ => unreachable!("permutations of one degree are kept alike"),
        }
    }

    /// `out := self·other`, in the buffer of `out` where it has one of the right size.
    #[inline]
    pub fn compose_into(&self, other: &Perm, out: &mut Perm) {
        match (&self.0, &other.0, &mut out.0) {
            (Repr::Boxed(a), Repr::Boxed(b), Repr::Boxed(to))
                if a.len() == b.len() && b.len() == to.len() =>
            {
                to.iter_mut().zip(b).for_each(|(to, &x)| *to = a[x as usize]);
            }
            (Repr::Boxed(a), Repr::Identity(n), Repr::Boxed(to))
            | (Repr::Identity(n), Repr::Boxed(a), Repr::Boxed(to))
                if a.len() == *n as usize && a.len() == to.len() =>
            {
                to.copy_from_slice(a);
            }
            _ => *out = self.compose(other),
        }
    }

    /// `self := other·self`, in place.
    #[inline]
    pub fn premultiply(&mut self, other: &Perm) {
        match (&mut self.0, &other.0) {
            (Repr::Boxed(images), Repr::Boxed(then)) if images.len() == then.len() => {
                images.iter_mut().for_each(|x| *x = then[*x as usize]);
            }
            _ => *self = other.compose(self),
        }
    }

    /// The inverse.
    #[inline]
    pub fn inverse(&self) -> Perm {
        match &self.0 {
            Repr::Inline { degree, images } => {
                let mut back = STILL;
                (0..INLINE).for_each(|x| back[usize::from(images[x]) % INLINE] = x as u8);
                Perm(Repr::Inline { degree: *degree, images: back })
            }
            Repr::Identity(_) => self.clone(),
            Repr::Boxed(images) => Perm(Repr::Boxed(images::inverse(images).into())),
            Repr::Sparse(degree, moved) => {
                let mut back: Vec<(Point, Point)> = moved.iter().map(|&(from, to)| (to, from)).collect();
                back.sort_unstable();
                Perm(Repr::Sparse(*degree, back.into()))
            }
        }
    }

    /// `out := self⁻¹`, in the buffer of `out` where it has one of the right size.
    #[inline]
    pub fn inverse_into(&self, out: &mut Perm) {
        match (&self.0, &mut out.0) {
            (Repr::Boxed(images), Repr::Boxed(to)) if images.len() == to.len() => invert(images, to),
            _ => *out = self.inverse(),
        }
    }

    /// `by·self·by⁻¹`: what `self` becomes when every point `x` is renamed `by(x)`.
    pub fn conjugate(&self, by: &Perm) -> Perm {
        if let Repr::Sparse(_, moved) = &self.0 {
            let renamed = moved.iter().map(|&(from, to)| (by.image(from), by.image(to)));
            let mut renamed: Vec<(Point, Point)> = renamed.collect();
            renamed.sort_unstable();
            return Perm::sorted(self.degree(), renamed);
        }
        by.compose(&self.compose(&by.inverse()))
    }

    /// The power; a negative exponent takes the inverse. O(n), whatever the exponent.
    pub fn pow(&self, exponent: i64) -> Perm {
        let mut images: Vec<Point> = (0..self.degree() as Point).collect();
        for cycle in self.cycles() {
            let shift = exponent.rem_euclid(cycle.len() as i64) as usize;
            for (at, &x) in cycle.iter().enumerate() {
                images[x as usize] = cycle[(at + shift) % cycle.len()];
            }
        }
        Perm::trusted(images.len(), |x| images[x as usize])
    }

    /// The least positive power that is the identity.
    pub fn order(&self) -> Natural {
        let mut order = Natural::one();
        for cycle in self.cycles() {
            let length = cycle.len() as u64;
            order.mul_small(length / gcd(order.rem_small(length), length));
        }
        order
    }

    /// Whether it is a product of an even number of transpositions.
    pub fn is_even(&self) -> bool {
        self.cycles().iter().filter(|cycle| cycle.len() % 2 == 0).count() % 2 == 0
    }

    /// `out := self·word`: the letter of cell `i` goes to cell `self(i)`.
    #[inline]
    pub fn permute_into<T: Clone>(&self, word: &[T], out: &mut [T]) {
        assert!(word.len() == self.degree() && out.len() == word.len(), "one letter for each point");
        if let Repr::Sparse(_, moved) = &self.0 {
            out.clone_from_slice(word);
            return moved.iter().for_each(|&(from, to)| out[to as usize] = word[from as usize].clone());
        }
        word.iter().enumerate().for_each(|(i, letter)| out[self.image(i as Point) as usize] = letter.clone());
    }

    /// `self·word` as a new word.
    pub fn permute<T: Clone>(&self, word: &[T]) -> Vec<T> {
        let mut out = word.to_vec();
        self.permute_into(word, &mut out);
        out
    }

    /// Replaces each point of the slice by its image.
    #[inline]
    pub fn apply(&self, points: &mut [Point]) {
        points.iter_mut().for_each(|x| *x = self.image(*x));
    }

    /// Whether `self·word` is `word`.
    pub fn preserves<T: PartialEq>(&self, word: &[T]) -> bool {
        self.pairs().all(|(from, to)| word[to as usize] == word[from as usize])
    }
}

#[inline]
fn compose_inline(a: &[u8; INLINE], b: &[u8; INLINE]) -> [u8; INLINE] {
    let mut images = STILL;
    (0..INLINE).for_each(|x| images[x] = a[usize::from(b[x]) % INLINE]);
    images
}

#[inline]
fn invert(images: &[Point], back: &mut [Point]) {
    images.iter().enumerate().for_each(|(x, &y)| back[y as usize] = x as Point);
}

pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Mul for &Perm {
    type Output = Perm;
    #[inline]
    fn mul(self, other: &Perm) -> Perm {
        self.compose(other)
    }
}

impl PartialEq for Perm {
    fn eq(&self, other: &Perm) -> bool {
        match (&self.0, &other.0) {
            (Repr::Inline { degree: a, images: x }, Repr::Inline { degree: b, images: y }) => {
                a == b && x == y
            }
            (Repr::Boxed(x), Repr::Boxed(y)) => x == y,
            (Repr::Sparse(a, x), Repr::Sparse(b, y)) => a == b && x == y,
            _ => self.degree() == other.degree() && self.images().eq(other.images()),
        }
    }
}

impl Eq for Perm {}

impl Hash for Perm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Inline { degree, images } => (degree, images).hash(state),
            _ => self.images().for_each(|x| state.write_u32(x)),
        }
    }
}

/// First by degree, then by the images of `0`, `1`, ….
impl Ord for Perm {
    fn cmp(&self, other: &Perm) -> Ordering {
        self.degree().cmp(&other.degree()).then_with(|| self.images().cmp(other.images()))
    }
}

impl PartialOrd for Perm {
    fn partial_cmp(&self, other: &Perm) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
