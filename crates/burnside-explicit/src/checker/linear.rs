//! Linear-time properties and automata: a formula is taken apart, what would violate each part is translated,
//! and a fair run that does is looked for.

use super::Explicit;
use super::reduction::split;
use super::weighed::WeighedGroup;
use crate::ltl::elsewhere::check_elsewhere;
use crate::ltl::{self, Atom, Conjunct, EmptinessQuery, EmptinessResult, Groupoid, SearchMode};
use crate::search::{Finding, Unheard};
use crate::short::{shorten, work_for};
use crate::stubborn::Stubborn;
use burnside_checkpoint::Keeping;
use burnside_engine::{Answer, AutomatonSymmetry, Checker, Method, PartialOrderUse, Procedure, Verdict};
use burnside_limits::{Large, Observer, Product, Stats, Stop};
use burnside_logic::{Automaton, AutomatonLimits, Ltl, prune, translate};
use burnside_trace::{Claim, Evidence, replay};
use burnside_ts::{Binder, Expr, Formula, Kind, Property, Quantifier, Quantify, Question, SiteId, Symmetry};
use std::fmt::Debug;
use std::time::Instant;

/// Why everything holds of all runs.
const NO_RUN: &str = "there is no fair run at all";

impl<'s> Explicit<'s> {
    /// Answers a linear-time property.
    pub(super) fn linear(
        &mut self,
        property: &'s Property,
        formula: &'s Formula,
        observer: &mut dyn Observer,
    ) -> Answer {
        self.of_runs(property, |engine, answer| {
            let undefined = engine.undefined_formula(formula, answer, observer);
            undefined.map_or_else(|| engine.check_formula(property, formula, answer, observer), Ok)
        })
    }

    /// Answers whether no fair run is accepted.
    pub(super) fn automaton(
        &mut self,
        property: &'s Property,
        automaton: &'s Automaton,
        conditions: &'s [Expr],
        observer: &mut dyn Observer,
    ) -> Answer {
        self.of_runs(property, |engine, answer| {
            let doubtful =
                conditions.iter().filter(|it| engine.system.may_fault(it, &[])).map(or_true).collect();
            if let Some(verdict) = engine.undefined(doubtful, answer, observer) {
                return Ok(verdict);
            }
            let atom = |condition: &'s Expr| Atom { condition, text: &property.text, bound: Vec::new() };
            let query = EmptinessQuery {
                automaton: prune(automaton),
                tracked: Vec::new(),
                atoms: conditions.iter().map(atom).collect(),
                fair: engine.options.is_fair(),
                local: None,
            };
            let mut group = WeighedGroup::from(answer.group.clone());
            answer.partial_order = engine.not_reduced(Kind::Automaton);
            let mut result = engine.check_emptiness(query.clone(), &group.used, None, true, observer);
            while let Some((orbits, rest)) = result.unprofitable.take() {
                engine.give_up(&mut group, orbits, rest);
                result = engine.check_emptiness(query.clone(), &group.used, None, true, observer);
            }
            engine.tell(answer, &group, result.too_hard);
            match engine.record(result, answer)? {
                Verdict::Holds => answer.vacuous = engine.no_run(&group.used, observer),
                _ => {
                    engine.shorten(property, &query, &group.used, answer);
                    return Ok(Verdict::Violated);
                }
            }
            Ok(Verdict::Holds)
        })
    }

    fn of_runs(
        &mut self,
        property: &'s Property,
        decide: impl FnOnce(&mut Self, &mut Answer) -> Result<Verdict, Stop>,
    ) -> Answer {
        let started = Instant::now();
        let mut answer = self.open(property);
        answer.method = Some(Procedure::Linear(self.options.method));
        answer.symmetry = self.reduction(&answer.group);
        answer.verdict = decide(self, &mut answer).unwrap_or_else(Verdict::Unknown);
        answer.time = started.elapsed();
        answer
    }

    /// Whether a condition of the formula has no value in some reachable state, which violates the property;
    /// none: all have.
    pub(super) fn undefined_formula(
        &mut self,
        formula: &'s Formula,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Option<Verdict> {
        let mut doubtful = Vec::new();
        self.doubtful(formula, &mut Vec::new(), &mut doubtful);
        self.undefined(doubtful, answer, observer)
    }

