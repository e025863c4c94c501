//! What is wanted of a run of instances: the options of `cargo xtask contest DIR`, read by [`wanted`].

use super::Instance;
use crate::process::build_program;
use std::path::PathBuf;

/// What is wanted.
pub struct Wanted {
    /// Seconds for a run of the program.
    pub timeout: f64,
    /// Leave out instances with more states.
    pub most: u64,
    /// Parts of names of instances; if there are none, all are run.
    pub only: Vec<String>,
    /// As the program has it.
    pub symmetry: String,
    /// As the program has it.
    pub shortcuts: String,
    /// So many instances are run at a time.
    pub jobs: usize,
    /// Run this instead of building one.
    program: Option<PathBuf>,
}

impl Wanted {
    /// Whether an instance is to be run.
    pub fn chooses(&self, instance: &Instance) -> bool {
        let small = instance.states.is_none_or(|states| states <= self.most);
        let named = self.only.iter().any(|name| instance.name.contains(name.as_str()));
        small && (self.only.is_empty() || named)
    }

    /// The program to run.
    pub fn program(&self) -> Result<PathBuf, String> {
        self.program.clone().map_or_else(build_program, Ok)
    }
}

/// Reads options.
pub fn wanted(options: &[&str]) -> Result<Wanted, String> {
    let (symmetry, shortcuts) = ("auto".to_string(), "auto".to_string());
    let (only, program) = (Vec::new(), None);
    let mut wanted = Wanted { timeout: 60.0, most: u64::MAX, only, symmetry, shortcuts, jobs: 1, program };
    for pair in options.chunks(2) {
        let bad = || format!("`{}` is not understood", pair.join(" "));
        match *pair {
            ["--timeout", seconds] => wanted.timeout = seconds.parse().map_err(|_| bad())?,
            ["--most", states] => wanted.most = states.parse().map_err(|_| bad())?,
            ["--only", name] => wanted.only.push(name.to_string()),
            ["--jobs", count] => wanted.jobs = count.parse().map_err(|_| bad())?,
            ["--program", file] => wanted.program = Some(file.into()),
            ["--symmetry", kind] => wanted.symmetry = kind.to_string(),
            ["--shortcuts", when] => wanted.shortcuts = when.to_string(),
            _ => return Err(bad()),
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::path::Path;

    #[test]
    fn instances_are_chosen() {
        let instance =
            Instance { name: "A".into(), folder: "A".into(), states: Some(7), expected: BTreeMap::new() };
        let chosen = |options: &[&str]| wanted(options).map(|wanted| wanted.chooses(&instance));
        assert_eq!(chosen(&[]), Ok(true));
        assert_eq!(chosen(&["--most", "6"]), Ok(false));
        assert_eq!(chosen(&["--only", "B", "--only", "A"]), Ok(true));
        assert_eq!(chosen(&["--only", "B"]), Ok(false));
        assert!(chosen(&["--most", "few"]).is_err() && chosen(&["--most"]).is_err());
    }

    #[test]
    fn a_program_that_is_there_is_not_built() {
        let program = wanted(&["--program", "some/file"]).and_then(|wanted| wanted.program());
        assert_eq!(program.as_deref(), Ok(Path::new("some/file")));
    }
}
