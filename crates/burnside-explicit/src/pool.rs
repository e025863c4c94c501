//! Threads that wait for work, and do it together.
//!
//! Entry points: [`Pool::run`], and [`Pool::each`] for things that are taken one after the other. The caller
//! takes part, and waits until all are done: so work may use whatever the caller can see, and nothing is
//! shared but what the compiler would let threads of a scope share. A search starts its threads once: phases
//! of a block take a millisecond each, and to start a thread for each would take a good part of that.
//!
//! What unwinds in a thread unwinds in the caller, when the others have ended: they look at the same
//! interrupt.

use burnside_limits::{Interrupt, current};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Code of models can be deep.
const STACK: usize = 256 << 20;

/// Some threads and the one that has them.
#[derive(Debug)]
pub(crate) struct Pool {
    board: Arc<Board>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Board {
    notice: Mutex<Notice>,
    begun: Condvar,
    ended: Condvar,
}

/// What is to be done, and what became of it.
#[derive(Debug, Default)]
struct Notice {
    /// The work at hand, and how often there was some.
    work: Option<SharedWork>,
    round: u64,
    /// How many threads have not ended it.
    busy: usize,
    interrupt: Option<Interrupt>,
    panic: Option<Box<dyn Any + Send>>,
    over: bool,
}

/// Something that threads call with their number. It lives until all of them have ended it.
#[derive(Clone, Copy)]
struct SharedWork(*const (dyn Fn(usize) + Sync));

// SAFETY: what it points to may be used from all threads at once (`Sync`), and is there while they use it
// (see `Pool::run`).
unsafe impl Send for SharedWork {}

impl std::fmt::Debug for SharedWork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedWork")
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Notice> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what is asked for, again and again, as the thread with a number.
    fn serve(&self, number: usize) {
        let mut done = 0;
        loop {
            let mut notice = self.lock();
            while notice.round == done && !notice.over {
                notice = self.begun.wait(notice).unwrap_or_else(PoisonError::into_inner);
            }
            let Some(SharedWork(work)) = notice.work.filter(|_| !notice.over) else { return };
            done = notice.round;
            let interrupt = notice.interrupt.clone();
            drop(notice);
            // SAFETY: `Pool::run` does not return before this thread says below that it has ended.
            let work = unsafe { &*work };
            let ended = catch_unwind(AssertUnwindSafe(|| match interrupt {
                Some(interrupt) => interrupt.enter(|| work(number)),
                None => work(number),
            }));
            let mut notice = self.lock();
            if let Err(panic) = ended {
                notice.panic.get_or_insert(panic);
            }
            notice.busy -= 1;
            if notice.busy == 0 {
                self.ended.notify_all();
            }
        }
    }
}

impl Pool {
    /// So many, with the one that calls it. If some cannot be started, there are fewer.
    pub fn new(count: usize) -> Self {
        let board = Arc::new(Board::default());
        let start = |number| {
            let board = Arc::clone(&board);
            std::thread::Builder::new().stack_size(STACK).spawn(move || board.serve(number)).ok()
        };
        let threads = (1..count).map_while(start).collect();
        Self { board, threads }
    }

