//! Checks in the background, and what shows their answers.

use crate::common::{Client, examples, root, serve, serve_text};
use burnside::{Kind, LoadOptions};
use burnside_explorer::Bounds;
use serde_json::{Value, json};
use std::time::Duration;

/// More states than anybody can explore.
const HUGE: &str = "
    process Cell[i: 0..30] { var x: 0..9; rule up when x < 9 { x = x + 1; } rule down when x > 0 { x = x - 1; } }
    invariant legal = forall i: 0..30 { x[i] <= 9 };
    reachable some = x[3] == 2;
";

fn result<'d>(status: &'d Value, property: &str) -> &'d Value {
    let results = status["results"].as_array().expect("a list").iter();
    results.clone().find(|one| one["property"] == property).unwrap_or_else(|| panic!("{property} is missing"))
}

fn resource() -> Client {
    let path = root().join("examples/resource.orb");
    let text = std::fs::read_to_string(path).expect("readable");
    serve("resource.orb", &text, LoadOptions::new().set("N", 2), Bounds::default())
}

#[test]
fn a_check_and_what_it_shows() {
    let mut client = resource();
    let idle = client.get("api/check");
    let expected = json!({"run": null, "state": "idle", "message": null, "progress": null, "results": []});
    assert_eq!(idle, expected);
    let refused = client.ask("api/evidence?property=access");
    assert_eq!((refused.status, refused.error().contains("check it first")), (404, true));
    let status = client.check();
    assert_eq!((&status["run"], &status["state"]), (&json!(1), &json!("done")));
    let verdicts: Vec<_> = status["results"].as_array().expect("a list").iter().collect();
    let verdicts: Vec<_> = verdicts
        .iter()
        .map(|one| (one["property"].as_str().unwrap(), one["verdict"].as_str().unwrap()))
        .collect();
    let expected = ["faults", "deadlock", "mutex", "access", "exclusion"];
    assert_eq!(verdicts, expected.map(|name| (name, if name == "access" { "violated" } else { "holds" })));
    let access = result(&status, "access");
    assert_eq!(access["evidence"]["kind"], "lasso");
    let evidence = client.get("api/evidence?property=access");
    assert_eq!(
        evidence["steps"].as_array().map(Vec::len),
        access["evidence"]["length"].as_u64().map(|it| it as usize)
    );
    assert_eq!(evidence["lanes"], json!(["Server", "Client[0]", "Client[1]"]));
    assert_eq!(evidence["truncated"], Value::Null);
    let text = evidence["rows"][1]["text"].as_str().expect("a text");
    assert!(text.contains("[c = Client#"), "{text}");
    assert_eq!(client.ask("api/evidence?property=mutex").status, 404);
    let nonsense = client.ask("api/evidence?property=nonsense");
    assert_eq!((nonsense.status, nonsense.error().contains("there is no property `nonsense`")), (404, true));
    assert_eq!(client.ask("api/evidence").status, 400);
}

