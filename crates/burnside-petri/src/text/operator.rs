//! The operators with their levels, which grow with tightness, and the words that are no names. Precedence is that of the language of models.

use super::QueryKind;
use super::lexer::Kind;
use burnside_ts::{Compare, Path};

pub(super) const IFF: u8 = 1;
pub(super) const IMPLIES: u8 = 2;
pub(super) const OR: u8 = 3;
pub(super) const AND: u8 = 4;
pub(super) const UNTIL: u8 = 5;
pub(super) const COMPARE: u8 = 6;
pub(super) const ADD: u8 = 7;
pub(super) const MUL: u8 = 8;
/// What can stand after `!` without parentheses.
pub(super) const PREFIX: u8 = 9;

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Iff,
    Implies,
    Or,
    And,
    Until(Until),
    /// With the sides swapped or not.
    Compare(Compare, bool),
    Add,
    Subtract,
    Multiply,
}

/// `U` and its relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    U,
    R,
    W,
    M,
}

/// What stands before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// `G`, `AG` and the like.
    Unary(Option<Path>, Unary),
    /// `A` or `E` before brackets.
    Brackets(Path),
}

/// Path operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    X,
    F,
    G,
}

impl Infix {
    pub(super) fn level(self) -> u8 {
        match self {
            Infix::Iff => IFF,
            Infix::Implies => IMPLIES,
            Infix::Or => OR,
            Infix::And => AND,
            Infix::Until(_) => UNTIL,
            Infix::Compare(..) => COMPARE,
            Infix::Add | Infix::Subtract => ADD,
            Infix::Multiply => MUL,
        }
    }

    /// The level of its right side.
    pub(super) fn right(self) -> u8 {
        match self {
            Infix::Implies | Infix::Until(_) => self.level(),
            _ => self.level() + 1,
        }
    }
}

/// The infix operator that a token is.
pub(super) fn infix(kind: Kind, text: &str, query: QueryKind) -> Option<Infix> {
    let symbol = match kind {
        Kind::Symbol(symbol) => symbol,
        Kind::Word if query == QueryKind::Ltl => return until(text).map(Infix::Until),
        _ => return None,
    };
    Some(match symbol {
        "<->" => Infix::Iff,
        "->" => Infix::Implies,
        "||" => Infix::Or,
        "&&" => Infix::And,
        "==" | "=" => Infix::Compare(Compare::Eq, false),
        "!=" => Infix::Compare(Compare::Ne, false),
        "<" => Infix::Compare(Compare::Lt, false),
        "<=" => Infix::Compare(Compare::Le, false),
        ">" => Infix::Compare(Compare::Lt, true),
        ">=" => Infix::Compare(Compare::Le, true),
        "+" => Infix::Add,
        "-" => Infix::Subtract,
        "*" => Infix::Multiply,
        _ => return None,
    })
}

/// `U`, `R`, `W`, `M`.
pub(super) fn until(text: &str) -> Option<Until> {
    Some(match text {
        "U" => Until::U,
        "R" => Until::R,
        "W" => Until::W,
        "M" => Until::M,
        _ => return None,
    })
}

/// The path operator or quantifier that a word is.
pub(super) fn prefix(text: &str) -> Option<Prefix> {
    let (path, rest) = match text.as_bytes() {
        [b'A', rest @ ..] => (Some(Path::All), rest),
        [b'E', rest @ ..] => (Some(Path::Some), rest),
        rest => (None, rest),
    };
    let unary = match (rest, path) {
        (b"X", _) => Unary::X,
        (b"F", _) => Unary::F,
        (b"G", _) => Unary::G,
        (b"", Some(path)) => return Some(Prefix::Brackets(path)),
        _ => return None,
    };
    Some(Prefix::Unary(path, unary))
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
        || prefix(word).is_some()
        || meant(word).is_some()
}
