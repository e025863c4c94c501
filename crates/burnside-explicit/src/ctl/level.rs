//! Judging an outline on its graph.
//!
//! Entry point: [`Level`]. A level has the graph that tracks the elements of the quantifiers around it, and the truth of each operation in each node: bitmaps, filled for
//! all nodes at once, or as far as they are asked for ([`almc`](super::almc)). Levels of quantifiers inside share the quotient.
//!
//! Where fairness counts, or runs can end in faults, path quantifiers range over fair infinite runs only: a node counts as the end of a path only if such a
//! run goes on from there, and staying somewhere for ever means reaching a fair component inside. These are found by the bookkeeping of linear time.

use super::bitmap::Bitmap;
use super::emc::{self, Predecessors};
use super::graph::Graph;
use super::outline::{Op, Outline, Plan, Sub};
use super::{Algorithm, Judge, naive, new};
use crate::fair::{Component, Halted, Indexed, Naming, PairId, Product, SpotId};
use crate::quotient::Quotient;
use burnside_logic::{Automaton, Cube, Edge, Marks, StateId};
use burnside_ts::{Binder, Units};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// An outline and its graph.
pub(super) struct Level<'s> {
    pub product: Product<'s>,
    pub naming: Option<Naming<'s>>,
    pub graph: Graph,
    pub ops: Vec<Op>,
    pub plan: Plan<'s>,
    pub subs: Vec<(bool, Level<'s>)>,
    /// The operation that says where no run goes on; only for judging locally.
    pub ended: usize,
    /// How many nodes there are, if all are known.
    pub nodes: Option<usize>,
    /// For each operation where it is true, if that is known everywhere.
    pub truth: Vec<Option<Bitmap>>,
    /// For each operation where its value is known, and where it is true: as far as it was asked for.
    pub local: Vec<(Bitmap, Bitmap)>,
    /// Nodes with a fair run, if that restricts paths.
    pub fair: Option<Bitmap>,
    before: Option<Predecessors>,
}

