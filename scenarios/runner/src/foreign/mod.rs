//! A server that is no fundsim, held to the same stories: who its partners are, what its answers must be like, and what was
//! asked of it.
//!
//! Owns: the file that describes such a server, and the counts by chapter of the partner API. Invariant: whatever such a server
//! cannot be asked is counted with its reason, and never as held. Absent on purpose: which step of a story can be asked
//! (`run::foreign`).

mod description;
mod known_levers;
mod tally;

pub use description::{chapter_of_request, chapters, wrong_with, wrong_with_event};
pub use known_levers::Levers;
pub use tally::{Count, Reason, Tally};

use language::words;
use serde::Deserialize;
use serde_json::Value as Json;
use std::fmt;
use std::path::PathBuf;
use uuid::Uuid;

/// A server that somebody else has made.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Foreign {
    /// Its partners, as `fundsim serve --output json` prints those of a world: `clientId`, `clientSecret`, `clients` with
    /// their `id`.
    pub partners: Vec<Json>,
    /// Chapters that it does not have, such as `Events`.
    #[serde(default)]
    pub without: Vec<String>,
    /// The file that says so.
    #[serde(skip)]
    pub file: PathBuf,
    /// Which levers it has, as far as that has shown.
    #[serde(skip)]
    pub levers: Levers,
}

/// What the file may say; of `serve`'s line, more than is used.
const WORDS: &[&str] = &["partners", "without", "url", "worldId", "name", "seed", "now", "tls"];
/// What it may say of a partner.
const OF_A_PARTNER: &[&str] = &["clientId", "clientSecret", "clients", "name", "callbackSecret"];

/// The first word that is none of these, with what was meant perhaps.
fn unknown(value: &Json, known: &[&str]) -> Option<String> {
    let word = value.as_object()?.keys().find(|word| !known.contains(&word.as_str()))?;
    let hint = words::hint(word, known).map(|hint| format!("; {hint}")).unwrap_or_default();
    Some(format!("unknown word `{word}`{hint}"))
}

impl fmt::Debug for Foreign {
    /// Without its secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a server with {} partners, without {:?}", self.partners.len(), self.without)
    }
}

impl Foreign {
    /// Reads the file that describes it, JSON.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |error: serde_json::Error| {
            format!("{error}; `partners` has the form that `fundsim serve --output json` prints")
        };
        let value: Json = serde_json::from_str(text).map_err(refused)?;
        if let Some(unknown) = unknown(&value, WORDS) {
            return Err(unknown);
        }
        let foreign: Self = serde_json::from_value(value).map_err(refused)?;
        if foreign.partners.is_empty() {
            return Err("`partners` is empty".to_owned());
        }
        for (at, partner) in foreign.partners.iter().enumerate() {
            if let Some(unknown) = unknown(partner, OF_A_PARTNER) {
                return Err(format!("partner {}: {unknown}", at + 1));
            }
            let is_text = |key: &str| partner.get(key).and_then(Json::as_str).is_some_and(|text| !text.is_empty());
            if let Some(key) = ["clientId", "clientSecret"].into_iter().find(|key| !is_text(key)) {
                return Err(format!("partner {} has no `{key}`", at + 1));
            }
            let clients = partner.get("clients").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            let has_id = |client: &Json| client.get("id").is_some_and(Json::is_string);
            if clients.is_empty() || !clients.iter().all(has_id) {
                return Err(format!("partner {} has no `clients`, each with its `id`", at + 1));
            }
            let ids = clients.iter().filter_map(|client| client.get("id").and_then(Json::as_str));
            if let Some(id) = ids.into_iter().find(|id| Uuid::try_parse(id).is_err()) {
                return Err(format!("partner {}: the client id `{id}` is not a UUID", at + 1));
            }
        }
        if let Some(unknown) = foreign.without.iter().find(|name| !chapters().contains(&name.as_str())) {
            let near = words::nearest(unknown, chapters().iter().copied());
            let hint = near.map_or_else(|| chapters().join(", "), |near| format!("did you mean `{near}`?"));
            return Err(format!("`without` names no chapter with `{unknown}`; {hint}"));
        }
        Ok(foreign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_server_is_read_or_refused_with_what_is_wrong() {
        let rows = [
            (
                r#"{"partners":[{"clientId":"a","clientSecret":"b","clients":[{"id":"6b1f7c52-0d1e-4c59-9f0c-5a3c1d2e4f01"}]}],"url":"x"}"#,
                None,
            ),
            (
                r#"{"partners":[{"clientId":"a","clientSecret":"b","clients":[{"id":"6b1f7c52-0d1e-4c59-9f0c-5a3c1d2e4f01"}]}],"without":["Events"]}"#,
                None,
            ),
            (
                r#"{"partners":[{"clientId":"a","clientSecret":"b","clients":[{"id":"c"}]}]}"#,
                Some("partner 1: the client id `c` is not a UUID"),
            ),
            (r#"{"partners":[],"witout":[]}"#, Some("unknown word `witout`; did you mean `without`?")),
            (r#"{"partners":[{"clientID":"a"}]}"#, Some("partner 1: unknown word `clientID`")),
            ("{}", Some("missing field `partners`")),
            (r#"{"partners":[]}"#, Some("`partners` is empty")),
            (r#"{"partners":[{"clientId":"a"}]}"#, Some("partner 1 has no `clientSecret`")),
            (r#"{"partners":[{"clientId":"a","clientSecret":"b"}]}"#, Some("partner 1 has no `clients`")),
            (
                r#"{"partners":[{"clientId":"a","clientSecret":"b","clients":[{"id":"6b1f7c52-0d1e-4c59-9f0c-5a3c1d2e4f01"}]}],"without":["Evens"]}"#,
                Some("did you mean `Events`?"),
            ),
        ];
        for (text, wrong) in rows {
            let refused = Foreign::parse(text).err();
            match wrong {
                None => assert_eq!(refused, None, "{text}"),
                Some(part) => {
                    assert!(refused.as_deref().is_some_and(|refused| refused.contains(part)), "{text}: {refused:?}")
                }
            }
        }
        let secret = Foreign::parse(rows[0].0).expect("it is read");
        assert!(!format!("{secret:?}").contains('b'), "{secret:?}");
    }
}
