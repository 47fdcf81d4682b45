//! What a world was asked and what it answered since its start, for telling it again as a scenario.
//!
//! Invariant: what is kept is a whole beginning, in the order in which it was carried out: once the bound is reached nothing more
//! is kept, and the rest is counted. Bodies are as they were, since a story has to send them again; whoever tells them leaves
//! secrets out. Absent on purpose: reads of the machinery, which change nothing and are part of no session; requests for
//! tokens; the language of scenarios, which a server is given with its configuration (`ScenarioWriter`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::Method;
use bytes::Bytes;
use serde_json::Value;
use sim::ids::{ClientId, JourneyId, PartnerId};
use sim::setup::Setup;
use sim::time::Instant;

use crate::hosting::current::Turn;

/// Writes what was seen as a scenario file.
pub type ScenarioWriter = fn(&Session) -> String;

/// One request with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The `request-id` of the answer.
    pub id: u64,
    /// When the world was asked.
    pub turn: Turn,
    /// Who asked.
    pub by: By,
    /// Method.
    pub method: Method,
    /// Path and query.
    pub target: Box<str>,
    /// Language that a browser asked for.
    pub language: Option<Box<str>>,
    /// What was sent, where it is text.
    pub sent: Option<Bytes>,
    /// Status of the answer; `None` when the connection was dropped instead.
    pub status: Option<u16>,
    /// What was answered, where it is text and not too long.
    pub answered: Option<Bytes>,
    /// Where the answer leads.
    pub location: Option<Box<str>>,
}

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Whoever showed a token of this partner.
    Partner(PartnerId),
    /// A person on the pages of a journey of this partner.
    Person(PartnerId, JourneyId),
    /// Somebody on the page of a mobile payment.
    Payer,
    /// The operator, or somebody without a token.
    Operator,
}

impl Exchange {
    fn weight(&self) -> usize {
        let bodies = self.sent.iter().chain(&self.answered).map(Bytes::len).sum::<usize>();
        size_of::<Self>() + self.target.len() + bodies
    }
}

/// All that is known of a session.
#[derive(Clone, Debug)]
pub struct Session {
    /// The world's name.
    pub name: Arc<str>,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// The setup as it was given; `None` is the demo world.
    pub setup: Option<Arc<Value>>,
    /// The partners with their clients, in the order of the setup.
    pub partners: Vec<(PartnerId, Vec<ClientId>)>,
    /// In the order in which they were carried out.
    pub exchanges: Vec<Arc<Exchange>>,
    /// How many more there were.
    pub left_out: LeftOut,
    /// Why what is told does not begin with the world.
    pub gap: Option<&'static str>,
}

/// How many exchanges are not told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// They came when there was no more room.
    pub no_room: u64,
    /// They are another partner's.
    pub foreign: u64,
}

/// The exchanges of a world.
#[derive(Debug)]
pub struct Recording {
    kept: Mutex<Kept>,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    setup: Option<Arc<Value>>,
    exchanges: Vec<Arc<Exchange>>,
    bytes: usize,
    /// Those that found no room: the input that the first came after, and how many.
    rest: Option<(u64, u64)>,
    /// Inputs that are no longer on the way to where the world stands: after the first, up to the second.
    undone: Vec<(u64, u64)>,
    gap: Option<&'static str>,
}

/// The world was not made here.
const TAKEN_IN: &str = "the world was taken in as it stood";
/// Where it was put back to is on a way that was left before.
const OTHER_WAY: &str = "the world was put back to where it stood before it was rewound";

