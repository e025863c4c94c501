//! Properties, the sequences of `never`, and hints.

use super::{Mode, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Expr, ItemKind, Name, Property, Sequence, SequenceKind};
use crate::syntax::lexer::number_value;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// A property that ends with `;`, which is not taken.
    pub(super) fn property(&mut self) -> Property {
        match self.bump().kind {
            TokenKind::Deadlock => self.deadlock(),
            TokenKind::Ltl => {
                let (name, body) = self.named_formula(Mode::Ltl);
                Property::Ltl { name, body }
            }
            TokenKind::Ctl => {
                let (name, body) = self.named_formula(Mode::Ctl);
                Property::Ctl { name, body }
            }
            TokenKind::Reachable => {
                let (name, body) = self.named_formula(Mode::Plain);
                Property::Reachable { name, body }
            }
            _ => {
                let (name, body) = self.named_formula(Mode::Plain);
                Property::Invariant { name, body }
            }
        }
    }

    /// `hint NAME = e`
    pub(super) fn hint(&mut self) -> ItemKind {
        self.bump();
        let name = self.name("the name of the hint");
        let body = if self.assign() { self.expr() } else { self.no_expr() };
        ItemKind::Hint { name, body }
    }

    fn named_formula(&mut self, mode: Mode) -> (Name, Expr) {
        let name = self.name("the name of the property");
        if !self.assign() {
            return (name, self.no_expr());
        }
        self.mode = mode;
        let body = self.expr();
        if !self.at(TokenKind::Semi)
            && self.mode != Mode::Plain
            && self.peek().is_name()
            && !self.at(TokenKind::Expect)
            && !self.on_new_line()
        {
            self.unexpected("`;`");
        }
        self.mode = Mode::Plain;
        (name, body)
    }

    fn deadlock(&mut self) -> Property {
        let allowed = self.at(TokenKind::Allowed);
        if !self.eat(TokenKind::Free) && !self.eat(TokenKind::Allowed) {
            self.unexpected("`free` or `allowed`");
        }
        Property::Deadlock { allowed }
    }

    /// `never NAME { s }`
    pub(super) fn never(&mut self, errors: usize) -> Property {
        self.bump();
        let name = self.name("the name of the property");
        let start = self.span();
        let body = match self.open(TokenKind::LBrace) {
            Some(open) => self.braced_sequence(open),
            None => {
                self.semicolon(errors);
                Sequence { span: self.since(start), kind: SequenceKind::State(self.no_expr()) }
            }
        };
        Property::Never { name, body }
    }

    /// The sequence after the brace at `open`, and the brace that closes it.
    fn braced_sequence(&mut self, open: usize) -> Sequence {
        let outer = self.enter();
        let start = self.span();
        let mut parts = vec![self.choice()];
        while self.eat(TokenKind::Semi) && !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            parts.push(self.choice());
        }
        let span = self.since(start);
        self.close(open, "`;` or ");
        self.leave(outer);
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                Sequence { span, kind: SequenceKind::Then(parts) }
            }
        }
    }

    /// `{ s } | { t }`
    fn choice(&mut self) -> Sequence {
        let outer = self.enter();
        let start = self.span();
        let first = self.repeated();
        let mut parts = vec![first];
        while self.eat(TokenKind::Bar) {
            parts.push(self.repeated());
        }
        let span = self.since(start);
        self.leave(outer);
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                Sequence { span, kind: SequenceKind::Or(parts) }
            }
        }
    }

    /// A group or a condition, with its repetitions.
    fn repeated(&mut self) -> Sequence {
        let outer = self.enter();
        let mut sequence = self.step();
        while self.at_repetition() {
            let start = sequence.span;
            let (least, most) = self.repetition();
            self.wrap();
            let kind = SequenceKind::Repeat { body: Box::new(sequence), least, most };
            sequence = Sequence { span: self.since(start), kind };
        }
        self.leave(outer);
        sequence
    }

    fn step(&mut self) -> Sequence {
        let start = self.span();
        let kind = if self.at(TokenKind::LBrace) {
            let open = self.pos;
            self.bump();
            SequenceKind::Group(Box::new(self.braced_sequence(open)))
        } else {
            SequenceKind::State(self.expr())
        };
        Sequence { span: self.since(start), kind }
    }

    /// `[*]`, `[+]`, `[*3]` or `[*2..4]`
    fn repetition(&mut self) -> (u32, Option<u32>) {
        let open = self.pos;
        self.bump();
        let bounds = match self.bump().kind {
            TokenKind::Plus => (1, None),
            _ if self.at(TokenKind::Int) => self.bounds(),
            _ => (0, None),
        };
        self.close(open, "");
        bounds
    }

    fn bounds(&mut self) -> (u32, Option<u32>) {
        let start = self.span();
        let least = self.bound();
        let most = if self.eat(TokenKind::DotDot) { self.bound() } else { least };
        if most < least {
            let message = "the upper bound of this repetition is less than the lower one";
            self.error(Diagnostic::error(Code::EmptyRepetition, self.since(start), message));
        }
        (least, Some(most))
    }

    fn bound(&mut self) -> u32 {
        if !self.at(TokenKind::Int) {
            self.unexpected("a number");
            return 0;
        }
        let span = self.span();
        let value = number_value(self.text());
        self.bump();
        // The lexer has already reported a number that is no number.
        u32::try_from(value.unwrap_or(0)).unwrap_or_else(|_| {
            self.error(Diagnostic::error(Code::NumberTooLarge, span, "this bound is too large"));
            u32::MAX
        })
    }
}
