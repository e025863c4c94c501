//! A stream for people: lines that are too long for the terminal are wrapped, and where only ASCII is safe
//! everything else is spelt out.
//!
//! Lines are kept until they are complete, or until somebody flushes, such as a prompt that waits for an
//! answer.

use crate::output::marks::spell;
use crate::output::wrap::wrap;
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes lines to a stream as it can show them.
pub struct Screen<W: Write> {
    out: W,
    ascii: bool,
    width: Option<usize>,
    /// The line that is being written.
    line: Vec<u8>,
}

impl<W: Write> Screen<W> {
    /// In front of a stream.
    pub fn new(out: W, ascii: bool, width: Option<usize>) -> Self {
        Self { out, ascii, width, line: Vec::new() }
    }

    fn show(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let shown = fit(&String::from_utf8_lossy(&line), self.ascii, self.width).into_owned();
        self.out.write_all(shown.as_bytes())
    }
}

/// A text as a stream can show it.
pub fn fit(text: &str, ascii: bool, width: Option<usize>) -> Cow<'_, str> {
    let spelt = if ascii { spell(text) } else { Cow::Borrowed(text) };
    match width {
        None => spelt,
        Some(width) => {
            let lines = spelt.split('\n').map(|line| wrap(line, width));
            Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
        }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.ascii && self.width.is_none() {
            return self.out.write(bytes);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
        self.line.extend_from_slice(&bytes[..end]);
        if self.line.ends_with(b"\n") {
            self.show()?;
        }
        Ok(end)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.show()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_when_they_are_complete() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, true, Some(20));
        for part in ["✓ ", "aaaa bbbb cccc dddd eeee\n", "\nprompt "] {
            screen.write_all(part.as_bytes()).unwrap();
        }
        assert_eq!(String::from_utf8_lossy(screen.out), "+ aaaa bbbb cccc\n  dddd eeee\n\n");
        screen.flush().unwrap();
        assert!(out.ends_with(b"\nprompt "));
    }

    #[test]
    fn a_pipe_gets_everything_as_it_is() {
        let mut out = Vec::new();
        let text = format!("✓ {}\n", "x ".repeat(300));
        Screen::new(&mut out, false, None).write_all(text.as_bytes()).unwrap();
        assert_eq!(out, text.as_bytes());
    }
}
