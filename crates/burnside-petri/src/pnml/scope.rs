//! What is declared: classes, sorts, variables, partitions.
//!
//! [`declare`] reads all declarations of a net, wherever they stand and in whatever order, into a [`Scope`],
//! which the readers of terms ask what an identifier means. A sort is a list of classes here: products are
//! flat, and the sort of black tokens is the empty product. Operators with definitions of their own are
//! refused.

use std::collections::HashMap;

use roxmltree::NodeId;

use super::label;
use super::xml::{self, Errors, Node, describe, required, tag};
use super::{classes, partitions, sorts};
use crate::{Class, ClassId, Error, Partition, PartitionId, Variable, VariableId};

/// The classes of the components of a colour.
pub(super) type Sort = Vec<ClassId>;

/// What is declared.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) classes: Vec<Class>,
    pub(super) partitions: Vec<Partition>,
    pub(super) variables: Vec<Variable>,
    /// The classes that enumerations and ranges define.
    pub(super) defined: HashMap<NodeId, ClassId>,
    pub(super) sorts: HashMap<&'a str, Sort>,
    pub(super) operators: HashMap<&'a str, NamedConstant>,
    pub(super) partition_ids: HashMap<&'a str, PartitionId>,
    variable_ids: HashMap<&'a str, Vec<VariableId>>,
}

/// What a name in a term means.
#[derive(Clone, Copy)]
pub(super) enum NamedConstant {
    /// An element of a class.
    Element(ClassId, u32),
    /// A block of a partition.
    Block(PartitionId, u32),
}

/// Reads all declarations: classes and sorts first, and if they are right, what is made of them.
pub(super) fn declare<'a>(declarations: &[Node<'a>]) -> Result<Scope<'a>, Vec<Error>> {
    let mut scope = Scope::default();
    let mut errors = Errors::default();
    for &node in declarations {
        errors.take(known(node));
    }
    let of = |name| declarations.iter().copied().filter(move |node| tag(*node) == name);
    classes::declare(&mut scope, of("namedsort"), &mut errors);
    sorts::declare(&mut scope, of("namedsort"), &mut errors);
    if !errors.0.is_empty() {
        return errors.finish(scope);
    }
    partitions::declare(&mut scope, of("partition"), &mut errors);
    scope.declare_variables(of("variabledecl").collect(), &mut errors);
    errors.finish(scope)
}

fn known(node: Node) -> Result<(), Error> {
    match tag(node) {
        "namedsort" | "partition" | "variabledecl" => Ok(()),
        "namedoperator" => {
            Err(Error::new(node.range(), format!("{} is an operator with a definition", describe(node)))
                .with_help(
                    "operators with definitions are not supported: write the definition where it is used",
                ))
        }
        _ => Err(Error::new(node.range(), format!("declarations of {} are not understood", describe(node)))),
    }
}

/// An error if an identifier is declared already.
pub(super) fn fresh<T>(map: &HashMap<&str, T>, node: Node) -> Result<(), Error> {
    let id = required(node, "id")?;
    if map.contains_key(id) {
        let message = format!("{} is declared twice", describe(node));
        return Err(Error::new(xml::attribute_span(node, "id"), message));
    }
    Ok(())
}

/// The ids and names of declarations, for [`label::unique`].
pub(super) fn named<'a>(node: Node<'a>) -> (&'a str, String) {
    let name = node.attribute("name").unwrap_or("").trim().to_string();
    (label::id(node), name)
}

impl<'a> Scope<'a> {
    fn declare_variables(&mut self, nodes: Vec<Node<'a>>, errors: &mut Errors) {
        let names: Vec<_> = nodes.iter().map(|node| named(*node)).collect();
        for (node, name) in nodes.iter().zip(label::unique(&names)) {
            let declared = self.declare_variable(*node, &name);
            errors.take(declared.map_err(|error| xml::within(error, *node)));
        }
    }

    fn declare_variable(&mut self, node: Node<'a>, name: &str) -> Result<(), Error> {
        fresh(&self.variable_ids, node)?;
        let sort = self.sort(xml::only(node)?)?;
        let first = self.variables.len() as u32;
        for (position, &class) in sort.iter().enumerate() {
            let name = if sort.len() == 1 { name.into() } else { format!("{name}.{}", position + 1) };
            self.variables.push(Variable { name, class });
        }
        let components = (first..self.variables.len() as u32).map(VariableId).collect();
        self.variable_ids.insert(required(node, "id")?, components);
        Ok(())
    }

    /// The components of the variable that an element refers to.
    pub(super) fn variable(&self, node: Node) -> Result<&[VariableId], Error> {
        let id = required(node, "refvariable")?;
        xml::leaf(node)?;
        let undeclared = || Error::new(node.range(), format!("the variable `{id}` is not declared"));
        self.variable_ids.get(id).map(Vec::as_slice).ok_or_else(undeclared)
    }

    /// What the operator that an element refers to is.
    pub(super) fn operator(&self, node: Node) -> Result<NamedConstant, Error> {
        let id = required(node, "declaration")?;
        xml::leaf(node)?;
        let undeclared = || Error::new(node.range(), format!("the operator `{id}` is not declared"));
        self.operators.get(id).copied().ok_or_else(undeclared)
    }

    /// The name of a class.
    pub(super) fn class_name(&self, class: ClassId) -> &str {
        &self.classes[class.index()].name
    }

    /// How many elements a class has.
    pub(super) fn size(&self, class: ClassId) -> usize {
        self.classes[class.index()].elements.len()
    }
}
