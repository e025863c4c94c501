//! Local evaluation: operations in single nodes that are asked for, on a graph that grows meanwhile (after
//! Vergauwen and Lewi).
//!
//! Entry point: [`LabelledGraph::holds_locally`]. Two bits per node and operation: whether the value is
//! known, and the value. The searches are those of [`depthfirst`](super::depthfirst), except that what they
//! need to know of a node is evaluated when they come to it. They are not recursive in the graph, only in the
//! formula. A node from which all runs end in faults is on no path. Without fairness.

use super::LabellingContext;
use super::label::LabelledGraph;
use super::subformulas::Op;
use crate::fair::IndexedNodeId;
use burnside_limits::{Stop, poll};
use foldhash::HashMap;

impl LabelledGraph<'_> {
    /// Whether an operation is true in a node. Evaluates as little as possible.
    pub fn holds_locally(
        &mut self,
        op: usize,
        node: u32,
        context: &mut LabellingContext<'_>,
    ) -> Result<bool, Stop> {
        if self.local[op].0.get(node) {
            return Ok(self.local[op].1.get(node));
        }
        let value = match self.ops[op].clone() {
            Op::True => true,
            Op::Atom(atom) => {
                let letter = self.product.quotient.letter_of(IndexedNodeId(node))?;
                self.product.quotient.letter(letter)[atom / 64] >> (atom % 64) & 1 == 1
            }
            Op::Not(inner) => !self.holds_locally(inner, node, context)?,
            Op::And(a, b) => self.holds_locally(a, node, context)? && self.holds_locally(b, node, context)?,
            Op::Or(a, b) => self.holds_locally(a, node, context)? || self.holds_locally(b, node, context)?,
            Op::Quantified(quantifier) => self.quantified(quantifier, node, context)?,
            Op::Next(inner) => {
                self.graph.expand(&mut self.product, node)?;
                let mut found = false;
                for i in 0..self.graph.targets(node).len() {
                    let target = self.graph.targets(node)[i];
                    if self.holds_locally(inner, target, context)? && self.goes_on(target, context)? {
                        found = true;
                        break;
                    }
                }
                found
            }
            Op::Exists(left, right) => return self.exists_locally(op, [left, right], node, context),
            Op::All(left, right) => return self.all_locally(op, [left, right], node, context),
        };
        self.learn(op, node, value);
        Ok(value)
    }

    /// Whether some path goes on from a node: it does not end in faults only.
    pub fn goes_on(&mut self, node: u32, context: &mut LabellingContext<'_>) -> Result<bool, Stop> {
        Ok(!self.holds_locally(self.ended, node, context)?)
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
        context: &mut LabellingContext<'_>,
    ) -> Result<Option<bool>, Stop> {
        if self.local[op].0.get(node) {
            return Ok(Some(self.local[op].1.get(node)));
        }
        let value = if self.holds_locally(right, node, context)? {
            Some(true)
        } else if !self.holds_locally(left, node, context)? {
            Some(false)
        } else {
            None
        };
        // What ends a path counts only if a path goes on from there: a witness of `E`, a counterexample of
        // `A`.
        let exists = matches!(self.ops[op], Op::Exists(..));
        let value = match value {
            Some(value) if value == exists => Some(exists == self.goes_on(node, context)?),
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
        context: &mut LabellingContext<'_>,
    ) -> Result<bool, Stop> {
        if let Some(value) = self.look(op, sides, start, context)? {
            return Ok(value);
        }
        // On the path a node counts as false: so closing the path is a failure as any other.
        self.learn(op, start, false);
        let mut path = vec![(start, 0)];
        while let Some(&(node, next)) = path.last() {
            poll();
            self.graph.expand(&mut self.product, node)?;
            context.meter.look(
                &self.product,
                u64::from(self.product.quotient.len()),
                path.len() as u64,
                0,
            )?;
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
            match self.look(op, sides, target, context)? {
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
        context: &mut LabellingContext<'_>,
    ) -> Result<bool, Stop> {
        struct LocalFrame {
            node: u32,
            next: usize,
            low: usize,
        }
        if let Some(value) = self.look(op, sides, start, context)? {
            return Ok(value);
        }
        let mut numbers: HashMap<u32, usize> = HashMap::default();
        let (mut frames, mut stack): (Vec<LocalFrame>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut entered = Some(start);
        loop {
            poll();
            if let Some(node) = entered.take() {
                let number = numbers.len();
                numbers.insert(node, number);
                stack.push(node);
                frames.push(LocalFrame { node, next: 0, low: number });
                self.graph.expand(&mut self.product, node)?;
                let nodes = u64::from(self.product.quotient.len());
                context.meter.look(&self.product, nodes, frames.len() as u64, 0)?;
            }
            let Some(frame) = frames.last_mut() else { break };
            if let Some(&target) = self.graph.targets(frame.node).get(frame.next) {
                frame.next += 1;
                let known = match numbers.get(&target) {
                    Some(&seen) if !self.local[op].0.get(target) => {
                        frame.low = frame.low.min(seen);
                        continue;
                    }
                    _ => self.look(op, sides, target, context)?,
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
            let LocalFrame { node, low, .. } = frames.pop().expect("looked at");
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
