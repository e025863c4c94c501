//! Questions about single states and steps, and forbidden sequences: one breadth-first search for all of
//! them.

use super::Explicit;
use super::weighed::WeighedGroup;
use crate::search::{Finding, SearchResult};
use burnside_engine::{Answer, Checker, Procedure, Verdict};
use burnside_limits::{Observer, Stop};
use burnside_trace::End;
use burnside_ts::{Kind, Property, Question, Symmetry as Group};

/// A search, and what of the group was used for it.
pub(super) struct WeighedSearch {
    pub result: SearchResult,
    group: WeighedGroup,
}

impl<'s> Explicit<'s> {
    /// One search for states, begun again if a part of the group does not pay. It may end, with the others
    /// open, when runs answer the decisive questions.
    pub(super) fn search(
        &self,
        questions: &[&Question],
        decisive: &[bool],
        group: &Group,
        observer: &mut dyn Observer,
    ) -> WeighedSearch {
        let mut group = self.worthwhile(group, &[]);
        let mut result = self.search_once(questions, decisive, &group.used, observer);
        while let Some((orbits, rest)) = result.unprofitable.take() {
            let before = result.time;
            self.give_up(&mut group, orbits, rest);
            result = self.search_once(questions, decisive, &group.used, observer);
            result.begun_before(before);
        }
        WeighedSearch { result, group }
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
    pub(super) fn states(&mut self, properties: &[&'s Property], observer: &mut dyn Observer) -> Vec<Answer> {
        let Some(first) = properties.first() else { return Vec::new() };
        let questions: Vec<&Question> = properties.iter().map(|property| &property.question).collect();
        let searched = self.search(&questions, &self.decisive(properties), &self.symmetry(first), observer);
        let WeighedSearch { result: searched, group } = searched;
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
            Finding::Yes(witness) => {
                (answer.time, answer.stats) = (witness.time, witness.stats);
                answer.method = witness.stats.hunt.map(|_| Procedure::Hunt);
                let reached = reachable && matches!(witness.evidence.end, End::State);
                answer.evidence = Some(witness.evidence.clone());
                if reached { Verdict::Holds } else { Verdict::Violated }
            }
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
