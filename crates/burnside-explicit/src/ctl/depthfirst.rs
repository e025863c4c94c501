//! Untils by depth-first labelling, without predecessors (Heljanko). The default: `new` on the command line,
//! as in the paper.
//!
//! Entry points: [`all_until`], [`exists_until`]. Both start from two bits per node: *marked* if its value is
//! known, *labeled* if it is true; where `left` fails or `right` holds, it is. What lies behind the last node
//! counts as marked. Linear time. Beside the graph: the two bitmaps, the stacks, and for [`exists_until`] one
//! number per node.

use super::bitmap::Bitmap;
use super::graph::Graph;
use burnside_limits::{Pace, poll};

/// Nodes whose value is known at the start.
fn marked(left: &Bitmap, right: &Bitmap) -> Bitmap {
    left.combine(right, |left, right| !left | right)
}

/// Where `A[left U right]` is true. A path of unmarked nodes that ends in a marked unlabeled one, or closes,
/// is a counterexample for all nodes on it: these stay unlabeled. A node that the search leaves has none, and
/// is labeled.
pub(super) fn all_until(graph: &Graph, left: &Bitmap, right: &Bitmap) -> Bitmap {
    let (mut marked, mut labeled) = (marked(left, right), right.clone());
    // Nodes on the path with the number of the next edge. They are marked, so that closing the path looks
    // like any other failure.
    let mut path: Vec<(u32, u32)> = Vec::new();
    let (mut from, mut pace) = (0, Pace::every(4096));
    while let Some(start) = marked.next_absent(from) {
        from = start;
        marked.insert(start);
        path.push((start, 0));
        while let Some((node, next)) = path.last_mut() {
            pace.poll();
            let (node, targets) = (*node, graph.targets(*node));
            let Some(&target) = targets.get(*next as usize) else {
                if targets.is_empty() {
                    path.clear();
                } else {
                    labeled.insert(node);
                    path.pop();
                }
                continue;
            };
            *next += 1;
            if !marked.get(target) {
                marked.insert(target);
                path.push((target, 0));
            } else if !labeled.get(target) {
                path.clear();
            }
        }
    }
    labeled
}

/// Where `E[left U right]` is true, and the most bytes that the stacks took.
///
/// The search is quick where it finds labeled nodes and slow where it finds none: then it jumps through
/// memory for nothing. A sweep runs through memory in order, and one that labels nothing ends it all. So the
/// search gives up when too much of it was in vain, and goes on after a sweep. That happens a fixed number of
/// times at most, so time stays linear.
pub(super) fn exists_until(graph: &Graph, nodes: usize, left: &Bitmap, right: &Bitmap) -> (Bitmap, usize) {
    exists_patiently(graph, nodes, [left, right], (nodes / 32).max(1024))
}

/// The same, with the number of nodes that may be entered in vain before the search gives up.
fn exists_patiently(
    graph: &Graph,
    nodes: usize,
    [left, right]: [&Bitmap; 2],
    patience: usize,
) -> (Bitmap, usize) {
    let mut search = Fathers {
        graph,
        seen: marked(left, right),
        labeled: right.clone(),
        numbers: vec![NONE; nodes],
        number: 0,
        frames: Vec::new(),
        stack: Vec::new(),
    };
    for round in 0..ROUNDS {
        let done = search.search(patience) || !search.sweep(round % 2 == 0);
        if done {
            return search.finish();
        }
    }
    search.search(usize::MAX);
    search.finish()
}

/// How often the search gives up.
const ROUNDS: usize = 6;

/// The number of a node that is not on the stack.
const NONE: u32 = u32::MAX;

/// A depth-first search for labeled nodes. Every node on the stack of open components reaches the one that is
/// looked at: they are its *fathers*. If that one has a labeled successor, all of them are labeled at once. A
/// component that closes before has no way, and stays unlabeled.
struct Fathers<'g> {
    graph: &'g Graph,
    /// Marked at the start, or entered.
    seen: Bitmap,
    labeled: Bitmap,
    /// Depth-first numbers of the nodes on the stack.
    numbers: Vec<u32>,
    number: u32,
    /// The path to the node that is looked at.
    frames: Vec<FatherFrame>,
    /// The nodes of open components.
    stack: Vec<u32>,
}

/// A node on the path, its next edge, and the least number that it or a node after it leads to.
struct FatherFrame {
    node: u32,
    next: u32,
    low: u32,
}

