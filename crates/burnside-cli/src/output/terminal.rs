//! What the terminal and the locale can show: colours, signs, and how many columns.
//!
//! The charset is that of the locale, by the usual precedence: `LC_ALL`, `LC_CTYPE`, `LANG`, the first that
//! is set and not empty. If none is, it is taken to be UTF-8: containers, services and Windows set none, and
//! what reads a pipe today reads UTF-8. A `TERM` of `dumb` gets neither colours nor cursor movements nor
//! signs that are not ASCII.

use std::io::{self, IsTerminal};

/// The standard streams that something is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardStream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl StandardStream {
    /// Whether a person looks at it.
    pub fn is_terminal(self) -> bool {
        match self {
            StandardStream::Out => io::stdout().is_terminal(),
            StandardStream::Err => io::stderr().is_terminal(),
        }
    }

    /// How many columns it has, if it is a terminal: what `COLUMNS` says, else what the terminal says.
    pub fn width(self) -> Option<usize> {
        if !self.is_terminal() {
            return None;
        }
        let decoded =
            variable("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
        decoded.or_else(|| {
            let size = match self {
                StandardStream::Out => terminal_size::terminal_size_of(io::stdout()),
                StandardStream::Err => terminal_size::terminal_size_of(io::stderr()),
            };
            size.map(|(columns, _)| usize::from(columns.0)).filter(|&columns| columns > 0)
        })
    }
}

/// Whether the terminal can do nothing but show letters.
pub fn is_dumb() -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

/// Whether only ASCII is safe.
pub fn is_ascii() -> bool {
    is_dumb() || !is_utf8(variable)
}

/// Whether the charset of the locale is UTF-8.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let Some(locale) = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set) else { return true };
    let locale = locale.to_ascii_lowercase();
    ["utf-8", "utf8"].iter().any(|charset| locale.contains(charset))
}

fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_counts() {
        let check = |set: &[(&str, &str)]| {
            is_utf8(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()))
        };
        assert!(check(&[]) && check(&[("LANG", "")]));
        for utf8 in ["C.UTF-8", "en_US.UTF-8", "de_DE.utf8", "sr_RS.UTF-8@latin", "UTF-8"] {
            assert!(check(&[("LANG", utf8)]), "{utf8}");
        }
        for other in ["C", "POSIX", "en_US", "de_DE.ISO-8859-1", "ja_JP.eucJP", "de_DE@euro"] {
            assert!(!check(&[("LANG", other)]), "{other}");
        }
        assert!(!check(&[("LC_ALL", "C"), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C.UTF-8")]));
        assert!(check(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
        assert!(!check(&[("LC_CTYPE", "POSIX"), ("LANG", "C.UTF-8")]));
        // Messages and numbers may be in another locale than letters.
        assert!(check(&[("LC_MESSAGES", "C"), ("LANG", "C.UTF-8")]));
    }
}
