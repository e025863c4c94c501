//! Strongly connected components of an explicit graph: Tarjan's algorithm without recursion.
//!
//! Entry point: [`components`].

use burnside_limits::poll;

/// The components of the graph on `0..nodes`, each before those it can be reached from. The closure appends
/// the successors of a node.
pub(crate) fn components(nodes: usize, successors: impl Fn(usize, &mut Vec<usize>)) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    const DONE: usize = usize::MAX - 1;
    struct Frame {
        node: usize,
        next: usize,
        low: usize,
    }
    let mut order = vec![NEW; nodes];
    let (mut stack, mut frames, mut found) = (Vec::new(), Vec::<Frame>::new(), Vec::new());
    // The successors of all frames, one after the other; those of a frame end where the next one's begin.
    let mut edges: Vec<usize> = Vec::new();
    for start in 0..nodes {
        if order[start] != NEW {
            continue;
        }
        let mut entered = Some(start);
        loop {
            if let Some(node) = entered.take() {
                poll();
                order[node] = stack.len();
                frames.push(Frame { node, next: edges.len(), low: stack.len() });
                stack.push(node);
                successors(node, &mut edges);
            }
            let Some(frame) = frames.last_mut() else { break };
            if frame.next < edges.len() {
                // Taken from the end: the list shrinks to what is left.
                let target = edges.pop().expect("not empty");
                match order[target] {
                    NEW => entered = Some(target),
                    DONE => {}
                    at => frame.low = frame.low.min(at),
                }
                continue;
            }
            let Frame { node, low, .. } = frames.pop().expect("looked at");
            if low == order[node] {
                let component = stack.split_off(low);
                component.iter().for_each(|&node| order[node] = DONE);
                found.push(component);
            } else if let Some(parent) = frames.last_mut() {
                parent.low = parent.low.min(low);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    /// All graphs with up to four nodes: two nodes are in one component if they reach each other, and
    /// components come in order.
    #[test]
    fn agree_with_reachability() {
        for nodes in 1..=4usize {
            for bits in 0..1u32 << (nodes * nodes) {
                let edge = |a: usize, b: usize| bits >> (a * nodes + b) & 1 == 1;
                let mut reach: Vec<Vec<bool>> =
                    (0..nodes).map(|a| (0..nodes).map(|b| a == b || edge(a, b)).collect()).collect();
                for via in 0..nodes {
                    for a in 0..nodes {
                        for b in 0..nodes {
                            reach[a][b] |= reach[a][via] && reach[via][b];
                        }
                    }
                }
                let found = components(nodes, |a, out| out.extend((0..nodes).filter(|&b| edge(a, b))));
                let mut of = vec![usize::MAX; nodes];
                found.iter().enumerate().for_each(|(i, part)| part.iter().for_each(|&a| of[a] = i));
                for a in 0..nodes {
                    for b in 0..nodes {
                        assert_eq!(of[a] == of[b], reach[a][b] && reach[b][a]);
                        assert!(!reach[a][b] || of[b] <= of[a]);
                    }
                }
            }
        }
    }
}
