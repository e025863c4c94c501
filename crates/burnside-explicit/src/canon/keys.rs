//! Sorts whose members are told apart by bits of their own: gather each member's bits into a key and sort the
//! keys.
//!
//! Entry point: [`plan`], which also finds the sorts this does not suit. Two members with equal keys can be
//! swapped without changing the state, and only those.

use burnside_ts::{SortGroup, SortId, Symmetry, System, Type, TypeId, bits};
use std::collections::BTreeSet;

/// How the keys of a sort's members are gathered, of one block of members that may be permuted.
#[derive(Debug)]
pub(super) struct Keys {
    pub sort: SortId,
    moved: Vec<u32>,
    columns: Vec<KeyColumn>,
    references: Vec<Reference>,
    /// Words of one key, and of one key with its spare words.
    words: usize,
    stride: usize,
    keys: Vec<u64>,
    order: Vec<u32>,
}

/// Bits of each member: `width` at `offset + member * stride`.
#[derive(Clone, Copy, Debug)]
struct KeyColumn {
    offset: u32,
    stride: u32,
    width: u32,
}

/// A place that holds a member: one bit of that member's key.
#[derive(Clone, Copy, Debug)]
struct Reference {
    offset: u32,
    width: u32,
    /// The code is one more than the member, and 0 is none.
    optional: bool,
    /// Only if this field is at least this large: the tag of an optional or the length of a queue.
    guard: Option<(u32, u32, u64)>,
}

/// The plans for the sorts that keys suit, and the sorts that meet others (or themselves) in a cell.
pub(super) fn plan(system: &System, symmetry: &Symmetry) -> (Vec<Keys>, BTreeSet<SortId>) {
    let mut planner = KeyPlanner {
        system,
        symmetry,
        coordinates: Vec::new(),
        columns: vec![Vec::new(); symmetry.sorts.len()],
        references: vec![Vec::new(); symmetry.sorts.len()],
        joint: BTreeSet::new(),
    };
    for var in &system.vars {
        planner.collect(var.ty, var.offset, None);
    }
    let KeyPlanner { columns, references, joint, .. } = planner;
    let mut plans = Vec::new();
    for ((i, columns), references) in columns.into_iter().enumerate().zip(references) {
        let sort = SortId(i as u32);
        if let SortGroup::Full(blocks) = &symmetry.sorts[i]
            && !joint.contains(&sort)
        {
            let keys = |block: &Vec<u32>| Keys::new(sort, block.clone(), columns.clone(), references.clone());
            plans.extend(blocks.iter().map(keys));
        }
    }
    (plans, joint)
}

struct KeyPlanner<'p> {
    system: &'p System,
    symmetry: &'p Symmetry,
    /// The moved indices of the place at hand.
    coordinates: Vec<(SortId, u32)>,
    columns: Vec<Vec<KeyColumn>>,
    references: Vec<Vec<Reference>>,
    joint: BTreeSet<SortId>,
}

type Guard = Option<(u32, u32, u64)>;

impl KeyPlanner<'_> {
    fn is_moved(&self, sort: SortId) -> bool {
        self.symmetry.sorts[sort.index()] != SortGroup::Fixed
    }

    /// The moved sorts in a type.
    fn moved_in(&self, ty: TypeId, found: &mut BTreeSet<SortId>) {
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Bool | Type::Range { .. } | Type::Enum(_) => {}
            Type::Sort(sort) => {
                if self.is_moved(sort) {
                    found.insert(sort);
                }
            }
            Type::Option(inner) | Type::Set(inner) => self.moved_in(inner, found),
            Type::Queue { element, .. } | Type::Bag { element, .. } => self.moved_in(element, found),
            Type::Record(id) => {
                types.record(id).fields.iter().for_each(|field| self.moved_in(field.ty, found))
            }
            Type::Array { index, element } => {
                self.moved_in(index, found);
                self.moved_in(element, found);
            }
        }
    }

    fn touches(&self, ty: TypeId) -> bool {
        let mut found = BTreeSet::new();
        self.moved_in(ty, &mut found);
        !found.is_empty()
    }

    /// Everything at hand meets: its indices and the sorts in the type.
    fn meet(&mut self, ty: TypeId) {
        let mut found = BTreeSet::new();
        self.moved_in(ty, &mut found);
        self.joint.extend(found);
        self.joint.extend(self.coordinates.iter().map(|&(sort, _)| sort));
    }

    fn plain(&mut self, offset: u32, width: u32) {
        match self.coordinates[..] {
            [] => {}
            [(sort, stride)] => self.columns[sort.index()].push(KeyColumn { offset, stride, width }),
            _ => self.joint.extend(self.coordinates.iter().map(|&(sort, _)| sort)),
        }
    }

    fn collect(&mut self, ty: TypeId, offset: u32, guard: Guard) {
        let types = &self.system.types;
        if !self.touches(ty) {
            return self.plain(offset, types.width(ty));
        }
        match *types.get(ty) {
            Type::Sort(sort) => self.reference(sort, ty, offset, false, guard),
            Type::Option(inner) if types.is_scalar(ty) => match *types.get(inner) {
                Type::Sort(sort) => self.reference(sort, ty, offset, true, guard),
                _ => self.meet(ty),
            },
            Type::Option(inner) => {
                self.plain(offset, 1);
                self.guarded(inner, offset + 1, guard, (offset, 1, 1));
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    self.collect(field.ty, offset + field.offset, guard);
                }
            }
            Type::Array { index, element } => self.collect_array(index, element, offset, guard),
            Type::Set(element) => match *types.get(element) {
                Type::Sort(sort) if self.coordinates.is_empty() => {
                    self.columns[sort.index()].push(KeyColumn { offset, stride: 1, width: 1 });
                }
                _ => self.meet(ty),
            },
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                self.plain(offset, slots.length);
                for i in 0..capacity {
                    let used = (offset, slots.length, u64::from(i) + 1);
                    self.guarded(element, offset + slots.offset(i), guard, used);
                }
            }
            Type::Bag { .. } => self.meet(ty),
            Type::Bool | Type::Range { .. } | Type::Enum(_) => unreachable!("no sort in these"),
        }
    }

    fn collect_array(&mut self, index: TypeId, element: TypeId, offset: u32, guard: Guard) {
        let types = &self.system.types;
        let width = types.width(element);
        match *types.get(index) {
            Type::Sort(sort) if self.is_moved(sort) => {
                self.coordinates.push((sort, width));
                self.collect(element, offset, guard);
                self.coordinates.pop();
            }
            _ if self.touches(index) => {
                self.meet(index);
                self.meet(element);
            }
            _ => {
                for i in 0..types.size(index).expect("an index type is numbered") as u32 {
                    self.collect(element, offset + i * width, guard);
                }
            }
        }
    }

    fn guarded(&mut self, ty: TypeId, offset: u32, outer: Guard, guard: (u32, u32, u64)) {
        match outer {
            Some(_) if self.touches(ty) => self.meet(ty),
            _ => self.collect(ty, offset, Some(guard)),
        }
    }

    fn reference(&mut self, sort: SortId, ty: TypeId, offset: u32, optional: bool, guard: Guard) {
        if !self.coordinates.is_empty() {
            return self.meet(ty);
        }
        let width = self.system.types.width(ty);
        self.references[sort.index()].push(Reference { offset, width, optional, guard });
    }
}

