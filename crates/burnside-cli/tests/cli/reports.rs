//! Reports in formats of others: JUnit's XML, SARIF and Markdown. Every document is judged by its schema in
//! `tests/schemas` and by what the standard says beside it, and says the same as the JSON document.

use super::*;
use burnside_testkit::cases::{files, named};
use burnside_testkit::json_schema::JsonSchema;
use burnside_testkit::xml_schema::XmlSchema;
use roxmltree::{Document, Node};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const FORMATS: [&str; 3] = ["junit", "sarif", "markdown"];
/// Verdicts by property.
type Verdicts = BTreeMap<String, String>;

fn schema_text(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/schemas").join(name)).expect("the schema can be read")
}

/// What is wrong with a text as a SARIF document.
fn sarif_errors(document: &Value) -> Vec<String> {
    static SCHEMA: OnceLock<JsonSchema> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| JsonSchema::new(&schema_text("sarif-2.1.0.json")).expect("a schema"));
    let mut errors = schema.errors(document);
    errors.extend(nonconforming(document));
    errors
}

/// What the standard says and no schema can.
fn nonconforming(document: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().into_iter().flatten();
    let ids: Vec<&Value> = rules.map(|rule| &rule["id"]).collect();
    if ids.iter().enumerate().any(|(at, id)| ids[..at].contains(id)) {
        errors.push(format!("rules with one id: {ids:?}"));
    }
    for result in run["results"].as_array().into_iter().flatten() {
        let index = result["ruleIndex"].as_u64().map(|index| index as usize);
        let rule = index.map(|index| &run["tool"]["driver"]["rules"][index]["id"]);
        if rule != Some(&result["ruleId"]) {
            errors.push(format!("ruleIndex {index:?} is not {}", result["ruleId"]));
        }
        if (result["kind"] == "fail") == (result["level"] == "none") {
            errors.push(format!("kind {} with level {}", result["kind"], result["level"]));
        }
        if result["locations"].as_array().is_none_or(Vec::is_empty) {
            errors.push("a result without a place".into());
        }
    }
    each(document, &mut |key, value| match key {
        "uriBaseId" if run["originalUriBaseIds"].get(value.as_str().unwrap_or("")).is_none() => {
            errors.push(format!("no base {value}"));
        }
        "region" => {
            let number = |name: &str| value[name].as_u64().unwrap_or(0);
            let place = |which: &str, line: &str| (number(line), number(which));
            if place("endColumn", "endLine") < place("startColumn", "startLine") {
                errors.push(format!("{value} ends before it begins"));
            }
        }
        "message" => {
            // Placeholders would need arguments.
            let text = value["text"].as_str().unwrap_or("").replace("{{", "").replace("}}", "");
            if text.is_empty() || text.contains(['{', '}']) {
                errors.push(format!("message {value}"));
            }
        }
        _ => {}
    });
    errors
}

/// Every member of every object, with its key. What is ours alone is left out.
fn each(value: &Value, look: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            members.iter().filter(|(key, _)| *key != "properties").for_each(|(key, value)| {
                look(key, value);
                each(value, look);
            })
        }
        Value::Array(items) => items.iter().for_each(|item| each(item, look)),
        _ => {}
    }
}

/// What is wrong with a text as JUnit's XML.
fn junit_errors(text: &str) -> Vec<String> {
    static SCHEMA: OnceLock<XmlSchema> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| XmlSchema::new(&schema_text("junit.xsd")).expect("a schema"));
    let mut errors = schema.errors(text, "testsuites");
    let Ok(document) = Document::parse(text) else { return errors };
    let suites = |node: &Node<'_, '_>| ["testsuite", "testsuites"].contains(&node.tag_name().name());
    for suite in document.descendants().filter(suites) {
        let count = |name: &str| suite.descendants().filter(|node| node.has_tag_name(name)).count();
        for (attribute, element) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            let counted = suite.attribute(attribute).map(|counted| counted.parse() == Ok(count(element)));
            if counted == Some(false) {
                errors.push(format!("{attribute} are not {}", count(element)));
            }
        }
    }
    errors
}

