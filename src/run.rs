//! `fundsim run`: files are found, read, played side by side and reported in order.

use crate::args::{DriverName, Output, Run, Tested};
use crate::exit::{FAILED, UNUSABLE, WELL};
use crate::interrupt;
use crate::out;
use crate::period::duration;
use crate::trust;
use crate::watch::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use language::parse::STDIN;
use runner::drivers::application::{ApplicationTarget, header};
use runner::drivers::probe::probe;
use runner::drivers::target::Target;
use runner::drivers::{Choice, live};
use runner::foreign::Foreign;
use runner::report::{capsule, html, json, junit, printable, text, totals, transcript};
use runner::suite::{self, FileResult, Filter, Options, StoryFile, StoryOutcome, UnreadableFile};
use sim::time::Instant;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// Plays the files.
pub(crate) fn run(flags: &Run) -> u8 {
    let options = match options(flags) {
        Ok(options) => options,
        Err(why) => return out::refuse(&why),
    };
    if flags.watch {
        return keep_playing(flags, &options).unwrap_or_else(|why| out::refuse(&why));
    }
    let (stories, unreadable) = match stories(flags) {
        Ok(found) => found,
        Err(why) => return out::refuse(&why),
    };
    if flags.list {
        stories.iter().for_each(|story| out::say(&listed(story)));
        return if unreadable.is_empty() { WELL } else { show_unreadable(&unreadable) };
    }
    if stories.is_empty() {
        return show_unreadable(&unreadable);
    }
    let options = match playable(&options, &stories).and_then(|()| writable(flags)).and_then(|()| reachable(options)) {
        Ok(options) => options,
        Err(why) => return out::refuse(&why),
    };
    let began = Began::now();
    let results = played(flags, &options, &stories, unreadable);
    if let Err(error) = write_reports(flags, &results, began) {
        return out::refuse(&error);
    }
    print_results(flags, &results);
    let totals = totals(&results);
    match (totals.failed, totals.passed) {
        (0, 0) => out::refuse("none of these files can be played by this driver"),
        (0, _) => WELL,
        _ => FAILED,
    }
}

/// Plays the stories; files that are none have a result, too.
fn played(flags: &Run, options: &Options, stories: &[StoryFile], unreadable: Vec<UnreadableFile>) -> Vec<FileResult> {
    let mut results = play(flags, options, stories);
    for file in unreadable {
        let result = suite::unreadable(file, options);
        if flags.output == Output::Text {
            out::show(&text::file(&result, url(flags), flags.why.into()));
        }
        results.push(result);
    }
    results
}

fn print_results(flags: &Run, results: &[FileResult]) {
    match flags.output {
        Output::Text => out::show(&text::summary(results)),
        Output::Json => out::say(&format!("{}\n", json::results(results, url(flags)))),
    }
}

/// Plays the stories, and those again that a change concerns, until Ctrl-C.
fn keep_playing(flags: &Run, options: &Options) -> Result<u8, String> {
    if flags.list || flags.paths.iter().any(|path| path == Path::new(STDIN)) {
        return Err("--watch plays files again: leave --list and standard input out".to_owned());
    }
    writable(flags)?;
    let options = &reachable(options.clone())?;
    let mut watch = Watch::new()?;
    interrupt::listen(watch.end())?;
    let mut known = BTreeMap::<PathBuf, FileResult>::new();
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    loop {
        let files = suite::find(&flags.paths).unwrap_or_else(|error| {
            out::note(&format!("fundsim: {error}\n"));
            Vec::new()
        });
        let sources: BTreeMap<_, _> = files.iter().map(|file| (file.clone(), suite::sources(file))).collect();
        observe(&mut watch, flags, &sources)?;
        known.retain(|file, _| sources.contains_key(file));
        let is_concerned = |file: &PathBuf| {
            changed.as_ref().is_none_or(|changed| sources.get(file).is_some_and(|its| !its.is_disjoint(changed)))
        };
        let (stories, unreadable) =
            meant(flags, &files.iter().filter(|file| is_concerned(file)).cloned().collect::<Vec<_>>());
        let is_some = !stories.is_empty() || !unreadable.is_empty();
        if is_some {
            let began = Began::now();
            known.extend(
                played(flags, options, &stories, unreadable).into_iter().map(|result| (result.path.clone(), result)),
            );
            let all: Vec<_> = known.values().cloned().collect();
            write_reports(flags, &all, began)?;
            print_results(flags, &all);
        }
        if interrupt::is_asked() {
            return Ok(WELL);
        }
        if changed.is_none() || is_some {
            out::note("waiting for a change; Ctrl-C ends\n");
        }
        match watch.next() {
            Some(paths) => changed = Some(paths),
            None => return Ok(WELL),
        }
    }
}

