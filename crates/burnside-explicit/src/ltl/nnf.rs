//! Negation normal form of linear-time formulas, and universal quantifiers pulled to the front of its
//! conjuncts.
//!
//! Entry points: [`Nnf::of`], [`Nnf::split`]. Universal quantifiers go through conjunctions, `G`, `X`, the
//! right side of `R` and `M`, the left side of `U` and `W`, and out of a disjunction of which they are the
//! only quantified side.

use burnside_limits::poll;
use burnside_ts::{Binder, Expr, Formula, System, Temporal};

/// Conjuncts with the universally quantified names in front of them.
type Prefixed<'s> = Vec<(Vec<&'s Binder>, Nnf<'s>)>;

/// A formula in negation normal form as far as quantifiers matter, with references into the system's.
#[derive(Clone, Debug)]
pub(super) enum Nnf<'s> {
    /// A condition, negated or not.
    Atom(&'s Expr, &'s str, bool),
    And(Vec<Nnf<'s>>),
    Or(Vec<Nnf<'s>>),
    /// `p -> q` is kept as it is written to find it again.
    Implies(Box<[Nnf<'s>; 2]>),
    Forall(&'s Binder, Box<Nnf<'s>>),
    Exists(&'s Binder, Box<Nnf<'s>>),
    Next(Box<Nnf<'s>>),
    Finally(Box<Nnf<'s>>),
    Globally(Box<Nnf<'s>>),
    Until(Box<[Nnf<'s>; 2]>),
    Release(Box<[Nnf<'s>; 2]>),
    WeakUntil(Box<[Nnf<'s>; 2]>),
    StrongRelease(Box<[Nnf<'s>; 2]>),
}

impl<'s> Nnf<'s> {
    /// The formula, or its negation.
    pub fn of(formula: &'s Formula, negated: bool) -> Self {
        let one = |inner: &'s Formula| Box::new(Nnf::of(inner, negated));
        let two = |[a, b]: &'s [Formula; 2]| Box::new([Nnf::of(a, negated), Nnf::of(b, negated)]);
        match formula {
            Formula::Atom(condition, text) => Nnf::Atom(condition, text, negated),
            Formula::Step(_) => unreachable!("properties about steps are asked of a system that remembers"),
            Formula::Not(inner) => Nnf::of(inner, !negated),
            Formula::And(sides) if negated => Nnf::Or((*two(sides)).into()),
            Formula::And(sides) => Nnf::And((*two(sides)).into()),
            Formula::Or(sides) if negated => Nnf::And((*two(sides)).into()),
            Formula::Or(sides) => Nnf::Or((*two(sides)).into()),
            Formula::Implies(sides) if negated => {
                Nnf::And(vec![Nnf::of(&sides[0], false), Nnf::of(&sides[1], true)])
            }
            Formula::Implies(sides) => {
                Nnf::Implies(Box::new([Nnf::of(&sides[0], true), Nnf::of(&sides[1], false)]))
            }
            Formula::Iff(sides) => {
                let [a, b] = &**sides;
                let both = vec![Nnf::of(a, false), Nnf::of(b, negated)];
                let neither = vec![Nnf::of(a, true), Nnf::of(b, !negated)];
                Nnf::Or(vec![Nnf::And(both), Nnf::And(neither)])
            }
            Formula::Forall(binder, body) if negated => Nnf::Exists(binder, one(body)),
            Formula::Forall(binder, body) => Nnf::Forall(binder, one(body)),
            Formula::Exists(binder, body) if negated => Nnf::Forall(binder, one(body)),
            Formula::Exists(binder, body) => Nnf::Exists(binder, one(body)),
            Formula::Temporal(_, operator) => match operator {
                Temporal::Next(inner) => Nnf::Next(one(inner)),
                Temporal::Finally(inner) if negated => Nnf::Globally(one(inner)),
                Temporal::Finally(inner) => Nnf::Finally(one(inner)),
                Temporal::Globally(inner) if negated => Nnf::Finally(one(inner)),
                Temporal::Globally(inner) => Nnf::Globally(one(inner)),
                Temporal::Until(sides) if negated => Nnf::Release(two(sides)),
                Temporal::Until(sides) => Nnf::Until(two(sides)),
                Temporal::Release(sides) if negated => Nnf::Until(two(sides)),
                Temporal::Release(sides) => Nnf::Release(two(sides)),
                Temporal::WeakUntil(sides) if negated => Nnf::StrongRelease(two(sides)),
                Temporal::WeakUntil(sides) => Nnf::WeakUntil(two(sides)),
                Temporal::StrongRelease(sides) if negated => Nnf::WeakUntil(two(sides)),
                Temporal::StrongRelease(sides) => Nnf::StrongRelease(two(sides)),
            },
        }
    }

    /// The formulas directly inside.
    fn children(&self) -> &[Nnf<'s>] {
        match self {
            Nnf::Atom(..) => &[],
            Nnf::And(parts) | Nnf::Or(parts) => parts,
            Nnf::Forall(_, inner)
            | Nnf::Exists(_, inner)
            | Nnf::Next(inner)
            | Nnf::Finally(inner)
            | Nnf::Globally(inner) => std::slice::from_ref(&**inner),
            Nnf::Implies(sides)
            | Nnf::Until(sides)
            | Nnf::Release(sides)
            | Nnf::WeakUntil(sides)
            | Nnf::StrongRelease(sides) => &**sides,
        }
    }

    pub fn has_quantifier(&self) -> bool {
        matches!(self, Nnf::Forall(..) | Nnf::Exists(..)) || self.children().iter().any(Nnf::has_quantifier)
    }

    /// How many subformulas there are when the quantifiers are expanded.
    pub fn expanded_size(&self, system: &System) -> u64 {
        let times = match self {
            // A type without numbers is refused for that.
            Nnf::Forall(binder, _) | Nnf::Exists(binder, _) => system.types.size(binder.ty).unwrap_or(0),
            _ => 1,
        };
        let sizes = self.children().iter().map(|inner| inner.expanded_size(system));
        times.saturating_mul(sizes.fold(0, u64::saturating_add)).saturating_add(1)
    }

    /// Conjuncts, each with the names that could be pulled in front of it.
    pub fn split(self) -> Prefixed<'s> {
        poll();
        let wrap = |conjuncts: Prefixed<'s>, with: &dyn Fn(Nnf<'s>) -> Nnf<'s>| -> Prefixed<'s> {
            conjuncts.into_iter().map(|(prefix, part)| (prefix, with(part))).collect()
        };
        match self {
            Nnf::And(parts) => parts.into_iter().flat_map(Nnf::split).collect(),
            Nnf::Forall(binder, body) => {
                let mut conjuncts = body.split();
                conjuncts.iter_mut().for_each(|(prefix, _)| prefix.insert(0, binder));
                conjuncts
            }
            Nnf::Globally(inner) => wrap(inner.split(), &|part| Nnf::Globally(Box::new(part))),
            Nnf::Next(inner) => wrap(inner.split(), &|part| Nnf::Next(Box::new(part))),
            Nnf::Release(sides) => {
                let [left, right] = *sides;
                wrap(right.split(), &|part| Nnf::Release(Box::new([left.clone(), part])))
            }
            Nnf::StrongRelease(sides) => {
                let [left, right] = *sides;
                wrap(right.split(), &|part| Nnf::StrongRelease(Box::new([left.clone(), part])))
            }
            Nnf::Until(sides) => {
                let [left, right] = *sides;
                wrap(left.split(), &|part| Nnf::Until(Box::new([part, right.clone()])))
            }
            Nnf::WeakUntil(sides) => {
                let [left, right] = *sides;
                wrap(left.split(), &|part| Nnf::WeakUntil(Box::new([part, right.clone()])))
            }
            Nnf::Implies(sides) if !sides[0].has_quantifier() => {
                let [premise, conclusion] = *sides;
                wrap(conclusion.split(), &|part| Nnf::Implies(Box::new([premise.clone(), part])))
            }
            Nnf::Implies(sides) if !sides[1].has_quantifier() => {
                let [premise, conclusion] = *sides;
                wrap(premise.split(), &|part| Nnf::Implies(Box::new([part, conclusion.clone()])))
            }
            Nnf::Or(mut parts) if parts.iter().filter(|part| part.has_quantifier()).count() == 1 => {
                let at = parts.iter().position(Nnf::has_quantifier).expect("there is one");
                let quantified = parts.remove(at);
                wrap(quantified.split(), &|part| {
                    Nnf::Or(parts.iter().cloned().chain([part]).collect::<Vec<_>>())
                })
            }
            other => vec![(Vec::new(), other)],
        }
    }
}
