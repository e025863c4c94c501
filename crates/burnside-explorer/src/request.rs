//! Requests of HTTP/1.1, as much of it as a page on the same machine needs, and no more.
//!
//! Entry points: [`Reader::next`] for a whole request with its body, [`Request::parse`] for its head. What is
//! not understood is refused, never guessed at: bodies have a `Content-Length`, lines end with CRLF, a header
//! that says where or how long is there once. Everything has a greatest size, and a client that takes too
//! long to say what it wants is not waited for.

use crate::response::Refusal;
use std::io::{self, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The greatest request line: a path of a walk has thousands of numbers.
pub(crate) const MAX_LINE: usize = 64 << 10;
/// The greatest head, request line and all headers.
pub(crate) const MAX_HEAD: usize = 96 << 10;
/// The most headers.
const MAX_HEADERS: usize = 100;
/// The greatest body.
pub(crate) const MAX_BODY: usize = 64 << 10;
/// So long a connection may be silent between two requests.
const IDLE: Duration = Duration::from_secs(15);
/// How often a reader that waits looks whether the server is to end.
const LOOK: Duration = Duration::from_millis(200);

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// To see something.
    Get,
    /// To do something.
    Post,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub method: Method,
    /// The part of the target before the `?`, with its escapes resolved.
    pub path: String,
    /// The rest of it: names and values, likewise.
    pub query: Vec<(String, String)>,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Whether the client wants no other answer after this one.
    pub closes: bool,
}

impl Request {
    /// A header that is there at most once.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A value of the query.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A request without its body, from its head: everything before the empty line.
    pub fn parse(head: &[u8]) -> Result<Self, Refusal> {
        let bad = |what: &str| Refusal::new(400, what);
        let head = std::str::from_utf8(head).map_err(|_| bad("the request is not a text in UTF-8"))?;
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        if first.len() > MAX_LINE {
            return Err(Refusal::new(414, "the address is too long"));
        }
        let parts: Vec<&str> = first.split(' ').collect();
        let &[method, target, version] = &parts[..] else {
            return Err(bad("the first line is not a method, an address and a version"));
        };
        let closes = match version {
            "HTTP/1.1" => false,
            "HTTP/1.0" => true,
            _ => return Err(bad("the version is not HTTP/1.1")),
        };
        let headers = headers(lines)?;
        let method = match method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            _ => return Err(Refusal::new(405, "only GET and POST are understood")),
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if !path.starts_with('/') {
            return Err(bad("the address does not begin with `/`"));
        }
        let mut request = Self {
            method,
            path: unescaped(path, false)?,
            query: query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect::<Result<_, _>>()?,
            headers,
            body: Vec::new(),
            closes,
        };
        request.closes |= request.header("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        Ok(request)
    }

    /// How long its body is.
    fn body_length(&self) -> Result<usize, Refusal> {
        if self.header("transfer-encoding").is_some() {
            return Err(Refusal::new(411, "a body is sent whole, with its length in `Content-Length`"));
        }
        if self.header("expect").is_some() {
            return Err(Refusal::new(417, "nothing is promised before the request is whole"));
        }
        let length = match self.header("content-length") {
            None if self.method == Method::Post => {
                return Err(Refusal::new(411, "a POST has a `Content-Length`"));
            }
            None => 0,
            Some(text) if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(Refusal::new(400, "`Content-Length` is not a number"));
            }
            Some(text) => text.parse().unwrap_or(usize::MAX),
        };
        match self.method {
            Method::Get if length > 0 => Err(Refusal::new(400, "a GET has no body")),
            _ if length > MAX_BODY => Err(Refusal::new(413, "the body is too large")),
            _ => Ok(length),
        }
    }
}

