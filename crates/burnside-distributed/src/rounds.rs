//! What a worker sends and receives, in rounds.
//!
//! Entry points: [`Rounds`], for the thread that does the work, and [`serve`], for the thread of timely that
//! it talks to. (The threads that timely starts have too little stack for the code of models, and what waits
//! in them need not wait for work.) Behind it is one dataflow: an input, an exchange of parcels by their
//! worker, and a probe. Times are numbers of rounds. A round is over when the probe says that every worker
//! has closed it and everything sent in it was received: so what is received in a round was sent in it, and
//! no worker is more than one round ahead. Waiting ends as soon as a part of the cluster is gone.

use crate::health::Health;
use crate::note::{Load, Note, Parcel};
use burnside_limits::Stop;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::Thread;
use std::time::Duration;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// How long to wait for something to happen before looking whether all are there.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a worker asks its server.
enum Command {
    Send(Parcel),
    /// Nothing more in this round.
    Close,
}

/// What a server tells.
enum Reply {
    /// The thread to be woken for commands.
    Ready(Thread),
    Received(Parcel),
    /// The round is over.
    Over,
}

/// The end of a worker.
pub(crate) struct Rounds {
    index: usize,
    peers: usize,
    commands: Sender<Command>,
    events: Receiver<Reply>,
    server: Option<Thread>,
    health: Arc<Health>,
}

/// The end of the thread that serves it.
pub(crate) struct Server {
    commands: Receiver<Command>,
    events: Sender<Reply>,
}

/// Both ends for a worker, with its number among all.
pub(crate) fn pair(index: usize, peers: usize, health: Arc<Health>) -> (Rounds, Server) {
    let ((commands, served), (events, received)) = (channel(), channel());
    let rounds = Rounds { index, peers, commands, events: received, server: None, health };
    (rounds, Server { commands: served, events })
}

impl Rounds {
    /// The number of this worker.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many workers there are.
    pub fn peers(&self) -> usize {
        self.peers
    }

    /// The health of the cluster.
    pub fn health(&self) -> &Arc<Health> {
        &self.health
    }

    fn command(&mut self, command: Command) {
        // A server that is gone is noticed when its events are waited for.
        let _ = self.commands.send(command);
        self.server.iter().for_each(Thread::unpark);
    }

    /// Sends something in this round.
    pub fn send(&mut self, to: usize, load: Load) {
        let parcel = Parcel { to: to as u32, from: self.index as u32, load };
        self.command(Command::Send(parcel));
    }

    /// Something that came in this round, if there is any by now.
    pub fn receive(&mut self) -> Result<Option<Parcel>, Stop> {
        loop {
            match self.events.try_recv() {
                Ok(Reply::Received(parcel)) => return Ok(Some(parcel)),
                Ok(Reply::Ready(server)) => self.server = Some(server),
                Ok(Reply::Over) => {}
                Err(TryRecvError::Empty) => return self.health.check().map(|()| None),
                Err(TryRecvError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// Ends the round: waits for all others, and takes what comes meanwhile.
    pub fn finish(&mut self, take: &mut dyn FnMut(Parcel)) -> Result<(), Stop> {
        self.command(Command::Close);
        loop {
            match self.events.recv_timeout(PATIENCE) {
                Ok(Reply::Received(parcel)) => take(parcel),
                Ok(Reply::Ready(server)) => self.server = Some(server),
                Ok(Reply::Over) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => self.health.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    fn gone(&self) -> Stop {
        self.health.lose("a worker has failed");
        self.health.check().err().unwrap_or(Stop::Interrupted)
    }

    /// A round in which each worker tells all others something: what they told, by worker.
    pub fn gather(&mut self, note: Note) -> Result<Vec<Note>, Stop> {
        self.gather_with(note, &mut |_| {})
    }

    /// The same, while other parcels come and go in that round.
    pub fn gather_with(&mut self, note: Note, take: &mut dyn FnMut(Parcel)) -> Result<Vec<Note>, Stop> {
        let me = self.index;
        for to in (0..self.peers).filter(|&to| to != me) {
            self.send(to, Load::Note(note.clone()));
        }
        let mut notes: Vec<Option<Note>> = vec![None; self.peers];
        notes[me] = Some(note);
        self.finish(&mut |parcel| match parcel.load {
            Load::Note(note) => notes[parcel.from as usize] = Some(note),
            Load::Nodes(_) => take(parcel),
        })?;
        let all: Option<Vec<Note>> = notes.into_iter().collect();
        all.ok_or_else(|| Stop::Lost("a worker has told nothing".into()))
    }
}

/// What came, with its round.
type Inbox = Rc<RefCell<VecDeque<(u64, Parcel)>>>;

/// The dataflow of a worker.
struct Flow {
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
}

impl Flow {
    fn new(worker: &mut Worker) -> Self {
        let (inbox, probe) = (Inbox::default(), ProbeHandle::new());
        let received = Rc::clone(&inbox);
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel>>();
            let exchange = Exchange::new(|parcel: &Parcel| u64::from(parcel.to));
            let received =
                parcels.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(exchange, "receive", |_, _| {
                    move |input, _| {
                        input.for_each(|time, parcels| {
                            let round = *time.time();
                            received.borrow_mut().extend(parcels.drain(..).map(|it| (round, it)));
                        });
                    }
                });
            received.probe_with(&probe);
            input
        });
        Self { input, probe, inbox }
    }
}

/// Serves a worker in the thread of timely, until nobody wants anything any more. The worker of the only
/// process then ends its dataflow. Among several it is left as it is, as timely would wait for those that are
/// gone or busy.
pub(crate) fn serve(mut worker: Worker, server: &Server, health: &Health, alone: bool) {
    let mut flow = Flow::new(&mut worker);
    let _ = server.events.send(Reply::Ready(std::thread::current()));
    let (mut round, mut is_closed) = (0, false);
    loop {
        match server.commands.try_recv() {
            Ok(Command::Send(parcel)) => {
                flow.input.send(parcel);
                // A parcel is large, and nobody should wait until there are many.
                flow.input.flush();
                continue;
            }
            Ok(Command::Close) => {
                flow.input.advance_to(round + 1);
                flow.input.flush();
                is_closed = true;
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => break,
        }
        worker.step_or_park(Some(PATIENCE));
        loop {
            let mut inbox = flow.inbox.borrow_mut();
            if inbox.front().is_none_or(|(of, _)| *of != round) {
                break;
            }
            let parcel = inbox.pop_front().map(|(_, parcel)| parcel);
            parcel.into_iter().for_each(|parcel| drop(server.events.send(Reply::Received(parcel))));
        }
        if is_closed && !flow.probe.less_than(&(round + 1)) {
            (round, is_closed) = (round + 1, false);
            let _ = server.events.send(Reply::Over);
        }
    }
    let Flow { input, .. } = flow;
    input.close();
    while alone && worker.has_dataflows() && !health.is_lost() {
        worker.step_or_park(Some(PATIENCE));
    }
    if worker.has_dataflows() {
        std::mem::forget(worker);
    }
}
