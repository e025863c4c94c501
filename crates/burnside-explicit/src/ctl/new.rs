//! Heljanko's way to judge untils: depth-first searches without predecessors. The default.
//!
//! Entry points: [`all_until`], [`exists_until`]. Both start from two bits per node: *marked* if its value is known, *labeled* if it is true; where `left` fails or
//! `right` holds, it is. Linear time. Beside the graph: the two bitmaps, the stacks, and for [`exists_until`] one number per node.

use super::bitmap::Bitmap;
use super::graph::Graph;

/// Nodes whose value is known at the start.
fn marked(left: &Bitmap, right: &Bitmap) -> Bitmap {
    left.combine(right, |left, right| !left | right)
}

/// Where `A[left U right]` is true. A path of unmarked nodes that ends in a marked unlabeled one, or closes, is a counterexample for all nodes on
/// it: these stay unlabeled. A node that the search leaves has none, and is labeled.
pub(super) fn all_until(graph: &Graph, nodes: usize, left: &Bitmap, right: &Bitmap) -> Bitmap {
    let (mut marked, mut labeled) = (marked(left, right), right.clone());
    // Nodes on the path with the number of the next edge. They are marked, so that closing the path looks like any other failure.
    let mut path: Vec<(u32, u32)> = Vec::new();
    for start in 0..nodes as u32 {
        if marked.get(start) {
            continue;
        }
        marked.set(start, true);
        path.push((start, 0));
        while let Some((node, next)) = path.last_mut() {
            let (node, targets) = (*node, graph.targets(*node));
            let Some(&target) = targets.get(*next as usize) else {
                if targets.is_empty() {
                    path.clear();
                } else {
                    labeled.set(node, true);
                    path.pop();
                }
                continue;
            };
            *next += 1;
            if !marked.get(target) {
                marked.set(target, true);
                path.push((target, 0));
            } else if !labeled.get(target) {
                path.clear();
            }
        }
    }
    labeled
}

/// Where `E[left U right]` is true. Every node on the stack of open components reaches the one that is looked at: if that has a labeled
/// successor, all of them are labeled at once. A component that closes before has no way.
pub(super) fn exists_until(graph: &Graph, nodes: usize, left: &Bitmap, right: &Bitmap) -> Bitmap {
    struct Frame {
        node: u32,
        next: u32,
        low: u32,
    }
    let (mut marked, mut labeled) = (marked(left, right), right.clone());
    let mut numbers: Vec<u32> = vec![0; nodes];
    let mut number = 0;
    let (mut frames, mut stack): (Vec<Frame>, Vec<u32>) = (Vec::new(), Vec::new());
    for start in 0..nodes as u32 {
        if marked.get(start) {
            continue;
        }
        let mut entered = Some(start);
        loop {
            if let Some(node) = entered.take() {
                number += 1;
                numbers[node as usize] = number;
                stack.push(node);
                frames.push(Frame { node, next: 0, low: number });
            }
            let Some(frame) = frames.last_mut() else { break };
            if let Some(&target) = graph.targets(frame.node).get(frame.next as usize) {
                frame.next += 1;
                if labeled.get(target) {
                    for node in stack.drain(..) {
                        labeled.set(node, true);
                        marked.set(node, true);
                    }
                    frames.clear();
                } else if !marked.get(target) {
                    match numbers[target as usize] {
                        0 => entered = Some(target),
                        seen => frame.low = frame.low.min(seen),
                    }
                }
                continue;
            }
            let Frame { node, low, .. } = frames.pop().expect("looked at");
            if low == numbers[node as usize] {
                while let Some(done) = stack.pop() {
                    marked.set(done, true);
                    if done == node {
                        break;
                    }
                }
            } else if let Some(below) = frames.last_mut() {
                below.low = below.low.min(low);
            }
        }
    }
    labeled
}
