//! How the page looks and reads: light and dark, narrow and wide, names of all that can be used, contrast.

use crate::{Browser, Explorer, with_page};
use serde_json::{Value, json};

/// All views, with something in them.
const VIEWS: [&str; 7] = [
    "check",
    "walk/0.0.0",
    "evidence/access/3",
    "evidence",
    "graph/quotient?node=3",
    "graph/quotient?colour=lock%20%3D%3D%20free",
    "symmetry",
];

fn every_view(browser: &Browser, explorer: &Explorer, mut look: impl FnMut(&str)) {
    for view in VIEWS {
        browser.open(&format!("{}#/{view}", explorer.url));
        browser.wait("document.querySelector('main .view h1')");
        browser.wait("!document.querySelector('.tally')?.innerText.endsWith('…')");
        look(view);
    }
}

fn checked(browser: &Browser) {
    browser.press("Check all");
    browser.wait("Burnside.check.status.state === 'done'");
}

#[test]
fn nothing_scrolls_sideways_and_everything_has_a_name() {
    with_page("examples/resource.orb", &[], |browser, explorer| {
        checked(browser);
        for (width, height) in [(390, 844), (1024, 768)] {
            browser.size(width, height);
            every_view(browser, explorer, |view| {
                let sizes = browser.script(
                    "const root = document.documentElement; return [root.scrollWidth, root.clientWidth, document.body.scrollWidth]",
                );
                assert!(sizes[0].as_u64() <= sizes[1].as_u64(), "{view} at {width}: {sizes}");
                assert!(sizes[2].as_u64() <= sizes[1].as_u64(), "{view} at {width}: {sizes}");
                assert_eq!(nameless(browser), Vec::<Value>::new(), "{view} at {width}");
                assert_eq!(small(browser), json!([]), "{view} at {width}");
            });
        }
    });
}

/// What is to be hit with a finger and is smaller than the 24 by 24 pixels of the Web Content Accessibility
/// Guidelines.
fn small(browser: &Browser) -> Value {
    browser.script(
        "return [...document.querySelectorAll('main :is(a, button, input, select, summary), #top :is(a, button)')]
           .map((one) => [one.innerText || one.ariaLabel, one.getBoundingClientRect()])
           .filter(([, box]) => box.width > 0 && (box.width < 23.5 || box.height < 23.5))
           .map(([name, box]) => `${name}: ${box.width} by ${box.height}`)",
    )
}

/// What can be used and has no name for those who do not see it, as the browser's accessibility tree tells.
fn nameless(browser: &Browser) -> Vec<Value> {
    let tree = browser.devtools("Accessibility.getFullAXTree", json!({}));
    let used =
        ["button", "textbox", "spinbutton", "combobox", "link", "progressbar", "dialog", "application"];
    let nodes = tree["nodes"].as_array().unwrap().iter();
    nodes
        .filter(|node| node["ignored"] != json!(true))
        .filter(|node| used.contains(&node["role"]["value"].as_str().unwrap_or("")))
        .filter(|node| node["name"]["value"].as_str().unwrap_or("").trim().is_empty())
        .cloned()
        .collect()
}

#[test]
fn light_and_dark_can_be_read() {
    with_page("examples/resource.orb", &["--set", "N=3"], |browser, explorer| {
        checked(browser);
        for scheme in ["light", "dark"] {
            browser.prefers(scheme);
            every_view(browser, explorer, |view| {
                let faint = browser.script(include_str!("contrast.js"));
                assert_eq!(faint, json!([]), "{view}, {scheme}");
            });
        }
    });
}

#[test]
fn the_theme_is_asked_for_and_kept() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, explorer| {
        let ground = "return getComputedStyle(document.documentElement).backgroundColor";
        browser.prefers("light");
        let light = browser.script(ground);
        browser.prefers("dark");
        let dark = browser.script(ground);
        assert_ne!(light, dark);
        browser.press("Dark theme");
        assert_eq!(browser.script(ground), light, "from dark to light");
        browser.open("about:blank");
        browser.open(&explorer.url);
        browser.wait("document.querySelector('main .view')");
        assert_eq!(browser.script(ground), light, "it is remembered");
    });
}

