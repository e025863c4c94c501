//! The meaning of statements.

use super::domain::Each;
use super::{Cause, Halt, Interpreter};
use crate::bits;
use crate::code::{Binder, SiteId, Stmt};
use crate::fault::FaultKind;

impl<'s> Interpreter<'s> {
    pub(super) fn block(&mut self, statements: &'s [Stmt]) -> Result<(), Halt> {
        statements.iter().try_for_each(|statement| self.exec(statement))
    }

    pub(super) fn exec(&mut self, statement: &'s Stmt) -> Result<(), Halt> {
        match statement {
            Stmt::Store(place, value) => {
                let value = self.eval(value)?;
                let offset = self.locate(place)?;
                let code = value.wrapping_sub(place.bias) as u64;
                bits::write(self.words_mut(place.root), offset, place.width, code);
            }
            Stmt::Local(slot, value) => {
                let value = self.eval(value)?;
                self.frame[slot.index()] = value as u64;
            }
            Stmt::Copy(to, from) => {
                let from = (from.root, self.locate(from)?);
                let at = self.locate(to)?;
                self.move_bits((to.root, at), from, to.width);
            }
            Stmt::Clear(place) => {
                let offset = self.locate(place)?;
                bits::clear(self.words_mut(place.root), offset, place.width);
            }
            Stmt::If(condition, then, otherwise) => {
                let chosen = if self.eval(condition)? != 0 { then } else { otherwise };
                self.block(chosen)?;
            }
            Stmt::For(binder, body) => {
                // The loop takes all values one by one, so for what is inside its members are no longer
                // alike.
                let classes = self.symmetry.classes.take();
                let each = &mut |machine: &mut Self| machine.block(body).map(|()| true);
                let walked = self.each(binder, Each::Occurrence, each);
                self.symmetry.classes = classes;
                walked?;
            }
            Stmt::Forget(_) => {}
            Stmt::Assert(condition, site) => {
                if self.eval(condition)? == 0 {
                    return Err(self.fault(*site, FaultKind::AssertionFailed));
                }
            }
            Stmt::Assume(condition, site) => {
                if self.eval(condition)? == 0 {
                    self.cause = Cause::Dropped(Some(*site));
                    return Err(Halt);
                }
            }
            Stmt::Choose(place, ty) => {
                let offset = self.locate(place)?;
                self.choose(*ty, place.root, offset);
            }
            Stmt::ChooseFrom(binder, site) => self.choose_from(binder, *site)?,
            Stmt::Member(place, element, present) => {
                let element = self.eval(element)?;
                let offset = self.locate(place)?;
                if (0..i64::from(place.width)).contains(&element) {
                    bits::write(self.words_mut(place.root), offset + element as u32, 1, u64::from(*present));
                }
            }
            Stmt::Combine(op, places) => self.combine(*op, places)?,
            Stmt::Push(place, ty, element, site) => {
                let element = self.resolve(element)?;
                let at = (place.root, self.locate(place)?);
                self.push(at, *ty, element, *site)?;
            }
            Stmt::Pop(place, ty, site) => {
                let offset = self.locate(place)?;
                self.pop(place.root, offset, *ty, *site)?;
            }
            Stmt::Add(place, ty, element, site) => {
                let element = self.resolve(element)?;
                let at = (place.root, self.locate(place)?);
                self.add(at, *ty, element, *site)?;
            }
            Stmt::Remove(place, ty, element, site) => {
                let element = self.resolve(element)?;
                let at = (place.root, self.locate(place)?);
                self.remove(at, *ty, element, *site)?;
            }
            Stmt::Call(function) => self.call_wide(*function)?,
        }
        Ok(())
    }

    fn choose_from(&mut self, binder: &'s Binder, site: SiteId) -> Result<(), Halt> {
        let mut count = 0u64;
        self.each(binder, Each::Different, &mut |_: &mut Self| {
            count += 1;
            Ok(true)
        })?;
        if count == 0 {
            return Err(self.fault(site, FaultKind::NothingToChoose));
        }
        let chosen = self.choices.next(count);
        let mut position = 0;
        self.each(binder, Each::Different, &mut |_: &mut Self| {
            position += 1;
            Ok(position <= chosen)
        })?;
        Ok(())
    }
}
