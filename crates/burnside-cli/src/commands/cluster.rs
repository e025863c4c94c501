//! `burnside cluster`: several processes on this machine check a model together, to try what a cluster does.

use crate::args::ClusterArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::supervisor::Supervisor;
use burnside_limits::{current, poll};
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often to look whether a process has ended.
const LOOK: Duration = Duration::from_millis(10);
/// Who is asked to end has so much time.
const PATIENCE: Duration = Duration::from_millis(500);
/// The others end so soon after the first one.
const LATE: Duration = Duration::from_secs(5);

/// Runs the command: what the first process prints, and its exit code.
pub fn run(args: &ClusterArgs, supervisor: &Supervisor) -> Outcome {
    let failed = |error: io::Error| Failure::bad(format!("a cluster cannot be started here: {error}"));
    let hosts = HostsFile::new(args.processes.get()).map_err(failed)?;
    let mut processes = Processes(Vec::new());
    for process in 0..args.processes.get() {
        processes.0.push(start(args, &hosts.0, process, supervisor).map_err(failed)?);
    }
    let code = wait(&mut processes.0[0], None).map_err(failed)?;
    let end = Instant::now() + LATE;
    for process in &mut processes.0[1..] {
        wait(process, Some(end)).map_err(failed)?;
    }
    let exits = [Exit::Good, Exit::Violated, Exit::Bad, Exit::Unknown, Exit::Internal];
    let exit = code.and_then(|code| exits.into_iter().find(|exit| i32::from(exit.code()) == code));
    exit.ok_or_else(|| Failure::bad("the first process of the cluster was ended from outside"))
}

/// Starts one of the processes. Only the first one is heard.
fn start(args: &ClusterArgs, hosts: &Path, process: usize, supervisor: &Supervisor) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("check").args(&args.check).arg("--hosts").arg(hosts);
    command.args(["--process", &process.to_string(), "--workers", &args.workers.to_string()]);
    if let Some(time) = supervisor.limits().time {
        command.args(["--timeout", &time.as_secs_f64().to_string()]);
    }
    if process > 0 {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    command.stdin(Stdio::null()).spawn()
}

/// Waits for a process, or until then: its exit code.
fn wait(process: &mut Child, end: Option<Instant>) -> io::Result<Option<i32>> {
    let (interrupt, mut asked) = (current().unwrap_or_default(), None);
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(status.code());
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(None);
        }
        // The processes have the same limits, and the same Ctrl-C: they end by themselves, and say why.
        if interrupt.is_raised() && asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            poll();
        }
        std::thread::sleep(LOOK);
    }
}

/// The processes: they do not outlive this one.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // One that has ended cannot be ended again.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// A file with addresses on this machine that are free.
struct HostsFile(PathBuf);

impl HostsFile {
    fn new(count: usize) -> io::Result<Self> {
        let bound = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<io::Result<Vec<_>>>()?;
        let mut text = String::new();
        for listener in &bound {
            text.push_str(&format!("{}\n", listener.local_addr()?));
        }
        let path = std::env::temp_dir().join(format!("burnside-cluster-{}.hosts", std::process::id()));
        std::fs::write(&path, text)?;
        Ok(Self(path))
    }
}

impl Drop for HostsFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
