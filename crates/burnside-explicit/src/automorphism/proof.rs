//! The comparison: a rule run on all states at once, and the same seen through a generator.
//!
//! Entry points: [`initial`] and [`rule`]. The outcome of a rule is a function
//! `f` of state, arguments and choices. With `g` acting on all of those,
//! `g` is a symmetry of the rule if `f(g·s, g·a, g·c) = g·f(s, a, c)`, cell by cell.

use super::Refutation;
use super::cells::{Cell, has_bag, walk};
use super::diagram::{Diagrams, Node, TooLarge};
use super::sample;
use super::symbolic::{Choice, ENDS, Symbolic, Unknown, counts};
use burnside_ts::{Action, Permutation, RuleId, bits};
use std::collections::HashMap;

/// How much work one rule may take.
pub(super) const BUDGET: u64 = 1 << 20;

/// What is known about a generator.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    Holds,
    Open(Unknowns),
    Refuted(Refutation),
}

/// What could not be settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknowns {
    pub initial: bool,
    pub rules: Vec<RuleId>,
}

impl Proof {
    fn unknowns(&mut self) -> Option<&mut Unknowns> {
        if let Proof::Holds = self {
            *self = Proof::Open(Unknowns::default());
        }
        match self {
            Proof::Open(unknowns) => Some(unknowns),
            _ => None,
        }
    }
}

/// Whether initial states are moved to initial states.
pub(super) fn initial(action: &Action<'_>, permutation: &Permutation) -> Proof {
    match sample::initial(action, permutation) {
        Some(None) => return Proof::Holds,
        Some(Some(example)) => return Proof::Refuted(Refutation { rule: None, example }),
        None => {}
    }
    let mut symbolic = Symbolic::new(action, BUDGET);
    let before = symbolic.state.clone();
    let compared =
        symbolic.initial().and_then(|outcome| compare(&mut symbolic, &before, outcome, permutation));
    match compared {
        Ok(None) => Proof::Holds,
        _ => Proof::Open(Unknowns { initial: true, rules: Vec::new() }),
    }
}

/// Looks at one rule for several generators, except those that are refuted already.
pub(super) fn rule(action: &Action<'_>, id: RuleId, permutations: &[Permutation], proofs: &mut [Proof]) {
    let mut symbolic = Symbolic::new(action, BUDGET);
    let outcome = symbolic.rule(id);
    for (permutation, proof) in permutations.iter().zip(proofs) {
        if matches!(proof, Proof::Refuted(_)) {
            continue;
        }
        // What a rule does is compared with what the same rule does, so this says nothing about rules that
        // are moved.
        if action.rule(permutation, id) != id {
            proof.unknowns().into_iter().for_each(|unknowns| unknowns.rules.push(id));
            continue;
        }
        let before = symbolic.before();
        symbolic.d.refill(BUDGET);
        let compared = outcome.and_then(|outcome| compare(&mut symbolic, &before, outcome, permutation));
        let found = match compared {
            Ok(None) => continue,
            Ok(Some(valuation)) => counterexample(&symbolic, id, permutation, &valuation),
            Err(TooLarge) => None,
        };
        match found {
            Some(refutation) => *proof = Proof::Refuted(refutation),
            None => proof.unknowns().into_iter().for_each(|unknowns| unknowns.rules.push(id)),
        }
    }
}

/// A difference that the interpreter confirms. Functions may also differ because choices were matched in the
/// wrong way.
fn counterexample(
    symbolic: &Symbolic<'_>,
    rule: RuleId,
    permutation: &Permutation,
    valuation: &[u32],
) -> Option<Refutation> {
    let (action, system) = (symbolic.action, symbolic.system);
    if system.vars.iter().any(|var| has_bag(&system.types, var.ty)) {
        return None;
    }
    let mut moved = vec![0u64; system.words() + bits::SPARE];
    for (i, bit) in symbolic.before().into_iter().enumerate() {
        bits::write(&mut moved, i as u32, 1, symbolic.d.at(bit, valuation) as u64);
    }
    let mut state = vec![0u64; moved.len()];
    action.state(&permutation.inverse(), &moved, &mut state);
    sample::Sampler::new(action, permutation).difference_in(&state[..system.words()], |id| id == rule)
}

