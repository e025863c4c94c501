//! What a model never does, for people.
//!
//! Entry point: [`print()`].

use crate::output::{Paint, pad, plural, width_of};
use burnside::{Coverage, Gap, GapKind, Model, Stop};
use burnside_ts::Site;
use std::io::{self, Write};

/// Places and names that are longer than this stick out.
const WIDEST: usize = 40;

/// A heading, and a line for each thing that never happens.
pub fn print(
    out: &mut dyn Write,
    coverage: &Result<Coverage, Stop>,
    model: &Model,
    paint: Paint,
) -> io::Result<()> {
    let coverage = match coverage {
        Err(stop) => return writeln!(out, "\n{}: {stop}", paint.open("coverage is unknown")),
        Ok(coverage) => coverage,
    };
    let figures = format!(
        "({} and {} in {})",
        plural(coverage.rules as u64, "rule", "rules"),
        plural(coverage.conditions as u64, "condition", "conditions"),
        plural(u64::from(coverage.visited), "state", "states"),
    );
    if coverage.gaps.is_empty() {
        let all = "every rule fires, every condition is true somewhere and false somewhere";
        return writeln!(out, "\n{}: {all}  {}", paint.strong("coverage"), paint.dim(&figures));
    }
    writeln!(out, "\n{}, what never happens:  {}", paint.strong("coverage"), paint.dim(&figures))?;
    let rows: Vec<[String; 3]> = coverage.gaps.iter().map(|gap| row(gap, model)).collect();
    let width = |i: usize| rows.iter().map(|row| width_of(&row[i]).min(WIDEST)).max().unwrap_or(0);
    let widths = [width(0), width(1)];
    for [place, what, how] in &rows {
        let (place, what) = (pad(place, widths[0]), pad(what, widths[1]));
        writeln!(out, "  {}  {}  {how}", paint.dim(&place), paint.strong(&what))?;
    }
    Ok(())
}

/// Where, what, and what is never so.
fn row(gap: &Gap, model: &Model) -> [String; 3] {
    let place = gap.site.as_ref().map_or_else(String::new, |site| place(site, model));
    let text = || gap.site.as_ref().map_or_else(String::new, |site| format!("`{}`", site.text));
    let (what, how) = match gap.kind {
        GapKind::Rule => (gap.rule.clone().unwrap_or_default(), unfired(gap)),
        GapKind::True => (text(), "is never true".to_string()),
        GapKind::False => (text(), "is always true".to_string()),
        GapKind::Reached => (text(), "is never reached".to_string()),
        GapKind::Case => (text(), "is a case that never happens".to_string()),
        GapKind::Premise => (text(), "is assumed and never true".to_string()),
    };
    [place, what, how]
}

fn unfired(gap: &Gap) -> String {
    match &gap.guard {
        None => "never fires".to_string(),
        Some(guard) => format!("never fires: `{}` is never true there, line {}", guard.text, guard.line),
    }
}

fn place(site: &Site, model: &Model) -> String {
    let file = (site.origin as usize).checked_sub(1 + model.external.len());
    match (site.line, site.origin, file.and_then(|file| model.files.get(file))) {
        (0, ..) => String::new(),
        (line, 0, _) => format!("line {line}:{}", site.column),
        (line, _, Some(file)) => format!("{file}:{line}:{}", site.column),
        (line, _, None) => format!("given beside the model, {line}:{}", site.column),
    }
}
