//! Which bracket closes which, found once before parsing, so that recovery can jump and the parser can tell
//! `[a, b]` from `[i: T => e]` without trying. A closing brace also ends parentheses and square brackets left
//! open inside; a stray `)` or `]` closes nothing.

use crate::syntax::token::{Token, TokenKind};

const NONE: u32 = u32::MAX;

/// The partners of all opening brackets.
pub(super) struct Delimiters {
    partner: Vec<u32>,
    arrow: Vec<bool>,
    semicolon: Vec<bool>,
}

impl Delimiters {
    pub(super) fn new(tokens: &[Token]) -> Self {
        let no = vec![false; tokens.len()];
        let mut found = Self { partner: vec![NONE; tokens.len()], arrow: no.clone(), semicolon: no };
        let mut open: Vec<usize> = Vec::new();
        let mut braces = 0usize;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => {
                    braces += usize::from(token.kind == TokenKind::LBrace);
                    open.push(at);
                }
                TokenKind::FatArrow => {
                    if let Some(&top) = open.last() {
                        found.arrow[top] = true;
                    }
                }
                TokenKind::Semi => {
                    if let Some(&top) = open.last() {
                        found.semicolon[top] = true;
                    }
                }
                TokenKind::RBrace if braces > 0 => {
                    braces -= 1;
                    while let Some(top) = open.pop() {
                        if tokens[top].kind == TokenKind::LBrace {
                            found.partner[top] = at as u32;
                            break;
                        }
                    }
                }
                TokenKind::RParen | TokenKind::RBracket => {
                    if let Some(&top) = open.last()
                        && tokens[top].kind.closer() == Some(token.kind)
                    {
                        open.pop();
                        found.partner[top] = at as u32;
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The closing bracket of the opening one at `open`.
    pub(super) fn partner(&self, open: usize) -> Option<usize> {
        self.partner.get(open).filter(|&&at| at != NONE).map(|&at| at as usize)
    }

    /// Whether there is a `=>` directly inside the brackets opened at `open`.
    pub(super) fn has_arrow(&self, open: usize) -> bool {
        self.arrow.get(open).copied().unwrap_or(false)
    }

    /// Whether there is a `;` directly inside the brackets opened at `open`.
    pub(super) fn has_semicolon(&self, open: usize) -> bool {
        self.semicolon.get(open).copied().unwrap_or(false)
    }
}
