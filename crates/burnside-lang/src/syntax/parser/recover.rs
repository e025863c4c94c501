//! Going on after an error: where to stop skipping, and what to say about a missing `;` or bracket. Skipping
//! only moves forward and jumps over balanced brackets, so parsing stays linear.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::token::TokenKind;

/// Keywords that start a declaration, except `var`, which also starts members and statements, and `hint`,
/// `constraint`, `check` and `proc`, which are also names.
pub(super) fn starts_item(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Const
            | TypeWord
            | Symmetric
            | Ring
            | Enum
            | Record
            | Process
            | Fair
            | Strong
            | Init
            | Fn
            | Invariant
            | Reachable
            | Deadlock
            | Ltl
            | Ctl
            | Never
            | Symmetry
    )
}

/// Whether a condition may start so, and no statement goes on so behind a name.
fn starts_condition(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.is_name() || matches!(kind, Forall | Exists | Bang | True | False | Int | If | Enabled)
}

/// Keywords that start a member of a process.
pub(super) fn starts_member(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Var | Locations | Rule | At | Fair | Strong)
}

impl Parser<'_> {
    /// Whether a declaration surely starts here.
    pub(super) fn at_item(&self) -> bool {
        match self.peek() {
            TokenKind::Ident => self.at_import() && self.peek_at(1) == TokenKind::Str && self.on_new_line(),
            TokenKind::Hint => self.peek_at(1).is_name() && self.peek_at(2) == TokenKind::Assign,
            TokenKind::Proc => self.peek_at(1).is_name() && self.peek_at(2) == TokenKind::LParen,
            TokenKind::Constraint => self.on_new_line() && starts_condition(self.peek_at(1)),
            TokenKind::Check => self.peek_at(1) == TokenKind::LBrace && self.on_new_line(),
            kind => starts_item(kind),
        }
    }

    /// Whether an import starts here: the word is also a name.
    pub(super) fn at_import(&self) -> bool {
        self.text() == "import" && (self.peek_at(1) == TokenKind::Str || self.peek_at(1).is_name())
    }

    /// Takes the `;` at the end of something; `errors` is the number of errors before that something.
    pub(super) fn semicolon(&mut self, errors: usize) {
        if self.eat(TokenKind::Semi) {
            return;
        }
        if self.errors > errors {
            self.skip_statement();
        } else if self.something_starts() {
            let end = self.previous().end;
            let message = format!("missing `;` before {}", self.found());
            self.error_here(Diagnostic::error(Code::MissingSemicolon, Span::new(end, end), message));
        } else {
            self.unexpected("`;`");
            self.skip_statement();
        }
    }

    /// Whether the current token looks like the start of the next thing, or the end of all things.
    fn something_starts(&self) -> bool {
        let kind = self.peek();
        let word = kind.is_name() && self.on_new_line();
        word || matches!(kind, TokenKind::RBrace | TokenKind::Eof)
            || self.at_statement_word()
            || self.at_item()
            || starts_member(kind)
    }

    fn at_statement_word(&self) -> bool {
        use TokenKind::*;
        match self.peek() {
            Let | Var | For | Assert | Assume | Goto => true,
            If => self.on_new_line(),
            Match => self.on_new_line() && self.at_match(),
            _ => false,
        }
    }

    /// Skips to the end of a statement (after its `;`), or to a place where another one surely starts.
    pub(super) fn skip_statement(&mut self) {
        loop {
            match self.peek() {
                TokenKind::Eof | TokenKind::RBrace => return,
                TokenKind::Semi => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => {
                    self.skip_token();
                    if self.on_new_line() {
                        return;
                    }
                }
                kind if self.at_item() || starts_member(kind) || self.at_statement_word() => return,
                _ => self.skip_token(),
            }
        }
    }

    /// Skips to a member of a process or the end of the process.
    pub(super) fn skip_to_member(&mut self) {
        while !self.at(TokenKind::Eof) && !self.at(TokenKind::RBrace) {
            if self.at_item() || starts_member(self.peek()) {
                return;
            }
            self.skip_token();
        }
    }

    /// Skips to the next declaration.
    pub(super) fn skip_to_item(&mut self) {
        while !self.at(TokenKind::Eof) {
            let kind = self.peek();
            if self.at_item() || starts_member(kind) || kind == TokenKind::RBrace {
                return;
            }
            if self.eat(TokenKind::Semi) {
                return;
            }
            self.skip_token();
            if kind == TokenKind::LBrace && self.on_new_line() {
                return;
            }
        }
    }

    /// Skips a token, and if it opens a bracket all up to its partner.
    pub(super) fn skip_token(&mut self) {
        match self.delimiters.partner(self.pos) {
            Some(partner) => self.pos = partner + 1,
            None => {
                self.bump();
            }
        }
    }

    /// Takes an opening bracket and says where it is.
    pub(super) fn open(&mut self, kind: TokenKind) -> Option<usize> {
        let at = self.pos;
        self.expect(kind).then_some(at)
    }

    /// Takes the bracket that closes the one at `open`, skipping what does not belong there. After an error
    /// inside the brackets that is no news.
    pub(super) fn close(&mut self, open: usize, expected: &str) {
        if self.last_error > Some(open) {
            self.last_error = Some(self.pos);
        }
        if self.close_here(open, expected) {
            return;
        }
        if let Some(partner) = self.delimiters.partner(open)
            && partner >= self.pos
            && !self.gave_up
        {
            self.pos = partner + 1;
        }
    }

    /// Takes the bracket that closes the one at `open`, or says that it is not closed.
    pub(super) fn close_here(&mut self, open: usize, expected: &str) -> bool {
        let opener = self.tokens[open];
        let Some(closer) = opener.kind.closer() else { return false };
        if self.eat(closer) {
            return true;
        }
        let message = format!("expected {expected}{}, found {}", closer.quoted(), self.found());
        let lost = self.delimiters.partner(open).is_none();
        let code = if lost { Code::UnclosedDelimiter } else { Code::UnexpectedToken };
        let note = if lost { "this is not closed" } else { "opened here" };
        let diagnostic = Diagnostic::error(code, self.span(), message).note(opener.span, note);
        self.error_here(diagnostic);
        false
    }

    /// Takes a `;` right after a closing brace: it is not needed there, and does no harm.
    pub(super) fn needless_semicolon(&mut self) {
        let brace = self.pos.checked_sub(1).is_some_and(|at| self.tokens[at].kind == TokenKind::RBrace);
        if brace {
            self.eat(TokenKind::Semi);
        }
    }

    /// Reports a `;` that ends nothing, and takes it.
    pub(super) fn stray_semicolon(&mut self) {
        let diagnostic =
            Diagnostic::error(Code::StraySemicolon, self.span(), "this `;` ends nothing").help("remove it");
        self.error_here(diagnostic);
        self.bump();
    }
}