impl Keys {
    fn new(sort: SortId, moved: Vec<u32>, columns: Vec<KeyColumn>, references: Vec<Reference>) -> Self {
        let width: u32 = columns.iter().map(|column| column.width).sum::<u32>() + references.len() as u32;
        let words = (width as usize).div_ceil(64);
        let stride = words + bits::SPARE;
        let members = moved.last().map_or(0, |&last| last as usize + 1);
        let order = moved.clone();
        Self { sort, moved, columns, references, words, stride, keys: vec![0; members * stride], order }
    }

    fn gather(&mut self, state: &[u64]) {
        let Self { moved, columns, references, stride, keys, .. } = self;
        keys.fill(0);
        let mut at = 0;
        for column in columns.iter() {
            for &member in moved.iter() {
                let key = &mut keys[member as usize * *stride..][..*stride];
                for (chunk, width) in bits::chunks(column.width) {
                    let value = bits::read(state, column.offset + member * column.stride + chunk, width);
                    bits::write(key, at + chunk, width, value);
                }
            }
            at += column.width;
        }
        for reference in references.iter() {
            if let Some(member) = reference.member(state)
                && (member as usize) * *stride < keys.len()
            {
                bits::write(&mut keys[member as usize * *stride..][..*stride], at, 1, 1);
            }
            at += 1;
        }
    }

    fn key(&self, member: u32) -> &[u64] {
        &self.keys[member as usize * self.stride..][..self.words]
    }

    /// Writes where the members go; false if they stay.
    pub fn sort_into(&mut self, state: &[u64], images: &mut [u32]) -> bool {
        self.gather(state);
        if self.moved.windows(2).all(|pair| self.key(pair[0]) <= self.key(pair[1])) {
            return false;
        }
        let mut order = std::mem::take(&mut self.order);
        order.clone_from(&self.moved);
        match self.words {
            1 => order.sort_by_key(|&member| self.keys[member as usize * self.stride]),
            _ => order.sort_by(|&a, &b| self.key(a).cmp(self.key(b))),
        }
        for (&member, &place) in order.iter().zip(&self.moved) {
            images[member as usize] = place;
        }
        self.order = order;
        true
    }

    /// The members in classes of equal keys.
    pub fn classes(&mut self, state: &[u64]) -> Vec<Vec<u32>> {
        self.gather(state);
        let mut order = self.moved.clone();
        order.sort_by(|&a, &b| self.key(a).cmp(self.key(b)));
        order.chunk_by(|&a, &b| self.key(a) == self.key(b)).map(<[u32]>::to_vec).collect()
    }

    pub fn class_sizes(&mut self, state: &[u64]) -> Vec<u64> {
        self.classes(state).iter().map(|class| class.len() as u64).collect()
    }
}

impl Reference {
    fn member(&self, state: &[u64]) -> Option<u32> {
        let present =
            self.guard.is_none_or(|(offset, width, least)| bits::read(state, offset, width) >= least);
        let code = bits::read(state, self.offset, self.width) as u32;
        match (present, self.optional) {
            (false, _) => None,
            (true, false) => Some(code),
            (true, true) => code.checked_sub(1),
        }
    }
}
