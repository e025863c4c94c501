//! The connection that timely works on: one that never fails.
//!
//! Entry point: [`Steady`]. The threads of timely panic when a connection fails, and that takes down nobody
//! who could tell of it. So what fails here is told to [`Health`], which ends the work, and the thread waits
//! for ever: the program ends without it.

use crate::health::Health;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// How long to wait for a better reason than a connection that has ended.
const REASON: Duration = Duration::from_millis(250);

/// A connection that never fails.
#[derive(Debug)]
pub(crate) struct Steady {
    stream: TcpStream,
    /// What the other one is called in messages.
    name: Arc<str>,
    health: Arc<Health>,
}

impl Steady {
    pub fn new(stream: TcpStream, name: &str, health: &Arc<Health>) -> Self {
        Self { stream, name: name.into(), health: Arc::clone(health) }
    }

    fn fail<R>(&self) -> R {
        // If it ended for a reason that it knew, that comes on the connection of the links.
        std::thread::sleep(REASON);
        self.health.lose(format!("the connection with {} has ended", self.name));
        let _ = self.stream.shutdown(Shutdown::Both);
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

impl Read for Steady {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Ok(0) => self.fail(),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => self.fail(),
            read => read,
        }
    }
}

impl Write for Steady {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Ok(0) => self.fail(),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => self.fail(),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush().or_else(|_| self.fail())
    }
}

impl Stream for Steady {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { stream: self.stream.try_clone()?, name: self.name.clone(), health: self.health.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
