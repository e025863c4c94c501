//! What is known for every size of a family, as a document and in words.
//!
//! Entry points: [`document`], and [`state_lines`], a bad state that views allow, in the words of the model.

use crate::decode::TraceDecoder;
use crate::document::Part;
use crate::input::{Input, Source};
use crate::json;
use burnside::every::{EveryAnswer, EveryReport, Finding, Refusal, Spurious, Unproved};
use burnside::{Choice, Model};
use burnside_lang::lines::Lines;
use burnside_trace::TreeOptions;
use serde_json::{Value, json};

/// The instances in which something is violated: sizes with what was checked.
pub fn instances(source: &Source, report: &EveryReport) -> Vec<(u32, Input)> {
    let input = |model: &Model| Input {
        source: source.clone(),
        model: model.clone(),
        warnings: Vec::new(),
        external_warnings: Vec::new(),
        set: vec![report.constant.clone()],
    };
    report.violations.iter().map(|(size, report)| (*size, input(&report.model))).collect()
}

/// Whether small instances of a model speak for all sizes, for each constant that sizes a symmetric type:
/// what is in the way.
pub fn fragment(input: &Input) -> Vec<(String, Vec<Refusal>)> {
    let Some(hir) = input.model.hir() else { return Vec::new() };
    let set = hir.constants.iter().filter(|constant| input.set.contains(&constant.name));
    let settings: Vec<_> = set.map(|constant| (constant.name.clone(), constant.value.to_string())).collect();
    burnside::every::fragment(&input.source.text, &settings)
}

/// The same, as a part of a document.
pub fn fragment_json(input: &Input) -> Value {
    let one = |(constant, refusals): (String, Vec<Refusal>)| {
        let refusals: Vec<Value> = refusals.iter().map(|it| refusal(&input.source, it)).collect();
        json!({"constant": constant, "refusals": refusals})
    };
    fragment(input).into_iter().map(one).collect()
}

/// The word for what is known.
pub fn verdict(finding: &Finding) -> &'static str {
    match finding {
        Finding::Holds { .. } => "holds",
        Finding::Violated { .. } => "violated",
        Finding::Unknown { .. } => "unknown",
    }
}

/// The cells of a bad state that views allow, and why it is bad if a step faults.
pub fn state_lines(spurious: &Spurious) -> Vec<String> {
    let decoder = TraceDecoder::new(&spurious.model);
    let words = spurious.model.system.words();
    let state = spurious.counterview.state.get(..words);
    let mut lines: Vec<String> = state.map_or_else(Vec::new, |state| {
        decoder.cells(state).into_iter().map(|(name, value)| format!("{name} = {value}")).collect()
    });
    if let Some(fault) = &spurious.counterview.fault {
        let site = spurious.model.system.site(fault.site);
        lines.push(format!("a step faults: {} in `{}`", fault.kind, site.text));
    }
    lines
}

/// A whole report.
pub fn document<'a>(
    source: &'a Source,
    report: &'a EveryReport,
    instances: &'a [(u32, Input)],
    decoders: &'a [TraceDecoder<'a>],
) -> Part<'a> {
    let verified = report.verified.as_ref();
    let verified = verified.map(|it| json!({"states": it.states, "largest": it.largest}));
    let refusals: Vec<Value> = report.refusals.iter().map(|it| refusal(source, it)).collect();
    let explained: Vec<Value> = report
        .certificate
        .proofs
        .iter()
        .zip(&report.explained)
        .map(|(proof, it)| json!({"properties": proof.properties, "clauses": it.clauses, "exact": it.exact}))
        .collect();
    let mut document: Vec<(&'static str, Part<'a>)> =
        json::head(&source.path).into_iter().map(|(key, value)| (head_key(&key), value.into())).collect();
    document.extend([
        (
            "for_every",
            json!({"constant": report.constant, "type": report.family, "ring": report.is_ring}).into(),
        ),
        ("seconds", report.time.as_secs_f64().into()),
        ("verified", verified.into()),
        ("explained", explained.into()),
        ("tla", report.tla.clone().into()),
        ("refusals", refusals.into()),
        ("skipped", report.skipped.clone().into()),
        (
            "results",
            Part::list(report.answers.iter().map(move |it| answer(source, report, it, instances, decoders))),
        ),
    ]);
    Part::Object(document)
}

/// The keys of the head are as fixed as all others.
fn head_key(key: &str) -> &'static str {
    match key {
        "burnside" => "burnside",
        "format" => "format",
        _ => "model",
    }
}

fn refusal(source: &Source, refusal: &Refusal) -> Value {
    let lines = Lines::new(&source.text);
    let (line, column) = lines.position(refusal.span.start);
    let place = json!({"line": line, "column": column, "message": refusal.message, "help": refusal.help});
    crate::json::in_file(place, source, &lines, refusal.span.start)
}

fn answer<'a>(
    source: &Source,
    report: &'a EveryReport,
    answer: &'a EveryAnswer,
    instances: &'a [(u32, Input)],
    decoders: &'a [TraceDecoder<'a>],
) -> Part<'a> {
    let mut members: Vec<(&'static str, Part<'a>)> = vec![
        ("property", answer.property.as_str().into()),
        ("kind", answer.kind.name().into()),
        ("text", answer.text.as_str().into()),
        ("verdict", verdict(&answer.finding).into()),
    ];
    match &answer.finding {
        Finding::Holds { k, contexts, views, followed } => members.extend([
            ("k", Part::from(*k)),
            ("contexts", contexts.clone().into()),
            ("views", (*views).into()),
            ("followed", (*followed).into()),
        ]),
        Finding::Violated { size } => {
            members.push(("size", (*size).into()));
            let shown = report.violations.iter().enumerate().filter(|(_, (it, _))| it == size);
            let mut shown = shown.filter_map(|(at, (_, it))| Some((at, it.answer(&answer.property)?)));
            if let Some((at, shown)) = shown.next() {
                let paths = TreeOptions { fair: true, maximal: false, explore: 0 };
                members.push(("instance", json::result(&instances[at].1, &decoders[at], shown, paths)));
            }
        }
        Finding::Unknown { up_to, reason } => {
            members.push(("up_to", (*up_to).into()));
            members.push(("reason", why(source, reason).into()));
        }
    }
    Part::Object(members)
}

fn why(source: &Source, reason: &Unproved) -> Value {
    match reason {
        Unproved::Refused(it) => refusal(source, it),
        Unproved::Stopped(why) => json!({"message": why}),
        Unproved::Spurious(spurious) => json!({
            "message": "the views allow a bad state that need not be reachable",
            "k": spurious.k,
            "size": spurious.counterview.size,
            "state": state_lines(spurious),
        }),
    }
}