    /// Whether one of some conditions faults in a reachable state; each is true where it does not.
    fn undefined(
        &self,
        doubtful: Vec<Expr>,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Option<Verdict> {
        if doubtful.is_empty() {
            return None;
        }
        let defined = Question::Invariant(Expr::all(doubtful.into_iter()));
        let search = self.search(&[&defined], &[true], &answer.group, &mut Unheard(observer));
        let searched = search.result;
        let decided = !matches!(searched.findings[0], Finding::No);
        answer.partial_order = search.partial_order.filter(|_| decided).or(answer.partial_order);
        match &searched.findings[0] {
            Finding::No => None,
            Finding::Unknown | Finding::Greatest(..) => {
                Some(Verdict::Unknown(searched.stop.unwrap_or(Stop::Interrupted)))
            }
            Finding::Yes(witness) => {
                answer.evidence = Some(witness.evidence.clone());
                Some(Verdict::Violated)
            }
        }
    }

    /// For each condition that may fault, one that faults where it does and is true elsewhere.
    fn doubtful(&self, formula: &'s Formula, free: &mut Vec<&'s Binder>, out: &mut Vec<Expr>) {
        match formula {
            Formula::Atom(condition, _) => {
                if self.system.may_fault(condition, free) {
                    let closed = |body, binder: &&'s Binder| {
                        let binders = Box::new([(*binder).clone()]);
                        let (quantifier, filter, site) = (Quantifier::Forall, None, SiteId(0));
                        Expr::Quantify(Box::new(Quantify { quantifier, binders, filter, body, site }))
                    };
                    out.push(free.iter().rev().fold(or_true(condition), closed));
                }
            }
            Formula::Forall(binder, body) | Formula::Exists(binder, body) => {
                free.push(binder);
                self.doubtful(body, free, out);
                free.pop();
            }
            _ => formula.children().iter().for_each(|inner| self.doubtful(inner, free, out)),
        }
    }

    fn check_formula(
        &mut self,
        property: &'s Property,
        formula: &'s Formula,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Stop> {
        let pull = !self.options.keep_quantifiers;
        let symmetry = answer.group.clone();
        let named = property.named.as_ref();
        let named = named.filter(|_| self.options.automaton_symmetry != AutomatonSymmetry::None);
        let named = named.map(|named| {
            let within = self.system.symmetry.meet(&named.symmetry, &self.system.types);
            (named, self.options.allowed(&within, &self.system.types))
        });
        let named = named.as_ref().map(|(named, symmetry)| (*named, symmetry));
        let conjuncts = ltl::conjuncts(self.system, formula, &symmetry, pull, named)?;
        let mut reasons = Vec::new();
        for conjunct in &conjuncts {
            let bad = Ltl::Not(Box::new(conjunct.formula.clone()));
            let EmptinessRun { result, group, local, query, partial_order } =
                self.check(conjunct, &bad, true, observer)?;
            let reduced = partial_order.or(result.reduced.map(PartialOrderUse::Reduced));
            answer.partial_order = best_of(answer.partial_order, reduced);
            if group.used != symmetry || result.too_hard.is_some() {
                let (all, weighed) = (answer.group.clone(), answer.weighed.take());
                self.tell(answer, &group, result.too_hard);
                answer.group = all.meet(&group.used, &self.system.types);
                answer.weighed = weighed.or(answer.weighed.take());
            }
            let best = |known| if known == AutomatonSymmetry::None { local } else { known };
            answer.automaton_symmetry = Some(answer.automaton_symmetry.map_or(local, best));
            match self.record(result, answer)? {
                Verdict::Holds => reasons.extend(self.vacuous(conjunct, observer)),
                verdict => {
                    self.shorten(property, &query, &conjunct.symmetry, answer);
                    return Ok(verdict);
                }
            }
        }
        let no_run = conjuncts.first().and_then(|first| self.no_run(&first.symmetry, observer));
        answer.vacuous = no_run.or_else(|| match reasons.len() == conjuncts.len() {
            true => reasons.into_iter().next(),
            false => None,
        });
        Ok(Verdict::Holds)
    }

