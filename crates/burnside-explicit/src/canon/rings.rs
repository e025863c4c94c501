//! Rings: the least rotation (or reflection) of a word with a letter for each member, in time linear in the
//! bits of the state.
//!
//! Entry point: [`Rings::plan`]; then [`Rings::find`] for each state. The letter of a member is made of what
//! the state says of it and no group element but a turn of its ring changes: the bits of its cells, marks of
//! the fixed places that refer to it, and references to members of the same ring as distances from it, which
//! a reflection negates. Only turns to the least word are *candidates*: those of a state and of its images
//! are the same up to the group. If letters say everything about the ring (it is *complete*), all candidates
//! give the same state and one is enough. Where the ring meets other sorts in a cell, or lies in bags, a hash
//! of the rest is part of the letter (`loose`): candidates are then few, and have to be tried.
//!
//! Nothing is allocated for a state.

use super::dial::Dial;
use super::layout::{KeyColumn, PairRelation};
use super::loose::Loose;
use super::places::{Axis, Places, Pointer, Reference, VariablePart};
use burnside_perm::{Group, GroupKind, Natural, Perm};
use burnside_ts::{Permutation, SortGroup, SortId, SparsePermutation, Symmetry, System, Types, bits};
use std::cmp::Ordering;

/// A sort that is turned, and perhaps reflected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RingGroup {
    pub sort: SortId,
    pub size: u32,
    pub mirror: bool,
}

impl RingGroup {
    /// The rings of a symmetry, and what is left of its generators: those that do nothing but turn or reflect
    /// one sort are taken out, if all turns of that sort are among what they generate; it then counts as a
    /// sort with rotations. None if all is left: lists of generators can be long.
    pub fn recognise(types: &Types, symmetry: &Symmetry) -> (Vec<RingGroup>, Option<Symmetry>) {
        let mut rest = None;
        let mut found = Vec::new();
        for (sort, declared) in types.sorts() {
            let size = declared.size;
            let mirror = match symmetry.sorts[sort.index()] {
                SortGroup::Rotations => Some(false),
                SortGroup::Full(_) => None,
                SortGroup::Fixed => mirrored(symmetry, sort, size),
            };
            if let Some(mirror) = mirror {
                if symmetry.sorts[sort.index()] == SortGroup::Fixed {
                    let rest = rest.get_or_insert_with(|| symmetry.clone());
                    rest.generators.retain(|permutation| !permutation.moves(sort));
                    rest.sorts[sort.index()] = SortGroup::Rotations;
                }
                found.push(RingGroup { sort, size, mirror });
            }
        }
        (found, rest)
    }

    /// How many elements it has.
    pub fn order(&self) -> u64 {
        u64::from(self.size) * if self.mirror { 2 } else { 1 }
    }
}

/// Whether the generators that move a sort reflect it, if they move nothing else and generate all its turns.
fn mirrored(symmetry: &Symmetry, sort: SortId, size: u32) -> Option<bool> {
    let movers = || symmetry.generators.iter().filter(move |permutation| permutation.moves(sort));
    let alone = |permutation: &SparsePermutation| permutation.moved().iter().all(|moved| moved.0 == sort);
    if movers().next().is_none() || !movers().all(alone) {
        return None;
    }
    // A turn moves every element, and a reflection all but two at most.
    if movers().any(|permutation| permutation.moved().len() + 2 < size as usize) {
        return None;
    }
    let pairs = |permutation: &SparsePermutation| permutation.moved().iter().map(|it| (it.1, it.2)).collect();
    let perm = |permutation| Perm::sparse(size as usize, pairs(permutation)).dense();
    let perms: Vec<Perm> = movers().map(perm).collect();
    // The cheap test first: other groups of many points are dear to make.
    let turns = |perm: &Perm| {
        let (first, n) = (perm.image(0), size);
        let forth = (0..n).all(|x| perm.image(x) == (x + first) % n);
        forth || (0..n).all(|x| perm.image(x) == (n - x + first) % n)
    };
    if !perms.iter().all(turns) {
        return None;
    }
    let group = Group::generated(size as usize, &perms);
    let mirror = match group.kind() {
        GroupKind::Rotations => false,
        GroupKind::Dihedral => true,
        _ => return None,
    };
    let group_of = RingGroup { sort, size, mirror };
    (group.order() == Natural::from(group_of.order())).then_some(mirror)
}

