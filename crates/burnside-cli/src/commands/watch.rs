//! `--watch`: a command runs again whenever one of its files is saved, comes or goes, until Ctrl-C.
//!
//! Entry point: [`run`]. Files are looked at a few times a second: time of change and length first, and the
//! contents where these differ or are so young that the clock of the file system may be too coarse. So a save
//! that changes nothing does not run anything. What goes wrong in a round (an error in the model, a file that
//! is not there) is told, and the next save begins another.

use super::explain;
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::output::terminal::{self, StandardStream};
use crate::output::{Console, message, plural};
use crate::supervisor::Supervisor;
use burnside_limits::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the files are looked at.
const PERIOD: Duration = Duration::from_millis(150);
/// Files that changed so recently may have changed again in the same tick of their clock.
const YOUNG: Duration = Duration::from_secs(3);
/// Clears a terminal, and what was on it before.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    changed: Option<SystemTime>,
    length: u64,
    contents: u64,
}

/// Files as they were seen; none: not there.
type Files = BTreeMap<PathBuf, Option<Seen>>;

/// Runs some work, and again for every change of the files, until it is interrupted.
pub fn run(
    files: impl Fn() -> Vec<PathBuf>,
    console: &Console,
    supervisor: &Supervisor,
    work: impl Fn() -> Outcome,
) -> Outcome {
    if files().iter().any(|path| input::is_stdin(path)) {
        return Err(Failure::bad_with_help("standard input cannot be watched", "give the path of a file"));
    }
    let mut known = Files::new();
    loop {
        supervisor.begin_round();
        // Looked at before the work: what is saved meanwhile begins another round.
        known = look(files(), &known);
        let exit = match supervisor.guard(&work).unwrap_or_else(|stop| Err(Failure::Stopped(stop))) {
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            Err(Failure::Internal(text)) => return Err(Failure::Internal(text)),
            Ok(exit) => exit,
            Err(failure) if interrupted(supervisor) => {
                drop(failure);
                return Ok(Exit::Good);
            }
            Err(failure) => explain(&failure, console, supervisor),
        };
        // The last phase of a round has an interrupt of its own.
        supervisor.begin_round();
        if interrupted(supervisor) {
            return Ok(Exit::Good);
        }
        let count = plural(known.len() as u64, "file", "files");
        console.note(&format!("exit code {}; watching {count}, Ctrl-C ends", exit.code()));
        loop {
            std::thread::sleep(PERIOD);
            match supervisor.limits().interrupt.stop() {
                Some(Stop::Interrupted) => return Ok(Exit::Good),
                Some(stop) => return Err(Failure::Stopped(stop)),
                None => {}
            }
            let now = look(files(), &known);
            let news = news(&known, &now);
            known = now;
            if let Some(news) = news {
                separate(&news);
                break;
            }
        }
    }
}

fn interrupted(supervisor: &Supervisor) -> bool {
    supervisor.limits().interrupt.stop() == Some(Stop::Interrupted)
}

/// What has become of the first file that is not as it was; nothing if all are.
fn news(known: &Files, now: &Files) -> Option<String> {
    let contents = |files: &Files, path| Some(files.get(path)?.as_ref()?.contents);
    let paths: BTreeSet<&PathBuf> = known.keys().chain(now.keys()).collect();
    paths.into_iter().find_map(|path| {
        let what = match (contents(known, path), contents(now, path)) {
            (before, after) if before == after => return None,
            (None, _) => "is there now",
            (_, None) => "is gone",
            _ => "has changed",
        };
        Some(format!("{} {what}", input::shown(path)))
    })
}

/// Looks at files; those that cannot have changed are not read again.
fn look(paths: Vec<PathBuf>, known: &Files) -> Files {
    let one = |path: PathBuf| {
        let seen = see(&path, known.get(&path).and_then(Option::as_ref));
        (path, seen)
    };
    paths.into_iter().map(one).collect()
}

fn see(path: &Path, known: Option<&Seen>) -> Option<Seen> {
    let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let (changed, length) = (data.modified().ok(), data.len());
    let old = changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > YOUNG);
    let same = known.filter(|known| old && known.changed == changed && known.length == length);
    let contents = match same {
        Some(known) => known.contents,
        None => {
            let mut hasher = DefaultHasher::new();
            hasher.write(&std::fs::read(path).ok()?);
            hasher.finish()
        }
    };
    Some(Seen { changed, length, contents })
}

/// What comes next is about another state of the files.
fn separate(news: &str) {
    if StandardStream::Out.is_terminal() && !terminal::is_dumb() {
        message(CLEAR);
    }
    message(&format!("\n--- {news}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_contents_count() {
        let folder = std::env::temp_dir().join(format!("burnside-watch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("m.orb");
        let paths = || vec![path.clone()];
        let look = |known: &Files| super::look(paths(), known);
        let told = |before: &Files, after: &Files| {
            news(before, after).map(|news| news.replace(&input::shown(&path), "it"))
        };
        let absent = look(&Files::new());
        assert_eq!(told(&Files::new(), &absent), None);
        std::fs::write(&path, "one").expect("a file");
        let first = look(&absent);
        assert_eq!(told(&absent, &first).as_deref(), Some("it is there now"));
        // The same length, and perhaps in the same tick of the clock.
        std::fs::write(&path, "two").expect("a file");
        let second = look(&first);
        assert_eq!(told(&first, &second).as_deref(), Some("it has changed"));
        std::fs::write(&path, "two").expect("a file");
        assert_eq!(told(&second, &look(&second)), None);
        std::fs::remove_file(&path).expect("a file");
        assert_eq!(told(&second, &look(&second)).as_deref(), Some("it is gone"));
        // In a folder a file that is gone is not even looked for.
        assert_eq!(told(&second, &Files::new()).as_deref(), Some("it is gone"));
        std::fs::remove_dir_all(&folder).expect("a folder");
    }
}
