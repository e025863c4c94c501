//! The machine code of one system: its steps, and those conditions that are asked for often.
//!
//! Entry point: [`NativeCode`]. It is shared by all machines of a search: each thing is compiled once, by the
//! first machine that needs it.

use crate::choice::Context;
use crate::emitter::{Emitter, Unsupported};
use crate::jit::{Compiled, Compiler};
use crate::scan::{Scan, Weights};
use crate::steps::{self, Labels, NoCode, Record};
use burnside_ts::{Expr, RuleId, System};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlags, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The code of one function is about so much.
const CHUNK: u64 = 1024;
/// Code of more than so many parts is not compiled: it would take too long, and a table of guards is better
/// at telling which of thousands of instances are enabled.
const MOST: u64 = 1 << 14;
/// What a rule counts for at most: its loops are not written out then.
const MOST_OF_RULE: u64 = 1 << 12;

/// What is compiled of a system.
#[derive(Debug)]
pub struct NativeCode<'s> {
    system: &'s System,
    steps: OnceLock<Option<StepCode>>,
    /// By their addresses: they are borrowed as long as the system.
    conditions: Mutex<HashMap<usize, Option<Arc<ConditionCode>>>>,
}

/// The steps of a system.
#[derive(Debug)]
pub(crate) struct StepCode {
    compiled: Compiled,
    /// The first rule of each function.
    pub firsts: Vec<usize>,
    pub labels: Labels,
    pub record: Record,
    /// The rules that there is no code for.
    pub left: BTreeSet<RuleId>,
}

/// A condition.
#[derive(Debug)]
pub(crate) struct ConditionCode(Compiled);

// SAFETY: who calls one passes what its signature in `steps.rs` stands for.
type StepFunction = unsafe extern "C" fn(*mut Context, *const u64, *mut u64, u64) -> u64;
// SAFETY: who calls one passes what `condition_signature` stands for.
type ConditionFunction = unsafe extern "C" fn(*const u64, *mut u64, *mut i64) -> u64;

impl<'s> NativeCode<'s> {
    /// Nothing is compiled yet.
    pub fn new(system: &'s System) -> Self {
        Self { system, steps: OnceLock::new(), conditions: Mutex::default() }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Compiles the steps, if that was not done and can be done.
    pub(crate) fn steps(&self) -> Option<&StepCode> {
        self.steps.get_or_init(|| compile_steps(self.system)).as_ref()
    }

    /// Whether there is code for the steps, and of how many rules there is none.
    pub fn has_steps(&self) -> Option<usize> {
        self.steps().map(|steps| steps.left.len())
    }

    /// Compiles a condition, if that was not done and can be done.
    pub(crate) fn condition(&self, expr: &'s Expr) -> Option<Arc<ConditionCode>> {
        let mut known = self.conditions.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || compile_condition(self.system, expr).map(Arc::new);
        known.entry(std::ptr::from_ref(expr) as usize).or_insert_with(compile).clone()
    }
}

impl StepCode {
    /// Calls one of the functions, for its rules from the one with a number on.
    pub fn call(
        &self,
        function: usize,
        context: &mut Context,
        source: &[u64],
        frame: &mut [u64],
        first: u64,
    ) -> u64 {
        // SAFETY: the pointer is to a function that was made with this signature (`steps::signature`).
        let function: StepFunction = unsafe { std::mem::transmute(self.compiled.functions[function]) };
        // SAFETY: the source and the frame are as long as the system says, with spare words; there is room in
        // the buffer for a step of each instance at least, behind the limit, and the code looks at the limit
        // before it writes others (`need_room`).
        unsafe { function(context, source.as_ptr(), frame.as_mut_ptr(), first) }
    }
}

impl ConditionCode {
    /// The value in a state; none if the interpreter must say.
    pub fn value(&self, source: &[u64], frame: &mut [u64]) -> Option<i64> {
        // SAFETY: the pointer is to a function that was made with this signature (`condition_signature`).
        let function: ConditionFunction = unsafe { std::mem::transmute(self.0.functions[0]) };
        let mut value = 0;
        // SAFETY: the source and the frame are as long as the system says, with spare words.
        let status = unsafe { function(source.as_ptr(), frame.as_mut_ptr(), &mut value) };
        (status == 0).then_some(value)
    }
}

/// How much code there is for the steps, in parts of the source.
pub(crate) fn step_weights(system: &System) -> Vec<u64> {
    let mut weights = Weights::default();
    let rule = |rule: &burnside_ts::Rule| {
        let tests: u64 = rule.guard.iter().map(|it| weights.expr(system, &it.condition)).sum();
        let inner = tests + weights.block(system, &rule.body) + system.words() as u64;
        let params = rule.params.iter().rev();
        let all = params.fold(inner, |inner, param| weights.binder(system, &param.binder, inner));
        all.min(MOST_OF_RULE)
    };
    system.rules.iter().map(rule).collect()
}

fn compile_steps(system: &System) -> Option<StepCode> {
    let weights = step_weights(system);
    if weights.iter().sum::<u64>() > MOST || system.foreign.is_some() {
        return None;
    }
    let mut compiler = Compiler::new()?;
    let signature = steps::signature(compiler.convention());
    let (mut labels, mut firsts, mut next) = (Labels::default(), Vec::new(), 0);
    let mut left = BTreeSet::new();
    while next < system.rules.len() {
        let (first, mut weight) = (next, 0);
        while next < system.rules.len() && (next == first || weight + weights[next] <= CHUNK) {
            weight += weights[next];
            next += 1;
        }
        // A rule without code is found by trying.
        labels = loop {
            let build = |b: FunctionBuilder<'_>| steps::emit(b, system, first..next, &left, labels.clone());
            match compiler.function(signature.clone(), build) {
                Ok(emitted) => break emitted?,
                Err(NoCode(rule)) => left.insert(rule),
            };
        };
        firsts.push(first);
    }
    let weight = |rule: &RuleId| weights[rule.index()];
    // Little would be won.
    if 2 * left.iter().map(weight).sum::<u64>() > weights.iter().sum() {
        return None;
    }
    Some(StepCode { compiled: compiler.finish()?, firsts, labels, record: Record::of(system), left })
}

/// The signature of a condition: source, frame, and where the value goes.
fn condition_signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.resize(3, AbiParam::new(types::I64));
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

fn compile_condition(system: &System, expr: &Expr) -> Option<ConditionCode> {
    let mut compiler = Compiler::new()?;
    let signature = condition_signature(compiler.convention());
    compiler.function(signature, |b| emit_condition(b, system, expr)).ok()??;
    compiler.finish().map(ConditionCode)
}

fn emit_condition(mut b: FunctionBuilder<'_>, system: &System, expr: &Expr) -> Result<(), Unsupported> {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.seal_block(entry);
    let params = b.block_params(entry).to_vec();
    let [source, frame, result] = params[..] else { unreachable!("there are three") };
    let mut scan = Scan::default();
    scan.expr(system, expr);
    let mut emitter = Emitter::new(b, system, &scan, (source, frame));
    emitter.keep_words();
    let value = emitter.expr(expr)?;
    let value = emitter.int(value);
    emitter.b.ins().store(MemFlags::trusted(), value, result, 0);
    let good = emitter.constant(0);
    emitter.b.ins().return_(&[good]);
    let bail = emitter.bail;
    emitter.enter(bail);
    let bad = emitter.constant(1);
    emitter.b.ins().return_(&[bad]);
    emitter.b.finalize();
    Ok(())
}
