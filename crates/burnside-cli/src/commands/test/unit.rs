//! One test: a model in one configuration is checked, and what comes out held against what it expects.
//!
//! Entry point: [`run`]. Verdicts come from the check. So do figures where it tells them: without symmetry it
//! counts states and steps, with symmetry it may know how many states its orbits stand for. Figures that it
//! does not tell are counted by one walk over the orbits, so none that a model states is left unlooked at.

use super::plan::{Unit, quoted};
use crate::args::TestArgs;
use crate::crash;
use crate::exit::Failure;
use crate::input::{self, Input};
use crate::output::tested::{Difference, TestEnding, Tested};
use burnside::{
    Answer, CheckError, Choice, DeadlockPaths, Engine, ExternalProperty, Fairness, Kind, Limits, LoadOptions,
    Model, Options, Report, Symmetry, Verdict,
};
use burnside_lang::expect::{Configuration, Expected};
use burnside_limits::{Stop, catch};
use std::time::{Duration, Instant};

/// How many nodes decision diagrams may have, as with `check`.
const NODES: u64 = 20_000_000;

/// Tests one configuration in one symmetry mode, in its share of the time that the command was given. Tells
/// too whether more time might tell more.
pub fn run(
    unit: &Unit,
    args: &TestArgs,
    symmetry: Symmetry,
    limits: Limits,
    whole: Option<Duration>,
) -> (Tested, bool) {
    let started = Instant::now();
    let time_shares = TimeShares { own: limits.time, whole };
    let interrupt = limits.interrupt.clone();
    let options = options(unit, args, symmetry, limits);
    let ending = match catch(|| interrupt.enter(|| test(unit, &options, time_shares))) {
        Ok(ending) => ending,
        Err(stop) => TestEnding::Stopped(time_shares.named(&interrupt.stop().unwrap_or(stop))),
    };
    let late = |stop: &Stop| matches!(stop, Stop::Time(_) | Stop::Share(..));
    let cut = match &ending {
        TestEnding::Different(all) => {
            all.iter().any(|it| it.open) && started.elapsed() >= time(&options.limits)
        }
        TestEnding::Stopped(stop) => late(stop),
        _ => false,
    };
    (tested(unit, args, symmetry, started.elapsed(), ending), cut)
}

/// How a test ended, with all that says which it was.
pub fn tested(
    unit: &Unit,
    args: &TestArgs,
    symmetry: Symmetry,
    time: Duration,
    ending: TestEnding,
) -> Tested {
    Tested {
        model: unit.source.path.clone(),
        conditions: unit.configuration.conditions(),
        way: way(args, symmetry),
        time,
        ending,
        command: command(unit, args, symmetry),
    }
}

fn time(limits: &Limits) -> Duration {
    limits.time.unwrap_or(Duration::MAX)
}

fn options(unit: &Unit, args: &TestArgs, symmetry: Symmetry, limits: Limits) -> Options {
    let Configuration { fair, maximal, max_states, .. } = unit.configuration;
    let is_net = unit.source.is_net();
    let maximal = maximal.unwrap_or(is_net);
    Options {
        // Nothing is asked of a net but what its comments can say.
        properties: is_net.then(|| "deadlock".to_string()).into_iter().collect(),
        engine: args.engine,
        symmetry,
        method: args.method,
        ctl: args.ctl_algorithm,
        deadlock_paths: if maximal { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter },
        fairness: if fair == Some(false) { Fairness::None } else { Fairness::Model },
        limits: Limits { states: max_states, nodes: Some(NODES), ..limits },
        ..Options::default()
    }
}

