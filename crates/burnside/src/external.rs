//! Properties that do not stand in the model: conditions, formulas and automata of forbidden runs. Hints
//! alike.
//!
//! Entry point: [`Texts::add`]. Their texts are put behind that of the model, each on lines of its own, so
//! that they are parsed, checked, lowered and quoted as if they stood there. What is said about them is moved
//! back to where they came from: diagnostics by [`Texts::add`], the sites of faults by [`Texts::settle`].

use burnside_lang::check::{check_conditions, check_hint, check_property};
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_lang::hir;
use burnside_lang::import::Table;
use burnside_lang::import::bundle::parts;
use burnside_lang::syntax::ast::{Expr, Name, Property};
use burnside_lang::syntax::{Mode, parse_expression_from};
use burnside_limits::Choice;
use burnside_logic::{Hoa, read_hoa};
use burnside_murphi::{Origins, Translation};
use burnside_ts::{Kind, Site, visible};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// A property or a hint from outside the model.
///
/// ```
/// use burnside::{ExternalProperty, Kind, LoadOptions, Model};
///
/// let text = "var x: bool; process P { rule r { x = !x; } }";
/// let asked = [ExternalProperty::new(Kind::Ltl, "G F x")];
/// let model = Model::load(text, &LoadOptions::new().external(&asked)).into_model()?;
/// assert_eq!(model.external[0].0, "ltl-1");
/// # Ok::<(), burnside::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProperty {
    /// Its kind.
    pub kind: ExternalKind,
    /// Where its text comes from: a file, or something like `<command line: --ltl>`.
    pub origin: String,
    /// Its text.
    pub text: String,
}

/// What a text from outside is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExternalKind {
    /// A property of this kind: a condition, a formula, a number whose greatest value is wanted (nets only),
    /// or an automaton in HOA of the forbidden runs, whose propositions are conditions. No text asks for
    /// faults and deadlocks, which are looked for anyway, or says what must not happen in sequence.
    Property(Kind),
    /// A general property by its name (nets only).
    Global,
    /// Formulas in the XML of the Model Checking Contest (nets only).
    Contest,
    /// A condition that may guide a search: no property, and nets have none.
    Hint,
}

impl ExternalKind {
    /// Its name, as it is in trace files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Property(kind) => kind.name(),
            Self::Global => "global",
            Self::Contest => "contest",
            Self::Hint => "hint",
        }
    }

    /// The one of a name, if a text can be that.
    pub fn named(name: &str) -> Option<Self> {
        let others = [Self::Global, Self::Contest, Self::Hint];
        let other = others.into_iter().find(|kind| kind.name() == name);
        let is_asked = |kind: &Kind| !matches!(kind, Kind::Faults | Kind::Deadlock | Kind::Never);
        other.or_else(|| Kind::named(name).filter(is_asked).map(Self::Property))
    }

    /// Whether the text is usually that of a file, after which the property is called.
    pub fn is_file(self) -> bool {
        matches!(self, Self::Property(Kind::Automaton) | Self::Contest)
    }
}

impl From<Kind> for ExternalKind {
    fn from(kind: Kind) -> Self {
        Self::Property(kind)
    }
}

impl ExternalProperty {
    /// One whose text is in memory.
    pub fn new(kind: impl Into<ExternalKind>, text: impl Into<String>) -> Self {
        let kind = kind.into();
        Self { kind, origin: format!("<{}>", kind.name()), text: text.into() }
    }

    /// The automaton that its text is, and what it is called in reports.
    pub(crate) fn automaton(&self) -> Result<(Hoa, String), Vec<Diagnostic>> {
        let hoa = read_hoa(&self.text)
            .map_err(|error| vec![Diagnostic::error(Code::Hoa, span(error.span), visible(&error.message))])?;
        let file = || Path::new(&self.origin).file_name().map(|name| name.to_string_lossy().into_owned());
        let title = visible(&hoa.title.clone().or_else(file).unwrap_or_else(|| self.origin.clone()));
        Ok((hoa, title))
    }
}

/// Where a text that was taken from another stands there: the place of each byte, and of the end.
pub(crate) struct Places(Vec<usize>);

