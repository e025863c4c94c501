//! What can be written at a place: names that are known there, and words of the language.
//!
//! Entry point: [`complete`]. What kind of thing is expected is asked of
//! [`cursor`](burnside_lang::syntax::cursor), what there is of the index of names. The editor sorts and
//! filters by what is typed; nearer names come first.

use crate::analysis::Known;
use burnside_lang::check::{Behind, Definition, Role, Symbol, SymbolKind, entry_keys, entry_words};
use burnside_lang::diagnostic::Span;
use burnside_lang::expect::Expected;
use burnside_lang::syntax::cursor::{Awaited, Cursor, cursor, is_property};
use burnside_lang::syntax::token::TokenKind;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Position, Range, TextEdit};

const ITEMS: &[&str] = &[
    "import",
    "const",
    "type",
    "symmetric",
    "ring",
    "enum",
    "record",
    "var",
    "fn",
    "proc",
    "init",
    "fair",
    "strong",
    "process",
    "symmetry",
    "invariant",
    "reachable",
    "ltl",
    "ctl",
    "never",
    "deadlock",
    "hint",
    "constraint",
    "check",
];
const MEMBERS: &[&str] = &["var", "locations", "rule", "fair", "strong", "at"];
const STATEMENTS: &[&str] = &["let", "var", "if", "match", "for", "assert", "goto"];
const VALUES: &[&str] = &[
    "true", "false", "none", "if", "match", "choose", "forall", "exists", "count", "sum", "min", "max",
    "abs", "ord", "next", "prev",
];
const TYPES: &[&str] = &["bool", "int", "array", "set", "queue", "bag"];
const OPERATORS: &[&str] = &["in", "subset", "where", "else"];
const LINEAR: &[&str] = &["G", "F", "X"];
const BRANCHING: &[&str] = &["AG", "AF", "AX", "EG", "EF", "EX", "A", "E"];
const UNTIL: &[&str] = &["U", "R", "W", "M"];

/// A name that nobody has, to finish a statement with.
const PLACEHOLDER: &str = "burnside_here";

/// What can be written at a place.
pub(crate) fn complete(known: &Known, position: Position) -> Vec<CompletionItem> {
    let at = known.offset(position);
    let cursor = cursor(&known.text, &known.lexed, at);
    let list = List {
        known,
        range: known.range(Span::new(cursor.word.start, at.max(cursor.word.start))),
        items: Vec::new(),
    };
    list.fill(&cursor)
}

struct List<'k> {
    known: &'k Known,
    range: Range,
    items: Vec<CompletionItem>,
}

