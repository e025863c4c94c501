//! What is different between two texts, by lines; and transcripts with gaps.

/// The lines that are gone with `-` and the new ones with `+`, with what is around them.
pub fn lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let marked =
        |sign: &str, lines: &[&str]| lines.iter().map(|line| format!("{sign} {line}\n")).collect::<String>();
    let before = marked(" ", &old[start.saturating_sub(2)..start]);
    let gone = marked("-", &old[start..old.len() - end]);
    let come = marked("+", &new[start..new.len() - end]);
    let after = marked(" ", &old[old.len() - end..(old.len() - end + 2).min(old.len())]);
    format!("{before}{gone}{come}{after}")
}

/// What was printed, with a line `...` for what the page leaves out, if the rest is as it stands there.
pub fn with_gaps(shown: &[&str], printed: &str) -> String {
    let shown = match shown.last() {
        Some(&"") => &shown[..shown.len() - 1],
        _ => shown,
    };
    let all: Vec<&str> = printed.lines().collect();
    match matches(shown, &all) {
        true => shown.iter().map(|line| format!("{line}\n")).collect(),
        false => printed.trim_end_matches('\n').lines().map(|line| format!("{line}\n")).collect(),
    }
}

fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        (["..."], _) => true,
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        ([], rest) => rest.iter().all(|line| line.is_empty()),
        ([line, shown @ ..], [other, printed @ ..]) => line == other && matches(shown, printed),
        (_, []) => false,
    }
}

#[test]
fn differences_and_gaps() {
    assert_eq!(lines("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n"), "  a\n  b\n- c\n+ x\n  d\n  e\n");
    assert_eq!(lines("a\na\n", "a\n"), "  a\n- a\n");
    assert_eq!(with_gaps(&["a", "...", "d"], "a\nb\nc\nd\n"), "a\n...\nd\n");
    assert_eq!(with_gaps(&["a", "...", "e"], "a\nb\nc\nd\n"), "a\nb\nc\nd\n");
    assert_eq!(with_gaps(&["a"], "a\n\n"), "a\n");
}
