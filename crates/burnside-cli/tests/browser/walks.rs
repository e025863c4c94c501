//! Walking in the page.

use crate::with_page;

#[test]
fn a_walk_is_its_link() {
    with_page("examples/resource.orb", &["--set", "N=3"], |browser, explorer| {
        browser.click("nav.views a[data-view=walk]");
        browser.wait("location.hash === '#/walk/0' && document.querySelector('.choice')");
        let start = explorer.get("walk?path=0");
        assert_eq!(browser.count(".choice"), start["enabled_total"].as_u64().unwrap());
        browser.click(".choice[data-index='1']");
        browser.wait("location.hash === '#/walk/0.1' && document.querySelector('.walk-state h2')?.innerText === 'After 1 step'");
        let next = explorer.get("walk?path=0.1");
        let changed = next["changes"].as_array().unwrap();
        assert_eq!(browser.count(".walk-state .state .changed") as usize, changed.len());
        browser.keys("1");
        browser.wait("document.querySelector('.walk-state h2')?.innerText === 'After 2 steps'");
        browser.press("Random step");
        browser.wait("document.querySelector('.walk-state h2')?.innerText === 'After 3 steps'");
        let there = browser.address();
        let state = browser.text(".walk-state .state");
        assert_eq!(browser.count(".crumb"), 4);
        browser.press("Undo");
        browser.wait("document.querySelector('.walk-state h2')?.innerText === 'After 2 steps'");
        browser.keys("u");
        browser.wait("location.hash === '#/walk/0.1' && document.querySelector('.walk-state h2')?.innerText === 'After 1 step'");
        browser.open("about:blank");
        browser.open(&there);
        browser.wait("document.querySelector('.walk-state h2')?.innerText === 'After 3 steps'");
        assert_eq!(browser.text(".walk-state .state"), state);
    });
}

#[test]
fn a_walk_that_does_not_exist_is_told() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, explorer| {
        for path in ["0.99", "7", "x"] {
            browser.open("about:blank");
            browser.open(&format!("{}#/walk/{path}", explorer.url));
            browser.wait("document.querySelector('.notice.bad')");
        }
        let answers: Vec<String> = browser.complaints();
        assert!(answers.iter().all(|text| text.contains("404")), "{answers:?}");
    });
}

/// The name of a process stands in one line above or beside its steps.
#[test]
fn names_of_processes_are_not_broken() {
    with_page("examples/paxos.orb", &[], |browser, explorer| {
        for width in [1024, 390] {
            browser.size(width, 800);
            browser.open(&format!("{}#/walk/0.0.0", explorer.url));
            browser.wait("document.querySelectorAll('.choice-group h3').length > 1");
            let broken = browser.script(
                "const lines = (one) => { const text = document.createRange(); text.selectNodeContents(one); return text.getClientRects().length; };
                 return [...document.querySelectorAll('.choice-group h3')].filter((one) => lines(one) > 1).map((one) => one.innerText)",
            );
            assert_eq!(broken, serde_json::json!([]), "at {width}");
        }
    });
}
