//! Graphs: pages, references, names, weights, kinds of arcs.

use burnside_petri::{Arc, MOST_TOKENS, Net, Place, PlaceId, Transition};

use crate::pnml::support::{black, document, net, transition};

const ENDS: &str = r#"<place id="s"/><place id="u"/><transition id="t"/>"#;

fn weighted(place: u32, weight: i64) -> Arc {
    Arc { place: PlaceId(place), inscription: vec![(weight, Vec::new())] }
}

fn place(id: &str, name: &str, tokens: u64) -> Place {
    Place { id: id.into(), name: name.into(), domain: Vec::new(), initial: vec![tokens] }
}

#[test]
fn a_place_transition_net() {
    let text = black(
        r#"
        <place id="s"><name><graphics/><text> start </text></name><initialMarking><text>
          3 </text><toolspecific tool="x" version="1"><anything xmlns="urn:x"/></toolspecific></initialMarking></place>
        <place id="u"><graphics><position x="1" y="2"/></graphics></place>
        <transition id="t"><name><text>go</text></name></transition>
        <arc id="i" source="s" target="t"><inscription><text>2</text></inscription></arc>
        <arc id="o" source="t" target="u"/>"#,
    );
    let go = Transition {
        id: "t".into(),
        name: "go".into(),
        inputs: vec![weighted(0, 2)],
        outputs: vec![weighted(1, 1)],
        ..Transition::default()
    };
    let places = vec![place("s", "start", 3), place("u", "u", 0)];
    assert_eq!(net(&text), Net { name: "n".into(), places, transitions: vec![go], ..Net::default() });
}

#[test]
fn numbers_are_split_by_comments_only_in_the_text() {
    let text =
        black("<place id=\"s\"><initialMarking><text>1<!-- not the end -->2</text></initialMarking></place>");
    assert_eq!(net(&text).places[0].initial, [12]);
    let most =
        black("<place id=\"s\"><initialMarking><text>2305843009213693951</text></initialMarking></place>");
    assert_eq!(net(&most).places[0].initial, [MOST_TOKENS]);
}

#[test]
fn names_are_kept_if_they_are_unique() {
    let named = |id: &str, name: &str| format!("<place id=\"{id}\"><name><text>{name}</text></name></place>");
    let page =
        [named("a", "one"), named("b", "two"), named("c", "two"), named("d", " "), named("e", "d")].concat();
    let text = document("ptnet", &format!("<name><text>Net</text></name><page id=\"g\">{page}</page>"));
    let net = net(&text);
    let names: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!((net.name.as_str(), names), ("Net", vec!["one", "b", "c", "d", "e"]));
}

#[test]
fn pages_and_references() {
    let text = document(
        "ptnet",
        r#"<page id="one"><place id="s"/>
             <page id="inner"><referenceTransition id="rt" ref="t"/><referencePlace id="rs" ref="s"/>
               <arc id="i" source="rs" target="rt"/></page></page>
           <page id="two"><name><text>second</text></name><transition id="t"/><referencePlace id="far" ref="rs"/>
             <arc id="o" source="t" target="far"><inscription><text>5</text></inscription></arc></page>"#,
    );
    let net = net(&text);
    assert_eq!(net.places, [place("s", "s", 0)]);
    assert_eq!(net.transitions[0].inputs, [weighted(0, 1)]);
    assert_eq!(net.transitions[0].outputs, [weighted(0, 5)]);
}

#[test]
fn arcs_are_added_up_and_nothing_is_no_arc() {
    let weight = |id: &str, source: &str, target: &str, weight: &str| {
        format!(
            "<arc id=\"{id}\" source=\"{source}\" target=\"{target}\"><inscription><text>{weight}</text></inscription></arc>"
        )
    };
    let arcs = [
        weight("a", "s", "t", "2"),
        weight("b", "u", "t", "0"),
        weight("c", "s", "t", "3"),
        weight("d", "t", "s", "1"),
    ];
    let got = transition(&black(&(ENDS.to_string() + &arcs.concat())));
    assert_eq!((got.inputs, got.outputs), (vec![weighted(0, 5)], vec![weighted(0, 1)]));
}

#[test]
fn kinds_of_arcs() {
    let arcs = r#"
        <arc id="a" source="s" target="t"><type value="inhibitor"/><inscription><text>2</text></inscription></arc>
        <arc id="b" source="s" target="t" type="inhibitor"/>
        <arc id="c" source="u" target="t"><type value="test"/></arc>
        <arc id="d" source="u" target="t"><arctype><text>read</text></arctype><inscription><text>4</text></inscription></arc>
        <arc id="e" source="s" target="t"><type value="reset"/><inscription><text>1</text></inscription></arc>
        <arc id="f" source="s" target="t" type="reset"><arctype>reset</arctype></arc>
        <arc id="h" source="u" target="t"><type value="normal"/></arc>
        <arc id="k" source="u" target="t"><type value="read"/><inscription><text>0</text></inscription></arc>"#;
    let text = black(&(ENDS.to_string() + arcs));
    let text = text.replace("grammar/ptnet", "extensions/resetinhibitorptnet");
    let got = transition(&text);
    assert_eq!(got.inhibitors, [weighted(0, 2), weighted(0, 1)]);
    assert_eq!(got.reads, [weighted(1, 1), weighted(1, 4)]);
    assert_eq!(got.resets, [PlaceId(0)]);
    assert_eq!((got.inputs, got.outputs), (vec![weighted(1, 1)], vec![]));
}
