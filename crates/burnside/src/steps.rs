//! Properties about steps, such as `G (x' >= x)`, for engines that know properties of states.
//!
//! Entry point: [`Stepwise`], an engine around another one. Such a property is asked, by an engine of the
//! same kind, of a system that remembers what it needs ([`System::remembering_property`]); the run that comes
//! back is turned into one of the original. Everything else is passed on. That the run shows what it should
//! is seen by the replay on the original, as always.

use burnside_engine::{Answer, Checker, Listener, Options, Verdict};
use burnside_explicit::{Explicit, StateSearch};
use burnside_limits::{Observer, Stats};
use burnside_perm::Natural;
use burnside_symbolic::{Space, Symbolic};
use burnside_trace::{End, Evidence};
use burnside_ts::{Memory, Property, Symmetry, System};

/// Asks another engine of the same kind about the only property of a system. Also says whether a step may
/// fault.
type Ask<'o> = fn(&System, &'o Options, &mut dyn Listener) -> (Answer, bool);

/// An engine that also answers properties about steps.
pub(crate) struct Stepwise<'s, 'o, E> {
    engine: E,
    system: &'s System,
    options: &'o Options,
    ask: Ask<'o>,
    /// Whether another engine has seen a fault.
    faulted: bool,
}

impl<'s, 'o> Stepwise<'s, 'o, Explicit<'s>> {
    /// State by state, with somebody else who searches for states if there is one.
    pub fn explicit(
        system: &'s System,
        options: &'s Options,
        elsewhere: Option<&'s dyn StateSearch>,
    ) -> Stepwise<'s, 's, Explicit<'s>> {
        let engine = Explicit::new(system, options);
        let engine = match elsewhere {
            Some(elsewhere) => engine.searching(elsewhere),
            None => engine,
        };
        Stepwise { engine, system, options, ask: ask_explicit, faulted: false }
    }
}

impl<'a, 's, 'o> Stepwise<'s, 'o, Symbolic<'a, 's>> {
    /// With diagrams.
    pub fn symbolic(engine: Symbolic<'a, 's>, system: &'s System, options: &'o Options) -> Self {
        Stepwise { engine, system, options, ask: ask_symbolic, faulted: false }
    }
}

fn ask_explicit(system: &System, options: &Options, listener: &mut dyn Listener) -> (Answer, bool) {
    let mut engine = Explicit::new(system, options);
    let mut answers = engine.answer(&[&system.properties[0]], listener);
    (answers.remove(0), engine.may_fault())
}

fn ask_symbolic(system: &System, options: &Options, listener: &mut dyn Listener) -> (Answer, bool) {
    let property = &system.properties[0];
    match Space::for_check(system, &options.limits, options.diagrams.reorder) {
        Ok(space) => {
            // Generators that nobody has proved are for finding violations of the original only.
            let mut engine = Symbolic::new(&space, options, &[]);
            let mut answers = engine.answer(&[property], listener);
            (answers.remove(0), engine.may_fault())
        }
        Err(stop) => {
            let verdict = Verdict::Unknown(stop);
            (Answer { verdict, ..burnside_symbolic::unknown(system, property) }, false)
        }
    }
}

impl<'s, E: Checker<'s>> Checker<'s> for Stepwise<'s, '_, E> {
    fn searches(&self, properties: &[&'s Property]) -> Vec<Vec<usize>> {
        self.engine.searches(properties)
    }

    fn answer(&mut self, properties: &[&'s Property], listener: &mut dyn Listener) -> Vec<Answer> {
        let [property] = properties else { return self.engine.answer(properties, listener) };
        if !property.question.is_about_steps() {
            return self.engine.answer(properties, listener);
        }
        let Some((system, memory)) = self.system.remembering_property(property) else {
            return vec![self.engine.open(property)];
        };
        let (mut answer, faulted) = (self.ask)(&system, self.options, listener);
        self.faulted |= faulted;
        answer.evidence = answer.evidence.map(|run| original(&memory, run));
        answer.unreduced = None;
        vec![answer]
    }

    fn open(&self, property: &'s Property) -> Answer {
        self.engine.open(property)
    }

    fn may_fault(&self) -> bool {
        self.faulted || self.engine.may_fault()
    }

    fn reconsider(&mut self, property: &'s Property, answer: &mut Answer, observer: &mut dyn Observer) {
        self.engine.reconsider(property, answer, observer);
    }

    fn group(&self) -> Symmetry {
        self.engine.group()
    }

    fn figures(&self) -> Option<(Stats, Option<Natural>)> {
        self.engine.figures()
    }
}

/// The run of the original. Where it stays in a deadlock it ends, or it is the loop.
fn original(memory: &Memory, run: Evidence) -> Evidence {
    let stays = run.steps.iter().position(|step| step.rule == memory.stay());
    let mut states: Vec<Box<[u64]>> = run.states.iter().map(|state| memory.original(state)).collect();
    let (mut steps, mut end) = (run.steps, run.end);
    if let Some(first) = stays {
        states.truncate(first + 1);
        steps.truncate(first);
        if let End::Loop(_) = end {
            end = End::Stutter;
        }
    }
    rolled(Evidence { states, steps, end })
}

/// The same run with the shortest way to the loop: where it is entered from the state that also ends it, by
/// the step that also closes it, the loop begins earlier.
fn rolled(mut run: Evidence) -> Evidence {
    while let End::Loop(start @ 1..) = run.end
        && run.states.last() == Some(&run.states[start - 1])
        && run.steps.last() == Some(&run.steps[start - 1])
    {
        run.states.pop();
        run.steps.pop();
        run.end = End::Loop(start - 1);
    }
    run
}
