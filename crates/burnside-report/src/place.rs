//! Where things stand: properties, rules, expressions that fault, and what diagnostics are about, as
//! places in files.
//!
//! Entry points: [`Places`] for a model that can be checked, [`Located`] for any text. What was typed on a
//! command line stands in no file: its place is the model, as a whole. So it is with properties that no
//! text declares (`faults`, `deadlock`).

use crate::fault;
use crate::input::{Input, Source};
use burnside::{ExternalKind, ExternalProperty};
use burnside_lang::diagnostic::Span;
use burnside_lang::lines::Lines;
use burnside_ts::{RuleId, Site};

/// A place in a file. Columns count characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// What of it; nothing: all of it.
    pub region: Option<Region>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The line and the column of its first character.
    pub start: (usize, usize),
    /// The line and the column behind its last.
    pub end: (usize, usize),
    /// What stands there.
    pub text: String,
}

/// A text whose places are wanted.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    source: &'a Source,
    lines: Lines<'a>,
}

impl<'a> Located<'a> {
    /// Looks for the lines of a text.
    pub fn new(source: &'a Source) -> Self {
        Self { source, lines: Lines::new(&source.text) }
    }

    /// All of it.
    pub fn whole(&self) -> Place {
        Place { path: self.source.path.clone(), region: None }
    }

    /// A part of it.
    pub fn span(&self, span: Span) -> Place {
        let (start, end) = (self.lines.position(span.start), self.lines.position(span.end));
        let text = span.text(&self.source.text).to_string();
        let path = self.source.path_at(&self.lines, span.start);
        Place { region: Some(Region { start, end: end.max(start), text }), path }
    }
}

/// The places of a model.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    input: &'a Input,
    model: Located<'a>,
}

impl<'a> Places<'a> {
    /// Looks for the lines of the model's text.
    pub fn new(input: &'a Input) -> Self {
        Self { input, model: Located::new(&input.source) }
    }

    /// The model.
    pub fn model(&self) -> Place {
        self.model.whole()
    }

    /// The property with a name: what it claims.
    pub fn property(&self, name: &str) -> Place {
        let model = &self.input.model;
        if let Some((_, external)) = model.external.iter().find(|(known, _)| known == name) {
            return match is_file(external) {
                true => Place { path: external.origin.clone(), region: None },
                false => self.model(),
            };
        }
        let declared = model.hir().and_then(|hir| hir.properties.iter().find(|known| known.name == name));
        match declared {
            Some(property) => self.model.span(property.span),
            None => self.formula(name).unwrap_or_else(|| self.model()),
        }
    }

    /// The name of a property in a file of formulas about a net.
    fn formula(&self, name: &str) -> Option<Place> {
        let files = self.input.model.external.iter().map(|(_, external)| external);
        files.filter(|external| external.kind == ExternalKind::Contest).find_map(|external| {
            let text = &external.text;
            let is_id = |&(at, _): &(usize, &str)| {
                let (before, behind) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
                before.ends_with("<id>") && behind.starts_with("</id>")
            };
            let (at, _) = text.match_indices(name).find(is_id)?;
            let source = Source::of(external);
            Some(Located::new(&source).span(Span::new(at as u32, (at + name.len()) as u32)))
        })
    }

    /// The tag of the transition of a net that a rule stands for. An id that is written with entities is not
    /// found.
    fn transition(&self, rule: RuleId) -> Option<Place> {
        let id = &self.input.model.net()?.net.transitions.get(rule.index())?.id;
        let text = &self.input.source.text;
        let mut tags = ['"', '\''].iter().flat_map(|quote| {
            let attribute = format!(" id={quote}{id}{quote}");
            text.match_indices(&attribute).map(|(at, _)| at).collect::<Vec<_>>()
        });
        let (at, end) = tags.find_map(|inside| {
            let at = text[..inside].rfind('<').filter(|&at| text[at..].starts_with("<transition"))?;
            Some((at, inside + text[inside..].find('>')? + 1))
        })?;
        Some(self.model.span(Span::new(at as u32, end as u32)))
    }

    /// The text of a rule.
    pub fn rule(&self, rule: RuleId) -> Place {
        if let Some(place) = self.transition(rule) {
            return place;
        }
        // Rules are translated one by one, in their order.
        let declared = self.input.model.hir().and_then(|hir| hir.rules.get(rule.index()));
        declared.map_or_else(|| self.model(), |rule| self.model.span(rule.span))
    }

    /// Something that can fault.
    pub fn site(&self, site: &Site) -> Place {
        let index = (site.origin as usize).checked_sub(1);
        let external = index.and_then(|index| self.input.model.external.get(index));
        if external.is_some_and(|(_, external)| !is_file(external)) {
            return self.model();
        }
        let source = self.input.source_of(site);
        let located = Located::new(&source);
        match fault::locate(&source.text, site) {
            Some(range) => located.span(Span::new(range.start as u32, range.end as u32)),
            None => located.whole(),
        }
    }
}

/// Whether something from outside the model stands in a file.
fn is_file(external: &ExternalProperty) -> bool {
    external.kind.is_file()
}

/// Whether a source is a text that was typed, not a file.
pub fn is_typed(source: &Source) -> bool {
    source.path.starts_with("<command line")
}
