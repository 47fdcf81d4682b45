//! The protocol of an event socket, as a state without a socket.
//!
//! Owns: which message is sent when (`hello` first, `heartbeat` at its interval, `server_closing` before a planned close) and why
//! a socket ends. Invariant: nothing is sent after the close, and control messages never wait behind events.
//! Absent on purpose: events themselves, frames, and waiting; the holder of the socket acts on the outputs.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use uuid::Uuid;

use crate::transport::{SurfaceSettings, TransportTime};

/// Periods of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periods {
    /// Between heartbeats.
    pub heartbeat: Duration,
    /// Life of the socket.
    pub cap: Duration,
    /// From `server_closing` to the close.
    pub notice: Duration,
}

impl Periods {
    /// The periods of a world, with the process's notice of closing.
    #[must_use]
    pub const fn of(settings: &SurfaceSettings, notice: Duration) -> Self {
        Self { heartbeat: settings.heartbeat, cap: settings.socket_cap, notice }
    }
}

/// The two times of a session; equal when the world's clock replaces transport time (`virtualTransport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Heartbeats and the cap.
    pub feed: TransportTime,
    /// The notice before a planned close.
    pub transport: TransportTime,
}

impl Times {
    /// Both times the same.
    #[must_use]
    pub const fn same(at: TransportTime) -> Self {
        Self { feed: at, transport: at }
    }
}

/// Why a socket is closed by the server (rule: events/socket-end).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// It has reached its cap.
    Cap,
    /// The server stops, as announced.
    GoingAway,
    /// It does not keep up.
    TooSlow,
}

impl Close {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cap, Self::GoingAway, Self::TooSlow];

    /// The close code of RFC 6455.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Cap => 1000,
            Self::GoingAway => 1001,
            Self::TooSlow => 1013,
        }
    }

    /// The reason in words.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Cap => "the connection has reached its hour",
            Self::GoingAway => "the server is closing",
            Self::TooSlow => "the connection does not keep up",
        }
    }
}

/// Sent at the agreed interval.
pub const HEARTBEAT: &str = r#"{"eventType":"heartbeat"}"#;
/// Sent before a planned close.
pub const SERVER_CLOSING: &str = r#"{"eventType":"server_closing"}"#;

/// Sent first: which server answers.
#[must_use]
pub fn hello(instance: Uuid) -> String {
    format!(r#"{{"eventType":"hello","instanceId":"{instance}"}}"#)
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send this message.
    Send(Utf8Bytes),
    /// Send the next event, or wait for one until then.
    Pass(Until),
    /// Close; nothing follows.
    Close(Close),
}

/// When a session has something to do of itself, by either time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// By feed time.
    pub feed: TransportTime,
    /// By transport time.
    pub transport: Option<TransportTime>,
}

/// State of one socket.
#[derive(Debug)]
pub struct Session {
    periods: Periods,
    hello: Option<Utf8Bytes>,
    next_heartbeat: TransportTime,
    cap: TransportTime,
    closing: Closing,
    too_slow: bool,
}

#[derive(Clone, Copy, Debug)]
enum Closing {
    No,
    Requested,
    Announced(TransportTime),
}

impl Session {
    /// A socket opened at `now` to the instance `instance`.
    #[must_use]
    pub fn open(instance: Uuid, periods: Periods, now: Times) -> Self {
        Self {
            periods,
            hello: Some(hello(instance).into()),
            next_heartbeat: now.feed.plus(periods.heartbeat),
            cap: now.feed.plus(periods.cap),
            closing: Closing::No,
            too_slow: false,
        }
    }

    /// The server has begun to close.
    pub const fn begin_closing(&mut self) {
        if matches!(self.closing, Closing::No) {
            self.closing = Closing::Requested;
        }
    }

    /// Its hour is over, whatever the clock says.
    pub fn end_hour(&mut self, now: Times) {
        self.cap = self.cap.min(now.feed);
    }

    /// The other side takes nothing, or has fallen off the log.
    pub const fn give_up(&mut self) {
        self.too_slow = true;
    }

    /// What to do at `now`. Each output is acted on before the next is taken.
    pub fn next(&mut self, now: Times) -> Output {
        if self.too_slow {
            return Output::Close(Close::TooSlow);
        }
        if let Some(hello) = self.hello.take() {
            return Output::Send(hello);
        }
        match self.closing {
            Closing::Requested => {
                self.closing = Closing::Announced(now.transport);
                return Output::Send(Utf8Bytes::from_static(SERVER_CLOSING));
            }
            Closing::Announced(at) if now.transport >= at.plus(self.periods.notice) => {
                return Output::Close(Close::GoingAway);
            }
            Closing::Announced(_) | Closing::No => {}
        }
        if now.feed >= self.cap {
            return Output::Close(Close::Cap);
        }
        if now.feed >= self.next_heartbeat {
            let next = self.next_heartbeat.plus(self.periods.heartbeat);
            self.next_heartbeat = if next > now.feed { next } else { now.feed.plus(self.periods.heartbeat) };
            return Output::Send(Utf8Bytes::from_static(HEARTBEAT));
        }
        Output::Pass(self.until())
    }

