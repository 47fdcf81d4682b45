//! What was said in a run, as stable text.
//!
//! Owns: the form of transcripts, the masks over secrets, the digest. Invariant: two runs that exchange the same bodies at
//! the same business instants have the same text, whatever carried them: ports, addresses, request numbers, dates of
//! answers and everything made by the server's key stay out. An update is told by what changed; the digest covers every
//! byte. Absent on purpose: judging.

mod moments;

pub use moments::{Moment, What};

use crate::diagnostic::printable;
use moments::Moments;
use serde_json::Value as Json;
use siphasher::sip128::{Hasher128 as _, SipHasher13};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::Hasher as _;

/// Lines of history that a failure shows.
const HISTORY: usize = 8;
/// Due things told one by one after a move of the clock.
const MOST_HAPPENINGS: usize = 40;

/// The growing text of a run.
pub struct Transcript {
    text: String,
    exact: SipHasher13,
    masks: Vec<(String, String)>,
    history: Vec<String>,
    /// The words of all that was said so far: what they name is of interest when something happens to it.
    said: BTreeSet<String>,
    /// Nobody reads it.
    unread: bool,
    /// Lines so far.
    lines: usize,
    moments: Moments,
}

/// Something that came due on the way of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When.
    pub at: String,
    /// What, in the server's words.
    pub what: String,
    /// To which resource, if to one.
    pub resource: String,
}

impl Happening {
    /// Whether it may have moved orders or accounts that it does not name: prices come and go without moving anything.
    #[must_use]
    pub fn concerns_many(&self) -> bool {
        self.what != "price published"
    }
}

impl Default for Transcript {
    fn default() -> Self {
        Self {
            text: String::new(),
            exact: SipHasher13::new(),
            masks: Vec::new(),
            history: Vec::new(),
            said: BTreeSet::new(),
            unread: false,
            lines: 0,
            moments: Moments::default(),
        }
    }
}

impl Transcript {
    /// A transcript of which only the digest is wanted; it masks nothing.
    pub(crate) fn unread() -> Self {
        Self { unread: true, ..Self::default() }
    }

    /// From here on `secret` is shown as `name`.
    pub fn mask(&mut self, secret: &str, name: &str) {
        if !self.unread && !secret.is_empty() && !self.masks.iter().any(|(known, _)| known == secret) {
            self.masks.push((secret.to_owned(), name.to_owned()));
            // Longer ones first: a secret may hold another one.
            self.masks.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        }
    }

    fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.masks.iter().fold(Cow::Borrowed(text), |text, (secret, name)| {
            if text.contains(secret.as_str()) { Cow::Owned(masked(&text, secret, name)) } else { text }
        })
    }

    fn line(&mut self, line: &str) {
        let line = self.masked(line).into_owned();
        self.exact.write(line.as_bytes());
        if !self.unread {
            let line = printable(line.trim_end());
            self.lines += 1 + line.matches('\n').count();
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    fn say(&mut self, text: &str) {
        if !self.unread {
            let text = self.masked(text).into_owned();
            for word in words(&text) {
                if !self.said.contains(word) {
                    self.said.insert(word.to_owned());
                }
            }
        }
    }

    /// Whether the story has named `resource`: as a word of its own, since three letters of a currency may well stand
    /// inside a token that the server's key has made.
    fn has_named(&self, resource: &str) -> bool {
        words(resource).all(|word| self.said.contains(word))
    }

    fn remember(&mut self, line: String) {
        if self.unread {
            return;
        }
        if self.history.len() == HISTORY {
            self.history.remove(0);
        }
        let line = self.masked(&line).into_owned();
        self.history.push(line);
    }

    /// The first lines: which story, which world.
    pub fn title(&mut self, title: &str, world: &str) {
        self.line(title);
        self.line(world);
    }

    /// A step begins at a business instant.
    pub fn step(&mut self, now: &str, step: &str) {
        self.text.push('\n');
        self.lines += 1;
        if !self.unread {
            let step = self.masked(step).into_owned();
            self.moments.step(self.lines, now, &step);
        }
        self.line(&format!("{now}  {step}"));
    }

    /// A request goes out.
    pub fn asked(&mut self, now: &str, who: &str, method: &str, path: &str, body: &str) {
        self.say(path);
        self.say(body);
        let who = if who.is_empty() { String::new() } else { format!("[{who}] ") };
        if !self.unread {
            let asked = self.masked(&format!("{who}{method} {path}")).into_owned();
            self.moments.asked(self.lines, now, &asked);
        }
        self.line(&format!("  > {who}{method} {path} {body}"));
        self.remember(format!("{now}  {who}{method} {path}"));
    }

    /// Its answer comes in; `shown` of its `body` is told, the digest takes in all.
    pub fn answered(&mut self, now: &str, status: u16, shown: &str, body: &str) {
        let exact = self.masked(body).into_owned();
        self.exact.write(exact.as_bytes());
        self.say(shown);
        if !self.unread {
            self.moments.answered(self.lines, now, status, &exact);
        }
        self.line(&format!("  < {status} {shown}"));
        let short: String = shown.chars().take(100).collect();
        self.remember(format!("{now}    answered {status} {short}"));
    }

    /// No answer comes in. The reason differs between networks and stays out.
    pub fn unanswered(&mut self, now: &str) {
        self.line("  < no answer");
        self.remember(format!("{now}    no answer"));
    }

    /// A frame arrives on a socket.
    pub fn frame(&mut self, now: &str, socket: &str, frame: &Json) {
        let exact = self.masked(&frame.to_string()).into_owned();
        self.exact.write(exact.as_bytes());
        if self.unread {
            return;
        }
        let socket = if socket.is_empty() { String::new() } else { format!("[{socket}] ") };
        let told = tell(frame);
        self.moments.frame(self.lines, now, frame);
        self.line(&format!("  * {socket}{told}"));
        self.remember(format!("{now}  {socket}{}", brief(frame)));
    }

    /// A post to the partner's own server is taken.
    pub fn posted(&mut self, now: &str, path: &str, kind: &str, body: &Json) {
        let exact = self.masked(&body.to_string()).into_owned();
        self.exact.write(exact.as_bytes());
        let told = if kind.is_empty() { body.to_string() } else { tell_event(kind, "", body) };
        if !self.unread {
            let what = self.masked(format!("{path} {kind}").trim_end()).into_owned();
            self.moments.posted(self.lines, now, &what);
        }
        self.line(&format!("  @ {path} {told}"));
        self.remember(format!("{now}  posted to {path}"));
    }

    /// A socket ended.
    pub fn ended(&mut self, socket: &str, how: &str) {
        let socket = if socket.is_empty() { String::new() } else { format!("[{socket}] ") };
        self.line(&format!("  * {socket}{how}"));
    }

    /// The clock has moved, and this happened on the way. What concerns a resource that the story has named is told, the
    /// rest is counted; the digest covers all.
    pub fn moved(&mut self, to: &str, happened: &[Happening]) {
        let mut told = 0;
        for it in happened {
            let line = format!("  ~ {}  {} {}", it.at, it.what, it.resource);
            if told < MOST_HAPPENINGS && (it.resource.is_empty() || self.has_named(&it.resource)) {
                told += 1;
                if !self.unread {
                    self.moments.due(self.lines, &it.at, &format!("{} {}", it.what, it.resource));
                }
                self.line(&line);
            } else {
                self.exact.write(line.as_bytes());
            }
        }
        if happened.len() > told {
            self.line(&format!("  ~ and {} things that do not concern this story", happened.len() - told));
        }
        if !self.unread {
            self.moments.moved(self.lines, to);
        }
        self.line(&format!("  = {to}"));
        self.remember(format!("{to}  the clock stands here"));
    }

    /// A remark.
    pub fn note(&mut self, note: &str) {
        self.line(&format!("  {note}"));
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What can be drawn of it, in order of simulated time.
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        self.moments.in_order()
    }

    /// A fingerprint of every byte exchanged, masks applied.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.exact.finish128().as_u128()
    }

    /// The last requests, answers, events and moves.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }
}

