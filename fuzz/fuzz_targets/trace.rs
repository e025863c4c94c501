//! Trace files. Their reader is a part of the program, which is no library: its files are built into this
//! target as they are.
#![no_main]
#![allow(dead_code)]

#[path = "../../crates/burnside-cli/src/args.rs"]
mod args;
#[path = "../../crates/burnside-cli/src/claim.rs"]
mod claim;
#[path = "../../crates/burnside-cli/src/commands/mod.rs"]
mod commands;
#[path = "../../crates/burnside-cli/src/crash.rs"]
mod crash;
#[path = "../../crates/burnside-cli/src/exit.rs"]
mod exit;
#[path = "../../crates/burnside-cli/src/input.rs"]
mod input;
#[path = "../../crates/burnside-cli/src/interrupt.rs"]
mod interrupt;
#[path = "../../crates/burnside-cli/src/memory.rs"]
mod memory;
#[path = "../../crates/burnside-cli/src/output/mod.rs"]
mod output;
#[path = "../../crates/burnside-cli/src/random.rs"]
mod random;
#[path = "../../crates/burnside-cli/src/recorded/mod.rs"]
mod recorded;
#[path = "../../crates/burnside-cli/src/run.rs"]
mod run;
#[path = "../../crates/burnside-cli/src/supervisor.rs"]
mod supervisor;
#[path = "../../crates/burnside-cli/src/recorded/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::read(bytes));
