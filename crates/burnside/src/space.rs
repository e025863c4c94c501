//! The size of the original state graph, without building it.
//!
//! Entry point: [`state_space`].

use crate::ask::check;
use crate::check::CheckError;
use crate::clock::Clock;
use crate::model::{Front, Model};
use burnside_engine::Options;
use burnside_explicit::{Canoniser, Counts, count};
use burnside_limits::Stop;
use burnside_petri::NetModel;
use std::sync::Arc;
use std::time::Instant;

/// Counts the states and steps of the original system by one walk over its orbits; otherwise says why that
/// cannot be. A net whose places may be too small is checked for that first; in the model of a [report] they
/// are not.
///
/// [report]: crate::Report::model
///
/// ```
/// use burnside::{LoadOptions, Model, Options};
///
/// let text = "
///     symmetric Client[4];
///     var inside: Client? = none;
///     process P[c: Client] {
///         rule enter when inside == none { inside = c; }
///         rule leave when inside == c { inside = none; }
///     }
/// ";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let counts = burnside::state_space(&model, &Options::default())?;
/// assert_eq!(counts.orbits, 2);
/// assert_eq!(counts.states.unwrap().to_string(), "5");
/// assert_eq!(counts.transitions.unwrap().to_string(), "8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn state_space(model: &Model, options: &Options) -> Result<Counts, Stop> {
    match model.net() {
        Some(net) if !net.is_settled() && net.may_outgrow() => {
            let mut options = options.clone();
            options.limits.since.get_or_insert_with(Instant::now);
            count_all(&with_room(net, &options)?, &options)
        }
        _ => count_all(model, options),
    }
}

/// A net of which nothing is asked, after a search for places that are too small.
fn with_room(net: &NetModel, options: &Options) -> Result<Model, Stop> {
    let net = net.unasked();
    let system = Arc::new(net.lower()?);
    let (external, claimed) = (Vec::new(), Vec::new());
    let model = Model {
        front: Front::Net(Arc::new(net)),
        system,
        files: Vec::new(),
        external,
        claimed,
        probed: None,
    };
    let options = Options { properties: Vec::new(), ignore_deadlock: true, ..options.clone() };
    match check(&model, &options, &mut ()) {
        Ok(report) => Ok(report.model),
        Err(CheckError::Stopped(stop)) => Err(stop),
        Err(error) => panic!("{error}"),
    }
}

fn count_all(model: &Model, options: &Options) -> Result<Counts, Stop> {
    if let Some(stop) = model.net().and_then(NetModel::endless) {
        return Err(stop.clone());
    }
    let clock = Clock::start(&options.limits);
    let system = &model.system;
    let symmetry = options.allowed(&system.symmetry, &system.types);
    let counted = clock.within(|| {
        let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(system, &symmetry, true));
        count(system, canoniser, &options.limits)
    });
    let counts = counted.and_then(|counts| counts).map_err(|stop| clock.explain(stop))?;
    match counts.fault {
        Some(fault) => Err(model
            .net_limit(&fault)
            .unwrap_or_else(|| Stop::Undefined(system.site(fault.site).text.clone()))),
        None => Ok(counts),
    }
}
