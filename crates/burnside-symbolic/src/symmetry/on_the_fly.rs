//! Symmetry_MC and Hints_Sym: a search for bad states that goes on from representatives only, which it
//! chooses on the way.
//!
//! Entry points: [`Space::on_the_fly`], and [`explore`] for graphs that are not just a system. States that
//! are symmetric to known representatives are dropped, and of what is left only a part may be gone on from at
//! a time. A violation is a run of the system whatever the generators are. That there is none is said only if
//! all generators are good and leave the bad states alone, and every representative, or one symmetric to it,
//! was gone on from. Symmetry_MC is the search without hints, Hints_Sym the one without approximation; both
//! together are fine.

use super::approximate::{Approximation, Approximator, slices};
use super::generator::Generator;
use super::good::Quality;
use super::path::run_to;
use super::sigma::{Effort, sigma_step};
use crate::space::Space;
use crate::store::{Bit, Out, Set, Store};
use burnside_limits::{Observer, Stop};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence};
use std::fmt;

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which part of the frontier to go on from.
    pub approximation: Approximation,
    /// Drop the other part for good. Then nothing is proved, but the search is over sooner.
    pub forget: bool,
    /// What closing a set under the generators may cost.
    pub effort: Effort,
    /// Close sets only when the hint changes, not after each image.
    pub seldom: bool,
    /// Go on only from states of the first until nothing is new, then of the second and so on, and from all
    /// states in the end.
    pub hints: Vec<Set>,
    /// Leave out all nodes outside.
    pub within: Option<Set>,
}

impl Settings {
    /// The searches to be made one after the other, for a property about some variables. Only the last one
    /// need be complete.
    pub(crate) fn series(&self, space: &Space<'_>, named: &[Bit]) -> Out<Vec<Self>> {
        if self.approximation != Approximation::Widen {
            return Ok(vec![self.clone()]);
        }
        let last = Self { approximation: Approximation::Least, ..self.clone() };
        let slices = slices(space, named)?.into_iter();
        let narrow = slices.map(|slice| Self {
            within: Some(slice),
            approximation: Approximation::None,
            ..self.clone()
        });
        Ok(narrow.chain([last]).collect())
    }
}

/// What a search concludes: a run to a bad state; none if no bad state is reachable; or why there may be some
/// that it has not found.
pub type Conclusion = Out<Option<Evidence>>;

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether a bad state was found.
    pub conclusion: Conclusion,
    /// The representatives that were found. All are reachable.
    pub representatives: Set,
    /// Those of them that were gone on from. If the search is complete, they have one of each orbit too.
    pub explored: Set,
    /// Whether every reachable state is symmetric to one of them, if the generators are good.
    pub complete: bool,
    /// Figures.
    pub statistics: Statistics,
}

/// Figures of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Images taken.
    pub iterations: u64,
    /// Representatives found.
    pub representatives: Natural,
    /// Representatives gone on from.
    pub explored: Natural,
    /// The most nodes that were in use so far.
    pub peak_nodes: usize,
    /// Closures under the generators that were stopped early.
    pub stopped: u64,
}

/// A graph whose nodes are valuations, the bits of a system's states among them.
pub(crate) struct Moves<'m> {
    pub store: &'m Store,
    /// All variables of a node.
    pub bits: Vec<Bit>,
    pub initial: Set,
    pub image: &'m dyn Fn(&Set) -> Out<Set>,
    pub preimage: &'m dyn Fn(&Set) -> Out<Set>,
}

/// What a search of a graph found.
#[derive(Clone, Debug)]
pub(crate) struct Explored {
    /// A path from an initial node to a bad one, as valuations.
    pub path: Option<Vec<Vec<bool>>>,
    pub representatives: Set,
    pub explored: Set,
    pub complete: bool,
    pub statistics: Statistics,
}

impl Space<'_> {
    /// Searches for a run to a bad state, on representatives.
    pub fn on_the_fly(
        &self,
        bad: &Set,
        generators: &[&Generator],
        settings: &Settings,
        observer: &mut dyn Observer,
    ) -> Out<Outcome> {
        let (image, preimage) = (|set: &Set| self.image(set), |set: &Set| self.preimage(set));
        let moves = Moves {
            store: &self.store,
            bits: self.layout.current.clone(),
            initial: self.initial.clone(),
            image: &image,
            preimage: &preimage,
        };
        let explored = explore(self, &moves, bad, generators, settings, observer)?;
        let Explored { path, representatives, explored, complete, statistics } = explored;
        let conclusion = match path {
            Some(path) => {
                let states = path.iter().map(|valuation| self.layout.state(valuation)).collect();
                Ok(Some(self.evidence(states, End::State)))
            }
            None => match doubt(generators, bad)? {
                Some(doubt) => Err(doubt),
                None if complete => Ok(None),
                None => Err(Stop::Inconclusive("the search left out some states".to_string())),
            },
        };
        Ok(Outcome { conclusion, representatives, explored, complete, statistics })
    }
}

