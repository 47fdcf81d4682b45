//! Journeys: the partner's request, the levers, the customer's browser, and the partner's own server.

use super::expected::expected;
use super::reader::Reader;
use super::short::{name, pairs};
use crate::ast::{
    AROUND_JOURNEY, Ask, Browse, Conduct, Expected, Identity, IdentityOutcome, JourneyLever, Save, StartJourney,
};
use crate::tree::{Key, Kind, Node};
use crate::words::{self, CONDUCTS, JOURNEY_WORDS, PAGE_WORDS};
use serde_json::Value as Json;
use sim::records::{ErrorCode, JourneyType, Step};

/// A journey that the partner starts. Its `as:` goes to `save`.
pub(super) fn start(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) -> Option<Ask> {
    let (mut journey_type, mut configuration, mut around) = (None, Vec::new(), Vec::new());
    for (key, value) in reader.map(node, "a journey") {
        match key.text.as_str() {
            "as" => name(reader, value, save),
            "type" | "journeyType" => journey_type = journey_kind(reader, value),
            word if AROUND_JOURNEY.contains(&word) => around.push((word.to_owned(), reader.json(value))),
            word => {
                near_miss(reader, key, word);
                configuration.push((word.to_owned(), reader.json(value)));
            }
        }
    }
    let is_map = matches!(&node.kind, Kind::Map(entries) if !entries.iter().any(|(key, _)| is_type(key)));
    if is_map {
        let fault = reader.fault(&node.span, "a journey needs its `type`");
        fault.label = "missing here".to_owned();
        fault.hint = Some(words::hint("", &journey_types()).unwrap_or_default());
    }
    Some(Ask::StartJourney(StartJourney { journey_type: journey_type?, configuration, around }))
}

fn is_type(key: &Key) -> bool {
    matches!(key.text.as_str(), "type" | "journeyType")
}

fn journey_types() -> Vec<&'static str> {
    JourneyType::ALL.iter().map(|kind| kind.name()).collect()
}

/// A type that the service does not know is a story of its own (`call`), not a slip here.
fn journey_kind(reader: &mut Reader<'_>, node: &Node) -> Option<Json> {
    let text = reader.text(node, "a journey's type")?;
    let known = journey_types();
    if !text.contains('{') && !known.contains(&text.as_str()) {
        reader.fault(&node.span, format!("no journey has the type `{text}`")).hint = words::hint(&text, &known);
        return None;
    }
    Some(Json::String(text))
}

/// The configuration's fields are the server's to judge, but a slip in a word that is ours would end up among them.
fn near_miss(reader: &mut Reader<'_>, key: &Key, word: &str) {
    let fields: Vec<_> = sim::records::FIELDS.iter().map(|(name, _)| *name).collect();
    if fields.contains(&word) {
        return;
    }
    let known: Vec<_> = JOURNEY_WORDS.iter().copied().chain(fields).collect();
    if let Some(near) = words::nearest(word, known) {
        let near = near.to_owned();
        let fault = reader.fault(&key.span, format!("a journey has no `{word}`"));
        fault.label = "not known here".to_owned();
        fault.hint = Some(format!("did you mean `{near}`? To see the service refuse it, use `call: POST /journey`"));
    }
}

/// What happens to a journey: a journey alone, or a map with what belongs to it.
pub(super) fn lever(reader: &mut Reader<'_>, word: &str, node: &Node) -> Option<Ask> {
    let verb = word.strip_suffix(" journey").unwrap_or(word);
    let (mut journey, mut answers, mut at, mut code) = (None, None, None, None);
    let mut coded = false;
    let known: &[&str] = match verb {
        "complete" => &["journey", "answers"],
        "cancel" => &["journey", "at"],
        "fail" => &["journey", "code", "at"],
        _ => &["journey"],
    };
    if let Kind::Map(entries) = &node.kind {
        for (key, value) in entries {
            match key.text.as_str() {
                "journey" => journey = reader.reference(value, "a journey"),
                "answers" if known.contains(&"answers") => answers = Some(reader.json(value)),
                "at" if known.contains(&"at") => at = one_of(reader, value, "step", &step_names()),
                "code" if known.contains(&"code") => {
                    coded = true;
                    code = one_of(reader, value, "code", &codes());
                }
                unknown => reader.unknown_word(&key.span, unknown, known),
            }
        }
        if journey.is_none() {
            reader.fault(&node.span, "which `journey`?");
        }
    } else {
        journey = reader.reference(node, "a journey");
    }
    let lever = match verb {
        "open" => JourneyLever::Open,
        "complete" => JourneyLever::Complete { answers },
        "cancel" => JourneyLever::Cancel { at },
        "expire" => JourneyLever::Expire,
        _ => {
            if !coded {
                let fault = reader.fault(&node.span, "a failure needs its `code`");
                fault.hint = words::hint("", &codes());
            }
            JourneyLever::Fail { code: code?, at }
        }
    };
    Some(Ask::Journey { journey: journey?, lever })
}

