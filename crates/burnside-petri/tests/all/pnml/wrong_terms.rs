//! Wrong declarations and wrong terms, with what is said about them.

use crate::pnml::support::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(messages(text), [expected]);
}

#[track_caller]
fn check_declaration(declaration: &str, expected: &str) {
    check(&coloured(&format!("{DECLARATIONS}{declaration}"), ""), expected);
}

#[track_caller]
fn check_term(sort: &str, term: &str, expected: &str) {
    check(&taking(sort, term), &format!("arc `i`: {expected}"));
}

#[track_caller]
fn check_guard(term: &str, expected: &str) {
    check(&guarded(term), &format!("transition `t`: {expected}"));
}

#[test]
fn sorts() {
    let sort = |content: &str| format!("<namedsort id=\"S\" name=\"S\">{content}</namedsort>");
    check_declaration(&sort(""), "namedsort `S` is empty");
    check_declaration(&sort("<dot/><dot/>"), "namedsort `S` has more than one element");
    check_declaration(&sort("<usersort declaration=\"Q\"/>"), "namedsort `S`: the sort `Q` is not declared");
    check_declaration(&sort("<usersort/>"), "namedsort `S`: `<usersort>` has no attribute `declaration`");
    check_declaration(
        &sort("<integer/>"),
        "namedsort `S`: the sort `<integer>` is not one of symmetric nets",
    );
    check_declaration(&sort("<finiteenumeration/>"), "namedsort `S`: `<finiteenumeration>` has no elements");
    check_declaration(
        &sort("<finiteenumeration><dot/></finiteenumeration>"),
        "namedsort `S`: `<finiteenumeration>`: `<dot>` is not understood here",
    );
    check_declaration(
        &sort("<finiteintrange start=\"2\" end=\"1\"/>"),
        "namedsort `S`: the range from 2 to 1 has no elements",
    );
    check_declaration(
        &sort("<finiteintrange start=\"2\"/>"),
        "namedsort `S`: `<finiteintrange>` has no attribute `end`",
    );
    check_declaration(
        &sort("<finiteintrange start=\"1\" end=\"99999999999999999999\"/>"),
        "namedsort `S`: `<finiteintrange>`: `end` must be an integer of 64 bits, not `99999999999999999999`",
    );
    check_declaration("<namedsort id=\"C\" name=\"S\"><dot/></namedsort>", "namedsort `C` is declared twice");
    check_declaration("<namedsort name=\"S\"><dot/></namedsort>", "`<namedsort>` has no attribute `id`");
    check_declaration(
        &sort("<cyclicenumeration><feconstant id=\"a\" name=\"a\"/></cyclicenumeration>"),
        "namedsort `S`: feconstant `a` is declared twice",
    );
    check_declaration(
        &sort("<productsort><finiteintrange start=\"1\" end=\"2\"/></productsort>"),
        "namedsort `S`: the range from 1 to 2 is no named sort",
    );
}

#[test]
fn sorts_in_circles() {
    check_declaration(
        "<namedsort id=\"S\" name=\"S\"><usersort declaration=\"S\"/></namedsort>",
        "namedsort `S` is defined by itself",
    );
    let circle = "<namedsort id=\"S\" name=\"S\"><productsort><usersort declaration=\"C\"/><usersort declaration=\"T\"/></productsort></namedsort>\
        <namedsort id=\"T\" name=\"T\"><usersort declaration=\"S\"/></namedsort>";
    check_declaration(circle, "namedsort `S` is defined by itself");
}

#[test]
fn other_declarations() {
    check_declaration(
        "<variabledecl id=\"z\" name=\"z\"><usersort declaration=\"Q\"/></variabledecl>",
        "variabledecl `z`: the sort `Q` is not declared",
    );
    check_declaration(
        "<variabledecl id=\"x\" name=\"z\"><usersort declaration=\"C\"/></variabledecl>",
        "variabledecl `x` is declared twice",
    );
    check_declaration(
        "<variabledecl id=\"z\" name=\"z\"><usersort declaration=\"H\"/></variabledecl>",
        "variabledecl `z`: the partition `H` cannot be used as a sort here",
    );
    check_declaration(
        "<variabledecl id=\"z\" name=\"z\"><bool/></variabledecl>",
        "variabledecl `z`: the sort `<bool>` is not one of symmetric nets",
    );
    check_declaration(
        "<namedoperator id=\"f\" name=\"f\"><parameter/><def/></namedoperator>",
        "namedoperator `f` is an operator with a definition",
    );
    check_declaration(
        "<arbitrarysort id=\"f\" name=\"f\"/>",
        "declarations of arbitrarysort `f` are not understood",
    );
}

