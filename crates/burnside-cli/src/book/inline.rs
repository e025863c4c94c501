//! What stands inside a paragraph: text, code, emphasis, links and pictures.
//!
//! Entry point: [`inlines`]. Code is between backquotes or in `<code>`; emphasis is written with `*`, never
//! with `_`, which is a part of names; a `\` before a sign takes its meaning; `&#124;` and the like stand for
//! letters.

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// As it is.
    Plain(String),
    /// Of a model or a command.
    Verbatim(String),
    /// `*…*`
    Emphasis(Vec<Inline>),
    /// `**…**`
    Strong(Vec<Inline>),
    /// `[…](to)`
    Link(Vec<Inline>, String),
    /// `![…](from)`
    Picture(String, String),
}

/// The parts of a text.
pub fn inlines(text: &str) -> Vec<Inline> {
    let (mut found, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(c) = rest.chars().next() {
        match special(rest, plain.chars().next_back()) {
            Some((inline, length)) => {
                if !plain.is_empty() {
                    found.push(Inline::Plain(std::mem::take(&mut plain)));
                }
                found.push(inline);
                rest = &rest[length..];
            }
            None => {
                let (letter, length) = letter(rest, c);
                plain.push(letter);
                rest = &rest[length..];
            }
        }
    }
    if !plain.is_empty() {
        found.push(Inline::Plain(plain));
    }
    found
}

/// A letter, and how many bytes it takes in the text.
fn letter(rest: &str, c: char) -> (char, usize) {
    match c {
        '\\' => match rest[1..].chars().next().filter(char::is_ascii_punctuation) {
            Some(escaped) => (escaped, 2),
            None => ('\\', 1),
        },
        '&' => entity(rest).unwrap_or(('&', 1)),
        '\n' => (' ', 1),
        c => (c, c.len_utf8()),
    }
}

fn entity(rest: &str) -> Option<(char, usize)> {
    let (name, _) = rest.get(1..)?.split_once(';')?;
    let letter = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        _ => char::from_u32(name.strip_prefix('#')?.parse().ok()?)?,
    };
    Some((letter, name.len() + 2))
}

/// What begins here, if it is more than a letter, with its bytes.
fn special(rest: &str, before: Option<char>) -> Option<(Inline, usize)> {
    if rest.starts_with('`') {
        return code(rest);
    }
    if let Some(inside) = rest.strip_prefix("<code>") {
        let end = inside.find("</code>")?;
        let text: Vec<Inline> = inlines(&inside[..end]);
        let [Inline::Plain(text)] = &text[..] else { return None };
        return Some((Inline::Verbatim(text.clone()), "<code></code>".len() + end));
    }
    if let Some(image) = rest.strip_prefix("![") {
        let (alt, to, length) = bracketed(image)?;
        return Some((Inline::Picture(alt.into(), to.into()), length + 2));
    }
    if let Some(link) = rest.strip_prefix('[') {
        let (text, to, length) = bracketed(link)?;
        return Some((Inline::Link(inlines(text), to.into()), length + 1));
    }
    let is_inside_a_word = before.is_some_and(char::is_alphanumeric);
    if rest.starts_with('*') && !is_inside_a_word {
        return emphasis(rest);
    }
    None
}

/// Code between equal numbers of backquotes.
fn code(rest: &str) -> Option<(Inline, usize)> {
    let fence = rest.len() - rest.trim_start_matches('`').len();
    let (quotes, inside) = rest.split_at(fence);
    let mut from = 0;
    let end = loop {
        let at = from + inside[from..].find(quotes)?;
        let length = inside[at..].len() - inside[at..].trim_start_matches('`').len();
        if length == fence {
            break at;
        }
        from = at + length;
    };
    let text = inside[..end].replace('\n', " ");
    let padded = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
    let text = padded.filter(|text| !text.trim().is_empty()).map_or(text.clone(), String::from);
    Some((Inline::Verbatim(text), end + 2 * fence))
}

/// `text](to)`: both, and the bytes.
fn bracketed(rest: &str) -> Option<(&str, &str, usize)> {
    let (mut depth, mut in_code) = (1, false);
    let end = rest.char_indices().find_map(|(at, c)| {
        match c {
            '`' => in_code = !in_code,
            '[' if !in_code => depth += 1,
            ']' if !in_code => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (to, _) = rest[end + 1..].strip_prefix('(')?.split_once(')')?;
    Some((&rest[..end], to, end + to.len() + 3))
}

/// `*…*` or `**…**`, with no blank right inside.
fn emphasis(rest: &str) -> Option<(Inline, usize)> {
    let stars = if rest.starts_with("**") { "**" } else { "*" };
    let inside = &rest[stars.len()..];
    if inside.starts_with(|c: char| c.is_whitespace() || c == '*') {
        return None;
    }
    let (mut at, mut in_code) = (0, false);
    let end = loop {
        let c = inside[at..].chars().next()?;
        if c == '`' {
            in_code = !in_code;
        }
        let closes = !in_code && inside[at..].starts_with(stars) && at > 0;
        if closes && !inside[..at].ends_with(char::is_whitespace) {
            break at;
        }
        at += c.len_utf8();
    };
    let text = inlines(&inside[..end]);
    let length = end + 2 * stars.len();
    Some((if stars == "*" { Inline::Emphasis(text) } else { Inline::Strong(text) }, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Inline::{Emphasis, Link, Picture, Plain, Strong, Verbatim};

    fn plain(text: &str) -> Inline {
        Plain(text.into())
    }

    #[test]
    fn parts_are_found() {
        assert_eq!(
            inlines("a *b c* **d** `e*`\nf"),
            [
                plain("a "),
                Emphasis(vec![plain("b c")]),
                plain(" "),
                Strong(vec![plain("d")]),
                plain(" "),
                Verbatim("e*".into()),
                plain(" f")
            ]
        );
        assert_eq!(
            inlines("see [`x`](y.md#z), ![a b](c.svg)"),
            [
                plain("see "),
                Link(vec![Verbatim("x".into())], "y.md#z".into()),
                plain(", "),
                Picture("a b".into(), "c.svg".into())
            ]
        );
        assert_eq!(inlines("``a `b` c``"), [Verbatim("a `b` c".into())]);
        assert_eq!(inlines("<code>&#124;&#124;</code>"), [Verbatim("||".into())]);
    }

    #[test]
    fn what_is_no_markup_stays() {
        for text in ["2 * 3 * 4", "snake_case_name", "a [b] c", "x < y", "`open", "a & b", "*", "**", "a*b*c"]
        {
            assert_eq!(inlines(text), [plain(text)], "{text}");
        }
        assert_eq!(inlines("a\\*b \\| c"), [plain("a*b | c")]);
    }
}
