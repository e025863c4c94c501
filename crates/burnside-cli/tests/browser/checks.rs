//! Checking in the page.

use crate::{HUGE, with_page};

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
