//! The odometer of choices: which value each `any` takes in this run of a body.

/// The choices made so far, with the number of alternatives of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    made: Vec<(u64, u64)>,
    position: usize,
}

impl Choices {
    /// Forgets everything: the next run takes the first alternative everywhere.
    pub fn restart(&mut self) {
        self.made.clear();
        self.position = 0;
    }

    /// The choice of this run among `size` ≥ 1 alternatives.
    pub fn next(&mut self, size: u64) -> u64 {
        if self.position == self.made.len() {
            self.made.push((0, size));
        }
        self.position += 1;
        self.made[self.position - 1].0
    }

    /// Moves on to the next sequence of choices; false when there is none.
    pub fn advance(&mut self) -> bool {
        self.made.truncate(self.position);
        self.position = 0;
        while let Some((value, size)) = self.made.last_mut() {
            *value += 1;
            if *value < *size {
                return true;
            }
            self.made.pop();
        }
        false
    }
}