#[test]
fn partitions() {
    let blocks = |content: &str| {
        format!("<partition id=\"Q\" name=\"Q\"><usersort declaration=\"E\"/>{content}</partition>")
    };
    let block = |id: &str, members: &[&str]| {
        let members: String = members.iter().map(|it| con(it)).collect();
        format!("<partitionelement id=\"{id}\" name=\"{id}\">{members}</partitionelement>")
    };
    check_declaration(&blocks(&block("k", &["a"])), "partition `Q`: `b` is in no block");
    check_declaration(
        &blocks(&(block("k", &["a", "b"]) + &block("l", &["a"]))),
        "partition `Q`: `a` is in two blocks, or twice in partitionelement `l`",
    );
    check_declaration(
        &blocks(&block("k", &["a", "c0"])),
        "partition `Q`: an element of `Circle` stands where one of `E` must",
    );
    check_declaration(
        &blocks(&block("low", &["a", "b"])),
        "partition `Q`: partitionelement `low` is declared twice",
    );
    check_declaration("<partition id=\"Q\" name=\"Q\"/>", "partition `Q`: it has no sort");
    check_declaration(
        "<partition id=\"Q\" name=\"Q\"><usersort declaration=\"CE\"/></partition>",
        "partition `Q`: only an enumeration or a range can be partitioned",
    );
    check_declaration(&blocks("<dot/>"), "partition `Q`: `<dot>` is not understood here");
}

#[test]
fn colours() {
    check_term("C", &var("w"), "the variable `w` is not declared");
    check_term("C", "<variable/>", "`<variable>` has no attribute `refvariable`");
    check_term("C", &con("w"), "the operator `w` is not declared");
    check_term("C", &op("successor", &[&con("low")]), "`low` is a block of a partition, not a colour");
    check_term("CE", &con("low"), "the number of components of this colour is 1, but must be 2");
    let more = "<variable refvariable=\"x\"><successor/></variable>";
    check_term("C", more, "`<variable>`: `<successor>` is not understood here");
    check_term("dot", "<dotconstant><all/></dotconstant>", "`<dotconstant>`: `<all>` is not understood here");
    check_term("C", "<frobnicate/>", "the operator `<frobnicate>` is not understood here");
    check_term("C", &var("e"), "an element of `E` stands where one of `Circle` must");
    check_term("CE", &var("x"), "the number of components of this colour is 1, but must be 2");
    check_term("C", "<dotconstant/>", "the number of components of this colour is 0, but must be 1");
    check_term(
        "CE",
        &op("tuple", &[&var("e"), &var("x")]),
        "an element of `E` stands where one of `Circle` must",
    );
    check_term("C", &num(4), "a number from 3 to 5 stands where an element of `Circle` must");
    check_term("R", &num(6), "6 is not in the range from 3 to 5");
    check_term(
        "R",
        "<finiteintrangeconstant value=\"2\"><usersort declaration=\"R\"/></finiteintrangeconstant>",
        "2 is not in the range from 3 to 5",
    );
    check_term(
        "R",
        "<finiteintrangeconstant value=\"2\"><usersort declaration=\"C\"/></finiteintrangeconstant>",
        "a number must be of a range",
    );
    check_term("E", &op("successor", &[&var("e")]), "`<successor>` of an element of `E` is not defined");
    check_term("R", &op("predecessor", &[&num(4)]), "`<predecessor>` of a number of a range is not defined");
    check_term("C", &op("successor", &[&all("C")]), "`<successor>` of all elements is not defined");
    check_term(
        "CE",
        &op("successor", &[&var("p")]),
        "`<successor>` of a tuple or a black token is not defined",
    );
    check_term("C", &op("successor", &[]), "`<successor>` must have 1 of `<subterm>`, not 0");
    check_term(
        "CE",
        &op("tuple", &[&op("add", &[&var("x")]), &var("e")]),
        "the operator `<add>` is not understood here",
    );
    check_term(
        "C",
        "<tuple><variable refvariable=\"x\"/></tuple>",
        "`<tuple>`: `<variable>` is not understood here",
    );
    check_term("C", "<tuple><subterm/></tuple>", "`<subterm>` is empty");
}

