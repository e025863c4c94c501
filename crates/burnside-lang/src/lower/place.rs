//! Places: where the value of an expression is, or is put.

use super::{Lowering, Storage};
use crate::hir::{Expr, ExprKind, LocalId, Ty};
use burnside_ts::{self as ts, Place, Root, Slot, Stmt, Type, TypeId};

/// A place with the type of what is there.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub place: Place,
    pub ty: TypeId,
}

impl Lowering<'_> {
    /// Where the value of an expression of a finite type is. What has to happen before goes to `out`.
    pub(super) fn place(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Typed {
        match &expr.kind {
            ExprKind::Var(var, member) => {
                let (ty, offset) = (self.var(*var).ty, self.offset(*var));
                let whole = self.at(Root::State, offset, ty);
                member.iter().fold(whole, |place, index| self.index(place, index, out))
            }
            ExprKind::Local(id) => match self.storage(*id) {
                Storage::Wide(bit) => {
                    let ty = self.stored_type(*id);
                    self.at(Root::Frame, bit, ty)
                }
                Storage::Slot(_) => unreachable!("a scalar local is not at a place"),
            },
            ExprKind::Index(base, index) => {
                let base = self.place(base, out);
                self.index(base, index, out)
            }
            ExprKind::Field(base, field) => {
                let base = self.place(base, out);
                self.field(&base, *field)
            }
            ExprKind::Unwrap(base) => {
                let base = self.place(base, out);
                self.payload(base, expr, out)
            }
            ExprKind::Next(inner) => self.after_step(|lowering| lowering.place(inner, out)),
            ExprKind::End(back, queue) => {
                let queue = self.place(queue, out);
                self.end(queue, *back, expr)
            }
            _ => {
                let Ty::Of(ty) = expr.ty else { unreachable!("an integer is not at a place") };
                let temporary = self.temporary(ty);
                self.fill(&temporary, expr, out);
                temporary
            }
        }
    }

    /// A place without dynamic parts.
    pub(super) fn at(&self, root: Root, offset: u32, ty: TypeId) -> Typed {
        let (width, bias) = (self.types.width(ty), self.types.bias(ty));
        Typed { place: Place { root, offset, indices: Box::new([]), width, bias }, ty }
    }

    /// A new place in the frame.
    pub(super) fn temporary(&mut self, ty: TypeId) -> Typed {
        let bit = self.frame.area(self.types.width(ty));
        self.at(Root::Frame, bit, ty)
    }

    /// A part of a place that starts `offset` bits into it.
    pub(super) fn part(&self, base: &Typed, offset: u32, ty: TypeId) -> Typed {
        let mut part = base.clone();
        part.place.offset += offset;
        self.retyped(part, ty)
    }

    fn retyped(&self, mut place: Typed, ty: TypeId) -> Typed {
        (place.ty, place.place.width, place.place.bias) = (ty, self.types.width(ty), self.types.bias(ty));
        place
    }

    pub(super) fn field(&self, base: &Typed, field: u32) -> Typed {
        let Type::Record(id) = *self.types.get(base.ty) else { unreachable!("only records have fields") };
        let field = &self.types.record(id).fields[field as usize];
        self.part(base, field.offset, field.ty)
    }

    /// The element of an array or queue.
    fn index(&mut self, base: Typed, index: &Expr, out: &mut Vec<Stmt>) -> Typed {
        match *self.types.get(base.ty) {
            Type::Array { index: ty, .. } => {
                let value = self.numbered(index, ty, out);
                self.element(base, value, index)
            }
            Type::Queue { .. } => {
                let value = self.scalar(index);
                self.slot(base, value, index)
            }
            _ => unreachable!("only arrays and queues have elements"),
        }
    }

    /// The element of an array at an index whose value is given as by [`Lowering::numbered`].
    pub(super) fn element(&mut self, base: Typed, value: ts::Expr, blame: &Expr) -> Typed {
        let Type::Array { index, element } = *self.types.get(base.ty) else { unreachable!("not an array") };
        let size = self.types.size(index).expect("an index type is numbered");
        let low = if self.types.is_scalar(index) { self.types.bias(index) } else { 0 };
        let stride = self.types.width(element);
        let place = match value {
            ts::Expr::Const(value) if (0..size as i64).contains(&(value - low)) => {
                let mut place = base;
                place.place.offset += (value - low) as u32 * stride;
                place
            }
            value => {
                let site = self.site(blame.span);
                push_index(base, ts::Index { value, low, size, stride, site })
            }
        };
        self.retyped(place, element)
    }

    /// The slot of a queue at a number, with a fault beyond its length.
    fn slot(&mut self, queue: Typed, number: ts::Expr, blame: &Expr) -> Typed {
        let Type::Queue { capacity, element } = *self.types.get(queue.ty) else {
            unreachable!("not a queue")
        };
        let site = self.site(blame.span);
        let length = ts::Expr::Size(Box::new(queue.place.clone()), queue.ty);
        let value = ts::Expr::Bound(Box::new([number, length]), site);
        let slots = self.types.slots(capacity, element);
        let index = ts::Index { value, low: 0, size: u64::from(capacity), stride: slots.slot, site };
        let first = self.part(&queue, slots.offset(0), element);
        push_index(first, index)
    }

    fn end(&mut self, queue: Typed, back: bool, blame: &Expr) -> Typed {
        let length = ts::Expr::Size(Box::new(queue.place.clone()), queue.ty);
        let number = if back { ts::Expr::Offset(Box::new(length), -1) } else { ts::Expr::Const(0) };
        self.slot(queue, number, blame)
    }

    /// The value inside a wide optional; a fault is raised beforehand if there is none.
    fn payload(&mut self, optional: Typed, blame: &Expr, out: &mut Vec<Stmt>) -> Typed {
        let Type::Option(inner) = *self.types.get(optional.ty) else { unreachable!("not an optional") };
        let site = self.site(blame.span);
        let tag = ts::Expr::Load(Box::new(tag(&optional)));
        out.push(Stmt::Local(self.frame.slot(), ts::Expr::Unwrap(Box::new(tag), 0, site)));
        self.part(&optional, 1, inner)
    }

    pub(super) fn storage(&mut self, id: LocalId) -> Storage {
        let bound = self.locals[&id];
        self.level = self.level.max(bound.level);
        bound.storage
    }

    /// Gives a local name room in the frame.
    pub(super) fn bind(&mut self, id: LocalId) -> Storage {
        let storage = match self.model.locals[id.index()].ty {
            crate::hir::Stored::Type(ty) if !self.types.is_scalar(ty) => {
                Storage::Wide(self.frame.area(self.types.width(ty)))
            }
            _ => Storage::Slot(self.frame.slot()),
        };
        self.locals.insert(id, super::LocalName { storage, level: 0 });
        storage
    }

    /// The value of a bound index as an expression, as [`Lowering::numbered`] gives it.
    pub(super) fn bound_number(&self, storage: Storage, ty: TypeId) -> ts::Expr {
        match storage {
            Storage::Slot(slot) => ts::Expr::Local(slot),
            Storage::Wide(bit) => ts::Expr::Rank(Box::new(self.at(Root::Frame, bit, ty).place), ty),
        }
    }
}

/// The bit of a wide optional that says whether there is a value.
pub(super) fn tag(optional: &Typed) -> Place {
    Place { width: 1, bias: 0, ..optional.place.clone() }
}

pub(super) fn target(storage: Storage) -> ts::Target {
    match storage {
        Storage::Slot(slot) => ts::Target::Scalar(slot),
        Storage::Wide(bit) => ts::Target::Wide(bit),
    }
}

pub(super) fn local(slot: Slot) -> ts::Expr {
    ts::Expr::Local(slot)
}

fn push_index(mut base: Typed, index: ts::Index) -> Typed {
    let mut indices = std::mem::take(&mut base.place.indices).into_vec();
    indices.push(index);
    base.place.indices = indices.into();
    base
}