/// How the letters of all rings are made, and the candidates in the state at hand.
#[derive(Debug)]
pub(super) struct Rings {
    rings: Vec<Necklace>,
    loose: Option<Loose>,
}

/// A ring with the word of the state at hand.
#[derive(Debug)]
struct Necklace {
    group: RingGroup,
    columns: Vec<BeadColumn>,
    complete: bool,
    /// Turns the ring without letters, if it can.
    dial: Option<Dial>,
    /// Bits of a letter without the hash; words of one with it.
    width: u32,
    words: usize,
    /// Words from one letter to the next.
    stride: usize,
    /// The letters, and those of the members of the reflected ring (member `x` at its old place).
    forth: Vec<u64>,
    back: Vec<u64>,
    found: Turns,
}

/// Part of a letter.
#[derive(Clone, Copy, Debug)]
enum BeadColumn {
    /// Bits of each member.
    Bits(KeyColumn),
    /// Bits of each two members, in the order of their distance.
    Pairs(PairRelation),
    /// A member that each member refers to.
    Distance(Pointer),
    /// A fixed place that refers to a member.
    Mark(Reference),
}

/// The turns to the least word: the rotations that take `start + k * period` to 0, and the reflections that
/// take `-(turned + k * period)` there.
#[derive(Clone, Copy, Debug, Default)]
struct Turns {
    period: u32,
    start: Option<u32>,
    turned: Option<u32>,
}

impl Rings {
    /// For some of the rings of a symmetry; none if there are none.
    pub fn plan(system: &System, symmetry: &Symmetry, groups: &[RingGroup]) -> Option<Self> {
        if groups.is_empty() {
            return None;
        }
        let mut by_sort = vec![None; symmetry.sorts.len()];
        groups.iter().enumerate().for_each(|(at, group)| by_sort[group.sort.index()] = Some(at));
        let (columns, loosened) = (vec![Vec::new(); groups.len()], vec![false; groups.len()]);
        let mut planner = BeadPlanner { system, by_sort, columns, loosened };
        let moved = |sort| symmetry.moves(sort);
        let (mut places, mut loose) = (Places::new(&system.types, moved), Vec::new());
        for (i, var) in system.vars.iter().enumerate() {
            let before = planner.loosened.clone();
            planner.loosened.fill(false);
            places.walk(var.ty, var.offset, &mut |axes, part| planner.add(axes, part));
            if planner.loosened.contains(&true) {
                loose.push(i);
            }
            planner.loosened.iter_mut().zip(before).for_each(|(now, before)| *now |= before);
        }
        let BeadPlanner { columns, loosened, .. } = planner;
        let rings = groups.iter().zip(columns).zip(&loosened);
        Some(Self {
            rings: rings
                .map(|((&group, columns), &loosened)| Necklace::new(group, columns, !loosened))
                .collect(),
            loose: loosened.contains(&true).then(|| Loose::new(system, &loose, groups, moved)),
        })
    }

    /// How many rings there are.
    pub fn len(&self) -> usize {
        self.rings.len()
    }

    /// The rings whose candidates have to be tried.
    pub fn incomplete(&self) -> impl Iterator<Item = RingGroup> {
        self.rings.iter().filter(|ring| !ring.complete).map(|ring| ring.group)
    }

    /// Finds the candidates in a state (with spare words).
    pub fn find(&mut self, state: &[u64]) {
        if let [ring] = &mut self.rings[..]
            && ring.dial.is_some()
        {
            return ring.choose(state);
        }
        for ring in &mut self.rings {
            ring.clear();
        }
        if let Some(loose) = &mut self.loose {
            let rings = &mut self.rings;
            loose.hash_all(state, |ring, member, forth, back| rings[ring].add_hash(member, forth, back));
        }
        for ring in &mut self.rings {
            ring.choose(state);
        }
    }

