//! `burnside lsp`: the language server. Standard output belongs to the editor, so nothing else is printed
//! there.

use crate::args::LspArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::message;
use crate::supervisor::Supervisor;
use burnside_lsp::{Ended, ServerOptions};
use std::io::{BufReader, IsTerminal, stdin, stdout};

/// Runs the command, until the editor ends it.
pub fn run(_: &LspArgs, supervisor: &Supervisor) -> Outcome {
    if stdin().is_terminal() {
        message("this serves an editor, which speaks the language server protocol; Ctrl-C ends it\n");
    }
    // A check that needs more is unknown, before the limit ends the server.
    let memory = supervisor.limits().memory.map(|bytes| bytes / 4 * 3);
    match burnside_lsp::serve_streams(BufReader::new(stdin()), stdout(), ServerOptions { memory }) {
        Ok(Ended::Asked) => Ok(Exit::Good),
        Ok(Ended::Left) => Ok(Exit::Violated),
        Err(error) => Err(Failure::bad(format!("cannot speak to the editor: {error}"))),
    }
}
