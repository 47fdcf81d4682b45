//! Reads and removals by those who have no right to what they ask for: they are refused, and learn nothing.
//!
//! Invariant: what they tried is no part of the story unless it went wrong. Absent on purpose: that nothing has changed,
//! which the next comparison of the worlds shows.

use super::narrow::narrow_token;
use super::network_run::NetworkRun;
use super::reads::{Candidate, Reading};
use super::step::{List, PRIVATE, Private, Resource, UnauthorisedCaller};
use crate::story;
use language::ast::{Actor, Call, StoryStep};
use oracle::check::Law;
use runner::remote::RequestOutcome;
use serde_json::Value as Json;
use sim::ids::ClientId;
use sim::query;

/// Texts of a resource that are no secret: they are as short as words.
const SHORT: usize = 12;

impl Private {
    /// The status that an id answers which the client does not have (rule: wire/unknown-ids, accounts/performance-entries).
    const fn unknown_as(self) -> u16 {
        if matches!(self, Self::Other(Resource::AccountReturns)) { 404 } else { 400 }
    }

    /// Whether every client of the partner may read it, or has one of its own under the same path.
    const fn is_shared(self) -> bool {
        use Resource::{Client, MobilePayment, Prices, Universe};
        matches!(self, Self::Other(MobilePayment | Client | Universe | Prices))
    }

    /// A right that opens anything but this.
    const fn other_right(self) -> &'static str {
        match self {
            Self::Listed(List::Accounts) | Self::Other(_) => "order:read,order:write",
            Self::Listed(List::Orders | List::Cash | List::Units) => "account:read,account:write",
        }
    }

    /// Whether a client can remove it.
    const fn is_removable(self) -> bool {
        matches!(
            self,
            Self::Listed(List::Orders | List::Accounts)
                | Self::Other(Resource::AllocationPlans | Resource::SavingsPlan)
        )
    }
}

/// Everybody who has no right to something.
const CALLERS: [UnauthorisedCaller; 3] =
    [UnauthorisedCaller::Partner, UnauthorisedCaller::Token, UnauthorisedCaller::Client];

impl NetworkRun {
    /// Of every second private thing one is asked for by somebody who has no right to it; which of them and by whom changes from seed
    /// to seed.
    pub(super) async fn ask_for_everything_unauthorised(&mut self) {
        let turn = usize::try_from(self.writer.world.seed().0).unwrap_or(0);
        for (nth, of) in PRIVATE.iter().enumerate().filter(|(nth, _)| (nth + turn / CALLERS.len()).is_multiple_of(2)) {
            let clients = self.writer.clients().into_iter().map(|(client, _)| client);
            let of_whom = clients.into_iter().find(|client| !self.private(*client, *of).is_empty());
            if let (Some(client), true) = (of_whom, self.found.is_empty()) {
                self.ask_unauthorised(client, *of, 0, CALLERS[(turn + nth) % CALLERS.len()], false).await;
            }
        }
    }

    pub(super) async fn ask_unauthorised(
        &mut self,
        client: ClientId,
        of: Private,
        item: u8,
        by: UnauthorisedCaller,
        remove: bool,
    ) {
        let all = self.private(client, of);
        let count = all.len().max(1);
        let chosen = all.into_iter().rev().nth(usize::from(item) % count).map(Candidate::chosen);
        let Some(Reading { path, expected: body, .. }) = &chosen else { return };
        let method = if remove && of.is_removable() { "DELETE" } else { "GET" };
        if by == UnauthorisedCaller::Client && of.is_shared() {
            return;
        }
        let Some(steps) = self.try_of(client, (method, path), of.other_right(), by) else { return };
        // A client that may take out nothing at all is refused for that.
        let may_ask = of != Private::Other(Resource::Limit) || self.may_take_out(&steps);
        let (status, shown) = match self.ask_all(&steps).await {
            Some(answer) => answer,
            None => return,
        };
        if method != "GET" {
            self.let_due_happen().await;
        }
        self.coverage.note_network("unauthorised refused");
        self.coverage.note_law(Law::Isolation);
        let expected = if by == UnauthorisedCaller::Client && may_ask { of.unknown_as() } else { 403 };
        let leaked = leaks(&Json::from(body), path, &shown);
        if status != expected || leaked.is_some() {
            let what = match leaked {
                Some(leaked) => format!("{by} asked to {method} {path} and the answer leaked `{leaked}`"),
                None => format!("{by} asked to {method} {path} and was answered {status}, expected {expected}"),
            };
            self.ending = steps;
            if let Some(last) = self.ending.pop() {
                self.ending.push(last.answers(expected));
            }
            self.fail(Law::Isolation, what, None);
        }
    }

