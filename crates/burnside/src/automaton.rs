//! Checks an automaton of forbidden runs: looks for a fair run of the model that it accepts.

use crate::check::{CheckError, Runner, Task, unanswered};
use crate::ltl::add;
use crate::{PropertyResult, Verdict};
use burnside_explicit::ltl::{Atom, Quest};
use burnside_explicit::{Answer, Question};
use burnside_logic::{Automaton, prune};
use burnside_trace::{Claimed, Evidence};
use burnside_ts::{Expr, Observed};
use std::time::Instant;

/// An automaton with what it looks at.
#[derive(Clone, Copy)]
pub(crate) struct Watcher<'s> {
    pub automaton: &'s Automaton,
    pub observed: &'s Observed,
}

impl<'s> Runner<'_, 's> {
    /// Answers whether no fair run is accepted.
    pub(crate) fn automaton(
        &mut self,
        task: &Task<'s>,
        watcher: Watcher<'s>,
    ) -> Result<PropertyResult, CheckError> {
        let started = Instant::now();
        let mut result = PropertyResult { method: Some(self.method_name()), ..unanswered(task) };
        result.symmetry = self.symmetry_name(&task.symmetry);
        result.verdict = match self.undefined_proposition(task, watcher, &mut result)? {
            Some(verdict) => verdict,
            None => self.accepted(task, watcher, &mut result)?,
        };
        result.time = started.elapsed();
        Ok(result)
    }

    /// Whether a proposition has no value in some reachable state, which violates the property; none: all have.
    fn undefined_proposition(
        &mut self,
        task: &Task<'s>,
        watcher: Watcher<'s>,
        result: &mut PropertyResult,
    ) -> Result<Option<Verdict>, CheckError> {
        let conditions = watcher.observed.conditions.iter();
        let doubtful = conditions.filter(|condition| self.system.may_fault(condition, &[]));
        // Each faults where the condition does and is true elsewhere.
        let doubtful: Vec<Expr> =
            doubtful.map(|condition| Expr::Or(Box::new([condition.clone(), Expr::Const(1)]))).collect();
        if doubtful.is_empty() {
            return Ok(None);
        }
        let defined = Expr::all(doubtful.into_iter());
        let outcome = self.search(&[Question::Violation(&defined)], &task.symmetry);
        Ok(match &outcome.answers[0] {
            Answer::No => None,
            Answer::Unknown | Answer::Greatest(..) => Some(Verdict::Unknown(self.reason(&outcome))),
            Answer::Yes(found) => {
                self.show_accepted(task, watcher, found.evidence.clone(), result)?;
                Some(Verdict::Violated)
            }
        })
    }

    fn accepted(
        &mut self,
        task: &Task<'s>,
        watcher: Watcher<'s>,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let atom = |condition: &'s Expr| Atom { condition, text: task.text, bound: Vec::new() };
        let quest = Quest {
            automaton: prune(watcher.automaton),
            tracked: Vec::new(),
            atoms: watcher.observed.conditions.iter().map(atom).collect(),
            fair: self.is_fair(),
            local: None,
        };
        let quested = self.find(quest, &task.symmetry);
        add(&mut result.stats, &quested);
        self.faulted |= quested.faulted;
        match quested.answer {
            _ if quested.empty => Ok(Verdict::Unknown("there is no initial state".to_string())),
            Ok(None) => {
                result.vacuous = self.no_run(&task.symmetry);
                Ok(Verdict::Holds)
            }
            Ok(Some(evidence)) => {
                self.show_accepted(task, watcher, evidence, result)?;
                Ok(Verdict::Violated)
            }
            Err(halted) => Ok(Verdict::Unknown(self.halted(halted))),
        }
    }

    /// Replays a run and puts it into the result. The automaton of the replay is the one that was given.
    fn show_accepted(
        &self,
        task: &Task<'s>,
        watcher: Watcher<'s>,
        evidence: Evidence,
        result: &mut PropertyResult,
    ) -> Result<(), CheckError> {
        let Watcher { automaton, observed } = watcher;
        let claimed = Claimed::Accepted { automaton, atoms: &observed.conditions, fair: self.is_fair() };
        self.replay(task, &evidence, claimed)?;
        result.evidence = Some(evidence);
        Ok(())
    }
}
