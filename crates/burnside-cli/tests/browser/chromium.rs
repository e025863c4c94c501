//! Chromium and its driver: found, or installed once, or missed aloud.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The two programs that are needed.
#[derive(Clone)]
pub struct Programs {
    /// The browser.
    pub chromium: PathBuf,
    /// What drives it.
    pub driver: PathBuf,
}

/// The programs, or nothing if they are not there and cannot be installed. All tests ask, and one of them
/// installs.
pub fn programs() -> Option<Programs> {
    static FOUND: OnceLock<Option<Programs>> = OnceLock::new();
    FOUND.get_or_init(|| look().or_else(install)).clone()
}

fn look() -> Option<Programs> {
    Some(Programs { chromium: on_path("chromium")?, driver: on_path("chromedriver")? })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn install() -> Option<Programs> {
    say("Chromium or chromedriver is missing: trying to install Debian's packages");
    let installed = apt(&["update"]) && apt(&["install", "-y", "chromium", "chromium-driver"]);
    let found = look();
    if !installed || found.is_none() {
        say(
            "THE BROWSER TESTS ARE NOT RUN: chromium and chromedriver are missing and could not be installed \
             (apt-get install chromium chromium-driver)",
        );
    }
    found
}

fn apt(args: &[&str]) -> bool {
    Command::new("apt-get")
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Written past the test harness, which keeps what passing tests print to itself.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "browser tests: {text}");
}
