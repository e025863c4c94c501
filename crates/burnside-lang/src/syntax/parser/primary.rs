//! The atoms of expressions: literals, names, calls, brackets of all sorts, quantifiers, `if`.

use super::{Mode, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{BinaryOp, Binder, Domain, Expr, ExprKind, Name, Quantifier};
use crate::syntax::lexer::number_value;
use crate::syntax::token::TokenKind;
use burnside_logic::operator::until;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Expr {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Int => {
                let value = number_value(self.text()).unwrap_or(0);
                self.bump();
                ExprKind::Int(value)
            }
            TokenKind::True => self.word(ExprKind::Bool(true)),
            TokenKind::False => self.word(ExprKind::Bool(false)),
            TokenKind::None => self.word(ExprKind::None),
            TokenKind::LParen => self.parentheses(),
            TokenKind::LBracket => self.array(),
            TokenKind::LBrace if !self.delimiters.has_semicolon(self.pos) => self.set(),
            TokenKind::AtSign => {
                self.bump();
                ExprKind::At(None, self.name("the name of a location"))
            }
            TokenKind::If => self.if_expr(),
            TokenKind::Enabled => self.enabled(),
            TokenKind::Match if self.at_match() => self.match_expr(),
            TokenKind::Ident if self.at_choose() => self.choose(),
            kind => match self.quantifier(kind) {
                Some(quantifier) => self.quantify(quantifier),
                None if self.at_operand_name() => self.named(),
                None => self.no_operand(),
            },
        };
        Expr { span: self.since(start), kind }
    }

    fn word(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    /// Reports what is there instead of an operand, and takes it if it can be nothing else.
    fn no_operand(&mut self) -> ExprKind {
        match self.peek() {
            TokenKind::Any => {
                let message = "`any` cannot be a part of an expression";
                let help = "it stands alone: `x = any;`, `x = any in s;`";
                self.error_here(Diagnostic::error(Code::MisplacedAny, self.span(), message).help(help));
                self.bump();
            }
            kind => {
                self.unexpected("an expression");
                let reserved = kind.is_keyword() && self.wants_name() && !self.on_new_line();
                if reserved || matches!(kind, TokenKind::Str | TokenKind::Error) {
                    self.bump();
                }
            }
        }
        ExprKind::Error
    }

    /// Whether the current token can be a name in an expression. Operators of formulas are none.
    fn at_operand_name(&self) -> bool {
        self.peek().is_name() && !self.at_infix_word(0)
    }

    pub(super) fn at_infix_word(&self, ahead: usize) -> bool {
        self.mode != Mode::Plain && until(self.text_at(ahead)).is_some()
    }

    /// The quantifier at the current token. `count`, `sum`, `min` and `max` are names unless a binder
    /// follows.
    fn quantifier(&self, kind: TokenKind) -> Option<Quantifier> {
        let quantifier = match kind {
            TokenKind::Forall => return Some(Quantifier::Forall),
            TokenKind::Exists => return Some(Quantifier::Exists),
            TokenKind::Count => Quantifier::Count,
            TokenKind::Sum => Quantifier::Sum,
            TokenKind::Min => Quantifier::Min,
            TokenKind::Max => Quantifier::Max,
            _ => return None,
        };
        (self.peek_at(1).is_name() && !self.at_infix_word(1)).then_some(quantifier)
    }

    /// Whether a `choose` starts here: the word is also a name.
    fn at_choose(&self) -> bool {
        use TokenKind::{Backslash, Colon, Comma, In};
        matches!(self.text(), "choose" | "CHOOSE")
            && self.peek_at(1).is_name()
            && matches!(self.peek_at(2), In | Colon | Comma | Backslash)
    }

    /// `choose x in s where e`
    fn choose(&mut self) -> ExprKind {
        let errors = self.errors;
        let word = self.bump().span;
        let help = "write `choose x in s where …`";
        let mut binder = self.binder();
        if let [_, second, ..] = binder.names.as_slice() {
            let message = "`choose` gives one value";
            let help = "choose the others one by one, or a record of all";
            self.error(Diagnostic::error(Code::UnexpectedToken, second.span, message).help(help));
            binder.names.truncate(1);
        }
        if self.at(TokenKind::Colon) {
            if self.errors == errors {
                let message = "expected `where`, found `:`";
                self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
            }
            self.bump();
            self.expr();
        }
        if word.text(self.source) == "CHOOSE" && self.errors == errors {
            let message = "words of the language are written small";
            self.error(Diagnostic::error(Code::WrongOperator, word, message).help(help));
        }
        let filter = self.filter().map(Box::new);
        self.wrap();
        ExprKind::Choose { binder: Box::new(binder), filter }
    }

    fn quantify(&mut self, quantifier: Quantifier) -> ExprKind {
        self.bump();
        let binders = self.binders();
        let filter = self.filter().map(Box::new);
        let body = Box::new(self.block_expr());
        self.wrap_names(&binders);
        ExprKind::Quantify { quantifier, binders, filter, body }
    }

    /// `{ let y = e; … e }`, as the body of functions, branches and quantifiers.
    pub(super) fn block_expr(&mut self) -> Expr {
        let Some(open) = self.open(TokenKind::LBrace) else { return self.no_expr() };
        let body = self.lets();
        if self.at(TokenKind::Semi) {
            let message = "this block ends with a value, not with a statement";
            let help = "remove the `;` after the last expression";
            self.error_here(Diagnostic::error(Code::StraySemicolon, self.span(), message).help(help));
            self.bump();
        }
        self.close(open, "");
        body
    }

    fn lets(&mut self) -> Expr {
        if !self.at(TokenKind::Let) {
            return self.expr();
        }
        let outer = self.enter();
        let errors = self.errors;
        let start = self.bump().span;
        let name = self.bound_name();
        let ty = self.eat(TokenKind::Colon).then(|| self.ty());
        self.assign();
        let value = Box::new(self.expr());
        self.semicolon(errors);
        let body = Box::new(self.lets());
        self.leave(outer);
        Expr { span: self.since(start), kind: ExprKind::Let { name, ty, value, body } }
    }

    /// An expression before a block. Braces right here are the block, unless an operator follows them.
    pub(super) fn condition(&mut self) -> Expr {
        if self.at(TokenKind::LBrace) && !self.set_goes_on() {
            self.unexpected("an expression");
            return self.no_expr();
        }
        self.expr()
    }

    fn set_goes_on(&self) -> bool {
        let next = self.delimiters.partner(self.pos).map_or(self.pos, |partner| partner + 1);
        let kind = |at: usize| self.tokens.get(at).map_or(TokenKind::Eof, |token| token.kind);
        let not_in = kind(next) == TokenKind::Ident
            && kind(next + 1) == TokenKind::In
            && self.tokens[next].span.text(self.source) == "not";
        not_in || kind(next) == TokenKind::Dot || super::operator::is_infix(kind(next))
    }

    fn if_expr(&mut self) -> ExprKind {
        self.bump();
        let condition = Box::new(self.condition());
        let then = Box::new(self.block_expr());
        let otherwise = if !self.eat(TokenKind::Else) {
            let message = "an `if` in an expression needs an `else`";
            self.error_here(Diagnostic::error(Code::MissingElse, self.span(), message));
            self.no_expr()
        } else if self.at(TokenKind::If) {
            self.else_if()
        } else {
            self.block_expr()
        };
        ExprKind::If(condition, then, Box::new(otherwise))
    }

    fn else_if(&mut self) -> Expr {
        let outer = self.enter();
        let start = self.span();
        let kind = self.if_expr();
        self.leave(outer);
        Expr { span: self.since(start), kind }
    }

    fn enabled(&mut self) -> ExprKind {
        self.bump();
        let Some(open) = self.open(TokenKind::LParen) else { return ExprKind::Error };
        // Names of rules and processes are never operators.
        let mode = std::mem::take(&mut self.mode);
        let mut target = self.expr();
        self.mode = mode;
        self.close(open, "");
        use ExprKind::*;
        if !matches!(target.kind, Name(_) | Call(..) | Field(..) | Index(..) | Method(..) | Error) {
            let message = "`enabled` takes a rule or a process";
            let help =
                "for example `enabled(r)`, `enabled(r(a, b))`, `enabled(P[i].r(a))` or `enabled(P[i])`";
            self.error(Diagnostic::error(Code::EnabledTarget, target.span, message).help(help));
            // What it names is not looked for: one mistake, one message.
            target.kind = Error;
        }
        ExprKind::Enabled(Box::new(target))
    }

    fn parentheses(&mut self) -> ExprKind {
        let open = self.pos;
        self.bump();
        let inner = self.expr();
        self.close(open, "");
        ExprKind::Paren(Box::new(inner))
    }

    fn array(&mut self) -> ExprKind {
        let open = self.pos;
        self.bump();
        if !self.delimiters.has_arrow(open) {
            return ExprKind::Array(self.arguments(open));
        }
        let binders = self.binders();
        self.expect(TokenKind::FatArrow);
        let body = Box::new(self.expr());
        self.wrap_names(&binders);
        self.close(open, "");
        ExprKind::ArrayOf { binders, body }
    }

    fn set(&mut self) -> ExprKind {
        let open = self.pos;
        self.bump();
        if self.peek().is_name() && self.peek_at(1) == TokenKind::Colon {
            let binder = self.set_binder();
            return self.set_of(open, binder);
        }
        let mut elements = self.list(TokenKind::RBrace, |parser| parser.expr());
        if self.at(TokenKind::Colon) && elements.len() == 1 {
            return self.set_map(open, elements);
        }
        if self.at(TokenKind::Where)
            && elements.len() == 1
            && let Some(binder) = elements.pop().and_then(into_binder)
        {
            return self.set_of(open, binder);
        }
        self.close(open, "`,` or ");
        ExprKind::Set(elements)
    }

    /// `: x in s where e}` after `{f(x)`
    fn set_map(&mut self, open: usize, value: Vec<Expr>) -> ExprKind {
        self.bump();
        let value = Box::new(value.into_iter().next().unwrap_or_else(|| self.no_expr()));
        let binders = self.binders();
        let filter = self.filter().map(Box::new);
        self.wrap_names(&binders);
        self.close(open, "");
        ExprKind::SetMap { value, binders, filter }
    }

    fn set_binder(&mut self) -> Binder {
        let name = self.bound_name();
        self.bump();
        Binder { names: vec![name], domain: Domain::Type(self.ty()) }
    }

    fn set_of(&mut self, open: usize, binder: Binder) -> ExprKind {
        let filter = if self.expect(TokenKind::Where) { self.expr() } else { self.no_expr() };
        self.close(open, "");
        ExprKind::SetOf { binder: Box::new(binder), filter: Box::new(filter) }
    }

    fn named(&mut self) -> ExprKind {
        let name = self.take_name();
        match self.peek() {
            TokenKind::LParen => self.call(name),
            TokenKind::Hash if matches!(self.peek_at(1), TokenKind::Int | TokenKind::LParen) => {
                self.element(name)
            }
            TokenKind::LBrace if self.peek_at(1).is_name() && self.peek_at(2) == TokenKind::Colon => {
                let message = "records are written with parentheses";
                let help = format!("write `{}({}: …)`", name.text, self.text_at(1));
                self.error_here(Diagnostic::error(Code::RecordBraces, self.span(), message).help(help));
                self.call(name)
            }
            _ => ExprKind::Name(name.text),
        }
    }

    pub(super) fn element(&mut self, name: Name) -> ExprKind {
        self.bump();
        let number = match self.peek() {
            TokenKind::Int => self.element_number(),
            TokenKind::LParen => {
                let open = self.pos;
                self.bump();
                let number = self.expr();
                self.close(open, "");
                number
            }
            _ => {
                self.unexpected("a number or `(`");
                self.no_expr()
            }
        };
        ExprKind::Element(name, Box::new(number))
    }

    fn element_number(&mut self) -> Expr {
        let value = number_value(self.text()).unwrap_or(0);
        Expr { span: self.bump().span, kind: ExprKind::Int(value) }
    }

    /// `(a, b)` or `(x: a, y: b)` after a name; the bracket may be the wrong one, which is already reported.
    pub(super) fn call(&mut self, name: Name) -> ExprKind {
        let (open, named) = (self.pos, self.named_arguments());
        self.bump();
        if !named {
            return ExprKind::Call(name, self.arguments(open));
        }
        let close = self.tokens[open].kind.closer().unwrap_or(TokenKind::Eof);
        let fields = self.list(close, |parser| parser.record_field());
        self.close(open, "`,` or ");
        ExprKind::Record(name, fields)
    }

    /// Whether the bracket here is followed by `x:`.
    pub(super) fn named_arguments(&self) -> bool {
        let first = self.peek_at(1);
        match self.peek_at(2) {
            TokenKind::Colon => first.is_name() || first.is_keyword(),
            TokenKind::Assign => first.is_name(),
            _ => false,
        }
    }

    fn record_field(&mut self) -> (Name, Expr) {
        let name = self.name("the name of a field");
        if self.at(TokenKind::Assign) {
            let message = "a field is given with `:`";
            let help = format!("write `{}: …`; a comparison is written `==`", name.text);
            self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
            self.bump();
        } else {
            self.expect(TokenKind::Colon);
        }
        (name, self.expr())
    }
}

/// `i in s`, parsed as a comparison, as the binder it turns out to be.
fn into_binder(expr: Expr) -> Option<Binder> {
    let ExprKind::Binary(BinaryOp::In, left, right) = expr.kind else { return None };
    let ExprKind::Name(text) = left.kind else { return None };
    let names = vec![Name { text, span: left.span }];
    Some(Binder { names, domain: Domain::Collection(*right) })
}
