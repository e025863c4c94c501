//! Where the values of named ranges go: uses that tell the elements apart.
//!
//! Entry points: [`of_model`] and [`of_exprs`]. In expressions all ranges are integers, so for each integer
//! expression this finds its [`Origin`]: named ranges whose values it may be, integer literals, or any other
//! number. Where values come together (they are compared, or one is stored, passed or used as an index where
//! a type is declared) their origins must be one named range and nothing else; a literal among them names an
//! element. Everything else breaks the ranges that are involved, and so does everything that takes a value as
//! a number: arithmetic, order, positions in queues, sums. Values of other types need no such care: they only
//! meet values of the very same type, and a named range is a type of its own.
//!
//! Elements that come from nowhere are found as well: a variable that starts as zeros holds the first value
//! of its type.

use super::Reason;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Function, Initial, LocalId, Model, Quantifier, Stmt, StmtKind, Stored, Ty};
use crate::hir_walk::collection;
use burnside_limits::poll;
use burnside_ts::{Type, TypeId};
use std::collections::{BTreeSet, HashMap};

/// A use of a type that tells its elements apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// A named range or an enum.
    pub ty: TypeId,
    /// Where.
    pub span: Span,
    /// How.
    pub reason: Reason,
}

/// The uses in variables, functions, rules and `init` blocks.
pub(super) fn of_model(model: &Model) -> Vec<Use> {
    let mut flow = Flow::new(model);
    for var in &model.vars {
        flow.initial(&var.initial, var.ty, var.span);
    }
    for Function { body, result, .. } in &model.functions {
        flow.expr(body);
        flow.put(body, *result);
    }
    for rule in &model.rules {
        rule.params.iter().filter_map(collection).for_each(|it| flow.expr(it));
        rule.guard.iter().for_each(|part| flow.expr(part));
        flow.block(&rule.body);
    }
    model.constraints.iter().for_each(|constraint| flow.expr(constraint));
    flow.block(&model.init);
    flow.found
}

/// The uses in the expressions of a property.
pub(super) fn of_exprs(model: &Model, exprs: &[&Expr]) -> Vec<Use> {
    let mut flow = Flow::new(model);
    exprs.iter().for_each(|expr| flow.expr(expr));
    flow.found
}

/// What an integer may be.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// A value of one of these named ranges.
    named: BTreeSet<TypeId>,
    /// One of these literals.
    literals: Vec<(i64, Span)>,
    /// Any other number.
    number: bool,
}

impl Origin {
    fn number() -> Self {
        Self { number: true, ..Self::default() }
    }

    fn and(mut self, other: Origin) -> Self {
        self.named.extend(other.named);
        self.literals.extend(other.literals);
        self.number |= other.number;
        self
    }
}

struct Flow<'m> {
    model: &'m Model,
    /// What names without a declared type hold. They are never assigned to.
    lets: HashMap<LocalId, Origin>,
    found: Vec<Use>,
}

impl<'m> Flow<'m> {
    fn new(model: &'m Model) -> Self {
        Self { model, lets: HashMap::new(), found: Vec::new() }
    }

