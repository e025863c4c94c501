//! Checks that are kept in a folder: ended and gone on with, killed, moved, damaged, and on a full disk.

use super::*;
use std::fs;
use std::time::{Duration, Instant};

/// More states than are looked at in a moment, with a violation far away and runs to look for.
const LONG: &str = "\
import \"IMPORTED\" as l;
process Count {
    var x: 0..l.LIMIT;
    var y: 0..9;
    fair rule up when x < l.LIMIT { x = x + 1; y = (y + 1) % 10; }
    rule again when x == l.LIMIT { x = 0; }
}
invariant small = x < l.LIMIT;
invariant legal = y <= 9;
ltl comes = F x == l.LIMIT;
ctl back = AG EF x == 0;
";

/// A model that imports a file, and a folder that nothing is kept in yet.
fn prepare(name: &str) -> (String, String) {
    let imported = format!("{}_limit.orb", name.replace('-', "_"));
    model_file(&imported, "const LIMIT = 6000;\n");
    let folder = scratch(&format!("{name}.kept"));
    let _ = fs::remove_dir_all(&folder);
    (
        model_file(&format!("{name}.orb"), &LONG.replace("IMPORTED", &imported)),
        folder.to_str().expect("text").to_string(),
    )
}

/// The program, ended at a look.
fn ended(args: &[&str], looks: u64) -> Ran {
    let mut command = command(args);
    command.env("BURNSIDE_INJECT", format!("{looks} interrupt")).stdin(Stdio::null());
    Ran::new(command.output().expect("the program runs"))
}

/// A document without times and memory.
fn figures(mut document: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for key in ["seconds", "peak_memory"] {
                    fields.remove(key);
                }
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut document);
    document
}

/// The files of a folder, by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("there is a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

#[test]
fn a_check_is_ended_and_gone_on_with() {
    let (model, folder) = prepare("kept-on");
    let plain = run(&["check", &model, "--format", "json"]).code(1).json();
    let first =
        ended(&["check", &model, "--format", "json", "--checkpoint", &folder, "--every", "1h"], 4_000);
    assert!(first.clone().code(3).err.contains("burnside resume"), "{}", first.err);
    // What was read is kept.
    fs::remove_file(&model).expect("it was there");
    let mut looks = 3_000;
    let last = loop {
        let ran = ended(&["resume", &folder, "--every", "0.01", "--threads", "2"], looks);
        // The first violation is known before all is.
        let more = ["goes on from here", "are left out"].iter().any(|words| ran.err.contains(words));
        if ran.code != 3 && !more {
            break ran;
        }
        looks += looks / 2;
    };
    assert!(figures(last.code(1).json()) == figures(plain.clone()), "the reports differ");
    // Everything is known, and little is left.
    assert_eq!(files(&folder).len(), 1, "{:?}", files(&folder));
    let again = run(&["resume", &folder]).code(1);
    assert!(figures(again.json()) == figures(plain), "the reports differ");
}

#[test]
fn limits_are_said_anew() {
    let (model, folder) = prepare("kept-limits");
    let args = ["check", &model, "-p", "legal", "--format", "json"];
    let plain = run(&args).code(0).json();
    let limited = ["--checkpoint", &folder, "--max-states", "1000"];
    let ran = run(&[&args[..], &limited].concat()).code(3);
    assert!(ran.err.contains("goes on from here"), "{}", ran.err);
    let ran = run(&["resume", &folder, "--max-states", "2000"]).code(3);
    assert!(ran.out.contains("2000"), "{}", ran.out);
    let ran = run(&["resume", &folder, "--timeout", "0"]).code(3);
    assert!(!ran.out.contains("holds"), "{}", ran.out);
    assert_eq!(figures(run(&["resume", &folder, "--max-memory", "2G"]).code(0).json()), figures(plain));
}

/// Killed while it writes all the time.
#[test]
fn a_check_is_killed_and_gone_on_with() {
    let (model, folder) = prepare("kept-killed");
    let plain = run(&["check", &model, "--format", "json"]).code(1).json();
    let check = ["check", &model, "--format", "json", "--checkpoint", &folder, "--every", "0"];
    let resume = ["resume", &folder, "--every", "0"];
    for (i, millis) in [40, 90, 150].into_iter().enumerate() {
        let begun = i > 0 && Path::new(&folder).join("run.kept").exists();
        let mut command = command(if begun { &resume } else { &check });
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
    }
    let begun = Path::new(&folder).join("run.kept").exists();
    let ran = run(if begun { &resume } else { &check }).code(1);
    assert!(figures(ran.json()) == figures(plain), "the reports differ");
}

