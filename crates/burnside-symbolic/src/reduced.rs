//! Questions about states and sequences, answered on representatives: which generators may be used, and what
//! a search says.
//!
//! Entry points: [`Reduction::new`] and its methods.

use crate::formula::Expansion;
use crate::graph::{Graph, Via};
use crate::ltl::undefined;
use crate::never::{ending, monitor};
use crate::space::{Report, Space};
use crate::state::Reachability;
use crate::store::{Out, Set};
use crate::symmetry::{
    Answer, Explored, Generator, Judge, Moves, Outcome, Quality, Settings, Statistics, doubt, explore,
    generators, keeping, stabiliser,
};
use burnside_engine::Invariance;
use burnside_limits::Stop;
use burnside_trace::{Evidence, Regular};
use burnside_ts::{Expr, Formula, Permutation, Question, Symmetry};

/// Nodes that checking a generator may take.
const CHECK: usize = 2_000_000;

/// Generators with what is known of them.
#[derive(Debug)]
pub struct Reduction {
    generators: Vec<Generator>,
}

impl Reduction {
    /// The generators of a group, and some that are only claimed, that leave some sets of states alone. Those
    /// that are claimed are checked; the group has been proved by other means, and its generators are checked
    /// only if that is wanted.
    pub fn new(
        space: &Space<'_>,
        group: &Symmetry,
        claimed: &[Permutation],
        atoms: &[Set],
        (invariance, check): (Invariance, bool),
    ) -> Out<Self> {
        let group = match invariance {
            Invariance::Generators => group.clone(),
            Invariance::Stabiliser => stabiliser(space, group, atoms)?,
        };
        let mut all = generators(space, &group)?;
        all.iter_mut().for_each(|generator| generator.quality = Quality::Good);
        for permutation in claimed {
            all.push(Generator::new(space, permutation.clone())?);
        }
        // Not by name: of long ones only a part is shown.
        let kept: Vec<Permutation> =
            keeping(&all, atoms)?.into_iter().map(|it| it.permutation().clone()).collect();
        all.retain(|generator| kept.contains(generator.permutation()));
        let mut doubtful = all.iter_mut().filter(|it| check || it.quality != Quality::Good).peekable();
        if doubtful.peek().is_some() {
            let judge = Judge::new(space, CHECK)?;
            doubtful.try_for_each(|generator| judge.judge(generator))?;
        }
        Ok(Self { generators: all })
    }

    /// The generators of a group, and some that are only claimed, unchecked and whatever they do to a
    /// property: good enough to choose states by.
    pub fn unchecked(space: &Space<'_>, group: &Symmetry, claimed: &[Permutation]) -> Out<Self> {
        let mut all = generators(space, group)?;
        for permutation in claimed {
            all.push(Generator::new(space, permutation.clone())?);
        }
        Ok(Self { generators: all })
    }

    /// How many generators there are.
    pub fn len(&self) -> usize {
        self.generators.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.generators.is_empty()
    }

    /// The generators.
    pub fn generators(&self) -> Vec<&Generator> {
        self.generators.iter().collect()
    }

    /// Why not all of them can be relied on, if so.
    pub fn doubt(&self, space: &Space<'_>) -> Out<Option<Stop>> {
        doubt(&self.generators(), &space.store.none())
    }
}

impl<'s> Space<'s> {
    /// The sets that a question is about: generators must leave them alone.
    pub fn atoms(&self, goal: &'s Question) -> Out<Vec<Set>> {
        Ok(match goal {
            // Good generators leave these alone.
            Question::Fault | Question::Deadlock => Vec::new(),
            Question::Invariant(condition) | Question::Reachable(condition) => {
                let (holds, fault) = self.condition(condition, &[])?;
                vec![holds, fault]
            }
            _ => unreachable!("only these are looked for on representatives"),
        })
    }

    /// The sets that a sequence is about.
    pub fn atoms_of_sequence(&self, regular: &Regular<'s>) -> Out<Vec<Set>> {
        let mut atoms = Vec::new();
        for condition in regular.conditions() {
            let (holds, fault) = self.condition(condition, &[])?;
            atoms.extend([holds, fault]);
        }
        Ok(atoms)
    }

    /// Where a condition is true.
    pub fn holds(&self, condition: &'s Expr) -> Out<Set> {
        Ok(self.condition(condition, &[])?.0)
    }

