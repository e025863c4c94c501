//! The first line on every connection: who somebody is, and what they want to check.

use crate::connection::Membership;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What is spoken. Raised when that changes.
const PROTOCOL: &str = "burnside-cluster-1";
/// No line is longer.
const LONGEST: usize = 512;
/// Whoever connects says who they are so soon.
const PROMPTLY: Duration = Duration::from_secs(3);

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What timely sends.
    Data,
    /// Who is there, and who wants to end.
    Control,
}

/// Who somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    pub purpose: Purpose,
    pub process: usize,
    pub processes: usize,
    pub workers: usize,
    pub version: String,
    pub model: String,
    pub options: String,
}

impl Hello {
    pub fn new(purpose: Purpose, membership: &Membership) -> Self {
        Self {
            purpose,
            process: membership.process,
            processes: membership.hosts.addresses().len(),
            workers: membership.workers,
            version: env!("CARGO_PKG_VERSION").into(),
            model: membership.model.to_string(),
            options: membership.options.to_string(),
        }
    }

    /// Sends it.
    pub fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let purpose = match self.purpose {
            Purpose::Data => "data",
            Purpose::Control => "control",
        };
        let Self { process, processes, workers, version, model, options, .. } = self;
        let line =
            format!("{PROTOCOL} {purpose} {process} {processes} {workers} {version} {model} {options}\n");
        stream.set_write_timeout(Some(PROMPTLY))?;
        stream.write_all(line.as_bytes())
    }

    /// Receives one; none if it is something else.
    pub fn receive(stream: &mut TcpStream) -> io::Result<Option<Self>> {
        stream.set_read_timeout(Some(PROMPTLY))?;
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < LONGEST && stream.read(&mut byte)? == 1 && byte[0] != b'\n' {
            line.push(byte[0]);
        }
        Ok(std::str::from_utf8(&line).ok().and_then(Self::parse))
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        if words.next()? != PROTOCOL {
            return None;
        }
        let purpose = match words.next()? {
            "data" => Purpose::Data,
            "control" => Purpose::Control,
            _ => return None,
        };
        let mut number = || words.next()?.parse().ok();
        let (process, processes, workers) = (number()?, number()?, number()?);
        let mut text = || words.next().map(String::from);
        Some(Self {
            purpose,
            process,
            processes,
            workers,
            version: text()?,
            model: text()?,
            options: text()?,
        })
    }

    /// In what another one differs that must be the same; nothing if in nothing.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.version != other.version {
            return Some(format!("it is version {} of Burnside, this is {}", other.version, self.version));
        }
        if self.model != other.model {
            return Some("it has another model, or other values of its constants".into());
        }
        if self.options != other.options {
            return Some("it was started with other options or properties".into());
        }
        if self.processes != other.processes {
            let (there, here) = (other.processes, self.processes);
            return Some(format!("its hosts file names {there} processes, the one here {here}"));
        }
        let (there, here) = (other.workers, self.workers);
        (there != here).then(|| format!("it was started with `--workers {there}`, this with {here}"))
    }
}
