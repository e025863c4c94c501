//! Warns about guards that are never true, claims that cannot fail, and locations that nobody goes to, as far
//! as that shows without exploring a state.
//!
//! A condition in which the text names a constant is left alone: such constants are switches and sizes.

use super::Checker;
use super::interval::Interval;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Initial, PropertyKind, Rule, Stmt, StmtKind, Ty, VarId};
use burnside_ts::Type;
use std::collections::BTreeSet;

impl Checker<'_> {
    pub(super) fn warn_trivial(&mut self) {
        if self.has_errors() {
            return;
        }
        let unreached = self.unreached_locations();
        let rules: Vec<Rule> = self.rules.iter().flatten().cloned().collect();
        for rule in &rules {
            self.warn_never_enabled(rule, &unreached);
        }
        for property in self.properties.clone() {
            self.warn_trivial_claim(&property.kind);
        }
    }

    fn warn_never_enabled(&mut self, rule: &Rule, unreached: &BTreeSet<(VarId, i64)>) {
        let code = Code::NeverEnabled;
        for conjunct in &rule.guard {
            if self.names_constant(conjunct.span) {
                continue;
            }
            if self.truth(conjunct) == Some(false) {
                let message = format!("this is never true, so `{}` never fires", rule.name);
                self.report(Diagnostic::warning(code, conjunct.span, message));
                return;
            }
        }
        if let Some((first, second)) = contradiction(&rule.guard) {
            let message = format!("this contradicts another condition, so `{}` never fires", rule.name);
            self.report(Diagnostic::warning(code, second, message).note(first, "the other condition"));
            return;
        }
        for conjunct in &rule.guard {
            if let Some((Expr { kind: ExprKind::Var(var, _), .. }, values)) = pinned(conjunct)
                && values.iter().all(|value| unreached.contains(&(*var, *value)))
            {
                let message = format!("no rule goes to this location, so `{}` never fires", rule.name);
                self.report(Diagnostic::warning(code, conjunct.span, message));
                return;
            }
        }
    }

    fn warn_trivial_claim(&mut self, kind: &PropertyKind) {
        let (body, what) = match kind {
            PropertyKind::Invariant(body) => (body, "invariant"),
            PropertyKind::Reachable(body) => (body, "condition"),
            _ => return,
        };
        if self.names_constant(body.span) {
            return;
        }
        if let Some(truth) = self.truth(body) {
            let always = if truth { "always true" } else { "never true" };
            let message = format!("this {what} is {always}, whatever the model does");
            self.report(Diagnostic::warning(Code::TrivialProperty, body.span, message));
        }
    }

    /// Whether the text there names a constant.
    fn names_constant(&self, span: Span) -> bool {
        self.constant_uses.iter().any(|used| span.start <= used.start && used.end <= span.end)
    }

    /// The truth of a condition, if types and constants decide it.
    fn truth(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Const(value) if e.ty == Ty::Of(self.boolean) => Some(*value != 0),
            ExprKind::Not(a) => self.truth(a).map(|truth| !truth),
            ExprKind::And(a, b) => decide(self.truth(a), self.truth(b), false),
            ExprKind::Or(a, b) => decide(self.truth(a), self.truth(b), true),
            ExprKind::Implies(a, b) => decide(self.truth(a).map(|truth| !truth), self.truth(b), true),
            ExprKind::Iff(a, b) => Some(self.truth(a)? == self.truth(b)?),
            ExprKind::Let(_, _, body) => self.truth(body),
            ExprKind::Equal(negated, a, b) => self.equal_truth(a, b).map(|equal| equal != *negated),
            ExprKind::Less { left, right, or_equal } => self.less_truth(left, right, *or_equal),
            _ => None,
        }
    }

    fn equal_truth(&self, a: &Expr, b: &Expr) -> Option<bool> {
        if let (ExprKind::Const(a), ExprKind::Const(b)) = (&a.kind, &b.kind) {
            return Some(a == b);
        }
        (a.ty == Ty::Int && self.interval(a).disjoint(self.interval(b))).then_some(false)
    }

    fn less_truth(&self, left: &Expr, right: &Expr, or_equal: bool) -> Option<bool> {
        let (left, right) = match left.ty {
            Ty::Int => (self.interval(left), self.interval(right)),
            Ty::Of(_) => (self.positions(left), self.positions(right)),
        };
        if left.hi < right.lo || or_equal && left.hi == right.lo {
            Some(true)
        } else if right.hi < left.lo || !or_equal && right.hi == left.lo {
            Some(false)
        } else {
            None
        }
    }

    /// Bounds of the position of an enum constant or element.
    fn positions(&self, e: &Expr) -> Interval {
        match (&e.kind, e.ty) {
            (ExprKind::Const(value), _) => Interval::one(*value),
            (_, Ty::Of(id)) => {
                self.types.size(id).map_or(Interval::ALL, |size| Interval::new(0, i128::from(size) - 1))
            }
            _ => Interval::ALL,
        }
    }

    /// Locations that are not the first and that no statement goes to; each is reported.
    fn unreached_locations(&mut self) -> BTreeSet<(VarId, i64)> {
        let mut writes = StoredValues::default();
        self.rules.iter().flatten().for_each(|rule| writes.of_block(&rule.body));
        writes.of_block(&self.init);
        let mut unreached = BTreeSet::new();
        for index in 0..self.names.processes.len() {
            let Some((pc, ty)) = self.names.processes[index].pc else { continue };
            let Type::Enum(id) = *self.types.get(ty) else { continue };
            if writes.unknown.contains(&pc) {
                continue;
            }
            let count = self.types.enumeration(id).constants.len();
            let missing = (1..count as i64).filter(|&position| !writes.known.contains(&(pc, position)));
            unreached.extend(missing.map(|position| (pc, position)));
            let names = self.decls.locations[index].unwrap_or_default();
            for (position, name) in names.iter().enumerate() {
                if unreached.contains(&(pc, position as i64)) {
                    let message = format!("no rule goes to the location `{}`", name.text);
                    self.report(Diagnostic::warning(Code::UnreachedLocation, name.span, message));
                }
            }
        }
        unreached
    }
}

