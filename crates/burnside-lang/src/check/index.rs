//! Where names are declared and used: what an editor needs to know about a text, also about one with errors.
//!
//! Entry point: [`check_with_index`](super::check_with_index). The checker notes each name that it resolves,
//! with its place, in a [`Recorder`]; [`NameIndex`] is that in order, with a line about each declaration. So
//! a name means here what it means in the model, and what could not be resolved is left out.

use super::Checker;
use super::collect::{FairDecl, FunctionDecl, ProcDecl, RuleDecl, TypeBody};
use super::collections::{methods_of, statements_of};
use super::scope::{Bound, Slot};
use super::types::type_name;
use crate::diagnostic::Span;
use crate::hir::{ConstantValue, LocalId, ProcessId, RuleId, Stored, Ty, VarId};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId, Types, UnionCase};
use std::collections::BTreeMap;

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A constant, by its position in the text.
    Constant(u32),
    /// A declared type, by its position in the text.
    Type(u32),
    /// A function, by its position in the text.
    Function(u32),
    /// A procedure, by its position in the text.
    Proc(u32),
    /// A variable.
    Var(VarId),
    /// A process.
    Process(ProcessId),
    /// A rule.
    Rule(RuleId),
    /// A name bound in an expression or a body.
    Local(LocalId),
    /// A constant of an enum, or a location of a process.
    EnumConstant(TypeId, u32),
    /// A field of a record.
    Field(TypeId, u32),
    /// A property, by its position in the text.
    Property(u32),
    /// A hint, by its position in the text.
    Hint(u32),
    /// A set of rules that are fair together, by its position in the text.
    FairSet(u32),
}

/// What kind of thing a declaration makes, for people and for editors that show them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// `const`
    Constant,
    /// `type`
    Alias,
    /// `symmetric` or `ring`
    Sort,
    /// `enum`
    Enum,
    /// `record`
    Record,
    /// `fn` or `proc`
    Function,
    /// `var`, of the model or of a process
    Var,
    /// `process`
    Process,
    /// `rule`
    Rule,
    /// An index of a family, a parameter of a rule or function.
    Parameter,
    /// Any other bound name.
    Local,
    /// A constant of an enum.
    EnumConstant,
    /// A location of a process.
    Location,
    /// A field of a record.
    Field,
    /// A property.
    Property,
    /// A hint.
    Hint,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What is declared.
    pub symbol: Symbol,
    /// Of what kind it is.
    pub kind: SymbolKind,
    /// Its name.
    pub name: String,
    /// The place of its name; for the location variable `pc` of a process, that of its `locations`.
    pub span: Span,
    /// A line in the words of the language that tells its type or value.
    pub signature: String,
    /// What more there is to say, as a phrase: ``a variable of the process `Client` ``.
    pub about: String,
    /// What it is a part of.
    pub container: Option<Symbol>,
    /// The declared type that its values have, options, arrays and the like left aside.
    pub of: Option<Symbol>,
}

/// How a name is used at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Here it is declared.
    Declared,
    /// Its value changes here.
    Written,
    /// Anything else.
    Used,
}

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The place of the name.
    pub span: Span,
    /// What it stands for.
    pub symbol: Symbol,
    /// How it is used.
    pub role: Role,
}

/// What can stand behind a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Something declared.
    Declared(Symbol),
    /// A method that gives a value.
    Method(&'static str),
    /// A method that is a statement.
    Statement(&'static str),
}

/// The names of a text.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    definitions: BTreeMap<Symbol, Definition>,
    /// In the order of the text; declarations before uses at the same place.
    occurrences: Vec<Occurrence>,
    /// The types of expressions, by the place where they end.
    types_at: BTreeMap<u32, (u32, TypeId)>,
    types: Types,
    /// How much was noted: see [`NameIndex::work`].
    noted: u64,
}

