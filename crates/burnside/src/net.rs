//! Loading a Petri net, with what is asked about it.
//!
//! Entry point: [`load`]. What nets, questions and the room of places are is known to `burnside-petri`; here
//! its errors become diagnostics.

use crate::external::{ExternalKind, ExternalProperty, Places, span, unused_name};
use crate::loaded::Found;
use crate::model::{Front, Model};
use crate::source::LoadOptions;
use burnside_lang::diagnostic::{Code, Diagnostic, Span};
use burnside_petri::{Error, Net, NetModel, Questions, read_pnml};
use burnside_ts::{Kind, visible};
use std::sync::Arc;

/// Loads a net from PNML, with questions from outside.
pub(crate) fn load(source: &str, options: &LoadOptions) -> Found {
    let mut found = Found::default();
    let net = match read_pnml(source) {
        Ok(net) => net,
        Err(errors) => {
            found.diagnostics = errors.into_iter().map(|error| wrong(Code::Pnml, error)).collect();
            return found;
        }
    };
    let (mut asked, mut named) = (Questions::default(), Vec::new());
    for external in &options.external {
        let (name, diagnostics) = add(&mut asked, &net, external);
        found.external.push(diagnostics);
        named.push((name, external.clone()));
    }
    if found.external.iter().flatten().any(Diagnostic::is_error) {
        return found;
    }
    let net = NetModel::new(net, asked, &options.net);
    match net.lower() {
        Ok(system) => {
            let (front, system) = (Front::Net(Arc::new(net)), Arc::new(system));
            found.model = Some(Model {
                front,
                system,
                files: Vec::new(),
                external: named,
                claimed: Vec::new(),
                probed: None,
            });
        }
        Err(stop) => {
            let reason = stop.to_string();
            found.diagnostics.push(Diagnostic::error(Code::NetTooLarge, Span::new(0, 0), reason));
        }
    }
    found
}

/// Adds a question: the name of the property (of a file with several, the file's), and what is wrong with it.
fn add(asked: &mut Questions, net: &Net, external: &ExternalProperty) -> (String, Vec<Diagnostic>) {
    let known: Vec<&str> = asked.names().collect();
    let name = unused_name(&known, external);
    let kind = match external.kind {
        ExternalKind::Contest => {
            let errors = asked.contest(net, &external.text).err().unwrap_or_default();
            return (name, errors.into_iter().map(|error| wrong(Code::Formulas, error)).collect());
        }
        ExternalKind::Global => {
            return match asked.global(net, &external.text) {
                Ok(name) => (name, Vec::new()),
                Err(error) => (external.text.clone(), vec![wrong(Code::UnknownGlobal, error)]),
            };
        }
        ExternalKind::Hint => return (name, vec![no_hints(external)]),
        ExternalKind::Property(Kind::Automaton) => {
            return (name.clone(), automaton(asked, net, external, name));
        }
        ExternalKind::Property(kind) => kind,
    };
    let errors = asked.formula(net, kind, &external.text, &name).err().unwrap_or_default();
    (name, errors.into_iter().map(|error| wrong(Code::Formula, error)).collect())
}

fn automaton(asked: &mut Questions, net: &Net, external: &ExternalProperty, name: String) -> Vec<Diagnostic> {
    let (hoa, text) = match external.automaton() {
        Ok(read) => read,
        Err(wrong) => return wrong,
    };
    let errors = asked.watch(net, name, text, hoa);
    let moved = |(inside, error): (std::ops::Range<usize>, Error)| {
        let places = Places::quoted(&external.text, inside);
        diagnostic(Code::Hoa, places.span(error.span.clone()), error)
    };
    errors.into_iter().map(moved).collect()
}

fn no_hints(external: &ExternalProperty) -> Diagnostic {
    let error = Error::new(0..external.text.len(), "a Petri net takes no hints");
    wrong(Code::NoHints, error.with_help("hints are for models in the `.orb` language"))
}

fn wrong(code: Code, error: Error) -> Diagnostic {
    diagnostic(code, span(error.span.clone()), error)
}

fn diagnostic(code: Code, span: Span, error: Error) -> Diagnostic {
    let help = error.help.map(|help| visible(&help));
    Diagnostic { help, ..Diagnostic::error(code, span, visible(&error.message)) }
}
