//! Steps that ask the application under test, and what it does beside the story.
//!
//! Invariant: a request is sent once, unless the step expects something of a read, which is sent again until it is so or its time is
//! over; before the application is asked, the sandbox has delivered what is due. Absent on purpose: waiting itself, and how the application is
//! reached (`drivers::application`).

use super::joined_world::{JoinedWorld, MOST_SHOWN};
use super::outcome::{StepResult, Trouble};
use super::session::{JsonResponse, OutgoingRequest, Session, ShownPart};
use crate::drivers::application::Patience;
use crate::drivers::{From, Request};
use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method};
use language::ast::{Actor, ApplicationRequest, StoryStep, Tries};
use language::matching;
use language::template::fill_text;
use serde_json::Value as Json;
use std::time::Duration;

/// Whom a transcript shows for the application.
const APPLICATION: &str = "to the application";
/// The resource of events that are about none.
const NOTHING: &str = "00000000-0000-0000-0000-000000000000";
/// Letters of a body that are shown.
const MOST_LETTERS: usize = 160;
/// Requests that the log is asked for.
const ASKED: usize = 200;

impl Session {
    /// Sends what a step sends to the application, and judges its answer.
    pub(super) async fn ask_application(&mut self, step: &StoryStep, asked: &ApplicationRequest) -> StepResult {
        let whole = match asked.tries {
            Tries::Once => self.driver.patience(),
            Tries::Until(within) => within,
        };
        let request = self.request_to_application(asked)?;
        self.deliver_what_is_due(whole.min(Tries::USUAL)).await;
        let (method, path) = (request.method.to_string(), request.path.clone());
        let sent = String::from_utf8_lossy(&request.body).into_owned();
        self.transcript.asked(&self.now, APPLICATION, &method, &path, &sent);
        let mut patience = Patience::of(whole);
        loop {
            let left = patience.begin_try();
            let outcome = self.driver.call_application(request.clone(), left).await;
            let response = self.take_in(outcome.clone(), ShownPart::Nothing);
            let judged = self.judge(step, response.as_ref());
            if judged.is_err() && matches!(asked.tries, Tries::Until(_)) && patience.waits().await {
                continue;
            }
            let shown = self.take_in(outcome, ShownPart::All);
            let outcome = judged
                .map_err(|trouble| self.of_application(trouble, &method, &path, shown.as_ref(), asked, &patience));
            self.catch_up().await?;
            outcome?;
            return response.map_or(Ok(()), |response| self.save(&step.save, &response.body));
        }
    }

    /// What is sent, with names filled in.
    fn request_to_application(&mut self, asked: &ApplicationRequest) -> StepResult<Request> {
        let mut call = asked.call.clone();
        let url = self.driver.application().map(|application| application.url().to_owned()).unwrap_or_default();
        call.path = fill_text(&call.path, &self.names)?;
        if let Some(rest) = call.path.strip_prefix(&url).filter(|rest| !url.is_empty() && rest.starts_with('/')) {
            call.path = rest.to_owned();
        }
        if !call.path.starts_with('/') {
            return Err(Trouble::new(format!(
                "`{}` is neither a path nor an address of the application at {url}",
                call.path
            )));
        }
        let OutgoingRequest { method, path, headers: extra, body, .. } = self.prepare_application_call(&call)?;
        let mut headers = HeaderMap::new();
        if let Some((kind, _)) = &body {
            headers.insert(CONTENT_TYPE, value(kind)?);
        }
        for (name, text) in &extra {
            let key = HeaderName::from_bytes(name.as_bytes());
            headers.insert(key.map_err(|_| Trouble::new(format!("`{name}` is not a header name")))?, value(text)?);
        }
        let method = Method::from_bytes(method.as_bytes());
        let method = method.map_err(|_| Trouble::new(format!("`{}` is not a method", call.method)))?;
        let body = Bytes::from(body.map_or_else(String::new, |(_, text)| text));
        Ok(Request { from: From::Elsewhere, method, path, headers, body })
    }

    /// Waits until the sandbox has made every attempt to deliver that is due, at most for so long: what the application has got
    /// decides what it answers.
    async fn deliver_what_is_due(&mut self, most: Duration) {
        // What is still not delivered is shown where the application is not as expected.
        tokio::time::timeout(most, self.settle(Actor::default())).await.ok();
    }

