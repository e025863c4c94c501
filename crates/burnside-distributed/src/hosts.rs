//! The file that names the processes of a cluster: one address in each line.

use std::fmt;

/// The addresses of the processes, by their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
}

/// What is wrong with such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsError {
    /// The number of the line, from 1; none: it is about the whole.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Hosts {
    /// Reads the text of such a file. What follows a `#` is a comment.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        let mut addresses: Vec<(usize, String)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            let line = number + 1;
            let wrong = |message| HostsError { line: Some(line), message };
            check(address).map_err(wrong)?;
            if let Some((first, _)) = addresses.iter().find(|(_, known)| known == address) {
                let message = format!("`{address}` is already in line {first}: each process needs its own");
                return Err(wrong(message));
            }
            addresses.push((line, address.into()));
        }
        if addresses.is_empty() {
            let message = "it names no process: write one address `HOST:PORT` in each line".into();
            return Err(HostsError { line: None, message });
        }
        Ok(Self { addresses: addresses.into_iter().map(|(_, address)| address).collect() })
    }

    /// The addresses, by the number of the process.
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }
}

/// Whether something can be an address.
fn check(address: &str) -> Result<(), String> {
    let parts = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    let Some((host, port)) = parts else {
        return Err(format!("`{address}` has no port: write `HOST:PORT`, as in `node1:7410`"));
    };
    if host.contains(char::is_whitespace) || port.contains(char::is_whitespace) {
        return Err(format!("`{address}` is more than one address: write one in each line"));
    }
    if host.contains(':') && !host.starts_with('[') {
        return Err(format!("`{address}` is ambiguous: write `[{host}]:{port}` for an address of IPv6"));
    }
    match port.parse::<u16>() {
        Ok(0) | Err(_) => Err(format!("`{port}` is no port: it is a number from 1 to 65535")),
        Ok(_) => Ok(()),
    }
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_comments_and_empty_lines() {
        let hosts = Hosts::parse("# two\nnode1:7410\n\n  [::1]:80 # here\n").unwrap();
        assert_eq!(hosts.addresses(), ["node1:7410", "[::1]:80"]);
    }

    #[test]
    fn mistakes_have_a_place() {
        let cases = [
            ("a:1\nb", 2, "has no port"),
            (":7", 1, "has no port"),
            ("a:0", 1, "no port"),
            ("a:70000", 1, "no port"),
            ("a:x", 1, "no port"),
            ("::1:80", 1, "[::1]:80"),
            ("a:1 b:2", 1, "more than one"),
            ("a:1\n#\na:1", 3, "already in line 1"),
        ];
        for (text, line, message) in cases {
            let error = Hosts::parse(text).unwrap_err();
            assert_eq!(error.line, Some(line), "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
        assert_eq!(Hosts::parse("# nobody\n").unwrap_err().line, None);
    }
}
