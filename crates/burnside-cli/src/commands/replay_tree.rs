//! The part of `burnside replay` for trees: the runs in a tree are looked for in the model, then the tree is judged like any other.

use crate::commands::replay::Walker;
use crate::output::names::{self, Names};
use crate::recorded_tree::{RecordedNode, RecordedTree, RecordedWhy};
use crate::run::State;
use burnside::trace::{Reason, Tree, TreeOptions, Why, explain_tree};
use burnside::ts::{Binder, Machine};
use serde_json::Value;

/// What is said about all runs is seen by looking at all states, if they are no more than this.
const EXPLORED: usize = 10_000;

impl Walker<'_> {
    /// Checks a tree. Tells whether all of it has been checked: what it says about all runs may be too much.
    pub fn check_tree(&self, recorded: &RecordedTree<'_>) -> Result<bool, String> {
        let formula = names::formula(self.model, &recorded.property)
            .ok_or("the model has no ctl property of this name")?;
        let state = self.initial(&mut Machine::new(self.system()), &recorded.state)?;
        let tree = self.tree(&recorded.root, &state)?;
        let options = TreeOptions { explore: EXPLORED, ..recorded.paths };
        let reason = explain_tree(self.system(), formula, recorded.truth, &state, &tree, options)
            .map_err(|mismatch| mismatch.to_string())?;
        let names = Names::of(self.model, &recorded.property);
        match is_said(&recorded.root, &reason, &names, &mut Vec::new()) {
            true => Ok(reason.complete),
            false => Err("what the tree is said to show is not what it shows".into()),
        }
    }

    fn tree(&self, node: &RecordedNode<'_>, state: &State) -> Result<Tree, String> {
        Ok(match &node.why {
            RecordedWhy::Condition => Tree::Condition,
            RecordedWhy::Everywhere => Tree::Everywhere,
            RecordedWhy::Omitted => Tree::Omitted,
            RecordedWhy::Value(number, inner) => Tree::Value(*number, Box::new(self.tree(inner, state)?)),
            RecordedWhy::Sides(sides) => match &sides[..] {
                [(side, node)] => Tree::Side(*side, Box::new(self.tree(node, state)?)),
                [(0, left), (1, right)] => {
                    Tree::Both(Box::new([self.tree(left, state)?, self.tree(right, state)?]))
                }
                _ => return Err("the recorded sides of a connective do not fit".into()),
            },
            RecordedWhy::Run(run, places) => {
                let evidence = self.find(run, Some(state), None)?;
                let marks = places.iter().map(|place| match evidence.states.get(place.position) {
                    Some(state) => Ok((place.position, self.tree(&place.node, state)?)),
                    None => Err(format!("a run has no position {}", place.position)),
                });
                let marks = marks.collect::<Result<_, String>>()?;
                Tree::Run(Box::new(evidence), marks)
            }
        })
    }
}

/// Whether the parts are said to show what they show.
fn is_said<'s>(
    said: &RecordedNode<'_>,
    is: &Reason<'s, '_>,
    names: &Names<'_>,
    bound: &mut Vec<(&'s Binder, u64)>,
) -> bool {
    let values = bound.iter().map(|(binder, number)| (names.name(binder), names.value(binder, *number)));
    let mut same = said.truth == is.truth && said.formula == names.show(is.formula);
    // A name can be bound again: the inner value counts.
    let values: std::collections::HashMap<_, _> = values.collect();
    same &= values.len() == said.values.len();
    same &= values.iter().all(|(name, value)| said.values.get(*name).and_then(Value::as_str) == Some(value));
    same && match (&said.why, &is.why) {
        (RecordedWhy::Sides(said), Why::Sides(are)) => {
            let mut pairs = said.iter().zip(are);
            pairs.all(|((_, said), (_, is))| is_said(said, is, names, bound))
        }
        (RecordedWhy::Value(_, said), Why::Value(binder, number, is)) => {
            bound.push((binder, *number));
            let same = is_said(said, is, names, bound);
            bound.pop();
            same
        }
        (RecordedWhy::Run(_, said), Why::Run(_, are)) => {
            let mut pairs = said.iter().zip(are);
            said.len() == are.len()
                && pairs.all(|(said, is)| {
                    (said.position, said.operand) == (is.position, is.operand)
                        && is_said(&said.node, &is.reason, names, bound)
                })
        }
        _ => true,
    }
}
