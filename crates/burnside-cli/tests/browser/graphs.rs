//! The graph in the page.

use crate::with_page;

#[test]
fn the_graph_is_toggled_coloured_walked_and_exported() {
    with_page("examples/resource.orb", &["--set", "N=3"], |browser, _| {
        browser.click("nav.views a[data-view=graph]");
        // As the example says: 40 states; and 14 orbits.
        browser.wait("document.querySelectorAll('.node').length === 14");
        assert_eq!(browser.count(".node.initial"), 1);
        assert!(browser.text(".stage-foot").contains("14 orbits"));
        let orbits = browser.script(
            "return [...document.querySelectorAll('.node-text')].reduce((sum, node) => sum + Number(node.textContent), 0)",
        );
        assert_eq!(orbits, 40, "orbits make up all states");
        browser.wait("document.querySelectorAll('.edge-label .turn').length > 0");
        browser.press("Unreduced");
        browser.wait("document.querySelectorAll('.node').length === 40");
        browser.click(".condition");
        browser.keys("lock == free\u{e007}");
        browser.wait("document.querySelectorAll('.node.yes').length === 8");
        assert_eq!(browser.count(".node.no"), 32);
        browser.script("document.querySelector('.stage').focus()");
        browser.keys("\u{e015}");
        browser.wait("document.querySelector('.graph-detail h2')?.innerText === 'Node 0'");
        browser.keys("\u{e015}");
        browser.wait(
            "document.querySelectorAll('.node.chosen').length === 1 && !location.hash.includes('node=0')",
        );
        browser.press("Export SVG");
        let file = browser.folder.join("resource-unreduced.svg");
        // The file is there before what is in it.
        let whole = |text: &String| text.trim_end().ends_with("</svg>");
        let start = std::time::Instant::now();
        let read = || std::fs::read_to_string(&file).ok().filter(whole);
        let mut found = read();
        while found.is_none() && start.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            found = read();
        }
        let svg = found.expect("a whole picture comes");
        assert!(svg.starts_with("<?xml"), "{svg}");
        assert_eq!(svg.matches("data-node").count(), 40);
        assert!(!svg.contains("var(--"), "an exported picture stands alone");
        browser.press("Show its neighbourhood");
        browser.wait("location.hash.includes('around=')");
    });
}

#[test]
fn a_bad_condition_is_told() {
    with_page("examples/resource.orb", &["--set", "N=2"], |browser, _| {
        browser.click("nav.views a[data-view=graph]");
        browser.click(".condition");
        browser.keys("lock ==\u{e007}");
        browser.wait("document.querySelector('.notice.bad')");
        let answers: Vec<String> = browser.complaints();
        assert!(answers.iter().all(|text| text.contains("400")), "{answers:?}");
    });
}

/// A graph that is too large is shown in part, and the page answers meanwhile.
#[test]
fn a_large_graph_does_not_block() {
    with_page("examples/resource.orb", &["--set", "N=9"], |browser, explorer| {
        browser.open(&format!("{}#/graph/unreduced?limit=1000", explorer.url));
        browser.script(
            "globalThis.longest = 0; let last = performance.now();
             globalThis.ticker = setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; }, 10);",
        );
        browser.wait("document.querySelectorAll('.node').length === 1000");
        assert!(browser.text(".stage-foot").contains("a part of the graph"));
        let words = browser.text(".graph-words");
        assert!(words.starts_with("There are more than 1,000 states. Choose a node"), "{words}");
        let high =
            browser.script("return document.querySelector('.node-text').getBoundingClientRect().height");
        assert!(high.as_f64().is_some_and(|high| high >= 9.0), "nodes can be read: {high}");
        let longest = browser.script("clearInterval(ticker); return longest").as_f64().unwrap();
        assert!(longest < 2000.0, "the page stood still for {longest} ms");
    });
}
