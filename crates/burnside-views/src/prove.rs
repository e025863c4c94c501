//! The closure: from the views of initial states to a set that steps do not leave.
//!
//! Entry point: [`prove`]. Each new view is completed in all ways to states that have no views but known
//! ones, up to the size that matters; the interpreter runs these, and the views of what they step to are new
//! in turn. A state is run when its last view comes, and once. Bad states and faulting steps are noted and do
//! not end the closure; they may be spurious, so they are never a verdict.

use crate::certificate::Proof;
use crate::context::{self, Context, Predicate};
use crate::demand::{Demand, Demands, TYPICAL};
use crate::layout::{Layout, Parts, Unfit};
use crate::majority::Majorities;
use crate::meter::Meter;
use crate::{Bounds, FAULTS, Instances, Needs};
use burnside_limits::{Observer, poll};
use burnside_ts::{
    AnyMachine, Classes, Expr, Fault, Label, Outcome, Question, SortId, StepFilter, System, bits,
};
use foldhash::fast::FixedState;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What the closure is tried with.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// How many members a view has, from 1 to 3.
    pub k: u32,
    /// What is counted beside the views.
    pub contexts: Vec<Context>,
    /// How many states may be run.
    pub states: u64,
    /// The properties that are to be proved; with a bad state for each of them it ends.
    pub wanted: Vec<String>,
}

/// What a closure gives.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The views; it proves the properties that have no counterview.
    pub proof: Proof,
    /// For each other property, a state that the views allow and that is bad. It need not be reachable.
    pub counterviews: Vec<(String, Counterview)>,
    /// How many states were run.
    pub states: u64,
    /// The largest size of a state that was run.
    pub largest: u32,
}

/// A state of some instance that is bad.
#[derive(Clone, Debug)]
pub struct Counterview {
    /// The size of the instance.
    pub size: u32,
    /// The state, packed.
    pub state: Vec<u64>,
    /// What goes wrong in a step, if it is that.
    pub fault: Option<Fault>,
}

/// Why there is no closure.
#[derive(Clone, Debug)]
pub enum Failure {
    /// More states than allowed.
    States(u64),
    /// An instance of this size is too large.
    Size(u32),
    /// Something that cannot be laid out, or counted.
    Unfit(String),
    /// The views allow a bad state for each property that is wanted.
    Hopeless(Vec<(String, Counterview)>),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::States(limit) => write!(f, "there are more than {limit} states to look at"),
            Failure::Size(size) => write!(f, "the instance of size {size} is too large"),
            Failure::Unfit(why) => write!(f, "{why}"),
            Failure::Hopeless(_) => write!(f, "the views allow bad states"),
        }
    }
}

impl From<Unfit> for Failure {
    fn from(Unfit(why): Unfit) -> Self {
        Failure::Unfit(why)
    }
}

/// So many pointers are told apart.
const POINTERS: u32 = 64;
/// The largest instance that is ever looked at.
pub(crate) const LARGEST: u32 = 14;
/// No word, in a view with less members than there is room for.
const NOBODY: u32 = u32::MAX;

type View = [u32; 3];
type Map<K, V> = HashMap<K, V, FixedState>;
type Set<T> = HashSet<T, FixedState>;

/// Closes the views of the initial states under steps. Sizes below that of a view are not looked at.
pub fn prove(
    instances: &dyn Instances,
    needs: &Needs,
    attempt: &Attempt,
    observer: &mut dyn Observer,
) -> Result<Closed, Failure> {
    let bounds = Bounds::new(needs, attempt.k, &attempt.contexts);
    let first = instances.instance(1).ok_or(Failure::Size(1))?;
    let pointers = Layout::new(&first, &needs.sort)?.pointers();
    let asked = needs.wanted(&attempt.wanted).map(|(_, it)| bounds.invariant(it, pointers));
    let largest = asked.chain([bounds.initial(), bounds.step(pointers)]).max().unwrap_or(attempt.k);
    if largest > LARGEST || pointers > POINTERS {
        return Err(Failure::Size(largest));
    }
    let systems: Vec<Arc<System>> = (1..=largest)
        .map(|size| instances.instance(size).ok_or(Failure::Size(size)))
        .collect::<Result<_, _>>()?;
    let mut closure = Closure::new(&systems, needs, attempt, bounds, Meter::new(observer))?;
    closure.initial()?;
    closure.run()?;
    Ok(closure.finish())
}

