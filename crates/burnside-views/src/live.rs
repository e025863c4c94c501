//! Liveness for every size: formulas of linear time about one member, under weak and strong fairness.
//!
//! Entry point: [`follow`]. One member of a state of any size is followed; a *node* is the globals, with the
//! counts of the contexts, and its word. All states that a closed set of views allows, up to the size that
//! matters, give the edges between nodes (`live/graph.rs`), with who is surely enabled and who moves; a fair
//! run of an instance of any size is a path among them that is fair in the sense of `live/fair.rs`. So if no
//! such path violates a formula, it holds for every size. The opposite says nothing: a path need not be a
//! run. The argument is in the book (`internals/every-n.md`).

mod fair;
mod formula;
mod graph;
mod slots;

use crate::certificate::Proof;
use crate::meter::Meter;
use crate::prove::Failure;
use crate::{Instances, Needs};
use burnside_limits::Observer;
use burnside_logic::{AutomatonLimits, Ltl, translate};
use burnside_ts::Question;
use formula::Condition;
use graph::Graph;

/// What matters to fairness and to formulas of linear time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveNeeds {
    /// Whether only fair runs count.
    pub is_fair: bool,
    /// How many members, apart from its parameters, matter to whether a rule is disabled for some of them, by
    /// rule. Nothing if that is not known.
    pub enabling: Vec<Option<u32>>,
    /// The formulas: their names, and how many members matter to each condition, apart from the one that is
    /// followed.
    pub formulas: Vec<(String, u32)>,
}

/// What is known after following a member.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The formulas that hold for every size, with the number of nodes.
    pub holds: Vec<(String, u64)>,
    /// The others: why they are not proved.
    pub open: Vec<(String, String)>,
    /// How many states were run.
    pub states: u64,
}

/// Judges formulas by a closed set of views, which must prove that no step faults. Instances that have less
/// members than a view are not looked at. At most so many states are run.
pub fn follow(
    instances: &dyn Instances,
    needs: &Needs,
    live: &LiveNeeds,
    proof: &Proof,
    wanted: &[String],
    states: u64,
    observer: &mut dyn Observer,
) -> Result<Followed, Failure> {
    let mut followed = Followed::default();
    for (name, witnesses) in live.formulas.iter().filter(|(name, _)| wanted.contains(name)) {
        let first = instances.instance(1).ok_or(Failure::Size(1))?;
        let property = first.properties.iter().find(|property| property.name == *name);
        let Some(Question::Linear(formula)) = property.map(|property| &property.question) else {
            return Err(Failure::Unfit(format!("there is no formula `{name}`")));
        };
        let mut conditions = Vec::new();
        let formula = match formula::translate(&first, &needs.sort, formula, &mut conditions) {
            Ok(formula) => formula,
            Err(why) => {
                followed.open.push((name.clone(), why.to_string()));
                continue;
            }
        };
        let meter = Meter::new(&mut *observer);
        let graph = Graph::new(instances, needs, live, proof, (name, *witnesses), (states, meter))?;
        followed.states += graph.states;
        match is_violated(&graph, formula, &conditions)? {
            false => followed.holds.push((name.clone(), graph.nodes.len() as u64)),
            true => followed.open.push((name.clone(), why(&graph, &conditions))),
        }
    }
    Ok(followed)
}

/// Whether a fair path among the nodes violates a formula.
fn is_violated(graph: &Graph, formula: Ltl, conditions: &[Condition<'_>]) -> Result<bool, Failure> {
    let bad = Ltl::Not(Box::new(formula));
    let automaton = translate(&bad, conditions.len() as u32, &AutomatonLimits::default());
    let automaton = automaton.map_err(|stop| Failure::Unfit(stop.to_string()))?;
    Ok(fair::has_path(graph, &automaton))
}

/// Why a formula is not proved.
fn why(graph: &Graph, conditions: &[Condition<'_>]) -> String {
    let open = |i: &usize| graph.nodes.iter().any(|node| node.maybe.true_ & node.maybe.false_ >> i & 1 == 1);
    let texts: Vec<&str> = (0..conditions.len()).filter(open).map(|i| conditions[i].text).collect();
    let mut why = String::from("the views allow a fair run that violates it, which need not be one");
    if !texts.is_empty() {
        why += &format!("; they do not know `{}`", texts.join("`, `"));
    }
    why
}
