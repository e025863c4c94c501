//! The first pass: every declaration gets its number and its name; nothing is looked at inside.
//!
//! A name that is declared twice keeps its first meaning; the second declaration is checked like any other
//! but nobody can use it.

use super::Checker;
use super::scope::{FunctionInfo, Global, ProcessInfo, Slot, VarInfo};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{self, ProcessId, RuleId, VarId};
use crate::syntax::ast::{self, ItemKind, MemberKind};
use burnside_limits::poll;
use burnside_ts::{Strength, Type};
use std::collections::BTreeMap;

/// Functions that cannot be declared because they exist.
pub(super) const BUILT_IN: [&str; 6] = ["abs", "max", "min", "next", "ord", "prev"];

/// Names that are operators inside `ltl` and `ctl` properties.
pub(super) const OPERATORS: [&str; 15] =
    ["X", "F", "G", "U", "R", "W", "M", "A", "E", "AX", "EX", "AF", "EF", "AG", "EG"];

/// `const`
#[derive(Clone, Copy)]
pub(super) struct ConstDecl<'a> {
    pub name: &'a ast::Name,
    pub ty: Option<&'a ast::Type>,
    /// None if it must be set from outside.
    pub value: Option<&'a ast::Expr>,
}

/// What declares a type.
#[derive(Clone, Copy)]
pub(super) enum TypeBody<'a> {
    Alias(&'a ast::Type),
    Sort {
        ring: bool,
        size: &'a ast::Expr,
    },
    /// Declared at once: it depends on nothing.
    Enum,
    Record(&'a [ast::Field]),
    Union(&'a [ast::Variant]),
}

/// A declared type.
#[derive(Clone, Copy)]
pub(super) struct TypeDecl<'a> {
    pub name: &'a ast::Name,
    pub body: TypeBody<'a>,
}

/// `fn`
#[derive(Clone, Copy)]
pub(super) struct FunctionDecl<'a> {
    pub name: &'a ast::Name,
    pub params: &'a [ast::Field],
    pub result: &'a ast::Type,
    pub body: &'a ast::Expr,
}

/// `proc`
#[derive(Clone, Copy)]
pub(super) struct ProcDecl<'a> {
    pub name: &'a ast::Name,
    pub params: &'a [ast::Param],
    pub body: &'a ast::Block,
}

/// `rule`, with the locations of the `at` around it.
#[derive(Clone, Copy)]
pub(super) struct RuleDecl<'a> {
    pub rule: &'a ast::Rule,
    pub around: &'a [ast::Name],
    pub process: ProcessId,
}

/// `fair { … }`, with the process that it stands in.
#[derive(Clone, Copy)]
pub(super) struct FairDecl<'a> {
    pub set: &'a ast::FairSet,
    pub process: Option<ProcessId>,
    pub span: Span,
}