fn step_names() -> Vec<&'static str> {
    Step::ALL.iter().map(|step| step.name()).collect()
}

fn codes() -> Vec<&'static str> {
    ErrorCode::ALL.iter().map(|code| code.name()).collect()
}

fn one_of(reader: &mut Reader<'_>, node: &Node, what: &str, known: &[&str]) -> Option<Json> {
    let text = reader.text(node, &format!("a {what}"))?;
    if !text.contains('{') && !known.contains(&text.as_str()) {
        reader.fault(&node.span, format!("there is no {what} `{text}`")).hint = words::hint(&text, known);
        return None;
    }
    Some(Json::String(text))
}

/// What the customer does in the browser.
pub(super) fn browse(reader: &mut Reader<'_>, word: &str, node: &Node) -> Option<Browse> {
    Some(match word {
        "open page" => open_page(reader, node)?,
        "fill in" => match node.kind {
            Kind::Null => Browse::FillIn(Vec::new()),
            _ => {
                for (key, _) in reader.map(node, "what is filled in") {
                    reader.check_names(&key.text, &key.span);
                }
                Browse::FillIn(pairs(reader, node, "what is filled in"))
            }
        },
        "identify" => Browse::Identity(identity(reader, false, node)),
        "sign" => Browse::Identity(identity(reader, true, node)),
        "press" => Browse::Press(reader.text(node, "a button or link")?),
        "go back" => Browse::GoBack,
        "leave journey" => Browse::Leave,
        _ => return None,
    })
}

fn open_page(reader: &mut Reader<'_>, node: &Node) -> Option<Browse> {
    let (mut page, mut language) = (None, None);
    if let Kind::Map(entries) = &node.kind {
        for (key, value) in entries {
            match key.text.as_str() {
                "journey" => page = reader.reference(value, "a journey"),
                "language" => language = reader.text(value, "a language"),
                unknown => reader.unknown_word(&key.span, unknown, &["journey", "language"]),
            }
        }
        if page.is_none() {
            reader.fault(&node.span, "which `journey`?");
        }
    } else {
        let text = reader.text(node, "a journey")?;
        if !text.starts_with('/') {
            reader.check_reference(&text, &node.span);
        }
        page = Some(text);
    }
    Some(Browse::Open { page: page?, language })
}

fn identity(reader: &mut Reader<'_>, signs: bool, node: &Node) -> Identity {
    let mut identity =
        Identity { signs, person: None, outcome: IdentityOutcome::Done, device: None, fields: Vec::new() };
    match &node.kind {
        Kind::Null => {}
        Kind::Map(entries) => {
            for (key, value) in entries {
                match key.text.as_str() {
                    "person" => identity.person = reader.text(value, "a person").map(Json::String),
                    "outcome" => identity.outcome = outcome(reader, value).unwrap_or(IdentityOutcome::Done),
                    "device" => identity.device = device(reader, value),
                    "firstName" | "lastName" => identity.fields.push((key.text.clone(), reader.json(value))),
                    unknown => {
                        let known = ["person", "outcome", "device", "firstName", "lastName"];
                        reader.unknown_word(&key.span, unknown, &known);
                    }
                }
            }
        }
        Kind::Text(text) if text.chars().all(char::is_alphabetic) => {
            identity.outcome = outcome(reader, node).unwrap_or(IdentityOutcome::Done);
        }
        _ => identity.person = reader.text(node, "a person").map(Json::String),
    }
    identity
}

fn outcome(reader: &mut Reader<'_>, node: &Node) -> Option<IdentityOutcome> {
    let text = reader.text(node, "an outcome")?;
    let found = IdentityOutcome::ALL.into_iter().find(|outcome| outcome.word() == text);
    if found.is_none() {
        reader.fault(&node.span, format!("an identity never ends in `{text}`")).hint =
            words::hint(&text, &IdentityOutcome::ALL.map(IdentityOutcome::word));
    }
    found
}

