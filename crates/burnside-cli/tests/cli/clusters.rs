//! Workers and processes that search together: equal reports, limits that end all of them, and processes that
//! die, do not come, or want something else.

use super::*;
use std::net::TcpListener;
use std::process::Child;
use std::time::{Duration, Instant};

/// A hosts file with addresses that are free now.
fn hosts(name: &str, count: usize) -> String {
    let bound: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines = bound.iter().map(|it| format!("{}\n", it.local_addr().expect("an address")));
    model_file(name, &lines.collect::<String>())
}

/// Many states with few successors each.
const GRID: &str = "\
const N = 3000;
var x: 0..N = 0;
var y: 0..N = 0;
process M {
    rule right when x < N { x = x + 1; }
    rule up when y < N { y = y + 1; }
}
invariant legal = x <= N;
";

/// Starts a process of a cluster.
fn start(model: &str, hosts: &str, process: usize, options: &[&str]) -> Child {
    let process = process.to_string();
    let args = ["check", model, "--format", "json", "--hosts", hosts, "--process", &process];
    let mut command = command(&[&args, options].concat());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program runs")
}

fn end(child: Child) -> Ran {
    Ran::new(child.wait_with_output().expect("the program ends"))
}

/// What a report says that does not depend on who has found it out.
fn figures(document: &Value) -> Vec<String> {
    let tell = |result: &Value| {
        let run = result["trace"]["steps"].as_array().map(Vec::len);
        format!("{} {} {run:?} {}", result["property"], result["verdict"], result["unreduced"])
    };
    document["results"].as_array().expect("results").iter().map(tell).collect()
}

#[test]
fn reports_are_equal() {
    let model = model_file("cluster-counter.orb", COUNTER);
    let alone = run(&["check", &model, "--format", "json", "--search", "breadth"]).code(1).json();
    let two = run(&["check", &model, "--format", "json", "--workers", "2"]).code(1).json();
    assert_eq!(figures(&alone), figures(&two));
    let hosts = hosts("cluster-counter.hosts", 3);
    let all: Vec<Child> = (0..3).map(|process| start(&model, &hosts, process, &["--workers", "2"])).collect();
    for child in all {
        assert_eq!(figures(&alone), figures(&end(child).code(1).json()));
    }
}

#[test]
fn complete_figures_are_those_of_one_thread() {
    let model = root().join("examples/mutex.orb");
    let model = model.to_str().expect("text");
    let args = ["check", model, "--format", "json", "-p", "exclusion"];
    let alone = run(&args).json();
    let two = run(&[&args[..], &["--workers", "2"]].concat()).json();
    for key in ["states", "transitions", "depth"] {
        assert_eq!(alone["stats"][key], two["stats"][key], "{key}");
    }
    assert_eq!(alone["results"][0]["verdict"], two["results"][0]["verdict"]);
}

#[test]
fn the_command_shows_the_first_process() {
    let model = model_file("cluster-command.orb", COUNTER);
    let ran = run(&["cluster", "--processes", "2", &model, "--format", "json"]).code(1);
    assert_eq!(result(&ran.json(), "small")["verdict"], "violated");
    let ran = run(&["cluster", "missing.orb"]).code(2);
    assert!(ran.err.contains("missing.orb"), "{}", ran.err);
    let ran = run(&["cluster", "--processes", "0", &model]).code(2);
    assert!(ran.err.contains("from 1 to 64"), "{}", ran.err);
}

/// Starts two processes that search for long, and does something to the second one.
fn disturb(name: &str, options: &[&str], disturb: impl FnOnce(&mut Child)) -> (Ran, Ran, Duration) {
    let text = format!("{HUGE}\nltl calm = G F x[0] == 0;\n");
    let model = model_file(&format!("{name}.orb"), &text);
    let hosts = hosts(&format!("{name}.hosts"), 2);
    let first = start(&model, &hosts, 0, options);
    let mut second = start(&model, &hosts, 1, options);
    std::thread::sleep(Duration::from_millis(1500));
    let since = Instant::now();
    disturb(&mut second);
    let first = end(first);
    let time = since.elapsed();
    (first, end(second), time)
}

