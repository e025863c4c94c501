//! Models on all states at once: every bit of a state, and of the scratch memory beside it, is a set of
//! valuations of the bits of the state before and of *inputs*, which stand for choices.
//!
//! Entry points: [`Executor::initial`], [`Executor::instances`] and [`Executor::condition`]. The meaning is
//! that of the interpreter, case by case. An expression is evaluated everywhere, also where nobody asks for
//! it; it says where that would fault, and whoever asks decides whether it matters. Scratch memory that an
//! expression writes is its own, so writing it where nobody asks does no harm.

mod choice;
mod collection;
mod domain;
mod eval;
mod exec;
mod instance;
mod memo;

pub(crate) use choice::{Choice, Form, uses};
pub(crate) use domain::Mark;
pub(crate) use instance::{Argument, Instance, known_arguments, unknown_parameters};

use crate::store::{Bit, Out, Set, Store};
use crate::vector::Int;
use burnside_ts::{Binder, Expr, Place, Root, System, Target, Type, TypeId, bits_for, unrank};
use foldhash::HashMap;
use std::cell::RefCell;

/// What an expression gives.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub int: Int,
    /// Where evaluating it faults; there the integer means nothing.
    pub fault: Set,
}

/// Where statements got to.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Where they went on, if the inputs are as assumed.
    pub alive: Set,
    /// What is assumed of the inputs. Kept in parts, as each is about few of them.
    pub assumed: Vec<Set>,
    /// Where they faulted.
    pub fault: Set,
}

impl Flow {
    fn start(alive: Set, store: &Store) -> Self {
        Self { alive, assumed: Vec::new(), fault: store.none() }
    }
}

/// Where a place may be: first bits, each with the condition that it is there.
struct Located {
    cases: Vec<(u32, Set)>,
    fault: Set,
}

/// Runs code on all states at once.
pub(crate) struct Executor<'s, 'e> {
    system: &'s System,
    store: &'e Store,
    /// The bits of the state, as they are now.
    state: Vec<Set>,
    slots: HashMap<usize, Int>,
    area: HashMap<u32, Set>,
    flow: Flow,
    memo: memo::Memo,
    inputs: &'e Inputs,
    used: usize,
    selected: usize,
    /// The values of the loops around the statement at hand.
    context: Vec<domain::Mark>,
    /// The choices so far.
    choices: Vec<Choice>,
}

/// The variables that stand for choices. Every run of a body starts from the first again, as no two are
/// looked at together.
///
/// *Selectors* say which of many elements is taken. They are above all other variables: below them a diagram
/// would have to remember which elements there are.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    selectors: Vec<Bit>,
    bits: RefCell<Vec<Bit>>,
}

/// More selectors would make the tops of diagrams too wide.
const MOST_SELECTORS: u32 = 16;

impl Inputs {
    /// With the selectors that a system needs. To be made before all other variables.
    pub fn new(system: &System, store: &Store) -> Out<Self> {
        let bodies = system.rules.iter().map(|rule| &rule.body).chain([&system.init]);
        let needed = bodies.map(|body| choice::selectors(system, body)).max().unwrap_or(0);
        let selectors = store.add(needed.min(MOST_SELECTORS))?.map(Bit).collect();
        Ok(Self { selectors, bits: RefCell::default() })
    }

    /// The same, and some variables that are there, which are taken first.
    pub fn starting_with(self, bits: Vec<Bit>) -> Self {
        Self { bits: RefCell::new(bits), ..self }
    }

    fn get(&self, store: &Store, i: usize) -> Out<Bit> {
        let mut bits = self.bits.borrow_mut();
        if i == bits.len() {
            bits.push(Bit(store.add(1)?.start));
        }
        Ok(bits[i])
    }

    /// Those from one on.
    pub fn after(&self, first: usize) -> Vec<Bit> {
        self.selectors.iter().chain(&self.bits.borrow()[first..]).copied().collect()
    }

    /// Some that were needed, selectors left out.
    pub fn range(&self, range: std::ops::Range<usize>) -> Vec<Bit> {
        self.bits.borrow()[range].to_vec()
    }

    /// All that were ever needed.
    pub fn all(&self) -> Vec<Bit> {
        self.selectors.iter().chain(&*self.bits.borrow()).copied().collect()
    }
}

