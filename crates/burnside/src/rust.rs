//! Models written in Rust: no `.orb` file, the same engines.
//!
//! A model implements [`RustModel`]: its state is a struct that derives [`Data`](derive@Data), what can
//! happen an enum that derives [`Action`](derive@Action), and properties are closures, alone or under
//! temporal operators. What is alike is said by types: a unit struct that derives
//! [`Symmetric`](derive@Symmetric) (or [`Ring`](derive@Ring)) is a type with members, [`Array`] holds a value
//! for each of them, [`Member`] refers to one. All of the explicit engine works on such a model: orbits of
//! states, linear time under weak and strong fairness, branching time, runs that are lifted to original
//! states and replayed.
//!
//! ```
//! use burnside::rust::*;
//! use burnside::{LoadOptions, Model, Options, Verdict};
//!
//! #[derive(Symmetric)]
//! struct Client;
//!
//! #[derive(Clone, Debug, PartialEq, Data)]
//! struct State {
//!     owner: Option<Member<Client>>,
//!     waiting: Array<Client, bool>,
//! }
//!
//! #[derive(Clone, Action)]
//! enum Step {
//!     #[process(Client, 1)]
//!     Ask(Member<Client>),
//!     #[process(Client, 1)]
//!     Enter(Member<Client>),
//!     #[process(Client, 1)]
//!     Leave(Member<Client>),
//! }
//!
//! struct Lock {
//!     clients: u32,
//! }
//!
//! impl RustModel for Lock {
//!     type State = State;
//!     type Action = Step;
//!
//!     fn sorts(&self, sorts: &mut Sorts) {
//!         sorts.add::<Client>(self.clients);
//!     }
//!
//!     fn initial(&self) -> Vec<State> {
//!         vec![State { owner: None, waiting: Array::new(self.clients, false) }]
//!     }
//!
//!     fn actions(&self, state: &State, actions: &mut Vec<Step>) {
//!         for (client, &waits) in state.waiting.iter() {
//!             match (state.owner, waits) {
//!                 (Some(owner), _) if owner == client => actions.push(Step::Leave(client)),
//!                 (_, false) => actions.push(Step::Ask(client)),
//!                 (None, true) => actions.push(Step::Enter(client)),
//!                 _ => {}
//!             }
//!         }
//!     }
//!
//!     fn apply(&self, action: &Step, state: &mut State) {
//!         match *action {
//!             Step::Ask(client) => state.waiting[client] = true,
//!             Step::Enter(client) => {
//!                 state.owner = Some(client);
//!                 state.waiting[client] = false;
//!             }
//!             Step::Leave(_) => state.owner = None,
//!         }
//!     }
//!
//!     fn properties(&self) -> Vec<Property<State>> {
//!         let served = forall(|client: Member<Client>| {
//!             let waits = atom("waits", move |state: &State| state.waiting[client]);
//!             let enters = atom("enters", move |state: &State| state.owner == Some(client));
//!             globally(waits.implies(finally(enters)))
//!         });
//!         vec![
//!             Property::invariant("apart", |s: &State| s.owner.is_none_or(|owner| !s.waiting[owner])),
//!             Property::ltl("served", served),
//!         ]
//!     }
//!
//!     fn fairness(&self) -> Vec<Fairness> {
//!         vec![Fairness::strong_process("Client")]
//!     }
//! }
//!
//! let lock = lower(Lock { clients: 4 })?;
//! let model = Model::load(&lock, &LoadOptions::new()).into_model()?;
//! let report = burnside::check(&model, &Options::default(), &mut ())?;
//! assert!(report.all_hold());
//! // Only how many of the 4 clients wait and whether one is inside matters: 9 orbits of 48 states.
//! assert_eq!((report.stats.states, report.unreduced.unwrap().to_string()), (9, "48".to_string()));
//!
//! // Without fairness a client may be passed over for ever.
//! let unfair = Options { fairness: burnside::Fairness::None, ..Options::default() };
//! let report = burnside::check(&model, &unfair, &mut ())?;
//! let served = report.answer("served").unwrap();
//! assert_eq!(served.verdict, Verdict::Violated);
//! let run = report.run(served).unwrap();
//! let first: State = run.state(0).decode(&lock);
//! assert_eq!(first.owner, None);
//! assert!(run.loop_start().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is checked and what is not
//!
//! Nothing in a closure can be proved, so the symmetry that the types claim is tested: initial states all,
//! and steps and conditions of some of the states that a search comes by, with random permutations. A model
//! that treats members differently ends as [unknown](crate::Verdict::Unknown), with the state where it does.
//! A violation is always real: its run is replayed without any symmetry. `symmetry: Symmetry::None` in
//! [`Options`](crate::Options) does without.
//!
//! What a step leaves outside of its type ([`Int`], [`Queue`], [`Bag`]), and a panic in
//! [`apply`](RustModel::apply), is a fault of the model, with the run that leads to it. The symbolic engine
//! needs a model's code, so it cannot check a model in Rust.

use crate::run::StateView;
use crate::source::Source;
pub use burnside_derive::{Action, Data, Ring, Symmetric};
pub use burnside_rust::{
    Action, Array, Bag, Data, Decoder, Fairness, Fields, Formula, Int, Key, Layout, Lowered, Member,
    Parameter, Property, Queue, Reader, RingSort, RuleSpec, RustError, RustModel, Schema, Set, Sort,
    SortKind, Sorts, Writer, all_finally, all_globally, all_next, all_until, atom, exists, finally, forall,
    globally, lower, next, release, some_finally, some_globally, some_next, some_until, until, weak_until,
};
// What the derives write code against.
#[doc(hidden)]
pub use burnside_rust::{argument, bits_for_size, scalar_bits, ts, write_none, write_some};

impl<M: RustModel> From<&Lowered<M>> for Source<'_> {
    fn from(lowered: &Lowered<M>) -> Self {
        lowered.system.clone().into()
    }
}

impl StateView<'_> {
    /// The state as a value of a [model in Rust](crate::rust): the one that was loaded.
    pub fn decode<M: RustModel>(&self, lowered: &Lowered<M>) -> M::State {
        lowered.state(self.words)
    }
}