/// One instance, and what is needed to run it.
struct Instance<'s> {
    layout: Layout,
    machine: AnyMachine<'s>,
    predicates: Vec<Predicate<'s>>,
    /// The invariants, in the order in which they are needed.
    invariants: Vec<&'s Expr>,
    sort: SortId,
    /// The members that are alike in the state that is run.
    classes: Arc<Classes>,
}

/// Bits with numbers.
#[derive(Default)]
struct Interner {
    numbers: Map<Box<[u64]>, u32>,
    all: Vec<Box<[u64]>>,
}

impl Interner {
    fn number(&mut self, bits: &[u64]) -> u32 {
        if let Some(&number) = self.numbers.get(bits) {
            return number;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(bits.into(), number);
        self.all.push(bits.into());
        number
    }
}

/// The views with the same globals.
#[derive(Default)]
struct Group {
    views: Set<View>,
    /// Those that were completed already.
    done: Set<View>,
    /// The words in them, each once, in the order of their arrival.
    words: Vec<u32>,
    /// How many pointers are set.
    pointers: u32,
    /// Whether a reachable state can have these globals, and the views that wait for that.
    possible: bool,
    waiting: Vec<View>,
    /// What steps of states with these globals demand, once it is known.
    demands: Option<Vec<Demand>>,
    /// By word: its kinds, and whether it turned into one that is counted.
    signs: Map<u32, u64>,
    turned: Map<u32, u64>,
}

struct Closure<'s, 'o> {
    instances: Vec<Instance<'s>>,
    needs: &'s Needs,
    attempt: &'s Attempt,
    bounds: Bounds,
    globals: Interner,
    words: Interner,
    /// By word: which pointers point to the member.
    targets: Vec<u64>,
    groups: Vec<Group>,
    queue: Vec<(u32, View)>,
    /// By claim, faults first: whether it is wanted, and a bad state.
    wanted: Vec<bool>,
    counterviews: Vec<Option<Counterview>>,
    states: u64,
    largest: u32,
    parts: Parts,
    majorities: Majorities,
    /// Who matters to steps, if members are counted; and the states that were run, in that case.
    demands: Option<Demands<'s>>,
    met: Set<(u32, Vec<u32>)>,
    meter: Meter<'o>,
}

impl<'s, 'o> Closure<'s, 'o> {
    fn new(
        systems: &'s [Arc<System>],
        needs: &'s Needs,
        attempt: &'s Attempt,
        bounds: Bounds,
        meter: Meter<'o>,
    ) -> Result<Self, Failure> {
        let instances: Vec<Instance<'s>> =
            systems.iter().map(|system| instance(system, needs, attempt)).collect::<Result<_, _>>()?;
        if instances.iter().any(|it| it.layout.shape() != instances[0].layout.shape()) {
            return Err(Failure::Unfit(String::from("instances of different sizes do not fit together")));
        }
        let majorities = Majorities::new(&systems[0], &instances[0].layout, needs)
            .ok_or_else(|| Failure::Unfit(String::from("there are no flags of majorities")))?;
        let typical = (TYPICAL as usize).min(systems.len()) - 1;
        let predicates = &instances[typical].predicates;
        let demands = Demands::new(&systems[typical], needs, (attempt.k, &attempt.contexts), predicates)?;
        Ok(Self {
            meter,
            majorities,
            demands,
            met: Set::default(),
            instances,
            needs,
            attempt,
            bounds,
            globals: Interner::default(),
            words: Interner::default(),
            targets: Vec::new(),
            groups: Vec::new(),
            queue: Vec::new(),
            wanted: claims(needs).map(|name| attempt.wanted.iter().any(|it| it == name)).collect(),
            counterviews: vec![None; needs.invariants.len() + 1],
            states: 0,
            largest: 0,
            parts: Parts::default(),
        })
    }

