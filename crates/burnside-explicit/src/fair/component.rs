//! A part of the product as an explicit graph, and the search for a part of it that is fair.
//!
//! Entry points: [`Component::of`], [`Component::fair_part`]. A component that starves strongly fair units may have a smaller one in which they are never
//! enabled: the nodes that enable them are removed and what is left falls into components again. In each of these the names of the root
//! are counted anew, along a tree inside it: paths through removed nodes do not count.

use super::Halted;
use super::indexed::SetId;
use super::product::{PairId, Product, Transition};
use super::scc::components;
use super::threads::{Judgement, Naming, Threads};
use burnside_logic::Marks;
use burnside_ts::{Classes, Motion};
use foldhash::HashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// Some pairs and the transitions between them.
pub(crate) struct Component {
    /// The pairs.
    pub pairs: Vec<PairId>,
    /// For each the transitions to others of them.
    pub links: Vec<Vec<Link>>,
    /// For each the sets of units that its steps execute, also steps that leave.
    enabled: Vec<Box<[SetId]>>,
    /// For each which members are alike.
    pub classes: Vec<Option<Arc<Classes>>>,
}

/// A transition inside a component.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub target: usize,
    pub executed: SetId,
    pub successor: u32,
    pub marks: Marks,
    pub motion: Option<Rc<Motion>>,
}