fn device(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node, "a device")?;
    if !["same", "other"].contains(&text.as_str()) {
        reader.fault(&node.span, format!("there is no device `{text}`")).hint = words::hint(&text, &["same", "other"]);
    }
    Some(text)
}

/// What a page is like: its name, or a map of the words for pages.
pub(super) fn page(reader: &mut Reader<'_>, node: &Node) -> Vec<(String, Expected)> {
    let Kind::Map(entries) = &node.kind else {
        let Some(text) = reader.text(node, "a page") else { return Vec::new() };
        let names: Vec<_> = step_names().into_iter().chain(["leave", "returned", "done", "end"]).collect();
        if !text.contains('{') && !names.contains(&text.as_str()) {
            reader.fault(&node.span, format!("no page is called `{text}`")).hint = words::hint(&text, &names);
        }
        return vec![("name".to_owned(), Expected::Is(Json::String(text)))];
    };
    let known: Vec<_> = PAGE_WORDS.iter().map(|(word, _)| *word).collect();
    let mut wanted = Vec::new();
    for (key, value) in entries {
        if known.contains(&key.text.as_str()) {
            wanted.push((key.text.clone(), by_name(reader, &key.text, value)));
        } else {
            let hint = words::nearest(&key.text, known.iter().copied());
            let hint = hint
                .map_or_else(|| format!("a page has: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
            let fault = reader.fault(&key.span, format!("a page has no `{}`", key.text));
            fault.label = "not known here".to_owned();
            fault.hint = Some(hint);
        }
    }
    if wanted.is_empty() && entries.is_empty() {
        reader.fault(&node.span, "what is expected of the page is missing");
    }
    wanted
}

/// What stands by the words of a page may be called anything, also by words with spaces.
fn by_name(reader: &mut Reader<'_>, word: &str, node: &Node) -> Expected {
    match &node.kind {
        Kind::Map(entries) if word == "fixed" && !is_matcher(entries) => {
            Expected::Part(entries.iter().map(|(key, value)| (key.text.clone(), expected(reader, value))).collect())
        }
        _ => expected(reader, node),
    }
}

fn is_matcher(entries: &[(Key, Node)]) -> bool {
    entries.iter().any(|(key, _)| words::MATCHER_WORDS.contains(&key.text.as_str()))
}

/// How the partner's server behaves.
pub(super) fn receiver(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<Conduct>> {
    let items = reader.one_or_many(node);
    if items.is_empty() {
        reader.fault(&node.span, "how does the receiver behave?").hint = words::hint("", CONDUCTS);
        return None;
    }
    items.iter().map(|item| conduct(reader, item)).collect()
}

fn conduct(reader: &mut Reader<'_>, node: &Node) -> Option<Conduct> {
    let text = reader.text(node, "the receiver's conduct")?;
    let found = match text.as_str() {
        "is down" => Some(Conduct::Down),
        "recovers" => Some(Conduct::Answers(200)),
        "redirects" => Some(Conduct::Redirects),
        "hangs" => Some(Conduct::Hangs),
        "closes" => Some(Conduct::Closes),
        "dribbles" => Some(Conduct::Dribbles),
        "floods" => Some(Conduct::Floods),
        other => other.strip_prefix("answers ").and_then(answering),
    };
    if found.is_none() {
        reader.fault(&node.span, format!("a receiver never `{text}`")).hint = words::hint(&text, CONDUCTS);
    }
    found
}

/// `503`, `200 after 11 seconds`.
fn answering(text: &str) -> Option<Conduct> {
    let (status, after) = text.split_once(" after ").map_or((text, None), |(status, after)| (status, Some(after)));
    let status = status.parse().ok().filter(|status| (200..600).contains(status))?;
    let Some(after) = after else { return Some(Conduct::Answers(status)) };
    let (count, unit) = after.split_once(' ')?;
    let ms = match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" => 60_000,
        "second" => 1_000,
        "millisecond" => 1,
        _ => return None,
    };
    let ms = count.parse::<u32>().ok()?.checked_mul(ms).filter(|ms| *ms <= 600_000)?;
    Some(Conduct::Slow(status, ms))
}
