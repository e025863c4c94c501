//! Linear-time properties by brute force: quantifiers are expanded over all values, the negation of the
//! formula becomes a tableau, and its product with the graph of all states is searched for a fair cycle.
//!
//! Entry points: [`Oracle::ltl`] for a property of a model, [`violated`] for runs that are given as a graph.

mod fair;
mod formula;
mod lasso;
mod pairs;
mod runs;
mod shortest;
#[cfg(test)]
mod small_worlds;
mod tableau;

pub(super) use fair::{Edge, Node, Product};
pub(super) use lasso::Lasso;
pub(super) use pairs::Pairs;
pub(super) use runs::{MAX_UNITS, Runs, Step, Units};

use super::explore::{Finding, Reached};
use super::value::Value;
use super::{Oracle, State, World};
use burnside_lang::hir::{Binder, Expr, ExprKind, LocalId, PathOp, Quantifier, TemporalOp, UntilOp};
use formula::Formula;
use std::borrow::Cow;
use std::collections::HashMap;

/// More instances of atoms than this are not made.
const MAX_ATOMS: usize = 2000;

/// Whether some run does not satisfy the formula: one that is fair; of all runs; and one that would be fair
/// if strong fairness were weak. `None` if the product is too large.
pub(super) fn violated(runs: &Runs, atoms: &[Vec<bool>], formula: &Formula) -> Option<[bool; 3]> {
    let product = tableau::product(runs, atoms, &formula.clone().not())?;
    Some(product.has_fair_run([(runs.weak, runs.strong), (0, 0), (runs.weak | runs.strong, 0)]))
}

/// The fewest steps of a run that is fair, if it must be, and does not satisfy the formula, if there is one
/// with less than `most`. In a state of `dead` a run stays without a step. `None` if that is too much to
/// look at.
pub(super) fn shortest_violation(
    runs: &Runs,
    linear: &Linear,
    dead: &[bool],
    fair: bool,
    most: usize,
) -> Option<Option<usize>> {
    if linear.pairs.is_some() {
        return None;
    }
    let mut best = None;
    for part in linear.formula.clone().conjuncts() {
        let (product, states) = tableau::product_with_states(runs, &linear.atoms, &part.not())?;
        let initial = states.initial;
        let dead: Vec<bool> = states.of_nodes.iter().map(|&state| dead[state]).collect();
        let units = if fair { (runs.weak, runs.strong) } else { (0, 0) };
        let found = product.shortest_lasso(initial, &dead, units, best.unwrap_or(most)).ok()?;
        best = found.or(best);
    }
    Some(best)
}

/// How many states the largest strongly connected component has.
pub(super) fn largest_component(runs: &Runs) -> usize {
    let node = |state: usize| {
        let edges = runs.steps[state].iter().map(|step| fair::Edge { to: step.to, units: step.units });
        fair::Node { marks: 0, enabled: runs.enabled(state), edges: edges.collect() }
    };
    let graph = fair::Product { nodes: (0..runs.steps.len()).map(node).collect(), all_marks: 0 };
    graph.largest_component()
}

/// A formula without quantifiers, and the truth of its atoms in each state.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub formula: Formula,
    pub atoms: Vec<Vec<bool>>,
    /// The nodes that atoms are true of, if they are not states.
    pub pairs: Option<Pairs>,
}

/// The instances of the atoms of a formula.
pub(super) struct Atoms<'r> {
    /// All states or nodes, with room for names, and their distances.
    worlds: Vec<World>,
    distances: Cow<'r, [usize]>,
    /// Of nodes, the states before.
    before: Vec<Option<State>>,
    /// The truth of each in each state. Atoms that are true in the same states are the same.
    pub values: Vec<Vec<bool>>,
    known: HashMap<Vec<bool>, usize>,
    made: usize,
    /// The distance of the nearest state in which one faults.
    pub fault: Option<usize>,
}

