//! A JSON document that is read from its beginning to its end, piece by piece: nothing of it is kept.
//!
//! Entry points: [`Stream::object`] and [`Stream::list`], which hand over one member after the other. Only
//! the structure is read here; texts with escapes, numbers and words are left to `serde_json`. It is stricter
//! than that: a key that stands twice in an object is an error, since two readers could take it for two
//! different things.

use crate::exit::Failure;
use burnside_limits::poll;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::rc::Rc;

/// How much is read at once.
const CHUNK: usize = 1 << 16;
/// Values inside of values are not read any deeper.
const MAX_DEPTH: usize = 100;

/// So many keys that are not known are told.
const MAX_UNKNOWN: usize = 10;

/// Members of an object, or items of a list, as the text that they are.
pub type Raw = Vec<u8>;

/// The document, as far as it has been read.
pub struct Stream<'r> {
    name: String,
    source: Box<dyn Read + 'r>,
    chunk: Box<[u8]>,
    /// The bytes of the chunk that are still to be looked at.
    rest: std::ops::Range<usize>,
    /// The bytes of the text or word at hand.
    token: Vec<u8>,
    line: usize,
    /// The entry of the list of traces that is being read.
    pub entry: Option<usize>,
    unknown: Rc<RefCell<BTreeSet<String>>>,
}

impl<'r> Stream<'r> {
    /// A document with the name of its file.
    pub fn new(name: &str, source: impl Read + 'r) -> Self {
        Self {
            name: name.to_string(),
            source: Box::new(source),
            chunk: vec![0; CHUNK].into(),
            rest: 0..0,
            token: Vec::new(),
            line: 1,
            entry: None,
            unknown: Rc::default(),
        }
    }

