//! Random models three times: written in Rust, as a text that the interpreter runs, and as the same system
//! run by a double of a machine that lists all steps and leaves out what a filter does not want. Verdicts and
//! counts agree in every mode.

use burnside::rust::*;
use burnside::{Limits, LoadOptions, Method, Model, Options, Report, Symmetry, Verdict};
use burnside_explicit::Canoniser;
use burnside_limits::Interrupt;
use burnside_ts::{
    AnyMachine, Binder, Expr, Fault, Foreign, InitialSink, Interpreter, Label, Machine, Outcome, Sink,
    StepFilter, StepSelector, System, Undefined, Walk,
};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

#[derive(Symmetric)]
struct A;

#[derive(Symmetric)]
struct B;

#[derive(Ring)]
struct C;

#[derive(Clone, Debug, PartialEq, Data)]
struct State {
    x: Array<A, Int<-1, 1>>,
    link: Array<A, Option<Member<B>>>,
    grid: Array<A, Array<A, bool>>,
    flag: Array<B, bool>,
    own: Option<Member<A>>,
    set: Set<A>,
    bag: Bag<Member<A>, 2>,
    queue: Queue<Member<B>, 2>,
    at: Member<C>,
}

#[derive(Clone, Copy, Debug, Action)]
enum Step {
    #[process(Server)]
    Solo,
    #[process(Alpha, 1)]
    One(Member<A>),
    #[process(Alpha, 1)]
    Across(Member<A>, Member<B>),
    #[process(Alpha, 1)]
    Other(Member<A>, Member<A>),
    #[process(Alpha, 1)]
    Perhaps(Member<A>, Option<Member<A>>),
    #[process(Pair, 2)]
    Both(Member<A>, Member<A>, Member<A>),
    #[process(Beta, 1)]
    Two(Member<B>, Member<B>, Int<-1, 1>),
    #[process(Gamma, 1)]
    Around(Member<C>, Member<A>),
}

const RULES: usize = 8;

/// By rule: its process, and its head in a text.
const HEADS: [(usize, &str); RULES] = [
    (0, "solo"),
    (1, "one"),
    (1, "across(p: B)"),
    (1, "other(b: A)"),
    (1, "perhaps(o: A?)"),
    (2, "both(c: A)"),
    (3, "two(q: B, k: -1..1)"),
    (4, "around(a: A)"),
];

const PROCESSES: [(&str, &str); 5] =
    [("Server", ""), ("Alpha", "[a: A]"), ("Pair", "[a: A, b: A]"), ("Beta", "[p: B]"), ("Gamma", "[r: C]")];

/// How many names of `A` and of `B` a rule has.
const SCOPES: [(usize, usize); RULES] = [(0, 0), (1, 0), (1, 1), (2, 0), (1, 0), (3, 0), (0, 2), (1, 0)];

#[derive(Clone, Copy, Debug)]
enum Guard {
    Is(usize, i64),
    IsNot(usize, i64),
    Marked(usize),
    Owns(usize, bool),
    Free,
    Inside(usize, bool),
    Seen(usize, usize, bool),
    Linked(usize, usize),
    Alone(usize),
    Differ(usize, usize),
    Here,
    Some(i64),
    Front(usize),
    Bagged(usize),
}

#[derive(Clone, Copy, Debug)]
enum Effect {
    Set(usize, i64),
    Up(usize),
    Mark(usize, bool),
    Own(usize),
    Release,
    Enter(usize),
    Exit(usize),
    See(usize, usize, bool),
    Link(usize, usize),
    Unlink(usize),
    Turn,
    Push(usize),
    Pop,
    Add(usize),
    Take(usize),
    Choose,
    Number(usize),
}

#[derive(Clone, Debug, Default)]
struct Rule {
    guards: Vec<Guard>,
    effects: Vec<Effect>,
}

/// A model as data.
#[derive(Clone, Debug)]
struct Plan {
    sizes: [u32; 3],
    rules: Vec<Option<Rule>>,
    /// By process and by rule: 0 is not fair, 1 weakly, 2 strongly.
    processes: [u32; 5],
    fair: [u32; RULES],
}

