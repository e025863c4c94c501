//! Choices: any value of a type, as inputs.

use super::Executor;
use super::collection::chosen;
use super::domain::{Element, Mark};
use crate::store::{Bit, Out, Set, Store};
use crate::vector::{Int, at_most};
use burnside_ts::{Binder, Domain, Record, Stmt, System, Type, TypeId, bits_for};

/// A choice that was made: what tells it from the others, and the inputs that it is made by.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Where the statement is.
    pub statement: usize,
    /// The rounds of the loops around it.
    pub context: Vec<Mark>,
    pub ty: TypeId,
    pub bits: Vec<Bit>,
    pub form: Form,
}

/// What the inputs of a choice are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The bits of a value.
    Value,
    /// The number of a value.
    Number,
    /// The number of a slot.
    Slot,
}

/// How many selectors some statements need, at most.
pub(super) fn selectors(system: &System, statements: &[Stmt]) -> u32 {
    let each = |statement: &Stmt| match statement {
        Stmt::If(_, then, otherwise) => selectors(system, then).saturating_add(selectors(system, otherwise)),
        Stmt::For(binder, body) => {
            selectors(system, body).saturating_mul(most(system, binder).try_into().unwrap_or(u32::MAX))
        }
        Stmt::ChooseFrom(binder, _) => bits_for(most(system, binder)),
        _ => 0,
    };
    statements.iter().map(each).fold(0, u32::saturating_add)
}

/// How many values a binder takes at most.
fn most(system: &System, binder: &Binder) -> u64 {
    match &binder.domain {
        Domain::Type => system.types.size(binder.ty).unwrap_or(u64::MAX),
        Domain::Collection(collection) => u64::from(system.types.capacity(collection.ty)),
    }
}

/// Where a value of a union, with its case in `tag`, uses a field, and where it holds something there that is
/// kept as an optional value.
pub(crate) fn uses(store: &Store, record: &Record, tag: &Int, field: u32) -> Out<(Set, Set)> {
    let (mut used, mut filled) = (store.none(), store.none());
    for (i, case) in record.cases.iter().enumerate() {
        if let Some(part) = case.parts.iter().find(|part| part.field == field) {
            let here = tag.is(store, i as i128)?;
            used = used.or(&here)?;
            filled = if part.optional { filled.or(&here)? } else { filled };
        }
    }
    Ok((used, filled))
}

