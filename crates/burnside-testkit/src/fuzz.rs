//! Differential fuzzing: random models are run in every way until something disagrees.
//!
//! Entry points: [`agree`] for a test, [`fuzz`] for many seeds, [`examine`] for one text, [`minimise`] to
//! make a failing text smaller.

use crate::cases::again;
use crate::compare::{Agreement, Compared, Way, compare_in, load};
use crate::generate::{Flavor, generate};
use crate::graph::{self, Graph};
use crate::tally::{Branching, Linear};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A model on which not all agree.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed of the model.
    pub seed: u64,
    /// Its kind.
    pub flavor: Flavor,
    /// Its text.
    pub text: String,
    /// What is wrong.
    pub problem: String,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Models on which all agree.
    pub agreed: u64,
    /// Models that were too large.
    pub skipped: u64,
    /// Models on which not all agree.
    pub failed: u64,
    /// Of those that agree: models that can fault.
    pub faulting: u64,
    /// Of those that agree: models that can deadlock.
    pub deadlocking: u64,
    /// Of those that agree: models with a single state.
    pub trivial: u64,
    /// States in all.
    pub states: u64,
    /// Transitions in all.
    pub transitions: u64,
    /// In how many models each construct was asked for.
    pub used: BTreeMap<&'static str, u64>,
    /// Of those that agree: their linear-time properties.
    pub linear: Linear,
    /// Of those that agree: their branching-time properties.
    pub branching: Branching,
    /// Of those that agree: see [`Agreement::weighed`].
    pub weighed: [u64; 2],
}

/// So many failures are shown.
const SHOWN: usize = 3;

/// Examines the models of the seeds in the ways that each seed gets, and panics with the first failures, each
/// with a text as small as can be and the command that runs it again.
pub fn agree(
    seeds: impl IntoIterator<Item = u64>,
    flavor: Flavor,
    limit: usize,
    ways: fn(u64) -> Vec<Way>,
) -> Tally {
    let mut problems = Vec::new();
    let tally = fuzz(seeds, flavor, limit, ways, |failure| {
        let ways = ways(failure.seed);
        problems.push(failure.minimised(limit, &ways).to_string());
        if problems.len() < SHOWN { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    tally
}

impl Failure {
    /// The same with a smaller text.
    fn minimised(self, limit: usize, ways: &[Way]) -> Self {
        let fails = |text: &str| match examine(text, limit, ways, true) {
            Err(problem) => !problem.starts_with("does not load"),
            Ok(_) => false,
        };
        let text = minimise(&self.text, fails);
        let problem = examine(&text, limit, ways, true).err().unwrap_or(self.problem);
        Self { text, problem, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, flavor, text, problem } = self;
        write!(f, "seed {seed}, {flavor:?}: {problem}\n{text}\n{}", again(seed))
    }
}

/// Examines the models of the seeds in the ways that each seed gets. The callback gets each failure and says
/// whether to go on.
pub fn fuzz(
    seeds: impl IntoIterator<Item = u64>,
    flavor: Flavor,
    limit: usize,
    ways: fn(u64) -> Vec<Way>,
    mut on_failure: impl FnMut(Failure) -> ControlFlow<()>,
) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let generated = generate(seed, flavor);
        for construct in generated.used.keys() {
            *tally.used.entry(construct).or_default() += 1;
        }
        // Layout is a matter of the other flavors.
        let layout =
            !matches!(flavor, Flavor::Liveness | Flavor::Branching | Flavor::Indexed) || seed % 10 == 0;
        match examine(&generated.text, limit, &ways(seed), layout) {
            Ok(Some(agreement)) => tally.add(&agreement),
            Ok(None) => tally.skipped += 1,
            Err(problem) => {
                tally.failed += 1;
                if on_failure(Failure { seed, flavor, text: generated.text, problem }).is_break() {
                    break;
                }
            }
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, agreement: &Agreement) {
        (0..2).for_each(|i| self.weighed[i] += agreement.weighed[i]);
        let graph = &agreement.exploration.graph;
        self.agreed += 1;
        self.states += graph.states() as u64;
        self.transitions += graph.transitions() as u64;
        self.trivial += u64::from(graph.states() <= 1);
        let faults = |graph: &Graph| {
            !graph.initial_faults.is_empty() || graph.nodes.values().any(|node| !node.faults.is_empty())
        };
        self.faulting += u64::from(faults(graph));
        let dead =
            |graph: &Graph| graph.nodes.values().any(|node| node.faults.is_empty() && node.steps.is_empty());
        self.deadlocking += u64::from(dead(graph));
        self.linear.add(agreement);
        self.branching.add(agreement);
    }
}

/// Runs a text as it stands, in these ways, and laid out anew if asked to. Nothing comes back if it has too
/// many states.
pub fn examine(text: &str, limit: usize, ways: &[Way], layout: bool) -> Result<Option<Agreement>, String> {
    let examined = catch_unwind(AssertUnwindSafe(|| match compare_in(text, &[], limit, ways)? {
        Compared::TooLarge => Ok(None),
        Compared::Agree(agreement) => {
            if layout {
                formatted(text, &agreement.exploration.graph, limit)?;
            }
            Ok(Some(*agreement))
        }
    }));
    examined.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panic: {}", message.unwrap_or_default()))
    })
}

