//! Text to automata.
//!
//! Entry point: [`read_hoa`]. First the header, then the body; the states that occur are numbered anew, in order, and
//! acceptance sets that the condition does not mention are dropped.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::label::{Label, Labels};
use super::lex::{Token, tokens};
use super::{Hoa, HoaError};
use crate::{Automaton, Cube, Edge, Marks, StateId};

/// How deep expressions can be nested.
const DEEPEST: usize = 200;
/// The most propositions.
const MOST_ATOMS: u64 = 10_000;
/// The most edges, after labels became cubes, for each 64 propositions.
const MOST_EDGES: usize = 5_000_000;

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
struct Header {
    states: Option<u64>,
    starts: Vec<u64>,
    names: Option<Vec<String>>,
    title: Option<String>,
    acceptance_name: Option<String>,
    acceptance: Option<Acceptance>,
}

/// What must be met infinitely often.
struct Acceptance {
    sets: u64,
    /// None: nothing is accepted.
    needed: Option<Vec<u64>>,
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    header: Header,
    labels: Labels,
    aliases: HashMap<String, Label>,
    /// The edges of each state that has been defined.
    states: BTreeMap<u64, Vec<(Cube, Marks, u64)>>,
    edges: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T, HoaError> {
        let end = self.text.len()..self.text.len();
        let span = self.tokens.get(at).map_or(end, |(_, span)| span.clone());
        Err(HoaError::new(self.text, span, message.into()))
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        self.error_at(self.at, message)
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&Token::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), HoaError> {
        if self.eat(symbol) { Ok(()) } else { self.error(format!("expected `{symbol}`")) }
    }

    fn number(&mut self, what: &str) -> Result<u64, HoaError> {
        let Some(&Token::Number(number)) = self.peek() else { return self.error(format!("expected {what}")) };
        self.at += 1;
        Ok(number)
    }