/// The declarations as written.
#[derive(Default)]
pub(super) struct Decls<'a> {
    pub constants: Vec<ConstDecl<'a>>,
    pub types: Vec<TypeDecl<'a>>,
    /// The constants of enums, by the number of the type.
    pub enums: BTreeMap<usize, &'a [ast::Name]>,
    pub functions: Vec<FunctionDecl<'a>>,
    pub procs: Vec<ProcDecl<'a>>,
    /// By variable; `None` for the location of a process.
    pub vars: Vec<Option<&'a ast::Var>>,
    pub processes: Vec<&'a ast::Process>,
    pub rules: Vec<RuleDecl<'a>>,
    pub fair_sets: Vec<FairDecl<'a>>,
    pub inits: Vec<&'a ast::Block>,
    pub properties: Vec<(&'a ast::Property, Span)>,
    pub hints: Vec<(&'a ast::Name, &'a ast::Expr)>,
    pub constraints: Vec<&'a ast::Expr>,
    /// The properties that say what their verdicts should be.
    pub expects: Vec<(&'a ast::Property, ast::Expect)>,
    /// The `check` blocks.
    pub checks: Vec<(&'a [ast::Entry], Span)>,
    pub generators: Vec<&'a ast::Generator>,
    /// Where the text of the file itself ends, if others are behind it that it imports.
    pub own: Option<u32>,
    /// Whether something that it imports is not there.
    pub lacks: bool,
    /// Where constants, variables, functions and types are declared.
    pub spans: BTreeMap<String, Span>,
    /// Where enum constants are declared first.
    pub constant_spans: BTreeMap<String, Span>,
    /// The locations of each process.
    pub locations: Vec<Option<&'a [ast::Name]>>,
}

impl<'a> Checker<'a> {
    pub(super) fn collect(&mut self, file: &'a ast::File) {
        (self.decls.own, self.decls.lacks) = (file.own, file.lacks);
        for item in &file.items {
            self.collect_item(item);
        }
        self.check_constants_against_values();
        self.warn_hidden_globals();
        self.warn_operator_names();
    }

    fn collect_item(&mut self, item: &'a ast::Item) {
        poll();
        match &item.kind {
            ItemKind::Const { name, ty, value } => {
                let constant = Global::Constant(self.decls.constants.len());
                self.decls.constants.push(ConstDecl { name, ty: ty.as_ref(), value: value.as_ref() });
                self.names.constants.push(Slot::Todo);
                self.declare_global(name, constant);
            }
            ItemKind::Type { name, ty } => self.collect_type(name, TypeBody::Alias(ty)),
            ItemKind::Sort { ring, name, size } => {
                self.collect_type(name, TypeBody::Sort { ring: *ring, size });
            }
            ItemKind::Enum { name, constants } => self.collect_enum(name, constants),
            ItemKind::Union { name, variants } => {
                self.collect_type(name, TypeBody::Union(variants));
                for ast::Variant { name, .. } in variants {
                    self.decls.constant_spans.entry(name.text.clone()).or_insert(name.span);
                }
            }
            ItemKind::Record { name, fields } => self.collect_type(name, TypeBody::Record(fields)),
            ItemKind::Var(var) => {
                let id = self.new_var(&var.name, None, Some(var));
                self.declare_global(&var.name, Global::Var(id));
            }
            ItemKind::Function { name, params, result, body } => {
                let function = Global::Function(self.decls.functions.len());
                self.decls.functions.push(FunctionDecl { name, params, result, body });
                let slot = Slot::Todo;
                self.names.functions.push(FunctionInfo {
                    params: vec![],
                    result: None,
                    slot,
                    last_var: None,
                });
                self.declare_global(name, function);
            }
            ItemKind::Proc { name, params, body } => {
                let procedure = Global::Proc(self.decls.procs.len());
                self.decls.procs.push(ProcDecl { name, params, body });
                self.declare_global(name, procedure);
            }
            // Whoever parses a model in several files has followed it.
            ItemKind::Import { .. } => self.incomplete = true,
            ItemKind::Init(block) => self.decls.inits.push(block),
            ItemKind::Process(process) => self.collect_process(process),
            ItemKind::Fair(set) => {
                self.decls.fair_sets.push(FairDecl { set, process: None, span: item.span });
            }
            ItemKind::Symmetry(generators) => self.decls.generators.extend(generators),
            ItemKind::Property(property) => {
                self.decls.properties.push((property, item.span));
                self.decls.expects.extend(item.expect.map(|expect| (property, expect)));
            }
            ItemKind::Hint { name, body } => self.decls.hints.push((name, body)),
            ItemKind::Constraint(condition) => self.decls.constraints.push(condition),
            ItemKind::Check(entries) => self.decls.checks.push((entries, item.span)),
        }
    }

    fn declare_global(&mut self, name: &ast::Name, global: Global) {
        if self.may_declare(name) {
            self.names.globals.insert(name.text.clone(), global);
        }
    }

    /// Enters the name among constants, variables, functions and types, or says why not.
    fn may_declare(&mut self, name: &ast::Name) -> bool {
        if name.text.is_empty() {
            self.incomplete = true;
            return false;
        }
        if name.text == "_" {
            self.error(Code::ReservedName, name.span, "`_` cannot be declared");
            return false;
        }
        if BUILT_IN.contains(&name.text.as_str()) {
            self.error(Code::ReservedName, name.span, format!("`{}` is a built-in function", name.text));
            return false;
        }
        if let Some(&first) = self.decls.spans.get(&name.text) {
            self.duplicate(name, first);
            return false;
        }
        self.decls.spans.insert(name.text.clone(), name.span);
        true
    }

    pub(super) fn duplicate(&mut self, name: &ast::Name, first: Span) {
        let message = format!("`{}` is declared twice", name.text);
        let diagnostic = Diagnostic::error(Code::DuplicateName, name.span, message);
        self.report(diagnostic.label("again here").note(first, "first here"));
    }

    fn collect_type(&mut self, name: &'a ast::Name, body: TypeBody<'a>) {
        let index = self.decls.types.len();
        self.decls.types.push(TypeDecl { name, body });
        self.names.type_slots.push(Slot::Todo);
        if self.may_declare(name) {
            self.names.types.insert(name.text.clone(), index);
        }
    }

    fn collect_enum(&mut self, name: &'a ast::Name, constants: &'a [ast::Name]) {
        self.decls.enums.insert(self.decls.types.len(), constants);
        self.collect_type(name, TypeBody::Enum);
        let ty = self.declare_enum(&name.text, constants);
        if ty.is_none() {
            self.error(Code::EmptyType, name.span, format!("`{}` has no constants", name.text));
        }
        for constant in constants {
            self.decls.constant_spans.entry(constant.text.clone()).or_insert(constant.span);
        }
        let slot = self.names.type_slots.last_mut().expect("just pushed");
        *slot = Slot::Done(ty.map(hir::Stored::Type));
    }

    /// An enum with its constants, those declared twice left out.
    fn declare_enum(&mut self, name: &str, constants: &[ast::Name]) -> Option<burnside_ts::TypeId> {
        let mut names: Vec<&ast::Name> = Vec::new();
        let mut spans: BTreeMap<&str, Span> = BTreeMap::new();
        for constant in constants {
            if constant.text.is_empty() {
                self.incomplete = true;
                continue;
            }
            match spans.get(constant.text.as_str()) {
                Some(&first) => self.duplicate(constant, first),
                None => names.push(constant),
            }
            spans.entry(&constant.text).or_insert(constant.span);
        }
        let texts = names.iter().map(|name| name.text.clone()).collect();
        let ty = self.types.declare_enum(name, texts).ok()?;
        for (position, constant) in names.iter().enumerate() {
            let known = self.names.enum_constants.entry(constant.text.clone()).or_default();
            known.push((ty, position as u32));
        }
        Some(ty)
    }

    fn new_var(&mut self, name: &ast::Name, process: Option<ProcessId>, decl: Option<&'a ast::Var>) -> VarId {
        poll();
        let id = VarId(self.vars.len() as u32);
        let (name, span) = (name.text.clone(), name.span);
        self.vars.push(VarInfo { name, span, process, ty: None, reads: 0, writes: 0 });
        self.initial.push(None);
        self.decls.vars.push(decl);
        id
    }

    fn collect_process(&mut self, process: &'a ast::Process) {
        let id = ProcessId(self.decls.processes.len() as u32);
        self.decls.processes.push(process);
        self.decls.locations.push(None);
        self.names.processes.push(ProcessInfo {
            name: process.name.text.clone(),
            span: process.name.span,
            fairness: fairness(process.fairness),
            indices: Vec::new(),
            index_types: Vec::new(),
            vars: BTreeMap::new(),
            pc: None,
            locations: BTreeMap::new(),
            rules: BTreeMap::new(),
        });
        self.name_process(process, id);
        for member in &process.members {
            self.collect_member(member, id);
        }
    }

    fn name_process(&mut self, process: &ast::Process, id: ProcessId) {
        let name = &process.name;
        if name.text.is_empty() {
            self.incomplete = true;
            return;
        }
        if let Some(first) = self.names.process_names.get(&name.text) {
            self.duplicate(name, self.names.processes[first.index()].span);
            return;
        }
        self.names.process_names.insert(name.text.clone(), id);
    }

    fn collect_member(&mut self, member: &'a ast::Member, process: ProcessId) {
        match &member.kind {
            MemberKind::Var(var) => {
                let id = self.new_var(&var.name, Some(process), Some(var));
                self.name_process_var(&var.name, process, id);
            }
            MemberKind::Locations(names) => self.collect_locations(names, member.span, process),
            MemberKind::Rule(rule) => self.collect_rule(rule, &[], process),
            MemberKind::Fair(set) => {
                self.decls.fair_sets.push(FairDecl { set, process: Some(process), span: member.span });
            }
            MemberKind::At(around, rules) => {
                for rule in rules {
                    self.collect_rule(rule, around, process);
                }
            }
        }
    }

    fn name_process_var(&mut self, name: &ast::Name, process: ProcessId, id: VarId) {
        let info = &self.names.processes[process.index()];
        let indices = &self.decls.processes[process.index()].indices;
        let index = indices.iter().find(|index| index.name.text == name.text).map(|index| index.name.span);
        let first = info.vars.get(&name.text).map(|var| self.vars[var.index()].span).or(index);
        if name.text.is_empty() {
            self.incomplete = true;
        } else if name.text == "_" {
            self.error(Code::ReservedName, name.span, "`_` cannot be declared");
        } else if let Some(first) = first {
            self.duplicate(name, first);
            if name.text == "pc" {
                let last = self.diagnostics.last_mut().expect("just reported");
                last.help =
                    Some(String::from("the location of a process with `locations` is its variable `pc`"));
            }
        } else {
            self.names.processes[process.index()].vars.insert(name.text.clone(), id);
            self.names.process_vars.entry(name.text.clone()).or_default().push(id);
        }
    }

    fn collect_locations(&mut self, names: &'a [ast::Name], span: Span, process: ProcessId) {
        let index = process.index();
        if let Some(first) = self.decls.locations[index] {
            let at = first.first().map_or(span, |name| name.span);
            let diagnostic =
                Diagnostic::error(Code::DuplicateLocations, span, "a process lists its locations once");
            self.report(diagnostic.note(at, "first here"));
            return;
        }
        self.decls.locations[index] = Some(names);
        let ty = self.declare_enum(&format!("{}.location", self.names.processes[index].name), names);
        let Some(ty) = ty else { return };
        let pc = ast::Name { text: String::from("pc"), span };
        let id = self.new_var(&pc, Some(process), None);
        self.vars[id.index()].ty = Some(ty);
        self.names.processes[index].pc = Some((id, ty));
        if let Type::Enum(ty) = *self.types.get(ty) {
            let names = self.types.enumeration(ty).constants.iter().cloned();
            self.names.processes[index].locations = names.zip(0..).collect();
        }
        self.name_process_var(&pc, process, id);
    }

    fn collect_rule(&mut self, rule: &'a ast::Rule, around: &'a [ast::Name], process: ProcessId) {
        let id = RuleId(self.decls.rules.len() as u32);
        self.decls.rules.push(RuleDecl { rule, around, process });
        self.rules.push(None);
        let name = &rule.name;
        if name.text.is_empty() {
            self.incomplete = true;
            return;
        }
        if let Some(first) = self.names.processes[process.index()].rules.get(&name.text) {
            self.duplicate(name, self.decls.rules[first.index()].rule.name.span);
            return;
        }
        self.names.processes[process.index()].rules.insert(name.text.clone(), id);
        self.names.rules.entry(name.text.clone()).or_default().push(id);
    }

    /// A constant of an enum may not have the name of a global value, nor a process that of one.
    fn check_constants_against_values(&mut self) {
        let clashes: Vec<(ast::Name, Span)> =
            self.names.globals.keys().filter_map(|name| self.clash(name)).collect();
        for (name, first) in clashes {
            self.duplicate(&name, first);
        }
    }

    fn clash(&self, name: &str) -> Option<(ast::Name, Span)> {
        let here = *self.decls.spans.get(name)?;
        let imported = |span: &Span| self.decls.own.is_some_and(|own| own < span.start);
        let process = self.names.process_names.get(name).map(|p| self.names.processes[p.index()].span);
        let constant = self.decls.constant_spans.get(name).copied();
        let other = constant.filter(|span| !imported(span)).or(process)?;
        let (first, again) = if here < other { (here, other) } else { (other, here) };
        Some((ast::Name { text: name.to_string(), span: again }, first))
    }

    /// Names that mean an operator where formulas are written.
    fn warn_operator_names(&mut self) {
        let formula = |(property, _): &(&ast::Property, Span)| {
            matches!(property, ast::Property::Ltl { .. } | ast::Property::Ctl { .. })
        };
        if !self.decls.properties.iter().any(formula) {
            return;
        }
        let processes = self.names.processes.iter().map(|process| (&process.name, process.span));
        let declared = self.decls.spans.iter().chain(&self.decls.constant_spans);
        let taken: Vec<(String, Span)> = declared
            .map(|(name, &span)| (name, span))
            .chain(processes)
            .filter(|(name, _)| OPERATORS.contains(&name.as_str()))
            .map(|(name, span)| (name.clone(), span))
            .collect();
        for (name, span) in taken {
            let message = format!("`{name}` is an operator in `ltl` and `ctl` properties");
            let help = "choose another name if properties use it";
            self.report(Diagnostic::warning(Code::OperatorName, span, message).help(help));
        }
    }

    fn warn_hidden_globals(&mut self) {
        for var in 0..self.vars.len() {
            if self.vars[var].process.is_none() || self.decls.vars[var].is_none() {
                continue;
            }
            let (name, span) = (self.vars[var].name.clone(), self.vars[var].span);
            let Some((what, hidden)) = self.shadowed_global(&name) else { continue };
            let message = format!("inside the process `{name}` hides {what} of the same name");
            let diagnostic = Diagnostic::warning(Code::ShadowedName, span, message);
            self.report(diagnostic.note(hidden, "hidden here").help("choose another name"));
        }
    }
}

/// Fairness as the model has it.
pub(super) fn fairness(written: Option<ast::Fairness>) -> Option<hir::Fairness> {
    let ast::Fairness { strong, changing, .. } = written?;
    let strength = if strong { Strength::Strong } else { Strength::Weak };
    Some(hir::Fairness { strength, changing })
}
