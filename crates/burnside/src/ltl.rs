//! Checks a linear-time property: takes it apart, translates what would violate each part, and looks for a fair run that does.

use crate::check::{CheckError, Runner, Task, unanswered};
use crate::report::Product;
use crate::{AutomatonSymmetry, Fairness, Method, PropertyResult, Stats, Verdict};
use burnside_explicit::ltl::{self, Groupoid, Halted, Obligation, Quest, Quested};
use burnside_explicit::{Answer, Question};
use burnside_logic::{Automaton, Limits, Ltl, TooLarge, translate};
use burnside_trace::{Claimed, Evidence};
use burnside_ts::{Binder, Expr, Formula, Quantifier, Quantify, SiteId, Symmetry, Temporal};
use std::time::Instant;

impl<'s> Runner<'_, 's> {
    /// Answers a linear-time property.
    pub(crate) fn ltl(
        &mut self,
        task: &Task<'s>,
        formula: &'s Formula,
    ) -> Result<PropertyResult, CheckError> {
        let started = Instant::now();
        let mut result = PropertyResult { method: Some(self.method_name()), ..unanswered(task) };
        result.symmetry = self.symmetry_name(&task.symmetry);
        result.verdict = match self.undefined(task, formula, &mut result)? {
            Some(verdict) => verdict,
            None => self.judge(task, formula, &mut result)?,
        };
        result.time = started.elapsed();
        Ok(result)
    }

    pub(crate) fn method_name(&self) -> &'static str {
        match self.options.method {
            Method::OnTheFly => "on-the-fly",
            Method::TwoPhase => "two-phase",
        }
    }

    pub(crate) fn is_fair(&self) -> bool {
        self.options.fairness == Fairness::Model
    }

    /// Whether a condition of the formula has no value in some reachable state, which violates the property; none: all have.
    pub(crate) fn undefined(
        &mut self,
        task: &Task<'s>,
        formula: &'s Formula,
        result: &mut PropertyResult,
    ) -> Result<Option<Verdict>, CheckError> {
        let mut doubtful = Vec::new();
        self.doubtful(formula, &mut Vec::new(), &mut doubtful);
        if doubtful.is_empty() {
            return Ok(None);
        }
        let defined = Expr::all(doubtful.into_iter());
        let outcome = self.search(&[Question::Violation(&defined)], &task.symmetry);
        Ok(match &outcome.answers[0] {
            Answer::No => None,
            Answer::Unknown | Answer::Greatest(..) => Some(Verdict::Unknown(self.reason(&outcome))),
            Answer::Yes(found) => {
                self.show(task, formula, found.evidence.clone(), result)?;
                Some(Verdict::Violated)
            }
        })
    }

    /// For each condition that may fault, one that faults where it does and is true elsewhere.
    fn doubtful(&self, formula: &'s Formula, free: &mut Vec<&'s Binder>, out: &mut Vec<Expr>) {
        let mut each = |inner: &'s Formula| self.doubtful(inner, free, out);
        match formula {
            Formula::Atom(condition, _) => {
                if self.system.may_fault(condition, free) {
                    let always = Expr::Or(Box::new([condition.clone(), Expr::Const(1)]));
                    let closed = |body, binder: &&'s Binder| {
                        let binders = Box::new([(*binder).clone()]);
                        let (quantifier, filter, site) = (Quantifier::Forall, None, SiteId(0));
                        Expr::Quantify(Box::new(Quantify { quantifier, binders, filter, body, site }))
                    };
                    out.push(free.iter().rev().fold(always, closed));
                }
            }
            Formula::Not(inner) => each(inner),
            Formula::And(sides) | Formula::Or(sides) | Formula::Implies(sides) | Formula::Iff(sides) => {
                sides.iter().for_each(each);
            }
            Formula::Forall(binder, body) | Formula::Exists(binder, body) => {
                free.push(binder);
                self.doubtful(body, free, out);
                free.pop();
            }
            Formula::Temporal(_, operator) => match operator {
                Temporal::Next(inner) | Temporal::Finally(inner) | Temporal::Globally(inner) => each(inner),
                Temporal::Until(sides)
                | Temporal::Release(sides)
                | Temporal::WeakUntil(sides)
                | Temporal::StrongRelease(sides) => sides.iter().for_each(each),
            },
        }
    }

    fn judge(
        &mut self,
        task: &Task<'s>,
        formula: &'s Formula,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let pull = !self.options.keep_quantifiers;
        let named =
            task.named.as_ref().filter(|_| self.options.automaton_symmetry != AutomatonSymmetry::None);
        let named = named.map(|(named, symmetry)| (*named, symmetry));
        let obligations = match ltl::obligations(self.system, formula, &task.symmetry, pull, named) {
            Ok(obligations) => obligations,
            Err(ltl::TooLarge(reason)) => return Ok(Verdict::Unknown(reason)),
        };
        let mut reasons = Vec::new();
        for obligation in &obligations {
            let bad = Ltl::Not(Box::new(obligation.formula.clone()));
            let Asked { quested, symmetry, local } = match self.quest(obligation, &bad) {
                Ok(asked) => asked,
                Err(too_large) => return Ok(Verdict::Unknown(too_large.to_string())),
            };
            if symmetry != task.symmetry {
                result.symmetry = self.symmetry_name(&symmetry);
                result.group = result.group.meet(&symmetry, &self.system.types);
            }
            let best = |known: &'static str| if known == "none" { local } else { known };
            result.automaton_symmetry = Some(result.automaton_symmetry.map_or(local, best));
            add(&mut result.stats, &quested);
            self.faulted |= quested.faulted;
            match quested.answer {
                _ if quested.empty => return Ok(Verdict::Unknown("there is no initial state".to_string())),
                Ok(None) => reasons.extend(self.vacuous(obligation)),
                Ok(Some(evidence)) => {
                    self.show(task, formula, evidence, result)?;
                    return Ok(Verdict::Violated);
                }
                Err(halted) => return Ok(Verdict::Unknown(self.halted(halted))),
            }
        }
        let no_run = obligations.first().and_then(|first| self.no_run(&first.symmetry));
        result.vacuous = no_run.or_else(|| match reasons.len() == obligations.len() {
            true => reasons.into_iter().next(),
            false => None,
        });
        Ok(Verdict::Holds)
    }

    fn quest(&mut self, obligation: &Obligation<'s>, bad: &Ltl) -> Result<Asked, TooLarge> {
        let limits = Limits { interrupt: Some(self.options.interrupt.clone()), ..Limits::default() };
        let automaton = translate(bad, obligation.atoms.len() as u32, &limits)?;
        let fair = self.is_fair();
        let quest = |automaton, local| Quest {
            automaton,
            tracked: obligation.tracked.clone(),
            atoms: obligation.atoms.clone(),
            fair,
            local,
        };
        if let Some(local) = self.local(obligation, &automaton) {
            let (symmetry, name) = (obligation.symmetry_with(local.movable()), local_name(&local));
            let quested = self.find(quest(automaton.clone(), Some(local)), &symmetry);
            // The automaton can be put into the initial states in too many ways: then its names are better left where they are.
            if !matches!(quested.answer, Err(Halted::TooManyTuples)) {
                return Ok(Asked { quested, symmetry, local: name });
            }
        }
        let quested = self.find(quest(automaton, None), &obligation.symmetry);
        Ok(Asked { quested, symmetry: obligation.symmetry.clone(), local: "none" })
    }

    /// The local symmetries of an automaton, if they are wanted and there are some.
    fn local(&self, obligation: &Obligation<'s>, automaton: &Automaton) -> Option<Groupoid> {
        let exact = match self.options.automaton_symmetry {
            AutomatonSymmetry::None => return None,
            AutomatonSymmetry::Local => false,
            AutomatonSymmetry::Exact => true,
        };
        let (atoms, movable) = (&obligation.atoms, obligation.movable());
        Groupoid::of(self.system, automaton, atoms, &movable, &obligation.symmetry, exact)
    }

    /// Looks for a bad run.
    pub(crate) fn find(&mut self, quest: Quest<'s>, symmetry: &Symmetry) -> Quested {
        let (canoniser, budget) = (self.canoniser(symmetry), self.budget());
        let method = match self.options.method {
            Method::OnTheFly => ltl::Method::OnTheFly,
            Method::TwoPhase => ltl::Method::TwoPhase,
        };
        let progress = &mut |progress: &burnside_explicit::Progress| {
            self.observer.progress(&crate::check::convert(progress));
        };
        ltl::find(self.system, quest, canoniser, method, &budget, progress)
    }

    /// Whether a part that holds has a premise that is never true, and which.
    fn vacuous(&mut self, obligation: &Obligation<'s>) -> Option<String> {
        let (never, text) = obligation.premise.as_ref()?;
        let Asked { quested, .. } = self.quest(obligation, &Ltl::Not(Box::new(never.clone()))).ok()?;
        (quested.answer == Ok(None)).then(|| match text {
            Some(text) => format!("the premise `{text}` is never true in a fair run"),
            None => "the premise is not true of any fair run".to_string(),
        })
    }

    /// Whether there is no fair run at all. Fairness can always be kept while a run goes on, so there is one unless all runs end in faults.
    pub(crate) fn no_run(&mut self, symmetry: &Symmetry) -> Option<String> {
        if !self.faulted {
            return None;
        }
        let any = Obligation::plain(Ltl::False, symmetry);
        let Asked { quested, .. } = self.quest(&any, &Ltl::True).ok()?;
        (quested.answer == Ok(None)).then(|| "there is no fair run at all".to_string())
    }

    /// Replays a violation and puts it into the result.
    fn show(
        &self,
        task: &Task<'s>,
        formula: &'s Formula,
        evidence: Evidence,
        result: &mut PropertyResult,
    ) -> Result<(), CheckError> {
        self.replay(task, &evidence, Claimed::Fails { formula, fair: self.is_fair() })?;
        result.evidence = Some(evidence);
        Ok(())
    }

    pub(crate) fn halted(&self, halted: Halted) -> String {
        match halted {
            Halted::Full(full) => self.limit(Some(full)),
            Halted::Interrupted => self.limit(None),
            Halted::Undefined(fault) => {
                let text = &self.system.site(fault.site).text;
                format!("the condition faults in a reachable state: `{text}`")
            }
            Halted::TooDeep => "the search is deeper than can be numbered".to_string(),
            Halted::TooManyTuples => "the quantifiers in front have too many values".to_string(),
            Halted::TooLong => {
                "there is a violation, but a loop that shows it has more than two million steps".to_string()
            }
        }
    }

    /// How the symmetry of a property was used.
    pub(crate) fn symmetry_name(&self, symmetry: &Symmetry) -> &'static str {
        match (symmetry.is_trivial(), self.options.symmetry) {
            (true, _) => "none",
            (false, crate::Symmetry::Fast) => "fast",
            (false, _) if self.is_exact(symmetry) => "exact",
            (false, _) => "fast",
        }
    }
}

/// What came of a search, and what it used.
struct Asked {
    quested: Quested,
    symmetry: Symmetry,
    /// Which local symmetries of the automaton.
    local: &'static str,
}

fn local_name(local: &Groupoid) -> &'static str {
    if local.is_exact() { "exact" } else { "local" }
}

/// Adds the figures of one part.
pub(crate) fn add(stats: &mut Stats, quested: &Quested) {
    let product = stats.product.get_or_insert_default();
    *product = Product {
        states: product.states + quested.product_states,
        transitions: product.transitions + quested.product_transitions,
    };
    stats.states = stats.states.max(quested.stats.states);
    stats.transitions = stats.transitions.max(quested.stats.transitions);
    stats.depth = stats.depth.max(quested.stats.depth);
    stats.memory = stats.memory.max(quested.stats.memory);
}
