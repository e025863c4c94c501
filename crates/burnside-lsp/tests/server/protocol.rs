//! The protocol itself: starting, ending, wrong messages, panics.

use crate::client::{Client, URI, at};
use burnside_lsp::Ended;
use serde_json::{Value, json};

#[test]
fn it_ends_as_the_editor_wants() {
    assert_eq!(Client::new().end(), Ended::Asked);
    assert_eq!(Client::new().leave(), Ended::Left);
    let client = Client::new();
    client.tell("exit", Value::Null);
    assert_eq!(client.leave(), Ended::Left);
}

#[test]
fn it_says_what_it_offers() {
    let client = Client::new();
    let offered = &client.capabilities["capabilities"];
    assert_eq!(offered["positionEncoding"], "utf-16");
    assert_eq!(offered["textDocumentSync"], 2);
    assert_eq!(offered["renameProvider"]["prepareProvider"], true);
    assert_eq!(offered["executeCommandProvider"]["commands"], json!(["burnside.check"]));
    assert_eq!(client.capabilities["serverInfo"]["name"], "burnside");
    client.end();
}

#[test]
fn wrong_messages_are_refused_and_the_next_is_answered() {
    let mut client = Client::new();
    client.open("var x: bool;");
    let refused = |answer: Result<Value, (i32, String)>| answer.expect_err("refused").0;
    assert_eq!(refused(client.ask("no/such/method", json!({}))), -32601);
    assert_eq!(refused(client.ask("textDocument/hover", json!({"position": 7}))), -32602);
    assert_eq!(refused(client.ask("workspace/executeCommand", json!({"command": "no.such"}))), -32602);
    client.tell("textDocument/didChange", json!({"nonsense": true}));
    client.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///other", "version": 1}, "contentChanges": []}),
    );
    client.tell("no/such/note", json!(3));
    let told = client.notified("window/logMessage");
    assert!(told["message"].as_str().unwrap().starts_with("`textDocument/didChange` is ignored"), "{told}");
    assert!(client.ask("textDocument/hover", at(0, 4)).expect("an answer").is_object());
    // Places that are not there.
    assert_eq!(client.ask("textDocument/hover", at(9_000, 9_000)), Ok(Value::Null));
    client.end();
}

#[test]
fn a_panic_is_an_error_and_the_server_lives_on() {
    let mut client = Client::new();
    client.open("var x: bool;");
    for _ in 0..3 {
        let (code, message) = client.ask("burnside/panic", json!({})).expect_err("it panics");
        assert_eq!(code, -32603);
        assert!(message.contains("as it was asked to"), "{message}");
        assert!(client.ask_at("textDocument/hover", 0, 4).expect("an answer").is_object());
    }
    client.end();
}

#[test]
fn after_shutdown_only_exit_is_taken() {
    let mut client = Client::new();
    client.ask("shutdown", Value::Null).expect("an answer");
    assert_eq!(client.ask_at("textDocument/hover", 0, 0).expect_err("too late").0, -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.leave(), Ended::Asked);
}

#[test]
fn nets_are_left_alone() {
    let mut client = Client::new();
    for (uri, language) in [("file:///a.pnml", "xml"), (URI, "orb")] {
        client.open_as(uri, language, "<?xml version=\"1.0\"?>\n<pnml/>");
    }
    for method in
        ["hover", "completion", "formatting", "documentSymbol", "codeLens", "rename", "prepareRename"]
    {
        let mut params = at(0, 3);
        params["newName"] = json!("x");
        params["options"] = json!({"tabSize": 4, "insertSpaces": true});
        assert_eq!(client.ask(&format!("textDocument/{method}"), params), Ok(Value::Null), "{method}");
    }
    let arguments = json!({"command": "burnside.check", "arguments": ["file:///a.pnml"]});
    assert!(client.ask("workspace/executeCommand", arguments).expect_err("refused").1.contains("no model"));
    client.close();
    client.end();
}

#[test]
fn mistakes_in_murphi_models_are_told() {
    let mut client = Client::new();
    let text = "var x: 0..3;\nstartstate x := y; end;\nrule true ==> x := 1; end;\n";
    client.open_as("file:///a.m", "murphi", text);
    let told = client.notified("textDocument/publishDiagnostics")["diagnostics"].clone();
    let [only] = told.as_array().expect("a list").as_slice() else { panic!("{told}") };
    assert_eq!((&only["code"], &only["message"]), (&json!("murphi-model"), &json!("there is no `y`")));
    assert_eq!(only["range"]["start"], json!({"line": 1, "character": 16}));
    client.end();
}
