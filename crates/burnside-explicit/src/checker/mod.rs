//! The explicit engine behind the interface of all engines.
//!
//! Entry point: [`Explicit`]. Questions about states that have the same symmetry share one search (`states`);
//! each linear-time question is a search of its own (`linear`), and so is each branching-time one
//! (`branching`), but these share the graph, and those the quotient with its edges, if they can.

mod branching;
mod kept;
mod linear;
mod reduction;
mod states;
mod weighed;

use crate::canon::Canoniser;
use crate::ctl;
use crate::hunt::{Hunt, HuntPlan};
use crate::ltl;
use crate::search::remote::{OrbitSetting, StateSearch, weigh};
use crate::search::{SearchObserver, SearchResult, Way, search_and_hunt};
use crate::stubborn::Stubborn;
use burnside_checkpoint::{Keeping, Key};
use burnside_engine::{Answer, Checker, Engine, Listener, Options, Symmetry as Reduction};
use burnside_limits::{Observer, Stats};
use burnside_perm::Natural;
use burnside_ts::{Kind, Property, Question, Symmetry, System};
use std::cell::{OnceCell, RefCell};
use weighed::GivenUp;

/// The explicit engine at work on a system.
pub struct Explicit<'s> {
    system: &'s System,
    options: &'s Options,
    /// Whether a step faulted in some search.
    faulted: bool,
    /// What the linear-time property before has left.
    shared: Option<ltl::SharedQuotient<'s>>,
    /// The graph of the branching-time property before.
    cached: Option<ctl::CachedGraph<'s>>,
    /// The first property of the first search for states.
    main: Option<String>,
    /// Of that search.
    figures: Option<(Stats, Option<Natural>)>,
    /// The last group given by generators, and whether its representatives are exact: large ones are not
    /// looked at twice.
    known_exact: RefCell<Option<(Symmetry, bool)>>,
    /// What of groups pays, as far as it was found out.
    given_up: RefCell<Vec<GivenUp>>,
    /// Who searches for states, if not this engine itself.
    elsewhere: Option<&'s dyn StateSearch>,
    /// What the system is, if searches are kept.
    fingerprint: OnceCell<Key>,
}

impl<'s> Explicit<'s> {
    /// Before the first question.
    pub fn new(system: &'s System, options: &'s Options) -> Self {
        Self {
            system,
            options,
            faulted: false,
            shared: None,
            cached: None,
            main: None,
            figures: None,
            known_exact: RefCell::new(None),
            given_up: RefCell::default(),
            elsewhere: None,
            fingerprint: OnceCell::new(),
        }
    }

    /// The same with somebody else who searches for states and explores products. Sequences and properties of
    /// trees are left here.
    #[must_use]
    pub fn searching(self, elsewhere: &'s dyn StateSearch) -> Self {
        Self { elsewhere: Some(elsewhere), ..self }
    }

    /// The permutations that may be used for a property.
    fn symmetry(&self, property: &Property) -> Symmetry {
        self.options.allowed(&property.symmetry, &self.system.types)
    }

    /// A search for states that ends if the group does not pay. [`Explicit::search`] goes on then.
    fn search_once(
        &self,
        questions: &[&Question],
        decisive: &[bool],
        symmetry: &Symmetry,
        stubborn: Option<Stubborn<'s>>,
        observer: &mut dyn SearchObserver,
    ) -> SearchResult {
        let canoniser = self.canoniser(symmetry);
        let about_states = |question: &&Question| question.is_about_states();
        if let Some(elsewhere) = self.elsewhere.filter(|_| questions.iter().all(about_states)) {
            return self.search_elsewhere(elsewhere, questions, canoniser, symmetry, observer);
        }
        let keeping = self.keeping("states", &[&questions, &decisive, symmetry, &stubborn.is_some()]);
        if let Some(known) = keeping.as_ref().and_then(Keeping::result) {
            return known;
        }
        let plan = HuntPlan::new(self.system, questions, decisive, self.options);
        let (limits, hunt) = (&self.options.limits, Some(Hunt::new(&plan, canoniser.is_some())));
        let how = Way { canoniser, stubborn, keeping: keeping.as_ref() };
        let result = search_and_hunt(self.system, questions, how, limits, observer, hunt);
        if result.is_final() && !limits.interrupt.is_raised() {
            keeping.iter().for_each(|keeping| keeping.finish(&result));
        }
        result
    }

    fn search_elsewhere(
        &self,
        elsewhere: &dyn StateSearch,
        questions: &[&Question],
        canoniser: Option<Canoniser<'s>>,
        symmetry: &Symmetry,
        observer: &mut dyn SearchObserver,
    ) -> SearchResult {
        let limits = &self.options.limits;
        let weighed = canoniser.and_then(|canoniser| weigh(self.system, canoniser, limits, observer));
        weighed.unwrap_or_else(|| {
            let orbits = self.orbit_setting(symmetry);
            elsewhere.search(questions, &orbits, limits, observer)
        })
    }

