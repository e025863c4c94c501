//! Types: from what is written to the table of finite types, and their names for messages.

use super::Checker;
use super::collect::{TypeBody, TypeDecl};
use super::index::Symbol;
use super::scope::{Context, Env, Slot};
use super::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Stored, Ty};
use crate::syntax::ast::{self, TypeKind};
use burnside_ts::{SortKind, Type, TypeError, TypeId, Types};
use std::collections::HashMap;

impl Checker<'_> {
    /// A type as written, `int` included.
    pub(super) fn stored(&mut self, ty: &ast::Type) -> Option<Stored> {
        self.depth += 1;
        let stored = self.stored_kind(ty);
        self.depth -= 1;
        stored
    }

    fn stored_kind(&mut self, ty: &ast::Type) -> Option<Stored> {
        match &ty.kind {
            TypeKind::Bool => Some(Stored::Type(self.boolean)),
            TypeKind::Int => Some(Stored::Int),
            TypeKind::Range(lo, hi) => {
                let (lo, hi) = self.range(ty.span, lo, hi)?;
                self.intern(Type::Range { lo, hi }, ty.span)
            }
            TypeKind::Name(name) => self.named_type(name),
            TypeKind::Optional(inner) => self.optional(ty.span, inner),
            TypeKind::Array(indices, element) => self.array(ty.span, indices, element),
            TypeKind::Set(element) => {
                let element = self.numbered(element, "the elements of a set")?;
                self.intern(Type::Set(element), ty.span)
            }
            TypeKind::Queue(capacity, element) => {
                let (capacity, element) = self.capacity(capacity, element)?;
                self.intern(Type::Queue { capacity, element }, ty.span)
            }
            TypeKind::Bag(capacity, element) => {
                let (capacity, element) = self.capacity(capacity, element)?;
                self.intern(Type::Bag { capacity, element }, ty.span)
            }
            TypeKind::Union(_) => {
                let message = "a union of types needs a name";
                let help = "declare it: `type Node = Home | Client;`";
                self.report(Diagnostic::error(Code::NeedsType, ty.span, message).help(help));
                None
            }
            TypeKind::Error => self.left_out(),
        }
    }

    /// A type of which a variable can be, so not `int`.
    pub(super) fn finite(&mut self, ty: &ast::Type) -> Option<TypeId> {
        match self.stored(ty)? {
            Stored::Type(id) => Some(id),
            Stored::Int => {
                let diagnostic = Diagnostic::error(
                    Code::UnboundedType,
                    ty.span,
                    "`int` has no bounds, so it cannot be stored",
                );
                self.report(diagnostic.help("give a range such as `0..7`"));
                None
            }
        }
    }

    /// A type whose values can be numbered. `role` is what needs that, in the plural.
    pub(super) fn numbered(&mut self, ty: &ast::Type, role: &str) -> Option<TypeId> {
        let id = self.finite(ty)?;
        if self.types.size(id).is_some() {
            return Some(id);
        }
        let message = format!("the values of `{}` cannot be numbered", self.type_name(id));
        let label = format!("{role} must be of a type without queues and bags, and not too large");
        self.report(Diagnostic::error(Code::NotNumbered, ty.span, message).label(label));
        None
    }

    fn range(&mut self, span: Span, lo: &ast::Expr, hi: &ast::Expr) -> Option<(i64, i64)> {
        let (lo, hi) = (self.constant_int(lo), self.constant_int(hi));
        let (lo, hi) = (lo?, hi?);
        if lo > hi {
            self.error(Code::EmptyType, span, format!("the range {lo}..{hi} has no value"));
            return None;
        }
        Some((lo, hi))
    }

    /// `type T = LO..HI;` makes a type of its own, so that its values can be told from those of other ranges.
    fn named_range(
        &mut self,
        name: &ast::Name,
        span: Span,
        lo: &ast::Expr,
        hi: &ast::Expr,
    ) -> Option<Stored> {
        let (lo, hi) = self.range(span, lo, hi)?;
        match self.types.declare_range(&name.text, lo, hi) {
            Ok(id) => Some(Stored::Type(id)),
            Err(error) => self.type_error(error, span),
        }
    }

    fn optional(&mut self, span: Span, inner: &ast::Type) -> Option<Stored> {
        let inner = self.finite(inner)?;
        if matches!(self.types.get(inner), Type::Option(_)) {
            let message = format!("`{}` is optional already", self.type_name(inner));
            self.error(Code::NestedOptional, span, message);
            return None;
        }
        self.intern(Type::Option(inner), span)
    }

    fn array(&mut self, span: Span, indices: &[ast::Type], element: &ast::Type) -> Option<Stored> {
        let indices: Vec<Option<TypeId>> =
            indices.iter().map(|index| self.numbered(index, "the indices of an array")).collect();
        let mut ty = self.finite(element)?;
        for index in indices.into_iter().rev() {
            let Some(Stored::Type(array)) = self.intern(Type::Array { index: index?, element: ty }, span)
            else {
                return None;
            };
            ty = array;
        }
        Some(Stored::Type(ty))
    }

    fn capacity(&mut self, capacity: &ast::Expr, element: &ast::Type) -> Option<(u32, TypeId)> {
        let (size, element) = (self.constant_int(capacity), self.finite(element));
        let size = size?;
        match u32::try_from(size) {
            Ok(size) if size > 0 => Some((size, element?)),
            Ok(_) | Err(_) if size <= 0 => {
                let message = format!("a queue or bag holds at least one value, and this capacity is {size}");
                self.error(Code::BadCapacity, capacity.span, message);
                None
            }
            _ => self.type_error(TypeError::TooWide(u64::MAX), capacity.span),
        }
    }

    fn intern(&mut self, ty: Type, span: Span) -> Option<Stored> {
        match self.types.intern(ty) {
            Ok(id) => Some(Stored::Type(id)),
            Err(error) => self.type_error(error, span),
        }
    }

    pub(super) fn type_error<T>(&mut self, error: TypeError, span: Span) -> Option<T> {
        let code = match error {
            TypeError::Empty => Code::EmptyType,
            TypeError::TooWide(_) => Code::TypeTooWide,
            TypeError::NotNumbered => Code::NotNumbered,
            TypeError::TooDeep => Code::TypeTooDeep,
            TypeError::TooManyParts(_) => Code::TypeTooLarge,
        };
        let message = match error {
            TypeError::TooWide(u64::MAX) => {
                format!(
                    "a value of this type would be far too large; the limit is {} bytes",
                    Types::MAX_WIDTH / 8
                )
            }
            error => error.to_string(),
        };
        self.error(code, span, message);
        None
    }

    fn named_type(&mut self, name: &ast::Name) -> Option<Stored> {
        match self.names.types.get(&name.text) {
            Some(&index) => {
                self.note(name.span, Symbol::Type(index as u32));
                self.declared_type(index, name.span)
            }
            None => self.unknown_type(name),
        }
    }

    /// Whether a name is that of a type.
    pub(super) fn is_type(&self, name: &str) -> bool {
        self.names.types.contains_key(name)
    }

    fn unknown_type<T>(&mut self, name: &ast::Name) -> Option<T> {
        if name.text.is_empty() {
            return self.left_out();
        }
        let diagnostic =
            Diagnostic::error(Code::UnknownType, name.span, format!("unknown type `{}`", name.text));
        let builtin = ["bool", "int"];
        let help = match nearest(&name.text, self.names.types.keys().map(String::as_str).chain(builtin)) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if self.names.process_names.contains_key(&name.text) => {
                Some(format!("`{}` is a process, not a type", name.text))
            }
            None if self.is_value(&name.text) => Some(format!("`{}` is a value, not a type", name.text)),
            None => None,
        };
        self.report(Diagnostic { help, ..diagnostic });
        None
    }

    /// A declared type, worked out when first needed.
    pub(super) fn declared_type(&mut self, index: usize, used_at: Span) -> Option<Stored> {
        self.used_types.insert(index);
        match self.names.type_slots[index] {
            Slot::Done(ty) => return ty,
            Slot::Busy => {
                let name = self.decls.types[index].name;
                self.report_cycle(Code::RecursiveType, &name.text, used_at, "the type", "contains itself");
                return None;
            }
            Slot::Todo => {}
        }
        let decl = self.decls.types[index];
        self.names.type_slots[index] = Slot::Busy;
        let ty = self.busy_with(&decl.name.text, used_at, |checker| {
            checker.within(Env::new(Context::Constant, None), |checker| checker.compute_type(decl)).0
        });
        self.names.type_slots[index] = Slot::Done(ty);
        ty
    }

    fn compute_type(&mut self, decl: TypeDecl<'_>) -> Option<Stored> {
        match decl.body {
            TypeBody::Alias(ty) => match &ty.kind {
                TypeKind::Range(lo, hi) => self.named_range(decl.name, ty.span, lo, hi),
                TypeKind::Union(names) => self.union_of_types(decl.name, names),
                _ => self.stored(ty),
            },
            TypeBody::Sort { ring, size } => self.sort(decl.name, ring, size),
            TypeBody::Record(fields) => self.record(decl.name, fields),
            TypeBody::Union(variants) => self.union(decl.name, variants),
            TypeBody::Enum => None,
        }
    }

    fn sort(&mut self, name: &ast::Name, ring: bool, size: &ast::Expr) -> Option<Stored> {
        let count = self.constant_int(size)?;
        let Ok(elements) = u32::try_from(count) else {
            let code = if count < 0 { Code::EmptyType } else { Code::TypeTooWide };
            self.error(code, size.span, format!("`{}` cannot have {count} elements", name.text));
            return None;
        };
        if elements == 0 {
            self.error(Code::EmptyType, size.span, format!("`{}` has no elements", name.text));
            return None;
        }
        let kind = if ring { SortKind::Ring } else { SortKind::Symmetric };
        match self.types.declare_sort(&name.text, elements, kind) {
            Ok(id) => Some(Stored::Type(id)),
            Err(error) => self.type_error(error, size.span),
        }
    }

    fn record(&mut self, name: &ast::Name, fields: &[ast::Field]) -> Option<Stored> {
        let mut known: Vec<(&ast::Name, Option<TypeId>)> = Vec::new();
        let mut names: HashMap<&str, Span> = HashMap::new();
        for field in fields {
            match names.get(field.name.text.as_str()) {
                Some(&first) => self.duplicate(&field.name, first),
                None => {
                    names.insert(&field.name.text, field.name.span);
                    let ty = self.finite(&field.ty);
                    known.push((&field.name, ty));
                }
            }
        }
        let fields: Option<Vec<(String, TypeId)>> =
            known.into_iter().map(|(name, ty)| Some((name.text.clone(), ty?))).collect();
        match self.types.declare_record(&name.text, fields?) {
            Ok(id) => Some(Stored::Type(id)),
            Err(error) => self.type_error(error, name.span),
        }
    }

    /// What reading a value of a declared type gives: ranges become integers.
    pub(super) fn ty(&self, stored: Stored) -> Ty {
        match stored {
            Stored::Int => Ty::Int,
            Stored::Type(id) if matches!(self.types.get(id), Type::Range { .. }) => Ty::Int,
            Stored::Type(id) => Ty::Of(id),
        }
    }

    pub(super) fn ty_of(&self, id: TypeId) -> Ty {
        self.ty(Stored::Type(id))
    }

    /// A type in the words of the language.
    pub(super) fn type_name(&self, id: TypeId) -> String {
        type_name(&self.types, id)
    }

    /// Whether two types are the same but for the names of ranges.
    pub(super) fn differ_by_name(&self, a: TypeId, b: TypeId) -> bool {
        a != b && self.same_shape(a, b)
    }

    fn same_shape(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.get(a), self.types.get(b)) {
            (&Type::Option(a), &Type::Option(b)) | (&Type::Set(a), &Type::Set(b)) => self.same_shape(a, b),
            (&Type::Queue { capacity: c, element: a }, &Type::Queue { capacity: d, element: b })
            | (&Type::Bag { capacity: c, element: a }, &Type::Bag { capacity: d, element: b }) => {
                c == d && self.same_shape(a, b)
            }
            (&Type::Array { index: i, element: a }, &Type::Array { index: j, element: b }) => {
                self.same_shape(i, j) && self.same_shape(a, b)
            }
            (a, b) => a == b,
        }
    }

    pub(super) fn stored_name(&self, stored: Stored) -> String {
        match stored {
            Stored::Int => String::from("int"),
            Stored::Type(id) => self.type_name(id),
        }
    }

    /// ``an `int` ``, ``a `Phase` ``
    pub(super) fn a_stored(&self, stored: Stored) -> String {
        a(&self.stored_name(stored))
    }

    /// ``an `int` ``, ``a `Phase` ``
    pub(super) fn a_ty(&self, ty: Ty) -> String {
        match ty {
            Ty::Int => a("int"),
            Ty::Of(id) => a(&self.type_name(id)),
        }
    }
}