struct Random(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 17) as usize % bound.max(1)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn number(&mut self) -> i64 {
        self.below(3) as i64 - 1
    }

    fn guard(&mut self, (a, b): (usize, usize)) -> Guard {
        loop {
            let (i, j, k) = (self.below(a), self.below(a), self.below(b));
            return match self.below(14) {
                0 | 1 if a > 0 => Guard::Is(i, self.number()),
                2 if a > 0 => Guard::IsNot(i, self.number()),
                3 if b > 0 => Guard::Marked(k),
                4 if a > 0 => Guard::Owns(i, self.flip()),
                5 => Guard::Free,
                6 if a > 0 => Guard::Inside(i, self.flip()),
                7 if a > 0 => Guard::Seen(i, j, self.flip()),
                8 if a > 0 && b > 0 => Guard::Linked(i, k),
                9 if a > 0 => Guard::Alone(i),
                10 if a > 1 => Guard::Differ(0, 1 + self.below(a - 1)),
                11 => Guard::Some(self.number()),
                12 if b > 0 => Guard::Front(k),
                13 if a > 0 => Guard::Bagged(i),
                _ => continue,
            };
        }
    }

    fn effect(&mut self, rule: usize) -> Effect {
        let (a, b) = SCOPES[rule];
        loop {
            let (i, j, k) = (self.below(a), self.below(a), self.below(b));
            return match self.below(17) {
                0 | 1 if a > 0 => Effect::Set(i, self.number()),
                2 if a > 0 => Effect::Up(i),
                3 if b > 0 => Effect::Mark(k, self.flip()),
                4 if a > 0 => Effect::Own(i),
                5 => Effect::Release,
                6 if a > 0 => Effect::Enter(i),
                7 if a > 0 => Effect::Exit(i),
                8 if a > 0 => Effect::See(i, j, self.flip()),
                9 if a > 0 && b > 0 => Effect::Link(i, k),
                10 if a > 0 => Effect::Unlink(i),
                11 if rule == 7 => Effect::Turn,
                12 if b > 0 => Effect::Push(k),
                13 => Effect::Pop,
                14 if a > 0 => Effect::Add(i),
                15 if a > 0 => Effect::Take(i),
                16 if rule == 4 => Effect::Choose,
                16 if rule == 6 => Effect::Number(k),
                _ => continue,
            };
        }
    }

    fn plan(&mut self) -> Plan {
        let sizes = [1 + self.below(3) as u32, 1 + self.below(2) as u32, 2 + self.below(2) as u32];
        let mut rules = vec![None; RULES];
        for (i, rule) in rules.iter_mut().enumerate() {
            // The ring is always asked for a neighbour: else it would be known to have more symmetry.
            let is_there = i == 7 || self.below(5) < 3;
            *rule = is_there.then(|| {
                let mut guards: Vec<Guard> = (0..1 + self.below(2)).map(|_| self.guard(SCOPES[i])).collect();
                let mut effects: Vec<Effect> = (0..1 + self.below(3)).map(|_| self.effect(i)).collect();
                match i {
                    4 => effects.push(Effect::Choose),
                    6 => effects.push(Effect::Number(self.below(2))),
                    7 => {
                        guards.push(Guard::Here);
                        effects.push(Effect::Turn);
                    }
                    _ => {}
                }
                Rule { guards, effects }
            });
        }
        let processes = std::array::from_fn(|_| self.below(3) as u32);
        let fair = std::array::from_fn(|i| if processes[HEADS[i].0] > 0 { 0 } else { self.below(3) as u32 });
        Plan { sizes, rules, processes, fair }
    }
}

/// The arguments of a step by kind.
struct Arguments {
    a: Vec<Member<A>>,
    b: Vec<Member<B>>,
    c: Option<Member<C>>,
    o: Option<Member<A>>,
    k: i64,
}