#[test]
fn multisets() {
    check_term("C", &op("subtract", &[&var("x")]), "`<subtract>` must have at least 2 of `<subterm>`, not 1");
    check_term("C", &op("add", &[]), "`<add>` must have at least 1 of `<subterm>`, not 0");
    check_term("C", &times("-1", &var("x")), "a number of tokens is negative");
    check_term(
        "C",
        &times("9223372036854775808", &var("x")),
        "`<numberconstant>`: `value` must be an integer of 64 bits, not `9223372036854775808`",
    );
    check_term("C", &times("4611686018427387904", &times("2", &var("x"))), "a number of tokens is too large");
    check_term("C", &op("numberof", &[&var("x"), &var("x")]), "`<variable>` stands where a number must");
    check_term("C", &op("numberof", &[]), "`<numberof>` needs a number and a term");
    check_term(
        "E",
        "<empty><usersort declaration=\"C\"/></empty>",
        "an element of `Circle` stands where one of `E` must",
    );
    let less = op("subtract", &[&var("x"), &var("y")]);
    check_term(
        "C",
        &op("add", &[&less, &var("y")]),
        "`<subtract>` may take away what is not there, and is used in a larger term",
    );
    let most = times("9223372036854775807", &var("x"));
    check(&taking("C", &op("add", &[&most, &most])), "arc `i`: it moves more tokens than place `s` can hold");
}

#[test]
fn places_and_arcs() {
    let page =
        |place: &str, arc: &str| coloured(DECLARATIONS, &format!("{place}<transition id=\"t\"/>{arc}"));
    check(&page("<place id=\"s\"/>", ""), "place `s` has no `<type>`");
    check(&page(&place("s", "Q", ""), ""), "place `s`: the sort `Q` is not declared");
    check(
        &page("<place id=\"s\"><type><text>C</text></type></place>", ""),
        "place `s`: `<type>` has no structure",
    );
    let arc = "<arc id=\"i\" source=\"s\" target=\"t\"/>";
    check(&page(&place("s", "C", ""), arc), "arc `i`: it has no `<hlinscription>`");
    check(&page(&place("s", "dot", ""), arc), "arc `i`: it has no `<hlinscription>`");
    let said = "<arc id=\"i\" source=\"s\" target=\"t\"><hlinscription><text>x</text></hlinscription></arc>";
    check(&page(&place("s", "C", ""), said), "arc `i`: `<hlinscription>` has no structure");
}

#[test]
fn initial_markings() {
    check(&marked("C", &var("x")), "place `s`: the initial marking uses the variable `x`");
    check(
        &marked("C", &op("subtract", &[&con("c1"), &con("c2")])),
        "place `s`: the initial marking has -1 tokens of the colour (2)",
    );
    let less = op("subtract", &[&all("CE"), &times("3", &op("tuple", &[&con("c1"), &con("b")]))]);
    check(&marked("CE", &less), "place `s`: the initial marking has -2 tokens of the colour (1, b)");
    let most = times("9223372036854775807", &con("c1"));
    check(&marked("C", &op("add", &[&most, &con("c1")])), "place `s`: a number of tokens is too large");
}

#[test]
fn guards() {
    check_guard(&op("xor", &[]), "the operator `<xor>` is not understood here");
    check_guard(&op("and", &[]), "`<and>` must have at least 1 of `<subterm>`, not 0");
    check_guard(&op("not", &[&var("x"), &var("x")]), "`<not>` must have 1 of `<subterm>`, not 2");
    check_guard(&var("x"), "the operator `<variable>` is not understood here");
    check_guard("<booleanconstant value=\"maybe\"/>", "`maybe` is neither `true` nor `false`");
    check_guard("<booleanconstant/>", "`<booleanconstant>` has no attribute `value`");
    check_guard(
        &op("equality", &[&var("x"), &var("e")]),
        "an element of `E` stands where one of `Circle` must",
    );
    check_guard(&op("equality", &[&var("x"), &var("p")]), "colours of 1 and of 2 components are compared");
    check_guard(&op("lessthan", &[&var("p"), &var("p")]), "`<lessthan>` is not defined for tuples");
    check_guard(&op("equality", &[&var("x"), &all("C")]), "`<all>` cannot be compared");
    check_guard(&op("equality", &[&var("x"), &con("low")]), "a colour is compared with a block");
    check_guard(&op("ltp", &[&var("x"), &var("y")]), "`<ltp>` compares blocks of partitions");
    check_guard(&op("equality", &[&var("x")]), "`<equality>` must have 2 of `<subterm>`, not 1");
    let other = num(4).replace("\"5\"", "\"6\"");
    check_guard(&op("equality", &[&num(4), &other]), "numbers of two ranges are compared");
    let block = "<partitionelementof refpartition=\"Q\"><subterm><variable refvariable=\"x\"/></subterm></partitionelementof>";
    check_guard(&op("equality", &[block, &con("low")]), "the partition `Q` is not declared");
    check_guard(
        &op("and", &["<booleanconstant value=\"false\"/>", &op("equality", &[&var("w"), &var("x")])]),
        "the variable `w` is not declared",
    );
}
