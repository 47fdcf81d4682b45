//! `fundsim readiness`: what an integration has met of a world of a running sandbox, and what never.
//!
//! Absent on purpose: counting, which is the server's, and how it is shown, which is `runner::report`'s.

use crate::args::{Output, Readiness};
use crate::bearer::{self, Shown};
use crate::exit::{FAILED, WELL};
use crate::out;
use runner::drivers::live;
use runner::drivers::target::Target;
use runner::report::readiness::{Coverage, html, text};
use serde_json::Value as Json;
use std::time::Duration;

/// Asks the server, shows its answer, and holds it against the share that is wanted.
pub(crate) fn readiness(flags: &Readiness) -> u8 {
    match show(flags) {
        Ok(share) => {
            let wanted = flags.fail_under.map_or(0, u64::from);
            if share >= wanted {
                return WELL;
            }
            out::note(&format!("fundsim: {share} % is below --fail-under {wanted}\n"));
            FAILED
        }
        Err(why) => out::refuse(&why),
    }
}

/// Shows the answer, and gives its share.
fn show(flags: &Readiness) -> Result<u64, String> {
    let (world, answer) = ask(flags)?;
    let coverage = Coverage::read(answer.clone())?;
    if let Some(path) = &flags.html {
        let wanted = flags.fail_under.map(u64::from);
        let about = html::About { world: &world, url: &flags.url, version: env!("CARGO_PKG_VERSION"), wanted };
        let page = html::page(&coverage, &about);
        std::fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match flags.output {
        Output::Json => out::say(&format!("{answer}\n")),
        Output::Text => out::say(&text(&coverage, &world, flags.all)),
    }
    Ok(coverage.share)
}

/// The world, and what the server says of it.
fn ask(flags: &Readiness) -> Result<(String, Json), String> {
    let Shown { server, token, patience, is_partner } = bearer::shown(&flags.url, &flags.bearer)?;
    let token = token.as_deref();
    let world = match &flags.world {
        Some(world) => world.clone(),
        None if is_partner => "current".to_owned(),
        None => first(&server, token, patience)?,
    };
    let partner = flags.partner.map(|partner| format!("?partner={partner}")).unwrap_or_default();
    let path = format!("/_sandbox/worlds/{world}/coverage{partner}");
    let answer = asked(&server, &path, token, patience)?;
    let world = if world == "current" { "the partner's world".to_owned() } else { world };
    Ok((world, answer))
}

/// The id of the oldest world.
fn first(server: &Target, token: Option<&str>, patience: Duration) -> Result<String, String> {
    let worlds = asked(server, "/_sandbox/worlds", token, patience)?;
    worlds[0]["worldId"].as_str().map(str::to_owned).ok_or_else(|| format!("{} has no world", server.url))
}

fn asked(server: &Target, path: &str, token: Option<&str>, patience: Duration) -> Result<Json, String> {
    let (status, answer) = live::get(server, path, token, patience)?;
    if status == 200 {
        return Ok(answer);
    }
    let why = answer["error_description"].as_str().unwrap_or("it is not a fundsim server");
    Err(format!("{} answers {status}: {why}", server.url))
}