impl Fathers<'_> {
    /// Searches from all nodes that were not seen. Gives up when so many nodes were entered without being
    /// labeled.
    fn search(&mut self, mut patience: usize) -> bool {
        let mut start = 0;
        while let Some(root) = self.seen.next_absent(start) {
            let mut entered = Some(root);
            while let Some(node) = entered {
                if self.is_next_to_labeled(node) {
                    self.seen.insert(node);
                    self.labeled.insert(node);
                    patience = patience.saturating_add(self.stack.len());
                    self.label();
                    break;
                }
                if patience == 0 {
                    self.give_up();
                    return false;
                }
                patience -= 1;
                self.enter(node);
                entered = self.advance();
            }
            start = root;
        }
        true
    }

    #[inline]
    fn is_next_to_labeled(&self, node: u32) -> bool {
        self.graph.targets(node).iter().any(|&target| self.labeled.get(target))
    }

    /// All numbers that count are read at once: nodes that are entered later have greater ones.
    #[inline]
    fn enter(&mut self, node: u32) {
        poll();
        let numbers = self.graph.targets(node).iter().map(|&target| self.numbers[target as usize]);
        let low = numbers.fold(self.number, u32::min);
        self.seen.insert(node);
        self.numbers[node as usize] = self.number;
        self.number += 1;
        self.stack.push(node);
        self.frames.push(FatherFrame { node, next: 0, low });
    }

    /// The node to enter next. Leaves nodes that have no more edges, until the path is empty.
    #[inline]
    fn advance(&mut self) -> Option<u32> {
        while let Some(frame) = self.frames.last_mut() {
            let rest = &self.graph.targets(frame.node)[frame.next as usize..];
            if let Some(skipped) = rest.iter().position(|&target| !self.seen.get(target)) {
                frame.next += skipped as u32 + 1;
                return Some(rest[skipped]);
            }
            self.leave();
        }
        None
    }

    fn leave(&mut self) {
        poll();
        let Some(FatherFrame { node, low, .. }) = self.frames.pop() else { return };
        if low == self.numbers[node as usize] {
            while let Some(closed) = self.stack.pop() {
                self.numbers[closed as usize] = NONE;
                if closed == node {
                    break;
                }
            }
        } else if let Some(below) = self.frames.last_mut() {
            below.low = below.low.min(low);
        }
    }

    fn label(&mut self) {
        for node in self.stack.drain(..) {
            self.labeled.insert(node);
            self.numbers[node as usize] = NONE;
        }
        self.frames.clear();
    }

    /// Nothing is known of the nodes on the stack.
    fn give_up(&mut self) {
        for node in self.stack.drain(..) {
            self.seen.remove(node);
            self.numbers[node as usize] = NONE;
        }
        self.frames.clear();
        self.number = 0;
    }

    /// Labels nodes with a labeled successor, each looked at once. Returns whether there was one.
    fn sweep(&mut self, backwards: bool) -> bool {
        let mut found = false;
        let mut at = if backwards { self.seen.last_absent() } else { self.seen.next_absent(0) };
        let mut pace = Pace::every(4096);
        while let Some(node) = at {
            pace.poll();
            if self.is_next_to_labeled(node) {
                self.seen.insert(node);
                self.labeled.insert(node);
                found = true;
            }
            at = if backwards { self.seen.previous_absent(node) } else { self.seen.next_absent(node + 1) };
        }
        found
    }

    fn finish(self) -> (Bitmap, usize) {
        let stacks =
            self.stack.capacity() * size_of::<u32>() + self.frames.capacity() * size_of::<FatherFrame>();
        (self.labeled, stacks)
    }
}

#[cfg(test)]
mod tests {
    use super::super::naive;
    use super::*;
    use burnside_limits::Interrupt;

    /// Numbers that look random.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % sides
        }

        fn nodes(&mut self, nodes: usize, of: usize) -> Bitmap {
            let mut bitmap = Bitmap::none(nodes);
            (0..nodes as u32).filter(|_| self.roll(of) == 0).for_each(|node| bitmap.insert(node));
            bitmap
        }

        /// Edges lead near their node, so that components are many and paths are long.
        fn graph(&mut self, nodes: usize) -> Graph {
            let lists: Vec<Vec<u32>> = (0..nodes)
                .map(|node| {
                    let degree = self.roll(4);
                    let near =
                        |dice: &mut Self| (node + dice.roll(7)).saturating_sub(2).min(nodes - 1) as u32;
                    (0..degree).map(|_| near(self)).collect()
                })
                .collect();
            Graph::with_targets(&lists)
        }
    }

    #[test]
    fn untils_are_those_of_sweeps_however_little_patience_there_is() {
        let never = Interrupt::new();
        let mut dice = Dice(7);
        let mut answers = [0; 2];
        for round in 0..3_000 {
            let nodes = 1 + dice.roll(if round % 10 == 0 { 400 } else { 40 });
            let graph = dice.graph(nodes);
            let left_out = dice.nodes(nodes, 12);
            let (left, right) = (left_out.complement(nodes), dice.nodes(nodes, 15));
            let exists = naive::until(&graph, nodes, [&left, &right], false, &never).unwrap();
            for patience in [0, 1, 2, 5, 17, usize::MAX] {
                let (found, _) = exists_patiently(&graph, nodes, [&left, &right], patience);
                assert_eq!(found, exists, "round {round}, patience {patience}");
            }
            let all = naive::until(&graph, nodes, [&left, &right], true, &never).unwrap();
            assert_eq!(all_until(&graph, &left, &right), all, "round {round}");
            answers[0] += exists.iter().count() - right.iter().count();
            answers[1] += all.iter().count() - right.iter().count();
        }
        assert!(answers.iter().all(|&found| found > 1_000), "{answers:?}");
    }
}
