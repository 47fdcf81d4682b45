//! `fundsim why`: how something in a running sandbox came to be as it is.
//!
//! Absent on purpose: finding out, which is the server's, and the words, which failed stories use too.

use crate::args::{Output, Why};
use crate::bearer::{self, Shown};
use crate::exit::WELL;
use crate::out;
use runner::drivers::live;
use runner::drivers::target::Target;
use runner::report::why::text;
use serde_json::Value as Json;
use std::time::Duration;

/// Asks the server and prints its answer.
pub(crate) fn why(flags: &Why) -> u8 {
    match ask(flags) {
        Ok(explained) if flags.output == Output::Json => out::say(&format!("{explained}\n")),
        Ok(explained) => out::say(&text(&explained, flags.deliveries)),
        Err(why) => return out::refuse(&why),
    }
    WELL
}

fn ask(flags: &Why) -> Result<Json, String> {
    let shown = bearer::shown(flags.url.as_deref(), &flags.bearer)?;
    let is_named = flags.world.is_some() || shown.profile_world.is_some();
    let named = if is_named { Some(shown.world(flags.world.as_deref())?) } else { None };
    let Shown { server, token, patience, is_partner, .. } = shown;
    let token = token.as_deref();
    let worlds = match named {
        Some(world) => vec![world],
        None if is_partner => vec!["current".to_owned()],
        None => worlds(&server, token, patience)?,
    };
    let mut refusals = Vec::new();
    for world in worlds {
        let path = format!("/_sandbox/worlds/{world}/why/{}?limit={}", flags.id, flags.limit);
        let (status, answer) = live::get(&server, &path, token, patience)?;
        if status == 200 {
            return Ok(answer);
        }
        let why =
            word(&answer, "error_description").map_or_else(|| format!("the server answers {status}"), str::to_owned);
        refusals.push((world, why));
    }
    Err(format!("{}: {}", flags.id, refused(&refusals)))
}

/// What all worlds say, or what each of them says.
fn refused(refusals: &[(String, String)]) -> String {
    let Some((_, first)) = refusals.first() else { return "there is no world".to_owned() };
    if refusals.iter().all(|(_, why)| why == first) {
        return first.clone();
    }
    refusals.iter().map(|(world, why)| format!("{world}: {why}")).collect::<Vec<_>>().join("; ")
}

/// The ids of all worlds.
fn worlds(server: &Target, token: Option<&str>, patience: Duration) -> Result<Vec<String>, String> {
    let (status, answer) = live::get(server, "/_sandbox/worlds", token, patience)?;
    let ids = answer
        .as_array()
        .map(|worlds| worlds.iter().filter_map(|world| word(world, "worldId").map(str::to_owned)).collect());
    ids.filter(|_| status == 200).ok_or_else(|| {
        let why = word(&answer, "error_description").unwrap_or("it is not a fundsim server");
        format!("{} answers {status}: {why}", server.url)
    })
}

fn word<'j>(value: &'j Json, name: &str) -> Option<&'j str> {
    value[name].as_str()
}