impl Recording {
    /// Of a world that stands after this input.
    #[must_use]
    pub fn since(input: u64) -> Self {
        let gap = (input > 0).then_some(TAKEN_IN);
        Self { kept: Mutex::new(Kept { gap, ..Kept::default() }) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world was made from this setup.
    pub fn begins_with(&self, setup: Option<Value>) {
        self.kept().setup = setup.map(Arc::new);
    }

    /// The world is a twin of another, as that stood after this input.
    pub fn go_on_from(&self, other: &Self, input: u64) {
        let mut kept = other.kept().clone();
        kept.keep_until(input);
        *self.kept() = kept;
    }

    /// How many bytes of a body are worth keeping, with at most so many for all.
    #[must_use]
    pub fn room(&self, most: usize) -> usize {
        let kept = self.kept();
        if kept.rest.is_some() { 0 } else { most.saturating_sub(kept.bytes) }
    }

    /// Notes an exchange, with at most so many bytes for all.
    pub fn note(&self, exchange: Exchange, most: usize) {
        let mut kept = self.kept();
        let input = exchange.turn.input;
        if kept.undone.iter().any(|(from, to)| (from + 1..=*to).contains(&input)) {
            // It came just before the world was put back.
            return;
        }
        let weight = exchange.weight();
        if let Some((_, count)) = &mut kept.rest {
            *count += 1;
        } else if kept.bytes + weight > most {
            kept.rest = Some((input, 1));
        } else {
            kept.bytes += weight;
            kept.exchanges.push(Arc::new(exchange));
        }
    }

    /// The world, which stood after input `from`, is put back to where it stood after `to`, or to its start.
    pub fn jumped(&self, from: u64, to: Option<u64>) {
        let mut kept = self.kept();
        match to {
            None => *kept = Kept { setup: kept.setup.take(), undone: vec![(0, from)], ..Kept::default() },
            Some(to) => {
                if kept.undone.iter().any(|(begin, end)| (begin + 1..*end).contains(&to)) {
                    kept.gap = Some(OTHER_WAY);
                }
                kept.keep_until(to);
                kept.undone.push((to, from));
            }
        }
    }

    /// The world is put back to what was brought from elsewhere.
    pub fn is_brought(&self) {
        self.kept().gap = Some(TAKEN_IN);
    }

    /// What can be told of the world: exchanges that `sees` picks, in the order in which they were carried out.
    #[must_use]
    pub fn session(&self, told: Told<'_>, sees: impl Fn(&Exchange) -> bool) -> Session {
        let kept = self.kept().clone();
        let Kept { setup, mut exchanges, rest, gap, .. } = kept;
        let all = exchanges.len();
        exchanges.retain(|exchange| sees(exchange));
        let left_out = LeftOut { no_room: rest.map_or(0, |(_, count)| count), foreign: (all - exchanges.len()) as u64 };
        // Those that change nothing have seen what the input before them has made.
        exchanges.sort_by_key(|exchange| (exchange.turn.input, !exchange.turn.is_own));
        let Told { name, seed, start, setup: made_from, partners } = told;
        let is_known = setup.is_some() || *made_from == crate::hosting::setup::demo();
        let gap = gap.or_else(|| (!is_known).then_some("its setup is known by its parts only"));
        Session { name: Arc::clone(name), seed, start, setup, partners, exchanges, left_out, gap }
    }
}

/// What the world itself says.
#[derive(Clone, Debug)]
pub struct Told<'w> {
    /// Its name.
    pub name: &'w Arc<str>,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// What it was made from.
    pub setup: &'w Setup,
    /// Its partners with their clients, in the order of the setup.
    pub partners: Vec<(PartnerId, Vec<ClientId>)>,
}

impl Kept {
    /// Forgets what came after an input.
    fn keep_until(&mut self, input: u64) {
        self.exchanges.retain(|exchange| exchange.turn.input <= input);
        self.bytes = self.exchanges.iter().map(|exchange| exchange.weight()).sum();
        self.rest = self.rest.filter(|(first, _)| *first <= input);
    }
}

/// Largest form of a page that is kept.
const LARGEST_FORM: usize = 65_536;
/// What of the machinery is part of a session when it changes something; all else moves the whole world or only looks.
const PLAYED: [&str; 6] = ["clock", "settings", "faults", "webhooks", "deliveries", "suspense"];

/// Whose request it may be, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'p> {
    /// Of no session.
    None,
    /// Of the world that its token leads to.
    OfBearer,
    /// Of the world that this names, or of the one that its token leads to.
    OfWorld(&'p str),
    /// Of a person on the pages of a journey, whose link holds this.
    OfPerson(&'p str),
    /// Of somebody who decides on a mobile payment of the world that this names.
    OfPayer(&'p str),
}

impl<'p> Kind<'p> {
    /// What a request is.
    #[must_use]
    pub fn of(method: &Method, path: &'p str) -> Self {
        if let Some(rest) = path.strip_prefix("/journey/") {
            return Self::OfPerson(rest.split('/').next().unwrap_or_default());
        }
        if let Some(rest) = path.strip_prefix("/pay/").filter(|_| *method == Method::POST) {
            return Self::OfPayer(rest.split('/').nth(1).unwrap_or_default());
        }
        if path.starts_with("/simulations/") || path.starts_with("/v2/") {
            let is_apart = path.ends_with("/auth/token") || path.ends_with("/subscribe");
            return if is_apart { Self::None } else { Self::OfBearer };
        }
        let Some(rest) = path.strip_prefix("/_sandbox/worlds/").filter(|_| *method != Method::GET) else {
            return Self::None;
        };
        let (world, what) = rest.split_once('/').unwrap_or((rest, ""));
        let is_mode = *method == Method::PATCH && what == "clock";
        let is_played = PLAYED.contains(&what.split('/').next().unwrap_or_default());
        if is_played && !is_mode { Self::OfWorld(world) } else { Self::None }
    }

    /// How much of a body is kept, where there is so much room.
    #[must_use]
    pub fn most(self, room: usize) -> usize {
        match self {
            Self::None | Self::OfPayer(_) => 0,
            Self::OfPerson(_) => room.min(LARGEST_FORM),
            Self::OfBearer | Self::OfWorld(_) => room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: usize = 1 << 20;

    fn exchange(input: u64, is_own: bool) -> Exchange {
        Exchange {
            id: 100 - input,
            turn: Turn { input, is_own, now: Instant::MIN },
            by: By::Operator,
            method: Method::POST,
            target: Box::from("/x"),
            language: None,
            sent: None,
            status: Some(200),
            answered: None,
            location: None,
        }
    }

    fn told(recording: &Recording) -> (Vec<u64>, u64, Option<&'static str>) {
        let setup = crate::hosting::setup::demo();
        let told =
            Told { name: &Arc::from("world"), seed: 1, start: Instant::MIN, setup: &setup, partners: Vec::new() };
        let session = recording.session(told, |_| true);
        let inputs = session.exchanges.iter().map(|exchange| exchange.turn.input).collect();
        (inputs, session.left_out.no_room, session.gap)
    }

    #[test]
    fn exchanges_are_told_in_the_order_in_which_they_were_carried_out() {
        let recording = Recording::since(0);
        for (input, is_own) in [(2, false), (3, true), (2, true), (1, true), (1, false)] {
            recording.note(exchange(input, is_own), PLENTY);
        }
        assert_eq!(told(&recording), (vec![1, 1, 2, 2, 3], 0, None));
    }

    #[test]
    fn what_finds_no_room_is_counted_and_nothing_later_is_kept() {
        let recording = Recording::since(0);
        let most = 2 * exchange(1, true).weight();
        (1..=5).for_each(|input| recording.note(exchange(input, true), most));
        assert_eq!((told(&recording), recording.room(most)), ((vec![1, 2], 3, None), 0));
        recording.jumped(5, Some(1));
        recording.note(exchange(7, true), most);
        assert_eq!(told(&recording), (vec![1, 7], 0, None));
    }

    #[test]
    fn a_world_that_is_put_back_forgets_what_is_undone_and_says_what_it_no_longer_knows() {
        let recording = Recording::since(0);
        (1..=5).for_each(|input| recording.note(exchange(input, true), PLENTY));
        recording.jumped(6, Some(2));
        recording.note(exchange(4, true), PLENTY);
        recording.note(exchange(7, true), PLENTY);
        assert_eq!(told(&recording), (vec![1, 2, 7], 0, None));
        let twin = Recording::since(2);
        assert_eq!(told(&twin), (vec![], 0, Some(TAKEN_IN)));
        twin.go_on_from(&recording, 2);
        assert_eq!(told(&twin), (vec![1, 2], 0, None));
        recording.jumped(8, Some(4));
        assert_eq!(told(&recording).2, Some(OTHER_WAY));
        recording.jumped(9, None);
        assert_eq!(told(&recording), (vec![], 0, None));
    }

    #[test]
    fn only_what_is_played_again_is_kept() {
        for (method, path, kind) in [
            (Method::GET, "/v2/partner/client", Kind::OfBearer),
            (Method::POST, "/v2/partner/auth/token", Kind::None),
            (Method::POST, "/simulations/account", Kind::OfBearer),
            (Method::GET, "/journey/abc/kyc", Kind::OfPerson("abc")),
            (Method::GET, "/pay/abc/world-1", Kind::None),
            (Method::POST, "/pay/abc/world-1", Kind::OfPayer("world-1")),
            (Method::GET, "/_sandbox/worlds/world-1/clock", Kind::None),
            (Method::PATCH, "/_sandbox/worlds/world-1/clock", Kind::None),
            (Method::POST, "/_sandbox/worlds/world-1/clock/advance", Kind::OfWorld("world-1")),
            (Method::POST, "/_sandbox/worlds/world-1/reset", Kind::None),
            (Method::DELETE, "/_sandbox/worlds/world-1", Kind::None),
            (Method::GET, "/ping", Kind::None),
        ] {
            assert_eq!(Kind::of(&method, path), kind, "{method} {path}");
        }
    }
}
