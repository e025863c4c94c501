//! The graph that branching-time formulas are evaluated on: indexed nodes, each with the list of those that
//! its steps lead to.
//!
//! Entry point: [`Graph`]. Targets lie in one list, and a node knows its part of it: 8 bytes per node and 4
//! per edge. It grows on demand ([`Graph::expand`]) or all at once ([`Graph::complete`]). Annotations are not
//! kept: evidence computes them again.

use crate::ahead::Exploration;
use crate::fair::{IndexedNodeId, Meter, Product};
use burnside_limits::{Large, Stop};
use foldhash::HashSet;

/// A graph of indexed nodes.
#[derive(Debug, Default)]
pub(super) struct Graph {
    spans: Vec<(u32, u32)>,
    targets: Vec<u32>,
    /// Nodes that have steps, all of which fault: no run goes on there.
    stuck: HashSet<u32>,
    scratch: Vec<u32>,
}

const NEW: (u32, u32) = (u32::MAX, u32::MAX);

impl Graph {
    /// The targets of a node that was expanded.
    #[inline]
    pub fn targets(&self, node: u32) -> &[u32] {
        let (start, end) = self.spans[node as usize];
        &self.targets[start as usize..end as usize]
    }

    /// Makes sure that the targets of a node are known.
    pub fn expand(&mut self, product: &mut Product<'_>, node: u32) -> Result<(), Stop> {
        if self.spans.get(node as usize).is_some_and(|span| *span != NEW) {
            return Ok(());
        }
        if self.spans.len() <= node as usize {
            self.spans.resize(node as usize + 1, NEW);
        }
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        if product.targets(IndexedNodeId(node), &mut found)? {
            self.stuck.insert(node);
        }
        found.sort_unstable();
        found.dedup();
        let start = self.targets.len();
        self.targets.extend_from_slice(&found);
        let end = u32::try_from(self.targets.len()).map_err(|_| Stop::TooLarge(Large::Depth))?;
        self.spans[node as usize] = (start as u32, end);
        self.scratch = found;
        Ok(())
    }

    /// Expands everything that can be reached from what is known. Returns how many nodes there are.
    pub fn complete(&mut self, product: &mut Product<'_>, meter: &mut Meter<'_>) -> Result<usize, Stop> {
        product.quotient.set_exploration(Exploration::All);
        let mut node = 0;
        while node < product.quotient.len() {
            self.expand(product, node)?;
            node += 1;
            meter.look(
                product,
                u64::from(node),
                u64::from(product.quotient.len() - node),
                self.bytes() as u64,
            )?;
        }
        product.quotient.set_exploration(Exploration::None);
        self.targets.shrink_to_fit();
        Ok(node as usize)
    }

    /// Whether a node has steps, all of which fault.
    pub fn is_stuck(&self, node: u32) -> bool {
        self.stuck.contains(&node)
    }

    /// Whether there is such a node.
    pub fn has_stuck(&self) -> bool {
        !self.stuck.is_empty()
    }

    /// A graph with given targets.
    #[cfg(test)]
    pub fn with_targets(lists: &[Vec<u32>]) -> Self {
        let mut graph = Self::default();
        for list in lists {
            let start = graph.targets.len() as u32;
            graph.targets.extend(list);
            graph.spans.push((start, graph.targets.len() as u32));
        }
        graph
    }

    /// Bytes of nodes and edges.
    pub fn bytes(&self) -> usize {
        self.spans.len() * 8 + self.targets.len() * 4
    }

    /// How many edges are known.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }
}
