//! Codes explained, and pages of the book.

use crate::{Ran, command, model_file, run, scratch};
use burnside_lang::diagnostic::Code;
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_page_is_readable_without_markup() {
    let ran = run(&["explain", "Unknown-Name"]).code(0);
    assert!(ran.out.starts_with("unknown-name\n\nError: a name that does not exist.\n"), "{}", ran.out);
    assert!(ran.out.contains("\n    var phase: 0..3;\n"), "{}", ran.out);
    assert!(!ran.out.contains("```") && !ran.out.contains("# ") && ran.err.is_empty(), "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    // As it stands in a message.
    assert_eq!(run(&["explain", "error[unknown-name]"]).code(0).out, ran.out);
}

#[test]
fn other_forms_have_the_same_page() {
    let page = Code::UnknownName.page();
    assert_eq!(run(&["explain", "unknown-name", "--format", "markdown"]).code(0).out, page);
    let document = run(&["explain", "unknown-name", "--format", "json"]).code(0).json();
    assert_eq!((document["code"].as_str(), document["page"].as_str()), (Some("unknown-name"), Some(page)));
    assert_eq!(document["severity"], "error");
}

#[test]
fn all_codes_are_listed() {
    let (text, document) =
        (run(&["explain"]).code(0).out, run(&["explain", "--format", "json"]).code(0).json());
    assert_eq!(text.lines().count(), Code::ALL.len());
    let listed: Vec<&str> =
        document["codes"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(listed, Code::ALL.iter().map(|code| code.name()).collect::<Vec<_>>());
    for (line, code) in text.lines().zip(Code::ALL) {
        assert!(line.starts_with(code.name()) && line.ends_with(code.title()), "{line}");
    }
}

#[test]
fn near_codes_are_offered() {
    let ran = run(&["explain", "unknwon-name"]).code(2);
    assert!(
        ran.err.contains("there is no code `unknwon-name`") && ran.err.contains("`unknown-name`"),
        "{}",
        ran.err
    );
    let ran = run(&["explain", "deep"]).code(2);
    assert!(ran.err.contains("`nesting-too-deep`") && ran.err.contains("`too-deep`"), "{}", ran.err);
    let ran = run(&["explain", "xyzzy\u{202e}"]).code(2);
    assert!(ran.err.contains("lists all codes") && !ran.err.contains('\u{202e}'), "{}", ran.err);
}

/// One line at the end, whatever the number of errors; not beside a document.
#[test]
fn errors_say_where_to_read_more() {
    let wrong = model_file("more.orb", "var x: bol;\nvar y: bol;\nprocess P { rule r { z = 1; } }\n");
    let ran = run(&["check", &wrong]).code(2);
    assert!(ran.err.ends_with("\nfor more: burnside explain unknown-type\n"), "{}", ran.err);
    assert_eq!(ran.err.matches("for more").count(), 1, "{}", ran.err);
    assert!(!run(&["check", &wrong, "--format", "json"]).code(2).err.contains("for more"));
    assert!(!run(&["check", "missing.orb"]).code(2).err.contains("for more"));
    let ran = run(&["check", "examples/mutex.orb", "--set", "M=1"]).code(2);
    assert!(ran.err.starts_with("error[setting]: --set M: "), "{}", ran.err);
    assert!(ran.err.ends_with("for more: burnside explain setting\n"), "{}", ran.err);
}

/// Runs `burnside docs` with a folder of this name for its files.
fn docs(folder: &str, words: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = command(&[&["docs"], words].concat());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"] {
        command.env_remove(name);
    }
    let folder = scratch(folder);
    std::fs::create_dir_all(&folder).unwrap();
    command.env("TMPDIR", &folder).env("TMP", &folder).envs(variables.iter().copied());
    Ran::new(command.stdin(Stdio::null()).output().expect("the program runs"))
}

/// On a terminal lines fit it, and code has a colour instead of quotes.
#[test]
#[cfg(unix)]
fn a_terminal_gets_its_width() {
    use crate::terminal::pseudo::{bare, seen};
    for columns in [44, 70] {
        let shown = seen(&["explain", "double-optional"], columns, &[]);
        assert!(shown.contains("\u{1b}[") && !shown.contains('`'), "{shown}");
        let bare = bare(&shown);
        let widest = bare.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= usize::from(columns) && widest > usize::from(columns) - 15, "{bare}");
    }
}

#[test]
fn pages_are_printed() {
    let ran = docs("docs", &["tutorial", "--print"], &[]).code(0);
    assert!(ran.out.starts_with("Tutorial\n\n") && ran.err.is_empty(), "{}", ran.out);
    assert_eq!(
        docs("docs", &["unknown-name", "--print"], &[]).code(0).out,
        run(&["explain", "unknown-name"]).out
    );
    assert!(docs("docs", &["--print"], &[]).code(0).out.contains("Burnside"));
    let ran = docs("docs", &["langage"], &[]).code(2);
    assert!(
        ran.err.contains("no page `langage`") && ran.err.contains("did you mean `language`?"),
        "{}",
        ran.err
    );
}

#[test]
fn the_path_is_that_of_a_whole_book() {
    let ran = docs("docs", &["Unknown-Name", "--print=path"], &[]).code(0);
    let path = Path::new(ran.out.trim_end());
    assert!(path.ends_with("errors/unknown-name.html"), "{}", ran.out);
    let html = std::fs::read_to_string(path).unwrap();
    assert!(html.contains("<h1 id=\"unknown-name\">unknown-name</h1>") && html.contains("phsae"), "{html}");
    let book = path.parent().unwrap().parent().unwrap();
    assert!(book.join("language.html").is_file() && book.join("decisions/README.html").is_file());
    std::fs::remove_dir_all(book).unwrap();
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn the_opener_of_the_system_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    let ran = docs("docs_opener", &["language"], &[]).code(0);
    assert!(
        ran.err.contains("there is no display") && ran.out.starts_with("Language reference"),
        "{}",
        ran.err
    );

    let folder = scratch("opener");
    std::fs::create_dir_all(&folder).unwrap();
    let (program, said) = (folder.join("xdg-open"), folder.join("said"));
    let with = |script: &str| {
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.display());
        docs("docs_opener", &["language"], &[("DISPLAY", ":0"), ("PATH", &path)])
    };
    let ran = with(&format!("#!/bin/sh\necho \"$1\" > '{}'\n", said.display())).code(0);
    let opened = std::fs::read_to_string(&said).unwrap();
    assert!(ran.err.contains("note: opened ") && ran.out.is_empty(), "{}{}", ran.out, ran.err);
    let opened = Path::new(opened.trim_end());
    assert!(opened.is_file() && opened.ends_with("language.html"), "{opened:?}");
    // One that fails: the page is shown.
    let ran = with("#!/bin/sh\nexit 3\n").code(0);
    assert!(ran.err.contains("cannot open the page") && ran.out.starts_with("Language"), "{}", ran.err);
    std::fs::remove_dir_all(scratch("docs_opener")).unwrap();
}
