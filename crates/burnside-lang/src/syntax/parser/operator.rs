//! The infix and prefix operators, and what to say about those of other languages.

use super::{Mode, Parser, hint};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::BinaryOp;
use crate::syntax::token::TokenKind;
use burnside_logic::operator::{IMPLIES, Prefix, UNTIL, UntilOp, prefix, until};

/// An infix operator as found in the text.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    pub(super) op: InfixOp,
    /// What it should have been written as.
    wrong: Option<Wrong>,
    /// How many tokens it has.
    tokens: usize,
}

impl Infix {
    /// An operator of ours.
    fn right(op: InfixOp, tokens: usize) -> Self {
        Self { op, wrong: None, tokens }
    }
}

/// What to say about an operator of another language.
#[derive(Clone, Copy)]
enum Wrong {
    /// What was meant.
    Meant(&'static str),
    /// The whole help.
    Help(&'static str),
}

#[derive(Clone, Copy)]
pub(super) enum InfixOp {
    Binary(BinaryOp),
    Until(UntilOp),
    LeadsTo,
}

impl InfixOp {
    pub(super) fn level(self) -> u8 {
        match self {
            InfixOp::Binary(op) => op.level(),
            InfixOp::Until(_) => UNTIL,
            InfixOp::LeadsTo => IMPLIES,
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
        use Wrong::{Help, Meant};
        let (meant, wrong) = match kind {
            TokenKind::Assign => (TokenKind::Eq, Some(Meant("`==`"))),
            TokenKind::FatArrow | TokenKind::LongImplies => (TokenKind::Implies, Some(Meant("`->`"))),
            TokenKind::LongIff => (TokenKind::Iff, Some(Meant("`<->`"))),
            TokenKind::Diamond => (TokenKind::Ne, Some(Meant("`!=`"))),
            TokenKind::Conjunction => (TokenKind::AndAnd, Some(Meant("`&&`"))),
            TokenKind::Disjunction => (TokenKind::OrOr, Some(Meant("`||`"))),
            TokenKind::Hash | TokenKind::TildeEq => (TokenKind::Ne, Some(Meant("`!=`"))),
            TokenKind::Backslash if self.backslash_word().is_some() => return self.backslash_word(),
            TokenKind::SlashEq => {
                (TokenKind::Ne, Some(Help("\"not equal\" is written `!=`; to divide write `x = x / …`")))
            }
            TokenKind::UnionWord => (TokenKind::Bar, Some(Help("the union of sets is written `|`"))),
            TokenKind::LeadsTo => return Some(self.leads_to()),
            kind => (kind, None),
        };
        Some(Infix { op: InfixOp::Binary(binary(meant)?), wrong, tokens: 1 })
    }

    /// An operator of TLA+ that is written as a word: `\in`.
    fn backslash_word(&self) -> Option<Infix> {
        if self.tokens.get(self.pos + 1)?.span.start != self.span().end {
            return None;
        }
        let (op, right) = match self.text_at(1) {
            "in" => (BinaryOp::In, "`in`"),
            "notin" => (BinaryOp::NotIn, "`not in`"),
            "cup" | "union" => (BinaryOp::Union, "`|`"),
            "cap" | "intersect" => (BinaryOp::Intersection, "`&`"),
            "subseteq" => (BinaryOp::Subset, "`subset`"),
            "land" => (BinaryOp::And, "`&&`"),
            "lor" => (BinaryOp::Or, "`||`"),
            "div" => (BinaryOp::Div, "`/`"),
            "leq" => (BinaryOp::Le, "`<=`"),
            "geq" => (BinaryOp::Ge, "`>=`"),
            _ => return None,
        };
        Some(Infix { op: InfixOp::Binary(op), wrong: Some(Wrong::Meant(right)), tokens: 2 })
    }

    fn leads_to(&self) -> Infix {
        let wrong = match self.mode {
            Mode::Ltl => return Infix::right(InfixOp::LeadsTo, 1),
            Mode::Ctl => "in `ctl` write `AG (p -> AF q)`",
            Mode::Plain => "`p ~> q` is for `ltl` properties; implication is written `->`",
        };
        Infix { op: InfixOp::Binary(BinaryOp::Implies), wrong: Some(Wrong::Help(wrong)), tokens: 1 }
    }

    fn infix_word(&self) -> Option<Infix> {
        if self.mode == Mode::Ltl
            && let Some(op) = until(self.text())
        {
            return Some(Infix::right(InfixOp::Until(op), 1));
        }
        if self.text() == "not" && self.peek_at(1) == TokenKind::In {
            return Some(Infix::right(InfixOp::Binary(BinaryOp::NotIn), 2));
        }
        if self.text() == "is" && self.is_case_ahead() {
            return Some(Infix::right(InfixOp::Binary(BinaryOp::Is), 1));
        }
        let (kind, text) = hint::operator_word(self.text())?;
        if self.peek_at(1) == TokenKind::Assign {
            return None;
        }
        Some(Infix { op: InfixOp::Binary(binary(kind)?), wrong: Some(Wrong::Meant(text)), tokens: 1 })
    }

    /// Whether a case follows, so that `is` is no name.
    fn is_case_ahead(&self) -> bool {
        let next = self.peek_at(1);
        next.is_name() || matches!(next, TokenKind::None | TokenKind::True | TokenKind::False)
    }

    /// Takes the operator, and says so if it is one of another language.
    pub(super) fn take_infix(&mut self, infix: &Infix) {
        if let Some(wrong) = infix.wrong {
            let words: String = (0..infix.tokens).map(|ahead| self.text_at(ahead)).collect();
            let message = format!("`{words}` is not an operator here");
            let help = match wrong {
                Wrong::Meant(right) => format!("did you mean {right}?"),
                Wrong::Help(help) => help.to_owned(),
            };
            self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
        }
        for _ in 0..infix.tokens {
            self.bump();
        }
    }

    /// The temporal operator or path quantifier at the current token, with its number of tokens.
    pub(super) fn temporal(&self) -> Option<(Prefix, usize)> {
        match self.mode {
            // A name behind a name means nothing else: the checker says that it is in the wrong place.
            Mode::Plain => self.is_misplaced_temporal().then(|| prefix(self.text(), "")).flatten(),
            _ => prefix(self.text(), self.text_at(1)),
        }
    }

    fn is_misplaced_temporal(&self) -> bool {
        use TokenKind::{Enabled, Exists, False, Forall, Ident, True};
        let word = self.text_at(1);
        let operator =
            matches!(word, "is" | "not" | "then" | "do" | "of") || hint::operator_word(word).is_some();
        let operand = matches!(self.peek_at(1), Ident | True | False | Forall | Exists | Enabled);
        self.at(Ident) && operand && !operator
    }
}
