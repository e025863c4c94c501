//! Expressions on all states at once.

use super::{Executor, Value};
use crate::store::{Out, Set};
use crate::vector::{Int, same};
use burnside_ts::{Arith, Compare, Expr, Operand, Place, Quantifier, Quantify};

impl<'s> Executor<'s, '_> {
    pub(super) fn eval(&mut self, expr: &'s Expr) -> Out<Value> {
        match expr {
            Expr::Foreign(..) => unreachable!("diagrams are made of code: the facade refuses other systems"),
            Expr::Const(value) => Ok(self.sure(self.constant(*value))),
            Expr::Local(slot) => {
                let known = self.slots.get(&slot.index()).cloned();
                Ok(self.sure(known.unwrap_or_else(|| self.constant(0))))
            }
            Expr::Cell(cell) => {
                let bits = self.state[cell.offset as usize..][..cell.width as usize].to_vec();
                let int = self.biased(bits, cell.bias)?;
                Ok(self.sure(int))
            }
            Expr::Load(place) => {
                let (bits, fault) = self.read(place, place.width)?;
                Ok(Value { int: self.biased(bits, place.bias)?, fault })
            }
            Expr::Not(inner) => {
                let value = self.eval(inner)?;
                let holds = value.int.is_true()?.not();
                Ok(Value { int: Int::truth(self.store, holds), ..value })
            }
            Expr::Offset(inner, by) => {
                let value = self.eval(inner)?;
                let int = value.int.plus(self.store, &self.constant(*by))?;
                Ok(Value { int, ..value })
            }
            Expr::Compare(op, sides) => {
                let (left, right, fault) = self.both(sides)?;
                let holds = self.compare(*op, &left, &right)?;
                Ok(Value { int: Int::truth(self.store, holds), fault })
            }
            Expr::And(sides) => self.branch(&sides[0], Some(&sides[1]), None),
            Expr::Or(sides) => self.branch(&sides[0], None, Some(&sides[1])),
            Expr::If(parts) => self.branch(&parts[0], Some(&parts[1]), Some(&parts[2])),
            Expr::Let(slot, parts) => {
                let value = self.eval(&parts[0])?;
                self.slots.insert(slot.index(), value.int);
                let body = self.eval(&parts[1])?;
                Ok(Value { fault: body.fault.or(&value.fault)?, ..body })
            }
            Expr::Arith(op, sides, _) => {
                let (left, right, fault) = self.both(sides)?;
                let (int, bad) = self.arith(*op, &left, &right)?;
                Ok(Value { int, fault: fault.or(&bad)? })
            }
            Expr::Quantify(quantify) => match quantify.quantifier {
                Quantifier::Forall => {
                    let (found, fault) = self.search(quantify, 0, false)?;
                    Ok(Value { int: Int::truth(self.store, found.not()), fault: fault.minus(&found)? })
                }
                Quantifier::Exists => {
                    let (found, fault) = self.search(quantify, 0, true)?;
                    Ok(Value { fault: fault.minus(&found)?, int: Int::truth(self.store, found) })
                }
                _ => self.accumulate(quantify),
            },
            Expr::Do(statements, value) => {
                let fault = self.everywhere(statements)?;
                let value = self.eval(value)?;
                Ok(Value { fault: value.fault.or(&fault)?, ..value })
            }
            Expr::Call(function) => self.call(*function),
            Expr::Check(check) => {
                let value = self.eval(&check.value)?;
                let inside = value.int.within(self.store, i128::from(check.lo), i128::from(check.hi))?;
                Ok(Value { fault: value.fault.or(&inside.not())?, ..value })
            }
            Expr::Bound(parts, _) => {
                let (value, limit, fault) = self.both(parts)?;
                let inside = value.less(self.store, &limit)?.minus(&value.is_negative())?;
                Ok(Value { int: value, fault: fault.or(&inside.not())? })
            }
            Expr::Unwrap(inner, bias, _) => {
                let value = self.eval(inner)?;
                let fault = value.fault.or(&value.int.is_true()?.not())?;
                Ok(Value { int: value.int.plus(self.store, &self.constant(bias - 1))?, fault })
            }
            Expr::Same(places, width) => {
                let (a, b, fault) = self.pair(places, *width)?;
                let equal = same(self.store, &a, &b)?;
                Ok(Value { int: Int::truth(self.store, equal), fault })
            }
            Expr::Rank(place, ty) => {
                let (bits, fault) = self.read(place, self.system.types.width(*ty))?;
                Ok(Value { int: self.rank(*ty, &bits)?, fault })
            }
            Expr::Contains(place, element) => {
                let (bits, fault) = self.read(place, place.width)?;
                let element = self.eval(element)?;
                let mut found = Vec::new();
                for (i, bit) in bits.iter().enumerate() {
                    found.push(bit.and(&element.int.is(self.store, i as i128)?)?);
                }
                let holds = self.store.union(found)?;
                Ok(Value { int: Int::truth(self.store, holds), fault: fault.or(&element.fault)? })
            }
            Expr::Subset(places, width) => {
                let (a, b, fault) = self.pair(places, *width)?;
                let beyond = a.iter().zip(&b).map(|(a, b)| a.minus(b)).collect::<Out<_>>()?;
                let holds = self.store.union(beyond)?.not();
                Ok(Value { int: Int::truth(self.store, holds), fault })
            }
            Expr::Size(place, ty) => {
                let (bits, fault) = self.read(place, self.system.types.width(*ty))?;
                Ok(Value { int: self.size(*ty, &bits)?, fault })
            }
            Expr::Count(place, ty, element) => {
                let (bits, fault) = self.read(place, self.system.types.width(*ty))?;
                let (element, other, inside) = self.operand(element, self.layout(*ty).slot)?;
                let count = self.occurrences(*ty, &bits, &element)?;
                let int = Int::choose(&inside, &count, &self.constant(0))?;
                Ok(Value { int, fault: fault.or(&other)? })
            }
        }
    }

    fn sure(&self, int: Int) -> Value {
        Value { int, fault: self.store.none() }
    }

    pub(super) fn biased(&self, bits: Vec<Set>, bias: i64) -> Out<Int> {
        let code = Int::code(self.store, bits);
        if bias == 0 { Ok(code) } else { code.plus(self.store, &self.constant(bias)) }
    }

    fn both(&mut self, sides: &'s [Expr; 2]) -> Out<(Int, Int, Set)> {
        let (left, right) = (self.eval(&sides[0])?, self.eval(&sides[1])?);
        Ok((left.int, right.int, left.fault.or(&right.fault)?))
    }

    fn pair(&mut self, places: &'s [Place; 2], width: u32) -> Out<(Vec<Set>, Vec<Set>, Set)> {
        let (a, left) = self.read(&places[0], width)?;
        let (b, right) = self.read(&places[1], width)?;
        Ok((a, b, left.or(&right)?))
    }

    /// The bits of an operand, where it faults, and where it is a value that has so many bits.
    pub(super) fn operand(&mut self, operand: &'s Operand, width: u32) -> Out<(Vec<Set>, Set, Set)> {
        match operand {
            Operand::Scalar(value, bias) => {
                let value = self.eval(value)?;
                let code = value.int.minus(self.store, &self.constant(*bias))?;
                let inside = code.within(self.store, 0, (1 << width) - 1)?;
                Ok((code.low(width), value.fault, inside))
            }
            Operand::Wide(place) => {
                let (bits, fault) = self.read(place, width)?;
                Ok((bits, fault, self.store.all()))
            }
        }
    }

    /// One of two values; a missing one is the truth value of the condition.
    fn branch(&mut self, condition: &'s Expr, yes: Option<&'s Expr>, no: Option<&'s Expr>) -> Out<Value> {
        let condition = self.eval(condition)?;
        let holds = condition.int.is_true()?;
        let mut side = |side: Option<&'s Expr>, needed: bool, value: i64| match side {
            Some(expr) if needed => self.eval(expr),
            _ => Ok(self.sure(self.constant(value))),
        };
        let yes = side(yes, !holds.is_empty(), 1)?;
        let no = side(no, !holds.is_full(), 0)?;
        let fault = condition.fault.or(&holds.choose(&yes.fault, &no.fault)?)?;
        Ok(Value { int: Int::choose(&holds, &yes.int, &no.int)?, fault })
    }

    fn compare(&self, op: Compare, left: &Int, right: &Int) -> Out<Set> {
        Ok(match op {
            Compare::Eq => left.equals(self.store, right)?,
            Compare::Ne => left.equals(self.store, right)?.not(),
            Compare::Lt => left.less(self.store, right)?,
            Compare::Le => right.less(self.store, left)?.not(),
        })
    }

    /// The result, and where there is none.
    fn arith(&self, op: Arith, left: &Int, right: &Int) -> Out<(Int, Set)> {
        let store = self.store;
        let (int, bad) = match op {
            Arith::Add => (left.plus(store, right)?, store.none()),
            Arith::Sub => (left.minus(store, right)?, store.none()),
            Arith::Mul => (left.times(store, right)?, store.none()),
            Arith::Div | Arith::Rem => {
                let (quotient, rest) = left.divided(store, right)?;
                // The interpreter computes both at once, so where the quotient does not fit there is no rest
                // either.
                let bad = right.is_true()?.not().or(&quotient.overflows(store)?)?;
                (if op == Arith::Div { quotient } else { rest }, bad)
            }
            Arith::Min => return Ok((Int::sorted(store, left, right)?[0].clone(), store.none())),
            Arith::Max => return Ok((Int::sorted(store, left, right)?[1].clone(), store.none())),
            Arith::Rotate(size) | Arith::RotateBack(size) => {
                let size = Int::constant(store, i128::from(size));
                let by = right.divided(store, &size)?.1;
                let moved = match op {
                    Arith::Rotate(_) => left.plus(store, &by)?,
                    _ => left.minus(store, &by)?,
                };
                (moved.divided(store, &size)?.1, store.none())
            }
        };
        let bad = bad.or(&int.overflows(store)?)?;
        Ok((int, bad))
    }

    /// Where the body has the wanted truth value for some combination of the binders from `level` on, and
    /// where it faults for some.
    fn search(&mut self, quantify: &'s Quantify, level: usize, wanted: bool) -> Out<(Set, Set)> {
        let Some(binder) = quantify.binders.get(level) else {
            let value = self.eval(&quantify.body)?;
            let holds = value.int.is_true()?;
            let right = if wanted { holds } else { holds.not() };
            return Ok((right.minus(&value.fault)?, value.fault));
        };
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        let fault = self.each(binder, &mut |executor, when, _| {
            let (here, fault) = executor.search(quantify, level + 1, wanted)?;
            let here = here.and(when)?;
            let done = here.is_full();
            found.push(here);
            faults.push(fault.and(when)?);
            Ok(!done)
        })?;
        faults.push(fault);
        Ok((self.store.union(found)?, self.store.union(faults)?))
    }

    fn accumulate(&mut self, quantify: &'s Quantify) -> Out<Value> {
        let mut sum = Sum { total: self.constant(0), some: self.store.none(), fault: self.store.none() };
        let when = self.store.all();
        self.add_up(quantify, 0, &when, &mut sum)?;
        let bad = match quantify.quantifier {
            Quantifier::Min | Quantifier::Max => sum.some.not(),
            _ => sum.total.overflows(self.store)?,
        };
        Ok(Value { int: sum.total, fault: sum.fault.or(&bad)? })
    }

    fn add_up(&mut self, quantify: &'s Quantify, level: usize, when: &Set, sum: &mut Sum) -> Out<()> {
        if let Some(binder) = quantify.binders.get(level) {
            let fault = self.each(binder, &mut |executor, taken, _| {
                let when = when.and(taken)?;
                if !when.is_empty() {
                    executor.add_up(quantify, level + 1, &when, sum)?;
                }
                Ok(true)
            })?;
            sum.fault = sum.fault.or(&fault.and(when)?)?;
            return Ok(());
        }
        let mut counts = when.clone();
        if let Some(filter) = &quantify.filter {
            let filter = self.eval(filter)?;
            sum.fault = sum.fault.or(&filter.fault.and(when)?)?;
            counts = counts.and(&filter.int.is_true()?)?;
        }
        let value = self.eval(&quantify.body)?;
        sum.fault = sum.fault.or(&value.fault.and(&counts)?)?;
        let store = self.store;
        match quantify.quantifier {
            Quantifier::Min | Quantifier::Max => {
                let [least, greatest] = Int::sorted(store, &sum.total, &value.int)?;
                let best = if quantify.quantifier == Quantifier::Min { least } else { greatest };
                let best = Int::choose(&sum.some, &best, &value.int)?;
                sum.total = Int::choose(&counts, &best, &sum.total)?;
                sum.some = sum.some.or(&counts)?;
            }
            Quantifier::Count | Quantifier::Sum | Quantifier::Forall | Quantifier::Exists => {
                let value = Int::choose(&counts, &value.int, &self.constant(0))?;
                sum.total = sum.total.plus(store, &value)?;
            }
        }
        Ok(())
    }
}

/// What was added up so far.
struct Sum {
    total: Int,
    /// Where there was something.
    some: Set,
    fault: Set,
}