fn arguments(step: Step) -> (usize, Arguments) {
    let none = || Arguments { a: Vec::new(), b: Vec::new(), c: None, o: None, k: 0 };
    match step {
        Step::Solo => (0, none()),
        Step::One(a) => (1, Arguments { a: vec![a], ..none() }),
        Step::Across(a, b) => (2, Arguments { a: vec![a], b: vec![b], ..none() }),
        Step::Other(a, b) => (3, Arguments { a: vec![a, b], ..none() }),
        Step::Perhaps(a, o) => (4, Arguments { a: vec![a], o, ..none() }),
        Step::Both(a, b, c) => (5, Arguments { a: vec![a, b, c], ..none() }),
        Step::Two(p, q, k) => (6, Arguments { b: vec![p, q], k: k.get(), ..none() }),
        Step::Around(c, a) => (7, Arguments { a: vec![a], c: Some(c), ..none() }),
    }
}

impl Guard {
    fn is_met(self, with: &Arguments, state: &State) -> bool {
        let Arguments { a, b, .. } = with;
        match self {
            Guard::Is(i, value) => state.x[a[i]] == value,
            Guard::IsNot(i, value) => state.x[a[i]] != value,
            Guard::Marked(i) => state.flag[b[i]],
            Guard::Owns(i, wanted) => (state.own == Some(a[i])) == wanted,
            Guard::Free => state.own.is_none(),
            Guard::Inside(i, wanted) => state.set.contains(a[i]) == wanted,
            Guard::Seen(i, j, wanted) => state.grid[a[i]][a[j]] == wanted,
            Guard::Linked(i, j) => state.link[a[i]] == Some(b[j]),
            Guard::Alone(i) => state.link[a[i]].is_none(),
            Guard::Differ(i, j) => a[i] != a[j],
            Guard::Here => Some(state.at) == with.c,
            Guard::Some(value) => state.x.values().any(|it| *it == value),
            Guard::Front(i) => state.queue.front() == Some(&b[i]),
            Guard::Bagged(i) => state.bag.contains(&a[i]),
        }
    }

    fn text(self) -> String {
        let (a, b) = (["a", "b", "c"], ["p", "q"]);
        match self {
            Guard::Is(i, value) => format!("x[{}] == {value}", a[i]),
            Guard::IsNot(i, value) => format!("x[{}] != {value}", a[i]),
            Guard::Marked(i) => format!("flag[{}]", b[i]),
            Guard::Owns(i, wanted) => format!("(own == {}) == {wanted}", a[i]),
            Guard::Free => "own == none".to_string(),
            Guard::Inside(i, wanted) => format!("({} in members) == {wanted}", a[i]),
            Guard::Seen(i, j, wanted) => format!("grid[{}][{}] == {wanted}", a[i], a[j]),
            Guard::Linked(i, j) => format!("link[{}] == {}", a[i], b[j]),
            Guard::Alone(i) => format!("link[{}] == none", a[i]),
            Guard::Differ(i, j) => format!("{} != {}", a[i], a[j]),
            Guard::Here => "seat == r".to_string(),
            Guard::Some(value) => format!("(exists z: A {{ x[z] == {value} }})"),
            Guard::Front(i) => format!("(!line.empty() && line.front() == {})", b[i]),
            Guard::Bagged(i) => format!("{} in heap", a[i]),
        }
    }
}

impl Effect {
    fn act(self, with: &Arguments, seats: u32, state: &mut State) {
        let Arguments { a, b, .. } = with;
        match self {
            Effect::Set(i, value) => state.x[a[i]] = Int::new(value),
            Effect::Up(i) if state.x[a[i]] < 1 => state.x[a[i]] += 1,
            Effect::Up(_) => {}
            Effect::Mark(i, value) => state.flag[b[i]] = value,
            Effect::Own(i) => state.own = Some(a[i]),
            Effect::Release => state.own = None,
            Effect::Enter(i) => _ = state.set.insert(a[i]),
            Effect::Exit(i) => _ = state.set.remove(a[i]),
            Effect::See(i, j, value) => state.grid[a[i]][a[j]] = value,
            Effect::Link(i, j) => state.link[a[i]] = Some(b[j]),
            Effect::Unlink(i) => state.link[a[i]] = None,
            Effect::Turn => state.at = state.at.next(seats),
            Effect::Push(i) if !state.queue.is_full() => state.queue.push(b[i]),
            Effect::Push(_) => {}
            Effect::Pop => _ = state.queue.pop(),
            Effect::Add(i) if !state.bag.is_full() => state.bag.add(a[i]),
            Effect::Add(_) => {}
            Effect::Take(i) => _ = state.bag.remove(&a[i]),
            Effect::Choose => state.own = with.o,
            Effect::Number(i) => state.flag[b[i]] = with.k == 1,
        }
    }