#[test]
fn what_broke_a_symmetry_is_shown_in_the_source() {
    with_page("tests/models/symmetric_literals.orb", &[], |browser, explorer| {
        browser.keys("s");
        browser.wait("document.querySelector('.places .code-line.here mark')");
        let broken = explorer.get("symmetry")["broken"][0].clone();
        let line = broken["line"].as_u64().unwrap().to_string();
        assert_eq!(browser.text(".places .code-line.here .line-number"), line);
        assert!(browser.text(".places li").contains(broken["reason"].as_str().unwrap()));
    });
}

/// Members of a family with a long name are told apart where there is little room, too.
#[test]
fn lanes_keep_their_indices_on_a_phone() {
    with_page("examples/philosophers.orb", &["--set", "N=3"], |browser, explorer| {
        browser.press("Check fed alone");
        browser.wait("Burnside.check.status.state === 'done'");
        browser.size(390, 844);
        browser.open(&format!("{}#/evidence/fed/1", explorer.url));
        browser.wait("document.querySelectorAll('.label-lane .label-tail').length === 3");
        let tails = browser.script(
            "return [...document.querySelectorAll('.label-lane .label-tail, .label-unit .label-tail')]
               .filter((one) => one.scrollWidth <= one.clientWidth).map((one) => one.innerText)",
        );
        assert_eq!(tails, json!(["[0]", "[1]", "[2]", "[0]", "[1]", "[2]"]));
        assert_eq!(browser.text(".lanes-folds .legend").replace('\n', " "), "true false taken disabled");
        assert_eq!(browser.count(".lanes-canvas .disabled"), 3, "nobody can do anything in the last state");
    });
}

#[test]
fn constants_are_seen_as_far_as_there_is_room() {
    let seen = "const box = document.querySelector('.model-name').getBoundingClientRect();
        return [...document.querySelectorAll('.model-name .chip')]
          .filter((one) => one.getBoundingClientRect().bottom <= box.bottom + 1).map((one) => one.innerText)";
    with_page("examples/raft_election.orb", &[], |browser, _| {
        browser.size(1024, 768);
        assert_eq!(browser.script(seen), json!(["N = 3", "T = 2", "SIZE = 2"]));
        browser.size(390, 844);
        assert!(browser.script(seen).as_array().is_some_and(|seen| seen.len() < 3));
    });
}

/// Addresses that lead nowhere say so, or lead to what is nearest.
#[test]
fn addresses_that_lead_nowhere_are_told() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, explorer| {
        let open = |address: &str| {
            browser.open("about:blank");
            browser.open(&format!("{}#/{address}", explorer.url));
        };
        checked(browser);
        open("nonsense");
        browser.wait("document.getElementById('toast').innerText.includes('no view “nonsense”')");
        assert!(browser.address().ends_with("#/check"), "{}", browser.address());
        open("evidence/nonsense");
        browser
            .wait("document.querySelector('.notice')?.innerText.includes('There is no run for “nonsense”')");
        open("evidence/access/99");
        browser.wait("document.querySelector('.where-now')?.innerText.startsWith('State ')");
        let last = explorer.get("evidence?property=access")["states"].as_array().unwrap().len() - 1;
        assert!(browser.address().ends_with(&format!("#/evidence/access/{last}")), "{}", browser.address());
        open("walk/0.99");
        browser.wait("document.querySelector('.notice.bad')?.innerText.includes('step 1 of the path')");
        open("walk/3");
        browser.wait("document.querySelector('.notice.bad')?.innerText.includes('there is only 0')");
        open("graph/quotient?node=999");
        browser
            .wait("document.querySelector('.graph-detail h2')?.innerText.includes('is not in this picture')");
        assert!(browser.complaints().iter().all(|text| text.contains("404")));
    });
}
