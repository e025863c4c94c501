//! From syntax tree to checked model: names, constants, types, and warnings about what is probably not meant.
//!
//! Entry points: [`check`] for a file, [`check_property`] for one more property of a checked model,
//! [`check_hint`] for one more hint, [`check_conditions`] for what an automaton reads in it, [`check_blocks`]
//! for what should come out of checking something else. The checker is
//! total: it reports what is wrong in a declaration and goes on with the next. Something wrong has no value
//! (`None`), and what depends on it is checked as far as possible but not reported again.
//!
//! Order of work: `collect` enters all names; constants, types and functions are then worked out when they
//! are first needed; variables, processes, rules and properties follow in the order of the text; `unused`,
//! `trivial` and `fairness` look at the result. Diagnostics come out in the order of the text.

mod calls;
mod cases;
mod chain;
mod collect;
mod collections;
mod compare;
mod constants;
mod defaults;
mod dump;
mod enabled;
mod expect;
mod expr;
mod fairness;
mod fold;
mod functions;
mod generators;
mod index;
mod initial;
mod interval;
mod next;
mod order;
mod places;
mod procedures;
mod process;
mod property;
mod quantify;
mod queues;
mod scope;
mod sets;
mod settings;
mod size;
mod stmt;
mod suggest;
mod trivial;
mod types;
mod unions;
mod unused;

pub use dump::dump;
pub use expect::{check_blocks, entry_keys, entry_words, settings_of_blocks};
pub use index::{Behind, Definition, NameIndex, Occurrence, Role, Symbol, SymbolKind};
pub use scope::Names;
pub(crate) use suggest::nearest;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::expect::Expectations;
use crate::hir::{self, RuleId};
use crate::syntax::ast;
use burnside_ts::Automaton;
use burnside_ts::{Type, TypeId, Types};
use collect::Decls;
use scope::{Context, Env, LocalInfo, VarInfo};
use std::collections::BTreeSet;

/// What checking a file gives.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The model, exactly when there is no error.
    pub model: Option<hir::Model>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with the settings.
    pub setting_errors: Vec<SettingError>,
}

/// Why a setting (`--set NAME=VALUE`) cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The name of the constant.
    pub name: String,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl std::fmt::Display for SettingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for SettingError {}

/// Checks a file. A file with syntax errors is checked as far as it goes, and gives no model. `settings`
/// replace the values of constants: names with the values as written.
pub fn check(file: &ast::File, settings: &[(String, String)]) -> Checked {
    let mut checker = Checker::new(settings);
    checker.all(file);
    checker.finish()
}

/// Checks a file as [`check`] does, and tells where its names are declared and used.
pub fn check_with_index(file: &ast::File, settings: &[(String, String)]) -> (Checked, NameIndex) {
    let mut checker = Checker::new(settings);
    checker.recorder = Some(index::Recorder::default());
    checker.all(file);
    let index = checker.name_index();
    (checker.finish(), index)
}

/// Checks one more property with the names of the model in scope and adds it to the model if nothing is wrong
/// with it.
pub fn check_property(model: &mut hir::Model, property: &ast::Property, span: Span) -> Vec<Diagnostic> {
    check_more(model, span, |checker| checker.property(property, span)).1
}

/// Checks one more hint with the names of the model in scope and adds it to the model if nothing is wrong
/// with it.
pub fn check_hint(model: &mut hir::Model, name: &ast::Name, body: &ast::Expr, span: Span) -> Vec<Diagnostic> {
    check_more(model, span, |checker| checker.hint(name, body)).1
}

/// Checks the conditions that an automaton reads, with the names of the model in scope, and adds them to the
/// model if nothing is wrong with them.
pub fn check_conditions(
    model: &mut hir::Model,
    (name, text, automaton): (String, String, Automaton),
    conditions: &[ast::Expr],
    span: Span,
) -> Vec<Diagnostic> {
    let (checked, diagnostics) = check_more(model, span, |checker| {
        let all: Vec<Option<hir::Expr>> = conditions.iter().map(|one| checker.state_condition(one)).collect();
        all.into_iter().collect::<Option<Vec<_>>>()
    });
    if let Some(conditions) = checked.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) {
        model.observed.push(hir::Observed { name, text, conditions, automaton });
    }
    diagnostics
}