    fn text(self) -> String {
        let (a, b) = (["a", "b", "c"], ["p", "q"]);
        match self {
            Effect::Set(i, value) => format!("x[{}] = {value};", a[i]),
            Effect::Up(i) => format!("if x[{0}] < 1 {{ x[{0}] = x[{0}] + 1; }}", a[i]),
            Effect::Mark(i, value) => format!("flag[{}] = {value};", b[i]),
            Effect::Own(i) => format!("own = {};", a[i]),
            Effect::Release => "own = none;".to_string(),
            Effect::Enter(i) => format!("members.add({});", a[i]),
            Effect::Exit(i) => format!("members.remove({});", a[i]),
            Effect::See(i, j, value) => format!("grid[{}][{}] = {value};", a[i], a[j]),
            Effect::Link(i, j) => format!("link[{}] = {};", a[i], b[j]),
            Effect::Unlink(i) => format!("link[{}] = none;", a[i]),
            Effect::Turn => "seat = next(seat);".to_string(),
            Effect::Push(i) => format!("if !line.full() {{ line.push({}); }}", b[i]),
            Effect::Pop => "if !line.empty() { line.pop(); }".to_string(),
            Effect::Add(i) => format!("if !heap.full() {{ heap.add({}); }}", a[i]),
            Effect::Take(i) => format!("if {0} in heap {{ heap.remove({0}); }}", a[i]),
            Effect::Choose => "own = o;".to_string(),
            Effect::Number(i) => format!("flag[{}] = k == 1;", b[i]),
        }
    }
}

impl Plan {
    fn text(&self) -> String {
        let [a, b, c] = self.sizes;
        let mut text = format!(
            "symmetric A[{a}];\nsymmetric B[{b}];\nring C[{c}];\nvar x: array[A] of -1..1 = 0;\n\
             var link: array[A] of B?;\nvar grid: array[A, A] of bool;\nvar flag: array[B] of bool;\n\
             var own: A?;\nvar members: set of A;\nvar heap: bag[2] of A;\nvar line: queue[2] of B;\n\
             var seat: C = any;\ndeadlock allowed;\n"
        );
        let word = |fair: u32| ["", "fair ", "strong fair "][fair as usize];
        for (process, (name, indices)) in PROCESSES.iter().enumerate() {
            writeln!(text, "{}process {name}{indices} {{", word(self.processes[process])).unwrap();
            for (i, (of, head)) in HEADS.iter().enumerate() {
                // A rule that is not there is never enabled, so that there are the same rules.
                let rule = self.rules[i].clone().unwrap_or_default();
                if *of == process {
                    let mut guards: Vec<String> = rule.guards.iter().map(|guard| guard.text()).collect();
                    if self.rules[i].is_none() {
                        guards.push("false".to_string());
                    }
                    let effects: Vec<String> = rule.effects.iter().map(|effect| effect.text()).collect();
                    let (fair, guards, effects) =
                        (word(self.fair[i]), guards.join(" && "), effects.join(" "));
                    writeln!(text, "  {fair}rule {head} when {guards} {{ {effects} }}").unwrap();
                }
            }
            text.push_str("}\n");
        }
        text + "invariant apart = forall a, b: A { !(grid[a][b] && x[a] == 1) };\n\
             reachable goal = exists a: A { x[a] == -1 && a in members };\n\
             ltl answered = forall a: A { G (x[a] == 1 -> F x[a] != 1) };\n\
             ltl meet = forall a: A { exists p: B { G F (link[a] == p || flag[p]) } };\n\
             ltl inside = G (forall a: A { x[a] == 0 -> F (a in members) });\n\
             ltl two = exists a: A { forall b: A { F G (own == a || !(b in heap)) } };\n\
             ltl round = forall r: C { G F seat == r };\n\
             ctl home = AG EF (own == none);\n\
             ctl rise = forall a: A { EF x[a] == 1 && exists p: B { AG (link[a] != p) } };\n\
             ctl deep = AG (forall a: A { x[a] == -1 -> EF (exists p: B { link[a] == p }) });\n"
    }
}

