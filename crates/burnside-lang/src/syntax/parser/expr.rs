//! Expressions: infix operators, prefix and temporal operators, postfixes.

use super::operator::{Infix, InfixOp};
use super::types::dotted;
use super::{Mode, Parser, hint};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::syntax::token::TokenKind;
use burnside_logic::Climb;
use burnside_logic::operator::{ADD, AND, COMPARE, IFF, MUL, OR, Prefix, bracket_help, until};
use std::convert::Infallible;

/// A chain with this many operators is a list of operands; a shorter one is a tree, as deep as it is long.
const LONG: usize = 64;

/// Mistakes do not stop it.
impl Climb for Parser<'_> {
    type Tree = Expr;
    type Operator = Infix;
    type Stop = Infallible;

    fn operand(&mut self) -> Result<Expr, Infallible> {
        Ok(self.unary())
    }

    fn operator(&self) -> Option<(u8, Infix)> {
        // A missing operand was reported at this token: it is no operator to go on with.
        let infix = self.infix().filter(|_| self.last_error != Some(self.pos))?;
        Some((infix.op.level(), infix))
    }

    fn take(&mut self, infix: Infix, left: &Expr, chain: bool) -> Result<(), Infallible> {
        if chain && infix.op.level() == COMPARE {
            self.check_chain(left);
        }
        self.take_infix(&infix);
        // One more operand does not make a long chain deeper.
        if !chain || !matches!(left.kind, ExprKind::Chain(..)) {
            self.wrap();
        }
        Ok(())
    }

    fn join(&mut self, infix: Infix, left: Expr, right: Expr, chain: bool) -> Result<Expr, Infallible> {
        if matches!(infix.op, InfixOp::Binary(BinaryOp::In)) && self.at(TokenKind::DotDot) {
            self.within_range(&left, &right);
        }
        let span = left.span.to(right.span);
        let kind = match infix.op {
            InfixOp::Binary(op) if chain && is_long(&left) => longer(op, left, right),
            InfixOp::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
            InfixOp::Until(op) => ExprKind::Until(op, Box::new(left), Box::new(right)),
            InfixOp::LeadsTo => ExprKind::LeadsTo(Box::new(left), Box::new(right)),
        };
        Ok(Expr { span, kind })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Infallible>) -> Result<T, Infallible> {
        let outer = self.enter();
        let done = read(self);
        self.leave(outer);
        done
    }
}