    /// What was wrong with the application: how long it was asked, and what it answered last.
    fn of_application(
        &self,
        trouble: Trouble,
        method: &str,
        path: &str,
        answer: Option<&JsonResponse>,
        asked: &ApplicationRequest,
        patience: &Patience,
    ) -> Trouble {
        let answered = match answer {
            // Hidden before it is cut: a part of a secret is not known for one.
            Some(answer) => {
                let body = self.transcript.hidden(&matching::show(&answer.body));
                format!("answered {} {}", answer.status, shortened(&body))
            }
            None => format!("was not answered: {}", self.silence()),
        };
        let how = match asked.tries {
            Tries::Once => String::new(),
            Tries::Until(_) => format!(", asked {}", patience.spent()),
        };
        let what = format!("the application is not as expected{how}: {method} {path} {}", answered.trim_end());
        Trouble { what, ..trouble }
    }

    /// From here on the application's requests to the sandbox are shown.
    pub(super) async fn watch_application_from_here(&mut self) -> Result<(), String> {
        if self.joined.is_none() {
            return Ok(());
        }
        let log = self.own("GET", "requests?limit=1", &Json::Null).await?;
        let last = log["requests"][0]["requestId"].as_u64().unwrap_or_default();
        if let Some(application) = self.driver.application() {
            // Those before are not looked at.
            application.own_requests.retain(|id| *id > last);
            application.own_sockets.clear();
        }
        if let Some(joined) = &mut self.joined {
            joined.looked_at = last;
        }
        Ok(())
    }

    /// Writes down what the application has asked of the sandbox since the last look.
    pub(super) async fn watch_application(&mut self) {
        let Some(after) = self.joined.as_ref().map(|joined| joined.looked_at) else { return };
        let path = format!("requests?after={after}&limit={ASKED}");
        let Ok(log) = self.own("GET", &path, &Json::Null).await else { return };
        let mut lines = log["requests"].as_array().cloned().unwrap_or_default();
        lines.reverse();
        for line in lines {
            let id = line["requestId"].as_u64().unwrap_or_default();
            if let Some(joined) = &mut self.joined {
                joined.looked_at = joined.looked_at.max(id);
            }
            if self.is_own_request(id, &line) {
                continue;
            }
            let shown = logged_request(&line);
            self.transcript.observed(&shown);
            let shown = self.transcript.hidden(&shown);
            if let Some(joined) = &mut self.joined {
                joined.remember(shown);
            }
        }
    }

    /// Whether the story itself has sent a request of the log.
    fn is_own_request(&mut self, id: u64, line: &Json) -> bool {
        let Some(application) = self.driver.application() else { return true };
        if application.own_requests.remove(&id) {
            return true;
        }
        let path = line["path"].as_str().unwrap_or_default();
        if let Some(at) = application.own_sockets.iter().position(|own| own == path) {
            application.own_sockets.remove(at);
            return true;
        }
        let of_story = (line["method"].as_str().unwrap_or_default(), path);
        let found =
            application.unanswered.iter().position(|(method, path)| (method.as_str(), path.as_str()) == of_story);
        if let Some(at) = found.filter(|_| line["status"].is_null()) {
            application.unanswered.remove(at);
            return true;
        }
        false
    }

    /// What the application did and got last, for a step that failed; nothing where there is none.
    pub(super) async fn observed(&mut self) -> Vec<(String, Vec<String>)> {
        self.watch_application().await;
        let Some(requests) = self.joined.as_ref().map(JoinedWorld::requests) else { return Vec::new() };
        let mut found = vec![("the application's last requests to the sandbox".to_owned(), requests)];
        let receiver = self.driver.receiver().base();
        if let Ok(log) = self.own("GET", "deliveries?limit=40", &Json::Null).await {
            let rows = log["deliveries"].as_array().cloned().unwrap_or_default();
            let others = rows.iter().filter(|row| !row["url"].as_str().unwrap_or_default().starts_with(&receiver));
            let mut lines: Vec<_> =
                others.take(MOST_SHOWN).map(|row| self.transcript.hidden(&logged_delivery(row))).collect();
            lines.reverse();
            if lines.is_empty() {
                lines.push("nothing: it has no webhook, and no journey of its own has ended".to_owned());
            }
            found.push(("the last posts of the sandbox to the application".to_owned(), lines));
        }
        if let Ok(sockets) = self.own("GET", "sockets", &Json::Null).await {
            let all = sockets.as_array().map_or(0, Vec::len);
            let own = self.open_sockets();
            let others = all.saturating_sub(own);
            if others > 0 {
                let plural = if others == 1 { "" } else { "s" };
                found.push((
                    "event sockets of others than the story".to_owned(),
                    vec![format!("{others} socket{plural} open")],
                ));
            }
        }
        found
    }
}