    /// If there is one ring and it is turned by shifts: writes the least turn of a state, which is in `to`
    /// already, and gives the turn. Both slices have spare words.
    pub fn turn(&mut self, state: &[u64], to: &mut [u64], permutation: &mut Permutation) -> bool {
        let [ring] = &mut self.rings[..] else { return false };
        if ring.dial.is_none() {
            return false;
        }
        ring.choose(state);
        if let (Some(dial), Some(start)) = (&ring.dial, ring.found.start) {
            dial.turn(start, to);
        }
        ring.found.write(0, &mut permutation.images[ring.group.sort.index()]);
        true
    }

    /// How many products of turns there are to try.
    pub fn count(&self) -> usize {
        self.rings.iter().map(Necklace::tried).product()
    }

    /// Whether what is to be tried are the rotations by multiples of one of them, in this order: then the
    /// states that they lead to come again after the first one that does.
    pub fn is_cycle(&self) -> bool {
        let mut several = self.rings.iter().filter(|ring| ring.tried() > 1);
        several.next().is_none_or(|ring| ring.found.start.is_none() || ring.found.turned.is_none())
            && several.next().is_none()
    }

    /// For each of the products to try, how many lead to the same state because rings are complete: a factor
    /// for each of these.
    pub fn weights(&self) -> impl Iterator<Item = u32> {
        let complete = self.rings.iter().filter(|ring| ring.complete);
        complete.map(|ring| ring.found.count(ring.group.size))
    }

    /// Writes the product with a number into a permutation.
    pub fn write(&self, number: usize, permutation: &mut Permutation) {
        let mut rest = number;
        for ring in &self.rings {
            let tried = ring.tried();
            ring.found.write((rest % tried) as u32, &mut permutation.images[ring.group.sort.index()]);
            rest /= tried;
        }
    }
}

impl Turns {
    fn count(&self, size: u32) -> u32 {
        (u32::from(self.start.is_some()) + u32::from(self.turned.is_some())) * (size / self.period)
    }

    fn write(&self, number: u32, images: &mut [u32]) {
        let n = images.len() as u32;
        let each = n / self.period;
        match (self.start, self.turned) {
            (Some(start), _) if number < each => {
                let by = n - (start + number * self.period) % n;
                let (high, low) = images.split_at_mut((n - by) as usize);
                low.iter_mut().enumerate().for_each(|(i, image)| *image = i as u32);
                high.iter_mut().enumerate().for_each(|(i, image)| *image = by + i as u32);
            }
            (_, turned) => {
                let start = turned.expect("a number below the count") + number % each * self.period;
                for (i, image) in images.iter_mut().enumerate() {
                    *image = (2 * n - i as u32 - start % n) % n;
                }
            }
        }
    }
}

impl Necklace {
    fn new(group: RingGroup, columns: Vec<BeadColumn>, complete: bool) -> Self {
        let width = columns.iter().map(|column| column.width(group.size)).sum();
        let words = (width as usize).div_ceil(64) + usize::from(!complete);
        // One word is written without looking at what comes behind it.
        let stride = if words <= 1 { 1 } else { words + bits::SPARE };
        let letters = || vec![0; group.size as usize * stride];
        let plain = |column: &BeadColumn| match column {
            BeadColumn::Bits(column) => Some(*column),
            _ => None,
        };
        let dial = (complete && !group.mirror).then(|| Dial::new(group.size, columns.iter().map(plain)));
        Self {
            dial: dial.flatten(),
            forth: letters(),
            back: if group.mirror { letters() } else { Vec::new() },
            group,
            columns,
            complete,
            width,
            words,
            stride,
            found: Turns::default(),
        }
    }

    fn tried(&self) -> usize {
        if self.complete { 1 } else { self.found.count(self.group.size) as usize }
    }

    fn clear(&mut self) {
        self.forth.fill(0);
        self.back.fill(0);
    }

    /// The hash comes last.
    fn add_hash(&mut self, member: u32, forth: u64, back: u64) {
        let at = member as usize * self.stride + self.words - 1;
        self.forth[at] = self.forth[at].wrapping_add(forth);
        if self.group.mirror {
            self.back[at] = self.back[at].wrapping_add(back);
        }
    }

