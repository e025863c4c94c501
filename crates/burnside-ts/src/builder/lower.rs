//! Terms to expressions, with their types checked.
//!
//! Entry points: [`Lowering::condition`], [`Lowering::integer`] and [`Lowering::assigned`]. Notes on the way
//! which elements are named and which sorts are taken in order: see [`Uses`].

use super::term::{Join, Node, Term};
use super::uses::Uses;
use super::{BuildError, Name, SystemBuilder};
use crate::code::{
    Arith, Binder, Check, Compare, Domain, Expr, Place, Quantifier, Quantify, Root, SiteId, Slot, Target,
};
use crate::system::Site;
use crate::types::{SortKind, Type, TypeId};

pub(super) type Result<T> = std::result::Result<T, BuildError>;

/// A type, or that of all integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Integer,
    Of(TypeId),
}

/// A scalar value, or where a wide one is.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Scalar(Expr),
    Wide(Place),
}

#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub ty: Ty,
    pub code: Code,
}

/// What one rule, property or initialisation is lowered with.
pub(super) struct Lowering<'b> {
    pub builder: &'b SystemBuilder,
    pub shared: &'b mut Shared,
    pub uses: Uses,
    /// Whether it is the initialisation.
    pub initial: bool,
    /// The names that are bound, from outside.
    scope: Vec<(Name, Target)>,
    /// How many of them must be bound for what was lowered last.
    pub level: usize,
}

/// What all rules and properties share.
#[derive(Default)]
pub(super) struct Shared {
    /// Words of the frame that are taken. Every name has its own.
    pub frame: usize,
    pub sites: Vec<Site>,
}

pub(super) fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(BuildError { message: message.into() })
}

impl<'b> Lowering<'b> {
    pub fn new(builder: &'b SystemBuilder, shared: &'b mut Shared) -> Self {
        Self { builder, shared, uses: Uses::default(), initial: false, scope: Vec::new(), level: 0 }
    }

    /// Binds a name to all values of its type, until it is [freed](Self::free).
    pub fn bind(&mut self, name: Name) -> Result<Binder> {
        let Some(&(ref text, ty)) = self.builder.names.get(name.0) else { return error("no such name") };
        if self.scope.iter().any(|(bound, _)| bound.0 == name.0) {
            return error(format!("`{text}` is bound twice"));
        }
        let types = &self.builder.types;
        if types.size(ty).is_none() {
            return error(format!("`{text}` has too many values: {}", self.builder.show_type(ty)));
        }
        let target = self.room(ty);
        self.scope.push((name, target));
        Ok(Binder { target, ty, domain: Domain::Type })
    }

    /// Room in the frame for a value of a type.
    pub fn room(&mut self, ty: TypeId) -> Target {
        let (types, word) = (&self.builder.types, self.shared.frame);
        let (target, words) = match types.is_scalar(ty) {
            true => (Target::Scalar(Slot(word as u32)), 1),
            false => (Target::Wide(word as u32 * 64), (types.width(ty) as usize).div_ceil(64)),
        };
        self.shared.frame += words;
        target
    }

    /// The latest so many names are no longer bound.
    pub fn free(&mut self, count: usize) {
        self.scope.truncate(self.scope.len() - count);
    }

    /// What a fault is blamed on.
    pub fn site(&mut self, term: &Term) -> SiteId {
        let text = self.builder.show(term);
        let known = self.shared.sites.iter().position(|site| site.text == text);
        let at = known.unwrap_or_else(|| {
            self.shared.sites.push(Site { text, origin: 0, line: 1, column: 1, message: None });
            self.shared.sites.len() - 1
        });
        SiteId(at as u32)
    }

    /// A truth value.
    pub fn condition(&mut self, term: &Term) -> Result<Expr> {
        let truth = self.builder.truth;
        self.scalar_of(term, truth)
    }

