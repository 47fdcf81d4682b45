//! Results for scripts: one object.

use super::{capsules, repeat_command, tally, totals, word};
use crate::foreign::{Count, Tally};
use crate::suite::{Fault, FileResult, StoryOutcome};
use language::matching::Mismatch;
use serde_json::{Map, Value as Json, json};

/// `{"passed","failed","skipped","files":[{"file","title","outcome","digest","simulatedSeconds","seed","driver"}]}`; a file that
/// was skipped has `reason`, one that failed `failures`, `again` and, where they were
/// asked for, `capsules`; and one that is the
/// recording of a session of which something is missing, `incomplete`. Of a server that is no fundsim also `conformance`: what was asked of it, by chapter.
#[must_use]
pub fn results(results: &[FileResult], url: Option<&str>) -> Json {
    let totals = totals(results);
    let files: Vec<_> = results.iter().map(|result| file(result, url)).collect();
    let mut shown =
        json!({ "passed": totals.passed, "failed": totals.failed, "skipped": totals.skipped, "files": files });
    if let Some(tally) = tally(results) {
        shown["conformance"] = conformance(&tally);
    }
    shown
}

/// `{"steps","chapters":{name:steps},"skipped":{reason:count}}`, with steps as `{"held","broken","skipped"}`.
#[must_use]
pub fn conformance(tally: &Tally) -> Json {
    let steps = |Count { held, broken, skipped }| json!({ "held": held, "broken": broken, "skipped": skipped });
    let chapters: Map<_, _> = tally.chapters().map(|(name, count)| (name.to_owned(), steps(count))).collect();
    let skipped: Map<_, _> =
        tally.reasons().map(|(reason, count)| (reason.words().to_owned(), Json::from(count))).collect();
    json!({ "steps": steps(tally.total()), "chapters": chapters, "skipped": skipped })
}

fn file(result: &FileResult, url: Option<&str>) -> Json {
    let mut shown = json!({
        "file": result.path.display().to_string(),
        "title": result.title,
        "outcome": word(&result.outcome),
        "digest": format!("{:032x}", result.digest),
        "simulatedSeconds": result.simulated_ms / 1000,
        "seed": result.seed,
        "driver": result.driver,
    });
    if let Some(missing) = &result.incomplete {
        shown["incomplete"] = missing.as_str().into();
    }
    if let Some(tally) = &result.tally {
        shown["conformance"] = conformance(tally);
    }
    match &result.outcome {
        StoryOutcome::Passed => {}
        StoryOutcome::Skipped(why) => shown["reason"] = why.as_str().into(),
        StoryOutcome::Failed(faults) => {
            shown["failures"] = faults.iter().flat_map(failures).collect();
            shown["again"] = repeat_command(result, url).into();
            let capsules: Vec<_> = capsules(result).map(|file| file.display().to_string()).collect();
            if !capsules.is_empty() {
                shown["capsules"] = capsules.into();
            }
        }
    }
    shown
}

/// What is wrong, each with `kind` and `reason`; with `place`, `example`, `expected` and `got` where there are such.
fn failures(fault: &Fault) -> Vec<Json> {
    let of = |kind: &str, reason: &str| json!({ "kind": kind, "reason": reason });
    match fault {
        Fault::Step { example, failure } => {
            let mut shown = of("expectation", &failure.what);
            shown["step"] = failure.step.as_str().into();
            if let Some(place) = &failure.place {
                shown["place"] = json!({ "file": &*place.path, "line": place.line, "column": place.column });
            }
            if let Some(example) = example {
                shown["example"] = example.as_str().into();
            }
            let side =
                |Mismatch { path, expected, got }: &Mismatch| json!({ "path": path, "expected": expected, "got": got });
            shown["mismatches"] = failure.mismatches.iter().map(side).collect();
            shown["before"] = failure.history.as_slice().into();
            if !failure.application.is_empty() {
                let of = |(heading, lines): &(String, Vec<String>)| (heading.clone(), Json::from(lines.as_slice()));
                shown["application"] = failure.application.iter().map(of).collect::<Map<_, _>>().into();
            }
            if !failure.why.is_empty() {
                shown["why"] = failure.why.iter().cloned().collect::<serde_json::Map<_, _>>().into();
            }
            vec![shown]
        }
        Fault::Twice(difference) => vec![of("repetition", difference)],
        Fault::Golden { path, difference } => {
            let mut shown = of("transcript", difference);
            shown["place"] = json!({ "file": path.display().to_string() });
            vec![shown]
        }
        Fault::Broken(why) => vec![of("broken", why)],
        Fault::Unreadable(faults) => faults
            .iter()
            .map(|fault| {
                let mut shown = of("unreadable", &fault.message);
                shown["place"] =
                    json!({ "file": &*fault.source.path, "line": fault.span.line, "column": fault.span.column });
                shown["hint"] = fault.hint.as_deref().into();
                shown
            })
            .collect(),
    }
}
