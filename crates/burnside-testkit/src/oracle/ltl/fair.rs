//! Whether a graph has a fair run: one that sees every mark, and treats every fairness unit fairly,
//! infinitely often.
//!
//! Component by component: what a run does infinitely often lies in one strongly connected component, and can
//! be all of it.

use super::runs::Units;

/// A graph with marks on nodes and units on edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Product {
    /// All of them reachable from initial ones.
    pub nodes: Vec<Node>,
    /// The marks that must be seen infinitely often.
    pub all_marks: u32,
}

/// A node of the graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub marks: u32,
    /// The units that are enabled here.
    pub enabled: Units,
    pub edges: Vec<Edge>,
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub to: usize,
    /// The units that it executes.
    pub units: Units,
}

impl Product {
    /// Whether an initial node begins a run that is fair to the weak and the strong units of each setting.
    pub fn has_fair_run<const N: usize>(&self, settings: [(Units, Units); N]) -> [bool; N] {
        let all: Vec<usize> = (0..self.nodes.len()).collect();
        let (components, home) = self.components(&all);
        settings.map(|(weak, strong)| {
            components.iter().any(|component| self.is_fair(component, &home, weak, strong))
        })
    }

    /// Those of the given nodes from which a run that is fair to the weak and the strong units can go around
    /// among them, and come back.
    pub fn on_fair_cycles(&self, nodes: &[usize], weak: Units, strong: Units) -> Vec<usize> {
        let (components, home) = self.components(nodes);
        let fair = components.into_iter().filter(|component| self.is_fair(component, &home, weak, strong));
        fair.flatten().collect()
    }

    /// How many nodes the largest component has.
    pub fn largest_component(&self) -> usize {
        let all: Vec<usize> = (0..self.nodes.len()).collect();
        self.components(&all).0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether some cycle inside a strongly connected component is fair. `home` has the component of each
    /// node.
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
        let (components, home) = self.components(&rest);
        components.iter().any(|component| self.is_fair(component, &home, weak, strong))
    }

    /// The strongly connected components of a part of the graph, and the component of each node of it
    /// (Tarjan).
    fn components(&self, nodes: &[usize]) -> (Vec<Vec<usize>>, Vec<usize>) {
        const OUTSIDE: usize = usize::MAX;
        const NEW: usize = usize::MAX - 1;
        const OPEN: usize = usize::MAX - 2;
        let mut home = vec![OUTSIDE; self.nodes.len()];
        nodes.iter().for_each(|&node| home[node] = NEW);
        let (mut components, mut open, mut entered) = (Vec::new(), Vec::new(), 0);
        // When a node was entered, and the earliest that it is known to reach of those that are open.
        let mut times = vec![(0, 0); self.nodes.len()];
        for &start in nodes.iter() {
            // Nodes with the number of edges that were followed.
            let mut path = if home[start] == NEW { vec![(start, 0)] } else { Vec::new() };
            while let Some(&mut (node, ref mut next)) = path.last_mut() {
                if *next == 0 {
                    home[node] = OPEN;
                    open.push(node);
                    entered += 1;
                    times[node] = (entered, entered);
                }
                let edge = self.nodes[node].edges.get(*next);
                *next += 1;
                match edge.map(|edge| (edge.to, home[edge.to])) {
                    Some((to, NEW)) => path.push((to, 0)),
                    Some((to, OPEN)) => times[node].1 = times[node].1.min(times[to].0),
                    Some(_) => {}
                    None => {
                        let (own, earliest) = times[node];
                        path.pop();
                        if let Some(&(before, _)) = path.last() {
                            times[before].1 = times[before].1.min(earliest);
                        }
                        if own == earliest {
                            let first = open.iter().rposition(|&other| other == node).expect("open");
                            let component = open.split_off(first);
                            component.iter().for_each(|&node| home[node] = components.len());
                            components.push(component);
                        }
                    }
                }
            }
        }
        (components, home)
    }
}