/// What is wrong with a text as Markdown of ours.
fn markdown_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let (mut fence, mut depth, mut columns) = (None, 0, None);
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match (&fence, ticks >= 3) {
            (None, true) => fence = Some("`".repeat(ticks)),
            (Some(opened), true) if line == opened => fence = None,
            (None, false) => {
                depth += i32::from(line == "<details>") - i32::from(line == "</details>");
                let cells = line.starts_with('|').then(|| line.matches('|').count());
                if cells.is_some() && columns.is_some() && cells != columns {
                    errors.push(format!("another number of cells: {line}"));
                }
                columns = cells;
            }
            _ => {}
        }
    }
    if fence.is_some() || depth != 0 || !text.starts_with("## Burnside: ") || !text.ends_with('\n') {
        errors.push("the parts do not end".into());
    }
    errors
}

#[track_caller]
fn valid(format: &str, out: &str) {
    let errors = match format {
        "junit" => junit_errors(out),
        "sarif" => match serde_json::from_str(out) {
            Ok(document) => sarif_errors(&document),
            Err(error) => vec![error.to_string()],
        },
        _ => markdown_errors(out),
    };
    assert_eq!(errors, Vec::<String>::new(), "{format}:\n{out}");
}

/// The verdicts that a document tells.
fn told(format: &str, out: &str) -> Verdicts {
    match format {
        "json" => verdicts_in(&serde_json::from_str(out).unwrap()).into_iter().collect(),
        "sarif" => {
            let document: Value = serde_json::from_str(out).unwrap();
            let verdicts =
                document["runs"][0]["properties"]["verdicts"].as_object().expect("verdicts").clone();
            verdicts.into_iter().map(|(name, word)| (name, word.as_str().unwrap().to_string())).collect()
        }
        "junit" => {
            let document = Document::parse(out).unwrap();
            // The size of the state space is no property.
            let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
            let cases = cases.filter(|case| case.attribute("name") != Some("StateSpace"));
            let word = |case: &Node<'_, '_>| {
                let has = |name: &str| case.children().any(|child| child.has_tag_name(name));
                if has("failure") {
                    "violated"
                } else if has("error") {
                    "unknown"
                } else {
                    "holds"
                }
            };
            cases.map(|case| (case.attribute("name").unwrap().to_string(), word(&case).to_string())).collect()
        }
        _ => {
            let rows = out.lines().filter(|line| line.starts_with("| ")).skip(2);
            let cell = |row: &str, at: usize| row.split('|').nth(at).unwrap().trim().to_string();
            let name = |row: &str| cell(row, 1).split('`').nth(1).expect("a plain name").to_string();
            rows.map(|row| (name(row), cell(row, 3).replace('*', ""))).collect()
        }
    }
}

/// Runs a check in every format. All documents are right and say the same as the JSON document. Gives it,
/// with those of the others.
#[track_caller]
fn in_all_formats(args: &[&str]) -> (Ran, BTreeMap<&'static str, String>) {
    let run_as = |format: &str| run(&[&["check"], args, &["--quiet", "--format", format]].concat());
    let expected = run_as("json");
    let document = expected.json();
    let mut outs = BTreeMap::new();
    for format in FORMATS {
        let ran = run_as(format).code(expected.code);
        valid(format, &ran.out);
        match document.get("error") {
            None => assert_eq!(told(format, &ran.out), told("json", &expected.out), "{format}"),
            Some(error) => {
                let message = error["message"].as_str().unwrap().split('`').next().unwrap().trim();
                assert!(ran.out.contains(message), "{format}: {message}\n{}", ran.out);
            }
        }
        outs.insert(format, ran.out);
    }
    (expected, outs)
}

fn sarif_of(outs: &BTreeMap<&str, String>) -> Value {
    serde_json::from_str(&outs["sarif"]).expect("a document")
}

