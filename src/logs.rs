//! `fundsim logs`: the requests that a world has received, as the server keeps them, and as they come.
//!
//! Invariant: looking on leaves no trace in the world; following goes by the log's own numbers, so that nothing is shown twice or left out,
//! also after the server was away. What the server no longer keeps is said. Absent on purpose: the log, which is the server's.

use crate::args::terminal::Logs;
use crate::bearer::{self, Shown};
use crate::exit::WELL;
use crate::follow::{self, Follower, Missed};
use crate::wanted::{Since, Statuses};
use crate::{interrupt, out, paint};
use runner::report::printable;
use serde_json::Value as Json;
use sim::time::Instant;
use std::fmt::Write as _;
use std::io::Write as _;

/// Requests of one answer.
const MOST: usize = 1_000;

/// Shows requests, and goes on where that is asked.
pub(crate) fn logs(flags: &Logs) -> u8 {
    if flags.follow {
        let end = || {
            // No line is left half.
            drop(std::io::stdout().lock().flush());
            std::process::exit(i32::from(WELL));
        };
        if let Err(why) = interrupt::listen(end) {
            return out::refuse(&why);
        }
    }
    match run(flags) {
        Ok(()) => WELL,
        Err(why) => out::refuse(&why),
    }
}

fn run(flags: &Logs) -> Result<(), String> {
    let since = flags.since.map(Since::moment);
    let mut reader = LogReader::open(flags, since)?;
    reader.show_past()?;
    if !flags.follow {
        return Ok(());
    }
    follow::follow(&mut reader).map(|never| match never {})
}

/// Where a reader of a log is.
struct LogReader<'f> {
    flags: &'f Logs,
    since: Option<i64>,
    shown: Shown,
    world: String,
    /// The number to go on with.
    next: u64,
    /// The id of the last request before that, by which a log that has begun anew is known.
    last: Option<Json>,
}

impl<'f> LogReader<'f> {
    fn open(flags: &'f Logs, since: Option<i64>) -> Result<Self, String> {
        let shown = bearer::shown(flags.of.server.url.as_deref(), &flags.of.server.bearer)?;
        let world = shown.world(flags.of.world.as_deref())?;
        Ok(Self { flags, since, shown, world, next: 0, last: None })
    }

    fn read(&self, query: &str) -> Result<Json, Missed> {
        follow::read(&self.shown, &format!("/_sandbox/worlds/{}/requests?limit={query}", self.world))
    }

    /// The last ones before now.
    fn show_past(&mut self) -> Result<(), String> {
        let answer = self.read(&MOST.to_string()).map_err(Missed::why)?;
        self.next =
            answer["next"].as_u64().ok_or("the server is of an earlier version, whose log cannot be followed")?;
        let lines = answer["requests"].as_array().cloned().unwrap_or_default();
        self.last = lines.first().map(|line| line["requestId"].clone());
        let meant: Vec<_> = lines.iter().filter(|line| self.means(line)).take(self.flags.lines).collect();
        meant.into_iter().rev().for_each(|line| self.show(line));
        Ok(())
    }

    /// Whether a request is one of those that the flags name.
    fn means(&self, line: &Json) -> bool {
        let status = line["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        let has = |text: &str, key: &str| line[key].as_str().is_some_and(|value| value.contains(text));
        let at = line["at"].as_str().and_then(|at| Instant::parse(at).ok()).map_or(i64::MAX, Instant::ms);
        let Logs { status: statuses, path, method, .. } = self.flags;
        (statuses.is_empty() || statuses.iter().any(|one: &Statuses| one.has(status)))
            && path.as_ref().is_none_or(|path| has(path, "path"))
            && method
                .as_ref()
                .is_none_or(|method| line["method"].as_str().is_some_and(|it| it.eq_ignore_ascii_case(method)))
            && self.since.is_none_or(|since| at >= since)
    }

    fn show(&self, line: &Json) {
        if self.flags.of.server.json {
            out::say(&format!("{line}\n"));
        } else {
            out::say(&text(line, self.flags.bodies));
        }
    }
}

impl Follower for LogReader<'_> {
    fn of(&self) -> (&Shown, &str) {
        (&self.shown, &self.world)
    }

    /// Looks whether the log is still the one that was read, too.
    fn renew(&mut self) -> Result<(), String> {
        self.shown = bearer::shown(self.flags.of.server.url.as_deref(), &self.flags.of.server.bearer)?;
        let Some(last) = self.last.clone() else { return Ok(()) };
        let found = self.read(&format!("1&start={}", self.next.saturating_sub(1)));
        let is_known = match &found {
            Ok(answer) => answer["isWhole"] == false || answer["requests"][0]["requestId"] == last,
            Err(_) => true,
        };
        if !is_known {
            out::note("fundsim: the server has begun its log anew\n");
            (self.next, self.last) = (0, None);
        }
        Ok(())
    }

    fn catch_up(&mut self) -> Result<(), Missed> {
        loop {
            let answer = self.read(&format!("{MOST}&start={}", self.next))?;
            if answer["isWhole"] == false && self.last.is_some() {
                out::note(
                    "fundsim: some requests are missing here: the world keeps no more of them (setting requestsKept)\n",
                );
            }
            let next = answer["next"].as_u64().unwrap_or(self.next);
            if next < self.next {
                out::note("fundsim: the server has begun its log anew\n");
                (self.next, self.last) = (0, None);
                continue;
            }
            let lines = answer["requests"].as_array().cloned().unwrap_or_default();
            lines.iter().filter(|line| self.means(line)).for_each(|line| self.show(line));
            self.next = next;
            if let Some(line) = lines.last() {
                self.last = Some(line["requestId"].clone());
            }
            if lines.len() < MOST {
                return Ok(());
            }
        }
    }
}

/// A request in a line, and its bodies below.
fn text(line: &Json, bodies: bool) -> String {
    let status = line["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let word = |key: &str| printable(line[key].as_str().unwrap_or_default());
    let shown = status.map_or_else(|| "---".to_owned(), |status| status.to_string());
    let mut text = format!(
        "{}  {}  {:<6}  {}  {} ms\n",
        word("at"),
        paint::by_status(&shown, status),
        word("method"),
        word("path"),
        line["milliseconds"]
    );
    for (sign, key) in [('>', "sent"), ('<', "answered")].into_iter().filter(|_| bodies) {
        let body = &line[key];
        let (whole, begun) = (&body["json"], body["text"].as_str());
        let written = match begun {
            Some(begun) => {
                let rest =
                    if body["isWhole"] == false { format!(" … {} bytes", body["length"]) } else { String::new() };
                format!("{begun}{rest}")
            }
            None if whole.is_null() => continue,
            None => serde_json::to_string_pretty(whole).unwrap_or_default(),
        };
        for row in printable(&written).lines() {
            // A string takes everything.
            writeln!(text, "    {sign} {row}").unwrap_or_default();
        }
    }
    text
}
