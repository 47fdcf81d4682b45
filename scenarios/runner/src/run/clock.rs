//! Moves of the business clock.
//!
//! Invariant: a wait for a status ends: after so many due things, or when the status can no longer come.

use super::outcome::{StepResult, Trouble};
use super::session::{OutgoingRequest, Session, ShownPart};
use crate::transcript::Happening;
use language::ast::{Actor, Move, Noun};
use language::matching;
use language::parse::moves;
use language::template::{fill_ref, fill_text};
use serde_json::{Value as Json, json};
use sim::calendar;
use sim::time::{Date, Instant, Millis, stockholm};

/// Most due events that a wait for a status lets pass.
const MOST_MOVES: usize = 20_000;
/// Business days that a wait for a status lets pass at most.
const LONGEST_WAIT: Millis = Millis::days(400);

/// Statuses that nothing follows.
const FINAL: &[&str] = &["settled", "canceled", "rejected", "error", "complete", "expired"];

impl Session {
    /// Moves the clock and writes what happened on the way.
    pub(super) async fn advance(&mut self, actor: Actor, how: &Move) -> StepResult {
        if self.joined.is_some() {
            // Others may have moved it, and it may run.
            let clock = self.own("GET", "clock", &Json::Null).await.map_err(Trouble::new)?;
            self.now_is(clock.get("now").and_then(Json::as_str).unwrap_or_default().to_owned());
        }
        let body = match how {
            Move::By(period) => json!({ "by": period }),
            Move::Next => json!({ "until": "next" }),
            Move::To(instant) => {
                let text = fill_text(instant, &self.names)?;
                match moves::day(&text) {
                    Some((day, Some((hour, minute)))) => to(stockholm(day, hour, minute)),
                    Some((day, None)) => to(at_same_time(self.instant()?, day)),
                    None => json!({ "to": text }),
                }
            }
            Move::BankDays(count) => {
                let now = self.instant()?;
                to(at_same_time(now, calendar::add_bank_days(now.local_date(), *count)))
            }
            Move::Days(count) => {
                let now = self.instant()?;
                to(at_same_time(now, days_after(now.local_date(), *count)?))
            }
            Move::ToLocalTime(time) => to(self.next_local(time)?),
            Move::CutOff { instrument: None, .. } => json!({ "until": "cutOff" }),
            Move::CutOff { instrument: Some(fund), offset_ms: 0 } => {
                json!({ "until": "cutOff", "instrument": fill_ref(fund, &self.names)? })
            }
            Move::CutOff { instrument: Some(fund), offset_ms } => {
                let cut_off = self.cut_off(actor, &fill_ref(fund, &self.names)?).await?;
                to(cut_off.plus(Millis(*offset_ms)))
            }
            Move::Settlement(order) => json!({ "until": "settlement", "order": fill_ref(order, &self.names)? }),
            Move::Until { noun, of, status } => {
                let of = fill_ref(of, &self.names)?;
                return self.until(actor, *noun, &of, status).await;
            }
        };
        let happened = self.push(actor, body).await?;
        self.transcript.moved(&self.now, &happened);
        Ok(())
    }

    fn instant(&self) -> StepResult<Instant> {
        Instant::parse(&self.now).map_err(|_| Trouble::new(format!("the world's clock shows `{}`", self.now)))
    }

    /// One move by the operator plane; answers what happened on the way.
    async fn push(&mut self, actor: Actor, body: Json) -> StepResult<Vec<Happening>> {
        let call = OutgoingRequest::new("POST", "/_sandbox/worlds/current/clock/advance").json(&body);
        let actor = if actor == Actor::Nobody { Actor::default() } else { actor };
        self.deliver(actor).await?;
        let Some(answer) = self.send(actor, call, ShownPart::Nothing).await? else {
            return Err(Trouble::new("the clock does not answer"));
        };
        if !answer.is_good() {
            return Err(Trouble::new(format!("the clock refuses: {} {}", answer.status, matching::show(&answer.body))));
        }
        let text = |value: &Json, key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        self.now_is(text(&answer.body, "now"));
        self.deliver(actor).await?;
        let happened = answer.body.get("happened").and_then(Json::as_array).cloned().unwrap_or_default();
        Ok(happened
            .iter()
            .map(|it| Happening { at: text(it, "at"), what: text(it, "what"), resource: text(it, "resource") })
            .collect())
    }