    /// A part of this document that was put aside.
    pub fn again<'t>(&self, raw: &'t Raw) -> Stream<'t> {
        let Self { line, entry, .. } = *self;
        Stream { line, entry, unknown: self.unknown.clone(), ..Stream::new(&self.name, &raw[..]) }
    }

    /// The document is not what it should be.
    pub fn wrong(&self, what: impl std::fmt::Display) -> Failure {
        let help = "a trace file is written by `burnside check --trace FILE`";
        let entry = self.entry.map_or(String::new(), |i| format!("entry {} of `traces`: ", i + 1));
        let message = format!("`{}` is not a trace file: {entry}{what}, line {}", self.name, self.line);
        Failure::bad_with_help(message, help)
    }

    /// Reads an object: each key is handed over, and whoever gets it reads the value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.expect(b'{', "an object")?;
        let mut key = String::new();
        for first in std::iter::once(true).chain(std::iter::repeat(false)) {
            if !self.goes_on(b'}', first)? {
                return Ok(());
            }
            key.clear();
            key.push_str(self.text()?);
            self.expect(b':', "a colon")?;
            member(self, &key)?;
        }
        Ok(())
    }

    /// Reads a list: whoever gets the index of an item reads it.
    pub fn list(
        &mut self,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.expect(b'[', "a list")?;
        for index in 0.. {
            if !self.goes_on(b']', index == 0)? {
                return Ok(());
            }
            item(self, index)?;
        }
        Ok(())
    }

    /// Reads a text.
    pub fn text(&mut self) -> Result<&str, Failure> {
        self.expect(b'"', "a text")?;
        self.token.clear();
        if self.collect_to_quote()? {
            return self.escaped();
        }
        match self.token.iter().all(|&byte| byte >= b' ') && std::str::from_utf8(&self.token).is_ok() {
            true => Ok(std::str::from_utf8(&self.token).unwrap_or_default()),
            false => Err(self.wrong("a text is not a text in UTF-8")),
        }
    }

    /// Collects bytes up to the quote that ends a text. Tells whether there are escapes among them.
    fn collect_to_quote(&mut self) -> Result<bool, Failure> {
        let mut escapes = false;
        loop {
            if self.peek()?.is_none() {
                return Err(self.wrong("it ends in a text"));
            }
            let rest = &self.chunk[self.rest.clone()];
            let end = rest.iter().position(|&byte| byte == b'"' || byte == b'\\').unwrap_or(rest.len());
            self.token.extend_from_slice(&rest[..end]);
            let found = rest.get(end).copied();
            self.rest.start += end;
            match found {
                None => {}
                Some(b'"') => {
                    self.rest.start += 1;
                    return Ok(escapes);
                }
                Some(_) => {
                    escapes = true;
                    for _ in 0..2 {
                        let Some(byte) = self.peek()? else { return Err(self.wrong("it ends in a text")) };
                        self.token.push(byte);
                        self.rest.start += 1;
                    }
                }
            }
        }
    }

    fn escaped(&mut self) -> Result<&str, Failure> {
        self.token.insert(0, b'"');
        self.token.push(b'"');
        match serde_json::from_slice::<String>(&self.token) {
            Err(error) => Err(self.wrong(format!("a text cannot be read ({error})"))),
            Ok(text) => {
                self.token = text.into_bytes();
                Ok(std::str::from_utf8(&self.token).unwrap_or_default())
            }
        }
    }

    /// Reads a value that is small.
    pub fn value(&mut self) -> Result<Value, Failure> {
        self.value_within(MAX_DEPTH)
    }

    fn value_within(&mut self, depth: usize) -> Result<Value, Failure> {
        let Some(within) = depth.checked_sub(1) else {
            return Err(self.wrong("values stand too deep in each other"));
        };
        match self.next()? {
            b'{' => {
                let mut members = Map::new();
                self.object(|stream, key| {
                    let value = stream.value_within(within)?;
                    match members.insert(key.to_string(), value) {
                        None => Ok(()),
                        Some(_) => Err(stream.twice(key)),
                    }
                })?;
                Ok(Value::Object(members))
            }
            b'[' => {
                let mut items = Vec::new();
                self.list(|stream, _| {
                    items.push(stream.value_within(within)?);
                    Ok(())
                })?;
                Ok(Value::Array(items))
            }
            b'"' => self.text().map(Value::from),
            _ => self.word(),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Failure> {
        self.token.clear();
        while let Some(byte) =
            self.peek()?.filter(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        {
            self.token.push(byte);
            self.rest.start += 1;
        }
        serde_json::from_slice(&self.token).map_err(|_| self.wrong("a value cannot be read"))
    }

    /// Reads any value without a look into it.
    pub fn skip(&mut self) -> Result<(), Failure> {
        self.pass(&mut |_| {})
    }

    /// Puts a value aside, to be read later.
    pub fn raw(&mut self) -> Result<Raw, Failure> {
        let mut raw = Raw::new();
        self.pass(&mut |bytes| raw.extend_from_slice(bytes))?;
        Ok(raw)
    }

    /// Passes a value, whatever it is, up to where its brackets are closed.
    fn pass(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Failure> {
        poll();
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                b'"' => {
                    self.rest.start += 1;
                    self.token.clear();
                    self.collect_to_quote()?;
                    take(b"\"");
                    take(&self.token);
                    take(b"\"");
                }
                byte @ (b'{' | b'[' | b'}' | b']' | b',' | b':') => {
                    match byte {
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' if depth == 0 => return Err(self.wrong("a value is missing")),
                        b'}' | b']' => depth -= 1,
                        _ if depth == 0 => return Err(self.wrong("a value is missing")),
                        _ => {}
                    }
                    self.rest.start += 1;
                    take(&[byte]);
                }
                _ => {
                    self.word()?;
                    take(&self.token);
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Keeps the value of a key, which must not have had one before.
    pub fn keep<T>(&self, slot: &mut Option<T>, key: &str, value: T) -> Result<(), Failure> {
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(self.twice(key)),
        }
    }

    /// A key stands twice in an object.
    pub fn twice(&self, key: &str) -> Failure {
        self.wrong(format!("`{}` stands twice in an object", crate::exit::visible(key)))
    }

    /// Passes the value of a key that is not known, and remembers the key.
    pub fn unknown(&mut self, key: &str) -> Result<(), Failure> {
        let mut unknown = self.unknown.borrow_mut();
        if unknown.len() < MAX_UNKNOWN {
            unknown.insert(crate::exit::visible(key));
        }
        drop(unknown);
        self.skip()
    }

    /// The keys that are not known, the first of them if they are many.
    pub fn unknown_keys(&self) -> Vec<String> {
        self.unknown.borrow().iter().cloned().collect()
    }

    /// The document has been read: nothing follows.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.blank()?;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.wrong("something follows its end")),
        }
    }

    /// Whether one more member or item follows. Passes what stands before it, or the bracket that closes.
    fn goes_on(&mut self, close: u8, is_first: bool) -> Result<bool, Failure> {
        poll();
        match (self.next()?, is_first) {
            (byte, _) if byte == close => {
                self.rest.start += 1;
                Ok(false)
            }
            (b',', false) => {
                self.rest.start += 1;
                Ok(true)
            }
            (_, true) => Ok(true),
            (_, false) => Err(self.wrong("a comma is missing")),
        }
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), Failure> {
        match self.next()? == byte {
            true => {
                self.rest.start += 1;
                Ok(())
            }
            false => Err(self.wrong(format!("{what} is missing"))),
        }
    }

    /// The next byte that is not blank.
    fn next(&mut self) -> Result<u8, Failure> {
        self.blank()?;
        self.peek()?.ok_or_else(|| self.wrong("it ends too early"))
    }

    fn blank(&mut self) -> Result<(), Failure> {
        while self.peek()?.is_some() {
            let rest = &self.chunk[self.rest.clone()];
            let blank = rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
            self.line += rest[..blank].iter().filter(|&&byte| byte == b'\n').count();
            self.rest.start += blank;
            if !self.rest.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// The next byte, if there is one.
    fn peek(&mut self) -> Result<Option<u8>, Failure> {
        while self.rest.is_empty() {
            match self.source.read(&mut self.chunk) {
                Ok(0) => return Ok(None),
                Ok(count) => self.rest = 0..count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::bad(format!("cannot read `{}`: {error}", self.name))),
            }
        }
        Ok(Some(self.chunk[self.rest.start]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document that comes in small pieces.
    struct Pieces<'t>(&'t [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(text: &[u8], piece: usize) -> Option<Value> {
        let mut stream = Stream::new("it", Pieces(text, piece));
        let value = stream.value().ok()?;
        stream.end().ok().map(|()| value)
    }

    const TEXTS: [&str; 4] = [
        r#" {"a": [1, -2.5e3, true, false, null, [], {}], "b\n\u00e4\ud83d\ude00": "x\"y\\", "": {"c": [[["d"]]]} } "#,
        r#"[{"steps": [{"rule": "up", "changes": {"x": "1"}}], "loop_start": 12}, "ä😀", 0]"#,
        "\"one\"",
        "17",
    ];

    #[test]
    fn reads_what_serde_reads() {
        for text in TEXTS {
            let expected: Value = serde_json::from_str(text).unwrap();
            for piece in 1..9 {
                assert_eq!(read(text.as_bytes(), piece).as_ref(), Some(&expected), "{text}");
                let mut stream = Stream::new("it", Pieces(text.as_bytes(), piece));
                let raw = stream.raw().unwrap_or_else(|_| panic!("{text}"));
                assert_eq!(serde_json::from_slice::<Value>(&raw).unwrap(), expected);
            }
        }
    }

    /// Every single change of a byte, and every beginning, is read or refused just as by `serde_json`.
    #[test]
    fn refuses_what_serde_refuses() {
        for text in TEXTS {
            let changed = (0..text.len()).flat_map(|at| {
                b"{}[],:\"\\ 0a\n\x01\xff".iter().map(move |&byte| {
                    let mut changed = text.as_bytes().to_vec();
                    changed[at] = byte;
                    changed
                })
            });
            let cut = (0..text.len()).map(|at| text.as_bytes()[..at].to_vec());
            for bytes in changed.chain(cut) {
                let expected = serde_json::from_slice::<Value>(&bytes).ok();
                let got = read(&bytes, 3);
                // Two equal keys are refused here only.
                let duplicate =
                    got.is_none() && expected.is_some() && String::from_utf8_lossy(&bytes).contains("\"\"");
                assert!(got == expected || duplicate, "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn keys_stand_once() {
        for text in [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": 1, "\u0061": 2}}]"#] {
            assert_eq!(read(text.as_bytes(), 7), None);
        }
    }
}
