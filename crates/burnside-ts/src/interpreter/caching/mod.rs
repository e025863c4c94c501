//! The interpreter with a memory: a machine that lets the interpreter do each thing once, and then knows.
//!
//! Entry point: [`CachingInterpreter`]. Which rule instances are enabled depends on few bits of the state
//! each, and so does what their bodies do. What the interpreter said for some values of these bits is kept in
//! tables, `guards` and `effects`, and used for every later state that has the same values there: LTSmin's
//! transition caching, with a bitmap index over guards. The steps, their order and their faults are those of
//! the interpreter; what this rests on is `dependency`, which says what code can read and write.
//!
//! The tables are filled while states are looked at, never in advance, and they are made only for a walk that
//! turns out not to be short. They are bounded: a few megabytes, whatever the system.

mod dependency;
mod effects;
mod guards;
mod key;
mod plan;

use super::{EarlyEnd, Halt, Interpreter, walk};
use crate::code::{Binder, Expr, Target};
use crate::machine::{InitialSink, Machine, Outcome, Sink, Undefined, Walk};
use crate::symmetry::StepFilter;
use crate::system::{Label, RuleId, System};
use burnside_limits::Interrupt;
pub use dependency::{Dependency, StateBits};
use effects::{Effect, Effects};
use guards::Guards;
use plan::{Instances, plan};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// After so many states, and as many as there are rule instances, tables are made: to plan them takes about
/// as long for an instance as to look at a state, so that a short walk takes at most twice its time.
const LATER: u32 = 16;

/// An interpreter that remembers what depends on few bits of the state.
#[derive(Clone, Debug)]
pub struct CachingInterpreter<'s> {
    inner: Interpreter<'s>,
    tables: Option<Box<Tables>>,
    /// The rules that tables are made for, if not for all.
    only: Option<BTreeSet<RuleId>>,
    /// How many states are still looked at without tables.
    wait: u32,
}

#[derive(Clone, Debug)]
struct Tables {
    instances: Instances,
    guards: Guards,
    effects: Effects,
    /// The state at hand, and then each of its successors.
    state: Vec<u64>,
    /// Whether the candidates are those of the state at hand.
    looked: bool,
}

/// One walk over the steps of a state.
struct StepWalk<'w, 's> {
    machine: &'w mut Interpreter<'s>,
    source: &'w [u64],
    filter: StepFilter<'w>,
    sink: &'w mut dyn Sink,
}

impl<'s> CachingInterpreter<'s> {
    /// A machine whose walks end soon after the flag is raised.
    pub fn new(system: &'s System, interrupt: Interrupt) -> Self {
        Self::after(system, interrupt, LATER.saturating_add(plan::instances(system)))
    }

    /// A machine that makes its tables after so many states.
    pub fn after(system: &'s System, interrupt: Interrupt, states: u32) -> Self {
        let inner = Interpreter::with_interrupt(system, interrupt);
        Self { inner, tables: None, only: None, wait: states }
    }

    /// A machine for [`rule_steps`](Self::rule_steps) of these rules.
    pub fn of_rules(system: &'s System, interrupt: Interrupt, rules: BTreeSet<RuleId>) -> Self {
        Self { only: Some(rules), ..Self::after(system, interrupt, 0) }
    }

    /// Pushes the steps of one rule, of all its instances.
    pub fn rule_steps(&mut self, state: &[u64], rule: RuleId, sink: &mut dyn Sink) -> Walk {
        if !self.only.as_ref().is_some_and(|only| only.contains(&rule)) {
            return self.inner.rule_steps(state, rule, sink);
        }
        self.inner.load(state);
        let (machine, tables) = self.tables(state);
        machine.look_through(StepFilter::All);
        walk(tables.rule_steps(rule, &mut StepWalk { machine, source: state, filter: StepFilter::All, sink }))
    }

    /// The tables, and the interpreter that fills them.
    fn tables(&mut self, state: &[u64]) -> (&mut Interpreter<'s>, &mut Tables) {
        let Self { inner, tables, only, .. } = self;
        let tables = tables.get_or_insert_with(|| {
            let (instances, guards, effects) = plan(inner, only.as_ref());
            Box::new(Tables { instances, guards, effects, state: vec![0; state.len()], looked: false })
        });
        (inner, tables)
    }
}

impl<'s> Machine<'s> for CachingInterpreter<'s> {
    fn system(&self) -> &'s System {
        self.inner.system
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        self.inner.initial(sink)
    }

    /// In the order of the interpreter.
    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        if self.wait > 0 {
            self.wait -= 1;
            return self.inner.successors_filtered(state, filter, sink);
        }
        let (machine, tables) = self.tables(state);
        machine.load(state);
        machine.look_through(filter);
        tables.state.copy_from_slice(state);
        walk(tables.steps(&mut StepWalk { machine, source: state, filter, sink }))
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        self.inner.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.inner.bind(binder, number);
    }

    fn fallback(&mut self) -> Option<&mut (dyn Machine<'s> + 's)> {
        Some(&mut self.inner)
    }
}

impl Tables {
    fn steps(&mut self, walk: &mut StepWalk<'_, '_>) -> Result<(), EarlyEnd> {
        walk.machine.poll().map_err(|Halt| EarlyEnd::Interrupted)?;
        self.guards.look(walk.machine, &self.instances, walk.source)?;
        if walk.filter.classes().is_some() {
            let rules = 0..self.instances.of_rule.len();
            return rules.into_iter().try_for_each(|rule| {
                let (first, count) = self.instances.of_rule[rule];
                self.descend(walk, RuleId(rule as u32), 0, first, count)
            });
        }
        walk.sink.weigh(1);
        (0..self.guards.enabled.len()).try_for_each(|word| self.steps_of_word(walk, word, u64::MAX))
    }

