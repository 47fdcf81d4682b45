//! A world in a file, to be taken to another process.
//!
//! Invariant: what is read back has the fingerprints that were written beside it, of the world and of the whole file, so that a
//! file which was cut off or changed is refused; a file of other rules is, too. Absent on purpose: secrets of the server and of
//! partners (`credentials` says what is there in their place), and the server's parts for a world: its subscribers, deliveries, requests and fault rules. What a partner has written into a resource is
//! there as it wrote it, such as the callback URL of a journey with its query.

use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sim::World;
use sim::digest::digest_of;
use sim::input::RulesVersion;
use sim::rng::Seed;
use sim::setup::Setup;
use sim::time::{Instant, Millis};

use super::credentials::Kept;
use super::memory::Memory;
use super::origin::WorldOrigin;
use super::panics::words;
use wire::error::ApiError;
use written::Written;

/// What the file says that it is.
const KIND: &str = "fundsim snapshot";
/// The only format there is.
const FORMAT: u16 = 1;
/// No log has more inputs; from there, numbers would end.
const MOST_INPUTS: u64 = u64::MAX / 2;
/// Largest file that is taken in, in bytes.
pub const LARGEST: usize = 256 * 1024 * 1024;

/// What marks a file of ours.
#[derive(Deserialize)]
pub(crate) struct Head {
    /// What it says that it is.
    #[serde(default)]
    pub(crate) kind: String,
    /// How it is written.
    #[serde(default)]
    pub(crate) format: u16,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    kind: Cow<'a, str>,
    format: u16,
    rules: RulesVersion,
    /// The fingerprint of the world.
    digest: Cow<'a, str>,
    /// The fingerprint of the file, as it is with nothing here.
    whole: Cow<'a, str>,
    now: Instant,
    seed: u64,
    start: Instant,
    #[serde(borrow)]
    setup: &'a RawValue,
    /// What brings its partners' credentials back; files had none of that once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credentials: Option<Cow<'a, Kept>>,
    #[serde(borrow)]
    world: &'a RawValue,
}

/// What a file holds.
#[derive(Debug)]
pub struct Brought {
    /// What the world was made from.
    pub origin: WorldOrigin,
    /// The world.
    pub world: World,
    /// What brings its partners' credentials back.
    pub credentials: Option<Kept>,
}

/// The file of `world`, which was made from `origin`, with what is kept of its partners' credentials.
///
/// # Errors
/// 500 when it cannot be written: a bug.
pub fn write(origin: &WorldOrigin, world: &World, credentials: Option<&Kept>) -> Result<Vec<u8>, ApiError> {
    let (setup, state) = (origin.setup.write().map_err(unwritable)?, world.write().map_err(unwritable)?);
    let written = File {
        kind: KIND.into(),
        format: FORMAT,
        rules: world.setup().rules,
        digest: world.digest().to_string().into(),
        whole: "".into(),
        now: world.now(),
        seed: origin.seed.0,
        start: origin.start,
        setup: &setup,
        credentials: credentials.map(Cow::Borrowed),
        world: &state,
    };
    let text = text(&written)?;
    drop((setup, state));
    let whole = format!("\"whole\":\"{}\"", digest_of(text.as_str()));
    // Before it come words of this file.
    Ok(text.replacen(NO_DIGEST, &whole, 1).into_bytes())
}

/// A file of which the fingerprint is not yet taken.
const NO_DIGEST: &str = "\"whole\":\"\"";

fn text(written: &File<'_>) -> Result<String, ApiError> {
    serde_json::to_string(written).map_err(unwritable)
}

/// Whether `value` is such a file.
#[must_use]
pub fn is_one(value: &serde_json::Value) -> bool {
    value.get("kind").and_then(serde_json::Value::as_str) == Some(KIND)
}

/// Whether `file`, which does not hold its fingerprint, has this one.
fn fits(file: &File<'_>, whole: &str) -> Result<bool, ApiError> {
    Ok(whole == digest_of(text(file)?.as_str()).to_string())
}

pub(crate) fn unwritable(fault: impl fmt::Display) -> ApiError {
    ApiError::server_error(format!("the world cannot be written: {fault}"))
}

fn wrong(why: impl fmt::Display) -> ApiError {
    ApiError::invalid_request(format!("the file is not a snapshot of a world: {why}"))
}

