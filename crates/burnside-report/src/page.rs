//! What the page shows of a check: results, and what shows each of them, with all that helps to read it.
//!
//! Entry points: [`result`], [`evidence`], and [`data`] for everything about a finished check at once. A run
//! is cut if it is long: the page is for people.

use crate::decode::TraceDecoder;
use crate::document::Part;
use crate::input::Input;
use crate::json;
use crate::lanes;
use crate::messages::messages;
use crate::names::Names;
use crate::overview::overview;
use crate::picture::{Picture, View};
use crate::reason;
use crate::rows::{self, Cells, Row, rows};
use crate::symmetry;
use burnside::{Answer, Limits, Model, Report};
use burnside_lang::expect::Expected;
use burnside_limits::catch;
use burnside_trace::{Evidence, Reason, TreeOptions, UnitTimes, Why, timetable};
use burnside_ts::{Binder, Label, Machine, Outcome};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// So many steps of a run are told at most,
const MOST_STEPS: usize = 5_000;
/// and so many cells of states and fairness units in all.
const MOST_CELLS: usize = 1_000_000;
/// So many nodes a graph in a report has.
const MOST_NODES: usize = 300;

/// A result as in `--format json`; of its evidence only the kind and the length. What is expected is said by
/// the input; the model is that of the report.
pub fn result(input: &Input, model: &Model, answer: &Answer, paths: TreeOptions) -> Value {
    let mut result = Part::Object(json::result_members(&model.system, answer)).value();
    result["expected"] = json!(input.expected(&answer.property, paths).map(Expected::name));
    result["evidence"] = match (&answer.evidence, json::has_tree(model, answer, paths)) {
        (_, true) => json!({"kind": "tree", "length": null}),
        (Some(run), false) => {
            let kind = if run.loop_start().is_some() { "lasso" } else { "path" };
            json!({"kind": kind, "length": run.steps.len()})
        }
        (None, false) => Value::Null,
    };
    result
}

/// What shows an answer, if something does. `source` is the text of the model.
pub fn evidence(model: &Model, source: &str, answer: &Answer, paths: TreeOptions) -> Option<Value> {
    let decoder = TraceDecoder::new(model);
    let owners = lanes::owners(&model.system, &decoder.leaves);
    if json::has_tree(model, answer, paths) {
        let mut document = json::shown(model, &decoder, answer, paths)?.value();
        document["lanes"] = json!(lanes::of_steps(&model.system, &owners, []));
        if let Some((_, reason)) = reason::reason(model, answer, paths) {
            let names = Names::of(model, &answer.property);
            let mut branches = Branches { decoder: &decoder, names, bound: Vec::new(), room: MOST_CELLS };
            branches.annotate(&reason, &mut document["tree"]);
        }
        return Some(document);
    }
    let run = answer.evidence.as_ref()?;
    let wide = decoder.leaves.len().max(model.system.units() as usize).max(1);
    let most = MOST_STEPS.min(MOST_CELLS / wide).max(1);
    let mut document = cut(&decoder, run, most);
    document["lanes"] = json!(lanes::of_run(&model.system, &owners, run));
    annotate(&mut document, &decoder, run, most, rows(model, source, &answer.property, run));
    document["walk"] = json!(walk(model, run, most));
    Some(document)
}

/// Adds to a run what happens along it: messages, fairness units, rows.
fn annotate(document: &mut Value, decoder: &TraceDecoder<'_>, run: &Evidence, most: usize, rows: Vec<Row>) {
    let sent = messages(decoder, run, most).into_iter().map(|message| {
        json!({
            "cell": message.cell, "value": message.value, "sent": message.sent, "received": message.received,
        })
    });
    document["messages"] = sent.collect();
    document["units"] = timetable(decoder.system, run, most).iter().map(unit).collect();
    let states = document["states"].as_array().map_or(0, Vec::len);
    document["rows"] = rows.into_iter().map(|one| row(one, states)).collect();
}

/// The runs of a tree, from the root downwards, as long as there is room.
struct Branches<'m, 'd> {
    decoder: &'d TraceDecoder<'m>,
    names: Names<'m>,
    /// The names around the part at hand, with the numbers of their values.
    bound: Vec<(&'m Binder, u64)>,
    /// So many cells may still be told.
    room: usize,
}

impl<'m> Branches<'m, '_> {
    /// Adds to the runs of a part, which is told as this value, what happens along them.
    fn annotate(&mut self, reason: &Reason<'m, '_>, part: &mut Value) {
        match &reason.why {
            Why::Condition | Why::Everywhere | Why::Omitted => {}
            Why::Sides(sides) => {
                for (i, (_, side)) in sides.iter().enumerate() {
                    self.annotate(side, &mut part["children"][i]);
                }
            }
            Why::Value(binder, number, inner) => {
                self.bound.push((binder, *number));
                self.annotate(inner, &mut part["children"][0]);
                self.bound.pop();
            }
            Why::Run(run, places) => {
                let system = self.decoder.system;
                let wide = rows::MOST_ROWS + system.units() as usize;
                let Some(room) = self.room.checked_sub(run.states.len() * wide) else { return };
                self.room = room;
                let rows = rows::branch(system, &self.names, reason.formula, &self.bound, run, places);
                annotate(&mut part["run"], self.decoder, run, run.states.len(), rows);
                for (i, place) in places.iter().enumerate() {
                    self.annotate(&place.reason, &mut part["children"][i]);
                }
            }
        }
    }
}

