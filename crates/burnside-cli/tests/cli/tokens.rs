//! Nets with more tokens than a place can hold: refused, or unknown with the place named, and never answered
//! wrongly.

use crate::{model_file, run};

const MOST: u64 = (1 << 61) - 1;

/// A net of places with tokens, and transitions with what they take and give.
fn net(name: &str, places: &[(&str, u64)], transitions: &[(&str, u64, &str, u64)]) -> String {
    let mut page = String::new();
    for (place, tokens) in places {
        page += &format!(
            "<place id=\"{place}\"><initialMarking><text>{tokens}</text></initialMarking></place>\n"
        );
    }
    let arc = |id: String, source: &str, target: &str, weight: u64| {
        format!(
            "<arc id=\"{id}\" source=\"{source}\" target=\"{target}\"><inscription><text>{weight}</text></inscription></arc>\n"
        )
    };
    for (number, (from, taken, to, given)) in transitions.iter().enumerate() {
        let transition = format!("t{number}");
        page += &format!("<transition id=\"{transition}\"/>\n");
        page += &arc(format!("i{number}"), from, &transition, *taken);
        page += &arc(format!("o{number}"), &transition, to, *given);
    }
    let text = format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"page\">\n{page}</page></net></pnml>\n"
    );
    model_file(&format!("tokens_{name}.pnml"), &text)
}

const GENERAL: [&str; 6] =
    ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "Liveness", "StableMarking", "StateSpace"];

#[test]
fn numbers_that_no_place_holds_are_refused() {
    let given = net("given", &[("p", 1), ("q", 0)], &[("p", 1, "q", MOST + 1)]);
    let held = net("held", &[("p", i64::MAX as u64), ("q", i64::MAX as u64)], &[("p", 1, "q", 1)]);
    for command in ["check", "graph", "simulate", "symmetry"] {
        let ran = run(&[command, &given]).code(2);
        assert!(ran.err.contains("it moves more tokens than place `q` can hold"), "{}", ran.err);
        let ran = run(&[command, &held]).code(2);
        assert!(ran.err.contains("place `p`: a number of tokens is too large"), "{}", ran.err);
        assert!(ran.err.contains("place `q`: a number of tokens is too large"), "{}", ran.err);
    }
}

/// Each of two transitions fills the place more than half: together they are too much for it.
#[test]
fn a_place_that_becomes_too_full_is_named() {
    let half = MOST / 2 + 1;
    let path = net("half", &[("p", 1), ("r", 1), ("q", 0)], &[("p", 1, "q", half), ("r", 1, "q", half)]);
    let reason = format!("place `q` needs room for more than {MOST} tokens");
    for engine in ["explicit", "symbolic"] {
        let ran = run(&["check", &path, "--engine", engine]).code(3);
        assert!(ran.out.contains(&reason), "{}", ran.out);
        let wide = format!("q <= {MOST}");
        let ran =
            run(&["check", &path, "--engine", engine, "--invariant", &wide, "--bound", "p + q"]).code(3);
        assert_eq!(ran.out.matches(&reason).count(), 2, "{}", ran.out);
        // What a run shows is still shown.
        run(&["check", &path, "--engine", engine, "--invariant", "q == 0"]).code(1);
        for general in GENERAL {
            let ran = run(&["check", &path, "--engine", engine, "--global", general, "--format", "contest"]);
            let expected = if general == "OneSafe" { "FALSE" } else { "CANNOT_COMPUTE" };
            assert!(ran.out.lines().all(|line| line.contains(expected)), "{general}: {}", ran.out);
        }
    }
    let ran = run(&["graph", &path, "--summary"]).code(3);
    assert!(ran.err.contains(&reason), "{}", ran.err);
    let ran = run(&["simulate", &path, "--seed", "1"]).code(3);
    assert!(ran.out.contains(&reason), "{}", ran.out);
}

#[test]
fn sums_that_do_not_fit_are_unknown() {
    let places = [("a", MOST), ("b", MOST), ("c", MOST), ("d", MOST), ("e", MOST), ("f", 1), ("g", 0)];
    let path = net("sums", &places, &[("f", 1, "g", 1)]);
    let reason = "the numbers of tokens add up to more than 64 bits hold";
    for (option, text) in [
        ("--invariant", "a + b + c + d + e + g >= 0"),
        ("--reachable", "a + b + c + d + e + g == 0"),
        ("--bound", "a + b + c + d + e"),
        ("--bound", "5 * a + g"),
        ("--ctl", "AG a + b + c + d + e >= g"),
        ("--ltl", "G a + b + c + d + e >= g"),
    ] {
        let ran = run(&["check", &path, option, text]).code(3);
        assert!(ran.out.contains(reason), "{text}: {}", ran.out);
        // As diagrams such sums are large, but they are not wrong either.
        run(&["check", &path, "--engine", "symbolic", "--max-nodes", "20000", "--no-reorder", option, text])
            .code(3);
    }
    run(&["check", &path, "--invariant", "a + b + c + d + g >= 1"]).code(0);
    let ran = run(&["check", &path, "--global", "StateSpace", "--format", "contest"]).code(3);
    assert!(ran.out.contains(&format!("MAX_TOKEN_IN_PLACE {MOST} ")), "{}", ran.out);
    assert!(ran.out.contains("MAX_TOKEN_PER_MARKING CANNOT_COMPUTE"), "{}", ran.out);
    assert!(ran.out.contains("STATES 2 "), "{}", ran.out);
}

/// As many tokens as can be held move as a whole.
#[test]
fn the_most_that_can_be_held() {
    let path = net("most", &[("p", MOST), ("q", 0)], &[("p", MOST, "q", MOST)]);
    let most = format!("q <= {MOST}");
    run(&["check", &path, "--invariant", &most, "--reachable", &format!("q == {MOST}")]).code(0);
    assert!(run(&["graph", &path, "--summary"]).code(0).out.contains("deadlocks        1"));
    run(&["simulate", &path, "--seed", "1"]).code(0);
    let out_of_range = run(&["check", &path, "--invariant", "q <= 9223372036854775808"]).code(2);
    assert!(out_of_range.err.contains("--invariant"), "{}", out_of_range.err);
}
