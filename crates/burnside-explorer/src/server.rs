//! The server: a thread for each connection, up to a number of them, on loopback and nowhere else.
//!
//! Entry point: [`Server::start`]. It ends when it is dropped: nobody is let in any more, and connections end
//! within a fraction of a second, but for what is being worked on.

use crate::api;
use crate::explorer::Explorer;
use crate::guard::{Guard, token};
use crate::request::{Reader, Request};
use crate::response::{Refusal, Response};
use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most connections at once. A browser opens six.
pub(crate) const MOST: usize = 32;
/// Room for the recursive walks over deep expressions. It is taken only as far as it is used.
pub(crate) const STACK: usize = 64 << 20;
/// So much of what a refused client still says is listened to,
const FAREWELL: usize = 256 << 10;
/// and so long: closing at once would take the answer back.
const PATIENCE: Duration = Duration::from_secs(1);

/// A running server.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

#[derive(Debug)]
struct Shared {
    explorer: Arc<Explorer>,
    guard: Guard,
    over: AtomicBool,
    connections: AtomicUsize,
}

impl Server {
    /// Starts on a port of loopback; 0: on a free one.
    pub fn start(explorer: Explorer, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let guard = Guard { token: token()?, port: address.port() };
        let (over, connections) = (AtomicBool::new(false), AtomicUsize::new(0));
        let shared = Arc::new(Shared { explorer: Arc::new(explorer), guard, over, connections });
        let inside = Arc::clone(&shared);
        std::thread::Builder::new().name("server".into()).spawn(move || listen(&inside, &listener))?;
        Ok(Self { shared, address })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.shared.guard.token)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        self.shared.explorer.cancel();
        // The one who lets others in waits for somebody.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

fn listen(shared: &Arc<Shared>, listener: &TcpListener) {
    while !shared.over.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok((stream, _)) => admit(shared, stream),
            // Too many open files, or a client that is gone already.
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Gives a connection a thread, if there is one left.
fn admit(shared: &Arc<Shared>, stream: TcpStream) {
    // Answers are written whole, and small ones should not wait for more.
    let _ = stream.set_nodelay(true);
    if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST {
        shared.connections.fetch_sub(1, Ordering::SeqCst);
        let _ = Response::from(Refusal::new(503, "there are too many connections")).send(&stream, true);
        return;
    }
    let slot = Slot(Arc::clone(shared));
    let work = move || serve(&slot.0, &stream);
    // If there is no thread, the connection is closed and its place is free again.
    let _ = std::thread::Builder::new().name("connection".into()).stack_size(STACK).spawn(work);
}

/// What a connection takes, which is free again when it ends, however it ends.
struct Slot(Arc<Shared>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers the requests of a connection.
fn serve(shared: &Shared, stream: &TcpStream) {
    let mut reader = Reader::new(stream, &shared.over, shared.explorer.bounds.arrival);
    loop {
        match reader.next() {
            Ok(None) => return,
            Ok(Some(request)) => {
                let closes = request.closes;
                if answer(shared, &request).send(stream, closes).is_err() || closes {
                    return;
                }
            }
            Err(refusal) => {
                // Where the next request would begin is not known.
                if Response::from(refusal).send(stream, true).is_ok() {
                    part(stream);
                }
                return;
            }
        }
    }
}

/// Ends a connection on which there may be more to read.
fn part(stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
    let (mut block, mut heard, end) = ([0; 16 << 10], 0, Instant::now() + PATIENCE);
    while let Ok(count @ 1..) = (&mut &*stream).read(&mut block) {
        heard += count;
        if heard > FAREWELL || Instant::now() > end {
            return;
        }
    }
}

fn answer(shared: &Shared, request: &Request) -> Response {
    let what = match shared.guard.admit(request) {
        Ok(what) => what,
        Err(refusal) => return Response::text(refusal.status, &refusal.message),
    };
    let answered = catch_unwind(AssertUnwindSafe(|| api::answer(&shared.explorer, what, request)));
    answered.unwrap_or_else(|_| Refusal::new(500, "an internal error: see where the program runs").into())
}
