//! Another build of fundsim that plays what is found, and so says whether it is new.
//!
//! Invariant: it is given the saved file alone, as somebody would who has only that. Absent on purpose: why it fails there.

use crate::exit::{FAILED, WELL};
use crate::interrupt;
use fuzz::report::Baseline;
use fuzz::{Finding, Level};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The longest that a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// Whether `program` is a fundsim at all, before anything is found.
///
/// # Errors
/// What it is instead, in words.
pub(super) fn check(program: &Path) -> Result<(), String> {
    let named = |why: String| format!("the baseline {}: {why}", program.display());
    let mut asked = command(program);
    let mut asked = asked.arg("--version").stdout(Stdio::piped()).spawn().map_err(|error| named(error.to_string()))?;
    let status = ended(&mut asked, VERSION_LIMIT).map_err(|error| named(error.to_string()))?;
    let Some(status) = status else {
        return Err(named(format!("it did not say its version within {} s", VERSION_LIMIT.as_secs())));
    };
    let is_fundsim = status.success() && names_fundsim(asked.stdout.take());
    is_fundsim.then_some(()).ok_or_else(|| format!("the baseline {} is no fundsim", program.display()))
}

/// Whether the version that a program has written is one of fundsim.
fn names_fundsim(written: Option<impl Read>) -> bool {
    const NAME: &[u8] = b"fundsim ";
    let mut first = [0; NAME.len()];
    written.is_some_and(|mut written| written.read_exact(&mut first).is_ok()) && first == NAME
}

/// What `program` makes of a finding that is saved as `file`, within this time; nothing where Ctrl-C has ended it with the batch.
///
/// # Errors
/// When the program cannot be started.
pub(super) fn plays(program: &Path, file: &Path, found: &Finding, within: Duration) -> io::Result<Option<Baseline>> {
    let mut command = command(program);
    match (&found.story, found.failure.level) {
        (Err(_), _) => command.arg("replay"),
        (Ok(_), Level::World) => command.args(["run", "--driver", "in-process"]),
        (Ok(_), _) => command.args(["run", "--driver", "turmoil"]),
    };
    let failed = |error| io::Error::other(format!("the baseline {}: {error}", program.display()));
    let made = made_of(command.arg(file), within).map_err(failed)?;
    Ok(Some(made).filter(|made| *made != Baseline::Unplayable || !interrupt::is_asked()))
}

/// A silent run of `program`. What variables say of this batch, such as its page, is not meant for who plays one file.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ours = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("FUNDSIM_"));
    ours.for_each(|name| _ = command.env_remove(name));
    command
}

/// What is made of a finding by a command that plays it.
fn made_of(command: &mut Command, within: Duration) -> io::Result<Baseline> {
    let status = ended(&mut command.spawn()?, within)?;
    Ok(match status.and_then(|status| status.code()) {
        Some(code) if code == i32::from(WELL) => Baseline::Passes,
        Some(code) if code == i32::from(FAILED) => Baseline::Fails,
        _ => Baseline::Unplayable,
    })
}

/// How a program ends; one that does not end in time is killed, and there is no status.
#[allow(clippy::disallowed_methods, reason = "how long another program may take is time of this machine")]
fn ended(program: &mut Child, within: Duration) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = program.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= within {
            program.kill()?;
            program.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_passes_or_fails_by_its_exit_code_and_is_ended_when_it_takes_too_long() {
        for (script, within, made_of_it) in [
            ("exit 0", Duration::MAX, Baseline::Passes),
            ("exit 1", Duration::MAX, Baseline::Fails),
            ("exit 2", Duration::MAX, Baseline::Unplayable),
            ("kill -9 $$", Duration::MAX, Baseline::Unplayable),
            ("exec sleep 600", Duration::ZERO, Baseline::Unplayable),
        ] {
            let made = made_of(Command::new("/bin/sh").args(["-c", script]), within).expect("a shell");
            assert_eq!(made, made_of_it, "{script}");
        }
        assert!(made_of(&mut Command::new("/no/such/program"), Duration::MAX).is_err());
        for (program, why) in [("/no/such/program", "No such file"), ("/bin/true", "is no fundsim")] {
            let refused = check(Path::new(program)).expect_err("it is refused");
            assert!(refused.contains(why), "{refused}");
        }
    }
}
