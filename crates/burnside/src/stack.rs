//! Work in a thread with a large stack, for operations on diagrams: they go as deep as there are variables.
//!
//! Entry point: [`on_large_stack`]. The interrupt of the work at hand holds there too, and what unwinds there
//! unwinds here.

/// Bytes of such a stack. What is not used takes no memory.
const STACK: usize = 256 << 20;

/// Does some work in a thread with a large stack, and something else here until it is done.
pub(crate) fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send, meanwhile: impl FnOnce()) -> R {
    let interrupt = burnside_limits::current();
    std::thread::scope(|scope| {
        let work = move || match interrupt {
            Some(interrupt) => interrupt.enter(work),
            None => work(),
        };
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.expect("a thread can be started");
        meanwhile();
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
