//! `burnside test`: models against what they expect, as a part of a build.
//!
//! `plan` finds the models and their configurations, `pool` works on several at a time, `unit` checks one and
//! compares. What is told is in `output/tested.rs`. A model that expects nothing is read, and not checked.

mod plan;
mod pool;
mod unit;

use crate::args::{TestArgs, TestFormat};
use crate::commands::{unless_closed, watch};
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::output::Console;
use crate::output::tested::{self, TestEnding, Tested};
use crate::supervisor::Supervisor;
use burnside::Symmetry;
use burnside_limits::{Interrupt, Stop, catch};
use burnside_report::junit;
use plan::{Planned, Unit};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(args: &TestArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    if !args.watch {
        return once(args, console, supervisor);
    }
    // Folders that cannot be read are told of in each round; they may come back.
    let files = || {
        let models = plan::files(&args.paths).unwrap_or_else(|_| args.paths.clone());
        let imported = models.iter().flat_map(|path| input::imported(path));
        let all: BTreeSet<PathBuf> = imported.chain(models.iter().cloned()).collect();
        all.into_iter().collect()
    };
    watch::run(files, console, supervisor, || once(args, console, supervisor))
}

fn once(args: &TestArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    let started = Instant::now();
    supervisor.phase("the models were read");
    let planned = match catch(|| plan::plan(&args.paths)).unwrap_or_else(|stop| Err(Failure::Stopped(stop))) {
        Ok(planned) => planned,
        Err(failure) if args.format == TestFormat::Text => return Err(failure),
        Err(failure) => vec![Planned::Done(plan::nothing(&args.paths, failure))],
    };
    let Plan { units, places, mut tested } = Plan::new(planned, &args.symmetry);
    supervisor.phase("the models were tested");
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
    let whole = supervisor.limits();
    let mut shown = TestPrinter { args, console, next: 0 };
    shown.advance(&tested)?;
    let work = |index: usize, limits| {
        let (unit, symmetry) = &units[index];
        unit::run(unit, args, *symmetry, limits, whole.time)
    };
    let stopped = pool::work(units.len(), jobs, &whole, work, |index, result| {
        tested[places[index]] = Some(result);
        shown.advance(&tested)
    })?;
    // The command may be over for its limit; what was found is still told.
    Interrupt::new().enter(|| {
        let stop = stopped.unwrap_or(Stop::Interrupted);
        for ((unit, symmetry), place) in units.iter().zip(places) {
            tested[place].get_or_insert_with(|| {
                unit::tested(unit, args, *symmetry, Duration::ZERO, TestEnding::Stopped(stop.clone()))
            });
        }
        supervisor.writing();
        shown.advance(&tested)?;
        let all: Vec<Tested> = tested.into_iter().flatten().collect();
        shown.end(&all, started.elapsed())?;
        Ok(tested::exit(&all))
    })
}

/// As many as there are cores.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What is to be told, in order, as far as it is known; and the units of work for the rest.
struct Plan {
    tested: Vec<Option<Tested>>,
    units: Vec<(Unit, Symmetry)>,
    /// Where what comes of a unit belongs.
    places: Vec<usize>,
}

impl Plan {
    fn new(planned: Vec<Planned>, symmetries: &[Symmetry]) -> Self {
        let mut plan = Self { tested: Vec::new(), units: Vec::new(), places: Vec::new() };
        for planned in planned {
            match planned {
                Planned::Done(tested) => plan.tested.push(Some(tested)),
                Planned::Unit(unit) => {
                    for &symmetry in symmetries {
                        plan.places.push(plan.tested.len());
                        plan.tested.push(None);
                        plan.units.push((Unit::clone(&unit), symmetry));
                    }
                }
            }
        }
        plan
    }
}

/// What was told already. People see each test as soon as all before it are told; documents come when they
/// are whole.
struct TestPrinter<'a> {
    args: &'a TestArgs,
    console: &'a Console,
    next: usize,
}

impl TestPrinter<'_> {
    fn advance(&mut self, tested: &[Option<Tested>]) -> Result<(), Failure> {
        if self.args.format != TestFormat::Text {
            return Ok(());
        }
        let mut out = self.console.report();
        while let Some(Some(tested)) = tested.get(self.next) {
            // Nothing that is told here may be ended by the limit that it tells of.
            let text = Interrupt::new().enter(|| tested::lines(tested, self.console.out));
            let fine = self.args.quiet && tested.ending.exit() == Exit::Good;
            if !fine {
                unless_closed(out.write_all(text.as_bytes()))?;
            }
            self.next += 1;
        }
        unless_closed(out.flush())
    }

    fn end(&self, all: &[Tested], time: Duration) -> Result<(), Failure> {
        let text = match self.args.format {
            TestFormat::Text => format!("{}\n", tested::summary(all, time, self.console.out)),
            TestFormat::Json => format!("{:#}\n", tested::document(all, time)),
            TestFormat::Junit => junit::document("burnside test", &tested::suites(all)),
        };
        let written = match self.args.format {
            TestFormat::Text => {
                let mut out = self.console.report();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            TestFormat::Json | TestFormat::Junit => {
                let mut out = self.console.stdout();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
        };
        unless_closed(written)
    }
}
