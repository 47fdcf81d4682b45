//! `fundsim fuzz`: generated runs, counted and judged; failures shrunk and kept as scenario files.

use crate::args::{Fuzz, Level, Output};
use crate::exit::{FAILED, WELL};
use crate::out;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scenarios::fuzz::batch::{Batch, Bound, Options, batch_of};
use scenarios::fuzz::network::OverNetwork;
use scenarios::fuzz::records::Keeping;
use scenarios::fuzz::{OnWorlds, Stage, report};
use scenarios::generate::Profile;
use scenarios::words;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Where failures go unless a folder is named.
const FOUND: &str = "found";
/// How long a batch goes on unless it is told.
const A_MINUTE: Duration = Duration::from_secs(60);
/// Steps of a run unless told: enough that making worlds costs little, few enough that a failure is shrunk soon.
const STEPS: u32 = 2_000;
/// The same over the network, where a step costs a hundred times as much.
const STEPS_OVER_NETWORK: u32 = 100;
/// Machines that generated runs visit, with the steps in a thousand that are about journeys then; each seed has its own
/// share where none is named.
const MACHINES: &[(&str, Option<u16>)] = &[
    ("all", None),
    ("order", Some(0)),
    ("journey", Some(900)),
    ("account", Some(900)),
    ("bankAccount", Some(900)),
    ("mandate", Some(900)),
    ("submission", Some(900)),
    ("transfer", Some(900)),
];

/// Runs generated scenarios.
pub(crate) fn fuzz(flags: &Fuzz) -> u8 {
    let options = match options(flags) {
        Ok(options) => options,
        Err(why) => return out::refuse(&why),
    };
    // A panic in a world is a finding; it is told once, shrunk.
    std::panic::set_hook(Box::new(|_| {}));
    let bar = progress();
    let progress = |so_far: &Batch| tell(&bar, so_far);
    let journeys = machine(&flags.machine).flatten();
    let stage = |seed| with_journeys(Stage::generated(seed), journeys);
    let outcome = match (flags.level, &flags.keep) {
        (Level::Network, _) => batch_of(&OverNetwork(stage), &options, progress),
        (Level::World, None) => batch_of(&OnWorlds(stage), &options, progress),
        (Level::World, Some(folder)) => {
            batch_of(&Keeping { runs: OnWorlds(stage), folder: folder.clone() }, &options, progress)
        }
    };
    bar.finish_and_clear();
    match outcome.and_then(|batch| conclude(flags, &batch)) {
        Ok(code) => code,
        Err(error) => out::refuse(&error.to_string()),
    }
}

fn options(flags: &Fuzz) -> Result<Options, String> {
    is_machine(&flags.machine)?;
    if flags.keep.is_some() && flags.level == Level::Network {
        return Err("runs over the network are not kept; leave --keep or --level network out".to_owned());
    }
    let bound = match (&flags.seeds, &flags.time) {
        (Some(seeds), _) => Bound::Seeds(range(seeds)?),
        (None, Some(time)) => Bound::Time(duration(time)?),
        (None, None) => Bound::Time(A_MINUTE),
    };
    let steps = flags.steps.unwrap_or(match flags.level {
        Level::World => STEPS,
        Level::Network => STEPS_OVER_NETWORK,
    });
    let steps = usize::try_from(steps).map_err(|error| error.to_string())?;
    Ok(Options { bound, steps, jobs: thread::available_parallelism().map_or(1, usize::from) })
}

fn with_journeys(stage: Stage, share: Option<u16>) -> Stage {
    let own = stage.profile;
    Stage { profile: Profile { journeys: share.unwrap_or(own.journeys), ..own }, ..stage }
}

/// The share of journeys for the machine of this name; `order` and `orders` both are what people type.
fn machine(name: &str) -> Option<Option<u16>> {
    let found = MACHINES.iter().find(|(known, _)| *known == name || name.strip_suffix('s') == Some(known));
    found.map(|(_, share)| *share)
}

fn is_machine(name: &str) -> Result<(), String> {
    if machine(name).is_some() {
        return Ok(());
    }
    let names = || MACHINES.iter().map(|(name, _)| *name);
    let hint = words::nearest(name, names()).map_or_else(
        || format!("machines: {}", names().collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Err(format!("no generated run visits a machine `{name}`; {hint}"))
}

/// `A..B`, or one seed.
fn range(text: &str) -> Result<std::ops::Range<u64>, String> {
    let number =
        |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` is no seed; write --seeds 1..200"));
    let range = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => {
            let seed = number(text)?;
            seed..seed.saturating_add(1)
        }
    };
    if range.is_empty() { Err(format!("there is no seed in {text}; the first comes first")) } else { Ok(range) }
}

/// `60s`, `5m`, `1h`, or plain seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let count: Option<u64> = digits.parse().ok();
    let seconds = match unit.trim() {
        "" | "s" => Some(1),
        "m" | "min" => Some(60),
        "h" => Some(3_600),
        _ => None,
    };
    let time = count.zip(seconds).and_then(|(count, seconds)| count.checked_mul(seconds));
    time.filter(|&time| time > 0)
        .map(Duration::from_secs)
        .ok_or_else(|| format!("`{text}` is no time; write --for 60s or --for 5m"))
}

/// A line on a terminal, nothing elsewhere.
fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn tell(bar: &ProgressBar, so_far: &Batch) {
    bar.tick();
    bar.set_message(format!("{} seeds, {} steps, {} failed", so_far.seeds, so_far.steps, so_far.failed));
}

fn conclude(flags: &Fuzz, batch: &Batch) -> std::io::Result<u8> {
    let folder = flags.save.as_deref().unwrap_or_else(|| Path::new(FOUND));
    let saved = batch.failures.iter().map(|failure| report::save(folder, failure));
    let files = saved.collect::<std::io::Result<Vec<PathBuf>>>()?;
    match flags.output {
        Output::Json => out::say(&format!("{}\n", report::json(batch, &files))),
        Output::Text => {
            if let Some(first) = batch.failures.first() {
                out::say(&format!("seed {}\n", first.seed));
            }
            out::say(&report::text(batch));
            for (failure, file) in batch.failures.iter().zip(&files) {
                out::say(&format!("\n{}", report::failure(failure, file)));
            }
        }
    }
    Ok(if batch.failed == 0 { WELL } else { FAILED })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_as_a_range_or_one() {
        for (text, range_) in [
            ("1..200", Some(1..200)),
            ("7", Some(7..8)),
            (" 0 .. 3 ", Some(0..3)),
            ("5..5", None),
            ("x", None),
            ("-1..3", None),
        ] {
            assert_eq!(range(text).ok(), range_, "{text}");
        }
    }

    #[test]
    fn times_are_read_with_or_without_a_unit() {
        for (text, seconds) in [
            ("60s", Some(60)),
            ("5m", Some(300)),
            ("2h", Some(7_200)),
            ("9", Some(9)),
            ("0s", None),
            ("1.5s", None),
            ("", None),
        ] {
            assert_eq!(duration(text).ok(), seconds.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn an_unknown_machine_is_refused_with_a_hint() {
        for name in ["order", "orders", "all", "journeys", "bankAccount", "transfer"] {
            assert_eq!(is_machine(name), Ok(()), "{name}");
        }
        assert!(is_machine("ordre").is_err_and(|why| why.contains("`order`")));
    }
}