/// A run, of which the steps after the first so many are left out.
fn cut(decoder: &TraceDecoder<'_>, run: &Evidence, most: usize) -> Value {
    let left_out = run.steps.len().saturating_sub(most);
    if left_out == 0 {
        let mut document = json::evidence(decoder, run).value();
        document["truncated"] = json!(null);
        return document;
    }
    // The loop is told by its number, wherever it starts.
    let mut short = run.clone();
    short.steps.truncate(most);
    short.states.truncate(most + 1);
    let part = Evidence { end: burnside_trace::End::State, ..short };
    let mut document = json::evidence(decoder, &part).value();
    document["kind"] = json!(if run.loop_start().is_some() { "lasso" } else { "path" });
    document["loop_start"] = json!(run.loop_start());
    document["truncated"] = json!(left_out);
    document
}

fn unit(times: &UnitTimes) -> Value {
    json!({
        "unit": times.name, "strength": json::strength(times.strength), "taken": times.taken,
        "disabled": times.disabled,
    })
}

fn row(row: Row, states: usize) -> Value {
    match row.cells {
        Cells::Truths(mut truths) => {
            truths.truncate(states);
            json!({"text": row.text, "truths": truths})
        }
        Cells::Texts(mut texts) => {
            texts.truncate(states);
            json!({"text": row.text, "values": texts})
        }
    }
}

/// The numbers by which a walk follows a run: which of the initial states, and which of the steps in the
/// machine's order, up to so many. The states of the run are the system's own.
fn walk(model: &Model, run: &Evidence, most: usize) -> Option<Vec<usize>> {
    let mut machine = model.system.machine();
    let first = run.states.first()?;
    let (mut seen, mut found): (HashSet<Box<[u64]>>, bool) = (HashSet::new(), false);
    machine.initial(&mut |outcome| {
        let Outcome::State(state) = outcome else { return ControlFlow::Continue(()) };
        found = *state == **first;
        if found || !seen.insert(state.into()) && seen.len() > MOST_CELLS {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let mut path = vec![seen.len()];
    for (i, step) in run.steps.iter().enumerate().take(most) {
        let Some(after) = run.states.get(i + 1).or_else(|| run.states.get(run.loop_start()?)) else { break };
        path.push(choice(&mut *machine, &run.states[i], step.label(), after)?);
    }
    found.then_some(path)
}

/// Which of the steps of a state it is.
fn choice(machine: &mut dyn Machine<'_>, from: &[u64], wanted: Label<'_>, after: &[u64]) -> Option<usize> {
    let (mut count, mut found) = (0, None);
    machine.successors(from, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        if label == wanted && outcome == Outcome::State(after) {
            found = Some(count);
            return ControlFlow::Break(());
        }
        count += 1;
        ControlFlow::Continue(())
    });
    found
}

/// Everything that the page shows of a finished check, for a report in one file: `model`, `symmetry`,
/// `check`, `evidence` by property, and `graph` if it is small. The model of the input is that of the report;
/// `omitted` says why there are no runs in it.
pub fn data(
    input: &Input,
    report: &Report,
    paths: TreeOptions,
    limits: &Limits,
    omitted: Option<&str>,
) -> Value {
    let model = &input.model;
    let results: Vec<Value> =
        report.results.iter().map(|answer| result(input, model, answer, paths)).collect();
    let shown = report.results.iter().filter_map(|answer| {
        Some((answer.property.clone(), evidence(model, &input.source.text, answer, paths)?))
    });
    let shown: Map<String, Value> = shown.collect();
    let (overview, symmetry) = (overview(input), symmetry::page(input));
    // The last that is done: if there is no time for it, the rest is whole.
    let graph = catch(|| {
        let picture = Picture::explore(&model.system, true, MOST_NODES as u64 + 1, limits);
        let whole = picture.is_complete() && picture.len() <= MOST_NODES;
        whole.then(|| picture.document(model, &View::first(MOST_NODES), None).ok()).flatten()
    });
    let graph = graph.ok().flatten();
    let message = omitted.map(|reason| format!("the runs are left out: {reason}"));
    json!({
        "model": overview,
        "symmetry": symmetry,
        "check": {
            "run": 1, "state": "done", "progress": null, "results": results,
            "message": message,
        },
        "evidence": shown,
        "graph": graph,
    })
}
