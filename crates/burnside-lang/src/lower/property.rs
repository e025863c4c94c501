//! Properties: temporal formulas are taken apart down to conditions on states. Hints.

use super::Lowering;
use super::before::has_next;
use super::probe::ProbeRole;
use crate::diagnostic::Span;
use crate::hir::{self, Expr, ExprKind, PathOp, PropertyKind, Quantifier, TemporalOp, UntilOp};
use burnside_limits::poll;
use burnside_ts::{self as ts, Formula, Path, Sequence, Temporal};

impl Lowering<'_> {
    /// `named` is the symmetry that is left if elements that are named are moved along.
    pub(super) fn property(
        &mut self,
        property: &hir::Property,
        symmetry: ts::Symmetry,
        named: ts::Symmetry,
    ) -> ts::Property {
        self.frame.restart();
        let question = match &property.kind {
            PropertyKind::Invariant(condition) => ts::Question::Invariant(self.scalar(condition)),
            PropertyKind::Reachable(condition) => ts::Question::Reachable(self.scalar(condition)),
            PropertyKind::Never(sequence) => ts::Question::Sequence(self.sequence(sequence)),
            PropertyKind::Ltl(formula) => ts::Question::Linear(self.formula(formula)),
            PropertyKind::Ctl(formula) => ts::Question::Branching(self.formula(formula)),
        };
        let named = match &property.kind {
            PropertyKind::Ltl(formula) if named != symmetry && !has_next(formula) => {
                self.named(formula, property.span, named)
            }
            _ => None,
        };
        let text = self.quote(property.span);
        ts::Property { name: property.name.clone(), text, question, symmetry, named }
    }

    pub(super) fn observed(&mut self, observed: &hir::Observed, symmetry: ts::Symmetry) -> ts::Property {
        let conditions = observed.conditions.iter().map(|condition| {
            self.frame.restart();
            self.scalar(condition)
        });
        let question = ts::Question::Automaton(observed.automaton.clone(), conditions.collect());
        let (name, text) = (observed.name.clone(), observed.text.clone());
        ts::Property { name, text, question, symmetry, named: None }
    }

    pub(super) fn hint(&mut self, hint: &hir::Hint) -> ts::Hint {
        self.frame.restart();
        let condition = self.scalar(&hint.condition);
        ts::Hint { name: hint.name.clone(), text: self.quote(hint.span), condition }
    }

    pub(super) fn quote(&self, span: Span) -> String {
        span.text(self.source).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn sequence(&mut self, sequence: &hir::Sequence) -> Sequence {
        match sequence {
            hir::Sequence::State(condition) => Sequence::State(self.scalar(condition)),
            hir::Sequence::Then(parts) => {
                Sequence::Then(parts.iter().map(|part| self.sequence(part)).collect())
            }
            hir::Sequence::Or(parts) => Sequence::Or(parts.iter().map(|part| self.sequence(part)).collect()),
            hir::Sequence::Repeat { body, least, most } => {
                Sequence::Repeat(Box::new(self.sequence(body)), *least, *most)
            }
        }
    }

    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        poll();
        if !is_temporal(expr) {
            return match has_next(expr) {
                true => self.step_condition(expr),
                false => Formula::Atom(self.scalar(expr), self.quote(expr.span)),
            };
        }
        self.connective(expr)
    }

    /// A formula with an operator at the top.
    pub(super) fn connective(&mut self, expr: &Expr) -> Formula {
        match &expr.kind {
            ExprKind::Not(inner) => Formula::Not(Box::new(self.formula(inner))),
            ExprKind::And(left, right) => Formula::And(self.formulas(left, right)),
            ExprKind::Or(left, right) => Formula::Or(self.formulas(left, right)),
            ExprKind::Implies(left, right) => {
                let premise = self.premise(left, expr.span);
                Formula::Implies(Box::new([premise, self.formula(right)]))
            }
            ExprKind::Iff(left, right) => Formula::Iff(self.formulas(left, right)),
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                self.quantified(*quantifier, binders, filter.as_deref(), body, expr.span)
            }
            ExprKind::Temporal(op, inner) => self.temporal(*op, inner),
            ExprKind::Until(op, left, right) => self.until(None, *op, left, right),
            ExprKind::Path { exists, body } => {
                let ExprKind::Until(op, left, right) = &body.kind else {
                    unreachable!("a path formula is an until")
                };
                self.until(Some(path(*exists)), *op, left, right)
            }
            _ => unreachable!("no temporal operator inside this"),
        }
    }

    /// What is assumed in an implication.
    fn premise(&mut self, premise: &Expr, scope: Span) -> Formula {
        match is_temporal(premise) || has_next(premise) {
            true => self.formula(premise),
            false => {
                let condition = self.watched(premise, ProbeRole::Premise, scope);
                Formula::Atom(condition, self.quote(premise.span))
            }
        }
    }

    fn formulas(&mut self, left: &Expr, right: &Expr) -> Box<[Formula; 2]> {
        Box::new([self.formula(left), self.formula(right)])
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[hir::Binder],
        filter: Option<&Expr>,
        body: &Expr,
        span: Span,
    ) -> Formula {
        let forall = quantifier == Quantifier::Forall;
        let binders = self.binders(binders);
        let filter = filter.map(|filter| match forall {
            true => self.premise(filter, span),
            false => self.formula(filter),
        });
        let body = self.formula(body);
        let body = match filter {
            None => body,
            Some(filter) if forall => Formula::Implies(Box::new([filter, body])),
            Some(filter) => Formula::And(Box::new([filter, body])),
        };
        binders.into_iter().rev().fold(body, |body, binder| match forall {
            true => Formula::Forall(binder, Box::new(body)),
            false => Formula::Exists(binder, Box::new(body)),
        })
    }

    fn temporal(&mut self, op: TemporalOp, inner: &Expr) -> Formula {
        let inner = Box::new(self.formula(inner));
        let operator = match op.op {
            PathOp::X => Temporal::Next(inner),
            PathOp::F => Temporal::Finally(inner),
            PathOp::G => Temporal::Globally(inner),
        };
        Formula::Temporal(op.exists.map(path), operator)
    }

    fn until(&mut self, path: Option<Path>, op: UntilOp, left: &Expr, right: &Expr) -> Formula {
        let sides = self.formulas(left, right);
        let operator = match op {
            UntilOp::U => Temporal::Until(sides),
            UntilOp::R => Temporal::Release(sides),
            UntilOp::W => Temporal::WeakUntil(sides),
            UntilOp::M => Temporal::StrongRelease(sides),
        };
        Formula::Temporal(path, operator)
    }
}

fn path(exists: bool) -> Path {
    if exists { Path::Some } else { Path::All }
}

/// Whether a temporal operator is inside. They only stand below boolean operators and quantifiers.
pub(crate) fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::Path { .. } => true,
        ExprKind::Not(inner) => is_temporal(inner),
        ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Implies(left, right)
        | ExprKind::Iff(left, right) => is_temporal(left) || is_temporal(right),
        ExprKind::Quantify { body, .. } => is_temporal(body),
        _ => false,
    }
}
