//! A closed walk through a fair accepting component that treats every unit fairly and meets every acceptance
//! set.
//!
//! Entry point: [`LoopWalk`]. Unit after unit is followed to a place where *that* unit is executed or
//! disabled, then every mark is collected, then the walk returns. It returns to the first pair, but only up
//! to a permutation.
//!
//! A step may first swap members that are alike in the state, which changes names but not the state: so the
//! one edge that was kept stands for all that are like it.

use super::annotation::{Annotation, compose};
use super::product::Product;
use super::subgraph::Subgraph;
use super::units::UnitAction;
use burnside_limits::poll;
use burnside_logic::Marks;
use burnside_ts::Permutation;
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A step inside a component, after members that are alike were swapped.
pub(super) struct WalkStep {
    pub node: usize,
    pub swap: Option<Rc<Annotation>>,
    pub edge: usize,
}

/// A closed walk through a component that collects what a fair accepting loop needs.
pub(super) struct LoopWalk<'w, 's> {
    product: &'w Product<'s>,
    unit_action: Option<&'w UnitAction<'s>>,
    component: &'w Subgraph,
    node: usize,
    /// Names of the node to concrete ones.
    annotation: Option<Rc<Annotation>>,
    pub steps: Vec<WalkStep>,
    /// By concrete unit: not yet treated fairly.
    pending: Vec<bool>,
    /// By concrete unit: whether being disabled is enough.
    weak: Vec<bool>,
    marks: Marks,
    /// Of nodes that were looked at, by unit in their names: whether it is enabled, and the unit that stands
    /// for it.
    nodes: HashMap<usize, Rc<NodeUnits>>,
}

struct NodeUnits {
    enabled: Vec<bool>,
    leads: Vec<u32>,
}

/// How a breadth-first search that follows a unit came to a node: the node before and the unit that leads the
/// class there, the unit of this class that was meant, and the edge.
type UnitParent = (usize, u32, u32, usize);

impl<'w, 's> LoopWalk<'w, 's> {
    pub fn new(
        product: &'w Product<'s>,
        unit_action: Option<&'w UnitAction<'s>>,
        component: &'w Subgraph,
        root: usize,
        annotation: Option<Rc<Annotation>>,
    ) -> Self {
        let mut walk = Self {
            product,
            unit_action,
            component,
            node: root,
            annotation,
            steps: Vec::new(),
            pending: Vec::new(),
            weak: Vec::new(),
            marks: Marks(0),
            nodes: HashMap::default(),
        };
        if let Some(unit_action) = unit_action {
            walk.expect_units(unit_action);
            walk.look();
        }
        walk
    }

    /// Every weakly fair unit must be executed or disabled, every strongly fair one that is enabled anywhere
    /// executed.
    fn expect_units(&mut self, unit_action: &UnitAction<'_>) {
        let whole: Vec<usize> = self.whole();
        let annotations = self.component.annotations(self.product, &whole, &self.places(&whole));
        let fairness =
            self.component.fairness(self.product, unit_action, &whole, &self.places(&whole), &annotations);
        let images = unit_action.images(self.annotation.as_deref());
        let first = self.node;
        // The names of the first node of the whole are those of the node where the walk starts.
        debug_assert_eq!(whole[0], first);
        self.pending = vec![false; unit_action.len()];
        self.weak = vec![false; unit_action.len()];
        for unit in 0..unit_action.len() as u32 {
            let concrete = images[unit as usize] as usize;
            self.weak[concrete] = !unit_action.is_strong(unit);
            self.pending[concrete] = self.weak[concrete] || fairness.is_enabled(unit);
        }
    }

    /// All nodes, the present one first.
    fn whole(&self) -> Vec<usize> {
        let mut whole: Vec<usize> = (0..self.component.pairs.len()).collect();
        whole.swap(0, self.node);
        whole
    }

    fn places(&self, nodes: &[usize]) -> Vec<usize> {
        let mut places = vec![0; nodes.len()];
        nodes.iter().enumerate().for_each(|(i, &node)| places[node] = i);
        places
    }

    fn units(&mut self, node: usize) -> Rc<NodeUnits> {
        poll();
        if let Some(units) = self.nodes.get(&node) {
            return units.clone();
        }
        let unit_action = self.unit_action.expect("fairness counts");
        let leads = match &self.component.leads[node] {
            Some(leads) => leads.to_vec(),
            None => (0..unit_action.len() as u32).collect(),
        };
        let mut by_lead = vec![false; leads.len()];
        let enabled = self.component.enabled(self.product, node);
        enabled.for_each(|unit| by_lead[leads[unit as usize] as usize] = true);
        let enabled = leads.iter().enumerate();
        let enabled = enabled.map(|(unit, &lead)| by_lead[lead as usize] || unit_action.is_mark(unit as u32));
        let enabled = enabled.collect();
        let units = Rc::new(NodeUnits { enabled, leads });
        self.nodes.insert(node, units.clone());
        units
    }

    /// Notes who is disabled here.
    fn look(&mut self) {
        poll();
        let Some(unit_action) = self.unit_action else { return };
        let units = self.units(self.node);
        for (unit, concrete) in unit_action.images(self.annotation.as_deref()).into_iter().enumerate() {
            let concrete = concrete as usize;
            self.pending[concrete] &= units.enabled[unit] || !self.weak[concrete];
        }
    }

