//! From layout commands to text. A group is written on one line if it fits together with what follows it up
//! to the next possible line break; else its lines break, all of them. Looking ahead stops at the width of a
//! line, so rendering is linear.

use super::WIDTH;
use super::layout::Command;
use super::source::Source;

pub(super) fn render(source: &Source<'_>, commands: &[Command]) -> String {
    let mut page = Page {
        source,
        commands,
        out: String::with_capacity(source.text.len()),
        groups: Vec::new(),
        indent: 0,
        pending: Pending::Nothing,
        pending_indent: 0,
        last_broken: false,
        column: 0,
        after_line_comment: false,
    };
    for at in 0..commands.len() {
        page.step(at);
    }
    if !page.out.is_empty() {
        page.out.push('\n');
    }
    page.out
}

/// White space that is due before the next text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pending {
    Nothing,
    /// A space after a comment, except before a sign that closes or separates.
    AfterComment,
    Space,
    Newline,
    Blank,
}

struct Page<'s> {
    source: &'s Source<'s>,
    commands: &'s [Command],
    out: String,
    /// Whether each open group is broken.
    groups: Vec<bool>,
    indent: usize,
    pending: Pending,
    /// The indentation after a line break that is due: that of the place where it was asked for.
    pending_indent: usize,
    /// Whether the group closed last was broken.
    last_broken: bool,
    /// How many characters are on the current line.
    column: usize,
    after_line_comment: bool,
}

impl Page<'_> {
    fn step(&mut self, at: usize) {
        match self.commands[at] {
            Command::Token(token) => {
                self.flush(is_closing(self.source.token_text(token)));
                self.write(self.source.token_text(token));
            }
            Command::IfBroken(text) => {
                if self.broken() {
                    self.flush(true);
                    self.write(text);
                }
            }
            Command::Space => self.due(Pending::Space),
            Command::Line => self.due(if self.broken() { Pending::Newline } else { Pending::Space }),
            Command::SoftLine => self.due(if self.broken() { Pending::Newline } else { Pending::Nothing }),
            Command::Fill => self.fill(at),
            Command::Blank => self.due(Pending::Blank),
            Command::Open { broken } => self.open(at, broken),
            Command::OpenLikeLast { broken } => self.open(at, broken || self.last_broken),
            Command::Close => self.last_broken = self.groups.pop().unwrap_or(false),
            Command::Indent => self.indent += 1,
            Command::Dedent => self.indent -= 1,
            Command::Trailing(comment) => self.trailing(comment),
            Command::Own(comment) => self.own(comment),
        }
    }

    fn open(&mut self, at: usize, broken: bool) {
        let fits = !self.broken() || self.fits(at + 1, 1, false, self.room(Pending::Nothing));
        self.groups.push(broken || !fits);
    }

    fn broken(&self) -> bool {
        self.groups.last().copied().unwrap_or(true)
    }

    fn due(&mut self, pending: Pending) {
        self.pending = self.pending.max(pending);
        if pending >= Pending::Newline {
            self.pending_indent = self.indent;
        }
    }

    /// Writes the white space that is due.
    fn flush(&mut self, closing: bool) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        self.after_line_comment = false;
        if self.out.is_empty() {
            return;
        }
        match pending {
            Pending::Nothing => {}
            Pending::AfterComment if closing => {}
            Pending::AfterComment | Pending::Space => self.write(" "),
            Pending::Newline => self.newline(),
            Pending::Blank => {
                if !self.out.ends_with('{') {
                    self.out.push('\n');
                }
                self.newline();
            }
        }
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.column = 4 * self.pending_indent;
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rfind('\n') {
            Some(last) => self.column = width(&text[last + 1..]) as usize,
            None => self.column += width(text) as usize,
        }
    }

    fn fill(&mut self, at: usize) {
        let fits = !self.broken() || self.fits(at + 1, 0, true, self.room(Pending::Space));
        self.due(if fits { Pending::Space } else { Pending::Newline });
    }

    /// A comment after something on the same line.
    fn trailing(&mut self, comment: usize) {
        if self.after_line_comment || self.out.is_empty() {
            return self.own(comment);
        }
        if !self.out.ends_with(['(', '[']) {
            self.write(" ");
        }
        self.comment(comment);
    }

    /// A comment on a line of its own.
    fn own(&mut self, comment: usize) {
        let blank = self.source.comments[comment].blank;
        self.due(if blank { Pending::Blank } else { Pending::Newline });
        self.flush(false);
        self.comment(comment);
        self.due(Pending::Newline);
    }

    fn comment(&mut self, comment: usize) {
        let remark = &self.source.comments[comment];
        self.write(remark.span.text(self.source.text).trim_end());
        self.after_line_comment = remark.line;
        self.due(if remark.line { Pending::Newline } else { Pending::AfterComment });
    }

    /// How many characters there is room for, once the white space that is due and `more` are written.
    fn room(&self, more: Pending) -> isize {
        let column = match self.pending.max(more) {
            Pending::Newline | Pending::Blank => 4 * self.pending_indent,
            Pending::Nothing => self.column,
            Pending::Space | Pending::AfterComment => self.column + 1,
        };
        WIDTH as isize - column as isize
    }

    /// Whether the commands from `start` fit into `room` characters, up to the next possible line break. The
    /// first `inside` groups to be closed are flat, as are all groups in them; those around them are broken.
    /// With `fill`, groups that start here are flat too.
    fn fits(&self, start: usize, mut inside: usize, fill: bool, mut room: isize) -> bool {
        for command in &self.commands[start..] {
            room -= match *command {
                Command::Token(token) => width(self.source.token_text(token)),
                Command::Line | Command::SoftLine | Command::Fill if inside == 0 => return true,
                Command::Space | Command::Line | Command::Fill => 1,
                Command::IfBroken(text) if inside == 0 => width(text),
                Command::Trailing(comment) => match self.trailing_width(comment) {
                    Some(width) => width,
                    None => return true,
                },
                Command::Own(_) | Command::Blank => return true,
                Command::Open { .. } | Command::OpenLikeLast { .. } if inside > 0 || fill => {
                    inside += 1;
                    0
                }
                Command::Close => {
                    inside = inside.saturating_sub(1);
                    0
                }
                _ => 0,
            };
            if room < 0 {
                return false;
            }
        }
        true
    }

    /// The width of a comment with the space before it, unless the line ends with it.
    fn trailing_width(&self, comment: usize) -> Option<isize> {
        let remark = &self.source.comments[comment];
        let text = remark.span.text(self.source.text);
        (!remark.line && !text.contains('\n')).then(|| width(text) + 1)
    }
}

fn width(text: &str) -> isize {
    text.chars().count() as isize
}

fn is_closing(text: &str) -> bool {
    matches!(text, ")" | "]" | ";" | ",")
}
