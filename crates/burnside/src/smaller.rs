//! Questions about a net that are asked of a smaller one.
//!
//! Entry point: [`answers`]. How a net becomes smaller for a question is known to `burnside-petri`.
//! The smaller net is asked by shortcuts first, then searched, a little for each question and then more; what
//! shows an answer is lifted to the net itself. An answer that something finite would show, but that cannot
//! be lifted, does not count: a loop that does not close there, as what was left out goes on, or a tree
//! with runs.

use crate::check::{Audience, CheckError};
use crate::clock::Clock;
use crate::indirect::{FEW, Indirect, is_shown};
use crate::model::{Front, Model};
use crate::rounds::growing;
use burnside_engine::{Answer, Options, Symmetry, Verdict};
use burnside_petri::{
    Fired, Found, Ground, Keep, NetModel, NetOptions, NetQuestion, Query, Questions, Reduced, Reductions,
    Rules, Structure, TransitionId,
};
use burnside_trace::{End, Evidence, Tree};
use std::sync::Arc;
use std::time::Instant;

/// The effort of shortcuts on a smaller net, in numbers that are computed.
const EFFORT: u64 = 1 << 25;

/// A question about a smaller net.
struct Smaller {
    reduced: Reduced,
    model: Model,
    net: Arc<NetModel>,
}

/// What smaller nets tell about some questions, by their names.
pub(crate) fn answers(
    net: &NetModel,
    structure: &Structure,
    queries: &[&Query],
    options: &Options,
) -> Result<Vec<(String, Indirect)>, CheckError> {
    let mut found: Vec<(String, Indirect)> = Vec::new();
    let mut open: Vec<(&Query, Smaller)> = Vec::new();
    let clock = Clock::start(&options.limits);
    for (done, query) in queries.iter().enumerate() {
        let began = Instant::now();
        let parts = 4 * (queries.len() - done);
        let Ok(Some(smaller)) = clock.in_part(parts, || made(net, structure, query, options)) else {
            continue;
        };
        match clock.in_part(parts, || smaller.shortened(structure, options)) {
            Ok(Some(answer)) => {
                let by = Indirect::by_shortcut(answer, began.elapsed());
                found.push((query.name.clone(), Indirect { smaller: Some(smaller.reduced.size()), ..by }));
            }
            Ok(None) | Err(_) => open.push((query, smaller)),
        }
    }
    drop(clock);
    for few in [true, false] {
        let mut left = Vec::new();
        let count = open.len();
        for (done, (query, smaller)) in open.into_iter().enumerate() {
            if !few && !smaller.is_much_smaller() {
                continue;
            }
            let options = share(options, &query.name, few, 2 * (count - done));
            match smaller.searched(structure, &options)? {
                Some(answer) => found.push((query.name.clone(), answer)),
                None => left.push((query, smaller)),
            }
        }
        open = left;
    }
    Ok(found)
}

/// The smaller net, if it pays.
fn made(net: &NetModel, structure: &Structure, query: &Query, options: &Options) -> Option<Smaller> {
    let reduced = structure.reduced(query, &Rules::default())?;
    if !reduced.saves_markings() && net.reductions != Reductions::First {
        return None;
    }
    let asked = Questions { queries: vec![reduced.query.clone()], watched: Vec::new() };
    // Where the symmetries of the net were too hard to find, those of a part of it may be, too.
    let unreduced = options.symmetry == Symmetry::None || !net.complete;
    let net = NetModel::new(reduced.net.clone(), asked, &NetOptions { unreduced, ..NetOptions::default() });
    let system = Arc::new(net.lower().ok()?);
    let net = Arc::new(net);
    let front = Front::Net(Arc::clone(&net));
    let (files, external, claimed) = Default::default();
    let model = Model { front, system, files, external, claimed, probed: None };
    Some(Smaller { reduced, model, net })
}

/// How one question is searched for: with a part of the time that is left, and perhaps only some states.
fn share(options: &Options, name: &str, few: bool, parts: usize) -> Options {
    let mut options = Options { properties: vec![name.to_string()], ..options.clone() };
    let limits = &mut options.limits;
    if let (Some(time), Some(since)) = (limits.time, limits.since) {
        let gone = since.elapsed();
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        limits.time = Some(gone + time.saturating_sub(gone) / parts);
    }
    if few {
        limits.states = Some(limits.states.map_or(FEW, |states| states.min(FEW)));
    }
    options
}

