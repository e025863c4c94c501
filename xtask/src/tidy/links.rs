//! Links in Markdown pages lead somewhere, and every page of the book is in its table of contents.

use std::path::{Path, PathBuf};

/// The breaches in one page, each starting with the line.
pub fn check(path: &Path, text: &str) -> Vec<String> {
    let directory = path.parent().expect("a file is in a directory");
    let mut breaches = Vec::new();
    for (i, target) in targets(text) {
        let file = target.split('#').next().unwrap_or("");
        if !file.is_empty() && !directory.join(file).exists() {
            breaches.push(format!("{i}: the link to `{target}` leads nowhere"));
        }
    }
    breaches
}

/// Lines and targets of the links to files. What is in a code block is no link.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            let target = &rest[..rest.find(')').unwrap_or(rest.len())];
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((i + 1, target));
            }
        }
    }
    found
}

/// The pages of the book that its table of contents leaves out.
pub fn unlisted_pages(root: &Path) -> Result<Vec<String>, String> {
    let book = root.join("docs/src");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md"))
        .map_err(|error| format!("docs/src/SUMMARY.md: {error}"))?;
    let listed: Vec<PathBuf> = targets(&summary).into_iter().map(|(_, target)| book.join(target)).collect();
    let pages =
        super::files(&book)?.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let missing = pages.filter(|page| !page.ends_with("SUMMARY.md") && !listed.contains(page));
    Ok(missing.map(|page| format!("{}: not in docs/src/SUMMARY.md", page.display())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found() {
        let text = "see [a](b.md#c) and [d](https://example.org)\n```\n[x](y)\n```\n[e](f)";
        assert_eq!(targets(text), [(1, "b.md#c"), (5, "f")]);
    }
}