    /// The steps of the candidates in a word, as far as a mask lets them through.
    #[inline]
    fn steps_of_word(&mut self, walk: &mut StepWalk<'_, '_>, word: usize, mask: u64) -> Result<(), EarlyEnd> {
        let mut candidates = (self.guards.enabled[word] | self.guards.suspect[word]) & mask;
        while candidates != 0 {
            let instance = word as u32 * 64 + candidates.trailing_zeros();
            candidates &= candidates - 1;
            self.step(walk, instance)?;
        }
        Ok(())
    }

    /// The steps of a rule, in a state that the machine has loaded. The candidates are looked for once, if
    /// several rules are asked for in the same state.
    fn rule_steps(&mut self, rule: RuleId, walk: &mut StepWalk<'_, '_>) -> Result<(), EarlyEnd> {
        walk.machine.poll().map_err(|Halt| EarlyEnd::Interrupted)?;
        // What unwinds leaves a state that nobody has looked at.
        if !std::mem::take(&mut self.looked) || self.state != walk.source {
            self.state.copy_from_slice(walk.source);
            self.guards.look(walk.machine, &self.instances, walk.source)?;
        }
        walk.sink.weigh(1);
        let (first, count) = self.instances.of_rule[rule.index()];
        let walked =
            Guards::words(first, count).try_for_each(|(word, mask)| self.steps_of_word(walk, word, mask));
        self.looked = true;
        walked
    }

    /// The candidates among some instances of a rule whose parameters before `level` are the same: those that
    /// the filter lets through, in the order of the interpreter.
    fn descend(
        &mut self,
        walk: &mut StepWalk<'_, '_>,
        id: RuleId,
        level: usize,
        first: u32,
        count: u32,
    ) -> Result<(), EarlyEnd> {
        if !self.guards.any(first, count) {
            return Ok(());
        }
        let system = walk.machine.system;
        let rule = system.rule(id);
        if level == self.instances.list[first as usize].level {
            return self.step(walk, first);
        }
        let binder = &rule.params[level].binder;
        let each = count / system.types.size(binder.ty).expect("the instances were counted") as u32;
        let StepWalk { machine, source, filter, sink } = walk;
        let mut stop = None;
        let walked = machine.each_filtered(rule, level, *filter, &mut |machine: &mut Interpreter<'_>| {
            let number = match binder.target {
                Target::Scalar(slot) => machine.frame[slot.index()] as i64 - system.types.bias(binder.ty),
                Target::Wide(bit) => machine.rank(binder.ty, crate::code::Root::Frame, bit) as i64,
            };
            let mut walk = StepWalk { machine, source, filter: *filter, sink: &mut **sink };
            stop = self.descend(&mut walk, id, level + 1, first + number as u32 * each, each).err();
            Ok(stop.is_none())
        });
        match (stop, walked) {
            (Some(reason), _) => Err(reason),
            (None, Ok(_)) => Ok(()),
            (None, Err(Halt)) => Err(EarlyEnd::Interrupted),
        }
    }

    /// The steps of a candidate.
    #[inline]
    fn step(&mut self, walk: &mut StepWalk<'_, '_>, number: u32) -> Result<(), EarlyEnd> {
        let StepWalk { machine, source, filter, sink } = walk;
        let instance = &self.instances.list[number as usize];
        let rule = machine.system.rule(instance.rule);
        if self.guards.is_suspect(number) {
            self.instances.give(machine, number);
            return machine.expand(instance.rule, instance.level, 0, source, *filter, &mut **sink);
        }
        // Of the values of an open parameter a filter may want only some.
        let filtered = filter.classes().is_some();
        let steps = match filtered && instance.level < rule.params.len() {
            true => None,
            false => self.with_plain(machine, filtered, |tables, machine| {
                tables.effects.find(machine, &tables.instances, number, source)
            })?,
        };
        let instance = &self.instances.list[number as usize];
        let Some(steps) = steps else {
            return self.instances.interpret(machine, number, source, *filter, &mut **sink);
        };
        for step in steps {
            let (effect, args) = self.effects.step(step, rule.args.len());
            let label = Label { rule: instance.rule, args };
            if filtered {
                sink.weigh(machine.symmetry.weight);
            }
            let flow = match effect {
                Effect::Fault(fault) => sink.step(label, Outcome::Fault(*fault)),
                Effect::Writes(which) => {
                    let writes = self.effects.writes(which);
                    writes.iter().for_each(|write| write.apply(&mut self.state));
                    let flow = sink.step(label, Outcome::State(&self.state));
                    writes.iter().for_each(|write| write.undo(&mut self.state, source));
                    flow
                }
            };
            if let ControlFlow::Break(()) = flow {
                return Err(EarlyEnd::Sink);
            }
        }
        Ok(())
    }

    /// Does something without the classes of the state.
    #[inline(always)]
    fn with_plain<'s, T>(
        &mut self,
        machine: &mut Interpreter<'s>,
        filtered: bool,
        work: impl FnOnce(&mut Self, &mut Interpreter<'s>) -> T,
    ) -> T {
        let classes = if filtered { machine.symmetry.classes.take() } else { None };
        let result = work(self, machine);
        if filtered {
            machine.symmetry.classes = classes;
        }
        result
    }
}
