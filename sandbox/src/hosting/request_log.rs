//! The latest requests to a world, one line each, for looking back.
//!
//! Invariant: bounded, and free of secrets: no headers and no bodies are kept, and the token in a journey's link is masked
//! (`target_of`). Lines own their text: a piece of the request would keep the connection's whole buffer alive. Absent on
//! purpose: how long an answer took, which no repetition would repeat.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::uri::PathAndQuery;
use axum::http::{Method, Uri};
use sim::ids::PartnerId;

use crate::hosting::transport::TransportTime;

/// One request with its answer's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// The `request-id` of the answer.
    pub id: u64,
    /// Whose token it showed, if it showed one.
    pub partner: Option<PartnerId>,
    /// Transport time of the answer.
    pub at: TransportTime,
    /// Method.
    pub method: Method,
    /// Path and query, without secrets.
    pub target: Box<str>,
    /// Status of the answer; `None` when the connection was dropped instead.
    pub status: Option<u16>,
}

/// The target of a request as it may be written down: path and query, the token of a journey's link masked.
#[must_use]
pub fn target_of(uri: &Uri) -> Box<str> {
    let target = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let Some(rest) = target.strip_prefix(JOURNEY_LINKS) else { return Box::from(target) };
    let after = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    format!("{JOURNEY_LINKS}***{after}").into_boxed_str()
}

/// Where the links of journeys live; what follows is secret.
const JOURNEY_LINKS: &str = "/journey/";

/// The last requests of a world.
#[derive(Debug)]
pub struct RequestLog {
    pages: Mutex<Pages>,
}

#[derive(Debug)]
struct Pages {
    kept: usize,
    total: u64,
    lines: VecDeque<LoggedRequest>,
}

impl RequestLog {
    /// An empty request log that keeps at most `kept` requests.
    #[must_use]
    pub fn new(kept: usize) -> Self {
        Self { pages: Mutex::new(Pages { kept, total: 0, lines: VecDeque::new() }) }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request.
    pub fn note(&self, request: LoggedRequest) {
        let mut pages = self.pages();
        pages.total += 1;
        pages.lines.push_back(request);
        pages.trim();
    }

    /// Changes how many are kept.
    pub fn keep(&self, kept: usize) {
        let mut pages = self.pages();
        pages.kept = kept;
        pages.trim();
    }

    /// How many there have been, and the last `most` of them, newest first.
    #[must_use]
    pub fn last(&self, most: usize) -> (u64, Vec<LoggedRequest>) {
        let pages = self.pages();
        (pages.total, pages.lines.iter().rev().take(most).cloned().collect())
    }
}

impl Pages {
    fn trim(&mut self) {
        while self.lines.len() > self.kept {
            self.lines.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_requests_are_kept_and_all_are_counted() {
        let request_log = RequestLog::new(2);
        for id in 1..=3 {
            let target = target_of(&Uri::from_static("/ping"));
            request_log.note(LoggedRequest {
                id,
                partner: None,
                at: TransportTime(0),
                method: Method::GET,
                target,
                status: Some(200),
            });
        }
        let (total, lines) = request_log.last(10);
        assert_eq!((total, lines.iter().map(|line| line.id).collect::<Vec<_>>()), (3, vec![3, 2]));
        request_log.keep(0);
        assert_eq!(request_log.last(10), (3, vec![]));
    }

    #[test]
    fn the_token_of_a_journeys_link_is_never_written_down() {
        for (target, written) in [
            ("/ping", "/ping"),
            ("/v2/partner/client?limit=1", "/v2/partner/client?limit=1"),
            ("/journey/s3cr3t", "/journey/***"),
            ("/journey/s3cr3t/kyc?lang=sv", "/journey/***/kyc?lang=sv"),
            ("/journey/s3cr3t?lang=sv", "/journey/***?lang=sv"),
        ] {
            assert_eq!(&*target_of(&Uri::from_static(target)), written);
        }
    }
}
