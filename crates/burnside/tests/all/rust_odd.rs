//! Models written in Rust that are odd: shapes of types that a derive meets rarely, models that cheat, and
//! code that panics or goes on for ever.

use burnside::rust::*;
use burnside::{CheckError, Limits, LoadOptions, Model, Options, Report, Symmetry, Verdict};
use std::sync::Arc;
use std::time::Duration;

#[derive(Symmetric)]
struct Node;

#[derive(Symmetric)]
struct Item;

type Act<S, A> = Arc<dyn Fn(&S, &mut Vec<A>) + Send + Sync>;
type Apply<S, A> = Arc<dyn Fn(&A, &mut S) + Send + Sync>;

/// A model made of closures.
struct Made<S, A> {
    sorts: fn(&mut Sorts),
    initial: fn() -> Vec<S>,
    actions: Act<S, A>,
    apply: Apply<S, A>,
    properties: fn() -> Vec<Property<S>>,
    fairness: Vec<Fairness>,
}

impl<S, A> Made<S, A> {
    fn new(
        sorts: fn(&mut Sorts),
        initial: fn() -> Vec<S>,
        actions: impl Fn(&S, &mut Vec<A>) + Send + Sync + 'static,
        apply: impl Fn(&A, &mut S) + Send + Sync + 'static,
    ) -> Self {
        let (actions, apply) = (Arc::new(actions), Arc::new(apply));
        Self { sorts, initial, actions, apply, properties: Vec::new, fairness: Vec::new() }
    }

    fn asking(self, properties: fn() -> Vec<Property<S>>) -> Self {
        Self { properties, ..self }
    }
}

impl<S: Fields, A: Action> RustModel for Made<S, A> {
    type State = S;
    type Action = A;

    fn sorts(&self, sorts: &mut Sorts) {
        (self.sorts)(sorts);
    }

    fn initial(&self) -> Vec<S> {
        (self.initial)()
    }

    fn actions(&self, state: &S, actions: &mut Vec<A>) {
        (self.actions)(state, actions);
    }

    fn apply(&self, action: &A, state: &mut S) {
        (self.apply)(action, state);
    }

    fn properties(&self) -> Vec<Property<S>> {
        (self.properties)()
    }

    fn fairness(&self) -> Vec<Fairness> {
        self.fairness.clone()
    }

    fn is_deadlock_free(&self) -> bool {
        false
    }
}

fn load<M: RustModel>(it: M) -> Result<Model, RustError> {
    let lowered = lower(it)?;
    Ok(Model::load(&lowered, &LoadOptions::new()).into_model().expect("it has been lowered"))
}

fn check<M: RustModel>(it: M, symmetry: Symmetry) -> Result<Report, CheckError> {
    let options = Options { symmetry, ..Options::default() };
    burnside::check(&load(it).expect("a model"), &options, &mut ())
}

fn verdict(report: &Report, property: &str) -> Verdict {
    report.answer(property).expect("a property").verdict.clone()
}

fn no_sorts(_: &mut Sorts) {}

fn three_nodes(sorts: &mut Sorts) {
    sorts.add::<Node>(3);
}

#[derive(Clone, Debug, PartialEq, Data)]
enum Kind {
    One { r#type: Int<5, 5>, kind: bool },
    Two(Option<Option<bool>>, Member<Node>),
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Data)]
struct Braces {}

#[derive(Clone, Debug, PartialEq, Data)]
enum Single {
    Only,
}

#[derive(Clone, Debug, PartialEq, Data)]
enum Holder {
    Held(Kind, Unit, [Kind; 2]),
    Width { out: u8, number: Single, read: Option<[Member<Node>; 2]> },
}

/// The first variant of each enum has fields, and an enum has fields that are called like what derives write.
#[derive(Clone, Debug, PartialEq, Data)]
struct Odd {
    kind: Kind,
    r#fn: Holder,
    unit: Unit,
    braces: Braces,
    single: Single,
    each: Array<Node, Kind>,
    bag: Bag<Kind, 2>,
    tuple: Tuple,
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Tuple(Option<Int<-3, -1>>, Int<-9, 9>, u32);

#[derive(Clone, Action)]
enum OddStep {
    #[process(Node, 1)]
    r#Move {
        r#in: Member<Node>,
        kind: Option<Int<-3, -1>>,
    },
    Turn,
}

