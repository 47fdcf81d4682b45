//! Requests: how raw calls and words become what is sent.
//!
//! Invariant: method, path and body of a word follow its row. Absent on purpose: whether the response is as expected
//! (`judge`).

use super::outcome::{StepResult, Trouble};
use super::session::{OutgoingRequest, Session, ShownPart};
use language::ast::{Actor, Body, Call, Request};
use language::matching;
use language::routes::is_whole;
use language::template::{fill_json, fill_ref, fill_text};
use language::words::{BANK_ACCOUNT, Field, Presence, Sends, Usual, WordFieldType, put};
use serde_json::{Map, Value as Json};

impl Session {
    /// What a word sends.
    pub(super) async fn prepare(&mut self, actor: Actor, request: &Request) -> StepResult<OutgoingRequest> {
        self.check(actor)?;
        let Some(sends) = request.word.sends() else { return Err(Trouble::new("the word is not a request")) };
        let mut path = sends.path.to_owned();
        let mut body = Map::new();
        let mut account = None;
        for field in sends.fields {
            let Some(value) = self.value(actor, request, field, &mut account).await? else { continue };
            let place = format!("{{{}}}", field.name);
            if path.contains(&place) {
                path = path.replace(&place, value.as_str().unwrap_or_default());
            } else {
                put(&mut body, field.api, value);
            }
        }
        self.put_others(request, sends, &mut body)?;
        let outgoing = OutgoingRequest::new(sends.method, self.under_client(actor, path));
        Ok(if body.is_empty() { outgoing } else { outgoing.json(&Json::Object(body)) })
    }

    fn check(&self, actor: Actor) -> StepResult {
        match actor {
            Actor::Client { partner, client } => self.check_actor(partner, client).map_err(Trouble::new),
            Actor::Nobody => Ok(()),
        }
    }

    fn under_client(&self, actor: Actor, path: String) -> String {
        if is_whole(&path) {
            return path;
        }
        format!("{}{path}", self.client_path(actor))
    }

    /// Fields that another table names.
    fn put_others(&self, request: &Request, sends: &Sends, body: &mut Map<String, Json>) -> StepResult {
        let Some(others) = sends.others else { return Ok(()) };
        let known = (others.fields)();
        for (name, value) in &request.arguments {
            if let Some(field) = known.iter().find(|field| field.name == name) {
                put(body, &format!("{}.{name}", others.into), self.fill(field.kind, value)?);
            }
        }
        Ok(())
    }

    /// What is sent for a field; `account` is read when it is first needed.
    async fn value(
        &mut self,
        actor: Actor,
        request: &Request,
        field: &Field,
        account: &mut Option<Json>,
    ) -> StepResult<Option<Json>> {
        let given = request.arguments.get(field.name);
        Ok(Some(match (given, field.kind, field.presence) {
            (Some(Json::String(text)), WordFieldType::Units, _) if text == "everything" => {
                let instrument = self.reference(request, "instrument")?;
                units_of(self.account(actor, request, account).await?, &instrument)
                    .ok_or_else(|| Trouble::new(format!("the account holds nothing in {instrument}")))?
            }
            (Some(value), WordFieldType::CallbackOf, _) => Json::String(self.delivery(actor, value).await?),
            (Some(value), kind, _) => self.fill(kind, value)?,
            (None, _, Presence::Fixed(text) | Presence::Usual(Usual::Text(text))) => Json::String(text.to_owned()),
            (None, _, Presence::Usual(Usual::Number(number))) => Json::from(number),
            (None, _, Presence::Usual(Usual::Client)) => Json::String(self.client_id(actor)),
            (None, _, Presence::Usual(Usual::Receiver(_))) if !self.has_receiver => return Ok(None),
            (None, _, Presence::Usual(Usual::Receiver(path))) => {
                Json::String(format!("{}{path}", self.driver.receiver().base()))
            }
            (None, _, Presence::Usual(Usual::BankAccount)) => {
                let bank = self.account(actor, request, account).await?.pointer("/bankAccounts/0/id").cloned();
                bank.ok_or_else(|| Trouble::new("the account has no bank account to withdraw to"))?
            }
            (None, _, Presence::Usual(Usual::Owner)) => {
                let read = self.account(actor, request, account).await?;
                let owner = read.pointer("/owner/ssn").or_else(|| read.pointer("/owner/signatoryGroups/0/ssn"));
                owner.cloned().unwrap_or_default()
            }
            (None, _, Presence::Required | Presence::Optional) => return Ok(None),
        }))
    }

