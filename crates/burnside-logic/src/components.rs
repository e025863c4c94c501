//! Strongly connected components of a graph, by Tarjan's algorithm without recursion.
//!
//! Entry point: [`Components::of`]. Components are numbered so that edges never lead to a greater number.
//! Only what can be reached from the roots has a component.

use burnside_limits::poll;

/// The component of a node that cannot be reached.
pub const NOWHERE: u32 = u32::MAX;

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

struct Frame {
    node: usize,
    next: usize,
}

impl Components {
    /// The components of the nodes `0..count` that can be reached from the roots.
    /// `successor(node, i)` is the `i`-th successor of a node, if it has so many.
    pub fn of(
        count: usize,
        roots: impl IntoIterator<Item = usize>,
        successor: impl Fn(usize, usize) -> Option<usize>,
    ) -> Self {
        let mut search =
            Search { low: vec![0; count], of: vec![NOWHERE; count], stack: Vec::new(), seen: 0, count: 0 };
        for root in roots {
            search.from(root, &successor);
        }
        Self { of: search.of, count: search.count as usize }
    }

    /// Whether both nodes are in the same component.
    pub fn same(&self, a: usize, b: usize) -> bool {
        self.of[a] == self.of[b]
    }
}

struct Search {
    /// The earliest node on the stack that is known to be reachable; 0 before the first visit.
    low: Vec<u32>,
    of: Vec<u32>,
    stack: Vec<usize>,
    seen: u32,
    count: u32,
}

impl Search {
    fn from(&mut self, root: usize, successor: &impl Fn(usize, usize) -> Option<usize>) {
        if self.low[root] != 0 {
            return;
        }
        let mut order = vec![self.enter(root)];
        let mut frames = vec![Frame { node: root, next: 0 }];
        while let Some(frame) = frames.last_mut() {
            let node = frame.node;
            if let Some(target) = successor(node, frame.next) {
                frame.next += 1;
                if self.low[target] == 0 {
                    order.push(self.enter(target));
                    frames.push(Frame { node: target, next: 0 });
                } else if self.of[target] == NOWHERE {
                    self.low[node] = self.low[node].min(self.low[target]);
                }
                continue;
            }
            frames.pop();
            let entered = order.pop().expect("one for each frame");
            if self.low[node] == entered {
                self.close(node);
            } else if let Some(parent) = frames.last() {
                self.low[parent.node] = self.low[parent.node].min(self.low[node]);
            }
        }
    }

    fn enter(&mut self, node: usize) -> u32 {
        poll();
        self.seen += 1;
        self.low[node] = self.seen;
        self.stack.push(node);
        self.seen
    }

    fn close(&mut self, root: usize) {
        while let Some(node) = self.stack.pop() {
            self.of[node] = self.count;
            if node == root {
                break;
            }
        }
        self.count += 1;
    }
}
