//! Ctrl-C: the first asks the work to stop, the second ends the program at once.

use crate::output::progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What shells report for a program ended by Ctrl-C.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Raises the flag on Ctrl-C (and when asked to terminate). Without handlers on this system the default stays.
pub fn raise_on_interrupt(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    let pressed = AtomicU32::new(0);
    let installed = ctrlc::set_handler(move || {
        flag.store(true, Ordering::SeqCst);
        if pressed.fetch_add(1, Ordering::SeqCst) > 0 {
            progress::clear_line();
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    // The program works without it.
    drop(installed);
}
