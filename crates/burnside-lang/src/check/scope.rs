//! Names and what they stand for: the tables of the whole model
//! ([`Names`]) and the names bound at one place ([`Env`]).
//!
//! Constants, variables, functions and types share one space of names; processes have their own, so that a
//! family may be named like its index type; enum constants have a third, in which several enums may share a
//! name. Properties and hints, which no expression names, have one each.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    ConstantValue, Expr, Fairness, FunctionId, Local, LocalId, ProcessId, RuleId, Stored, VarId,
};
use crate::syntax::ast;
use burnside_ts::TypeId;
use std::collections::BTreeMap;

/// What a name at the top level stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Constant(usize),
    Var(VarId),
    Function(usize),
    Proc(usize),
}

/// Something that is worked out when it is first needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot<T> {
    Todo,
    Busy,
    /// `None` if it is wrong; that is reported already.
    Done(Option<T>),
}

/// A function as its callers see it.
#[derive(Clone, Debug)]
pub(super) struct FunctionInfo {
    pub params: Vec<Option<Stored>>,
    pub result: Option<Stored>,
    pub slot: Slot<FunctionId>,
    /// The last variable it reads, itself or through others.
    pub last_var: Option<VarId>,
}

/// A process as the rest of the model sees it.
#[derive(Clone, Debug)]
pub(super) struct ProcessInfo {
    pub name: String,
    pub span: Span,
    pub fairness: Option<Fairness>,
    pub indices: Vec<LocalId>,
    pub index_types: Vec<Option<TypeId>>,
    pub vars: BTreeMap<String, VarId>,
    /// The variable that holds the location, with its type.
    pub pc: Option<(VarId, TypeId)>,
    /// The positions of its locations.
    pub locations: BTreeMap<String, i64>,
    pub rules: BTreeMap<String, RuleId>,
}

/// A variable as the rest of the model sees it.
#[derive(Clone, Debug)]
pub(super) struct VarInfo {
    pub name: String,
    pub span: Span,
    pub process: Option<ProcessId>,
    pub ty: Option<TypeId>,
    pub reads: u32,
    pub writes: u32,
}

/// The names of a checked model, for what is checked in it later (see
/// [`check_property`](super::check_property)).
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(super) globals: BTreeMap<String, Global>,
    pub(super) types: BTreeMap<String, usize>,
    pub(super) enum_constants: BTreeMap<String, Vec<(TypeId, u32)>>,
    /// The cases of unions that are wrong, which is reported already.
    pub(super) broken_cases: std::collections::BTreeSet<String>,
    pub(super) process_names: BTreeMap<String, ProcessId>,
    /// Variables of processes by their names.
    pub(super) process_vars: BTreeMap<String, Vec<VarId>>,
    pub(super) rules: BTreeMap<String, Vec<RuleId>>,
    pub(super) properties: BTreeMap<String, Span>,
    pub(super) hints: BTreeMap<String, Span>,
    pub(super) constants: Vec<Slot<ConstantValue>>,
    pub(super) type_slots: Vec<Slot<Stored>>,
    pub(super) functions: Vec<FunctionInfo>,
    pub(super) processes: Vec<ProcessInfo>,
}

/// How a name came to be bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Index,
    Parameter,
    Let,
    Var,
    Quantified,
    Loop,
    Case,
}

impl Bound {
    /// As in "`x` is …".
    pub fn phrase(self) -> &'static str {
        match self {
            Bound::Index => "an index of the process",
            Bound::Parameter => "a parameter",
            Bound::Let => "a name made by `let`",
            Bound::Var => "a local variable",
            Bound::Quantified => "a quantified name",
            Bound::Loop => "the name of a loop",
            Bound::Case => "a name of a case",
        }
    }
}

/// A bound name in scope.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: String,
    pub local: LocalId,
    pub kind: Bound,
    /// Whether its type is known; if not, something was reported.
    pub known: bool,
    /// Bound inside a constant expression, so that it may be read there.
    pub constant: bool,
    /// What it stands for, if it is an `inout` parameter.
    pub place: Option<Expr>,
}

/// What is remembered about every local.
#[derive(Clone, Debug)]
pub(super) struct LocalInfo {
    pub kind: Bound,
    pub used: bool,
    /// Of a procedure that was looked at before: everything about it was told then.
    pub copy: bool,
}

/// What kind of text is being checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Constants, types.
    Constant,
    /// The initial value of a variable: only those before it may be read.
    Initial(VarId),
    Function,
    Rule,
    Init,
    /// `invariant`, `reachable`, `never`, `hint`
    State,
    Ltl,
    Ctl,
}

impl Context {
    pub fn is_property(self) -> bool {
        matches!(self, Context::State | Context::Ltl | Context::Ctl)
    }
}