impl List<'_> {
    fn fill(mut self, cursor: &Cursor) -> Vec<CompletionItem> {
        match cursor.awaited {
            Awaited::Nothing | Awaited::NewName => {}
            Awaited::Item => self.words(ITEMS),
            Awaited::Member => self.words(MEMBERS),
            Awaited::Words(words) => self.words(words),
            Awaited::Key => {
                self.all(&[SymbolKind::Constant, SymbolKind::Property], 1);
                entry_keys().for_each(|key| self.words(&[key]));
            }
            Awaited::Entry(key) => self.entry(key),
            Awaited::Operator => self.operators(cursor),
            Awaited::Type => {
                self.all(&[SymbolKind::Alias, SymbolKind::Sort, SymbolKind::Enum, SymbolKind::Record], 1);
                self.words(TYPES);
            }
            Awaited::Location => self.locations(cursor),
            Awaited::Rule => self.all(&[SymbolKind::Rule, SymbolKind::Process], 1),
            Awaited::Behind(end) => self.behind(cursor, end),
            Awaited::Statement => {
                self.locals(cursor);
                self.vars(cursor);
                self.words(STATEMENTS);
                if cursor.process.is_none() {
                    self.words(&["assume"]);
                }
            }
            Awaited::Value => self.values(cursor),
        }
        self.items
    }

    fn values(&mut self, cursor: &Cursor) {
        self.locals(cursor);
        self.vars(cursor);
        self.all(&[SymbolKind::Constant, SymbolKind::EnumConstant, SymbolKind::Function], 3);
        self.all(&[SymbolKind::Record, SymbolKind::Sort, SymbolKind::Enum], 4);
        self.words(VALUES);
        match cursor.within {
            _ if cursor.process.is_some() => {}
            Some(TokenKind::Ltl) => self.words(LINEAR),
            Some(TokenKind::Ctl) => self.words(BRANCHING),
            _ => {}
        }
        if cursor.process.is_none() {
            self.words(&["enabled"]);
        }
    }

    /// What the key of a `check` block can be.
    fn entry(&mut self, key: Span) {
        let key = key.text(&self.known.text);
        let known = self.known;
        let is = |kind: SymbolKind| known.declared(key, &[kind]).is_some();
        if is(SymbolKind::Property) {
            self.words(&Expected::ALL.map(Expected::name));
        } else if is(SymbolKind::Constant) {
            self.words(&["true", "false"]);
        } else {
            self.words(&entry_words(key));
        }
    }

    fn operators(&mut self, cursor: &Cursor) {
        self.words(OPERATORS);
        if is_property(cursor.within) {
            self.words(&["expect"]);
        }
        match cursor.within {
            Some(TokenKind::Rule) => self.words(&["when", "at"]),
            Some(TokenKind::Ltl | TokenKind::Ctl) => self.words(UNTIL),
            _ => {}
        }
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.item(word, CompletionItemKind::KEYWORD, None, 8);
        }
    }

    fn item(&mut self, label: &str, kind: CompletionItemKind, definition: Option<&Definition>, far: u8) {
        if self.items.iter().any(|known| known.label == label && definition.is_some()) {
            return;
        }
        self.items.push(CompletionItem {
            label: label.to_string(),
            kind: Some(kind),
            detail: definition.map(|it| it.signature.clone()),
            sort_text: Some(format!("{far}{label}")),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(self.range, label.to_string()))),
            ..CompletionItem::default()
        });
    }

    fn definition(&mut self, definition: &Definition, far: u8) {
        self.item(&definition.name, kind(definition.kind), Some(definition), far);
    }

    fn all(&mut self, kinds: &[SymbolKind], far: u8) {
        let known = self.known;
        for definition in known.index.definitions().filter(|it| kinds.contains(&it.kind)) {
            if !definition.name.is_empty() {
                self.definition(definition, far);
            }
        }
    }

    /// Names bound around, the innermost first.
    fn locals(&mut self, cursor: &Cursor) {
        let known = self.known;
        for span in cursor.binders.iter().rev() {
            let declared =
                known.index.at(span.start).filter(|it| it.span == *span && it.role == Role::Declared);
            let symbol = declared.map(|it| it.symbol).filter(|it| matches!(it, Symbol::Local(_)));
            if let Some(definition) = symbol.and_then(|symbol| known.index.definition(symbol)) {
                self.definition(definition, 0);
            }
        }
    }

    /// Variables: our own, then those of the model, then those of other processes, and these themselves.
    fn vars(&mut self, cursor: &Cursor) {
        let known = self.known;
        let own = self.process(cursor.process);
        let vars = || known.index.definitions().filter(|it| it.kind == SymbolKind::Var);
        vars().filter(|it| own.is_some() && it.container == own).for_each(|it| self.definition(it, 1));
        vars().filter(|it| it.container.is_none()).for_each(|it| self.definition(it, 2));
        vars().filter(|it| it.container.is_some()).for_each(|it| self.definition(it, 4));
        self.all(&[SymbolKind::Process], 5);
    }

    /// The process whose name is at a place.
    fn process(&self, name: Option<Span>) -> Option<Symbol> {
        let name = name?.text(&self.known.text);
        self.known.declared(name, &[SymbolKind::Process]).map(|it| it.symbol)
    }

    fn locations(&mut self, cursor: &Cursor) {
        let known = self.known;
        let Some(process) = self.process(cursor.owner.or(cursor.process)) else { return };
        let parts = known.index.parts(process).filter(|it| it.kind == SymbolKind::Location);
        parts.for_each(|it| self.definition(it, 1));
    }

    /// What stands behind a dot: of a process, of an enum, of a value.
    fn behind(&mut self, cursor: &Cursor, end: u32) {
        let known = self.known;
        let owner = cursor.owner.map_or("", |owner| owner.text(&known.text));
        let whole = [SymbolKind::Process, SymbolKind::Enum];
        let whole = whole.iter().filter_map(|kind| known.declared(owner, &[*kind]));
        let is_value = known.declared(owner, &[SymbolKind::Var, SymbolKind::Local, SymbolKind::Parameter]);
        for whole in whole.filter(|_| is_value.is_none()) {
            let parts = known.index.parts(whole.symbol);
            let parts = parts.filter(|it| match it.kind {
                SymbolKind::Var => !cursor.in_enabled,
                SymbolKind::Rule => cursor.in_enabled,
                kind => kind == SymbolKind::EnumConstant,
            });
            parts.for_each(|it| self.definition(it, 1));
        }
        if self.items.is_empty() {
            self.behind_value(cursor, end);
        }
    }

    fn behind_value(&mut self, cursor: &Cursor, end: u32) {
        let known = self.known;
        let path = names_before(&known.text, end);
        if let Some(names) = known.table.names(&path) {
            for definition in known.index.definitions().filter(|it| known.is_imported(it.span)) {
                let last = definition.name.rsplit('.').next().unwrap_or_default();
                if names.contains(&(last.to_string(), definition.span)) {
                    self.item(last, kind(definition.kind), Some(definition), 1);
                }
            }
            return;
        }
        let mut found = known.index.behind(end);
        let finished;
        let mut index = &known.index;
        if found.is_empty() {
            // A statement that is not finished is left out by the parser: finish it.
            finished = Known::new(finish(&known.text, cursor), known.imported());
            index = &finished.index;
            found = index.behind(end);
        }
        for member in found {
            match member {
                Behind::Declared(symbol) => {
                    if let Some(definition) = index.definition(symbol) {
                        self.definition(definition, 1);
                    }
                }
                Behind::Method(name) => {
                    if !cursor.first {
                        self.item(name, CompletionItemKind::METHOD, None, 2);
                    }
                }
                Behind::Statement(name) => {
                    if cursor.first {
                        self.item(name, CompletionItemKind::METHOD, None, 2);
                    }
                }
            }
        }
    }
}

