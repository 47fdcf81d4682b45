//! Files of stories: found, played twice, compared with themselves and with their goldens.
//!
//! Invariant: a file passes when every run of it passes, both runs have the same transcript, and a golden, where there is
//! one, has it too. Absent on purpose: how results are shown (`report`).

mod sources;

pub use sources::{real, sources};

use crate::drivers::Choice;
use crate::drivers::application::ApplicationTarget;
use crate::foreign::{Reason, Tally};
use crate::run::outcome::in_words;
use crate::run::{Extras, Failure, Run, foreign, play};
use crate::transcript::{Moment, first_difference};
use bytes::Bytes;
use drawing::sequence::Facts as Sequence;
use language::ast::Scenario;
use language::diagnostic::Diagnostic;
use language::lint;
use language::parse::STDIN;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to do with files.
#[derive(Clone, Debug)]
pub struct Options {
    /// The driver.
    pub driver: Choice,
    /// Another seed than the files name; goldens are not compared then.
    pub seed: Option<u64>,
    /// Write transcripts as goldens instead of comparing with them.
    pub bless: bool,
    /// Also draw the accounts that stories name, and write the pictures here.
    pub pictures: Option<PathBuf>,
    /// Also ask for what happened last in stories that fail, which a page draws.
    pub sequences: bool,
    /// Also ask for the worlds of stories that fail, with all that led to them.
    pub capsules: bool,
}

impl Options {
    /// Plain options for a driver.
    #[must_use]
    pub const fn new(driver: Choice) -> Self {
        Self { driver, seed: None, bless: false, pictures: None, sequences: false, capsules: false }
    }
}

/// Why a story with an application is not played without one.
pub const NO_APPLICATION: &str =
    "it asks an application under test, which no flag names: add --app, as in --app http://127.0.0.1:3000";

/// How a file came out.
#[derive(Clone, Debug)]
pub struct FileResult {
    /// The file as it was named.
    pub path: PathBuf,
    /// The story's title.
    pub title: String,
    /// How it came out.
    pub outcome: StoryOutcome,
    /// What is missing of the session that the file has recorded, where something is.
    pub incomplete: Option<String>,
    /// Seed of its world.
    pub seed: u64,
    /// Driver it ran on.
    pub driver: &'static str,
    /// Fingerprint over everything exchanged in its runs.
    pub digest: u128,
    /// Business time that passed in its runs.
    pub simulated_ms: i64,
    /// Its runs: one, or one a row of `examples`; none where nothing was played.
    pub rows: Vec<StoryRun>,
    /// Its transcript.
    pub transcript: String,
    /// The flags that name the application under test, where the story speaks with one.
    pub application: Option<String>,
    /// Real time it took, both rounds.
    pub took: Duration,
    /// The file that names the partners of a server that is no fundsim.
    pub foreign: Option<PathBuf>,
    /// What was asked of that server, and what was not.
    pub tally: Option<Tally>,
}

/// One run of a story.
#[derive(Clone, Debug)]
pub struct StoryRun {
    /// The row of `examples`, in words.
    pub example: Option<String>,
    /// What was not as expected.
    pub failure: Option<Failure>,
    /// Business time that passed.
    pub simulated_ms: i64,
    /// What happened, by simulated time, with lines of the file's transcript.
    pub moments: Vec<Moment>,
    /// The names that the story gave to resources, by their ids.
    pub names: BTreeMap<String, String>,
    /// What happened last, or why nobody knows; none where nobody asked for it, the run has passed, or no server could be asked.
    pub sequence: Option<Result<Sequence, String>>,
    /// The files of its pictures.
    pub pictures: Vec<PathBuf>,
    /// Its world at the end.
    pub capsule: Capsule,
}

/// The world of a run at its end, with all that led to it.
#[derive(Clone, Debug)]
pub enum Capsule {
    /// Nobody asked for it, or no server could be asked.
    None,
    /// As the server has written it.
    Written(Bytes),
    /// The server did not write it, for this reason.
    Refused(String),
    /// In this file.
    Kept(PathBuf),
}

