//! How the processes of a cluster find each other.
//!
//! Entry point: [`Connection::open`]. Each process listens at its address; those with greater numbers connect
//! to those with lesser ones, once for what timely sends and once to keep an eye on each other. Both say who
//! they are and what they want to check ([`Hello`]); if that differs, both say so and end, and tell the
//! others. Nobody begins before all are connected with all.

use crate::Fingerprint;
use crate::hello::{Hello, Purpose};
use crate::hosts::Hosts;
use crate::link::Lines;
use burnside_limits::{Interrupt, Stop};
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long to wait before looking again.
const PAUSE: Duration = Duration::from_millis(20);
/// How long to wait for one address.
const EACH: Duration = Duration::from_millis(1000);

/// A process, among others.
#[derive(Clone, Debug)]
pub struct Membership {
    /// Where they are.
    pub hosts: Hosts,
    /// The number of this one.
    pub process: usize,
    /// How many workers each process has.
    pub workers: usize,
    /// Of the model.
    pub model: Fingerprint,
    /// Of all options that matter.
    pub options: Fingerprint,
    /// How long to wait for the others.
    pub wait: Duration,
}

/// Why there is no cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectError {
    /// There is something wrong, as a sentence.
    Bad(String),
    /// It was ended before.
    Stopped(Stop),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Bad(message) => f.write_str(message),
            ConnectError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for ConnectError {}

/// The connections of a process with all others.
#[derive(Debug)]
pub struct Connection {
    pub(crate) membership: Membership,
    /// By process; none for this one.
    pub(crate) data: Vec<Option<TcpStream>>,
    pub(crate) control: Vec<Option<Lines>>,
}

impl Connection {
    /// Connects with all other processes. Ends with an error when the interrupt is raised.
    pub fn open(membership: &Membership, interrupt: &Interrupt) -> Result<Self, ConnectError> {
        let count = membership.hosts.addresses().len();
        let mut opening = Opening {
            membership,
            interrupt,
            end: Instant::now() + membership.wait,
            data: (0..count).map(|_| None).collect(),
            control: (0..count).map(|_| None).collect(),
            last_error: vec![None; count],
        };
        match opening.run() {
            Ok(()) => {
                let Opening { data, control, .. } = opening;
                Ok(Self { membership: membership.clone(), data, control })
            }
            Err(error) => {
                let why = format!("refuse {}", error.to_string().replace('\n', " "));
                opening.control.iter_mut().flatten().for_each(|lines| drop(lines.send(&why)));
                Err(error)
            }
        }
    }
}

struct Opening<'m> {
    membership: &'m Membership,
    interrupt: &'m Interrupt,
    end: Instant,
    data: Vec<Option<TcpStream>>,
    control: Vec<Option<Lines>>,
    /// By process: why it could not be reached.
    last_error: Vec<Option<String>>,
}

