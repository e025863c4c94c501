//! What should come out of checking the model: `expect` on properties, and `check` blocks.
//!
//! Entry points: [`Checker::expectations`], and [`check_blocks`] for blocks that stand beside something that
//! is not in our language. What a key of a block means follows from its value: a verdict is about a property,
//! a number or a truth value about a constant or a figure, any other word about an option. So a property may
//! be called `states`; a constant of that name cannot be set in a block, since the figure would be meant.

use super::Checker;
use super::index::Symbol;
use super::scope::{Global, Slot};
use super::suggest::{list, nearest};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::expect::{Configuration, Expectations, Expected};
use crate::hir::ConstantValue;
use crate::syntax::ast::{self, ElementKind, Entry, Expr, ExprKind, ItemKind, Property, TypeKind, UnaryOp};
use burnside_limits::poll;
use std::collections::BTreeMap;

/// Keys whose values are numbers.
const FIGURES: [&str; 4] = ["states", "transitions", "orbits", "max_states"];

/// Keys whose values are words, with what these mean.
const OPTIONS: [(&str, [(&str, bool); 2]); 2] = [
    ("fairness", [("model", true), ("none", false)]),
    ("deadlock_paths", [("maximal", true), ("stutter", false)]),
];

/// Properties that need no declaration.
const BUILT_IN: [&str; 2] = ["faults", "deadlock"];

/// Keys of a block that every model has.
pub fn entry_keys() -> impl Iterator<Item = &'static str> {
    FIGURES.into_iter().chain(OPTIONS.map(|(name, _)| name)).chain(BUILT_IN)
}

/// The words that such a key can be, none for a figure.
pub fn entry_words(key: &str) -> Vec<&'static str> {
    if BUILT_IN.contains(&key) {
        return Expected::ALL.map(Expected::name).to_vec();
    }
    let option = OPTIONS.iter().find(|(name, _)| *name == key);
    option.into_iter().flat_map(|(_, words)| words.map(|(word, _)| word)).collect()
}

/// What a key can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Constant,
    Figure,
    Choice,
    Verdict,
}

/// Checks `check` blocks that stand outside of a model, beside a net for example, whose properties are these.
pub fn check_blocks(file: &ast::File, properties: &[&str]) -> (Expectations, Vec<Diagnostic>) {
    let mut checker = Checker::new(&[]);
    let known = properties.iter().map(|name| (name.to_string(), Span::default()));
    checker.names.properties = known.collect();
    let blocks = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Check(entries) => Some((entries.as_slice(), item.span)),
        _ => None,
    });
    checker.decls.checks = blocks.collect();
    checker.expectations();
    checker.sort_diagnostics();
    (checker.expectations, checker.diagnostics)
}

/// Values for the constants that have none: those of the first `check` block that has one. So a model can be
/// looked at by itself, to find what it expects or to show it in an editor.
pub fn settings_of_blocks(file: &ast::File) -> Vec<(String, String)> {
    let unset = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Const { name, value: None, .. } => Some(name),
        _ => None,
    });
    let entries = || {
        file.items.iter().flat_map(|item| match &item.kind {
            ItemKind::Check(entries) => entries.as_slice(),
            _ => &[],
        })
    };
    let value = |name: &ast::Name| {
        let entry = entries().find(|entry| entry.key.text == name.text)?;
        let value = match &entry.value.kind {
            ast::ElementKind::Number(number) => number.to_string(),
            ast::ElementKind::Name(value) => value.clone(),
            ast::ElementKind::Error => return None,
        };
        Some((name.text.clone(), value))
    };
    unset.filter_map(value).collect()
}

