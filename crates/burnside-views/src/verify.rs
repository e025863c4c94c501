//! The checker of certificates: whether a set of views proves what it claims, by the interpreter alone.
//!
//! Entry point: [`verify`]. It shares nothing with the prover but what a view is ([`layout`](crate::layout))
//! and what is counted ([`context`]); and of the layout it takes nothing on trust: each state
//! that is taken apart is put together again and compared. For sizes below `k` it explores the instances. For
//! sizes from `k` up to the bound it goes through *all* states whose views are in the set, reachable or not:
//! none may violate a property that is claimed, none may fault if that is claimed, and all that they step to
//! has its views in the set, as have the initial states.

use crate::certificate::{Certificate, Proof};
use crate::context::{self, Predicate};
use crate::layout::{Layout, Parts};
use crate::majority::Majorities;
use crate::meter::Meter;
use crate::{FAULTS, Instances, Needs};
use burnside_limits::{Observer, poll};
use burnside_ts::{AnyMachine, Expr, Label, Outcome, Question, System, bits};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

/// What a checker found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The properties that are proved.
    pub properties: Vec<String>,
    /// How many states were run.
    pub states: u64,
    /// The greatest size that was looked at.
    pub largest: u32,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// It does not fit the model: how.
    Misfit(String),
    /// It claims a property that is not judged for every size.
    Unknown(String),
    /// An instance of this size cannot be built.
    Size(u32),
    /// An initial state of the instance of this size has a view that is not in the set.
    Initial(u32),
    /// A step from a state of this size leads to a view that is not in the set.
    Step(u32),
    /// A state of this size violates this property.
    Violated(String, u32),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Misfit(how) => write!(f, "{how}"),
            Rejection::Unknown(name) => write!(f, "`{name}` is not judged for every size"),
            Rejection::Size(size) => write!(f, "the instance of size {size} cannot be built"),
            Rejection::Initial(size) => {
                write!(f, "an initial state of size {size} has a view that is missing")
            }
            Rejection::Step(size) => write!(f, "a step of a state of size {size} leads to a missing view"),
            Rejection::Violated(name, size) => write!(f, "a state of size {size} violates `{name}`"),
        }
    }
}

impl std::error::Error for Rejection {}

/// The most members of a view.
const MOST: u32 = 3;

/// Checks every proof of a certificate.
pub fn verify(
    instances: &dyn Instances,
    needs: &Needs,
    certificate: &Certificate,
    observer: &mut dyn Observer,
) -> Result<Verified, Rejection> {
    let mut all = Verified { properties: Vec::new(), states: 0, largest: 0 };
    for proof in &certificate.proofs {
        for name in &proof.properties {
            if name != FAULTS && !needs.invariants.iter().any(|(known, _)| known == name) {
                return Err(Rejection::Unknown(name.clone()));
            }
        }
        let checker = Checker::new(instances, needs, proof, Meter::new(observer))?;
        let (states, largest) = checker.check()?;
        all.states += states;
        all.largest = all.largest.max(largest);
        all.properties.extend(proof.properties.iter().cloned());
    }
    Ok(all)
}

/// Views with the same globals: the numbers of the words of each, in ascending order.
pub(crate) type Views = HashSet<Vec<u32>>;

/// Which sizes are to be looked at. It says the same as what the prover goes by, in words of its own, so that
/// a mistake there is not made here.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Members of a view.
    view: u32,
    /// Members that keep the counts as they are, on one side of a step.
    counted: u32,
    init: u32,
    step: u32,
}

impl Sizes {
    fn new(needs: &Needs, proof: &Proof) -> Self {
        let counted = proof.contexts.iter().fold(0, |all, context| all + context.most);
        Self { view: proof.k, counted, init: needs.init, step: needs.step }
    }

    /// An initial state: the view that is to be seen, what the initialisation needs, and who keeps the
    /// counts.
    fn of_start(self) -> u32 {
        self.view + self.init + self.counted
    }

    /// A state before a step: the view that is to be seen after it, what the step needs, who is pointed to,
    /// and who keeps the counts before it and after it.
    fn of_step(self, pointers: u32) -> u32 {
        self.view + self.step + pointers + self.counted + self.counted
    }

    /// A bad state: what shows that it is bad, who is pointed to, and who keeps the counts; but no state has
    /// fewer members than a view.
    fn of_bad(self, witnesses: u32, pointers: u32) -> u32 {
        (witnesses + pointers + self.counted).max(self.view)
    }
}

