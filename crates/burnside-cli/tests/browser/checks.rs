//! Checking in the page.

use crate::{Browser, HUGE, with_page};
use serde_json::json;

#[test]
fn a_long_check_shows_progress_and_is_cancelled() {
    let folder = std::env::temp_dir().join(format!("burnside-huge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model = folder.join("huge.orb");
    std::fs::write(&model, HUGE).unwrap();
    with_page(model.to_str().unwrap(), &[], |browser, explorer| {
        assert_eq!(browser.text("[data-property=legal] .verdict"), "not checked");
        browser.press("Check all");
        browser.wait("Number(Burnside.check.status.progress?.states) > 1000");
        browser.wait("document.querySelector('.live')?.innerText.includes('states')");
        assert_eq!(browser.count("[role=progressbar]"), 1);
        assert_eq!(explorer.get("check")["state"], "running");
        browser.click("nav.views a[data-view=symmetry]");
        browser.wait("document.querySelector('.big')");
        browser.wait("document.querySelector('.busy:not([hidden])')");
        browser.click("nav.views a[data-view=check]");
        browser.press("Cancel");
        browser.wait("Burnside.check.status.state === 'cancelled'");
        browser.wait("document.querySelector('main').innerText.includes('cancelled')");
        assert_eq!(browser.count(".busy:not([hidden])"), 0);
        assert_eq!(explorer.get("check")["state"], "cancelled");
    });
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn one_property_alone() {
    with_page("examples/mutex.orb", &[], |browser, explorer| {
        let names: Vec<String> = explorer.get("model")["properties"]
            .as_array()
            .unwrap()
            .iter()
            .map(|property| property["name"].as_str().unwrap().to_string())
            .collect();
        let name = names.last().unwrap();
        browser.press(&format!("Check {name} alone"));
        browser.wait("Burnside.check.status.state === 'done'");
        browser.wait(&format!(
            "document.querySelector('[data-property={name}] .verdict').innerText !== 'not checked'"
        ));
        assert_eq!(browser.text(&format!("[data-property={}] .verdict", names[1])), "not checked");
    });
}

#[test]
fn what_a_model_allows_is_told() {
    with_page("examples/raft_election.orb", &[], |browser, _| {
        assert_eq!(browser.text("[data-property=deadlock] .verdict"), "allowed");
        browser.press("Check faults alone");
        browser.wait("Burnside.check.status.state === 'done'");
        browser.wait("document.querySelector('.tally').innerText === '1 holds'");
        assert_eq!(browser.text("[data-property=deadlock] .verdict"), "allowed");
        assert_eq!(browser.text("[data-property=elected] .verdict"), "not checked");
    });
}

/// What a page holds once garbage is gone: bytes of the heap, nodes, listeners.
fn held(browser: &Browser) -> [u64; 3] {
    browser.devtools("HeapProfiler.enable", json!({}));
    browser.devtools("HeapProfiler.collectGarbage", json!({}));
    let (heap, nodes) = (
        browser.devtools("Runtime.getHeapUsage", json!({})),
        browser.devtools("Memory.getDOMCounters", json!({})),
    );
    let number = |value: &serde_json::Value| value.as_f64().expect("a number") as u64;
    [number(&heap["usedSize"]), number(&nodes["nodes"]), number(&nodes["jsEventListeners"])]
}

/// A page asks three times a second while a check runs: 12,000 times in an hour.
#[test]
fn an_hour_of_polling_leaves_nothing_in_the_page() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, _| {
        browser.press("Check all");
        browser.wait("Burnside.check.status.state === 'done'");
        // The answers of a check that goes on; no answer is like the one before.
        browser.script(
            "const get = Burnside.api.get; let count = 0; const { results } = await get('check');
             Burnside.api.get = async (what, values) => what !== 'check' ? get(what, values) : {
               run: 2, state: 'running', message: null, results,
               progress: { properties: ['mutex', 'access'].slice(count % 2), answered: count % 5, of: 5, states: count * 977,
                 rate: 1000 + count, queue: count % 91, depth: count % 17, memory: 1e6 + count, seconds: (count += 1) / 3 },
             };",
        );
        let poll = |times: u32| {
            for _ in 0..times / 1000 {
                browser.script("for (let k = 0; k < 1000; k += 1) await Burnside.check.refresh();");
            }
        };
        poll(2_000);
        let before = held(browser);
        poll(12_000);
        let after = held(browser);
        assert!(browser.text(".live").contains("states"), "it was shown");
        assert!(after[0] < before[0] + (512 << 10), "bytes: {before:?} became {after:?}");
        assert!(after[1] <= before[1] + 50 && after[2] <= before[2] + 5, "{before:?} became {after:?}");
    });
}
