//! Warns about what is declared and never used, read or written. Names that start with `_` are exempt.

use super::Checker;
use super::scope::{Bound, Slot};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Initial, Stored};
use burnside_ts::Type;

impl Checker<'_> {
    pub(super) fn warn_unused(&mut self) {
        if self.has_errors() {
            return;
        }
        self.warn_unused_declarations();
        self.warn_unused_vars();
        self.warn_unused_locals(0);
    }

    fn unused(&mut self, code: Code, span: Span, what: &str, name: &str, help: &str) {
        if !name.starts_with('_') {
            let message = format!("the {what} `{name}` is never used");
            self.report(Diagnostic::warning(code, span, message).help(help));
        }
    }

    fn warn_unused_declarations(&mut self) {
        for (index, decl) in self.decls.constants.clone().into_iter().enumerate() {
            if !self.used_constants.contains(&index) {
                self.unused(Code::UnusedConstant, decl.name.span, "constant", &decl.name.text, "remove it");
            }
        }
        for (index, decl) in self.decls.types.clone().into_iter().enumerate() {
            if !self.used_types.contains(&index) && !self.has_used_constant(index) {
                self.unused(Code::UnusedType, decl.name.span, "type", &decl.name.text, "remove it");
            }
        }
        for (index, decl) in self.decls.functions.clone().into_iter().enumerate() {
            if !self.used_functions.contains(&index) {
                self.unused(Code::UnusedFunction, decl.name.span, "function", &decl.name.text, "remove it");
            }
        }
        for (index, decl) in self.decls.procs.clone().into_iter().enumerate() {
            if !self.used_procs.contains(&index) {
                self.unused(Code::UnusedFunction, decl.name.span, "procedure", &decl.name.text, "remove it");
            }
        }
    }

    fn has_used_constant(&self, index: usize) -> bool {
        matches!(self.names.type_slots[index], Slot::Done(Some(Stored::Type(ty))) if self.used_enums.contains(&ty))
    }

    fn warn_unused_vars(&mut self) {
        for index in 0..self.vars.len() {
            let Some(decl) = self.decls.vars[index] else { continue };
            let (reads, writes) = (self.vars[index].reads, self.vars[index].writes);
            let (name, span) = (decl.name.text.as_str(), decl.name.span);
            if name.starts_with('_') {
                continue;
            }
            let diagnostic = match (reads, writes) {
                (0, 0) => Diagnostic::warning(Code::UnusedVariable, span, format!("`{name}` is never used"))
                    .help("remove it, or start its name with `_`"),
                (0, _) => Diagnostic::warning(Code::UnusedVariable, span, format!("`{name}` is never read"))
                    .help("remove it, or start its name with `_`"),
                (_, 0) if self.is_plain(index) && self.decls.own.is_none_or(|own| span.start <= own) => {
                    Diagnostic::warning(Code::NeverWritten, span, format!("`{name}` is never changed"))
                        .help(self.instead_of_variable(index))
                }
                _ => continue,
            };
            self.report(diagnostic);
        }
    }

    fn instead_of_variable(&self, var: usize) -> &'static str {
        let ty = self.vars[var].ty.map(|ty| self.types.get(ty));
        match ty {
            Some(Type::Bool | Type::Range { .. }) => "if it is meant to stay as it is, make it a `const`",
            _ => "say its value where it is used",
        }
    }

    /// Whether a variable starts with a plain value, so that it could be a constant. Tables and parameters
    /// chosen with `any` could not.
    fn is_plain(&self, var: usize) -> bool {
        match &self.initial[var] {
            Some(Initial::Zero) => true,
            Some(Initial::Value(e) | Initial::Fill(e)) => super::fold::fold(e).is_ok(),
            _ => false,
        }
    }

    /// Names bound and not used, from a given local on.
    pub(super) fn warn_unused_locals(&mut self, from: usize) {
        for index in from..self.locals.len() {
            let info = &self.local_info[index];
            if info.used || info.copy || info.kind == Bound::Index {
                continue;
            }
            let what = match info.kind {
                Bound::Parameter => "parameter",
                Bound::Var => "local variable",
                _ => "name",
            };
            let help = match info.kind {
                Bound::Let | Bound::Var => "remove it",
                _ => "write `_` for a name that does not matter",
            };
            let (name, span) = (self.locals[index].name.clone(), self.locals[index].span);
            self.unused(Code::UnusedName, span, what, &name, help);
        }
    }
}