    /// An integer.
    pub fn integer(&mut self, term: &Term) -> Result<Expr> {
        let value = self.value(term, None)?;
        match value.code {
            Code::Scalar(expr) if self.bounds(value.ty).is_some() => Ok(expr),
            _ => error(format!("`{}` is not an integer", self.builder.show(term))),
        }
    }

    fn scalar_of(&mut self, term: &Term, ty: TypeId) -> Result<Expr> {
        match self.assigned(term, ty)? {
            Code::Scalar(expr) => Ok(expr),
            Code::Wide(_) => error(format!("`{}` is not a scalar", self.builder.show(term))),
        }
    }

    /// A value that is to be stored as one of a type, checked if it is an integer that may not fit.
    pub fn assigned(&mut self, term: &Term, ty: TypeId) -> Result<Code> {
        let value = self.value(term, Some(ty))?;
        self.converted(value, ty, term)
    }

    pub(super) fn converted(&mut self, value: Typed, ty: TypeId, term: &Term) -> Result<Code> {
        let types = &self.builder.types;
        if value.ty == Ty::Of(ty) {
            return Ok(value.code);
        }
        match (types.get(ty).clone(), self.bounds(value.ty), value.code) {
            (Type::Range { lo, hi }, Some(known), Code::Scalar(expr)) => match expr {
                Expr::Const(number) if !(lo..=hi).contains(&number) => {
                    error(format!("{number} is outside {lo}..{hi}"))
                }
                _ if known.0 >= lo && known.1 <= hi => Ok(Code::Scalar(expr)),
                Expr::Const(_) => Ok(Code::Scalar(expr)),
                value => {
                    let site = self.site(term);
                    Ok(Code::Scalar(Expr::Check(Box::new(Check { value, lo, hi, site }))))
                }
            },
            (Type::Option(held), _, code) if types.is_scalar(ty) => {
                match self.converted(Typed { ty: value.ty, code }, held, term)? {
                    Code::Scalar(expr) => Ok(Code::Scalar(shifted(expr, 1 - types.bias(held)))),
                    Code::Wide(_) => unreachable!("what an optional scalar holds is a scalar"),
                }
            }
            _ => {
                let found = match value.ty {
                    Ty::Integer => "an integer".to_string(),
                    Ty::Of(found) => self.builder.show_type(found),
                };
                let wanted = self.builder.show_type(ty);
                error(format!("`{}` is {found}, not {wanted}", self.builder.show(term)))
            }
        }
    }

    /// The bounds of an integer.
    pub(super) fn bounds(&self, ty: Ty) -> Option<(i64, i64)> {
        match ty {
            Ty::Integer => Some((i64::MIN, i64::MAX)),
            Ty::Of(ty) => match *self.builder.types.get(ty) {
                Type::Range { lo, hi } => Some((lo, hi)),
                _ => None,
            },
        }
    }

