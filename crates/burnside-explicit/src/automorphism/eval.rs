//! Expressions on all states at once. Operands are evaluated under the condition (`path`) that they are
//! needed, as only then what they do to scratch memory counts.

use super::diagram::{Diagrams, Node, Out, TooLarge};
use super::symbolic::{FAULT, FAULTS, GOES_ON, Symbolic, strict};
use burnside_ts::{
    Arith, Binder, Compare, Domain, Expr, Operand, Place, Quantifier, Quantify, Target, Type, TypeId, Types,
};

/// The least or greatest of nothing.
const NONE: i128 = FAULT + 1;

/// A value that a binder takes, the condition that it does, and what tells it apart from the others.
pub(super) struct Taken {
    pub when: Node,
    pub value: Value,
    pub mark: (Option<TypeId>, u64),
}

/// A value: by number, or by its bits.
pub(super) enum Value {
    Number(u64),
    Bits(Vec<Node>),
}

impl<'s> Symbolic<'s> {
    pub(super) fn eval(&mut self, expr: &'s Expr, path: Node) -> Out {
        self.d.spend(1)?;
        match expr {
            Expr::Foreign(..) => unreachable!("foreign systems have no symmetry blocks"),
            Expr::Const(value) => Ok(self.d.leaf(i128::from(*value))),
            Expr::Local(slot) => self.slot(slot.index()),
            Expr::Cell(cell) => {
                let bits = self.state[cell.offset as usize..][..cell.width as usize].to_vec();
                let code = self.number(&bits)?;
                self.shifted(code, cell.bias)
            }
            Expr::Load(place) => {
                let (at, bits) = self.read(place, place.width, path)?;
                let code = self.number(&bits)?;
                let value = self.shifted(code, place.bias)?;
                self.located(at, value)
            }
            Expr::Not(inner) => {
                let value = self.eval(inner, path)?;
                self.d.map(value, &|v| if v == FAULT { v } else { i128::from(v == 0) })
            }
            Expr::Offset(inner, by) => {
                let value = self.eval(inner, path)?;
                self.shifted(value, *by)
            }
            Expr::Compare(op, sides) => {
                let (left, right) = (self.eval(&sides[0], path)?, self.eval(&sides[1], path)?);
                let compare = move |a: i128, b: i128| match op {
                    Compare::Eq => a == b,
                    Compare::Ne => a != b,
                    Compare::Lt => a < b,
                    Compare::Le => a <= b,
                };
                self.d.map2(left, right, &strict(|a, b| i128::from(compare(a, b))))
            }
            Expr::And(sides) => self.branch(&sides[0], Some(&sides[1]), None, path),
            Expr::Or(sides) => self.branch(&sides[0], None, Some(&sides[1]), path),
            Expr::If(parts) => self.branch(&parts[0], Some(&parts[1]), Some(&parts[2]), path),
            Expr::Let(slot, parts) => {
                let value = self.eval(&parts[0], path)?;
                let known = self.d.map(value, &|v| i128::from(v != FAULT))?;
                let path = self.d.and(path, known)?;
                self.set_slot(slot.index(), value, path)?;
                let body = self.eval(&parts[1], path)?;
                self.d.select(known, body, value)
            }
            Expr::Arith(op, sides, _) => {
                let (left, right) = (self.eval(&sides[0], path)?, self.eval(&sides[1], path)?);
                self.d.map2(left, right, &strict(|a, b| arith(*op, a, b)))
            }
            Expr::Quantify(quantify) => self.quantify(quantify, path),
            Expr::Do(statements, value) => {
                let status = self.block(statements, path)?;
                let going = self.d.is(status, GOES_ON)?;
                let path = self.d.and(path, going)?;
                let value = self.eval(value, path)?;
                let fault = self.d.leaf(FAULT);
                self.d.select(going, value, fault)
            }
            Expr::Call(function) => self.call(*function, path),
            Expr::Check(check) => {
                let value = self.eval(&check.value, path)?;
                let (lo, hi) = (i128::from(check.lo), i128::from(check.hi));
                self.d.map(value, &|v| if v < lo || v > hi { FAULT } else { v })
            }
            Expr::Bound(parts, _) => {
                let (value, limit) = (self.eval(&parts[0], path)?, self.eval(&parts[1], path)?);
                self.d.map2(value, limit, &strict(|v, limit| if v < 0 || v >= limit { FAULT } else { v }))
            }
            Expr::Unwrap(inner, bias, _) => {
                let (value, bias) = (self.eval(inner, path)?, i128::from(*bias));
                self.d.map(value, &|v| if v == FAULT || v == 0 { FAULT } else { v - 1 + bias })
            }
            Expr::Same(places, width) => {
                let ((one, a), (two, b)) =
                    (self.read(&places[0], *width, path)?, self.read(&places[1], *width, path)?);
                let equal = self.equal(&a, &b)?;
                let equal = self.located(one, equal)?;
                self.located(two, equal)
            }
            Expr::Rank(place, ty) => {
                let (at, bits) = self.read(place, self.system.types.width(*ty), path)?;
                let rank = self.rank(*ty, &bits)?;
                self.located(at, rank)
            }
            Expr::Contains(place, element) => {
                let (at, bits) = self.read(place, place.width, path)?;
                let element = self.eval(element, path)?;
                let found = self.d.bind(element, &mut |d, i| match i {
                    FAULT => Ok(d.leaf(FAULT)),
                    i => Ok(usize::try_from(i)
                        .ok()
                        .and_then(|i| bits.get(i))
                        .copied()
                        .unwrap_or(Diagrams::FALSE)),
                })?;
                self.located(at, found)
            }
            Expr::Subset(places, width) => {
                let ((one, a), (two, b)) =
                    (self.read(&places[0], *width, path)?, self.read(&places[1], *width, path)?);
                let mut inside = Diagrams::TRUE;
                for (a, b) in a.into_iter().zip(b) {
                    let here = self.d.map2(a, b, &strict(|a, b| i128::from(a <= b)))?;
                    inside = self.d.map2(inside, here, &strict(|a, b| a * b))?;
                }
                let inside = self.located(one, inside)?;
                self.located(two, inside)
            }
            Expr::Size(place, ty) => {
                let (at, bits) = self.read(place, self.system.types.width(*ty), path)?;
                let size = match self.system.types.get(*ty) {
                    Type::Set(_) => bits.into_iter().try_fold(Diagrams::FALSE, |count, bit| {
                        self.d.map2(count, bit, &strict(|a, b| a + b))
                    })?,
                    _ => {
                        let length = self.layout(*ty).length as usize;
                        self.number(&bits[..length])?
                    }
                };
                self.located(at, size)
            }
            Expr::Count(place, ty, element) => {
                let (at, bits) = self.read(place, self.system.types.width(*ty), path)?;
                let (value, element) = self.operand(element, self.layout(*ty).slot, path)?;
                let count = self.occurrences(*ty, &bits, &element)?;
                let count = self.located(at, count)?;
                self.located(value, count)
            }
        }
    }

