//! `fundsim run --watch`: which stories a change plays again, and how it ends.

use super::{command, folder};
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

const USES: &str = "scenario: Uses another file\nsteps:\n  - use: lent.yaml\n";
const LENT: &str = "fragment: Lends a step\nsteps:\n  - expect clock: any\n";
const ALONE: &str = "scenario: Alone\nsteps:\n  - expect clock: any\n";

/// The program while it watches.
struct Watching {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

impl Watching {
    fn start(folder: &Path, more: &[&str]) -> Self {
        let path = folder.to_str().expect("text");
        let mut command = command(&[&["run", path, "--driver", "in-process", "--watch"], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let out = lines(child.stdout.take().expect("a pipe"));
        let err = lines(child.stderr.take().expect("a pipe"));
        Self { child, out, err }
    }

    /// The files that are reported until it waits again, and its last line.
    fn round(&self) -> (Vec<String>, String) {
        let patience = Duration::from_secs(60);
        let mut summaries = Vec::new();
        while !summaries.last().is_some_and(|line: &String| line.contains(" passed, ")) {
            summaries
                .push(self.out.recv_timeout(patience).unwrap_or_else(|_| panic!("no summary after {summaries:?}")));
        }
        let waits = self.err.recv_timeout(patience).expect("it waits for a change");
        assert!(waits.contains("Ctrl-C ends"), "{waits}");
        let name = |line: &String| {
            Some(Path::new(line.split("  ").find(|it| it.contains(".yaml"))?.trim()).file_stem()?.to_str()?.to_owned())
        };
        let is_first = |line: &&String| ["ok ", "FAIL ", "skip "].iter().any(|word| line.starts_with(word));
        let mut names: Vec<_> = summaries.iter().filter(is_first).filter_map(name).collect();
        names.sort();
        (names, summaries.last().cloned().unwrap_or_default())
    }

    fn interrupted(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill is there").success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Already gone where the test has ended it.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_change_plays_the_stories_that_it_concerns_and_interrupting_ends_well() {
    let folder = folder("watched");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file can be written");
    write("alone.yaml", ALONE);
    write("uses.yaml", USES);
    write("lent.yaml", LENT);
    let page = folder.join("page.html");
    let watching = Watching::start(&folder, &["--html", page.to_str().expect("text")]);
    let round = |names: &[&str], end: &str| {
        let (summaries, last) = watching.round();
        assert_eq!(summaries, names);
        assert!(last.starts_with(end), "{last}");
    };
    round(&["alone", "uses"], "2 passed, 0 failed");
    write("alone.yaml", &ALONE.replace("any", "2020-01-01T00:00:00.000Z"));
    round(&["alone"], "1 passed, 1 failed");
    // A file that is lent, put into place as editors do.
    write("new.txt", &LENT.replace("any", "2020-01-01T00:00:00.000Z"));
    std::fs::rename(folder.join("new.txt"), folder.join("lent.yaml")).expect("it can be renamed");
    round(&["uses"], "0 passed, 2 failed");
    write("third.yaml", ALONE);
    round(&["third"], "1 passed, 2 failed");
    write("alone.yaml", "scenario: x\nsteps:\n  - expcet clock: any\n");
    round(&["alone"], "1 passed, 2 failed");
    let shown = std::fs::read_to_string(&page).expect("the page is written");
    assert!(shown.contains("1 passed, 2 failed") && shown.contains("did you mean"), "the page has all stories");
    assert_eq!(watching.interrupted(), Some(0));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    for arguments in [&["run", "-", "--watch"][..], &["run", "scenarios/orders", "--watch", "--list"]] {
        let output = super::fundsim(arguments);
        assert!(output.code == 2 && output.err.contains("--watch"), "{}", output.err);
    }
}
