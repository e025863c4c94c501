//! Integers that depend on a valuation: vectors of sets, one for each binary digit.
//!
//! [`Int`] is in two's complement, least significant digit first, the last one is the sign. It has as many
//! digits as it needs, so sums and products are exact; whether one fits a machine word is asked afterwards.
//! Costs: a sum is linear in the digits, a product and a quotient quadratic, in operations on sets.

use crate::store::{Out, Set, Store};

/// An integer that depends on a valuation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Int {
    digits: Vec<Set>,
}

impl Int {
    /// The same for all valuations.
    pub fn constant(store: &Store, value: i128) -> Int {
        let length = 129 - (value ^ (value >> 127)).leading_zeros();
        let digit = |i: u32| store.constant(value >> i.min(127) & 1 == 1);
        Int { digits: (0..length).map(digit).collect() }
    }

    /// 1 where the set is, 0 elsewhere.
    pub fn truth(store: &Store, set: Set) -> Int {
        Int::code(store, vec![set])
    }

    /// The number that some digits without a sign are.
    pub fn code(store: &Store, digits: Vec<Set>) -> Int {
        let mut digits = digits;
        digits.push(store.none());
        Int { digits }.trimmed()
    }

    /// The value, if it is the same for all valuations.
    pub fn value(&self) -> Option<i128> {
        if self.digits.len() > 127 {
            return None;
        }
        let (sign, rest) = self.digits.split_last()?;
        let start = if sign.constant()? { -1 } else { 0 };
        rest.iter()
            .rev()
            .try_fold(start, |value: i128, digit| Some(value << 1 | i128::from(digit.constant()?)))
    }

    /// All digits, the sign last.
    pub fn digits(&self) -> &[Set] {
        &self.digits
    }

    /// The low digits, without a sign.
    pub fn low(&self, width: u32) -> Vec<Set> {
        (0..width as usize).map(|i| self.digit(i).clone()).collect()
    }

    fn digit(&self, i: usize) -> &Set {
        self.digits.get(i).unwrap_or(self.sign())
    }

    fn sign(&self) -> &Set {
        self.digits.last().expect("there is a sign")
    }

    fn trimmed(mut self) -> Int {
        while let [.., a, b] = &self.digits[..]
            && a == b
        {
            self.digits.pop();
        }
        self
    }

    fn length(&self, other: &Int) -> usize {
        self.digits.len().max(other.digits.len())
    }

    /// Where it is not 0.
    pub fn is_true(&self) -> Out<Set> {
        self.digits[1..].iter().try_fold(self.digits[0].clone(), |set, digit| set.or(digit))
    }

    /// Where it is less than 0.
    pub fn is_negative(&self) -> Set {
        self.sign().clone()
    }

    /// The first where the condition is true, the second elsewhere.
    pub fn choose(condition: &Set, yes: &Int, no: &Int) -> Out<Int> {
        let digit = |i| condition.choose(yes.digit(i), no.digit(i));
        Ok(Int { digits: (0..yes.length(no)).map(digit).collect::<Out<_>>()? }.trimmed())
    }

    pub fn plus(&self, store: &Store, other: &Int) -> Out<Int> {
        self.sum(other, store.none(), false)
    }

    pub fn minus(&self, store: &Store, other: &Int) -> Out<Int> {
        self.sum(other, store.all(), true)
    }

    /// The sum with a carry, of the other's complement if wanted.
    fn sum(&self, other: &Int, mut carry: Set, complement: bool) -> Out<Int> {
        let mut digits = Vec::new();
        for i in 0..=self.length(other) {
            let a = self.digit(i);
            let b = if complement { other.digit(i).not() } else { other.digit(i).clone() };
            let differ = a.xor(&b)?;
            digits.push(differ.xor(&carry)?);
            carry = differ.choose(&carry, a)?;
        }
        Ok(Int { digits }.trimmed())
    }

    pub fn negated(&self, store: &Store) -> Out<Int> {
        Int::constant(store, 0).minus(store, self)
    }

    /// The value without its sign.
    fn magnitude(&self, store: &Store) -> Out<Int> {
        Int::choose(self.sign(), &self.negated(store)?, self)
    }

    pub fn times(&self, store: &Store, other: &Int) -> Out<Int> {
        if let Some(value) = other.value().filter(|_| self.value().is_none()) {
            // A constant on the left skips the digits that are 0.
            return Int::constant(store, value).times(store, self);
        }
        // With as many digits as both together, what is lost above does not matter.
        let length = self.digits.len() + other.digits.len();
        let mut total = Int::constant(store, 0);
        for i in 0..length {
            let digit = self.digit(i);
            if digit.is_empty() {
                continue;
            }
            let shifted = (0..length).map(|j| match j.checked_sub(i) {
                Some(j) => digit.and(other.digit(j)),
                None => Ok(store.none()),
            });
            total = total.plus(store, &Int { digits: shifted.collect::<Out<_>>()? })?.wrapped(length);
        }
        Ok(total)
    }

