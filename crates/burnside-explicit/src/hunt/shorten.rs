//! Makes a run that a hunt has found shorter: as short as little work can make it.
//!
//! Entry point: [`Pack::shorten`]. A run is first cut where it comes back to a node; then a search that adds
//! the depth of a node to its distance looks for another, shorter run; then breadth-first searches from the
//! nodes of the run, each with few nodes, look for shorter ways to a later node of it or to another end.
//! Each of these leaves a run of the system, so it can stop at any time. Nothing says that the result is
//! shortest, unless it is as short as the breadth-first search beside it says that it must be.

use super::Pack;
use super::chase::Run;
use super::explore::{Order, Rejoin};
use std::collections::HashMap;

/// Nodes of the search for another run.
const NODES: u64 = 1 << 12;
/// Nodes of the searches from the nodes of a run, at first and at last.
const WINDOWS: [u64; 3] = [1 << 6, 1 << 9, 1 << 12];
/// So many places of a run are looked at in a round, at most.
const PLACES: usize = 64;

impl Pack<'_> {
    /// Makes the run of a question shorter with at most so many steps of work. No run has less than `least`
    /// states.
    pub(super) fn shorten(&mut self, question: usize, run: Run, work: u64, least: usize) -> Run {
        let mut run = cut(run);
        self.chase.until = self.chase.steps.saturating_add(work);
        let order = if self.chase.is_guided(question) { Order::Short(question) } else { Order::Breadth };
        while let Some(better) = self.again(question, run.length(), least, order) {
            run = cut(better);
        }
        for window in WINDOWS {
            run = self.round(question, run, window, least);
        }
        self.chase.longest = usize::MAX;
        run
    }

    /// Another run that is shorter.
    fn again(&mut self, question: usize, length: usize, least: usize, order: Order) -> Option<Run> {
        if length <= least || self.chase.steps >= self.chase.until {
            return None;
        }
        self.chase.want(|i| i == question, |_| true);
        self.chase.longest = length - 1;
        self.explore(order, None, NODES, None);
        self.chase.found[question].take()
    }

    /// Looks for shorter ways from many places of the run.
    fn round(&mut self, question: usize, mut run: Run, window: u64, least: usize) -> Run {
        let mut place = 0;
        while place < run.nodes.len() && run.length() > least && self.chase.steps < self.chase.until {
            match self.way(question, &run, place, window) {
                Some(shorter) => run = cut(shorter),
                None => place += (run.nodes.len() / PLACES).max(1),
            }
        }
        run
    }

    /// A shorter way from a place of the run: to its end, or else to a later node.
    fn way(&mut self, question: usize, run: &Run, place: usize, window: u64) -> Option<Run> {
        let from = &run.nodes[place];
        let places =
            run.nodes.iter().cloned().enumerate().map(|(i, node)| (node, i)).collect::<HashMap<_, _>>();
        let mut rejoin = Rejoin { places: &places, from: place, best: None };
        self.chase.want(|i| i == question, |_| true);
        self.chase.longest = (run.length() - place).saturating_sub(1);
        self.explore(Order::Breadth, Some(from), window, Some(&mut rejoin));
        let before = run.nodes[..place].iter().cloned();
        if let Some(rest) = self.chase.found[question].take() {
            return Some(Run { nodes: before.chain(rest.nodes).collect(), end: rest.end });
        }
        let detour = rejoin.best?;
        let after = run.nodes[detour.rejoins..].iter().cloned();
        Some(Run { nodes: before.chain(detour.nodes).chain(after).collect(), end: run.end.clone() })
    }
}

/// The run without what lies between two visits of a node.
fn cut(run: Run) -> Run {
    let mut last: HashMap<&[u64], usize> = HashMap::new();
    for (place, node) in run.nodes.iter().enumerate() {
        last.insert(node, place);
    }
    let (mut nodes, mut place) = (Vec::new(), 0);
    while let Some(node) = run.nodes.get(place) {
        nodes.push(node.clone());
        place = last.get(&**node).map_or(place, |&last| last) + 1;
    }
    Run { nodes, end: run.end }
}
