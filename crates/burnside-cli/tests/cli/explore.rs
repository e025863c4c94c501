//! `burnside explore` from outside, and the report in one file.

use super::{COUNTER, Ran, command, model_file, run, scratch};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program while it serves, and the address that it has printed.
struct Serving {
    child: Child,
    url: String,
}

fn serve(args: &[&str]) -> Serving {
    let mut command = command(&[&["explore"], args].concat());
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program runs");
    let mut line = String::new();
    let out = child.stdout.as_mut().expect("piped");
    BufReader::new(out).read_line(&mut line).expect("it prints a line");
    Serving { child, url: line.trim_end().to_string() }
}

impl Serving {
    /// What is answered to a question.
    fn get(&self, what: &str) -> Value {
        let rest = self.url.strip_prefix("http://").expect("an address");
        let (host, token) = rest.split_once('/').expect("a path");
        let mut stream = TcpStream::connect(host).expect("it listens");
        let request = format!("GET /{token}{what} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it can be asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{answer}");
        serde_json::from_str(body).expect("a document")
    }

    /// Ends it as Ctrl-C does.
    #[cfg(unix)]
    fn interrupt(self) -> Ran {
        let killed =
            Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        Ran::new(self.child.wait_with_output().expect("it ends"))
    }
}

#[test]
#[cfg(unix)]
fn it_serves_until_ctrl_c() {
    let path = model_file("explored.orb", COUNTER);
    let serving = serve(&[&path, "--set", "MAX=2"]);
    let digits = serving.url.rsplit('/').nth(1).expect("a token");
    assert!(digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", serving.url);
    assert!(serving.url.starts_with("http://127.0.0.1:"), "{}", serving.url);
    let model = serving.get("api/model");
    assert_eq!((&model["name"], &model["constants"]["MAX"]), (&"explored.orb".into(), &"2".into()));
    let (started, ran) = (Instant::now(), serving.interrupt().code(0));
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(ran.out, "", "only the address is printed");
}

#[test]
fn a_time_limit_ends_it() {
    let path = model_file("explored_shortly.orb", COUNTER);
    let ran = run(&["explore", &path, "--no-open", "--timeout", "0.3"]).code(0);
    assert_eq!(ran.out.lines().count(), 1);
}

#[test]
#[cfg(unix)]
fn runs_of_a_trace_file_are_shown() {
    let (path, trace) = (model_file("traced.orb", COUNTER), scratch("explored.json"));
    let trace = trace.to_str().expect("a text");
    run(&["check", &path, "--set", "MAX=2", "--ltl", "G x < 2", "--trace", trace, "-q"]).code(1);
    let serving = serve(&[&path, trace]);
    let status = serving.get("api/check");
    assert_eq!((&status["state"], status["results"].as_array().map(Vec::len)), (&"idle".into(), Some(1)));
    let (one, evidence) = (&status["results"][0], serving.get("api/evidence?property=ltl-1"));
    assert_eq!((&one["verdict"], &one["evidence"]["kind"]), (&"violated".into(), &"lasso".into()));
    assert_eq!(evidence["rows"][0]["text"], "G x < 2");
    assert!(one["stats"].is_null() && one["seconds"].is_null(), "nobody has counted: {one}");
    assert_eq!(serving.get("api/model")["constants"]["MAX"], "2", "the constants are those of the file");
    serving.interrupt().code(0);
    // Finite runs and trees, too.
    run(&["check", &path, "--trace", trace, "-q"]).code(1);
    let serving = serve(&[&path, trace]);
    let status = serving.get("api/check");
    let kinds = status["results"].as_array().expect("a list").iter();
    let kinds: Vec<_> = kinds
        .map(|one| (one["property"].as_str().unwrap(), one["evidence"]["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds, [("small", "path"), ("two", "path"), ("pair", "path"), ("back", "tree")]);
    assert_eq!(serving.get("api/evidence?property=small")["states"].as_array().map(Vec::len), Some(4));
    assert_eq!(serving.get("api/evidence?property=back")["tree"]["truth"], false);
    serving.interrupt().code(0);
}

#[test]
fn a_trace_file_that_does_not_replay_is_refused() {
    let (path, trace) = (model_file("mistraced.orb", COUNTER), scratch("mistraced.json"));
    let trace = trace.to_str().expect("a text");
    run(&["check", &path, "--trace", trace, "-q"]).code(1);
    let text = std::fs::read_to_string(trace).expect("it was written");
    std::fs::write(trace, text.replace("\"x\": \"2\"", "\"x\": \"1\"")).expect("it can be written");
    let ran = run(&["explore", &path, trace]).code(1);
    assert!(ran.err.contains("does not replay: small: step 2"), "{}", ran.err);
    assert_eq!(ran.out, "");
    let ran = run(&["explore", &path, &path]).code(2);
    assert!(ran.err.contains("is not a trace file"), "{}", ran.err);
    let ran = run(&["explore", &path, trace, "--set", "MAX=9"]).code(2);
    assert!(ran.err.contains("disagrees"), "{}", ran.err);
}

#[test]
fn what_cannot_be_served_is_said() {
    let path = model_file("unserved.orb", COUNTER);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = taken.local_addr().expect("it has one").port().to_string();
    let ran = run(&["explore", &path, "--port", &port]).code(2);
    assert!(ran.err.contains(&format!("cannot listen on port {port}")), "{}", ran.err);
    run(&["explore", "nothing.orb"]).code(2);
    run(&["explore", &path, "--port", "99999"]).code(2);
}

/// The data that a report shows.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"burnside-data\">").expect("there is data");
    let (text, _) = rest.split_once("</script>").expect("it ends");
    serde_json::from_str(text).expect("a document")
}

#[test]
fn a_report_in_one_file() {
    let path = model_file("reported.orb", COUNTER);
    let ran = run(&["check", &path, "--format", "html"]).code(1);
    assert!(
        ran.out.starts_with("<!doctype html>") || ran.out.starts_with("<!DOCTYPE html>"),
        "{}",
        &ran.out[..99]
    );
    let data = data(&ran.out);
    assert_eq!(data["model"]["name"], "reported.orb");
    let results = data["check"]["results"].as_array().expect("a list");
    let names: Vec<_> = results.iter().map(|one| one["property"].as_str().unwrap()).collect();
    assert_eq!(names, ["faults", "small", "legal", "two", "pair", "rises", "back"]);
    let shown: Vec<_> = data["evidence"].as_object().expect("an object").keys().collect();
    assert_eq!(shown, ["small", "two", "pair", "back"]);
    assert_eq!(data["graph"]["nodes"].as_array().map(Vec::len), Some(4));
    assert_eq!(data["symmetry"]["order"], "1");
}

#[test]
fn a_report_about_a_net() {
    let ran = run(&["check", "examples/heljanko_mutex.pnml", "--reachable", "free == 0", "--format", "html"])
        .code(0);
    let data = data(&ran.out);
    assert_eq!(
        (&data["model"]["is_net"], &data["evidence"]["reachable-1"]["kind"]),
        (&true.into(), &"path".into())
    );
    assert_eq!(data["symmetry"]["order"], "2");
}

/// Properties may be given beside the model, and a net has no others.
#[test]
#[cfg(unix)]
fn properties_are_given_beside_the_model() {
    let net = format!("{}/../../examples/heljanko_mutex.pnml", env!("CARGO_MANIFEST_DIR"));
    let given =
        ["--invariant", "critical <= 1", "--ltl", "G F critical > 0", "--fair", "weak", "--bound", "trying"];
    let serving = serve(&[&[net.as_str()], &given[..]].concat());
    let names = |model: &Value| -> Vec<String> {
        let all = model["properties"].as_array().expect("a list").iter();
        all.map(|property| property["name"].as_str().expect("a name").to_string()).collect()
    };
    let model = serving.get("api/model");
    assert_eq!(names(&model), ["deadlock", "invariant-1", "ltl-1", "bound-1"]);
    assert!(!model["fairness"].as_array().expect("a list").is_empty(), "{model}");
    serving.interrupt();
    let path = model_file("explored_given.orb", COUNTER);
    let serving = serve(&[&path, "--ltl", "G F x == 0"]);
    assert_eq!(names(&serving.get("api/model")).last().map(String::as_str), Some("ltl-1"));
    serving.interrupt();
    for (args, why) in [
        (&[&*path, "--bound", "x"][..], "`--bound` is for Petri nets"),
        (&[&*path, "--ltl", "G F"], "[unexpected-token]"),
        (&[&*path, "trace.json", "--ltl", "G F x == 0"], "the properties come from the trace file"),
    ] {
        let ran = run(&[&["explore"], args].concat());
        assert!(ran.code == 2 && ran.err.contains(why), "{args:?}: {}", ran.err);
    }
}