/// Checks something that stands at `span`, outside the model, and adds what it brings with it.
fn check_more<T>(
    model: &mut hir::Model,
    span: Span,
    work: impl FnOnce(&mut Checker<'_>) -> T,
) -> (T, Vec<Diagnostic>) {
    let mut checker = Checker::of_model(model);
    let result = work(&mut checker);
    checker.drop_notes_outside(span);
    checker.warn_unused_locals(model.locals.len());
    checker.warn_about_properties();
    checker.sort_diagnostics();
    if !checker.diagnostics.iter().any(Diagnostic::is_error) {
        model.types = checker.types;
        model.locals = checker.locals;
        model.names = checker.names;
        model.properties.append(&mut checker.properties);
        model.hints.append(&mut checker.hints);
    }
    (result, checker.diagnostics)
}

/// Everything known so far about the model that is being checked.
pub(crate) struct Checker<'a> {
    settings: &'a [(String, String)],
    diagnostics: Vec<Diagnostic>,
    setting_errors: Vec<SettingError>,
    types: Types,
    boolean: TypeId,
    names: Names,
    decls: Decls<'a>,
    vars: Vec<VarInfo>,
    initial: Vec<Option<hir::Initial>>,
    locals: Vec<hir::Local>,
    local_info: Vec<LocalInfo>,
    functions: Vec<hir::Function>,
    /// How deep each is, with those that it calls.
    function_levels: Vec<u32>,
    rules: Vec<Option<hir::Rule>>,
    fair_sets: Vec<hir::FairSet>,
    init: Vec<hir::Stmt>,
    properties: Vec<hir::Property>,
    hints: Vec<hir::Hint>,
    constraints: Vec<hir::Expr>,
    deadlock_free: bool,
    generators: Vec<hir::Generator>,
    expectations: Expectations,
    env: Env,
    /// Where the text names a constant whose value now stands there.
    constant_uses: Vec<Span>,
    used_constants: BTreeSet<usize>,
    used_types: BTreeSet<usize>,
    used_functions: BTreeSet<usize>,
    used_enums: BTreeSet<TypeId>,
    deadlock_setting: Option<(Span, bool)>,
    /// The parser left something out, which is reported already.
    incomplete: bool,
    /// Inside a misplaced temporal operator, which is reported already.
    temporal_muted: bool,
    /// What is being worked out on demand, innermost last: names, for the message about a cycle.
    busy: Vec<String>,
    /// How deep inside expressions and types we are.
    depth: u32,
    /// How deep inside blocks, those of procedures included.
    blocks: u32,
    /// The statements that procedures have brought so far.
    inlined: usize,
    /// The procedures that were called.
    used_procs: BTreeSet<usize>,
    /// The rules whose guards are being looked at, each because the one before asks for it.
    guarding: Vec<RuleId>,
    /// The priority of the last of them.
    guarding_priority: i64,
    /// By rule: of how many guards its own consists, since it asks for others.
    guard_weights: Vec<u32>,
    /// By rule: whether it has been looked at.
    checked_rules: Vec<bool>,
    /// Inside a procedure that was looked at before.
    copying: bool,
    /// Takes notes of names, if somebody wants them.
    recorder: Option<index::Recorder>,
}

impl<'a> Checker<'a> {
    fn new(settings: &'a [(String, String)]) -> Self {
        let mut types = Types::new();
        let boolean = types.intern(Type::Bool).expect("bool has two values");
        Self {
            settings,
            diagnostics: Vec::new(),
            setting_errors: Vec::new(),
            types,
            boolean,
            names: Names::default(),
            decls: Decls::default(),
            vars: Vec::new(),
            initial: Vec::new(),
            locals: Vec::new(),
            local_info: Vec::new(),
            functions: Vec::new(),
            function_levels: Vec::new(),
            rules: Vec::new(),
            fair_sets: Vec::new(),
            init: Vec::new(),
            properties: Vec::new(),
            hints: Vec::new(),
            constraints: Vec::new(),
            deadlock_free: true,
            generators: Vec::new(),
            expectations: Expectations::default(),
            env: Env::new(Context::Constant, None),
            constant_uses: Vec::new(),
            used_constants: BTreeSet::new(),
            used_types: BTreeSet::new(),
            used_functions: BTreeSet::new(),
            used_enums: BTreeSet::new(),
            deadlock_setting: None,
            incomplete: false,
            temporal_muted: false,
            busy: Vec::new(),
            depth: 0,
            blocks: 0,
            inlined: 0,
            used_procs: BTreeSet::new(),
            guarding: Vec::new(),
            guarding_priority: 0,
            guard_weights: Vec::new(),
            checked_rules: Vec::new(),
            copying: false,
            recorder: None,
        }
    }

