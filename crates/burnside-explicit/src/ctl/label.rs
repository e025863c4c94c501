//! Labelling: where each subformula is true.
//!
//! Entry point: [`LabelledGraph`]. A labelled graph is the graph that tracks the elements of the quantifiers
//! around it, and the truth of each operation in each node: bitmaps, filled for all nodes at once, or as far
//! as they are asked for ([`almc`](super::almc)). The labelled graphs of quantifiers inside share the
//! quotient.
//!
//! Where fairness counts, or runs can end in faults, path quantifiers range over fair infinite runs only: a
//! node counts as the end of a path only if such a run goes on from there, and staying somewhere for ever
//! means reaching a fair component inside. These are found by the bookkeeping of linear time.

use super::bitmap::Bitmap;
use super::emc::{self, Predecessors};
use super::graph::Graph;
use super::subformulas::{IndexQuantifier, Op, Subformulas, SyntaxTree};
use super::{CtlAlgorithm, LabellingContext, depthfirst, naive};
use crate::fair::{IndexedNodeId, IndexedQuotient, PairId, Product, Subgraph, UnitAction};
use crate::quotient::Quotient;
use burnside_limits::{Pace, Stop, poll};
use burnside_logic::{Automaton, Cube, Edge, Marks, StateId};
use burnside_ts::{Binder, Units};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// Subformulas and the graph that they are evaluated on.
pub(super) struct LabelledGraph<'s> {
    pub product: Product<'s>,
    pub unit_action: Option<UnitAction<'s>>,
    pub graph: Graph,
    pub ops: Vec<Op>,
    pub syntax: SyntaxTree<'s>,
    pub quantifiers: Vec<(bool, LabelledGraph<'s>)>,
    /// The operation that says where no run goes on; only for local evaluation.
    pub ended: usize,
    /// How many nodes there are, if all are known.
    pub nodes: Option<usize>,
    /// For each operation where it is true, if that is known everywhere.
    pub truth: Vec<Option<Bitmap>>,
    /// For each operation where its value is known, and where it is true: as far as it was asked for.
    pub local: Vec<(Bitmap, Bitmap)>,
    /// Nodes with a fair run, if that restricts paths.
    pub fair: Option<Bitmap>,
    predecessors: Option<Predecessors>,
}

