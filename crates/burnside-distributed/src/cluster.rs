//! The workers of this process, among those of all processes.
//!
//! Entry points: [`Cluster::of_threads`], [`Cluster::of_processes`], and [`Cluster::on`]. Each worker is a
//! thread that owns one worker of timely and does one job after the other; every process gives its workers
//! the same jobs in the same order. A worker that panics is a loss for the whole cluster.

use crate::connection::Connection;
use crate::fingerprint::Fingerprint;
use crate::health::Health;
use crate::link::Links;
use crate::note::{Note, Topic};
use crate::pairs::Pairs;
use crate::rounds::{self, Rounds};
use crate::runs::{self, Conclusion, Explored, RunTask};
use crate::search::{self, Found, Known, Outcome, Task};
use crate::stream::Steady;
use burnside_explicit::{
    Expander, Finding, Looked, OrbitSetting, Remains, RunQuery, RunSearch, SearchResult, StateSearch, Witness,
};
use burnside_limits::{Interrupt, Limits, Observer, Progress, Stats, Stop, catch, grace};
use burnside_ts::{Question, System};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, initialize_from};
use timely::worker::Worker;

/// More workers cannot be numbered.
const MOST_WORKERS: usize = 1 << 16;
/// The time, after a limit, to tell of what was found before.
const GRACE: Duration = Duration::from_millis(250);

/// Code of models can be deep.
const STACK: usize = 256 << 20;

type Job = Box<dyn FnOnce(&mut Rounds) + Send>;

/// Workers.
#[derive(Debug)]
pub struct Cluster {
    /// To each worker of this process.
    jobs: Vec<Mutex<Sender<Job>>>,
    health: Arc<Health>,
    links: Option<Links>,
    /// How many workers there are in all processes.
    workers: usize,
    /// How often they were asked for something.
    asked: AtomicU64,
    /// A search that another process has left out, as it had to end for this reason.
    left_out: Mutex<Option<Stop>>,
}

impl Cluster {
    /// So many workers in this process. What ends their work is in the interrupt of the limits that they are
    /// given later; the one given here is raised if a worker fails.
    pub fn of_threads(count: usize, interrupt: &Interrupt) -> Result<Self, Stop> {
        let hooks = Hooks::default();
        let builders = ProcessBuilder::new_typed_vector(count, hooks.refill, hooks.spill);
        let builders = builders.into_iter().map(AllocatorBuilder::Process).collect();
        let health = Arc::new(Health::new(interrupt.clone()));
        Self::start(builders, health, None, (0, count))
    }

