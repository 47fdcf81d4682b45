//! A version of the rules is what worlds make of the same inputs: another outcome is another version.
//!
//! `fixtures/rules/inputs.jsonl.zst` has the inputs of two hundred generated runs, one record a line, and beside it each version has
//! a file of the digests in which they end. Data that servers have kept is continued by the rules that made it, so a build whose
//! rules differ must say so (`sim::input::RulesVersion`).

use oracle::check::clock::Record;
use sim::input::RulesVersion;
use testing::fixture::Fixture;

/// What to do about another outcome.
const ADVICE: &str = "If a rule has changed, give the rules the next version (`RulesVersion::CURRENT` in sim/src/input.rs), so that kept worlds \
    are not continued by rules that did not make them, and run this test with FUNDSIM_TEST_BLESS=1: it writes the digests of a version that \
    has none yet. If only what a digest covers has changed, and no outcome, delete the file of the version first.";

fn records() -> Vec<Record> {
    let packed = Fixture::of("rules/inputs.jsonl.zst").bytes();
    let lines = zstd::decode_all(&*packed).expect("they are whole");
    let lines = std::str::from_utf8(&lines).expect("text").lines();
    let read = |line| {
        let mut record: Record = serde_json::from_str(line).expect("a record");
        // They were written by the first version; each is asked what it makes of them.
        record.setup.rules = RulesVersion::CURRENT;
        record
    };
    lines.map(read).collect()
}

/// The digests in which the records end, one a line.
fn digests(records: &[Record]) -> String {
    let digest = |record: &Record| format!("{} {}\n", record.seed.0, record.replay().expect("a setup").digest());
    records.iter().map(digest).collect()
}

/// (rule: calendar/rules-version)
#[test]
fn the_rules_of_this_version_lead_where_they_always_did() {
    let version = u32::from(RulesVersion::CURRENT);
    let known = Fixture::of(&format!("rules/version-{version}.txt"));
    let now = digests(&records());
    if known.is_to_be_written() {
        known.write(&now);
    }
    let known = known.text();
    let differ: Vec<_> = known.lines().zip(now.lines()).filter(|(known, now)| known != now).collect();
    assert_eq!(known.lines().count(), now.lines().count());
    assert!(
        differ.is_empty(),
        "{} of {} runs end otherwise than by rules of version {version}, the first of them {:?}. {ADVICE}",
        differ.len(),
        now.lines().count(),
        differ[0]
    );
}

#[test]
fn records_that_differ_in_one_amount_or_one_instant_end_otherwise() {
    let records = &records()[..1];
    let before = digests(records);
    let written = serde_json::to_string(&records[0]).expect("JSON");
    let cash = written.find("\"cash\":\"25000.00\"").expect("an account of the demo world");
    let mut other = written.clone();
    other.replace_range(cash + 8..cash + 16, "25000.01");
    let mut later = records[0].clone();
    let last = later.inputs.last_mut().expect("inputs");
    last.at = last.at.plus(sim::time::Millis(1));
    for changed in [serde_json::from_str(&other).expect("a record"), later] {
        assert_ne!(digests(&[changed]), before);
    }
}
