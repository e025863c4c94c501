//! Nets with very many places or transitions: what is not a search takes seconds, and little memory.

use crate::{model_file, result, run};
use std::time::{Duration, Instant};

/// Far more than is needed, also on a slow machine; what was quadratic or worse took many minutes.
const PATIENCE: Duration = Duration::from_secs(60);

fn net(name: &str, page: &str) -> String {
    let text = format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"page\">\n{page}</page></net></pnml>\n"
    );
    model_file(&format!("wide_{name}.pnml"), &text)
}

fn place(id: &str, tokens: usize) -> String {
    format!("<place id=\"{id}\"><initialMarking><text>{tokens}</text></initialMarking></place>\n")
}

fn arc(source: &str, target: &str) -> String {
    format!("<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\"/>\n")
}

#[test]
fn many_independent_transitions() {
    let one = |i: usize| {
        let (p, t, q) = (format!("p{i}"), format!("t{i}"), format!("q{i}"));
        place(&p, 1) + &place(&q, 0) + &format!("<transition id=\"{t}\"/>") + &arc(&p, &t) + &arc(&t, &q)
    };
    let path = net("transitions", &(0..1500).map(one).collect::<String>());
    let started = Instant::now();
    run(&["check", &path, "--max-states", "2"]).code(3);
    run(&["symmetry", &path]).code(0);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

/// Tokens in different numbers, so that each place is written by a statement of its own, and none like its
/// neighbours.
#[test]
fn many_places() {
    let places: String = (0..100_000).map(|i| place(&format!("p{i}"), i % 7)).collect();
    let path = net("places", &(places + "<transition id=\"t\"/>" + &arc("p0", "t")));
    let started = Instant::now();
    let ran = run(&["check", &path]).code(1);
    assert!(
        ran.out.contains("p5     = 5") && ran.out.contains("… and 99800 more"),
        "people see a part of it"
    );
    let document = run(&["check", &path, "--format", "json"]).code(1).json();
    assert_eq!(result(&document, "deadlock")["evidence"]["states"][0]["p99999"], "4", "programs all of it");
    run(&["symmetry", &path]).code(0);
    run(&["simulate", &path, "--seed", "1"]).code(0);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}
