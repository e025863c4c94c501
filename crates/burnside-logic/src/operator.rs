//! The operators of temporal formulas: their names and how tight they bind, the same in every language that
//! has them.
//!
//! [`crate::Climb`] reads by the levels, which grow with tightness; operators of one level group to the left,
//! but for `->` and the temporal ones. Which operators a language has, and what else it writes for them, is
//! its own affair.

use std::fmt;

/// The level of `<->`.
pub const IFF: u8 = 1;
/// The level of `->`.
pub const IMPLIES: u8 = 2;
/// The level of exclusive or.
pub const XOR: u8 = 3;
/// The level of `||`.
pub const OR: u8 = 4;
/// The level of `&&`.
pub const AND: u8 = 5;
/// The level of `U` and its kin.
pub const UNTIL: u8 = 6;
/// What can stand after `X`, `F` and `G` without parentheses.
pub const COMPARE: u8 = 7;
/// The level of `+` and `-`.
pub const ADD: u8 = 8;
/// The level of `*`, `/` and `%`.
pub const MUL: u8 = 9;
/// What can stand after `!` without parentheses.
pub const PREFIX: u8 = 10;

/// The least level on the right side of an operator.
pub(crate) fn right(level: u8) -> u8 {
    if level == IMPLIES || level == UNTIL { level } else { level + 1 }
}

/// Operators between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `p <-> q`
    Iff,
    /// `p -> q`
    Implies,
    /// Exactly one of both.
    Xor,
    /// `p || q`
    Or,
    /// `p && q`
    And,
    /// `p U q` and its kin.
    Until(UntilOp),
}

/// Until and release; weak until and strong release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UntilOp {
    /// `p U q`: the first until the second, which comes.
    U,
    /// `p R q`: the second until and including the first, which need not come.
    R,
    /// `p W q`: the first until the second, which need not come.
    W,
    /// `p M q`: the second until and including the first, which comes.
    M,
}

/// Next, finally, globally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOp {
    /// In the next state.
    X,
    /// Some time.
    F,
    /// At all times.
    G,
}

/// `G`, `AG`, `EG` and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemporalOp {
    /// In branching time, whether it is about some path (`E`) or about all (`A`).
    pub exists: Option<bool>,
    /// Which.
    pub op: PathOp,
}

/// What a formula can start with: an operator, or `A` or `E` before brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `G`, `AG` and the like.
    Temporal(TemporalOp),
    /// `A` or `E` before brackets.
    Brackets {
        /// Whether it is `E`.
        exists: bool,
    },
}

impl Infix {
    /// How tight it binds.
    pub fn level(self) -> u8 {
        match self {
            Infix::Iff => IFF,
            Infix::Implies => IMPLIES,
            Infix::Xor => XOR,
            Infix::Or => OR,
            Infix::And => AND,
            Infix::Until(_) => UNTIL,
        }
    }
}

/// `U`, `R`, `W`, `M`.
pub fn until(text: &str) -> Option<UntilOp> {
    Some(match text {
        "U" => UntilOp::U,
        "R" => UntilOp::R,
        "W" => UntilOp::W,
        "M" => UntilOp::M,
        _ => return None,
    })
}

/// The temporal operator or path quantifier that a token is, or is together with the next one, and of how
/// many tokens.
pub fn prefix(token: &str, next: &str) -> Option<(Prefix, usize)> {
    let (exists, rest) = match token.split_at_checked(1) {
        Some(("A", rest)) => (Some(false), rest),
        Some(("E", rest)) => (Some(true), rest),
        _ => (None, token),
    };
    let (op, length) = match (exists, rest) {
        (_, "X") => (PathOp::X, 1),
        (_, "F") | (None, "<>") => (PathOp::F, 1),
        (_, "G") => (PathOp::G, 1),
        (None, "[") if next == "]" => (PathOp::G, 2),
        (Some(exists), "") => return Some((Prefix::Brackets { exists }, 1)),
        _ => return None,
    };
    Some((Prefix::Temporal(TemporalOp { exists, op }), length))
}

impl Prefix {
    /// What is to be said about it, written so, if a formula of linear or of branching time cannot have it,
    /// and what helps.
    pub fn misplaced(self, text: &str, branching: bool) -> Option<(String, Option<String>)> {
        let linear = match self {
            Prefix::Temporal(TemporalOp { exists: None, op }) => Some(op),
            _ => None,
        };
        match linear {
            Some(op) if branching => {
                let help = format!("write `A{op:?}` or `E{op:?}`");
                Some((format!("`{text}` needs a path quantifier in `ctl`"), Some(help)))
            }
            None if !branching => Some((format!("`{text}` is an operator of `ctl`, not of `ltl`"), None)),
            _ => None,
        }
    }
}

/// What helps if no bracket follows `A` or `E`.
pub fn bracket_help(exists: bool) -> String {
    let letter = if exists { 'E' } else { 'A' };
    format!("write `{letter}[p U q]`, or `{letter}G p`, `{letter}F p`, `{letter}X p` in one word")
}

impl fmt::Display for TemporalOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quantifier = self.exists.map_or("", |exists| if exists { "E" } else { "A" });
        write!(f, "{quantifier}{:?}", self.op)
    }
}