impl NameIndex {
    /// All declarations.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.values()
    }

    /// The declaration of something; none for what only has a wrong one.
    pub fn definition(&self, symbol: Symbol) -> Option<&Definition> {
        self.definitions.get(&symbol)
    }

    /// All names, in the order of the text.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// Forgets the names behind a byte: those in files that the text imports. What they declare stays known.
    pub fn keep_before(&mut self, end: u32) {
        self.occurrences.retain(|it| it.span.end <= end);
    }

    /// The name at a place: the one that it is in, else the one that ends there.
    pub fn at(&self, at: u32) -> Option<Occurrence> {
        let end = self.occurrences.partition_point(|occurrence| occurrence.span.start <= at);
        let near = self.occurrences[..end].iter().rev().take_while(|it| it.span.start + MAX_NAME >= at);
        let touching = near.filter(|it| at <= it.span.end);
        touching.min_by_key(|it| (at == it.span.end, it.role)).copied()
    }

    /// All places of something.
    pub fn occurrences_of(&self, symbol: Symbol) -> impl Iterator<Item = Occurrence> {
        self.occurrences.iter().filter(move |it| it.symbol == symbol).copied()
    }

    /// Everything that has to keep the name of this: itself, and for a family `process P[i]` and the type
    /// `P` of its index each other.
    pub fn bound_to(&self, symbol: Symbol) -> Vec<Symbol> {
        let mut all = vec![symbol];
        let mut next = 0;
        while let Some(&known) = all.get(next) {
            next += 1;
            for pair in self.occurrences.windows(2).filter(|pair| pair[0].span == pair[1].span) {
                let [a, b] = [pair[0].symbol, pair[1].symbol];
                let other = if a == known { b } else { a };
                if (a == known || b == known) && !all.contains(&other) {
                    all.push(other);
                }
            }
        }
        all
    }

    /// What can stand behind the dot after the value that ends at a place.
    pub fn behind(&self, end: u32) -> Vec<Behind> {
        if let Some((_, ty)) = self.types_at.get(&end) {
            let shape = self.types.get(*ty);
            let fields = match shape {
                Type::Record(record) if self.types.cases(*ty).is_empty() => {
                    self.types.record(*record).fields.len() as u32
                }
                _ => 0,
            };
            let fields = (0..fields).map(|field| Behind::Declared(Symbol::Field(*ty, field)));
            let methods = methods_of(shape).iter().map(|method| Behind::Method(method));
            let statements = statements_of(shape).iter().map(|method| Behind::Statement(method));
            return fields.chain(methods).chain(statements).collect();
        }
        Vec::new()
    }

    /// The parts of something: variables and rules of a process, constants of an enum, fields of a record.
    pub fn parts(&self, whole: Symbol) -> impl Iterator<Item = &Definition> {
        self.definitions.values().filter(move |it| it.container == Some(whole))
    }

    /// How many names and types were noted: a measure of the work that was done, for tests.
    pub fn work(&self) -> u64 {
        self.noted
    }
}

/// No place of a name is longer.
const MAX_NAME: u32 = crate::syntax::lexer::MAX_NAME as u32;

/// Takes notes while a text is checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder {
    uses: Vec<Occurrence>,
    types_at: BTreeMap<u32, (u32, TypeId)>,
    noted: u64,
}

impl Recorder {
    fn add(&mut self, span: Span, symbol: Symbol, role: Role) {
        self.noted += 1;
        if span.start < span.end {
            self.uses.push(Occurrence { span, symbol, role });
        }
    }
}

impl Checker<'_> {
    /// Notes that the name at a place stands for something.
    pub(super) fn note(&mut self, span: Span, symbol: Symbol) {
        if let Some(recorder) = &mut self.recorder {
            recorder.add(span, symbol, Role::Used);
        }
    }

    /// Notes the process that `P` or `P[i]` names.
    pub(super) fn note_process(&mut self, e: &ast::Expr, process: ProcessId) {
        let e = super::expr::strip(e);
        let name = match &e.kind {
            ast::ExprKind::Index(base, _) => super::expr::strip(base),
            _ => e,
        };
        self.note(name.span, Symbol::Process(process));
    }

    /// Notes the type of an expression. Of those that end at one place the longest counts.
    pub(super) fn note_type(&mut self, span: Span, ty: Ty) {
        if let (Some(recorder), Ty::Of(ty)) = (&mut self.recorder, ty) {
            recorder.noted += 1;
            let known = recorder.types_at.entry(span.end).or_insert((span.start, ty));
            if span.start <= known.0 {
                *known = (span.start, ty);
            }
        }
    }

    /// Notes that the variable or local in a place that is assigned to changes.
    pub(super) fn note_written(&mut self, place: Span, symbol: Symbol) {
        let Some(recorder) = &mut self.recorder else { return };
        let inside = |it: &&mut Occurrence| place.start <= it.span.start && it.span.end <= place.end;
        let mut recent = recorder.uses.iter_mut().rev().take_while(inside);
        if let Some(written) = recent.find(|it| it.symbol == symbol) {
            written.role = Role::Written;
        }
    }

    /// What was noted, in order.
    pub(super) fn name_index(&mut self) -> NameIndex {
        let Recorder { mut uses, types_at, noted } = self.recorder.take().unwrap_or_default();
        let definitions = Definitions::new(self).all();
        // The location variable `pc` is declared where its name is not.
        let written = |it: &&Definition| !it.name.is_empty() && it.name.len() == it.span.len();
        let declared = definitions.values().filter(written);
        let declared =
            declared.map(|it| Occurrence { span: it.span, symbol: it.symbol, role: Role::Declared });
        uses.extend(declared);
        uses.sort_by_key(|it| (it.span, it.role, it.symbol));
        uses.dedup_by_key(|it| (it.span, it.symbol));
        let noted = noted + definitions.len() as u64;
        NameIndex { definitions, occurrences: uses, types_at, types: self.types.clone(), noted }
    }
}

