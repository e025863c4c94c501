//! A search by all workers, level by level.
//!
//! Entry point: [`work`], which every worker runs. After each level all tell all what they have (a note), and
//! every worker comes to the same conclusions from the same notes: what is answered, and whether to go on. So
//! no worker commands. Of what answers a question in one level the node with the least words counts; in the
//! end its path is gathered, node by node, from those that own them.

use crate::level::Share;
use crate::note::{Candidate, Claim, Note, Place, Topic};
use crate::rounds::Rounds;
use burnside_engine::Weighing;
use burnside_explicit::{Expander, OrbitSetting};
use burnside_limits::{Limits, Stats, Stop, catch};
use burnside_perm::Natural;
use burnside_ts::{Question, Symmetry, System};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What all workers are asked.
pub(crate) struct Task {
    pub system: Arc<System>,
    pub questions: Vec<Question>,
    pub symmetry: Symmetry,
    pub exact: bool,
    pub weighing: Option<Weighing>,
    /// For all workers of a process together.
    pub limits: Limits,
    /// How many workers of this process share the memory.
    pub threads: usize,
    /// What all processes must agree on before they begin.
    pub fingerprint: u64,
}

/// An answer: a node, and how to come there.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The nodes from an initial one on; none at all if the initialisation answers.
    pub path: Vec<Box<[u64]>>,
    pub stats: Stats,
    pub time: Duration,
}

/// What is known of a question.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Answered(Found),
    /// The greatest value so far, and if that is final a node that has it.
    Greatest(i64, Option<Found>),
    No,
    Open,
}

/// What all workers know in the end.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub results: Vec<Known>,
    pub stats: Stats,
    pub unreduced: Option<Natural>,
    pub stop: Option<Stop>,
    pub faulted: bool,
    pub too_hard: Option<u64>,
    pub time: Duration,
    /// Another process was about to agree on the result.
    pub left_out: bool,
}

/// Takes part in a search. `tell` hears how it gets on.
pub(crate) fn work(task: &Task, rounds: &mut Rounds, tell: &mut dyn FnMut(Stats, u64)) -> Outcome {
    let started = Instant::now();
    let limits = &task.limits;
    let maker = task.system.maker();
    let setting = OrbitSetting { symmetry: &task.symmetry, exact: task.exact, weighing: task.weighing };
    let expander = Expander::new(&task.system, &*maker, &setting, &limits.interrupt);
    let share = Share::new(&task.system, expander, &task.questions, rounds, (limits, task.threads));
    let mut search = Search::new(task, share, started);
    let ended = limits.interrupt.clone().enter(|| search.run(rounds, tell));
    search.outcome(ended, rounds)
}

/// How a search ended, if nothing is lost.
#[derive(Clone, Debug, PartialEq)]
enum End {
    Complete,
    Answered,
    Stopped(Stop),
}

struct Search<'s> {
    task: &'s Task,
    share: Share<'s>,
    /// By question.
    found: Vec<Option<(Candidate, Stats, Duration)>>,
    pending: Vec<Option<Candidate>>,
    greatest: Vec<Option<Candidate>>,
    stats: Stats,
    faulted: bool,
    too_hard: Option<u64>,
    started: Instant,
    left_out: bool,
}

impl<'s> Search<'s> {
    fn new(task: &'s Task, share: Share<'s>, started: Instant) -> Self {
        let count = task.questions.len();
        Self {
            task,
            share,
            found: vec![None; count],
            pending: vec![None; count],
            greatest: vec![None; count],
            stats: Stats::default(),
            faulted: false,
            too_hard: None,
            started,
            left_out: false,
        }
    }

    fn run(&mut self, rounds: &mut Rounds, tell: &mut dyn FnMut(Stats, u64)) -> Result<End, Stop> {
        self.meet(rounds)?;
        self.share.begin();
        let mut depth = 0;
        loop {
            let note = self.share.note();
            let notes = rounds.gather(note)?;
            let (fresh, stop) = self.merge(&notes, depth);
            tell(self.stats, fresh);
            if let Some(stop) = stop {
                return Ok(End::Stopped(stop));
            }
            if self.found.iter().all(Option::is_some) {
                return Ok(End::Answered);
            }
            if fresh == 0 {
                return Ok(End::Complete);
            }
            self.share.expand(rounds)?;
            depth += 1;
        }
    }

    /// All must be asked the same. If somebody has no time to search any more, nobody does.
    fn meet(&mut self, rounds: &mut Rounds) -> Result<(), Stop> {
        let numbers = vec![self.task.fingerprint];
        let notes = rounds.gather(Note { topic: Topic::Meeting, numbers, ..Note::default() })?;
        if let Some(note) = notes.iter().find(|note| note.topic == Topic::Agreement) {
            self.left_out = true;
            return Err(note.stop.as_deref().map_or(Stop::Interrupted, crate::stop::read));
        }
        if notes.iter().all(|note| note.numbers == notes[0].numbers) {
            return Ok(());
        }
        let why = "the processes of the cluster are not at the same question any more";
        rounds.health().lose(why);
        Err(Stop::Lost(why.into()))
    }

