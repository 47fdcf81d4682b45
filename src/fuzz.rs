//! `fundsim fuzz`: generated runs, counted and judged; failures shrunk and kept as scenario files.

mod foreign;

use crate::args::{Fuzz, Level, Output};
use crate::exit::{FAILED, WELL};
use crate::interrupt::{self, INTERRUPTED};
use crate::out;
use crate::period::{duration, in_two_units};
use fuzz::batch::{Batch, Bound, Options, batch_until};
use fuzz::consumer::AroundConsumer;
use fuzz::generate::Profile;
use fuzz::network::OverNetwork;
use fuzz::records::Keeping;
use fuzz::{OnWorlds, RunSetup, report};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use language::words;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where failures go unless a folder is named.
const FOUND: &str = "found";
/// How long a batch runs unless a flag says.
const A_MINUTE: Duration = Duration::from_secs(60);
/// Steps of a run unless a flag says: enough that making worlds costs little, few enough that a failure is shrunk soon.
const STEPS: u32 = 2_000;
/// The same over the network, where a step costs a hundred times as much.
const STEPS_OVER_NETWORK: u32 = 100;
/// The same around a consumer, where the end of all outages costs as much as the run.
const STEPS_AROUND_A_CONSUMER: u32 = 40;
/// Seeds that a day has to itself: more than a night can run.
const SEEDS_OF_A_DAY: u64 = 10_000_000;
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
    let folder = flags.save.as_deref().unwrap_or_else(|| Path::new(FOUND));
    if flags.foreign.is_some() {
        let listening = interrupt::listen(|| out::note("interrupted: the run under way ends\n"));
        return listening
            .and_then(|()| foreign::fuzz(flags, folder, &options.bound, &progress()))
            .unwrap_or_else(|why| out::refuse(&why));
    }
    if let Err(why) =
        interrupt::listen(|| out::note("interrupted: present runs finish; another Ctrl-C stops immediately\n"))
    {
        return out::refuse(&why);
    }
    if flags.nightly
        && let Bound::Time { first, .. } = options.bound
    {
        out::note(&format!("first seed {first}\n"));
    }
    // A panic in a world is a finding; it is reported once, shrunk.
    std::panic::set_hook(Box::new(|_| {}));
    let bar = progress();
    let progress = |so_far: &Batch| {
        bar.tick();
        bar.set_message(under_way(so_far, &options.bound));
    };
    let journeys = machine(&flags.machine).flatten();
    let stage = |seed| with_journeys(RunSetup::generated(seed), journeys);
    let outcome = match (flags.level, &flags.keep) {
        (Level::Network, _) => batch_until(&OverNetwork(stage), &options, interrupt::is_asked, progress),
        (Level::Consumer, _) => batch_until(&AroundConsumer, &options, interrupt::is_asked, progress),
        (Level::World, None) => batch_until(&OnWorlds(stage), &options, interrupt::is_asked, progress),
        (Level::World, Some(folder)) => {
            let kept = Keeping { runs: OnWorlds(stage), folder: folder.clone() };
            batch_until(&kept, &options, interrupt::is_asked, progress)
        }
    };
    bar.finish_and_clear();
    match outcome.and_then(|batch| conclude(flags, folder, &batch)) {
        Ok(code) => code,
        Err(error) => out::refuse(&error.to_string()),
    }
}

fn options(flags: &Fuzz) -> Result<Options, String> {
    is_machine(&flags.machine)?;
    if flags.keep.is_some() && flags.level != Level::World {
        return Err("runs over the network are not kept; leave --keep or --level out".to_owned());
    }
    let bound = seeds_or_time(flags)?;
    let steps = flags.steps.unwrap_or(match flags.level {
        Level::World => STEPS,
        Level::Network => STEPS_OVER_NETWORK,
        Level::Consumer => STEPS_AROUND_A_CONSUMER,
    });
    let steps = usize::try_from(steps).map_err(|error| error.to_string())?;
    Ok(Options { bound, steps, jobs: thread::available_parallelism().map_or(1, usize::from) })
}

/// The range of seeds, or the first seed and the time.
fn seeds_or_time(flags: &Fuzz) -> Result<Bound, String> {
    let time = flags.time.as_deref().map(duration).transpose()?;
    let from = |first| Bound::Time { first, time: time.unwrap_or(A_MINUTE) };
    if flags.nightly {
        return Ok(from(seed_of_today()));
    }
    let Some(seeds) = flags.seeds.as_deref() else { return Ok(from(0)) };
    match (range(seeds)?, time) {
        ((first, None), _) => Ok(from(first)),
        ((first, Some(end)), None) => Ok(Bound::Seeds(first..end)),
        ((first, Some(_)), Some(_)) => {
            Err(format!("a last seed and --for are two ends: leave --for out, or write --seeds {first}.."))
        }
    }
}