/// Writes a line about each declaration.
struct Definitions<'c, 'a> {
    checker: &'c Checker<'a>,
    /// The declarations of enums, records, sorts and named ranges.
    declared: BTreeMap<TypeId, Symbol>,
    all: BTreeMap<Symbol, Definition>,
}

impl<'c, 'a> Definitions<'c, 'a> {
    fn new(checker: &'c Checker<'a>) -> Self {
        let types = checker.decls.types.iter().zip(&checker.names.type_slots).zip(0..);
        let declared = types.filter_map(|((decl, slot), number)| match (slot, decl.body) {
            (_, TypeBody::Alias(ast::Type { kind, .. }))
                if !matches!(kind, ast::TypeKind::Range(..) | ast::TypeKind::Union(_)) =>
            {
                None
            }
            (Slot::Done(Some(Stored::Type(ty))), _) => Some((*ty, Symbol::Type(number))),
            _ => None,
        });
        Self { checker, declared: declared.collect(), all: BTreeMap::new() }
    }

    fn all(mut self) -> BTreeMap<Symbol, Definition> {
        self.constants();
        self.types();
        self.functions();
        self.processes();
        self.vars();
        self.rules();
        self.fair_sets();
        self.locals();
        self.properties();
        self.all
    }

    fn add(&mut self, symbol: Symbol, kind: SymbolKind, name: &ast::Name, signature: String, about: String) {
        let (name, span) = (name.text.clone(), name.span);
        let made = Definition { symbol, kind, name, span, signature, about, container: None, of: None };
        self.all.insert(symbol, made);
    }

    /// Says what the last one is a part of, and which declared type its values have.
    fn belongs(&mut self, symbol: Symbol, container: Option<Symbol>, ty: Option<TypeId>) {
        let of = ty.and_then(|ty| self.inside(ty));
        if let Some(definition) = self.all.get_mut(&symbol) {
            definition.container = container;
            definition.of = of;
        }
    }

    /// The declared type of the values inside.
    fn inside(&self, ty: TypeId) -> Option<Symbol> {
        match *self.checker.types.get(ty) {
            Type::Option(inner) | Type::Set(inner) => self.inside(inner),
            Type::Array { element, .. } | Type::Queue { element, .. } | Type::Bag { element, .. } => {
                self.inside(element)
            }
            _ => self.declared.get(&ty).copied(),
        }
    }

    fn ty(&self, ty: Option<TypeId>) -> String {
        ty.map_or_else(|| String::from("?"), |ty| type_name(&self.checker.types, ty))
    }

    fn stored(&self, stored: Option<Stored>) -> String {
        stored.map_or_else(|| String::from("?"), |stored| self.checker.stored_name(stored))
    }

    fn constants(&mut self) {
        let checker = self.checker;
        for (i, decl) in checker.decls.constants.iter().enumerate() {
            let value = match &checker.names.constants[i] {
                Slot::Done(Some(ConstantValue::Int(value))) => format!("const {} = {value}", decl.name.text),
                Slot::Done(Some(ConstantValue::Bool(value))) => format!("const {} = {value}", decl.name.text),
                _ => format!("const {}", decl.name.text),
            };
            let symbol = Symbol::Constant(i as u32);
            self.add(symbol, SymbolKind::Constant, decl.name, value, String::from("a constant"));
        }
    }