/// The result for a property or code, and the text at its place.
fn result_in<'d>(document: &'d Value, about: &str) -> &'d Value {
    let results = document["runs"][0]["results"].as_array().expect("results").iter();
    let is = |result: &&Value| result["properties"]["property"] == about || result["ruleId"] == about;
    results.clone().find(is).unwrap_or_else(|| panic!("no result for {about}"))
}

/// File, start, end and text of the place of a result.
fn place(result: &Value) -> (String, [u64; 4], String) {
    let place = &result["locations"][0]["physicalLocation"];
    let number = |name: &str| place["region"][name].as_u64().unwrap_or(0);
    let region = ["startLine", "startColumn", "endLine", "endColumn"].map(number);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    (text(&place["artifactLocation"]["uri"]), region, text(&place["region"]["snippet"]["text"]))
}

#[test]
fn every_example_is_told_in_every_format() {
    let mut seen = BTreeMap::new();
    for path in named(examples()) {
        let name = path.rsplit('/').next().unwrap();
        let (json, _) = in_all_formats(&[&format!("examples/{name}"), "--max-states", "1000"]);
        for (_, verdict) in told("json", &json.out) {
            *seen.entry(verdict).or_insert(0) += 1;
        }
    }
    let net = "examples/heljanko_mutex.pnml";
    in_all_formats(&[net]);
    in_all_formats(&[net, "--ltl", "G F critical > 0", "--bound", "critical"]);
    in_all_formats(&[net, "--global", "OneSafe", "--global", "StateSpace"]);
    // Also an unknown size of the state space is told: the exit code says it too.
    let (json, outs) =
        in_all_formats(&["examples/heljanko_mutex.pnml", "--global", "StateSpace", "--max-states", "3"]);
    assert_eq!(json.code, 3);
    for (_, out) in outs {
        assert!(out.contains("state space: unknown (the limit of 3 states is reached)"), "{out}");
    }
    if burnside_testkit::cases::are_all() {
        let words: Vec<&str> = seen.keys().map(String::as_str).collect();
        assert_eq!(words, ["holds", "unknown", "violated"], "{seen:?}");
    }
}

/// Models that are refused, that fault, and whose properties are trees.
#[test]
fn tiny_models_are_told_in_every_format() {
    let mut codes = BTreeMap::new();
    let telling = ["rejected", "fault", "ctl_f", "reachable", "never_"];
    for path in files(root().join("tests/models"), "orb") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if telling.iter().any(|part| name.contains(part)) {
            let (json, _) = in_all_formats(&[&format!("tests/models/{name}")]);
            *codes.entry(json.code).or_insert(0) += 1;
        }
    }
    if burnside_testkit::cases::are_all() {
        assert!(codes[&1] > 20 && codes[&2] > 20, "{codes:?}");
    }
}

const COUNTER: &str = "\
// ünïcode before it
var x: 0..5 = 0; var s: set of 0..1 = {};
fair process P {
    rule up when x < 5 { x = x + 1; s.add(x % 2); }
}
deadlock allowed;
invariant small = /* é */  x <
    3;
reachable far = x == 5 && 1 in s;
ltl end = F x > 7;
ctl back = AG EF x == 0;
";

