//! Who asks a running sandbox: its address, the token that is shown to it, and the world that is meant.
//!
//! Owns: what wins of flags, variables, profiles and defaults. Invariant: what a profile keeps secret is shown to the server of that
//! profile alone. Absent on purpose: what is asked.

use crate::args::running::Bearer;
use crate::exit::FAILED;
use crate::out;
use crate::period::duration;
use crate::profiles::{Credentials, Profile, Profiles};
use crate::{run, trust};
use http::Uri;
use language::words;
use runner::drivers::live;
use runner::drivers::target::Target;
use runner::visit::{Caller, Visit};
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
    /// The world that the profile names.
    pub(crate) profile_world: Option<String>,
    /// By what right steps are sent.
    caller: Caller,
}

/// Why something was not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The server refuses.
    Refused(String),
    /// The input is of no use, or the server does not answer.
    Unusable(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Unusable(why)
    }
}

impl Fault {
    /// Says it, and gives the exit code.
    pub(crate) fn say(&self) -> u8 {
        match self {
            Self::Refused(why) => {
                out::refuse(why);
                FAILED
            }
            Self::Unusable(why) => out::refuse(why),
        }
    }
}

impl Shown {
    /// What the server answers to a `GET` with 200.
    pub(crate) fn get(&self, path: &str) -> Result<String, String> {
        let (status, body) = live::get_bytes(&self.server, path, self.token.as_deref(), self.patience)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status == 200 {
            return Ok(text);
        }
        Err(self.refusal(status, &serde_json::from_str(&text).unwrap_or_default()))
    }

    /// What the server answers to a request with 2xx. What is only read leaves no trace in the world.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Json>) -> Result<Json, Fault> {
        let (server, token) = (&self.server, self.token.as_deref());
        let (status, answer) = match method {
            "GET" => live::observe(server, path, token, self.patience)?,
            _ => live::call(server, method, path, token, body, self.patience)?,
        };
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        Err(Fault::Refused(self.refusal(status, &answer)))
    }

    /// The text that the server answers to a `GET` with 200, which leaves no trace in the world.
    pub(crate) fn read(&self, path: &str) -> Result<String, Fault> {
        let (status, body) = live::observe_bytes(&self.server, path, self.token.as_deref(), self.patience)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status == 200 {
            return Ok(text);
        }
        Err(Fault::Refused(self.refusal(status, &serde_json::from_str(&text).unwrap_or_default())))
    }

    /// A refusal in one line.
    pub(crate) fn refusal(&self, status: u16, answer: &Json) -> String {
        let why = answer["error_description"].as_str().unwrap_or("it is not a fundsim server");
        let help = match (status, &self.token) {
            (401, None) => "; show it credentials: `fundsim login`, --client-id, --token or --operator-token-env",
            _ => "",
        };
        format!("{} answers {status}: {why}{help}", self.server.url)
    }

    /// The world that a flag names, or the profile; otherwise the partner's own, or the oldest.
    pub(crate) fn world(&self, named: Option<&str>) -> Result<String, String> {
        match named.or(self.profile_world.as_deref()) {
            Some(world) => self.id_of_world(world),
            None if self.is_partner => Ok("current".to_owned()),
            None => {
                let worlds = self.worlds()?;
                let id = worlds.first().and_then(|world| world["worldId"].as_str()).map(str::to_owned);
                id.ok_or_else(|| format!("{} has no world", self.server.url))
            }
        }
    }

    /// The same where a wrong guess does harm: among several worlds one is named.
    pub(crate) fn one_world(&self, named: Option<&str>, act: &str) -> Result<String, String> {
        if named.is_some() || self.profile_world.is_some() || self.is_partner {
            return self.world(named);
        }
        match self.worlds()?.as_slice() {
            [only] => Ok(only["worldId"].as_str().unwrap_or_default().to_owned()),
            worlds => {
                let ids: Vec<_> = worlds.iter().filter_map(|world| world["worldId"].as_str()).collect();
                Err(format!("say which world to {act}: {}", ids.join(", ")))
            }
        }
    }

    /// All worlds, as the operator lists them.
    pub(crate) fn worlds(&self) -> Result<Vec<Json>, String> {
        let worlds: Json = serde_json::from_str(&self.get("/_sandbox/worlds")?).unwrap_or_default();
        Ok(worlds.as_array().cloned().unwrap_or_default())
    }

    /// The id of the world that has this id or this name.
    fn id_of_world(&self, named: &str) -> Result<String, String> {
        if named.strip_prefix("world-").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            || named == "current"
        {
            return Ok(named.to_owned());
        }
        if self.is_partner {
            let own: Json = serde_json::from_str(&self.get("/_sandbox/worlds/current")?).unwrap_or_default();
            if own["name"] == named {
                return Ok("current".to_owned());
            }
            let is = own["worldId"].as_str().unwrap_or_default();
            return Err(format!("{named} is not the world of this partner, which is {is}"));
        }
        let worlds = self.worlds()?;
        let text = |world: &Json, key: &str| world[key].as_str().unwrap_or_default().to_owned();
        let found: Vec<_> = worlds.iter().filter(|world| text(world, "name") == named).collect();
        match found.as_slice() {
            [one] => Ok(text(one, "worldId")),
            [] => {
                let names: Vec<_> =
                    worlds.iter().flat_map(|world| [text(world, "name"), text(world, "worldId")]).collect();
                let known: Vec<_> = names.iter().map(String::as_str).collect();
                let hint = words::hint(named, &known).map(|hint| format!("; {hint}")).unwrap_or_default();
                Err(format!("{} has no world `{named}`{hint}", self.server.url))
            }
            several => {
                let ids: Vec<_> = several.iter().map(|world| text(world, "worldId")).collect();
                Err(format!("{} worlds are called `{named}`: name one by its id, {}", ids.len(), ids.join(", ")))
            }
        }
    }

    /// How a step is sent to a world.
    pub(crate) fn visit(&self, named: Option<&str>) -> Visit {
        let is_operators = matches!(self.caller, Caller::Operator);
        Visit {
            server: self.server.clone(),
            patience: self.patience,
            operator_token: self.token.clone().filter(|_| is_operators),
            caller: self.caller.clone(),
            world: named.map(str::to_owned).or_else(|| self.profile_world.clone()),
        }
    }
}