    /// A value of whatever type it has; literals have the type that is wanted.
    pub fn value(&mut self, term: &Term, wanted: Option<TypeId>) -> Result<Typed> {
        let truth = |expr| Ok(Typed { ty: Ty::Of(self.builder.truth), code: Code::Scalar(expr) });
        let integer = |expr| Ok(Typed { ty: Ty::Integer, code: Code::Scalar(expr) });
        match &*term.0 {
            Node::Number(_) | Node::Word(_) | Node::Nothing => self.literal(term, wanted),
            Node::Truth(value) => truth(Expr::Const(i64::from(*value))),
            Node::Variable(_) | Node::Cell(_) | Node::Field(..) | Node::Front(_) => {
                let (place, ty) = self.place(term)?;
                Ok(self.loaded(place, ty))
            }
            Node::Name(name) => self.name(*name),
            Node::Value(optional) => self.held(term, optional),
            Node::Not(inner) => truth(self.condition(inner)?.negate()),
            Node::Join(join, sides) => truth(self.joined(*join, sides)?),
            Node::Compare(op, sides) => truth(self.compared(*op, sides)?),
            Node::Arith(op, sides) => {
                let sides = Box::new([self.integer(&sides[0])?, self.integer(&sides[1])?]);
                let site = self.site(term);
                integer(Expr::Arith(*op, sides, site))
            }
            Node::Turn(sides) => self.turned(term, sides),
            Node::If([condition, then, otherwise]) => {
                let condition = self.condition(condition)?;
                let ([then, otherwise], ty) = self.alike([then, otherwise], wanted)?;
                Ok(Typed { ty, code: Code::Scalar(Expr::If(Box::new([condition, then, otherwise]))) })
            }
            Node::Quantify(quantifier, names, body) => {
                let expr = self.quantified(term, *quantifier, names, body)?;
                if matches!(quantifier, Quantifier::Forall | Quantifier::Exists) {
                    truth(expr)
                } else {
                    integer(expr)
                }
            }
            Node::Contains([set, element]) => {
                let (place, ty) = self.place(set)?;
                let Type::Set(inside) = *self.builder.types.get(ty) else { return self.no(set, "a set") };
                let number = self.number(element, inside)?;
                truth(Expr::Contains(Box::new(place), Box::new(number)))
            }
            Node::Subset([left, right]) => {
                let ((a, ty), (b, other)) = (self.place(left)?, self.place(right)?);
                if ty != other || !matches!(self.builder.types.get(ty), Type::Set(_)) {
                    return self.no(term, "about two sets of the same type");
                }
                truth(Expr::Subset(Box::new([a, b]), self.builder.types.width(ty)))
            }
            Node::Size(collection) => {
                let (place, ty, _) = self.collection(collection)?;
                integer(Expr::Size(Box::new(place), ty))
            }
            Node::Count([collection, element]) => {
                let (place, ty, inside) = self.collection(collection)?;
                if matches!(self.builder.types.get(ty), Type::Set(_)) {
                    return self.no(collection, "a queue or a bag");
                }
                let element = self.operand(element, inside)?;
                integer(Expr::Count(Box::new(place), ty, Box::new(element)))
            }
            Node::First | Node::Any => self.no(term, "a value: something can only be set to it"),
            Node::Time(..) => self.no(term, "a condition on a state"),
        }
    }

    /// A complaint.
    pub fn no<T>(&self, term: &Term, what: &str) -> Result<T> {
        error(format!("`{}` is not {what}", self.builder.show(term)))
    }

    fn literal(&mut self, term: &Term, wanted: Option<TypeId>) -> Result<Typed> {
        let types = &self.builder.types;
        let scalar = |ty, number| Ok(Typed { ty, code: Code::Scalar(Expr::Const(number)) });
        let ty = wanted.map(|ty| (ty, types.get(ty).clone()));
        match (&*term.0, ty) {
            (Node::Nothing, Some((ty, Type::Option(_)))) if types.is_scalar(ty) => scalar(Ty::Of(ty), 0),
            (Node::Number(_) | Node::Word(_), Some((_, Type::Option(held)))) => {
                self.literal(term, Some(held))
            }
            (Node::Number(number), Some((ty, Type::Sort(sort)))) => {
                if !(0..i64::from(types.sort(sort).size)).contains(number) {
                    return error(format!("`{}` has no element {number}", types.sort(sort).name));
                }
                self.uses.name(sort, *number as u32);
                scalar(Ty::Of(ty), *number)
            }
            (Node::Number(number), _) => scalar(Ty::Integer, *number),
            (Node::Word(word), Some((ty, Type::Enum(id)))) => {
                match types.enumeration(id).constants.iter().position(|it| it == word) {
                    Some(position) => scalar(Ty::Of(ty), position as i64),
                    None => error(format!("`{}` has no constant `{word}`", types.enumeration(id).name)),
                }
            }
            (Node::Word(word), Some((ty, Type::Sort(sort)))) => {
                let labels = types.sort(sort).labels.as_deref().unwrap_or(&[]);
                match labels.iter().position(|it| it == word) {
                    Some(position) => {
                        self.uses.name(sort, position as u32);
                        scalar(Ty::Of(ty), position as i64)
                    }
                    None => error(format!("`{}` has no element `{word}`", types.sort(sort).name)),
                }
            }
            (_, Some((ty, _))) => self.no(term, &format!("a value of {}", self.builder.show_type(ty))),
            (_, None) => self.no(term, "clear here: its type is not known"),
        }
    }

