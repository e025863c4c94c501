//! Colours: sorts, variables, partitions, inscriptions, initial markings.

use burnside_petri::Term::{All, Constant, Variable as Bound};
use burnside_petri::{Class, ClassId, Inscription, Order, Partition, Variable, VariableId};

use crate::pnml::support::*;

const X: VariableId = VariableId(0);
const Y: VariableId = VariableId(1);
const E: VariableId = VariableId(2);
const P1: VariableId = VariableId(4);
const P2: VariableId = VariableId(5);

fn inscription(sort: &str, term: &str) -> Inscription {
    transition(&taking(sort, term)).inputs.swap_remove(0).inscription
}

fn initial(sort: &str, term: &str) -> Vec<u64> {
    net(&marked(sort, term)).places.swap_remove(0).initial
}

fn class(name: &str, order: Order, elements: &[&str]) -> Class {
    Class { name: name.into(), order, elements: elements.iter().map(|it| it.to_string()).collect() }
}

#[test]
fn declarations() {
    let got = net(&coloured(DECLARATIONS, ""));
    assert!(got.coloured);
    let classes = [
        class("Circle", Order::Cyclic, &["0", "1", "2", "3"]),
        class("E", Order::Enumeration, &["a", "b"]),
        class("R", Order::Range(3), &["3", "4", "5"]),
    ];
    assert_eq!(got.classes, classes);
    let halves = Partition {
        name: "Halves".into(),
        class: ClassId(0),
        blocks: vec!["low".into(), "high".into()],
        block: vec![0, 0, 1, 1],
    };
    assert_eq!(got.partitions, [halves]);
    let variables = [("x", 0), ("y", 0), ("e", 1), ("r", 2), ("p.1", 0), ("p.2", 1)];
    let variables = variables.map(|(name, class)| Variable { name: name.into(), class: ClassId(class) });
    assert_eq!(got.variables, variables);
}

#[test]
fn sorts_are_flat_and_in_any_order() {
    let more = r#"<namedsort id="Z" name="Z"><usersort declaration="Y"/></namedsort>
        <namedsort id="Y" name="Y"><productsort><usersort declaration="E"/><usersort declaration="dot"/>
          <productsort><usersort declaration="CEC"/><finiteintrange start="3" end="5"/></productsort></productsort></namedsort>"#;
    let net = net(&coloured(&(more.to_string() + DECLARATIONS), &place("s", "Z", "")));
    let names: Vec<&str> = net.places[0].domain.iter().map(|class| net.class(*class).name.as_str()).collect();
    assert_eq!(names, ["E", "Circle", "E", "Circle", "R"]);
    assert_eq!(net.places[0].initial, [0; 2 * 4 * 2 * 4 * 3]);
}

#[test]
fn declarations_stand_on_pages_too_and_multisets_of_a_sort_are_no_other_sort() {
    let label = format!(
        "<declaration><structure><declarations>{DECLARATIONS}</declarations></structure></declaration>"
    );
    let sort =
        "<type><structure><multisetsort><usersort declaration=\"CE\"/></multisetsort></structure></type>";
    let page = format!("<page id=\"g\"><place id=\"s\">{sort}</place><page id=\"h\">{label}</page></page>");
    let net = net(&document("highlevelnet", &page));
    assert_eq!(net.places[0].domain, [ClassId(0), ClassId(1)]);
}

#[test]
fn shared_names_become_ids() {
    let declarations = r#"<namedsort id="A" name="S"><finiteenumeration><feconstant id="k" name="v"/><feconstant id="l" name="v"/><feconstant id="m" name="w"/></finiteenumeration></namedsort>
        <namedsort id="B" name="S"><finiteintrange start="-1" end="0"/></namedsort>"#;
    let classes = net(&coloured(declarations, "")).classes;
    assert_eq!(classes[0], class("A", Order::Enumeration, &["k", "l", "w"]));
    assert_eq!(classes[1], class("B", Order::Range(-1), &["-1", "0"]));
}

#[test]
fn colours() {
    assert_eq!(inscription("C", &var("x")), [(1, vec![Bound(X, 0)])]);
    assert_eq!(inscription("C", &con("c2")), [(1, vec![Constant(2)])]);
    assert_eq!(inscription("R", &num(5)), [(1, vec![Constant(2)])]);
    let named = "<finiteintrangeconstant value=\"4\"><usersort declaration=\"R\"/></finiteintrangeconstant>";
    assert_eq!(inscription("R", named), [(1, vec![Constant(1)])]);
    assert_eq!(inscription("dot", "<dotconstant/>"), [(1, vec![])]);
    assert_eq!(inscription("dot", &all("dot")), [(1, vec![])]);
    assert_eq!(inscription("CE", &var("p")), [(1, vec![Bound(P1, 0), Bound(P2, 0)])]);
    assert_eq!(inscription("CE", &all("CE")), [(1, vec![All, All])]);
    let pair = op("tuple", &[&all("C"), &var("e")]);
    assert_eq!(inscription("CE", &pair), [(1, vec![All, Bound(E, 0)])]);
    let nested = op("tuple", &[&op("tuple", &[&var("x"), &con("b")]), &con("c3")]);
    assert_eq!(inscription("CEC", &nested), [(1, vec![Bound(X, 0), Constant(1), Constant(3)])]);
}

#[test]
fn neighbours_add_up_around_the_circle() {
    let next = |term: &str| op("successor", &[term]);
    let back = |term: &str| op("predecessor", &[term]);
    assert_eq!(inscription("C", &next(&next(&var("x")))), [(1, vec![Bound(X, 2)])]);
    assert_eq!(inscription("C", &back(&next(&back(&var("x"))))), [(1, vec![Bound(X, -1)])]);
    assert_eq!(inscription("C", &next(&con("c3"))), [(1, vec![Constant(0)])]);
    assert_eq!(inscription("C", &back(&con("c0"))), [(1, vec![Constant(3)])]);
}

