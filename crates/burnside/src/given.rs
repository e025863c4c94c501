//! Properties that do not stand in the model: conditions and formulas that are given beside it, and automata of forbidden runs. Hints alike.
//!
//! Entry point: [`Texts::add`]. Their texts are put behind that of the model, each on lines of its own, so that they are parsed, checked, lowered
//! and quoted as if they stood there. What is said about them is moved back to where they came from: diagnostics by [`Texts::add`], the
//! sites of faults by [`Texts::settle`].

use burnside_lang::check::{check_conditions, check_hint, check_property};
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_lang::hir;
use burnside_lang::syntax::ast::{Expr, Name, Property};
use burnside_lang::syntax::{Mode, parse_expression_from};
use burnside_logic::{Automaton, read_hoa};
use burnside_ts::Site;
use std::collections::HashSet;
use std::path::Path;

/// A property or a hint from outside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its kind.
    pub kind: GivenKind,
    /// Where its text comes from: a file, or something like `<command line: --ltl>`.
    pub origin: String,
    /// Its text.
    pub text: String,
}

/// The kinds of what comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenKind {
    /// A condition that is true in every reachable state.
    Invariant,
    /// A condition that is true in some reachable state.
    Reachable,
    /// A linear-time formula.
    Ltl,
    /// A branching-time formula.
    Ctl,
    /// A number whose greatest value is wanted (nets only).
    Bound,
    /// A general property by its name (nets only).
    Global,
    /// Formulas in the XML of the Model Checking Contest (nets only).
    Contest,
    /// An automaton in the Hanoi Omega-Automata format that accepts the forbidden runs. Its propositions are conditions.
    Automaton,
    /// A condition that may guide a search. It is no property, and nets have none.
    Hint,
}

impl GivenKind {
    /// All of them.
    pub const ALL: [GivenKind; 9] = [
        GivenKind::Invariant,
        GivenKind::Reachable,
        GivenKind::Ltl,
        GivenKind::Ctl,
        GivenKind::Bound,
        GivenKind::Global,
        GivenKind::Contest,
        GivenKind::Automaton,
        GivenKind::Hint,
    ];

    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            GivenKind::Invariant => "invariant",
            GivenKind::Reachable => "reachable",
            GivenKind::Bound => "bound",
            GivenKind::Global => "global",
            GivenKind::Contest => "contest",
            GivenKind::Ltl => "ltl",
            GivenKind::Ctl => "ctl",
            GivenKind::Automaton => "automaton",
            GivenKind::Hint => "hint",
        }
    }
}

/// The text of a model, and behind it the texts of what is given besides.
pub(crate) struct Texts {
    /// Everything.
    pub all: String,
    /// How much of it is the model.
    model: usize,
    /// How many lines it has.
    lines: u32,
    parts: Vec<Part>,
}

/// A piece of something given: a whole formula, or one proposition of an automaton.
struct Part {
    /// Of which, as an index.
    given: usize,
    /// Its first byte.
    start: usize,
    /// Its first line, from 1.
    line: u32,
    /// For each byte of it, and for its end, the byte in the given text.
    places: Vec<u32>,
}

