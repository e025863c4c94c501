//! Exact unsigned integers of any size, for orders of groups and sizes of orbits.
//!
//! [`Natural`] keeps 64-bit limbs, least significant first, and never a zero limb at the top: equality and
//! order are those of the limbs. Sums cost O(limbs), products and quotients are schoolbook, O(limbs²).
//! Factorials and multinomial coefficients are put together from their prime factors, so an orbit of 4,000
//! points is counted without a division. There is no sign, no bit twiddling and no fraction.

use burnside_limits::poll;
use std::cmp::Ordering;
use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign};

/// An unsigned integer of any size.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    limbs: Vec<u64>,
}

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural { limbs: Vec::new() };

    /// One.
    pub fn one() -> Natural {
        Natural::from(1u64)
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Whether this is one.
    pub fn is_one(&self) -> bool {
        self.limbs == [1]
    }

    /// The value, where it fits into 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match *self.limbs {
            [] => Some(0),
            [low] => Some(low),
            _ => None,
        }
    }

    /// The value, where it fits into 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        match *self.limbs {
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => self.to_u64().map(u128::from),
        }
    }

    /// A floating-point number close to it; infinite when it is too large for one.
    pub fn to_f64(&self) -> f64 {
        const RADIX: f64 = 18_446_744_073_709_551_616.0;
        self.limbs.iter().rev().fold(0.0, |high, &limb| high * RADIX + limb as f64)
    }

    /// The number of bits without leading zeros.
    pub fn bits(&self) -> u64 {
        self.limbs.last().map_or(0, |top| self.limbs.len() as u64 * 64 - u64::from(top.leading_zeros()))
    }

    /// Adds a small number in place.
    pub fn add_small(&mut self, small: u64) {
        let mut carry = small;
        for limb in &mut self.limbs {
            let (sum, over) = limb.overflowing_add(carry);
            *limb = sum;
            carry = u64::from(over);
            if carry == 0 {
                return;
            }
        }
        self.push(carry);
    }

    /// Multiplies by a small number in place.
    pub fn mul_small(&mut self, small: u64) {
        poll();
        let mut carry = 0;
        for limb in &mut self.limbs {
            (*limb, carry) = wide(*limb, small, carry, 0);
        }
        self.push(carry);
        self.trim();
    }

    /// Divides by a small number in place and returns the remainder.
    ///
    /// # Panics
    /// When `small` is zero.
    pub fn div_small(&mut self, small: u64) -> u64 {
        assert_ne!(small, 0, "division by zero");
        let mut rest = 0;
        for limb in self.limbs.iter_mut().rev() {
            let high = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (high / u128::from(small)) as u64;
            rest = (high % u128::from(small)) as u64;
        }
        self.trim();
        rest
    }

    /// The remainder on division by a small number.
    pub fn rem_small(&self, small: u64) -> u64 {
        assert_ne!(small, 0, "division by zero");
        let step =
            |rest, limb: &u64| (u128::from(rest) << 64 | u128::from(*limb)).rem_euclid(small.into()) as u64;
        self.limbs.iter().rev().fold(0, step)
    }

    /// The difference, where it is not negative.
    pub fn checked_sub(&self, other: &Natural) -> Option<Natural> {
        if *self < *other {
            return None;
        }
        let mut result = self.clone();
        let mut borrow = 0;
        for (at, limb) in result.limbs.iter_mut().enumerate() {
            let take = other.limbs.get(at).copied().unwrap_or(0);
            (*limb, borrow) = minus(*limb, take, borrow);
        }
        result.trim();
        Some(result)
    }

    /// Quotient and remainder.
    ///
    /// # Panics
    /// When `divisor` is zero.
    pub fn div_rem(&self, divisor: &Natural) -> (Natural, Natural) {
        if *self < *divisor {
            return (Natural::ZERO, self.clone());
        }
        if divisor.limbs.len() <= 1 {
            let mut quotient = self.clone();
            let rest = quotient.div_small(divisor.to_u64().unwrap_or(0));
            return (quotient, rest.into());
        }
        long_division(self, divisor)
    }

    /// The quotient of a division that must leave no remainder.
    ///
    /// # Panics
    /// When it does.
    pub fn exact_div(&self, divisor: &Natural) -> Natural {
        let (quotient, rest) = self.div_rem(divisor);
        assert!(rest.is_zero(), "the division leaves a remainder");
        quotient
    }

    /// The power.
    pub fn pow(&self, mut exponent: u32) -> Natural {
        let (mut base, mut result) = (self.clone(), Natural::one());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result *= &base;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = &base * &base;
            }
        }
        result
    }

    /// `n!`.
    pub fn factorial(n: u64) -> Natural {
        prime_powers(n, |p| legendre(n, p))
    }

    /// `a1!·a2!·… / (b1!·b2!·…)`, which must be a whole number. The factorials are never there as numbers, so
    /// it is as cheap as the result is short.
    pub fn factorial_ratio(above: &[u64], below: &[u64]) -> Natural {
        let runs = |numbers: &[u64]| -> Vec<(u64, u64)> {
            let mut sorted: Vec<u64> = numbers.iter().copied().filter(|&n| n > 1).collect();
            sorted.sort_unstable();
            sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
        };
        let (above, below) = (runs(above), runs(below));
        let exponent =
            |runs: &[(u64, u64)], p| runs.iter().map(|&(n, count)| count * legendre(n, p)).sum::<u64>();
        let greatest = above.last().map_or(1, |&(n, _)| n);
        prime_powers(greatest, |p| exponent(&above, p) - exponent(&below, p))
    }

    /// The binary logarithm of `n!`, to three digits behind the point (by Stirling's series).
    pub fn factorial_bits(n: u64) -> f64 {
        use std::f64::consts::{LOG2_E, TAU};
        let x = n as f64;
        if n < 2 { 0.0 } else { x * x.log2() + (0.5 * (TAU * x).log2()) + LOG2_E * (1.0 / (12.0 * x) - x) }
    }

    /// `(k1 + k2 + …)! / (k1!·k2!·…)`: the number of words with `k1` letters of one kind, `k2` of another,
    /// and so on.
    pub fn multinomial(parts: &[u64]) -> Natural {
        let n = parts.iter().sum();
        prime_powers(n, |p| legendre(n, p) - parts.iter().map(|&part| legendre(part, p)).sum::<u64>())
    }

    fn push(&mut self, limb: u64) {
        if limb != 0 {
            self.limbs.push(limb);
        }
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// The limbs of `self · 2^shift` (`shift` below 64), with one limb to spare.
    fn shifted(&self, shift: u32) -> Vec<u64> {
        let mut result = Vec::with_capacity(self.limbs.len() + 1);
        let mut carry = 0;
        for &limb in &self.limbs {
            let moved = u128::from(limb) << shift;
            result.push(moved as u64 | carry);
            carry = (moved >> 64) as u64;
        }
        result.push(carry);
        result
    }
}