/// Passed, failed, or not for this driver.
#[derive(Clone, Debug)]
pub enum StoryOutcome {
    /// All as expected.
    Passed,
    /// Something was not.
    Failed(Vec<Fault>),
    /// The driver cannot play it; says why.
    Skipped(String),
}

/// Why a file failed.
#[derive(Clone, Debug)]
pub enum Fault {
    /// A step was not as expected, in this row of `examples`.
    Step {
        /// The row, in words.
        example: Option<String>,
        /// What happened.
        failure: Box<Failure>,
    },
    /// Two runs of the same story and seed have different transcripts.
    Twice(String),
    /// The transcript is not the golden one.
    Golden {
        /// The golden's file.
        path: PathBuf,
        /// Where they part.
        difference: String,
    },
    /// The run could not be set up, or broke down.
    Broken(String),
    /// The file is no story; what is wrong with it.
    Unreadable(Vec<Diagnostic>),
}

/// A file and the story in it.
#[derive(Clone, Debug)]
pub struct StoryFile {
    /// The file as it was named.
    pub path: PathBuf,
    /// The story.
    pub scenario: Scenario,
}

/// Files and folders that are looked at, at most: more is no folder of stories.
const MOST_ENTRIES: usize = 100_000;
/// Scenario files below folders, at most, and their bytes together.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 256 << 20;
/// Folders within folders, at most.
const MOST_DEPTH: usize = 64;

/// Scenario files under `paths`: a folder means every file below it, in order of their names. Links that lead back, devices and
/// pipes are left out below folders.
///
/// # Errors
/// A path that does not exist or cannot be read; its name is in the error. A folder that holds too much.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut search = Search { found: Vec::new(), seen: BTreeSet::new(), entries: 0, bytes: 0 };
    for path in paths {
        if path == Path::new(STDIN) {
            search.found.push(path.clone());
            continue;
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if fs::metadata(path).map_err(named)?.is_dir() {
            search.seen.clear();
            search.walk(path, 0).map_err(named)?;
        } else {
            search.found.push(path.clone());
        }
    }
    search.found.dedup();
    Ok(search.found)
}

/// A look for scenario files, and how much it has come across.
struct Search {
    found: Vec<PathBuf>,
    /// Folders that were walked, by their real paths: links may lead back to one of them.
    seen: BTreeSet<PathBuf>,
    entries: usize,
    bytes: u64,
}

impl Search {
    fn walk(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        if depth > MOST_DEPTH {
            return Err(too_much(format!("folders are nested more than {MOST_DEPTH} deep")));
        }
        if !self.seen.insert(fs::canonicalize(folder)?) {
            return Ok(());
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            entries.push(entry?.path());
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(too_much(format!("more than {MOST_ENTRIES} files and folders are in it")));
            }
        }
        entries.sort();
        for path in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_story = name.ends_with(".yaml") || name.ends_with(".yml");
            // A named file that cannot be read is reported when it is read.
            match fs::metadata(&path) {
                Ok(it) if it.is_dir() && !name.starts_with('.') && name != "target" => self.walk(&path, depth + 1)?,
                Ok(it) if it.is_file() && is_story => self.take(path, it.len())?,
                Err(_) if is_story => self.take(path, 0)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn take(&mut self, path: PathBuf, bytes: u64) -> io::Result<()> {
        self.found.push(path);
        self.bytes += bytes;
        if self.found.len() > MOST_FILES {
            return Err(too_much(format!("more than {MOST_FILES} scenario files are in it")));
        }
        if self.bytes > MOST_BYTES {
            return Err(too_much(format!("its scenario files have more than {} MiB", MOST_BYTES >> 20)));
        }
        Ok(())
    }
}

fn too_much(what: String) -> io::Error {
    io::Error::other(format!("{what}; name a narrower folder"))
}

/// A file that is no story.
#[derive(Clone, Debug)]
pub struct UnreadableFile {
    /// The file as it was named.
    pub path: PathBuf,
    /// What is wrong with it, at least one fault.
    pub faults: Vec<Diagnostic>,
}

/// Reads all files; fragments, which only lend their steps, are left out. A file that cannot be read spoils no other.
#[must_use]
pub fn load(paths: &[PathBuf]) -> (Vec<StoryFile>, Vec<UnreadableFile>) {
    let mut stories = Vec::new();
    let mut unreadable = Vec::new();
    for path in paths {
        match lint::check(path) {
            Ok(scenario) if scenario.fragment => {}
            Ok(scenario) => stories.push(StoryFile { path: path.clone(), scenario }),
            Err(faults) => unreadable.push(UnreadableFile { path: path.clone(), faults }),
        }
    }
    (stories, unreadable)
}

/// The result of a file that could not be played, because it is no story.
#[must_use]
pub fn unreadable(file: UnreadableFile, options: &Options) -> FileResult {
    let UnreadableFile { path, faults } = file;
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let outcome = StoryOutcome::Failed(vec![Fault::Unreadable(faults)]);
    FileResult { outcome, ..unplayed(path, title, options, 0) }
}

/// Which files are meant: with words to be found in path, title or tags, those that have one of them; with words behind `!`,
/// those that have none of these.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

impl Filter {
    /// The filter of these words.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let (unwanted, wanted): (Vec<_>, Vec<_>) =
            words.into_iter().map(str::to_lowercase).partition(|word| word.starts_with('!'));
        let unwanted = unwanted.into_iter().map(|word| word.trim_start_matches('!').to_owned()).collect();
        Self { wanted, unwanted }
    }