impl Parser<'_> {
    /// An expression of any kind.
    pub(super) fn expr(&mut self) -> Expr {
        let expr = self.binary(IFF);
        if self.at(TokenKind::Question) && self.last_error != Some(self.pos) {
            return self.conditional(expr);
        }
        expr
    }

    /// Reports `c ? a : b`, and takes the rest of it.
    fn conditional(&mut self, condition: Expr) -> Expr {
        self.unexpected("an operator");
        self.bump();
        self.binary(IFF);
        if self.eat(TokenKind::Colon) {
            self.binary(IFF);
        }
        Expr { span: self.since(condition.span), kind: ExprKind::Error }
    }

    /// An expression whose infix operators outside brackets are at least as tight as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Expr {
        let Ok(expr) = self.climb(least);
        expr
    }

    /// Reports `x in 0..3`, and takes the rest of it.
    fn within_range(&mut self, left: &Expr, low: &Expr) {
        let (value, low) = (left.span.text(self.source), low.span.text(self.source));
        let message = "`in` takes a set, a queue or a bag, and `..` is for types";
        let help = match value.len() + low.len() > 40 {
            true => "compare with both bounds: `LO <= x && x <= HI`".into(),
            false => format!("write `{low} <= {value} && {value} <= …`"),
        };
        self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
        self.bump();
        self.binary(ADD);
    }

    /// Complains if the left side of a comparison is itself one.
    fn check_chain(&mut self, left: &Expr) {
        let ExprKind::Binary(_, first, right) = &left.kind else { return };
        if matches!(&first.kind, ExprKind::Binary(op, ..) if op.level() == COMPARE) {
            return;
        }
        let help = match &right.kind {
            ExprKind::Binary(BinaryOp::Intersection, ..) => {
                "`&` is the intersection of sets; for \"and\" write `&&`".into()
            }
            ExprKind::Binary(BinaryOp::Union, ..) => "`|` is the union of sets; for \"or\" write `||`".into(),
            _ => chain_help(self.source, left.span, right.span, self.text()),
        };
        let message = "comparisons cannot be chained";
        self.error_here(Diagnostic::error(Code::ChainedComparison, self.span(), message).help(help));
    }

    fn unary(&mut self) -> Expr {
        if let Some((prefix, length)) = self.temporal() {
            return self.formula(prefix, length);
        }
        if matches!(self.peek(), TokenKind::Conjunction | TokenKind::Disjunction) {
            self.bullet();
        }
        if self.at_box() {
            let message = "`[]` is an operator of `ltl` properties";
            let help = "an invariant is true in every state: leave it out";
            self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
            self.bump();
            self.bump();
        }
        let op = match self.peek() {
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Neg,
            kind if kind == TokenKind::Tilde || self.at_word_not() => {
                let message = format!("`{}` is not an operator", self.text());
                let diagnostic =
                    Diagnostic::error(Code::WrongOperator, self.span(), message).help("did you mean `!`?");
                self.error_here(diagnostic);
                UnaryOp::Not
            }
            _ => return self.postfix(),
        };
        let start = self.bump().span;
        let outer = self.enter();
        let operand = self.unary();
        self.leave(outer);
        let span = start.to(operand.span);
        Expr { span, kind: ExprKind::Unary(op, Box::new(operand)) }
    }

    /// Reports the sign at the start of a list of conditions, as TLA+ has them, and takes it.
    fn bullet(&mut self) {
        let right = if self.at(TokenKind::Conjunction) { "`&&`" } else { "`||`" };
        let message = format!("`{}` is not an operator here", self.text());
        let help = format!("write {right} between the conditions, and nothing before the first");
        self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
        self.bump();
    }

    fn at_word_not(&self) -> bool {
        use TokenKind::{False, Ident, True};
        self.at(Ident) && self.text() == "not" && matches!(self.peek_at(1), Ident | True | False)
    }

    /// Whether `[]` is meant as "always": no list is followed by an operand.
    fn at_box(&self) -> bool {
        use TokenKind::{Bang, Ident, In, LBracket, LParen, RBracket};
        let goes_on = self.text_at(2) == "is" || self.text_at(2) == "not" && self.peek_at(3) == In;
        self.mode == Mode::Plain
            && self.at(LBracket)
            && self.peek_at(1) == RBracket
            && matches!(self.peek_at(2), LParen | Ident | Bang)
            && !goes_on
    }

    fn formula(&mut self, prefix: Prefix, length: usize) -> Expr {
        let start = self.span();
        for _ in 0..length {
            self.bump();
        }
        match prefix {
            Prefix::Temporal(op) => {
                let operand = self.binary(COMPARE);
                let span = start.to(operand.span);
                Expr { span, kind: ExprKind::Temporal(op, Box::new(operand)) }
            }
            Prefix::Brackets { exists } => self.path(start, exists),
        }
    }

    /// `[p U q]` after `A` or `E`.
    fn path(&mut self, start: Span, exists: bool) -> Expr {
        if !self.at(TokenKind::LBracket) {
            let message = format!("expected `[`, found {}", self.found());
            let diagnostic = Diagnostic::error(Code::UnexpectedToken, self.span(), message);
            self.error_here(diagnostic.help(bracket_help(exists)));
            return Expr { span: self.since(start), kind: ExprKind::Error };
        }
        let open = self.pos;
        self.bump();
        let outer = self.enter();
        let body = self.path_body();
        self.leave(outer);
        self.close(open, "");
        Expr { span: self.since(start), kind: ExprKind::Path { exists, body: Box::new(body) } }
    }

    fn path_body(&mut self) -> Expr {
        // In `ltl` the `U` would be taken as an operator of the left side; the error is already reported
        // there.
        let mode = std::mem::replace(&mut self.mode, Mode::Ctl);
        let left = self.expr();
        let body = match until(self.text()) {
            Some(op) => {
                self.bump();
                let right = self.expr();
                let span = left.span.to(right.span);
                Expr { span, kind: ExprKind::Until(op, Box::new(left), Box::new(right)) }
            }
            None => {
                self.unexpected("`U`, `R`, `W` or `M`");
                left
            }
        };
        self.mode = mode;
        body
    }

    pub(super) fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        loop {
            let start = expr.span;
            let base = match self.peek() {
                TokenKind::Dot | TokenKind::Bang | TokenKind::AtSign | TokenKind::Prime => expr,
                TokenKind::LBracket if !self.at_repetition() => expr,
                TokenKind::Hash
                    if matches!(self.peek_at(1), TokenKind::Int | TokenKind::LParen)
                        && matches!(expr.kind, ExprKind::Field(..)) =>
                {
                    expr
                }
                _ => return expr,
            };
            self.wrap();
            let kind = self.postfix_step(base);
            expr = Expr { span: self.since(start), kind };
        }
    }

    /// Whether this `[` starts the repetition of a sequence: no index starts with `*` or `+`.
    pub(super) fn at_repetition(&self) -> bool {
        self.at(TokenKind::LBracket) && matches!(self.peek_at(1), TokenKind::Star | TokenKind::Plus)
    }

    fn postfix_step(&mut self, base: Expr) -> ExprKind {
        if self.at(TokenKind::Hash)
            && let Some(text) = dotted(&base.kind)
        {
            return self.element(Name { text, span: base.span });
        }
        let base = Box::new(base);
        let at = self.pos;
        match self.bump().kind {
            TokenKind::Bang => ExprKind::Unwrap(base),
            TokenKind::Prime => self.next_value(base, at),
            TokenKind::AtSign => ExprKind::At(Some(base), self.name("the name of a location")),
            TokenKind::LBracket => {
                let indices = self.list(TokenKind::RBracket, |parser| parser.expr());
                if self.at(TokenKind::DotDot)
                    && let [_] = indices.as_slice()
                {
                    return self.slice(base, indices, at);
                }
                self.close(at, "`,` or ");
                if indices.is_empty() {
                    let span = self.since(self.tokens[at].span);
                    self.error(Diagnostic::error(
                        Code::MissingIndex,
                        span,
                        "there is no index in these brackets",
                    ));
                }
                ExprKind::Index(base, indices)
            }
            _ => self.member_access(base),
        }
    }

    /// `x'`, whose sign is taken. Elsewhere than in `ltl` it is reported, and otherwise as if it were not
    /// there.
    fn next_value(&mut self, base: Box<Expr>, at: usize) -> ExprKind {
        while self.at(TokenKind::Prime) {
            self.bump();
        }
        let span = self.since(self.tokens[at].span);
        let twice = span.end > self.tokens[at].span.end;
        let (message, help) = match self.mode {
            Mode::Ltl if !twice => return ExprKind::Next(base),
            Mode::Ltl => {
                ("there is only one next state", "write `X` before a formula about what comes later")
            }
            Mode::Ctl => (
                "a value after a step is for `ltl` properties",
                "in `ctl` a state has several next states: write `AX` or `EX` before a condition",
            ),
            Mode::Plain => (
                "a value after a step is for `ltl` properties",
                "a rule assigns: `x = x + 1;` gives the next value, and what is not assigned stays as it is; \
                 what must be true of all steps is said by `ltl p = G (x' >= x);`",
            ),
        };
        self.error(Diagnostic::error(Code::MisplacedPrime, span, message).help(help));
        base.kind
    }

    /// `..b]` after `q[a`
    fn slice(&mut self, base: Box<Expr>, from: Vec<Expr>, open: usize) -> ExprKind {
        self.bump();
        let to = self.expr();
        self.close(open, "");
        let from = from.into_iter().next().unwrap_or_else(|| self.no_expr());
        ExprKind::Slice(base, Box::new(from), Box::new(to))
    }

    fn member_access(&mut self, base: Box<Expr>) -> ExprKind {
        if self.at(TokenKind::Int) {
            let help = "fields have names; indices are written `x[0]`, and there are no fractions";
            let message = format!("expected the name of a field or method, found {}", self.found());
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            self.bump();
            return ExprKind::Error;
        }
        let name = self.name("the name of a field or method");
        if !self.at(TokenKind::LParen) {
            return ExprKind::Field(base, name);
        }
        if self.named_arguments()
            && let Some(of) = dotted(&base.kind)
        {
            return self.call(Name { text: format!("{of}.{}", name.text), span: name.span });
        }
        let open = self.pos;
        self.bump();
        ExprKind::Method(base, name, self.arguments(open))
    }

    /// Expressions up to the bracket that closes the one at `open`, which is already taken.
    pub(super) fn arguments(&mut self, open: usize) -> Vec<Expr> {
        let close = self.tokens[open].kind.closer().unwrap_or(TokenKind::Eof);
        let arguments = self.list(close, |parser| parser.expr());
        self.close(open, "`,` or ");
        arguments
    }
}

