//! Scalar expressions.

use super::place::{Typed, local, target};
use super::probe::ProbeRole;
use super::{Lowering, Storage};
use crate::hir::{self, ArithOp, Expr, ExprKind, LocalId, Quantifier, Stored, Ty};
use burnside_limits::poll;
use burnside_ts::{self as ts, Arith, Compare, Operand, Root, Stmt, Type, TypeId};

impl Lowering<'_> {
    pub(super) fn is_scalar(&self, ty: Ty) -> bool {
        match ty {
            Ty::Int => true,
            Ty::Of(ty) => self.types.is_scalar(ty),
        }
    }

    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, expr: &Expr) -> ts::Expr {
        poll();
        match &expr.kind {
            ExprKind::Const(value) => {
                self.name_for(expr.ty, *value, expr.span).unwrap_or(ts::Expr::Const(*value))
            }
            ExprKind::None => ts::Expr::Const(0),
            ExprKind::Local(id) => match self.storage(*id) {
                Storage::Slot(slot) => local(slot),
                Storage::Wide(_) => unreachable!("not a scalar"),
            },
            ExprKind::Unwrap(base) if self.is_scalar(base.ty) => {
                let bias = self.optional_bias(base.ty);
                let site = self.site(expr.span);
                ts::Expr::Unwrap(Box::new(self.scalar(base)), bias, site)
            }
            ExprKind::Var(..)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Unwrap(_)
            | ExprKind::End(..) => {
                let mut before = Vec::new();
                let place = self.place(expr, &mut before);
                after(before, load(place))
            }
            ExprKind::Next(inner) => self.after_step(|lowering| lowering.scalar(inner)),
            ExprKind::Some(inner) => {
                let Ty::Of(ty) = expr.ty else { unreachable!("an optional has a type") };
                let Type::Option(held) = *self.types.get(ty) else { unreachable!("not an optional") };
                let value = self.checked(inner, held);
                shifted(value, 1 - self.types.bias(held))
            }
            ExprKind::Not(inner) => self.scalar(inner).negate(),
            ExprKind::Neg(inner) => self.arith(Arith::Sub, ts::Expr::Const(0), inner, expr),
            ExprKind::Abs(inner) => self.absolute(inner, expr),
            ExprKind::Arith(op, left, right) => {
                let left = self.scalar(left);
                self.arith(arith_op(*op), left, right, expr)
            }
            ExprKind::Extremum(greatest, left, right) => {
                let left = self.scalar(left);
                self.arith(if *greatest { Arith::Max } else { Arith::Min }, left, right, expr)
            }
            ExprKind::Rotate { element, steps, backwards } => {
                let Ty::Of(ty) = expr.ty else { unreachable!("a ring element has a type") };
                let size = self.types.size(ty).expect("a ring is numbered") as u32;
                let element = self.scalar(element);
                let op = if *backwards { Arith::RotateBack(size) } else { Arith::Rotate(size) };
                self.arith(op, element, steps, expr)
            }
            ExprKind::Ord(inner) => self.scalar(inner),
            ExprKind::Element(number) => {
                let Ty::Of(ty) = expr.ty else { unreachable!("an element has a type") };
                let hi = self.types.size(ty).expect("a sort is numbered") as i64 - 1;
                let (value, site) = (self.scalar(number), self.site(expr.span));
                ts::Expr::Check(Box::new(ts::Check { value, lo: 0, hi, site }))
            }
            ExprKind::Less { left, right, or_equal } => {
                let op = if *or_equal { Compare::Le } else { Compare::Lt };
                ts::Expr::compare(op, self.scalar(left), self.scalar(right))
            }
            ExprKind::Equal(differ, left, right) => self.equal(*differ, left, right),
            ExprKind::And(left, right) => ts::Expr::And(self.pair(left, right)),
            ExprKind::Or(left, right) => ts::Expr::Or(self.pair(left, right)),
            ExprKind::Implies(left, right) => {
                let left = self.watched(left, ProbeRole::Premise, expr.span).negate();
                ts::Expr::Or(Box::new([left, self.scalar(right)]))
            }
            ExprKind::Iff(left, right) => ts::Expr::Compare(Compare::Eq, self.pair(left, right)),
            ExprKind::If(condition, then, otherwise) => {
                let [yes, no] = self.cases_of(condition, [then, otherwise], expr.span);
                let condition = self.branch_condition(condition, expr.span);
                let (then, otherwise) = (self.scalar(then), self.scalar(otherwise));
                ts::Expr::If(Box::new([condition, after(yes, then), after(no, otherwise)]))
            }
            ExprKind::Block(statements, value) => {
                let statements = self.block(statements).into_vec();
                after(statements, self.scalar(value))
            }
            ExprKind::Let(id, value, body) => {
                let mut before = Vec::new();
                self.define(*id, value, &mut before);
                let body = self.scalar(body);
                match before.pop() {
                    Some(Stmt::Local(slot, value)) if before.is_empty() => {
                        ts::Expr::Let(slot, Box::new([value, body]))
                    }
                    last => {
                        before.extend(last);
                        after(before, body)
                    }
                }
            }
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                self.quantify(*quantifier, binders, filter.as_deref(), body, expr)
            }
            ExprKind::Call(function, args) => {
                let mut before = Vec::new();
                self.arguments(*function, args, &mut before);
                after(before, ts::Expr::Call(self.called(*function)))
            }
            ExprKind::Subset(left, right) => self.with_places(left, right, |a, b| {
                let width = a.place.width;
                ts::Expr::Subset(Box::new([a.place, b.place]), width)
            }),
            ExprKind::In(element, collection) => self.contains(element, collection),
            ExprKind::Size(collection) => {
                let mut before = Vec::new();
                let it = self.place(collection, &mut before);
                after(before, ts::Expr::Size(Box::new(it.place), it.ty))
            }
            ExprKind::Majority(set) => {
                let mut before = Vec::new();
                let it = self.place(set, &mut before);
                let half = i64::from(self.types.capacity(it.ty) / 2);
                let size = ts::Expr::Size(Box::new(it.place), it.ty);
                after(before, ts::Expr::compare(Compare::Lt, ts::Expr::Const(half), size))
            }
            ExprKind::Full(collection) => {
                let mut before = Vec::new();
                let it = self.place(collection, &mut before);
                let capacity = self.types.capacity(it.ty);
                let size = ts::Expr::Size(Box::new(it.place), it.ty);
                after(before, ts::Expr::compare(Compare::Eq, size, ts::Expr::Const(i64::from(capacity))))
            }
            ExprKind::Count(bag, element) => self.occurrences(bag, element),
            ExprKind::Enabled { rules, member, args } => {
                self.enabled(rules, member.as_deref(), args.as_deref())
            }
            ExprKind::Record(_)
            | ExprKind::Empty
            | ExprKind::Concat(..)
            | ExprKind::Slice(..)
            | ExprKind::Array(_)
            | ExprKind::ArrayOf(..)
            | ExprKind::Set(_)
            | ExprKind::SetOf(..)
            | ExprKind::SetOp(..) => unreachable!("not a scalar"),
            ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::Path { .. } => {
                unreachable!("temporal operators are taken apart before")
            }
        }
    }

    fn pair(&mut self, left: &Expr, right: &Expr) -> Box<[ts::Expr; 2]> {
        Box::new([self.scalar(left), self.scalar(right)])
    }

    fn arith(&mut self, op: Arith, left: ts::Expr, right: &Expr, blame: &Expr) -> ts::Expr {
        let (right, site) = (self.scalar(right), self.site(blame.span));
        ts::Expr::Arith(op, Box::new([left, right]), site)
    }

    fn absolute(&mut self, inner: &Expr, blame: &Expr) -> ts::Expr {
        let (slot, value, site) = (self.frame.slot(), self.scalar(inner), self.site(blame.span));
        let negated = ts::Expr::Arith(Arith::Sub, Box::new([ts::Expr::Const(0), local(slot)]), site);
        let negative = ts::Expr::compare(Compare::Lt, local(slot), ts::Expr::Const(0));
        ts::Expr::Let(slot, Box::new([value, ts::Expr::If(Box::new([negative, negated, local(slot)]))]))
    }

    fn equal(&mut self, differ: bool, left: &Expr, right: &Expr) -> ts::Expr {
        if self.is_scalar(left.ty) {
            let op = if differ { Compare::Ne } else { Compare::Eq };
            return ts::Expr::Compare(op, self.pair(left, right));
        }
        let same = self.with_places(left, right, |a, b| {
            let width = a.place.width;
            ts::Expr::Same(Box::new([a.place, b.place]), width)
        });
        if differ { same.negate() } else { same }
    }

    fn with_places(
        &mut self,
        left: &Expr,
        right: &Expr,
        build: impl FnOnce(Typed, Typed) -> ts::Expr,
    ) -> ts::Expr {
        let mut before = Vec::new();
        let left = self.place(left, &mut before);
        let right = self.place(right, &mut before);
        after(before, build(left, right))
    }

    /// The value of an expression where a value of the type is stored: with a check unless it surely fits.
    pub(super) fn checked(&mut self, expr: &Expr, ty: TypeId) -> ts::Expr {
        let value = self.scalar(expr);
        match self.types.bounds(ty) {
            Some((lo, hi)) if !self.fits(expr, &value, lo, hi) => {
                let site = self.site(expr.span);
                ts::Expr::Check(Box::new(ts::Check { value, lo, hi, site }))
            }
            _ => value,
        }
    }

    fn fits(&self, expr: &Expr, value: &ts::Expr, lo: i64, hi: i64) -> bool {
        let inside = |ty: TypeId| self.types.bounds(ty).is_some_and(|(l, h)| lo <= l && h <= hi);
        match (&expr.kind, value) {
            (_, ts::Expr::Const(value)) => (lo..=hi).contains(value),
            (ExprKind::Local(id), _) => match self.model.locals[id.index()].ty {
                Stored::Type(ty) => inside(ty),
                Stored::Int => false,
            },
            (ExprKind::Var(id, _), _) => inside(self.model.vars[id.index()].ty),
            (ExprKind::Next(inner), _) => self.fits(inner, value, lo, hi),
            _ => false,
        }
    }

    /// The value of an index of the type: the scalar itself, or the number of a wide value.
    pub(super) fn numbered(&mut self, expr: &Expr, ty: TypeId, out: &mut Vec<Stmt>) -> ts::Expr {
        if self.types.is_scalar(ty) {
            return self.scalar(expr);
        }
        let place = self.place(expr, out);
        ts::Expr::Rank(Box::new(place.place), ty)
    }

    /// An element of a collection as an operand; integers are checked if asked for.
    pub(super) fn operand(&mut self, expr: &Expr, ty: TypeId, check: bool, out: &mut Vec<Stmt>) -> Operand {
        if !self.types.is_scalar(ty) {
            return Operand::Wide(self.place(expr, out).place);
        }
        let value = if check { self.checked(expr, ty) } else { self.scalar(expr) };
        Operand::Scalar(value, self.types.bias(ty))
    }

    /// The number of an element of a set: 0 for the first.
    pub(super) fn element_number(
        &mut self,
        expr: &Expr,
        ty: TypeId,
        check: bool,
        out: &mut Vec<Stmt>,
    ) -> ts::Expr {
        if !self.types.is_scalar(ty) {
            return self.numbered(expr, ty, out);
        }
        let value = if check { self.checked(expr, ty) } else { self.scalar(expr) };
        shifted(value, -self.types.bias(ty))
    }

    fn contains(&mut self, element: &Expr, collection: &Expr) -> ts::Expr {
        let mut before = Vec::new();
        let it = self.place(collection, &mut before);
        match *self.types.get(it.ty) {
            Type::Set(ty) => {
                let number = self.element_number(element, ty, false, &mut before);
                after(before, ts::Expr::Contains(Box::new(it.place), Box::new(number)))
            }
            _ => {
                let count = self.count(it, element, &mut before);
                after(before, ts::Expr::compare(Compare::Lt, ts::Expr::Const(0), count))
            }
        }
    }

    fn occurrences(&mut self, bag: &Expr, element: &Expr) -> ts::Expr {
        let mut before = Vec::new();
        let it = self.place(bag, &mut before);
        let count = self.count(it, element, &mut before);
        after(before, count)
    }

    fn count(&mut self, it: Typed, element: &Expr, before: &mut Vec<Stmt>) -> ts::Expr {
        let (Type::Queue { element: ty, .. } | Type::Bag { element: ty, .. }) = *self.types.get(it.ty) else {
            unreachable!("only queues and bags are counted in")
        };
        let operand = self.operand(element, ty, false, before);
        ts::Expr::Count(Box::new(it.place), it.ty, Box::new(operand))
    }

    fn optional_bias(&self, ty: Ty) -> i64 {
        match ty {
            Ty::Of(ty) => match *self.types.get(ty) {
                Type::Option(inner) => self.types.bias(inner),
                _ => unreachable!("not an optional"),
            },
            Ty::Int => unreachable!("not an optional"),
        }
    }

    /// Binds the names and says what they range over.
    pub(super) fn binders(&mut self, binders: &[hir::Binder]) -> Box<[ts::Binder]> {
        binders.iter().map(|binder| self.binder(binder)).collect()
    }

    pub(super) fn binder(&mut self, binder: &hir::Binder) -> ts::Binder {
        poll();
        let domain = match &binder.domain {
            hir::Domain::Type => ts::Domain::Type,
            hir::Domain::Collection(collection) => {
                let mut setup = Vec::new();
                let it = self.place(collection, &mut setup);
                let collection = ts::Collection { setup: setup.into(), place: it.place, ty: it.ty };
                ts::Domain::Collection(Box::new(collection))
            }
        };
        let target = target(self.bind(binder.local));
        ts::Binder { target, ty: self.stored_type(binder.local), domain }
    }

    fn quantify(
        &mut self,
        quantifier: Quantifier,
        binders: &[hir::Binder],
        filter: Option<&Expr>,
        body: &Expr,
        blame: &Expr,
    ) -> ts::Expr {
        let binders = self.binders(binders);
        let mut filter = filter.map(|filter| match quantifier {
            Quantifier::Forall => self.watched(filter, ProbeRole::Premise, blame.span),
            _ => self.scalar(filter),
        });
        let mut body = self.scalar(body);
        let quantifier = match quantifier {
            Quantifier::Forall => ts::Quantifier::Forall,
            Quantifier::Exists => ts::Quantifier::Exists,
            Quantifier::Count => ts::Quantifier::Count,
            Quantifier::Sum => ts::Quantifier::Sum,
            Quantifier::Min => ts::Quantifier::Min,
            Quantifier::Max => ts::Quantifier::Max,
        };
        match (quantifier, filter.take()) {
            (_, None) => {}
            (ts::Quantifier::Forall, Some(only)) => body = ts::Expr::Or(Box::new([only.negate(), body])),
            (ts::Quantifier::Exists, Some(only)) => body = ts::Expr::And(Box::new([only, body])),
            (_, only) => filter = only,
        }
        let site = self.site(blame.span);
        ts::Expr::Quantify(Box::new(ts::Quantify { quantifier, binders, filter, body, site }))
    }

    /// Gives a local name the value of an expression.
    pub(super) fn define(&mut self, id: LocalId, value: &Expr, out: &mut Vec<Stmt>) {
        let declared = self.model.locals[id.index()].ty;
        match declared {
            Stored::Type(ty) if !self.types.is_scalar(ty) => {
                let source = self.place(value, out);
                let Storage::Wide(bit) = self.bind(id) else { unreachable!("a wide local") };
                out.push(Stmt::Copy(self.at(Root::Frame, bit, ty).place, source.place));
            }
            Stored::Type(ty) => {
                let value = self.checked(value, ty);
                self.define_slot(id, value, out);
            }
            Stored::Int => {
                let value = self.scalar(value);
                self.define_slot(id, value, out);
            }
        }
    }

    fn define_slot(&mut self, id: LocalId, value: ts::Expr, out: &mut Vec<Stmt>) {
        let Storage::Slot(slot) = self.bind(id) else { unreachable!("a scalar local") };
        out.push(Stmt::Local(slot, value));
    }

    /// Evaluates the arguments of a call and puts them where the function expects its parameters. All are
    /// evaluated before any is put there: an argument may call the same function.
    pub(super) fn arguments(&mut self, function: hir::FunctionId, args: &[Expr], out: &mut Vec<Stmt>) {
        let params = &self.model.functions[function.index()].params;
        let mut moves = Vec::new();
        for (&param, arg) in params.iter().zip(args) {
            let declared = self.model.locals[param.index()].ty;
            match (self.locals[&param].storage, declared) {
                (Storage::Wide(bit), Stored::Type(ty)) => {
                    let source = self.place(arg, out);
                    let temporary = self.temporary(ty);
                    out.push(Stmt::Copy(temporary.place.clone(), source.place));
                    moves.push(Stmt::Copy(self.at(Root::Frame, bit, ty).place, temporary.place));
                }
                (Storage::Slot(slot), declared) => {
                    let value = match declared {
                        Stored::Type(ty) => self.checked(arg, ty),
                        Stored::Int => self.scalar(arg),
                    };
                    let temporary = self.frame.slot();
                    out.push(Stmt::Local(temporary, value));
                    moves.push(Stmt::Local(slot, local(temporary)));
                }
                (Storage::Wide(_), Stored::Int) => unreachable!("an integer is a scalar"),
            }
        }
        out.extend(moves);
    }

    /// A function. Its parameters keep their places for good.
    pub(super) fn function(&mut self, function: &hir::Function, kept: bool) -> ts::Function {
        let params = function.params.iter().map(|&param| self.parameter(param)).collect();
        ts::Function { params, body: self.function_body(function), kept }
    }

    /// What a function computes of its parameters, which have their places.
    pub(super) fn function_body(&mut self, function: &hir::Function) -> ts::Body {
        match function.result {
            Stored::Type(ty) if !self.types.is_scalar(ty) => {
                let result = self.temporary(ty);
                let mut statements = Vec::new();
                self.results.push(result.place.offset);
                self.fill(&result, &function.body, &mut statements);
                ts::Body::Wide(statements.into(), result.place)
            }
            Stored::Type(ty) => {
                self.results.push(0);
                ts::Body::Scalar(self.checked(&function.body, ty))
            }
            Stored::Int => {
                self.results.push(0);
                ts::Body::Scalar(self.scalar(&function.body))
            }
        }
    }

    fn parameter(&mut self, param: LocalId) -> ts::Parameter {
        let target = target(self.bind(param));
        let width = match (target, self.model.locals[param.index()].ty) {
            (ts::Target::Wide(_), Stored::Type(ty)) => self.types.width(ty),
            _ => 0,
        };
        ts::Parameter { target, width }
    }
}

/// The scalar at a place.
pub(super) fn load(place: Typed) -> ts::Expr {
    let place = place.place;
    if place.root == Root::State && place.indices.is_empty() {
        return ts::Expr::Cell(ts::Cell { offset: place.offset, width: place.width, bias: place.bias });
    }
    ts::Expr::Load(Box::new(place))
}

/// The value after some statements.
pub(super) fn after(statements: Vec<Stmt>, value: ts::Expr) -> ts::Expr {
    if statements.is_empty() { value } else { ts::Expr::Do(statements.into(), Box::new(value)) }
}

/// The value plus a constant.
pub(super) fn shifted(value: ts::Expr, by: i64) -> ts::Expr {
    match (value, by) {
        (value, 0) => value,
        (ts::Expr::Const(value), by) => ts::Expr::Const(value.wrapping_add(by)),
        (value, by) => ts::Expr::Offset(Box::new(value), by),
    }
}

fn arith_op(op: ArithOp) -> Arith {
    match op {
        ArithOp::Add => Arith::Add,
        ArithOp::Sub => Arith::Sub,
        ArithOp::Mul => Arith::Mul,
        ArithOp::Div => Arith::Div,
        ArithOp::Rem => Arith::Rem,
    }
}
