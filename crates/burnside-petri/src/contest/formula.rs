//! Formulas: connectives, path operators, conditions. Sums are in `number`.

use super::kind::{is_operator, is_quantifier};
use super::{FormulaReader, content, elements, exactly, only, part, some, span, tag, unknown};
use crate::error::Error;
use crate::query::{Atom, Formula};
use crate::text::MAX_DEPTH;
use burnside_ts::{Compare, Path};
use roxmltree::Node;

/// Where path operators can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    /// Nowhere.
    State,
    /// Everywhere, without quantifiers.
    Ltl,
    /// Directly under quantifiers.
    Ctl,
}

impl FormulaReader<'_> {
    /// The formula that an element is, `depth` levels down.
    pub(super) fn formula(&self, node: Node<'_, '_>, logic: Logic, depth: u32) -> Result<Formula, Error> {
        if depth > MAX_DEPTH {
            return Err(too_deep(node));
        }
        match tag(node) {
            "conjunction" => self.junction(node, logic, depth, Formula::And),
            "disjunction" => self.junction(node, logic, depth, Formula::Or),
            "negation" => Ok(not(self.formula(only(node)?, logic, depth + 1)?)),
            "implication" => Ok(Formula::Implies(self.sides(node, logic, depth + 1)?)),
            "equivalence" => Ok(Formula::Iff(self.sides(node, logic, depth + 1)?)),
            "exclusive-disjunction" => Ok(not(Formula::Iff(self.sides(node, logic, depth + 2)?))),
            _ if is_quantifier(node) => self.quantified(node, logic, depth),
            _ if is_operator(node) => match logic {
                Logic::Ltl => self.operator(node, logic, None, depth),
                Logic::Ctl => Err(no_quantifier(node)),
                Logic::State => Err(not_state(node)),
            },
            _ => self.atom(node).map(Formula::Atom),
        }
    }

    /// One formula alone is its own conjunction and disjunction.
    fn junction(
        &self,
        node: Node<'_, '_>,
        logic: Logic,
        depth: u32,
        join: fn(Vec<Formula>) -> Formula,
    ) -> Result<Formula, Error> {
        let parts: Result<Vec<Formula>, Error> =
            some(node)?.into_iter().map(|part| self.formula(part, logic, depth + 1)).collect();
        let mut parts = parts?;
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => Ok(only),
            (_, last) => {
                parts.extend(last);
                Ok(join(parts))
            }
        }
    }

    fn sides(&self, node: Node<'_, '_>, logic: Logic, depth: u32) -> Result<Box<[Formula; 2]>, Error> {
        let [left, right] = exactly(node)?;
        Ok(Box::new([self.formula(left, logic, depth)?, self.formula(right, logic, depth)?]))
    }

    fn quantified(&self, node: Node<'_, '_>, logic: Logic, depth: u32) -> Result<Formula, Error> {
        match logic {
            Logic::Ltl => return Err(not_linear(node)),
            Logic::State => return Err(not_state(node)),
            Logic::Ctl => {}
        }
        let operator = only(node)?;
        if !is_operator(operator) {
            let message =
                format!("`{}` is directly under `{}` and is no path operator", tag(operator), tag(node));
            return Err(Error::new(span(operator), message).with_help(STAR));
        }
        let path = if tag(node) == "all-paths" { Path::All } else { Path::Some };
        self.operator(operator, logic, Some(path), depth)
    }

    fn operator(
        &self,
        node: Node<'_, '_>,
        logic: Logic,
        path: Option<Path>,
        depth: u32,
    ) -> Result<Formula, Error> {
        if let Some(strange) = elements(node).find(|part| matches!(tag(*part), "steps" | "if-no-successor")) {
            return Err(Error::new(span(strange), format!("`{}` in `next` is not supported", tag(strange))));
        }
        let inner = || Ok(Box::new(self.formula(only(node)?, logic, depth + 1)?));
        Ok(match tag(node) {
            "next" => Formula::Next(path, inner()?),
            "finally" => Formula::Finally(path, inner()?),
            "globally" => Formula::Globally(path, inner()?),
            _ => self.until(node, logic, path, depth)?,
        })
    }

    fn until(
        &self,
        node: Node<'_, '_>,
        logic: Logic,
        path: Option<Path>,
        depth: u32,
    ) -> Result<Formula, Error> {
        let known = |element: &Node<'_, '_>| matches!(tag(*element), "before" | "reach" | "strength");
        if let Some(strange) = elements(node).find(|element| !known(element)) {
            return Err(unknown(strange, "until"));
        }
        let before = self.formula(only(part(node, "before")?)?, logic, depth + 1)?;
        let reach = self.formula(only(part(node, "reach")?)?, logic, depth + 1)?;
        let sides = Box::new([before, reach]);
        if !elements(node).any(|element| tag(element) == "strength") {
            return Ok(Formula::Until(path, sides));
        }
        let strength = part(node, "strength")?;
        match content(strength)? {
            "strong" => Ok(Formula::Until(path, sides)),
            "weak" => Ok(Formula::WeakUntil(path, sides)),
            other => Err(Error::new(span(strength), format!("`{other}` is no strength"))
                .with_help("there are `strong` and `weak`")),
        }
    }

    fn atom(&self, node: Node<'_, '_>) -> Result<Atom, Error> {
        let (op, swapped) = match tag(node) {
            "true" => return Ok(Atom::Constant(true)),
            "false" => return Ok(Atom::Constant(false)),
            "is-deadlock" | "deadlock" => return Ok(Atom::Deadlock),
            "is-fireable" => return self.fireable(node),
            "integer-le" => (Compare::Le, false),
            "integer-lt" => (Compare::Lt, false),
            "integer-eq" => (Compare::Eq, false),
            "integer-ne" => (Compare::Ne, false),
            "integer-ge" => (Compare::Le, true),
            "integer-gt" => (Compare::Lt, true),
            _ => return Err(Error::new(span(node), format!("unknown element `{}` in a formula", tag(node)))),
        };
        let [left, right] = exactly(node)?;
        let (left, right) = (self.sum(left)?, self.sum(right)?);
        Ok(if swapped { Atom::Compare(op, right, left) } else { Atom::Compare(op, left, right) })
    }

    fn fireable(&self, node: Node<'_, '_>) -> Result<Atom, Error> {
        let transition = |node: Node<'_, '_>| match tag(node) {
            "transition" => self.names.transition(content(node)?, span(node)),
            _ => Err(unknown(node, "is-fireable")),
        };
        Ok(Atom::Fireable(some(node)?.into_iter().map(transition).collect::<Result<_, Error>>()?))
    }
}

const STAR: &str = "formulas of CTL* that are neither of CTL nor of LTL are not supported";

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

pub(super) fn too_deep(node: Node<'_, '_>) -> Error {
    Error::new(span(node), format!("`{}` is nested more than {MAX_DEPTH} levels deep", tag(node)))
}

fn no_quantifier(node: Node<'_, '_>) -> Error {
    let message = format!("`{}` is not directly under `all-paths` or `exists-path`", tag(node));
    Error::new(span(node), message).with_help(STAR)
}

fn not_state(node: Node<'_, '_>) -> Error {
    Error::new(span(node), format!("`{}` is not allowed in a condition on markings", tag(node)))
}

/// What is wrong with `node` in, or as, a formula of linear time.
pub(super) fn not_linear(node: Node<'_, '_>) -> Error {
    let message = match is_quantifier(node) && node.parent().is_some_and(|parent| tag(parent) != "formula") {
        true => format!("`{}` is inside a formula of linear time", tag(node)),
        false => format!("a formula of linear time starts with `all-paths`, not with `{}`", tag(node)),
    };
    Error::new(span(node), message).with_help(STAR)
}
