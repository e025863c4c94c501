//! Types. A `{` never continues a type, and the bounds of a range are expressions without temporal operators.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Name, Type, TypeKind};
use crate::syntax::token::TokenKind;
use burnside_logic::operator::ADD;

/// What to write instead of `union`.
pub(super) const UNION: &str = "types are put together with `type Node = Home | Client;`; what holds other things from case to case is an enum: `enum Msg { ask(from: Client), stop }`";

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Type {
        let outer = self.enter();
        let mode = std::mem::take(&mut self.mode);
        let start = self.span();
        let kind = self.base_type();
        let mut ty = Type { span: self.since(start), kind };
        if self.eat(TokenKind::Question) {
            ty = Type { span: self.since(start), kind: TypeKind::Optional(Box::new(ty)) };
            self.no_second_question();
        }
        self.mode = mode;
        self.leave(outer);
        ty
    }

    fn no_second_question(&mut self) {
        let start = self.span();
        if !self.at(TokenKind::Question) {
            return;
        }
        while self.eat(TokenKind::Question) {}
        let message = "a type cannot be optional twice";
        self.error(
            Diagnostic::error(Code::DoubleOptional, self.since(start), message).help("one `?` is enough"),
        );
    }

    pub(super) fn no_type(&self) -> Type {
        let at = self.span().start;
        Type { span: Span::new(at, at), kind: TypeKind::Error }
    }

    fn base_type(&mut self) -> TypeKind {
        use TokenKind::*;
        match self.peek() {
            Bool => self.type_word(TypeKind::Bool),
            IntWord => self.type_word(TypeKind::Int),
            Array => self.array_type(),
            Set => {
                self.bump();
                TypeKind::Set(Box::new(self.of()))
            }
            Queue => self.sized(TypeKind::Queue),
            Bag => self.sized(TypeKind::Bag),
            Int | LParen | Minus => self.range_or_name(),
            kind if kind.is_name() => self.range_or_name(),
            UnionWord => {
                let message = "there is no type `union`";
                self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(UNION));
                self.bump();
                if let (LBrace, Some(close)) = (self.peek(), self.delimiters.partner(self.pos)) {
                    self.pos = close + 1;
                }
                TypeKind::Error
            }
            kind => {
                self.unexpected("a type");
                if kind == TokenKind::Error || (kind.is_keyword() && self.wants_name()) {
                    self.bump();
                }
                TypeKind::Error
            }
        }
    }

    fn type_word(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    /// `of T`
    fn of(&mut self) -> Type {
        if self.expect(TokenKind::Of) { self.ty() } else { self.no_type() }
    }

    fn array_type(&mut self) -> TypeKind {
        self.bump();
        let Some(open) = self.open(TokenKind::LBracket) else { return TypeKind::Error };
        let mut indices = self.list(TokenKind::RBracket, |parser| parser.ty());
        if indices.is_empty() {
            self.unexpected("the type of the index");
            indices.push(self.no_type());
        }
        self.close(open, "`,` or ");
        let indices = self.few(indices, "indices stand");
        let element = Box::new(self.of());
        indices.iter().for_each(|_| self.wrap());
        TypeKind::Array(indices, element)
    }

    /// `queue[K] of T` and `bag[K] of T`
    fn sized(&mut self, make: fn(Box<Expr>, Box<Type>) -> TypeKind) -> TypeKind {
        let word = self.bump().span.text(self.source);
        if !self.at(TokenKind::LBracket) {
            let message = format!("expected `[`, found {}", self.found());
            let help = format!("say how many values it holds at most: `{word}[4] of …`");
            self.error_here(Diagnostic::error(Code::UnexpectedToken, self.span(), message).help(help));
            return TypeKind::Error;
        }
        let open = self.pos;
        self.bump();
        let size = Box::new(self.expr());
        self.close(open, "");
        make(size, Box::new(self.of()))
    }

    /// The names in `A | B | C`; false if there is something else, which is reported.
    fn united(&mut self, expr: Expr, names: &mut Vec<Name>) -> bool {
        let Expr { span, kind } = expr;
        match kind {
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                let left = self.united(*left, names);
                self.united(*right, names) && left
            }
            ExprKind::Chain(operands, ops) if ops.iter().all(|op| *op == BinaryOp::Union) => {
                operands.into_iter().all(|operand| self.united(operand, names))
            }
            ExprKind::Name(_) | ExprKind::Field(..) if dotted(&kind).is_some() => {
                names.extend(dotted(&kind).map(|text| Name { text, span }));
                true
            }
            ExprKind::Error => false,
            _ => {
                let message = "expected the name of a type";
                let help = "a union has names of types in it: `type Node = Home | Client;`";
                self.error(Diagnostic::error(Code::UnexpectedToken, span, message).help(help));
                false
            }
        }
    }

    /// `lo..hi` or a name: both start like an expression.
    fn range_or_name(&mut self) -> TypeKind {
        let low = self.binary(ADD);
        if self.eat(TokenKind::DotDot) {
            return TypeKind::Range(Box::new(low), Box::new(self.binary(ADD)));
        }
        match low.kind {
            ExprKind::Name(_) | ExprKind::Field(..) if dotted(&low.kind).is_some() => {
                let text = dotted(&low.kind).expect("just seen");
                TypeKind::Name(Name { text, span: low.span })
            }
            ExprKind::Error => TypeKind::Error,
            ExprKind::Binary(BinaryOp::Union, ..) | ExprKind::Chain(..)
                if self.last_error != Some(self.pos) =>
            {
                let mut names = Vec::new();
                match self.united(low, &mut names) {
                    true => TypeKind::Union(names),
                    false => TypeKind::Error,
                }
            }
            _ => {
                self.unexpected("`..` and the upper bound of a range");
                TypeKind::Error
            }
        }
    }
}

/// `lib.T`, or a plain name: the name of something that may come from another file.
pub(super) fn dotted(kind: &ExprKind) -> Option<String> {
    match kind {
        ExprKind::Name(text) => Some(text.clone()),
        ExprKind::Field(base, name) if !name.text.is_empty() => {
            Some(format!("{}.{}", dotted(&base.kind)?, name.text))
        }
        _ => None,
    }
}
