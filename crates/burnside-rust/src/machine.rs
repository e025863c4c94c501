//! Runs a model written in Rust: unpacks a state, calls the model, packs what comes back.
//!
//! Entry point: [`Code`], the [`Foreign`] of a lowered model. Nothing is allocated per successor but what the
//! model allocates itself: the machine keeps two states and a buffer.

use crate::action::Action;
use crate::data::{Data, Layout, Reader, Writer};
use crate::equivariance::EquivarianceCheck;
use crate::lower::Initial;
use crate::model::{Measure, RustModel};
use burnside_limits::{Interrupt, poll};
use burnside_ts::{
    AnyMachine, Binder, Expr, Fault, FaultKind, Foreign, InitialSink, Interpreter, Label, Machine, Outcome,
    RuleId, Sink, SiteId, SortId, StepFilter, StepSelector, System, Undefined, Walk, bits,
};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A condition with its arguments: one closure for each combination of members, the last running fastest.
pub(crate) struct Condition<S> {
    pub instances: Vec<Measure<S>>,
    pub sizes: Vec<usize>,
    /// The sorts of the arguments.
    pub sorts: Vec<SortId>,
}

/// A packed state and what it means.
type Unpacked<S> = (Box<[u64]>, S);

/// A model with what is needed to run it.
pub(crate) struct Code<M: RustModel> {
    pub model: M,
    pub layout: Layout,
    pub initial: Vec<Initial>,
    conditions: Vec<Condition<M::State>>,
    /// The state that conditions were last asked about.
    last: Mutex<Option<Unpacked<M::State>>>,
    /// Whether somebody uses the symmetry of the model.
    reduced: AtomicBool,
}

impl<M: RustModel> fmt::Debug for Code<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}

impl<M: RustModel> Code<M> {
    pub fn new(
        model: M,
        layout: Layout,
        conditions: Vec<Condition<M::State>>,
        initial: Vec<Initial>,
    ) -> Self {
        let reduced = AtomicBool::new(false);
        Self { model, layout, initial, conditions, last: Mutex::new(None), reduced }
    }

    /// The value of a condition in a state of the model.
    fn evaluate(&self, condition: u32, args: &[i64], state: &M::State) -> i64 {
        let Condition { instances, sizes, .. } = &self.conditions[condition as usize];
        let instance = sizes.iter().zip(args).fold(0, |number, (size, arg)| number * size + *arg as usize);
        instances[instance](state)
    }
}

impl<M: RustModel> Foreign for Code<M> {
    fn machine<'s>(&'s self, system: &'s System, interrupt: Option<Interrupt>) -> AnyMachine<'s> {
        let inner = match &interrupt {
            Some(interrupt) => Interpreter::with_interrupt(system, interrupt.clone()),
            None => Interpreter::new(system),
        };
        let zeros = vec![0; system.words() + bits::SPARE];
        let state = M::State::read(&mut Reader::new(&zeros, &self.layout));
        Box::new(RustMachine {
            code: self,
            system,
            inner,
            equivariance: EquivarianceCheck::new(system),
            stepper: Stepper {
                code: self,
                next: state.clone(),
                state,
                source: zeros.clone(),
                packed: zeros,
                actions: Vec::new(),
                args: Vec::new(),
                selector: StepSelector::new(&system.types),
            },
            interrupt,
        })
    }

    fn value(&self, condition: u32, args: &[i64], state: &[u64]) -> i64 {
        let read = || M::State::read(&mut Reader::new(state, &self.layout));
        // Many conditions are asked about one state; whoever comes while another one looks unpacks it again.
        let Ok(mut last) = self.last.try_lock() else { return self.evaluate(condition, args, &read()) };
        match &mut *last {
            Some((packed, _)) if **packed == *state => {}
            Some((packed, unpacked)) if packed.len() == state.len() => {
                packed.copy_from_slice(state);
                unpacked.read_into(&mut Reader::new(state, &self.layout));
            }
            other => *other = Some((state.into(), read())),
        }
        let (_, unpacked) = last.as_ref().expect("it was just put there");
        self.evaluate(condition, args, unpacked)
    }
}

/// Runs the actions of a model.
pub(crate) struct Stepper<'s, M: RustModel> {
    code: &'s Code<M>,
    /// The state at hand, with spare words.
    source: Vec<u64>,
    state: M::State,
    next: M::State,
    packed: Vec<u64>,
    actions: Vec<M::Action>,
    args: Vec<u64>,
    selector: StepSelector,
}

