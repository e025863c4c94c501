//! Formulas as lists of operations, subformulas first, each once.
//!
//! Entry point: [`Outline::of`]. All path operators come down to three: `EX`, `E[· U ·]` and `A[· U ·]`. A quantifier over elements that the group moves opens a
//! *sub-outline*, which is judged on the graph that tracks one more element: so nothing is expanded and no symmetry is lost. Over other values a quantifier is written
//! out. The [`Plan`] keeps the shape of the formula as it was written, for evidence.

use crate::fair::Atom;
use crate::ltl::TooLarge;
use burnside_ts::{Binder, Domain, Formula, Path, Symmetry, System, Temporal};

/// An operation: where it is true depends on where earlier ones are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    True,
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    /// `EX`
    Next(usize),
    /// `E[· U ·]`
    Exists(usize, usize),
    /// `A[· U ·]`
    All(usize, usize),
    /// A quantifier: see [`Outline::subs`].
    Quantified(usize),
}

/// A formula as it was written, with the operation that says where it is true.
#[derive(Clone, Debug)]
pub(super) struct Plan<'s> {
    pub formula: &'s Formula,
    pub op: usize,
    /// The formulas inside; for a quantifier that is written out, one for each value.
    pub parts: Vec<Plan<'s>>,
    /// For a quantifier that is tracked: which sub-outline.
    pub sub: Option<usize>,
}

/// Operations on one graph.
#[derive(Clone, Debug)]
pub(super) struct Outline<'s> {
    pub ops: Vec<Op>,
    pub atoms: Vec<Atom<'s>>,
    pub plan: Plan<'s>,
    pub subs: Vec<Sub<'s>>,
}

/// A quantifier over tracked elements.
#[derive(Clone, Debug)]
pub(super) struct Sub<'s> {
    pub binder: &'s Binder,
    pub forall: bool,
    pub outline: Outline<'s>,
}

/// More operations than this are refused.
const MOST_OPS: usize = 20_000;

impl<'s> Outline<'s> {
    pub fn of(system: &'s System, formula: &'s Formula, symmetry: &Symmetry) -> Result<Self, TooLarge> {
        Compiler::compile(system, symmetry, formula, Vec::new())
    }
}

struct Compiler<'c, 's> {
    system: &'s System,
    symmetry: &'c Symmetry,
    ops: Vec<Op>,
    atoms: Vec<Atom<'s>>,
    subs: Vec<Sub<'s>>,
    bound: Vec<(&'s Binder, u64)>,
}

impl<'c, 's> Compiler<'c, 's> {
    fn compile(
        system: &'s System,
        symmetry: &'c Symmetry,
        formula: &'s Formula,
        bound: Vec<(&'s Binder, u64)>,
    ) -> Result<Outline<'s>, TooLarge> {
        let mut compiler =
            Compiler { system, symmetry, ops: Vec::new(), atoms: Vec::new(), subs: Vec::new(), bound };
        let plan = compiler.plan(formula)?;
        let Compiler { ops, atoms, subs, .. } = compiler;
        Ok(Outline { ops, atoms, plan, subs })
    }

    fn op(&mut self, op: Op) -> Result<usize, TooLarge> {
        match op {
            Op::Not(inner) => {
                if let Op::Not(inside) = self.ops[inner] {
                    return Ok(inside);
                }
            }
            Op::And(a, b) | Op::Or(a, b) if a == b => return Ok(a),
            _ => {}
        }
        if let Some(known) = self.ops.iter().position(|known| *known == op) {
            return Ok(known);
        }
        if self.ops.len() == MOST_OPS {
            return Err(TooLarge(format!("its quantifiers expand to more than {MOST_OPS} parts")));
        }
        self.ops.push(op);
        Ok(self.ops.len() - 1)
    }

    fn not(&mut self, inner: usize) -> Result<usize, TooLarge> {
        self.op(Op::Not(inner))
    }

    fn plan(&mut self, formula: &'s Formula) -> Result<Plan<'s>, TooLarge> {
        let (op, parts) = match formula {
            Formula::Atom(condition, text) => {
                let atom = Atom { condition, text, bound: self.bound.clone() };
                let at = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                    self.atoms.push(atom);
                    self.atoms.len() - 1
                });
                (self.op(Op::Atom(at))?, Vec::new())
            }
            Formula::Not(inner) => {
                let inner = self.plan(inner)?;
                (self.not(inner.op)?, vec![inner])
            }
            Formula::And(sides) => {
                let parts = self.plans(&**sides)?;
                (self.op(Op::And(parts[0].op, parts[1].op))?, parts)
            }
            Formula::Or(sides) => {
                let parts = self.plans(&**sides)?;
                (self.op(Op::Or(parts[0].op, parts[1].op))?, parts)
            }
            Formula::Implies(sides) => {
                let parts = self.plans(&**sides)?;
                let premise = self.not(parts[0].op)?;
                (self.op(Op::Or(premise, parts[1].op))?, parts)
            }
            Formula::Iff(sides) => {
                let parts = self.plans(&**sides)?;
                let (a, b) = (parts[0].op, parts[1].op);
                let (not_a, not_b) = (self.not(a)?, self.not(b)?);
                let (both, neither) = (self.op(Op::And(a, b))?, self.op(Op::And(not_a, not_b))?);
                (self.op(Op::Or(both, neither))?, parts)
            }
            Formula::Forall(binder, body) => return self.quantified(formula, binder, body, true),
            Formula::Exists(binder, body) => return self.quantified(formula, binder, body, false),
            Formula::Temporal(path, operator) => self.temporal(path.unwrap_or(Path::All), operator)?,
        };
        Ok(Plan { formula, op, parts, sub: None })
    }

