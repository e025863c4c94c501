//! Which bits of a state say what of which members: found once, read for every state.
//!
//! Entry point: [`Layout::new`]. Of the sorts whose members may be permuted:
//! - what is about one member is a *fact*: bits of its own ([`KeyColumn`]) or a place that may hold it
//!   ([`Reference`]);
//! - what is about two is an *edge*: a [`PairRelation`] has bits for each pair, a [`Pointer`] of one member
//!   holds another;
//! - variables that say something of more members at once, or in no order (bags, sets of records), are
//!   *loose*: they are taken apart state by state (`hyperedges`).
//!
//! Sorts without edges can be sorted by their facts; the others are *joint*.

use burnside_ts::{SortGroup, SortId, Symmetry, System, Type, TypeId, bits};
use std::collections::BTreeSet;

/// Bits of each member: `width` at `offset + member * stride`.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyColumn {
    pub offset: u32,
    pub stride: u32,
    pub width: u32,
}

/// A place that holds a member: one bit of that member's key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    place: Place,
}

/// Bits for each pair of members.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairRelation {
    pub row: Axis,
    pub column: Axis,
    pub offset: u32,
    pub width: u32,
}

/// Each member of a sort holds another, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub row: Axis,
    /// The sort of what is held.
    pub target: SortId,
    place: Place,
}

/// A member as an index: the bits of the next one are a stride further.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub sort: SortId,
    pub stride: u32,
}

/// Where a member is stored.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u32,
    width: u32,
    /// The code is one more than the member, and 0 is none.
    optional: bool,
    guard: Option<Guard>,
}

/// A member is there only if this field is at least this large: the tag of an optional or the length of a
/// queue. It may move with the index.
#[derive(Clone, Copy, Debug)]
struct Guard {
    offset: u32,
    width: u32,
    least: u64,
    stride: u32,
}

/// What the bits of a state say.
#[derive(Debug)]
pub(super) struct Layout {
    /// By sort.
    pub columns: Vec<Vec<KeyColumn>>,
    pub references: Vec<Vec<Reference>>,
    pub relations: Vec<PairRelation>,
    pub pointers: Vec<Pointer>,
    /// Variables that are loose.
    pub loose: Vec<usize>,
    pub joint: BTreeSet<SortId>,
}

impl Layout {
    /// Of a system and the sorts that a group permutes fully.
    pub fn new(system: &System, symmetry: &Symmetry) -> Layout {
        let layout = Layout {
            columns: vec![Vec::new(); symmetry.sorts.len()],
            references: vec![Vec::new(); symmetry.sorts.len()],
            relations: Vec::new(),
            pointers: Vec::new(),
            loose: Vec::new(),
            joint: BTreeSet::new(),
        };
        let types = &system.types;
        let is_full = |sort: &SortId| matches!(symmetry.sorts[sort.index()], SortGroup::Full(_));
        let touched = types.iter().map(|(id, _)| types.sorts_in(id).iter().any(is_full)).collect();
        let mut planner = Planner { system, symmetry, touched, layout, axes: Vec::new(), is_loose: false };
        for (i, var) in system.vars.iter().enumerate() {
            let edges = (planner.layout.relations.len(), planner.layout.pointers.len());
            planner.is_loose = false;
            planner.collect(var.ty, var.offset, None);
            if planner.is_loose {
                planner.layout.relations.truncate(edges.0);
                planner.layout.pointers.truncate(edges.1);
                planner.layout.loose.push(i);
                planner.layout.joint.extend(types.sorts_in(var.ty).iter().filter(|sort| is_full(sort)));
            }
        }
        let Layout { relations, pointers, joint, .. } = &mut planner.layout;
        joint.extend(relations.iter().flat_map(|relation| [relation.row.sort, relation.column.sort]));
        joint.extend(pointers.iter().flat_map(|pointer| [pointer.row.sort, pointer.target]));
        planner.layout
    }
}

struct Planner<'p> {
    system: &'p System,
    symmetry: &'p Symmetry,
    /// For each type, whether a sort that is permuted occurs in it.
    touched: Vec<bool>,
    layout: Layout,
    /// The permuted indices of the place at hand.
    axes: Vec<Axis>,
    is_loose: bool,
}

