//! A check of a net in which questions may be answered without a search of the net itself.
//!
//! Entry point: [`check`]. Unless it is said that something else comes first, the search begins, and only
//! what it leaves open after some states is tried by shortcuts (`burnside-petri`, `structure`) and then
//! on smaller
//! nets (`smaller`); what these leave open is searched for without that limit. So small nets are answered as
//! ever, with shortest runs. Every run that is shown is one of the net itself and is replayed ([`replayed`])
//! before anyone sees it.

use crate::check::{Audience, CheckError, replayed};
use crate::clock::Clock;
use crate::indirect::{FEW, Indirect, is_shown};
use crate::model::{Front, Model};
use crate::report::Report;
use crate::rounds::growing;
use crate::smaller;
use burnside_engine::{Answer, Engine, Options, Search, Shortcuts, Verdict};
use burnside_limits::{Stats, Stop};
use burnside_petri::{Fired, NetModel, NetQuestion, Query, Reductions, Structure};
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Fault, Label, Outcome, RuleId, Symmetry, System};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// So often each question is tried, each time with more effort.
const ATTEMPTS: u32 = 2;
/// The effort of a first attempt, in numbers that are computed.
const EFFORT: u64 = 1 << 23;

/// What has been found, by property.
type Answered = BTreeMap<String, Indirect>;

/// Checks a net.
pub(crate) fn check(
    model: &Model,
    net: &Arc<NetModel>,
    options: &Options,
    audience: &mut Audience<'_>,
) -> Result<Report, CheckError> {
    let started = Instant::now();
    let mut options = options.clone();
    options.limits.since.get_or_insert(started);
    let searched = |options: &Options, audience: &mut Audience<'_>| {
        growing(model.clone(), Arc::clone(net), options, audience)
    };
    // In a cluster all processes must ask the same, and how far shortcuts come is a matter of time.
    if audience.cluster.is_some() || !applies(model, net, &options) {
        return searched(&options, audience);
    }
    let first = options.shortcuts == Shortcuts::First || net.reductions == Reductions::First;
    let probe = match first {
        true => None,
        false => {
            let mut few = options.clone();
            few.limits.states = Some(FEW);
            let report = searched(&few, audience)?;
            if !report.results.iter().any(is_cut) {
                return Ok(report);
            }
            Some(report)
        }
    };
    let names = names(model, &options, probe.as_ref());
    let is_open = |name: &String| {
        let answer = probe.as_ref().and_then(|report| report.answer(name));
        answer.is_none_or(|answer| matches!(answer.verdict, Verdict::Unknown(_)))
    };
    let open: Vec<&String> = names.iter().filter(|name| is_open(name)).collect();
    let mut found = shortened(net, &open, &options)?;
    let roomy = with_room(model, net, &mut found)?;
    // Where places may need more room, evidence so far is about states of another width.
    let again = |name: &&String| !found.contains_key(*name) && (net.may_outgrow() || is_open(name));
    let rest: Vec<String> = names.iter().filter(again).cloned().collect();
    let after = match rest.is_empty() {
        true => None,
        false => {
            let Front::Net(net) = &roomy.front else { unreachable!("it is a net") };
            let options = Options { properties: rest, ..options.clone() };
            Some(growing(roomy.clone(), Arc::clone(net), &options, audience)?)
        }
    };
    let last = after.as_ref().map_or(&roomy, |report| &report.model).clone();
    let mut results = Vec::new();
    for name in &names {
        let searched = || {
            let reports = after.iter().chain(&probe);
            reports.filter_map(|report| report.answer(name)).next().cloned()
        };
        let answer = match found.get(name) {
            Some(found) => {
                let answer = told(&last, &options, name, found)?;
                audience.answered.iter_mut().for_each(|answered| answered(&answer));
                Some(answer)
            }
            None => searched(),
        };
        results.extend(answer);
    }
    let main = after.or(probe);
    let group = main.as_ref().map_or_else(|| Symmetry::trivial(&last.system.types), |it| it.group.clone());
    let stats = main.as_ref().map_or_else(Stats::default, |it| it.stats);
    let unreduced = main.as_ref().and_then(|it| it.unreduced.clone());
    let chosen = main.and_then(|it| it.chosen);
    let time = started.elapsed();
    let smaller = found.into_iter().filter_map(|(name, it)| Some((name, it.smaller?))).collect();
    Ok(Report { results, group, stats, unreduced, time, chosen, smaller, model: last })
}

