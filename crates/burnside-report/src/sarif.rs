//! SARIF 2.1.0, which code scanning reads: violations, open questions and diagnostics at their places.
//!
//! Entry points: [`report`] and [`failure`]. A violation stands at its property, a fault at the expression
//! that faults; the run that shows it is a code flow with a location for each step, the rule's, and the
//! state behind it. What is not known is a result of the kind `open`, whose level is `none` by the
//! standard. What holds is no result, unless its run is wanted. Of long runs the ends are told, and states
//! of many cells not at all.

use crate::decode::{Change, TraceDecoder};
use crate::document::Part;
use crate::flow;
use crate::input::{BadModel, Source};
use crate::outcome::{CheckReport, FailedCheck};
use crate::place::{Located, Place, Places, is_typed};
use crate::{fault, figures, json, verdict};
use burnside::{Answer, Choice, Kind, Symmetry as Reduction, Verdict};
use burnside_lang::diagnostic::{Code, Diagnostic, Severity};
use burnside_trace::{End, Evidence};
use burnside_ts::{Fault, visible};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

/// The schema of the documents.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What relative paths are relative to.
const BASE: &str = "%SRCROOT%";
/// The name of our fingerprints. What they are made of changes only together with it.
const FINGERPRINT: &str = "burnside/v1";

/// A report.
pub fn report(told: &CheckReport<'_>) -> io::Result<Vec<u8>> {
    let writer = ResultWriter::new(told);
    let (input, report) = (told.input, told.report);
    let answers =
        told.answers().filter(|(result, shown)| result.verdict != Verdict::Holds || !shown.is_empty());
    let answers = answers.map(|(result, shown)| writer.answer(result, shown));
    let mut seen = BTreeMap::new();
    let all: Vec<Value> = warned(told)
        .flat_map(|(source, all)| diagnostics(&writer.rules, &input.source.path, source, all, &mut seen))
        .collect();
    let unknown = report.results.iter().filter(|result| matches!(result.verdict, Verdict::Unknown(_)));
    let unknown = unknown.map(|result| notification("warning", &told.headline(result)));
    let omitted = told.omitted.map(|why| notification("warning", &format!("the runs are left out: {why}")));
    let uncounted = told.state_space.filter(|counts| counts.is_err());
    let uncounted = uncounted.map(|counts| notification("warning", &figures::state_space(counts)));
    let notifications: Vec<Value> = unknown.chain(uncounted).chain(omitted).collect();
    let verdicts: Map<String, Value> = report
        .results
        .iter()
        .map(|result| (result.property.clone(), json!(verdict::word(&result.verdict))))
        .collect();
    let properties = json!({
        "model": input.source.path,
        "constants": json::constants(&input.model),
        "symmetry": json::symmetry(input, report),
        "state_space": told.state_space.map(json::counts),
        "verdicts": verdicts,
    });
    let results = Part::list(answers.chain(all.into_iter().map(Part::Value)));
    document(&writer.rules, true, notifications, results, properties).text()
}

/// Why there is no report: a result for each diagnostic, and a notification.
pub fn failure(failed: &FailedCheck<'_>) -> io::Result<Vec<u8>> {
    let all = failed.bad.iter().flat_map(|bad| &bad.diagnostics);
    let is_set = failed.bad.iter().any(|bad| !bad.setting_errors.is_empty());
    let rules = Rules::new([], is_set.then_some(Code::Setting).into_iter().chain(all.map(|one| one.code)));
    let mut seen = BTreeMap::new();
    let results = failed.bad.iter().flat_map(|bad| {
        let mut results = settings(&rules, bad, &mut seen);
        results.extend(diagnostics(&rules, failed.model, &bad.source, &bad.diagnostics, &mut seen));
        results
    });
    let results: Vec<Value> = results.collect();
    let help = failed.help.map(|help| format!(" (help: {help})")).unwrap_or_default();
    let notification = notification("error", &format!("{}{help}", failed.message));
    let properties = json!({"model": failed.model, "failure": failed.why.name()});
    let results = Part::list(results.into_iter().map(Part::Value));
    document(&rules, false, vec![notification], results, properties).text()
}