    /// One of two operands, by the truth of a condition; where an operand is missing, that truth.
    fn branch(
        &mut self,
        condition: &'s Expr,
        yes: Option<&'s Expr>,
        no: Option<&'s Expr>,
        path: Node,
    ) -> Out {
        let condition = self.eval(condition, path)?;
        let holds = self.d.map(condition, &|v| i128::from(v != FAULT && v != 0))?;
        let fails = self.d.is(condition, 0)?;
        let mut side = |operand: Option<&'s Expr>, when: Node, missing: Node| match operand {
            Some(operand) if when != Diagrams::FALSE => {
                let path = self.d.and(path, when)?;
                self.eval(operand, path)
            }
            _ => Ok(missing),
        };
        let yes = side(yes, holds, Diagrams::TRUE)?;
        let no = side(no, fails, Diagrams::FALSE)?;
        let fault = self.d.leaf(FAULT);
        let otherwise = self.d.select(fails, no, fault)?;
        self.d.select(holds, yes, otherwise)
    }

    fn shifted(&mut self, value: Node, by: i64) -> Out {
        self.d.map(value, &|v| if v == FAULT { v } else { i128::from((v as i64).wrapping_add(by)) })
    }

    /// Where a place is and the bits there.
    pub(super) fn read(
        &mut self,
        place: &'s Place,
        width: u32,
        path: Node,
    ) -> Result<(Node, Vec<Node>), TooLarge> {
        let at = self.locate(place, path)?;
        Ok((at, self.fetch(place.root, at, width)?))
    }

    /// The value, or a fault where what it was computed from is one. (Bits know that too, but there may be
    /// none.)
    fn located(&mut self, at: Node, value: Node) -> Out {
        self.d.map2(at, value, &strict(|_, value| value))
    }

    /// An operand of this width: a value that is a fault where it is one, and its bits. A scalar may be
    /// sought that is no element; its bits are then unlike those of any.
    pub(super) fn operand(
        &mut self,
        operand: &'s Operand,
        width: u32,
        path: Node,
    ) -> Result<(Node, Vec<Node>), TooLarge> {
        let Operand::Scalar(value, bias) = operand else {
            let Operand::Wide(place) = operand else { unreachable!("scalar or wide") };
            return self.read(place, width, path);
        };
        let (value, bias) = (self.eval(value, path)?, i128::from(*bias));
        let code = self.d.map(value, &|v| if v == FAULT { v } else { v - bias })?;
        let fits = |code: i128| code == FAULT || (code >= 0 && code >> width == 0);
        if width == 0 && !self.d.range(code).into_iter().all(fits) {
            return Err(TooLarge);
        }
        let mut bits = Vec::with_capacity(width as usize);
        for j in 0..width {
            bits.push(self.d.map(code, &|v| match v {
                FAULT => FAULT,
                v if fits(v) => v >> j & 1,
                _ => 2,
            })?);
        }
        Ok((value, bits))
    }

    /// The values of a binder in their order, with what getting at them says (0, or a fault).
    pub(super) fn values(&mut self, binder: &'s Binder, path: Node) -> Result<(Node, Vec<Taken>), TooLarge> {
        let types = &self.system.types;
        let Domain::Collection(collection) = &binder.domain else {
            let size = types.size(binder.ty).expect("a bound type is numbered");
            self.d.spend(size)?;
            let taken =
                |n| Taken { when: Diagrams::TRUE, value: Value::Number(n), mark: (Some(binder.ty), n) };
            return Ok((Diagrams::FALSE, (0..size).map(taken).collect()));
        };
        let (status, bits) = self.collection(collection, path)?;
        let mut all = Vec::new();
        if let Type::Set(element) = *types.get(collection.ty) {
            for (i, &bit) in bits.iter().enumerate() {
                let when = self.d.is(bit, 1)?;
                let n = i as u64;
                all.push(Taken { when, value: Value::Number(n), mark: (Some(element), n) });
            }
            return Ok((status, all));
        }
        let slots = self.layout(collection.ty);
        let length = self.number(&bits[..slots.length as usize])?;
        let slot = |i: u32| bits[slots.offset(i) as usize..][..slots.slot as usize].to_vec();
        for i in 0..slots.capacity {
            let when = self.d.map(length, &|v| i128::from(v > i128::from(i)))?;
            all.push(Taken { when, value: Value::Bits(slot(i)), mark: (None, u64::from(i)) });
        }
        Ok((status, all))
    }

    /// Gives a binder a value.
    pub(super) fn take(&mut self, binder: &Binder, value: &Value) -> Result<(), TooLarge> {
        let bits = match value {
            Value::Number(number) => {
                let mut bits = vec![Diagrams::FALSE; self.system.types.width(binder.ty) as usize];
                unrank(&self.system.types, binder.ty, *number, &mut bits);
                bits
            }
            Value::Bits(bits) => bits.clone(),
        };
        match (binder.target, value) {
            (Target::Scalar(slot), Value::Number(number)) => {
                let value = i128::from(*number) + i128::from(self.system.types.bias(binder.ty));
                let value = self.d.leaf(value);
                self.set_slot(slot.index(), value, Diagrams::TRUE)
            }
            (target, _) => self.give(target, binder.ty, &bits),
        }
    }

    fn quantify(&mut self, quantify: &'s Quantify, path: Node) -> Out {
        match quantify.quantifier {
            Quantifier::Forall => {
                let found = self.search(quantify, 0, false, path)?;
                self.d.map(found, &|v| if v == FAULT { v } else { 1 - v })
            }
            Quantifier::Exists => self.search(quantify, 0, true, path),
            Quantifier::Min | Quantifier::Max => {
                let none = self.d.leaf(NONE);
                let best = self.accumulate(quantify, 0, none, path)?;
                self.d.map(best, &|v| if v == NONE { FAULT } else { v })
            }
            Quantifier::Count | Quantifier::Sum => {
                let total = self.accumulate(quantify, 0, Diagrams::FALSE, path)?;
                self.d.map(total, &|v| if i64::try_from(v).is_ok() { v } else { FAULT })
            }
        }
    }

    /// Whether the body has the wanted truth value for some combination; a fault counts only if it has not.
    fn search(&mut self, quantify: &'s Quantify, level: usize, wanted: bool, path: Node) -> Out {
        let Some(binder) = quantify.binders.get(level) else {
            let value = self.eval(&quantify.body, path)?;
            return self.d.map(value, &|v| if v == FAULT { v } else { i128::from((v != 0) == wanted) });
        };
        let (status, values) = self.values(binder, path)?;
        let mut found = self.d.map(status, &|v| if v == GOES_ON { 0 } else { FAULT })?;
        for taken in values {
            if taken.when == Diagrams::FALSE {
                continue;
            }
            self.take(binder, &taken.value)?;
            let path = self.d.and(path, taken.when)?;
            let here = self.search(quantify, level + 1, wanted, path)?;
            let here = self.d.select(taken.when, here, Diagrams::FALSE)?;
            found = self.d.map2(found, here, &|a, b| match (a, b) {
                (1, _) | (_, 1) => 1,
                (FAULT, _) | (_, FAULT) => FAULT,
                _ => 0,
            })?;
        }
        Ok(found)
    }

    fn accumulate(&mut self, quantify: &'s Quantify, level: usize, before: Node, path: Node) -> Out {
        let Some(binder) = quantify.binders.get(level) else {
            let (filter, path) = match &quantify.filter {
                None => (Diagrams::TRUE, path),
                Some(filter) => {
                    let filter = self.eval(filter, path)?;
                    let holds = self.d.map(filter, &|v| i128::from(v != FAULT && v != 0))?;
                    (filter, self.d.and(path, holds)?)
                }
            };
            let value = self.eval(&quantify.body, path)?;
            let after = self.d.map2(
                before,
                value,
                &strict(|a, b| match quantify.quantifier {
                    Quantifier::Min if a != NONE => a.min(b),
                    Quantifier::Max if a != NONE => a.max(b),
                    Quantifier::Min | Quantifier::Max => b,
                    _ => a + b,
                }),
            )?;
            let skipped = self.d.is(filter, 0)?;
            let after = self.d.map2(filter, after, &strict(|_, after| after))?;
            return self.d.select(skipped, before, after);
        };
        let (status, values) = self.values(binder, path)?;
        let mut total = self.d.map2(status, before, &|status, v| if status == FAULTS { FAULT } else { v })?;
        for taken in values {
            if taken.when == Diagrams::FALSE {
                continue;
            }
            self.take(binder, &taken.value)?;
            let path = self.d.and(path, taken.when)?;
            let after = self.accumulate(quantify, level + 1, total, path)?;
            total = self.d.select(taken.when, after, total)?;
        }
        Ok(total)
    }
}

