//! Values in documents that are for scripts: `state_values` and `argument_values`.

use super::*;
use serde_json::json;

/// A state with a value of each kind.
const KINDS: &str = "\
symmetric Client[2];
enum Mood { calm, cross, glad(about: Client) }
record Msg { from: Client, urgent: bool }
var n: -3..3;
var mood: Mood = calm;
var who: Client?;
var nobody: Client?;
var members: set of Client;
var line: queue[2] of Msg;
var heap: bag[3] of 0..5;
process P {
    rule send(c: Client, by: 1..3) when n == 0 && by == 2 {
        n = n - by;
        mood = glad(about: c);
        who = c;
        members.add(c);
        line.push(Msg(from: c, urgent: true));
        heap.add(5);
        heap.add(1);
        heap.add(5);
    }
}
deadlock allowed;
invariant calm_ = mood == calm;
invariant alone = nobody == none;
";

#[test]
fn values_have_their_types() {
    let trace = scratch("values.json").to_str().unwrap().to_string();
    let document = check_text(KINDS, &["-p", "calm_", "--trace", &trace]).code(1).json();
    let evidence = &result(&document, "calm_")["evidence"];
    let client = json!({"type": "Client", "element": 0});
    assert_eq!(evidence["steps"][0]["arguments"], json!({"c": "Client#0", "by": "2"}));
    assert_eq!(evidence["steps"][0]["argument_values"], json!({"c": client, "by": 2}));
    let values = &evidence["state_values"];
    let first = json!({
        "n": 0, "mood": "calm", "who": null, "nobody": null, "members": [], "line": [], "heap": [],
    });
    let second = json!({
        "n": -2, "mood": {"name": "glad", "fields": {"about": client}}, "who": client, "nobody": null,
        "members": [client], "line": [{"name": "Msg", "fields": {"from": client, "urgent": true}}],
        "heap": [1, 5, 5],
    });
    assert_eq!(*values, json!([first, second]));
    let model = scratch("values.orb");
    std::fs::write(&model, KINDS).unwrap();
    run(&["replay", model.to_str().unwrap(), &trace]).code(0);
}

/// Of every run there are as many values as texts, of the same cells.
#[test]
fn values_are_beside_texts() {
    for example in ["german", "raft_election", "philosophers", "heljanko_mutex"] {
        let name = ["orb", "pnml"].map(|end| format!("examples/{example}.{end}"));
        let name = name.iter().find(|name| root().join(name).exists()).expect("an example");
        let document = run(&["check", name, "--format", "json"]).json();
        for result in document["results"].as_array().unwrap() {
            let (texts, values) = (&result["evidence"]["states"], &result["evidence"]["state_values"]);
            let keys = |states: &Value| -> Vec<Vec<String>> {
                let states = states.as_array().into_iter().flatten();
                let sorted = |state: &Value| {
                    let mut keys: Vec<String> = state.as_object().unwrap().keys().cloned().collect();
                    keys.sort();
                    keys
                };
                states.map(sorted).collect()
            };
            assert_eq!(keys(texts), keys(values), "{example}");
        }
    }
}
