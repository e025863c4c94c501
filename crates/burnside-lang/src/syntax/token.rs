//! The kinds of tokens, as data for the lexer, and how messages call them.
//!
//! Keywords are tokens of their own; the words that are operators only in formulas (`X`, `U`, `AG`, …) are
//! plain names here, and the parser knows better.

use crate::diagnostic::Span;
use logos::Logos;

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// Declares the tokens once: the pattern for the lexer and the text for messages.
macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The kinds of tokens.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\x0c]+")]
        pub enum TokenKind {
            $(
                $(#[$doc])*
                #[doc = concat!("`", $text, "`")]
                #[token($text)]
                $name,
            )*
            /// A name that is no keyword.
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Ident,
            /// A number; the lexer has checked that it fits.
            #[regex("[0-9][A-Za-z0-9_]*")]
            Int,
            /// A string; the token includes the quotes.
            #[token("\"")]
            Str,
            /// `//`, never in the token list.
            #[token("//")]
            LineComment,
            /// `/*`, never in the token list.
            #[token("/*")]
            BlockComment,
            /// Characters that are no token; already reported.
            Error,
            /// The end of the text.
            Eof,
        }

        impl TokenKind {
            /// The fixed text of keywords and signs.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    $(TokenKind::$name => Some($text),)*
                    _ => None,
                }
            }
        }

        /// The fixed texts of all keywords and signs.
        pub const TEXTS: &[&str] = &[$($text),*];
    };
}

tokens! {
    Const = "const", TypeWord = "type", Symmetric = "symmetric", Ring = "ring", Enum = "enum", Record = "record",
    Var = "var", Process = "process", Fair = "fair", Strong = "strong", Rule = "rule", At = "at", When = "when",
    Init = "init", Fn = "fn", Proc = "proc", Inout = "inout", Let = "let", If = "if", Else = "else", Match = "match", For = "for", In = "in", Where = "where",
    Any = "any", Assert = "assert", Assume = "assume", Goto = "goto", Locations = "locations", Forall = "forall",
    Exists = "exists", Count = "count", Sum = "sum", Min = "min", Max = "max", True = "true", False = "false",
    None = "none", Bool = "bool", IntWord = "int", Array = "array", Set = "set", Queue = "queue", Bag = "bag",
    Of = "of", Invariant = "invariant", Reachable = "reachable", Deadlock = "deadlock", Free = "free",
    Allowed = "allowed", Ltl = "ltl", Ctl = "ctl", Never = "never", Enabled = "enabled", UnionWord = "union",
    Subset = "subset", Symmetry = "symmetry", Hint = "hint", Constraint = "constraint", Check = "check", Expect = "expect",
    LParen = "(", RParen = ")", LBracket = "[", RBracket = "]", LBrace = "{", RBrace = "}",
    Comma = ",", Semi = ";", Colon = ":", Dot = ".", DotDot = "..", Question = "?", Hash = "#", AtSign = "@",
    Assign = "=", FatArrow = "=>",
    Iff = "<->", Implies = "->", OrOr = "||", AndAnd = "&&",
    Eq = "==", Ne = "!=", Lt = "<", Le = "<=", Gt = ">", Ge = ">=",
    Plus = "+", Minus = "-", Bar = "|", Backslash = "\\", Star = "*", Slash = "/", Percent = "%", Amp = "&",
    Bang = "!", Diamond = "<>",
    /// Not in the language; known so that the message can say what is.
    ColonAssign = ":=",
    /// Not in the language either.
    LongImplies = "==>",
    /// Not in the language either.
    LongIff = "<=>",
    /// Not in the language either.
    Conjunction = "/\\",
    /// Not in the language either.
    Disjunction = "\\/",
    /// Not in the language either.
    SlashEq = "/=",
    /// "Leads to", in `ltl` only.
    LeadsTo = "~>",
}

impl TokenKind {
    /// Whether this is a word of the language, reserved or not.
    pub fn is_keyword(self) -> bool {
        self.text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
    }

    /// Whether this may be a name: a name proper, or one of the words that are only special in their place.
    pub fn is_name(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Ident
                | Count
                | Sum
                | Min
                | Max
                | Free
                | Allowed
                | Hint
                | Constraint
                | Check
                | Expect
                | Proc
                | Inout
                | Match
        )
    }

    /// The closing sign that belongs to an opening one.
    pub fn closer(self) -> Option<TokenKind> {
        match self {
            TokenKind::LParen => Some(TokenKind::RParen),
            TokenKind::LBracket => Some(TokenKind::RBracket),
            TokenKind::LBrace => Some(TokenKind::RBrace),
            _ => None,
        }
    }

    /// The kind with quotes, for "expected …".
    pub fn quoted(self) -> String {
        match self {
            TokenKind::Ident => "a name".into(),
            TokenKind::Int => "a number".into(),
            TokenKind::Str => "a string".into(),
            TokenKind::Eof => "the end of the file".into(),
            other => format!("`{}`", other.text().unwrap_or("?")),
        }
    }
}
