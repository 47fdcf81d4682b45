//! Results for continuous integration: JUnit XML, written by the library.
//!
//! Invariant: the totals at the root and of each suite are those of the cases in it, and there is a case for every run of a
//! story: one a row of its examples.

use super::text::Whys;
use super::{printable, repeat_command, tally, text};
use crate::foreign::{Count, Tally};
use crate::suite::{Fault, FileResult, StoryOutcome, StoryRun};
use indexmap::IndexMap;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use rustc_hash::FxBuildHasher;
use std::io;
use std::time::Duration;

/// The results as JUnit XML: a suite a folder, a case a run.
///
/// # Errors
/// When the library cannot write them.
pub fn xml(results: &[FileResult], url: Option<&str>) -> io::Result<String> {
    let mut folders = IndexMap::<String, Vec<&FileResult>, FxBuildHasher>::default();
    for result in results {
        let folder = result.path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        folders.entry(folder).or_default().push(result);
    }
    let mut report = Report::new("fundsim run");
    report.set_time(took(results));
    for (folder, results) in folders {
        let mut suite = TestSuite::new(printable(&folder));
        suite.set_time(took(results.iter().copied()));
        for result in results {
            suite.add_test_cases(cases(result, url));
        }
        report.add_test_suite(suite);
    }
    if let Some(tally) = tally(results) {
        report.add_test_suite(chapters(&tally));
    }
    report.to_string().map_err(io::Error::other)
}

/// A case for each chapter of the API that a server was held to; what broke is a failure of its story, and no second one here.
fn chapters(tally: &Tally) -> TestSuite {
    let mut suite = TestSuite::new("chapters of the API");
    for (chapter, Count { held, broken, skipped }) in tally.chapters() {
        let summary = format!("{held} steps held, {broken} did not, {skipped} could not be asked");
        let status = if (held, broken) == (0, 0) {
            let mut status = TestCaseStatus::skipped();
            status.set_message(summary.clone());
            status
        } else {
            TestCaseStatus::success()
        };
        let mut case = TestCase::new(chapter, status);
        case.set_classname("conformance");
        case.set_system_out(summary);
        for (name, count) in [("held", held), ("broken", broken), ("skipped", skipped)] {
            case.add_property((name, count.to_string().as_str()));
        }
        suite.add_test_case(case);
    }
    suite
}

fn took<'r>(results: impl IntoIterator<Item = &'r FileResult>) -> Duration {
    results.into_iter().map(|result| result.took).sum()
}

/// The cases of a file: its runs, and one more where something is wrong with the file as a whole.
fn cases(result: &FileResult, url: Option<&str>) -> Vec<TestCase> {
    let whole = match &result.outcome {
        StoryOutcome::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(printable(why));
            let rows = result.rows.iter().map(|row| title(result, row));
            let titles: Vec<_> = if result.rows.is_empty() { vec![result.title.clone()] } else { rows.collect() };
            return titles.into_iter().map(|title| case(result, title, status.clone(), Duration::ZERO)).collect();
        }
        StoryOutcome::Passed => Vec::new(),
        StoryOutcome::Failed(faults) => faults
            .iter()
            .filter(|fault| !matches!(fault, Fault::Step { .. }))
            .map(|fault| of_file(fault, result, url))
            .collect(),
    };
    // A story that is played once and is wrong as a whole is one case, not a good one and a bad one.
    let alone = !whole.is_empty() && result.rows.iter().filter(|row| row.failure.is_some()).count() == 0;
    let rows = if alone && result.rows.len() <= 1 { &[][..] } else { &result.rows[..] };
    let share = result.took.checked_div(u32::try_from(rows.len()).unwrap_or(u32::MAX)).unwrap_or(result.took);
    let runs = rows.iter().map(|row| case(result, title(result, row), of_row(row, result, url), share));
    runs.chain(whole.into_iter().map(|status| case(result, result.title.clone(), status, share))).collect()
}

/// The story's title, with its row of examples.
fn title(result: &FileResult, row: &StoryRun) -> String {
    row.example.as_ref().map_or_else(|| result.title.clone(), |row| format!("{} [{row}]", result.title))
}

fn case(result: &FileResult, title: String, status: TestCaseStatus, took: Duration) -> TestCase {
    let place = result.rows.iter().find_map(|row| row.failure.as_ref()?.place.as_ref());
    let mut case = TestCase::new(printable(&title), status);
    case.set_classname(printable(&result.path.display().to_string()));
    case.set_time(took);
    case.extra.insert("file".into(), printable(&result.path.display().to_string()).into());
    if let Some(place) = place {
        case.extra.insert("line".into(), place.line.to_string().into());
    }
    case.add_property(("seed", result.seed.to_string().as_str()));
    case.add_property(("driver", result.driver));
    case
}

fn of_row(row: &StoryRun, result: &FileResult, url: Option<&str>) -> TestCaseStatus {
    let Some(failure) = &row.failure else { return TestCaseStatus::success() };
    let summary: String =
        failure.each().map(|failure| text::step(row.example.as_deref(), &failure, Whys::Full)).collect();
    let place = failure.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    bad(NonSuccessKind::Failure, "expectation", &format!("{place}{}", failure.what), &summary, result, url)
}

fn of_file(fault: &Fault, result: &FileResult, url: Option<&str>) -> TestCaseStatus {
    let (kind, name, message) = match fault {
        Fault::Twice(_) => (NonSuccessKind::Failure, "repetition", "two runs of one seed differ".to_owned()),
        Fault::Golden { path, .. } => {
            (NonSuccessKind::Failure, "transcript", format!("the transcript is not the one in {}", path.display()))
        }
        Fault::Broken(why) => (NonSuccessKind::Error, "broken", why.clone()),
        Fault::Unreadable(faults) => {
            (NonSuccessKind::Error, "unreadable", faults.first().map(ToString::to_string).unwrap_or_default())
        }
        Fault::Step { failure, .. } => (NonSuccessKind::Failure, "expectation", failure.what.clone()),
    };
    bad(kind, name, &message, &text::fault(fault, Whys::Full), result, url)
}

fn bad(
    kind: NonSuccessKind,
    name: &str,
    message: &str,
    summary: &str,
    result: &FileResult,
    url: Option<&str>,
) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(printable(message));
    let again = repeat_command(result, url);
    status.set_description(printable(&format!("{summary}\n{}again: {again}", text::seed(result, ""))));
    status
}
