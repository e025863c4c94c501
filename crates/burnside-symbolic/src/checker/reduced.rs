//! The methods with symmetry: Symmetry_MC and Hints_Sym for questions about states and sequences, Live_Rep,
//! Create_ξ and Orbit_To_ξ for branching time.

use super::{Symbolic, judged, shown};
use crate::ctl::{Branching, on_representatives};
use crate::live_rep::{Refuted, live_rep};
use crate::reduced::Reduction;
use crate::store::{NODE_BYTES, Out, Set};
use crate::symmetry::{
    Effort, Outcome, Representatives, Settings, Statistics, create_xi, least, orbit_to_xi, sigma_step,
};
use burnside_engine::{
    Answer, DeadlockPaths, DiagramOptions, Part, Procedure, SymbolicMethod, Symmetry as Kind, Verdict,
};
use burnside_limits::{Diagrams, MANY, Observer, Stats, Stop, Xi};
use burnside_trace::Regular;
use burnside_ts::{Formula, Property, Question, Symmetry};
use std::time::Instant;

impl<'s> Symbolic<'_, 's> {
    /// The answer of the method that was asked for, if it has one for this kind of question.
    pub(super) fn reduced(
        &mut self,
        property: &'s Property,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Option<Verdict>> {
        if self.options.diagrams.method == SymbolicMethod::Classic || self.search.is_empty() {
            return Ok(None);
        }
        match &property.question {
            Question::Fault | Question::Deadlock | Question::Invariant(_) | Question::Reachable(_) => {
                self.of_states(property, answer, observer).map(Some)
            }
            Question::Sequence(sequence) => match Regular::new(sequence) {
                Some(regular) => self.of_sequence(property, &regular, answer, observer).map(Some),
                None => Ok(None),
            },
            Question::Branching(formula) => self.of_formula(property, formula, answer, observer),
            Question::Bound(_) | Question::Linear(_) | Question::Automaton(..) => Ok(None),
        }
    }

    fn settings(&self) -> Out<Settings> {
        let diagrams = &self.options.diagrams;
        let hints = match diagrams.method {
            SymbolicMethod::Hints => &self.space.system().hints[..],
            _ => &[],
        };
        let hints = hints.iter().map(|hint| self.space.holds(&hint.condition)).collect::<Out<Vec<Set>>>()?;
        let effort = Effort { rounds: diagrams.rounds, nodes: None };
        let DiagramOptions { forget, seldom, .. } = *diagrams;
        let usual = if diagrams.method == SymbolicMethod::LiveRep { Part::Widen } else { Part::Whole };
        let approximation = diagrams.part.unwrap_or(usual).into();
        Ok(Settings { approximation, forget, effort, seldom, hints, within: None })
    }

    /// The permutations of the system that may be used.
    fn allowed(&self) -> Symmetry {
        let system = self.space.system();
        self.options.allowed(&system.symmetry, &system.types)
    }

    fn reduction(&self, atoms: &[Set]) -> Out<Reduction> {
        let DiagramOptions { invariance, check, .. } = self.options.diagrams;
        Reduction::new(self.space, &self.allowed(), self.claimed, atoms, (invariance, check))
    }

    /// Notes what a search on representatives took.
    fn note(&self, property: &Property, reduction: &Reduction, statistics: &Statistics, answer: &mut Answer) {
        if !reduction.is_empty() {
            answer.symmetry = Kind::Fast;
            answer.group = self.options.allowed(&property.symmetry, &self.space.system().types);
        }
        let nodes = self.space.peak_nodes() as u64;
        answer.stats = Stats {
            states: statistics.representatives.to_u64().unwrap_or(MANY),
            depth: statistics.iterations,
            memory: nodes * NODE_BYTES,
            diagrams: Some(Diagrams { nodes, relation: self.space.relation_size() as u64, xi: None }),
            ..Stats::default()
        };
    }

    /// Symmetry_MC or Hints_Sym.
    fn of_states(
        &self,
        property: &'s Property,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Verdict> {
        answer.method = Some(Procedure::Symbolic(self.used()));
        let question = &property.question;
        let (reduction, settings) = (self.reduction(&self.space.atoms(question)?)?, self.settings()?);
        let (found, statistics) = self.space.refute(question, &reduction, &settings, observer)?;
        self.note(property, &reduction, &statistics, answer);
        Ok(shown(found?, answer))
    }

    fn of_sequence(
        &self,
        property: &'s Property,
        regular: &Regular<'s>,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Verdict> {
        answer.method = Some(Procedure::Symbolic(self.used()));
        let atoms = self.space.atoms_of_sequence(regular)?;
        let (reduction, settings) = (self.reduction(&atoms)?, self.settings()?);
        let (found, statistics) = self.space.refute_match(regular, &reduction, &settings, observer)?;
        self.note(property, &reduction, &statistics, answer);
        Ok(shown(found?, answer))
    }

    /// Which of the methods for questions about states is used.
    fn used(&self) -> SymbolicMethod {
        match self.options.diagrams.method {
            SymbolicMethod::Hints => SymbolicMethod::Hints,
            _ => SymbolicMethod::Symmetry,
        }
    }

    /// Live_Rep, Create_ξ or Orbit_To_ξ; none if the method has no answer for this formula.
    fn of_formula(
        &mut self,
        property: &'s Property,
        formula: &'s Formula,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Option<Verdict>> {
        let method = self.options.diagrams.method;
        let fair = self.options.is_fair() && !self.space.system().fairness.is_empty();
        match method {
            SymbolicMethod::LiveRep => {}
            // Which unit a step executes is not known up to symmetry.
            SymbolicMethod::Representatives | SymbolicMethod::Orbit if !fair => {}
            _ => return Ok(None),
        }
        if let Some(evidence) = self.space.undefined(&mut self.search, formula, observer)? {
            return Ok(Some(judged(Branching::Undefined(evidence), answer)));
        }
        answer.method = Some(Procedure::Symbolic(method));
        let branching = match method {
            SymbolicMethod::LiveRep => self.refuted(property, formula, fair, answer, observer),
            _ => self.on_representatives(property, formula, answer, observer),
        };
        if let Some(diagrams) = &mut answer.stats.diagrams {
            diagrams.nodes = self.space.peak_nodes() as u64;
        }
        Ok(Some(judged(branching?, answer)))
    }

    /// Live_Rep: what is found on any states at all is real, so no generator is checked.
    fn refuted(
        &self,
        property: &'s Property,
        formula: &'s Formula,
        fair: bool,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Branching> {
        let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
        let reduction = Reduction::unchecked(self.space, &self.allowed(), self.claimed)?;
        let Refuted { found, relation, statistics } =
            live_rep(self.space, formula, &reduction, &self.settings()?, (fair, maximal), observer)?;
        self.note(property, &reduction, &statistics, answer);
        if let Some(diagrams) = &mut answer.stats.diagrams {
            diagrams.relation = relation as u64;
        }
        let nothing = "it is not refuted on representatives, which proves nothing";
        match found {
            Some((state, tree)) => Ok(Branching::Judged(false, state, tree)),
            None => Err(Stop::Inconclusive(nothing.to_string())),
        }
    }

    /// Create_ξ or Orbit_To_ξ.
    fn on_representatives(
        &self,
        property: &'s Property,
        formula: &'s Formula,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Branching> {
        let space = self.space;
        let reduction = self.reduction(&space.atoms_of(formula)?)?;
        let Outcome { representatives, statistics, complete, .. } =
            space.representatives(&reduction, &self.settings()?, observer)?;
        self.note(property, &reduction, &statistics, answer);
        if let Some(doubt) = reduction.doubt(space)? {
            return Err(doubt);
        }
        if !complete {
            return Err(Stop::Inconclusive("the search left out some states".to_string()));
        }
        let generators = reduction.generators();
        let closure = sigma_step(space, &representatives, &generators, &Effort::default())?;
        if !closure.complete {
            // An orbit that is not whole may miss its least state, and with it its only representative.
            return Err(Stop::too_large("the orbits take too many nodes"));
        }
        let (all, start) = (closure.states, Instant::now());
        let xi = match self.options.diagrams.method {
            SymbolicMethod::Orbit => orbit_to_xi(space, &generators, &all)?,
            _ => create_xi(space, &generators, &least(space, &generators, &all)?)?,
        };
        if let Some(diagrams) = &mut answer.stats.diagrams {
            diagrams.xi = Some(Xi { nodes: xi.pairs.size() as u64, time: start.elapsed() });
        }
        answer.stats.states = space.count(&xi.representatives).to_u64().unwrap_or(MANY);
        answer.unreduced = Some(space.count(&all));
        let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
        on_representatives(space, formula, &Representatives::new(space, xi)?, maximal)
    }
}
