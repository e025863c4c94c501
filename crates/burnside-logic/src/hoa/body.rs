//! States and edges.
//!
//! Entry point: [`Reader::body`]. A state has a label of its own, or each of its edges has one, or none has
//! one and there is an edge for each letter.

use super::HoaError;
use super::lex::HoaToken;
use super::read::{Acceptance, Reader};
use crate::{Cube, Marks};
use burnside_limits::poll;

/// The most edges, after labels became cubes, for each 64 propositions.
const MOST_EDGES: usize = 5_000_000;

impl Reader<'_> {
    pub(super) fn body(&mut self) -> Result<(), HoaError> {
        loop {
            match self.peek() {
                Some(HoaToken::Header(name)) if name == "State" => {
                    self.at += 1;
                    self.body_state()?;
                }
                Some(HoaToken::Mark("END")) => break,
                Some(HoaToken::Mark("ABORT")) => {
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
            poll();
            let at = self.at;
            let label = self.optional_label()?;
            if label.is_none() && !matches!(self.peek(), Some(HoaToken::Number(_))) {
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
}