#[test]
fn multisets() {
    assert_eq!(inscription("C", &times("3", &var("x"))), [(3, vec![Bound(X, 0)])]);
    assert_eq!(inscription("C", &op("numberof", &[&var("x")])), [(1, vec![Bound(X, 0)])]);
    let two = op("add", &[&var("x"), &times("2", &var("y")), &var("x")]);
    assert_eq!(inscription("C", &two), [(2, vec![Bound(X, 0)]), (2, vec![Bound(Y, 0)])]);
    let rest = op("subtract", &[&all("C"), &var("x")]);
    assert_eq!(inscription("C", &rest), [(1, vec![All]), (-1, vec![Bound(X, 0)])]);
    let number = "<numberconstant value=\"2\"><natural/></numberconstant>";
    let twice = op("scalarproduct", &[number, &op("add", &[&rest, &con("c0")])]);
    assert_eq!(inscription("C", &twice), [(2, vec![All]), (-2, vec![Bound(X, 0)]), (2, vec![Constant(0)])]);
    assert_eq!(transition(&taking("C", &times("0", &var("x")))).inputs, []);
    // A block of a partition is one of each of its colours.
    let high = [(1, vec![Constant(2)]), (1, vec![Constant(3)])];
    assert_eq!(inscription("C", &con("high")), high);
    let some = op("subtract", &[&all("C"), &con("low")]);
    let rest = [(1, vec![All]), (-1, vec![Constant(0)]), (-1, vec![Constant(1)])];
    assert_eq!(inscription("C", &some), rest);
    assert_eq!(inscription("C", &times("2", &con("low"))), [(2, vec![Constant(0)]), (2, vec![Constant(1)])]);
    let empty = "<empty><usersort declaration=\"C\"/></empty>";
    assert_eq!(transition(&taking("C", empty)).inputs, []);
    assert_eq!(inscription("C", &op("add", &[empty, &var("y")])), [(1, vec![Bound(Y, 0)])]);
}

#[test]
fn differences_that_cannot_fall_below_nothing_are_parts_of_others() {
    let rest = op("subtract", &[&times("2", &all("CE")), &op("tuple", &[&all("C"), &var("e")]), &var("p")]);
    let sum = op("add", &[&rest, &var("p")]);
    let expected = [(2, vec![All, All]), (-1, vec![All, Bound(E, 0)])];
    assert_eq!(inscription("CE", &sum), expected);
    let alone = op("subtract", &[&var("x"), &var("y")]);
    assert_eq!(inscription("C", &alone), [(1, vec![Bound(X, 0)]), (-1, vec![Bound(Y, 0)])]);
}

#[test]
fn arcs_are_added_up() {
    let page = [
        place("s", "C", ""),
        "<transition id=\"t\"/>".into(),
        arc("i", "s", "t", &var("y")),
        arc("j", "s", "t", &op("add", &[&var("x"), &var("y")])),
        arc("k", "t", "s", &op("subtract", &[&var("e"), &var("e")]).replace("\"e\"", "\"x\"")),
    ];
    let got = transition(&coloured(DECLARATIONS, &page.concat()));
    assert_eq!(got.inputs[0].inscription, [(2, vec![Bound(Y, 0)]), (1, vec![Bound(X, 0)])]);
    assert_eq!((got.inputs.len(), got.outputs.len(), got.variables), (1, 0, vec![X, Y]));
}

#[test]
fn variables_count_even_where_they_make_no_difference() {
    let nothing = op("subtract", &[&var("p"), &var("p")]);
    assert_eq!(transition(&taking("CE", &nothing)).variables, [P1, P2]);
    let certain = op("or", &["<booleanconstant value=\"true\"/>", &op("equality", &[&var("x"), &var("y")])]);
    assert_eq!(transition(&guarded(&certain)).variables, [X, Y]);
}

#[test]
fn initial_markings() {
    assert_eq!(initial("C", ""), [0, 0, 0, 0]);
    assert_eq!(initial("C", &all("C")), [1, 1, 1, 1]);
    assert_eq!(initial("C", &op("subtract", &[&times("2", &all("C")), &con("c1")])), [2, 1, 2, 2]);
    assert_eq!(initial("dot", &times("7", "<dotconstant/>")), [7]);
    assert_eq!(initial("R", &op("add", &[&num(3), &times("2", &num(5))])), [1, 0, 2]);
    let pairs = op("add", &[&op("tuple", &[&con("c2"), &all("E")]), &op("tuple", &[&con("c0"), &con("b")])]);
    assert_eq!(initial("CE", &pairs), [0, 1, 0, 0, 1, 1, 0, 0]);
    let triple = op("tuple", &[&con("c1"), &con("b"), &op("successor", &[&con("c2")])]);
    let expected: Vec<u64> = (0..32).map(|number| u64::from(number == 8 + 4 + 3)).collect();
    assert_eq!(initial("CEC", &triple), expected);
}

#[test]
fn empty_labels_are_none() {
    let sort = "<type><structure><usersort declaration=\"C\"/></structure></type>";
    let page = format!(
        "<place id=\"s\">{sort}<hlinitialMarking><text> </text></hlinitialMarking></place>\
         <transition id=\"t\"><condition><text/><structure/></condition></transition>"
    );
    let got = net(&coloured(DECLARATIONS, &page));
    assert_eq!(got.places[0].initial, [0; 4]);
    assert_eq!(got.transitions[0].guard, burnside_petri::Guard::True);
}
