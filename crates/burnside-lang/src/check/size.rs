//! What only the whole model shows: the width of a state, and whether there is anything to check.

use super::Checker;
use super::scope::VarInfo;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir;
use crate::syntax::ast;
use burnside_ts::{TypeError, TypeId, Types};

impl Checker<'_> {
    /// A state must fit into [`Types::MAX_WIDTH`].
    pub(super) fn check_state_width(&mut self) {
        let deep = self.vars.iter().find(|var| self.depth(var) > Types::MAX_DEPTH);
        if let Some(span) = deep.map(|var| var.span) {
            return self.type_error::<()>(TypeError::TooDeep, span).unwrap_or_default();
        }
        let widths: Option<Vec<u64>> = self.vars.iter().map(|var| self.width(var)).collect();
        let Some(widths) = widths else { return };
        let total = widths.iter().fold(0u64, |sum, width| sum.saturating_add(*width));
        if total <= Types::MAX_WIDTH {
            let too_many = self.too_many_parts();
            return too_many.map_or((), |(parts, span)| {
                self.type_error::<()>(TypeError::TooManyParts(parts), span).unwrap_or_default()
            });
        }
        let biggest = (0..widths.len()).rev().max_by_key(|&i| widths[i]).expect("too wide, so not empty");
        let (var, width) = (&self.vars[biggest], widths[biggest] / 8);
        let message =
            format!("a state would take {} bytes; the limit is {}", total / 8, Types::MAX_WIDTH / 8);
        let label = format!("`{}` alone takes {width}", var.name);
        self.report(Diagnostic::error(Code::StateTooWide, var.span, message).label(label));
    }

    /// The types inside each other, with those of the indices of its family.
    fn depth(&self, var: &VarInfo) -> u32 {
        let indices = var.process.map_or(0, |id| self.names.processes[id.index()].index_types.len());
        var.ty.map_or(0, |ty| self.types.depth(ty)) + indices as u32
    }

    /// A variable with too many parts, of whatever width.
    fn too_many_parts(&self) -> Option<(u64, Span)> {
        let parts = |var: &VarInfo| Some((self.in_family(self.types.cells(var.ty?), var)?, var.span));
        self.vars.iter().filter_map(parts).find(|(parts, _)| *parts > Types::MAX_WIDTH)
    }

    /// The bits of a variable, in all members of its family.
    fn width(&self, var: &VarInfo) -> Option<u64> {
        self.in_family(u64::from(self.types.width(var.ty?)), var)
    }

    /// So many for each member of a variable's family.
    fn in_family(&self, each: u64, var: &VarInfo) -> Option<u64> {
        let mut width = each;
        if let Some(process) = var.process {
            for ty in &self.names.processes[process.index()].index_types {
                width = width.saturating_mul(self.types.size((*ty)?)?);
            }
        }
        Some(width)
    }

    /// Every fairness unit is kept track of, so there must not be too many.
    pub(super) fn check_fairness_units(&mut self) {
        let mut found = Vec::new();
        for process in self.names.processes.iter().filter(|process| process.fairness.is_some()) {
            let sizes = process.index_types.iter().map(|ty| ty.map_or(Some(1), |ty| self.types.size(ty)));
            found.push((units(sizes), process.span, "process"));
        }
        for rule in self.rules.iter().flatten().filter(|rule| rule.fairness.is_some()) {
            let types = self.rule_types(rule).into_iter();
            let sizes = types.map(|ty| ty.map_or(Some(1), |ty| self.types.size(ty)));
            found.push((units(sizes), rule.span, "rule"));
        }
        for set in &self.fair_sets {
            let Some(member) = set.members.first() else { continue };
            let Some(rule) = &self.rules[member.rule.index()] else { continue };
            let types = self.rule_types(rule);
            let sizes = member.params.iter().map(|&i| types[i].map_or(Some(1), |ty| self.types.size(ty)));
            found.push((units(sizes), set.span, "set"));
        }
        for (_, span, what) in found.into_iter().filter(|(units, ..)| *units > MAX_UNITS) {
            let message = format!("this {what} would make more than {MAX_UNITS} fairness units");
            let help = match what {
                "rule" => {
                    "each instance of the rule is one: make the process fair instead, or use smaller parameters"
                }
                "set" => "each combination of its indices is one: leave some out with `_`",
                _ => "each member of the family is one: use a smaller family",
            };
            self.report(Diagnostic::error(Code::TooManyUnits, span, message).help(help));
        }
    }

    /// The types of the parameters of a rule, those of its process first.
    pub(super) fn rule_types(&self, rule: &hir::Rule) -> Vec<Option<TypeId>> {
        let indices = self.names.processes[rule.process.index()].index_types.iter().copied();
        let params = rule.params.iter().map(|param| match self.locals[param.local.index()].ty {
            hir::Stored::Type(ty) => Some(ty),
            hir::Stored::Int => None,
        });
        indices.chain(params).collect()
    }

    /// A model has a variable and a rule.
    pub(super) fn check_not_empty(&mut self, file: &ast::File) {
        let end = file.items.last().map_or(0, |item| item.span.end);
        let first = file.items.first().map_or(Span::new(0, end), |item| item.span);
        let (message, help) = match (self.decls.vars.is_empty(), self.decls.rules.is_empty()) {
            (false, false) => return,
            (true, true) => {
                let help = "declare a `var` and a `process` with a `rule`, or `import` this file from a model \
                            that has some";
                ("the model has neither variables nor rules", help)
            }
            (true, false) => ("the model has no variables", "declare one: `var x: bool;`"),
            (false, true) => {
                let help = "add a `process` with a `rule`, or `import` this file from a model that has some";
                ("the model has no rules, so nothing ever happens", help)
            }
        };
        self.report(Diagnostic::error(Code::EmptyModel, first, message).help(help));
    }
}

/// The greatest number of fairness units of one process or rule.
const MAX_UNITS: u64 = 1 << 20;

/// The product of sizes; as many as can be if a type is not numbered.
fn units(sizes: impl Iterator<Item = Option<u64>>) -> u64 {
    sizes.map(|size| size.unwrap_or(u64::MAX)).fold(1, u64::saturating_mul)
}
