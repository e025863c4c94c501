//! The document of a check without a report, in the format that was asked for.

use crate::args::{CheckFormat, Document};
use crate::exit::{Bad, Failure};
use crate::output::{Paint, diagnostics};
use crate::supervisor::Supervisor;
use burnside_explorer::html::failure_page;
use burnside_report::document::plain;
use burnside_report::outcome::{FailedCheck, WhyFailed};
use burnside_report::{json, junit, markdown, sarif};
use std::io::{self, Write};

/// What is said instead of a report.
fn failed<'a>(model: &'a str, failure: &'a Failure, supervisor: &Supervisor) -> FailedCheck<'a> {
    let (why, message, help) = match failure {
        Failure::Stopped(stop) => (WhyFailed::Stopped, supervisor.explain(stop), None),
        Failure::Bad(Bad { message, help }) => (WhyFailed::Request, message.clone(), help.as_deref()),
        Failure::Model(_) => (WhyFailed::Model, "the model cannot be used".to_string(), None),
        Failure::Output(error) => (WhyFailed::Request, error.to_string(), None),
        Failure::Internal(message) => (WhyFailed::Internal, message.clone(), None),
    };
    let bad = match failure {
        Failure::Model(bad) => bad.as_slice(),
        _ => &[],
    };
    let shown = bad.iter().map(|bad| {
        let settings = bad.setting_errors.iter().map(|error| {
            let help = error.help.as_ref().map(|help| format!("  help: {help}\n")).unwrap_or_default();
            format!("error: --set {}: {}\n{help}", error.name, error.message)
        });
        let settings: String = settings.collect();
        format!("{}{settings}", diagnostics::render(&bad.source, &bad.diagnostics, Paint::PLAIN))
    });
    FailedCheck { model, why, message, help, bad, shown: shown.collect() }
}

/// Prints the document of a check without a report. Nothing can be done if it cannot be written.
pub fn print_failure(document: &Document, failure: &Failure, supervisor: &Supervisor) {
    let failed = failed(&document.model, failure, supervisor);
    let text = match document.format {
        CheckFormat::Junit => junit::document("burnside", &[junit::failure(&failed)]).into_bytes(),
        CheckFormat::Sarif => sarif::failure(&failed).unwrap_or_default(),
        CheckFormat::Markdown => markdown::failure(&failed).into_bytes(),
        CheckFormat::Html => {
            let help = failed.help.map(|help| format!("help: {help}\n")).unwrap_or_default();
            failure_page(failed.model, &failed.message, &format!("{help}{}", failed.shown)).into_bytes()
        }
        CheckFormat::Json | CheckFormat::Text | CheckFormat::Contest => {
            format!("{}\n", plain(&format!("{:#}", json::failure(&failed)))).into_bytes()
        }
    };
    let mut out = io::stdout();
    let _ = out.write_all(&text).and_then(|()| out.flush());
}
