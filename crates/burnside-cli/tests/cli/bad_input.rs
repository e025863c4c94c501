//! Whatever is given: a clear message, exit code 2, no panic.

use super::*;

/// The program refuses this with a message that says so, in both formats.
#[track_caller]
fn refuses(args: &[&str], message: &str) {
    let ran = run(args).code(2);
    assert!(ran.err.contains(message), "{}", ran.err);
    assert!(ran.err.starts_with("error") && ran.out.is_empty(), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.len() < 20_000, "{} bytes are not clear", ran.err.len());
    if args[0] == "check" {
        let document = run(&[args, &["--format", "json"]].concat()).code(2).json();
        assert!(document["error"]["message"].is_string(), "{document}");
    }
}

#[track_caller]
fn refuses_text(name: &str, text: &str, message: &str) {
    refuses(&["check", &model_file(name, text)], message);
}

#[test]
fn empty_file() {
    refuses_text("empty.orb", "", "neither variables nor rules");
    refuses_text("blank.orb", " \n\n// nothing\n", "neither variables nor rules");
}

#[test]
fn binary_file() {
    let path = scratch("binary.orb");
    std::fs::write(&path, (0..=255u8).cycle().take(5000).collect::<Vec<_>>()).unwrap();
    refuses(&["check", path.to_str().unwrap()], "is not a text file");
    refuses(&["fmt", path.to_str().unwrap()], "is not a text file");
    refuses_text("zero_byte.orb", "var x: bool;\0", "is not a text file");
}

#[test]
fn very_long_lines() {
    let words = "x ".repeat(5_000_000);
    refuses_text("words.orb", &words, "expected a declaration");
    let sum = format!("var x: bool; invariant a = {} x;", "x || ".repeat(2_000_000));
    refuses_text("sum.orb", &sum, "error");
    let name = format!("var {}: bol;", "x".repeat(10_000_000));
    refuses_text("name.orb", &name, "error");
}

#[test]
fn deep_nesting() {
    for (name, text) in [
        ("parens", format!("invariant a = {}true{};", "(".repeat(100_000), ")".repeat(100_000))),
        ("open", format!("invariant a = {}", "(".repeat(100_000))),
        ("nots", format!("invariant a = {}true;", "!".repeat(100_000))),
        ("braces", "process P { rule r { ".repeat(50_000)),
        ("types", format!("var x: {} bool;", "set of ".repeat(100_000))),
    ] {
        refuses_text(&format!("deep_{name}.orb"), &text, "error");
        run(&["fmt", "--check", &model_file(&format!("deep_fmt_{name}.orb"), &text)]).code(2);
    }
}

#[test]
fn several_errors_at_once() {
    let ran = check_text("var x: bol;\nvar y: 3..1;\nprocess P { rule r when z { x = 1; } }\n", &[]).code(2);
    let document = ran.json();
    let errors = document["error"]["diagnostics"].as_array().unwrap();
    assert!(errors.len() >= 3, "{document}");
    assert_eq!(errors[0]["place"]["line"], 1);
    assert!(errors.iter().all(|error| error["code"].is_string() && error["message"].is_string()));
}

#[test]
fn unknown_property() {
    refuses(&["check", "examples/mutex.orb", "-p", "exclusoin"], "did you mean `exclusion`?");
    refuses(&["check", "examples/mutex.orb", "-p", "zebra"], "its properties are `faults`");
}

#[test]
fn settings() {
    refuses(&["check", "examples/mutex.orb", "--set", "M=3"], "no constant `M`");
    refuses(&["check", "examples/mutex.orb", "--set", "N=three"], "not an integer");
    refuses(&["check", "examples/mutex.orb", "--set", "N=0"], "no elements");
    refuses(&["check", "examples/ethernet.orb", "--set", "TRIES=9"], "outside the declared range");
    refuses(&["check", "examples/mutex.orb", "--set", "N=99999999999999999999"], "--set N");
    for usage in [
        ["--set", "N"],
        ["--timeout", "-1"],
        ["--max-memory", "1Q"],
        ["--max-states", "0"],
        ["--color", "red"],
    ] {
        let ran = run(&[&["check", "examples/mutex.orb"], &usage[..]].concat()).code(2);
        assert!(ran.err.starts_with("error"), "{}", ran.err);
    }
}

