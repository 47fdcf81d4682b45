//! What was exchanged in a run, as stable text.
//!
//! Owns: the lines of transcripts and their order, the digest. Invariant: two runs that exchange the same bodies at
//! the same business instants have the same text, whatever carried them: ports, addresses, request numbers, dates of
//! answers and everything made by the server's key stay out. A body is shown by what is new in it; the digest covers every
//! byte. Absent on purpose: judging.

mod body;
mod differences;
mod due;
mod exchanges;
mod masks;
mod moments;
mod wrap;

pub use due::Happening;
pub use exchanges::{Exchange, Exchanges};
pub use moments::{Moment, What};

use body::{BodyWriter, Known};
use language::diagnostic::printable;
use masks::{Masks, words};
use moments::Moments;
use serde_json::Value as Json;
use siphasher::sip128::{Hasher128 as _, SipHasher13};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::Hasher as _;

/// Lines of history that a failure shows.
const HISTORY: usize = 8;
/// Lines about due things after a move of the clock.
const MOST_DUE: usize = 40;

/// What is shown of an answer.
#[derive(Clone, Copy)]
pub enum Shown<'a> {
    /// Its body.
    Body(&'a Json),
    /// One field of its body.
    Part(&'a str, &'a Json),
    /// These words about it.
    Words(&'a str),
}

/// The growing text of a run.
pub struct Transcript {
    text: String,
    exact: SipHasher13,
    masks: Masks,
    known: Known,
    exchanges: Exchanges,
    history: Vec<String>,
    /// The words of all that was exchanged so far: what they name is of interest when something happens to it.
    words_so_far: BTreeSet<String>,
    /// Nobody reads it.
    unread: bool,
    /// Lines so far.
    lines: usize,
    moments: Moments,
}

impl Default for Transcript {
    fn default() -> Self {
        Self {
            text: String::new(),
            exact: SipHasher13::new(),
            masks: Masks::default(),
            known: Known::default(),
            exchanges: Exchanges::default(),
            history: Vec::new(),
            words_so_far: BTreeSet::new(),
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
        if !self.unread {
            self.masks.add(secret, name);
        }
    }

    fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.masks.applied(text)
    }

    /// Has the digest take in a text, masked; the masked text where somebody is to read the transcript.
    fn digested(&mut self, text: &str) -> Option<String> {
        let exact = self.masks.applied(text);
        self.exact.write(exact.as_bytes());
        (!self.unread).then(|| exact.into_owned())
    }

    fn line(&mut self, line: &str) {
        if let Some(line) = self.digested(line) {
            for line in wrap::wrapped(&printable(line.trim_end())) {
                self.lines += 1;
                self.text.push_str(&line);
                self.text.push('\n');
            }
        }
    }

    fn body_writer<'a>(&'a mut self, now: &'a str) -> BodyWriter<'a> {
        BodyWriter { known: &mut self.known, masks: &self.masks, now }
    }

    fn say(&mut self, text: &str) {
        if !self.unread {
            let text = self.masked(text).into_owned();
            for word in words(&text) {
                if !self.words_so_far.contains(word) {
                    self.words_so_far.insert(word.to_owned());
                }
            }
        }
    }

    /// Whether the story has named `resource`: as a word of its own, since three letters of a currency may well be inside a
    /// token that the server's key has made.
    fn has_named(&self, resource: &str) -> bool {
        words(resource).all(|word| self.words_so_far.contains(word))
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
        let label = if who.is_empty() { String::new() } else { format!("[{who}] ") };
        if !self.unread {
            let asked = self.masked(&format!("{label}{method} {path}")).into_owned();
            self.moments.asked(self.lines, now, &asked);
            self.exchanges.requests.push(Exchange {
                who: who.to_owned(),
                method: method.to_owned(),
                path: self.masked(path).into_owned(),
                sent: self.masked(body).into_owned(),
                status: None,
                answer: String::new(),
            });
        }
        self.line(&format!("  > {label}{method} {path} {body}"));
        self.remember(format!("{now}  {label}{method} {path}"));
    }

    /// As `answered`, of a transcript that nobody reads.
    pub(crate) fn answered_unread(&mut self, status: u16, body: &str) {
        debug_assert!(self.unread, "the answer is to be shown");
        self.exact.write(&status.to_be_bytes());
        self.digested(body);
    }

    /// Its answer comes in; `shown` of its `body` can be read, the digest takes in all.
    pub fn answered(&mut self, now: &str, status: u16, shown: Shown<'_>, body: &str) {
        self.exact.write(&status.to_be_bytes());
        let Some(exact) = self.digested(body) else { return };
        let whole = match shown {
            Shown::Body(_) => Cow::Borrowed(body),
            Shown::Part(name, value) => Cow::Owned(format!("{name} {value}")),
            Shown::Words(words) => Cow::Borrowed(words),
        };
        self.say(&whole);
        self.moments.answered(self.lines, now, status, &exact);
        let answer = self.masked(&whole).into_owned();
        if let Some(request) = self.exchanges.requests.last_mut() {
            (request.status, request.answer) = (Some(status), answer);
        }
        let line = match shown {
            Shown::Body(body) => {
                let request = self.exchanges.requests.last();
                let reads = request.filter(|it| it.method == "GET" && (200..300).contains(&status));
                let path = reads.map(|request| request.path.clone());
                let sent = request.and_then(|request| serde_json::from_str(&request.sent).ok()).unwrap_or_default();
                self.body_writer(now).answer(body, path.as_deref(), &sent)
            }
            Shown::Part(name, value) => format!("{name} {}", self.body_writer(now).value(value)),
            Shown::Words(words) => words.to_owned(),
        };
        self.line(&format!("  < {status} {line}"));
        let short: String = whole.chars().take(100).collect();
        self.remember(format!("{now}    answered {status} {short}"));
    }

    /// No answer comes in. The reason differs between networks and stays out.
    pub fn unanswered(&mut self, now: &str) {
        self.line("  < no answer");
        self.remember(format!("{now}    no answer"));
    }

    /// A frame arrives on a socket.
    pub fn frame(&mut self, now: &str, socket: &str, frame: &Json) {
        let Some(exact) = self.digested(&frame.to_string()) else { return };
        let socket = if socket.is_empty() { String::new() } else { format!("[{socket}] ") };
        let shown = self.body_writer(now).frame(frame);
        self.moments.frame(self.lines, now, frame);
        self.exchanges.events.push(exact);
        self.line(&format!("  * {socket}{shown}"));
        self.remember(format!("{now}  {socket}{}", brief(frame)));
    }

    /// As `frame`, of a transcript that nobody reads.
    pub(crate) fn frame_unread(&mut self, frame: &str) {
        debug_assert!(self.unread, "the frame is to be shown");
        self.digested(frame);
    }

    /// A post to the partner's own server is taken.
    pub fn posted(&mut self, now: &str, path: &str, kind: &str, body: &Json) {
        if self.digested(&body.to_string()).is_none() {
            return;
        }
        let shown = self.body_writer(now).event(body);
        let what = self.masked(format!("{path} {kind}").trim_end()).into_owned();
        self.moments.posted(self.lines, now, &what);
        self.line(&format!("  @ {what} {shown}"));
        self.remember(format!("{now}  posted to {path}"));
    }

    /// The application under test has asked the sandbox for something.
    pub fn observed(&mut self, request: &str) {
        self.say(request);
        self.line(&format!("  % {request}"));
    }

    /// A text with its secrets masked.
    #[must_use]
    pub fn hidden(&self, text: &str) -> String {
        self.masked(text).into_owned()
    }

    /// A socket ended.
    pub fn ended(&mut self, socket: &str, how: &str) {
        let socket = if socket.is_empty() { String::new() } else { format!("[{socket}] ") };
        self.line(&format!("  * {socket}{how}"));
    }

    /// The clock has moved, and this happened on the way. What concerns a resource that the story has named is shown, the
    /// rest is counted; the digest covers all.
    pub fn moved(&mut self, to: &str, happened: &[Happening]) {
        for it in happened {
            self.exact.write(format!("{} {} {}", it.at, it.what, it.resource).as_bytes());
        }
        let named: Vec<_> =
            happened.iter().filter(|it| it.resource.is_empty() || self.has_named(&it.resource)).collect();
        let mut lines = due::lines(&named);
        let more = lines.split_off(lines.len().min(MOST_DUE));
        for line in lines {
            let mut writer = self.body_writer(to);
            let resources: Vec<_> = line.resources.iter().map(|resource| writer.text(resource)).collect();
            if !self.unread {
                for it in &line.all {
                    self.moments.due(self.lines, &it.at, &format!("{} {}", it.what, it.resource));
                }
            }
            self.line(&format!("  ~ {}  {} {}", line.when, line.what, resources.join(", ")));
        }
        if !more.is_empty() {
            self.line(&format!("  ~ and {} more", more.iter().map(|line| line.all.len()).sum::<usize>()));
        }
        if happened.len() > named.len() {
            self.line(&format!("  ~ and {} things that do not concern this story", happened.len() - named.len()));
        }
        if !self.unread {
            self.moments.moved(self.lines, to);
        }
        self.line(&format!("  = {to}"));
        self.remember(format!("{to}  the clock stops here"));
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

    /// All requests, answers and events, whole.
    #[must_use]
    pub const fn exchanges(&self) -> &Exchanges {
        &self.exchanges
    }

    /// The last requests, answers, events and moves.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }
}

/// An event in a few words.
#[must_use]
pub fn brief(frame: &Json) -> String {
    let kind = frame.get("eventType").and_then(Json::as_str).unwrap_or("?");
    let resource = frame.pointer("/payload/current").or_else(|| frame.pointer("/payload/previous"));
    let word = |key: &str| {
        resource.and_then(|it| it.get(key)).map(|value| format!(" {key} {}", language::matching::show(value)))
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_nobody_reads_is_digested_as_what_could_be_shown() {
        let (text, mut one, mut other) = (r#"{"id":"a","amount":1.50}"#, Transcript::unread(), Transcript::unread());
        let value: Json = serde_json::from_str(text).expect("JSON");
        one.answered("now", 200, Shown::Body(&value), text);
        one.frame("now", "", &value);
        other.answered_unread(200, text);
        assert_ne!(one.digest(), other.digest());
        other.frame_unread(text);
        assert_eq!(one.digest(), other.digest());
    }

    #[test]
    fn updates_are_shown_by_their_changes_and_the_digest_covers_the_rest() {
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
        assert_eq!(red.0, "  * order.update e-1 o-1 status pending -> sent, deep.a 2 -> 1\n");
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
        transcript.answered("now", 200, Shown::Body(&serde_json::from_str(body).expect("JSON")), body);
        let masked = "  < 200 {a \"{long}\", b \"x{short}x\", c \"{word} account\"}\n";
        assert_eq!(transcript.text(), masked);
    }

    #[test]
    fn a_story_names_a_resource_by_a_word_of_its_own_and_never_by_letters_of_a_token() {
        let named = |body: &str| {
            let mut transcript = Transcript::default();
            transcript.mask("kept-EUR", "{token}");
            transcript.answered("now", 200, Shown::Words(body), body);
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
    fn the_first_difference_is_shown_with_the_lines_before_it() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        let shown = first_difference("a\nb\nc\nd", "a\nb\nx").expect("they differ");
        assert_eq!(shown, "         =   a\n         =   b\n         3 - c\n         4 - d\n         3 + x\n");
    }
}
