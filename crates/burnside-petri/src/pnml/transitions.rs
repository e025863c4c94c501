//! Transitions: their guards.

use super::label;
use super::scope::Scope;
use super::xml::{self, Errors, Node, child, tag};
use crate::{Error, Guard, Transition, VariableId};

/// Reads all transitions, still without arcs.
pub(super) fn read(scope: &Scope, nodes: &[Node], coloured: bool, errors: &mut Errors) -> Vec<Transition> {
    let names: Vec<_> = nodes.iter().map(|it| (label::id(*it), label::name(*it))).collect();
    let mut transitions = Vec::new();
    for (&node, name) in nodes.iter().zip(label::unique(&names)) {
        if let Some((guard, variables)) = errors.take(guard(scope, node, coloured)) {
            let id = label::id(node).into();
            transitions.push(Transition { id, name, guard, variables, ..Transition::default() });
        }
    }
    transitions
}

fn guard(scope: &Scope, node: Node, coloured: bool) -> Result<(Guard, Vec<VariableId>), Error> {
    xml::attributes(node, &["id"])?;
    label::labels(node, if coloured { &["condition"] } else { &[] })?;
    let Some(condition) = child(node, "condition") else { return Ok((Guard::True, Vec::new())) };
    let read = || match label::structure(condition)? {
        Some(term) => Ok((scope.guard(term)?, variables(scope, term)?)),
        None => Ok((Guard::True, Vec::new())),
    };
    read().map_err(|error| xml::within(error, node))
}

/// The variables of a term: also those that make no difference, because each binding is a way to fire.
pub(super) fn variables(scope: &Scope, term: Node) -> Result<Vec<VariableId>, Error> {
    let mut found = Vec::new();
    for node in term.descendants().filter(|it| it.is_element() && tag(*it) == "variable") {
        found.extend(scope.variable(node)?);
    }
    Ok(found)
}
