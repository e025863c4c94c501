//! Documents for programs. Keys may be added, none renamed; the order of keys is fixed, so equal results give
//! equal documents (but for times).

use crate::decode::{Change, DecodedFault, DecodedStep, TraceDecoder};
use crate::document::Part;
use crate::input::{BadModel, Input, Source};
use crate::names::Names;
use crate::outcome::{FailedCheck, WhyFailed};
use crate::{fault, group, reason, tree_json, typed, verdict};
use burnside::nets::NetOptions;
use burnside::{
    Answer, Choice, Counts, Coverage, Model, PartialOrderUse, Procedure, Report, Stats, Stop,
    Symmetry as Reduction, Verdict, told,
};
use burnside_lang::diagnostic::{Code, Diagnostic, Note, Severity, Span};
use burnside_lang::expect::Expected;
use burnside_lang::hir::ConstantValue;
use burnside_lang::lines::Lines;
use burnside_perm::Natural;
use burnside_petri::NetFairness;
use burnside_trace::{
    Actor, End, Evidence, Fairness, Reason, Treatment, TreeOptions, UnitFairness, Waiting, Why, actors,
    explain,
};
use burnside_ts::{Site, SortGroup, Strength, Symmetry, System};
use serde_json::{Map, Value, json};

/// How runs call it that they are not fair to a unit.
pub const NEGLECTED: &str = "neglected";

/// How trace files call it that the fairness of the model is assumed.
pub const FAIRNESS_MODEL: &str = "model";
/// How they call it that none is.
pub const FAIRNESS_NONE: &str = "none";

/// What is known about the state space.
pub type StateSpace = Result<Counts, Stop>;

/// The version of the documents.
pub const FORMAT: u32 = 1;

/// An object from pairs.
pub fn object(pairs: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(pairs.into_iter().collect::<Map<_, _>>())
}

/// The head of every document.
pub fn head(model: &str) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("burnside".into(), json!(env!("CARGO_PKG_VERSION")));
    head.insert("format".into(), json!(FORMAT));
    head.insert("model".into(), json!(model));
    head
}

/// The constants with their values.
pub fn constants(model: &Model) -> Value {
    object(model.hir().into_iter().flat_map(|hir| &hir.constants).map(|constant| {
        let value = match constant.value {
            ConstantValue::Int(value) => json!(value),
            ConstantValue::Bool(value) => json!(value),
        };
        (constant.name.clone(), value)
    }))
}

/// The head of a document about a model, to which more is added.
fn model_head<'a>(input: &Input) -> Vec<(&'static str, Part<'a>)> {
    vec![
        ("burnside", env!("CARGO_PKG_VERSION").into()),
        ("format", FORMAT.into()),
        ("model", input.source.path.clone().into()),
        ("constants", constants(&input.model).into()),
        ("net", net(&input.model).into()),
    ]
}

/// What is assumed about a net; null if it is none.
pub fn net(model: &Model) -> Value {
    let Some(net) = model.net() else { return Value::Null };
    match net.fairness() {
        None => json!({"fair": null}),
        Some(NetFairness { strength, by_binding }) => {
            let fair = if strength == Strength::Weak { "weak" } else { "strong" };
            json!({"fair": fair, "fair_to": if by_binding { "binding" } else { "transition" }})
        }
    }
}

/// What a document says was assumed about a net; `None` if that is nothing that is ever written.
pub fn read_net(net: &Value) -> Option<NetOptions> {
    if net.is_null() || *net == json!({"fair": null}) {
        return Some(NetOptions::default());
    }
    let strength = match net["fair"].as_str()? {
        "weak" => Strength::Weak,
        "strong" => Strength::Strong,
        _ => return None,
    };
    let by_binding = match net["fair_to"].as_str()? {
        "binding" => true,
        "transition" => false,
        _ => return None,
    };
    let fairness = Some(NetFairness { strength, by_binding });
    (net.as_object()?.len() == 2).then_some(NetOptions { fairness, ..NetOptions::default() })
}

/// A whole report.
pub fn report<'a>(
    input: &'a Input,
    decoder: &'a TraceDecoder<'_>,
    report: &'a Report,
    paths: TreeOptions,
    (state_space, coverage): (Option<&StateSpace>, Option<&Result<Coverage, Stop>>),
    omitted: Option<&'a str>,
) -> Part<'a> {
    let reduced = report.results.iter().any(|result| result.symmetry != Reduction::None);
    let mut document = model_head(input);
    document.extend([
        ("symmetry", symmetry(input, report).into()),
        ("engine_reason", report.chosen.as_deref().into()),
        ("state_bits", decoder.system.width.into()),
        ("seconds", report.time.as_secs_f64().into()),
        ("stats", stats(&report.stats, reduced, report.unreduced.as_ref()).into()),
        ("state_space", state_space.map_or(Value::Null, counts).into()),
        ("coverage", coverage.map_or(Value::Null, |it| coverage_json(it, &input.model)).into()),
        ("warnings", warnings(input).into()),
        ("omitted", omitted.into()),
        ("results", Part::list(report.results.iter().map(move |one| result(input, decoder, one, paths)))),
    ]);
    Part::Object(document)
}

