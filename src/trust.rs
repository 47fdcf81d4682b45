//! Whom the certificates of https servers are trusted by: the file of `--ca-file`, or the machine.
//!
//! Absent on purpose: how a certificate is checked, which callbacks and requests do alike (`deliveries::trust`).

use deliveries::trust::Trust;
use std::path::Path;

/// What a file holds, where one is given, and else what the machine trusts.
///
/// # Errors
/// Why the file is of no use, with its name.
pub(crate) fn of_flag(file: Option<&Path>) -> Result<Trust, String> {
    let read = |file: &Path| Trust::of_file(file).map_err(|why| format!("--ca-file {}: {why}", file.display()));
    file.map_or_else(|| Ok(Trust::default()), read)
}
