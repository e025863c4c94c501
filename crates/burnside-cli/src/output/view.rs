//! How much of the states of a run is shown: what changes or everything, of all variables or of some.

use crate::args::{ShowStates, ViewArgs};
use crate::exit::{Failure, visible};
use crate::nearest::nearest;
use burnside::Model;
use burnside_report::decode::TraceDecoder;
use burnside_ts::Leaf;
use std::collections::HashSet;

/// What is shown of states.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether the whole state is shown after each step, not only what changes.
    pub full: bool,
    /// The cells that are shown; none: all.
    cells: Option<HashSet<String>>,
}

impl View {
    /// What changes, of all variables.
    pub const CHANGES: &'static View = &View { full: false, cells: None };

    /// As asked for.
    pub fn new(args: &ViewArgs, model: &Model) -> Result<Self, Failure> {
        let full = args.show == Some(ShowStates::Full);
        if args.vars.is_empty() {
            return Ok(Self { full, cells: None });
        }
        let (system, all) = (&model.system, TraceDecoder::new(model).leaves);
        let mut cells = HashSet::new();
        for name in &args.vars {
            let is_meant = |leaf: &&Leaf| {
                let var = &system.vars[leaf.var.index()];
                let process = var.process.map(|process| &system.process(process).name);
                let long = || process.is_some_and(|process| *name == format!("{process}.{}", var.name));
                leaf.name == *name || var.name == *name || long()
            };
            let mut of_name = all.iter().filter(is_meant).map(|leaf| leaf.name.clone()).peekable();
            of_name.peek().ok_or_else(|| unknown(name, model))?;
            cells.extend(of_name);
        }
        Ok(Self { full, cells: Some(cells) })
    }

    /// Whether some cells are not shown.
    pub fn is_partial(&self) -> bool {
        self.cells.is_some()
    }

    /// What tells runs of a model.
    pub fn decoder<'m>(&self, model: &'m Model) -> TraceDecoder<'m> {
        let mut decoder = TraceDecoder::new(model);
        if let Some(cells) = &self.cells {
            decoder.leaves.retain(|leaf| cells.contains(&leaf.name));
        }
        decoder
    }
}

fn unknown(name: &str, model: &Model) -> Failure {
    const MOST: usize = 20;
    let mut known: Vec<String> = model.system.vars.iter().map(|var| var.name.clone()).collect();
    known.sort();
    known.dedup();
    let (kind, all) = if model.net().is_some() { ("net", "place") } else { ("model", "variable") };
    let message = format!("the {kind} has no {all} `{}`", visible(name));
    let listed: Vec<String> = known.iter().take(MOST).map(|name| format!("`{}`", visible(name))).collect();
    let more = if known.len() > MOST { format!(" and {} more", known.len() - MOST) } else { String::new() };
    let listed = format!("its {all}s are {}{more}", listed.join(", "));
    match nearest(name, &known) {
        Some(near) => Failure::bad_with_help(message, format!("did you mean `{}`? {listed}", visible(near))),
        None => Failure::bad_with_help(message, listed),
    }
}
