//! The shortest lasso of a product: one that sees every mark and is fair, by trying all of them.
//!
//! Entry point: [`Product::shortest_lasso`]. From every node, breadth first over nodes with all that was seen
//! since: only for small graphs.

use super::fair::Product;
use super::runs::Units;
use std::collections::{HashSet, VecDeque};

/// More nodes with what was seen are not looked at.
const MAX_SEEN: usize = 300_000;

/// What a loop has seen so far: units that are treated fairly, strongly fair ones that were enabled, marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Seen {
    treated: Units,
    enabled: Units,
    marks: u32,
}

impl Product {
    /// The fewest steps of a lasso with all marks that is fair to the weak and the strong units, if one has
    /// less than `most`. A step from a node in `dead` is none: the run just stays there. The first of the
    /// nodes, `initial` many, are initial. An error if there is too much to look at.
    pub fn shortest_lasso(
        &self,
        initial: usize,
        dead: &[bool],
        (weak, strong): (Units, Units),
        most: usize,
    ) -> Result<Option<usize>, ()> {
        let cost = |node: usize| usize::from(!dead[node]);
        let stems = self.distances(0..initial, &cost);
        let mut best: Option<usize> = None;
        let mut looked = 0;
        for (root, &stem) in stems.iter().enumerate() {
            let below = best.unwrap_or(most);
            if stem >= below {
                continue;
            }
            // The loop has at most `below - 1 - stem` steps.
            let here = |node: usize| Seen {
                treated: !self.nodes[node].enabled & weak,
                enabled: self.nodes[node].enabled & strong,
                marks: self.nodes[node].marks,
            };
            let start = (root, here(root));
            let mut known = HashSet::from([start]);
            let mut queue = VecDeque::from([(start, 0)]);
            while let Some(((node, seen), length)) = queue.pop_front() {
                looked += 1;
                if looked > MAX_SEEN {
                    return Err(());
                }
                for edge in &self.nodes[node].edges {
                    let length = length + cost(node);
                    if stem + length >= best.unwrap_or(most) {
                        continue;
                    }
                    let there = here(edge.to);
                    let seen = Seen {
                        treated: seen.treated | there.treated | edge.units & (weak | strong),
                        enabled: seen.enabled | there.enabled,
                        marks: seen.marks | there.marks,
                    };
                    let fair = seen.treated & weak == weak && seen.enabled & !seen.treated == 0;
                    if edge.to == root && fair && seen.marks == self.all_marks {
                        best = Some(stem + length);
                    }
                    if known.insert((edge.to, seen)) {
                        queue.push_back(((edge.to, seen), length));
                    }
                }
            }
        }
        Ok(best)
    }

    /// How far all nodes are from some.
    fn distances(&self, from: std::ops::Range<usize>, cost: &dyn Fn(usize) -> usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.nodes.len()];
        from.for_each(|node| distances[node] = 0);
        loop {
            let mut changed = false;
            for node in 0..self.nodes.len() {
                if distances[node] == usize::MAX {
                    continue;
                }
                let next = distances[node] + cost(node);
                for edge in &self.nodes[node].edges {
                    if next < distances[edge.to] {
                        distances[edge.to] = next;
                        changed = true;
                    }
                }
            }
            if !changed {
                return distances;
            }
        }
    }
}
