//! The plainest way to evaluate an until: sweep over all nodes until nothing changes. Time grows with the
//! square of the nodes.

use super::bitmap::Bitmap;
use super::graph::Graph;
use burnside_limits::{Interrupt, Pace, Stop};

/// Where `left U right` is true: for some path, or for all.
pub(super) fn until(
    graph: &Graph,
    nodes: usize,
    [left, right]: [&Bitmap; 2],
    all: bool,
    interrupt: &Interrupt,
) -> Result<Bitmap, Stop> {
    let mut labeled = right.clone();
    let mut pace = Pace::every(4096);
    loop {
        let mut changed = false;
        for node in 0..nodes as u32 {
            pace.poll();
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
        if interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        if !changed {
            return Ok(labeled);
        }
    }
}
