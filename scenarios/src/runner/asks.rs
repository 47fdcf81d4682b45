//! Requests: what a short form stands for, and whether its answer is as expected.

use super::session::{Answered, Outgoing, Session, Tell};
use super::{Outcome, Trouble};
use crate::ast::{Actor, Answer, Ask, Body, Call, OpenAccount, Order, OrderKind, Quantity, Step};
use crate::drivers::Driver;
use crate::matching::{self, Mismatch};
use crate::template::{fill, fill_json, fill_ref, fill_text};
use serde_json::{Map, Value as Json};

/// Paths that begin so are the server's; all others are the client's.
const ABSOLUTE: &[&str] = &["/v2/", "/ping", "/simulations/", "/_sandbox", "/openapi", "/docs"];

impl<D: Driver> Session<D> {
    /// The call that an ask stands for.
    pub(super) async fn prepare(&mut self, actor: Actor, ask: &Ask) -> Outcome<Outgoing> {
        if let Actor::Client { partner, client } = actor {
            self.check_actor(partner, client).map_err(Trouble::new)?;
        }
        match ask {
            Ask::Call(call) => self.prepare_call(actor, call),
            Ask::OpenAccount(account) => self.prepare_account(actor, account),
            Ask::Order(order) => self.prepare_order(actor, order).await,
            Ask::Cancel(order) => {
                let path = format!("{}/order/{}", self.client_path(actor), fill_ref(order, &self.names)?);
                Ok(Outgoing::new("DELETE", path))
            }
            Ask::Hold(order) => self.lever("order", order, "hold"),
            Ask::Release(order) => self.lever("order", order, "release"),
            Ask::Reject(order) => self.lever("order", order, "reject"),
            Ask::StartJourney(journey) => self.prepare_journey(actor, journey),
            Ask::Journey { journey, lever } => self.prepare_lever(journey, lever),
            Ask::RegisterWebhook { events, url } => self.prepare_webhook(actor, events.as_ref(), url.as_ref()),
            Ask::ReplayCallback(journey) => self.prepare_replay(actor, journey).await,
            Ask::BouncePayout(payout) => self.lever("withdrawal", payout, "bounce"),
            Ask::SetPrice { instrument, close_price, price_date } => {
                let mut body = Map::new();
                body.insert("closePrice".to_owned(), fill_json(close_price, &self.names)?);
                if let Some(date) = price_date {
                    body.insert("priceDate".to_owned(), fill_json(date, &self.names)?);
                }
                Ok(self.lever("instrument", instrument, "price")?.json(&Json::Object(body)))
            }
            Ask::SetTrading { instrument, flags } => {
                let body = self.object(flags)?;
                Ok(self.lever("instrument", instrument, "trading")?.json(&body))
            }
            Ask::DelayNav { instrument, bank_days } => {
                let body = self.object(&[("bankDays".to_owned(), bank_days.clone())])?;
                Ok(self.lever("instrument", instrument, "delay-nav")?.json(&body))
            }
        }
    }

    pub(super) fn lever(&self, noun: &str, of: &str, verb: &str) -> Outcome<Outgoing> {
        Ok(Outgoing::new("POST", format!("/simulations/{noun}/{}/{verb}", fill_ref(of, &self.names)?)))
    }

    fn object(&self, fields: &[(String, Json)]) -> Outcome<Json> {
        let mut body = Map::new();
        for (key, value) in fields {
            body.insert(key.clone(), fill_json(value, &self.names)?);
        }
        Ok(Json::Object(body))
    }

    fn prepare_call(&self, actor: Actor, call: &Call) -> Outcome<Outgoing> {
        let mut path = fill_text(&call.path, &self.names)?;
        if !ABSOLUTE.iter().any(|prefix| path.starts_with(prefix)) {
            path = format!("{}{path}", self.client_path(actor));
        }
        if !call.query.is_empty() {
            let join = if path.contains('?') { '&' } else { '?' };
            path = format!("{path}{join}{}", self.pairs(&call.query)?);
        }
        let mut outgoing = Outgoing::new(&call.method, path);
        outgoing.body = match &call.body {
            Body::None => None,
            Body::Json(body) => Some(("application/json".to_owned(), fill_json(body, &self.names)?.to_string())),
            Body::Form(form) => Some(("application/x-www-form-urlencoded".to_owned(), self.pairs(form)?)),
            Body::Text(text) => Some(("application/json".to_owned(), text.clone())),
        };
        for (name, value) in &call.headers {
            outgoing.headers.push((name.clone(), fill_text(value, &self.names)?));
        }
        Ok(outgoing)
    }