fn odd() -> Made<Odd, OddStep> {
    let initial = || {
        let kind = Kind::One { r#type: Int::new(5), kind: false };
        vec![Odd {
            kind: kind.clone(),
            r#fn: Holder::Held(kind.clone(), Unit, [kind.clone(), kind.clone()]),
            unit: Unit,
            braces: Braces {},
            single: Single::Only,
            each: Array::new(3, kind),
            bag: Bag::new(),
            tuple: Tuple(None, Int::new(-9), u32::MAX),
        }]
    };
    let actions = |state: &Odd, actions: &mut Vec<OddStep>| {
        for node in state.each.members() {
            if !state.bag.is_full() {
                let kinds = [None, Some(Int::new(-3)), Some(Int::new(-1))];
                actions.extend(kinds.map(|kind| OddStep::Move { r#in: node, kind }));
            }
        }
        actions.push(OddStep::Turn);
    };
    let apply = |action: &OddStep, state: &mut Odd| match action {
        OddStep::Move { r#in: node, kind } => {
            state.kind = Kind::Two(Some(kind.map(|it| it == -1)), *node);
            state.each[*node] = state.kind.clone();
            state.bag.add(state.kind.clone());
            state.tuple = Tuple(*kind, Int::new(9), 7);
        }
        OddStep::Turn => {
            state.r#fn = match &state.r#fn {
                Holder::Held(..) => Holder::Width {
                    out: 255,
                    number: Single::Only,
                    read: match &state.kind {
                        Kind::Two(_, node) => Some([*node, *node]),
                        Kind::One { .. } => None,
                    },
                },
                Holder::Width { read, .. } => {
                    let two = |it: Option<[Member<Node>; 2]>| it.map(|[a, _]| Kind::Two(None, a));
                    let one = Kind::One { r#type: Int::new(5), kind: true };
                    let kind = two(*read).unwrap_or(one);
                    Holder::Held(kind.clone(), Unit, [state.kind.clone(), kind])
                }
            };
        }
    };
    Made::new(three_nodes, initial, actions, apply)
}

#[test]
fn shapes() {
    let reduced = check(odd(), Symmetry::Auto).unwrap();
    let whole = check(odd(), Symmetry::None).unwrap();
    assert_eq!(verdict(&whole, "faults"), Verdict::Holds);
    assert_eq!(verdict(&reduced, "faults"), Verdict::Holds);
    assert_eq!(reduced.unreduced.unwrap().to_string(), whole.stats.states.to_string());
    assert!(reduced.stats.states < whole.stats.states);
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Nothing;

#[derive(Clone, Action)]
enum Never {}

#[test]
fn nothing_at_all() {
    let model = || {
        Made::<Nothing, Never>::new(no_sorts, || vec![Nothing, Nothing], |_, _| {}, |_, _| {})
            .asking(|| vec![Property::invariant("p", |_| true), Property::reachable("q", |_| false)])
    };
    for symmetry in [Symmetry::Auto, Symmetry::None] {
        let report = check(model(), symmetry).unwrap();
        assert_eq!(report.stats.states, 1);
        assert_eq!(verdict(&report, "p"), Verdict::Holds);
        assert_eq!(verdict(&report, "q"), Verdict::Violated);
    }
    let empty = Made::<Nothing, Never>::new(no_sorts, Vec::new, |_, _| {}, |_, _| {});
    assert!(matches!(check(empty, Symmetry::Auto), Err(CheckError::NoInitialState(_))));
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Many {
    wide: Array<Node, u32>,
    last: Option<Member<Node>>,
    grid: [[u16; 17]; 17],
}

#[derive(Clone, Action)]
enum Pick {
    Pick(Member<Node>),
}

#[test]
fn sizes_of_symmetric_types() {
    let many = |sorts: fn(&mut Sorts), initial: fn() -> Vec<Many>| {
        let actions = |state: &Many, actions: &mut Vec<Pick>| {
            let free = state.wide.iter().filter(|(_, value)| **value == 0);
            if state.wide.values().filter(|value| **value != 0).count() < 2 {
                actions.extend(free.map(|(node, _)| Pick::Pick(node)));
            }
        };
        Made::new(sorts, initial, actions, |Pick::Pick(node): &Pick, state: &mut Many| {
            state.wide[*node] = u32::MAX;
            state.last = Some(*node);
        })
    };
    fn start(count: u32) -> Vec<Many> {
        vec![Many { wide: Array::new(count, 0), last: None, grid: [[65535; 17]; 17] }]
    }
    let report = check(many(|sorts| _ = sorts.add::<Node>(1000), || start(1000)), Symmetry::Auto).unwrap();
    assert_eq!((report.stats.states, report.unreduced.unwrap().to_string()), (3, "1000001".to_string()));
    let report = check(many(|sorts| _ = sorts.add::<Node>(1), || start(1)), Symmetry::Auto).unwrap();
    assert_eq!(report.stats.states, 2);
    let error = load(many(|sorts| _ = sorts.add::<Node>(0), || start(0))).unwrap_err();
    assert_eq!(error.to_string(), "the symmetric type `Node`: the type has no value");
    let error = load(many(|sorts| _ = sorts.add::<Node>(u32::MAX), || start(1))).unwrap_err();
    assert!(error.to_string().contains("limit"), "{error}");
    let error = load(many(|_| (), || start(1))).unwrap_err();
    assert_eq!(error.to_string(), "nothing says how many members `Node` has: add it in `sorts`");
    // Too few elements in the initial state.
    let report = check(many(|sorts| _ = sorts.add::<Node>(4), || start(3)), Symmetry::Auto).unwrap();
    assert_eq!(verdict(&report, "faults"), Verdict::Violated);
}

mod first {
    #[derive(burnside::rust::Symmetric)]
    pub struct Same;
}
mod second {
    #[derive(burnside::rust::Ring)]
    pub struct Same;
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Namesakes {
    a: Array<first::Same, bool>,
    b: Array<second::Same, bool>,
}

#[derive(Clone, Action)]
enum Flip {
    A(Member<first::Same>),
    B(Member<second::Same>),
}

/// Two symmetric types of one name, in two modules.
#[test]
fn namesakes() {
    let sorts = |sorts: &mut Sorts| _ = sorts.add::<first::Same>(3).add::<second::Same>(2);
    let initial = || vec![Namesakes { a: Array::new(3, false), b: Array::new(2, false) }];
    let actions = |state: &Namesakes, actions: &mut Vec<Flip>| {
        actions.extend(state.a.members().map(Flip::A));
        actions.extend(state.b.members().map(Flip::B));
    };
    let model = || {
        Made::new(sorts, initial, actions, |action: &Flip, state: &mut Namesakes| match *action {
            Flip::A(member) => state.a[member] = !state.a[member],
            Flip::B(member) => state.b[member] = true,
        })
        .asking(|| {
            let b = || forall(|m: Member<second::Same>| finally(atom("b", move |s: &Namesakes| s.b[m])));
            let some = exists(|m: Member<first::Same>| {
                forall(move |n: Member<second::Same>| {
                    globally(atom("x", move |s: &Namesakes| s.a[m] == s.a[m].max(s.b[n]) || s.b[n]))
                })
            });
            vec![Property::ltl("b", b()), Property::ltl("some", some)]
        })
    };
    assert_eq!(load(model()).unwrap_err().to_string(), "there is another symmetric type `Same`");
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Shelf {
    count: Int<0, 3>,
    on: Array<Node, bool>,
}

#[derive(Clone, Action)]
enum Put {
    /// Never there. Zeros, which stand for arguments that are none, are none of its own.
    #[allow(dead_code)]
    #[process(Node, 1)]
    Low(Member<Node>, Int<7, 9>),
    #[process(Node, 1)]
    Put(Member<Node>, Int<0, 3>),
}

fn shelf(apply: fn(&Put, &mut Shelf), actions: fn(&Shelf, &mut Vec<Put>)) -> Made<Shelf, Put> {
    let initial = || vec![Shelf { count: Int::new(0), on: Array::new(3, false) }];
    Made::new(three_nodes, initial, actions, apply)
}

fn put(action: &Put, state: &mut Shelf) {
    if let Put::Put(node, _) = action {
        state.on[*node] = true;
        state.count += 1;
    }
}

/// An argument outside of its type is a fault with a run, with and without symmetry.
#[test]
fn arguments_outside_of_their_types() {
    fn actions(state: &Shelf, actions: &mut Vec<Put>) {
        let free = state.on.iter().filter(|(_, on)| !**on);
        actions.extend(free.map(|(node, _)| Put::Put(node, state.count + 2)));
    }
    for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
        let report = check(shelf(put, actions), symmetry).unwrap();
        assert_eq!(verdict(&report, "faults"), Verdict::Violated, "{symmetry:?}");
        let run = report.run(report.answer("faults").unwrap()).unwrap();
        assert_eq!(run.steps().len(), 2, "{symmetry:?}");
    }
}

fn all_free(state: &Shelf, actions: &mut Vec<Put>) {
    let free = state.on.iter().filter(|(_, on)| !**on);
    actions.extend(free.map(|(node, _)| Put::Put(node, state.count)));
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// Code that panics, other than in a step, gives no verdict, and says so.
#[test]
fn panics() {
    fn panicking(state: &Shelf, actions: &mut Vec<Put>) {
        assert!(state.count < 2, "no actions for two");
        all_free(state, actions);
    }
    for symmetry in [Symmetry::Auto, Symmetry::None] {
        let report = check(shelf(put, panicking), symmetry).unwrap();
        assert_ne!(verdict(&report, "faults"), Verdict::Holds);
        let asking = || {
            let bad = |state: &Shelf| state.count < 1 || panic!("one");
            vec![
                Property::invariant("bad", bad),
                Property::bound("worse", |state: &Shelf| 1 / (2 - state.count.get())),
                Property::ltl("linear", globally(atom("bad", bad))),
                Property::ctl("branching", all_globally(atom("bad", bad))),
                Property::invariant("good", |state: &Shelf| state.count < 4),
            ]
        };
        let report = check(shelf(put, all_free).asking(asking), symmetry).unwrap();
        for property in ["bad", "worse", "linear", "branching"] {
            let undefined = report.answer(property).unwrap();
            assert_ne!(undefined.verdict, Verdict::Holds, "{symmetry:?} {property}");
            let is_shown = undefined
                .evidence
                .as_ref()
                .is_some_and(|run| matches!(run.end, burnside::evidence::End::Undefined(_)));
            assert!(is_unknown(&undefined.verdict) || is_shown, "{symmetry:?} {property}");
        }
        assert_eq!(verdict(&report, "good"), Verdict::Holds, "{symmetry:?}");
    }
}

#[test]
fn too_many_combinations() {
    fn deep() -> Vec<Property<Shelf>> {
        fn nest(depth: u32) -> Formula<Shelf> {
            match depth {
                0 => atom("a", |_| true),
                _ => forall(move |_: Member<Node>| globally(nest(depth - 1))),
            }
        }
        vec![Property::ltl("deep", nest(11))]
    }
    let error = load(shelf(put, all_free).asking(deep)).unwrap_err().to_string();
    assert_eq!(error, "property `deep`: its quantifiers have too many combinations of members");
    fn shapes() -> Vec<Property<Shelf>> {
        let it = forall(|node: Member<Node>| {
            let atom = atom("a", move |state: &Shelf| state.on[node]);
            if format!("{node:?}").ends_with('0') { globally(atom) } else { finally(atom) }
        });
        vec![Property::ltl("p", it)]
    }
    let error = load(shelf(put, all_free).asking(shapes)).unwrap_err().to_string();
    assert!(error.contains("different shapes"), "{error}");
}

#[test]
fn limits() {
    #[derive(Clone, Debug, PartialEq, Data)]
    struct Long {
        a: u32,
        of: Array<Node, u16>,
    }
    #[derive(Clone, Action)]
    enum Tick {
        #[process(Node, 1)]
        Tick(Member<Node>),
    }
    let model = || {
        let initial = || vec![Long { a: 0, of: Array::new(3, 0) }];
        let actions = |_: &Long, actions: &mut Vec<Tick>| actions.extend(Member::all(3).map(Tick::Tick));
        Made::new(three_nodes, initial, actions, |Tick::Tick(node): &Tick, state: &mut Long| {
            state.a = state.a.wrapping_add(1);
            state.of[*node] = state.of[*node].wrapping_add(3);
        })
        .asking(|| {
            let fine = || atom("fine", |state: &Long| state.a < u32::MAX);
            vec![
                Property::invariant("inv", |state: &Long| state.a < u32::MAX),
                Property::ltl("ltl", globally(fine())),
                Property::ctl("ctl", all_globally(fine())),
            ]
        })
    };
    for symmetry in [Symmetry::Auto, Symmetry::None] {
        let states = Limits { states: Some(500), ..Limits::default() };
        let time = Limits { time: Some(Duration::from_millis(150)), ..Limits::default() };
        for limits in [states, time] {
            let options = Options { symmetry, limits, ..Options::default() };
            let model = load(model()).unwrap();
            let report = burnside::check(&model, &options, &mut ()).unwrap();
            assert!(report.results.iter().all(|answer| is_unknown(&answer.verdict)), "{report:?}");
            assert!(burnside::state_space(&model, &options).is_err());
        }
    }
}

/// Tells members apart, which a model must not do.
fn number<S: Sort>(member: Member<S>) -> usize {
    format!("{member:?}").rsplit('#').next().unwrap().parse().expect("a number")
}

#[derive(Clone, Debug, PartialEq, Data)]
struct Marks {
    on: Array<Node, bool>,
    of: Array<Item, Option<Member<Node>>>,
}

#[derive(Clone, Action)]
enum Mark {
    #[process(Node, 1)]
    On(Member<Node>),
    #[process(Node, 1)]
    Take(Member<Node>, Member<Item>),
}

type Doing = (fn(&Marks, &mut Vec<Mark>), fn(&Mark, &mut Marks), fn() -> Vec<Property<Marks>>);

fn mark_all(state: &Marks, actions: &mut Vec<Mark>) {
    for (node, on) in state.on.iter() {
        if !on {
            actions.push(Mark::On(node));
        } else {
            let free = state.of.iter().filter(|(_, of)| of.is_none());
            actions.extend(free.map(|(item, _)| Mark::Take(node, item)));
        }
    }
}

fn mark(action: &Mark, state: &mut Marks) {
    match *action {
        Mark::On(node) => state.on[node] = true,
        Mark::Take(node, item) => {
            state.of[item] = Some(node);
            state.on[node] = false;
        }
    }
}

/// Models that do not treat all members alike.
fn cheats() -> Vec<(&'static str, Doing)> {
    fn none() -> Vec<Property<Marks>> {
        let few = || atom("few", |s: &Marks| s.on.values().filter(|on| **on).count() < 2);
        vec![
            Property::invariant("few", |s: &Marks| s.on.values().filter(|on| **on).count() < 2),
            Property::reachable("all", |s: &Marks| s.of.values().all(Option::is_some)),
            Property::ltl("ltl", globally(few())),
            Property::ctl("ctl", all_globally(few())),
        ]
    }
    fn first_only(state: &Marks, actions: &mut Vec<Mark>) {
        actions.extend(state.on.iter().find(|(_, on)| !**on).map(|(node, _)| Mark::On(node)));
    }
    fn not_last(state: &Marks, actions: &mut Vec<Mark>) {
        mark_all(state, actions);
        actions.pop();
    }
    fn not_zero(state: &Marks, actions: &mut Vec<Mark>) {
        mark_all(state, actions);
        actions.retain(|action| !matches!(action, Mark::On(node) if number(*node) == 0));
    }
    fn next_too(action: &Mark, state: &mut Marks) {
        mark(action, state);
        if let (Mark::On(_), Some(first)) = (action, state.on.members().next()) {
            state.on[first] = true;
        }
    }
    fn same_item(state: &Marks, actions: &mut Vec<Mark>) {
        mark_all(state, actions);
        actions.retain(|action| !matches!(action, Mark::Take(node, item) if number(*node) != number(*item)));
    }
    fn last_panics(action: &Mark, state: &mut Marks) {
        assert!(!matches!(action, Mark::On(node) if number(*node) == 1), "the second one");
        mark(action, state);
    }
    fn invariant() -> Vec<Property<Marks>> {
        vec![Property::invariant("p", |s: &Marks| s.on.iter().all(|(n, on)| number(n) != 1 || !*on))]
    }
    fn linear() -> Vec<Property<Marks>> {
        let it = forall(|node: Member<Node>| {
            globally(atom("p", move |s: &Marks| number(node) != 1 || !s.on[node]))
        });
        vec![Property::ltl("p", it)]
    }
    fn linear_last() -> Vec<Property<Marks>> {
        let it = forall(|node: Member<Node>| globally(atom("p", move |_: &Marks| number(node) != 1)));
        vec![Property::ltl("p", it)]
    }
    fn branching() -> Vec<Property<Marks>> {
        let it = forall(|node: Member<Node>| {
            exists(move |item: Member<Item>| {
                all_globally(atom("p", move |s: &Marks| number(node) == 0 || s.of[item] != Some(node)))
            })
        });
        vec![Property::ctl("p", it)]
    }
    vec![
        ("first only", (first_only, mark, none)),
        ("not last", (not_last, mark, none)),
        ("not zero", (not_zero, mark, none)),
        ("next too", (mark_all, next_too, none)),
        ("same item", (same_item, mark, none)),
        ("last panics", (mark_all, last_panics, none)),
        ("invariant", (mark_all, mark, invariant)),
        ("linear", (mark_all, mark, linear)),
        ("linear last", (mark_all, mark, linear_last)),
        ("branching", (mark_all, mark, branching)),
    ]
}

fn marks<const NODES: u32, const ITEMS: u32>((actions, apply, properties): Doing) -> Made<Marks, Mark> {
    let sorts = |sorts: &mut Sorts| _ = sorts.add::<Node>(NODES).add::<Item>(ITEMS);
    let initial = || vec![Marks { on: Array::new(NODES, false), of: Array::new(ITEMS, None) }];
    Made::new(sorts, initial, actions, apply).asking(properties)
}

/// With symmetry, a cheat is never told what is false of it; without, it is told what is true, also after it
/// was checked with symmetry.
fn compare_cheats<const NODES: u32, const ITEMS: u32>() {
    for (name, doing) in cheats() {
        let whole = check(marks::<NODES, ITEMS>(doing), Symmetry::None).unwrap();
        let same = load(marks::<NODES, ITEMS>(doing)).unwrap();
        for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
            let options = Options { symmetry, ..Options::default() };
            let report = burnside::check(&same, &options, &mut ()).unwrap();
            for (one, other) in whole.results.iter().zip(&report.results) {
                assert!(!is_unknown(&one.verdict), "{name} {one:?}");
                let is_silent = is_unknown(&other.verdict) && symmetry != Symmetry::None;
                let context = (name, NODES, ITEMS, symmetry, &one.property);
                assert!(is_silent || one.verdict == other.verdict, "{context:?} {:?}", other.verdict);
            }
        }
    }
}

#[test]
fn cheats_are_told_nothing_false() {
    compare_cheats::<2, 1>();
    compare_cheats::<2, 2>();
    compare_cheats::<3, 2>();
    compare_cheats::<4, 1>();
}

/// One state, and a formula that tells members apart.
#[test]
fn one_state_is_looked_at_too() {
    #[derive(Clone, Debug, PartialEq, Data)]
    struct Still {
        on: Array<Node, bool>,
    }
    #[derive(Clone, Action)]
    enum Stay {
        Stay,
    }
    let model = || {
        let initial = || vec![Still { on: Array::new(2, false) }];
        let actions = |_: &Still, actions: &mut Vec<Stay>| actions.push(Stay::Stay);
        Made::new(|sorts| _ = sorts.add::<Node>(2), initial, actions, |_: &Stay, _: &mut Still| {}).asking(
            || {
                let is_last = |node| atom("p", move |_: &Still| number::<Node>(node) == 1);
                let is_first = |node| atom("p", move |_: &Still| number::<Node>(node) == 0);
                vec![
                    Property::ltl("first", forall(move |node| globally(is_first(node)))),
                    Property::ltl("last", forall(move |node| finally(is_last(node)))),
                    Property::ctl("all_first", forall(move |node| all_globally(is_first(node)))),
                    Property::ctl("all_last", forall(move |node| all_finally(is_last(node)))),
                ]
            },
        )
    };
    for symmetry in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast, Symmetry::None] {
        for method in [burnside::Method::OnTheFly, burnside::Method::TwoPhase] {
            let options = Options { symmetry, method, ..Options::default() };
            let report = burnside::check(&load(model()).unwrap(), &options, &mut ()).unwrap();
            for property in ["first", "last", "all_first", "all_last"] {
                let verdict = verdict(&report, property);
                assert_ne!(verdict, Verdict::Holds, "{symmetry:?} {method:?} {property}");
                assert!(symmetry != Symmetry::None || verdict == Verdict::Violated);
            }
        }
    }
}
