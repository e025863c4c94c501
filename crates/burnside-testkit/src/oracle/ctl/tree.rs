//! Whether a tree that somebody shows is right: its runs are paths of the model, and what it claims of states
//! is what the oracle says.

use super::super::explore::Exploration;
use super::super::ltl::{Lasso, Units};
use super::formula::{Formula, Operator};
use super::paths::{Paths, Setting, Truth};
use crate::graph::StepLabel;
use burnside_trace::{End, Evidence, Step, Tree};

/// How packed states and steps are written.
pub struct Texts<'t> {
    /// The text of a state.
    pub state: &'t dyn Fn(&[u64]) -> String,
    /// The name of a step.
    pub step: &'t dyn Fn(&Step) -> StepLabel,
}

/// What was seen in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Runs.
    pub runs: u64,
    /// Of them: those that go around.
    pub loops: u64,
    /// How many runs hang on each other.
    pub depth: u64,
}

impl Exploration {
    /// Checks that a tree shows, in an initial state, that the property has this verdict.
    pub fn check_tree(
        &self,
        property: &str,
        verdict: bool,
        (state, tree): (&[u64], &Tree),
        setting: Setting,
        texts: &Texts<'_>,
    ) -> Result<Looked, String> {
        let judged = self.properties.iter().find(|judged| judged.name == property);
        let branching = judged.and_then(|judged| judged.branching.as_ref());
        // Too many units or atoms: nothing is known.
        let (Some(branching), Some(paths)) = (branching, &self.paths) else { return Ok(Looked::default()) };
        let text = (texts.state)(state);
        if !self.graph.initial.contains(&text) {
            return Err(format!("[{text}] is not initial"));
        }
        let paths = &paths.settings[setting.place()];
        let walk = Walk { exploration: self, paths, setting, texts };
        let truth = &branching.truths[setting.place()];
        walk.shows(&branching.formula, truth, walk.number(state)?, verdict, tree)
    }
}

struct Walk<'w> {
    exploration: &'w Exploration,
    paths: &'w Paths,
    setting: Setting,
    texts: &'w Texts<'w>,
}

