//! Limits hold in every phase: models that would take minutes to hours there, each with a short time limit.
//! The bound is wide, for machines are noisy; without a look at the interrupt in the phase at hand none of
//! these would come near it.

use super::*;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const LIMIT: &str = "0.7";
const BOUND: Duration = Duration::from_secs(25);

/// Runs the program with the time limit. It must end by it, and say so.
#[track_caller]
fn ends(args: &[&str]) -> Ran {
    let start = Instant::now();
    let ran = run(&[args, &["--timeout", LIMIT]].concat());
    assert!(start.elapsed() < BOUND, "{args:?} took {:?}", start.elapsed());
    assert_eq!(ran.code, 3, "{args:?}\n{}\n{}", ran.out, ran.err);
    let (said, reason) = (format!("{}{}", ran.out, ran.err), format!("time limit of {LIMIT} s"));
    assert!(said.contains(&reason), "{args:?}\n{said}");
    ran
}

#[test]
fn canonical_states_with_many_ties() {
    let pairs = "const N = 4000; symmetric S[N]; var partner: array[S] of S? = none; deadlock allowed;
        process M { rule pair(a: S, b: S) when a != b && partner[a] == none && partner[b] == none { partner[a] = b; partner[b] = a; } }";
    ends(&["check", &model_file("pairs.orb", pairs)]);
}

#[test]
fn wide_rings() {
    let ring = "const N = 4000; ring R[N]; var x: array[R] of bool = false; deadlock allowed;
        process P[r: R] { rule go when !x[r] && !x[next(r)] { x[r] = true; } } invariant some = exists r: R { !x[r] };";
    ends(&["check", &model_file("ring.orb", ring)]);
}

#[test]
fn long_chains_in_linear_and_branching_time() {
    let chain = "const N = 500000000; var x: 0..N = 0; process M { rule go when x < N { x = x + 1; } } deadlock allowed;
        ltl end = F x == N; ctl home = AG EF x == N;";
    let path = model_file("chain.orb", chain);
    ends(&["check", &path]);
    ends(&["check", &path, "-p", "home", "--ctl-algorithm", "naive"]);
    ends(&["graph", &path, "--max-states", "1000000000", "--summary"]);
}

/// What is known of the properties is told, also if there was no time for any of them.
#[test]
fn diagrams_of_long_chains() {
    let chain = "const N = 500000000; var x: 0..N = 0; process P { rule go when x < N { x = x + 1; } } deadlock allowed;
        ltl end = F x == N; ctl home = AG EF x == N; invariant small = x < N;";
    let ran = ends(&["check", &model_file("diagrams.orb", chain), "--engine", "symbolic"]);
    assert!(ran.out.contains("? small") && ran.out.contains("? home"), "{}{}", ran.out, ran.err);
}

#[test]
fn walks_without_end() {
    let path = model_file("walk.orb", HUGE);
    ends(&["simulate", &path, "--steps", "1000000000"]);
}

#[test]
fn automata_that_blow_up() {
    let atoms: Vec<String> = (0..22).map(|i| format!("(a{i} U b{i})")).collect();
    let start = Instant::now();
    let ran = run(&["translate", &atoms.join(" && "), "--timeout", LIMIT]);
    assert!(start.elapsed() < BOUND && ran.code == 3, "{}", ran.err);
}

/// A net of transitions that have nothing to do with each other, or only of places.
fn net(places: usize, transitions: bool) -> String {
    let mut text = String::from(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">",
    );
    for i in 0..places {
        let _ = write!(
            text,
            "<place id=\"p{i}\"><initialMarking><text>{}</text></initialMarking></place>",
            i % 7 + 1
        );
        if transitions {
            let _ = write!(
                text,
                "<transition id=\"t{i}\"/><arc id=\"a{i}\" source=\"p{i}\" target=\"t{i}\"/><arc id=\"b{i}\" source=\"t{i}\" target=\"p{}\"/>",
                (i * i + 1) % places
            );
        }
    }
    text + "</page></net></pnml>"
}

#[test]
fn large_nets() {
    let path = model_file("transitions.pnml", &net(3_000, true));
    ends(&["check", &path]);
    ends(&["check", &path, "--global", "StateSpace"]);
}

#[test]
fn one_long_property_leaves_time_for_the_others() {
    let text = "const N = 500000000; var x: 0..N = 0; process M { rule go when x < N { x = x + 1; } } deadlock allowed;
        ltl long = F x == N; reachable three = x == 3; ltl short = F x == 3;";
    let path = model_file("shares.orb", text);
    let document =
        run(&["check", &path, "--timeout", "3", "--format", "json", "-p", "long", "-p", "short"]).json();
    assert_eq!(result(&document, "short")["verdict"], "holds");
    assert_eq!(result(&document, "long")["verdict"], "unknown");
    let options = ["--property-timeout", "0.5", "--format", "json", "-p", "long", "-p", "short"];
    let document = run(&[&["check", &path][..], &options].concat()).json();
    assert_eq!(result(&document, "short")["verdict"], "holds");
    let reason = result(&document, "long")["reason"].as_str().unwrap().to_string();
    assert_eq!(reason, "the time limit of 0.5 s for each property is reached");
}

#[test]
fn what_may_help_is_said() {
    let path = model_file("help.orb", HUGE);
    let ran = run(&["check", &path, "--max-states", "1000"]).code(3);
    assert!(ran.err.contains("--set N=29") && ran.err.contains("--engine symbolic"), "{}", ran.err);
}

