//! Linear-time properties: the automaton of what would violate one runs beside the states, and a fair
//! accepted run is looked for.
//!
//! Entry point: [`ltl`]. Each conjunct is checked by itself, with the states that its product reaches only.
//! If the automaton has a state that accepts whatever follows (what is violated is a safety property),
//! reaching it is enough: then the search stops at the first ring that has it.

use crate::fair::Demands;
use crate::formula::{Atom, Expansion, parts};
use crate::graph::{Companion, Graph};
use crate::relation::Relation;
use crate::space::Space;
use crate::state::Reachability;
use crate::store::{Bit, Out, Set};
use crate::units::UnitSteps;
use burnside_limits::Observer;
use burnside_logic::{Automaton, AutomatonLimits, Ltl, translate};
use burnside_perm::Natural;
use burnside_trace::Evidence;
use burnside_ts::{Expr, Formula, bits_for};

/// What came of looking for a bad run.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// A run that is fair, if that counts, and violates the property.
    pub evidence: Option<Evidence>,
    /// Pairs of a state and an automaton state that were found, in all products.
    pub product: Natural,
}

/// Looks for a run that violates a linear-time property.
pub fn ltl<'s>(
    space: &Space<'s>,
    search: &mut Reachability<'_, 's>,
    formula: &'s Formula,
    fair: bool,
    observer: &mut dyn Observer,
) -> Out<Linear> {
    let mut linear = Linear::default();
    if let Some(evidence) = undefined(space, search, formula, observer)? {
        linear.evidence = Some(evidence);
        return Ok(linear);
    }
    let units = units(space, fair)?;
    for conjunct in parts(space.system(), formula)? {
        let mut expansion = Expansion::new(space.system());
        let bad = Ltl::Not(Box::new(expansion.conjunct(&conjunct)?));
        let limits = AutomatonLimits::default();
        let automaton = translate(&bad, expansion.atoms.len() as u32, &limits)?;
        let letters =
            expansion.atoms.iter().map(|atom| Ok(atom.sets(space)?.0)).collect::<Out<Vec<Set>>>()?;
        accepted(search, &automaton, &letters, units.as_ref(), &mut linear, observer)?;
        if linear.evidence.is_some() {
            break;
        }
    }
    Ok(linear)
}

/// Looks for a fair run that an automaton from outside accepts.
pub fn automaton<'s>(
    space: &Space<'s>,
    search: &mut Reachability<'_, 's>,
    automaton: &Automaton,
    conditions: &'s [Expr],
    fair: bool,
    observer: &mut dyn Observer,
) -> Out<Linear> {
    let (mut linear, mut letters) = (Linear::default(), Vec::new());
    for condition in conditions {
        let (holds, fault) = space.condition(condition, &[])?;
        letters.push(holds);
        if let Some(states) = search.find(&fault, observer)? {
            linear.evidence = Some(space.ending(states, condition, &[]));
            return Ok(linear);
        }
    }
    let units = units(space, fair)?;
    accepted(search, automaton, &letters, units.as_ref(), &mut linear, observer)?;
    Ok(linear)
}

/// Whether there is no fair run at all. Fairness can always be kept while a run goes on, so there is one
/// unless all runs end in faults or leave the constraint.
pub fn no_run<'s>(
    space: &Space<'s>,
    search: &mut Reachability<'_, 's>,
    fair: bool,
    observer: &mut dyn Observer,
) -> Out<bool> {
    if space.system.constraint.is_none() && search.fault(observer)?.is_none() {
        return Ok(false);
    }
    let any = translate(&Ltl::True, 0, &AutomatonLimits::default())?;
    let mut linear = Linear::default();
    accepted(search, &any, &[], units(space, fair)?.as_ref(), &mut linear, observer)?;
    Ok(linear.evidence.is_none())
}

/// The units, if fairness counts.
pub(crate) fn units(space: &Space<'_>, fair: bool) -> Out<Option<UnitSteps>> {
    Ok(if fair && !space.system().fairness.is_empty() { Some(UnitSteps::new(space)?) } else { None })
}

/// A run to a state in which a condition of a formula faults.
pub(crate) fn undefined<'s>(
    space: &Space<'s>,
    search: &mut Reachability<'_, 's>,
    formula: &'s Formula,
    observer: &mut dyn Observer,
) -> Out<Option<Evidence>> {
    let mut expansion = Expansion::new(space.system());
    expansion.every(formula)?;
    for atom in &expansion.atoms {
        let (_, fault) = atom.sets(space)?;
        if !fault.is_empty()
            && let Some(states) = search.find(&fault, observer)?
        {
            return Ok(Some(space.ending(states, atom.condition, &atom.bound)));
        }
    }
    Ok(None)
}

