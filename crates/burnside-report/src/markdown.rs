//! A report in Markdown, as GitHub shows it: for summaries of jobs and comments.
//!
//! Entry points: [`report`] and [`failure`]. A table of the properties, below it each run that shows a
//! verdict, folded, and what is known of the symmetry. It reads as plain text too: columns of the table
//! are aligned, and only what Markdown would take for something else is written as entities of HTML. No
//! name can leave its cell, open a tag or make a link.

use crate::figures;
use crate::input::Source;
use crate::numbers::separated;
use crate::outcome::{CheckReport, FailedCheck, constants};
use crate::place::Located;
use crate::verdict::{self, word};
use crate::{group, json};
use burnside::{Answer, Verdict};
use burnside_lang::diagnostic::{Diagnostic, Severity};
use burnside_limits::poll;
use burnside_ts::{visible, visible_lines};
use serde_json::Value;
use std::fmt::Write as _;

/// How many warnings are shown; the rest is counted.
const MAX_SHOWN: usize = 50;

/// A report.
pub fn report(told: &CheckReport<'_>) -> String {
    let mut out = format!("## Burnside: {}\n\n", code(&told.input.source.path));
    let figures = figures::of_report(told.report);
    // Writing to a string does not fail.
    let _ = writeln!(out, "**{}** ({figures})\n", told.verdicts());
    let constants: Vec<String> =
        constants(&told.input.model).map(|(name, value)| code(&format!("{name} = {value}"))).collect();
    if !constants.is_empty() {
        let _ = writeln!(out, "Constants: {}\n", constants.join(", "));
    }
    table(&mut out, told);
    if let Some(why) = told.omitted {
        let _ = writeln!(out, "\nThe runs are left out: {}", escaped(why));
    }
    for (result, shown) in told.answers().filter(|(_, shown)| !shown.trim().is_empty()) {
        details(&mut out, told, result, shown);
    }
    symmetry(&mut out, told);
    if let Some(counts) = told.state_space {
        let _ = writeln!(out, "\n{}", escaped(&figures::state_space(counts)));
    }
    warnings(&mut out, told);
    out
}

/// Why there is no report.
pub fn failure(failed: &FailedCheck<'_>) -> String {
    let mut out = format!("## Burnside: {}\n\n", code(failed.model));
    let _ = writeln!(out, "**No report**: {}", escaped(&failed.message));
    if let Some(help) = failed.help {
        let _ = writeln!(out, "\nHelp: {}", escaped(help));
    }
    if !failed.shown.trim().is_empty() {
        let _ = writeln!(out, "\n{}", fenced(&failed.shown));
    }
    out
}

/// One row for each property.
fn table(out: &mut String, told: &CheckReport<'_>) {
    let head = ["property", "kind", "verdict", "figures", "note"].map(str::to_string);
    let rows = told.report.results.iter().map(|result| row(told, result));
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).max(3);
    let widths: [usize; 5] = std::array::from_fn(width);
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!(" {cell:width$} |"));
        let _ = writeln!(out, "|{}", cells.collect::<String>());
        if number == 0 {
            let rule = widths.map(|width| format!(" {} |", "-".repeat(width)));
            let _ = writeln!(out, "|{}", rule.concat());
        }
    }
}

fn row(told: &CheckReport<'_>, result: &Answer) -> [String; 5] {
    let verdict = match result.verdict {
        Verdict::Holds => word(&result.verdict).to_string(),
        Verdict::Violated | Verdict::Unknown(_) => format!("**{}**", word(&result.verdict)),
    };
    let name = match result.value {
        Some(value) => format!("{} = {value}", code(&result.property)),
        None => code(&result.property),
    };
    let figures = figures::of(result).map(|all| all.into_iter().filter(|one| !one.is_empty()));
    let figures = figures.map_or_else(String::new, |all| all.collect::<Vec<_>>().join(", "));
    let note = verdict::note(result, told.run(result).as_deref());
    let weighed = result.weighed.as_ref().map(ToString::to_string);
    let system = &told.input.model.system;
    let order = |group| separated(&group::order(system, group));
    let group = (result.group != told.report.group)
        .then(|| format!("{} of {} symmetries", order(&result.group), order(&told.report.group)));
    let hunt = result.stats.hunt.map(|hunt| hunt.to_string());
    let reduced = result.partial_order.map(|reduced| reduced.to_string());
    let note =
        [Some(note), hunt, group, weighed, reduced].into_iter().flatten().filter(|part| !part.is_empty());
    let note = escaped(&note.collect::<Vec<_>>().join("; "));
    [name, result.kind.to_string(), verdict, figures, note]
}

/// The run that shows a verdict, folded.
fn details(out: &mut String, told: &CheckReport<'_>, result: &Answer, shown: &str) {
    poll();
    let (summary, text) = (html(&told.headline(result)), fenced(&told.details(result, shown)));
    let _ = writeln!(out, "\n<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>");
}

