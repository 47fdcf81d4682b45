//! Bytes into one reader: see `readers.rs`. It catches panics of its own, of worlds that no server has written: the fuzzer, which would
//! end at the first, looks for those that it lets through.
#![no_main]

#[path = "../readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(init: std::panic::set_hook(Box::new(|_| ())), |bytes: &[u8]| readers::kept_run(bytes));
