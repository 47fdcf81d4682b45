//! Another build of fundsim that plays what is found, and so says whether it is new.
//!
//! Invariant: it is given the saved file alone, as somebody would who has only that. Absent on purpose: why it fails there.

use crate::exit::{FAILED, WELL};
use fuzz::report::Baseline;
use fuzz::{Finding, Level};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Whether `program` is a fundsim at all, before anything is found.
///
/// # Errors
/// What it is instead, in words.
pub(super) fn check(program: &Path) -> Result<(), String> {
    let asked = command(program).arg("--version").stdout(Stdio::piped()).output();
    let answered = asked.map_err(|error| format!("the baseline {}: {error}", program.display()))?;
    let is_fundsim = answered.status.success() && answered.stdout.starts_with(b"fundsim ");
    is_fundsim.then_some(()).ok_or_else(|| format!("the baseline {} is no fundsim", program.display()))
}

/// What `program` makes of a finding that is saved as `file`, within this time.
///
/// # Errors
/// When the program cannot be started.
pub(super) fn plays(program: &Path, file: &Path, found: &Finding, within: Duration) -> io::Result<Baseline> {
    let mut command = command(program);
    match (&found.story, found.failure.level) {
        (Err(_), _) => command.arg("replay"),
        (Ok(_), Level::World) => command.args(["run", "--driver", "in-process"]),
        (Ok(_), _) => command.args(["run", "--driver", "turmoil"]),
    };
    let ended = ended(command.arg(file), within);
    ended.map_err(|error| io::Error::other(format!("the baseline {}: {error}", program.display())))
}

/// A silent run of `program`. What variables say of this batch, such as its page, is not meant for who plays one file.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ours = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("FUNDSIM_"));
    ours.for_each(|name| _ = command.env_remove(name));
    command
}

/// How a command ends that plays a finding; one that does not end in time is ended.
#[allow(clippy::disallowed_methods, reason = "how long another program may take is time of this machine")]
fn ended(command: &mut Command, within: Duration) -> io::Result<Baseline> {
    let begun = Instant::now();
    let mut program = command.spawn()?;
    loop {
        if let Some(status) = program.try_wait()? {
            return Ok(match status.code() {
                Some(code) if code == i32::from(WELL) => Baseline::Passes,
                Some(code) if code == i32::from(FAILED) => Baseline::Fails,
                _ => Baseline::Unplayable,
            });
        }
        if begun.elapsed() >= within {
            program.kill()?;
            program.wait()?;
            return Ok(Baseline::Unplayable);
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
            let ended = ended(Command::new("/bin/sh").args(["-c", script]), within).expect("a shell");
            assert_eq!(ended, made_of_it, "{script}");
        }
        assert!(ended(&mut Command::new("/no/such/program"), Duration::MAX).is_err());
        for (program, why) in [("/no/such/program", "No such file"), ("/bin/true", "is no fundsim")] {
            let refused = check(Path::new(program)).expect_err("it is refused");
            assert!(refused.contains(why), "{refused}");
        }
    }
}
