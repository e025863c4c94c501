//! Whether a graph has a fair run: one that sees every mark, and treats every fairness unit fairly, infinitely often.
//!
//! Component by component: what a run does infinitely often lies in one strongly connected component, and can be all of it.

use super::runs::Units;

/// A graph with marks on nodes and units on edges.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    pub initial: Vec<usize>,
    pub nodes: Vec<Node>,
    /// The marks that must be seen infinitely often.
    pub all_marks: u32,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub marks: u32,
    /// The units that are enabled here.
    pub enabled: Units,
    pub edges: Vec<Edge>,
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub to: usize,
    /// The units that it executes.
    pub units: Units,
}

impl Product {
    /// Whether an initial node begins a run that is fair to these units.
    pub fn has_fair_run(&self, weak: Units, strong: Units) -> bool {
        self.has_fair_cycle(&self.reachable(), weak, strong)
    }

    fn reachable(&self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut todo = self.initial.clone();
        let mut found = Vec::new();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                found.push(node);
                todo.extend(self.nodes[node].edges.iter().map(|edge| edge.to));
            }
        }
        found
    }

    /// Whether some cycle among these nodes is fair.
    fn has_fair_cycle(&self, nodes: &[usize], weak: Units, strong: Units) -> bool {
        let components = self.components(nodes);
        let mut home = vec![usize::MAX; self.nodes.len()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|&node| home[node] = number);
        }
        components.iter().any(|component| self.is_fair(component, &home, weak, strong))
    }

    /// Whether some cycle inside a strongly connected component is fair. `home` has the component of each node.
    fn is_fair(&self, component: &[usize], home: &[usize], weak: Units, strong: Units) -> bool {
        let (mut edges, mut executed, mut marks) = (0, 0, 0);
        let (mut sometimes_enabled, mut always_enabled) = (0, Units::MAX);
        for &number in component {
            let node = &self.nodes[number];
            marks |= node.marks;
            sometimes_enabled |= node.enabled;
            always_enabled &= node.enabled;
            for edge in node.edges.iter().filter(|edge| home[edge.to] == home[number]) {
                edges += 1;
                executed |= edge.units;
            }
        }
        if edges == 0 || marks != self.all_marks {
            return false;
        }
        // Going around everywhere is as fair to a weak unit as can be.
        if weak & always_enabled & !executed != 0 {
            return false;
        }
        let neglected = strong & sometimes_enabled & !executed;
        if neglected == 0 {
            return true;
        }
        // A strong unit that is executed nowhere here must not be enabled infinitely often.
        let rest: Vec<usize> =
            component.iter().copied().filter(|&node| self.nodes[node].enabled & neglected == 0).collect();
        self.has_fair_cycle(&rest, weak, strong)
    }

    /// The strongly connected components of a part of the graph (Kosaraju): the last node to be left in a search along the edges
    /// is in a component that is the whole of what reaches it, against the edges, of what is not yet in another one.
    fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut inside = vec![false; self.nodes.len()];
        nodes.iter().for_each(|&node| inside[node] = true);
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &node in nodes {
            self.nodes[node].edges.iter().for_each(|edge| back[edge.to].push(node));
        }
        let mut left = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for &start in nodes {
            // Nodes with the number of edges that were followed.
            let mut path = Vec::new();
            if !std::mem::replace(&mut seen[start], true) {
                path.push((start, 0));
            }
            while let Some((node, next)) = path.last_mut() {
                match self.nodes[*node].edges.get(*next) {
                    Some(edge) => {
                        *next += 1;
                        if inside[edge.to] && !std::mem::replace(&mut seen[edge.to], true) {
                            path.push((edge.to, 0));
                        }
                    }
                    None => {
                        left.push(*node);
                        path.pop();
                    }
                }
            }
        }
        let mut components = Vec::new();
        for &start in left.iter().rev() {
            let (mut component, mut todo) = (Vec::new(), vec![start]);
            while let Some(node) = todo.pop() {
                if std::mem::replace(&mut inside[node], false) {
                    component.push(node);
                    todo.extend(&back[node]);
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }
}
