//! Whether a response is as the story expects it.
//!
//! Invariant: without an expectation any good response will do.

use super::outcome::{StepResult, Trouble};
use super::session::{JsonResponse, Session};
use language::ast::{ExpectedResponse, StoryStep};
use language::matching::{self, Mismatch};
use language::template::fill_text;
use serde_json::Value as Json;

impl Session {
    /// Whether the answer is as expected; without an expectation any good one is.
    pub(super) fn judge(&self, step: &StoryStep, answer: Option<&JsonResponse>) -> StepResult {
        let default = ExpectedResponse::default();
        let expected = step.expect.as_ref().unwrap_or(&default);
        let answer = match (answer, expected.no_answer) {
            (None, true) => return Ok(()),
            (None, false) => return Err(Trouble::new(self.silence())),
            (Some(answer), true) => {
                return Err(Trouble::new(format!("an answer came where none was expected: {}", answer.status)));
            }
            (Some(answer), false) => answer,
        };
        let mut mismatches = self.judge_status(expected, answer)?;
        if let Some(body) = &expected.body {
            let found = matching::compare(body, Some(&answer.body), &self.names)?;
            mismatches.extend(found.into_iter().map(|found| below("body", found)));
        }
        for (name, expected) in &expected.headers {
            let value = answer.headers.get(name).and_then(|value| value.to_str().ok());
            let value = value.map(|value| Json::String(value.to_owned()));
            let found = matching::compare(expected, value.as_ref(), &self.names)?;
            mismatches.extend(found.into_iter().map(|found| below(&format!("header {name}"), found)));
        }
        if let Some(because) = &expected.because {
            let because = fill_text(because, &self.names)?;
            let description = answer.body.get("error_description").and_then(Json::as_str).unwrap_or_default();
            if !matching::like(&because, description) {
                let path = "error_description".to_owned();
                mismatches.push(Mismatch {
                    path,
                    expected: format!("a text like {because}"),
                    got: description.to_owned(),
                });
            }
        }
        if mismatches.is_empty() {
            return Ok(());
        }
        let what = format!("the answer is not as expected: {} {}", answer.status, matching::show(&answer.body));
        Err(Trouble::compared(what, mismatches))
    }

    fn judge_status(&self, expected: &ExpectedResponse, answer: &JsonResponse) -> StepResult<Vec<Mismatch>> {
        let got = Json::from(answer.status);
        let mismatch =
            |expected: String| vec![Mismatch { path: "status".to_owned(), expected, got: answer.status.to_string() }];
        match &expected.status {
            Some(status) => {
                let found = matching::compare(status, Some(&got), &self.names)?;
                Ok(found.into_iter().map(|found| below("status", found)).collect())
            }
            None if answer.is_good() => Ok(Vec::new()),
            None => Ok(mismatch("any 2xx".to_owned())),
        }
    }
}

pub(super) fn below(prefix: &str, mut mismatch: Mismatch) -> Mismatch {
    mismatch.path = match mismatch.path.as_str() {
        "" => prefix.to_owned(),
        path if prefix.is_empty() => path.to_owned(),
        path if path.starts_with('[') => format!("{prefix}{path}"),
        path => format!("{prefix}.{path}"),
    };
    mismatch
}
