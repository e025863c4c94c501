//! What has to be shown for a linear-time property: its conjuncts, each for the indices that are quantified
//! in front of it.
//!
//! Entry point: [`conjuncts`]. Universal quantifiers are pulled to the front as far as they go: through
//! conjunctions, `G`, `X`, the right side of `R` and `M` and the left side of `U` and `W`, all of which
//! distribute over "for all". A quantifier in front becomes a *tracked* index, for which one representative
//! of each orbit is enough. The quantifiers that remain inside are expanded over the values of their type;
//! the atoms then name these values, so the sorts they belong to lose their symmetry, but for what local
//! symmetries of the automaton can make of it ([`Conjunct::movable`]).

use super::nnf::Nnf;
use crate::fair::{Atom, Movable};
use burnside_limits::{Stop, poll};
use burnside_logic::{AtomId, Ltl};
use burnside_ts::{
    Binder, Domain, Expr, Formula, Mentions, Named, SortGroup, SortId, SparsePermutation, Symmetry, System,
    Target, TypeId,
};
use foldhash::HashMap;
use std::rc::Rc;

/// One conjunct of a property: for all values of the tracked names, on all fair runs, the formula.
#[derive(Clone, Debug)]
pub struct Conjunct<'s> {
    /// The names in front.
    pub tracked: Vec<&'s Binder>,
    /// The rest, over the atoms.
    pub formula: Ltl,
    /// The atoms.
    pub atoms: Vec<Atom<'s>>,
    /// Permutations that leave the atoms as they are if they move the tracked values along.
    pub symmetry: Symmetry,
    /// Permutations that do so or turn atoms into others with other elements.
    whole: Symmetry,
    /// The sorts of the quantifiers that were expanded.
    expanded: Vec<SortId>,
    /// The sorts of elements that the formula names.
    named: Vec<SortId>,
    /// If the formula is `p -> q` or `G (p -> q)`: the same with `!p` in place of the implication, and the
    /// text of `p` if it is an atom.
    pub premise: Option<(Ltl, Option<&'s str>)>,
}

impl Conjunct<'_> {
    /// Nothing but a formula without atoms.
    pub fn plain(formula: Ltl, symmetry: &Symmetry) -> Self {
        Self {
            tracked: Vec::new(),
            formula,
            atoms: Vec::new(),
            symmetry: symmetry.clone(),
            whole: symmetry.clone(),
            expanded: Vec::new(),
            named: Vec::new(),
            premise: None,
        }
    }

    /// The sorts of expanded quantifiers, and of elements that are named, with what the system allows to be
    /// done to their elements: local symmetries of the automaton may do it too.
    pub fn movable(&self) -> Movable {
        let elements = |&sort: &SortId| match &self.whole.sorts[sort.index()] {
            SortGroup::Fixed => None,
            sort_group => Some((sort, sort_group.clone())),
        };
        let mut sorts = [&self.expanded[..], &self.named].concat();
        sorts.sort_unstable();
        sorts.dedup();
        sorts.iter().filter_map(elements).collect()
    }

    /// The same with what is left of a group.
    pub fn within(&self, rest: &Symmetry) -> Self {
        let mut conjunct = self.clone();
        for (i, _) in rest.sorts.iter().enumerate().filter(|(_, sort_group)| **sort_group == SortGroup::Fixed)
        {
            (conjunct.symmetry.sorts[i], conjunct.whole.sorts[i]) = (SortGroup::Fixed, SortGroup::Fixed);
        }
        conjunct
    }

    /// The permutations that can be used if the automaton's names are moved along in some sorts.
    pub fn symmetry_with(&self, movable: &Movable) -> Symmetry {
        let mut symmetry = self.symmetry.clone();
        for (sort, _) in movable {
            symmetry.sorts[sort.index()] = self.whole.sorts[sort.index()].clone();
        }
        symmetry
    }
}

/// Expanding quantifiers stops at so many parts.
const MOST_PARTS: usize = 20_000;