impl RustModel for Plan {
    type State = State;
    type Action = Step;

    fn sorts(&self, sorts: &mut Sorts) {
        let [a, b, c] = self.sizes;
        sorts.add::<A>(a).add::<B>(b).add::<C>(c);
    }

    fn initial(&self) -> Vec<State> {
        let [a, b, c] = self.sizes;
        let start = |at| State {
            x: Array::new(a, Int::new(0)),
            link: Array::new(a, None),
            grid: Array::new(a, Array::new(a, false)),
            flag: Array::new(b, false),
            own: None,
            set: Set::new(),
            bag: Bag::new(),
            queue: Queue::new(),
            at,
        };
        Member::all(c).map(start).collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Step>) {
        let [a, b, c] = self.sizes;
        let (a, b) = (|| Member::all(a), || Member::all(b));
        let mut all = vec![Step::Solo];
        for one in a() {
            all.push(Step::One(one));
            all.extend(b().map(|other| Step::Across(one, other)));
            all.extend(a().map(|other| Step::Other(one, other)));
            all.push(Step::Perhaps(one, None));
            all.extend(a().map(|other| Step::Perhaps(one, Some(other))));
            all.extend(a().flat_map(|other| a().map(move |third| Step::Both(one, other, third))));
            all.extend(Member::all(c).map(|seat| Step::Around(seat, one)));
        }
        for (one, other) in b().flat_map(|one| b().map(move |other| (one, other))) {
            all.extend((-1..=1).map(|k| Step::Two(one, other, Int::new(k))));
        }
        let is_enabled = |step: &Step| {
            let (rule, with) = arguments(*step);
            self.rules[rule]
                .as_ref()
                .is_some_and(|it| it.guards.iter().all(|guard| guard.is_met(&with, state)))
        };
        actions.extend(all.into_iter().filter(is_enabled));
    }

    fn apply(&self, action: &Step, state: &mut State) {
        let (rule, with) = arguments(*action);
        let effects = &self.rules[rule].as_ref().expect("it is enabled").effects;
        effects.iter().for_each(|effect| effect.act(&with, self.sizes[2], state));
    }

    fn properties(&self) -> Vec<Property<State>> {
        let x = |a: Member<A>, value: i64| atom("x", move |s: &State| s.x[a] == value);
        let linked = |a: Member<A>, p: Member<B>| atom("linked", move |s: &State| s.link[a] == Some(p));
        let apart = |s: &State| s.x.iter().all(|(a, x)| *x != 1 || s.grid[a].values().all(|it| !*it));
        let answered = forall(move |a| globally(x(a, 1).implies(finally(!x(a, 1)))));
        let meet = forall(move |a| {
            exists(move |p| {
                let flag = atom("flag", move |s: &State| s.flag[p]);
                globally(finally(linked(a, p).or(flag)))
            })
        });
        let inside = globally(forall(move |a| {
            x(a, 0).implies(finally(atom("inside", move |s: &State| s.set.contains(a))))
        }));
        let two = exists(|a: Member<A>| {
            forall(move |b: Member<A>| {
                finally(globally(atom("two", move |s: &State| s.own == Some(a) || !s.bag.contains(&b))))
            })
        });
        let round = forall(|r| globally(finally(atom("at", move |s: &State| s.at == r))));
        let home = all_globally(some_finally(atom("home", |s: &State| s.own.is_none())));
        let rise = forall(move |a| some_finally(x(a, 1)).and(exists(move |p| all_globally(!linked(a, p)))));
        let deep =
            all_globally(forall(move |a| x(a, -1).implies(some_finally(exists(move |p| linked(a, p))))));
        vec![
            Property::invariant("apart", apart),
            Property::reachable("goal", |s: &State| s.x.iter().any(|(a, x)| *x == -1 && s.set.contains(a))),
            Property::ltl("answered", answered),
            Property::ltl("meet", meet),
            Property::ltl("inside", inside),
            Property::ltl("two", two),
            Property::ltl("round", round),
            Property::ctl("home", home),
            Property::ctl("rise", rise),
            Property::ctl("deep", deep),
        ]
    }