/// Where we are: the names bound here and what is allowed.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub context: Context,
    pub process: Option<ProcessId>,
    pub bindings: Vec<Binding>,
    /// Inside an expression that must be constant.
    pub constant: bool,
    /// Whether a temporal operator may stand right here.
    pub temporal: bool,
    /// The last variable read so far.
    pub last_var: Option<VarId>,
}

impl Env {
    pub fn new(context: Context, process: Option<ProcessId>) -> Self {
        let constant = context == Context::Constant;
        let temporal = matches!(context, Context::Ltl | Context::Ctl);
        Self { context, process, bindings: Vec::new(), constant, temporal, last_var: None }
    }
}

impl Checker<'_> {
    /// Runs `work` in another environment and gives that environment back with the result.
    pub(super) fn within<T>(&mut self, env: Env, work: impl FnOnce(&mut Self) -> T) -> (T, Env) {
        let outer = std::mem::replace(&mut self.env, env);
        let result = work(self);
        (result, std::mem::replace(&mut self.env, outer))
    }

    /// Runs `work`; the names it binds are gone afterwards.
    pub(super) fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.env.bindings.len();
        let result = work(self);
        self.env.bindings.truncate(mark);
        result
    }

    /// The environment of a process: its indices are bound.
    pub(super) fn process_env(&self, context: Context, process: Option<ProcessId>) -> Env {
        let mut env = Env::new(context, process);
        let Some(process) = process else { return env };
        let info = &self.names.processes[process.index()];
        for (&local, ty) in info.indices.iter().zip(&info.index_types) {
            let name = self.locals[local.index()].name.clone();
            env.bindings.push(Binding {
                name,
                local,
                kind: Bound::Index,
                known: ty.is_some(),
                constant: false,
                place: None,
            });
        }
        env
    }

    /// Binds a name from here to the end of the scope.
    pub(super) fn bind(&mut self, name: &ast::Name, ty: Option<Stored>, kind: Bound) -> LocalId {
        if kind != Bound::Index {
            self.warn_shadowed(name);
        }
        let local = self.fresh(&name.text, name.span, ty.unwrap_or(Stored::Int), kind);
        let constant = self.env.constant;
        let known = ty.is_some();
        let binding = Binding { name: name.text.clone(), local, kind, known, constant, place: None };
        self.env.bindings.push(binding);
        local
    }

    /// A local that is not in scope anywhere.
    pub(super) fn fresh(&mut self, name: &str, span: Span, ty: Stored, kind: Bound) -> LocalId {
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: name.to_string(), span, ty });
        self.local_info.push(LocalInfo { kind, used: false, copy: self.copying });
        local
    }

    /// The innermost binding of a name.
    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.env.bindings.iter().rev().find(|binding| binding.name == name)
    }

    /// The variable of this name that the process we are in has.
    pub(super) fn own_var(&self, name: &str) -> Option<VarId> {
        let process = self.env.process?;
        self.names.processes[process.index()].vars.get(name).copied()
    }

    /// Whether the name stands for a value here, so that it cannot stand for a type or a process.
    pub(super) fn is_value(&self, name: &str) -> bool {
        self.binding(name).is_some()
            || self.own_var(name).is_some()
            || matches!(self.names.globals.get(name), Some(Global::Constant(_) | Global::Var(_)))
    }

    fn warn_shadowed(&mut self, name: &ast::Name) {
        if name.text.starts_with('_') {
            return;
        }
        let Some((what, span)) = self.shadowed(&name.text) else { return };
        let message = format!("`{}` hides {what} of the same name", name.text);
        let diagnostic = Diagnostic::warning(Code::ShadowedName, name.span, message);
        self.report(diagnostic.note(span, "hidden here").help("choose another name"));
    }

    /// What a new binding of `name` would hide.
    pub(super) fn shadowed(&self, name: &str) -> Option<(String, Span)> {
        if let Some(binding) = self.binding(name) {
            return Some((binding.kind.phrase().to_string(), self.locals[binding.local.index()].span));
        }
        if let Some(var) = self.own_var(name) {
            return Some((String::from("a variable of the process"), self.vars[var.index()].span));
        }
        self.shadowed_global(name)
    }

    /// What a variable of a process of this name would hide.
    pub(super) fn shadowed_global(&self, name: &str) -> Option<(String, Span)> {
        if let Some(global) = self.names.globals.get(name) {
            let what = match global {
                Global::Constant(_) => "a constant",
                Global::Var(_) => "a variable",
                Global::Function(_) => "a function",
                Global::Proc(_) => "a procedure",
            };
            return Some((what.to_string(), self.decls.spans.get(name).copied().unwrap_or_default()));
        }
        let enums = self.names.enum_constants.get(name)?;
        let span = self.decls.constant_spans.get(name)?;
        Some((format!("a constant of `{}`", self.type_name(enums[0].0)), *span))
    }
}
