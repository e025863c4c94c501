//! How things without names are shown: cells by their indices, records as tuples, rules as their processes.

use burnside_ts::builder::{SystemBuilder, first};
use burnside_ts::{Label, RuleId, Strength, System, UnitId, Units};

/// Places `p1` and `p2`, a place `P` of pairs of a colour and a client, a tuple, and a transition with a
/// colour.
fn system() -> System {
    let mut b = SystemBuilder::new();
    let places = b.labelled("Place", &["p1", "p2"]);
    let colours = b.labelled("Colour", &["a", "b"]);
    let clients = b.symmetric("Client", 2);
    let tokens = b.range(0, 3);
    let pair = b.record("", &[("", colours), ("", clients)]);
    let nested = b.record("", &[("", pair), ("", colours)]);
    let marking = b.array(places, tokens);
    let pairs = b.array(pair, tokens);
    let set = b.set(pair);
    let deep = b.array(places, marking);
    let by_nested = b.array(nested, b.truth());
    let list = [("", marking), ("P", pairs), ("one", pair), ("some", set), ("", deep), ("N", by_nested)];
    for (name, ty) in list {
        b.var(name, ty, first());
    }
    let x = b.name("x", colours);
    let (t1, t2) = (b.process("t1", &[]), b.process("t2", &[]));
    b.rule(t1, "").with(x).fair(Strength::Weak);
    b.rule(t2, "go").fair(Strength::Weak);
    b.build().unwrap()
}

#[test]
fn cells_and_values() {
    let system = system();
    let leaves = system.leaves();
    let names: Vec<&str> = leaves.iter().map(|leaf| leaf.name.as_str()).collect();
    let expected = [
        "p1", "p2", "P[a, 0]", "P[a, 1]", "P[b, 0]", "P[b, 1]", "one", "some", "p1[p1]", "p1[p2]", "p2[p1]",
        "p2[p2]",
    ];
    assert_eq!(names[..12], expected);
    assert_eq!(names[12..14], ["N[(a, Client#0), a]", "N[(a, Client#0), b]"]);
    let mut state = vec![0; system.words()];
    // Tuple `one` is at bit 12: 2 places and 4 pairs of two bits come before it. The set follows.
    state[0] = 0b01_0101 << 12;
    let texts = system.show_state(&leaves, &state);
    assert_eq!(texts[6..8], ["(b, Client#0)", "{(a, Client#0), (b, Client#0)}"]);
}

#[test]
fn steps_and_units() {
    let system = system();
    assert_eq!(system.show_label(Label { rule: RuleId(0), args: &[1] }), "t1(x=b)");
    assert_eq!(system.show_label(Label { rule: RuleId(1), args: &[] }), "t2.go");
    assert_eq!([0, 1].map(|rule| system.show_rule(RuleId(rule))), ["t1", "t2.go"]);
    let units = Units::new(&system);
    assert_eq!([0, 1, 2].map(|unit| units.show(UnitId(unit))), ["t1(a)", "t1(b)", "t2.go"]);
}
