//! The document of a command without a report, for programs.

use crate::exit::{Bad, Failure};
use crate::supervisor::Supervisor;
use burnside_report::document::plain;
use burnside_report::json::{bad_model, head};
use serde_json::{Value, json};
use std::io::{self, Write};

/// What is said instead of a report when there is none.
fn failure(path: &str, failure: &Failure, supervisor: &Supervisor) -> Value {
    let error = match failure {
        Failure::Stopped(stop) => {
            json!({"message": supervisor.explain(stop), "help": null, "diagnostics": [], "unknown": true})
        }
        Failure::Bad(Bad { message, help }) => json!({"message": message, "help": help, "diagnostics": []}),
        Failure::Model(bad) => bad_model(bad),
        Failure::Output(error) => json!({"message": error.to_string(), "help": null, "diagnostics": []}),
        Failure::Internal(message) => {
            json!({"message": message, "help": null, "diagnostics": [], "internal": true})
        }
    };
    let mut document = head(path);
    document.insert("error".into(), error);
    Value::Object(document)
}

/// Prints the document of a check without a report. Nothing can be done if it cannot be written.
pub fn print_failure(path: &str, what: &Failure, supervisor: &Supervisor) {
    let _ = writeln!(io::stdout(), "{}", plain(&format!("{:#}", failure(path, what, supervisor))));
}
