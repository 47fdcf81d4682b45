//! Expectations: read anew what is asked about. What was found can be saved.
//!
//! Invariant: an expectation changes nothing but which events and posts count as expected. Absent on purpose: events
//! (`events`), pages and posts.

use super::judge::below;
use super::outcome::{StepResult, Trouble};
use super::session::{OutgoingRequest, Session, ShownPart};
use language::ast::{Actor, Book, Expect, Expected, Noun};
use language::matching::{self, Mismatch};
use language::template::{fill, fill_ref};
use serde_json::Value as Json;

impl Session {
    /// Fails unless it is so.
    pub(super) async fn expect(&mut self, actor: Actor, expect: &Expect) -> StepResult<Json> {
        match expect {
            Expect::Events { events, in_order, socket } => {
                self.expect_events(actor, events, *in_order, socket.as_deref()).await
            }
            Expect::NothingElse(only) => {
                self.expect_nothing_else(actor, only)?;
                if only.is_empty() {
                    self.expect_no_other_callback(actor).await?;
                }
                Ok(Json::Null)
            }
            Expect::Order(of, expected) => self.expect_read(actor, "order", of, expected).await,
            Expect::Account(of, expected) => self.expect_read(actor, "account", of, expected).await,
            Expect::Journey(of, expected) => self.expect_read(actor, "journey", of, expected).await,
            Expect::Page(wanted) => self.expect_page(wanted),
            Expect::Callback(journey, expected) => self.expect_callback(actor, journey, expected).await,
            Expect::Webhooks(events) => self.expect_webhooks(actor, events).await,
            Expect::NoWebhook => self.expect_no_webhook(actor).await.map(|()| Json::Null),
            Expect::NoCallback(journey) => {
                self.expect_no_callback(actor, journey.as_deref()).await.map(|()| Json::Null)
            }
            Expect::Delivery(journey, expected) => self.expect_delivery(actor, journey, expected).await,
            Expect::Cash(account, expected) => {
                let account = fill_ref(account, &self.names)?;
                let got = self.read_account(actor, &account, ShownPart::Part("balance")).await?;
                self.compare("the cash of the account", "balance", expected, got.get("balance"))
            }
            Expect::Units { account, instrument, expected } => {
                let got = self.position(actor, account, instrument).await?;
                let units = got.as_ref().and_then(|got| got.get("units")).cloned().unwrap_or_else(|| Json::from(0));
                self.compare("the units of the position", "units", expected, Some(&units))
            }
            Expect::Position { account, instrument, expected } => {
                let got = self.position(actor, account, instrument).await?;
                self.compare("the position", "position", expected, got.as_ref())
            }
            Expect::Instrument(instrument, expected) => {
                let path = format!("/v2/partner/instrument/{}", fill_ref(instrument, &self.names)?);
                let got = self.read(actor, path, ShownPart::All).await?;
                self.compare("the instrument", "instrument", expected, Some(&got))
            }
            Expect::Transactions { book, noun, of, expected, single } => {
                self.expect_transactions(actor, (*book, *noun, of.as_str()), expected, *single).await
            }
            Expect::Clock(expected) => self.expect_clock(actor, expected).await,
            Expect::Value(value, expected) => self.expect_value(value, expected),
        }
    }

    /// A resource of the actor's client, read anew.
    async fn expect_read(&mut self, actor: Actor, noun: &str, of: &str, expected: &Expected) -> StepResult<Json> {
        let path = format!("{}/{noun}/{}", self.client_path(actor), fill_ref(of, &self.names)?);
        let got = self.read(actor, path, ShownPart::All).await?;
        self.expect_resource(&format!("the {noun}"), expected, &got)
    }

    async fn expect_clock(&mut self, actor: Actor, expected: &Expected) -> StepResult<Json> {
        let call = OutgoingRequest::new("GET", "/_sandbox/worlds/current/clock");
        let got = self.send(actor, call, ShownPart::Nothing).await?.map(|answer| answer.body);
        let now = got.as_ref().and_then(|got| got.get("now"));
        self.compare("the clock", "now", expected, now)
    }

    fn expect_value(&self, value: &str, expected: &Expected) -> StepResult<Json> {
        let text = if value.contains('{') { value.to_owned() } else { format!("{{{value}}}") };
        let got = match fill(&text, &self.names) {
            Ok(got) => got,
            Err(language::template::TemplateError::NoSuchPart { there, .. }) => {
                return self.compare("the value", value, expected, None).map_err(|mut trouble| {
                    trouble.mismatches.iter_mut().for_each(|it| it.got = format!("nothing: {there}"));
                    trouble
                });
            }
            Err(error) => return Err(error.into()),
        };
        self.compare("the value", value, expected, Some(&got))
    }

    /// Fails unless a value is as expected; answers the value.
    pub(super) fn compare(&self, what: &str, path: &str, expected: &Expected, got: Option<&Json>) -> StepResult<Json> {
        let found = matching::compare(expected, got, &self.names)?;
        if found.is_empty() {
            return Ok(got.cloned().unwrap_or_default());
        }
        let mismatches = found.into_iter().map(|found| below(path, found)).collect();
        Err(Trouble::compared(format!("{what} is not as expected"), mismatches))
    }

    /// A word alone is the status; anything else is compared with the whole resource.
    pub(super) fn expect_resource(&self, what: &str, expected: &Expected, got: &Json) -> StepResult<Json> {
        match expected {
            Expected::Part(_) | Expected::Exactly(_) | Expected::Any => self.compare(what, "", expected, Some(got)),
            status => self.compare(what, "status", status, got.get("status")).map(|_| got.clone()),
        }
    }

    async fn position(&mut self, actor: Actor, account: &str, instrument: &str) -> StepResult<Option<Json>> {
        let account = fill_ref(account, &self.names)?;
        let instrument = fill_ref(instrument, &self.names)?;
        let got = self.read_account(actor, &account, ShownPart::Part("positions")).await?;
        let positions = got.get("positions").and_then(Json::as_array).cloned().unwrap_or_default();
        Ok(positions.into_iter().find(|it| it.get("instrument").and_then(Json::as_str) == Some(instrument.as_str())))
    }

    async fn expect_transactions(
        &mut self,
        actor: Actor,
        (book, noun, of): (Book, Noun, &str),
        expected: &Expected,
        single: bool,
    ) -> StepResult<Json> {
        let of = fill_ref(of, &self.names)?;
        let book = if book == Book::Cash { "cash" } else { "fund" };
        let client = self.client_path(actor);
        let path = match noun {
            Noun::Order => format!("{client}/transaction/{book}?ref={of}&refType=order"),
            Noun::Account | Noun::Journey => format!("{client}/account/{of}/transaction/{book}"),
        };
        let got = self.read(actor, path, ShownPart::All).await?;
        let what = format!("the {book} transactions");
        if !single {
            return self.compare(&what, "transactions", expected, Some(&got));
        }
        let list = got.as_array().cloned().unwrap_or_default();
        if list.len() > 1 {
            let mismatch = Mismatch {
                path: "transactions".to_owned(),
                expected: "one".to_owned(),
                got: format!("{}: {}", list.len(), matching::show(&got)),
            };
            return Err(Trouble::compared(format!("there is more than one {book} transaction"), vec![mismatch]));
        }
        self.compare(&format!("the {book} transaction"), "transaction", expected, list.first())
    }
}