/// What the flags mean with the profile that they name, or the default one; a partner's credentials get a token.
pub(crate) fn shown(url: Option<&str>, flags: &Bearer) -> Result<Shown, String> {
    let profile = profile(url, flags)?;
    let explicit = explicit(flags, profile.as_ref())?;
    let is_own = explicit.is_none();
    let credentials = explicit.or_else(|| profile.as_ref().map(|it| it.credentials.clone())).unwrap_or_default();
    let url = url.map(str::to_owned).or_else(|| profile.as_ref().map(|it| it.url.clone()));
    let ca_file = flags.ca_file.clone().or_else(|| profile.as_ref().and_then(|it| it.ca_file.clone()));
    let server =
        Target { url: url.unwrap_or_else(|| run::USUAL_URL.to_owned()), trust: trust::of_flag(ca_file.as_deref())? };
    let patience = flags.timeout.as_deref().map_or(Ok(live::TIMEOUT), duration)?;
    let shown = reached(server, &credentials, patience)?;
    // The world of a profile is one of its own caller.
    Ok(Shown { profile_world: profile.filter(|_| is_own).and_then(|it| it.world), ..shown })
}

/// The server behind an address, where it answers, with what credentials get there.
pub(crate) fn reached(server: Target, credentials: &Credentials, patience: Duration) -> Result<Shown, String> {
    // One that says nothing at all is given up soon.
    live::reach(&server, patience)?;
    let (token, caller) = match credentials {
        Credentials::Nothing => (None, Caller::Operator),
        Credentials::Partner { id, secret } => {
            let token = live::token(&server, id, secret, patience)?;
            (Some(token), Caller::Partner { id: id.clone(), secret: secret.clone() })
        }
        Credentials::Token(token) => (Some(token.clone()), Caller::Token(token.clone())),
        Credentials::Operator(token) => (Some(token.clone()), Caller::Operator),
        Credentials::OperatorEnv(name) => (run::operator_token(Some(name))?, Caller::Operator),
    };
    let is_partner = !matches!(caller, Caller::Operator);
    Ok(Shown { server, token, patience, is_partner, profile_world: None, caller })
}

