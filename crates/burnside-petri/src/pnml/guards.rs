//! Terms that are conditions.
//!
//! [`Scope::guard`] reads a term into a [`Guard`]. Tuples are compared component by component; two numbers of
//! ranges at once. Blocks of partitions are compared with blocks of the same partition, whether named
//! (`useroperator`) or asked for (`partitionelementof`).

use burnside_ts::Compare;

use super::scope::{NamedConstant, Scope};
use super::terms::{Part, arguments, subterms};
use super::xml::{Node, describe, leaf, required, tag};
use crate::{Comparison, Error, Guard, Operand, PartitionId, Term};

/// What is compared.
enum Side {
    /// A colour.
    Colour(Vec<Part>),
    /// A block of a partition.
    Block(PartitionId, u32),
    /// The block that an element is in.
    BlockOf(PartitionId, Term),
}

impl Scope<'_> {
    /// The condition that a term says.
    pub(super) fn guard(&self, node: Node) -> Result<Guard, Error> {
        match tag(node) {
            "booleanconstant" => constant(node),
            "and" => Ok(all(self.guards(node)?)),
            "or" => Ok(any(self.guards(node)?)),
            "not" => Ok(not(self.guard(arguments::<1>(node)?[0])?)),
            "imply" => {
                let [left, right] = arguments(node)?;
                Ok(any(vec![not(self.guard(left)?), self.guard(right)?]))
            }
            "equality" => self.compare(node, Compare::Eq, false),
            "inequality" => self.compare(node, Compare::Ne, false),
            "lessthan" | "ltp" => self.compare(node, Compare::Lt, false),
            "lessthanorequal" => self.compare(node, Compare::Le, false),
            "greaterthan" | "gtp" => self.compare(node, Compare::Lt, true),
            "greaterthanorequal" => self.compare(node, Compare::Le, true),
            name => Err(Error::new(node.range(), format!("the operator `<{name}>` is not understood here"))),
        }
    }

    fn guards(&self, node: Node) -> Result<Vec<Guard>, Error> {
        let found = subterms(node)?;
        if found.is_empty() {
            return Err(Error::new(
                node.range(),
                format!("{} must have at least 1 of `<subterm>`, not 0", describe(node)),
            ));
        }
        found.into_iter().map(|argument| self.guard(argument)).collect()
    }

    fn compare(&self, node: Node, op: Compare, swap: bool) -> Result<Guard, Error> {
        let [left, right] = arguments(node)?;
        let (left, right) = if swap { (right, left) } else { (left, right) };
        let (left, right) = (self.side(left)?, self.side(right)?);
        match (left, right) {
            (Side::Colour(_), Side::Colour(_)) if matches!(tag(node), "ltp" | "gtp") => {
                Err(Error::new(node.range(), format!("{} compares blocks of partitions", describe(node))))
            }
            (Side::Colour(left), Side::Colour(right)) => self.colours(node, op, &left, &right),
            (left, right) => self.blocks(node, op, &left, &right),
        }
    }

    fn side(&self, node: Node) -> Result<Side, Error> {
        match tag(node) {
            "partitionelementof" => {
                let id = required(node, "refpartition")?;
                let undeclared = || Error::new(node.range(), format!("the partition `{id}` is not declared"));
                let partition = *self.partition_ids.get(id).ok_or_else(undeclared)?;
                let [argument] = arguments(node)?;
                let class = self.partitions[partition.index()].class;
                match self.fit_all(argument, &self.pattern(argument)?, &[class])?[..] {
                    [Term::All] => Err(quantified(argument)),
                    [term] => Ok(Side::BlockOf(partition, term)),
                    _ => Err(Error::new(argument.range(), "a block is of one element")),
                }
            }
            "useroperator" => match self.operator(node)? {
                NamedConstant::Block(partition, block) => Ok(Side::Block(partition, block)),
                NamedConstant::Element(class, element) => {
                    Ok(Side::Colour(vec![Part::Of(class, Term::Constant(element))]))
                }
            },
            _ => {
                let parts = self.pattern(node)?;
                let every = parts.iter().any(|part| matches!(part, Part::Of(_, Term::All)));
                if every { Err(quantified(node)) } else { Ok(Side::Colour(parts)) }
            }
        }
    }

    fn colours(&self, node: Node, op: Compare, left: &[Part], right: &[Part]) -> Result<Guard, Error> {
        if left.len() != right.len() {
            let message = format!("colours of {} and of {} components are compared", left.len(), right.len());
            return Err(Error::new(node.range(), message));
        }
        if matches!(op, Compare::Lt | Compare::Le) && left.len() != 1 {
            return Err(Error::new(node.range(), format!("{} is not defined for tuples", describe(node))));
        }
        let pairs = left.iter().zip(right).map(|(&left, &right)| self.elements(node, op, left, right));
        let guards: Vec<Guard> = pairs.collect::<Result<_, Error>>()?;
        Ok(if op == Compare::Ne { any(guards) } else { all(guards) })
    }

    fn elements(&self, node: Node, op: Compare, left: Part, right: Part) -> Result<Guard, Error> {
        let class = match (left, right) {
            (Part::Number(left, one), Part::Number(right, other)) if one == other => {
                return Ok(truth(op, left, right));
            }
            (Part::Number(..), Part::Number(..)) => {
                return Err(Error::new(node.range(), "numbers of two ranges are compared"));
            }
            (Part::Of(class, _), _) | (_, Part::Of(class, _)) => class,
        };
        let element = |part| self.fit(node, part, class).map(Operand::Element);
        let (left, right) = (element(left)?, element(right)?);
        Ok(Guard::Compare(Comparison { op, class, partition: None, left, right }))
    }

    fn blocks(&self, node: Node, op: Compare, left: &Side, right: &Side) -> Result<Guard, Error> {
        let operand = |side: &Side| match *side {
            Side::Block(partition, block) => Ok((partition, Operand::Block(block))),
            Side::BlockOf(partition, term) => Ok((partition, Operand::Element(term))),
            Side::Colour(_) => Err(Error::new(node.range(), "a colour is compared with a block")
                .with_help("`<partitionelementof>` says the block that an element is in")),
        };
        let ((partition, left), (other, right)) = (operand(left)?, operand(right)?);
        if partition != other {
            return Err(Error::new(node.range(), "blocks of two partitions are compared"));
        }
        let class = self.partitions[partition.index()].class;
        Ok(Guard::Compare(Comparison { op, class, partition: Some(partition), left, right }))
    }
}

