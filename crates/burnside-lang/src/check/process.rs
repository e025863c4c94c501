//! Processes and their rules, the types of variables, and the finished model.

use super::Checker;
use super::collect::{ConstDecl, RuleDecl, fairness};
use super::expr::{expr, strip};
use super::scope::{Bound, Context, Slot, VarInfo};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Expr, ExprKind, LocalId, ProcessId, Rule, RuleId, Stored};
use crate::syntax::ast::{self, BinaryOp};
use burnside_ts::TypeId;

impl VarInfo {
    /// Of a finished variable.
    pub(super) fn of(var: &hir::Var) -> Self {
        let (name, span, process, ty) = (var.name.clone(), var.span, var.process, Some(var.ty));
        Self { name, span, process, ty, reads: 0, writes: 0 }
    }
}

impl Checker<'_> {
    /// Indices of processes, types of variables, functions.
    pub(super) fn variables_and_processes(&mut self) {
        for index in 0..self.decls.processes.len() {
            self.process_indices(index);
        }
        for index in 0..self.vars.len() {
            if let Some(decl) = self.decls.vars[index] {
                self.vars[index].ty = self.finite(&decl.ty);
            }
        }
        self.signatures();
        self.function_bodies();
    }

    fn process_indices(&mut self, process: usize) {
        let decl = self.decls.processes[process];
        let mut locals: Vec<LocalId> = Vec::new();
        let mut types: Vec<Option<TypeId>> = Vec::new();
        for (i, index) in decl.indices.iter().enumerate() {
            let first = decl.indices[..i].iter().find(|first| first.name.text == index.name.text);
            if let Some(first) = first.filter(|_| index.name.text != "_") {
                self.duplicate(&index.name, first.name.span);
            }
            let ty = self.index_type(decl, index);
            types.push(ty);
            let stored = ty.map_or(Stored::Int, Stored::Type);
            locals.push(self.fresh(&index.name.text, index.name.span, stored, Bound::Index));
        }
        let info = &mut self.names.processes[process];
        info.indices = locals;
        info.index_types = types;
    }

    fn index_type(&mut self, process: &ast::Process, index: &ast::Index) -> Option<TypeId> {
        let name = match &index.ty {
            Some(ty) => return self.numbered(ty, "the indices of a family"),
            None => &process.name,
        };
        if !self.is_type(&name.text) {
            let message = format!("there is no type `{}` for the index `{}`", name.text, index.name.text);
            let diagnostic = Diagnostic::error(Code::UnknownType, index.name.span, message);
            let help = format!("say which type: `process {}[{}: T]`", name.text, index.name.text);
            self.report(diagnostic.help(help));
            return None;
        }
        let ty = ast::Type { span: name.span, kind: ast::TypeKind::Name(name.clone()) };
        self.numbered(&ty, "the indices of a family")
    }

    pub(super) fn rule_bodies(&mut self) {
        self.guard_weights = vec![1; self.decls.rules.len()];
        self.checked_rules = vec![false; self.decls.rules.len()];
        for index in 0..self.decls.rules.len() {
            self.rule_body(RuleId(index as u32));
        }
    }

    /// Checks a rule, unless that has been done: a guard may have asked for it.
    pub(super) fn rule_body(&mut self, id: RuleId) {
        if std::mem::replace(&mut self.checked_rules[id.index()], true) {
            return;
        }
        let decl = self.decls.rules[id.index()];
        let env = self.process_env(Context::Rule, Some(decl.process));
        self.rules[id.index()] = self.within(env, |checker| checker.rule(decl, id)).0;
    }

    fn rule(&mut self, decl: RuleDecl<'_>, id: RuleId) -> Option<Rule> {
        let rule = decl.rule;
        let priority = rule.priority.as_ref().map_or(Some(0), |priority| self.constant_int(priority));
        let params = self.binders(&rule.params, Bound::Parameter);
        let mut guard: Vec<Option<Expr>> = Vec::new();
        for at in [decl.around, &rule.at] {
            if !at.is_empty() {
                guard.push(self.at_one_of(decl.process, at));
            }
        }
        if let Some(condition) = &rule.guard {
            let mut conjuncts = Vec::new();
            flatten(condition, &mut conjuncts);
            self.guarding.push(id);
            let outer = std::mem::replace(&mut self.guarding_priority, priority.unwrap_or(0));
            guard.extend(conjuncts.into_iter().map(|conjunct| self.condition(conjunct)));
            self.guarding_priority = outer;
            self.guarding.pop();
        }
        let body = self.block(&rule.body);
        Some(Rule {
            name: rule.name.text.clone(),
            span: rule.span,
            process: decl.process,
            params: params?,
            guard: guard.into_iter().collect::<Option<_>>()?,
            body: body?,
            priority: priority?,
            fairness: fairness(rule.fairness),
        })
    }

    /// The process is at one of the locations.
    fn at_one_of(&mut self, process: ProcessId, at: &[ast::Name]) -> Option<Expr> {
        let tests: Vec<Option<Expr>> =
            at.iter().map(|location| self.at_location(process, location)).collect();
        let tests: Vec<Expr> = tests.into_iter().collect::<Option<_>>()?;
        tests.into_iter().reduce(|a, b| {
            let span = a.span.to(b.span);
            self.boolean(span, ExprKind::Or(Box::new(a), Box::new(b)))
        })
    }

    fn at_location(&mut self, process: ProcessId, location: &ast::Name) -> Option<Expr> {
        let (pc, position) = self.location(process, location)?;
        let member = self.own_member(location.span);
        let pc = self.var(location.span, pc, member)?;
        let constant = expr(location.span, pc.ty, ExprKind::Const(position));
        Some(self.equal(location.span, false, pc, constant))
    }

    pub(super) fn init_blocks(&mut self) {
        for block in self.decls.inits.clone() {
            let env = self.process_env(Context::Init, None);
            let (statements, _) = self.within(env, |checker| checker.block(block));
            self.init.extend(statements.unwrap_or_default());
        }
    }

    /// The finished model; only when nothing is wrong.
    pub(super) fn model(&mut self) -> Option<hir::Model> {
        let processes = self.names.processes.iter().map(|process| hir::Process {
            name: process.name.clone(),
            span: process.span,
            indices: process.indices.clone(),
            fairness: process.fairness,
            pc: process.pc.map(|(pc, _)| pc),
        });
        Some(hir::Model {
            processes: processes.collect(),
            constants: self.finished_constants()?,
            vars: self.finished_vars()?,
            rules: std::mem::take(&mut self.rules).into_iter().collect::<Option<_>>()?,
            fair_sets: std::mem::take(&mut self.fair_sets),
            types: std::mem::take(&mut self.types),
            locals: std::mem::take(&mut self.locals),
            functions: std::mem::take(&mut self.functions),
            init: std::mem::take(&mut self.init),
            properties: std::mem::take(&mut self.properties),
            observed: Vec::new(),
            constraints: std::mem::take(&mut self.constraints),
            hints: std::mem::take(&mut self.hints),
            deadlock_free: self.deadlock_free,
            generators: std::mem::take(&mut self.generators),
            expectations: std::mem::take(&mut self.expectations),
            names: std::mem::take(&mut self.names),
        })
    }

    fn finished_constants(&self) -> Option<Vec<hir::Constant>> {
        let finished = |(decl, slot): (&ConstDecl<'_>, &Slot<hir::ConstantValue>)| match slot {
            Slot::Done(Some(value)) => Some(hir::Constant { name: decl.name.text.clone(), value: *value }),
            _ => None,
        };
        self.decls.constants.iter().zip(&self.names.constants).map(finished).collect()
    }

    fn finished_vars(&mut self) -> Option<Vec<hir::Var>> {
        let initial = std::mem::take(&mut self.initial);
        let finished = |(var, initial): (&VarInfo, Option<hir::Initial>)| {
            let (name, span, process) = (var.name.clone(), var.span, var.process);
            Some(hir::Var { name, span, process, ty: var.ty?, initial: initial? })
        };
        self.vars.iter().zip(initial).map(finished).collect()
    }
}

/// The conjuncts of a guard, from left to right.
fn flatten<'e>(e: &'e ast::Expr, conjuncts: &mut Vec<&'e ast::Expr>) {
    match &strip(e).kind {
        ast::ExprKind::Binary(BinaryOp::And, a, b) => {
            flatten(a, conjuncts);
            flatten(b, conjuncts);
        }
        ast::ExprKind::Chain(operands, ops) if ops.first() == Some(&BinaryOp::And) => {
            operands.iter().for_each(|operand| flatten(operand, conjuncts));
        }
        _ => conjuncts.push(e),
    }
}
