//! Procedures: a call stands for the statements of the procedure, with its parameters as names for the
//! arguments. So nothing after the checker knows of them.
//!
//! Entry point: [`Checker::call_procedure`]. A parameter is a name for the value of its argument, an `inout`
//! parameter a name for the place of the caller: indices in it are evaluated once, before the body. The body
//! is checked anew for each call, so that its names are new ones; what is said about it is said once.

use super::Checker;
use super::collect::ProcDecl;
use super::collections::STATEMENTS;
use super::expr::{TypeHint, expr};
use super::index::Symbol;
use super::scope::{Bound, Context, Env, Global};
use super::suggest::nearest;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Initial, Stmt, StmtKind, Stored};
use crate::syntax::ast;

/// So many statements all calls together may bring.
const MAX_STATEMENTS: usize = 100_000;
/// So deep blocks may be inside each other, with those of the procedures that are called.
const MAX_BLOCKS: u32 = 200;

impl Checker<'_> {
    /// What a call does.
    pub(super) fn call_procedure(
        &mut self,
        span: Span,
        name: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<Vec<Stmt>> {
        let Some(&Global::Proc(index)) = self.names.globals.get(&name.text) else {
            return self.not_a_procedure(span, name, args);
        };
        self.note(name.span, Symbol::Proc(index as u32));
        let first = self.used_procs.insert(index);
        let decl = self.decls.procs[index];
        if self.busy.contains(&decl.name.text) {
            let text = &decl.name.text;
            self.report_cycle(Code::RecursiveFunction, text, name.span, "the procedure", "calls itself");
            return None;
        }
        if decl.params.len() != args.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(name, decl.params.len(), args.len());
            return None;
        }
        if self.inlined > MAX_STATEMENTS || self.blocks > MAX_BLOCKS {
            let message = format!("the procedures that `{}` calls are too much", name.text);
            let help = format!(
                "calls stand for the statements of procedures: at most {MAX_STATEMENTS} in all, {MAX_BLOCKS} blocks deep"
            );
            self.report(Diagnostic::error(Code::CallsTooDeep, name.span, message).help(help));
            return None;
        }
        let mut statements = Vec::new();
        let arguments: Vec<Option<Argument>> = decl
            .params
            .iter()
            .zip(args)
            .map(|(param, arg)| self.procedure_argument(param, arg, &mut statements))
            .collect();
        let arguments = arguments.into_iter().collect::<Option<Vec<_>>>();
        let body = self.busy_with(&decl.name.text, name.span, |checker| {
            checker.procedure_body(decl, arguments?, first, span)
        })?;
        self.inlined += body.len();
        statements.extend(body);
        Some(statements)
    }

    /// The body of a procedure, in which its parameters stand for the arguments.
    fn procedure_body(
        &mut self,
        decl: ProcDecl<'_>,
        arguments: Vec<Argument>,
        first: bool,
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let copying = self.copying;
        self.copying |= !first;
        let recorder = if self.copying { self.recorder.take() } else { None };
        let env = Env::new(self.env.context, None);
        let (statements, _) = self.within(env, |checker| {
            let mut statements = Vec::new();
            for (param, argument) in decl.params.iter().zip(arguments) {
                let stored = match &argument {
                    Argument::Value(_, stored) | Argument::Place(_, stored) => *stored,
                };
                let local = checker.bind(&param.field.name, Some(stored), Bound::Parameter);
                match argument {
                    Argument::Value(value, _) => {
                        let kind = StmtKind::Let(local, Initial::Value(value));
                        statements.push(Stmt { span, kind });
                    }
                    Argument::Place(place, _) => {
                        checker.env.bindings.last_mut()?.place = Some(place);
                    }
                }
            }
            statements.extend(checker.block(decl.body)?);
            Some(statements)
        });
        self.copying = copying;
        if recorder.is_some() {
            self.recorder = recorder;
        }
        statements
    }

    fn procedure_argument(
        &mut self,
        param: &ast::Param,
        arg: &ast::Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<Argument> {
        let want = self.stored(&param.field.ty);
        if !param.inout {
            let value = self.check_maybe(arg, want)?;
            return Some(Argument::Value(value, want?));
        }
        let (place, stored) = self.target(arg)?;
        let want = want?;
        if stored != want {
            let message = format!(
                "`{}` is an `inout` parameter of type `{}`, and this is of type `{}`",
                param.field.name.text,
                self.stored_name(want),
                self.stored_name(stored)
            );
            let help = "an `inout` argument is a place of exactly the type of the parameter";
            self.report(Diagnostic::error(Code::TypeMismatch, arg.span, message).help(help));
            return None;
        }
        Some(Argument::Place(self.settled(place, before), stored))
    }

    /// A place whose indices do not change any more.
    pub(super) fn settled(&mut self, place: Expr, before: &mut Vec<Stmt>) -> Expr {
        let Expr { span, ty, kind } = place;
        let kind = match kind {
            ExprKind::Var(var, member) => ExprKind::Var(
                var,
                member.into_iter().map(|index| self.settled_index(index, before)).collect(),
            ),
            ExprKind::Index(base, index) => {
                let base = self.settled(*base, before);
                ExprKind::Index(Box::new(base), Box::new(self.settled_index(*index, before)))
            }
            ExprKind::Field(base, field) => ExprKind::Field(Box::new(self.settled(*base, before)), field),
            ExprKind::Unwrap(base) => ExprKind::Unwrap(Box::new(self.settled(*base, before))),
            kind => kind,
        };
        Expr { span, ty, kind }
    }

    /// An index that does not change: itself, or a name for its value.
    fn settled_index(&mut self, index: Expr, before: &mut Vec<Stmt>) -> Expr {
        let fixed = match &index.kind {
            ExprKind::Const(_) => true,
            ExprKind::Local(local) => self.local_info[local.index()].kind != Bound::Var,
            _ => false,
        };
        if fixed {
            return index;
        }
        // With its declared type, so that a process number stays one.
        let (span, ty, stored) = (index.span, index.ty, self.stored_of(&index));
        let local = self.fresh("_", span, stored, Bound::Let);
        before.push(Stmt { span, kind: StmtKind::Let(local, Initial::Value(index)) });
        expr(span, ty, ExprKind::Local(local))
    }

    /// What an `inout` parameter stands for, where it is used.
    pub(super) fn place_of_caller(&mut self, span: Span, place: &Expr) -> Option<Expr> {
        let mut root = place;
        while let ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) = &root.kind {
            root = base;
        }
        match root.kind {
            ExprKind::Var(var, _) => self.vars[var.index()].reads += 1,
            ExprKind::Local(local) => self.local_info[local.index()].used = true,
            _ => {}
        }
        Some(Expr { span, ..place.clone() })
    }

    /// The bodies of procedures that nobody calls are looked at all the same.
    pub(super) fn procedures_never_called(&mut self) {
        for index in 0..self.decls.procs.len() {
            if self.used_procs.contains(&index) {
                continue;
            }
            let decl = self.decls.procs[index];
            self.busy_with(&decl.name.text, decl.name.span, |checker| {
                let env = Env::new(Context::Rule, None);
                checker.within(env, |checker| {
                    for param in decl.params {
                        let ty = checker.stored(&param.field.ty);
                        let kind = if param.inout { Bound::Var } else { Bound::Parameter };
                        checker.bind(&param.field.name, ty, kind);
                    }
                    checker.block(decl.body)
                });
                Some(())
            });
        }
    }

    /// A procedure where a value is expected.
    pub(super) fn procedure_as_value(&mut self, span: Span, name: &str, index: usize) {
        self.note(span, Symbol::Proc(index as u32));
        self.used_procs.insert(index);
        let message = format!("`{name}` is a procedure, which has no value");
        let help = format!("call it as a statement: `{name}(…);`; what has a value is an `fn`");
        self.report(Diagnostic::error(Code::NotAValue, span, message).help(help));
    }

    fn not_a_procedure<T>(&mut self, span: Span, name: &ast::Name, args: &[ast::Expr]) -> Option<T> {
        args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
        let text = &name.text;
        let function = matches!(self.names.globals.get(text), Some(Global::Function(_)))
            || super::collect::BUILT_IN.contains(&text.as_str());
        if function || self.is_type(text) {
            let help = "functions have no effect: use their value; statements with a name are a `proc`";
            let message = "this is an expression, not a statement";
            self.report(Diagnostic::error(Code::NotAStatement, span, message).help(help));
            return None;
        }
        let procs = self.names.globals.iter().filter(|(_, global)| matches!(global, Global::Proc(_)));
        let help = match nearest(text, procs.map(|(name, _)| name.as_str())) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if STATEMENTS.contains(&text.as_str()) || nearest(text, STATEMENTS).is_some() => {
                Some(format!("methods are called with a dot: `q.{text}(…)`"))
            }
            None if self.names.rules.contains_key(text) => {
                Some(format!("`{text}` is a rule; what rules share is a procedure: `proc {text}(…) {{ … }}`"))
            }
            None => None,
        };
        let message = format!("unknown procedure `{text}`");
        self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownFunction, name.span, message) });
        None
    }
}

/// What a parameter stands for.
enum Argument {
    Value(Expr, Stored),
    Place(Expr, Stored),
}
