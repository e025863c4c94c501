//! What a state says of the members of rings that letters do not tell: cells in which rings meet other sorts,
//! and bags.
//!
//! Entry point: [`Loose::walk_all`]. Everything that is said of some members becomes a hash for each of them:
//! of what no permutation changes (the variable, plain indices and values) and of the distances to the other
//! members of the same ring. Members of sorts that are not rings are left out. So the sum of a member's
//! hashes does not depend on how other sorts are permuted, and turns with its ring. Hashes that are equal by
//! chance, and what is left out, only make fewer members differ.

use super::hyperedges::mix;
use burnside_ts::{SortId, Type, TypeId, Types, bits};

/// What moves a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing.
    Fixed,
    /// The turns of the ring with this number.
    Ring(usize),
    /// Something else.
    Moved,
}

/// The variables that are looked at.
#[derive(Debug)]
pub(super) struct Loose {
    roles: Vec<Role>,
    sizes: Vec<u32>,
    /// For each type, whether a moved sort occurs in it.
    touched: Vec<bool>,
    vars: Vec<(TypeId, u32)>,
    /// The members at hand.
    about: Vec<About>,
}

/// A member of a ring.
#[derive(Clone, Copy, Debug)]
struct About {
    ring: usize,
    member: u32,
    size: u32,
}

/// Takes the hashes of a member: of a ring, with a number, as it is and in the reflected ring.
type Sink<'k> = &'k mut dyn FnMut(usize, u32, u64, u64);

impl Loose {
    pub fn new(types: &Types, roles: Vec<Role>) -> Self {
        let moved = |sort: &SortId| roles[sort.index()] != Role::Fixed;
        Self {
            touched: types.iter().map(|(id, _)| types.sorts_in(id).iter().any(moved)).collect(),
            sizes: types.sorts().map(|(_, sort)| sort.size).collect(),
            roles,
            vars: Vec::new(),
            about: Vec::new(),
        }
    }

    pub fn role(&self, sort: SortId) -> Role {
        self.roles[sort.index()]
    }

    /// Whether a moved sort occurs in a type.
    pub fn touches(&self, ty: TypeId) -> bool {
        self.touched[ty.index()]
    }

    /// Adds a variable.
    pub fn add(&mut self, ty: TypeId, offset: u32) {
        self.vars.push((ty, offset));
    }

    /// Hashes all variables of a state (with spare words).
    pub fn walk_all(&mut self, types: &Types, state: &[u64], sink: Sink<'_>) {
        let mut about = std::mem::take(&mut self.about);
        let mut walk = LooseWalk { loose: self, types, state, about: &mut about, sink };
        for (i, &(ty, offset)) in self.vars.iter().enumerate() {
            walk.value(ty, offset, mix(1, i as u64));
        }
        self.about = about;
    }
}

/// A walk through a state.
struct LooseWalk<'w> {
    loose: &'w Loose,
    types: &'w Types,
    state: &'w [u64],
    about: &'w mut Vec<About>,
    sink: Sink<'w>,
}

