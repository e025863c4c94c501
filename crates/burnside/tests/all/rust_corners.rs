//! Models written in Rust: what their states can be made of, what is refused, and what goes wrong while they
//! run.

use burnside::rust::*;
use burnside::{LoadOptions, Model, Options, Report, Stop, Symmetry, Verdict};

#[derive(Symmetric)]
struct Node;

#[derive(Ring)]
struct Seat;

fn model<M: RustModel>(model: M) -> Result<Model, RustError> {
    let lowered = lower(model)?;
    Ok(Model::load(&lowered, &LoadOptions::new()).into_model().expect("it has been lowered"))
}

fn check<M: RustModel>(it: M, symmetry: Symmetry) -> Report {
    let options = Options { symmetry, ..Options::default() };
    burnside::check(&model(it).expect("a model"), &options, &mut ()).expect("a report")
}

fn verdict(report: &Report, property: &str) -> Verdict {
    report.answer(property).expect("a property").verdict.clone()
}

/// A message with fields that only some kinds have.
#[derive(Clone, Debug, PartialEq, Data)]
enum Message {
    Ping(Member<Node>),
    Pong { from: Member<Node>, hops: Int<1, 3> },
    Quiet,
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Mail {
    bag: Bag<Message, 3>,
    queue: Queue<Option<Message>, 2>,
    flags: [bool; 2],
    byte: u8,
    last: Option<Message>,
}

#[derive(Clone, Action)]
enum Send {
    Ping(Member<Node>),
    Pong(Member<Node>),
    Quiet,
    Forward,
    Drop,
}

/// Sends messages of all kinds around. The bag and the queue are never too full, unless asked for.
struct Mailer {
    nodes: u32,
    overflow: bool,
}

impl RustModel for Mailer {
    type State = Mail;
    type Action = Send;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Node>(self.nodes);
    }

    fn initial(&self) -> Vec<Mail> {
        let (bag, queue) = (Bag::new(), Queue::new());
        vec![Mail { bag, queue, flags: [false, true], byte: 200, last: None }]
    }

    fn actions(&self, state: &Mail, actions: &mut Vec<Send>) {
        if self.overflow || !state.bag.is_full() {
            for node in Member::all(self.nodes) {
                if !state.bag.contains(&Message::Ping(node)) {
                    actions.push(Send::Ping(node));
                }
            }
            if state.bag.count(&Message::Quiet) == 0 {
                actions.push(Send::Quiet);
            }
        }
        let pinged: Vec<_> =
            Member::all(self.nodes).filter(|&it| state.bag.contains(&Message::Ping(it))).collect();
        actions.extend(pinged.into_iter().map(Send::Pong));
        if !state.queue.is_full() && state.last.is_some() {
            actions.push(Send::Forward);
        }
        if !state.queue.is_empty() {
            actions.push(Send::Drop);
        }
    }

    fn apply(&self, action: &Send, state: &mut Mail) {
        match *action {
            Send::Ping(node) => state.bag.add(Message::Ping(node)),
            Send::Quiet => state.bag.add(Message::Quiet),
            Send::Pong(node) => {
                assert!(state.bag.remove(&Message::Ping(node)));
                state.last = Some(Message::Pong { from: node, hops: Int::new(2) });
                state.flags.swap(0, 1);
            }
            Send::Forward => {
                let last = state.last.take();
                state.queue.push(last);
            }
            Send::Drop => state.last = state.queue.pop().flatten(),
        }
    }

    fn properties(&self) -> Vec<Property<Mail>> {
        vec![
            Property::bound("most", |state: &Mail| state.bag.len() as i64),
            Property::invariant("byte", |state: &Mail| state.byte == 200),
        ]
    }
}

#[test]
fn messages_with_fields() {
    for nodes in 1..=3 {
        let reduced = check(Mailer { nodes, overflow: false }, Symmetry::Auto);
        let whole = check(Mailer { nodes, overflow: false }, Symmetry::None);
        assert_eq!(reduced.unreduced.as_ref().map(ToString::to_string), Some(whole.stats.states.to_string()));
        assert!(nodes == 1 || reduced.stats.states < whole.stats.states);
        for report in [&reduced, &whole] {
            assert_eq!(verdict(report, "faults"), Verdict::Holds);
            assert_eq!(verdict(report, "byte"), Verdict::Holds);
            assert_eq!(report.answer("most").unwrap().value, Some(i64::from(nodes + 1).min(3)));
        }
    }
}

