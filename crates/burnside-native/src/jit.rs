//! Functions of machine code in memory of their own.
//!
//! Entry point: [`Compiler`]. Memory is written first and made executable then, never both at once: that is
//! what the memory provider of `cranelift-jit` does. It is freed with the [`Compiled`] functions.

use cranelift_codegen::Context;
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::fmt;
use std::mem::ManuallyDrop;

/// Builds one function after the other; its signature first.
pub(crate) struct Compiler {
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    functions: Vec<cranelift_module::FuncId>,
}

/// Functions that were compiled together.
pub(crate) struct Compiled {
    module: ManuallyDrop<JITModule>,
    /// Where each begins.
    pub functions: Vec<*const u8>,
}

// SAFETY: the module is not used before it is dropped, and the pointers are to memory that nobody writes.
unsafe impl Send for Compiled {}
// SAFETY: the same.
unsafe impl Sync for Compiled {}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("functions", &self.functions).finish_non_exhaustive()
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here. Who calls a function has borrowed `self`, so nobody is in
        // one of them.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl Compiler {
    /// None on platforms for which there is no code generator.
    pub fn new() -> Option<Self> {
        let mut flags = settings::builder();
        let checks = if cfg!(debug_assertions) { "true" } else { "false" };
        for (name, value) in [
            ("opt_level", "speed"),
            ("enable_verifier", checks),
            ("unwind_info", "false"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Some(Self { module, context, builder: FunctionBuilderContext::new(), functions: Vec::new() })
    }

    /// How functions of ours are called.
    pub fn convention(&self) -> CallConv {
        self.module.isa().default_call_conv()
    }

    /// One more function. What is to be built must be finished, or an error.
    pub fn function<T, E>(
        &mut self,
        signature: cranelift_codegen::ir::Signature,
        build: impl FnOnce(FunctionBuilder<'_>) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        self.context.clear();
        self.context.func.signature = signature;
        let built = build(FunctionBuilder::new(&mut self.context.func, &mut self.builder));
        if built.is_err() {
            // What is half done must not be seen by the next one.
            self.builder = FunctionBuilderContext::new();
        }
        let built = built?;
        let signature = &self.context.func.signature;
        let Ok(id) = self.module.declare_anonymous_function(signature) else { return Ok(None) };
        let defined = self.module.define_function(id, &mut self.context);
        debug_assert!(defined.is_ok(), "{defined:?}");
        Ok(defined.ok().map(|()| {
            self.functions.push(id);
            built
        }))
    }

    /// All functions, ready to be called.
    pub fn finish(mut self) -> Option<Compiled> {
        let finished = self.module.finalize_definitions();
        let pointer = |&id: &_| self.module.get_finalized_function(id);
        let functions = self.functions.iter().map(pointer).collect();
        let compiled = Compiled { module: ManuallyDrop::new(self.module), functions };
        finished.ok().map(|()| compiled)
    }
}
