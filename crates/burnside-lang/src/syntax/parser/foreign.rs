//! Statements of other languages: each is reported once, with what to write instead, and skipped to where it
//! ends.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::token::TokenKind;

/// What to write instead of `if c then … end`.
pub(super) const IF: &str = "write `if c { … } else { … }`, with braces and without an end";

/// What to write instead of other loops.
pub(super) const FOR: &str =
    "write `for x: T { … }` for the values of a type, `for x in s { … }` for the elements of a collection";

/// What to write instead of a statement of another language.
fn foreign_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" | "loop" | "repeat" | "do" => {
            "a rule is one step: let it fire again as long as its guard is true, or write `for x: T { … }`"
        }
        "switch" | "case" => "write `match e { a => { … } b => { … } _ => { … } }`",
        "foreach" => "write `for x: T { … }` or `for x in s { … }`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether a statement of another language starts here.
    pub(super) fn at_foreign_word(&self) -> bool {
        use TokenKind::*;
        let next = self.peek_at(1);
        let goes_on = match next {
            LParen => {
                let after = self.delimiters.partner(self.pos + 1).map_or(self.pos, |close| close + 1);
                self.tokens.get(after).is_some_and(|token| token.kind != Semi)
            }
            next => {
                next.is_name()
                    || matches!(next, Bang | Int | True | False | LBrace | AtSign | Forall | Exists | Colon)
            }
        };
        goes_on && foreign_word(self.text()).is_some()
    }

    /// `while c { … }` and the like: reported, and skipped up to the end of its braces.
    pub(super) fn foreign_stmt(&mut self) -> StmtKind {
        let word = self.text();
        let diagnostic = Diagnostic::error(Code::NotAStatement, self.span(), format!("there is no `{word}`"));
        self.error_here(diagnostic.help(foreign_word(word).unwrap_or_default()));
        if word == "do" {
            self.skip_words();
            return StmtKind::Error;
        }
        self.bump();
        while word == "repeat"
            && !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof)
            && self.text() != "until"
        {
            self.skip_token();
        }
        while !matches!(self.peek(), TokenKind::LBrace | TokenKind::Semi | TokenKind::RBrace | TokenKind::Eof)
        {
            if matches!(self.text(), "do" | "of") {
                self.skip_words();
                return StmtKind::Error;
            }
            self.bump();
        }
        match self.delimiters.partner(self.pos) {
            Some(close) if self.at(TokenKind::LBrace) => self.pos = close + 1,
            _ => drop(self.eat(TokenKind::Semi)),
        }
        StmtKind::Error
    }

    /// Reports a word of a language that has words in place of braces, and skips to where its statement ends.
    pub(super) fn worded(&mut self, help: &str) -> StmtKind {
        let message = format!("expected `{{`, found {}", self.found());
        self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
        self.skip_words();
        StmtKind::Error
    }

    /// Skips to the end of a statement with words in place of braces.
    fn skip_words(&mut self) {
        let mut depth = 0usize;
        while !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof) {
            match (self.peek(), self.text()) {
                (_, word) if word.starts_with("end") || matches!(word, "fi" | "od") => {
                    self.bump();
                    // `end if`
                    if matches!(self.peek(), TokenKind::If | TokenKind::For)
                        || foreign_word(self.text()).is_some()
                    {
                        self.bump();
                    }
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                (_, "then" | "do") => {
                    depth += 1;
                    self.bump();
                }
                (TokenKind::If, _) if self.peek_at(1) == TokenKind::Colon => {
                    depth += 1;
                    self.bump();
                }
                // `elsif c then` goes on with the same statement.
                (_, "elsif" | "elif" | "elseif") => {
                    depth = depth.saturating_sub(1);
                    self.bump();
                }
                _ => self.skip_token(),
            }
        }
        self.eat(TokenKind::Semi);
    }

    /// Reports `elsif`, and goes on as if it were right.
    pub(super) fn elsif(&mut self, condition: Expr, then: Block) -> StmtKind {
        let message = format!("there is no `{}`", self.text());
        let diagnostic = Diagnostic::error(Code::WrongOperator, self.span(), message);
        self.error_here(diagnostic.help("write `else if`"));
        let (start, outer) = (self.span(), self.enter());
        let kind = self.if_stmt();
        self.leave(outer);
        let statement = Stmt { span: self.since(start), kind };
        let otherwise = Some(Block { span: statement.span, statements: vec![statement] });
        StmtKind::If { condition, then, otherwise }
    }
}

/// Reports an expression where a statement should be.
pub(super) fn no_effect(expr: &Expr) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(Code::NotAStatement, expr.span, "this is an expression, not a statement");
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Eq, ..) => diagnostic.help("an assignment is written with `=`"),
        ExprKind::Binary(BinaryOp::Ne, ..) => {
            diagnostic.help("to assign through `!` write a space: `x! = …`")
        }
        ExprKind::Name(word) => match word.as_str() {
            "skip" | "pass" => diagnostic.help("what does nothing is an empty block: `{ }`"),
            "break" | "continue" => {
                diagnostic.help("a loop takes all values: say which ones with `for x: T where c { … }`")
            }
            "return" => diagnostic.help("a rule has no value; what computes one is a `fn`"),
            "end" | "endif" | "endfor" | "endwhile" | "fi" | "od" | "begin" => {
                diagnostic.help("blocks are written with braces: `{ … }`")
            }
            _ => diagnostic,
        },
        _ => diagnostic,
    }
}