#[test]
fn results_stay_known() {
    let mut client = resource();
    assert_eq!(
        client.post("api/check", r#"{"properties": ["mutex"], "timeout": 30}"#).json(),
        json!({"run": 1})
    );
    let one = client.wait();
    let names = |status: &Value| -> Vec<String> {
        status["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["property"].as_str().unwrap().into())
            .collect()
    };
    assert_eq!(names(&one), ["faults", "mutex"]);
    assert_eq!(client.post("api/check", r#"{"properties": ["access"]}"#).json(), json!({"run": 2}));
    assert_eq!(names(&client.wait()), ["faults", "mutex", "access"]);
    // No time at all: what is known stays.
    client.post("api/check", r#"{"timeout": 0}"#);
    let late = client.wait();
    assert_eq!(result(&late, "access")["verdict"], "violated");
}

#[test]
fn bad_wishes_are_refused() {
    let mut client = serve_text(HUGE);
    for (body, part) in [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not an object"),
        (r#"{"properties": "legal"}"#, "list of names"),
        (r#"{"properties": [1]}"#, "list of names"),
        (r#"{"properties": ["ilegal"]}"#, "there are faults, deadlock, legal, some"),
        (r#"{"timeout": -1}"#, "number of seconds"),
        (r#"{"timeout": "1"}"#, "number of seconds"),
        (r#"{"timeout": 1e300}"#, "number of seconds"),
    ] {
        let answer = client.post("api/check", body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains(part), "{body}: {}", answer.error());
    }
    assert_eq!(client.get("api/check")["state"], "idle");
}

#[test]
fn a_long_check_is_watched_and_cancelled() {
    let mut client = serve_text(HUGE);
    assert_eq!(client.post("api/check", r#"{"properties": ["some", "legal"]}"#).status, 200);
    assert_eq!(client.post("api/check", "{}").status, 409);
    let mut progress = Value::Null;
    for _ in 0..1_000 {
        progress = client.get("api/check")["progress"].clone();
        if progress["states"].as_u64().is_some_and(|states| states > 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(progress["properties"].as_array().unwrap().contains(&json!("legal")), "{progress}");
    for key in ["answered", "of", "states", "transitions", "depth", "queue", "rate", "memory", "seconds"] {
        assert!(progress.get(key).is_some(), "{key}: {progress}");
    }
    // Meanwhile everything else is answered.
    assert_eq!(client.get("api/walk?path=0")["enabled_total"], 31);
    assert_eq!(client.get("api/graph?limit=5")["nodes"].as_array().map(Vec::len), Some(5));
    assert_eq!(client.post("api/cancel", "{}").json(), json!({}));
    let ended = client.wait();
    assert_eq!((&ended["state"], &ended["progress"]), (&json!("cancelled"), &Value::Null));
    assert!(ended["results"].as_array().unwrap().iter().all(|one| one["property"] != "legal"), "{ended}");
    // And another one can start.
    assert_eq!(
        client.post("api/check", r#"{"properties": ["legal"], "timeout": 0.2}"#).json(),
        json!({"run": 2})
    );
    let ended = client.wait();
    assert_eq!(result(&ended, "legal")["verdict"], "unknown");
    assert_eq!(client.post("api/cancel", "{}").status, 200, "nothing to do is fine");
}

/// Several properties in several searches: the one at hand is named, and not what is answered.
#[test]
fn progress_names_the_properties_of_the_search() {
    let text = format!("{HUGE}\nltl live = G F x[0] == 0;");
    let mut client = serve_text(&text);
    assert_eq!(client.post("api/check", r#"{"properties": ["some", "live"]}"#).status, 200);
    let mut seen = Vec::new();
    for _ in 0..1_000 {
        let progress = client.get("api/check")["progress"].clone();
        if progress["states"].as_u64().is_some_and(|states| states > 0) {
            assert!(progress["of"].as_u64().is_some_and(|of| of >= 2), "{progress}");
            let names = progress["properties"].as_array().expect("a list").clone();
            assert!(!names.is_empty(), "{progress}");
            seen.extend(names);
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!seen.is_empty());
    assert!(seen.iter().all(|name| ["faults", "some", "live"].contains(&name.as_str().unwrap())), "{seen:?}");
    client.post("api/cancel", "{}");
    assert_eq!(client.wait()["state"], "cancelled");
}

#[test]
fn results_say_what_was_expected() {
    let mut client = serve_text(
        "const N = 2; var x: 0..N; process P { rule r { x = 0; } rule s when x < N { x = x + 1; } }
        invariant low = x < 2 expect holds; invariant all = x < 3; reachable top = x == 2 expect violated;
        check { N = 2; top = holds; }",
    );
    let status = client.check();
    let told = |property| {
        let result = result(&status, property);
        (result["verdict"].clone(), result["expected"].clone())
    };
    assert_eq!(told("low"), (json!("violated"), json!("holds")));
    assert_eq!(told("all"), (json!("holds"), Value::Null));
    assert_eq!(told("top"), (json!("holds"), json!("holds")));
}

#[test]
fn no_initial_state_is_said() {
    let mut client =
        serve_text("var x: bool; init { assume x; } process P { rule r { x = !x; } } invariant i = x;");
    let ended = client.check();
    assert_eq!(ended["state"], "failed");
    assert!(ended["message"].as_str().unwrap().contains("no initial state"), "{ended}");
    assert_eq!(client.get("api/walk")["initial_total"], 0);
}

/// The rows and units of the runs in a tree fit, and say what the parts below say.
fn look_at_part(part: &Value, name: &str) {
    assert!(part.is_object(), "{name}");
    let children = part["children"].as_array().map_or(&[][..], Vec::as_slice);
    children.iter().for_each(|child| look_at_part(child, name));
    let run = &part["run"];
    let Some(states) = run["states"].as_array() else { return };
    let rows = run["rows"].as_array().expect("a list");
    let fairness = run["fairness"].as_array().map_or(0, Vec::len);
    assert_eq!(run["units"].as_array().map(Vec::len), Some(fairness), "{name}");
    for (unit, why) in
        run["units"].as_array().into_iter().flatten().zip(run["fairness"].as_array().into_iter().flatten())
    {
        let first = run["loop_start"].as_u64().expect("a number") as usize;
        let always = (first..states.len()).map(|state| json!(state)).collect::<Value>();
        assert_eq!(unit["disabled"] == always, why["how"] == "never_enabled", "{name}: {unit} {why}");
    }
    assert!(rows.iter().all(|row| row["truths"].as_array().map(Vec::len) == Some(states.len())), "{name}");
    for child in children.iter().filter(|child| child["position"].is_u64()) {
        let position = child["position"].as_u64().expect("a number") as usize;
        let formula = child["formula"].as_str().expect("a text");
        let same =
            |row: &&Value| row["text"].as_str().is_some_and(|text| text.split("  [").next() == Some(formula));
        let row = rows.iter().find(same).unwrap_or_else(|| panic!("{name}: no row of {formula}"));
        assert_eq!(row["truths"][position], child["truth"], "{name}: {formula} in state {position}");
    }
}

#[test]
fn runs_in_trees_have_rows_and_fairness() {
    let mut client = serve_text(
        "fair process P[i: 0..1] { var x: 0..2; rule up { x = (x + 1) % 3; } }
        ctl back = AG (x[0] == 1 -> EF (x[0] == 2 && EX x[1] == 1));
        ctl stays = forall k: 0..1 { AF x[k] == 2 }; ctl apart = AG !(x[0] == 2 && x[1] == 1);
        ctl loops = E[x[0] < 2 U EG x[1] == 0];",
    );
    let status = client.check();
    let mut kinds = Vec::new();
    for one in status["results"].as_array().expect("a list").iter().filter(|one| !one["evidence"].is_null()) {
        let property = one["property"].as_str().expect("a name");
        let evidence = client.get(&format!("api/evidence?property={property}"));
        look_at_part(&evidence["tree"], property);
        kinds.push(property.to_string());
    }
    assert!(kinds.contains(&"apart".to_string()), "{kinds:?}");
    let tree = &client.get("api/evidence?property=apart")["tree"];
    let truths = tree["run"]["rows"][0]["truths"].as_array().expect("a list");
    let wrong: Vec<usize> = (0..truths.len()).filter(|&i| truths[i] == false).collect();
    assert_eq!(json!(wrong), json!([tree["children"][0]["position"]]), "{tree}");
    assert!(truths.iter().all(Value::is_boolean), "{tree}");
}

#[test]
fn verdicts_come_one_by_one() {
    let mut client = serve_text(&format!("{HUGE} ltl calm = G x[0] == 0;"));
    // Faults are looked for too, and there are more states than anybody waits for.
    client.post("api/check", r#"{"properties": ["calm"]}"#);
    let status = loop {
        let status = client.get("api/check");
        if status["results"].as_array().is_some_and(|results| !results.is_empty()) {
            break status;
        }
        assert_eq!(status["state"], "running", "{status}");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status["state"], "running");
    assert_eq!(result(&status, "calm")["verdict"], "violated");
    assert!(client.get("api/evidence?property=calm")["states"].is_array());
    client.post("api/cancel", "{}");
    let ended = client.wait();
    assert_eq!(
        (&ended["state"], &result(&ended, "calm")["verdict"]),
        (&json!("cancelled"), &json!("violated"))
    );
    assert_eq!(ended["results"].as_array().map(Vec::len), Some(1));
}

/// What a run shows is told while the same search goes on for the others.
#[test]
fn verdicts_of_one_search_come_one_by_one() {
    let mut client = serve_text(&format!("{HUGE} invariant calm = x[0] == 0; reachable moved = x[0] == 1;"));
    client.post("api/check", "{}");
    let status = loop {
        let status = client.get("api/check");
        if status["results"].as_array().is_some_and(|results| results.len() == 3) {
            break status;
        }
        assert_eq!(status["state"], "running", "{status}");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status["state"], "running");
    assert_eq!(result(&status, "calm")["verdict"], "violated");
    assert_eq!(result(&status, "moved")["verdict"], "holds");
    assert!(client.get("api/evidence?property=calm")["states"].is_array());
    client.post("api/cancel", "{}");
    let ended = client.wait();
    assert_eq!((&ended["state"], ended["results"].as_array().map(Vec::len)), (&json!("cancelled"), Some(3)));
    assert_eq!(result(&ended, "calm")["verdict"], "violated");
}

/// The path of a walk that comes with a run leads along it; all rows and lanes fit.
fn look_at(client: &mut Client, name: &str, property: &str) {
    let evidence = client.get(&format!("api/evidence?property={property}"));
    let lanes = evidence["lanes"].as_array().expect("a list");
    if evidence["kind"] == "tree" {
        return look_at_part(&evidence["tree"], &format!("{name} {property}"));
    }
    let states = evidence["states"].as_array().expect("a list");
    let walk: Vec<String> =
        evidence["walk"].as_array().expect("a path").iter().map(Value::to_string).collect();
    let steps = evidence["steps"].as_array().expect("a list");
    assert_eq!(walk.len(), steps.len() + 1, "{name} {property}");
    for (i, state) in states.iter().enumerate().take(12) {
        let told = client.get(&format!("api/walk?path={}", walk[..=i].join(".")));
        assert_eq!(told["state"], *state, "{name} {property} {i}");
        if i > 0 {
            assert_eq!(told["step"]["rule"], steps[i - 1]["rule"], "{name} {property} {i}");
        }
    }
    steps.iter().for_each(|step| assert!(lanes.contains(&step["process"]), "{name} {property}"));
    for row in evidence["rows"].as_array().expect("a list") {
        let cells = row["truths"].as_array().or(row["values"].as_array()).expect("cells");
        assert_eq!(cells.len(), states.len(), "{name} {property} {row}");
    }
    let is_lasso = evidence["kind"] == "lasso";
    let units = evidence["units"].as_array().expect("a list");
    let fairness = evidence["fairness"].as_array().map_or(0, Vec::len);
    assert_eq!(units.len(), if is_lasso { fairness } else { 0 }, "{name} {property}");
    if is_lasso && evidence["rows"].as_array().is_some_and(|rows| !rows.is_empty()) {
        let row = &evidence["rows"][0];
        // What is violated is false at the start.
        assert!(row["truths"].is_null() || row["truths"][0] == false, "{name} {property} {row}");
    }
}

#[test]
fn evidence_of_examples_can_be_walked() {
    let mut looked = 0;
    for example in examples().into_iter().filter(|example| example.states <= 150) {
        let mut client = serve(&example.name, &example.text, example.load.clone(), Bounds::default());
        let status = client.check();
        assert_eq!(status["state"], "done", "{}: {status}", example.name);
        for one in
            status["results"].as_array().expect("a list").iter().filter(|one| !one["evidence"].is_null())
        {
            look_at(&mut client, &example.name, one["property"].as_str().expect("a name"));
            looked += 1;
        }
    }
    assert!(looked >= 15, "only {looked} runs");
}

#[test]
fn evidence_of_a_net_can_be_walked() {
    let text = std::fs::read_to_string(root().join("examples/heljanko_mutex.pnml")).expect("readable");
    let load = LoadOptions::new().property(Kind::Reachable, "free == 0");
    let mut client = serve("heljanko_mutex.pnml", &text, load, Bounds::default());
    let status = client.check();
    assert_eq!(result(&status, "reachable-1")["verdict"], "holds");
    look_at(&mut client, "net", "reachable-1");
}

#[test]
fn long_runs_are_cut() {
    let mut client = serve_text(
        "var x: 0..5200; process P { rule up { x = (x + 1) % 5201; } }
        reachable top = x == 5200; ltl low = G x < 5199;",
    );
    let status = client.check();
    for (property, kind) in [("top", "path"), ("low", "lasso")] {
        let length = result(&status, property)["evidence"]["length"].as_u64().expect("a length");
        assert!(length >= 5_200, "{length}");
        let evidence = client.get(&format!("api/evidence?property={property}"));
        let count = |key: &str| evidence[key].as_array().map(Vec::len);
        assert_eq!((count("steps"), count("states"), count("walk")), (Some(5_000), Some(5_001), Some(5_001)));
        assert_eq!((&evidence["truncated"], &evidence["kind"]), (&json!(length - 5_000), &json!(kind)));
        assert_eq!(evidence["rows"][0]["truths"].as_array().map(Vec::len), Some(5_001));
    }
}
