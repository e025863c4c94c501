//! Text to automata.
//!
//! Entry point: [`read_hoa`]. First the header, which is read here, then the body; the states that occur are
//! numbered anew, in order, and acceptance sets that the condition does not mention are dropped.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::acceptance_name::Named;
use super::label::{Label, Labels};
use super::lex::{HoaToken, tokens};
use super::{Hoa, HoaError};
use crate::{Automaton, Cube, Edge, Marks, StateId};

/// How deep expressions can be nested.
pub(super) const DEEPEST: usize = 200;
/// The most propositions.
const MOST_ATOMS: u64 = 10_000;

/// Reads an automaton in the Hanoi Omega-Automata format.
pub fn read_hoa(text: &str) -> Result<Hoa, HoaError> {
    let mut reader = Reader {
        text,
        tokens: tokens(text)?,
        at: 0,
        header: Header::default(),
        labels: Labels::new(0),
        aliases: HashMap::new(),
        states: BTreeMap::new(),
        edges: 0,
    };
    reader.header()?;
    reader.body()?;
    Ok(reader.finish())
}

#[derive(Default)]
pub(super) struct Header {
    pub(super) states: Option<u64>,
    pub(super) starts: Vec<u64>,
    pub(super) names: Option<Vec<String>>,
    pub(super) spans: Vec<Range<usize>>,
    pub(super) title: Option<String>,
    pub(super) acceptance_name: Option<Named>,
    pub(super) acceptance: Option<Acceptance>,
}

/// What must be met infinitely often.
pub(super) struct Acceptance {
    pub(super) sets: u64,
    /// None: nothing is accepted.
    pub(super) needed: Option<Vec<u64>>,
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<(HoaToken, Range<usize>)>,
    pub(super) at: usize,
    pub(super) header: Header,
    pub(super) labels: Labels,
    pub(super) aliases: HashMap<String, Label>,
    /// The edges of each state that has been defined.
    pub(super) states: BTreeMap<u64, Vec<(Cube, Marks, u64)>>,
    pub(super) edges: usize,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<&HoaToken> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub(super) fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T, HoaError> {
        let end = self.text.len()..self.text.len();
        let span = self.tokens.get(at).map_or(end, |(_, span)| span.clone());
        Err(HoaError::new(self.text, span, message.into()))
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        self.error_at(self.at, message)
    }

    pub(super) fn eat(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&HoaToken::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, symbol: char) -> Result<(), HoaError> {
        if self.eat(symbol) { Ok(()) } else { self.error(format!("expected `{symbol}`")) }
    }

    pub(super) fn number(&mut self, what: &str) -> Result<u64, HoaError> {
        let Some(&HoaToken::Number(number)) = self.peek() else {
            return self.error(format!("expected {what}"));
        };
        self.at += 1;
        Ok(number)
    }

