//! `burnside translate`: a formula as an automaton.

use crate::args::{AutomatonFormat, TranslateArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, BadModel, Source};
use crate::output::Console;
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_logic::{Automaton, AutomatonLimits, Ltl, ParseError, Parsed};
use burnside_ts::visible;
use std::io::Write;
use std::path::Path;

mod local;
use local::described;

/// Runs the command.
pub fn run(args: &TranslateArgs, console: &Console) -> Outcome {
    let source = match args.formula.as_str() {
        "-" => input::read(Path::new("-"))?,
        formula => Source { path: "FORMULA".into(), text: formula.to_string().into() },
    };
    let Parsed { formula, mut names } =
        burnside_logic::parse(&source.text).map_err(|error| wrong(source, error))?;
    if args.format == AutomatonFormat::Dot {
        names.iter_mut().for_each(|name| *name = visible(name));
    }
    let formula = if args.negate { Ltl::Not(Box::new(formula)) } else { formula };
    let automaton = match burnside_logic::translate(&formula, names.len() as u32, &AutomatonLimits::default())
    {
        Ok(automaton) => adapted(&automaton, args),
        Err(too_large) => {
            console.error(&format!("no automaton: {too_large}"), None);
            return Ok(Exit::Unknown);
        }
    };
    let title = burnside_logic::show(&formula, &names);
    let (automaton, comment) = match args.symmetry {
        true => described(&automaton, &names),
        false => (automaton, String::new()),
    };
    let text = match args.format {
        AutomatonFormat::Hoa => burnside_logic::print_hoa(&automaton, &names, &title),
        AutomatonFormat::Dot => burnside_logic::print_dot(&automaton, &names, &title),
    };
    let text = comment + &text;
    let mut out = console.stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}

/// The automaton with the acceptance that was asked for.
fn adapted(automaton: &Automaton, args: &TranslateArgs) -> Automaton {
    if args.state_based {
        burnside_logic::on_states(automaton)
    } else if args.buchi {
        burnside_logic::degeneralise(automaton)
    } else {
        automaton.clone()
    }
}

/// What is wrong with the formula, shown as what is wrong with a model.
fn wrong(source: Source, error: ParseError) -> Failure {
    let span = Span::new(error.span.start as u32, error.span.end as u32);
    let mut diagnostic = Diagnostic::error(Code::Syntax, span, error.message);
    diagnostic.help = error.help;
    let bad = BadModel { source, diagnostics: vec![diagnostic], setting_errors: Vec::new() };
    Failure::Model(vec![bad])
}