struct Checker<'p, 'o> {
    instances: &'p dyn Instances,
    needs: &'p Needs,
    proof: &'p Proof,
    sizes: Sizes,
    meter: RefCell<Meter<'o>>,
    /// The words, each once, by number.
    words: Vec<Vec<u64>>,
    numbers: HashMap<Vec<u64>, u32>,
    /// By globals, with the counts behind them.
    views: BTreeMap<Vec<u64>, Views>,
}

impl<'p, 'o> Checker<'p, 'o> {
    fn new(
        instances: &'p dyn Instances,
        needs: &'p Needs,
        proof: &'p Proof,
        meter: Meter<'o>,
    ) -> Result<Self, Rejection> {
        let misfit = |how: &str| Rejection::Misfit(how.to_string());
        if !(1..=MOST).contains(&proof.k) {
            return Err(misfit("a view has from 1 to 3 members"));
        }
        if proof.contexts.iter().any(|context| !(1..=MOST).contains(&context.most)) {
            return Err(misfit("members are counted up to 1, 2 or 3"));
        }
        let mut words = proof.words.clone();
        words.sort_unstable();
        words.dedup();
        let numbers: HashMap<Vec<u64>, u32> = words.iter().cloned().zip(0..).collect();
        let mut views: BTreeMap<Vec<u64>, Views> = BTreeMap::new();
        for (globals, words) in &proof.views {
            let globals =
                proof.globals.get(*globals as usize).ok_or_else(|| misfit("a view has no globals"))?;
            let number = |&word: &u32| Some(numbers[proof.words.get(word as usize)?]);
            let view: Option<Vec<u32>> = words.iter().map(number).collect();
            let mut view = view.ok_or_else(|| misfit("a view has no words"))?;
            if view.len() != proof.k as usize {
                return Err(misfit("a view has another number of members"));
            }
            view.sort_unstable();
            views.entry(globals.clone()).or_default().insert(view);
        }
        let (sizes, meter) = (Sizes::new(needs, proof), RefCell::new(meter));
        Ok(Self { instances, needs, proof, sizes, meter, words, numbers, views })
    }

    fn check(&self) -> Result<(u64, u32), Rejection> {
        let mut states = 0;
        for size in 1..self.proof.k {
            let exact = self.instances.exact(size).ok_or(Rejection::Size(size))?;
            states += Replica::new(self, &exact, size)?.explore()?;
        }
        for size in self.proof.k..=self.sizes.of_start() {
            self.with(size, |instance| instance.initial())?;
        }
        let mut largest = self.sizes.of_start();
        let first = self.instances.instance(1).ok_or(Rejection::Size(1))?;
        let layout = Layout::new(&first, &self.needs.sort).map_err(|it| Rejection::Misfit(it.0))?;
        let (globals, word) = layout.shape();
        let fits = |have: &[u64], bits: u32, more: usize| {
            have.len() == bits.div_ceil(64) as usize + bits::SPARE + more
        };
        let words = self.proof.words.iter().all(|it| fits(it, word, 0));
        let counts = self.proof.contexts.len();
        if !words || !self.proof.globals.iter().all(|it| fits(it, globals, counts)) {
            return Err(Rejection::Misfit(String::from("the views are not those of this model")));
        }
        let pointers = |key: &[u64]| layout.set_pointers(key);
        let possible = self.possible(&first, &layout)?;
        let greatest = possible.iter().map(|(key, _)| self.greatest(pointers(key))).max().unwrap_or(0);
        largest = largest.max(greatest);
        for size in self.proof.k..=greatest {
            states += self.with(size, |instance| {
                let mut states = 0;
                for &(key, views) in &possible {
                    if size <= self.greatest(pointers(key)) {
                        states += instance.all_states(key, views, pointers(key))?;
                    }
                }
                Ok(states)
            })?;
        }
        Ok((states, largest))
    }

    /// The globals that a reachable state can have, with their views.
    fn possible(&self, system: &System, layout: &Layout) -> Result<Vec<(&Vec<u64>, &Views)>, Rejection> {
        let majorities = Majorities::new(system, layout, self.needs)
            .ok_or_else(|| Rejection::Misfit(String::from("there are no flags of majorities")))?;
        let is_possible = |(key, views): &(&Vec<u64>, &Views)| {
            let words: BTreeSet<u32> = views.iter().flatten().copied().collect();
            majorities.possible(key, words.iter().map(|&word| &*self.words[word as usize]))
        };
        Ok(self.views.iter().filter(is_possible).collect())
    }