    fn pairs(&self, pairs: &[(String, Json)]) -> Outcome<String> {
        let mut encoded = form_urlencoded::Serializer::new(String::new());
        for (key, value) in pairs {
            let value = match fill_json(value, &self.names)? {
                Json::String(text) => text,
                Json::Null => String::new(),
                Json::Object(entries) => entries.get("id").and_then(Json::as_str).unwrap_or_default().to_owned(),
                other => other.to_string(),
            };
            encoded.append_pair(key, &value);
        }
        Ok(encoded.finish())
    }

    fn prepare_account(&self, actor: Actor, account: &OpenAccount) -> Outcome<Outgoing> {
        let mut body = Map::new();
        body.insert("clientId".to_owned(), Json::String(self.client_id(actor)));
        let kind = account.account_type.clone().unwrap_or_else(|| Json::String("isk".to_owned()));
        body.insert("accountType".to_owned(), fill_json(&kind, &self.names)?);
        if let Some(cash) = &account.cash {
            body.insert("cash".to_owned(), fill_json(cash, &self.names)?);
        }
        if !account.positions.is_empty() {
            let mut positions = Vec::new();
            for (instrument, units) in &account.positions {
                let instrument = Json::String(fill_ref(instrument, &self.names)?);
                let fields =
                    [("instrument".to_owned(), instrument), ("units".to_owned(), fill_json(units, &self.names)?)];
                positions.push(Json::Object(fields.into_iter().collect()));
            }
            body.insert("positions".to_owned(), Json::Array(positions));
        }
        if !account.bank_accounts.is_empty() {
            let mut banks = Vec::new();
            for bank in &account.bank_accounts {
                let mut entry = Map::new();
                entry.insert("iban".to_owned(), fill(&bank.iban, &self.names)?);
                entry.insert("validated".to_owned(), Json::Bool(bank.validated));
                if let Some(status) = &bank.mandate_status {
                    entry.insert("mandateStatus".to_owned(), fill(status, &self.names)?);
                }
                banks.push(Json::Object(entry));
            }
            body.insert("bankAccounts".to_owned(), Json::Array(banks));
        }
        for (key, value) in &account.other {
            body.insert(key.clone(), fill_json(value, &self.names)?);
        }
        Ok(Outgoing::new("POST", "/simulations/account").json(&Json::Object(body)))
    }

    async fn prepare_order(&mut self, actor: Actor, order: &Order) -> Outcome<Outgoing> {
        let account = fill_ref(&order.account, &self.names)?;
        let instrument = fill_ref(&order.instrument, &self.names)?;
        let (path, kind, measure) = match order.kind {
            OrderKind::Subscribe => ("order", "subscription", "amount"),
            OrderKind::Redeem => ("order", "redemption", "units"),
            OrderKind::SellAndWithdraw => ("order/withdrawal", "redemption", "units"),
            OrderKind::SellAndTransfer => ("order/redemptionTransfer", "redemption", "units"),
        };
        let needs_executor = matches!(order.kind, OrderKind::SellAndWithdraw | OrderKind::SellAndTransfer);
        let needs_bank = order.kind == OrderKind::SellAndWithdraw && order.to.is_none();
        let reads =
            order.quantity == Quantity::Everything || needs_bank || (needs_executor && order.executor_ref.is_none());
        let read = if reads { self.read_account(actor, &account, Tell::Part("positions")).await? } else { Json::Null };

        let mut body = Map::new();
        body.insert("orderType".to_owned(), Json::String(kind.to_owned()));
        body.insert("account".to_owned(), Json::String(account));
        body.insert("instrument".to_owned(), Json::String(instrument.clone()));
        let quantity = match &order.quantity {
            Quantity::Of(number) => fill_json(number, &self.names)?,
            Quantity::Everything => units_of(&read, &instrument)
                .ok_or_else(|| Trouble::new(format!("the account holds nothing in {instrument}")))?,
        };
        body.insert(measure.to_owned(), quantity);
        match (order.kind, &order.to) {
            (OrderKind::SellAndTransfer, Some(to)) => {
                body.insert("destinationAccount".to_owned(), Json::String(fill_ref(to, &self.names)?));
            }
            (OrderKind::SellAndWithdraw, Some(to)) => {
                body.insert("bankAccount".to_owned(), Json::String(fill_ref(to, &self.names)?));
            }
            (OrderKind::SellAndWithdraw, None) => {
                let bank = read.pointer("/bankAccounts/0/id").cloned();
                let bank = bank.ok_or_else(|| Trouble::new("the account has no bank account to withdraw to"))?;
                body.insert("bankAccount".to_owned(), bank);
            }
            _ => {}
        }
        if let Some(client_ref) = &order.client_ref {
            body.insert("clientRef".to_owned(), fill_json(client_ref, &self.names)?);
        }
        match &order.executor_ref {
            Some(executor) => {
                body.insert("executorRef".to_owned(), fill_json(executor, &self.names)?);
            }
            None if needs_executor => {
                let owner = read.pointer("/owner/ssn").or_else(|| read.pointer("/owner/signatoryGroups/0/ssn"));
                body.insert("executorRef".to_owned(), owner.cloned().unwrap_or_default());
            }
            None => {}
        }
        Ok(Outgoing::new("POST", format!("{}/{path}", self.client_path(actor))).json(&Json::Object(body)))
    }

