//! Forbidden sequences: the positions of the sequence's automaton run beside the states, one variable each.
//!
//! Permutations of the members leave these variables alone, as they only say which conditions were true.

use crate::graph::{Companion, Graph};
use crate::relation::Relation;
use crate::space::Space;
use crate::state::Reachability;
use crate::store::{Bit, Out, Set};
use burnside_limits::Observer;
use burnside_trace::{End, Evidence, Regular};
use burnside_ts::Undefined;

/// A run whose last states match a sequence, or on which a condition of it faults; none if there is none.
pub fn never<'s>(
    search: &mut Reachability<'_, 's>,
    regular: &Regular<'s>,
    observer: &mut dyn Observer,
) -> Out<Option<Evidence>> {
    let space = search.space();
    let (companion, matched, fault) = monitor(space, regular)?;
    let graph = Graph::with(space, None, companion, false)?;
    let goal = matched.or(&fault)?;
    let rings = graph.reach(&goal, observer)?;
    search.meet(&graph.states(&space.store.union(rings.clone())?)?, rings.len() as u64 - 1)?;
    let Some(nodes) = graph.trace(&rings, &goal)? else { return Ok(None) };
    let states: Vec<Box<[u64]>> = nodes.iter().map(|node| graph.state(node)).collect();
    let end = ending(space, regular, &states);
    Ok(Some(space.evidence(states, end)))
}

/// How a run ends, by the interpreter: in a match, or in a condition that faults.
pub(crate) fn ending<'s>(space: &Space<'s>, regular: &Regular<'s>, states: &[Box<[u64]>]) -> End {
    let mut machine = space.system.machine();
    let (mut before, mut after) = (vec![0; regular.words()], vec![0; regular.words()]);
    for state in states {
        if let Err(Undefined::Fault(fault)) = regular.advance(&mut *machine, &before, state, &mut after) {
            return End::Undefined(fault);
        }
        std::mem::swap(&mut before, &mut after);
    }
    End::State
}

/// The automaton, the nodes in which a match ends, and those in which a condition that is tried faults.
pub(crate) fn monitor<'s>(space: &Space<'s>, regular: &Regular<'s>) -> Out<(Companion, Set, Set)> {
    let store = &space.store;
    let count = regular.conditions().len();
    // One variable more says whether a condition that was tried faults.
    let start = store.add(2 * count as u32 + 2)?.start;
    let bits: Vec<(Bit, Bit)> =
        (0..=count as u32).map(|i| (Bit(start + 2 * i), Bit(start + 2 * i + 1))).collect();
    bits.iter().for_each(|&(now, next)| store.group(&[now, next]));
    let flag = bits[count];
    let (mut parts, mut first, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut starting_faults = Vec::new();
    for (i, &(now, next)) in bits[..count].iter().enumerate() {
        let (holds, fault) = space.condition(regular.conditions()[i], &[])?;
        let before = (0..count).filter(|&j| regular.follows(j).contains(&i));
        let mut tried = store.union(before.map(|j| store.bit(bits[j].0)).collect())?;
        if regular.starts(i) {
            tried = store.all();
            starting_faults.push(fault.clone());
        }
        faults.push(tried.and(&fault)?);
        parts.push(store.bit(next).iff(&tried.and(&holds)?)?);
        let at_start = if regular.starts(i) { holds } else { store.none() };
        first.push(store.bit(now).iff(&at_start)?);
    }
    parts.push(store.bit(flag.1).iff(&store.union(faults)?)?);
    first.push(store.bit(flag.0).iff(&store.union(starting_faults)?)?);
    let initial = first.iter().try_fold(space.initial.clone(), |set, part| set.and(part))?;
    let moves = Relation::of_parts(store, &[], parts, &bits)?;
    let ends = (0..count).filter(|&i| regular.ends(i)).map(|i| store.bit(bits[i].0)).collect();
    let matched = if regular.matches_nothing() { store.all() } else { store.union(ends)? };
    let companion = Companion { bits, initial, moves, marked: Vec::new(), reads_after: true };
    Ok((companion, matched, store.bit(flag.0)))
}
