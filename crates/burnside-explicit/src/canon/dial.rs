//! Rings whose members have nothing but bits of their own, in few words: turned by shifts.
//!
//! Entry point: [`Dial::new`]; then [`Dial::least`] for each state, and [`Dial::turn`]. The cells of all
//! members, one after the other, are a number; a turn of the ring is a rotation of its bits. The least of
//! these numbers is found by trying all of them, which for a ring that fits into a word takes a few
//! instructions each: less than to look at the letters of the members one by one.

use super::layout::KeyColumn;
use burnside_ts::bits;

/// How the bits of a ring are read, turned and written.
#[derive(Debug)]
pub(super) struct Dial {
    size: u32,
    arrays: Vec<PackedArray>,
    /// What the state at hand has there.
    values: Vec<u64>,
}

/// The cells of all members in one array: `size * stride` bits, of which some belong to the ring.
#[derive(Clone, Copy, Debug)]
struct PackedArray {
    offset: u32,
    stride: u32,
    /// How many bits there are from the first to the last that belongs to it.
    width: u32,
    mask: u64,
}

impl PackedArray {
    fn new(size: u32, column: KeyColumn) -> Option<Self> {
        let KeyColumn { offset, stride, width } = column;
        let bits = size.checked_mul(stride)?;
        if bits > u64::BITS || width > stride {
            return None;
        }
        let mask = (0..size).fold(0, |mask, i| mask | bits::mask(width) << (i * stride));
        Some(Self { offset, stride, width: bits - stride + width, mask })
    }

    /// With the bits of another column of the same cells.
    fn joined(self, size: u32, column: KeyColumn) -> Option<Self> {
        let distance = column.offset.checked_sub(self.offset)?;
        if column.stride != self.stride || distance + column.width > self.stride {
            return None;
        }
        let other = Self::new(size, column)?;
        let width = self.width.max(distance + other.width);
        Some(Self { width, mask: self.mask | other.mask << distance, ..self })
    }

    /// The value with member `by` in front.
    #[inline]
    fn turned(&self, size: u32, value: u64, by: u32) -> u64 {
        match by {
            0 => value,
            _ => (value >> (by * self.stride) | value << ((size - by) * self.stride)) & self.mask,
        }
    }
}

impl Dial {
    /// For a ring of so many members about whom the columns say everything; none if they do not fit.
    pub fn new(size: u32, columns: impl Iterator<Item = Option<KeyColumn>>) -> Option<Self> {
        let mut columns: Vec<KeyColumn> = columns.collect::<Option<_>>()?;
        columns.sort_by_key(|column| column.offset);
        let mut arrays: Vec<PackedArray> = Vec::new();
        for column in columns {
            match arrays.last_mut().and_then(|array| Some((array.joined(size, column)?, array))) {
                Some((joined, array)) => *array = joined,
                None => arrays.push(PackedArray::new(size, column)?),
            }
        }
        let values = vec![0; arrays.len()];
        (!arrays.is_empty()).then_some(Self { size, arrays, values })
    }

    /// Which member is in front in the least turn of a state (with spare words), and how far it is to the
    /// next such member.
    pub fn least(&mut self, state: &[u64]) -> (u32, u32) {
        for (array, value) in self.arrays.iter().zip(&mut self.values) {
            *value = bits::read(state, array.offset, array.width) & array.mask;
        }
        let (size, array, value) = (self.size, self.arrays[0], self.values[0]);
        let (mut start, mut period, mut least) = (0, size, value);
        for by in 1..size {
            let turned = array.turned(size, value, by);
            if turned > least {
                continue;
            }
            let order = turned.cmp(&least).then_with(|| self.compare_rest(by, start));
            if order.is_lt() {
                (start, period, least) = (by, size, turned);
            } else if order.is_eq() && period == size {
                period = by - start;
            }
        }
        (start, period)
    }

