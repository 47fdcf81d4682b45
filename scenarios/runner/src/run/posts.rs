//! Posts on their way to the partner's own server: awaited, listed as they came, their signatures checked.
//!
//! Invariant: before posts are judged, the server has made every attempt that is due; so a post that is missing was not late,
//! and one that is not expected cannot still be on its way. Every post that is taken was signed by the Standard Webhooks
//! scheme. Absent on purpose: waiting for a time of day.

use super::outcome::{StepResult, Trouble};
use super::received_posts::Open;
use super::session::{Session, ShownPart};
use deliveries::signature::SigningKey;
use language::ast::Actor;
use language::matching::Mismatch;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Between two looks at what is still on its way.
const LOOK: Duration = Duration::from_millis(5);
/// No two looks are further apart than so many times `LOOK`.
const RAREST_LOOK: u32 = 40;
/// Looks after which it is given up: some two minutes, while a receiver that hangs costs ten seconds an attempt.
const MOST_LOOKS: u32 = 640;

impl Session {
    /// Has everything that is due delivered before the clock or the receiver changes, in stories that speak of posts or play beside an application; so
    /// what an attempt meets does not depend on how fast it is.
    pub(super) async fn deliver(&mut self, actor: Actor) -> StepResult {
        let reachable = !self.is_offline();
        let concerns = self.received_posts.is_read() || self.joined.is_some();
        if concerns && reachable { self.settle(actor).await } else { Ok(()) }
    }

    /// Waits until every attempt that is due has been made.
    pub(super) async fn settle(&mut self, actor: Actor) -> StepResult {
        let actor = if actor == Actor::Nobody { Actor::default() } else { actor };
        let path = "/_sandbox/worlds/current/deliveries?status=queued&limit=1000";
        for look in 1..=MOST_LOOKS {
            let log = self.read(actor, path.to_owned(), ShownPart::Nothing).await?;
            if !is_busy(&log) {
                let came = self.driver.receiver().count();
                self.received_posts.taken.resize(came.max(self.received_posts.taken.len()), false);
                return Ok(());
            }
            tokio::time::sleep(LOOK * look.min(RAREST_LOOK)).await;
        }
        Err(Trouble::new("the server does not get its deliveries away, however long one waits"))
    }

    /// Waits until nothing is left to be delivered, later attempts included.
    pub(super) async fn deliver_all(&mut self, actor: Actor, most_waits: usize) -> StepResult {
        let path = "/_sandbox/worlds/current/deliveries?status=queued&limit=1";
        for _ in 0..most_waits {
            self.settle(actor).await?;
            let log = self.read(actor, path.to_owned(), ShownPart::Nothing).await?;
            if log.get("deliveries").and_then(Json::as_array).is_none_or(Vec::is_empty) {
                return Ok(());
            }
            self.driver.pass(Duration::from_secs(1)).await;
        }
        Err(Trouble::new("the server does not get its deliveries away, however long one waits"))
    }

    /// Posts that came and were not expected yet, in the order in which they came.
    pub(super) fn open_posts(&self) -> Vec<Open> {
        let (forgotten, posts) = self.driver.receiver().posts();
        let numbered = posts.into_iter().enumerate().map(|(at, post)| (forgotten + at, post));
        let open = numbered.filter(|(number, _)| self.received_posts.taken.get(*number) == Some(&false));
        open.map(|(number, post)| {
            let body = serde_json::from_slice(&post.body).unwrap_or_default();
            Open { number, post, body }
        })
        .collect()
    }

    /// That a post was signed by one of those who may: the partner's secret for callbacks, the webhook's for events.
    pub(super) fn check_signature(&self, actor: Actor, open: &Open) -> StepResult {
        let partner = if let Actor::Client { partner, .. } = actor { partner } else { 1 };
        let of_path = self.received_posts.webhooks.values().filter(|(path, _)| *path == open.post.path);
        let secrets: Vec<&str> = if open.is_callback() {
            vec![self.callback_secret(partner)]
        } else {
            of_path.map(|(_, secret)| secret.as_str()).collect()
        };
        let moment = open.header("webhook-timestamp").parse::<u64>();
        let moment = moment.map_err(|_| Trouble::new("the post has no `webhook-timestamp`"))?;
        let signatures = open.header("webhook-signature");
        let signed = |key: SigningKey| {
            let right = key.sign(open.header("webhook-id"), moment, &open.post.body);
            signatures.split(' ').any(|signature| signature == right)
        };
        if secrets.iter().filter_map(|secret| SigningKey::parse(secret).ok()).any(signed) {
            return Ok(());
        }
        let mismatch = Mismatch {
            path: "webhook-signature".to_owned(),
            expected: "a signature by the webhook's secret over id, timestamp and body".to_owned(),
            got: if signatures.is_empty() { "none".to_owned() } else { signatures.to_owned() },
        };
        let what = if open.is_callback() { "callback" } else { "webhook" };
        Err(Trouble::compared(format!("the {what} is not signed as it should be"), vec![mismatch]))
    }
}

/// Whether something is still to be sent at once. Of what waits in one line only the first can be.
fn is_busy(log: &Json) -> bool {
    let rows = log.get("deliveries").and_then(Json::as_array).cloned().unwrap_or_default();
    // Newest first: the last one seen of each line is the one whose turn it is.
    let lines: BTreeMap<String, &Json> = rows.iter().map(|row| (line(row), row)).collect();
    let is = |row: &Json, key: &str| row.get(key).is_some_and(|value| *value != Json::Null && *value != json!(false));
    let unread = log.get("unread").is_some_and(|unread| *unread != json!(0));
    unread || lines.values().any(|row| is(row, "due") || is(row, "underWaySince"))
}

/// What must not overtake each other.
fn line(row: &Json) -> String {
    let of = |key: &str| row.get(key).and_then(Json::as_str).unwrap_or_default();
    // A delivery that others may overtake is in a line of its own.
    let alone = if row.get("overtaken") == Some(&json!(true)) { of("id") } else { "" };
    format!("{} {}{} {alone}", of("webhook"), of("journey"), of("resource"))
}