    fn types(&mut self) {
        let checker = self.checker;
        for (i, decl) in checker.decls.types.iter().enumerate() {
            let symbol = Symbol::Type(i as u32);
            let stored = match checker.names.type_slots[i] {
                Slot::Done(stored) => stored,
                _ => None,
            };
            let ty = match stored {
                Some(Stored::Type(ty)) => Some(ty),
                _ => None,
            };
            let name = &decl.name.text;
            let (kind, signature, about) = match decl.body {
                TypeBody::Alias(_) => {
                    let shown = match ty.map(|ty| checker.types.get(ty)) {
                        Some(Type::Range { lo, hi }) => format!("{lo}..{hi}"),
                        Some(Type::Record(record)) if !checker.types.record(*record).cases.is_empty() => {
                            let cases = checker.types.record(*record).cases.iter();
                            cases.map(|case| case.name.as_str()).collect::<Vec<_>>().join(" | ")
                        }
                        _ => self.stored(stored),
                    };
                    (SymbolKind::Alias, format!("type {name} = {shown}"), "a type")
                }
                TypeBody::Sort { ring, .. } => {
                    let size = match ty.map(|ty| checker.types.get(ty)) {
                        Some(Type::Sort(sort)) => checker.types.sort(*sort).size.to_string(),
                        _ => String::from("?"),
                    };
                    let word = if ring { "ring" } else { "symmetric" };
                    let about = if ring { "a ring" } else { "a symmetric type" };
                    (SymbolKind::Sort, format!("{word} {name}[{size}]"), about)
                }
                TypeBody::Enum => (SymbolKind::Enum, self.enumeration(name, ty), "an enum"),
                TypeBody::Union(_) => {
                    (SymbolKind::Enum, self.union(name, ty), "an enum whose constants hold values")
                }
                TypeBody::Record(_) => (SymbolKind::Record, self.record(name, ty), "a record"),
            };
            self.add(symbol, kind, decl.name, signature, about.to_string());
            match (decl.body, ty) {
                (TypeBody::Record(fields), Some(ty)) => self.fields(symbol, name, ty, fields),
                (TypeBody::Enum, Some(ty)) => self.enum_constants(symbol, i, ty),
                (TypeBody::Union(variants), Some(ty)) => self.variants(symbol, name, ty, variants),
                _ => {}
            }
        }
    }

    fn enumeration(&self, name: &str, ty: Option<TypeId>) -> String {
        match ty.map(|ty| self.checker.types.get(ty)) {
            Some(Type::Enum(id)) => {
                format!("enum {name} {{ {} }}", self.checker.types.enumeration(*id).constants.join(", "))
            }
            _ => format!("enum {name}"),
        }
    }

    fn union(&self, name: &str, ty: Option<TypeId>) -> String {
        let cases = ty.map_or(&[][..], |ty| self.checker.types.cases(ty));
        let cases: Vec<String> = cases.iter().map(|case| self.variant(case)).collect();
        format!("enum {name} {{ {} }}", cases.join(", "))
    }

    fn variant(&self, case: &UnionCase) -> String {
        let parts = case.parts.iter().map(|part| format!("{}: {}", part.name, self.ty(Some(part.ty))));
        match case.parts.is_empty() {
            true => case.name.clone(),
            false => format!("{}({})", case.name, parts.collect::<Vec<_>>().join(", ")),
        }
    }

    fn variants(&mut self, whole: Symbol, name: &str, ty: TypeId, variants: &[ast::Variant]) {
        let mut number = 0;
        for (i, case) in self.checker.types.cases(ty).iter().enumerate() {
            let Some(written) = variants.iter().find(|variant| variant.name.text == case.name) else {
                continue;
            };
            let symbol = Symbol::EnumConstant(ty, i as u32);
            let (signature, about) = (self.variant(case), format!("a constant of `{name}`, number {i}"));
            self.add(symbol, SymbolKind::EnumConstant, &written.name, signature, about);
            self.belongs(symbol, Some(whole), Some(ty));
            for part in &case.parts {
                let (constant, symbol) = (symbol, Symbol::Field(ty, number));
                number += 1;
                let Some(field) = written.fields.iter().find(|field| field.name.text == part.name) else {
                    continue;
                };
                let signature = format!("{}: {}", part.name, self.ty(Some(part.ty)));
                let about = format!("held by `{}`", case.name);
                self.add(symbol, SymbolKind::Field, &field.name, signature, about);
                self.belongs(symbol, Some(constant), Some(part.ty));
            }
        }
    }

