//! What is on the pages of a net.
//!
//! [`gather`] walks the net and its pages, nested ones too, and lists places, transitions, arcs and
//! declarations in the order of the text. References to nodes of other pages are followed here, so arcs need
//! not know pages. Every id is seen once.

use std::collections::HashMap;

use super::label;
use super::xml::{self, Errors, Node, content, describe, required, tag, unknown};
use crate::{Error, PlaceId, TransitionId};

/// The longest chain of references.
const LONGEST: usize = 64;

/// The parts of a net.
#[derive(Default)]
pub(super) struct Pages<'a> {
    /// The things that are declared: sorts, variables, partitions, operators.
    pub(super) declarations: Vec<Node<'a>>,
    pub(super) places: Vec<Node<'a>>,
    pub(super) transitions: Vec<Node<'a>>,
    pub(super) arcs: Vec<Node<'a>>,
    /// What an id means, for arcs.
    pub(super) ends: HashMap<&'a str, End>,
    references: Vec<Node<'a>>,
    ids: HashMap<&'a str, Node<'a>>,
}

/// What an arc can be attached to.
#[derive(Clone, Copy)]
pub(super) enum End {
    Place(PlaceId),
    Transition(TransitionId),
}

/// Everything on the pages of a net.
pub(super) fn gather<'a>(net: Node<'a>, coloured: bool) -> Result<Pages<'a>, Vec<Error>> {
    let mut pages = Pages::default();
    let mut errors = Errors::default();
    pages.page(net, coloured, &mut errors);
    pages.resolve(&mut errors);
    errors.finish(pages)
}

impl<'a> Pages<'a> {
    fn page(&mut self, page: Node<'a>, coloured: bool, errors: &mut Errors) {
        for node in content(page) {
            let done = match tag(node) {
                "page" => self.register(node).map(|_| self.page(node, coloured, errors)),
                "declaration" if coloured => self.declaration(node),
                "name" => Ok(()),
                _ => self.node(node, page),
            };
            errors.take(done);
        }
    }

    fn node(&mut self, node: Node<'a>, page: Node<'a>) -> Result<(), Error> {
        match tag(node) {
            "place" => {
                let id = self.register(node)?;
                self.ends.insert(id, End::Place(PlaceId(self.places.len() as u32)));
                self.places.push(node);
            }
            "transition" => {
                let id = self.register(node)?;
                self.ends.insert(id, End::Transition(TransitionId(self.transitions.len() as u32)));
                self.transitions.push(node);
            }
            "arc" => {
                self.register(node)?;
                self.arcs.push(node);
            }
            "referencePlace" | "referenceTransition" => {
                self.register(node)?;
                label::labels(node, &[])?;
                xml::attributes(node, &["id", "ref"])?;
                self.references.push(node);
            }
            _ => return Err(unknown(node, page)),
        }
        Ok(())
    }

    fn register(&mut self, node: Node<'a>) -> Result<&'a str, Error> {
        let id = required(node, "id")?;
        if let Some(first) = self.ids.insert(id, node) {
            let message =
                format!("the id `{id}` is used twice: by `<{}>` and by `<{}>`", tag(first), tag(node));
            return Err(Error::new(xml::attribute_span(node, "id"), message));
        }
        Ok(id)
    }

    fn declaration(&mut self, node: Node<'a>) -> Result<(), Error> {
        let Some(declarations) = label::structure(node)? else { return Ok(()) };
        if tag(declarations) != "declarations" {
            return Err(unknown(declarations, node));
        }
        self.declarations.extend(content(declarations));
        Ok(())
    }

    /// Follows every reference to its node.
    fn resolve(&mut self, errors: &mut Errors) {
        for reference in std::mem::take(&mut self.references) {
            if let Some((id, end)) = errors.take(self.follow(reference)) {
                self.ends.insert(id, end);
            }
        }
    }

    fn follow(&self, reference: Node<'a>) -> Result<(&'a str, End), Error> {
        let kind = tag(reference);
        let mut current = reference;
        for _ in 0..LONGEST {
            let node = current;
            let target = required(node, "ref")?;
            let wrong = |what: &str| {
                let message = format!("{} refers to `{target}`, which {what}", describe(node));
                Error::new(xml::attribute_span(node, "ref"), message)
            };
            current = *self.ids.get(target).ok_or_else(|| wrong("does not exist"))?;
            match (tag(current), kind) {
                ("place", "referencePlace") | ("transition", "referenceTransition") => {
                    return Ok((required(reference, "id")?, self.ends[target]));
                }
                (other, _) if other == kind => {}
                (other, _) => return Err(wrong(&format!("is of the kind `<{other}>`"))),
            }
        }
        let message =
            format!("the references from {} do not end within {LONGEST} steps", describe(reference));
        Err(Error::new(reference.range(), message))
    }
}
