//! The parts that values are made of, and where a permutation takes them.
//!
//! Entry point: [`walk`]. A cell is a scalar, a member of a set, the tag of an optional, or the length of a
//! queue or bag. What is behind a tag or a length counts only if that is large enough (its *guards*);
//! otherwise its bits are zero.

use super::diagram::TooLarge;
use burnside_ts::{Action, Permutation, SortId, Type, TypeId, Types};

/// A cell of a value and the cell that a permutation takes it to.
pub(super) struct Cell<'g> {
    /// First bit.
    pub from: u32,
    /// First bit of where it goes.
    pub to: u32,
    /// Number of bits, not 0.
    pub width: u32,
    /// How many values it has.
    pub values: u64,
    /// The type whose codes these are, if a permutation may change them.
    pub ty: Option<TypeId>,
    /// What must be at least so large for the cell to count: first bit, width, least number.
    pub guards: &'g [(u32, u32, u64)],
}

impl Cell<'_> {
    /// The code that a code becomes.
    pub fn moved(&self, action: &Action<'_>, permutation: &Permutation, code: u64) -> u64 {
        match self.ty {
            Some(ty) if code < self.values => action.number(permutation, ty, code),
            _ => code,
        }
    }
}

pub(super) type Visit<'v> = &'v mut dyn FnMut(&Cell<'_>) -> Result<(), TooLarge>;

/// Visits the cells of a value, guards before what they guard. A bag whose elements are moved cannot be taken
/// apart.
pub(super) fn walk(
    action: &Action<'_>,
    permutation: &Permutation,
    ty: TypeId,
    (from, to): (u32, u32),
    visit: Visit<'_>,
) -> Result<(), TooLarge> {
    Walk { action, types: &action.system().types, permutation, guards: Vec::new(), visit }.value(ty, from, to)
}

/// Whether a permutation moves something in values of a type.
pub(super) fn is_moved(types: &Types, permutation: &Permutation, ty: TypeId) -> bool {
    let still =
        |sort: SortId| permutation.images[sort.index()].iter().enumerate().all(|(i, &j)| i == j as usize);
    match *types.get(ty) {
        Type::Bool | Type::Range { .. } | Type::Enum(_) => false,
        Type::Sort(sort) => !still(sort),
        Type::Option(inner) | Type::Set(inner) => is_moved(types, permutation, inner),
        Type::Queue { element, .. } | Type::Bag { element, .. } => is_moved(types, permutation, element),
        Type::Record(id) => {
            types.record(id).fields.iter().any(|field| is_moved(types, permutation, field.ty))
        }
        Type::Array { index, element } => {
            is_moved(types, permutation, index) || is_moved(types, permutation, element)
        }
    }
}

/// Whether there is a bag in values of a type.
pub(super) fn has_bag(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Bag { .. } => true,
        Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) | Type::Set(_) => false,
        Type::Option(inner) | Type::Queue { element: inner, .. } | Type::Array { element: inner, .. } => {
            has_bag(types, inner)
        }
        Type::Record(id) => types.record(id).fields.iter().any(|field| has_bag(types, field.ty)),
    }
}

struct Walk<'w, 's, 'v> {
    action: &'w Action<'s>,
    types: &'w Types,
    permutation: &'w Permutation,
    guards: Vec<(u32, u32, u64)>,
    visit: Visit<'v>,
}

impl Walk<'_, '_, '_> {
    fn value(&mut self, ty: TypeId, from: u32, to: u32) -> Result<(), TooLarge> {
        let types = self.types;
        if types.width(ty) == 0 {
            return Ok(());
        }
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                self.cell(from, to, 1, 2, None)?;
                self.guarded((from, 1, 1), inner, from + 1, to + 1)
            }
            Type::Record(id) => types
                .record(id)
                .fields
                .iter()
                .try_for_each(|field| self.value(field.ty, from + field.offset, to + field.offset)),
            Type::Array { index, element } => {
                let width = types.width(element);
                (0..types.size(index).expect("an index type is numbered")).try_for_each(|i| {
                    let j = self.action.number(self.permutation, index, i) as u32;
                    self.value(element, from + i as u32 * width, to + j * width)
                })
            }
            Type::Set(element) => (0..types.width(ty)).try_for_each(|i| {
                let j = self.action.number(self.permutation, element, u64::from(i)) as u32;
                self.cell(from + i, to + j, 1, 2, None)
            }),
            Type::Bag { element, .. } if is_moved(types, self.permutation, element) => Err(TooLarge),
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                self.cell(from, to, slots.length, u64::from(capacity) + 1, None)?;
                (0..capacity).try_for_each(|i| {
                    let (at, used) = (slots.offset(i), (from, slots.length, u64::from(i) + 1));
                    self.guarded(used, element, from + at, to + at)
                })
            }
            _ => {
                let values = types.size(ty).expect("a scalar type is numbered");
                self.cell(from, to, types.width(ty), values, Some(ty))
            }
        }
    }

    fn guarded(&mut self, guard: (u32, u32, u64), ty: TypeId, from: u32, to: u32) -> Result<(), TooLarge> {
        self.guards.push(guard);
        self.value(ty, from, to)?;
        self.guards.pop();
        Ok(())
    }

    fn cell(
        &mut self,
        from: u32,
        to: u32,
        width: u32,
        values: u64,
        ty: Option<TypeId>,
    ) -> Result<(), TooLarge> {
        if width == 0 {
            return Ok(());
        }
        (self.visit)(&Cell { from, to, width, values, ty, guards: &self.guards })
    }
}
