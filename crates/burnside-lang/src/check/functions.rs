//! Functions: signatures first, then bodies; a body is worked out when it is first called, so callees come
//! first.

use super::Checker;
use super::collect::FunctionDecl;
use super::scope::{Bound, Context, Env, Slot};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Function, FunctionId, LocalId};

/// Evaluating a function needs stack for each level, so there must not be too many. Trees of expressions are
/// limited as well, but functions call each other.
const MAX_LEVELS: u32 = 500;

impl Checker<'_> {
    /// The types of parameters and results.
    pub(super) fn signatures(&mut self) {
        for index in 0..self.decls.functions.len() {
            let decl = self.decls.functions[index];
            let params = decl.params.iter().map(|param| self.stored(&param.ty)).collect();
            let result = self.stored(decl.result);
            let info = &mut self.names.functions[index];
            info.params = params;
            info.result = result;
        }
    }

    /// The bodies of all functions.
    pub(super) fn function_bodies(&mut self) {
        for index in self.function_order() {
            if self.names.functions[index].slot == Slot::Todo {
                self.function(index, self.decls.functions[index].name.span);
            }
        }
    }

    /// A function that is called.
    pub(super) fn function(&mut self, index: usize, used_at: Span) -> Option<FunctionId> {
        match self.names.functions[index].slot {
            Slot::Done(id) => return id,
            Slot::Busy => {
                let name = &self.decls.functions[index].name.text;
                self.report_cycle(Code::RecursiveFunction, name, used_at, "the function", "calls itself");
                return None;
            }
            Slot::Todo => {}
        }
        let decl = self.decls.functions[index];
        self.names.functions[index].slot = Slot::Busy;
        let id = self.busy_with(&decl.name.text, used_at, |checker| {
            let env = Env::new(Context::Function, None);
            let (id, env) = checker.within(env, |checker| checker.function_body(index, decl));
            checker.names.functions[index].last_var = env.last_var;
            id
        });
        self.names.functions[index].slot = Slot::Done(id);
        id
    }

    fn function_body(&mut self, index: usize, decl: FunctionDecl<'_>) -> Option<FunctionId> {
        let types = self.names.functions[index].params.clone();
        let mut params: Vec<LocalId> = Vec::new();
        for (i, (param, ty)) in decl.params.iter().zip(&types).enumerate() {
            let first = decl.params[..i].iter().find(|first| first.name.text == param.name.text);
            match first.filter(|_| param.name.text != "_") {
                Some(first) => self.duplicate(&param.name, first.name.span),
                None => params.push(self.bind(&param.name, *ty, Bound::Parameter)),
            }
        }
        let result = self.names.functions[index].result;
        let body = self.check_maybe(decl.body, result);
        let (body, result) = (body?, result?);
        if types.contains(&None) || params.len() != types.len() {
            return None;
        }
        let levels = self.levels(&body);
        if levels > MAX_LEVELS {
            let name = &decl.name.text;
            let message =
                format!("with the functions that `{name}` calls it is more than {MAX_LEVELS} levels deep");
            let help = "make the chain of functions that call each other shorter";
            self.report(Diagnostic::error(Code::CallsTooDeep, decl.name.span, message).help(help));
            return None;
        }
        self.function_levels.push(levels);
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function { name: decl.name.text.clone(), params, result, body });
        Some(id)
    }

    /// How deep an expression is, with the functions that it calls in place.
    fn levels(&self, expr: &Expr) -> u32 {
        let mut below = 0;
        expr.each_part(&mut |part| below = below.max(self.levels(part)));
        match &expr.kind {
            ExprKind::Call(function, _) => below.max(self.function_levels[function.index()]) + 1,
            ExprKind::Quantify { binders, .. } => below + 1 + binders.len() as u32,
            _ => below + 1,
        }
    }
}
