//! Code for the steps of a state: rule after rule, with all arguments that the guards allow, in the order of
//! the interpreter.
//!
//! Entry point: [`emit`]. The function writes steps into a buffer, one record for each: a number that names
//! the label, and the state. A body runs in the record itself, on a copy of the source. If anything goes
//! wrong in a rule, what was written of it does not count, and the function says so; the interpreter takes
//! the steps of this rule, and the function is called again for the rules behind it.
//!
//! The record of a step whose arguments are known when the code is made holds the number of its label; else
//! its arguments are behind the state.

use crate::choice::{self, Context};
use crate::domain::Each;
use crate::emitter::{Base, Emitted, Emitter, Scalar, Unsupported, region};
use crate::scan::Scan;
use burnside_ts::{Rule, RuleId, System, Target, bits};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, AliasRegion, Block, InstBuilder, MemFlags, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::collections::BTreeSet;
use std::mem::offset_of;
use std::ops::Range;

/// Longer states are copied by a call.
const MANY_WORDS: usize = 16;

/// All rules were looked at.
pub(crate) const COMPLETE: u64 = 0;
/// The rule with this number in the function is left to the interpreter; one more: there was no room.
fn given_up(number: usize) -> u64 {
    2 * (number as u64 + 1)
}
/// A label whose arguments are in the record.
pub(crate) const DYNAMIC: u64 = 1 << 32;

/// Labels that are known when the code is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub list: Vec<(RuleId, Range<u32>)>,
    pub args: Vec<u64>,
    /// How many steps there are at most, but for those of loops and choices.
    pub singles: usize,
    /// By rule, how many words its arguments are.
    pub counts: Vec<usize>,
}

/// How a record is laid out, in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub state: usize,
    /// Where arguments are that are not known when the code is made.
    pub args: usize,
    pub size: usize,
}

impl Record {
    pub fn of(system: &System) -> Self {
        let most = system.rules.iter().map(|rule| rule.args.len()).max().unwrap_or(0);
        // A field at the end is read and written together with the word behind it.
        let args = 1 + system.words() + bits::SPARE;
        Self { state: 1, args, size: args + most }
    }
}

/// Where steps go.
pub(crate) struct StepOutput {
    context: Value,
    source: Value,
    out: Variable,
    /// Where it goes on if there is no room.
    full: Block,
    record: Record,
    labels: Labels,
    /// Whether the body of the rule at hand chooses.
    chooses: bool,
}

/// The signature of the function: context, source, frame and first rule.
pub(crate) fn signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.resize(4, AbiParam::new(types::I64));
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// A rule that there is no code for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoCode(pub RuleId);

/// Generates the function for some rules. Those that are left to the interpreter end it.
pub(crate) fn emit(
    mut b: FunctionBuilder<'_>,
    system: &System,
    rules: Range<usize>,
    left: &BTreeSet<RuleId>,
    mut labels: Labels,
) -> Result<Labels, NoCode> {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.seal_block(entry);
    let params = b.block_params(entry).to_vec();
    let [context, source, frame, first] = params[..] else { unreachable!("there are four") };
    labels.counts = system.rules.iter().map(|rule| rule.args.len()).collect();
    let mut scan = Scan::default();
    let is_left = |rule: usize| left.contains(&RuleId(rule as u32));
    for rule in rules.clone().filter(|&rule| !is_left(rule)) {
        look(&mut scan, system, &system.rules[rule]);
    }
    let out = b.declare_var(types::I64);
    let start = b.ins().load(types::I64, MemFlags::trusted(), context, offset_of!(Context, out) as i32);
    b.def_var(out, start);
    let full = b.create_block();
    let mut emitter = Emitter::new(b, system, &scan, (source, frame));
    emitter.keep_words();
    // These are made anew for each rule, so that none is shared.
    let unused = [emitter.bail, full];
    let record = Record::of(system);
    emitter.steps = Some(StepOutput { context, source, out, full, record, labels, chooses: false });
    let starts: Vec<Block> = rules.clone().map(|_| emitter.b.create_block()).collect();
    let end = emitter.b.create_block();
    let mut switch = Switch::new();
    starts.iter().enumerate().for_each(|(i, &block)| switch.set_entry(i as u128, block));
    switch.emit(&mut emitter.b, first, end);
    for (i, rule) in rules.enumerate() {
        let next = starts.get(i + 1).copied().unwrap_or(end);
        emitter.enter(starts[i]);
        if is_left(rule) {
            emitter.hand_over(i);
        } else {
            emitter.whole_rule(rule, i, next).map_err(|_| NoCode(RuleId(rule as u32)))?;
        }
    }
    emitter.enter(end);
    let last = emitter.b.use_var(out);
    emitter.finish(last, COMPLETE);
    for block in unused {
        emitter.enter(block);
        emitter.b.ins().trap(cranelift_codegen::ir::TrapCode::unwrap_user(1));
    }
    let labels = emitter.steps.take().map(|steps| steps.labels).unwrap_or_default();
    emitter.b.finalize();
    Ok(labels)
}

