//! The machine that runs native code.
//!
//! Entry point: [`NativeMachine`]. A walk over few states is not worth compiling anything for: until then,
//! and for all that has no code, the interpreter with a memory works. It also takes the steps of a rule
//! again in which the code gave up, because of a fault or because there were too many.

use crate::choice::Context;
use crate::code::{ConditionCode, NativeCode, StepCode, step_weights};
use crate::steps::{COMPLETE, DYNAMIC};
use burnside_limits::Interrupt;
use burnside_ts::{
    Binder, CachingInterpreter, Expr, InitialSink, Label, Machine, Outcome, RuleId, Sink, StepFilter, System,
    Target, Undefined, Walk, bits, unrank,
};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

/// After so many states, and some for each part of the code, steps are compiled: that takes about as long as
/// to look at as many states without.
const LATER: u32 = 2048;
/// After so many evaluations a condition is compiled.
const OFTEN: u32 = 2048;
/// How many steps there is room for, besides one for each instance.
const ROOM: usize = 1 << 10;
/// After so many states code is given up in which the interpreter had to help in every fourth or more.
const PATIENCE: u32 = 1 << 10;
/// How often the flag is looked at.
const SOMETIMES: u32 = 256;

/// Runs native code.
#[derive(Debug)]
pub struct NativeMachine<'s> {
    code: Arc<NativeCode<'s>>,
    fallback: CachingInterpreter<'s>,
    /// Takes the steps of rules that there is no code for.
    left: Option<CachingInterpreter<'s>>,
    interrupt: Interrupt,
    /// How many states are still looked at without code for steps.
    wait: u32,
    /// How many evaluations a condition waits for its code.
    often: u32,
    conditions: HashMap<usize, Evaluated, BuildHasherDefault<AddressHasher>>,
    /// The state at hand, with spare words.
    source: Box<[u64]>,
    frame: Box<[u64]>,
    buffer: Vec<u64>,
    context: Box<Context>,
    ticks: u32,
    /// In how many states native code was used, and how often the interpreter had to help.
    walks: u32,
    bails: u32,
}

/// How a condition is evaluated.
#[derive(Debug)]
enum Evaluated {
    /// By the interpreter, so many times more.
    Later(u32),
    /// By the interpreter.
    Interpreted,
    /// By native code.
    Native(Arc<ConditionCode>),
}

impl<'s> NativeMachine<'s> {
    /// A machine that shares code with others. Its walks end soon after the flag is raised.
    pub fn new(code: Arc<NativeCode<'s>>, interrupt: Interrupt) -> Self {
        let weight: u64 = step_weights(code.system()).iter().sum();
        let wait = LATER.saturating_add(u32::try_from(weight).unwrap_or(u32::MAX));
        Self { often: OFTEN, ..Self::after(code, interrupt, wait) }
    }

    /// A machine that has steps compiled after so many states, and conditions at once.
    pub fn after(code: Arc<NativeCode<'s>>, interrupt: Interrupt, states: u32) -> Self {
        let system = code.system();
        Self {
            fallback: CachingInterpreter::new(system, interrupt.clone()),
            left: None,
            interrupt,
            wait: states,
            often: 0,
            conditions: HashMap::default(),
            source: vec![0; system.words() + bits::SPARE].into(),
            frame: vec![0; system.frame + bits::SPARE].into(),
            buffer: Vec::new(),
            context: Box::new(Context::new()),
            ticks: 0,
            walks: 0,
            bails: 0,
            code,
        }
    }

