//! Two-phase commit with a coordinator that may crash: `examples/two_phase_commit.orb`, written in Rust.
//!
//! `cargo run --release -p burnside --example two_phase_commit -- 5` checks it with 5 participants.

pub(crate) mod shared;

use burnside::rust::*;

/// Those who vote.
#[derive(Symmetric)]
pub(crate) struct Participant;

#[derive(Clone, Copy, Debug, PartialEq, Data)]
pub(crate) enum Decision {
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, PartialEq, Data)]
pub(crate) enum Phase {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Debug, PartialEq, Data)]
pub(crate) struct State {
    /// Yes votes on their way to the coordinator.
    in_transit: Set<Participant>,
    /// Decisions on their way to the participants.
    notice: Array<Participant, Option<Decision>>,
    up: bool,
    yes: Set<Participant>,
    /// On disk.
    decision: Option<Decision>,
    told: Set<Participant>,
    crashes_left: Int<0, 1>,
    phase: Array<Participant, Phase>,
}

#[derive(Clone, Action)]
pub(crate) enum Step {
    #[process(Coordinator)]
    Receive(Member<Participant>),
    #[process(Coordinator)]
    DecideCommit,
    #[process(Coordinator)]
    DecideAbort,
    #[process(Coordinator)]
    Tell(Member<Participant>),
    #[process(Coordinator)]
    Restart,
    #[process(Failure)]
    Crash,
    #[process(Participant, 1)]
    VoteYes(Member<Participant>),
    #[process(Participant, 1)]
    VoteNo(Member<Participant>),
    #[process(Participant, 1)]
    Learn(Member<Participant>),
}

/// The model: how many participants, and whether the coordinator comes back after a crash.
pub(crate) struct TwoPhaseCommit {
    pub(crate) participants: u32,
    pub(crate) recovers: bool,
}

impl TwoPhaseCommit {
    fn coordinator(&self, state: &State, actions: &mut Vec<Step>) {
        if !state.up {
            actions.extend(self.recovers.then_some(Step::Restart));
            return;
        }
        actions.extend(state.in_transit.iter().map(Step::Receive));
        match state.decision {
            None if state.yes.len() == self.participants => actions.push(Step::DecideCommit),
            None => actions.push(Step::DecideAbort),
            Some(_) => {
                let untold = state.phase.members().filter(|&it| !state.told.contains(it));
                actions.extend(untold.map(Step::Tell));
            }
        }
        if state.crashes_left > 0 {
            actions.push(Step::Crash);
        }
    }
}

impl RustModel for TwoPhaseCommit {
    type State = State;
    type Action = Step;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Participant>(self.participants);
    }

    fn initial(&self) -> Vec<State> {
        vec![State {
            in_transit: Set::new(),
            notice: Array::new(self.participants, None),
            up: true,
            yes: Set::new(),
            decision: None,
            told: Set::new(),
            crashes_left: Int::new(1),
            phase: Array::new(self.participants, Phase::Working),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        self.coordinator(state, actions);
        for (participant, phase) in state.phase.iter() {
            if *phase == Phase::Working {
                actions.extend([Step::VoteYes(participant), Step::VoteNo(participant)]);
            }
            if state.notice[participant].is_some() {
                actions.push(Step::Learn(participant));
            }
        }
    }

    fn apply(&self, action: &Step, state: &mut State) {
        match *action {
            Step::Receive(it) => {
                state.in_transit.remove(it);
                state.yes.insert(it);
            }
            Step::DecideCommit => state.decision = Some(Decision::Commit),
            Step::DecideAbort => state.decision = Some(Decision::Abort),
            Step::Tell(it) => {
                state.told.insert(it);
                state.notice[it] = state.decision;
            }
            Step::Restart => {
                state.up = true;
                // After a restart only the disk counts.
                state.decision.get_or_insert(Decision::Abort);
            }
            Step::Crash => {
                state.crashes_left -= 1;
                state.up = false;
                state.yes.clear();
                state.told.clear();
            }
            Step::VoteYes(it) => {
                state.phase[it] = Phase::Prepared;
                state.in_transit.insert(it);
            }
            Step::VoteNo(it) => state.phase[it] = Phase::Aborted,
            Step::Learn(it) => {
                let phase = &mut state.phase[it];
                match state.notice[it].take().expect("it was told") {
                    Decision::Commit => {
                        let voted = [Phase::Prepared, Phase::Committed].contains(phase);
                        assert!(voted, "committed without a vote");
                        *phase = Phase::Committed;
                    }
                    Decision::Abort => *phase = Phase::Aborted,
                }
            }
        }
    }

    fn fairness(&self) -> Vec<Fairness> {
        vec![Fairness::weak_process("Coordinator"), Fairness::weak_process("Participant")]
    }

    fn is_deadlock_free(&self) -> bool {
        false
    }

    fn properties(&self) -> Vec<Property<State>> {
        let is_over = |phase: &Phase| matches!(phase, Phase::Committed | Phase::Aborted);
        let all = |state: &State, wanted: Phase| state.phase.values().all(|phase| *phase == wanted);
        let decided = forall(move |participant: Member<Participant>| {
            finally(atom("over", move |state: &State| is_over(&state.phase[participant])))
        });
        let can_decide = atom("all over", move |state: &State| state.phase.values().all(is_over));
        vec![
            Property::invariant("agreement", |state: &State| {
                let some = |wanted| state.phase.values().any(|phase| *phase == wanted);
                !(some(Phase::Committed) && some(Phase::Aborted))
            }),
            Property::invariant("unanimous", |state: &State| {
                let voted = |phase: &Phase| matches!(phase, Phase::Prepared | Phase::Committed);
                state.decision != Some(Decision::Commit) || state.phase.values().all(voted)
            }),
            Property::reachable("all_commit", move |state| all(state, Phase::Committed)),
            Property::reachable("blocked", move |state: &State| !state.up && all(state, Phase::Prepared)),
            Property::ltl("decided", decided),
            Property::ctl("can_decide", all_globally(some_finally(can_decide))),
        ]
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    shared::check(TwoPhaseCommit { participants: shared::argument(3)?, recovers: true })
}
