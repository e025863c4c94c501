//! The infix and prefix operators with their levels, and what to say about those of other languages. Precedence is
//! as in the language reference; levels grow with tightness.

use super::{Mode, Parser, hint};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{BinaryOp, TemporalOp, UntilOp};
use crate::syntax::token::TokenKind;

pub(super) const IFF: u8 = 1;
pub(super) const IMPLIES: u8 = 2;
pub(super) const OR: u8 = 3;
pub(super) const AND: u8 = 4;
pub(super) const UNTIL: u8 = 5;
pub(super) const COMPARE: u8 = 6;
pub(super) const ADD: u8 = 7;
pub(super) const MUL: u8 = 8;

/// An infix operator as found in the text.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    pub(super) level: u8,
    pub(super) op: InfixOp,
    /// What it should have been written as.
    wrong: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(super) enum InfixOp {
    Binary(BinaryOp),
    Until(UntilOp),
}

impl Infix {
    pub(super) fn right_associative(&self) -> bool {
        self.level == IMPLIES || self.level == UNTIL
    }
}

/// What starts a formula.
#[derive(Clone, Copy)]
pub(super) enum Prefix {
    /// `G`, `AG` and the like.
    Temporal(TemporalOp),
    /// `A` or `E`.
    Path { exists: bool },
}

fn binary(kind: TokenKind) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        TokenKind::Iff => (IFF, BinaryOp::Iff),
        TokenKind::Implies => (IMPLIES, BinaryOp::Implies),
        TokenKind::OrOr => (OR, BinaryOp::Or),
        TokenKind::AndAnd => (AND, BinaryOp::And),
        TokenKind::Eq => (COMPARE, BinaryOp::Eq),
        TokenKind::Ne => (COMPARE, BinaryOp::Ne),
        TokenKind::Lt => (COMPARE, BinaryOp::Lt),
        TokenKind::Le => (COMPARE, BinaryOp::Le),
        TokenKind::Gt => (COMPARE, BinaryOp::Gt),
        TokenKind::Ge => (COMPARE, BinaryOp::Ge),
        TokenKind::In => (COMPARE, BinaryOp::In),
        TokenKind::Subset => (COMPARE, BinaryOp::Subset),
        TokenKind::Plus => (ADD, BinaryOp::Add),
        TokenKind::Minus => (ADD, BinaryOp::Sub),
        TokenKind::Bar => (ADD, BinaryOp::Union),
        TokenKind::Backslash => (ADD, BinaryOp::Difference),
        TokenKind::Star => (MUL, BinaryOp::Mul),
        TokenKind::Slash => (MUL, BinaryOp::Div),
        TokenKind::Percent => (MUL, BinaryOp::Rem),
        TokenKind::Amp => (MUL, BinaryOp::Intersection),
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
        let (level, op) = binary(meant)?;
        Some(Infix { level, op: InfixOp::Binary(op), wrong })
    }

    fn infix_word(&self) -> Option<Infix> {
        if self.mode == Mode::Ltl
            && let Some(op) = until(self.text())
        {
            return Some(Infix { level: UNTIL, op: InfixOp::Until(op), wrong: None });
        }
        let (kind, text) = hint::operator_word(self.text())?;
        if self.peek_at(1) == TokenKind::Assign {
            return None;
        }
        let (level, op) = binary(kind)?;
        Some(Infix { level, op: InfixOp::Binary(op), wrong: Some(text) })
    }

    /// Takes the operator, and says so if it is one of another language.
    pub(super) fn take_infix(&mut self, infix: &Infix) {
        if let Some(right) = infix.wrong {
            let message = format!("`{}` is not an operator here", self.text());
            let help = format!("did you mean {right}?");
            self.error_here(Diagnostic::error("wrong-operator", self.span(), message).help(help));
        }
        self.bump();
    }

    /// The temporal operator or path quantifier at the current token, with its number of tokens.
    pub(super) fn temporal(&self) -> Option<(Prefix, usize)> {
        if self.mode == Mode::Plain {
            return None;
        }
        let op = match self.peek() {
            TokenKind::LBracket if self.peek_at(1) == TokenKind::RBracket => {
                return Some((Prefix::Temporal(TemporalOp::G), 2));
            }
            TokenKind::Diamond => TemporalOp::F,
            TokenKind::Ident => return prefix_word(self.text()).map(|prefix| (prefix, 1)),
            _ => return None,
        };
        Some((Prefix::Temporal(op), 1))
    }

    /// Complains about an operator of the other logic.
    pub(super) fn check_temporal(&mut self, prefix: Prefix) {
        let text = if self.at(TokenKind::LBracket) { "[]" } else { self.text() };
        let linear = matches!(prefix, Prefix::Temporal(TemporalOp::X | TemporalOp::F | TemporalOp::G));
        let diagnostic = match (self.mode, linear) {
            (Mode::Ltl, false) => {
                let message = format!("`{text}` is an operator of `ctl`, not of `ltl`");
                Diagnostic::error("temporal-operator", self.span(), message)
            }
            (Mode::Ctl, true) => {
                let message = format!("`{text}` needs a path quantifier in `ctl`");
                let op = match text {
                    "<>" => "F",
                    "[]" => "G",
                    text => text,
                };
                Diagnostic::error("temporal-operator", self.span(), message)
                    .help(format!("write `A{op}` or `E{op}`"))
            }
            _ => return,
        };
        self.error_here(diagnostic);
    }
}

/// `U`, `R`, `W`, `M`.
pub(super) fn until(text: &str) -> Option<UntilOp> {
    Some(match text {
        "U" => UntilOp::U,
        "R" => UntilOp::R,
        "W" => UntilOp::W,
        "M" => UntilOp::M,
        _ => return None,
    })
}

fn prefix_word(text: &str) -> Option<Prefix> {
    Some(Prefix::Temporal(match text {
        "X" => TemporalOp::X,
        "F" => TemporalOp::F,
        "G" => TemporalOp::G,
        "AX" => TemporalOp::AX,
        "EX" => TemporalOp::EX,
        "AF" => TemporalOp::AF,
        "EF" => TemporalOp::EF,
        "AG" => TemporalOp::AG,
        "EG" => TemporalOp::EG,
        "A" => return Some(Prefix::Path { exists: false }),
        "E" => return Some(Prefix::Path { exists: true }),
        _ => return None,
    }))
}
