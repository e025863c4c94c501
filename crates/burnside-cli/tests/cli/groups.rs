//! Which symmetries a property leaves, of every kind.

use super::*;

const MODEL: &str = "
symmetric P[4];
symmetric Q[3];
var on: set of P;
var off: set of Q;
process A[p: P] {
    rule put when !(p in on) { on = on | {p}; }
    rule take when p in on { on = on \\ {p}; }
}
process B[q: Q] { rule put when !(q in off) { off = off | {q}; } }
deadlock allowed;
invariant any_ = forall p: P { p in on || !(p in on) };
invariant one = P#0 in on || !(P#0 in on);
reachable three = P#0 in on && P#1 in on && P#2 in on;
never twice { Q#0 in off; !(Q#0 in off) }
ltl four = G (Q#0 in off -> F Q#0 in off);
ctl five = EF (P#0 in on && Q#1 in off);
ctl six = forall p: P { EF p in on };
";

#[test]
fn the_document_tells_the_group_of_each_property() {
    let document = check_text(MODEL, &[]).code(0).json();
    let groups = [
        ("faults", "144", &["P", "Q"][..]),
        ("any_", "144", &["P", "Q"]),
        ("one", "36", &["P", "Q"]),
        ("three", "6", &["Q"]),
        ("twice", "48", &["P", "Q"]),
        ("four", "48", &["P", "Q"]),
        ("five", "12", &["P", "Q"]),
        ("six", "144", &["P", "Q"]),
    ];
    for (name, order, moves) in groups {
        let expected = serde_json::json!({"order": order, "moves": moves});
        assert_eq!(result(&document, name)["group"], expected, "{name}");
    }
    let document = check_text(MODEL, &["--symmetry", "none"]).code(0).json();
    for (name, ..) in groups {
        let expected = serde_json::json!({"order": "1", "moves": []});
        assert_eq!(result(&document, name)["group"], expected, "{name}");
    }
}

#[test]
fn the_text_tells_what_a_property_breaks() {
    let path = model_file("groups.orb", MODEL);
    let text = run(&["check", &path]).code(0).out;
    let line =
        |name: &str| text.lines().find(|line| line.contains(&format!(" {name} "))).unwrap().to_string();
    assert!(!line("any_").contains("symmetries") && !line("six").contains("symmetries"), "{text}");
    assert!(line("one").contains("36 of 144 symmetries (of P, Q)"), "{text}");
    assert!(line("three").contains("6 of 144 symmetries (of Q)"), "{text}");
    assert!(line("four").contains("48 of 144 symmetries (of P, Q)"), "{text}");
    assert!(line("five").contains("12 of 144 symmetries (of P, Q)"), "{text}");
    let text = run(&["check", &path, "--symmetry", "none"]).code(0).out;
    assert!(!text.contains("symmetries"), "{text}");
}
