//! Requests that were not answered.
//!
//! Invariant: a doubtful request has happened whole, or not at all; which of them have is found out as soon as the server
//! can be asked, by the cause of the silence or by the world's fingerprint. Absent on purpose: drawing outages.

use super::network_run::{Comparison, Connectivity, NetworkRun};
use super::pending::UnansweredRequest;
use super::step::{MidFlightOutage, Rule};
use crate::generate::Step;
use language::ast::{Act as StoryAct, ExpectedResponse, Network, Server, StoryStep};
use oracle::check::{Law, name_of};
use runner::drivers::Outage;
use runner::remote::RequestOutcome;
use sim::Command;

impl NetworkRun {
    pub(super) async fn unanswered(
        &mut self,
        step: &Step,
        command: Command,
        story_step: StoryStep,
        hit: Option<Rule>,
        outside: bool,
    ) {
        self.coverage.note_network("requests without an answer");
        let reached = self.connectivity == Connectivity::Open || (outside && self.connectivity != Connectivity::Down);
        if reached && (outside || self.rules_known) && !matches!(hit, Some(Rule::DropBefore | Rule::DropAfter)) {
            let what = format!("{} was not answered over a healthy network", name_of(&command));
            self.writer.steps.push(story_step);
            return self.fail(Law::WellFormedAnswers, what, None);
        }
        let happened = match (self.connectivity, hit) {
            _ if !self.rules_known => None,
            (Connectivity::Down | Connectivity::Cut, _) | (_, Some(Rule::DropBefore)) => Some(false),
            (_, Some(Rule::DropAfter)) => Some(true),
            _ => None,
        };
        self.keep_unanswered(step, command, story_step, happened, false);
        if self.connectivity == Connectivity::Open {
            self.settle().await;
        }
    }

    /// Writes down a request without an answer, and remembers it.
    fn keep_unanswered(
        &mut self,
        step: &Step,
        command: Command,
        mut story_step: StoryStep,
        happened: Option<bool>,
        struck: bool,
    ) {
        story_step.expect = Some(ExpectedResponse { no_answer: true, ..ExpectedResponse::default() });
        story_step.save.clear();
        let struck = struck.then_some(self.writer.steps.len());
        self.writer.steps.push(story_step);
        self.unanswered.push(UnansweredRequest { step: *step, command, happened, struck });
    }

    /// A partner's request is sent, and the network or the server fails while it is on its way.
    pub(super) async fn send_struck(
        &mut self,
        step: &Step,
        command: Command,
        story_step: StoryStep,
        strike: MidFlightOutage,
    ) {
        let answer = match self.remote.ask_struck(&story_step, strike.outage, strike.ticks).await {
            Ok(RequestOutcome::Answer(status, body)) => Some((status, body)),
            Ok(RequestOutcome::Silence) => None,
            Ok(RequestOutcome::Unsent) => return,
            Err(why) => return self.fail(Law::WellFormedAnswers, format!("the network: {why}"), None),
        };
        self.coverage.note_network("requests struck on their way");
        let (connectivity, outage_step) = match strike.outage {
            Outage::Cut => (Connectivity::Cut, StoryAct::Network(Network::Cut)),
            Outage::Held => (Connectivity::Held, StoryAct::Network(Network::Held)),
            Outage::Crash => (Connectivity::Down, StoryAct::Server(Server::Crashes)),
        };
        self.connectivity = connectivity;
        self.note_outage();
        match answer {
            Some((status, body)) => self.answered(step, &command, story_step, status, &body),
            None => self.keep_unanswered(step, command, story_step, None, true),
        }
        self.writer.steps.push(StoryStep::from(outage_step));
        // The clock may move before the network is well again, so that it counts now whether the request has come that
        // far. One that is held may come later; a server that is down answers nothing, and its clock does not move.
        if self.connectivity != Connectivity::Down {
            self.settle().await;
        }
    }

    /// Finds out which of the doubtful requests have happened: those with which the reference world has the server's fingerprint.
    pub(super) async fn settle(&mut self) {
        if self.unanswered.is_empty() {
            return;
        }
        let unanswered = std::mem::take(&mut self.unanswered);
        if self.comparison == Comparison::Sampled && unanswered.iter().all(|request| request.happened.is_some()) {
            // The causes have decided it; the next comparison of the worlds sees whether they are right.
            return self.resolve(unanswered, |_, request| request.happened == Some(true));
        }
        let Some(digest) = self.remote.digest().await else {
            return self.fail(Law::WellFormedAnswers, "the operator was not answered", None);
        };
        for mask in 0_u32..1 << unanswered.len() {
            let happened = |at: usize| mask >> at & 1 == 1;
            let ruled_out = unanswered.iter().enumerate().any(|(at, request)| request.happened == Some(!happened(at)));
            let mut reference = self.writer.world.clone();
            for (_, request) in unanswered.iter().enumerate().filter(|(at, _)| happened(*at)) {
                // What was refused has happened too, and left no trace.
                drop(reference.apply(reference.now(), request.command.clone()));
            }
            if ruled_out || reference.digest().to_string() != digest {
                continue;
            }
            return self.resolve(unanswered, |at, _| happened(at));
        }
        let names: Vec<&str> = unanswered.iter().map(|request| name_of(&request.command)).collect();
        self.fail(
            Law::WholeOrNotAtAll,
            format!("without an answer: {}; the world is as after none of them, nor any", names.join(", ")),
            None,
        );
    }

    /// The reference world does what has happened of the doubtful requests. What the network still holds stays in doubt: it may come
    /// later.
    fn resolve(&mut self, unanswered: Vec<UnansweredRequest>, happened: impl Fn(usize, &UnansweredRequest) -> bool) {
        for (at, request) in unanswered.into_iter().enumerate() {
            let happened = happened(at, &request);
            if !happened && self.connectivity == Connectivity::Held {
                self.unanswered.push(request);
                continue;
            }
            self.coverage.note_law(Law::WholeOrNotAtAll);
            self.coverage.note_network(if happened { "of these, had happened" } else { "of these, had not happened" });
            if let Some(at) = request.struck {
                // Nobody can strike a request in a file at the same moment; a fault rule has the same effect.
                let rule = if happened { Rule::DropAfter } else { Rule::DropBefore };
                self.writer.steps.insert(at, rule.step(method(&self.writer.steps[at]), "/v2/partner/client/**"));
                self.sockets_read_at += usize::from(self.sockets_read_at > at);
            }
            if happened {
                drop(self.writer.carry_out(&request.step, &request.command));
                self.expect_events_of_reference();
            }
        }
    }
}

fn method(step: &StoryStep) -> &str {
    match &step.act {
        StoryAct::Call(call) => &call.method,
        StoryAct::Request(request) => request.word.sends().map_or("POST", |sends| sends.method),
        _ => "POST",
    }
}
