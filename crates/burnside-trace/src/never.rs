//! Regular sequences as automata: position automata in the manner of Glushkov, run as sets of positions.
//!
//! Entry point: [`Regular::new`]. After each state the set of positions says which conditions of the sequence
//! can be the last one matched there; a match may start anywhere, so the first positions are tried at every
//! state.

use burnside_ts::{Expr, Machine, Sequence, Undefined};

/// A set of positions, as bits.
pub type Positions = Vec<u64>;

/// The automaton of a sequence.
#[derive(Clone, Debug)]
pub struct Regular<'s> {
    conditions: Vec<&'s Expr>,
    first: Vec<usize>,
    last: Vec<bool>,
    follow: Vec<Vec<usize>>,
    nullable: bool,
}

struct Fragment {
    nullable: bool,
    first: Vec<usize>,
    last: Vec<usize>,
}

impl<'s> Regular<'s> {
    /// The greatest number of positions after repetitions are written out.
    pub const MAX_POSITIONS: usize = 4096;

    /// Builds the automaton; `None` if it has too many positions.
    pub fn new(sequence: &'s Sequence) -> Option<Self> {
        let mut automaton = Self {
            conditions: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            follow: Vec::new(),
            nullable: false,
        };
        let whole = automaton.part(sequence)?;
        automaton.last = vec![false; automaton.conditions.len()];
        for position in whole.last {
            automaton.last[position] = true;
        }
        automaton.first = whole.first;
        automaton.nullable = whole.nullable;
        Some(automaton)
    }

    /// Words of a set of positions.
    pub fn words(&self) -> usize {
        self.conditions.len().div_ceil(64).max(1)
    }

    /// The conditions, by position.
    pub fn conditions(&self) -> &[&'s Expr] {
        &self.conditions
    }

    /// Whether a match may start at a position.
    pub fn starts(&self, position: usize) -> bool {
        self.first.contains(&position)
    }

    /// Whether a match may end at a position.
    pub fn ends(&self, position: usize) -> bool {
        self.last[position]
    }

    /// The positions that may come after a position.
    pub fn follows(&self, position: usize) -> &[usize] {
        &self.follow[position]
    }

    /// Whether nothing at all matches, so that every run has a match.
    pub fn matches_nothing(&self) -> bool {
        self.nullable
    }

    /// The positions after a state, from those before it.
    pub fn advance(
        &self,
        machine: &mut dyn Machine<'s>,
        before: &[u64],
        state: &[u64],
        after: &mut [u64],
    ) -> Result<(), Undefined> {
        after.fill(0);
        for &position in &self.first {
            self.try_position(machine, position, state, after)?;
        }
        for position in ones(before) {
            for &next in &self.follow[position] {
                self.try_position(machine, next, state, after)?;
            }
        }
        Ok(())
    }

    /// Whether a match ends here.
    pub fn accepts(&self, positions: &[u64]) -> bool {
        self.nullable || ones(positions).any(|position| self.last[position])
    }

    fn try_position(
        &self,
        machine: &mut dyn Machine<'s>,
        position: usize,
        state: &[u64],
        after: &mut [u64],
    ) -> Result<(), Undefined> {
        let (word, bit) = (position / 64, 1 << (position % 64));
        if after[word] & bit == 0 && machine.holds(self.conditions[position], state)? {
            after[word] |= bit;
        }
        Ok(())
    }

    fn part(&mut self, sequence: &'s Sequence) -> Option<Fragment> {
        match sequence {
            Sequence::State(condition) => {
                if self.conditions.len() == Self::MAX_POSITIONS {
                    return None;
                }
                let position = self.conditions.len();
                self.conditions.push(condition);
                self.follow.push(Vec::new());
                Some(Fragment { nullable: false, first: vec![position], last: vec![position] })
            }
            Sequence::Then(parts) => {
                let mut whole = Fragment { nullable: true, first: Vec::new(), last: Vec::new() };
                for part in parts {
                    let part = self.part(part)?;
                    whole = self.then(whole, part);
                }
                Some(whole)
            }
            Sequence::Or(parts) => {
                let mut whole = Fragment { nullable: false, first: Vec::new(), last: Vec::new() };
                for part in parts {
                    let part = self.part(part)?;
                    whole.nullable |= part.nullable;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                }
                Some(whole)
            }
            Sequence::Repeat(body, least, most) => self.repeat(body, *least, *most),
        }
    }

    /// Writes the repetition out: the copies that must be there, then those that may be, or a loop.
    fn repeat(&mut self, body: &'s Sequence, least: u32, most: Option<u32>) -> Option<Fragment> {
        let mut whole = Fragment { nullable: true, first: Vec::new(), last: Vec::new() };
        let copies = most.unwrap_or(least.max(1));
        for copy in 0..copies {
            let mut part = self.part(body)?;
            if most.is_none() && copy + 1 == copies {
                self.link(&part.last, &part.first);
            }
            part.nullable |= copy >= least;
            whole = self.then(whole, part);
        }
        Some(whole)
    }

    fn then(&mut self, left: Fragment, right: Fragment) -> Fragment {
        self.link(&left.last, &right.first);
        let first = if left.nullable { [left.first, right.first].concat() } else { left.first };
        let last = if right.nullable { [left.last, right.last].concat() } else { right.last };
        Fragment { nullable: left.nullable && right.nullable, first, last }
    }

    fn link(&mut self, from: &[usize], to: &[usize]) {
        for &position in from {
            for &next in to {
                if !self.follow[position].contains(&next) {
                    self.follow[position].push(next);
                }
            }
        }
    }
}

fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(i, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i * 64 + bit))
}