    pub(super) fn name(&mut self, name: Name) -> Result<Typed> {
        let Some(&(ref text, ty)) = self.builder.names.get(name.0) else { return error("no such name") };
        let Some(at) = self.scope.iter().position(|(bound, _)| bound.0 == name.0) else {
            return error(format!("`{text}` is not bound here"));
        };
        self.level = self.level.max(at + 1);
        let code = match self.scope[at].1 {
            Target::Scalar(slot) => Code::Scalar(Expr::Local(slot)),
            Target::Wide(offset) => Code::Wide(self.whole(Root::Frame, offset, ty)),
        };
        Ok(Typed { ty: Ty::Of(ty), code })
    }

    fn held(&mut self, term: &Term, optional: &Term) -> Result<Typed> {
        let value = self.value(optional, None)?;
        let (Ty::Of(ty), Code::Scalar(expr)) = (value.ty, value.code) else {
            return self.no(optional, "an optional scalar");
        };
        let Type::Option(held) = *self.builder.types.get(ty) else {
            return self.no(optional, "an optional scalar");
        };
        let (bias, site) = (self.builder.types.bias(held), self.site(term));
        Ok(Typed { ty: Ty::Of(held), code: Code::Scalar(Expr::Unwrap(Box::new(expr), bias, site)) })
    }

    fn joined(&mut self, join: Join, [left, right]: &[Term; 2]) -> Result<Expr> {
        let (left, right) = (self.condition(left)?, self.condition(right)?);
        Ok(match join {
            Join::And => Expr::And(Box::new([left, right])),
            Join::Or => Expr::Or(Box::new([left, right])),
            Join::Implies => Expr::Or(Box::new([left.negate(), right])),
            Join::Iff => Expr::compare(Compare::Eq, left, right),
        })
    }

    /// Two scalars of one type: that of the one that is no literal. Integers need not have the same.
    fn alike(&mut self, [left, right]: [&Term; 2], wanted: Option<TypeId>) -> Result<([Expr; 2], Ty)> {
        if left.is_literal() && !right.is_literal() {
            let ([right, left], ty) = self.alike([right, left], wanted)?;
            return Ok(([left, right], ty));
        }
        let first = self.value(left, wanted)?;
        self.paired(first, [left, right], wanted)
    }

    /// The same, if the first was lowered before.
    fn paired(
        &mut self,
        first: Typed,
        [left, right]: [&Term; 2],
        wanted: Option<TypeId>,
    ) -> Result<([Expr; 2], Ty)> {
        let hint = match first.ty {
            Ty::Of(ty) if self.bounds(first.ty).is_none() => Some(ty),
            _ => wanted,
        };
        let second = self.value(right, hint)?;
        if self.bounds(first.ty).is_some() && self.bounds(second.ty).is_some() {
            let (Code::Scalar(a), Code::Scalar(b)) = (first.code, second.code) else {
                unreachable!("integers are scalars")
            };
            return Ok(([a, b], Ty::Integer));
        }
        let is_optional =
            |ty: Ty| matches!(ty, Ty::Of(ty) if matches!(self.builder.types.get(ty), Type::Option(_)));
        let ty = if is_optional(second.ty) || first.ty == Ty::Integer { second.ty } else { first.ty };
        let Ty::Of(id) = ty else { unreachable!("not both are integers") };
        let (a, b) = (self.converted(first, id, left)?, self.converted(second, id, right)?);
        match (a, b) {
            (Code::Scalar(a), Code::Scalar(b)) => Ok(([a, b], ty)),
            _ => self.no(left, "a scalar"),
        }
    }