/// A frame in one line: created and deleted resources whole, updates by their differences.
fn tell(frame: &Json) -> String {
    let kind = frame.get("eventType").and_then(Json::as_str).unwrap_or("?");
    let id = frame.get("eventId").and_then(Json::as_str).unwrap_or("");
    match frame.get("payload").filter(|payload| payload.get("current").or_else(|| payload.get("previous")).is_some()) {
        Some(payload) => tell_event(kind, &format!("{id} "), payload),
        None => frame.to_string(),
    }
}

/// An event's payload: created and deleted resources whole, updates by their differences.
fn tell_event(kind: &str, id: &str, payload: &Json) -> String {
    match (payload.get("current"), payload.get("previous")) {
        (Some(current), Some(previous)) => {
            let resource = current.get("id").and_then(Json::as_str).unwrap_or("");
            format!("{kind} {id}{resource} {}", differences(previous, current))
        }
        (Some(resource), None) | (None, Some(resource)) => format!("{kind} {id}{resource}"),
        (None, None) => format!("{kind} {id}{payload}"),
    }
}

fn differences(previous: &Json, current: &Json) -> String {
    let mut out = Vec::new();
    differ("", previous, current, &mut out);
    if out.is_empty() { "nothing changed".to_owned() } else { out.join(", ") }
}

fn differ(path: &str, previous: &Json, current: &Json, out: &mut Vec<String>) {
    if previous == current {
        return;
    }
    if let (Json::Object(before), Json::Object(after)) = (previous, current) {
        let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        for (key, value) in after {
            match before.get(key) {
                Some(old) => differ(&below(key), old, value, out),
                None => out.push(format!("{} added {value}", below(key))),
            }
        }
        for (key, value) in before.iter().filter(|(key, _)| !after.contains_key(*key)) {
            out.push(format!("{} gone, was {value}", below(key)));
        }
        return;
    }
    out.push(format!("{path} {previous} -> {current}"));
}

/// An event in a few words.
#[must_use]
pub fn brief(frame: &Json) -> String {
    let kind = frame.get("eventType").and_then(Json::as_str).unwrap_or("?");
    let resource = frame.pointer("/payload/current").or_else(|| frame.pointer("/payload/previous"));
    let word =
        |key: &str| resource.and_then(|it| it.get(key)).map(|value| format!(" {key} {}", crate::matching::show(value)));
    let words: Vec<_> =
        ["status", "transactionType", "balance", "aborted", "id"].iter().filter_map(|key| word(key)).collect();
    if words.is_empty() { frame.to_string() } else { format!("{kind}:{}", words.concat()) }
}

/// The first lines in which two transcripts differ, side by side, or `None` when they are equal.
#[must_use]
pub fn first_difference(expected: &str, got: &str) -> Option<String> {
    const AROUND: usize = 2;
    const SHOWN: usize = 6;
    if expected == got {
        return None;
    }
    let (left, right): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let at = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    for line in &left[at.saturating_sub(AROUND)..at] {
        out.push_str(&format!("      {:>4}   {line}\n", "="));
    }
    for (sign, lines) in [("-", &left), ("+", &right)] {
        let end = lines.len().min(at + SHOWN / 2);
        for (offset, line) in lines[at.min(end)..end].iter().enumerate() {
            out.push_str(&format!("      {:>4} {sign} {line}\n", at + offset + 1));
        }
        if at >= lines.len() {
            out.push_str(&format!("      {:>4} {sign} (ends here)\n", at + 1));
        }
    }
    Some(out)
}

/// A secret of fewer characters may well stand inside another word, and is masked as a whole word only.
const LONG: usize = 8;

