//! `fundsim run`: files are found, read, played side by side and reported in order.

use crate::args::{DriverName, Output, Run};
use crate::exit::{FAILED, UNUSABLE, WELL};
use crate::out;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scenarios::drivers::{Choice, live};
use scenarios::report::{html, json, junit, text, totals};
use scenarios::runner::suite::{self, FileResult, Options, StoryFile};
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Plays the files.
pub(crate) fn run(flags: &Run) -> u8 {
    let options = match options(flags) {
        Ok(options) => options,
        Err(why) => return out::refuse(&why),
    };
    let stories = match stories(flags) {
        Ok(stories) => stories,
        Err(code) => return code,
    };
    let results = play(flags, &options, &stories);
    if let Err(error) = write_reports(flags, &results) {
        return out::refuse(&error);
    }
    match flags.output {
        Output::Text => out::say(&text::summary(&results)),
        Output::Json => out::say(&format!("{}\n", json::results(&results))),
    }
    let totals = totals(&results);
    match (totals.failed, totals.passed) {
        (0, 0) => out::refuse("none of these files can be played by this driver"),
        (0, _) => WELL,
        _ => FAILED,
    }
}

fn options(flags: &Run) -> Result<Options, String> {
    let driver = match (flags.driver, &flags.url) {
        (DriverName::Turmoil, None) => Choice::Turmoil,
        (DriverName::InProcess, None) => Choice::InProcess,
        (DriverName::Live, Some(url)) => {
            live::check_url(url)?;
            Choice::Live { url: url.clone(), operator_token: operator_token(flags.operator_token_env.as_deref())? }
        }
        (DriverName::Live, None) => {
            return Err("the live driver needs --url, as in --url http://127.0.0.1:8080".to_owned());
        }
        (_, Some(_)) => return Err("--url is for the live driver: add --driver live".to_owned()),
    };
    if flags.bless && flags.seed.is_some() {
        return Err("goldens are made with the seeds that the files name: leave --seed out when you --bless".to_owned());
    }
    Ok(Options {
        driver,
        seed: flags.seed,
        bless: flags.bless,
        transcripts: flags.transcript.clone(),
        pictures: flags.pictures.clone(),
    })
}

/// The token in the named environment variable.
pub(crate) fn operator_token(name: Option<&str>) -> Result<Option<String>, String> {
    let Some(name) = name else { return Ok(None) };
    match std::env::var(name) {
        Ok(token) if !token.trim().is_empty() => Ok(Some(token.trim().to_owned())),
        _ => Err(format!("the environment variable {name} holds no token")),
    }
}

fn stories(flags: &Run) -> Result<Vec<StoryFile>, u8> {
    let files = suite::find(&flags.paths).map_err(|error| out::refuse(&error.to_string()))?;
    let mut stories = suite::load(&files).map_err(|faults| {
        out::faults(&faults);
        UNUSABLE
    })?;
    if let Some(filter) = &flags.filter {
        stories.retain(|story| suite::is_meant(story, filter));
    }
    if stories.is_empty() {
        return Err(out::refuse("there is no such story"));
    }
    Ok(stories)
}

/// Plays all stories, several at once, and reports each as soon as those before it are reported.
fn play(flags: &Run, options: &Options, stories: &[StoryFile]) -> Vec<FileResult> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = flags.jobs.map_or(cores, usize::from).min(stories.len());
    let progress = progress(stories.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((at, story)) = claim(next, stories) {
                    if sender.send((at, suite::play_file(story, options))).is_err() {
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
                let told = text::file(&result, flags.url.as_deref());
                progress.suspend(|| out::say(&told));
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

fn write_reports(flags: &Run, results: &[FileResult]) -> Result<(), String> {
    let url = flags.url.as_deref();
    if let Some(path) = &flags.junit {
        let xml = junit::xml(results, url).map_err(|error| format!("{}: {error}", path.display()))?;
        write(path, &xml)?;
    }
    if let Some(path) = &flags.html {
        write(path, &html::page(results, url))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
