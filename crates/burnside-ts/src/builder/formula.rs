//! Terms to formulas over time, and patterns to sequences.

use super::lower::{Lowering, Result};
use super::term::{Join, Node, Pattern, Term};
use crate::code::Quantifier;
use crate::formula::{Formula, Path, Sequence};

impl Lowering<'_> {
    /// A formula over time: on paths if it is branching.
    pub(super) fn formula(&mut self, term: &Term, branching: bool) -> Result<Formula> {
        if !term.is_timed() {
            return Ok(Formula::Atom(self.condition(term)?, self.builder.show(term)));
        }
        let mut inner = |term| self.formula(term, branching);
        match &*term.0 {
            Node::Not(body) => Ok(Formula::Not(Box::new(inner(body)?))),
            Node::Join(join, [left, right]) => {
                let sides = Box::new([inner(left)?, inner(right)?]);
                Ok(match join {
                    Join::And => Formula::And(sides),
                    Join::Or => Formula::Or(sides),
                    Join::Implies => Formula::Implies(sides),
                    Join::Iff => Formula::Iff(sides),
                })
            }
            Node::Quantify(quantifier @ (Quantifier::Forall | Quantifier::Exists), names, body) => {
                let binders = names.iter().map(|&name| self.bind(name)).collect::<Result<Vec<_>>>()?;
                let body = self.formula(body, branching)?;
                self.free(names.len());
                let wrap = |body, binder| match quantifier {
                    Quantifier::Forall => Formula::Forall(binder, Box::new(body)),
                    _ => Formula::Exists(binder, Box::new(body)),
                };
                Ok(binders.into_iter().rev().fold(body, wrap))
            }
            Node::Time(path, timed, parts) => {
                self.must_suit(term, *path, branching)?;
                let parts = parts.iter().map(|part| self.formula(part, branching)).collect::<Result<_>>()?;
                Ok(Formula::Temporal(*path, timed.of(parts)))
            }
            _ => self.no(term, "a condition: an operator over time is inside"),
        }
    }

    pub(super) fn must_suit(&self, term: &Term, path: Option<Path>, branching: bool) -> Result<()> {
        match (branching, path) {
            (true, None) => self.no(term, "on all paths, nor on some path"),
            (false, Some(_)) => self.no(term, "about a single run"),
            _ => Ok(()),
        }
    }

    /// A pattern of states.
    pub(super) fn sequence(&mut self, pattern: &Pattern) -> Result<Sequence> {
        let mut all = |parts: &[Pattern]| parts.iter().map(|part| self.sequence(part)).collect::<Result<_>>();
        Ok(match pattern {
            Pattern::State(condition) => Sequence::State(self.condition(condition)?),
            Pattern::Then(parts) => Sequence::Then(all(parts)?),
            Pattern::Or(parts) => Sequence::Or(all(parts)?),
            Pattern::Repeat(body, least, most) => {
                Sequence::Repeat(Box::new(self.sequence(body)?), *least, *most)
            }
        })
    }
}