/// Takes a formula apart. It holds if all conjuncts do. Quantifiers are pulled to the front if `pull` says
/// so: not to is for comparisons. If elements that the formula names are given as names, with the
/// permutations that can then be used, local symmetries of its automaton can move them.
pub fn conjuncts<'s>(
    system: &'s System,
    formula: &'s Formula,
    symmetry: &Symmetry,
    pull: bool,
    named: Option<(&'s Named, &Symmetry)>,
) -> Result<Vec<Conjunct<'s>>, Stop> {
    let whole = Nnf::of(formula, false);
    let prefixed = match pull && whole.has_quantifier() {
        true => whole.split(),
        false => vec![(Vec::new(), whole)],
    };
    // Conjuncts with nothing in front are checked together.
    let (plain, mut quantified): (Vec<_>, Vec<_>) =
        prefixed.into_iter().partition(|(prefix, _)| prefix.is_empty());
    if !plain.is_empty() {
        let conjunction = Nnf::And(plain.into_iter().map(|(_, body)| body).collect());
        quantified.insert(0, (Vec::new(), conjunction));
    }
    let with_names = named.iter().flat_map(|(named, _)| &named.conditions);
    let with_names: NamedConditions<'s> =
        formula.conditions().into_iter().map(std::ptr::from_ref).zip(with_names).collect();
    let expand = |(tracked, body): (Vec<&'s Binder>, Nnf<'s>)| {
        let (atoms, expanded) = (Vec::new(), Vec::new());
        let (known, mentions) = (HashMap::default(), HashMap::default());
        let mut expansion =
            Expansion { system, atoms, known, mentions, parts: 0, expanded, named: &with_names };
        if body.expanded_size(system) > MOST_PARTS as u64 {
            return Err(too_many_parts());
        }
        let formula = expansion.ltl(&body, &mut Vec::new())?;
        let premise = expansion.premise(&body)?;
        for binder in &tracked {
            numbered(system, binder)?;
        }
        let types = expansion.expanded.iter();
        let mut expanded: Vec<SortId> = types.flat_map(|&ty| system.types.sorts_in(ty)).collect();
        expanded.sort_unstable();
        expanded.dedup();
        let names = with_names.values().flat_map(|(_, names)| names);
        let mut by_name: Vec<SortId> = names.flat_map(|(name, _)| system.types.sorts_in(name.ty)).collect();
        by_name.sort_unstable();
        by_name.dedup();
        let whole = named.map_or(symmetry, |(_, symmetry)| symmetry).clone();
        let (symmetry, atoms) = (without(symmetry, &expanded), expansion.atoms);
        Ok(Conjunct { tracked, formula, atoms, symmetry, whole, expanded, named: by_name, premise })
    };
    quantified.into_iter().map(expand).collect()
}

fn too_many_parts() -> Stop {
    Stop::too_large(format!(
        "its quantifiers under temporal operators expand to more than {MOST_PARTS} parts"
    ))
}

/// By condition: the same with names in place of elements, and what these stand for.
type NamedConditions<'s> = HashMap<*const Expr, &'s (Expr, Vec<(Binder, u64)>)>;

/// A condition, and the values of the names that it reads.
type AtomKey = (*const Expr, Vec<(Target, TypeId, u64)>);