    fn until(&self) -> Until {
        let transport = match self.closing {
            Closing::Announced(at) => Some(at.plus(self.periods.notice)),
            Closing::No | Closing::Requested => None,
        };
        Until { feed: self.next_heartbeat.min(self.cap), transport }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIODS: Periods =
        Periods { heartbeat: Duration::from_secs(30), cap: Duration::from_secs(3_600), notice: Duration::from_secs(2) };

    fn at(ms: u64) -> Times {
        Times::same(TransportTime(ms))
    }

    fn open() -> Session {
        let mut session = Session::open(Uuid::nil(), PERIODS, at(0));
        let hello = format!(r#"{{"eventType":"hello","instanceId":"{}"}}"#, Uuid::nil());
        assert_eq!(session.next(at(0)), Output::Send(hello.into()));
        session
    }

    fn say(event: &str) -> Output {
        Output::Send(format!(r#"{{"eventType":"{event}"}}"#).into())
    }

    fn pass(feed: u64, transport: Option<u64>) -> Output {
        Output::Pass(Until { feed: TransportTime(feed), transport: transport.map(TransportTime) })
    }

    /// Rows of (instant, output) after `hello`.
    fn check(mut session: Session, rows: &[(u64, Output)]) {
        for (ms, output) in rows {
            assert_eq!(session.next(at(*ms)), *output, "at {ms}");
        }
    }

    #[test]
    fn hello_comes_first_even_when_the_server_is_closing_already() {
        let mut session = Session::open(Uuid::nil(), PERIODS, at(0));
        session.begin_closing();
        assert!(matches!(session.next(at(0)), Output::Send(hello) if hello.contains("hello")));
        assert_eq!(session.next(at(0)), say("server_closing"));
    }

    #[test]
    fn heartbeats_keep_their_interval_and_none_is_made_up_for() {
        check(
            open(),
            &[
                (0, pass(30_000, None)),
                (29_999, pass(30_000, None)),
                (30_001, say("heartbeat")),
                (30_001, pass(60_000, None)),
                (200_000, say("heartbeat")),
                (200_000, pass(230_000, None)),
            ],
        );
    }

    #[test]
    fn the_cap_closes_cleanly_and_without_warning() {
        let mut session = open();
        let mut outputs = Vec::new();
        for second in 1..=3_600 {
            while let output @ (Output::Send(_) | Output::Close(_)) = session.next(at(second * 1_000)) {
                outputs.push(output.clone());
                if matches!(output, Output::Close(_)) {
                    break;
                }
            }
        }
        assert_eq!(outputs.len(), 120, "119 heartbeats, then the close");
        assert!(outputs[..119].iter().all(|output| *output == say("heartbeat")));
        assert_eq!(outputs[119], Output::Close(Close::Cap));
        assert_eq!(Close::Cap.code(), 1000);
    }

    #[test]
    fn a_planned_close_is_announced_and_follows_after_the_notice_while_events_still_pass() {
        let mut session = open();
        session.begin_closing();
        assert_eq!(session.next(at(1_000)), say("server_closing"));
        session.begin_closing();
        check(
            session,
            &[
                (1_000, pass(30_000, Some(3_000))),
                (2_999, pass(30_000, Some(3_000))),
                (3_000, Output::Close(Close::GoingAway)),
            ],
        );
    }

    #[test]
    fn an_hour_that_is_ended_early_ends_like_any_other() {
        let mut session = open();
        session.end_hour(at(5));
        check(session, &[(5, Output::Close(Close::Cap))]);
    }

    #[test]
    fn who_does_not_keep_up_is_closed_at_once() {
        let mut session = open();
        session.give_up();
        check(session, &[(1, Output::Close(Close::TooSlow)), (2, Output::Close(Close::TooSlow))]);
    }

    #[test]
    fn by_the_worlds_clock_heartbeats_wait_but_a_planned_close_does_not() {
        let mut session = open();
        session.begin_closing();
        let standing = |ms| Times { feed: TransportTime(0), transport: TransportTime(ms) };
        assert_eq!(session.next(standing(90_000)), say("server_closing"));
        assert_eq!(session.next(standing(91_000)), pass(30_000, Some(92_000)));
        assert_eq!(session.next(standing(92_000)), Output::Close(Close::GoingAway));
    }
}
