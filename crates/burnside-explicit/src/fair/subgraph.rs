//! A part of the product as an explicit graph, and the search for its fair components.
//!
//! Entry points: [`Subgraph::induced`], [`Subgraph::fair_component`]. A component that starves strongly fair
//! units may have a smaller one in which they are never enabled: the nodes that enable them are removed and
//! what is left falls into components again. In each of these the names of the root are counted anew, along a
//! tree inside it: paths through removed nodes do not count.

use super::classes::{FairnessClasses, FairnessVerdict};
use super::indexed::UnitSetId;
use super::interned::AnnotationId;
use super::product::{PairId, Product, Transition};
use super::scc::components;
use super::units::UnitAction;
use burnside_limits::{Stop, poll};
use burnside_logic::Marks;
use foldhash::HashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Some pairs and the transitions between them: not strongly connected in general.
pub(crate) struct Subgraph {
    /// The pairs.
    pub pairs: Vec<PairId>,
    /// For each the transitions to others of them.
    pub edges: Vec<Vec<InnerEdge>>,
    /// For each the sets of units that its steps execute, also steps that leave.
    enabled: Vec<Box<[UnitSetId]>>,
    /// For each, if fairness counts, the units that stand for others (none: each for itself).
    pub leads: Vec<Option<Rc<[u32]>>>,
}

/// A transition between two pairs of a subgraph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerEdge {
    pub target: usize,
    pub executed: UnitSetId,
    pub successor: u32,
    pub marks: Marks,
    pub annotation: AnnotationId,
}

impl Subgraph {
    /// The subgraph of the product that some pairs induce.
    pub fn induced(
        product: &mut Product<'_>,
        unit_action: Option<&UnitAction<'_>>,
        pairs: Vec<PairId>,
    ) -> Result<Self, Stop> {
        let places: HashMap<PairId, usize> = pairs.iter().enumerate().map(|(i, &pair)| (pair, i)).collect();
        let (mut edges, mut enabled, mut leads) = (Vec::new(), Vec::new(), Vec::new());
        let mut transitions: Vec<Transition> = Vec::new();
        for &pair in &pairs {
            transitions.clear();
            product.expand(pair, &mut transitions)?;
            let mut sets: Vec<UnitSetId> = transitions.iter().map(|transition| transition.executed).collect();
            sets.sort_unstable_by_key(|set| set.0);
            sets.dedup();
            enabled.push(sets.into());
            leads.push(unit_action.and_then(|unit_action| product.leads(unit_action, pair)));
            let edge = |transition: Transition| {
                let Transition { target, executed, successor, marks, annotation } = transition;
                Some(InnerEdge { target: *places.get(&target)?, executed, successor, marks, annotation })
            };
            edges.push(transitions.drain(..).filter_map(edge).collect());
        }
        Ok(Self { pairs, edges, enabled, leads })
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.edges.iter().map(Vec::len).sum::<usize>() * size_of::<InnerEdge>() + self.pairs.len() * 64
    }

