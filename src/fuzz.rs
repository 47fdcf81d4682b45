//! `fundsim fuzz`: generated runs, counted and judged; failures shrunk and kept as scenario files.

mod baseline;
mod foreign;

use crate::args::{self, Fuzz, Output};
use crate::exit::{FAILED, WELL};
use crate::interrupt::{self, INTERRUPTED};
use crate::out;
use crate::period::{duration, in_two_units};
use fuzz::batch::{Batch, Bound, Options, SEED_LIMIT, Shard, Watching, batch};
use fuzz::consumer::AroundConsumer;
use fuzz::host::OnHosts;
use fuzz::network::OverNetwork;
use fuzz::records::{FoundRun, Keeping};
use fuzz::report::{self, KeptFinding, Report};
use fuzz::{Finding, Level, OnWorlds, RunSetup};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use language::parse::text_of;
use language::words;
use sim::time::{Date, Instant};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
/// Larger files are no reports.
const LARGEST_REPORT: usize = 16 << 20;
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
    if let Some(folder) = &flags.merge {
        return merge(flags, folder).unwrap_or_else(|why| out::refuse(&why));
    }
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
    if options.shard != Shard::WHOLE {
        out::note(&format!("part {} of {}\n", options.shard.index, options.shard.of));
    }
    let run = FuzzRun { flags, folder, options: &options, journeys: machine(&flags.machine).flatten() };
    match run.run() {
        Ok(code) => code,
        Err(error) => out::refuse(&error),
    }
}

/// A batch under way, and what becomes of it.
struct FuzzRun<'a> {
    flags: &'a Fuzz,
    folder: &'a Path,
    options: &'a Options,
    journeys: Option<u16>,
}

