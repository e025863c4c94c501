//! Runs a model written in Rust: unpacks a state, calls the model, packs what comes back.
//!
//! Entry point: [`Code`], the [`Foreign`] of a lowered model. Nothing is allocated per successor but what the
//! model allocates itself: the machine keeps two states and a buffer.

use crate::action::Action;
use crate::data::{Data, Layout, Reader, Writer};
use crate::equivariance::EquivarianceCheck;
use crate::lower::Initial;
use crate::model::{Measure, RustModel};
use burnside_limits::{Interrupt, Stop, give_up, poll};
use burnside_ts::{
    AnyMachine, Binder, Expr, Fault, FaultKind, Foreign, InitialSink, Interpreter, Label, Machine, Outcome,
    RuleId, Sink, SiteId, SortId, StepFilter, StepSelector, System, Undefined, Walk, bits,
};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// A condition with its arguments: one closure for each combination of members, the last running fastest.
pub(crate) struct Condition<S> {
    pub instances: Vec<Measure<S>>,
    pub sizes: Vec<usize>,
    /// The sorts of the arguments.
    pub sorts: Vec<SortId>,
    /// The property that it is a part of.
    pub property: String,
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
    /// Whom a panic is blamed on that is not one of a step: the list of actions, and then the conditions.
    pub blamed: SiteId,
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
        blamed: SiteId,
    ) -> Self {
        Self { model, layout, initial, conditions, last: Mutex::new(None), blamed }
    }

    /// The value of a condition in a state of the model.
    fn evaluate(&self, condition: u32, args: &[i64], state: &M::State) -> Result<i64, Fault> {
        let Condition { instances, sizes, .. } = &self.conditions[condition as usize];
        let instance = sizes.iter().zip(args).fold(0, |number, (size, arg)| number * size + *arg as usize);
        let site = SiteId(self.blamed.0 + 1 + condition);
        catch_unwind(AssertUnwindSafe(|| instances[instance](state)))
            .map_err(|_| Fault { kind: FaultKind::AssertionFailed, site })
    }
}

impl<M: RustModel> Foreign for Code<M> {
    fn machine<'s>(&'s self, system: &'s System, interrupt: Option<Interrupt>) -> AnyMachine<'s> {
        let inner = match &interrupt {
            Some(interrupt) => Interpreter::with_interrupt(system, interrupt.clone()),
            None => Interpreter::new(system),
        };
        let zeros = vec![0; system.words() + bits::SPARE];
        Box::new(RustMachine {
            code: self,
            system,
            inner,
            equivariance: EquivarianceCheck::new(system),
            reduced: false,
            early: Vec::new(),
            stepper: Stepper {
                code: self,
                state: None,
                next: None,
                source: zeros.clone(),
                packed: zeros,
                actions: Vec::new(),
                args: Vec::new(),
                selector: StepSelector::new(&system.types),
            },
            interrupt,
        })
    }

    fn value(&self, condition: u32, args: &[i64], state: &[u64]) -> Result<i64, Fault> {
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
    /// What it means, and where a step leads to; none before the first walk, since zeros need not be a state.
    state: Option<M::State>,
    next: Option<M::State>,
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
        let mut reader = Reader::new(&self.source, &self.code.layout);
        match &mut self.state {
            Some(state) => state.read_into(&mut reader),
            none => *none = Some(M::State::read(&mut reader)),
        }
        let here = self.state.take().expect("it was just read");
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        let code = self.code;
        let listed = catch_unwind(AssertUnwindSafe(|| code.model.actions(&here, &mut actions)));
        let flow = match listed {
            Ok(()) => actions
                .iter()
                .try_for_each(|action| self.fire(system, (&here, action), state.len(), filter, sink)),
            Err(_) => self.misfire(system, FaultKind::AssertionFailed, sink),
        };
        (self.state, self.actions) = (Some(here), actions);
        if flow.is_break() { Walk::Stopped } else { Walk::Complete }
    }

    fn fire(
        &mut self,
        system: &System,
        (state, action): (&M::State, &M::Action),
        words: usize,
        filter: StepFilter<'_>,
        sink: &mut dyn Sink,
    ) -> std::ops::ControlFlow<()> {
        self.args.clear();
        let labelled = action.label(&self.code.layout, &mut self.args);
        let rule = match labelled {
            Ok(rule) => RuleId(rule as u32),
            // An argument that is none.
            Err(kind) => return self.misfire(system, kind, sink),
        };
        let label = Label { rule, args: &self.args };
        let Some(weight) = self.selector.weigh(system, filter, label) else {
            return std::ops::ControlFlow::Continue(());
        };
        sink.weigh(weight);
        let site = SiteId(rule.0 + 1);
        let code = self.code;
        let mut next = self.next.take().unwrap_or_else(|| state.clone());
        next.clone_from(state);
        if catch_unwind(AssertUnwindSafe(|| code.model.apply(action, &mut next))).is_err() {
            // What is left of it may be anything.
            return sink.step(label, Outcome::Fault(Fault { kind: FaultKind::AssertionFailed, site }));
        }
        self.packed.fill(0);
        let written = next.write(&mut Writer::new(&mut self.packed, &code.layout));
        self.next = Some(next);
        match written {
            Ok(()) => sink.step(label, Outcome::State(&self.packed[..words])),
            Err(kind) => sink.step(label, Outcome::Fault(Fault { kind, site })),
        }
    }

    /// A fault that is no action's: a step of the first rule, since there must be one, without arguments.
    #[cold]
    fn misfire(&self, system: &System, kind: FaultKind, sink: &mut dyn Sink) -> std::ops::ControlFlow<()> {
        let Some(first) = system.rules.first() else {
            give_up(Stop::Inconclusive("the model panics when it is asked for its actions".to_string()))
        };
        let args = vec![0; first.args.len()];
        let label = Label { rule: RuleId(0), args: &args };
        sink.weigh(1);
        sink.step(label, Outcome::Fault(Fault { kind, site: self.code.blamed }))
    }

    /// Where faults are that are no action's.
    pub fn blamed(&self) -> SiteId {
        self.code.blamed
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
    /// Whether the symmetry of the model is used.
    reduced: bool,
    /// The conditions that were asked for before that was known.
    early: Vec<Asking>,
    interrupt: Option<Interrupt>,
}

/// A condition with its arguments and a state.
type Asking = (u32, Vec<i64>, Box<[u64]>);

/// So many conditions are kept until it is known whether the symmetry of the model is used.
const EARLY: usize = 256;

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

    /// From here on it is known that the symmetry of the model is used.
    fn reduces(&mut self) {
        self.reduced = true;
        for (condition, args, state) in std::mem::take(&mut self.early) {
            self.compare((condition, &args), &state);
        }
    }

    /// Looks at a condition in a permuted state, if it is time to.
    fn compare(&mut self, (condition, args): (u32, &[i64]), state: &[u64]) {
        let sorts = &self.code.conditions[condition as usize].sorts;
        self.equivariance.condition(self.code, (condition, sorts, args), state);
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
            if !self.reduced {
                self.reduces();
            }
            self.equivariance.steps(&mut self.stepper, state);
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
            && (self.reduced || filter.classes().is_some() || self.early.len() < EARLY)
        {
            let values =
                args.iter().map(|arg| self.inner.value(arg, state)).collect::<Result<Vec<i64>, _>>()?;
            if !self.reduced && filter.classes().is_some() {
                self.reduces();
            }
            match self.reduced {
                true => self.compare((*condition, &values), state),
                false => self.early.push((*condition, values, state.into())),
            }
        }
        self.inner.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.inner.bind(binder, number);
    }
}