#[test]
fn what_is_too_full_is_a_fault() {
    let report = check(Mailer { nodes: 3, overflow: true }, Symmetry::Auto);
    assert_eq!(verdict(&report, "faults"), Verdict::Violated);
    let run = report.run(report.answer("faults").unwrap()).unwrap();
    assert_eq!(run.steps().len(), 3);
    assert!(run.faulting_step().is_some());
    assert_eq!(run.fault().unwrap().1, 0, "there is no line");
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Counter {
    value: Int<-2, 4>,
    holder: Option<Member<Node>>,
}

#[derive(Clone, Action)]
enum Count {
    #[process(Node, 1)]
    Add(Member<Node>, Int<-1, 2>),
}

/// Each node adds something, in a way that is or is not the same for all.
struct Counting {
    nodes: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fine,
    Beyond,
    Panics,
    UnfairSteps,
    UnfairActions,
    UnfairCondition,
    UnfairStart,
}

/// Tells members apart, which a model must not do.
fn number(node: Member<Node>) -> usize {
    format!("{node:?}").trim_start_matches("Node#").parse().expect("a number")
}

impl RustModel for Counting {
    type State = Counter;
    type Action = Count;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Node>(self.nodes);
    }

    fn initial(&self) -> Vec<Counter> {
        let first = Member::all(self.nodes).next().filter(|_| self.kind == Kind::UnfairStart);
        vec![Counter { value: Int::new(0), holder: first }]
    }

    fn actions(&self, state: &Counter, actions: &mut Vec<Count>) {
        let top = if self.kind == Kind::Beyond { 5 } else { 4 };
        for node in Member::all(self.nodes) {
            let steps = [-1, 2].into_iter().filter(|by| (-2..=top).contains(&(state.value.get() + by)));
            if state.holder != Some(node) && !(self.kind == Kind::UnfairActions && number(node) == 0) {
                actions.extend(steps.map(|by| Count::Add(node, Int::new(by))));
            }
        }
    }

    fn apply(&self, action: &Count, state: &mut Counter) {
        let Count::Add(node, by) = *action;
        assert!(self.kind != Kind::Panics || state.value < 3, "three is enough");
        state.value += by.get();
        state.holder = Some(node);
        if self.kind == Kind::UnfairSteps && number(node) == 1 {
            state.holder = None;
        }
    }

    fn properties(&self) -> Vec<Property<Counter>> {
        let unfair = self.kind == Kind::UnfairCondition;
        let is_free = move |state: &Counter| !unfair || state.holder.is_none_or(|node| number(node) < 9);
        let not_zero = move |state: &Counter| !unfair || state.holder.is_none_or(|node| number(node) != 1);
        let repeats = exists(|node: Member<Node>| {
            let holds = atom("holds", move |state: &Counter| state.holder == Some(node));
            globally(finally(holds))
        });
        vec![
            Property::invariant("free", is_free),
            Property::invariant("not_zero", not_zero),
            Property::ltl("repeats", repeats),
        ]
    }

    fn is_deadlock_free(&self) -> bool {
        false
    }
}

#[test]
fn integers_with_bounds() {
    for symmetry in [Symmetry::Auto, Symmetry::None] {
        let report = check(Counting { nodes: 3, kind: Kind::Fine }, symmetry);
        assert!(report.all_hold(), "{report:?}");
    }
    let report = check(Counting { nodes: 3, kind: Kind::Beyond }, Symmetry::Auto);
    assert_eq!(verdict(&report, "faults"), Verdict::Violated);
}

#[test]
fn a_panic_is_a_fault() {
    let report = check(Counting { nodes: 2, kind: Kind::Panics }, Symmetry::Auto);
    assert_eq!(verdict(&report, "faults"), Verdict::Violated);
    let run = report.run(report.answer("faults").unwrap()).unwrap();
    assert_eq!(run.fault().unwrap().0, "Node.add");
}

#[test]
fn what_tells_members_apart_proves_nothing() {
    let unverified = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Stop::Unverified(_)));
    for kind in [Kind::UnfairSteps, Kind::UnfairActions] {
        let report = check(Counting { nodes: 4, kind }, Symmetry::Auto);
        assert!(report.results.iter().all(|answer| answer.verdict != Verdict::Holds), "{report:?}");
        assert!(report.results.iter().any(|answer| unverified(&answer.verdict)), "{report:?}");
        // Without symmetry it does not matter.
        let report = check(Counting { nodes: 4, kind }, Symmetry::None);
        assert_eq!(verdict(&report, "faults"), Verdict::Holds);
    }
    let report = check(Counting { nodes: 4, kind: Kind::UnfairCondition }, Symmetry::Auto);
    assert_ne!(verdict(&report, "not_zero"), Verdict::Holds);
    let report = check(Counting { nodes: 4, kind: Kind::UnfairCondition }, Symmetry::None);
    assert_eq!(verdict(&report, "not_zero"), Verdict::Violated);
    assert_eq!(verdict(&report, "free"), Verdict::Holds);
    let wrong = model(Counting { nodes: 2, kind: Kind::UnfairStart }).unwrap_err().to_string();
    assert!(wrong.contains("the initial states are not symmetric"), "{wrong}");
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Table {
    token: Member<Seat>,
    full: Array<Seat, bool>,
}