    /// The greatest states that are to be looked at, with so many pointers set.
    fn greatest(&self, pointers: u32) -> u32 {
        let claimed = self.needs.wanted(&self.proof.properties);
        let asked = claimed.map(|(_, it)| self.sizes.of_bad(it, pointers));
        asked.chain([self.sizes.of_step(pointers)]).max().unwrap_or(0)
    }

    fn with<T>(
        &self,
        size: u32,
        work: impl FnOnce(&mut Replica<'_, '_, '_>) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        let system = self.instances.instance(size).ok_or(Rejection::Size(size))?;
        work(&mut Replica::new(self, &system, size)?)
    }
}

/// One instance.
struct Replica<'c, 'o, 's> {
    checker: &'c Checker<'c, 'o>,
    size: u32,
    layout: Layout,
    machine: AnyMachine<'s>,
    predicates: Vec<Predicate<'s>>,
    /// The invariants that are claimed, with the members that matter to each.
    invariants: Vec<(&'c str, u32, &'s Expr)>,
    faultless: bool,
}

impl<'c, 'o, 's> Replica<'c, 'o, 's> {
    fn new(checker: &'c Checker<'c, 'o>, system: &'s System, size: u32) -> Result<Self, Rejection> {
        let misfit = |how: &str| Rejection::Misfit(how.to_string());
        let layout = Layout::new(system, &checker.needs.sort).map_err(|it| Rejection::Misfit(it.0))?;
        if layout.size() != size {
            return Err(misfit("the constant is not the size of the family"));
        }
        let predicates = context::find(system, checker.needs, &checker.proof.contexts)
            .ok_or_else(|| misfit("it counts something that the model does not speak of"))?;
        let mut invariants = Vec::new();
        for (name, witnesses) in &checker.needs.invariants {
            let property = system.properties.iter().find(|property| property.name == *name);
            match property.map(|property| &property.question) {
                Some(Question::Invariant(condition)) if checker.proof.properties.contains(name) => {
                    invariants.push((name.as_str(), *witnesses, condition));
                }
                Some(Question::Invariant(_)) => {}
                _ => return Err(Rejection::Unknown(name.clone())),
            }
        }
        let faultless = checker.proof.properties.iter().any(|name| name == FAULTS);
        Ok(Self { checker, size, layout, machine: system.machine(), predicates, invariants, faultless })
    }

    /// All that can be reached: for sizes that have no views.
    fn explore(&mut self) -> Result<u64, Rejection> {
        let mut next = self.starts()?;
        let mut seen: HashSet<Vec<u64>> = HashSet::new();
        while let Some(state) = next.pop() {
            poll();
            if seen.insert(state.clone()) {
                self.checker.meter.borrow_mut().count(next.len());
                self.judge(&state, None)?;
                next.extend(self.steps(&state)?);
            }
        }
        Ok(seen.len() as u64)
    }

    fn initial(&mut self) -> Result<(), Rejection> {
        let size = self.size;
        for state in self.starts()? {
            if !self.is_known(&state)? {
                return Err(Rejection::Initial(size));
            }
        }
        Ok(())
    }

    /// Every state of this size with some globals whose views are all in the set.
    fn all_states(&mut self, key: &[u64], views: &Views, pointers: u32) -> Result<u64, Rejection> {
        let words: BTreeSet<u32> = views.iter().flatten().copied().collect();
        let words: Vec<u32> = words.into_iter().collect();
        self.extend(key, views, pointers, &words, &mut Vec::new())
    }

    /// The same, with these members, and others that do not come before the last of them.
    fn extend(
        &mut self,
        key: &[u64],
        views: &Views,
        pointers: u32,
        words: &[u32],
        members: &mut Vec<u32>,
    ) -> Result<u64, Rejection> {
        poll();
        if members.len() == self.size as usize {
            return self.state(key, pointers, members);
        }
        let mut states = 0;
        for (at, &word) in words.iter().enumerate() {
            members.push(word);
            if has_known_views(members, views, self.checker.proof.k as usize) {
                states += self.extend(key, views, pointers, &words[at..], members)?;
            }
            members.pop();
        }
        Ok(states)
    }

