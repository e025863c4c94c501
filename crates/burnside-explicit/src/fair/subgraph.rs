//! A part of the product as an explicit graph, and the search for its fair components.
//!
//! Entry points: [`Subgraph::induced`], [`Subgraph::fair_component`]. A component that starves strongly fair
//! units may have a smaller one in which they are never enabled: the nodes that enable them are removed and
//! what is left falls into components again. In each of these the names of the root are counted anew, along a
//! tree inside it: paths through removed nodes do not count.

use super::annotation::{Annotation, compose};
use super::classes::{FairnessClasses, FairnessVerdict};
use super::indexed::UnitSetId;
use super::product::{PairId, Product, Transition};
use super::scc::components;
use super::units::UnitAction;
use burnside_limits::{Stop, poll};
use burnside_logic::Marks;
use burnside_ts::Classes;
use foldhash::HashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// Some pairs and the transitions between them: not strongly connected in general.
pub(crate) struct Subgraph {
    /// The pairs.
    pub pairs: Vec<PairId>,
    /// For each the transitions to others of them.
    pub edges: Vec<Vec<InnerEdge>>,
    /// For each the sets of units that its steps execute, also steps that leave.
    enabled: Vec<Box<[UnitSetId]>>,
    /// For each which members are alike.
    pub classes: Vec<Option<Arc<Classes>>>,
}

/// A transition between two pairs of a subgraph.
#[derive(Clone, Debug)]
pub(crate) struct InnerEdge {
    pub target: usize,
    pub executed: UnitSetId,
    pub successor: u32,
    pub marks: Marks,
    pub annotation: Option<Rc<Annotation>>,
}

impl Subgraph {
    /// The subgraph of the product that some pairs induce.
    pub fn induced(product: &mut Product<'_>, pairs: Vec<PairId>) -> Result<Self, Stop> {
        let places: HashMap<PairId, usize> = pairs.iter().enumerate().map(|(i, &pair)| (pair, i)).collect();
        let (mut edges, mut enabled, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        let mut transitions: Vec<Transition> = Vec::new();
        let fair = product.quotient.units().is_some();
        for &pair in &pairs {
            transitions.clear();
            product.expand(pair, &mut transitions)?;
            let mut sets: Vec<UnitSetId> = transitions.iter().map(|transition| transition.executed).collect();
            sets.sort_unstable_by_key(|set| set.0);
            sets.dedup();
            enabled.push(sets.into());
            classes.push(if fair { product.classes(pair) } else { None });
            let edge = |transition: Transition| {
                let Transition { target, executed, successor, marks, annotation } = transition;
                Some(InnerEdge { target: *places.get(&target)?, executed, successor, marks, annotation })
            };
            edges.push(transitions.drain(..).filter_map(edge).collect());
        }
        Ok(Self { pairs, edges, enabled, classes })
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let annotation = |edge: &InnerEdge| {
            let images = |annotation: &Rc<Annotation>| {
                annotation.permutation.images.iter().map(Vec::len).sum::<usize>()
            };
            edge.annotation.as_ref().map_or(0, |annotation| images(annotation) * 4)
        };
        let edges = self.edges.iter().flatten();
        edges.map(|edge| size_of::<InnerEdge>() + annotation(edge)).sum::<usize>() + self.pairs.len() * 64
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
        let annotations = self.annotations(component, place);
        let fairness = self.fairness(product, unit_action, component, place, &annotations);
        let starved = match fairness.verdict(unit_action) {
            FairnessVerdict::Fair => return ComponentVerdict::Fair,
            FairnessVerdict::Unfair => return ComponentVerdict::Unfair,
            FairnessVerdict::Starved(starved) => starved,
        };
        let enables = |i: usize, node: usize| {
            let annotation = annotations[i].as_deref();
            let mut enabled = self.enabled(product, node);
            enabled.any(|unit| {
                starved.binary_search(&fairness.class(unit_action.image(annotation, unit))).is_ok()
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
    pub fn annotations(&self, component: &[usize], place: &[usize]) -> Vec<Option<Rc<Annotation>>> {
        let mut annotations = vec![None; component.len()];
        let mut seen = vec![false; component.len()];
        let mut queue = VecDeque::from([0]);
        seen[0] = true;
        while let Some(i) = queue.pop_front() {
            for edge in &self.edges[component[i]] {
                let target = place[edge.target];
                if target != usize::MAX && !seen[target] {
                    seen[target] = true;
                    annotations[target] = compose(&annotations[i], &edge.annotation);
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
        annotations: &[Option<Rc<Annotation>>],
    ) -> FairnessClasses {
        let mut fairness = FairnessClasses::new(unit_action);
        for (i, &node) in component.iter().enumerate() {
            let (annotation, classes) = (annotations[i].as_deref(), self.classes[node].as_deref());
            fairness.add_node(unit_action, annotation, classes, self.enabled(product, node));
        }
        for (i, &node) in component.iter().enumerate() {
            for edge in self.edges[node].iter().filter(|edge| place[edge.target] != usize::MAX) {
                for &unit in product.quotient.unit_set(edge.executed) {
                    fairness.execute(unit_action.image(annotations[i].as_deref(), unit));
                }
                let there = compose(&annotations[i], &edge.annotation);
                fairness.add_cycle(unit_action, there.as_deref(), annotations[place[edge.target]].as_deref());
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
