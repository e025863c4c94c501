//! Ctrl-C: the first asks the work to stop, the second ends the program at once.

use crate::output::progress;
use crate::supervisor::Supervisor;
use std::sync::atomic::{AtomicU32, Ordering};

/// What shells report for a program ended by Ctrl-C.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Stops the work on Ctrl-C (and when asked to terminate). Without handlers on this system the default stays.
pub fn stop_on_interrupt(supervisor: &Supervisor) {
    let supervisor = supervisor.clone();
    let pressed = AtomicU32::new(0);
    let installed = ctrlc::set_handler(move || {
        supervisor.interrupt();
        if pressed.fetch_add(1, Ordering::SeqCst) > 0 {
            progress::clear_line();
            crate::output::message("interrupted twice: the program ends here, without a report\n");
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    // The program works without it.
    drop(installed);
}