    /// Checks one state, if there is one with these globals, counts and members.
    fn state(&mut self, key: &[u64], pointers: u32, members: &[u32]) -> Result<u64, Rejection> {
        let contexts = self.checker.proof.contexts.len();
        let (globals, counts) = key.split_at(key.len() - contexts);
        let words: Vec<&[u64]> = members.iter().map(|&it| &*self.checker.words[it as usize]).collect();
        let mut state = Vec::new();
        if !self.layout.write(globals, &words, &mut state) {
            return Ok(0);
        }
        state.truncate(self.layout.state_words());
        if self.counts(&state)? != counts {
            return Ok(0);
        }
        self.checker.meter.borrow_mut().count(0);
        self.judge(&state, Some(pointers))?;
        let size = self.size;
        for next in self.steps(&state)? {
            if !self.is_known(&next)? {
                return Err(Rejection::Step(size));
            }
        }
        Ok(1)
    }

    /// Whether a state violates something that is claimed; with so many pointers set, if not all members
    /// matter.
    fn judge(&mut self, state: &[u64], pointers: Option<u32>) -> Result<(), Rejection> {
        for &(name, witnesses, condition) in &self.invariants {
            let sizes = self.checker.sizes;
            let asked = pointers.is_none_or(|pointers| self.size <= sizes.of_bad(witnesses, pointers));
            if asked && self.machine.holds(condition, state) != Ok(true) {
                return Err(Rejection::Violated(name.to_string(), self.size));
            }
        }
        Ok(())
    }

    fn starts(&mut self) -> Result<Vec<Vec<u64>>, Rejection> {
        let (mut states, mut faults) = (Vec::new(), false);
        self.machine.initial(&mut |outcome| {
            poll();
            match outcome {
                Outcome::State(state) => states.push(state.to_vec()),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        self.unless_faulty(faults, states)
    }

    fn steps(&mut self, state: &[u64]) -> Result<Vec<Vec<u64>>, Rejection> {
        let (mut states, mut faults) = (Vec::new(), false);
        self.machine.successors(state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            poll();
            match outcome {
                Outcome::State(state) => states.push(state.to_vec()),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        self.unless_faulty(faults, states)
    }

    fn unless_faulty(&self, faults: bool, states: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>, Rejection> {
        match faults && self.faultless {
            true => Err(Rejection::Violated(FAULTS.to_string(), self.size)),
            false => Ok(states),
        }
    }

    fn counts(&mut self, state: &[u64]) -> Result<Vec<u64>, Rejection> {
        let contexts = &self.checker.proof.contexts;
        let counts = contexts.iter().zip(&self.predicates).map(|(context, predicate)| {
            let count = predicate.count(&mut self.machine, state, self.size, context.most);
            count.map(u64::from).map_err(|_| Rejection::Misfit(format!("`{}` faults", context.text)))
        });
        counts.collect()
    }

    /// Whether all views of a state are in the set.
    fn is_known(&mut self, state: &[u64]) -> Result<bool, Rejection> {
        let mut padded = state.to_vec();
        padded.resize(state.len() + bits::SPARE, 0);
        let mut parts = Parts::default();
        self.layout.read(&padded, &mut parts);
        let words: Vec<&[u64]> = parts.words.iter().map(Vec::as_slice).collect();
        let mut again = Vec::new();
        if !self.layout.write(&parts.globals, &words, &mut again) || again != padded {
            return Err(Rejection::Misfit(String::from("a state does not survive being taken apart")));
        }
        parts.globals.extend(self.counts(state)?);
        let Some(views) = self.checker.views.get(&parts.globals) else { return Ok(false) };
        let k = self.checker.proof.k as usize;
        let members: Option<Vec<u32>> =
            parts.words.iter().map(|word| self.checker.numbers.get(word).copied()).collect();
        let Some(members) = members else { return Ok(false) };
        Ok((0..members.len()).all(|end| has_known_views(&members[..=end], views, k)))
    }
}

/// Whether all views with the last of some members are in a set.
pub(crate) fn has_known_views(members: &[u32], views: &Views, k: usize) -> bool {
    let (&last, others) = members.split_last().expect("there is a member");
    if members.len() < k {
        return true;
    }
    let known = |mut view: Vec<u32>| {
        view.sort_unstable();
        views.contains(&view)
    };
    match k {
        1 => known(vec![last]),
        2 => others.iter().all(|&other| known(vec![last, other])),
        _ => others
            .iter()
            .enumerate()
            .all(|(i, &first)| others[i + 1..].iter().all(|&second| known(vec![last, first, second]))),
    }
}
