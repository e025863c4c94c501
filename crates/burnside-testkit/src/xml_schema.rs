//! Judges XML documents by an XML Schema: as much of it as `tests/schemas/junit.xsd` uses.
//!
//! Entry points: [`XmlSchema::new`], which refuses schemas with anything that is not known here, and
//! [`XmlSchema::errors`]. Known are elements at the top, by name; types inside of them, with text or without;
//! sequences and choices of references to elements, with occurrences; attributes of three types.

use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};

/// A schema that can be judged by.
#[derive(Debug)]
pub struct XmlSchema {
    elements: BTreeMap<String, Element>,
}

/// What an element may be.
#[derive(Debug, Default)]
struct Element {
    has_text: bool,
    content: Vec<Particle>,
    attributes: Vec<Attribute>,
}

#[derive(Debug)]
struct Attribute {
    name: String,
    ty: String,
    required: bool,
}

/// What may stand in an element, and how often.
#[derive(Debug)]
struct Particle {
    kind: ParticleKind,
    least: usize,
    most: Option<usize>,
}

#[derive(Debug)]
enum ParticleKind {
    Element(String),
    Sequence(Vec<Particle>),
    Choice(Vec<Particle>),
}

/// A name, and what it means that a text is of this type.
type Known = (&'static str, fn(&str) -> bool);

/// The types of attributes, with what they mean.
const TYPES: &[Known] = &[
    ("xs:string", |_| true),
    ("xs:nonNegativeInteger", |text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())),
    ("xs:decimal", |text| {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number(whole.trim_start_matches('-')) && is_number(part)
    }),
];

impl XmlSchema {
    /// Reads a schema.
    pub fn new(text: &str) -> Result<Self, String> {
        let document = Document::parse(text).map_err(|error| error.to_string())?;
        let mut elements = BTreeMap::new();
        for node in parts(document.root_element()) {
            expect(node, "element", &["name"])?;
            elements.insert(attribute(node, "name")?, element(node)?);
        }
        Ok(Self { elements })
    }

    /// What is wrong with a document, with its lines; nothing if it is as the schema says.
    pub fn errors(&self, text: &str, root: &str) -> Vec<String> {
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => return vec![error.to_string()],
        };
        let mut errors = Vec::new();
        let top = document.root_element();
        if top.tag_name().name() != root {
            errors.push(format!("the document is no <{root}>"));
        }
        self.judge(top, &mut errors);
        errors
    }

    fn judge(&self, node: Node<'_, '_>, errors: &mut Vec<String>) {
        let name = node.tag_name().name();
        let line = node.document().text_pos_at(node.range().start).row;
        let mut wrong = |what: String| errors.push(format!("line {line}: <{name}>: {what}"));
        let Some(element) = self.elements.get(name) else { return wrong("is not known".into()) };
        for given in node.attributes() {
            match element.attributes.iter().find(|known| known.name == given.name()) {
                None => wrong(format!("attribute {} is not known", given.name())),
                Some(known) if !is_value(&known.ty, given.value()) => {
                    wrong(format!("{}=\"{}\" is no {}", known.name, given.value(), known.ty));
                }
                Some(_) => {}
            }
        }
        for known in element.attributes.iter().filter(|known| known.required) {
            if node.attribute(known.name.as_str()).is_none() {
                wrong(format!("attribute {} is missing", known.name));
            }
        }
        let is_blank = |child: Node<'_, '_>| child.text().is_none_or(|text| text.trim().is_empty());
        if !element.has_text && node.children().any(|child| child.is_text() && !is_blank(child)) {
            wrong("there is text".into());
        }
        let children: Vec<&str> = parts(node).map(|child| child.tag_name().name()).collect();
        if !all(&element.content, &children, BTreeSet::from([0])).contains(&children.len()) {
            wrong(format!("what is inside does not fit: {children:?}"));
        }
        parts(node).for_each(|child| self.judge(child, errors));
    }
}

/// The elements inside of one.
fn parts<'a, 'd>(node: Node<'a, 'd>) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(Node::is_element)
}

/// Sees to it that an element of a schema is of a kind and has only these attributes.
fn expect(node: Node<'_, '_>, name: &str, attributes: &[&str]) -> Result<(), String> {
    let found = node.tag_name().name();
    if found != name {
        return Err(format!("<{found}> is not known where <{name}> is expected"));
    }
    match node.attributes().find(|given| !attributes.contains(&given.name())) {
        Some(given) => Err(format!("{} of <{name}> is not known", given.name())),
        None => Ok(()),
    }
}

fn attribute(node: Node<'_, '_>, name: &str) -> Result<String, String> {
    node.attribute(name).map(str::to_string).ok_or_else(|| format!("{name} is missing"))
}

fn element(node: Node<'_, '_>) -> Result<Element, String> {
    let mut element = Element::default();
    for ty in parts(node) {
        expect(ty, "complexType", &["mixed"])?;
        element.has_text = ty.attribute("mixed") == Some("true");
        for part in parts(ty) {
            match part.tag_name().name() {
                "attribute" => {
                    expect(part, "attribute", &["name", "type", "use"])?;
                    let (name, ty) = (attribute(part, "name")?, attribute(part, "type")?);
                    if !TYPES.iter().any(|(known, _)| *known == ty) {
                        return Err(format!("{ty} is not known"));
                    }
                    let required = part.attribute("use") == Some("required");
                    element.attributes.push(Attribute { name, ty, required });
                }
                _ => element.content.push(particle(part)?),
            }
        }
    }
    Ok(element)
}

