//! Functions: signatures first, then bodies; a body is worked out when it is first called, so callees come first.

use super::Checker;
use super::collect::FunctionDecl;
use super::scope::{Bound, Context, Env, Slot};
use crate::diagnostic::Span;
use crate::hir::{Function, FunctionId, LocalId};

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
                self.report_cycle("recursive-function", name, used_at, "the function", "calls itself");
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
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function { name: decl.name.text.clone(), params, result, body });
        Some(id)
    }
}
