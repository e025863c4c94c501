//! Labels: what stands at a net, a place, a transition or an arc besides its place in the graph.
//!
//! A label of a place/transition net says a number in its
//! `<text>`, one of a coloured net says a term in its `<structure>`. What is neither is refused, here or by
//! those who ask: an unknown label may change what a net means.

use burnside_ts::visible;
use std::collections::{HashMap, HashSet};

use super::xml::{self, Node, child, content, describe, tag};
use crate::Error;

/// The labels of a node of the net by name, each at most once; all but those allowed are refused.
pub(super) fn labels<'a>(node: Node<'a>, allowed: &[&str]) -> Result<(), Error> {
    for (position, label) in content(node).enumerate() {
        let name = tag(label);
        if name == "capacity" {
            return Err(Error::new(label.range(), format!("{} has a capacity", describe(node)))
                .with_help("add a place for what is free, and arcs the other way round"));
        }
        if name != "name" && !allowed.contains(&name) {
            return Err(xml::unknown(label, node)
                .with_help("what only one tool understands belongs into `<toolspecific>`"));
        }
        if content(node).take(position).any(|other| tag(other) == name) {
            return Err(Error::new(label.range(), format!("{} has `<{name}>` twice", describe(node))));
        }
    }
    Ok(())
}

/// The id of an element: empty if it has none.
pub(super) fn id<'a>(node: Node<'a>) -> &'a str {
    node.attribute("id").unwrap_or("")
}

/// What people call a node: empty if nothing was said.
pub(super) fn name(node: Node) -> String {
    let text = child(node, "name").and_then(|name| child(name, "text"));
    text.map(xml::text).unwrap_or_default()
}

/// The term of a label, if it has one: a label without text and structure is none.
pub(super) fn structure<'a>(label: Node<'a>) -> Result<Option<Node<'a>>, Error> {
    if let Some(other) = content(label).find(|it| !matches!(tag(*it), "text" | "structure")) {
        return Err(xml::unknown(other, label));
    }
    if content(label).filter(|it| tag(*it) == "structure").count() > 1 {
        return Err(Error::new(label.range(), format!("{} has `<structure>` twice", describe(label))));
    }
    match child(label, "structure") {
        Some(structure) if content(structure).next().is_some() => xml::only(structure).map(Some),
        _ if child(label, "text").map(xml::text).unwrap_or_default().is_empty() => Ok(None),
        _ => Err(Error::new(label.range(), format!("{} has no structure", describe(label)))
            .with_help("its text is for people; what it means must be written as `<structure>`")),
    }
}

/// The structure of a label that must have one.
pub(super) fn term<'a>(node: Node<'a>, name: &str) -> Result<Node<'a>, Error> {
    let missing = || Error::new(node.range(), format!("{} has no `<{name}>`", describe(node)));
    let found = child(node, name).ok_or_else(missing)?;
    structure(found).map_err(|error| xml::within(error, node))?.ok_or_else(missing)
}

/// The number of a label.
pub(super) fn number(label: Node) -> Result<u64, Error> {
    if let Some(other) = content(label).find(|it| tag(*it) != "text") {
        return Err(xml::unknown(other, label));
    }
    let node = xml::only(label)?;
    let text = xml::text(node);
    let wrong =
        |why| Error::new(node.range(), format!("{} must be a number, but `{text}` {why}", describe(label)));
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        _ if digits => Err(wrong("is too large")),
        _ if text.starts_with('-') && text[1..].parse::<u64>().is_ok() => Err(wrong("is negative")),
        _ => Err(wrong("is none")),
    }
}

/// An integer in an attribute.
pub(super) fn integer(node: Node, name: &str) -> Result<i64, Error> {
    let text = xml::required(node, name)?.trim();
    text.parse().map_err(|_| {
        let message = format!("{}: `{name}` must be an integer of 64 bits, not `{text}`", describe(node));
        Error::new(xml::attribute_span(node, name), message)
    })
}

/// Names for people: what was given if nobody else has it as a name or an id, else the id. Hidden characters
/// are escaped; if that makes two names equal, the later ones get a number.
pub(super) fn unique(given: &[(&str, String)]) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for (id, name) in given {
        *uses.entry(name).or_default() += 1;
        if id != name {
            *uses.entry(id).or_default() += 1;
        }
    }
    let choose = |(id, name): &(&str, String)| {
        let own = !name.is_empty() && uses[name.as_str()] == 1;
        visible(if own { name } else { id })
    };
    let mut taken: HashSet<String> = HashSet::new();
    let fresh = |name: String| {
        let mut numbered = (2u32..).map(|number| format!("{name}~{number}"));
        let mut free =
            Some(name.clone()).into_iter().chain(&mut numbered).filter(|name| !taken.contains(name));
        let name = free.next().expect("there are more numbers than names");
        taken.insert(name.clone());
        name
    };
    given.iter().map(choose).map(fresh).collect()
}
