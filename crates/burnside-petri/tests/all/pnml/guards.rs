//! Conditions.

use burnside_petri::Term::{Constant, Variable};
use burnside_petri::{ClassId, Comparison, Guard, Operand, PartitionId, Term, VariableId};
use burnside_ts::Compare;

use crate::pnml::support::*;

const X: Term = Variable(VariableId(0), 0);
const Y: Term = Variable(VariableId(1), 0);

fn guard(term: &str) -> Guard {
    transition(&guarded(term)).guard
}

fn compare(op: Compare, class: u32, left: Term, right: Term) -> Guard {
    let (left, right) = (Operand::Element(left), Operand::Element(right));
    Guard::Compare(Comparison { op, class: ClassId(class), partition: None, left, right })
}

fn blocks(op: Compare, left: Operand, right: Operand) -> Guard {
    Guard::Compare(Comparison { op, class: ClassId(0), partition: Some(PartitionId(0)), left, right })
}

#[test]
fn comparisons() {
    let said = |name: &str| guard(&op(name, &[&var("x"), &var("y")]));
    assert_eq!(said("equality"), compare(Compare::Eq, 0, X, Y));
    assert_eq!(said("inequality"), compare(Compare::Ne, 0, X, Y));
    assert_eq!(said("lessthan"), compare(Compare::Lt, 0, X, Y));
    assert_eq!(said("lessthanorequal"), compare(Compare::Le, 0, X, Y));
    assert_eq!(said("greaterthan"), compare(Compare::Lt, 0, Y, X));
    assert_eq!(said("greaterthanorequal"), compare(Compare::Le, 0, Y, X));
    let next = op("equality", &[&op("successor", &[&var("x")]), &con("c1")]);
    assert_eq!(guard(&next), compare(Compare::Eq, 0, Variable(VariableId(0), 1), Constant(1)));
}

#[test]
fn numbers_are_of_the_class_they_are_compared_with() {
    let r = Variable(VariableId(3), 0);
    assert_eq!(guard(&op("lessthan", &[&num(4), &var("r")])), compare(Compare::Lt, 2, Constant(1), r));
    assert_eq!(guard(&op("greaterthan", &[&num(4), &var("r")])), compare(Compare::Lt, 2, r, Constant(1)));
    for (name, holds) in [
        ("equality", [false, true, false]),
        ("inequality", [true, false, true]),
        ("lessthan", [true, false, false]),
        ("lessthanorequal", [true, true, false]),
        ("greaterthan", [false, false, true]),
        ("greaterthanorequal", [false, true, true]),
    ] {
        for (value, holds) in (3..6).zip(holds) {
            let expected = if holds { Guard::True } else { Guard::False };
            assert_eq!(guard(&op(name, &[&num(value), &num(4)])), expected, "{value} {name} 4");
        }
    }
}

#[test]
fn tuples_are_compared_by_components() {
    let pair = op("tuple", &[&var("x"), &con("b")]);
    let (p1, p2) = (Variable(VariableId(4), 0), Variable(VariableId(5), 0));
    let both = vec![compare(Compare::Eq, 0, p1, X), compare(Compare::Eq, 1, p2, Constant(1))];
    assert_eq!(guard(&op("equality", &[&var("p"), &pair])), Guard::And(both));
    let either = vec![compare(Compare::Ne, 0, p1, X), compare(Compare::Ne, 1, p2, Constant(1))];
    assert_eq!(guard(&op("inequality", &[&var("p"), &pair])), Guard::Or(either));
    assert_eq!(guard(&op("equality", &["<dotconstant/>", "<dotconstant/>"])), Guard::True);
    assert_eq!(guard(&op("inequality", &["<dotconstant/>", "<dotconstant/>"])), Guard::False);
}

#[test]
fn blocks_of_partitions() {
    let of = |name: &str| {
        format!(
            "<partitionelementof refpartition=\"H\"><subterm>{}</subterm></partitionelementof>",
            var(name)
        )
    };
    let (x, y) = (Operand::Element(X), Operand::Element(Y));
    let high = Operand::Block(1);
    assert_eq!(guard(&op("equality", &[&of("x"), &con("high")])), blocks(Compare::Eq, x, high));
    assert_eq!(guard(&op("inequality", &[&of("x"), &of("y")])), blocks(Compare::Ne, x, y));
    assert_eq!(guard(&op("ltp", &[&of("x"), &of("y")])), blocks(Compare::Lt, x, y));
    assert_eq!(guard(&op("gtp", &[&of("x"), &con("high")])), blocks(Compare::Lt, high, x));
    assert_eq!(guard(&op("lessthanorequal", &[&of("x"), &of("y")])), blocks(Compare::Le, x, y));
}

#[test]
fn connectives() {
    let equal = op("equality", &[&var("x"), &var("y")]);
    let less = op("lessthan", &[&var("x"), &var("y")]);
    let (is_equal, is_less) = (compare(Compare::Eq, 0, X, Y), compare(Compare::Lt, 0, X, Y));
    let never = Guard::Not(Box::new(is_equal.clone()));
    assert_eq!(guard(&op("not", &[&equal])), never);
    assert_eq!(guard(&op("not", &[&op("not", &[&equal])])), is_equal);
    assert_eq!(guard(&op("imply", &[&equal, &less])), Guard::Or(vec![never.clone(), is_less.clone()]));
    let flat = op("and", &[&op("and", &[&equal, &less]), &op("not", &[&equal])]);
    assert_eq!(guard(&flat), Guard::And(vec![is_equal.clone(), is_less.clone(), never.clone()]));
    let mixed = op("or", &[&op("and", &[&equal, &less]), &op("or", &[&less, &equal])]);
    let both = Guard::And(vec![is_equal.clone(), is_less.clone()]);
    assert_eq!(guard(&mixed), Guard::Or(vec![both, is_less.clone(), is_equal.clone()]));
    assert_eq!(guard(&op("and", &[&less])), is_less);
}

#[test]
fn truth_values() {
    let (yes, no) = ("<booleanconstant value=\"true\"/>", "<booleanconstant value=\"false\"/>");
    let equal = op("equality", &[&var("x"), &var("y")]);
    let is_equal = compare(Compare::Eq, 0, X, Y);
    assert_eq!((guard(yes), guard(no)), (Guard::True, Guard::False));
    assert_eq!((guard(&op("not", &[yes])), guard(&op("not", &[no]))), (Guard::False, Guard::True));
    assert_eq!(
        (guard(&op("and", &[yes, &equal])), guard(&op("and", &[no, &equal]))),
        (is_equal.clone(), Guard::False)
    );
    assert_eq!(
        (guard(&op("or", &[yes, &equal])), guard(&op("or", &[no, &equal]))),
        (Guard::True, is_equal.clone())
    );
    assert_eq!(
        (guard(&op("imply", &[yes, &equal])), guard(&op("imply", &[no, &equal]))),
        (is_equal, Guard::True)
    );
    assert_eq!((guard(&op("and", &[yes, yes])), guard(&op("or", &[no, no]))), (Guard::True, Guard::False));
}
