//! Results for continuous integration: JUnit XML, written by the library.

use super::{repeat_command, text};
use crate::runner::suite::{FileResult, Outcome};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::io;

/// The results as JUnit XML: a suite a folder, a case a file.
///
/// # Errors
/// When the library cannot write them.
pub fn xml(results: &[FileResult], url: Option<&str>) -> io::Result<String> {
    let mut report = Report::new("fundsim run");
    for result in results {
        let folder = result.path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let mut case = TestCase::new(result.title.clone(), status(result, url));
        case.set_classname(result.path.display().to_string());
        case.set_time(result.took);
        let place = report.test_suites.iter_mut().find(|suite| suite.name.as_str() == folder);
        match place {
            Some(suite) => {
                suite.add_test_case(case);
            }
            None => {
                let mut suite = TestSuite::new(folder);
                suite.add_test_case(case);
                report.add_test_suite(suite);
            }
        }
    }
    report.to_string().map_err(io::Error::other)
}

fn status(result: &FileResult, url: Option<&str>) -> TestCaseStatus {
    match &result.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.clone());
            status
        }
        Outcome::Failed(faults) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let told: String = faults.iter().map(text::fault).collect();
            let first = told.trim().lines().next().unwrap_or("failed").trim().to_owned();
            status.set_message(first);
            status.set_description(format!("{told}\nagain: {}", repeat_command(result, url)));
            status
        }
    }
}
