//! Arcs: what they connect, of which kind they are, and what they say.
//!
//! The standard has plain arcs only. Others come from extensions, which name the kind in one of several ways:
//! an attribute `type`, an element `<type value="…"/>`, or an element `<arctype>` with a text. Plain arcs
//! between the same place and transition are added up; arcs that test are kept apart, as each is a condition
//! of its own.

use std::collections::HashMap;

use super::bags::{self, Bag};
use super::label;
use super::pages::{End, Pages};
use super::scope::Scope;
use super::transitions::variables;
use super::xml::{self, Errors, Node, child, content, describe, required, tag};
use crate::{Arc, Error, Inscription, Net, PlaceId, TransitionId, VariableId};

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcKind {
    Plain,
    Read,
    Inhibitor,
    Reset,
}

/// Adds all arcs to the transitions of a net.
pub(super) fn read(scope: &Scope, pages: &Pages, net: &mut Net, errors: &mut Errors) {
    let mut sums = HashMap::new();
    for &node in &pages.arcs {
        let read = ArcReader { scope, pages, net, sums: &mut sums }.arc(node);
        errors.take(read);
    }
    for transition in &mut net.transitions {
        transition.variables.sort_unstable();
        transition.variables.dedup();
        for arcs in [&mut transition.inputs, &mut transition.outputs] {
            arcs.retain(|arc| !arc.inscription.is_empty());
        }
    }
}

/// Where a plain arc's sum is, and whether it may be negative: by transition, place and direction.
type Sums = HashMap<(TransitionId, PlaceId, bool), (usize, bool)>;

struct ArcReader<'r, 'a> {
    scope: &'r Scope<'a>,
    pages: &'r Pages<'a>,
    net: &'r mut Net,
    sums: &'r mut Sums,
}

impl ArcReader<'_, '_> {
    fn arc(&mut self, node: Node) -> Result<(), Error> {
        xml::attributes(node, &["id", "source", "target", "type"])?;
        let inscription = if self.net.coloured { "hlinscription" } else { "inscription" };
        label::labels(node, &[inscription, "type", "arctype"])?;
        let kind = kind(node).map_err(|error| xml::within(error, node))?;
        let (place, transition, input) = match (self.end(node, "source")?, self.end(node, "target")?) {
            (End::Place(place), End::Transition(transition)) => (place, transition, true),
            (End::Transition(transition), End::Place(place)) => (place, transition, false),
            (End::Place(_), End::Place(_)) => return Err(alike(node, "places")),
            (End::Transition(_), End::Transition(_)) => return Err(alike(node, "transitions")),
        };
        if kind != ArcKind::Plain && !input {
            let message = format!("{} does not lead from a place to a transition", describe(node));
            return Err(Error::new(node.range(), message)
                .with_help("only plain arcs lead from a transition to a place"));
        }
        if kind == ArcKind::Reset {
            return self.reset(node, place, transition);
        }
        let (bag, variables) = self.bag(node, place).map_err(|error| xml::within(error, node))?;
        self.net.transitions[transition.index()].variables.extend(variables);
        match kind {
            ArcKind::Plain => self.plain(node, (transition, place, input), bag),
            _ => self.test(node, (transition, place), kind, bag),
        }
    }

    fn end(&self, node: Node, name: &str) -> Result<End, Error> {
        let id = required(node, name)?;
        self.pages.ends.get(id).copied().ok_or_else(|| {
            let message = format!("{}: its {name} `{id}` is no place and no transition", describe(node));
            Error::new(xml::attribute_span(node, name), message)
        })
    }

    fn bag(&self, node: Node, place: PlaceId) -> Result<(Bag, Vec<VariableId>), Error> {
        if self.net.coloured {
            let missing = || Error::new(node.range(), "it has no `<hlinscription>`");
            let label = child(node, "hlinscription").ok_or_else(missing)?;
            let term = label::structure(label)?.ok_or_else(missing)?;
            let bag = self.scope.bag(term, &self.net.place(place).domain)?;
            return Ok((bag, variables(self.scope, term)?));
        }
        let weight = child(node, "inscription").map_or(Ok(1), label::number)?;
        // More than can be held is refused where the place is known.
        let weight = i64::try_from(weight).unwrap_or(i64::MAX);
        Ok((Bag { sum: vec![(weight, Vec::new())], negative: false }, Vec::new()))
    }

