//! The picture of a year, read back: what is drawn is what the ledger of the same run says.
//!
//! `FUNDSIM_TEST_BLESS=1 cargo test --test fundsim pictures` writes the picture that the README shows.

use crate::cli::{folder, fundsim};
use language::diagnostic::Source;
use language::parse::{OnDisk, parse};
use regex_lite::Regex;
use runner::drivers::Choice;
use runner::{Extras, play};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const STORY: &str = "scenarios/performance/a-year-of-one-customer.yaml";
const GOLDEN: &str = "docs/pictures/a-year-of-one-customer.svg";

/// The positions of the panels, in tenths of a pixel.
const LEFT: f64 = 960.0;
const RIGHT: f64 = 11_040.0;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter_map(|number| number.parse().ok()).collect()
}

/// What `found` makes of every match of `pattern`, as texts.
fn all(svg: &str, pattern: &str) -> Vec<Vec<String>> {
    let pattern = Regex::new(pattern).expect("a pattern");
    let groups = |found: regex_lite::Captures<'_>| {
        found.iter().skip(1).flatten().map(|group| group.as_str().to_owned()).collect::<Vec<_>>()
    };
    pattern.captures_iter(svg).map(groups).collect()
}

/// What is asked behind the story: all that the picture draws.
const READ: &str = "
  - call: GET /account/{savings}/performance
    query: { start: 2026-01-09, end: 2026-12-31 }
    expect: { body: { length: 357 } }
  - call: GET /account/{savings}/transaction/cash
";

/// Played once for all tests.
static YEAR: LazyLock<Year> = LazyLock::new(Year::played);

/// A picture and the answers of the run that it was drawn from.
struct Year {
    svg: String,
    cash: Vec<Json>,
    performance: Vec<Json>,
}

impl Year {
    fn played() -> Self {
        let text = std::fs::read_to_string(root(STORY)).expect("the story") + READ;
        let story = parse(&Source::new(STORY, text), &OnDisk).unwrap_or_else(|faults| {
            panic!("{}", faults.iter().map(|fault| fault.render(false)).collect::<String>());
        });
        let run = play(&story, &Choice::InProcess, story.seed(), Extras { pictures: true, ..Extras::default() })
            .expect("it is played")
            .remove(0);
        assert!(run.failure.is_none(), "{}", run.failure.expect("one"));
        let mut answers = run.exchanges.requests.iter().rev();
        let mut answer = |path: &str| -> Vec<Json> {
            let request = answers.next().filter(|request| request.path.contains(path)).expect("the request");
            serde_json::from_str(&request.answer).expect("a list")
        };
        let (cash, performance) = (answer("/transaction/cash"), answer("/performance"));
        let svg = run.pictures.into_iter().next().expect("the story names its account").1;
        Self { svg, cash, performance }
    }

