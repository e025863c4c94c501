//! Questions about states and sequences, answered on representatives: which generators may be used, and what
//! a search says.
//!
//! Entry points: [`Reduction::new`] and its methods.

use crate::formula::Expansion;
use crate::graph::{Graph, Via};
use crate::ltl::undefined;
use crate::never::{ending, monitor};
use crate::space::Space;
use crate::state::Reachability;
use crate::store::{Out, Set};
use crate::symmetry::{
    Conclusion, Explored, Generator, Judge, Moves, Outcome, Quality, Settings, Statistics, doubt, explore,
    generators, keeping, stabiliser,
};
use burnside_engine::Invariance;
use burnside_limits::{Observer, Stop};
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
        observer: &mut dyn Observer,
    ) -> Out<Option<Evidence>> {
        undefined(self, search, formula, observer)
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
        observer: &mut dyn Observer,
    ) -> Out<(Conclusion, Statistics)> {
        let bad = match goal {
            Question::Fault => self.fault.clone(),
            Question::Deadlock => self.dead(&self.store.all())?,
            Question::Invariant(condition) => self.condition(condition, &[])?.0.not(),
            Question::Reachable(condition) => self.condition(condition, &[])?.0,
            _ => unreachable!("only these are looked for on representatives"),
        };
        if matches!(goal, Question::Fault) && !self.may_fault() {
            return Ok((Ok(None), Statistics::default()));
        }
        if let (Question::Fault, Some(evidence)) = (goal, self.initial_fault()) {
            let outcome = self.on_the_fly(&self.initial, &[], settings, observer)?;
            return Ok((Ok(Some(evidence)), outcome.statistics));
        }
        let Outcome { conclusion, statistics, .. } =
            self.on_the_fly(&bad, &reduction.generators(), settings, observer)?;
        let conclusion = match (conclusion, goal) {
            (Ok(Some(run)), Question::Fault) => Ok(Some(self.faulting(run.states))),
            (Ok(Some(run)), Question::Invariant(condition) | Question::Reachable(condition)) => {
                Ok(Some(self.ending(run.states, condition, &[])))
            }
            (Ok(None), Question::Reachable(condition)) => {
                // It is true nowhere, but may fault somewhere.
                let fault = self.condition(condition, &[])?.1;
                match self.on_the_fly(&fault, &reduction.generators(), settings, observer)?.conclusion {
                    Ok(Some(run)) => Ok(Some(self.ending(run.states, condition, &[]))),
                    other => other,
                }
            }
            (conclusion, _) => conclusion,
        };
        Ok((conclusion, statistics))
    }

    /// The representatives of all reachable states, as good as the generators are; and whether none is
    /// missing if these are good.
    pub fn representatives(
        &self,
        reduction: &Reduction,
        settings: &Settings,
        observer: &mut dyn Observer,
    ) -> Out<Outcome> {
        self.on_the_fly(&self.store.none(), &reduction.generators(), settings, observer)
    }

    /// Looks for a run that matches a sequence, on representatives.
    pub fn refute_match(
        &self,
        regular: &Regular<'s>,
        reduction: &Reduction,
        settings: &Settings,
        observer: &mut dyn Observer,
    ) -> Out<(Conclusion, Statistics)> {
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
            explore(self, &moves, &goal, &generators, settings, observer)?;
        let conclusion = match path {
            Some(path) => {
                let states: Vec<Box<[u64]>> = path.iter().map(|node| graph.state(node)).collect();
                let end = ending(self, regular, &states);
                Ok(Some(self.evidence(states, end)))
            }
            None => match doubt(&generators, &goal)? {
                Some(doubt) => Err(doubt),
                None if complete => Ok(None),
                None => Err(Stop::Inconclusive("the search left out some states".to_string())),
            },
        };
        Ok((conclusion, statistics))
    }
}