    /// Whether a file is meant that is called so; one that cannot be read has a path only.
    #[must_use]
    pub fn means(&self, path: &Path, story: Option<&Scenario>) -> bool {
        let path = path.to_string_lossy().to_lowercase();
        let title = story.map(|story| story.title.to_lowercase()).unwrap_or_default();
        let has = |word: &String| {
            let mut tags = story.into_iter().flat_map(|story| &story.tags);
            path.contains(word) || title.contains(word) || tags.any(|tag| tag.to_lowercase() == *word)
        };
        (self.wanted.is_empty() || self.wanted.iter().any(has)) && !self.unwanted.iter().any(has)
    }
}

/// Plays a file twice and compares.
#[must_use]
pub fn play_file(file: &StoryFile, options: &Options) -> FileResult {
    let begun = started();
    let seed = options.seed.unwrap_or_else(|| file.scenario.seed());
    let mut result = unplayed(file.path.clone(), file.scenario.title.clone(), options, seed);
    result.incomplete.clone_from(&file.scenario.incomplete);
    let application = options.driver.application().filter(|_| speaks_with_application(&file.scenario, options));
    result.application = application.map(ApplicationTarget::flags);
    if let Some(why) = unplayable(&file.scenario, options, &mut result.tally) {
        result.outcome = StoryOutcome::Skipped(why);
        let unplayed = |row| StoryRun {
            example: Some(in_words(row)),
            failure: None,
            simulated_ms: 0,
            moments: Vec::new(),
            names: BTreeMap::new(),
            sequence: None,
            pictures: Vec::new(),
            capsule: Capsule::None,
        };
        result.rows = file.scenario.examples.iter().map(unplayed).collect();
        return result;
    }
    match rounds(&file.scenario, options, seed) {
        Err(error) => result.outcome = StoryOutcome::Failed(vec![Fault::Broken(error.to_string())]),
        Ok((first, second)) => settle(&mut result, file, options, &first, second.as_deref()),
    }
    result.took = begun.elapsed();
    result
}

/// Why a story cannot be played at all, if it cannot; counted where the server is no fundsim.
fn unplayable(scenario: &Scenario, options: &Options, tally: &mut Option<Tally>) -> Option<String> {
    if scenario.application_step().is_some() && options.driver.application().is_none() {
        return Some(NO_APPLICATION.to_owned());
    }
    if options.driver.foreign().is_some()
        && let Some(reason) = foreign::unaskable_whole(scenario)
    {
        *tally = Some(foreign::skipped(scenario, reason));
        return Some(format!("all of it {}", reason.words()));
    }
    let driver = options.driver.name();
    (scenario.needs_simulated_network() && options.driver != Choice::Turmoil).then(|| {
        format!("it has outages or crashes, which the {driver} driver cannot make; run it with `--driver turmoil`")
    })
}

