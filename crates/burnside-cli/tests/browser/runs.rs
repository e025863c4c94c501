//! Counterexamples in the page.

use crate::with_page;
use serde_json::json;

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

/// From a check to a step of the loop, and by a link to the same step, with the example as it is.
#[test]
fn from_a_check_to_a_step_of_the_loop_and_back_by_a_link() {
    with_page("examples/resource.orb", &[], |browser, explorer| {
        browser.press("Check all");
        browser.wait("document.querySelector('[data-property=access] .verdict.violated')");
        assert_eq!(browser.text("[data-property=mutex] .verdict"), "holds");
        browser.click("[data-property=access] .evidence-link");
        browser.wait("document.querySelector('.where-now')?.innerText.startsWith('State 0 ')");
        let lasso = explorer.get("evidence?property=access");
        let first = lasso["loop_start"].as_u64().unwrap();
        let states = lasso["states"].as_array().unwrap();
        let last = states.len() as u64 - 1;
        assert!(first < last, "a loop of several states: {lasso}");
        browser.keys(&RIGHT.repeat(first as usize));
        let place = |k: u64| format!("State {k} of {last}, in the loop");
        assert_eq!(browser.text(".where-now"), place(first));
        for k in first..=last {
            assert_eq!(browser.text(".where-now"), place(k));
            assert!(browser.address().ends_with(&format!("#/evidence/access/{k}")), "{}", browser.address());
            assert_eq!(shown(browser), states[k as usize]);
            browser.keys(RIGHT);
        }
        assert_eq!(browser.text(".where-now"), place(first), "the loop begins again");
        browser.keys(&RIGHT.repeat(2));
        let here = browser.address();
        let state = shown(browser);
        assert_eq!(copied(browser), here);
        let other = browser.command("POST", "/window/new", json!({ "type": "window" }));
        browser.command("POST", "/window", json!({ "handle": other["handle"] }));
        browser.open(&here);
        browser.wait("document.querySelector('.where-now')?.innerText");
        assert_eq!(browser.text(".where-now"), place(first + 2));
        assert_eq!(shown(browser), state);
    });
}

/// The values that the tables of the state show, by cell.
fn shown(browser: &crate::Browser) -> serde_json::Value {
    browser.script(
        "const state = {};
         for (const pair of document.querySelectorAll('.detail .pair')) state[pair.querySelector('dt').innerText] = pair.querySelector('.value').innerText;
         for (const row of document.querySelectorAll('.detail .lanes-table tbody tr')) {
           const index = /\\[.*/.exec(row.querySelector('th').innerText)?.[0] ?? '';
           const heads = [...row.closest('table').querySelectorAll('thead th')].slice(1);
           row.querySelectorAll('td').forEach((cell, k) => { state[heads[k].innerText + index] = cell.innerText.trim(); });
         }
         return state;",
    )
}

/// What is on the clipboard after `Copy link`.
fn copied(browser: &crate::Browser) -> String {
    let descriptor = json!({ "descriptor": { "name": "clipboard-read" }, "state": "granted" });
    browser.command("POST", "/permissions", descriptor);
    browser.press("Copy link");
    browser.wait("document.getElementById('toast').innerText.includes('copied')");
    browser.script("return navigator.clipboard.readText()").as_str().unwrap().to_string()
}

#[test]
fn the_diagram_marks_the_loop_and_goes_with_the_keys() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, explorer| {
        browser.press("Check all");
        browser.click("[data-property=access] .evidence-link");
        browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
        assert_eq!(browser.count(".lanes-canvas .loop"), 1);
        let lasso = explorer.get("evidence?property=access");
        let last = lasso["states"].as_array().unwrap().len() - 1;
        browser.keys(END);
        assert!(browser.address().ends_with(&format!("/{last}")));
        browser.keys(LEFT);
        assert!(browser.address().ends_with(&format!("/{}", last - 1)));
        browser.keys(HOME);
        assert!(browser.address().ends_with("/0"));
        browser.press("Forward one state");
        let step = &lasso["steps"][0];
        assert!(browser.text(".side").contains(step["rule"].as_str().unwrap()));
        browser.wait("document.querySelector('.lanes-canvas .step.now')");
        let changed = browser.count(".detail .state .changed") as usize;
        assert_eq!(changed, step["changes"].as_object().unwrap().len());
        browser.press("Walk from here");
        browser.wait("location.hash.startsWith('#/walk/0.')");
        browser.wait("document.querySelector('.walk-state h2')?.innerText === 'After 1 step'");
    });
}

#[test]
fn a_tree_unfolds() {
    with_page("examples/philosophers.orb", &["--set", "N=3"], |browser, _| {
        browser.press("Check home alone");
        browser.click("[data-property=home] .evidence-link");
        browser.wait("document.querySelectorAll('[role=treeitem]').length > 1");
        assert!(browser.text("[role=treeitem]").contains("AG EF"));
        browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
        let open = "document.querySelectorAll('[role=treeitem][aria-expanded=true]').length";
        browser.wait(&format!("{open} === 1"));
        browser.script("document.querySelector('[role=treeitem]').focus()");
        browser.keys(LEFT);
        browser.wait(&format!("{open} === 0"));
        browser.keys(RIGHT);
        browser.wait(&format!("{open} === 1"));
    });
}

#[test]
fn messages_are_arrows() {
    with_page("examples/alternating_bit.orb", &[], |browser, explorer| {
        browser.press("Check duplicate alone");
        browser.click("[data-property=duplicate] .evidence-link");
        browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
        let sent = explorer.get("evidence?property=duplicate")["messages"].as_array().unwrap().len();
        assert!(sent > 0);
        assert_eq!(browser.count(".lanes-canvas .message") as usize, sent);
    });
}

/// Runs in a trace file are shown without a check.
#[test]
fn a_trace_file_is_shown_at_once() {
    let file = std::env::temp_dir().join(format!("burnside-trace-{}.json", std::process::id()));
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_burnside"))
        .current_dir(crate::explorer::root())
        .args(["check", "examples/resource.orb", "--set", "N=2", "--property", "access", "--trace"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(made.status.code(), Some(1));
    with_page("examples/resource.orb", &[file.to_str().unwrap(), "--set", "N=2"], |browser, _| {
        browser.wait("document.querySelector('[data-property=access] .verdict.violated')");
        browser.keys("e");
        browser
            .wait("location.hash === '#/evidence/access/0' && document.querySelector('.lanes-canvas .loop')");
    });
    let _ = std::fs::remove_file(file);
}

#[test]
fn a_fault_is_shown_in_the_source() {
    with_page("tests/models/assert_fails.orb", &[], |browser, _| {
        browser.press("Check faults alone");
        browser.click("[data-property=faults] .evidence-link");
        browser.wait("document.querySelector('.notice.bad .code-line.here mark')");
        assert_eq!(browser.text(".notice.bad mark"), "x < 2");
        assert!(browser.text(".notice.bad").contains("In the step P · up"));
    });
}
