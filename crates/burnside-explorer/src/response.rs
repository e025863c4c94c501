//! Answers, and how they are sent.
//!
//! Entry point: [`Response::send`]. A client that does not take its answer is not waited for.

use serde_json::{Value, json};
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// So long a client may take to read an answer.
const READING: Duration = Duration::from_secs(20);
/// So much is sent at once.
const CHUNK: usize = 64 << 10;
/// The page loads nothing from elsewhere, and nobody else may show it.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; object-src 'none'";

/// Why something is not answered: a status from 400, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// One sentence.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

impl Response {
    /// A document.
    pub fn json(status: u16, document: &Value) -> Self {
        let body = burnside_report::document::plain(&document.to_string()).into_owned().into_bytes();
        Self { status, content_type: "application/json", body }
    }

    /// A text.
    pub fn text(status: u16, text: &str) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: format!("{text}\n").into_bytes() }
    }

    /// A file of the page.
    pub fn file(content_type: &'static str, text: &str) -> Self {
        Self { status: 200, content_type, body: text.as_bytes().to_vec() }
    }

    /// Sends it.
    pub fn send(&self, stream: &TcpStream, closes: bool) -> io::Result<()> {
        let mut bytes = self.head(closes).into_bytes();
        bytes.extend_from_slice(&self.body);
        let end = Instant::now() + READING;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            stream.set_write_timeout(Some(left))?;
            match (&mut &*stream).write(&rest[..rest.len().min(CHUNK)]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn head(&self, closes: bool) -> String {
        let allow = if self.status == 405 { "Allow: GET, POST\r\n" } else { "" };
        let retry = if self.status == 503 { "Retry-After: 1\r\n" } else { "" };
        format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
             X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             {allow}{retry}\r\n",
            self.status,
            phrase(self.status),
            self.content_type,
            self.body.len(),
            if closes { "close" } else { "keep-alive" },
        )
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        Response::json(refusal.status, &json!({"error": refusal.message}))
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        417 => "Expectation Failed",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_how_it_may_be_used() {
        let head = Response::text(405, "no").head(true);
        let wanted = [
            "HTTP/1.1 405 Method Not Allowed\r\n",
            "Content-Length: 3\r\n",
            "Connection: close\r\n",
            "Cache-Control: no-store\r\n",
            "Content-Security-Policy: default-src 'self'",
            "X-Content-Type-Options: nosniff\r\n",
            "Referrer-Policy: no-referrer\r\n",
            "Allow: GET, POST\r\n",
        ];
        wanted.iter().for_each(|line| assert!(head.contains(line), "{line}: {head}"));
        assert!(head.ends_with("\r\n\r\n"));
    }
}
