//! Requests as steps: by the word whose row sends just this, as raw calls elsewhere.
//!
//! Invariant: a word is taken only where it sends what was sent, and reads as it is written. Absent on purpose: rows of its own;
//! the words' table says what each sends.

use super::names::{is_hidden, plain};
use super::{Teller, answers, body, fits};
use crate::ast::{Act, Actor, Body, Call, Request, Save, StoryStep};
use crate::routes::is_whole;
use crate::words::{BANK_ACCOUNT, Field, Kind, Others, Presence, STEPS, Sends, Usual, Word};
use sandbox::hosting::log::MASK;
use sandbox::hosting::recording::{By, Exchange};
use serde_json::{Map, Value as Json, json};

const OF_CLIENTS: &str = "/v2/partner/client/";
const OF_WORLDS: &str = "/_sandbox/worlds/";

impl Teller<'_> {
    pub(super) fn request(&mut self, exchange: &Exchange) {
        let (path, query) = exchange.target.split_once('?').unwrap_or((&exchange.target, ""));
        let (actor, path) = self.addressed(exchange, path);
        let is_machinery = path.starts_with(OF_WORLDS);
        let answer = exchange.answered.as_deref().map(|bytes| body(Some(bytes))).filter(|answer| !answer.is_null());
        let is_good = exchange.status.is_some_and(|status| (200..300).contains(&status));
        let noun = noun(&path);
        let why = answer.as_ref().and_then(|answer| answer["error_description"].as_str()).unwrap_or_default();
        if exchange.status == Some(403) && why.starts_with("the access token lacks") {
            return self.leave_out("were asked with a token of fewer rights and are missing");
        }
        let id = answer.as_ref().and_then(|answer| answer["id"].as_str());
        let made = id.filter(|id| is_good && exchange.method == "POST" && !self.names.knows(id)).map(str::to_owned);

        let sent = exchange.sent.as_deref();
        let short = self.short_form(exchange, actor, &path, query);
        let mut step = match short {
            Some(request) => StoryStep { actor, ..StoryStep::from(request) },
            None => StoryStep { actor, ..StoryStep::from(self.call(exchange.method.as_str(), &path, query, sent)) },
        };
        if !fits(&step) {
            step = StoryStep { actor, ..StoryStep::from(self.call(exchange.method.as_str(), &path, query, sent)) };
        }
        // Of a request that cannot be sent as it was, the words of the answer may be others.
        let is_masked = matches!(&step.act, Act::Call(Call { body: Body::Text(text), .. }) if text == MASK);
        let shown = answer.as_ref().filter(|_| !is_machinery && !is_masked);
        step.expect = Some(answers::expected(exchange.status, shown, made.as_deref(), &self.names));
        if !fits(&step) {
            step.expect = Some(answers::expected(exchange.status, None, None, &self.names));
        }
        if !fits(&step) {
            return self.leave_out("cannot be written down and are missing");
        }
        if let (Some(_), Some(answer)) = (&made, &answer) {
            let name = self.names.made(noun, answer);
            step.save.push(Save { name, path: "$".to_owned() });
        }
        self.steps.push(step);
        if let Some(answer) = answer.filter(|_| is_good) {
            self.names.shown(self.steps.len() - 1, noun, &answer);
        }
    }

    /// Who asks, and the path as stories have it: under a client where it is the actor's own.
    fn addressed(&self, exchange: &Exchange, path: &str) -> (Actor, String) {
        let partner = match exchange.by {
            By::Partner(id) | By::Person(id, _) => self.session.partners.iter().position(|(known, _)| *known == id),
            By::Operator | By::Payer => None,
        };
        let partner = partner.unwrap_or_default();
        let whose = Actor::Client { partner: partner + 1, client: 1 };
        if let Some((_, rest)) = path.strip_prefix(OF_WORLDS).and_then(|rest| rest.split_once('/')) {
            return (whose, format!("{OF_WORLDS}current/{rest}"));
        }
        let under = path.strip_prefix(OF_CLIENTS).and_then(|rest| rest.split_once('/'));
        let clients = self.session.partners.get(partner).map(|(_, clients)| clients.as_slice()).unwrap_or_default();
        let own = under.and_then(|(id, rest)| {
            let client = clients.iter().position(|client| client.to_string() == id)?;
            Some((client, format!("/{rest}"))).filter(|(_, rest)| !is_whole(rest))
        });
        match own {
            Some((client, rest)) => (Actor::Client { partner: partner + 1, client: client + 1 }, rest),
            None => (whose, path.to_owned()),
        }
    }

    fn call(&mut self, method: &str, path: &str, query: &str, sent: Option<&[u8]>) -> Call {
        let parts: Vec<String> = path.split('/').map(|part| self.names.text(part, &mut self.steps)).collect();
        let mut told = Vec::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = if is_hidden(&key) { MASK.to_owned() } else { self.names.text(&value, &mut self.steps) };
            told.push((key.into_owned(), json!(value)));
        }
        let body = match (sent, body(sent)) {
            (None, _) => Body::None,
            (Some(b"null"), _) => Body::Text("null".to_owned()),
            (Some(bytes), Json::Null) => Body::Text(unread(&String::from_utf8_lossy(bytes))),
            (Some(_), value) => Body::Json(self.names.value(&value, &mut self.steps)),
        };
        Call { method: method.to_owned(), path: parts.join("/"), query: told, headers: Vec::new(), body }
    }

    fn short_form(&mut self, exchange: &Exchange, actor: Actor, path: &str, query: &str) -> Option<Request> {
        if !query.is_empty() {
            return None;
        }
        let sent = match exchange.sent.as_deref() {
            None => Map::new(),
            Some(bytes) => match body(Some(bytes)) {
                Json::Object(entries) => entries,
                _ => return None,
            },
        };
        let rows = STEPS.iter().filter_map(|word| Some((word, word.sends()?)));
        let fitting: Vec<_> = rows.filter(|(_, sends)| sends.method == exchange.method.as_str()).collect();
        let is_good = exchange.status.is_some_and(|status| (200..300).contains(&status));
        fitting.into_iter().find_map(|(word, sends)| self.written(word, sends, actor, path, sent.clone(), is_good))
    }

    /// What would be written for a word that sends just this.
    fn written(
        &mut self,
        word: &'static Word,
        sends: &Sends,
        actor: Actor,
        path: &str,
        mut sent: Map<String, Json>,
        is_good: bool,
    ) -> Option<Request> {
        let captured = captured(sends.path, path)?;
        let mut arguments = Map::new();
        for field in sends.fields {
            let in_path = captured.iter().find(|(name, _)| *name == field.name);
            let given = match in_path {
                Some((_, part)) => Some(Json::from(*part)),
                None => take(&mut sent, field.api),
            };
            if let Some(argument) = self.argument(field, given, actor, is_good)? {
                arguments.insert(field.name.to_owned(), argument);
            }
        }
        if let Some(Others { into, fields }) = sends.others
            && let Some(Json::Object(others)) = sent.remove(into)
        {
            for (name, value) in others {
                let field = fields().into_iter().find(|field| field.name == name)?;
                arguments.insert(name, self.filled(field.kind, &value)?);
            }
        }
        (sent.is_empty() && arguments.len() >= sends.least).then_some(Request { word, arguments })
    }

    /// What is written for a field that was sent with this value: `Some(None)` is nothing, `None` that it cannot be.
    #[allow(clippy::option_option, reason = "not to be written and not to be told are two things")]
    fn argument(&mut self, field: &Field, given: Option<Json>, actor: Actor, is_good: bool) -> Option<Option<Json>> {
        Some(match (given, field.presence) {
            (Some(value), Presence::Fixed(text) | Presence::Usual(Usual::Text(text))) if value == text => None,
            (Some(_), Presence::Fixed(_)) => return None,
            (Some(value), Presence::Usual(Usual::Number(number))) if value == json!(number) => None,
            (Some(value), Presence::Usual(Usual::Client)) if self.is_client(&value, actor) => None,
            // The story's partner has a server of its own.
            (Some(Json::String(_)), Presence::Usual(Usual::Receiver(_))) if is_good && !self.needs_https => None,
            (Some(Json::String(_)), Presence::Usual(Usual::Receiver(_))) if !is_good => return None,
            (Some(value), _) => Some(self.filled(field.kind, &value)?),
            (None, Presence::Usual(Usual::Receiver(_))) if matches!(field.kind, Kind::TextOrNull) => Some(Json::Null),
            (None, Presence::Optional) => None,
            (None, _) => return None,
        })
    }

    fn is_client(&self, value: &Json, actor: Actor) -> bool {
        let Actor::Client { partner, client } = actor else { return false };
        let known = self.session.partners.get(partner - 1).and_then(|(_, clients)| clients.get(client - 1));
        known.is_some_and(|known| value.as_str() == Some(known.to_string().as_str()))
    }

    /// A value as the kind of its field has it.
    fn filled(&mut self, kind: Kind, value: &Json) -> Option<Json> {
        match (kind, value) {
            (Kind::Reference, Json::String(id)) => {
                Some(Json::String(match self.names.reference(id, &mut self.steps) {
                    Some(name) => match name.strip_suffix(".id") {
                        Some(whole) if !whole.contains(['.', '[']) => whole.to_owned(),
                        _ => format!("{{{name}}}"),
                    },
                    None => plain(id),
                }))
            }
            (Kind::CallbackOf, _) => None,
            (Kind::Number | Kind::Units | Kind::Count, value) => value.is_number().then(|| value.clone()),
            (Kind::Positions, value) => positions(value),
            (Kind::BankAccounts, Json::Array(accounts)) => accounts.iter().map(bank_account).collect(),
            (_, value) => Some(self.names.value(value, &mut self.steps)),
        }
    }
}

