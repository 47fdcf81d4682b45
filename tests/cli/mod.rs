//! The command line: what it prints, what it refuses, and how it exits.

mod application;
mod clock;
mod color;
mod credentials;
mod data;
mod documents;
mod exercise;
mod foreign;
mod fuzz;
mod health;
mod live;
mod log;
mod login;
mod logs;
mod mcp;
mod picture;
mod readiness;
mod record;
mod run;
pub(crate) mod serve;
mod stops;
mod tls;
mod transport;
mod trigger;
mod watch;
mod why;
mod worlds;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What a call of the program left behind.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Calls the program, with nothing of ours in its environment.
pub(crate) fn fundsim(arguments: &[&str]) -> Called {
    let output = command(arguments).output().expect("the program starts");
    called(output)
}

pub(crate) fn called(output: Output) -> Called {
    Called {
        code: output.status.code().expect("it exits by itself"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fundsim"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FUNDSIM_")) {
        command.env_remove(name);
    }
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    // Profiles of the developer are none of the tests'.
    command.env("XDG_CONFIG_HOME", PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-profiles"));
    command
}

/// A folder of this test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

#[test]
fn what_cannot_be_understood_is_refused_with_exit_2_and_a_way_out() {
    let rows: &[(&[&str], &str)] = &[
        (&["serve", "--sed", "1"], "--seed"),
        (&["sevre"], "serve"),
        (&["run"], "<PATH>"),
        (&["run", "no/such/folder"], "no/such/folder"),
        (&["run", "fixtures"], "no story matches the filter"),
        (&["run", "scenarios/orders", "--filter", "zeppelin"], "no story matches the filter"),
        (&["run", "scenarios/orders", "--driver", "live"], "--url"),
        (&["run", "scenarios/orders", "--url", "http://127.0.0.1:1"], "--driver live"),
        (&["run", "scenarios/orders", "--driver", "live", "--url", "ftp://x"], "https://"),
        (
            &["run", "scenarios/orders", "--driver", "live", "--url", "https://x", "--ca-file", "no/such/file"],
            "--ca-file",
        ),
        (&["run", "scenarios/orders", "--driver", "tumroil"], "turmoil"),
        (&["run", "scenarios/orders", "--bless", "--seed", "1"], "--seed"),
        (&["run", "scenarios/orders", "--jobs", "0"], "--jobs"),
        (&["check", "no/such/folder"], "no/such/folder"),
        (&["explain", "ordrs"], "orders"),
        (&["health", "--url", "127.0.0.1:8080"], "http://"),
        (&["health", "--timeout", "soon"], "5m"),
        (&["serve", "--clock", "backwards"], "--clock"),
        (&["serve", "--start", "yesterday"], "--start"),
        (&["serve", "--world", "no/such/file"], "cannot be read"),
        (&["serve", "--operator-token-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE"),
        (&["serve", "--listen", "0.0.0.0:0"], "--open"),
        (&["serve", "--listen", "127.0.0.1:0", "--allow-host", "sandbox.example"], "--allow-host sandbox.example"),
        (&["serve", "--listen", "127.0.0.1:0", "--public-url", "https://sandbox.example"], "--open"),
        (&["serve", "--listen", "not an address"], "not an address"),
        (&["serve", "--tls-cert", "cert.pem"], "--tls-key <FILE>"),
        (&["serve", "--tls-key", "key.pem"], "--tls-cert <FILE>"),
        (&["serve", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--tls-self-signed"], "cannot be used with"),
        (&["serve", "--tls-cert-out", "cert.pem"], "--tls-self-signed"),
        (
            &["serve", "--tls-cert", "no/such/file", "--tls-key", "no/such/file"],
            "--tls-cert no/such/file: it cannot be read",
        ),
        (&["serve", "--tls-self-signed", "--public-url", "http://localhost"], "the server speaks https"),
        (&["serve", "--ca-file", "Cargo.toml"], "--ca-file Cargo.toml: it holds no certificate"),
    ];
    for (arguments, problem) in rows {
        let called = fundsim(arguments);
        assert_eq!(called.code, 2, "{arguments:?}: {}", called.err);
        assert!(called.err.contains(problem), "{arguments:?} says {}", called.err);
        assert!(called.out.is_empty(), "{arguments:?} prints {}", called.out);
        assert!(!called.err.contains("panicked"), "{arguments:?}: {}", called.err);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let terminal = ["login", "logout", "worlds", "clock", "trigger", "logs"];
    let others = ["serve", "run", "fuzz", "check", "health", "readiness", "explain", "schema", "completions"];
    for command in others.into_iter().chain(terminal) {
        let called = fundsim(&[command, "--help"]);
        assert_eq!(called.code, 0, "{command}");
        assert!(called.out.contains("Example"), "{command}: {}", called.out);
    }
}

#[test]
fn every_long_flag_has_a_variable_in_the_environment() {
    let within = ["worlds new", "worlds fork", "worlds rewind", "clock advance", "clock until"];
    let others = ["serve", "run", "fuzz", "check", "health", "login", "logout", "worlds", "clock", "trigger", "logs"];
    for command in others.into_iter().chain(within) {
        let help = fundsim(&command.split(' ').chain(["--help"]).collect::<Vec<_>>()).out;
        let flags: Vec<&str> = help
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("--"))
            .map(|flag| flag.split([' ', '=']).next().unwrap_or_default())
            .collect();
        assert!(!flags.is_empty(), "{help}");
        // Elsewhere the world is a name, and FUNDSIM_WORLD the file of `serve --world`.
        let is_meant = |flag: &&str| *flag != "help" && (command == "serve" || *flag != "world");
        for flag in flags.into_iter().filter(is_meant) {
            let variable = format!("FUNDSIM_{}", flag.to_uppercase().replace('-', "_"));
            // The value of a secret one is not shown.
            let has_variable = ["=", "]"].iter().any(|end| help.contains(&format!("[env: {variable}{end}")));
            assert!(has_variable, "{command} --{flag} has no {variable}");
        }
    }
}
