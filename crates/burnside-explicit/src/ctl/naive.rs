//! The plainest way to judge an until: sweep over all nodes until nothing changes. Time grows with the square of the nodes.

use super::bitmap::Bitmap;
use super::graph::Graph;
use crate::fair::Halted;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where `left U right` is true: for some path, or for all.
pub(super) fn until(
    graph: &Graph,
    nodes: usize,
    [left, right]: [&Bitmap; 2],
    all: bool,
    interrupt: &AtomicBool,
) -> Result<Bitmap, Halted> {
    let mut labeled = right.clone();
    loop {
        let mut changed = false;
        for node in 0..nodes as u32 {
            if labeled.get(node) || !left.get(node) {
                continue;
            }
            let targets = graph.targets(node);
            let mut labels = targets.iter().map(|&target| labeled.get(target));
            let now = if all {
                !targets.is_empty() && labels.all(|label| label)
            } else {
                labels.any(|label| label)
            };
            if now {
                labeled.set(node, true);
                changed = true;
            }
        }
        if interrupt.load(Ordering::Relaxed) {
            return Err(Halted::Interrupted);
        }
        if !changed {
            return Ok(labeled);
        }
    }
}