impl Places {
    fn whole(text: &str) -> Self {
        Self((0..=text.len()).collect())
    }

    /// Of what stands between quotes, where a backslash is not part of it, but what follows is.
    pub fn quoted(text: &str, inside: Range<usize>) -> Self {
        let mut escaped = false;
        let is_part = |&at: &usize| {
            escaped = !escaped && text.as_bytes()[at] == b'\\';
            !escaped
        };
        Self(inside.clone().filter(is_part).chain([inside.end]).collect())
    }

    fn original(&self, at: usize) -> usize {
        self.0[at.min(self.0.len() - 1)]
    }

    /// The place in the other text.
    pub fn span(&self, range: Range<usize>) -> Span {
        span(self.original(range.start)..self.original(range.end.max(range.start)))
    }
}

/// A place in a text, as diagnostics tell it.
pub(crate) fn span(range: Range<usize>) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(place(range.start), place(range.end))
}

/// The text of a model, and behind it those of what comes from outside.
pub(crate) struct Texts<'m> {
    /// Everything: copied only if there is more than the model.
    pub all: Cow<'m, str>,
    /// How much of it is the model.
    model: usize,
    /// How many lines it has.
    lines: u32,
    parts: Vec<Part>,
    /// What the model was translated from Murphi with: formulas are written in Murphi then.
    murphi: Option<&'m Translation>,
    /// What the names of the model stand for, if it has several files.
    table: Table,
    /// The number of the last of these files, whose lines go on.
    last: u32,
}

/// A formula as it was read.
struct Formula {
    body: Expr,
    diagnostics: Vec<Diagnostic>,
    /// Of a formula that was translated: where its parts come from.
    origins: Option<Origins>,
}

impl Formula {
    /// The place in the texts of one in the tree.
    fn origin(&self, span: Span) -> Span {
        self.origins.as_ref().map_or(span, |origins| origins.origin(span))
    }
}

/// A text behind the model: a whole formula, or one proposition of an automaton.
struct Part {
    /// Of which external property, as an index.
    external: usize,
    /// Its first byte.
    start: usize,
    /// Its first line, from 1.
    line: u32,
    /// Its places in the text of the property.
    places: Places,
}

impl<'m> Texts<'m> {
    /// Only the model.
    pub fn new(model: &'m str) -> Self {
        let files = parts(model);
        let lines = lines(&model[files[files.len() - 1].start..]);
        Self {
            all: Cow::Borrowed(model),
            model: model.len(),
            lines,
            parts: Vec::new(),
            murphi: None,
            table: Table::default(),
            last: files.len() as u32 - 1,
        }
    }

    /// A model that may have several files.
    pub fn linked(model: &'m str, table: Table) -> Self {
        Self { table, ..Self::new(model) }
    }

    /// Only a Murphi model.
    pub fn of_murphi(model: &'m str, translation: &'m Translation) -> Self {
        Self { murphi: Some(translation), ..Self::new(model) }
    }

    /// Drops warnings about names of the model that are not used in it but outside.
    pub fn drop_unused(&self, diagnostics: &mut Vec<Diagnostic>) {
        let (model, outside) = self.all.split_at(self.model);
        let words: HashSet<&str> =
            outside.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
        let codes = [Code::UnusedConstant, Code::UnusedType, Code::UnusedFunction, Code::UnusedVariable];
        diagnostics.retain(|one| !codes.contains(&one.code) || !words.contains(one.primary.span.text(model)));
    }

    /// Checks an external property, as number `index`, and adds it to the model if nothing is wrong with it:
    /// its name, and what is to be said about it, with places in its own text.
    pub fn add(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        external: &ExternalProperty,
    ) -> (String, Vec<Diagnostic>) {
        let name = unused_name(&known_names(model, external.kind), external);
        let checked = self.check(model, index, external, &name);
        (name, checked.unwrap_or_else(|wrong| wrong))
    }

