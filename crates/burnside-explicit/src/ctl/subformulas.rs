//! Formulas as lists of operations, subformulas first, each once.
//!
//! Entry point: [`Subformulas::of`]. All path operators come down to three: `EX`, `E[· U ·]` and `A[· U ·]`.
//! A quantifier over elements that the group moves has subformulas of its own, which are evaluated on the
//! graph that tracks one more element: so nothing is expanded and no symmetry is lost. Over other values a
//! quantifier is written out. The [`SyntaxTree`] keeps the shape of the formula as it was written, for
//! evidence.

use crate::fair::Atom;
use burnside_limits::Stop;
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
    /// A quantifier: see [`Subformulas::quantifiers`].
    Quantified(usize),
}

/// A formula as it was written, with the operation that says where it is true.
#[derive(Clone, Debug)]
pub(super) struct SyntaxTree<'s> {
    pub formula: &'s Formula,
    pub op: usize,
    /// The formulas inside; for a quantifier that is written out, one for each value.
    pub children: Vec<SyntaxTree<'s>>,
    /// For a quantifier that is tracked: which of [`Subformulas::quantifiers`].
    pub quantifier: Option<usize>,
}

/// Operations on one graph.
#[derive(Clone, Debug)]
pub(super) struct Subformulas<'s> {
    pub ops: Vec<Op>,
    pub atoms: Vec<Atom<'s>>,
    pub syntax: SyntaxTree<'s>,
    pub quantifiers: Vec<IndexQuantifier<'s>>,
}

/// A quantifier over tracked elements.
#[derive(Clone, Debug)]
pub(super) struct IndexQuantifier<'s> {
    pub binder: &'s Binder,
    pub forall: bool,
    pub subformulas: Subformulas<'s>,
}

/// More operations than this are refused.
const MOST_OPS: usize = 20_000;

impl<'s> Subformulas<'s> {
    pub fn of(system: &'s System, formula: &'s Formula, symmetry: &Symmetry) -> Result<Self, Stop> {
        Compiler::compile(system, symmetry, formula, Vec::new())
    }

    /// All names that are tracked somewhere inside.
    pub fn binders(&self) -> Vec<&'s Binder> {
        let inside = |it: &IndexQuantifier<'s>| [vec![it.binder], it.subformulas.binders()].concat();
        self.quantifiers.iter().flat_map(inside).collect()
    }
}

struct Compiler<'c, 's> {
    system: &'s System,
    symmetry: &'c Symmetry,
    ops: Vec<Op>,
    atoms: Vec<Atom<'s>>,
    quantifiers: Vec<IndexQuantifier<'s>>,
    bound: Vec<(&'s Binder, u64)>,
}

impl<'c, 's> Compiler<'c, 's> {
    fn compile(
        system: &'s System,
        symmetry: &'c Symmetry,
        formula: &'s Formula,
        bound: Vec<(&'s Binder, u64)>,
    ) -> Result<Subformulas<'s>, Stop> {
        let mut compiler =
            Compiler { system, symmetry, ops: Vec::new(), atoms: Vec::new(), quantifiers: Vec::new(), bound };
        let syntax = compiler.syntax(formula)?;
        let Compiler { ops, atoms, quantifiers, .. } = compiler;
        Ok(Subformulas { ops, atoms, syntax, quantifiers })
    }

    fn op(&mut self, op: Op) -> Result<usize, Stop> {
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
            return Err(Stop::too_large(format!("its quantifiers expand to more than {MOST_OPS} parts")));
        }
        self.ops.push(op);
        Ok(self.ops.len() - 1)
    }

    fn not(&mut self, inner: usize) -> Result<usize, Stop> {
        self.op(Op::Not(inner))
    }

    fn syntax(&mut self, formula: &'s Formula) -> Result<SyntaxTree<'s>, Stop> {
        let (op, children) = match formula {
            Formula::Step(_) => unreachable!("only linear time has conditions on steps"),
            Formula::Atom(condition, text) => {
                let atom = Atom { condition, text, bound: self.bound.clone() };
                let at = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                    self.atoms.push(atom);
                    self.atoms.len() - 1
                });
                (self.op(Op::Atom(at))?, Vec::new())
            }
            Formula::Not(inner) => {
                let inner = self.syntax(inner)?;
                (self.not(inner.op)?, vec![inner])
            }
            Formula::And(sides) => {
                let children = self.syntaxes(&**sides)?;
                (self.op(Op::And(children[0].op, children[1].op))?, children)
            }
            Formula::Or(sides) => {
                let children = self.syntaxes(&**sides)?;
                (self.op(Op::Or(children[0].op, children[1].op))?, children)
            }
            Formula::Implies(sides) => {
                let children = self.syntaxes(&**sides)?;
                let premise = self.not(children[0].op)?;
                (self.op(Op::Or(premise, children[1].op))?, children)
            }
            Formula::Iff(sides) => {
                let children = self.syntaxes(&**sides)?;
                let (a, b) = (children[0].op, children[1].op);
                let (not_a, not_b) = (self.not(a)?, self.not(b)?);
                let (both, neither) = (self.op(Op::And(a, b))?, self.op(Op::And(not_a, not_b))?);
                (self.op(Op::Or(both, neither))?, children)
            }
            Formula::Forall(binder, body) => return self.quantified(formula, binder, body, true),
            Formula::Exists(binder, body) => return self.quantified(formula, binder, body, false),
            Formula::Temporal(path, operator) => self.temporal(path.unwrap_or(Path::All), operator)?,
        };
        Ok(SyntaxTree { formula, op, children, quantifier: None })
    }

    fn syntaxes(&mut self, formulas: &'s [Formula]) -> Result<Vec<SyntaxTree<'s>>, Stop> {
        formulas.iter().map(|formula| self.syntax(formula)).collect()
    }

    /// Everything in terms of `EX`, `E[· U ·]` and `A[· U ·]`.
    fn temporal(&mut self, path: Path, operator: &'s Temporal) -> Result<(usize, Vec<SyntaxTree<'s>>), Stop> {
        let children = self.syntaxes(operator.children())?;
        let (f, g) = (children[0].op, children.last().expect("there is one").op);
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
        Ok((op, children))
    }

    fn until(&mut self, path: Path, left: usize, right: usize) -> Result<usize, Stop> {
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
    ) -> Result<SyntaxTree<'s>, Stop> {
        let size = match (&binder.domain, self.system.types.size(binder.ty)) {
            (Domain::Type, Some(size)) => size,
            _ => return Err(Stop::too_large("a quantifier ranges over too much".to_string())),
        };
        if self.moves(binder) {
            let subformulas = Self::compile(self.system, self.symmetry, body, self.bound.clone())?;
            self.quantifiers.push(IndexQuantifier { binder, forall, subformulas });
            let quantifier = self.quantifiers.len() - 1;
            let op = self.op(Op::Quantified(quantifier))?;
            return Ok(SyntaxTree { formula, op, children: Vec::new(), quantifier: Some(quantifier) });
        }
        let mut children = Vec::new();
        for number in 0..size {
            self.bound.push((binder, number));
            children.push(self.syntax(body)?);
            self.bound.pop();
        }
        let mut op = match (children.first(), forall) {
            (Some(first), _) => first.op,
            (None, true) => self.op(Op::True)?,
            (None, false) => {
                let top = self.op(Op::True)?;
                self.not(top)?
            }
        };
        for part in children.iter().skip(1) {
            op = self.op(if forall { Op::And(op, part.op) } else { Op::Or(op, part.op) })?;
        }
        Ok(SyntaxTree { formula, op, children, quantifier: None })
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
