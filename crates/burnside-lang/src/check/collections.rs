//! Sets, arrays, queues and bags: literals, comprehensions, operators and the methods that give a value.

use super::Checker;
use super::expr::{TypeHint, expr, int, strip};
use super::interval::Interval;
use super::scope::Bound;
use super::suggest::{list, nearest, plural};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Binder, Domain, Expr, ExprKind, LocalId, SetOp, Stored, Ty};
use crate::syntax::ast::{self, BinaryOp};
use burnside_ts::{Type, TypeId};

/// Methods that give a value.
const METHODS: [&str; 7] = ["size", "empty", "majority", "full", "front", "back", "count"];
/// Methods that are statements.
pub(super) const STATEMENTS: [&str; 6] = ["push", "pop", "add", "remove", "insert", "clear"];

/// Whether some collection has a method of this name.
pub(super) fn is_method(name: &str) -> bool {
    METHODS.contains(&name) || STATEMENTS.contains(&name)
}

impl Checker<'_> {
    /// The structure of the type that is hinted at, an option left aside.
    fn shape(&self, hint: TypeHint) -> Option<(TypeId, Type)> {
        let TypeHint::Is(Stored::Type(id)) = hint else { return None };
        let id = self.optional_inner(Ty::Of(id)).unwrap_or(id);
        Some((id, self.types.get(id).clone()))
    }

    pub(super) fn set_literal(&mut self, span: Span, items: &[ast::Expr], hint: TypeHint) -> Option<Expr> {
        match self.shape(hint) {
            Some((ty, Type::Set(element))) => {
                let items = self.check_all(items, element)?;
                Some(expr(span, Ty::Of(ty), ExprKind::Set(items)))
            }
            Some((ty, Type::Bag { .. })) if items.is_empty() => Some(expr(span, Ty::Of(ty), ExprKind::Empty)),
            Some((_, Type::Bag { .. })) => self.only_empty(span, "{}", "a bag", "add"),
            _ if items.is_empty() => self.untyped(span, hint, "the empty set", "let s: set of T = {};"),
            _ => {
                let (element, items) = self.common(span, items, hint)?;
                self.typed(span, Type::Set(element), ExprKind::Set(items))
            }
        }
    }

    pub(super) fn array_literal(&mut self, span: Span, items: &[ast::Expr], hint: TypeHint) -> Option<Expr> {
        match self.shape(hint) {
            Some((ty, Type::Array { index, element })) => {
                let items = self.check_all(items, element);
                self.count_elements(span, ty, index, items.as_ref().map_or(0, Vec::len), items.is_some())?;
                Some(expr(span, Ty::Of(ty), ExprKind::Array(items?)))
            }
            Some((ty, Type::Queue { .. })) if items.is_empty() => {
                Some(expr(span, Ty::Of(ty), ExprKind::Empty))
            }
            Some((_, Type::Queue { .. })) => self.only_empty(span, "[]", "a queue", "push"),
            _ if items.is_empty() => self.untyped(span, hint, "the empty list", "let q: queue[3] of T = [];"),
            _ => {
                let (element, items) = self.common(span, items, hint)?;
                let index = Type::Range { lo: 0, hi: items.len() as i64 - 1 };
                let index = self.types.intern(index).ok()?;
                self.typed(span, Type::Array { index, element }, ExprKind::Array(items))
            }
        }
    }

    fn check_all(&mut self, items: &[ast::Expr], ty: TypeId) -> Option<Vec<Expr>> {
        let items: Vec<Option<Expr>> = items.iter().map(|item| self.check(item, Stored::Type(ty))).collect();
        items.into_iter().collect()
    }

    fn typed(&mut self, span: Span, ty: Type, kind: ExprKind) -> Option<Expr> {
        match self.types.intern(ty) {
            Ok(ty) => Some(expr(span, Ty::Of(ty), kind)),
            Err(error) => self.type_error(error, span),
        }
    }

    fn only_empty(&mut self, span: Span, empty: &str, what: &str, method: &str) -> Option<Expr> {
        let message = format!("{what} has no literal except the empty one, `{empty}`");
        let diagnostic = Diagnostic::error(Code::TypeMismatch, span, message);
        self.report(diagnostic.help(format!("start empty and use `.{method}(…)`, for example in `init`")));
        None
    }

    fn untyped(&mut self, span: Span, hint: TypeHint, what: &str, example: &str) -> Option<Expr> {
        match hint {
            TypeHint::Unknown => {}
            TypeHint::None => {
                let message = format!("the type of {what} is not known here");
                self.report(
                    Diagnostic::error(Code::NeedsType, span, message).help(format!("give it: `{example}`")),
                );
            }
            TypeHint::Is(want) => {
                let message = format!("expected {}, found {what}", self.a_stored(want));
                self.error(Code::TypeMismatch, span, message);
            }
        }
        None
    }

    fn count_elements(
        &mut self,
        span: Span,
        ty: TypeId,
        index: TypeId,
        count: usize,
        known: bool,
    ) -> Option<()> {
        let expected = self.types.size(index)?;
        if !known || expected == count as u64 {
            return known.then_some(());
        }
        let expected = plural(expected as usize, "element", "elements");
        let message = format!("`{}` needs {expected}, and this has {count}", self.type_name(ty));
        let help = format!("`[i: {} => …]` gives one for each index", self.type_name(index));
        self.report(Diagnostic::error(Code::WrongElementCount, span, message).help(help));
        None
    }

    /// Elements without a type from outside: their common type.
    fn common(&mut self, span: Span, items: &[ast::Expr], hint: TypeHint) -> Option<(TypeId, Vec<Expr>)> {
        let hint = if hint == TypeHint::Unknown { hint } else { TypeHint::None };
        let refs: Vec<&ast::Expr> = items.iter().collect();
        let items: Option<Vec<Expr>> = self.infer_all(&refs, hint).into_iter().collect();
        let items = items?;
        let first =
            items.iter().find(|item| self.optional_inner(item.ty).is_some()).unwrap_or(items.first()?);
        let want = self.stored_ty(first.ty);
        let items: Vec<Option<Expr>> = items.into_iter().map(|item| self.coerce(item, want)).collect();
        let items: Vec<Expr> = items.into_iter().collect::<Option<_>>()?;
        let element = match want {
            Stored::Type(ty) => ty,
            Stored::Int => self.range_type(span, &items)?,
        };
        Some((element, items))
    }

    /// The range type that holds these integers: the named range that those who know a type come from, if
    /// there is one and all fit in; else the least range.
    fn range_type(&mut self, span: Span, items: &[Expr]) -> Option<TypeId> {
        let hull = items.iter().map(|item| self.interval(item)).reduce(Interval::hull)?;
        let known = items.iter().filter(|item| !matches!(item.kind, ExprKind::Const(_)));
        let mut named = known.map(|item| match self.stored_of(item) {
            Stored::Type(ty) if self.types.range_name(ty).is_some() => Some(ty),
            _ => None,
        });
        if let Some(Some(first)) = named.next()
            && named.all(|other| other == Some(first))
            && hull.within(self.range_of(first))
        {
            return Some(first);
        }
        let (lo, hi) = (hull.lo as i64, hull.hi as i64);
        if let Ok(ty) = self.types.intern(Type::Range { lo, hi }) {
            return Some(ty);
        }
        let diagnostic = Diagnostic::error(Code::NeedsType, span, "the range of these integers is not known");
        self.report(diagnostic.help("give the type with `let x: T = …;`"));
        None
    }

    pub(super) fn as_set(&mut self, e: Expr) -> Option<Expr> {
        if matches!(e.ty, Ty::Of(id) if matches!(self.types.get(id), Type::Set(_))) {
            return Some(e);
        }
        let message = format!("expected a set, found {}", self.a_ty(e.ty));
        let diagnostic = Diagnostic::error(Code::TypeMismatch, e.span, message);
        self.report(match e.ty == Ty::Of(self.boolean) {
            true => diagnostic.help("for \"and\" and \"or\" write `&&` and `||`"),
            false => diagnostic,
        });
        None
    }

    pub(super) fn set_operation(
        &mut self,
        span: Span,
        op: BinaryOp,
        (a, b): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        let hint = self.operand_hint(hint);
        let (a, b) = self.both(a, b, hint);
        self.set_operation_of(span, op, a, b)
    }

    /// A hint for the operands of an operation on sets.
    pub(super) fn operand_hint(&self, hint: TypeHint) -> TypeHint {
        match self.shape(hint) {
            Some((ty, Type::Set(_))) => TypeHint::Is(Stored::Type(ty)),
            _ => TypeHint::None,
        }
    }

    /// The same of two typed operands.
    pub(super) fn set_operation_of(
        &mut self,
        span: Span,
        op: BinaryOp,
        a: Option<Expr>,
        b: Option<Expr>,
    ) -> Option<Expr> {
        let is_bool = |e: &Option<Expr>| e.as_ref().is_some_and(|e| e.ty == Ty::Of(self.boolean));
        let connective = match op {
            BinaryOp::Union => Some(("`|` is the union of sets", "for \"or\" write `||`")),
            BinaryOp::Intersection => Some(("`&` is the intersection of sets", "for \"and\" write `&&`")),
            _ => None,
        };
        if let (Some((message, help)), true) = (connective, is_bool(&a) || is_bool(&b)) {
            self.report(Diagnostic::error(Code::WrongOperator, span, message).help(help));
            return None;
        }
        let (a, b) = (a.and_then(|a| self.as_set(a)), b.and_then(|b| self.as_set(b)));
        let (a, b) = (a?, b?);
        if a.ty != b.ty {
            let message = format!("{} and {} do not go together", self.a_ty(a.ty), self.a_ty(b.ty));
            self.error(Code::TypeMismatch, span, message);
            return None;
        }
        let op = match op {
            BinaryOp::Union => SetOp::Union,
            BinaryOp::Intersection => SetOp::Intersection,
            _ => SetOp::Difference,
        };
        Some(expr(span, a.ty, ExprKind::SetOp(op, Box::new(a), Box::new(b))))
    }

    pub(super) fn set_of(&mut self, span: Span, binder: &ast::Binder, filter: &ast::Expr) -> Option<Expr> {
        let (binders, filter) = self.scoped(|checker| {
            let binders = checker.binders(std::slice::from_ref(binder), Bound::Quantified);
            (binders, checker.condition(filter))
        });
        let binder: Binder = binders?.into_iter().next()?;
        let Stored::Type(element) = self.locals[binder.local.index()].ty else { return None };
        if self.types.size(element).is_none() && matches!(binder.domain, Domain::Collection(_)) {
            let message = format!("{} cannot be a member of a set", self.a_stored(Stored::Type(element)));
            self.error(Code::NotNumbered, span, message);
            return None;
        }
        self.typed(span, Type::Set(element), ExprKind::SetOf(Box::new(binder), Box::new(filter?)))
    }

    pub(super) fn array_of(
        &mut self,
        span: Span,
        binders: &[ast::Binder],
        body: &ast::Expr,
        hint: TypeHint,
    ) -> Option<Expr> {
        let names: Vec<(Option<TypeId>, ast::Name)> =
            binders.iter().flat_map(|binder| self.type_binder(binder)).collect();
        let want = names.iter().fold(hint, |hint, (index, _)| self.element_hint(hint, *index));
        let (locals, body) = self.scoped(|checker| {
            let bind = |(ty, name): &(Option<TypeId>, ast::Name)| {
                checker.bind(name, ty.map(Stored::Type), Bound::Quantified)
            };
            let locals: Vec<LocalId> = names.iter().map(bind).collect();
            (locals, checker.infer(body, want))
        });
        let mut body = body?;
        let mut element = match (want, body.ty) {
            (TypeHint::Is(Stored::Type(ty)), _) => ty,
            (_, Ty::Of(ty)) => ty,
            (_, Ty::Int) => self.range_type(body.span, std::slice::from_ref(&body))?,
        };
        body = self.coerce(body, Stored::Type(element))?;
        for ((index, _), local) in names.into_iter().zip(locals).rev() {
            body = self.typed(
                span,
                Type::Array { index: index?, element },
                ExprKind::ArrayOf(local, Box::new(body)),
            )?;
            let Ty::Of(ty) = body.ty else { return None };
            element = ty;
        }
        Some(body)
    }

    fn element_hint(&self, hint: TypeHint, over: Option<TypeId>) -> TypeHint {
        match self.shape(hint) {
            Some((_, Type::Array { index, element })) if Some(index) == over => {
                TypeHint::Is(Stored::Type(element))
            }
            _ if hint == TypeHint::Unknown || over.is_none() => TypeHint::Unknown,
            _ => TypeHint::None,
        }
    }

    /// `e.m(args)` as a value.
    pub(super) fn method(
        &mut self,
        span: Span,
        base: &ast::Expr,
        method: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        if let Some(ty) = self.union_named(base) {
            return self.qualified_case(span, ty, method, args);
        }
        let Some(base) = self.infer(base, TypeHint::None) else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            return None;
        };
        let shape = match base.ty {
            Ty::Of(id) => self.types.get(id).clone(),
            Ty::Int => Type::Bool,
        };
        let known = methods_of(&shape);
        if !known.contains(&method.text.as_str()) {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.unknown_method(&base, method, known);
            return None;
        }
        let expected = usize::from(method.text == "count");
        if args.len() != expected {
            self.argument_count(method, expected, args.len());
            return None;
        }
        let kind = match (method.text.as_str(), &shape) {
            ("size", _) => return Some(expr(span, Ty::Int, ExprKind::Size(Box::new(base)))),
            ("empty", _) => {
                let size = expr(base.span, Ty::Int, ExprKind::Size(Box::new(base)));
                return Some(self.equal(span, false, size, int(span, 0)));
            }
            ("majority", _) => return Some(self.boolean(span, ExprKind::Majority(Box::new(base)))),
            ("full", _) => return Some(self.boolean(span, ExprKind::Full(Box::new(base)))),
            ("count", Type::Bag { element, .. }) => {
                let x = self.infer(&args[0], TypeHint::Is(Stored::Type(*element)))?;
                let x =
                    if x.ty == self.ty_of(*element) { x } else { self.coerce(x, Stored::Type(*element))? };
                return Some(expr(span, Ty::Int, ExprKind::Count(Box::new(base), Box::new(x))));
            }
            (end, Type::Queue { element, .. }) => {
                (self.ty_of(*element), ExprKind::End(end == "back", Box::new(base)))
            }
            _ => return None,
        };
        Some(expr(span, kind.0, kind.1))
    }

    /// `S.all`: the set of all values of a type. Nothing if the name is not that of a type, or if it is also
    /// that of a process with a variable `all`.
    pub(super) fn all_values(&mut self, span: Span, base: &ast::Expr) -> Option<Option<Expr>> {
        let ast::ExprKind::Name(name) = &strip(base).kind else { return None };
        let process = self.names.process_names.get(name);
        let taken = process.is_some_and(|it| self.names.processes[it.index()].vars.contains_key("all"));
        if self.is_value(name) || taken || !self.is_type(name) {
            return None;
        }
        let name = ast::Name { text: name.clone(), span: strip(base).span };
        let ty = ast::Type { span: name.span, kind: ast::TypeKind::Name(name) };
        let Some(element) = self.numbered(&ty, "the elements of a set") else { return Some(None) };
        let local = self.fresh("_", span, Stored::Type(element), Bound::Quantified);
        let binder = Binder { local, domain: Domain::Type };
        let every = self.boolean(span, ExprKind::Const(1));
        Some(self.typed(span, Type::Set(element), ExprKind::SetOf(Box::new(binder), Box::new(every))))
    }

    /// `{f(x): x in s where e}`: the values of an expression. One that faults for some `x` is a fault.
    pub(super) fn set_map(
        &mut self,
        span: Span,
        value: &ast::Expr,
        binders: &[ast::Binder],
        filter: Option<&ast::Expr>,
        hint: TypeHint,
    ) -> Option<Expr> {
        let wanted = match self.shape(hint) {
            Some((_, Type::Set(element))) => Some(element),
            _ => None,
        };
        let hint = wanted.map_or(TypeHint::None, |element| TypeHint::Is(Stored::Type(element)));
        let (binders, filter, value) = self.scoped(|checker| {
            let binders = checker.binders(binders, Bound::Quantified);
            let filter = filter.map(|filter| checker.condition(filter));
            (binders, filter, checker.infer(value, hint))
        });
        let filter = match filter {
            Some(filter) => Some(Box::new(filter?)),
            None => None,
        };
        let (binders, value) = (binders?, value?);
        let element = match value.ty {
            Ty::Of(ty) => wanted.filter(|wanted| self.ty_of(*wanted) == value.ty).unwrap_or(ty),
            Ty::Int => match wanted {
                Some(wanted) if self.interval(&value).within(self.range_of(wanted)) => wanted,
                _ => self.range_type(span, std::slice::from_ref(&value))?,
            },
        };
        if self.types.size(element).is_none() {
            let message = format!("the values of {} cannot be members of a set", self.a_ty(value.ty));
            self.error(Code::NotNumbered, value.span, message);
            return None;
        }
        let over = |quantifier, body: Expr| ExprKind::Quantify {
            quantifier,
            binders: binders.clone(),
            filter: filter.clone(),
            body: Box::new(body),
        };
        let local = self.fresh("_", span, Stored::Type(element), Bound::Quantified);
        let member = expr(span, self.ty_of(element), ExprKind::Local(local));
        let known = self.equal(span, false, value.clone(), value.clone());
        let known = self.boolean(span, over(ast::Quantifier::Forall, known));
        let found = self.equal(span, false, value.clone(), member);
        let found = self.boolean(span, over(ast::Quantifier::Exists, found));
        let binder = Box::new(Binder { local, domain: Domain::Type });
        let set = self.typed(span, Type::Set(element), ExprKind::SetOf(binder, Box::new(found)))?;
        let none = expr(span, set.ty, ExprKind::Set(Vec::new()));
        Some(expr(span, set.ty, ExprKind::If(Box::new(known), Box::new(set), Box::new(none))))
    }

    /// The queue or bag that is hinted at, for the operands of `+`: they may be larger or smaller.
    pub(super) fn queue_hint(&self, hint: TypeHint) -> TypeHint {
        match self.shape(hint) {
            Some((ty, Type::Queue { .. } | Type::Bag { .. })) => TypeHint::Is(Stored::Type(ty)),
            _ => TypeHint::None,
        }
    }

    /// The type of two queues or bags together: the one that is hinted at, or else that of the first.
    pub(super) fn joined(&self, a: &Expr, b: &Expr, hint: TypeHint) -> Option<Ty> {
        let held = |ty: Ty| match ty {
            Ty::Of(id) => match *self.types.get(id) {
                Type::Queue { element, .. } => Some((true, element)),
                Type::Bag { element, .. } => Some((false, element)),
                _ => None,
            },
            Ty::Int => None,
        };
        let kind = held(a.ty).filter(|kind| held(b.ty) == Some(*kind))?;
        match self.shape(hint) {
            Some((ty, _)) if held(Ty::Of(ty)) == Some(kind) => Some(Ty::Of(ty)),
            _ => Some(a.ty),
        }
    }

    /// `q[a..b]`
    pub(super) fn slice(
        &mut self,
        span: Span,
        queue: &ast::Expr,
        (from, to): (&ast::Expr, &ast::Expr),
        hint: TypeHint,
    ) -> Option<Expr> {
        let queue = self.infer(queue, TypeHint::None);
        let (from, to) = (self.integer(from), self.integer(to));
        let queue = queue?;
        let is_queue = matches!(queue.ty, Ty::Of(id) if matches!(self.types.get(id), Type::Queue { .. }));
        if !is_queue {
            let message = format!("`[a..b]` is a part of a queue, and this is {}", self.a_ty(queue.ty));
            self.error(Code::NotIndexable, queue.span, message);
            return None;
        }
        let ty = self.joined(&queue, &queue, hint)?;
        Some(expr(span, ty, ExprKind::Slice(Box::new(queue), Box::new(from?), Box::new(to?))))
    }

    pub(super) fn unknown_method(&mut self, base: &Expr, method: &ast::Name, known: &[&str]) {
        let message = format!("{} has no method `{}` that gives a value", self.a_ty(base.ty), method.text);
        let help = if method.text == "pop" && known.contains(&"front") {
            String::from(
                "`.front()` is the first element; `let x = q.pop();` takes it out, and is a statement",
            )
        } else if STATEMENTS.contains(&method.text.as_str()) && !known.is_empty() {
            format!("`.{}(…)` is a statement", method.text)
        } else if self.optional_inner(base.ty).is_some() {
            String::from("`!` takes the value out of an optional")
        } else if let Some(near) = nearest(&method.text, known.iter().copied()) {
            format!("did you mean `{near}`?")
        } else if known.is_empty() {
            String::from("only sets, queues and bags have methods")
        } else {
            format!("its methods are {}", list(known))
        };
        self.report(Diagnostic::error(Code::UnknownMethod, method.span, message).help(help));
    }

    pub(super) fn argument_count(&mut self, name: &ast::Name, expected: usize, found: usize) {
        let expected = plural(expected, "argument", "arguments");
        let message = format!("`{}` takes {expected}, and {found} are given", name.text);
        self.error(Code::WrongArgumentCount, name.span, message.replace("1 are given", "1 is given"));
    }
}

/// The methods that give a value.
pub(super) fn methods_of(shape: &Type) -> &'static [&'static str] {
    match shape {
        Type::Set(_) => &["size", "empty", "majority"],
        Type::Queue { .. } => &["size", "empty", "full", "front", "back"],
        Type::Bag { .. } => &["size", "empty", "full", "count"],
        _ => &[],
    }
}

/// The methods that are statements.
pub(super) fn statements_of(shape: &Type) -> &'static [&'static str] {
    match shape {
        Type::Queue { .. } => &["push", "pop", "insert", "remove", "clear"],
        Type::Set(_) | Type::Bag { .. } => &["add", "remove", "clear"],
        _ => &[],
    }
}
