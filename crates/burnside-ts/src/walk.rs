//! Walks over code and formulas: what something is directly made of, so that nobody matches every variant
//! merely to visit it.
//!
//! Entry points: `children` and `map` of [`Expr`], [`Stmt`], [`Formula`], [`Temporal`] and [`Sequence`]. A
//! walk goes one level down, in the order of evaluation; who wants all levels calls itself. Functions are not
//! entered: a call has no parts. `map` of code changes the nearest expressions, also those inside places and
//! statements on the way.

use crate::code::{Binder, Domain, Expr, Operand, Place, Stmt};
use crate::formula::{Formula, Sequence, Temporal};
use std::slice::from_ref;

/// A direct part of an expression or a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'c> {
    /// An expression.
    Expr(&'c Expr),
    /// A statement.
    Stmt(&'c Stmt),
    /// A place, and what happens to it. The expressions of its indices are parts of the place.
    Place(Access, &'c Place),
}

/// What happens to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written as a whole.
    Write,
    /// It is read and written.
    Update,
}

/// Takes parts one by one.
type PartVisitor<'v, 'c> = &'v mut dyn FnMut(Part<'c>);

impl Expr {
    /// Visits the direct parts.
    pub fn children<'c>(&'c self, visit: PartVisitor<'_, 'c>) {
        let read = |place| Part::Place(Access::Read, place);
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) | Expr::Call(_) => {}
            Expr::Load(place) | Expr::Rank(place, _) | Expr::Size(place, _) => visit(read(place)),
            Expr::Not(inner) | Expr::Offset(inner, _) | Expr::Unwrap(inner, ..) => visit(Part::Expr(inner)),
            Expr::Arith(_, parts, _)
            | Expr::Compare(_, parts)
            | Expr::And(parts)
            | Expr::Or(parts)
            | Expr::Let(_, parts)
            | Expr::Bound(parts, _) => parts.iter().for_each(|part| visit(Part::Expr(part))),
            Expr::If(parts) => parts.iter().for_each(|part| visit(Part::Expr(part))),
            Expr::Foreign(_, args) => args.iter().for_each(|arg| visit(Part::Expr(arg))),
            Expr::Quantify(quantify) => {
                quantify.binders.iter().for_each(|binder| binder.children(visit));
                quantify.filter.iter().for_each(|filter| visit(Part::Expr(filter)));
                visit(Part::Expr(&quantify.body));
            }
            Expr::Do(statements, value) => {
                statements.iter().for_each(|statement| visit(Part::Stmt(statement)));
                visit(Part::Expr(value));
            }
            Expr::Check(check) => visit(Part::Expr(&check.value)),
            Expr::Same(places, _) | Expr::Subset(places, _) => places.iter().for_each(|it| visit(read(it))),
            Expr::Contains(place, element) => {
                visit(read(place));
                visit(Part::Expr(element));
            }
            Expr::Count(place, _, operand) => {
                visit(read(place));
                visit(operand.part());
            }
        }
    }

    /// The same with other expressions in place of the nearest ones.
    pub fn map(mut self, change: &mut dyn FnMut(Expr) -> Expr) -> Expr {
        self.each_mut(&mut |part| replace(part, change));
        self
    }

    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) | Expr::Call(_) => {}
            Expr::Load(place) | Expr::Rank(place, _) | Expr::Size(place, _) => place.each_mut(visit),
            Expr::Not(inner) | Expr::Offset(inner, _) | Expr::Unwrap(inner, ..) => visit(inner),
            Expr::Arith(_, parts, _)
            | Expr::Compare(_, parts)
            | Expr::And(parts)
            | Expr::Or(parts)
            | Expr::Let(_, parts)
            | Expr::Bound(parts, _) => parts.iter_mut().for_each(visit),
            Expr::If(parts) => parts.iter_mut().for_each(visit),
            Expr::Foreign(_, args) => args.iter_mut().for_each(visit),
            Expr::Quantify(quantify) => {
                quantify.binders.iter_mut().for_each(|binder| binder.each_mut(visit));
                quantify.filter.iter_mut().for_each(&mut *visit);
                visit(&mut quantify.body);
            }
            Expr::Do(statements, value) => {
                statements.iter_mut().for_each(|statement| statement.each_mut(visit));
                visit(value);
            }
            Expr::Check(check) => visit(&mut check.value),
            Expr::Same(places, _) | Expr::Subset(places, _) => {
                places.iter_mut().for_each(|place| place.each_mut(visit));
            }
            Expr::Contains(place, element) => {
                place.each_mut(visit);
                visit(element);
            }
            Expr::Count(place, _, operand) => {
                place.each_mut(visit);
                operand.each_mut(visit);
            }
        }
    }
}

