//! What journey steps stand for: the partner's request, the levers, a webhook, a callback sent again.

use super::session::{Outgoing, Session, Tell};
use super::{Outcome, Trouble};
use crate::ast::{Actor, JourneyLever, StartJourney};
use crate::drivers::Driver;
use crate::template::{fill_json, fill_ref};
use serde_json::{Map, Value as Json};

impl<D: Driver> Session<D> {
    /// `POST /journey`; told to the partner's own server unless the story names another.
    pub(super) fn prepare_journey(&self, actor: Actor, journey: &StartJourney) -> Outcome<Outgoing> {
        let mut configuration = Map::new();
        configuration.insert("journeyType".to_owned(), fill_json(&journey.journey_type, &self.names)?);
        for (key, value) in &journey.configuration {
            configuration.insert(key.clone(), self.ids(key, value)?);
        }
        let mut body = Map::new();
        body.insert("journey".to_owned(), Json::Object(configuration));
        body.insert("callbackUrl".to_owned(), Json::String(format!("{}/callback", self.driver.receiver().base())));
        for (key, value) in &journey.around {
            body.insert(key.clone(), fill_json(value, &self.names)?);
        }
        Ok(Outgoing::new("POST", format!("{}/journey", self.client_path(actor))).json(&Json::Object(body)))
    }

    /// A field of the configuration: `account` and `submission` may name what was saved.
    fn ids(&self, key: &str, value: &Json) -> Outcome<Json> {
        match value {
            Json::String(text) if matches!(key, "account" | "submission") => {
                Ok(Json::String(fill_ref(text, &self.names)?))
            }
            other => Ok(fill_json(other, &self.names)?),
        }
    }

    /// `POST /simulations/journey/...`
    pub(super) fn prepare_lever(&self, journey: &str, lever: &JourneyLever) -> Outcome<Outgoing> {
        let call = self.lever("journey", journey, lever.verb())?;
        let mut body = Map::new();
        let mut put = |key: &str, value: &Option<Json>| -> Outcome {
            if let Some(value) = value {
                body.insert(key.to_owned(), fill_json(value, &self.names)?);
            }
            Ok(())
        };
        match lever {
            JourneyLever::Open | JourneyLever::Expire => {}
            JourneyLever::Complete { answers } => put("answers", answers)?,
            JourneyLever::Cancel { at } => put("context", at)?,
            JourneyLever::Fail { code, at } => {
                put("code", &Some(code.clone()))?;
                put("context", at)?;
            }
        }
        Ok(if body.is_empty() { call } else { call.json(&Json::Object(body)) })
    }

    /// `POST /_sandbox/.../webhooks` for the actor's client.
    pub(super) fn prepare_webhook(&self, actor: Actor, events: Option<&Json>, url: Option<&Json>) -> Outcome<Outgoing> {
        let mut body = Map::new();
        body.insert("client".to_owned(), Json::String(self.client_id(actor)));
        let usual = Json::String(format!("{}/webhook", self.driver.receiver().base()));
        body.insert("url".to_owned(), url.map_or(Ok(usual), |url| fill_json(url, &self.names))?);
        if let Some(events) = events {
            body.insert("events".to_owned(), fill_json(events, &self.names)?);
        }
        Ok(Outgoing::new("POST", "/_sandbox/worlds/current/webhooks").json(&Json::Object(body)))
    }

    /// `POST /_sandbox/.../deliveries/{id}/replay` for the callback of a journey.
    pub(super) async fn prepare_replay(&mut self, actor: Actor, journey: &str) -> Outcome<Outgoing> {
        let rows = self.deliveries(actor, journey).await?;
        let id = rows.first().and_then(|row| row.get("id")).and_then(Json::as_str);
        let id = id.ok_or_else(|| Trouble::new("the journey has no callback to send again"))?;
        Ok(Outgoing::new("POST", format!("/_sandbox/worlds/current/deliveries/{id}/replay")))
    }

    /// The log rows of a journey's callback, newest first.
    pub(super) async fn deliveries(&mut self, actor: Actor, journey: &str) -> Outcome<Vec<Json>> {
        let journey = fill_ref(journey, &self.names)?;
        let path = format!("/_sandbox/worlds/current/deliveries?resource={journey}");
        let log = self.read(actor, path, Tell::Nothing).await?;
        Ok(log.get("deliveries").and_then(Json::as_array).cloned().unwrap_or_default())
    }
}