impl Checker<'_> {
    pub(super) fn expectations(&mut self) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for (property, ast::Expect { span, verdict }) in self.decls.expects.clone() {
            let name = match property {
                Property::Invariant { name, .. }
                | Property::Reachable { name, .. }
                | Property::Ltl { name, .. }
                | Property::Ctl { name, .. }
                | Property::Never { name, .. } => name.text.as_str(),
                Property::Deadlock { .. } => "deadlock",
            };
            if !self.may_expect(name, span) {
                continue;
            }
            match first.insert(name, span) {
                // Two properties of one name are reported already.
                Some(first) if name == "deadlock" => self.said_twice(name, span, first),
                _ => self.expectations.properties.push((name.to_string(), verdict)),
            }
        }
        let mut known: BTreeMap<Vec<String>, Span> = BTreeMap::new();
        for (entries, span) in self.decls.checks.clone() {
            let configuration = self.configuration(entries, span);
            let mut conditions = configuration.conditions();
            conditions.sort();
            if let Some(other) = known.get(&conditions) {
                let message = "another `check` block has the same constants and options";
                let error = Diagnostic::error(Code::DuplicateExpectation, head(span), message);
                let error = error.note(head(*other), "the other is here");
                self.report(error.help("put what is expected into one of them"));
            }
            known.entry(conditions).or_insert(span);
            self.expectations.configurations.push(configuration);
        }
    }

    /// Deadlocks that are allowed are not looked for.
    fn may_expect(&mut self, property: &str, span: Span) -> bool {
        let allowed = property == "deadlock" && !self.deadlock_free;
        if allowed {
            let message = "deadlocks are allowed here, so nobody looks for them";
            let error = Diagnostic::error(Code::BadExpectation, span, message);
            self.report(error.help("remove this, or `deadlock allowed;`"));
        }
        !allowed
    }

    fn said_twice(&mut self, key: &str, span: Span, first: Span) {
        let message = format!("what is expected of `{key}` is said twice");
        let error = Diagnostic::error(Code::DuplicateExpectation, span, message);
        self.report(error.label("again here").note(first, "first here"));
    }

    fn configuration(&mut self, entries: &[Entry], span: Span) -> Configuration {
        let mut found = Configuration { span, ..Configuration::default() };
        let mut first: BTreeMap<(Sort, &str), Span> = BTreeMap::new();
        for entry in entries {
            poll();
            let (key, place) = (entry.key.text.as_str(), entry.key.span);
            if key.is_empty() {
                self.incomplete = true;
                continue;
            }
            let Some(sort) = self.entry(entry, &mut found) else { continue };
            if let Some(first) = first.get(&(sort, key)) {
                match sort {
                    Sort::Constant | Sort::Choice => {
                        let message = format!("`{key}` is set twice");
                        let error = Diagnostic::error(Code::DuplicateExpectation, place, message);
                        self.report(error.label("again here").note(*first, "first here"));
                    }
                    _ => self.said_twice(key, place, *first),
                }
            }
            first.entry((sort, key)).or_insert(place);
        }
        found
    }

    /// Puts one entry where it belongs, and says where that is.
    fn entry(&mut self, Entry { key, value }: &Entry, to: &mut Configuration) -> Option<Sort> {
        let given = match &value.kind {
            ElementKind::Error => return self.left_out(),
            ElementKind::Number(number) => ConstantValue::Int(*number),
            ElementKind::Name(word) if word == "true" || word == "false" => {
                ConstantValue::Bool(word == "true")
            }
            ElementKind::Name(word) => match Expected::named(word) {
                Some(verdict) => return self.verdict_entry(key, value.span, verdict, to),
                None => return self.option_entry(key, word, value.span, to),
            },
        };
        let figure = FIGURES.contains(&key.text.as_str());
        let constant = self.constant_of(&key.text);
        if let Some(index) = constant {
            self.note(key.span, Symbol::Constant(index as u32));
        }
        match constant {
            Some(_) if figure => {
                let message =
                    format!("`{}` is a figure here, but the model has a constant of this name", key.text);
                let error = Diagnostic::error(Code::BadExpectation, key.span, message);
                self.report(error.help("rename the constant"));
                None
            }
            Some(index) => {
                self.setting_fits(index, given, value.span)?;
                to.settings.push((key.text.clone(), given));
                Some(Sort::Constant)
            }
            None if figure => self.figure_entry(key, given, value.span, to),
            None => self.misplaced(key, value.span, true),
        }
    }

    fn constant_of(&self, name: &str) -> Option<usize> {
        match self.names.globals.get(name) {
            Some(&Global::Constant(index)) => Some(index),
            _ => None,
        }
    }

    fn is_property(&self, name: &str) -> bool {
        BUILT_IN.contains(&name) || self.names.properties.contains_key(name)
    }

    /// Notes the property that a key names, if it is declared.
    fn note_property(&mut self, key: &ast::Name) {
        let Some(declared) = self.names.properties.get(&key.text) else { return };
        // They are in the order of the text.
        let next = self.decls.properties.partition_point(|(_, span)| span.start <= declared.start);
        if let Some(position) = next.checked_sub(1) {
            self.note(key.span, Symbol::Property(position as u32));
        }
    }

    fn verdict_entry(
        &mut self,
        key: &ast::Name,
        span: Span,
        verdict: Expected,
        to: &mut Configuration,
    ) -> Option<Sort> {
        if !self.is_property(&key.text) {
            return self.misplaced(key, span, false);
        }
        self.note_property(key);
        if self.may_expect(&key.text, key.span) {
            to.verdicts.push((key.text.clone(), verdict));
        }
        Some(Sort::Verdict)
    }

    fn option_entry(
        &mut self,
        key: &ast::Name,
        word: &str,
        span: Span,
        to: &mut Configuration,
    ) -> Option<Sort> {
        let Some((_, values)) = OPTIONS.iter().find(|(name, _)| *name == key.text) else {
            return self.misplaced(key, span, false);
        };
        let Some((_, chosen)) = values.iter().find(|(name, _)| *name == word) else {
            let [(one, _), (other, _)] = values;
            let message = format!("`{}` is `{one}` or `{other}`", key.text);
            self.error(Code::BadExpectation, span, message);
            return None;
        };
        match key.text.as_str() {
            "fairness" => to.fair = Some(*chosen),
            _ => to.maximal = Some(*chosen),
        }
        Some(Sort::Choice)
    }

    fn figure_entry(
        &mut self,
        key: &ast::Name,
        given: ConstantValue,
        span: Span,
        to: &mut Configuration,
    ) -> Option<Sort> {
        let least = u64::from(key.text == "max_states");
        let number = match given {
            ConstantValue::Int(number) => u64::try_from(number).ok().filter(|number| *number >= least),
            ConstantValue::Bool(_) => None,
        };
        let Some(number) = number else {
            let message = format!("`{}` is a number, {least} or more", key.text);
            self.error(Code::BadExpectation, span, message);
            return None;
        };
        let place = match key.text.as_str() {
            "states" => &mut to.states,
            "transitions" => &mut to.transitions,
            "orbits" => &mut to.orbits,
            _ => &mut to.max_states,
        };
        *place = Some(number);
        Some(Sort::Figure)
    }

    /// Whether a constant can have a value. Its range may depend on other constants, which the same block may
    /// set: only one that is written as numbers is looked at here.
    fn setting_fits(&mut self, index: usize, given: ConstantValue, span: Span) -> Option<()> {
        let known = match self.names.constants[index] {
            Slot::Done(known) => known?,
            _ => return None,
        };
        let decl = self.decls.constants[index];
        match (known, given) {
            (ConstantValue::Bool(_), ConstantValue::Bool(_)) => Some(()),
            (ConstantValue::Int(_), ConstantValue::Int(value)) => {
                let range = decl.ty.and_then(|ty| match &ty.kind {
                    TypeKind::Range(low, high) => Some((number(low)?, number(high)?)),
                    _ => None,
                });
                let Some((low, high)) = range.filter(|(low, high)| !(low..=high).contains(&&value)) else {
                    return Some(());
                };
                let message = format!("{value} is outside the range {low}..{high}");
                let error = Diagnostic::error(Code::OutOfRangeConstant, span, message);
                self.report(error.note(decl.name.span, "the constant is declared here"));
                None
            }
            _ => {
                let wanted = match known {
                    ConstantValue::Bool(_) => "a truth value",
                    ConstantValue::Int(_) => "an integer",
                };
                let message = format!("the constant `{}` is {wanted}", decl.name.text);
                let error = Diagnostic::error(Code::TypeMismatch, span, message);
                self.report(error.note(decl.name.span, "it is declared here"));
                None
            }
        }
    }

    /// Says why a key cannot have its value: it is something else, or nothing.
    fn misplaced(&mut self, key: &ast::Name, value: Span, is_value: bool) -> Option<Sort> {
        let name = key.text.as_str();
        let verdicts = "`holds`, `violated` or `unknown`";
        let wanted = if self.is_property(name) {
            self.note_property(key);
            Some(format!("the verdict of the property `{name}` is {verdicts}"))
        } else if FIGURES.contains(&name) {
            Some(format!("`{name}` is a number"))
        } else if let Some((_, [(one, _), (other, _)])) = OPTIONS.iter().find(|(option, _)| *option == name) {
            Some(format!("`{name}` is `{one}` or `{other}`"))
        } else {
            self.constant_of(name).map(|index| {
                self.note(key.span, Symbol::Constant(index as u32));
                format!("the constant `{name}` is set to a number or a truth value")
            })
        };
        if let Some(message) = wanted {
            self.error(Code::BadExpectation, value, message);
            return None;
        }
        let constants: Vec<&str> = self.decls.constants.iter().map(|it| it.name.text.as_str()).collect();
        let properties = self.names.properties.keys().map(String::as_str).chain(BUILT_IN);
        let properties: Vec<&str> = properties.collect();
        let words = FIGURES.into_iter().chain(OPTIONS.map(|(name, _)| name));
        let all = constants.iter().chain(&properties).copied().chain(words);
        let (what, known) = match is_value {
            true => ("constant or figure", constants.iter().copied().chain(FIGURES).collect::<Vec<_>>()),
            false => ("property", properties.clone()),
        };
        let help = match nearest(name, all) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", list(&known)),
        };
        let message = format!("there is no {what} `{name}`");
        self.report(Diagnostic::error(Code::UnknownName, key.span, message).help(help));
        None
    }
}

/// The word `check` of a block.
fn head(block: Span) -> Span {
    Span::new(block.start, (block.start + "check".len() as u32).min(block.end))
}

/// The value of a number as it is written.
fn number(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, inner) => number(inner).map(|value| -value),
        _ => None,
    }
}