    /// The workers of this process, connected with those of others.
    pub fn of_processes(connection: Connection, interrupt: &Interrupt) -> Result<Self, Stop> {
        let Connection { membership, data, control } = connection;
        let (threads, process, processes) = (membership.workers, membership.process, data.len());
        let health = Arc::new(Health::new(interrupt.clone()));
        let name =
            |process: usize| format!("process {process} (`{}`)", membership.hosts.addresses()[process]);
        let steady = |(process, stream): (usize, Option<_>)| {
            stream.map(|stream| Steady::new(stream, &name(process), &health))
        };
        let streams = data.into_iter().enumerate().map(steady).collect();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), hooks.spill.clone());
        let connected = initialize_networking_from_sockets::<Steady>(inner, streams, process, threads, hooks);
        let (builders, guard) = connected.map_err(|error| Stop::Lost(error.to_string()))?;
        // It would wait for the threads of connections, and these wait for ever if the other side is gone.
        std::mem::forget(guard);
        let lines = control.into_iter().enumerate();
        let lines = lines.filter_map(|(process, lines)| Some((name(process), lines?))).collect();
        let links = Links::watch(lines, &health).map_err(|error| Stop::Lost(error.to_string()))?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        Self::start(builders, health, Some(links), (process, threads * processes))
    }

    fn start(
        builders: Vec<AllocatorBuilder>,
        health: Arc<Health>,
        links: Option<Links>,
        (process, workers): (usize, usize),
    ) -> Result<Self, Stop> {
        if workers > MOST_WORKERS {
            return Err(Stop::too_large(format!("there are more than {MOST_WORKERS} workers")));
        }
        let (alone, count) = (links.is_none(), builders.len());
        let first = process * count;
        let pairs = (first..first + count).map(|index| rounds::pair(index, workers, Arc::clone(&health)));
        let (ends, servers): (Vec<_>, Vec<_>) = pairs.unzip();
        let servers = Mutex::new(servers.into_iter().map(Some).collect::<Vec<_>>());
        let watched = Arc::clone(&health);
        let work = move |allocator| {
            // Without a clock it would never sleep.
            let worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
            let server = lock(&servers)[worker.index() - first].take();
            if let Some(server) = server {
                rounds::serve(worker, &server, &watched, alone);
            }
        };
        let guards = initialize_from(builders, Box::new(()), work);
        // It would wait for the servers, which end when nobody wants anything of them any more.
        std::mem::forget(guards.map_err(Stop::too_large)?);
        let jobs = ends.into_iter().map(start_worker).collect::<Result<_, _>>()?;
        Ok(Self { jobs, health, links, workers, asked: AtomicU64::new(0), left_out: Mutex::default() })
    }

    /// How many workers there are in all processes.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The cluster, at work on a system.
    pub fn on(&self, system: Arc<System>) -> OnSystem<'_> {
        OnSystem { cluster: self, system, kept: Mutex::default() }
    }

    /// Tells all processes something after some searches, and hears what they tell, one text from each
    /// worker; an error if one of them has not taken part in all searches. Every process must do this at the
    /// same places of its work. No limit ends it.
    pub fn agree(&self, text: &str, stop: Option<&Stop>) -> Result<Vec<String>, Stop> {
        if let Some(stop) = lock(&self.left_out).take() {
            return Err(stop);
        }
        let (text, stop) = (text.to_string(), stop.map(crate::stop::write));
        let note = Note { topic: Topic::Agreement, text, stop, ..Note::default() };
        let told = self.each(move |rounds, _| rounds.gather(note.clone()), &mut |_, _| {});
        let notes = told.into_iter().next().unwrap_or(Err(Stop::Interrupted))?;
        match notes.iter().any(|note| note.topic != Topic::Agreement) {
            true => Err(Stop::Interrupted),
            false => Ok(notes.into_iter().map(|note| note.text).collect()),
        }
    }

    /// What tells the other processes why this one ends, for a program that ends without dropping this.
    pub fn last_words(&self) -> impl Fn(&Stop) + Send + 'static {
        let words = self.links.as_ref().map(Links::last_words);
        move |stop| words.iter().for_each(|words| words(stop))
    }

    /// The end of the work: waits until the others are done too, so that nothing is missing that they still
    /// wait for.
    fn leave(&self) {
        self.health.retire();
        self.links.iter().for_each(Links::leave);
    }

    /// Has every worker of this process do something; in their order what comes of it. If one panics, so does
    /// this.
    pub(crate) fn each<R: Send + 'static>(
        &self,
        work: impl Fn(&mut Rounds, &mut dyn FnMut(Stats, u64)) -> R + Send + Sync + 'static,
        tell: &mut dyn FnMut(Stats, u64),
    ) -> Vec<R> {
        let (work, (sender, events)) = (Arc::new(work), mpsc::channel());
        for (number, jobs) in self.jobs.iter().enumerate() {
            let (work, sender, health) = (Arc::clone(&work), sender.clone(), Arc::clone(&self.health));
            let job = move |rounds: &mut Rounds| {
                let telling = sender.clone();
                // Nobody listens any more only if the caller is gone.
                let mut tell = |stats, queue| drop(telling.send(Event::Progress(number, stats, queue)));
                let done = catch_unwind(AssertUnwindSafe(|| work(rounds, &mut tell)));
                if done.is_err() {
                    health.lose("a worker has failed");
                }
                let _ = sender.send(Event::Done(number, done));
            };
            let jobs = lock(jobs);
            if jobs.send(Box::new(job)).is_err() {
                self.health.lose("a worker is gone");
            }
        }
        drop(sender);
        let mut done: Vec<Option<thread::Result<R>>> = self.jobs.iter().map(|_| None).collect();
        for event in events {
            match event {
                Event::Progress(0, stats, queue) => tell(stats, queue),
                Event::Progress(..) => {}
                Event::Done(number, result) => done[number] = Some(result),
            }
        }
        done.into_iter().flatten().map(|done| done.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if !thread::panicking() {
            return self.leave();
        }
        // Who fails takes leave of nobody: the others notice. Who is ended by a limit unwinds, too.
        let interrupt = self.health.interrupt();
        interrupt.stop().filter(|_| interrupt.is_over()).iter().for_each(self.last_words());
    }
}