#[test]
fn violations_stand_at_their_properties() {
    let path = model_file("a b.orb", COUNTER);
    let ran = run(&["check", &path, "--format", "sarif", "-q"]).code(1);
    valid("sarif", &ran.out);
    let document = ran.json();
    let uri = format!("file://{}", path.replace(' ', "%20"));
    let small = result_in(&document, "small");
    assert_eq!(place(small), (uri.clone(), [7, 28, 8, 6], "x <\n    3".into()));
    assert_eq!((&small["level"], &small["kind"]), (&json!("error"), &json!("fail")));
    assert_eq!(small["message"]["text"], "invariant `small`: violated, after 3 steps");
    let steps = small["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let texts: Vec<&str> =
        steps.iter().map(|step| step["location"]["message"]["text"].as_str().unwrap()).collect();
    let first = "0: initial state";
    assert_eq!(texts[..2], [first, "1: P up: x: 0 -> 1, s: {{}} -> {{1}}"]);
    assert_eq!(texts.len(), 4);
    assert_eq!(steps[1]["location"]["physicalLocation"]["region"]["startLine"], 4);
    assert_eq!(steps[3]["state"], json!({"x": {"text": "3"}, "s": {"text": "{0, 1}"}}));
    let end = result_in(&document, "end");
    let steps = end["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let last = steps.last().unwrap()["location"]["message"]["text"].as_str().unwrap();
    assert!(last.ends_with("; no rule is enabled any more: the run stays here for ever"), "{last}");
    let back = result_in(&document, "back");
    assert_eq!(back["codeFlows"].as_array().unwrap().len(), 1);
    assert!(
        back["codeFlows"][0]["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("false where this run begins: AG")
    );
    let all = document["runs"][0]["results"].as_array().unwrap();
    assert_eq!(all.len(), 3, "what holds is no result");
}

#[test]
fn loops_are_told() {
    let (_, outs) = in_all_formats(&["examples/resource.orb", "--set", "N=3"]);
    let document = sarif_of(&outs);
    let steps = result_in(&document, "access")["codeFlows"][0]["threadFlows"][0]["locations"].clone();
    let texts: Vec<String> = steps
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["location"]["message"]["text"].to_string())
        .collect();
    assert_eq!(texts.iter().filter(|text| text.contains("in the loop: ")).count(), 5, "{texts:?}");
    assert!(texts[7].ends_with("; back to the state after step 2\""), "{texts:?}");
    for format in ["junit", "markdown"] {
        assert!(outs[format].contains("back to the state after step 2\n"), "{}", outs[format]);
        assert!(outs[format].contains("N"), "{}", outs[format]);
    }
}

#[test]
fn faults_stand_at_their_expressions() {
    let text =
        "var x: 0..2 = 0;\nprocess P { rule up {\n  x = x + 1; } }\ninvariant odd = 4 / (1 - x) != 9;\n";
    let path = model_file("fault.orb", text);
    let (_, outs) = in_all_formats(&[&path]);
    let document = sarif_of(&outs);
    let faults = result_in(&document, "faults");
    let uri = format!("file://{path}");
    let (file, [line, ..], snippet) = place(faults);
    assert_eq!((&file, line), (&uri, 3), "{snippet}");
    assert!(snippet.contains("x + 1"), "{snippet}");
    assert_eq!(faults["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], uri.as_str());
    let odd = result_in(&document, "odd");
    let (_, [line, column, ..], snippet) = place(odd);
    assert_eq!((line, column), (4, 17), "{snippet}");
    assert!(snippet.starts_with("4 /"), "{snippet}");
    let steps = odd["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let last = steps.last().unwrap()["location"]["message"]["text"].as_str().unwrap();
    assert!(last.starts_with("evaluating `odd` here faults: "), "{last}");
    assert_eq!(odd["relatedLocations"][0]["physicalLocation"]["region"]["startColumn"], 17);
}

#[test]
fn diagnostics_stand_at_their_places() {
    let path = model_file("wrong.orb", "var x: bol;\nvar x: 0..3;\nprocess P { rule r { x = 1; } }\n");
    let ran = run(&["check", &path, "--format", "sarif", "--set", "K=1"]).code(2);
    valid("sarif", &ran.out);
    let document = ran.json();
    let (_, region, text) = place(result_in(&document, "unknown-type"));
    assert_eq!((region, text.as_str()), ([1, 8, 1, 11], "bol"));
    let twice = result_in(&document, "duplicate-name");
    assert_eq!(twice["relatedLocations"][0]["message"]["text"], "first here");
    let run_of = &document["runs"][0];
    assert_eq!(run_of["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run_of["tool"]["driver"]["rules"].as_array().unwrap().len(), 3);
    // Warnings too, of models that are checked.
    let path = model_file("warned.orb", "var x: bool; var y: bool;\nprocess P { rule r { x = !x; } }\n");
    let (_, outs) = in_all_formats(&[&path]);
    let document = sarif_of(&outs);
    let unused = result_in(&document, "unused-variable");
    assert_eq!((&unused["level"], place(unused).2.as_str()), (&json!("warning"), "y"));
    assert!(outs["markdown"].contains("warning, "), "{}", outs["markdown"]);
    // A constant that does not exist.
    let ran = run(&["check", &path, "--format", "sarif", "--set", "K=1"]).code(2);
    valid("sarif", &ran.out);
    assert!(result_in(&ran.json(), "setting")["message"]["text"].as_str().unwrap().starts_with("--set K: "));
}

/// What was typed stands in no file: its place is the model.
#[test]
fn what_comes_from_outside_has_a_place() {
    let automaton = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x > 2\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[t] 0\n--END--\n";
    let (path, hoa) = (model_file("outside.orb", COUNTER), model_file("all.hoa", automaton));
    let (_, outs) =
        in_all_formats(&[&path, "--never", &hoa, "--invariant", "x < 2", "--invariant", "4 / (1 - x) != 9"]);
    let document = sarif_of(&outs);
    assert_eq!(place(result_in(&document, "all")).0, format!("file://{hoa}"));
    let (model, nowhere) = (format!("file://{path}"), [0; 4]);
    assert_eq!(place(result_in(&document, "invariant-1")), (model.clone(), nowhere, String::new()));
    assert_eq!(place(result_in(&document, "invariant-2")), (model.clone(), nowhere, String::new()));
    let ran = run(&["check", &path, "--ltl", "G zzz", "--format", "sarif"]).code(2);
    valid("sarif", &ran.out);
    let (document, text) = (ran.json(), "<command line: --ltl>: ");
    let result = &document["runs"][0]["results"][0];
    assert_eq!(place(result).0, model);
    assert!(result["message"]["text"].as_str().unwrap().starts_with(text), "{result}");
    let net = "tests/contest/Kitchen-PT-6";
    let formulas = format!("{net}/ReachabilityCardinality.xml");
    let (json, outs) = in_all_formats(&[&format!("{net}/model.pnml"), "--properties", &formulas]);
    let violated = told("json", &json.out).into_iter().find(|(_, verdict)| verdict == "violated").unwrap().0;
    let document = sarif_of(&outs);
    let result = result_in(&document, &violated);
    let (file, region, text) = place(result);
    assert_eq!((file, text), (formulas, violated));
    assert!(region[0] > 1, "{region:?}");
    // The steps of its run are transitions of the net, and stand there.
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a run");
    let lines =
        steps.iter().filter_map(|step| step["location"]["physicalLocation"]["region"]["startLine"].as_u64());
    let text = std::fs::read_to_string(root().join(format!("{net}/model.pnml"))).expect("readable");
    let tags = lines
        .filter(|line| text.lines().nth(*line as usize - 1).is_some_and(|it| it.contains("<transition ")));
    assert_eq!(tags.count() + 1, steps.len(), "{result}");
}

#[test]
fn unknown_is_open_and_an_error() {
    let (json, outs) = in_all_formats(&["examples/resource.orb", "--max-states", "5", "-p", "exclusion"]);
    assert_eq!(json.code, 3);
    let document = sarif_of(&outs);
    let result = result_in(&document, "exclusion");
    assert_eq!((&result["kind"], &result["level"]), (&json!("open"), &json!("none")));
    let notes = document["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["message"] == result["message"]), "{notes:?}");
    assert!(outs["junit"].contains("<error type=\"unknown\""), "{}", outs["junit"]);
    assert!(outs["markdown"].contains("| **unknown** |"), "{}", outs["markdown"]);
}

#[test]
fn runs_of_what_holds_only_if_asked_for() {
    let path = model_file("witness.orb", COUNTER);
    let told = |format: &str, more: &[&str]| {
        let ran = run(&[&["check", &path, "-p", "far", "-q", "--format", format], more].concat()).code(0);
        valid(format, &ran.out);
        ran.out
    };
    for (format, sign) in
        [("junit", "5  P  up"), ("sarif", "\"5: P up: x: 4 -&gt; 5"), ("markdown", "5  P  up")]
    {
        let sign = sign.replace("&gt;", ">");
        assert!(!told(format, &[]).contains(&sign), "{format}");
        assert!(told(format, &["--witness"]).contains(&sign), "{format}");
    }
}

/// Of long runs both ends are told.
#[test]
fn long_runs_are_shortened() {
    let chain = "var x: 0..5000 = 0; process P { rule go when x < 5000 { x = x + 1; } } deadlock allowed; invariant low = x < 3000;";
    let (_, outs) = in_all_formats(&[&model_file("long_chain.orb", chain)]);
    let document = sarif_of(&outs);
    let steps = result_in(&document, "low")["codeFlows"][0]["threadFlows"][0]["locations"].clone();
    let steps = steps.as_array().unwrap();
    let text = |at: usize| steps[at]["location"]["message"]["text"].as_str().unwrap();
    assert_eq!(steps.len(), 1 + 500 + 1 + 500);
    assert_eq!(text(500), "500: P go: x: 499 -> 500");
    assert_eq!(text(501), "2000 steps are left out; `--trace FILE` records all");
    assert_eq!(text(1001), "3000: P go: x: 2999 -> 3000");
    let orders = steps.iter().map(|step| step["executionOrder"].as_u64().unwrap());
    assert!(orders.is_sorted());
}

/// They say which finding is which, whatever else changes in the text.
#[test]
fn fingerprints_stay() {
    let prints = |name: &str, text: &str| {
        let ran = run(&["check", &model_file(name, text), "--format", "sarif", "-q"]);
        let results = ran.json()["runs"][0]["results"].clone();
        let prints =
            results.as_array().unwrap().iter().map(|it| it["partialFingerprints"]["burnside/v1"].to_string());
        prints.collect::<Vec<_>>()
    };
    let first = prints("print.orb", COUNTER);
    assert_eq!(first, prints("print2.orb", &format!("// more\n\n{}", COUNTER.replace("x < 5", "x  <  5"))));
    let different: std::collections::BTreeSet<_> = first.iter().collect();
    assert_eq!((first.len(), different.len()), (3, 3));
    let wrong = "var x: bol; var y: bol; process P { rule r { } }";
    let first = prints("print3.orb", wrong);
    assert_eq!(first, prints("print4.orb", &wrong.replace("; ", ";\n\n")));
}

/// Names of nets hold anything.
#[test]
fn no_name_breaks_a_document() {
    let odd = "a|b`c&lt;script&gt;*_{0}]]&gt;&amp;[x](y)\\n@z&#10;|&#9;&#x202e;";
    let net = format!("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">
        <place id=\"p\"><name><text>{odd}</text></name><initialMarking><text>1</text></initialMarking></place><place id=\"q\"/>
        <transition id=\"t{odd}\"/><arc id=\"1\" source=\"p\" target=\"t{odd}\"/><arc id=\"2\" source=\"t{odd}\" target=\"q\"/></page></net></pnml>");
    let formulas = format!("<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>f{odd}</id><description>d</description><formula><all-paths><globally>
        <integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place></tokens-count></integer-le></globally></all-paths></formula></property></property-set>");
    let (net, formulas) = (model_file("odd|`<b>&.pnml", &net), model_file("odd.xml", &formulas));
    for format in FORMATS {
        let ran = run(&["check", &net, "--properties", &formulas, "--format", format]).code(1);
        valid(format, &ran.out);
        assert!(!ran.out.contains('\u{202e}'), "{}", ran.out);
        // In JSON and in a fence it is nothing but text.
        let open = ran.out.split("```").step_by(2).any(|part| part.contains("<script>"));
        assert!(format == "sarif" || !open, "{}", ran.out);
    }
    let ran = run(&["check", &net, "--properties", &formulas, "--format", "markdown"]);
    let rows = ran.out.lines().filter(|line| line.starts_with('|')).count();
    assert_eq!(rows, 3, "{}", ran.out);
}

/// Whatever happens, one document comes out.
#[test]
fn failures_are_documents() {
    let path = model_file("good.orb", COUNTER);
    let cases: [(&[&str], i32); 8] = [
        (&["no/such/file.orb"], 2),
        (&["examples"], 2),
        (&[&path, "-p", "smal"], 2),
        (&[&path, "--bound", "x"], 2),
        (&[&path, "--trace", &path], 2),
        (&[&path, "--set", "N=3"], 2),
        (&["examples/heljanko_mutex.pnml", "--set", "N=3"], 2),
        (&["examples/heljanko_mutex.pnml", "--ltl", "G <"], 2),
    ];
    for (args, code) in cases {
        let (json, outs) = in_all_formats(args);
        assert_eq!(json.code, code, "{args:?}");
        assert_eq!(sarif_of(&outs)["runs"][0]["invocations"][0]["executionSuccessful"], false);
        assert!(outs["junit"].contains("<error type=\"bad-"), "{}", outs["junit"]);
    }
    // A read that nobody answers is ended from outside.
    for format in FORMATS {
        let mut waiting = command(&["check", "-", "--format", format, "--timeout", "0.2"]);
        let child =
            waiting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut child = child;
        let held = child.stdin.take();
        let ran = Ran::new(child.wait_with_output().unwrap()).code(3);
        drop(held);
        valid(format, &ran.out);
        assert!(ran.out.contains("time limit of 0.2 s"), "{}", ran.out);
    }
}

/// A limit at any look: one document, and no verdict that is not so.
#[test]
fn limits_leave_documents() {
    let args = |format| ["check", "examples/resource.orb", "--set", "N=4", "-q", "--format", format];
    for format in FORMATS {
        let plain = run(&args(format)).code(1);
        let plain = told(format, &plain.out);
        for look in [0, 1, 2, 3, 5, 8, 20, 60, 150, 400, 1000, 3000, 9000] {
            for kind in ["time", "interrupt"] {
                let mut limited = command(&args(format));
                limited.env("BURNSIDE_INJECT", format!("{look} {kind}"));
                let ran = Ran::new(limited.stdin(Stdio::null()).output().unwrap());
                assert!([1, 3].contains(&ran.code), "{look} {kind}: {}", ran.err);
                valid(format, &ran.out);
                let failed =
                    ran.out.contains("type=\"stopped\"") || ran.out.contains("\"failure\": \"stopped\"");
                if failed || ran.out.contains("**No report**") {
                    assert_eq!(ran.code, 3);
                    continue;
                }
                for (name, verdict) in told(format, &ran.out) {
                    assert!(
                        verdict == "unknown" || plain[&name] == verdict,
                        "{look} {kind}: {name} {verdict}"
                    );
                }
            }
        }
    }
}

/// Removes or replaces what a pointer names.
fn planted(document: &Value, at: &str, value: Option<Value>) -> Value {
    let mut document = document.clone();
    let (parent, key) = at.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("there is no {at}"));
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(key.into(), value)),
        (Value::Object(members), None) => drop(members.remove(key).expect("it is there")),
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        _ => panic!("nothing can be planted at {at}"),
    }
    document
}

#[test]
fn wrong_documents_are_refused() {
    let (_, outs) = in_all_formats(&["examples/resource.orb", "--set", "N=3"]);
    let document = sarif_of(&outs);
    let flow = "/runs/0/results/0/codeFlows/0/threadFlows/0/locations";
    let region = "/runs/0/results/0/locations/0/physicalLocation/region";
    let artifact = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation";
    let mistakes: Vec<(String, Option<Value>)> = vec![
        ("/version".into(), Some(json!("2.0.0"))),
        ("/version".into(), None),
        ("/runs".into(), None),
        ("/extra".into(), Some(json!(1))),
        ("/runs/0/tool".into(), None),
        ("/runs/0/tool/driver/name".into(), None),
        ("/runs/0/tool/driver/rules/0/id".into(), None),
        ("/runs/0/tool/driver/rules/1/id".into(), Some(json!("faults"))),
        ("/runs/0/tool/driver/rules/0/help".into(), Some(json!("help"))),
        ("/runs/0/invocations/0/executionSuccessful".into(), None),
        ("/runs/0/columnKind".into(), Some(json!("bytes"))),
        ("/runs/0/originalUriBaseIds".into(), Some(json!({}))),
        ("/runs/0/results/0/message".into(), None),
        ("/runs/0/results/0/message/text".into(), Some(json!("{0}"))),
        ("/runs/0/results/0/message/text".into(), Some(json!(""))),
        ("/runs/0/results/0/level".into(), Some(json!("fatal"))),
        ("/runs/0/results/0/level".into(), Some(json!("none"))),
        ("/runs/0/results/0/kind".into(), Some(json!("open"))),
        ("/runs/0/results/0/ruleIndex".into(), Some(json!(0))),
        ("/runs/0/results/0/ruleIndex".into(), Some(json!(-2))),
        ("/runs/0/results/0/ruleId".into(), Some(json!("none"))),
        ("/runs/0/results/0/locations".into(), Some(json!([]))),
        ("/runs/0/results/0/verdict".into(), Some(json!("violated"))),
        ("/runs/0/results/0/partialFingerprints/x".into(), Some(json!(1))),
        (format!("{region}/startLine"), Some(json!(0))),
        (format!("{region}/startLine"), Some(json!("35"))),
        (format!("{region}/endColumn"), Some(json!(1))),
        (format!("{artifact}/uri"), Some(json!("a b.orb"))),
        (format!("{artifact}/uri"), Some(json!("ü.orb"))),
        (format!("{artifact}/uri"), Some(json!("100%.orb"))),
        (format!("{artifact}/uriBaseId"), Some(json!("ROOT"))),
        (flow.into(), Some(json!([]))),
        (flow.into(), None),
        (format!("{flow}/1/executionOrder"), Some(json!(1.5))),
        (format!("{flow}/1/state/lock"), Some(json!("free"))),
        (format!("{flow}/1/location/message"), Some(json!("step"))),
        ("/runs/0/results/0/codeFlows/0/threadFlows".into(), Some(json!([]))),
    ];
    assert_eq!(sarif_errors(&document), Vec::<String>::new());
    for (at, value) in mistakes {
        let wrong = planted(&document, &at, value.clone());
        assert!(!sarif_errors(&wrong).is_empty(), "{at}: {value:?} is not noticed");
    }
}

#[test]
fn wrong_xml_and_markdown_are_refused() {
    let (_, outs) = in_all_formats(&["examples/resource.orb", "--set", "N=3"]);
    let junit = &outs["junit"];
    let mistakes = [
        ("tests=\"5\"", "tests=\"4\""),
        ("failures=\"1\"", "failures=\"one\""),
        ("failures=\"1\"", ""),
        ("name=\"access\"", ""),
        ("classname=", "class="),
        ("<failure type=\"violated\"", "<failure"),
        ("</failure>", "</failure><error type=\"\" message=\"\"/>"),
        ("time=\"", "time=\"about "),
        ("</testcase>", "text</testcase>"),
        ("</testsuite>", ""),
        ("<properties>", "<properties/><properties>"),
        ("-&gt;", "<"),
        ("<testsuites ", "<testsuites hostname=\"x\" "),
    ];
    for (right, wrong) in mistakes {
        assert!(junit.contains(right), "{right}");
        assert!(
            !junit_errors(&junit.replacen(right, wrong, 1)).is_empty(),
            "{right} as {wrong} is not noticed"
        );
    }
    let markdown = &outs["markdown"];
    for (right, wrong) in
        [("`mutex`", "`mu|tex`"), ("\n```\n", "\n``\n"), ("</details>", ""), ("## Burnside: ", "")]
    {
        assert!(markdown.contains(right), "{right}");
        assert!(
            !markdown_errors(&markdown.replacen(right, wrong, 1)).is_empty(),
            "{right} as {wrong} is not noticed"
        );
    }
}
