//! Enumeration of all elements of a group.
//!
//! [`Elements`] counts through the transversals of a stabiliser chain like an odometer and keeps the products
//! of each prefix, so most steps cost one composition, O(n). The identity comes first; the order is otherwise
//! arbitrary, but always the same. For groups that are small enough to be walked through.

use crate::Perm;
use crate::chain::Chain;
use burnside_limits::poll;
use std::sync::Arc;

/// All elements of a group, each once.
#[derive(Clone, Debug)]
pub struct Elements {
    chain: Arc<Chain>,
    /// For each level, which representative is taken.
    digits: Vec<usize>,
    /// `products[d]` is the product of the representatives of the first `d` levels.
    products: Vec<Perm>,
    done: bool,
}

impl Elements {
    pub(crate) fn new(chain: Arc<Chain>) -> Elements {
        let levels = chain.levels().len();
        let products = vec![Perm::identity(chain.degree()); levels + 1];
        Elements { chain, digits: vec![0; levels], products, done: false }
    }

    /// Turns the odometer by one.
    fn advance(&mut self) {
        let levels = self.chain.levels();
        let more = |&at: &usize| self.digits[at] + 1 < levels[at].orbit.len();
        let Some(turn) = (0..levels.len()).rev().find(more) else {
            self.done = true;
            return;
        };
        self.digits[turn] += 1;
        self.digits[turn + 1..].fill(0);
        let (known, new) = self.products.split_at_mut(turn + 1);
        levels[turn].step_into(&known[turn], self.digits[turn], &mut new[0]);
        for at in 1..new.len() {
            new[at] = new[0].clone();
        }
    }
}

impl Iterator for Elements {
    type Item = Perm;

    fn next(&mut self) -> Option<Perm> {
        poll();
        if self.done {
            return None;
        }
        let element = self.products.last().cloned();
        self.advance();
        element
    }
}