/// How it is checked, if that is not the usual way.
fn way(args: &TestArgs, symmetry: Symmetry) -> Option<String> {
    let engine = (args.engine != Engine::Auto).then(|| format!("engine {}", args.engine.name()));
    let several = args.symmetry.len() > 1 || symmetry != Symmetry::Auto;
    let symmetry = several.then(|| format!("symmetry {}", symmetry.name()));
    let parts: Vec<String> = engine.into_iter().chain(symmetry).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What to type to see it again.
fn command(unit: &Unit, args: &TestArgs, symmetry: Symmetry) -> String {
    let Configuration { fair, maximal, max_states, .. } = unit.configuration;
    let mut words = vec!["burnside".to_string(), "check".into(), quoted(&unit.source.path)];
    for (name, value) in unit.configuration.set() {
        words.extend(["--set".into(), quoted(&format!("{name}={value}"))]);
    }
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [format!("--{name}"), value]));
    };
    let usual = Options::default();
    option("fairness", (fair == Some(false)).then(|| "none".into()));
    option("deadlock-paths", maximal.map(|it| if it { "maximal" } else { "stutter" }.into()));
    option("max-states", max_states.map(|states| states.to_string()));
    option("engine", (args.engine != usual.engine).then(|| args.engine.name().into()));
    option("symmetry", (symmetry != usual.symmetry).then(|| symmetry.name().into()));
    option("method", (args.method != usual.method).then(|| args.method.name().into()));
    option("ctl-algorithm", (args.ctl_algorithm != usual.ctl).then(|| args.ctl_algorithm.name().into()));
    words.join(" ")
}

/// The time of one test, and that of the command, of which it is a share.
#[derive(Clone, Copy)]
struct TimeShares {
    own: Option<Duration>,
    whole: Option<Duration>,
}

impl TimeShares {
    /// The reason for people, who know the limit that they gave and no other.
    fn named(self, stop: &Stop) -> Stop {
        match (stop, self.own, self.whole) {
            (Stop::Time(time) | Stop::Share(_, time), Some(own), Some(whole)) if *time != whole => {
                Stop::Share(own, whole)
            }
            _ => stop.clone(),
        }
    }
}

fn test(unit: &Unit, options: &Options, time_shares: TimeShares) -> TestEnding {
    let loading = LoadOptions::new().settings(&unit.configuration.set());
    let input = match input::load_source(unit.source.clone(), &loading) {
        Ok(input) => input,
        Err(failure) => return TestEnding::Bad(failure),
    };
    match burnside::check(&input.model, options, &mut ()) {
        Ok(report) => compare(unit, &report, options, time_shares),
        Err(CheckError::Stopped(stop)) => TestEnding::Stopped(time_shares.named(&stop)),
        Err(error) => failed(&input, error),
    }
}

fn failed(input: &Input, error: CheckError) -> TestEnding {
    match error {
        CheckError::Stopped(stop) => TestEnding::Stopped(stop),
        CheckError::NoInitialState(excluding) => TestEnding::Bad(input::no_initial_state(input, excluding)),
        CheckError::UnknownProperty(..) => TestEnding::Bad(Failure::bad(error.to_string())),
        CheckError::Internal { ref property, ref message } => {
            crash::report(Some(property), message);
            TestEnding::Bad(Failure::Internal(error.to_string()))
        }
    }
}

/// Holds a report against what is expected.
fn compare(unit: &Unit, report: &Report, options: &Options, time_shares: TimeShares) -> TestEnding {
    let (mut compared, mut wrong) = (0, Vec::new());
    for answer in &report.results {
        let stated = unit.expectations.stated(Some(&unit.configuration), &answer.property);
        let expected = stated.unwrap_or(Expected::Holds);
        compared += 1;
        wrong.extend(verdict(answer, expected, time_shares));
    }
    let checked = |name: &str| report.results.iter().any(|answer| answer.property == name);
    // What the checker of the language lets pass is there; a net has no faults.
    for (name, expected) in unit.configuration.verdicts.iter().filter(|(name, _)| !checked(name)) {
        let found = "nothing: it was not checked".to_string();
        wrong.extend((*expected != Expected::Holds).then(|| Difference {
            what: name.clone(),
            expected: expected.to_string(),
            found,
            open: false,
        }));
    }
    let figures = Figures::new(report, options);
    for (name, expected) in figures.wanted(&unit.configuration) {
        compared += 1;
        let found = figures.get(name, unit, report, options).map_err(|stop| time_shares.named(&stop));
        wrong.extend(figure(name, expected, found));
    }
    if wrong.is_empty() { TestEnding::AsExpected(compared) } else { TestEnding::Different(wrong) }
}