    /// The next cut-off of a fund, for a second side the later question does not matter: both share it.
    async fn cut_off(&mut self, actor: Actor, instrument: &str) -> StepResult<Instant> {
        let instrument =
            self.read(actor, format!("/v2/partner/instrument/{instrument}"), ShownPart::Part("cutOffDateSub")).await?;
        let dates = ["cutOffDateSub", "cutOffDateRed"].map(|key| instrument.get(key).and_then(Json::as_str));
        let found = dates.into_iter().flatten().find_map(|text| Instant::parse(text).ok());
        found.ok_or_else(|| Trouble::new("the instrument has no coming cut-off"))
    }

    /// The next moment at which clocks in Stockholm show `HH:MM`.
    fn next_local(&self, time: &str) -> StepResult<Instant> {
        let now = self.instant()?;
        let (hour, minute) = time.split_once(':').unwrap_or((time, "0"));
        let (hour, minute) = (hour.parse().unwrap_or(0), minute.parse().unwrap_or(0));
        let today = stockholm(now.local_date(), hour, minute);
        if today > now {
            return Ok(today);
        }
        Ok(stockholm(days_after(now.local_date(), 1)?, hour, minute))
    }

    async fn until(&mut self, actor: Actor, noun: Noun, of: &str, status: &str) -> StepResult {
        let begin = self.instant()?;
        let mut all = Vec::new();
        let mut seen = self.status(actor, noun, of).await?;
        for _ in 0..MOST_MOVES {
            if seen == status {
                self.transcript.moved(&self.now, &all);
                return Ok(());
            }
            if FINAL.contains(&seen.as_str()) {
                self.transcript.moved(&self.now, &all);
                return Err(Trouble::new(format!("it will never be {status}: it is {seen}")));
            }
            let before = self.now.clone();
            let happened = self.push(actor, json!({ "until": "next" })).await?;
            if self.now == before && happened.is_empty() {
                return Err(Trouble::new(format!("no timer is left, and it is still {seen}")));
            }
            if self.instant()?.since(begin) > LONGEST_WAIT {
                break;
            }
            // Only what happened to it, or to the fund it is in, can have changed its status.
            let concerned = happened.iter().any(|it| it.resource == of || it.concerns_many());
            all.extend(happened);
            if concerned {
                seen = self.status(actor, noun, of).await?;
            }
        }
        Err(Trouble::new(format!("it is still {seen} at {}, after {} due things", self.now, all.len())))
    }

    async fn status(&mut self, actor: Actor, noun: Noun, of: &str) -> StepResult<String> {
        let noun = match noun {
            Noun::Order => "order",
            Noun::Account => "account",
            Noun::Journey => "journey",
        };
        let path = format!("{}/{noun}/{of}", self.client_path(actor));
        match self.send(actor, OutgoingRequest::new("GET", path), ShownPart::Nothing).await? {
            Some(answer) if answer.is_good() => {
                Ok(answer.body.get("status").and_then(Json::as_str).unwrap_or_default().to_owned())
            }
            Some(answer) => Err(Trouble::new(format!("the {noun} cannot be read: {}", matching::show(&answer.body)))),
            None => Err(Trouble::new(format!("the {noun} cannot be read: no answer"))),
        }
    }
}

fn to(instant: Instant) -> Json {
    let mut text = String::new();
    instant.write_to(&mut text);
    json!({ "to": text })
}

fn days_after(date: Date, count: u32) -> StepResult<Date> {
    let mut day = date;
    for _ in 0..count {
        day = day.tomorrow().map_err(|_| Trouble::new("that is beyond the calendar"))?;
    }
    Ok(day)
}

/// The same local time of day on another day.
fn at_same_time(now: Instant, day: Date) -> Instant {
    let today = stockholm(now.local_date(), 0, 0);
    let local = now.local();
    let exact = stockholm(now.local_date(), local.hour(), local.minute());
    // Seconds and milliseconds beyond the minute, which no change of clocks touches.
    let rest = if exact <= now && exact >= today { now.since(exact) } else { Millis(0) };
    stockholm(day, local.hour(), local.minute()).plus(rest)
}