#[test]
fn what_is_damaged_is_refused() {
    let (model, folder) = prepare("kept-damaged");
    ended(&["check", &model, "-p", "legal", "--checkpoint", &folder], 4_000).code(3);
    let kept = files(&folder);
    assert_eq!(kept.len(), 2, "{kept:?}");
    for file in &kept {
        let whole = fs::read(file).expect("readable");
        let refused = |bytes: &[u8], word: &str| {
            fs::write(file, bytes).expect("writable");
            let ran = run(&["resume", &folder]).code(2);
            assert!(ran.err.contains(word) && ran.err.contains("cannot go on"), "{}", ran.err);
        };
        for length in [0, 1, 16, 19, 20, 24, whole.len() / 2, whole.len() - 12, whole.len() - 1] {
            refused(&whole[..length], "ends too early");
        }
        for at in [20, 23, 24, 30, whole.len() / 2, whole.len() - 9] {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            refused(&changed, "damaged");
        }
        refused(b"var x: bool;", "no file of a checkpoint");
        let mut other = whole.clone();
        other[16] = 77;
        refused(&other, "format 77");
        fs::write(file, &whole).expect("writable");
    }
    // A file of another check, and one under another name.
    let (_, second) = prepare("kept-other");
    ended(&["check", &model, "-p", "legal", "--checkpoint", &second], 4_000).code(3);
    let state = |folder: &str| files(folder).into_iter().find(|it| !it.ends_with("run.kept")).expect("one");
    let whole = fs::read(state(&folder)).expect("readable");
    fs::copy(state(&second), state(&folder)).expect("it is copied");
    assert!(run(&["resume", &folder]).code(2).err.contains("about another check"));
    fs::write(state(&folder), &whole).expect("writable");
    let renamed = state(&folder).with_file_name("0123456789abcdef0123456789abcdef.kept");
    fs::rename(state(&folder), &renamed).expect("renamed");
    assert!(run(&["resume", &folder]).code(2).err.contains("another name"));
    // What was being written when somebody was killed is nothing.
    fs::rename(&renamed, renamed.with_extension("new")).expect("renamed");
    run(&["resume", &folder]).code(0);
}

#[test]
fn a_full_disk_is_told_and_the_check_goes_on() {
    let (model, folder) = prepare("kept-full");
    let args = ["check", &model, "-p", "legal", "--checkpoint", &folder, "--every", "0"];
    let mut command = command(&args);
    let ran = Ran::new(command.env("BURNSIDE_ROOM", "2000").output().expect("the program runs")).code(0);
    assert!(ran.err.contains("cannot write to") && ran.err.contains("goes on"), "{}", ran.err);
    assert_eq!(files(&folder).len(), 1, "nothing half done is left");
    run(&["resume", &folder]).code(0);
}

#[test]
fn progress_says_what_was_written() {
    let (model, folder) = prepare("kept-progress");
    let args = ["check", &model, "-p", "legal", "--checkpoint", &folder, "--every", "0"];
    let ran = run(&[&args[..], &["--progress", "json"]].concat()).code(0);
    let lines = ran.err.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let kept: Vec<Value> = lines.filter(|line| line["kept"].is_object()).collect();
    assert!(!kept.is_empty() && kept.iter().all(|line| line["kept"]["bytes"].as_u64() > Some(20)));
    fs::remove_dir_all(&folder).expect("it was there");
    let ran = run(&[&args[..], &["--progress", "always"]].concat()).code(0);
    assert!(ran.err.lines().any(|line| line.starts_with("kept in `")), "{}", ran.err);
}

#[test]
fn ctrl_c_keeps_and_ends_soon() {
    let (_, folder) = prepare("kept-ctrl-c");
    let model = model_file("kept-huge.orb", HUGE);
    let mut command = command(&["check", &model, "--format", "json", "--checkpoint", &folder]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program runs");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let since = Instant::now();
    let ran = Ran::new(child.wait_with_output().expect("the program ends")).code(3);
    assert!(since.elapsed() < Duration::from_secs(60));
    let states = ran.json()["stats"]["states"].as_u64().expect("a number");
    assert_eq!(files(&folder).len(), 2);
    let more = (states + 5000).to_string();
    let ran = run(&["resume", &folder, "--max-states", &more]).code(3).json();
    assert_eq!(ran["stats"]["states"].as_u64(), Some(states + 5000), "it went on from {states}");
}

#[test]
fn wrong_options_are_told() {
    let (model, folder) = prepare("kept-wrong");
    let refused = |args: &[&str], words: &str| {
        let ran = run(args).code(2);
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    };
    refused(&["resume", &folder], "no check is kept in");
    refused(&["resume"], "required");
    refused(&["resume", &folder, "--every", "soon"], "expected a time, for example 90s, 10m or 1.5h");
    refused(&["check", &model, "--every", "5m"], "--checkpoint");
    for with in [&["--workers", "2"][..], &["--watch"], &["--hosts", "h", "--process", "0"], &["--for-every"]]
    {
        refused(&[&["check", &model, "--checkpoint", &folder], with].concat(), "cannot be used with");
    }
    let symbolic = ["check", &model, "--checkpoint", &folder, "--engine", "symbolic"];
    refused(&symbolic, "only searches of the explicit engine can be kept");
    let below = format!("{model}/folder");
    refused(&["check", &model, "--checkpoint", &below], "cannot keep the check in");
    assert!(!Path::new(&folder).exists(), "nothing was begun");
    refused(&["check", "missing.orb", "--checkpoint", &folder], "there is no file");
    run(&["check", &model, "-p", "legal", "--checkpoint", &folder]).code(0);
    refused(&["check", &model, "--checkpoint", &folder], "a check is kept in");
}
