//! Partitions: each element of a class in exactly one named block.

use super::label;
use super::scope::{NamedConstant, Scope, fresh, named};
use super::terms::Part;
use super::xml::{self, Errors, Node, content, describe, required, tag, unknown};
use crate::{ClassId, Error, Partition, PartitionId};

/// Reads all partitions.
pub(super) fn declare<'a>(scope: &mut Scope<'a>, nodes: impl Iterator<Item = Node<'a>>, errors: &mut Errors) {
    let nodes: Vec<Node> = nodes.collect();
    let names: Vec<_> = nodes.iter().map(|node| named(*node)).collect();
    for (&node, name) in nodes.iter().zip(label::unique(&names)) {
        let read = partition(scope, node, name).map_err(|error| xml::within(error, node));
        errors.take(read);
    }
}

fn partition<'a>(scope: &mut Scope<'a>, node: Node<'a>, name: String) -> Result<(), Error> {
    fresh(&scope.partition_ids, node)?;
    let nothing = || Error::new(node.range(), "it has no sort");
    let sort = content(node).next().ok_or_else(nothing)?;
    let [class] = scope.sort(sort)?[..] else {
        return Err(Error::new(sort.range(), "only an enumeration or a range can be partitioned"));
    };
    let id = PartitionId(scope.partitions.len() as u32);
    let elements: Vec<Node> = content(node).skip(1).collect();
    let mut block: Vec<Option<u32>> = vec![None; scope.size(class)];
    for (number, &element) in elements.iter().enumerate() {
        members(scope, element, class, number as u32, &mut block)?;
        fresh(&scope.operators, element)?;
        scope.operators.insert(required(element, "id")?, NamedConstant::Block(id, number as u32));
    }
    let block = whole(scope, node, class, &block)?;
    let names: Vec<_> = elements.iter().map(|element| named(*element)).collect();
    scope.partitions.push(Partition { name, class, blocks: label::unique(&names), block });
    scope.partition_ids.insert(required(node, "id")?, id);
    Ok(())
}

/// Notes which elements are in a block.
fn members(
    scope: &Scope,
    element: Node,
    class: ClassId,
    number: u32,
    block: &mut [Option<u32>],
) -> Result<(), Error> {
    if tag(element) != "partitionelement" {
        return Err(Error::new(element.range(), format!("`<{}>` is not understood here", tag(element))));
    }
    for member in content(element) {
        let parts: Vec<Part> = match tag(member) {
            "useroperator" | "finiteintrangeconstant" => scope.pattern(member)?,
            _ => return Err(unknown(member, element)),
        };
        let position = scope.position(member, &parts, class)?;
        let slot = &mut block[position as usize];
        if slot.replace(number).is_some() {
            let name = &scope.classes[class.index()].elements[position as usize];
            let message = format!("`{name}` is in two blocks, or twice in {}", describe(element));
            return Err(Error::new(member.range(), message));
        }
    }
    Ok(())
}

/// The blocks of all elements, if all have one.
fn whole(scope: &Scope, node: Node, class: ClassId, block: &[Option<u32>]) -> Result<Vec<u32>, Error> {
    let elements = &scope.classes[class.index()].elements;
    let found = block.iter().zip(elements).map(|(block, name)| {
        block.ok_or_else(|| Error::new(node.range(), format!("`{name}` is in no block")))
    });
    found.collect()
}
