//! The program that serves the page, as a user starts it.

use crate::driver::http;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running `burnside explore`; it ends when it is dropped.
pub struct Explorer {
    program: Child,
    /// The address that it prints, with its token.
    pub url: String,
}

impl Explorer {
    /// Starts the program on a model, an example by its name or another one by its path.
    pub fn start(model: &str, args: &[&str]) -> Explorer {
        let mut program = Command::new(env!("CARGO_BIN_EXE_burnside"))
            .current_dir(root())
            .arg("explore")
            .arg(model)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("http://127.0.0.1:")).expect("it prints its address");
        let start = line.find("http://").unwrap();
        let url = line[start..].split_whitespace().next().unwrap().to_string();
        std::thread::spawn(move || lines.for_each(drop));
        Explorer { program, url }
    }

    /// What the program answers.
    pub fn get(&self, path: &str) -> Value {
        let (port, folder) = self.url.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let (status, text) =
            http(port.parse().unwrap(), "GET", &format!("/{folder}api/{path}"), "text/plain", "");
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The folder of the project, from which examples are named as in the documents.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}
