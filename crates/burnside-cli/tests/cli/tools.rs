//! `graph`, `fmt`, `dump`, `completions`, `man`.

use super::*;

#[test]
fn graphs_in_dot() {
    let path = model_file("dot.orb", COUNTER);
    let expected = "\
digraph \"dot.orb\" {
  node [shape=box, style=rounded, fontname=\"monospace\"];
  edge [fontname=\"monospace\"];
  s0 [label=\"x = 0\\l\", peripheries=2];
  s1 [label=\"x = 1\\l\"];
  s2 [label=\"x = 2\\l\", style=\"rounded,filled\", fillcolor=lightgrey];
  s0 -> s1 [label=\"Up.up\"];
  s1 -> s2 [label=\"Up.up\"];
}
";
    assert_eq!(run(&["graph", &path, "--set", "MAX=2"]).code(0).out.replace(&path, "dot.orb"), expected);
}

#[test]
fn graphs_in_json() {
    let document = run(&["graph", "examples/heljanko_mutex.orb", "--format", "json"]).code(0).json();
    assert_eq!(document["states"].as_array().unwrap().len(), 9);
    assert_eq!(document["edges"].as_array().unwrap().len(), 16);
    assert_eq!((&document["complete"], &document["summary"]["deadlocks"]), (&true.into(), &0.into()));
    assert_eq!(
        (&document["states"][0]["initial"], &document["states"][1]["initial"]),
        (&true.into(), &false.into())
    );
    assert_eq!(document["states"][0]["cells"]["turn"], "none");
    assert!(document["edges"][0]["process"].is_string());
}

const CHAIN: &str = "const N = 100000000; var x: 0..N = 0; process M { rule go when x < N { x = x + 1; } }
    deadlock allowed;";

/// The document is never in memory as a whole: as a tree of values it would take half a gigabyte.
#[test]
fn large_graphs_in_json() {
    let path = model_file("large_graph.orb", CHAIN);
    let limits = ["--max-states", "1000000", "--max-memory", "100M", "--set", "N=150000"];
    let ran = run(&[&["graph", &path, "--format", "json"], &limits[..]].concat()).code(0);
    let end = "\n  \"faults\": [],\n  \"complete\": true,\n  \"reason\": null,\n  \"reason_code\": null\n}\n";
    assert!(ran.out.ends_with(end), "{}", ran.err);
    assert_eq!(ran.out.matches("\"from\": ").count(), 150_000);
}

/// A limit ends the lists, and what is left is a document.
#[test]
fn graphs_that_a_limit_ends() {
    let path = model_file("cut_graph.orb", CHAIN);
    let args = ["graph", &path, "--format", "json", "--max-states", "1000000000", "--timeout", "0.7"];
    let ran = run(&args).code(3);
    let document = ran.json();
    assert_eq!((&document["complete"], &document["reason_code"]), (&false.into(), &"time".into()));
    assert!(document["reason"].as_str().unwrap().contains("time limit of 0.7 s"), "{}", document["reason"]);
    assert!(ran.err.contains("not complete"), "{}", ran.err);
    for (id, state) in document["states"].as_array().unwrap().iter().enumerate() {
        assert_eq!(
            (state["id"].as_u64(), state["cells"]["x"].as_str()),
            (Some(id as u64), Some(&*id.to_string()))
        );
    }
}

#[test]
fn graphs_agree_with_checks() {
    for name in ["mutex", "philosophers", "leader", "token_ring"] {
        let path = format!("examples/{name}.orb");
        let graph = run(&["graph", &path, "--summary", "--format", "json"]).code(0).json();
        let check = run(&["check", &path, "--symmetry", "none", "--format", "json"]).json();
        for figure in ["states", "transitions", "depth"] {
            assert_eq!(graph["summary"][figure], check["stats"][figure], "{name}: {figure}");
        }
    }
}

#[test]
fn graphs_that_are_too_large() {
    let path = model_file("large_graph.orb", HUGE);
    let ran = run(&["graph", &path, "--max-states", "7", "--summary"]).code(3);
    assert!(
        ran.err.contains("more than 7 states") && ran.out.contains("states           7"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn graphs_show_faults() {
    let text = "var x: 0..1;\nprocess P { rule up { x = x + 1; } }\n";
    let document = run_with(&["graph", "-", "--format", "json"], text).code(0).json();
    assert_eq!(
        (&document["faults"][0]["from"], &document["faults"][0]["expression"]),
        (&1.into(), &"x + 1".into())
    );
    assert!(run_with(&["graph", "-"], text).out.contains("s1 -> f0"));
}

#[test]
fn formatting_is_idempotent_and_keeps_the_meaning() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let once = run_with(&["fmt", "-"], &text).code(0).out;
        let twice = run_with(&["fmt", "-"], &once).code(0).out;
        assert_eq!(once, twice, "{path}");
        let meaning = |text: &str| run_with(&["dump", "-", "--stage", "model"], text).code(0).out;
        assert_eq!(meaning(&text), meaning(&once), "{path}");
    }
}

#[test]
fn formatting_in_place() {
    let messy = "const   N=3 ;\nvar x:0..N;process P{rule r{x=0;}}";
    let path = model_file("messy.orb", messy);
    let ran = run(&["fmt", "--check", &path]).code(1);
    assert_eq!(ran.out, format!("{path}\n"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), messy);
    run(&["fmt", &path]).code(0);
    assert_ne!(std::fs::read_to_string(&path).unwrap(), messy);
    assert_eq!(run(&["fmt", "--check", &path]).code(0).out, "");
    run(&["fmt"]).code(2);
}

#[test]
fn a_bad_file_does_not_hide_the_others() {
    let (bad, good) = (model_file("fmt_bad.orb", "var var"), model_file("fmt_good.orb", "var   x:bool;"));
    run(&["fmt", &bad, &good]).code(2);
    assert_eq!(std::fs::read_to_string(&bad).unwrap(), "var var");
    assert_eq!(std::fs::read_to_string(&good).unwrap(), "var x: bool;\n");
}

#[test]
fn every_stage_can_be_dumped() {
    for path in examples() {
        for stage in ["tokens", "syntax", "model", "system"] {
            assert!(run(&["dump", &path, "--stage", stage]).code(0).out.len() > 100, "{path} {stage}");
        }
    }
    let system = run(&["dump", "examples/mutex.orb", "--stage", "system"]).code(0).out;
    for part in ["state: 7 bits", "rule Proc.enter(p %", "fairness units", "property exclusion: invariant"] {
        assert!(system.contains(part), "{part}: {system}");
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(run(&["completions", shell]).code(0).out.contains("max-memory"), "{shell}");
    }
    run(&["completions", "dos"]).code(2);
}

#[test]
fn manual_pages() {
    assert!(run(&["man"]).code(0).out.contains("burnside"));
    for command in ["check", "replay", "graph", "explore", "simulate", "fmt", "dump", "completions", "man"] {
        let page = run(&["man", command]).code(0).out;
        assert!(page.contains(&format!("burnside\\-{command}")), "{command}: {page}");
    }
    run(&["man", "nothing"]).code(2);
}

/// The figures that the literature and its formulas give.
#[test]
fn graphs_of_orbits() {
    let args =
        ["graph", "examples/resource.orb", "--set", "N=49", "--quotient", "--summary", "--format", "json"];
    let document = run(&args).code(0).json();
    let figures =
        ["states", "edges_all", "edges_executor", "edges_distinct"].map(|key| document[key].as_u64());
    assert_eq!(figures, [198, 6175, 1567, 391].map(Some));
    assert_eq!(document["states_unreduced"], "28710447624486912");
    let whole =
        run(&["graph", "examples/heljanko_mutex.orb", "--quotient", "--format", "json"]).code(0).json();
    assert_eq!(whole["states"].as_array().map(Vec::len), Some(5));
    assert!(whole["edges"].as_array().unwrap().iter().any(|edge| edge["motion"].is_string()));
    assert!(run(&["graph", "examples/philosophers.orb", "--quotient"]).code(0).out.starts_with("digraph"));
}

#[test]
fn symmetry_is_explained() {
    let decoded = run(&["symmetry", "examples/mutex.orb"]).code(0).out;
    for part in
        ["order 6", "Proc (0 1 2)", "Proc (3 elements): all permutations", "for the property alternate"]
    {
        assert!(decoded.contains(part), "{part} in {decoded}");
    }
    let document = run(&["symmetry", "examples/philosophers.orb", "--format", "json"]).code(0).json();
    assert_eq!((&document["order"], &document["types"][0]["kind"]), (&"5".into(), &"ring".into()));
    assert_eq!(document["generators"][0], "Seat (0 1 2 3 4)");
}

#[test]
fn symmetry_modes_agree() {
    for example in ["german", "mcs_lock", "token_ring", "two_phase_commit"] {
        let path = format!("examples/{example}.orb");
        let verdicts = ["auto", "exact", "fast", "none"].map(|mode| {
            let document = run(&["check", &path, "--symmetry", mode, "--format", "json"]).json();
            let results = document["results"].as_array().unwrap().clone();
            results.iter().map(|result| result["verdict"].clone()).collect::<Vec<_>>()
        });
        assert!(verdicts.iter().all(|these| *these == verdicts[0]), "{example}: {verdicts:?}");
    }
}
