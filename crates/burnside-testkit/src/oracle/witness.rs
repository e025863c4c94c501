//! Whether an infinite run that somebody shows refutes a linear-time property.

use super::explore::Exploration;
use super::ltl::{Lasso, Units, shortest_violation};
use crate::graph::StepLabel;

/// An infinite run as text.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The states, the first one initial.
    pub states: Vec<String>,
    /// The steps between them, and from the last one back to `back`.
    pub steps: Vec<StepLabel>,
    /// The position that the last step leads to; none if the last state is a deadlock and repeats.
    pub back: Option<usize>,
}

impl Exploration {
    /// Checks that the run is a run of the model, that it is fair (if it must be), and that the property is
    /// false of it.
    pub fn check_witness(&self, property: &str, shown: &Shown, must_be_fair: bool) -> Result<(), String> {
        let judged = self.properties.iter().find(|judged| judged.name == property);
        let linear = judged.and_then(|judged| judged.linear.as_ref());
        // Too many units or atoms: nothing is known.
        let (Some(linear), Some(runs)) = (linear, &self.runs) else { return Ok(()) };
        let lasso = self.lasso(shown)?;
        let of_pairs = linear.pairs.as_ref().map(|pairs| pairs.lasso(&lasso));
        if of_pairs.as_ref().unwrap_or(&lasso).truth(&linear.atoms, &linear.formula)[0] {
            return Err("the formula is true of the run".to_string());
        }
        if must_be_fair && !lasso.is_fair(runs) {
            return Err("the run is not fair".to_string());
        }
        Ok(())
    }

    /// The fewest steps of a run of which a linear-time property is false, and that is fair if it must be, if
    /// there is one with less than `most`; `None` if that is not known.
    pub fn shortest_violation(&self, property: &str, fair: bool, most: usize) -> Option<Option<usize>> {
        let judged = self.properties.iter().find(|judged| judged.name == property)?;
        let (linear, runs) = (judged.linear.as_ref()?, self.runs.as_ref()?);
        shortest_violation(runs, linear, &self.dead, fair, most)
    }

    /// The run in numbers, if it is one.
    fn lasso(&self, shown: &Shown) -> Result<Lasso, String> {
        let number = |text: &String| self.numbers.get(text).copied().ok_or(format!("no state [{text}]"));
        let states: Vec<usize> = shown.states.iter().map(number).collect::<Result<_, _>>()?;
        if !shown.states.first().is_some_and(|first| self.graph.initial.contains(first)) {
            return Err("the first state is not initial".to_string());
        }
        let last = states.len() - 1;
        let mut targets = states[1..].to_vec();
        match shown.back {
            Some(back) => targets.push(*states.get(back).ok_or("the loop leads nowhere")?),
            None => {
                let node = &self.graph.nodes[&shown.states[last]];
                if !node.steps.is_empty() || !node.faults.is_empty() {
                    return Err("the last state is not a deadlock".to_string());
                }
            }
        }
        if shown.steps.len() != targets.len() {
            return Err(format!("{} steps for {} states", shown.steps.len(), states.len()));
        }
        let mut steps = Vec::new();
        for ((&from, to), label) in states.iter().zip(targets).zip(&shown.steps) {
            let mut fitting = self.steps[from].iter().filter(|step| step.0 == *label && step.1 == to);
            let (_, _, units) = fitting.next().ok_or_else(|| format!("no step {label:?} at {from}"))?;
            steps.push(units.iter().fold(0, |set, unit| set | (1 as Units) << unit));
        }
        if shown.back.is_none() {
            steps.push(0);
        }
        Ok(Lasso { states, steps, back: shown.back.unwrap_or(last) })
    }
}
