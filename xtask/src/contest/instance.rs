//! The instances of a folder and what is known about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An instance of the contest.
pub struct Instance {
    /// What it is called, and its folder.
    pub name: String,
    /// Where its net and its formulas are.
    pub folder: PathBuf,
    /// How many markings it has, if that is known.
    pub states: Option<u64>,
    /// By property, what is expected.
    pub expected: BTreeMap<String, String>,
}

/// The instances that `oracle.csv` knows, small ones first.
pub fn instances(folder: &Path) -> Result<Vec<Instance>, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let sizes: BTreeMap<String, u64> =
        read("instances.csv").map_or_else(|_| BTreeMap::new(), |text| sizes(&text));
    let mut expected: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for line in read("oracle.csv")?.lines().skip(1) {
        if let [model, property, answer] = line.split(',').collect::<Vec<_>>()[..] {
            let known = expected.entry(model.to_string()).or_default();
            known.insert(property.to_string(), answer.trim().to_string());
        }
    }
    let instance = |(name, expected): (String, BTreeMap<String, String>)| Instance {
        folder: folder.join(&name),
        states: sizes.get(&name).copied(),
        expected,
        name,
    };
    let mut all: Vec<Instance> = expected.into_iter().map(instance).collect();
    all.sort_by_key(|instance| (instance.states, instance.name.clone()));
    Ok(all)
}

/// The numbers of states, by instance.
fn sizes(text: &str) -> BTreeMap<String, u64> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let Some(column) = head.iter().position(|title| *title == "states") else { return BTreeMap::new() };
    let size = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Some((cells.first()?.to_string(), cells.get(column)?.parse().ok()?))
    };
    lines.filter_map(size).collect()
}
