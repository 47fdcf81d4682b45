//! What is remembered of a world that a story shares with an application under test.
//!
//! Invariant: nothing here outlives the run. Absent on purpose: joining and leaving it (`session::joining`), and what the application is
//! asked (`application`).

use serde_json::Value as Json;

/// Requests of the application that a failure shows; deliveries to it likewise.
pub(super) const MOST_SHOWN: usize = 8;

/// What is remembered of a world that the story shares with the application.
#[derive(Default)]
pub(crate) struct JoinedWorld {
    /// What the settings were that the story has set.
    pub(crate) settings: Option<Json>,
    /// The last request of the log that was looked at.
    pub(crate) looked_at: u64,
    /// The application's last requests to the sandbox, as they are shown, each with how often it came in a row.
    requests: Vec<(String, usize)>,
}

impl JoinedWorld {
    /// Remembers a request of the application.
    pub(super) fn remember(&mut self, request: String) {
        if let Some((_, count)) = self.requests.last_mut().filter(|(last, _)| *last == request) {
            *count += 1;
            return;
        }
        if self.requests.len() == MOST_SHOWN {
            self.requests.remove(0);
        }
        self.requests.push((request, 1));
    }

    /// The application's last requests, a line each.
    pub(super) fn requests(&self) -> Vec<String> {
        if self.requests.is_empty() {
            return vec!["none since the story began".to_owned()];
        }
        let line = |(request, count): &(String, usize)| match count {
            1 => request.clone(),
            many => format!("{request}, {many} times"),
        };
        self.requests.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_come_again_and_again_are_one_line_with_how_often() {
        let mut joined = JoinedWorld::default();
        assert_eq!(joined.requests(), ["none since the story began"]);
        for request in ["a", "b", "b", "b"] {
            joined.remember(request.to_owned());
        }
        assert_eq!(joined.requests(), ["a", "b, 3 times"]);
        (0..MOST_SHOWN).for_each(|at| joined.remember(at.to_string()));
        assert_eq!(joined.requests().len(), MOST_SHOWN);
    }
}