/// The operators of the interpreter.
fn arith(op: Arith, a: i128, b: i128) -> i128 {
    let turn = |size: u32, by: i128| (a + by).rem_euclid(i128::from(size));
    let result = match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div | Arith::Rem if b == 0 => return FAULT,
        Arith::Rem if b == -1 && a == i128::from(i64::MIN) => return FAULT,
        Arith::Div => a.div_euclid(b),
        Arith::Rem => a.rem_euclid(b),
        Arith::Min => a.min(b),
        Arith::Max => a.max(b),
        Arith::Rotate(size) => turn(size, b.rem_euclid(i128::from(size))),
        Arith::RotateBack(size) => turn(size, -b.rem_euclid(i128::from(size))),
    };
    if i64::try_from(result).is_ok() { result } else { FAULT }
}

/// Writes the bits of the value with a number.
fn unrank(types: &Types, ty: TypeId, mut number: u64, bits: &mut [Node]) {
    let size = |ty| types.size(ty).expect("only numbered types are ranked");
    match *types.get(ty) {
        Type::Option(inner) if !types.is_scalar(ty) => {
            if number > 0 {
                bits[0] = Diagrams::TRUE;
                unrank(types, inner, number - 1, &mut bits[1..]);
            }
        }
        Type::Record(id) => {
            for field in types.record(id).fields.iter().rev() {
                let part = &mut bits[field.offset as usize..][..types.width(field.ty) as usize];
                unrank(types, field.ty, number % size(field.ty), part);
                number /= size(field.ty);
            }
        }
        Type::Array { index, element } => {
            let width = types.width(element) as usize;
            for i in (0..size(index) as usize).rev() {
                unrank(types, element, number % size(element), &mut bits[i * width..][..width]);
                number /= size(element);
            }
        }
        _ => {
            for (j, bit) in bits.iter_mut().enumerate() {
                *bit = if number >> j & 1 == 1 { Diagrams::TRUE } else { Diagrams::FALSE };
            }
        }
    }
}
