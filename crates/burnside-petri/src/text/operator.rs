//! The operators of questions about nets, and the words that are no names.

use super::lexer::TokenKind;
use burnside_logic::operator::{ADD, COMPARE, Infix, MUL, prefix, until};
use burnside_ts::{Compare, Kind};

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Logical(Infix),
    /// With the sides swapped or not.
    Compare(Compare, bool),
    Add,
    Subtract,
    Multiply,
}

impl Operator {
    pub(super) fn level(self) -> u8 {
        match self {
            Operator::Logical(infix) => infix.level(),
            Operator::Compare(..) => COMPARE,
            Operator::Add | Operator::Subtract => ADD,
            Operator::Multiply => MUL,
        }
    }
}

/// The infix operator that a token is.
pub(super) fn operator(kind: TokenKind, text: &str, query: Kind) -> Option<Operator> {
    let symbol = match kind {
        TokenKind::Symbol(symbol) => symbol,
        TokenKind::Word if query == Kind::Ltl => {
            return until(text).map(|op| Operator::Logical(Infix::Until(op)));
        }
        _ => return None,
    };
    Some(match symbol {
        "<->" => Operator::Logical(Infix::Iff),
        "->" => Operator::Logical(Infix::Implies),
        "||" => Operator::Logical(Infix::Or),
        "&&" => Operator::Logical(Infix::And),
        "==" | "=" => Operator::Compare(Compare::Eq, false),
        "!=" => Operator::Compare(Compare::Ne, false),
        "<" => Operator::Compare(Compare::Lt, false),
        "<=" => Operator::Compare(Compare::Le, false),
        ">" => Operator::Compare(Compare::Lt, true),
        ">=" => Operator::Compare(Compare::Le, true),
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        _ => return None,
    })
}

/// What an operator of another language is here.
pub(super) fn meant(text: &str) -> Option<&'static str> {
    Some(match text {
        "&" | "/\\" | "and" => "&&",
        "|" | "\\/" | "or" => "||",
        "=>" | "==>" | "implies" => "->",
        "<=>" | "<==>" | "iff" => "<->",
        "<>" => "!=",
        "~" | "not" => "!",
        _ => return None,
    })
}

/// Whether a word means something, so that a name that is the same must be in quotes.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(word, "true" | "false" | "deadlock" | "fireable" | "enabled")
        || until(word).is_some()
        || prefix(word, "").is_some()
        || meant(word).is_some()
}
