//! Nodes as words that mean the same in every indexed quotient for the same question.
//!
//! Entry points: [`IndexedQuotient::export`], [`IndexedQuotient::import`], and [`IndexedQuotient::forget`]
//! for one whose nodes are kept elsewhere. The words are those of the representative and of what is
//! tracked.

use super::{IndexedNodeId, IndexedQuotient, Touched};
use burnside_limits::Stop;

impl IndexedQuotient<'_> {
    /// How many words a node is.
    pub fn width(&self) -> usize {
        self.system.words() + self.nodes.width()
    }

    /// Appends the words of a node.
    pub fn export(&self, node: IndexedNodeId, out: &mut Vec<u64>) {
        out.extend_from_slice(&self.quotient.borrow().state(self.orbit(node)));
        self.nodes.export(node, out);
    }

    /// The node with such words.
    pub fn import(&mut self, words: &[u64]) -> Result<IndexedNodeId, Stop> {
        let (state, tracked) = words.split_at(self.system.words());
        let orbit = self.quotient.borrow_mut().import(state)?;
        self.nodes.import(orbit, tracked)
    }

    /// Forgets all nodes and orbits if there are more than so many. Sets of units, letters and annotations
    /// keep their numbers.
    pub fn forget(&mut self, most: u32) {
        let quotient = &mut *self.quotient.borrow_mut();
        if quotient.len() > most || self.nodes.len().is_some_and(|nodes| nodes > most) {
            quotient.forget();
            self.nodes.forget();
            self.letters.forget();
            self.stabilisers.clear();
            self.touched = Touched::default();
        }
    }
}