    fn record(&self, name: &str, ty: Option<TypeId>) -> String {
        let Some(Type::Record(id)) = ty.map(|ty| self.checker.types.get(ty)) else {
            return format!("record {name}");
        };
        let fields = self.checker.types.record(*id).fields.iter();
        let fields: Vec<String> =
            fields.map(|field| format!("{}: {}", field.name, self.ty(Some(field.ty)))).collect();
        format!("record {name} {{ {} }}", fields.join(", "))
    }

    fn fields(&mut self, whole: Symbol, name: &str, ty: TypeId, fields: &[ast::Field]) {
        let Type::Record(id) = *self.checker.types.get(ty) else { return };
        for (i, field) in self.checker.types.record(id).fields.iter().enumerate() {
            let Some(written) = fields.iter().find(|written| written.name.text == field.name) else {
                continue;
            };
            let symbol = Symbol::Field(ty, i as u32);
            let signature = format!("{}: {}", field.name, self.ty(Some(field.ty)));
            self.add(symbol, SymbolKind::Field, &written.name, signature, format!("a field of `{name}`"));
            self.belongs(symbol, Some(whole), Some(field.ty));
        }
    }

    fn enum_constants(&mut self, whole: Symbol, decl: usize, ty: TypeId) {
        let checker = self.checker;
        let Some(names) = checker.decls.enums.get(&decl) else { return };
        let name = &checker.decls.types[decl].name.text;
        self.constants_of(ty, names, SymbolKind::EnumConstant, whole, name);
    }

    fn constants_of(
        &mut self,
        ty: TypeId,
        names: &[ast::Name],
        kind: SymbolKind,
        whole: Symbol,
        owner: &str,
    ) {
        let Type::Enum(id) = *self.checker.types.get(ty) else { return };
        for (i, text) in self.checker.types.enumeration(id).constants.iter().enumerate() {
            let Some(name) = names.iter().find(|name| name.text == *text) else { continue };
            let symbol = Symbol::EnumConstant(ty, i as u32);
            let (signature, about) = match kind {
                SymbolKind::Location => {
                    (format!("{owner}@{text}"), format!("a location of the process `{owner}`"))
                }
                _ => (format!("{owner}.{text}"), format!("a constant of `{owner}`, number {i}")),
            };
            self.add(symbol, kind, name, signature, about);
            self.belongs(symbol, Some(whole), Some(ty));
        }
    }

    fn functions(&mut self) {
        let checker = self.checker;
        for (i, decl) in checker.decls.functions.iter().enumerate() {
            let FunctionDecl { name, params, .. } = decl;
            let info = &checker.names.functions[i];
            let types = info.params.iter().copied().chain(std::iter::repeat(None));
            let params: Vec<String> = params
                .iter()
                .zip(types)
                .map(|(param, ty)| format!("{}: {}", param.name.text, self.stored(ty)))
                .collect();
            let signature = format!("fn {}({}): {}", name.text, params.join(", "), self.stored(info.result));
            let symbol = Symbol::Function(i as u32);
            self.add(symbol, SymbolKind::Function, name, signature, String::from("a function"));
        }
        for (i, ProcDecl { name, params, .. }) in checker.decls.procs.iter().enumerate() {
            let params: Vec<&str> = params.iter().map(|param| param.field.name.text.as_str()).collect();
            let signature = format!("proc {}({})", name.text, params.join(", "));
            let symbol = Symbol::Proc(i as u32);
            self.add(symbol, SymbolKind::Function, name, signature, String::from("a procedure"));
        }
    }

    fn processes(&mut self) {
        let checker = self.checker;
        for (i, decl) in checker.decls.processes.iter().enumerate() {
            let info = &checker.names.processes[i];
            let types = info.index_types.iter().copied().chain(std::iter::repeat(None));
            let indices: Vec<String> = decl
                .indices
                .iter()
                .zip(types)
                .map(|(index, ty)| format!("{}: {}", index.name.text, self.ty(ty)))
                .collect();
            let indices =
                if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
            let signature = format!("{}process {}{indices}", fair(decl.fairness), decl.name.text);
            let symbol = Symbol::Process(ProcessId(i as u32));
            let about = if indices.is_empty() { "a process" } else { "a family of processes" };
            self.add(symbol, SymbolKind::Process, &decl.name, signature, about.to_string());
            if let (Some((_, ty)), Some(names)) = (info.pc, checker.decls.locations[i]) {
                self.constants_of(ty, names, SymbolKind::Location, symbol, &decl.name.text);
            }
        }
    }

