//! How many tokens a place can hold, by place invariants.
//!
//! Entry point: [`structural_bounds`]. A weighting `y ≥
//! 0` of the places that no firing changes gives each place `p` with `y(p) > 0` the bound `y·M₀ / y(p)`. Such
//! weightings are found by Farkas' elimination of the transitions, one by one. Colours are ignored: a firing
//! moves the same number of tokens whatever the binding, so the weightings of the net without its colours
//! count all tokens of a place. Places for which that is not so, those with a difference that may fall below
//! nothing, have no weight. The number of weightings can grow exponentially; those with the largest supports
//! are dropped then, and after a certain amount of work the search ends. Both are sound: a place may be left
//! without a bound that has one.

use crate::net::{Arc, Net, Term, Transition, is_covered};
use burnside_limits::poll;

/// At most so many weightings are kept.
const MOST: usize = 1_000;
/// At most so many entries of weightings are looked at.
const WORK: usize = 5_000_000;

/// For each place, how many tokens (of all colours together) it holds at most, if an invariant tells.
pub fn structural_bounds(net: &Net) -> Vec<Option<u64>> {
    let initial: Vec<u128> =
        net.places.iter().map(|place| place.initial.iter().map(|&count| u128::from(count)).sum()).collect();
    let mut bounds: Vec<Option<u64>> = vec![None; net.places.len()];
    for row in invariants(net).unwrap_or_default() {
        let total = row.weights.iter().try_fold(0u128, |sum, &(place, weight)| {
            initial[place as usize].checked_mul(weight as u128).and_then(|part| sum.checked_add(part))
        });
        let Some(total) = total else { continue };
        for &(place, weight) in &row.weights {
            let bound = u64::try_from(total / weight as u128).unwrap_or(u64::MAX);
            let known = &mut bounds[place as usize];
            *known = Some(known.map_or(bound, |known| known.min(bound)));
        }
    }
    bounds
}

/// A weighting and what is left of its effects: both sparse, ascending, without zeros.
#[derive(Clone, Debug)]
struct Row {
    effects: Vec<(u32, i64)>,
    weights: Vec<(u32, i64)>,
}

impl Row {
    fn len(&self) -> usize {
        self.effects.len() + self.weights.len()
    }
}

/// Weightings that no firing changes; none if the numbers are too large.
fn invariants(net: &Net) -> Option<Vec<Row>> {
    let mut rows = incidence(net)?;
    let mut left: Vec<u32> = (0..net.transitions.len() as u32).collect();
    let mut work = 0;
    while !left.is_empty() && work < WORK {
        let counts = signs(&rows, net.transitions.len());
        let pairs = |t: &u32| counts[*t as usize].0.saturating_mul(counts[*t as usize].1);
        let (at, _) = left.iter().enumerate().min_by_key(|(_, t)| pairs(t)).expect("one is left");
        rows = eliminate(rows, left.swap_remove(at), &mut work);
    }
    rows.retain(|row| row.effects.is_empty());
    Some(rows)
}

/// For each transition, how many rows have a positive and a negative effect.
fn signs(rows: &[Row], transitions: usize) -> Vec<(usize, usize)> {
    let mut counts = vec![(0, 0); transitions];
    for &(transition, effect) in rows.iter().flat_map(|row| &row.effects) {
        let count = &mut counts[transition as usize];
        if effect > 0 { count.0 += 1 } else { count.1 += 1 }
    }
    counts
}

/// Each place alone, with what every transition does to it. A place that a transition empties can only have
/// fewer tokens than that.
fn incidence(net: &Net) -> Option<Vec<Row>> {
    let mut effects: Vec<Vec<(u32, i64)>> = vec![Vec::new(); net.places.len()];
    for (t, transition) in net.transitions.iter().enumerate() {
        for (place, effect) in changes(net, transition)? {
            effects[place as usize].push((t as u32, effect));
        }
    }
    let row = |(place, effects)| Row { effects, weights: vec![(place as u32, 1)] };
    let varying = varying(net);
    let rows = effects.into_iter().enumerate().filter(|(place, _)| !varying[*place]);
    Some(rows.map(row).collect())
}

