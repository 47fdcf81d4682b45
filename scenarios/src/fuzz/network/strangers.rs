//! Reads and removals by those who have no right to what they ask for: they are refused, and learn nothing.
//!
//! Invariant: what they tried is no part of the story unless it went wrong. Absent on purpose: that nothing has changed,
//! which the next comparison of the worlds tells.

use super::lists::{Item, items};
use super::network_run::NetworkRun;
use super::step::{List, Stranger};
use crate::ast::{Actor, Body, Call, Save, StoryStep};
use crate::fuzz::story;
use crate::runner::remote::Heard;
use serde_json::{Value as Json, json};
use sim::ids::ClientId;

/// Texts of a resource that are no secret: they are as short as words.
const SHORT: usize = 12;

impl List {
    /// A right that opens anything but this list.
    const fn other_right(self) -> &'static str {
        match self {
            Self::Accounts => "order:read,order:write",
            Self::Orders | Self::Cash | Self::Units => "account:read,account:write",
        }
    }
}

impl NetworkRun {
    pub(super) async fn ask_as_stranger(&mut self, client: ClientId, list: List, item: u8, by: Stranger, remove: bool) {
        let mut all = items(&self.writer.world, client, list);
        all.reverse();
        let Some(item) = all.get(usize::from(item) % all.len().max(1)) else { return };
        let Some(steps) = self.try_of(client, list, item, by, remove) else { return };
        let (status, body) = match self.ask_all(&steps).await {
            Some(answer) => answer,
            None => return,
        };
        self.coverage.note_network("strangers refused");
        let expected = if by == Stranger::Client { 400 } else { 403 };
        let leaked = leaks(&item.body(&self.writer.world), &item.id(), &body);
        if status != expected || leaked.is_some() {
            let what = match leaked {
                Some(leaked) => format!("{by:?} asked for {} and was told `{leaked}`", item.id()),
                None => format!("{by:?} asked for {} and was answered {status}, expected {expected}", item.id()),
            };
            self.ending = steps;
            if let Some(last) = self.ending.pop() {
                self.ending.push(last.answers(expected));
            }
            self.fail(43, what, None);
        }
    }

    /// What a stranger sends; nothing where the world has no such stranger.
    fn try_of(&self, client: ClientId, list: List, item: &Item, by: Stranger, remove: bool) -> Option<Vec<StoryStep>> {
        let own = self.writer.actor(client);
        let Actor::Client { partner, .. } = own else { return None };
        let others = || self.writer.clients().into_iter().filter(|(id, _)| *id != client).map(|(_, actor)| actor);
        let of = |actor: &Actor| matches!(actor, Actor::Client { partner: other, .. } if *other == partner);
        // Transactions cannot be removed.
        let remove = remove && matches!(list, List::Orders | List::Accounts);
        let method = if remove { "DELETE" } else { "GET" };
        let path = format!("{}/{}", list.path(), item.id());
        let absolute = format!("/v2/partner/client/{client}{path}");
        let call = |path: &str, headers: Vec<(String, String)>, actor| {
            let call = Call { method: method.to_owned(), path: path.to_owned(), headers, ..Call::default() };
            story::by(StoryStep::from(call), actor)
        };
        match by {
            Stranger::Client => Some(vec![call(&path, Vec::new(), others().find(of)?)]),
            Stranger::Partner => Some(vec![call(&absolute, Vec::new(), others().find(|actor| !of(actor))?)]),
            Stranger::Token => {
                let bearer = vec![("authorization".to_owned(), "Bearer {narrow}".to_owned())];
                Some(vec![narrow_token(partner, list.other_right()), call(&path, bearer, own)])
            }
        }
    }

    /// Sends one after the other; what the last was answered.
    async fn ask_all(&mut self, steps: &[StoryStep]) -> Option<(u16, Json)> {
        let mut last = None;
        for step in steps {
            match self.remote.ask(step).await {
                Heard::Answer(status, body) if self.is_well_formed(status, &body) => {
                    if let Err(why) = self.remote.remember(step, &body) {
                        self.fail(52, why, None);
                        return None;
                    }
                    last = Some((status, body));
                }
                Heard::Answer(..) => return None,
                Heard::Silence | Heard::Unsent => {
                    self.fail(52, "a stranger was not answered over a healthy network", None);
                    return None;
                }
            }
        }
        last
    }
}

/// Gets a token that opens only this.
fn narrow_token(partner: usize, scope: &str) -> StoryStep {
    let form = [
        ("grant_type", json!("client_credentials")),
        ("client_id", json!(format!("{{partner {partner}.clientId}}"))),
        ("client_secret", json!(format!("{{partner {partner}.clientSecret}}"))),
        ("scope", json!(scope)),
    ];
    let call = Call {
        method: "POST".to_owned(),
        path: "/v2/partner/auth/token".to_owned(),
        body: Body::Form(form.map(|(name, value)| (name.to_owned(), value)).to_vec()),
        ..Call::default()
    };
    let mut step = StoryStep::from(call);
    step.actor = Actor::Nobody;
    step.save.push(Save { name: "narrow".to_owned(), path: "$.access_token".to_owned() });
    step
}

/// A text of `resource`, other than its id, that stands in an answer; or a field that no error has.
fn leaks(resource: &Json, id: &str, answer: &Json) -> Option<String> {
    let mut fields = answer.as_object().into_iter().flat_map(|fields| fields.keys());
    let extra = fields.find(|field| !["error", "error_description"].contains(&field.as_str())).cloned();
    let said = answer.to_string();
    let texts = resource.as_object().into_iter().flat_map(|fields| fields.values()).filter_map(Json::as_str);
    extra.or_else(|| {
        texts.filter(|text| text.len() > SHORT && *text != id).find(|text| said.contains(*text)).map(str::to_owned)
    })
}
