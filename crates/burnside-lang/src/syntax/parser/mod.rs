//! From tokens to a syntax tree: recursive descent, with precedence climbing for operators. Entry points:
//! [`parse`], [`parse_expression`] and [`parse_expression_from`].
//!
//! The parser never stops at the first error. Where something is missing it puts an `Error` node (or a name
//! with an empty text) and goes on at the next `;`, `}` or keyword that starts something; it reports at most
//! one error per token. Every tree it returns is at most [`MAX_DEPTH`] deep: deeper text is one error, and
//! the rest is skipped.

mod arms;
mod binder;
mod delimiter;
mod expect;
mod expr;
mod foreign;
mod hint;
mod item;
mod list;
mod operator;
mod primary;
mod process;
mod property;
mod recover;
mod stmt;
mod symmetry;
mod types;

use super::ast::{Expr, ExprKind, File, Name};
use super::lexer::{Lexed, lex};
use super::token::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use burnside_limits::poll;
use delimiter::Delimiters;

/// The depth of the deepest syntax tree: nested brackets, operators, statements. The operands of a long chain
/// are beside each other.
pub const MAX_DEPTH: u32 = 200;

/// More errors than this are not reported.
pub const MAX_ERRORS: usize = 50;

/// A file and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The tree; complete if there is no diagnostic.
    pub file: File,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// An expression and what is wrong with it.
#[derive(Clone, Debug)]
pub struct ParsedExpression {
    /// The tree; complete if there is no diagnostic.
    pub expr: Expr,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Which operators an expression may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// No temporal operators.
    #[default]
    Plain,
    /// Those of linear time.
    Ltl,
    /// Those of branching time.
    Ctl,
}

/// Parses a whole file.
pub fn parse(source: &str) -> Parsed {
    let mut parser = Parser::new(source, lex(source));
    let file = parser.file();
    Parsed { file, diagnostics: parser.finish() }
}

/// Parses the file that a part of a text is. Places are those in the whole text.
pub fn parse_part(source: &str, part: std::ops::Range<usize>) -> Parsed {
    let mut lexed = lex(source.get(part.clone()).unwrap_or(""));
    lexed.shift(part.start as u32);
    let mut parser = Parser::new(source, lexed);
    let file = parser.file();
    Parsed { file, diagnostics: parser.finish() }
}

/// Parses a single expression or formula.
pub fn parse_expression(source: &str, mode: Mode) -> ParsedExpression {
    parse_expression_from(source, 0, mode)
}

/// Parses the single expression or formula that a text holds from a byte on. Places are those in the whole
/// text.
pub fn parse_expression_from(source: &str, start: u32, mode: Mode) -> ParsedExpression {
    let mut lexed = lex(source.get(start as usize..).unwrap_or(""));
    lexed.shift(start);
    let mut parser = Parser::new(source, lexed);
    parser.mode = mode;
    let expr = parser.expr();
    if !parser.at(TokenKind::Eof) {
        parser.unexpected("an operator or the end");
    }
    ParsedExpression { expr, diagnostics: parser.finish() }
}