impl Opening<'_> {
    fn run(&mut self) -> Result<(), ConnectError> {
        let me = self.membership.process;
        let address = &self.membership.hosts.addresses()[me];
        let listener = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listener.map_err(|error| {
            bad(format!("process {me} cannot listen at `{address}`, its address in the hosts file: {error}"))
        })?;
        while let Some(missing) = self.missing() {
            self.look()?;
            if Instant::now() >= self.end {
                return Err(self.unreachable(missing));
            }
            for process in 0..me {
                self.connect(process, Purpose::Control)?;
                self.connect(process, Purpose::Data)?;
            }
            self.accept(&listener)?;
            std::thread::sleep(PAUSE);
        }
        self.all_ready()
    }

    /// A process that is not connected yet.
    fn missing(&self) -> Option<usize> {
        let is_there = |it: usize| self.data[it].is_some() && self.control[it].is_some();
        (0..self.data.len()).find(|&it| it != self.membership.process && !is_there(it))
    }

    fn name(&self, process: usize) -> String {
        format!("process {process} (`{}`)", self.membership.hosts.addresses()[process])
    }

    fn unreachable(&self, process: usize) -> ConnectError {
        let (name, seconds) = (self.name(process), self.membership.wait.as_secs_f64());
        let why = match &self.last_error[process] {
            Some(error) => format!(": {error}"),
            None => String::new(),
        };
        bad(format!(
            "{name} cannot be reached within {seconds} s{why}; is it started, with the same hosts file?"
        ))
    }

    /// Whether to go on: somebody may want to end, here or elsewhere.
    fn look(&mut self) -> Result<(), ConnectError> {
        if self.interrupt.is_raised() {
            return Err(ConnectError::Stopped(self.interrupt.stop().unwrap_or(Stop::Interrupted)));
        }
        for process in 0..self.control.len() {
            let Some(lines) = &mut self.control[process] else { continue };
            match lines.peek_refusal() {
                Ok(None) => {}
                Ok(Some(why)) => return Err(bad(format!("{} has ended: {why}", self.name(process)))),
                Err(_) => return Err(bad(format!("{} has ended", self.name(process)))),
            }
        }
        Ok(())
    }

    /// Connects with a process for a purpose, unless that is done.
    fn connect(&mut self, process: usize, purpose: Purpose) -> Result<(), ConnectError> {
        let done = match purpose {
            Purpose::Control => self.control[process].is_some(),
            Purpose::Data => self.data[process].is_some() || self.control[process].is_none(),
        };
        if done {
            return Ok(());
        }
        let address = &self.membership.hosts.addresses()[process];
        let greeted = reach(address).and_then(|mut stream| {
            Hello::new(purpose, self.membership).send(&mut stream)?;
            Ok((Hello::receive(&mut stream)?, stream))
        });
        match greeted {
            Err(error) => {
                self.last_error[process] = Some(error.to_string());
                Ok(())
            }
            Ok((None, _)) => {
                self.last_error[process] = Some("something else answers there".into());
                Ok(())
            }
            Ok((Some(hello), stream)) => {
                if hello.process != process {
                    let there = hello.process;
                    return Err(bad(format!("{} says it is process {there}", self.name(process))));
                }
                self.admit(&hello, purpose, stream)
            }
        }
    }

    /// Takes the connections that others have made.
    fn accept(&mut self, listener: &TcpListener) -> Result<(), ConnectError> {
        loop {
            let mut stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // Somebody who is gone again.
                Err(_) => return Ok(()),
            };
            let greeted = stream.set_nonblocking(false).and_then(|()| Hello::receive(&mut stream));
            // Whoever speaks something else is no business of ours.
            let Ok(Some(hello)) = greeted else { continue };
            if Hello::new(hello.purpose, self.membership).send(&mut stream).is_err() {
                continue;
            }
            let (from, purpose) = (hello.process, hello.purpose);
            let mine = Hello::new(purpose, self.membership);
            if mine.difference(&hello).is_none() && (from >= self.data.len() || from == mine.process) {
                return Err(bad(format!(
                    "somebody else says it is process {from}, with the same hosts file"
                )));
            }
            self.admit(&hello, purpose, stream)?;
        }
    }

    /// A connection with somebody who said who they are.
    fn admit(&mut self, hello: &Hello, purpose: Purpose, stream: TcpStream) -> Result<(), ConnectError> {
        let process = hello.process;
        if let Some(difference) = Hello::new(purpose, self.membership).difference(hello) {
            let name =
                if process < self.data.len() { self.name(process) } else { format!("process {process}") };
            return Err(bad(format!("{name} does not fit: {difference}")));
        }
        let twice = || bad(format!("{} was started twice", self.name(process)));
        match purpose {
            Purpose::Control if self.control[process].is_some() => Err(twice()),
            Purpose::Data if self.data[process].is_some() => Err(twice()),
            Purpose::Control => {
                let lines = Lines::new(stream).map_err(|error| bad(error.to_string()))?;
                self.control[process] = Some(lines);
                Ok(())
            }
            Purpose::Data => {
                // What limits the greeting must not limit the work.
                let calm = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
                calm.and_then(|()| stream.set_nodelay(true)).map_err(|error| bad(error.to_string()))?;
                self.data[process] = Some(stream);
                Ok(())
            }
        }
    }

    /// Waits until all others have found each other too.
    fn all_ready(&mut self) -> Result<(), ConnectError> {
        self.control.iter_mut().flatten().for_each(|lines| drop(lines.send("ready")));
        loop {
            self.look()?;
            let waiting =
                self.control.iter().position(|lines| lines.as_ref().is_some_and(|it| !it.is_ready()));
            let Some(process) = waiting else { return Ok(()) };
            if Instant::now() >= self.end {
                return Err(bad(format!("{} does not find all the others", self.name(process))));
            }
        }
    }
}

fn bad(message: String) -> ConnectError {
    ConnectError::Bad(message)
}

/// Connects with an address.
fn reach(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, EACH) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
