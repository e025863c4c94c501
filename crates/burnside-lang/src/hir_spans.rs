//! Moving the places of a checked model to another text, for front ends that translate into our own language.
//!
//! Entry points: [`Model::map_spans`], [`Expr::map_spans`] and the like.

use crate::diagnostic::Span;
use crate::hir::{
    Binder, Domain, Expr, ExprKind, Hint, Initial, Model, Property, PropertyKind, Sequence, Stmt, StmtKind,
};
use burnside_limits::poll;

/// Where a place is in the other text.
type Map<'m> = &'m dyn Fn(Span) -> Span;

impl Model {
    /// Moves every place.
    pub fn map_spans(&mut self, map: Map<'_>) {
        for var in &mut self.vars {
            var.span = map(var.span);
            initial(&mut var.initial, map);
        }
        self.locals.iter_mut().for_each(|local| local.span = map(local.span));
        self.functions.iter_mut().for_each(|function| function.body.map_spans(map));
        self.processes.iter_mut().for_each(|process| process.span = map(process.span));
        for rule in &mut self.rules {
            rule.span = map(rule.span);
            rule.params.iter_mut().for_each(|param| binder(param, map));
            rule.guard.iter_mut().for_each(|part| part.map_spans(map));
            rule.body.iter_mut().for_each(|statement| statement.map_spans(map));
        }
        self.init.iter_mut().for_each(|statement| statement.map_spans(map));
        self.properties.iter_mut().for_each(|property| property.map_spans(map));
        self.constraints.iter_mut().for_each(|constraint| constraint.map_spans(map));
        self.hints.iter_mut().for_each(|hint| hint.map_spans(map));
    }
}

impl Property {
    /// Moves every place.
    pub fn map_spans(&mut self, map: Map<'_>) {
        self.span = map(self.span);
        match &mut self.kind {
            PropertyKind::Invariant(expr)
            | PropertyKind::Reachable(expr)
            | PropertyKind::Ltl(expr)
            | PropertyKind::Ctl(expr) => expr.map_spans(map),
            PropertyKind::Never(claimed) => sequence(claimed, map),
        }
    }
}

impl Hint {
    /// Moves every place.
    pub fn map_spans(&mut self, map: Map<'_>) {
        self.span = map(self.span);
        self.condition.map_spans(map);
    }
}

impl Stmt {
    /// Moves every place.
    pub fn map_spans(&mut self, map: Map<'_>) {
        poll();
        self.span = map(self.span);
        let each = |statements: &mut Vec<Stmt>| statements.iter_mut().for_each(|it| it.map_spans(map));
        match &mut self.kind {
            StmtKind::Assign(target, value) => {
                target.map_spans(map);
                initial(value, map);
            }
            StmtKind::Let(_, value) => initial(value, map),
            StmtKind::If(condition, then, otherwise) => {
                condition.map_spans(map);
                each(then);
                each(otherwise);
            }
            StmtKind::For(binders, filter, body) => {
                binders.iter_mut().for_each(|it| binder(it, map));
                filter.iter_mut().for_each(|filter| filter.map_spans(map));
                each(body);
            }
            StmtKind::Assert(expr, _)
            | StmtKind::Assume(expr)
            | StmtKind::Pop(expr)
            | StmtKind::Clear(expr) => expr.map_spans(map),
            StmtKind::Push(one, other) | StmtKind::Add(one, other) | StmtKind::Remove(one, other) => {
                one.map_spans(map);
                other.map_spans(map);
            }
        }
    }
}

fn initial(value: &mut Initial, map: Map<'_>) {
    match value {
        Initial::Value(expr) | Initial::Fill(expr) | Initial::AnyIn(expr) => expr.map_spans(map),
        Initial::Zero | Initial::Any => {}
    }
}

fn binder(it: &mut Binder, map: Map<'_>) {
    match &mut it.domain {
        Domain::Type => {}
        Domain::Collection(collection) => collection.map_spans(map),
    }
}

fn sequence(it: &mut Sequence, map: Map<'_>) {
    match it {
        Sequence::State(condition) => condition.map_spans(map),
        Sequence::Then(parts) | Sequence::Or(parts) => parts.iter_mut().for_each(|part| sequence(part, map)),
        Sequence::Repeat { body, .. } => sequence(body, map),
    }
}

impl Expr {
    /// Moves every place.
    pub fn map_spans(&mut self, map: Map<'_>) {
        poll();
        self.span = map(self.span);
        if let ExprKind::Block(statements, value) = &mut self.kind {
            statements.iter_mut().for_each(|statement| statement.map_spans(map));
            value.map_spans(map);
        }
        self.each_part_mut(&mut |part| part.map_spans(map));
    }

    /// Calls `visit` with each direct part.
    pub(crate) fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::None | ExprKind::Empty => {}
            ExprKind::Var(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Record(parts)
            | ExprKind::Array(parts)
            | ExprKind::Set(parts) => parts.iter_mut().for_each(visit),
            ExprKind::Field(a, _)
            | ExprKind::Unwrap(a)
            | ExprKind::Some(a)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Ord(a)
            | ExprKind::Element(a)
            | ExprKind::Abs(a)
            | ExprKind::ArrayOf(_, a)
            | ExprKind::Size(a)
            | ExprKind::Full(a)
            | ExprKind::Majority(a)
            | ExprKind::End(_, a)
            | ExprKind::Temporal(_, a)
            | ExprKind::Next(a)
            | ExprKind::Path { body: a, .. } => visit(a),
            ExprKind::Index(a, b)
            | ExprKind::Arith(_, a, b)
            | ExprKind::Equal(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Iff(a, b)
            | ExprKind::Let(_, a, b)
            | ExprKind::Extremum(_, a, b)
            | ExprKind::SetOp(_, a, b)
            | ExprKind::Subset(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Count(a, b)
            | ExprKind::Concat(a, b)
            | ExprKind::Until(_, a, b)
            | ExprKind::Rotate { element: a, steps: b, .. }
            | ExprKind::Less { left: a, right: b, .. } => [a, b].into_iter().for_each(|part| visit(part)),
            ExprKind::If(a, b, c) | ExprKind::Slice(a, b, c) => {
                [a, b, c].into_iter().for_each(|part| visit(part))
            }
            ExprKind::Block(..) => {}
            ExprKind::Quantify { binders, filter, body, .. } => {
                binders.iter_mut().filter_map(collection_mut).for_each(&mut *visit);
                filter.iter_mut().for_each(|filter| visit(filter));
                visit(body);
            }
            ExprKind::SetOf(binder, filter) => {
                collection_mut(binder).into_iter().for_each(&mut *visit);
                visit(filter);
            }
            ExprKind::Enabled { member, args, .. } => {
                member.iter_mut().flatten().for_each(&mut *visit);
                args.iter_mut().flatten().for_each(visit);
            }
        }
    }
}

fn collection_mut(binder: &mut Binder) -> Option<&mut Expr> {
    match &mut binder.domain {
        Domain::Type => None,
        Domain::Collection(collection) => Some(collection),
    }
}
