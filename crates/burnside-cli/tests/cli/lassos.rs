//! Infinite runs: how they are shown, recorded and replayed.

use super::*;
use serde_json::json;

/// Checks a property of an example, writes the runs to a file and gives the document with the path of the
/// file.
fn recorded(example: &str, name: &str, options: &[&str]) -> (Value, String) {
    let trace = scratch(&format!("lasso_{name}.json")).to_str().unwrap().to_string();
    let model = format!("examples/{example}.orb");
    let ran = run(&[&["check", &model, "--format", "json", "--trace", &trace], options].concat()).code(1);
    (ran.json(), trace)
}

#[test]
fn a_loop_is_told_and_explained() {
    let ran = run(&["check", "examples/resource.orb", "--set", "N=3", "-p", "access"]).code(1);
    for part in [
        "\n      loop:\n",
        "         back to ",
        "why this run is fair, in the loop:\n        Server ",
        "never enabled",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert!(ran.out.contains("false of this run, c = Client#"), "{}", ran.out);
}

#[test]
fn the_document_of_a_loop() {
    let (document, trace) = recorded("resource", "document", &["--set", "N=3"]);
    let access = result(&document, "access");
    assert_eq!((&access["verdict"], &access["method"]), (&json!("violated"), &json!("on-the-fly")));
    assert!(access["stats"]["product_states"].as_u64() > Some(0));
    assert!(access["stats"]["product_transitions"].as_u64() > Some(0));
    let evidence = &access["evidence"];
    assert_eq!((&evidence["kind"], &evidence["validated"]), (&json!("lasso"), &json!(true)));
    assert_eq!(evidence["steps"].as_array().unwrap().len(), evidence["states"].as_array().unwrap().len());
    assert_eq!(evidence["fairness"].as_array().unwrap().len(), 4);
    for unit in evidence["fairness"].as_array().unwrap() {
        let place = unit["where"].as_u64();
        match unit["how"].as_str().unwrap() {
            "executed" => {
                let step = &evidence["steps"][place.unwrap() as usize];
                assert_eq!(step["process"], unit["unit"]);
                assert!(place >= evidence["loop_start"].as_u64());
            }
            "disabled" => assert!(place >= evidence["loop_start"].as_u64()),
            "never_enabled" => assert_eq!(place, None),
            other => panic!("{other}"),
        }
    }
    let recorded: Value = serde_json::from_str(&std::fs::read_to_string(trace).unwrap()).unwrap();
    // A recorded run has texts alone.
    let mut texts = evidence.clone();
    for key in ["state_values", "explanation"] {
        texts.as_object_mut().unwrap().remove(key).expect("it is there");
    }
    for step in texts["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("argument_values").expect("values of arguments");
    }
    assert_eq!(recorded["traces"][0]["evidence"], texts);
}

#[test]
fn what_is_recorded_replays() {
    for (example, name, options) in [
        ("resource", "replay_resource", &["--set", "N=4"][..]),
        ("resource", "replay_two", &["--set", "N=4", "--method", "two-phase"]),
        ("resource", "replay_none", &["--set", "N=3", "--symmetry", "none"]),
        ("leader", "replay_leader", &[]),
        ("philosophers", "replay_stutter", &["-p", "fed"]),
        ("mutex_strong", "replay_unfair", &["--fairness", "none"]),
    ] {
        let (_, trace) = recorded(example, name, options);
        let replay = ["replay", &format!("examples/{example}.orb"), &trace, "--fairness", "none"];
        let unfair = name == "replay_unfair";
        let ran = run(&replay[..3]).code(if unfair { 3 } else { 0 });
        assert!(ran.out.contains("for ever"), "{}", ran.out);
        assert_eq!(ran.out.contains("only with `--fairness none`"), unfair, "{}", ran.out);
        assert!(!run(&replay).code(0).out.contains('?'), "it is what is asked for");
    }
}

/// A way to wreck a run, and what is said about it.
type Wreck = (fn(&mut Value), &'static str);

fn replay_wrecked(example: &str, trace: &str, (wreck, message): Wreck) {
    let text = std::fs::read_to_string(trace).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let traces = document["traces"].as_array_mut().unwrap();
    wreck(&mut traces.iter_mut().find(|trace| trace["kind"] == "ltl").unwrap()["evidence"]);
    let ran = run_with(&["replay", &format!("examples/{example}.orb"), "-"], &document.to_string());
    assert!(ran.code == 1 || ran.code == 2, "{message}: {}", ran.out);
    assert!(ran.out.contains(message) || ran.err.contains(message), "{message}: {}{}", ran.out, ran.err);
}

#[test]
fn what_is_wrong_with_a_loop_is_seen() {
    let (_, trace) = recorded("resource", "wrecked", &["--set", "N=3", "-p", "access"]);
    let wrecks: [Wreck; 9] = [
        (|run| run["loop_start"] = json!(0), "does not lead to the next state"),
        (|run| run["loop_start"] = json!(99), "do not fit"),
        (|run| run["loop_start"] = Value::Null, "is incomplete"),
        (|run| run["kind"] = json!("path"), "is incomplete"),
        (|run| _ = run["steps"].as_array_mut().unwrap().pop(), "`loop_start` does not fit"),
        (|run| _ = run["states"].as_array_mut().unwrap().pop(), "`loop_start` does not fit"),
        (|run| run["stutter"] = json!(true), "do not fit"),
        (|run| run["fairness"][1]["how"] = json!("disabled"), "recorded fairness"),
        (|run| _ = run["fairness"].as_array_mut().unwrap().pop(), "recorded fairness"),
    ];
    for wreck in wrecks {
        replay_wrecked("resource", &trace, wreck);
    }
    // What is not said about a unit is not checked.
    let (_, trace) = recorded("mutex_strong", "neglect", &["--fairness", "none", "-p", "entry"]);
    let wrecks: [Wreck; 2] = [
        (|run| _ = run.as_object_mut().unwrap().remove("fairness"), "`fairness` is for a lasso, and needed"),
        (|run| run["fairness"] = json!([]), "recorded fairness"),
    ];
    for wreck in wrecks {
        replay_wrecked("mutex_strong", &trace, wreck);
    }
    let (_, trace) = recorded("philosophers", "stutter_wrecked", &["-p", "fed"]);
    let early = |run: &mut Value| {
        _ = run["steps"].as_array_mut().unwrap().pop();
        _ = run["states"].as_array_mut().unwrap().pop();
        run["loop_start"] = json!(run["states"].as_array().unwrap().len() - 1);
    };
    replay_wrecked("philosophers", &trace, (early, "its last state has a step"));
}

#[test]
fn fairness_can_be_ignored() {
    run(&["check", "examples/mutex_strong.orb", "-p", "entry"]).code(0);
    let ran = run(&["check", "examples/mutex_strong.orb", "-p", "entry", "--fairness", "none"]).code(1);
    assert!(ran.out.contains("this run is not fair:\n"), "{}", ran.out);
    assert!(ran.out.contains("never taken"), "{}", ran.out);
}

#[test]
fn both_methods_agree() {
    for (example, property, code) in
        [("resource", "access", 1), ("mutex_strong", "entry", 0), ("leader", "settles", 1)]
    {
        for method in ["on-the-fly", "two-phase"] {
            let path = format!("examples/{example}.orb");
            let args =
                ["check", &path, "--set", "N=3", "-p", property, "--method", method, "--format", "json"];
            assert_eq!(result(&run(&args).code(code).json(), property)["method"], method);
        }
    }
}

/// The first block of a kind after a text on a page.
fn block_after<'p>(page: &'p str, text: &str, fence: &str) -> &'p str {
    let page = &page[page.find(text).expect("the text is there")..];
    let start = page.find(fence).expect("the block is there") + fence.len() + 1;
    &page[start..start + page[start..].find("```").expect("the block ends")]
}

#[test]
fn the_page_about_liveness_is_true() {
    let page = std::fs::read_to_string(root().join("docs/src/properties.md")).expect("there is the page");
    let around = model_file("page_leader.orb", block_after(&page, "## Liveness and symmetry", "```orb"));
    let document = run(&["check", &around, "--format", "json"]).code(1).json();
    assert_eq!(result(&document, "settles")["verdict"], "violated");
    assert_eq!((&document["stats"]["states"], &document["stats"]["transitions"]), (&json!(1), &json!(1)));
}