/// Few states, each with so many cells that it would take hours to print them all: also what follows an
/// interrupted search ends.
#[cfg(unix)]
#[test]
fn interrupts_end_what_comes_after_the_search() {
    let wide = "const N = 300000; ring R[N]; var x: array[R] of bool = false; deadlock allowed;
        process P[r: R] { rule go when !x[r] && !x[next(r)] { x[r] = true; } }";
    let path = model_file("wide_graph.orb", wide);
    for format in ["dot", "json"] {
        let mut command = command(&["graph", &path, "--format", format]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        std::thread::sleep(Duration::from_secs(3));
        let start = Instant::now();
        let killed =
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let ran = Ran::new(child.wait_with_output().expect("the program ends")).code(3);
        assert!(start.elapsed() < BOUND, "{format}: {:?}", start.elapsed());
        // A quick machine has all states that are asked for before it is interrupted, and is printing.
        let why = ["interrupted", "there are more than 10,000 states"];
        assert!(why.iter().any(|why| ran.err.contains(why)), "{}", ran.err);
    }
}

/// If there is no time to write the runs, the file for them is a document without any, not what was there
/// before.
#[test]
fn runs_that_cannot_be_written_in_time() {
    let (path, trace) = (model_file("left_out.orb", COUNTER), scratch("left_out.json"));
    let run = |inject: String| {
        std::fs::write(&trace, "of another check").expect("a file can be written");
        let mut command = command(&["check", &path, "--trace", trace.to_str().unwrap()]);
        let output = command.env("BURNSIDE_INJECT", inject).output().expect("the program runs");
        let text = std::fs::read_to_string(&trace).expect("there is a file");
        (Ran::new(output), serde_json::from_str::<Value>(&text).expect("a document"))
    };
    let (plain, _) = run(format!("{} time", u64::MAX));
    let looks: u64 = plain.err.rsplit_once("looks: ").expect("looks are decoded").1.trim().parse().unwrap();
    let (limited, document) = run(format!("{} time", looks - 2));
    assert!(limited.err.contains("the runs are left out"), "{}", limited.err);
    assert_eq!((limited.code, plain.code), (1, 1));
    assert!(!document.to_string().contains("steps"), "{document}");
}

/// A model that does not come: nothing looks at the interrupt while the program waits for it.
#[cfg(unix)]
#[test]
fn input_that_does_not_come() {
    let start = Instant::now();
    let mut command = command(&["check", "-", "--timeout", LIMIT, "--format", "json"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let ran = Ran::new(child.wait_with_output().expect("the program ends")).code(3);
    drop(input);
    assert!(start.elapsed() < BOUND);
    assert_eq!(ran.json()["error"]["unknown"], true);
}

/// Everything that the program holds counts, not only states: at most a tenth more than allowed.
#[cfg(target_os = "linux")]
#[test]
fn memory_in_every_phase() {
    // Half of it is held before the first state.
    let wide = "const N = 300000; ring R[N]; var x: array[R] of bool = false; deadlock allowed;
        process P[r: R] { rule go when !x[r] { x[r] = true; } } invariant some = exists r: R { !x[r] };";
    stays_below(&["check", &model_file("wide.orb", wide)], 100, 3);
    let chain = "const N = 100000000; var x: 0..N = 0; process M { rule go when x < N { x = x + 1; } }";
    let path = model_file("chain_graph.orb", chain);
    for format in ["json", "dot"] {
        stays_below(&["graph", &path, "--max-states", "1000000000", "--format", format], 40, 3);
    }
}

/// Texts that take as much as is allowed when they are copied once or twice.
#[cfg(target_os = "linux")]
#[test]
fn memory_for_large_texts() {
    let large = "x".repeat(40_000_000);
    let name = model_file("large_name.orb", &format!("var {large}: bool; process P {{ rule r {{ }} }}"));
    for command in [&["check"][..], &["graph"], &["simulate"], &["symmetry"], &["dump", "--stage", "tokens"]]
    {
        stays_below(&[command, &[&name]].concat(), 100, 2);
    }
    let comment =
        model_file("large_comment.orb", &format!("/*{large}*/ var x: bool; process P {{ rule r {{ }} }}"));
    stays_below(&["check", &comment], 100, 0);
    let tokens = "x = !x; ".repeat(2_000_000);
    let tokens = model_file("tokens.orb", &format!("var x: bool; process P {{ rule r {{ {tokens} }} }}"));
    stays_below(&["check", &tokens], 100, 3);
    stays_below(&["dump", "--stage", "tokens", &tokens], 100, 3);
    let places: String =
        (0..50_000).map(|place| format!("<place id=\"p{place}{}\"/>", "n".repeat(1000))).collect();
    let net = format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">{places}</page></net></pnml>"
    );
    stays_below(&["check", &model_file("large_names.pnml", &net)], 100, 3);
}

/// Runs the program with a limit of so many megabytes: it ends with this code and never holds a tenth more.
#[cfg(target_os = "linux")]
#[track_caller]
fn stays_below(args: &[&str], megabytes: u64, code: i32) {
    let mut command = command(&[args, &["--max-memory", &format!("{megabytes}M")]].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
    let mut peak = 0;
    let status = loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        peak = kilobytes.unwrap_or(0).max(peak);
        match child.try_wait().expect("the program can be waited for") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    assert_eq!(status.code(), Some(code), "{args:?}");
    assert!(peak << 10 <= (megabytes << 20) / 10 * 11, "{args:?}: {peak} kB");
}
