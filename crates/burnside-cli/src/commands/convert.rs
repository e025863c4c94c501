//! `burnside convert`: a Murphi model in our own language.

use crate::args::ConvertArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, BadModel};
use crate::output::Console;
use burnside_lang::check::SettingError;
use burnside_lang::syntax;
use burnside_ts::visible;
use std::io::Write;

/// Runs the command.
pub fn run(args: &ConvertArgs, console: &Console) -> Outcome {
    let source = input::read(&args.model.model)?;
    if !source.is_murphi() {
        return Err(Failure::bad_with_help(
            format!("`{}` is no Murphi model", source.path),
            "a Murphi model is a file named `*.m`",
        ));
    }
    let converted = burnside_murphi::convert(&source.text, &args.model.settings);
    let unknown = converted.unknown_settings.iter().map(|name| SettingError {
        name: name.clone(),
        message: format!("there is no constant `{name}`"),
        help: None,
    });
    let setting_errors: Vec<SettingError> = unknown.collect();
    if !converted.diagnostics.is_empty() || !setting_errors.is_empty() {
        return Err(Failure::Model(vec![BadModel {
            source,
            diagnostics: converted.diagnostics,
            setting_errors,
        }]));
    }
    let title = visible(&source.path);
    let text = format!("//! Made from `{title}` by `burnside convert`.\n\n{}", converted.text);
    let text = syntax::format(&text).unwrap_or(text);
    let mut out = console.stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}
