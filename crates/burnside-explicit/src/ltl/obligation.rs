//! What has to be shown for a linear-time property: its conjuncts, each for the indices that are quantified in front of it.
//!
//! Entry point: [`obligations`]. Universal quantifiers are pulled to the front as far as they go: through conjunctions, `G`, `X`,
//! the right side of `R` and `M` and the left side of `U` and `W`, all of which distribute over "for all". A quantifier in front becomes a *tracked*
//! index, for which one representative of each orbit is enough. The quantifiers that remain inside are expanded over the values of their type;
//! the atoms then name these values, so the sorts they belong to lose their symmetry, but for what local symmetries of the automaton can make
//! of it ([`Obligation::movable`]).

use crate::fair::{Atom, Movable};
use burnside_logic::{AtomId, Ltl};
use burnside_ts::{
    Binder, Domain, Expr, Formula, Freedom, Machine, Mentions, Motion, Named, SortId, Symmetry, System,
    Temporal, TypeId,
};
use foldhash::HashMap;

/// One conjunct of a property: for all values of the tracked names, on all fair runs, the formula.
#[derive(Clone, Debug)]
pub struct Obligation<'s> {
    /// The names in front.
    pub tracked: Vec<&'s Binder>,
    /// The rest, over the atoms.
    pub formula: Ltl,
    /// The atoms.
    pub atoms: Vec<Atom<'s>>,
    /// Motions that leave the atoms as they are if they move the tracked values along.
    pub symmetry: Symmetry,
    /// Motions that do so or turn atoms into others with other elements.
    whole: Symmetry,
    /// The sorts of the quantifiers that were expanded.
    expanded: Vec<SortId>,
    /// The sorts of elements that the formula names.
    named: Vec<SortId>,
    /// If the formula is `p -> q` or `G (p -> q)`: the same with `!p` in place of the implication, and the text of `p` if it is an atom.
    pub premise: Option<(Ltl, Option<&'s str>)>,
}

impl Obligation<'_> {
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

    /// The sorts of expanded quantifiers, and of elements that are named, with what the system allows to be done to their elements: local symmetries of the
    /// automaton may do it too.
    pub fn movable(&self) -> Movable {
        let elements = |&sort: &SortId| match &self.whole.sorts[sort.index()] {
            Freedom::Fixed => None,
            freedom => Some((sort, freedom.clone())),
        };
        let mut sorts = [&self.expanded[..], &self.named].concat();
        sorts.sort_unstable();
        sorts.dedup();
        sorts.iter().filter_map(elements).collect()
    }

    /// The motions that can be used if the automaton's names are moved along in some sorts.
    pub fn symmetry_with(&self, movable: &Movable) -> Symmetry {
        let mut symmetry = self.symmetry.clone();
        for (sort, _) in movable {
            symmetry.sorts[sort.index()] = self.whole.sorts[sort.index()].clone();
        }
        symmetry
    }
}

/// A property that cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub String);

/// Expanding quantifiers stops at so many parts.
const MOST_PARTS: usize = 20_000;

/// Takes a formula apart. It holds if all obligations do. Quantifiers are pulled to the front if `pull` says so: not to is for comparisons. If elements that the
/// formula names are given as names, with the motions that can then be used, local symmetries of its automaton can move them.
pub fn obligations<'s>(
    system: &'s System,
    formula: &'s Formula,
    symmetry: &Symmetry,
    pull: bool,
    named: Option<(&'s Named, &Symmetry)>,
) -> Result<Vec<Obligation<'s>>, TooLarge> {
    let whole = Part::of(formula, false);
    let parts = match pull && whole.has_quantifier() {
        true => whole.split(),
        false => vec![(Vec::new(), whole)],
    };
    // Conjuncts with nothing in front are checked together.
    let (plain, mut quantified): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|(front, _)| front.is_empty());
    if !plain.is_empty() {
        let together = Part::And(plain.into_iter().map(|(_, part)| part).collect());
        quantified.insert(0, (Vec::new(), together));
    }
    let mut conditions = Vec::new();
    atoms_in_order(formula, &mut conditions);
    let with_names = named.iter().flat_map(|(named, _)| &named.conditions);
    let with_names: WithNames<'s> = conditions.into_iter().map(std::ptr::from_ref).zip(with_names).collect();
    let expand = |(tracked, part): (Vec<&'s Binder>, Part<'s>)| {
        let (atoms, expanded) = (Vec::new(), Vec::new());
        let mut expansion = Expansion { system, atoms, parts: 0, expanded, named: &with_names };
        let formula = expansion.ltl(&part, &mut Vec::new())?;
        let premise = expansion.premise(&part)?;
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
        Ok(Obligation { tracked, formula, atoms, symmetry, whole, expanded, named: by_name, premise })
    };
    quantified.into_iter().map(expand).collect()
}