    /// A value with its names filled in, as the server takes it.
    fn fill(&self, kind: WordFieldType, value: &Json) -> StepResult<Json> {
        let (WordFieldType::Positions, Json::Object(positions)) = (kind, value) else {
            return Ok(match (kind, value) {
                (WordFieldType::Reference, Json::String(text)) => Json::String(fill_ref(text, &self.names)?),
                (WordFieldType::BankAccounts, Json::Array(accounts)) => {
                    accounts.iter().map(|account| self.bank_account(account)).collect::<StepResult<_>>()?
                }
                _ => fill_json(value, &self.names)?,
            });
        };
        let position = |(instrument, units): (&String, &Json)| {
            let instrument = Json::String(fill_ref(instrument, &self.names)?);
            let fields = [("instrument", instrument), ("units", fill_json(units, &self.names)?)];
            Ok(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Json>())
        };
        positions.iter().map(position).collect()
    }

    /// A bank account that has passed its check, unless it says otherwise.
    fn bank_account(&self, account: &Json) -> StepResult<Json> {
        let given = |field: &Field| account.get(field.name).cloned();
        let mut fields = Map::new();
        for field in BANK_ACCOUNT {
            let value = match field.name {
                "iban" => given(field).or_else(|| Some(account.clone())),
                "validated" => given(field).or(Some(Json::Bool(true))),
                _ => given(field),
            };
            if let Some(value) = value {
                fields.insert(field.name.to_owned(), fill_json(&value, &self.names)?);
            }
        }
        Ok(Json::Object(fields))
    }

    fn reference(&self, request: &Request, field: &str) -> StepResult<String> {
        let text = request.arguments.get(field).and_then(Json::as_str).unwrap_or_default();
        Ok(fill_ref(text, &self.names)?)
    }

    async fn account<'a>(
        &mut self,
        actor: Actor,
        request: &Request,
        account: &'a mut Option<Json>,
    ) -> StepResult<&'a Json> {
        if account.is_none() {
            let id = self.reference(request, "account")?;
            *account = Some(self.read_account(actor, &id, ShownPart::Part("positions")).await?);
        }
        Ok(account.get_or_insert_default())
    }

    /// The delivery of a journey's callback.
    async fn delivery(&mut self, actor: Actor, journey: &Json) -> StepResult<String> {
        let rows = self.deliveries(actor, journey.as_str().unwrap_or_default()).await?;
        let id = rows.first().and_then(|row| row.get("id")).and_then(Json::as_str);
        id.map(str::to_owned).ok_or_else(|| Trouble::new("the journey has no callback to send again"))
    }

    /// The log rows of a journey's callback, newest first.
    pub(super) async fn deliveries(&mut self, actor: Actor, journey: &str) -> StepResult<Vec<Json>> {
        let journey = fill_ref(journey, &self.names)?;
        let path = format!("/_sandbox/worlds/current/deliveries?resource={journey}");
        let log = self.read(actor, path, ShownPart::Nothing).await?;
        Ok(log.get("deliveries").and_then(Json::as_array).cloned().unwrap_or_default())
    }

    /// What a raw call sends.
    pub(super) fn prepare_call(&self, actor: Actor, call: &Call) -> StepResult<OutgoingRequest> {
        self.check(actor)?;
        let path = self.under_client(actor, fill_text(&call.path, &self.names)?);
        self.filled(call, path)
    }

    /// What a call to the application sends; its path is filled in and the application's own.
    pub(super) fn prepare_application_call(&self, call: &Call) -> StepResult<OutgoingRequest> {
        self.filled(call, call.path.clone())
    }

    /// A call to `path`, with its names filled in.
    fn filled(&self, call: &Call, mut path: String) -> StepResult<OutgoingRequest> {
        if !call.query.is_empty() {
            let join = if path.contains('?') { '&' } else { '?' };
            path = format!("{path}{join}{}", self.pairs(&call.query)?);
        }
        let mut outgoing = OutgoingRequest::new(&call.method, path);
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

    fn pairs(&self, pairs: &[(String, Json)]) -> StepResult<String> {
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

    pub(super) async fn read_account(&mut self, actor: Actor, account: &str, shown: ShownPart) -> StepResult<Json> {
        let path = format!("{}/account/{account}", self.client_path(actor));
        self.read(actor, path, shown).await
    }

    /// Reads a resource; anything but a good answer is trouble.
    pub(super) async fn read(&mut self, actor: Actor, path: String, shown: ShownPart) -> StepResult<Json> {
        let name = path.clone();
        match self.send(actor, OutgoingRequest::new("GET", path), shown).await? {
            Some(answer) if answer.is_good() => Ok(answer.body),
            Some(answer) => {
                Err(Trouble::new(format!("GET {name} answered {}: {}", answer.status, matching::show(&answer.body))))
            }
            None => Err(Trouble::new(format!("GET {name}: {}", self.silence()))),
        }
    }
}

/// All units of an account in an instrument.
fn units_of(account: &Json, instrument: &str) -> Option<Json> {
    let positions = account.get("positions")?.as_array()?;
    let position = positions.iter().find(|it| it.get("instrument").and_then(Json::as_str) == Some(instrument))?;
    position.get("units").cloned()
}
