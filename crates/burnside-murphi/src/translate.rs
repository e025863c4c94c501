//! The translation of a model: names, declarations, types and functions. Expressions, statements and
//! rules are in files of their own.
//!
//! Entry point: [`Translator::model`]. A model is translated several times: what is found out on the way
//! ([`Facts`]) changes how it is to be translated, and only grows.

use crate::Put;
use crate::ast::{Decl, Function, Item, Name, Stmt, StmtKind, TypeExpr, TypeKind};
use crate::expr::{Val, all_of};
use crate::lexer::Comment;
use crate::marks::mark;
use crate::parser::Parsed;
use crate::types::{Base, DEFINED, Facts, Record, Ty};
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_lang::syntax::token::TEXTS;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// So much can be said on one step.
pub const MOST_SAID: usize = 64;
/// So many calls of a function by itself may be inside each other; more is an error.
pub const MAX_CALLS: u32 = 32;
/// So many mistakes are told.
const MAX_ERRORS: usize = 50;
/// More values than any type or loop should have.
pub const MAX_VALUES: i64 = 1 << 32;

/// What a translation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Checking,
    /// It must mean the same alone.
    Readers,
    /// To know what `put` says.
    Telling,
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Binding {
    Const(Ty, i64, String),
    Type(Ty),
    /// A variable of the state, a local one, a parameter by reference, or something that is only read.
    Place(Place),
    /// An expression that is no place, under another name.
    Value(String, Ty),
    /// An element of a multiset: the multiset, the element.
    Element {
        bag: String,
        code: String,
        ty: Ty,
    },
    Function(usize),
}

/// What is written to when a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    State,
    Reference,
    Local,
    ReadOnly,
}

/// A step from a variable to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Field(usize),
    /// All elements.
    All,
    /// The element that a loop is at: the name of its variable.
    At(String),
}

/// A variable, in the translation, and a part of it.
pub type Path = (String, Vec<Step>);

/// Where a value is kept.
#[derive(Clone, Debug)]
pub struct Place {
    pub code: String,
    pub ty: Ty,
    pub root: Root,
    pub path: Option<Path>,
    /// If it is inside an element of a multiset: the multiset and the element.
    pub element: Option<(String, String)>,
}

impl Place {
    /// A value, which cannot be written to.
    pub fn value(code: String, ty: Ty) -> Self {
        Self { code, ty, root: Root::ReadOnly, path: None, element: None }
    }
}

/// A function as its callers see it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    /// What is called now: for one that calls itself, its next copy.
    pub called: String,
    pub params: Vec<(bool, Ty)>,
    pub result: Option<Ty>,
    pub finished: bool,
}

/// How a body ends before its end.
#[derive(Clone, Debug)]
pub struct Returns {
    /// The local that holds the result, and its type.
    pub result: Option<(String, Ty)>,
    /// The local that says that it has ended.
    pub flag: Option<String>,
}

/// The parts of a translation.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    pub types: Vec<String>,
    pub vars: Vec<String>,
    pub functions: Vec<String>,
    pub starts: Vec<String>,
    pub rules: Vec<RuleText>,
    /// Properties: comments, words and names, and what they claim.
    pub properties: Vec<[String; 3]>,
    /// What is assumed of all states.
    pub assumptions: Vec<String>,
}

/// A rule in the translation.
#[derive(Clone, Debug, Default)]
pub struct RuleText {
    /// What stands before its guard.
    pub head: String,
    pub conditions: Vec<Val>,
    /// What stands behind its guard.
    pub body: String,
    pub span: Span,
    pub priority: i64,
    /// Whether some instance is enabled: a function, and what it says.
    pub enabled: (String, String),
}

/// What should be called otherwise than it can be in the translation.
#[derive(Clone, Debug, Default)]
pub struct Titles {
    pub rules: Vec<String>,
    pub properties: Vec<String>,
}

