//! A small generator of pseudo-random numbers with a fixed seed.

pub struct Dice(pub u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Dice {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}