/// Whether shortcuts are tried at all: not where it was said how to search, nor for names that do not exist.
fn applies(model: &Model, net: &NetModel, options: &Options) -> bool {
    let known = |name: &String| {
        name == "deadlock" || model.system.properties.iter().any(|property| property.name == *name)
    };
    options.properties.iter().all(known) && (shortens(options) || reduces(net, options))
}

/// Whether it is left open how to search.
fn is_open(options: &Options) -> bool {
    let few = options.limits.states.is_some_and(|states| states <= FEW);
    options.engine == Engine::Auto && options.search == Search::Auto && !few
}

fn shortens(options: &Options) -> bool {
    match options.shortcuts {
        Shortcuts::None => false,
        Shortcuts::First => true,
        Shortcuts::Auto => is_open(options),
    }
}

fn reduces(net: &NetModel, options: &Options) -> bool {
    match net.reductions {
        Reductions::None => false,
        Reductions::First => true,
        Reductions::Auto => is_open(options),
    }
}

/// Whether more states or other ways might give an answer.
fn is_cut(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Unknown(Stop::States(_) | Stop::Unbounded(_)))
}

/// The properties that are asked for, in the order of the report.
fn names(model: &Model, options: &Options, probe: Option<&Report>) -> Vec<String> {
    if let Some(report) = probe {
        return report.results.iter().map(|answer| answer.property.clone()).collect();
    }
    let wanted = |name: &String| options.properties.contains(name);
    let all = model.system.properties.iter().map(|property| property.name.clone());
    let deadlock = "deadlock".to_string();
    let built_in = Some(deadlock).filter(wanted);
    built_in.into_iter().chain(all.filter(|name| options.properties.is_empty() || wanted(name))).collect()
}

/// What is found without searching the net itself, in a part of the time.
fn shortened(net: &NetModel, open: &[&String], options: &Options) -> Result<Answered, CheckError> {
    let fair = net.fairness().is_some() && options.is_fair();
    // What a formula says at dead markings was compared with brute force only where paths end there.
    let as_searched = options.paths().maximal && !fair;
    let is_asked = |query: &&Query| {
        let about_runs = matches!(query.asked, NetQuestion::Ltl(_) | NetQuestion::Ctl(_));
        open.contains(&&query.name) && (as_searched || !about_runs)
    };
    let mut queries: Vec<&Query> = net.asked.queries.iter().filter(is_asked).collect();
    let mut found = Answered::new();
    if queries.is_empty() {
        return Ok(found);
    }
    let clock = Clock::start(&options.limits);
    let mut structure = None;
    let tried = clock.in_part(3, || {
        structure = Structure::of(&net.net, options.paths().maximal);
        let Some(structure) = structure.as_ref().filter(|_| shortens(options)) else { return };
        for attempt in 0..ATTEMPTS {
            for query in &queries {
                if found.contains_key(&query.name) {
                    continue;
                }
                let began = Instant::now();
                let effort = EFFORT << (4 * attempt);
                if let Some(answer) = structure.answer(query, effort).filter(|it| is_shown(query, it)) {
                    found.insert(query.name.clone(), Indirect::by_shortcut(answer, began.elapsed()));
                }
            }
        }
    });
    // What was found before a limit counts.
    let (Ok(()) | Err(_)) = tried;
    drop(clock);
    if let Some(structure) = structure.filter(|_| reduces(net, options)) {
        queries.retain(|query| !found.contains_key(&query.name));
        found.extend(smaller::answers(net, &structure, &queries, options)?);
    }
    Ok(found)
}