impl<'s> Level<'s> {
    /// With its graph yet to be found.
    pub fn new(
        quotient: &Rc<RefCell<Quotient<'s>>>,
        outline: Outline<'s>,
        tracked: Vec<&'s Binder>,
        judge: &Judge<'_>,
    ) -> Self {
        let system = quotient.borrow().system();
        let units = (judge.fair && !system.fairness.is_empty()).then(|| Units::new(system));
        let Outline { ops, atoms, plan, subs } = outline;
        let deeper = |Sub { binder, forall, outline }: Sub<'s>| {
            let tracked = tracked.iter().copied().chain([binder]).collect();
            (forall, Level::new(quotient, outline, tracked, judge))
        };
        let subs = subs.into_iter().map(deeper).collect();
        let limits = (None, judge.budget.memory);
        let indexed = Indexed::new(quotient.clone(), tracked, atoms, units, true, limits, None);
        let naming = indexed.units().map(|units| Naming::new(Some(units), indexed.action(), 0));
        let mut product = Product::new(indexed, anything(), None);
        product.maximal = judge.maximal;
        let mut ops = ops;
        let operations = ops.len();
        // `A[true U false]` is true only where there is no path.
        ops.extend([Op::True, Op::Not(operations), Op::All(operations, operations + 1)]);
        Self {
            product,
            naming,
            graph: Graph::default(),
            truth: vec![None; operations],
            ended: operations + 2,
            local: vec![(Bitmap::default(), Bitmap::default()); ops.len()],
            ops,
            plan,
            subs,
            nodes: None,
            fair: None,
            before: None,
        }
    }

    /// Whether paths must be fair, or must not end in faults.
    pub fn is_constrained(&self) -> bool {
        self.naming.is_some() || self.graph.has_stuck()
    }

    /// Finds all nodes.
    pub fn complete(&mut self, judge: &mut Judge<'_>) -> Result<usize, Halted> {
        self.product.indexed.initial()?;
        let nodes = self.graph.complete(&mut self.product, &mut judge.meter)?;
        if self.nodes != Some(nodes) {
            // What was judged before does not speak of the new nodes.
            self.truth.fill(None);
            (self.fair, self.before) = (None, None);
        }
        self.nodes = Some(nodes);
        Ok(nodes)
    }

    /// Judges all operations in all nodes.
    pub fn judge_all(&mut self, judge: &mut Judge<'_>) -> Result<(), Halted> {
        self.complete(judge)?;
        if self.is_constrained() && self.fair.is_none() {
            let all = Bitmap::none(self.len()).complement(self.len());
            self.fair = Some(self.always(&all, judge)?);
        }
        self.judge_atoms()?;
        let started = Instant::now();
        for op in 0..self.truth.len() {
            if self.truth[op].is_none() {
                self.truth[op] = Some(self.judge_op(op, judge)?);
            }
        }
        self.before = None;
        judge.count(self, started.elapsed());
        Ok(())
    }

    /// Judges all conditions.
    fn judge_atoms(&mut self) -> Result<(), Halted> {
        let nodes = self.len();
        let atom = |(op, it): (usize, &Op)| match it {
            Op::Atom(atom) => Some((op, *atom, Bitmap::none(nodes))),
            _ => None,
        };
        let mut atoms: Vec<(usize, usize, Bitmap)> = self.ops.iter().enumerate().filter_map(atom).collect();
        for node in 0..nodes as u32 {
            let letter = self.product.indexed.evaluate(SpotId(node))?;
            for (_, atom, bitmap) in &mut atoms {
                bitmap.set(node, letter[*atom / 64] >> (*atom % 64) & 1 == 1);
            }
        }
        for (op, _, bitmap) in atoms {
            self.truth[op] = Some(bitmap);
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.nodes.expect("the graph is complete")
    }

    fn value(&self, op: usize) -> &Bitmap {
        self.truth[op].as_ref().expect("subformulas come first")
    }

    fn judge_op(&mut self, op: usize, judge: &mut Judge<'_>) -> Result<Bitmap, Halted> {
        let nodes = self.len();
        let mut result = Bitmap::none(nodes);
        match self.ops[op].clone() {
            Op::True => result = result.complement(nodes),
            Op::Atom(_) => unreachable!("conditions were judged before"),
            Op::Not(inner) => result = self.value(inner).complement(nodes),
            Op::And(a, b) => result = self.value(a).combine(self.value(b), |a, b| a & b),
            Op::Or(a, b) => result = self.value(a).combine(self.value(b), |a, b| a | b),
            Op::Quantified(sub) => {
                // All that is asked of the deeper level must be known there before it is judged.
                let deeper = &mut self.subs[sub].1.product.indexed;
                for node in 0..nodes as u32 {
                    deeper.extensions(&self.product.indexed, SpotId(node))?;
                }
                for node in 0..nodes as u32 {
                    let value = self.quantified(sub, node, judge)?;
                    result.set(node, value);
                }
            }
            Op::Next(inner) => {
                let inner = self.with_fair(self.value(inner));
                for node in 0..nodes as u32 {
                    result.set(node, self.graph.targets(node).iter().any(|&target| inner.get(target)));
                }
            }
            Op::Exists(left, right) => {
                let mut before = self.before.take();
                let right = self.with_fair(self.value(right));
                result = exists_until(&self.graph, nodes, &mut before, [self.value(left), &right], judge)?;
                self.before = before;
            }
            Op::All(left, right) if !self.is_constrained() => {
                let (left, right) = (self.value(left), self.value(right));
                result = match judge.algorithm {
                    Algorithm::Naive => {
                        naive::until(&self.graph, nodes, [left, right], true, &judge.budget.interrupt)?
                    }
                    _ => new::all_until(&self.graph, left, right),
                };
            }
            Op::All(left, right) => {
                // Not: some fair path on which `right` fails up to where both do, or for ever.
                let not_left = self.value(left).complement(nodes);
                let not_right = self.value(right).complement(nodes);
                let neither = not_left.combine(&not_right, |a, b| a & b);
                let neither = self.with_fair(&neither).into_owned();
                let sides = [&not_right, &neither];
                let ends = exists_until(&self.graph, nodes, &mut self.before, sides, judge)?;
                let stays = self.always(&not_right, judge)?;
                result = ends.combine(&stays, |a, b| a | b).complement(nodes);
            }
        }
        Ok(result)
    }

    fn with_fair<'b>(&self, nodes: &'b Bitmap) -> Cow<'b, Bitmap> {
        match &self.fair {
            None => Cow::Borrowed(nodes),
            Some(fair) => Cow::Owned(nodes.combine(fair, |a, b| a & b)),
        }
    }

    /// Where some fair run stays among some nodes for ever (or, if paths may end, until one ends).
    fn always(&mut self, among: &Bitmap, judge: &mut Judge<'_>) -> Result<Bitmap, Halted> {
        let pairs: Vec<PairId> = among.iter().map(|node| PairId(u64::from(node))).collect();
        let component = Component::of(&mut self.product, pairs)?;
        let mut goal = Bitmap::none(self.len());
        for node in component.fair_parts(&self.product, self.naming.as_ref()) {
            goal.set(component.pairs[node].0 as u32, true);
        }
        if judge.maximal {
            for node in among.iter().filter(|&node| self.graph.targets(node).is_empty()) {
                goal.set(node, !self.graph.is_stuck(node));
            }
        }
        let nodes = self.len();
        exists_until(&self.graph, nodes, &mut self.before, [among, &goal], judge)
    }

    /// Whether a quantifier is true in a node.
    pub fn quantified(&mut self, sub: usize, node: u32, judge: &mut Judge<'_>) -> Result<bool, Halted> {
        let (forall, deeper) = &mut self.subs[sub];
        let forall = *forall;
        for (spot, _) in deeper.product.indexed.extensions(&self.product.indexed, SpotId(node))? {
            if deeper.holds(deeper.plan.op, spot.0, judge)? != forall {
                return Ok(!forall);
            }
        }
        Ok(forall)
    }

    /// Whether operations are judged where they are asked for only.
    pub fn is_local(&self, judge: &Judge<'_>) -> bool {
        let operations = &self.ops[..self.truth.len()];
        let temporal = operations.iter().any(|op| matches!(op, Op::Next(_) | Op::Exists(..) | Op::All(..)));
        !temporal || (judge.algorithm == Algorithm::Almc && self.naming.is_none())
    }

    /// Whether an operation is true in a node.
    pub fn holds(&mut self, op: usize, node: u32, judge: &mut Judge<'_>) -> Result<bool, Halted> {
        if self.truth[op].is_none() || self.nodes.is_none_or(|nodes| node as usize >= nodes) {
            if self.is_local(judge) {
                return self.holds_locally(op, node, judge);
            }
            self.judge_all(judge)?;
        }
        Ok(self.value(op).get(node))
    }
}