    /// A run to a state in which a condition of a formula faults.
    pub fn undefined(
        &self,
        search: &mut Reachability<'_, 's>,
        formula: &'s Formula,
        report: Report<'_>,
    ) -> Out<Option<Evidence>> {
        undefined(self, search, formula, report)
    }

    /// The sets of the conditions of a formula.
    pub fn atoms_of(&self, formula: &'s Formula) -> Out<Vec<Set>> {
        let mut expansion = Expansion::new(self.system);
        expansion.every(formula)?;
        let sets = expansion.atoms.iter().map(|atom| Ok(atom.sets(self)?.0));
        sets.collect()
    }

    /// Looks for a goal on representatives.
    pub fn refute(
        &self,
        goal: &'s Question,
        reduction: &Reduction,
        settings: &Settings,
        report: Report<'_>,
    ) -> Out<(Answer, Statistics)> {
        let bad = match goal {
            Question::Fault => self.fault.clone(),
            Question::Deadlock => self.dead(&self.store.all())?,
            Question::Invariant(condition) => self.condition(condition, &[])?.0.not(),
            Question::Reachable(condition) => self.condition(condition, &[])?.0,
            _ => unreachable!("only these are looked for on representatives"),
        };
        if matches!(goal, Question::Fault) && !self.may_fault() {
            return Ok((Answer::Holds, Statistics::default()));
        }
        if let (Question::Fault, Some(evidence)) = (goal, self.initial_fault()) {
            let outcome = self.on_the_fly(&self.initial, &[], settings, report)?;
            return Ok((Answer::Violated(evidence), outcome.statistics));
        }
        let Outcome { answer, statistics, .. } =
            self.on_the_fly(&bad, &reduction.generators(), settings, report)?;
        let answer = match (answer, goal) {
            (Answer::Violated(run), Question::Fault) => Answer::Violated(self.faulting(run.states)),
            (Answer::Violated(run), Question::Invariant(condition) | Question::Reachable(condition)) => {
                Answer::Violated(self.ending(run.states, condition, &[]))
            }
            (Answer::Holds, Question::Reachable(condition)) => {
                // It is true nowhere, but may fault somewhere.
                let fault = self.condition(condition, &[])?.1;
                match self.on_the_fly(&fault, &reduction.generators(), settings, report)?.answer {
                    Answer::Violated(run) => Answer::Violated(self.ending(run.states, condition, &[])),
                    other => other,
                }
            }
            (answer, _) => answer,
        };
        Ok((answer, statistics))
    }

    /// The representatives of all reachable states, as good as the generators are; and whether none is
    /// missing if these are good.
    pub fn representatives(
        &self,
        reduction: &Reduction,
        settings: &Settings,
        report: Report<'_>,
    ) -> Out<Outcome> {
        self.on_the_fly(&self.store.none(), &reduction.generators(), settings, report)
    }

    /// Looks for a run that matches a sequence, on representatives.
    pub fn refute_match(
        &self,
        regular: &Regular<'s>,
        reduction: &Reduction,
        settings: &Settings,
        report: Report<'_>,
    ) -> Out<(Answer, Statistics)> {
        let (companion, matched, fault) = monitor(self, regular)?;
        let graph = Graph::with(self, None, companion, false)?;
        let goal = matched.or(&fault)?;
        let (image, preimage) =
            (|set: &Set| graph.image(Via::Any, set), |set: &Set| graph.preimage(Via::Any, set));
        let moves = Moves {
            store: &self.store,
            bits: graph.bits().to_vec(),
            initial: graph.initial().clone(),
            image: &image,
            preimage: &preimage,
        };
        let generators = reduction.generators();
        let Explored { path, complete, statistics, .. } =
            explore(self, &moves, &goal, &generators, settings, report)?;
        let answer = match path {
            Some(path) => {
                let states: Vec<Box<[u64]>> = path.iter().map(|node| graph.state(node)).collect();
                let end = ending(self, regular, &states);
                Answer::Violated(self.evidence(states, end))
            }
            None => match doubt(&generators, &goal)? {
                Some(doubt) => Answer::Unknown(doubt),
                None if complete => Answer::Holds,
                None => Answer::Unknown(Stop::Inconclusive("the search left out some states".to_string())),
            },
        };
        Ok((answer, statistics))
    }
}