    fn string(&mut self) -> Option<String> {
        let Some(Token::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    fn header(&mut self) -> Result<(), HoaError> {
        if self.peek() != Some(&Token::Header("HOA".into())) {
            return self.error("an automaton starts with `HOA: v1`");
        }
        self.at += 1;
        match self.peek() {
            Some(Token::Identifier(version)) if version == "v1" => self.at += 1,
            Some(Token::Identifier(version)) => {
                return self.error(format!("version `{version}` of the format is not known, only `v1` is"));
            }
            _ => return self.error("expected the version `v1`"),
        }
        loop {
            match self.peek().cloned() {
                Some(Token::Header(name)) => {
                    self.at += 1;
                    self.header_item(&name)?;
                }
                Some(Token::Mark("BODY")) => break,
                Some(Token::Mark("ABORT")) => {
                    return self.error("the automaton was aborted by the tool that wrote it");
                }
                _ => return self.error("expected a header item such as `Start:`, or `--BODY--`"),
            }
        }
        if self.header.acceptance.is_none() {
            return self.error("`Acceptance:` is missing");
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
            "acc-name" => {
                if let Some(Token::Identifier(name)) = self.peek() {
                    self.header.acceptance_name = Some(name.clone());
                }
                self.skip_values();
                Ok(())
            }
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

    fn skip_values(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Mark(_))) {
            self.at += 1;
        }
    }

    /// One state; several at once are universal branching.
    fn state(&mut self) -> Result<u64, HoaError> {
        let state = self.number("a state")?;
        if self.peek() == Some(&Token::Symbol('&')) {
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
        let Some(Token::Alias(name)) = self.peek().cloned() else {
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

    /// A disjunction of conjunctions.
    fn expression(&mut self, depth: usize) -> Result<Label, HoaError> {
        let mut left = self.conjunction(depth)?;
        while self.eat('|') {
            let right = self.conjunction(depth)?;
            left = self.labels.or(left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self, depth: usize) -> Result<Label, HoaError> {
        let mut left = self.operand(depth)?;
        while self.eat('&') {
            let right = self.operand(depth)?;
            left = self.labels.and(left, right);
        }
        Ok(left)
    }

    fn operand(&mut self, depth: usize) -> Result<Label, HoaError> {
        if depth > DEEPEST {
            return self.error(format!("expressions can be nested {DEEPEST} deep at most"));
        }
        let label = match self.peek().cloned() {
            Some(Token::Symbol('!')) => {
                self.at += 1;
                return self.operand(depth + 1).map(Labels::not);
            }
            Some(Token::Symbol('(')) => {
                self.at += 1;
                let inside = self.expression(depth + 1)?;
                if self.peek() != Some(&Token::Symbol(')')) {
                    return self.error("expected `)`");
                }
                inside
            }
            Some(Token::Identifier(word)) if word == "t" || word == "f" => self.labels.constant(word == "t"),
            Some(Token::Number(atom)) if atom < u64::from(self.labels.atoms) => self.labels.atom(atom as u32),
            Some(Token::Number(atom)) => return self.error(format!("there is no proposition {atom}")),
            Some(Token::Alias(name)) => match self.aliases.get(&name) {
                Some(label) => self.labels.copy(label),
                None => return self.error(format!("the alias `@{name}` is not defined before")),
            },
            _ => return self.error("expected `t`, `f`, a proposition's number, an alias, `!` or `(`"),
        };
        self.at += 1;
        Ok(label)
    }

    fn acceptance(&mut self) -> Result<(), HoaError> {
        let sets = self.number("the number of acceptance sets")?;
        let start = self.at;
        let needed = self.condition(0, sets, start)?;
        if needed.as_ref().is_some_and(|needed| needed.len() > Marks::MOST as usize) {
            return self
                .error_at(start, format!("more than {} acceptance sets are not supported", Marks::MOST));
        }
        self.header.acceptance = Some(Acceptance { sets, needed });
        Ok(())
    }

    /// Says that a condition is not supported, by its name if it has one.
    fn refuse<T>(&self, start: usize, why: &str) -> Result<T, HoaError> {
        let named = self.header.acceptance_name.as_deref().or_else(|| self.later_acceptance_name());
        let name = match named {
            Some("Buchi" | "generalized-Buchi" | "all" | "none") | None => format!("acceptance with {why}"),
            Some("co-Buchi") => "co-Büchi acceptance".into(),
            Some("generalized-co-Buchi") => "generalised co-Büchi acceptance".into(),
            Some(name) => format!("{name} acceptance"),
        };
        self.error_at(start, format!("{name} is not supported: only `Inf` joined by `&` is"))
    }

    fn later_acceptance_name(&self) -> Option<&str> {
        let named = self.tokens.windows(2).find(|pair| pair[0].0 == Token::Header("acc-name".into()))?;
        if let Token::Identifier(name) = &named[1].0 { Some(name) } else { None }
    }

    /// The sets of a conjunction of `Inf`; none if it is false.
    fn condition(&mut self, depth: usize, sets: u64, start: usize) -> Result<Option<Vec<u64>>, HoaError> {
        let mut all = Some(Vec::new());
        loop {
            let part = self.condition_operand(depth, sets, start)?;
            all = match (all, part) {
                (Some(mut all), Some(part)) => {
                    all.extend(part);
                    all.sort_unstable();
                    all.dedup();
                    Some(all)
                }
                _ => None,
            };
            if self.peek() == Some(&Token::Symbol('|')) {
                return self.refuse(start, "`|`");
            }
            if !self.eat('&') {
                return Ok(all);
            }
        }
    }

    fn condition_operand(
        &mut self,
        depth: usize,
        sets: u64,
        start: usize,
    ) -> Result<Option<Vec<u64>>, HoaError> {
        if depth > DEEPEST {
            return self.error(format!("expressions can be nested {DEEPEST} deep at most"));
        }
        match self.peek().cloned() {
            Some(Token::Symbol('(')) => {
                self.at += 1;
                let inside = self.condition(depth + 1, sets, start)?;
                self.expect(')')?;
                Ok(inside)
            }
            Some(Token::Identifier(word)) if word == "t" || word == "f" => {
                self.at += 1;
                Ok((word == "t").then(Vec::new))
            }
            Some(Token::Identifier(word)) if word == "Fin" => self.refuse(start, "`Fin`"),
            Some(Token::Identifier(word)) if word == "Inf" => {
                self.at += 1;
                self.expect('(')?;
                if self.peek() == Some(&Token::Symbol('!')) {
                    return self.refuse(start, "complemented sets");
                }
                let set = self.number("an acceptance set")?;
                if set >= sets {
                    return self.error_at(self.at - 1, format!("there is no acceptance set {set}"));
                }
                self.expect(')')?;
                Ok(Some(vec![set]))
            }
            _ => self.error("expected `Inf`, `t`, `f` or `(`"),
        }
    }

    fn body(&mut self) -> Result<(), HoaError> {
        loop {
            match self.peek() {
                Some(Token::Header(name)) if name == "State" => {
                    self.at += 1;
                    self.body_state()?;
                }
                Some(Token::Mark("END")) => break,
                Some(Token::Mark("ABORT")) => {
                    return self.error("the automaton was aborted by the tool that wrote it");
                }
                _ => return self.error("expected `State:` or `--END--`"),
            }
        }
        self.at += 1;
        if self.peek().is_some() {
            return self.error("more than one automaton in a text is not supported");
        }
        Ok(())
    }

    fn body_state(&mut self) -> Result<(), HoaError> {
        let start = self.at;
        let state_label = self.optional_label()?;
        let state = self.state()?;
        if self.states.contains_key(&state) {
            return self.error_at(start, format!("the state {state} is defined twice"));
        }
        self.string();
        let state_marks = self.optional_marks()?;
        let mut edges = Vec::new();
        let mut implicit: u64 = 0;
        loop {
            let at = self.at;
            let label = self.optional_label()?;
            if label.is_none() && !matches!(self.peek(), Some(Token::Number(_))) {
                break;
            }
            let cubes = match (&state_label, label) {
                (Some(_), Some(_)) => {
                    return self.error_at(at, "the state has a label, so its edges have none");
                }
                (Some(label), None) => label.clone(),
                (None, Some(_)) if implicit > 0 => {
                    return self.error_at(at, "all edges of a state have labels, or none");
                }
                (None, Some(label)) => label,
                (None, None) if !edges.is_empty() && implicit == 0 => {
                    return self.error_at(at, "all edges of a state have labels, or none");
                }
                (None, None) => {
                    implicit += 1;
                    vec![self.letter(implicit - 1, at)?]
                }
            };
            let target = self.state()?;
            let marks = state_marks.union(self.optional_marks()?);
            self.edges += cubes.len();
            let most = MOST_EDGES / self.labels.atoms.div_ceil(64).max(1) as usize;
            if self.edges > most {
                return self.error_at(at, format!("more than {most} edges are not supported"));
            }
            edges.extend(cubes.into_iter().map(|cube| (cube, marks, target)));
        }
        if implicit > 0 && u32::try_from(implicit).map_or(0, u32::trailing_zeros) != self.labels.atoms {
            return self.error(format!(
                "a state without labels has an edge for each letter, but here are {implicit}"
            ));
        }
        self.states.insert(state, edges);
        Ok(())
    }

    /// The cube of a letter, given by its number.
    fn letter(&self, letter: u64, at: usize) -> Result<Cube, HoaError> {
        if self.labels.atoms >= 32 || letter >> self.labels.atoms != 0 {
            return self.error_at(at, "there are more edges without labels than letters");
        }
        let mut cube = Cube::top(self.labels.atoms);
        (0..self.labels.atoms).for_each(|atom| cube.set(atom, letter >> atom & 1 == 1));
        Ok(cube)
    }

    fn optional_label(&mut self) -> Result<Option<Vec<Cube>>, HoaError> {
        let start = self.at;
        if !self.eat('[') {
            return Ok(None);
        }
        let label = self.expression(0)?;
        self.expect(']')?;
        match label.yes {
            Some(cubes) => Ok(Some(cubes)),
            None => self.error_at(start, "this label is too large: it needs too many conjunctions"),
        }
    }

    fn optional_marks(&mut self) -> Result<Marks, HoaError> {
        let mut marks = Marks::default();
        if !self.eat('{') {
            return Ok(marks);
        }
        while !self.eat('}') {
            let set = self.number("an acceptance set or `}`")?;
            let Some(Acceptance { sets, needed }) = &self.header.acceptance else { return Ok(marks) };
            if set >= *sets {
                return self.error_at(self.at - 1, format!("there is no acceptance set {set}"));
            }
            if let Some(Ok(set)) = needed.as_ref().map(|needed| needed.binary_search(&set)) {
                marks.0 |= 1 << set;
            }
        }
        Ok(marks)
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
        let needed = self.header.acceptance.and_then(|acceptance| acceptance.needed);
        if needed.is_none() {
            initial.clear();
        }
        let sets = needed.map_or(0, |needed| needed.len() as u32);
        let automaton = Automaton { atoms: self.labels.atoms, sets, initial, edges };
        Hoa { automaton, names: self.header.names.unwrap_or_default(), title: self.header.title }
    }
}
