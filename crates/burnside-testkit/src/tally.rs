//! What was found about the temporal properties of many models: whether they were worth the trouble.

use crate::compare::Agreement;
use crate::oracle::{Finding, Judgement, Looked};
use burnside::{Kind, Verdict};

/// What was found about linear-time properties, and about the models that have some.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// Models with such properties.
    pub models: u64,
    /// Of them: models of which symmetry leaves fewer states.
    pub reduced: u64,
    /// Of them: models with a cycle through several states.
    pub cyclic: u64,
    /// Of them: models with a property whose verdict depends on fairness.
    pub fairness_matters: u64,
    /// Properties.
    pub properties: u64,
    /// Of them: those that hold.
    pub holding: u64,
    /// Those that some fair run violates.
    pub violated: u64,
    /// Those with an atom that faults.
    pub undefined: u64,
    /// Those that were too much for the oracle.
    pub unaffordable: u64,
    /// Those that hold because of fairness.
    pub by_fairness: u64,
    /// Those that hold because some fairness is strong.
    pub by_strong_fairness: u64,
    /// Those that the library does not answer.
    pub unanswered: u64,
    /// Those for which local symmetries of the automaton were used.
    pub local: u64,
}

impl Linear {
    /// Adds what was found about one model.
    pub fn add(&mut self, agreement: &Agreement) {
        let exploration = &agreement.exploration;
        let linear = agreement.report.results.iter().filter(|result| result.kind == Kind::Ltl);
        let unanswered = linear.clone().filter(|result| matches!(result.verdict, Verdict::Unknown(_)));
        self.unanswered += unanswered.count() as u64;
        let local = linear.clone().filter(|result| {
            !matches!(result.automaton_symmetry, None | Some(burnside::AutomatonSymmetry::None))
        });
        self.local += local.count() as u64;
        let named = |name: &String| exploration.properties.iter().find(|judged| judged.name == *name);
        let judged: Vec<_> = linear.filter_map(|result| named(&result.property)).collect();
        if judged.is_empty() {
            return;
        }
        let holds = Finding::Holds(None);
        let count = |test: &dyn Fn(&Judgement) -> bool| judged.iter().filter(|j| test(j)).count() as u64;
        let by_fairness = count(&|j| j.finding == holds && j.without_fairness != holds);
        self.models += 1;
        self.reduced += u64::from(agreement.orbits.is_some_and(|n| n < exploration.graph.states() as u64));
        self.cyclic += u64::from(exploration.largest_component > 1);
        self.fairness_matters += u64::from(by_fairness > 0);
        self.properties += judged.len() as u64;
        self.holding += count(&|j| j.finding == holds);
        self.violated += count(&|j| j.finding == Finding::Violated(None));
        self.undefined += count(&|j| matches!(j.finding, Finding::Undefined(_)));
        self.unaffordable += count(&|j| j.finding == Finding::Unaffordable);
        self.by_fairness += by_fairness;
        self.by_strong_fairness += count(&|j| j.finding == holds && j.with_weak_fairness != holds);
    }
}

impl std::fmt::Display for Linear {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (models, properties) = (self.models, self.properties);
        writeln!(f, "{models} models with linear-time properties")?;
        writeln!(f, "  fewer states by symmetry   {}", part(self.reduced, models))?;
        writeln!(f, "  a cycle of several states  {}", part(self.cyclic, models))?;
        writeln!(f, "  fairness decides           {}", part(self.fairness_matters, models))?;
        writeln!(f, "{properties} properties")?;
        writeln!(f, "  hold                       {}", part(self.holding, properties))?;
        writeln!(f, "    because of fairness      {}", part(self.by_fairness, properties))?;
        writeln!(f, "    because it is strong     {}", part(self.by_strong_fairness, properties))?;
        writeln!(f, "  violated                   {}", part(self.violated, properties))?;
        writeln!(f, "  undefined                  {}", part(self.undefined, properties))?;
        writeln!(f, "  too much for the oracle    {}", part(self.unaffordable, properties))?;
        writeln!(f, "  not answered               {}", part(self.unanswered, properties))?;
        write!(f, "  local symmetries           {}", part(self.local, properties))
    }
}

