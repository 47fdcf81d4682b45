//! The server's log, for those who run it: events of `tracing` under targets that can be named, each of them a line.
//!
//! Owns: the targets, which of their events are wanted (`wanted`), what is taken out of an event at once (`entry`), and what is
//! masked in the target of a request. Invariant: an event has no secret and costs little to make: numbers, ids as numbers, and
//! texts that are there; its reader puts it into words (`lines`), never the task that answers a request. Nothing that is
//! decided reads an event or a span. Absent on purpose: where lines go and how many may wait, which the program that serves
//! decides.
//!
//! | target | events |
//! |---|---|
//! | `sandbox::requests` | a request was answered, dropped or not read, or its handler broke down |
//! | `sandbox::events` | something happened in a world |
//! | `sandbox::deliveries` | an attempt to deliver ended |
//! | `sandbox::worlds` | a world was dropped, an advance stopped |
//! | `sandbox::server` | shortages, notes, and what else concerns the whole server |
//!
//! Spans enclose them: `request` (`request_id`, `method`, `path`, and `route`, `status`, `world` and `partner` once they are
//! known) around all that a request causes, `deliveries` around the worker of a world's deliveries, and `clock` around what
//! drives a world's clock. Lines do without them: a span is made only where something listens for it, such as an export.

mod entry;
mod lines;
mod wanted;

pub use self::entry::{Lines, LogEntry};
pub use self::wanted::{Wanted, WantedError};

use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// Target of events about requests.
pub const REQUESTS: &str = "sandbox::requests";
/// Target of what happens in worlds.
pub const EVENTS: &str = "sandbox::events";
/// Target of attempts to deliver.
pub const DELIVERIES: &str = "sandbox::deliveries";
/// Target of what becomes of worlds.
pub const WORLDS: &str = "sandbox::worlds";
/// Target of what concerns the whole server.
pub const SERVER: &str = "sandbox::server";

/// All targets.
pub const TARGETS: [&str; 5] = [REQUESTS, EVENTS, DELIVERIES, WORLDS, SERVER];

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
    let begin = memchr::memchr2(b'?', b'#', text.as_bytes());
    let (place, parameters) = text.split_at(begin.unwrap_or(text.len()));
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

/// What separates parameters.
const SEPARATORS: [char; 3] = ['?', '#', '&'];

/// A URL without its query, which may hold what only the receiver should know.
pub(crate) fn bare(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(MASK)
}

/// Whether a text may be a URL that something is hidden in.
#[must_use]
pub fn is_like_url(text: &str) -> bool {
    text.contains("://") || text.starts_with("//") || LINKS.iter().any(|link| text.contains(link))
}

/// A name of a query, however it was written.
fn decoded(name: &str) -> String {
    form_urlencoded::parse(name.as_bytes()).next().map_or_else(String::new, |(name, _)| name.into_owned())
}

/// Begin and end of the user of a URL, with its password.
fn user_of(url: &str) -> Option<(usize, usize)> {
    // Most have none, and every request asks.
    memchr::memchr(b'@', url.as_bytes())?;
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

/// What is written in the place of a secret.
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