/// The size of the state space.
pub(crate) fn counts(state_space: &StateSpace) -> Value {
    match state_space {
        Err(stop) => json!({"reason": stop.to_string(), "reason_code": stop.code()}),
        Ok(counts) => {
            let known = |number: &Option<Natural>| number.as_ref().map(ToString::to_string);
            json!({
                "states": known(&counts.states), "transitions": known(&counts.transitions), "orbits": counts.orbits
            })
        }
    }
}

/// What never happens.
fn coverage_json(coverage: &Result<Coverage, Stop>, model: &Model) -> Value {
    let place = |site: &Site| {
        let origin = (site.origin as usize).checked_sub(1);
        let file = origin.and_then(|at| model.files.get(at.checked_sub(model.external.len())?));
        let beside = origin.is_some() && file.is_none();
        let mut place = json!({"text": site.text, "line": site.line, "column": site.column, "given": beside});
        if let Some(file) = file {
            place["origin"] = json!(file);
        }
        place
    };
    match coverage {
        Err(stop) => json!({"reason": stop.to_string(), "reason_code": stop.code()}),
        Ok(Coverage { visited, rules, conditions, gaps }) => {
            let gaps = gaps.iter().map(|gap| {
                let (site, guard) = (gap.site.as_ref().map(place), gap.guard.as_ref().map(place));
                json!({"kind": gap.kind.name(), "rule": gap.rule, "place": site, "guard": guard})
            });
            let gaps: Vec<Value> = gaps.collect();
            json!({"visited": visited, "rules": rules, "conditions": conditions, "gaps": gaps})
        }
    }
}

/// What `--trace` writes: all runs of the report, with what they show.
pub fn traces<'a>(
    input: &'a Input,
    decoder: &'a TraceDecoder<'_>,
    report: &'a Report,
    paths: TreeOptions,
) -> Part<'a> {
    let runs = report.results.iter().filter_map(move |result| {
        let shown = shown(&input.model, decoder, result, paths)?;
        let mut trace: Vec<(&str, Part<'a>)> = vec![
            ("property", result.property.as_str().into()),
            ("kind", result.kind.name().into()),
            ("verdict", verdict::word(&result.verdict).into()),
        ];
        trace.extend(result.value.map(|value| ("value", value.into())));
        trace.push(("evidence", shown));
        Some(Part::Object(trace))
    });
    let given = input.model.external.iter().map(
        |(name, it)| json!({"property": name, "kind": it.kind.name(), "origin": it.origin, "text": it.text}),
    );
    let mut document = model_head(input);
    document.push(("fairness", if paths.fair { FAIRNESS_MODEL } else { FAIRNESS_NONE }.into()));
    document.push(("deadlock_paths", tree_json::deadlock_paths(paths).into()));
    document.push(("given", given.collect::<Value>().into()));
    document.push(("traces", Part::list(runs)));
    Part::Object(document)
}

/// What is said instead of a report when there is none.
pub fn failure(failed: &FailedCheck<'_>) -> Value {
    let mut error = match failed.why {
        WhyFailed::Model => bad_model(failed.bad),
        _ => json!({"message": failed.message, "help": failed.help, "diagnostics": []}),
    };
    match failed.why {
        WhyFailed::Stopped => error["unknown"] = json!(true),
        WhyFailed::Internal => error["internal"] = json!(true),
        WhyFailed::Model | WhyFailed::Request => {}
    }
    let mut document = head(failed.model);
    document.insert("error".into(), error);
    Value::Object(document)
}

/// What is wrong with models that cannot be used.
fn bad_model(all: &[BadModel]) -> Value {
    let settings = all.iter().flat_map(|bad| &bad.setting_errors).map(|error| {
        json!({
            "code": Code::Setting.name(), "severity": "error", "message": error.message, "constant": error.name,
            "help": error.help,
        })
    });
    let texts = all.iter().flat_map(|bad| diagnostics(&bad.source, &bad.diagnostics));
    let all: Vec<_> = settings.chain(texts).collect();
    json!({"message": "the model cannot be used", "help": null, "diagnostics": all})
}