    /// How states are brought into order elsewhere.
    fn orbit_setting<'g>(&self, symmetry: &'g Symmetry) -> OrbitSetting<'g> {
        let exact = self.options.symmetry != Reduction::Fast;
        let weighing = (self.options.symmetry == Reduction::Auto).then_some(self.options.weighing);
        OrbitSetting { symmetry, exact, weighing }
    }

    fn canoniser(&self, symmetry: &Symmetry) -> Option<Canoniser<'s>> {
        let exact = self.options.symmetry != Reduction::Fast;
        let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(self.system, symmetry, exact));
        if let Some(canoniser) = &canoniser
            && !symmetry.generators.is_empty()
        {
            *self.known_exact.borrow_mut() = Some((symmetry.clone(), canoniser.is_exact()));
        }
        match self.options.symmetry {
            Reduction::Auto => canoniser.map(|canoniser| canoniser.weighing(self.options.weighing)),
            _ => canoniser,
        }
    }

    /// How the symmetry of a property is used. Only for large groups given by generators exact
    /// representatives cannot always be had.
    fn reduction(&self, symmetry: &Symmetry) -> Reduction {
        let known = match &*self.known_exact.borrow() {
            Some((known, exact)) if known == symmetry => Some(*exact),
            _ => None,
        };
        let is_exact = || match known {
            _ if symmetry.generators.is_empty() => true,
            Some(exact) => exact,
            None => self.canoniser(symmetry).is_none_or(|canoniser| canoniser.is_exact()),
        };
        match (symmetry.is_trivial(), self.options.symmetry) {
            (true, _) => Reduction::None,
            (false, Reduction::Fast) => Reduction::Fast,
            (false, _) if is_exact() => Reduction::Exact,
            (false, _) => Reduction::Fast,
        }
    }
}

impl<'s> Checker<'s> for Explicit<'s> {
    /// All questions about states with one symmetry are one search. Faults wait until the end if nothing else
    /// looks at every state: a violation that is found on the fly should not have to wait for them, nor be
    /// lost when the limits are reached.
    fn searches(&self, properties: &[&'s Property]) -> Vec<Vec<usize>> {
        let mut states: Vec<(Symmetry, Vec<usize>)> = Vec::new();
        let mut others = Vec::new();
        for (i, property) in properties.iter().enumerate() {
            if !property.question.is_about_states() {
                others.push(vec![i]);
                continue;
            }
            let symmetry = self.symmetry(property);
            match states.iter_mut().find(|(known, _)| *known == symmetry) {
                Some((_, together)) => together.push(i),
                None => states.push((symmetry, vec![i])),
            }
        }
        let states = states.into_iter().map(|(_, together)| together);
        let only_faults = |it: &&Property| it.question.is_linear() || it.question.kind() == Kind::Faults;
        let last = properties.iter().any(|it| it.question.is_linear()) && properties.iter().all(only_faults);
        if last { others.into_iter().chain(states).collect() } else { states.chain(others).collect() }
    }

    fn answer(&mut self, properties: &[&'s Property], listener: &mut dyn Listener) -> Vec<Answer> {
        match properties {
            [property] => match &property.question {
                Question::Linear(formula) => vec![self.linear(property, formula, listener)],
                Question::Automaton(automaton, atoms) => {
                    vec![self.automaton(property, automaton, atoms, listener)]
                }
                Question::Branching(formula) => vec![self.branching(property, formula, listener)],
                Question::Fault
                | Question::Deadlock
                | Question::Invariant(_)
                | Question::Reachable(_)
                | Question::Bound(_)
                | Question::Sequence(_) => self.states(properties, listener),
            },
            _ => self.states(properties, listener),
        }
    }

    fn open(&self, property: &'s Property) -> Answer {
        Answer::open(property, Engine::Explicit, self.symmetry(property))
    }

    fn may_fault(&self) -> bool {
        self.faulted
    }

    /// A property of all runs may hold because all runs fault.
    fn reconsider(&mut self, property: &'s Property, answer: &mut Answer, observer: &mut dyn Observer) {
        if property.question.is_linear() {
            let no_run = self.no_run(&self.symmetry(property), observer);
            answer.vacuous = no_run.or(answer.vacuous.take());
        }
    }

    fn group(&self) -> Symmetry {
        self.options.allowed(&self.system.symmetry, &self.system.types)
    }

    fn figures(&self) -> Option<(Stats, Option<Natural>)> {
        self.figures.clone()
    }
}
