//! Journeys: the partner's request, the levers, and the partner's own server.

use super::reader::Reader;
use super::short::name;
use crate::ast::{AROUND_JOURNEY, Ask, JourneyLever, ReceiverBehaviour, Save, StartJourney};
use crate::tree::{Key, Kind, Node};
use crate::words::{self, CONDUCTS, JOURNEY_WORDS};
use serde_json::Value as Json;
use sim::records::{ErrorCode, JourneyStep, JourneyType};

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

/// Names of all steps.
pub(super) fn step_names() -> Vec<&'static str> {
    JourneyStep::ALL.iter().map(|step| step.name()).collect()
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

/// A webhook on the partner's server. Its `as:` goes to `save`.
pub(super) fn webhook(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) -> Ask {
    let (mut events, mut url) = (None, None);
    for (key, value) in reader.map(node, "a webhook") {
        match key.text.as_str() {
            "as" => name(reader, value, save),
            "events" => events = Some(reader.json(value)),
            "url" => url = Some(reader.json(value)),
            unknown => reader.unknown_word(&key.span, unknown, &["as", "events", "url"]),
        }
    }
    Ask::RegisterWebhook { events, url }
}

/// How the partner's server behaves.
pub(super) fn receiver(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<ReceiverBehaviour>> {
    let items = reader.one_or_many(node);
    if items.is_empty() {
        reader.fault(&node.span, "how does the receiver behave?").hint = words::hint("", CONDUCTS);
        return None;
    }
    items.iter().map(|item| behaviour(reader, item)).collect()
}

fn behaviour(reader: &mut Reader<'_>, node: &Node) -> Option<ReceiverBehaviour> {
    let text = reader.text(node, "the receiver's behaviour")?;
    let found = match text.as_str() {
        "is down" => Some(ReceiverBehaviour::Down),
        "recovers" => Some(ReceiverBehaviour::Answers(200)),
        "redirects" => Some(ReceiverBehaviour::Redirects),
        "hangs" => Some(ReceiverBehaviour::Hangs),
        "closes" => Some(ReceiverBehaviour::Closes),
        "dribbles" => Some(ReceiverBehaviour::Dribbles),
        "floods" => Some(ReceiverBehaviour::Floods),
        other => other.strip_prefix("answers ").and_then(answering),
    };
    if found.is_none() {
        reader.fault(&node.span, format!("a receiver never `{text}`")).hint = words::hint(&text, CONDUCTS);
    }
    found
}

/// `503`, `200 after 11 seconds`.
fn answering(text: &str) -> Option<ReceiverBehaviour> {
    let (status, after) = text.split_once(" after ").map_or((text, None), |(status, after)| (status, Some(after)));
    let status = status.parse().ok().filter(|status| (200..600).contains(status))?;
    let Some(after) = after else { return Some(ReceiverBehaviour::Answers(status)) };
    let (count, unit) = after.split_once(' ')?;
    let ms = match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" => 60_000,
        "second" => 1_000,
        "millisecond" => 1,
        _ => return None,
    };
    let ms = count.parse::<u32>().ok()?.checked_mul(ms).filter(|ms| *ms <= 600_000)?;
    Some(ReceiverBehaviour::Slow(status, ms))
}
