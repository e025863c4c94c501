//! Everything that is shown: texts, colours, documents, graphs, progress.

pub mod actors;
pub mod advice;
pub mod code;
pub mod contest;
pub mod coverage;
pub mod diagnostics;
pub mod dot;
pub mod failure;
pub mod fairness;
pub mod fault;
#[cfg(test)]
mod lasso_tests;
pub mod marks;
#[cfg(test)]
mod nameless_tests;
pub mod progress;
pub mod screen;
pub mod state;
pub mod system;
pub mod terminal;
pub mod tested;
pub mod text;
pub mod trace;
pub mod tree;
pub mod view;
mod wrap;

use crate::args::Color;
use crate::input::{BadModel, Source};
use anstyle::{AnsiColor, Style};
use burnside_lang::diagnostic::{Code, Diagnostic};
pub use burnside_report::numbers::{plural, separated, thousands};
use burnside_ts::visible_lines;
use screen::Screen;
use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write};
use terminal::StandardStream;
use unicode_width::UnicodeWidthStr;

/// How things look on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Whether there are colours.
    pub colored: bool,
    /// Whether only ASCII is safe.
    pub ascii: bool,
    /// How many columns there are, if somebody looks.
    pub width: Option<usize>,
}

impl Paint {
    /// No colours, all signs, lines of any length.
    pub const PLAIN: Self = Self { colored: false, ascii: false, width: None };

    /// As a stream can show it, and as asked for.
    pub fn new(choice: Color, stream: StandardStream) -> Self {
        let wanted =
            || stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colored = match choice {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => wanted() && !terminal::is_dumb(),
        };
        Self { colored, ascii: terminal::is_ascii(), width: stream.width() }
    }

    /// A sign from the table of [`marks`].
    pub fn mark(self, sign: char) -> Cow<'static, str> {
        marks::mark(sign, self.ascii)
    }

    fn paint(self, style: Style, text: &str) -> String {
        match self.colored && !text.is_empty() {
            true => format!("{style}{text}{style:#}"),
            false => text.to_string(),
        }
    }

    /// Something good.
    pub fn good(self, text: &str) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    /// Something bad.
    pub fn bad(self, text: &str) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    /// Something open.
    pub fn open(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Something that matters.
    pub fn strong(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// Something that matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    /// Who does something.
    pub fn actor(self, text: &str) -> String {
        self.paint(AnsiColor::Cyan.on_default(), text)
    }

    /// A new value.
    pub fn value(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }
}

/// The two streams that a command shows things on.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Results.
    pub out: Paint,
    /// Messages.
    pub err: Paint,
}

impl Console {
    /// As asked for.
    pub fn new(color: Color) -> Self {
        Self { out: Paint::new(color, StandardStream::Out), err: Paint::new(color, StandardStream::Err) }
    }

    /// Standard output for people, buffered: whoever writes flushes, so that failures are seen.
    pub fn report(&self) -> Screen<BufWriter<StdoutLock<'static>>> {
        self.page(self.stdout())
    }

    /// The same in front of something that goes to standard output later.
    pub fn page<W: Write>(&self, out: W) -> Screen<W> {
        Screen::new(out, self.out.ascii, self.out.width)
    }

    /// Standard output for programs, likewise: what is written arrives as it is.
    pub fn stdout(&self) -> BufWriter<StdoutLock<'static>> {
        BufWriter::with_capacity(1 << 16, io::stdout().lock())
    }

    /// Prints warnings about a model.
    pub fn warnings(&self, source: &Source, warnings: &[Diagnostic]) {
        message(&diagnostics::render(source, warnings, self.err));
    }

    /// Prints what is wrong with a model.
    pub fn bad_model(&self, bad: &BadModel) {
        message(&diagnostics::render(&bad.source, &bad.diagnostics, self.err));
        for error in &bad.setting_errors {
            let text = format!("--set {}: {}", error.name, error.message);
            error_line(Some(Code::Setting), &text, error.help.as_deref(), self.err);
        }
        let errors = match bad.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() {
            0 => return,
            1 => "an error".to_string(),
            count => format!("{count} errors"),
        };
        self.error(&format!("`{}` cannot be used because of {errors}", bad.source.path), None);
    }

    /// Says where to read more about the first thing that is wrong.
    pub fn more(&self, bad: &[BadModel]) {
        let errors =
            bad.iter().flat_map(|bad| bad.diagnostics.iter()).filter(|diagnostic| diagnostic.is_error());
        let setting = bad.iter().any(|bad| !bad.setting_errors.is_empty()).then_some(Code::Setting);
        if let Some(code) = errors.map(|diagnostic| diagnostic.code).next().or(setting) {
            message(&format!("{}\n", self.err.dim(&format!("for more: burnside explain {code}"))));
        }
    }

    /// Prints that something is wrong, and what to do.
    pub fn error(&self, text: &str, help: Option<&str>) {
        error_line(None, text, help, self.err);
    }

    /// Prints something worth knowing.
    pub fn note(&self, text: &str) {
        message(&screen::fit(&format!("{}: {text}\n", self.err.strong("note")), false, self.err.width));
    }
}

/// Prints that something is wrong, where no console is known.
pub fn bare_error(text: &str) {
    error_line(None, text, None, Paint::new(Color::Never, StandardStream::Err));
}

/// Prints that something is wrong, and what to do.
fn error_line(code: Option<Code>, text: &str, help: Option<&str>, paint: Paint) {
    // Texts may hold what was typed, or stands in a file.
    let text = visible_lines(text, false);
    let code = code.map_or(String::new(), |code| format!("[{code}]"));
    let mut shown = format!("{}: {text}\n", paint.bad(&format!("error{code}")));
    if let Some(help) = help {
        shown.push_str(&format!("  {}: {}\n", paint.strong("help"), visible_lines(help, false)));
    }
    message(&screen::fit(&shown, false, paint.width));
}

/// Says what is wrong with what was typed.
pub fn usage(error: &clap::Error) {
    let plain = error.render().to_string();
    let safe = visible_lines(&plain, false);
    match safe == plain && (plain.is_ascii() || !terminal::is_ascii()) {
        // With colours.
        true => drop(error.print()),
        false => message(&safe),
    }
}

/// Writes to standard error. If that fails there is nobody to tell.
pub fn message(text: &str) {
    let text = screen::fit(text, terminal::is_ascii(), None);
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

/// The text with blanks up to a width.
pub fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(width_of(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The text with blanks before it up to a width.
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(width_of(text))))
}

/// How many columns a text takes.
pub fn width_of(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_when_asked() {
        assert_eq!(Paint::PLAIN.bad("x"), "x");
        assert!(Paint { colored: true, ..Paint::PLAIN }.bad("x").contains("\u{1b}["));
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(pad("\u{6f22}e\u{301}", 5), "\u{6f22}e\u{301}  ");
    }
}
