//! Rules about Rust sources, checked line by line.

/// Who may print: the programs, what is a program of its own, and what is for tests only.
const PRINTERS: [&str; 7] = [
    "crates/burnside-cases/",
    "crates/burnside-cli/",
    "crates/burnside-testkit/",
    "xtask/",
    "/tests/",
    "/examples/",
    "/benches/",
];

/// Columns of a comment; rustfmt sees to the code.
const WIDTH: usize = 110;

/// The breaches in one file, each starting with the line.
pub fn check(path: &str, text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    let prints = PRINTERS.iter().any(|printer| path.contains(printer));
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let code = without_comment(line);
        let mut breach = |what: &str| breaches.push(format!("{}: {what}", i + 1));
        if !prints && ["print", "println", "eprint", "eprintln"].iter().any(|name| calls(code, name)) {
            breach("only the programs print");
        }
        if !prints && ["stdout()", "stderr()"].iter().any(|stream| code.contains(stream)) {
            breach("only the programs write to the standard streams");
        }
        if ["todo", "unimplemented", "dbg"].iter().any(|name| calls(code, name)) {
            breach("something is left over");
        }
        if has_word(code, "unsafe") && !is_explained(&lines, i) {
            breach("`unsafe` without a `// SAFETY:` comment");
        }
        if is_long_comment(line) {
            breach("a comment of more than 110 columns");
        }
    }
    if path.contains("/src/") && !lines.first().is_some_and(|line| line.starts_with("//!")) {
        breaches.push("1: a source file starts with what it is for (`//! …`)".into());
    }
    breaches
}

/// Whether a line of comment is too wide to be read; rows of tables cannot be broken.
fn is_long_comment(line: &str) -> bool {
    let line = line.trim_end();
    let text = line.trim_start();
    text.starts_with("//") && !text.ends_with('|') && line.chars().count() > WIDTH
}

/// The line up to a comment and without the texts in quotes.
fn without_comment(line: &str) -> &str {
    match line.find("//") {
        Some(at) => &line[..at],
        None => line,
    }
}

/// Whether the code calls the macro.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let is_whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"');
        is_whole && code[at + name.len()..].starts_with("!")
    })
}

fn has_word(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '"' || c == '`';
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (code[..at].chars().next_back(), code[at + word.len()..].chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Whether the line, or the comments and attributes right above it, give the reason.
fn is_explained(lines: &[&str], at: usize) -> bool {
    let above = lines[..at].iter().rev().map(|line| line.trim());
    let above = above.take_while(|line| line.starts_with("//") || line.starts_with("#["));
    std::iter::once(lines[at]).chain(above).any(|line| line.contains("SAFETY:") || line.contains("# Safety"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(text: &str) -> usize {
        check("crates/burnside-ts/src/x.rs", &format!("//! x\n{text}")).len()
    }

    #[test]
    fn printing() {
        let call = concat!("print", "ln!(\"x\");");
        assert_eq!(breaches(call), 1);
        assert_eq!(breaches(&format!("// {call}")), 0);
        assert_eq!(breaches("let mut out = std::io::stdout().lock();"), 1);
        assert_eq!(check("crates/burnside-cli/src/x.rs", &format!("//! x\n{call}")), Vec::<String>::new());
    }

    #[test]
    fn leftovers_and_reasons() {
        assert_eq!(breaches(concat!("to", "do!()")), 1);
        assert_eq!(breaches(concat!("let x = un", "safe { y };")), 1);
        assert_eq!(breaches(concat!("// SAFETY: y is there\nlet x = un", "safe { y };")), 0);
        assert_eq!(breaches("let unsafely = 1;"), 0);
    }

    #[test]
    fn wide_comments() {
        assert_eq!(breaches(&format!("    // {}", "x".repeat(104))), 1);
        assert_eq!(breaches(&format!("    // {}", "x".repeat(103))), 0);
        assert_eq!(breaches(&format!("//! | {} |", "x".repeat(110))), 0);
    }

    #[test]
    fn files_say_what_they_are() {
        assert_eq!(check("crates/a/src/x.rs", "fn main() {}").len(), 1);
    }
}
