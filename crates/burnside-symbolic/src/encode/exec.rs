//! Statements on all states at once. What they write counts only where the path is true; where they fault or
//! give up, nothing counts any more.

use super::Executor;
use super::collection::Changed;
use crate::store::{Out, Set};
use crate::vector::Int;
use burnside_ts::{Operand, Place, SetOp, Stmt, TypeId};

impl<'s> Executor<'s, '_> {
    pub(super) fn block(&mut self, statements: &'s [Stmt], path: &Set) -> Out<()> {
        statements.iter().try_for_each(|statement| self.exec(statement, path))
    }

    /// Notes a fault.
    pub(super) fn fault_where(&mut self, fault: &Set) -> Out<()> {
        let mut fault = fault.and(&self.flow.alive)?;
        if fault.is_empty() {
            return Ok(());
        }
        for assumed in &self.flow.assumed {
            fault = fault.and(assumed)?;
        }
        self.flow.fault = self.flow.fault.or(&fault)?;
        self.flow.alive = self.flow.alive.minus(&fault)?;
        Ok(())
    }

    /// Gives up.
    pub(super) fn drop_where(&mut self, dropped: &Set) -> Out<()> {
        self.flow.alive = self.flow.alive.minus(dropped)?;
        Ok(())
    }

    /// Gives up where inputs mean nothing.
    pub(super) fn assume(&mut self, meant: Set) {
        if !meant.is_full() {
            self.flow.assumed.push(meant);
        }
    }

    fn exec(&mut self, statement: &'s Stmt, path: &Set) -> Out<()> {
        self.store.poll()?;
        match statement {
            Stmt::Store(place, value) => {
                let value = self.eval(value)?;
                self.fault_where(&path.and(&value.fault)?)?;
                let code = value.int.minus(self.store, &self.constant(place.bias))?;
                self.assign(place, &code.low(place.width), path)
            }
            Stmt::Local(slot, value) => {
                let value = self.eval(value)?;
                self.fault_where(&path.and(&value.fault)?)?;
                let new = match self.slots.get(&slot.index()).filter(|_| !path.is_full()) {
                    Some(old) => Int::choose(path, &value.int, old)?,
                    None => value.int,
                };
                self.slots.insert(slot.index(), new);
                Ok(())
            }
            Stmt::Copy(to, from) => {
                let (bits, fault) = self.read(from, to.width)?;
                self.fault_where(&path.and(&fault)?)?;
                self.assign(to, &bits, path)
            }
            Stmt::Clear(place) => self.assign(place, &vec![self.store.none(); place.width as usize], path),
            Stmt::If(condition, then, otherwise) => {
                let condition = self.eval(condition)?;
                self.fault_where(&path.and(&condition.fault)?)?;
                let holds = condition.int.is_true()?;
                let (yes, no) = (path.and(&holds)?, path.minus(&holds)?);
                if !yes.is_empty() {
                    self.block(then, &yes)?;
                }
                if !no.is_empty() {
                    self.block(otherwise, &no)?;
                }
                Ok(())
            }
            Stmt::For(binder, body) => {
                let fault = self.each(binder, &mut |executor, when, mark| {
                    let path = path.and(when)?;
                    if !path.is_empty() {
                        executor.context.push(mark);
                        executor.block(body, &path)?;
                        executor.context.pop();
                    }
                    Ok(true)
                })?;
                self.fault_where(&path.and(&fault)?)
            }
            Stmt::Forget(words) => {
                // Else they would keep, where the path is not true, what they held in each round before.
                let gone = |word: usize| words.iter().any(|words| words.contains(&word));
                self.slots.retain(|&slot, _| !gone(slot));
                self.area.retain(|&bit, _| !gone(bit as usize / 64));
                Ok(())
            }
            Stmt::Assert(condition, _) => {
                let condition = self.eval(condition)?;
                let bad = condition.fault.or(&condition.int.is_true()?.not())?;
                self.fault_where(&path.and(&bad)?)
            }
            Stmt::Assume(condition, _) => {
                let condition = self.eval(condition)?;
                self.fault_where(&path.and(&condition.fault)?)?;
                self.drop_where(&path.minus(&condition.int.is_true()?)?)
            }
            Stmt::Choose(place, ty) => {
                let bits = self.choose_for(statement, *ty)?;
                self.assign(place, &bits, path)
            }
            Stmt::ChooseFrom(binder, _) => self.choose_from(statement, binder, path),
            Stmt::Member(place, element, present) => self.member(place, element, *present, path),
            Stmt::Combine(op, places) => {
                let width = places[0].width;
                let (a, left) = self.read(&places[1], width)?;
                let (b, right) = self.read(&places[2], width)?;
                self.fault_where(&path.and(&left.or(&right)?)?)?;
                let combined = a.iter().zip(&b).map(|(a, b)| match op {
                    SetOp::Union => a.or(b),
                    SetOp::Intersection => a.and(b),
                    SetOp::Difference => a.minus(b),
                });
                let bits: Vec<Set> = combined.collect::<Out<_>>()?;
                self.assign(&places[0], &bits, path)
            }
            Stmt::Push(place, ty, element, _) => self.change(place, *ty, Some(element), path, Self::pushed),
            Stmt::Pop(place, ty, _) => {
                self.change(place, *ty, None, path, |it, ty, bits, _| it.popped(ty, bits))
            }
            Stmt::Add(place, ty, element, _) => self.change(place, *ty, Some(element), path, Self::added),
            Stmt::Remove(place, ty, element, _) => {
                self.change(place, *ty, Some(element), path, Self::removed)
            }
            Stmt::Call(function) => self.call_wide(*function, path),
        }
    }

    /// Writes to a place, where the path is true.
    fn assign(&mut self, place: &'s Place, bits: &[Set], path: &Set) -> Out<()> {
        let located = self.locate(place)?;
        self.fault_where(&path.and(&located.fault)?)?;
        self.put(place.root, &located, bits, path)
    }

    fn member(
        &mut self,
        place: &'s Place,
        element: &'s burnside_ts::Expr,
        present: bool,
        path: &Set,
    ) -> Out<()> {
        let element = self.eval(element)?;
        let located = self.locate(place)?;
        self.fault_where(&path.and(&element.fault.or(&located.fault)?)?)?;
        let mut bits = self.fetch(place.root, &located, place.width)?;
        let value = self.store.constant(present);
        for (i, bit) in bits.iter_mut().enumerate() {
            *bit = element.int.is(self.store, i as i128)?.choose(&value, bit)?;
        }
        self.put(place.root, &located, &bits, path)
    }

    /// Changes a queue or bag.
    fn change(
        &mut self,
        place: &'s Place,
        ty: TypeId,
        element: Option<&'s Operand>,
        path: &Set,
        changed: impl Fn(&Self, TypeId, &[Set], &[Set]) -> Out<Changed>,
    ) -> Out<()> {
        let (element, fault, inside) = match element {
            Some(element) => self.operand(element, self.layout(ty).slot)?,
            None => (Vec::new(), self.store.none(), self.store.all()),
        };
        let located = self.locate(place)?;
        let bits = self.fetch(place.root, &located, self.system.types.width(ty))?;
        let (bits, bad) = changed(self, ty, &bits, &element)?;
        // What is no value of the element's type is not there.
        let bad = bad.or(&inside.not())?;
        self.fault_where(&path.and(&fault.or(&located.fault)?.or(&bad)?)?)?;
        self.put(place.root, &located, &bits, path)
    }
}