/// A translation under way.
#[derive(Default)]
pub struct Translator<'p> {
    pub facts: Facts,
    pub diagnostics: Vec<Diagnostic>,
    pub out: Sections,
    pub titles: Titles,
    /// Variables whose initial value does not matter and that have no default.
    pub zeroed: BTreeSet<String>,
    pub scopes: Vec<HashMap<String, Binding>>,
    /// Names of the translation that are in use, by scope.
    pub used: Vec<BTreeSet<String>>,
    pub functions: Vec<Signature>,
    pub unions: BTreeMap<String, Vec<Base>>,
    pub enums: BTreeMap<String, Vec<String>>,
    pub helpers: BTreeSet<String>,
    /// Statements that must come before the expression at hand.
    pub before: Vec<String>,
    /// While indices are given names, so that they do not change: the statements that do.
    pub settled: Option<Vec<String>>,
    /// What is surely defined by now.
    pub assigned: BTreeSet<Path>,
    /// The function at hand.
    pub current: Option<String>,
    pub returns: Option<Returns>,
    /// Whether the statements at hand are those of a start state.
    pub starting: bool,
    pub vars: Vec<(String, Ty)>,
    /// What is said by `put`, in the order of the text, and the variables for the values in it.
    pub puts: Vec<Put>,
    pub said_values: Vec<String>,
    /// The queue of what is said, if that is what the translation is for.
    pub telling: Option<String>,
    /// The variable that says that an assumption in a rule was wrong.
    pub outside: Option<String>,
    /// Whether one may have been wrong in a function that was called in the body at hand, and in the
    /// statement at hand.
    pub dropped: bool,
    pub unsure: bool,
    /// The variables of `cover` statements, by their places.
    pub covers: BTreeMap<u32, String>,
    settings: &'p [(String, String)],
    pub set: BTreeSet<String>,
    comments: &'p [Comment],
    told: usize,
    /// Whether scalarset values need a value that is none: text models must have defaults.
    pub defaults: bool,
    /// Names of the translation that differ from those in the Murphi text.
    pub renamed: BTreeMap<String, String>,
    /// What comments say about the fairness of rules: a rule, or none for all of them, and whether it is
    /// strong.
    pub fairness: Vec<(Option<String>, bool, Span)>,
    fair: BTreeSet<String>,
}

impl<'p> Translator<'p> {
    /// Translates a model with what was found out before.
    pub fn model(parsed: &'p Parsed, settings: &'p [(String, String)], facts: Facts, aim: Purpose) -> Self {
        let mut translator = Self {
            facts,
            scopes: vec![HashMap::new()],
            used: vec![BTreeSet::new()],
            settings,
            comments: &parsed.comments,
            defaults: aim == Purpose::Readers,
            ..Self::default()
        };
        translator.facts.copying |= parsed.is_cmurphi;
        translator.telling = (aim == Purpose::Telling).then(|| translator.global("said"));
        translator.read_fairness();
        for item in &parsed.items {
            match item {
                Item::Decl(decl) => translator.declaration(decl, true),
                Item::Function(function) => translator.function(function),
                Item::Rule(rule) => translator.top_rule(rule),
            }
        }
        translator.finish();
        translator
    }

    /// The whole translation.
    pub fn text(&self) -> String {
        let sections = [&self.out.types, &self.out.vars, &self.out.functions];
        let mut text = sections.map(|lines| lines.concat()).join("\n");
        text.push_str(&self.helpers.iter().cloned().collect::<String>());
        let most = self.out.rules.iter().map(|rule| rule.priority).max().unwrap_or(0);
        for rule in self.out.rules.iter().filter(|rule| rule.priority < most) {
            text.push_str(&format!("fn {}(): bool = {};\n", rule.enabled.0, rule.enabled.1));
        }
        text.push_str(&self.initialisation());
        let rules: String = self.out.rules.iter().map(|rule| self.rule_text(rule)).collect();
        text.push_str(&format!("\nprocess Rules {{\n{rules}}}\n"));
        let assumed = self.outside.iter().map(|outside| format!("!{outside}"));
        let assumed: Vec<String> = assumed.chain(self.out.assumptions.iter().cloned()).collect();
        text.extend(assumed.iter().map(|assumed| format!("constraint {assumed};\n")));
        let assumed = assumed.join(" && ");
        for [head, word, claim] in &self.out.properties {
            let claim = match word.as_str() {
                "ctl" => claim.clone(),
                _ if assumed.is_empty() => claim.clone(),
                "invariant" => format!("{assumed} -> ({claim})"),
                _ => format!("{assumed} && ({claim})"),
            };
            text.push_str(&format!("{head} = {claim};\n"));
        }
        text
    }