impl<'s> Executor<'s, '_> {
    fn input(&mut self) -> Out<Set> {
        let bit = self.inputs.get(self.store, self.used)?;
        self.used += 1;
        Ok(self.store.bit(bit))
    }

    fn selector(&mut self) -> Out<Bit> {
        match self.inputs.selectors.get(self.selected) {
            Some(&bit) => {
                self.selected += 1;
                Ok(bit)
            }
            None => {
                self.input()?;
                Ok(self.inputs.range(self.used - 1..self.used)[0])
            }
        }
    }

    fn chose(&mut self, statement: &Stmt, ty: TypeId, bits: Vec<Bit>, form: Form) {
        let (statement, context) = (std::ptr::from_ref(statement) as usize, self.context.clone());
        self.choices.push(Choice { statement, context, ty, bits, form });
    }

    /// Any value of a type for a statement.
    pub(super) fn choose_for(&mut self, statement: &Stmt, ty: TypeId) -> Out<Vec<Set>> {
        let first = self.used;
        let (bits, valid) = self.choose(ty)?;
        self.chose(statement, ty, self.inputs.range(first..self.used), Form::Value);
        self.assume(valid);
        Ok(bits)
    }

    fn inputs(&mut self, count: u32) -> Out<Vec<Set>> {
        (0..count).map(|_| self.input()).collect()
    }

    /// The bits of any value of a type, and where the inputs make one.
    pub(super) fn choose(&mut self, ty: TypeId) -> Out<(Vec<Set>, Set)> {
        let types = &self.system.types;
        let width = types.width(ty);
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                let some = self.input()?;
                let (mut bits, valid) = self.choose_if(inner, &some)?;
                bits.insert(0, some);
                Ok((bits, valid))
            }
            Type::Record(id) if !types.record(id).cases.is_empty() => self.choose_case(types.record(id)),
            Type::Record(id) => {
                let fields: Vec<TypeId> = types.record(id).fields.iter().map(|field| field.ty).collect();
                self.choose_all(fields)
            }
            Type::Array { index, element } => {
                let count = types.size(index).expect("an index type is numbered");
                self.choose_all(vec![element; count as usize])
            }
            Type::Set(_) => Ok((self.inputs(width)?, self.store.all())),
            Type::Queue { capacity, element } => self.choose_slots(capacity, element, false),
            Type::Bag { capacity, element } => self.choose_slots(capacity, element, true),
            _ => {
                let bits = self.inputs(width)?;
                let valid = self.below(&bits, types.size(ty).expect("a scalar type is numbered"))?;
                Ok((bits, valid))
            }
        }
    }

    /// Any value of a union: zeros in the fields that its case does not use, something in the others.
    fn choose_case(&mut self, record: &Record) -> Out<(Vec<Set>, Set)> {
        let (mut bits, mut valid) = self.choose(record.fields[0].ty)?;
        let tag = Int::code(self.store, bits.clone());
        for (position, field) in (0..).zip(&record.fields).skip(1) {
            let (used, filled) = uses(self.store, record, &tag, position)?;
            let (part, good) = self.choose_if(field.ty, &used)?;
            valid = valid.and(&good)?;
            if matches!(self.system.types.get(field.ty), Type::Option(_)) {
                let some = match self.system.types.is_scalar(field.ty) {
                    true => Int::code(self.store, part.clone()).is(self.store, 0)?.not(),
                    false => part[0].clone(),
                };
                valid = valid.and(&some.or(&filled.not())?)?;
            }
            bits.extend(part);
        }
        Ok((bits, valid))
    }

    fn choose_all(&mut self, types: Vec<TypeId>) -> Out<(Vec<Set>, Set)> {
        let (mut bits, mut valid) = (Vec::new(), self.store.all());
        for ty in types {
            let (part, good) = self.choose(ty)?;
            bits.extend(part);
            valid = valid.and(&good)?;
        }
        Ok((bits, valid))
    }

    /// Any value where the condition is true, zeros elsewhere.
    fn choose_if(&mut self, ty: TypeId, condition: &Set) -> Out<(Vec<Set>, Set)> {
        let (bits, valid) = self.choose(ty)?;
        let bits = bits.iter().map(|bit| bit.and(condition)).collect::<Out<_>>()?;
        Ok((bits, valid.or(&condition.not())?))
    }

    /// Any queue, or any bag: one whose slots ascend.
    fn choose_slots(&mut self, capacity: u32, element: TypeId, ascending: bool) -> Out<(Vec<Set>, Set)> {
        let length = self.inputs(bits_for(u64::from(capacity) + 1))?;
        let mut valid = self.below(&length, u64::from(capacity) + 1)?;
        let number = Int::code(self.store, length.clone());
        let mut bits = length;
        let mut before: Option<Vec<Set>> = None;
        for i in 0..capacity {
            let used = self.constant(i64::from(i)).less(self.store, &number)?;
            let (slot, good) = self.choose_if(element, &used)?;
            valid = valid.and(&good)?;
            if let Some(before) = before.filter(|_| ascending) {
                valid = valid.and(&at_most(self.store, &before, &slot)?.or(&used.not())?)?;
            }
            bits.extend(slot.iter().cloned());
            before = Some(slot);
        }
        Ok((bits, valid))
    }

    /// Gives a binder any element of its collection, where the path is true. Where there is none that is a
    /// fault.
    pub(super) fn choose_from(&mut self, statement: &Stmt, binder: &'s Binder, path: &Set) -> Out<()> {
        let Domain::Collection(collection) = &binder.domain else {
            let bits = self.choose_for(statement, binder.ty)?;
            return self.bind_bits(binder, &bits);
        };
        let (bits, fault) = self.collection(collection)?;
        self.fault_where(&path.and(&fault)?)?;
        let elements = self.elements(collection, &bits)?;
        let inputs: Vec<Bit> =
            (0..bits_for(elements.len() as u64)).map(|_| self.selector()).collect::<Out<_>>()?;
        let number = Int::code(self.store, inputs.iter().map(|&bit| self.store.bit(bit)).collect());
        let is_set = matches!(self.system.types.get(collection.ty), Type::Set(_));
        self.chose(statement, binder.ty, inputs, if is_set { Form::Number } else { Form::Slot });
        let (mut value, mut some, mut taken) = (Vec::new(), self.store.none(), self.store.none());
        for (i, (there, element)) in elements.into_iter().enumerate() {
            let here = number.is(self.store, i as i128)?;
            let bits = match element {
                Element::Number(number) => self.number_bits(binder.ty, number),
                Element::Bits(bits) => bits,
            };
            // Whether it is there is assumed below, so the value need not depend on that.
            value = if i == 0 { bits } else { chosen(&here, &bits, &value)? };
            some = some.or(&there)?;
            taken = taken.or(&here.and(&there)?)?;
        }
        self.fault_where(&path.minus(&some)?)?;
        self.assume(path.minus(&taken)?.not());
        if value.is_empty() {
            value = vec![self.store.none(); self.system.types.width(binder.ty) as usize];
        }
        self.bind_bits(binder, &value)
    }
}
