//! Forged evidence: what is valid is altered at random, and whatever the replay still accepts must be right
//! in the eyes of the oracle.
//!
//! Entry points: [`forge`] for evidence as data, of random models; [`document`] for trace files. A forger who
//! only wrecks things is easily seen through: runs are also replaced by other real runs, loops are unrolled
//! and closed elsewhere, and the claims are exchanged.

pub mod document;
mod run;
mod tree;

use crate::cases::again;
use crate::compare::load;
use crate::generate::{Flavor, Rng, generate};
use crate::graph;
use crate::oracle::{Exploration, Oracle, PathClaim, PathEnd, Setting, Shown, ShownPath, Texts};
use burnside::{Answer, CheckError, DeadlockPaths, Fairness, Kind, Model, Options, Verdict};
use burnside_trace::{Claim, End, Evidence, Tree, TreeOptions, replay, replay_tree};
use burnside_ts::{Leaf, Question, System};
use run::Material;

/// What a tree says about all runs is seen by a look at so many states.
const EXPLORED: usize = 10_000;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Models with something to forge.
    pub models: u64,
    /// Altered runs and trees.
    pub mutants: u64,
    /// Of them: accepted by the replay, and right.
    pub accepted: u64,
    /// Of these: infinite runs.
    pub lassos: u64,
    /// Of these: trees.
    pub trees: u64,
}

/// Something that is said to show something.
#[derive(Clone, Debug)]
struct Forgery {
    kind: Kind,
    property: String,
    setting: Setting,
    shows: Shows,
}

#[derive(Clone, Debug)]
enum Shows {
    Run(Evidence),
    /// A state, a truth value and why the property has it there.
    Tree(Box<[u64]>, bool, Tree),
}

/// Alters the evidence of the models of some seeds, for each of them so many times. The first false claim
/// that is accepted comes back as text.
pub fn forge(
    seeds: impl IntoIterator<Item = u64>,
    flavor: Flavor,
    limit: usize,
    mutants: u64,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for seed in seeds {
        let text = generate(seed, flavor).text;
        forge_text(&text, seed, limit, mutants, &mut tally)
            .map_err(|problem| format!("seed {seed}, {flavor:?}: {problem}\n{text}\n{}", again(seed)))?;
    }
    Ok(tally)
}

/// The same for one model.
pub fn forge_text(
    text: &str,
    seed: u64,
    limit: usize,
    mutants: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let model = load(text, &[])?;
    let Ok(exploration) = Oracle::new(model.hir().expect("it is no net"), text).explore(limit) else {
        return Ok(());
    };
    let originals = originals(&model)?;
    if originals.is_empty() {
        return Ok(());
    }
    tally.models += 1;
    let system = &model.system;
    let mut forger = Forger {
        system,
        leaves: system.leaves(),
        exploration: &exploration,
        material: Material::collect(system, &mut Rng::new(seed)),
        rng: Rng::new(seed),
    };
    for original in &originals {
        forger.judge(original, tally).map_err(|problem| format!("not altered: {problem}: {original:#?}"))?;
    }
    for _ in 0..mutants {
        let mut forgery = forger.rng.pick(&originals).clone();
        for _ in 0..1 + forger.rng.below(3) {
            forger.alter(&mut forgery, &originals);
        }
        tally.mutants += 1;
        forger.judge(&forgery, tally).map_err(|problem| format!("{problem}: {forgery:#?}"))?;
    }
    Ok(())
}

/// What the library shows about a model, with fairness and without, with paths that stay and with paths that
/// end.
fn originals(model: &Model) -> Result<Vec<Forgery>, String> {
    let mut all = Vec::new();
    for setting in Setting::ALL {
        let options = Options {
            fairness: if setting.fair { Fairness::Model } else { Fairness::None },
            deadlock_paths: if setting.maximal { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter },
            ..Options::default()
        };
        let report = match burnside::check(model, &options, &mut ()) {
            Err(CheckError::NoInitialState(_)) => return Ok(Vec::new()),
            checked => checked.map_err(|error| format!("{error:?}"))?,
        };
        all.extend(report.results.iter().filter_map(|result| original(result, setting)));
    }
    Ok(all)
}

fn original(result: &Answer, setting: Setting) -> Option<Forgery> {
    let shows = match (&result.evidence, &result.tree) {
        (Some(run), _) => Shows::Run(run.clone()),
        (None, Some((state, tree))) => {
            Shows::Tree(state.clone(), result.verdict == Verdict::Holds, tree.clone())
        }
        (None, None) => return None,
    };
    Some(Forgery { kind: result.kind, property: result.property.clone(), setting, shows })
}