impl Planner<'_> {
    fn is_moved(&self, sort: SortId) -> bool {
        matches!(self.symmetry.sorts[sort.index()], SortGroup::Full(_))
    }

    fn touches(&self, ty: TypeId) -> bool {
        self.touched[ty.index()]
    }

    fn plain(&mut self, offset: u32, width: u32) {
        for (at, width) in bits::chunks(width) {
            let offset = offset + at;
            match self.axes[..] {
                [] => {}
                [Axis { sort, stride }] => {
                    self.layout.columns[sort.index()].push(KeyColumn { offset, stride, width });
                }
                [row, column] => self.layout.relations.push(PairRelation { row, column, offset, width }),
                _ => self.is_loose = true,
            }
        }
    }

    fn collect(&mut self, ty: TypeId, offset: u32, guard: Option<Guard>) {
        let types = &self.system.types;
        if self.is_loose {
            return;
        }
        if !self.touches(ty) {
            return self.plain(offset, types.width(ty));
        }
        match *types.get(ty) {
            Type::Sort(sort) => self.member(sort, ty, offset, false, guard),
            Type::Option(inner) if types.is_scalar(ty) => match *types.get(inner) {
                Type::Sort(sort) => self.member(sort, ty, offset, true, guard),
                _ => self.is_loose = true,
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
            Type::Array { index, element } => self.array(index, element, offset, guard),
            Type::Set(element) => match *types.get(element) {
                Type::Sort(sort) => self.along(Axis { sort, stride: 1 }, |planner| planner.plain(offset, 1)),
                _ => self.is_loose = true,
            },
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                self.plain(offset, slots.length);
                for i in 0..capacity {
                    let used = (offset, slots.length, u64::from(i) + 1);
                    self.guarded(element, offset + slots.offset(i), guard, used);
                }
            }
            Type::Bag { .. } => self.is_loose = true,
            Type::Bool | Type::Range { .. } | Type::Enum(_) => unreachable!("no sort in these"),
        }
    }

    fn along(&mut self, axis: Axis, work: impl FnOnce(&mut Self)) {
        self.axes.push(axis);
        work(self);
        self.axes.pop();
    }

    fn array(&mut self, index: TypeId, element: TypeId, offset: u32, guard: Option<Guard>) {
        let types = &self.system.types;
        let stride = types.width(element);
        match *types.get(index) {
            Type::Sort(sort) if self.is_moved(sort) => match guard {
                // The guard is above the index and does not move with it, which only an edge minds.
                Some(_) if self.touches(element) => self.is_loose = true,
                _ => self.along(Axis { sort, stride }, |planner| planner.collect(element, offset, guard)),
            },
            _ if self.touches(index) => self.is_loose = true,
            _ => {
                for i in 0..types.size(index).expect("an index type is numbered") as u32 {
                    self.collect(element, offset + i * stride, guard);
                }
            }
        }
    }

    /// What is there only if a field says so. Bits that are not there are zero, so only members need to know.
    fn guarded(
        &mut self,
        ty: TypeId,
        offset: u32,
        outer: Option<Guard>,
        (at, width, least): (u32, u32, u64),
    ) {
        match outer {
            Some(_) if self.touches(ty) => self.is_loose = true,
            _ => {
                let stride = self.axes.last().map_or(0, |axis| axis.stride);
                self.collect(ty, offset, Some(Guard { offset: at, width, least, stride }));
            }
        }
    }

    fn member(&mut self, sort: SortId, ty: TypeId, offset: u32, optional: bool, guard: Option<Guard>) {
        let width = self.system.types.width(ty);
        let place = Place { offset, width, optional, guard };
        match self.axes[..] {
            [] => self.layout.references[sort.index()].push(Reference { place }),
            [row] => self.layout.pointers.push(Pointer { row, target: sort, place }),
            _ => self.is_loose = true,
        }
    }
}

impl Place {
    #[inline]
    fn member(&self, state: &[u64], guard_at: u32, at: u32) -> Option<u32> {
        if let Some(guard) = &self.guard
            && bits::read(state, guard.offset + guard_at, guard.width) < guard.least
        {
            return None;
        }
        let code = bits::read(state, self.offset + at, self.width) as u32;
        code.checked_sub(u32::from(self.optional))
    }
}

impl Reference {
    /// The member that is held.
    #[inline]
    pub fn member(&self, state: &[u64]) -> Option<u32> {
        self.place.member(state, 0, 0)
    }
}

impl Pointer {
    /// The member that a member holds.
    #[inline]
    pub fn member(&self, state: &[u64], holder: u32) -> Option<u32> {
        let guard = self.place.guard.map_or(0, |guard| guard.stride);
        self.place.member(state, holder * guard, holder * self.row.stride)
    }
}
