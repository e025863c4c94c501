//! XML: parsing with limits, and the questions the other files ask of an element.
//!
//! [`parse`] refuses what could hurt before anything else looks at the document: document type declarations
//! (so no entity is ever expanded or fetched), texts and nestings without measure, and elements of foreign
//! namespaces outside of the parts that are ignored. After it, local names say everything, and recursion over
//! elements is safe.

use burnside_limits::poll;
use std::ops::Range;

use roxmltree::{Document, ParsingOptions};

use crate::Error;

/// The namespace of every element.
const NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";

/// The longest text, in bytes.
const LONGEST: usize = 1 << 30;

/// The deepest nesting of elements.
const DEEPEST: usize = 1024;

/// The most bytes of an attribute and of a name: they are copied, and stand in every line of a report.
pub(crate) const LONGEST_NAME: usize = 1 << 16;

/// The most declarations of namespaces, and of prefixes: the parser copies the list of prefixes for each
/// declaration.
const NAMESPACES: usize = 1 << 16;
const PREFIXES: usize = 64;

/// The most attributes of an element: the parser compares each with each.
const ATTRIBUTES: usize = 4096;

/// An element.
pub(super) type Node<'a> = roxmltree::Node<'a, 'a>;

/// Errors so far.
#[derive(Default)]
pub(super) struct Errors(pub(super) Vec<Error>);

impl Errors {
    /// The value, or one error more.
    pub(super) fn take<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.0.push(error)).ok()
    }

    /// The value if there were no errors at all; else the errors in the order of the text, each once.
    pub(super) fn finish<T>(mut self, value: T) -> Result<T, Vec<Error>> {
        self.0.sort_by_key(|error| (error.span.start, error.span.end));
        self.0.dedup();
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}

/// The document of a text, fit to be walked by recursion.
pub(super) fn parse(text: &str) -> Result<Document<'_>, Error> {
    if text.len() > LONGEST {
        return Err(Error::new(0..0, format!("the text is longer than {LONGEST} bytes")));
    }
    if text.trim().is_empty() {
        return Err(Error::new(0..text.len(), "the text is empty"));
    }
    count(text, "xmlns", NAMESPACES)?;
    count(text, "xmlns:", PREFIXES)?;
    count_attributes(text)?;
    let document = Document::parse_with_options(text, ParsingOptions::default())
        .map_err(|error| malformed(text, &error))?;
    inspect(document.root_element())?;
    Ok(document)
}

fn count(text: &str, word: &str, most: usize) -> Result<(), Error> {
    match text.match_indices(word).nth(most) {
        Some((at, _)) => {
            Err(Error::new(at..at + word.len(), format!("`{word}` occurs more than {most} times")))
        }
        None => Ok(()),
    }
}

/// An attribute's value cannot hold `<`, so no element has more attributes than there are signs of equality
/// up to the next one.
fn count_attributes(text: &str) -> Result<(), Error> {
    let many = |part: &&str| part.bytes().filter(|byte| *byte == b'=').count() > ATTRIBUTES;
    match text.split('<').find(many) {
        Some(part) => {
            let at = part.as_ptr() as usize - text.as_ptr() as usize;
            let message =
                format!("there are more than {ATTRIBUTES} attributes, or signs of equality, in a row");
            Err(Error::new(at..at, message))
        }
        None => Ok(()),
    }
}

fn malformed(text: &str, error: &roxmltree::Error) -> Error {
    if matches!(error, roxmltree::Error::DtdDetected) {
        let at = text.find("<!DOCTYPE").unwrap_or(0);
        let end = text.len().min(at + "<!DOCTYPE".len());
        return Error::new(at..end, "a document type declaration is not allowed")
            .with_help("remove `<!DOCTYPE …>`; entities are neither expanded nor fetched");
    }
    let position = error.pos();
    let at = match error {
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream => text.len(),
        _ => offset(text, position.row, position.col),
    };
    let message = error.to_string();
    let message = message.replacen(&format!(" at {position}"), "", 1);
    Error::new(at..at, format!("not well-formed XML: {message}"))
}

/// The byte of a line and a column, both counted from 1.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.clone().take(row as usize - 1).map(str::len).sum();
    let line = lines.nth(row as usize - 1).unwrap_or("");
    start + line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at)
}

