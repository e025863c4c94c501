//! A report: the page as one file, without a server.

use crate::driver::Browser;
use crate::explorer::Explorer;
use serde_json::{Map, Value, json};

/// What a report of a checked model holds, as the server tells it.
fn data(explorer: &Explorer) -> Value {
    let check = explorer.get("check");
    let mut evidence = Map::new();
    for result in check["results"].as_array().unwrap() {
        if !result["evidence"].is_null() {
            let name = result["property"].as_str().unwrap();
            evidence.insert(name.to_string(), explorer.get(&format!("evidence?property={name}")));
        }
    }
    json!({
        "model": explorer.get("model"),
        "symmetry": explorer.get("symmetry"),
        "check": check,
        "evidence": evidence,
        "graph": explorer.get("graph?mode=quotient"),
    })
}

#[test]
fn a_report_is_one_file_and_asks_for_nothing() {
    let Some(browser) = Browser::start() else { return };
    let explorer = Explorer::start("examples/resource.orb", &["--set", "N=3"]);
    browser.open(&explorer.url);
    browser.press("Check all");
    browser.wait("Burnside.check.status.state === 'done'");
    let file = browser.folder.join("report.html");
    std::fs::write(&file, burnside_explorer::report_page(&data(&explorer))).unwrap();
    drop(explorer);
    let url = format!("file://{}", file.display());
    browser.open(&url);
    browser.wait("document.querySelector('[data-property=access] .verdict.violated')");
    assert_eq!(browser.count("nav.views a"), 4, "there is nothing to walk with");
    assert!(!browser.text("main").contains("Check all"));
    browser.click("[data-property=access] .evidence-link");
    browser.wait("document.querySelectorAll('.lanes-canvas .step').length > 0");
    browser.keys("\u{e014}");
    assert!(browser.text(".where-now").starts_with("State 1 "));
    browser.click("nav.views a[data-view=graph]");
    browser.wait("document.querySelectorAll('.node').length === 14");
    browser.click("nav.views a[data-view=symmetry]");
    browser.wait("document.querySelector('.big')?.innerText === '6'");
    assert_eq!(browser.script("return performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
