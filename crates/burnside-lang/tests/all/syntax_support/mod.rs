//! What the tests of the syntax share: diagnostics as plain text, comparison of trees and of token texts.
#![allow(dead_code)]

use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::syntax::lexer::lex;
use burnside_lang::syntax::token::TokenKind;
use burnside_lang::syntax::{format, parse, sexpr};

/// One line per diagnostic: `code:line:column: message [help] (line:column: note)`.
pub fn plain(source: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| plain_line(source, diagnostic)).collect::<Vec<_>>().join("\n")
}

fn plain_line(source: &str, diagnostic: &Diagnostic) -> String {
    let place = place(source, diagnostic.primary.span.start);
    let mut line = format!("{}:{place}: {}", diagnostic.code, diagnostic.message);
    if let Some(help) = &diagnostic.help {
        line.push_str(&format!(" [{help}]"));
    }
    for note in &diagnostic.secondary {
        line.push_str(&format!(" ({}: {})", self::place(source, note.span.start), note.text));
    }
    line
}

fn place(source: &str, at: u32) -> String {
    let before = &source[..at as usize];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{line}:{column}")
}

/// The errors of a source, as text.
pub fn errors(source: &str) -> String {
    plain(source, &parse(source).diagnostics)
}

/// The tree of a source without errors, as text.
pub fn tree(source: &str) -> String {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{source}\n{}", plain(source, &parsed.diagnostics));
    sexpr(&parsed.file)
}

/// The tokens that carry the meaning: all but commas and semicolons before a closing bracket.
pub fn essence(source: &str) -> Vec<&str> {
    let tokens = lex(source).tokens;
    let closes = |kind| matches!(kind, TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace);
    let mut texts: Vec<&str> = Vec::new();
    for pair in tokens.windows(2) {
        let separates = matches!(pair[0].kind, TokenKind::Comma | TokenKind::Semi);
        if !(separates && closes(pair[1].kind)) {
            texts.push(pair[0].span.text(source));
        }
    }
    texts
}

/// The texts of the comments, without white space at their ends.
pub fn comments(source: &str) -> Vec<&str> {
    lex(source).comments.iter().map(|comment| comment.span.text(source).trim_end()).collect()
}

/// Formats, and checks all that formatting promises.
pub fn formatted(source: &str) -> String {
    let once = format(source).unwrap_or_else(|errors| panic!("{source}\n{}", plain(source, &errors)));
    let twice = format(&once).unwrap_or_else(|errors| panic!("{once}\n{}", plain(&once, &errors)));
    assert_eq!(once, twice, "formatting twice differs from formatting once; the source was\n{source}");
    assert_eq!(tree(source), tree(&once), "the meaning changed; the source was\n{source}");
    assert_eq!(essence(source), essence(&once), "the tokens changed; the source was\n{source}");
    assert_eq!(comments(source), comments(&once), "the comments changed; the source was\n{source}");
    let clean = once.lines().all(|line| line.trim_end() == line) || once.contains("/*");
    assert!(clean, "white space at the end of a line:\n{once}");
    once
}