    /// The units that a node's steps execute, in its own names; each stands for those alike.
    pub fn enabled<'c>(&'c self, product: &'c Product<'_>, node: usize) -> impl Iterator<Item = u32> + 'c {
        self.enabled[node].iter().flat_map(|&set| product.quotient.unit_set(set).iter().copied())
    }

    /// A strongly connected set of nodes, among those given, with all marks and fair to every unit.
    pub fn fair_component(
        &self,
        product: &Product<'_>,
        unit_action: Option<&UnitAction<'_>>,
        nodes: Vec<usize>,
    ) -> Option<Vec<usize>> {
        let mut found = None;
        self.each_fair_component(product, unit_action, nodes, |component| {
            found = Some(component);
            ControlFlow::Break(())
        });
        found
    }

    /// All nodes that are in such a set.
    pub fn fair_nodes(&self, product: &Product<'_>, unit_action: Option<&UnitAction<'_>>) -> Vec<usize> {
        let mut found = Vec::new();
        self.each_fair_component(product, unit_action, (0..self.pairs.len()).collect(), |component| {
            found.extend(component);
            ControlFlow::Continue(())
        });
        found
    }

    fn each_fair_component(
        &self,
        product: &Product<'_>,
        unit_action: Option<&UnitAction<'_>>,
        nodes: Vec<usize>,
        mut visit: impl FnMut(Vec<usize>) -> ControlFlow<()>,
    ) {
        let mut open = vec![nodes];
        let mut place = vec![usize::MAX; self.pairs.len()];
        while let Some(nodes) = open.pop() {
            nodes.iter().enumerate().for_each(|(i, &node)| place[node] = i);
            let inside = |node: usize, out: &mut Vec<usize>| {
                let targets = self.edges[nodes[node]].iter().map(|edge| place[edge.target]);
                out.extend(targets.filter(|&target| target != usize::MAX));
            };
            let found = components(nodes.len(), inside);
            nodes.iter().for_each(|&node| place[node] = usize::MAX);
            for component in found {
                let component: Vec<usize> = component.into_iter().map(|i| nodes[i]).collect();
                component.iter().enumerate().for_each(|(i, &node)| place[node] = i);
                let verdict = self.verdict(product, unit_action, &component, &place);
                component.iter().for_each(|&node| place[node] = usize::MAX);
                match verdict {
                    ComponentVerdict::Fair => {
                        if visit(component).is_break() {
                            return;
                        }
                    }
                    ComponentVerdict::Unfair => {}
                    ComponentVerdict::Restrict(rest) => open.push(rest),
                }
            }
        }
    }

    /// Whether it is, strongly connected as it is, accepting and fair to every unit.
    pub fn is_fair(&self, product: &Product<'_>, unit_action: &UnitAction<'_>) -> bool {
        let all: Vec<usize> = (0..self.pairs.len()).collect();
        matches!(self.verdict(product, Some(unit_action), &all, &all), ComponentVerdict::Fair)
    }

    fn verdict(
        &self,
        product: &Product<'_>,
        unit_action: Option<&UnitAction<'_>>,
        component: &[usize],
        place: &[usize],
    ) -> ComponentVerdict {
        poll();
        let inner = |node: usize| self.edges[node].iter().filter(|edge| place[edge.target] != usize::MAX);
        let edges = component.iter().flat_map(|&node| inner(node));
        let marks = edges.clone().fold(Marks(0), |marks, edge| marks.union(edge.marks));
        if edges.count() == 0 || marks != product.all_marks() {
            return ComponentVerdict::Unfair;
        }
        let Some(unit_action) = unit_action else { return ComponentVerdict::Fair };
        let annotations = self.annotations(product, component, place);
        let fairness = self.fairness(product, unit_action, component, place, &annotations);
        let starved = match fairness.verdict(unit_action) {
            FairnessVerdict::Fair => return ComponentVerdict::Fair,
            FairnessVerdict::Unfair => return ComponentVerdict::Unfair,
            FairnessVerdict::Starved(starved) => starved,
        };
        let enables = |i: usize, node: usize| {
            let images = unit_action.images_of(&product.quotient, annotations[i]);
            let mut enabled = self.enabled(product, node);
            enabled.any(|unit| {
                let image = images.as_ref().map_or(unit, |images| images[unit as usize]);
                starved.binary_search(&fairness.class(image)).is_ok()
            })
        };
        let rest: Vec<usize> = component
            .iter()
            .enumerate()
            .filter(|&(i, &node)| !enables(i, node))
            .map(|(_, &node)| node)
            .collect();
        if rest.is_empty() { ComponentVerdict::Unfair } else { ComponentVerdict::Restrict(rest) }
    }

    /// For each node of a component an annotation from its names to those of the first, along a tree inside
    /// the component.
    pub fn annotations(
        &self,
        product: &Product<'_>,
        component: &[usize],
        place: &[usize],
    ) -> Vec<AnnotationId> {
        let mut annotations = vec![AnnotationId::IDENTITY; component.len()];
        let mut seen = vec![false; component.len()];
        let mut queue = VecDeque::from([0]);
        seen[0] = true;
        while let Some(i) = queue.pop_front() {
            for edge in &self.edges[component[i]] {
                let target = place[edge.target];
                if target != usize::MAX && !seen[target] {
                    seen[target] = true;
                    annotations[target] = product.quotient.compose(annotations[i], edge.annotation);
                    queue.push_back(target);
                }
            }
        }
        annotations
    }

    /// What a component does to the units, in the names of its first node.
    pub fn fairness(
        &self,
        product: &Product<'_>,
        unit_action: &UnitAction<'_>,
        component: &[usize],
        place: &[usize],
        annotations: &[AnnotationId],
    ) -> FairnessClasses {
        let mut fairness = FairnessClasses::new(unit_action);
        let images = |id: AnnotationId| unit_action.images_of(&product.quotient, id);
        for (i, &node) in component.iter().enumerate() {
            let leads = self.leads[node].as_deref();
            let enabled = self.enabled(product, node);
            fairness.add_node(unit_action, images(annotations[i]).as_deref(), leads, enabled);
        }
        for (i, &node) in component.iter().enumerate() {
            let here = images(annotations[i]);
            for edge in self.edges[node].iter().filter(|edge| place[edge.target] != usize::MAX) {
                for &unit in product.quotient.unit_set(edge.executed) {
                    fairness.execute(here.as_ref().map_or(unit, |images| images[unit as usize]));
                }
                let there = product.quotient.compose(annotations[i], edge.annotation);
                let target = annotations[place[edge.target]];
                if there != target {
                    fairness.add_cycle(images(there).as_deref(), images(target).as_deref());
                }
            }
        }
        fairness
    }
}

enum ComponentVerdict {
    Fair,
    Unfair,
    /// Not as a whole, but perhaps a component of what these nodes induce.
    Restrict(Vec<usize>),
}
