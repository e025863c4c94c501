//! Fields of bits in slices of words. A field may straddle two words.
//!
//! Invariant asked of callers: the slice has [`SPARE`] more words than its fields need, so that reading two
//! words at any field (even an empty one at the very end) is in bounds. All functions are branch-poor and
//! allocate nothing.

/// How many words a slice must have beyond its fields.
pub const SPARE: usize = 2;

/// The low `width` bits set (`width` ≤ 64).
#[inline(always)]
pub fn mask(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

/// Reads `width` ≤ 64 bits that start at bit `offset`.
#[inline(always)]
pub fn read(words: &[u64], offset: u32, width: u32) -> u64 {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let low = words[word] >> shift;
    let high = (words[word + 1] << 1) << (63 - shift);
    (low | high) & mask(width)
}

/// Writes the low `width` ≤ 64 bits of `value` at bit `offset`.
#[inline(always)]
pub fn write(words: &mut [u64], offset: u32, width: u32, value: u64) {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let mask = mask(width);
    let value = value & mask;
    words[word] = (words[word] & !(mask << shift)) | (value << shift);
    let (mask, value) = ((mask >> 1) >> (63 - shift), (value >> 1) >> (63 - shift));
    words[word + 1] = (words[word + 1] & !mask) | value;
}

/// The chunks of at most 64 bits of a field of any width: (distance from its start, width).
pub fn chunks(width: u32) -> impl DoubleEndedIterator<Item = (u32, u32)> {
    (0..width.div_ceil(64)).map(move |i| (i * 64, (width - i * 64).min(64)))
}

/// Copies a field of any width from one slice to another.
pub fn copy(to: &mut [u64], to_offset: u32, from: &[u64], from_offset: u32, width: u32) {
    for (at, n) in chunks(width) {
        write(to, to_offset + at, n, read(from, from_offset + at, n));
    }
}

/// Copies a field of any width within a slice. The two must not overlap unless they are the same.
pub fn copy_within(words: &mut [u64], to: u32, from: u32, width: u32) {
    for (at, n) in chunks(width) {
        let value = read(words, from + at, n);
        write(words, to + at, n, value);
    }
}

/// Sets a field of any width to zero.
pub fn clear(words: &mut [u64], offset: u32, width: u32) {
    for (at, n) in chunks(width) {
        write(words, offset + at, n, 0);
    }
}

/// Compares two fields of any width as numbers (the last chunk is the most significant).
pub fn compare(a: &[u64], a_offset: u32, b: &[u64], b_offset: u32, width: u32) -> std::cmp::Ordering {
    for (at, n) in chunks(width).rev() {
        let order = read(a, a_offset + at, n).cmp(&read(b, b_offset + at, n));
        if order.is_ne() {
            return order;
        }
    }
    std::cmp::Ordering::Equal
}

/// Number of ones in a field of any width.
pub fn count_ones(words: &[u64], offset: u32, width: u32) -> u32 {
    chunks(width).map(|(at, n)| read(words, offset + at, n).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every offset and width over a pattern of three words, against a bit-by-bit reading.
    #[test]
    fn read_and_write_agree_with_single_bits() {
        let words = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x5a5a_a5a5_0ff0_f00f, 0, 0];
        let bit = |w: &[u64], i: u32| (w[(i / 64) as usize] >> (i % 64)) & 1;
        for width in 0..=64u32 {
            for offset in 0..=(192 - width) {
                let expected = (0..width).fold(0, |n, i| n | (bit(&words, offset + i) << i));
                assert_eq!(read(&words, offset, width), expected);
                let mut changed = words;
                write(&mut changed, offset, width, !expected);
                for i in 0..192 {
                    let inside = i >= offset && i < offset + width;
                    assert_eq!(
                        bit(&changed, i) != bit(&words, i),
                        inside,
                        "width {width} offset {offset} bit {i}"
                    );
                }
            }
        }
    }

    #[test]
    fn wide_fields() {
        let mut words = [0u64; 8];
        let source = [u64::MAX, 0x1234, u64::MAX, 7, 0];
        copy(&mut words, 13, &source, 3, 200);
        assert!(compare(&words, 13, &source, 3, 200).is_eq());
        assert_eq!(count_ones(&words, 0, 400), count_ones(&source, 3, 200));
        copy_within(&mut words, 250, 13, 200);
        assert!(compare(&words, 250, &source, 3, 200).is_eq());
        clear(&mut words, 13, 200);
        assert_eq!(count_ones(&words, 0, 250), 0);
        assert!(compare(&words, 13, &source, 3, 200).is_lt());
    }
}
