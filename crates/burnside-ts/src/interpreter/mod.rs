//! The interpreter: it *defines* what a system does. Everything that is faster must agree with it.
//!
//! Entry points: [`Interpreter::initial`], [`Interpreter::successors`], [`Interpreter::fire`],
//! [`Interpreter::holds`]. Results are pushed into a sink. Those that lead to a certain state are found by
//! [`Interpreter::successors_to`] and the like. Nothing is allocated per successor: the machine owns one
//! working state, one frame and one stack of choices.
//!
//! Nondeterminism inside a body (`any`) is replayed: the body runs once for every sequence of choices, in the
//! manner of an odometer.

mod caching;
mod choice;
mod collection;
mod domain;
mod eval;
mod exec;
mod filter;
mod goal;
mod memo;
mod number;

use burnside_limits::Interrupt;
pub use caching::{CachingInterpreter, Dependency, StateBits};
pub use collection::settle_slot;
use filter::StateSymmetry;
pub use filter::StepSelector;
pub use goal::Goal;
pub use number::{rank, unrank};

use crate::bits;
use crate::code::{Binder, Domain, Expr, SiteId, Stmt, Target};
use crate::fault::{Fault, FaultKind};
use crate::machine::{InitialSink, Machine, Outcome, Sink, Undefined, Walk};
use crate::symmetry::StepFilter;
use crate::system::{Label, Rule, RuleId, System};
use choice::Choices;
use memo::Memo;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Evaluation cannot go on; the machine knows why. Kept empty so that results stay in registers.
#[derive(Clone, Copy, Debug)]
struct Halt;

#[derive(Clone, Copy, Debug)]
enum Cause {
    Fault(Fault),
    /// The run does not count: an assumption is false, or it does not lead to the goal.
    Dropped(Option<SiteId>),
    Interrupted,
}

/// Which outcomes of a rule instance are pushed.
#[derive(Clone, Debug)]
enum Wanted {
    All,
    /// The states that are so.
    Goal(Arc<Goal>),
    /// The outcomes up to the first state.
    One,
}

impl Wanted {
    fn goal(goal: &Goal) -> Self {
        Wanted::Goal(Arc::new(goal.clone()))
    }
}

/// Ends a walk early.
enum EarlyEnd {
    Sink,
    Interrupted,
}

fn walk(result: Result<(), EarlyEnd>) -> Walk {
    match result {
        Ok(()) => Walk::Complete,
        Err(EarlyEnd::Sink) => Walk::Stopped,
        Err(EarlyEnd::Interrupted) => Walk::Interrupted,
    }
}

/// An interpreter for one system.
#[derive(Clone, Debug)]
pub struct Interpreter<'s> {
    system: &'s System,
    /// The working state and the spare words.
    state: Box<[u64]>,
    frame: Box<[u64]>,
    choices: Choices,
    cause: Cause,
    symmetry: StateSymmetry,
    wanted: Wanted,
    memo: Memo,
    interrupt: Option<Interrupt>,
    ticks: u32,
    /// By site, the truth values that a check there has let through; none if nobody wants to know.
    seen: Option<Box<[SeenValues]>>,
}

/// Which truth values a condition had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenValues {
    /// It was true.
    pub true_once: bool,
    /// It was false.
    pub false_once: bool,
}