impl<'s> LabelledGraph<'s> {
    /// With its graph yet to be found.
    pub fn new(
        quotient: &Rc<RefCell<Quotient<'s>>>,
        subformulas: Subformulas<'s>,
        tracked: Vec<&'s Binder>,
        context: &LabellingContext<'_>,
    ) -> Self {
        let system = quotient.borrow().system();
        let units = (context.fair && !system.fairness.is_empty()).then(|| Units::new(system));
        let Subformulas { ops, atoms, syntax, quantifiers } = subformulas;
        let deeper = |IndexQuantifier { binder, forall, subformulas }: IndexQuantifier<'s>| {
            let tracked = tracked.iter().copied().chain([binder]).collect();
            (forall, LabelledGraph::new(quotient, subformulas, tracked, context))
        };
        let quantifiers = quantifiers.into_iter().map(deeper).collect();
        let memory = context.limits.memory;
        let indexed = IndexedQuotient::new(quotient.clone(), tracked, atoms, units, true, memory, None);
        let unit_action = indexed.units().map(|units| UnitAction::new(Some(units), indexed.action(), 0));
        let mut product = Product::new(indexed, anything(), None);
        product.maximal = context.maximal;
        let mut ops = ops;
        let operations = ops.len();
        // `A[true U false]` is true only where there is no path.
        ops.extend([Op::True, Op::Not(operations), Op::All(operations, operations + 1)]);
        Self {
            product,
            unit_action,
            graph: Graph::default(),
            truth: vec![None; operations],
            ended: operations + 2,
            local: vec![(Bitmap::default(), Bitmap::default()); ops.len()],
            ops,
            syntax,
            quantifiers,
            nodes: None,
            fair: None,
            predecessors: None,
        }
    }

    /// Whether paths must be fair, or must not end in faults.
    pub fn is_constrained(&self) -> bool {
        self.unit_action.is_some() || self.graph.has_stuck()
    }

    /// Finds all nodes.
    pub fn complete(&mut self, context: &mut LabellingContext<'_>) -> Result<usize, Stop> {
        self.product.quotient.initial()?;
        let nodes = self.graph.complete(&mut self.product, &mut context.meter)?;
        if self.nodes != Some(nodes) {
            // The labels so far do not speak of the new nodes.
            self.truth.fill(None);
            (self.fair, self.predecessors) = (None, None);
        }
        self.nodes = Some(nodes);
        Ok(nodes)
    }

    /// Evaluates all operations in all nodes.
    pub fn label_all(&mut self, context: &mut LabellingContext<'_>) -> Result<(), Stop> {
        self.complete(context)?;
        if self.is_constrained() && self.fair.is_none() {
            let all = Bitmap::none(self.len()).complement(self.len());
            // Fairness can always be kept while a run goes on, by serving first who waits longest. So there
            // is a fair run from everywhere, unless runs can end in faults or leave the constraint.
            let fair = if self.graph.has_stuck() { self.exists_globally(&all, context)? } else { all };
            self.fair = Some(fair);
        }
        self.label_atoms()?;
        let started = Instant::now();
        for op in 0..self.truth.len() {
            if self.truth[op].is_none() {
                self.truth[op] = Some(self.label_op(op, context)?);
            }
        }
        self.predecessors = None;
        context.count(self, started.elapsed());
        Ok(())
    }

    /// Evaluates all conditions.
    fn label_atoms(&mut self) -> Result<(), Stop> {
        let nodes = self.len();
        let atom = |(op, it): (usize, &Op)| match it {
            Op::Atom(atom) => Some((op, *atom, Bitmap::none(nodes))),
            _ => None,
        };
        let mut atoms: Vec<(usize, usize, Bitmap)> = self.ops.iter().enumerate().filter_map(atom).collect();
        self.product.quotient.evaluate_all(nodes as u32, |node, letter| {
            for (_, atom, bitmap) in &mut atoms {
                bitmap.set(node, letter[*atom / 64] >> (*atom % 64) & 1 == 1);
            }
        })?;
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

    fn label_op(&mut self, op: usize, context: &mut LabellingContext<'_>) -> Result<Bitmap, Stop> {
        let nodes = self.len();
        let mut result = Bitmap::none(nodes);
        match self.ops[op].clone() {
            Op::True => result = result.complement(nodes),
            Op::Atom(_) => unreachable!("conditions were evaluated before"),
            Op::Not(inner) => result = self.value(inner).complement(nodes),
            Op::And(a, b) => result = self.value(a).combine(self.value(b), |a, b| a & b),
            Op::Or(a, b) => result = self.value(a).combine(self.value(b), |a, b| a | b),
            Op::Quantified(quantifier) => {
                // All that is asked of the deeper graph must be known there before it is labelled.
                let (forall, deeper) = &mut self.quantifiers[quantifier];
                let (forall, mut extended, mut ends) = (*forall, Vec::new(), Vec::with_capacity(nodes));
                for node in 0..nodes as u32 {
                    deeper.product.quotient.extended(
                        &self.product.quotient,
                        IndexedNodeId(node),
                        &mut extended,
                    )?;
                    ends.push(extended.len());
                }
                let mut start = 0;
                for (node, end) in (0..nodes as u32).zip(ends) {
                    poll();
                    let mut value = forall;
                    for inner in &extended[start..end] {
                        if deeper.holds(deeper.syntax.op, inner.0, context)? != forall {
                            value = !forall;
                            break;
                        }
                    }
                    start = end;
                    result.set(node, value);
                }
            }
            Op::Next(inner) => {
                let inner = self.with_fair(self.value(inner));
                let mut pace = Pace::every(4096);
                for node in 0..nodes as u32 {
                    pace.poll();
                    result.set(node, self.graph.targets(node).iter().any(|&target| inner.get(target)));
                }
            }
            Op::Exists(left, right) => {
                let mut predecessors = self.predecessors.take();
                let right = self.with_fair(self.value(right));
                result =
                    exists_until(&self.graph, nodes, &mut predecessors, [self.value(left), &right], context)?;
                self.predecessors = predecessors;
            }
            Op::All(left, right) if !self.is_constrained() => {
                let (left, right) = (self.value(left), self.value(right));
                result = match context.algorithm {
                    CtlAlgorithm::Naive => {
                        naive::until(&self.graph, nodes, [left, right], true, &context.limits.interrupt)?
                    }
                    _ => depthfirst::all_until(&self.graph, left, right),
                };
            }
            Op::All(left, right) => {
                // Not: some fair path on which `right` fails up to where both do, or for ever.
                let not_left = self.value(left).complement(nodes);
                let not_right = self.value(right).complement(nodes);
                let neither = not_left.combine(&not_right, |a, b| a & b);
                let neither = self.with_fair(&neither).into_owned();
                let sides = [&not_right, &neither];
                let ends = exists_until(&self.graph, nodes, &mut self.predecessors, sides, context)?;
                let stays = self.exists_globally(&not_right, context)?;
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
    fn exists_globally(
        &mut self,
        among: &Bitmap,
        context: &mut LabellingContext<'_>,
    ) -> Result<Bitmap, Stop> {
        let pairs: Vec<PairId> = among.iter().map(|node| PairId(u64::from(node))).collect();
        let subgraph = Subgraph::induced(&mut self.product, self.unit_action.as_ref(), pairs)?;
        let mut goal = Bitmap::none(self.len());
        for node in subgraph.fair_nodes(&self.product, self.unit_action.as_ref()) {
            goal.set(subgraph.pairs[node].0 as u32, true);
        }
        if context.maximal {
            for node in among.iter().filter(|&node| self.graph.targets(node).is_empty()) {
                goal.set(node, !self.graph.is_stuck(node));
            }
        }
        let nodes = self.len();
        exists_until(&self.graph, nodes, &mut self.predecessors, [among, &goal], context)
    }

    /// Whether a quantifier is true in a node.
    pub fn quantified(
        &mut self,
        quantifier: usize,
        node: u32,
        context: &mut LabellingContext<'_>,
    ) -> Result<bool, Stop> {
        poll();
        let (forall, deeper) = &mut self.quantifiers[quantifier];
        let forall = *forall;
        for (node, _) in deeper.product.quotient.extensions(&self.product.quotient, IndexedNodeId(node))? {
            if deeper.holds(deeper.syntax.op, node.0, context)? != forall {
                return Ok(!forall);
            }
        }
        Ok(forall)
    }

    /// Whether operations are evaluated only where they are asked for.
    pub fn is_local(&self, context: &LabellingContext<'_>) -> bool {
        let operations = &self.ops[..self.truth.len()];
        let temporal = operations.iter().any(|op| matches!(op, Op::Next(_) | Op::Exists(..) | Op::All(..)));
        !temporal || (context.algorithm == CtlAlgorithm::Almc && self.unit_action.is_none())
    }

    /// Whether an operation is true in a node.
    pub fn holds(&mut self, op: usize, node: u32, context: &mut LabellingContext<'_>) -> Result<bool, Stop> {
        if self.truth[op].is_none() || self.nodes.is_none_or(|nodes| node as usize >= nodes) {
            if self.is_local(context) {
                return self.holds_locally(op, node, context);
            }
            self.label_all(context)?;
        }
        Ok(self.value(op).get(node))
    }
}

/// Where `E[left U right]` is true, whatever is fair.
fn exists_until(
    graph: &Graph,
    nodes: usize,
    predecessors: &mut Option<Predecessors>,
    [left, right]: [&Bitmap; 2],
    context: &mut LabellingContext<'_>,
) -> Result<Bitmap, Stop> {
    match context.algorithm {
        CtlAlgorithm::Naive => naive::until(graph, nodes, [left, right], false, &context.limits.interrupt),
        CtlAlgorithm::Emc => {
            let predecessors = predecessors.get_or_insert_with(|| Predecessors::of(graph, nodes));
            context.figures.predecessors = context.figures.predecessors.max(predecessors.bytes());
            Ok(emc::exists_until(predecessors, left, right))
        }
        CtlAlgorithm::New | CtlAlgorithm::Almc => {
            context.figures.numbers = context.figures.numbers.max(nodes * 4);
            let (result, stacks) = depthfirst::exists_until(graph, nodes, left, right);
            context.figures.stacks = context.figures.stacks.max(stacks);
            Ok(result)
        }
    }
}

/// The automaton that accepts everything.
fn anything() -> Automaton {
    let edge = Edge { label: Cube::top(0), marks: Marks(0), target: StateId(0) };
    Automaton { atoms: 0, sets: 0, initial: vec![StateId(0)], edges: vec![vec![edge]] }
}