/// Characters that are no JSON; where they speak of a secret nobody knows where it begins.
fn unread(text: &str) -> String {
    let spoken = text.to_ascii_lowercase();
    let speaks =
        ["secret", "token", "password", "key", "/journey/", "/pay/", "signature"].iter().any(|it| spoken.contains(it));
    if speaks { MASK.to_owned() } else { text.to_owned() }
}

/// Parts of a path that stand in the place of fields.
fn captured<'p>(pattern: &'static str, path: &'p str) -> Option<Vec<(&'static str, &'p str)>> {
    let (known, parts): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
    let mut found = Vec::new();
    for (known, part) in known.iter().zip(&parts) {
        match known.strip_prefix('{').and_then(|known| known.strip_suffix('}')) {
            Some(field) if !part.is_empty() => found.push((field, *part)),
            None if known == part => {}
            _ => return None,
        }
    }
    (known.len() == parts.len()).then_some(found)
}

/// Takes a value out of a body; dots lead into maps, which go when they are empty.
fn take(body: &mut Map<String, Json>, path: &str) -> Option<Json> {
    let Some((first, rest)) = path.split_once('.') else { return body.remove(path) };
    let Json::Object(inner) = body.get_mut(first)? else { return None };
    let taken = take(inner, rest);
    if inner.is_empty() {
        body.remove(first);
    }
    taken
}