    /// A rule, which waits for those that are more urgent.
    fn rule_text(&self, rule: &RuleText) -> String {
        let urgent = self.out.rules.iter().filter(|it| it.priority < rule.priority);
        let urgent = urgent.map(|it| Val::atom(format!("!{}()", it.enabled.0), Ty::bool()));
        let conditions: Vec<Val> = rule.conditions.iter().cloned().chain(urgent).collect();
        let when =
            if conditions.is_empty() { String::new() } else { format!(" when {}", all_of(&conditions)) };
        let anew: String = self.covers.values().map(|covered| format!("{covered} = false;\n")).collect();
        mark(rule.span, &format!("{}{when} {{\n{anew}{}}}\n", rule.head, rule.body))
    }

    /// What comments such as `-- burnside: fair rule "request"` say.
    fn read_fairness(&mut self) {
        for comment in self.comments {
            let Some(said) = comment.text.strip_prefix("burnside:").map(str::trim) else { continue };
            let (strong, rest) = (said.starts_with("strong"), said.trim_start_matches("strong").trim_start());
            let rest = rest.strip_prefix("fair").unwrap_or("").trim();
            let quoted = rest.strip_prefix("rule").map(str::trim);
            let name = quoted.and_then(|rest| rest.strip_prefix('"')).and_then(|rest| rest.strip_suffix('"'));
            match (rest, name) {
                ("rules", _) => self.fairness.push((None, strong, comment.span)),
                (_, Some(name)) => self.fairness.push((Some(name.to_string()), strong, comment.span)),
                _ => {
                    let message = "this comment is for burnside, which does not understand it";
                    let help = "it says `fair rule \"NAME\"`, `strong fair rule \"NAME\"`, `fair rules` or `strong fair rules`";
                    self.report(Diagnostic::error(Code::MurphiModel, comment.span, message).help(help));
                }
            }
        }
    }

