//! The paths of a model, and where formulas about them are true: fixpoints over all states.
//!
//! A path is an infinite run that is fair, or (if paths are maximal) a finite run that ends in a deadlock. A
//! state that begins no path has every `A…` and no `E…`.

use super::super::ltl::{Edge, Node, Product, Runs, Step, Units};
use super::formula::{Formula, Operator};

/// Which paths there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// Whether infinite paths are fair to the units of the model.
    pub fair: bool,
    /// Whether paths end in a deadlock. They stay there for ever otherwise.
    pub maximal: bool,
}

impl Setting {
    /// All of them.
    pub const ALL: [Setting; 4] = [
        Setting { fair: false, maximal: false },
        Setting { fair: false, maximal: true },
        Setting { fair: true, maximal: false },
        Setting { fair: true, maximal: true },
    ];

    /// The place in the list of all.
    pub(crate) fn place(self) -> usize {
        2 * usize::from(self.fair) + usize::from(self.maximal)
    }
}

/// All paths.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub steps: Vec<Vec<Step>>,
    /// The states in which a path may end.
    pub ends: Vec<bool>,
    /// Which states begin a path.
    pub begin: Vec<bool>,
    pub weak: Units,
    pub strong: Units,
    /// The same as a graph.
    graph: Product,
}

/// Where a formula is true, and where the formulas inside are.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub here: Vec<bool>,
    pub parts: Vec<Truth>,
}

impl Paths {
    /// From runs in which deadlocks go around; `dead` are the deadlocks.
    pub fn new(runs: &Runs, dead: &[bool], setting: Setting) -> Self {
        let mut steps = runs.steps.clone();
        let mut ends = vec![false; steps.len()];
        for state in (0..steps.len()).filter(|&state| setting.maximal && dead[state]) {
            steps[state].clear();
            ends[state] = true;
        }
        let (weak, strong) = if setting.fair { (runs.weak, runs.strong) } else { (0, 0) };
        let node = |steps: &Vec<Step>| {
            let edges = steps.iter().map(|step| Edge { to: step.to, units: step.units });
            let enabled = steps.iter().fold(0, |units, step| units | step.units);
            Node { marks: 0, enabled, edges: edges.collect() }
        };
        let graph = Product { nodes: steps.iter().map(node).collect(), all_marks: 0 };
        let mut paths = Self { steps, ends, begin: Vec::new(), weak, strong, graph };
        paths.begin = paths.always(&vec![true; paths.steps.len()]);
        paths
    }

    /// Where a formula is true. `atoms` has the truth of each atom in each state.
    pub fn truth(&self, atoms: &[Vec<bool>], formula: &Formula) -> Truth {
        let parts: Vec<Truth> = formula.parts().iter().map(|part| self.truth(atoms, part)).collect();
        let all = 0..self.steps.len();
        let here = match formula {
            Formula::Atom(atom) => atoms[*atom].clone(),
            Formula::Not(_) => not(&parts[0].here),
            Formula::Join(connective, _) => {
                all.map(|state| connective.join(parts[0].here[state], parts[1].here[state])).collect()
            }
            Formula::Quantified { exists, .. } => {
                all.map(|state| parts.iter().any(|part| part.here[state] == *exists) == *exists).collect()
            }
            Formula::Path { exists, operator, .. } => {
                let parts: Vec<&[bool]> = parts.iter().map(|part| &part.here[..]).collect();
                self.path(*exists, *operator, &parts)
            }
        };
        Truth { here, parts }
    }

    /// Where some path, or every one, is as the operator says.
    pub fn path(&self, exists: bool, operator: Operator, parts: &[&[bool]]) -> Vec<bool> {
        if !exists {
            let opposites: Vec<Vec<bool>> = parts.iter().map(|part| not(part)).collect();
            let opposites: Vec<&[bool]> = opposites.iter().map(|part| &part[..]).collect();
            return not(&self.path(true, operator.dual(), &opposites));
        }
        let a = parts[0];
        let b = parts.get(1).copied().unwrap_or(&[]);
        match operator {
            Operator::Next => self.before(&and(a, &self.begin)),
            Operator::Finally => self.until(&vec![true; a.len()], a),
            Operator::Globally => self.always(a),
            Operator::Until => self.until(a, b),
            Operator::Release => or(&self.until(b, &and(a, b)), &self.always(b)),
            Operator::WeakUntil => or(&self.until(a, b), &self.always(a)),
            Operator::StrongRelease => self.until(b, &and(a, b)),
        }
    }

    /// The states with a step to one of these.
    fn before(&self, states: &[bool]) -> Vec<bool> {
        self.steps.iter().map(|steps| steps.iter().any(|step| states[step.to])).collect()
    }

    /// Where some path has `b`, and `a` until then.
    fn until(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.back(a, and(b, &self.begin))
    }

    /// These states, and those of `a` from which steps through `a` lead to them.
    fn back(&self, a: &[bool], mut found: Vec<bool>) -> Vec<bool> {
        loop {
            let mut changed = false;
            // Most steps lead to later states.
            for state in (0..found.len()).rev() {
                if a[state] && !found[state] && self.steps[state].iter().any(|step| found[step.to]) {
                    found[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    /// Where some path has `a` in all its states: it goes around fairly at last, or ends.
    fn always(&self, a: &[bool]) -> Vec<bool> {
        let inside: Vec<usize> = (0..a.len()).filter(|&state| a[state]).collect();
        let mut found = and(a, &self.ends);
        self.graph
            .on_fair_cycles(&inside, self.weak, self.strong)
            .iter()
            .for_each(|&state| found[state] = true);
        self.back(a, found)
    }
}

fn not(a: &[bool]) -> Vec<bool> {
    a.iter().map(|value| !value).collect()
}

fn and(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn or(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}
