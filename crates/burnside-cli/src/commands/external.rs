//! Properties that are given beside a model, on the command line or in files, to `check` and to `explore`.
//!
//! Entry point: [`external`].

use crate::args::{Examination, ExternalArgs, FairTo};
use crate::exit::Failure;
use crate::input::{self, Source};
use burnside::{ExternalKind, ExternalProperty, Kind};
use burnside_petri::{Global, NetFairness};
use burnside_ts::Strength;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The properties and hints from outside the model.
pub fn external(
    args: &ExternalArgs,
    model: &Path,
    hints: &[String],
) -> Result<Vec<ExternalProperty>, Failure> {
    let paths = args.never.iter().map(PathBuf::as_path).chain([model]);
    if paths.filter(|path| input::is_stdin(path)).count() > 1 {
        return Err(Failure::bad("only one of model and automata can be standard input"));
    }
    let globals: Vec<String> = args.globals.iter().flat_map(|global| names(*global)).collect();
    let typed = [
        (Kind::Invariant.into(), &*args.invariants),
        (Kind::Reachable.into(), &args.reachable),
        (Kind::Ltl.into(), &args.ltl),
        (Kind::Ctl.into(), &args.ctl),
        (Kind::Bound.into(), &args.bounds),
        (ExternalKind::Global, &globals),
        (ExternalKind::Hint, hints),
    ];
    let typed = typed.into_iter().flat_map(|(kind, texts)| {
        let origin = format!("<command line: --{}>", kind.name());
        texts
            .iter()
            .map(move |text| Ok(ExternalProperty { kind, origin: origin.clone(), text: text.clone() }))
    });
    let formulas = args.formulas.iter().map(|path| {
        let Source { path: origin, text } = input::read_formulas(path)?;
        Ok(ExternalProperty { kind: ExternalKind::Contest, origin, text: Arc::unwrap_or_clone(text) })
    });
    let automata = args.never.iter().map(|path| {
        let Source { path: origin, text } = input::read_automaton(path)?;
        Ok(ExternalProperty { kind: Kind::Automaton.into(), origin, text: Arc::unwrap_or_clone(text) })
    });
    typed.chain(formulas).chain(automata).collect()
}

/// The names of what a general property is made of.
fn names(global: Examination) -> Vec<String> {
    let parts = match global {
        Examination::One(which) => vec![which],
        Examination::StateSpace => vec![Global::MaxTokenInPlace, Global::MaxTokenPerMarking],
    };
    parts.iter().map(|which| which.name().to_string()).collect()
}

/// Options that only nets know, and Murphi models some of them.
pub fn nets_only(args: &ExternalArgs, source: &Source) -> Result<(), Failure> {
    if source.is_net() {
        return Ok(());
    }
    let used = [
        ("--bound", !args.bounds.is_empty()),
        ("--properties", !args.formulas.is_empty()),
        ("--global", !args.globals.is_empty()),
        ("--fair", args.fair.is_some() && !source.is_murphi()),
    ];
    match used.into_iter().find(|(_, used)| *used) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::bad_with_help(
            format!("`{option}` is for Petri nets, and this is not one"),
            "a Petri net is a file in PNML, usually named `*.pnml`",
        )),
    }
}

/// The fairness of a net, as typed.
pub fn net_fairness(fair: Option<Strength>, fair_to: FairTo) -> Option<NetFairness> {
    fair.map(|strength| NetFairness { strength, by_binding: fair_to == FairTo::Binding })
}