/// A log with one run.
fn document<'a>(
    rules: &Rules,
    successful: bool,
    notifications: Vec<Value>,
    results: Part<'a>,
    properties: Value,
) -> Part<'a> {
    let version = env!("CARGO_PKG_VERSION");
    let rules: Vec<&Value> = rules.0.iter().map(|(_, rule)| rule).collect();
    let driver = json!({"name": "Burnside", "version": version, "semanticVersion": version, "rules": rules});
    let base = json!({"description": {"text": "The directory in which burnside was run"}});
    let run = Part::Object(vec![
        ("tool", json!({"driver": driver}).into()),
        (
            "invocations",
            json!([{"executionSuccessful": successful, "toolExecutionNotifications": notifications}]).into(),
        ),
        ("originalUriBaseIds", json!({BASE: base}).into()),
        ("columnKind", "unicodeCodePoints".into()),
        ("results", results),
        ("properties", properties.into()),
    ]);
    Part::Object(vec![
        ("$schema", SCHEMA.into()),
        ("version", "2.1.0".into()),
        ("runs", Part::list([run].into_iter())),
    ])
}

/// What results are about, in the order of the document.
struct Rules(Vec<(String, Value)>);

impl Rules {
    fn new(kinds: impl IntoIterator<Item = Kind>, codes: impl Iterator<Item = Code>) -> Self {
        let kinds = kinds.into_iter().map(|kind| (kind.name().to_string(), of_kind(kind)));
        let codes = codes.map(|code| (code.to_string(), of_code(code)));
        let mut rules: Vec<(String, Value)> = Vec::new();
        for rule in kinds.chain(codes) {
            if !rules.iter().any(|(known, _)| *known == rule.0) {
                rules.push(rule);
            }
        }
        Self(rules)
    }

    fn index(&self, id: &str) -> Option<usize> {
        self.0.iter().position(|(known, _)| known == id)
    }
}

/// A kind of property as a rule.
fn of_kind(kind: Kind) -> Value {
    let help = match kind {
        Kind::Faults => {
            "No step of the model faults: no value leaves its range, no index its array, no assertion fails. The run ends in the step that does; the result stands at the expression."
        }
        Kind::Deadlock => {
            "In every reachable state some rule is enabled. The run ends in a state in which none is. `deadlock allowed;` in the model says that this is meant."
        }
        Kind::Invariant => {
            "The condition is true in every reachable state. The run ends in a state in which it is false."
        }
        Kind::Reachable => {
            "The condition is true in some reachable state. If it is violated there is no run to show: no state makes it true."
        }
        Kind::Never => "No consecutive states of a run match the sequence. The last states of the run do.",
        Kind::Ltl => {
            "The formula is true of every fair run. The run, which ends in a loop or stays in a deadlock, is fair, and the formula is false of it."
        }
        Kind::Ctl => {
            "The formula is true in every initial state. The runs show why it is false in one of them."
        }
        Kind::Automaton => "The automaton accepts no fair run. It accepts the one that is shown.",
        Kind::Bound => "The greatest value of a sum of places of a net. The run reaches it.",
    };
    json!({
        "id": kind.name(),
        "shortDescription": {"text": braced(kind.help())},
        "help": {"text": braced(help)},
        "defaultConfiguration": {"level": "error"},
    })
}

/// A code of diagnostics as a rule.
fn of_code(code: Code) -> Value {
    json!({
        "id": code.name(),
        "shortDescription": {"text": code.title()},
        "help": {"text": format!("{}. `burnside explain {code}` says more.", code.title()), "markdown": code.page()},
    })
}

/// Tells the answers of a report.
struct ResultWriter<'a> {
    told: &'a CheckReport<'a>,
    decoder: TraceDecoder<'a>,
    places: Places<'a>,
    rules: Rules,
}

impl<'a> ResultWriter<'a> {
    fn new(told: &'a CheckReport<'a>) -> Self {
        let kinds = told.report.results.iter().map(|result| result.kind);
        let codes = warned(told).flat_map(|(_, all)| all).map(|one| one.code);
        Self {
            told,
            decoder: TraceDecoder::new(&told.input.model),
            places: Places::new(told.input),
            rules: Rules::new(kinds, codes),
        }
    }

