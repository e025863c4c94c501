//! Some bits of a state, gathered into a number: what a cached result is looked up by.

use super::dependency::StateBits;

/// Consecutive bits of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitRun {
    word: u32,
    shift: u32,
    mask: u64,
    /// Where they go.
    to: u32,
}

/// Which bits are gathered: at most 64.
pub(super) fn runs(bits: &StateBits) -> impl Iterator<Item = BitRun> {
    let mut to = 0;
    bits.words().flat_map(|(word, mask)| runs_of(mask).map(move |run| (word, run))).map(
        move |(word, (shift, width))| {
            let run = BitRun { word, shift, mask: crate::bits::mask(width), to };
            to += width;
            run
        },
    )
}

/// The runs of ones in a word: first bit and length.
fn runs_of(mut mask: u64) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let shift = mask.trailing_zeros();
        let width = (mask >> shift).trailing_ones();
        mask &= !(crate::bits::mask(width) << shift);
        Some((shift, width))
    })
}

/// The bits of a state as a number.
#[inline(always)]
pub(super) fn gather(runs: &[BitRun], state: &[u64]) -> u64 {
    runs.iter().fold(0, |key, run| key | ((state[run.word as usize] >> run.shift) & run.mask) << run.to)
}
