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
            });
        }
    });
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
