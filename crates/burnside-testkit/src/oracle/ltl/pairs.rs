//! Runs with what was before: for conditions on steps, such as `x' >= x`.
//!
//! A node is a state with the state before it, or an initial state. Each of its edges is a step of the state,
//! to the node that has this state before the next one. A condition on the step from here is one on the next
//! node.

use super::lasso::Lasso;
use super::runs::{Runs, Step};
use std::collections::HashMap;

/// More nodes than this are too many.
const MAX_NODES: usize = 20_000;

/// The runs of a model as a graph of pairs of states.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The state of each node, and the one before it.
    pub nodes: Vec<(Option<usize>, usize)>,
    numbers: HashMap<(Option<usize>, usize), usize>,
    /// The same runs.
    pub runs: Runs,
}

impl Pairs {
    /// None if there are too many.
    pub fn new(runs: &Runs) -> Option<Self> {
        let Runs { weak, strong, .. } = *runs;
        let pairs = Runs { weak, strong, ..Runs::default() };
        let mut found = Self { nodes: Vec::new(), numbers: HashMap::new(), runs: pairs };
        found.runs.initial = runs.initial.iter().map(|&state| found.number((None, state))).collect();
        while let Some(&(_, state)) = found.nodes.get(found.runs.steps.len()) {
            let steps = runs.steps[state].iter();
            let steps =
                steps.map(|step| Step { to: found.number((Some(state), step.to)), units: step.units });
            let steps = steps.collect();
            found.runs.steps.push(steps);
            if found.nodes.len() > MAX_NODES {
                return None;
            }
        }
        Some(found)
    }

    fn number(&mut self, node: (Option<usize>, usize)) -> usize {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// The same run over pairs. The state that it comes back to is there twice.
    pub fn lasso(&self, lasso: &Lasso) -> Lasso {
        let before = std::iter::once(None).chain(lasso.states.iter().copied().map(Some));
        let states = lasso.states.iter().copied().chain([lasso.states[lasso.back]]);
        let states = before.zip(states).map(|node| self.numbers[&node]).collect();
        let steps = [lasso.steps.clone(), vec![lasso.steps[lasso.back]]].concat();
        Lasso { states, steps, back: lasso.back + 1 }
    }
}
