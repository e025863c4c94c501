//! Formulas as the Model Checking Contest writes them: XML,
//! `property-set/property/{id, description, formula}`.
//!
//! [`read_properties`] reads a whole file. Each property becomes a question of the simplest kind that fits: a
//! bound, a condition that is an invariant or reachable, else a formula of linear or of branching time;
//! formulas that are neither are refused. Every property that is wrong is reported, each with its first
//! mistake, and so is a file without any. Document types and entities are refused, and so is what nests too
//! deep.

mod formula;
mod kind;
mod number;

use crate::error::Error;
use crate::names::Names;
use crate::net::Net;
use crate::pnml::LONGEST_NAME;
use crate::query::Query;
use crate::text::show;
use burnside_limits::poll;
use burnside_ts::visible;
use roxmltree::{Document, Node, TextPos};
use std::collections::BTreeSet;
use std::ops::Range;

const NAMESPACE: &str = "http://mcc.lip6.fr";

/// So many mistakes are reported at most.
const MAX_ERRORS: usize = 100;

/// Reads the contest's formulas about a net.
///
/// # Errors
///
/// What is wrong with the file, for each property.
pub fn read_properties(text: &str, net: &Net) -> Result<Vec<Query>, Vec<Error>> {
    let document = Document::parse(text).map_err(|error| vec![malformed(text, &error)])?;
    let root = document.root_element();
    check_root(root).map_err(|error| vec![error])?;
    let reader = FormulaReader { net, names: Names::new(net) };
    let mut queries: Vec<Query> = Vec::new();
    let mut errors: Vec<Error> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for element in elements(root) {
        match reader.property(element) {
            Ok(query) if !seen.insert(query.name.clone()) => {
                errors.push(Error::new(
                    span(element),
                    format!("there are several properties `{}`", query.name),
                ));
            }
            Ok(query) => queries.push(query),
            Err(error) => errors.push(error),
        }
        if errors.len() >= MAX_ERRORS {
            break;
        }
    }
    if queries.is_empty() && errors.is_empty() {
        let error = Error::new(span(root), "this `property-set` holds no property");
        errors.push(error.with_help("without a file of formulas, deadlocks are looked for"));
    }
    if errors.is_empty() { Ok(queries) } else { Err(errors) }
}

/// What formulas are read with.
struct FormulaReader<'n> {
    net: &'n Net,
    names: Names<'n>,
}

impl FormulaReader<'_> {
    fn property(&self, property: Node<'_, '_>) -> Result<Query, Error> {
        if tag(property) != "property" {
            return Err(unknown(property, "property-set"));
        }
        let known =
            |element: &Node<'_, '_>| matches!(tag(*element), "id" | "description" | "formula" | "tags");
        if let Some(strange) = elements(property).find(|element| !known(element)) {
            return Err(unknown(strange, "property"));
        }
        let id = content(part(property, "id")?)?;
        let asked = self.asked(only(part(property, "formula")?)?, id)?;
        Ok(Query { name: visible(id), text: show(&asked, self.net), asked })
    }
}

fn check_root(root: Node<'_, '_>) -> Result<(), Error> {
    let foreign = root.tag_name().namespace().is_some_and(|namespace| !namespace.starts_with(NAMESPACE));
    if tag(root) == "property-set" && !foreign {
        return Ok(());
    }
    let start = root.range().start;
    let name = start..start + 1 + tag(root).len();
    Err(Error::new(name, format!("expected `property-set` of {NAMESPACE}/, found `{}`", tag(root))))
}

/// Why this is no XML, or not the XML that is read here.
fn malformed(text: &str, error: &roxmltree::Error) -> Error {
    let start = offset(text, error.pos());
    match error {
        roxmltree::Error::DtdDetected => {
            let start = text.find("<!DOCTYPE").unwrap_or(0);
            Error::new(start..start + 9.min(text.len() - start), "document types are not read")
                .with_help("remove the `<!DOCTYPE …>`")
        }
        _ => Error::new(start..start, format!("this is not well-formed XML: {error}")),
    }
}

/// The byte at a position that counts lines and letters from 1.
fn offset(text: &str, pos: TextPos) -> usize {
    let before: usize =
        text.split_inclusive('\n').take(pos.row.saturating_sub(1) as usize).map(str::len).sum();
    let line = &text[before..];
    before + line.char_indices().nth(pos.col.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at)
}

// Elements.

fn tag<'d>(node: Node<'d, '_>) -> &'d str {
    poll();
    node.tag_name().name()
}

fn span(node: Node<'_, '_>) -> Range<usize> {
    node.range()
}

fn elements<'d, 'i: 'd>(node: Node<'d, 'i>) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children().filter(Node::is_element)
}

/// The only element in `node`.
fn only<'d, 'i>(node: Node<'d, 'i>) -> Result<Node<'d, 'i>, Error> {
    let [only] = exactly(node)?;
    Ok(only)
}

/// The elements in `node`, which are so many.
fn exactly<'d, 'i, const N: usize>(node: Node<'d, 'i>) -> Result<[Node<'d, 'i>; N], Error> {
    let found: Vec<Node<'d, 'i>> = elements(node).collect();
    let count = found.len();
    found.try_into().map_err(|_| wrong_count(node, &N.to_string(), N == 1, count))
}

/// The elements in `node`, at least one.
fn some<'d, 'i>(node: Node<'d, 'i>) -> Result<Vec<Node<'d, 'i>>, Error> {
    let found: Vec<Node<'d, 'i>> = elements(node).collect();
    if found.is_empty() { Err(wrong_count(node, "at least 1", true, 0)) } else { Ok(found) }
}

fn wrong_count(node: Node<'_, '_>, wanted: &str, one: bool, found: usize) -> Error {
    let plural = if one { "" } else { "s" };
    Error::new(span(node), format!("`{}` needs {wanted} element{plural} inside, and has {found}", tag(node)))
}

/// The only part of `node` that is called so.
fn part<'d, 'i>(node: Node<'d, 'i>, name: &str) -> Result<Node<'d, 'i>, Error> {
    let mut found = elements(node).filter(|element| tag(*element) == name);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Error::new(span(node), format!("this `{}` has no `{name}`", tag(node)))),
        (_, Some(second)) => {
            Err(Error::new(span(second), format!("this `{}` has several `{name}`", tag(node))))
        }
    }
}

/// The text in `node`.
fn content<'d>(node: Node<'d, '_>) -> Result<&'d str, Error> {
    let text = node.text().unwrap_or_default().trim();
    if text.is_empty() {
        Err(Error::new(span(node), format!("this `{}` is empty", tag(node))))
    } else if text.len() > LONGEST_NAME {
        let start = span(node).start;
        let message = format!("this `{}` has more than {LONGEST_NAME} bytes", tag(node));
        Err(Error::new(start..start + 1 + tag(node).len(), message))
    } else {
        Ok(text)
    }
}

fn unknown(node: Node<'_, '_>, inside: &str) -> Error {
    Error::new(span(node), format!("unknown element `{}` in `{inside}`", tag(node)))
}