    fn fairness(&self) -> Vec<Fairness> {
        let mut fairness = Vec::new();
        for ((name, _), fair) in PROCESSES.iter().zip(self.processes) {
            match fair {
                0 => {}
                1 => fairness.push(Fairness::weak_process(*name)),
                _ => fairness.push(Fairness::strong_process(*name)),
            }
        }
        for ((_, head), fair) in HEADS.iter().zip(self.fair) {
            let name = head.split('(').next().unwrap_or_default();
            match fair {
                0 => {}
                1 => fairness.push(Fairness::weak(name)),
                _ => fairness.push(Fairness::strong(name)),
            }
        }
        fairness
    }

    fn is_deadlock_free(&self) -> bool {
        false
    }
}

/// Runs a system by its code, but lists all steps and leaves out what is not wanted as other machines do.
#[derive(Debug)]
struct Listing(System);

#[derive(Debug)]
struct ListingMachine<'s> {
    inner: Interpreter<'s>,
    system: &'s System,
    selector: StepSelector,
}

impl Foreign for Listing {
    fn machine<'s>(&'s self, system: &'s System, interrupt: Option<Interrupt>) -> AnyMachine<'s> {
        let inner = match interrupt {
            Some(interrupt) => Interpreter::with_interrupt(&self.0, interrupt),
            None => Interpreter::new(&self.0),
        };
        Box::new(ListingMachine { inner, system, selector: StepSelector::new(&system.types) })
    }

    fn value(&self, _: u32, _: &[i64], _: &[u64]) -> Result<i64, Fault> {
        unreachable!("conditions are code")
    }
}

impl<'s> Machine<'s> for ListingMachine<'s> {
    fn system(&self) -> &'s System {
        self.system
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        self.inner.initial(sink)
    }

    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        let Self { inner, system, selector } = self;
        inner.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            let Some(weight) = selector.weigh(system, filter, label) else {
                return ControlFlow::Continue(());
            };
            sink.weigh(weight);
            sink.step(label, outcome)
        })
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        self.inner.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.inner.bind(binder, number);
    }
}

/// A rule, its arguments, where the step leads, and its weight.
type WeighedStep = (u32, Vec<u64>, Option<Vec<u64>>, u64);

/// Steps with their weights, and the weight of the next.
#[derive(Default)]
struct Weighed(Vec<WeighedStep>, u64);

impl Sink for Weighed {
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        let target = match outcome {
            Outcome::State(state) => Some(state.to_vec()),
            Outcome::Fault(_) => None,
        };
        self.0.push((label.rule.0, label.args.to_vec(), target, self.1));
        ControlFlow::Continue(())
    }

    fn weigh(&mut self, instances: u64) {
        self.1 = instances;
    }
}

/// The selector takes the same steps as the interpreter, with the same weights, and what is taken stands for
/// all: in some orbits.
fn same_steps(system: &System) {
    let (mut inner, foreign) = (Interpreter::new(system), Listing(system.clone()));
    let mut listing = foreign.machine(system, None);
    let mut canoniser = Canoniser::new(system, &system.symmetry, true);
    let (mut open, mut seen) = (Vec::new(), BTreeSet::new());
    inner.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            open.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    while let Some(state) = open.pop().filter(|_| seen.len() < 40) {
        if !seen.insert(state.clone()) {
            continue;
        }
        let classes = canoniser.classes(&state);
        let filters = [StepFilter::All, StepFilter::Executors(&classes), StepFilter::Distinct(&classes)];
        let [all, executors, distinct] = filters.map(|filter| {
            let mut steps = [Weighed::default(), Weighed::default()];
            inner.successors_filtered(&state, filter, &mut steps[0]);
            listing.successors_filtered(&state, filter, &mut steps[1]);
            let [mine, its] = steps.map(|Weighed(mut steps, _)| {
                steps.sort();
                steps
            });
            assert_eq!(mine, its, "{filter:?}");
            mine
        });
        for some in [executors, distinct] {
            assert_eq!(some.iter().map(|step| step.3).sum::<u64>(), all.len() as u64);
        }
        open.extend(all.into_iter().filter_map(|step| step.2));
    }
}