impl Walk<'_> {
    fn number(&self, state: &[u64]) -> Result<usize, String> {
        let text = (self.texts.state)(state);
        self.exploration.numbers.get(&text).copied().ok_or_else(|| format!("no state [{text}]"))
    }

    /// The tree shows that the formula has this value in the state.
    fn shows(
        &self,
        formula: &Formula,
        truth: &Truth,
        at: usize,
        value: bool,
        tree: &Tree,
    ) -> Result<Looked, String> {
        if truth.here[at] != value {
            return Err(format!("{formula:?} is not {value} in state {at}"));
        }
        let part = |i: usize, tree: &Tree| {
            let value = truth.parts[i].here[at];
            self.shows(&formula.parts()[i], &truth.parts[i], at, value, tree)
        };
        match (formula, tree) {
            (Formula::Not(_), _) => part(0, tree),
            (Formula::Atom(_), Tree::Condition) => Ok(Looked::default()),
            (Formula::Join(..), Tree::Both(trees)) => Ok(part(0, &trees[0])?.and(part(1, &trees[1])?)),
            (Formula::Join(connective, _), Tree::Side(i @ (0 | 1), tree)) => {
                let own = truth.parts[*i].here[at];
                let with = |other: bool| match i {
                    0 => connective.join(own, other),
                    _ => connective.join(other, own),
                };
                match with(false) == with(true) {
                    true => part(*i, tree),
                    false => Err(format!("side {i} of {formula:?} is not enough in state {at}")),
                }
            }
            (Formula::Quantified { exists, parts }, Tree::Value(number, tree)) => {
                let number = *number as usize;
                if *exists != value || number >= parts.len() {
                    return Err(format!("value {number} shows nothing of {formula:?}"));
                }
                self.shows(&parts[number], &truth.parts[number], at, value, tree)
            }
            (Formula::Quantified { exists, .. } | Formula::Path { exists, .. }, Tree::Everywhere)
                if *exists != value =>
            {
                Ok(Looked::default())
            }
            (Formula::Path { exists, .. }, Tree::Omitted) if *exists == value => Ok(Looked::default()),
            (Formula::Path { exists, operator, .. }, Tree::Run(evidence, marks)) if *exists == value => {
                self.run(formula, *operator, truth, at, evidence, marks)
            }
            _ => Err(format!("{tree:?} cannot show that {formula:?} is {value}")),
        }
    }

    fn run(
        &self,
        formula: &Formula,
        operator: Operator,
        truth: &Truth,
        at: usize,
        evidence: &Evidence,
        marks: &[(usize, Tree)],
    ) -> Result<Looked, String> {
        let value = truth.here[at];
        let states: Vec<usize> =
            evidence.states.iter().map(|state| self.number(state)).collect::<Result<_, _>>()?;
        if states.first() != Some(&at) {
            return Err(format!("a run starts in {:?}, not in {at}", states.first()));
        }
        let end = self.follow(&states, evidence)?;
        // Counterexamples satisfy the dual operator, with parts that are false.
        let operator = if value { operator } else { operator.dual() };
        let has = |part: usize, position: usize| truth.parts[part].here[states[position]] == value;
        if !satisfies(operator, states.len(), end, &has) {
            return Err(format!("the run {states:?} ({end:?}) does not show that {formula:?} is {value}"));
        }
        let mut inside = Looked::default();
        for (position, tree) in marks {
            let state = *states.get(*position).ok_or(format!("a tree hangs at {position}"))?;
            let attempts = formula
                .parts()
                .iter()
                .zip(&truth.parts)
                .map(|(part, truth)| self.shows(part, truth, state, value, tree));
            let (good, bad): (Vec<_>, Vec<_>) = attempts.partition(Result::is_ok);
            match good.into_iter().flatten().next() {
                Some(looked) => inside = inside.and(looked),
                None => return Err(bad.into_iter().filter_map(Result::err).collect::<Vec<_>>().join("; ")),
            }
        }
        let around = u64::from(matches!(evidence.end, End::Loop(_)));
        Ok(Looked { runs: inside.runs + 1, loops: inside.loops + around, depth: inside.depth + 1 })
    }

    /// Checks that the run is a path, or begins one.
    fn follow(&self, states: &[usize], evidence: &Evidence) -> Result<Ending, String> {
        let last = states.len() - 1;
        let mut targets = states[1..].to_vec();
        if let End::Loop(back) = evidence.end {
            targets.push(*states.get(back).ok_or("the loop leads nowhere")?);
        }
        if evidence.steps.len() != targets.len() {
            return Err(format!("{} steps for {} states", evidence.steps.len(), states.len()));
        }
        let mut units = Vec::new();
        for ((&from, to), step) in states.iter().zip(targets).zip(&evidence.steps) {
            let label = (self.texts.step)(step);
            let mut fitting =
                self.exploration.steps[from].iter().filter(|step| step.0 == label && step.1 == to);
            let (_, _, executed) = fitting.next().ok_or_else(|| format!("no step {label:?} at {from}"))?;
            units.push(executed.iter().fold(0, |set, unit| set | (1 as Units) << unit));
        }
        let dead = self.exploration.dead[states[last]];
        match evidence.end {
            End::Loop(back) => {
                let lasso = Lasso { states: states.to_vec(), steps: units, back };
                let runs = self.exploration.runs.as_ref().expect("there are paths");
                match self.setting.fair && !lasso.is_fair(runs) {
                    true => Err(format!("the loop {states:?} back to {back} is not fair")),
                    false => Ok(Ending::Back(back)),
                }
            }
            End::Stutter if !dead || self.setting.maximal => {
                Err("the run cannot stay at its end".to_string())
            }
            End::Stutter => Ok(Ending::Back(last)),
            End::State if self.setting.maximal && dead => Ok(Ending::Ends),
            End::State if self.paths.begin[states[last]] => Ok(Ending::Open),
            End::State => Err(format!("no path goes on after {states:?}")),
            _ => Err(format!("a run with the end {:?}", evidence.end)),
        }
    }
}

impl Looked {
    /// Both of two trees.
    pub fn and(self, other: Self) -> Self {
        let (runs, loops) = (self.runs + other.runs, self.loops + other.loops);
        Self { runs, loops, depth: self.depth.max(other.depth) }
    }
}

/// What comes after the last state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The state at this position.
    Back(usize),
    /// Nothing: the path ends.
    Ends,
    /// Something that is not said.
    Open,
}

/// Whether a run of so many states, whatever follows if it is open, is as the operator says.
/// `has(part, position)`
pub(super) fn satisfies(
    operator: Operator,
    length: usize,
    end: Ending,
    has: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let always = |part: usize| end != Ending::Open && (0..length).all(|i| has(part, i));
    let until = |left: &dyn Fn(usize) -> bool, right: &dyn Fn(usize) -> bool| {
        (0..length).find(|&i| !left(i) || right(i)).is_some_and(right)
    };
    let strong_release = || until(&|i| has(1, i), &|i| has(0, i) && has(1, i));
    match operator {
        Operator::Next => match end {
            _ if length > 1 => has(0, 1),
            Ending::Back(back) => has(0, back),
            Ending::Ends | Ending::Open => false,
        },
        Operator::Finally => (0..length).any(|i| has(0, i)),
        Operator::Globally => always(0),
        Operator::Until => until(&|i| has(0, i), &|i| has(1, i)),
        Operator::Release => strong_release() || always(1),
        Operator::WeakUntil => until(&|i| has(0, i), &|i| has(1, i)) || always(0),
        Operator::StrongRelease => strong_release(),
    }
}
