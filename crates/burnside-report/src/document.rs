//! JSON documents that are written while they are made, so that long runs of wide states never are in memory
//! as a whole.
//!
//! Entry points: [`Part::write`], which a limit ends by unwinding, and [`Part::write_cut`], where a limit
//! ends only lists that may be [cut](Part::Cut), so that the document is one in any case. It looks as if a
//! [`Value`] were printed with `{:#}`.

use burnside_limits::{Stop, catch, poll};
use burnside_ts::is_hidden;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

/// So many bytes are collected before they are written.
const CHUNK: usize = 1 << 16;

/// A part of a document.
pub enum Part<'a> {
    /// What is small enough to be in memory.
    Value(Value),
    /// A text.
    Text(Cow<'a, str>),
    /// An object of texts.
    Texts(Vec<(Cow<'a, str>, String)>),
    /// An object.
    Object(Vec<(&'static str, Part<'a>)>),
    /// A list, made one by one.
    List(Box<dyn Iterator<Item = Part<'a>> + 'a>),
    /// The same; a limit ends it, with the reason. Each of its items is whole.
    Cut(Box<dyn Iterator<Item = Part<'a>> + 'a>, &'a RefCell<Option<Stop>>),
    /// What is known when everything before it is written.
    Late(Box<dyn FnOnce() -> Value + 'a>),
}

impl<T: Into<Value>> From<T> for Part<'_> {
    fn from(value: T) -> Self {
        Part::Value(value.into())
    }
}

impl<'a> Part<'a> {
    /// A list, made one by one.
    pub fn list(items: impl Iterator<Item = Part<'a>> + 'a) -> Self {
        Part::List(Box::new(items))
    }

    /// A list that a limit may end.
    pub fn cut(items: impl Iterator<Item = Part<'a>> + 'a, reason: &'a RefCell<Option<Stop>>) -> Self {
        Part::Cut(Box::new(items), reason)
    }

    /// What is known when everything before it is written.
    pub fn late(value: impl FnOnce() -> Value + 'a) -> Self {
        Part::Late(Box::new(value))
    }

    /// The whole of it, in memory. A limit ends it by unwinding.
    pub fn value(self) -> Value {
        poll();
        match self {
            Part::Value(value) => value,
            Part::Text(text) => Value::String(text.into_owned()),
            Part::Texts(members) => {
                members.into_iter().map(|(key, value)| (key.into_owned(), value)).collect()
            }
            Part::Object(members) => Value::Object(
                members.into_iter().map(|(key, part)| (key.to_string(), part.value())).collect(),
            ),
            Part::List(items) | Part::Cut(items, _) => items.map(Part::value).collect(),
            Part::Late(value) => value(),
        }
    }

    /// The whole of it, with an end of line.
    pub fn text(self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.write(&mut text)?;
        Ok(text)
    }

    /// Writes it, with an end of line.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        Writer::new(out, true).document(self)
    }

    /// Writes it likewise. A limit ends lists that may be cut and nothing else.
    pub fn write_cut(self, out: &mut dyn Write) -> io::Result<()> {
        Writer::new(out, false).document(self)
    }
}

/// A document that means the same, with an escape of JSON for every hidden character: outside of texts there
/// is none.
pub fn plain(document: &str) -> Cow<'_, str> {
    let hides = |c: char| is_hidden(c) && c != '\n';
    if !document.contains(hides) {
        return Cow::Borrowed(document);
    }
    let mut shown = String::with_capacity(document.len() + 16);
    for c in document.chars() {
        match hides(c) {
            true => {
                let units = &mut [0; 2];
                c.encode_utf16(units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A document that is being written.
struct Writer<'o> {
    out: &'o mut dyn Write,
    /// What is not yet written.
    text: Vec<u8>,
    depth: usize,
    /// Whether limits are looked at.
    polls: bool,
    /// Whether what is written may have to be taken back.
    holds: bool,
}

impl<'o> Writer<'o> {
    fn new(out: &'o mut dyn Write, polls: bool) -> Self {
        Self { out, text: Vec::with_capacity(2 * CHUNK), depth: 0, polls, holds: false }
    }

    fn document(mut self, part: Part<'_>) -> io::Result<()> {
        self.part(part)?;
        self.text.push(b'\n');
        self.flush()
    }

    fn part(&mut self, part: Part<'_>) -> io::Result<()> {
        match part {
            // A text in JSON holds no line breaks.
            Part::Value(value @ (Value::Array(_) | Value::Object(_))) => {
                let line = format!("\n{}", "  ".repeat(self.depth));
                self.text.extend_from_slice(format!("{value:#}").replace('\n', &line).as_bytes());
                Ok(())
            }
            Part::Value(value) => Ok(serde_json::to_writer(&mut self.text, &value)?),
            Part::Text(text) => self.string(&text),
            Part::Texts(members) => self.all(b"{}", members, |writer, (key, value)| {
                writer.key(&key)?;
                writer.string(&value)
            }),
            Part::Object(members) => self.all(b"{}", members, |writer, (key, part)| {
                writer.key(key)?;
                writer.part(part)
            }),
            Part::List(items) => self.all(b"[]", items, Writer::part),
            Part::Cut(items, reason) => self.cut(items, reason),
            Part::Late(value) => self.part(Part::Value(value())),
        }
    }

    /// A list that a limit ends. Nothing of an item is written before it is whole.
    fn cut<'a>(
        &mut self,
        mut items: impl Iterator<Item = Part<'a>>,
        reason: &RefCell<Option<Stop>>,
    ) -> io::Result<()> {
        self.text.push(b'[');
        let (depth, polls, holds) = (self.depth + 1, self.polls, self.holds);
        let mut is_empty = true;
        loop {
            let start = self.text.len();
            (self.depth, self.polls, self.holds) = (depth, true, true);
            let wrote = catch(|| self.item(&mut items, is_empty));
            (self.depth, self.polls, self.holds) = (depth - 1, polls, holds);
            match wrote {
                Ok(wrote) => match wrote? {
                    true => is_empty = false,
                    false => break,
                },
                Err(stop) => {
                    self.text.truncate(start);
                    reason.borrow_mut().get_or_insert(stop);
                    break;
                }
            }
            if self.text.len() >= CHUNK && !holds {
                self.flush()?;
            }
        }
        if !is_empty {
            self.line();
        }
        self.text.push(b']');
        Ok(())
    }

    /// The next item of a list, if there is one.
    fn item<'a>(&mut self, items: &mut dyn Iterator<Item = Part<'a>>, is_first: bool) -> io::Result<bool> {
        let Some(item) = items.next() else { return Ok(false) };
        poll();
        if !is_first {
            self.text.push(b',');
        }
        self.line();
        self.part(item)?;
        Ok(true)
    }

    /// The one loop in which long lists are written.
    fn all<T>(
        &mut self,
        [open, close]: &[u8; 2],
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.text.push(*open);
        self.depth += 1;
        let mut is_empty = true;
        for item in items {
            if self.polls {
                poll();
            }
            if !is_empty {
                self.text.push(b',');
            }
            is_empty = false;
            self.line();
            write(self, item)?;
            if self.text.len() >= CHUNK && !self.holds {
                self.flush()?;
            }
        }
        self.depth -= 1;
        if !is_empty {
            self.line();
        }
        self.text.push(*close);
        Ok(())
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        self.string(key)?;
        self.text.extend_from_slice(b": ");
        Ok(())
    }

    fn string(&mut self, text: &str) -> io::Result<()> {
        Ok(serde_json::to_writer(&mut self.text, text)?)
    }

    /// The beginning of a line.
    fn line(&mut self) {
        self.text.push(b'\n');
        self.text.resize(self.text.len() + 2 * self.depth, b' ');
    }

    fn flush(&mut self) -> io::Result<()> {
        // Texts are written as a whole, so no character is cut in two.
        let text = std::str::from_utf8(&self.text).map_err(io::Error::other)?;
        self.out.write_all(plain(text).as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hidden_characters_are_escapes_that_mean_the_same() {
        let value = json!({"a\u{202e}": "\u{85}\u{e0041}\u{7f}ü", "b": ["\u{200b}"]});
        let mut out = Vec::new();
        Part::Object(vec![("x", Part::Value(value.clone())), ("y", Part::Text("\u{2028}".into()))])
            .write(&mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains(|c: char| is_hidden(c) && c != '\n') && text.contains('ü'), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, json!({"x": value, "y": "\u{2028}"}));
    }

    /// The document of two lists, ended at a look.
    fn cut_after(looks: u64) -> (Value, String) {
        let (interrupt, reason) = (burnside_limits::Interrupt::new(), RefCell::new(None));
        interrupt.raise_after(looks, Stop::Interrupted);
        let item = |n: u64| {
            let nested = Part::list((0..n).map(|m| Part::Texts(vec![("m".into(), m.to_string())])));
            Part::Object(vec![("n", n.into()), ("nested", nested)])
        };
        let parts = Part::Object(vec![
            ("a", Part::cut((0..4).map(item), &reason)),
            ("b", Part::cut((0..2).map(item), &reason)),
            ("whole", Part::late(|| json!(reason.borrow().is_none()))),
        ]);
        let mut out = Vec::new();
        interrupt.enter(|| parts.write_cut(&mut out)).unwrap();
        let text = String::from_utf8(out).unwrap();
        (serde_json::from_str(&text).expect("a document"), text)
    }

    /// Whatever look a limit comes at: whole items, the first so many of them, and it is said.
    #[test]
    fn a_limit_cuts_lists_and_nothing_else() {
        let (all, text) = cut_after(1_000_000);
        assert_eq!((all["whole"].clone(), text), (json!(true), format!("{all:#}\n")));
        assert_eq!(all["a"][3]["nested"][2], json!({"m": "2"}));
        let lengths: Vec<_> = (0..40)
            .map(|looks| {
                let (cut, text) = cut_after(looks);
                assert_eq!(text, format!("{cut:#}\n"));
                let lengths = ["a", "b"].map(|list| {
                    let (cut, all) = (cut[list].as_array().unwrap(), all[list].as_array().unwrap());
                    assert_eq!(cut[..], all[..cut.len()]);
                    cut.len()
                });
                assert_eq!(cut["whole"], json!(lengths == [4, 2]));
                lengths
            })
            .collect();
        assert!(lengths.is_sorted() && lengths[0] == [0, 0] && lengths[39] == [4, 2], "{lengths:?}");
        assert!((0..=4).all(|n| lengths.iter().any(|[a, _]| *a == n)), "{lengths:?}");
    }

    #[test]
    fn looks_like_a_value() {
        let value = json!({"a": [], "b": {}, "t": {"x\"": "y\n", "z": ""}, "u": {}, "v": "w\"", "c": [1, "two\nlines", {"x": null}], "d": {"e": [{"f": [[true]]}]}});
        let items = ["1", "\"two\\nlines\"", "{\"x\": null}"]
            .map(|text| serde_json::from_str::<Value>(text).unwrap());
        let parts = Part::Object(vec![
            ("a", Part::list(std::iter::empty())),
            ("b", Part::Object(vec![])),
            ("t", Part::Texts(vec![("x\"".into(), "y\n".into()), ("z".into(), String::new())])),
            ("u", Part::Texts(vec![])),
            ("v", Part::Text("w\"".into())),
            ("c", Part::list(items.into_iter().map(Part::Value))),
            ("d", Part::Object(vec![("e", Part::list([Part::from(json!({"f": [[true]]}))].into_iter()))])),
        ]);
        let mut out = Vec::new();
        parts.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{value:#}\n"));
    }
}
