//! The command line: arguments in, one of the jobs done, an exit code out.
//!
//! Owns: exit codes. 0: all is well; 1: something was looked at and is not as it should be; 2: the input is of no use.
//! Absent on purpose: everything that a job does (`serve`, `run`, ...) and everything it does it with (the crates).

mod args;
mod check;
mod documents;
mod explain;
mod fuzz;
mod out;
mod replay;
mod run;
mod serve;

use args::{Arguments, Job};
use clap::Parser as _;
use std::process::ExitCode;

/// Worlds are made of millions of small records; the system's allocator spends a fifth of an order's time on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// All is well.
const WELL: u8 = 0;
/// Something is not as it should be.
const FAILED: u8 = 1;
/// The input is of no use.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let code = match Arguments::parse().job {
        Job::Serve(asked) => serve::serve(&asked),
        Job::Run(asked) => run::run(&asked),
        Job::Fuzz(asked) => fuzz::fuzz(&asked),
        Job::Replay { paths } => replay::replay(&paths),
        Job::Check(asked) => check::check(&asked),
        Job::Explain { topic } => explain::explain(topic.as_deref()),
        Job::Openapi => documents::openapi(),
        Job::Schema => documents::schema(),
        Job::Completions { shell } => documents::completions(shell),
    };
    ExitCode::from(code)
}
