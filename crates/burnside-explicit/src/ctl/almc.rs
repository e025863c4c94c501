//! Judging only what is asked for: operations in single nodes, on a graph that grows meanwhile (after Vergauwen and Lewi).
//!
//! Entry point: [`Level::holds_locally`]. Two bits per node and operation: whether the value is known, and the value. The searches are those of [`new`](super::new), except that what
//! they need to know of a node is judged when they come to it. They are not recursive in the graph, only in the formula. A node from which all runs end in faults
//! is on no path. Without fairness.

use super::Judge;
use super::level::Level;
use super::outline::Op;
use crate::fair::{Halted, SpotId};
use foldhash::HashMap;

impl Level<'_> {
    /// Whether an operation is true in a node. Judges as little as possible.
    pub fn holds_locally(&mut self, op: usize, node: u32, judge: &mut Judge<'_>) -> Result<bool, Halted> {
        if self.local[op].0.get(node) {
            return Ok(self.local[op].1.get(node));
        }
        let value = match self.ops[op].clone() {
            Op::True => true,
            Op::Atom(atom) => {
                let letter = self.product.indexed.letter_of(SpotId(node))?;
                self.product.indexed.letter(letter)[atom / 64] >> (atom % 64) & 1 == 1
            }
            Op::Not(inner) => !self.holds_locally(inner, node, judge)?,
            Op::And(a, b) => self.holds_locally(a, node, judge)? && self.holds_locally(b, node, judge)?,
            Op::Or(a, b) => self.holds_locally(a, node, judge)? || self.holds_locally(b, node, judge)?,
            Op::Quantified(sub) => self.quantified(sub, node, judge)?,
            Op::Next(inner) => {
                self.graph.expand(&mut self.product, node)?;
                let mut found = false;
                for i in 0..self.graph.targets(node).len() {
                    let target = self.graph.targets(node)[i];
                    if self.holds_locally(inner, target, judge)? && self.goes_on(target, judge)? {
                        found = true;
                        break;
                    }
                }
                found
            }
            Op::Exists(left, right) => return self.exists_locally(op, [left, right], node, judge),
            Op::All(left, right) => return self.all_locally(op, [left, right], node, judge),
        };
        self.learn(op, node, value);
        Ok(value)
    }

    /// Whether some path goes on from a node: it does not end in faults only.
    pub fn goes_on(&mut self, node: u32, judge: &mut Judge<'_>) -> Result<bool, Halted> {
        Ok(!self.holds_locally(self.ended, node, judge)?)
    }

    fn learn(&mut self, op: usize, node: u32, value: bool) {
        let (known, values) = &mut self.local[op];
        known.set(node, true);
        values.set(node, value);
    }

    /// What is known of an until in a node, after a look at its sides.
    fn look(
        &mut self,
        op: usize,
        [left, right]: [usize; 2],
        node: u32,
        judge: &mut Judge<'_>,
    ) -> Result<Option<bool>, Halted> {
        if self.local[op].0.get(node) {
            return Ok(Some(self.local[op].1.get(node)));
        }
        let value = if self.holds_locally(right, node, judge)? {
            Some(true)
        } else if !self.holds_locally(left, node, judge)? {
            Some(false)
        } else {
            None
        };
        // What ends a path counts only if a path goes on from there: a witness of `E`, a counterexample of `A`.
        let exists = matches!(self.ops[op], Op::Exists(..));
        let value = match value {
            Some(value) if value == exists => Some(exists == self.goes_on(node, judge)?),
            value => value,
        };
        if let Some(value) = value {
            self.learn(op, node, value);
        }
        Ok(value)
    }

    fn all_locally(
        &mut self,
        op: usize,
        sides: [usize; 2],
        start: u32,
        judge: &mut Judge<'_>,
    ) -> Result<bool, Halted> {
        if let Some(value) = self.look(op, sides, start, judge)? {
            return Ok(value);
        }
        // On the path a node counts as false: so closing the path is a failure as any other.
        self.learn(op, start, false);
        let mut path = vec![(start, 0)];
        while let Some(&(node, next)) = path.last() {
            self.graph.expand(&mut self.product, node)?;
            judge.meter.look(&self.product, u64::from(self.product.indexed.spots()), path.len() as u64, 0)?;
            let targets = self.graph.targets(node);
            let Some(&target) = targets.get(next) else {
                if targets.is_empty() && !self.graph.is_stuck(node) {
                    break;
                }
                self.learn(op, node, true);
                path.pop();
                continue;
            };
            path.last_mut().expect("looked at").1 += 1;
            match self.look(op, sides, target, judge)? {
                Some(true) => {}
                Some(false) => break,
                None => {
                    self.learn(op, target, false);
                    path.push((target, 0));
                }
            }
        }
        Ok(self.local[op].1.get(start))
    }

    fn exists_locally(
        &mut self,
        op: usize,
        sides: [usize; 2],
        start: u32,
        judge: &mut Judge<'_>,
    ) -> Result<bool, Halted> {
        struct Frame {
            node: u32,
            next: usize,
            low: usize,
        }
        if let Some(value) = self.look(op, sides, start, judge)? {
            return Ok(value);
        }
        let mut numbers: HashMap<u32, usize> = HashMap::default();
        let (mut frames, mut stack): (Vec<Frame>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut entered = Some(start);
        loop {
            if let Some(node) = entered.take() {
                let number = numbers.len();
                numbers.insert(node, number);
                stack.push(node);
                frames.push(Frame { node, next: 0, low: number });
                self.graph.expand(&mut self.product, node)?;
                let spots = u64::from(self.product.indexed.spots());
                judge.meter.look(&self.product, spots, frames.len() as u64, 0)?;
            }
            let Some(frame) = frames.last_mut() else { break };
            if let Some(&target) = self.graph.targets(frame.node).get(frame.next) {
                frame.next += 1;
                let known = match numbers.get(&target) {
                    Some(&seen) if !self.local[op].0.get(target) => {
                        frame.low = frame.low.min(seen);
                        continue;
                    }
                    _ => self.look(op, sides, target, judge)?,
                };
                match known {
                    Some(true) => {
                        stack.drain(..).for_each(|node| self.learn(op, node, true));
                        break;
                    }
                    Some(false) => {}
                    None => entered = Some(target),
                }
                continue;
            }
            let Frame { node, low, .. } = frames.pop().expect("looked at");
            if low == numbers[&node] {
                while let Some(done) = stack.pop() {
                    self.learn(op, done, false);
                    if done == node {
                        break;
                    }
                }
            } else if let Some(below) = frames.last_mut() {
                below.low = below.low.min(low);
            }
        }
        Ok(self.local[op].1.get(start))
    }
}
