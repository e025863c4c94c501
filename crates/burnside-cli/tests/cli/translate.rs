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
