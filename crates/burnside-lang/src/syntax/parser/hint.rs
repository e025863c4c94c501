//! What messages say: the description of tokens, and the help for mistakes that have an obvious cure. Nothing
//! here moves the parser.

use super::{Mode, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::TokenKind;
use burnside_logic::operator::{prefix, until};

impl Parser<'_> {
    /// Reports that something else was expected at the current token.
    pub(super) fn unexpected(&mut self, expected: &str) {
        let message = format!("expected {expected}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(Code::UnexpectedToken, self.span(), message);
        if let Some(help) = self.help_here(expected) {
            diagnostic = diagnostic.help(help);
        }
        self.error_here(diagnostic);
    }

    /// The current token in words.
    pub(super) fn found(&self) -> String {
        let text: String = self.text().chars().take(40).collect();
        match self.peek() {
            TokenKind::Ident => format!("the name `{text}`"),
            TokenKind::Int => format!("the number `{text}`"),
            TokenKind::Str => "a string".into(),
            TokenKind::Eof => "the end of the text".into(),
            kind if kind.is_keyword() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn help_here(&self, expected: &str) -> Option<String> {
        let text = self.text();
        let wants_value = expected.contains("expression");
        if self.at_temporal_word() {
            return Some(self.temporal_help(text, wants_value));
        }
        Some(match self.peek() {
            TokenKind::Assign if self.follows_arithmetic() => {
                "there is no such assignment; write `x = x + …`".into()
            }
            TokenKind::Plus if self.follows_arithmetic() => "there is no `++`; write `x = x + 1`".into(),
            TokenKind::Assign if wants_value => "did you mean `==`?".into(),
            TokenKind::ColonAssign => "did you mean `=`?".into(),
            TokenKind::FatArrow | TokenKind::LongImplies => "implication is written `->`".into(),
            TokenKind::LongIff => "equivalence is written `<->`".into(),
            TokenKind::Diamond => "`<>` is an operator of `ltl` only; for \"not equal\" write `!=`".into(),
            TokenKind::Question => {
                "there is no `? :`; write `if c { a } else { b }`, and `x == none` to ask for `none`".into()
            }
            TokenKind::UnionWord => "the union of sets is written `|`".into(),
            TokenKind::LeadsTo => "`p ~> q` is an operator of `ltl` properties".into(),
            TokenKind::Backslash if wants_value => {
                "quantifiers are written `forall x: T { p }` and `exists x in s { p }`".into()
            }
            TokenKind::Str => "strings are only for the messages of `assert`".into(),
            kind if wants_value && kind.is_keyword() && !kind.is_name() && self.wants_name() => {
                format!("`{text}` is a keyword and cannot be a name")
            }
            _ => return None,
        })
    }

    /// Whether this is a name, but for being an operator of formulas.
    pub(super) fn at_temporal_word(&self) -> bool {
        let text = self.text();
        let word = self.mode != Mode::Plain && self.at(TokenKind::Ident);
        word && (until(text).is_some() || prefix(text, "").is_some())
    }

    fn temporal_help(&self, text: &str, wants_value: bool) -> String {
        match (self.mode, text) {
            _ if wants_value => named_like_operator(text),
            (Mode::Ctl, "U" | "R" | "W" | "M") => {
                format!("in `ctl` write `A[p {text} q]` or `E[p {text} q]`")
            }
            _ => named_like_operator(text),
        }
    }

    fn follows_arithmetic(&self) -> bool {
        let before = self.pos.checked_sub(1).map(|at| self.tokens[at].kind);
        matches!(before, Some(TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash))
    }

    /// Whether the token after this keyword fits a name in its place.
    pub(super) fn wants_name(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.peek_at(1),
            Colon
                | Assign
                | ColonAssign
                | LBracket
                | LParen
                | RParen
                | RBracket
                | Comma
                | Semi
                | Dot
                | Eq
                | Ne
                | RBrace
        )
    }
}

fn named_like_operator(text: &str) -> String {
    format!(
        "inside `ltl` and `ctl` the name `{text}` is an operator; an enum constant can be written `Enum.{text}`"
    )
}

/// The operator that a word from another language stands for.
pub(super) fn operator_word(text: &str) -> Option<(TokenKind, &'static str)> {
    Some(match text {
        "and" | "AND" => (TokenKind::AndAnd, "`&&`"),
        "or" | "OR" => (TokenKind::OrOr, "`||`"),
        "implies" => (TokenKind::Implies, "`->`"),
        "iff" => (TokenKind::Iff, "`<->`"),
        "mod" => (TokenKind::Percent, "`%`"),
        "div" => (TokenKind::Slash, "`/`"),
        _ => return None,
    })
}

/// The candidate that is one slip away from `text`.
pub(super) fn near_miss<'c>(text: &str, candidates: &[&'c str]) -> Option<&'c str> {
    candidates.iter().copied().find(|candidate| one_slip(text.as_bytes(), candidate.as_bytes()))
}

/// Whether the words differ by one letter changed, left out or added, or by two neighbours swapped.
fn one_slip(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[same..], &b[same..]);
    match b.len() - a.len() {
        0 => {
            let changed = rest_a.get(1..) == rest_b.get(1..);
            let swapped = rest_a.len() > 1
                && rest_a[0] == rest_b[1]
                && rest_a[1] == rest_b[0]
                && rest_a[2..] == rest_b[2..];
            changed || swapped
        }
        1 => rest_b.get(1..) == Some(rest_a),
        _ => false,
    }
}
