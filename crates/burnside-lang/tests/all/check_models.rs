//! Whole models check: every example, and every block of the book.

use crate::check_support;

use check_support::{checked, errors, show};
use std::path::Path;

const TICK: &str = "\nvar tick_: bool;\nprocess Tick_ { rule tick_ { tick_ = !tick_; } }\n";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn every_example_checks() {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "orb") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let result = checked(&source);
        let all = show(&source, &result.diagnostics);
        assert!(result.model.is_some(), "{}:\n{all}", path.display());
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn every_block_of_the_book_checks() {
    let mut blocks = 0;
    for entry in std::fs::read_dir(root().join("docs/src")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for block in text.split("```orb\n").skip(1) {
            let source = block.split("```").next().unwrap().to_string() + TICK;
            let wrong = errors(&checked(&source));
            assert!(wrong.is_empty(), "{}:\n{}\n{source}", path.display(), show(&source, &wrong));
            blocks += 1;
        }
    }
    assert!(blocks >= 8);
}