/// What came of something given: its name, the automaton if it is one, and what is to be said about it, with places in its own text.
pub(crate) struct Added {
    pub name: String,
    pub automaton: Option<Automaton>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Texts {
    /// Only the model.
    pub fn new(model: &str) -> Self {
        let lines = lines(model);
        Self { all: model.to_string(), model: model.len(), lines, parts: Vec::new() }
    }

    /// Drops warnings about names of the model that are not used in it but in what is given.
    pub fn drop_unused(&self, diagnostics: &mut Vec<Diagnostic>) {
        let (model, given) = self.all.split_at(self.model);
        let words: HashSet<&str> = given.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
        let codes = ["unused-constant", "unused-type", "unused-function", "unused-variable"];
        diagnostics.retain(|one| !codes.contains(&one.code) || !words.contains(one.primary.span.text(model)));
    }

    /// Checks something given, as number `index`, and adds it to the model if nothing is wrong with it.
    pub fn add(&mut self, model: &mut hir::Model, index: usize, given: &Given) -> Added {
        let name = unused_name(&known_names(model, given.kind), given);
        let most = u32::MAX as usize - self.all.len().min(u32::MAX as usize);
        if given.text.len() + 1 > most {
            let diagnostic = Diagnostic::error("file-too-large", Span::new(0, 0), "the texts are too large");
            return Added { name, automaton: None, diagnostics: vec![diagnostic] };
        }
        let (automaton, mut diagnostics) = match given.kind {
            GivenKind::Bound | GivenKind::Global | GivenKind::Contest => {
                let message = "this can be asked of Petri nets only";
                let diagnostic = Diagnostic::error("not-a-net", Span::new(0, 0), message);
                return Added { name, automaton: None, diagnostics: vec![diagnostic] };
            }
            GivenKind::Automaton => match self.automaton(model, index, given, &name) {
                Ok((automaton, diagnostics)) => (Some(automaton), diagnostics),
                Err(diagnostics) => return Added { name, automaton: None, diagnostics },
            },
            _ => (None, self.formula(model, index, given, &name)),
        };
        for note in diagnostics.iter_mut().flat_map(Diagnostic::notes_mut) {
            note.span = self.original(note.span);
        }
        Added { name, automaton, diagnostics }
    }

    fn formula(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        given: &Given,
        name: &str,
    ) -> Vec<Diagnostic> {
        let places = (0..=given.text.len() as u32).collect();
        let mode = match given.kind {
            GivenKind::Ltl => Mode::Ltl,
            GivenKind::Ctl => Mode::Ctl,
            _ => Mode::Plain,
        };
        let (body, span, diagnostics) = self.parse(index, &given.text, places, mode);
        if !diagnostics.is_empty() {
            return diagnostics;
        }
        let name = Name { text: name.to_string(), span };
        let property = match given.kind {
            GivenKind::Ltl => Property::Ltl { name, body },
            GivenKind::Ctl => Property::Ctl { name, body },
            GivenKind::Reachable => Property::Reachable { name, body },
            GivenKind::Hint => return check_hint(model, &name, &body, span),
            _ => Property::Invariant { name, body },
        };
        check_property(model, &property, span)
    }

    /// The automaton and what is to be said about its propositions; or why there is none, with the place in the given text.
    fn automaton(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        given: &Given,
        name: &str,
    ) -> Result<(Automaton, Vec<Diagnostic>), Vec<Diagnostic>> {
        let hoa = read_hoa(&given.text).map_err(|error| {
            let span = Span::new(error.span.start as u32, error.span.end as u32);
            vec![Diagnostic::error("hoa", span, error.message)]
        })?;
        let mut places = propositions(&given.text).into_iter();
        let (mut conditions, mut diagnostics) = (Vec::new(), Vec::new());
        let start = self.all.len() as u32;
        for proposition in &hoa.names {
            let places = places.next().filter(|places| places.len() == proposition.len() + 1);
            let places = places.unwrap_or_else(|| vec![0; proposition.len() + 1]);
            let (condition, _, wrong) = self.parse(index, proposition, places, Mode::Plain);
            conditions.push(condition);
            diagnostics.extend(wrong);
        }
        if diagnostics.is_empty() {
            let file =
                || Path::new(&given.origin).file_name().map(|name| name.to_string_lossy().into_owned());
            let title = hoa.title.or_else(file).unwrap_or_else(|| given.origin.clone());
            let span = Span::new(start, self.all.len() as u32);
            diagnostics = check_conditions(model, (name.to_string(), title), &conditions, span);
        }
        Ok((hoa.automaton, diagnostics))
    }

    /// Puts a text behind the others and parses it: the tree, where it stands and what is wrong with it.
    fn parse(
        &mut self,
        given: usize,
        text: &str,
        places: Vec<u32>,
        mode: Mode,
    ) -> (Expr, Span, Vec<Diagnostic>) {
        self.all.push('\n');
        let start = self.all.len();
        self.parts.push(Part { given, start, line: self.lines + 1, places });
        self.all.push_str(text);
        self.lines += lines(text);
        let parsed = parse_expression_from(&self.all, start as u32, mode);
        (parsed.expr, Span::new(start as u32, self.all.len() as u32), parsed.diagnostics)
    }

    /// The place in the given text of one in all texts.
    fn original(&self, span: Span) -> Span {
        let Some(part) = self.parts.iter().rev().find(|part| part.start <= span.start as usize) else {
            return span;
        };
        let place = |at: u32| {
            let last = part.places.len().saturating_sub(1);
            part.places.get((at as usize - part.start).min(last)).copied().unwrap_or(0)
        };
        Span::new(place(span.start), place(span.end.max(span.start)))
    }

    /// Moves the sites of faults from the lines of all texts to where they came from. The given things are numbered from 1.
    pub fn settle(&self, given: &[Given], sites: &mut [Site]) {
        for site in sites {
            let Some(part) = self.parts.iter().rev().find(|part| part.line <= site.line) else { continue };
            let text = &self.all[part.start..];
            let lines = (site.line - part.line) as usize;
            let line = lines.checked_sub(1).map_or(0, |before| {
                text.match_indices('\n').nth(before).map_or(text.len(), |(at, _)| at + 1)
            });
            let columns = text[line..].char_indices().map(|(at, _)| at);
            let column = columns.into_iter().nth(site.column as usize - 1).unwrap_or(0);
            let at = part.places.get(line + column).map_or(0, |&at| at as usize);
            let before = &given[part.given].text[..at];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            site.origin = part.given as u32 + 1;
            site.line = 1 + before.matches('\n').count() as u32;
            site.column = 1 + before[start..].chars().count() as u32;
        }
    }
}

/// How many lines a text has; an empty one has one.
fn lines(text: &str) -> u32 {
    1 + text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// The names that something of this kind cannot have.
fn known_names(model: &hir::Model, kind: GivenKind) -> Vec<&str> {
    if kind == GivenKind::Hint {
        return model.hints.iter().map(|hint| hint.name.as_str()).collect();
    }
    let properties = model.properties.iter().map(|property| property.name.as_str());
    properties.chain(model.observed.iter().map(|observed| observed.name.as_str())).collect()
}

/// A name that no property has: the kind with a number, or the name of the file.
pub(crate) fn unused_name(known: &[&str], given: &Given) -> String {
    let is_free =
        |name: &String| !known.contains(&name.as_str()) && !["faults", "deadlock"].contains(&name.as_str());
    let (base, plain) = match given.kind {
        GivenKind::Automaton | GivenKind::Contest => {
            let stem = Path::new(&given.origin).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let stem = stem.map(|stem| stem.trim_matches(['<', '>']).to_string());
            let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "automaton".to_string());
            (stem.clone(), Some(stem))
        }
        kind => (kind.name().to_string(), None),
    };
    let first = if plain.is_some() { 2 } else { 1 };
    let numbered = (first..).map(|number: u32| format!("{base}-{number}"));
    plain.into_iter().chain(numbered).find(is_free).expect("there are more numbers than properties")
}

/// For each proposition of an automaton that could be read, the places of its bytes, and of its end, in the automaton's text.
fn propositions(text: &str) -> Vec<Vec<u32>> {
    let (mut found, mut listed, mut at) = (Vec::new(), false, 0);
    while let Some(first) = text[at..].chars().next() {
        let is_word = |char: char| char.is_ascii_alphanumeric() || "_-@".contains(char);
        if text[at..].starts_with("/*") {
            at = after_comment(text, at);
        } else if first == '"' {
            let places = quoted(text, at + 1);
            at = places.last().map_or(text.len(), |&end| end as usize + 1).min(text.len());
            if listed {
                found.push(places);
            }
        } else if text[at..].starts_with("AP:") && !text[..at].ends_with(is_word) {
            (listed, at) = (true, at + 3);
        } else if listed && !first.is_whitespace() && !first.is_ascii_digit() {
            break;
        } else {
            at += first.len_utf8();
        }
    }
    found
}

/// Where a comment ends. Comments can be nested.
fn after_comment(text: &str, start: usize) -> usize {
    let (mut at, mut depth) = (start + 2, 1);
    while depth > 0 && at < text.len() {
        match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => (at, depth) = (at + 2, depth + 1),
            Some(b"*/") => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at
}

/// The places of the bytes between quotes, without those of backslashes, and of the closing quote.
fn quoted(text: &str, start: usize) -> Vec<u32> {
    let mut places = Vec::new();
    let mut chars = text[start..].char_indices();
    while let Some((at, char)) = chars.next() {
        let (at, char) = match char {
            '"' => {
                places.push((start + at) as u32);
                break;
            }
            '\\' => match chars.next() {
                Some(next) => next,
                None => break,
            },
            _ => (at, char),
        };
        places.extend((0..char.len_utf8()).map(|byte| (start + at + byte) as u32));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn propositions_are_found() {
        let text = "HOA: v1 name: \"AP: 1 \\\"x\\\"\" /* AP: \"y\" /* */ */ xAP: 3\nAP: 3 \"a\\\"b\" /*,*/ \"\" \"ü\"\nStart: 0 \"z\"";
        let texts: Vec<Vec<u8>> = propositions(text)
            .iter()
            .map(|places| places.iter().map(|&at| text.as_bytes()[at as usize]).collect())
            .collect();
        assert_eq!(texts, [&b"a\"b\""[..], b"\"", "ü\"".as_bytes()]);
        for cut in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            propositions(&text[..cut]);
        }
    }
}
