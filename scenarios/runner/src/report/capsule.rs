//! Capsules in a folder: of each run of a story that failed its world as it was at the end, with all that led to it, the story, its transcript and
//! what failed (rule: wire/capsules).
//!
//! Absent on purpose: what a world's part of it has, which its server writes.

use super::transcript::whole;
use super::{repeat_command, text};
use crate::suite::{Capsule, Fault, FileResult, StoryOutcome, flat};
use hosting::worlds::capsule;
pub use hosting::worlds::capsule::Run;
use std::path::Path;
use std::{fs, io};

/// Writes the capsules of a file that was played, if it failed, into `folder`; that one cannot be written is one more fault of the file.
pub fn keep(folder: &Path, result: &mut FileResult, url: Option<&str>) {
    let StoryOutcome::Failed(faults) = &result.outcome else { return };
    let about = Run {
        name: result.title.clone(),
        failure: faults.iter().map(|fault| text::fault(fault, text::Whys::Short)).collect(),
        story: fs::read_to_string(&result.path).ok(),
        repeat: Some(repeat_command(result, url)),
        transcript: Some(whole(result)),
    };
    let stem = flat(&result.path.with_extension(""));
    let several = result.rows.len() > 1;
    let mut broken = Vec::new();
    for (at, row) in result.rows.iter_mut().enumerate() {
        let number = if several { format!("-{}", at + 1) } else { String::new() };
        let file = folder.join(format!("{stem}{number}.capsule.json"));
        match std::mem::replace(&mut row.capsule, Capsule::None) {
            Capsule::Written(bytes) => match write(&file, &bytes, about.clone()) {
                Ok(()) => row.capsule = Capsule::Kept(file),
                Err(why) => broken.push(format!("{}: {why}", file.display())),
            },
            Capsule::Refused(why) => broken.push(format!("its world cannot be kept: {why}")),
            other @ (Capsule::None | Capsule::Kept(_)) => row.capsule = other,
        }
    }
    if let StoryOutcome::Failed(faults) = &mut result.outcome {
        faults.extend(broken.into_iter().map(Fault::Broken));
    }
}

/// Writes the capsule `world` of a server with what was run.
///
/// # Errors
/// When it is no capsule, and as the system.
pub fn write(file: &Path, world: &[u8], run: Run) -> io::Result<()> {
    let mut capsule = capsule::Capsule::read(world).map_err(io::Error::other)?;
    capsule.run = Some(run);
    let bytes = capsule.write().map_err(|error| io::Error::other(error.description))?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, bytes)
}
