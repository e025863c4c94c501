//! Whether a permutation of elements is a symmetry of a system: is every initial state moved to an initial
//! state, and every step of a rule to a step of the same rule (or, if rules are moved, of the moved one) with
//! moved arguments? The one proof of this for all engines.
//!
//! Entry points: [`adopt`], which checks generators and makes those that pass part of the system's symmetry,
//! and [`verify`]. Each rule is run on all states at once by the executor of `encode`, in a store of its own
//! with a limit on nodes; what comes out is a function of the state, and the generator must leave that
//! function as it is (`stage`, `rule`). A difference is shown on a single state by the interpreter before
//! anything is called refuted. Rules that take too many nodes are tried on every state of the right types if
//! there are few enough, else on states along random runs (`sample`), which can refute but not prove.
//! Operations on diagrams go as deep as there are variables, so callers need a large stack.
//!
//! A generator that was not proved is never used. Where a difference shows only in states that no run reaches
//! the generator is refuted all the same.

mod audit;
mod formula;
mod rule;
mod sample;
mod stage;

pub use audit::audit;

use burnside_ts::{Action, Permutation, RuleId, SortId, SparsePermutation, Symmetry, System};
use rule::Proof;
use std::collections::BTreeSet;

/// What is known of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneratorStatus {
    /// It is a symmetry of the model, but not of the properties with these numbers.
    Proved {
        /// The properties that it changes (or may change).
        broken: Vec<usize>,
    },
    /// It is a symmetry that the types have anyway.
    Implied,
    /// It is not.
    Refuted(Refutation),
    /// Nobody knows, and why.
    Open(String),
}

/// How a generator fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The rule that it breaks; none if it is the initial states.
    pub rule: Option<RuleId>,
    /// An example, in a sentence.
    pub example: String,
}

/// Checks generators and adds those that are proved to the symmetry of the system and of those of its
/// properties that they leave as they are.
///
/// Sorts that such a generator moves are from then on moved only by generators: what was allowed to permute
/// them becomes one.
pub fn adopt(system: &mut System, generators: &[Permutation]) -> Vec<GeneratorStatus> {
    let implied = |permutation: &Permutation| system.symmetry.allows(permutation);
    let asked: Vec<Permutation> =
        generators.iter().filter(|permutation| !implied(permutation)).cloned().collect();
    let mut answers = verify(system, &asked).into_iter();
    let mut statuses: Vec<GeneratorStatus> = generators
        .iter()
        .map(|permutation| {
            if implied(permutation) {
                GeneratorStatus::Implied
            } else {
                answers.next().expect("one for each")
            }
        })
        .collect();
    let proved: Vec<usize> =
        (0..generators.len()).filter(|&i| matches!(statuses[i], GeneratorStatus::Proved { .. })).collect();
    let mut freed = Symmetry::trivial(&system.types);
    let moved: BTreeSet<SortId> = proved.iter().flat_map(|&i| moved_sorts(&generators[i])).collect();
    for &sort in &moved {
        std::mem::swap(&mut system.symmetry.sorts[sort.index()], &mut freed.sorts[sort.index()]);
    }
    let added = freed.generating(&system.types);
    for symmetry in system.properties.iter_mut().map(|property| &mut property.symmetry) {
        symmetry.generators =
            added.iter().filter(|&permutation| symmetry.allows(permutation)).map(Into::into).collect();
    }
    for &i in &proved {
        let GeneratorStatus::Proved { broken } = &mut statuses[i] else { continue };
        for p in 0..system.properties.len() {
            match formula::preserves(system, &generators[i], &system.properties[p].question) {
                true => {
                    system.properties[p].symmetry.base.clear();
                    system.properties[p].symmetry.generators.push((&generators[i]).into());
                }
                false => broken.push(p),
            }
        }
    }
    system.symmetry.base.clear();
    let all = added.iter().chain(proved.iter().map(|&i| &generators[i]));
    system.symmetry.generators.extend(all.map(SparsePermutation::from));
    statuses
}

/// Checks generators; properties are not looked at.
pub fn verify(system: &System, generators: &[Permutation]) -> Vec<GeneratorStatus> {
    if generators.is_empty() {
        return Vec::new();
    }
    let action = Action::new(system);
    let mut proofs: Vec<Proof> =
        generators.iter().map(|permutation| rule::initial(&action, permutation)).collect();
    for id in 0..system.rules.len() {
        if proofs.iter().all(|proof| matches!(proof, Proof::Refuted(_))) {
            break;
        }
        rule::rule(&action, RuleId(id as u32), generators, &mut proofs);
    }
    let settle = |(proof, permutation): (Proof, &Permutation)| match proof {
        Proof::Refuted(refutation) => GeneratorStatus::Refuted(refutation),
        Proof::Holds => match sample::along_runs(&action, permutation) {
            // The interpreter has the last word.
            Some(refutation) => GeneratorStatus::Refuted(refutation),
            None => GeneratorStatus::Proved { broken: Vec::new() },
        },
        Proof::Open(what) => match sample::everywhere(&action, permutation) {
            Some(None) if what.initial => open(system, &what),
            Some(None) => GeneratorStatus::Proved { broken: Vec::new() },
            Some(Some(refutation)) => GeneratorStatus::Refuted(refutation),
            None => sample::along_runs(&action, permutation)
                .map_or_else(|| open(system, &what), GeneratorStatus::Refuted),
        },
    };
    proofs.into_iter().zip(generators).map(settle).collect()
}

fn open(system: &System, what: &rule::Unknowns) -> GeneratorStatus {
    let name = |rule: &RuleId| format!("`{}`", system.show_rule(*rule));
    let mut parts: Vec<String> = what.rules.iter().map(name).collect();
    if what.initial {
        parts.insert(0, "the initial states".to_string());
    }
    GeneratorStatus::Open(parts.join(", "))
}

/// The sorts of which a permutation moves elements.
fn moved_sorts(permutation: &Permutation) -> impl Iterator<Item = SortId> + '_ {
    let sorts = (0..permutation.images.len()).map(|i| SortId(i as u32));
    sorts.filter(|&sort| permutation.moves(sort))
}
