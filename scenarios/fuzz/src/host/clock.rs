//! A clock that is set going.
//!
//! Invariant: what it shows when it is frozen again is what has passed, times its factor; then it is moved to an instant that no
//! message on its way can change, so that runs and stories go on from the same one. Absent on purpose: moves of a frozen clock (`run`).

use super::run::{HostRun, WORLD_PATH};
use language::ast::{Act as StoryAct, Body, Expected, StoryStep};
use oracle::check::Law;
use serde_json::json;
use sim::time::{Instant, Millis};
use std::time::Duration;

/// The most that requests on their way may add to the time that the clock goes: two with their answers take at most 100 ms here.
const ON_THE_WAY: i64 = 200;

impl HostRun {
    /// The clock goes by itself for so many seconds, at so many world seconds for each.
    pub(super) async fn set_going(&mut self, (factor, seconds): (i64, u64)) {
        let before = self.writer.world.now();
        let least = factor.saturating_mul(i64::try_from(seconds).unwrap_or(0) * 1_000);
        let (least, most) = (before.plus(Millis(least)), before.plus(Millis(least + factor * ON_THE_WAY)));
        let is_due = self.writer.world.next_timer().is_some_and(|(due, _)| due <= least);
        if self.send(clock(&factor.to_string()), 200).await.is_none() {
            return;
        }
        self.coverage.note_network("clocks set going");
        self.coverage.laws.note_if(Law::ClockSetGoing, is_due);
        let passes = StoryStep::from(StoryAct::Wait(Duration::from_secs(seconds)));
        let passed = self.remote.play(&passes).await;
        self.writer.steps.push(passes);
        if let Err(why) = passed {
            return self.fail(Law::WellFormedAnswers, format!("the clock: {why}"));
        }
        let Some(frozen) = self.send(clock("frozen"), 200).await else { return };
        match frozen["now"].as_str().and_then(|shown| Instant::parse(shown).ok()) {
            Some(shown) if (least..=most).contains(&shown) => {
                self.writer.pass(shown);
                self.forget_events();
                self.must_have_happened().await;
                if self.found.is_empty() {
                    self.wait(most).await;
                }
            }
            _ => {
                let bounds =
                    vec![Expected::AtLeast(json!(least.to_string())), Expected::AtMost(json!(most.to_string()))];
                self.claim(Expected::Part(vec![("now".to_owned(), Expected::All(bounds))]));
                let shown = &frozen["now"];
                let what = format!(
                    "after {seconds} s at a factor of {factor} the clock shows {shown}, expected {least} or soon after"
                );
                self.fail(Law::ClockSetGoing, what);
            }
        }
    }

    /// What was due while the clock went by itself has happened before it is moved again.
    async fn must_have_happened(&mut self) {
        let expected = json!({ "digest": self.writer.world.digest().to_string() });
        self.must_read(
            Law::ClockSetGoing,
            "when the clock is frozen, the world",
            &format!("{WORLD_PATH}/digest"),
            expected,
        )
        .await;
        if !self.found.is_empty() {
            // Who plays a story freezes its clock at another instant.
            self.claims_from = usize::MAX;
        }
    }
}

/// A request that changes how time passes.
fn clock(word: &str) -> StoryStep {
    StoryStep::call("PATCH", &format!("{WORLD_PATH}/clock")).sending(Body::Json(json!({ "clock": word })))
}