fn value(text: &str) -> StepResult<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Trouble::new("a header has characters that a header does not allow"))
}

/// A request of the log on one line: what was sent, and what was answered.
fn logged_request(line: &Json) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or_default();
    let mut out = format!("{} {}", text("method"), text("path"));
    let is_shown = !text("path").ends_with("/auth/token");
    if !line["sent"].is_null() && is_shown {
        out = format!("{out} {}", logged_body(&line["sent"]));
    }
    let answered = match line["status"].as_u64() {
        None => "no answer: the connection was dropped".to_owned(),
        // What is read is seldom why something failed, and long.
        Some(status) if (200..300).contains(&status) && (text("method") == "GET" || !is_shown) => status.to_string(),
        Some(status) => format!("{status} {}", logged_body(&line["answered"])),
    };
    format!("{} -> {}", out.trim_end(), answered.trim_end())
}

fn logged_body(body: &Json) -> String {
    let text = match body.get("json") {
        Some(json) => json.to_string(),
        None => body["text"].as_str().unwrap_or_default().to_owned(),
    };
    shortened(&text)
}

/// A delivery on one line: what, where to, and how it was taken.
fn logged_delivery(row: &Json) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let last = row["attempts"].as_array().and_then(|attempts| attempts.last());
    let taken = match last {
        None => "not tried yet".to_owned(),
        Some(attempt) => match (attempt["status"].as_u64(), attempt["errorDescription"].as_str()) {
            (Some(status), _) => status.to_string(),
            (None, Some(why)) => why.to_owned(),
            (None, None) => attempt["error"].as_str().unwrap_or("no answer").to_owned(),
        },
    };
    let attempts = match row["attemptsMade"].as_u64().unwrap_or_default() {
        0 | 1 => String::new(),
        many => format!(" at attempt {many}"),
    };
    let what = if text("eventType").is_empty() { "callback" } else { text("eventType") };
    let of = match [text("resource"), text("journey")].into_iter().find(|id| !id.is_empty() && *id != NOTHING) {
        Some(id) => format!(" of {id}"),
        None => String::new(),
    };
    format!("{what}{of} to {} -> {taken}{attempts}, {}", text("url"), text("status"))
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    if text.chars().count() <= MOST_LETTERS {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(MOST_LETTERS).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_and_a_delivery_of_the_log_are_a_line_each() {
        let request = json!({ "method": "POST", "path": "/v2/x", "status": 400, "sent": { "json": { "amount": 1 } }, "answered": { "json": { "error": "e" } } });
        assert_eq!(logged_request(&request), "POST /v2/x {\"amount\":1} -> 400 {\"error\":\"e\"}");
        let made = json!({ "method": "POST", "path": "/v2/x", "status": 200, "sent": null, "answered": { "json": { "id": "o" } } });
        assert_eq!(logged_request(&made), "POST /v2/x -> 200 {\"id\":\"o\"}");
        let dropped = json!({ "method": "GET", "path": "/v2/x", "status": null, "sent": null, "answered": null });
        assert_eq!(logged_request(&dropped), "GET /v2/x -> no answer: the connection was dropped");
        let token = json!({ "method": "POST", "path": "/v2/partner/auth/token", "status": 200, "sent": { "text": "client_id=x" } });
        assert_eq!(logged_request(&token), "POST /v2/partner/auth/token -> 200");
        let delivery = json!({
            "eventType": "order.update", "resource": "o-1", "url": "http://a/events", "status": "delivered", "attemptsMade": 2,
            "attempts": [{ "status": 503 }, { "status": 200 }],
        });
        assert_eq!(logged_delivery(&delivery), "order.update of o-1 to http://a/events -> 200 at attempt 2, delivered");
        let unreachable = json!({
            "eventType": "order.update", "resource": "o-1", "url": "http://a/events", "status": "queued", "attemptsMade": 1,
            "attempts": [{ "status": null, "error": "unreachable", "errorDescription": "nothing accepted the connection" }],
        });
        assert!(logged_delivery(&unreachable).ends_with("-> nothing accepted the connection, queued"));
    }
}