/// The headers of a request, from the lines after the first.
fn headers<'h>(lines: impl Iterator<Item = &'h str>) -> Result<Vec<(String, String)>, Refusal> {
    /// What must not be said twice: others might listen to the other one.
    const ONCE: [&str; 6] =
        ["host", "origin", "content-length", "content-type", "transfer-encoding", "connection"];
    let bad = |what: &str| Err(Refusal::new(400, what));
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return bad("a header has no `:`") };
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return bad("the name of a header is not one");
        }
        if value.chars().any(|c| c.is_control() && c != '\t') {
            return bad("a header holds control characters");
        }
        let name = name.to_ascii_lowercase();
        if ONCE.contains(&name.as_str()) && headers.iter().any(|(known, _)| *known == name) {
            return bad("a header is there twice");
        }
        if headers.len() == MAX_HEADERS {
            return Err(Refusal::new(431, "there are too many headers"));
        }
        headers.push((name, value.trim_matches([' ', '\t']).to_string()));
    }
    Ok(headers)
}

fn pair(pair: &str) -> Result<(String, String), Refusal> {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    Ok((unescaped(name, true)?, unescaped(value, true)?))
}

/// A part of an address with its escapes resolved; in a query `+` stands for a space.
fn unescaped(text: &str, in_query: bool) -> Result<String, Refusal> {
    let bad = |what: &str| Refusal::new(400, what);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
                let (high, low) = (digit(), digit());
                let value = high.zip(low).map(|(high, low)| (high * 16 + low) as u8);
                value.ok_or_else(|| bad("an escape in the address is not one"))?
            }
            b'+' if in_query => b' ',
            other => other,
        };
        bytes.push(byte);
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("the address is not a text in UTF-8"))?;
    match text.chars().any(char::is_control) {
        true => Err(bad("the address holds control characters")),
        false => Ok(text),
    }
}

/// Reads the requests of a connection, one after the other.
pub(crate) struct Reader<'c> {
    stream: &'c TcpStream,
    /// Whether the server is to end.
    over: &'c AtomicBool,
    /// So long a request may take to arrive, from its first byte.
    arrival: Duration,
    /// What has arrived and was not used yet: the beginning of the next request.
    arrived: Vec<u8>,
}

impl<'c> Reader<'c> {
    pub fn new(stream: &'c TcpStream, over: &'c AtomicBool, arrival: Duration) -> Self {
        Self { stream, over, arrival, arrived: Vec::new() }
    }

    /// The next request; none if there is no more, or nobody said anything for too long.
    pub fn next(&mut self) -> Result<Option<Request>, Refusal> {
        // Of a request that came with the one before, the time begins now.
        let mut end = (!self.arrived.is_empty()).then(|| Instant::now() + self.arrival);
        let Some(head) = self.head(&mut end)? else { return Ok(None) };
        let mut request = Request::parse(&self.arrived[..head])?;
        let whole = head + 4 + request.body_length()?;
        while self.arrived.len() < whole {
            match self.more(end.unwrap_or_else(Instant::now)) {
                More::Bytes => {}
                More::Closed => return Err(Refusal::new(400, "the body ends in the middle")),
                More::Late => return Err(Refusal::new(408, "the body takes too long to arrive")),
            }
        }
        request.body = self.arrived[head + 4..whole].to_vec();
        self.arrived.drain(..whole);
        Ok(Some(request))
    }

    /// Waits for the head of a request: where it ends. `end` is when it must be there, once it has begun.
    fn head(&mut self, end: &mut Option<Instant>) -> Result<Option<usize>, Refusal> {
        let (idle, mut seen) = (Instant::now() + IDLE, 0);
        loop {
            let found = head_end(&self.arrived, seen);
            seen = self.arrived.len().saturating_sub(3);
            let length = found.unwrap_or(self.arrived.len());
            if length > MAX_LINE && !self.arrived[..MAX_LINE].windows(2).any(|two| two == b"\r\n") {
                return Err(Refusal::new(414, "the address is too long"));
            }
            if length > MAX_HEAD {
                return Err(Refusal::new(431, "the headers are too long"));
            }
            if found.is_some() {
                return Ok(found);
            }
            match self.more(end.unwrap_or(idle)) {
                More::Bytes => _ = end.get_or_insert_with(|| Instant::now() + self.arrival),
                More::Closed | More::Late if self.arrived.is_empty() => return Ok(None),
                More::Closed => return Err(Refusal::new(400, "the request ends in the middle")),
                More::Late => return Err(Refusal::new(408, "the request takes too long to arrive")),
            }
        }
    }

