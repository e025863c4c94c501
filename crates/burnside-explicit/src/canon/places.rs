//! Where a state speaks of members: one walk through the type of a variable for all that plan by it.
//!
//! Entry point: [`Places::walk`]. It shows every part of a variable with the moved members that it is indexed
//! by (its *axes*): plain bits, a place that holds a member, or something that is not told place by place, as
//! it is in no order (bags, sets of records) or depends on what is above an index.

use burnside_ts::{SortId, Type, TypeId, Types, UnionCase, bits};

/// A member as an index: the bits of the next one are a stride further.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub sort: SortId,
    pub stride: u32,
}

/// A part of a variable.
pub(super) enum VariablePart<'p> {
    /// So many bits at an offset that speak of no members but those of the axes.
    Bits(u32, u32),
    /// A place that may hold a member of a sort.
    Member(SortId, Place),
    /// What is not told place by place: about the axes and the sorts in these types.
    Loose(&'p [TypeId]),
}

/// Where a member is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
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

/// A place that holds a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub place: Place,
}

/// Each member of a sort holds another, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub row: Axis,
    /// The sort of what is held.
    pub target: SortId,
    pub place: Place,
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

/// Looks at a part of a variable, with its axes.
type ShowPart<'k> = &'k mut dyn FnMut(&[Axis], VariablePart<'_>);

/// The places of a system, for some sorts whose members are moved.
pub(super) struct Places<'p> {
    types: &'p Types,
    /// For each type, whether a moved sort occurs in it.
    touched: Vec<bool>,
    /// The moved indices of the place at hand.
    axes: Vec<Axis>,
}

impl<'p> Places<'p> {
    pub fn new(types: &'p Types, moved: impl Fn(SortId) -> bool) -> Self {
        let touched = types.iter().map(|(id, _)| types.sorts_in(id).iter().any(|&sort| moved(sort)));
        Self { types, touched: touched.collect(), axes: Vec::new() }
    }

    /// Shows the parts of a variable of a type at an offset.
    pub fn walk(&mut self, ty: TypeId, offset: u32, show: ShowPart<'_>) {
        self.collect(ty, offset, None, show);
    }

    fn touches(&self, ty: TypeId) -> bool {
        self.touched[ty.index()]
    }

    fn collect(&mut self, ty: TypeId, offset: u32, guard: Option<Guard>, show: ShowPart<'_>) {
        let types = self.types;
        if !self.touches(ty) {
            return show(&self.axes, VariablePart::Bits(offset, types.width(ty)));
        }
        let place = |optional| Place { offset, width: types.width(ty), optional, guard };
        match *types.get(ty) {
            Type::Sort(sort) => show(&self.axes, VariablePart::Member(sort, place(false))),
            Type::Option(inner) if types.is_scalar(ty) => match *types.get(inner) {
                Type::Sort(sort) => show(&self.axes, VariablePart::Member(sort, place(true))),
                _ => show(&self.axes, VariablePart::Loose(&[ty])),
            },
            Type::Option(inner) => {
                show(&self.axes, VariablePart::Bits(offset, 1));
                self.guarded(inner, offset + 1, guard, (offset, 1, 1), show);
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    self.collect(field.ty, offset + field.offset, guard, show);
                }
            }
            Type::Array { index, element } => self.array(index, element, offset, guard, show),
            Type::Set(element) => match *types.get(element) {
                Type::Sort(sort) => {
                    self.along(Axis { sort, stride: 1 }, |it| show(&it.axes, VariablePart::Bits(offset, 1)));
                }
                _ => match self.strips(element) {
                    Some(strips) => self.set_strips(&strips, offset, show),
                    None => show(&self.axes, VariablePart::Loose(&[ty])),
                },
            },
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                show(&self.axes, VariablePart::Bits(offset, slots.length));
                for i in 0..capacity {
                    let used = (offset, slots.length, u64::from(i) + 1);
                    self.guarded(element, offset + slots.offset(i), guard, used, show);
                }
            }
            Type::Bag { .. } => show(&self.axes, VariablePart::Loose(&[ty])),
            Type::Bool | Type::Range { .. } | Type::Enum(_) => unreachable!("no sort in these"),
        }
    }

    fn along(&mut self, axis: Axis, work: impl FnOnce(&mut Self)) {
        self.axes.push(axis);
        work(self);
        self.axes.pop();
    }

    fn array(
        &mut self,
        index: TypeId,
        element: TypeId,
        offset: u32,
        guard: Option<Guard>,
        show: ShowPart<'_>,
    ) {
        let Some(strips) = self.strips(index) else {
            return show(&self.axes, VariablePart::Loose(&[index, element]));
        };
        let stride = self.types.width(element);
        let mut offset = offset;
        for (sort, count) in strips {
            match sort {
                Some(sort) => self.along(Axis { sort, stride }, |it| match guard {
                    // The guard is above the index and does not move with it, which only an edge minds.
                    Some(_) if it.touches(element) => show(&it.axes, VariablePart::Loose(&[element])),
                    _ => it.collect(element, offset, guard, show),
                }),
                None => {
                    for i in 0..count {
                        self.collect(element, offset + i * stride, guard, show);
                    }
                }
            }
            offset += count * stride;
        }
    }

    /// The values of an index in the order of their numbers: as many as there are members of a moved sort,
    /// or so many that are not moved. None if members are mixed with something else.
    fn strips(&self, index: TypeId) -> Option<Vec<(Option<SortId>, u32)>> {
        let size = |ty| self.types.size(ty).expect("an index type is numbered") as u32;
        let strip = |ty: TypeId| match *self.types.get(ty) {
            _ if !self.touches(ty) => Some((None, size(ty))),
            Type::Sort(sort) => Some((Some(sort), size(ty))),
            _ => None,
        };
        let cases = self.types.cases(index);
        if cases.is_empty() || !self.touches(index) {
            return strip(index).map(|strip| vec![strip]);
        }
        let of_case = |case: &UnionCase| match case.parts.as_slice() {
            [only] => strip(only.ty),
            parts if parts.iter().any(|part| self.touches(part.ty)) => None,
            _ => Some((None, self.types.case_size(case).expect("an index type is numbered") as u32)),
        };
        cases.iter().map(of_case).collect()
    }

    /// A set of such values.
    fn set_strips(&mut self, strips: &[(Option<SortId>, u32)], offset: u32, show: ShowPart<'_>) {
        let mut offset = offset;
        for &(sort, count) in strips {
            match sort {
                Some(sort) => {
                    self.along(Axis { sort, stride: 1 }, |it| show(&it.axes, VariablePart::Bits(offset, 1)));
                }
                None => show(&self.axes, VariablePart::Bits(offset, count)),
            }
            offset += count;
        }
    }

    /// What is there only if a field says so. Bits that are not there are zero, so only members need to know.
    fn guarded(
        &mut self,
        ty: TypeId,
        offset: u32,
        outer: Option<Guard>,
        (at, width, least): (u32, u32, u64),
        show: ShowPart<'_>,
    ) {
        match outer {
            Some(_) if self.touches(ty) => show(&self.axes, VariablePart::Loose(&[ty])),
            _ => {
                let stride = self.axes.last().map_or(0, |axis| axis.stride);
                self.collect(ty, offset, Some(Guard { offset: at, width, least, stride }), show);
            }
        }
    }
}