/// The world in a file, and what it was made from. Its setup meets the bounds of a setup that is sent, and a world that
/// cannot continue is refused (rule: calendar/snapshot-files).
///
/// # Errors
/// 400 with what is wrong with it; 503 when its start would take more memory than there is.
pub fn read(bytes: &[u8], memory: &Memory) -> Result<Brought, ApiError> {
    read_and(bytes, memory, |_| {})
}

/// As `read`, of a world that may have been made by the rules of an earlier build and continues by those of this one.
///
/// # Errors
/// As `read`.
pub fn read_adopting_rules(bytes: &[u8], memory: &Memory) -> Result<Brought, ApiError> {
    read_and(bytes, memory, |brought| {
        Arc::make_mut(&mut brought.origin.setup).rules = RulesVersion::CURRENT;
        brought.world.adopt_rules();
    })
}

fn read_and(bytes: &[u8], memory: &Memory, change: impl FnOnce(&mut Brought)) -> Result<Brought, ApiError> {
    // Fingerprints can be made by anybody: a file may hold what no server has written, and what no rule has an answer to.
    let read = catch_unwind(AssertUnwindSafe(|| {
        let brought = read_written(bytes, memory, change)?;
        try_out(&brought.world);
        Ok(brought)
    }));
    read.unwrap_or_else(|panic| Err(wrong(format_args!("no server has written what it holds: {}", words(&*panic)))))
}

/// Work that a world is tried with, and how far ahead.
const TRIED: (usize, Millis) = (2_000, Millis::days(40));

/// Accounts of which every day is looked at.
const LOOKED_AT: usize = 20;

/// Advances a copy of `world` for a while, and reads its accounts.
fn try_out(world: &World) {
    let mut ahead = world.clone();
    let until = ahead.now().plus(TRIED.1);
    ahead.advance_slice(until, TRIED.0, &mut Vec::new());
    for (at, account) in sim::query::every_account(&ahead).take(TRIED.0).enumerate() {
        drop(sim::query::positions(&ahead, account, ahead.now()));
        if at < LOOKED_AT {
            drop(sim::query::history(&ahead, account.id));
        }
    }
}

