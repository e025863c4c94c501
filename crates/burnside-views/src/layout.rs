//! States as globals and words: what belongs to each member of the family, and what to nobody.
//!
//! Entry point: [`Layout::new`], for an instance. [`Layout::read`] takes a state apart, [`Layout::write`]
//! puts one together. The parts of instances of different sizes fit together: globals and words have the same
//! bits. Invariant: what is read and written again is the same state, up to the order of the members.

use burnside_ts::{SortId, System, Type, TypeId, Types, bits};

/// Where the parts of a state of one instance are.
#[derive(Clone, Debug)]
pub struct Layout {
    sort: SortId,
    size: u32,
    state_words: usize,
    /// What belongs to nobody: first bits and widths.
    plain: Vec<(u32, u32)>,
    /// What there is for each member: the first bit and width of the first member's.
    cells: Vec<(u32, u32)>,
    /// Sets of members: their first bits.
    sets: Vec<u32>,
    pointers: Vec<Pointer>,
    global_bits: u32,
    word_bits: u32,
}

/// A scalar that is a member, or may be one.
#[derive(Clone, Debug)]
struct Pointer {
    offset: u32,
    width: u32,
    /// Whether 0 is none, and others are greater by one.
    optional: bool,
    /// What must be true for it to be there at all.
    presence: Vec<Presence>,
}

/// Whether a part of a value is there.
#[derive(Clone, Copy, Debug)]
enum Presence {
    /// This bit is set.
    Bit(u32),
    /// The number at this bit, of this width, is greater than that.
    Above(u32, u32, u32),
}

/// Why an instance cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

/// A state, taken apart: the globals, then the words of all members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Plain bits, and for each pointer whether it is set.
    pub globals: Vec<u64>,
    /// By member: its cells, for each set whether it is in it, for each pointer whether it is its target.
    pub words: Vec<Vec<u64>>,
}

impl Layout {
    /// The layout of an instance.
    pub fn new(system: &System, sort_name: &str) -> Result<Self, Unfit> {
        let found = system.types.sorts().find(|(_, sort)| sort.name == sort_name && !sort.inferred);
        let (sort, size) = found.map(|(id, sort)| (id, sort.size)).ok_or_else(|| unfit("no such type"))?;
        let mut layout = Self {
            sort,
            size,
            state_words: system.words(),
            plain: Vec::new(),
            cells: Vec::new(),
            sets: Vec::new(),
            pointers: Vec::new(),
            global_bits: 0,
            word_bits: 0,
        };
        let mut presence = Vec::new();
        for var in &system.vars {
            layout.add(&system.types, sort, var.ty, var.offset, &mut presence)?;
        }
        let pointers = layout.pointers.len() as u32;
        layout.global_bits = layout.plain.iter().map(|(_, width)| width).sum::<u32>() + pointers;
        let cells: u32 = layout.cells.iter().map(|(_, width)| width).sum();
        layout.word_bits = cells + layout.sets.len() as u32 + pointers;
        Ok(layout)
    }

