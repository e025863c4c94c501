//! A rule on all states at once: every bit of the state, and of the scratch memory beside it, is a function
//! of what the cells of the state were, of the rule's arguments and of the choices it makes.
//!
//! Entry points: [`Symbolic::rule`], [`Symbolic::initial`], [`Symbolic::condition`]. The meaning is that of
//! the interpreter, case by case. Where a value would be a fault it is [`FAULT`], whatever the fault.

use super::cells::{Cell, has_bag, walk};
use super::diagram::{Diagrams, Node, Out, TooLarge};
use super::memo::Memo;
use burnside_ts::{
    Action, Collection, Domain, Expr, Permutation, Place, Root, RuleId, Slots, System, Target, Type, TypeId,
};
use std::collections::{BTreeMap, HashMap};

/// The value of what faults.
pub(super) const FAULT: i128 = i128::MIN;

/// More variables than this make diagrams too deep.
const MAX_VARIABLES: usize = 2000;
/// More values of one cell than this make them too wide.
const MAX_VALUES: u64 = 4096;

/// A value of which each cell is a variable.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    pub ty: TypeId,
    pub bits: Vec<Node>,
    /// The variables, by the first bit of their cells.
    pub levels: BTreeMap<u32, u32>,
}

/// What tells the choices of one run apart: the statement, and the values of the loops around it.
pub(super) type Choice = (usize, Vec<(Option<TypeId>, u64)>);

/// How a run ends.
pub(super) const NOTHING: i128 = 0;
pub(super) const FAULTS: i128 = 1;
pub(super) const ENDS: i128 = 2;

/// How statements end: they go on, they fault, or the run is none.
pub(super) const GOES_ON: i128 = 0;
pub(super) const DROPPED: i128 = 2;

pub(super) struct Symbolic<'s> {
    pub action: &'s Action<'s>,
    pub system: &'s System,
    pub d: Diagrams,
    /// The bits of the state, as they are now.
    pub state: Vec<Node>,
    slots: HashMap<usize, Node>,
    area: HashMap<u32, Node>,
    pub(super) memo: Memo,
    pub vars: Vec<Unknown>,
    pub params: Vec<Unknown>,
    pub choices: BTreeMap<Choice, Unknown>,
    /// The values of the loops around the statement at hand.
    pub(super) context: Vec<(Option<TypeId>, u64)>,
    identity: Permutation,
}

impl<'s> Symbolic<'s> {
    pub fn new(action: &'s Action<'s>, budget: u64) -> Self {
        let system = action.system();
        Self {
            action,
            system,
            d: Diagrams::new(budget),
            state: vec![Diagrams::FALSE; system.width as usize],
            slots: HashMap::new(),
            area: HashMap::new(),
            memo: Memo::default(),
            vars: Vec::new(),
            params: Vec::new(),
            choices: BTreeMap::new(),
            context: Vec::new(),
            identity: Permutation::identity(&system.types),
        }
    }

    /// Runs a rule with unknown arguments on an unknown state: whether it ends in a state, in a fault, or in
    /// nothing.
    pub fn rule(&mut self, id: RuleId) -> Out {
        let rule = self.system.rule(id);
        for param in &rule.params {
            let unknown = self.unknown(param.binder.ty)?;
            self.params.push(unknown);
        }
        self.unknown_state()?;
        for (param, unknown) in rule.params.iter().zip(self.params.clone()) {
            self.give(param.binder.target, param.binder.ty, &unknown.bits)?;
        }
        let (mut enabled, mut next) = (Diagrams::TRUE, 0);
        for level in 0..=rule.params.len() {
            let domain = rule.params.get(level).map(|param| &param.binder.domain);
            if matches!(domain, Some(Domain::Type)) {
                continue;
            }
            while let Some(part) = rule.guard.get(next).filter(|part| part.level <= level) {
                let path = self.d.is(enabled, 1)?;
                let value = self.eval(&part.condition, path)?;
                let value = self.d.map(value, &|v| if v == FAULT { v } else { i128::from(v != 0) })?;
                enabled = self.d.select(path, value, enabled)?;
                next += 1;
            }
            if let Some(Domain::Collection(collection)) = domain {
                let path = self.d.is(enabled, 1)?;
                let bits = self.params[level].bits.clone();
                let member = self.is_member(collection, &bits, path)?;
                enabled = self.d.select(path, member, enabled)?;
            }
        }
        let path = self.d.is(enabled, 1)?;
        let status = self.block(&rule.body, path)?;
        let ended = self.d.map(status, &ending)?;
        let disabled = self.d.map(enabled, &|v| if v == FAULT { FAULTS } else { NOTHING })?;
        self.d.select(path, ended, disabled)
    }