/// A guard that looks for what a parameter is, among members that are alike.
#[test]
fn guards_that_quantify() {
    let text = "symmetric S[4]; symmetric T[3]; var x: array[S] of 0..1; var t: array[T] of S?;
        process P[i: S] {
          rule one(j: S, o: S?) when exists k: S { k == j && k != i && o == k } { x[j] = 1 - x[j]; }
          rule two(j: S) when 1 == (count k: S { k == j && x[k] == 0 }) { x[i] = 1; }
          rule all(j: S, u: T) when t[u] == none && forall k: S { k == j || k == i || x[k] == 0 } { t[u] = j; }
        }
        process Q[i: S, u: T] {
          rule both(v: T, j: S) when exists k: S, w: T { k == j && w == v && t[w] == none && u != w } { x[j] = 0; }
        }";
    same_steps(&Model::load(text, &LoadOptions::new()).into_model().unwrap().system);
}

/// What three models must agree on.
fn verdicts(report: &Report) -> Vec<(&str, &Verdict)> {
    report.results.iter().map(|answer| (answer.property.as_str(), &answer.verdict)).collect()
}

const MODES: [(burnside::Fairness, Method); 3] = [
    (burnside::Fairness::Model, Method::OnTheFly),
    (burnside::Fairness::Model, Method::TwoPhase),
    (burnside::Fairness::None, Method::OnTheFly),
];

/// Compares in all modes: how many states there are, none if they are too many.
fn compare(plan: &Plan, most: u64) -> Option<u64> {
    let text = plan.text();
    let loaded = Model::load(&text, &LoadOptions::new());
    let orb = loaded.model.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let lowered = lower(plan.clone()).expect("a model");
    let rust = Model::load(&lowered, &LoadOptions::new()).into_model().expect("it has been lowered");
    let mut listing = (*orb.system).clone();
    listing.foreign = Some(Arc::new(Listing((*orb.system).clone())));
    let double = Model::load(listing, &LoadOptions::new()).into_model().expect("it has been loaded");
    let limits = Limits { states: Some(most), ..Limits::default() };
    let whole = Options { symmetry: Symmetry::None, limits, ..Options::default() };
    let counts = burnside::state_space(&orb, &whole).ok()?;
    same_steps(&orb.system);
    for symmetry in [Symmetry::None, Symmetry::Auto, Symmetry::Exact, Symmetry::Fast] {
        for (fairness, method) in MODES {
            let options = Options { symmetry, fairness, method, ..Options::default() };
            let context = (symmetry, fairness, method);
            let [mine, its, listed] = [&rust, &orb, &double]
                .map(|model| burnside::check(model, &options, &mut ()).expect("a report"));
            assert_eq!(verdicts(&mine), verdicts(&its), "{context:?}\n{text}");
            assert_eq!(verdicts(&listed), verdicts(&its), "{context:?}\n{text}");
            assert_eq!(mine.unreduced, its.unreduced, "{context:?}\n{text}");
            assert_eq!(listed.unreduced, its.unreduced, "{context:?}\n{text}");
            let figures = |report: &Report| (report.stats.states, report.stats.transitions);
            assert_eq!(figures(&listed), figures(&its), "{context:?}\n{text}");
            if symmetry == Symmetry::None {
                assert_eq!(figures(&mine), figures(&its), "{context:?}\n{text}");
            }
        }
        let options = Options { symmetry, ..Options::default() };
        let [mine, its, listed] = [&rust, &orb, &double]
            .map(|model| burnside::state_space(model, &options).map(|it| (it.states, it.transitions)));
        assert_eq!((&mine, &listed), (&its, &its), "{symmetry:?}\n{text}");
    }
    Some(counts.orbits as u64)
}

#[test]
fn random_models() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut sizes = Vec::new();
    for _ in 0..32 {
        sizes.extend(compare(&random.plan(), 60));
    }
    assert!(sizes.len() > 15 && sizes.iter().filter(|size| **size > 8).count() > 4, "{sizes:?}");
}
