//! What happens when all outages are over, and when the consumer is judged.
//!
//! Invariant: the consumer is judged when all outages are over, after a few changes that only events can have shown, and when
//! it has read everything once; each time it has had as long as it needs by its own pace and no longer. Absent on purpose:
//! what must be so (`judge`).

use super::judge::{self, Allowance, LISTS, Records};
use super::lines::{last_outage, read, text};
use super::run::{PACE, Run};
use consumer::ask::RecordKind;
use language::ast::{Act, Actor, Network, Server, StoryStep};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::time::Duration;

/// The partner's client, who acts throughout.
const ACTOR: Actor = Actor::Client { partner: 1, client: 1 };

/// How long sockets have after all outages are over: a silent one is found out, and another opened.
const RECOVERY: Duration = Duration::from_secs(5);

/// How long the consumer has after a change with no outage.
const CALM: Duration = Duration::from_millis(1_500);
/// The same where what answers is reached over further hosts: each event of a busy moment has a read, one after the other, and a read
/// takes six messages instead of two.
const LONG_CALM: Duration = Duration::from_millis(4_500);

/// Longer than an hour of a run, and until the socket of that hour is the only one, where nothing came before.
const HOUR: Duration = Duration::from_secs(17);

impl Run {
    /// Judges the consumer when all outages are over, after quiet changes, and when it has read everything.
    pub(super) async fn judge_all(&mut self, quiet: &[StoryStep]) -> Result<(), String> {
        self.heal().await;
        self.judge("when all outages are over", false).await?;
        self.recorder.borrow_mut().is_calm = self.posts.is_none();
        for (at, step) in quiet.iter().enumerate() {
            if self.ask_or_play(step).await.is_none() && matches!(step.act, Act::Request(_)) {
                return Err("what was asked after all outages has no answer that accepts it".to_owned());
            }
            if at == 0 {
                self.outlive().await;
            }
        }
        self.calm_down(if self.outages.is_some() { LONG_CALM } else { CALM }).await;
        self.judge("after changes with no outage", false).await?;
        self.pass(PACE.everything + CALM).await;
        self.judge("when everything has been read", true).await
    }

    /// The last outage begins and ends; the server is there, no fault rule is left, and the consumer has a while. Where only
    /// webhooks report changes, it is the next reconciliation that finds those that were lost.
    async fn heal(&mut self) {
        self.server_is(Server::Restarts).await;
        if let Some(outages) = self.outages.clone() {
            self.pass(outages.end()).await;
        }
        if let Some(rotation) = self.unanswered_rotation.take() {
            self.ask(&rotation).await;
        }
        for line in last_outage(self.posts.is_some()) {
            self.ask_line(line).await;
        }
        self.pass(CALM).await;
        for network in [Network::Repaired, Network::Released] {
            self.remote.set_network(network).await.ok();
        }
        self.ask_line("remove faults").await;
        let recovery = if self.posts.is_some() { PACE.reconcile + CALM } else { RECOVERY };
        self.calm_down(recovery).await;
    }

    /// What sockets and posts must outlive: the end of an hour, or a crash with posts under way.
    async fn outlive(&mut self) {
        if self.posts.is_none() {
            return self.pass(HOUR).await;
        }
        self.server_is(Server::Crashes).await;
        self.pass(CALM).await;
        self.server_is(Server::Restarts).await;
        // The connection that the crash has left behind is found out before something is asked.
        self.read("/account").await.ok();
    }

    /// Waits until what is queued has been delivered, and then for as long as `span`.
    async fn calm_down(&mut self, span: Duration) {
        if self.posts.is_some() {
            self.remote.deliver_all(ACTOR).await;
        }
        self.pass(span).await;
    }

    /// Holds the copy against what the service says. Until everything has been read, `exactly`, what was purged may still
    /// be held, and what was denied may be missing.
    async fn judge(&mut self, when: &str, exactly: bool) -> Result<(), String> {
        let service = self.records().await?;
        judge::check_kept(&service, &self.made, &self.purged).map_err(|what| format!("{when}, {what}"))?;
        let (none, denied) = (BTreeSet::new(), self.recorder.borrow().denied());
        let allowed = if exactly {
            Allowance { purged: &none, denied: &none }
        } else {
            Allowance { purged: &self.purged, denied: &denied }
        };
        let copy = self.copy.borrow();
        judge::compare(&service, &copy, &allowed).map_err(|what| format!("{when}, {what}"))?;
        judge::check_received(&self.recorder.borrow(), &copy)?;
        self.posts.iter().try_for_each(|posts| posts.borrow().judge(self.may_forge))
    }

    /// What the service has.
    async fn records(&mut self) -> Result<Records, String> {
        let mut records = Records::new();
        for (noun, path) in LISTS {
            let Json::Array(rows) = self.read(path).await? else { return Err(format!("{path} is not a list")) };
            rows.into_iter().for_each(|row| judge::add(&mut records, noun, row));
        }
        let client = self.copy.borrow().client().to_owned();
        judge::add(&mut records, "client", self.read(&format!("/v2/partner/client/{client}")).await?);
        // A journey whose creation was not answered may have reached the copy by an event all the same.
        let mut journeys: BTreeSet<String> = self.journeys.iter().cloned().collect();
        let journey_id = |(kind, id): &(RecordKind, String)| (*kind == RecordKind::Journey).then(|| id.clone());
        journeys.extend(self.copy.borrow().held().keys().filter_map(journey_id));
        for id in journeys {
            judge::add(&mut records, "journey", self.read(&format!("/journey/{id}")).await?);
        }
        Ok(records)
    }

    async fn read(&mut self, path: &str) -> Result<Json, String> {
        // The connection may be one that a crash has left behind.
        for _ in 0..3 {
            if let Some(body) = self.ask_line(&format!("call: GET {path}")).await {
                return Ok(body);
            }
        }
        Err(format!("{path} cannot be read"))
    }

    /// Asks what one line of a story says, or does it where it asks nothing.
    async fn ask_line(&mut self, line: &str) -> Option<Json> {
        let story = read(&text(0, "a line", false, std::iter::once(line.to_owned()))).ok()?;
        self.ask_or_play(story.steps.last()?).await
    }
}
