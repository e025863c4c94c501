//! The contest's own instances, which are no part of the project: an archive beside it, if there is one.

use crate::process::{root, target_directory};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the archive is, seen from the workspace.
const ARCHIVE: &str = "../shared/corpus/mcc.tar.xz";

/// For systems whose `tar` knows nothing of xz.
const PYTHON: &str = "import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])";

/// Unpacks the archive into the target directory and tells where; none if there is no archive, or nothing
/// that can unpack it.
pub fn unpack() -> Result<Option<PathBuf>, String> {
    let archive = root().join(ARCHIVE);
    if !archive.is_file() {
        println!("the contest's nets are not there ({ARCHIVE}): skipped");
        return Ok(None);
    }
    let folder = target_directory()?.join("contest");
    let fresh = |path: &Path| {
        if path.exists() {
            std::fs::remove_dir_all(path)?;
        }
        std::fs::create_dir_all(path)
    };
    fresh(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if with_tar(&archive, &folder) || with_python(&archive, &folder) {
        return Ok(Some(folder));
    }
    println!("neither tar with xz nor python3 unpacks {ARCHIVE}: skipped");
    Ok(None)
}

fn with_tar(archive: &Path, folder: &Path) -> bool {
    succeeds(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder))
}

fn with_python(archive: &Path, folder: &Path) -> bool {
    succeeds(Command::new("python3").args(["-c", PYTHON]).arg(archive).arg(folder))
}

/// Whether a command can be run and does what it should.
fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