impl Smaller {
    /// Whether it is worth a long search of its own.
    fn is_much_smaller(&self) -> bool {
        let [before, after] = self.reduced.places;
        4 * after <= 3 * before
    }

    fn shortened(&self, structure: &Structure, options: &Options) -> Option<Found> {
        let inner = Structure::of(&self.reduced.net, options.paths().maximal)?;
        let found = inner.answer(&self.reduced.query, EFFORT)?;
        if !is_shown(&self.reduced.query, &found) {
            return None;
        }
        let lift = |run: &Vec<Fired>| {
            let run: Vec<TransitionId> = run.iter().map(|fired| fired.0).collect();
            Some(structure.lifted(&self.reduced, &run, self.to_dead_end())?.0)
        };
        let run = match &found.run {
            Some(run) => Some(lift(run)?),
            None => None,
        };
        let beside = found.beside.iter().map(lift).collect::<Option<_>>()?;
        Some(Found { run, beside, ..found })
    }

    fn to_dead_end(&self) -> bool {
        self.reduced.keep == Keep::Deadlock
    }

    fn searched(&self, structure: &Structure, options: &Options) -> Result<Option<Indirect>, CheckError> {
        let began = Instant::now();
        // What is told of the way is about markings of the net itself.
        let mut apart = Audience { observer: &mut (), answered: None, cluster: None };
        let report = match growing(self.model.clone(), Arc::clone(&self.net), options, &mut apart) {
            Ok(report) => report,
            Err(error @ CheckError::Internal { .. }) => return Err(error),
            Err(_) => return Ok(None),
        };
        let answer = report.answer(&self.reduced.query.name);
        let lifted = answer.and_then(|answer| self.lifted(structure, answer));
        Ok(lifted.map(|answer| Indirect { time: began.elapsed(), ..answer }))
    }

    /// An answer of the smaller net as one of the net itself, with all that is to be shown.
    fn lifted(&self, structure: &Structure, answer: &Answer) -> Option<Indirect> {
        let holds = match answer.verdict {
            Verdict::Holds => true,
            Verdict::Violated => false,
            Verdict::Unknown(_) => return None,
        };
        let (mut run, mut end, mut tree) = (None, End::State, None);
        let needs_run = match &self.reduced.query.asked {
            NetQuestion::Reachable(_) | NetQuestion::Bound(_) => holds,
            NetQuestion::Invariant(_) | NetQuestion::Ltl(_) => !holds,
            NetQuestion::Ctl(_) => {
                tree = answer.tree.as_ref().map(|(_, tree)| tree.clone());
                if tree.as_ref().is_none_or(has_runs) {
                    return None;
                }
                false
            }
        };
        if needs_run {
            let (lifted, ending) = self.run(structure, answer.evidence.as_ref()?)?;
            (run, end) = (Some(lifted), ending);
        }
        let found = Found { holds, value: answer.value, run, beside: Vec::new(), by: Ground::Walk };
        let (method, engine, symmetry) = (answer.method, answer.engine, answer.symmetry);
        let (stats, smaller, time) = (answer.stats, Some(self.reduced.size()), answer.time);
        Some(Indirect { found, end, tree, method, engine, symmetry, stats, smaller, time })
    }

    fn run(&self, structure: &Structure, evidence: &Evidence) -> Option<(Vec<Fired>, End)> {
        let steps: Vec<TransitionId> = evidence.steps.iter().map(|step| TransitionId(step.rule.0)).collect();
        let lift = |steps: &[TransitionId], to_dead_end| structure.lifted(&self.reduced, steps, to_dead_end);
        match evidence.end {
            End::State => Some((lift(&steps, self.to_dead_end())?.0, End::State)),
            End::Stutter => Some((lift(&steps, true)?.0, End::Stutter)),
            End::Loop(start) => {
                let ((before, entered), (whole, back)) =
                    (lift(&steps[..start], false)?, lift(&steps, false)?);
                (entered == back).then_some((whole, End::Loop(before.len())))
            }
            End::Fault(..) | End::Undefined(_) => None,
        }
    }
}

/// Whether a tree shows a run, or would if it was not left out.
fn has_runs(tree: &Tree) -> bool {
    match tree {
        Tree::Condition | Tree::Everywhere => false,
        Tree::Run(..) | Tree::Omitted => true,
        Tree::Both(sides) => sides.iter().any(has_runs),
        Tree::Side(_, inner) | Tree::Value(_, inner) => has_runs(inner),
    }
}