fn read_written(bytes: &[u8], memory: &Memory, change: impl FnOnce(&mut Brought)) -> Result<Brought, ApiError> {
    let head: Head = serde_json::from_slice(bytes).map_err(wrong)?;
    if head.kind != KIND {
        return Err(wrong(format!("its kind is not `{KIND}`")));
    }
    if head.format != FORMAT {
        return Err(wrong(format!("its format is {}, and {FORMAT} is what this version reads", head.format)));
    }
    let mut written: File<'_> = serde_json::from_slice(bytes).map_err(wrong)?;
    let whole = std::mem::take(&mut written.whole);
    let (setup, mut world) = (Setup::read(written.setup).map_err(wrong)?, World::read(written.world).map_err(wrong)?);
    if !fits(&written, &whole)? {
        // Other programs that write JSON set other spaces.
        let (setup, state) = (setup.write().map_err(unwritable)?, world.write().map_err(unwritable)?);
        if !fits(&File { setup: &setup, world: &state, ..written.clone() }, &whole)? {
            return Err(wrong("it has been changed; its fingerprint does not fit".to_owned()));
        }
    }
    let File { digest, now, seed, start, credentials, .. } = written;
    let origin = WorldOrigin { setup: Arc::new(setup), seed: Seed(seed), start };
    if *digest != world.digest().to_string() {
        return Err(wrong("its world does not match its digest".to_owned()));
    }
    if (origin.seed, origin.start, now) != (world.seed(), world.start(), world.now()) {
        return Err(wrong("its seed, start or time are not those of its world".to_owned()));
    }
    if world.last_input() > MOST_INPUTS {
        return Err(wrong("its last input has too high a number".to_owned()));
    }
    // The subscribers of the past are not here.
    world.forget_events();
    drop(world.take_callbacks());
    let mut brought = Brought { origin, world, credentials: credentials.map(Cow::into_owned) };
    change(&mut brought);
    let Brought { origin, world, .. } = &brought;
    let checked = [(&origin.setup, origin.start), (world.setup(), world.start())];
    checked.into_iter().try_for_each(|(setup, start)| setup.check(start)).map_err(wrong)?;
    // What a world is reset to must open.
    let _set_aside = origin.set_aside(memory)?;
    origin.world()?;
    Ok(brought)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Hosted;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use testing::fixture::Fixture;
    use testing::laws;

    /// (rule: calendar/snapshot-files)
    #[test]
    fn a_world_that_was_written_and_read_back_continues_equally() {
        let hosted = Hosted::new();
        let account = hosted.account(0);
        hosted.subscribe(0, account);
        let mut world = hosted.world.copy().expect("a world");
        let kept = hosted.world.identity.kept_credentials();
        let file = write(hosted.world.identity.origin(), &world, Some(&kept)).expect("a file");
        let Brought { origin, world: mut again, credentials } = read(&file, &Memory::default()).expect("a world");
        assert_eq!(credentials, Some(kept));
        assert_eq!(
            (again.digest(), origin.seed, origin.start),
            (world.digest(), hosted.world.identity.origin().seed, world.now())
        );
        let friday = world.now().plus(Millis::days(4));
        world.advance(friday);
        again.advance(friday);
        assert_eq!(again.digest(), world.digest());
        let opened = origin.world().expect("a start").digest();
        assert_eq!(opened, hosted.world.identity.origin().world().expect("a start").digest());
    }

    /// (rule: calendar/snapshot-files)
    #[test]
    fn a_file_of_each_format_that_was_ever_written_can_be_read() {
        let of = |format: u16| Fixture::of(&format!("formats/snapshot-{format}.json"));
        if of(FORMAT).is_to_be_written() {
            let hosted = Hosted::new();
            let account = hosted.account(0);
            hosted.subscribe(0, account);
            let (kept, world) = (hosted.world.identity.kept_credentials(), hosted.world.copy().expect("a world"));
            of(FORMAT).write(write(hosted.world.identity.origin(), &world, Some(&kept)).expect("a file"));
        }
        for format in 1..=FORMAT {
            let file = of(format).bytes();
            let brought = read_adopting_rules(&file, &Memory::default()).expect("a snapshot");
            let orders = sim::query::every_order(&brought.world).count();
            assert_eq!((orders, brought.credentials.is_some()), (1, true), "format {format}");
        }
    }

    /// (rule: calendar/snapshot-files)
    #[test]
    fn a_file_with_other_spaces_is_the_same_file() {
        let hosted = Hosted::new();
        let world = hosted.world.copy().expect("a world");
        let file = write(hosted.world.identity.origin(), &world, None).expect("a file");
        let value: serde_json::Value = serde_json::from_slice(&file).expect("JSON");
        let spaced = serde_json::to_vec_pretty(&value).expect("JSON");
        let brought = read(&spaced, &Memory::default()).expect("a world");
        assert_eq!(brought.world.digest(), world.digest());
    }

    /// (rule: calendar/snapshot-files)
    #[test]
    fn a_file_that_was_changed_cut_off_or_is_another_is_refused() {
        let hosted = Hosted::new();
        let file = String::from_utf8(
            write(hosted.world.identity.origin(), &hosted.world.copy().expect("a world"), None).expect("a file"),
        );
        let file = file.expect("JSON is text");
        let rows = [
            (file.replace("\"now\":\"2026", "\"now\":\"2027"), "fingerprint"),
            (file.replacen("\"seed\":42", "\"seed\":43", 1), "fingerprint"),
            (file.replace("\"input\":0", "\"input\":18446744073709551615"), "fingerprint"),
            (file.replacen("\"kind\"", "\"more\":1,\"kind\"", 1), "unknown field `more`"),
            (file.replace("\"world\":{", "\"world\":{\"more\":1,"), "unknown field `more`"),
            (file.replace("\"format\":1", "\"format\":2"), "its format is 2, and 1 is what"),
            (file.replacen("\"rules\":1", "\"rules\":7", 1), "rules of version 7"),
            (file.replace("fundsim snapshot", "a picture"), "its kind is not"),
            (file[..file.len() / 2].to_owned(), "EOF"),
            ("{}".to_owned(), "its kind is not"),
            ("[]".to_owned(), "its kind is not"),
            (String::new(), "EOF"),
        ];
        for (text, why) in rows {
            let refused = read(text.as_bytes(), &Memory::default()).expect_err(why);
            assert_eq!(refused.status.as_u16(), 400);
            assert!(refused.description.contains(why), "{why}: {}", refused.description);
        }
    }

    /// (rule: calendar/snapshot-files)
    #[test]
    fn a_file_with_values_that_no_server_wrote_is_refused_in_the_words_of_a_setup() {
        let hosted = Hosted::new();
        let world = hosted.world.copy().expect("a world");
        let of = |change: fn(&mut Setup)| {
            let mut setup = crate::setup::demo();
            change(&mut setup);
            WorldOrigin { setup: Arc::new(setup), ..hosted.world.identity.origin().clone() }
        };
        type Change = fn(&mut Setup);
        let rows: [(Change, &str); 7] = [
            (|it| it.rates[0].rate = rust_decimal::Decimal::new(1, 28), "rates[0].rate must have at most 4 decimals"),
            (|it| it.rates[0].rate = rust_decimal::Decimal::MAX, "rates[0].rate must be less than 10^15"),
            (|it| it.rates[0].volatility_bp = u32::MAX, "rates[0].volatilityBp must be at most 2000"),
            (|it| it.instruments[1].volatility_bp = 2_001, "instruments[1].volatilityBp must be at most 2000"),
            (
                |it| it.instruments[0].rebate = rust_decimal::Decimal::new(1, 3),
                "instruments[0].rebate must have at most 2",
            ),
            (|it| it.name = "\u{1b}[2J".into(), "name must be 1 to 255 characters without control characters"),
            (|it| it.settings.hold_bank_days = u32::MAX, "settings.holdBankDays is out of its bounds"),
        ];
        for (change, why) in rows {
            let refused = read(&write(&of(change), &world, None).expect("a file"), &Memory::default()).expect_err(why);
            assert_eq!(refused.status.as_u16(), 400);
            assert!(refused.description.contains(why), "{why}: {}", refused.description);
        }
        read(&write(&of(|_| {}), &world, None).expect("a file"), &Memory::default()).expect("what a server wrote");
    }

    /// `text` with the fingerprints that fit it, if it is a file at all.
    fn fitted(text: &str) -> Option<Vec<u8>> {
        let mut written: File<'_> = serde_json::from_str(text).ok()?;
        written.digest = World::read(written.world).ok()?.digest().to_string().into();
        written.whole = "".into();
        let whole = format!("\"whole\":\"{}\"", digest_of(super::text(&written).ok()?.as_str()));
        Some(super::text(&written).ok()?.replacen(NO_DIGEST, &whole, 1).into_bytes())
    }

    /// Bytes that are put in the place of others: ends and signs of numbers, quotes, brackets.
    const ODD: &[u8] = b"0129-.eE\"{}[],:x\\n\x00\xff";

    /// (rule: calendar/snapshot-files)
    #[test]
    fn no_change_of_a_file_makes_a_panic() {
        let hosted = Hosted::new();
        let account = hosted.account(0);
        hosted.subscribe(0, account);
        let kept = hosted.world.identity.kept_credentials();
        let file =
            write(hosted.world.identity.origin(), &hosted.world.copy().expect("a world"), Some(&kept)).expect("a file");
        let digits: Vec<usize> = (0..file.len()).filter(|at| file[*at].is_ascii_digit()).collect();
        let places = || proptest::collection::vec((any::<Index>(), any::<Index>()), 1..4);
        laws::tried(64, (places(), places(), any::<Index>()), |(anywhere, numbers, end)| {
            let mut broken = file.clone();
            for (at, byte) in &anywhere {
                broken[at.index(file.len())] = ODD[byte.index(ODD.len())];
            }
            // A key that is changed is no key, and what it named may have the value that is there without it: the same file then.
            if let Ok(Brought { origin, world, credentials }) = read(&broken, &Memory::default()) {
                prop_assert!(write(&origin, &world, credentials.as_ref()).expect("a file") == file);
            }
            prop_assert!(read(&file[..end.index(file.len())], &Memory::default()).is_err());
            // Other numbers, under fingerprints that fit them: refused or not, and never a panic.
            let mut other = file.clone();
            for (at, byte) in &numbers {
                other[digits[at.index(digits.len())]] = b"0123456789"[byte.index(10)];
            }
            if let Some(forged) = String::from_utf8(other).ok().and_then(|text| fitted(&text)) {
                drop(read(&forged, &Memory::default()));
            }
            Ok(())
        });
    }
}