/// Looks at all of a rule.
fn look(scan: &mut Scan, system: &System, rule: &Rule) {
    rule.params.iter().for_each(|param| scan.binder(system, &param.binder));
    rule.guard.iter().for_each(|part| scan.expr(system, &part.condition));
    scan.block(system, &rule.body);
}

impl<'e, 'f> Emitter<'e, 'f> {
    fn output(&mut self) -> &mut StepOutput {
        self.steps.as_mut().expect("rules are emitted with an output")
    }

    /// Ends the function: steps are written up to here.
    fn finish(&mut self, out: Value, status: u64) {
        let context = self.output().context;
        self.b.ins().store(MemFlags::trusted(), out, context, offset_of!(Context, out) as i32);
        let status = self.constant(status as i64);
        self.b.ins().return_(&[status]);
    }

    /// The interpreter takes the steps of the rule with this number in the function.
    fn hand_over(&mut self, number: usize) {
        let out = self.output().out;
        let here = self.b.use_var(out);
        self.finish(here, given_up(number));
    }

    /// A rule, the one with this number in the function; behind it another block goes on.
    fn whole_rule(&mut self, id: usize, number: usize, next: Block) -> Emitted<()> {
        let [bail, full] = [(); 2].map(|()| self.b.create_block());
        [bail, full].into_iter().for_each(|block| self.b.set_cold_block(block));
        let out = self.output().out;
        let start = self.b.use_var(out);
        (self.bail, self.output().full) = (bail, full);
        self.facts.clear();
        let system: &'e System = self.system;
        let rule = &system.rules[id];
        let mut chooses = Scan::default();
        chooses.block(system, &rule.body);
        self.output().chooses = chooses.chooses;
        for word in rule.args.clone().filter(|&word| self.scan.is_wide(word as u32)) {
            let zero = self.constant(0);
            let Base { pointer, flags, .. } = self.frame;
            self.b.ins().store(flags, zero, pointer, 8 * word as i32);
        }
        self.expand(RuleId(id as u32), rule, 0, 0)?;
        self.b.ins().jump(next, &[]);
        for (block, status) in [(bail, given_up(number)), (full, given_up(number) + 1)] {
            self.enter(block);
            self.finish(start, status);
        }
        Ok(())
    }

    /// Binds the parameters from `level` on. Parts of the guard from `part` on are still to be tested.
    fn expand(&mut self, id: RuleId, rule: &Rule, level: usize, mut part: usize) -> Emitted<()> {
        let skip = self.b.create_block();
        let before = self.facts.clone();
        while let Some(conjunct) = rule.guard.get(part).filter(|conjunct| conjunct.level <= level) {
            let condition = self.expr(&conjunct.condition)?;
            self.go_on_if(condition, true, skip);
            part += 1;
        }
        match rule.params.get(level) {
            None => self.run(id, rule)?,
            Some(param) => {
                let inner = self.inner_weight(rule, level + 1, part);
                self.each(&param.binder, Each::Different, inner, &mut |emitter| {
                    emitter.expand(id, rule, level + 1, part)
                })?;
            }
        }
        self.b.ins().jump(skip, &[]);
        self.enter(skip);
        self.leave(before);
        Ok(())
    }

    /// How much code is inside of the parameters before `level`.
    fn inner_weight(&mut self, rule: &Rule, level: usize, part: usize) -> u64 {
        let system = self.system;
        let guard = &rule.guard[part..];
        let tests: u64 = guard.iter().map(|it| self.weights.expr(system, &it.condition)).sum();
        let inner = tests + self.weights.block(system, &rule.body) + system.words() as u64;
        let params = &rule.params[level..];
        params.iter().rev().fold(inner, |inner, param| self.weights.binder(system, &param.binder, inner))
    }

