//! Linear-time properties by brute force: quantifiers are expanded over all values, the negation of the formula becomes a tableau, and
//! its product with the graph of all states is searched for a fair cycle.
//!
//! Entry points: [`Oracle::ltl`] for a property of a model, [`violated`] for runs that are given as a graph.

mod fair;
mod formula;
#[cfg(test)]
mod lasso;
mod runs;
mod tableau;

pub(super) use runs::{MAX_UNITS, Runs, Step, Units};

use super::explore::{Finding, Reached};
use super::value::Value;
use super::{Oracle, World};
use burnside_lang::hir::{Binder, Expr, ExprKind, LocalId, Quantifier, TemporalOp, UntilOp};
use formula::Formula;
use std::collections::HashMap;

/// More instances of atoms than this are not made.
const MAX_ATOMS: usize = 2000;

/// Whether some fair run, and whether some run at all, does not satisfy the formula; `None` if the product is too large.
pub(super) fn violated(runs: &Runs, atoms: &[Vec<bool>], formula: &Formula) -> Option<(bool, bool)> {
    let product = tableau::product(runs, atoms, &formula.clone().not())?;
    let any = product.has_fair_run(0, 0);
    Some((any && product.has_fair_run(runs.weak, runs.strong), any))
}

/// The instances of the atoms of a formula.
struct Atoms<'r> {
    reached: &'r Reached,
    /// The truth of each in each state. Atoms that are true in the same states are the same.
    values: Vec<Vec<bool>>,
    known: HashMap<Vec<bool>, usize>,
    made: usize,
    /// The distance of the nearest state in which one faults.
    fault: Option<usize>,
}

impl Oracle<'_> {
    /// What is true of a formula, with the fairness of the model and without any.
    pub(super) fn ltl(&self, reached: &Reached, runs: Option<&Runs>, formula: &Expr) -> [Finding; 2] {
        let mut atoms = Atoms { reached, values: Vec::new(), known: HashMap::new(), made: 0, fault: None };
        let formula = self.formula(&mut atoms, &mut Vec::new(), formula);
        let Some(formula) = formula else { return [Finding::Unaffordable; 2] };
        if let Some(distance) = atoms.fault {
            return [Finding::Undefined(distance); 2];
        }
        let Some(runs) = runs else { return [Finding::Unaffordable; 2] };
        // A conjunction is violated by a run that violates one part.
        let mut found = [Finding::Holds(None); 2];
        for part in formula.conjuncts() {
            let answers = violated(runs, &atoms.values, &part).map(|(fair, any)| [fair, any]);
            for (setting, finding) in found.iter_mut().enumerate() {
                match answers {
                    Some(answers) if answers[setting] => *finding = Finding::Violated(None),
                    None if *finding == Finding::Holds(None) => *finding = Finding::Unaffordable,
                    _ => {}
                }
            }
        }
        found
    }

    /// The formula without quantifiers; `None` if it has too many atoms.
    fn formula(
        &self,
        atoms: &mut Atoms<'_>,
        locals: &mut Vec<(LocalId, Value)>,
        expr: &Expr,
    ) -> Option<Formula> {
        if !is_temporal(expr) {
            return self.atom(atoms, locals, expr);
        }
        let mut sub = |expr: &Expr| self.formula(atoms, locals, expr);
        Some(match &expr.kind {
            ExprKind::Not(a) => sub(a)?.not(),
            ExprKind::And(a, b) => Formula::And(vec![sub(a)?, sub(b)?]),
            ExprKind::Or(a, b) => Formula::Or(vec![sub(a)?, sub(b)?]),
            ExprKind::Implies(a, b) => Formula::Or(vec![sub(a)?.not(), sub(b)?]),
            ExprKind::Iff(a, b) => Formula::Iff(Box::new([sub(a)?, sub(b)?])),
            ExprKind::Temporal(TemporalOp::X, a) => Formula::Next(Box::new(sub(a)?)),
            ExprKind::Temporal(TemporalOp::F, a) => Formula::Finally(Box::new(sub(a)?)),
            ExprKind::Temporal(TemporalOp::G, a) => Formula::Globally(Box::new(sub(a)?)),
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
                self.instantiate(atoms, locals, binders, &mut |oracle, atoms, locals| {
                    let filter = match filter {
                        Some(filter) => Some(oracle.formula(atoms, locals, filter)?),
                        None => None,
                    };
                    let body = oracle.formula(atoms, locals, body)?;
                    parts.push(match (filter, quantifier) {
                        (None, _) => body,
                        (Some(filter), Quantifier::Forall) => Formula::Or(vec![filter.not(), body]),
                        (Some(filter), _) => Formula::And(vec![filter, body]),
                    });
                    Some(())
                })?;
                match quantifier {
                    Quantifier::Forall => Formula::And(parts),
                    Quantifier::Exists => Formula::Or(parts),
                    other => panic!("not over formulas: {other:?}"),
                }
            }
            other => panic!("no temporal formula: {other:?}"),
        })
    }

    /// Does something for each combination of values of the names.
    fn instantiate(
        &self,
        atoms: &mut Atoms<'_>,
        locals: &mut Vec<(LocalId, Value)>,
        binders: &[Binder],
        work: &mut dyn FnMut(&Self, &mut Atoms<'_>, &mut Vec<(LocalId, Value)>) -> Option<()>,
    ) -> Option<()> {
        let Some((first, rest)) = binders.split_first() else { return work(self, atoms, locals) };
        for value in self.local_values(first.local).iter() {
            locals.push((first.local, value.clone()));
            self.instantiate(atoms, locals, rest, work)?;
            locals.pop();
        }
        Some(())
    }

    /// An atom with its names bound, looked at in all states.
    fn atom(&self, atoms: &mut Atoms<'_>, locals: &mut [(LocalId, Value)], expr: &Expr) -> Option<Formula> {
        atoms.made += 1;
        if atoms.made > MAX_ATOMS {
            return None;
        }
        let mut values = Vec::new();
        for (state, &distance) in atoms.reached.states.iter().zip(&atoms.reached.distance) {
            let mut world = World { state: state.clone(), locals: locals.to_vec() };
            let value = self.truth(&mut world, expr);
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
        Some(Formula::Atom(number))
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