impl Stmt {
    /// Visits the direct parts.
    pub fn children<'c>(&'c self, visit: PartVisitor<'_, 'c>) {
        let write = |place| Part::Place(Access::Write, place);
        let read = |place| Part::Place(Access::Read, place);
        let update = |place| Part::Place(Access::Update, place);
        match self {
            Stmt::Local(_, value) | Stmt::Assert(value, _) | Stmt::Assume(value, _) => {
                visit(Part::Expr(value));
            }
            Stmt::Store(to, value) => {
                visit(Part::Expr(value));
                visit(write(to));
            }
            Stmt::Copy(to, from) => {
                visit(read(from));
                visit(write(to));
            }
            Stmt::Clear(to) | Stmt::Choose(to, _) => visit(write(to)),
            Stmt::If(condition, then, otherwise) => {
                visit(Part::Expr(condition));
                then.iter().chain(otherwise).for_each(|inner| visit(Part::Stmt(inner)));
            }
            Stmt::For(binder, body) => {
                binder.children(visit);
                body.iter().for_each(|inner| visit(Part::Stmt(inner)));
            }
            Stmt::ChooseFrom(binder, _) => binder.children(visit),
            Stmt::Forget(_) | Stmt::Call(_) => {}
            Stmt::Member(place, element, _) => {
                visit(Part::Expr(element));
                visit(update(place));
            }
            Stmt::Combine(_, places) => {
                let [to, left, right] = &**places;
                [read(left), read(right), write(to)].into_iter().for_each(visit);
            }
            Stmt::Push(place, _, element, _)
            | Stmt::Add(place, _, element, _)
            | Stmt::Remove(place, _, element, _) => {
                visit(element.part());
                visit(update(place));
            }
            Stmt::Pop(place, ..) => visit(update(place)),
        }
    }

    /// The same with other expressions in place of the nearest ones.
    pub fn map(mut self, change: &mut dyn FnMut(Expr) -> Expr) -> Stmt {
        self.each_mut(&mut |part| replace(part, change));
        self
    }

    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Stmt::Local(_, value) | Stmt::Assert(value, _) | Stmt::Assume(value, _) => visit(value),
            Stmt::Store(place, value) | Stmt::Member(place, value, _) => {
                visit(value);
                place.each_mut(visit);
            }
            Stmt::Copy(to, from) => {
                from.each_mut(visit);
                to.each_mut(visit);
            }
            Stmt::Clear(place) | Stmt::Choose(place, _) | Stmt::Pop(place, ..) => place.each_mut(visit),
            Stmt::If(condition, then, otherwise) => {
                visit(condition);
                then.iter_mut().chain(otherwise).for_each(|inner| inner.each_mut(visit));
            }
            Stmt::For(binder, body) => {
                binder.each_mut(visit);
                body.iter_mut().for_each(|inner| inner.each_mut(visit));
            }
            Stmt::ChooseFrom(binder, _) => binder.each_mut(visit),
            Stmt::Forget(_) | Stmt::Call(_) => {}
            Stmt::Combine(_, places) => {
                let [to, left, right] = &mut **places;
                [left, right, to].into_iter().for_each(|place| place.each_mut(visit));
            }
            Stmt::Push(place, _, element, _)
            | Stmt::Add(place, _, element, _)
            | Stmt::Remove(place, _, element, _) => {
                element.each_mut(visit);
                place.each_mut(visit);
            }
        }
    }
}

impl Binder {
    fn children<'c>(&'c self, visit: PartVisitor<'_, 'c>) {
        if let Domain::Collection(collection) = &self.domain {
            collection.setup.iter().for_each(|statement| visit(Part::Stmt(statement)));
            visit(Part::Place(Access::Read, &collection.place));
        }
    }

    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        if let Domain::Collection(collection) = &mut self.domain {
            collection.setup.iter_mut().for_each(|statement| statement.each_mut(visit));
            collection.place.each_mut(visit);
        }
    }
}

impl Operand {
    fn part(&self) -> Part<'_> {
        match self {
            Operand::Scalar(value, _) => Part::Expr(value),
            Operand::Wide(place) => Part::Place(Access::Read, place),
        }
    }

    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Operand::Scalar(value, _) => visit(value),
            Operand::Wide(place) => place.each_mut(visit),
        }
    }
}