    /// The views of the initial states.
    fn initial(&mut self) -> Result<(), Failure> {
        for size in self.bounds.k..=self.bounds.initial() {
            let (mut states, mut fault) = (Vec::new(), None);
            self.instance(size).machine.initial(&mut |outcome| {
                poll();
                match outcome {
                    Outcome::State(state) => states.push(padded(state)),
                    Outcome::Fault(found) => fault = Some(found),
                }
                ControlFlow::Continue(())
            });
            if let Some(fault) = fault {
                self.note(0, size, &[], Some(fault));
            }
            for state in states {
                self.add(size, &state, None)?;
            }
        }
        Ok(())
    }

    fn instance(&mut self, size: u32) -> &mut Instance<'s> {
        &mut self.instances[size as usize - 1]
    }

    /// The numbers of the globals of a state, with the counts of the contexts, and of the words of its
    /// members.
    fn take_apart(&mut self, size: u32, state: &[u64]) -> Result<(u32, Vec<u32>), Failure> {
        let counts = self.counts(size, state)?;
        let Instance { layout, .. } = &self.instances[size as usize - 1];
        layout.read(state, &mut self.parts);
        let pointers = layout.set_pointers(&self.parts.globals);
        self.parts.globals.extend(counts);
        let globals = self.globals.number(&self.parts.globals);
        if globals as usize == self.groups.len() {
            self.groups.push(Group { pointers, ..Group::default() });
        }
        let mut words = Vec::with_capacity(size as usize);
        for word in &self.parts.words {
            let number = self.words.number(word);
            if number as usize == self.targets.len() {
                self.targets.push(layout.targets(word).into_iter().map(|i| 1 << i).sum());
            }
            words.push(number);
        }
        Ok((globals, words))
    }

    fn counts(&mut self, size: u32, state: &[u64]) -> Result<Vec<u64>, Failure> {
        let contexts = &self.attempt.contexts;
        let Instance { machine, predicates, layout, .. } = &mut self.instances[size as usize - 1];
        let state = &state[..layout.state_words()];
        let counts = contexts.iter().zip(predicates.iter()).map(|(context, predicate)| {
            let count = predicate.count(machine, state, size, context.most);
            count.map(u64::from).map_err(|_| Failure::Unfit(format!("`{}` faults", context.text)))
        });
        counts.collect()
    }

    /// Adds the views of a state; only those that it does not have in common with the state before it, if
    /// there is one: its globals, and its words by member.
    fn add(&mut self, size: u32, state: &[u64], before: Option<(u32, &[u32])>) -> Result<(), Failure> {
        let (globals, mut words) = self.take_apart(size, state)?;
        if let Some((old, members)) = before {
            self.learn(old, members, globals, &words);
        }
        let group = &mut self.groups[globals as usize];
        let mut new = |view: View| {
            if group.views.insert(view) {
                for &word in view.iter().filter(|&&word| word != NOBODY) {
                    if !group.words.contains(&word) {
                        group.words.push(word);
                    }
                }
                match group.possible {
                    true => self.queue.push((globals, view)),
                    false => group.waiting.push(view),
                }
            }
        };
        match before {
            Some((same, old)) if same == globals => {
                let changed: Vec<bool> = words.iter().zip(old).map(|(new, old)| new != old).collect();
                for first in (0..words.len()).filter(|&i| changed[i]) {
                    // Views of two members that changed come twice.
                    let mut others: Vec<u32> = words.clone();
                    others.remove(first);
                    views_with(words[first], &others, self.bounds.k, &mut new);
                }
            }
            _ => {
                words.sort_unstable();
                each_view(&words, self.bounds.k, &mut new);
            }
        }
        self.awake(globals);
        Ok(())
    }

    /// Notes which words turned into counted ones in a step. If there are more than before, all states with
    /// the globals before it are looked for again.
    fn learn(&mut self, old: u32, members: &[u32], new: u32, words: &[u32]) {
        for (&from, &to) in members.iter().zip(words) {
            let after = self.sign(new, to);
            let bits = self.demands.as_ref().map_or(0, |demands| demands.turned(after));
            let group = &mut self.groups[old as usize];
            let known = group.turned.entry(from).or_default();
            if bits & !*known != 0 {
                *known |= bits;
                self.queue.extend(group.done.drain().map(|view| (old, view)));
            }
        }
    }

