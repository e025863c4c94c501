//! What only the whole model shows: the width of a state, and whether there is anything to check.

use super::Checker;
use super::scope::VarInfo;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast;
use burnside_ts::Types;

impl Checker<'_> {
    /// A state must fit into [`Types::MAX_WIDTH`].
    pub(super) fn check_state_width(&mut self) {
        let widths: Option<Vec<u64>> = self.vars.iter().map(|var| self.width(var)).collect();
        let Some(widths) = widths else { return };
        let total = widths.iter().fold(0u64, |sum, width| sum.saturating_add(*width));
        if total <= Types::MAX_WIDTH {
            return;
        }
        let biggest = (0..widths.len()).rev().max_by_key(|&i| widths[i]).expect("too wide, so not empty");
        let (var, width) = (&self.vars[biggest], widths[biggest] / 8);
        let message =
            format!("a state would take {} bytes; the limit is {}", total / 8, Types::MAX_WIDTH / 8);
        let label = format!("`{}` alone takes {width}", var.name);
        self.report(Diagnostic::error("state-too-wide", var.span, message).label(label));
    }

    /// The bits of a variable, in all members of its family.
    fn width(&self, var: &VarInfo) -> Option<u64> {
        let mut width = u64::from(self.types.width(var.ty?));
        if let Some(process) = var.process {
            for ty in &self.names.processes[process.index()].index_types {
                width = width.saturating_mul(self.types.size((*ty)?)?);
            }
        }
        Some(width)
    }

    /// A model has a variable and a rule.
    pub(super) fn check_not_empty(&mut self, file: &ast::File) {
        let end = file.items.last().map_or(0, |item| item.span.end);
        let first = file.items.first().map_or(Span::new(0, end), |item| item.span);
        let (message, help) = match (self.decls.vars.is_empty(), self.decls.rules.is_empty()) {
            (false, false) => return,
            (true, true) => {
                ("the model has neither variables nor rules", "declare a `var` and a `process` with a `rule`")
            }
            (true, false) => ("the model has no variables", "declare one: `var x: bool;`"),
            (false, true) => {
                ("the model has no rules, so nothing ever happens", "add a `process` with a `rule`")
            }
        };
        self.report(Diagnostic::error("empty-model", first, message).help(help));
    }
}