    /// Modulo a power of two.
    fn wrapped(&self, length: usize) -> Int {
        Int { digits: (0..length).map(|i| self.digit(i).clone()).collect() }.trimmed()
    }

    /// Quotient and remainder, which is never negative. Where the divisor is 0 they mean nothing.
    pub fn divided(&self, store: &Store, other: &Int) -> Out<(Int, Int)> {
        let (dividend, divisor) = (self.magnitude(store)?, other.magnitude(store)?);
        let (quotient, rest) = dividend.long_division(store, &divisor)?;
        // Of a negative dividend the quotient is rounded away from zero, so that the rest is positive.
        let exact = rest.is_true()?.not();
        let one = Int::constant(store, 1);
        let away = Int::choose(&exact, &quotient, &quotient.plus(store, &one)?)?;
        let quotient = Int::choose(self.sign(), &away, &quotient)?;
        let up = self.sign().minus(&exact)?;
        let rest = Int::choose(&up, &divisor.minus(store, &rest)?, &rest)?;
        let opposite = self.sign().xor(other.sign())?;
        Ok((Int::choose(&opposite, &quotient.negated(store)?, &quotient)?, rest))
    }

    /// Of numbers that are not negative, digit by digit from above.
    fn long_division(&self, store: &Store, divisor: &Int) -> Out<(Int, Int)> {
        let mut rest = Int::constant(store, 0);
        let mut quotient = vec![store.none(); self.digits.len()];
        for i in (0..self.digits.len()).rev() {
            let mut digits = vec![self.digits[i].clone()];
            digits.extend(rest.digits.iter().cloned());
            rest = Int { digits }.trimmed();
            let less = rest.minus(store, divisor)?;
            quotient[i] = less.sign().not();
            rest = Int::choose(less.sign(), &rest, &less)?;
        }
        Ok((Int::code(store, quotient), rest))
    }

    /// Where the two are equal.
    pub fn equals(&self, store: &Store, other: &Int) -> Out<Set> {
        (0..self.length(other)).try_fold(store.all(), |set, i| match set.is_empty() {
            true => Ok(set),
            false => set.and(&self.digit(i).iff(other.digit(i))?),
        })
    }

    /// Where it has a value.
    pub fn is(&self, store: &Store, value: i128) -> Out<Set> {
        self.equals(store, &Int::constant(store, value))
    }

    /// Where it is less than the other.
    pub fn less(&self, store: &Store, other: &Int) -> Out<Set> {
        Ok(self.minus(store, other)?.is_negative())
    }

    /// Where it is from `lo` to `hi`.
    pub fn within(&self, store: &Store, lo: i128, hi: i128) -> Out<Set> {
        let below = self.less(store, &Int::constant(store, lo))?;
        let above = Int::constant(store, hi).less(store, self)?;
        Ok(below.or(&above)?.not())
    }

    /// Where it does not fit 64 bits.
    pub fn overflows(&self, store: &Store) -> Out<Set> {
        let above = self.digits.get(63..).unwrap_or_default();
        above.iter().try_fold(store.none(), |set, digit| set.or(&digit.xor(self.sign())?))
    }

    /// The greatest value in a set that is not empty, and where it has it.
    pub fn greatest(&self, among: &Set) -> Out<(Set, i128)> {
        let (sign, rest) = self.digits.split_last().expect("there is a sign");
        let positive = among.minus(sign)?;
        let (mut set, mut value) = if positive.is_empty() { (among.clone(), -1) } else { (positive, 0) };
        for digit in rest.iter().rev() {
            let ones = set.and(digit)?;
            value = value << 1 | i128::from(!ones.is_empty());
            set = if ones.is_empty() { set } else { ones };
        }
        Ok((set, value))
    }

    /// The least and the greatest of two.
    pub fn sorted(store: &Store, a: &Int, b: &Int) -> Out<[Int; 2]> {
        let less = a.less(store, b)?;
        Ok([Int::choose(&less, a, b)?, Int::choose(&less, b, a)?])
    }
}

/// Where one number without a sign is at most another with as many digits.
pub(crate) fn at_most(store: &Store, a: &[Set], b: &[Set]) -> Out<Set> {
    a.iter().zip(b).try_fold(store.all(), |set, (a, b)| a.xor(b)?.choose(b, &set))
}

