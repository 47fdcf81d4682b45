//! The command line: arguments in, one of the jobs done, an exit code out.
//!
//! Absent on purpose: everything that a job does (`serve`, `run`, ...) and everything it does it with (the crates).
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! exit, interrupt, paint, period, profiles, step, table, trust, watch, year
//! completion, out, wanted
//! args, explain
//! check, documents, health, reference, run
//! bearer, exercise, fuzz, serve
//! data, logs, mcp, readiness, record, replay, trigger, why, worlds
//! clock, login, picture
//! ```

mod args;
mod bearer;
mod check;
mod clock;
mod completion;
mod data;
mod documents;
mod exercise;
mod exit;
mod explain;
mod fuzz;
mod health;
mod interrupt;
mod login;
mod logs;
mod mcp;
mod out;
mod paint;
mod period;
mod picture;
mod profiles;
mod readiness;
mod record;
mod reference;
mod replay;
mod run;
mod serve;
mod step;
mod table;
mod trigger;
mod trust;
mod wanted;
mod watch;
mod why;
mod worlds;
mod year;

use args::{Arguments, Job};
use clap::{CommandFactory as _, Parser as _};
use std::process::ExitCode;

/// Worlds are made of millions of small records; the system's allocator spends a fifth of an order's time on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A shell that completes a command line asks the program itself, by a variable.
    clap_complete::CompleteEnv::with_factory(Arguments::command).complete();
    let arguments = Arguments::parse();
    paint::choose(arguments.color);
    let code = match arguments.job {
        Job::Serve(flags) => serve::serve(&flags),
        Job::Run(flags) => run::run(&flags),
        Job::Fuzz(flags) => fuzz::fuzz(&flags),
        Job::Exercise(flags) => exercise::run(&flags),
        Job::Replay { paths } => replay::replay(&paths),
        Job::Check(flags) => check::check(&flags),
        Job::Data { what } => data::data(&what),
        Job::Why(flags) => why::why(&flags),
        Job::Record(flags) => record::record(&flags),
        Job::Readiness(flags) => readiness::readiness(&flags),
        Job::Open(flags) => serve::open::open(&flags),
        Job::Login(flags) => login::login(&flags),
        Job::Logout(flags) => login::logout(&flags),
        Job::Worlds(flags) => worlds::worlds(&flags),
        Job::Clock(flags) => clock::clock(&flags),
        Job::Picture(flags) => picture::picture(&flags),
        Job::Trigger(flags) => trigger::trigger(&flags),
        Job::Logs(flags) => logs::logs(&flags),
        Job::Mcp(flags) => mcp::mcp(flags),
        Job::Health(flags) => health::health(&flags),
        Job::Explain { topic, output } => explain::explain(topic.as_deref(), output.as_deref()),
        Job::Openapi { plane } => documents::openapi(plane),
        Job::Schema { of } => documents::schema(of),
        Job::Setup { which } => documents::setup(which),
        Job::Completions { shell } => documents::completions(shell),
        Job::Licenses => documents::licenses(),
        Job::Man => documents::manual(),
    };
    ExitCode::from(out::code(code))
}