#[derive(Clone, Action)]
enum Pass {
    #[process(Seat, 1)]
    Eat(Member<Seat>),
    #[process(Seat, 1)]
    Pass(Member<Seat>),
}

/// A token goes around; who has it may eat or be hungry again.
struct Dinner {
    seats: u32,
}

impl RustModel for Dinner {
    type State = Table;
    type Action = Pass;

    fn sorts(&self, sorts: &mut Sorts) {
        sorts.add::<Seat>(self.seats);
    }

    fn initial(&self) -> Vec<Table> {
        let full = Array::new(self.seats, false);
        Member::all(self.seats).map(|token| Table { token, full: full.clone() }).collect()
    }

    fn actions(&self, state: &Table, actions: &mut Vec<Pass>) {
        actions.extend([Pass::Eat(state.token), Pass::Pass(state.token)]);
    }

    fn apply(&self, action: &Pass, state: &mut Table) {
        match *action {
            Pass::Eat(seat) => state.full[seat] = !state.full[seat],
            Pass::Pass(seat) => state.token = seat.next(self.seats),
        }
    }

    fn properties(&self) -> Vec<Property<Table>> {
        let turn = forall(|seat: Member<Seat>| {
            globally(finally(atom("token", move |state: &Table| state.token == seat)))
        });
        vec![Property::ltl("turn", turn)]
    }

    fn fairness(&self) -> Vec<Fairness> {
        vec![Fairness::strong("pass")]
    }
}

#[test]
fn rings_rotate() {
    for seats in [2, 3, 4, 6] {
        let reduced = check(Dinner { seats }, Symmetry::Auto);
        let whole = check(Dinner { seats }, Symmetry::None);
        assert_eq!(whole.stats.states, u64::from(seats) << seats);
        assert_eq!(reduced.stats.states, 1 << seats, "the token can always be at one seat");
        assert!(reduced.all_hold() && whole.all_hold());
    }
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Bit {
    on: bool,
}

#[derive(Clone, Action)]
enum Turn {
    Turn,
}

/// A bit, with something that is wrong.
struct Wrong(fn() -> Vec<Property<Bit>>, Option<Fairness>);

impl RustModel for Wrong {
    type State = Bit;
    type Action = Turn;

    fn initial(&self) -> Vec<Bit> {
        vec![Bit { on: false }]
    }

    fn actions(&self, _: &Bit, actions: &mut Vec<Turn>) {
        actions.push(Turn::Turn);
    }

    fn apply(&self, _: &Turn, state: &mut Bit) {
        state.on = !state.on;
    }

    fn properties(&self) -> Vec<Property<Bit>> {
        (self.0)()
    }

    fn fairness(&self) -> Vec<Fairness> {
        self.1.clone().into_iter().collect()
    }
}

#[test]
fn what_is_wrong_is_said() {
    fn a() -> Formula<Bit> {
        atom("on", |state: &Bit| state.on)
    }
    let check = |properties: fn() -> Vec<Property<Bit>>, fairness, message: &str| {
        assert_eq!(model(Wrong(properties, fairness)).unwrap_err().to_string(), message);
    };
    check(
        || vec![Property::ltl("p", all_finally(a()))],
        None,
        "property `p`: an operator of branching time in a formula of linear time",
    );
    check(
        || vec![Property::ctl("p", finally(a()))],
        None,
        "property `p`: an operator of linear time in a formula of branching time",
    );
    check(
        || vec![Property::ltl("p", forall(|_: Member<Node>| a()))],
        None,
        "property `p`: nothing says how many members `Node` has: add it in `sorts`",
    );
    check(
        || vec![Property::invariant("p", |_| true), Property::invariant("p", |_| true)],
        None,
        "there is another property `p`",
    );
    check(Vec::new, Some(Fairness::weak("trun")), "there is no action `trun`; there are turn");
    check(Vec::new, Some(Fairness::weak_process("X")), "there is no process `X`; there are turn");
    let fine = model(Wrong(|| vec![Property::ltl("p", globally(finally(a())))], None)).unwrap();
    let report = burnside::check(&fine, &Options::default(), &mut ()).unwrap();
    assert_eq!(verdict(&report, "p"), Verdict::Holds);
}
