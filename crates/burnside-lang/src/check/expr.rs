//! Expressions: from written to typed.
//! [`Checker::infer`] finds the type of an expression, helped by a [`TypeHint`] about the type that its
//! surroundings would like; [`Checker::check`] then converts to the type they need.
//!
//! Ranges are integers here. A constant outside the range it is converted to is an error; other values are
//! checked when the model runs.

use super::Checker;
use super::fold::{arith, fold};
use super::scope::Bound;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{ArithOp, Expr, ExprKind, Initial, Stmt, StmtKind, Stored, Ty};
use crate::syntax::ast::{self, BinaryOp, UnaryOp};
use burnside_limits::poll;
use burnside_ts::{SortKind, Type, TypeId};

/// What the surroundings of an expression know about its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeHint {
    /// Nothing.
    None,
    /// It should be this, or something that converts to it.
    Is(Stored),
    /// It depends on something wrong: say nothing about what cannot be decided.
    Unknown,
}

impl TypeHint {
    /// The hint that a checked neighbour gives.
    pub fn like(e: Option<&Expr>) -> Self {
        match e.map(|e| e.ty) {
            None => TypeHint::Unknown,
            Some(Ty::Int) => TypeHint::Is(Stored::Int),
            Some(Ty::Of(id)) => TypeHint::Is(Stored::Type(id)),
        }
    }

    /// The hint to expect this type, if it is known.
    pub fn want(ty: Option<Stored>) -> Self {
        ty.map_or(TypeHint::Unknown, TypeHint::Is)
    }
}

/// How much an expression needs a hint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    No,
    Better,
    Must,
}

/// A typed expression.
pub(super) fn expr(span: Span, ty: Ty, kind: ExprKind) -> Expr {
    Expr { span, ty, kind }
}

/// An integer constant.
pub(super) fn int(span: Span, value: i64) -> Expr {
    expr(span, Ty::Int, ExprKind::Const(value))
}

/// What stands inside parentheses.
pub(super) fn strip(mut e: &ast::Expr) -> &ast::Expr {
    while let ast::ExprKind::Paren(inner) = &e.kind {
        e = inner;
    }
    e
}

