//! `burnside docs`: a page of the book, in a browser or in the terminal.
//!
//! The whole book is written to a new folder of the system's temporary one, so that links between pages work,
//! and its page is given to the system's opener. Where there is none, or no display, the page is shown in the
//! terminal.

use crate::args::{DocsArgs, DocsPrint};
use crate::book::{self, BookPage, html, terminal};
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::nearest;
use crate::output::Console;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// An opener that has not failed after so long is taken to do what it should.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Runs the command.
pub fn run(args: &DocsArgs, console: &Console) -> Outcome {
    let name = args.page.as_deref().unwrap_or("introduction");
    let page = book::find(name).ok_or_else(|| unknown(name))?;
    match args.print {
        Some(DocsPrint::Text) => show(page, console)?,
        Some(DocsPrint::Path) => {
            let path = write(page)?;
            let mut out = console.stdout();
            writeln!(out, "{}", path.display())?;
            out.flush()?;
        }
        None => match open(page)? {
            Ok(path) => console.note(&format!("opened {}", visible(&path.display().to_string()))),
            Err(why) => {
                console.note(&format!("{why}, so the page is shown here"));
                show(page, console)?;
            }
        },
    }
    Ok(Exit::Good)
}

fn unknown(name: &str) -> Failure {
    let names: Vec<String> = book::pages().map(|page| page.name().to_string()).collect();
    let last: Vec<String> =
        names.iter().filter_map(|name| name.rsplit('/').next()).map(String::from).collect();
    let plain = names.iter().filter(|name| !name.contains('/')).map(|name| format!("`{name}`"));
    let all = format!("the pages are {}, and one for each code", plain.collect::<Vec<_>>().join(", "));
    let message = format!("the book has no page `{}`", visible(name));
    match nearest::nearest(name, &last) {
        Some(near) => Failure::bad_with_help(message, format!("did you mean `{near}`? {all}")),
        None => Failure::bad_with_help(message, all),
    }
}

fn show(page: BookPage, console: &Console) -> io::Result<()> {
    let mut out = console.report();
    out.write_all(terminal::render(&page.text(), console.out).as_bytes())?;
    out.flush()
}

/// Writes the book, and gives the file of a page.
fn write(page: BookPage) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, error: io::Error| {
        Failure::bad(format!("cannot write `{}`: {error}", visible(&path.display().to_string())))
    };
    let folder = new_folder().map_err(|error| failed(&std::env::temp_dir(), error))?;
    for page in book::pages() {
        let file = folder.join(html::file(page));
        let parent = file.parent().unwrap_or(&folder);
        let written =
            std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&file, html::render(page)));
        written.map_err(|error| failed(&file, error))?;
    }
    Ok(folder.join(html::file(page)))
}

/// A folder that nobody has made before.
fn new_folder() -> io::Result<PathBuf> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let folder = std::env::temp_dir().join(format!("burnside-docs-{}-{now}", std::process::id()));
    std::fs::create_dir(&folder)?;
    Ok(folder)
}

/// Opens a page: its file, or why that cannot be done.
fn open(page: BookPage) -> Result<Result<PathBuf, String>, Failure> {
    if let Some(why) = without_display() {
        return Ok(Err(why));
    }
    let path = write(page)?;
    let (program, words) = opener(&path);
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let opened = command.spawn().map_err(|error| error.to_string()).and_then(succeeds);
    Ok(opened.map(|()| path).map_err(|why| format!("`{program}` cannot open the page: {why}")))
}

/// Why nobody could see a window.
fn without_display() -> Option<String> {
    let needs_display = cfg!(all(unix, not(target_os = "macos")));
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let missing = needs_display && !["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].iter().any(|name| is_set(name));
    missing.then(|| "there is no display".to_string())
}

/// The program that opens files as people are used to, and its arguments.
fn opener(path: &Path) -> (&'static str, Vec<std::ffi::OsString>) {
    if cfg!(target_os = "macos") {
        ("open", vec![path.into()])
    } else if cfg!(windows) {
        ("cmd", vec!["/c".into(), "start".into(), "".into(), path.into()])
    } else {
        ("xdg-open", vec![path.into()])
    }
}

/// Waits a little: an opener that fails does so soon.
fn succeeds(mut child: Child) -> Result<(), String> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(status.to_string()),
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}