    /// What is to be said about its conditions, or why it has none.
    fn check(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        external: &ExternalProperty,
        name: &str,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let wrong = |code, message: &str| Err(vec![Diagnostic::error(code, Span::default(), message)]);
        if self.all.len().saturating_add(external.text.len()) >= u32::MAX as usize {
            return wrong(Code::FileTooLarge, "the texts are too large");
        }
        let mut diagnostics = match external.kind {
            ExternalKind::Property(Kind::Bound) | ExternalKind::Global | ExternalKind::Contest => {
                return wrong(Code::NotANet, "this can be asked of Petri nets only");
            }
            ExternalKind::Property(kind @ (Kind::Faults | Kind::Deadlock | Kind::Never)) => {
                return wrong(Code::Formula, &format!("no formula asks for `{kind}`"));
            }
            ExternalKind::Property(Kind::Automaton) => self.automaton(model, index, external, name)?,
            ExternalKind::Property(Kind::Invariant | Kind::Reachable | Kind::Ltl | Kind::Ctl)
            | ExternalKind::Hint => self.formula(model, index, external, name),
        };
        for note in diagnostics.iter_mut().flat_map(Diagnostic::notes_mut) {
            note.span = self.original(note.span);
        }
        Ok(diagnostics)
    }

    fn formula(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        external: &ExternalProperty,
        name: &str,
    ) -> Vec<Diagnostic> {
        let mode = match external.kind {
            ExternalKind::Property(Kind::Ltl) => Mode::Ltl,
            ExternalKind::Property(Kind::Ctl) => Mode::Ctl,
            _ => Mode::Plain,
        };
        let (text, places) = (&external.text, Places::whole(&external.text));
        let formula = self.parse(index, text, places, mode);
        if !formula.diagnostics.is_empty() {
            return formula.diagnostics;
        }
        let (body, span) = (formula.body.clone(), formula.body.span);
        let name = Name { text: name.to_string(), span };
        let (hints, properties) = (model.hints.len(), model.properties.len());
        let property = |name, body| match external.kind {
            ExternalKind::Property(Kind::Ltl) => Property::Ltl { name, body },
            ExternalKind::Property(Kind::Ctl) => Property::Ctl { name, body },
            ExternalKind::Property(Kind::Reachable) => Property::Reachable { name, body },
            _ => Property::Invariant { name, body },
        };
        let mut diagnostics = match external.kind {
            ExternalKind::Hint => check_hint(model, &name, &body, span),
            _ => check_property(model, &property(name, body), span),
        };
        if formula.origins.is_some() {
            let origin = |span| formula.origin(span);
            model.hints[hints..].iter_mut().for_each(|hint| hint.map_spans(&origin));
            model.properties[properties..].iter_mut().for_each(|property| property.map_spans(&origin));
            diagnostics
                .iter_mut()
                .flat_map(Diagnostic::notes_mut)
                .for_each(|note| note.span = origin(note.span));
        }
        diagnostics
    }

    fn automaton(
        &mut self,
        model: &mut hir::Model,
        index: usize,
        external: &ExternalProperty,
        name: &str,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let (hoa, title) = external.automaton()?;
        let (mut conditions, mut diagnostics) = (Vec::new(), Vec::new());
        let start = self.all.len();
        for (proposition, inside) in hoa.names.iter().zip(hoa.spans) {
            let places = Places::quoted(&external.text, inside);
            let mut condition = self.parse(index, proposition, places, Mode::Plain);
            diagnostics.append(&mut condition.diagnostics);
            conditions.push(condition);
        }
        if diagnostics.is_empty() {
            let watched = (name.to_string(), title, hoa.automaton);
            let bodies: Vec<Expr> = conditions.iter().map(|condition| condition.body.clone()).collect();
            let known = model.observed.len();
            diagnostics = check_conditions(model, watched, &bodies, span(start..self.all.len()));
            let checked = model.observed[known..].iter_mut().flat_map(|observed| &mut observed.conditions);
            checked
                .zip(&conditions)
                .for_each(|(checked, formula)| checked.map_spans(&|span| formula.origin(span)));
        }
        Ok(diagnostics)
    }