/// Starts the thread that does the work of a worker.
fn start_worker(mut rounds: Rounds) -> Result<Mutex<Sender<Job>>, Stop> {
    let (sender, receiver) = mpsc::channel::<Job>();
    let name = format!("worker-{}", rounds.index());
    let work = move || receiver.into_iter().for_each(|job| job(&mut rounds));
    let thread = thread::Builder::new().name(name).stack_size(STACK).spawn(work);
    thread.map_err(|error| Stop::too_large(format!("a worker cannot be started: {error}")))?;
    Ok(Mutex::new(sender))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a worker tells.
enum Event<R> {
    Progress(usize, Stats, u64),
    Done(usize, thread::Result<R>),
}

/// A cluster at work on a system.
#[derive(Debug)]
pub struct OnSystem<'c> {
    cluster: &'c Cluster,
    system: Arc<System>,
    /// What each worker of this process keeps of a product until it is known what was found.
    kept: Mutex<Vec<Option<Pairs>>>,
}

impl StateSearch for OnSystem<'_> {
    fn search(
        &self,
        questions: &[&Question],
        orbits: &OrbitSetting<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let cluster = self.cluster;
        if let Some(stop) = lock(&cluster.left_out).clone() {
            return open(questions.len(), stop);
        }
        let number = cluster.asked.fetch_add(1, Ordering::SeqCst).to_string();
        let texts = [format!("{questions:?}"), format!("{orbits:?}")];
        let fingerprint = Fingerprint::of(&[&number, &texts[0], &texts[1]]).low();
        let task = Arc::new(Task {
            system: Arc::clone(&self.system),
            questions: questions.iter().map(|&question| question.clone()).collect(),
            symmetry: orbits.symmetry.clone(),
            exact: orbits.exact,
            weighing: orbits.weighing,
            limits: limits.clone(),
            threads: cluster.jobs.len(),
            fingerprint,
        });
        let shared = Arc::clone(&task);
        let mut tell = |stats, queue| {
            observer.progress(&Progress { stats, queue, by_levels: true });
        };
        let outcomes = cluster.each(move |rounds, tell| search::work(&shared, rounds, tell), &mut tell);
        match outcomes.into_iter().next() {
            Some(outcome) => {
                *lock(&cluster.left_out) = outcome.stop.clone().filter(|_| outcome.left_out);
                result(&task, outcome)
            }
            None => {
                let stop = cluster.health.check().err().unwrap_or(Stop::Interrupted);
                open(questions.len(), stop)
            }
        }
    }
}

