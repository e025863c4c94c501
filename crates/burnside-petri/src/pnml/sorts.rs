//! Sorts: which classes the components of a colour are of.
//!
//! Named sorts may use each other in any order; their definitions are followed with a limit, and circles are
//! refused. Products of products become flat, with a limit too: a few lines can say a product of astronomical
//! length.

use std::collections::HashMap;

use super::label;
use super::scope::{Scope, Sort, fresh};
use super::xml::{self, Errors, Node, content, describe, required, tag};
use crate::Error;

/// The longest chain of sorts that use sorts.
const DEEPEST: usize = 64;

/// The most components of a colour.
const WIDEST: usize = 64;

/// Resolves every named sort.
pub(super) fn declare<'a>(scope: &mut Scope<'a>, sorts: impl Iterator<Item = Node<'a>>, errors: &mut Errors) {
    let mut nodes: HashMap<&str, Node> = HashMap::new();
    let mut order = Vec::new();
    for node in sorts {
        if errors.take(fresh(&nodes, node)).is_some() {
            let id = label::id(node);
            nodes.insert(id, node);
            order.push(id);
        }
    }
    for id in order {
        errors.take(resolve(scope, &nodes, id, &mut Vec::new()));
    }
}

/// Resolves a sort after those it uses. One that is wrong counts as that of black tokens from then on, so it
/// is reported once.
fn resolve<'a>(
    scope: &mut Scope<'a>,
    nodes: &HashMap<&'a str, Node<'a>>,
    id: &'a str,
    open: &mut Vec<&'a str>,
) -> Result<(), Error> {
    let Some(&node) = nodes.get(id) else { return Ok(()) };
    if scope.sorts.contains_key(id) {
        return Ok(());
    }
    if open.contains(&id) || open.len() > DEEPEST {
        let how =
            if open.contains(&id) { "is defined by itself" } else { "is defined through too many others" };
        return Err(Error::new(node.range(), format!("{} {how}", describe(node))));
    }
    open.push(id);
    let used = node.descendants().filter(|it| it.is_element() && tag(*it) == "usersort");
    let parts = used.filter_map(|it| it.attribute("declaration"));
    let resolved = parts.map(|part| resolve(scope, nodes, part, open)).collect::<Result<Vec<()>, Error>>();
    open.pop();
    let sort = resolved.and_then(|_| {
        xml::only(node).and_then(|it| scope.sort(it)).map_err(|error| xml::within(error, node))
    });
    scope.sorts.insert(id, sort.as_ref().cloned().unwrap_or_default());
    sort.map(drop)
}

impl Scope<'_> {
    /// What an element that is a sort means.
    pub(super) fn sort(&self, node: Node) -> Result<Sort, Error> {
        match tag(node) {
            "dot" => xml::leaf(node).map(|()| Vec::new()),
            "usersort" => self.user_sort(node),
            "productsort" => self.product(node),
            _ if self.defined.contains_key(&node.id()) => Ok(vec![self.defined[&node.id()]]),
            "finiteintrange" => Ok(vec![self.range(node)?]),
            "finiteenumeration" | "cyclicenumeration" => {
                Err(Error::new(node.range(), format!("{} has no name", describe(node)))
                    .with_help("declare it as a `<namedsort>` and say `<usersort>` here"))
            }
            name => {
                Err(Error::new(node.range(), format!("the sort `<{name}>` is not one of symmetric nets")))
            }
        }
    }

    fn user_sort(&self, node: Node) -> Result<Sort, Error> {
        let id = required(node, "declaration")?;
        xml::leaf(node)?;
        if self.partition_ids.contains_key(id) {
            return Err(Error::new(
                node.range(),
                format!("the partition `{id}` cannot be used as a sort here"),
            ));
        }
        let undeclared = || Error::new(node.range(), format!("the sort `{id}` is not declared"));
        self.sorts.get(id).cloned().ok_or_else(undeclared)
    }

    fn product(&self, node: Node) -> Result<Sort, Error> {
        let mut sort = Sort::new();
        for part in content(node) {
            sort.extend(self.sort(part)?);
            if sort.len() > WIDEST {
                return Err(Error::new(node.range(), format!("a product has more than {WIDEST} components")));
            }
        }
        Ok(sort)
    }
}
