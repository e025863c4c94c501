//! Allots the frame: one word per scalar, whole words for wide values. Functions keep theirs; every rule,
//! property and the initialisation start anew behind them.

use burnside_ts::Slot;
use std::ops::Range;

/// What of the frame is in use.
#[derive(Debug, Default)]
pub(super) struct Frame {
    kept: usize,
    next: usize,
    most: usize,
}

impl Frame {
    /// What was allotted so far is never given away again.
    pub fn keep(&mut self) {
        self.kept = self.next;
    }

    /// Starts anew.
    pub fn restart(&mut self) {
        self.next = self.kept;
    }

    /// Goes back to where it was.
    pub fn back_to(&mut self, position: usize) {
        self.next = position;
    }

    /// The words that functions keep.
    pub fn functions(&self) -> Range<usize> {
        0..self.kept
    }

    /// The next free word.
    pub fn position(&self) -> usize {
        self.next
    }

    /// A word for a scalar.
    pub fn slot(&mut self) -> Slot {
        Slot((self.words(1)) as u32)
    }

    /// Room for a wide value: its first bit.
    pub fn area(&mut self, width: u32) -> u32 {
        (self.words((width as usize).div_ceil(64)) * 64) as u32
    }

    /// Words in all.
    pub fn size(&self) -> usize {
        self.most
    }

    fn words(&mut self, count: usize) -> usize {
        let start = self.next;
        self.next += count;
        self.most = self.most.max(self.next);
        start
    }
}
