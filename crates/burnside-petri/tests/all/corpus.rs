//! The contest's own formulas, if the folder that `BURNSIDE_CONTEST` names has them: all are read, and
//! reading their texts gives the same formulas.
//!
//! Of each net only the ids are needed, so that this tests nothing but formulas.

use burnside_petri::{Net, Place, Transition, parse_query, read_properties};
use burnside_ts::Kind;
use std::path::Path;

fn ids(pnml: &str) -> Net {
    let document = roxmltree::Document::parse(pnml).expect("a net is XML");
    let named = |tag: &'static str| {
        let nodes = document
            .descendants()
            .filter(move |node| node.has_tag_name(tag) || node.tag_name().name() == tag);
        nodes.filter_map(|node| node.attribute("id")).map(String::from)
    };
    let place = |id: String| Place { name: id.clone(), id, domain: Vec::new(), initial: vec![0] };
    let transition = |id: String| Transition { name: id.clone(), id, ..Transition::default() };
    Net {
        places: named("place").map(place).collect(),
        transitions: named("transition").map(transition).collect(),
        ..Net::default()
    }
}

/// How many formulas of a folder were read as invariants, reachable, linear, branching, bounds.
fn read_all(folder: &Path) -> [usize; 5] {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let net = ids(&text("model.pnml").expect("every instance has a net"));
    let categories = ["CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"];
    let others = ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"];
    let mut counts = [0; 5];
    for category in categories.into_iter().chain(others) {
        let Some(text) = text(&format!("{category}.xml")) else { continue };
        let queries =
            read_properties(&text, &net).unwrap_or_else(|errors| panic!("{folder:?} {category}: {errors:?}"));
        assert_eq!(queries.len(), 16, "{folder:?} {category}");
        for query in queries {
            let kind = query.asked.kind();
            let kinds = [Kind::Invariant, Kind::Reachable, Kind::Ltl, Kind::Ctl, Kind::Bound];
            let position = kinds.iter().position(|it| *it == kind).expect("a text asks for it");
            assert!(fits(category, position), "{} is {kind:?}", query.name);
            assert_eq!(parse_query(&query.text, kind, &query.name, &net).as_ref(), Ok(&query));
            counts[position] += 1;
        }
    }
    counts
}

fn fits(category: &str, position: usize) -> bool {
    match position {
        0 | 1 => category != "UpperBounds",
        2 => category.starts_with("LTL"),
        3 => category.starts_with("CTL"),
        _ => category == "UpperBounds",
    }
}

#[test]
fn every_formula_is_read_and_shown() {
    let Some(folder) = std::env::var_os("BURNSIDE_CONTEST") else { return };
    let entries = std::fs::read_dir(&folder).expect("the folder can be read");
    let folders = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut total = [0; 5];
    for folder in folders {
        let counts = read_all(&folder);
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    assert!(total.iter().all(|&count| count > 0), "{total:?}");
}