    fn find(&mut self, ty: TypeId, span: Span, reason: Reason) {
        poll();
        let found = Use { ty, span, reason };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    // Origins. The expression has been walked, so that the names bound in it are known.

    fn origin(&self, expr: &Expr) -> Origin {
        match &expr.kind {
            _ if expr.ty != Ty::Int => Origin::default(),
            ExprKind::Const(value) => Origin { literals: vec![(*value, expr.span)], ..Origin::default() },
            ExprKind::If(_, then, otherwise) => self.origin(then).and(self.origin(otherwise)),
            ExprKind::Let(_, _, body) | ExprKind::Next(body) | ExprKind::Block(_, body) => self.origin(body),
            ExprKind::Local(local) => match self.local(*local) {
                Stored::Int => self.lets.get(local).cloned().unwrap_or_else(Origin::number),
                stored => self.origin_of(stored),
            },
            ExprKind::Call(function, _) => self.origin_of(self.model.functions[function.index()].result),
            _ => self.declared(expr).map_or_else(Origin::number, |ty| self.origin_of(Stored::Type(ty))),
        }
    }

    fn origin_of(&self, stored: Stored) -> Origin {
        match stored {
            Stored::Type(ty) if self.model.types.range_name(ty).is_some() => {
                Origin { named: BTreeSet::from([ty]), ..Origin::default() }
            }
            _ => Origin::number(),
        }
    }

    fn local(&self, local: LocalId) -> Stored {
        self.model.locals[local.index()].ty
    }

    /// The declared type of what is read or written.
    fn declared(&self, place: &Expr) -> Option<TypeId> {
        let types = &self.model.types;
        let inside = |base: &Expr| match base.ty {
            Ty::Of(ty) => Some(types.get(ty).clone()),
            Ty::Int => None,
        };
        match &place.kind {
            ExprKind::Var(var, _) => Some(self.model.vars[var.index()].ty),
            ExprKind::Next(inner) => self.declared(inner),
            ExprKind::Local(local) => match self.local(*local) {
                Stored::Type(ty) => Some(ty),
                Stored::Int => None,
            },
            ExprKind::Index(base, _) | ExprKind::End(_, base) | ExprKind::Unwrap(base) => match inside(base)?
            {
                Type::Array { element, .. } | Type::Queue { element, .. } => Some(element),
                Type::Option(held) => Some(held),
                _ => None,
            },
            ExprKind::Field(base, field) => match inside(base)? {
                Type::Record(record) => {
                    types.record(record).fields.get(*field as usize).map(|field| field.ty)
                }
                _ => None,
            },
            _ => None,
        }
    }

    // Where values come together.

    /// A value is taken as a number.
    fn as_number(&mut self, expr: &Expr, reason: Reason) {
        for ty in self.origin(expr).named {
            self.find(ty, expr.span, reason);
        }
    }

    /// Values come together.
    fn meet(&mut self, origin: Origin, span: Span) {
        let Origin { named, literals, number } = origin;
        let mut types = named.iter();
        if let (Some(&ty), None, false) = (types.next(), types.next(), number) {
            for (value, at) in literals {
                let reason = match self.model.types.bounds(ty) {
                    Some((lo, hi)) if (lo..=hi).contains(&value) => Reason::Named((value - lo) as u32),
                    _ => Reason::Mixed,
                };
                self.find(ty, at, reason);
            }
            return;
        }
        for ty in named {
            self.find(ty, span, Reason::Mixed);
        }
    }

    /// A value is put, or compared with what is, where a type is declared.
    fn put(&mut self, value: &Expr, want: Stored) {
        if value.ty == Ty::Int {
            let origin = self.origin(value).and(self.origin_of(want));
            self.meet(origin, value.span);
        }
    }

    fn put_at(&mut self, value: &Expr, want: TypeId) {
        self.put(value, Stored::Type(want));
    }

    /// The values of a type's elements: of a collection or an array.
    fn element(&self, ty: Ty) -> Option<TypeId> {
        let Ty::Of(ty) = ty else { return None };
        match *self.model.types.get(ty) {
            Type::Set(element) | Type::Array { element, .. } => Some(element),
            Type::Queue { element, .. } | Type::Bag { element, .. } => Some(element),
            Type::Option(held) => Some(held),
            _ => None,
        }
    }

    fn put_in(&mut self, value: &Expr, whole: Ty) {
        match self.element(whole) {
            Some(element) => self.put_at(value, element),
            None => self.as_number(value, Reason::Mixed),
        }
    }

    fn pass(&mut self, values: &[Expr], locals: &[LocalId]) {
        for (value, &local) in values.iter().zip(locals) {
            self.put(value, self.local(local));
        }
    }

    // Walking.

    fn expr(&mut self, expr: &Expr) {
        poll();
        if let ExprKind::Block(statements, value) = &expr.kind {
            self.block(statements);
            return self.expr(value);
        }
        if let ExprKind::Let(local, value, body) = &expr.kind {
            self.expr(value);
            self.bind(*local, value);
            return self.expr(body);
        }
        expr.each_part(&mut |part| self.expr(part));
        let model = self.model;
        match &expr.kind {
            ExprKind::Var(var, member) => {
                if let Some(process) = model.vars[var.index()].process {
                    self.pass(member, &model.processes[process.index()].indices);
                }
            }
            ExprKind::Index(base, index) => match base.ty {
                Ty::Of(ty) => match *model.types.get(ty) {
                    Type::Array { index: over, .. } => self.put_at(index, over),
                    _ => self.as_number(index, Reason::Computed),
                },
                Ty::Int => self.as_number(index, Reason::Computed),
            },
            ExprKind::Neg(a) | ExprKind::Abs(a) | ExprKind::Ord(a) | ExprKind::Element(a) => {
                self.as_number(a, Reason::Computed);
            }
            ExprKind::Rotate { steps, .. } => self.as_number(steps, Reason::Computed),
            ExprKind::Slice(_, from, to) => {
                self.as_number(from, Reason::Computed);
                self.as_number(to, Reason::Computed);
            }
            ExprKind::Arith(_, a, b) | ExprKind::Extremum(_, a, b) => {
                self.as_number(a, Reason::Computed);
                self.as_number(b, Reason::Computed);
            }
            ExprKind::Less { left, right, .. } => {
                self.as_number(left, Reason::Ordered);
                self.as_number(right, Reason::Ordered);
            }
            ExprKind::Equal(_, a, b) => self.meet(self.origin(a).and(self.origin(b)), expr.span),
            ExprKind::Quantify {
                quantifier: Quantifier::Sum | Quantifier::Min | Quantifier::Max,
                body,
                ..
            } => {
                self.as_number(body, Reason::Computed);
            }
            ExprKind::Call(function, args) => {
                self.pass(args, &model.functions[function.index()].params);
            }
            ExprKind::Record(values) => self.record(values, expr.ty),
            ExprKind::Array(values) | ExprKind::Set(values) => {
                values.iter().for_each(|value| self.put_in(value, expr.ty));
            }
            ExprKind::ArrayOf(_, value) | ExprKind::Some(value) => self.put_in(value, expr.ty),
            ExprKind::In(value, whole) | ExprKind::Count(whole, value) => self.put_in(value, whole.ty),
            ExprKind::Enabled { rules, member, args } => {
                for rule in rules.iter().map(|rule| &model.rules[rule.index()]) {
                    let indices = &model.processes[rule.process.index()].indices;
                    let params: Vec<LocalId> = rule.params.iter().map(|param| param.local).collect();
                    self.pass(member.as_deref().unwrap_or_default(), indices);
                    self.pass(args.as_deref().unwrap_or_default(), &params);
                }
            }
            // Truth values and values that keep their type. What flows through `if` is seen where it goes.
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Field(..)
            | ExprKind::Unwrap(_)
            | ExprKind::Next(_)
            | ExprKind::None
            | ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::Iff(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::Block(..)
            | ExprKind::Quantify { .. }
            | ExprKind::Empty
            | ExprKind::SetOf(..)
            | ExprKind::SetOp(..)
            | ExprKind::Subset(..)
            | ExprKind::Size(_)
            | ExprKind::Full(_)
            | ExprKind::Majority(_)
            | ExprKind::End(..)
            | ExprKind::Concat(..)
            | ExprKind::Temporal(..)
            | ExprKind::Until(..)
            | ExprKind::Path { .. } => {}
        }
    }

    fn record(&mut self, values: &[Expr], ty: Ty) {
        if let Ty::Of(ty) = ty
            && let Type::Record(record) = *self.model.types.get(ty)
        {
            for (value, field) in values.iter().zip(&self.model.types.record(record).fields) {
                self.put_at(value, field.ty);
            }
        }
    }

    /// A name gets a value.
    fn bind(&mut self, local: LocalId, value: &Expr) {
        match self.local(local) {
            Stored::Int => {
                let origin = self.origin(value);
                self.lets.insert(local, origin);
            }
            stored => self.put(value, stored),
        }
    }

    fn block(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| statement.each(&mut |statement| self.statement(statement)));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(target, value) => {
                self.expr(target);
                match self.declared(target) {
                    Some(ty) => self.initial(value, ty, statement.span),
                    None => {
                        value.expr().into_iter().for_each(|value| {
                            self.expr(value);
                            self.as_number(value, Reason::Mixed);
                        });
                    }
                }
            }
            StmtKind::Let(local, value) => match (self.local(*local), value) {
                (Stored::Type(ty), value) => self.initial(value, ty, statement.span),
                (Stored::Int, Initial::AnyIn(from)) => {
                    self.expr(from);
                    let origin = self
                        .element(from.ty)
                        .map_or_else(Origin::number, |ty| self.origin_of(Stored::Type(ty)));
                    self.lets.insert(*local, origin);
                }
                (Stored::Int, value) => {
                    value.expr().into_iter().for_each(|value| {
                        self.expr(value);
                        self.bind(*local, value);
                    });
                }
            },
            StmtKind::Push(whole, value) | StmtKind::Add(whole, value) | StmtKind::Remove(whole, value) => {
                self.expr(whole);
                self.expr(value);
                self.put_in(value, whole.ty);
            }
            StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::Assert(..)
            | StmtKind::Assume(_)
            | StmtKind::Pop(_)
            | StmtKind::Clear(_) => statement.each_expr(&mut |expr| self.expr(expr)),
        }
    }

