//! The application under test beside the sandbox that it uses: where it is, and how long it is asked in real time.
//!
//! Invariant: every wait has an end. Absent on purpose: how a request reaches it (`live`), and what is expected of its answers
//! (`run::application`).

use super::target::Target;
use hyper::header::{HeaderName, HeaderValue};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// Between the first two tries; each pause is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(25);
/// No pause is longer.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// A try may take at least this, also the last one: what the application answers says more than that it did not.
const LEAST: Duration = Duration::from_secs(1);

/// Where the application under test is, and which world it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationTarget {
    /// Its address.
    pub server: Target,
    /// Headers of every request to it.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The world that it uses, by id or name; `current` is that of `partner`. Without one, the partner's, or else the server's first.
    pub world: Option<String>,
    /// Id and secret of the partner whose application it is; without one, the operator is asked for them.
    pub partner: Option<(String, String)>,
}

impl ApplicationTarget {
    /// The flags that name it again, without secrets.
    #[must_use]
    pub fn flags(&self) -> String {
        let mut flags = format!("--app {}", self.server.url);
        for (name, _) in &self.headers {
            flags.push_str(&format!(" --app-header '{name}: …'"));
        }
        if let Some((id, _)) = &self.partner {
            flags.push_str(&format!(" --client-id {id} --client-secret …"));
        }
        if let Some(world) = &self.world {
            flags.push_str(&format!(" --world {world}"));
        }
        flags
    }
}

/// Characters of the shortest value that is masked.
const SHORTEST_SECRET: usize = 6;

/// A header as it is written on a command line: `name: value`.
///
/// # Errors
/// What is wrong with it, without its value, which may be a secret.
pub fn header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let Some((name, value)) = text.split_once(':') else {
        return Err("a header is written `name: value`, as in 'authorization: Bearer …'".to_owned());
    };
    let name = name.trim();
    let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("`{name}` is not a header name"))?;
    let mut value = HeaderValue::from_str(value.trim())
        .map_err(|_| format!("the value of `{name}` has characters that a header does not allow"))?;
    value.set_sensitive(true);
    Ok((key, value))
}

/// The application under test, and what the story itself has sent to the sandbox beside it.
pub struct Application {
    target: ApplicationTarget,
    /// Numbers of requests that the story has sent to the sandbox, as its answers name them.
    pub own_requests: BTreeSet<u64>,
    /// Requests that the story has sent and that were not answered: methods and paths.
    pub unanswered: Vec<(String, String)>,
    /// Paths of event sockets that the story has opened.
    pub own_sockets: Vec<String>,
    /// What the story has added to the world's machinery: lists (`faults`, `webhooks`) and ids.
    pub added: Vec<(&'static str, String)>,
}

/// What a story may add to the world's machinery: the last part of the path of the list.
const ADDED: [&str; 2] = ["faults", "webhooks"];

impl Application {
    /// The application at an address.
    #[must_use]
    pub fn of(target: &ApplicationTarget) -> Self {
        Self {
            target: target.clone(),
            own_requests: BTreeSet::new(),
            unanswered: Vec::new(),
            own_sockets: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Notes what a request of the story has added, by its path and its answer.
    pub(super) fn notes_added(&mut self, (method, path): (&str, &str), status: u16, body: &[u8]) {
        let path = path.split('?').next().unwrap_or_default();
        let list = ADDED.iter().find(|list| path.rsplit('/').next() == Some(**list));
        let Some(list) = list.filter(|_| method == "POST" && (200..300).contains(&status)) else { return };
        let body: Json = serde_json::from_slice(body).unwrap_or_default();
        let items = body.as_array().map_or_else(|| std::slice::from_ref(&body), Vec::as_slice);
        let id = |item: &Json| match item.get("id")? {
            Json::String(id) => Some(id.clone()),
            other => Some(other.to_string()),
        };
        self.added.extend(items.iter().filter_map(id).map(|id| (*list, id)));
    }

    /// Where it is and which world it uses.
    #[must_use]
    pub const fn target(&self) -> &ApplicationTarget {
        &self.target
    }

    /// Its address as stories use it: without a slash at its end.
    #[must_use]
    pub fn url(&self) -> &str {
        self.target.server.url.trim_end_matches('/')
    }

    /// What is secret in its headers: the values, a credential that follows a word such as `Bearer`, and both as JSON writes them. What
    /// is shorter than six characters is no secret, and would be found everywhere.
    pub fn secrets(&self) -> impl Iterator<Item = (String, String)> {
        self.target.headers.iter().flat_map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let credential = value.split_once(' ').map(|(_, credential)| credential.to_owned());
            let shown = format!("{{app header {name}}}");
            let written = |secret: &String| {
                let written = Json::from(secret.as_str()).to_string();
                written[1..written.len() - 1].to_owned()
            };
            let plain: Vec<_> = std::iter::once(value).chain(credential).collect();
            let mut all: Vec<_> = plain.iter().map(written).chain(plain.clone()).collect();
            all.retain(|secret| secret.len() >= SHORTEST_SECRET);
            all.into_iter().map(move |secret| (secret, shown.clone()))
        })
    }
}

/// How long something is tried again, in real time.
pub struct Patience {
    began: Instant,
    whole: Duration,
    pause: Duration,
    tries: u32,
}

impl Patience {
    /// One that begins now.
    #[must_use]
    pub fn of(whole: Duration) -> Self {
        Self { began: Instant::now(), whole, pause: FIRST_PAUSE, tries: 0 }
    }