impl<'r> Atoms<'r> {
    /// None yet.
    pub fn new(reached: &'r Reached) -> Self {
        let worlds = reached.states.iter().map(|state| World::of(state.clone())).collect();
        let distances = Cow::Borrowed(&reached.distance[..]);
        let (values, known, before) = (Vec::new(), HashMap::new(), Vec::new());
        Self { worlds, distances, before, values, known, made: 0, fault: None }
    }

    /// None yet, of nodes with states before them.
    fn of_pairs(reached: &'r Reached, runs: &Runs, pairs: &Pairs) -> Self {
        let state = |number: usize| reached.states[number].clone();
        let worlds = pairs.nodes.iter().map(|node| World::of(state(node.1))).collect();
        // To stay in a deadlock makes no run longer.
        let stays =
            |state: usize| matches!(runs.steps[state][..], [step] if step.to == state && step.units == 0);
        let distance = |&(before, here): &(Option<usize>, usize)| match before {
            Some(before) if before != here || !stays(here) => reached.distance[before] + 1,
            _ => reached.distance[here],
        };
        Self {
            worlds,
            distances: pairs.nodes.iter().map(distance).collect(),
            before: pairs.nodes.iter().map(|node| node.0.map(state)).collect(),
            ..Self::new(reached)
        }
    }
}