impl<'s, 'e> Executor<'s, 'e> {
    /// One that starts in a state whose bits are these.
    pub fn new(system: &'s System, store: &'e Store, inputs: &'e Inputs, state: Vec<Set>) -> Self {
        Self {
            system,
            store,
            state,
            slots: HashMap::default(),
            area: HashMap::default(),
            flow: Flow::start(store.all(), store),
            memo: memo::Memo::default(),
            inputs,
            used: 0,
            selected: 0,
            context: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Runs the initialisation from a state of zeros: where it goes on and where it faults, the bits that it
    /// leaves, and its choices.
    pub fn initial(mut self) -> Out<(Flow, Vec<Set>, Vec<Choice>)> {
        let system = self.system;
        self.block(&system.init, &self.store.all())?;
        Ok((self.flow, self.state, self.choices))
    }

    /// Where a condition is true, and where it faults. Values of free names are bound before.
    pub fn condition(&mut self, condition: &'s Expr) -> Out<(Set, Set)> {
        let value = self.eval(condition)?;
        Ok((value.int.is_true()?.minus(&value.fault)?, value.fault))
    }

    /// The value of a scalar, and where it faults.
    pub fn scalar(&mut self, expr: &'s Expr) -> Out<Value> {
        self.eval(expr)
    }

    fn constant(&self, value: i64) -> Int {
        Int::constant(self.store, i128::from(value))
    }

    fn bit(&self, root: Root, bit: u32) -> Set {
        match root {
            Root::State => self.state[bit as usize].clone(),
            Root::Frame => self.area.get(&bit).cloned().unwrap_or_else(|| self.store.none()),
        }
    }

    fn set_bit(&mut self, root: Root, bit: u32, value: Set) {
        match root {
            Root::State => {
                self.memo.clear();
                self.state[bit as usize] = value;
            }
            Root::Frame => drop(self.area.insert(bit, value)),
        }
    }

    /// Where a place is.
    fn locate(&mut self, place: &'s Place) -> Out<Located> {
        let mut located = Located { cases: vec![(place.offset, self.store.all())], fault: self.store.none() };
        for index in &place.indices {
            let value = self.eval(&index.value)?;
            located.fault = located.fault.or(&value.fault)?;
            let low = i128::from(index.low);
            let numbers: Vec<(u64, Set)> = match value.int.value() {
                Some(known) => {
                    let number = u64::try_from(known - low).ok().filter(|&number| number < index.size);
                    number.map(|number| (number, self.store.all())).into_iter().collect()
                }
                None => {
                    let mut numbers = Vec::new();
                    for number in 0..index.size {
                        self.store.poll()?;
                        let here = value.int.is(self.store, low + i128::from(number))?;
                        if !here.is_empty() {
                            numbers.push((number, here));
                        }
                    }
                    numbers
                }
            };
            let inside = self.store.union(numbers.iter().map(|(_, here)| here.clone()).collect())?;
            located.fault = located.fault.or(&inside.not())?;
            let mut cases = Vec::with_capacity(located.cases.len() * numbers.len());
            for (offset, when) in &located.cases {
                for (number, here) in &numbers {
                    let both = when.and(here)?;
                    if !both.is_empty() {
                        cases.push((offset + *number as u32 * index.stride, both));
                    }
                }
            }
            located.cases = cases;
        }
        Ok(located)
    }

    /// The bits at a place.
    fn fetch(&mut self, root: Root, located: &Located, width: u32) -> Out<Vec<Set>> {
        if let [(offset, _)] = located.cases[..] {
            return Ok((0..width).map(|i| self.bit(root, offset + i)).collect());
        }
        let bit = |i: u32| {
            let parts = located.cases.iter().map(|(offset, when)| when.and(&self.bit(root, offset + i)));
            self.store.union(parts.collect::<Out<_>>()?)
        };
        (0..width).map(bit).collect()
    }

    /// Reads a place: its bits, and where that faults.
    fn read(&mut self, place: &'s Place, width: u32) -> Out<(Vec<Set>, Set)> {
        let located = self.locate(place)?;
        let bits = self.fetch(place.root, &located, width)?;
        Ok((bits, located.fault))
    }

    /// Writes bits to a place where the condition is true.
    fn put(&mut self, root: Root, located: &Located, bits: &[Set], path: &Set) -> Out<()> {
        for (offset, when) in &located.cases {
            let here = path.and(when)?;
            if here.is_empty() {
                continue;
            }
            for (i, bit) in bits.iter().enumerate() {
                let at = offset + i as u32;
                let old = self.bit(root, at);
                let new = here.choose(bit, &old)?;
                self.set_bit(root, at, new);
            }
        }
        Ok(())
    }

    /// Gives a bound name the value with a number.
    pub fn bind(&mut self, binder: &Binder, number: u64) {
        match binder.target {
            Target::Scalar(slot) => {
                let value = number as i64 + self.system.types.bias(binder.ty);
                self.slots.insert(slot.index(), self.constant(value));
            }
            Target::Wide(at) => {
                for (i, bit) in self.number_bits(binder.ty, number).into_iter().enumerate() {
                    self.area.insert(at + i as u32, bit);
                }
            }
        }
    }

    /// Gives a bound name the value that some bits are.
    fn bind_bits(&mut self, binder: &Binder, bits: &[Set]) -> Out<()> {
        match binder.target {
            Target::Scalar(slot) => {
                let code = Int::code(self.store, bits.to_vec());
                let value = code.plus(self.store, &self.constant(self.system.types.bias(binder.ty)))?;
                self.slots.insert(slot.index(), value);
            }
            Target::Wide(at) => {
                for (i, bit) in bits.iter().enumerate() {
                    self.area.insert(at + i as u32, bit.clone());
                }
            }
        }
        Ok(())
    }

    /// The bits of the value with a number.
    fn number_bits(&self, ty: TypeId, number: u64) -> Vec<Set> {
        let width = self.system.types.width(ty);
        let mut words = vec![0; (width as usize).div_ceil(64) + 2];
        unrank(&self.system.types, ty, &mut words, 0, number);
        let bit = |i: u32| self.store.constant(words[i as usize / 64] >> (i % 64) & 1 == 1);
        (0..width).map(bit).collect()
    }

    /// The number of the value that some bits are.
    fn rank(&self, ty: TypeId, bits: &[Set]) -> Out<Int> {
        let types = &self.system.types;
        let size = |ty| i128::from(types.size(ty).expect("only numbered types are ranked"));
        let digits = |parts: Vec<(TypeId, u32)>| {
            parts.into_iter().try_fold(Int::constant(self.store, 0), |number, (ty, offset)| {
                let digit = self.rank(ty, &bits[offset as usize..][..types.width(ty) as usize])?;
                number.times(self.store, &Int::constant(self.store, size(ty)))?.plus(self.store, &digit)
            })
        };
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                let number = self.rank(inner, &bits[1..])?.plus(self.store, &self.constant(1))?;
                Int::choose(&bits[0], &number, &self.constant(0))
            }
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                let record = types.record(id);
                let tag = Int::code(self.store, bits[..types.width(record.fields[0].ty) as usize].to_vec());
                let (mut number, mut before) = (self.constant(0), 0);
                for (i, case) in record.cases.iter().enumerate() {
                    let mut here = self.constant(0);
                    for part in &case.parts {
                        let field = &record.fields[part.field as usize];
                        let held = &bits[field.offset as usize..][..types.width(field.ty) as usize];
                        let digit = self.rank(field.ty, held)?;
                        let digit = digit.plus(self.store, &self.constant(-i64::from(part.optional)))?;
                        let scale = Int::constant(self.store, size(part.ty));
                        here = here.times(self.store, &scale)?.plus(self.store, &digit)?;
                    }
                    here = here.plus(self.store, &Int::constant(self.store, before))?;
                    number = Int::choose(&tag.is(self.store, i as i128)?, &here, &number)?;
                    before += i128::from(types.case_size(case).expect("only numbered types are ranked"));
                }
                Ok(number)
            }
            Type::Record(id) => digits(types.record(id).fields.iter().map(|it| (it.ty, it.offset)).collect()),
            Type::Array { index, element } => {
                let width = types.width(element);
                digits((0..size(index) as u32).map(|i| (element, i * width)).collect())
            }
            Type::Queue { .. } | Type::Bag { .. } => unreachable!("only numbered types are ranked"),
            _ => Ok(Int::code(self.store, bits.to_vec())),
        }
    }

    /// Where some bits are a code of a type with so many values.
    fn below(&self, bits: &[Set], size: u64) -> Out<Set> {
        if bits_for(size) < 64 && size == 1 << bits.len() {
            return Ok(self.store.all());
        }
        Int::code(self.store, bits.to_vec()).within(self.store, 0, i128::from(size) - 1)
    }
}