/// Values of the variables for which the outcome is not what the generator says, if there are any.
pub(super) fn compare(
    symbolic: &mut Symbolic<'_>,
    before: &[Node],
    outcome: Node,
    permutation: &Permutation,
) -> Result<Option<Vec<u32>>, TooLarge> {
    let (action, system) = (symbolic.action, symbolic.system);
    let to = renaming(symbolic, permutation)?;
    let mut done = HashMap::new();
    let renamed = symbolic.d.rename(outcome, &to, &mut done)?;
    if renamed != outcome {
        return differ(&mut symbolic.d, renamed, outcome).map(Some);
    }
    let ends = symbolic.d.is(outcome, ENDS)?;
    let state = symbolic.state.clone();
    let mut found = None;
    for var in &system.vars {
        walk(action, permutation, var.ty, (var.offset, var.offset), &mut |cell: &Cell<'_>| {
            let field = |from: u32| from as usize..(from + cell.width) as usize;
            let (from, to_field) = (field(cell.from), field(cell.to));
            let untouched = state[from.clone()] == before[from.clone()]
                && state[to_field.clone()] == before[to_field.clone()];
            if found.is_some() || untouched {
                return Ok(());
            }
            let code = symbolic.number(&state[from])?;
            let counts = counts(&mut symbolic.d, &state, cell)?;
            let counts = symbolic.d.and(ends, counts)?;
            let moved = symbolic.d.map(code, &|v| match u64::try_from(v) {
                Ok(code) => i128::from(cell.moved(action, permutation, code)),
                Err(_) => v,
            })?;
            let moved = symbolic.d.select(counts, moved, Diagrams::FALSE)?;
            let renamed = symbolic.d.rename(moved, &to, &mut done)?;
            let there = symbolic.number(&state[to_field])?;
            let there = symbolic.d.select(ends, there, Diagrams::FALSE)?;
            if renamed != there {
                found = Some(differ(&mut symbolic.d, renamed, there)?);
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn differ(d: &mut Diagrams, a: Node, b: Node) -> Result<Vec<u32>, TooLarge> {
    let same = d.same(a, b)?;
    let differ = d.not(same)?;
    Ok(d.witness(differ).expect("different functions differ somewhere"))
}

/// Which variable each variable becomes, and which value each of its values.
pub(super) fn renaming(
    symbolic: &Symbolic<'_>,
    permutation: &Permutation,
) -> Result<Vec<(u32, Vec<u32>)>, TooLarge> {
    let mut to: Vec<(u32, Vec<u32>)> = (0..symbolic.d.variables() as u32)
        .map(|level| (level, (0..symbolic.d.values(level)).collect()))
        .collect();
    for unknown in symbolic.params.iter().chain(&symbolic.vars) {
        link(symbolic.action, permutation, unknown, unknown, &mut to)?;
    }
    for (choice, unknown) in &symbolic.choices {
        let moved =
            symbolic.choices.get(&moved_choice(symbolic.action, permutation, choice)).ok_or(TooLarge)?;
        link(symbolic.action, permutation, unknown, moved, &mut to)?;
    }
    Ok(to)
}

fn moved_choice(action: &Action<'_>, permutation: &Permutation, (statement, context): &Choice) -> Choice {
    let moved = |&(ty, number): &(Option<_>, u64)| match ty {
        Some(ty) => (Some(ty), action.number(permutation, ty, number)),
        None => (None, number),
    };
    (*statement, context.iter().map(moved).collect())
}

fn link(
    action: &Action<'_>,
    permutation: &Permutation,
    from: &Unknown,
    into: &Unknown,
    to: &mut [(u32, Vec<u32>)],
) -> Result<(), TooLarge> {
    walk(action, permutation, from.ty, (0, 0), &mut |cell: &Cell<'_>| {
        let images = (0..cell.values).map(|code| cell.moved(action, permutation, code) as u32).collect();
        to[from.levels[&cell.from] as usize] = (into.levels[&cell.to], images);
        Ok(())
    })
}
