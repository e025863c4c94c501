//! `--watch`: again whenever something is saved.

#![cfg(unix)]

use crate::{command, run, scratch};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const GOOD: &str = "var x: 0..2; process P { rule r { x = (x + 1) % 3; } } invariant small = x < 3;\ncheck { states = 3; }\n";

/// The program while it watches.
struct Watching {
    child: Child,
    /// What it prints, of both streams.
    lines: Receiver<String>,
}

impl Watching {
    fn start(args: &[&str]) -> Self {
        let mut command = command(args);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let err = BufReader::new(child.stderr.take().expect("piped"));
        let other = sender.clone();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        std::thread::spawn(move || err.lines().map_while(Result::ok).try_for_each(|line| other.send(line)));
        Self { child, lines }
    }

    /// Waits for the end of a round, which must have printed all of these.
    #[track_caller]
    fn round(&self, code: i32, wanted: &[&str]) {
        let mut printed = String::new();
        while !printed.contains("watching") {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => printed += &format!("{line}\n"),
                Err(error) => panic!("{error}: {printed}"),
            }
        }
        // The other stream may be a little later.
        while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(300)) {
            printed += &format!("{line}\n");
        }
        assert!(printed.contains(&format!("exit code {code};")), "{printed}");
        wanted.iter().for_each(|text| assert!(printed.contains(text), "no {text} in: {printed}"));
    }

    /// Ctrl-C.
    fn end(mut self) {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        let late = Instant::now() + Duration::from_secs(30);
        let ended = std::iter::from_fn(|| {
            std::thread::sleep(Duration::from_millis(20));
            (Instant::now() < late).then(|| self.child.try_wait().expect("a child"))
        });
        let status = ended.flatten().next().expect("Ctrl-C ends it");
        assert_eq!(status.code(), Some(0));
    }
}

/// A test that fails leaves nothing behind.
impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn save(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file can be written");
}

#[test]
fn a_check_is_done_again() {
    let folder = folder("watch_check");
    let (model, automaton) = (folder.join("m.orb"), folder.join("n.hoa"));
    save(&model, GOOD);
    save(&automaton, &run(&["translate", "F G \"x == 1\""]).code(0).out);
    let (model_text, automaton_text) = (model.to_str().expect("text"), automaton.to_str().expect("text"));
    let watching =
        Watching::start(&["check", model_text, "--never", automaton_text, "--watch", "--timeout", "30"]);
    watching.round(0, &["small", "holds", "watching 2 files"]);
    save(&model, &GOOD.replace("x < 3", "x < 2"));
    watching.round(1, &["m.orb has changed", "violated"]);
    save(&model, "var x: 0..2; process P { rule r { x = ; } }");
    watching.round(2, &["expected an expression"]);
    std::fs::remove_file(&model).expect("the file is there");
    watching.round(2, &["m.orb is gone", "there is no file"]);
    save(&model, GOOD);
    watching.round(0, &["m.orb is there now", "holds"]);
    save(&automaton, &run(&["translate", "G F \"x == 1\""]).code(0).out);
    watching.round(1, &["n.hoa has changed", "violated"]);
    watching.end();
}

#[test]
fn a_test_is_done_again() {
    let folder = folder("watch_test");
    save(&folder.join("m.orb"), GOOD);
    let watching = Watching::start(&["test", folder.to_str().expect("text"), "--watch"]);
    watching.round(0, &["1 as expected", "watching 1 file,"]);
    save(&folder.join("m.orb"), &GOOD.replace("states = 3", "states = 4"));
    watching.round(1, &["states: expected 4, found 3", "1 not as expected"]);
    save(&folder.join("more.orb"), GOOD);
    watching.round(1, &["more.orb is there now", "1 as expected, 1 not as expected", "watching 2 files"]);
    std::fs::remove_file(folder.join("m.orb")).expect("the file is there");
    watching.round(0, &["m.orb is gone", "1 as expected"]);
    std::fs::remove_file(folder.join("more.orb")).expect("the file is there");
    watching.round(2, &["more.orb is gone", "there are no models in"]);
    save(&folder.join("m.orb"), GOOD);
    watching.round(0, &["1 as expected"]);
    watching.end();
}

#[test]
fn ctrl_c_ends_a_long_round_too() {
    let folder = folder("watch_long");
    save(&folder.join("m.orb"), crate::HUGE);
    let path = folder.join("m.orb");
    let watching = Watching::start(&["check", path.to_str().expect("text"), "--watch"]);
    std::thread::sleep(Duration::from_millis(700));
    watching.end();
    // The limit is for each round.
    let watching = Watching::start(&["check", path.to_str().expect("text"), "--watch", "--timeout", "0.5"]);
    watching.round(3, &["the time limit of 0.5 s"]);
    save(&path, GOOD);
    watching.round(0, &["holds"]);
    watching.end();
}

#[test]
fn standard_input_cannot_be_watched() {
    let ran = run(&["check", "-", "--watch"]).code(2);
    assert!(ran.err.contains("standard input cannot be watched"), "{}", ran.err);
}
