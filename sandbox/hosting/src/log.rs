//! What the server tells whoever runs it: entries with a level, each of them one line.
//!
//! Owns: the kinds of entries, the levels, and what is masked in the target of a request. Invariant: an entry holds no
//! secret and costs little to make; it is put into words (`lines`) by whoever reads it, never by whoever answers a request.
//! Absent on purpose: where lines go and how many may wait, which the program that serves decides.

mod lines;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use sim::ids::{ClientId, PartnerId};
use sim::time::Instant;
use uuid::Uuid;

use crate::deliveries::outcome::Outcome;
use crate::transport::{TransportClock, TransportTime};
use crate::world_id::WorldId;

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something failed that should not.
    Error,
    /// Something that whoever runs the server may want to change.
    Warn,
    /// What happens: requests, events, deliveries.
    Info,
    /// Requests of those who look after the server.
    Debug,
}

impl Level {
    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

/// One line to be.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Transport time.
    pub at: TransportTime,
    /// How much it matters.
    pub level: Level,
    /// What it tells.
    pub what: What,
}

/// What an entry tells.
#[derive(Clone, Debug)]
pub enum What {
    /// A request was answered, or its connection dropped.
    Request(RequestTold),
    /// Something happened in a world.
    Event(EventTold),
    /// An attempt to deliver ended.
    Delivery(Box<DeliveryTold>),
    /// In words.
    Message(String),
}

/// A request that has its answer.
#[derive(Clone, Debug)]
pub struct RequestTold {
    /// The `request-id` of the answer.
    pub id: u64,
    /// The world that it was about, where that is known.
    pub world: Option<WorldId>,
    /// Whose token it showed.
    pub partner: Option<PartnerId>,
    /// Method.
    pub method: axum::http::Method,
    /// Path and query, without secrets.
    pub target: Box<str>,
    /// Status of the answer; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// From the end of its header to the beginning of its answer.
    pub took: Duration,
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct EventTold {
    /// Where it happened.
    pub world: WorldId,
    /// Its type, such as `order.update`.
    pub kind: &'static str,
    /// The id of what changed.
    pub resource: Uuid,
    /// Whom it concerns; `None` means every client.
    pub client: Option<ClientId>,
    /// Business time.
    pub occurred: Instant,
    /// The timer that caused it.
    pub timer: Option<&'static str>,
    /// The request that caused it, or moved the clock.
    pub request: Option<u64>,
}

/// An attempt to deliver.
#[derive(Clone, Debug)]
pub struct DeliveryTold {
    /// Whose callback or webhook it is.
    pub world: WorldId,
    /// Id of the delivery.
    pub id: Uuid,
    /// Type of the event, or `journey.callback`.
    pub kind: &'static str,
    /// Whose it is.
    pub client: ClientId,
    /// Where it went.
    pub url: Arc<str>,
    /// What a rule did to it.
    pub fault: Option<&'static str>,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// Where the delivery stands now.
    pub status: &'static str,
    /// How long it took.
    pub took: Duration,
}

type Sink = dyn Fn(Entry) + Send + Sync;

/// Takes entries of a level and above. Clones share it.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Open>>);

struct Open {
    least: Level,
    clock: TransportClock,
    sink: Box<Sink>,
}

impl Log {
    /// Hands entries that matter as much as `least` or more to `sink`, which must not wait for anything: it is called under
    /// the locks of worlds. Entries have the time of `clock`.
    #[must_use]
    pub fn to(least: Level, clock: TransportClock, sink: impl Fn(Entry) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Open { least, clock, sink: Box::new(sink) })))
    }

    /// Says nothing.
    #[must_use]
    pub const fn silent() -> Self {
        Self(None)
    }

    /// Whether anybody is told what matters so much.
    #[must_use]
    pub fn takes(&self, level: Level) -> bool {
        self.0.as_ref().is_some_and(|open| level <= open.least)
    }

    /// Tells what `make` makes, which is not called when nobody wants it.
    pub fn tell(&self, level: Level, make: impl FnOnce() -> What) {
        if let Some(open) = &self.0
            && level <= open.least
        {
            (open.sink)(Entry { at: open.clock.now(), level, what: make() });
        }
    }

    /// Tells something in words.
    pub fn say(&self, level: Level, words: fmt::Arguments<'_>) {
        self.tell(level, || What::Message(words.to_string()));
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.0.as_ref().map(|open| open.least)).finish()
    }
}

/// The target of a request as it may be written down.
#[must_use]
pub fn target_of(uri: &Uri) -> Box<str> {
    let target = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let link = LINKS.iter().find(|link| target.starts_with(**link)).map(|link| link.len());
    without_secrets(target, link)
}

/// A URL as it may be written down.
#[must_use]
pub fn url_without_secrets(url: &str) -> Box<str> {
    let link = LINKS.iter().find_map(|link| Some(url.find(link)? + link.len()));
    without_secrets(url, link)
}

