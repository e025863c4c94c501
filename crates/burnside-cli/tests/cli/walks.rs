//! `burnside simulate`, at random and by choice.

use super::*;

#[test]
fn the_same_seed_gives_the_same_walk() {
    let walk =
        |seed: &str| run(&["simulate", "examples/resource.orb", "--seed", seed, "--steps", "50"]).code(0).out;
    assert_eq!(walk("7"), walk("7"));
    assert_ne!(walk("7"), walk("8"));
}

#[test]
fn the_seed_is_printed_and_can_be_used_again() {
    let once = run(&["simulate", "examples/mutex.orb"]).code(0).out;
    let header = once.lines().next().unwrap();
    let seed = header.split("--seed ").nth(1).expect("the seed is there");
    assert_eq!(run(&["simulate", "examples/mutex.orb", "--seed", seed]).code(0).out, once);
}

#[test]
fn steps_are_limited() {
    let ran = run(&["simulate", "examples/mutex.orb", "--steps", "3", "--seed", "1"]).code(0);
    assert!(ran.out.contains("\n  3  ") && !ran.out.contains("\n  4  "), "{}", ran.out);
}

#[test]
fn walks_stop_at_what_is_wrong() {
    let violated = run_with(&["simulate", "-"], COUNTER).code(1).out;
    assert!(violated.contains("invariant `small` is false here: x < 3"), "{violated}");
    let deadlock =
        run_with(&["simulate", "-"], "var x: 0..2;\nprocess P { rule r when x < 2 { x = x + 1; } }\n");
    assert!(deadlock.code(1).out.contains("deadlock: no rule is enabled here"));
    let fault =
        run_with(&["simulate", "-"], "var x: 0..2;\nprocess P { rule r { x = x + 1; } }\n").code(1).out;
    assert!(
        fault.contains("fault: the value 3 is outside 0..2") && fault.contains("3  P  r  faults"),
        "{fault}"
    );
    let end = "var x: 0..2;\nprocess P { rule r when x < 2 { x = x + 1; } }\ndeadlock allowed;\n";
    assert!(run_with(&["simulate", "-"], end).code(0).out.contains("the end"));
}

#[test]
fn by_choice() {
    let path = model_file("choice.orb", COUNTER);
    let ran = run_with(&["simulate", &path, "--interactive"], "x\n9\n1\n1\nu\ns\n?\n1\n1\n1\nq\n").code(0);
    let out = &ran.out;
    assert_eq!(out.matches("this is not a choice").count(), 3, "{out}");
    assert!(out.contains("x: 0 → 1") && out.contains("undo the last step"), "{out}");
    assert!(out.contains("invariant `small` is false here"), "{out}");
    assert!(out.contains("no rule is enabled here"), "{out}");
    assert!(out.contains("x = 1"), "undone to 1: {out}");
}

#[test]
fn initial_states_are_chosen_too() {
    let text = "var x: 0..2 = any;\nprocess P { rule r when x < 2 { x = x + 1; } }\ndeadlock allowed;\n";
    let path = model_file("initial_choice.orb", text);
    let out = run_with(&["simulate", &path, "-i"], "3\nq\n").code(0).out;
    assert!(out.contains("There are 3 initial states") && out.contains("the end"), "{out}");
}

#[test]
fn the_end_of_the_input_ends_the_walk() {
    let path = model_file("end_of_input.orb", COUNTER);
    run_with(&["simulate", &path, "-i"], "").code(0);
    run_with(&["simulate", &path, "-i"], "1\n").code(0);
    run_with(&["simulate", "-", "-i"], COUNTER).code(2);
}

#[test]
fn a_faulting_choice_can_be_taken_back() {
    let path = model_file("faulting_choice.orb", "var x: 0..1;\nprocess P { rule r { x = x + 1; } }\n");
    let out = run_with(&["simulate", &path, "-i"], "1\n1\nu\nq\n").code(0).out;
    assert!(out.contains("fault: the value 2") && out.contains("choose another one"), "{out}");
}

/// Many runs: how often each rule was taken, and which never.
#[test]
fn many_runs_tell_what_was_taken() {
    let runs = |options: &[&str]| {
        let all =
            [&["simulate", "examples/mutex.orb", "--runs", "5", "--steps", "40", "--seed", "3"], options];
        run(&all.concat()).code(0).out
    };
    let text = runs(&[]);
    assert!(text.contains("5 runs, 200 steps") && !text.contains("never taken"), "{text}");
    let document: Value = serde_json::from_str(&runs(&["--format", "json"])).unwrap();
    let taken = document["rules"].as_array().unwrap().iter().map(|rule| rule["taken"].as_u64().unwrap());
    assert_eq!((taken.sum::<u64>(), document["steps"].as_u64()), (200, Some(200)));
    assert_eq!((&document["runs"], &document["violation"]), (&Value::from(5), &Value::Null));
    let idle = "var x: 0..1; process P { rule flip { x = 1 - x; } rule rest when x > 1 { x = 0; } }";
    let ran = run_with(&["simulate", "-", "--runs", "2", "--steps", "9", "--seed", "1"], idle).code(0).out;
    assert!(ran.contains("P flip  18") && ran.contains("P rest   0  never taken"), "{ran}");
}

/// The runs end at the first one in which something is wrong, which is shown.
#[test]
fn many_runs_stop_at_what_is_wrong() {
    let violated = run_with(&["simulate", "-", "--runs", "9", "--seed", "1"], COUNTER).code(1).out;
    assert!(violated.contains("invariant `small` is false here: x < 3"), "{violated}");
    let json = ["simulate", "-", "--runs", "9", "--seed", "1", "--format", "json"];
    let document: Value = serde_json::from_str(&run_with(&json, COUNTER).code(1).out).unwrap();
    assert_eq!(
        (&document["violation"]["property"], &document["violation"]["run"]),
        (&"small".into(), &1.into())
    );
    assert!(document["violation"]["evidence"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    let dead = ["simulate", "examples/philosophers.orb", "--set", "N=3", "--runs", "99", "--seed", "1"];
    let dead = run(&dead).code(1).out;
    assert!(dead.contains("deadlock: no rule is enabled here"), "{dead}");
    let fault = "var x: 0..3; process P { rule up { x = x + 1; } }";
    run_with(&["simulate", "-", "--runs", "2", "--seed", "1"], fault).code(1);
    run_with(&["simulate", "-", "--format", "json"], fault).code(2);
    run_with(&["simulate", "-", "--runs", "0"], fault).code(2);
}