impl<M: RustModel> Stepper<'_, M> {
    /// Pushes the steps of a state that a filter lets through.
    pub fn walk(
        &mut self,
        system: &System,
        state: &[u64],
        filter: StepFilter<'_>,
        sink: &mut dyn Sink,
    ) -> Walk {
        self.source[..state.len()].copy_from_slice(state);
        self.state.read_into(&mut Reader::new(&self.source, &self.code.layout));
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.code.model.actions(&self.state, &mut actions);
        let flow = actions.iter().try_for_each(|action| self.fire(system, action, state.len(), filter, sink));
        self.actions = actions;
        if flow.is_break() { Walk::Stopped } else { Walk::Complete }
    }

    fn fire(
        &mut self,
        system: &System,
        action: &M::Action,
        words: usize,
        filter: StepFilter<'_>,
        sink: &mut dyn Sink,
    ) -> std::ops::ControlFlow<()> {
        self.args.clear();
        let labelled = action.label(&self.code.layout, &mut self.args);
        let rule = match labelled {
            Ok(rule) => RuleId(rule as u32),
            // An argument that is none: blamed on the first rule that could have it, without arguments.
            Err(kind) => return self.misfire(system, kind, sink),
        };
        let label = Label { rule, args: &self.args };
        let Some(weight) = self.selector.weigh(system, filter, label) else {
            return std::ops::ControlFlow::Continue(());
        };
        sink.weigh(weight);
        let site = SiteId(rule.0 + 1);
        self.next.clone_from(&self.state);
        let (code, next) = (self.code, &mut self.next);
        if catch_unwind(AssertUnwindSafe(|| code.model.apply(action, next))).is_err() {
            // What is left of it may be anything.
            self.next = self.state.clone();
            return sink.step(label, Outcome::Fault(Fault { kind: FaultKind::AssertionFailed, site }));
        }
        self.packed.fill(0);
        match self.next.write(&mut Writer::new(&mut self.packed, &self.code.layout)) {
            Ok(()) => sink.step(label, Outcome::State(&self.packed[..words])),
            Err(kind) => sink.step(label, Outcome::Fault(Fault { kind, site })),
        }
    }

    #[cold]
    fn misfire(&self, system: &System, kind: FaultKind, sink: &mut dyn Sink) -> std::ops::ControlFlow<()> {
        let args = vec![0; system.rules[0].args.len()];
        let label = Label { rule: RuleId(0), args: &args };
        sink.step(label, Outcome::Fault(Fault { kind, site: SiteId(1) }))
    }
}

/// A machine for a model.
struct RustMachine<'s, M: RustModel> {
    code: &'s Code<M>,
    system: &'s System,
    /// Evaluates what conditions are made of.
    inner: Interpreter<'s>,
    stepper: Stepper<'s, M>,
    equivariance: EquivarianceCheck<'s>,
    interrupt: Option<Interrupt>,
}

impl<M: RustModel> fmt::Debug for RustMachine<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RustMachine").finish_non_exhaustive()
    }
}

impl<M: RustModel> RustMachine<'_, M> {
    fn is_interrupted(&self) -> bool {
        match &self.interrupt {
            Some(interrupt) => interrupt.is_raised(),
            None => {
                poll();
                false
            }
        }
    }
}

impl<'s, M: RustModel> Machine<'s> for RustMachine<'s, M> {
    fn system(&self) -> &'s System {
        self.system
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        for state in &self.code.initial {
            if self.is_interrupted() {
                return Walk::Interrupted;
            }
            let outcome = match state {
                Ok(state) => Outcome::State(state),
                Err(fault) => Outcome::Fault(*fault),
            };
            if sink(outcome).is_break() {
                return Walk::Stopped;
            }
        }
        Walk::Complete
    }

    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        if self.is_interrupted() {
            return Walk::Interrupted;
        }
        if filter.classes().is_some() {
            self.code.reduced.store(true, Ordering::Relaxed);
            if self.equivariance.is_due() {
                self.equivariance.steps(&mut self.stepper, state);
            }
        }
        self.stepper.walk(self.system, state, filter, sink)
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        if let Expr::Foreign(condition, args) = expr
            && self.code.reduced.load(Ordering::Relaxed)
            && self.equivariance.is_due()
        {
            let values =
                args.iter().map(|arg| self.inner.value(arg, state)).collect::<Result<Vec<i64>, _>>()?;
            let sorts = &self.code.conditions[*condition as usize].sorts;
            self.equivariance.condition(self.code, (*condition, sorts, &values), state);
        }
        self.inner.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.inner.bind(binder, number);
    }
}