/// Watches the folders that are named, and those of all files that stories are made of.
fn observe(watch: &mut Watch, flags: &Run, sources: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Result<(), String> {
    for folder in flags.paths.iter().filter(|path| path.is_dir()) {
        watch.folder(folder, true)?;
    }
    let folders: BTreeSet<_> = sources.values().flatten().filter_map(|file| file.parent()).collect();
    let is_below = |folder: &Path| {
        flags.paths.iter().any(|path| path.canonicalize().is_ok_and(|path| path.is_dir() && folder.starts_with(path)))
    };
    folders
        .into_iter()
        .filter(|folder| folder.is_dir() && !is_below(folder))
        .try_for_each(|folder| watch.folder(folder, false))
}

/// Looks whether there is a server to run against, and one that is no fundsim whether it is as its file says.
pub(crate) fn reachable(options: Options) -> Result<Options, String> {
    let Choice::Live { server, operator_token, timeout, foreign, application } = options.driver else {
        return Ok(options);
    };
    live::reach(&server, timeout)?;
    if let Some(application) = &application {
        live::reach(&application.server, timeout).map_err(|why| format!("the application under test: {why}"))?;
    }
    let foreign = foreign.map(|foreign| probe(&server, timeout, foreign)).transpose()?;
    Ok(Options { driver: Choice::Live { server, operator_token, timeout, foreign, application }, ..options })
}

fn options(flags: &Run) -> Result<Options, String> {
    let application = application(flags)?;
    let driver = if application.is_some() { DriverName::Live } else { flags.driver };
    if flags.timeout.is_some() && driver != DriverName::Live {
        return Err("--timeout is for the live driver: add --driver live --url URL".to_owned());
    }
    let driver = match (driver, url(flags)) {
        (DriverName::Turmoil, None) => Choice::Turmoil,
        (DriverName::InProcess, None) => Choice::InProcess,
        (DriverName::Live, Some(url)) => {
            let server = Target { url: url.to_owned(), trust: trust::of_flag(flags.ca_file.as_deref())? };
            live::check_url(&server)?;
            let timeout = flags.timeout.as_deref().map_or(Ok(live::TIMEOUT), duration)?;
            Choice::Live {
                server,
                operator_token: operator_token(flags.operator_token_env.as_deref())?,
                timeout,
                foreign: flags.foreign.as_deref().map(foreign).transpose()?,
                application: application.map(Box::new),
            }
        }
        (DriverName::Live, None) => {
            return Err("the live driver needs --url, as in --url http://127.0.0.1:8080".to_owned());
        }
        (_, Some(_)) => return Err("--url is for the live driver: add --driver live".to_owned()),
    };
    if flags.bless && flags.paths.iter().any(|path| path == Path::new(STDIN)) {
        return Err("--bless writes goldens next to scenario files, and standard input is no file: leave --bless out"
            .to_owned());
    }
    if flags.bless && flags.seed.is_some() {
        return Err("goldens are made with the seeds that the files name: leave --seed out when you --bless".to_owned());
    }
    Ok(Options {
        driver,
        seed: flags.seed,
        bless: flags.bless,
        pictures: flags.pictures.clone(),
        sequences: flags.html.is_some(),
        capsules: flags.capsules.is_some(),
    })
}

/// Where `fundsim serve` listens unless a flag says otherwise.
pub(crate) const USUAL_URL: &str = "http://127.0.0.1:8080";

/// The server that stories are played against, where it is one that runs already.
fn url(flags: &Run) -> Option<&str> {
    flags.url.as_deref().or_else(|| flags.app.as_ref().map(|_| USUAL_URL))
}

/// The application under test, where one is named.
fn application(flags: &Run) -> Result<Option<ApplicationTarget>, String> {
    let Some(app) = &flags.app else {
        for (flag, is_there) in
            [("--app-header", !flags.tested.app_header.is_empty()), ("--world", flags.tested.world.is_some())]
        {
            if is_there {
                return Err(format!("{flag} is about an application under test: add --app URL"));
            }
        }
        return Ok(None);
    };
    if flags.driver == DriverName::InProcess {
        return Err("an application under test needs a sandbox that runs, at --url: leave --driver out".to_owned());
    }
    target(app, &flags.tested, flags.ca_file.as_deref()).map(Some)
}

/// An application under test, its world and its partner.
pub(crate) fn target(app: &str, tested: &Tested, ca_file: Option<&Path>) -> Result<ApplicationTarget, String> {
    let partner = match (&tested.client_id, &tested.client_secret) {
        (Some(id), Some(secret)) => Some((id.clone(), secret.clone())),
        (None, None) => None,
        _ => return Err("a partner is named by --client-id and --client-secret together".to_owned()),
    };
    if tested.world.as_deref() == Some("current") && partner.is_none() {
        return Err("--world current is the world of a partner: add --client-id and --client-secret".to_owned());
    }
    let server = Target { url: app.to_owned(), trust: trust::of_flag(ca_file)? };
    let authority = app.split_once("://").map_or(app, |(_, rest)| rest).split('/').next().unwrap_or_default();
    if authority.contains('@') {
        return Err(
            "--app: a URL with a name and a password is shown in reports; say --app-header 'authorization: ...'"
                .to_owned(),
        );
    }
    live::check_url(&server).map_err(|why| format!("--app: {why}"))?;
    let headers = tested.app_header.iter().map(|text| header(text).map_err(|why| format!("--app-header: {why}")));
    let headers = headers.collect::<Result<_, _>>()?;
    Ok(ApplicationTarget { server, headers, world: tested.world.clone(), partner })
}

/// That a story which asks an application is not played alone where none is named; among others it is skipped.
fn playable(options: &Options, stories: &[StoryFile]) -> Result<(), String> {
    let asks = |story: &StoryFile| story.scenario.application_step().is_some();
    if options.driver.application().is_some() || !stories.iter().all(asks) {
        return Ok(());
    }
    let Some(story) = stories.first() else { return Ok(()) };
    Err(format!("{}: {}", story.path.display(), suite::NO_APPLICATION))
}

/// The server that a file describes.
pub(crate) fn foreign(path: &Path) -> Result<Foreign, String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    Ok(Foreign { file: path.to_owned(), ..Foreign::parse(&text).map_err(named)? })
}

