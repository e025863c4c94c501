//! Murphi, the language of CMurphi and Rumur: a model is translated into our own language, and what is said
//! about the translation is said about the Murphi text.
//!
//! Entry points: [`translate()`] for a model, [`Translation::formula`] for what is asked beside it. So there
//! is one discipline of symmetry, one checker and one meaning, and `burnside convert` shows what they see.
//! Nothing here explores states.

mod arithmetic;
mod ast;
mod expr;
mod lexer;
mod marks;
mod parser;
mod rule;
mod stmt;
mod translate;
mod types;

pub use marks::Origins;
pub use parser::Mode;

use burnside_lang::diagnostic::Diagnostic;
use parser::{Parsed, parse, parse_formula};
use std::collections::{BTreeMap, BTreeSet};
use translate::{Purpose, Translator};
use types::Facts;

/// What a `put` says.
#[derive(Clone, Debug)]
pub enum Put {
    /// This.
    Text(String),
    /// The value of the variable with this number, of those for values.
    Value(usize),
}

/// A model in our own language, and how it belongs to the Murphi text.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The model.
    pub text: String,
    /// Where its parts come from.
    pub origins: Origins,
    /// What is wrong with the Murphi text. If something is, the rest does not count.
    pub diagnostics: Vec<Diagnostic>,
    /// Constants that were set and that the model does not have.
    pub unknown_settings: Vec<String>,
    /// The names of the rules in the Murphi text, in order.
    pub rules: Vec<String>,
    /// The names of its properties, in order.
    pub properties: Vec<String>,
    /// Variables whose first value is never seen, since the start states give them another one.
    pub overwritten: BTreeSet<String>,
    /// Names of the translation that differ from those in the Murphi text.
    pub renamed: BTreeMap<String, String>,
    /// What its `put` statements say, in order, if it was translated for that.
    pub puts: Vec<Put>,
    parsed: Parsed,
    settings: Vec<(String, String)>,
    facts: Facts,
}

/// Translates a model, with constants that are replaced.
pub fn translate(source: &str, settings: &[(String, String)]) -> Translation {
    translated(source, settings, Purpose::Checking)
}

/// Translates a model for readers: a text that means the same alone.
pub fn convert(source: &str, settings: &[(String, String)]) -> Translation {
    translated(source, settings, Purpose::Readers)
}

/// Translates a model to know what `put` says: the same with a queue of what is said, which each rule empties
/// first, and variables for values behind those of the model. None if nothing is said.
pub fn telling(source: &str, settings: &[(String, String)]) -> Option<Translation> {
    let told = translated(source, settings, Purpose::Telling);
    (!told.puts.is_empty() && told.diagnostics.is_empty()).then_some(told)
}

fn translated(source: &str, settings: &[(String, String)], purpose: Purpose) -> Translation {
    let parsed = parse(source);
    let mut diagnostics = parsed.diagnostics.clone();
    let mut facts = Facts::default();
    let translator = loop {
        let translator = Translator::model(&parsed, settings, facts.clone(), purpose);
        if translator.facts == facts || !translator.diagnostics.is_empty() {
            break translator;
        }
        facts = translator.facts;
    };
    // What the reader did not understand is missing now, and would be told again.
    if diagnostics.is_empty() {
        diagnostics = translator.diagnostics.clone();
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    let unknown = settings.iter().filter(|(name, _)| !translator.set.contains(name));
    let unknown_settings = unknown.map(|(name, _)| name.clone()).collect();
    let (text, origins) = marks::settle(&translator.text());
    Translation {
        text,
        origins,
        diagnostics,
        unknown_settings,
        rules: translator.titles.rules.clone(),
        properties: translator.titles.properties.clone(),
        overwritten: translator.zeroed.clone(),
        renamed: translator.renamed,
        puts: translator.puts,
        facts: translator.facts,
        settings: settings.to_vec(),
        parsed,
    }
}

impl Translation {
    /// Translates a formula over the names of the model, which starts at some byte of a text.
    pub fn formula(&self, text: &str, at: usize, mode: Mode) -> Result<(String, Origins), Vec<Diagnostic>> {
        let (expr, diagnostics) = parse_formula(text, at, mode);
        let Some(expr) = expr.filter(|_| diagnostics.is_empty()) else { return Err(diagnostics) };
        let mut translator =
            Translator::model(&self.parsed, &self.settings, self.facts.clone(), Purpose::Checking);
        translator.diagnostics.clear();
        match translator.pure(&expr) {
            Some(value) if translator.diagnostics.is_empty() => Ok(marks::settle(&value.code)),
            _ => Err(translator.diagnostics),
        }
    }
}
