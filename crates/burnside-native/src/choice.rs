//! The choices of a body: it runs once for every sequence of them, in the order of the interpreter's
//! odometer.
//!
//! Entry points, called by native code: [`next`] and [`advance`]. They know the context of steps.

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_frontend::FunctionBuilder;

/// Bodies with more choices are left to the interpreter.
const MOST: usize = 64;
/// What [`next`] says then.
pub(crate) const TOO_MANY: u64 = u64::MAX;

/// What native code for steps works with.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Where the next step is written.
    pub out: *mut u64,
    /// From here on there is no room for more than one step of each instance.
    pub limit: *mut u64,
    /// The choices of this run: number, and among how many.
    made: [(u64, u64); MOST],
    count: usize,
}

// SAFETY: the pointers lead into a buffer of the machine that has the context, are set before each call of
// native code, and mean nothing after it. Nobody else has them, so they may go where the machine goes.
unsafe impl Send for Context {}

impl Context {
    pub fn new() -> Self {
        let nowhere = std::ptr::null_mut();
        Self { out: nowhere, limit: nowhere, made: [(0, 0); MOST], count: 0 }
    }
}

/// A function of ours that takes and gives 64-bit numbers.
pub(crate) fn signature(b: &FunctionBuilder<'_>, params: usize) -> Signature {
    let mut signature = Signature::new(b.func.signature.call_conv);
    signature.params.resize(params, AbiParam::new(types::I64));
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// Before the first run: nothing was chosen. The result means nothing.
pub(crate) extern "C" fn restart(context: &mut Context) -> u64 {
    context.count = 0;
    0
}

/// The number of the choice at a position of this run, among `size` ≥ 1.
pub(crate) extern "C" fn next(context: &mut Context, position: usize, size: u64) -> u64 {
    if position >= MOST {
        return TOO_MANY;
    }
    if position == context.count {
        context.made[position] = (0, size);
        context.count += 1;
    }
    context.made[position].0
}

/// Moves on to the next run, after one that chose so often; 0 if there is none.
pub(crate) extern "C" fn advance(context: &mut Context, chosen: usize) -> u64 {
    context.count = chosen;
    while context.count > 0 {
        let (value, size) = &mut context.made[context.count - 1];
        *value += 1;
        if *value < *size {
            return 1;
        }
        context.count -= 1;
    }
    0
}