    /// The result for a property.
    fn answer<'t>(&'t self, result: &'t Answer, shown: &str) -> Part<'t> {
        let (kind, level) = match result.verdict {
            Verdict::Holds => ("pass", "none"),
            Verdict::Violated => ("fail", "error"),
            Verdict::Unknown(_) => ("open", "none"),
        };
        let id = result.kind.name();
        let run = self.told.run(result);
        let fault = run.as_deref().and_then(|run| match run.end {
            End::Fault(_, fault) | End::Undefined(fault) => Some(fault),
            End::State | End::Loop(_) | End::Stutter => None,
        });
        let property = self.places.property(&result.property);
        let logical = json!([{"name": result.property, "kind": "property"}]);
        let mut members: Vec<(&'static str, Part<'t>)> = vec![
            ("ruleId", id.into()),
            ("ruleIndex", self.rules.index(id).into()),
            ("kind", kind.into()),
            ("level", level.into()),
            ("message", message(&self.told.headline(result)).into()),
        ];
        let primary = match fault {
            Some(fault) => {
                let declared = location(&property, Some("the property"), None);
                members.push(("relatedLocations", json!([declared]).into()));
                self.places.site(self.decoder.system.site(fault.site))
            }
            None => property,
        };
        members.push(("locations", json!([quoting(&primary, logical)]).into()));
        let runs = flow::runs(self.told, result);
        if !runs.is_empty() {
            let flows = runs.into_iter().map(|(about, run)| self.flow(result, &about, run));
            members.push(("codeFlows", Part::list(flows)));
        }
        members.push(("partialFingerprints", self.fingerprint(result, fault).into()));
        members.push(("properties", properties(result, shown).into()));
        Part::Object(members)
    }

    /// It stays as it is when the text around it changes.
    fn fingerprint(&self, result: &Answer, fault: Option<Fault>) -> Value {
        let site = fault.map_or("", |fault| &self.decoder.system.site(fault.site).text);
        let word = verdict::word(&result.verdict);
        json!({FINGERPRINT: hash(&[result.kind.name(), &result.property, word, site])})
    }

    /// A run.
    fn flow<'t>(&'t self, result: &'t Answer, about: &str, run: Cow<'t, Evidence>) -> Part<'t> {
        let thread = vec![("locations", Part::list(self.steps(result, run)))];
        Part::Object(vec![
            ("message", message(about).into()),
            ("threadFlows", Part::list([Part::Object(thread)].into_iter())),
        ])
    }

    /// The locations of a run: the first state, the steps, and where it faults.
    fn steps<'t>(
        &'t self,
        result: &'t Answer,
        run: Cow<'t, Evidence>,
    ) -> impl Iterator<Item = Part<'t>> + 't {
        let length = run.steps.len();
        let ends = flow::ends(length);
        let fault = self.fault(result, &run);
        let first = (!run.states.is_empty()).then_some(0);
        let steps = ends.into_iter().flatten().map(|at| at + 1);
        let mut last = 0;
        let told = first.into_iter().chain(steps).flat_map(move |at| {
            let hidden = at.saturating_sub(last + 1);
            last = at;
            let gap = (hidden > 0).then(|| self.gap(at - 1, hidden));
            [gap, Some(self.step(&run, at))].into_iter().flatten()
        });
        told.chain(fault).map(Part::Value)
    }

    /// A state of a run with the step that leads to it.
    fn step(&self, run: &Evidence, at: usize) -> Value {
        let start = run.loop_start();
        let state = run.states.get(at).or_else(|| run.states.get(start?));
        let (place, text) = match at.checked_sub(1) {
            None => (self.places.model(), "initial state".to_string()),
            Some(index) => {
                let (decoded, changes) = self.decoder.step_of(run, index);
                let (process, call) = decoded.parts();
                let who = format!("{process} {call}");
                let place = self.places.rule(run.steps[index].rule);
                (place, format!("{}: {}", who.trim_end(), changed(&changes)))
            }
        };
        let end = match run.end {
            End::Loop(start) if at == run.steps.len() => match start {
                0 => "; back to the initial state".to_string(),
                start => format!("; back to the state after step {start}"),
            },
            End::Stutter if at == run.steps.len() => {
                "; no rule is enabled any more: the run stays here for ever".to_string()
            }
            _ => String::new(),
        };
        let is_looping = matches!(run.end, End::Loop(start) if at > start);
        let head = if is_looping { "in the loop: " } else { "" };
        let mut told = json!({
            "location": location(&place, Some(&format!("{at}: {head}{text}{end}")), None),
            "executionOrder": at,
        });
        let cells = state.filter(|_| self.decoder.leaves.len() <= flow::MAX_CELLS);
        if let Some(state) = cells {
            let cells = self.decoder.cells(state);
            let cells = cells.into_iter().map(|(name, value)| (name.to_string(), json!({"text": value})));
            told["state"] = Value::Object(cells.collect());
        }
        told
    }

    /// Where steps are left out.
    fn gap(&self, at: usize, hidden: usize) -> Value {
        let text = format!("{hidden} steps are left out; `--trace FILE` records all");
        json!({"location": location(&self.places.model(), Some(&text), None), "executionOrder": at})
    }

    /// Where a run faults, if it does.
    fn fault(&self, result: &Answer, run: &Evidence) -> Option<Value> {
        let fault = self.decoder.fault(run)?;
        let site = self.decoder.system.site(fault.fault.site);
        let at = run.steps.len() + 1;
        let what = fault::describe(self.decoder.system, fault.fault);
        let text = match (&fault.step, &run.end) {
            (Some(step), _) => {
                let (process, call) = step.parts();
                format!("{at}: {} faults: {what}", format!("{process} {call}").trim_end())
            }
            (None, End::Undefined(_)) => format!("evaluating `{}` here faults: {what}", result.property),
            (None, _) => format!("the initialisation faults: {what}"),
        };
        Some(json!({
            "location": location(&self.places.site(site), Some(&text), None),
            "executionOrder": at,
        }))
    }
}

