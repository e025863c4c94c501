//! JSON documents that are written while they are made, so that long runs of wide states never are in memory as a whole.
//!
//! Entry point: [`Part::write`]. It looks as if a [`Value`] were printed with `{:#}`.

use serde_json::Value;
use std::io::{self, Write};

/// A part of a document.
pub enum Part<'a> {
    /// What is small enough to be in memory.
    Value(Value),
    /// An object of texts.
    Texts(Vec<(&'a str, String)>),
    /// An object.
    Object(Vec<(&'static str, Part<'a>)>),
    /// A list, made one by one.
    List(Box<dyn Iterator<Item = Part<'a>> + 'a>),
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

    /// Writes it, with an end of line.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        self.write_at(out, 0)?;
        writeln!(out)
    }

    fn write_at(self, out: &mut dyn Write, depth: usize) -> io::Result<()> {
        match self {
            // A text in JSON holds no line breaks.
            Part::Value(value) => match depth {
                0 => write!(out, "{value:#}"),
                _ => out.write_all(format!("{value:#}").replace('\n', &line(depth)).as_bytes()),
            },
            Part::Texts(members) => write_texts(out, depth, &members),
            Part::Object(members) => {
                let members = members.into_iter().map(|(key, part)| (Some(key), part));
                write_all(out, depth, ["{", "}"], members)
            }
            Part::List(items) => write_all(out, depth, ["[", "]"], items.map(|part| (None, part))),
        }
    }
}

fn write_all<'a>(
    out: &mut dyn Write,
    depth: usize,
    [open, close]: [&str; 2],
    parts: impl Iterator<Item = (Option<&'static str>, Part<'a>)>,
) -> io::Result<()> {
    let inner = line(depth + 1);
    out.write_all(open.as_bytes())?;
    let mut is_empty = true;
    for (key, part) in parts {
        let comma = if is_empty { "" } else { "," };
        write!(out, "{comma}{inner}")?;
        if let Some(key) = key {
            write!(out, "{}: ", Value::from(key))?;
        }
        part.write_at(out, depth + 1)?;
        is_empty = false;
    }
    if !is_empty {
        out.write_all(line(depth).as_bytes())?;
    }
    out.write_all(close.as_bytes())
}

/// The many cells of many states: as fast as it gets.
fn write_texts(out: &mut dyn Write, depth: usize, members: &[(&str, String)]) -> io::Result<()> {
    let inner = line(depth + 1);
    let mut text = Vec::with_capacity(64 * members.len() + 64);
    text.push(b'{');
    for (i, (key, value)) in members.iter().enumerate() {
        if i > 0 {
            text.push(b',');
        }
        text.extend_from_slice(inner.as_bytes());
        serde_json::to_writer(&mut text, key)?;
        text.extend_from_slice(b": ");
        serde_json::to_writer(&mut text, value)?;
    }
    if !members.is_empty() {
        text.extend_from_slice(line(depth).as_bytes());
    }
    text.push(b'}');
    out.write_all(&text)
}

/// The beginning of a line.
fn line(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn looks_like_a_value() {
        let value = json!({"a": [], "b": {}, "t": {"x\"": "y\n", "z": ""}, "u": {}, "c": [1, "two\nlines", {"x": null}], "d": {"e": [{"f": [[true]]}]}});
        let items = ["1", "\"two\\nlines\"", "{\"x\": null}"]
            .map(|text| serde_json::from_str::<Value>(text).unwrap());
        let parts = Part::Object(vec![
            ("a", Part::list(std::iter::empty())),
            ("b", Part::Object(vec![])),
            ("t", Part::Texts(vec![("x\"", "y\n".into()), ("z", String::new())])),
            ("u", Part::Texts(vec![])),
            ("c", Part::list(items.into_iter().map(Part::Value))),
            ("d", Part::Object(vec![("e", Part::list([Part::from(json!({"f": [[true]]}))].into_iter()))])),
        ]);
        let mut out = Vec::new();
        parts.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{value:#}\n"));
    }
}
