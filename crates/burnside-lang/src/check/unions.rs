//! Unions: enums whose constants hold values, and unions of types.
//!
//! Entry points: [`Checker::union`] and [`Checker::union_of_types`] for declarations,
//! [`Checker::case_in_order`] and its kin for values. A union is a [record with
//! cases](burnside_ts::Types::declare_union), and a value of it is an expression that makes that record, so
//! nothing after the checker knows of unions.

use super::Checker;
use super::expr::{TypeHint, expr, int, strip};
use super::index::Symbol;
use super::suggest::{list, nearest};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId, UnionPart};
use std::collections::BTreeMap;

impl Checker<'_> {
    /// `enum M { request(from: T), ack }`
    pub(super) fn union(&mut self, name: &ast::Name, variants: &[ast::Variant]) -> Option<Stored> {
        let ty = self.declare_cases(name, variants);
        let Some(ty) = ty else {
            self.names.broken_cases.extend(variants.iter().map(|variant| variant.name.text.clone()));
            return None;
        };
        let names: Vec<String> = self.types.cases(ty).iter().map(|case| case.name.clone()).collect();
        for (position, name) in names.into_iter().enumerate() {
            self.names.enum_constants.entry(name).or_default().push((ty, position as u32));
        }
        Some(Stored::Type(ty))
    }

    fn declare_cases(&mut self, name: &ast::Name, variants: &[ast::Variant]) -> Option<TypeId> {
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        let mut cases = Some(Vec::new());
        for variant in variants {
            if variant.name.text.is_empty() {
                self.incomplete = true;
                cases = None;
                continue;
            }
            let parts = self.held(&variant.fields);
            if let Some(&first) = known.get(variant.name.text.as_str()) {
                self.duplicate(&variant.name, first);
                continue;
            }
            known.insert(&variant.name.text, variant.name.span);
            match (parts, &mut cases) {
                (Some(parts), Some(cases)) => cases.push((variant.name.text.clone(), parts)),
                _ => cases = None,
            }
        }
        match self.types.declare_union(&name.text, cases?) {
            Ok(ty) => Some(ty),
            Err(error) => self.type_error(error, name.span),
        }
    }

    /// What a case holds.
    fn held(&mut self, fields: &[ast::Field]) -> Option<Vec<(String, TypeId)>> {
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        let mut all = Some(Vec::new());
        for field in fields {
            let ty = self.finite(&field.ty);
            match names.get(field.name.text.as_str()) {
                Some(&first) => self.duplicate(&field.name, first),
                None => drop(names.insert(&field.name.text, field.name.span)),
            }
            match (ty, &mut all) {
                (Some(ty), Some(all)) => all.push((field.name.text.clone(), ty)),
                _ => all = None,
            }
        }
        all.filter(|all| all.len() == names.len())
    }

    /// `type Node = Home | Client;`
    pub(super) fn union_of_types(&mut self, name: &ast::Name, parts: &[ast::Name]) -> Option<Stored> {
        let mut known: BTreeMap<TypeId, Span> = BTreeMap::new();
        let mut cases = Some(Vec::new());
        for part in parts {
            let ty = self.stored(&ast::Type { span: part.span, kind: ast::TypeKind::Name(part.clone()) });
            let Some(Stored::Type(ty)) = ty else {
                cases = None;
                continue;
            };
            if !matches!(self.types.get(ty), Type::Sort(_) | Type::Enum(_)) {
                let message = format!("`{}` cannot be a part of a union", part.text);
                let help = "its parts are symmetric types, rings and enums; other values are held by the constants of an enum: `enum M { a(x: T), b }`";
                self.report(Diagnostic::error(Code::TypeMismatch, part.span, message).help(help));
                cases = None;
            }
            if let Some(first) = known.insert(ty, part.span) {
                self.duplicate(part, first);
                cases = None;
            }
            if let Some(cases) = &mut cases {
                cases.push((self.type_name(ty), vec![(String::new(), ty)]));
            }
        }
        match self.types.declare_union(&name.text, cases?) {
            Ok(ty) => Some(Stored::Type(ty)),
            Err(error) => self.type_error(error, name.span),
        }
    }

    /// Whether a type is an enum whose constants hold values.
    pub(super) fn has_named_cases(&self, ty: TypeId) -> bool {
        let cases = self.types.cases(ty);
        !cases.is_empty() && cases.iter().flat_map(|case| &case.parts).all(|part| !part.name.is_empty())
    }

    /// The case of a union of types that a part of it is.
    pub(super) fn case_of_part(&self, union: Ty, part: Ty) -> Option<usize> {
        let (Ty::Of(union), Ty::Of(part)) = (union, part) else { return None };
        let is = |parts: &[UnionPart]| matches!(parts, [only] if only.name.is_empty() && only.ty == part);
        self.types.cases(union).iter().position(|case| is(&case.parts))
    }

    /// Whether a part can stand where a union of types, or an optional one, is meant.
    pub(super) fn takes_part(&self, union: Ty, part: Ty) -> bool {
        let inner = self.optional_inner(union).map_or(union, Ty::Of);
        self.case_of_part(inner, part).is_some()
    }

    /// The union of types, or optional of one, that is hinted at: what several expressions have in common.
    pub(super) fn united(&self, hint: TypeHint) -> Option<Stored> {
        let TypeHint::Is(want @ Stored::Type(ty)) = hint else { return None };
        let Ty::Of(inner) = self.optional_inner(Ty::Of(ty)).map_or(Ty::Of(ty), Ty::Of) else { return None };
        let of_types = !self.types.cases(inner).is_empty() && !self.has_named_cases(inner);
        of_types.then_some(want)
    }

    /// A part where its union is meant.
    pub(super) fn part_as_union(&mut self, part: Expr, union: Ty, case: usize) -> Option<Expr> {
        let Ty::Of(ty) = union else { return None };
        Some(self.case_value(part.span, ty, case, vec![part]))
    }

    /// A value of a union, from what its case holds.
    pub(super) fn case_value(&mut self, span: Span, ty: TypeId, case: usize, values: Vec<Expr>) -> Expr {
        let Type::Record(id) = *self.types.get(ty) else { unreachable!("a union is a record") };
        let record = self.types.record(id);
        let mut fields: Vec<Expr> = Vec::with_capacity(record.fields.len());
        let mut held: BTreeMap<u32, (&UnionPart, Expr)> = record.cases[case]
            .parts
            .iter()
            .zip(values)
            .map(|(part, value)| (part.field, (part, value)))
            .collect();
        for (position, field) in (0..).zip(&record.fields) {
            fields.push(match held.remove(&position) {
                _ if position == 0 => int(span, case as i64),
                Some((part, value)) if part.optional => {
                    expr(value.span, Ty::Of(field.ty), ExprKind::Some(Box::new(value)))
                }
                Some((_, value)) => value,
                None => self.nothing(span, field.ty),
            });
        }
        expr(span, Ty::Of(ty), ExprKind::Record(fields))
    }

    /// What is in a field that a case does not use: zeros.
    fn nothing(&self, span: Span, ty: TypeId) -> Expr {
        let kind = match *self.types.get(ty) {
            Type::Range { lo, .. } => return int(span, lo),
            Type::Option(_) => ExprKind::None,
            Type::Set(_) => ExprKind::Set(Vec::new()),
            Type::Queue { .. } | Type::Bag { .. } => ExprKind::Empty,
            _ => ExprKind::Const(0),
        };
        expr(span, Ty::Of(ty), kind)
    }

    /// What a value of a union holds, if it is the right case.
    pub(super) fn held_part(&self, value: Expr, ty: TypeId, part: &UnionPart) -> Expr {
        let Type::Record(id) = *self.types.get(ty) else { unreachable!("a union is a record") };
        let span = value.span;
        let stored = self.types.record(id).fields[part.field as usize].ty;
        let field = expr(span, self.ty_of(stored), ExprKind::Field(Box::new(value), part.field));
        match part.optional {
            true => expr(span, self.ty_of(part.ty), ExprKind::Unwrap(Box::new(field))),
            false => field,
        }
    }

    /// Whether a name is that of a constant of an enum that holds values.
    pub(super) fn is_case(&self, name: &ast::Name) -> bool {
        let known = self.names.enum_constants.get(&name.text);
        let case = known.is_some_and(|all| all.iter().any(|(ty, _)| !self.types.cases(*ty).is_empty()));
        (case || self.names.broken_cases.contains(&name.text)) && !self.is_value(&name.text)
    }

    /// Which case a name stands for.
    fn case_named(&mut self, name: &ast::Name, hint: TypeHint) -> Option<(TypeId, usize)> {
        let all = self.names.enum_constants.get(&name.text)?;
        let unions: Vec<(TypeId, u32)> =
            all.iter().filter(|(ty, _)| !self.types.cases(*ty).is_empty()).copied().collect();
        let wanted = match hint {
            TypeHint::Is(stored) => {
                let ty = self.ty(stored);
                Some(self.optional_inner(ty).map_or(ty, |inner| self.ty_of(inner)))
            }
            _ => None,
        };
        let fits = unions.iter().find(|(ty, _)| Some(Ty::Of(*ty)) == wanted);
        let only = if unions.len() == 1 { unions.first() } else { None };
        match fits.or(only) {
            Some(&(ty, position)) => {
                self.note(name.span, Symbol::EnumConstant(ty, position));
                self.used_enums.insert(ty);
                Some((ty, position as usize))
            }
            None if hint == TypeHint::Unknown => None,
            None => {
                let names: Vec<String> = unions.iter().map(|(ty, _)| self.type_name(*ty)).collect();
                let message = format!("`{}` is a constant of {}", name.text, list(&names));
                let help = format!("write `{}.{}(…)`", names[0], name.text);
                self.report(Diagnostic::error(Code::AmbiguousName, name.span, message).help(help));
                None
            }
        }
    }

    /// `request(c)`
    pub(super) fn case_in_order(
        &mut self,
        span: Span,
        name: &ast::Name,
        args: &[ast::Expr],
        hint: TypeHint,
    ) -> Option<Expr> {
        let Some((ty, case)) = self.case_named(name, hint) else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            return None;
        };
        self.case_with(span, name, (ty, case), args)
    }

    fn case_with(
        &mut self,
        span: Span,
        name: &ast::Name,
        (ty, case): (TypeId, usize),
        args: &[ast::Expr],
    ) -> Option<Expr> {
        let types: Vec<TypeId> = self.types.cases(ty)[case].parts.iter().map(|part| part.ty).collect();
        if types.len() != args.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(name, types.len(), args.len());
            return None;
        }
        let values: Vec<Option<Expr>> =
            args.iter().zip(types).map(|(arg, ty)| self.check(arg, Stored::Type(ty))).collect();
        let values = values.into_iter().collect::<Option<_>>()?;
        Some(self.case_value(span, ty, case, values))
    }

    /// `request(from: c)`
    pub(super) fn case_by_name(
        &mut self,
        span: Span,
        name: &ast::Name,
        fields: &[(ast::Name, ast::Expr)],
        hint: TypeHint,
    ) -> Option<Expr> {
        let Some((ty, case)) = self.case_named(name, hint) else {
            fields.iter().for_each(|(_, e)| drop(self.infer(e, TypeHint::Unknown)));
            return None;
        };
        let parts = self.types.cases(ty)[case].parts.clone();
        let mut values: Vec<Option<Expr>> = vec![None; parts.len()];
        let mut given: Vec<Option<Span>> = vec![None; parts.len()];
        let mut fine = true;
        for (field, e) in fields {
            let Some(position) = self.held_field(ty, case, field) else {
                self.infer(e, TypeHint::Unknown);
                fine = false;
                continue;
            };
            let value = self.check(e, Stored::Type(parts[position].ty));
            if let Some(first) = given[position].replace(field.span) {
                self.duplicate(field, first);
                fine = false;
            }
            values[position] = value;
        }
        let missing = parts.iter().zip(&given).filter(|(_, given)| given.is_none());
        let missing: Vec<&str> = missing.map(|(part, _)| part.name.as_str()).collect();
        if fine && !missing.is_empty() {
            let message = format!("this `{}` is without its {}", name.text, list(&missing));
            self.error(Code::MissingField, span, message);
        }
        let values = values.into_iter().collect::<Option<_>>().filter(|_| fine)?;
        Some(self.case_value(span, ty, case, values))
    }

    /// The position of something that a case holds.
    pub(super) fn held_field(&mut self, ty: TypeId, case: usize, field: &ast::Name) -> Option<usize> {
        let cases = self.types.cases(ty);
        let parts = &cases[case].parts;
        if let Some(position) = parts.iter().position(|part| part.name == field.text) {
            let before: usize = cases[..case].iter().map(|case| case.parts.len()).sum();
            self.note(field.span, Symbol::Field(ty, (before + position) as u32));
            return Some(position);
        }
        let known: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let help = match nearest(&field.text, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it holds {}", list(&known)),
        };
        let message = format!("`{}` has no field `{}`", cases[case].name, field.text);
        self.report(Diagnostic::error(Code::UnknownField, field.span, message).help(help));
        None
    }

    /// The union that a name stands for, in front of a dot.
    pub(super) fn union_named(&mut self, base: &ast::Expr) -> Option<TypeId> {
        let ast::ExprKind::Name(name) = &strip(base).kind else { return None };
        let &index = self.names.types.get(name).filter(|_| !self.is_value(name))?;
        let Stored::Type(ty) = self.declared_type(index, base.span)? else { return None };
        self.has_named_cases(ty).then(|| {
            self.note(strip(base).span, Symbol::Type(index as u32));
            ty
        })
    }

    /// `Msg.request(c)`
    pub(super) fn qualified_case(
        &mut self,
        span: Span,
        ty: TypeId,
        name: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        let cases: Vec<String> = self.types.cases(ty).iter().map(|case| case.name.clone()).collect();
        let Some(case) = cases.iter().position(|case| *case == name.text) else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            let message = format!("`{}` has no constant `{}`", self.type_name(ty), name.text);
            let help = format!("its constants are {}", list(&cases));
            self.report(Diagnostic::error(Code::UnknownName, name.span, message).help(help));
            return None;
        };
        self.note(name.span, Symbol::EnumConstant(ty, case as u32));
        self.case_with(span, name, (ty, case), args)
    }

    /// A constant without parentheses.
    pub(super) fn empty_case(&mut self, span: Span, ty: TypeId, position: u32) -> Option<Expr> {
        let case = &self.types.cases(ty)[position as usize];
        if case.parts.is_empty() {
            return Some(self.case_value(span, ty, position as usize, Vec::new()));
        }
        let held: Vec<String> = case.parts.iter().map(|part| format!("{}: …", part.name)).collect();
        let message = format!("`{}` holds values, and none are given", case.name);
        let help = format!(
            "write `{0}({1})`; to ask whether something is one: `x is {0}`",
            case.name,
            held.join(", ")
        );
        self.report(Diagnostic::error(Code::MissingField, span, message).help(help));
        None
    }
}
