//! Branching-time properties by brute force: quantifiers are written out over all values, and each operator
//! is a fixpoint over the whole graph.
//!
//! Entry point: [`Oracle::ctl`] for a property of a model. `paths` says where formulas are true, `tree`
//! whether evidence is right.

mod formula;
mod paths;
#[cfg(test)]
mod small_worlds;
mod tree;

pub use paths::Setting;
pub(super) use paths::{Paths, Truth};
pub use tree::{Looked, Texts};

use super::Oracle;
use super::explore::{Finding, Reached};
use super::ltl::{Atoms, Runs};
use super::value::Value;
use burnside_lang::hir::{Expr, ExprKind, LocalId, PathOp, Quantifier, UntilOp};
use formula::{Connective, Formula, Operator};

/// Larger formulas are not judged.
const MAX_PARTS: usize = 3000;

/// A formula without names, and where it and its parts are true, in each setting.
#[derive(Clone, Debug)]
pub(super) struct Branching {
    pub formula: Formula,
    pub truths: Vec<Truth>,
}

/// What was found about a formula.
pub(super) struct Judged {
    /// With the fairness of the model, without any, and with weak fairness only.
    pub findings: [Finding; 3],
    /// With the fairness of the model and without any, if paths end in deadlocks.
    pub maximal: [Finding; 2],
    pub branching: Option<Branching>,
}

/// All paths, in each setting and as if strong fairness were weak.
#[derive(Clone, Debug)]
pub(super) struct AllPaths {
    initial: Vec<usize>,
    pub settings: Vec<Paths>,
    weak: Paths,
}

impl AllPaths {
    pub fn new(runs: &Runs, dead: &[bool]) -> Self {
        let settings = Setting::ALL.map(|setting| Paths::new(runs, dead, setting)).to_vec();
        let weakly = Runs { weak: runs.weak | runs.strong, strong: 0, ..runs.clone() };
        let weak = Paths::new(&weakly, dead, Setting { fair: true, maximal: false });
        Self { initial: runs.initial.clone(), settings, weak }
    }

    fn finding(&self, truth: &Truth) -> Finding {
        match self.initial.iter().all(|&state| truth.here[state]) {
            true => Finding::Holds(None),
            false => Finding::Violated(None),
        }
    }
}

impl Judged {
    fn same(finding: Finding) -> Self {
        Self { findings: [finding; 3], maximal: [finding; 2], branching: None }
    }
}

impl Oracle<'_> {
    /// What is true of a formula.
    pub(super) fn ctl(&self, reached: &Reached, paths: Option<&AllPaths>, expr: &Expr) -> Judged {
        let mut atoms = Atoms::new(reached);
        let mut rest = MAX_PARTS;
        let Some(formula) = self.branching(&mut atoms, &mut rest, &mut Vec::new(), expr) else {
            return Judged::same(Finding::Unaffordable);
        };
        if let Some(distance) = atoms.fault {
            return Judged::same(Finding::Undefined(distance));
        }
        let Some(paths) = paths else { return Judged::same(Finding::Unaffordable) };
        let truth = |paths: &Paths| paths.truth(&atoms.values, &formula);
        let truths: Vec<Truth> = paths.settings.iter().map(truth).collect();
        let weak = paths.finding(&truth(&paths.weak));
        let found = |fair: bool, maximal: bool| paths.finding(&truths[Setting { fair, maximal }.place()]);
        Judged {
            findings: [found(true, false), found(false, false), weak],
            maximal: [found(true, true), found(false, true)],
            branching: Some(Branching { formula, truths }),
        }
    }

    /// The formula without names; `None` if it is too large.
    fn branching(
        &self,
        atoms: &mut Atoms<'_>,
        rest: &mut usize,
        locals: &mut Vec<(LocalId, Value)>,
        expr: &Expr,
    ) -> Option<Formula> {
        *rest = rest.checked_sub(1)?;
        if !is_temporal(expr) {
            return Some(Formula::Atom(self.atom(atoms, locals, expr)?));
        }
        let mut sub = |expr: &Expr| self.branching(atoms, rest, locals, expr);
        let mut join =
            |connective, a: &Expr, b: &Expr| Some(Formula::Join(connective, Box::new([sub(a)?, sub(b)?])));
        match &expr.kind {
            ExprKind::Not(a) => Some(Formula::Not(Box::new(sub(a)?))),
            ExprKind::And(a, b) => join(Connective::And, a, b),
            ExprKind::Or(a, b) => join(Connective::Or, a, b),
            ExprKind::Implies(a, b) => join(Connective::Implies, a, b),
            ExprKind::Iff(a, b) => join(Connective::Iff, a, b),
            ExprKind::Temporal(operator, a) => {
                let exists = operator.exists.expect("branching time");
                let operator = match operator.op {
                    PathOp::X => Operator::Next,
                    PathOp::F => Operator::Finally,
                    PathOp::G => Operator::Globally,
                };
                Some(Formula::Path { exists, operator, parts: vec![sub(a)?] })
            }
            ExprKind::Path { exists, body } => {
                let ExprKind::Until(operator, a, b) = &body.kind else { panic!("not of a path: {body:?}") };
                let operator = match operator {
                    UntilOp::U => Operator::Until,
                    UntilOp::R => Operator::Release,
                    UntilOp::W => Operator::WeakUntil,
                    UntilOp::M => Operator::StrongRelease,
                };
                Some(Formula::Path { exists: *exists, operator, parts: vec![sub(a)?, sub(b)?] })
            }
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                let exists = match quantifier {
                    Quantifier::Forall => false,
                    Quantifier::Exists => true,
                    other => panic!("not over formulas: {other:?}"),
                };
                let names: Vec<LocalId> = binders.iter().map(|binder| binder.local).collect();
                let mut inside = |locals: &mut Vec<(LocalId, Value)>| {
                    let Some(filter) = filter else { return self.branching(atoms, rest, locals, body) };
                    let filter = self.branching(atoms, rest, locals, filter)?;
                    let body = self.branching(atoms, rest, locals, body)?;
                    let connective = if exists { Connective::And } else { Connective::Implies };
                    Some(Formula::Join(connective, Box::new([filter, body])))
                };
                self.quantified(exists, &names, locals, &mut inside)
            }
            other => panic!("no temporal formula: {other:?}"),
        }
    }

    /// One quantifier inside the other, written out.
    fn quantified(
        &self,
        exists: bool,
        names: &[LocalId],
        locals: &mut Vec<(LocalId, Value)>,
        inside: Inside<'_>,
    ) -> Option<Formula> {
        let Some((&name, names)) = names.split_first() else { return inside(locals) };
        let mut parts = Vec::new();
        for value in self.local_values(name).iter() {
            locals.push((name, value.clone()));
            parts.push(self.quantified(exists, names, locals, inside)?);
            locals.pop();
        }
        Some(Formula::Quantified { exists, parts })
    }
}

/// Whether a temporal operator is inside. What has none is an atom as a whole.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Path { .. } => true,
        ExprKind::Not(a) => is_temporal(a),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => {
            is_temporal(a) || is_temporal(b)
        }
        ExprKind::Quantify { body, .. } => is_temporal(body),
        _ => false,
    }
}

/// Makes the formula inside quantifiers from the values of their names.
type Inside<'f> = &'f mut dyn FnMut(&mut Vec<(LocalId, Value)>) -> Option<Formula>;