impl<'s> Machine<'s> for Interpreter<'s> {
    fn system(&self) -> &'s System {
        self.system
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        self.look_through(StepFilter::All);
        self.choices.restart();
        loop {
            self.clear();
            let result = self.body(&self.system.init, 0..0);
            let flow = match self.settle(result) {
                Ok(Some(fault)) if !self.has_goal() => sink(Outcome::Fault(fault)),
                Ok(Some(_)) => ControlFlow::Continue(()),
                Ok(None) => sink(Outcome::State(&self.state[..self.system.words()])),
                Err(Cause::Interrupted) => return Walk::Interrupted,
                Err(_) => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                return Walk::Stopped;
            }
            if !self.choices.advance() {
                return Walk::Complete;
            }
            if self.poll().is_err() {
                return Walk::Interrupted;
            }
        }
    }

    /// Rules in order, parameters in ascending order.
    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        self.load(state);
        self.look_through(filter);
        for id in 0..self.system.rules.len() {
            let expanded = self.expand(RuleId(id as u32), 0, 0, state, filter, sink);
            if expanded.is_err() {
                return walk(expanded);
            }
        }
        Walk::Complete
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        self.load(state);
        self.look_through(filter);
        match self.eval(expr) {
            Ok(value) => Ok(value),
            Err(Halt) => match self.cause {
                Cause::Fault(fault) => Err(Undefined::Fault(fault)),
                _ => Err(Undefined::Interrupted),
            },
        }
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.give(binder, number);
    }

    fn fire(&mut self, state: &[u64], rule: RuleId, args: &[u64], sink: &mut dyn Sink) -> Walk {
        self.load(state);
        self.look_through(StepFilter::All);
        let it = self.system.rule(rule);
        let mut own = |label: Label<'_>, outcome: Outcome<'_>| match label.args == args {
            true => sink.step(label, outcome),
            false => ControlFlow::Continue(()),
        };
        if it.params.iter().any(|p| matches!(p.binder.domain, Domain::Collection(..))) {
            // Whether the argument is in the collection is part of being enabled: walk all instances.
            return walk(self.expand(rule, 0, 0, state, StepFilter::All, &mut own));
        }
        self.frame[it.args.clone()].copy_from_slice(args);
        walk(self.expand(rule, it.params.len(), 0, state, StepFilter::All, &mut own))
    }

    fn successors_to(&mut self, state: &[u64], goal: &Goal, sink: &mut dyn Sink) -> Walk {
        self.wanting(Wanted::goal(goal), |machine| machine.successors(state, sink))
    }

    fn fire_to(
        &mut self,
        state: &[u64],
        rule: RuleId,
        args: &[u64],
        goal: &Goal,
        sink: &mut dyn Sink,
    ) -> Walk {
        self.wanting(Wanted::goal(goal), |machine| machine.fire(state, rule, args, sink))
    }

    fn initial_to(&mut self, goal: &Goal, sink: InitialSink<'_>) -> Walk {
        self.wanting(Wanted::goal(goal), |machine| machine.initial(sink))
    }

    fn instances(&mut self, state: &[u64], sink: &mut dyn Sink) -> Walk {
        self.wanting(Wanted::One, |machine| machine.successors(state, sink))
    }

    /// Of very many choices only the first are looked at.
    fn excluding(&mut self) -> BTreeSet<SiteId> {
        const MOST: u32 = 1 << 16;
        let mut found = BTreeSet::new();
        self.look_through(StepFilter::All);
        self.choices.restart();
        for _ in 0..MOST {
            self.clear();
            let ended = self.block(&self.system.init);
            if let (Err(Halt), Cause::Dropped(Some(site))) = (ended, self.cause) {
                found.insert(site);
            }
            if !self.choices.advance() {
                break;
            }
        }
        found
    }
}

impl<'s> Interpreter<'s> {
    /// A machine for a system. It has no interrupt of its own: it looks at the one of the work at hand, and
    /// unwinds.
    pub fn new(system: &'s System) -> Self {
        Self::make(system, None)
    }

    /// A machine whose walks end soon after the flag is raised.
    pub fn with_interrupt(system: &'s System, interrupt: Interrupt) -> Self {
        Self::make(system, Some(interrupt))
    }

    fn make(system: &'s System, interrupt: Option<Interrupt>) -> Self {
        Self {
            system,
            state: vec![0; system.words() + bits::SPARE].into(),
            frame: vec![0; system.frame + bits::SPARE].into(),
            choices: Choices::default(),
            cause: Cause::Interrupted,
            symmetry: StateSymmetry::new(&system.types),
            wanted: Wanted::All,
            memo: Memo::default(),
            interrupt,
            ticks: 0,
            seen: None,
        }
    }

    /// From now on remembers the truth values that checks of conditions let through, by site. Quantifiers
    /// then look at all values, so what is remembered does not depend on their order.
    pub fn remember(&mut self) {
        self.seen = Some(vec![SeenValues::default(); self.system.sites.len()].into());
    }

    /// What was remembered.
    pub fn remembered(&self) -> &[SeenValues] {
        self.seen.as_deref().unwrap_or_default()
    }

    /// Pushes the steps of one rule, of all its instances.
    pub fn rule_steps(&mut self, state: &[u64], rule: RuleId, sink: &mut dyn Sink) -> Walk {
        self.load(state);
        self.look_through(StepFilter::All);
        walk(self.expand(rule, 0, 0, state, StepFilter::All, sink))
    }

    /// The state from which the initialisation starts.
    fn clear(&mut self) {
        self.memo.state_changes();
        self.state.fill(0);
    }

    fn load(&mut self, state: &[u64]) {
        self.memo.state_changes();
        self.state[..state.len()].copy_from_slice(state);
    }

