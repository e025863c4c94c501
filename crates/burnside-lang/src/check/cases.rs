//! `match` and `is`: which case of an enum, an optional, a union or a truth value there is, and names for
//! what it holds.
//!
//! Entry points: [`Checker::match_stmt`], [`Checker::match_in`] and [`Checker::is_case_of`]. What is looked
//! at gets a name, the cases become conditions on it, so nothing after the checker knows of `match`. Every
//! case must be there, or `_`; what can never be reached is a warning, and left out. Of many cases the
//! conditions ask for one half, then for one half of that half, so that trees do not get deep.

use super::Checker;
use super::expr::{TypeHint, expr, strip};
use super::index::Symbol;
use super::scope::Bound;
use super::suggest::{list, nearest};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Initial, LocalId, Stmt, StmtKind, Stored, Ty};
use crate::syntax::ast::{self, Arm, Pattern, PatternKind, PatternPart};
use burnside_ts::{Type, TypeId};

/// What a `match` looks at.
struct Subject {
    /// Its name, with the value that it gets if it is a new one.
    value: Expr,
    defined: Option<(LocalId, Expr)>,
    kind: Kind,
    /// The cases, as they are written.
    cases: Vec<String>,
}

#[derive(Clone, Copy)]
enum Kind {
    Bool,
    Enum(TypeId),
    Optional(TypeId),
    /// A union, whose cases may hold something.
    Union(TypeId),
}

/// The cases of one arm.
struct Chosen {
    cases: Vec<usize>,
    /// Whether it is for all that is left.
    rest: bool,
    names: Vec<NamedPart>,
    /// Whether it can happen at all.
    reachable: bool,
}

/// A name for a part of a value.
struct NamedPart {
    name: ast::Name,
    value: Option<(Expr, Stored)>,
}

/// The value of a case with the names that it uses.
type CaseValue = (Vec<(LocalId, Expr)>, Expr);

/// The cases that were seen.
struct Seen {
    at: Vec<Option<Span>>,
    rest: Option<Span>,
    /// Whether something is wrong with a case, so that nothing can be said about those that are missing.
    unclear: bool,
}