/// The symmetric types, the group that was used and what broke more of it.
pub(crate) fn symmetry(input: &Input, report: &Report) -> Value {
    let system = &input.model.system;
    let used = report.results.iter().map(|result| result.symmetry).find(|used| *used != Reduction::None);
    let order = match used {
        Some(_) => group::order(system, &report.group),
        None => "1".to_string(),
    };
    let types = symmetric_types(system);
    json!({"used": used.unwrap_or(Reduction::None).name(), "order": order, "types": types, "broken": broken(input)})
}

/// How many permutations a group has, and the types whose elements it moves.
fn group_used(system: &System, group: &Symmetry) -> Value {
    json!({"order": group::order(system, group), "moves": group::moved(system, group)})
}

/// The symmetric types and what of their symmetry is left.
pub fn symmetric_types(system: &System) -> Value {
    let types = system.types.sorts().map(|(id, sort)| {
        let kind = match system.symmetry.sorts[id.index()] {
            ref whole if whole.is_whole(sort.size) => "full",
            SortGroup::Full(_) => "partial",
            SortGroup::Rotations => "ring",
            SortGroup::Fixed => "none",
        };
        json!({"name": sort.name, "size": sort.size, "kind": kind, "inferred": sort.inferred})
    });
    types.collect()
}

/// The places of the model that break symmetries.
pub fn broken(input: &Input) -> Value {
    let Some(hir) = input.model.hir() else { return json!([]) };
    let analysis = burnside_lang::symmetry::analyse(hir);
    let lines = Lines::new(&input.source.text);
    let breaks = analysis.breaks.iter().map(|found| {
        let (line, column) = lines.position(found.span.start);
        let name = &analysis.types.sort(found.sort).name;
        let place = json!({"type": name, "line": line, "column": column, "reason": found.reason.describe()});
        in_file(place, &input.source, &lines, found.span.start)
    });
    breaks.collect()
}

/// A place with the file that it is in, if that is not the model itself.
pub fn in_file(mut place: Value, source: &Source, lines: &Lines<'_>, at: u32) -> Value {
    if lines.file(at).is_some() {
        place["origin"] = json!(source.path_at(lines, at));
    }
    place
}

/// The run or tree that shows a result, if there is one.
pub fn shown<'a>(
    model: &'a Model,
    decoder: &'a TraceDecoder<'_>,
    result: &'a Answer,
    paths: TreeOptions,
) -> Option<Part<'a>> {
    if let Some((state, reason)) = reason::reason(model, result, paths) {
        if is_empty_tree(result, &reason) {
            return None;
        }
        let names = Names::of(model, &result.property);
        return Some(tree_json::evidence(decoder, &names, paths, state, &reason));
    }
    result.evidence.as_ref().map(|run| evidence(decoder, run))
}

/// Whether a tree shows a result.
pub fn has_tree(model: &Model, result: &Answer, paths: TreeOptions) -> bool {
    reason::reason(model, result, paths).is_some_and(|(_, reason)| !is_empty_tree(result, &reason))
}

/// Whether it only says that something is so everywhere.
fn is_empty_tree(result: &Answer, reason: &Reason<'_, '_>) -> bool {
    result.verdict == Verdict::Holds && matches!(reason.why, Why::Everywhere)
}

pub(crate) fn result<'a>(
    input: &'a Input,
    decoder: &'a TraceDecoder<'_>,
    result: &'a Answer,
    paths: TreeOptions,
) -> Part<'a> {
    let mut members = result_members(decoder.system, result);
    let expected = input.expected(&result.property, paths).map(Expected::name);
    members.insert(3, ("expected", expected.into()));
    let shown = shown(&input.model, decoder, result, paths);
    members.push(("evidence", shown.unwrap_or(Value::Null.into())));
    Part::Object(members)
}