/// The names with dots between them that end at a byte.
fn names_before(text: &str, end: u32) -> Vec<&str> {
    let before = text.get(..end as usize).unwrap_or("");
    let part = |char: char| char.is_alphanumeric() || char == '_' || char == '.';
    let start = before.char_indices().rev().take_while(|(_, char)| part(*char)).last();
    start.map_or(Vec::new(), |(at, _)| before[at..].split('.').collect())
}

/// The text with the word at the cursor written to its end, so that it can be parsed.
fn finish(text: &str, cursor: &Cursor) -> String {
    let (before, after) = (&text[..cursor.word.start as usize], &text[cursor.word.end as usize..]);
    let rest = if cursor.first { format!(" = {PLACEHOLDER};") } else { String::new() };
    format!("{before}{PLACEHOLDER}{rest}{after}")
}

fn kind(kind: SymbolKind) -> CompletionItemKind {
    match kind {
        SymbolKind::Constant => CompletionItemKind::CONSTANT,
        SymbolKind::Alias | SymbolKind::Sort => CompletionItemKind::CLASS,
        SymbolKind::Enum => CompletionItemKind::ENUM,
        SymbolKind::Record => CompletionItemKind::STRUCT,
        SymbolKind::Function => CompletionItemKind::FUNCTION,
        SymbolKind::Process => CompletionItemKind::MODULE,
        SymbolKind::Rule => CompletionItemKind::EVENT,
        SymbolKind::Var | SymbolKind::Local | SymbolKind::Parameter => CompletionItemKind::VARIABLE,
        SymbolKind::EnumConstant | SymbolKind::Location => CompletionItemKind::ENUM_MEMBER,
        SymbolKind::Field => CompletionItemKind::FIELD,
        SymbolKind::Property | SymbolKind::Hint => CompletionItemKind::VALUE,
    }
}