impl FuzzRun<'_> {
    fn run(&self) -> Result<u8, String> {
        let bar = progress();
        let all_kept = Mutex::new(BTreeMap::new());
        let fault = Mutex::new(None);
        let watching = Watching {
            is_over: &|| interrupt::is_asked() || lock(&fault).is_some(),
            progress: &|so_far| {
                bar.tick();
                bar.set_message(under_way(so_far, self.options));
            },
            found: &|found| match self.keep(found) {
                Ok(kept) => {
                    if self.flags.output == Output::Text {
                        bar.suspend(|| out::show(&format!("{}\n", report::finding(found, &kept, &self.repeat(found)))));
                    }
                    lock(&all_kept).insert(found.failure.seed, kept);
                }
                Err(error) => *lock(&fault) = Some(format!("{}: {error}", self.folder.display())),
            },
        };
        let batch = self.batch(&watching).map_err(|error| error.to_string())?;
        bar.finish_and_clear();
        let report = Report::of(&batch, self.level(), &self.flags.machine, self.options, &lock(&all_kept));
        let code = conclude(self.flags, &report, self.options.shard)?;
        // What was not saved is said last, after all that was found.
        lock(&fault).take().map_or(Ok(code), Err)
    }

    fn batch(&self, watching: &Watching<'_>) -> std::io::Result<Batch> {
        let journeys = self.journeys;
        let stage = move |seed| RunSetup::generated(seed).with_journeys(journeys);
        match (self.flags.level, &self.flags.keep) {
            (args::Level::Network, _) => batch(OverNetwork(stage), self.options, watching),
            (args::Level::Consumer, _) => batch(AroundConsumer, self.options, watching),
            (args::Level::Host, _) => batch(OnHosts(stage), self.options, watching),
            (args::Level::World, None) => batch(OnWorlds(stage), self.options, watching),
            (args::Level::World, Some(folder)) => {
                batch(Keeping { runs: OnWorlds(stage), folder: folder.clone() }, self.options, watching)
            }
        }
    }

    const fn level(&self) -> Level {
        match self.flags.level {
            args::Level::World => Level::World,
            args::Level::Network => Level::Network,
            args::Level::Consumer => Level::Consumer,
            args::Level::Host => Level::Host,
        }
    }

    fn repeat(&self, found: &Finding) -> String {
        let is_part = self.options.shard != Shard::WHOLE;
        report::repeat_seed(self.level(), &self.flags.machine, found.failure.seed, self.options.steps as u64, is_part)
    }

    fn keep(&self, found: &Finding) -> std::io::Result<KeptFinding> {
        let run = FoundRun::of(&found.failure, self.journeys, self.options.steps);
        let file = report::save(self.folder, found, &run)?;
        let made_of = |program| baseline::plays(program, &file, found, self.options.seed_limit);
        let baseline = self.flags.baseline.as_deref().map(made_of).transpose()?.flatten();
        Ok(KeptFinding { file, baseline })
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn options(flags: &Fuzz) -> Result<Options, String> {
    is_machine(&flags.machine)?;
    if let Some(program) = &flags.baseline {
        baseline::check(program)?;
    }
    if flags.keep.is_some() && flags.level != args::Level::World {
        return Err("runs over the network are not kept; leave --keep or --level out".to_owned());
    }
    let bound = seeds_or_time(flags)?;
    let steps = flags.steps.unwrap_or(match flags.level {
        args::Level::World => STEPS,
        args::Level::Network | args::Level::Host => STEPS_OVER_NETWORK,
        args::Level::Consumer => STEPS_AROUND_A_CONSUMER,
    });
    let steps = usize::try_from(steps).map_err(|error| error.to_string())?;
    let shard = shard(flags.shard.as_deref(), |name| std::env::var(name).ok())?;
    if let Bound::Seeds(seeds) = &bound
        && shard.seeds_in(seeds) == 0
    {
        return Err(format!("part {} of {} has none of these seeds", shard.index, shard.of));
    }
    Ok(Options {
        bound,
        steps,
        jobs: thread::available_parallelism().map_or(1, usize::from),
        shard,
        seed_limit: flags.seed_timeout.as_deref().map_or(Ok(SEED_LIMIT), duration)?,
    })
}

/// The range of seeds, or the first seed and the time.
fn seeds_or_time(flags: &Fuzz) -> Result<Bound, String> {
    let time = flags.time.as_deref().map(duration).transpose()?;
    let from = |first| Bound::Time { first, time: time.unwrap_or(A_MINUTE) };
    if flags.nightly {
        return Ok(from(seed_of_today()));
    }
    if let Some(night) = &flags.night {
        return Ok(from(seed_of_night(night)?));
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
#[allow(clippy::disallowed_methods, reason = "which seeds a night runs is known beforehand; no run sees the clock")]
fn seed_of_today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / 86_400 * SEEDS_OF_A_DAY
}

/// The first seed of that day.
fn seed_of_night(date: &str) -> Result<u64, String> {
    let day = date.parse::<Date>().map_err(|_| format!("`{date}` is not a date; write --night 2026-03-02"))?;
    let since =
        Instant::at_utc_midnight(day).since(Instant::at_utc_midnight(Date::new(1970, 1, 1).unwrap_or(Date::MIN)));
    let days = u64::try_from(since.0 / 86_400_000).map_err(|_| format!("{date} is before 1970"))?;
    Ok(days * SEEDS_OF_A_DAY)
}

/// Which part of the seeds is run: as the flag says, or as a scheduler's variables do.
fn shard(flag: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` is not a number of a part"));
    let named =
        |name: &str| variable(name).map(|text| number(&text).map_err(|why| format!("{name}: {why}"))).transpose();
    let (index, of) = if let Some(text) = flag {
        let (index, of) = text.split_once('/').ok_or_else(|| format!("`{text}` is not a part; write --shard 0/16"))?;
        (number(index)?, number(of)?)
    } else if let (Some(index), Some(of)) = (named("JOB_COMPLETION_INDEX")?, named("FUNDSIM_SHARDS")?) {
        (index, of)
    } else if let (Some(id), Some(first), Some(of)) =
        (named("SLURM_ARRAY_TASK_ID")?, named("SLURM_ARRAY_TASK_MIN")?, named("SLURM_ARRAY_TASK_COUNT")?)
    {
        let step = named("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        (id.saturating_sub(first) / step, of)
    } else {
        (Shard::WHOLE.index, Shard::WHOLE.of)
    };
    if index >= of {
        return Err(format!("there is no part {index} of {of}: parts count from 0"));
    }
    Ok(Shard { index, of })
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
fn under_way(so_far: &Batch, options: &Options) -> String {
    let (of, left) = match &options.bound {
        Bound::Seeds(seeds) => {
            let rest = options.shard.seeds_in(seeds).saturating_sub(so_far.seeds);
            let rest = u32::try_from(rest).unwrap_or(u32::MAX);
            let done = u32::try_from(so_far.seeds).unwrap_or(u32::MAX).max(1);
            (format!(" to {}", seeds.end - 1), so_far.took.saturating_mul(rest) / done)
        }
        Bound::Time { time, .. } => (String::new(), time.saturating_sub(so_far.took)),
    };
    let Batch { first, seeds, failed, .. } = so_far;
    let rate = u128::from(so_far.steps) * 1_000 / so_far.took.as_millis().max(1);
    format!("{seeds} seeds from {first}{of}, {rate} steps a second, {failed} failed, {} left", in_two_units(left))
}

/// How the name of a part's report begins.
const PART: &str = "part-";

/// Whether a file of a folder is the report of a part, by its name.
pub(crate) fn is_report(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(PART) && name.ends_with(".json")
}

/// Puts the reports of parts together.
fn merge(flags: &Fuzz, folder: &Path) -> Result<u8, String> {
    let of_folder = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut reports = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(of_folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .map_err(of_folder)?;
    // Kept runs may be in the same folder.
    files.retain(|file| is_report(file));
    files.sort();
    for file in files {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = text_of(&file, LARGEST_REPORT).map_err(|error| named(&error))?;
        reports.push(serde_json::from_str::<Report>(&text).map_err(|error| named(&error))?);
    }
    let whole = Report::merged(reports).map_err(|why| format!("{}: {why}", folder.display()))?;
    let missing = whole.missing();
    let code = conclude(flags, &whole, Shard::WHOLE)?;
    if flags.output == Output::Text {
        out::show(&report::named(&whole.failures));
    }
    if missing.is_empty() {
        return Ok(code);
    }
    Err(format!("missing: {}", missing.join("; ")))
}

fn conclude(flags: &Fuzz, report: &Report, shard: Shard) -> Result<u8, String> {
    let as_json = serde_json::to_string(report).map_err(|error| error.to_string())?;
    let write =
        |file: &Path, text: &str| std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()));
    if let Some(place) = &flags.report {
        let is_file = place.extension().is_some_and(|ending| ending == "json");
        let width = (shard.of - 1).to_string().len();
        let file = if is_file {
            place.clone()
        } else {
            place.join(format!("{PART}{:0width$}-of-{}.json", shard.index, shard.of))
        };
        if !is_file {
            std::fs::create_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))?;
        }
        write(&file, &as_json)?;
    }
    if let Some(file) = &flags.html {
        write(file, &report::html(report))?;
    }
    match flags.output {
        Output::Json => out::say(&format!("{as_json}\n")),
        Output::Text => {
            if let Some(first) = report.failures.first() {
                out::say(&format!("seed {}\n", first.seed));
            }
            out::show(&report::text(report));
        }
    }
    Ok(match report.failed {
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
            let options = Options::of_seeds(5..9, 5, 1);
            let mut made = batch(OnWorlds(RunSetup::generated), &options, &Watching::NOBODY).expect("a batch");
            (made.took, made.steps) = (Duration::from_secs(10), 5_000);
            under_way(&made, &Options { bound, ..options })
        };
        assert_eq!(over(Bound::Seeds(5..17)), "4 seeds from 5 to 16, 500 steps a second, 0 failed, 20 s left");
        let hour = Bound::Time { first: 5, time: Duration::from_secs(3_600) };
        assert_eq!(over(hour), "4 seeds from 5, 500 steps a second, 0 failed, 59 min 50 s left");
    }

    #[test]
    fn a_night_has_the_seeds_of_its_day_wherever_it_is_run() {
        assert_eq!(seed_of_night("1970-01-02"), Ok(SEEDS_OF_A_DAY));
        assert_eq!(seed_of_night("2026-03-02"), Ok(20_514 * SEEDS_OF_A_DAY));
        assert!(seed_of_night("tomorrow").is_err_and(|why| why.contains("--night 2026-03-02")));
    }

    #[test]
    fn a_part_is_named_by_the_flag_or_by_a_schedulers_variables() {
        let part = |flag: Option<&str>, variables: &[(&str, &str)]| {
            let value =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            shard(flag, value).map(|shard| (shard.index, shard.of))
        };
        let slurm = [("SLURM_ARRAY_TASK_ID", "7"), ("SLURM_ARRAY_TASK_MIN", "5"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        let kubernetes = [("JOB_COMPLETION_INDEX", "3"), ("FUNDSIM_SHARDS", "8")];
        for (flag, variables, expected) in [
            (None, &[][..], Ok((0, 1))),
            (Some("2/16"), &kubernetes[..], Ok((2, 16))),
            (None, &kubernetes[..], Ok((3, 8))),
            (None, &kubernetes[..1], Ok((0, 1))),
            (None, &slurm[..], Ok((2, 4))),
            (Some("4/4"), &[][..], Err("there is no part 4 of 4")),
            (Some("4"), &[][..], Err("write --shard 0/16")),
            (Some("a/4"), &[][..], Err("is not a number")),
            (None, &[("JOB_COMPLETION_INDEX", "x"), ("FUNDSIM_SHARDS", "8")][..], Err("JOB_COMPLETION_INDEX")),
        ] {
            match (part(flag, variables), expected) {
                (Ok(part), Ok(expected)) => assert_eq!(part, expected, "{flag:?}"),
                (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
                (got, _) => panic!("{flag:?} {variables:?}: {got:?}"),
            }
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
