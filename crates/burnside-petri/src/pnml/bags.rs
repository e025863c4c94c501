//! Terms that are multisets of colours, as sums of weighted patterns.
//!
//! [`Scope::bag`] reads a term into a [`Bag`] for a domain. Differences are sums with negative weights: that
//! is right as long as nothing is added to a difference that may have fallen below nothing, so such terms are
//! refused. A difference that stands alone may fall below nothing: there it counts as nothing.

use std::collections::HashMap;

use super::scope::{NamedConstant, Scope};
use super::terms::{Part, subterms};
use super::xml::{Node, describe, only, tag};
use crate::net::is_covered;
use crate::{ClassId, Error, Inscription, MOST_TOKENS, PartitionId, Term};

/// A multiset.
#[derive(Default)]
pub(super) struct Bag {
    /// The sum.
    pub(super) sum: Inscription,
    /// Whether the sum may be negative for some colour.
    pub(super) negative: bool,
}

impl Scope<'_> {
    /// The multiset of colours of a domain that a term says.
    pub(super) fn bag(&self, node: Node, domain: &[ClassId]) -> Result<Bag, Error> {
        match tag(node) {
            "add" => self.add(node, domain),
            "subtract" => self.subtract(node, domain),
            "numberof" | "scalarproduct" => self.times(node, domain),
            "empty" => {
                let sort = self.sort(only(node)?)?;
                let all: Vec<_> = sort.into_iter().map(|class| Part::Of(class, Term::All)).collect();
                self.fit_all(node, &all, domain).map(|_| Bag::default())
            }
            "useroperator" => match self.operator(node)? {
                NamedConstant::Block(partition, block) => self.block(node, (partition, block), domain),
                NamedConstant::Element(..) => self.colour(node, domain),
            },
            _ => self.colour(node, domain),
        }
    }

    fn colour(&self, node: Node, domain: &[ClassId]) -> Result<Bag, Error> {
        let pattern = self.fit_all(node, &self.pattern(node)?, domain)?;
        Ok(Bag { sum: vec![(1, pattern)], negative: false })
    }

    /// A block of a partition: one of each of its colours.
    fn block(
        &self,
        node: Node,
        (partition, block): (PartitionId, u32),
        domain: &[ClassId],
    ) -> Result<Bag, Error> {
        let it = &self.partitions[partition.index()];
        let members = it.block.iter().enumerate().filter(|(_, of)| **of == block);
        let pattern = |(element, _): (usize, &u32)| {
            let part = Part::Of(it.class, Term::Constant(element as u32));
            Ok((1, self.fit_all(node, &[part], domain)?))
        };
        Ok(Bag { sum: members.map(pattern).collect::<Result<_, Error>>()?, negative: false })
    }

    fn add(&self, node: Node, domain: &[ClassId]) -> Result<Bag, Error> {
        let mut bag = Bag::default();
        for argument in operands(node, 1)? {
            let next = self.bag(argument, domain)?;
            bag.sum.extend(next.defined(argument)?);
        }
        Ok(bag)
    }

    fn subtract(&self, node: Node, domain: &[ClassId]) -> Result<Bag, Error> {
        let mut operands = operands(node, 2)?.into_iter();
        let mut bag = match operands.next() {
            Some(first) => self.bag(first, domain)?,
            None => Bag::default(),
        };
        for argument in operands {
            let next = self.bag(argument, domain)?.defined(argument)?;
            bag.sum.extend(next.into_iter().map(|(weight, pattern)| (-weight, pattern)));
        }
        bag.negative = !is_covered(&bag.sum);
        Ok(bag)
    }

    fn times(&self, node: Node, domain: &[ClassId]) -> Result<Bag, Error> {
        let arguments = subterms(node)?;
        let (factor, argument) = match arguments[..] {
            [argument] if tag(node) == "numberof" => (1, argument),
            [number, argument] => (self.weight(number)?, argument),
            _ => {
                let message = format!("{} needs a number and a term", describe(node));
                return Err(Error::new(node.range(), message));
            }
        };
        let mut bag = self.bag(argument, domain)?;
        for (weight, _) in &mut bag.sum {
            *weight = weight.checked_mul(factor).ok_or_else(|| overflow(node))?;
        }
        Ok(bag)
    }
}

impl Bag {
    /// The sum, if it is one for every binding.
    pub(super) fn defined(self, node: Node) -> Result<Inscription, Error> {
        if self.negative {
            let message =
                format!("{} may take away what is not there, and is used in a larger term", describe(node));
            return Err(Error::new(node.range(), message));
        }
        Ok(self.sum)
    }
}

fn operands<'a>(node: Node<'a>, least: usize) -> Result<Vec<Node<'a>>, Error> {
    let found = subterms(node)?;
    if found.len() < least {
        let message =
            format!("{} must have at least {least} of `<subterm>`, not {}", describe(node), found.len());
        return Err(Error::new(node.range(), message));
    }
    Ok(found)
}

pub(super) fn overflow(node: Node) -> Error {
    let help = format!("a place holds {MOST_TOKENS} tokens at most");
    Error::new(node.range(), "a number of tokens is too large").with_help(help)
}

/// The sum that an arc to or from a place says, with every pattern once, in the order of their first
/// occurrence, and none of weight 0.
pub(super) fn collect(sum: Inscription, node: Node, place: &str) -> Result<Inscription, Error> {
    let mut places: HashMap<Vec<Term>, usize> = HashMap::new();
    let mut collected: Vec<(i128, Vec<Term>)> = Vec::new();
    for (weight, pattern) in sum {
        let next = collected.len();
        let place = *places.entry(pattern.clone()).or_insert(next);
        if place == next {
            collected.push((0, pattern));
        }
        collected[place].0 += i128::from(weight);
    }
    let moved: u128 = collected.iter().map(|(weight, _)| weight.unsigned_abs()).sum();
    if moved > u128::from(MOST_TOKENS) {
        let message = format!("{}: it moves more tokens than place `{place}` can hold", describe(node));
        return Err(Error { message, ..overflow(node) });
    }
    let kept = collected.into_iter().filter(|(weight, _)| *weight != 0);
    Ok(kept.map(|(weight, pattern)| (weight as i64, pattern)).collect())
}