/// The model with so much room in its places that all runs fit. What would need more room than there is does
/// not count.
fn with_room(model: &Model, net: &Arc<NetModel>, found: &mut Answered) -> Result<Model, CheckError> {
    let (mut model, mut net) = (model.clone(), Arc::clone(net));
    let mut too_large = Vec::new();
    for (property, Indirect { found: answer, .. }) in found.iter() {
        'runs: for run in answer.run.iter().chain(&answer.beside) {
            while let Err(wrong) = lifted(&model.system, run) {
                let fault = wrong.ok_or_else(|| internal(property, "a walk is no run"))?;
                match Arc::make_mut(&mut net).outgrown(&model.system, &[], &fault) {
                    Ok(larger) => model.system = Arc::new(larger),
                    Err(_) => {
                        too_large.push(property.clone());
                        break 'runs;
                    }
                }
            }
        }
    }
    found.retain(|property, _| !too_large.contains(property));
    model.front = Front::Net(net);
    Ok(model)
}

/// A sequence of firings as a run of the system, or why it is none: a place without room.
fn lifted(system: &System, run: &[Fired]) -> Result<Evidence, Option<Fault>> {
    let mut machine = system.machine();
    let mut states: Vec<Box<[u64]>> = Vec::new();
    machine.initial(&mut |outcome: Outcome<'_>| {
        if let Outcome::State(state) = outcome {
            states.push(state.into());
        }
        ControlFlow::Break(())
    });
    let mut steps = Vec::new();
    for (transition, args) in run {
        let state = states.last().ok_or(None)?.clone();
        let mut after: Result<Box<[u64]>, Option<Fault>> = Err(None);
        machine.fire(&state, RuleId(transition.0), args, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            after = match outcome {
                Outcome::State(state) => Ok(state.into()),
                Outcome::Fault(fault) => Err(Some(fault)),
            };
            ControlFlow::Break(())
        });
        states.push(after?);
        steps.push(Step { rule: RuleId(transition.0), args: args.clone() });
    }
    Ok(Evidence { states, steps, end: End::State })
}

/// The answer, with its run replayed.
fn told(model: &Model, options: &Options, name: &str, indirect: &Indirect) -> Result<Answer, CheckError> {
    let system = &model.system;
    let known = system.properties.iter().find(|property| property.name == name);
    let property = known.ok_or_else(|| internal(name, "there is no such property"))?;
    let Indirect { found, end, tree, method, engine, symmetry, stats, time, .. } = indirect;
    let mut answer = Answer::open(property, *engine, Symmetry::trivial(&system.types));
    answer.verdict = if found.holds { Verdict::Holds } else { Verdict::Violated };
    (answer.value, answer.method, answer.time) = (found.value, *method, *time);
    (answer.symmetry, answer.stats) = (*symmetry, *stats);
    for run in &found.beside {
        lifted(system, run).map_err(|_| internal(name, "a walk is no run"))?;
    }
    let no_run = |_| internal(name, "it is no run");
    if let Some(run) = &found.run {
        let mut evidence = lifted(system, run).map_err(no_run)?;
        if let End::Loop(start) = *end {
            let last = evidence.states.pop();
            if last.as_ref() != evidence.states.get(start) {
                return Err(internal(name, "the loop does not close"));
            }
        }
        evidence.end = end.clone();
        answer.evidence = Some(evidence);
    }
    if let Some(tree) = tree {
        let initial = lifted(system, &[]).map_err(no_run)?.states.pop();
        answer.tree = initial.map(|state| (state, tree.clone()));
    }
    replayed(system, options, property, &answer).map_err(|mismatch| internal(name, &mismatch.to_string()))?;
    Ok(answer)
}

fn internal(property: &str, message: &str) -> CheckError {
    CheckError::Internal { property: property.to_string(), message: message.to_string() }
}
