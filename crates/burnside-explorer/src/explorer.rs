//! What is explored: a model, what is known of it, and the caches that requests share.
//!
//! Entry point: [`Explorer::new`]. The model that is walked through and drawn stays as it is; checks give the
//! places of a net more room, so what they show comes with a model of its own.

use crate::graph::Pictures;
use crate::job::Job;
use crate::response::Refusal;
use crate::walk::Walks;
use burnside::{Answer, LoadOptions, Model, Options};
use burnside_limits::{Interrupt, Limits, Stop, Watchdog, catch};
use burnside_report::input::Input;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// What is to be explored.
#[derive(Debug)]
pub struct Subject {
    /// The model, with room for walks ([`Model::widen`]).
    pub input: Input,
    /// How it was loaded.
    pub load: LoadOptions,
    /// How it is checked: the limits in it do not count.
    pub options: Options,
    /// What is known of properties from the start. The evidence has been replayed, and is about the model of
    /// the input.
    pub known: Vec<Answer>,
}

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// By one request, but for the check that it starts.
    pub time: Duration,
    /// By everything.
    pub memory: Option<u64>,
    /// By a request until it has arrived, from its first byte.
    pub arrival: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: Duration::from_secs(5), memory: None, arrival: Duration::from_secs(5) }
    }
}

/// A model that is being explored.
#[derive(Debug)]
pub struct Explorer {
    pub(crate) input: Input,
    pub(crate) load: LoadOptions,
    pub(crate) options: Options,
    /// The model as it is checked.
    pub(crate) checked: Model,
    pub(crate) bounds: Bounds,
    pub(crate) walks: Mutex<Walks>,
    /// How many initial states there are.
    pub(crate) initial_total: OnceLock<usize>,
    pub(crate) job: Mutex<Job>,
    pub(crate) pictures: Pictures,
    /// Documents that never change.
    pub(crate) documents: [OnceLock<Vec<u8>>; 2],
}

impl Explorer {
    /// Explores a model.
    pub fn new(subject: Subject, bounds: Bounds) -> Self {
        let Subject { input, load, options, known } = subject;
        // Walks have more room than a search needs.
        let again = input.model.net().map(|_| Model::load(input.source.of_model(), &load).model);
        let checked = match again {
            Some(Ok(model)) => model,
            _ => input.model.clone(),
        };
        let job = Mutex::new(Job::new(&input, known, options.paths()));
        let (walks, initial_total, pictures, documents) = Default::default();
        Self { input, load, options, checked, bounds, walks, initial_total, job, pictures, documents }
    }

    /// Does what a request asks for, unless it takes too long or too much.
    pub(crate) fn within<R>(&self, work: impl FnOnce() -> R) -> Result<R, Refusal> {
        let interrupt = Interrupt::new();
        let Bounds { time, memory, .. } = self.bounds;
        let limits = Limits { time: Some(time), memory, interrupt: interrupt.clone(), ..Limits::default() };
        let _watchdog = Watchdog::start(&limits);
        catch(|| interrupt.enter(work)).map_err(|stop| match stop {
            Stop::Time(_) => Refusal::new(
                503,
                format!("this takes longer than {} s: ask for less at once", time.as_secs_f64()),
            ),
            stop => Refusal::new(503, stop.to_string()),
        })
    }

    /// Ends the check that is running, if one is.
    pub fn cancel(&self) {
        lock(&self.job).cancel();
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
