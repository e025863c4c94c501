//! `translate`.

use super::*;

#[test]
fn automata_in_hoa() {
    let expected = "\
HOA: v1
name: \"G (p -> F q)\"
tool: \"burnside\" \"VERSION\"
States: 2
Start: 0
AP: 2 \"p\" \"q\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc no-univ-branch deterministic
--BODY--
State: 0
[!0 | 1] 0 {0}
[0&!1] 1
State: 1
[1] 0 {0}
[!1] 1
--END--
";
    let out = run(&["translate", "[](p => <>q)"]).code(0).out;
    assert_eq!(out.replace(env!("CARGO_PKG_VERSION"), "VERSION"), expected);
    assert_eq!(run_with(&["translate", "-", "--format", "hoa"], "[](p\n => <>q)\n").code(0).out, out);
    let negated = run(&["translate", "--negate", "G(p -> F q)"]).code(0).out;
    assert_eq!(negated, run(&["translate", "!G(p -> F q)"]).code(0).out);
}

#[test]
fn one_acceptance_set() {
    let formula = "GF a && GF b";
    let acceptance = |options: &[&str]| {
        let out = run(&[&["translate", formula], options].concat()).code(0).out;
        let line =
            |start: &str| out.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_string();
        (line("States"), line("acc-name"), out.contains("state-acc"))
    };
    let expected = |states: &str, name: &str, on_states| (states.to_string(), name.to_string(), on_states);
    assert_eq!(acceptance(&[]), expected("States: 1", "acc-name: generalized-Buchi 2", false));
    assert_eq!(acceptance(&["--buchi"]), expected("States: 2", "acc-name: Buchi", false));
    assert_eq!(acceptance(&["--state-based"]), expected("States: 3", "acc-name: Buchi", true));
}

#[test]
fn automata_in_dot() {
    let out = run(&["translate", "F \"x > 1\"", "--format", "dot"]).code(0).out;
    assert!(out.starts_with("digraph \"F \\\"x > 1\\\"\" {") && out.contains("label=\"!x > 1\""), "{out}");
}

#[test]
fn wrong_formulas() {
    let expected = "\
error[syntax]: expected a proposition, `!`, `X`, `F`, `G` or `(`
 --> FORMULA:1:9
  |
1 | G(p ->  -> q)
  |         ^^
  |
  = help: an operand is missing

error: `FORMULA` cannot be used because of an error
for more: burnside explain syntax
";
    assert_eq!(run(&["translate", "G(p ->  -> q)"]).code(2).err, expected);
    run(&["translate", ""]).code(2);
    let deep = "(".repeat(10_000);
    assert!(run(&["translate", &deep]).code(2).err.contains("nested 400 deep"));
}

#[test]
fn automata_that_are_too_large() {
    let formula = (0..10).map(|i| format!("G(p{i} -> F q{i})")).collect::<Vec<_>>().join(" && ");
    assert!(run(&["translate", &formula]).code(3).err.starts_with("error: no automaton: "));
    let negated = run(&["translate", "--negate", &formula]).code(0).out;
    assert!(negated.contains("States: 11\n"), "{negated}");
}

/// The formula of Ajami, Haddad and Ilié: nothing leaves it as it is, but pairs of its states are alike.
#[test]
fn local_symmetries_are_listed() {
    let out = run(&["translate", "--symmetry", "((p1 U p3) || (p2 U p3)) && (p1 U p2)"]).code(0).out;
    let expected = "\
/* states that are alike up to a swap of two indices
   (1 2): 1~1 2~4
   (1 3): 1~1
   (2 3): 1~1 3~4 5~5
   swaps that leave the formula as it is: none */
HOA: v1
";
    assert!(out.starts_with(expected), "{out}");
    let out = run(&["translate", "--symmetry", "G F \"p(1)\" && G F \"p(2)\" && F q"]).code(0).out;
    assert!(out.contains("swaps that leave the formula as it is: (1 2) */"), "{out}");
    let out = run(&["translate", "--symmetry", "p1 U q2"]).code(0).out;
    assert!(out.contains("(1 2): not every atom has an image"), "{out}");
    run(&["translate", "--symmetry", "--buchi", "p"]).code(2);
}

/// The same formula as a user checks it: what holds needs the whole product, and so does the older method.
#[test]
fn the_formula_of_the_paper_is_checked() {
    let path = examples().into_iter().find(|path| path.ends_with("toggles.orb")).unwrap();
    let cases = [("lively", 0, "on-the-fly", [40, 21]), ("ordered", 1, "two-phase", [36, 18])];
    for (property, code, method, sizes) in cases {
        for (kind, states) in ["none", "local"].into_iter().zip(sizes) {
            let args = ["check", &path, "-p", property, "--method", method, "--automaton-symmetry", kind];
            let document = run(&[&args[..], &["--format", "json"]].concat()).code(code).json();
            let found = result(&document, property);
            assert_eq!(found["stats"]["product_states"], states, "{property} {kind}");
            assert_eq!((&found["automaton_symmetry"], &found["group"]["order"]), (&kind.into(), &"1".into()));
        }
    }
}

/// What was used is said, and the verdict does not depend on it.
#[test]
fn local_symmetries_are_used() {
    let path = examples().into_iter().find(|path| path.ends_with("leader.orb")).unwrap();
    for (kind, states) in [("none", 20), ("local", 7), ("exact", 7)] {
        let args = ["check", &path, "-p", "settles", "--method", "two-phase", "--automaton-symmetry", kind];
        let document = run(&[&args[..], &["--format", "json"]].concat()).code(1).json();
        let settles = result(&document, "settles");
        assert_eq!((&settles["verdict"], &settles["automaton_symmetry"]), (&"violated".into(), &kind.into()));
        assert_eq!(settles["stats"]["product_states"], states);
        let named = run(&args).code(1).out.contains("symmetries of the automaton");
        assert_eq!(named, kind != "none");
    }
    let args = ["check", &path, "-p", "settles", "-p", "everyone", "--keep-quantifiers", "--format", "json"];
    let document = run(&args).code(1).json();
    assert_eq!(result(&document, "everyone")["automaton_symmetry"], "local");
}