    /// Looks for a shorter run than the one that was found, on original states.
    fn shorten(
        &self,
        property: &'s Property,
        query: &EmptinessQuery<'s>,
        symmetry: &Symmetry,
        answer: &mut Answer,
    ) {
        let Some(known) = answer.evidence.take() else { return };
        let claim = Claim { question: &property.question, fair: query.fair, value: None };
        let found = answer.stats.product.map_or(0, |product| product.transitions);
        let is_right = |run: &Evidence| replay(self.system, run, claim).is_ok();
        answer.evidence = Some(shorten(self.system, query, symmetry, known, work_for(found), is_right));
    }

    /// Notes the result of a search for a bad run.
    fn record(&mut self, result: EmptinessResult, answer: &mut Answer) -> Result<Verdict, Stop> {
        add(&mut answer.stats, &result.stats);
        self.faulted |= result.faulted;
        if result.no_initial_state {
            return Err(Stop::NoInitialState);
        }
        answer.evidence = result.accepting_run?;
        Ok(if answer.evidence.is_some() { Verdict::Violated } else { Verdict::Holds })
    }

    /// Looks for a run that is bad, again if a part of the group does not pay.
    fn check(
        &mut self,
        conjunct: &Conjunct<'s>,
        bad: &Ltl,
        lift: bool,
        observer: &mut dyn Observer,
    ) -> Result<EmptinessRun<'s>, Stop> {
        let mut run = self.check_once(conjunct, bad, lift, observer)?;
        while let Some((orbits, rest)) = run.result.unprofitable.take() {
            let mut group = run.group;
            self.give_up(&mut group, orbits, rest);
            run = self.check_once(&conjunct.within(&group.used), bad, lift, observer)?;
            run.group = WeighedGroup { used: run.group.used, ..group };
        }
        Ok(run)
    }

    /// Looks for a run that is bad, with local symmetries of its automaton if there are some. It ends if the
    /// group does not pay.
    fn check_once(
        &mut self,
        conjunct: &Conjunct<'s>,
        bad: &Ltl,
        lift: bool,
        observer: &mut dyn Observer,
    ) -> Result<EmptinessRun<'s>, Stop> {
        let automaton = translate(bad, conjunct.atoms.len() as u32, &AutomatonLimits::default())?;
        let fair = self.options.is_fair();
        let seen: Vec<&Expr> = conjunct.atoms.iter().map(|atom| atom.condition).collect();
        let (stubborn, partial_order) = split(self.reduction_of_runs(bad, &seen));
        let query = |automaton, local| EmptinessQuery {
            automaton,
            tracked: conjunct.tracked.clone(),
            atoms: conjunct.atoms.clone(),
            fair,
            local,
        };
        if let Some(local) = self.local(conjunct, &automaton) {
            let exact = local.is_exact();
            let symmetry = conjunct.symmetry_with(local.movable());
            let result = self.check_emptiness(
                query(automaton.clone(), Some(local)),
                &symmetry,
                stubborn.clone(),
                lift,
                observer,
            );
            // The automaton can be put into the initial states in too many ways: then its names are better
            // left where they are.
            if !matches!(result.accepting_run, Err(Stop::TooLarge(Large::Tuples))) {
                let local = if exact { AutomatonSymmetry::Exact } else { AutomatonSymmetry::Local };
                let (group, query) = (symmetry.into(), query(automaton, None));
                return Ok(EmptinessRun { result, group, local, query, partial_order });
            }
        }
        let query = query(automaton, None);
        let result = self.check_emptiness(query.clone(), &conjunct.symmetry, stubborn, lift, observer);
        let local = AutomatonSymmetry::None;
        Ok(EmptinessRun { result, group: conjunct.symmetry.clone().into(), local, query, partial_order })
    }

    /// The local symmetries of an automaton, if they are wanted and there are some.
    fn local(&self, conjunct: &Conjunct<'s>, automaton: &Automaton) -> Option<Groupoid> {
        let exact = match self.options.automaton_symmetry {
            AutomatonSymmetry::None => return None,
            AutomatonSymmetry::Local => false,
            AutomatonSymmetry::Exact => true,
        };
        let (atoms, movable) = (&conjunct.atoms, conjunct.movable());
        Groupoid::of(self.system, automaton, atoms, &movable, &conjunct.symmetry, exact)
    }

    /// Looks for a bad run, and shows it if it is to be lifted. It ends if the group does not pay, at once if
    /// that is known.
    fn check_emptiness(
        &mut self,
        query: EmptinessQuery<'s>,
        symmetry: &Symmetry,
        stubborn: Option<Stubborn<'s>>,
        lift: bool,
        observer: &mut dyn Observer,
    ) -> EmptinessResult {
        if let Some(known) = self.known_rest(symmetry, &query.tracked_sorts(self.system)) {
            let nothing = EmptinessResult::of(Err(Stop::Interrupted), Stats::default());
            return EmptinessResult { unprofitable: Some(known), ..nothing };
        }
        let what: &[&dyn Debug] = &[&query, symmetry, &lift, &stubborn.is_some(), &self.options.method];
        let keeping = self.keeping("run", what);
        if let Some(known) = keeping.as_ref().and_then(Keeping::result) {
            return known;
        }
        let (method, limits) = (self.options.method, &self.options.limits);
        let states = self.keeping("states of runs", &[symmetry]);
        let mode = SearchMode { method, stubborn, lift, limits, keeping: states };
        let shares_out = mode.method == Method::OnTheFly && mode.stubborn.is_none();
        if let Some(elsewhere) = self.elsewhere.filter(|_| shares_out) {
            let orbits = self.orbit_setting(symmetry);
            return check_elsewhere(
                self.system,
                query,
                (elsewhere, &orbits),
                self.canoniser(symmetry),
                &mode,
                observer,
            );
        }
        let mut shared = self.shared.take();
        let canoniser = || self.canoniser(symmetry);
        let result = ltl::check_shared(self.system, query, symmetry, canoniser, &mode, &mut shared, observer);
        self.shared = shared;
        if result.is_final() {
            keeping.iter().for_each(|keeping| keeping.finish(&result));
        }
        result
    }

    /// Whether a part that holds has a premise that is never true, and which.
    fn vacuous(&mut self, conjunct: &Conjunct<'s>, observer: &mut dyn Observer) -> Option<String> {
        let (never, text) = conjunct.premise.as_ref()?;
        let run = self.check(conjunct, &Ltl::Not(Box::new(never.clone())), false, observer).ok()?;
        (run.result.accepting_run == Ok(None)).then(|| match text {
            Some(text) => format!("the premise `{text}` is never true in a fair run"),
            None => "the premise is not true of any fair run".to_string(),
        })
    }

    /// Whether there is no fair run at all. Fairness can always be kept while a run goes on, so there is one
    /// unless all runs end in faults or leave the constraint.
    pub(super) fn no_run(&mut self, symmetry: &Symmetry, observer: &mut dyn Observer) -> Option<String> {
        if !self.faulted && self.system.constraint.is_none() {
            return None;
        }
        let any = Conjunct::plain(Ltl::False, symmetry);
        let run = self.check(&any, &Ltl::True, false, observer).ok()?;
        (run.result.accepting_run == Ok(None)).then(|| NO_RUN.to_string())
    }
}