    /// SEK of a height in a panel, read from the figures beside its lines: the upper panel's come first.
    fn sek(&self, lower: bool) -> impl Fn(f64) -> f64 {
        let figures = all(&self.svg, r#"<text x="870" y="(\d+)"[^>]*>\s*([−\d\u{a0}]+)\s*</text>"#);
        let read = |figure: &Vec<String>| {
            let sek = figure[1].replace('\u{a0}', "").replace('−', "-");
            (figure[0].parse::<f64>().expect("a height"), sek.parse::<f64>().expect("a number"))
        };
        let figures: Vec<_> = figures.iter().map(read).filter(|(y, _)| (*y > 5_000.0) == lower).collect();
        assert!(figures.len() >= 3, "{figures:?}");
        let ((y0, sek0), (y1, sek1)) = (figures[0], figures[figures.len() - 1]);
        move |y| sek0 + (y - y0) * (sek1 - sek0) / (y1 - y0)
    }

    /// One tenth of a pixel in SEK.
    fn finest(&self, lower: bool) -> f64 {
        let sek = self.sek(lower);
        (sek(1.0) - sek(0.0)).abs()
    }

    /// The days between the sides, from the first to the last entry of performance.
    fn day(&self, x: f64) -> String {
        let dates: Vec<_> = self.performance.iter().map(|entry| entry["date"].as_str().expect("a date")).collect();
        // Clock changes move midnights by an hour, which is less than half a day.
        let width = (RIGHT - LEFT) / dates.len() as f64;
        let begun = (0..dates.len()).take_while(|at| LEFT + width * *at as f64 <= x).count();
        dates[begun.saturating_sub(1)].to_owned()
    }

    /// Bars of a colour: the day, and the amount by its height.
    fn bars(&self, colour: &str) -> Vec<(String, f64)> {
        let pattern = format!(r#"<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" opacity="1" fill="{colour}""#);
        let sek = self.sek(true);
        let bars = all(&self.svg, &pattern).into_iter().map(|bar| {
            let [x, y, width, height] = [0, 1, 2, 3].map(|at: usize| bar[at].parse::<f64>().expect("a number"));
            (y, (self.day(x + width / 2.0), sek(y) - sek(y + height)))
        });
        // The legend's square is above the panel.
        bars.filter(|(y, _)| *y > 5_200.0).map(|(_, bar)| bar).collect()
    }

    fn booked(&self, kind: &str) -> Vec<(String, f64)> {
        let own = self.cash.iter().filter(|cash| cash["transactionType"] == kind);
        // All of these moved the balance when they were made, in the daytime.
        own.map(|cash| {
            let day = cash["createdDate"].as_str().expect("an instant")[..10].to_owned();
            (day, cash["amount"].to_string().parse().expect("an amount"))
        })
        .collect()
    }

    /// Heights of a line, point by point.
    fn line(&self, colour: &str) -> Vec<f64> {
        let pattern = format!(r#"stroke="{colour}" stroke-width="\d+" points="([^"]+)""#);
        let lines = all(&self.svg, &pattern);
        let longest = lines.iter().map(|line| numbers(&line[0])).max_by_key(Vec::len).expect("a line");
        let sek = self.sek(false);
        longest.chunks(2).map(|point| sek(point[1])).collect()
    }
}

fn assert_same(drawn: &[(String, f64)], booked: &[(String, f64)], finest: f64, what: &str) {
    assert_eq!(drawn.len(), booked.len(), "{what}: {drawn:?} {booked:?}");
    for ((day, amount), (drawn_day, drawn)) in booked.iter().zip(drawn) {
        assert_eq!(day, drawn_day, "{what}");
        assert!((amount - drawn).abs() <= 1.5 * finest, "{what} of {amount} is drawn as {drawn}");
    }
}

#[test]
fn every_deposit_and_withdrawal_of_the_run_is_a_bar_of_its_height_on_its_day() {
    let year = &*YEAR;
    for (kind, colour, least) in [
        ("deposit", "#009E73", 15),
        ("withdrawal", "#D55E00", 2),
        ("fee", "#AA4499", 0),
        ("retrocession", "#B07F00", 0),
        ("settlement", "#777777", 1),
    ] {
        let booked = year.booked(kind);
        assert!(booked.len() >= least, "{kind}: {booked:?}");
        assert_same(&year.bars(colour), &booked, year.finest(true), kind);
    }
}

#[test]
fn the_value_of_every_day_is_where_the_scale_says_and_grows_by_what_the_day_earned_and_what_came() {
    let year = &*YEAR;
    let (values, finest) = (year.line("#0072B2"), year.finest(false));
    assert_eq!(values.len(), year.performance.len() + 1, "a point for each midnight");
    let mut flows: BTreeMap<String, f64> = BTreeMap::new();
    for (kind, sign) in [("deposit", 1.0), ("withdrawal", -1.0)] {
        for (day, amount) in year.booked(kind) {
            *flows.entry(day).or_default() += sign * amount;
        }
    }
    let mut value = 0.0;
    for (entry, drawn) in year.performance.iter().zip(&values[1..]) {
        let earned: f64 = entry["dayResult"].to_string().parse().expect("an amount");
        value += earned + flows.get(entry["date"].as_str().expect("a date")).copied().unwrap_or_default();
        assert!((value - drawn).abs() <= 1.5 * finest, "{}: {value} is drawn as {drawn}", entry["date"]);
    }
    let balances = year.line("#222222");
    assert_eq!(balances.len(), values.len());
    assert!(balances.iter().zip(&values).all(|(cash, all)| *cash <= all + finest), "cash is a part of the value");
}

#[test]
fn a_picture_says_in_words_what_it_shows_and_fetches_nothing() {
    let svg = &YEAR.svg;
    for part in
        [r#"role="img""#, "<title id=", "<desc id=", "prefers-color-scheme:dark", "split 1:3 of SE0SBX000016SEK"]
    {
        assert!(svg.contains(part), "{part}");
    }
    for part in ["<script", "href", "url(", "@import", "@font-face", "<image"] {
        assert!(!svg.contains(part), "{part}");
    }
}

#[test]
fn the_same_year_is_the_same_bytes_in_every_process_and_by_either_way() {
    let output = fundsim(&["explain", "year"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let folder = folder("pictures");
    let run = fundsim(&["run", STORY, "--driver", "in-process", "--pictures", &folder.to_string_lossy()]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let kept = folder.join("scenarios-performance-a-year-of-one-customer-savings.svg");
    assert!(std::fs::read_to_string(&kept).expect("a picture") == output.out, "two ways, two pictures");
    if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
        std::fs::write(root(GOLDEN), &output.out).expect("the golden is written");
    }
    let golden = std::fs::read_to_string(root(GOLDEN)).expect("the picture that the README shows");
    assert!(
        golden == output.out,
        "{GOLDEN} is another picture; write it anew with FUNDSIM_TEST_BLESS=1 and look at it"
    );
}
