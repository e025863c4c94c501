//! Checks that the editor asks for.

use crate::client::{Client, URI, example};
use serde_json::{Value, json};

/// The line of the property `access` of the example.
const ACCESS: u64 = 29;
const LENSES: &str = "textDocument/codeLens";

fn text() -> Value {
    json!({"textDocument": {"uri": URI}})
}

fn titles(client: &mut Client) -> Vec<String> {
    let lenses = client.ask(LENSES, text()).expect("an answer");
    let lenses = lenses.as_array().expect("a list").clone();
    lenses.iter().map(|lens| lens["command"]["title"].as_str().expect("a title").to_string()).collect()
}

fn hints(client: &mut Client) -> Vec<(u64, String)> {
    let mut params = text();
    params["range"] = json!({"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}});
    let hints = client.ask("textDocument/inlayHint", params).expect("an answer");
    let hints = hints.as_array().expect("a list").clone();
    let shown = |hint: &Value| {
        (
            hint["position"]["line"].as_u64().expect("a line"),
            hint["label"].as_str().expect("a text").to_string(),
        )
    };
    hints.iter().map(shown).collect()
}

#[test]
fn a_lens_checks_and_shows_the_verdict() {
    let mut client = Client::new();
    client.open(&example("resource.orb").replace("const N = 9", "const N = 2"));
    assert_eq!(titles(&mut client), ["check all", "check", "check", "check"]);
    assert_eq!(hints(&mut client), [(ACCESS, "expected violated".to_string())]);
    // What the editor does when the lens of `access` is clicked.
    let lenses = client.ask(LENSES, text()).expect("an answer");
    let command = &lenses[2]["command"];
    assert_eq!(command["arguments"], json!([{"uri": URI, "property": "access"}]));
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    let answer = client.ask("workspace/executeCommand", params).expect("an answer");
    let faults = json!({"property": "faults", "verdict": "holds", "reason": null});
    let access = json!({"property": "access", "verdict": "violated", "reason": null});
    assert_eq!(answer["results"], json!([faults, access]));
    let told = client.notified("window/showMessage");
    let message = told["message"].as_str().unwrap();
    assert!(message.starts_with("`access` is violated: a run of "), "{told}");
    assert!(message.ends_with(" steps shows it; `faults` holds"), "{told}");
    assert_eq!(told["type"], 2);
    let asked: Vec<&str> = client.requests.iter().map(|request| request.method.as_str()).collect();
    assert_eq!(
        asked,
        ["window/workDoneProgress/create", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"]
    );
    assert_eq!(client.notified("$/progress")["value"]["kind"], "begin");
    assert_eq!(client.notified("$/progress")["value"]["kind"], "end");
    assert_eq!(titles(&mut client), ["check all (faults: holds)", "check", "violated; check again", "check"]);
    assert_eq!(hints(&mut client), [(ACCESS, "violated".to_string())]);
    // All of them: the address alone, as a plain argument.
    let params = json!({"command": "burnside.check", "arguments": [URI]});
    let answer = client.ask("workspace/executeCommand", params).expect("an answer");
    let verdicts: Vec<(&str, &str)> = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["property"].as_str().unwrap(), it["verdict"].as_str().unwrap()))
        .collect();
    let expected = [
        ("faults", "holds"),
        ("deadlock", "holds"),
        ("mutex", "holds"),
        ("access", "violated"),
        ("exclusion", "holds"),
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(titles(&mut client)[0], "check all (faults: holds, deadlock: holds)");
    assert_eq!(hints(&mut client).len(), 3);
    // Another text: nothing is known about it. The old one again: it still is.
    client.change(Some([0, 0, 0, 0]), " ");
    assert_eq!(hints(&mut client), [(ACCESS, "expected violated".to_string())]);
    client.change(Some([0, 0, 0, 1]), "");
    assert_eq!(hints(&mut client).len(), 3);
    client.end();
}

#[test]
fn a_verdict_that_is_not_expected_stands_beside_what_is() {
    let text = "const N = 2; var x: 0..N; process P { rule r when x < N { x = x + 1; } rule s { x = 0; } }
invariant a = x < 2 expect holds;
invariant b = x < 3 expect violated;
invariant c = x < 2;
invariant d = x < 2 expect violated;
deadlock free expect violated;
check { N = 1; a = violated; d = unknown; }
check { N = 2; b = holds; c = unknown; faults = violated; }
check { max_states = 3; d = holds; }";
    let mut client = Client::new();
    client.open(text);
    let of = |rows: &[(u64, &str)]| rows.iter().map(|(line, it)| (*line, it.to_string())).collect::<Vec<_>>();
    let expected = ["holds", "holds", "unknown", "violated", "violated"].map(|it| format!("expected {it}"));
    let rows: Vec<(u64, &str)> = (1..).zip(expected.iter().map(String::as_str)).collect();
    assert_eq!(hints(&mut client), of(&rows));
    assert_eq!(titles(&mut client), ["check all", "check", "check", "check", "check", "check"]);
    let params = json!({"command": "burnside.check", "arguments": [URI]});
    client.ask("workspace/executeCommand", params).expect("an answer");
    let found = [
        (1, "violated, expected holds"),
        (2, "holds"),
        (3, "violated, expected unknown"),
        (4, "violated"),
        (5, "holds, expected violated"),
    ];
    assert_eq!(hints(&mut client), of(&found));
    let titles = titles(&mut client);
    assert_eq!(titles[0], "check all (faults: holds, expected violated, deadlock: holds, expected violated)");
    assert_eq!(titles[1], "violated, expected holds; check again");
    assert_eq!(titles[2], "holds; check again");
    client.end();
}

/// More states than anybody waits for.
const LARGE: &str = "var a: array[0..40] of bool; var b: array[0..40] of bool;
process P { rule r(i: 0..40) { a[i] = !a[i]; } rule s(i: 0..40) { b[i] = !a[i]; } }
invariant i = !a[0] || !a[1] || !a[2] || !a[3] || !a[4] || !a[5] || !a[6] || !a[7] || b[0] || b[1] || true;";

#[test]
fn a_check_is_cancelled_by_its_request_and_by_its_progress() {
    let mut client = Client::new();
    client.open(LARGE);
    let params = json!({"command": "burnside.check", "arguments": [{"uri": URI, "property": "i"}]});
    let id = client.send("workspace/executeCommand", params.clone());
    client.notified("$/progress");
    client.tell("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.wait(id).expect_err("cancelled").0, -32800);
    let id = client.send("workspace/executeCommand", params.clone());
    let token = loop {
        let progress = client.notified("$/progress");
        if progress["value"]["kind"] == "begin" {
            break progress["token"].clone();
        }
    };
    // The server answers meanwhile.
    assert!(client.ask_at("textDocument/hover", 0, 4).expect("an answer").is_object());
    client.tell("window/workDoneProgress/cancel", json!({"token": token}));
    assert_eq!(client.wait(id).expect_err("cancelled").0, -32800);
    // A new one ends the one before, closing the text ends it as well.
    let first = client.send("workspace/executeCommand", params.clone());
    let second = client.send("workspace/executeCommand", params);
    assert_eq!(client.wait(first).expect_err("cancelled").0, -32800);
    client.close();
    assert_eq!(client.wait(second).expect_err("cancelled").0, -32800);
    client.end();
}

#[test]
fn a_check_ends_with_its_time() {
    let mut client = Client::with(json!({"timeout": 0.3}));
    client.open(LARGE);
    let params = json!({"command": "burnside.check", "arguments": [{"uri": URI, "property": "i"}]});
    let answer = client.ask("workspace/executeCommand", params).expect("an answer");
    assert_eq!(answer["results"][0]["verdict"], "unknown");
    assert!(answer["results"][0]["reason"].as_str().unwrap().contains("time"), "{answer}");
    client.end();
}

#[test]
fn what_cannot_be_checked_says_why() {
    let mut client = Client::new();
    client.open("var x: bool; process P { rule r { x = 3; } } invariant i = x;");
    let check = |property: &str| json!({"command": "burnside.check", "arguments": [{"uri": URI, "property": property}]});
    let (_, message) = client.ask("workspace/executeCommand", check("i")).expect_err("it has errors");
    assert!(message.contains("expected a `bool`"), "{message}");
    client.change(None, "var x: bool; process P { rule r { x = !x; } } invariant i = x;");
    let (_, message) = client.ask("workspace/executeCommand", check("nobody")).expect_err("there is none");
    assert!(message.contains("nobody"), "{message}");
    let other = json!({"command": "burnside.check", "arguments": ["file:///closed.orb"]});
    assert!(client.ask("workspace/executeCommand", other).is_err());
    client.end();
}
