//! Requests that are in flight together.
//!
//! Invariant: whatever order the server carried them out in, there is one in which the reference world gives the same
//! answers, sends the same events and ends as the same world. Absent on purpose: outages, in which no order could be ruled
//! out.

use super::network_run::{NetworkRun, id_of, names};
use super::pending::{AtOnce, Waiting};
use crate::generate::Step;
use language::ast::StoryStep;
use oracle::check::{Law, accepted_as, name_of, status_of};
use runner::remote::{Frames, RequestOutcome};
use serde_json::Value as Json;
use sim::{Command, World};

/// Base of the digits of `pauses`: a pause is 0 to 3 ticks.
const PAUSES: u8 = 4;

/// A request that was answered.
struct Answered {
    request: Waiting,
    status: u16,
    body: Json,
}

impl NetworkRun {
    /// Keeps a request until there are enough to be sent at once.
    pub(super) async fn keep_for_at_once(&mut self, step: &Step, command: Command, story_step: StoryStep) {
        self.at_once.waiting.push(Waiting { step: *step, command, story_step });
        if self.at_once.waiting.len() >= self.at_once.wanted {
            self.send_at_once().await;
        }
    }

    /// Sends what waits, and finds the order in which it was carried out.
    pub(super) async fn send_at_once(&mut self) {
        let AtOnce { pauses, mut waiting, .. } = std::mem::take(&mut self.at_once);
        if waiting.len() < 2 {
            if let Some(Waiting { step, command, story_step }) = waiting.pop() {
                self.send(&step, command, story_step).await;
            }
            return;
        }
        let digits = std::iter::successors(Some(pauses), |rest| Some(rest / PAUSES)).map(|rest| rest % PAUSES);
        let asked: Vec<_> = digits.zip(waiting.iter().map(|request| request.story_step.clone())).collect();
        let outcome_of_request = self.remote.ask_at_once(&asked).await;
        let mut answers = Vec::with_capacity(waiting.len());
        for (request, outcome_of_request) in waiting.into_iter().zip(outcome_of_request) {
            self.coverage.note_network("requests sent together");
            match outcome_of_request {
                RequestOutcome::Unsent => {}
                RequestOutcome::Answer(status, body) => answers.push(Answered { request, status, body }),
                RequestOutcome::Silence => {
                    let what = format!("{}, sent with others, was not answered", name_of(&request.command));
                    self.writer.steps.extend(asked.into_iter().map(|(_, story_step)| story_step));
                    return self.fail(Law::WellFormedAnswers, what, None);
                }
            }
        }
        self.coverage.laws.note_if(Law::OneAfterTheOther, answers.len() > 1);
        let Some(frames) = self.frames().await else { return };
        let Some(digest) = self.remote.digest().await else {
            return self.fail(Law::WellFormedAnswers, "the operator was not answered", None);
        };
        let fits = |order: &Vec<usize>| self.fits(order, &answers, &frames, &digest);
        let Some(order) = orders(answers.len()).into_iter().find(fits) else {
            let sent: Vec<&str> = answers.iter().map(|answer| name_of(&answer.request.command)).collect();
            let what = format!("sent together: {}; no sequential order gives these results", sent.join(", "));
            self.writer.steps.extend(asked.into_iter().map(|(_, story_step)| story_step));
            return self.fail(Law::OneAfterTheOther, what, None);
        };
        for at in order {
            let Answered { request: Waiting { step, command, story_step }, status, body } = &answers[at];
            if self.found.is_empty() {
                self.answered(step, command, story_step.clone(), *status, body);
            }
        }
        if self.found.is_empty() {
            self.judge_frames(&frames);
        }
    }

    /// Whether the reference world, doing the same in this order, gives the same answers and events, and ends where the
    /// server has.
    fn fits(&self, order: &[usize], answers: &[Answered], frames: &Frames, digest: &str) -> bool {
        let mut reference = self.writer.world.clone();
        if !order.iter().all(|&at| answers[at].is_given_by(&mut reference)) || reference.digest().to_string() != digest
        {
            return false;
        }
        let mut feeds = self.feeds.clone();
        let events = reference.take_events();
        feeds.expect(&reference, &events);
        feeds.judge(frames).is_ok()
    }
}

impl Answered {
    /// Whether the reference world, as it is now, gives this answer.
    fn is_given_by(&self, reference: &mut World) -> bool {
        let command = &self.request.command;
        match reference.apply(reference.now(), command.clone()) {
            Ok(reply) => accepted_as(command) == self.status && id_of(&reply).is_none_or(|id| names(&self.body, &id)),
            Err(refusal) => status_of(refusal.class) == self.status,
        }
    }
}

/// Every order of so many things, the given one first.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |shorter, next| {
        let longer = shorter.iter().flat_map(|order: &Vec<usize>| {
            (0..=order.len()).rev().map(|at| {
                let mut longer = order.clone();
                longer.insert(at, next);
                longer
            })
        });
        longer.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_tried_once_and_the_given_one_first() {
        let of_three = orders(3);
        assert_eq!(of_three[0], [0, 1, 2]);
        let mut sorted = of_three.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!((of_three.len(), sorted.len()), (6, 6));
        assert_eq!(orders(4).len(), 24);
    }
}
