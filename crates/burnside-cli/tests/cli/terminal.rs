//! What is safe on a terminal: ASCII where nothing else is, no colours on a dumb one, lines that fit.

use crate::{HUGE, Ran, command, model_file, run, scratch};
use std::process::Stdio;

/// A model that faults, is wrong about much, and has something to warn about.
const FAULTS: &str = "\
symmetric P[3];
var x: 0..2;
process P[p] { rule up { x = x + 1; } }
ltl rises = F x == 2;
";

/// A mistake for each message that has a sign in it, and letters that are not ASCII.
const WRONG: &str = "\
var queue_: queue of bool; // „kein Maß“
var x: 0..2 → 3;
const A = B; const B = A;
process P { rule r { x += 1; q.push = 2; } }
";

/// A net whose names are not ASCII.
const NET: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>Müller</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="q"><name><text>漢字</text></name></place>
<transition id="t"><name><text>weiß→</text></name></transition>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/>
</page></net></pnml>"#;

fn run_in(args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = command(args);
    command.env_remove("LC_ALL").env_remove("LC_CTYPE").env_remove("LANG");
    command.envs(variables.iter().copied());
    Ran::new(command.stdin(Stdio::null()).output().expect("the program runs"))
}

/// Commands whose output has signs in it.
fn commands() -> Vec<Vec<String>> {
    let trace = scratch("ascii.json").display().to_string();
    let faults = model_file("ascii_faults.orb", FAULTS);
    let wrong = model_file("ascii_wrong.orb", WRONG);
    let net = model_file("ascii.pnml", NET);
    let many = "symmetric P[40]; process P[p] { var x: bool; rule r { x = !x; } }";
    let many = model_file("ascii_many.orb", many);
    let wide = "process P { rule r { assert true, \"größer\"; } }";
    let wide = model_file("ascii_wide.orb", wide);
    let example = "examples/philosophers.orb";
    run(&["check", example, "--trace", &trace]).code(1);
    let commands: &[&[&str]] = &[
        &["check", example, "--witness"],
        &["replay", example, &trace],
        &["symmetry", &many],
        &["simulate", example, "--seed", "1"],
        &["check", &faults],
        &["dump", &wide, "--stage", "tokens"],
        &["check", &wrong],
        &["check", &net, "--ctl", "EF p == 0", "--witness"],
        &["check", "fehlt-ä.orb"],
        &["check", example, "--property", "ü"],
        &["check", example, "--engine", "ü"],
        &["prüfe"],
    ];
    commands.iter().map(|words| words.iter().map(|word| word.to_string()).collect()).collect()
}

#[test]
fn nothing_that_is_typed_or_read_is_hidden() {
    let odd = "a\u{202e}b\u{85}c\u{200b}d\u{34f}e\u{e0041}f";
    let text = format!("var x: 0..2;\nprocess P {{ rule r {{ assert x < 1, \"{odd}\"; x = x + 1; }} }}\n");
    let model = model_file("hidden.orb", &text);
    let (set, formula) = (format!("{odd}=1"), format!("G \"{odd}\""));
    let commands: &[&[&str]] = &[
        &[odd],
        &["check", &model, "--engine", odd],
        &["check", &model, "--set", &set],
        &["check", &model, "--set", &set, "--format", "json"],
        &["check", &model, "--format", "json"],
        &["graph", &model],
        &["graph", &model, "--format", "json"],
        &["symmetry", &model, "--format", "json"],
        &["dump", &model, "--stage", "tokens"],
        &["dump", &model, "--stage", "syntax"],
        &["translate", &formula, "--format", "dot"],
    ];
    for words in commands {
        let ran = run_in(words, &[("LANG", "C.UTF-8")]);
        let shown = ran.out + &ran.err;
        assert!(!shown.contains(|c: char| burnside_ts::is_hidden(c) && c != '\n'), "{words:?}: {shown}");
    }
    // In a document the text is the same.
    let document = run(&["check", &model, "--format", "json"]).code(1).json();
    assert!(document["results"][0]["evidence"]["fault"]["message"].as_str().unwrap().contains(odd));
}

#[test]
fn a_charset_without_signs_gets_none() {
    let locales: &[&[(&str, &str)]] = &[
        &[("LC_ALL", "C")],
        &[("LC_ALL", "POSIX"), ("LANG", "C.UTF-8")],
        &[("LC_CTYPE", "de_DE.ISO-8859-1"), ("LANG", "C.UTF-8")],
        &[("LANG", "C")],
        &[("LANG", "C.UTF-8"), ("TERM", "dumb")],
    ];
    for words in commands() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let usual = run_in(&words, &[("LANG", "C.UTF-8")]);
        assert!(!usual.out.is_ascii() || !usual.err.is_ascii(), "{words:?} shows nothing: {}", usual.out);
        for locale in locales {
            let ran = run_in(&words, locale).code(usual.code);
            assert!(ran.out.is_ascii() && ran.err.is_ascii(), "{words:?} {locale:?}: {}{}", ran.out, ran.err);
            assert_eq!(ran.out.lines().count(), usual.out.lines().count(), "{words:?}");
        }
    }
}