/// What is said of a result, but for what shows it.
pub fn result_members<'a>(system: &System, result: &'a Answer) -> Vec<(&'static str, Part<'a>)> {
    let stop = match &result.verdict {
        Verdict::Unknown(stop) => Some(stop),
        Verdict::Holds | Verdict::Violated => None,
    };
    let mut figures = stats(&result.stats, result.symmetry != Reduction::None, result.unreduced.as_ref());
    figures["product_states"] = json!(result.stats.product.and_then(|product| told(product.states)));
    figures["product_transitions"] = json!(result.stats.product.map(|product| product.transitions));
    if let Some(hunt) = result.stats.hunt {
        figures["hunt"] = json!({"steps": hunt.steps, "found": hunt.found});
    }
    if let Some(branching) = result.stats.labelling {
        figures["judging"] = json!({
            "operations": branching.operations,
            "nodes": branching.nodes,
            "edges": branching.edges,
            "graph_bytes": branching.graph,
            "bitmap_bytes": branching.bitmaps,
            "number_bytes": branching.numbers,
            "stack_bytes": branching.stacks,
            "predecessor_bytes": branching.predecessors,
            "seconds": branching.time.as_secs_f64(),
        });
    }
    vec![
        ("property", result.property.as_str().into()),
        ("kind", result.kind.name().into()),
        ("verdict", verdict::word(&result.verdict).into()),
        ("reason", stop.map(Stop::to_string).into()),
        ("reason_code", stop.map(Stop::code).into()),
        ("value", result.value.into()),
        ("value_so_far", result.value_so_far.into()),
        ("vacuous", result.vacuous.as_deref().into()),
        ("within_constraint", result.within_constraint.into()),
        ("weighed", result.weighed.as_ref().map(ToString::to_string).into()),
        ("partial_order", partial_order(result).into()),
        ("engine", result.engine.name().into()),
        ("symmetry", result.symmetry.name().into()),
        ("group", group_used(system, &result.group).into()),
        ("method", result.method.map(Procedure::name).into()),
        ("automaton_symmetry", result.automaton_symmetry.map(Choice::name).into()),
        ("seconds", result.time.as_secs_f64().into()),
        ("stats", figures.into()),
    ]
}

/// Figures. Where no symmetry is used, every state stands for itself.
pub(crate) fn stats(stats: &Stats, reduced: bool, unreduced: Option<&Natural>) -> Value {
    let counted = reduced || stats.diagrams.is_some();
    let unreduced =
        if counted { unreduced.map(Natural::to_string) } else { told(stats.states).map(|it| it.to_string()) };
    json!({
        "states": told(stats.states),
        "transitions": stats.transitions,
        "states_unreduced": unreduced,
        "depth": stats.depth,
        "peak_memory": stats.memory,
        "diagrams": stats.diagrams.map(|it| json!({
            "peak_nodes": it.nodes,
            "relation_nodes": it.relation,
            "xi": it.xi.map(|xi| json!({"nodes": xi.nodes, "seconds": xi.time.as_secs_f64()})),
        })),
    })
}

/// A run.
pub fn evidence<'a>(decoder: &'a TraceDecoder<'_>, evidence: &'a Evidence) -> Part<'a> {
    let start = evidence.loop_start();
    let steps = decoder.steps(evidence).zip(&evidence.steps);
    let values = |step| decoder.typed.then(|| typed::arguments(decoder, step));
    let steps = steps.map(move |((decoded, changes), step)| step_part(decoded, values(step), changes));
    let states = evidence.states.iter().map(|state| cells_part(decoder, state));
    let fault = decoder.fault(evidence).map(|one| decoded_fault(decoder, &one));
    let mut run: Vec<(&str, Part<'a>)> = vec![
        ("kind", if start.is_some() { "lasso" } else { "path" }.into()),
        ("loop_start", start.into()),
        ("validated", true.into()),
    ];
    if start.is_some() {
        let units = explain(decoder.system, evidence).into_iter();
        run.push(("stutter", (evidence.end == End::Stutter).into()));
        run.push(("fairness", Part::list(units.map(|one| unit_fairness(&one).into()))));
        if decoder.typed {
            run.push(("explanation", explanation(&actors(decoder.system, evidence)).into()));
        }
    }
    run.extend([("steps", Part::list(steps)), ("states", Part::list(states))]);
    if decoder.typed {
        let values = evidence.states.iter().map(|state| typed::cells(decoder, state).into());
        run.push(("state_values", Part::list(values)));
    }
    run.push(("fault", fault.unwrap_or(Value::Null).into()));
    Part::Object(run)
}

/// Who moves in a loop and who waits; null if that is not known.
fn explanation(actors: &[Actor]) -> Value {
    let moves: Vec<&str> =
        actors.iter().filter(|one| one.waits.is_none()).map(|one| one.process.as_str()).collect();
    let waits = actors.iter().filter_map(|one| {
        let (why, enabled, disabled) = match one.waits? {
            Waiting::NeverEnabled => ("never_enabled", None, None),
            Waiting::Sometimes { enabled, disabled } => ("sometimes_enabled", Some(enabled), Some(disabled)),
            Waiting::Always => ("always_enabled", None, None),
        };
        let fair = match one.fairness {
            Fairness::Process(strong) => Some(strength(strong)),
            Fairness::Rules => Some("rules"),
            Fairness::None => None,
        };
        Some(json!({
            "process": one.process, "why": why, "enabled": enabled, "disabled": disabled, "fairness": fair
        }))
    });
    let waits: Vec<Value> = waits.collect();
    if actors.is_empty() { Value::Null } else { json!({"moves": moves, "waits": waits}) }
}

