//! Variables that say something of many members at once or in no order, as hyperedges on the members.
//!
//! Entry point: [`Hyperedges::extract`]. A hyperedge is a label (a hash of everything that no permutation
//! changes: the variable, plain indices, plain values) and the members it is about. A permutation of the
//! state renames the members in its hyperedges and changes no label, so whatever is computed from them up to
//! renaming is an invariant of the orbit. It need not tell all states apart.

use burnside_ts::{SortId, System, Type, TypeId, bits};

/// How to take hyperedges out of a state.
#[derive(Debug)]
pub(super) struct Hyperedges {
    types: burnside_ts::Types,
    /// Variables: type and offset.
    vars: Vec<(TypeId, u32)>,
    /// For each sort, the vertices of its members if it is told of: those of other moved sorts are left out.
    vertices: Vec<Vec<u32>>,
    /// For each type, whether a moved sort occurs in it.
    touched: Vec<bool>,
    /// The hyperedges of the state at hand.
    labels: Vec<u64>,
    ends: Vec<u32>,
    members: Vec<u32>,
    about: Vec<u32>,
}

/// Mixes a number into a hash. Sums of results must not hide differences, so every bit depends on every
/// other.
#[inline]
pub(super) fn mix(hash: u64, value: u64) -> u64 {
    let mut z =
        hash.rotate_left(23) ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Hyperedges {
    /// Of some variables; the members of some of the moved sorts have vertices.
    pub fn new(
        system: &System,
        vars: &[usize],
        vertices: Vec<Vec<u32>>,
        moved: impl Fn(SortId) -> bool,
    ) -> Self {
        let types = &system.types;
        let touches = |&sort: &SortId| moved(sort);
        let touched = types.iter().map(|(id, _)| types.sorts_in(id).iter().any(touches)).collect();
        let vars = vars.iter().map(|&var| (system.vars[var].ty, system.vars[var].offset)).collect();
        let (labels, ends, members, about) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { types: types.clone(), vars, vertices, touched, labels, ends, members, about }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// Takes the hyperedges out of a state (with spare words).
    pub fn extract(&mut self, state: &[u64]) {
        self.labels.clear();
        self.ends.clear();
        self.members.clear();
        let mut about = std::mem::take(&mut self.about);
        about.clear();
        for i in 0..self.vars.len() {
            let (ty, offset) = self.vars[i];
            self.walk(ty, state, offset, mix(1, i as u64), &mut about);
        }
        self.about = about;
    }

    /// All hyperedges: label and members.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.labels
            .iter()
            .zip(starts)
            .zip(&self.ends)
            .map(|((&label, start), &end)| (label, &self.members[start as usize..end as usize]))
    }

    fn emit(&mut self, label: u64, about: &[u32]) {
        if !about.is_empty() {
            self.labels.push(label);
            self.members.extend_from_slice(about);
            self.ends.push(self.members.len() as u32);
        }
    }

    fn walk(&mut self, ty: TypeId, state: &[u64], offset: u32, path: u64, about: &mut Vec<u32>) {
        if !self.touched[ty.index()] {
            let chunks = || {
                let read = |(at, width): (u32, u32)| bits::read(state, offset + at, width);
                bits::chunks(self.types.width(ty)).map(read)
            };
            // Zeros are what is not mentioned: most of a large array, as a rule.
            if !about.is_empty() && chunks().any(|value| value != 0) {
                self.emit(chunks().fold(path, mix), about);
            }
            return;
        }
        let depth = about.len();
        match *self.types.get(ty) {
            Type::Option(inner) if !self.types.is_scalar(ty) => match bits::read(state, offset, 1) {
                0 => self.emit(mix(path, 0), about),
                _ => self.walk(inner, state, offset + 1, mix(path, 1), about),
            },
            Type::Record(id) => {
                for i in 0..self.types.record(id).fields.len() {
                    let field = &self.types.record(id).fields[i];
                    let (ty, at) = (field.ty, field.offset);
                    self.walk(ty, state, offset + at, mix(path, i as u64), about);
                }
            }
            Type::Array { index, element } => {
                let width = self.types.width(element);
                for i in 0..self.types.size(index).expect("an index type is numbered") {
                    let label = self.decode(index, i, path, about);
                    self.walk(element, state, offset + i as u32 * width, label, about);
                    about.truncate(depth);
                }
            }
            Type::Set(element) => {
                for (chunk, width) in bits::chunks(self.types.width(ty)) {
                    let mut rest = bits::read(state, offset + chunk, width);
                    while rest != 0 {
                        let i = chunk + rest.trailing_zeros();
                        rest &= rest - 1;
                        let label = self.decode(element, u64::from(i), path, about);
                        self.emit(label, about);
                        about.truncate(depth);
                    }
                }
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = self.types.slots(capacity, element);
                let length = bits::read(state, offset, slots.length);
                self.emit(mix(path, length), about);
                let ordered = matches!(self.types.get(ty), Type::Queue { .. });
                for i in 0..length as u32 {
                    let at = offset + slots.offset(i);
                    match ordered {
                        true => self.walk(element, state, at, mix(path, u64::from(i)), about),
                        false => self.walk_loose(element, state, at, path, about),
                    }
                }
            }
            _ => {
                let code = bits::read(state, offset, self.types.width(ty));
                let label = self.decode(ty, code, path, about);
                self.emit(label, about);
                about.truncate(depth);
            }
        }
    }

    /// An element of a bag. Its position says nothing; what it consists of is tied together in one hyperedge
    /// where the parts come in an order of their own.
    fn walk_loose(&mut self, ty: TypeId, state: &[u64], offset: u32, path: u64, about: &mut Vec<u32>) {
        let (edges, members) = (self.labels.len(), self.members.len());
        self.walk(ty, state, offset, path, about);
        if self.labels.len() == edges + 1 || !self.is_ordered(ty) {
            return;
        }
        let label = self.labels[edges..].iter().fold(path, |hash, &label| mix(hash, label));
        // Plain parts make no hyperedge of their own here unless there are indices above; tie them in as
        // well.
        let label = self.plain_parts(ty, state, offset, label);
        self.labels.truncate(edges);
        self.ends.truncate(edges);
        if self.members.len() > members {
            self.labels.push(label);
            self.ends.push(self.members.len() as u32);
        }
    }

    fn plain_parts(&self, ty: TypeId, state: &[u64], offset: u32, hash: u64) -> u64 {
        if !self.touched[ty.index()] {
            return bits::chunks(self.types.width(ty))
                .fold(hash, |hash, (at, width)| mix(hash, bits::read(state, offset + at, width)));
        }
        match *self.types.get(ty) {
            Type::Record(id) => self
                .types
                .record(id)
                .fields
                .iter()
                .fold(hash, |hash, field| self.plain_parts(field.ty, state, offset + field.offset, hash)),
            _ => hash,
        }
    }

    /// Whether the hyperedges of a value come in an order that no permutation changes.
    fn is_ordered(&self, ty: TypeId) -> bool {
        if !self.touched[ty.index()] {
            return true;
        }
        match *self.types.get(ty) {
            Type::Sort(_) => true,
            Type::Option(inner) => self.is_ordered(inner),
            Type::Record(id) => self.types.record(id).fields.iter().all(|field| self.is_ordered(field.ty)),
            Type::Array { index, element } => !self.touched[index.index()] && self.is_ordered(element),
            Type::Queue { element, .. } => self.is_ordered(element),
            _ => false,
        }
    }

    /// Adds the members that a numbered value speaks of and mixes the rest of it into the label.
    fn decode(&self, ty: TypeId, number: u64, label: u64, about: &mut Vec<u32>) -> u64 {
        if !self.touched[ty.index()] {
            return mix(label, number);
        }
        match *self.types.get(ty) {
            Type::Sort(sort) => {
                about.extend(self.vertices[sort.index()].get(number as usize));
                label
            }
            Type::Option(_) if number == 0 => mix(label, 0),
            Type::Option(inner) => self.decode(inner, number - 1, mix(label, 1), about),
            Type::Record(id) if !self.types.record(id).cases.is_empty() => {
                let (at, case, number) = self.types.case_of_number(&self.types.record(id).cases, number);
                let size = |ty| self.types.size(ty).expect("only numbered types have numbers");
                let mut scale: u64 = case.parts.iter().map(|part| size(part.ty)).product();
                case.parts.iter().fold(mix(label, at as u64), |label, part| {
                    scale /= size(part.ty);
                    self.decode(part.ty, number / scale % size(part.ty), label, about)
                })
            }
            Type::Record(id) => {
                let fields = &self.types.record(id).fields;
                let size = |ty| self.types.size(ty).expect("only numbered types have numbers");
                let mut scale: u64 = fields.iter().map(|field| size(field.ty)).product();
                fields.iter().fold(label, |label, field| {
                    scale /= size(field.ty);
                    self.decode(field.ty, number / scale % size(field.ty), label, about)
                })
            }
            // Sets and arrays as indices: nothing is said, which only makes colours coarser.
            _ => label,
        }
    }
}