#[test]
fn other_locales_keep_the_signs() {
    let locales: &[&[(&str, &str)]] = &[
        &[],
        &[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")],
        &[("LC_ALL", "de_DE.utf8"), ("LANG", "C")],
        &[("TERM", "xterm")],
    ];
    for locale in locales {
        let ran = run_in(&["check", "examples/philosophers.orb"], locale).code(1);
        assert!(ran.out.contains("✗ fed") && ran.out.contains("table → left"), "{locale:?}: {}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{locale:?}");
    }
}

#[test]
fn marks_look_like_this() {
    let ran = run_in(&["check", "examples/philosophers.orb"], &[("LC_ALL", "C")]).code(1);
    for part in ["\n  + alone ", "\n  x fed ", "fork[0]: table -> left\n"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let net = model_file("ascii_names.pnml", NET);
    let ran = run_in(&["check", &net], &[("LC_ALL", "C")]).code(1);
    assert!(ran.out.contains("M\\u{fc}ller") && ran.out.contains("\\u{6f22}"), "{}", ran.out);
}

#[test]
fn documents_are_not_changed() {
    let net = model_file("ascii_document.pnml", NET);
    for format in
        [&["check", &net, "--format", "json"][..], &["graph", &net], &["graph", &net, "--format", "json"]]
    {
        let (plain, usual) = (run_in(format, &[("LC_ALL", "C"), ("TERM", "dumb")]), run_in(format, &[]));
        let still = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("seconds")).map(String::from);
            lines.collect::<Vec<_>>()
        };
        assert!(plain.out.contains("Müller"), "{}", plain.out);
        assert_eq!(still(&plain.out), still(&usual.out));
    }
}

#[cfg(unix)]
pub mod pseudo {
    //! On a pseudo-terminal.

    use super::*;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::ffi::OsStrExt;

    /// What somebody sees who runs the program on a terminal of so many columns.
    pub fn seen(args: &[&str], columns: u16, variables: &[(&str, &str)]) -> String {
        let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&near).and_then(|()| unlockpt(&near)).expect("it is ours");
        let name = ptsname(&near, Vec::new()).expect("it has a name");
        let path = std::ffi::OsStr::from_bytes(name.as_bytes());
        let far = File::options().read(true).write(true).open(path).expect("its other end");
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&far, size).expect("it has a size");
        let mut command = command(args);
        command.env("TERM", "xterm").envs(variables.iter().copied());
        command.stdin(Stdio::null()).stderr(far.try_clone().expect("twice")).stdout(far);
        let mut child = command.spawn().expect("the program runs");
        // Reading ends when nobody can write any more.
        drop(command);
        let (mut near, mut bytes, mut buffer) = (File::from(near), Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = near.read(&mut buffer) {
            bytes.extend_from_slice(&buffer[..count]);
        }
        child.wait().expect("the program ends");
        String::from_utf8(bytes).expect("the program prints UTF-8").replace('\r', "")
    }

    /// The text without escape sequences.
    pub fn bare(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or("").to_string();
        let after = |part: &str| {
            part.find(|c: char| c.is_ascii_alphabetic()).map_or("", |at| &part[at + 1..]).to_string()
        };
        first + &parts.map(after).collect::<String>()
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().filter(|word| !word.contains("0.0")).map(String::from).collect()
    }

    #[test]
    fn lines_fit_the_terminal() {
        let long = "forall s: Seat { eating(s) -> !eating(next(s)) && !eating(prev(s)) && fork[s] != right }";
        let cases: [&[&str]; 3] = [
            &["check", "examples/philosophers.orb"],
            &["check", "examples/philosophers.orb", "--invariant", long],
            &["symmetry", "examples/torus.orb"],
        ];
        for args in cases {
            let whole = run(args).out;
            for (columns, variables, width) in
                [(60, &[][..], 60), (100, &[("COLUMNS", "44")], 44), (44, &[("COLUMNS", "x")], 44)]
            {
                let shown = bare(&seen(args, columns, variables));
                for line in shown.lines() {
                    assert!(line.chars().count() <= width, "{args:?} {width}: {line}");
                }
                assert_eq!(words(&shown).concat(), words(&whole).concat(), "{args:?}");
            }
            assert!(whole.lines().any(|line| line.chars().count() > 60), "{args:?} is short");
        }
    }

    #[test]
    fn the_next_line_is_below_its_column() {
        let shown = bare(&seen(&["check", "examples/philosophers.orb", "-p", "fed"], 70, &[]));
        let line = shown.lines().find(|line| line.starts_with("  ✗ fed")).expect("the line");
        let column = line.split("19 states").next().expect("a column").chars().count();
        assert!(shown.contains(&format!("\n{}6 states in the product  ", " ".repeat(column))), "{shown}");
    }

    #[test]
    fn a_dumb_terminal_gets_letters_only() {
        let args = ["check", "examples/philosophers.orb"];
        assert!(seen(&args, 200, &[]).contains('\u{1b}'), "a terminal has colours");
        for variables in [&[("TERM", "dumb")][..], &[("TERM", "dumb"), ("LC_ALL", "C")]] {
            let shown = seen(&args, 200, variables);
            assert!(shown.is_ascii() && !shown.contains('\u{1b}'), "{shown}");
        }
        // The search takes long enough for a line of progress.
        let huge = model_file("terminal_huge.orb", HUGE);
        let long = ["check", &huge, "--timeout", "1"];
        assert!(seen(&long, 100, &[]).contains("/s  queue"));
        let shown = seen(&long, 100, &[("TERM", "dumb")]);
        assert!(!shown.contains('\u{1b}') && !shown.contains("queue"), "{shown}");
        // Those who run programs for others are thought to show colours; a dumb terminal does not.
        for variables in [&[("TERM", "dumb")][..], &[("TERM", "dumb"), ("CI", "true")]] {
            for help in [&["help", "check"][..], &["chekc"]] {
                assert!(!seen(help, 100, variables).contains('\u{1b}'), "{help:?} {variables:?}");
            }
        }
    }
}