impl RunSearch for OnSystem<'_> {
    fn remains(
        &self,
        query: &RunQuery,
        orbits: &OrbitSetting<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Remains {
        let cluster = self.cluster;
        if let Some(stop) = lock(&cluster.left_out).clone() {
            return Remains { stop: Some(stop), ..Remains::default() };
        }
        let number = cluster.asked.fetch_add(1, Ordering::SeqCst).to_string();
        let texts = [format!("{query:?}"), format!("{orbits:?}")];
        let fingerprint = Fingerprint::of(&[&number, &texts[0], &texts[1]]).low();
        let task = RunTask {
            system: Arc::clone(&self.system),
            query: query.clone(),
            symmetry: orbits.symmetry.clone(),
            exact: orbits.exact,
            weighing: orbits.weighing,
            limits: limits.clone(),
            threads: cluster.jobs.len(),
            fingerprint,
        };
        let mut tell = |stats, queue| {
            observer.progress(&Progress { stats, queue, by_levels: true });
        };
        let outcomes = cluster.each(move |rounds, tell| runs::work(&task, rounds, tell), &mut tell);
        let (mut explored, kept): (Vec<_>, Vec<_>) = outcomes.into_iter().unzip();
        *lock(&self.kept) = kept;
        if explored.is_empty() {
            let stop = cluster.health.check().err().unwrap_or(Stop::Interrupted);
            return Remains { stop: Some(stop), ..Remains::default() };
        }
        let Explored { remains, left_out } = explored.swap_remove(0);
        *lock(&cluster.left_out) = remains.stop.clone().filter(|_| left_out);
        end_as_others(remains.stop.as_ref(), &limits.interrupt);
        remains
    }

    fn conclude(&self, limits: &Limits, found: Looked) -> Result<Vec<Box<[u64]>>, Stop> {
        let cluster = self.cluster;
        let number = cluster.asked.fetch_add(1, Ordering::SeqCst).to_string();
        let text = format!("{:?}", found.as_ref().ok());
        let fingerprint = Fingerprint::of(&["conclusion", &number, &text]).low();
        let found = found.map_err(|stop| match stop {
            Stop::Interrupted => limits.interrupt.stop().unwrap_or(Stop::Interrupted),
            stop => stop,
        });
        let conclusion = Conclusion { found, fingerprint };
        let kept: Vec<_> = lock(&self.kept).drain(..).map(Mutex::new).collect();
        let threads = cluster.jobs.len();
        let work = move |rounds: &mut Rounds, _: &mut dyn FnMut(Stats, u64)| {
            let pairs = kept.get(rounds.index() % threads).and_then(|kept| lock(kept).take());
            runs::conclude(&conclusion, pairs, rounds)
        };
        let path = cluster.each(work, &mut |_, _| {}).into_iter().next();
        let lost = || cluster.health.check().err().unwrap_or(Stop::Interrupted);
        let path = path.unwrap_or_else(|| Err(lost()));
        end_as_others(path.as_ref().err(), &limits.interrupt);
        path
    }
}

/// The result of a search that did not take place.
fn open(questions: usize, stop: Stop) -> SearchResult {
    SearchResult {
        findings: vec![Finding::Unknown; questions],
        stats: Stats::default(),
        unreduced: None,
        time: Duration::ZERO,
        stop: Some(stop),
        faulted: false,
        unprofitable: None,
        too_hard: None,
        reduced: None,
    }
}

/// What ends another process ends this one in the same way.
fn end_as_others(stop: Option<&Stop>, interrupt: &Interrupt) {
    match stop {
        Some(stop @ (Stop::PropertyTime(_) | Stop::Share(..))) => interrupt.raise_part(stop.clone()),
        Some(stop @ (Stop::Time(_) | Stop::Memory(_) | Stop::Interrupted)) if !interrupt.is_over() => {
            interrupt.raise(stop.clone());
        }
        _ => {}
    }
}

/// The result of a search for the explicit engine: what was found becomes runs of the system.
fn result(task: &Task, outcome: Outcome) -> SearchResult {
    let Outcome { results, stats, unreduced, stop, faulted, too_hard, time, .. } = outcome;
    end_as_others(stop.as_ref(), &task.limits.interrupt);
    let maker = task.system.maker();
    let setting = OrbitSetting { symmetry: &task.symmetry, exact: task.exact, weighing: task.weighing };
    let mut expander = Expander::new(&task.system, &*maker, &setting, &Interrupt::new());
    let mut lift = |question, found: Found| -> Option<Box<Witness>> {
        let Found { path, stats, time } = found;
        let work = || expander.run(question, path.clone());
        // What was found before a limit still counts.
        let evidence = work_in_any_case(work)?;
        Some(Box::new(Witness { evidence, stats, time }))
    };
    let findings = task.questions.iter().zip(results).map(|(question, known)| match known {
        Known::Answered(found) => lift(question, found).map_or(Finding::Unknown, Finding::Yes),
        Known::Greatest(value, found) => {
            Finding::Greatest(value, found.and_then(|found| lift(question, found)))
        }
        Known::No => Finding::No,
        Known::Open => Finding::Unknown,
    });
    let findings = findings.collect();
    SearchResult {
        findings,
        stats,
        unreduced,
        time,
        stop,
        faulted,
        unprofitable: None,
        too_hard,
        reduced: None,
    }
}

/// Does some work, with a little time if a limit has been reached.
fn work_in_any_case<R>(mut work: impl FnMut() -> R) -> Option<R> {
    catch(&mut work).or_else(|stop| grace(Instant::now() + GRACE, stop, work)).ok()
}
