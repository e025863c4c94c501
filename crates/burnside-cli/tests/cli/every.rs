//! `check --for-every` and `verify`: what is refused, what is printed, and how limits end them.

use super::*;

/// The program refuses this with a message that says so.
#[track_caller]
fn refuses(args: &[&str], messages: &[&str]) {
    let ran = run(args).code(2);
    assert!(ran.err.starts_with("error") && ran.out.is_empty(), "{}\n{}", ran.out, ran.err);
    assert!(messages.iter().all(|message| ran.err.contains(message)), "{}", ran.err);
}

#[test]
fn constants_that_cannot_be_left_open() {
    let mutex = "examples/mutex.orb";
    let not_a_size = model_file(
        "not_a_size.orb",
        "const N = 3; const M = 2; symmetric C[N]; var x: 0..M; process C[c] { rule r { x = 1; } }",
    );
    refuses(
        &["check", &not_a_size, "--for-every", "M"],
        &["`M` is not the size of a symmetric type", "these are: `N`"],
    );
    refuses(&["check", mutex, "--for-every", "X"], &["`X` is not the size of a symmetric type"]);
    let two = "examples/readers_writers.orb";
    refuses(&["check", two, "--for-every"], &["several constants", "`R`", "`W`"]);
    refuses(&["check", two, "--for-every", "R,W"], &["`R,W` is not the size of a symmetric type"]);
    refuses(&["check", two, "--for-every", "R", "W"], &["unexpected argument 'W'"]);
    refuses(
        &["check", "examples/bakery.orb", "--for-every", "LIMIT"],
        &["no constant is the size of a symmetric type"],
    );
    let none = model_file("no_family.orb", "const N = 3; var x: 0..N; process P { rule r { x = 1; } }");
    refuses(&["check", &none, "--for-every"], &["no constant is the size of a symmetric type"]);
    refuses(&["check", &none, "--for-every", "N"], &["no constant is the size of a symmetric type"]);
    refuses(&["check", mutex, "--for-every", "N", "--set", "N=4"], &["`N` is left open and set at once"]);
    refuses(&["check", mutex, "--for-every", "N", "-p", "nothing"], &["`nothing`"]);
    refuses(&["check", "examples/heljanko_mutex.pnml", "--for-every"], &["Petri net"]);
    let nowhere = model_file(
        "nowhere.orb",
        "const N = 3; symmetric C[N]; var x: bool; init { assume x; } process C[c] { rule r { x = !x; } }",
    );
    refuses(&["check", &nowhere, "--for-every"], &["no instance has an initial state", "assume less"]);
    let murphi = "tests/models/murphi/list6.m";
    refuses(&["check", murphi, "--for-every"], &["Murphi", "burnside translate"]);
    refuses(&["check", murphi, "--for-every", "N"], &["Murphi", "burnside translate"]);
    refuses(&["verify", murphi, "README.md"], &["damaged"]);
    refuses(&["check", mutex, "--explain"], &["--for-every"]);
    refuses(&["check", mutex, "--export", "tla"], &["--for-every"]);
    refuses(&["check", mutex, "--for-every", "--export", "latex"], &["latex"]);
}

#[test]
fn certificates_are_checked() {
    let (model, file) = ("examples/resource.orb", scratch("resource.cert"));
    let path = file.to_str().expect("a name");
    run(&["check", model, "--for-every", "-p", "faults", "-p", "mutex", "--certificate", path, "-q"]).code(0);
    let ran = run(&["verify", model, path]).code(0);
    assert!(ran.out.contains("for every N: faults, mutex"), "{}", ran.out);
    assert!(ran.out.contains("states of sizes up to B = 3"), "{}", ran.out);
    let text = std::fs::read_to_string(&file).expect("a text");
    for (damaged, message) in [
        (text.replace("burnside certificate 1", "something"), "line 1: this is no certificate"),
        (text.replace("end\n", ""), "the end is missing"),
        (text.replacen("view 0", "view x", 1), "this line is damaged"),
        (text.replacen("proof 1", "proof many", 1), "the size of views is no number"),
        (text.replacen("globals ", "globals g", 1), "this line is damaged"),
        (text[..text.len() / 2].to_string(), "damaged"),
        (String::new(), "damaged"),
    ] {
        std::fs::write(&file, damaged).expect("it can be written");
        refuses(&["verify", model, path], &[message]);
    }
    // Whole, but it proves nothing.
    let last = text.lines().rfind(|line| line.starts_with("view")).expect("there are views");
    for wrong in [text.replace(&format!("{last}\n"), ""), text.replacen("proof 1", "proof 9", 1)] {
        std::fs::write(&file, wrong).expect("it can be written");
        let ran = run(&["verify", model, path]).code(1);
        assert!(ran.out.contains("proves nothing"), "{}", ran.out);
    }
    std::fs::write(&file, &text).expect("it can be written");
    run(&["verify", "examples/mutex.orb", path]).code(1);
    std::fs::write(&file, text.replace("constant N", "constant M")).expect("it can be written");
    refuses(&["verify", model, path], &["`M` is not the size of a symmetric type"]);
}

#[test]
fn proofs_are_told() {
    let two = ["check", "examples/two_phase_commit.orb", "-p", "faults", "-p", "agreement", "--for-every"];
    let asked = |options: &[&str]| run(&[&two[..], options].concat()).code(0);
    let told = asked(&["--explain"]);
    let clause = "forall a: Participant { phase[a] == committed -> decision == commit }";
    assert!(told.out.contains(clause), "{}", told.out);
    let document = asked(&["--explain", "--format", "json"]).json();
    let clauses = document["explained"][0]["clauses"].as_array().expect("a list");
    assert!(clauses.contains(&Value::from(clause)), "{document}");
    let module = asked(&["--export", "tla"]);
    assert!(module.out.starts_with("---- MODULE ForEvery ----\n"), "{}", module.out);
    let document = asked(&["--export", "tla", "--format", "json"]).json();
    assert_eq!(document["tla"].as_str(), Some(&*module.out));
}

#[test]
fn limits_end_proofs() {
    let ran = run(&["check", "examples/arbiter.orb", "--for-every", "-p", "handshake", "--timeout", "1"]);
    let ran = ran.code(3);
    let told = ran.out + &ran.err;
    assert!(told.contains("the time limit of 1 s is reached"), "{told}");
}

/// Which size is explored, which views are closed, that a proof is checked, and that a member is followed.
#[test]
fn every_phase_shows_progress() {
    let file = scratch("progress.cert");
    let path = file.to_str().expect("a name");
    let german = "examples/german.orb";
    let ran = run(&["check", german, "--for-every", "N", "--progress", "json", "--certificate", path]);
    let lines: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let phases: Vec<&str> = lines.iter().filter_map(|line| line["phase"].as_str()).collect();
    for wanted in ["N = 1", "N = 3", "views of 2 members", "the proof is checked"] {
        assert!(phases.contains(&wanted), "{wanted}: {phases:?}");
    }
    let closing = lines.iter().find(|line| line["phase"] == "views of 2 members").expect("it is there");
    assert!(closing["states"].as_u64() > Some(0) && closing["queue"].as_u64() > Some(0), "{closing}");
    let ran = run(&["verify", german, path, "--set", "V=2", "--progress", "json"]).code(0);
    let last: Value = serde_json::from_str(ran.err.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["phase"], "the proof is checked", "{last}");
    assert!(last["states"].as_u64() > Some(0), "{last}");
}
