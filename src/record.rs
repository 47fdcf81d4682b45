//! `fundsim record`: what a world of a running sandbox has seen, as a scenario file.
//!
//! Absent on purpose: writing the scenario, which is the server's.

use crate::args::Record;
use crate::bearer::{self, Shown};
use crate::exit::WELL;
use crate::out;
use language::diagnostic::Source;
use language::parse::{NoFiles, parse};
use runner::drivers::live;
use runner::drivers::target::Target;
use serde_json::Value as Json;
use std::time::Duration;

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
    let Shown { server, token, patience, is_partner } = bearer::shown(&flags.url, &flags.bearer)?;
    let world = match &flags.world {
        Some(world) => world.clone(),
        None if is_partner => "current".to_owned(),
        None => first(&server, token.as_deref(), patience)?,
    };
    let path = format!("/_sandbox/worlds/{world}/scenario");
    let (status, body) = live::get_bytes(&server, &path, token.as_deref(), patience)?;
    let text = String::from_utf8_lossy(&body).into_owned();
    if status == 200 { Ok(text) } else { Err(refused(&server.url, status, &text)) }
}

/// The id of the oldest world.
fn first(server: &Target, token: Option<&str>, patience: Duration) -> Result<String, String> {
    let (status, body) = live::get_bytes(server, "/_sandbox/worlds", token, patience)?;
    let text = String::from_utf8_lossy(&body);
    let worlds: Json = serde_json::from_str(&text).unwrap_or_default();
    let id = worlds[0]["worldId"].as_str().map(str::to_owned);
    id.ok_or_else(|| {
        if status == 200 { format!("{} has no world", server.url) } else { refused(&server.url, status, &text) }
    })
}

fn refused(url: &str, status: u16, text: &str) -> String {
    let answer: Json = serde_json::from_str(text).unwrap_or_default();
    format!("{url} answers {status}: {}", answer["error_description"].as_str().unwrap_or("it is not a fundsim server"))
}
