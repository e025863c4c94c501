//! Terms that are colours: variables, constants, their neighbours on a circle, tuples, and all colours of a
//! sort.
//!
//! [`Scope::pattern`] reads a term into its components. `all` counts as a colour here, one that stands for
//! each: so it can be a component of a tuple. A number of a range is of whatever class with that range is
//! wanted, so components know their class only when they are fitted to a place or compared. Neighbours exist
//! on cyclic enumerations only: ISO/IEC 15909-2 has no others.

use super::classes;
use super::label;
use super::scope::{NamedConstant, Scope};
use super::xml::{self, Node, content, describe, only, required, tag, unknown};
use crate::{ClassId, Error, Order, Term};

/// A component of a colour.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Of a class.
    Of(ClassId, Term),
    /// A number of the range between two others.
    Number(i64, (i64, i64)),
}

/// The arguments of an operator.
pub(super) fn subterms<'a>(node: Node<'a>) -> Result<Vec<Node<'a>>, Error> {
    let argument = |it| if tag(it) == "subterm" { only(it) } else { Err(unknown(it, node)) };
    content(node).map(argument).collect()
}

/// The arguments of an operator that has exactly so many.
pub(super) fn arguments<'a, const N: usize>(node: Node<'a>) -> Result<[Node<'a>; N], Error> {
    let found = subterms(node)?;
    let count = found.len();
    let wrong =
        |_| Error::new(node.range(), format!("{} must have {N} of `<subterm>`, not {count}", describe(node)));
    found.try_into().map_err(wrong)
}

impl Scope<'_> {
    /// The components of a colour.
    pub(super) fn pattern(&self, node: Node) -> Result<Vec<Part>, Error> {
        match tag(node) {
            "variable" => {
                let of = |&id: &crate::VariableId| {
                    Part::Of(self.variables[id.index()].class, Term::Variable(id, 0))
                };
                Ok(self.variable(node)?.iter().map(of).collect())
            }
            "useroperator" => self.constant(node),
            "dotconstant" => xml::leaf(node).map(|()| Vec::new()),
            "finiteintrangeconstant" => self.number(node),
            "all" => {
                Ok(self.sort(only(node)?)?.into_iter().map(|class| Part::Of(class, Term::All)).collect())
            }
            "successor" => self.neighbour(node, 1),
            "predecessor" => self.neighbour(node, -1),
            "tuple" => self.tuple(node),
            name => Err(Error::new(node.range(), format!("the operator `<{name}>` is not understood here"))),
        }
    }

    fn constant(&self, node: Node) -> Result<Vec<Part>, Error> {
        match self.operator(node)? {
            NamedConstant::Element(class, element) => Ok(vec![Part::Of(class, Term::Constant(element))]),
            NamedConstant::Block(..) => {
                let id = required(node, "declaration")?;
                let message = format!("`{id}` is a block of a partition, not a colour");
                let help = "alone, or with a number of it, a block stands for all its colours";
                Err(Error::new(node.range(), message).with_help(help))
            }
        }
    }

    fn number(&self, node: Node) -> Result<Vec<Part>, Error> {
        let value = label::integer(node, "value")?;
        let sort = only(node)?;
        let out = |start: i64, end: i64| {
            let message = format!("{value} is not in the range from {start} to {end}");
            Err(Error::new(node.range(), message))
        };
        if tag(sort) == "finiteintrange" {
            let (start, end) = classes::ends(sort)?;
            return if start <= value && value <= end {
                Ok(vec![Part::Number(value, (start, end))])
            } else {
                out(start, end)
            };
        }
        let [class] = self.sort(sort)?[..] else {
            return Err(Error::new(sort.range(), "a number must be of a range"));
        };
        let Order::Range(start) = self.classes[class.index()].order else {
            return Err(Error::new(sort.range(), "a number must be of a range"));
        };
        let end = start + (self.size(class) as i64 - 1);
        if value < start || value > end {
            return out(start, end);
        }
        Ok(vec![Part::Of(class, Term::Constant((value - start) as u32))])
    }

    fn neighbour(&self, node: Node, step: i64) -> Result<Vec<Part>, Error> {
        let [argument] = arguments(node)?;
        let wrong =
            |what: &str| Error::new(node.range(), format!("{} of {what} is not defined", describe(node)));
        match self.pattern(argument)?[..] {
            [Part::Of(class, term)] if self.classes[class.index()].order == Order::Cyclic => {
                let size = self.size(class) as i64;
                let term = match term {
                    Term::Variable(id, steps) => Term::Variable(id, steps + step),
                    Term::Constant(element) => {
                        Term::Constant((i64::from(element) + step).rem_euclid(size) as u32)
                    }
                    Term::All => return Err(wrong("all elements")),
                };
                Ok(vec![Part::Of(class, term)])
            }
            [Part::Of(class, _)] => {
                let name = self.class_name(class);
                Err(wrong(&format!("an element of `{name}`"))
                    .with_help(format!("declare `{name}` as a `<cyclicenumeration>`")))
            }
            [Part::Number(..)] => Err(wrong("a number of a range")),
            _ => Err(wrong("a tuple or a black token")),
        }
    }

    fn tuple(&self, node: Node) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        for argument in subterms(node)? {
            parts.extend(self.pattern(argument)?);
        }
        Ok(parts)
    }

    /// A component as one of a class.
    pub(super) fn fit(&self, node: Node, part: Part, class: ClassId) -> Result<Term, Error> {
        match part {
            Part::Of(own, term) if own == class => Ok(term),
            Part::Of(own, _) => {
                let (own, wanted) = (self.class_name(own), self.class_name(class));
                Err(Error::new(
                    node.range(),
                    format!("an element of `{own}` stands where one of `{wanted}` must"),
                ))
            }
            Part::Number(value, ends) if self.is_range(class, ends) => {
                Ok(Term::Constant(value.abs_diff(ends.0) as u32))
            }
            Part::Number(_, (start, end)) => {
                let wanted = self.class_name(class);
                let message =
                    format!("a number from {start} to {end} stands where an element of `{wanted}` must");
                Err(Error::new(node.range(), message))
            }
        }
    }

    /// A colour as one of a domain.
    pub(super) fn fit_all(&self, node: Node, parts: &[Part], domain: &[ClassId]) -> Result<Vec<Term>, Error> {
        if parts.len() != domain.len() {
            let (got, wanted) = (parts.len(), domain.len());
            let message = format!("the number of components of this colour is {got}, but must be {wanted}");
            return Err(Error::new(node.range(), message));
        }
        parts.iter().zip(domain).map(|(&part, &class)| self.fit(node, part, class)).collect()
    }

    /// The position of a colour that is an element of a class.
    pub(super) fn position(&self, node: Node, parts: &[Part], class: ClassId) -> Result<u32, Error> {
        match self.fit_all(node, parts, &[class])?[..] {
            [Term::Constant(position)] => Ok(position),
            _ => Err(Error::new(node.range(), "this is not a constant")),
        }
    }

    /// A number that counts tokens.
    pub(super) fn weight(&self, node: Node) -> Result<i64, Error> {
        if tag(node) != "numberconstant" {
            return Err(Error::new(node.range(), format!("`<{}>` stands where a number must", tag(node))));
        }
        let value = label::integer(node, "value")?;
        if let Some(sort) = content(node).find(|it| !matches!(tag(*it), "positive" | "natural" | "integer")) {
            return Err(unknown(sort, node));
        }
        if value < 0 {
            return Err(Error::new(xml::attribute_span(node, "value"), "a number of tokens is negative"));
        }
        Ok(value)
    }
}