/// Whether a story is played beside an application under test.
fn speaks_with_application(scenario: &Scenario, options: &Options) -> bool {
    scenario.application_step().is_some() && options.driver.application().is_some()
}

/// A file of which nothing is known yet.
fn unplayed(path: PathBuf, title: String, options: &Options, seed: u64) -> FileResult {
    FileResult {
        path,
        title,
        outcome: StoryOutcome::Passed,
        incomplete: None,
        seed,
        driver: options.driver.name(),
        digest: 0,
        simulated_ms: 0,
        rows: Vec::new(),
        transcript: String::new(),
        took: Duration::ZERO,
        application: None,
        foreign: options.driver.foreign().map(|foreign| foreign.file.clone()),
        tally: None,
    }
}

type Runs = Vec<Run>;

/// Two rounds, of which the second must say what the first did; a server that is no fundsim says it in words of its own each
/// time, and an application under test lives in real time.
fn rounds(scenario: &Scenario, options: &Options, seed: u64) -> io::Result<(Runs, Option<Runs>)> {
    let round = |extras| play(scenario, &options.driver, seed, extras);
    let Options { pictures, sequences, capsules, .. } = options;
    let first = round(Extras { pictures: pictures.is_some(), sequence: *sequences, capsule: *capsules })?;
    let is_alone = options.driver.foreign().is_some() || speaks_with_application(scenario, options);
    let second = if is_alone { None } else { Some(round(Extras::default())?) };
    Ok((first, second))
}

#[allow(clippy::disallowed_methods, reason = "how long a file took is shown to people and nothing else")]
fn started() -> Instant {
    Instant::now()
}

fn settle(result: &mut FileResult, file: &StoryFile, options: &Options, first: &[Run], second: Option<&[Run]>) {
    let mut faults = Vec::new();
    for run in first {
        let failures = run.failure.iter().flat_map(Failure::each);
        faults.extend(failures.map(|failure| Fault::Step { example: run.example.clone(), failure: Box::new(failure) }));
    }
    result.rows = rows(first);
    result.transcript = whole(first);
    result.digest = first.iter().fold(0, |all, run| all.rotate_left(1) ^ run.digest);
    result.simulated_ms = first.iter().map(|run| run.simulated_ms).sum();
    faults.extend(second.and_then(|second| apart(first, second)).map(Fault::Twice));
    match keep_pictures(options, file, first) {
        Ok(kept) => result.rows.iter_mut().zip(kept).for_each(|(row, kept)| row.pictures = kept),
        Err(error) => faults.push(Fault::Broken(error.to_string())),
    }
    if faults.is_empty() && options.seed.is_none() && second.is_some() {
        faults.extend(golden(&file.path, &result.transcript, options.bless));
    }
    result.tally = Tally::sum(first.iter().filter_map(|run| run.tally.as_ref()));
    if !faults.is_empty() {
        result.outcome = StoryOutcome::Failed(faults);
    } else if let Some(why) = result.tally.as_ref().and_then(nothing_asked) {
        result.outcome = StoryOutcome::Skipped(why);
    }
}

/// Why nothing of a story was asked, if nothing was: the reason of most of its steps.
fn nothing_asked(tally: &Tally) -> Option<String> {
    let total = tally.total();
    let main = tally.reasons().filter(|(reason, _)| *reason != Reason::Later).max_by_key(|(_, count)| *count);
    let why = main.map_or("has no step", |(reason, _)| reason.words());
    (total.held + total.broken == 0).then(|| format!("it cannot run against this server: it {why}"))
}

/// The runs of a file, their moments by lines of the transcript that they share.
fn rows(runs: &[Run]) -> Vec<StoryRun> {
    let mut before = 0;
    let mut rows = Vec::with_capacity(runs.len());
    for run in runs {
        let moments = run.moments.iter().map(|moment| Moment { line: moment.line + before, ..moment.clone() });
        rows.push(StoryRun {
            example: run.example.clone(),
            failure: run.failure.clone(),
            simulated_ms: run.simulated_ms,
            moments: moments.collect(),
            names: run.names.clone(),
            sequence: run.sequence.clone(),
            pictures: Vec::new(),
            capsule: match &run.capsule {
                Some(Ok(file)) => Capsule::Written(file.clone()),
                Some(Err(why)) => Capsule::Refused(why.clone()),
                None => Capsule::None,
            },
        });
        // An empty line is between two runs.
        before += run.transcript.lines().count() + 1;
    }
    rows
}

