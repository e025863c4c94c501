//! What is known about one state of a text: tokens, tree, names, diagnostics, the model if it has one, and
//! on demand its symmetry. Nothing in here changes.

use crate::positions::Positions;
use burnside_lang::check::{
    Definition, NameIndex, Occurrence, SymbolKind, check_with_index, settings_of_blocks,
};
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_lang::hir::Model;
use burnside_lang::symmetry::{self, Analysis as Symmetry};
use burnside_lang::syntax::ast::File;
use burnside_lang::syntax::lexer::{Lexed, lex};
use burnside_lang::syntax::parse;
use lsp_types::{Position, Range};
use std::cell::OnceCell;

/// What is known about a text.
#[derive(Debug)]
pub(crate) struct Known {
    /// The text.
    pub text: String,
    /// Its lines.
    pub positions: Positions,
    /// Its tokens and comments.
    pub lexed: Lexed,
    /// Its tree.
    pub file: File,
    /// Its names.
    pub index: NameIndex,
    /// What is wrong with it, or probably not meant.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, if nothing is wrong.
    pub model: Option<Model>,
    symmetry: OnceCell<Option<Symmetry>>,
}

impl Known {
    /// Finds out everything but the symmetry.
    pub fn new(text: String) -> Self {
        let (lexed, parsed) = (lex(&text), parse(&text));
        let (checked, index) = check_with_index(&parsed.file, &settings_of_blocks(&parsed.file));
        let whole = parsed.diagnostics.is_empty();
        let mut diagnostics = parsed.diagnostics;
        diagnostics.extend(checked.diagnostics);
        Self {
            positions: Positions::new(&text),
            text,
            lexed,
            file: parsed.file,
            index,
            diagnostics,
            model: checked.model.filter(|_| whole),
            symmetry: OnceCell::new(),
        }
    }

    /// What is symmetric in the model, if there is one.
    pub fn symmetry(&self) -> Option<&Symmetry> {
        self.symmetry.get_or_init(|| self.model.as_ref().map(symmetry::analyse)).as_ref()
    }

    /// The byte at a place.
    pub fn offset(&self, position: Position) -> u32 {
        self.positions.offset(&self.text, position)
    }

    /// The places of a span.
    pub fn range(&self, span: Span) -> Range {
        self.positions.range(&self.text, span)
    }

    /// The name at a place, with its declaration.
    pub fn name_at(&self, position: Position) -> Option<(Occurrence, &Definition)> {
        let occurrence = self.index.at(self.offset(position))?;
        Some((occurrence, self.index.definition(occurrence.symbol)?))
    }

    /// The declaration of this name and one of these kinds.
    pub fn declared(&self, name: &str, kinds: &[SymbolKind]) -> Option<&Definition> {
        self.index.definitions().find(|it| it.name == name && kinds.contains(&it.kind))
    }
}
