//! The page in a real browser: the program `burnside explore` is started, Chromium is driven through
//! chromedriver, and what is clicked and typed is what a user would.
//!
//! Debian's packages `chromium` and `chromium-driver` are installed if they are missing and that is possible;
//! where it is not, the tests say so on the standard error, and pass.

mod checks;
mod chromium;
mod driver;
mod explorer;
mod graphs;
mod hostile;
mod looks;
mod reports;
mod runs;
mod screenshots;
mod walks;

use driver::Browser;
use explorer::Explorer;

/// More states than anybody can explore.
const HUGE: &str = "\
const N = 30;
process Cell[i: 0..N] {
    var x: 0..9;
    rule up when x < 9 { x = x + 1; }
    rule down when x > 0 { x = x - 1; }
}
invariant legal = forall i: 0..N { x[i] <= 9 };
";

/// Runs a test with a browser and the page of a model in it, and sees to it that the page had no errors.
fn with_page(model: &str, args: &[&str], test: impl FnOnce(&Browser, &Explorer)) {
    let Some(browser) = Browser::start() else { return };
    let explorer = Explorer::start(model, args);
    browser.open(&explorer.url);
    browser.wait("document.querySelector('main .view')");
    test(&browser, &explorer);
    assert_eq!(browser.complaints(), Vec::<String>::new(), "the page complained");
}
