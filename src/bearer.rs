//! Who asks a running sandbox: the token that is shown to it, and the world that is meant.
//!
//! Absent on purpose: what is asked.

use crate::args::Bearer;
use crate::period::duration;
use crate::{run, trust};
use runner::drivers::live;
use runner::drivers::target::Target;
use serde_json::Value as Json;
use std::time::Duration;

/// What is shown to which server, and whose it is.
pub(crate) struct Shown {
    /// Where the server is.
    pub(crate) server: Target,
    /// The token; none where every caller may ask.
    pub(crate) token: Option<String>,
    /// How long the server may take for an answer.
    pub(crate) patience: Duration,
    /// Whether it is a partner's, whose world is then the one that is meant.
    pub(crate) is_partner: bool,
}

impl Shown {
    /// What the server answers to a `GET` with 200.
    pub(crate) fn get(&self, path: &str) -> Result<String, String> {
        let (status, body) = live::get_bytes(&self.server, path, self.token.as_deref(), self.patience)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status == 200 {
            return Ok(text);
        }
        let answer: Json = serde_json::from_str(&text).unwrap_or_default();
        let why = answer["error_description"].as_str().unwrap_or("it is not a fundsim server");
        Err(format!("{} answers {status}: {why}", self.server.url))
    }

    /// The world that a flag names; otherwise the partner's own, or the oldest.
    pub(crate) fn world(&self, named: Option<&str>) -> Result<String, String> {
        match named {
            Some(world) => Ok(world.to_owned()),
            None if self.is_partner => Ok("current".to_owned()),
            None => {
                let worlds: Json = serde_json::from_str(&self.get("/_sandbox/worlds")?).unwrap_or_default();
                let id = worlds[0]["worldId"].as_str().map(str::to_owned);
                id.ok_or_else(|| format!("{} has no world", self.server.url))
            }
        }
    }
}

/// The token that the flags mean, asked for by a partner's credentials where these are given.
pub(crate) fn shown(url: &str, flags: &Bearer) -> Result<Shown, String> {
    let patience = flags.timeout.as_deref().map_or(Ok(live::TIMEOUT), duration)?;
    // One that says nothing at all is given up soon.
    let server = Target { url: url.to_owned(), trust: trust::of_flag(flags.ca_file.as_deref())? };
    live::reach(&server, patience)?;
    let of_partner = match (&flags.token, &flags.client_id, &flags.client_secret) {
        (Some(token), ..) => Some(token.clone()),
        (None, Some(id), Some(secret)) => Some(live::token(&server, id, secret, patience)?),
        (None, Some(_), None) => {
            return Err("--client-id needs the partner's secret: --client-secret, or the environment variable \
                        FUNDSIM_CLIENT_SECRET"
                .to_owned());
        }
        (None, None, _) => None,
    };
    let is_partner = of_partner.is_some();
    let token = match of_partner {
        Some(token) => Some(token),
        None => run::operator_token(flags.operator_token_env.as_deref())?,
    };
    Ok(Shown { server, token, patience, is_partner })
}
