//! The pictures of the book: taken in every run, so that they can be; written into the book by
//! `cargo xtask screenshots`.

use crate::explorer::root;
use crate::with_page;

/// Name, address, width, height, colours.
const PICTURES: [(&str, &str, u32, u32, &str); 6] = [
    ("check", "check", 1024, 640, "light"),
    ("run", "evidence/access/7", 1024, 1000, "light"),
    ("walk", "walk/0.0.1", 1024, 700, "light"),
    ("graph", "graph/quotient?colour=lock%20%3D%3D%20free&node=5", 1024, 720, "dark"),
    ("symmetry", "symmetry", 1024, 720, "light"),
    ("phone", "evidence/access/7", 390, 844, "dark"),
];

#[test]
fn screenshots() {
    let folder = match std::env::var_os("BURNSIDE_PICTURES") {
        Some(_) => root().join("docs/src/images"),
        None => std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures"),
    };
    std::fs::create_dir_all(&folder).unwrap();
    with_page("examples/resource.orb", &["--set", "N=3"], |browser, explorer| {
        browser.press("Check all");
        browser.wait("Burnside.check.status.state === 'done'");
        for (name, view, width, height, scheme) in PICTURES {
            browser.size(width, height);
            browser.prefers(scheme);
            browser.open("about:blank");
            browser.open(&format!("{}#/{view}", explorer.url));
            browser.wait("document.querySelector('main .view h1')");
            browser.wait("!document.querySelector('.tally')?.innerText.endsWith('…')");
            std::thread::sleep(std::time::Duration::from_millis(400));
            let picture = browser.picture();
            assert!(picture.len() <= 150_000, "{name}: {} bytes", picture.len());
            std::fs::write(folder.join(format!("page-{name}.png")), picture).unwrap();
        }
    });
}
