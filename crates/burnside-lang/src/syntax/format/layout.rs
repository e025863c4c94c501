//! Layout commands, and the walker that writes them. It takes the tokens one by one in the order of the text;
//! each comment goes out with the token it stands at.

use super::source::Source;
use crate::syntax::token::TokenKind;

/// One step of the layout.
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    /// The token with this number.
    Token(usize),
    /// A text that is written only if the innermost group is broken.
    IfBroken(&'static str),
    Space,
    /// A space, or a line break if the innermost group is broken.
    Line,
    /// Nothing, or a line break if the innermost group is broken.
    SoftLine,
    /// A space, or in a broken group a line break if what follows up to the next such place does not fit.
    Fill,
    /// A blank line.
    Blank,
    /// Starts a group: it is broken if it must be or if it does not fit on the line.
    Open {
        broken: bool,
    },
    /// Starts a group that is also broken if the group before it was.
    OpenLikeLast {
        broken: bool,
    },
    Close,
    Indent,
    Dedent,
    /// The comment with this number, on the line of what is before it.
    Trailing(usize),
    /// The comment with this number, on a line of its own.
    Own(usize),
}

pub(super) struct Layout<'s> {
    pub(super) source: &'s Source<'s>,
    commands: Vec<Command>,
    /// The next token.
    cursor: usize,
    /// The next comment.
    comment: usize,
}

impl<'s> Layout<'s> {
    pub(super) fn new(source: &'s Source<'s>) -> Self {
        Self { source, commands: Vec::new(), cursor: 0, comment: 0 }
    }

    pub(super) fn finish(mut self) -> Vec<Command> {
        assert!(self.at(TokenKind::Eof), "the layout has left out a part of the text");
        self.comments();
        self.commands
    }

    // Tokens.

    pub(super) fn peek(&self) -> TokenKind {
        self.source.kind(self.cursor)
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    /// Writes the next token, which is surely not the end.
    pub(super) fn token(&mut self) {
        debug_assert!(!self.at(TokenKind::Eof), "the layout has lost step with the tokens");
        self.comments();
        self.commands.push(Command::Token(self.cursor));
        self.cursor += 1;
    }

    pub(super) fn tokens(&mut self, count: usize) {
        for _ in 0..count {
            self.token();
        }
    }

    /// Leaves out the next token if it is of this kind; its comments stay.
    pub(super) fn drop_if(&mut self, kind: TokenKind) {
        if self.at(kind) {
            self.cursor += 1;
        }
    }

    // Comments.

    /// Writes the comments that stand on the line of the last token. Not before commands that have no place.
    fn trailing(&mut self) {
        let end = self.source.comments_before(self.cursor);
        while self.comment < end && !self.source.comments[self.comment].own {
            self.commands.push(Command::Trailing(self.comment));
            self.comment += 1;
        }
    }

    /// Writes all comments before the next token.
    pub(super) fn comments(&mut self) {
        let end = self.source.comments_before(self.cursor);
        while self.comment < end {
            let own = self.source.comments[self.comment].own;
            self.commands.push(if own {
                Command::Own(self.comment)
            } else {
                Command::Trailing(self.comment)
            });
            self.comment += 1;
        }
    }

    /// Whether there are comments before the next token.
    pub(super) fn has_comments(&self) -> bool {
        self.comment < self.source.comments_before(self.cursor)
    }

    // Spaces and breaks.

    pub(super) fn space(&mut self) {
        self.trailing();
        self.commands.push(Command::Space);
    }

    pub(super) fn line(&mut self) {
        self.trailing();
        self.commands.push(Command::Line);
    }

    pub(super) fn soft_line(&mut self) {
        self.trailing();
        self.commands.push(Command::SoftLine);
    }

    pub(super) fn fill(&mut self) {
        self.trailing();
        self.commands.push(Command::Fill);
    }

    /// Writes a text that is there only if the group is broken, before the comments of the last token.
    pub(super) fn if_broken(&mut self, text: &'static str) {
        self.commands.push(Command::IfBroken(text));
    }

    /// Writes things with [`Command::Line`] between them, keeping single blank lines between them.
    pub(super) fn each<T>(&mut self, things: &[T], write: impl FnMut(&mut Self, &T)) {
        self.each_with(things, Self::line, write);
    }

    /// The same with something else between them.
    pub(super) fn each_with<T>(
        &mut self,
        things: &[T],
        between: fn(&mut Self),
        mut write: impl FnMut(&mut Self, &T),
    ) {
        for (at, thing) in things.iter().enumerate() {
            if at > 0 {
                between(self);
            }
            self.blank_and_comments();
            write(self, thing);
        }
    }

    /// Writes the comments before the next token, with the blank lines around them.
    fn blank_and_comments(&mut self) {
        self.comments();
        if self.source.blank_before(self.cursor) {
            self.commands.push(Command::Blank);
        }
    }

    // Groups.

    /// A group that is broken if a comment inside demands it or if it does not fit.
    pub(super) fn group(&mut self, write: impl FnOnce(&mut Self)) {
        self.group_if(false, write);
    }

    /// A group that is broken if `broken` holds, if a comment inside demands it or if it does not fit.
    pub(super) fn group_if(&mut self, broken: bool, write: impl FnOnce(&mut Self)) {
        let (start, first) = (self.open_group(), self.cursor);
        write(self);
        let broken = broken || self.source.forced_between(first, self.last(first));
        self.close_group(start, broken);
    }

    /// A group for the body of a rule or the like: it is also broken if it is not on one line in the text.
    pub(super) fn body_group(&mut self, write: impl FnOnce(&mut Self)) {
        let (start, first) = (self.open_group(), self.cursor);
        write(self);
        let last = self.last(first);
        let broken = self.source.newline_between(first, last) || self.source.forced_between(first, last);
        self.close_group(start, broken);
    }

    /// A body that is broken if the group right before it, its head, was.
    pub(super) fn body_group_like_last(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.commands.len();
        self.body_group(write);
        for command in &mut self.commands[start..] {
            if let Command::Open { broken } = *command {
                *command = Command::OpenLikeLast { broken };
                break;
            }
        }
    }

    fn open_group(&mut self) -> usize {
        // Comments before the first token are outside of the group.
        self.comments();
        self.commands.push(Command::Open { broken: false });
        self.commands.len() - 1
    }

    fn close_group(&mut self, start: usize, broken: bool) {
        self.commands[start] = Command::Open { broken };
        self.commands.push(Command::Close);
    }

    /// The last token written, given that `first` was the next one at some point.
    fn last(&self, first: usize) -> usize {
        self.cursor.saturating_sub(1).max(first)
    }

    pub(super) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.commands.push(Command::Indent);
        write(self);
        self.commands.push(Command::Dedent);
    }

    /// Whether there is a line break right after the next token.
    pub(super) fn newline_after_next(&self) -> bool {
        self.cursor + 1 < self.source.tokens.len()
            && self.source.newline_between(self.cursor, self.cursor + 1)
    }
}