impl LooseWalk<'_> {
    /// What is said of the members at hand.
    fn emit(&mut self, label: u64) {
        for (position, &About { ring, member, size }) in self.about.iter().enumerate() {
            let start = mix(label, position as u64);
            let (mut forth, mut back) = (start, start);
            for other in self.about.iter().filter(|other| other.ring == ring) {
                let distance = (other.member + size - member) % size;
                forth = mix(forth, u64::from(distance));
                back = mix(back, u64::from((size - distance) % size));
            }
            (self.sink)(ring, member, forth, back);
        }
    }

    fn plain(&mut self, ty: TypeId, offset: u32, path: u64) {
        if self.about.is_empty() {
            return;
        }
        let (mut label, mut any) = (path, 0);
        for (at, width) in bits::chunks(self.types.width(ty)) {
            let value = bits::read(self.state, offset + at, width);
            any |= value;
            label = mix(label, value);
        }
        // Nothing is said of zero, which most cells hold.
        if any != 0 {
            self.emit(label);
        }
    }

    fn value(&mut self, ty: TypeId, offset: u32, path: u64) {
        let types = self.types;
        if !self.loose.touches(ty) {
            return self.plain(ty, offset, path);
        }
        let depth = self.about.len();
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                if bits::read(self.state, offset, 1) == 1 {
                    self.emit(mix(path, 1));
                    self.value(inner, offset + 1, mix(path, 2));
                }
            }
            Type::Record(id) => {
                for (i, field) in types.record(id).fields.iter().enumerate() {
                    self.value(field.ty, offset + field.offset, mix(path, i as u64));
                }
            }
            Type::Array { index, element } => {
                let width = types.width(element);
                for i in 0..types.size(index).expect("an index type is numbered") {
                    let label = self.decode(index, i, path);
                    self.value(element, offset + i as u32 * width, label);
                    self.about.truncate(depth);
                }
            }
            Type::Set(element) => {
                for (chunk, width) in bits::chunks(types.width(ty)) {
                    let mut rest = bits::read(self.state, offset + chunk, width);
                    while rest != 0 {
                        let label = self.decode(element, u64::from(chunk + rest.trailing_zeros()), path);
                        rest &= rest - 1;
                        self.emit(label);
                        self.about.truncate(depth);
                    }
                }
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                let length = bits::read(self.state, offset, slots.length);
                self.emit(mix(path, length));
                let ordered = matches!(types.get(ty), Type::Queue { .. });
                for i in 0..length as u32 {
                    let at = offset + slots.offset(i);
                    // The position in a bag says nothing: there what an element consists of is tied together.
                    match (ordered, self.is_ordered(element)) {
                        (true, _) => self.value(element, at, mix(path, u64::from(i))),
                        (false, true) => {
                            let label = self.tie(element, at, path);
                            self.emit(label);
                            self.about.truncate(depth);
                        }
                        (false, false) => self.value(element, at, path),
                    }
                }
            }
            _ => {
                let label = self.decode(ty, bits::read(self.state, offset, types.width(ty)), path);
                self.emit(label);
                self.about.truncate(depth);
            }
        }
    }

    /// Whether the parts of a value come in an order that no permutation changes.
    fn is_ordered(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            _ if !self.loose.touches(ty) => true,
            Type::Sort(_) => true,
            Type::Option(inner) => self.is_ordered(inner),
            Type::Record(id) => self.types.record(id).fields.iter().all(|field| self.is_ordered(field.ty)),
            _ => false,
        }
    }

    /// Adds all members in a value with ordered parts, and mixes the rest of it into the label.
    fn tie(&mut self, ty: TypeId, offset: u32, label: u64) -> u64 {
        let types = self.types;
        if !self.loose.touches(ty) {
            return bits::chunks(types.width(ty))
                .fold(label, |label, (at, width)| mix(label, bits::read(self.state, offset + at, width)));
        }
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => match bits::read(self.state, offset, 1) {
                0 => mix(label, 0),
                _ => self.tie(inner, offset + 1, mix(label, 1)),
            },
            Type::Record(id) => {
                let fields = types.record(id).fields.iter();
                fields.fold(label, |label, field| self.tie(field.ty, offset + field.offset, label))
            }
            _ => self.decode(ty, bits::read(self.state, offset, types.width(ty)), label),
        }
    }

    /// Adds the members that a numbered value speaks of and mixes the rest of it into the label.
    fn decode(&mut self, ty: TypeId, number: u64, label: u64) -> u64 {
        let types = self.types;
        if !self.loose.touches(ty) {
            return mix(label, number);
        }
        match *types.get(ty) {
            Type::Sort(sort) => {
                if let Role::Ring(ring) = self.loose.role(sort) {
                    let size = self.loose.sizes[sort.index()];
                    self.about.push(About { ring, member: number as u32, size });
                }
                label
            }
            Type::Option(_) if number == 0 => mix(label, 0),
            Type::Option(inner) => self.decode(inner, number - 1, mix(label, 1)),
            Type::Record(id) => {
                let fields = &types.record(id).fields;
                let size = |ty| types.size(ty).expect("only numbered types have numbers");
                let mut scale: u64 = fields.iter().map(|field| size(field.ty)).product();
                fields.iter().fold(label, |label, field| {
                    scale /= size(field.ty);
                    self.decode(field.ty, number / scale % size(field.ty), label)
                })
            }
            // Nothing is said of sets and arrays that are indices.
            _ => label,
        }
    }
}