    /// Runs the initialisation.
    pub fn initial(&mut self) -> Out {
        let system = self.system;
        let status = self.block(&system.init, Diagrams::TRUE)?;
        self.d.map(status, &ending)
    }

    /// A condition on an unknown state. Values of bound names are put in place before.
    pub fn condition(&mut self, condition: &'s Expr) -> Out {
        let value = self.eval(condition, Diagrams::TRUE)?;
        self.d.map(value, &|v| if v == FAULT { v } else { i128::from(v != 0) })
    }

    pub fn unknown_state(&mut self) -> Result<(), TooLarge> {
        for var in &self.system.vars {
            let unknown = self.unknown(var.ty)?;
            self.state[var.offset as usize..][..unknown.bits.len()].copy_from_slice(&unknown.bits);
            self.vars.push(unknown);
        }
        Ok(())
    }

    /// The bits of the state as they were before anything ran.
    pub fn before(&self) -> Vec<Node> {
        self.vars.iter().flat_map(|unknown| unknown.bits.iter().copied()).collect()
    }

    /// A value that may be any of its type.
    pub fn unknown(&mut self, ty: TypeId) -> Result<Unknown, TooLarge> {
        let width = self.system.types.width(ty) as usize;
        let mut unknown = Unknown { ty, bits: vec![Diagrams::FALSE; width], levels: BTreeMap::new() };
        let (action, identity, d) = (self.action, &self.identity, &mut self.d);
        walk(action, identity, ty, (0, 0), &mut |cell: &Cell<'_>| {
            if cell.values > MAX_VALUES || d.variables() >= MAX_VARIABLES {
                return Err(TooLarge);
            }
            let level = d.variable(cell.values as u32);
            unknown.levels.insert(cell.from, level);
            let counts = counts(d, &unknown.bits, cell)?;
            for j in 0..cell.width {
                let bit = d.table(level, |v| i128::from(v >> j & 1))?;
                unknown.bits[(cell.from + j) as usize] = d.and(counts, bit)?;
            }
            Ok(())
        })?;
        Ok(unknown)
    }

    /// A new unknown value for a choice. A statement that chooses twice in the same loops is not understood.
    pub fn choice(&mut self, statement: usize, ty: TypeId) -> Result<Unknown, TooLarge> {
        let key = (statement, self.context.clone());
        if self.choices.contains_key(&key) || has_bag(&self.system.types, ty) {
            return Err(TooLarge);
        }
        let unknown = self.unknown(ty)?;
        self.choices.insert(key, unknown.clone());
        Ok(unknown)
    }

    // Memory.

    pub fn bit(&self, root: Root, at: u32) -> Out {
        match root {
            Root::State => Ok(self.state[at as usize]),
            Root::Frame => self.area.get(&at).copied().ok_or(TooLarge),
        }
    }

    /// Writes a bit where the condition is true.
    pub fn set_bit(&mut self, root: Root, at: u32, bit: Node, path: Node) -> Result<(), TooLarge> {
        let old = match root {
            Root::State => self.state[at as usize],
            Root::Frame => self.area.get(&at).copied().unwrap_or(Diagrams::FALSE),
        };
        let new = self.d.select(path, bit, old)?;
        match root {
            Root::State => {
                self.memo.clear();
                self.state[at as usize] = new;
            }
            Root::Frame => drop(self.area.insert(at, new)),
        }
        Ok(())
    }

    pub fn slot(&self, slot: usize) -> Out {
        self.slots.get(&slot).copied().ok_or(TooLarge)
    }

    pub fn set_slot(&mut self, slot: usize, value: Node, path: Node) -> Result<(), TooLarge> {
        let new = match self.slots.get(&slot) {
            Some(&old) => self.d.select(path, value, old)?,
            None => value,
        };
        self.slots.insert(slot, new);
        Ok(())
    }

    /// The first bit of a place.
    pub fn locate(&mut self, place: &'s Place, path: Node) -> Out {
        let mut offset = self.d.leaf(i128::from(place.offset));
        for index in &place.indices {
            let value = self.eval(&index.value, path)?;
            let (low, size, stride) =
                (i128::from(index.low), i128::from(index.size), i128::from(index.stride));
            offset = self.d.map2(offset, value, &|offset, value| {
                let number = if value == FAULT { -1 } else { value - low };
                if offset == FAULT || number < 0 || number >= size { FAULT } else { offset + number * stride }
            })?;
        }
        Ok(offset)
    }

    /// The bits from a location on; those of a fault are faults.
    pub fn fetch(&mut self, root: Root, at: Node, width: u32) -> Result<Vec<Node>, TooLarge> {
        if let Some(at) = self.d.constant(at).filter(|&at| at != FAULT) {
            return (0..width).map(|j| self.bit(root, at as u32 + j)).collect();
        }
        let mut bits = Vec::with_capacity(width as usize);
        for j in 0..width {
            let (state, area) = (&self.state, &self.area);
            let bit = self.d.bind(at, &mut |d, at| match (at, root) {
                (FAULT, _) => Ok(d.leaf(FAULT)),
                (at, Root::State) => Ok(state[at as usize + j as usize]),
                (at, Root::Frame) => area.get(&(at as u32 + j)).copied().ok_or(TooLarge),
            })?;
            bits.push(bit);
        }
        Ok(bits)
    }

    /// Writes bits from a location on, where the condition is true.
    pub fn put(&mut self, root: Root, at: Node, bits: &[Node], path: Node) -> Result<(), TooLarge> {
        for offset in self.d.range(at) {
            if offset == FAULT {
                continue;
            }
            let here = self.d.is(at, offset)?;
            let here = self.d.and(path, here)?;
            for (j, &bit) in bits.iter().enumerate() {
                self.set_bit(root, offset as u32 + j as u32, bit, here)?;
            }
        }
        Ok(())
    }

    /// The number that some bits are; a fault if one of them is.
    pub fn number(&mut self, bits: &[Node]) -> Out {
        let mut number = Diagrams::FALSE;
        for (j, &bit) in bits.iter().enumerate() {
            number = self.d.map2(number, bit, &|number, bit| match (number, bit) {
                (FAULT, _) | (_, FAULT) => FAULT,
                _ => number + (bit << j),
            })?;
        }
        Ok(number)
    }

    /// The low bits of a number; those of a fault are 0.
    pub fn bits(&mut self, number: Node, width: u32) -> Result<Vec<Node>, TooLarge> {
        (0..width).map(|j| self.d.map(number, &|v| if v == FAULT { 0 } else { v >> j & 1 })).collect()
    }

    /// Whether two fields have equal bits.
    pub fn equal(&mut self, a: &[Node], b: &[Node]) -> Out {
        let mut equal = Diagrams::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            equal =
                self.d.map2(equal, a, &|e, a| if e == FAULT || a == FAULT { FAULT } else { e * 2 + a })?;
            equal = self.d.map2(equal, b, &|e, b| match (e, b) {
                (FAULT, _) | (_, FAULT) => FAULT,
                (2, 0) | (3, 1) => 1,
                _ => 0,
            })?;
        }
        Ok(equal)
    }

    /// Gives a bound name the value that some bits are. Every name has its own place, so what was there
    /// before does not matter.
    pub fn give(&mut self, target: Target, ty: TypeId, bits: &[Node]) -> Result<(), TooLarge> {
        match target {
            Target::Scalar(slot) => {
                let (code, bias) = (self.number(bits)?, i128::from(self.system.types.bias(ty)));
                let value = self.d.map(code, &|v| if v == FAULT { v } else { v + bias })?;
                self.slots.insert(slot.index(), value);
            }
            Target::Wide(at) => {
                for (j, &bit) in bits.iter().enumerate() {
                    self.area.insert(at + j as u32, bit);
                }
            }
        }
        Ok(())
    }

    /// The layout of a queue or bag.
    pub fn layout(&self, ty: TypeId) -> Slots {
        match *self.system.types.get(ty) {
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                self.system.types.slots(capacity, element)
            }
            _ => unreachable!("only queues and bags have slots"),
        }
    }

    /// The collection of a binder, fetched: what its setup says (0 goes on, otherwise a fault), and its bits.
    pub fn collection(
        &mut self,
        collection: &'s Collection,
        path: Node,
    ) -> Result<(Node, Vec<Node>), TooLarge> {
        let status = self.block(&collection.setup, path)?;
        let going = self.d.is(status, GOES_ON)?;
        let path = self.d.and(path, going)?;
        let at = self.locate(&collection.place, path)?;
        let bits = self.fetch(collection.place.root, at, self.system.types.width(collection.ty))?;
        let located = self.d.map(at, &|v| if v == FAULT { FAULTS } else { GOES_ON })?;
        Ok((self.d.select(going, located, status)?, bits))
    }

    /// Whether a value is in a collection; a fault if that faults.
    pub fn is_member(&mut self, collection: &'s Collection, value: &[Node], path: Node) -> Out {
        let (status, bits) = self.collection(collection, path)?;
        let found = self.contains(collection.ty, &bits, value)?;
        self.d.map2(status, found, &|status, found| if status == GOES_ON { found } else { FAULT })
    }

    /// Whether a set, queue or bag (its bits) has an element (its bits).
    pub fn contains(&mut self, ty: TypeId, bits: &[Node], value: &[Node]) -> Out {
        if let Type::Set(element) = *self.system.types.get(ty) {
            let number = self.rank(element, value)?;
            return self.d.bind(number, &mut |d, i| match i {
                FAULT => Ok(d.leaf(FAULT)),
                i => Ok(bits.get(i as usize).copied().unwrap_or(Diagrams::FALSE)),
            });
        }
        let count = self.occurrences(ty, bits, value)?;
        self.d.map(count, &|v| if v == FAULT { v } else { i128::from(v > 0) })
    }

    /// How often a queue or bag (its bits) holds an element (its bits).
    pub fn occurrences(&mut self, ty: TypeId, bits: &[Node], value: &[Node]) -> Out {
        let slots = self.layout(ty);
        let length = self.number(&bits[..slots.length as usize])?;
        let mut count = Diagrams::FALSE;
        for i in 0..slots.capacity {
            let slot = &bits[slots.offset(i) as usize..][..slots.slot as usize];
            let same = self.equal(slot, value)?;
            let here = self.d.map2(length, same, &|length, same| match (length, same) {
                (FAULT, _) | (_, FAULT) => FAULT,
                (length, same) => i128::from(length > i128::from(i)) * same,
            })?;
            count = self.d.map2(count, here, &strict(|a, b| a + b))?;
        }
        Ok(count)
    }

    /// The number of a value (its bits) of a numbered type.
    pub fn rank(&mut self, ty: TypeId, bits: &[Node]) -> Out {
        let types = &self.system.types;
        let size = |ty| i128::from(types.size(ty).expect("only numbered types are ranked"));
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                let rank = self.rank(inner, &bits[1..])?;
                self.d.map2(bits[0], rank, &strict(|tag, rank| tag * (1 + rank)))
            }
            Type::Record(id) => types.record(id).fields.iter().try_fold(Diagrams::FALSE, |number, field| {
                let part = &bits[field.offset as usize..][..types.width(field.ty) as usize];
                let rank = self.rank(field.ty, part)?;
                self.d.map2(number, rank, &strict(|number, rank| number * size(field.ty) + rank))
            }),
            Type::Array { index, element } => {
                let width = types.width(element) as usize;
                (0..size(index) as usize).try_fold(Diagrams::FALSE, |number, i| {
                    let rank = self.rank(element, &bits[i * width..][..width])?;
                    self.d.map2(number, rank, &strict(|number, rank| number * size(element) + rank))
                })
            }
            Type::Queue { .. } | Type::Bag { .. } => unreachable!("only numbered types are ranked"),
            _ => self.number(bits),
        }
    }
}

/// An operation that faults if one of its operands does.
pub(super) fn strict(op: impl Fn(i128, i128) -> i128) -> impl Fn(i128, i128) -> i128 {
    move |a, b| if a == FAULT || b == FAULT { FAULT } else { op(a, b) }
}

fn ending(status: i128) -> i128 {
    match status {
        GOES_ON => ENDS,
        DROPPED => NOTHING,
        _ => FAULTS,
    }
}

/// Whether a cell counts, by its guards in the bits so far.
pub(super) fn counts(d: &mut Diagrams, bits: &[Node], cell: &Cell<'_>) -> Out {
    let mut counts = Diagrams::TRUE;
    for &(at, width, least) in cell.guards {
        let mut number = Diagrams::FALSE;
        for j in 0..width {
            number = d.map2(number, bits[(at + j) as usize], &|number, bit| number + (bit << j))?;
        }
        let enough = d.map(number, &|v| i128::from(v >= i128::from(least)))?;
        counts = d.and(counts, enough)?;
    }
    Ok(counts)
}