/// Another one every day, far enough from those of other days.
#[allow(clippy::disallowed_methods, reason = "which seeds a night runs is told beforehand; no run sees the clock")]
fn seed_of_today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / 86_400 * SEEDS_OF_A_DAY
}

fn with_journeys(stage: RunSetup, share: Option<u16>) -> RunSetup {
    let own = stage.profile;
    RunSetup { profile: Profile { journeys: share.unwrap_or(own.journeys), ..own }, ..stage }
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

/// `A..B`, `A..`, or one seed: the first, and the one past the last where there is one.
fn range(text: &str) -> Result<(u64, Option<u64>), String> {
    let number =
        |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` is not a seed; write --seeds 1..200"));
    let (first, end) = match text.split_once("..") {
        Some((from, to)) if to.trim().is_empty() => (number(from)?, None),
        Some((from, to)) => (number(from)?, Some(number(to)?)),
        None => (number(text)?, Some(number(text)?.saturating_add(1))),
    };
    match end {
        Some(end) if end <= first => Err(format!("the range {text} is empty; write the smaller seed first")),
        _ => Ok((first, end)),
    }
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

/// How far it is, how fast, and how much time is left.
fn under_way(so_far: &Batch, bound: &Bound) -> String {
    let (of, left) = match bound {
        Bound::Seeds(seeds) => {
            let rest = u32::try_from((seeds.end - seeds.start).saturating_sub(so_far.seeds)).unwrap_or(u32::MAX);
            let done = u32::try_from(so_far.seeds).unwrap_or(u32::MAX).max(1);
            (format!(" to {}", seeds.end - 1), so_far.took.saturating_mul(rest) / done)
        }
        Bound::Time { time, .. } => (String::new(), time.saturating_sub(so_far.took)),
    };
    let Batch { first, seeds, failed, .. } = so_far;
    let rate = report::steps_per_second(so_far);
    format!("{seeds} seeds from {first}{of}, {rate} steps a second, {failed} failed, {} left", in_two_units(left))
}

fn conclude(flags: &Fuzz, folder: &Path, batch: &Batch) -> std::io::Result<u8> {
    let saved = batch.failures.iter().map(|failure| report::save(folder, failure));
    let files = saved.collect::<std::io::Result<Vec<PathBuf>>>()?;
    match flags.output {
        Output::Json => out::say(&format!("{}\n", report::json(batch, &files))),
        Output::Text => {
            if let Some(first) = batch.failures.first() {
                out::say(&format!("seed {}\n", first.seed));
            }
            out::show(&report::text(batch));
            for (failure, file) in batch.failures.iter().zip(&files) {
                out::show(&format!("\n{}", report::failure(failure, file)));
            }
        }
    }
    Ok(match batch.failed {
        0 if interrupt::is_asked() => INTERRUPTED,
        0 => WELL,
        _ => FAILED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_as_a_range_or_one() {
        for (text, range_) in [
            ("1..200", Some((1, Some(200)))),
            ("7", Some((7, Some(8)))),
            (" 0 .. 3 ", Some((0, Some(3)))),
            ("500..", Some((500, None))),
            ("..5", None),
            ("5..5", None),
            ("x", None),
            ("-1..3", None),
        ] {
            assert_eq!(range(text).ok(), range_, "{text}");
        }
    }

    #[test]
    fn the_progress_line_shows_range_rate_and_remainder() {
        let over = |bound: Bound| {
            let options = Options { bound: Bound::Seeds(5..9), steps: 5, jobs: 1 };
            let mut batch = batch_until(&OnWorlds(RunSetup::generated), &options, || false, |_| {}).expect("a batch");
            (batch.took, batch.steps) = (Duration::from_secs(10), 5_000);
            under_way(&batch, &bound)
        };
        assert_eq!(over(Bound::Seeds(5..17)), "4 seeds from 5 to 16, 500 steps a second, 0 failed, 20 s left");
        let hour = Bound::Time { first: 5, time: Duration::from_secs(3_600) };
        assert_eq!(over(hour), "4 seeds from 5, 500 steps a second, 0 failed, 59 min 50 s left");
    }

    #[test]
    fn an_unknown_machine_is_refused_with_a_hint() {
        for name in ["order", "orders", "all", "journeys", "bankAccount", "transfer"] {
            assert_eq!(is_machine(name), Ok(()), "{name}");
        }
        assert!(is_machine("ordre").is_err_and(|why| why.contains("`order`")));
    }
}
