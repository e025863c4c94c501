//! `burnside lsp`: the program speaks the protocol over its standard streams, and prints nothing else.

use crate::command;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};

struct Editor {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Editor {
    fn start(args: &[&str]) -> Self {
        let mut command = command(args);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, out }
    }

    fn send(&mut self, message: Value) {
        let body = message.to_string();
        let stdin = self.child.stdin.as_mut().expect("piped");
        write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the program reads");
        stdin.flush().expect("the program reads");
    }

    /// The next message, or nothing at the end. Anything that is no frame is an error.
    fn receive(&mut self) -> Option<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.out.read_line(&mut line).expect("the program writes") == 0 {
                return None;
            }
            let line = line.strip_suffix("\r\n").unwrap_or_else(|| panic!("not a header: {line:?}"));
            if line.is_empty() {
                break;
            }
            let value =
                line.strip_prefix("Content-Length: ").unwrap_or_else(|| panic!("not a header: {line:?}"));
            length = Some(value.parse::<usize>().expect("a number"));
        }
        let mut body = vec![0; length.expect("a length")];
        self.out.read_exact(&mut body).expect("a body");
        Some(serde_json::from_slice(&body).expect("JSON"))
    }

    /// Everything up to the answer to a request, which comes last.
    fn until_answer(&mut self, id: u64) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let message = self.receive().expect("an answer");
            let found = message["id"] == json!(id) && message.get("method").is_none();
            all.push(message);
            if found {
                return all;
            }
        }
    }

    fn initialize(&mut self) {
        self.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}));
        let answer = self.until_answer(1).pop().expect("an answer");
        assert_eq!(answer["result"]["serverInfo"]["name"], "burnside");
        self.send(json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
    }

    /// Closes the input, and gives what else was written, the exit code and standard error.
    fn end(mut self) -> (Vec<Value>, i32, String) {
        drop(self.child.stdin.take());
        let rest: Vec<Value> = std::iter::from_fn(|| self.receive()).collect();
        let mut err = String::new();
        let mut stderr = self.child.stderr.take().expect("piped");
        stderr.read_to_string(&mut err).expect("a text");
        let status = self.child.wait().expect("the program ends");
        (rest, status.code().unwrap_or(-1), err)
    }
}

const URI: &str = "file:///models/m%C3%BCll.orb";

#[test]
fn an_editor_is_served_from_start_to_end() {
    let mut editor = Editor::start(&["lsp", "--stdio"]);
    editor.initialize();
    let text = "// \u{1f600}\nvar x: 0..1;\nprocess P { rule r { x = 1 - x; } }\ninvariant i = x == 0;\nreachable j = y;";
    let document = json!({"uri": URI, "languageId": "orb", "version": 1, "text": text});
    editor.send(
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
    );
    let told = editor.receive().expect("diagnostics");
    assert_eq!(told["method"], "textDocument/publishDiagnostics");
    assert_eq!(told["params"]["diagnostics"][0]["code"], "unknown-name");
    assert_eq!(told["params"]["diagnostics"][0]["range"]["start"], json!({"line": 4, "character": 14}));
    let range = json!({"start": {"line": 4, "character": 14}, "end": {"line": 4, "character": 15}});
    let changes = json!({
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"range": range, "text": "x == 1"}],
    });
    editor.send(json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": changes}));
    let told = editor.receive().expect("diagnostics");
    assert_eq!((&told["params"]["version"], &told["params"]["diagnostics"]), (&json!(2), &json!([])));
    let check = json!({"command": "burnside.check", "arguments": [{"uri": URI, "property": null}]});
    editor.send(json!({"jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": check}));
    let answer = editor.until_answer(2).pop().expect("an answer");
    let verdicts: Vec<&str> = answer["result"]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| result["verdict"].as_str().expect("a verdict"))
        .collect();
    assert_eq!(verdicts, ["holds", "holds", "violated", "holds"]);
    editor.send(json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}));
    editor.until_answer(3);
    editor.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(editor.end(), (Vec::new(), 0, String::new()));
}

#[test]
fn an_editor_that_goes_away_ends_the_server() {
    let mut editor = Editor::start(&["lsp"]);
    editor.initialize();
    assert_eq!(editor.end(), (Vec::new(), 1, String::new()));
    assert_eq!(Editor::start(&["lsp"]).end(), (Vec::new(), 1, String::new()));
    // A check that would take for ever does not keep it.
    let mut editor = Editor::start(&["lsp"]);
    editor.initialize();
    let document = json!({"uri": URI, "languageId": "orb", "version": 1, "text": crate::HUGE});
    editor.send(
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
    );
    let check = json!({"command": "burnside.check", "arguments": [URI]});
    editor.send(json!({"jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": check}));
    editor.receive().expect("diagnostics");
    assert_eq!(editor.end().1, 1);
}

/// What is no message ends it, with a word about it where people look.
#[test]
fn what_is_no_message_ends_the_server() {
    let mut editor = Editor::start(&["lsp"]);
    editor.initialize();
    let stdin = editor.child.stdin.as_mut().expect("piped");
    stdin.write_all(b"hello\r\n\r\n").expect("the program reads");
    let (rest, code, _) = editor.end();
    assert_eq!((rest, code), (Vec::new(), 2));
}