    fn add(
        &mut self,
        types: &Types,
        sort: SortId,
        ty: TypeId,
        at: u32,
        presence: &mut Vec<Presence>,
    ) -> Result<(), Unfit> {
        let is_member = |ty: TypeId| matches!(types.get(ty), Type::Sort(it) if *it == sort);
        if !types.sorts_in(ty).contains(&sort) {
            self.plain.push((at, types.width(ty)));
            return Ok(());
        }
        match *types.get(ty) {
            Type::Sort(_) => self.pointer(at, types.width(ty), false, presence),
            Type::Option(inner) if is_member(inner) => self.pointer(at, types.width(ty), true, presence),
            Type::Option(inner) if !types.is_scalar(inner) => {
                self.plain.push((at, 1));
                presence.push(Presence::Bit(at));
                self.add(types, sort, inner, at + 1, presence)?;
                presence.pop();
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    self.add(types, sort, field.ty, at + field.offset, presence)?;
                }
            }
            Type::Array { index, element }
                if is_member(index) && !types.sorts_in(element).contains(&sort) =>
            {
                self.cells.push((at, types.width(element)));
            }
            Type::Array { index, element } if !types.sorts_in(index).contains(&sort) => {
                let count = types.size(index).ok_or_else(|| unfit("an index has no numbers"))?;
                for i in 0..count as u32 {
                    self.add(types, sort, element, at + i * types.width(element), presence)?;
                }
            }
            Type::Set(element) if is_member(element) => self.sets.push(at),
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                self.plain.push((at, slots.length));
                for i in 0..capacity {
                    presence.push(Presence::Above(at, slots.length, i));
                    self.add(types, sort, element, at + slots.offset(i), presence)?;
                    presence.pop();
                }
            }
            Type::Bool
            | Type::Range { .. }
            | Type::Enum(_)
            | Type::Option(_)
            | Type::Array { .. }
            | Type::Set(_)
            | Type::Bag { .. } => {
                return Err(unfit("a variable is made of members in a way that is unknown"));
            }
        }
        Ok(())
    }

    fn pointer(&mut self, offset: u32, width: u32, optional: bool, presence: &[Presence]) {
        self.pointers.push(Pointer { offset, width, optional, presence: presence.to_vec() });
    }

    /// The type of the members.
    pub fn sort(&self) -> SortId {
        self.sort
    }

    /// How many members there are.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// How many bits the globals and each word have: equal for all instances of a model.
    pub fn shape(&self) -> (u32, u32) {
        (self.global_bits, self.word_bits)
    }

    /// The words of a state, without spare ones.
    pub fn state_words(&self) -> usize {
        self.state_words
    }

    /// The bit of the globals that a bit of the state is, if it is one.
    pub fn global_bit(&self, bit: u32) -> Option<u32> {
        let mut at = 0;
        for &(offset, width) in &self.plain {
            if (offset..offset + width).contains(&bit) {
                return Some(at + bit - offset);
            }
            at += width;
        }
        None
    }

    /// The bit of words that says who is in the set of members that begins at a bit of the state.
    pub fn set_bit(&self, first: u32) -> Option<u32> {
        let cells: u32 = self.cells.iter().map(|(_, width)| width).sum();
        let at = self.sets.iter().position(|&set| set == first)?;
        Some(cells + at as u32)
    }

    /// How many pointers there are.
    pub fn pointers(&self) -> u32 {
        self.pointers.len() as u32
    }

    /// How many sets of members there are.
    pub fn sets(&self) -> u32 {
        self.sets.len() as u32
    }

    /// How many pointers are set.
    pub fn set_pointers(&self, globals: &[u64]) -> u32 {
        let first = self.global_bits - self.pointers.len() as u32;
        (first..self.global_bits).map(|bit| bit_of(globals, bit)).sum()
    }

    /// Takes a state apart. It has spare words.
    pub fn read(&self, state: &[u64], parts: &mut Parts) {
        let words = |bits: u32| bits.div_ceil(64) as usize + bits::SPARE;
        parts.globals.clear();
        parts.globals.resize(words(self.global_bits), 0);
        parts.words.resize(self.size as usize, Vec::new());
        let mut at = 0;
        for &(offset, width) in &self.plain {
            bits::copy(&mut parts.globals, at, state, offset, width);
            at += width;
        }
        let marks = at;
        for (member, word) in (0..self.size).zip(&mut parts.words) {
            word.clear();
            word.resize(words(self.word_bits), 0);
            at = 0;
            for &(offset, width) in &self.cells {
                bits::copy(word, at, state, offset + member * width, width);
                at += width;
            }
            for &offset in &self.sets {
                bits::copy(word, at, state, offset + member, 1);
                at += 1;
            }
        }
        for (i, pointer) in (0..).zip(&self.pointers) {
            if let Some(target) = pointer.target(state) {
                bits::write(&mut parts.globals, marks + i, 1, 1);
                bits::write(&mut parts.words[target as usize], at + i, 1, 1);
            }
        }
    }

    /// Puts a state together; false if a pointer that is set has no target or several, or if one that is not
    /// set has one.
    pub fn write(&self, globals: &[u64], words: &[&[u64]], state: &mut Vec<u64>) -> bool {
        state.clear();
        state.resize(self.state_words + bits::SPARE, 0);
        let mut at = 0;
        for &(offset, width) in &self.plain {
            bits::copy(state, offset, globals, at, width);
            at += width;
        }
        let marks = at;
        for (member, word) in (0..).zip(words) {
            at = 0;
            for &(offset, width) in &self.cells {
                bits::copy(state, offset + member * width, word, at, width);
                at += width;
            }
            for &offset in &self.sets {
                bits::copy(state, offset + member, word, at, 1);
                at += 1;
            }
        }
        (0..).zip(&self.pointers).all(|(i, pointer)| {
            let mut targets = (0..).zip(words).filter(|(_, word)| bit_of(word, at + i) == 1);
            let (target, more) = (targets.next(), targets.next().is_some());
            match (bit_of(globals, marks + i) == 1, target, more) {
                (true, Some((member, _)), false) => {
                    let code: u64 = member;
                    bits::write(state, pointer.offset, pointer.width, code + u64::from(pointer.optional));
                    pointer.target(state) == Some(code as u32)
                }
                (false, None, _) => pointer.target(state).is_none(),
                _ => false,
            }
        })
    }

    /// The bits of a word that say which pointers point to the member.
    pub fn targets(&self, word: &[u64]) -> Vec<u32> {
        let first = self.word_bits - self.pointers.len() as u32;
        (0..self.pointers.len() as u32).filter(|i| bit_of(word, first + i) == 1).collect()
    }
}

impl Pointer {
    fn target(&self, state: &[u64]) -> Option<u32> {
        let there = self.presence.iter().all(|presence| match *presence {
            Presence::Bit(bit) => bit_of(state, bit) == 1,
            Presence::Above(offset, width, number) => bits::read(state, offset, width) > u64::from(number),
        });
        let code = bits::read(state, self.offset, self.width) as u32;
        match (there, self.optional) {
            (false, _) => None,
            (true, false) => Some(code),
            (true, true) => code.checked_sub(1),
        }
    }
}

fn bit_of(words: &[u64], bit: u32) -> u32 {
    (words[(bit / 64) as usize] >> (bit % 64)) as u32 & 1
}

fn unfit(why: &str) -> Unfit {
    Unfit(why.to_string())
}