/// The state of the parser: where it is, what it has said, how deep it is.
struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    delimiters: Delimiters,
    pos: usize,
    diagnostics: Vec<Diagnostic>,
    mode: Mode,
    /// All errors, also those not reported because they are at the place of another.
    errors: usize,
    /// The token at which the last error was.
    last_error: Option<usize>,
    gave_up: bool,
    /// How deep in the tree the node is that is being parsed.
    depth: u32,
    /// The deepest node in the current region of the tree; see [`Parser::enter`].
    deepest: u32,
    /// Whether a rule at the top level was reported: then a closing brace too many is no news.
    misplaced: bool,
    /// Keywords that were reported as names: where they are used is no news.
    keyword_names: Vec<TokenKind>,
    /// How much text was copied because several names share a type.
    copied: u64,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, lexed: Lexed) -> Self {
        Self {
            source,
            delimiters: Delimiters::new(&lexed.tokens),
            tokens: lexed.tokens,
            pos: 0,
            diagnostics: lexed.diagnostics,
            mode: Mode::Plain,
            errors: 0,
            last_error: None,
            gave_up: false,
            depth: 0,
            deepest: 0,
            misplaced: false,
            keyword_names: Vec::new(),
            copied: 0,
        }
    }

    /// The diagnostics in the order of the text, and not too many.
    fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.diagnostics;
        all.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        if all.len() > MAX_ERRORS {
            let span = all[MAX_ERRORS].primary.span;
            all.truncate(MAX_ERRORS);
            let message = format!("too many errors; only the first {MAX_ERRORS} are shown");
            all.push(Diagnostic::error(Code::TooManyErrors, span, message));
        }
        all
    }

    // Tokens.

    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token `ahead` places further on.
    fn peek_at(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.pos + ahead).map_or(TokenKind::Eof, |token| token.kind)
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn text(&self) -> &'s str {
        self.text_at(0)
    }

    /// The token `ahead` places further on.
    fn text_at(&self, ahead: usize) -> &'s str {
        self.tokens.get(self.pos + ahead).map_or("", |token| token.span.text(self.source))
    }

    /// Goes to the next token; stays at the end of the text.
    fn bump(&mut self) -> Token {
        poll();
        let token = self.token();
        if token.kind != TokenKind::Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The span of the token before this one.
    fn previous(&self) -> Span {
        match self.pos.checked_sub(1) {
            Some(before) => self.tokens[before].span,
            None => Span::default(),
        }
    }

    /// The span from `start` to the end of the last token taken.
    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.previous().end.max(start.start))
    }

    /// Whether there is a line break right before this token.
    fn on_new_line(&self) -> bool {
        let gap = Span::new(self.previous().end, self.span().start);
        self.pos == 0 || gap.text(self.source).contains('\n')
    }

    // Errors.

    /// Reports an error that is about the current token, unless one was already reported there.
    fn error_here(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        let known = self.last_error == Some(self.pos) || self.at(TokenKind::Error);
        self.last_error = Some(self.pos);
        if !known {
            self.push_diagnostic(diagnostic);
        }
    }

    /// Reports an error about what was already taken.
    fn error(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        self.push_diagnostic(diagnostic);
    }

    fn push_diagnostic(&mut self, diagnostic: Diagnostic) {
        if self.gave_up {
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() > 4 * MAX_ERRORS {
            self.give_up();
        }
    }

    /// Goes to the end of the text and says no more.
    fn give_up(&mut self) {
        self.gave_up = true;
        self.pos = self.tokens.len() - 1;
    }

    fn expect(&mut self, kind: TokenKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.unexpected(&kind.quoted());
        }
        found
    }

    // Depth.

    /// Starts a node one level down. A chain of operators or postfixes is parsed flat but makes a deep tree:
    /// it calls [`Parser::wrap`] for each link, which moves everything seen since `enter` one level further
    /// down.
    fn enter(&mut self) -> u32 {
        self.depth += 1;
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        self.check_depth();
        outer
    }

    fn leave(&mut self, outer: u32) {
        self.depth -= 1;
        self.deepest = self.deepest.max(outer);
    }

    fn wrap(&mut self) {
        self.deepest += 1;
        self.check_depth();
    }

    fn check_depth(&mut self) {
        if self.deepest > MAX_DEPTH && !self.gave_up {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep; the rest is not read");
            let help = "split it up: give parts of it names with `let` or `fn`";
            self.error(Diagnostic::error(Code::NestingTooDeep, self.span(), message).help(help));
            self.give_up();
        }
    }

    // Small nodes.

    /// A name that stands for one that is missing.
    fn no_name(&self) -> Name {
        Name { text: String::new(), span: Span::new(self.span().start, self.span().start) }
    }

    /// An expression that stands for one that is missing.
    fn no_expr(&self) -> Expr {
        Expr { span: self.no_name().span, kind: ExprKind::Error }
    }
}