    /// Calls something in all threads at once, each with its number, and waits until all have ended.
    pub fn run(&mut self, work: &(dyn Fn(usize) + Sync)) {
        if self.threads.is_empty() {
            return work(0);
        }
        let pointer: *const (dyn Fn(usize) + Sync + '_) = work;
        // SAFETY: only the lifetime is another one. The pointer is forgotten below, when no thread uses it
        // any more; until then nothing here returns or unwinds.
        let pointer: *const (dyn Fn(usize) + Sync + 'static) = unsafe { std::mem::transmute(pointer) };
        let mut notice = self.board.lock();
        (notice.work, notice.interrupt) = (Some(SharedWork(pointer)), current());
        (notice.round, notice.busy) = (notice.round + 1, self.threads.len());
        drop(notice);
        self.board.begun.notify_all();
        let own = catch_unwind(AssertUnwindSafe(|| work(0)));
        let mut notice = self.board.lock();
        while notice.busy > 0 {
            notice = self.board.ended.wait(notice).unwrap_or_else(PoisonError::into_inner);
        }
        notice.work = None;
        let panic = notice.panic.take();
        drop(notice);
        if let Some(panic) = own.err().or(panic) {
            resume_unwind(panic);
        }
    }

    /// Makes a worker for each thread, in this thread: so its memory is apart from that of others, and none
    /// waits because another writes beside it.
    pub fn workers<W: Send>(&mut self, make: impl Fn(usize) -> W + Sync) -> Vec<W> {
        let made: Mutex<Vec<(usize, W)>> = Mutex::new(Vec::new());
        self.run(&|number| {
            let worker = make(number);
            made.lock().unwrap_or_else(PoisonError::into_inner).push((number, worker));
        });
        let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        made.sort_unstable_by_key(|(number, _)| *number);
        made.into_iter().map(|(_, worker)| worker).collect()
    }

    /// Lets workers, of which each thread has one, take one thing after the other. The results come in the
    /// order of the things.
    pub fn each<W: Send, T: Send, R: Send>(
        &mut self,
        workers: &mut [W],
        things: impl Iterator<Item = T> + Send,
        work: impl Fn(&mut W, T) -> R + Sync,
    ) -> Vec<R> {
        let workers: Vec<Mutex<&mut W>> = workers.iter_mut().map(Mutex::new).collect();
        let (rest, results) = (Mutex::new(things.enumerate()), Mutex::new(Vec::new()));
        let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(&|number| {
            let Some(worker) = workers.get(number) else { return };
            let worker = &mut *worker.lock().unwrap_or_else(PoisonError::into_inner);
            let own: Vec<(usize, R)> =
                std::iter::from_fn(take).map(|(place, thing)| (place, work(worker, thing))).collect();
            results.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// The same without workers and results.
    pub fn each_alone<T: Send>(&mut self, things: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        let rest = Mutex::new(things);
        let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(&|_| std::iter::from_fn(take).for_each(&work));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.board.lock().over = true;
        self.board.begun.notify_all();
        for thread in self.threads.drain(..) {
            // What unwound in it was told.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_limits::{Stop, catch, poll};

    /// Each thing once, in order, whatever is borrowed; again and again.
    #[test]
    fn everything_is_done_once() {
        for count in 1..5 {
            let mut pool = Pool::new(count);
            let mut workers = vec![0u64; count];
            for round in 0..200u64 {
                let things: Vec<u64> = (0..round % 17).collect();
                let results = pool.each(&mut workers, things.iter(), |worker, thing| {
                    *worker += 1;
                    thing * round
                });
                assert_eq!(results, things.iter().map(|thing| thing * round).collect::<Vec<_>>());
            }
            assert_eq!(workers.iter().sum::<u64>(), (0..200).map(|round| round % 17).sum());
        }
    }

    /// What panics in any thread panics in the caller, once all have ended, and the pool goes on.
    #[test]
    fn panics_come_back() {
        let mut pool = Pool::new(3);
        for bad in 0..3 {
            let ended = Mutex::new(0);
            let work = |number: usize| {
                *ended.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                if number == bad {
                    resume_unwind(Box::new("planted"));
                }
            };
            let panic = catch_unwind(AssertUnwindSafe(|| pool.run(&work))).expect_err("one of them");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"planted"));
            assert_eq!(*ended.lock().expect("nobody has it"), pool.threads.len() + 1);
        }
        pool.run(&|_| {});
    }

    /// An interrupt of the caller is one of all threads.
    #[test]
    fn interrupts_are_seen_by_all() {
        let (interrupt, mut pool) = (Interrupt::new(), Pool::new(3));
        interrupt.raise(Stop::Interrupted);
        let waits = |_| loop {
            poll();
        };
        let ended = catch(|| interrupt.enter(|| pool.run(&waits)));
        assert_eq!(ended, Err(Stop::Interrupted));
    }
}