    fn gather(&mut self, state: &[u64]) {
        let Self { group, columns, stride, forth, back, .. } = self;
        let mut at = 0;
        for column in columns.iter() {
            column.gather(group.size, state, &mut BeadLetters { words: forth, stride: *stride, at }, false);
            if group.mirror {
                column.gather(group.size, state, &mut BeadLetters { words: back, stride: *stride, at }, true);
            }
            at += column.width(group.size);
        }
        debug_assert_eq!(at, self.width);
    }

    /// The turns to the least word of a state.
    fn choose(&mut self, state: &[u64]) {
        if let Some(dial) = &mut self.dial {
            let (start, period) = dial.least(state);
            self.found = Turns { period, start: Some(start), turned: None };
            return;
        }
        self.gather(state);
        let n = self.group.size as usize;
        if self.words == 0 {
            self.found =
                Turns { period: 1, start: Some(0), turned: if self.group.mirror { Some(0) } else { None } };
            return;
        }
        let (start, period) = match self.stride {
            1 => least_start(n, |a, b| self.forth[a].cmp(&self.forth[b])),
            _ => least_start(n, |a, b| self.letter(a).cmp(self.letter(b))),
        };
        self.found = Turns { period: period as u32, start: Some(start as u32), turned: None };
        if self.group.mirror {
            // What comes to place `x` when the ring is reflected.
            let from = |x: usize| if x == 0 { 0 } else { n - x };
            let (turned, around) =
                least_start(n, |a, b| self.back_letter(from(a)).cmp(self.back_letter(from(b))));
            let order = (0..n)
                .map(|i| {
                    let back = self.back_letter(from((turned + i) % n));
                    self.letter((start + i) % n).cmp(back)
                })
                .find(|order| order.is_ne());
            match order {
                None => self.found.turned = Some(turned as u32),
                Some(Ordering::Greater) => {
                    self.found = Turns { period: around as u32, start: None, turned: Some(turned as u32) };
                }
                Some(_) => {}
            }
        }
    }

    fn letter(&self, member: usize) -> &[u64] {
        &self.forth[member * self.stride..][..self.words]
    }

    fn back_letter(&self, member: usize) -> &[u64] {
        &self.back[member * self.stride..][..self.words]
    }
}

/// Where the least rotation of a word of `n` letters begins, and its period: how far it is to the next such
/// place.
///
/// Two starts run side by side. As far as they agree, what beats one of them beats its successors as well, so
/// they are never looked at: O(n) comparisons. Two that agree all around are neighbours, as everything
/// between them was beaten.
fn least_start(n: usize, compare: impl Fn(usize, usize) -> Ordering) -> (usize, usize) {
    let around = |x: usize| if x < n { x } else { x - n };
    let (mut left, mut right, mut equal) = (0, 1, 0);
    while left < n && right < n {
        match compare(around(left + equal), around(right + equal)) {
            Ordering::Equal => {
                equal += 1;
                if equal == n {
                    return (left.min(right), left.abs_diff(right));
                }
                continue;
            }
            Ordering::Less => right += equal + 1,
            Ordering::Greater => left += equal + 1,
        }
        if left == right {
            right += 1;
        }
        equal = 0;
    }
    (left.min(right), n)
}

/// Where a column is written to.
struct BeadLetters<'l> {
    words: &'l mut [u64],
    stride: usize,
    /// The first bit in each letter.
    at: u32,
}

impl BeadLetters<'_> {
    #[inline]
    fn write(&mut self, member: u32, shift: u32, width: u32, value: u64) {
        match self.stride {
            1 => self.words[member as usize] |= value << (self.at + shift),
            _ => {
                let letter = &mut self.words[member as usize * self.stride..][..self.stride];
                bits::write(letter, self.at + shift, width, value);
            }
        }
    }
}

impl BeadColumn {
    /// How many bits of a letter it takes.
    fn width(&self, size: u32) -> u32 {
        match *self {
            BeadColumn::Bits(KeyColumn { width, .. }) => width,
            BeadColumn::Pairs(PairRelation { width, .. }) => width * size,
            // The distances, and none.
            BeadColumn::Distance(_) => burnside_ts::bits_for(u64::from(size) + 1),
            BeadColumn::Mark(_) => 1,
        }
    }

