//! What the bits of views mean, in the words of the model: parts of globals and of members, with values.
//!
//! Entry point: [`attributes`], for an instance. Each attribute has a path, such as `phase[a]` or
//! `net[0].to`, and [`Attribute::value`] is its value in some globals or in the word of a member. Nothing is
//! proved with them; they tell people what was.

use crate::Needs;
use crate::layout::Layout;
use burnside_ts::{System, Type, TypeId, Types, Value};

/// A part of a view.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Where it is in the model.
    pub path: Path,
    /// What is known of it.
    pub kind: Kind,
    /// Whether each member has one; otherwise it is a part of the globals.
    pub of_member: bool,
    bit: u32,
}

/// What is known of a part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value of a type.
    Value(TypeId),
    /// Whether the member is in a set.
    In,
    /// Whether it is the member.
    Is,
    /// Whether it is something.
    Some,
    /// Whether the set is a majority.
    Majority,
    /// How many elements a queue has: so many bits.
    Length(u32),
}

/// A place in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The variable.
    pub root: String,
    /// From there on.
    pub steps: Vec<Step>,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A field of a record.
    Field(String),
    /// An element of an array.
    Index(Value),
    /// An element of a queue, if it has so many.
    Slot(u32),
    /// What an optional holds, if it holds something.
    Inner,
    /// What belongs to the member.
    Member,
}

impl Path {
    fn with(&self, step: Step) -> Self {
        let mut path = self.clone();
        path.steps.push(step);
        path
    }

    /// Its text, with a name for the member.
    pub fn text(&self, member: &str) -> String {
        let step = |step: &Step| match step {
            Step::Field(name) => format!(".{name}"),
            Step::Index(value) => format!("[{value}]"),
            Step::Slot(slot) => format!("[{slot}]"),
            Step::Inner => String::from("!"),
            Step::Member => format!("[{member}]"),
        };
        self.steps.iter().map(step).fold(self.root.clone(), |text, step| text + &step)
    }

    /// What must be true so that there is something at this place.
    pub fn presence(&self, member: &str) -> Vec<String> {
        let upto = |i: usize| Self { root: self.root.clone(), steps: self.steps[..i].to_vec() }.text(member);
        let condition = |(i, step): (usize, &Step)| match step {
            Step::Slot(slot) => Some(format!("{}.size() > {slot}", upto(i))),
            Step::Inner => Some(format!("{} != none", upto(i))),
            Step::Field(_) | Step::Index(_) | Step::Member => None,
        };
        self.steps.iter().enumerate().filter_map(condition).collect()
    }
}

impl Attribute {
    /// The value in globals, or in the word of a member.
    pub fn value(&self, types: &Types, bits: &[u64]) -> Value {
        match self.kind {
            Kind::Value(ty) => Value::read(types, ty, bits, self.bit),
            Kind::In | Kind::Is | Kind::Some | Kind::Majority => {
                Value::Bool(burnside_ts::bits::read(bits, self.bit, 1) == 1)
            }
            Kind::Length(width) => Value::Int(burnside_ts::bits::read(bits, self.bit, width) as i64),
        }
    }

    /// The value where there is nothing at the place.
    pub fn absent(&self, types: &Types) -> Value {
        let width = if let Kind::Value(ty) = self.kind { types.width(ty) } else { 64 };
        let zeros = vec![0; (self.bit + width).div_ceil(64) as usize + burnside_ts::bits::SPARE];
        self.value(types, &zeros)
    }
}

/// The attributes of the globals, then those of each member.
pub fn attributes(system: &System, layout: &Layout, needs: &Needs) -> Vec<Attribute> {
    let (_, word) = layout.shape();
    let mut finder = Walk {
        types: &system.types,
        layout,
        found: Vec::new(),
        cell: 0,
        set: 0,
        pointer: 0,
        first_set: word - layout.pointers() - layout.sets(),
        first_pointer: word - layout.pointers(),
    };
    for (i, var) in system.vars.iter().enumerate() {
        let set = needs.majorities.iter().find(|(_, flag)| *flag == i).map(|(set, _)| *set);
        let named = &system.vars[set.unwrap_or(i)];
        let process = named.process.filter(|_| named.qualified).map(|id| &system.processes[id.index()].name);
        let root = process.map_or(named.name.clone(), |process| format!("{process}.{}", named.name));
        let first = finder.found.len();
        finder.any(&Path { root, steps: Vec::new() }, var.ty, var.offset);
        if set.is_some() {
            finder.found[first..].iter_mut().for_each(|flag| flag.kind = Kind::Majority);
        }
    }
    let mut found = finder.found;
    found.sort_by_key(|attribute| attribute.of_member);
    found
}

