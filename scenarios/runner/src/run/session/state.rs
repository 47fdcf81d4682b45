//! What a story under way holds: its driver, names, partners, sockets, browser and received posts.
//!
//! Invariant: nothing here outlives the run. Absent on purpose: what is done with it.

use super::watched::{Arrived, Watched};
use crate::drivers::Driver;
use crate::run::foreign_run::ForeignRun;
use crate::run::frames::Frames;
use crate::run::joined_world::JoinedWorld;
use crate::run::received_posts::ReceivedPosts;
use crate::transcript::Transcript;
use language::template::Names;
use page::Page;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// The driver of a run of `seed`, with what tests have planted before it.
#[cfg(not(feature = "canaries"))]
pub(super) fn line(driver: Box<dyn Driver>, _seed: u64) -> Box<dyn Driver> {
    driver
}

#[cfg(feature = "canaries")]
pub(super) fn line(driver: Box<dyn Driver>, seed: u64) -> Box<dyn Driver> {
    Box::new(crate::drivers::planted::Planted::new(driver, seed))
}

/// A story under way.
pub(crate) struct Session {
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) transcript: Transcript,
    pub(crate) names: Saved,
    pub(crate) now: String,
    pub(crate) inbox: Vec<Arrived>,
    /// What sockets have shown to a generated run, which judges it itself; none in stories, which use the inbox.
    pub(crate) frames: Option<Frames>,
    pub(super) world: String,
    pub(super) partners: Vec<Partner>,
    pub(super) sockets: Vec<Watched>,
    pub(super) start: String,
    /// Whether the partner cannot be reached at the moment.
    pub(super) offline: bool,
    /// Whether the server is gone at the moment.
    pub(super) crashed: bool,
    /// Why the last answer that did not come did not; for people, since it differs between networks.
    pub(crate) silence: String,
    /// The customer's.
    pub(crate) browser: Browser,
    /// What the partner's server got, and which of it was expected.
    pub(crate) received_posts: ReceivedPosts,
    /// Whether a partner's server listens for the story, so that a request can name it where its author does not.
    pub(crate) has_receiver: bool,
    /// How the story fares on a server that is no fundsim.
    pub(crate) foreign: Option<ForeignRun>,
    /// What is remembered of a world that an application uses, too.
    pub(crate) joined: Option<JoinedWorld>,
}

impl Session {
    /// The form by which the first partner gets a token, and the id of its first client.
    pub(crate) fn credentials_of_first(&self) -> (String, String) {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "client_credentials");
        let first = self.partners.first();
        for (key, value) in
            first.iter().flat_map(|first| [("client_id", &first.client_id), ("client_secret", &first.secret)])
        {
            form.append_pair(key, value);
        }
        (form.finish(), first.and_then(|first| first.clients.first().cloned()).unwrap_or_default())
    }
}

/// A partner with its clients, as the answer to the world's creation lists them.
pub(super) struct Partner {
    pub(super) client_id: String,
    pub(super) secret: String,
    pub(super) clients: Vec<String>,
    pub(super) token: Option<String>,
    /// Signs what is posted about its journeys.
    pub(super) callback_secret: String,
}

/// Saved values by name.
#[derive(Default)]
pub(crate) struct Saved(Map<String, Json>);

impl Names for Saved {
    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }
}

impl Saved {
    pub(crate) fn set(&mut self, name: &str, value: Json) {
        self.0.insert(name.to_owned(), value);
    }

    /// The first name of each resource that has an id, by that.
    pub(super) fn by_id(&self) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        for (name, value) in &self.0 {
            if let Some(id) = value.get("id").unwrap_or(value).as_str() {
                names.entry(id.to_owned()).or_insert_with(|| name.clone());
            }
        }
        names
    }

    /// Names and ids of the resources that a step speaks of, by what is written there.
    pub(super) fn named_in(&self, step: &str) -> Vec<(String, String)> {
        let is_whole = |at: usize, name: &str| {
            let part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            !part(step[..at].chars().next_back()) && !part(step[at + name.len()..].chars().next())
        };
        let speaks_of = |name: &str| step.match_indices(name).any(|(at, _)| is_whole(at, name));
        self.resources().filter(|(name, _)| speaks_of(name)).collect()
    }

    /// Names and ids of all that the story has named itself.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (String, String)> {
        let known = ["world", "partner", "client"];
        let own = self.0.iter().filter(move |(name, _)| !known.iter().any(|known| name.starts_with(known)));
        own.filter_map(|(name, value)| Some((name.clone(), value.get("id")?.as_str()?.to_owned())))
    }

    /// Names and ids of the accounts among them, each account once, by its first name.
    pub(super) fn accounts(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, value) in &self.0 {
            let text = |key: &str| value.get(key).and_then(Json::as_str);
            if let (Some(id), Some(_), Some(_)) = (text("id"), text("accountType"), text("ref"))
                && !found.iter().any(|(_, known)| known == id)
            {
                found.push((name.clone(), id.to_owned()));
            }
        }
        found
    }
}

/// The customer's browser.
#[derive(Default)]
pub(crate) struct Browser {
    pub(crate) page: Option<Page>,
    pub(crate) language: Option<String>,
    /// Where the last form went, what was shown of it, and the form.
    pub(crate) sent: Option<(String, String, String)>,
}