/// The name of a strength.
pub fn strength(strength: Strength) -> &'static str {
    strength.name()
}

/// How a fairness unit is treated by a run. `where` is the index of a step or of a state.
pub fn unit_fairness(unit: &UnitFairness) -> Value {
    let (how, place) = match unit.treatment {
        Treatment::Executed(step) => ("executed", Some(step)),
        Treatment::Disabled(state) => ("disabled", Some(state)),
        Treatment::NeverEnabled => ("never_enabled", None),
        Treatment::Neglected => (NEGLECTED, None),
    };
    json!({"unit": unit.name, "strength": strength(unit.strength), "how": how, "where": place})
}

/// One of many states.
pub fn cells_part<'a>(decoder: &'a TraceDecoder<'_>, state: &[u64]) -> Part<'a> {
    Part::Texts(decoder.cells(state).into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// A step.
pub fn step(decoded: &DecodedStep) -> Value {
    let arguments = object(decoded.arguments.iter().map(|(name, value)| (name.clone(), json!(value))));
    json!({"process": decoded.process, "rule": decoded.rule, "arguments": arguments})
}

/// One of the many steps of a run, with what it changes.
fn step_part<'a>(decoded: DecodedStep, values: Option<Value>, changes: Vec<Change>) -> Part<'a> {
    let changes = changes.into_iter().map(|change| (change.cell.into(), change.after));
    let mut members = step_members(decoded);
    members.extend(values.map(|values| ("argument_values", values.into())));
    members.push(("changes", Part::Texts(changes.collect())));
    Part::Object(members)
}

/// What is said of each of many steps.
pub fn step_members<'a>(decoded: DecodedStep) -> Vec<(&'static str, Part<'a>)> {
    let arguments = decoded.arguments.into_iter().map(|(name, value)| (name.into(), value));
    vec![
        ("process", Part::Text(decoded.process.into())),
        ("rule", Part::Text(decoded.rule.into())),
        ("arguments", Part::Texts(arguments.collect())),
    ]
}

/// A fault; `during` and `step` say when it happens.
pub fn decoded_fault(decoder: &TraceDecoder<'_>, decoded: &DecodedFault) -> Value {
    let site = decoder.system.site(decoded.fault.site);
    json!({
        "message": fault::describe(decoder.system, decoded.fault),
        "expression": site.text,
        "origin": decoder.origin(site),
        "line": site.line,
        "column": site.column,
        "during": decoded.during,
        "step": decoded.step.as_ref().map(step),
    })
}

/// The warnings about a model and what was given beside it.
pub fn warnings(input: &Input) -> Value {
    let given = input.external_warnings.iter();
    let given = given.flat_map(|(source, all)| diagnostics(source, all));
    diagnostics(&input.source, &input.warnings).into_iter().chain(given).collect()
}

fn diagnostics(source: &Source, all: &[Diagnostic]) -> Vec<Value> {
    let lines = Lines::new(&source.text);
    all.iter().map(|one| diagnostic(source, &lines, one)).collect()
}

fn diagnostic(source: &Source, lines: &Lines<'_>, diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let notes: Vec<_> = diagnostic.secondary.iter().map(|one| note(source, lines, one)).collect();
    json!({
        "code": diagnostic.code.name(),
        "severity": severity,
        "message": diagnostic.message,
        "origin": source.path_at(lines, diagnostic.primary.span.start),
        "place": note(source, lines, &diagnostic.primary),
        "notes": notes,
        "help": diagnostic.help,
    })
}

fn note(source: &Source, lines: &Lines<'_>, note: &Note) -> Value {
    let Span { start, end } = note.span;
    let ((line, column), (end_line, end_column)) = (lines.position(start), lines.position(end));
    let place = json!({
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "source": note.span.text(&source.text),
        "text": note.text,
    });
    in_file(place, source, lines, start)
}

/// What became of a partial order reduction; null if none was asked for.
fn partial_order(result: &Answer) -> Value {
    match result.partial_order {
        None => Value::Null,
        Some(PartialOrderUse::Reduced(states)) => json!({ "reduced": states, "off": null, "reason": null }),
        Some(PartialOrderUse::Off(why)) => {
            json!({ "reduced": null, "off": why.name(), "reason": why.to_string() })
        }
    }
}
