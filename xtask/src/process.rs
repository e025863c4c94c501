//! Running other programs, and where things are.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a chore gives back: nothing, or why it failed.
pub type Done = Result<(), String>;

/// The root of the workspace. Cargo tells it when it runs us; the workspace may have moved since we were built.
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
    run(&mut cargo(&["build", "--release", "--quiet", "-p", "burnside-cli"]))?;
    Ok(target_directory()?.join("release").join(format!("burnside{}", std::env::consts::EXE_SUFFIX)))
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

/// Checks a model with the program, with some options, and reads the document that it prints.
pub fn check_model(
    program: &Path,
    model: &Path,
    settings: &[(String, String)],
    options: &[&str],
) -> Result<Value, String> {
    let mut command = Command::new(program);
    command.current_dir(root()).arg("check").arg(model).args(["--format", "json", "--quiet"]);
    command.args(options);
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
