//! `fundsim openapi`, `fundsim schema`, `fundsim completions`: documents made from the code.

use crate::args::Arguments;
use crate::exit::WELL;
use crate::out;
use clap::CommandFactory as _;
use clap_complete::Shell;

/// The OpenAPI document of the partner API.
pub(crate) fn openapi() -> u8 {
    out::say(&format!("{}\n", sandbox::openapi()));
    WELL
}

/// The JSON Schema of scenario files.
pub(crate) fn schema() -> u8 {
    let schema = serde_json::to_string_pretty(&scenarios::schema::scenario_file());
    match schema {
        Ok(text) => out::say(&format!("{text}\n")),
        Err(error) => return out::refuse(&error.to_string()),
    }
    WELL
}

/// Completions for a shell.
pub(crate) fn completions(shell: Shell) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "fundsim", &mut script);
    out::say(&String::from_utf8_lossy(&script));
    WELL
}