/// Where two fields of bits are equal.
pub(crate) fn same(store: &Store, a: &[Set], b: &[Set]) -> Out<Set> {
    a.iter().zip(b).try_fold(store.all(), |set, (a, b)| match set.is_empty() {
        true => Ok(set),
        false => set.and(&a.iff(b)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Bit;
    use burnside_limits::Limits;

    /// Two integers of four digits each, as functions of eight variables.
    fn operands() -> (Store, Int, Int) {
        let store = Store::new(&Limits::of_nodes(1 << 20));
        store.add(8).unwrap();
        let digits = |from: u32| (from..from + 4).map(|bit| store.bit(Bit(bit))).collect();
        let (a, b) = (Int { digits: digits(0) }, Int { digits: digits(4) });
        (store, a, b)
    }

    fn at(int: &Int, store: &Store, a: i128, b: i128) -> i128 {
        let bits = (0..8u32).map(|i| (Bit(i), (if i < 4 { a >> i } else { b >> (i - 4) }) & 1 == 1));
        let point = store.point(bits).unwrap();
        let digit = |set: &Set| store.constant(!set.is_apart(&point).unwrap());
        Int { digits: int.digits.iter().map(digit).collect() }.value().unwrap()
    }

    fn check(result: &Int, store: &Store, expected: impl Fn(i128, i128) -> Option<i128>) {
        for a in -8..8 {
            for b in -8..8 {
                if let Some(expected) = expected(a, b) {
                    assert_eq!(at(result, store, a, b), expected, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let (store, a, b) = operands();
        check(&a.plus(&store, &b).unwrap(), &store, |a, b| Some(a + b));
        check(&a.minus(&store, &b).unwrap(), &store, |a, b| Some(a - b));
        check(&a.times(&store, &b).unwrap(), &store, |a, b| Some(a * b));
        for factor in [-7, -1, 0, 1, 3, 100] {
            let constant = Int::constant(&store, factor);
            check(&a.times(&store, &constant).unwrap(), &store, |a, _| Some(a * factor));
        }
        let (quotient, rest) = a.divided(&store, &b).unwrap();
        check(&quotient, &store, |a, b| (b != 0).then(|| a.div_euclid(b)));
        check(&rest, &store, |a, b| (b != 0).then(|| a.rem_euclid(b)));
        let [least, greatest] = Int::sorted(&store, &a, &b).unwrap();
        check(&least, &store, |a, b| Some(a.min(b)));
        check(&greatest, &store, |a, b| Some(a.max(b)));
    }

    #[test]
    fn comparisons() {
        let (store, a, b) = operands();
        let truth = |set: Set| Int::truth(&store, set);
        check(&truth(a.less(&store, &b).unwrap()), &store, |a, b| Some(i128::from(a < b)));
        check(&truth(a.equals(&store, &b).unwrap()), &store, |a, b| Some(i128::from(a == b)));
        check(&truth(a.is(&store, -3).unwrap()), &store, |a, _| Some(i128::from(a == -3)));
        check(&truth(a.within(&store, -2, 5).unwrap()), &store, |a, _| {
            Some(i128::from((-2..=5).contains(&a)))
        });
        check(&truth(a.is_true().unwrap()), &store, |a, _| Some(i128::from(a != 0)));
        let (left, right) = (a.low(4), b.low(4));
        let unsigned = |v: i128| v & 15;
        check(&truth(at_most(&store, &left, &right).unwrap()), &store, |a, b| {
            Some(i128::from(unsigned(a) <= unsigned(b)))
        });
        check(&truth(same(&store, &left, &right).unwrap()), &store, |a, b| Some(i128::from(a == b)));
    }

    #[test]
    fn greatest_values() {
        let (store, a, b) = operands();
        let product = a.times(&store, &b).unwrap();
        let odd = store.bit(Bit(0)).and(&store.bit(Bit(4))).unwrap();
        for (among, expected) in [
            (store.all(), 64),
            (odd.clone(), 49),
            (odd.and(&store.bit(Bit(3))).unwrap().minus(&store.bit(Bit(7))).unwrap(), -1),
        ] {
            let (set, value) = product.greatest(&among).unwrap();
            assert_eq!(value, expected);
            assert_eq!(set, product.is(&store, expected).unwrap().and(&among).unwrap());
        }
    }

    #[test]
    fn constants_and_overflow() {
        let store = Store::new(&Limits::of_nodes(1000));
        let limit = i128::from(i64::MAX);
        for value in [0, 1, -1, 2, -2, 127, -128, limit, -limit - 1, limit + 1, -limit - 2, limit * 4] {
            let int = Int::constant(&store, value);
            assert_eq!(int.value(), Some(value));
            let fits = i64::try_from(value).is_ok();
            assert_eq!(int.overflows(&store).unwrap().constant(), Some(!fits), "{value}");
        }
    }
}
