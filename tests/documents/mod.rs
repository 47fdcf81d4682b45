//! The documents for people: their links lead somewhere, their stories run, and the README's conversation goes as it is printed.
//!
//! `walks` plays the tutorials. Absent on purpose: the rules (`house::rules`), which pages are in the guide (`fundsim-guide`), and documents that the program prints (`cli::documents`).

mod walks;

use crate::cli::serve::Sandbox;
use crate::cli::{command, folder, fundsim};
use std::path::{Path, PathBuf};

/// Words that a newcomer reads before the first success.
const MOST_WORDS: usize = 1_200;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every document for people, the README first.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        .iter()
        .map(|name| root().join(name))
        .collect();
    let mut folders = vec![root().join("docs"), root().join("scenarios"), root().join("fixtures")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        found.extend(files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    found.sort();
    found
}

/// Code blocks of `language` in `text`.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    text.split(&*begin).skip(1).map(|rest| rest.split("\n```").next().unwrap_or_default()).collect()
}

/// What links and pictures of `text` lead to.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|found| found.0);
    let pictures = text.split("<img src=\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|found| found.0);
    links.chain(pictures)
}

/// Links of `text`, which lies in `folder`, that lead to no file.
fn broken(text: &str, folder: &Path) -> Vec<String> {
    let local = targets(text).filter(|target| !target.contains("://") && !target.starts_with(['#', '/']));
    let file = |target: &str| folder.join(target.split('#').next().unwrap_or_default());
    local.filter(|target| !file(target).exists()).map(str::to_owned).collect()
}

#[test]
fn every_link_to_a_file_leads_to_one() {
    assert_eq!(broken("[a](no/such.md) [b](#here) <img src=\"gone.png\">", root()), ["no/such.md", "gone.png"]);
    let documents = documents();
    assert!(documents.len() >= 20, "{documents:?}");
    for document in documents {
        let found = broken(&read(&document), document.parent().expect("a folder"));
        assert!(found.is_empty(), "{} links to {found:?}", document.display());
    }
}

#[test]
fn the_readme_is_short() {
    let words = read(&root().join("README.md")).split_whitespace().count();
    assert!(words <= MOST_WORDS, "README.md has {words} words");
}

#[test]
fn every_story_that_is_printed_passes() {
    let folder = folder("printed-stories");
    let mut run = 0;
    for document in documents().iter().filter(|path| !path.ends_with("CHANGELOG.md")) {
        for story in blocks(&read(document), "yaml").into_iter().filter(|text| text.starts_with("fundsim: 1")) {
            let file = folder.join("story.yaml");
            std::fs::write(&file, story).expect("a story is written");
            let called = fundsim(&["run", file.to_str().expect("a path"), "--driver", "in-process"]);
            assert_eq!(called.code, 0, "{}\n{story}\n{}{}", document.display(), called.out, called.err);
            run += 1;
        }
    }
    assert!(run >= 2, "{run} stories are printed");
}

/// Whether `got` is what is printed, where `...` matches anything.
fn fits(printed: &str, got: &str) -> bool {
    let got = got.trim();
    let Some((first, rest)) = printed.trim().split_once("...") else { return printed.trim() == got };
    let (middle, last) = rest.rsplit_once("...").unwrap_or(("", rest));
    let Some(mut left) = got.strip_prefix(first).and_then(|left| left.strip_suffix(last)) else { return false };
    middle.split("...").all(|part| {
        let found = left.find(part);
        left = found.map_or(left, |at| &left[at + part.len()..]);
        found.is_some()
    })
}

/// Asserts that the commands of a conversation print the lines below them, one shell for all.
fn assert_goes_as_printed(talk: &str, sandbox: &Sandbox, folder: &Path) {
    let mut script = "set -eu\n".to_owned();
    let mut printed = Vec::new();
    for line in talk.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => {
                script += &format!("echo '== {}'\n{command}\n", printed.len());
                printed.push(String::new());
            }
            None if printed.is_empty() || line.starts_with('#') => {}
            None => *printed.last_mut().expect("a command before its answer") += &format!("{line}\n"),
        }
    }
    let script = script.replace("http://127.0.0.1:8080", sandbox.url());
    let mut shell = std::process::Command::new("bash");
    let program = Path::new(env!("CARGO_BIN_EXE_fundsim")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("a path"));
    shell.arg("-c").arg(&script).current_dir(folder).env("PATH", path).env("XDG_CONFIG_HOME", folder);
    shell.env("FUNDSIM_URL", sandbox.url());
    let called = crate::cli::called(shell.output().expect("bash starts"));
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    let out = called.out.replace(sandbox.url(), "http://127.0.0.1:8080");
    let answers: Vec<&str> = out.split("== ").skip(1).filter_map(|part| part.split_once('\n')).map(|it| it.1).collect();
    assert_eq!(answers.len(), printed.len(), "{out}");
    for (printed, got) in printed.iter().zip(answers).filter(|(printed, _)| !printed.trim().is_empty()) {
        // Columns are as wide as the address of the server.
        let squeezed = |text: &str| text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        assert!(fits(&squeezed(printed), &squeezed(got)), "printed:\n{printed}\nanswered:\n{got}");
    }
}

#[test]
fn the_conversation_of_the_readme_goes_as_it_is_printed() {
    assert!(fits("{\"a\":1,...,\"b\":2}", "{\"a\":1,\"c\":3,\"b\":2}\n") && !fits("{\"a\":1}", "{\"a\":12}"));
    let text = read(&root().join("README.md"));
    let console = blocks(&text, "console");
    let serve = console.iter().find_map(|block| block.strip_prefix("$ fundsim serve ")).expect("how it is started");
    let talk = console.iter().find(|block| block.contains("auth/token")).expect("a conversation");
    let sandbox = Sandbox::start(&serve.split_whitespace().collect::<Vec<_>>());
    let folder = folder("first-conversation");
    assert_goes_as_printed(talk, &sandbox, &folder);
    // What it has recorded is a story that passes.
    let mut run = command(&["run", "session.yaml", "--driver", "in-process"]);
    let called = crate::cli::called(run.current_dir(&folder).output().expect("it starts"));
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
}

#[test]
fn the_commands_of_the_page_about_the_terminal_print_what_it_says() {
    let text = read(&root().join("docs/guide/terminal.md"));
    let console = blocks(&text, "console");
    let (serve, talk) = console.split_first().expect("how it is started, and what then");
    let serve = serve.strip_prefix("$ fundsim serve ").expect("how it is started");
    let sandbox = Sandbox::start(&serve.split_whitespace().collect::<Vec<_>>());
    assert_goes_as_printed(&talk.join("\n"), &sandbox, &folder("terminal-conversation"));
}
