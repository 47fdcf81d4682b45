//! `fundsim why`: how something in a running sandbox came to be as it is.
//!
//! Absent on purpose: finding out, which is the server's, and the words, which failed stories use too.

use crate::args::{Output, Why};
use crate::exit::WELL;
use crate::{out, run};
use scenarios::drivers::live;
use scenarios::report::why::text;
use serde_json::Value as Json;

/// Asks the server and tells its answer.
pub(crate) fn why(flags: &Why) -> u8 {
    let told = run::operator_token(flags.operator_token_env.as_deref()).and_then(|token| ask(flags, token.as_deref()));
    match told {
        Ok(told) if flags.output == Output::Json => out::say(&format!("{told}\n")),
        Ok(told) => out::say(&text(&told)),
        Err(why) => return out::refuse(&why),
    }
    WELL
}

fn ask(flags: &Why, token: Option<&str>) -> Result<Json, String> {
    let worlds = match &flags.world {
        Some(world) => vec![world.clone()],
        None => worlds(&flags.url, token)?,
    };
    let mut refused = "there is no world".to_owned();
    for world in worlds {
        let path = format!("/_sandbox/worlds/{world}/why/{}?limit={}", flags.id, flags.limit);
        let (status, answer) = live::get(&flags.url, &path, token)?;
        if status == 200 {
            return Ok(answer);
        }
        refused =
            answer["error_description"].as_str().map_or_else(|| format!("the server answers {status}"), str::to_owned);
    }
    Err(format!("{}: {refused}", flags.id))
}

/// The ids of all worlds.
fn worlds(url: &str, token: Option<&str>) -> Result<Vec<String>, String> {
    let (status, answer) = live::get(url, "/_sandbox/worlds", token)?;
    let ids = answer
        .as_array()
        .map(|worlds| worlds.iter().filter_map(|world| word(world, "worldId").map(str::to_owned)).collect());
    ids.filter(|_| status == 200).ok_or_else(|| {
        let why = word(&answer, "error_description").unwrap_or("that is no fundsim");
        format!("{url} answers {status}: {why}")
    })
}

fn word<'j>(value: &'j Json, name: &str) -> Option<&'j str> {
    value[name].as_str()
}