impl Checker<'_> {
    /// What a `match` does.
    pub(super) fn match_stmt(&mut self, value: &ast::Expr, arms: &[Arm<ast::Block>]) -> Option<Vec<Stmt>> {
        let patterns: Vec<&[Pattern]> = arms.iter().map(|arm| arm.patterns.as_slice()).collect();
        let subject = self.subject(value, are_read(&patterns));
        let chosen = self.all_cases(value.span, subject.as_ref(), &patterns);
        let bodies: Vec<Option<Vec<Stmt>>> = arms
            .iter()
            .zip(&chosen)
            .map(|(arm, chosen)| {
                self.scoped(|checker| {
                    let names = checker.bind_parts(&chosen.names);
                    let body = checker.block(&arm.body);
                    let named = names?.into_iter().map(|(local, value)| {
                        let kind = StmtKind::Let(local, Initial::Value(value));
                        Stmt { span: arm.span, kind }
                    });
                    Some(named.chain(body?).collect())
                })
            })
            .collect();
        let bodies: Vec<Vec<Stmt>> = bodies.into_iter().collect::<Option<_>>()?;
        let subject = subject?;
        let span = value.span;
        let mut arms: Vec<(Chosen, Vec<Stmt>)> = reachable(chosen, bodies);
        let mut all = Vec::new();
        let decided = self.decide(span, &subject, &mut arms, &mut |condition, then, otherwise| {
            vec![Stmt { span, kind: StmtKind::If(condition, then, otherwise) }]
        });
        if let Some((local, value)) = subject.defined {
            all.push(Stmt { span, kind: StmtKind::Let(local, Initial::Value(value)) });
        }
        all.extend(decided.unwrap_or_default());
        Some(all)
    }

    /// `match` as an expression.
    pub(super) fn match_in(
        &mut self,
        span: Span,
        value: &ast::Expr,
        arms: &[Arm<ast::Expr>],
        hint: TypeHint,
    ) -> Option<Expr> {
        let patterns: Vec<&[Pattern]> = arms.iter().map(|arm| arm.patterns.as_slice()).collect();
        let subject = self.subject(value, are_read(&patterns));
        let chosen = self.all_cases(value.span, subject.as_ref(), &patterns);
        let values = self.case_values(arms, &chosen, hint)?;
        let first = values.iter().find(|(_, e)| self.optional_inner(e.ty).is_some()).or(values.first())?;
        let want = self.united(hint).unwrap_or(self.stored_ty(first.1.ty));
        let values: Vec<Option<Expr>> = values
            .into_iter()
            .map(|(names, e)| {
                let e = self.coerce(e, want)?;
                Some(names.into_iter().rev().fold(e, |body, (local, value)| {
                    let (span, ty) = (body.span, body.ty);
                    expr(span, ty, ExprKind::Let(local, Box::new(value), Box::new(body)))
                }))
            })
            .collect();
        let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
        let subject = subject?;
        let mut arms = reachable(chosen, values);
        let decided = self.decide(span, &subject, &mut arms, &mut |condition, a, b| {
            expr(span, a.ty, ExprKind::If(Box::new(condition), Box::new(a), Box::new(b)))
        })?;
        Some(match subject.defined {
            Some((local, value)) => {
                expr(span, decided.ty, ExprKind::Let(local, Box::new(value), Box::new(decided)))
            }
            None => decided,
        })
    }

    /// `a is b`: whether a value is a case, whatever that holds.
    pub(super) fn is_case_of(&mut self, span: Span, value: &ast::Expr, case: &ast::Expr) -> Option<Expr> {
        let subject = self.subject(value, true);
        let name = |text: &String, span: Span| ast::Name { text: text.clone(), span };
        let named = |of, name| PatternKind::Case { of, name, parts: None };
        let kind = match &strip(case).kind {
            ast::ExprKind::None => PatternKind::None,
            ast::ExprKind::Bool(value) => PatternKind::Bool(*value),
            ast::ExprKind::Name(text) => named(None, name(text, case.span)),
            ast::ExprKind::Field(of, case) if matches!(of.kind, ast::ExprKind::Name(_)) => {
                let ast::ExprKind::Name(text) = &of.kind else { return None };
                named(Some(name(text, of.span)), case.clone())
            }
            ast::ExprKind::Error => return self.left_out(),
            _ => {
                let message = "expected a case after `is`";
                let help = "it is the name of a constant or of a type in a union, `none` or `some`; values are compared with `==`";
                self.report(Diagnostic::error(Code::TypeMismatch, case.span, message).help(help));
                return None;
            }
        };
        let pattern = Pattern { span: case.span, kind };
        let case = self.case(subject.as_ref(), &pattern, &mut Vec::new())?;
        let subject = subject?;
        let is = self.test_case(span, &subject, case?);
        Some(match subject.defined {
            Some((local, value)) => self.boolean(span, ExprKind::Let(local, Box::new(value), Box::new(is))),
            None => is,
        })
    }

    /// The values of the cases; those that know their type tell the others.
    fn case_values(
        &mut self,
        arms: &[Arm<ast::Expr>],
        chosen: &[Chosen],
        hint: TypeHint,
    ) -> Option<Vec<CaseValue>> {
        let mut order: Vec<usize> = (0..arms.len()).collect();
        order.sort_by_key(|&i| self.needs_hint(&arms[i].body));
        let mut found: Vec<Option<CaseValue>> = arms.iter().map(|_| None).collect();
        let mut hint = hint;
        for i in order {
            let (names, body) = self.scoped(|checker| {
                let names = checker.bind_parts(&chosen[i].names);
                (names, checker.infer(&arms[i].body, hint))
            });
            if !matches!(hint, TypeHint::Is(_)) {
                hint = TypeHint::like(body.as_ref());
            }
            found[i] = names.zip(body);
        }
        found.into_iter().collect()
    }

    /// What is looked at, with its cases. That it has none is not `told` where a case was none either.
    fn subject(&mut self, value: &ast::Expr, told: bool) -> Option<Subject> {
        let value = self.infer(value, TypeHint::None)?;
        let Some((kind, cases)) = self.cases_of(&value) else {
            return if told { self.has_no_cases(&value) } else { self.left_out() };
        };
        let fixed = match value.kind {
            ExprKind::Local(local) => self.local_info[local.index()].kind != Bound::Var,
            _ => false,
        };
        if fixed {
            return Some(Subject { value, defined: None, kind, cases });
        }
        let (span, ty, stored) = (value.span, value.ty, self.stored_of(&value));
        let local = self.fresh("_", span, stored, Bound::Let);
        let name = expr(span, ty, ExprKind::Local(local));
        Some(Subject { value: name, defined: Some((local, value)), kind, cases })
    }

    fn cases_of(&mut self, value: &Expr) -> Option<(Kind, Vec<String>)> {
        let words = |words: [&str; 2]| words.map(String::from).to_vec();
        if let Ty::Of(ty) = value.ty {
            match *self.types.get(ty) {
                Type::Bool => return Some((Kind::Bool, words(["false", "true"]))),
                Type::Option(inner) => return Some((Kind::Optional(inner), words(["none", "some(…)"]))),
                Type::Enum(id) => {
                    self.used_enums.insert(ty);
                    return Some((Kind::Enum(ty), self.types.enumeration(id).constants.clone()));
                }
                Type::Record(_) if !self.types.cases(ty).is_empty() => {
                    self.used_enums.insert(ty);
                    let names = self.types.cases(ty).iter().map(|case| case.name.clone());
                    return Some((Kind::Union(ty), names.collect()));
                }
                _ => {}
            }
        }
        None
    }

    fn has_no_cases<T>(&mut self, value: &Expr) -> Option<T> {
        let message = format!("{} has no cases", self.a_ty(value.ty));
        let help =
            "cases are those of enums, optionals, unions and truth values; compare other values with `==`";
        self.report(Diagnostic::error(Code::TypeMismatch, value.span, message).help(help));
        None
    }

    /// The cases of all arms; those that are missing are reported.
    fn all_cases(&mut self, span: Span, subject: Option<&Subject>, arms: &[&[Pattern]]) -> Vec<Chosen> {
        let count = subject.map_or(0, |subject| subject.cases.len());
        let mut seen = Seen { at: vec![None; count], rest: None, unclear: subject.is_none() };
        let chosen = arms.iter().map(|patterns| self.cases_of_arm(subject, patterns, &mut seen)).collect();
        let Some(subject) = subject.filter(|_| seen.rest.is_none() && !seen.unclear) else { return chosen };
        let missing = subject.cases.iter().zip(&seen.at).filter(|(_, at)| at.is_none());
        let missing: Vec<&str> = missing.map(|(name, _)| name.as_str()).collect();
        if !missing.is_empty() {
            let message = match missing.as_slice() {
                [_] => format!("the case {} is missing", list(&missing)),
                _ => format!("the cases {} are missing", list(&missing)),
            };
            let help = "add them, or `_ => …` for all the rest";
            self.report(Diagnostic::error(Code::MissingCase, span, message).help(help));
        }
        chosen
    }

    fn cases_of_arm(&mut self, subject: Option<&Subject>, patterns: &[Pattern], seen: &mut Seen) -> Chosen {
        let mut chosen = Chosen { cases: Vec::new(), rest: false, names: Vec::new(), reachable: false };
        for pattern in patterns {
            let Some(case) = self.case(subject, pattern, &mut chosen.names) else {
                seen.unclear = true;
                chosen.reachable = true;
                if let PatternKind::Case { parts, .. } = &pattern.kind {
                    let unknown = |part: &PatternPart| NamedPart { name: part.name.clone(), value: None };
                    chosen.names = parts.iter().flatten().map(unknown).collect();
                }
                continue;
            };
            let before = match case {
                Some(case) => seen.at[case].or(seen.rest),
                None if seen.at.iter().all(Option::is_some) => seen.at.iter().flatten().max().copied(),
                None => seen.rest,
            };
            match (before, case) {
                (Some(before), _) => {
                    let message = "this case never happens";
                    let diagnostic = Diagnostic::warning(Code::UnreachableCase, pattern.span, message);
                    self.report(diagnostic.note(before, "what it is for comes here").help("remove it"));
                    continue;
                }
                (None, Some(case)) => {
                    seen.at[case] = Some(pattern.span);
                    chosen.cases.push(case);
                }
                (None, None) => {
                    seen.rest = Some(pattern.span);
                    chosen.rest = true;
                }
            }
            chosen.reachable = true;
        }
        if patterns.len() > 1 && chosen.names.iter().any(|part| part.name.text != "_") {
            let span = patterns[0].span.to(patterns[patterns.len() - 1].span);
            let message = "cases that are treated alike cannot give names to what they hold";
            let help = "write `_` for the names, or a case for each";
            self.report(Diagnostic::error(Code::TypeMismatch, span, message).help(help));
        }
        chosen
    }

    /// The number of a case, or none for the rest; nothing if it is wrong.
    fn case(
        &mut self,
        subject: Option<&Subject>,
        pattern: &Pattern,
        names: &mut Vec<NamedPart>,
    ) -> Option<Option<usize>> {
        let PatternKind::Case { of, name, parts } = &pattern.kind else {
            return match (&pattern.kind, subject?.kind) {
                (PatternKind::Error, _) => self.left_out(),
                (PatternKind::Rest, _) => Some(None),
                (PatternKind::None, Kind::Optional(_)) => Some(Some(0)),
                (PatternKind::Bool(value), Kind::Bool) => Some(Some(usize::from(*value))),
                _ => self.no_case(subject?, pattern.span),
            };
        };
        let subject = subject?;
        match subject.kind {
            Kind::Optional(inner) if name.text == "some" && of.is_none() => {
                self.some_case(subject, inner, pattern, parts.as_deref(), names)
            }
            Kind::Enum(ty) => self.enum_case(subject, ty, pattern.span, (of.as_ref(), name, parts.is_some())),
            Kind::Union(ty) => {
                let case = self.enum_case(subject, ty, pattern.span, (of.as_ref(), name, false))??;
                self.union_parts(subject, (ty, case), pattern.span, parts.as_deref(), names)?;
                Some(Some(case))
            }
            _ => self.no_case(subject, pattern.span),
        }
    }

    /// `some(c)`
    fn some_case(
        &mut self,
        subject: &Subject,
        inner: TypeId,
        pattern: &Pattern,
        parts: Option<&[PatternPart]>,
        names: &mut Vec<NamedPart>,
    ) -> Option<Option<usize>> {
        let Some(parts) = parts else { return Some(Some(1)) };
        let [PatternPart { field: None, name }] = parts else {
            let message = "`some` has one name for the value in its parentheses";
            let help = "write `some(x)`, or `some(_)` if the value does not matter";
            self.report(Diagnostic::error(Code::WrongArgumentCount, pattern.span, message).help(help));
            return None;
        };
        let inside = ExprKind::Unwrap(Box::new(Expr { span: name.span, ..subject.value.clone() }));
        let value = expr(name.span, self.ty_of(inner), inside);
        self.name_part(name, value, Stored::Type(inner), names);
        Some(Some(1))
    }

    /// `request(c, _)`, `request(from: c)`
    fn union_parts(
        &mut self,
        subject: &Subject,
        (ty, case): (TypeId, usize),
        span: Span,
        parts: Option<&[PatternPart]>,
        names: &mut Vec<NamedPart>,
    ) -> Option<()> {
        let Some(parts) = parts else { return Some(()) };
        let held = self.types.cases(ty)[case].parts.clone();
        let in_order = parts.iter().all(|part| part.field.is_none());
        if in_order && parts.len() != held.len() {
            let name = ast::Name { text: subject.cases[case].clone(), span };
            self.argument_count(&name, held.len(), parts.len());
            return None;
        }
        let mut given = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let position = match &part.field {
                None if in_order => i,
                None => {
                    let message = "name all fields, or none";
                    self.error(Code::TypeMismatch, part.name.span, message);
                    return None;
                }
                Some(field) => self.held_field(ty, case, field)?,
            };
            if given.contains(&position) {
                self.duplicate(&part.name, part.name.span);
                return None;
            }
            given.push(position);
            let value =
                self.held_part(Expr { span: part.name.span, ..subject.value.clone() }, ty, &held[position]);
            self.name_part(&part.name, value, Stored::Type(held[position].ty), names);
        }
        Some(())
    }

    /// Notes a name for a part of the value.
    fn name_part(&mut self, name: &ast::Name, value: Expr, stored: Stored, names: &mut Vec<NamedPart>) {
        let constants = self.names.enum_constants.get(&name.text);
        if constants.is_some_and(|all| all.iter().any(|(ty, _)| Stored::Type(*ty) == stored)) {
            let message = format!("`{}` would be a new name for the value here, not the constant", name.text);
            let help = "choose another name, and look at it with a `match` of its own";
            self.report(Diagnostic::error(Code::ReservedName, name.span, message).help(help));
        }
        names.push(NamedPart { name: name.clone(), value: Some((value, stored)) });
    }

    fn enum_case(
        &mut self,
        subject: &Subject,
        ty: TypeId,
        span: Span,
        (of, name, parts): (Option<&ast::Name>, &ast::Name, bool),
    ) -> Option<Option<usize>> {
        let foreign = of.is_some_and(|of| of.text != self.type_name(ty));
        let Some(position) = position(&subject.cases, of.is_none(), &name.text).filter(|_| !foreign) else {
            return self.unknown_case(subject, span, of, name);
        };
        if let Some(of) = of
            && let Some(&index) = self.names.types.get(&of.text)
        {
            self.note(of.span, Symbol::Type(index as u32));
        }
        match self.names.types.get(&subject.cases[position]) {
            // A part of a union of types.
            Some(&index) if !matches!(self.types.get(ty), Type::Enum(_)) && !self.has_named_cases(ty) => {
                self.used_types.insert(index);
                self.note(name.span, Symbol::Type(index as u32));
            }
            _ => self.note(name.span, Symbol::EnumConstant(ty, position as u32)),
        }
        if parts {
            let message = format!("`{}` holds nothing", name.text);
            let help = format!("write `{} => …`", name.text);
            self.report(Diagnostic::error(Code::WrongArgumentCount, span, message).help(help));
            return None;
        }
        Some(Some(position))
    }

    fn unknown_case<T>(
        &mut self,
        subject: &Subject,
        span: Span,
        of: Option<&ast::Name>,
        name: &ast::Name,
    ) -> Option<T> {
        let written = of.map_or_else(|| name.text.clone(), |of| format!("{}.{}", of.text, name.text));
        let message = format!("{} has no case `{written}`", self.a_ty(subject.value.ty));
        let help = match nearest(&name.text, subject.cases.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its cases are {}; `_` stands for the rest", list(&subject.cases)),
        };
        self.report(Diagnostic::error(Code::UnknownName, span, message).help(help));
        None
    }

    fn no_case<T>(&mut self, subject: &Subject, span: Span) -> Option<T> {
        let message = format!("this is no case of {}", self.a_ty(subject.value.ty));
        let help = format!("its cases are {}; `_` stands for the rest", list(&subject.cases));
        self.report(Diagnostic::error(Code::TypeMismatch, span, message).help(help));
        None
    }

    /// Binds the names of an arm.
    fn bind_parts(&mut self, parts: &[NamedPart]) -> Option<Vec<(LocalId, Expr)>> {
        let mut bound = Some(Vec::new());
        for NamedPart { name, value } in parts.iter().filter(|part| part.name.text != "_") {
            let local = self.bind(name, value.as_ref().map(|(_, stored)| *stored), Bound::Case);
            match (value, &mut bound) {
                (Some((value, _)), Some(bound)) => bound.push((local, value.clone())),
                _ => bound = None,
            }
        }
        bound
    }

    /// Conditions that lead to the body of the case that there is.
    fn decide<B>(
        &self,
        span: Span,
        subject: &Subject,
        arms: &mut Vec<(Chosen, B)>,
        branch: &mut dyn FnMut(Expr, B, B) -> B,
    ) -> Option<B> {
        if arms.len() < 2 {
            return arms.pop().map(|(_, body)| body);
        }
        let mut second = arms.split_off(arms.len() / 2);
        let first: Vec<usize> = arms.iter().flat_map(|(chosen, _)| chosen.cases.iter().copied()).collect();
        let condition = self.one_of_cases(span, subject, &first);
        let then = self.decide(span, subject, arms, branch)?;
        let otherwise = self.decide(span, subject, &mut second, branch)?;
        Some(branch(condition, then, otherwise))
    }

    /// Whether the value is one of some cases.
    fn one_of_cases(&self, span: Span, subject: &Subject, cases: &[usize]) -> Expr {
        match cases {
            [] => self.boolean(span, ExprKind::Const(0)),
            [case] => self.test_case(span, subject, *case),
            _ => {
                let (a, b) = cases.split_at(cases.len() / 2);
                let (a, b) = (self.one_of_cases(span, subject, a), self.one_of_cases(span, subject, b));
                self.boolean(span, ExprKind::Or(Box::new(a), Box::new(b)))
            }
        }
    }

    fn test_case(&self, span: Span, subject: &Subject, case: usize) -> Expr {
        let value = Expr { span, ..subject.value.clone() };
        let ty = value.ty;
        match subject.kind {
            Kind::Bool if case == 1 => value,
            Kind::Bool => self.boolean(span, ExprKind::Not(Box::new(value))),
            Kind::Optional(_) => self.equal(span, case == 1, value, expr(span, ty, ExprKind::None)),
            Kind::Enum(_) => self.equal(span, false, value, expr(span, ty, ExprKind::Const(case as i64))),
            Kind::Union(_) => {
                let number = expr(span, Ty::Int, ExprKind::Field(Box::new(value), 0));
                self.equal(span, false, number, super::expr::int(span, case as i64))
            }
        }
    }
}

/// The arms that can happen.
fn reachable<B>(chosen: Vec<Chosen>, bodies: Vec<B>) -> Vec<(Chosen, B)> {
    chosen.into_iter().zip(bodies).filter(|(chosen, _)| chosen.reachable).collect()
}

/// Whether all patterns could be read.
fn are_read(patterns: &[&[Pattern]]) -> bool {
    patterns.iter().copied().flatten().all(|pattern| !matches!(pattern.kind, PatternKind::Error))
}

/// The case of a name. A type of another file is also meant by the last part of its name, if only one is
/// called so: the value says what the cases are.
fn position(cases: &[String], plain: bool, name: &str) -> Option<usize> {
    let exact = cases.iter().position(|case| case == name);
    let mut last = (0..cases.len()).filter(|&i| plain && cases[i].rsplit('.').next() == Some(name));
    match (exact, last.next(), last.next()) {
        (None, Some(only), None) => Some(only),
        _ => exact,
    }
}
