//! `burnside explain`: what an error or warning means, and what to do about it.

use crate::args::{ExplainArgs, PageFormat};
use crate::book::terminal;
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::nearest;
use crate::output::{Console, pad};
use burnside_lang::diagnostic::{Code, Severity};
use serde_json::{Value, json};
use std::io::Write;

/// Runs the command.
pub fn run(args: &ExplainArgs, console: &Console) -> Outcome {
    let text = match &args.code {
        None => list(args.format, console),
        Some(name) => page(known(name)?, args.format, console),
    };
    match args.format {
        PageFormat::Text => {
            let mut page = console.report();
            page.write_all(text.as_bytes())?;
            page.flush()?;
        }
        PageFormat::Markdown | PageFormat::Json => {
            let mut out = console.stdout();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(Exit::Good)
}

/// The code of a name, in any case.
fn known(name: &str) -> Result<Code, Failure> {
    // As it stands in messages: `error[unknown-name]`.
    let bare = name.split_once('[').map_or(name, |(_, rest)| rest.trim_end_matches(']'));
    Code::named(bare.trim()).ok_or_else(|| {
        let all = || Code::ALL.iter().map(|code| code.name());
        let mut near = nearest::several(bare, all());
        let word = bare.to_ascii_lowercase();
        let holding = all().filter(|name| word.len() > 2 && name.contains(&word));
        near.extend(holding.filter(|name| !near.contains(name)).collect::<Vec<_>>());
        let near: Vec<_> = near.iter().take(5).map(|name| format!("`{name}`")).collect();
        let message = format!("there is no code `{}`", visible(name));
        let all = "`burnside explain` lists all codes";
        Failure::bad_with_help(
            message,
            match near.is_empty() {
                true => all.to_string(),
                false => format!("did you mean {}? {all}", near.join(" or ")),
            },
        )
    })
}

fn severity(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn entry(code: Code) -> Value {
    json!({"code": code.name(), "severity": severity(code), "title": code.title()})
}

fn document(mut members: Value) -> String {
    members["burnside"] = env!("CARGO_PKG_VERSION").into();
    members["format"] = 1.into();
    format!("{members:#}\n")
}

fn page(code: Code, format: PageFormat, console: &Console) -> String {
    match format {
        PageFormat::Text => terminal::render(code.page(), console.out),
        PageFormat::Markdown => code.page().to_string(),
        PageFormat::Json => {
            let mut members = entry(code);
            members["page"] = code.page().into();
            document(members)
        }
    }
}

fn list(format: PageFormat, console: &Console) -> String {
    let all = Code::ALL.iter().copied();
    match format {
        PageFormat::Text => {
            let widest = all.clone().map(|code| code.name().len()).max().unwrap_or(0);
            let line = |code: Code| {
                let name = console.out.actor(&pad(code.name(), widest));
                format!("{name}  {}  {}\n", pad(severity(code), 7), code.title())
            };
            all.map(line).collect()
        }
        PageFormat::Markdown => {
            let line = |code: Code| format!("- `{code}` ({}): {}\n", severity(code), code.title());
            all.map(line).collect()
        }
        PageFormat::Json => document(json!({"codes": all.map(entry).collect::<Vec<_>>()})),
    }
}
