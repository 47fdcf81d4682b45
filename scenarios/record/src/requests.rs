//! Requests as steps: by the word whose row sends just this, as raw calls elsewhere.
//!
//! Invariant: a word is taken only where it sends what was sent, and reads as it is written. Absent on purpose: rows of its own;
//! the words' table says what each sends.

use super::hidden::{is_hidden, literal, unread};
use super::names::{fault, is_id, is_instrument};
use super::sent::Sent;
use super::{ALLOWLIST, ScenarioExporter, answers, body};
use hosting::recording::{Exchange, Requester};
use language::ast::{Act, Actor, Body, Call, Request, Save, StoryStep};
use language::routes::is_whole;
use language::words::{self, BANK_ACCOUNT, Field, Others, Presence, STEPS, Sends, Usual, Word, WordFieldType};
use serde_json::{Map, Value as Json, json};
use sim::ids::MobilePaymentId;
use std::borrow::Cow;
use std::collections::BTreeSet;

const OF_CLIENTS: &str = "/v2/partner/client/";
const OF_WORLDS: &str = "/_sandbox/worlds/";

const UNWRITTEN: &str = "cannot be written down and are missing";
const MISSING_PAYER: &str = "on pages of payments cannot be written as steps and are missing";

/// A request while it is being written.
struct Asked<'e> {
    exchange: &'e Exchange,
    actor: Actor,
    path: String,
    query: &'e str,
    sent: Sent<'e>,
}

/// Forms in which a request can be written, the clearest first.
const REQUEST_FORMS: [RequestForm; 3] = [RequestForm::Word, RequestForm::Call, RequestForm::Characters];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestForm {
    /// By the word that sends just this.
    Word,
    /// By method and path.
    Call,
    /// The same, with the very characters of its body.
    Characters,
}