/// Where `E[left U right]` is true, whatever is fair.
fn exists_until(
    graph: &Graph,
    nodes: usize,
    before: &mut Option<Predecessors>,
    [left, right]: [&Bitmap; 2],
    judge: &mut Judge<'_>,
) -> Result<Bitmap, Halted> {
    match judge.algorithm {
        Algorithm::Naive => naive::until(graph, nodes, [left, right], false, &judge.budget.interrupt),
        Algorithm::Emc => {
            let before = before.get_or_insert_with(|| Predecessors::of(graph, nodes));
            judge.figures.predecessors = judge.figures.predecessors.max(before.bytes());
            Ok(emc::exists_until(before, left, right))
        }
        Algorithm::New | Algorithm::Almc => {
            judge.figures.numbers = judge.figures.numbers.max(nodes * 4);
            let (result, stacks) = new::exists_until(graph, nodes, left, right);
            judge.figures.stacks = judge.figures.stacks.max(stacks);
            Ok(result)
        }
    }
}

/// The automaton that accepts everything.
fn anything() -> Automaton {
    let edge = Edge { label: Cube::top(0), marks: Marks(0), target: StateId(0) };
    Automaton { atoms: 0, sets: 0, initial: vec![StateId(0)], edges: vec![vec![edge]] }
}
