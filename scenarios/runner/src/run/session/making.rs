//! Making the world of a story, and meeting those who are in it.
//!
//! Invariant: everything about a world that differs from run to run or from server to server is masked or left out.

use super::state::{Partner, Session};
use crate::run::in_words;
use feed::transport::SurfaceSettings;
use hyper::Method;
use language::ast::{Example, Scenario};
use language::words::OWN_SETTINGS;
use serde_json::{Map, Value as Json, json};
use sim::time::Instant;

impl Session {
    pub(super) async fn make_world(&mut self, scenario: &Scenario, seed: u64) -> Result<(), String> {
        let mut body = json!({ "seed": seed, "start": scenario.start(), "clock": "frozen" });
        let (of_world, of_surface) = settings(&scenario.world.settings);
        if let (Some(setup), Json::Object(body)) = (setup(scenario, of_world), &mut body) {
            body.insert("setup".to_owned(), setup);
        }
        let answer = self.operator(Method::POST, "/_sandbox/worlds", &body).await?;
        let text = |value: &Json, key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        self.world = text(&answer, "worldId");
        self.now_is(text(&answer, "now"));
        self.start.clone_from(&self.now);
        let url = text(&answer, "url");
        if url.len() > "http://".len() {
            self.transcript.mask(&url, "{url}");
        }
        self.transcript.mask(&self.world, "{world}");
        self.names.set("world", json!({ "id": self.world, "seed": seed, "start": self.start }));
        let partners = answer.get("partners").and_then(Json::as_array).cloned().unwrap_or_default();
        for (at, partner) in partners.iter().enumerate() {
            self.meet(at + 1, partner);
        }
        if self.partners.is_empty() || self.partners[0].clients.is_empty() {
            return Err("the world has no partner with a client".to_owned());
        }
        if !of_surface.is_empty() {
            let path = format!("/_sandbox/worlds/{}/settings", self.world);
            self.operator(Method::PATCH, &path, &Json::Object(of_surface)).await?;
        }
        Ok(())
    }

    /// The business clock shows this; `{today}` is its day in Stockholm.
    pub(in crate::run) fn now_is(&mut self, now: String) {
        if let Ok(instant) = Instant::parse(&now) {
            self.names.set("today", Json::String(instant.local_date().to_string()));
        }
        self.names.set("now", Json::String(now.clone()));
        self.now = now;
    }

    pub(in crate::run) fn meet(&mut self, number: usize, partner: &Json) {
        let text = |key: &str| partner.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let clients = partner.get("clients").and_then(Json::as_array).cloned().unwrap_or_default();
        self.transcript.mask(&text("clientId"), &format!("{{partner {number} clientId}}"));
        self.transcript.mask(&text("clientSecret"), &format!("{{partner {number} clientSecret}}"));
        self.transcript.mask(&text("callbackSecret"), &format!("{{partner {number} callbackSecret}}"));
        self.names.set(&format!("partner {number}"), partner.clone());
        if number == 1 {
            self.names.set("partner", partner.clone());
            for (at, client) in clients.iter().enumerate() {
                self.names.set(&format!("client {}", at + 1), client.clone());
            }
            self.names.set("client", clients.first().cloned().unwrap_or_default());
        }
        let id = |client: &Json| client.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        self.partners.push(Partner {
            client_id: text("clientId"),
            secret: text("clientSecret"),
            clients: clients.iter().map(id).collect(),
            token: None,
            callback_secret: text("callbackSecret"),
        });
    }

    pub(super) fn begin_transcript(&mut self, scenario: &Scenario, row: Option<&Example>, seed: u64) {
        let title = match row {
            Some(row) => format!("{}: {}", scenario.title, in_words(row)),
            None => scenario.title.clone(),
        };
        self.transcript.title(&title, &format!("seed {seed}, from {}", self.start));
    }
}

/// Settings of the world, which are part of its setup, and all others, which are its surface's.
fn settings(all: &[(String, Json)]) -> (Map<String, Json>, Map<String, Json>) {
    let of_surface = |key: &str| {
        let mut names = SurfaceSettings::ROWS.iter().map(|row| row.name);
        OWN_SETTINGS.iter().any(|(own, _)| *own == key) || names.any(|name| name == key)
    };
    let (surface, world): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|(key, _)| of_surface(key));
    (world.into_iter().collect(), surface.into_iter().collect())
}

/// The setup to ask for, with the story's settings in it; `None` is the demo world as it is.
fn setup(scenario: &Scenario, settings: Map<String, Json>) -> Option<Json> {
    let named = scenario.world.setup.clone().filter(|setup| setup.as_str() != Some("demo"));
    if settings.is_empty() {
        return named;
    }
    let mut setup = named.unwrap_or_else(|| json!({}));
    if let Json::Object(entries) = &mut setup {
        let known = entries.entry("settings").or_insert_with(|| json!({}));
        if let Json::Object(known) = known {
            known.extend(settings);
        }
    }
    Some(setup)
}