fn particle(node: Node<'_, '_>) -> Result<Particle, String> {
    let inner = || parts(node).map(particle).collect::<Result<Vec<_>, _>>();
    let kind = match node.tag_name().name() {
        "sequence" => ParticleKind::Sequence(inner()?),
        "choice" => ParticleKind::Choice(inner()?),
        name => {
            expect(node, "element", &["ref", "minOccurs", "maxOccurs"])
                .map_err(|error| format!("{error} ({name})"))?;
            ParticleKind::Element(attribute(node, "ref")?)
        }
    };
    let number = |text: &str| text.parse::<usize>().map_err(|error| error.to_string());
    let least = node.attribute("minOccurs").map_or(Ok(1), number)?;
    let most = match node.attribute("maxOccurs") {
        Some("unbounded") => None,
        most => Some(most.map_or(Ok(1), number)?),
    };
    Ok(Particle { kind, least, most })
}

/// Where children may end that fit to all particles, one after the other, from some starts.
fn all(particles: &[Particle], children: &[&str], starts: BTreeSet<usize>) -> BTreeSet<usize> {
    particles.iter().fold(starts, |starts, particle| repeated(particle, children, starts))
}

/// The same for one particle as often as it may occur.
fn repeated(particle: &Particle, children: &[&str], starts: BTreeSet<usize>) -> BTreeSet<usize> {
    let most = particle.most.unwrap_or(children.len().max(particle.least));
    let mut ends = if particle.least == 0 { starts.clone() } else { BTreeSet::new() };
    let mut now = starts;
    for count in 1..=most {
        now = once(&particle.kind, children, now);
        if now.is_empty() {
            break;
        }
        if count >= particle.least {
            ends.extend(&now);
        }
    }
    ends
}

fn once(kind: &ParticleKind, children: &[&str], starts: BTreeSet<usize>) -> BTreeSet<usize> {
    match kind {
        ParticleKind::Element(name) => starts
            .into_iter()
            .filter(|at| children.get(*at) == Some(&name.as_str()))
            .map(|at| at + 1)
            .collect(),
        ParticleKind::Sequence(inner) => all(inner, children, starts),
        ParticleKind::Choice(inner) => {
            inner.iter().flat_map(|one| repeated(one, children, starts.clone())).collect()
        }
    }
}

fn is_value(ty: &str, text: &str) -> bool {
    TYPES.iter().find(|(known, _)| *known == ty).is_some_and(|(_, is)| is(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">";

    fn schema() -> XmlSchema {
        let text = "<xs:element name='a'><xs:complexType><xs:sequence><xs:element ref='b' minOccurs='0'/>
            <xs:choice maxOccurs='2'><xs:element ref='c'/><xs:element ref='t'/></xs:choice></xs:sequence>
            <xs:attribute name='n' type='xs:nonNegativeInteger' use='required'/><xs:attribute name='d' type='xs:decimal'/></xs:complexType></xs:element>
            <xs:element name='b'><xs:complexType/></xs:element><xs:element name='c'><xs:complexType/></xs:element>
            <xs:element name='t'><xs:complexType mixed='true'/></xs:element>";
        XmlSchema::new(&format!("{HEAD}{text}</xs:schema>")).unwrap()
    }

    #[test]
    fn documents_are_judged() {
        let schema = schema();
        for good in
            ["<a n='1'><c/></a>", "<a n='0' d='-1.50'><b/> <t>x</t><c/></a>", "<a n='12' d='3'><c/><c/></a>"]
        {
            assert_eq!(schema.errors(good, "a"), Vec::<String>::new(), "{good}");
        }
        let bad = [
            "<a n='1'/>",
            "<a n='1'><b/></a>",
            "<a n='1'><c/><b/></a>",
            "<a n='1'><b/><b/><c/></a>",
            "<a n='1'><c/><c/><c/></a>",
            "<a><c/></a>",
            "<a n='-1'><c/></a>",
            "<a n='1' d='1,5'><c/></a>",
            "<a n='1' x=''><c/></a>",
            "<a n='1'>text<c/></a>",
            "<a n='1'><c>text</c></a>",
            "<a n='1'><c/><t><z/></t></a>",
            "<a n='1'><c/>",
            "<c/>",
        ];
        for document in bad {
            assert!(!schema.errors(document, "a").is_empty(), "{document}");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let odd = [
            "<xs:group name='g'/>",
            "<xs:element name='a' type='xs:string'/>",
            "<xs:element name='a'><xs:complexType><xs:any/></xs:complexType></xs:element>",
            "<xs:element name='a'><xs:complexType><xs:attribute name='x' type='xs:date'/></xs:complexType></xs:element>",
        ];
        for text in odd {
            assert!(XmlSchema::new(&format!("{HEAD}{text}</xs:schema>")).is_err(), "{text}");
        }
    }
}
