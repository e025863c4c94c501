//! Names and places: what a name stands for, variables of this and other processes, indices, fields,
//! locations, and what may be assigned to.

use super::Checker;
use super::expr::{TypeHint, expr, strip};
use super::fold::fold;
use super::index::Symbol;
use super::scope::{Binding, Bound, Context, Global};
use super::suggest::{list, nearest, plural};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{ConstantValue, Expr, ExprKind, ProcessId, Stored, Ty, VarId};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn name(&mut self, span: Span, name: &str, hint: TypeHint) -> Option<Expr> {
        if name.is_empty() {
            return self.left_out();
        }
        if name == "_" {
            self.error(Code::UnderscoreRead, span, "`_` is a name that cannot be used");
            return None;
        }
        if let Some(binding) = self.binding(name) {
            let binding = binding.clone();
            return self.local(span, &binding);
        }
        if let Some(var) = self.own_var(name) {
            self.note(span, Symbol::Var(var));
            let member = self.own_member(span);
            return self.var(span, var, member);
        }
        match self.names.globals.get(name) {
            Some(&Global::Constant(index)) => return self.constant_use(span, index),
            Some(&Global::Var(var)) => {
                self.note(span, Symbol::Var(var));
                return self.var(span, var, Vec::new());
            }
            Some(&Global::Function(index)) => {
                self.note(span, Symbol::Function(index as u32));
                let diagnostic = Diagnostic::error(Code::NotAValue, span, format!("`{name}` is a function"));
                self.report(diagnostic.help(format!("call it: `{name}(…)`")));
                return None;
            }
            Some(&Global::Proc(index)) => {
                self.procedure_as_value(span, name, index);
                return None;
            }
            None => {}
        }
        if self.names.enum_constants.contains_key(name) {
            return self.enum_constant(span, name, hint);
        }
        match self.names.process_vars.get(name) {
            Some(_) => self.foreign(span, span, name, &[]),
            None => self.unknown_name(span, name),
        }
    }

    fn local(&mut self, span: Span, binding: &Binding) -> Option<Expr> {
        let index = binding.local.index();
        self.note(span, Symbol::Local(binding.local));
        self.local_info[index].used = true;
        if let Some(place) = &binding.place {
            return self.place_of_caller(span, place);
        }
        if self.env.constant && !binding.constant {
            self.not_constant(span, &binding.name, binding.kind.phrase());
            return None;
        }
        let ty = self.ty(self.locals[index].ty);
        binding.known.then(|| expr(span, ty, ExprKind::Local(binding.local)))
    }

    fn not_constant(&mut self, span: Span, name: &str, what: &str) {
        let message = format!("`{name}` is {what}, and this must be a constant");
        self.report(
            Diagnostic::error(Code::NotConstant, span, message).help("only constants may be used here"),
        );
    }

    /// The indices of the member we are in.
    pub(super) fn own_member(&mut self, span: Span) -> Vec<Expr> {
        let Some(process) = self.env.process else { return Vec::new() };
        let info = &self.names.processes[process.index()];
        let member = |&local| {
            let stored: Stored = self.locals[crate::hir::LocalId::index(local)].ty;
            expr(span, self.ty(stored), ExprKind::Local(local))
        };
        info.indices.iter().map(member).collect()
    }

    /// A variable of the model.
    pub(super) fn var(&mut self, span: Span, var: VarId, member: Vec<Expr>) -> Option<Expr> {
        let info = &mut self.vars[var.index()];
        info.reads += 1;
        let (name, ty, declared) = (info.name.clone(), info.ty, info.span);
        if self.env.constant {
            self.not_constant(span, &name, "a variable");
            return None;
        }
        if matches!(self.env.context, Context::Initial(current) if current <= var) {
            self.used_too_early(span, &name, declared);
            return None;
        }
        self.env.last_var = self.env.last_var.max(Some(var));
        Some(expr(span, self.ty_of(ty?), ExprKind::Var(var, member)))
    }

    pub(super) fn used_too_early(&mut self, span: Span, name: &str, declared: Span) {
        let message = match span.start < declared.end {
            true => format!("`{name}` has no value yet: it is declared later"),
            false => format!("the initial value of `{name}` uses `{name}` itself"),
        };
        let diagnostic = Diagnostic::error(Code::UsedBeforeDeclaration, span, message);
        let diagnostic = diagnostic.note(declared, "declared here");
        self.report(diagnostic.help("an initial value may only use variables declared before"));
    }

    fn constant_use(&mut self, span: Span, index: usize) -> Option<Expr> {
        self.note(span, Symbol::Constant(index as u32));
        self.used_constants.insert(index);
        self.constant_uses.push(span);
        Some(match self.constant_value(index, span)? {
            ConstantValue::Int(value) => super::expr::int(span, value),
            ConstantValue::Bool(value) => self.boolean(span, ExprKind::Const(i64::from(value))),
        })
    }

    /// Whether a name is a constant of several enums and nothing else.
    pub(super) fn is_shared_constant(&self, name: &str) -> bool {
        let shared = self.names.enum_constants.get(name).is_some_and(|enums| enums.len() > 1);
        shared && !self.is_value(name)
    }

    fn enum_constant(&mut self, span: Span, name: &str, hint: TypeHint) -> Option<Expr> {
        let enums = self.names.enum_constants[name].clone();
        let wanted = match hint {
            TypeHint::Is(stored) => Some(self.without_option(self.ty(stored))),
            _ => None,
        };
        let fits = enums.iter().find(|(ty, _)| Some(Ty::Of(*ty)) == wanted);
        let only = if enums.len() == 1 { enums.first() } else { None };
        match (fits.or(only), hint) {
            (Some(&(ty, position)), _) => {
                self.note(span, Symbol::EnumConstant(ty, position));
                self.used_enums.insert(ty);
                self.enum_value(span, ty, position)
            }
            (None, TypeHint::Unknown) => None,
            (None, _) => self.ambiguous_constant(span, name, &enums),
        }
    }

    /// A constant of an enum, or a case of a union that holds nothing.
    fn enum_value(&mut self, span: Span, ty: TypeId, position: u32) -> Option<Expr> {
        match self.types.cases(ty).is_empty() {
            true => Some(expr(span, Ty::Of(ty), ExprKind::Const(position.into()))),
            false => self.empty_case(span, ty, position),
        }
    }

    fn without_option(&self, ty: Ty) -> Ty {
        self.optional_inner(ty).map_or(ty, |inner| self.ty_of(inner))
    }

    fn ambiguous_constant<T>(&mut self, span: Span, name: &str, enums: &[(TypeId, u32)]) -> Option<T> {
        let names: Vec<String> = enums.iter().map(|(ty, _)| self.type_name(*ty)).collect();
        let message = format!("`{name}` is a constant of {}", list(&names));
        let writable: Vec<String> =
            names.iter().filter(|name| !name.contains('.')).map(|ty| format!("`{ty}.{name}`")).collect();
        let help = match writable.is_empty() {
            true => format!("`@{name}` asks whether a process is there"),
            false => format!("write {}", writable.join(" or ")),
        };
        self.report(Diagnostic::error(Code::AmbiguousName, span, message).help(help));
        None
    }

    fn unknown_name(&mut self, span: Span, name: &str) -> Option<Expr> {
        if self.names.broken_cases.contains(name) {
            return None;
        }
        let diagnostic = Diagnostic::error(Code::UnknownName, span, format!("unknown name `{name}`"));
        let help = if self.names.process_names.contains_key(name) {
            Some(format!("`{name}` is a process; `{name}.x` is its variable `x`"))
        } else if self.is_type(name) {
            Some(format!("`{name}` is a type, not a value"))
        } else if let Some(near) = nearest(name, self.value_names()) {
            Some(format!("did you mean `{near}`?"))
        } else if super::collect::OPERATORS.contains(&name) {
            Some(String::from("temporal operators are for `ltl` and `ctl` properties"))
        } else {
            None
        };
        self.report(Diagnostic { help, ..diagnostic });
        None
    }

    fn value_names(&self) -> impl Iterator<Item = &str> {
        let bound = self.env.bindings.iter().map(|binding| binding.name.as_str());
        let globals = self.names.globals.keys().map(String::as_str);
        let constants = self.names.enum_constants.keys().map(String::as_str);
        let vars = self.names.process_vars.keys().map(String::as_str);
        bound.chain(globals).chain(constants).chain(vars)
    }

    /// A variable of another process by its plain name (at `at`), with the indices of the member first among
    /// `args`.
    fn foreign(&mut self, span: Span, at: Span, name: &str, args: &[ast::Expr]) -> Option<Expr> {
        let vars = self.names.process_vars[name].clone();
        let [var] = vars[..] else {
            self.infer_silently(args);
            let options: Vec<String> = vars.iter().map(|var| self.full_name(*var)).collect();
            let message = format!("several processes have a variable `{name}`");
            let help = format!("write {}", options.join(" or "));
            self.report(Diagnostic::error(Code::AmbiguousName, span, message).help(help));
            return None;
        };
        self.note(at, Symbol::Var(var));
        self.member_var(span, var, args)
    }

    /// ``a variable as it is written outside its process: `P[…].x` ``
    fn full_name(&self, var: VarId) -> String {
        let info = &self.vars[var.index()];
        let Some(process) = info.process else { return format!("`{}`", info.name) };
        let process = &self.names.processes[process.index()];
        let index = if process.indices.is_empty() { "" } else { "[…]" };
        format!("`{}{index}.{}`", process.name, info.name)
    }

    fn infer_silently(&mut self, args: &[ast::Expr]) {
        for arg in args {
            self.infer(arg, TypeHint::Unknown);
        }
    }

    /// `x[d, i]`: the first arguments select the member, the others an element.
    fn member_var(&mut self, span: Span, var: VarId, args: &[ast::Expr]) -> Option<Expr> {
        let process = self.vars[var.index()].process.expect("a variable of a process");
        let count = self.names.processes[process.index()].indices.len();
        if args.len() < count {
            self.infer_silently(args);
            let info = &self.vars[var.index()];
            let owner = &self.names.processes[process.index()].name;
            let message = format!("each member of `{owner}` has its own `{}`", info.name);
            let indices = vec!["…"; count].join(", ");
            let help = format!("say whose: `{}[{indices}]`", info.name);
            self.report(Diagnostic::error(Code::MissingIndex, span, message).help(help));
            return None;
        }
        let (member, rest) = args.split_at(count);
        let member = self.member(process, member);
        let base = self.var(span, var, member?);
        self.index_by(base, rest)
    }

    /// The indices of a member, as many as the process has.
    fn member(&mut self, process: ProcessId, args: &[ast::Expr]) -> Option<Vec<Expr>> {
        let types = self.names.processes[process.index()].index_types.clone();
        let checked: Vec<Option<Expr>> =
            args.iter().zip(types).map(|(arg, ty)| self.check_maybe(arg, ty.map(Stored::Type))).collect();
        checked.into_iter().collect()
    }

    /// The process that `P` or `P[i]` names here.
    pub(super) fn process_ref<'e>(&self, e: &'e ast::Expr) -> Option<(ProcessId, &'e [ast::Expr])> {
        let (name, args) = match &strip(e).kind {
            ast::ExprKind::Name(name) => (name, &[][..]),
            ast::ExprKind::Index(base, args) => match &strip(base).kind {
                ast::ExprKind::Name(name) => (name, &args[..]),
                _ => return None,
            },
            _ => return None,
        };
        let process = *self.names.process_names.get(name)?;
        (!self.is_value(name)).then_some((process, args))
    }

    /// The member that `P[i]` names, or for `P` alone the only one.
    pub(super) fn process_member(
        &mut self,
        span: Span,
        process: ProcessId,
        args: &[ast::Expr],
    ) -> Option<Vec<Expr>> {
        let info = &self.names.processes[process.index()];
        let (count, name) = (info.indices.len(), info.name.clone());
        if args.len() == count {
            return self.member(process, args);
        }
        self.infer_silently(args);
        let (message, help) = if count == 0 {
            (format!("`{name}` is a single process without an index"), format!("write `{name}`"))
        } else {
            let expected = plural(count, "index", "indices");
            let indices = vec!["…"; count].join(", ");
            (format!("`{name}` is a family with {expected}"), format!("write `{name}[{indices}]`"))
        };
        self.report(Diagnostic::error(Code::MissingIndex, span, message).help(help));
        None
    }

    pub(super) fn index(&mut self, span: Span, base: &ast::Expr, args: &[ast::Expr]) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &strip(base).kind
            && self.binding(name).is_none()
        {
            if let Some(var) = self.own_var(name) {
                if self.selects_member(var) {
                    self.note(strip(base).span, Symbol::Var(var));
                    return self.member_var(span, var, args);
                }
            } else if !self.names.globals.contains_key(name) && self.names.process_vars.contains_key(name) {
                return self.foreign(span, strip(base).span, name, args);
            }
        }
        if let Some((process, [])) = self.process_ref(base) {
            self.note_process(base, process);
            self.infer_silently(args);
            let name = self.names.processes[process.index()].name.clone();
            let diagnostic =
                Diagnostic::error(Code::NotAValue, span, format!("`{name}` is a process, not a value"));
            self.report(diagnostic.help(format!("`{name}[…].x` is a member's variable `x`")));
            return None;
        }
        let base = self.infer(base, TypeHint::None);
        self.index_by(base, args)
    }

    /// Inside its process: whether `x[d]` is the `x` of member `d` and not an element of our own `x`.
    fn selects_member(&self, var: VarId) -> bool {
        let info = &self.vars[var.index()];
        let process = info.process.expect("a variable of a process");
        let family = !self.names.processes[process.index()].indices.is_empty();
        let indexed = info.ty.map(|ty| matches!(self.types.get(ty), Type::Array { .. } | Type::Queue { .. }));
        family && indexed == Some(false)
    }

    fn index_by(&mut self, base: Option<Expr>, args: &[ast::Expr]) -> Option<Expr> {
        let mut base = base;
        for arg in args {
            base = match base {
                Some(base) => self.index_one(base, arg),
                None => {
                    self.infer_silently(std::slice::from_ref(arg));
                    None
                }
            };
        }
        base
    }

    fn index_one(&mut self, base: Expr, arg: &ast::Expr) -> Option<Expr> {
        let shape = match base.ty {
            Ty::Of(id) => self.types.get(id).clone(),
            Ty::Int => Type::Bool,
        };
        let (index, element) = match shape {
            Type::Array { index, element } => (self.array_index(arg, index), element),
            Type::Queue { capacity, element } => (self.queue_index(arg, capacity), element),
            _ => {
                self.infer_silently(std::slice::from_ref(arg));
                let message = format!("{} cannot be indexed", self.a_ty(base.ty));
                let optional = self.optional_inner(base.ty).is_some();
                let help = optional.then(|| String::from("`!` takes the value out of an optional"));
                self.report(Diagnostic { help, ..Diagnostic::error(Code::NotIndexable, base.span, message) });
                return None;
            }
        };
        let span = base.span.to(arg.span);
        Some(expr(span, self.ty_of(element), ExprKind::Index(Box::new(base), Box::new(index?))))
    }

    fn array_index(&mut self, arg: &ast::Expr, index: TypeId) -> Option<Expr> {
        let e = self.infer(arg, TypeHint::Is(Stored::Type(index)))?;
        if let (Type::Range { lo, hi }, Ty::Int) = (self.types.get(index).clone(), e.ty) {
            return self.index_within(e, lo, hi);
        }
        self.coerce(e, Stored::Type(index))
    }

    fn queue_index(&mut self, arg: &ast::Expr, capacity: u32) -> Option<Expr> {
        let e = self.integer(arg)?;
        self.index_within(e, 0, i64::from(capacity) - 1)
    }

    fn index_within(&mut self, e: Expr, lo: i64, hi: i64) -> Option<Expr> {
        match fold(&e) {
            Ok(value) if !(lo..=hi).contains(&value) => {
                let message = format!("the index {value} is outside {lo}..{hi}");
                self.error(Code::IndexOutOfRange, e.span, message);
                None
            }
            _ => Some(e),
        }
    }

    pub(super) fn field(&mut self, span: Span, base: &ast::Expr, field: &ast::Name) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &strip(base).kind
            && !self.is_value(name)
            && let Some(ty) = self.enum_named(name, span)
            && let Some(constant) = self.qualified(span, ty, field)
        {
            if let Some(&index) = self.names.types.get(name) {
                self.note(strip(base).span, Symbol::Type(index as u32));
            }
            return constant;
        }
        if field.text == "all"
            && let Some(all) = self.all_values(span, base)
        {
            return all;
        }
        if let Some((process, args)) = self.process_ref(base) {
            self.note_process(base, process);
            let member = self.process_member(base.span, process, args);
            let var = self.process_var(process, field);
            return self.var(span, var?, member?);
        }
        let base = self.infer(base, TypeHint::None)?;
        self.record_field(span, base, field)
    }

    /// The enum type that a name stands for.
    fn enum_named(&mut self, name: &str, span: Span) -> Option<TypeId> {
        let index = *self.names.types.get(name)?;
        match self.declared_type(index, span)? {
            Stored::Type(ty) if matches!(self.types.get(ty), Type::Enum(_)) => Some(ty),
            Stored::Type(ty) if self.has_named_cases(ty) => Some(ty),
            _ => None,
        }
    }

    /// `Phase.idle`; nothing if the enum has no such constant but a process of its name might have a
    /// variable.
    fn qualified(&mut self, span: Span, ty: TypeId, constant: &ast::Name) -> Option<Option<Expr>> {
        let constants: Vec<String> = match *self.types.get(ty) {
            Type::Enum(id) => self.types.enumeration(id).constants.clone(),
            _ => self.types.cases(ty).iter().map(|case| case.name.clone()).collect(),
        };
        if let Some(position) = constants.iter().position(|known| *known == constant.text) {
            self.note(constant.span, Symbol::EnumConstant(ty, position as u32));
            return Some(self.enum_value(span, ty, position as u32));
        }
        if self.names.process_names.contains_key(&self.type_name(ty)) || constant.text == "all" {
            return None;
        }
        let message = format!("`{}` has no constant `{}`", self.type_name(ty), constant.text);
        let help = match nearest(&constant.text, constants.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its constants are {}", list(&constants)),
        };
        self.report(Diagnostic::error(Code::UnknownName, constant.span, message).help(help));
        Some(None)
    }

    fn process_var(&mut self, process: ProcessId, name: &ast::Name) -> Option<VarId> {
        let info = &self.names.processes[process.index()];
        if let Some(&var) = info.vars.get(&name.text) {
            self.note(name.span, Symbol::Var(var));
            return Some(var);
        }
        let message = format!("`{}` has no variable `{}`", info.name, name.text);
        let known: Vec<&String> = info.vars.keys().collect();
        let help = match nearest(&name.text, info.vars.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if info.rules.contains_key(&name.text) => {
                format!("`{}` is a rule; `enabled(…)` asks whether it can fire", name.text)
            }
            None if known.is_empty() => String::from("it has no variables"),
            None => format!("its variables are {}", list(&known)),
        };
        self.report(Diagnostic::error(Code::UnknownName, name.span, message).help(help));
        None
    }

    fn record_field(&mut self, span: Span, base: Expr, field: &ast::Name) -> Option<Expr> {
        if let Ty::Of(id) = base.ty
            && let Type::Record(record) = *self.types.get(id)
        {
            if !self.types.cases(id).is_empty() {
                let message = format!("what {} holds depends on the case", self.a_ty(base.ty));
                let help = "look which it is: `match x { a(y) => …, b => … }`";
                self.report(Diagnostic::error(Code::UnknownField, field.span, message).help(help));
                return None;
            }
            let fields = &self.types.record(record).fields;
            if let Some(position) = fields.iter().position(|known| known.name == field.text) {
                let ty = self.ty_of(fields[position].ty);
                self.note(field.span, Symbol::Field(id, position as u32));
                return Some(expr(span, ty, ExprKind::Field(Box::new(base), position as u32)));
            }
            let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let help = match nearest(&field.text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its fields are {}", list(&known)),
            };
            let message = format!("`{}` has no field `{}`", self.type_name(id), field.text);
            self.report(Diagnostic::error(Code::UnknownField, field.span, message).help(help));
            return None;
        }
        let message = format!("{} has no fields", self.a_ty(base.ty));
        let help = match self.optional_inner(base.ty) {
            Some(_) => Some(String::from("`!` takes the value out of an optional")),
            None if super::collections::is_method(&field.text) => Some(format!("write `.{}()`", field.text)),
            None => None,
        };
        self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownField, field.span, message) });
        None
    }

    /// `P[i]@L`, `@L`
    pub(super) fn at(
        &mut self,
        span: Span,
        process: Option<&ast::Expr>,
        location: &ast::Name,
    ) -> Option<Expr> {
        let (process, member) = match process {
            None => (self.env.process, Some(self.own_member(span))),
            Some(e) => match self.process_ref(e) {
                Some((process, args)) => {
                    self.note_process(e, process);
                    (Some(process), self.process_member(e.span, process, args))
                }
                None => {
                    let diagnostic = Diagnostic::error(Code::NotAProcess, e.span, "this is not a process");
                    self.report(diagnostic.help("write `P@L`, or `P[i]@L` for a member of a family"));
                    return None;
                }
            },
        };
        let Some(process) = process else {
            let diagnostic =
                Diagnostic::error(Code::NotAProcess, span, "`@` alone is for the rules of a process");
            self.report(diagnostic.help("say which process: `P@L`, or `P[i]@L`"));
            return None;
        };
        let (pc, position) = self.location(process, location)?;
        let pc_ty = self.names.processes[process.index()].pc?.1;
        let pc = self.var(span, pc, member?)?;
        let constant = expr(location.span, Ty::Of(pc_ty), ExprKind::Const(position));
        Some(self.equal(span, false, pc, constant))
    }

    /// The location variable of a process and the position of one of its locations.
    pub(super) fn location(&mut self, process: ProcessId, name: &ast::Name) -> Option<(VarId, i64)> {
        let info = &self.names.processes[process.index()];
        let Some((pc, ty)) = info.pc else {
            if self.decls.locations.get(process.index()).is_some_and(Option::is_some) {
                return None;
            }
            let message = format!("the process `{}` has no locations", info.name);
            let help = format!("declare them in the process: `locations {}, …;`", name.text);
            self.report(Diagnostic::error(Code::UnknownLocation, name.span, message).help(help));
            return None;
        };
        let Type::Enum(id) = *self.types.get(ty) else { return None };
        if let Some(&position) = info.locations.get(&name.text) {
            self.note(name.span, Symbol::EnumConstant(ty, position as u32));
            return Some((pc, position));
        }
        let known = &self.types.enumeration(id).constants;
        let message = format!("`{}` has no location `{}`", info.name, name.text);
        let help = match nearest(&name.text, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its locations are {}", list(known)),
        };
        self.report(Diagnostic::error(Code::UnknownLocation, name.span, message).help(help));
        None
    }

    /// A place that something is stored at, with its declared type.
    pub(super) fn target(&mut self, e: &ast::Expr) -> Option<(Expr, Stored)> {
        let place = self.infer(e, TypeHint::None)?;
        let mut root = &place;
        while let ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) = &root.kind {
            root = base;
        }
        match root.kind {
            ExprKind::Var(..) if self.env.context == Context::Function => {
                let message = "a function changes nothing but its own local variables";
                let diagnostic = Diagnostic::error(Code::NotAssignable, e.span, message);
                self.report(
                    diagnostic.help("statements that change the model are a procedure: `proc p(…) { … }`"),
                );
                return None;
            }
            ExprKind::Var(var, _) => {
                let info = &mut self.vars[var.index()];
                info.reads -= 1;
                info.writes += 1;
                self.note_written(e.span, Symbol::Var(var));
            }
            ExprKind::Local(local) if self.local_info[local.index()].kind == Bound::Var => {
                self.note_written(e.span, Symbol::Local(local));
            }
            ExprKind::Local(local) => {
                let (kind, name) = (self.local_info[local.index()].kind, &self.locals[local.index()].name);
                let message = format!("`{name}` is {} and cannot be assigned to", kind.phrase());
                let bound = self.locals[local.index()].span;
                let diagnostic =
                    Diagnostic::error(Code::NotAssignable, e.span, message).note(bound, "bound here");
                self.report(diagnostic.help(format!("a local variable can: `var {name}: T = …;`")));
                return None;
            }
            _ => {
                let message = match &strip(e).kind {
                    ast::ExprKind::Name(name) => format!("`{name}` is a constant and cannot be assigned to"),
                    _ => String::from("this is not a place that can be assigned to"),
                };
                self.error(Code::NotAssignable, e.span, message);
                return None;
            }
        }
        let stored = self.stored_of(&place);
        Some((place, stored))
    }
}