fn quantified(node: Node) -> Error {
    Error::new(node.range(), "`<all>` cannot be compared")
}

fn constant(node: Node) -> Result<Guard, Error> {
    leaf(node)?;
    match required(node, "value")?.trim() {
        "true" | "1" => Ok(Guard::True),
        "false" | "0" => Ok(Guard::False),
        other => Err(Error::new(node.range(), format!("`{other}` is neither `true` nor `false`"))),
    }
}

fn truth(op: Compare, left: i64, right: i64) -> Guard {
    let holds = match op {
        Compare::Eq => left == right,
        Compare::Ne => left != right,
        Compare::Lt => left < right,
        Compare::Le => left <= right,
    };
    if holds { Guard::True } else { Guard::False }
}

fn not(guard: Guard) -> Guard {
    match guard {
        Guard::True => Guard::False,
        Guard::False => Guard::True,
        Guard::Not(inner) => *inner,
        other => Guard::Not(Box::new(other)),
    }
}

/// A conjunction, flat and without what is certain.
fn all(guards: Vec<Guard>) -> Guard {
    let mut parts = Vec::new();
    for guard in guards {
        match guard {
            Guard::True => {}
            Guard::False => return Guard::False,
            Guard::And(inner) => parts.extend(inner),
            other => parts.push(other),
        }
    }
    if parts.is_empty() { Guard::True } else { single(parts, Guard::And) }
}

/// A disjunction, flat and without what is impossible.
fn any(guards: Vec<Guard>) -> Guard {
    let mut parts = Vec::new();
    for guard in guards {
        match guard {
            Guard::False => {}
            Guard::True => return Guard::True,
            Guard::Or(inner) => parts.extend(inner),
            other => parts.push(other),
        }
    }
    if parts.is_empty() { Guard::False } else { single(parts, Guard::Or) }
}

fn single(mut parts: Vec<Guard>, many: fn(Vec<Guard>) -> Guard) -> Guard {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            many(parts)
        }
        None => Guard::True,
    }
}