    /// Compares two turns by all arrays but the first.
    fn compare_rest(&self, one: u32, two: u32) -> std::cmp::Ordering {
        let mut rest = self.arrays.iter().zip(&self.values).skip(1);
        let order = |(array, &value): (&PackedArray, &u64)| {
            array.turned(self.size, value, one).cmp(&array.turned(self.size, value, two))
        };
        rest.find_map(|it| Some(order(it)).filter(|order| order.is_ne())).unwrap_or(std::cmp::Ordering::Equal)
    }

    /// Writes what the last state has with a member in front over a copy of it (with spare words).
    pub fn turn(&self, start: u32, to: &mut [u64]) {
        for (array, &value) in self.arrays.iter().zip(&self.values) {
            let others = bits::read(to, array.offset, array.width) & !array.mask;
            let turned = array.turned(self.size, value, start);
            bits::write(to, array.offset, array.width, others | turned);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters of all members, read one by one.
    fn word(size: u32, columns: &[KeyColumn], state: &[u64]) -> Vec<Vec<u64>> {
        let letter = |member: u32| {
            let read = |it: &KeyColumn| bits::read(state, it.offset + member * it.stride, it.width);
            columns.iter().map(read).collect()
        };
        (0..size).map(letter).collect()
    }

    fn rotated(word: &[Vec<u64>], by: u32) -> Vec<Vec<u64>> {
        let (front, back) = word.split_at(by as usize);
        [back, front].concat()
    }

    /// Rings with one array, with cells of two fields and a gap, and with two arrays, over the edge of a
    /// word: the same for all turns of a state, a turn of it, with the right period, and nothing else is
    /// touched.
    #[test]
    fn turns_have_one_least_turn() {
        let column = |offset, stride, width| KeyColumn { offset, stride, width };
        let layouts: &[(u32, &[KeyColumn])] = &[
            (6, &[column(3, 2, 2)]),
            (4, &[column(50, 7, 2), column(53, 7, 1)]),
            (5, &[column(9, 1, 1), column(61, 2, 2)]),
            (1, &[column(4, 3, 3)]),
            (2, &[column(0, 32, 1)]),
        ];
        for &(size, columns) in layouts {
            let mut dial = Dial::new(size, columns.iter().copied().map(Some)).unwrap();
            let _again = burnside_cases::Again;
            let mut random = burnside_limits::Random::new(7);
            for _ in 0..2000 {
                // Few ones, so that turns are often alike.
                let mut state: Vec<u64> = (0..4).map(|_| random.bits() & random.bits()).collect();
                if random.below(3) == 0 {
                    state.fill(if random.below(2) == 0 { 0 } else { u64::MAX });
                }
                let letters = word(size, columns, &state);
                let (start, period) = dial.least(&state);
                let expected = (1..=size).find(|&by| rotated(&letters, by % size) == letters).unwrap();
                assert_eq!(period, expected, "{letters:?}");
                assert!(start < size);
                let mut least = state.clone();
                dial.turn(start, &mut least);
                assert_eq!(word(size, columns, &least), rotated(&letters, start));
                for by in 0..size {
                    let mut other = state.clone();
                    dial.least(&state);
                    dial.turn(by, &mut other);
                    assert_eq!(word(size, columns, &other), rotated(&letters, by));
                    let (start, _) = dial.least(&other);
                    dial.turn(start, &mut other);
                    assert_eq!(other, least, "{letters:?} by {by}");
                }
            }
        }
    }

    #[test]
    fn large_rings_do_not_fit() {
        let column = |stride, width| Some(KeyColumn { offset: 0, stride, width });
        assert!(Dial::new(33, [column(2, 2)].into_iter()).is_none());
        assert!(Dial::new(32, [column(2, 2)].into_iter()).is_some());
        assert!(Dial::new(3, [column(2, 2), None].into_iter()).is_none());
        assert!(Dial::new(3, std::iter::empty()).is_none());
    }
}
