//! Rotations and reflections of a ring of `n` points, and all subgroups of that.
//!
//! A [`Ring`] holds the rotations by multiples of `step`, a divisor of `n`, and, if it has a `mirror`
//! `c`, the reflections `x ↦ c' − x` with `c' ≡ c` modulo `step`. Every subgroup of the dihedral group is of
//! this form, so stabilisers stay here. All operations are O(n), the stabiliser of a word O(n·divisors of n).
//! Invariant: a mirror needs three points (on fewer, every reflection is a rotation) and is less than `step`.

use crate::perm::gcd;
use crate::{Natural, Perm, Point};
use std::cmp::Ordering;

/// A group of rotations and reflections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    degree: usize,
    step: usize,
    mirror: Option<usize>,
}

/// Where the least rotation of a word begins: the first `s` for which `word[s..]` followed by `word[..s]` is
/// least.
///
/// Two candidates run side by side; what they agree on is never read again by the loser's successors: O(n).
pub fn least_rotation<T: Ord>(word: &[T]) -> usize {
    least_start(word.len(), 1, |i| &word[i])
}

/// The same among the starts that are multiples of `step`.
fn least_start<'w, T: Ord + 'w>(n: usize, step: usize, letter: impl Fn(usize) -> &'w T) -> usize {
    let around = |x: usize| if x < n { letter(x) } else { letter(x - n) };
    let (mut left, mut right, mut equal) = (0, step, 0);
    while left < n && right < n && equal < n {
        let order = around(left + equal).cmp(around(right + equal));
        let skip = (equal / step + 1) * step;
        match order {
            Ordering::Equal => equal += 1,
            Ordering::Less => right += skip,
            Ordering::Greater => left += skip,
        }
        if order.is_ne() {
            equal = 0;
            right += if left == right { step } else { 0 };
        }
    }
    left.min(right).min(n.saturating_sub(1))
}

impl Ring {
    /// All rotations of `degree` points, which are at least one.
    pub(crate) fn rotations(degree: usize) -> Ring {
        Ring { degree, step: 1, mirror: None }
    }

    /// All rotations and reflections.
    pub(crate) fn dihedral(degree: usize) -> Ring {
        Ring { degree, step: 1, mirror: (degree > 2).then_some(0) }
    }

    /// The group that the permutations generate, if all of them are rotations or reflections.
    pub(crate) fn generated(degree: usize, generators: &[Perm]) -> Option<Ring> {
        let (mut step, mut mirror) = (degree, None);
        for generator in generators {
            let first = generator.image(0) as usize;
            if is_rotation(generator) {
                step = gcd(step as u64, first as u64) as usize;
            } else if is_reflection(generator) {
                let sum = *mirror.get_or_insert(first);
                step = gcd(step as u64, sum.abs_diff(first) as u64) as usize;
            } else {
                return None;
            }
        }
        Some(Ring { degree, step, mirror: mirror.map(|sum| sum % step) })
    }

    pub(crate) fn has_reflections(&self) -> bool {
        self.mirror.is_some()
    }

    pub(crate) fn order(&self) -> Natural {
        Natural::from((self.degree / self.step) * if self.mirror.is_some() { 2 } else { 1 })
    }

    pub(crate) fn generators(&self) -> Vec<Perm> {
        let rotation = (self.step < self.degree).then(|| Perm::rotation(self.degree, self.step));
        let reflection = self.mirror.map(|sum| Perm::reflection(self.degree, sum));
        rotation.into_iter().chain(reflection).collect()
    }

    pub(crate) fn contains(&self, perm: &Perm) -> bool {
        let first = if self.degree == 0 { 0 } else { perm.image(0) as usize };
        let rotates = first % self.step == 0 && is_rotation(perm);
        rotates || (self.mirror.is_some_and(|sum| first % self.step == sum) && is_reflection(perm))
    }

    /// An element that takes `x` to `y`.
    pub(crate) fn carry(&self, x: Point, y: Point) -> Option<Perm> {
        let (x, y) = (x as usize, y as usize);
        let by = (y + self.degree - x) % self.degree;
        if by.is_multiple_of(self.step) {
            return Some(Perm::rotation(self.degree, by));
        }
        let fits = self.mirror.is_some_and(|sum| (x + y) % self.step == sum);
        fits.then(|| Perm::reflection(self.degree, x + y))
    }

    /// An element `g` for which `g·word` is least; a rotation, unless a reflection gives less.
    pub(crate) fn minimiser<T: Ord>(&self, word: &[T]) -> Perm {
        let (straight, turned) = (self.straight(word), self.turned(word));
        match turned {
            Some((sum, start)) if self.compare(word, straight, (sum, start)).is_gt() => {
                Perm::reflection(self.degree, sum + self.degree - start)
            }
            _ => Perm::rotation(self.degree, self.degree - straight),
        }
    }

    /// The elements that fix the word.
    pub(crate) fn fixing<T: Ord>(&self, word: &[T]) -> Ring {
        let n = self.degree;
        let repeats = |by: usize| (0..n).all(|i| word[i] == word[(i + by) % n]);
        let turns = n / self.step;
        let period =
            (1..=turns).filter(|&d| turns.is_multiple_of(d)).map(|d| d * self.step).find(|&by| repeats(by));
        let step = period.expect("a word repeats after all its letters");
        let straight = self.straight(word);
        let turned = self.turned(word).filter(|&turned| self.compare(word, straight, turned).is_eq());
        let mirror = turned.map(|(sum, start)| (sum + straight + n - start) % step);
        Ring { degree: n, step, mirror }
    }

    /// Where the least rotation of the word begins.
    fn straight<T: Ord>(&self, word: &[T]) -> usize {
        least_start(self.degree, self.step, |i| &word[i])
    }

    /// The mirror, and where the least rotation of the reflected word begins.
    fn turned<T: Ord>(&self, word: &[T]) -> Option<(usize, usize)> {
        let n = self.degree;
        self.mirror.map(|sum| (sum, least_start(n, self.step, |i| &word[(sum + n - i) % n])))
    }

    /// Compares the word read forwards from `straight` with the reflected word read from `start`.
    fn compare<T: Ord>(&self, word: &[T], straight: usize, (sum, start): (usize, usize)) -> Ordering {
        let n = self.degree;
        let forwards = (0..n).map(|i| &word[(straight + i) % n]);
        let backwards = (0..n).map(|i| &word[(sum + n + n - start - i) % n]);
        forwards.cmp(backwards)
    }
}

fn is_rotation(perm: &Perm) -> bool {
    let n = perm.degree();
    n == 0 || (0..n).all(|x| perm.image(x as Point) as usize == (x + perm.image(0) as usize) % n)
}

fn is_reflection(perm: &Perm) -> bool {
    let n = perm.degree();
    n > 2 && (0..n).all(|x| perm.image(x as Point) as usize == (n - x + perm.image(0) as usize) % n)
}