/// The result of a search, and what it used.
struct EmptinessRun<'s> {
    result: EmptinessResult,
    group: WeighedGroup,
    /// Which local symmetries of the automaton.
    local: AutomatonSymmetry,
    /// What was asked, without local symmetries.
    query: EmptinessQuery<'s>,
    /// Why no steps were left out, if they were to be.
    partial_order: Option<PartialOrderUse>,
}

/// What to say of two searches for one property: in how many nodes steps were left out, if in some.
fn best_of(one: Option<PartialOrderUse>, other: Option<PartialOrderUse>) -> Option<PartialOrderUse> {
    match (one, other) {
        (Some(PartialOrderUse::Reduced(one)), Some(PartialOrderUse::Reduced(other))) => {
            Some(PartialOrderUse::Reduced(one.max(other)))
        }
        (Some(PartialOrderUse::Reduced(_)), _) => one,
        _ => other,
    }
}

/// A condition that faults where this one does and is true elsewhere.
fn or_true(condition: &Expr) -> Expr {
    Expr::Or(Box::new([condition.clone(), Expr::Const(1)]))
}

/// Adds the figures of one part.
fn add(stats: &mut Stats, more: &Stats) {
    let product = stats.product.get_or_insert_default();
    let Product { states, transitions } = more.product.unwrap_or_default();
    *product = Product { states: product.states + states, transitions: product.transitions + transitions };
    stats.states = stats.states.max(more.states);
    stats.transitions = stats.transitions.max(more.transitions);
    stats.depth = stats.depth.max(more.depth);
    stats.memory = stats.memory.max(more.memory);
}
