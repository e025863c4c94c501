//! Which kind of question a formula is.
//!
//! Both logics are written with the same elements: in linear time one `all-paths` is around everything, in
//! branching time every path operator is directly under its quantifier. Where both fit, as in
//! `all-paths finally p`, the property's id decides (the contest's ids name the category), and without a hint
//! there it is branching time. The two differ at deadlocks only.

use super::formula::Logic;
use super::{FormulaReader, elements, only, tag};
use crate::error::Error;
use crate::query::{Formula, NetQuestion, Sum};
use roxmltree::Node;

impl FormulaReader<'_> {
    /// What the element inside `formula` asks.
    pub(super) fn asked(&self, node: Node<'_, '_>, id: &str) -> Result<NetQuestion, Error> {
        let condition = |inner| self.formula(inner, Logic::State, 1);
        match tag(node) {
            // Of no places at all: they hold nothing.
            "place-bound" if elements(node).next().is_none() => Ok(NetQuestion::Bound(vec![Sum::default()])),
            "place-bound" => Ok(NetQuestion::Bound(vec![self.tokens(node)?])),
            "invariant" => Ok(NetQuestion::Invariant(condition(only(node)?)?)),
            "possibility" => Ok(NetQuestion::Reachable(condition(only(node)?)?)),
            "impossibility" => {
                let inner = self.formula(only(node)?, Logic::State, 2)?;
                Ok(NetQuestion::Invariant(Formula::Not(Box::new(inner))))
            }
            _ => match simple(node) {
                Some(("exists-path", inner)) => Ok(NetQuestion::Reachable(condition(inner)?)),
                Some((_, inner)) => Ok(NetQuestion::Invariant(condition(inner)?)),
                None if is_linear(node, id) => self.linear(node),
                None => Ok(NetQuestion::Ctl(self.formula(node, Logic::Ctl, 1)?)),
            },
        }
    }

    fn linear(&self, node: Node<'_, '_>) -> Result<NetQuestion, Error> {
        if tag(node) != "all-paths" {
            return Err(super::formula::not_linear(node));
        }
        Ok(NetQuestion::Ltl(self.formula(only(node)?, Logic::Ltl, 1)?))
    }
}

/// The quantifier and what is inside, if a formula is a condition in `exists-path finally` or
/// `all-paths globally`.
fn simple<'d, 'i>(node: Node<'d, 'i>) -> Option<(&'d str, Node<'d, 'i>)> {
    let operator = only(node).ok()?;
    if !matches!((tag(node), tag(operator)), ("exists-path", "finally") | ("all-paths", "globally")) {
        return None;
    }
    let inner = only(operator).ok()?;
    let temporal = inner.descendants().any(|node| is_operator(node) || is_quantifier(node));
    (!temporal).then_some((tag(node), inner))
}

fn is_linear(node: Node<'_, '_>, id: &str) -> bool {
    match (id.rfind("-LTL"), id.rfind("-CTL")) {
        (None, None) => looks_linear(node),
        (linear, branching) => linear > branching,
    }
}

/// Whether the outermost element is the only quantifier, and a path operator has no quantifier of its own.
fn looks_linear(node: Node<'_, '_>) -> bool {
    let inside = || node.descendants().skip(1);
    let own = |operator: &Node<'_, '_>| operator.parent().is_some_and(is_quantifier);
    let bare = inside().filter(|node| is_operator(*node)).any(|operator| !own(&operator));
    let idle = !elements(node).any(is_operator);
    tag(node) == "all-paths" && !inside().any(is_quantifier) && (bare || idle)
}

pub(super) fn is_quantifier(node: Node<'_, '_>) -> bool {
    matches!(tag(node), "all-paths" | "exists-path")
}

pub(super) fn is_operator(node: Node<'_, '_>) -> bool {
    matches!(tag(node), "next" | "finally" | "globally" | "until")
}
