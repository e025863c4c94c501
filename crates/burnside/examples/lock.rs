//! A server lends one resource to one client at a time: `examples/resource.orb`, written in Rust.
//!
//! `cargo run --release -p burnside --example lock -- 9` checks it with 9 clients.

pub(crate) mod shared;

use burnside::rust::*;

/// Those who want the resource.
#[derive(Symmetric)]
pub(crate) struct Client;

/// What a client is about.
#[derive(Clone, Copy, Debug, PartialEq, Data)]
pub(crate) enum Phase {
    Idle,
    Requested,
    Granted,
    Using,
}

/// What the resource is about.
#[derive(Clone, Copy, Debug, PartialEq, Data)]
pub(crate) enum Resource {
    Free,
    Busy,
    Released,
}

#[derive(Clone, Debug, PartialEq, Data)]
pub(crate) struct State {
    lock: Resource,
    phase: Array<Client, Phase>,
}

#[derive(Clone, Action)]
pub(crate) enum Step {
    #[process(Server)]
    Grant(Member<Client>),
    #[process(Server)]
    Recover,
    #[process(Client, 1)]
    Request(Member<Client>),
    #[process(Client, 1)]
    Enter(Member<Client>),
    #[process(Client, 1)]
    Leave(Member<Client>),
}

/// The model: so many clients.
pub(crate) struct Lock {
    pub(crate) clients: u32,
}

impl RustModel for Lock {
    type State = State;
    type Action = Step;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Client>(self.clients);
    }

    fn initial(&self) -> Vec<State> {
        vec![State { lock: Resource::Free, phase: Array::new(self.clients, Phase::Idle) }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        if state.lock == Resource::Released {
            actions.push(Step::Recover);
        }
        for (client, phase) in state.phase.iter() {
            match phase {
                Phase::Idle => actions.push(Step::Request(client)),
                Phase::Requested if state.lock == Resource::Free => actions.push(Step::Grant(client)),
                Phase::Requested => {}
                Phase::Granted => actions.push(Step::Enter(client)),
                Phase::Using => actions.push(Step::Leave(client)),
            }
        }
    }

    fn apply(&self, action: &Step, state: &mut State) {
        match *action {
            Step::Grant(client) => {
                state.lock = Resource::Busy;
                state.phase[client] = Phase::Granted;
            }
            Step::Recover => state.lock = Resource::Free,
            Step::Request(client) => state.phase[client] = Phase::Requested,
            Step::Enter(client) => state.phase[client] = Phase::Using,
            Step::Leave(client) => {
                state.phase[client] = Phase::Idle;
                state.lock = Resource::Released;
            }
        }
    }

    fn fairness(&self) -> Vec<Fairness> {
        vec![Fairness::weak_process("Server"), Fairness::weak_process("Client")]
    }

    fn properties(&self) -> Vec<Property<State>> {
        let alone = |state: &State| state.phase.values().filter(|phase| **phase == Phase::Using).count() <= 1;
        let access = forall(|client: Member<Client>| {
            let asks = atom("requested", move |state: &State| state.phase[client] == Phase::Requested);
            let uses = atom("using", move |state: &State| state.phase[client] == Phase::Using);
            globally(asks.implies(finally(uses)))
        });
        vec![
            Property::invariant("mutex", alone),
            Property::ltl("access", access),
            Property::ltl("exclusion", globally(atom("alone", alone))),
        ]
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    shared::check(Lock { clients: shared::argument(9)? })
}