#[test]
fn a_process_that_dies_ends_the_others() {
    let (first, _, time) = disturb("cluster-killed", &["--workers", "2", "-p", "legal"], |second| {
        second.kill().expect("it runs");
    });
    let document = first.code(3).json();
    let legal = result(&document, "legal");
    assert_eq!((&legal["verdict"], &legal["reason_code"]), (&"unknown".into(), &"lost".into()));
    assert!(legal["reason"].as_str().expect("a reason").contains("process 1"), "{}", legal["reason"]);
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[test]
fn a_process_that_dies_ends_a_search_for_runs() {
    let (first, _, time) = disturb("cluster-runs-killed", &["--workers", "2", "-p", "calm"], |second| {
        second.kill().expect("it runs");
    });
    let document = first.code(3).json();
    let calm = result(&document, "calm");
    assert_eq!((&calm["verdict"], &calm["reason_code"]), (&"unknown".into(), &"lost".into()));
    assert!(calm["reason"].as_str().expect("a reason").contains("process 1"), "{}", calm["reason"]);
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[cfg(unix)]
#[test]
fn a_process_that_sleeps_ends_the_others() {
    let signal = |child: &Child, signal: &str| {
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    };
    let model = model_file("cluster-asleep.orb", HUGE);
    let hosts = hosts("cluster-asleep.hosts", 2);
    let (first, mut second) = (start(&model, &hosts, 0, &[]), start(&model, &hosts, 1, &[]));
    std::thread::sleep(Duration::from_millis(1500));
    signal(&second, "-STOP");
    let since = Instant::now();
    let document = end(first).code(3).json();
    assert!(since.elapsed() < Duration::from_secs(12), "{:?}", since.elapsed());
    let legal = result(&document, "legal");
    assert!(legal["reason"].as_str().expect("a reason").contains("nothing was heard"), "{}", legal["reason"]);
    second.kill().expect("it is there");
    second.wait().expect("it ends");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_all() {
    let (first, second, time) = disturb("cluster-interrupt", &["-p", "legal"], |second| {
        let sent = Command::new("kill").args(["-INT", &second.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    });
    assert!(time < Duration::from_secs(5), "{time:?}");
    for ran in [first, second] {
        assert_eq!(result(&ran.code(3).json(), "legal")["reason"], "interrupted");
    }
}

#[test]
fn limits_end_all() {
    for (option, value, reason) in
        [("--timeout", "2", "time"), ("--max-states", "3000", "states"), ("--max-memory", "4M", "memory")]
    {
        // Where states have many successors more of them are on the way than there are states, and a limit on
        // memory this small may leave no room for a report.
        let text = if reason == "memory" { GRID } else { HUGE };
        let (model, hosts) = (model_file("cluster-limits.orb", text), hosts("cluster-limits.hosts", 2));
        // A limit on states is one of the options that must be equal.
        let other: &[&str] = if reason == "states" { &[option, value] } else { &[] };
        let first = start(&model, &hosts, 0, other);
        let second = start(&model, &hosts, 1, &[option, value]);
        for child in [first, second] {
            let document = end(child).code(3).json();
            assert_eq!(result(&document, "legal")["reason_code"], reason, "{option}");
        }
    }
}

#[test]
fn processes_must_want_the_same() {
    let model = model_file("cluster-same.orb", COUNTER);
    let other = model_file("cluster-other.orb", &format!("{COUNTER}\ninvariant more = x >= 0;\n"));
    let cases: [(&str, &[&str], &str); 4] = [
        (&other, &[], "another model"),
        (&model, &["--set", "MAX=2"], "another model"),
        (&model, &["--symmetry", "none"], "other options"),
        (&model, &["--workers", "2"], "--workers"),
    ];
    for (number, (model_of_second, options, expected)) in cases.into_iter().enumerate() {
        let hosts = hosts(&format!("cluster-same-{number}.hosts"), 2);
        let all = [start(&model, &hosts, 0, &[]), start(model_of_second, &hosts, 1, options)];
        for child in all {
            let ran = end(child).code(2);
            assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
        }
    }
}

#[test]
fn who_cannot_be_reached_is_named() {
    let model = model_file("cluster-alone.orb", COUNTER);
    let hosts = hosts("cluster-alone.hosts", 2);
    let since = Instant::now();
    for process in [0, 1] {
        let ran = end(start(&model, &hosts, process, &["--connect-timeout", "0.5"])).code(2);
        let other = format!("process {} (`127.0.0.1:", 1 - process);
        assert!(ran.err.contains(&other) && ran.err.contains("cannot be reached"), "{}", ran.err);
    }
    assert!(since.elapsed() < Duration::from_secs(20));
    let twice = [start(&model, &hosts, 0, &[]), start(&model, &hosts, 0, &["--connect-timeout", "2"])];
    let ended: Vec<Ran> = twice
        .into_iter()
        .map(|mut child| {
            std::thread::sleep(Duration::from_millis(1500));
            // One of the two has the address; the other one has ended by now.
            if child.try_wait().expect("it can be asked").is_none() {
                child.kill().expect("it runs");
            }
            end(child)
        })
        .collect();
    assert!(ended.iter().any(|ran| ran.code == 2 && ran.err.contains("cannot listen")));
}

#[test]
fn mistakes_in_what_is_typed() {
    let model = model_file("cluster-typed.orb", COUNTER);
    let hosts = hosts("cluster-typed.hosts", 2);
    let bad = model_file("cluster-bad.hosts", "# where\nnode1:7410\nnode2\n");
    let cases: [(&[&str], &str); 7] = [
        (&["--hosts", &bad, "--process", "0"], "cluster-bad.hosts:3: `node2` has no port"),
        (&["--hosts", "missing.hosts", "--process", "0"], "cannot read the hosts file `missing.hosts`"),
        (&["--hosts", &hosts, "--process", "2"], "names 2 processes"),
        (&["--hosts", &hosts], "--process"),
        (&["--process", "1"], "--hosts"),
        (&["--workers", "0"], "expected a number from 1"),
        (&["--workers", "2", "--engine", "symbolic"], "explicit engine only"),
    ];
    for (options, expected) in cases {
        let ran = run(&[&["check", &model], options].concat()).code(2);
        assert!(ran.err.contains(expected), "{options:?}: {}", ran.err);
    }
}
