//! Concrete runs along paths of the product: the stem of a lasso.
//!
//! Entry points: [`Stem::to`], [`Stem::extend`]. A path of pairs is lifted by its permutations: the concrete
//! state of a pair is its representative moved by the composition of the permutations up to there, and so is
//! the label of the step.

use super::annotation::{Annotation, compose};
use super::product::{PairId, Product, STUTTER, Transition};
use super::subgraph::Subgraph;
use super::walk::WalkStep;
use burnside_limits::{Stop, poll};
use burnside_trace::{End, Evidence, Step};
use burnside_ts::bits;
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// The run so far. The state that the last step leads to is not yet in it.
#[derive(Clone)]
pub(super) struct ConcreteRun {
    pub states: Vec<Box<[u64]>>,
    pub steps: Vec<Step>,
    /// The labels of pairs that were needed.
    labels: HashMap<PairId, Rc<[Step]>>,
}

impl ConcreteRun {
    /// The state of a pair, moved.
    pub fn concrete(
        &self,
        product: &Product<'_>,
        pair: PairId,
        annotation: &Option<Rc<Annotation>>,
    ) -> Box<[u64]> {
        let state = product.quotient.state(product.node(pair));
        let Some(annotation) = annotation else { return state };
        let padded = [&*state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        product.quotient.action().state(&annotation.permutation, &padded, &mut moved);
        moved.truncate(state.len());
        moved.into()
    }

    /// Adds the state of a pair and one of its steps.
    pub fn push(
        &mut self,
        product: &mut Product<'_>,
        pair: PairId,
        annotation: &Option<Rc<Annotation>>,
        successor: u32,
    ) -> Result<(), Stop> {
        poll();
        let labels = match self.labels.get(&pair) {
            Some(labels) => labels.clone(),
            None => {
                let labels: Rc<[Step]> = product.labels(pair)?.into();
                self.labels.insert(pair, labels.clone());
                labels
            }
        };
        let mut step = labels[successor as usize].clone();
        if let Some(annotation) = annotation {
            let mut args = step.args.clone();
            step.rule =
                product.quotient.action().label(&annotation.permutation, step.rule, &step.args, &mut args);
            step.args = args;
        }
        self.states.push(self.concrete(product, pair, annotation));
        self.steps.push(step);
        Ok(())
    }

    /// Makes the steps of a walk. The result leads from the names at their end to the concrete ones.
    pub fn walk(
        &mut self,
        product: &mut Product<'_>,
        component: &Subgraph,
        steps: &[WalkStep],
        mut annotation: Option<Rc<Annotation>>,
    ) -> Result<Option<Rc<Annotation>>, Stop> {
        poll();
        for WalkStep { node, swap, edge } in steps {
            let edge = &component.edges[*node][*edge];
            annotation = compose(&annotation, swap);
            self.push(product, component.pairs[*node], &annotation, edge.successor)?;
            annotation = compose(&annotation, &product.quotient.annotation_of(edge.annotation));
        }
        Ok(annotation)
    }
}

/// A run to a pair.
#[derive(Clone)]
pub(crate) struct Stem {
    pub pair: PairId,
    /// The pair's names to concrete ones.
    pub annotation: Option<Rc<Annotation>>,
    pub(super) run: ConcreteRun,
}

impl Stem {
    /// Nothing but a pair, with an annotation from its names to concrete ones.
    pub fn at(pair: PairId, annotation: Option<Rc<Annotation>>) -> Self {
        let run = ConcreteRun { states: Vec::new(), steps: Vec::new(), labels: HashMap::default() };
        Self { pair, annotation, run }
    }

    /// A shortest path from one of some pairs to a component.
    pub fn to(
        product: &mut Product<'_>,
        starts: Vec<(PairId, Option<Rc<Annotation>>)>,
        component: &Subgraph,
        seen: &dyn Fn(PairId) -> bool,
    ) -> Result<Self, Stop> {
        let goals: HashSet<PairId> = component.pairs.iter().copied().collect();
        let mut from: HashMap<PairId, Option<(PairId, Transition)>> = HashMap::default();
        let mut queue = VecDeque::new();
        for &(pair, _) in &starts {
            if from.insert(pair, None).is_none() {
                queue.push_back(pair);
            }
        }
        let mut transitions = Vec::new();
        let root = loop {
            let pair = queue.pop_front().expect("the component was reached");
            if goals.contains(&pair) {
                break pair;
            }
            product.expand(pair, &mut transitions)?;
            for transition in transitions.drain(..) {
                let target = transition.target;
                if seen(target) && !from.contains_key(&target) {
                    from.insert(target, Some((pair, transition)));
                    queue.push_back(target);
                }
            }
        };
        let path = path_to(root, &mut from);
        let first = path.first().map_or(root, |(pair, _)| *pair);
        let annotation =
            starts.into_iter().find(|(pair, _)| *pair == first).and_then(|(_, annotation)| annotation);
        let mut stem = Self::at(first, annotation);
        stem.extend(product, path)?;
        Ok(stem)
    }

    /// A path whose pairs are known: the first one is initial, and the first transition to the next is taken.
    /// None if there is no such path: where states are too hard to bring into order, others may find others.
    pub fn along(product: &mut Product<'_>, path: &[PairId]) -> Result<Option<Self>, Stop> {
        let Some(&first) = path.first() else { return Ok(None) };
        let mut stem = Self::at(first, product.start(first));
        let mut transitions = Vec::new();
        for ends in path.windows(2) {
            transitions.clear();
            product.expand(ends[0], &mut transitions)?;
            let step = transitions.iter().find(|transition| transition.target == ends[1]);
            let Some(&step) = step else { return Ok(None) };
            stem.extend(product, vec![(ends[0], step)])?;
        }
        Ok(Some(stem))
    }

    /// A finite run that ends here.
    pub fn finish(mut self, product: &Product<'_>) -> Evidence {
        let last = self.run.concrete(product, self.pair, &self.annotation);
        self.run.states.push(last);
        Evidence { states: self.run.states, steps: self.run.steps, end: End::State }
    }

    /// Goes on by transitions.
    pub fn extend(&mut self, product: &mut Product<'_>, path: Vec<(PairId, Transition)>) -> Result<(), Stop> {
        for (pair, transition) in path {
            // In a deadlock only the automaton moves: such steps are part of the stutter at the end.
            if transition.successor != STUTTER {
                self.run.push(product, pair, &self.annotation, transition.successor)?;
            }
            let annotation = product.quotient.annotation_of(transition.annotation);
            self.annotation = compose(&self.annotation, &annotation);
            self.pair = transition.target;
        }
        Ok(())
    }
}

/// The transitions that lead to a pair, each with its source. They are taken from the map of where each pair
/// was reached from.
pub(super) fn path_to(
    mut pair: PairId,
    from: &mut HashMap<PairId, Option<(PairId, Transition)>>,
) -> Vec<(PairId, Transition)> {
    let mut path = Vec::new();
    while let Some(Some((before, transition))) = from.remove(&pair) {
        path.push((before, transition));
        pair = before;
    }
    path.reverse();
    path
}
