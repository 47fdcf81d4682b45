//! The spelling of the customer's browser and of the partner's own server.

use super::tree::{Yaml, YamlEntry, entry, expected, fields, json, ms_in_words, text};
use crate::ast::{Browse, EventPattern, Expected, Identity, IdentityOutcome, ReceiverBehaviour};
use serde_json::Value as Json;

/// A word, and what follows it if anything does.
pub(super) fn browse(browse: &Browse) -> (&'static str, Option<Yaml>) {
    match browse {
        Browse::Open { page, language: None } => ("open page", Some(text(page))),
        Browse::Open { page, language: Some(language) } => {
            ("open page", Some(Yaml::Map(vec![entry("journey", text(page)), entry("language", text(language))], false)))
        }
        Browse::FillIn(fields) if fields.is_empty() => ("fill in", None),
        Browse::FillIn(fields) => ("fill in", Some(self::fields(fields))),
        Browse::Identity(identity) => (if identity.signs { "sign" } else { "identify" }, self::identity(identity)),
        Browse::Press(words) => ("press", Some(text(words))),
        Browse::SendAgain => ("send again", None),
        Browse::GoBack => ("go back", None),
        Browse::Leave => ("leave journey", None),
    }
}

fn identity(identity: &Identity) -> Option<Yaml> {
    let Identity { signs: _, person, outcome, device, fields } = identity;
    let alone = device.is_none() && fields.is_empty();
    match (person, outcome) {
        (None, IdentityOutcome::Done) if alone => None,
        (None, outcome) if alone => Some(text(outcome.word())),
        (Some(person), IdentityOutcome::Done) if alone && !is_outcome(person) => Some(json(person)),
        _ => {
            let mut entries: Vec<YamlEntry> = person.iter().map(|person| entry("person", json(person))).collect();
            if *outcome != IdentityOutcome::Done {
                entries.push(entry("outcome", text(outcome.word())));
            }
            entries.extend(device.iter().map(|device| entry("device", text(device))));
            entries.extend(fields.iter().map(|(key, value)| entry(key, json(value))));
            Some(Yaml::Map(entries, false))
        }
    }
}

/// A person who would be read as an outcome when standing alone.
fn is_outcome(person: &Json) -> bool {
    person.as_str().is_some_and(|person| person.chars().all(char::is_alphabetic))
}

pub(super) fn page(wanted: &[(String, Expected)]) -> Yaml {
    match wanted {
        [(word, Expected::Is(Json::String(name)))] if word == "name" => text(name),
        _ => Yaml::Map(wanted.iter().map(|(word, value)| entry(word, expected(value))).collect(), false),
    }
}

/// An event that is looked for: its type, with what it must hold, if the pattern names anything.
pub(super) fn event(event: &EventPattern) -> Yaml {
    match &event.frame {
        Expected::Part(entries) if entries.is_empty() => text(&event.kind),
        frame => Yaml::Map(vec![entry(&event.kind, expected(frame))], false).short(),
    }
}

pub(super) fn webhooks(events: &[EventPattern]) -> Yaml {
    match events {
        [only] => event(only),
        several => Yaml::List(several.iter().map(event).collect(), false),
    }
}

pub(super) fn behaviours(behaviours: &[ReceiverBehaviour]) -> Yaml {
    match behaviours {
        [only] => text(&behaviour(*only)),
        several => Yaml::List(several.iter().map(|one| text(&behaviour(*one))).collect(), true),
    }
}

fn behaviour(behaviour: ReceiverBehaviour) -> String {
    match behaviour {
        ReceiverBehaviour::Down => "is down".to_owned(),
        ReceiverBehaviour::Answers(status) => format!("answers {status}"),
        ReceiverBehaviour::Slow(status, ms) => format!("answers {status} after {}", ms_in_words(u64::from(ms))),
        ReceiverBehaviour::Redirects => "redirects".to_owned(),
        ReceiverBehaviour::Hangs => "hangs".to_owned(),
        ReceiverBehaviour::Closes => "closes".to_owned(),
        ReceiverBehaviour::Dribbles => "dribbles".to_owned(),
        ReceiverBehaviour::Floods => "floods".to_owned(),
    }
}