    fn plans(&mut self, formulas: &'s [Formula]) -> Result<Vec<Plan<'s>>, TooLarge> {
        formulas.iter().map(|formula| self.plan(formula)).collect()
    }

    /// Everything in terms of `EX`, `E[· U ·]` and `A[· U ·]`.
    fn temporal(&mut self, path: Path, operator: &'s Temporal) -> Result<(usize, Vec<Plan<'s>>), TooLarge> {
        let parts = match operator {
            Temporal::Next(inner) | Temporal::Finally(inner) | Temporal::Globally(inner) => {
                vec![self.plan(inner)?]
            }
            Temporal::Until(sides)
            | Temporal::Release(sides)
            | Temporal::WeakUntil(sides)
            | Temporal::StrongRelease(sides) => self.plans(&**sides)?,
        };
        let (f, g) = (parts[0].op, parts.last().expect("there is one").op);
        let op = match operator {
            Temporal::Next(_) if path == Path::Some => self.op(Op::Next(f))?,
            Temporal::Next(_) => {
                let not = self.not(f)?;
                let next = self.op(Op::Next(not))?;
                self.not(next)?
            }
            Temporal::Finally(_) => {
                let top = self.op(Op::True)?;
                self.until(path, top, f)?
            }
            Temporal::Globally(_) => {
                let (top, not) = (self.op(Op::True)?, self.not(f)?);
                let until = self.until(dual(path), top, not)?;
                self.not(until)?
            }
            Temporal::Until(_) => self.until(path, f, g)?,
            Temporal::Release(_) => {
                let (not_f, not_g) = (self.not(f)?, self.not(g)?);
                let until = self.until(dual(path), not_f, not_g)?;
                self.not(until)?
            }
            Temporal::WeakUntil(_) => {
                let (not_f, not_g) = (self.not(f)?, self.not(g)?);
                let neither = self.op(Op::And(not_f, not_g))?;
                let until = self.until(dual(path), not_g, neither)?;
                self.not(until)?
            }
            Temporal::StrongRelease(_) => {
                let both = self.op(Op::And(f, g))?;
                self.until(path, g, both)?
            }
        };
        Ok((op, parts))
    }

    fn until(&mut self, path: Path, left: usize, right: usize) -> Result<usize, TooLarge> {
        self.op(match path {
            Path::Some => Op::Exists(left, right),
            Path::All => Op::All(left, right),
        })
    }

    fn quantified(
        &mut self,
        formula: &'s Formula,
        binder: &'s Binder,
        body: &'s Formula,
        forall: bool,
    ) -> Result<Plan<'s>, TooLarge> {
        let size = match (&binder.domain, self.system.types.size(binder.ty)) {
            (Domain::Type, Some(size)) => size,
            _ => return Err(TooLarge("a quantifier ranges over too much".to_string())),
        };
        if self.moves(binder) {
            let outline = Self::compile(self.system, self.symmetry, body, self.bound.clone())?;
            self.subs.push(Sub { binder, forall, outline });
            let sub = self.subs.len() - 1;
            let op = self.op(Op::Quantified(sub))?;
            return Ok(Plan { formula, op, parts: Vec::new(), sub: Some(sub) });
        }
        let mut parts = Vec::new();
        for number in 0..size {
            self.bound.push((binder, number));
            parts.push(self.plan(body)?);
            self.bound.pop();
        }
        let mut op = match (parts.first(), forall) {
            (Some(first), _) => first.op,
            (None, true) => self.op(Op::True)?,
            (None, false) => {
                let top = self.op(Op::True)?;
                self.not(top)?
            }
        };
        for part in parts.iter().skip(1) {
            op = self.op(if forall { Op::And(op, part.op) } else { Op::Or(op, part.op) })?;
        }
        Ok(Plan { formula, op, parts, sub: None })
    }

    /// Whether the group moves values of a name.
    fn moves(&self, binder: &Binder) -> bool {
        self.system.types.sorts_in(binder.ty).into_iter().any(|sort| self.symmetry.moves(sort))
    }
}

fn dual(path: Path) -> Path {
    match path {
        Path::All => Path::Some,
        Path::Some => Path::All,
    }
}