    fn compared(&mut self, op: Compare, sides: &[Term; 2]) -> Result<Expr> {
        let [left, right] = sides;
        let ([left, right], ty) = if left.is_literal() {
            self.alike([left, right], None)?
        } else {
            let first = self.value(left, None)?;
            if let (Ty::Of(ty), Code::Wide(place)) = (first.ty, &first.code) {
                return self.same(op, place.clone(), ty, sides);
            }
            self.paired(first, [left, right], None)?
        };
        if let (Compare::Lt | Compare::Le, Ty::Of(id)) = (op, ty) {
            match *self.builder.types.get(id) {
                Type::Sort(sort) => self.uses.order(sort),
                Type::Enum(_) | Type::Range { .. } => {}
                _ => return self.no(&sides[0], "of a type with an order"),
            }
        }
        Ok(Expr::compare(op, left, right))
    }

    /// Whether a wide value is equal to another, or a wide optional is none.
    fn same(&mut self, op: Compare, place: Place, ty: TypeId, [left, right]: &[Term; 2]) -> Result<Expr> {
        let equal = match (&*right.0, self.builder.types.get(ty)) {
            (Node::Nothing, Type::Option(_)) => {
                Expr::Load(Box::new(self.part(place, 0, self.builder.truth))).negate()
            }
            _ => match self.assigned(right, ty)? {
                Code::Wide(other) => Expr::Same(Box::new([place, other]), self.builder.types.width(ty)),
                Code::Scalar(_) => unreachable!("of the same wide type"),
            },
        };
        match op {
            Compare::Eq => Ok(equal),
            Compare::Ne => Ok(equal.negate()),
            Compare::Lt | Compare::Le => self.no(left, "of a type with an order"),
        }
    }

    fn turned(&mut self, term: &Term, [element, steps]: &[Term; 2]) -> Result<Typed> {
        let value = self.value(element, None)?;
        let (Ty::Of(ty), Code::Scalar(expr)) = (value.ty, value.code) else {
            return self.no(element, "an element of a sort");
        };
        let Type::Sort(sort) = *self.builder.types.get(ty) else {
            return self.no(element, "an element of a sort");
        };
        let (kind, size) = (self.builder.types.sort(sort).kind, self.builder.types.sort(sort).size);
        if kind == SortKind::Symmetric {
            self.uses.order(sort);
        }
        let sides = Box::new([expr, self.integer(steps)?]);
        let site = self.site(term);
        Ok(Typed { ty: Ty::Of(ty), code: Code::Scalar(Expr::Arith(Arith::Rotate(size), sides, site)) })
    }

    fn quantified(
        &mut self,
        term: &Term,
        quantifier: Quantifier,
        names: &[Name],
        body: &Term,
    ) -> Result<Expr> {
        let binders = names.iter().map(|&name| self.bind(name)).collect::<Result<_>>()?;
        // The own names are no parameters.
        let outside = self.level;
        let body = match quantifier {
            Quantifier::Forall | Quantifier::Exists | Quantifier::Count => self.condition(body)?,
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => self.integer(body)?,
        };
        self.free(names.len());
        self.level = self.level.min(self.scope.len()).max(outside);
        let site = self.site(term);
        Ok(Expr::Quantify(Box::new(Quantify { quantifier, binders, filter: None, body, site })))
    }
}

/// A value plus a constant.
pub(super) fn shifted(expr: Expr, by: i64) -> Expr {
    match expr {
        Expr::Const(number) => Expr::Const(number + by),
        expr if by == 0 => expr,
        expr => Expr::Offset(Box::new(expr), by),
    }
}
