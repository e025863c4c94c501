//! The classical way to evaluate `E[left U right]`: backwards from where `right` is true, along predecessors
//! (Clarke, Emerson and Sistla).
//!
//! Entry points: [`Predecessors::of`], [`exists_until`]. Linear time; the predecessors cost as much memory as
//! the graph.

use super::bitmap::Bitmap;
use super::graph::Graph;
use burnside_limits::Pace;

/// The reverse of a graph.
#[derive(Debug)]
pub(super) struct Predecessors {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Predecessors {
    pub fn of(graph: &Graph, nodes: usize) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for node in 0..nodes as u32 {
            graph.targets(node).iter().for_each(|&target| starts[target as usize + 1] += 1);
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; graph.edges()];
        let mut pace = Pace::every(4096);
        for node in 0..nodes as u32 {
            pace.poll();
            for &target in graph.targets(node) {
                sources[next[target as usize] as usize] = node;
                next[target as usize] += 1;
            }
        }
        Self { starts, sources }
    }

    fn sources(&self, node: u32) -> &[u32] {
        &self.sources[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        (self.starts.len() + self.sources.len()) * 4
    }
}

/// Where `E[left U right]` is true.
pub(super) fn exists_until(predecessors: &Predecessors, left: &Bitmap, right: &Bitmap) -> Bitmap {
    let mut labeled = right.clone();
    let mut open: Vec<u32> = right.iter().collect();
    let mut pace = Pace::every(4096);
    while let Some(node) = open.pop() {
        pace.poll();
        for &source in predecessors.sources(node) {
            if left.get(source) && !labeled.get(source) {
                labeled.set(source, true);
                open.push(source);
            }
        }
    }
    labeled
}