/// The profile that the flags name; otherwise the default one, where it is for the server that they name.
fn profile(url: Option<&str>, flags: &Bearer) -> Result<Option<Profile>, String> {
    let has_credentials = flags.token.is_some() || flags.client_secret.is_some() || flags.operator_token_env.is_some();
    if flags.profile.is_none() && url.is_some() && has_credentials {
        // Nothing of it could be used.
        return Ok(None);
    }
    let Some(name) = &flags.profile else {
        let profiles = Profiles::load()?;
        let profile = profiles.default_name().map(|name| profiles.profile(&name)).transpose()?;
        return Ok(profile.filter(|profile| url.is_none_or(|url| is_same_server(url, &profile.url))));
    };
    let profile = Profiles::load()?.profile(name)?;
    if let Some(url) = url.filter(|url| !is_same_server(url, &profile.url)) {
        return Err(format!(
            "the profile {name} is for {}, and its credentials are not shown to {url}: leave --url or --profile out",
            profile.url
        ));
    }
    Ok(Some(profile))
}

/// The credentials that flags and variables name, which win over those of a profile.
pub(crate) fn explicit(flags: &Bearer, profile: Option<&Profile>) -> Result<Option<Credentials>, String> {
    let kept = |id: &str| match profile.map(|profile| &profile.credentials) {
        Some(Credentials::Partner { id: own, secret }) if own == id => Some(secret.clone()),
        _ => None,
    };
    Ok(match (&flags.token, &flags.client_id, &flags.client_secret, &flags.operator_token_env) {
        (Some(token), ..) => Some(Credentials::Token(token.clone())),
        (None, Some(id), secret, _) => {
            let secret = secret.clone().or_else(|| kept(id)).ok_or(
                "--client-id needs the partner's secret: --client-secret, or the environment variable \
                 FUNDSIM_CLIENT_SECRET",
            )?;
            Some(Credentials::Partner { id: id.clone(), secret })
        }
        (None, None, _, Some(name)) => Some(Credentials::OperatorEnv(name.clone())),
        (None, None, _, None) => None,
    })
}

/// Whether two addresses are of one server: scheme, host, port and path.
fn is_same_server(one: &str, other: &str) -> bool {
    let parts = |url: &str| {
        let uri: Uri = url.trim().parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let usual = if scheme == "https" { 443 } else { 80 };
        let path = uri.path().trim_end_matches('/').to_owned();
        Some((scheme, uri.host()?.to_ascii_lowercase(), uri.port_u16().unwrap_or(usual), path))
    };
    one == other || parts(one).is_some_and(|one| Some(one) == parts(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> Bearer {
        Bearer {
            profile: None,
            token: None,
            client_id: None,
            client_secret: None,
            operator_token_env: None,
            ca_file: None,
            timeout: None,
        }
    }

    fn partner(id: &str, secret: &str) -> Credentials {
        Credentials::Partner { id: id.to_owned(), secret: secret.to_owned() }
    }

    #[test]
    fn a_server_is_the_same_however_its_address_is_written() {
        for same in ["http://127.0.0.1:8080/", "HTTP://127.0.0.1:8080"] {
            assert!(is_same_server("http://127.0.0.1:8080", same), "{same}");
        }
        assert!(is_same_server("https://sandbox.example", "https://Sandbox.example:443/"));
        for other in ["https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://127.0.0.1:8080/base", "nonsense"] {
            assert!(!is_same_server("http://127.0.0.1:8080", other), "{other}");
        }
    }

    #[test]
    fn flags_win_over_the_profile_whose_secret_is_used_for_its_own_partner_alone() {
        let profile = Profile { credentials: partner("a", "kept"), ..Profile::default() };
        let of = |flags: &Bearer| explicit(flags, Some(&profile));
        assert_eq!(of(&flags()), Ok(None));
        assert_eq!(of(&Bearer { client_id: Some("a".to_owned()), ..flags() }), Ok(Some(partner("a", "kept"))));
        assert!(of(&Bearer { client_id: Some("b".to_owned()), ..flags() }).is_err());
        let token = Bearer { token: Some("t".to_owned()), ..flags() };
        assert_eq!(of(&token), Ok(Some(Credentials::Token("t".to_owned()))));
        let given = Bearer { client_id: Some("a".to_owned()), client_secret: Some("new".to_owned()), ..flags() };
        assert_eq!(of(&given), Ok(Some(partner("a", "new"))));
    }
}
