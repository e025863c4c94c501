//! What is done for some properties, for those who watch: which size is explored, which views are closed.
//!
//! Entry points: [`Phase`], an observer that tells another one of an instance, [`views`] and [`PROOF`].

use burnside_limits::{Observer, Progress, Task};

/// A proof is checked.
pub(super) const PROOF: &str = "the proof is checked";

/// A member is followed.
pub(super) const FOLLOWING: &str = "one member is followed";

/// Views of so many members, with so many contexts, are closed.
pub(super) fn views(k: u32, contexts: usize) -> String {
    let members = if k == 1 { "1 member".to_string() } else { format!("{k} members") };
    let counts = if contexts == 0 { String::new() } else { format!(", {contexts} counted") };
    format!("views of {members}{counts}")
}

/// Windows of so many neighbours are closed.
pub(super) fn windows(k: u32) -> String {
    format!("windows of {k}")
}

/// An observer that says what all tasks of another one are about.
pub(super) struct Phase<'o> {
    observer: &'o mut dyn Observer,
    text: String,
}

impl<'o> Phase<'o> {
    /// The instance of a size is looked at.
    pub fn of_size(constant: &str, size: u32, observer: &'o mut dyn Observer) -> Self {
        Self { observer, text: format!("{constant} = {size}") }
    }
}

impl Observer for Phase<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.observer.threads(expanded);
    }

    fn begins(&mut self, task: &Task) {
        self.observer.begins(&Task { phase: Some(self.text.clone()), ..task.clone() });
    }

    fn ends(&mut self, property: usize, progress: &Progress) {
        self.observer.ends(property, progress);
    }
}