    /// Binds the parameters from
    /// `level` on in all ways that the guard allows and fires. Parts of the guard from `next` on are still to
    /// be tested. A part that faults before all parameters are bound is tried again when they are, so that
    /// the step has all its arguments; but a collection is not looked at before the parts that can be tested
    /// without it.
    fn expand(
        &mut self,
        id: RuleId,
        level: usize,
        mut next: usize,
        source: &[u64],
        filter: StepFilter<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(), EarlyEnd> {
        let rule = self.system.rule(id);
        if level == 0 {
            // Wide arguments do not fill their words; equal ones must be equal words.
            self.frame[rule.args.clone()].fill(0);
        }
        while let Some(part) = rule.guard.get(next).filter(|part| part.level <= level) {
            match self.eval(&part.condition) {
                Ok(0) => return Ok(()),
                Ok(_) => next += 1,
                Err(Halt) => match (rule.params.get(level).map(|param| &param.binder.domain), self.cause) {
                    (Some(Domain::Type), Cause::Fault(_)) => break,
                    _ => return self.report_unbound(id, rule, level, sink),
                },
            }
        }
        if level == rule.params.len() {
            return self.run(id, rule, source, sink);
        }
        let mut stop = None;
        let walked = self.each_filtered(rule, level, filter, &mut |machine: &mut Self| {
            let expanded = machine.expand(id, level + 1, next, source, filter, sink);
            stop = expanded.err();
            Ok(stop.is_none())
        });
        match (stop, walked) {
            (Some(reason), _) => Err(reason),
            (None, Ok(_)) => Ok(()),
            (None, Err(Halt)) => self.report_unbound(id, rule, level, sink),
        }
    }

    /// Passes on a fault before the parameters from `level` on are bound: they show as zero.
    fn report_unbound(
        &mut self,
        id: RuleId,
        rule: &'s Rule,
        level: usize,
        sink: &mut dyn Sink,
    ) -> Result<(), EarlyEnd> {
        if let Some(param) = rule.params.get(level) {
            let from = match param.binder.target {
                Target::Scalar(slot) => slot.index(),
                Target::Wide(bit) => bit as usize / 64,
            };
            self.frame[from..rule.args.end].fill(0);
        }
        self.report(id, rule, sink)
    }

    /// Runs the body once for every sequence of choices.
    fn run(
        &mut self,
        id: RuleId,
        rule: &'s Rule,
        source: &[u64],
        sink: &mut dyn Sink,
    ) -> Result<(), EarlyEnd> {
        self.choices.restart();
        loop {
            let classes = self.symmetry.classes.take();
            let result = self.body(&rule.body, rule.args.clone());
            self.symmetry.classes = classes;
            let label = Label { rule: id, args: &self.frame[rule.args.clone()] };
            sink.weigh(self.symmetry.weight);
            let flow = match result {
                Ok(()) => sink.step(label, Outcome::State(&self.state[..source.len()])),
                Err(Halt) => match self.cause {
                    Cause::Fault(_) if self.has_goal() => ControlFlow::Continue(()),
                    Cause::Fault(fault) => sink.step(label, Outcome::Fault(fault)),
                    Cause::Dropped(_) => ControlFlow::Continue(()),
                    Cause::Interrupted => return Err(EarlyEnd::Interrupted),
                },
            };
            self.load(source);
            if flow.is_break() {
                return Err(EarlyEnd::Sink);
            }
            let enough = result.is_ok() && matches!(self.wanted, Wanted::One);
            if enough || !self.choices.advance() {
                return Ok(());
            }
            self.poll().map_err(|Halt| EarlyEnd::Interrupted)?;
        }
    }

    /// Runs a body with the choices of this run.
    fn body(&mut self, body: &'s [Stmt], args: std::ops::Range<usize>) -> Result<(), Halt> {
        match &self.wanted {
            Wanted::Goal(goal) => {
                let goal = Arc::clone(goal);
                self.run_to(body, args, &goal)
            }
            Wanted::All | Wanted::One => self.block(body),
        }
    }

    fn has_goal(&self) -> bool {
        matches!(self.wanted, Wanted::Goal(_))
    }

    /// Passes on a fault outside the body.
    fn report(&mut self, id: RuleId, rule: &'s Rule, sink: &mut dyn Sink) -> Result<(), EarlyEnd> {
        let Cause::Fault(fault) = self.cause else { return Err(EarlyEnd::Interrupted) };
        if self.has_goal() {
            return Ok(());
        }
        let label = Label { rule: id, args: &self.frame[rule.args.clone()] };
        match sink.step(label, Outcome::Fault(fault)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EarlyEnd::Sink),
        }
    }

    fn settle(&self, result: Result<(), Halt>) -> Result<Option<Fault>, Cause> {
        match (result, self.cause) {
            (Ok(()), _) => Ok(None),
            (Err(Halt), Cause::Fault(fault)) => Ok(Some(fault)),
            (Err(Halt), cause) => Err(cause),
        }
    }

    /// Remembers the value of a condition.
    #[cold]
    fn note(&mut self, site: SiteId, value: i64) {
        if let Some(seen) = self.seen.as_mut().and_then(|seen| seen.get_mut(site.index())) {
            seen.true_once |= value != 0;
            seen.false_once |= value == 0;
        }
    }

    #[cold]
    fn fault(&mut self, site: SiteId, kind: FaultKind) -> Halt {
        self.cause = Cause::Fault(Fault { kind, site });
        Halt
    }

    /// Looks at the interrupt flag now and then.
    #[inline]
    fn poll(&mut self) -> Result<(), Halt> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(4096) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Halt> {
        match &self.interrupt {
            None => burnside_limits::poll(),
            Some(interrupt) if interrupt.is_raised() => {
                self.cause = Cause::Interrupted;
                return Err(Halt);
            }
            Some(_) => {}
        }
        Ok(())
    }
}