/// The token in the named environment variable.
pub(crate) fn operator_token(name: Option<&str>) -> Result<Option<String>, String> {
    let Some(name) = name else { return Ok(None) };
    match std::env::var(name) {
        Ok(token) if !token.trim().is_empty() => Ok(Some(token.trim().to_owned())),
        _ => Err(format!("the environment variable {name} holds no token")),
    }
}

/// The stories that are meant, and the files that should have been some.
fn stories(flags: &Run) -> Result<(Vec<StoryFile>, Vec<UnreadableFile>), String> {
    let files = suite::find(&flags.paths).map_err(|error| error.to_string())?;
    let (stories, unreadable) = meant(flags, &files);
    if stories.is_empty() && unreadable.is_empty() {
        return Err("no story matches the filter".to_owned());
    }
    Ok((stories, unreadable))
}

/// What of the files the filter leaves.
fn meant(flags: &Run, files: &[PathBuf]) -> (Vec<StoryFile>, Vec<UnreadableFile>) {
    let (mut stories, mut unreadable) = suite::load(files);
    let filter = Filter::new(flags.filter.iter().map(String::as_str));
    stories.retain(|story| filter.means(&story.path, Some(&story.scenario)));
    unreadable.retain(|file| filter.means(&file.path, None));
    (stories, unreadable)
}