    fn go(&mut self, swap: Option<Permutation>, at: usize) {
        let swap = swap.map(|swap| Rc::new(Annotation::from(swap)));
        let edge = &self.component.edges[self.node][at];
        self.annotation = compose(&self.annotation, &swap);
        if let Some(unit_action) = self.unit_action {
            for &unit in self.product.quotient.unit_set(edge.executed) {
                self.pending[unit_action.image(self.annotation.as_deref(), unit) as usize] = false;
            }
        }
        self.marks = self.marks.union(edge.marks);
        self.steps.push(WalkStep { node: self.node, swap, edge: at });
        let annotation = self.product.quotient.annotation_of(edge.annotation);
        self.annotation = compose(&self.annotation, &annotation);
        self.node = edge.target;
        self.look();
    }

    /// Goes on until no unit is pending.
    pub fn collect_units(&mut self) {
        let Some(unit_action) = self.unit_action else { return };
        for concrete in 0..self.pending.len() {
            if !self.pending[concrete] {
                continue;
            }
            let back = self.annotation.as_ref().map(|annotation| annotation.inverse());
            let unit = unit_action.image(back.as_ref(), concrete as u32);
            let path = self.follow(unit_action, unit, self.weak[concrete]);
            let mut now = unit;
            for (meant, edge) in path {
                let swap = unit_action.swap(meant, now);
                let annotation = self.component.edges[self.node][edge].annotation;
                let back = self.product.quotient.annotation_of(annotation).map(|it| it.inverse());
                self.go(swap, edge);
                now = unit_action.image(back.as_ref(), meant);
            }
            debug_assert!(!self.pending[concrete]);
        }
    }

    /// A shortest path on which a unit, in the names of the present node, is executed, or disabled if that is
    /// enough: at each node the unit that takes its place among those alike, and the edge.
    fn follow(
        &mut self,
        unit_action: &UnitAction<'_>,
        unit: u32,
        disabled_will_do: bool,
    ) -> Vec<(u32, usize)> {
        let component = self.component;
        let start = (self.node, self.units(self.node).leads[unit as usize]);
        let mut parents: HashMap<(usize, u32), Option<UnitParent>> = HashMap::from_iter([(start, None)]);
        let mut queue = VecDeque::from([start]);
        let (mut at, mut path) = 'found: loop {
            let (node, lead) = queue.pop_front().expect("every unit is treated fairly in the component");
            let units = self.units(node);
            let alike: Vec<u32> =
                (0..units.leads.len() as u32).filter(|&unit| units.leads[unit as usize] == lead).collect();
            for (i, edge) in component.edges[node].iter().enumerate() {
                let executed = self.product.quotient.unit_set(edge.executed);
                if let Some(&meant) = executed.iter().find(|&&unit| units.leads[unit as usize] == lead) {
                    break 'found ((node, lead), vec![(meant, i)]);
                }
                let there = self.units(edge.target);
                let back = self.product.quotient.annotation_of(edge.annotation).map(|it| it.inverse());
                let mut tried = HashSet::default();
                for &meant in &alike {
                    let next = unit_action.image(back.as_ref(), meant);
                    if disabled_will_do && !there.enabled[next as usize] {
                        break 'found ((node, lead), vec![(meant, i)]);
                    }
                    let next = (edge.target, there.leads[next as usize]);
                    if tried.insert(next) && !parents.contains_key(&next) {
                        parents.insert(next, Some((node, lead, meant, i)));
                        queue.push_back(next);
                    }
                }
            }
        };
        while let Some(Some((node, lead, meant, edge))) = parents.get(&at) {
            path.push((*meant, *edge));
            at = (*node, *lead);
        }
        path.reverse();
        path
    }

    /// Goes on until all marks were seen.
    pub fn collect_marks(&mut self) {
        let all = self.product.all_marks();
        while self.marks != all {
            let missing = all.0 & !self.marks.0;
            let path = self.path(|node, _| {
                self.component.edges[node].iter().position(|edge| edge.marks.0 & missing != 0)
            });
            path.into_iter().for_each(|edge| self.go(None, edge));
        }
    }

    /// Goes to a node by at least one step.
    pub fn return_to(&mut self, root: usize) {
        if self.node == root && !self.steps.is_empty() {
            return;
        }
        let path =
            self.path(|node, _| self.component.edges[node].iter().position(|edge| edge.target == root));
        path.into_iter().for_each(|edge| self.go(None, edge));
    }

    /// The edges of a shortest path that ends with an edge that is wanted.
    fn path(&self, wanted: impl Fn(usize, &Self) -> Option<usize>) -> Vec<usize> {
        let mut parents: HashMap<usize, Option<(usize, usize)>> = HashMap::from_iter([(self.node, None)]);
        let mut queue = VecDeque::from([self.node]);
        loop {
            let node = queue.pop_front().expect("the component is strongly connected");
            if let Some(last) = wanted(node, self) {
                let mut path = vec![last];
                let mut at = node;
                while let Some(Some((before, edge))) = parents.get(&at) {
                    path.push(*edge);
                    at = *before;
                }
                path.reverse();
                return path;
            }
            for (i, edge) in self.component.edges[node].iter().enumerate() {
                if let Entry::Vacant(vacant) = parents.entry(edge.target) {
                    vacant.insert(Some((node, i)));
                    queue.push_back(edge.target);
                }
            }
        }
    }
}