/// Why the absence of a bad state among the representatives says nothing about the others, if it does not.
pub(crate) fn doubt(generators: &[&Generator], bad: &Set) -> Out<Option<Stop>> {
    for generator in generators {
        let name = generator.name();
        match &generator.quality {
            Quality::Bad(why) => {
                return Ok(Some(Stop::Unverified(format!("{name} is not a symmetry: {why}"))));
            }
            Quality::Unchecked(why) => {
                let why = format!("it is not known whether {name} is a symmetry: {why}");
                return Ok(Some(Stop::Unverified(why)));
            }
            Quality::Good if !generator.keeps(bad)? => {
                let why = format!("{name} does not leave the property alone");
                return Ok(Some(Stop::Inconclusive(why)));
            }
            Quality::Good => {}
        }
    }
    Ok(None)
}

/// Searches a graph for a path to a bad node. Generators move the bits of the system's states in a node and
/// leave the others alone.
pub(crate) fn explore(
    space: &Space<'_>,
    moves: &Moves<'_>,
    bad: &Set,
    generators: &[&Generator],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Out<Explored> {
    let mut series = settings.series(space, &bad.support())?.into_iter();
    loop {
        let settings = series.next().expect("there is a last search");
        let explored = explore_once(space, moves, bad, generators, &settings, observer)?;
        if explored.path.is_some() || explored.complete || series.len() == 0 {
            return Ok(explored);
        }
    }
}

fn explore_once(
    space: &Space<'_>,
    moves: &Moves<'_>,
    bad: &Set,
    generators: &[&Generator],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Out<Explored> {
    if let Some(within) = &settings.within {
        return explore_within(space, moves, within, bad, generators, settings, observer);
    }
    let mut search = Search::new(space, moves, generators, settings)?;
    let mut path = None;
    if !moves.initial.is_apart(bad)? || search.run(bad, observer)? {
        path = Some(run_to(moves, &search.layers, bad)?);
    }
    let complete = path.is_none() && !search.left_out;
    let statistics = search.statistics();
    let Search { representatives, explored, .. } = search;
    Ok(Explored { path, representatives, explored, complete, statistics })
}

/// The same without what lies outside some nodes, with the generators that stay inside.
fn explore_within(
    space: &Space<'_>,
    moves: &Moves<'_>,
    within: &Set,
    bad: &Set,
    generators: &[&Generator],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Out<Explored> {
    let image = |set: &Set| (moves.image)(set)?.and(within);
    let preimage = |set: &Set| (moves.preimage)(set)?.and(within);
    let inner = Moves {
        store: moves.store,
        bits: moves.bits.clone(),
        initial: moves.initial.and(within)?,
        image: &image,
        preimage: &preimage,
    };
    let mut inside = Vec::new();
    for generator in generators {
        if generator.keeps(within)? {
            inside.push(*generator);
        }
    }
    let settings = Settings { within: None, ..settings.clone() };
    let explored = explore_once(space, &inner, bad, &inside, &settings, observer)?;
    Ok(Explored { complete: false, ..explored })
}

struct Search<'q, 's> {
    space: &'q Space<'s>,
    moves: &'q Moves<'q>,
    generators: &'q [&'q Generator],
    settings: &'q Settings,
    approximator: Approximator,
    /// The hints to come, the last one first.
    hints: Vec<Set>,
    hint: Set,
    representatives: Set,
    /// The representatives and what is known to be symmetric to them.
    known: Set,
    /// Representatives to go on from now.
    fresh: Set,
    /// Representatives to go on from later.
    rest: Set,
    /// Those that were gone on from.
    explored: Set,
    /// Those that were gone on from since the last turn to what was left for later.
    recent: Set,
    /// Those that were gone on from before, and what is symmetric to them.
    done: Set,
    /// What each image found.
    layers: Vec<Set>,
    images: u64,
    left_out: bool,
    stopped: u64,
}

impl<'q, 's> Search<'q, 's> {
    fn new(
        space: &'q Space<'s>,
        moves: &'q Moves<'q>,
        generators: &'q [&'q Generator],
        settings: &'q Settings,
    ) -> Out<Self> {
        let store = moves.store;
        let mut hints: Vec<Set> = vec![store.all()];
        hints.extend(settings.hints.iter().rev().skip_while(|hint| hint.is_full()).cloned());
        let hint = hints.pop().expect("there is a last hint");
        let initial = &moves.initial;
        let mut search = Self {
            space,
            moves,
            generators,
            settings,
            approximator: Approximator::new(space, settings.approximation, &moves.bits, generators)?,
            hints,
            hint,
            representatives: initial.clone(),
            known: store.none(),
            fresh: initial.clone(),
            rest: store.none(),
            explored: store.none(),
            recent: store.none(),
            done: store.none(),
            layers: Vec::new(),
            images: 0,
            left_out: false,
            stopped: 0,
        };
        search.known = search.closed(initial)?;
        Ok(search)
    }

    /// Goes on until a bad node is found, or nothing is left.
    fn run(&mut self, bad: &Set, observer: &mut dyn Observer) -> Out<bool> {
        while let Some(under) = self.take()? {
            let new = (self.moves.image)(&under)?.minus(&self.known)?;
            self.images += 1;
            self.representatives = self.representatives.or(&new)?;
            let closed = if self.settings.seldom { new.clone() } else { self.closed(&new)? };
            self.known = self.known.or(&closed)?;
            self.explored = self.explored.or(&under)?;
            self.recent = self.recent.or(&under)?;
            self.fresh = self.fresh.or(&new)?;
            let found = !new.is_apart(bad)?;
            if !new.is_empty() {
                self.layers.push(new);
            }
            self.moves.store.settle();
            let figures = self.statistics();
            self.moves.store.tell(observer, figures.iterations, &figures.representatives)?;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Some representatives to go on from.
    fn take(&mut self) -> Out<Option<Set>> {
        loop {
            let here = self.fresh.and(&self.hint)?;
            if here.is_empty() {
                if self.refill()? {
                    continue;
                }
                return Ok(None);
            }
            let under = self.approximator.under(self.space, &here)?;
            let other = here.minus(&under)?;
            self.rest = self.rest.or(&self.fresh.minus(&self.hint)?)?;
            if self.settings.forget {
                self.left_out |= !other.is_empty();
            } else {
                self.rest = self.rest.or(&other)?;
            }
            self.fresh = self.moves.store.none();
            return Ok(Some(under));
        }
    }

    /// Turns to what was left for later, with the next hint if this one allows none of it. What is symmetric
    /// to nodes that were gone on from leads to nothing new.
    fn refill(&mut self) -> Out<bool> {
        self.rest = self.rest.or(&self.fresh)?;
        self.fresh = self.moves.store.none();
        if !self.rest.is_empty() {
            let recent = std::mem::replace(&mut self.recent, self.moves.store.none());
            let closed = self.closed(&recent)?;
            self.done = self.done.or(&closed)?;
            self.rest = self.rest.minus(&self.done)?;
        }
        if self.rest.is_apart(&self.hint)? {
            let Some(hint) = self.hints.pop() else { return Ok(false) };
            self.hint = hint;
            if self.settings.seldom {
                let closed = self.closed(&self.representatives.clone())?;
                self.known = self.known.or(&closed)?;
            }
        }
        self.fresh = std::mem::replace(&mut self.rest, self.moves.store.none());
        Ok(true)
    }

    fn closed(&mut self, states: &Set) -> Out<Set> {
        let closure = sigma_step(self.space, states, self.generators, &self.settings.effort)?;
        self.stopped += u64::from(!closure.complete);
        Ok(closure.states)
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            iterations: self.images,
            representatives: self.representatives.count(&self.moves.bits),
            explored: self.explored.count(&self.moves.bits),
            peak_nodes: self.moves.store.peak(),
            stopped: self.stopped,
        }
    }
}

impl Moves<'_> {
    /// The set of one node.
    pub(super) fn point(&self, valuation: &[bool]) -> Out<Set> {
        self.store.point(self.bits.iter().map(|&bit| (bit, valuation[bit.0 as usize])))
    }
}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a graph over {} bits", self.bits.len())
    }
}