fn verdict(answer: &Answer, expected: Expected, time_shares: TimeShares) -> Option<Difference> {
    let (found, reason) = match &answer.verdict {
        Verdict::Holds => (Expected::Holds, None),
        Verdict::Violated => (Expected::Violated, None),
        Verdict::Unknown(stop) => (Expected::Unknown, Some(time_shares.named(stop))),
    };
    (found != expected).then(|| Difference {
        what: answer.property.clone(),
        expected: expected.to_string(),
        found: reason.map_or_else(|| found.to_string(), |stop| format!("{found} ({stop})")),
        open: found == Expected::Unknown,
    })
}

fn figure(name: &str, expected: u64, found: Result<String, Stop>) -> Option<Difference> {
    let (found, open) = match found {
        Ok(found) if found == expected.to_string() => return None,
        Ok(found) => (found, false),
        Err(stop) => (format!("unknown ({stop})"), true),
    };
    Some(Difference { what: name.to_string(), expected: expected.to_string(), found, open })
}

/// The figures that a check tells.
struct Figures {
    states: Option<String>,
    transitions: Option<String>,
}

impl Figures {
    fn new(report: &Report, options: &Options) -> Self {
        // Known only if the search saw everything.
        let states = report.unreduced.as_ref().map(ToString::to_string);
        let listed = report.stats.diagrams.is_none() && options.symmetry == Symmetry::None;
        let transitions = states.as_ref().filter(|_| listed).map(|_| report.stats.transitions.to_string());
        Self { states, transitions }
    }

    /// What a configuration says about figures.
    fn wanted(&self, configuration: &Configuration) -> Vec<(&'static str, u64)> {
        let Configuration { states, transitions, orbits, .. } = configuration;
        let all = [("states", states), ("transitions", transitions), ("orbits", orbits)];
        all.into_iter().filter_map(|(name, stated)| Some((name, (*stated)?))).collect()
    }

    /// A figure by its name: as the check told it, or else counted.
    fn get(&self, name: &str, unit: &Unit, report: &Report, options: &Options) -> Result<String, Stop> {
        let told = match name {
            "states" => self.states.clone(),
            "transitions" => self.transitions.clone(),
            _ => None,
        };
        if let Some(told) = told {
            return Ok(told);
        }
        let exact = Options { symmetry: Symmetry::Exact, ..options.clone() };
        let counts = match burnside::state_space(&report.model, &exact) {
            Ok(counts) => counts,
            Err(stop) if stop.is_limit() || stop == Stop::Interrupted => return Err(stop),
            // Steps that fault are not counted in this way.
            Err(stop) => return searched(name, unit, options, stop),
        };
        let large = || Stop::too_large(format!("the number of {name}"));
        match name {
            "states" => counts.states.as_ref().map(ToString::to_string).ok_or_else(large),
            "transitions" => counts.transitions.as_ref().map(ToString::to_string).ok_or_else(large),
            _ => Ok(counts.orbits.to_string()),
        }
    }
}

/// A figure by a search of its own: of all states, or of their orbits.
fn searched(name: &str, unit: &Unit, options: &Options, why: Stop) -> Result<String, Stop> {
    // A search for what is nowhere sees everything.
    let (kind, text) = (Kind::Invariant.into(), "true".to_string());
    let external = [ExternalProperty { kind, origin: "<figures>".into(), text }];
    let loading = LoadOptions::new().settings(&unit.configuration.set()).external(&external);
    let Ok(model) = Model::load(unit.source.of_model(), &loading).into_model() else { return Err(why) };
    let symmetry = if name == "orbits" { Symmetry::Exact } else { Symmetry::None };
    let properties = model.external.iter().map(|(name, _)| name.clone()).collect();
    let options = Options { symmetry, engine: Engine::Explicit, properties, ..options.clone() };
    match burnside::check(&model, &options, &mut ()) {
        Ok(found) if found.unreduced.is_some() && name == "transitions" => {
            Ok(found.stats.transitions.to_string())
        }
        Ok(found) if found.unreduced.is_some() => Ok(found.stats.states.to_string()),
        Err(CheckError::Stopped(stop)) => Err(stop),
        _ => Err(why),
    }
}
