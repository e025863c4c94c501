//! Classes: the enumerations and ranges among the named sorts.

use super::label;
use super::scope::{NamedConstant, Scope, fresh, named};
use super::xml::{self, Errors, Node, content, describe, required, tag};
use crate::{Class, ClassId, Error, Order};

/// The most elements of all classes together.
const MOST: usize = 1 << 20;

/// Makes a class of every named sort that is an enumeration or a range.
pub(super) fn declare<'a>(scope: &mut Scope<'a>, sorts: impl Iterator<Item = Node<'a>>, errors: &mut Errors) {
    let defines = |node: &Node| {
        content(*node)
            .next()
            .is_some_and(|it| matches!(tag(it), "finiteenumeration" | "cyclicenumeration" | "finiteintrange"))
    };
    let nodes: Vec<Node> = sorts.filter(defines).collect();
    let names: Vec<_> = nodes.iter().map(|node| named(*node)).collect();
    for (&node, name) in nodes.iter().zip(label::unique(&names)) {
        let class = class(scope, node, name).map_err(|error| xml::within(error, node));
        errors.take(class);
    }
}

fn class<'a>(scope: &mut Scope<'a>, node: Node<'a>, name: String) -> Result<(), Error> {
    let sort = xml::only(node)?;
    let id = ClassId(scope.classes.len() as u32);
    scope.defined.insert(sort.id(), id);
    // It is there even if it is wrong, so that what follows is judged as if it were right.
    scope.classes.push(Class { name, order: Order::Enumeration, elements: Vec::new() });
    let left = MOST - scope.classes.iter().map(|class| class.elements.len()).sum::<usize>();
    let (order, elements) = match tag(sort) {
        "finiteintrange" => range(sort, left)?,
        kind => {
            let order = if kind == "cyclicenumeration" { Order::Cyclic } else { Order::Enumeration };
            (order, enumeration(scope, id, sort, left)?)
        }
    };
    let class = &mut scope.classes[id.index()];
    (class.order, class.elements) = (order, elements);
    Ok(())
}

fn enumeration<'a>(
    scope: &mut Scope<'a>,
    class: ClassId,
    sort: Node<'a>,
    left: usize,
) -> Result<Vec<String>, Error> {
    if let Some(other) = content(sort).find(|it| tag(*it) != "feconstant") {
        return Err(xml::unknown(other, sort));
    }
    let names: Vec<_> = content(sort).map(named).collect();
    if names.is_empty() {
        return Err(Error::new(sort.range(), format!("{} has no elements", describe(sort))));
    }
    if names.len() > left {
        return Err(too_many(sort));
    }
    for (position, constant) in content(sort).enumerate() {
        fresh(&scope.operators, constant)?;
        xml::leaf(constant)?;
        scope.operators.insert(required(constant, "id")?, NamedConstant::Element(class, position as u32));
    }
    Ok(label::unique(&names))
}

fn range(sort: Node, left: usize) -> Result<(Order, Vec<String>), Error> {
    let (start, end) = ends(sort)?;
    if start > end {
        let message = format!("the range from {start} to {end} has no elements");
        return Err(Error::new(sort.range(), message));
    }
    if end.abs_diff(start) >= left as u64 {
        return Err(too_many(sort));
    }
    Ok((Order::Range(start), (start..=end).map(|number| number.to_string()).collect()))
}

fn too_many(sort: Node) -> Error {
    Error::new(sort.range(), format!("the classes have more than {MOST} elements"))
}

/// The first and the last number of a range.
pub(super) fn ends(sort: Node) -> Result<(i64, i64), Error> {
    xml::leaf(sort)?;
    Ok((label::integer(sort, "start")?, label::integer(sort, "end")?))
}

impl Scope<'_> {
    /// Whether a class is this range.
    pub(super) fn is_range(&self, class: ClassId, (start, end): (i64, i64)) -> bool {
        let length = end.abs_diff(start).saturating_add(1);
        let same = self.classes[class.index()].order == Order::Range(start);
        same && start <= end && self.size(class) as u64 == length
    }

    /// The only class that is this range.
    pub(super) fn range(&self, sort: Node) -> Result<ClassId, Error> {
        let ends = ends(sort)?;
        let mut classes = (0..self.classes.len() as u32).map(ClassId).filter(|it| self.is_range(*it, ends));
        let (start, end) = ends;
        match (classes.next(), classes.next()) {
            (Some(class), None) => Ok(class),
            (found, _) => {
                let how = if found.is_none() { "no named sort" } else { "more than one named sort" };
                let message = format!("the range from {start} to {end} is {how}");
                Err(Error::new(sort.range(), message)
                    .with_help("declare it as one `<namedsort>` and say `<usersort>` here"))
            }
        }
    }
}
