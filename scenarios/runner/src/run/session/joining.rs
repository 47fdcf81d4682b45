//! Joining the world that an application uses, and leaving it.
//!
//! Invariant: the world is neither made nor dropped. What the story changed for itself is put back: settings that its file names, fault
//! rules, webhooks. Absent on purpose: what was done through the partner API and by levers, which is history.

use super::exchange::{OutgoingRequest, ShownPart};
use super::state::Session;
use crate::drivers::{From, Request};
use crate::run::caller::Caller;
use crate::run::joined_world::JoinedWorld;

use bytes::Bytes;
use hyper::header::{AUTHORIZATION, HeaderValue};
use hyper::{HeaderMap, Method};
use language::ast::{Actor, Scenario};
use serde_json::{Map, Value as Json, json};
use sim::time::Instant;

/// The path of the world that a partner's token leads to.
const OWN_WORLD: &str = "/_sandbox/worlds/current";
/// The path of a partner's own clients.
const CLIENTS: &str = "/v2/partner/client";
/// What helps where the machinery is the operator's.
const BY_PARTNER_OF_APPLICATION: &str = "the partner whose application it is by --client-id and --client-secret";
const BY_PARTNER: &str = "a partner of the world by --client-id and --client-secret";

impl Session {
    /// Joins the world that the application uses.
    pub(super) async fn join_world(&mut self, scenario: &Scenario) -> Result<(), String> {
        let Some(application) = self.driver.application() else { return Ok(()) };
        let (target, url) = (application.target().clone(), application.url().to_owned());
        for (secret, name) in application.secrets().collect::<Vec<_>>() {
            self.transcript.mask(&secret, &name);
        }
        self.names.set("app", Json::String(url));
        let world = match &target.partner {
            Some((id, secret)) => self.world_of_partner(target.world.as_deref(), id, secret).await?,
            None => self.world_of_operator(target.world.as_deref(), BY_PARTNER_OF_APPLICATION).await?,
        };
        self.be_in(&world);
        if self.partners.first().is_none_or(|first| first.clients.is_empty()) {
            return Err("the application's world has no partner with a client".to_owned());
        }
        self.joined = Some(JoinedWorld::default());
        if let Some(start) = &scenario.world.start {
            self.begin_at(start).await?;
        }
        // The last that can fail: what a story has set that does not begin would stay.
        self.set_settings(&scenario.world.settings).await?;
        self.start.clone_from(&self.now);
        let seed = world.get("seed").cloned().unwrap_or_default();
        self.names.set("world", json!({ "id": self.world, "seed": seed, "start": self.start }));
        Ok(())
    }

    /// Joins a world that goes on without the story: what is sent there is all that is done to it.
    pub(super) async fn visit_world(&mut self, world: Option<&str>, caller: &Caller) -> Result<(), String> {
        let world = match caller {
            Caller::Partner { id, secret } => self.world_of_partner(world, id, secret).await?,
            Caller::Token(token) => self.world_of_token(world, token).await?,
            Caller::Operator => self.world_of_operator(world, BY_PARTNER).await?,
        };
        self.be_in(&world);
        if let (Caller::Token(token), Some(first)) = (caller, self.partners.first_mut()) {
            first.token = Some(token.clone());
        }
        let (seed, start) = (world.get("seed").cloned().unwrap_or_default(), world["start"].clone());
        self.names.set("world", json!({ "id": self.world, "seed": seed, "start": start }));
        Ok(())
    }

    /// Takes a world that was read for the session's own.
    fn be_in(&mut self, world: &Json) {
        let text = |key: &str| world.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        self.world = text("worldId");
        self.now_is(text("now"));
        self.transcript.mask(&self.world, "{world}");
        let partners = world.get("partners").and_then(Json::as_array).cloned().unwrap_or_default();
        for (at, partner) in partners.iter().enumerate() {
            self.meet(at + 1, partner);
        }
    }

    /// The world of a partner whose credentials are named, with that partner first. Others are known where the operator tells.
    async fn world_of_partner(&mut self, wanted: Option<&str>, id: &str, secret: &str) -> Result<Json, String> {
        self.meet(1, &json!({ "clientId": id, "clientSecret": secret }));
        let token = self.token(1).await.map_err(|error| format!("the partner {id}: {error}"))?;
        let mut world = self.read_with(&token, OWN_WORLD).await?;
        check_world(&world, wanted, &format!("the partner {id}"))?;
        let whole = format!("/_sandbox/worlds/{}", world["worldId"].as_str().unwrap_or_default());
        let with_secrets = self.operator(Method::GET, &whole, &Json::Null).await.ok();
        let known = with_secrets.as_ref().unwrap_or(&world)["partners"].as_array().cloned().unwrap_or_default();
        let (own, others): (Vec<_>, Vec<_>) = known.into_iter().partition(|partner| partner["clientId"] == *id);
        let mut partners: Vec<_> = own.into_iter().take(1).collect();
        for partner in &mut partners {
            partner["clientSecret"] = secret.into();
        }
        if with_secrets.is_some() {
            partners.extend(others);
        }
        world["partners"] = Json::Array(partners);
        self.partners.clear();
        Ok(world)
    }

    /// The world of a partner whose access token is named, with that partner alone.
    async fn world_of_token(&mut self, wanted: Option<&str>, token: &str) -> Result<Json, String> {
        let mut world = self.read_with(token, OWN_WORLD).await?;
        check_world(&world, wanted, "the token")?;
        // Where the machinery is open, the partner sees the others, too.
        let own = self.read_with(token, CLIENTS).await?;
        let is_own = |client: &Json| own.as_array().is_some_and(|own| own.iter().any(|it| it["id"] == client["id"]));
        let has_own = |partner: &Json| partner["clients"].as_array().is_some_and(|clients| clients.iter().any(is_own));
        let partners = world["partners"].as_array().cloned().unwrap_or_default();
        world["partners"] = partners.into_iter().filter(has_own).collect();
        Ok(world)
    }