impl Oracle<'_> {
    /// What is true of a formula, with the fairness of the model, without any, and with weak fairness only,
    /// and the formula written out.
    pub(super) fn ltl(
        &self,
        reached: &Reached,
        runs: Option<&Runs>,
        formula: &Expr,
    ) -> ([Finding; 3], Option<Linear>) {
        let pairs = match (has_next(formula), runs) {
            (false, _) => None,
            (true, None) => return ([Finding::Unaffordable; 3], None),
            (true, Some(runs)) => match Pairs::new(runs) {
                Some(pairs) => Some(pairs),
                None => return ([Finding::Unaffordable; 3], None),
            },
        };
        let mut atoms = match (&pairs, runs) {
            (Some(pairs), Some(runs)) => Atoms::of_pairs(reached, runs, pairs),
            _ => Atoms::new(reached),
        };
        let Some(formula) = self.formula(&mut atoms, &mut Vec::new(), formula) else {
            return ([Finding::Unaffordable; 3], None);
        };
        if let Some(distance) = atoms.fault {
            return ([Finding::Undefined(distance); 3], None);
        }
        let linear = Linear { formula, atoms: atoms.values, pairs };
        let Some(runs) = linear.pairs.as_ref().map(|pairs| &pairs.runs).or(runs) else {
            return ([Finding::Unaffordable; 3], Some(linear));
        };
        // A conjunction is violated by a run that violates one part.
        let mut found = [Finding::Holds(None); 3];
        for part in linear.formula.clone().conjuncts() {
            let answers = violated(runs, &linear.atoms, &part);
            for (setting, finding) in found.iter_mut().enumerate() {
                match answers {
                    Some(answers) if answers[setting] => *finding = Finding::Violated(None),
                    None if *finding == Finding::Holds(None) => *finding = Finding::Unaffordable,
                    _ => {}
                }
            }
        }
        (found, Some(linear))
    }

    /// The formula without quantifiers; `None` if it has too many atoms.
    fn formula(
        &self,
        atoms: &mut Atoms<'_>,
        locals: &mut Vec<(LocalId, Value)>,
        expr: &Expr,
    ) -> Option<Formula> {
        if !is_temporal(expr) && has_next(expr) {
            return self.atom(atoms, locals, expr).map(|atom| Formula::Next(Box::new(Formula::Atom(atom))));
        }
        if !is_temporal(expr) {
            return self.atom(atoms, locals, expr).map(Formula::Atom);
        }
        let mut sub = |expr: &Expr| self.formula(atoms, locals, expr);
        Some(match &expr.kind {
            ExprKind::Not(a) => sub(a)?.not(),
            ExprKind::And(a, b) => Formula::And(vec![sub(a)?, sub(b)?]),
            ExprKind::Or(a, b) => Formula::Or(vec![sub(a)?, sub(b)?]),
            ExprKind::Implies(a, b) => Formula::Or(vec![sub(a)?.not(), sub(b)?]),
            ExprKind::Iff(a, b) => Formula::Iff(Box::new([sub(a)?, sub(b)?])),
            ExprKind::Temporal(TemporalOp { exists: None, op: PathOp::X }, a) => {
                Formula::Next(Box::new(sub(a)?))
            }
            ExprKind::Temporal(TemporalOp { exists: None, op: PathOp::F }, a) => {
                Formula::Finally(Box::new(sub(a)?))
            }
            ExprKind::Temporal(TemporalOp { exists: None, op: PathOp::G }, a) => {
                Formula::Globally(Box::new(sub(a)?))
            }
            ExprKind::Until(op, a, b) => {
                let sides = Box::new([sub(a)?, sub(b)?]);
                match op {
                    UntilOp::U => Formula::Until(sides),
                    UntilOp::R => Formula::Release(sides),
                    UntilOp::W => Formula::WeakUntil(sides),
                    UntilOp::M => Formula::StrongRelease(sides),
                }
            }
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                let mut parts = Vec::new();
                let outer = locals.len();
                for names in self.all_values(binders) {
                    locals.extend(names);
                    let filter = match filter {
                        Some(filter) => Some(self.formula(atoms, locals, filter)?),
                        None => None,
                    };
                    let body = self.formula(atoms, locals, body)?;
                    locals.truncate(outer);
                    parts.push(match (filter, quantifier) {
                        (None, _) => body,
                        (Some(filter), Quantifier::Forall) => Formula::Or(vec![filter.not(), body]),
                        (Some(filter), _) => Formula::And(vec![filter, body]),
                    });
                }
                match quantifier {
                    Quantifier::Forall => Formula::And(parts),
                    Quantifier::Exists => Formula::Or(parts),
                    other => panic!("not over formulas: {other:?}"),
                }
            }
            other => panic!("no temporal formula: {other:?}"),
        })
    }

    /// All combinations of values of names that run through types.
    fn all_values(&self, binders: &[Binder]) -> Vec<Vec<(LocalId, Value)>> {
        let mut found = vec![Vec::new()];
        for binder in binders {
            let values = self.local_values(binder.local);
            let longer = |names: &Vec<(LocalId, Value)>| {
                let one = |value: &Value| [names.clone(), vec![(binder.local, value.clone())]].concat();
                values.iter().map(one).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        found
    }

    /// The number of an atom with its names bound, looked at in all states; `None` if there are too many.
    pub(super) fn atom(
        &self,
        atoms: &mut Atoms<'_>,
        locals: &[(LocalId, Value)],
        expr: &Expr,
    ) -> Option<usize> {
        atoms.made += 1;
        if atoms.made > MAX_ATOMS {
            return None;
        }
        let mut values = Vec::new();
        let on_step = has_next(expr);
        for (i, (world, &distance)) in atoms.worlds.iter_mut().zip(&*atoms.distances).enumerate() {
            world.locals = locals.to_vec();
            let value = match (on_step, atoms.before.get(i)) {
                (true, Some(Some(before))) => {
                    let next = Some(world.state.clone());
                    self.truth(&mut World { state: before.clone(), next, locals: locals.to_vec() }, expr)
                }
                (true, _) => Ok(false),
                (false, _) => self.truth(world, expr),
            };
            if value.is_err() {
                atoms.fault = Some(atoms.fault.map_or(distance, |before| before.min(distance)));
            }
            values.push(value.unwrap_or(false));
        }
        let new = atoms.values.len();
        let number = *atoms.known.entry(values.clone()).or_insert(new);
        if number == new {
            atoms.values.push(values);
        }
        Some(number)
    }
}

/// Whether a temporal operator is inside. What has none is an atom as a whole.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Until(..) => true,
        ExprKind::Not(a) => is_temporal(a),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => {
            is_temporal(a) || is_temporal(b)
        }
        ExprKind::Quantify { body, .. } => is_temporal(body),
        _ => false,
    }
}

/// Whether something in it is a value after a step.
fn has_next(expr: &Expr) -> bool {
    let mut found = false;
    expr.each(&mut |part| found |= matches!(part.kind, ExprKind::Next(_)));
    found
}
