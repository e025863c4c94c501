//! What is known about one state of a text: tokens, tree, names, diagnostics, the model if it has one, and
//! on demand its symmetry. Nothing in here changes.

use crate::positions::Positions;
use burnside_lang::check::{
    Definition, NameIndex, Occurrence, SymbolKind, check_with_index, settings_of_blocks,
};
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_lang::hir::Model;
use burnside_lang::import::{self, Table};
use burnside_lang::symmetry::{self, Analysis as Symmetry};
use burnside_lang::syntax::ast::{File, Item, ItemKind};
use burnside_lang::syntax::lexer::{Lexed, lex};
use burnside_lang::syntax::parse;
use lsp_types::{Position, Range};
use std::cell::OnceCell;

/// What is known about a text.
#[derive(Debug)]
pub(crate) struct Known {
    /// The text.
    pub text: String,
    /// The same with the files that it imports behind it.
    pub all: String,
    /// What the names of those files are.
    pub table: Table,
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
    /// Finds out everything but the symmetry. `imported` are the files that the text imports, as they stand
    /// behind it in a text with all of them.
    pub fn new(text: String, imported: &str) -> Self {
        let all = format!("{text}{imported}");
        let (lexed, parsed, linked) = (lex(&text), parse(&text), import::parse(&all));
        let (checked, mut index) = check_with_index(&linked.file, &settings_of_blocks(&linked.file));
        index.keep_before(text.len() as u32);
        let whole = linked.diagnostics.is_empty();
        let mut diagnostics = linked.diagnostics;
        diagnostics.extend(checked.diagnostics);
        // A file for others to import is no model, and need not be one.
        let library = !parsed.file.items.is_empty()
            && parsed.file.items.iter().all(|item| import::is_importable(&item.kind));
        diagnostics.retain(|it| !(library && it.code == Code::EmptyModel));
        Self {
            positions: Positions::new(&text),
            text,
            all,
            table: linked.table,
            lexed,
            file: parsed.file,
            index,
            diagnostics,
            model: checked.model.filter(|_| whole),
            symmetry: OnceCell::new(),
        }
    }

    /// A Murphi model: what is wrong with it, and nothing else.
    pub fn of_murphi(text: &str) -> Self {
        let source = burnside::Source::named("model.m", text);
        let loaded = burnside::Model::load(source, &burnside::LoadOptions::new());
        let mut known = Self::new(String::new(), "");
        (known.positions, known.diagnostics) = (Positions::new(text), loaded.diagnostics);
        (known.text, known.all) = (text.to_string(), text.to_string());
        known
    }

    /// The files that it imports, as they stand behind the text.
    pub fn imported(&self) -> &str {
        &self.all[self.text.len()..]
    }

    /// Whether a place is in one of these.
    pub fn is_imported(&self, span: Span) -> bool {
        span.start as usize > self.text.len()
    }

    /// What is symmetric in the model, if there is one.
    pub fn symmetry(&self) -> Option<&Symmetry> {
        self.symmetry.get_or_init(|| self.model.as_ref().map(symmetry::analyse)).as_ref()
    }

    /// The byte at a place.
    pub fn offset(&self, position: Position) -> u32 {
        self.positions.offset(&self.text, position)
    }

    /// The places of a span. What is in a file that is imported is where that is imported.
    pub fn range(&self, span: Span) -> Range {
        let is_import = |item: &&Item| matches!(item.kind, ItemKind::Import { .. });
        let first = || self.file.items.iter().find(is_import).map_or(Span::default(), |item| item.span);
        let span = if self.is_imported(span) { first() } else { span };
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
