//! What processes of a cluster tell each other beside the work: that they are there, and when they end.
//!
//! Entry points: [`Lines`], a connection on which lines are sent, and [`Links::watch`]. Every process sends a
//! line to every other one several times a second. Whoever is silent for [`SILENCE`], or whose connection
//! ends without a farewell, is gone: then the work of this process ends, see [`Health`]. Who wants to end for
//! a limit, or for Ctrl-C, tells the others why, and their work ends too.

use crate::health::Health;
use burnside_limits::Stop;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Who is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(5);
/// How often to say that one is there.
const BEAT: Duration = Duration::from_millis(400);
/// How often to look whether one wants to end.
const LOOK: Duration = Duration::from_millis(30);
/// How long to wait at the end for the farewells of others, and after a limit.
const FAREWELL: Duration = Duration::from_secs(60);
const SHORT_FAREWELL: Duration = Duration::from_millis(150);

/// A connection on which lines are sent.
#[derive(Debug)]
pub(crate) struct Lines {
    stream: TcpStream,
    /// What came and is no whole line yet.
    partial: Vec<u8>,
    is_ready: bool,
}

impl Lines {
    pub fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_millis(5)))?;
        stream.set_write_timeout(Some(Duration::from_secs(2)))?;
        Ok(Self { stream, partial: Vec::new(), is_ready: false })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        write_line(&self.stream, line)
    }

    /// Whether the other one has all its connections.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Before the work: why the other one does not want to work, if it has said so.
    pub fn peek_refusal(&mut self) -> io::Result<Option<String>> {
        while !self.is_ready
            && let Some(line) = self.receive()?
        {
            if let Some(why) = line.strip_prefix("refuse ") {
                return Ok(Some(why.into()));
            }
            self.is_ready |= line == "ready";
        }
        Ok(None)
    }

    /// A line, if a whole one has come. An error if the connection has ended.
    fn receive(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(end) = self.partial.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.partial.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line[..end]).into_owned()));
            }
            let mut some = [0; 256];
            match self.stream.read(&mut some) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.partial.extend_from_slice(&some[..count]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(None),
                    ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
    }
}

fn write_line(mut stream: &TcpStream, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())
}

/// Another process.
#[derive(Debug)]
struct Peer {
    /// What it is called in messages.
    name: String,
    /// Lines of several threads must not mix.
    stream: Mutex<TcpStream>,
    /// It has said farewell.
    has_left: AtomicBool,
    /// Nobody listens to it any more.
    is_over: AtomicBool,
}

impl Peer {
    /// If it does not arrive, whoever listens notices soon enough.
    fn tell(&self, line: &str) {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write_line(&stream, line);
    }
}

/// The links with all other processes.
#[derive(Debug)]
pub(crate) struct Links {
    peers: Vec<Arc<Peer>>,
    health: Arc<Health>,
    over: Arc<AtomicBool>,
}

impl Links {
    /// Watches over the others from now on.
    pub fn watch(lines: Vec<(String, Lines)>, health: &Arc<Health>) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let mut peers = Vec::new();
        for (name, mut lines) in lines {
            lines.stream.set_read_timeout(Some(LOOK))?;
            let stream = Mutex::new(lines.stream.try_clone()?);
            let (has_left, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
            let peer = Arc::new(Peer { name, stream, has_left, is_over });
            peers.push(Arc::clone(&peer));
            let (health, over) = (Arc::clone(health), Arc::clone(&over));
            let listen = move || {
                listen(&mut lines, &peer, &health, &over);
                peer.is_over.store(true, Ordering::SeqCst);
            };
            thread::Builder::new().name("cluster-listen".into()).spawn(listen)?;
        }
        let links = Self { peers, health: Arc::clone(health), over };
        let (peers, health, over) = (links.peers.clone(), Arc::clone(health), Arc::clone(&links.over));
        thread::Builder::new().name("cluster-pulse".into()).spawn(move || pulse(&peers, &health, &over))?;
        Ok(links)
    }

    /// What tells all others why this process ends, if it has no time to end in order.
    pub fn last_words(&self) -> impl Fn(&Stop) + Send + use<> {
        let peers = self.peers.clone();
        move |stop| tell_stop(&peers, stop)
    }

    /// Says farewell and waits for those of the others, so that nothing is lost that they still need.
    pub fn leave(&self) {
        self.peers.iter().for_each(|peer| peer.tell("bye"));
        let started = Instant::now();
        let is_done =
            |peer: &Arc<Peer>| peer.has_left.load(Ordering::SeqCst) || peer.is_over.load(Ordering::SeqCst);
        while !self.peers.iter().all(is_done) {
            let patience = if self.health.interrupt().is_over() { SHORT_FAREWELL } else { FAREWELL };
            if started.elapsed() > patience {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.over.store(true, Ordering::SeqCst);
    }
}

/// Says that this process is there, and when it wants to end.
fn pulse(peers: &[Arc<Peer>], health: &Health, over: &AtomicBool) {
    let (mut next, mut told) = (Instant::now(), false);
    while !over.load(Ordering::SeqCst) {
        let interrupt = health.interrupt();
        if interrupt.is_over() && !told {
            told = true;
            tell_stop(peers, &interrupt.stop().unwrap_or(Stop::Interrupted));
        }
        if Instant::now() >= next {
            peers.iter().for_each(|peer| peer.tell("beat"));
            next = Instant::now() + BEAT;
        }
        thread::sleep(LOOK);
    }
}

fn tell_stop(peers: &[Arc<Peer>], stop: &Stop) {
    let line = format!("stop {}", crate::stop::write(stop));
    peers.iter().for_each(|peer| peer.tell(&line));
}

/// Hears what another process tells, until one of the two is over.
fn listen(lines: &mut Lines, peer: &Peer, health: &Health, over: &AtomicBool) {
    let mut heard = Instant::now();
    while !over.load(Ordering::SeqCst) {
        match lines.receive() {
            Ok(Some(line)) => {
                heard = Instant::now();
                if line == "bye" {
                    peer.has_left.store(true, Ordering::SeqCst);
                    health.left(&peer.name);
                    return;
                }
                if let Some(stop) = line.strip_prefix("stop ") {
                    end(crate::stop::read(stop), peer, health);
                }
            }
            Ok(None) if heard.elapsed() < SILENCE => {}
            Ok(None) => {
                let seconds = SILENCE.as_secs();
                return health.lose(format!("nothing was heard of {} for {seconds} s", peer.name));
            }
            Err(_) => return health.lose(format!("the connection with {} has ended", peer.name)),
        }
    }
}

/// Another process ends for this reason.
fn end(stop: Stop, peer: &Peer, health: &Health) {
    match stop {
        Stop::Lost(why) => health.lose(format!("{} says: {why}", peer.name)),
        stop if !health.interrupt().is_over() => health.interrupt().raise(stop),
        _ => {}
    }
}
