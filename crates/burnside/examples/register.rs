//! A register that is replicated on several machines: `examples/register.orb`, written in Rust.
//!
//! `cargo run --release -p burnside --example register -- 5` checks it with 5 replicas.

pub(crate) mod shared;

use burnside::rust::*;

/// The machines.
#[derive(Symmetric)]
pub(crate) struct Replica;

/// A version; this is the last one that is ever written.
pub(crate) const LAST: i64 = 2;
type Version = Int<0, LAST>;

#[derive(Clone, Copy, Debug, PartialEq, Data)]
pub(crate) struct Copied {
    version: Version,
    up: bool,
}

#[derive(Clone, Debug, PartialEq, Data)]
pub(crate) struct State {
    /// The version that is written, or was last.
    current: Version,
    /// The last version that a majority has.
    done: Version,
    copies: Array<Replica, Copied>,
    reading: bool,
    asked: Set<Replica>,
    /// The greatest version seen.
    best: Version,
    /// What was done when the read started.
    floor: Version,
}

#[derive(Clone, Action)]
pub(crate) enum Step {
    #[process(Writer)]
    Begin,
    #[process(Writer)]
    Finish,
    #[process(Replica, 1)]
    Store(Member<Replica>),
    #[process(Failure)]
    Crash(Member<Replica>),
    #[process(Reader)]
    Start,
    #[process(Reader)]
    Ask(Member<Replica>),
    #[process(Reader)]
    Answer,
}

/// The model: how many replicas, and how many of them a read or write needs.
pub(crate) struct Register {
    pub(crate) replicas: u32,
    pub(crate) quorum: u32,
}

impl Register {
    fn has_quorum(&self, state: &State) -> bool {
        let stored = state.copies.values().filter(|copy| copy.version == state.current);
        stored.count() >= self.quorum as usize
    }
}

impl RustModel for Register {
    type State = State;
    type Action = Step;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Replica>(self.replicas);
    }

    fn initial(&self) -> Vec<State> {
        let zero = Version::new(0);
        vec![State {
            current: zero,
            done: zero,
            copies: Array::new(self.replicas, Copied { version: zero, up: true }),
            reading: false,
            asked: Set::new(),
            best: zero,
            floor: zero,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        if state.done < state.current {
            actions.extend(self.has_quorum(state).then_some(Step::Finish));
        } else if state.current < LAST {
            actions.push(Step::Begin);
        }
        let is_full = state.asked.len() == self.quorum;
        actions.extend((!state.reading).then_some(Step::Start));
        actions.extend(is_full.then_some(Step::Answer));
        let up = state.copies.values().filter(|copy| copy.up).count() as u32;
        for (replica, copy) in state.copies.iter().filter(|(_, copy)| copy.up) {
            if copy.version < state.current {
                actions.push(Step::Store(replica));
            }
            if up > self.quorum {
                actions.push(Step::Crash(replica));
            }
            if state.reading && !is_full && !state.asked.contains(replica) {
                actions.push(Step::Ask(replica));
            }
        }
    }

    fn apply(&self, action: &Step, state: &mut State) {
        match *action {
            Step::Begin => state.current += 1,
            Step::Finish => state.done = state.current,
            Step::Store(replica) => state.copies[replica].version = state.current,
            Step::Crash(replica) => state.copies[replica].up = false,
            Step::Start => {
                state.reading = true;
                state.floor = state.done;
            }
            Step::Ask(replica) => {
                state.asked.insert(replica);
                state.best = state.best.max(state.copies[replica].version);
            }
            Step::Answer => {
                state.reading = false;
                state.asked.clear();
                state.best = Version::new(0);
                state.floor = Version::new(0);
            }
        }
    }

    fn fairness(&self) -> Vec<Fairness> {
        ["Writer", "Replica", "Reader"].map(Fairness::weak_process).into()
    }

    fn properties(&self) -> Vec<Property<State>> {
        let quorum = self.quorum;
        let served = {
            let reading = atom("reading", |state: &State| state.reading);
            globally(reading.clone().implies(finally(!reading)))
        };
        let written = {
            let done = atom("done", |state: &State| state.done == state.current);
            globally((!done.clone()).implies(finally(done)))
        };
        let all_written = atom("all written", |state: &State| state.done == LAST);
        vec![
            Property::invariant("fresh", move |s: &State| s.asked.len() < quorum || s.best >= s.floor),
            Property::ltl("served", served),
            Property::ltl("written", written),
            Property::ctl("can_write", all_globally(some_finally(all_written))),
        ]
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let replicas = shared::argument(3)?;
    shared::check(Register { replicas, quorum: replicas / 2 + 1 })
}