    /// How fair a rule is: what stands before it in the translation.
    pub fn fairness_of(&mut self, name: Option<&Name>) -> &'static str {
        let mut strength = None;
        for (rule, strong, _) in &self.fairness {
            if rule.as_ref().is_none_or(|rule| name.is_some_and(|name| name.text == *rule)) {
                strength = strength.max(Some(*strong));
            }
        }
        self.fair.extend(name.map(|name| name.text.clone()));
        match strength {
            None => "",
            Some(false) => "fair ",
            Some(true) => "strong fair ",
        }
    }

    /// Comments about rules that there are not.
    pub fn check_fairness(&mut self) {
        for (rule, _, span) in self.fairness.clone() {
            if let Some(rule) = rule.filter(|rule| !self.fair.contains(rule)) {
                self.error(span, format!("there is no rule \"{}\"", clean(&rule)));
            }
        }
    }

    /// An error, with the names that the text has.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        let message: String = message.into();
        let words = message.split('`').map(|word| self.renamed.get(word).map_or(word, String::as_str));
        self.report(Diagnostic::error(Code::MurphiModel, span, words.collect::<Vec<_>>().join("`")));
    }

    /// An error in place of something.
    pub fn wrong<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.error(span, message);
        None
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The comments of the text that were not told yet and stand before a place.
    pub fn comments(&mut self, span: Span) -> String {
        let mut lines = String::new();
        while let Some(comment) = self.comments.get(self.told).filter(|it| it.span.start < span.start) {
            self.told += 1;
            if comment.text.starts_with("burnside:") {
                continue;
            }
            for line in comment.text.lines() {
                lines.push_str(&format!("// {}\n", clean(line)));
            }
        }
        lines
    }

    // Names.

    /// A name of the translation that nothing else in sight has.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let word: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let word = match word.trim_matches('_') {
            "" => "it".to_string(),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => format!("n{word}"),
            _ => word,
        };
        let reserved = ["X", "F", "G", "U", "R", "W", "M", "A", "E", "AX", "EX", "AF", "EF", "AG", "EG"];
        let is_free = |name: &String| {
            !is_keyword(name)
                && !reserved.contains(&name.as_str())
                && !["ord", "next", "prev", "abs", "is", "not", "some", "all"].contains(&name.as_str())
                && self.used.iter().all(|names| !names.contains(name))
        };
        let others = (2..).map(|number: u32| format!("{word}_{number}"));
        let mut names = [word.clone(), format!("{word}_")].into_iter().chain(others);
        let name = names.find(is_free).expect("there are more numbers than names");
        if name != wanted {
            self.renamed.insert(name.clone(), wanted.to_string());
        }
        self.used.last_mut().expect("there is a scope").insert(name.clone());
        name
    }

    pub fn bind(&mut self, name: &Name, binding: Binding) {
        let scope = self.scopes.last_mut().expect("there is a scope");
        if scope.insert(name.text.clone(), binding).is_some() {
            self.error(name.span, format!("`{}` is declared twice", name.text));
        }
    }

    pub fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Something with names of its own.
    pub fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        self.used.push(BTreeSet::new());
        let result = inside(self);
        self.scopes.pop();
        self.used.pop();
        result
    }

    // Declarations.

    /// A declaration at the top, or of something that has locals.
    pub fn declaration(&mut self, decl: &Decl, top: bool) {
        match decl {
            Decl::Const(name, value) => {
                let comments = if top { self.comments(name.span) } else { String::new() };
                let given = self.settings.iter().rev().find(|(it, _)| top && *it == name.text);
                let given = given.map(|(_, value)| value.clone());
                let Some(value) = self.value(value) else { return };
                let Some(mut constant) = value.constant else {
                    return self.error(name.span, format!("the value of `{}` is not constant", name.text));
                };
                let mut code = value.code;
                if let Some(text) = given {
                    self.set.insert(name.text.clone());
                    match (text.parse::<i64>(), text.as_str()) {
                        (Ok(number), _) if value.ty.bounds().is_some() => constant = number,
                        (_, "true" | "false") if value.ty == Ty::bool() => {
                            constant = i64::from(text == "true")
                        }
                        _ => {
                            return self
                                .error(name.span, format!("`{text}` is no value for `{}`", name.text));
                        }
                    }
                    code = text;
                }
                let ty = if value.ty.bounds().is_some() { Ty::int(constant, constant) } else { value.ty };
                let is_plain = ty.bounds().is_some() || ty == Ty::bool();
                let used = match top && is_plain {
                    true => self.fresh(&name.text),
                    false if ty.bounds().is_some() => constant.to_string(),
                    false => code.clone(),
                };
                if top && is_plain {
                    self.out.types.push(format!("{comments}const {used} = {code};\n"));
                }
                self.bind(name, Binding::Const(ty, constant, used));
            }
            Decl::Type(name, ty) => {
                let comments = if top { self.comments(name.span) } else { String::new() };
                self.out.types.push(comments);
                if let Some(ty) = self.resolve(ty, Some(&name.text)) {
                    self.bind(name, Binding::Type(ty));
                }
            }
            Decl::Var(decl) if top => {
                let comments = self.comments(decl.names[0].span);
                self.out.vars.push(comments);
                let Some(ty) = self.resolve(&decl.ty, None) else { return };
                for name in &decl.names {
                    self.state_variable(name, &ty);
                }
            }
            Decl::Var(decl) => {
                // Locals are declared where the body starts.
                let Some(ty) = self.resolve(&decl.ty, None) else { return };
                if !matches!(&ty, Ty::Simple(Base::Bool | Base::Int { .. } | Base::Enum(_), _)) {
                    self.facts.undefine(&ty);
                }
                for name in &decl.names {
                    let code = self.fresh(&name.text);
                    let text = self.type_text(&ty);
                    self.before.push(mark(name.span, &format!("var {code}: {text};\n")));
                    self.bind_variable(name, code, ty.clone(), Root::Local);
                }
            }
        }
    }

    fn state_variable(&mut self, name: &Name, ty: &Ty) {
        let code = self.fresh(&name.text);
        let mut initial = String::new();
        if self.lacks_default(ty) {
            self.zeroed.insert(code.clone());
            let literal = self.literal(innermost(ty));
            initial = format!(" = {literal}");
        }
        let text = format!("var {}: {}{initial};\n", mark(name.span, &code), self.type_text(ty));
        self.out.vars.push(text);
        self.vars.push((code.clone(), ty.clone()));
        self.bind_variable(name, code, ty.clone(), Root::State);
    }

    pub fn bind_variable(&mut self, name: &Name, code: String, ty: Ty, root: Root) {
        let path = Some((code.clone(), Vec::new()));
        self.bind(name, Binding::Place(Place { code, ty, root, path, element: None }));
    }

    /// Whether some of its values has no default.
    fn lacks_default(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Simple(base, node) => {
                matches!(base, Base::Sort(_) | Base::Union(_)) && !self.facts.is_optional(*node)
            }
            Ty::Record(record) => record.fields.iter().any(|(_, _, ty)| self.lacks_default(ty)),
            Ty::Array(_, element) => self.lacks_default(element),
            Ty::Bag(..) => false,
        }
    }

    /// The least value of a type; of a scalarset some value.
    pub fn literal(&self, ty: &Ty) -> String {
        match ty {
            Ty::Simple(_, node) if self.facts.is_optional(*node) => "none".to_string(),
            Ty::Simple(base, _) => self.least(base),
            Ty::Record(record) => {
                let fields =
                    record.fields.iter().map(|(_, name, ty)| format!("{name}: {}", self.literal(ty)));
                format!("{}({})", record.name, fields.collect::<Vec<_>>().join(", "))
            }
            Ty::Array(index, element) => format!("[it_: {} => {}]", index.text(), self.literal(element)),
            Ty::Bag(..) => "{}".to_string(),
        }
    }

    /// The least value of a simple type.
    pub fn least(&self, base: &Base) -> String {
        match base {
            Base::Bool => "false".to_string(),
            Base::Int { lo, .. } => lo.to_string(),
            Base::Enum(name) => {
                self.enums.get(name).map_or_else(String::new, |constants| constants[0].clone())
            }
            Base::Sort(name) => format!("{name}#0"),
            Base::Union(name) => {
                self.unions.get(name).map_or_else(String::new, |parts| self.least(&parts[0]))
            }
        }
    }

    // Types.

    /// A type as it is written; one that needs a name is declared.
    pub fn resolve(&mut self, ty: &TypeExpr, name: Option<&str>) -> Option<Ty> {
        let node = Facts::node(ty.span);
        let simple = |base| Some(Ty::Simple(base, node));
        match &ty.kind {
            TypeKind::Boolean => simple(Base::Bool),
            TypeKind::Range(from, to) => {
                let (from, to) = (self.constant(from), self.constant(to));
                let ((lo, from), (hi, to)) = (from?, to?);
                if lo > hi {
                    return self.wrong(ty.span, format!("the range {lo}..{hi} has no value"));
                }
                let name = name.map(|name| self.fresh(name)).filter(|name| !self.facts.plain.contains(name));
                if let Some(name) = &name {
                    self.out.types.push(format!("type {name} = {from}..{to};\n"));
                }
                simple(Base::Int { lo, hi, name })
            }
            TypeKind::Enum(names) => {
                let orb = self.fresh(name.unwrap_or("Kind"));
                let base = Base::Enum(orb.clone());
                let mut constants = Vec::new();
                for (number, constant) in names.iter().enumerate() {
                    let code = self.fresh(&constant.text);
                    let ty = Ty::Simple(base.clone(), DEFINED);
                    self.bind(constant, Binding::Const(ty, number as i64, code.clone()));
                    constants.push(code);
                }
                self.out.types.push(format!("enum {orb} {{ {} }}\n", constants.join(", ")));
                self.enums.insert(orb, constants);
                simple(base)
            }
            TypeKind::Scalarset(size) => {
                let (size, code) = self.constant(size)?;
                if !(1..=MAX_VALUES).contains(&size) {
                    return self.wrong(ty.span, format!("a scalarset cannot have {size} elements"));
                }
                let orb = self.fresh(name.unwrap_or("Scalarset"));
                self.out.types.push(format!("symmetric {orb}[{code}];\n"));
                simple(Base::Sort(orb))
            }
            TypeKind::Union(parts) => self.union(ty.span, parts, name),
            TypeKind::Record(decls) => {
                let orb = self.fresh(name.unwrap_or("Record"));
                let mut fields = Vec::new();
                for decl in decls {
                    let ty = self.resolve(&decl.ty, None)?;
                    for name in &decl.names {
                        if fields.iter().any(|(known, _, _)| *known == name.text) {
                            self.error(name.span, format!("there are two fields `{}`", name.text));
                        }
                        let code = if is_keyword(&name.text) {
                            format!("{}_", name.text)
                        } else {
                            name.text.clone()
                        };
                        fields.push((name.text.clone(), code, ty.clone()));
                    }
                }
                if fields.is_empty() {
                    return self.wrong(ty.span, "a record needs a field");
                }
                let list = fields.iter().map(|(_, code, ty)| format!("{code}: {}", self.type_text(ty)));
                let list = list.collect::<Vec<_>>().join(", ");
                self.out.types.push(format!("record {orb} {{ {list} }}\n"));
                Some(Ty::Record(Rc::new(Record { name: orb, fields })))
            }
            TypeKind::Array(index, element) => {
                let of_index = self.resolve(index, None);
                let element = self.resolve(element, None)?;
                match of_index? {
                    Ty::Simple(base, _) => Some(Ty::Array(base, Rc::new(element))),
                    other => self.wrong(index.span, format!("{} cannot be an index", other.describe())),
                }
            }
            TypeKind::Multiset(size, element) => {
                let (size, _) = self.constant(size)?;
                if !(1..=1 << 16).contains(&size) {
                    return self.wrong(ty.span, format!("a multiset cannot hold {size} elements"));
                }
                Some(Ty::Bag(size, Rc::new(self.resolve(element, None)?)))
            }
            TypeKind::Named(name) => match self.lookup(name).cloned() {
                Some(Binding::Type(Ty::Simple(base, _))) => simple(base),
                Some(Binding::Type(other)) => Some(other),
                _ => self.wrong(ty.span, format!("there is no type `{name}`")),
            },
        }
    }

    fn union(&mut self, span: Span, parts: &[TypeExpr], name: Option<&str>) -> Option<Ty> {
        let mut bases: Vec<Base> = Vec::new();
        for part in parts {
            match self.resolve(part, None)? {
                Ty::Simple(Base::Union(inner), _) => {
                    bases.extend(self.unions.get(&inner).cloned().unwrap_or_default())
                }
                Ty::Simple(base @ (Base::Enum(_) | Base::Sort(_)), _) => bases.push(base),
                other => {
                    return self.wrong(
                        part.span,
                        format!("a union is of scalarsets and enums, not of {}", other.describe()),
                    );
                }
            }
        }
        let orb = self.fresh(name.unwrap_or("Union"));
        let names: Vec<String> = bases.iter().map(Base::text).collect();
        if bases.len() < 2 {
            return self.wrong(span, "a union needs two types");
        }
        self.out.types.push(format!("type {orb} = {};\n", names.join(" | ")));
        self.unions.insert(orb.clone(), bases);
        Some(Ty::Simple(Base::Union(orb), Facts::node(span)))
    }

    /// A type in the translation.
    pub fn type_text(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Simple(base, node) => {
                if self.defaults && *node != DEFINED && matches!(base, Base::Sort(_) | Base::Union(_)) {
                    self.facts.undefine(ty);
                }
                let optional = if self.facts.is_optional(*node) { "?" } else { "" };
                format!("{}{optional}", base.text())
            }
            Ty::Record(record) => record.name.clone(),
            Ty::Array(index, element) => format!("array[{}] of {}", index.text(), self.type_text(element)),
            Ty::Bag(size, element) => format!("bag[{size}] of {}", self.type_text(element)),
        }
    }

    // Functions.

    fn function(&mut self, function: &Function) {
        let comments = self.comments(function.name.span);
        let code = self.fresh(&function.name.text);
        let index = self.functions.len();
        let mut params = Vec::new();
        for param in &function.params {
            let Some(ty) = self.resolve(&param.decl.ty, None) else { continue };
            params.extend(param.decl.names.iter().map(|name| (param.by_reference, ty.clone(), name)));
        }
        let result = function.result.as_ref().and_then(|ty| self.resolve(ty, None));
        let signature = Signature {
            name: code.clone(),
            called: code.clone(),
            params: params.iter().map(|(by_reference, ty, _)| (*by_reference, ty.clone())).collect(),
            result: result.clone(),
            finished: false,
        };
        self.functions.push(signature);
        self.bind(&function.name, Binding::Function(index));
        self.current = Some(code.clone());
        let changing = result.is_none() || self.facts.changing.contains(&code);
        let copies = if self.facts.recursive.contains(&code) { MAX_CALLS } else { 0 };
        for copy in 0..=copies {
            let this_one = self.functions[index].called.clone();
            if copies > 0 {
                self.functions[index].called = self.global(&code);
            }
            let mut function = function.clone();
            if copy == MAX_CALLS {
                let message =
                    format!("more than {MAX_CALLS} calls of {} inside each other", function.name.text);
                let kind = StmtKind::Error(Some(message));
                (function.decls, function.body) = (Vec::new(), vec![Stmt { span: function.name.span, kind }]);
            }
            let text = self.scoped(|this| {
                let names = this.parameters(&params, changing);
                this.function_body(&function, &this_one, names, result.clone(), changing)
            });
            let text = mark(function.name.span, &text);
            self.out.functions.push(if copy == 0 { format!("{comments}{text}") } else { text });
        }
        self.current = None;
        self.functions[index].called = code;
        self.functions[index].finished = true;
    }

    fn parameters(&mut self, params: &[(bool, Ty, &Name)], changing: bool) -> Vec<String> {
        let mut texts = Vec::new();
        for (by_reference, ty, name) in params {
            let code = self.fresh(&name.text);
            let is_optional = matches!(ty, Ty::Simple(_, node) if self.facts.is_optional(*node));
            let ty = if *by_reference || is_optional { ty.clone() } else { ty.defined() };
            let text = self.type_text(&ty);
            let inout = if *by_reference && changing { "inout " } else { "" };
            texts.push(format!("{inout}{code}: {text}"));
            let root = if *by_reference { Root::Reference } else { Root::ReadOnly };
            self.bind(name, Binding::Place(Place { code, ty, root, path: None, element: None }));
        }
        texts
    }
}

/// What an array holds in the end.
fn innermost(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(_, element) => innermost(element),
        other => other,
    }
}

/// A text that can stand in a comment or a string.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether a word has a meaning of its own in the translation.
fn is_keyword(word: &str) -> bool {
    TEXTS.contains(&word)
}
