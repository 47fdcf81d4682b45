//! The tutorials and explanations of the guide, command for command as a newcomer types them, in one shell for each page.
//!
//! Invariant: what is printed below a command is what it prints, and a command fails only where the page says so. Absent on purpose: blocks
//! that are no `console`, which are not played.

use super::{fits, read, root};
use crate::cli::serve::Sandbox;
use crate::cli::{command, folder};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What a page prints as the address of the server.
const PRINTED: &str = "http://127.0.0.1:8080";
/// Behind a command that fails.
const FAILS: &str = "# exit status ";
/// Begins the line behind what a command has printed.
const MARK: &str = "=====";

/// What a page has to do or to type, in order.
#[derive(Debug, PartialEq, Eq)]
enum Act {
    /// A file to save: its name, its text.
    Save(String, String),
    /// A command, and what is printed below it.
    Type(String, String),
}

/// The acts of a page.
fn acts(text: &str) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut before = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let block: Option<Vec<&str>> =
            line.strip_prefix("```").map(|_| lines.by_ref().take_while(|line| *line != "```").collect());
        match (line, block) {
            ("```console", Some(block)) => {
                for line in block {
                    match line.strip_prefix("$ ") {
                        Some(command) => acts.push(Act::Type(command.to_owned(), String::new())),
                        None => match acts.last_mut() {
                            Some(Act::Type(_, printed)) => printed.extend([line, "\n"]),
                            other => panic!("`{line}` follows no command but {other:?}"),
                        },
                    }
                }
            }
            (_, Some(block)) => {
                let name = before.split_once("Save this as `").and_then(|(_, rest)| rest.split_once("`:"));
                acts.extend(name.map(|(name, _)| Act::Save(name.to_owned(), block.join("\n") + "\n")));
            }
            _ => {}
        }
        before = if line.is_empty() { before } else { line };
    }
    acts
}

/// A shell, and the server that the page has started last.
struct Walk {
    folder: PathBuf,
    shell: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sandbox: Option<Sandbox>,
    /// Where the server is; the next one listens there, too.
    url: String,
}

impl Walk {
    fn begin(name: &str) -> Self {
        let folder = folder(&format!("walk-{name}"));
        let program = Path::new(env!("CARGO_BIN_EXE_fundsim")).parent().expect("a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("a path"));
        let mut shell = Command::new("bash");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FUNDSIM_")) {
            shell.env_remove(name);
        }
        shell.current_dir(&folder).env("PATH", path).env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("bash starts");
        let mut input = shell.stdin.take().expect("a pipe");
        input.write_all(b"exec 2>&1\n").expect("the shell reads");
        let output = BufReader::new(shell.stdout.take().expect("a pipe"));
        Self { folder, shell, input, output, sandbox: None, url: PRINTED.to_owned() }
    }

    /// Starts the server of a line such as `TOKEN=x fundsim serve --data worlds`, instead of the one before it.
    fn serves(&mut self, line: &str) {
        if let Some(before) = self.sandbox.take() {
            before.stop("-KILL");
        }
        let (variables, flags) = line.split_once("fundsim serve").expect("a server");
        let address = if self.url == PRINTED { "127.0.0.1:0" } else { self.url.trim_start_matches("http://") };
        let mut serve = command(&["serve", "--listen", address, "--output", "json"]);
        serve.args(flags.split_whitespace()).current_dir(&self.folder).stderr(Stdio::null());
        serve.envs(variables.split_whitespace().filter_map(|variable| variable.split_once('=')));
        let sandbox = Sandbox::spawn(&mut serve);
        self.url = sandbox.url().to_owned();
        self.sandbox = Some(sandbox);
    }

    /// What a command prints, and its exit status.
    fn types(&mut self, line: &str) -> (String, String) {
        let url = &*self.url;
        // These ask the server at the printed address unless they are given another.
        let asks = ["why", "record", "health", "readiness"].map(|job| format!("fundsim {job}"));
        let variable =
            if asks.iter().any(|job| line.starts_with(job)) { format!("FUNDSIM_URL={url} ") } else { String::new() };
        let typed = format!("{variable}{}\necho; echo \"{MARK} $?\"\n", line.replace(PRINTED, url));
        // `echo` alone would change the status.
        let typed = typed.replace("echo; echo", "S=$?; echo; (exit $S); echo");
        self.input.write_all(typed.as_bytes()).expect("the shell reads");
        let mut printed = String::new();
        loop {
            let mut next = String::new();
            assert!(self.output.read_line(&mut next).expect("text") > 0, "the shell has ended: {printed}");
            if let Some(status) = next.strip_prefix(MARK) {
                return (printed.replace(url, PRINTED), status.trim().to_owned());
            }
            printed.push_str(&next);
        }
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        if let Some(before) = self.sandbox.take() {
            before.stop("-KILL");
        }
        // It has ended, or ends now.
        drop(self.shell.kill());
        drop(self.shell.wait());
    }
}

/// How often `page` types something; what is wrong with it otherwise.
fn walked(name: &str, text: &str) -> Result<usize, String> {
    let mut walk = Walk::begin(name);
    let mut typed = 0;
    let acts = acts(text);
    for (at, act) in acts.iter().enumerate() {
        match act {
            Act::Save(file, text) => std::fs::write(walk.folder.join(file), text).expect("a file is written"),
            Act::Type(line, _) if line.contains("fundsim serve") => walk.serves(line),
            Act::Type(line, printed) => {
                // The server has been killed before its folder is read.
                if line.starts_with("fundsim data")
                    && let Some(before) = walk.sandbox.take()
                {
                    before.stop("-KILL");
                }
                let (got, status) = walk.types(line);
                let expected = line.split_once(FAILS).map_or("0", |(_, status)| status);
                let is_silent = printed.trim().is_empty();
                if status != expected || !(is_silent || fits(printed, &got)) {
                    return Err(format!(
                        "{name}: act {at}: {line}\nprinted:\n{printed}\ngot, with status {status}:\n{got}"
                    ));
                }
                typed += 1;
            }
        }
    }
    Ok(typed)
}

#[test]
fn a_page_is_played_as_it_is_printed_and_a_line_that_is_not_is_found() {
    let page = "Save this as `a.txt`:\n\n```yaml\none\ntwo\n```\n\n```console\n$ X=three; cat a.txt\none\n...\n$ echo $X; false # exit status 1\nthree\n```\n";
    assert_eq!(acts(page)[0], Act::Save("a.txt".to_owned(), "one\ntwo\n".to_owned()));
    assert_eq!(walked("itself", page), Ok(2));
    let fault = |from: &str, to: &str| walked("faulty", &page.replace(from, to)).expect_err("a fault is found");
    assert!(fault("\nthree", "\nfour").contains("four"));
    assert!(fault(" # exit status 1", "").contains("with status 1"));
}

#[test]
fn the_tutorials_and_explanations_go_as_they_are_printed() {
    let mut faults = Vec::new();
    for (part, least) in [("tutorials", 30), ("explanations", 3)] {
        let mut typed = 0;
        let folder = std::fs::read_dir(root().join("docs").join(part)).expect("a folder");
        for page in folder.map(|entry| entry.expect("an entry").path()) {
            let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
            match walked(&name, &read(&page)) {
                Ok(times) => typed += times,
                Err(fault) => faults.push(fault),
            }
        }
        assert!(typed >= least || !faults.is_empty(), "docs/{part} types {typed} commands");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
