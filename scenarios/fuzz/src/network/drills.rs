//! What becomes of queued webhooks: how often and when they are tried, by whom they are signed, and that nothing more comes to who wants
//! no more.
//!
//! Invariant: a drill comes at the end of a run, over a healthy network, when nothing else is to be delivered; what it queues is a replay
//! of what has happened. It is judged by what the receiver got and when, in transport time. Absent on purpose: what posts say, which
//! `posts` judges.

use super::network_run::{NetworkRun, Webhook};
use super::run::DELIVERY_WAITS;
use crate::story::by;
use deliveries::signature::SigningKey;
use language::ast::{Actor, Body, Call, Network, StoryStep};
use oracle::check::Law;
use runner::drivers::receiver::{Behaviour, Post};
use runner::remote::RequestOutcome;
use serde_json::{Value as Json, json};
use sim::time::Millis;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What is done while posts wait for another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drill {
    /// Nothing: every attempt is made in its time, and no more.
    Attempts,
    /// The receiver answers 410.
    Gone,
    /// The webhook is disabled.
    Disabled,
    /// The webhook is removed.
    Removed,
    /// The webhook gets another address.
    Moved,
    /// The webhook gets another secret before.
    Rotated,
}

impl fmt::Display for Drill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Attempts => "whose receiver fails",
            Self::Gone => "whose receiver answers 410",
            Self::Disabled => "that is disabled",
            Self::Removed => "that is removed",
            Self::Moved => "that has another address",
            Self::Rotated => "that has another secret",
        })
    }
}

/// Every drill; runs with webhooks take them in turn.
const DRILLS: [Drill; 6] =
    [Drill::Attempts, Drill::Gone, Drill::Disabled, Drill::Removed, Drill::Moved, Drill::Rotated];

/// Where webhooks are registered.
const WEBHOOKS: &str = "/_sandbox/worlds/current/webhooks";
/// What a request and its answer may take on the way.
const ON_THE_WAY: Duration = Duration::from_millis(800);
/// How long it is looked whether something comes that should not.
const LOOK: Duration = Duration::from_secs(4);
/// Longer than all attempts together.
const ALL_ATTEMPTS: Duration = Duration::from_secs(12);
/// The address of a webhook that was moved.
const ELSEWHERE: &str = "/webhook-elsewhere";