impl ScenarioExporter<'_> {
    pub(super) fn request(&mut self, exchange: &Exchange) {
        let answer = exchange.answered.as_deref().map(|bytes| body(Some(bytes))).filter(|answer| !answer.is_null());
        let recorded = self.reason_to_leave_out(exchange, answer.as_ref()).map_or(Ok(()), Err);
        let recorded = recorded.and_then(|()| self.asked(exchange)).and_then(|asked| {
            let made = self.made(&asked, answer.as_ref());
            let step = self.step(&asked, answer.as_ref(), made.as_deref())?;
            Ok((asked, made, step))
        });
        let (asked, made, mut step) = match recorded {
            Ok(recorded) => recorded,
            Err(why) => return self.leave_out(exchange, why),
        };
        let noun = noun(&asked.path);
        let good = answer.as_ref().filter(|_| exchange.is_good());
        let is_of_faults = asked.path.ends_with("/faults");
        self.has_rules |= exchange.is_good() && asked.path.contains("/current/faults") && exchange.method == "POST";
        let rule = good.filter(|_| is_of_faults && exchange.method == "POST").and_then(|rule| rule["id"].as_u64());
        let name = match (&made, good, rule) {
            (_, _, Some(number)) => Some(self.names.made_rule(number)),
            (Some(_), Some(answer), None) => Some(self.names.made(noun, answer)),
            _ => None,
        };
        step.save.extend(name.map(|name| Save { name, path: "$".to_owned() }));
        self.steps.push(step);
        let step = self.steps.len() - 1;
        match good {
            Some(Json::Array(rules)) if asked.path.ends_with("/faults/bundles") => self.names.shown_rules(step, rules),
            Some(answer) => self.names.shown(step, noun, answer),
            None => {}
        }
    }

    /// Why a request cannot be written, where its answer says so or too little of it is kept.
    fn reason_to_leave_out(&self, exchange: &Exchange, answer: Option<&Json>) -> Option<&'static str> {
        let why = answer.and_then(|answer| answer["error_description"].as_str()).unwrap_or_default();
        let is_refused = exchange.status.is_some_and(|status| (400..500).contains(&status));
        let is_machinery = exchange.machinery().is_some();
        let is_partners = matches!(exchange.by, Requester::Partner(_));
        match exchange.status {
            _ if exchange.is_cut => Some("sent more than is kept and are missing"),
            _ if is_refused && is_machinery && is_partners && self.session.is_shared => {
                Some("were refused to a partner of a shared world and are missing")
            }
            Some(403) if why.starts_with("the access token lacks") => {
                Some("were asked with a token of fewer rights and are missing")
            }
            Some(403) if why == "this address is not on the allowlist" => {
                Some("came from addresses that are not let in and are missing")
            }
            Some(403) if is_machinery => Some("were refused since they are the operator's, and are missing"),
            _ => None,
        }
    }

    /// The id of what a request has made, where it shows for the first time.
    fn made(&self, asked: &Asked<'_>, answer: Option<&Json>) -> Option<String> {
        let id = answer?["id"].as_str()?;
        let is_new = asked.exchange.is_good() && asked.exchange.method == "POST" && !self.names.knows(id);
        (is_new && is_id(id)).then(|| id.to_owned())
    }

    /// A request, without what a story has of its own: addresses that are let in, and keys of webhooks.
    fn asked<'e>(&mut self, exchange: &'e Exchange) -> Result<Asked<'e>, &'static str> {
        let (path, query) = exchange.target.split_once('?').unwrap_or((&exchange.target, ""));
        let (actor, path) = self.addressed(exchange, path);
        let mut sent = Sent::of(exchange)?;
        if let (Sent::Value(Json::Object(entries)), true) = (&mut sent, exchange.is_good()) {
            if path.contains("/current/webhooks") {
                // One is drawn instead.
                entries.shift_remove("secret");
            }
            let is_let_in = path.ends_with("/current/settings") && entries.shift_remove(ALLOWLIST).is_some();
            if is_let_in && entries.is_empty() {
                return Err("say which addresses are let in and are missing");
            }
        }
        Ok(Asked { exchange, actor, path, query, sent })
    }

    /// The request in the first form that is read as it was written.
    fn step(
        &mut self,
        asked: &Asked<'_>,
        answer: Option<&Json>,
        made: Option<&str>,
    ) -> Result<StoryStep, &'static str> {
        let shown = answer.filter(|_| !asked.path.starts_with(OF_WORLDS));
        for way in REQUEST_FORMS {
            self.names.take_masked();
            let Some(act) = self.act_by(way, asked)? else { continue };
            // Of a request that cannot be sent as it was, the words of the answer may be others.
            let shown = shown.filter(|_| !self.names.take_masked());
            for shown in [shown, None] {
                let expect = answers::expected(asked.exchange.status, shown, made, &self.names);
                let step = StoryStep { actor: asked.actor, expect: Some(expect), ..StoryStep::from(act.clone()) };
                if self.fits(&step) {
                    return Ok(step);
                }
                if shown.is_none() {
                    break;
                }
            }
        }
        Err(UNWRITTEN)
    }

    fn act_by(&mut self, way: RequestForm, asked: &Asked<'_>) -> Result<Option<Act>, &'static str> {
        Ok(match (way, &asked.sent) {
            (RequestForm::Word, Sent::Nothing) => self.short_form(asked, Map::new()).map(Act::Request),
            (RequestForm::Word, Sent::Value(Json::Object(sent))) => {
                self.short_form(asked, sent.clone()).map(Act::Request)
            }
            (RequestForm::Word, _) | (RequestForm::Characters, Sent::Nothing | Sent::Text { .. }) => None,
            (RequestForm::Call, Sent::Nothing) => Some(self.call(asked, Body::None)),
            (RequestForm::Call, Sent::Value(value)) => {
                let value = self.names.value(value, &mut self.steps);
                Some(self.call(asked, Body::Json(value)))
            }
            (RequestForm::Call, Sent::Text { text, kind }) => Some(self.characters(asked, text, *kind)?),
            (RequestForm::Characters, Sent::Value(_)) => {
                let text = asked.exchange.sent.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
                Some(self.characters(asked, text.ok_or(UNWRITTEN)?, None)?)
            }
        })
    }

    /// A call that sends these very characters, which are JSON unless `kind` names another content type.
    fn characters(&mut self, asked: &Asked<'_>, text: &str, kind: Option<&str>) -> Result<Act, &'static str> {
        let shown = unread(text);
        let shown = self.names.without_secrets(&shown).into_owned();
        let is_masked = shown != text;
        if is_masked && asked.exchange.is_good() {
            return Err("sent secrets in a body that has to stay as it is, and are missing");
        }
        if is_masked {
            self.names.note_masked();
        }
        let Act::Call(mut call) = self.call(asked, Body::Text(shown)) else { return Err(UNWRITTEN) };
        call.headers.extend(kind.map(|kind| ("content-type".to_owned(), literal(kind))));
        Ok(Act::Call(call))
    }

    /// Who asks, and the path as stories have it: under a client where it is the actor's own.
    fn addressed(&self, exchange: &Exchange, path: &str) -> (Actor, String) {
        let whose = self.actor(exchange);
        let Actor::Client { partner, .. } = whose else { return (whose, path.to_owned()) };
        if let Some((_, rest)) = path.strip_prefix(OF_WORLDS).and_then(|rest| rest.split_once('/')) {
            return (whose, format!("{OF_WORLDS}current/{rest}"));
        }
        let under = path.strip_prefix(OF_CLIENTS).and_then(|rest| rest.split_once('/'));
        let clients = self.session.partners.get(partner - 1).map(|(_, clients)| clients.as_slice()).unwrap_or_default();
        let own = under.and_then(|(id, rest)| {
            let client = clients.iter().position(|client| client.to_string() == id)?;
            Some((client, format!("/{rest}"))).filter(|(_, rest)| !is_whole(rest))
        });
        match own {
            Some((client, rest)) => (Actor::Client { partner, client: client + 1 }, rest),
            None => (whose, path.to_owned()),
        }
    }

    fn call(&mut self, asked: &Asked<'_>, body: Body) -> Act {
        let mut before = "";
        let mut parts = Vec::new();
        for part in asked.path.split('/') {
            let key = if before == "faults" { Cow::Owned(fault(part)) } else { Cow::Borrowed(part) };
            parts.push(match self.names.reference(&key, &mut self.steps) {
                Some(name) => format!("{{{name}}}"),
                None => literal(&self.names.without_secrets(part)),
            });
            before = part;
        }
        let (mut path, mut query) = (parts.join("/"), Vec::new());
        if is_plain(asked.query) {
            for (key, value) in form_urlencoded::parse(asked.query.as_bytes()) {
                let masked = self.names.mask(&key, &json!(""));
                let value = masked.unwrap_or_else(|| json!(self.names.text(&value, &mut self.steps)));
                query.push((self.names.without_secrets(&key).into_owned(), value));
            }
        } else {
            let whole = format!("?{}", asked.query);
            path.push_str(&literal(&self.names.without_secrets(&whole)));
        }
        Act::Call(Call { method: asked.exchange.method.to_string(), path, query, headers: Vec::new(), body })
    }

    fn short_form(&mut self, asked: &Asked<'_>, sent: Map<String, Json>) -> Option<Request> {
        if !asked.query.is_empty() {
            return None;
        }
        let rows = STEPS.iter().filter_map(|word| Some((word, word.sends()?)));
        let fitting: Vec<_> = rows.filter(|(_, sends)| sends.method == asked.exchange.method.as_str()).collect();
        fitting.into_iter().find_map(|(word, sends)| self.written(word, sends, asked, sent.clone()))
    }

    /// What would be written for a word that sends just this.
    fn written(
        &mut self,
        word: &'static Word,
        sends: &Sends,
        asked: &Asked<'_>,
        mut sent: Map<String, Json>,
    ) -> Option<Request> {
        let captured = captured(sends.path, &asked.path)?;
        let mut arguments = Map::new();
        for field in sends.fields {
            let in_path = captured.iter().find(|(name, _)| *name == field.name);
            let given = match in_path {
                Some((name, part)) if *name == "fault" => Some(Json::from(fault(part))),
                Some((_, part)) => Some(Json::from(*part)),
                None => take(&mut sent, field.api),
            };
            if let Some(argument) = self.argument(field, given, asked)? {
                arguments.insert(field.name.to_owned(), argument);
            }
        }
        if let Some(Others { into, fields }) = sends.others
            && let Some(Json::Object(others)) = sent.remove(into)
        {
            for (name, value) in others {
                let field = fields().into_iter().find(|field| field.name == name)?;
                arguments.insert(name, self.filled(&field, &value)?);
            }
        }
        (sent.is_empty() && arguments.len() >= sends.least).then_some(Request { word, arguments })
    }

    /// What is written for a field that was sent with this value: `Some(None)` is nothing, `None` that it cannot be.
    #[allow(clippy::option_option, reason = "nothing to write and no way to write it are two things")]
    fn argument(&mut self, field: &Field, given: Option<Json>, asked: &Asked<'_>) -> Option<Option<Json>> {
        let is_good = asked.exchange.is_good();
        Some(match (given, field.presence) {
            (Some(value), Presence::Fixed(text) | Presence::Usual(Usual::Text(text))) if value == text => None,
            (Some(_), Presence::Fixed(_)) => return None,
            (Some(value), Presence::Usual(Usual::Number(number))) if value == json!(number) => None,
            (Some(value), Presence::Usual(Usual::Client)) if self.is_client(&value, asked.actor) => None,
            // The story's partner has a server of its own.
            (Some(Json::String(_)), Presence::Usual(Usual::Receiver(_))) if is_good && !self.needs_https => None,
            (Some(Json::String(_)), Presence::Usual(Usual::Receiver(_))) if !is_good => return None,
            (Some(value), _) => Some(self.filled(field, &value)?),
            (None, Presence::Usual(Usual::Receiver(_))) if matches!(field.kind, WordFieldType::TextOrNull) => {
                Some(Json::Null)
            }
            (None, Presence::Optional) => None,
            (None, _) => return None,
        })
    }

    fn is_client(&self, value: &Json, actor: Actor) -> bool {
        let Actor::Client { partner, client } = actor else { return false };
        let known = self.session.partners.get(partner - 1).and_then(|(_, clients)| clients.get(client - 1));
        known.is_some_and(|known| value.as_str() == Some(known.to_string().as_str()))
    }

    /// A value as the kind of its field has it. What is secret has no short form: it is refused in words of its own.
    fn filled(&mut self, field: &Field, value: &Json) -> Option<Json> {
        if is_hidden(field.name) {
            return None;
        }
        match (field.kind, value) {
            (WordFieldType::Reference, Json::String(id)) => self.referred(id).map(Json::String),
            (WordFieldType::CallbackOf, _) => None,
            (WordFieldType::Number | WordFieldType::Units | WordFieldType::Count, value) => {
                value.is_number().then(|| value.clone())
            }
            (WordFieldType::Positions, value) => positions(value),
            (WordFieldType::BankAccounts, Json::Array(accounts)) => {
                let is_plain = self.names.value(value, &mut self.steps) == *value;
                accounts.iter().map(|account| bank_account(account).filter(|_| is_plain)).collect()
            }
            (_, value) => Some(self.names.value(value, &mut self.steps)),
        }
    }

    /// What names an id in a short form: a name, or an id that nobody takes for one.
    fn referred(&mut self, id: &str) -> Option<String> {
        match self.names.reference(id, &mut self.steps) {
            Some(name) => Some(match name.strip_suffix(".id") {
                Some(whole) if !whole.contains(['.', '[']) => whole.to_owned(),
                _ => format!("{{{name}}}"),
            }),
            None if is_id(id) || is_instrument(id) => {
                Some(id.to_owned()).filter(|id| *self.names.without_secrets(id) == **id)
            }
            None => None,
        }
    }

    /// What a payer has decided, by the lever that does the same.
    pub(super) fn pay(&mut self, exchange: &Exchange, payment: MobilePaymentId) {
        let sent = exchange.sent.as_deref().unwrap_or_default();
        let of = |wanted: &str| form_urlencoded::parse(sent).find(|(name, _)| name == wanted).map(|(_, value)| value);
        let word = of("_outcome").and_then(|outcome| words::request(&format!("{outcome} mobile payment")));
        let is_done = exchange.turn.is_own && exchange.status.is_some_and(|status| (300..400).contains(&status));
        let (Some(word), true) = (word, is_done) else { return self.leave_out(exchange, MISSING_PAYER) };
        let Some(payment) = self.referred(&payment.to_string()) else { return self.leave_out(exchange, MISSING_PAYER) };
        let mut arguments = Map::from_iter([("payment".to_owned(), Json::from(payment))]);
        if word.word == "fail mobile payment" {
            arguments.extend(of("_failure").map(|code| ("errorCode".to_owned(), json!(code))));
        }
        let step = StoryStep { actor: self.actor(exchange), ..StoryStep::from(Request { word, arguments }) };
        if !self.fits(&step) {
            return self.leave_out(exchange, MISSING_PAYER);
        }
        self.steps.push(step);
    }
}

/// Whether a query can be written as names and values: each name once.
fn is_plain(query: &str) -> bool {
    let mut names = BTreeSet::new();
    let is_once = form_urlencoded::parse(query.as_bytes()).all(|(name, _)| names.insert(name));
    query.is_empty() || (is_once && query.split('&').all(|pair| pair.contains('=')))
}

/// Parts of a path that are in the places of fields.
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
    let mut recorded = Map::new();
    for item in value.as_array()? {
        let item = item.as_object().filter(|item| item.len() == 2)?;
        let (instrument, units) = (item.get("instrument")?.as_str()?, item.get("units")?);
        let is_once = is_instrument(instrument) && recorded.insert(instrument.to_owned(), units.clone()).is_none();
        if !is_once || !units.is_number() {
            return None;
        }
    }
    Some(Json::Object(recorded))
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
