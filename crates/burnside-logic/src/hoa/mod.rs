//! The Hanoi Omega-Automata format, version 1.
//!
//! Entry points: [`print_hoa`] and [`read_hoa`]; [`print_dot`] draws. What is printed is read back as the
//! same automaton. Read are Büchi and generalised Büchi automata and monitors, with acceptance on states or
//! edges, with explicit, implicit or state labels, with aliases and several starts. The condition after
//! `Acceptance:` decides; a known name after `acc-name:` must be a name of it. Everything else the format
//! allows is refused by name. No input makes the reader panic or build more than a fixed multiple of what it
//! was given.

mod acceptance;
mod acceptance_name;
mod body;
mod dot;
mod expression;
mod label;
mod lex;
mod print;
mod read;

use std::fmt;
use std::ops::Range;

use crate::Automaton;

pub use dot::print_dot;
pub use print::print_hoa;
pub use read::read_hoa;

/// An automaton that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoa {
    /// The automaton.
    pub automaton: Automaton,
    /// The name of each atom.
    pub names: Vec<String>,
    /// Where each name stands in the text, without the quotes.
    pub spans: Vec<Range<usize>>,
    /// The title, if it has one.
    pub title: Option<String>,
}

/// What is wrong with the text of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The bytes that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}

impl HoaError {
    fn new(text: &str, span: Range<usize>, message: String) -> Self {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.matches('\n').count();
        Self { line, column: 1 + before[line_start..].chars().count(), span, message }
    }
}
