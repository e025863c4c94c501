//! `match`, as a statement and as an expression: its cases and what belongs to them.
//!
//! Entry points: `match_stmt` and `match_expr`, both after `at_match`, since the word is also a name.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Arm, Expr, ExprKind, Name, Pattern, PatternKind, PatternPart, StmtKind};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// Whether a `match` starts here, where the word might be a name.
    pub(super) fn at_match(&self) -> bool {
        match self.peek_at(1) {
            _ if !self.at(TokenKind::Match) => false,
            // `match (e) { a => … }`, and not a call.
            TokenKind::LParen => {
                let after = self.delimiters.partner(self.pos + 1).map_or(self.pos, |close| close + 1);
                let brace = self.tokens.get(after).is_some_and(|token| token.kind == TokenKind::LBrace);
                brace && self.delimiters.has_arrow(after)
            }
            TokenKind::Int | TokenKind::True | TokenKind::False => true,
            next => next.is_name() && !self.at_infix_word(1),
        }
    }

    pub(super) fn match_stmt(&mut self) -> StmtKind {
        let (value, arms) = self.arms(|parser| {
            let body = parser.body();
            parser.eat(TokenKind::Comma);
            body
        });
        StmtKind::Match { value, arms }
    }

    pub(super) fn match_expr(&mut self) -> ExprKind {
        let (value, arms) = self.arms(Parser::arm_value);
        ExprKind::Match(Box::new(value), arms)
    }

    /// The value of a case with the comma behind it, which braces do without.
    fn arm_value(&mut self) -> Expr {
        if self.at(TokenKind::LBrace) {
            let value = self.block_expr();
            self.eat(TokenKind::Comma);
            return value;
        }
        let errors = self.errors;
        let value = self.expr();
        if !self.eat(TokenKind::Comma) && !self.at(TokenKind::RBrace) {
            if self.errors == errors {
                self.unexpected("`,` or `}`");
            }
            self.skip_arm();
        }
        value
    }

    /// `match e { cases }`
    fn arms<B>(&mut self, body: fn(&mut Self) -> B) -> (Expr, Vec<Arm<B>>) {
        self.bump();
        let value = self.condition();
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_statement();
            return (value, Vec::new());
        };
        let mut arms = Vec::new();
        while !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof) && !self.at_item() {
            let before = self.pos;
            arms.push(self.arm(body));
            if self.pos == before {
                self.bump();
            }
        }
        self.close(open, "a case or ");
        // The checker asks for one half of the cases, then for one half of these.
        (0..usize::BITS - arms.len().leading_zeros()).for_each(|_| self.wrap());
        (value, arms)
    }

    fn arm<B>(&mut self, body: fn(&mut Self) -> B) -> Arm<B> {
        let start = self.span();
        let outer = self.enter();
        let mut patterns = vec![self.pattern()];
        while self.another_pattern() {
            patterns.push(self.pattern());
        }
        self.arrow();
        let body = body(self);
        self.leave(outer);
        Arm { span: self.since(start), patterns, body }
    }

    /// Takes the sign between two cases that are treated alike.
    fn another_pattern(&mut self) -> bool {
        if matches!(self.peek(), TokenKind::Comma | TokenKind::OrOr) {
            let message = format!("expected `=>` or `|`, found {}", self.found());
            let help = "cases that are treated alike are written `a | b => …`";
            self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
            self.bump();
            return !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof);
        }
        self.eat(TokenKind::Bar)
    }

    fn arrow(&mut self) {
        match self.peek() {
            TokenKind::FatArrow => drop(self.bump()),
            TokenKind::Implies | TokenKind::Colon => {
                let message = format!("expected `=>`, found {}", self.found());
                let help = "did you mean `=>`?";
                self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
                self.bump();
            }
            _ => {
                self.unexpected("`=>`");
                while !matches!(
                    self.peek(),
                    TokenKind::FatArrow
                        | TokenKind::LBrace
                        | TokenKind::RBrace
                        | TokenKind::Comma
                        | TokenKind::Semi
                        | TokenKind::Eof
                ) {
                    self.bump();
                }
                self.eat(TokenKind::FatArrow);
            }
        }
    }

    /// Skips the rest of a case, its comma included.
    fn skip_arm(&mut self) {
        while !matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof) && !self.at_item() {
            if self.eat(TokenKind::Comma) {
                return;
            }
            match self.delimiters.partner(self.pos) {
                Some(close) => self.pos = close + 1,
                None => drop(self.bump()),
            }
        }
    }

    fn pattern(&mut self) -> Pattern {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::None => {
                self.bump();
                PatternKind::None
            }
            kind @ (TokenKind::True | TokenKind::False) => {
                self.bump();
                PatternKind::Bool(kind == TokenKind::True)
            }
            TokenKind::Ident if self.text() == "_" => {
                self.bump();
                PatternKind::Rest
            }
            TokenKind::Else => {
                let message = "expected a case, found `else`";
                let help = "the rest is written `_ => …`";
                self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
                self.bump();
                PatternKind::Error
            }
            TokenKind::Int | TokenKind::Minus => {
                let message = "a number is no case";
                let help = "numbers are compared: `if x == 0 { … } else if x == 1 { … } else { … }`";
                self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
                self.eat(TokenKind::Minus);
                self.eat(TokenKind::Int);
                PatternKind::Error
            }
            _ => self.named_pattern(),
        };
        Pattern { span: self.since(start), kind }
    }

    fn named_pattern(&mut self) -> PatternKind {
        let mut name = self.name("a case");
        if name.text.is_empty() {
            return PatternKind::Error;
        }
        let mut of = None;
        if self.eat(TokenKind::Dot) {
            of = Some(std::mem::replace(&mut name, self.name("the name of a case")));
            while self.eat(TokenKind::Dot) {
                let next = std::mem::replace(&mut name, self.name("the name of a case"));
                let before = of.take().map_or(String::new(), |of| of.text);
                of = Some(Name { text: format!("{before}.{}", next.text), span: next.span });
            }
        }
        let open = self.pos;
        let parts = self.eat(TokenKind::LParen).then(|| {
            let parts = self.list(TokenKind::RParen, |parser| parser.pattern_part());
            self.close(open, "`,` or ");
            parts
        });
        PatternKind::Case { of, name, parts }
    }

    fn pattern_part(&mut self) -> PatternPart {
        let field = (self.peek_at(1) == TokenKind::Colon).then(|| {
            let field = self.name("the name of a field");
            self.bump();
            field
        });
        PatternPart { field, name: self.bound_name() }
    }
}