/// A formula in negation normal form as far as quantifiers matter, with references into the system's.
#[derive(Clone, Debug)]
enum Part<'s> {
    /// A condition, negated or not.
    Atom(&'s Expr, &'s str, bool),
    And(Vec<Part<'s>>),
    Or(Vec<Part<'s>>),
    /// `p -> q` is kept as it is written to find it again.
    Implies(Box<[Part<'s>; 2]>),
    Forall(&'s Binder, Box<Part<'s>>),
    Exists(&'s Binder, Box<Part<'s>>),
    Next(Box<Part<'s>>),
    Finally(Box<Part<'s>>),
    Globally(Box<Part<'s>>),
    Until(Box<[Part<'s>; 2]>),
    Release(Box<[Part<'s>; 2]>),
    WeakUntil(Box<[Part<'s>; 2]>),
    StrongRelease(Box<[Part<'s>; 2]>),
}

impl<'s> Part<'s> {
    /// The formula, or its negation.
    fn of(formula: &'s Formula, negated: bool) -> Self {
        let one = |inner: &'s Formula| Box::new(Part::of(inner, negated));
        let two = |[a, b]: &'s [Formula; 2]| Box::new([Part::of(a, negated), Part::of(b, negated)]);
        match formula {
            Formula::Atom(condition, text) => Part::Atom(condition, text, negated),
            Formula::Not(inner) => Part::of(inner, !negated),
            Formula::And(sides) if negated => Part::Or((*two(sides)).into()),
            Formula::And(sides) => Part::And((*two(sides)).into()),
            Formula::Or(sides) if negated => Part::And((*two(sides)).into()),
            Formula::Or(sides) => Part::Or((*two(sides)).into()),
            Formula::Implies(sides) if negated => {
                Part::And(vec![Part::of(&sides[0], false), Part::of(&sides[1], true)])
            }
            Formula::Implies(sides) => {
                Part::Implies(Box::new([Part::of(&sides[0], true), Part::of(&sides[1], false)]))
            }
            Formula::Iff(sides) => {
                let [a, b] = &**sides;
                let both = vec![Part::of(a, false), Part::of(b, negated)];
                let neither = vec![Part::of(a, true), Part::of(b, !negated)];
                Part::Or(vec![Part::And(both), Part::And(neither)])
            }
            Formula::Forall(binder, body) if negated => Part::Exists(binder, one(body)),
            Formula::Forall(binder, body) => Part::Forall(binder, one(body)),
            Formula::Exists(binder, body) if negated => Part::Forall(binder, one(body)),
            Formula::Exists(binder, body) => Part::Exists(binder, one(body)),
            Formula::Temporal(_, operator) => match operator {
                Temporal::Next(inner) => Part::Next(one(inner)),
                Temporal::Finally(inner) if negated => Part::Globally(one(inner)),
                Temporal::Finally(inner) => Part::Finally(one(inner)),
                Temporal::Globally(inner) if negated => Part::Finally(one(inner)),
                Temporal::Globally(inner) => Part::Globally(one(inner)),
                Temporal::Until(sides) if negated => Part::Release(two(sides)),
                Temporal::Until(sides) => Part::Until(two(sides)),
                Temporal::Release(sides) if negated => Part::Until(two(sides)),
                Temporal::Release(sides) => Part::Release(two(sides)),
                Temporal::WeakUntil(sides) if negated => Part::StrongRelease(two(sides)),
                Temporal::WeakUntil(sides) => Part::WeakUntil(two(sides)),
                Temporal::StrongRelease(sides) if negated => Part::WeakUntil(two(sides)),
                Temporal::StrongRelease(sides) => Part::StrongRelease(two(sides)),
            },
        }
    }

    fn has_quantifier(&self) -> bool {
        match self {
            Part::Atom(..) => false,
            Part::Forall(..) | Part::Exists(..) => true,
            Part::And(parts) | Part::Or(parts) => parts.iter().any(Part::has_quantifier),
            Part::Next(inner) | Part::Finally(inner) | Part::Globally(inner) => inner.has_quantifier(),
            Part::Implies(sides)
            | Part::Until(sides)
            | Part::Release(sides)
            | Part::WeakUntil(sides)
            | Part::StrongRelease(sides) => sides.iter().any(Part::has_quantifier),
        }
    }

    /// Conjuncts with the names in front of them.
    fn split(self) -> Vec<(Vec<&'s Binder>, Part<'s>)> {
        type Conjuncts<'s> = Vec<(Vec<&'s Binder>, Part<'s>)>;
        let wrap = |conjuncts: Conjuncts<'s>, with: &dyn Fn(Part<'s>) -> Part<'s>| -> Conjuncts<'s> {
            conjuncts.into_iter().map(|(front, part)| (front, with(part))).collect()
        };
        match self {
            Part::And(parts) => parts.into_iter().flat_map(Part::split).collect(),
            Part::Forall(binder, body) => {
                let mut conjuncts = body.split();
                conjuncts.iter_mut().for_each(|(front, _)| front.insert(0, binder));
                conjuncts
            }
            Part::Globally(inner) => wrap(inner.split(), &|part| Part::Globally(Box::new(part))),
            Part::Next(inner) => wrap(inner.split(), &|part| Part::Next(Box::new(part))),
            Part::Release(sides) => {
                let [left, right] = *sides;
                wrap(right.split(), &|part| Part::Release(Box::new([left.clone(), part])))
            }
            Part::StrongRelease(sides) => {
                let [left, right] = *sides;
                wrap(right.split(), &|part| Part::StrongRelease(Box::new([left.clone(), part])))
            }
            Part::Until(sides) => {
                let [left, right] = *sides;
                wrap(left.split(), &|part| Part::Until(Box::new([part, right.clone()])))
            }
            Part::WeakUntil(sides) => {
                let [left, right] = *sides;
                wrap(left.split(), &|part| Part::WeakUntil(Box::new([part, right.clone()])))
            }
            Part::Implies(sides) if !sides[0].has_quantifier() => {
                let [premise, conclusion] = *sides;
                wrap(conclusion.split(), &|part| Part::Implies(Box::new([premise.clone(), part])))
            }
            Part::Implies(sides) if !sides[1].has_quantifier() => {
                let [premise, conclusion] = *sides;
                wrap(premise.split(), &|part| Part::Implies(Box::new([part, conclusion.clone()])))
            }
            Part::Or(mut parts) if parts.iter().filter(|part| part.has_quantifier()).count() == 1 => {
                let at = parts.iter().position(Part::has_quantifier).expect("there is one");
                let quantified = parts.remove(at);
                wrap(quantified.split(), &|part| {
                    Part::Or(parts.iter().cloned().chain([part]).collect::<Vec<_>>())
                })
            }
            other => vec![(Vec::new(), other)],
        }
    }
}

/// By condition: the same with names in place of elements, and what these stand for.
type WithNames<'s> = HashMap<*const Expr, &'s (Expr, Vec<(Binder, u64)>)>;

/// Turns parts into formulas over atoms.
struct Expansion<'n, 's> {
    system: &'s System,
    atoms: Vec<Atom<'s>>,
    parts: usize,
    /// The types of the quantifiers that were expanded.
    expanded: Vec<TypeId>,
    /// Conditions with names in place of elements, and what these stand for.
    named: &'n WithNames<'s>,
}

impl<'s> Expansion<'_, 's> {
    fn ltl(&mut self, part: &Part<'s>, bound: &mut Vec<(&'s Binder, u64)>) -> Result<Ltl, TooLarge> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(TooLarge(format!(
                "its quantifiers under temporal operators expand to more than {MOST_PARTS} parts"
            )));
        }
        Ok(match part {
            Part::Atom(condition, text, negated) => {
                let named = self.named.get(&std::ptr::from_ref(*condition)).copied();
                let condition = named.map_or(*condition, |(condition, _)| condition);
                let names = named.iter().flat_map(|(_, names)| names).map(|(name, value)| (name, *value));
                let bound: Vec<(&'s Binder, u64)> = bound.iter().copied().chain(names).collect();
                let mentions = self.system.mentions(condition);
                let atom = match self.constant(condition, &mentions, &bound) {
                    Some(true) => Ltl::True,
                    Some(false) => Ltl::False,
                    None => {
                        // Instances that differ only in names that do not matter are one.
                        let needed =
                            bound.iter().copied().filter(|(binder, _)| mentions.name(binder)).collect();
                        Ltl::Atom(self.atom(condition, text, needed))
                    }
                };
                if *negated { Ltl::Not(Box::new(atom)) } else { atom }
            }
            Part::And(parts) => Ltl::And(self.all(parts, bound)?),
            Part::Or(parts) => Ltl::Or(self.all(parts, bound)?),
            // The premise is held negated.
            Part::Implies(sides) => Ltl::Or(self.all(&**sides, bound)?),
            Part::Forall(binder, body) => Ltl::And(self.values(binder, body, bound)?),
            Part::Exists(binder, body) => Ltl::Or(self.values(binder, body, bound)?),
            Part::Next(inner) => Ltl::Next(Box::new(self.ltl(inner, bound)?)),
            Part::Finally(inner) => Ltl::Finally(Box::new(self.ltl(inner, bound)?)),
            Part::Globally(inner) => Ltl::Globally(Box::new(self.ltl(inner, bound)?)),
            Part::Until(sides) => Ltl::Until(self.both(sides, bound)?),
            Part::Release(sides) => Ltl::Release(self.both(sides, bound)?),
            Part::WeakUntil(sides) => Ltl::WeakUntil(self.both(sides, bound)?),
            Part::StrongRelease(sides) => Ltl::StrongRelease(self.both(sides, bound)?),
        })
    }

    fn all(&mut self, parts: &[Part<'s>], bound: &mut Vec<(&'s Binder, u64)>) -> Result<Vec<Ltl>, TooLarge> {
        parts.iter().map(|part| self.ltl(part, bound)).collect()
    }

    fn both(
        &mut self,
        [left, right]: &[Part<'s>; 2],
        bound: &mut Vec<(&'s Binder, u64)>,
    ) -> Result<Box<[Ltl; 2]>, TooLarge> {
        Ok(Box::new([self.ltl(left, bound)?, self.ltl(right, bound)?]))
    }

    fn values(
        &mut self,
        binder: &'s Binder,
        body: &Part<'s>,
        bound: &mut Vec<(&'s Binder, u64)>,
    ) -> Result<Vec<Ltl>, TooLarge> {
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
        let mut machine = Machine::new(self.system);
        bound.iter().for_each(|(binder, number)| machine.bind(binder, *number));
        machine.holds(condition, &vec![0; self.system.words()]).ok()
    }

    fn atom(&mut self, condition: &'s Expr, text: &'s str, bound: Vec<(&'s Binder, u64)>) -> AtomId {
        let atom = Atom { condition, text, bound };
        let at = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        AtomId(at as u32)
    }

    /// See [`Obligation::premise`].
    fn premise(&mut self, part: &Part<'s>) -> Result<Option<(Ltl, Option<&'s str>)>, TooLarge> {
        let (always, inner) = match part {
            Part::Globally(inner) => (true, &**inner),
            Part::And(parts) if parts.len() == 1 => return self.premise(&parts[0]),
            other => (false, other),
        };
        let Part::Implies(sides) = inner else { return Ok(None) };
        let text = match &sides[0] {
            Part::Atom(_, text, _) => Some(*text),
            _ => None,
        };
        let never = self.ltl(&sides[0], &mut Vec::new())?;
        Ok(Some((if always { Ltl::Globally(Box::new(never)) } else { never }, text)))
    }
}

/// The conditions of a formula, in the order of its text.
fn atoms_in_order<'s>(formula: &'s Formula, out: &mut Vec<&'s Expr>) {
    match formula {
        Formula::Atom(condition, _) => out.push(condition),
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
            atoms_in_order(inner, out);
        }
        Formula::And(sides) | Formula::Or(sides) | Formula::Implies(sides) | Formula::Iff(sides) => {
            sides.iter().for_each(|side| atoms_in_order(side, out));
        }
        Formula::Temporal(_, operator) => match operator {
            Temporal::Next(inner) | Temporal::Finally(inner) | Temporal::Globally(inner) => {
                atoms_in_order(inner, out);
            }
            Temporal::Until(sides)
            | Temporal::Release(sides)
            | Temporal::WeakUntil(sides)
            | Temporal::StrongRelease(sides) => sides.iter().for_each(|side| atoms_in_order(side, out)),
        },
    }
}

/// How many values a quantified name has.
fn numbered(system: &System, binder: &Binder) -> Result<u64, TooLarge> {
    let refuse =
        |what: &str| Err(TooLarge(format!("a quantifier with temporal operators inside ranges over {what}")));
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
    let freedom = |(i, freedom): (usize, &Freedom)| match fixed.contains(&SortId(i as u32)) {
        true => Freedom::Fixed,
        false => freedom.clone(),
    };
    let stays = |motion: &&Motion| {
        let identity = |images: &[u32]| images.iter().enumerate().all(|(i, &image)| i == image as usize);
        fixed.iter().all(|sort| identity(&motion.images[sort.index()]))
    };
    Symmetry {
        sorts: symmetry.sorts.iter().enumerate().map(freedom).collect(),
        generators: symmetry.generators.iter().filter(stays).cloned().collect(),
    }
}