impl<'s> Atom<'s> {
    /// Where it is true, and where it faults.
    pub fn sets(&self, space: &Space<'s>) -> Out<(Set, Set)> {
        space.condition(self.condition, &self.bound)
    }
}

/// Looks for a run that an automaton accepts.
fn accepted(
    search: &mut Reachability<'_, '_>,
    automaton: &Automaton,
    letters: &[Set],
    units: Option<&UnitSteps>,
    linear: &mut Linear,
    observer: &mut dyn Observer,
) -> Out<()> {
    if automaton.initial.is_empty() {
        return Ok(());
    }
    let space = search.space();
    let (companion, accepting) = companion(space, automaton, letters)?;
    let graph = Graph::with(space, units, companion, true)?;
    let demands = Demands::of(&graph);
    if !accepting.is_empty() {
        let rings = graph.reach(&accepting, observer)?;
        let all = space.store.union(rings.clone())?;
        search.meet(&graph.states(&all)?, rings.len() as u64 - 1)?;
        if !all.is_apart(&accepting)? {
            // Whatever follows is accepted, so any fair run from here will do: it is looked for in what is
            // reachable from here.
            let ahead = graph.forward(&space.store.all(), &all.and(&accepting)?)?;
            let feasible = demands.feasible(&graph, &ahead)?;
            let goal = graph.backward(&ahead, &feasible)?.and(&accepting)?;
            if let Some(stem) = graph.trace(&rings, &goal)? {
                linear.product = &linear.product + &graph.count(&all);
                let end = stem.last().expect("a path has a node").clone();
                let way = graph.path(&ahead, &end, &feasible)?.expect("it leads there");
                let stem = stem.into_iter().chain(way.into_iter().skip(1)).collect();
                linear.evidence = Some(demands.lasso(&graph, &feasible, stem)?);
                return Ok(());
            }
        }
    }
    let rings = graph.reach(&space.store.none(), observer)?;
    let all = space.store.union(rings.clone())?;
    search.meet(&graph.states(&all)?, rings.len() as u64 - 1)?;
    linear.product = &linear.product + &graph.count(&all);
    let feasible = demands.feasible(&graph, &all)?;
    if let Some(stem) = graph.trace(&rings, &feasible)? {
        linear.evidence = Some(demands.lasso(&graph, &feasible, stem)?);
    }
    Ok(())
}

/// An automaton as relations over variables of its own, and the nodes from which it accepts everything.
fn companion(space: &Space<'_>, automaton: &Automaton, letters: &[Set]) -> Out<(Companion, Set)> {
    let store = &space.store;
    let width = bits_for(automaton.len() as u64);
    let start = store.add(2 * width)?.start;
    let bits: Vec<(Bit, Bit)> = (0..width).map(|i| (Bit(start + 2 * i), Bit(start + 2 * i + 1))).collect();
    bits.iter().for_each(|&(now, next)| store.group(&[now, next]));
    let code = |number: usize, next: bool| {
        let value =
            |(i, &(now, after)): (usize, &(Bit, Bit))| (if next { after } else { now }, number >> i & 1 == 1);
        store.point(bits.iter().enumerate().map(value))
    };
    let sets = automaton.sets as usize;
    let (mut all, mut marked) = (Vec::new(), vec![Vec::new(); sets]);
    for (source, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            let letter = edge.label.literals().try_fold(store.all(), |set, (atom, positive)| {
                let letter = &letters[atom as usize];
                if positive { set.and(letter) } else { set.minus(letter) }
            })?;
            let step = code(source, false)?.and(&letter)?.and(&code(edge.target.index(), true)?)?;
            all.push(step.clone());
            for mark in (0..sets).filter(|&mark| edge.marks.has(mark as u32)) {
                marked[mark].push(step.clone());
            }
        }
    }
    let relation = |steps: Vec<Set>| Relation::of_parts(store, &[], vec![store.union(steps)?], &bits);
    let initial = automaton.initial.iter().map(|state| code(state.index(), false)).collect::<Out<_>>()?;
    let initial = store.union(initial)?.and(&space.initial)?;
    let sink = |state: usize| {
        let whole = burnside_logic::Marks::all(automaton.sets);
        let stays = |edge: &burnside_logic::Edge| {
            edge.target.index() == state && edge.label.size() == 0 && whole.within(edge.marks)
        };
        automaton.edges[state].iter().any(stays)
    };
    let sinks = (0..automaton.len()).filter(|&state| sink(state)).map(|state| code(state, false));
    let accepting = store.union(sinks.collect::<Out<_>>()?)?;
    let marked = marked.into_iter().map(relation).collect::<Out<_>>()?;
    let moves = relation(all)?;
    Ok((Companion { bits, initial, moves, marked, reads_after: false }, accepting))
}
