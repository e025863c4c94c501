//! An editor for tests: sends messages, keeps what comes back.

use burnside_lsp::{Ended, ServerOptions, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The address of the text that most tests open.
pub const URI: &str = "file:///models/test.orb";

/// No answer takes longer, on however slow a machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Ended>>,
    next: i32,
    version: i32,
    /// What came that was no answer.
    pub notifications: VecDeque<Notification>,
    pub requests: Vec<Request>,
    answers: Vec<Response>,
    pub capabilities: Value,
}

impl Client {
    /// A server that was initialised by an editor that can do everything.
    pub fn new() -> Self {
        Self::with(json!({}))
    }

    /// The same with options of the editor.
    pub fn with(options: Value) -> Self {
        let (editor, server) = Connection::memory();
        let builder = std::thread::Builder::new().stack_size(64 << 20);
        let server = builder.spawn(move || serve(&server, ServerOptions::default())).expect("a thread");
        let mut client = Self {
            connection: editor,
            server: Some(server),
            next: 0,
            version: 0,
            notifications: VecDeque::new(),
            requests: Vec::new(),
            answers: Vec::new(),
            capabilities: Value::Null,
        };
        let capabilities = json!({
            "workspace": {"codeLens": {"refreshSupport": true}, "inlayHint": {"refreshSupport": true}},
            "window": {"workDoneProgress": true},
        });
        let params = json!({"capabilities": capabilities, "initializationOptions": options});
        client.capabilities = client.ask("initialize", params).expect("an answer");
        client.tell("initialized", json!({}));
        client
    }

    pub fn tell(&self, method: &str, params: Value) {
        let note = Notification { method: method.into(), params };
        self.connection.sender.send(note.into()).expect("the server is there");
    }

    /// Sends a request without waiting.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.into(), params };
        self.connection.sender.send(request.into()).expect("the server is there");
        self.next
    }

    /// Waits for the answer to a request.
    pub fn wait(&mut self, id: i32) -> Result<Value, (i32, String)> {
        let id = RequestId::from(id);
        loop {
            if let Some(at) = self.answers.iter().position(|answer| answer.id == id) {
                let answer = self.answers.remove(at);
                return answer.response_result.map_err(|error| (error.code, error.message));
            }
            self.receive();
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.wait(id)
    }

    /// Asks something about a place of the test text.
    pub fn ask_at(&mut self, method: &str, line: u32, character: u32) -> Result<Value, (i32, String)> {
        self.ask(method, at(line, character))
    }

    fn receive(&mut self) {
        match self.connection.receiver.recv_timeout(PATIENCE).expect("the server says something") {
            Message::Request(request) => self.requests.push(request),
            Message::Notification(note) => self.notifications.push_back(note),
            Message::Response(response) => self.answers.push(response),
        }
    }

    /// Waits for a notification, and gives its parameters.
    pub fn notified(&mut self, method: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(at) = self.notifications.iter().position(|note| note.method == method) {
                return self.notifications.remove(at).expect("it is there").params;
            }
            self.receive();
        }
        panic!("no {method}")
    }

    pub fn open(&mut self, text: &str) {
        self.open_as(URI, "orb", text);
    }

    pub fn open_as(&mut self, uri: &str, language: &str, text: &str) {
        self.version += 1;
        let document = json!({"uri": uri, "languageId": language, "version": self.version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Changes the test text: a range and what stands there now, or everything.
    pub fn change(&mut self, range: Option<[u32; 4]>, text: &str) -> i32 {
        self.version += 1;
        let range = range.map(|[line, character, end, to]| {
            json!({"start": {"line": line, "character": character}, "end": {"line": end, "character": to}})
        });
        let change = match range {
            Some(range) => json!({"range": range, "text": text}),
            None => json!({"text": text}),
        };
        let document = json!({"uri": URI, "version": self.version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
        self.version
    }

    pub fn close(&mut self) {
        self.tell("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    }

    /// The diagnostics of the state of the text that is the current one.
    pub fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let told = self.notified("textDocument/publishDiagnostics");
            if told["version"] == json!(self.version) {
                return told["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Ends the server as an editor should.
    pub fn end(mut self) -> Ended {
        self.ask("shutdown", Value::Null).expect("an answer");
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it was started");
        server.join().expect("no panic")
    }

    /// Leaves without a word.
    pub fn leave(mut self) -> Ended {
        let server = self.server.take().expect("it was started");
        drop(self);
        server.join().expect("no panic")
    }
}

/// A place of the test text, as a parameter.
pub fn at(line: u32, character: u32) -> Value {
    json!({
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
        "context": {"includeDeclaration": true, "triggerKind": 1},
    })
}

/// The place of `|` in a text, and the text without it.
pub fn marked(text: &str) -> (String, u32, u32) {
    let at = text.find('|').expect("a place");
    let before = &text[..at];
    let line = before.matches('\n').count() as u32;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let character = before[start..].encode_utf16().count() as u32;
    (text.replacen('|', "", 1), line, character)
}

pub fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("an example")
}