impl Checker<'_> {
    /// The expression with its type.
    pub(super) fn infer(&mut self, e: &ast::Expr, hint: TypeHint) -> Option<Expr> {
        let temporal = self.env.temporal;
        if temporal && !super::property::carries_temporal(&e.kind) {
            self.env.temporal = false;
        }
        self.depth += 1;
        let result = self.infer_kind(e, hint);
        self.depth -= 1;
        self.env.temporal = temporal;
        if let Some(found) = &result {
            self.note_type(e.span, found.ty);
        }
        result
    }

    /// The expression converted to a type.
    pub(super) fn check(&mut self, e: &ast::Expr, want: Stored) -> Option<Expr> {
        let e = self.infer(e, TypeHint::Is(want))?;
        self.coerce(e, want)
    }

    /// The expression converted to a type that may be unknown.
    pub(super) fn check_maybe(&mut self, e: &ast::Expr, want: Option<Stored>) -> Option<Expr> {
        let e = self.infer(e, TypeHint::want(want))?;
        self.coerce(e, want?)
    }

    /// An expression of type bool.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Option<Expr> {
        self.check(e, Stored::Type(self.boolean))
    }

    /// An expression of type int.
    pub(super) fn integer(&mut self, e: &ast::Expr) -> Option<Expr> {
        self.check(e, Stored::Int)
    }

    /// An expression of type bool from its kind.
    pub(super) fn boolean(&self, span: Span, kind: ExprKind) -> Expr {
        expr(span, Ty::Of(self.boolean), kind)
    }

    fn infer_kind(&mut self, e: &ast::Expr, hint: TypeHint) -> Option<Expr> {
        poll();
        use ast::ExprKind as Kind;
        let span = e.span;
        match &e.kind {
            Kind::Int(value) => Some(int(span, *value)),
            Kind::Bool(value) => Some(self.boolean(span, ExprKind::Const(i64::from(*value)))),
            Kind::None => self.none(span, hint),
            Kind::Name(name) => self.name(span, name, hint),
            Kind::Element(sort, number) => self.element(span, sort, number),
            Kind::Paren(inner) => self.infer(inner, hint),
            Kind::Unary(op, inner) => self.unary(span, *op, inner),
            Kind::Binary(op, a, b) => self.binary(span, *op, (a, b), hint),
            Kind::Chain(operands, ops) => self.chain(span, operands, ops, hint),
            Kind::Index(base, args) => self.index(span, base, args),
            Kind::Slice(queue, from, to) => self.slice(span, queue, (from, to), hint),
            Kind::Field(base, name) => self.field(span, base, name),
            Kind::Unwrap(base) => self.unwrap(span, base),
            Kind::Next(base) => self.next_value(span, base, hint),
            Kind::At(process, location) => self.at(span, process.as_deref(), location),
            Kind::Call(name, args) if self.is_case(name) => self.case_in_order(span, name, args, hint),
            Kind::Call(name, args) => self.call(span, name, args),
            Kind::Record(name, fields) if self.is_case(name) => self.case_by_name(span, name, fields, hint),
            Kind::Record(name, fields) => self.record_by_name(span, name, fields),
            Kind::Method(base, method, args) => self.method(span, base, method, args),
            Kind::If(condition, a, b) => self.branches(span, condition, (a, b), hint),
            Kind::Match(value, arms) => self.match_in(span, value, arms, hint),
            Kind::Let { name, ty, value, body } => self.let_in(span, name, ty.as_ref(), (value, body), hint),
            Kind::Block(statements, value) => self.block_in(span, statements, value, hint),
            Kind::Quantify { quantifier, binders, filter, body } => {
                self.quantify(span, *quantifier, binders, (filter.as_deref(), body))
            }
            Kind::Array(items) => self.array_literal(span, items, hint),
            Kind::ArrayOf { binders, body } => self.array_of(span, binders, body, hint),
            Kind::Set(items) => self.set_literal(span, items, hint),
            Kind::SetOf { binder, filter } => self.set_of(span, binder, filter),
            Kind::SetMap { value, binders, filter } => {
                self.set_map(span, value, binders, filter.as_deref(), hint)
            }
            Kind::Choose { binder, filter } => self.choose(span, binder, filter.as_deref()),
            Kind::Enabled(target) => self.enabled(span, target),
            Kind::Temporal(op, body) => self.temporal(span, *op, body),
            Kind::Until(op, a, b) => self.until(span, *op, a, b),
            Kind::LeadsTo(a, b) => self.leads_to(span, a, b),
            Kind::Path { exists, body } => self.path(span, *exists, body),
            Kind::Error => self.left_out(),
        }
    }

    /// Converts to a type, or reports that it cannot be done.
    pub(super) fn coerce(&mut self, e: Expr, want: Stored) -> Option<Expr> {
        poll();
        let ty = self.ty(want);
        if e.ty == ty {
            if let (Ty::Int, Stored::Type(_)) = (ty, want)
                && let Ok(value) = fold(&e)
            {
                self.in_range(value, want, e.span)?;
            }
            return Some(e);
        }
        if let Some(case) = self.case_of_part(ty, e.ty) {
            return self.part_as_union(e, ty, case);
        }
        if let Some(inner) = self.optional_inner(ty)
            && (e.ty == self.ty_of(inner) || self.case_of_part(Ty::Of(inner), e.ty).is_some())
        {
            let e = self.coerce(e, Stored::Type(inner))?;
            return Some(expr(e.span, ty, ExprKind::Some(Box::new(e))));
        }
        self.mismatch(&e, want);
        None
    }

    /// What the type is an option of.
    pub(super) fn optional_inner(&self, ty: Ty) -> Option<TypeId> {
        match ty {
            Ty::Of(id) => match *self.types.get(id) {
                Type::Option(inner) => Some(inner),
                _ => None,
            },
            Ty::Int => None,
        }
    }

    fn mismatch(&mut self, e: &Expr, want: Stored) {
        let message = format!("expected {}, found {}", self.a_stored(want), self.a_ty(e.ty));
        let want = self.ty(want);
        let help = match (e.ty, want) {
            (Ty::Of(id), _) if self.optional_inner(e.ty).is_some_and(|inner| self.ty_of(inner) == want) => {
                let inner = self.type_name(id);
                Some(format!("`!` takes the value out of a `{inner}` (a fault if it is `none`)"))
            }
            (Ty::Of(id), Ty::Int) if matches!(self.types.get(id), Type::Sort(_) | Type::Enum(_)) => {
                Some(String::from("`ord(…)` is the number of an element"))
            }
            (Ty::Int, Ty::Of(id)) if matches!(self.types.get(id), Type::Sort(_)) => {
                Some(format!("`{}#(…)` is the element with a given number", self.type_name(id)))
            }
            (_, Ty::Of(array)) if self.is_element_of(e.ty, array) => {
                Some(String::from("`[i: T => …]` has a value for each index"))
            }
            (Ty::Of(found), Ty::Of(want)) if self.differ_by_name(found, want) => {
                Some(String::from("a named range is a type of its own: use one name for both"))
            }
            _ => None,
        };
        self.report(Diagnostic { help, ..Diagnostic::error(Code::TypeMismatch, e.span, message) });
    }

    /// Whether values of a type are what an array is made of.
    fn is_element_of(&self, ty: Ty, array: TypeId) -> bool {
        matches!(*self.types.get(array), Type::Array { element, .. } if self.ty_of(element) == ty)
    }

    /// Two expressions that tell each other their types.
    pub(super) fn both(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        hint: TypeHint,
    ) -> (Option<Expr>, Option<Expr>) {
        let mut found = self.infer_all(&[a, b], hint);
        let b = found.pop().flatten();
        (found.pop().flatten(), b)
    }

    /// Expressions that should have one type: the first that knows its own tells the others.
    pub(super) fn infer_all(&mut self, exprs: &[&ast::Expr], hint: TypeHint) -> Vec<Option<Expr>> {
        let mut found: Vec<Option<Expr>> = vec![None; exprs.len()];
        let first = (0..exprs.len()).min_by_key(|&i| self.need(exprs[i])).unwrap_or(0);
        let mut hint = hint;
        if let Some(e) = exprs.get(first) {
            found[first] = self.infer(e, hint);
            if !matches!(hint, TypeHint::Is(_)) {
                hint = TypeHint::like(found[first].as_ref());
            }
        }
        for (i, e) in exprs.iter().enumerate().filter(|(i, _)| *i != first) {
            found[i] = self.infer(e, hint);
        }
        found
    }

    /// How much an expression needs to be told its type: not at all, for a better choice, or to have one.
    fn need(&self, e: &ast::Expr) -> Need {
        use ast::ExprKind as Kind;
        match &e.kind {
            Kind::None => Need::Must,
            Kind::Name(name) if self.is_shared_constant(name) => Need::Must,
            Kind::Call(name, _) | Kind::Record(name, _) if self.is_shared_constant(&name.text) => Need::Must,
            Kind::Set(items) | Kind::Array(items) => items
                .iter()
                .map(|item| self.need(item))
                .min()
                .map_or(Need::Must, |need| need.max(Need::Better)),
            Kind::Chain(operands, _) => operands.iter().map(|e| self.need(e)).min().unwrap_or(Need::No),
            Kind::ArrayOf { .. } => Need::Better,
            Kind::Paren(inner) | Kind::Let { body: inner, .. } | Kind::Block(_, inner) => self.need(inner),
            Kind::If(_, a, b) => self.need(a).min(self.need(b)),
            Kind::Match(_, arms) => arms.iter().map(|arm| self.need(&arm.body)).min().unwrap_or(Need::No),
            Kind::Binary(BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference, a, b) => {
                self.need(a).min(self.need(b))
            }
            _ => Need::No,
        }
    }

    /// Whether a hint would help.
    pub(super) fn needs_hint(&self, e: &ast::Expr) -> bool {
        self.need(e) != Need::No
    }

    /// Converts the one to the type of the other.
    pub(super) fn unify(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
        if a.ty == b.ty {
            return Some((a, b));
        }
        if self.optional_inner(a.ty).is_some_and(|inner| self.ty_of(inner) == b.ty)
            || self.takes_part(a.ty, b.ty)
        {
            let want = self.stored_ty(a.ty);
            return Some((a, self.coerce(b, want)?));
        }
        let want = self.stored_ty(b.ty);
        let a = self.coerce(a, want)?;
        Some((a, b))
    }

    /// The type to ask for in order to get this one.
    pub(super) fn stored_ty(&self, ty: Ty) -> Stored {
        match ty {
            Ty::Int => Stored::Int,
            Ty::Of(id) => Stored::Type(id),
        }
    }

    fn none(&mut self, span: Span, hint: TypeHint) -> Option<Expr> {
        match hint {
            TypeHint::Unknown => None,
            TypeHint::Is(want) if self.optional_inner(self.ty(want)).is_some() => {
                Some(expr(span, self.ty(want), ExprKind::None))
            }
            TypeHint::Is(want) => {
                let message = format!("{} is never `none`", self.a_stored(want));
                let diagnostic = Diagnostic::error(Code::TypeMismatch, span, message);
                self.report(diagnostic.help("the type of a value that may be missing ends with `?`"));
                None
            }
            TypeHint::None => {
                let diagnostic =
                    Diagnostic::error(Code::NeedsType, span, "the type of this `none` is not known");
                self.report(diagnostic.help("give the type: `let x: T? = none;`"));
                None
            }
        }
    }

    fn unary(&mut self, span: Span, op: UnaryOp, inner: &ast::Expr) -> Option<Expr> {
        match op {
            UnaryOp::Not => {
                let inner = self.condition(inner)?;
                Some(self.boolean(span, ExprKind::Not(Box::new(inner))))
            }
            UnaryOp::Neg => {
                let inner = self.integer(inner)?;
                Some(folded(expr(span, Ty::Int, ExprKind::Neg(Box::new(inner)))))
            }
        }
    }

    fn unwrap(&mut self, span: Span, base: &ast::Expr) -> Option<Expr> {
        let base = self.infer(base, TypeHint::None)?;
        match self.optional_inner(base.ty) {
            Some(inner) => Some(expr(span, self.ty_of(inner), ExprKind::Unwrap(Box::new(base)))),
            None => {
                let message =
                    format!("`!` takes the value of an optional, and this is {}", self.a_ty(base.ty));
                self.report(
                    Diagnostic::error(Code::TypeMismatch, base.span, message).help("leave out the `!`"),
                );
                None
            }
        }
    }

    fn binary(
        &mut self,
        span: Span,
        op: BinaryOp,
        (a, b): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        match op {
            BinaryOp::And => self.logical(span, a, b, ExprKind::And),
            BinaryOp::Or => self.logical(span, a, b, ExprKind::Or),
            BinaryOp::Implies => self.logical(span, a, b, ExprKind::Implies),
            BinaryOp::Iff => self.logical(span, a, b, ExprKind::Iff),
            BinaryOp::Eq => self.equality(span, false, a, b),
            BinaryOp::Ne => self.equality(span, true, a, b),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => self.ordering(span, op, a, b),
            BinaryOp::In => self.membership(span, a, b),
            BinaryOp::NotIn => {
                let inside = self.membership(span, a, b)?;
                Some(self.boolean(span, ExprKind::Not(Box::new(inside))))
            }
            BinaryOp::Subset => self.subset(span, a, b),
            BinaryOp::Is => self.is_case_of(span, a, b),
            BinaryOp::Add => self.sum(span, ArithOp::Add, (a, b), hint),
            BinaryOp::Sub => self.sum(span, ArithOp::Sub, (a, b), hint),
            BinaryOp::Mul => self.arith(span, ArithOp::Mul, a, b),
            BinaryOp::Div => self.arith(span, ArithOp::Div, a, b),
            BinaryOp::Rem => self.arith(span, ArithOp::Rem, a, b),
            BinaryOp::Union | BinaryOp::Difference | BinaryOp::Intersection => {
                self.set_operation(span, op, (a, b), hint)
            }
        }
    }

    fn logical(
        &mut self,
        span: Span,
        a: &ast::Expr,
        b: &ast::Expr,
        kind: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Option<Expr> {
        let (a, b) = (self.condition(a), self.condition(b));
        Some(self.boolean(span, kind(Box::new(a?), Box::new(b?))))
    }

    fn arith(&mut self, span: Span, op: ArithOp, a: &ast::Expr, b: &ast::Expr) -> Option<Expr> {
        let (a, b) = (self.integer(a), self.integer(b));
        Some(folded(expr(span, Ty::Int, ExprKind::Arith(op, Box::new(a?), Box::new(b?)))))
    }

    /// `+` and `-`, on integers or from an element of a ring; `+` on queues and bags.
    fn sum(
        &mut self,
        span: Span,
        op: ArithOp,
        (a, b): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        let hint = self.queue_hint(hint);
        let (a, b) = self.both(a, b, hint);
        let (a, b) = (a?, b?);
        match self.joined(&a, &b, hint).filter(|_| op == ArithOp::Add) {
            Some(ty) => Some(expr(span, ty, ExprKind::Concat(Box::new(a), Box::new(b)))),
            None => self.sum_of(span, op, a, b),
        }
    }

    /// The same of two typed operands.
    pub(super) fn sum_of(&mut self, span: Span, op: ArithOp, a: Expr, b: Expr) -> Option<Expr> {
        if a.ty == Ty::Int && b.ty == Ty::Int {
            return Some(folded(expr(span, Ty::Int, ExprKind::Arith(op, Box::new(a), Box::new(b)))));
        }
        if self.sort_kind(a.ty) == Some(SortKind::Ring) && b.ty == Ty::Int {
            let (ty, backwards) = (a.ty, op == ArithOp::Sub);
            let (element, steps) = (Box::new(a), Box::new(b));
            return Some(expr(span, ty, ExprKind::Rotate { element, steps, backwards }));
        }
        if let Some(ty) = self.joined(&a, &b, TypeHint::None).filter(|_| op == ArithOp::Add) {
            return Some(expr(span, ty, ExprKind::Concat(Box::new(a), Box::new(b))));
        }
        self.bad_sum(op, &a, &b);
        None
    }

    fn bad_sum(&mut self, op: ArithOp, a: &Expr, b: &Expr) {
        let sign = if op == ArithOp::Add { "+" } else { "-" };
        let culprit = if a.ty == Ty::Int { b } else { a };
        let message = format!(
            "`{sign}` is for integers (or a ring and an integer), and this is {}",
            self.a_ty(culprit.ty)
        );
        let ring = self.sort_kind(b.ty) == Some(SortKind::Ring);
        let help = match culprit.ty {
            Ty::Of(id) if matches!(self.types.get(id), Type::Set(_)) => Some(if op == ArithOp::Add {
                "the union of sets is `|`"
            } else {
                "the difference of sets is `\\`"
            }),
            Ty::Of(id) if matches!(self.types.get(id), Type::Queue { .. } | Type::Bag { .. }) => {
                Some("two queues, or two bags, of one type of elements are put together with `+`")
            }
            Ty::Of(_) if ring && a.ty == Ty::Int && op == ArithOp::Add => {
                Some("put the element of the ring first")
            }
            Ty::Of(_) if self.sort_kind(culprit.ty) == Some(SortKind::Symmetric) => {
                Some("elements of a symmetric type have no neighbours; a `ring` type has")
            }
            _ => None,
        };
        let help = help.map(String::from);
        self.report(Diagnostic { help, ..Diagnostic::error(Code::TypeMismatch, culprit.span, message) });
    }

    /// Whether the type is symmetric or a ring.
    pub(super) fn sort_kind(&self, ty: Ty) -> Option<SortKind> {
        match ty {
            Ty::Of(id) => match *self.types.get(id) {
                Type::Sort(sort) => Some(self.types.sort(sort).kind),
                _ => None,
            },
            Ty::Int => None,
        }
    }

    fn branches(
        &mut self,
        span: Span,
        condition: &ast::Expr,
        (a, b): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        let condition = self.condition(condition);
        let (a, b) = self.both(a, b, hint);
        let (a, b) = match self.united(hint) {
            Some(want) => {
                let (a, b) = (self.coerce(a?, want), self.coerce(b?, want));
                (a?, b?)
            }
            None => self.unify(a?, b?)?,
        };
        Some(expr(span, a.ty, ExprKind::If(Box::new(condition?), Box::new(a), Box::new(b))))
    }

    /// Statements that change locals, and a value.
    fn block_in(
        &mut self,
        span: Span,
        statements: &[ast::Stmt],
        value: &ast::Expr,
        hint: TypeHint,
    ) -> Option<Expr> {
        self.scoped(|checker| {
            let block = ast::Block { span, statements: statements.to_vec() };
            let statements = checker.statements(&block);
            let value = checker.infer(value, hint)?;
            let statements = statements?;
            statements.iter().for_each(|statement| statement.each(&mut |it| checker.no_choice(it)));
            Some(expr(span, value.ty, ExprKind::Block(statements, Box::new(value))))
        })
    }

    /// Complains if a statement of a function chooses: an expression has one value in each state.
    fn no_choice(&mut self, statement: &Stmt) {
        if let StmtKind::Assign(_, Initial::Any | Initial::AnyIn(_))
        | StmtKind::Let(_, Initial::Any | Initial::AnyIn(_)) = &statement.kind
        {
            let message = "a function has one value: it cannot choose one of several";
            let diagnostic = Diagnostic::error(Code::MisplacedAny, statement.span, message);
            self.report(diagnostic.help("choose in the rule that calls it, and pass the value on"));
        }
    }

    fn let_in(
        &mut self,
        span: Span,
        name: &ast::Name,
        ty: Option<&ast::Type>,
        (value, body): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        let (value, ty) = match ty {
            Some(ty) => {
                let ty = self.stored(ty);
                (self.check_maybe(value, ty), ty)
            }
            None => {
                let value = self.infer(value, TypeHint::None);
                let ty = value.as_ref().map(|value| self.stored_ty(value.ty));
                (value, ty)
            }
        };
        let (local, body) = self.scoped(|checker| {
            let local = checker.bind(name, ty, Bound::Let);
            (local, checker.infer(body, hint))
        });
        let body = body?;
        Some(expr(span, body.ty, ExprKind::Let(local, Box::new(value?), Box::new(body))))
    }
}

/// Arithmetic on constants is done at once, unless it would fault.
pub(super) fn folded(e: Expr) -> Expr {
    let constant = |e: &Expr| match e.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    };
    let value = match &e.kind {
        ExprKind::Neg(a) => constant(a).and_then(i64::checked_neg),
        ExprKind::Abs(a) => constant(a).and_then(i64::checked_abs),
        ExprKind::Ord(a) => constant(a),
        ExprKind::Arith(op, a, b) => constant(a).zip(constant(b)).and_then(|(a, b)| arith(*op, a, b)),
        ExprKind::Extremum(greater, a, b) => {
            constant(a).zip(constant(b)).map(|(a, b)| if *greater { a.max(b) } else { a.min(b) })
        }
        _ => None,
    };
    match value {
        Some(value) => int(e.span, value),
        None => e,
    }
}
