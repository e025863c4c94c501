//! Who may ask: only a page that this server has handed out, on this machine.
//!
//! Entry points: [`token`], [`Guard::admit`]. The address holds a random token, which other programs and
//! pages do not know; `Host` must be loopback, so that no name of somebody else can be made to point here;
//! and a request from a page of another origin is refused, whatever it knows.

use crate::request::Request;
use crate::response::Refusal;
use std::io;

/// Letters of a token.
const LENGTH: usize = 32;

/// A random token, from the operating system.
pub(crate) fn token() -> io::Result<String> {
    let mut bytes = [0; LENGTH / 2];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Knows who may ask.
#[derive(Debug)]
pub(crate) struct Guard {
    pub token: String,
    pub port: u16,
}

impl Guard {
    /// What is asked for, without the token: `` or `api/model`. Or why nothing is told.
    pub fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, Refusal> {
        let forbidden = |what: &str| Err(Refusal::new(403, what));
        match request.header("host") {
            None => return Err(Refusal::new(400, "the request has no `Host`")),
            Some(host) if !self.is_here(host) => return forbidden("the `Host` is not this server"),
            Some(_) => {}
        }
        if let Some(origin) = request.header("origin")
            && !origin.strip_prefix("http://").is_some_and(|host| self.is_here(host))
        {
            return forbidden("the request comes from another page");
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        if !is_equal(token.as_bytes(), self.token.as_bytes()) {
            return forbidden("the address has not the token that the program printed: open that one");
        }
        Ok(rest)
    }

    fn is_here(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        port == self.port.to_string() && ["127.0.0.1", "localhost", "[::1]"].contains(&name)
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(path: &str, headers: &str) -> Result<String, u16> {
        let guard = Guard { token: "00112233445566778899aabbccddeeff".into(), port: 4711 };
        let head = format!("GET {path} HTTP/1.1\r\n{headers}");
        let request = Request::parse(head.as_bytes()).expect("it is a request");
        guard.admit(&request).map(str::to_string).map_err(|refusal| refusal.status)
    }

    #[test]
    fn only_those_who_know_the_token_are_let_in() {
        let host = "Host: 127.0.0.1:4711";
        assert_eq!(admit("/00112233445566778899aabbccddeeff/api/model", host), Ok("api/model".into()));
        assert_eq!(admit("/00112233445566778899aabbccddeeff/", host), Ok(String::new()));
        for path in
            ["/", "/api/model", "/00112233445566778899aabbccddeefe/", "/00112233445566778899aabbccddeef/"]
        {
            assert_eq!(admit(path, host), Err(403), "{path}");
        }
    }

    #[test]
    fn only_this_machine_and_this_page() {
        let path = "/00112233445566778899aabbccddeeff/";
        for host in ["localhost:4711", "[::1]:4711", "127.0.0.1:4711"] {
            assert_eq!(admit(path, &format!("Host: {host}\r\nOrigin: http://{host}")), Ok(String::new()));
        }
        let foreign = ["127.0.0.1", "127.0.0.1:80", "evil.example:4711", "127.0.0.1:4711.evil", "", ":4711"];
        for host in foreign {
            assert_eq!(admit(path, &format!("Host: {host}")), Err(403), "{host}");
            let origin = format!("Host: 127.0.0.1:4711\r\nOrigin: http://{host}");
            assert_eq!(admit(path, &origin), Err(403), "{host}");
        }
        for origin in ["null", "https://127.0.0.1:4711", "file://"] {
            assert_eq!(
                admit(path, &format!("Host: 127.0.0.1:4711\r\nOrigin: {origin}")),
                Err(403),
                "{origin}"
            );
        }
        assert_eq!(admit(path, "A: b"), Err(400));
    }

    #[test]
    fn tokens_are_random() {
        let (one, other) = (token().unwrap(), token().unwrap());
        assert_ne!(one, other);
        assert!(one.len() == LENGTH && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