impl Place {
    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.indices.iter_mut().for_each(|index| visit(&mut index.value));
    }
}

fn replace(part: &mut Expr, change: &mut dyn FnMut(Expr) -> Expr) {
    *part = change(std::mem::replace(part, Expr::Const(0)));
}

impl Formula {
    /// The formulas directly inside.
    pub fn children(&self) -> &[Formula] {
        match self {
            Formula::Atom(..) | Formula::Step(_) => &[],
            Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => from_ref(&**inner),
            Formula::And(sides) | Formula::Or(sides) | Formula::Implies(sides) | Formula::Iff(sides) => {
                &**sides
            }
            Formula::Temporal(_, operator) => operator.children(),
        }
    }

    /// The same with other formulas directly inside.
    pub fn map(&self, change: &mut dyn FnMut(&Formula) -> Formula) -> Formula {
        match self {
            Formula::Atom(..) | Formula::Step(_) => self.clone(),
            Formula::Not(inner) => Formula::Not(Box::new(change(inner))),
            Formula::And(sides) => Formula::And(both(sides, change)),
            Formula::Or(sides) => Formula::Or(both(sides, change)),
            Formula::Implies(sides) => Formula::Implies(both(sides, change)),
            Formula::Iff(sides) => Formula::Iff(both(sides, change)),
            Formula::Forall(binder, body) => Formula::Forall(binder.clone(), Box::new(change(body))),
            Formula::Exists(binder, body) => Formula::Exists(binder.clone(), Box::new(change(body))),
            Formula::Temporal(path, operator) => Formula::Temporal(*path, operator.map(change)),
        }
    }

    /// Its conditions, in the order of the text.
    pub fn conditions(&self) -> Vec<&Expr> {
        match self {
            Formula::Atom(condition, _) => vec![condition],
            Formula::Step(step) => vec![&step.condition],
            _ => self.children().iter().flat_map(Formula::conditions).collect(),
        }
    }
}

impl Temporal {
    /// The formulas directly inside: one or two.
    pub fn children(&self) -> &[Formula] {
        match self {
            Temporal::Next(inner) | Temporal::Finally(inner) | Temporal::Globally(inner) => {
                from_ref(&**inner)
            }
            Temporal::Until(sides)
            | Temporal::Release(sides)
            | Temporal::WeakUntil(sides)
            | Temporal::StrongRelease(sides) => &**sides,
        }
    }

    /// The same with other formulas directly inside.
    pub fn map(&self, change: &mut dyn FnMut(&Formula) -> Formula) -> Temporal {
        match self {
            Temporal::Next(inner) => Temporal::Next(Box::new(change(inner))),
            Temporal::Finally(inner) => Temporal::Finally(Box::new(change(inner))),
            Temporal::Globally(inner) => Temporal::Globally(Box::new(change(inner))),
            Temporal::Until(sides) => Temporal::Until(both(sides, change)),
            Temporal::Release(sides) => Temporal::Release(both(sides, change)),
            Temporal::WeakUntil(sides) => Temporal::WeakUntil(both(sides, change)),
            Temporal::StrongRelease(sides) => Temporal::StrongRelease(both(sides, change)),
        }
    }
}

fn both(sides: &[Formula; 2], change: &mut dyn FnMut(&Formula) -> Formula) -> Box<[Formula; 2]> {
    Box::new([change(&sides[0]), change(&sides[1])])
}

impl Sequence {
    /// The sequences directly inside.
    pub fn children(&self) -> &[Sequence] {
        match self {
            Sequence::State(_) => &[],
            Sequence::Then(parts) | Sequence::Or(parts) => parts,
            Sequence::Repeat(body, ..) => from_ref(&**body),
        }
    }

    /// The same with other sequences directly inside.
    pub fn map(&self, change: &mut dyn FnMut(&Sequence) -> Sequence) -> Sequence {
        match self {
            Sequence::State(_) => self.clone(),
            Sequence::Then(parts) => Sequence::Then(parts.iter().map(change).collect()),
            Sequence::Or(parts) => Sequence::Or(parts.iter().map(change).collect()),
            Sequence::Repeat(body, least, most) => Sequence::Repeat(Box::new(change(body)), *least, *most),
        }
    }

    /// Its conditions, in the order of the text.
    pub fn conditions(&self) -> Vec<&Expr> {
        match self {
            Sequence::State(condition) => vec![condition],
            _ => self.children().iter().flat_map(Sequence::conditions).collect(),
        }
    }
}