/// `decides` if one of them is that, its opposite if both are, else unknown.
fn decide(a: Option<bool>, b: Option<bool>, decides: bool) -> Option<bool> {
    if a == Some(decides) || b == Some(decides) {
        return Some(decides);
    }
    a.and(b)
}

/// Two conjuncts that want one place to be different constants.
fn contradiction(guard: &[Expr]) -> Option<(Span, Span)> {
    for (i, second) in guard.iter().enumerate() {
        let Some((place, values)) = pinned(second) else { continue };
        for first in &guard[..i] {
            if let Some((other, wanted)) = pinned(first)
                && !values.iter().any(|value| wanted.contains(value))
                && same(place, other)
            {
                return Some((first.span, second.span));
            }
        }
    }
    None
}

/// `place == constant`, or `place == constant || place == other || …`: the place and the constants.
fn pinned(e: &Expr) -> Option<(&Expr, Vec<i64>)> {
    match &e.kind {
        ExprKind::Equal(false, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Const(value)) if a.is_place() => Some((a, vec![*value])),
            (ExprKind::Const(value), _) if b.is_place() => Some((b, vec![*value])),
            _ => None,
        },
        ExprKind::Or(a, b) => {
            let ((a, mut values), (b, more)) = (pinned(a)?, pinned(b)?);
            values.extend(more);
            same(a, b).then_some((a, values))
        }
        _ => None,
    }
}

/// Whether two places are written alike.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Var(a, i), ExprKind::Var(b, j)) => {
            a == b && i.len() == j.len() && i.iter().zip(j).all(|(i, j)| same(i, j))
        }
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => same(a, b) && same(i, j),
        (ExprKind::Field(a, i), ExprKind::Field(b, j)) => i == j && same(a, b),
        (ExprKind::Unwrap(a), ExprKind::Unwrap(b)) => same(a, b),
        _ => false,
    }
}

/// What statements store in variables as a whole.
#[derive(Default)]
struct StoredValues {
    known: BTreeSet<(VarId, i64)>,
    unknown: BTreeSet<VarId>,
}

impl StoredValues {
    fn of_block(&mut self, block: &[Stmt]) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Assign(Expr { kind: ExprKind::Var(var, _), .. }, value) => {
                    self.of_value(*var, value)
                }
                StmtKind::If(_, then, otherwise) => {
                    self.of_block(then);
                    self.of_block(otherwise);
                }
                StmtKind::For(_, _, body) => self.of_block(body),
                _ => {}
            }
        }
    }

    fn of_value(&mut self, var: VarId, value: &Initial) {
        if let Initial::Value(Expr { kind: ExprKind::Const(value), .. }) = value {
            self.known.insert((var, *value));
        } else {
            self.unknown.insert(var);
        }
    }
}
