//! Murphi models: see `burnside_testkit::readers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| burnside_testkit::readers::run("murphi", bytes));
