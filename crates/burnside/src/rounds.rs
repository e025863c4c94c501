//! Checks a model, in as many rounds as the places of a net need.
//!
//! Entry point: [`growing`]. Ask, grow, ask again: what a net needs, and when no room is enough, is known to
//! `burnside-petri`. What is answered in a round that met a place without room is thrown away. If no room is
//! enough, what a run shows still counts, and everything else is unknown.

use crate::check::{Audience, CheckError, faulted, round};
use crate::model::{Front, Model};
use crate::report::Report;
use burnside_engine::Options;
use burnside_limits::Stop;
use burnside_petri::NetModel;
use burnside_trace::Evidence;
use burnside_ts::{Fault, Kind};
use std::sync::Arc;
use std::time::Instant;

/// So many states of an unbounded net are looked at.
const ENOUGH: u64 = 100_000;

/// The rounds of a net.
pub(crate) fn growing(
    mut model: Model,
    mut net: Arc<NetModel>,
    options: &Options,
    audience: &mut Audience<'_>,
) -> Result<Report, CheckError> {
    let started = Instant::now();
    let mut options = options.clone();
    options.limits.since.get_or_insert(started);
    loop {
        let report = round(&model, &options, audience, true)?;
        let Some((fault, run)) = fault(&report) else {
            let report = without_faults(report, &net);
            Arc::make_mut(&mut net).settle();
            model.front = Front::Net(net);
            return Ok(Report { time: started.elapsed(), model, ..report });
        };
        match Arc::make_mut(&mut net).outgrown(&model.system, &run.states, &fault) {
            Ok(system) => model.system = Arc::new(system),
            Err(stop) => {
                let report = shown(model, net, stop, options, audience)?;
                return Ok(Report { time: started.elapsed(), ..report });
            }
        }
        model.front = Front::Net(Arc::clone(&net));
    }
}

/// The last round, where no room is enough. What can be shown by a run may still be found, with a lot of room
/// and not too many states.
fn shown(
    mut model: Model,
    mut net: Arc<NetModel>,
    stop: Stop,
    mut options: Options,
    audience: &mut Audience<'_>,
) -> Result<Report, CheckError> {
    if let Some(system) = Arc::make_mut(&mut net).give_up(stop.clone()) {
        model.system = Arc::new(system);
    }
    model.front = Front::Net(Arc::clone(&net));
    options.limits.states = Some(options.limits.states.map_or(ENOUGH, |states| states.min(ENOUGH)));
    let report = round(&model, &options, audience, false)?;
    Ok(without_faults(doubtful(report, &stop), &net))
}

/// The fault of a step that a check found, with the run that shows it.
fn fault(report: &Report) -> Option<(Fault, &Evidence)> {
    let run = report.results.iter().find(|result| result.kind == Kind::Faults)?.evidence.as_ref()?;
    Some((faulted(run)?, run))
}

/// A net has no faults of its own. Where evaluating a question faults, its numbers are too great for us, and
/// the answer is not known.
fn without_faults(mut report: Report, net: &NetModel) -> Report {
    report.results.retain(|result| result.kind != Kind::Faults);
    for result in &mut report.results {
        if let Some(fault) = result.evidence.as_ref().and_then(faulted) {
            result.retract(net.limit(&fault));
        }
    }
    report
}

/// Only what was shown by a run still counts.
fn doubtful(mut report: Report, stop: &Stop) -> Report {
    report.unreduced = None;
    for result in &mut report.results {
        result.unreduced = None;
        if result.evidence.is_none() || result.kind == Kind::Bound {
            result.retract(stop.clone());
        }
    }
    report
}