    /// Runs the body, once for every sequence of choices.
    fn run(&mut self, id: RuleId, rule: &Rule) -> Emitted<()> {
        if !self.output().chooses {
            if self.loops > 0 {
                self.need_room();
            } else {
                self.output().labels.singles += 1;
            }
            return self.once(id, rule);
        }
        let context = self.output().context;
        let [head, after] = [(); 2].map(|()| self.b.create_block());
        let one = choice::signature(&self.b, 1);
        self.call(one, choice::restart as *const u8, &[context]);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        self.need_room();
        let position = self.b.declare_var(types::I64);
        let zero = self.constant(0);
        self.b.def_var(position, zero);
        self.choices = Some((context, position));
        self.once(id, rule)?;
        self.choices = None;
        let chosen = self.b.use_var(position);
        let two = choice::signature(&self.b, 2);
        let more = self.call(two, choice::advance as *const u8, &[context, chosen]);
        let more = more.ok_or(Unsupported("a choice"))?;
        self.b.ins().brif(more, head, &[], after, &[]);
        self.b.seal_block(head);
        self.enter(after);
        Ok(())
    }

    /// Ends the function if there is no room for one more step.
    fn need_room(&mut self) {
        let StepOutput { context, out, full, .. } = *self.output();
        let limit = offset_of!(Context, limit) as i32;
        let limit = self.b.ins().load(types::I64, MemFlags::trusted(), context, limit);
        let here = self.b.use_var(out);
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, here, limit);
        self.go_on_if(Scalar::Bool(over), false, full);
    }

    /// Runs the body once, in the record of the step.
    fn once(&mut self, id: RuleId, rule: &Rule) -> Emitted<()> {
        let before = self.facts.clone();
        let StepOutput { source, out, record, .. } = *self.output();
        let here = self.b.use_var(out);
        let flags = region(AliasRegion::Heap);
        let target = Base { pointer: here, distance: 8 * record.state as i32, flags };
        self.copy_source(source, target);
        let label = self.label(id, rule, here);
        let source = std::mem::replace(&mut self.state, target);
        let done = self.block(&rule.body);
        self.state = source;
        done?;
        self.b.ins().store(flags, label, here, 0);
        let next = self.b.ins().iadd_imm(here, 8 * record.size as i64);
        self.b.def_var(out, next);
        self.leave(before);
        Ok(())
    }

    fn copy_source(&mut self, source: Value, target: Base) {
        let words = self.system.words();
        if words > MANY_WORDS {
            let pointer = self.b.ins().iadd_imm(target.pointer, i64::from(target.distance));
            let count = self.constant(words as i64);
            let three = choice::signature(&self.b, 3);
            self.call(three, copy_words as *const u8, &[pointer, source, count]);
            return;
        }
        for word in 0..words {
            let value = match self.words.get(word) {
                Some(&value) => value,
                None => self.b.ins().load(types::I64, self.state.flags, source, 8 * word as i32),
            };
            self.b.ins().store(target.flags, value, target.pointer, target.distance + 8 * word as i32);
        }
    }

    /// The number of the label of the step at hand.
    fn label(&mut self, id: RuleId, rule: &Rule, here: Value) -> Value {
        let known = rule.params.iter().map(|param| match param.binder.target {
            Target::Scalar(slot) => match self.facts.get(&slot.0) {
                Some(&(low, high)) if low == high => Some((slot.index() - rule.args.start, low as u64)),
                _ => None,
            },
            Target::Wide(_) => None,
        });
        let known: Option<Vec<(usize, u64)>> = known.collect();
        if let Some(known) = known {
            let labels = &mut self.output().labels;
            let first = labels.args.len();
            labels.args.resize(first + rule.args.len(), 0);
            known.iter().for_each(|&(at, value)| labels.args[first + at] = value);
            labels.list.push((id, first as u32..labels.args.len() as u32));
            let number = labels.list.len() as i64 - 1;
            return self.constant(number);
        }
        self.dynamic_args(rule, here);
        self.constant((DYNAMIC | u64::from(id.0)) as i64)
    }

    /// Puts the arguments behind the state. The body has not yet run: it does not change them.
    fn dynamic_args(&mut self, rule: &Rule, here: Value) {
        let args = self.output().record.args;
        let flags = region(AliasRegion::Heap);
        for (i, word) in rule.args.clone().enumerate() {
            let is_scalar = |target| matches!(target, Target::Scalar(slot) if slot.index() == word);
            let value = if rule.params.iter().any(|param| is_scalar(param.binder.target)) {
                let value = self.local(burnside_ts::Slot(word as u32));
                self.int(value)
            } else {
                let Base { pointer, flags, .. } = self.frame;
                self.b.ins().load(types::I64, flags, pointer, 8 * word as i32)
            };
            self.b.ins().store(flags, value, here, 8 * (args + i) as i32);
        }
    }
}

/// Copies words. The result means nothing.
extern "C" fn copy_words(to: *mut u64, from: *const u64, count: usize) -> u64 {
    // SAFETY: native code calls this with a record of the buffer and the source, both at least so long, and
    // the source is not in the buffer.
    unsafe { std::ptr::copy_nonoverlapping(from, to, count) };
    0
}