    fn vars(&mut self) {
        let checker = self.checker;
        for (i, info) in checker.vars.iter().enumerate() {
            let symbol = Symbol::Var(VarId(i as u32));
            let signature = format!("var {}: {}", info.name, self.ty(info.ty));
            let about = match info.process {
                Some(process) => {
                    let process = &checker.names.processes[process.index()].name;
                    match checker.decls.vars[i] {
                        Some(_) => format!("a variable of the process `{process}`"),
                        None => format!("the location of the process `{process}`"),
                    }
                }
                None => String::from("a variable"),
            };
            let name = ast::Name { text: info.name.clone(), span: info.span };
            self.add(symbol, SymbolKind::Var, &name, signature, about);
            self.belongs(symbol, info.process.map(Symbol::Process), info.ty);
        }
    }

    fn rules(&mut self) {
        let checker = self.checker;
        for (i, RuleDecl { rule, process, .. }) in checker.decls.rules.iter().enumerate() {
            let symbol = Symbol::Rule(RuleId(i as u32));
            let params = checker.rules[i].iter().flat_map(|rule| &rule.params);
            let params: Vec<String> = params
                .map(|param| &checker.locals[param.local.index()])
                .map(|local| format!("{}: {}", local.name, self.stored(Some(local.ty))))
                .collect();
            let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            let signature = format!("{}rule {}{params}", fair(rule.fairness), rule.name.text);
            let about = format!("a rule of the process `{}`", checker.names.processes[process.index()].name);
            self.add(symbol, SymbolKind::Rule, &rule.name, signature, about);
            self.belongs(symbol, Some(Symbol::Process(*process)), None);
        }
    }

    fn fair_sets(&mut self) {
        let checker = self.checker;
        for (i, FairDecl { set, process, .. }) in checker.decls.fair_sets.iter().enumerate() {
            let Some(name) = &set.name else { continue };
            let symbol = Symbol::FairSet(i as u32);
            let signature = format!("{}{}", fair(Some(set.fairness)), name.text);
            let about = String::from("rules that are fair together");
            self.add(symbol, SymbolKind::Rule, name, signature, about);
            self.belongs(symbol, process.map(Symbol::Process), None);
        }
    }

    fn locals(&mut self) {
        let checker = self.checker;
        for (i, (local, info)) in checker.locals.iter().zip(&checker.local_info).enumerate() {
            // Made by the checker itself, or left out by the parser.
            if local.name.is_empty() || local.name == "_" || info.copy {
                continue;
            }
            let symbol = Symbol::Local(LocalId(i as u32));
            let kind = match info.kind {
                Bound::Index | Bound::Parameter => SymbolKind::Parameter,
                _ => SymbolKind::Local,
            };
            let name = ast::Name { text: local.name.clone(), span: local.span };
            let signature = format!("{}: {}", local.name, self.stored(Some(local.ty)));
            self.add(symbol, kind, &name, signature, info.kind.phrase().to_string());
            let ty = match local.ty {
                Stored::Type(ty) => Some(ty),
                Stored::Int => None,
            };
            self.belongs(symbol, None, ty);
        }
    }

    fn properties(&mut self) {
        let checker = self.checker;
        for (i, (property, _)) in checker.decls.properties.iter().enumerate() {
            use ast::Property as Kind;
            let (word, name) = match property {
                Kind::Invariant { name, .. } => ("invariant", name),
                Kind::Reachable { name, .. } => ("reachable", name),
                Kind::Ltl { name, .. } => ("ltl", name),
                Kind::Ctl { name, .. } => ("ctl", name),
                Kind::Never { name, .. } => ("never", name),
                Kind::Deadlock { .. } => continue,
            };
            let symbol = Symbol::Property(i as u32);
            let signature = format!("{word} {}", name.text);
            self.add(symbol, SymbolKind::Property, name, signature, String::from("a property"));
        }
        for (i, (name, _)) in checker.decls.hints.iter().enumerate() {
            let symbol = Symbol::Hint(i as u32);
            let signature = format!("hint {}", name.text);
            self.add(symbol, SymbolKind::Hint, name, signature, String::from("a hint"));
        }
    }
}

fn fair(fairness: Option<ast::Fairness>) -> String {
    let Some(ast::Fairness { strong, changing, .. }) = fairness else { return String::new() };
    let strong = if strong { "strong " } else { "" };
    format!("{strong}fair {}", if changing { "changing " } else { "" })
}