/// The warnings of a report, text by text.
fn warned<'a>(told: &CheckReport<'a>) -> impl Iterator<Item = (&'a Source, &'a [Diagnostic])> + use<'a> {
    let external = told.input.external_warnings.iter().map(|(source, all)| (source, all.as_slice()));
    std::iter::once((&told.input.source, told.input.warnings.as_slice())).chain(external)
}

/// What programs may want to know of an answer.
fn properties(result: &Answer, shown: &str) -> Value {
    let reduced = result.symmetry != Reduction::None;
    json!({
        "property": result.property,
        "text": result.text,
        "verdict": verdict::word(&result.verdict),
        "engine": result.engine.name(),
        "seconds": result.time.as_secs_f64(),
        "stats": json::stats(&result.stats, reduced, result.unreduced.as_ref()),
        "shown": shown,
    })
}

/// What a step changes, in a line.
fn changed(changes: &[Change]) -> String {
    let one = |change: &Change| format!("{}: {} -> {}", change.cell, change.before, change.after);
    let shown = changes.iter().take(flow::MAX_CHANGES).map(one).collect::<Vec<_>>().join(", ");
    match changes.len() {
        0 => "changes nothing".to_string(),
        all if all > flow::MAX_CHANGES => format!("{shown} and {} more", all - flow::MAX_CHANGES),
        _ => shown,
    }
}

/// Diagnostics about a text. `seen` tells equal ones apart.
fn diagnostics(
    rules: &Rules,
    model: &str,
    source: &Source,
    all: &[Diagnostic],
    seen: &mut BTreeMap<String, usize>,
) -> Vec<Value> {
    let located = Located::new(source);
    let typed = is_typed(source);
    let place = |span| match typed {
        true => Place { path: model.to_string(), region: None },
        false => located.span(span),
    };
    let result = |one: &Diagnostic| {
        let level = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let whose = if typed { format!("{}: ", source.path) } else { String::new() };
        let label = Some(one.primary.text.as_str()).filter(|label| !label.is_empty());
        let label = label.map(|label| format!(" ({label})")).unwrap_or_default();
        let help = one.help.as_ref().map(|help| format!("; help: {help}")).unwrap_or_default();
        let notes = one.secondary.iter().map(|note| location(&place(note.span), Some(&note.text), None));
        let text = one.primary.span.text(&source.text);
        let print = unique(hash(&[one.code.name(), text, &one.message]), seen);
        json!({
            "ruleId": one.code.name(),
            "ruleIndex": rules.index(one.code.name()),
            "kind": "fail",
            "level": level,
            "message": message(&format!("{whose}{}{label}{help}", one.message)),
            "locations": [quoting(&place(one.primary.span), Value::Null)],
            "relatedLocations": distinct(notes),
            "partialFingerprints": {FINGERPRINT: print},
        })
    };
    all.iter().map(result).collect()
}

