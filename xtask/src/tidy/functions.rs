//! No function is longer than what can be read at once.
//!
//! A `match` at the top of a function counts as its longest arm: one arm for each variant of a large type is
//! one idea, however many there are. Lengths are seen by the indentation that rustfmt gives.

/// Lines of a function, from its name to its closing brace.
const MOST: usize = 80;

/// The breaches in one file, each starting with the line.
pub fn check(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let functions = (0..lines.len()).filter_map(|start| Some((start, name(lines[start])?)));
    let breach = |(start, name): (usize, &str)| {
        let count = length(&lines[start..=end(&lines, start)]);
        let what = format!("{}: `{name}` has {count} lines, and {MOST} are enough", start + 1);
        (count > MOST).then_some(what)
    };
    functions.filter_map(breach).collect()
}

/// The name of the function that a line begins.
fn name(line: &str) -> Option<&str> {
    let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe ", "extern \"C\" "];
    let mut rest = line.trim_start();
    while let Some(less) = words.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = less;
    }
    let name = rest.strip_prefix("fn ")?;
    Some(name.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or(name))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The line that ends what begins on a line: itself, or the next that is as far to the left and closes.
fn end(lines: &[&str], start: usize) -> usize {
    if lines[start].ends_with([';', '}']) {
        return start;
    }
    let left = indentation(lines[start]);
    let closes = |line: &str| indentation(line) == left && line.trim_start().starts_with('}');
    (start + 1..lines.len()).find(|&at| closes(lines[at])).unwrap_or(lines.len() - 1)
}

/// How many lines a function has, where a `match` counts as its longest arm.
fn length(lines: &[&str]) -> usize {
    let inside = indentation(lines[0]) + 4;
    let (mut count, mut at) = (0, 0);
    while at < lines.len() {
        let line = lines[at];
        let is_match = line.contains("match ") && line.ends_with('{') && indentation(line) == inside;
        let last = if is_match { end(lines, at) } else { at };
        count += if is_match { 2 + longest_arm(&lines[at + 1..last], inside + 4) } else { 1 };
        at = last + 1;
    }
    count
}

/// The lines of the longest arm, where each begins this far to the right.
fn longest_arm(lines: &[&str], left: usize) -> usize {
    let begins = |line: &str| indentation(line) == left && !line.trim_start().starts_with(['}', ')', '|']);
    let mut starts: Vec<usize> = (0..lines.len()).filter(|&at| begins(lines[at])).collect();
    starts.push(lines.len());
    starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &str) -> String {
        format!("impl X {{\n    pub(crate) fn long<'a>(it: &'a str) -> u8 {{\n{body}    }}\n}}\n")
    }

    #[test]
    fn lengths() {
        assert_eq!(check(&function(&"        step();\n".repeat(78))), Vec::<String>::new());
        assert_eq!(
            check(&function(&"        step();\n".repeat(79))),
            ["2: `long` has 81 lines, and 80 are enough"]
        );
        let two = format!("fn a() {{}}\nfn b() {{\n{}}}\n", "    x();\n".repeat(50));
        assert!(check(&two.repeat(3)).is_empty());
    }

    #[test]
    fn arms() {
        let arm = |steps| {
            format!("            A(_) => {{\n{}            }}\n", "                step();\n".repeat(steps))
        };
        let cases = |arms: String| function(&format!("        match it {{\n{arms}        }}\n"));
        assert!(check(&cases(arm(8).repeat(30))).is_empty());
        assert_eq!(check(&cases(arm(8).repeat(30) + &arm(90))).len(), 1);
        let before = "        step();\n".repeat(77);
        assert_eq!(
            check(&function(&format!("{before}        match it {{\n{}        }}\n", arm(8)))).len(),
            1
        );
    }
}
