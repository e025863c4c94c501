//! Looking now and then, in loops whose rounds are short.

use crate::poll;

/// Counts rounds and looks at the interrupt every so many of them.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    round: u32,
    every: u32,
}

impl Pace {
    /// Looks every so many rounds.
    pub const fn every(rounds: u32) -> Self {
        Self { round: 0, every: rounds }
    }

    /// A round: see [`poll`].
    #[inline]
    pub fn poll(&mut self) {
        self.round += 1;
        if self.round >= self.every {
            self.round = 0;
            poll();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interrupt, Stop, catch};

    #[test]
    fn looks_are_rare() {
        let interrupt = Interrupt::new();
        interrupt.raise_after(2, Stop::Interrupted);
        let rounds = std::cell::Cell::new(0);
        let stopped = catch(|| {
            interrupt.enter(|| {
                let mut pace = Pace::every(10);
                loop {
                    pace.poll();
                    rounds.set(rounds.get() + 1);
                }
            })
        });
        assert_eq!(stopped, Err(Stop::Interrupted));
        assert_eq!(rounds.get(), 29);
    }
}