/// `a·b + c + d` as low and high limb; it cannot overflow.
#[inline]
fn wide(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let result = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (result as u64, (result >> 64) as u64)
}

/// `a - b - borrow` and the borrow it leaves.
#[inline]
fn minus(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (first, under) = a.overflowing_sub(b);
    let (second, again) = first.overflowing_sub(borrow);
    (second, u64::from(under) + u64::from(again))
}

/// Division of the schools, limb by limb, with the divisor's top bit moved to the top of its limb (Knuth's
/// algorithm D).
fn long_division(dividend: &Natural, divisor: &Natural) -> (Natural, Natural) {
    let size = divisor.limbs.len();
    let shift = divisor.limbs[size - 1].leading_zeros();
    let mut rest = dividend.shifted(shift);
    let mut by = divisor.shifted(shift);
    by.truncate(size);
    let mut quotient = Natural { limbs: vec![0; rest.len() - size] };
    for at in (0..rest.len() - size).rev() {
        let mut digit = guess(&rest[at..=at + size], &by);
        if subtract_multiple(&mut rest[at..=at + size], &by, digit) {
            digit -= 1;
            add_back(&mut rest[at..=at + size], &by);
        }
        quotient.limbs[at] = digit;
    }
    quotient.trim();
    let mut remainder = Natural { limbs: rest };
    remainder.trim();
    for at in 0..remainder.limbs.len() {
        let above = remainder.limbs.get(at + 1).copied().unwrap_or(0);
        remainder.limbs[at] = ((u128::from(above) << 64 | u128::from(remainder.limbs[at])) >> shift) as u64;
    }
    remainder.trim();
    (quotient, remainder)
}

/// A quotient digit that is right or one too large, from the three top limbs of the rest and the two of the
/// divisor.
fn guess(rest: &[u64], by: &[u64]) -> u64 {
    let size = by.len();
    let (first, second) = (u128::from(by[size - 1]), u128::from(by[size - 2]));
    let top = u128::from(rest[size]) << 64 | u128::from(rest[size - 1]);
    let (mut digit, mut left) = (top / first, top % first);
    while digit >> 64 != 0 || digit * second > (left << 64 | u128::from(rest[size - 2])) {
        digit -= 1;
        left += first;
        if left >> 64 != 0 {
            break;
        }
    }
    digit as u64
}