    /// The kinds of a word, with some globals; none if nobody asks.
    fn sign(&mut self, globals: u32, word: u32) -> u64 {
        let Some(demands) = &mut self.demands else { return 0 };
        let (key, contexts) = (&self.globals.all[globals as usize], self.attempt.contexts.len());
        let bits = &self.words.all[word as usize];
        let signs = &mut self.groups[globals as usize].signs;
        *signs.entry(word).or_insert_with(|| demands.sign(&key[..key.len() - contexts], bits))
    }

    /// Whether it matters if a state is bad, and what it steps to; or states with more members than these.
    fn matters(&mut self, globals: u32, members: &[u32]) -> (bool, bool) {
        let Some(demands) = &mut self.demands else { return (true, true) };
        let key = &self.globals.all[globals as usize];
        let (plain, counts) = key.split_at(key.len() - self.attempt.contexts.len());
        let group = &mut self.groups[globals as usize];
        if group.demands.is_none() {
            group.demands = Some(demands.of(plain, &self.words.all[members[0] as usize], counts));
        }
        let bounds = Bounds { kept: counts.iter().sum::<u64>() as u32, ..self.bounds };
        let pointers = group.pointers;
        let asked = self.needs.wanted(&self.attempt.wanted).map(|(_, it)| bounds.invariant(it, pointers));
        let is_judged = members.len() as u32 <= asked.max().unwrap_or(0);
        // Members that variables point to are always there.
        let others: Vec<u32> =
            members.iter().copied().filter(|&word| self.targets[word as usize] == 0).collect();
        let sign = |word: u32| {
            self.sign(globals, word) | self.groups[globals as usize].turned.get(&word).copied().unwrap_or(0)
        };
        let signs: Vec<u64> = others.into_iter().map(sign).collect();
        let demands = self.groups[globals as usize].demands.as_ref();
        (is_judged, demands.is_some_and(|all| all.iter().any(|demand| demand.takes(&signs))))
    }

