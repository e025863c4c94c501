//! Branching-time properties: evaluated on the quotient.

use super::Explicit;
use crate::ctl::{self, LabellingQuery, LabellingResult};
use burnside_checkpoint::Keeping;
use burnside_engine::{Answer, Checker, DeadlockPaths, Procedure, Verdict};
use burnside_limits::{Observer, Stop};
use burnside_ts::{Formula, Property, Symmetry};
use std::time::Instant;

impl<'s> Explicit<'s> {
    /// Answers a branching-time property.
    pub(super) fn branching(
        &mut self,
        property: &'s Property,
        formula: &'s Formula,
        observer: &mut dyn Observer,
    ) -> Answer {
        let started = Instant::now();
        let mut answer = self.open(property);
        answer.method = Some(Procedure::Branching(self.options.ctl));
        answer.symmetry = self.reduction(&answer.group);
        answer.partial_order = self.not_reduced(property.question.kind());
        answer.verdict = match self.undefined_formula(formula, &mut answer, observer) {
            Some(verdict) => verdict,
            None => self.label(formula, &mut answer, observer).unwrap_or_else(Verdict::Unknown),
        };
        answer.time = started.elapsed();
        answer
    }

    fn label(
        &mut self,
        formula: &'s Formula,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Stop> {
        let tracked = ctl::tracked_sorts(self.system, formula);
        let mut group = self.worthwhile(&answer.group, &tracked);
        let mut labelled = self.label_once(formula, &group.used, observer)?;
        while let Some((orbits, rest)) = labelled.unprofitable.take() {
            self.give_up(&mut group, orbits, rest);
            labelled = self.label_once(formula, &group.used, observer)?;
        }
        self.tell(answer, &group, labelled.too_hard);
        answer.stats = labelled.stats;
        self.faulted |= labelled.faulted;
        if labelled.no_initial_state {
            return Err(Stop::NoInitialState);
        }
        let (truth, state, tree) = labelled.truth?;
        answer.tree = tree.map(|tree| (state, tree));
        Ok(if truth { Verdict::Holds } else { Verdict::Violated })
    }

    /// A labelling that ends if the group does not pay. [`Explicit::label`] goes on then.
    fn label_once(
        &mut self,
        formula: &'s Formula,
        symmetry: &Symmetry,
        observer: &mut dyn Observer,
    ) -> Result<LabellingResult, Stop> {
        let query = LabellingQuery {
            formula,
            symmetry: symmetry.clone(),
            algorithm: self.options.ctl,
            fair: self.options.is_fair(),
            maximal: self.options.deadlock_paths == DeadlockPaths::Maximal,
        };
        let (canoniser, limits) = (self.canoniser(symmetry), &self.options.limits);
        // Whether there is a graph of another formula matters to the figures.
        let keeping = self.keeping("formula", &[&query, &self.cached.is_some()]);
        if let Some(known) = keeping.as_ref().and_then(Keeping::result) {
            self.cached = None;
            return Ok(known);
        }
        let cached = &mut self.cached;
        let result = ctl::label(self.system, &query, canoniser, limits, cached, keeping.as_ref(), observer)?;
        // A graph that the next formula needs is kept instead: on it this one is soon evaluated again.
        if self.cached.is_none() && result.is_final() {
            keeping.iter().for_each(|keeping| keeping.finish(&result));
        }
        Ok(result)
    }
}
