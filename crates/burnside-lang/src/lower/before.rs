//! Conditions on steps: `x' >= x` compares the state after a step with the one before it.
//!
//! Entry point: [`Lowering::step_condition`]. The condition is lowered for a state that a step leads to, and
//! that remembers what variables were before the step (see [`burnside_ts::StepCondition`]): what is primed
//! reads the variables where they are, everything else reads them where they are remembered. Room for that is
//! given away behind the state, when a variable is first needed. Functions are there twice, one of each reads
//! what was before.
//!
//! Memory makes more states, so it is used only where it must be. A condition that is about the next state
//! alone is one under `X`. A connective of conditions that cannot fault is one of formulas.

use super::Lowering;
use crate::hir::{Domain, Expr, ExprKind, FunctionId, Quantifier, Stored, Ty, VarId};
use burnside_ts::{self as ts, Formula, Remembered, StepCondition, Temporal, Type, TypeId};
use std::collections::BTreeSet;

/// What conditions on steps remember.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// Whether variables are read as they were before the step.
    active: bool,
    /// The variables that have room, with their first bits.
    rooms: Vec<(VarId, u32)>,
    /// The first bit behind them.
    end: u32,
    /// Those that were read.
    used: BTreeSet<VarId>,
    /// Those that each function reads.
    reads: Vec<BTreeSet<VarId>>,
}

impl Lowering<'_> {
    /// All functions; if there are conditions on steps, then each once more for what was before.
    pub(super) fn functions(&mut self, kept: &[bool]) -> Vec<ts::Function> {
        let model = self.model;
        let functions = model.functions.iter().zip(kept);
        let mut lowered: Vec<_> = functions.map(|(function, &kept)| self.function(function, kept)).collect();
        let mut steps = false;
        model.properties.iter().for_each(|it| it.kind.each(&mut |formula| steps |= has_next(formula)));
        for i in 0..if steps { model.functions.len() } else { 0 } {
            self.before.active = true;
            self.before.used.clear();
            let body = self.function_body(&model.functions[i]);
            let reads = std::mem::take(&mut self.before.used);
            self.before.reads.push(reads);
            lowered.push(ts::Function { body, ..lowered[i].clone() });
        }
        self.before.active = false;
        lowered
    }

    /// The function that is called: what it reads is from before the step if that is what is read here.
    pub(super) fn called(&mut self, function: FunctionId) -> ts::FunctionId {
        if !self.before.active {
            return ts::FunctionId(function.0);
        }
        let reads = self.before.reads[function.index()].clone();
        self.before.used.extend(reads);
        ts::FunctionId(function.0 + self.model.functions.len() as u32)
    }

    /// The first bit of a variable.
    pub(super) fn offset(&mut self, var: VarId) -> u32 {
        let ts::Var { ty, offset, .. } = *self.var(var);
        if !self.before.active {
            return offset;
        }
        self.before.used.insert(var);
        if let Some((_, offset)) = self.before.rooms.iter().find(|room| room.0 == var) {
            return *offset;
        }
        let offset = self.before.end.max(self.width);
        self.before.rooms.push((var, offset));
        self.before.end = offset + self.types.width(ty);
        offset
    }

    /// Whether variables are read as they were before the step.
    pub(super) fn reads_before(&self) -> bool {
        self.before.active
    }

    /// Lowers what is primed: it reads the state after the step.
    pub(super) fn after_step<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.before.active, false);
        let done = work(self);
        self.before.active = before;
        done
    }

    /// A condition in which something is primed.
    pub(super) fn step_condition(&mut self, expr: &Expr) -> Formula {
        let text = self.quote(expr.span);
        if !reads_now(expr) {
            let next = Formula::Atom(self.scalar(expr), text.replace('\'', ""));
            return Formula::Temporal(None, Temporal::Next(Box::new(next)));
        }
        if is_connective(expr) && self.is_faultless(expr) {
            return self.connective(expr);
        }
        self.before.active = true;
        self.before.used.clear();
        let condition = self.scalar(expr);
        self.before.active = false;
        let used = std::mem::take(&mut self.before.used);
        let room = |&(var, offset): &(VarId, u32)| Remembered {
            var: ts::VarId(var.0),
            offset,
            used: used.contains(&var),
        };
        let remembered = self.before.rooms.iter().map(room).collect();
        Formula::Step(Box::new(StepCondition { condition, text, remembered }))
    }

    /// Whether evaluating it cannot fault, seen from its parts: a cautious answer.
    fn is_faultless(&self, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::None
            | ExprKind::Field(..)
            | ExprKind::Next(_)
            | ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::Iff(..)
            | ExprKind::Equal(..)
            | ExprKind::Less { .. }
            | ExprKind::Subset(..)
            | ExprKind::In(..)
            | ExprKind::Size(_)
            | ExprKind::Majority(_) => true,
            ExprKind::Var(var, member) => {
                let process = self.model.vars[var.index()].process;
                let indices = process.map_or(&[][..], |it| &self.model.processes[it.index()].indices);
                indices
                    .iter()
                    .zip(member)
                    .all(|(&index, value)| self.is_value_of(value, self.stored_type(index)))
            }
            ExprKind::Index(base, index) => match base.ty {
                Ty::Of(ty) => match *self.types.get(ty) {
                    Type::Array { index: ty, .. } => self.is_value_of(index, ty),
                    _ => false,
                },
                Ty::Int => false,
            },
            ExprKind::Quantify { quantifier: Quantifier::Forall | Quantifier::Exists, binders, .. } => {
                binders.iter().all(|binder| matches!(binder.domain, Domain::Type))
            }
            _ => false,
        };
        let mut parts = own;
        expr.each_part(&mut |part| parts = parts && self.is_faultless(part));
        parts
    }

    /// Whether an index surely is a value of the type.
    fn is_value_of(&self, index: &Expr, ty: TypeId) -> bool {
        match (&index.kind, self.types.bounds(ty)) {
            (_, None) => index.ty == Ty::Of(ty),
            (ExprKind::Const(value), Some((lo, hi))) => (lo..=hi).contains(value),
            (ExprKind::Local(local), Some(_)) => self.model.locals[local.index()].ty == Stored::Type(ty),
            _ => false,
        }
    }
}

/// Whether something is primed in it.
pub(super) fn has_next(expr: &Expr) -> bool {
    let mut found = false;
    expr.each(&mut |part| found |= matches!(part.kind, ExprKind::Next(_)));
    found
}

/// Whether it reads the state before the step.
fn reads_now(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Next(_) => false,
        ExprKind::Var(..) | ExprKind::Call(..) | ExprKind::Enabled { .. } => true,
        _ => {
            let mut found = false;
            expr.each_part(&mut |part| found = found || reads_now(part));
            found
        }
    }
}

/// Whether a formula can be made of it and its parts. `exists` stays one condition: it would be written out.
fn is_connective(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Not(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::Iff(..) => true,
        ExprKind::Quantify { quantifier, .. } => *quantifier == Quantifier::Forall,
        _ => false,
    }
}