    /// Looks at views that waited, if now a reachable state can have their globals.
    fn awake(&mut self, globals: u32) {
        let (group, all) = (&mut self.groups[globals as usize], &self.words.all);
        let words = group.words.iter().map(|&word| &*all[word as usize]);
        if !group.waiting.is_empty() && self.majorities.possible(&self.globals.all[globals as usize], words) {
            group.possible = true;
            self.queue.extend(group.waiting.drain(..).map(|view| (globals, view)));
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        while let Some((globals, view)) = self.queue.pop() {
            let mut members: Vec<u32> = view.iter().copied().filter(|&word| word != NOBODY).collect();
            self.groups[globals as usize].done.insert(view);
            let pointers = self.groups[globals as usize].pointers;
            let asked =
                self.needs.wanted(&self.attempt.wanted).map(|(_, it)| self.bounds.invariant(it, pointers));
            let most = asked.chain([self.bounds.step(pointers)]).max().unwrap_or(0);
            self.complete(globals, &mut members, 0, most)?;
        }
        Ok(())
    }

    /// Runs all states with these members and others, from a position in the words of the group on.
    fn complete(
        &mut self,
        globals: u32,
        members: &mut Vec<u32>,
        from: usize,
        most: u32,
    ) -> Result<(), Failure> {
        poll();
        let (is_judged, is_stepped) = self.matters(globals, members);
        if !is_judged && !is_stepped {
            return Ok(());
        }
        let held = members.iter().map(|&word| self.targets[word as usize].count_ones()).sum::<u32>();
        let missing = self.groups[globals as usize].pointers - held;
        if missing == 0 {
            self.meet(globals, members, is_stepped)?;
        }
        if members.len() as u32 >= most {
            return Ok(());
        }
        for at in from..self.groups[globals as usize].words.len() {
            let word = self.groups[globals as usize].words[at];
            if self.fits(globals, members, word) {
                members.push(word);
                self.complete(globals, members, at, most)?;
                members.pop();
            }
        }
        Ok(())
    }

    /// Whether all views with one more member were completed. So each state is met once, when the last of its
    /// views is.
    fn fits(&self, globals: u32, members: &[u32], word: u32) -> bool {
        let targets = self.targets[word as usize];
        if targets != 0 && members.iter().any(|&other| self.targets[other as usize] & targets != 0) {
            return false;
        }
        let views = &self.groups[globals as usize].done;
        match self.bounds.k {
            1 => views.contains(&sorted([word, NOBODY, NOBODY])),
            2 => members.iter().all(|&other| views.contains(&sorted([word, other, NOBODY]))),
            _ => members.iter().enumerate().all(|(i, &first)| {
                members[i + 1..].iter().all(|&second| views.contains(&sorted([word, first, second])))
            }),
        }
    }

    /// Runs a state; only asks whether it is bad if it does not matter what it steps to.
    fn meet(&mut self, globals: u32, members: &[u32], is_stepped: bool) -> Result<(), Failure> {
        let mut words = members.to_vec();
        words.sort_unstable();
        if self.demands.is_some() && is_stepped && !self.met.insert((globals, words.clone())) {
            return Ok(());
        }
        let size = words.len() as u32;
        let (key, contexts) = (&self.globals.all[globals as usize], self.attempt.contexts.len());
        let bits: Vec<&[u64]> = words.iter().map(|&word| &*self.words.all[word as usize]).collect();
        let mut state = Vec::new();
        let layout = &self.instances[size as usize - 1].layout;
        if !layout.write(&key[..key.len() - contexts], &bits, &mut state) {
            return Ok(());
        }
        let counts = key[key.len() - contexts..].to_vec();
        if self.counts(size, &state)? != counts {
            return Ok(());
        }
        self.states += 1;
        self.meter.count(self.queue.len());
        self.largest = self.largest.max(size);
        if self.states > self.attempt.states {
            return Err(Failure::States(self.attempt.states));
        }
        self.judge(size, &state, self.groups[globals as usize].pointers);
        if is_stepped {
            self.step(&state, globals, &words)?;
        }
        let hope = |(wanted, found): (&bool, &Option<Counterview>)| *wanted && found.is_none();
        match self.wanted.iter().zip(&self.counterviews).any(hope) {
            true => Ok(()),
            false => Err(Failure::Hopeless(self.counterviews())),
        }
    }

    /// Whether the state is bad.
    fn judge(&mut self, size: u32, state: &[u64], pointers: u32) {
        for i in 0..self.needs.invariants.len() {
            let most = self.bounds.invariant(self.needs.invariants[i].1, pointers);
            if size > most || !self.wanted[i + 1] || self.counterviews[i + 1].is_some() {
                continue;
            }
            let Instance { machine, invariants, layout, .. } = &mut self.instances[size as usize - 1];
            if machine.holds(invariants[i], &state[..layout.state_words()]) != Ok(true) {
                self.note(i + 1, size, state, None);
            }
        }
    }

    fn step(&mut self, state: &[u64], globals: u32, words: &[u32]) -> Result<(), Failure> {
        let size = words.len() as u32;
        let (mut next, mut fault) = (Vec::new(), None);
        let Instance { machine, layout, classes, sort, .. } = &mut self.instances[size as usize - 1];
        // Members with equal words can be swapped, so one of them speaks for all.
        let alike = Arc::make_mut(classes);
        alike.reset();
        let members: Vec<u32> = (0..size).collect();
        alike.partition(*sort, members.chunk_by(|&a, &b| words[a as usize] == words[b as usize]));
        let filter = StepFilter::Distinct(classes);
        let mut sink = |_: Label<'_>, outcome: Outcome<'_>| {
            poll();
            match outcome {
                Outcome::State(state) => next.push(padded(state)),
                Outcome::Fault(found) => fault = Some(found),
            }
            ControlFlow::Continue(())
        };
        machine.successors_filtered(&state[..layout.state_words()], filter, &mut sink);
        if let Some(fault) = fault {
            self.note(0, size, state, Some(fault));
        }
        next.iter().try_for_each(|state| self.add(size, state, Some((globals, words))))
    }

    fn note(&mut self, claim: usize, size: u32, state: &[u64], fault: Option<Fault>) {
        self.counterviews[claim].get_or_insert_with(|| Counterview { size, state: state.to_vec(), fault });
    }

    /// The bad states, by claim.
    fn counterviews(&self) -> Vec<(String, Counterview)> {
        let all = claims(self.needs).zip(&self.counterviews);
        all.filter_map(|(name, found)| Some((name.to_string(), found.clone()?))).collect()
    }

    fn finish(self) -> Closed {
        let counterviews = self.counterviews();
        let bad = |name: &String| counterviews.iter().any(|(it, _)| it == name);
        let properties = self.attempt.wanted.iter().filter(|name| !bad(name)).cloned().collect();
        let mut views: Vec<(u32, Vec<u32>)> = Vec::new();
        for (globals, group) in (0..).zip(&self.groups) {
            let members = |view: &View| view.iter().copied().filter(|&word| word != NOBODY).collect();
            views.extend(group.views.iter().map(|view| (globals, members(view))));
        }
        views.sort_unstable();
        let plain = |all: Vec<Box<[u64]>>| all.into_iter().map(Vec::from).collect();
        let proof = Proof {
            k: self.bounds.k,
            contexts: self.attempt.contexts.clone(),
            properties,
            globals: plain(self.globals.all),
            words: plain(self.words.all),
            views,
        };
        Closed { proof, counterviews, states: self.states, largest: self.largest }
    }
}

fn instance<'s>(system: &'s System, needs: &Needs, attempt: &Attempt) -> Result<Instance<'s>, Failure> {
    let layout = Layout::new(system, &needs.sort)?;
    let predicates = context::find(system, needs, &attempt.contexts)
        .ok_or_else(|| Failure::Unfit(String::from("a context is not in every instance")))?;
    let invariant = |(name, _): &(String, u32)| {
        let property = system.properties.iter().find(|property| property.name == *name)?;
        match &property.question {
            Question::Invariant(condition) => Some(condition),
            _ => None,
        }
    };
    let invariants = needs.invariants.iter().map(invariant).collect::<Option<_>>();
    let invariants = invariants.ok_or_else(|| Failure::Unfit(String::from("there is no such invariant")))?;
    let interrupt = burnside_limits::current().unwrap_or_default();
    let machine = system.machine_with_interrupt(interrupt);
    let (sort, classes) = (layout.sort(), Arc::new(Classes::discrete(&system.types)));
    Ok(Instance { layout, machine, predicates, invariants, sort, classes })
}