    fn plain(&mut self, node: Node, key: (TransitionId, PlaceId, bool), bag: Bag) -> Result<(), Error> {
        let (transition, place, input) = key;
        let name = &self.net.places[place.index()].name;
        let transition = &mut self.net.transitions[transition.index()];
        let arcs = if input { &mut transition.inputs } else { &mut transition.outputs };
        match self.sums.get(&key) {
            None => {
                let inscription = bags::collect(bag.sum, node, name)?;
                self.sums.insert(key, (arcs.len(), bag.negative));
                arcs.push(Arc { place, inscription });
            }
            Some((_, negative)) if *negative || bag.negative => {
                let message = format!(
                    "{} is added to another arc, and one may take away what is not there",
                    describe(node)
                );
                return Err(Error::new(node.range(), message));
            }
            Some((position, _)) => {
                let arc: &mut Arc = &mut arcs[*position];
                let mut sum = std::mem::take(&mut arc.inscription);
                sum.extend(bag.sum);
                arc.inscription = bags::collect(sum, node, name)?;
            }
        }
        Ok(())
    }

    fn test(
        &mut self,
        node: Node,
        (transition, place): (TransitionId, PlaceId),
        kind: ArcKind,
        bag: Bag,
    ) -> Result<(), Error> {
        let inscription: Inscription = bags::collect(bag.sum, node, &self.net.place(place).name)?;
        if inscription.is_empty() && kind == ArcKind::Inhibitor {
            let message = format!("{} is an inhibitor arc of weight 0", describe(node));
            return Err(Error::new(node.range(), message));
        }
        let transition = &mut self.net.transitions[transition.index()];
        let arcs = if kind == ArcKind::Read { &mut transition.reads } else { &mut transition.inhibitors };
        if !inscription.is_empty() {
            arcs.push(Arc { place, inscription });
        }
        Ok(())
    }

    /// A reset arc says nothing, but some tools always write a weight of 1.
    fn reset(&mut self, node: Node, place: PlaceId, transition: TransitionId) -> Result<(), Error> {
        let says = content(node).find(|label| matches!(tag(*label), "inscription" | "hlinscription"));
        let weighs = |label| label::number(label).map_err(|error| xml::within(error, node));
        if let Some(label) = says
            && (self.net.coloured || weighs(label)? != 1)
        {
            let message = format!("{} is a reset arc with an inscription", describe(node));
            return Err(Error::new(label.range(), message));
        }
        let resets = &mut self.net.transitions[transition.index()].resets;
        if !resets.contains(&place) {
            resets.push(place);
        }
        Ok(())
    }
}

fn alike(node: Node, what: &str) -> Error {
    Error::new(node.range(), format!("{} connects two {what}", describe(node)))
}

/// The kind of an arc.
fn kind(node: Node) -> Result<ArcKind, Error> {
    let mut kinds = Vec::new();
    if let Some(name) = node.attribute("type") {
        kinds.push(named(node, name)?);
    }
    for label in content(node).filter(|label| matches!(tag(*label), "type" | "arctype")) {
        kinds.push(named(label, &said(label)?)?);
    }
    match kinds[..] {
        [] => Ok(ArcKind::Plain),
        [first, ref rest @ ..] if rest.iter().all(|kind| *kind == first) => Ok(first),
        _ => Err(Error::new(node.range(), "it is of two kinds")),
    }
}

fn said(label: Node) -> Result<String, Error> {
    if let Some(other) = content(label).find(|it| tag(*it) != "text") {
        return Err(xml::unknown(other, label));
    }
    let inside = if content(label).next().is_some() { xml::only(label)? } else { label };
    Ok(label.attribute("value").map_or_else(|| xml::text(inside), |value| value.trim().to_string()))
}

fn named(node: Node, name: &str) -> Result<ArcKind, Error> {
    match name {
        "normal" => Ok(ArcKind::Plain),
        "read" | "test" => Ok(ArcKind::Read),
        "inhibitor" => Ok(ArcKind::Inhibitor),
        "reset" => Ok(ArcKind::Reset),
        _ => Err(Error::new(node.range(), format!("arcs of the kind `{name}` are not understood"))
            .with_help("the kinds are `normal`, `read`, `test`, `inhibitor` and `reset`")),
    }
}