    /// What is answered to a token with 200.
    async fn read_with(&mut self, token: &str, path: &str) -> Result<Json, String> {
        let mut headers = HeaderMap::new();
        let bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| error.to_string())?;
        headers.insert(AUTHORIZATION, bearer);
        self.only_looks(&mut headers);
        let request =
            Request { from: From::Elsewhere, method: Method::GET, path: path.to_owned(), headers, body: Bytes::new() };
        let answer = self.driver.call(request).await.map_err(|error| format!("{path}: {error}"))?;
        let body: Json = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.status != 200 {
            return Err(format!("{path} answered {}: {}", answer.status, language::matching::show(&body)));
        }
        Ok(body)
    }

    /// The world that is named, or the server's first, with the credentials of all its partners, as the operator reads it.
    async fn world_of_operator(&mut self, wanted: Option<&str>, otherwise: &str) -> Result<Json, String> {
        let listed = self.operator(Method::GET, "/_sandbox/worlds", &Json::Null).await;
        let listed = listed
            .map_err(|why| format!("{why}; name the operator's token by --operator-token-env, or {otherwise}"))?;
        let worlds = listed.as_array().cloned().unwrap_or_default();
        let found = match wanted {
            None => worlds.first(),
            Some(wanted) => worlds.iter().find(|world| is_called(world, wanted)),
        };
        let Some(found) = found else {
            let there: Vec<_> = worlds.iter().filter_map(|world| world["worldId"].as_str()).collect();
            let wanted = wanted.unwrap_or("at all");
            return Err(format!("the server has no world {wanted}; it has: {}", there.join(", ")));
        };
        let path = format!("/_sandbox/worlds/{}", found["worldId"].as_str().unwrap_or_default());
        self.operator(Method::GET, &path, &Json::Null).await
    }

    /// Brings the clock to the instant at which the story begins.
    async fn begin_at(&mut self, start: &str) -> Result<(), String> {
        let wanted = Instant::parse(start).map_err(|_| format!("`start`: `{start}` is not an instant"))?;
        let now = Instant::parse(&self.now).map_err(|_| format!("the world's clock shows `{}`", self.now))?;
        if now > wanted {
            return Err(format!(
                "the story begins at {wanted}, and the application's world is at {now} already: time does not go back. Start the \
                 sandbox with `--clock frozen --start` at or before the story's `start`, or play stories in the order of their days"
            ));
        }
        if now < wanted {
            self.own("POST", "clock/advance", &json!({ "to": wanted.to_string() })).await?;
            self.now_is(wanted.to_string());
        }
        Ok(())
    }

    /// Sets the settings that the file names, and remembers what they were.
    async fn set_settings(&mut self, settings: &[(String, Json)]) -> Result<(), String> {
        if settings.is_empty() {
            return Ok(());
        }
        let now = self.own("GET", "settings", &Json::Null).await?;
        let (mut set, mut before) = (Map::new(), Map::new());
        for (name, value) in settings {
            let of_world = now["world"].get(name);
            for (body, value) in [(&mut set, Some(value)), (&mut before, of_world.or_else(|| now.get(name)))] {
                let Some(value) = value else { continue };
                match of_world {
                    Some(_) => body.entry("world").or_insert_with(|| json!({}))[name] = value.clone(),
                    None => drop(body.insert(name.clone(), value.clone())),
                }
            }
        }
        self.own("PATCH", "settings", &Json::Object(set)).await?;
        if let Some(joined) = &mut self.joined {
            joined.settings = Some(Json::Object(before));
        }
        Ok(())
    }

    /// Puts back what the story has changed in the world's machinery. What the server refuses is left as it is.
    pub(super) async fn leave_world(&mut self, joined: JoinedWorld) {
        // What the application has added is its own.
        let added = self.driver.application().map(|application| std::mem::take(&mut application.added));
        for (list, id) in added.into_iter().flatten() {
            drop(self.own("DELETE", &format!("{list}/{id}"), &Json::Null).await);
        }
        if let Some(settings) = joined.settings {
            drop(self.own("PATCH", "settings", &settings).await);
        }
    }

    /// A request of the machinery of the application's world, which transcripts do not show.
    pub(in crate::run) async fn own(&mut self, method: &str, path: &str, body: &Json) -> Result<Json, String> {
        let path = format!("{OWN_WORLD}/{path}");
        let request = OutgoingRequest::new(method, path.clone());
        let request = if body.is_null() { request } else { request.json(body) };
        match self.send(Actor::default(), request, ShownPart::Nothing).await.map_err(|trouble| trouble.what)? {
            Some(answer) if answer.is_good() => Ok(answer.body),
            Some(answer) => {
                Err(format!("{method} {path} answered {}: {}", answer.status, language::matching::show(&answer.body)))
            }
            None => Err(format!("{method} {path}: {}", self.silence())),
        }
    }
}

/// That a partner's world is the one that is wanted.
fn check_world(world: &Json, wanted: Option<&str>, whose: &str) -> Result<(), String> {
    match wanted.filter(|wanted| *wanted != "current" && !is_called(world, wanted)) {
        Some(wanted) => {
            let is = world["worldId"].as_str().unwrap_or_default();
            Err(format!("--world {wanted} is not the world of {whose}, which is {is}"))
        }
        None => Ok(()),
    }
}

/// Whether a world has this id or this name.
fn is_called(world: &Json, wanted: &str) -> bool {
    ["worldId", "name"].iter().any(|key| world[*key] == *wanted)
}
