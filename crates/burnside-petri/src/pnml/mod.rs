//! PNML (ISO/IEC 15909-2) to a [`Net`]: place/transition nets and symmetric nets.
//!
//! [`read_pnml`] is the entry. It goes through the text in stages, and each stage reports all errors it
//! finds: the XML itself (`xml`), what is on the pages (`pages`), what is declared (`scope`, `classes`,
//! `sorts`, `partitions`), places and transitions with their labels, then arcs. Terms become colours
//! (`terms`), multisets of them (`bags`) and conditions (`guards`).
//!
//! Nothing that may change the meaning of a net is passed over: an element that is not understood is an
//! error. Only positions, names and what is marked as belonging to another tool is ignored.

mod arcs;
mod bags;
mod classes;
mod guards;
mod label;
mod pages;
mod partitions;
mod places;
mod scope;
mod sorts;
mod terms;
mod transitions;
mod xml;

use crate::{Error, Net};
use burnside_ts::visible;
pub(crate) use xml::LONGEST_NAME;
use xml::{Errors, Node, content, describe, required, tag};

/// Reads a net.
///
/// # Errors
///
/// The text is not a PNML document with one net of a known type, or the net is not well-formed.
pub fn read_pnml(text: &str) -> Result<Net, Vec<Error>> {
    let document = xml::parse(text).map_err(|error| vec![error])?;
    let node = only_net(document.root_element()).map_err(|error| vec![error])?;
    let coloured = coloured(node).map_err(|error| vec![error])?;
    let pages = pages::gather(node, coloured)?;
    let scope = scope::declare(&pages.declarations)?;
    let mut errors = Errors::default();
    let places = places::read(&scope, &pages.places, coloured, &mut errors);
    let transitions = transitions::read(&scope, &pages.transitions, coloured, &mut errors);
    let mut net = errors.finish(Net { name: name(node), coloured, places, transitions, ..Net::default() })?;
    let mut errors = Errors::default();
    arcs::read(&scope, &pages, &mut net, &mut errors);
    (net.classes, net.partitions, net.variables) = (scope.classes, scope.partitions, scope.variables);
    errors.finish(net)
}

/// The only net of a document.
fn only_net(root: Node) -> Result<Node, Error> {
    if tag(root) != "pnml" {
        return Err(Error::new(root.range(), format!("the document is not `<pnml>` but `<{}>`", tag(root))));
    }
    if let Some(other) = content(root).find(|it| tag(*it) != "net") {
        return Err(xml::unknown(other, root));
    }
    let nets: Vec<Node> = content(root).collect();
    match nets[..] {
        [net] => Ok(net),
        [] => Err(Error::new(root.range(), "the document has no net")),
        [_, second, ..] => {
            let ids: Vec<String> = nets.iter().map(|net| describe(*net)).collect();
            Err(Error::new(second.range(), format!("the document has several nets: {}", ids.join(", ")))
                .with_help("put each net into a file of its own"))
        }
    }
}

/// Whether a net is of a type with colours.
fn coloured(net: Node) -> Result<bool, Error> {
    required(net, "id")?;
    let uri = required(net, "type")?.trim();
    let known = uri.strip_prefix("http://www.pnml.org/version-2009/").unwrap_or("");
    match known {
        "grammar/ptnet" => Ok(false),
        "extensions/inhibitorptnet" | "extensions/resetptnet" | "extensions/resetinhibitorptnet" => Ok(false),
        "grammar/symmetricnet" | "grammar/highlevelnet" | "grammar/pt-hlpng" => Ok(true),
        _ => Err(Error::new(xml::attribute_span(net, "type"), format!("nets of the type `{uri}` are not supported"))
            .with_help("the types are those of http://www.pnml.org/version-2009/grammar/: ptnet, symmetricnet, and highlevelnet as far as it is symmetric")),
    }
}

fn name(net: Node) -> String {
    let name = label::name(net);
    visible(if name.is_empty() { label::id(net) } else { &name })
}
