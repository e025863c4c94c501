//! A report: the page as one file, without a server.

use crate::driver::Browser;
use crate::explorer::root;
use serde_json::{Map, Value, json};
use std::process::Command;

#[test]
fn a_report_is_one_file_and_asks_for_nothing() {
    let Some(browser) = Browser::start() else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .current_dir(root())
        .args(["check", "examples/resource.orb", "--set", "N=3", "--format", "html"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let file = browser.folder.join("report.html");
    std::fs::write(&file, output.stdout).unwrap();
    browser.open(&format!("file://{}", file.display()));
    browser.wait("document.querySelector('[data-property=access] .verdict.violated')");
    assert_eq!(browser.count("nav.views a"), 4, "there is nothing to walk with");
    assert!(!browser.text("main").contains("Check all"));
    browser.click("[data-property=access] .evidence-link");
    browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
    assert_eq!(browser.count(".lanes-canvas .loop"), 1);
    browser.keys("\u{e014}");
    assert!(browser.text(".where-now").starts_with("State 1 "));
    browser.click("nav.views a[data-view=graph]");
    browser.wait("document.querySelectorAll('.node').length === 14");
    browser.click("nav.views a[data-view=symmetry]");
    browser.wait("document.querySelector('.big')?.innerText === '6'");
    assert_eq!(browser.script("return performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A run of thousands of steps through states with hundreds of cells.
fn long_run() -> Value {
    let mut state: Map<String, Value> = (0..200).map(|i| (format!("cell[{i}]"), json!("0"))).collect();
    let mut states = vec![Value::Object(state.clone())];
    let mut steps = Vec::new();
    for k in 0..3000 {
        let (cell, value) = (format!("cell[{}]", k * 7 % 200), json!(k.to_string()));
        state.insert(cell.clone(), value.clone());
        states.push(Value::Object(state.clone()));
        let changes = Map::from_iter([(cell, value)]);
        steps.push(
            json!({"process": format!("P[{}]", k % 5), "rule": "go", "arguments": {}, "changes": changes}),
        );
    }
    json!({"kind": "path", "loop_start": null, "validated": true, "steps": steps, "states": states, "fault": null})
}

#[test]
fn long_runs_and_large_states_stay_fluid() {
    let Some(browser) = Browser::start() else { return };
    let evidence = json!({"kind": "path", "length": 3000});
    let results = json!([{"property": "far", "kind": "reachable", "verdict": "holds", "seconds": 1.0, "stats": {}, "evidence": evidence}]);
    let data = json!({
        "model": {"name": "long.orb", "constants": {}, "source": "", "properties": [], "processes": [], "cells": [], "warnings": []},
        "symmetry": {"order": "1", "types": [], "broken": []},
        "check": {"run": null, "state": "done", "results": results},
        "evidence": {"far": long_run()},
        "graph": null,
    });
    let file = browser.folder.join("long.html");
    std::fs::write(&file, burnside_explorer::html::report_page(&data)).unwrap();
    browser.open(&format!("file://{}#/evidence/far/1500", file.display()));
    browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
    assert_eq!(browser.count("nav.views a"), 3, "no graph, nothing to walk with");
    let elements = browser.count("*");
    assert!(elements < 3000, "{elements} elements for a run of 3,000 steps and 200 cells");
    let took = browser.script(
        "const start = performance.now();
         for (let k = 0; k < 100; k += 1) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
         return performance.now() - start;",
    );
    assert_eq!(browser.text(".where-now"), "State 1,600 of 3,000");
    assert!(took.as_f64().unwrap() < 4000.0, "a hundred steps took {took} ms");
    browser.script("document.querySelector('.lanes-scroll').scrollLeft = 1e9");
    browser.wait("[...document.querySelectorAll('.tick')].at(-1)?.textContent === '3000'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