/// Checks the nesting, the namespaces and the names, without recursion.
fn inspect(root: Node) -> Result<(), Error> {
    let mut waiting = vec![(root, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > DEEPEST {
            let message = format!("elements are nested deeper than {DEEPEST} levels");
            return Err(Error::new(tag_span(node), message));
        }
        if node.tag_name().namespace() != Some(NAMESPACE) {
            return Err(foreign(node));
        }
        if let Some(long) = long_name(node) {
            return Err(Error::new(long, format!("a name has more than {LONGEST_NAME} bytes")));
        }
        let children = node.children().rev().filter(|child| child.is_element() && !ignored(*child));
        waiting.extend(children.map(|child| (child, depth + 1)));
    }
    Ok(())
}

/// Where an element has a name that is too long.
fn long_name(node: Node) -> Option<Range<usize>> {
    let attribute = node.attributes().find(|attribute| attribute.value().len() > LONGEST_NAME);
    let texts = node.children().filter(|child| child.is_text());
    let is_name = || node.parent_element().is_some_and(|parent| tag(parent) == "name");
    let length = texts.filter_map(|child| child.text()).map(str::len).sum::<usize>();
    // The whole range would be as long as the name.
    let start = match attribute {
        Some(attribute) => attribute.range().start,
        None if length > LONGEST_NAME && is_name() => node.range().start,
        None => return None,
    };
    Some(start..start + 1)
}

fn foreign(node: Node) -> Error {
    let whose = match node.tag_name().namespace() {
        Some(namespace) => format!("is in the namespace `{namespace}`"),
        None => String::from("is in no namespace"),
    };
    Error::new(tag_span(node), format!("`<{}>` {whose}, which is not that of PNML", tag(node)))
        .with_help(format!("the namespace of PNML is `{NAMESPACE}`"))
}

/// Looks and what belongs to other tools: never read.
fn ignored(node: Node) -> bool {
    matches!(tag(node), "graphics" | "toolspecific")
}

/// The name of an element.
pub(super) fn tag<'a>(node: Node<'a>) -> &'a str {
    poll();
    node.tag_name().name()
}

/// The elements inside, without those that are never read.
pub(super) fn content<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    node.children().filter(|child| child.is_element() && !ignored(*child))
}

/// The first element inside with a name.
pub(super) fn child<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    content(node).find(|child| tag(*child) == name)
}

/// The only element inside.
pub(super) fn only<'a>(node: Node<'a>) -> Result<Node<'a>, Error> {
    let mut inside = content(node);
    match (inside.next(), inside.next()) {
        (Some(child), None) => Ok(child),
        (None, _) => Err(Error::new(node.range(), format!("{} is empty", describe(node)))),
        (_, Some(second)) => {
            Err(Error::new(second.range(), format!("{} has more than one element", describe(node))))
        }
    }
}

/// Refuses elements inside of one that has none.
pub(super) fn leaf(node: Node) -> Result<(), Error> {
    content(node).next().map_or(Ok(()), |inside| Err(unknown(inside, node)))
}

/// An attribute that must be there.
pub(super) fn required<'a>(node: Node<'a>, name: &str) -> Result<&'a str, Error> {
    let missing = || Error::new(tag_span(node), format!("{} has no attribute `{name}`", describe(node)));
    node.attribute(name).ok_or_else(missing)
}

/// Refuses attributes that are not known: they could mean anything.
pub(super) fn attributes(node: Node, known: &[&str]) -> Result<(), Error> {
    match node.attributes().find(|it| it.namespace().is_none() && !known.contains(&it.name())) {
        Some(it) => Err(Error::new(
            it.range(),
            format!("{}: the attribute `{}` is not understood", describe(node), it.name()),
        )),
        None => Ok(()),
    }
}

/// Where an attribute is, or its element if there is none.
pub(super) fn attribute_span(node: Node, name: &str) -> Range<usize> {
    node.attribute_node(name).map_or_else(|| tag_span(node), |attribute| attribute.range())
}

/// An element's opening tag.
fn tag_span(node: Node) -> Range<usize> {
    let Range { start, end } = node.range();
    start..node.first_child().map_or(end, |child| child.range().start)
}

/// What an element is called in messages.
pub(super) fn describe(node: Node) -> String {
    match node.attribute("id") {
        Some(id) => format!("{} `{id}`", tag(node)),
        None => format!("`<{}>`", tag(node)),
    }
}

/// The same error, with the element it is about in front.
pub(super) fn within(error: Error, node: Node) -> Error {
    let name = describe(node);
    if error.message.starts_with(&name) {
        return error;
    }
    Error { message: format!("{name}: {}", error.message), ..error }
}

/// All text of an element, even around comments, without the space at its ends.
pub(super) fn text(node: Node) -> String {
    let parts = node.children().filter(|child| child.is_text()).filter_map(|child| child.text());
    parts.collect::<String>().trim().to_string()
}

/// An element that is not understood where it is.
pub(super) fn unknown(node: Node, place: Node) -> Error {
    Error::new(node.range(), format!("{}: `<{}>` is not understood here", describe(place), tag(node)))
}
