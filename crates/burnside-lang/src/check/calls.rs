//! Calls: functions of the model, built-in functions, records, and elements of sorts by number.

use super::Checker;
use super::expr::{TypeHint, expr, folded, int};
use super::fold::fold;
use super::index::Symbol;
use super::scope::{Context, Global};
use super::suggest::{list, nearest};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::{RecordId, SortId, SortKind, Type, TypeId};

/// A field of a record that is being made.
struct FieldValue {
    name: String,
    ty: TypeId,
    given: Option<Span>,
    value: Option<Expr>,
}

impl Checker<'_> {
    pub(super) fn call(&mut self, span: Span, name: &ast::Name, args: &[ast::Expr]) -> Option<Expr> {
        match name.text.as_str() {
            "min" | "max" => return self.extremum(span, name, args),
            "abs" => {
                let [arg] = self.arguments(name, args)?;
                let arg = self.integer(arg)?;
                return Some(folded(expr(span, Ty::Int, ExprKind::Abs(Box::new(arg)))));
            }
            "ord" => return self.ord(span, name, args),
            "next" | "prev" => return self.neighbour(span, name, args),
            _ => {}
        }
        if let Some(&Global::Function(index)) = self.names.globals.get(&name.text) {
            return self.call_function(span, name, index, args);
        }
        if let Some(&Global::Proc(index)) = self.names.globals.get(&name.text) {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.procedure_as_value(name.span, &name.text, index);
            return None;
        }
        match self.record_named(name) {
            Some((ty, record)) => self.record_in_order(span, name, (ty, record), args),
            None => {
                args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
                self.unknown_function(name)
            }
        }
    }

    /// Exactly `N` arguments.
    fn arguments<'e, const N: usize>(
        &mut self,
        name: &ast::Name,
        args: &'e [ast::Expr],
    ) -> Option<&'e [ast::Expr; N]> {
        match args.try_into() {
            Ok(args) => Some(args),
            Err(_) => {
                args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
                self.argument_count(name, N, args.len());
                None
            }
        }
    }

    fn extremum(&mut self, span: Span, name: &ast::Name, args: &[ast::Expr]) -> Option<Expr> {
        let [a, b] = self.arguments(name, args)?;
        let (a, b) = (self.integer(a), self.integer(b));
        let kind = ExprKind::Extremum(name.text == "max", Box::new(a?), Box::new(b?));
        Some(folded(expr(span, Ty::Int, kind)))
    }

    fn ord(&mut self, span: Span, name: &ast::Name, args: &[ast::Expr]) -> Option<Expr> {
        let [arg] = self.arguments(name, args)?;
        let arg = self.infer(arg, TypeHint::None)?;
        let numbered = match arg.ty {
            Ty::Int => false,
            Ty::Of(id) => matches!(self.types.get(id), Type::Bool | Type::Enum(_) | Type::Sort(_)),
        };
        if !numbered {
            let message = format!(
                "`ord` is the number of an element or enum constant, and this is {}",
                self.a_ty(arg.ty)
            );
            self.error(Code::TypeMismatch, arg.span, message);
            return None;
        }
        Some(folded(expr(span, Ty::Int, ExprKind::Ord(Box::new(arg)))))
    }

    fn neighbour(&mut self, span: Span, name: &ast::Name, args: &[ast::Expr]) -> Option<Expr> {
        let [arg] = self.arguments(name, args)?;
        let arg = self.infer(arg, TypeHint::None)?;
        if self.sort_kind(arg.ty) != Some(SortKind::Ring) {
            let message =
                format!("`{}` is for elements of a ring, and this is {}", name.text, self.a_ty(arg.ty));
            let diagnostic = Diagnostic::error(Code::TypeMismatch, arg.span, message);
            let symmetric = self.sort_kind(arg.ty).is_some();
            let help = symmetric.then(|| String::from("declare the type with `ring` instead of `symmetric`"));
            self.report(Diagnostic { help, ..diagnostic });
            return None;
        }
        let (ty, steps) = (arg.ty, Box::new(int(span, 1)));
        Some(expr(
            span,
            ty,
            ExprKind::Rotate { element: Box::new(arg), steps, backwards: name.text == "prev" },
        ))
    }

    fn call_function(
        &mut self,
        span: Span,
        name: &ast::Name,
        index: usize,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        self.note(name.span, Symbol::Function(index as u32));
        self.used_functions.insert(index);
        if self.env.constant {
            let diagnostic =
                Diagnostic::error(Code::NotConstant, span, "a constant expression cannot call functions");
            self.report(diagnostic);
            return None;
        }
        let params = self.names.functions[index].params.clone();
        if params.len() != args.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(name, params.len(), args.len());
            return None;
        }
        let args: Vec<Option<Expr>> =
            args.iter().zip(params).map(|(arg, param)| self.check_maybe(arg, param)).collect();
        let function = self.function(index, name.span)?;
        self.reads_of_function(span, &name.text, index);
        let args: Vec<Expr> = args.into_iter().collect::<Option<_>>()?;
        let ty = self.ty(self.names.functions[index].result?);
        Some(expr(span, ty, ExprKind::Call(function, args)))
    }

    /// What the function reads is read here.
    fn reads_of_function(&mut self, span: Span, name: &str, index: usize) {
        let last = self.names.functions[index].last_var;
        self.env.last_var = self.env.last_var.max(last);
        let Context::Initial(current) = self.env.context else { return };
        if let Some(last) = last
            && last >= current
        {
            let var = &self.vars[last.index()];
            let message = format!("`{name}` reads `{}`, which has no value yet", var.name);
            let diagnostic = Diagnostic::error(Code::UsedBeforeDeclaration, span, message);
            let diagnostic = diagnostic.note(var.span, "declared here");
            self.report(diagnostic.help("an initial value may only use variables declared before"));
        }
    }

    fn unknown_function(&mut self, name: &ast::Name) -> Option<Expr> {
        let functions = self.names.globals.iter().filter(|(_, global)| matches!(global, Global::Function(_)));
        let known =
            functions.map(|(name, _)| name.as_str()).chain(self.names.types.keys().map(String::as_str));
        let known = known.chain(super::collect::BUILT_IN);
        let union = self.names.types.get(&name.text).and_then(|&index| match self.names.type_slots[index] {
            super::scope::Slot::Done(Some(Stored::Type(ty))) => self.types.cases(ty).first(),
            _ => None,
        });
        let help = match nearest(&name.text, known) {
            _ if union.is_some() => union.map(|case| format!("name the case, for example `{}`", case.name)),
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if self.names.rules.contains_key(&name.text) => {
                Some(format!("`{}` is a rule; `enabled(…)` asks whether it can fire", name.text))
            }
            None if super::collect::OPERATORS.contains(&name.text.as_str()) => {
                Some(String::from("temporal operators are for `ltl` and `ctl` properties"))
            }
            None if self.is_value(&name.text) => Some(format!("`{}` is a value, not a function", name.text)),
            None => None,
        };
        let message = format!("unknown function or record `{}`", name.text);
        self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownFunction, name.span, message) });
        None
    }

    /// The record type that a name stands for. A type that is wrong is not reported again, so it counts as
    /// none only if the name is not that of a type.
    fn record_named(&mut self, name: &ast::Name) -> Option<(Option<TypeId>, Option<RecordId>)> {
        let index = *self.names.types.get(&name.text)?;
        self.note(name.span, Symbol::Type(index as u32));
        let Some(Stored::Type(ty)) = self.declared_type(index, name.span) else { return Some((None, None)) };
        match *self.types.get(ty) {
            Type::Record(record) if self.types.cases(ty).is_empty() => Some((Some(ty), Some(record))),
            _ => None,
        }
    }

    fn record_in_order(
        &mut self,
        span: Span,
        name: &ast::Name,
        (ty, record): (Option<TypeId>, Option<RecordId>),
        args: &[ast::Expr],
    ) -> Option<Expr> {
        let Some(record) = record else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            return None;
        };
        let types: Vec<TypeId> = self.types.record(record).fields.iter().map(|field| field.ty).collect();
        if types.len() != args.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(name, types.len(), args.len());
            return None;
        }
        let fields: Vec<Option<Expr>> =
            args.iter().zip(types).map(|(arg, ty)| self.check(arg, Stored::Type(ty))).collect();
        Some(expr(span, Ty::Of(ty?), ExprKind::Record(fields.into_iter().collect::<Option<_>>()?)))
    }

    pub(super) fn record_by_name(
        &mut self,
        span: Span,
        name: &ast::Name,
        fields: &[(ast::Name, ast::Expr)],
    ) -> Option<Expr> {
        let Some((Some(ty), Some(record))) = self.record_named(name) else {
            fields.iter().for_each(|(_, e)| drop(self.infer(e, TypeHint::Unknown)));
            if self.record_named(name).is_none() {
                self.unknown_function(name);
            }
            return None;
        };
        let fields = self.field_values(ty, record, fields)?;
        let missing: Vec<&str> =
            fields.iter().filter(|field| field.given.is_none()).map(|field| field.name.as_str()).collect();
        if !missing.is_empty() {
            let message = format!("this `{}` is without its {}", name.text, list(&missing));
            self.error(Code::MissingField, span, message);
            return None;
        }
        let values: Option<Vec<Expr>> = fields.into_iter().map(|field| field.value).collect();
        Some(expr(span, Ty::Of(ty), ExprKind::Record(values?)))
    }

    /// The fields of a record with what is given for them; nothing if something else is given.
    fn field_values(
        &mut self,
        ty: TypeId,
        record: RecordId,
        given: &[(ast::Name, ast::Expr)],
    ) -> Option<Vec<FieldValue>> {
        let fields = self.types.record(record).fields.iter();
        let mut fields: Vec<FieldValue> = fields
            .map(|field| FieldValue { name: field.name.clone(), ty: field.ty, given: None, value: None })
            .collect();
        let mut fine = true;
        for (name, e) in given {
            let Some(position) = fields.iter().position(|field| field.name == name.text) else {
                self.infer(e, TypeHint::Unknown);
                self.unknown_record_field(ty, name, &fields);
                fine = false;
                continue;
            };
            self.note(name.span, Symbol::Field(ty, position as u32));
            let value = self.check(e, Stored::Type(fields[position].ty));
            if let Some(first) = fields[position].given {
                let message = format!("the field `{}` is given twice", name.text);
                self.report(
                    Diagnostic::error(Code::DuplicateName, name.span, message).note(first, "first here"),
                );
                fine = false;
                continue;
            }
            fields[position].given = Some(name.span);
            fields[position].value = value;
        }
        fine.then_some(fields)
    }

    fn unknown_record_field(&mut self, ty: TypeId, field: &ast::Name, known: &[FieldValue]) {
        let names: Vec<&str> = known.iter().map(|field| field.name.as_str()).collect();
        let help = match nearest(&field.text, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its fields are {}", list(&names)),
        };
        let message = format!("`{}` has no field `{}`", self.type_name(ty), field.text);
        self.report(Diagnostic::error(Code::UnknownField, field.span, message).help(help));
    }

    /// `S#e`
    pub(super) fn element(&mut self, span: Span, sort: &ast::Name, number: &ast::Expr) -> Option<Expr> {
        let ty = self.sort_named(sort);
        let number = self.integer(number);
        let (ty, id) = ty?;
        let number = number?;
        let size = i64::from(self.types.sort(id).size);
        match fold(&number) {
            Ok(value) if !(0..size).contains(&value) => {
                let message = format!("`{}` has no element {value}", sort.text);
                let help = format!("its elements are `{}#0` to `{}#{}`", sort.text, sort.text, size - 1);
                self.report(Diagnostic::error(Code::OutOfRangeConstant, number.span, message).help(help));
                None
            }
            Ok(value) => Some(expr(span, Ty::Of(ty), ExprKind::Const(value))),
            Err(_) => Some(expr(span, Ty::Of(ty), ExprKind::Element(Box::new(number)))),
        }
    }

    fn sort_named(&mut self, name: &ast::Name) -> Option<(TypeId, SortId)> {
        let Some(&index) = self.names.types.get(&name.text) else {
            let known = self.names.types.keys().map(String::as_str);
            let help = match self.is_value(&name.text) {
                true => Some(String::from(
                    "`S#0` is an element of a symmetric type; \"not equal\" is written `!=`",
                )),
                false => nearest(&name.text, known).map(|near| format!("did you mean `{near}`?")),
            };
            let message = format!("unknown type `{}`", name.text);
            self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownType, name.span, message) });
            return None;
        };
        self.note(name.span, Symbol::Type(index as u32));
        let Stored::Type(ty) = self.declared_type(index, name.span)? else { return None };
        match *self.types.get(ty) {
            Type::Sort(sort) => Some((ty, sort)),
            _ => {
                let message = format!("`{}` is neither a symmetric type nor a ring", name.text);
                self.error(Code::TypeMismatch, name.span, message);
                None
            }
        }
    }
}