#[test]
fn types_without_values_and_states_without_end() {
    refuses_text(
        "size_0.orb",
        "symmetric S[0];\nvar x: S?;\nprocess P { rule r { x = none; } }\n",
        "no elements",
    );
    let wide = "var x: array[0..100_000_000] of 0..255;\nprocess P { rule r { x[0] = 1; } }\n";
    refuses_text("wide.orb", wide, "the limit is");
    let sum = "type T = array[0..999_999] of bool;\nrecord R { a: T, b: T, c: T, d: T, e: T, f: T, g: T, h: T, i: T }\n\
               var x: R;\nprocess P { rule r { x.a[0] = true; } }\n";
    refuses_text("wide_sum.orb", sum, "the limit is");
}

#[test]
fn files_that_are_none() {
    refuses(&["check", "examples/no_such_model.orb"], "there is no file");
    refuses(&["check", "examples/mutex"], "there is `examples/mutex.orb`");
    refuses(&["check", "examples"], "is a directory");
    for command in ["graph", "simulate", "fmt"] {
        refuses(&[command, "examples"], "is a directory");
    }
    refuses(&["dump", "examples", "--stage", "syntax"], "is a directory");
    refuses(&["replay", "examples/mutex.orb", "examples"], "is a directory");
}

#[test]
fn trace_files_that_cannot_be_written() {
    // A search that would never end: the message comes before it.
    let path = model_file("unwritable.orb", HUGE);
    refuses(&["check", &path, "--trace", "no/such/directory/trace.json"], "cannot write the trace file");
    refuses(&["check", &path, "--trace", "examples"], "cannot write the trace file");
    refuses(&["check", &path, "--trace", &path], "is the model itself");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), HUGE);
}

#[test]
fn a_model_without_an_initial_state_is_refused_with_the_assumption() {
    let model = model_file(
        "none.orb",
        "var x: 0..3 = any;\ninit { assume x > 0; assume x < 1; }\nprocess P { rule r { x = x; } }\n",
    );
    let expected = "\
error[no-initial-state]: the model has no initial state
 --> none.orb:2:29
  |
2 | init { assume x > 0; assume x < 1; }
  |               -----         ^^^^^ this is never true of what is left
  |               |
  |               this excludes others
  |
  = help: every combination of initial values is excluded: assume less, or let more variables start with `any`

error: `none.orb` cannot be used because of an error
for more: burnside explain no-initial-state
";
    let commands: [&[&str]; 6] = [
        &["check"],
        &["check", "--engine", "symbolic"],
        &["check", "--ltl", "G true"],
        &["check", "--ctl", "AG true"],
        &["simulate"],
        &["graph"],
    ];
    for command in commands {
        let ran = run(&[&command[..1], &[&model], &command[1..]].concat()).code(2);
        assert_eq!(ran.err.replace(&model, "none.orb"), expected, "{command:?}");
    }
    let ran = run_with(&["simulate", &model, "--interactive"], "q\n").code(2);
    assert!(ran.err.contains("no-initial-state"), "{}", ran.err);
    let document = run(&["check", &model, "--format", "json"]).code(2).json();
    assert_eq!(document["error"]["diagnostics"][0]["code"], "no-initial-state");
    // What a function gave in the run before does not count: the first assumption excludes nothing.
    let calls = |name: &str| vec![format!("{name}()"); 8].join(" + ");
    let text = format!(
        "var b: 0..3;\nfn h(): int = b;\nfn g(): int = {};\nfn f(): int = {};\n\
         init {{ assume f() == 0; b = any; assume f() > 1000; }}\nprocess P {{ rule r {{ b = 0; }} }}\n",
        calls("h"),
        calls("g")
    );
    let ran = run(&["check", &model_file("recalled.orb", &text)]).code(2);
    assert!(ran.err.contains("this is never true\n") && !ran.err.contains("excludes"), "{}", ran.err);
    // A fault on the way is something to report.
    let text = "var x: 0..3 = any; init { assume x > 1; x = x + 2; } process P { rule r { x = x; } } invariant i = true;";
    let document = check_text(text, &[]).code(1).json();
    assert_eq!(verdicts_in(&document)[0], ("faults".to_string(), "violated".to_string()));
}