/// A name in backticks, with its article.
pub(super) fn a(name: &str) -> String {
    let vowel = name.starts_with(|c: char| "aeioAEIO8".contains(c));
    format!("{} `{name}`", if vowel { "an" } else { "a" })
}

/// A type in the words of the language.
pub(super) fn type_name(types: &Types, id: TypeId) -> String {
    match *types.get(id) {
        Type::Bool => String::from("bool"),
        Type::Range { lo, hi } => types.range_name(id).map_or_else(|| format!("{lo}..{hi}"), str::to_string),
        Type::Enum(id) => types.enumeration(id).name.clone(),
        Type::Sort(id) => types.sort(id).name.clone(),
        Type::Record(id) => types.record(id).name.clone(),
        Type::Option(inner) => match types.get(inner) {
            Type::Array { .. } | Type::Set(_) | Type::Queue { .. } | Type::Bag { .. } => {
                format!("({})?", type_name(types, inner))
            }
            _ => format!("{}?", type_name(types, inner)),
        },
        Type::Array { index, element } => {
            format!("array[{}] of {}", type_name(types, index), type_name(types, element))
        }
        Type::Set(element) => format!("set of {}", type_name(types, element)),
        Type::Queue { capacity, element } => format!("queue[{capacity}] of {}", type_name(types, element)),
        Type::Bag { capacity, element } => format!("bag[{capacity}] of {}", type_name(types, element)),
    }
}