    /// Puts a text behind the others and parses it: the tree, where it stands and what is wrong with it.
    fn parse(&mut self, external: usize, text: &str, places: Places, mode: Mode) -> Formula {
        self.all.to_mut().push('\n');
        let start = self.all.len();
        self.parts.push(Part { external, start, line: self.lines + 1, places });
        self.all.to_mut().push_str(text);
        self.lines += lines(text);
        let Some(murphi) = self.murphi else {
            let mut parsed = parse_expression_from(&self.all, start as u32, mode);
            parsed.diagnostics.extend(self.table.resolve(&mut parsed.expr));
            return Formula { body: parsed.expr, diagnostics: parsed.diagnostics, origins: None };
        };
        let murphi_mode = match mode {
            Mode::Plain => burnside_murphi::Mode::Plain,
            Mode::Ltl => burnside_murphi::Mode::Ltl,
            Mode::Ctl => burnside_murphi::Mode::Ctl,
        };
        let (text, origins, mut diagnostics) = match murphi.formula(&self.all, start, murphi_mode) {
            Ok((text, origins)) => (text, origins, Vec::new()),
            Err(wrong) => ("true".to_string(), Origins::default(), wrong),
        };
        let parsed = parse_expression_from(&text, 0, mode);
        diagnostics.extend(parsed.diagnostics);
        Formula { body: parsed.expr, diagnostics, origins: Some(origins) }
    }

    /// The place in the text of the property of one in all texts.
    fn original(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        match self.parts.iter().rev().find(|part| part.start <= start) {
            Some(part) => part.places.span(start - part.start..end.max(start) - part.start),
            None => span,
        }
    }

    /// Moves the sites of faults from the lines of all texts to where they came from; external properties
    /// count from 1, and the files that the model imports from there on.
    pub fn settle(&self, external: &[ExternalProperty], sites: &mut [Site]) {
        for site in sites {
            let part = self.parts.iter().rev().find(|part| part.line <= site.line);
            let Some(part) = part.filter(|_| site.origin == self.last) else {
                if site.origin > 0 {
                    site.origin += external.len() as u32;
                }
                continue;
            };
            let text = &self.all[part.start..];
            let above = text.split_inclusive('\n').take((site.line - part.line) as usize);
            let line: usize = above.map(str::len).sum();
            let column = text[line..].char_indices().nth(site.column as usize - 1).map_or(0, |(at, _)| at);
            let before = &external[part.external].text[..part.places.original(line + column)];
            site.origin = part.external as u32 + 1;
            site.line = lines(before);
            site.column = 1 + before.chars().rev().take_while(|char| *char != '\n').count() as u32;
        }
    }
}

/// How many lines a text has; an empty one has one.
fn lines(text: &str) -> u32 {
    1 + text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// The names that something of this kind cannot have.
fn known_names(model: &hir::Model, kind: ExternalKind) -> Vec<&str> {
    if kind == ExternalKind::Hint {
        return model.hints.iter().map(|hint| hint.name.as_str()).collect();
    }
    let properties = model.properties.iter().map(|property| property.name.as_str());
    properties.chain(model.observed.iter().map(|observed| observed.name.as_str())).collect()
}

/// A name that no property has: the kind with a number, or the name of the file.
pub(crate) fn unused_name(known: &[&str], external: &ExternalProperty) -> String {
    let is_free =
        |name: &String| !known.contains(&name.as_str()) && !["faults", "deadlock"].contains(&name.as_str());
    let (base, plain) = match external.kind.is_file() {
        true => {
            let stem =
                Path::new(&external.origin).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let stem = stem.map(|stem| stem.trim_matches(['<', '>']).to_string());
            let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "automaton".to_string());
            (stem.clone(), Some(stem))
        }
        false => (external.kind.name().to_string(), None),
    };
    let first = if plain.is_some() { 2 } else { 1 };
    let numbered = (first..).map(|number: u32| format!("{base}-{number}"));
    plain.into_iter().chain(numbered).find(is_free).expect("there are more numbers than properties")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_not_part_of_what_is_quoted() {
        let text = r#"AP: 2 "a\"\\b" "ü\ö""#;
        for (inside, quoted) in [(7..13, "a\"\\b"), (16..21, "üö")] {
            let places = Places::quoted(text, inside.clone());
            let bytes: Vec<u8> = places.0.iter().map(|&at| text.as_bytes()[at]).collect();
            assert_eq!(bytes, format!("{quoted}\"").as_bytes());
            assert_eq!(places.span(0..99), span(inside));
        }
    }
}