/// Expands quantifiers: formulas over atoms.
struct Expansion<'n, 's> {
    system: &'s System,
    atoms: Vec<Atom<'s>>,
    /// The numbers of atoms, by the first with the same condition, and values.
    known: HashMap<AtomKey, AtomId>,
    /// By condition: what it reads, and the first condition that is equal to it.
    mentions: HashMap<*const Expr, (Rc<Mentions>, &'s Expr)>,
    parts: usize,
    /// The types of the quantifiers that were expanded.
    expanded: Vec<TypeId>,
    /// Conditions with names in place of elements, and what these stand for.
    named: &'n NamedConditions<'s>,
}

impl<'s> Expansion<'_, 's> {
    fn ltl(&mut self, part: &Nnf<'s>, bound: &mut Vec<(&'s Binder, u64)>) -> Result<Ltl, Stop> {
        poll();
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(too_many_parts());
        }
        Ok(match part {
            Nnf::Atom(condition, text, negated) => {
                let named = self.named.get(&std::ptr::from_ref(*condition)).copied();
                let condition = named.map_or(*condition, |(condition, _)| condition);
                let names = named.iter().flat_map(|(_, names)| names).map(|(name, value)| (name, *value));
                let bound: Vec<(&'s Binder, u64)> = bound.iter().copied().chain(names).collect();
                let (mentions, condition) = self.mentions(condition);
                let atom = match self.constant(condition, &mentions, &bound) {
                    Some(true) => Ltl::True,
                    Some(false) => Ltl::False,
                    None => {
                        // Instances that differ only in names that do not matter are one.
                        let needed = |name: &&(&'s Binder, u64)| self.system.depends_on(&mentions, name.0);
                        let needed = bound.iter().filter(needed).copied().collect();
                        Ltl::Atom(self.atom(condition, text, needed))
                    }
                };
                if *negated { Ltl::Not(Box::new(atom)) } else { atom }
            }
            Nnf::And(parts) => Ltl::And(self.all(parts, bound)?),
            Nnf::Or(parts) => Ltl::Or(self.all(parts, bound)?),
            // The premise is held negated.
            Nnf::Implies(sides) => Ltl::Or(self.all(&**sides, bound)?),
            Nnf::Forall(binder, body) => Ltl::And(self.values(binder, body, bound)?),
            Nnf::Exists(binder, body) => Ltl::Or(self.values(binder, body, bound)?),
            Nnf::Next(inner) => Ltl::Next(Box::new(self.ltl(inner, bound)?)),
            Nnf::Finally(inner) => Ltl::Finally(Box::new(self.ltl(inner, bound)?)),
            Nnf::Globally(inner) => Ltl::Globally(Box::new(self.ltl(inner, bound)?)),
            Nnf::Until(sides) => Ltl::Until(self.both(sides, bound)?),
            Nnf::Release(sides) => Ltl::Release(self.both(sides, bound)?),
            Nnf::WeakUntil(sides) => Ltl::WeakUntil(self.both(sides, bound)?),
            Nnf::StrongRelease(sides) => Ltl::StrongRelease(self.both(sides, bound)?),
        })
    }

    fn all(&mut self, parts: &[Nnf<'s>], bound: &mut Vec<(&'s Binder, u64)>) -> Result<Vec<Ltl>, Stop> {
        parts.iter().map(|part| self.ltl(part, bound)).collect()
    }

    fn both(
        &mut self,
        [left, right]: &[Nnf<'s>; 2],
        bound: &mut Vec<(&'s Binder, u64)>,
    ) -> Result<Box<[Ltl; 2]>, Stop> {
        Ok(Box::new([self.ltl(left, bound)?, self.ltl(right, bound)?]))
    }

    fn values(
        &mut self,
        binder: &'s Binder,
        body: &Nnf<'s>,
        bound: &mut Vec<(&'s Binder, u64)>,
    ) -> Result<Vec<Ltl>, Stop> {
        let size = numbered(self.system, binder)?;
        if !self.expanded.contains(&binder.ty) {
            self.expanded.push(binder.ty);
        }
        let mut parts = Vec::new();
        for number in 0..size {
            bound.push((binder, number));
            parts.push(self.ltl(body, bound)?);
            bound.pop();
        }
        Ok(parts)
    }

    /// The value of a condition that does not depend on the state, nor on tracked names.
    fn constant(
        &self,
        condition: &'s Expr,
        mentions: &Mentions,
        bound: &[(&'s Binder, u64)],
    ) -> Option<bool> {
        if bound.is_empty() || !mentions.only(bound.iter().map(|(binder, _)| *binder)) {
            return None;
        }
        let mut machine = self.system.machine();
        bound.iter().for_each(|(binder, number)| machine.bind(binder, *number));
        machine.holds(condition, &vec![0; self.system.words()]).ok()
    }

    fn atom(&mut self, condition: &'s Expr, text: &'s str, bound: Vec<(&'s Binder, u64)>) -> AtomId {
        poll();
        let values = bound.iter().map(|(name, value)| (name.target, name.ty, *value)).collect();
        let next = AtomId(self.atoms.len() as u32);
        let number = *self.known.entry((std::ptr::from_ref(condition), values)).or_insert(next);
        if number == next {
            self.atoms.push(Atom { condition, text, bound });
        }
        number
    }

    /// What a condition reads, and the first that is equal to it.
    fn mentions(&mut self, condition: &'s Expr) -> (Rc<Mentions>, &'s Expr) {
        let at = std::ptr::from_ref(condition);
        if let Some(known) = self.mentions.get(&at) {
            return known.clone();
        }
        let equal = self.mentions.values().find(|(_, first)| *first == condition).cloned();
        let found = equal.unwrap_or_else(|| (Rc::new(self.system.mentions(condition)), condition));
        self.mentions.insert(at, found.clone());
        found
    }

    /// See [`Conjunct::premise`].
    fn premise(&mut self, part: &Nnf<'s>) -> Result<Option<(Ltl, Option<&'s str>)>, Stop> {
        let (always, inner) = match part {
            Nnf::Globally(inner) => (true, &**inner),
            Nnf::And(parts) if parts.len() == 1 => return self.premise(&parts[0]),
            other => (false, other),
        };
        let Nnf::Implies(sides) = inner else { return Ok(None) };
        let text = match &sides[0] {
            Nnf::Atom(_, text, _) => Some(*text),
            _ => None,
        };
        let never = self.ltl(&sides[0], &mut Vec::new())?;
        Ok(Some((if always { Ltl::Globally(Box::new(never)) } else { never }, text)))
    }
}

/// How many values a quantified name has.
fn numbered(system: &System, binder: &Binder) -> Result<u64, Stop> {
    let refuse = |what: &str| {
        Err(Stop::too_large(format!("a quantifier with temporal operators inside ranges over {what}")))
    };
    match (&binder.domain, system.types.size(binder.ty)) {
        (Domain::Collection(_), _) => refuse("a collection that changes"),
        (Domain::Type, None) => refuse("a type with too many values"),
        (Domain::Type, Some(size)) => Ok(size),
    }
}

/// What is left of a group when all elements of some sorts must stay where they are.
fn without(symmetry: &Symmetry, fixed: &[SortId]) -> Symmetry {
    if fixed.is_empty() {
        return symmetry.clone();
    }
    let sort_group = |(i, sort_group): (usize, &SortGroup)| match fixed.contains(&SortId(i as u32)) {
        true => SortGroup::Fixed,
        false => sort_group.clone(),
    };
    let stays = |permutation: &&SparsePermutation| fixed.iter().all(|&sort| !permutation.moves(sort));
    Symmetry {
        sorts: symmetry.sorts.iter().enumerate().map(sort_group).collect(),
        generators: symmetry.generators.iter().filter(stays).cloned().collect(),
        base: Vec::new(),
    }
}
