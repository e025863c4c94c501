//! The fenced blocks of a page.

use std::ops::Range;

/// A fenced block.
pub struct Block<'p> {
    /// The line of its fence, from 1.
    pub line: usize,
    /// What stands behind the fence.
    pub words: Vec<&'p str>,
    /// What a comment right above it says: `<!-- name: text -->`.
    pub directive: Option<(&'p str, &'p str)>,
    /// Its lines, with their ends.
    pub body: &'p str,
    /// Where these are in the page.
    pub range: Range<usize>,
}

/// All blocks, in order.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(usize, Vec<&str>, Option<_>, usize)> = None;
    let (mut at, mut above) = (0, "");
    for (i, line) in page.split_inclusive('\n').enumerate() {
        let bare = line.trim();
        match (bare.strip_prefix("```"), open.take()) {
            (Some(""), Some((first, words, directive, start))) => {
                let range = start..at;
                blocks.push(Block { line: first, words, directive, body: &page[range.clone()], range });
            }
            (Some(info), None) => {
                open = Some((i + 1, info.split_whitespace().collect(), directive(above), at + line.len()));
            }
            (_, still) => open = still,
        }
        above = bare;
        at += line.len();
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.strip_prefix("<!--")?.strip_suffix("-->")?;
    let (name, rest) = text.split_once(':')?;
    Some((name.trim(), rest.trim()))
}

/// The page with some parts replaced, which are in order.
pub fn replaced(page: &str, changes: &[(Range<usize>, String)]) -> String {
    let (mut new, mut at) = (String::new(), 0);
    for (range, text) in changes {
        new.push_str(&page[at..range.start]);
        new.push_str(text);
        at = range.end;
    }
    new + &page[at..]
}

#[test]
fn blocks_are_found_and_replaced() {
    let page = "a\n\n<!-- not run: why -->\n```text x\nold\n```\nb\n```sh\n```\n";
    let found = blocks(page);
    assert_eq!(
        found.iter().map(|block| (block.line, block.body)).collect::<Vec<_>>(),
        [(4, "old\n"), (8, "")]
    );
    assert_eq!(found[0].directive, Some(("not run", "why")));
    assert_eq!(found[0].words, ["text", "x"]);
    let new =
        replaced(page, &[(found[0].range.clone(), "new\n".into()), (found[1].range.clone(), "c\n".into())]);
    assert_eq!(new, "a\n\n<!-- not run: why -->\n```text x\nnew\n```\nb\n```sh\nc\n```\n");
}