/// Whether it depends on the binding how many tokens some arc of a place means: then no weighting speaks of
/// the place.
fn varying(net: &Net) -> Vec<bool> {
    let mut varying = vec![false; net.places.len()];
    for arc in net.transitions.iter().flat_map(|it| it.inputs.iter().chain(&it.outputs)) {
        varying[arc.place.index()] |= !is_covered(&arc.inscription);
    }
    varying
}

/// The places whose number of tokens a transition changes, with the difference.
fn changes(net: &Net, transition: &Transition) -> Option<Vec<(u32, i64)>> {
    let side = |arcs: &[Arc]| -> Option<Vec<(u32, i64)>> {
        let moved = arcs.iter().map(|arc| Some((arc.place.0, tokens(net, arc)?)));
        moved.collect::<Option<Vec<_>>>().map(sorted)
    };
    combine(&side(&transition.outputs)?, 1, &side(&transition.inputs)?, -1)
}

/// How many tokens an arc moves.
fn tokens(net: &Net, arc: &Arc) -> Option<i64> {
    let domain = &net.place(arc.place).domain;
    let pattern = |(weight, terms): &(i64, Vec<Term>)| {
        let mut all = domain.iter().zip(terms).filter(|(_, term)| **term == Term::All);
        all.try_fold(*weight, |count, (&class, _)| count.checked_mul(net.class(class).elements.len() as i64))
    };
    arc.inscription.iter().try_fold(0i64, |sum, part| sum.checked_add(pattern(part)?))
}

fn sorted(mut pairs: Vec<(u32, i64)>) -> Vec<(u32, i64)> {
    pairs.sort_unstable();
    pairs
}

/// Combines rows so that the transition has no effect on any of them.
fn eliminate(rows: Vec<Row>, transition: u32, work: &mut usize) -> Vec<Row> {
    *work += rows.iter().map(Row::len).sum::<usize>();
    let effect = |row: &Row| row.effects.iter().find(|(t, _)| *t == transition).map_or(0, |(_, e)| *e);
    let (mut kept, changed): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| effect(row) == 0);
    let (more, fewer): (Vec<Row>, Vec<Row>) = changed.into_iter().partition(|row| effect(row) > 0);
    for plus in &more {
        for minus in &fewer {
            *work += plus.len() + minus.len();
            let lost = effect(minus).checked_neg();
            kept.extend(lost.and_then(|lost| joined(plus, lost, minus, effect(plus))));
        }
        if *work > WORK {
            break;
        }
        if kept.len() > 4 * MOST {
            prune(&mut kept);
        }
    }
    prune(&mut kept);
    kept
}

/// Keeps the weightings with the smallest supports.
fn prune(rows: &mut Vec<Row>) {
    if rows.len() > MOST {
        rows.sort_by_key(|row| row.weights.len());
        rows.truncate(MOST);
    }
}

/// The sum of two rows, each times a positive factor, divided by what all entries share; none if it does not
/// fit.
fn joined(a: &Row, times_a: i64, b: &Row, times_b: i64) -> Option<Row> {
    poll();
    let mut effects = combine(&a.effects, times_a, &b.effects, times_b)?;
    let mut weights = combine(&a.weights, times_a, &b.weights, times_b)?;
    let common =
        effects.iter().chain(&weights).fold(0, |common, (_, value)| gcd(common, value.unsigned_abs()));
    let common = i64::try_from(common.max(1)).ok()?;
    for (_, value) in effects.iter_mut().chain(&mut weights) {
        *value /= common;
    }
    Some(Row { effects, weights })
}

/// The sum of two sparse vectors, each times a factor; none on overflow.
fn combine(a: &[(u32, i64)], times_a: i64, b: &[(u32, i64)], times_b: i64) -> Option<Vec<(u32, i64)>> {
    poll();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = Vec::new();
    loop {
        let (at, left, right) = match (a.peek(), b.peek()) {
            (None, None) => return Some(sum),
            (Some(&&(i, x)), Some(&&(j, y))) if i == j => (i, x, y),
            (Some(&&(i, x)), next) if next.is_none_or(|&&(j, _)| i < j) => (i, x, 0),
            (_, Some(&&(j, y))) => (j, 0, y),
            (Some(_), None) => unreachable!("the case before takes it"),
        };
        a.next_if(|(i, _)| *i == at);
        b.next_if(|(i, _)| *i == at);
        let value = left.checked_mul(times_a)?.checked_add(right.checked_mul(times_b)?)?;
        if value != 0 {
            sum.push((at, value));
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
