//! What processes compare before they begin: a number that texts have. It finds mistakes, not malice.

use std::fmt;

/// The number of a text (the hash of Fowler, Noll and Vo with 128 bits: the same on every machine).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// Of some texts in order.
    pub fn of(texts: &[&str]) -> Self {
        let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
        let mut take = |byte: u8| {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        };
        for text in texts {
            text.bytes().for_each(&mut take);
            // No byte of a text, so that its end counts.
            take(0xff);
        }
        Self(hash)
    }

    /// Some of its bits.
    pub(crate) fn low(self) -> u64 {
        self.0 as u64
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_their_ends_count() {
        let all = [
            Fingerprint::of(&[]),
            Fingerprint::of(&[""]),
            Fingerprint::of(&["ab"]),
            Fingerprint::of(&["a", "b"]),
            Fingerprint::of(&["b", "a"]),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|other| one != other), "{i}");
        }
        assert_eq!(Fingerprint::of(&["a", "b"]).to_string().len(), 32);
    }
}