    /// A checker that knows a finished model.
    fn of_model(model: &hir::Model) -> Self {
        let mut checker = Self::new(&[]);
        checker.types = model.types.clone();
        checker.boolean = checker.types.intern(Type::Bool).expect("bool has two values");
        checker.names = model.names.clone();
        checker.vars = model.vars.iter().map(VarInfo::of).collect();
        checker.initial = model.vars.iter().map(|var| Some(var.initial.clone())).collect();
        checker.locals = model.locals.clone();
        let known = LocalInfo { kind: scope::Bound::Let, used: true, copy: true };
        checker.local_info = vec![known; model.locals.len()];
        checker.functions = model.functions.clone();
        checker.rules = model.rules.iter().cloned().map(Some).collect();
        checker.fair_sets = model.fair_sets.clone();
        checker
    }

    /// Adds a diagnostic, unless it is about a name that the parser left out: that is reported already.
    fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.message.contains("``") {
            self.incomplete = true;
        } else {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Nothing, for something that the parser has reported.
    fn left_out<T>(&mut self) -> Option<T> {
        self.incomplete = true;
        None
    }

    fn has_errors(&self) -> bool {
        self.incomplete
            || !self.setting_errors.is_empty()
            || self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Everything but the end.
    fn all(&mut self, file: &'a ast::File) {
        self.collect(file);
        self.resolve_in_order();
        self.variables_and_processes();
        self.bodies();
        self.whole(file);
    }

    /// Rules, `init` blocks, functions, properties and hints.
    fn bodies(&mut self) {
        self.initial_values();
        self.rule_bodies();
        self.fair_sets();
        self.init_blocks();
        self.procedures_never_called();
        for (property, span) in self.decls.properties.clone() {
            self.property(property, span);
        }
        for condition in self.decls.constraints.clone() {
            let env = self.process_env(Context::State, None);
            let checked = self.within(env, |checker| checker.condition(condition)).0;
            self.constraints.extend(checked);
        }
        for (name, body) in self.decls.hints.clone() {
            self.hint(name, body);
        }
        self.generators();
        self.expectations();
    }

    /// What needs all of the model.
    fn whole(&mut self, file: &ast::File) {
        self.check_state_width();
        self.check_fairness_units();
        self.check_not_empty(file);
        self.warn_unused();
        self.warn_about_properties();
        self.warn_trivial();
    }

    /// Notes that point into the text of the model mean nothing beside a property from elsewhere.
    fn drop_notes_outside(&mut self, span: Span) {
        for diagnostic in &mut self.diagnostics {
            diagnostic.secondary.retain(|note| span.start < note.span.end && note.span.end <= span.end);
        }
    }

    fn sort_diagnostics(&mut self) {
        self.diagnostics.sort_by_key(|d| (d.primary.span.start, d.primary.span.end, d.severity, d.code));
        self.diagnostics.dedup();
    }

    /// What is unknown may be in a file that is not there, which is reported. What a file that is imported
    /// hides or does not use is for who looks at that file.
    fn drop_beside_imports(&mut self) {
        let (own, lacks) = (self.decls.own, self.decls.lacks);
        let imported = |it: &Diagnostic| own.is_some_and(|own| own < it.primary.span.start);
        let unknown = |it: &Diagnostic| it.code.name().starts_with("unknown-");
        let small = |it: &Diagnostic| it.code == Code::ShadowedName || it.code.name().starts_with("unused-");
        self.diagnostics.retain(|it| !(lacks && unknown(it) || imported(it) && small(it)));
    }

    fn finish(mut self) -> Checked {
        self.drop_beside_imports();
        self.incomplete |= self.decls.lacks;
        self.sort_diagnostics();
        let model = if self.has_errors() { None } else { self.model() };
        Checked { model, diagnostics: self.diagnostics, setting_errors: self.setting_errors }
    }
}
