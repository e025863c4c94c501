//! Running other programs, and where things are.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a chore gives back: nothing, or why it failed.
pub type Done = Result<(), String>;

/// The root of the workspace. Cargo tells it when it runs us; the workspace may have moved since we were
/// built.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&own).parent().expect("xtask is in the workspace").to_path_buf()
    })
}

/// Cargo, in the root of the workspace.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(args);
    command
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Done {
    let status = command.status().map_err(|error| format!("cannot run {}: {error}", show(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", show(command))) }
}

/// A command as it could be typed.
fn show(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// What a command prints.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", show(command)))?;
    if !output.status.success() {
        return Err(format!("`{}` failed: {}", show(command), String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{}` does not print text", show(command)))
}

/// Builds the program with all optimisations and tells where it is.
pub fn build_program() -> Result<PathBuf, String> {
    build_into("release", &mut build())
}

/// Builds the program as the tests have it, with some optimisations and all checks, and tells where it is.
pub fn build_tested() -> Result<PathBuf, String> {
    build_into("debug", &mut cargo(&["build", "-p", "burnside-cli"]))
}

fn build_into(folder: &str, build: &mut Command) -> Result<PathBuf, String> {
    run(build)?;
    Ok(target_directory()?.join(folder).join(format!("burnside{}", std::env::consts::EXE_SUFFIX)))
}

/// Not quiet: a silent cargo that waits for another one to leave the target directory, or compiles for
/// minutes, looks as if we hung.
fn build() -> Command {
    cargo(&["build", "--release", "-p", "burnside-cli"])
}

/// How many runs of the program this machine has room for at a time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The directory that cargo builds in.
pub fn target_directory() -> Result<PathBuf, String> {
    let directory = metadata()?["target_directory"].as_str().map(PathBuf::from);
    directory.ok_or_else(|| "cargo metadata has no target directory".into())
}

/// What cargo knows about the workspace.
pub fn metadata() -> Result<Value, String> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// Options for a run on one thread: several take more processor time, and the clock hides it.
pub const ALONE: [&str; 2] = ["--threads", "1"];

/// Checks a model with the program on one thread, with some options, and reads the document that it prints.
pub fn check_model(
    program: &Path,
    model: &Path,
    settings: &[(String, String)],
    options: &[&str],
) -> Result<Value, String> {
    let mut command = Command::new(program);
    command.current_dir(root()).arg("check").arg(model).args(["--format", "json", "--quiet"]);
    command.args(ALONE).args(options);
    for (name, value) in settings {
        command.args(["--set", &format!("{name}={value}")]);
    }
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", show(&command)))?;
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!("`{}`: {error}: {}", show(&command), String::from_utf8_lossy(&output.stderr))
    })?;
    match document.get("error") {
        None => Ok(document),
        Some(_) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Stdio};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    /// Its build takes until there is a file `go` beside it, or a minute.
    const SLOW: &str = r#"fn main() {
        std::fs::write("started", "").unwrap();
        for _ in 0..600 {
            if std::path::Path::new("go").exists() { return; }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }"#;
    const PACKAGE: &str =
        "[workspace]\n[package]\nname = \"slow\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n";

    /// A command that builds in this target directory, running, and what it says.
    fn start(command: &mut Command, target: &Path) -> (Child, Receiver<String>) {
        command
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("CARGO_TERM_QUIET");
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line).map_err(drop))
        });
        (child, lines)
    }

    #[test]
    fn a_build_that_must_wait_says_so() {
        let folder = std::env::temp_dir().join(format!("burnside-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("Cargo.toml", PACKAGE), ("lib.rs", ""), ("build.rs", SLOW)] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let target = folder.join("target");
        let (mut slow, _) = start(cargo(&["build", "--release", "--offline"]).current_dir(&folder), &target);
        let late = Instant::now() + Duration::from_secs(30);
        while !folder.join("started").exists() && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(20));
        }
        let (mut waiting, lines) = start(&mut build(), &target);
        let mut said = std::iter::from_fn(|| lines.recv_timeout(Duration::from_secs(20)).ok());
        let why = said.find(|line| line.contains("waiting for file lock") && !line.contains("package cache"));
        waiting.kill().and_then(|()| waiting.wait()).unwrap();
        std::fs::write(folder.join("go"), "").unwrap();
        assert!(slow.wait().unwrap().success());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(why.is_some(), "it waits without a word");
    }
}
