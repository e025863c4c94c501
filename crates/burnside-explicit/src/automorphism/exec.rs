//! Statements on all states at once. Each says, as a function, whether it goes on, faults or ends a run that
//! does not count; what it writes counts only where it is reached.

use super::diagram::{Diagrams, Node, Out, TooLarge};
use super::symbolic::{DROPPED, FAULT, FAULTS, GOES_ON, Symbolic};
use burnside_ts::{Binder, Domain, Operand, Place, SetOp, Stmt, Type, TypeId};

impl<'s> Symbolic<'s> {
    /// Runs statements where `path` is true.
    pub(super) fn block(&mut self, statements: &'s [Stmt], path: Node) -> Out {
        let mut status = Diagrams::FALSE;
        for statement in statements {
            let going = self.d.is(status, GOES_ON)?;
            let path = self.d.and(path, going)?;
            if path == Diagrams::FALSE {
                break;
            }
            let after = self.exec(statement, path)?;
            status = self.d.select(going, after, status)?;
        }
        Ok(status)
    }

    /// Where a value is a fault the status is, elsewhere it goes on.
    fn status(&mut self, values: &[Node]) -> Out {
        let mut status = Diagrams::FALSE;
        for &value in values {
            let here = self.d.map(value, &|v| if v == FAULT { FAULTS } else { GOES_ON })?;
            status = self.d.select(status, status, here)?;
        }
        Ok(status)
    }

    /// Where the path is true and nothing faults.
    fn fine(&mut self, path: Node, status: Node) -> Out {
        let going = self.d.is(status, GOES_ON)?;
        self.d.and(path, going)
    }

    fn exec(&mut self, statement: &'s Stmt, path: Node) -> Out {
        self.d.spend(1)?;
        match statement {
            Stmt::Store(place, value) => {
                let value = self.eval(value, path)?;
                let at = self.locate(place, path)?;
                let bias = i128::from(place.bias);
                let code = self.d.map(value, &|v| if v == FAULT { v } else { v - bias })?;
                let bits = self.bits(code, place.width)?;
                self.write(place, at, &bits, &[value], path)
            }
            Stmt::Local(slot, value) => {
                let value = self.eval(value, path)?;
                let status = self.status(&[value])?;
                let fine = self.fine(path, status)?;
                self.set_slot(slot.index(), value, fine)?;
                Ok(status)
            }
            Stmt::Copy(to, from) => {
                let source = self.locate(from, path)?;
                let at = self.locate(to, path)?;
                let bits = self.fetch(from.root, source, to.width)?;
                self.write(to, at, &bits, &[source], path)
            }
            Stmt::Clear(place) => {
                let at = self.locate(place, path)?;
                self.write(place, at, &vec![Diagrams::FALSE; place.width as usize], &[], path)
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.eval(condition, path)?;
                let holds = self.d.map(condition, &|v| i128::from(v != FAULT && v != 0))?;
                let fails = self.d.is(condition, 0)?;
                let (yes, no) = (self.d.and(path, holds)?, self.d.and(path, fails)?);
                let then = if yes == Diagrams::FALSE { yes } else { self.block(then, yes)? };
                let otherwise = if no == Diagrams::FALSE { no } else { self.block(otherwise, no)? };
                let fault = self.d.leaf(FAULTS);
                let rest = self.d.select(fails, otherwise, fault)?;
                self.d.select(holds, then, rest)
            }
            Stmt::For(binder, body) => self.repeat(binder, body, path),
            Stmt::Forget(_) => Ok(self.d.leaf(GOES_ON)),
            Stmt::Assert(condition, _) => {
                let condition = self.eval(condition, path)?;
                self.d.map(condition, &|v| if v == FAULT || v == 0 { FAULTS } else { GOES_ON })
            }
            Stmt::Assume(condition, _) => {
                let condition = self.eval(condition, path)?;
                self.d.map(condition, &|v| match v {
                    FAULT => FAULTS,
                    0 => DROPPED,
                    _ => GOES_ON,
                })
            }
            Stmt::Choose(place, ty) => {
                let at = self.locate(place, path)?;
                let chosen = self.choice(std::ptr::from_ref(statement) as usize, *ty)?;
                self.write(place, at, &chosen.bits, &[], path)
            }
            Stmt::ChooseFrom(binder, _) => {
                self.choose_from(std::ptr::from_ref(statement) as usize, binder, path)
            }
            Stmt::Member(place, element, present) => {
                let element = self.eval(element, path)?;
                let at = self.locate(place, path)?;
                let status = self.status(&[element, at])?;
                let fine = self.fine(path, status)?;
                let width = i128::from(place.width);
                // Where there is no such element nothing is written, which looks like a fault here.
                let bit = self.d.map2(at, element, &|at, i| match (at, i) {
                    (FAULT, _) | (_, FAULT) => FAULT,
                    (at, i) if (0..width).contains(&i) => at + i,
                    _ => FAULT,
                })?;
                let value = if *present { Diagrams::TRUE } else { Diagrams::FALSE };
                self.put(place.root, bit, &[value], fine)?;
                Ok(status)
            }
            Stmt::Combine(op, places) => {
                let width = places[0].width;
                let at = self.locate(&places[0], path)?;
                let (one, two) = (self.locate(&places[1], path)?, self.locate(&places[2], path)?);
                let (a, b) =
                    (self.fetch(places[1].root, one, width)?, self.fetch(places[2].root, two, width)?);
                let mut bits = Vec::with_capacity(width as usize);
                for (a, b) in a.into_iter().zip(b) {
                    bits.push(self.d.map2(a, b, &|a, b| match op {
                        SetOp::Union => a | b,
                        SetOp::Intersection => a & b,
                        SetOp::Difference => a & !b,
                    })?);
                }
                self.write(&places[0], at, &bits, &[one, two], path)
            }
            Stmt::Push(place, ty, element, _) => self.push(place, *ty, element, path),
            Stmt::Pop(place, ty, _) => self.pop(place, *ty, path),
            // Bags are sorted, and what is not moved may be sorted otherwise when it is.
            Stmt::Add(..) | Stmt::Remove(..) => Err(TooLarge),
            Stmt::Call(function) => self.call_wide(*function, path),
        }
    }