    /// Whether the client that sends the last of these steps may take money out.
    fn may_take_out(&self, steps: &[StoryStep]) -> bool {
        let actor = steps.last().map(|step| step.actor);
        let client = self.writer.clients().into_iter().find(|(_, of)| Some(*of) == actor).map(|(client, _)| client);
        let client = client.and_then(|client| query::client(&self.writer.world, client));
        client.is_none_or(|client| client.permissions.withdrawals)
    }

    /// What a stranger sends; nothing where the world has no such stranger.
    fn try_of(
        &self,
        client: ClientId,
        (method, path): (&str, &str),
        other_right: &str,
        by: UnauthorisedCaller,
    ) -> Option<Vec<StoryStep>> {
        let own = self.writer.actor(client);
        let Actor::Client { partner, .. } = own else { return None };
        let others = || self.writer.clients().into_iter().filter(|(id, _)| *id != client).map(|(_, actor)| actor);
        let of = |actor: &Actor| matches!(actor, Actor::Client { partner: other, .. } if *other == partner);
        let absolute =
            if path.starts_with("/v2") { path.to_owned() } else { format!("/v2/partner/client/{client}{path}") };
        let call = |path: &str, headers: Vec<(String, String)>, actor| {
            let call = Call { method: method.to_owned(), path: path.to_owned(), headers, ..Call::default() };
            story::by(StoryStep::from(call), actor)
        };
        match by {
            UnauthorisedCaller::Client => Some(vec![call(path, Vec::new(), others().find(of)?)]),
            UnauthorisedCaller::Partner => Some(vec![call(&absolute, Vec::new(), others().find(|actor| !of(actor))?)]),
            UnauthorisedCaller::Token => {
                let bearer = vec![("authorization".to_owned(), "Bearer {narrow}".to_owned())];
                Some(vec![narrow_token(partner, other_right), call(path, bearer, own)])
            }
        }
    }

    /// Sends one after the other; what the last was answered.
    async fn ask_all(&mut self, steps: &[StoryStep]) -> Option<(u16, Json)> {
        let mut last = None;
        for step in steps {
            match self.remote.ask(step).await {
                RequestOutcome::Answer(status, body) if self.is_well_formed(status, &body) => {
                    if let Err(why) = self.remote.remember(step, &body) {
                        self.fail(Law::WellFormedAnswers, why, None);
                        return None;
                    }
                    last = Some((status, body));
                }
                RequestOutcome::Answer(..) => return None,
                RequestOutcome::Silence | RequestOutcome::Unsent => {
                    self.fail(
                        Law::WellFormedAnswers,
                        "an unauthorised caller was not answered over a healthy network",
                        None,
                    );
                    return None;
                }
            }
        }
        last
    }
}

/// A text of what was asked for, other than those of the path, that an answer holds; or a field that no error has.
fn leaks(resource: &Json, path: &str, answer: &Json) -> Option<String> {
    let mut fields = answer.as_object().into_iter().flat_map(|fields| fields.keys());
    let extra = fields.find(|field| !["error", "error_description"].contains(&field.as_str())).cloned();
    let answer_text = answer.to_string();
    let objects = resource.as_array().map_or_else(|| std::slice::from_ref(resource), Vec::as_slice);
    let texts = objects.iter().filter_map(Json::as_object).flat_map(|fields| fields.values()).filter_map(Json::as_str);
    extra.or_else(|| {
        texts
            .filter(|text| text.len() > SHORT && !path.contains(text))
            .find(|text| answer_text.contains(*text))
            .map(str::to_owned)
    })
}