    /// What is left of it for one try, which is counted.
    pub fn begin_try(&mut self) -> Duration {
        self.tries += 1;
        self.whole.saturating_sub(self.began.elapsed()).max(LEAST)
    }

    /// Waits for the next try; false when the time is over.
    pub async fn waits(&mut self) -> bool {
        let left = self.whole.saturating_sub(self.began.elapsed());
        if left.is_zero() {
            return false;
        }
        tokio::time::sleep(self.pause.min(left)).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        true
    }

    /// How often and how long it was tried, in words.
    #[must_use]
    pub fn spent(&self) -> String {
        let tenths = self.began.elapsed().as_millis() / 100;
        let times = if self.tries == 1 { "once".to_owned() } else { format!("{} times", self.tries) };
        format!("{times} in {}.{} s", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_or_refused_without_its_value() {
        let (name, value) = header("Authorization:  Bearer abc ").expect("a header");
        assert_eq!((name.as_str(), value.as_bytes()), ("authorization", b"Bearer abc".as_slice()));
        assert!(!format!("{value:?}").contains("abc"));
        for (bad, why) in [
            ("Bearer s3cret", "a header is written `name: value`"),
            ("a b: s3cret", "`a b` is not a header name"),
            ("a: s3cret\n", ""),
            ("a: s3cr\net", "the value of `a` has characters"),
        ] {
            let read = header(bad);
            if why.is_empty() {
                assert!(read.is_ok(), "{bad}");
                continue;
            }
            let refusal = read.expect_err(bad);
            assert!(refusal.starts_with(why) && !refusal.contains("s3cr"), "{refusal}");
        }
    }

    fn with_headers(headers: &[&str]) -> Application {
        let headers = headers.iter().map(|text| header(text).expect("a header")).collect();
        let server = Target { url: "http://127.0.0.1:1".to_owned(), trust: Default::default() };
        Application::of(&ApplicationTarget { server, headers, world: None, partner: None })
    }

    #[test]
    fn a_secret_is_known_as_json_writes_it_and_a_short_value_is_none() {
        let application = with_headers(&["cookie: sess=\"QUOTED\"", "authorization: Bearer abcdef", "x-a: 1"]);
        let secrets: Vec<_> = application.secrets().map(|(secret, _)| secret).collect();
        for secret in ["sess=\"QUOTED\"", "sess=\\\"QUOTED\\\"", "Bearer abcdef", "abcdef"] {
            assert!(secrets.iter().any(|known| known == secret), "{secret} is not among {secrets:?}");
        }
        assert!(secrets.iter().all(|secret| secret != "1"), "it would be found everywhere");
    }

    #[test]
    fn what_the_story_adds_is_noted_and_nothing_else() {
        let mut application = with_headers(&[]);
        let mut notes =
            |method, path, status, body: &str| application.notes_added((method, path), status, body.as_bytes());
        notes("POST", "/_sandbox/worlds/current/webhooks", 200, r#"{"id":"a"}"#);
        notes("POST", "/_sandbox/worlds/current/faults?x=1", 201, r#"[{"id":1},{"id":2}]"#);
        notes("GET", "/_sandbox/worlds/current/webhooks", 200, r#"[{"id":"application's"}]"#);
        notes("POST", "/_sandbox/worlds/current/faults", 400, r#"{"id":3}"#);
        notes("POST", "/v2/partner/client/c/order", 200, r#"{"id":"an order"}"#);
        let added = [("webhooks", "a"), ("faults", "1"), ("faults", "2")].map(|(list, id)| (list, id.to_owned()));
        assert_eq!(application.added, added);
    }
}
