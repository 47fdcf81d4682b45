//! Transcripts in a folder: what was exchanged, and in those of stories that failed also what was not as expected, and why.
//!
//! Absent on purpose: goldens, which are beside the stories and hold only what was exchanged (`run::suite`).

use super::text::{self, Whys};
use crate::suite::{Fault, FileResult, StoryOutcome, flat};
use std::path::Path;
use std::{fs, io};

/// Writes the transcript of a file that was played into `folder`; that it cannot be written is one more fault of the file.
pub fn keep(folder: &Path, result: &mut FileResult) {
    if let StoryOutcome::Skipped(_) = result.outcome {
        return;
    }
    if let Err(error) = write(folder, result) {
        let fault = Fault::Broken(error.to_string());
        match &mut result.outcome {
            StoryOutcome::Failed(faults) => faults.push(fault),
            outcome => *outcome = StoryOutcome::Failed(vec![fault]),
        }
    }
}

fn write(folder: &Path, result: &FileResult) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(Path::new(&flat(&result.path)).with_extension("transcript")), whole(result))
}

/// What was exchanged; after it, what was not as it should be.
#[must_use]
pub fn whole(result: &FileResult) -> String {
    let mut whole = result.transcript.clone();
    if let StoryOutcome::Failed(faults) = &result.outcome {
        whole.push_str("\nNot as expected\n");
        whole.extend(faults.iter().map(|fault| text::fault(fault, Whys::Full)));
    }
    whole
}