/// A target or a URL without its user, without the token of a page's link, which begins at `link`, and without the values of
/// parameters that are secret or name a person, in its query and in its fragment.
fn without_secrets(text: &str, link: Option<usize>) -> Box<str> {
    let (place, parameters) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
    let user = user_of(place);
    let link = link.filter(|begin| *begin <= place.len());
    if user.is_none() && link.is_none() && parameters.is_empty() {
        return Box::from(text);
    }
    let mut written = String::with_capacity(text.len());
    let mut rest = 0;
    for (begin, end) in user.into_iter().chain(link.map(|begin| (begin, end_of_segment(place, begin)))) {
        if begin >= rest {
            written.extend([&place[rest..begin], MASK]);
            rest = end;
        }
    }
    written.push_str(&place[rest..]);
    for pair in parameters.split_inclusive(SEPARATORS) {
        let (pair, separator) = pair.split_at(pair.len() - usize::from(pair.ends_with(SEPARATORS)));
        match pair.split_once('=') {
            Some((name, _)) if is_secret(&decoded(name)) => written.extend([name, "=", MASK]),
            _ => written.push_str(pair),
        }
        written.push_str(separator);
    }
    written.into_boxed_str()
}

/// What parameters stand between.
const SEPARATORS: [char; 3] = ['?', '#', '&'];

/// Whether a text may be a URL that something is hidden in.
#[must_use]
pub fn is_like_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("//") || LINKS.iter().any(|link| text.contains(link))
}

/// A name of a query, however it was written.
fn decoded(name: &str) -> String {
    form_urlencoded::parse(name.as_bytes()).next().map_or_else(String::new, |(name, _)| name.into_owned())
}

/// Where the user of a URL stands, with its password.
fn user_of(url: &str) -> Option<(usize, usize)> {
    let relative = || url.starts_with("//").then_some("//".len());
    let begin = url.find("://").map(|at| at + "://".len()).or_else(relative)?;
    let end = begin + url[begin..end_of_segment(url, begin)].rfind('@')?;
    Some((begin, end))
}

fn end_of_segment(text: &str, begin: usize) -> usize {
    text[begin..].find('/').map_or(text.len(), |at| begin + at)
}

/// Where the links of journeys and payments live; what follows is secret.
pub const LINKS: [&str; 2] = ["/journey/", "/pay/"];

/// What stands in the place of a secret.
pub const MASK: &str = "***";

/// Whether a field or a parameter of this name holds a secret, or a person's number; `apiKey`, `api-key` and `API_KEY_2` are
/// one name.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit());
    ["ssn", "key", "executorref"].contains(&name) || ENDINGS.iter().any(|word| name.ends_with(word))
}

/// How names of secrets end.
const ENDINGS: [&str; 17] = [
    "secret",
    "token",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "jwt",
    "authorization",
    "credential",
    "credentials",
    "cookie",
    "apikey",
    "privatekey",
    "secretkey",
    "accesskey",
    "signingkey",
    "signature",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_targets_are_never_written_down() {
        for (target, written) in [
            ("/ping", "/ping"),
            ("/v2/partner/client?limit=1", "/v2/partner/client?limit=1"),
            ("/v2/partner/client/x/account?ssn=191212121212&limit=1", "/v2/partner/client/x/account?ssn=***&limit=1"),
            ("/ping?a&access_token=x&Client_Secret=y", "/ping?a&access_token=***&Client_Secret=***"),
            ("/ping?%73sn=191212121212&tokens=7", "/ping?%73sn=***&tokens=7"),
            ("/journey/s3cr3t", "/journey/***"),
            ("/journey/s3cr3t/kyc?lang=sv", "/journey/***/kyc?lang=sv"),
            ("/journey/s3cr3t?lang=sv", "/journey/***?lang=sv"),
            ("/pay/s3cr3t/world-1", "/pay/***/world-1"),
        ] {
            assert_eq!(&*target_of(&Uri::from_static(target)), written);
        }
        for (url, written) in [
            ("https://x.example/hook", "https://x.example/hook"),
            ("https://user:s3cr3t@x.example/hook", "https://***@x.example/hook"),
            ("https://user:s3@cr3t@x.example", "https://***@x.example"),
            ("https://x.example/a@b", "https://x.example/a@b"),
            ("https://x.example?token=s3cr3t&a=b", "https://x.example?token=***&a=b"),
            ("http://x/base/journey/s3cr3t?lang=sv", "http://x/base/journey/***?lang=sv"),
            ("http://user@x/pay/s3cr3t/qr", "http://***@x/pay/***/qr"),
            ("http://x?next=/pay/s3cr3t", "http://x?next=/pay/s3cr3t"),
            ("http:///journey/", "http:///journey/***"),
            ("/journey/s3cr3t", "/journey/***"),
            ("://@", "://***@"),
            ("//user:s3cr3t@x.example/a", "//***@x.example/a"),
            ("http://x/#access_token=s3cr3t&state=1", "http://x/#access_token=***&state=1"),
            ("http://x/#/back?jwt=s3cr3t", "http://x/#/back?jwt=***"),
            ("http://x/?a=1#b", "http://x/?a=1#b"),
            ("", ""),
        ] {
            assert_eq!(&*url_without_secrets(url), written);
        }
    }
    #[test]
    fn a_name_of_a_secret_is_one_however_it_is_spelt() {
        for name in
            ["api-key", "apiKey", "API_KEY", "privateKey", "pwd", "jwt", "secret_2", "Set-Cookie", "Client_Secret"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in ["tokens", "previousSecretUntil", "keys", "tokenLifeSeconds", "clientRef", "monkey"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
