//! Default initial values. Most are "every bit zero"; ranges that do not start at their default need a value,
//! and symmetric types and rings have none.

use super::Checker;
use super::expr::{expr, int};
use super::scope::Bound;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Initial, Stored, Ty};
use burnside_ts::{Type, TypeId};

/// The default of a range: 0 if it is inside, else the lower end.
fn range_default(lo: i64, hi: i64) -> i64 {
    if (lo..=hi).contains(&0) { 0 } else { lo }
}

impl Checker<'_> {
    /// The default of a type.
    pub(super) fn default(&mut self, ty: TypeId, span: Span) -> Initial {
        if self.is_zero_default(ty) {
            return Initial::Zero;
        }
        match self.types.get(ty) {
            Type::Array { .. } => Initial::Fill(self.default_value(self.innermost(ty), span)),
            _ => Initial::Value(self.default_value(ty, span)),
        }
    }

    /// What has no default, as a path from the variable: empty if it is the type itself, nothing if there is
    /// a default.
    pub(super) fn without_default(&self, ty: TypeId) -> Option<String> {
        match *self.types.get(ty) {
            Type::Sort(_) => Some(String::new()),
            Type::Array { element, .. } => self.without_default(element).map(|path| format!("[…]{path}")),
            Type::Record(_) if !self.types.cases(ty).is_empty() => {
                let parts = &self.types.cases(ty)[0].parts;
                parts.iter().find_map(|part| {
                    self.without_default(part.ty).map(|path| match part.name.is_empty() {
                        true => path,
                        false => format!(".{}{path}", part.name),
                    })
                })
            }
            Type::Record(record) => {
                let fields = &self.types.record(record).fields;
                fields.iter().find_map(|field| {
                    self.without_default(field.ty).map(|path| format!(".{}{path}", field.name))
                })
            }
            _ => None,
        }
    }

    /// The elements of an array of any number of dimensions; the type itself if it is not one.
    pub(super) fn innermost(&self, mut ty: TypeId) -> TypeId {
        while let Type::Array { element, .. } = *self.types.get(ty) {
            ty = element;
        }
        ty
    }

    fn is_zero_default(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            Type::Range { lo, hi } => range_default(lo, hi) == lo,
            Type::Array { element, .. } => self.is_zero_default(element),
            Type::Record(_) if !self.types.cases(ty).is_empty() => {
                let parts = &self.types.cases(ty)[0].parts;
                parts.iter().all(|part| !part.optional && self.is_zero_default(part.ty))
            }
            Type::Record(record) => {
                self.types.record(record).fields.iter().all(|field| self.is_zero_default(field.ty))
            }
            _ => true,
        }
    }

    fn default_value(&mut self, ty: TypeId, span: Span) -> Expr {
        let kind = match *self.types.get(ty) {
            Type::Bool | Type::Enum(_) | Type::Sort(_) => ExprKind::Const(0),
            Type::Range { lo, hi } => return int(span, range_default(lo, hi)),
            Type::Option(_) => ExprKind::None,
            Type::Set(_) => ExprKind::Set(Vec::new()),
            Type::Queue { .. } | Type::Bag { .. } => ExprKind::Empty,
            Type::Record(_) if !self.types.cases(ty).is_empty() => {
                let parts: Vec<TypeId> = self.types.cases(ty)[0].parts.iter().map(|part| part.ty).collect();
                let values = parts.into_iter().map(|ty| self.default_value(ty, span)).collect();
                return self.case_value(span, ty, 0, values);
            }
            Type::Record(record) => {
                let types: Vec<TypeId> =
                    self.types.record(record).fields.iter().map(|field| field.ty).collect();
                ExprKind::Record(types.into_iter().map(|ty| self.default_value(ty, span)).collect())
            }
            Type::Array { index, element } => {
                let local = self.fresh("_", span, Stored::Type(index), Bound::Quantified);
                ExprKind::ArrayOf(local, Box::new(self.default_value(element, span)))
            }
        };
        expr(span, Ty::Of(ty), kind)
    }
}
