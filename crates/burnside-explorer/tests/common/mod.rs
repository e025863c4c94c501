//! A client for a server of its own, and the models that it is asked about.
#![allow(dead_code, reason = "each test program uses a part of it")]

use burnside::{LoadOptions, Model, Options};
use burnside_explorer::{Bounds, Explorer, Server, Subject};
use burnside_report::input::{Input, Source};
use burnside_testkit::expect;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::time::Duration;

/// A model as the server gets it.
pub fn input(path: &str, text: &str, load: &LoadOptions) -> Input {
    let source = Source { path: path.to_string(), text: text.to_string().into() };
    let loaded = Model::load(source.of_model(), load);
    let mut model = loaded.model.unwrap_or_else(|error| panic!("{path}: {error}"));
    model.widen().expect("there is room");
    Input { source, model, warnings: loaded.diagnostics, external_warnings: Vec::new(), set: Vec::new() }
}

/// A server for a text, with what it is asked.
pub fn serve(path: &str, text: &str, load: LoadOptions, bounds: Bounds) -> Client {
    let input = input(path, text, &load);
    let subject = Subject { input, load, options: Options::default(), known: Vec::new() };
    Client::new(Server::start(Explorer::new(subject, bounds), 0).expect("a port is free"))
}

pub fn serve_text(text: &str) -> Client {
    serve("it.orb", text, LoadOptions::new(), Bounds::default())
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// An example with constants, and how many states and transitions it has with them.
pub struct Example {
    pub name: String,
    pub text: String,
    pub load: LoadOptions,
    pub states: usize,
    pub transitions: usize,
}

/// The examples, each with its smallest constants.
pub fn examples() -> Vec<Example> {
    let entries = std::fs::read_dir(root().join("examples")).expect("there are examples");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "orb"));
    paths.sort();
    let example = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let checks = expect::read(&text).checks;
        let known =
            checks.into_iter().filter_map(|check| Some((check.states?, check.transitions?, check.settings)));
        let (states, transitions, settings) = known.min_by_key(|(states, ..)| *states)?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        let load = LoadOptions::new().settings(&settings);
        Some(Example { name, text, load, states, transitions })
    };
    paths.iter().filter_map(example).collect()
}

/// A server and one connection to it.
pub struct Client {
    pub server: Server,
    pub stream: TcpStream,
}

/// An answer.
#[derive(Debug)]
pub struct Answered {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answered {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    #[track_caller]
    pub fn error(&self) -> String {
        self.json()["error"].as_str().expect("an error is a sentence").to_string()
    }
}

impl Client {
    pub fn new(server: Server) -> Self {
        let stream = connect(&server);
        Self { server, stream }
    }

    pub fn host(&self) -> String {
        host(&self.server)
    }

    /// The path of something under the token.
    pub fn path(&self, what: &str) -> String {
        let url = self.server.url();
        let (_, rest) = url.split_once("//").expect("an address");
        let (_, token) = rest.split_once('/').expect("a path");
        format!("/{token}{what}")
    }

    pub fn ask(&mut self, what: &str) -> Answered {
        let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", self.path(what), self.host());
        self.stream.write_all(request.as_bytes()).expect("it can be sent");
        answered(&mut self.stream).expect("there is an answer")
    }

    /// What is answered to a good question.
    #[track_caller]
    pub fn get(&mut self, what: &str) -> Value {
        let answer = self.ask(what);
        assert_eq!(answer.status, 200, "{what}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    pub fn post(&mut self, what: &str, body: &str) -> Answered {
        let (path, host, length) = (self.path(what), self.host(), body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).expect("it can be sent");
        answered(&mut self.stream).expect("there is an answer")
    }

    /// Checks everything and gives what `api/check` says in the end.
    pub fn check(&mut self) -> Value {
        assert_eq!(self.post("api/check", "{}").status, 200);
        self.wait()
    }

    /// Waits for the end of a check.
    pub fn wait(&mut self) -> Value {
        for _ in 0..3_000 {
            let now = self.get("api/check");
            if now["state"] != "running" {
                return now;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the check does not end");
    }
}

pub fn host(server: &Server) -> String {
    let url = server.url();
    let rest = url.strip_prefix("http://").expect("an address");
    rest.split('/').next().expect("a host").to_string()
}

pub fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(host(server)).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("it can be set");
    stream.set_nodelay(true).expect("it can be set");
    stream
}

/// The next answer on a connection; none if it ends before.
pub fn answered(stream: &mut TcpStream) -> Option<Answered> {
    let mut bytes = Vec::new();
    let mut block = [0; 1 << 16];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        match stream.read(&mut block) {
            Ok(0) => return None,
            Ok(count) => bytes.extend_from_slice(&block[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("no answer: {error}"),
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is a text");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
    let length: usize = length.parse().expect("a number");
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        let count = stream.read(&mut block).expect("the body comes");
        assert!(count > 0, "the body ends in the middle");
        body.extend_from_slice(&block[..count]);
    }
    // Who asked for more at once gets more behind it.
    body.truncate(length);
    Some(Answered { status, head, body })
}

/// Sends some bytes on a connection of their own: the status of the answer, if there is one.
pub fn send(client: &Client, bytes: &[u8]) -> Option<u16> {
    let mut stream = connect(&client.server);
    // The server may have heard enough.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    answered(&mut stream).map(|answer| answer.status)
}
