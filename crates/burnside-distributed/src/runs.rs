//! A search for runs by all workers: the product is explored and trimmed, what is left is told to every
//! process, and when that has been looked at, the way there is found.
//!
//! Entry points: [`work`] and [`conclude`], which every worker runs. As in a search for states (`search`),
//! all tell all what they have after each round, and no worker commands. What is left and how to come there
//! does not depend on how many workers there are.

use crate::conditions::{self, Conditions};
use crate::note::{Load, Note, Place, Topic};
use crate::pairs::Pairs;
use crate::remains::ProductShare;
use crate::rounds::Rounds;
use crate::trim::Trim;
use burnside_engine::Weighing;
use burnside_explicit::{Looked, OrbitSetting, Remains, RunExpander, RunQuery};
use burnside_limits::{Limits, Product, Stats, Stop, catch};
use burnside_ts::{Symmetry, System};
use std::sync::Arc;

/// What all workers are asked.
pub(crate) struct RunTask {
    pub system: Arc<System>,
    pub query: RunQuery,
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

/// What a worker of a process has in the end. All have the same figures; the pairs that are left are told to
/// the first one.
pub(crate) struct Explored {
    pub remains: Remains,
    /// Another process was about to agree on the result.
    pub left_out: bool,
}

/// Words in a parcel of what is left, about.
const PARCEL: usize = 1 << 16;

/// Takes part in a search. `tell` hears how it gets on. The pairs are left for [`conclude`].
pub(crate) fn work(
    task: &RunTask,
    rounds: &mut Rounds,
    tell: &mut dyn FnMut(Stats, u64),
) -> (Explored, Option<Pairs>) {
    let mut explored = Explored { remains: Remains::default(), left_out: false };
    let interrupt = task.limits.interrupt.clone();
    let pairs = interrupt.enter(|| match explore(task, rounds, tell, &mut explored) {
        Ok(pairs) => Some(pairs),
        Err(stop) => {
            explored.remains.pairs.clear();
            explored.remains.stop = Some(stop);
            None
        }
    });
    (explored, pairs)
}

fn explore(
    task: &RunTask,
    rounds: &mut Rounds,
    tell: &mut dyn FnMut(Stats, u64),
    explored: &mut Explored,
) -> Result<Pairs, Stop> {
    let meeting = meet(task.fingerprint, None, rounds);
    explored.left_out = meeting.as_ref().is_err_and(|(_, left_out)| *left_out);
    meeting.map_err(|(stop, _)| stop)?;
    let (system, limits) = (&*task.system, &task.limits);
    let setting = OrbitSetting { symmetry: &task.symmetry, exact: task.exact, weighing: task.weighing };
    let made = catch(|| RunExpander::new(system, &task.query, &setting, limits)).and_then(|made| made);
    let stop = made.as_ref().err().map(crate::stop::write);
    together(rounds.gather(Note { stop, ..Note::default() })?)?;
    let mut share = ProductShare::new(system, made?, rounds, (limits, task.threads));
    share.begin();
    let mut depth = 0;
    loop {
        let notes = share.settle(rounds)?;
        let fresh = merge(&notes, depth, &mut explored.remains);
        tell(explored.remains.stats, fresh);
        let notes = together(notes)?;
        drop(notes);
        if let Some(most) = limits.states.filter(|&most| explored.remains.stats.states > most) {
            return Err(Stop::States(most));
        }
        if fresh == 0 {
            break;
        }
        share.expand(rounds)?;
        depth += 1;
    }
    share.close();
    let left = trim(&share, task, rounds)?;
    explored.remains.pairs = gather(&share.pairs, &left, task.threads, rounds)?;
    Ok(share.pairs)
}

/// The notes, if nobody wants to end.
fn together(notes: Vec<Note>) -> Result<Vec<Note>, Stop> {
    match notes.iter().find_map(|note| note.stop.as_deref()) {
        Some(stop) => Err(crate::stop::read(stop)),
        None => Ok(notes),
    }
}

/// All must be at the same place. If somebody could not come so far, nobody goes on; the flag says whether
/// somebody has left the search out.
fn meet(fingerprint: u64, stop: Option<&Stop>, rounds: &mut Rounds) -> Result<(), (Stop, bool)> {
    let (numbers, stop) = (vec![fingerprint], stop.map(crate::stop::write));
    let note = Note { topic: Topic::Meeting, numbers, stop, ..Note::default() };
    let notes = rounds.gather(note).map_err(|stop| (stop, false))?;
    let reason = |note: &Note| note.stop.as_deref().map_or(Stop::Interrupted, crate::stop::read);
    if let Some(note) = notes.iter().find(|note| note.topic == Topic::Agreement) {
        return Err((reason(note), true));
    }
    if let Some(note) = notes.iter().find(|note| note.stop.is_some()) {
        return Err((reason(note), false));
    }
    if notes.iter().all(|note| note.numbers == notes[0].numbers) {
        return Ok(());
    }
    let why = "the processes of the cluster are not at the same question any more";
    rounds.health().lose(why);
    Err((Stop::Lost(why.into()), false))
}

/// Adds up the figures of a level; how many new pairs there are.
fn merge(notes: &[Note], depth: u64, remains: &mut Remains) -> u64 {
    let sum = |at: usize| notes.iter().map(|note| note.numbers[at]).sum::<u64>();
    let (fresh, stats) = (sum(0), &mut remains.stats);
    let product = stats.product.get_or_insert_default();
    *product = Product { states: sum(1), transitions: product.transitions + sum(4) };
    stats.states = sum(2);
    stats.transitions += sum(3);
    stats.memory = stats.memory.max(sum(5));
    if fresh > 0 {
        stats.depth = depth;
    }
    remains.faulted |= sum(6) > 0;
    remains.too_hard = notes.iter().map(|note| note.numbers[7]).max().filter(|&work| work > 0);
    fresh
}

/// The pairs of this worker that are left.
fn trim(share: &ProductShare<'_>, task: &RunTask, rounds: &mut Rounds) -> Result<Vec<u32>, Stop> {
    let numbers = share.expander.alike().into_iter().map(u64::from).collect();
    let notes = rounds.gather(Note { numbers, ..Note::default() })?;
    let alike = conditions::together(notes.iter().map(|note| &*note.numbers));
    let conditions = Conditions::new(&share.expander, &alike);
    let interrupt = &task.limits.interrupt;
    let trim = Trim::new(&conditions, &share.edges, &share.enabled, interrupt, rounds);
    trim.run(rounds)
}

/// Tells the first worker of every process what is left, in ascending order.
fn gather(pairs: &Pairs, left: &[u32], threads: usize, rounds: &mut Rounds) -> Result<Vec<Box<[u64]>>, Stop> {
    let (me, width) = (rounds.index(), pairs.width());
    let leaders = (0..rounds.peers()).step_by(threads);
    let mut words = Vec::new();
    left.iter().for_each(|&pair| pairs.words(pair, &mut words));
    for to in leaders.filter(|&to| to != me) {
        for some in words.chunks(PARCEL / width * width + width) {
            rounds.send(to, Load::Nodes(some.to_vec()));
        }
    }
    let mut all: Vec<Box<[u64]>> = Vec::new();
    let mut take = |words: &[u64]| all.extend(words.chunks_exact(width).map(Box::from));
    if me.is_multiple_of(threads) {
        take(&words);
    }
    rounds.finish(&mut |parcel| {
        if let Load::Nodes(words) = parcel.load {
            take(&words);
        }
    })?;
    all.sort_unstable();
    Ok(all)
}

/// What came of looking at what was left.
pub(crate) struct Conclusion {
    /// The pairs of a component, if there is one; or why it is not known whether there is one.
    pub found: Looked,
    pub fingerprint: u64,
}

/// Hears what others have found, which must be the same; the result is a path from an initial pair to the
/// nearest of those that were found.
pub(crate) fn conclude(
    conclusion: &Conclusion,
    pairs: Option<Pairs>,
    rounds: &mut Rounds,
) -> Result<Vec<Box<[u64]>>, Stop> {
    let stop = conclusion.found.as_ref().err();
    meet(conclusion.fingerprint, stop, rounds).map_err(|(stop, _)| stop)?;
    let (Ok(Some(component)), Some(pairs)) = (&conclusion.found, pairs) else { return Ok(Vec::new()) };
    let found = |words: &[u64]| {
        let known = if pairs.owner(words) == rounds.index() { pairs.find(words) } else { None };
        known.map(|id| (pairs.depth(id), words.to_vec(), id))
    };
    let nearest = component.iter().filter_map(|words| found(words)).min();
    let numbers = nearest.map_or_else(Vec::new, |(depth, words, id)| {
        [depth as u64].into_iter().chain(words).chain([id.into()]).collect()
    });
    let notes = rounds.gather(Note { numbers, ..Note::default() })?;
    let told = (0..).zip(&notes).filter(|(_, note)| !note.numbers.is_empty());
    let last = told.map(|(worker, note): (u32, &Note)| (&note.numbers, worker)).min();
    let place = |(numbers, worker): (&Vec<u64>, u32)| Some(Place { worker, id: *numbers.last()? as u32 });
    path(&pairs, last.and_then(place), rounds)
}

/// The pairs from an initial one to this one, which all workers get.
fn path(pairs: &Pairs, last: Option<Place>, rounds: &mut Rounds) -> Result<Vec<Box<[u64]>>, Stop> {
    let (mut path, mut at) = (Vec::new(), last);
    while let Some(place) = at {
        let mut note = Note::default();
        let owner = place.worker as usize;
        if owner == rounds.index() {
            let parent = pairs.parent(place.id).map_or([0; 3], |it| [1, it.worker.into(), it.id.into()]);
            note.numbers.extend(parent);
            pairs.words(place.id, &mut note.numbers);
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
