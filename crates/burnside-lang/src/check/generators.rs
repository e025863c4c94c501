//! The generators of `symmetry` blocks: types that can be permuted, elements that exist, no element in two
//! places.
//!
//! Whether the model is symmetric under them is not asked here.

use super::Checker;
use super::index::Symbol;
use super::scope::Global;
use super::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{ConstantValue, Generator, Moved, Stored};
use crate::syntax::ast::{self, Element, ElementKind};
use burnside_ts::{Type, TypeId};
use std::collections::BTreeMap;

/// A type with more values than this is not permuted.
const MAX_ELEMENTS: u64 = 1 << 16;

impl Checker<'_> {
    pub(super) fn generators(&mut self) {
        for generator in self.decls.generators.clone() {
            self.generator(generator);
        }
    }

    fn generator(&mut self, generator: &ast::Generator) {
        let mut parts: Vec<Moved> = Vec::new();
        let mut seen: BTreeMap<(TypeId, u32), Span> = BTreeMap::new();
        for part in &generator.parts {
            let Some((ty, size)) = self.permuted_type(&part.ty) else { continue };
            let at = parts.iter().position(|known| known.ty == ty).unwrap_or_else(|| {
                parts.push(Moved { ty, name: part.ty.text.clone(), images: (0..size).collect() });
                parts.len() - 1
            });
            for cycle in &part.cycles {
                let positions = cycle.iter().map(|element| self.position(ty, &part.ty.text, element));
                let positions: Vec<Option<u32>> = positions.collect();
                let mut known = Vec::new();
                for (element, position) in cycle.iter().zip(positions) {
                    let Some(position) = position else { continue };
                    match seen.insert((ty, position), element.span) {
                        Some(first) => self.moved_twice(element, first),
                        None => known.push(position),
                    }
                }
                for (i, &position) in known.iter().enumerate() {
                    parts[at].images[position as usize] = known[(i + 1) % known.len()];
                }
            }
        }
        parts.retain(|part| part.images.iter().enumerate().any(|(i, &image)| i != image as usize));
        if parts.is_empty() && !self.has_errors() {
            let warning = Diagnostic::warning(Code::IdentityGenerator, generator.span, "this moves nothing")
                .help("remove it");
            self.report(warning);
        }
        if !parts.is_empty() {
            self.generators.push(Generator { span: generator.span, parts });
        }
    }

    /// A type whose values can be permuted, and how many it has.
    fn permuted_type(&mut self, name: &ast::Name) -> Option<(TypeId, u32)> {
        let named = ast::Type { span: name.span, kind: ast::TypeKind::Name(name.clone()) };
        let size = match self.stored(&named)? {
            Stored::Type(id)
                if matches!(self.types.get(id), Type::Range { .. } | Type::Enum(_) | Type::Sort(_)) =>
            {
                self.types.size(id).filter(|&size| size <= MAX_ELEMENTS).map(|size| (id, size as u32))
            }
            _ => None,
        };
        if size.is_none() {
            let message = format!("the values of `{}` cannot be permuted", name.text);
            let help = "only enums, named ranges, symmetric types and rings of moderate size can";
            self.report(Diagnostic::error(Code::NotPermutable, name.span, message).help(help));
        }
        size
    }

    /// The position of an element among the values of its type.
    fn position(&mut self, ty: TypeId, name: &str, element: &Element) -> Option<u32> {
        let constants = match *self.types.get(ty) {
            Type::Enum(id) => Some(self.types.enumeration(id).constants.clone()),
            _ => None,
        };
        let value = match (&element.kind, &constants) {
            (ElementKind::Error, _) => return self.left_out(),
            (ElementKind::Name(text), Some(constants)) => {
                self.used_enums.insert(ty);
                return match constants.iter().position(|constant| constant == text) {
                    Some(position) => {
                        self.note(element.span, Symbol::EnumConstant(ty, position as u32));
                        Some(position as u32)
                    }
                    None => {
                        let message = format!("`{text}` is not a constant of `{name}`");
                        let near = nearest(text, constants.iter().map(String::as_str));
                        let help = near.map(|near| format!("did you mean `{near}`?"));
                        let error = Diagnostic::error(Code::UnknownElement, element.span, message);
                        self.report(Diagnostic { help, ..error });
                        None
                    }
                };
            }
            (ElementKind::Number(_), Some(_)) => {
                let message = format!("the values of `{name}` are constants, not numbers");
                self.error(Code::UnknownElement, element.span, message);
                return None;
            }
            (ElementKind::Number(value), None) => *value,
            (ElementKind::Name(text), None) => self.number_named(text, element.span)?,
        };
        let low = self.types.bias(ty);
        let size = self.types.size(ty).expect("a type that can be permuted is numbered") as i64;
        match value.checked_sub(low) {
            Some(position) if (0..size).contains(&position) => Some(position as u32),
            _ => {
                let message =
                    format!("`{name}` has no element {value}: its elements are {low} to {}", low + size - 1);
                self.error(Code::UnknownElement, element.span, message);
                None
            }
        }
    }

    /// The value of an integer constant.
    fn number_named(&mut self, text: &str, span: Span) -> Option<i64> {
        if let Some(&Global::Constant(index)) = self.names.globals.get(text) {
            self.note(span, Symbol::Constant(index as u32));
            self.used_constants.insert(index);
            if let ConstantValue::Int(value) = self.constant_value(index, span)? {
                return Some(value);
            }
        }
        let message = format!("`{text}` is not a number");
        let help = "elements of ranges, symmetric types and rings are written as numbers";
        self.report(Diagnostic::error(Code::UnknownElement, span, message).help(help));
        None
    }

    fn moved_twice(&mut self, element: &Element, first: Span) {
        let error = Diagnostic::error(Code::MovedTwice, element.span, "a generator moves each value once");
        self.report(error.label("again here").note(first, "first here"));
    }
}
