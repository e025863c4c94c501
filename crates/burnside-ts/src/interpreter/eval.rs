//! The meaning of expressions.

use super::domain::Each;
use super::{Cause, Halt, Interpreter};
use crate::bits;
use crate::code::{Arith, Compare, Expr, Operand, Place, Quantifier, Quantify, Root, SiteId};
use crate::fault::{Fault, FaultKind};

/// An operand, evaluated.
#[derive(Clone, Copy)]
pub(super) enum Resolved {
    Code(u64),
    At(Root, u32),
}

impl<'s> Interpreter<'s> {
    /// The value of an operand: the leaves of expressions without another call.
    #[inline(always)]
    fn operand(&mut self, expr: &'s Expr) -> Result<i64, Halt> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Local(slot) => Ok(self.frame[slot.index()] as i64),
            Expr::Cell(cell) => Ok(bits::read(&self.state, cell.offset, cell.width) as i64 + cell.bias),
            _ => self.eval(expr),
        }
    }

    /// The value of an expression. The common cases are here, so that the function stays small and fast.
    pub(super) fn eval(&mut self, expr: &'s Expr) -> Result<i64, Halt> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Local(slot) => Ok(self.frame[slot.index()] as i64),
            Expr::Cell(cell) => Ok(bits::read(&self.state, cell.offset, cell.width) as i64 + cell.bias),
            Expr::Load(place) => {
                let offset = self.locate(place)?;
                Ok(bits::read(self.words(place.root), offset, place.width) as i64 + place.bias)
            }
            Expr::Not(inner) => Ok(i64::from(self.eval(inner)? == 0)),
            Expr::Compare(op, sides) => {
                let left = self.operand(&sides[0])?;
                let right = self.operand(&sides[1])?;
                Ok(i64::from(match op {
                    Compare::Eq => left == right,
                    Compare::Ne => left != right,
                    Compare::Lt => left < right,
                    Compare::Le => left <= right,
                }))
            }
            Expr::And(sides) => match self.eval(&sides[0])? {
                0 => Ok(0),
                _ => self.eval(&sides[1]),
            },
            Expr::Or(sides) => match self.eval(&sides[0])? {
                0 => self.eval(&sides[1]),
                _ => Ok(1),
            },
            _ => self.eval_other(expr),
        }
    }

    fn foreign(&mut self, condition: u32, args: &'s [Expr]) -> Result<i64, Halt> {
        let args = args.iter().map(|arg| self.eval(arg)).collect::<Result<Vec<i64>, Halt>>()?;
        let foreign = self.system.foreign.as_ref().expect("a foreign condition is one of a foreign system");
        foreign.value(condition, &args, &self.state).map_err(|fault| self.fault(fault.site, fault.kind))
    }

    #[inline(never)]
    fn eval_other(&mut self, expr: &'s Expr) -> Result<i64, Halt> {
        match expr {
            Expr::Offset(inner, by) => Ok(self.eval(inner)?.wrapping_add(*by)),
            Expr::If(parts) => {
                let chosen = if self.eval(&parts[0])? != 0 { &parts[1] } else { &parts[2] };
                self.eval(chosen)
            }
            Expr::Let(slot, parts) => {
                let value = self.eval(&parts[0])?;
                self.frame[slot.index()] = value as u64;
                self.eval(&parts[1])
            }
            Expr::Arith(op, sides, site) => {
                let (left, right) = (self.eval(&sides[0])?, self.eval(&sides[1])?);
                self.arith(*op, left, right, *site)
            }
            Expr::Quantify(quantify) => self.quantify(quantify),
            Expr::Do(statements, value) => {
                self.block(statements)?;
                self.eval(value)
            }
            Expr::Call(function) => self.call(*function),
            Expr::Check(check) => {
                let value = self.eval(&check.value)?;
                if value < check.lo || value > check.hi {
                    let (lo, hi) = (check.lo, check.hi);
                    return Err(self.fault(check.site, FaultKind::OutOfRange { value, lo, hi }));
                }
                if self.seen.is_some() {
                    self.note(check.site, value);
                }
                Ok(value)
            }
            Expr::Bound(parts, site) => {
                let (value, limit) = (self.eval(&parts[0])?, self.eval(&parts[1])?);
                if value < 0 || value >= limit {
                    let outside = FaultKind::IndexOutOfRange { index: value, lo: 0, hi: limit - 1 };
                    return Err(self.fault(*site, if limit == 0 { FaultKind::Empty } else { outside }));
                }
                Ok(value)
            }
            Expr::Unwrap(inner, bias, site) => match self.eval(inner)? {
                0 => Err(self.fault(*site, FaultKind::NoValue)),
                code => Ok(code - 1 + bias),
            },
            Expr::Same(places, width) => {
                let (a, b) = (self.locate(&places[0])?, self.locate(&places[1])?);
                let (left, right) = (self.words(places[0].root), self.words(places[1].root));
                Ok(i64::from(bits::compare(left, a, right, b, *width).is_eq()))
            }
            Expr::Rank(place, ty) => {
                let offset = self.locate(place)?;
                Ok(self.rank(*ty, place.root, offset) as i64)
            }
            Expr::Contains(place, element) => {
                let offset = self.locate(place)?;
                let element = self.eval(element)?;
                if element < 0 || element >= i64::from(place.width) {
                    return Ok(0);
                }
                Ok(bits::read(self.words(place.root), offset + element as u32, 1) as i64)
            }
            Expr::Subset(places, width) => self.subset(places, *width),
            Expr::Size(place, ty) => {
                let offset = self.locate(place)?;
                Ok(self.size(place.root, offset, *ty))
            }
            Expr::Count(place, ty, element) => {
                let offset = self.locate(place)?;
                let element = self.resolve(element)?;
                Ok(self.occurrences(place.root, offset, *ty, element))
            }
            Expr::Foreign(condition, args) => self.foreign(*condition, args),
            Expr::Const(_)
            | Expr::Local(_)
            | Expr::Cell(_)
            | Expr::Load(_)
            | Expr::Not(_)
            | Expr::Compare(..)
            | Expr::And(_)
            | Expr::Or(_) => unreachable!("evaluated above"),
        }
    }

    pub(super) fn words(&self, root: Root) -> &[u64] {
        match root {
            Root::State => &self.state,
            Root::Frame => &self.frame,
        }
    }

    pub(super) fn words_mut(&mut self, root: Root) -> &mut [u64] {
        match root {
            Root::State => {
                self.memo.state_changes();
                &mut self.state
            }
            Root::Frame => &mut self.frame,
        }
    }

    /// The first bit of a place.
    #[inline]
    pub(super) fn locate(&mut self, place: &'s Place) -> Result<u32, Halt> {
        let mut offset = place.offset;
        for index in &place.indices {
            let value = self.operand(&index.value)?;
            let number = value.wrapping_sub(index.low) as u64;
            if number >= index.size {
                let (lo, hi) = (index.low, index.low + index.size as i64 - 1);
                return Err(self.fault(index.site, FaultKind::IndexOutOfRange { index: value, lo, hi }));
            }
            offset += number as u32 * index.stride;
        }
        Ok(offset)
    }

    pub(super) fn resolve(&mut self, operand: &'s Operand) -> Result<Resolved, Halt> {
        match operand {
            Operand::Scalar(value, bias) => Ok(Resolved::Code(self.eval(value)?.wrapping_sub(*bias) as u64)),
            Operand::Wide(place) => Ok(Resolved::At(place.root, self.locate(place)?)),
        }
    }

    fn arith(&mut self, op: Arith, left: i64, right: i64, site: SiteId) -> Result<i64, Halt> {
        if right == 0 && matches!(op, Arith::Div | Arith::Rem) {
            return Err(self.fault(site, FaultKind::DivisionByZero));
        }
        let result = match op {
            Arith::Add => left.checked_add(right),
            Arith::Sub => left.checked_sub(right),
            Arith::Mul => left.checked_mul(right),
            Arith::Div => left.checked_div_euclid(right),
            Arith::Rem => left.checked_rem_euclid(right),
            Arith::Min => Some(left.min(right)),
            Arith::Max => Some(left.max(right)),
            Arith::Rotate(size) => {
                Some((left + right.rem_euclid(i64::from(size))).rem_euclid(i64::from(size)))
            }
            Arith::RotateBack(size) => {
                Some((left - right.rem_euclid(i64::from(size))).rem_euclid(i64::from(size)))
            }
        };
        result.ok_or_else(|| self.fault(site, FaultKind::Overflow))
    }

    fn quantify(&mut self, quantify: &'s Quantify) -> Result<i64, Halt> {
        match quantify.quantifier {
            Quantifier::Forall => self.search(quantify, false).map(|found| i64::from(!found)),
            Quantifier::Exists => self.search(quantify, true).map(i64::from),
            _ => self.accumulate(quantify),
        }
    }

    /// Whether the body has the wanted truth value for some combination. A fault counts only if it has not.
    fn search(&mut self, quantify: &'s Quantify, wanted: bool) -> Result<bool, Halt> {
        let mut pending = None;
        match (self.search_from(quantify, 0, wanted, &mut pending)?, pending) {
            (false, Some(Fault { site, kind })) => Err(self.fault(site, kind)),
            (found, _) => Ok(found),
        }
    }

    /// The same for the binders from `level` on; faults of the body and of collections are put aside.
    fn search_from(
        &mut self,
        quantify: &'s Quantify,
        level: usize,
        wanted: bool,
        pending: &mut Option<Fault>,
    ) -> Result<bool, Halt> {
        let result = match quantify.binders.get(level) {
            None => self.eval(&quantify.body).map(|value| (value != 0) == wanted),
            Some(binder) => {
                let (mut any, all) = (false, self.seen.is_some());
                let mut go_on = |machine: &mut Self| {
                    let found = machine.search_from(quantify, level + 1, wanted, pending)?;
                    any |= found;
                    Ok(all || !found)
                };
                self.each_representative(binder, Each::Different, true, &mut go_on).map(|_| any)
            }
        };
        match (result, self.cause) {
            (Err(Halt), Cause::Fault(fault)) => {
                pending.get_or_insert(fault);
                Ok(false)
            }
            (result, _) => result,
        }
    }

    fn accumulate(&mut self, quantify: &'s Quantify) -> Result<i64, Halt> {
        // Partial sums are kept wide so that only the total can overflow, whatever the order.
        let (mut total, mut best) = (0i128, None::<i64>);
        let outer = std::mem::replace(&mut self.symmetry.weight, 1);
        let walked = self.each_of(&quantify.binders, &mut |machine: &mut Self| {
            if let Some(filter) = &quantify.filter
                && machine.eval(filter)? == 0
            {
                return Ok(true);
            }
            let value = machine.eval(&quantify.body)?;
            match quantify.quantifier {
                Quantifier::Min => best = Some(best.map_or(value, |b| b.min(value))),
                Quantifier::Max => best = Some(best.map_or(value, |b| b.max(value))),
                _ => total += i128::from(value) * i128::from(machine.symmetry.weight),
            }
            Ok(true)
        });
        self.symmetry.weight = outer;
        walked?;
        match quantify.quantifier {
            Quantifier::Min | Quantifier::Max => {
                best.ok_or_else(|| self.fault(quantify.site, FaultKind::NothingToCompare))
            }
            _ => i64::try_from(total).map_err(|_| self.fault(quantify.site, FaultKind::Overflow)),
        }
    }
}
