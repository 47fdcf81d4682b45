//! `--color`: asked for, refused, and left to the environment.

use super::{called, command, folder};

#[test]
fn what_is_piped_is_plain_unless_colour_is_asked_for() {
    let folder = folder("colour");
    std::fs::write(folder.join("good.yaml"), "scenario: Good\nsteps:\n  - expect clock: any\n").expect("a file");
    std::fs::write(folder.join("slip.yaml"), "scenario: A slip\nsteps:\n  - expcet clock: any\n").expect("a file");
    let path = folder.to_str().expect("text");
    let plain: &[(&str, &str)] = &[];
    for (flags, environment, expected) in [
        (&[][..], plain, false),
        (&["--color", "always"], plain, true),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "0")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&[], &[("FUNDSIM_COLOR", "always")], true),
    ] {
        for job in [&["run", path, "--driver", "in-process"][..], &["check", path]] {
            let mut command = command(&[job, flags].concat());
            command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(environment.iter().copied());
            let output = called(command.output().expect("it starts"));
            assert_eq!(output.code, 1, "{}", output.err);
            let all = format!("{}{}", output.out, output.err);
            assert_eq!(all.contains("\x1b["), expected, "{job:?} {flags:?} {environment:?}: {all:?}");
        }
    }
}