    /// Writes bits to a place unless it is none or one of the values is a fault; the status.
    fn write(&mut self, place: &Place, at: Node, bits: &[Node], values: &[Node], path: Node) -> Out {
        let status = self.status(&[values, &[at]].concat())?;
        let fine = self.fine(path, status)?;
        self.put(place.root, at, bits, fine)?;
        Ok(status)
    }

    fn repeat(&mut self, binder: &'s Binder, body: &'s [Stmt], path: Node) -> Out {
        let (mut status, values) = self.values(binder, path)?;
        for taken in values {
            let here = self.d.and(path, taken.when)?;
            let here = self.fine(here, status)?;
            if here == Diagrams::FALSE {
                continue;
            }
            self.take(binder, &taken.value)?;
            self.context.push(taken.mark);
            let after = self.block(body, here)?;
            self.context.pop();
            let going = self.d.is(status, GOES_ON)?;
            let reached = self.d.and(going, taken.when)?;
            status = self.d.select(reached, after, status)?;
        }
        Ok(status)
    }

    /// Any element of a collection: a choice among all values, of which those that are not in it do not
    /// count.
    fn choose_from(&mut self, statement: usize, binder: &'s Binder, path: Node) -> Out {
        let Domain::Collection(collection) = &binder.domain else { return Err(TooLarge) };
        let (status, bits) = self.collection(collection, path)?;
        let chosen = self.choice(statement, binder.ty)?;
        let found = self.contains(collection.ty, &bits, &chosen.bits)?;
        let size = match self.system.types.get(collection.ty) {
            Type::Set(_) => bits.iter().try_fold(Diagrams::FALSE, |any, &bit| {
                let bit = self.d.is(bit, 1)?;
                self.d.or(any, bit)
            })?,
            _ => {
                let length = self.layout(collection.ty).length as usize;
                self.number(&bits[..length])?
            }
        };
        self.give(binder.target, binder.ty, &chosen.bits)?;
        let taken = self.d.map2(size, found, &|size, found| match (size, found) {
            (0, _) => FAULTS,
            (_, 0) => DROPPED,
            _ => GOES_ON,
        })?;
        self.d.select(status, status, taken)
    }

    fn push(&mut self, place: &'s Place, ty: TypeId, element: &'s Operand, path: Node) -> Out {
        let slots = self.layout(ty);
        let (value, element) = self.operand(element, slots.slot, path)?;
        let at = self.locate(place, path)?;
        let length = self.fetch(place.root, at, slots.length)?;
        let length = self.number(&length)?;
        let capacity = i128::from(slots.capacity);
        let full = self.d.map(length, &|v| if v == FAULT || v >= capacity { FAULT } else { v })?;
        let here = self.d.map2(at, full, &|at, length| match (at, length) {
            (FAULT, _) | (_, FAULT) => FAULT,
            (at, length) => at + i128::from(slots.offset(length as u32)),
        })?;
        let status = self.write(place, here, &element, &[value], path)?;
        let fine = self.fine(path, status)?;
        let longer = self.d.map(full, &|v| if v == FAULT { 0 } else { v + 1 })?;
        let longer = self.bits(longer, slots.length)?;
        self.put(place.root, at, &longer, fine)?;
        Ok(status)
    }

    fn pop(&mut self, place: &'s Place, ty: TypeId, path: Node) -> Out {
        let slots = self.layout(ty);
        let at = self.locate(place, path)?;
        let bits = self.fetch(place.root, at, self.system.types.width(ty))?;
        let length = self.number(&bits[..slots.length as usize])?;
        let shorter = self.d.map(length, &|v| if v == FAULT || v == 0 { FAULT } else { v - 1 })?;
        let mut after = self.bits(shorter, slots.length)?;
        // Slots not in use are zero, so all of them may move up.
        after.extend(&bits[slots.offset(1) as usize..]);
        after.resize(bits.len(), Diagrams::FALSE);
        self.write(place, at, &after, &[shorter], path)
    }
}