impl Component {
    /// The part of the product that some pairs make.
    pub fn of(product: &mut Product<'_>, pairs: Vec<PairId>) -> Result<Self, Halted> {
        let places: HashMap<PairId, usize> = pairs.iter().enumerate().map(|(i, &pair)| (pair, i)).collect();
        let (mut links, mut enabled, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        let mut transitions: Vec<Transition> = Vec::new();
        let fair = product.indexed.units().is_some();
        for &pair in &pairs {
            transitions.clear();
            product.expand(pair, &mut transitions)?;
            let mut sets: Vec<SetId> = transitions.iter().map(|transition| transition.executed).collect();
            sets.sort_unstable_by_key(|set| set.0);
            sets.dedup();
            enabled.push(sets.into());
            classes.push(if fair { product.classes(pair) } else { None });
            let link = |transition: Transition| {
                let Transition { target, executed, successor, marks, motion } = transition;
                Some(Link { target: *places.get(&target)?, executed, successor, marks, motion })
            };
            links.push(transitions.drain(..).filter_map(link).collect());
        }
        Ok(Self { pairs, links, enabled, classes })
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let motion = |link: &Link| {
            link.motion.as_ref().map_or(0, |motion| motion.images.iter().map(|images| images.len() * 4).sum())
        };
        let links = self.links.iter().flatten();
        links.map(|link| size_of::<Link>() + motion(link)).sum::<usize>() + self.pairs.len() * 64
    }

    /// The units that a node's steps execute, in its own names; each stands for those alike.
    pub fn enabled<'c>(&'c self, product: &'c Product<'_>, node: usize) -> impl Iterator<Item = u32> + 'c {
        self.enabled[node].iter().flat_map(|&set| product.indexed.set(set).iter().copied())
    }

    /// A strongly connected set of nodes, among those given, with all marks and fair to every unit.
    pub fn fair_part(
        &self,
        product: &Product<'_>,
        naming: Option<&Naming<'_>>,
        nodes: Vec<usize>,
    ) -> Option<Vec<usize>> {
        let mut found = None;
        self.each_fair_part(product, naming, nodes, |part| {
            found = Some(part);
            ControlFlow::Break(())
        });
        found
    }

    /// All nodes that are in such a set.
    pub fn fair_parts(&self, product: &Product<'_>, naming: Option<&Naming<'_>>) -> Vec<usize> {
        let mut found = Vec::new();
        self.each_fair_part(product, naming, (0..self.pairs.len()).collect(), |part| {
            found.extend(part);
            ControlFlow::Continue(())
        });
        found
    }

    fn each_fair_part(
        &self,
        product: &Product<'_>,
        naming: Option<&Naming<'_>>,
        nodes: Vec<usize>,
        mut visit: impl FnMut(Vec<usize>) -> ControlFlow<()>,
    ) {
        let mut open = vec![nodes];
        let mut place = vec![usize::MAX; self.pairs.len()];
        while let Some(nodes) = open.pop() {
            nodes.iter().enumerate().for_each(|(i, &node)| place[node] = i);
            let inside = |node: usize, out: &mut Vec<usize>| {
                let targets = self.links[nodes[node]].iter().map(|link| place[link.target]);
                out.extend(targets.filter(|&target| target != usize::MAX));
            };
            let parts = components(nodes.len(), inside);
            nodes.iter().for_each(|&node| place[node] = usize::MAX);
            for part in parts {
                let part: Vec<usize> = part.into_iter().map(|i| nodes[i]).collect();
                part.iter().enumerate().for_each(|(i, &node)| place[node] = i);
                let judged = self.judge(product, naming, &part, &place);
                part.iter().for_each(|&node| place[node] = usize::MAX);
                match judged {
                    Judged::Good => {
                        if visit(part).is_break() {
                            return;
                        }
                    }
                    Judged::Bad => {}
                    Judged::Smaller(rest) => open.push(rest),
                }
            }
        }
    }

    /// Whether it is, strongly connected as it is, accepting and fair to every unit.
    pub fn is_fair(&self, product: &Product<'_>, naming: &Naming<'_>) -> bool {
        let all: Vec<usize> = (0..self.pairs.len()).collect();
        matches!(self.judge(product, Some(naming), &all, &all), Judged::Good)
    }

    fn judge(
        &self,
        product: &Product<'_>,
        naming: Option<&Naming<'_>>,
        part: &[usize],
        place: &[usize],
    ) -> Judged {
        let inner = |node: usize| self.links[node].iter().filter(|link| place[link.target] != usize::MAX);
        let links = part.iter().flat_map(|&node| inner(node));
        let marks = links.clone().fold(Marks(0), |marks, link| marks.union(link.marks));
        if links.count() == 0 || marks != product.all_marks() {
            return Judged::Bad;
        }
        let Some(naming) = naming else { return Judged::Good };
        let motions = self.motions(part, place);
        let threads = self.threads(product, naming, part, place, &motions);
        let starved = match threads.judge(naming) {
            Judgement::Fair => return Judged::Good,
            Judgement::Unfair => return Judged::Bad,
            Judgement::Starved(starved) => starved,
        };
        let enables = |i: usize, node: usize| {
            let motion = motions[i].as_deref();
            let mut enabled = self.enabled(product, node);
            enabled.any(|unit| starved.binary_search(&threads.class(naming.image(motion, unit))).is_ok())
        };
        let rest: Vec<usize> =
            part.iter().enumerate().filter(|&(i, &node)| !enables(i, node)).map(|(_, &node)| node).collect();
        if rest.is_empty() { Judged::Bad } else { Judged::Smaller(rest) }
    }

    /// For each node of a strongly connected part a motion from its names to those of the first, along a tree inside the part.
    pub fn motions(&self, part: &[usize], place: &[usize]) -> Vec<Option<Rc<Motion>>> {
        let mut motions = vec![None; part.len()];
        let mut seen = vec![false; part.len()];
        let mut queue = VecDeque::from([0]);
        seen[0] = true;
        while let Some(i) = queue.pop_front() {
            for link in &self.links[part[i]] {
                let target = place[link.target];
                if target != usize::MAX && !seen[target] {
                    seen[target] = true;
                    motions[target] = times(&motions[i], &link.motion);
                    queue.push_back(target);
                }
            }
        }
        motions
    }

    /// What a strongly connected part does to the units, in the names of its first node.
    pub fn threads(
        &self,
        product: &Product<'_>,
        naming: &Naming<'_>,
        part: &[usize],
        place: &[usize],
        motions: &[Option<Rc<Motion>>],
    ) -> Threads {
        let mut threads = Threads::new(naming);
        for (i, &node) in part.iter().enumerate() {
            let (motion, classes) = (motions[i].as_deref(), self.classes[node].as_deref());
            threads.add_node(naming, motion, classes, self.enabled(product, node));
        }
        for (i, &node) in part.iter().enumerate() {
            for link in self.links[node].iter().filter(|link| place[link.target] != usize::MAX) {
                for &unit in product.indexed.set(link.executed) {
                    threads.execute(naming.image(motions[i].as_deref(), unit));
                }
                let there = times(&motions[i], &link.motion);
                threads.add_cycle(naming, there.as_deref(), motions[place[link.target]].as_deref());
            }
        }
        threads
    }
}

enum Judged {
    Good,
    Bad,
    /// Only without some nodes.
    Smaller(Vec<usize>),
}

/// First the second, then the first. None is the identity.
pub(crate) fn times(first: &Option<Rc<Motion>>, second: &Option<Rc<Motion>>) -> Option<Rc<Motion>> {
    match (first, second) {
        (motion, None) | (None, motion) => motion.clone(),
        (Some(first), Some(second)) => {
            let mut product = first.after(second);
            // One of them may move acceptance sets as well, behind the sorts.
            let sorts = product.images.len();
            product.images.extend_from_slice(&first.images[sorts..]);
            product.images.extend_from_slice(&second.images[sorts..]);
            if product.is_identity() { None } else { Some(Rc::new(product)) }
        }
    }
}
