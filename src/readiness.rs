//! `fundsim readiness`: what an integration has met of a world of a running sandbox, and what never.
//!
//! Absent on purpose: counting, which is the server's, and how it is shown, which is `runner::report`'s.

use crate::args::{Output, Readiness};
use crate::bearer;
use crate::exit::{FAILED, WELL};
use crate::out;
use runner::report::readiness::{Coverage, html, text};
use serde_json::Value as Json;

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
    let (world, url, answer) = ask(flags)?;
    let coverage = Coverage::read(answer.clone())?;
    if let Some(path) = &flags.html {
        let wanted = flags.fail_under.map(u64::from);
        let about = html::About { world: &world, url: &url, version: env!("CARGO_PKG_VERSION"), wanted };
        let page = html::page(&coverage, &about);
        std::fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match flags.output {
        Output::Json => out::say(&format!("{answer}\n")),
        Output::Text => out::say(&text(&coverage, &world, flags.all)),
    }
    Ok(coverage.share)
}

/// The world, the address of its server, and what that says of it.
fn ask(flags: &Readiness) -> Result<(String, String, Json), String> {
    let shown = bearer::shown(flags.url.as_deref(), &flags.bearer)?;
    let world = shown.world(flags.world.as_deref())?;
    let partner = flags.partner.map(|partner| format!("?partner={partner}")).unwrap_or_default();
    let answer = shown.get(&format!("/_sandbox/worlds/{world}/coverage{partner}"))?;
    let answer = serde_json::from_str(&answer).map_err(|error| format!("the server's coverage is no JSON: {error}"))?;
    let world = if world == "current" { "the partner's world".to_owned() } else { world };
    Ok((world, shown.server.url, answer))
}
