//! Small changes of right texts, for readers that must answer whatever they get. The same numbers give the
//! same changes.
//!
//! Entry point: [`mutate`]. Without an eye on which code is reached: that is what `fuzz/` is for.

use crate::generate::Rng;

/// What is put into texts: ends of ranges, signs that open and close, and bytes that are no text.
const PIECES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"255",
    b"2147483648",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616",
    b"",
    b" ",
    b"\n",
    b"\0",
    b"\"",
    b"\\",
    b"'",
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b"/>",
    b"&amp;",
    b"&#0;",
    b"<!--",
    b"/*",
    b"//",
    b"\xc3\xa9",
    b"\xe2\x88\xa7",
    b"\xf0\x9f\x98\x80",
    b"\xff",
];

/// One of the seeds, changed in one to four places.
pub fn mutate(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(seeds).clone();
    for _ in 0..1 + rng.below(4) {
        let here = part(&bytes, rng);
        let new: Vec<u8> = match rng.below(8) {
            0 => Vec::new(),
            1 => [&bytes[here.clone()], &bytes[here.clone()]].concat(),
            2 => vec![rng.below(256) as u8],
            3 => bytes[part(&bytes, rng)].to_vec(),
            4 => {
                let other = rng.pick(seeds);
                other[part(other, rng)].to_vec()
            }
            5 => bytes[here.clone()].repeat(1 + rng.below(50)),
            _ => rng.pick(PIECES).to_vec(),
        };
        bytes.splice(here, new);
    }
    bytes
}

/// A word, a line, or a few bytes.
fn part(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let at = rng.below(bytes.len() + 1);
    let is_end: fn(&u8) -> bool = match rng.below(3) {
        0 => |byte| !byte.is_ascii_alphanumeric() && *byte != b'_',
        1 => |byte| *byte == b'\n',
        _ => return at..(at + rng.below(9)).min(bytes.len()),
    };
    let start = bytes[..at].iter().rposition(is_end).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(is_end).map_or(bytes.len(), |after| at + after);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_numbers_give_the_same_changes() {
        let seeds = [b"one two\nthree".to_vec(), b"".to_vec()];
        let all = |seed| {
            let mut rng = Rng::new(seed);
            (0..200).map(|_| mutate(&seeds, &mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
    }
}
