//! Branching-time properties: evaluated on the quotient.

use super::Explicit;
use crate::ctl::{self, LabellingQuery};
use burnside_engine::{Answer, Checker, DeadlockPaths, Procedure, Verdict};
use burnside_limits::{Observer, Stop};
use burnside_ts::{Formula, Property};
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
        let query = LabellingQuery {
            formula,
            symmetry: answer.group.clone(),
            algorithm: self.options.ctl,
            fair: self.options.is_fair(),
            maximal: self.options.deadlock_paths == DeadlockPaths::Maximal,
        };
        let (canoniser, limits) = (self.canoniser(&answer.group), &self.options.limits);
        let labelled = ctl::label(self.system, &query, canoniser, limits, &mut self.cached, observer)?;
        answer.stats = labelled.stats;
        self.faulted |= labelled.faulted;
        if labelled.no_initial_state {
            return Err(Stop::NoInitialState);
        }
        let (truth, state, tree) = labelled.truth?;
        answer.tree = tree.map(|tree| (state, tree));
        Ok(if truth { Verdict::Holds } else { Verdict::Violated })
    }
}
