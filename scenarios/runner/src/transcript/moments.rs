//! The moments of a run: what can be drawn on a line of simulated time.
//!
//! Owns: what is kept of a request, an event, a post, a change of state or a move of the clock. Invariant: each moment names
//! the line of the transcript that shows it, and moments of a run never lie beyond what the clock showed when they were
//! added. Absent on purpose: how they are drawn (`report`), and whatever only the transcript shows.

use serde_json::Value as Json;
use sim::time::Instant;

/// Longest text of a moment; the transcript has all of it.
const LONGEST: usize = 96;

/// Something that happened at an instant of simulated time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When, in milliseconds of simulated time since 1970.
    pub at: i64,
    /// The line of the transcript that shows it, counted from 0.
    pub line: usize,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A step of the story began; its first word, as in `advance`.
    Step(String),
    /// A request, with the status of its response where one came.
    Request {
        /// Who asks, method and path.
        asked: String,
        /// The status.
        status: Option<u16>,
    },
    /// An order or a journey is in this state from here on.
    State {
        /// Its id.
        id: String,
        /// What it is, as in `subscription`.
        noun: String,
        /// The state.
        state: String,
    },
    /// An event came in on a socket.
    Event(String),
    /// The partner's server took a post.
    Post(String),
    /// The clock moved to here.
    Clock {
        /// Where it stood.
        from: i64,
    },
    /// Something came due.
    Due(String),
}

/// The growing list of a run.
#[derive(Default)]
pub(super) struct Moments {
    all: Vec<Moment>,
    /// Where the clock stood before it last moved.
    before: i64,
    now: i64,
}

impl Moments {
    pub(super) fn step(&mut self, line: usize, now: &str, step: &str) {
        let now = self.see(now);
        let word = step.split_once(':').map_or(step, |(word, _)| word);
        self.add(now, line, What::Step(short(word)));
    }

    pub(super) fn asked(&mut self, line: usize, now: &str, asked: &str) {
        let now = self.see(now);
        self.add(now, line, What::Request { asked: short(asked), status: None });
    }

    /// The response to the last request; an order or a journey in it is in the state that it shows.
    pub(super) fn answered(&mut self, line: usize, now: &str, status: u16, body: &str) {
        let now = self.see(now);
        let open = self.all.iter_mut().rev().find_map(|moment| match &mut moment.what {
            What::Request { status, .. } => Some(status),
            _ => None,
        });
        if let Some(open) = open {
            *open = Some(status);
        }
        if body.starts_with('{')
            && body.contains("\"status\"")
            && let Ok(body) = serde_json::from_str::<Json>(body)
        {
            self.state(line, now, &body, is_of(&body));
        }
    }

    /// A frame, at the instant at which its resource was changed.
    pub(super) fn frame(&mut self, line: usize, now: &str, frame: &Json) {
        let now = self.see(now);
        let Some(kind) = frame.get("eventType").and_then(Json::as_str).filter(|_| frame.get("eventId").is_some())
        else {
            return;
        };
        let current = frame.pointer("/payload/current");
        let changed = current.and_then(|it| it.get("modifiedDate").or_else(|| it.get("createdDate")));
        let changed = changed.and_then(Json::as_str).and_then(|text| Instant::parse(text).ok()).map(Instant::ms);
        let at = changed.filter(|at| (self.before..=now).contains(at)).unwrap_or(now);
        self.add(at, line, What::Event(short(kind)));
        if let Some(current) = current {
            self.state(line, at, current, is_of(current).or_else(|| kind.starts_with("journey.").then_some("journey")));
        }
    }

    pub(super) fn posted(&mut self, line: usize, now: &str, what: &str) {
        let now = self.see(now);
        self.add(now, line, What::Post(short(what)));
    }

    pub(super) fn moved(&mut self, line: usize, to: &str) {
        let from = self.now;
        let to = self.see(to);
        self.before = from;
        self.add(to, line, What::Clock { from });
    }

    pub(super) fn due(&mut self, line: usize, at: &str, what: &str) {
        if let Ok(at) = Instant::parse(at) {
            self.add(at.ms(), line, What::Due(short(what)));
        }
    }

    /// All of them, in order of time; what happened at one instant in the order in which it was added.
    pub(super) fn in_order(&self) -> Vec<Moment> {
        let mut all = self.all.clone();
        all.sort_by_key(|moment| moment.at);
        all
    }

    fn add(&mut self, at: i64, line: usize, what: What) {
        self.all.push(Moment { at, line, what });
    }

    fn state(&mut self, line: usize, at: i64, body: &Json, noun: Option<&str>) {
        let text = |key: &str| body.get(key).and_then(Json::as_str);
        if let (Some(noun), Some(id), Some(state)) = (noun, text("id"), text("status")) {
            let what = What::State { id: short(id), noun: short(noun), state: short(state) };
            self.add(at, line, what);
        }
    }

    fn see(&mut self, now: &str) -> i64 {
        if let Ok(now) = Instant::parse(now) {
            self.now = now.ms();
        }
        self.now
    }
}

/// What an answer is about, where it is an order or a journey.
fn is_of(body: &Json) -> Option<&str> {
    let text = |key: &str| body.get(key).and_then(Json::as_str);
    let links = text("url").is_some_and(|url| url.contains("/journey/"));
    text("orderType").or_else(|| (links || body.get("journeyType").is_some()).then_some("journey"))
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn happenings_of_an_advance_appear_at_their_instants() {
        let (start, later, end) = ("2026-03-02T07:00:00.000Z", "2026-03-02T13:00:00.000Z", "2026-03-03T07:00:00.000Z");
        let order = |state: &str, at: &str| json!({ "id": "o", "orderType": "subscription", "status": state, "modifiedDate": at });
        let event = |state: &str, at: &str| json!({ "eventType": "order.update", "eventId": "e", "payload": { "current": order(state, at) } });
        let mut moments = Moments::default();
        moments.step(0, start, "subscribe: {as: order}");
        moments.asked(1, start, "POST /order");
        moments.answered(2, start, 200, &order("received", start).to_string());
        moments.moved(3, end);
        moments.due(4, later, "cut-off");
        moments.frame(5, end, &event("pending", later));
        // A change that is reported late is drawn no earlier than the last move of the clock began.
        moments.frame(6, end, &event("sent", "2026-03-01T07:00:00.000Z"));
        moments.frame(7, end, &json!({ "eventType": "hello" }));
        let ms = |text| Instant::parse(text).expect("an instant").ms();
        let all = moments.in_order();
        let drawn: Vec<_> = all.iter().map(|moment| (moment.at, moment.line)).collect();
        let (start, later, end) = (ms(start), ms(later), ms(end));
        assert_eq!(
            drawn,
            [(start, 0), (start, 1), (start, 2), (later, 4), (later, 5), (later, 5), (end, 3), (end, 6), (end, 6)]
        );
        assert_eq!(all[0].what, What::Step("subscribe".to_owned()));
        assert_eq!(all[1].what, What::Request { asked: "POST /order".to_owned(), status: Some(200) });
        let state = |state: &str| What::State { id: "o".into(), noun: "subscription".into(), state: state.into() };
        assert_eq!([&all[2].what, &all[5].what, &all[8].what], [&state("received"), &state("pending"), &state("sent")]);
        assert_eq!(all[6].what, What::Clock { from: start });
    }
}