/// The names of what can be claimed.
fn claims(needs: &Needs) -> impl Iterator<Item = &str> {
    [FAULTS].into_iter().chain(needs.invariants.iter().map(|(name, _)| name.as_str()))
}

/// A state with spare words.
pub(crate) fn padded(state: &[u64]) -> Vec<u64> {
    let mut padded = Vec::with_capacity(state.len() + bits::SPARE);
    padded.extend_from_slice(state);
    padded.resize(state.len() + bits::SPARE, 0);
    padded
}

fn sorted(mut view: View) -> View {
    view.sort_unstable();
    view
}

/// The views of a word with some others.
fn views_with(word: u32, others: &[u32], k: u32, visit: &mut dyn FnMut(View)) {
    match k {
        1 => visit([word, NOBODY, NOBODY]),
        2 => others.iter().for_each(|&other| visit(sorted([word, other, NOBODY]))),
        _ => others.iter().enumerate().for_each(|(i, &first)| {
            others[i + 1..].iter().for_each(|&second| visit(sorted([word, first, second])));
        }),
    }
}

/// The views of some words in ascending order; equal ones may come several times.
fn each_view(words: &[u32], k: u32, visit: &mut dyn FnMut(View)) {
    for (i, &first) in words.iter().enumerate() {
        if k == 1 {
            visit([first, NOBODY, NOBODY]);
            continue;
        }
        for (j, &second) in words.iter().enumerate().skip(i + 1) {
            if k == 2 {
                visit([first, second, NOBODY]);
                continue;
            }
            words[j + 1..].iter().for_each(|&third| visit([first, second, third]));
        }
    }
}