/// `text` with `name` wherever `secret` stands.
fn masked(text: &str, secret: &str, name: &str) -> String {
    let ends =
        |outside: Option<char>, inside: Option<char>| !outside.is_some_and(of_word) || !inside.is_some_and(of_word);
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in text.match_indices(secret) {
        let end = at + secret.len();
        let begins = ends(text[..at].chars().next_back(), secret.chars().next());
        let is_whole = begins && ends(text[end..].chars().next(), secret.chars().next_back());
        if is_whole || secret.len() >= LONG {
            out.extend([&text[rest..at], name]);
            rest = end;
        }
    }
    out.push_str(&text[rest..]);
    out
}

const fn of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The words of a text; ids and numbers of days are words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !of_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_is_masked_where_it_stands_as_a_whole() {
        for (text, told) in [
            ("{\"token\":\"ab\"}", "{\"token\":\"*\"}"),
            ("Bearer ab", "Bearer *"),
            ("cab abc ab-1 ab", "cab abc ab-1 *"),
            ("/journey/ab?x=1", "/journey/*?x=1"),
        ] {
            assert_eq!(masked(text, "ab", "*"), told);
        }
        assert_eq!(masked("http://h:1/x", "http://h:1", "{receiver}"), "{receiver}/x");
    }

    #[test]
    fn updates_are_told_by_what_changed_and_the_digest_sees_the_rest() {
        let frame = |colour: &str| {
            json!({
                "eventType": "order.update", "eventId": "e-1",
                "payload": {
                    "current": { "id": "o-1", "status": "sent", "colour": colour, "deep": { "a": 1 } },
                    "previous": { "id": "o-1", "status": "pending", "colour": colour, "deep": { "a": 2 } },
                },
            })
        };
        let run = |colour| {
            let mut transcript = Transcript::default();
            transcript.frame("now", "", &frame(colour));
            (transcript.text().to_owned(), transcript.digest())
        };
        let (red, blue) = (run("red"), run("blue"));
        assert_eq!(red.0, "  * order.update e-1 o-1 status \"pending\" -> \"sent\", deep.a 2 -> 1\n");
        assert_eq!(red.0, blue.0);
        assert_ne!(red.1, blue.1);
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        let mut transcript = Transcript::default();
        transcript.mask("abcdefgh", "{short}");
        transcript.mask("abcdefghij", "{long}");
        transcript.mask("ac", "{word}");
        let body = "{\"a\":\"abcdefghij\",\"b\":\"xabcdefghx\",\"c\":\"ac account\"}";
        transcript.answered("now", 200, body, body);
        let masked = "  < 200 {\"a\":\"{long}\",\"b\":\"x{short}x\",\"c\":\"{word} account\"}\n";
        assert_eq!(transcript.text(), masked);
    }

    #[test]
    fn a_story_names_a_resource_by_a_word_of_its_own_and_never_by_letters_of_a_token() {
        let named = |body: &str| {
            let mut transcript = Transcript::default();
            transcript.mask("kept-EUR", "{token}");
            transcript.answered("now", 200, body, body);
            let happening =
                Happening { at: "then".into(), what: "exchange rate published".into(), resource: "EUR".into() };
            transcript.moved("later", &[happening]);
            !transcript.text().contains("do not concern")
        };
        for body in [r#"{"currency":"EUR"}"#, "GET /currency/EUR", "EUR", "XEUR EUR"] {
            assert!(named(body), "{body} names it");
        }
        for body in [r#"{"token":"aEURb"}"#, r#"{"token":"x-EUR"}"#, "EUR_1", r#"{"token":"kept-EUR"}"#, ""] {
            assert!(!named(body), "{body} does not name it");
        }
    }

    #[test]
    fn the_first_difference_is_shown_with_what_stands_before_it() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        let shown = first_difference("a\nb\nc\nd", "a\nb\nx").expect("they differ");
        assert_eq!(shown, "         =   a\n         =   b\n         3 - c\n         4 - d\n         3 + x\n");
    }
}