    pub(super) async fn read_account(&mut self, actor: Actor, account: &str, tell: Tell) -> Outcome<Json> {
        let path = format!("{}/account/{account}", self.client_path(actor));
        self.read(actor, path, tell).await
    }

    /// Reads a resource; anything but a good answer is trouble.
    pub(super) async fn read(&mut self, actor: Actor, path: String, tell: Tell) -> Outcome<Json> {
        let shown = path.clone();
        match self.send(actor, Outgoing::new("GET", path), tell).await? {
            Some(answer) if answer.is_good() => Ok(answer.body),
            Some(answer) => {
                Err(Trouble::new(format!("GET {shown} answered {}: {}", answer.status, matching::show(&answer.body))))
            }
            None => Err(Trouble::new(format!("GET {shown} was not answered"))),
        }
    }

    /// Whether the answer is as expected; without an expectation any good one is.
    pub(super) fn judge(&self, step: &Step, answer: Option<&Answered>) -> Outcome {
        let default = Answer::default();
        let expected = step.expect.as_ref().unwrap_or(&default);
        let answer = match (answer, expected.no_answer) {
            (None, true) => return Ok(()),
            (None, false) => return Err(Trouble::new("no answer came")),
            (Some(answer), true) => {
                return Err(Trouble::new(format!("an answer came where none was expected: {}", answer.status)));
            }
            (Some(answer), false) => answer,
        };
        let mut mismatches = self.judge_status(expected, answer)?;
        if let Some(body) = &expected.body {
            let found = matching::compare(body, Some(&answer.body), &self.names)?;
            mismatches.extend(found.into_iter().map(|found| below("body", found)));
        }
        for (name, expected) in &expected.headers {
            let value = answer.headers.get(name).and_then(|value| value.to_str().ok());
            let value = value.map(|value| Json::String(value.to_owned()));
            let found = matching::compare(expected, value.as_ref(), &self.names)?;
            mismatches.extend(found.into_iter().map(|found| below(&format!("header {name}"), found)));
        }
        if let Some(because) = &expected.because {
            let because = fill_text(because, &self.names)?;
            let said = answer.body.get("error_description").and_then(Json::as_str).unwrap_or_default();
            if !matching::like(&because, said) {
                let path = "error_description".to_owned();
                mismatches.push(Mismatch { path, expected: format!("a text like {because}"), got: said.to_owned() });
            }
        }
        if mismatches.is_empty() {
            return Ok(());
        }
        let what = format!("the answer is not as expected: {} {}", answer.status, matching::show(&answer.body));
        Err(Trouble { what, mismatches })
    }

    fn judge_status(&self, expected: &Answer, answer: &Answered) -> Outcome<Vec<Mismatch>> {
        let got = Json::from(answer.status);
        let mismatch =
            |expected: String| vec![Mismatch { path: "status".to_owned(), expected, got: answer.status.to_string() }];
        match &expected.status {
            Some(status) => {
                let found = matching::compare(&crate::ast::Expected::Is(status.clone()), Some(&got), &self.names)?;
                Ok(found.into_iter().map(|found| below("status", found)).collect())
            }
            None if answer.is_good() => Ok(Vec::new()),
            None => Ok(mismatch("any 2xx".to_owned())),
        }
    }
}

/// All units of an account in an instrument.
fn units_of(account: &Json, instrument: &str) -> Option<Json> {
    let positions = account.get("positions")?.as_array()?;
    let position = positions.iter().find(|it| it.get("instrument").and_then(Json::as_str) == Some(instrument))?;
    position.get("units").cloned()
}

pub(super) fn below(prefix: &str, mut mismatch: Mismatch) -> Mismatch {
    mismatch.path = match mismatch.path.as_str() {
        "" => prefix.to_owned(),
        path if prefix.is_empty() => path.to_owned(),
        path if path.starts_with('[') => format!("{prefix}{path}"),
        path => format!("{prefix}.{path}"),
    };
    mismatch
}
