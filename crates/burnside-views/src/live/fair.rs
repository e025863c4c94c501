//! Fair paths: whether a word that an automaton accepts belongs to a path among nodes that treats everybody
//! fairly.
//!
//! Entry point: [`has_path`]. Fairness is of two kinds. *Again and again* some step must be good: a slot of
//! the followed member, or one that there is once, is executed or not surely enabled; or, of the others in a
//! context, one executes its slot, one leaves, or somewhere they are not all surely enabled. *If again and
//! again, then again and again*: what is strongly fair, and that who leaves a context again and again is also
//! entering it, for there are finitely many. Components without the second part of such a pair lose the steps
//! with the first.

use super::graph::{Edge, Graph, Node};
use burnside_limits::poll;
use burnside_logic::{Automaton, Components, Cube, Marks, NOWHERE};
use burnside_ts::Strength;
use std::collections::HashMap;

/// What must be met again and again, and what asks for an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Signs {
    /// By condition that must be met again and again.
    good: Vec<bool>,
    /// By pair: the first part, and the second.
    asks: Vec<bool>,
    answers: Vec<bool>,
}

impl Signs {
    fn of(graph: &Graph, node: &Node, edge: &Edge) -> Self {
        let mut signs = Self::default();
        for &(slot, strength, is_own) in &graph.fair {
            let (enabled, executed) = (node.enabled >> slot & 1 == 1, edge.executed >> slot & 1 == 1);
            match strength {
                Strength::Weak => signs.good.push(!enabled || executed),
                Strength::Strong => {
                    signs.asks.push(enabled);
                    signs.answers.push(executed);
                }
            }
            for (i, (able, moved)) in node.others.iter().zip(&edge.others).enumerate() {
                if is_own {
                    let bound = able >> slot & 1 == 1;
                    signs.good.push(!bound || moved >> slot & 1 == 1 || edge.leaves >> i & 1 == 1);
                }
            }
        }
        for i in 0..node.others.len() {
            signs.asks.push(edge.leaves >> i & 1 == 1);
            signs.answers.push(edge.enters >> i & 1 == 1);
        }
        signs
    }

    /// Staying where nothing can move: nobody is enabled.
    fn still(graph: &Graph, node: &Node) -> Self {
        let mut signs =
            Self::of(graph, node, &Edge { others: vec![0; node.others.len()], ..Edge::default() });
        signs.good.fill(true);
        signs
    }
}

/// A step of the product.
struct ProductEdge {
    to: usize,
    signs: usize,
    marks: Marks,
    is_gone: bool,
}

/// Whether there is a fair path whose word the automaton accepts. Its atoms are the conditions of the graph.
pub(super) fn has_path(graph: &Graph, automaton: &Automaton) -> bool {
    let mut signs: Vec<Signs> = Vec::new();
    let mut moves: Vec<Vec<(usize, usize)>> = Vec::new();
    for (node, edges) in graph.nodes.iter().zip(&graph.edges) {
        poll();
        let mut mine = Vec::new();
        if node.is_known {
            for edge in edges {
                mine.push((edge.to, signs.len()));
                signs.push(Signs::of(graph, node, edge));
            }
            if !node.is_alive() {
                mine.push((moves.len(), signs.len()));
                signs.push(Signs::still(graph, node));
            }
        }
        moves.push(mine);
    }
    let mut product = product(graph, automaton, &moves);
    while let Some(found) = refine(&mut product, &signs, automaton.sets) {
        if found {
            return true;
        }
    }
    false
}

/// The steps of each pair of a node and a state of the automaton.
fn product(graph: &Graph, automaton: &Automaton, moves: &[Vec<(usize, usize)>]) -> Vec<Vec<ProductEdge>> {
    let mut numbers = HashMap::new();
    let mut open = Vec::new();
    let mut steps: Vec<Vec<ProductEdge>> = Vec::new();
    let mut number = |pair: (usize, usize), open: &mut Vec<(usize, usize)>| {
        *numbers.entry(pair).or_insert_with(|| {
            open.push(pair);
            open.len() - 1
        })
    };
    for node in (0..graph.nodes.len()).filter(|&node| graph.nodes[node].is_initial) {
        for state in &automaton.initial {
            number((node, state.index()), &mut open);
        }
    }
    while steps.len() < open.len() {
        poll();
        let (node, state) = open[steps.len()];
        let mut mine = Vec::new();
        for edge in automaton.edges[state].iter().filter(|edge| may_read(&graph.nodes[node], &edge.label)) {
            for &(to, signs) in &moves[node] {
                let to = number((to, edge.target.index()), &mut open);
                mine.push(ProductEdge { to, signs, marks: edge.marks, is_gone: false });
            }
        }
        steps.push(mine);
    }
    steps
}

/// Whether a letter of the node may be one that the label is true of.
fn may_read(node: &Node, label: &Cube) -> bool {
    label.literals().all(|(atom, wanted)| {
        let possible = if wanted { node.maybe.true_ } else { node.maybe.false_ };
        possible >> atom & 1 == 1
    })
}

/// Looks at the components. Some if something changed: true if one of them is fair, false if steps are gone.
fn refine(product: &mut [Vec<ProductEdge>], signs: &[Signs], sets: u32) -> Option<bool> {
    let left: Vec<Vec<usize>> = product
        .iter()
        .map(|steps| steps.iter().filter(|step| !step.is_gone).map(|step| step.to).collect())
        .collect();
    let components = Components::of(product.len(), 0..product.len(), |node, i| left[node].get(i).copied());
    let mut all: Vec<Option<(Signs, Marks)>> = vec![None; components.count];
    for (node, steps) in product.iter().enumerate() {
        poll();
        for step in steps.iter().filter(|step| !step.is_gone && components.same(node, step.to)) {
            let here = &signs[step.signs];
            let (sum, marks) = all[components.of[node] as usize].get_or_insert_with(|| {
                let Signs { good, asks, answers } = here;
                let none = |all: &Vec<bool>| vec![false; all.len()];
                (Signs { good: none(good), asks: none(asks), answers: none(answers) }, Marks::default())
            });
            join(&mut sum.good, &here.good);
            join(&mut sum.asks, &here.asks);
            join(&mut sum.answers, &here.answers);
            *marks = marks.union(step.marks);
        }
    }
    let accepted =
        |(sum, marks): &(Signs, Marks)| Marks::all(sets).within(*marks) && sum.good.iter().all(|&good| good);
    let unanswered = |sum: &Signs, i: usize| sum.asks[i] && !sum.answers[i];
    let is_fair = |it: &&(Signs, Marks)| accepted(it) && (0..it.0.asks.len()).all(|i| !unanswered(&it.0, i));
    if all.iter().flatten().any(|it| is_fair(&it)) {
        return Some(true);
    }
    let mut changed = None;
    for (node, steps) in product.iter_mut().enumerate() {
        for step in steps.iter_mut().filter(|step| !step.is_gone) {
            let component = components.of[node];
            let inside = component != NOWHERE && components.same(node, step.to);
            let keep = inside
                && all[component as usize].as_ref().is_some_and(|it| {
                    let asks = &signs[step.signs].asks;
                    accepted(it) && (0..asks.len()).all(|i| !asks[i] || !unanswered(&it.0, i))
                });
            if !keep {
                step.is_gone = true;
                changed = Some(false);
            }
        }
    }
    changed
}

fn join(sum: &mut [bool], more: &[bool]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum |= more);
}