fn whole(runs: &[Run]) -> String {
    runs.iter().map(|run| run.transcript.as_str()).collect::<Vec<_>>().join("\n")
}

/// How two rounds differ, if they do.
fn apart(first: &[Run], second: &[Run]) -> Option<String> {
    if let Some(difference) = first_difference(&whole(first), &whole(second)) {
        return Some(difference);
    }
    let same = first.iter().map(|run| run.digest).eq(second.iter().map(|run| run.digest));
    (!same).then(|| "      the texts agree, the bytes behind them do not\n".to_owned())
}

/// The golden transcript beside a story.
#[must_use]
pub fn golden_path(story: &Path) -> PathBuf {
    story.with_extension("transcript")
}

fn golden(story: &Path, transcript: &str, bless: bool) -> Option<Fault> {
    let path = golden_path(story);
    if bless {
        return match fs::read_to_string(&path) {
            Ok(known) if known == transcript => None,
            _ => fs::write(&path, transcript).err().map(|error| Fault::Broken(format!("{}: {error}", path.display()))),
        };
    }
    match fs::read_to_string(&path) {
        Ok(known) => first_difference(&known, transcript).map(|difference| Fault::Golden { path, difference }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(Fault::Broken(format!("{}: {error}", path.display()))),
    }
}

/// Writes a picture for each account that a story has named, and the sequence, in each of its runs; answers the files of each run.
fn keep_pictures(options: &Options, file: &StoryFile, runs: &[Run]) -> io::Result<Vec<Vec<PathBuf>>> {
    let Some(folder) = &options.pictures else { return Ok(Vec::new()) };
    fs::create_dir_all(folder)?;
    let story = flat(&file.path.with_extension(""));
    let mut kept = Vec::with_capacity(runs.len());
    for (row, run) in runs.iter().enumerate() {
        let mut own = Vec::with_capacity(run.pictures.len());
        let row = if runs.len() > 1 { format!("-{}", row + 1) } else { String::new() };
        for (name, picture) in &run.pictures {
            let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
            let file = folder.join(format!("{story}{row}-{name}.svg"));
            fs::write(&file, picture)?;
            own.push(file);
        }
        kept.push(own);
    }
    Ok(kept)
}

/// A path as one name.
pub(crate) fn flat(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            std::path::Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fundsim-suite-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn a_search_follows_no_link_in_a_circle_and_takes_files_only() {
        let top = folder("circle");
        fs::create_dir_all(top.join("a/b")).expect("folders");
        symlink(&top, top.join("a/b/again")).expect("a link");
        symlink("/dev/zero", top.join("endless.yaml")).expect("a link");
        fs::write(top.join("a/b/one.yaml"), "").expect("a file");
        let found = find(std::slice::from_ref(&top)).expect("a folder that can be read");
        fs::remove_dir_all(&top).expect("it can go");
        assert_eq!(found, [top.join("a/b/one.yaml")]);
    }

    #[test]
    fn a_search_of_too_much_stops_with_words() {
        let top = folder("much");
        let deep: PathBuf = std::iter::repeat_n("d", MOST_DEPTH + 2).collect();
        fs::create_dir_all(top.join(deep)).expect("folders");
        let large = fs::File::create(top.join("large.yaml")).expect("a file");
        let refused = |top: &PathBuf| find(std::slice::from_ref(top)).expect_err("too much").to_string();
        let first = refused(&top);
        fs::remove_dir_all(top.join("d")).expect("it can go");
        large.set_len(MOST_BYTES + 1).expect("a file with a hole");
        let second = refused(&top);
        fs::remove_dir_all(&top).expect("it can go");
        assert!(first.ends_with("folders are nested more than 64 deep; name a narrower folder"), "{first}");
        assert!(second.ends_with("its scenario files have more than 256 MiB; name a narrower folder"), "{second}");
    }
}