/// Instruments and their units as one map.
fn positions(value: &Json) -> Option<Json> {
    let mut told = Map::new();
    for item in value.as_array()? {
        let item = item.as_object().filter(|item| item.len() == 2)?;
        let (instrument, units) = (item.get("instrument")?.as_str()?, item.get("units")?);
        if told.insert(instrument.to_owned(), units.clone()).is_some() || !units.is_number() {
            return None;
        }
    }
    Some(Json::Object(told))
}

/// A bank account as stories write it: one that has passed its check unless it says otherwise.
fn bank_account(value: &Json) -> Option<Json> {
    let mut fields = value.as_object()?.clone();
    fields.get("validated").filter(|flag| flag.is_boolean())?;
    if fields.keys().any(|name| BANK_ACCOUNT.iter().all(|field| field.name != name)) {
        return None;
    }
    fields.retain(|name, value| name != "validated" || value != &json!(true));
    match fields.get("iban")? {
        iban if fields.len() == 1 => Some(iban.clone()),
        _ => Some(Json::Object(fields)),
    }
}

/// What a path speaks of, in one word: one of many.
fn noun(path: &str) -> &str {
    let mut words = path.split('/').filter(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_alphabetic()));
    match words.next() {
        Some("order") => "order",
        first => words.next_back().or(first).map_or("answer", |word| word.strip_suffix('s').unwrap_or(word)),
    }
}
