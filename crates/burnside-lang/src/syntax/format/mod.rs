//! The one true layout. Entry point: [`format()`].
//!
//! The formatter prints the tokens of the text in their order; the syntax tree only says where lines may
//! break and what is indented. So it cannot change the meaning, nor lose a comment. The exceptions: a
//! comma at the end of a list is there if and only if the list is broken into lines, and a needless `;`
//! after `}` is left out. Three stages:
//! `source` finds what surrounds each token, `layout` and its kin walk the tree and write layout commands,
//! `render` decides which lines break.
//!
//! Formatting is idempotent because a layout depends only on things that it preserves: the tokens, which
//! comments follow a token on its line and which have their own, single blank lines, and whether a body is on
//! one line.

mod expr;
mod item;
mod layout;
mod list;
mod render;
mod source;
mod stmt;

use super::lexer::lex;
use super::parser::parse;
use crate::diagnostic::Diagnostic;

/// The width that lines should not exceed.
pub const WIDTH: usize = 100;

/// The layout of `source`, or what is wrong with it.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let lexed = lex(source);
    let surroundings = source::Source::new(source, lexed.tokens, lexed.comments);
    let commands = layout::Layout::new(&surroundings).file(&parsed.file);
    Ok(render::render(&surroundings, &commands))
}
