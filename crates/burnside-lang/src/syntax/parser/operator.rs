//! The infix and prefix operators, and what to say about those of other languages.

use super::{Mode, Parser, hint};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::BinaryOp;
use crate::syntax::token::TokenKind;
use burnside_logic::operator::{Prefix, UNTIL, UntilOp, prefix, until};

/// An infix operator as found in the text.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    pub(super) op: InfixOp,
    /// What it should have been written as.
    wrong: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(super) enum InfixOp {
    Binary(BinaryOp),
    Until(UntilOp),
}

impl InfixOp {
    pub(super) fn level(self) -> u8 {
        match self {
            InfixOp::Binary(op) => op.level(),
            InfixOp::Until(_) => UNTIL,
        }
    }
}

fn binary(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Iff => BinaryOp::Iff,
        TokenKind::Implies => BinaryOp::Implies,
        TokenKind::OrOr => BinaryOp::Or,
        TokenKind::AndAnd => BinaryOp::And,
        TokenKind::Eq => BinaryOp::Eq,
        TokenKind::Ne => BinaryOp::Ne,
        TokenKind::Lt => BinaryOp::Lt,
        TokenKind::Le => BinaryOp::Le,
        TokenKind::Gt => BinaryOp::Gt,
        TokenKind::Ge => BinaryOp::Ge,
        TokenKind::In => BinaryOp::In,
        TokenKind::Subset => BinaryOp::Subset,
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Sub,
        TokenKind::Bar => BinaryOp::Union,
        TokenKind::Backslash => BinaryOp::Difference,
        TokenKind::Star => BinaryOp::Mul,
        TokenKind::Slash => BinaryOp::Div,
        TokenKind::Percent => BinaryOp::Rem,
        TokenKind::Amp => BinaryOp::Intersection,
        _ => return None,
    })
}

/// Whether a token is an infix operator of expressions.
pub(super) fn is_infix(kind: TokenKind) -> bool {
    binary(kind).is_some()
}

impl Parser<'_> {
    /// The infix operator at the current token.
    pub(super) fn infix(&self) -> Option<Infix> {
        let kind = self.peek();
        if kind == TokenKind::Ident {
            return self.infix_word();
        }
        let (meant, wrong) = match kind {
            TokenKind::Assign => (TokenKind::Eq, Some("`==`")),
            TokenKind::FatArrow | TokenKind::LongImplies => (TokenKind::Implies, Some("`->`")),
            TokenKind::LongIff => (TokenKind::Iff, Some("`<->`")),
            TokenKind::Diamond => (TokenKind::Ne, Some("`!=`")),
            kind => (kind, None),
        };
        Some(Infix { op: InfixOp::Binary(binary(meant)?), wrong })
    }

    fn infix_word(&self) -> Option<Infix> {
        if self.mode == Mode::Ltl
            && let Some(op) = until(self.text())
        {
            return Some(Infix { op: InfixOp::Until(op), wrong: None });
        }
        let (kind, text) = hint::operator_word(self.text())?;
        if self.peek_at(1) == TokenKind::Assign {
            return None;
        }
        Some(Infix { op: InfixOp::Binary(binary(kind)?), wrong: Some(text) })
    }

    /// Takes the operator, and says so if it is one of another language.
    pub(super) fn take_infix(&mut self, infix: &Infix) {
        if let Some(right) = infix.wrong {
            let message = format!("`{}` is not an operator here", self.text());
            let help = format!("did you mean {right}?");
            self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
        }
        self.bump();
    }

    /// The temporal operator or path quantifier at the current token, with its number of tokens.
    pub(super) fn temporal(&self) -> Option<(Prefix, usize)> {
        if self.mode == Mode::Plain { None } else { prefix(self.text(), self.text_at(1)) }
    }
}
