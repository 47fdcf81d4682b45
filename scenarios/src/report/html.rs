//! Results on one page that can be mailed: no script, nothing fetched.

use super::{printable, repeat_command, text, totals, word};
use crate::runner::suite::{FileResult, Outcome};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } ul { list-style: none; padding: 0 }
li { border-top: 1px solid #8886; padding: .6rem 0 }
.word { display: inline-block; min-width: 4.5rem; font-weight: 600 }
.passed .word { color: #1a7f37 } .failed .word { color: #cf222e } .skipped .word { color: #9a6700 }
@media (prefers-color-scheme: dark) {
  .passed .word { color: #57ab5a } .failed .word { color: #ff7b72 } .skipped .word { color: #d4a72c }
}
small { opacity: .8 } pre { overflow-x: auto; background: #8881; padding: .8rem; border-radius: .4rem; font-size: .85rem }
";

/// The page.
#[must_use]
pub fn page(results: &[FileResult], url: Option<&str>) -> String {
    let totals = totals(results);
    let head = format!("{} passed, {} failed", totals.passed, totals.failed);
    let driver = results.first().map_or("", |result| result.driver);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "fundsim run: " (head) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (head) @if totals.skipped > 0 { ", " (totals.skipped) " not for this driver" } }
                    p { small { "Driver " (driver) ". Every story was played twice and compared with itself." } }
                    @let failed = results.iter().filter(|result| matches!(result.outcome, Outcome::Failed(_)));
                    @let others = || results.iter().filter(|result| !matches!(result.outcome, Outcome::Failed(_)));
                    ul { @for result in failed { (file(result, url)) } }
                    @if others().next().is_some() {
                        details open[totals.failed == 0] {
                            summary { (totals.passed) " passed" @if totals.skipped > 0 { ", " (totals.skipped) " not for this driver" } }
                            ul { @for result in others() { (file(result, url)) } }
                        }
                    }
                }
            }
        }
    }
    .into_string();
    printable(&page)
}

fn file(result: &FileResult, url: Option<&str>) -> Markup {
    let word = word(&result.outcome);
    html! {
        li class=(word) {
            span.word { (word) } " " (result.title) br;
            small { (result.path.display()) " · seed " (result.seed) " · " (text::span(result.simulated_ms)) " simulated" }
            @match &result.outcome {
                Outcome::Passed => {},
                Outcome::Skipped(why) => p { (why) },
                Outcome::Failed(faults) => {
                    @for fault in faults { pre { (text::fault(fault).trim_matches('\n')) } }
                    p { "Again: " code { (repeat_command(result, url)) } }
                },
            }
            // Thousands of stories on one page stay light: a story that passed says what its golden says.
            @if !result.transcript.is_empty() && word == "failed" {
                details {
                    summary { "Transcript" }
                    pre { (result.transcript) }
                }
            }
        }
    }
}
