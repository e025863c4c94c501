//! Checks a branching-time property: judges it on the quotient and replays the tree that says why.

use crate::check::{CheckError, Runner, Task, unanswered};
use crate::{CtlAlgorithm, DeadlockPaths, PropertyResult, Stats, Verdict};
use burnside_explicit::ctl::{self, Algorithm, Question};
use burnside_trace::{TreeOptions, replay_tree};
use burnside_ts::Formula;
use std::time::Instant;

impl<'s> Runner<'_, 's> {
    /// Answers a branching-time property.
    pub(crate) fn ctl(
        &mut self,
        task: &Task<'s>,
        formula: &'s Formula,
    ) -> Result<PropertyResult, CheckError> {
        let started = Instant::now();
        let mut result = PropertyResult { method: Some(self.algorithm().1), ..unanswered(task) };
        result.symmetry = self.symmetry_name(&task.symmetry);
        result.verdict = match self.undefined(task, formula, &mut result)? {
            Some(verdict) => verdict,
            None => self.judge_tree(task, formula, &mut result)?,
        };
        result.time = started.elapsed();
        Ok(result)
    }

    fn algorithm(&self) -> (Algorithm, &'static str) {
        match self.options.ctl {
            CtlAlgorithm::New => (Algorithm::New, "new"),
            CtlAlgorithm::Emc => (Algorithm::Emc, "emc"),
            CtlAlgorithm::Almc => (Algorithm::Almc, "almc"),
            CtlAlgorithm::Naive => (Algorithm::Naive, "naive"),
        }
    }

    fn judge_tree(
        &mut self,
        task: &Task<'s>,
        formula: &'s Formula,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let question = Question {
            formula,
            symmetry: task.symmetry.clone(),
            algorithm: self.algorithm().0,
            fair: self.is_fair(),
            maximal: self.options.deadlock_paths == DeadlockPaths::Maximal,
        };
        let (canoniser, budget) = (self.canoniser(&task.symmetry), self.budget());
        let mut prepared = self.prepared.take();
        let progress = &mut |progress: &burnside_explicit::Progress| {
            self.observer.progress(&crate::check::convert(progress));
        };
        let judged = ctl::judge(self.system, &question, canoniser, &budget, &mut prepared, progress);
        self.prepared = prepared;
        let judged = match judged {
            Ok(judged) => judged,
            Err(too_large) => return Ok(Verdict::Unknown(too_large.0)),
        };
        let burnside_explicit::Stats { states, transitions, depth, memory } = judged.stats;
        let branching = Some(judged.figures);
        result.stats = Stats { states, transitions, depth, memory, branching, ..Stats::default() };
        self.faulted |= judged.faulted;
        if judged.empty {
            return Ok(Verdict::Unknown("there is no initial state".to_string()));
        }
        let (truth, state, tree) = match judged.answer {
            Ok(answer) => answer,
            Err(halted) => return Ok(Verdict::Unknown(self.halted(halted))),
        };
        let options = TreeOptions { fair: question.fair, maximal: question.maximal, explore: 0 };
        if let Some(tree) = tree {
            replay_tree(self.system, formula, truth, &state, &tree, options).map_err(|mismatch| {
                CheckError::Internal { property: result.property.clone(), message: mismatch.to_string() }
            })?;
            result.tree = Some((state, tree));
        }
        Ok(if truth { Verdict::Holds } else { Verdict::Violated })
    }
}