/// The group, and what breaks more of it.
fn symmetry(out: &mut String, told: &CheckReport<'_>) {
    let known = json::symmetry(told.input, told.report);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let list = |name: &str| known[name].as_array().cloned().unwrap_or_default();
    let (types, broken) = (list("types"), list("broken"));
    if types.is_empty() && known["order"] == "1" {
        return;
    }
    let types = types
        .iter()
        .map(|ty| format!("{} ({}, {})", code(&text(&ty["name"])), ty["size"], text(&ty["kind"])));
    let types = types.collect::<Vec<_>>().join(", ");
    let of = if types.is_empty() { types } else { format!(" of {types}") };
    let order = separated(&text(&known["order"]));
    let what = if order == "1" { "symmetry" } else { "symmetries" };
    let _ = writeln!(out, "\n{order} {what}{of}; reduction: {}.", text(&known["used"]));
    for (number, found) in broken.iter().take(MAX_SHOWN).enumerate() {
        let head = if number == 0 { "\n" } else { "" };
        let (name, reason) = (code(&text(&found["type"])), escaped(&text(&found["reason"])));
        let _ = writeln!(out, "{head}- {name} is broken at {}:{}: {reason}", found["line"], found["column"]);
    }
    more(out, broken.len());
}

fn warnings(out: &mut String, told: &CheckReport<'_>) {
    let input = told.input;
    let model = std::iter::once((&input.source, &input.warnings));
    let external = input.external_warnings.iter().map(|(source, all)| (source, all));
    let lines: Vec<String> = model.chain(external).flat_map(|(source, all)| lines(source, all)).collect();
    for (number, line) in lines.iter().take(MAX_SHOWN).enumerate() {
        let head = if number == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{head}- {line}");
    }
    more(out, lines.len());
}

/// Says how many of so many were not shown.
fn more(out: &mut String, count: usize) {
    if count > MAX_SHOWN {
        let _ = writeln!(out, "- and {} more", count - MAX_SHOWN);
    }
}

/// Diagnostics, a line each.
fn lines(source: &Source, diagnostics: &[Diagnostic]) -> Vec<String> {
    let located = Located::new(source);
    let line = |diagnostic: &Diagnostic| {
        let (line, column) = located.span(diagnostic.primary.span).region.map_or((1, 1), |it| it.start);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = code(&format!("{}:{line}:{column}", source.path));
        format!("{place}: {severity}, {} ({})", escaped(&diagnostic.message), diagnostic.code)
    };
    diagnostics.iter().take(MAX_SHOWN + 1).map(line).collect()
}

/// A text as code, in one line.
fn code(text: &str) -> String {
    let text = visible(text);
    let is_plain = |c: char| !matches!(c, '`' | '|' | '\\' | '<' | '>' | '&');
    match !text.is_empty() && text.trim() == text && text.chars().all(is_plain) {
        true => format!("`{text}`"),
        false => format!("<code>{}</code>", escaped(&text)),
    }
}

/// A text in one line that is read as it is.
fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_inside_word =
            || inside(text[..at].chars().next_back()) && inside(text[at + 1..].chars().next());
        match c {
            // Most names have some of them, and there they mean nothing.
            '_' if is_inside_word() => out.push(c),
            '&' | '<' | '>' | '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' | '@' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

/// A text inside of tags that Markdown leaves alone.
fn html(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Lines as they are. The fence is longer than any in them.
fn fenced(text: &str) -> String {
    let text = visible_lines(text.trim_end(), false);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let text = text.trim_start_matches('\n');
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_cells() {
        assert_eq!(code("mutex_2"), "`mutex_2`");
        assert_eq!(code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code("a`b\\"), "<code>a&#96;b&#92;</code>");
        assert_eq!(code("<b>&amp;"), "<code>&#60;b&#62;&#38;amp;</code>");
        assert_eq!(code("a\nb"), "<code>a&#92;nb</code>");
        assert_eq!(code(" a"), "<code> a</code>");
        assert_eq!(code(""), "<code></code>");
        assert_eq!(
            escaped("a_b _c_ *d* [e](f) ~g~ `h`"),
            "a_b &#95;c&#95; &#42;d&#42; &#91;e&#93;(f) &#126;g&#126; &#96;h&#96;"
        );
        assert_eq!(html("<script> & `x`"), "&lt;script&gt; &amp; `x`");
    }

    #[test]
    fn no_line_ends_a_fence() {
        assert_eq!(fenced("a\nb\n\n"), "```text\na\nb\n```");
        assert_eq!(fenced("a\n````\nb"), "`````text\na\n````\nb\n`````");
        assert_eq!(fenced("\u{1b}[1m"), "```text\n\\u{1b}[1m\n```");
    }
}