    /// A place of a type gets a value.
    fn initial(&mut self, value: &Initial, ty: TypeId, span: Span) {
        let types = &self.model.types;
        match value {
            Initial::Any => {}
            Initial::Zero => self.zero(ty, span),
            Initial::Value(value) => {
                self.expr(value);
                self.put_at(value, ty);
            }
            Initial::Fill(value) => {
                self.expr(value);
                let mut innermost = ty;
                while let Type::Array { element, .. } = *types.get(innermost) {
                    innermost = element;
                }
                self.put_at(value, innermost);
            }
            Initial::AnyIn(from) => {
                self.expr(from);
                let Some(element) = self.element(from.ty) else { return };
                if types.bounds(element).is_some() {
                    let want = if let Type::Option(held) = *types.get(ty) { held } else { ty };
                    let (from, want) = (Stored::Type(element), Stored::Type(want));
                    let origin = self.origin_of(from).and(self.origin_of(want));
                    self.meet(origin, span);
                }
            }
        }
    }

    /// A place of a type holds zeros: the first value of each scalar in it.
    fn zero(&mut self, ty: TypeId, span: Span) {
        let types = &self.model.types;
        match *types.get(ty) {
            Type::Range { .. } | Type::Enum(_) => self.find(ty, span, Reason::Default(0)),
            Type::Array { element, .. } => self.zero(element, span),
            Type::Record(record) => types.record(record).fields.iter().for_each(|f| self.zero(f.ty, span)),
            // Nothing is in these at first, and a declared sort has no default.
            Type::Bool
            | Type::Sort(_)
            | Type::Option(_)
            | Type::Set(_)
            | Type::Queue { .. }
            | Type::Bag { .. } => {}
        }
    }
}