impl NetworkRun {
    /// One drill with the webhook of the first client that has one, where it has anything to replay.
    pub(super) async fn drill(&mut self, turn: u64) {
        let drill = DRILLS[usize::try_from(turn).unwrap_or(0) % DRILLS.len()];
        let Some(Webhook { id: webhook, secret, actor, path }) = self.webhooks.first().cloned() else { return };
        let receiver = self.remote.receiver();
        if let Err(why) = self.remote.set_network(Network::Latency { ms: 1 }).await {
            return self.fail(Law::WellFormedAnswers, format!("the network: {why}"), None);
        }
        let secrets = if drill == Drill::Rotated { self.rotated(&webhook, &secret, actor).await } else { None };
        if drill == Drill::Rotated && secrets.is_none() {
            return;
        }
        let before = receiver.count();
        receiver.behave(&[Behaviour::Status(if drill == Drill::Rotated { 200 } else { 503 })]);
        let lately = self.now().plus(Millis::days(-2)).to_string();
        let mut is_queued = false;
        // What is new first: the more is queued, the longer a drill takes.
        for since in [lately.as_str(), "2000-01-01T00:00:00Z"] {
            if !is_queued {
                let replay = json!({ "since": since });
                let path = format!("{WEBHOOKS}/{webhook}/replay");
                let Some(answer) = self.changed("POST", &path, replay, actor).await else { return };
                is_queued = answer.get("events").is_some_and(|events| *events != json!(0));
            }
        }
        if !is_queued {
            return receiver.behave(&[Behaviour::Status(200)]);
        }
        self.coverage.note_network("drills of webhooks");
        self.remote.pass(Duration::from_millis(400)).await;
        let one = format!("{WEBHOOKS}/{webhook}");
        let done = match drill {
            Drill::Attempts | Drill::Rotated => Some(Json::Null),
            Drill::Gone => {
                receiver.behave(&[Behaviour::Status(410)]);
                Some(Json::Null)
            }
            Drill::Disabled => self.decided("PATCH", &one, json!({ "enabled": false }), actor).await,
            Drill::Removed => self.decided("DELETE", &one, Json::Null, actor).await,
            Drill::Moved => {
                let url = json!({ "url": format!("http://receiver{ELSEWHERE}") });
                self.decided("PATCH", &one, url, actor).await
            }
        };
        if done.is_none() {
            return;
        }
        let changed = receiver.count();
        let span = if drill == Drill::Attempts { ALL_ATTEMPTS } else { LOOK };
        let mut passed = Duration::ZERO;
        while passed < span {
            self.remote.pass(Duration::from_millis(200)).await;
            passed += Duration::from_millis(200);
        }
        let (forgotten, all) = receiver.posts();
        let of = |from: usize| all.iter().skip(from.saturating_sub(forgotten)).collect::<Vec<_>>();
        let (posts, later) = (of(before), of(changed));
        let wrong = match drill {
            Drill::Attempts => wrong_attempts(&posts, &path),
            Drill::Gone => {
                let gone = later.iter().find(|post| post.path == path).map(|post| post.at);
                gone.and_then(|gone| too_late(&later, &path, gone + ON_THE_WAY))
            }
            Drill::Disabled | Drill::Removed | Drill::Moved => {
                let from = posts.last().map_or(Duration::ZERO, |_| changed_at(&posts, &later));
                let old = too_late(&later, &path, from + ON_THE_WAY);
                let comes = drill != Drill::Moved || later.iter().any(|post| post.path == ELSEWHERE);
                old.or_else(|| (!comes).then(|| "nothing was sent to its new address".to_owned()))
            }
            Drill::Rotated => secrets.and_then(|secrets| wrong_signatures(&posts, &path, &secrets)),
        };
        if let Some(wrong) = wrong {
            self.fail(Law::EventCorrespondence, format!("a webhook {drill}: {wrong}"), None);
        }
        receiver.behave(&[Behaviour::Status(200)]);
    }

    /// A request of the operator that is accepted; what it was answered.
    async fn changed(&mut self, method: &str, path: &str, body: Json, actor: Actor) -> Option<Json> {
        let body = if body.is_null() { Body::None } else { Body::Json(body) };
        let call = Call { method: method.to_owned(), path: path.to_owned(), body, ..Call::default() };
        match self.remote.ask(&by(StoryStep::from(call), actor)).await {
            RequestOutcome::Answer(200..300, body) => Some(body),
            other => {
                self.fail(Law::WellFormedAnswers, format!("{method} {path}: {other}"), None);
                None
            }
        }
    }

    /// A decision about a webhook that is accepted.
    async fn decided(&mut self, method: &str, path: &str, body: Json, actor: Actor) -> Option<Json> {
        let answer = self.changed(method, path, body, actor).await?;
        self.host_has_decided();
        Some(answer)
    }

    /// Another secret for a webhook: the new one and the one before.
    async fn rotated(&mut self, webhook: &str, secret: &str, actor: Actor) -> Option<[SigningKey; 2]> {
        let path = format!("{WEBHOOKS}/{webhook}/rotate");
        let answer = self.decided("POST", &path, json!({ "overlapSeconds": 3_600 }), actor).await?;
        let new = SigningKey::parse(answer.get("secret")?.as_str()?).ok()?;
        let old = SigningKey::parse(secret).ok()?;
        Some([new, old])
    }
}

/// When a webhook was changed, at the latest: nothing is known nearer than the posts around.
fn changed_at(posts: &[&Post], later: &[&Post]) -> Duration {
    let before = posts.len() - later.len();
    let earlier = posts.iter().take(before).map(|post| post.at).max();
    earlier.unwrap_or_default() + ON_THE_WAY
}

/// A post that came to a path after this time.
fn too_late(posts: &[&Post], path: &str, after: Duration) -> Option<String> {
    let late = posts.iter().find(|post| post.path == path && post.at > after)?;
    let [came, last] = [late.at, after].map(|since| since.as_millis());
    Some(format!("a post came to {path} after {came} ms, when none was to come after {last} ms"))
}

