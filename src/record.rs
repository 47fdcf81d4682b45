//! `fundsim record`: what a world of a running sandbox has seen, as a scenario file.
//!
//! Absent on purpose: writing the scenario, which is the server's.

use crate::args::Record;
use crate::bearer;
use crate::exit::WELL;
use crate::out;
use language::diagnostic::Source;
use language::parse::{NoFiles, parse};

/// Asks the server and writes its answer down.
pub(crate) fn record(flags: &Record) -> u8 {
    let text = match ask(flags) {
        Ok(text) => text,
        Err(why) => return out::refuse(&why),
    };
    if let Some(missing) = missing(&text) {
        out::note(&format!("fundsim: the recording is incomplete: {missing}\n"));
    }
    match &flags.output {
        None => out::say(&text),
        Some(path) => {
            if let Err(error) = std::fs::write(path, text) {
                return out::refuse(&format!("{}: {error}", path.display()));
            }
        }
    }
    WELL
}

/// What the file says is missing of the session.
fn missing(text: &str) -> Option<String> {
    parse(&Source::new("recorded.yaml", text), &NoFiles).ok()?.incomplete
}

fn ask(flags: &Record) -> Result<String, String> {
    let shown = bearer::shown(flags.url.as_deref(), &flags.bearer)?;
    let world = shown.world(flags.world.as_deref())?;
    shown.get(&format!("/_sandbox/worlds/{world}/scenario"))
}