/// Constants that could not be set.
fn settings(rules: &Rules, bad: &BadModel, seen: &mut BTreeMap<String, usize>) -> Vec<Value> {
    let result = |error: &burnside::diagnostics::SettingError| {
        let help = error.help.as_ref().map(|help| format!("; help: {help}")).unwrap_or_default();
        let place = Place { path: bad.source.path.clone(), region: None };
        let print = unique(hash(&[Code::Setting.name(), &error.name, &error.message]), seen);
        json!({
            "ruleId": Code::Setting.name(),
            "ruleIndex": rules.index(Code::Setting.name()),
            "kind": "fail",
            "level": "error",
            "message": message(&format!("--set {}: {}{help}", error.name, error.message)),
            "locations": [quoting(&place, Value::Null)],
            "partialFingerprints": {FINGERPRINT: print},
        })
    };
    bad.setting_errors.iter().map(result).collect()
}

/// Something about the whole.
fn notification(level: &str, text: &str) -> Value {
    json!({"level": level, "message": message(text)})
}

fn message(text: &str) -> Value {
    json!({"text": braced(&visible(text))})
}

/// In messages braces are around placeholders, so those that are none are doubled.
fn braced(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// All different, in their order.
fn distinct(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// A place with what is said about it.
fn location(place: &Place, text: Option<&str>, logical: Option<Value>) -> Value {
    let mut physical = json!({"artifactLocation": artifact(&place.path)});
    if let Some(region) = &place.region {
        let ((line, column), (end_line, end_column)) = (region.start, region.end);
        physical["region"] =
            json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column});
    }
    let mut location = json!({"physicalLocation": physical});
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        location["message"] = message(text);
    }
    if let Some(logical) = logical {
        location["logicalLocations"] = logical;
    }
    location
}

/// A place with what stands there.
fn quoting(place: &Place, logical: Value) -> Value {
    let mut location = location(place, None, Some(logical).filter(|logical| !logical.is_null()));
    if let Some(region) = place.region.as_ref().filter(|region| !region.text.is_empty()) {
        location["physicalLocation"]["region"]["snippet"] = json!({"text": region.text});
    }
    location
}

/// A file: relative to where the program was run, unless its path is absolute.
fn artifact(path: &str) -> Value {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    let is_drive = cfg!(windows) && path.chars().nth(1) == Some(':');
    match path.starts_with('/') || is_drive {
        true => json!({"uri": format!("file:///{}", encoded(path.trim_start_matches('/'), is_drive))}),
        false => {
            let mut relative = path.as_str();
            while let Some(rest) = relative.strip_prefix("./") {
                relative = rest.trim_start_matches('/');
            }
            json!({"uri": encoded(relative, false), "uriBaseId": BASE})
        }
    }
}

/// A path as a part of a URI. A colon would end a scheme, so only those of drives stay.
fn encoded(path: &str, is_drive: bool) -> String {
    let mut out = String::with_capacity(path.len());
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            b':' if is_drive && at == 1 => out.push(':'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A number for texts that never changes (FNV-1a with 64 bits).
fn hash(parts: &[&str]) -> String {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

/// The hash with how often there was an equal one before.
fn unique(hash: String, seen: &mut BTreeMap<String, usize>) -> String {
    let count = seen.entry(hash.clone()).or_default();
    *count += 1;
    format!("{hash}:{count}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        let relative = |uri: &str| json!({"uri": uri, "uriBaseId": BASE});
        assert_eq!(artifact("examples/a.orb"), relative("examples/a.orb"));
        assert_eq!(artifact("././/a b.orb"), relative("a%20b.orb"));
        assert_eq!(artifact("../ü#1?.orb"), relative("../%C3%BC%231%3F.orb"));
        assert_eq!(artifact("c:50%.orb"), relative("c%3A50%25.orb"));
        assert_eq!(artifact("<stdin>"), relative("%3Cstdin%3E"));
        #[cfg(unix)]
        assert_eq!(artifact("/tmp/m[1].orb"), json!({"uri": "file:///tmp/m%5B1%5D.orb"}));
    }

    /// They are in files of others, so these numbers are for ever.
    #[test]
    fn fingerprints_do_not_change() {
        assert_eq!(hash(&[]), "cbf29ce484222325");
        assert_eq!(hash(&["invariant", "mutex", "violated", ""]), "28660e2ece66a29a");
        let mut seen = BTreeMap::new();
        assert_eq!([(); 2].map(|()| unique("a".into(), &mut seen)), ["a:1", "a:2"]);
    }

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(message("s: {} -> {1}"), json!({"text": "s: {{}} -> {{1}}"}));
    }
}