/// A walk over the variables, in the order of the layout.
struct Walk<'t> {
    types: &'t Types,
    layout: &'t Layout,
    found: Vec<Attribute>,
    /// Bits of words that were met.
    cell: u32,
    set: u32,
    pointer: u32,
    first_set: u32,
    first_pointer: u32,
}

impl Walk<'_> {
    fn push(&mut self, path: &Path, kind: Kind, of_member: bool, bit: u32) {
        self.found.push(Attribute { path: path.clone(), kind, of_member, bit });
    }

    fn is_member(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Sort(sort) if *sort == self.layout.sort())
    }

    fn any(&mut self, path: &Path, ty: TypeId, at: u32) {
        let types = self.types;
        if !types.sorts_in(ty).contains(&self.layout.sort()) {
            let bit = self.layout.global_bit(at).unwrap_or_default();
            return self.plain(path, ty, false, bit);
        }
        match *types.get(ty) {
            Type::Sort(_) => self.pointer(path, false),
            Type::Option(inner) if self.is_member(inner) => self.pointer(path, true),
            Type::Option(inner) => {
                let bit = self.layout.global_bit(at).unwrap_or_default();
                self.push(path, Kind::Some, false, bit);
                self.any(&path.with(Step::Inner), inner, at + 1);
            }
            Type::Record(record) => {
                for field in &types.record(record).fields {
                    self.any(&path.with(Step::Field(field.name.clone())), field.ty, at + field.offset);
                }
            }
            Type::Array { index, element } if self.is_member(index) => {
                let bit = self.cell;
                self.plain(&path.with(Step::Member), element, true, bit);
                self.cell += types.width(element);
            }
            Type::Array { index, element } => {
                for i in 0..types.size(index).unwrap_or(0) {
                    let index = Value::numbered(types, index, i);
                    let at = at + i as u32 * types.width(element);
                    self.any(&path.with(Step::Index(index)), element, at);
                }
            }
            Type::Set(_) => {
                self.push(path, Kind::In, true, self.first_set + self.set);
                self.set += 1;
            }
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                let bit = self.layout.global_bit(at).unwrap_or_default();
                self.push(path, Kind::Length(slots.length), false, bit);
                for i in 0..capacity {
                    let path = path.with(Step::Slot(i));
                    self.any(&path, element, at + slots.offset(i));
                }
            }
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Bag { .. } => {}
        }
    }

    fn pointer(&mut self, path: &Path, is_optional: bool) {
        let (globals, _) = self.layout.shape();
        let bit = globals - self.layout.pointers() + self.pointer;
        // One that is not optional points to somebody wherever there is one.
        if is_optional {
            self.push(path, Kind::Some, false, bit);
        }
        self.push(path, Kind::Is, true, self.first_pointer + self.pointer);
        self.pointer += 1;
    }

    /// What has nothing to do with members inside: its parts, down to values that are read at once.
    fn plain(&mut self, path: &Path, ty: TypeId, of_member: bool, bit: u32) {
        let types = self.types;
        match *types.get(ty) {
            Type::Record(record) if types.record(record).cases.is_empty() => {
                for field in &types.record(record).fields {
                    let path = path.with(Step::Field(field.name.clone()));
                    self.plain(&path, field.ty, of_member, bit + field.offset);
                }
            }
            Type::Array { index, element } => {
                for i in 0..types.size(index).unwrap_or(0) {
                    let path = path.with(Step::Index(Value::numbered(types, index, i)));
                    self.plain(&path, element, of_member, bit + i as u32 * types.width(element));
                }
            }
            _ => self.push(path, Kind::Value(ty), of_member, bit),
        }
    }
}