/// Whether an expression is a chain of so many operands that one more is put beside them.
fn is_long(expr: &Expr) -> bool {
    let mut links = 0;
    let mut rest = expr;
    let level = match &expr.kind {
        ExprKind::Chain(..) => return true,
        ExprKind::Binary(op, ..) => op.level(),
        _ => return false,
    };
    while let ExprKind::Binary(op, left, _) = &rest.kind
        && op.level() == level
    {
        links += 1;
        rest = left;
    }
    links >= LONG && matches!(level, IFF | OR | AND | ADD | MUL)
}

/// A long chain with one more operand.
fn longer(op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    let (mut operands, mut ops) = match left.kind {
        ExprKind::Chain(operands, ops) => (operands, ops),
        _ => spread(left, op.level()),
    };
    operands.push(right);
    ops.push(op);
    ExprKind::Chain(operands, ops)
}

/// The operands of a chain of one level, and what is between them.
fn spread(mut expr: Expr, level: u8) -> (Vec<Expr>, Vec<BinaryOp>) {
    let (mut operands, mut ops) = (Vec::new(), Vec::new());
    loop {
        match expr.kind {
            ExprKind::Binary(op, left, right) if op.level() == level => {
                operands.push(*right);
                ops.push(op);
                expr = *left;
            }
            _ => break,
        }
    }
    operands.push(expr);
    operands.reverse();
    ops.reverse();
    (operands, ops)
}

fn chain_help(source: &str, left: Span, middle: Span, op: &str) -> String {
    let (left, middle) = (left.text(source), middle.text(source));
    if left.len() + middle.len() > 60 || hint::operator_word(op).is_some() {
        return "join two comparisons with `&&`, or use parentheses".into();
    }
    format!("write `{left} && {middle} {op} …`, or use parentheses")
}