    fn gather(&self, size: u32, state: &[u64], to: &mut BeadLetters<'_>, back: bool) {
        match *self {
            BeadColumn::Bits(KeyColumn { offset, stride, width }) if to.stride == 1 => {
                for (member, letter) in (0..size).zip(&mut *to.words) {
                    *letter |= bits::read(state, offset + member * stride, width) << to.at;
                }
            }
            BeadColumn::Bits(KeyColumn { offset, stride, width }) => {
                for member in 0..size {
                    to.write(member, 0, width, bits::read(state, offset + member * stride, width));
                }
            }
            BeadColumn::Pairs(PairRelation { row, column, offset, width }) => {
                for member in 0..size {
                    for distance in 0..size {
                        let mate = if back { member + size - distance } else { member + distance };
                        let at = offset + member * row.stride + mate % size * column.stride;
                        to.write(member, distance * width, width, bits::read(state, at, width));
                    }
                }
            }
            BeadColumn::Distance(pointer) => {
                let width = self.width(size);
                for member in 0..size {
                    let distance = pointer.member(state, member).map_or(size, |mate| match back {
                        false => (mate + size - member) % size,
                        true => (member + size - mate) % size,
                    });
                    to.write(member, 0, width, u64::from(distance));
                }
            }
            BeadColumn::Mark(reference) => {
                if let Some(member) = reference.member(state) {
                    to.write(member, 0, 1, 1);
                }
            }
        }
    }
}

/// Makes columns of the parts of variables.
struct BeadPlanner<'p> {
    system: &'p System,
    /// For each sort, its ring.
    by_sort: Vec<Option<usize>>,
    columns: Vec<Vec<BeadColumn>>,
    /// The rings that are not told in full by columns.
    loosened: Vec<bool>,
}

impl BeadPlanner<'_> {
    fn ring(&self, sort: SortId) -> Option<usize> {
        self.by_sort[sort.index()]
    }

    /// Rings meet something.
    fn meet(&mut self, sorts: impl IntoIterator<Item = SortId>) {
        for ring in sorts.into_iter().filter_map(|sort| self.by_sort[sort.index()]) {
            self.loosened[ring] = true;
        }
    }

    fn add(&mut self, axes: &[Axis], part: VariablePart<'_>) {
        let sorts = axes.iter().map(|axis| axis.sort);
        match part {
            VariablePart::Bits(offset, width) => {
                bits::chunks(width).for_each(|(chunk, width)| self.plain(axes, offset + chunk, width));
            }
            VariablePart::Member(sort, place) => match (self.ring(sort), axes) {
                (Some(ring), []) => self.columns[ring].push(BeadColumn::Mark(Reference { place })),
                (None, []) => {}
                (Some(ring), &[row]) if row.sort == sort => {
                    self.columns[ring].push(BeadColumn::Distance(Pointer { row, target: sort, place }));
                }
                _ => self.meet(sorts.chain([sort])),
            },
            VariablePart::Loose(inside) => {
                let types = &self.system.types;
                self.meet(sorts.chain(inside.iter().flat_map(|&ty| types.sorts_in(ty))));
            }
        }
    }

    fn plain(&mut self, axes: &[Axis], offset: u32, width: u32) {
        let column = match *axes {
            [] => return,
            [Axis { stride, .. }] => BeadColumn::Bits(KeyColumn { offset, stride, width }),
            [row, column] if row.sort == column.sort => {
                BeadColumn::Pairs(PairRelation { row, column, offset, width })
            }
            _ => return self.meet(axes.iter().map(|axis| axis.sort)),
        };
        if let Some(ring) = self.ring(axes[0].sort) {
            self.columns[ring].push(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::least_start;

    /// All words of up to nine letters out of three, against all rotations.
    #[test]
    fn least_rotations_and_periods() {
        for n in 1..=9usize {
            for number in 0..3usize.pow(n as u32) {
                let word: Vec<usize> = (0..n).map(|i| number / 3usize.pow(i as u32) % 3).collect();
                let rotated = |by: usize| [&word[by..], &word[..by]].concat();
                let least = (0..n).min_by_key(|&by| rotated(by)).unwrap();
                let period = (1..=n).find(|&by| rotated(by % n) == word).unwrap();
                assert_eq!(least_start(n, |a, b| word[a].cmp(&word[b])), (least, period), "{word:?}");
            }
        }
    }
}
