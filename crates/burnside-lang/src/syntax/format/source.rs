//! What surrounds each token: the comments before it, and line breaks. All questions about ranges of tokens
//! are answered from sums, so that formatting stays linear.

use crate::diagnostic::Span;
use crate::syntax::lexer::Comment;
use crate::syntax::token::{Token, TokenKind};

/// A text with its tokens and comments.
pub(super) struct Source<'s> {
    pub(super) text: &'s str,
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Remark>,
    gaps: Vec<Gap>,
}

/// A comment and how it stands.
pub(super) struct Remark {
    pub(super) span: Span,
    /// `// …`
    pub(super) line: bool,
    /// On a line of its own, as against after a token.
    pub(super) own: bool,
    /// After a blank line.
    pub(super) blank: bool,
}

/// What is between a token and the one before it.
#[derive(Clone, Copy, Default)]
struct Gap {
    /// The number of comments before the token, from the start of the text.
    comments: usize,
    /// A blank line right before the token.
    blank: bool,
    /// How many gaps up to this one contain a line break.
    newlines: usize,
    /// How many gaps up to this one contain a comment that needs a line break after it.
    forced: usize,
}

impl<'s> Source<'s> {
    pub(super) fn new(text: &'s str, tokens: Vec<Token>, comments: Vec<Comment>) -> Self {
        let mut source = Self { text, tokens, comments: Vec::new(), gaps: Vec::new() };
        let mut rest = comments.into_iter().peekable();
        let mut end = 0;
        let mut sums = Gap::default();
        for at in 0..source.tokens.len() {
            let token = source.tokens[at].span;
            let (mut newline, mut forced) = (false, false);
            while let Some(comment) =
                rest.next_if(|comment| comment.span.start < token.start || token.start == token.end)
            {
                let breaks = line_breaks(text, end, comment.span.start);
                let own = breaks > 0 || end == 0;
                let several_lines = comment.span.text(text).contains('\n');
                newline |= breaks > 0 || several_lines;
                forced |= own || comment.line || several_lines;
                let remark = Remark { span: comment.span, line: comment.line, own, blank: breaks > 1 };
                source.comments.push(remark);
                end = comment.span.end;
            }
            let breaks = line_breaks(text, end, token.start);
            newline |= breaks > 0;
            sums.comments = source.comments.len();
            sums.blank = breaks > 1;
            sums.newlines += usize::from(newline);
            sums.forced += usize::from(forced);
            source.gaps.push(sums);
            end = token.end;
        }
        source
    }

    pub(super) fn kind(&self, token: usize) -> TokenKind {
        self.tokens.get(token).map_or(TokenKind::Eof, |token| token.kind)
    }

    pub(super) fn token_text(&self, token: usize) -> &'s str {
        self.tokens[token].span.text(self.text)
    }

    /// The number of comments before a token.
    pub(super) fn comments_before(&self, token: usize) -> usize {
        self.gaps[token].comments
    }

    /// Whether there is a blank line right before a token.
    pub(super) fn blank_before(&self, token: usize) -> bool {
        self.gaps[token].blank
    }

    /// Whether there is a line break somewhere between two tokens.
    pub(super) fn newline_between(&self, first: usize, last: usize) -> bool {
        self.gaps[last].newlines > self.gaps[first].newlines
    }

    /// Whether there is a comment between two tokens that forces a line break.
    pub(super) fn forced_between(&self, first: usize, last: usize) -> bool {
        self.gaps[last].forced > self.gaps[first].forced
    }
}

fn line_breaks(text: &str, start: u32, end: u32) -> usize {
    Span::new(start, end).text(text).bytes().filter(|&byte| byte == b'\n').count()
}
