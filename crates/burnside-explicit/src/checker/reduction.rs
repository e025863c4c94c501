//! For which questions steps are left out that commute, and why not for others.
//!
//! Entry points: [`Explicit::reduction_of_states`] and [`Explicit::reduction_of_runs`]. What a question
//! sees of states decides which steps it sees.

use super::Explicit;
use crate::stubborn::{Preserved, Stubborn};
use burnside_engine::{NotReduced, PartialOrder, PartialOrderUse, Search};
use burnside_logic::Ltl;
use burnside_ts::{Expr, Kind, Question};

/// Stubborn sets, or why there are none; nothing if they are not wanted.
pub(super) type Reducing<'s> = Option<Result<Stubborn<'s>, NotReduced>>;

/// Stubborn sets if there are some, and what to say if there are none.
pub(super) fn split(reducing: Reducing<'_>) -> (Option<Stubborn<'_>>, Option<PartialOrderUse>) {
    match reducing {
        None => (None, None),
        Some(Ok(stubborn)) => (Some(stubborn), None),
        Some(Err(why)) => (None, Some(PartialOrderUse::Off(why))),
    }
}

impl<'s> Explicit<'s> {
    /// For a search for states. Symmetry keeps each of the questions, so what one of them sees of a state and
    /// what it sees of its representative is the same.
    pub(super) fn reduction_of_states(&self, questions: &[&Question]) -> Reducing<'s> {
        let is_sequence = |question: &&Question| matches!(question, Question::Sequence(_));
        self.reducing(|engine| {
            if engine.elsewhere.is_some() {
                return Err(NotReduced::Workers);
            }
            if questions.iter().any(is_sequence) {
                return Err(NotReduced::Kind(Kind::Never));
            }
            if engine.options.search == Search::Breadth {
                return Err(NotReduced::Shortest);
            }
            let conditions: Vec<&Expr> = questions.iter().copied().filter_map(condition).collect();
            engine.stubborn(&conditions, Preserved::States)
        })
    }

    /// For a search for runs of which a formula says something by these conditions.
    pub(super) fn reduction_of_runs(&self, formula: &Ltl, conditions: &[&Expr]) -> Reducing<'s> {
        self.reducing(|engine| {
            if engine.options.is_fair() && !engine.system.fairness.is_empty() {
                return Err(NotReduced::Fairness);
            }
            if speaks_of_next(formula) {
                return Err(NotReduced::Next);
            }
            engine.stubborn(conditions, Preserved::Runs)
        })
    }

    /// What to say of a question of a kind for which no steps are left out.
    pub(super) fn not_reduced(&self, kind: Kind) -> Option<PartialOrderUse> {
        (self.options.partial_order == PartialOrder::Auto)
            .then_some(PartialOrderUse::Off(NotReduced::Kind(kind)))
    }

    fn reducing(&self, make: impl FnOnce(&Self) -> Result<Stubborn<'s>, NotReduced>) -> Reducing<'s> {
        match self.options.partial_order {
            PartialOrder::None => None,
            PartialOrder::Auto => Some(make(self)),
        }
    }

    fn stubborn(&self, conditions: &[&Expr], preserved: Preserved) -> Result<Stubborn<'s>, NotReduced> {
        if self.system.foreign.is_some() {
            return Err(NotReduced::Opaque);
        }
        Stubborn::new(self.system, conditions, preserved)
    }
}

/// Whether a formula says something of the next state.
fn speaks_of_next(formula: &Ltl) -> bool {
    formula.postorder().iter().any(|part| matches!(part, Ltl::Next(_)))
}

/// The condition that a question about states asks about.
fn condition(question: &Question) -> Option<&Expr> {
    match question {
        Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => Some(it),
        _ => None,
    }
}
