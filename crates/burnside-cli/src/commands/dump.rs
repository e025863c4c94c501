//! `burnside dump`: a model as one of the stages sees it.

use crate::args::{DumpArgs, Stage};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, BadModel, Source};
use crate::output::screen::Screen;
use crate::output::{Console, pad, system};
use burnside::Model;
use burnside_lang::check;
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::lines::Lines;
use burnside_lang::syntax::{self, lexer};
use burnside_limits::poll;
use burnside_ts::visible;
use std::fmt::Write as _;
use std::io::Write as _;

/// Runs the command.
pub fn run(args: &DumpArgs, console: &Console) -> Outcome {
    let text = match args.stage {
        Stage::Tokens => tokens(&text_of_model(args)?)?,
        Stage::Syntax => tree(&text_of_model(args)?)?,
        Stage::Model => model(&input::load(&args.model)?.model)?,
        Stage::System => system::describe(&input::load(&args.model)?.model.system),
    };
    let mut out = Screen::new(console.stdout(), console.out.ascii, None);
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}

/// The text of a model that is no net.
fn text_of_model(args: &DumpArgs) -> Result<Source, Failure> {
    let source = input::read(&args.model.model)?;
    if source.is_murphi() {
        return Err(Failure::bad_with_help(
            "a Murphi model has no such stage",
            "it has the stages `model` and `system`",
        ));
    }
    if source.is_net() { Err(no_such_stage()) } else { Ok(source) }
}

fn no_such_stage() -> Failure {
    Failure::bad_with_help("a Petri net has no such stage", "it has the stage `system`")
}

fn tokens(source: &Source) -> Result<String, Failure> {
    let lexed = lexer::lex(&source.text);
    let lines = Lines::new(&source.text);
    let mut text = String::new();
    for token in &lexed.tokens {
        poll();
        let (line, column) = lines.position(token.span.start);
        let kind = format!("{:?}", token.kind);
        let quoted = visible(&token.span.text(&source.text).escape_debug().to_string());
        writeln!(text, "{}  {}  {quoted}", pad(&format!("{line}:{column}"), 8), pad(&kind, 12))
            .expect("to a string");
    }
    unless_wrong(source, lexed.diagnostics, text)
}

fn tree(source: &Source) -> Result<String, Failure> {
    let parsed = syntax::parse(&source.text);
    let text = syntax::sexpr(&parsed.file);
    unless_wrong(source, parsed.diagnostics, text)
}

fn model(model: &Model) -> Result<String, Failure> {
    match model.hir() {
        Some(hir) => Ok(check::dump(hir)),
        None => Err(no_such_stage()),
    }
}

fn unless_wrong(source: &Source, diagnostics: Vec<Diagnostic>, text: String) -> Result<String, Failure> {
    match diagnostics.iter().any(Diagnostic::is_error) {
        false => Ok(text),
        true => Err(Failure::Model(vec![BadModel {
            source: source.clone(),
            diagnostics,
            setting_errors: Vec::new(),
        }])),
    }
}
