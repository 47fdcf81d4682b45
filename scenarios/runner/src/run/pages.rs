//! Expectations of the page in the customer's browser.
//!
//! Invariant: they look at what is there and fetch nothing.

use super::judge::below;
use super::outcome::{StepResult, Trouble};
use super::session::Session;
use language::ast::Expected;
use language::matching::{self, Mismatch};
use language::template::fill_text;
use page::Page;
use serde_json::Value as Json;

impl Session {
    /// That the page is as the words say; returns its facts.
    pub(super) fn expect_page(&self, wanted: &[(String, Expected)]) -> StepResult<Json> {
        let page = self.page()?;
        let facts = page.facts();
        let mut mismatches = Vec::new();
        for (word, expected) in wanted {
            match word.as_str() {
                "says" => self.check_words(page, word, expected, true, &mut mismatches)?,
                "does not say" => self.check_words(page, word, expected, false, &mut mismatches)?,
                _ => {
                    let found = matching::compare(expected, facts.get(word), &self.names)?;
                    mismatches.extend(found.into_iter().map(|found| below(word, with_names(found, facts.get(word)))));
                }
            }
        }
        if mismatches.is_empty() {
            return Ok(facts);
        }
        Err(Trouble::compared(format!("the page is not as expected: {}", page.brief()), mismatches))
    }

    /// Words that are on the page, or nowhere on it; of several, each for itself.
    fn check_words(
        &self,
        page: &Page,
        word: &str,
        expected: &Expected,
        wanted: bool,
        mismatches: &mut Vec<Mismatch>,
    ) -> StepResult {
        match expected {
            Expected::List(items) => {
                return items.iter().try_for_each(|item| self.check_words(page, word, item, wanted, mismatches));
            }
            Expected::Is(value) => {
                let text = match value {
                    Json::String(text) => fill_text(text, &self.names)?,
                    other => other.to_string(),
                };
                if page.says(&text) != wanted {
                    let got = if wanted { page.nearest_line(&text) } else { page.line_with(&text) };
                    mismatches.push(Mismatch { path: word.to_owned(), expected: text, got });
                }
            }
            // Any other expectation is one of a single line.
            other => {
                let mut any = false;
                for line in page.lines() {
                    any = any || matching::matches(other, Some(&Json::String(line.clone())), &self.names)?;
                }
                if any != wanted {
                    let expected = format!("a line that is {}", matching::describe(other));
                    mismatches.push(Mismatch { path: word.to_owned(), expected, got: page.lines().join("\n") });
                }
            }
        }
        Ok(())
    }
}

/// Where a name is missing, the names that are there.
fn with_names(mut mismatch: Mismatch, facts: Option<&Json>) -> Mismatch {
    let names: Vec<_> = facts.and_then(Json::as_object).into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if mismatch.got == "nothing" && !names.is_empty() {
        mismatch.got = format!("nothing; there are: {}", names.join(", "));
    }
    mismatch
}
