//! Clients that do not keep to the rules, or should not be there.

use crate::common::{answered, connect, host, send, serve, serve_text};
use burnside::LoadOptions;
use burnside_explorer::Bounds;
use std::io::Write;
use std::net::Shutdown;
use std::time::{Duration, Instant};

const MODEL: &str = "var x: bool; process P { rule flip { x = !x; } } invariant on = x;";

#[test]
fn strangers_are_refused() {
    let client = serve_text(MODEL);
    let (here, path) = (client.host(), client.path("api/model"));
    let port = here.rsplit(':').next().unwrap().to_string();
    let ask = |path: &str, headers: &str| {
        send(&client, format!("GET {path} HTTP/1.1\r\n{headers}\r\n\r\n").as_bytes())
    };
    assert_eq!(ask(&path, &format!("Host: {here}")), Some(200));
    assert_eq!(ask(&path, &format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}")), Some(200));
    for path in [
        "/",
        "/api/model",
        "/favicon.ico",
        &path[..20],
        &format!("/{}", "0".repeat(32)),
        &path.to_uppercase(),
    ] {
        assert_eq!(ask(path, &format!("Host: {here}")), Some(403), "{path}");
    }
    for foreign in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "127.0.0.1:1", "0.0.0.0", ""]
    {
        assert_eq!(ask(&path, &format!("Host: {foreign}")), Some(403), "{foreign}");
        assert_eq!(ask(&path, &format!("Host: {here}\r\nOrigin: http://{foreign}")), Some(403), "{foreign}");
    }
    assert_eq!(ask(&path, &format!("Host: {here}\r\nOrigin: null")), Some(403));
    assert_eq!(ask(&path, "X: y"), Some(400));
    let answer = serve_text(MODEL).ask("../");
    assert_eq!(answer.status, 404);
}

#[test]
fn only_files_of_the_page_are_handed_out() {
    let mut client = serve_text(MODEL);
    let page = client.ask("");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("Content-Type: text/html; charset=utf-8") && page.head.contains("no-store"));
    assert!(page.head.contains("Content-Security-Policy: default-src 'self'"));
    assert_eq!(client.ask("index.html").body, page.body);
    assert_eq!(client.ask("app.js").status, 200);
    let traversals = [
        "../Cargo.toml",
        "..%2f..%2fetc%2fpasswd",
        "/etc/passwd",
        "%2e%2e/x",
        "app.js/",
        "./app.js",
        "api",
        "api/",
        "api/../app.js",
        "api//model",
    ];
    for path in traversals {
        assert_eq!(client.ask(path).status, 404, "{path}");
    }
    assert_eq!(client.ask("api/walk%00").status, 400);
}

#[test]
fn wrong_methods_and_types_are_refused() {
    let mut client = serve_text(MODEL);
    assert_eq!(client.ask("api/cancel").status, 405);
    assert_eq!(client.post("api/model", "{}").status, 405);
    assert_eq!(client.post("", "{}").status, 405);
    let post = |kind: &str| {
        let (path, here) = (client.path("api/check"), client.host());
        let head = format!("POST {path} HTTP/1.1\r\nHost: {here}\r\nContent-Length: 2\r\n{kind}\r\n{{}}");
        send(&client, head.as_bytes())
    };
    assert_eq!(post(""), Some(415));
    assert_eq!(post("Content-Type: text/plain\r\n"), Some(415));
    assert_eq!(post("Content-Type: application/x-www-form-urlencoded\r\n"), Some(415));
    assert_eq!(post("Content-Type: application/json; charset=utf-8\r\n"), Some(200));
}

#[test]
fn requests_may_come_at_once() {
    let client = serve_text(MODEL);
    let one = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", client.path("api/check"), client.host());
    let mut stream = connect(&client.server);
    stream.write_all(one.repeat(3).as_bytes()).unwrap();
    // All answers are read together here, so they are counted in the text.
    stream.shutdown(Shutdown::Write).unwrap();
    let mut all = String::new();
    std::io::Read::read_to_string(&mut stream, &mut all).unwrap();
    assert_eq!(all.matches("HTTP/1.1 200 OK").count(), 3);
    // Byte by byte is fine, too.
    let mut stream = connect(&client.server);
    for byte in one.as_bytes() {
        stream.write_all(&[*byte]).unwrap();
    }
    assert_eq!(answered(&mut stream).map(|answer| answer.status), Some(200));
}

#[test]
fn slow_clients_are_not_waited_for() {
    let bounds = Bounds { arrival: Duration::from_millis(200), ..Bounds::default() };
    let client = serve("it.orb", MODEL, LoadOptions::new(), bounds);
    for text in
        ["G", "GET / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"]
    {
        let (mut stream, started) = (connect(&client.server), Instant::now());
        stream.write_all(text.as_bytes()).unwrap();
        let answer = answered(&mut stream).expect("there is an answer");
        assert_eq!(answer.status, 408, "{text}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn too_many_connections_are_refused() {
    let client = serve_text(MODEL);
    // One is the client's own.
    let held: Vec<_> = (0..31).map(|_| connect(&client.server)).collect();
    std::thread::sleep(Duration::from_millis(100));
    let mut more = connect(&client.server);
    assert_eq!(answered(&mut more).map(|answer| answer.status), Some(503));
    drop(held);
    std::thread::sleep(Duration::from_millis(300));
    let one = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", client.path("api/check"), host(&client.server));
    assert_eq!(send(&client, one.as_bytes()), Some(200));
}

#[test]
fn a_server_that_has_ended_lets_nobody_in() {
    let client = serve_text(MODEL);
    let address = client.host();
    drop(client);
    std::thread::sleep(Duration::from_millis(100));
    assert!(std::net::TcpStream::connect(address).is_err());
}