/// The first post is tried as often as the waits say, each time after its wait.
fn wrong_attempts(posts: &[&Post], path: &str) -> Option<String> {
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for post in posts.iter().filter(|post| post.path == path) {
        times.entry(header(post, "webhook-id")).or_default().push(post.at);
    }
    let first = posts.iter().find(|post| post.path == path)?;
    let tried = times.get(header(first, "webhook-id"))?;
    if tried.len() != DELIVERY_WAITS.len() + 1 {
        return Some(format!("a delivery was tried {} times, {} were due", tried.len(), DELIVERY_WAITS.len() + 1));
    }
    let gaps = tried.windows(2).zip(DELIVERY_WAITS);
    gaps.map(|(pair, wait)| (pair[1].saturating_sub(pair[0]), Duration::from_secs(*wait)))
        .find(|(gap, wait)| *gap + ON_THE_WAY < *wait || *gap > *wait + ON_THE_WAY)
        .map(|(gap, wait)| (gap.as_millis(), wait.as_millis()))
        .map(|(gap, wait)| format!("a delivery was tried again after {gap} ms, {wait} ms were due"))
}

/// While two secrets are good every post is signed by both, by the new one first.
fn wrong_signatures(posts: &[&Post], path: &str, secrets: &[SigningKey; 2]) -> Option<String> {
    posts.iter().filter(|post| post.path == path).find_map(|post| {
        let moment = header(post, "webhook-timestamp").parse().ok()?;
        let due =
            secrets.each_ref().map(|secret| secret.sign(header(post, "webhook-id"), moment, &post.body)).join(" ");
        let got = header(post, "webhook-signature");
        (got != due).then(|| "a post is not signed by the new secret and then by the one before".to_owned())
    })
}

fn header<'a>(post: &'a Post, name: &str) -> &'a str {
    post.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::HeaderMap;
    use hyper::body::Bytes;

    fn post(at: u64, path: &str) -> Post {
        let headers = HeaderMap::from_iter([("webhook-id".parse().expect("a name"), "a".parse().expect("a value"))]);
        Post { at: Duration::from_millis(at), path: path.to_owned(), headers, body: Bytes::new() }
    }

    #[test]
    fn an_attempt_too_few_or_at_another_time_is_seen() {
        let mut at = 100;
        let mut posts = vec![post(at, "/a")];
        for wait in DELIVERY_WAITS {
            at += wait * 1_000 + 60;
            posts.push(post(at, "/a"));
        }
        let judged = |posts: &[Post]| wrong_attempts(&posts.iter().collect::<Vec<_>>(), "/a");
        assert_eq!(judged(&posts), None);
        assert!(judged(&posts[1..]).expect("a fault").contains("tried 6 times"));
        posts[2].at += Duration::from_secs(1);
        assert!(judged(&posts).expect("a fault").contains("were due"));
    }

    #[test]
    fn a_post_that_only_one_secret_has_signed_is_seen() {
        let secrets = [[1; 24], [2; 24]].map(|bytes| SigningKey::parse(&secret(bytes)).expect("a key"));
        let signed = |order: &[&SigningKey]| {
            let mut post = post(100, "/a");
            let all: Vec<String> = order.iter().map(|key| key.sign("a", 7, &post.body)).collect();
            for (name, value) in [("webhook-timestamp", "7".to_owned()), ("webhook-signature", all.join(" "))] {
                let name: hyper::header::HeaderName = name.parse().expect("a name");
                post.headers.insert(name, value.parse().expect("a value"));
            }
            wrong_signatures(&[&post], "/a", &secrets).is_some()
        };
        assert!(!signed(&[&secrets[0], &secrets[1]]));
        assert!(signed(&[&secrets[1], &secrets[0]]) && signed(&[&secrets[0]]));
    }

    /// A secret of these bytes.
    fn secret(bytes: [u8; 24]) -> String {
        let digit = if bytes[0] == 1 { "AQEB" } else { "AgIC" };
        format!("whsec_{}", digit.repeat(8))
    }

    #[test]
    fn a_post_after_the_end_is_seen() {
        let posts = [post(100, "/a"), post(900, "/b"), post(2_000, "/a")];
        let posts: Vec<&Post> = posts.iter().collect();
        assert!(too_late(&posts, "/a", Duration::from_millis(1_000)).is_some());
        assert!(too_late(&posts, "/b", Duration::from_millis(1_000)).is_none());
    }
}