    /// Waits for more bytes.
    fn more(&mut self, end: Instant) -> More {
        let mut block = [0; 16 << 10];
        while !self.over.load(Ordering::SeqCst) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return More::Late;
            }
            if self.stream.set_read_timeout(Some(left.min(LOOK))).is_err() {
                return More::Closed;
            }
            match (&mut &*self.stream).read(&mut block) {
                Ok(0) => return More::Closed,
                Ok(count) => {
                    self.arrived.extend_from_slice(&block[..count]);
                    return More::Bytes;
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {}
                    _ => return More::Closed,
                },
            }
        }
        // As if nothing had been said: whatever has arrived is not answered any more.
        self.arrived.clear();
        More::Closed
    }
}

/// What came of waiting.
enum More {
    Bytes,
    Closed,
    Late,
}

/// Where a head ends: the place of the empty line after it. Nothing is before `from`.
fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].windows(4).position(|four| four == b"\r\n\r\n").map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(head: &[u8]) -> u16 {
        Request::parse(head).and_then(|request| request.body_length()).expect_err("it is refused").status
    }

    #[test]
    fn a_request_is_read() {
        let head = b"GET /t/api/walk?path=0.3&colour=x+%3D%3D%201 HTTP/1.1\r\nHost: localhost:1\r\nX-A:  b ";
        let request = Request::parse(head).expect("it is one");
        assert_eq!(
            (request.method, request.path.as_str(), request.closes),
            (Method::Get, "/t/api/walk", false)
        );
        assert_eq!((request.value("path"), request.value("colour")), (Some("0.3"), Some("x == 1")));
        assert_eq!((request.header("host"), request.header("x-a")), (Some("localhost:1"), Some("b")));
        assert_eq!(request.body_length().ok(), Some(0));
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        let bad: [&[u8]; 16] = [
            b"",
            b"GET",
            b"GET / HTTP/2",
            b"GET  / HTTP/1.1",
            b"GET http://127.0.0.1/ HTTP/1.1",
            b"GET /%zz HTTP/1.1",
            b"GET /%f HTTP/1.1",
            b"GET /%ff HTTP/1.1",
            b"GET /%00 HTTP/1.1",
            b"GET /\xff HTTP/1.1",
            b"GET / HTTP/1.1\r\nno colon",
            b"GET / HTTP/1.1\r\n: empty",
            b"GET / HTTP/1.1\r\nbad name: 1",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b",
            b"GET / HTTP/1.1\r\nA: \x01",
            b"GET / HTTP/1.1\nHost: a",
        ];
        for head in bad {
            assert_eq!(refused(head), 400, "{}", String::from_utf8_lossy(head));
        }
        assert_eq!(refused(b"BREW / HTTP/1.1"), 405);
        assert_eq!(refused(format!("GET /{} HTTP/1.1", "x".repeat(MAX_LINE)).as_bytes()), 414);
        let many = format!("GET / HTTP/1.1{}", "\r\na: b".repeat(MAX_HEADERS + 1));
        assert_eq!(refused(many.as_bytes()), 431);
    }

    #[test]
    fn bodies_have_a_length() {
        let with = |headers: &str| refused(format!("POST / HTTP/1.1\r\n{headers}").as_bytes());
        assert_eq!(with("A: b"), 411);
        assert_eq!(with("Transfer-Encoding: chunked"), 411);
        assert_eq!(with("Content-Length: 3\r\nTransfer-Encoding: chunked"), 411);
        assert_eq!(
            [with("Content-Length: -1"), with("Content-Length: +1"), with("Content-Length: ")],
            [400; 3]
        );
        assert_eq!(with("Content-Length: 99999999999999999999999"), 413);
        assert_eq!(with("Content-Length: 1\r\nContent-Length: 1"), 400);
        assert_eq!(with("Content-Length: 1\r\nExpect: 100-continue"), 417);
        assert_eq!(refused(b"GET / HTTP/1.1\r\nContent-Length: 1"), 400);
    }
}