struct Forger<'m> {
    system: &'m System,
    leaves: Vec<Leaf>,
    exploration: &'m Exploration,
    material: Material,
    rng: Rng,
}

impl<'m> Forger<'m> {
    fn alter(&mut self, forgery: &mut Forgery, originals: &[Forgery]) {
        let Self { rng, material, .. } = self;
        match rng.below(12) {
            0 => forgery.setting = *rng.pick(&Setting::ALL),
            1 => {
                let other = rng.pick(originals);
                (forgery.kind, forgery.property) = (other.kind, other.property.clone());
            }
            2 => forgery.shows = rng.pick(originals).shows.clone(),
            3 => {
                if let Shows::Tree(state, truth, _) = &mut forgery.shows {
                    *truth ^= rng.chance(50);
                    *state = rng.pick(&material.states).clone();
                }
            }
            _ => match &mut forgery.shows {
                Shows::Run(run) => run::alter(rng, material, run),
                Shows::Tree(_, _, tree) => tree::alter(rng, material, tree),
            },
        }
    }

    /// What the replay accepts is right.
    fn judge(&self, forgery: &Forgery, tally: &mut Tally) -> Result<(), String> {
        match &forgery.shows {
            Shows::Run(run) if self.accepts_run(forgery, run) => {
                tally.accepted += 1;
                tally.lassos += u64::from(run.loop_start().is_some());
                self.is_right(forgery, run)
            }
            Shows::Tree(state, truth, tree) if self.accepts_tree(forgery, state, *truth, tree) => {
                tally.accepted += 1;
                tally.trees += 1;
                let texts = Texts {
                    state: &|state| graph::text_of(self.system, &self.leaves, state),
                    step: &|step| graph::label_of(self.system, step.label()),
                };
                let shown = (&state[..], tree);
                let Forgery { property, setting, .. } = forgery;
                self.exploration.check_tree(property, *truth, shown, *setting, &texts).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn question(&self, property: &str) -> Option<&'m Question> {
        let found = self.system.properties.iter().find(|known| known.name == property)?;
        Some(&found.question)
    }

    fn accepts_run(&self, forgery: &Forgery, run: &Evidence) -> bool {
        let question = match (forgery.kind, self.question(&forgery.property)) {
            (Kind::Faults, _) => &Question::Fault,
            (Kind::Deadlock, _) => &Question::Deadlock,
            (_, Some(question)) if question.kind() != Kind::Ctl => question,
            _ => return false,
        };
        replay(self.system, run, Claim { question, fair: forgery.setting.fair, value: None }).is_ok()
    }

    /// Trees that leave something to be believed are not accepted: who reads one is told so.
    fn accepts_tree(&self, forgery: &Forgery, state: &[u64], truth: bool, tree: &Tree) -> bool {
        let Some(Question::Branching(formula)) = self.question(&forgery.property) else { return false };
        let Setting { fair, maximal } = forgery.setting;
        let options = TreeOptions { fair, maximal, explore: EXPLORED };
        replay_tree(self.system, formula, truth, state, tree, options).is_ok_and(|shown| shown.complete)
    }

    fn is_right(&self, forgery: &Forgery, run: &Evidence) -> Result<(), String> {
        let states =
            run.states.iter().map(|state| graph::text_of(self.system, &self.leaves, state)).collect();
        let label = |step: &burnside_trace::Step| graph::label_of(self.system, step.label());
        let steps = run.steps.iter().map(label).collect();
        let end = match &run.end {
            End::Loop(_) | End::Stutter => {
                let back = match run.end {
                    End::Loop(back) => Some(back),
                    _ => None,
                };
                let shown = Shown { states, steps, back };
                return self.exploration.check_witness(&forgery.property, &shown, forgery.setting.fair);
            }
            End::State => PathEnd::State,
            End::Undefined(_) => PathEnd::Undefined,
            End::Fault(step, fault) => {
                let site = self.system.site(fault.site);
                let (line, column) = (site.line as usize, site.column as usize);
                let text = graph::fault_text(fault.kind, line, column, &site.text);
                PathEnd::Fault(step.as_ref().map(label), text)
            }
        };
        let claim = match forgery.kind {
            Kind::Faults => PathClaim::Faults,
            Kind::Deadlock => PathClaim::Deadlock,
            _ => PathClaim::Property(&forgery.property),
        };
        self.exploration.check_path(claim, &ShownPath { states, steps, end })
    }
}
