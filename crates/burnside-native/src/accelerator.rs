//! How a system comes to be run by native code: it names this as its accelerator.

use crate::code::NativeCode;
use crate::machine::NativeMachine;
use burnside_limits::Interrupt;
use burnside_ts::{Accelerator, AnyMachine, Maker, System};
use std::sync::Arc;

/// Runs systems by native code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native {
    /// Whether everything is compiled at once, however short the search will be.
    pub eager: bool,
}

impl Accelerator for Native {
    fn maker<'s>(&self, system: &'s System) -> Box<dyn Maker<'s> + 's> {
        Box::new(NativeMaker { code: Arc::new(NativeCode::new(system)), eager: self.eager })
    }
}

/// Makes machines that share code.
#[derive(Debug)]
struct NativeMaker<'s> {
    code: Arc<NativeCode<'s>>,
    eager: bool,
}

impl<'s> Maker<'s> for NativeMaker<'s> {
    fn machine(&self, interrupt: Interrupt) -> AnyMachine<'s> {
        let code = Arc::clone(&self.code);
        Box::new(match self.eager {
            true => NativeMachine::after(code, interrupt, 0),
            false => NativeMachine::new(code, interrupt),
        })
    }
}