    /// Draws the conclusions from the notes of all: how many new nodes there are, and why it ends, if so.
    fn merge(&mut self, notes: &[Note], depth: u64) -> (u64, Option<Stop>) {
        let sum = |at: usize| notes.iter().map(|note| note.numbers[at]).sum::<u64>();
        let fresh = sum(0);
        self.stats.states = sum(1);
        self.stats.transitions += sum(2);
        self.stats.memory = sum(3);
        if fresh > 0 {
            self.stats.depth = depth;
        }
        self.faulted |= sum(4) > 0;
        self.too_hard = notes.iter().map(|note| note.numbers[5]).max().filter(|&work| work > 0);
        for question in 0..self.found.len() {
            let all = || notes.iter().flat_map(|note| &note.candidates[question]);
            self.conclude(question, all().cloned().collect());
        }
        let stop = notes.iter().find_map(|note| note.stop.as_deref()).map(crate::stop::read);
        let most = self.task.limits.states.filter(|&most| self.stats.states > most);
        (fresh, stop.or(most.map(Stop::States)))
    }

    /// Takes the candidates of a level for a question.
    fn conclude(&mut self, question: usize, candidates: Vec<Candidate>) {
        if self.found[question].is_some() {
            return;
        }
        let first = |which: &dyn Fn(&Claim) -> bool| {
            let some = candidates.iter().filter(|it| which(&it.claim));
            some.reduce(|one, other| if other.counts_before(one) { other } else { one }).cloned()
        };
        if let Some(found) = first(&|claim| *claim == Claim::Answer) {
            self.found[question] = Some((found, self.stats, self.started.elapsed()));
            self.share.open[question] = None;
            return;
        }
        let pending = &mut self.pending[question];
        *pending = pending.take().or_else(|| first(&|claim| *claim == Claim::Pending));
        if let Some(new) = first(&|claim| matches!(claim, Claim::Value(_))) {
            let known = self.greatest[question].as_ref();
            if known.is_none_or(|known| value(&new) > value(known)) {
                self.greatest[question] = Some(new);
            }
        }
    }

    /// What is known in the end.
    fn outcome(mut self, ended: Result<End, Stop>, rounds: &mut Rounds) -> Outcome {
        let gathered = ended.and_then(|end| {
            let results = self.results(&end, rounds)?;
            let unreduced = if end == End::Complete { self.count(rounds)? } else { None };
            Ok((end, results, unreduced))
        });
        let (end, results, unreduced) = gathered.unwrap_or_else(|stop| {
            let open = self.found.iter().map(|_| Known::Open).collect();
            (End::Stopped(stop), open, None)
        });
        let stop = if let End::Stopped(stop) = end { Some(stop) } else { None };
        let Self { stats, faulted, too_hard, started, left_out, .. } = self;
        let time = started.elapsed();
        Outcome { results, stats, unreduced, stop, faulted, too_hard, time, left_out }
    }

    fn results(&mut self, end: &End, rounds: &mut Rounds) -> Result<Vec<Known>, Stop> {
        let complete = *end == End::Complete;
        let mut results = Vec::new();
        for question in 0..self.found.len() {
            let settled = self.pending[question].take().filter(|_| complete);
            let now = (self.stats, self.started.elapsed());
            let answer = self.found[question].take().or(settled.map(|pending| (pending, now.0, now.1)));
            let result = match (answer, self.greatest[question].take()) {
                (Some((candidate, stats, time)), _) => {
                    let path = self.path(candidate.at, rounds)?;
                    Known::Answered(Found { path, stats, time })
                }
                (None, Some(greatest)) if complete => {
                    let path = self.path(greatest.at, rounds)?;
                    let found = Found { path, stats: now.0, time: now.1 };
                    Known::Greatest(value(&greatest), Some(found))
                }
                (None, Some(greatest)) => Known::Greatest(value(&greatest), None),
                (None, None) if complete => Known::No,
                (None, None) => Known::Open,
            };
            results.push(result);
        }
        Ok(results)
    }

    /// The nodes from an initial one to this one, which all workers get.
    fn path(&self, last: Option<Place>, rounds: &mut Rounds) -> Result<Vec<Box<[u64]>>, Stop> {
        let (mut path, mut at) = (Vec::new(), last);
        while let Some(place) = at {
            let mut note = Note::default();
            let owner = place.worker as usize;
            if owner == rounds.index() {
                let (words, parent) = self.share.node(place.id);
                let parent = parent.map_or([0, 0, 0], |it| [1, it.worker.into(), it.id.into()]);
                note.numbers = parent.into_iter().chain(words).collect();
            }
            let notes = rounds.gather(note)?;
            let numbers = &notes[owner].numbers;
            path.push(numbers[3..].into());
            let parent = Place { worker: numbers[1] as u32, id: numbers[2] as u32 };
            at = (numbers[0] == 1).then_some(parent);
        }
        path.reverse();
        Ok(path)
    }

    /// How many states all orbits have, if every worker can tell.
    fn count(&mut self, rounds: &mut Rounds) -> Result<Option<Natural>, Stop> {
        let limits = &self.task.limits;
        let share = &mut self.share;
        let own = catch(|| limits.interrupt.enter(|| share.expander.count(&share.store)));
        let text = own.ok().flatten().map_or_else(String::new, |states| states.to_string());
        let notes = rounds.gather(Note { text, ..Note::default() })?;
        Ok(notes.iter().map(|note| natural(&note.text)).sum())
    }
}

fn value(candidate: &Candidate) -> i64 {
    match candidate.claim {
        Claim::Value(value) => value,
        Claim::Answer | Claim::Pending => 0,
    }
}

/// A number in decimal digits; none if there are none.
fn natural(digits: &str) -> Option<Natural> {
    let mut number = Natural::from(0u64);
    for digit in digits.chars() {
        number.mul_small(10);
        number.add_small(digit.to_digit(10)?.into());
    }
    (!digits.is_empty()).then_some(number)
}
