//! The interface of engines.

use crate::Answer;
use burnside_limits::{Observer, Stats};
use burnside_perm::Natural;
use burnside_ts::{Property, Symmetry};

/// Told how the search for some properties gets on.
pub trait Listener: Observer {
    /// A run answers one of the properties while the search goes on for the others. The verdict stays; the
    /// answer at the end has the figures of the whole search, and of a hunt perhaps a shorter run.
    fn settled(&mut self, settled: &Settled<'_>);
}

/// Nobody listens.
impl Listener for () {
    fn settled(&mut self, _: &Settled<'_>) {}
}

/// A property that a run answers before its search is over.
pub struct Settled<'a> {
    /// Its place among those that were asked for.
    pub place: usize,
    /// The figures when the run was found.
    pub stats: Stats,
    /// Makes the answer, which nobody has replayed yet. It copies the run, so it is for those who need it.
    pub answer: &'a dyn Fn() -> Answer,
}

/// An engine at work on one system.
///
/// Whoever drives it asks for the searches that some properties take, then for the answers of one search
/// after the other, and watches over the limits: a limit may end a search by unwinding (see
/// [`burnside_limits::catch`]), after which the engine can be asked for the next one. Evidence is replayed by
/// the driver, whatever engine it comes from.
pub trait Checker<'s> {
    /// Which properties are answered by one search: a partition of their numbers, in the order of the work.
    fn searches(&self, properties: &[&'s Property]) -> Vec<Vec<usize>>;

    /// The answers to the properties of one search, in their order.
    fn answer(&mut self, properties: &[&'s Property], listener: &mut dyn Listener) -> Vec<Answer>;

    /// The answer of a property if the work for it was ended before.
    fn open(&self, property: &'s Property) -> Answer;

    /// Whether a step may fault, for all that is known. Answers that no run shows are then doubtful where
    /// faults are not what is asked for.
    fn may_fault(&self) -> bool;

    /// Says of an answer that was given before a fault was known what it is worth now.
    fn reconsider(&mut self, _property: &'s Property, _answer: &mut Answer, _observer: &mut dyn Observer) {}

    /// The permutations that could be used.
    fn group(&self) -> Symmetry;

    /// Figures of the main search, and how many original states there are if it saw them all; none if there
    /// was no such search.
    fn figures(&self) -> Option<(Stats, Option<Natural>)>;
}