/// A story in a line: its file, its title, its tags.
fn listed(story: &StoryFile) -> String {
    let scenario = &story.scenario;
    let tags = if scenario.tags.is_empty() { String::new() } else { format!("  [{}]", scenario.tags.join(", ")) };
    printable(&format!("{}  {}{tags}", story.path.display(), scenario.title)) + "\n"
}

/// Shows what is wrong with files that are no stories.
fn show_unreadable(unreadable: &[UnreadableFile]) -> u8 {
    unreadable.iter().for_each(|file| out::faults(&file.faults));
    UNUSABLE
}

/// Looks whether results can be written before hours are spent on them.
fn writable(flags: &Run) -> Result<(), String> {
    if flags.junit.is_some() && flags.junit == flags.html {
        return Err("--junit and --html name the same file: one of them would be lost".to_owned());
    }
    for path in flags.junit.iter().chain(&flags.html) {
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    for folder in flags.transcript.iter().chain(&flags.pictures).chain(&flags.capsules) {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

/// Plays all stories, several at once, and reports each as soon as those before it are reported.
fn play(flags: &Run, options: &Options, stories: &[StoryFile]) -> Vec<FileResult> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Stories that share clients, or an application, would receive each other's events.
    let is_shared = options.driver.foreign().is_some() || options.driver.application().is_some();
    let most = if is_shared { 1 } else { stories.len() };
    let jobs = flags.jobs.map_or(cores, usize::from).min(most);
    let progress = progress(stories.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((at, story)) = claim(next, stories).filter(|_| !interrupt::is_asked()) {
                    let mut result = suite::play_file(story, options);
                    if let Some(folder) = &flags.transcript {
                        transcript::keep(folder, &mut result);
                    }
                    if let Some(folder) = &flags.capsules {
                        capsule::keep(folder, &mut result, url(flags));
                    }
                    if flags.fail_fast && matches!(result.outcome, StoryOutcome::Failed(_)) {
                        // Nobody claims what lies behind the end.
                        next.store(stories.len(), Ordering::Relaxed);
                    }
                    if sender.send((at, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        collect(flags, &receiver, stories.len(), &progress)
    })
}

fn claim<'s>(next: &AtomicUsize, stories: &'s [StoryFile]) -> Option<(usize, &'s StoryFile)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    stories.get(at).map(|story| (at, story))
}

fn collect(
    flags: &Run,
    receiver: &mpsc::Receiver<(usize, FileResult)>,
    count: usize,
    progress: &ProgressBar,
) -> Vec<FileResult> {
    let mut waiting: Vec<Option<FileResult>> = (0..count).map(|_| None).collect();
    let mut done = Vec::new();
    for (at, result) in receiver {
        progress.inc(1);
        progress.set_message(result.title.clone());
        waiting[at] = Some(result);
        while let Some(result) = waiting.get_mut(done.len()).and_then(Option::take) {
            if flags.output == Output::Text {
                let rendered = text::file(&result, url(flags), flags.why.into());
                progress.suspend(|| out::show(&rendered));
            }
            done.push(result);
        }
    }
    progress.finish_and_clear();
    done
}

/// A bar on a terminal, nothing elsewhere.
fn progress(count: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// When stories began to be played, by the clocks of the machine.
#[derive(Clone, Copy)]
struct Began {
    at: Instant,
    since: std::time::Instant,
}

impl Began {
    #[allow(clippy::disallowed_methods, reason = "a report says when it was made; no run sees the clock")]
    fn now() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = Instant::from_ms(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX));
        Self { at, since: std::time::Instant::now() }
    }
}

fn write_reports(flags: &Run, results: &[FileResult], began: Began) -> Result<(), String> {
    let url = url(flags);
    if let Some(path) = &flags.junit {
        let xml = junit::xml(results, url).map_err(|error| format!("{}: {error}", path.display()))?;
        write(path, &xml)?;
    }
    if let Some(path) = &flags.html {
        let version = env!("CARGO_PKG_VERSION");
        let about = html::About { version, began: began.at, took: began.since.elapsed(), file: Some(path) };
        write(path, &html::page(results, url, &about))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