/// `rest -= by·digit`; whether the result went below zero.
fn subtract_multiple(rest: &mut [u64], by: &[u64], digit: u64) -> bool {
    let (mut carry, mut borrow) = (0, 0);
    for (limb, &b) in rest.iter_mut().zip(by) {
        let low;
        (low, carry) = wide(b, digit, carry, 0);
        (*limb, borrow) = minus(*limb, low, borrow);
    }
    let top = by.len();
    (rest[top], borrow) = minus(rest[top], carry, borrow);
    borrow != 0
}

/// `rest += by`, dropping the last carry.
fn add_back(rest: &mut [u64], by: &[u64]) {
    let mut carry = 0;
    for (limb, &b) in rest.iter_mut().zip(by) {
        (*limb, carry) = wide(1, *limb, b, carry);
    }
    let top = by.len();
    rest[top] = rest[top].wrapping_add(carry);
}

/// The exponent of the prime `p` in `n!`.
fn legendre(mut n: u64, p: u64) -> u64 {
    let mut exponent = 0;
    while n >= p {
        n /= p;
        exponent += n;
    }
    exponent
}

/// The product of `p^exponent(p)` over the primes up to `n`.
fn prime_powers(n: u64, exponent: impl Fn(u64) -> u64) -> Natural {
    let mut result = Natural::one();
    let mut pending = 1u64;
    let mut composite = vec![false; n as usize + 1];
    for p in 2..=n {
        if composite[p as usize] {
            continue;
        }
        (p * p..=n).step_by(p as usize).for_each(|multiple| composite[multiple as usize] = true);
        for _ in 0..exponent(p) {
            pending = pending.checked_mul(p).unwrap_or_else(|| {
                result.mul_small(pending);
                p
            });
        }
    }
    result.mul_small(pending);
    result
}

impl From<u32> for Natural {
    fn from(value: u32) -> Natural {
        Natural::from(u64::from(value))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        Natural::from(u128::from(value))
    }
}

impl From<usize> for Natural {
    fn from(value: usize) -> Natural {
        Natural::from(value as u128)
    }
}

impl From<u128> for Natural {
    fn from(value: u128) -> Natural {
        let mut result = Natural { limbs: vec![value as u64, (value >> 64) as u64] };
        result.trim();
        result
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let sizes = self.limbs.len().cmp(&other.limbs.len());
        sizes.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl AddAssign<&Natural> for Natural {
    fn add_assign(&mut self, other: &Natural) {
        if self.limbs.len() < other.limbs.len() {
            self.limbs.resize(other.limbs.len(), 0);
        }
        let mut carry = 0;
        for (at, limb) in self.limbs.iter_mut().enumerate() {
            let more = other.limbs.get(at).copied().unwrap_or(0);
            (*limb, carry) = wide(1, *limb, more, carry);
        }
        self.push(carry);
    }
}

impl Add for &Natural {
    type Output = Natural;
    fn add(self, other: &Natural) -> Natural {
        let mut result = self.clone();
        result += other;
        result
    }
}

impl Mul for &Natural {
    type Output = Natural;
    fn mul(self, other: &Natural) -> Natural {
        let mut limbs = vec![0; self.limbs.len() + other.limbs.len()];
        for (at, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            poll();
            for (limb, &b) in limbs[at..].iter_mut().zip(&other.limbs) {
                (*limb, carry) = wide(a, b, *limb, carry);
            }
            limbs[at + other.limbs.len()] = carry;
        }
        let mut result = Natural { limbs };
        result.trim();
        result
    }
}

impl MulAssign<&Natural> for Natural {
    fn mul_assign(&mut self, other: &Natural) {
        match other.to_u64() {
            Some(small) => self.mul_small(small),
            None => *self = &*self * other,
        }
    }
}

impl Sum for Natural {
    fn sum<I: Iterator<Item = Natural>>(terms: I) -> Natural {
        terms.fold(Natural::ZERO, |mut sum, term| {
            sum += &term;
            sum
        })
    }
}

impl Product for Natural {
    fn product<I: Iterator<Item = Natural>>(factors: I) -> Natural {
        factors.fold(Natural::one(), |mut product, factor| {
            product *= &factor;
            product
        })
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHUNK: u64 = 10_000_000_000_000_000_000;
        let (mut rest, mut chunks) = (self.clone(), Vec::new());
        while !rest.is_zero() {
            chunks.push(rest.div_small(CHUNK));
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text += &format!("{chunk:019}");
        }
        f.pad_integral(true, "", &text)
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
