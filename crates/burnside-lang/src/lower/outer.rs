//! What a guard has to ask besides what its rule says: the constraint of the model, and that no rule of
//! higher priority is enabled.
//!
//! Entry points: `outer_conditions`, before any rule is lowered, and `outer_guard`. Both conditions are
//! functions of the system without parameters, so that each stands in it once, and whatever runs a guard,
//! moves it or proves something about it knows nothing of them. `enabled` asks for priorities but not for the
//! constraint: what is asked of a state does not depend on whether something is tried there.

use super::Lowering;
use crate::hir::{self, RuleId};
use burnside_ts::{self as ts, Conjunct, FunctionId};
use std::collections::{BTreeMap, BTreeSet};

/// The functions, as far as they are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Outer {
    constraint: Option<FunctionId>,
    /// By priority: whether some rule of a higher one is enabled.
    blocked: BTreeMap<i64, FunctionId>,
}

impl Lowering<'_> {
    /// Appends the functions to those of the model.
    pub(super) fn outer_conditions(&mut self, mut functions: Vec<ts::Function>) -> Vec<ts::Function> {
        let mut add = |body: ts::Expr| {
            let id = FunctionId(functions.len() as u32);
            functions.push(ts::Function { params: Box::new([]), body: ts::Body::Scalar(body), kept: false });
            id
        };
        let model = self.model;
        // From the highest on: a guard may ask for a rule of a priority that is not lower.
        let priorities: BTreeSet<i64> = model.rules.iter().map(|rule| rule.priority).collect();
        for &priority in priorities.iter().rev().skip(1) {
            let ids = (0..model.rules.len() as u32).map(RuleId);
            let higher: Vec<RuleId> =
                ids.filter(|rule| model.rules[rule.index()].priority > priority).collect();
            let blocked = add(self.some_guard(&higher));
            self.outer.blocked.insert(priority, blocked);
        }
        if !model.constraints.is_empty() {
            let parts: Vec<ts::Expr> = model.constraints.iter().map(|part| self.scalar(part)).collect();
            self.outer.constraint = Some(add(ts::Expr::all(parts.into_iter())));
        }
        self.results.resize(functions.len(), 0);
        functions
    }

    /// The constraint with its text.
    pub(super) fn constraint(&self) -> Option<ts::Constraint> {
        let texts: Vec<String> = self.model.constraints.iter().map(|part| self.quote(part.span)).collect();
        let condition = ts::Expr::Call(self.outer.constraint?);
        Some(ts::Constraint { text: texts.join(" && "), condition })
    }

    /// What comes before the guard of a rule.
    pub(super) fn outer_guard(&mut self, rule: &hir::Rule) -> Vec<Conjunct> {
        let within = self.outer.constraint;
        let within = within.map(|id| Conjunct { level: 0, condition: ts::Expr::Call(id) });
        within.into_iter().chain(self.not_blocked(rule)).collect()
    }

    /// No rule of higher priority is enabled, if there are any.
    pub(super) fn not_blocked(&mut self, rule: &hir::Rule) -> Vec<Conjunct> {
        if self.reads_before() {
            // The functions read the state after the step.
            let ids = (0..self.model.rules.len() as u32).map(RuleId);
            let higher: Vec<RuleId> =
                ids.filter(|id| self.model.rules[id.index()].priority > rule.priority).collect();
            let blocked = (!higher.is_empty()).then(|| self.some_guard(&higher));
            return blocked.map(|it| Conjunct { level: 0, condition: it.negate() }).into_iter().collect();
        }
        let blocked = self.outer.blocked.get(&rule.priority);
        let not =
            |&id: &FunctionId| Conjunct { level: 0, condition: ts::Expr::Not(Box::new(ts::Expr::Call(id))) };
        blocked.map(not).into_iter().collect()
    }
}
