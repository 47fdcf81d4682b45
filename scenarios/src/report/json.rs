//! Results for scripts: one object.

use super::{totals, word};
use crate::runner::suite::FileResult;
use serde_json::{Value as Json, json};

/// `{"passed","failed","skipped","files":[{"file","outcome","digest","simulatedSeconds"}]}`.
#[must_use]
pub fn results(results: &[FileResult]) -> Json {
    let totals = totals(results);
    let files: Vec<_> = results.iter().map(file).collect();
    json!({ "passed": totals.passed, "failed": totals.failed, "skipped": totals.skipped, "files": files })
}

fn file(result: &FileResult) -> Json {
    json!({
        "file": result.path.display().to_string(),
        "outcome": word(&result.outcome),
        "digest": format!("{:032x}", result.digest),
        "simulatedSeconds": result.simulated_ms / 1000,
    })
}
