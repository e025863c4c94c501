//! Questions about single states and steps, and forbidden sequences: one breadth-first search for all of
//! them.

use super::Explicit;
use super::reduction::split;
use super::weighed::WeighedGroup;
use crate::search::{Finding, SearchObserver, SearchResult, Witness};
use burnside_engine::{Answer, Checker, Listener, PartialOrderUse, Procedure, Settled, Verdict};
use burnside_limits::{Observer, Progress, Stop};
use burnside_trace::End;
use burnside_ts::{Kind, Property, Question, Symmetry as Group};

/// A search, and what of the group was used for it.
pub(super) struct WeighedSearch {
    pub result: SearchResult,
    group: WeighedGroup,
    pub partial_order: Option<PartialOrderUse>,
}

impl<'s> Explicit<'s> {
    /// One search for states, begun again if a part of the group does not pay. It may end, with the others
    /// open, when runs answer the decisive questions.
    pub(super) fn search(
        &self,
        questions: &[&Question],
        decisive: &[bool],
        group: &Group,
        observer: &mut dyn SearchObserver,
    ) -> WeighedSearch {
        let mut group = self.worthwhile(group, &[]);
        let (stubborn, off) = split(self.reduction_of_states(questions));
        let mut result = self.search_once(questions, decisive, &group.used, stubborn.clone(), observer);
        while let Some((orbits, rest)) = result.unprofitable.take() {
            let before = result.time;
            self.give_up(&mut group, orbits, rest);
            result = self.search_once(questions, decisive, &group.used, stubborn.clone(), observer);
            result.begun_before(before);
        }
        let partial_order = off.or(result.reduced.map(PartialOrderUse::Reduced));
        WeighedSearch { result, group, partial_order }
    }

    /// Which of the questions of a search it is for: their answers end it, if runs show them. Faults that
    /// nobody asked for by name are looked for beside others, since they make what holds doubtful; nothing
    /// does if all that was asked for is in this search and shown.
    fn decisive(&self, properties: &[&Property]) -> Vec<bool> {
        let named = &self.options.properties;
        let is_here = |name: &String| properties.iter().any(|property| property.name == *name);
        let only_here = !named.is_empty() && named.iter().all(is_here);
        let is_beside = |it: &&Property| it.question.kind() == Kind::Faults && !named.contains(&it.name);
        properties.iter().map(|property| !(only_here && is_beside(property))).collect()
    }

    /// Answers questions that have the same symmetry by one search.
    pub(super) fn states(&mut self, properties: &[&'s Property], listener: &mut dyn Listener) -> Vec<Answer> {
        let Some(first) = properties.first() else { return Vec::new() };
        let questions: Vec<&Question> = properties.iter().map(|property| &property.question).collect();
        let (decisive, symmetry) = (self.decisive(properties), self.symmetry(first));
        let mut settling = Settling { explicit: self, properties, symmetry: &symmetry, listener };
        let searched = self.search(&questions, &decisive, &symmetry, &mut settling);
        let WeighedSearch { result: searched, group, partial_order } = searched;
        self.faulted |= searched.faulted;
        // The main search is the first one; if it ended for its share of the time it is begun anew.
        let mut is_main = || *self.main.get_or_insert_with(|| first.name.clone()) == first.name;
        if first.question.is_about_states() && is_main() {
            self.figures = Some((searched.stats, searched.unreduced.clone()));
        }
        properties
            .iter()
            .zip(&searched.findings)
            .map(|(it, finding)| {
                let mut answer = self.open(it);
                self.tell(&mut answer, &group, searched.too_hard);
                answer.partial_order = partial_order;
                self.fill(answer, finding, &searched)
            })
            .collect()
    }

    fn fill(&self, mut answer: Answer, finding: &Finding, searched: &SearchResult) -> Answer {
        (answer.time, answer.stats) = (searched.time, searched.stats);
        answer.unreduced.clone_from(&searched.unreduced);
        let stop = || Verdict::Unknown(searched.stop.clone().unwrap_or(Stop::Interrupted));
        let reachable = answer.kind == Kind::Reachable;
        answer.verdict = match finding {
            Finding::Yes(witness) => return shown(answer, witness),
            Finding::No if searched.stats.states == 0 => Verdict::Unknown(Stop::NoInitialState),
            Finding::No if reachable => Verdict::Violated,
            Finding::No => Verdict::Holds,
            Finding::Unknown => stop(),
            // Not a bound, but what is known of it.
            Finding::Greatest(value, None) => {
                answer.value_so_far = Some(*value);
                stop()
            }
            Finding::Greatest(value, Some(witness)) => {
                answer.evidence = Some(witness.evidence.clone());
                answer.value = Some(*value);
                Verdict::Holds
            }
        };
        answer
    }
}

/// An answer that a run shows.
fn shown(mut answer: Answer, witness: &Witness) -> Answer {
    (answer.time, answer.stats) = (witness.time, witness.stats);
    answer.method = witness.stats.hunt.map(|_| Procedure::Hunt);
    let reached = answer.kind == Kind::Reachable && matches!(witness.evidence.end, End::State);
    answer.evidence = Some(witness.evidence.clone());
    answer.verdict = if reached { Verdict::Holds } else { Verdict::Violated };
    answer
}

/// Passes on what a search for several properties finds, as answers.
struct Settling<'a, 's> {
    explicit: &'a Explicit<'s>,
    properties: &'a [&'s Property],
    /// Of all of them.
    symmetry: &'a Group,
    listener: &'a mut dyn Listener,
}

impl Observer for Settling<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        self.listener.progress(progress);
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.listener.threads(expanded);
    }
}

impl SearchObserver for Settling<'_, '_> {
    fn found(&mut self, question: usize, witness: &Witness) {
        let answer = || {
            let mut answer = self.explicit.open(self.properties[question]);
            self.explicit.tell(&mut answer, &self.explicit.worthwhile(self.symmetry, &[]), None);
            shown(answer, witness)
        };
        self.listener.settled(&Settled { place: question, stats: witness.stats, answer: &answer });
    }
}