/// The layout changes nothing but the places of faults, and laying out twice changes nothing at all.
fn formatted(text: &str, expected: &Graph, limit: usize) -> Result<(), String> {
    let Ok(new) = burnside_lang::syntax::format(text) else { return Err("cannot be laid out".to_string()) };
    if burnside_lang::syntax::format(&new).ok().as_ref() != Some(&new) {
        return Err("laying out twice gives something else".to_string());
    }
    let model = load(&new, &[]).map_err(|error| format!("laid out, {error}"))?;
    let Some(mut got) = graph::interpreted(&model.system, limit) else {
        return Err("laid out, it has more states".to_string());
    };
    let mut expected = expected.clone();
    forget_places(&mut expected);
    forget_places(&mut got);
    match graph::difference(&expected, &got) {
        Some(difference) => Err(format!("laid out, {difference}")),
        None => Ok(()),
    }
}

/// Keeps only what goes wrong, not where.
fn forget_places(graph: &mut Graph) {
    let forget = |faults: &mut crate::oracle::Faults| {
        *faults = faults.iter().map(|fault| fault.split(" at ").next().unwrap_or("").to_string()).collect();
    };
    graph.initial_faults.iter_mut().for_each(forget);
    graph.nodes.values_mut().flat_map(|node| &mut node.faults).for_each(|(_, faults)| forget(faults));
}

/// A smaller text that still fails: lines and blocks are left out as long as it does.
pub fn minimise(text: &str, mut still_fails: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    loop {
        let before = lines.len();
        let mut i = 0;
        while i < lines.len() {
            let end = block_end(&lines, i);
            let shorter = |ranges: &[(usize, usize)]| -> Vec<String> {
                let gone = |at: usize| ranges.iter().any(|(from, to)| (*from..*to).contains(&at));
                lines.iter().enumerate().filter(|(at, _)| !gone(*at)).map(|(_, line)| line.clone()).collect()
            };
            // The whole block; or only its first and last line.
            let mut candidates = vec![shorter(&[(i, end)])];
            if end > i + 1 {
                candidates.push(shorter(&[(i, i + 1), (end - 1, end)]));
            }
            match candidates.into_iter().find(|candidate| still_fails(&candidate.join("\n"))) {
                Some(candidate) => lines = candidate,
                None => i += 1,
            }
        }
        if lines.len() == before {
            return lines.join("\n");
        }
    }
}

/// One past the line that closes the braces that this line opens.
fn block_end(lines: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (i, line) in lines.iter().enumerate().skip(start) {
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if depth <= 0 {
            return i + 1;
        }
    }
    start + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimises_lines_and_blocks() {
        let text = "a\nb {\n  c\n  d\n}\ne";
        assert_eq!(minimise(text, |text| text.contains('d')), "  d");
        assert_eq!(minimise(text, |text| text.contains("b {") && text.contains('}')), "b {\n}");
    }
}