    pub(super) fn string(&mut self) -> Option<String> {
        let Some(HoaToken::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    fn header(&mut self) -> Result<(), HoaError> {
        if self.peek() != Some(&HoaToken::Header("HOA".into())) {
            return self.error("an automaton starts with `HOA: v1`");
        }
        self.at += 1;
        match self.peek() {
            Some(HoaToken::Identifier(version)) if version == "v1" => self.at += 1,
            Some(HoaToken::Identifier(version)) => {
                return self.error(format!("version `{version}` of the format is not known, only `v1` is"));
            }
            _ => return self.error("expected the version `v1`"),
        }
        loop {
            match self.peek().cloned() {
                Some(HoaToken::Header(name)) => {
                    self.at += 1;
                    self.header_item(&name)?;
                }
                Some(HoaToken::Mark("BODY")) => break,
                Some(HoaToken::Mark("ABORT")) => {
                    return self.error("the automaton was aborted by the tool that wrote it");
                }
                _ => return self.error("expected a header item such as `Start:`, or `--BODY--`"),
            }
        }
        let Some(acceptance) = &self.header.acceptance else {
            return self.error("`Acceptance:` is missing");
        };
        if let Some(named) = &self.header.acceptance_name {
            self.agrees(named, acceptance)?;
        }
        self.labels = self.labels_for_body();
        self.at += 1;
        Ok(())
    }

    fn labels_for_body(&mut self) -> Labels {
        let atoms = self.header.names.get_or_insert_default().len() as u32;
        if self.labels.atoms == atoms {
            std::mem::replace(&mut self.labels, Labels::new(0))
        } else {
            Labels::new(atoms)
        }
    }

    fn header_item(&mut self, name: &str) -> Result<(), HoaError> {
        let start = self.at - 1;
        let again = |this: &Self| this.error_at(start, format!("`{name}:` is given twice"));
        match name {
            "States" if self.header.states.is_some() => again(self),
            "AP" if self.header.names.is_some() => again(self),
            "Acceptance" if self.header.acceptance.is_some() => again(self),
            "States" => {
                self.header.states = Some(self.number("the number of states")?);
                Ok(())
            }
            "Start" => {
                let state = self.state()?;
                self.header.starts.push(state);
                Ok(())
            }
            "AP" => self.propositions(),
            "Alias" => self.alias(),
            "Acceptance" => self.acceptance(),
            "acc-name" if self.header.acceptance_name.is_some() => again(self),
            "acc-name" => self.acceptance_name(),
            "name" => {
                self.header.title = self.string();
                self.skip_values();
                Ok(())
            }
            _ if name.starts_with(|first: char| first.is_ascii_uppercase()) => self.error_at(
                start,
                format!("the header item `{name}:` may change the meaning and is not supported"),
            ),
            _ => {
                self.skip_values();
                Ok(())
            }
        }
    }

    pub(super) fn skip_values(&mut self) {
        while !matches!(self.peek(), None | Some(HoaToken::Header(_) | HoaToken::Mark(_))) {
            self.at += 1;
        }
    }

    /// One state; several at once are universal branching.
    pub(super) fn state(&mut self) -> Result<u64, HoaError> {
        let state = self.number("a state")?;
        if self.peek() == Some(&HoaToken::Symbol('&')) {
            return self.error("universal branching (an alternating automaton) is not supported");
        }
        match self.header.states {
            Some(states) if state >= states => {
                self.error_at(self.at - 1, format!("there is no state {state}: `States: {states}`"))
            }
            _ => Ok(state),
        }
    }

    fn propositions(&mut self) -> Result<(), HoaError> {
        let count = self.number("the number of propositions")?;
        if count > MOST_ATOMS {
            return self
                .error_at(self.at - 1, format!("more than {MOST_ATOMS} propositions are not supported"));
        }
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        while let Some(name) = self.string() {
            if !known.insert(name.clone()) {
                return self.error_at(self.at - 1, format!("the proposition \"{name}\" is given twice"));
            }
            names.push(name);
            let quoted = &self.tokens[self.at - 1].1;
            self.header.spans.push(quoted.start + 1..quoted.end - 1);
        }
        if names.len() as u64 != count {
            return self.error(format!("expected {count} propositions, but there are {}", names.len()));
        }
        if !self.aliases.is_empty() {
            return self.error("`AP:` must come before `Alias:`");
        }
        self.labels = Labels::new(count as u32);
        self.header.names = Some(names);
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Some(HoaToken::Alias(name)) = self.peek().cloned() else {
            return self.error("expected an alias such as `@a`");
        };
        if self.aliases.contains_key(&name) {
            return self.error(format!("the alias `@{name}` is given twice"));
        }
        self.at += 1;
        let label = self.expression(0)?;
        self.aliases.insert(name, label);
        Ok(())
    }

    fn finish(self) -> Hoa {
        let targets = self.states.values().flatten().map(|(_, _, target)| *target);
        let mut states: Vec<u64> =
            targets.chain(self.states.keys().copied()).chain(self.header.starts.clone()).collect();
        states.sort_unstable();
        states.dedup();
        let new = |state: u64| StateId(states.binary_search(&state).expect("collected") as u32);
        let mut edges = vec![Vec::new(); states.len()];
        for (state, from) in self.states {
            let edge = |(label, marks, target)| Edge { label, marks, target: new(target) };
            edges[new(state).index()] = from.into_iter().map(edge).collect();
        }
        let mut initial: Vec<StateId> = self.header.starts.iter().map(|&state| new(state)).collect();
        initial.sort_unstable();
        initial.dedup();
        let needed = self.header.acceptance.as_ref().and_then(|acceptance| acceptance.needed.as_ref());
        if needed.is_none() {
            initial.clear();
        }
        let sets = needed.map_or(0, |needed| needed.len() as u32);
        let automaton = Automaton { atoms: self.labels.atoms, sets, initial, edges };
        let Header { names, spans, title, .. } = self.header;
        Hoa { automaton, names: names.unwrap_or_default(), spans, title }
    }
}