    /// All steps, by native code.
    fn native(&mut self, state: &[u64], sink: &mut dyn Sink) -> Option<Walk> {
        if self.walks >= PATIENCE {
            if self.bails > self.walks / 4 {
                return None;
            }
            (self.walks, self.bails) = (0, 0);
        }
        self.walks += 1;
        let Self { code, fallback, left, interrupt, source, frame, buffer, context, bails, .. } = self;
        let (steps, words) = (code.steps()?, state.len());
        let size = steps.record.size;
        if buffer.is_empty() {
            buffer.resize(size * (2 * steps.labels.singles + ROOM), 0);
        }
        let start = buffer.as_mut_ptr();
        context.out = start;
        // One of each instance fits behind the limit, and the one that is looked for.
        context.limit = start.wrapping_add(buffer.len() - size * (steps.labels.singles + 1));
        source[..state.len()].copy_from_slice(state);
        sink.weigh(1);
        for (function, &first_rule) in steps.firsts.iter().enumerate() {
            let mut first = 0;
            loop {
                let status = steps.call(function, context, source, frame, first);
                if status == COMPLETE {
                    break;
                }
                let (rule, full) = (status / 2 - 1, status % 2 == 1);
                let written = (context.out as usize - start as usize) / 8;
                context.out = start;
                if drain(steps, words, &buffer[..written], sink).is_break() {
                    return Some(Walk::Stopped);
                }
                first = rule;
                if full && written > 0 {
                    continue;
                }
                let id = RuleId((first_rule as u64 + rule) as u32);
                let helper = match steps.left.contains(&id) {
                    true => left.get_or_insert_with(|| {
                        CachingInterpreter::of_rules(code.system(), interrupt.clone(), steps.left.clone())
                    }),
                    false => {
                        *bails += 1;
                        &mut *fallback
                    }
                };
                match helper.rule_steps(state, id, sink) {
                    Walk::Complete => first += 1,
                    ended => return Some(ended),
                }
                sink.weigh(1);
            }
        }
        let written = (context.out as usize - start as usize) / 8;
        let flow = drain(steps, words, &buffer[..written], sink);
        Some(if flow.is_break() { Walk::Stopped } else { Walk::Complete })
    }

    fn is_interrupted(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        self.ticks.is_multiple_of(SOMETIMES) && self.interrupt.is_raised()
    }
}

/// Passes steps on.
fn drain(steps: &StepCode, words: usize, records: &[u64], sink: &mut dyn Sink) -> ControlFlow<()> {
    for record in records.chunks_exact(steps.record.size) {
        let label = match record[0] {
            number if number < DYNAMIC => {
                let (rule, args) = &steps.labels.list[number as usize];
                Label { rule: *rule, args: &steps.labels.args[args.start as usize..args.end as usize] }
            }
            number => {
                let rule = number as u32;
                let count = steps.labels.counts[rule as usize];
                Label { rule: RuleId(rule), args: &record[steps.record.args..][..count] }
            }
        };
        sink.step(label, Outcome::State(&record[steps.record.state..][..words]))?;
    }
    ControlFlow::Continue(())
}

impl<'s> Machine<'s> for NativeMachine<'s> {
    fn system(&self) -> &'s System {
        self.code.system()
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        self.fallback.initial(sink)
    }

    /// In the order of the interpreter.
    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        if filter.classes().is_some() {
            return self.fallback.successors_filtered(state, filter, sink);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return self.fallback.successors_filtered(state, filter, sink);
        }
        if self.is_interrupted() {
            return Walk::Interrupted;
        }
        match self.native(state, sink) {
            Some(walk) => walk,
            None => self.fallback.successors_filtered(state, filter, sink),
        }
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        let often = self.often;
        let address = std::ptr::from_ref(expr) as usize;
        let how = self.conditions.entry(address).or_insert(Evaluated::Later(often));
        match how {
            Evaluated::Later(0) => {
                *how = match self.code.condition(expr) {
                    Some(code) => Evaluated::Native(code),
                    None => Evaluated::Interpreted,
                };
            }
            Evaluated::Later(left) => *left -= 1,
            Evaluated::Interpreted | Evaluated::Native(_) => {}
        }
        if let Evaluated::Native(code) = how {
            self.source[..state.len()].copy_from_slice(state);
            if let Some(value) = code.value(&self.source, &mut self.frame) {
                return Ok(value);
            }
        }
        self.fallback.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.fallback.bind(binder, number);
        let types = &self.system().types;
        match binder.target {
            Target::Scalar(slot) => {
                self.frame[slot.index()] = (number as i64).wrapping_add(types.bias(binder.ty)) as u64;
            }
            Target::Wide(bit) => unrank(types, binder.ty, &mut self.frame, bit, number),
        }
    }

    fn fallback(&mut self) -> Option<&mut (dyn Machine<'s> + 's)> {
        Some(&mut self.fallback)
    }
}

/// Addresses differ in few bits.
#[derive(Debug, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(byte.into()));
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
