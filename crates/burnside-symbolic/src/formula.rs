//! Temporal formulas with their quantifiers written out: conditions with the values of their names.
//!
//! Entry points:
//! [`parts`] takes a linear-time formula apart into conjuncts that are checked one by one, [`Expansion`]
//! turns each into propositional form.

use crate::store::Out;
use burnside_limits::Stop;
use burnside_logic::{AtomId, Ltl};
use burnside_ts::{Binder, Domain, Expr, Formula, System, Temporal};

/// A condition with the values of its free names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom<'s> {
    pub condition: &'s Expr,
    pub bound: Bound<'s>,
}

/// The values of names.
pub(crate) type Bound<'s> = Vec<(&'s Binder, u64)>;

/// Writing quantifiers out stops at so many parts.
pub(crate) const MOST_PARTS: usize = 20_000;

/// The values of a quantified name.
pub(crate) fn values(system: &System, binder: &Binder) -> Out<std::ops::Range<u64>> {
    match (&binder.domain, system.types.size(binder.ty)) {
        (Domain::Type, Some(size)) if size <= MOST_PARTS as u64 => Ok(0..size),
        _ => Err(Stop::too_large("a quantifier ranges over too much".to_string())),
    }
}

/// A conjunct of a formula: always, if so, a formula with values for its free names.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct<'s> {
    pub always: bool,
    pub formula: &'s Formula,
    pub bound: Bound<'s>,
}

/// The conjuncts of a formula: quantifiers and conjunctions in front, or behind a `G` in front, are written
/// out.
pub(crate) fn parts<'s>(system: &System, formula: &'s Formula) -> Out<Vec<Conjunct<'s>>> {
    let (mut todo, mut done) = (vec![Conjunct { always: false, formula, bound: Vec::new() }], Vec::new());
    while let Some(Conjunct { always, formula, bound }) = todo.pop() {
        let inner = |formula, always, bound| Conjunct { always, formula, bound };
        match formula {
            Formula::And(sides) => {
                todo.extend(sides.iter().map(|side| inner(side, always, bound.clone())));
            }
            Formula::Forall(binder, body) => todo.extend(values(system, binder)?.map(|number| {
                let bound = bound.iter().copied().chain([(binder, number)]).collect();
                inner(&**body, always, bound)
            })),
            Formula::Temporal(None, Temporal::Globally(body)) => todo.push(inner(&**body, true, bound)),
            _ => done.push(Conjunct { always, formula, bound }),
        }
        if todo.len() + done.len() > MOST_PARTS {
            return Err(too_many());
        }
    }
    done.reverse();
    Ok(done)
}

fn too_many() -> Stop {
    Stop::too_large(format!("its quantifiers expand to more than {MOST_PARTS} parts"))
}

/// Formulas in propositional form.
pub(crate) struct Expansion<'s> {
    system: &'s System,
    pub atoms: Vec<Atom<'s>>,
    parts: usize,
}

impl<'s> Expansion<'s> {
    pub fn new(system: &'s System) -> Self {
        Self { system, atoms: Vec::new(), parts: 0 }
    }

    /// The number of an atom.
    pub fn atom(&mut self, atom: Atom<'s>) -> usize {
        self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        })
    }

    /// A conjunct as a formula over atoms.
    pub fn conjunct(&mut self, conjunct: &Conjunct<'s>) -> Out<Ltl> {
        let mut bound = conjunct.bound.clone();
        let formula = self.ltl(conjunct.formula, &mut bound)?;
        Ok(if conjunct.always { Ltl::Globally(Box::new(formula)) } else { formula })
    }

    /// Notes the conditions of any formula.
    pub fn every(&mut self, formula: &'s Formula) -> Out<()> {
        self.ltl(formula, &mut Vec::new()).map(|_| ())
    }

    fn ltl(&mut self, formula: &'s Formula, bound: &mut Bound<'s>) -> Out<Ltl> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(too_many());
        }
        Ok(match formula {
            Formula::Atom(condition, _) => {
                Ltl::Atom(AtomId(self.atom(Atom { condition, bound: bound.clone() }) as u32))
            }
            Formula::Step(_) => unreachable!("properties about steps are asked of a system that remembers"),
            Formula::Not(inner) => Ltl::Not(Box::new(self.ltl(inner, bound)?)),
            Formula::And(sides) => Ltl::And(self.pair(sides, bound)?.to_vec()),
            Formula::Or(sides) => Ltl::Or(self.pair(sides, bound)?.to_vec()),
            Formula::Implies(sides) => Ltl::Implies(self.pair(sides, bound)?),
            Formula::Iff(sides) => Ltl::Iff(self.pair(sides, bound)?),
            Formula::Forall(binder, body) => Ltl::And(self.each(binder, body, bound)?),
            Formula::Exists(binder, body) => Ltl::Or(self.each(binder, body, bound)?),
            Formula::Temporal(_, operator) => self.temporal(operator, bound)?,
        })
    }

    fn temporal(&mut self, operator: &'s Temporal, bound: &mut Bound<'s>) -> Out<Ltl> {
        Ok(match operator {
            Temporal::Next(inner) => Ltl::Next(Box::new(self.ltl(inner, bound)?)),
            Temporal::Finally(inner) => Ltl::Finally(Box::new(self.ltl(inner, bound)?)),
            Temporal::Globally(inner) => Ltl::Globally(Box::new(self.ltl(inner, bound)?)),
            Temporal::Until(sides) => Ltl::Until(self.pair(sides, bound)?),
            Temporal::Release(sides) => Ltl::Release(self.pair(sides, bound)?),
            Temporal::WeakUntil(sides) => Ltl::WeakUntil(self.pair(sides, bound)?),
            Temporal::StrongRelease(sides) => Ltl::StrongRelease(self.pair(sides, bound)?),
        })
    }

    fn pair(&mut self, sides: &'s [Formula; 2], bound: &mut Bound<'s>) -> Out<Box<[Ltl; 2]>> {
        Ok(Box::new([self.ltl(&sides[0], bound)?, self.ltl(&sides[1], bound)?]))
    }

    fn each(&mut self, binder: &'s Binder, body: &'s Formula, bound: &mut Bound<'s>) -> Out<Vec<Ltl>> {
        let mut all = Vec::new();
        for number in values(self.system, binder)? {
            bound.push((binder, number));
            all.push(self.ltl(body, bound)?);
            bound.pop();
        }
        Ok(all)
    }
}