/// What was found about branching-time properties, and about the models that have some.
#[derive(Clone, Debug, Default)]
pub struct Branching {
    /// Models with such properties.
    pub models: u64,
    /// Of them: models of which symmetry leaves fewer states.
    pub reduced: u64,
    /// Of them: models with a cycle through several states.
    pub cyclic: u64,
    /// Of them: models with a deadlock.
    pub dead: u64,
    /// Of them: models with a property whose verdict depends on fairness.
    pub fairness_matters: u64,
    /// Properties.
    pub properties: u64,
    /// Of them: those that hold.
    pub holding: u64,
    /// Those that are violated.
    pub violated: u64,
    /// Those with an atom that faults.
    pub undefined: u64,
    /// Those that were too much for the oracle.
    pub unaffordable: u64,
    /// Those that the library judged on fewer states than there are.
    pub properties_reduced: u64,
    /// Those whose verdict depends on fairness.
    pub by_fairness: u64,
    /// Those whose verdict depends on whether fairness is weak or strong.
    pub by_strong_fairness: u64,
    /// Those whose verdict depends on what happens after a deadlock.
    pub by_deadlock: u64,
    /// Those that the library does not answer.
    pub unanswered: u64,
    /// Trees that were shown, each time that a property was checked.
    pub trees: u64,
    /// What was in them.
    pub looked: Looked,
}

impl Branching {
    /// Adds what was found about one model.
    pub fn add(&mut self, agreement: &Agreement) {
        let exploration = &agreement.exploration;
        let branching = agreement.report.results.iter().filter(|result| result.kind == Kind::Ctl);
        let unanswered = branching.clone().filter(|result| matches!(result.verdict, Verdict::Unknown(_)));
        self.unanswered += unanswered.count() as u64;
        let named = |name: &String| exploration.properties.iter().find(|judged| judged.name == *name);
        let judged: Vec<_> = branching.filter_map(|result| named(&result.property)).collect();
        if judged.is_empty() {
            return;
        }
        let count = |test: &dyn Fn(&Judgement) -> bool| judged.iter().filter(|j| test(j)).count() as u64;
        let by_fairness = count(&|j| j.finding != j.without_fairness);
        self.models += 1;
        self.reduced += u64::from(agreement.orbits.is_some_and(|n| n < exploration.graph.states() as u64));
        self.cyclic += u64::from(exploration.largest_component > 1);
        self.dead += u64::from(matches!(exploration.deadlock, Finding::Violated(_)));
        self.fairness_matters += u64::from(by_fairness > 0);
        self.properties += judged.len() as u64;
        self.holding += count(&|j| j.finding == Finding::Holds(None));
        self.violated += count(&|j| j.finding == Finding::Violated(None));
        self.undefined += count(&|j| matches!(j.finding, Finding::Undefined(_)));
        self.unaffordable += count(&|j| j.finding == Finding::Unaffordable);
        self.properties_reduced += agreement.branching_reduced;
        self.by_fairness += by_fairness;
        self.by_strong_fairness += count(&|j| j.finding != j.with_weak_fairness);
        self.by_deadlock += count(&|j| j.maximal != [j.finding, j.without_fairness]);
        self.trees += agreement.trees.0;
        self.looked = self.looked.and(agreement.trees.1);
    }
}

impl std::fmt::Display for Branching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (models, properties, trees) = (self.models, self.properties, self.trees);
        writeln!(f, "{models} models with branching-time properties")?;
        writeln!(f, "  fewer states by symmetry   {}", part(self.reduced, models))?;
        writeln!(f, "  a cycle of several states  {}", part(self.cyclic, models))?;
        writeln!(f, "  a deadlock                 {}", part(self.dead, models))?;
        writeln!(f, "  fairness decides           {}", part(self.fairness_matters, models))?;
        writeln!(f, "{properties} properties")?;
        writeln!(f, "  hold                       {}", part(self.holding, properties))?;
        writeln!(f, "  violated                   {}", part(self.violated, properties))?;
        writeln!(f, "  undefined                  {}", part(self.undefined, properties))?;
        writeln!(f, "  fairness decides           {}", part(self.by_fairness, properties))?;
        writeln!(f, "  strong or weak decides     {}", part(self.by_strong_fairness, properties))?;
        writeln!(f, "  the kind of paths decides  {}", part(self.by_deadlock, properties))?;
        writeln!(f, "  judged on fewer states     {}", part(self.properties_reduced, properties))?;
        writeln!(f, "  too much for the oracle    {}", part(self.unaffordable, properties))?;
        writeln!(f, "  not answered               {}", part(self.unanswered, properties))?;
        writeln!(f, "{trees} trees")?;
        let Looked { runs, loops, depth } = self.looked;
        write!(f, "  with {runs} runs, {loops} of them loops, at most {depth} on each other")
    }
}

fn part(of: u64, all: u64) -> String {
    format!("{of} ({:.0} %)", 100.0 * of as f64 / all.max(1) as f64)
}
