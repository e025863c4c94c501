//! Properties: temporal operators where the kind of property allows them, sequences, and the deadlock
//! setting. Hints.

use super::Checker;
use super::expr::strip;
use super::scope::{Context, Global};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Hint, Property, PropertyKind, Sequence};
use crate::syntax::ast::{self, BinaryOp, Quantifier, SequenceKind, UnaryOp};
use burnside_logic::operator::{PathOp, TemporalOp, UntilOp};

/// Whether temporal formulas may stand directly below this kind of expression.
pub(super) fn carries_temporal(kind: &ast::ExprKind) -> bool {
    use ast::ExprKind as Kind;
    match kind {
        Kind::Paren(_) | Kind::Unary(UnaryOp::Not, _) => true,
        Kind::Temporal(..) | Kind::Until(..) | Kind::LeadsTo(..) | Kind::Path { .. } => true,
        Kind::Binary(op, ..) => {
            matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff)
        }
        Kind::Chain(_, ops) => {
            ops.iter().all(|op| matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Iff))
        }
        Kind::Quantify { quantifier, .. } => matches!(quantifier, Quantifier::Forall | Quantifier::Exists),
        _ => false,
    }
}

impl Checker<'_> {
    pub(super) fn property(&mut self, property: &ast::Property, span: Span) {
        use ast::Property as Kind;
        let (name, span, kind) = match property {
            Kind::Deadlock { allowed } => return self.deadlock(*allowed, span),
            Kind::Invariant { name, body } => {
                (name, body.span, self.claim(Context::State, body, PropertyKind::Invariant))
            }
            Kind::Reachable { name, body } => {
                (name, body.span, self.claim(Context::State, body, PropertyKind::Reachable))
            }
            Kind::Ltl { name, body } => (name, body.span, self.claim(Context::Ltl, body, PropertyKind::Ltl)),
            Kind::Ctl { name, body } => (name, body.span, self.claim(Context::Ctl, body, PropertyKind::Ctl)),
            Kind::Never { name, body } => (name, body.span, self.never(body)),
        };
        let named = self.name_property(name);
        if let (true, Some(kind)) = (named, kind) {
            self.properties.push(Property { name: name.text.clone(), span, kind });
        }
    }

    /// A hint is a condition like that of an invariant. Its name only has to differ from those of other
    /// hints.
    pub(super) fn hint(&mut self, name: &ast::Name, body: &ast::Expr) {
        let env = self.process_env(Context::State, None);
        let condition = self.within(env, |checker| checker.condition(body)).0;
        if let Some(&first) = self.names.hints.get(&name.text) {
            return self.duplicate(name, first);
        }
        self.names.hints.insert(name.text.clone(), name.span);
        let hint = |condition| Hint { name: name.text.clone(), span: body.span, condition };
        self.hints.extend(condition.map(hint));
    }

    fn name_property(&mut self, name: &ast::Name) -> bool {
        if ["deadlock", "faults"].contains(&name.text.as_str()) {
            let message = format!("`{}` is the name of a check that every model has", name.text);
            self.report(
                Diagnostic::error(Code::ReservedName, name.span, message).help("choose another name"),
            );
            return false;
        }
        if let Some(&first) = self.names.properties.get(&name.text) {
            self.duplicate(name, first);
            return false;
        }
        self.names.properties.insert(name.text.clone(), name.span);
        true
    }

    fn deadlock(&mut self, allowed: bool, span: Span) {
        if let Some((first, before)) = self.deadlock_setting
            && before != allowed
        {
            let message = "`deadlock free` and `deadlock allowed` contradict each other";
            self.report(
                Diagnostic::error(Code::DeadlockConflict, span, message).note(first, "the other is here"),
            );
            return;
        }
        self.deadlock_setting = Some((span, allowed));
        self.deadlock_free = !allowed;
    }

    fn claim(
        &mut self,
        context: Context,
        body: &ast::Expr,
        kind: fn(Expr) -> PropertyKind,
    ) -> Option<PropertyKind> {
        let env = self.process_env(context, None);
        self.within(env, |checker| checker.condition(body)).0.map(kind)
    }

    /// A condition on a state, by itself. The name of a function without parameters stands for a call of it.
    pub(super) fn state_condition(&mut self, condition: &ast::Expr) -> Option<Expr> {
        let env = self.process_env(Context::State, None);
        if let ast::ExprKind::Name(text) = &strip(condition).kind
            && let Some(Global::Function(_)) = self.names.globals.get(text)
        {
            let name = ast::Name { text: text.clone(), span: condition.span };
            let call = ast::Expr { span: condition.span, kind: ast::ExprKind::Call(name, Vec::new()) };
            return self.within(env, |checker| checker.condition(&call)).0;
        }
        self.within(env, |checker| checker.condition(condition)).0
    }

    fn never(&mut self, body: &ast::Sequence) -> Option<PropertyKind> {
        let env = self.process_env(Context::State, None);
        let sequence = self.within(env, |checker| checker.sequence(body)).0?;
        if matches_nothing(&sequence) {
            let message = "this sequence also matches no state at all, so every run would have it";
            let help = "repeat at least once with `[+]`";
            self.report(Diagnostic::error(Code::EmptySequence, body.span, message).help(help));
            return None;
        }
        Some(PropertyKind::Never(sequence))
    }

    fn sequence(&mut self, s: &ast::Sequence) -> Option<Sequence> {
        match &s.kind {
            SequenceKind::State(e) => self.condition(e).map(Sequence::State),
            SequenceKind::Then(parts) => self.sequences(parts).map(Sequence::Then),
            SequenceKind::Or(parts) => self.sequences(parts).map(Sequence::Or),
            SequenceKind::Group(inner) => self.sequence(inner),
            SequenceKind::Repeat { body, least, most } => {
                let body = self.sequence(body);
                if most.is_some_and(|most| most < *least || most == 0) {
                    self.error(Code::EmptyRepetition, s.span, "this repetition has no length");
                    return None;
                }
                Some(Sequence::Repeat { body: Box::new(body?), least: *least, most: *most })
            }
        }
    }

    fn sequences(&mut self, parts: &[ast::Sequence]) -> Option<Vec<Sequence>> {
        let parts: Vec<Option<Sequence>> = parts.iter().map(|part| self.sequence(part)).collect();
        parts.into_iter().collect()
    }

    /// `G p`, `AF p`
    pub(super) fn temporal(&mut self, span: Span, op: TemporalOp, written: &ast::Expr) -> Option<Expr> {
        let allowed = self.temporal_allowed(span) && self.operator_allowed(span, op);
        let body = self.below(allowed, |checker| checker.condition(written));
        let body = body.filter(|_| allowed)?;
        self.warn_next_of_comparison(span, op.op, written, &body);
        Some(self.boolean(span, ExprKind::Temporal(op, Box::new(body))))
    }

    /// Below a misplaced operator only the first one is reported.
    fn below<T>(&mut self, allowed: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let muted = self.temporal_muted;
        self.temporal_muted |= !allowed;
        let result = work(self);
        self.temporal_muted = muted;
        result
    }

    fn temporal_allowed(&mut self, span: Span) -> bool {
        if self.env.temporal || self.temporal_muted {
            return self.env.temporal;
        }
        if matches!(self.env.context, Context::Ltl | Context::Ctl) {
            let message = "a temporal operator cannot stand inside this expression";
            let help = "above a temporal operator only `!`, `&&`, `||`, `->`, `<->`, and `forall` and `exists` over types may stand";
            self.report(Diagnostic::error(Code::TemporalInsideExpression, span, message).help(help));
        } else {
            let message = "a temporal operator cannot stand here";
            let help = "temporal operators are for `ltl` and `ctl` properties";
            self.report(Diagnostic::error(Code::TemporalOutsideProperty, span, message).help(help));
        }
        false
    }

    fn operator_allowed(&mut self, span: Span, op: TemporalOp) -> bool {
        let diagnostic = match (self.env.context, op.exists) {
            (Context::Ltl, Some(_)) => {
                let message = format!("`{op}` is an operator of `ctl` properties");
                let help = format!("write `{:?}`, or make this a `ctl` property", op.op);
                Diagnostic::error(Code::CtlOperatorInLtl, span, message).help(help)
            }
            (Context::Ctl, None) => {
                let message = format!("`{op}` is an operator of `ltl` properties");
                Diagnostic::error(Code::LtlOperatorInCtl, span, message)
                    .help(format!("write `A{op}` or `E{op}`"))
            }
            _ => return true,
        };
        if !self.temporal_muted {
            self.report(diagnostic);
        }
        false
    }

    /// `p U q` outside `A[…]` and `E[…]`
    pub(super) fn until(&mut self, span: Span, op: UntilOp, a: &ast::Expr, b: &ast::Expr) -> Option<Expr> {
        let mut allowed = self.temporal_allowed(span);
        if allowed && self.env.context == Context::Ctl {
            if !self.temporal_muted {
                let message = format!("`{op:?}` needs a path quantifier in `ctl`");
                let diagnostic = Diagnostic::error(Code::LtlOperatorInCtl, span, message);
                self.report(diagnostic.help(format!("write `A[p {op:?} q]` or `E[p {op:?} q]`")));
            }
            allowed = false;
        }
        self.until_of(span, op, (a, b), allowed)
    }

    fn until_of(
        &mut self,
        span: Span,
        op: UntilOp,
        (a, b): (&ast::Expr, &ast::Expr),
        allowed: bool,
    ) -> Option<Expr> {
        let (a, b) = self.below(allowed, |checker| (checker.condition(a), checker.condition(b)));
        let until = self.boolean(span, ExprKind::Until(op, Box::new(a?), Box::new(b?)));
        allowed.then_some(until)
    }

    /// `p ~> q` is `G (p -> F q)`.
    pub(super) fn leads_to(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr) -> Option<Expr> {
        let allowed = self.temporal_allowed(span);
        let (a, b) = self.below(allowed, |checker| (checker.condition(a), checker.condition(b)));
        let (a, b) = (a.filter(|_| allowed)?, b?);
        let temporal = |op, span, body| {
            let op = TemporalOp { exists: None, op };
            self.boolean(span, ExprKind::Temporal(op, Box::new(body)))
        };
        let finally = temporal(PathOp::F, b.span, b);
        let implies = self.boolean(span, ExprKind::Implies(Box::new(a), Box::new(finally)));
        Some(temporal(PathOp::G, span, implies))
    }

    /// `A[p U q]`, `E[p U q]`
    pub(super) fn path(&mut self, span: Span, exists: bool, body: &ast::Expr) -> Option<Expr> {
        let mut allowed = self.temporal_allowed(span);
        let quantifier = if exists { "E" } else { "A" };
        if allowed && self.env.context == Context::Ltl {
            if !self.temporal_muted {
                let message = format!("`{quantifier}[…]` is for `ctl` properties");
                let diagnostic = Diagnostic::error(Code::CtlOperatorInLtl, span, message);
                self.report(diagnostic.help("leave it out, or make this a `ctl` property"));
            }
            allowed = false;
        }
        let ast::ExprKind::Until(op, a, b) = &strip(body).kind else {
            self.below(false, |checker| checker.condition(body));
            if allowed && !matches!(strip(body).kind, ast::ExprKind::Error) {
                let message = format!("`{quantifier}[…]` needs `U`, `R`, `W` or `M` inside");
                self.error(Code::BadPathFormula, body.span, message);
            }
            return None;
        };
        let body = self.until_of(body.span, *op, (a, b), allowed)?;
        Some(self.boolean(span, ExprKind::Path { exists, body: Box::new(body) }))
    }
}

/// Whether the sequence matches the empty sequence of states.
fn matches_nothing(s: &Sequence) -> bool {
    match s {
        Sequence::State(_) => false,
        Sequence::Then(parts) => parts.iter().all(matches_nothing),
        Sequence::Or(parts) => parts.iter().any(matches_nothing),
        Sequence::Repeat { body, least, .. } => *least == 0 || matches_nothing(body),
    }
}
