//! Statements.
//!
//! Entry point: [`Emitter::block`]. A choice asks for its number in the present run of the body: see
//! `choice.rs`.

use crate::choice;
use crate::domain::Each;
use crate::emitter::{Emitted, Emitter, Scalar, Unsupported};
use crate::place::Location;
use burnside_ts::{Binder, Body, Compare, Expr, Place, Record, SetOp, Stmt, Type, TypeId, UnionPart};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

impl Emitter<'_, '_> {
    pub fn block(&mut self, statements: &[Stmt]) -> Emitted<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Stmt) -> Emitted<()> {
        self.spend()?;
        match statement {
            Stmt::Store(place, value) => {
                let value = self.expr(value)?;
                let at = self.locate(place)?;
                let code = self.shifted(value, place.bias.wrapping_neg());
                self.write(&at, place.width, code);
            }
            Stmt::Local(slot, value) => {
                let value = self.expr(value)?;
                self.set_local(*slot, value);
            }
            Stmt::Copy(to, from) => {
                let from = self.locate(from)?;
                let at = self.locate(to)?;
                self.copy(&at, &from, to.width)?;
            }
            Stmt::Clear(place) => {
                let at = self.locate(place)?;
                self.clear(&at, place.width)?;
            }
            Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise)?,
            Stmt::For(binder, body) => {
                let inner = self.weights.block(self.system, body);
                let before = self.facts.clone();
                self.each(binder, Each::Occurrence, inner, &mut |emitter| emitter.block(body))?;
                self.leave(before);
            }
            Stmt::Forget(_) => {}
            Stmt::Assert(condition, _) => {
                let condition = self.expr(condition)?;
                let wrong = self.not(condition);
                self.bail_if(wrong);
            }
            Stmt::Choose(place, ty) => {
                let at = self.locate(place)?;
                self.choose(*ty, &at)?;
            }
            Stmt::ChooseFrom(binder, _) => self.choose_from(binder)?,
            Stmt::Member(place, element, present) => self.member(place, element, *present)?,
            Stmt::Combine(op, places) => self.combine(*op, places)?,
            Stmt::Push(place, ty, element, _) => self.push(place, *ty, element)?,
            Stmt::Pop(place, ty, _) => self.pop(place, *ty)?,
            Stmt::Add(place, ty, element, _) => self.add(place, *ty, element)?,
            Stmt::Remove(place, ty, element, _) => self.remove(place, *ty, element)?,
            Stmt::Call(function) => {
                let system = self.system;
                let function = &system.functions[function.index()];
                match &function.body {
                    Body::Wide(body, _) if !function.kept => self.block(body)?,
                    _ => return Err(Unsupported("a function that is remembered")),
                }
            }
            Stmt::Assume(..) => return Err(Unsupported("an assumption")),
        }
        Ok(())
    }

    fn branch(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) -> Emitted<()> {
        let condition = self.expr(condition)?;
        match self.truth(condition) {
            Scalar::Const(0) => self.block(otherwise),
            Scalar::Const(_) => self.block(then),
            Scalar::Int(condition, ..) | Scalar::Bool(condition) => {
                let zero = |emitter: &mut Self, block: &[Stmt]| {
                    emitter.block(block)?;
                    Ok(Scalar::Const(0))
                };
                self.either(condition, &mut |it| zero(it, then), &mut |it| zero(it, otherwise)).map(drop)
            }
        }
    }

    fn member(&mut self, place: &Place, element: &Expr, present: bool) -> Emitted<()> {
        let element = self.expr(element)?;
        let at = self.locate(place)?;
        let (width, bit) = (i64::from(place.width), Scalar::Const(present.into()));
        match element {
            Scalar::Const(number) if number < 0 || number >= width => {}
            Scalar::Const(number) => self.write(&at.plus(number as u32), 1, bit),
            _ => {
                let number = self.int(element);
                let inside = match element.range() {
                    (low, high) if low >= 0 && high < width => Scalar::Const(1),
                    _ => Scalar::Bool(self.b.ins().icmp_imm(IntCC::UnsignedLessThan, number, width)),
                };
                self.perhaps(inside, &mut |emitter| {
                    let at = emitter.further(&at, number, place.width.into(), 1);
                    emitter.write(&at, 1, bit);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    fn combine(&mut self, op: SetOp, places: &[Place; 3]) -> Emitted<()> {
        let [to, a, b] = [self.locate(&places[0])?, self.locate(&places[1])?, self.locate(&places[2])?];
        for (distance, width) in self.chunks(places[0].width)? {
            let [left, right] = [&a, &b].map(|at| {
                let bits = self.read(&at.plus(distance), width);
                self.int(bits)
            });
            let result = match op {
                SetOp::Union => self.b.ins().bor(left, right),
                SetOp::Intersection => self.b.ins().band(left, right),
                SetOp::Difference => self.b.ins().band_not(left, right),
            };
            self.write(&to.plus(distance), width, Scalar::Int(result, i64::MIN, i64::MAX));
        }
        Ok(())
    }

    /// The number that a choice among so many has in this run.
    fn next(&mut self, size: Scalar) -> Emitted<Scalar> {
        let Some((context, position)) = self.choices else { return Err(Unsupported("a choice")) };
        let (at, size) = (self.b.use_var(position), self.int(size));
        let signature = choice::signature(&self.b, 3);
        let number = self.call(signature, choice::next as *const u8, &[context, at, size]);
        let number = number.ok_or(Unsupported("a choice"))?;
        let many = self.b.ins().icmp_imm(IntCC::Equal, number, choice::TOO_MANY as i64);
        self.bail_if(Scalar::Bool(many));
        let at = self.b.ins().iadd_imm(at, 1);
        self.b.def_var(position, at);
        Ok(Scalar::Int(number, 0, i64::MAX))
    }

    /// Writes any value of a type.
    fn choose(&mut self, ty: TypeId, at: &Location) -> Emitted<()> {
        self.spend()?;
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                self.clear(at, types.width(ty))?;
                let some = self.next(Scalar::Const(2))?;
                self.perhaps(some, &mut |emitter| {
                    emitter.write(at, 1, Scalar::Const(1));
                    emitter.choose(inner, &at.plus(1))
                })
            }
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                let record = types.record(id);
                self.clear(at, types.width(ty))?;
                let case = self.next(Scalar::Const(record.cases.len() as i64))?;
                self.write(at, types.width(record.fields[0].ty), case);
                for (i, chosen) in record.cases.iter().enumerate() {
                    let here = self.compare(Compare::Eq, case, Scalar::Const(i as i64));
                    self.perhaps(here, &mut |emitter| emitter.choose_parts(record, &chosen.parts, at))?;
                }
                Ok(())
            }
            Type::Record(id) => {
                let fields = &types.record(id).fields;
                fields.iter().try_for_each(|field| self.choose(field.ty, &at.plus(field.offset)))
            }
            Type::Array { index, element } => {
                let count = types.size(index).ok_or(Unsupported("a type without numbers"))?;
                (0..count as u32).try_for_each(|i| self.choose(element, &at.plus(i * types.width(element))))
            }
            Type::Set(_) => (0..types.width(ty)).try_for_each(|bit| {
                self.spend()?;
                let chosen = self.next(Scalar::Const(2))?;
                self.write(&at.plus(bit), 1, chosen);
                Ok(())
            }),
            Type::Queue { .. } | Type::Bag { .. } => Err(Unsupported("a choice of collections")),
            _ => {
                let size = types.size(ty).ok_or(Unsupported("a type without numbers"))?;
                let number = self.next(Scalar::Const(size as i64))?;
                self.write(at, types.width(ty), number);
                Ok(())
            }
        }
    }

    /// Writes anything that a case of a union can hold.
    fn choose_parts(&mut self, record: &Record, parts: &[UnionPart], at: &Location) -> Emitted<()> {
        let types = &self.system.types;
        for part in parts {
            let field = &record.fields[part.field as usize];
            let at = at.plus(field.offset);
            match part.optional {
                false => self.choose(part.ty, &at)?,
                true if types.is_scalar(part.ty) => {
                    let size = types.size(part.ty).ok_or(Unsupported("a type without numbers"))?;
                    let number = self.next(Scalar::Const(size as i64))?;
                    let code = self.shifted(number, 1);
                    self.write(&at, types.width(field.ty), code);
                }
                true => {
                    self.write(&at, 1, Scalar::Const(1));
                    self.choose(part.ty, &at.plus(1))?;
                }
            }
        }
        Ok(())
    }

    /// Gives a name any element of a collection.
    fn choose_from(&mut self, binder: &Binder) -> Emitted<()> {
        let [count, position] = [(); 2].map(|()| self.b.declare_var(types::I64));
        let zero = self.constant(0);
        self.b.def_var(count, zero);
        self.b.def_var(position, zero);
        let before = self.facts.clone();
        self.each(binder, Each::Different, 4, &mut |emitter| {
            let one = emitter.b.use_var(count);
            let more = emitter.b.ins().iadd_imm(one, 1);
            emitter.b.def_var(count, more);
            Ok(())
        })?;
        let size = self.b.use_var(count);
        let empty = self.b.ins().icmp_imm(IntCC::Equal, size, 0);
        self.bail_if(Scalar::Bool(empty));
        let chosen = self.next(Scalar::Int(size, 1, i64::MAX))?;
        let chosen = self.int(chosen);
        let found = self.b.create_block();
        self.each(binder, Each::Different, 4, &mut |emitter| {
            let here = emitter.b.use_var(position);
            let is_it = emitter.b.ins().icmp(IntCC::Equal, here, chosen);
            emitter.go_on_if(Scalar::Bool(is_it), false, found);
            let next = emitter.b.ins().iadd_imm(here, 1);
            emitter.b.def_var(position, next);
            Ok(())
        })?;
        self.bail_always();
        self.b.ins().jump(found, &[]);
        self.enter(found);
        self.leave(before);
        if let burnside_ts::Target::Scalar(slot) = binder.target {
            self.facts.remove(&slot.0);
        }
        Ok(())
    }
}
